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
*/
typedef struct {
  double  time_s;  ///< monotonic clock when it arrived [s]
  uint8_t byte;
  uint8_t kind;    ///< htz_midi_in_kind
} htz_midi_stamped;

typedef enum {
  HTZ_MIDI_IN_BYTE = 0,
  HTZ_MIDI_IN_LOST ///< the source is gone, or lost data: release everything that it holds
} htz_midi_in_kind;

enum { HTZ_MIDI_SOURCES_MAX = 16, HTZ_MIDI_RING = 1 << 14 };

typedef struct htz_midi_in htz_midi_in;

typedef struct {
  const char* const* names;     ///< [n_names] parts of names, "all", "none"; NULL and 0: every real input
  size_t             n_names;
  const char* const* raw;       ///< [n_raw] paths of byte streams (FIFO, device file, "-")
  size_t             n_raw;
  bool               hotplug;
} htz_midi_wish;

typedef struct {
  char name[128];
  bool connected;
} htz_midi_source;

/** One port of a listing. */
typedef struct {
  char name[128];
  bool skipped; ///< not chosen by default ("Midi Through", our own)
  bool preferred;
} htz_midi_port;

/** Called on the MIDI thread when a source comes or goes, for a message. */
typedef void (*htz_midi_news)(void* context, const char* name, bool connected);

/**
   Open every source wished for and start listening; sources that come later (hot-plug) take a free ring.

   @param rings [HTZ_MIDI_SOURCES_MAX] of htz_midi_stamped, laid by the caller; ring i belongs to source i from now on
   @return HTZ_OK, HTZ_NOT_FOUND (a raw path), HTZ_IO, HTZ_NO_MEMORY. Control thread.
*/
htz_status htz_midi_in_open(const htz_midi_wish* wish, htz_ring* rings, htz_midi_news news, void* context, htz_midi_in** out,
                            char* why, size_t why_size);

void htz_midi_in_close(htz_midi_in* in);

/** Sources now, into out[HTZ_MIDI_SOURCES_MAX]. Any thread. @return how many entries are used. */
size_t htz_midi_in_sources(htz_midi_in* in, htz_midi_source* out);

/** True when every raw source has reached its end and there is no other: nothing more will come. Any thread. */
bool htz_midi_in_ended(htz_midi_in* in);

/** Bytes lost to full rings. Any thread. */
uint64_t htz_midi_in_lost(htz_midi_in* in);

htz_status htz_midi_list(htz_midi_port** out, size_t* n);

#endif
