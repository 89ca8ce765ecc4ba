#ifndef HERTZIAN_MIDI_BYTES_H
#define HERTZIAN_MIDI_BYTES_H

#include "hertzian/base/rt.h"

#include <stddef.h>
#include <stdint.h>

enum {
  HTZ_MIDI_NOTE_OFF = 0x80,         ///< key, release velocity
  HTZ_MIDI_NOTE_ON = 0x90,          ///< key, velocity 1..127
  HTZ_MIDI_KEY_PRESSURE = 0xA0,     ///< key, pressure
  HTZ_MIDI_CONTROL = 0xB0,          ///< controller, value
  HTZ_MIDI_PROGRAM = 0xC0,          ///< program
  HTZ_MIDI_CHANNEL_PRESSURE = 0xD0, ///< pressure
  HTZ_MIDI_BEND = 0xE0,             ///< low 7 bits, high 7 bits, centre 0x2000
  HTZ_MIDI_SYSTEM = 0xF0,           ///< what a system exclusive message means, see hertzian/midi/sysex.h
  HTZ_MIDI_SENSING = 0xFE,          ///< active sensing: at least three a second while a sender that has begun is there
  HTZ_MIDI_RESET = 0xFF,            ///< system reset, length 1 (in files only in an escape)
  HTZ_MIDI_KIND_MASK = 0xF0,        ///< the kind of a channel message
  HTZ_MIDI_CHANNEL_MASK = 0x0F,     ///< its channel, 0..15
  HTZ_MIDI_RELEASE_VELOCITY = 64,   ///< release velocity of a note-on with velocity 0, as the MIDI specification has it
};

/** One complete channel message, a system reset, or what a system exclusive message means. Plain data. */
typedef struct {
  uint64_t frame; ///< absolute frame at which it takes effect
  uint8_t status; ///< 0x80..0xEF, HTZ_MIDI_SYSTEM or HTZ_MIDI_RESET
  uint8_t data1;  ///< 0..127, 0 when the message has no data
  uint8_t data2;  ///< 0..127, 0 when the message has one data byte or none
  uint8_t length; ///< bytes of the message, status included: 1..3
  uint32_t value; ///< of HTZ_MIDI_SYSTEM, else 0
} htz_midi_message;

enum { HTZ_PARSER_SYSEX = 544 }; ///< bytes of the longest system exclusive message that is understood

/**
   The state of one live MIDI byte stream.

   Accepts any bytes at all: running status, real-time bytes inside anything, system exclusive of any length, ended or not.
   Only whole channel messages, system resets and what system exclusive messages mean come out; a note-on with velocity 0 comes out as a
   note-off with velocity 64. One parser per source.
*/
typedef struct {
  struct {
    uint8_t status;                ///< of the message being collected; kept for running status; 0: none
    uint8_t data1;                 ///< first data byte, when `have` is 1
    uint8_t have;                  ///< data bytes collected
    uint8_t need;                  ///< data bytes the message has
    bool in_sysex;                 ///< inside a system exclusive message
    uint32_t size;                 ///< its bytes so far, beyond HTZ_PARSER_SYSEX not kept
    uint32_t told;                 ///< of its messages
    uint32_t to_tell;              ///< all of them, once it is whole
  } st;                            ///< [state] zeroed by reset
  uint8_t bytes[HTZ_PARSER_SYSEX]; ///< of the system exclusive message
  uint64_t stray;                  ///< data bytes that belonged to no message
  uint64_t cut;                    ///< messages broken off by another status byte, unterminated system exclusive included
  uint64_t undefined;              ///< status bytes without a meaning (F4, F5, F9, FD, a lone F7)
  uint64_t sysex;                  ///< system exclusive messages begun
} htz_midi_parser;

/** Start afresh, counters included. */
HTZ_RT void htz_midi_parser_init(htz_midi_parser* parser);

/** Forget any unfinished message and the running status, as after lost bytes. Counters stay. */
HTZ_RT void htz_midi_parser_reset(htz_midi_parser* parser);

/**
   Take one byte, whose message (when this byte is its last) takes effect at `frame`.

   @return true when `*out` was filled. Audio thread.
*/
HTZ_RT bool htz_midi_parser_feed(htz_midi_parser* parser, uint8_t byte, uint64_t frame, htz_midi_message* out);

/**
   What else the last byte means: a system exclusive message may mean many. What is not asked for before the next byte is lost.

   @return true when `*out` was filled. Audio thread.
*/
HTZ_RT bool htz_midi_parser_more(htz_midi_parser* parser, uint64_t frame, htz_midi_message* out);

/**
   Take bytes that all arrived at `frame` until they, or the `capacity` places in `out`, are used up.

   @param count   bytes at `bytes`
   @param made    receives the number of messages written to `out`
   @return        bytes taken; call again with the rest, which may be none, as long as `*made` is `capacity`. Audio thread, time
                  proportional to `count`.
*/
HTZ_RT size_t htz_midi_parser_feed_span(htz_midi_parser* parser, const uint8_t* bytes, size_t count, uint64_t frame,
                                        htz_midi_message* out, size_t capacity, size_t* made);

/** Data bytes of a channel message with this status byte: 2, 1, or 0 when `status` is not in 0x80..0xEF. */
HTZ_RT unsigned htz_midi_data_length(uint8_t status);

/** Change a note-on with velocity 0 into the note-off that it means; leave anything else. */
HTZ_RT void htz_midi_normalise(uint8_t* status, uint8_t* data2);

#endif
