#include "hertzian/dsp/resample.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  HALF = 128,         // taps on either side at equal rates, more by the ratio when the rate falls
  PHASES_MOST = 1024, // between which is interpolated: an error of (pi/1024)^2/24, -128 dB, at the highest frequency
  CHUNK = 4096,       // input frames taken at a time
};

// Kaiser's formulas (J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function", 1974): the shape for
// a stop band 120 dB down, and the width of the transition with so many taps.
static const double shape = 0.1102 * (120.0 - 8.7);
static const double transition = (120.0 - 7.95) / (14.36 * (2.0 * HALF - 1.0)); // of the rate
static const double pi = 3.14159265358979323846;

struct htz_resampler {
  // [config] reduced
  uint32_t in, out;
  // [derived]
  size_t half;   // taps on either side
  size_t phases; // rows of the table, less one
  bool exact;    // every position is on a row
  double* taps;  // [phases + 1][2 half]
  size_t room;   // of `buffer`
  // [state]
  uint64_t at;   // input frame at or before the next output frame
  uint32_t rest; // and the way from there, in 1/out of a frame
  int64_t base;  // input frame of buffer[0], negative for the silence before
  size_t filled;
  bool ended;
  uint64_t end; // input frames, once ended
  float* buffer;
};

// Modified Bessel function of the first kind, order 0: its power series, which has positive terms only.
static double bessel_i0(double x) {
  const double quarter = x * x / 4.0, enough = 1e-17; // of the sum: below a double's last digit
  double sum = 1.0, term = 1.0;
  for (double k = 1.0; term > enough * sum; k += 1.0) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}

static double kernel(double t, double cutoff, double half) {
  const double x = t / half, turn = pi * cutoff * t;
  if (!(fabs(x) < 1.0)) {
    return 0.0;
  }
  const double window = bessel_i0(shape * sqrt(1.0 - x * x)) / bessel_i0(shape);
  return cutoff * (turn != 0.0 ? sin(turn) / turn : 1.0) * window;
}

// Each row passes a constant unchanged.
static void fill_row(const htz_resampler* r, double fraction, double cutoff, double* row) {
  double sum = 0.0;
  for (size_t k = 0; k < 2 * r->half; ++k) {
    row[k] = kernel((double)k - (double)(r->half - 1) - fraction, cutoff, (double)r->half);
    sum += row[k];
  }
  for (size_t k = 0; k < 2 * r->half; ++k) {
    row[k] /= sum;
  }
}

static htz_status lay_out(htz_resampler* r) {
  const double ratio = r->in > r->out ? (double)r->in / r->out : 1.0; // by which everything is longer and slower
  const size_t most = (size_t)ceil(PHASES_MOST / ratio);
  r->half = r->in == r->out ? 1 : (size_t)ceil(HALF * ratio);
  r->exact = r->out <= most;
  r->phases = r->exact ? r->out : most;
  r->room = 2 * r->half + CHUNK;
  r->taps = malloc((r->phases + 1) * 2 * r->half * sizeof *r->taps);
  r->buffer = calloc(r->room, sizeof *r->buffer);
  if (!r->taps || !r->buffer) {
    return HTZ_NO_MEMORY;
  }
  const double cutoff = (1.0 - transition) / ratio; // 2 f_c: the stop band begins at half the lower rate
  for (size_t p = 0; p <= r->phases && r->in != r->out; ++p) {
    fill_row(r, (double)p / (double)r->phases, cutoff, r->taps + p * 2 * r->half);
  }
  r->base = -(int64_t)r->half;
  r->filled = r->half;
  return HTZ_OK;
}

htz_status htz_resampler_new(uint32_t in_hz, uint32_t out_hz, htz_resampler** out) {
  *out = NULL;
  if (in_hz < HTZ_RESAMPLE_HZ_MIN || in_hz > HTZ_RESAMPLE_HZ_MAX || out_hz < HTZ_RESAMPLE_HZ_MIN ||
      out_hz > HTZ_RESAMPLE_HZ_MAX) {
    return HTZ_BAD_VALUE;
  }
  htz_resampler* r = calloc(1, sizeof *r);
  if (!r) {
    return HTZ_NO_MEMORY;
  }
  uint32_t a = in_hz, b = out_hz;
  while (b != 0) {
    const uint32_t left = a % b;
    a = b;
    b = left;
  }
  r->in = in_hz / a;
  r->out = out_hz / a;
  const htz_status st = lay_out(r);
  if (st) {
    htz_resampler_free(r);
    return st;
  }
  *out = r;
  return HTZ_OK;
}

void htz_resampler_free(htz_resampler* r) {
  if (r) {
    free(r->taps);
    free(r->buffer);
    free(r);
  }
}

// First input frame that the next output frame needs.
static int64_t first_needed(const htz_resampler* r) {
  return (int64_t)r->at - (int64_t)r->half + 1;
}

float* htz_resampler_room(htz_resampler* r, size_t* room) {
  const int64_t done = first_needed(r) - r->base;
  const size_t drop = done < 0 ? 0 : (size_t)done < r->filled ? (size_t)done : r->filled;
  memmove(r->buffer, r->buffer + drop, (r->filled - drop) * sizeof *r->buffer);
  r->base += (int64_t)drop;
  r->filled -= drop;
  *room = r->room - r->filled;
  return r->buffer + r->filled;
}

void htz_resampler_feed(htz_resampler* r, size_t frames) {
  r->filled += frames;
}

void htz_resampler_end(htz_resampler* r) {
  r->end = (uint64_t)(r->base + (int64_t)r->filled);
  r->ended = true;
}

static double dot(const double* taps, const float* x, size_t n) {
  double sum = 0.0;
  for (size_t k = 0; k < n; ++k) {
    sum += taps[k] * (double)x[k];
  }
  return sum;
}

static float output(const htz_resampler* r) {
  const float* x = r->buffer + (first_needed(r) - r->base);
  if (r->in == r->out) {
    return x[0];
  }
  const uint64_t place = (uint64_t)r->rest * r->phases;
  const size_t row = (size_t)(place / r->out);
  const double* taps = r->taps + row * 2 * r->half;
  const double near = dot(taps, x, 2 * r->half);
  if (r->exact) {
    return (float)near;
  }
  const double share = (double)(place % r->out) / r->out;
  return (float)(near + share * (dot(taps + 2 * r->half, x, 2 * r->half) - near));
}

// Silence after the end, as far as it is needed.
static void extend(htz_resampler* r) {
  size_t room = 0;
  float* to = htz_resampler_room(r, &room);
  memset(to, 0, room * sizeof *to);
  r->filled += room;
}

size_t htz_resampler_take(htz_resampler* r, float* out, size_t frames) {
  size_t n = 0;
  while (n < frames && !(r->ended && r->at >= r->end)) {
    if ((int64_t)(r->at + r->half) >= r->base + (int64_t)r->filled) {
      if (!r->ended) {
        return n;
      }
      extend(r);
    }
    out[n++] = output(r);
    const uint64_t next = (uint64_t)r->rest + r->in;
    r->at += next / r->out;
    r->rest = (uint32_t)(next % r->out);
  }
  return n;
}

uint64_t htz_resampler_length(uint64_t frames, uint32_t in_hz, uint32_t out_hz) {
  // n in < frames out, without the product's overflow: whole seconds first.
  const uint64_t seconds = frames / in_hz, left = frames % in_hz;
  return seconds * out_hz + (left * out_hz + in_hz - 1) / in_hz;
}
