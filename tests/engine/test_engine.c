// The engine from outside: events at their frame, one object per key, sleep, faults, silence.
#include "check.h"

#include "sound/stage.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;

// A glockenspiel, which has no damper, and vibrating bars with one.
static const char glockenspiel[] = "instruments/glockenspiel.yaml";
static const char damped[] = "tests/fixtures/instruments/damped.yaml";

enum { LONG = 800 };
static float left[LONG * HTZ_QUANTUM], right[LONG * HTZ_QUANTUM];

static size_t first_sound(size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (left[i] != 0.0f || right[i] != 0.0f) {
      return i;
    }
  }
  return n;
}

static double peak(const float* x, size_t from, size_t to) {
  double m = 0.0;
  for (size_t i = from; i < to; ++i) {
    const double a = fabs((double)x[i]);
    m = a > m || isnan(a) ? a : m;
  }
  return m;
}

static void starts_at_its_frame(void** state) {
  (void)state;
  stage s;
  stage_open(&s, glockenspiel, rate_hz, 0);
  for (uint32_t offset = 0; offset < HTZ_QUANTUM; offset += 7) {
    const uint64_t now = htz_engine_now(s.engine);
    htz_engine_strike(s.engine, s.part, 84, 100.0, now + offset);
    stage_run(&s, 4, left, right);
    assert_int_equal(first_sound((size_t)4 * HTZ_QUANTUM), offset);
    htz_engine_silence(s.engine, s.part, htz_engine_now(s.engine));
    stage_run(&s, 20, left, right);
    assert_true(htz_engine_asleep(s.engine));
  }
  stage_close(&s);
}

static void late_and_early_events_are_clamped(void** state) {
  (void)state;
  stage s;
  stage_open(&s, glockenspiel, rate_hz, 0);
  stage_run(&s, 10, NULL, NULL);
  htz_engine_strike(s.engine, s.part, 84, 100.0, 3);
  assert_int_equal(htz_engine_count(s.engine).late, 1);
  stage_run(&s, 1, left, right);
  assert_int_equal(first_sound(HTZ_QUANTUM), 0);
  htz_engine_strike(s.engine, s.part, 90, 100.0, htz_engine_now(s.engine) + 100000);
  assert_int_equal(htz_engine_count(s.engine).strikes, 2);
  htz_engine_strike(s.engine, s.part + 1, 90, 100.0, 0);
  htz_engine_strike(s.engine, s.part, 128, 100.0, 0);
  htz_engine_strike(s.engine, s.part, 90, (double)NAN, 0);
  assert_int_equal(htz_engine_count(s.engine).strikes_refused, 3);
  stage_close(&s);
}

// What an instrument has no key for is played whole octaves away: a bass whose neck ends at G4 plays G#5 an octave and a half down.
static void beyond_the_range_another_octave_plays(void** state) {
  (void)state;
  static const struct { uint32_t asked, plays; } notes[] = {{80, 56}, {68, 56}, {127, 67}, {27, 39}, {3, 39}, {40, 40}};
  enum { QUANTA = 200 };
  static float want[QUANTA * HTZ_QUANTUM];
  for (size_t i = 0; i < sizeof notes / sizeof notes[0]; i++) {
    for (int round = 0; round < 2; round++) {
      stage s;
      stage_open(&s, "instruments/slap.yaml", rate_hz, 0);
      const uint32_t key = round ? notes[i].asked : notes[i].plays;
      htz_engine_strike(s.engine, s.part, key, 100.0, 0);
      htz_engine_hold(s.engine, s.part, key, true, 0);
      stage_run(&s, QUANTA / 2, left, right);
      htz_engine_release(s.engine, s.part, key, 64.0, htz_engine_now(s.engine));
      stage_run(&s, QUANTA / 2, left + sizeof want / sizeof *want / 2, right);
      assert_int_equal(htz_engine_count(s.engine).octaves, round && notes[i].asked != notes[i].plays);
      assert_int_equal(htz_engine_count(s.engine).strikes_refused, 0);
      if (round) {
        assert_memory_equal(left, want, sizeof want);
      }
      memcpy(want, left, sizeof want);
      stage_close(&s);
    }
  }
}

// Two notes that one key plays hold it until both are let go.
static void a_key_of_two_notes_is_let_go_by_the_second(void** state) {
  (void)state;
  enum { QUANTA = 400 };
  double loud[3];
  for (int let_go = 0; let_go < 3; let_go++) {
    stage s;
    stage_open(&s, "instruments/slap.yaml", rate_hz, 0);
    htz_engine_strike(s.engine, s.part, 56, 100.0, 0);
    htz_engine_hold(s.engine, s.part, 56, true, 0);
    htz_engine_strike(s.engine, s.part, 80, 100.0, 0); // G#5 is beyond the neck
    htz_engine_hold(s.engine, s.part, 80, true, 0);
    stage_run(&s, 20, NULL, NULL);
    for (int i = 0; i < let_go; i++) {
      htz_engine_release(s.engine, s.part, i ? 56 : 80, 64.0, htz_engine_now(s.engine));
    }
    stage_run(&s, QUANTA, left, right);
    loud[let_go] = peak(left, (QUANTA - 50) * HTZ_QUANTUM, QUANTA * HTZ_QUANTUM);
    stage_close(&s);
  }
  check_near(loud[1], loud[0], 0.0);
  check_below(loud[2], 0.1 * loud[0]);
}

static void same_twice(void** state) {
  (void)state;
  static float again[LONG * HTZ_QUANTUM];
  for (int round = 0; round < 2; ++round) {
    stage s;
    stage_open(&s, glockenspiel, rate_hz, 0);
    for (uint32_t i = 0; i < 100; ++i) {
      htz_engine_strike(s.engine, s.part, 79 + i * 7 % 30, 30.0 + i % 90, htz_engine_now(s.engine) + i * 13 % 64);
      stage_run(&s, 3, (round ? again : left) + i * 3 * HTZ_QUANTUM, right);
    }
    stage_close(&s);
  }
  assert_memory_equal(left, again, sizeof(float) * 300 * HTZ_QUANTUM);
}

static void sleeps_when_it_cannot_be_heard(void** state) {
  (void)state;
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 72, 100.0, 0);
  size_t quanta = 0;
  while (quanta < 20000 && (quanta == 0 || !htz_engine_asleep(s.engine))) {
    stage_run(&s, 1, left, right);
    ++quanta;
  }
  assert_true(htz_engine_asleep(s.engine));
  // The last it was heard of was far below -90 dBFS, and from here it is exactly silent.
  check_below(peak(left, 0, HTZ_QUANTUM), 1e-5);
  stage_run(&s, 1, left, right);
  check_near(peak(left, 0, HTZ_QUANTUM), 0.0, 0.0);
  assert_int_equal(htz_engine_count(s.engine).ringing, 0);
  stage_close(&s);
}

static void a_planted_nan_costs_one_key(void** state) {
  (void)state;
  static float want[LONG * HTZ_QUANTUM];
  for (int plant = 0; plant < 2; ++plant) {
    stage s;
    stage_open(&s, glockenspiel, rate_hz, 0);
    htz_engine_strike(s.engine, s.part, 84, 100.0, 0);
    if (plant) {
      htz_engine_strike(s.engine, s.part, 91, 100.0, 0);
    }
    stage_run(&s, 1, plant ? left : want, right);
    if (plant) {
      htz_modal_v(htz_modal_island_body(s.instrument->keys[91].island, 0))[2] = (double)NAN;
    }
    stage_run(&s, 20, plant ? left : want, right);
    assert_int_equal(htz_engine_count(s.engine).resets, plant);
    stage_close(&s);
  }
  // From the quantum of the fault on, the other key alone is heard, to the bit.
  assert_memory_equal(left, want, sizeof(float) * 20 * HTZ_QUANTUM);
}

static void a_runaway_is_stopped(void** state) {
  (void)state;
  stage s;
  stage_open(&s, glockenspiel, rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 84, 100.0, 0);
  stage_run(&s, 2, left, right);
  htz_modal_v(htz_modal_island_body(s.instrument->keys[84].island, 0))[3] = 1e6;
  stage_run(&s, 1, left, right);
  assert_int_equal(htz_engine_count(s.engine).resets, 1);
  check_near(peak(left, 0, HTZ_QUANTUM), 0.0, 0.0);
  htz_engine_strike(s.engine, s.part, 84, 100.0, htz_engine_now(s.engine));
  stage_run(&s, 2, left, right);
  check_above(peak(left, 0, (size_t)2 * HTZ_QUANTUM), 1e-3); // and it plays on
  stage_close(&s);
}

static void silence_without_a_click(void** state) {
  (void)state;
  stage s;
  stage_open(&s, glockenspiel, rate_hz, 0);
  for (uint32_t k = 79; k < 100; k += 4) {
    htz_engine_strike(s.engine, s.part, k, 110.0, 0);
  }
  stage_run(&s, 40, left, right);
  double steps_before = 0.0;
  for (size_t i = (size_t)30 * HTZ_QUANTUM + 1; i < (size_t)40 * HTZ_QUANTUM; ++i) {
    steps_before = fmax(steps_before, fabs((double)(left[i] - left[i - 1])));
  }
  const float last = left[40 * HTZ_QUANTUM - 1];
  htz_engine_silence(s.engine, s.part, htz_engine_now(s.engine) + 5);
  stage_run(&s, 40, left, right);
  double steps = fabs((double)(left[0] - last));
  for (size_t i = 1; i < (size_t)40 * HTZ_QUANTUM; ++i) {
    steps = fmax(steps, fabs((double)(left[i] - left[i - 1])));
  }
  check_below(steps, 1.001 * steps_before); // no step that the music did not have
  const size_t in_20_ms = (size_t)(0.020 * rate_hz);
  check_near(peak(left, in_20_ms, (size_t)40 * HTZ_QUANTUM), 0.0, 0.0);
  assert_true(htz_engine_asleep(s.engine));
  // A strike during the fade sounds.
  htz_engine_strike(s.engine, s.part, 84, 110.0, htz_engine_now(s.engine));
  stage_run(&s, 5, left, right);
  htz_engine_silence(s.engine, s.part, htz_engine_now(s.engine));
  stage_run(&s, 2, left, right);
  htz_engine_strike(s.engine, s.part, 84, 110.0, htz_engine_now(s.engine));
  stage_run(&s, 40, left, right);
  check_above(peak(left, (size_t)35 * HTZ_QUANTUM, (size_t)40 * HTZ_QUANTUM), 1e-2);
  stage_close(&s);
}

/** Decay rate of the left channel over `n` frames from `from`, by energy of the two halves [1/s]. */
static double decay_rate(size_t from, size_t n) {
  double e[2] = {0.0, 0.0};
  for (size_t i = 0; i < n; ++i) {
    e[i >= n / 2] += (double)left[from + i] * (double)left[from + i];
  }
  return log(e[0] / e[1]) / (2.0 * (double)(n / 2) / rate_hz);
}

static void damper_falls_when_the_key_is_let_go(void** state) {
  (void)state;
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  htz_engine_hold(s.engine, s.part, 72, true, 0);
  htz_engine_strike(s.engine, s.part, 72, 100.0, 0);
  stage_run(&s, 200, left, right);
  const double open = decay_rate((size_t)100 * HTZ_QUANTUM, (size_t)100 * HTZ_QUANTUM);
  htz_engine_hold(s.engine, s.part, 72, false, htz_engine_now(s.engine) + 10);
  stage_run(&s, 40, left, right);
  // It lands within 25 ms: 18 quanta.
  const double shut = decay_rate((size_t)20 * HTZ_QUANTUM, (size_t)18 * HTZ_QUANTUM);
  // The file asks for 60 1/s; the bar's own loss is added. Energy of halves beats at twice the pitch: a few per cent.
  check_near(shut - open, 60.0, 6.0);
  // Struck without being held (a staccato): damped from the start.
  stage_run(&s, 100, left, right);
  htz_engine_strike(s.engine, s.part, 72, 100.0, htz_engine_now(s.engine));
  stage_run(&s, 40, left, right);
  check_near(decay_rate((size_t)10 * HTZ_QUANTUM, (size_t)30 * HTZ_QUANTUM) - open, 60.0, 6.0);
  stage_close(&s);
}

static void restrike_leaves_the_sound_alone(void** state) {
  (void)state;
  // Loud, then very soft on top: what was ringing goes on, sample by sample, within the soft strike's own size.
  static float alone[LONG * HTZ_QUANTUM], soft[LONG * HTZ_QUANTUM];
  stage s;
  stage_open(&s, glockenspiel, rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 84, 127.0, 0);
  stage_run(&s, 600, alone, right);
  stage_close(&s);
  stage_open(&s, glockenspiel, rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 84, 10.0, 0);
  stage_run(&s, 20, soft, right);
  stage_close(&s);
  stage_open(&s, glockenspiel, rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 84, 127.0, 0);
  stage_run(&s, 500, left, right);
  const double ringing = peak(left, (size_t)490 * HTZ_QUANTUM, (size_t)500 * HTZ_QUANTUM);
  htz_engine_strike(s.engine, s.part, 84, 10.0, htz_engine_now(s.engine));
  stage_run(&s, 20, left, right);
  assert_true(fabs((double)(left[0] - alone[500 * HTZ_QUANTUM])) < 2.0 * peak(soft, 0, (size_t)20 * HTZ_QUANTUM));
  check_above(peak(left, 0, (size_t)20 * HTZ_QUANTUM), 0.5 * ringing); // 6 dB
  stage_close(&s);
}

/** Frequency of the left channel by counting sign changes of the strongest partial's rise through zero [Hz]. */
static double pitch(size_t from, size_t n) {
  double first = -1.0, last = 0.0;
  size_t rises = 0;
  for (size_t i = from + 1; i < from + n; ++i) {
    if (left[i - 1] < 0.0f && left[i] >= 0.0f) {
      const double at = (double)i - (double)left[i] / (double)(left[i] - left[i - 1]);
      first = first < 0.0 ? at : first;
      last = at;
      ++rises;
    }
  }
  return (double)(rises - 1) * rate_hz / (last - first);
}

static void bends_and_tuning(void** state) {
  (void)state;
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  htz_engine_hold(s.engine, s.part, 72, true, 0);
  htz_engine_strike(s.engine, s.part, 72, 60.0, 0);
  stage_run(&s, 200, left, right);
  const double open = pitch((size_t)100 * HTZ_QUANTUM, (size_t)100 * HTZ_QUANTUM);
  const double before = htz_engine_energy(s.engine, s.part);
  stage_set(&s, HTZ_PARAM_BEND, 12.0);
  stage_run(&s, 10, left, right);
  check_near(htz_engine_energy(s.engine, s.part), before, 0.1 * before); // the glide adds nothing
  stage_run(&s, 200, left, right);
  check_close(pitch((size_t)100 * HTZ_QUANTUM, (size_t)100 * HTZ_QUANTUM), 2.0 * open, cents(1.0));
  stage_set(&s, HTZ_PARAM_BEND, 0.0);
  stage_set(&s, HTZ_PARAM_TUNE, -100.0);
  stage_run(&s, 200, left, right);
  check_close(pitch((size_t)100 * HTZ_QUANTUM, (size_t)100 * HTZ_QUANTUM), open / 1.0594630943592953, cents(1.0));
  stage_close(&s);
}

static void every_key_has_its_own_parameters(void** state) {
  (void)state;
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  const htz_param_change up = {.value = 12.0, .part = 0, .key = 72, .index = HTZ_PARAM_BEND};
  htz_engine_change(s.engine, &up);
  htz_engine_hold(s.engine, s.part, 72, true, 0);
  htz_engine_strike(s.engine, s.part, 72, 60.0, 0);
  stage_run(&s, 300, left, right);
  const double bent = pitch((size_t)100 * HTZ_QUANTUM, (size_t)200 * HTZ_QUANTUM);
  check_close(bent, 2.0 * 523.2511306011972, cents(1.0));
  htz_engine_silence(s.engine, s.part, htz_engine_now(s.engine));
  stage_run(&s, 20, left, right);
  htz_engine_hold(s.engine, s.part, 84, true, 0);
  htz_engine_strike(s.engine, s.part, 84, 60.0, htz_engine_now(s.engine));
  stage_run(&s, 300, left, right);
  check_close(pitch((size_t)100 * HTZ_QUANTUM, (size_t)200 * HTZ_QUANTUM), 1046.5022612023945, cents(1.0));
  stage_close(&s);
}

static void volume_and_pan_glide(void** state) {
  (void)state;
  stage s;
  stage_open(&s, damped, rate_hz, 0);
  htz_engine_hold(s.engine, s.part, 72, true, 0);
  htz_engine_strike(s.engine, s.part, 72, 100.0, 0);
  stage_run(&s, 100, left, right);
  const double loud = peak(left, (size_t)80 * HTZ_QUANTUM, (size_t)100 * HTZ_QUANTUM);
  stage_set(&s, HTZ_PARAM_VOLUME, 63.5);
  stage_run(&s, 40, left, right);
  // General MIDI's square law: half is -12 dB; a few per cent of decay meanwhile.
  check_close(peak(left, (size_t)20 * HTZ_QUANTUM, (size_t)40 * HTZ_QUANTUM), 0.25 * loud, 0.15);
  stage_set(&s, HTZ_PARAM_PAN, 127.0);
  stage_run(&s, 40, left, right);
  check_below(peak(left, (size_t)20 * HTZ_QUANTUM, (size_t)40 * HTZ_QUANTUM), 1e-7);
  check_above(peak(right, (size_t)20 * HTZ_QUANTUM, (size_t)40 * HTZ_QUANTUM), 0.1 * loud);
  stage_close(&s);
}

// No width: all keys in the middle, from the first stroke on. Constant power: the middle has 1/sqrt(2) of what one side can have.
static void no_width_is_the_middle(void** state) {
  (void)state;
  stage s;
  stage_open(&s, glockenspiel, rate_hz, 0);
  stage_set(&s, HTZ_PARAM_WIDTH, 0.0);
  htz_engine_strike(s.engine, s.part, 84, 100.0, 0);
  stage_run(&s, 20, left, right);
  check_above(peak(left, 0, (size_t)20 * HTZ_QUANTUM), 1e-3);
  for (size_t i = 0; i < (size_t)20 * HTZ_QUANTUM; ++i) {
    check_close((double)right[i], (double)left[i], 1e-6);
  }
  stage_close(&s);
}

static void a_flood_is_bounded(void** state) {
  (void)state;
  stage s;
  stage_open(&s, glockenspiel, rate_hz, 0);
  for (int i = 0; i < 5000; ++i) {
    htz_engine_strike(s.engine, s.part, 84, 100.0, htz_engine_now(s.engine) + (uint64_t)i % 64);
    stage_set(&s, HTZ_PARAM_VOLUME, i % 128);
    stage_set(&s, HTZ_PARAM_BEND, 0.01 * i);
  }
  stage_set(&s, HTZ_PARAM_BEND, 0.0);
  stage_set(&s, HTZ_PARAM_VOLUME, 127.0);
  stage_run(&s, 50, left, right);
  assert_true(htz_engine_count(s.engine).dropped > 4000); // counted, not forgotten
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  check_above(peak(left, 0, (size_t)50 * HTZ_QUANTUM), 1e-3);
  check_below(peak(left, 0, (size_t)50 * HTZ_QUANTUM), 4.0);
  const htz_param_change strange = {.value = 1.0, .part = 9, .key = HTZ_KEY_ALL, .index = 0};
  const htz_param_change beyond = {.value = 1.0, .part = 0, .key = HTZ_KEY_ALL, .index = 9999};
  const uint64_t dropped = htz_engine_count(s.engine).dropped;
  htz_engine_change(s.engine, &strange);
  htz_engine_change(s.engine, &beyond);
  assert_int_equal(htz_engine_count(s.engine).dropped, dropped + 2);
  stage_close(&s);
}

static void rates_are_checked(void** state) {
  (void)state;
  htz_engine* e = NULL;
  assert_int_equal(htz_engine_new(&(htz_engine_desc){.rate_hz = 4000.0}, &e), HTZ_BAD_VALUE);
  assert_int_equal(htz_engine_new(&(htz_engine_desc){.rate_hz = (double)NAN}, &e), HTZ_BAD_VALUE);
  assert_int_equal(htz_engine_new(&(htz_engine_desc){.rate_hz = 48000.0, .rings = 9}, &e), HTZ_BAD_VALUE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(starts_at_its_frame),
                                     cmocka_unit_test(late_and_early_events_are_clamped),
                                     cmocka_unit_test(beyond_the_range_another_octave_plays),
                                     cmocka_unit_test(a_key_of_two_notes_is_let_go_by_the_second),
                                     cmocka_unit_test(same_twice),
                                     cmocka_unit_test(sleeps_when_it_cannot_be_heard),
                                     cmocka_unit_test(a_planted_nan_costs_one_key),
                                     cmocka_unit_test(a_runaway_is_stopped),
                                     cmocka_unit_test(silence_without_a_click),
                                     cmocka_unit_test(damper_falls_when_the_key_is_let_go),
                                     cmocka_unit_test(restrike_leaves_the_sound_alone),
                                     cmocka_unit_test(bends_and_tuning),
                                     cmocka_unit_test(every_key_has_its_own_parameters),
                                     cmocka_unit_test(volume_and_pan_glide),
                                     cmocka_unit_test(no_width_is_the_middle),
                                     cmocka_unit_test(a_flood_is_bounded),
                                     cmocka_unit_test(rates_are_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
