#include "hertzian/instrument/params.h"

#include "hertzian/contact/island.h"

#include <math.h>

bool htz_param_of_part(size_t index) {
  switch (index) {
  case HTZ_PARAM_WIDTH:
  case HTZ_PARAM_BOARD:
  case HTZ_PARAM_MOTOR_RATE:
  case HTZ_PARAM_MOTOR_DEPTH:
  case HTZ_PARAM_ROOM:
  case HTZ_PARAM_ROOM_SIZE:
  case HTZ_PARAM_EARS:
    return true;
  default:
    return index >= HTZ_PARAM_NAMED && index != HTZ_PARAM_BEND && index != HTZ_PARAM_SCALE;
  }
}

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
    [HTZ_PARAM_MALLET_AT_Y] = {"mallet.at_y", "", 0.0, 1.0, NAN, HTZ_SCALE_LINEAR,
                               "where across a plate or skin it strikes; the default is the file's"},
    [HTZ_PARAM_DAMPER] = {"damper", "", 0.0, 10.0, 1.0, HTZ_SCALE_LINEAR, "how firmly a released key is damped"},
    [HTZ_PARAM_MALLET_KIND] = {"mallet.kind", "", 0.0, 7.0, 0.0, HTZ_SCALE_STEPS,
                               "which of the instrument's mallets, counted from 0"},
    [HTZ_PARAM_MOTOR_RATE] = {"motor.rate", "Hz", 0.0, 12.0, 0.0, HTZ_SCALE_LINEAR,
                              "turns of the discs in the tubes: the speed of the tremolo, 0 off"},
    [HTZ_PARAM_MOTOR_DEPTH] = {"motor.depth", "", 0.0, 1.0, 1.0, HTZ_SCALE_LINEAR, "how far the discs close the tubes"},
    [HTZ_PARAM_BOARD] = {"board", "", 0.0, 1.0, 0.0, HTZ_SCALE_STEPS,
                         "two-way: strings and board move each other; one-way: the board only listens, at less cost"},
    [HTZ_PARAM_GRAVITY] = {"mallet.gravity", "m/s^2", 0.0, 50.0, 0.0, HTZ_SCALE_LINEAR,
                           "pulls the mallet back to the body: it bounces and comes to rest; 0: it flies off"},
    [HTZ_PARAM_DRIVE_GAIN] = {"drive.gain", "N", 0.001, 100.0, 1.0, HTZ_SCALE_LOG,
                              "force of the audio input on the mallet, at full scale"},
    [HTZ_PARAM_DRIVE_REST] = {"drive.rest", "m", -0.005, 0.02, 0.001, HTZ_SCALE_LINEAR,
                              "height at which the driven mallet hangs: near buzzes, far needs loud peaks, below 0 presses"},
    [HTZ_PARAM_ROLL_SPEED] = {"roll.speed", "", 0.0, 4.0, 1.0, HTZ_SCALE_LINEAR,
                              "how fast the ball rolls: louder and brighter"},
    [HTZ_PARAM_ROLL_ROUGHNESS] = {"roll.roughness", "m", 1e-8, 5e-5, 1e-6, HTZ_SCALE_LOG,
                                  "how rough the surface is: from a hum to rattling"},
    [HTZ_PARAM_ROLL_ASYMMETRY] = {"roll.asymmetry", "", 0.0, 0.3, 0.0, HTZ_SCALE_LINEAR,
                                  "how unevenly the ball is loaded: it throbs once a turn"},
    [HTZ_PARAM_GESTURE] = {"gesture", "", 0.0, HTZ_EXCITES - 1.0, 0.0, HTZ_SCALE_STEPS,
                           "what a note does: bow sets the bow on, anything else, such as mallet, lifts it"},
    [HTZ_PARAM_BOW_FORCE] = {"bow.force", "N", 0.0, 20.0, 0.5, HTZ_SCALE_LINEAR,
                             "how hard the bow presses: heavier is grittier, too light whistles"},
    [HTZ_PARAM_BOW_SPEED] = {"bow.speed", "m/s", 0.005, 2.0, 0.2, HTZ_SCALE_LOG, "how fast the bow is drawn: louder"},
    [HTZ_PARAM_BOW_POSITION] = {"bow.position", "", 0.02, 0.9, NAN, HTZ_SCALE_LINEAR,
                                "where the bow lies, fraction of the length; near the bridge is brighter"},
    [HTZ_PARAM_BRIDGE_GAP] = {"bridge.gap", "m", 0.0, 0.005, 5e-6, HTZ_SCALE_LINEAR,
                              "how far the loose bridge hovers above the body: it buzzes where the sound is as high"},
    [HTZ_PARAM_BRIDGE_MASS] = {"bridge.mass", "", 0.1, 10.0, 1.0, HTZ_SCALE_LOG,
                               "weight of the loose bridge, times the file's"},
    [HTZ_PARAM_RATTLE_GAP] = {"rattle.gap", "m", 0.0, 0.02, NAN, HTZ_SCALE_LINEAR,
                              "how far what rattles hovers from the string"},
    [HTZ_PARAM_RATTLE_MASS] = {"rattle.mass", "", 0.0, 10.0, 1.0, HTZ_SCALE_LINEAR,
                               "weight of what rattles, times the file's; 0: nothing does"},
    [HTZ_PARAM_RATTLE_AT] = {"rattle.at", "", 0.0, 1.0, NAN, HTZ_SCALE_LINEAR,
                             "where it rattles, fraction of the length; the default is the file's"},
    [HTZ_PARAM_SCREW_MASS] = {"screw.mass", "", 0.0, 10.0, 1.0, HTZ_SCALE_LINEAR,
                              "weight of the screws between the strings, times the file's; 0: none"},
    [HTZ_PARAM_SCREW_AT] = {"screw.at", "", 0.0, 1.0, NAN, HTZ_SCALE_LINEAR,
                            "where they stick, fraction of the length; the default is the file's"},
    [HTZ_PARAM_RUBBER_LOSS] = {"rubber.loss", "", 0.0, 10.0, 1.0, HTZ_SCALE_LINEAR,
                               "damping of the rubbers between the strings, times the file's; 0: none"},
    [HTZ_PARAM_RUBBER_AT] = {"rubber.at", "", 0.0, 1.0, NAN, HTZ_SCALE_LINEAR,
                             "where they stick, fraction of the length; the default is the file's"},
    [HTZ_PARAM_THREAD_AT] = {"thread.at", "", 0.0, 1.0, NAN, HTZ_SCALE_LINEAR,
                             "where a thread lies under the string, fraction of the bridge; the default is the file's"},
    [HTZ_PARAM_ROOM] = {"room", "", 0.0, 1.0, 0.0, HTZ_SCALE_LINEAR,
                        "share of the sound that comes from the room around it: 0.5 is half, 1 has no direct sound"},
    [HTZ_PARAM_ROOM_SIZE] = {"room.size", "m", 4.0, 40.0, 12.0, HTZ_SCALE_LOG,
                             "length of the room: longer rings longer; a change starts with an empty room"},
    [HTZ_PARAM_EARS] = {"ears", "", 0.0, HTZ_EARS - 1.0, HTZ_EARS_PLAYER, HTZ_SCALE_STEPS,
                        "from where it is heard: by its player, from the audience, or by a pair close to it"},
    [HTZ_PARAM_HUMAN] = {"human", "", 0.0, 1.0, 0.0, HTZ_SCALE_LINEAR,
                         "how unlike each other strokes are in speed, direction, place and felt, and how a bow wanders"},
    [HTZ_PARAM_HUMAN_SEED] = {"human.seed", "", 0.0, 9999.0, 0.0, HTZ_SCALE_STEPS,
                              "which of many performances the differences are those of"},
    [HTZ_PARAM_VOLUME] = {"volume", "", 0.0, 127.0, 127.0, HTZ_SCALE_LINEAR, "channel volume (controller 7)"},
    [HTZ_PARAM_EXPRESSION] = {"expression", "", 0.0, 127.0, 127.0, HTZ_SCALE_LINEAR, "expression (controller 11)"},
    [HTZ_PARAM_PAN] = {"pan", "", 0.0, 127.0, 64.0, HTZ_SCALE_LINEAR,
                       "place of the channel, 0 left .. 127 right (controller 10)"},
    [HTZ_PARAM_BEND] = {"bend", "semitone", -96.0, 96.0, 0.0, HTZ_SCALE_LINEAR, "pitch bend"},
    [HTZ_PARAM_SUSTAIN] = {"sustain", "", 0.0, 127.0, 0.0, HTZ_SCALE_LINEAR, "sustain pedal, continuous (controller 64)"},
    [HTZ_PARAM_SOSTENUTO] = {"sostenuto", "", 0.0, 127.0, 0.0, HTZ_SCALE_LINEAR, "sostenuto pedal (controller 66)"},
    [HTZ_PARAM_SOFT] = {"soft", "", 0.0, 127.0, 0.0, HTZ_SCALE_LINEAR, "soft pedal (controller 67)"},
    [HTZ_PARAM_SEND] = {"send", "", 0.0, 127.0, 40.0, HTZ_SCALE_LINEAR,
                        "how much the room hears (controller 91), 40 what `room` says"},
    [HTZ_PARAM_SCALE] = {"scale", "cent", -12700.0, 12700.0, 0.0, HTZ_SCALE_LINEAR, "how far the tuning moves the key"},
    [HTZ_PARAM_MASTER] = {"master", "", 0.0, 1.0, 1.0, HTZ_SCALE_LINEAR, "master volume"},
};
