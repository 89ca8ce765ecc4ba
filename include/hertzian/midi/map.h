#ifndef HERTZIAN_MIDI_MAP_H
#define HERTZIAN_MIDI_MAP_H

#include "hertzian/engine/engine.h"
#include "hertzian/instrument/programs.h"
#include "hertzian/midi/bytes.h"
#include "hertzian/midi/velocity.h"

/**
   What channel messages mean to the engine: sixteen channels, the parts they play, what each player's controllers are set to.

   Set up on any thread before the engine runs, then owned by the audio thread. Live playing and rendering use the same map.

   Understood: note on and off, program change, bank select (controllers 0 and 32), pitch bend, pressure of channels and of keys, controllers 7, 10, 11, 64, 66, 67, 91,
   120, 121, 123..127 and those an instrument declares, 88 (the lower half of the next velocity), 6, 38, 96..101 for the registered
   parameters 0 (bend range), 1 and 2 (fine and coarse tuning), 3 (tuning program), 5 (modulation depth) and 6 (MPE zones), system reset,
   and the system exclusive messages of hertzian/midi/sysex.h. Anything else has no effect.
*/
enum {
  HTZ_MIDI_CHANNELS = 16,
  HTZ_MIDI_PROGRAMS = 128,
  HTZ_MIDI_BANKS = 129,   ///< the last is HTZ_BANK_KITS
  HTZ_DRUM_CHANNEL = 9,   ///< General MIDI's, from 0
  HTZ_MIDI_OMNI = 0xFFFF, ///< all channels, as a set of bits
  HTZ_CASTS_MAX = 255,    ///< what programs can mean, at most
  HTZ_CAST_BY_PROGRAM = 255,
  HTZ_MAP_TUNINGS = 128, ///< tuning programs
  HTZ_MAP_CLASSES = 12,  ///< pitch classes
  HTZ_MPE_BEND = 48,     ///< bend range of a zone's members until told [semitone]
};

/** Which zone of MPE is there from the start. */
typedef enum { HTZ_MPE_NONE = 0, HTZ_MPE_LOWER, HTZ_MPE_UPPER } htz_mpe_zone;

/** A controller of one part, prepared. */
typedef struct {
  uint8_t cc;     ///< or HTZ_CONTROL_PRESSURE
  uint32_t param; ///< number
  htz_param_index
      base;         ///< the parameter that every instrument has whose range and scale it has: itself, or what it is bound to
  double low, high; ///< parameter at 0 and 127 [unit of the parameter]
  double initial;   ///< of one of the file's own: where a reset puts it; NaN: what the instrument came with
  bool pickup;      ///< it does nothing until it comes to where the parameter is
  bool taken;       ///< it has
  double held;      ///< where that is; NaN: nobody knows, it takes hold at once
  double came_from; ///< where the controller was last, NaN: not heard yet
} htz_map_control;

/** Which notes of its channels a part plays, and how much higher. */
typedef struct {
  uint8_t key_low, key_high;           ///< as received, both played
  uint8_t velocity_low, velocity_high; ///< after the velocity curve, both played: up to below the next whole number
  int8_t transpose;                    ///< beside everybody's [semitone]
} htz_map_zone;

/** All notes, as they are. */
#define HTZ_MAP_ZONE_ALL ((htz_map_zone){0, 127, 0, 127, 0})

/** What the map knows of a part. */
typedef struct {
  htz_map_zone zone;
  size_t n_controls;
  htz_map_control controls[HTZ_CONTROLS_MAX];
  double initial[HTZ_PARAM_COUNT]; ///< where a reset puts the parameters
  bool kit;                        ///< its keys are objects and no pitches: neither transposed nor tuned
} htz_map_part;

/** Some of the casts: bit c%32 of word c/32. */
typedef struct {
  uint32_t word[(HTZ_CASTS_MAX + 32) / 32];
} htz_cast_set;

static inline void htz_cast_add(htz_cast_set* set, unsigned cast) {
  set->word[cast / 32] |= UINT32_C(1) << (cast % 32);
}

static inline void htz_cast_drop(htz_cast_set* set, unsigned cast) {
  set->word[cast / 32] &= ~(UINT32_C(1) << (cast % 32));
}

static inline bool htz_cast_has(const htz_cast_set* set, unsigned cast) {
  return set->word[cast / 32] >> (cast % 32) & 1u;
}

/** What was heard on one channel. */
typedef struct {
  uint8_t program;
  uint8_t bank;                    ///< variant that was selected when the program was
  uint8_t rpn_msb, rpn_lsb;        ///< selected registered parameter, 127 127: none
  uint8_t range_semitones;         ///< pitch bend range, whole part [semitone]
  uint8_t range_cents;             ///< and the rest [cent]
  uint16_t bend;                   ///< 0..16383, 8192 is the centre
  uint16_t fine;                   ///< tuning, 0..16383 for 100 cents either way
  uint16_t coarse;                 ///< tuning, in the upper half 64 is none [semitone]
  uint16_t tuning;                 ///< tuning program, in the upper half
  uint16_t modulation;             ///< depth of controller 1 [semitone / 128]; at 64 it moves as far as the instrument says
  uint16_t members;                ///< of a manager of MPE: how many follow it, in the upper half
  uint8_t velocity_low;            ///< lower half of the next velocity, 0 unless controller 88 came before
  uint32_t pressed[HTZ_KEYS / 32]; ///< bit k%32 of word k/32: a key's own pressure has moved something
  uint8_t heard[HTZ_CONTROL_PRESSURE + 1]; ///< controllers and pressure: one more than their value, 0 when unheard or reset
  uint8_t least[HTZ_CONTROL_PRESSURE + 1]; ///< and the least and the most that each has been since, where it is heard
  uint8_t most[HTZ_CONTROL_PRESSURE + 1];
} htz_map_channel;

/** Worth telling a user; all only grow. */
typedef struct {
  uint64_t notes;        ///< note-ons handed to the engine
  uint64_t muted;        ///< note-ons on channels that are not listened to
  uint64_t out_of_range; ///< note-ons transposed beyond keys 0..127
  uint64_t unplayed;     ///< note-ons on channels without a part
  uint64_t outside;      ///< note-ons that no part's keys and velocities include
  uint64_t stray_offs;   ///< note-offs of keys that were not held
  uint64_t unmapped;     ///< note-ons of keys that the tuning leaves silent
} htz_map_counters;

typedef struct {
  // [config]
  htz_engine* engine;
  uint16_t channels; ///< bit c: channel c (0..15) is listened to
  int transpose;     ///< [semitone]
  htz_velocity_curve velocity;
  uint64_t parts_of[HTZ_MIDI_CHANNELS];                 ///< bit p: part p obeys the channel's controllers
  uint64_t parts_for[HTZ_MIDI_CHANNELS][HTZ_CASTS_MAX]; ///< bit p: part p plays the notes of a cast
  uint8_t cast_of[HTZ_MIDI_CHANNELS];                  ///< what the channel is played by; HTZ_CAST_BY_PROGRAM: its program says
  uint8_t cast_for[HTZ_MIDI_BANKS][HTZ_MIDI_PROGRAMS]; ///< what a program means
  htz_map_part parts[HTZ_PARTS_MAX];
  uint64_t known;        ///< bit p: part p
  float base[HTZ_KEYS];  ///< pitch of each key to begin with [semitone], on the scale of MIDI keys; NaN: silent
  htz_mpe_zone mpe_zone; ///< there from the start, with 15 members
  uint8_t mpe_bend;      ///< bend range that members begin with [semitone]
  // [state]
  float pitch[HTZ_MAP_TUNINGS][HTZ_KEYS];           ///< the same by tuning program
  float octave[HTZ_MIDI_CHANNELS][HTZ_MAP_CLASSES]; ///< and what the channel's pitch classes add [cent]
  float scale[HTZ_PARTS_MAX][HTZ_KEYS];             ///< HTZ_PARAM_SCALE of the parts' keys as they have been told [cent]
  double master_volume;                             ///< share, 0..1
  double master_fine, master_coarse;                ///< tuning [semitone]
  htz_map_channel channel[HTZ_MIDI_CHANNELS];
  uint16_t holds[HTZ_MIDI_CHANNELS][HTZ_KEYS];   ///< note-ons not yet released, by the key as received
  uint64_t held_by[HTZ_MIDI_CHANNELS][HTZ_KEYS]; ///< bit p: part p was struck and holds it
  htz_map_counters counters;
} htz_midi_map;

/** The bank of which `channel` plays programs now: that of kits on the drum channel, unless it is a member of a zone of MPE. Audio thread. */
HTZ_RT uint8_t htz_midi_map_bank(const htz_midi_map* map, unsigned channel);

/** Start with no part, all channels, no transposition, the linear velocity curve; every program means something of its own in all banks. */
void htz_midi_map_init(htz_midi_map* map, htz_engine* engine);

/**
   Make known the part `part` that plays `instrument` and obeys the controllers of `channels` (bits).

   @return HTZ_OK or HTZ_BAD_VALUE. Set-up thread.
*/
htz_status htz_midi_map_add_part(htz_midi_map* map, uint32_t part, uint16_t channels, const htz_instrument* instrument);

/** Begin with a tuning: `pitch` [HTZ_KEYS] of each key [semitone], on the scale of MIDI keys; NaN: silent. Before any part is known. */
void htz_midi_map_tune(htz_midi_map* map, const double* pitch);

/** Begin with a zone of MPE, its members bending by `bend` [semitone], and go back to it with every reset. Before any part is known. */
void htz_midi_map_mpe(htz_midi_map* map, htz_mpe_zone zone, unsigned bend);

/** The cast that plays `channel` now. */
HTZ_RT uint8_t htz_midi_map_cast(const htz_midi_map* map, unsigned channel);

/** Let `channel` (0..15) play `program` (0..127) of bank 0 on `part` alone; set-up thread. */
void htz_midi_map_choose(htz_midi_map* map, unsigned channel, unsigned program, uint32_t part);

/** Let `channel` play every program on `part`; set-up thread. */
void htz_midi_map_choose_all(htz_midi_map* map, unsigned channel, uint32_t part);

/** What the map will have to know of a part that plays `instrument`; set-up thread. @return HTZ_OK or HTZ_BAD_VALUE */
htz_status htz_midi_map_prepare(const htz_instrument* instrument, htz_map_part* known);

/**
   Make known, while playing, that `part` obeys `channel` and plays its casts in `casts`, and tell the part what the channel's
   controllers and wheel are set to. Its first note may follow at the same frame.
*/
HTZ_RT void htz_midi_map_bind(htz_midi_map* map, uint32_t part, unsigned channel, const htz_map_part* known,
                              const htz_cast_set* casts, uint64_t frame);

/** Forget `part`, which the engine has no more: nothing is sent to it, and its number may be bound anew. Bounded work. */
HTZ_RT void htz_midi_map_unbind(htz_midi_map* map, uint32_t part);

/** Which notes `part` plays, all unless told; set-up thread. */
void htz_midi_map_set_zone(htz_midi_map* map, uint32_t part, const htz_map_zone* zone);

/** Where a reset puts a parameter of a part, when a player set it to something else than the file did; set-up thread. */
void htz_midi_map_set_initial(htz_midi_map* map, uint32_t part, size_t param, double value);

/** The same, before the map knows the part. */
void htz_midi_map_begin_with(htz_map_part* part, size_t param, double value);

/**
   Obey one message, whose frame lies in the engine's next quantum. Messages at the same frame are obeyed in the order of the
   calls. Bounded work: at most every key of a channel, or every controller of every part.
*/
HTZ_RT void htz_midi_map_message(htz_midi_map* map, const htz_midi_message* message);

/**
   The value, 0 to 127, of controller `cc` that is nearest to where a reset puts what it moves on the channel's first part; without
   a part, in the usual instrument; 0 when it moves nothing. Bounded work.
*/
HTZ_RT uint8_t htz_midi_map_default(const htz_midi_map* map, unsigned channel, uint8_t cc);

/** Release every held key of every channel at `frame`. @return keys released */
HTZ_RT unsigned htz_midi_map_release_all(htz_midi_map* map, uint64_t frame);

/** Lift the sustain and sostenuto pedals of every channel at `frame`, those that are not up. @return pedals lifted */
HTZ_RT unsigned htz_midi_map_lift_pedals(htz_midi_map* map, uint64_t frame);

#endif
