#include "obstacle_levels.h"

#include "hertzian/dsp/fft.h"
#include "partials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double heard_hz = 16000.0; // three times the highest partial that is looked at
static const double weak_db = -60.0;    // below the strongest partial of any window: not compared

/** Force on the support: tension times slope. */
static double support_force(const obstacle_string* s) {
  double q[OBSTACLE_MODES_HEARD], sum = 0.0;
  htz_obstacle_amplitudes(s, q);
  for (size_t k = 0; k < s->projected; ++k) {
    const double wave = pi * (double)(k + 1) / s->what.length;
    sum += s->what.tension * wave * q[k];
  }
  return sum;
}

/** Power around every partial of a string that ends at the bridge's apex. */
static void take_levels(const obstacle_case* c, size_t window, const double* power, double* out) {
  const double first = htz_obstacle_open_hz(c) * c->length / c->apex, bin = heard_hz / (double)window;
  for (size_t p = 0; p < OBSTACLE_PARTIALS; ++p) {
    const double n = (double)(p + 1), centre = n * first * sqrt(1.0 + c->inharmonicity * n * n);
    const size_t from = (size_t)lrint((centre - 0.5 * first) / bin), to = (size_t)lrint((centre + 0.5 * first) / bin);
    out[p] = 0.0;
    for (size_t i = from; i < to; ++i) {
      out[p] += power[i];
    }
  }
}

static htz_status analyse(const obstacle_case* c, size_t window, double* heard, obstacle_levels* out) {
  htz_fft fft;
  htz_arena memory;
  htz_arena_measure(&memory);
  double* work = htz_arena_alloc(&memory, 2 * window, sizeof *work);
  double* power = htz_arena_alloc(&memory, window / 2 + 1, sizeof *power);
  const htz_status st = work && power ? htz_fft_init(&fft, window, &memory) : HTZ_NO_MEMORY;
  for (size_t w = 0; w < out->windows && !st; ++w) {
    htz_fft_power(&fft, heard + w * window, work, power);
    take_levels(c, window, power, out->power[w]);
  }
  if (!st) {
    const double reach = 0.25 * htz_obstacle_open_hz(c) < 2.0 * heard_hz / (double)window
                             ? 0.25 * htz_obstacle_open_hz(c)
                             : 2.0 * heard_hz / (double)window; // within the main lobe
    htz_partials_window(window, heard);
    out->hz = htz_partials_find(window, heard, heard_hz, htz_obstacle_open_hz(c) * c->length / c->apex, reach, NULL);
  }
  htz_arena_free(&memory);
  return st;
}

htz_status htz_obstacle_listen(const obstacle_case* what, const obstacle_method* how, size_t window, size_t windows,
                               obstacle_levels* out, const char** why) {
  obstacle_string s;
  const size_t n = window * windows;
  const long every = lrint(how->rate_hz / heard_hz);
  double* heard = malloc(n * sizeof *heard);
  memset(out, 0, sizeof *out);
  out->windows = windows;
  htz_status st = heard ? htz_obstacle_open(what, how, OBSTACLE_MODES_HEARD, &s, why) : HTZ_NO_MEMORY;
  for (size_t i = 0; i < n && !st; ++i) {
    heard[i] = support_force(&s);
    for (long k = 0; k < every; ++k) {
      htz_obstacle_step(&s);
    }
  }
  st = st ? st : analyse(what, window, heard, out);
  if (heard) {
    out->points = s.points;
    out->spacing = s.network ? (what->to - what->from) / (double)s.points : what->length / (double)s.intervals;
    out->unconverged = st ? 0 : htz_obstacle_unconverged(&s);
    htz_obstacle_close(&s);
  }
  free(heard);
  return st;
}

void htz_obstacle_average(size_t n, obstacle_levels* runs) {
  for (size_t w = 0; w < runs->windows; ++w) {
    for (size_t p = 0; p < OBSTACLE_PARTIALS; ++p) {
      double sum = 0.0;
      for (size_t i = 0; i < n; ++i) {
        sum += runs[i].power[w][p] / (double)n;
      }
      runs->power[w][p] = sum;
    }
  }
}

obstacle_difference htz_obstacle_compare(const obstacle_levels* a, const obstacle_levels* b) {
  obstacle_difference d = {0.0, 0.0};
  size_t count = 0;
  for (size_t w = 0; w < a->windows; ++w) {
    double strongest = 0.0;
    for (size_t p = 0; p < OBSTACLE_PARTIALS; ++p) {
      strongest = fmax(strongest, b->power[w][p]);
    }
    for (size_t p = 0; p < OBSTACLE_PARTIALS; ++p) {
      if (10.0 * log10(b->power[w][p] / strongest) > weak_db) {
        const double db = 10.0 * log10(a->power[w][p] / b->power[w][p]);
        d.rms += db * db;
        d.most = fmax(d.most, fabs(db));
        ++count;
      }
    }
  }
  d.rms = count ? sqrt(d.rms / (double)count) : (double)NAN;
  return d;
}
