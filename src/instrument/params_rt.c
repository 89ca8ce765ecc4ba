#include "hertzian/instrument/params.h"

#include <math.h>

const htz_param_desc htz_instrument_params[HTZ_PARAM_COUNT] = {
    [HTZ_PARAM_LEVEL] = {"level", "dB", -60.0, 18.0, 0.0, HTZ_SCALE_LINEAR, "how loud the whole instrument is"},
    [HTZ_PARAM_WIDTH] = {"width", "", 0.0, 1.0, 1.0, HTZ_SCALE_LINEAR, "stereo spread of the keys, 0 all in the middle"},
    [HTZ_PARAM_TUNE] = {"tune", "cent", -1200.0, 1200.0, 0.0, HTZ_SCALE_LINEAR, "retunes every body"},
    [HTZ_PARAM_DECAY] = {"decay", "", 0.05, 20.0, 1.0, HTZ_SCALE_LOG, "how long it rings, times what the file says"},
    [HTZ_PARAM_RESONATOR] = {"tube.level", "", 0.0, 4.0, 1.0, HTZ_SCALE_LINEAR,
                             "how much is heard of the bodies fed by the struck one, such as tubes"},
    [HTZ_PARAM_MALLET_HARDNESS] = {"mallet.hardness", "", 0.001, 1000.0, 1.0, HTZ_SCALE_LOG,
                                   "stiffness of the mallet's head: harder is brighter"},
    [HTZ_PARAM_MALLET_MASS] = {"mallet.mass", "", 0.1, 10.0, 1.0, HTZ_SCALE_LOG,
                               "weight of the mallet: heavier is louder and darker"},
    [HTZ_PARAM_MALLET_SPEED] = {"mallet.speed", "", 0.1, 4.0, 1.0, HTZ_SCALE_LOG,
                                "how fast the mallet arrives: louder and brighter"},
    [HTZ_PARAM_MALLET_AT] = {"mallet.at", "", 0.0, 1.0, NAN, HTZ_SCALE_LINEAR,
                             "where it strikes, fraction of the length; the default is the file's"},
    [HTZ_PARAM_DAMPER] = {"damper", "", 0.0, 10.0, 1.0, HTZ_SCALE_LINEAR, "how firmly a released key is damped"},
    [HTZ_PARAM_MALLET_KIND] = {"mallet.kind", "", 0.0, 7.0, 0.0, HTZ_SCALE_LINEAR,
                               "which of the instrument's mallets, counted from 0"},
    [HTZ_PARAM_MOTOR_RATE] = {"motor.rate", "Hz", 0.0, 12.0, 0.0, HTZ_SCALE_LINEAR,
                              "turns of the discs in the tubes: the speed of the tremolo, 0 off"},
    [HTZ_PARAM_MOTOR_DEPTH] = {"motor.depth", "", 0.0, 1.0, 1.0, HTZ_SCALE_LINEAR, "how far the discs close the tubes"},
    [HTZ_PARAM_VOLUME] = {"volume", "", 0.0, 127.0, 127.0, HTZ_SCALE_LINEAR, "channel volume (controller 7)"},
    [HTZ_PARAM_EXPRESSION] = {"expression", "", 0.0, 127.0, 127.0, HTZ_SCALE_LINEAR, "expression (controller 11)"},
    [HTZ_PARAM_PAN] = {"pan", "", 0.0, 127.0, 64.0, HTZ_SCALE_LINEAR,
                       "place of the channel, 0 left .. 127 right (controller 10)"},
    [HTZ_PARAM_BEND] = {"bend", "semitone", -96.0, 96.0, 0.0, HTZ_SCALE_LINEAR, "pitch bend"},
    [HTZ_PARAM_SUSTAIN] = {"sustain", "", 0.0, 127.0, 0.0, HTZ_SCALE_LINEAR, "sustain pedal, continuous (controller 64)"},
    [HTZ_PARAM_SOSTENUTO] = {"sostenuto", "", 0.0, 127.0, 0.0, HTZ_SCALE_LINEAR, "sostenuto pedal (controller 66)"},
    [HTZ_PARAM_SOFT] = {"soft", "", 0.0, 127.0, 0.0, HTZ_SCALE_LINEAR, "soft pedal (controller 67)"},
};
