// Pedals as physics: dampers that lift and land, half-pedal, sostenuto, release velocity.
#include "check.h"

#include "sound/stage.h"

#include <math.h>

static const double rate_hz = 48000.0;
static const char damped[] = "tests/fixtures/instruments/damped.yaml";

enum { LONG = 1600, KEY = 60, OTHER = 67 };
static float left[LONG * HTZ_QUANTUM], right[LONG * HTZ_QUANTUM];

static double rms(size_t from, size_t n) {
  double sum = 0.0;
  for (size_t i = from; i < from + n; ++i) {
    sum += (double)left[i] * (double)left[i];
  }
  return sqrt(sum / (double)n);
}

/** Decay rate between two windows of 512 frames, `apart` frames apart [1/s]. */
static double decay_rate(size_t from, size_t apart) {
  return log(rms(from, 512) / rms(from + apart, 512)) * rate_hz / (double)apart;
}

static void note(stage* s, uint32_t key, bool on) {
  const uint64_t now = htz_engine_now(s->engine);
  htz_engine_hold(s->engine, s->part, key, on, now);
  if (on) {
    htz_engine_strike(s->engine, s->part, key, 100.0, now);
  }
}

/** Decay rate of a note let go with the pedal at `pedal`. */
static double rate_with_pedal(double pedal) {
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  stage_set(&s, HTZ_PARAM_SUSTAIN, pedal);
  note(&s, KEY, true);
  stage_run(&s, 100, NULL, NULL);
  note(&s, KEY, false);
  stage_run(&s, 30, NULL, NULL);
  stage_run(&s, 60, left, right);
  stage_close(&s);
  return decay_rate(0, 3000);
}

static void half_pedal(void** state) {
  (void)state;
  const double open = rate_with_pedal(127.0);
  const double shut = rate_with_pedal(0.0);
  check_near(shut - open, 60.0, 2.0);
  check_close(rate_with_pedal(5.0), shut, 1e-9);   // a pedal at rest is seldom at 0
  check_close(rate_with_pedal(124.0), open, 1e-9); // nor all the way down at 127
  double before = shut;
  for (int step = 1; step <= 16; ++step) {
    const double now = rate_with_pedal(127.0 * step / 16.0);
    check_below(now, before * (1.0 + 1e-6)); // monotone: the higher the pedal value, the longer it rings
    check_below(before / now, 2.0);
    before = now;
  }
}

static void a_pedal_catches_what_rings(void** state) {
  (void)state;
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  note(&s, KEY, true);
  stage_run(&s, 100, NULL, NULL);
  stage_set(&s, HTZ_PARAM_SUSTAIN, 127.0);
  note(&s, KEY, false);
  stage_run(&s, 200, left, right);
  check_below(decay_rate(4000, 6000), 5.0); // rings on
  // Pressed again and held: the pedal coming up does not take it away.
  note(&s, KEY, true);
  stage_run(&s, 50, NULL, NULL);
  stage_set(&s, HTZ_PARAM_SUSTAIN, 0.0);
  stage_run(&s, 200, left, right);
  check_below(decay_rate(4000, 6000), 5.0);
  note(&s, KEY, false);
  stage_run(&s, 60, left, right);
  check_above(decay_rate((size_t)25 * HTZ_QUANTUM, 1500), 50.0);
  stage_close(&s);
}

static void sostenuto_holds_what_was_down(void** state) {
  (void)state;
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  note(&s, KEY, true);
  stage_run(&s, 60, NULL, NULL);
  stage_set(&s, HTZ_PARAM_SOSTENUTO, 127.0);
  note(&s, KEY, false);
  stage_run(&s, 150, left, right);
  check_below(decay_rate(3000, 4000), 5.0);
  // A key struck after the pedal went down is not held by it.
  htz_engine_silence(s.engine, s.part, htz_engine_now(s.engine));
  stage_run(&s, 20, NULL, NULL);
  note(&s, OTHER, true);
  stage_run(&s, 60, NULL, NULL);
  note(&s, OTHER, false);
  stage_run(&s, 60, left, right);
  check_above(decay_rate((size_t)25 * HTZ_QUANTUM, 1500), 50.0);
  // Up again: the first key falls silent like any other.
  stage_run(&s, 300, NULL, NULL);
  htz_engine_strike(s.engine, s.part, KEY, 100.0, htz_engine_now(s.engine));
  stage_run(&s, 60, NULL, NULL);
  stage_set(&s, HTZ_PARAM_SOSTENUTO, 0.0);
  stage_run(&s, 60, left, right);
  check_above(decay_rate((size_t)25 * HTZ_QUANTUM, 1500), 50.0);
  stage_close(&s);
}

/** Time from the release until the level has fallen to a third [s]. */
static double time_to_third(double release_velocity) {
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  note(&s, KEY, true);
  stage_run(&s, 60, left, right);
  const double before = rms((size_t)50 * HTZ_QUANTUM, 512);
  htz_engine_release(s.engine, s.part, KEY, release_velocity, htz_engine_now(s.engine));
  stage_run(&s, 200, left, right);
  stage_close(&s);
  size_t at = 0;
  while (at + 512 < (size_t)200 * HTZ_QUANTUM && rms(at, 512) > before / 3.0) {
    at += 32;
  }
  return (double)at / rate_hz;
}

static void release_velocity_sets_the_landing(void** state) {
  (void)state;
  const double slow = time_to_third(1.0), usual = time_to_third(64.0), fast = time_to_third(127.0);
  check_above(slow, usual + 0.01);
  check_above(usual, fast + 0.002);
}

static void no_click(void** state) {
  (void)state;
  // The largest sample-to-sample difference in the 5 ms after a damper moves exceeds that of the 5 ms before by at most 0.001 of
  // the peak: lifting, landing fast and slow, pedal up and down.
  for (int move = 0; move < 4; ++move) {
    stage s;
    stage_open(&s, damped, rate_hz, 0);
    note(&s, KEY, true);
    stage_set(&s, HTZ_PARAM_SUSTAIN, move == 3 ? 127.0 : 0.0);
    stage_run(&s, 50, left, right);
    double peak = 0.0;
    for (size_t i = 0; i < (size_t)50 * HTZ_QUANTUM; ++i) {
      peak = fmax(peak, fabs((double)left[i]));
    }
    const uint64_t now = htz_engine_now(s.engine) + 20;
    if (move < 2) {
      htz_engine_release(s.engine, s.part, KEY, move ? 127.0 : 10.0, now);
    } else if (move == 2) {
      htz_engine_release(s.engine, s.part, KEY, 127.0, htz_engine_now(s.engine));
      stage_run(&s, 5, left, right);
      htz_engine_hold(s.engine, s.part, KEY, true, htz_engine_now(s.engine) + 20); // lifted while it dies away
    } else {
      htz_engine_release(s.engine, s.part, KEY, 127.0, htz_engine_now(s.engine));
      stage_run(&s, 5, left, right);
      stage_set(&s, HTZ_PARAM_SUSTAIN, 0.0);
    }
    const size_t five_ms = 240;
    float last = left[(move == 3 || move == 2 ? 5 : 50) * HTZ_QUANTUM - 1];
    double before = 0.0;
    const size_t end = (size_t)(move >= 2 ? 5 : 50) * HTZ_QUANTUM;
    for (size_t i = end - five_ms; i < end; ++i) {
      before = fmax(before, fabs((double)(left[i] - left[i - 1])));
    }
    stage_run(&s, 5, left, right);
    double after = fabs((double)(left[0] - last));
    for (size_t i = 1; i < 20 + five_ms; ++i) {
      after = fmax(after, fabs((double)(left[i] - left[i - 1])));
    }
    check_below(after, before + 0.001 * peak);
    stage_close(&s);
  }
}

static void motor_is_a_tremolo(void** state) {
  (void)state;
  // With the discs turning, the tube's share of the sound rises and falls at the motor's rate.
  stage s;
  stage_open(&s, "instruments/marimba.yaml", rate_hz, 0);
  stage_set(&s, HTZ_PARAM_MOTOR_RATE, 5.0);
  stage_set(&s, HTZ_PARAM_DECAY, 10.0);
  htz_engine_strike(s.engine, s.part, KEY, 100.0, 0);
  stage_run(&s, 1000, left, right);
  double least = 1e9, most = 0.0;
  // Two turns, from a tenth of a second on.
  for (size_t at = 4800; at + 512 < 4800 + 19200; at += 512) {
    const double level = rms(at, 512);
    least = fmin(least, level);
    most = fmax(most, level);
  }
  check_above(most / least, 1.2);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(half_pedal),
                                     cmocka_unit_test(a_pedal_catches_what_rings),
                                     cmocka_unit_test(sostenuto_holds_what_was_down),
                                     cmocka_unit_test(release_velocity_sets_the_landing),
                                     cmocka_unit_test(no_click),
                                     cmocka_unit_test(motor_is_a_tremolo)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
