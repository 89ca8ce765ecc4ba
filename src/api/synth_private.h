#ifndef HERTZIAN_API_SYNTH_PRIVATE_H
#define HERTZIAN_API_SYNTH_PRIVATE_H

#include "hertzian/dsp/limiter.h"
#include "hertzian/engine/engine.h"
#include "hertzian/hertzian.h"
#include "hertzian/host/blocks.h"
#include "hertzian/host/built.h"
#include "hertzian/instrument/diag.h"
#include "hertzian/midi/map.h"

struct htz_model {
  htz_spec* spec;
};

enum {
  HTZ_SYNTH_POST_RING = 0,       // the engine's ring for htz_synth_post()
  HTZ_SYNTH_POSTS = 1024,        // changes that it holds
  HTZ_SYNTH_SETTINGS_MAX = 256,  // parameters that a part may begin with
  HTZ_SYNTH_PARAMS_MAX = 1 << 16 // more than any model has
};

/** Channels' parameters are moved by their messages. */
static inline bool htz_synth_may_set(unsigned param) {
  return param < HTZ_PARAM_NAMED || (param >= HTZ_PARAM_COUNT && param < HTZ_SYNTH_PARAMS_MAX);
}

struct htz_synth_part {
  const htz_synth* synth; // for which it was built
  htz_built built;
  size_t n_settings;
  htz_setting settings[HTZ_SYNTH_SETTINGS_MAX];
  struct htz_synth_part* next; // of the synth's
};

typedef enum { HTZ_SYNTH_MIDI = 0, HTZ_SYNTH_SET } htz_synth_kind;

/** Something that waits for its frame. */
typedef struct {
  uint64_t frame;
  uint64_t order; // among those of the same frame
  htz_synth_kind kind;
  htz_midi_message message;
  htz_param_change change;
} htz_synth_event;

struct htz_synth {
  // [config]
  double rate_hz;
  float gain;
  bool limit;
  uint32_t latency;
  htz_engine* engine;
  htz_midi_map* map;
  htz_arena memory; // of the events
  size_t capacity;
  // [state]
  htz_synth_event* waiting; // a binary heap: none is earlier than its parent
  size_t n_waiting;
  uint64_t order;
  uint64_t dropped;
  uint64_t given;        // frames
  uint32_t silence_left; // of the latency, still to be given
  htz_limiter limiter;
  htz_blocks blocks;
  htz_synth_part* parts;
  uint32_t n_parts;
};

/** Fill `fault`, if there is one, with one line. */
void htz_fault_fill(htz_fault* fault, htz_fault_kind kind, const char* format, ...) HTZ_PRINTF(3, 4);

#endif
