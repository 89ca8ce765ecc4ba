#ifndef HERTZIAN_INSTRUMENT_PARAMS_H
#define HERTZIAN_INSTRUMENT_PARAMS_H

#include "hertzian/base/param.h"
#include "hertzian/base/rt.h"

#include <stdbool.h>

/** Parameters every instrument has, by index; the table is htz_instrument_params. All audio-thread readable. */
typedef enum {
  HTZ_PARAM_LEVEL = 0,       ///< output level [dB]
  HTZ_PARAM_WIDTH,           ///< stereo width, 0 mono .. 1 as the file places the keys
  HTZ_PARAM_TUNE,            ///< [cent]
  HTZ_PARAM_DECAY,           ///< factor on every decay time
  HTZ_PARAM_RESONATOR,       ///< level of the resonators (tubes), 0 none, 1 as the file says
  HTZ_PARAM_MALLET_HARDNESS, ///< factor on the contact stiffness
  HTZ_PARAM_MALLET_MASS,     ///< factor on the mallet's mass
  HTZ_PARAM_MALLET_SPEED,    ///< factor on the mallet's speed
  HTZ_PARAM_MALLET_AT,       ///< where it strikes, fraction of the length; NaN: where the file says for the key
  HTZ_PARAM_MALLET_AT_Y,     ///< the same across a surface
  HTZ_PARAM_DAMPER,          ///< factor on the damper's decay rate
  HTZ_PARAM_MALLET_KIND,     ///< which of the file's mallets, from 0
  HTZ_PARAM_MOTOR_RATE,      ///< turns of the discs in the tubes [Hz], 0 standing still and open
  HTZ_PARAM_MOTOR_DEPTH,     ///< how far the discs close the tubes, 0..1
  HTZ_PARAM_BOARD,           ///< 0: strings drive the board; 1: they feel it as well, where the instrument is made for that
  HTZ_PARAM_GRAVITY,         ///< on mallets, towards the body [m/s^2]
  HTZ_PARAM_DRIVE_GAIN,      ///< force of the audio signal on the mallet at full scale [N]
  HTZ_PARAM_DRIVE_REST,      ///< height over the body at which a driven mallet hangs [m]
  HTZ_PARAM_ROLL_SPEED,      ///< factor on the speed of a rolling ball
  HTZ_PARAM_ROLL_ROUGHNESS,  ///< of what it rolls on, root mean square [m]
  HTZ_PARAM_ROLL_ASYMMETRY,  ///< how far its centre of mass is off the middle, share of the radius
  HTZ_PARAM_GESTURE,         ///< what a note does where the key can do several things (htz_excite)
  HTZ_PARAM_BOW_FORCE,       ///< how hard the bow presses [N]
  HTZ_PARAM_BOW_SPEED,       ///< its speed at velocity 127 [m/s]
  HTZ_PARAM_BOW_POSITION,    ///< where it lies, fraction of the length from the bridge; NaN: where the file says
  HTZ_PARAM_BRIDGE_GAP,      ///< of a loose bridge or shoe over what it rattles on [m]
  HTZ_PARAM_BRIDGE_MASS,     ///< factor on its mass
  HTZ_PARAM_RATTLE_GAP,      ///< height of rattles over the body [m]; NaN: as the file says for the key
  HTZ_PARAM_RATTLE_MASS,     ///< factor on their mass, 0: none
  HTZ_PARAM_RATTLE_AT,       ///< where, fraction of the length; NaN: the file's
  HTZ_PARAM_SCREW_MASS,      ///< factor on the mass of screws between the strings, 0: none
  HTZ_PARAM_SCREW_AT,        ///< where; NaN: the file's
  HTZ_PARAM_RUBBER_LOSS,     ///< factor on the damping of rubbers between the strings, 0: none
  HTZ_PARAM_RUBBER_AT,       ///< where; NaN: the file's
  HTZ_PARAM_THREAD_AT,       ///< of a thread under the string, fraction of the bridge; NaN: the file's
  HTZ_PARAM_ROOM,            ///< share of the sound's energy that comes from the room, 0 none .. 1 all
  HTZ_PARAM_ROOM_SIZE,       ///< length of the room [m]
  HTZ_PARAM_EARS,            ///< where the file's pair of ears is (htz_ears)
  HTZ_PARAM_HUMAN,           ///< how far strokes differ from each other, 0 not at all .. 1
  HTZ_PARAM_HUMAN_SEED,      ///< which of many performances
  // From here on: moved by channel messages, not by name.
  HTZ_PARAM_VOLUME,     ///< CC 7, 0..127
  HTZ_PARAM_EXPRESSION, ///< CC 11, 0..127
  HTZ_PARAM_PAN,        ///< CC 10, 0..127
  HTZ_PARAM_BEND,       ///< pitch bend [semitone]
  HTZ_PARAM_SUSTAIN,    ///< CC 64, 0..127, continuous
  HTZ_PARAM_SOSTENUTO,  ///< CC 66, 0..127: from 64 on it holds the keys that were down
  HTZ_PARAM_SOFT,       ///< CC 67, 0..127
  HTZ_PARAM_SEND,       ///< CC 91, 0..127: how much the room hears, 40 what HTZ_PARAM_ROOM says
  HTZ_PARAM_SCALE,      ///< what the tuning in force asks of the key, off its equal-tempered pitch [cent]
  HTZ_PARAM_MASTER,     ///< master volume, as a share: 0..1
  HTZ_PARAM_COUNT
} htz_param_index;

enum { HTZ_OWN_MAX = 64 }; ///< fields of things that go by their own names, of one object

/** Values that a key has: one for each of these parameters, then one for each such field. */
enum { HTZ_PARAM_SLOTS = HTZ_PARAM_COUNT + (int)HTZ_OWN_MAX };

/** Where a pair of ears can be, in the order of the words of HTZ_PARAM_EARS. */
typedef enum { HTZ_EARS_PLAYER = 0, HTZ_EARS_AUDIENCE, HTZ_EARS_CLOSE, HTZ_EARS } htz_ears;

enum { HTZ_PARAM_NAMED = HTZ_PARAM_VOLUME }; ///< parameters below this one can be set by name

/** [HTZ_PARAM_COUNT] descriptors: names as after `-s` ("level", "width", "tune", "decay", "tube.level"..., "mallet.hardness"...). */
extern const htz_param_desc htz_instrument_params[HTZ_PARAM_COUNT];

/** True when a parameter is the part's and not each key's. */
HTZ_RT bool htz_param_of_part(size_t index);

/** Names of the values 0, 1, ... of a parameter that is a choice, closed by NULL; NULL for one that is a number. Any thread. */
const char* const* htz_param_words(size_t index);

/** Value called `word` of the choice `index`, or -1. Any thread. */
int htz_param_word_value(size_t index, const char* word);

#endif
