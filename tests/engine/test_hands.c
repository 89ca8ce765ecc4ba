/*
   What a player's hands and feet do to instruments of modes: that each control does what it says, by how much, and gradually. Expected
   values are those of the instrument guide's words, written out here.
*/
#include "check.h"

#include "hertzian/contact/struck.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double two_pi = 6.28318530717958647693;

enum { KEY = 60, QUANTA = 400, SECOND = 48000 / HTZ_QUANTUM };
static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM], other[QUANTA * HTZ_QUANTUM];

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

static void open_bar(sound* s, const char* more) {
  char text[2048];
  snprintf(text, sizeof text, bar, more);
  assert_true(sound_open_text(s, text, rate_hz));
}

static void run(sound* s, size_t quanta, float* l, float* r) {
  float unused[2][HTZ_QUANTUM];
  assert_true(quanta <= QUANTA);
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, l ? l + q * HTZ_QUANTUM : unused[0], r ? r + q * HTZ_QUANTUM : unused[1]);
  }
}

static void press(sound* s, uint32_t key, double velocity) {
  htz_engine_strike(s->engine, 0, key, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, key, true, htz_engine_now(s->engine));
}

static void let_go(sound* s, uint32_t key) {
  htz_engine_hold(s->engine, 0, key, false, htz_engine_now(s->engine));
}

/** Any parameter, also those of the channel, which have no name for a command line. */
static void set(sound* s, htz_param_index index, double value) {
  const htz_param_change change = {
      .frame = htz_engine_now(s->engine), .value = value, .part = 0, .key = HTZ_KEY_ALL, .index = index};
  htz_engine_change(s->engine, &change);
}

static htz_modal* body_of(const sound* s, uint32_t key, size_t index) {
  return htz_struck_body(s->instrument->keys[key].island, index);
}

static double energy_of(const sound* s, uint32_t key, size_t index) {
  const htz_body* body = htz_modal_body(body_of(s, key, index));
  return body->cls->energy(body);
}

/** Pitch that mode `k` is tuned to now, of its step over one sample: trace and determinant of a damped rotation [Hz]. */
static double tuned_to(const htz_modal* body, size_t k) {
  const htz_mode_step step = htz_modal_mode_step(body, k);
  const double trace = step.a[0] + step.a[3], det = step.a[0] * step.a[3] - step.a[1] * step.a[2];
  return acos(0.5 * trace / sqrt(det)) * rate_hz / two_pi;
}

static double power(const float* x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += (double)x[i] * (double)x[i];
  }
  return sum / (double)n;
}

/** Both channels alike, to the rounding of a mix in single precision, and not silent. */
static void check_alike(const float* a, const float* b, size_t n) {
  double apart = 0.0;
  for (size_t i = 0; i < n; ++i) {
    apart += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
  }
  check_above(power(a, n), 1e-12);
  check_below(apart / (double)n, 1e-10 * power(a, n));
}

static void check_other(const float* a, const float* b, size_t n) {
  double apart = 0.0;
  for (size_t i = 0; i < n; ++i) {
    apart += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
  }
  check_above(apart / (double)n, 1e-4 * power(a, n)); // by 1 % of the amplitude
}

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

/** Decay rate of a struck body over `quanta` from now [1/s]. */
static double decay_now(sound* s, uint32_t key, size_t index, size_t quanta) {
  const double before = energy_of(s, key, index);
  run(s, quanta, NULL, NULL);
  return 0.5 * log(before / energy_of(s, key, index)) * rate_hz / (double)(quanta * HTZ_QUANTUM);
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
    heard[i] = sqrt(power((i ? right : other) + HTZ_QUANTUM, (size_t)199 * HTZ_QUANTUM)); // in the first one it goes there
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

// Dampers.

/** Every string of a unison is damped, as much as the file says, and the parameter is a factor on it. */
static void dampers_damp_every_string(void** state) {
  static const double loss = 40.0;
  (void)state;
  for (int twice = 0; twice < 2; ++twice) {
    sound s;
    assert_true(sound_open_text(&s, strings, rate_hz));
    set(&s, HTZ_PARAM_DAMPER, 1.0 + twice);
    press(&s, KEY, 100.0);
    run(&s, 100, NULL, NULL);
    let_go(&s, KEY);
    run(&s, 30, NULL, NULL); // it has landed: 40 ms
    double before[3];
    for (size_t i = 0; i < 3; ++i) {
      before[i] = energy_of(&s, KEY, i);
    }
    run(&s, 40, NULL, NULL);
    for (size_t i = 0; i < 3; ++i) {
      const double rate = 0.5 * log(before[i] / energy_of(&s, KEY, i)) * rate_hz / (40.0 * HTZ_QUANTUM);
      check_near(rate, (1.0 + twice) * loss + 3.0 * log(10.0) / 5.0, 1.0); // and the string's own
    }
    sound_close(&s);
  }
}

/** A mallet with a solver of its own has the same dampers under its bodies. */
static void dampers_do_not_ask_for_the_solver(void** state) {
  char path[HTZ_PATH_MAX];
  sound s;
  (void)state;
  snprintf(path, sizeof path, "%s/tests/fixtures/instruments/solved.yaml", HTZ_SOURCE_DIR);
  assert_true(sound_open(&s, path, rate_hz));
  press(&s, 54, 100.0);
  run(&s, 100, NULL, NULL);
  double before = htz_engine_energy(s.engine, 0);
  run(&s, 40, NULL, NULL);
  const double held = 0.5 * log(before / htz_engine_energy(s.engine, 0));
  let_go(&s, 54);
  run(&s, 30, NULL, NULL);
  before = htz_engine_energy(s.engine, 0);
  run(&s, 40, NULL, NULL);
  const double gone = 0.5 * log(before / htz_engine_energy(s.engine, 0));
  check_near((gone - held) * rate_hz / (40.0 * HTZ_QUANTUM), 20.0, 2.0); // the file's; its partials decay a little unlike
  sound_close(&s);
}

/** The pedal's dampers are down 8 ms after it, the key's up 2 ms after it was pressed: 7 and 2 quanta. */
static void dampers_follow_at_once(void** state) {
  static const double own = 1.727; // 3 ln 10/4 s
  sound s;
  (void)state;
  open_bar(&s, "");
  set(&s, HTZ_PARAM_SUSTAIN, 127.0);
  press(&s, KEY, 100.0);
  run(&s, 100, NULL, NULL);
  let_go(&s, KEY);
  run(&s, 20, NULL, NULL);
  check_near(decay_now(&s, KEY, 0, 50), own, 1.0);
  set(&s, HTZ_PARAM_SUSTAIN, 0.0);
  run(&s, 8, NULL, NULL);
  check_near(decay_now(&s, KEY, 0, 20), 60.0 + own, 2.0);
  htz_engine_hold(s.engine, 0, KEY, true, htz_engine_now(s.engine));
  run(&s, 3, NULL, NULL);
  check_near(decay_now(&s, KEY, 0, 30), own, 1.0);
  sound_close(&s);
}

/** Sostenuto takes what is down as it goes down; a pedal that only moves on takes nothing more. */
static void sostenuto_takes_once(void** state) {
  enum { LATER = 64 };
  sound s;
  (void)state;
  open_bar(&s, "");
  press(&s, KEY, 100.0);
  run(&s, 60, NULL, NULL);
  set(&s, HTZ_PARAM_SOSTENUTO, 90.0);
  press(&s, LATER, 100.0);
  run(&s, 60, NULL, NULL);
  set(&s, HTZ_PARAM_SOSTENUTO, 127.0);
  let_go(&s, KEY);
  let_go(&s, LATER);
  run(&s, 30, NULL, NULL);
  const double held = energy_of(&s, KEY, 0), free = energy_of(&s, LATER, 0);
  run(&s, 40, NULL, NULL); // 53 ms: 28 dB at 60 1/s, less than 1 of their own
  check_above(energy_of(&s, KEY, 0), 0.5 * held);
  check_below(energy_of(&s, LATER, 0), 0.01 * free);
  sound_close(&s);
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
    const double brought = 0.5 * 0.02 * speed * speed;
    const double factor = sqrt((wild ? 5.0 : 3.0) * brought / energy_of(&s, KEY, 0));
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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(una_corda),
                                     cmocka_unit_test(velocity_is_exponential),
                                     cmocka_unit_test(controls_go_back_to_the_file),
                                     cmocka_unit_test(touch_and_kinds_are_hardness),
                                     cmocka_unit_test(the_place_of_the_stroke_can_be_moved),
                                     cmocka_unit_test(a_bend_glides),
                                     cmocka_unit_test(gains_glide),
                                     cmocka_unit_test(the_room_glides),
                                     cmocka_unit_test(balance_silences_the_other_side),
                                     cmocka_unit_test(decay_is_a_factor_on_time),
                                     cmocka_unit_test(tubes_have_a_level_and_a_motor),
                                     cmocka_unit_test(dampers_damp_every_string),
                                     cmocka_unit_test(dampers_do_not_ask_for_the_solver),
                                     cmocka_unit_test(dampers_follow_at_once),
                                     cmocka_unit_test(sostenuto_takes_once),
                                     cmocka_unit_test(a_small_runaway_is_stopped),
                                     cmocka_unit_test(larger_rooms_ring_longer)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
