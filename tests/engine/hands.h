#ifndef HTZ_TEST_HANDS_H
#define HTZ_TEST_HANDS_H

/*
   A bar over a tube and three strings, and what is done to them. For the tests of what a player controls.
*/
#include "check.h"

#include "hertzian/contact/modal_island.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double two_pi = 6.28318530717958647693;

enum { KEY = 60, QUANTA = 400, SECOND = 48000 / HTZ_QUANTUM };

// One mode, heard on the left, and a tube on the right; a linear contact, so that the sound is in proportion to the stroke.
static const char bar[] = "format: 1\nname: Bar\nkeys: [48, 72]\n"
                          "per_key:\n  bar: {body: modal-list, ratios: [1], t60: 4, mass: 0.3}\n"
                          "  tube: {body: modal-list, ratios: [1], q: 20}\n"
                          "feeds: [{from: bar, to: tube, gain: 30}]\n"
                          "mallet:\n  strikes: bar\n  mass: 0.02\n  speed: [0.1, 4]\n  at: 0.5\n%s"
                          "  contact: {exponent: 1, stiffness: 1.0e+6, viscosity: 0}\n"
                          "pickups:\n  - {of: bar, quantity: velocity, gain: 0.05, pan: -1}\n"
                          "  - {of: tube, quantity: velocity, gain: 0.05, pan: 1}\n"
                          "damper: {loss: 60}\n";
// Three strings to a key, all alike, each with a body of its own.
static const char strings[] =
    "format: 1\nname: Strings\nkeys: [48, 72]\n"
    "per_key:\n  string: {body: string, count: 3, length: 0.62, lin_density: 0.0062, t60: 5, modes: 20}\n"
    "mallet:\n  strikes: string\n  mass: 0.0085\n  speed: [0.3, 6]\n  at: 0.12\n"
    "  contact: {exponent: 2.5, stiffness: 4.5e+9, viscosity: 0.2}\n"
    "pickups: [{of: string, quantity: velocity, at: 0.3, gain: 0.02}]\n"
    "damper: {loss: 40}\nsoft_pedal: {hardness: 0.6}\n";

static inline void open_bar(sound* s, const char* more) {
  char text[2048];
  snprintf(text, sizeof text, bar, more);
  assert_true(sound_open_text(s, text, rate_hz));
}

static inline void run(sound* s, size_t quanta, float* l, float* r) {
  float unused[2][HTZ_QUANTUM];
  assert_true(quanta <= QUANTA);
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, l ? l + q * HTZ_QUANTUM : unused[0], r ? r + q * HTZ_QUANTUM : unused[1]);
  }
}

static inline void press(sound* s, uint32_t key, double velocity) {
  htz_engine_strike(s->engine, 0, key, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, key, true, htz_engine_now(s->engine));
}

static inline void let_go(sound* s, uint32_t key) {
  htz_engine_hold(s->engine, 0, key, false, htz_engine_now(s->engine));
}

/** Any parameter, also those of the channel, which have no name for a command line. */
static inline void set(sound* s, htz_param_index index, double value) {
  const htz_param_change change = {
      .frame = htz_engine_now(s->engine), .value = value, .part = 0, .key = HTZ_KEY_ALL, .index = index};
  htz_engine_change(s->engine, &change);
}

static inline htz_modal* body_of(const sound* s, uint32_t key, size_t index) {
  return htz_modal_island_body(s->instrument->keys[key].island, index);
}

static inline double energy_of(const sound* s, uint32_t key, size_t index) {
  const htz_body* body = htz_modal_body(body_of(s, key, index));
  return body->cls->energy(body);
}

/** Pitch that mode `k` is tuned to now, of its step over one sample: trace and determinant of a damped rotation [Hz]. */
static inline double tuned_to(const htz_modal* body, size_t k) {
  const htz_mode_step step = htz_modal_mode_step(body, k);
  const double trace = step.a[0] + step.a[3], det = step.a[0] * step.a[3] - step.a[1] * step.a[2];
  return acos(0.5 * trace / sqrt(det)) * rate_hz / two_pi;
}

static inline double power(const float* x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += (double)x[i] * (double)x[i];
  }
  return sum / (double)n;
}

/** Both channels alike, to the rounding of a mix in single precision, and not silent. */
static inline void check_alike(const float* a, const float* b, size_t n) {
  double apart = 0.0;
  for (size_t i = 0; i < n; ++i) {
    apart += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
  }
  check_above(power(a, n), 1e-12);
  check_below(apart / (double)n, 1e-10 * power(a, n));
}

static inline void check_other(const float* a, const float* b, size_t n) {
  double apart = 0.0;
  for (size_t i = 0; i < n; ++i) {
    apart += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
  }
  check_above(apart / (double)n, 1e-4 * power(a, n)); // by 1 % of the amplitude
}

/** Decay rate of a struck body over `quanta` from now [1/s]. */
static inline double decay_now(sound* s, uint32_t key, size_t index, size_t quanta) {
  const double before = energy_of(s, key, index);
  run(s, quanta, NULL, NULL);
  return 0.5 * log(before / energy_of(s, key, index)) * rate_hz / (double)(quanta * HTZ_QUANTUM);
}

#endif
