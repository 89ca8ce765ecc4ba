#ifndef HERTZIAN_MIDI_SMF_PRIVATE_H
#define HERTZIAN_MIDI_SMF_PRIVATE_H

#include "hertzian/base/log.h"
#include "hertzian/midi/smf.h"

/*
   A song keeps the file's bytes and finds events by walking them again: memory is bounded by the file's size, whatever it
   holds. Loading walks each track once to find how far it is valid and what its tempos are.
*/

/** Where a walk through one track stands. Offsets are from the beginning of the file [byte]. */
typedef struct {
  size_t at;       ///< next delta time, or with `bare` next status byte
  size_t end;      ///< end of what may be read
  uint64_t tick;   ///< time of the last event [tick]
  uint8_t running; ///< last channel status, 0: none
  bool cancelled;  ///< a meta or system exclusive event came since
  bool bare;       ///< the next event has no delta time: the one before it was cut short
  bool skipping;   ///< the byte before was skipped: this one may be, too
} htz_smf_cursor;

typedef enum {
  HTZ_SMF_CHANNEL = 0, ///< a channel message, or a system reset
  HTZ_SMF_SYSEX,       ///< a system exclusive message that is understood
  HTZ_SMF_DIAL,        ///< what was dialled in
  HTZ_SMF_TEMPO,       ///< a tempo
  HTZ_SMF_TRACK_END,   ///< End of Track
  HTZ_SMF_SKIPPED,     ///< any other valid event, or a damaged one that is left out
  HTZ_SMF_BAD_TEMPO,   ///< skipped too, but a fault
  HTZ_SMF_EXHAUSTED,   ///< the track is used up exactly
  HTZ_SMF_FAULT,       ///< what follows is not an event
} htz_smf_kind;

/** How a damaged event is read all the same. */
typedef enum {
  HTZ_SMF_STRICTLY = 0, ///< it is a fault
  HTZ_SMF_CLIP,         ///< a data byte over 127 is 127, a number may have more than 4 bytes
  HTZ_SMF_CUT,          ///< a data byte over 127 is the next event's status: this one was cut short, and lost its end
  HTZ_SMF_CUT_DELTA,    ///< the same, and the byte is the next event's delta time
  HTZ_SMF_RAW,          ///< system exclusive ends at F7 and has no length; an undefined status has one data byte
  HTZ_SMF_GO_ON,        ///< End of Track is passed over
  HTZ_SMF_SKIP,         ///< one byte is skipped
  HTZ_SMF_NO_DELTA,     ///< the event has no delta time
  HTZ_SMF_SHORT,        ///< the last data byte is missing: where it should be, the next event begins; this one is left out
  HTZ_SMF_DATA,         ///< what looks like a status is the first data byte, of 127, under running status
  HTZ_SMF_DELTA_1,      ///< the delta time has one byte, though its high bit says that another follows
  HTZ_SMF_DELTA_2,      ///< the same of its second byte
} htz_smf_way;

/** A damaged place, and how it is read. */
typedef struct {
  size_t at; ///< [byte]
  htz_smf_way way;
} htz_smf_repair;

enum { HTZ_SMF_EVENT_MENDS = 4 }; ///< places in one event: two numbers, two data bytes

/** How to read damage: as decided, where `way` is HTZ_SMF_STRICTLY, or else `way` wherever it applies. */
typedef struct {
  const htz_smf_repair* mends; ///< in order of `at`
  size_t n_mends;
  htz_smf_way way;
  size_t n_used;                            ///< [out] places where `way` applied
  htz_smf_repair used[HTZ_SMF_EVENT_MENDS]; ///< [out] in order
} htz_smf_reading;

/** One event as it stands in a track. */
typedef struct {
  htz_smf_kind kind;
  uint8_t status, data1, data2, length; ///< of a channel message, a silent note-on already turned into a note-off
  uint8_t undefined;                    ///< the status byte of a skipped event, when it has no meaning
  bool irregular;                       ///< not as the standard has it, yet clear
  bool doubtful;                        ///< valid, but HTZ_SMF_RAW may be what was meant
  bool high_data;                       ///< FAULT: a data byte over 127
  uint32_t tempo;                       ///< [us per quarter]
  const uint8_t* sysex;                 ///< of HTZ_SMF_SYSEX: between F0 and F7, in the file's bytes
  size_t sysex_size;                    ///< [byte]
  size_t dial_at;                       ///< of HTZ_SMF_DIAL: its length, in the file's bytes
  size_t fault_at;                      ///< [byte]
  const char* fault;                    ///< what is wrong, static text
} htz_smf_raw;

/** Read the event at the cursor and move on; on EXHAUSTED and FAULT the cursor stays. */
htz_smf_raw htz_smf_read(const uint8_t* bytes, htz_smf_cursor* cursor, htz_smf_reading* reading);

/** The same, damage as decided while loading. */
htz_smf_raw htz_smf_walk(const htz_smf* smf, htz_smf_cursor* cursor);

/** True when the `size` bytes of an event FF 7F are what was dialled in. */
bool htz_smf_is_dial(const uint8_t* bytes, size_t size);

typedef struct {
  size_t begin;      ///< first delta time [byte]
  size_t end;        ///< end of the valid part [byte]
  uint64_t end_tick; ///< End of Track, or the last event where that is missing [tick]
} htz_smf_track;

/** From `tick` on, each tick lasts `per_tick` units. */
typedef struct {
  uint64_t tick;
  uint64_t time; ///< at `tick`, from the beginning of the song [unit]
  uint32_t per_tick;
} htz_smf_tempo;

/** Tracks that sound together under one tempo map: all of them, or one of a type 2 file. */
typedef struct {
  size_t first_track, tracks;
  size_t first_tempo, tempos; ///< at least one, the first at tick 0
  uint64_t last_tick;         ///< nothing after it is played
  uint64_t start, end;        ///< [unit]
} htz_smf_sequence;

struct htz_smf {
  uint8_t* bytes; // the whole file
  size_t size;

  htz_smf_track* tracks;
  htz_smf_tempo* tempos; // while loading in track order, without times
  htz_smf_sequence* sequences;
  htz_smf_repair* mends; // in order of place
  size_t track_count, track_room;
  size_t repair_count, repair_room;
  size_t tempo_count, tempo_room;
  size_t sequence_count;

  bool smpte;
  uint32_t smpte_per_tick; // [unit]
  uint16_t undefined;      // while loading: bit s: status F0 + s has been told
  size_t overlapped;       // while loading: bytes read in search of a track's end that belong to others
  size_t weighed;          // while loading: bytes weighed so far
  htz_smf_info info;
};

/** Count a fault, and describe it when it is the first. The text is preceded by the byte offset. */
void htz_smf_damage(htz_smf* smf, htz_smf_diag* diag, size_t offset, const char* format, ...) HTZ_PRINTF(4, 5);

/** Describe why there is nothing to play. @return HTZ_BAD_INPUT */
htz_status htz_smf_refuse(htz_smf_diag* diag, size_t offset, const char* format, ...) HTZ_PRINTF(3, 4);

/** Make room for one more item of `item` bytes in a growing array. @return the array, or NULL without memory: it is then as it was */
void* htz_smf_grow(void* items, size_t* room, size_t count, size_t item);

/** Find the tracks of a song whose `bytes` are set, and the tempos in them. */
htz_status htz_smf_scan(htz_smf* smf, htz_smf_diag* diag);

enum {
  HTZ_SMF_USUAL_TEMPO = 500000,         ///< until a file says otherwise: 120 beats per minute [us per quarter]
  HTZ_SMF_CLASSES = 9,                  ///< running status without, with one and two data bytes; for each usual, bare, skipping
  HTZ_SMF_WEIGH_TRACK = 1024 * 1024,    ///< greatest damaged stretch that is weighed; in a greater one data is clipped [byte]
  HTZ_SMF_WEIGH_SONG = 2 * 1024 * 1024, ///< the same for all of a song together [byte]
};

/**
   What it costs to read a track from each of its bytes on, by the best way: warnings, and a great deal where no End of Track is
   reached at the very end.
*/
typedef struct {
  size_t begin, end; ///< of the track [byte]
  size_t from;       ///< costs are known from here on [byte]
  uint64_t* costs;   ///< HTZ_SMF_CLASSES for each byte, the end included; NULL: nothing to weigh, or too much
  bool resync;       ///< a byte may be missing or be one too many at any event, not only at those that are faults
  uint64_t often[2]; ///< with `resync`: bit b: the track has byte 80 + b more than once
  bool whole;        ///< End of Track can be reached at `end`
  size_t reach;      ///< how far the track is valid, about; `end` when it is whole [byte]
  bool ended;        ///< what can be read of it ends with End of Track
  size_t fault_at;   ///< first event that is not as it should be, `end` without one [byte]
} htz_smf_weights;

/** Weigh the track in `begin`..`end`. @return HTZ_OK or HTZ_NO_MEMORY */
htz_status htz_smf_weigh(htz_smf* smf, size_t begin, size_t end, htz_smf_weights* out);

/**
   Weigh a track again that does not read straight to an End of Track at its end, though one stands there: so that a byte may be missing
   or be one too many anywhere in it. `weights` change only when that leads to the end. @return HTZ_OK or HTZ_NO_MEMORY
*/
htz_status htz_smf_resync(htz_smf* smf, htz_smf_weights* weights);

/** The best way to read the event at the cursor. HTZ_SMF_STRICTLY of one that is a fault means to give up. */
htz_smf_way htz_smf_best_way(htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor);

/** What was found in a track. */
typedef struct {
  size_t events;      ///< valid ones, of any kind
  bool ended;         ///< by End of Track
  bool nothing_after; ///< events follow End of Track, but none that is heard
} htz_smf_taken;

/**
   Walk one track as it was weighed: find how far it is valid, decide how its damage is read and take its tempos.

   @param clamped  the data ends before the track does, and that is said already
   @return HTZ_OK or HTZ_NO_MEMORY
*/
htz_status htz_smf_take_events(htz_smf* smf, const htz_smf_weights* weights, bool clamped, htz_smf_taken* out,
                               htz_smf_diag* diag);

/** Note a tempo of the track whose tempos begin at `first`; the last of those at one tick holds. @return HTZ_OK or HTZ_NO_MEMORY */
htz_status htz_smf_add_tempo(htz_smf* smf, uint64_t tick, uint32_t tempo, size_t first);

/** Arrange the tracks into sequences and give every tempo its time. */
htz_status htz_smf_build_tempos(htz_smf* smf, htz_smf_diag* diag);

/** Take over `bytes` (from malloc) and load the song in them. Frees them on failure. */
htz_status htz_smf_adopt(uint8_t* bytes, size_t size, htz_smf** out, htz_smf_diag* diag);

#endif
