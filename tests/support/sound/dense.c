#include "dense.h"

#include "hertzian/midi/map.h"

#include <math.h>
#include <stdlib.h>

enum { DATA = 128, WHEEL = 16384, STYLES = 3, FLOOD = 400, SWEEPS = 8 };
static const double style_s = 0.5; // or, when less is played, a third of it

typedef struct {
  sound* s;
  const dense_desc* desc;
  htz_midi_map* map;
  uint64_t state; // of the generator
  uint64_t messages;
  bool held[DATA];
} player;

/** The generator splitmix64. */
static uint64_t draw(player* p) {
  uint64_t z = p->state += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static uint32_t below(player* p, uint32_t n) {
  return (uint32_t)(draw(p) % n);
}

static double share(player* p) {
  return (double)(draw(p) >> 11) * 0x1p-53;
}

static void send(player* p, uint8_t status, uint32_t data1, uint32_t data2, uint64_t frame) {
  const htz_midi_message m = {frame, status, (uint8_t)data1, (uint8_t)data2, 3, 0};
  htz_midi_map_message(p->map, &m);
  ++p->messages;
}

static void note_on(player* p, uint64_t frame) {
  const htz_spec* spec = p->s->spec;
  const uint32_t range = (uint32_t)(spec->key_high - spec->key_low + 1);
  // Now and then beyond the instrument's keys.
  const uint32_t key = below(p, 8) ? (uint32_t)spec->key_low + below(p, range) : below(p, DATA);
  p->held[key] = true;
  send(p, HTZ_MIDI_NOTE_ON, key, 1 + below(p, DATA - 1), frame);
}

static void note_off(player* p, uint64_t frame) {
  const uint32_t from = below(p, DATA);
  uint32_t key = from;
  for (uint32_t i = 0; i < DATA && !p->held[key]; ++i) {
    key = (from + i) % DATA;
  }
  p->held[key] = false;
  send(p, HTZ_MIDI_NOTE_OFF, key, below(p, DATA), frame);
}

static void wheel(player* p, uint64_t frame) {
  const uint32_t way = below(p, 4);
  const uint32_t bend = way == 0 ? 0 : way == 1 ? WHEEL - 1 : way == 2 ? WHEEL / 2 : below(p, WHEEL);
  send(p, HTZ_MIDI_BEND, bend & 0x7F, bend >> 7, frame);
}

static void bend_range(player* p, uint64_t frame) {
  send(p, HTZ_MIDI_CONTROL, 101, 0, frame);
  send(p, HTZ_MIDI_CONTROL, 100, 0, frame);
  send(p, HTZ_MIDI_CONTROL, 6, below(p, 2) ? below(p, DATA) : below(p, 13), frame);
}

static void controller(player* p, uint64_t frame) {
  static const uint8_t usual[] = {1, 2, 11, 16, 64, 66, 67, 71, 74, 91, 7, 10};
  const htz_spec* spec = p->s->spec;
  const uint32_t own = below(p, 2) && spec->n_controls > 0 ? spec->controls[below(p, (uint32_t)spec->n_controls)].cc : DATA;
  const uint32_t cc = own < DATA ? own : usual[below(p, sizeof usual)];
  const uint32_t end = below(p, 4);
  send(p, HTZ_MIDI_CONTROL, cc, end == 0 ? 0 : end == 1 ? DATA - 1 : below(p, DATA), frame);
}

static void silence(player* p, uint64_t frame) {
  const uint32_t which = p->desc->plain ? 1 : below(p, 8);
  if (which == 0) {
    send(p, HTZ_MIDI_RESET, 0, 0, frame);
  } else {
    send(p, HTZ_MIDI_CONTROL, which < 4 ? 120 : which < 6 ? 121 : 123, 0, frame);
  }
}

static void change(player* p, uint64_t frame) {
  const htz_spec* spec = p->s->spec;
  const htz_param_index index = below(p, HTZ_PARAM_NAMED);
  if (!htz_spec_param_used(spec, index)) {
    return;
  }
  const htz_param_desc d = htz_spec_param(spec, index);
  const uint32_t end = below(p, 5);
  const double at = end == 0 ? 0.0 : end == 1 ? 1.0 : share(p);
  const htz_param_change c = {.frame = frame,
                              .value = end == 2 ? (double)NAN : htz_param_at(d.scale, d.minimum, d.maximum, at),
                              .ramp = below(p, 4) ? 0 : below(p, 4096),
                              .key = (int16_t)(below(p, 4) ? HTZ_KEY_ALL : (int)below(p, HTZ_KEYS)),
                              .index = index};
  htz_engine_change(p->s->engine, &c);
  ++p->messages;
}

/** One message; `rare`: one in so many may silence everything. */
static void play(player* p, uint64_t frame, uint32_t rare) {
  const uint32_t what = below(p, p->desc->plain ? 65 : 100); // the first are notes
  if (p->desc->silenced && below(p, rare) == 0) {
    silence(p, frame);
  } else if (p->desc->changed && below(p, 10) == 0) {
    change(p, frame);
  } else if (what < 40) {
    note_on(p, frame);
  } else if (what < 65) {
    note_off(p, frame);
  } else if (what < 77) {
    wheel(p, frame);
  } else if (what < 79) {
    bend_range(p, frame);
  } else if (what < 95) {
    controller(p, frame);
  } else if (what < 98) {
    send(p, HTZ_MIDI_CHANNEL_PRESSURE, below(p, DATA), 0, frame);
  } else {
    send(p, HTZ_MIDI_PROGRAM, below(p, DATA), 0, frame);
  }
}

/** The messages of a quantum, in the order of their frames. */
static void play_quantum(player* p, uint32_t style) {
  static const uint32_t quiet = 25, rare[STYLES] = {20, 250, 5000}; // a second without a silence, about
  const uint32_t n = style == 0 ? (below(p, quiet) ? 0 : 1) : style == 1 ? below(p, 3) : below(p, FLOOD);
  const uint64_t now = htz_engine_now(p->s->engine);
  uint32_t frame = 0;
  for (uint32_t i = 0; i < n; ++i) {
    frame += below(p, (HTZ_QUANTUM - frame) / (n - i) + 1);
    play(p, now + (frame < HTZ_QUANTUM ? frame : HTZ_QUANTUM - 1), rare[style]);
  }
}

/** One quantum more, heard. */
static void hear(player* p, double sum[2], dense_result* r) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  const float* const channel[2] = {left, right};
  htz_engine_quantum(p->s->engine, left, right);
  for (size_t c = 0; c < 2; ++c) {
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const double x = (double)channel[c][i];
      r->broken += isfinite(x) ? 0 : 1;
      sum[c] += isfinite(x) ? x : 0.0;
      r->peak = fabs(x) > r->peak ? fabs(x) : r->peak;
    }
  }
}

/** The end: all is silenced and heard until it is. */
static void rest(player* p, double sum[2], dense_result* r) {
  const double bound_s = 1.0;
  const uint64_t end = htz_engine_now(p->s->engine) + (uint64_t)(bound_s * p->s->rate_hz);
  htz_midi_map_release_all(p->map, htz_engine_now(p->s->engine));
  htz_engine_silence(p->s->engine, 0, htz_engine_now(p->s->engine));
  while (!htz_engine_asleep(p->s->engine) && htz_engine_now(p->s->engine) < end) {
    hear(p, sum, r);
  }
}

dense_result dense_play(sound* s, const dense_desc* desc, double seconds) {
  dense_result r = {.first_reset = (double)NAN};
  player p = {.s = s, .desc = desc, .map = calloc(1, sizeof *p.map), .state = desc->seed};
  if (!p.map) {
    abort();
  }
  htz_midi_map_init(p.map, s->engine);
  if (htz_midi_map_add_part(p.map, 0, HTZ_MIDI_OMNI, s->instrument)) {
    abort();
  }
  htz_midi_map_choose_all(p.map, 0, 0);
  send(&p, HTZ_MIDI_RESET, 0, 0, htz_engine_now(s->engine)); // what was played before leaves no wheel or pedal behind
  const htz_engine_counters before = htz_engine_count(s->engine);
  double sum[2] = {0.0, 0.0};
  uint32_t style = 0;
  const uint64_t quanta = (uint64_t)(seconds * s->rate_hz / HTZ_QUANTUM);
  const uint64_t of_style = 1 + (uint64_t)(fmin(style_s, seconds / STYLES) * s->rate_hz / HTZ_QUANTUM);
  for (uint64_t q = 0; q < quanta; ++q) {
    style = q % of_style == 0 ? below(&p, STYLES) : style;
    play_quantum(&p, style);
    hear(&p, sum, &r);
    if (isnan(r.first_reset) && htz_engine_count(s->engine).resets > before.resets) {
      r.first_reset = (double)(q * HTZ_QUANTUM) / s->rate_hz;
    }
  }
  rest(&p, sum, &r);
  const htz_engine_counters after = htz_engine_count(s->engine);
  r.resets = after.resets - before.resets;
  r.unsolved = after.solver_bounds - before.solver_bounds;
  r.steps = after.contact_steps - before.contact_steps;
  r.mean = fmax(fabs(sum[0]), fabs(sum[1])) / (double)(after.frames - before.frames);
  r.messages = p.messages;
  free(p.map);
  return r;
}
