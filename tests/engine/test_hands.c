/*
   What a player's hands and feet do to instruments of modes: that each control does what it says, by how much, and gradually. Expected
   values are those of the instrument guide's words, written out here.
*/
#include "hands.h"

static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM], other[QUANTA * HTZ_QUANTUM];

// Strokes.

/** The soft pedal shifts the action: softer felt, in proportion to the pedal, and from half way one string less. */
static void una_corda(void** state) {
  static const double hardness = 0.6, shallow = 60.0; // the file's; short of half way
  (void)state;
  sound s;
  assert_true(sound_open_text(&s, strings, rate_hz));
  press(&s, KEY, 100.0);
  run(&s, 20, other, NULL);
  for (size_t i = 0; i < 3; ++i) {
    check_above(energy_of(&s, KEY, i), 0.0);
  }
  sound_rest(&s);
  set(&s, HTZ_PARAM_SOFT, shallow);
  press(&s, KEY, 100.0);
  run(&s, 20, left, NULL);
  check_other(left, other, (size_t)20 * HTZ_QUANTUM);
  sound_rest(&s);
  set(&s, HTZ_PARAM_SOFT, 0.0);
  set(&s, HTZ_PARAM_MALLET_HARDNESS, 1.0 + (hardness - 1.0) * shallow / 127.0);
  press(&s, KEY, 100.0);
  run(&s, 20, right, NULL);
  check_alike(left, right, (size_t)20 * HTZ_QUANTUM);
  sound_rest(&s);
  set(&s, HTZ_PARAM_SOFT, 127.0);
  press(&s, KEY, 100.0);
  run(&s, 20, NULL, NULL);
  size_t struck = 0;
  for (size_t i = 0; i < 3; ++i) {
    struck += energy_of(&s, KEY, i) > 0.0;
  }
  assert_int_equal(struck, 2);
  sound_close(&s);
}

/** Even steps of velocity are even steps of loudness: the middle is the geometric mean of the ends. */
static void velocity_is_exponential(void** state) {
  static const double velocity[] = {1.0, 64.0, 127.0};
  double peak[3];
  (void)state;
  for (size_t i = 0; i < 3; ++i) {
    sound s;
    open_bar(&s, "");
    press(&s, KEY, velocity[i]);
    run(&s, 20, left, NULL);
    peak[i] = sqrt(power(left, (size_t)20 * HTZ_QUANTUM));
    sound_close(&s);
  }
  check_close(peak[2] / peak[0], 40.0, 1e-5); // the file's
  check_close(peak[1] * peak[1], peak[0] * peak[2], 1e-5);
}

static void strike_with(const char* more, htz_param_index index, double value, double velocity, float* out) {
  sound s;
  open_bar(&s, more);
  set(&s, index, value);
  press(&s, KEY, velocity);
  run(&s, 20, out, NULL);
  sound_close(&s);
}

/** The mallet's speed is a factor on the velocity's, its hardness one on the file's; both are put back to what the file says. */
static void controls_go_back_to_the_file(void** state) {
  char text[2048];
  sound s;
  double tuned[3];
  (void)state;
  strike_with("", HTZ_PARAM_MALLET_SPEED, 2.0, 64.0, left);
  strike_with("", HTZ_PARAM_MALLET_SPEED, 1.0, 64.0, other);
  check_close(sqrt(power(left, (size_t)20 * HTZ_QUANTUM) / power(other, (size_t)20 * HTZ_QUANTUM)), 2.0, 1e-5);
  const int n = snprintf(text, sizeof text, bar, "");
  snprintf(text + n, sizeof text - (size_t)n, "defaults: {tune: 100}\n");
  assert_true(sound_open_text(&s, text, rate_hz));
  for (int i = 0; i < 3; ++i) {
    if (i > 0) {
      set(&s, HTZ_PARAM_TUNE, i == 1 ? -200.0 : (double)NAN);
    }
    press(&s, KEY, 64.0);
    run(&s, 20, NULL, NULL);
    tuned[i] = 12.0 * log2(tuned_to(body_of(&s, KEY, 0), 0) / htz_key_hz(KEY));
  }
  check_near(tuned[0], 1.0, 1e-3);
  check_near(tuned[1], -2.0, 1e-3);
  check_near(tuned[2], 1.0, 1e-3);
  sound_close(&s);
}

/** `touch` softens the softest stroke by its factor, a kind of mallet has the hardness it was given. */
static void touch_and_kinds_are_hardness(void** state) {
  static const char kinds[] = "  kinds: [{name: soft, hardness: 0.1}, {name: hard, mass: 2}]\n";
  (void)state;
  strike_with("  touch: 0.3\n", HTZ_PARAM_MALLET_HARDNESS, 1.0, 1.0, left);
  strike_with("", HTZ_PARAM_MALLET_HARDNESS, 0.3, 1.0, right);
  strike_with("", HTZ_PARAM_MALLET_HARDNESS, 1.0, 1.0, other);
  check_alike(left, right, (size_t)20 * HTZ_QUANTUM);
  check_other(left, other, (size_t)20 * HTZ_QUANTUM);
  strike_with(kinds, HTZ_PARAM_MALLET_KIND, 0.0, 100.0, left);
  strike_with("", HTZ_PARAM_MALLET_HARDNESS, 0.1, 100.0, right);
  check_alike(left, right, (size_t)20 * HTZ_QUANTUM);
  strike_with(kinds, HTZ_PARAM_MALLET_KIND, 1.0, 100.0, left);
  strike_with("", HTZ_PARAM_MALLET_MASS, 2.0, 100.0, right);
  check_alike(left, right, (size_t)20 * HTZ_QUANTUM);
}

/** A mallet with a solver of its own can be made softer and heavier, too, and is heard to be. */
static void solvers_hear_the_mallet(void** state) {
  static const char solver[] = "  solver: am1\n";
  (void)state;
  strike_with(solver, HTZ_PARAM_MALLET_HARDNESS, 1.0, 100.0, other);
  strike_with(solver, HTZ_PARAM_MALLET_HARDNESS, 0.1, 100.0, left);
  check_other(left, other, (size_t)20 * HTZ_QUANTUM);
  strike_with(solver, HTZ_PARAM_MALLET_MASS, 2.0, 100.0, left);
  check_other(left, other, (size_t)20 * HTZ_QUANTUM);
}

/** Struck in the middle, a string has no even partials; where the file says, it has. */
static void the_place_of_the_stroke_can_be_moved(void** state) {
  (void)state;
  for (int middle = 0; middle < 2; ++middle) {
    sound s;
    assert_true(sound_open_text(&s, strings, rate_hz));
    set(&s, HTZ_PARAM_MALLET_AT, middle ? 0.5 : (double)NAN);
    press(&s, KEY, 100.0);
    run(&s, 20, NULL, NULL);
    const double first = hypot(htz_modal_q(body_of(&s, KEY, 0))[0] * two_pi * 262.0, htz_modal_v(body_of(&s, KEY, 0))[0]);
    const double second = hypot(htz_modal_q(body_of(&s, KEY, 0))[1] * two_pi * 523.0, htz_modal_v(body_of(&s, KEY, 0))[1]);
    if (middle) {
      check_below(second, 1e-9 * first);
    } else {
      check_above(second, 0.1 * first);
    }
    sound_close(&s);
  }
}

// While it sounds.

/** The wheel glides over 5 ms, 4 quanta, in even intervals. */
static void a_bend_glides(void** state) {
  (void)state;
  sound s;
  open_bar(&s, "");
  press(&s, KEY, 100.0);
  run(&s, 100, NULL, NULL);
  set(&s, HTZ_PARAM_BEND, 12.0);
  for (int q = 1; q <= 6; ++q) {
    run(&s, 1, NULL, NULL);
    check_close(tuned_to(body_of(&s, KEY, 0), 0), htz_key_hz(KEY) * exp2(q < 4 ? q / 4.0 : 1.0), cents(0.1));
  }
  sound_close(&s);
}

/** A second run with `index` changed after 100 quanta, over the first without: what the change multiplies each frame by. */
static void changed(htz_param_index index, double value, double* factor, size_t frames) {
  for (int change = 0; change < 2; ++change) {
    sound s;
    open_bar(&s, "");
    press(&s, KEY, 100.0);
    run(&s, 100, NULL, NULL);
    if (change) {
      set(&s, index, value);
    }
    run(&s, 1 + frames / HTZ_QUANTUM, change ? left : other, right);
    sound_close(&s);
  }
  const double enough = 0.1 * sqrt(power(other, frames)); // next to a zero the ratio is noise
  for (size_t i = 0; i < frames; ++i) {
    factor[i] = fabs((double)other[i]) > enough ? (double)left[i] / (double)other[i] : (double)NAN;
  }
}

static void check_factor(double factor, double expected) {
  if (!isnan(factor)) {
    check_near(factor, expected, 1e-5); // single precision
  }
}

/** Volume, expression and pan go there in 10 ms, evenly; level in a quantum. Half a controller is a quarter of the amplitude. */
static void gains_glide(void** state) {
  static double factor[600];
  (void)state;
  static const htz_param_index halves[] = {HTZ_PARAM_VOLUME, HTZ_PARAM_EXPRESSION};
  for (size_t p = 0; p < 2; ++p) {
    changed(halves[p], 63.5, factor, 600);
    for (size_t i = 0; i < 600; ++i) {
      check_factor(factor[i], i < 480 ? 1.0 - 0.75 * (double)(i + 1) / 480.0 : 0.25);
    }
  }
  changed(HTZ_PARAM_LEVEL, 20.0 * log10(2.0), factor, 128);
  for (size_t i = 0; i < 128; ++i) {
    check_factor(factor[i], i < 64 ? 1.0 + (double)(i + 1) / 64.0 : 2.0);
  }
}

/** A room turned up while it sounds takes its share of the direct sound within 10 ms, evenly; its echoes come later. */
static void the_room_glides(void** state) {
  static double factor[128];
  (void)state;
  changed(HTZ_PARAM_ROOM, 0.75, factor, 128);
  for (size_t i = 0; i < 128; ++i) {
    check_factor(factor[i], 1.0 - (1.0 - sqrt(0.25)) * (double)(i + 1) / 480.0);
  }
}

/** At either end of the balance the other side is silent. */
static void balance_silences_the_other_side(void** state) {
  (void)state;
  for (int end = 0; end < 2; ++end) {
    sound s;
    open_bar(&s, "");
    set(&s, HTZ_PARAM_PAN, end ? 127.0 : 0.0);
    press(&s, KEY, 100.0);
    run(&s, 40, left, right);
    check_above(power(end ? right : left, (size_t)40 * HTZ_QUANTUM), 1e-9);
    check_below(power(end ? left : right, (size_t)40 * HTZ_QUANTUM), 1e-18);
    sound_close(&s);
  }
}

/** Half way to the right the left has half of its power, as the middle has of both. */
static void a_balance_keeps_the_power(void** state) {
  double heard[2];
  (void)state;
  for (int i = 0; i < 2; ++i) {
    sound s;
    open_bar(&s, "");
    set(&s, HTZ_PARAM_PAN, i ? 0.5 * (64.0 + 127.0) : 64.0);
    press(&s, KEY, 100.0);
    run(&s, 40, left, right);
    heard[i] = power(left, (size_t)40 * HTZ_QUANTUM);
    sound_close(&s);
  }
  check_close(heard[1], 0.5 * heard[0], 1e-5);
}

/** A motor that is stopped leaves the tubes open. */
static void a_stopped_motor_leaves_the_tubes_open(void** state) {
  (void)state;
  for (int motor = 0; motor < 2; ++motor) {
    sound s;
    open_bar(&s, "");
    set(&s, HTZ_PARAM_MOTOR_RATE, motor ? 5.0 : 0.0);
    press(&s, KEY, 100.0);
    run(&s, 75, NULL, NULL); // half a turn: closed
    set(&s, HTZ_PARAM_MOTOR_RATE, 0.0);
    run(&s, 2, NULL, NULL);
    run(&s, 40, NULL, motor ? right : other);
    sound_close(&s);
  }
  check_alike(right, other, (size_t)40 * HTZ_QUANTUM);
}

static void decay_is_a_factor_on_time(void** state) {
  double rate[2];
  (void)state;
  for (int i = 0; i < 2; ++i) {
    sound s;
    open_bar(&s, "");
    set(&s, HTZ_PARAM_DECAY, i ? 0.25 : 1.0);
    press(&s, KEY, 100.0);
    run(&s, 100, NULL, NULL);
    rate[i] = decay_now(&s, KEY, 0, 200);
    sound_close(&s);
  }
  check_close(rate[0], 3.0 * log(10.0) / 4.0, 0.01); // the file's t60; the energy swings a little within a period
  check_close(rate[1], 4.0 * rate[0], 0.01);
}

/** The tube alone is on the right: its level is in proportion, and the motor moves it as a raised cosine of its depth. */
static void tubes_have_a_level_and_a_motor(void** state) {
  static const double depth = 0.5, turns = 5.0;
  sound s;
  (void)state;
  const double levels[] = {1.0, 2.0, 0.0};
  double heard[3];
  for (size_t i = 0; i < 3; ++i) {
    open_bar(&s, "");
    set(&s, HTZ_PARAM_RESONATOR, levels[i]);
    press(&s, KEY, 100.0);
    run(&s, 200, left, i ? right : other);
    heard[i] = sqrt(power(i ? right : other, (size_t)200 * HTZ_QUANTUM)); // from the first sample on
    sound_close(&s);
  }
  check_above(heard[0], 1e-6);
  check_close(heard[1], 2.0 * heard[0], 1e-5);
  check_below(heard[2], 1e-6 * heard[0]);
  open_bar(&s, "");
  set(&s, HTZ_PARAM_MOTOR_RATE, turns);
  set(&s, HTZ_PARAM_MOTOR_DEPTH, depth);
  press(&s, KEY, 100.0);
  run(&s, 200, left, right);
  sound_close(&s);
  const double enough = 0.5 * heard[0];
  size_t seen = 0;
  for (size_t q = 10; q < 200; ++q) {
    // At the end of a quantum it has the level that belongs there.
    const size_t i = (q + 1) * HTZ_QUANTUM - 1;
    const double t = (double)(i + 1) / rate_hz;
    if (fabs((double)other[i]) > enough) {
      check_near((double)right[i] / (double)other[i], 1.0 - depth * 0.5 * (1.0 - cos(two_pi * turns * t)), 1e-3);
      ++seen;
    }
  }
  assert_true(seen > 20);
}

// Faults and the room.

/** A body with more than four times the energy that was brought has run away; what it can have by itself is left alone. */
static void a_small_runaway_is_stopped(void** state) {
  (void)state;
  for (int wild = 0; wild < 2; ++wild) {
    sound s;
    open_bar(&s, "");
    press(&s, KEY, 100.0);
    run(&s, 100, NULL, NULL);
    const double share = (100.0 - 1.0) / 126.0, speed = 0.1 * pow(40.0, share);
    const double external_work = 0.5 * 0.02 * speed * speed;
    const double factor = sqrt((wild ? 5.0 : 3.0) * external_work / energy_of(&s, KEY, 0));
    htz_modal_q(body_of(&s, KEY, 0))[0] *= factor;
    htz_modal_v(body_of(&s, KEY, 0))[0] *= factor;
    run(&s, 1, left, right);
    assert_int_equal(htz_engine_count(s.engine).resets, wild);
    sound_close(&s);
  }
}

/** A room ten times as long rings on when a small one is silent. */
static void larger_rooms_ring_longer(void** state) {
  double heard[2];
  (void)state;
  for (int large = 0; large < 2; ++large) {
    sound s;
    open_bar(&s, "");
    assert_true(sound_set(&s, "room.size", large ? 40.0 : 4.0));
    assert_true(sound_set(&s, "room", 0.5));
    press(&s, KEY, 100.0);
    run(&s, 50, NULL, NULL);
    let_go(&s, KEY);
    run(&s, QUANTA, NULL, NULL); // 0.53 s: of the bar nothing is left
    run(&s, 50, left, right);
    heard[large] = power(left, (size_t)50 * HTZ_QUANTUM);
    sound_close(&s);
  }
  check_above(heard[1], 10.0 * heard[0]);
}

/** Half of the energy to the room: what comes directly is softer by 3 dB, before the room answers. */
static void the_room_takes_from_what_is_direct(void** state) {
  enum { FIRST = 32 };
  double loud[2] = {0.0, 0.0};
  (void)state;
  for (size_t wet = 0; wet < 2; ++wet) {
    static float x[2 * HTZ_QUANTUM];
    sound s;
    open_bar(&s, "");
    assert_true(sound_set(&s, "room", wet ? 0.5 : 0.0));
    press(&s, KEY, 100.0);
    run(&s, 2, x, NULL);
    for (size_t f = 0; f < FIRST; ++f) {
      loud[wet] += (double)x[f] * (double)x[f];
    }
    sound_close(&s);
  }
  check_near(10.0 * log10(loud[1] / loud[0]), -10.0 * log10(2.0), 0.1);
}

/** A sound that is cut by a stroke right after a silence ends where it is at rest: velocities sum up to nothing, whenever that comes. */
static void what_is_cut_pushes_nothing(void** state) {
  double worst = 0.0;
  (void)state;
  for (size_t n = 0; n < 12; ++n) {
    static float x[QUANTA * HTZ_QUANTUM];
    double sum = 0.0, peak = 0.0;
    sound s;
    open_bar(&s, "");
    press(&s, KEY, 120.0);
    run(&s, 20 + n, x, NULL);
    size_t heard = (20 + n) * HTZ_QUANTUM;
    htz_engine_silence(s.engine, 0, htz_engine_now(s.engine) + 11);
    htz_engine_strike(s.engine, 0, KEY, 1.0, htz_engine_now(s.engine) + 12 + n);
    run(&s, 40, x + heard, NULL);
    heard += 40 * HTZ_QUANTUM;
    htz_engine_silence(s.engine, 0, htz_engine_now(s.engine));
    run(&s, 60, x + heard, NULL);
    heard += 60 * HTZ_QUANTUM;
    for (size_t f = 0; f < heard; ++f) {
      sum += (double)x[f];
      peak = fmax(peak, fabs((double)x[f]));
    }
    const double farthest = peak * rate_hz / (two_pi * htz_key_hz(KEY)); // of the sum while it swings
    worst = fmax(worst, fabs(sum) / farthest);
    sound_close(&s);
  }
  print_message("cut: off by %.2g of the greatest displacement\n", worst);
  check_below(worst,
              two_pi * htz_key_hz(KEY) / rate_hz); // one sample at its largest: a sum misses half of one where a stroke begins
}

/** Keys that run on a clock of their own begin a quantum late, always alike: wherever in a quantum they are struck. */
static void a_clock_delays_all_strokes_alike(void** state) {
  enum { QUANTA_HEARD = 8 };
  static const uint32_t at[] = {0, 13, 40, 63};
  size_t late[4];
  (void)state;
  for (size_t i = 0; i < 4; ++i) {
    static float x[QUANTA_HEARD * HTZ_QUANTUM];
    sound s;
    assert_true(sound_open_text(&s,
                                "format: 1\nname: Clock\nkeys: [60, 60]\nclock: 96000\n"
                                "per_key: {bar: {body: modal-list, ratios: [1], t60: 4, mass: 0.3}}\n"
                                "mallet: {strikes: bar, mass: 0.02, speed: [0.1, 4], at: 0.5,\n"
                                "  contact: {exponent: 1, stiffness: 1.0e+8, viscosity: 0}}\n"
                                "pickups: [{of: bar, quantity: velocity, gain: 0.05}]\n",
                                rate_hz));
    htz_engine_strike(s.engine, 0, KEY, 100.0, at[i]);
    run(&s, QUANTA_HEARD, x, NULL);
    double most = 0.0;
    for (size_t f = 0; f < QUANTA_HEARD * HTZ_QUANTUM; ++f) {
      most = fmax(most, fabs((double)x[f]));
    }
    size_t first = 0;
    while (fabs((double)x[first]) < 0.3 * most) {
      ++first;
    }
    late[i] = first - at[i];
    sound_close(&s);
  }
  for (size_t i = 0; i < 4; ++i) {
    print_message("struck at %u, heard %zu frames later\n", at[i], late[i]);
    assert_in_range(late[i], late[0] - 1, late[0] + 1); // to the sample of the clock
  }
}

/** A pin lifts what it plucks as far as it is told and is gone then: at 0.2 m/s a fifth of a millimetre takes 1 ms. */
static void a_pin_lets_go(void** state) {
  (void)state;
  static const double lift = 2e-4;
  sound s;
  assert_true(sound_open_text(&s,
                              "format: 1\nname: Pin\nkeys: [60, 60]\n"
                              "per_key: {bar: {body: modal-list, ratios: [1], t60: 4, mass: 0.3}}\n"
                              "mallet: {strikes: bar, lift: [1.0e-4, 2.0e-4], mass: 10, speed: [0.1, 0.2], at: 0.5,\n"
                              "  contact: {exponent: 1, stiffness: 1.0e+8, viscosity: 0}}\n"
                              "pickups: [{of: bar, quantity: velocity, gain: 0.05}]\n",
                              rate_hz));
  const htz_island* island = s.instrument->keys[KEY].island;
  press(&s, KEY, 127.0);
  run(&s, 2, NULL, NULL);
  assert_false(island->cls->busy(island));
  // It was that far then, at the pin's speed, and the amplitude is that of both; the contact gives by 0.02 mm.
  double most = 0.0, w = 0.0;
  htz_modal* body = htz_modal_island_body(s.instrument->keys[KEY].island, 0);
  for (size_t q = 0; q < 20; ++q) {
    run(&s, 1, NULL, NULL);
    const double e = htz_modal_body(body)->cls->energy(htz_modal_body(body));
    w = htz_modal_omega(body)[0];
    most = fmax(most, sqrt(2.0 * e / (htz_modal_mass(body)[0] * w * w)) * fabs(htz_modal_phi(body, 0)[0]));
  }
  print_message("lifted by %.3g m\n", most);
  check_close(most, hypot(lift, 0.2 / w), 0.1);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_pin_lets_go),
                                     cmocka_unit_test(the_room_takes_from_what_is_direct),
                                     cmocka_unit_test(what_is_cut_pushes_nothing),
                                     cmocka_unit_test(a_clock_delays_all_strokes_alike),
                                     cmocka_unit_test(una_corda),
                                     cmocka_unit_test(velocity_is_exponential),
                                     cmocka_unit_test(controls_go_back_to_the_file),
                                     cmocka_unit_test(touch_and_kinds_are_hardness),
                                     cmocka_unit_test(solvers_hear_the_mallet),
                                     cmocka_unit_test(the_place_of_the_stroke_can_be_moved),
                                     cmocka_unit_test(a_bend_glides),
                                     cmocka_unit_test(gains_glide),
                                     cmocka_unit_test(the_room_glides),
                                     cmocka_unit_test(balance_silences_the_other_side),
                                     cmocka_unit_test(a_balance_keeps_the_power),
                                     cmocka_unit_test(a_stopped_motor_leaves_the_tubes_open),
                                     cmocka_unit_test(decay_is_a_factor_on_time),
                                     cmocka_unit_test(tubes_have_a_level_and_a_motor),

                                     cmocka_unit_test(a_small_runaway_is_stopped),
                                     cmocka_unit_test(larger_rooms_ring_longer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
