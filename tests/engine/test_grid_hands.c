// What a player's hands and feet do to grids: dampers, a bow that comes and goes, a rattle that is moved, made lighter and taken away.
#include "check.h"

#include "hertzian/contact/grid_island.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>

static const double rate_hz = 48000.0;

enum { KEY = 57 };

// Every partial of the string decays alike.
static const char plucked[] =
    "format: 1\nfamily: grid\nname: Plucked\nkeys: [57, 57]\nbend_range: 13\nper_key:\n"
    "  string: {body: string, length: 0.65, lin_density: 0.002, t60: 4}\n"
    "  nut: {body: mass, mass: 0.0005, frequency: 20, loss: 6}\n"
    "contacts:\n  - {between: [nut, string], at: 0.75, stiffness: 1.0e+7, exponent: 1.3, gap: %s, role: rattle}\n"
    "pluck: {string: string, at: 0.2, height: [2.0e-4, 2.0e-3], time: %s}\n"
    "pickups: [{of: string, quantity: force, at: 1, gain: 0.02}]\ndamper: {loss: 30}\n";
static const char bowed[] =
    "format: 1\nfamily: grid\nname: Bowed\nkeys: [57, 57]\nbend_range: 13\nper_key:\n"
    "  string: {body: string, length: 0.65, lin_density: 0.002, t60: 4, t60_high: 0.5, t60_high_hz: 3000}\n"
    "bow: {plays: string, at: 0.13, force: [0.4, 0.4], speed: [0.15, 0.15], attack: [0.1, 0.1],\n"
    "  friction: {law: static, sharpness: 200}}\n"
    "pickups: [{of: string, quantity: force, at: 1, gain: 0.02}]\n";

static void open_plucked(sound* s, const char* gap, const char* time) {
  char text[2048];
  snprintf(text, sizeof text, plucked, gap, time);
  assert_true(sound_open_text(s, text, rate_hz));
}

static const htz_grid_network* network_of(const sound* s) {
  return htz_grid_island_network(s->instrument->keys[KEY].island);
}

static void run(sound* s, size_t quanta) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, left, right);
  }
}

static void press(sound* s, double velocity) {
  htz_engine_strike(s->engine, 0, KEY, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, KEY, true, htz_engine_now(s->engine));
}

static void let_go(sound* s) {
  htz_engine_hold(s->engine, 0, KEY, false, htz_engine_now(s->engine));
}

static double decay_now(sound* s, size_t quanta) {
  const double before = htz_engine_energy(s->engine, 0);
  run(s, quanta);
  return 0.5 * log(before / htz_engine_energy(s->engine, 0)) * rate_hz / (double)(quanta * HTZ_QUANTUM);
}

/** Let go, the string is damped as much as the file says, the pedal takes that off again, and `damper` and `decay` are factors. */
static void the_damper_falls(void** state) {
  static const double own = 1.727, loss = 30.0; // 3 ln 10/4 s; a grid's losses are those of the file within some per cent
  sound s;
  (void)state;
  open_plucked(&s, "5.0e-3", "0.004");
  press(&s, 64.0);
  run(&s, 100);
  check_near(decay_now(&s, 100), own, 0.2);
  let_go(&s);
  run(&s, 30);
  check_near(decay_now(&s, 40), own + loss, 0.05 * loss);
  htz_engine_change(
      s.engine,
      &(htz_param_change){.frame = htz_engine_now(s.engine), .value = 127.0, .key = HTZ_KEY_ALL, .index = HTZ_PARAM_SUSTAIN});
  run(&s, 10);
  check_near(decay_now(&s, 40), own, 0.2);
  sound_close(&s);
  open_plucked(&s, "5.0e-3", "0.004");
  assert_true(sound_set(&s, "damper", 2.0));
  assert_true(sound_set(&s, "decay", 0.25));
  press(&s, 64.0);
  run(&s, 100);
  check_near(decay_now(&s, 100), 4.0 * own, 4.0 * 0.2);
  let_go(&s);
  run(&s, 30);
  check_near(decay_now(&s, 40), 4.0 * own + 2.0 * loss, 0.05 * 2.0 * loss);
  sound_close(&s);
}

/** A gap that is moved while it sounds goes a tenth of what is left in every quantum: it knocks at nothing. */
static void a_moved_gap_glides(void** state) {
  static const double from = 5e-3, to = 3e-3, string = 1e-3; // [m] the string is nowhere farther off its rest than that
  sound s;
  (void)state;
  open_plucked(&s, "5.0e-3", "0.004");
  press(&s, 1.0);
  run(&s, 20);
  const htz_grid_account* nut = htz_grid_network_contact(network_of(&s), 0);
  check_near(nut->eta, -from, 0.3 * string);
  assert_true(sound_set(&s, "rattle.gap", to));
  for (int q = 1; q <= 60; ++q) {
    run(&s, 1);
    check_near(nut->eta, -(to + (from - to) * pow(0.9, q)), 0.3 * string);
  }
  assert_int_equal(nut->closures, 0);
  sound_close(&s);
}

/** A rattle that is moved along the string goes a tenth of what is left in every quantum: seen on a string that a hand holds aside. */
static void a_moved_rattle_glides(void** state) {
  static const double gap = 5e-3, from = 0.75, to = 0.5;
  sound s;
  (void)state;
  open_plucked(&s, "5.0e-3", "0.1"); // from 80 ms on it is held still, a triangle
  press(&s, 64.0);
  run(&s, 61);
  const htz_grid_account* nut = htz_grid_network_contact(network_of(&s), 0);
  const double aside = nut->eta + gap;
  check_above(fabs(aside), 1e-4);
  assert_true(sound_set(&s, "rattle.at", to));
  for (int q = 1; q <= 12; ++q) {
    run(&s, 1);
    const double at = to + (from - to) * pow(0.9, q);
    check_close(nut->eta + gap, aside * (1.0 - at) / (1.0 - from), 0.05); // between two grid points of some fifty
  }
  assert_true(s.instrument->keys[KEY].island->cls->busy(s.instrument->keys[KEY].island)); // still held
  sound_close(&s);
}

/** Amplitude of a partial in x [n], under a Hann window. */
static double partial_of(const float* x, size_t n, double hz) {
  const double two_pi = 6.28318530717958647693;
  double re = 0.0, im = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double w = 0.5 * (1.0 - cos(two_pi * (double)i / (double)n)), phase = two_pi * hz * (double)i / rate_hz;
    re += w * (double)x[i] * cos(phase);
    im += w * (double)x[i] * sin(phase);
  }
  return hypot(re, im);
}

static float heard[200 * HTZ_QUANTUM];

/** A grid is bent like any other body: an octave up nothing is left at the pitch that it had. */
static void a_bend_retunes(void** state) {
  (void)state;
  for (int bent = 0; bent < 2; ++bent) {
    sound s;
    float right[HTZ_QUANTUM];
    open_plucked(&s, "5.0e-3", "0.004");
    press(&s, 64.0);
    run(&s, 20);
    assert_true(sound_set(&s, "tune", bent ? 1200.0 : 0.0));
    run(&s, 20); // there in 4
    for (size_t q = 0; q < 200; ++q) {
      htz_engine_quantum(s.engine, heard + q * HTZ_QUANTUM, right);
    }
    const double low = partial_of(heard, sizeof heard / sizeof heard[0], htz_key_hz(KEY));
    const double high = partial_of(heard, sizeof heard / sizeof heard[0], 2.0 * htz_key_hz(KEY));
    if (bent) {
      check_below(low, 0.01 * high);
    } else {
      check_above(low, 0.1 * high);
    }
    sound_close(&s);
  }
}

/** Plucked in the middle, a string has no second partial; where the file says, it has. */
static void the_place_of_a_pluck_can_be_moved(void** state) {
  (void)state;
  for (int middle = 0; middle < 2; ++middle) {
    sound s;
    float right[HTZ_QUANTUM];
    open_plucked(&s, "5.0e-3", "0.004");
    assert_true(sound_set(&s, "mallet.at", middle ? 0.5 : (double)NAN));
    press(&s, 64.0);
    run(&s, 10);
    for (size_t q = 0; q < 200; ++q) {
      htz_engine_quantum(s.engine, heard + q * HTZ_QUANTUM, right);
    }
    const double first = partial_of(heard, sizeof heard / sizeof heard[0], htz_key_hz(KEY));
    const double second = partial_of(heard, sizeof heard / sizeof heard[0], 2.0 * htz_key_hz(KEY));
    if (middle) {
      check_below(second, 0.01 * first);
    } else {
      check_above(second, 0.2 * first);
    }
    sound_close(&s);
  }
}

/** Made as light as nothing, what rattles is not there. */
static void without_mass_nothing_rattles(void** state) {
  sound s;
  (void)state;
  open_plucked(&s, "1.0e-5", "0.004");
  press(&s, 100.0);
  run(&s, 100);
  const htz_grid_account* nut = htz_grid_network_contact(network_of(&s), 0);
  const uint64_t touches = nut->closures;
  assert_true(touches > 5);
  assert_true(sound_set(&s, "rattle.mass", 0.0));
  run(&s, 1);
  const uint64_t now = nut->closures;
  run(&s, 100);
  assert_int_equal(nut->closures, now);
  sound_close(&s);
}

/** A mallet thrown at a grid brings the energy of the weight and the speed that it is given. */
static void a_mallet_has_its_weight_and_speed(void** state) {
  static const char struck[] = "format: 1\nfamily: grid\nname: Struck\nkeys: [57, 57]\nbend_range: 2\nper_key:\n"
                               "  string: {body: string, length: 0.65, lin_density: 0.002, sigma0: 0}\n"
                               "mallet: {strikes: string, mass: 0.004, speed: [1, 4], at: 0.2,\n"
                               "  contact: {stiffness: 1.0e+7, exponent: 1.5, viscosity: 0}}\n"
                               "pickups: [{of: string, quantity: force, at: 1, gain: 0.02}]\n";
  (void)state;
  for (int i = 0; i < 3; ++i) {
    sound s;
    assert_true(sound_open_text(&s, struck, rate_hz));
    assert_true(sound_set(&s, i == 1 ? "mallet.mass" : "mallet.speed", i ? 2.0 : 1.0));
    press(&s, 1.0);
    run(&s, 1);
    check_close(htz_engine_energy(s.engine, 0), 0.5 * 0.004 * (i == 0 ? 1.0 : i == 1 ? 2.0 : 4.0), 1e-6);
    sound_close(&s);
  }
}

/** The bow's force comes within 10 ms, evenly, and goes within 30 ms of the key. */
static void a_bow_comes_and_goes(void** state) {
  sound s;
  (void)state;
  assert_true(sound_open_text(&s, bowed, rate_hz));
  const htz_friction_state* friction = htz_grid_network_friction(network_of(&s), 0);
  press(&s, 64.0);
  run(&s, 1);
  const double first = friction->normal;
  run(&s, 9);
  const double landed = friction->normal;
  check_above(landed, 0.4); // it bites
  // 64 of the 480 samples that it takes; the bite is less by then, by 6 %.
  check_close(first, landed * 64.0 / 480.0, 0.1);
  run(&s, 400);
  assert_true(htz_engine_count(s.engine).closures > 20);
  let_go(&s);
  run(&s, 12);
  check_above(friction->normal, 0.3 * 0.4);
  run(&s, 13);
  assert_true(friction->normal == 0.0);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_damper_falls),
                                     cmocka_unit_test(a_moved_gap_glides),
                                     cmocka_unit_test(a_moved_rattle_glides),
                                     cmocka_unit_test(a_bend_retunes),
                                     cmocka_unit_test(the_place_of_a_pluck_can_be_moved),
                                     cmocka_unit_test(without_mass_nothing_rattles),
                                     cmocka_unit_test(a_mallet_has_its_weight_and_speed),
                                     cmocka_unit_test(a_bow_comes_and_goes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
