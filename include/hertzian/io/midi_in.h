#ifndef HERTZIAN_IO_MIDI_IN_H
#define HERTZIAN_IO_MIDI_IN_H

#include "hertzian/base/ring.h"
#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   MIDI sources: where live MIDI comes from. Each open source has its own ring of stamped bytes, filled by its own thread (raw) or
   by the one PortMidi thread, drained by the audio thread. Backends: src/io/midi_sources.def.

   When a ring is full, raw sources wait a quarter of a second for the audio thread (a regular file waits for ever); after that,
   and at once for PortMidi, bytes are counted and thrown away until the ring is half empty, and then come one HTZ_MIDI_IN_LOST
   and what arrives from then on.
*/
typedef struct {
  double time_s; ///< monotonic clock when it arrived [s]
  uint8_t byte;
  uint8_t kind; ///< htz_midi_in_kind
} htz_midi_stamped;

typedef enum {
  HTZ_MIDI_IN_BYTE = 0,
  /** The source is gone, or lost data: release all that it holds and reset its parser; what follows may start within a message. */
  HTZ_MIDI_IN_LOST
} htz_midi_in_kind;

enum { HTZ_MIDI_SOURCES_MAX = 16, HTZ_MIDI_RING = 1 << 14 };

typedef struct htz_midi_in htz_midi_in;

enum { HTZ_OSC_WORDS = 20 };

/**
   Open Sound Control: what plays is a source like any other; the rest is handed on. `/note KEY VELOCITY [CHANNEL]`, `/off KEY [CHANNEL]`,
   `/control CC VALUE [CHANNEL]`, `/program N [CHANNEL]`, `/pressure VALUE [CHANNEL]`, `/bend SHARE [CHANNEL]` and `/midi` (type m) play;
   channels and programs count from 1, a share is -1 to 1.
*/
typedef struct {
  unsigned port;    ///< UDP; 0: none
  const char* bind; ///< address to listen on, NULL: the loopback's, where only this machine is heard
  void (*command)(void* context, const char* const* words, size_t n); ///< any other message, n > 0. On a thread of its own
  void* context;
} htz_osc_wish;

typedef struct {
  /**
     [n_names] parts of names, whatever their case, with "#n" for the n-th (from 1) of several alike; "all" is every real input
     and "none" no port at all; NULL and 0: all.
  */
  const char* const* names;
  size_t n_names;
  /**
     [n_raw] paths of byte streams: a FIFO, which lives on when its writer closes; a device file; a regular file or "-", which
     end.
  */
  const char* const* raw;
  size_t n_raw;
  htz_osc_wish osc;
  bool hotplug; ///< connect what comes later, and again what comes back
  int realtime; ///< priority of the threads, 1..99; 0: the usual one; below 0: none
  bool verbose; ///< let the drivers' own messages through to stderr
} htz_midi_wish;

/** Source i fills ring i. */
typedef struct {
  char name[128];
  bool connected;
} htz_midi_source;

/** One port of a listing. */
typedef struct {
  char name[128]; ///< with "#n" behind it where several are called the same
  bool skipped;   ///< not chosen by default ("Midi Through", our own)
  bool preferred;
} htz_midi_port;

/**
   Called when a source comes after opening, or goes, for a message. On a MIDI thread, one call at a time; it may neither open nor
   close.
*/
typedef void (*htz_midi_news)(void* context, const char* name, bool connected);

/**
   Open every source wished for and start listening; sources that come later (hot-plug) take a free ring.

   @param rings [HTZ_MIDI_SOURCES_MAX] of htz_midi_stamped, laid by the caller; ring i belongs to source i from now on
   @param news  NULL is allowed
   @param why   one line on failure; with HTZ_OK a remark (why there can be no ports, which name is not there yet) or nothing
   @return HTZ_OK, also without any port; HTZ_NOT_FOUND (a raw path), HTZ_IO, HTZ_FULL (too many raw paths), or what the system has no more of.
           Control thread.
*/
htz_status htz_midi_in_open(const htz_midi_wish* wish, htz_ring* rings, htz_midi_news news, void* context, htz_midi_in** out,
                            char* why, size_t why_size);

/** Stop listening, within 100 ms. NULL is allowed. Control thread. */
void htz_midi_in_close(htz_midi_in* in);

/** Sources now, into out[HTZ_MIDI_SOURCES_MAX]. Any thread. @return how many entries are used. */
size_t htz_midi_in_sources(htz_midi_in* in, htz_midi_source* out);

/** True when every raw source has reached its end and there is no other: nothing more will come. Any thread. */
bool htz_midi_in_ended(htz_midi_in* in);

/** Bytes lost to full rings. Any thread. */
uint64_t htz_midi_in_lost(htz_midi_in* in);

/**
   List ports into *out [*n], to be freed with free(). HTZ_OK also when there are none. Control thread; where the system has no
   ALSA sequencer, only while no port is open.

   @param why  with HTZ_OK and no ports: the reason if there is one, else an empty text
*/
htz_status htz_midi_list(htz_midi_port** out, size_t* n, char* why, size_t why_size);

#endif
