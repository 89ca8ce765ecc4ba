#include "build.h"

#include "hertzian/instrument/throw.h"

#include <math.h>

/*
   Keys that are tuned as they sound. What lies against a string makes it stiffer, and by how much goes with how far it swings: a key is
   built for trial, struck, and what is heard is measured.
*/

static const double pi = 3.14159265358979323846;

static const double velocity = 64.0;
static const double from_s = 0.1, heard_s = 0.4; // past what the touch leaves; and before much of it has decayed
static const double octave_most = 1.0 / 12.0;    // a partial farther away than a semitone is another one

enum { STEPS = 400, PERIODS_MAX = 16384 };

/** What is heard of a key in all, a sample at a time, by turns of one frequency summed over each of its periods: other partials drop out. */
typedef struct {
  double turn;   // [rad] per sample
  size_t period; // [samples]
  size_t n;
  double (*sum)[2]; // [PERIODS_MAX]
} heterodyne;

static bool is_tuned_at(const htz_spec* spec, int key) {
  return spec->tuned[key / 64] >> (key % 64) & 1u;
}

/** Throw the mallet and listen. */
static void listen(htz_island* island, const htz_strike* strike, double rate_hz, heterodyne* to) {
  float lines[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM];
  float* pickups[HTZ_ISLAND_PICKUPS_MAX];
  htz_influence as_built = {.held = true, .finger = (double)NAN};
  for (size_t b = 0; b < HTZ_BOWS_MAX; ++b) {
    as_built.bow[b].at = (double)NAN;
  }
  const size_t first = (size_t)(from_s * rate_hz), last = first + (size_t)(heard_s * rate_hz);
  island->cls->strike(island, strike);
  for (size_t at = 0; at < last; at += HTZ_QUANTUM) {
    if (island->cls->influence) {
      island->cls->influence(island, &as_built);
    }
    for (uint32_t p = 0; p < island->n_pickups; ++p) {
      pickups[p] = lines[p];
      for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
        lines[p][i] = 0.0f;
      }
    }
    island->cls->advance(island, HTZ_QUANTUM, pickups);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const size_t frame = at + i, period = (frame - first) / to->period;
      double heard = 0.0;
      for (uint32_t p = 0; p < island->n_pickups; ++p) {
        heard += (double)lines[p][i];
      }
      if (frame >= first && frame < last && period < PERIODS_MAX) {
        to->sum[period][0] += heard * cos(to->turn * (double)frame);
        to->sum[period][1] -= heard * sin(to->turn * (double)frame);
        to->n = period; // the last one is not whole
      }
    }
  }
}

/** Power under a Hann window at `octaves` from the frequency of the heterodyne. */
static double power_at(const heterodyne* h, double octaves) {
  const double turn = h->turn * (double)h->period * (exp2(octaves) - 1.0);
  double re = 0.0, im = 0.0;
  for (size_t i = 0; i < h->n; ++i) {
    const double w = 1.0 - cos(2.0 * pi * ((double)i + 0.5) / (double)h->n), c = cos(turn * (double)i),
                 s = sin(turn * (double)i);
    re += w * (h->sum[i][0] * c + h->sum[i][1] * s);
    im += w * (h->sum[i][1] * c - h->sum[i][0] * s);
  }
  return re * re + im * im;
}

/** How far the partial that is heard is from the frequency of the heterodyne [octave]; 0 where none is within a semitone. */
static double off_by(const heterodyne* h) {
  const double step = 2.0 * octave_most / STEPS;
  int best = 0;
  double most = 0.0;
  for (int i = 0; i <= STEPS; ++i) {
    const double power = power_at(h, step * i - octave_most);
    best = power > most ? i : best;
    most = power > most ? power : most;
  }
  if (best == 0 || best == STEPS) {
    return 0.0;
  }
  const double at = step * best - octave_most, a = log(power_at(h, at - step)), b = log(most), c = log(power_at(h, at + step));
  const double bow = a - 2.0 * b + c;
  return at + (bow < 0.0 ? 0.5 * step * (a - c) / bow : 0.0);
}

/** How far key `k` sounds from where its first body alone would [octave]. */
static htz_status measure(const builder* build, int k, const htz_key* key, double* octaves) {
  builder trial = *build;
  htz_arena arena;
  htz_island* island = NULL;
  island_plan plan = {0};
  htz_arena_measure(&arena);
  trial.arena = &arena;
  trial.rate_hz = htz_build_clock(build);
  trial.reader = (htz_fractional){.table = NULL};
  *octaves = 0.0;
  htz_status st = htz_build_island(&trial, k, &island, &plan);
  heterodyne h = {.sum = st ? NULL : htz_arena_alloc(&arena, PERIODS_MAX, sizeof *h.sum)};
  st = st || h.sum ? st : HTZ_NO_MEMORY;
  if (!st && plan.modes[0]->n > 0 && plan.modes[0]->omega[0] > 0.0) {
    const htz_object* object = key->object;
    htz_strike strike = htz_key_throw(key, htz_key_share(velocity));
    if (object->n_kinds > 0) {
      const double wanted = object->params[HTZ_PARAM_MALLET_KIND], last = (double)(object->n_kinds - 1);
      htz_strike_with(&strike, &object->kinds[(size_t)(wanted >= 0.0 && wanted < last ? wanted : wanted >= last ? last : 0.0)]);
    }
    h.turn = plan.modes[0]->omega[0] / trial.rate_hz;
    h.period = (size_t)(2.0 * pi / h.turn + 0.5);
    h.period = h.period > 0 ? h.period : 1;
    listen(island, &strike, trial.rate_hz, &h);
    *octaves = off_by(&h);
  }
  htz_arena_free(&arena);
  return st == HTZ_UNSUPPORTED || st == HTZ_BAD_VALUE ? HTZ_OK : st; // a key that is not there
}

/** The nearest key from `k` on, by `way`, that the file has measured; HTZ_KEYS: there is none. */
static int next_tuned(const htz_spec* spec, int k, int way) {
  for (; k >= 0 && k < HTZ_KEYS; k += way) {
    if (is_tuned_at(spec, k)) {
      return k;
    }
  }
  return HTZ_KEYS;
}

htz_status htz_build_tuned(builder* build, htz_key* keys) {
  const htz_spec* spec = build->spec;
  double octaves[HTZ_KEYS];
  bool known[HTZ_KEYS] = {false};
  for (int k = 0; k < HTZ_KEYS; ++k) {
    const bool there = keys[k].island && (spec->tuned[0] || spec->tuned[1]);
    int ends[2] = {there ? next_tuned(spec, k, -1) : HTZ_KEYS, there ? next_tuned(spec, k, 1) : HTZ_KEYS};
    ends[0] = ends[0] < HTZ_KEYS ? ends[0] : ends[1];
    ends[1] = ends[1] < HTZ_KEYS ? ends[1] : ends[0];
    for (size_t e = 0; there && e < 2; ++e) {
      const htz_status st = known[ends[e]] ? HTZ_OK : measure(build, ends[e], &keys[ends[e]], &octaves[ends[e]]);
      known[ends[e]] = true;
      if (st) {
        return st;
      }
    }
    const double x = there && ends[1] > ends[0] ? (double)(k - ends[0]) / (double)(ends[1] - ends[0]) : 0.0;
    keys[k].tuned = there ? exp2(-(octaves[ends[0]] + x * (octaves[ends[1]] - octaves[ends[0]]))) : 1.0;
  }
  return HTZ_OK;
}
