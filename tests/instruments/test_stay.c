// Instruments whose mallets stay: marbles come to rest, balls roll, hammers are driven by a signal.
#include "check.h"
#include "sound/loudness.h"
#include "sound/render.h"
#include "sound/stage.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double forte = 100.0;
enum { KEY = 69, SECOND = 48000 / HTZ_QUANTUM };

typedef struct {
  double square; // mean [1]
  double centre; // root of the mean square of the slope over that of the signal [1/sample]: how bright
  double peak;
} heard;

/** Run and hear `quanta` quanta, driven by a sine of `drive` at full scale where that is not 0. */
static heard hear(stage* s, size_t quanta, double drive) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM], signal[HTZ_QUANTUM];
  heard h = {0.0, 0.0, 0.0};
  double slope = 0.0, before = 0.0;
  for (size_t q = 0; q < quanta; ++q) {
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const double t = (double)(htz_engine_now(s->engine) + i) / rate_hz;
      signal[i] = (float)(drive * sin(6.283185307179586 * 90.0 * t));
    }
    htz_engine_drive(s->engine, drive != 0.0 ? signal : NULL);
    stage_run(s, 1, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const double x = (double)left[i] + (double)right[i];
      assert_true(isfinite(x));
      h.square += x * x;
      slope += (x - before) * (x - before);
      h.peak = fabs(x) > h.peak ? fabs(x) : h.peak;
      before = x;
    }
  }
  h.centre = h.square > 0.0 ? sqrt(slope / h.square) : 0.0;
  h.square /= (double)(quanta * HTZ_QUANTUM);
  return h;
}

static void strike(stage* s, uint32_t key, double velocity) {
  htz_engine_strike(s->engine, s->part, key, velocity, htz_engine_now(s->engine));
}

static void hold(stage* s, uint32_t key, bool down) {
  htz_engine_hold(s->engine, s->part, key, down, htz_engine_now(s->engine));
}

/** Seconds until all keys sleep, or `most`. */
static double until_asleep(stage* s, double most) {
  size_t quanta = 0;
  for (; (double)quanta < most * SECOND && !htz_engine_asleep(s->engine); ++quanta) {
    stage_run(s, 1, NULL, NULL);
  }
  return (double)quanta / SECOND;
}

static htz_island* island_of(stage* s, uint32_t key) {
  return s->instrument->keys[key].island;
}

static bool ball_there(stage* s, uint32_t key) {
  double q, v;
  return htz_modal_island_mallet(island_of(s, key), 0, &q, &v);
}

static void marbles_bounce_and_lie(void** state) {
  (void)state;
  stage s;
  stage_open(&s, "instruments/marbles.yaml", rate_hz, 0);
  strike(&s, KEY, forte);
  const htz_network* net = htz_modal_island_network(island_of(&s, KEY));
  hear(&s, SECOND / 5, 0.0);
  // In the air it costs next to nothing: bar and ball go by the quantum.
  check_below((double)htz_network_count(net)->samples, 0.1 * rate_hz / 5.0);
  const double lay = until_asleep(&s, 20.0);
  const htz_engine_counters once = htz_engine_count(s.engine);
  print_message("a marble lies after %.1f s and %llu contacts\n", lay, (unsigned long long)once.closures);
  assert_true(htz_engine_asleep(s.engine));
  assert_true(once.closures > 20);
  assert_true(ball_there(&s, KEY));
  // Thrown again: the one that lay there is picked up, which is no reuse; the bar sounds as before.
  strike(&s, KEY, forte);
  check_above(hear(&s, 8, 0.0).peak, 0.01);
  assert_int_equal(htz_engine_count(s.engine).reused, 0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  // Overload may damp a key whose marble is on its way.
  assert_int_equal(htz_engine_relieve(s.engine, 1), 1);
  check_below(until_asleep(&s, 0.05), 0.05);
  // More throws than marbles: one in the air has to be taken.
  for (int i = 0; i < 4; ++i) {
    strike(&s, KEY, forte);
    hear(&s, SECOND / 20, 0.0);
  }
  assert_true(htz_engine_count(s.engine).reused > 0);
  check_below(until_asleep(&s, 20.0), 20.0);
  // Silence takes away what lies there.
  htz_engine_silence(s.engine, s.part, htz_engine_now(s.engine));
  assert_false(ball_there(&s, KEY));
  stage_close(&s);
}

static void without_gravity_marbles_fly_off(void** state) {
  (void)state;
  stage s;
  stage_open(&s, "instruments/marbles.yaml", rate_hz, 0);
  stage_set(&s, HTZ_PARAM_GRAVITY, 0.0);
  strike(&s, KEY, forte);
  hear(&s, SECOND / 10, 0.0);
  assert_false(ball_there(&s, KEY));
  stage_close(&s);
}

static heard roll_with(double speed, double roughness) {
  stage s;
  stage_open(&s, "instruments/rolling.yaml", rate_hz, 0);
  stage_set(&s, HTZ_PARAM_ROLL_SPEED, speed);
  stage_set(&s, HTZ_PARAM_ROLL_ROUGHNESS, roughness);
  hold(&s, KEY, true);
  strike(&s, KEY, 40.0);
  hear(&s, SECOND / 2, 0.0);
  const heard h = hear(&s, 2 * SECOND, 0.0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
  return h;
}

static void rolling_follows_speed_and_roughness(void** state) {
  (void)state;
  const heard slow = roll_with(0.5, 1e-6), usual = roll_with(1.0, 1e-6), fast = roll_with(2.5, 1e-6);
  const heard smooth = roll_with(1.0, 2e-7), rough = roll_with(1.0, 8e-6);
  print_message("level, slow usual fast: %.1f %.1f %.1f dB; smooth rough: %.1f %.1f dB; brightness %.3f %.3f %.3f\n",
                0.5 * decibels(slow.square), 0.5 * decibels(usual.square), 0.5 * decibels(fast.square),
                0.5 * decibels(smooth.square), 0.5 * decibels(rough.square), slow.centre, usual.centre, fast.centre);
  // Each half as loud again at least: what one hears at once.
  check_above(usual.square, 2.0 * slow.square);
  check_above(fast.square, 2.0 * usual.square);
  check_above(usual.square, 2.0 * smooth.square);
  check_above(rough.square, 2.0 * usual.square);
  // Faster over the same grains: higher frequencies.
  check_above(usual.centre, slow.centre);
}

static void let_go_the_ball_stops(void** state) {
  (void)state;
  stage s;
  stage_open(&s, "instruments/rolling.yaml", rate_hz, 0);
  hold(&s, KEY, true);
  strike(&s, KEY, forte);
  hear(&s, 2 * SECOND, 0.0);
  const heard held = hear(&s, SECOND, 0.0);
  hold(&s, KEY, false);
  const double stopped = until_asleep(&s, 20.0);
  print_message("rolls on for %.1f s\n", stopped);
  check_below(stopped, 20.0);
  assert_true(ball_there(&s, KEY));
  // A pedal keeps what is held; it takes nothing up.
  stage_set(&s, HTZ_PARAM_SUSTAIN, 127.0);
  hear(&s, 4, 0.0);
  assert_true(htz_engine_asleep(s.engine));
  stage_set(&s, HTZ_PARAM_SUSTAIN, 0.0);
  // Pressed again, it goes on.
  hold(&s, KEY, true);
  strike(&s, KEY, forte);
  hear(&s, SECOND, 0.0);
  check_above(hear(&s, SECOND, 0.0).square, 0.1 * held.square);
  assert_int_equal(htz_engine_count(s.engine).reused, 0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

static void hammer_is_driven_while_held(void** state) {
  (void)state;
  const double loud = 1.0;
  stage s;
  stage_open(&s, "instruments/phonobump.yaml", rate_hz, 0);
  // Nobody holds a key: nothing happens, and the engine sleeps.
  assert_true(hear(&s, 8, loud).peak == 0.0);
  assert_true(htz_engine_asleep(s.engine));
  // Without a signal it is a mallet instrument.
  hold(&s, KEY, true);
  strike(&s, KEY, forte);
  check_above(hear(&s, SECOND / 4, 0.0).peak, 0.02);
  check_below(until_asleep(&s, 30.0), 30.0);
  assert_true(ball_there(&s, KEY));
  // The signal wakes it.
  const heard driven = hear(&s, SECOND, loud);
  check_above(driven.peak, 0.005);
  const htz_engine_counters count = htz_engine_count(s.engine);
  print_message("driven: peak %.1f dBFS, %llu contacts\n", decibels(driven.peak), (unsigned long long)count.closures);
  assert_true(count.closures > 10);
  assert_int_equal(count.resets, 0);
  // Let go, the hammer goes and the damper falls.
  hold(&s, KEY, false);
  hear(&s, SECOND, loud);
  assert_false(ball_there(&s, KEY));
  assert_true(htz_engine_asleep(s.engine));
  // Under the pedal it stays.
  stage_set(&s, HTZ_PARAM_SUSTAIN, 127.0);
  strike(&s, KEY, forte);
  hear(&s, SECOND, loud);
  assert_true(ball_there(&s, KEY));
  stage_close(&s);
}

/** What does not listen to the signal gives the same bits with and without. */
static void others_do_not_hear_the_signal(void** state) {
  (void)state;
  float left[2][SECOND / 4 * HTZ_QUANTUM];
  for (int i = 0; i < 2; ++i) {
    stage s;
    stage_open(&s, "instruments/marbles.yaml", rate_hz, 0);
    strike(&s, KEY, forte);
    const float ones[HTZ_QUANTUM] = {1.0f};
    for (size_t q = 0; q < SECOND / 4; ++q) {
      htz_engine_drive(s.engine, i ? ones : NULL);
      stage_run(&s, 1, left[i] + q * HTZ_QUANTUM, NULL);
    }
    stage_close(&s);
  }
  assert_memory_equal(left[0], left[1], sizeof left[0]);
}

/** One key after the other, held and driven, then let go: finite, no key reset, each side within 6 dB of full scale. */
static void check_setting(stage* s, const char* name, const char* param, bool most) {
  const double most_db = 6.0 + 6.0; // of both sides together
  for (uint32_t key = 5; key < HTZ_KEYS; key += 30) {
    hold(s, key, true);
    strike(s, key, most ? 127.0 : 1.0);
    const double driven = hear(s, 24, 1.0).peak;
    hold(s, key, false);
    const double after = hear(s, 12, 0.0).peak;
    const double peak_db = decibels(driven > after ? driven : after);
    if (!(peak_db < most_db) || htz_engine_count(s->engine).resets) {
      print_error("%s, key %u, %s at its %s: %.1f dBFS, %llu resets\n", name, key, param, most ? "most" : "least", peak_db,
                  (unsigned long long)htz_engine_count(s->engine).resets);
      fail();
    }
    htz_engine_silence(s->engine, s->part, htz_engine_now(s->engine));
    hear(s, 12, 0.0);
  }
}

static void finite_at_both_ends_of_every_parameter(void** state) {
  static const char* const names[] = {"instruments/marbles.yaml", "instruments/rolling.yaml", "instruments/phonobump.yaml"};
  static const double rates[] = {8000.0, 48000.0};
  (void)state;
  for (size_t i = 0; i < 6; ++i) {
    stage s;
    stage_open(&s, names[i / 2], rates[i % 2], 0);
    for (uint32_t p = 0; p < HTZ_PARAM_NAMED; ++p) {
      for (int end = 0; end < 2 && htz_spec_param_used(s.spec, (htz_param_index)p); ++end) {
        const htz_param_desc* desc = &htz_instrument_params[p];
        stage_set(&s, (htz_param_index)p, end ? desc->maximum : desc->minimum);
        check_setting(&s, names[i / 2], desc->name, end);
      }
      if (htz_spec_param_used(s.spec, (htz_param_index)p)) {
        stage_set(&s, (htz_param_index)p, (double)NAN);
      }
    }
    stage_close(&s);
  }
}

/** The keys are about as loud as each other, and ten fortissimo notes fit below full scale; how loud that is, test_every holds. */
static void check_level(const char* name, double even_db) {
  static const double peak_most_db = -10.0;
  char path[HTZ_PATH_MAX];
  sound s;
  note n;
  instrument_path(name, path);
  assert_true(sound_open(&s, path, rate_hz));
  sound_note(&s, (unsigned)(s.spec->key_low + s.spec->key_high) / 2, 127.0, 0, (size_t)rate_hz, &n);
  const double peak_db = decibels(fmax(peak_of(n.left, n.frames), peak_of(n.right, n.frames)));
  note_free(&n);
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int key = s.spec->key_low; key <= s.spec->key_high; key += 4) {
    sound_note(&s, (unsigned)key, 80.0, 0, (size_t)rate_hz, &n);
    const double lufs = loudness_momentary_max(n.left, n.right, n.frames, rate_hz, (size_t)rate_hz / 100);
    least = fmin(least, lufs);
    most = fmax(most, lufs);
    note_free(&n);
  }
  sound_close(&s);
  print_message("%s: fortissimo peaks at %.1f dBFS, keys within %.1f dB\n", name, peak_db, most - least);
  check_below(peak_db, peak_most_db);
  check_below(most - least, even_db);
}

static void levels_are_those_of_other_instruments(void** state) {
  (void)state;
  check_level("marbles", 4.0);
  check_level("phonobump", 4.0);
  check_level("rolling", 6.0); // no two stretches of a rough surface are the same
}

/** What a file says of such mallets is checked against the rest of it. */
static void faults_are_told(void** state) {
  static const char head[] =
      "format: 1\nname: Rig\nkeys: [60, 60]\nper_key: {bar: {body: bar, material: steel, length: 0.2, width: "
      "0.03, thickness: 0.008, t60: 1}}\npickups: [{of: bar}]\nmallet:\n  strikes: bar\n  mass: 0.01\n  "
      "speed: [0.1, 1]\n  contact: {stiffness: 1e+8}\n";
  static const char roll[] = "  roll: {speed: [0.1, 1], roughness: 1e-6, radius: 0.01}\n";
  static const char drive[] = "  drive: {gain: 1, rest: 0.001}\n";
  static const struct {
    const char *first, *second, *third, *fault;
  } cases[] = {
      {"  gravity: 9.81\n", "", "", NULL},
      {"  gravity: 9.81\n", roll, "", NULL},
      {drive, "", "", NULL},
      {"  gravity: -1\n", "", "", "gravity: -1 m/s^2 is out of range"},
      {roll, "", "", "roll: nothing presses the ball on"},
      {"  gravity: 9.81\n", roll, drive, NULL},
      {drive, "  pool: 2\n", "", NULL},
      {roll, drive, "", NULL},
      {"  gravity: 9.81\n", "  lift: [0.001, 0.002]\n", "", "nothing to bounce, hang or roll on"},
      {"  drive: {gain: 1}\n", "", "", "rest"},
      {"  gravity: 9.81\n", "controls: {drive.gain: {cc: 1}}\n", "", "\"drive.gain\" has no effect"},
      {"  gravity: 9.81\n", "  solver: am1\n", "", "no gravity, drive or roll"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[2048];
    htz_spec* spec;
    htz_diags diags;
    const int n = snprintf(text, sizeof text, "%s%s%s%s", head, cases[i].first, cases[i].second, cases[i].third);
    const htz_status st = htz_spec_parse("rig.yaml", text, (size_t)n, &spec, &diags);
    if ((st == HTZ_OK) != (cases[i].fault == NULL) || (st && !strstr(diags.item[0].text, cases[i].fault))) {
      print_error("case %zu: %s\n", i, st ? diags.item[0].text : "no fault");
      fail();
    }
    htz_spec_free(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marbles_bounce_and_lie),
      cmocka_unit_test(without_gravity_marbles_fly_off),
      cmocka_unit_test(rolling_follows_speed_and_roughness),
      cmocka_unit_test(let_go_the_ball_stops),
      cmocka_unit_test(hammer_is_driven_while_held),
      cmocka_unit_test(others_do_not_hear_the_signal),
      cmocka_unit_test(finite_at_both_ends_of_every_parameter),
      cmocka_unit_test(levels_are_those_of_other_instruments),
      cmocka_unit_test(faults_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
