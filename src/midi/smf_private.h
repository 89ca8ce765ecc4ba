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
  size_t at;       ///< next delta time
  size_t end;      ///< end of what may be read
  uint64_t tick;   ///< time of the last event [tick]
  uint8_t running; ///< last channel status, 0: none
  bool cancelled;  ///< a meta or system exclusive event came since
} htz_smf_cursor;

typedef enum {
  HTZ_SMF_CHANNEL = 0, ///< a channel message, or a system reset
  HTZ_SMF_TEMPO,       ///< a tempo
  HTZ_SMF_TRACK_END,   ///< End of Track
  HTZ_SMF_SKIPPED,     ///< any other valid event
  HTZ_SMF_BAD_TEMPO,   ///< skipped too, but a fault
  HTZ_SMF_EXHAUSTED,   ///< the track is used up exactly
  HTZ_SMF_FAULT,       ///< what follows is not an event
} htz_smf_kind;

/** One event as it stands in a track. */
typedef struct {
  htz_smf_kind kind;
  uint8_t status, data1, data2, length; ///< of a channel message, a silent note-on already turned into a note-off
  uint32_t tempo;                       ///< [us per quarter]
  bool irregular;                       ///< not as the standard has it, yet clear
  size_t fault_at;                      ///< [byte]
  const char* fault;                    ///< what is wrong, static text
} htz_smf_raw;

/** Read the event at the cursor and move on; on EXHAUSTED and FAULT the cursor stays. */
htz_smf_raw htz_smf_walk(const uint8_t* bytes, htz_smf_cursor* cursor);

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
  size_t track_count, track_room;
  size_t tempo_count, tempo_room;
  size_t sequence_count;

  bool smpte;
  uint32_t smpte_per_tick; // [unit]
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

/** Arrange the tracks into sequences and give every tempo its time. */
htz_status htz_smf_build_tempos(htz_smf* smf, htz_smf_diag* diag);

/** Take over `bytes` (from malloc) and load the song in them. Frees them on failure. */
htz_status htz_smf_adopt(uint8_t* bytes, size_t size, htz_smf** out, htz_smf_diag* diag);

#endif
