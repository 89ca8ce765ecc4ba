#ifndef HERTZIAN_MIDI_SMF_H
#define HERTZIAN_MIDI_SMF_H

#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
   Standard MIDI Files. Everything here is for set-up threads.

   Time is exact: a song counts in units of 1/htz_smf_info.units_per_second of a second, chosen so that every event falls on a
   whole unit (1e6 times the division; for SMPTE divisions frames times ticks, 30000 ticks for 29.97 drop frame). Nothing is
   rounded before the one conversion to frames.
*/

enum {
  HTZ_SMF_MAX_BYTES = 256 * 1024 * 1024, ///< largest file read from a stream or path [byte]
  HTZ_SMF_MAX_HOURS = 100,               ///< longest song [h]; what lies beyond is treated as damage
  HTZ_SMF_MAX_TRACKS = 65535,            ///< as many as the header can declare
  HTZ_SMF_TEXT = 160,                    ///< bytes of a diagnostic line, its end included
  HTZ_SMF_CHANNELS = 16,
  HTZ_SMF_KEYS = 128,
  HTZ_SMF_PROGRAMS = 128,
  HTZ_SMF_PROGRAM_WORDS = HTZ_SMF_PROGRAMS / 32,
};

/** What is wrong with a file: a whole line without the file's name, with its byte offset where there is one. */
typedef struct {
  uint64_t offset;         ///< [byte] from the beginning of the file
  char text[HTZ_SMF_TEXT]; ///< empty when nothing was wrong
} htz_smf_diag;

/** A loaded song. */
typedef struct htz_smf htz_smf;

/** What a song holds. Counts only what is played. */
typedef struct {
  unsigned format;              ///< 0, 1 or 2
  unsigned declared_tracks;     ///< as the header has it
  unsigned tracks;              ///< tracks found
  uint64_t units_per_second;    ///< exact time unit
  uint64_t end;                 ///< time of the (last) End of Track [unit]
  uint64_t last_event;          ///< time of the last message [unit], 0 without one
  uint64_t lead;                ///< what is before this time leads in to a take, and is not meant to be heard [unit]
  uint64_t lead_notes;          ///< of `notes`: those there
  uint64_t events;              ///< messages, as the iterator has them
  uint64_t notes;               ///< note-ons
  uint64_t dials;               ///< lines of what was dialled in
  uint64_t missing_offs;        ///< notes never released: the sum of `held`
  uint32_t damage;              ///< faults by which something may be lost; the first is in the diagnostic
  uint32_t irregular;           ///< departures from the standard by which nothing is lost
  uint16_t channels_with_notes; ///< bit c: channel c (0..15) has notes
  uint16_t pedals_down;         ///< bit c: channel c's sustain or sostenuto pedal is not up at the end
  uint32_t programs[HTZ_SMF_CHANNELS][HTZ_SMF_PROGRAM_WORDS]; ///< bit p%32 of word p/32: channel plays notes in program p
  uint32_t changes
      [HTZ_SMF_PROGRAM_WORDS]; ///< bit p%32 of word p/32: some channel changes to program p, whether it plays notes or not
  uint32_t held[HTZ_SMF_CHANNELS][HTZ_SMF_KEYS]; ///< note-ons not yet released at the end
} htz_smf_info;

/**
   Load a song from memory; the bytes are copied.

   Damaged files are loaded as far as they can be read: info.damage is then not zero and `diag` says what the first fault is. A data
   byte over 127 counts as 127, or where the track ends right only so, as the beginning of the next event. Time is proportional to
   the size.

   @param diag  receives the fault or an empty text; never NULL
   @return HTZ_OK; HTZ_BAD_INPUT when there is nothing to play; HTZ_NO_MEMORY. `*out` is NULL unless HTZ_OK.
*/
htz_status htz_smf_load(const void* data, size_t size, htz_smf** out, htz_smf_diag* diag);

/** Load a song from a stream, read to its end but no more than HTZ_SMF_MAX_BYTES. @return also HTZ_IO and HTZ_NO_FILES. */
htz_status htz_smf_load_stream(FILE* stream, htz_smf** out, htz_smf_diag* diag);

/** Load a song from the file at `path`. @return also HTZ_NOT_FOUND and HTZ_IO. */
htz_status htz_smf_load_file(const char* path, htz_smf** out, htz_smf_diag* diag);

/** Free a song; NULL is allowed. */
void htz_smf_free(htz_smf* smf);

/**
   Put what was played before it in front of a song that is the MIDI of a take (htz_smf_writer_lead()): info.lead then says where the
   take begins. Any other song stays what it is.

   @return HTZ_OK or HTZ_NO_MEMORY, with the song as it was
*/
htz_status htz_smf_unfold(htz_smf** song);

/** What the song holds; valid as long as the song. */
const htz_smf_info* htz_smf_get_info(const htz_smf* smf);

/** `time` [unit] in seconds at the song's own speed, to double precision. */
double htz_smf_seconds(const htz_smf* smf, uint64_t time);

/** How exact song time becomes frames: a fraction of whole numbers. Plain data. */
typedef struct {
  uint64_t frames; ///< numerator
  uint64_t units;  ///< denominator: this many units last `frames` frames
} htz_smf_clock;

/**
   The clock of a song at a sample rate.

   @param rate_hz  whole number from 1 to 10 000 000 [Hz]
   @param tempo    speed factor from 0.01 to 100, 2 is twice as fast; rounded to a millionth, so decimal factors are exact
   @return HTZ_OK or HTZ_BAD_VALUE
*/
htz_status htz_smf_clock_init(const htz_smf* smf, double rate_hz, double tempo, htz_smf_clock* clock);

/** Frame nearest to `time` [unit], halves upwards: floor(x + 1/2) of the exact value. */
uint64_t htz_smf_frame_of(const htz_smf_clock* clock, uint64_t time);

/**
   One channel message of a song, a system reset (in a file F7 01 FF), or what a system exclusive message means. A note-on with velocity 0 appears as a note-off with
   velocity 64.
*/
typedef struct {
  uint64_t time;  ///< exact [unit]
  uint64_t frame; ///< by the iterator's clock [frame]
  uint32_t track; ///< 0 is the first
  uint8_t status; ///< 0x80..0xEF, HTZ_MIDI_SYSTEM or HTZ_MIDI_RESET
  uint8_t data1;  ///< 0..127
  uint8_t data2;  ///< 0..127, 0 when there is none
  uint8_t length; ///< bytes, status included: 2 or 3, of a reset 1
  uint32_t value; ///< of HTZ_MIDI_SYSTEM, see hertzian/midi/sysex.h
} htz_smf_event;

/** What was dialled in while a take was played, as htz_smf_writer_dial() put it. */
typedef struct {
  unsigned version; ///< of its words; HTZ_SMF_DIAL_VERSION are known
  const char* text; ///< not ended; in the song
  size_t size;      ///< bytes of it
} htz_smf_dial;

enum { HTZ_SMF_DIAL_VERSION = 1 };

/** That of an event of status HTZ_MIDI_SYSTEM with data1 HTZ_SYSTEM_DIAL, whose value is `value`. */
htz_smf_dial htz_smf_dial_at(const htz_smf* smf, uint32_t value);

/** Walks all tracks of a song in order of time, then of track, then of place in the track. */
typedef struct htz_smf_iter htz_smf_iter;

/** Start at the beginning. The song must outlive the iterator. `clock` NULL: a frame is a unit. @return HTZ_OK or HTZ_NO_MEMORY */
htz_status htz_smf_iter_new(const htz_smf* smf, const htz_smf_clock* clock, htz_smf_iter** out);

/** The next message. @return false after the last one */
bool htz_smf_iter_next(htz_smf_iter* iter, htz_smf_event* event);

/** Free an iterator; NULL is allowed. */
void htz_smf_iter_free(htz_smf_iter* iter);

#endif
