#include "hertzian/lab/impact.h"

#include <math.h>

/*
   int f |F|^2 df / int |F|^2 df by Simpson's rule over CELLS frequencies. The transform of a pulse of length D varies on a scale of
   1/D, and bands are at most 32/D wide: 1/8 of that scale from one frequency to the next.
*/
enum { CELLS = 256, MOMENTS = 512 };

typedef struct {
  double re[CELLS + 1], im[CELLS + 1];
} transform;

/** Add the impulse `weight` [N s] at `time`: one turn of the phasor per frequency. */
static void add_impulse(transform* t, double weight, double time, double df) {
  const double angle = -2.0 * 3.14159265358979323846 * df * time;
  const double c = cos(angle);
  const double s = sin(angle);
  double re = weight;
  double im = 0.0;
  for (int k = 0; k <= CELLS; ++k) {
    t->re[k] += re;
    t->im[k] += im;
    const double turned = re * c - im * s;
    im = re * s + im * c;
    re = turned;
  }
}

static double centroid_of(const transform* t, double df) {
  double power = 0.0;
  double moment = 0.0;
  for (int k = 0; k <= CELLS; ++k) {
    const double w = k == 0 || k == CELLS ? 1.0 : k % 2 ? 4.0 : 2.0;
    const double p = w * (t->re[k] * t->re[k] + t->im[k] * t->im[k]);
    power += p;
    moment += p * k * df;
  }
  return power > 0.0 ? moment / power : 0.0;
}

double htz_lab_centroid(size_t n, const double* force, double period, double band_hz) {
  transform t = {0};
  const double df = band_hz / CELLS;
  for (size_t i = 0; i < n; ++i) {
    if (force[i] != 0.0) {
      add_impulse(&t, force[i] * period, (double)i * period, df);
    }
  }
  return centroid_of(&t, df);
}

double htz_lab_centroid_exact(const htz_impact* impact, double rate_hz, double lead, double band_hz) {
  htz_impact_moment m[MOMENTS];
  transform t = {0};
  const double df = band_hz / CELLS;
  htz_impact_motion(impact, MOMENTS, m);
  const double last = m[MOMENTS - 1].time;
  double period = 1.0 / rate_hz;
  while (last > period * HTZ_LAB_TRACE_MAX) {
    period *= 2.0;
  }
  // The mean force over a sample is the momentum it takes: a velocity on the curve before and after.
  double before = m[0].v;
  size_t at = 0;
  for (size_t n = 1; n < HTZ_LAB_TRACE_MAX + 3; ++n) {
    const double time = (double)n * period - lead;
    while (at + 2 < MOMENTS && m[at + 1].time < time) {
      ++at;
    }
    const double share = (time - m[at].time) / (m[at + 1].time - m[at].time);
    const double now = time >= last ? m[MOMENTS - 1].v : m[at].v + share * (m[at + 1].v - m[at].v);
    add_impulse(&t, before - now, (double)n * period, df);
    before = now;
    if (time >= last) {
      break;
    }
  }
  return centroid_of(&t, df);
}
