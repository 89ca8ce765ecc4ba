// Links between the bodies of a key, as a file says them: what they do to what is heard.
#include "check.h"

#include "sound/partials.h"
#include "sound/render.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/contact/prepared.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;

enum { SECOND = 48000 };

static void open(sound* s, const char* name) {
  char path[HTZ_PATH_MAX];
  snprintf(path, sizeof path, "%s/tests/fixtures/instruments/%s.yaml", HTZ_SOURCE_DIR, name);
  assert_true(sound_open(s, path, rate_hz));
}

static htz_network* network_of(const sound* s, unsigned key) {
  return htz_modal_island_network(s->instrument->keys[key].island);
}

/** Two bodies of a key and a spring between them at the points given. */
typedef struct {
  htz_arena arena;
  htz_modes modes[2];
  double row[2][256];
  double stiffness;
} pair;

static void make_pair(pair* p, const htz_spec* spec, double key, const double at[2], double stiffness) {
  const char* why;
  assert_int_equal(htz_arena_init(&p->arena, (size_t)1 << 20), HTZ_OK);
  for (size_t b = 0; b < 2; ++b) {
    assert_int_equal(htz_spec_modes(&spec->bodies[b], key, &p->arena, &p->modes[b], &why), HTZ_OK);
    p->modes[b].shape(&p->modes[b], at[b], p->row[b]);
  }
  p->stiffness = stiffness;
}

/** 1/k + sum phi^2/(m (omega_n^2 - omega^2)) over the modes of both: 0 where they swing together, rising between two poles. */
static double secular(const pair* p, double hz) {
  const double w = 2.0 * pi * hz;
  double sum = 1.0 / p->stiffness;
  for (size_t b = 0; b < 2; ++b) {
    for (size_t n = 0; n < p->modes[b].n; ++n) {
      const double omega = p->modes[b].omega[n];
      sum += p->row[b][n] * p->row[b][n] / (p->modes[b].mass[n] * (omega * omega - w * w));
    }
  }
  return sum;
}

/** The root between two poles. */
static double root_between(const pair* p, double low, double high) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    *(secular(p, middle) > 0.0 ? &high : &low) = middle;
  }
  return low;
}

/** Both strings move together at their own pitch, and against each other at that which the spring gives: both are heard of either. */
static void two_strings_on_a_spring_sound_at_two_pitches(void** state) {
  (void)state;
  sound s;
  pair p;
  note n;
  open(&s, "linked-strings");
  for (int key = 36; key <= 60; key += 12) {
    const double at[] = {0.3, 0.3};
    make_pair(&p, s.spec, key, at, 200.0);
    sound_note(&s, (unsigned)key, 100.0, 0, 3 * SECOND, &n);
    const partial_window window = {rate_hz, 60.0, 2.0};
    for (int side = 0; side < 2; ++side) {
      enum { PARTIALS = 12 };
      partial lines[2 * PARTIALS];
      for (size_t i = 0; i < PARTIALS; ++i) {
        const double alike = p.modes[0].omega[i] / (2.0 * pi), sigma = p.modes[0].sigma[i];
        const double against = root_between(&p, alike * (1.0 + 1e-9), p.modes[0].omega[i + 1] / (2.0 * pi) * (1.0 - 1e-9));
        lines[2 * i] = (partial){.hz = alike, .sigma = sigma, .wanted = i == 0};
        lines[2 * i + 1] = (partial){.hz = against, .sigma = sigma, .wanted = i == 0};
      }
      const double* x = (side ? n.right : n.left) + n.last_contact;
      partials_measure(x, n.frames - n.last_contact, &window, lines, 2 * PARTIALS);
      // A force held over a step of T shifts what the spring shifts by (omega T)^2/12 of it, below 1e-4: 0.01 cent of 100.
      check_near(cents_between(lines[0].found.hz, lines[0].hz), 0.0, 0.05);
      check_near(cents_between(lines[1].found.hz, lines[1].hz), 0.0, 0.05);
      check_above(cents_between(lines[1].hz, lines[0].hz), 20.0);
      check_above(lines[1].found.amplitude, 0.2 * lines[0].found.amplitude);
    }
    note_free(&n);
    htz_arena_free(&p.arena);
  }
  sound_close(&s);
}

/** Bar and tube of one pitch on a spring part into two; the lower one below both. */
static void bar_and_tube_take_from_each_other(void** state) {
  (void)state;
  sound s;
  pair p;
  note n;
  open(&s, "bar-tube-skin");
  const double at[] = {0.5, 0.5};
  make_pair(&p, s.spec, 60, at, 2e3);
  const double hz = htz_key_hz(60);
  size_t bar = 0;
  while (p.modes[0].omega[bar] < 0.9 * 2.0 * pi * hz) {
    ++bar; // past the rigid motions
  }
  const double f0 = p.modes[0].omega[bar] / (2.0 * pi), f1 = p.modes[1].omega[0] / (2.0 * pi);
  const double first = f0 < f1 ? f0 : f1, second = f0 < f1 ? f1 : f0;
  const double upper = root_between(&p, second * (1.0 + 1e-9), 1.5 * second);
  sound_note(&s, 60, 1.0, 0, SECOND, &n); // so soft that tube and skin do not meet
  assert_int_equal((int)htz_network_count(network_of(&s, 60))->closures, 1);
  const partial_window window = {rate_hz, 40.0, 0.8};
  const double sigma = 0.5 * (p.modes[0].sigma[bar] + p.modes[1].sigma[0]);
  partial lines[] = {{.hz = second - (first < second ? 0.5 * (second - first) : 0.0), .sigma = sigma, .wanted = true},
                     {.hz = upper, .sigma = sigma, .wanted = true}};
  double* mono = n.mono + n.last_contact;
  partials_measure(mono, n.frames - n.last_contact, &window, lines, 2);
  check_near(cents_between(lines[1].found.hz, upper), 0.0,
             3.0); // losses of the two shift it by (sigma/omega)^2 and their difference
  note_free(&n);
  htz_arena_free(&p.arena);
  sound_close(&s);
}

/** Share of the energy of x above `hz`, by a one-pole difference: enough to tell a buzz. */
static double rough(const double* x, size_t n) {
  double sum = 0.0, high = 0.0;
  for (size_t i = 1; i < n; ++i) {
    sum += x[i] * x[i];
    high += (x[i] - x[i - 1]) * (x[i] - x[i - 1]);
  }
  return high / sum;
}

static void a_skin_buzzes_only_when_the_tube_reaches_it(void** state) {
  (void)state;
  sound s;
  note soft, loud;
  open(&s, "bar-tube-skin");
  sound_note(&s, 60, 1.0, 0, SECOND / 2, &soft);
  const uint64_t before = htz_network_count(network_of(&s, 60))->closures;
  assert_int_equal((int)before, 1);
  sound_note(&s, 60, 127.0, 0, SECOND / 2, &loud);
  check_above((double)(htz_network_count(network_of(&s, 60))->closures - before), 20.0);
  assert_int_equal((int)htz_network_count(network_of(&s, 60))->unconverged, 0);
  const size_t from = 4000; // after the stroke
  check_above(rough(loud.right + from, loud.frames - from), 2.0 * rough(soft.right + from, soft.frames - from));
  note_free(&soft);
  note_free(&loud);
  sound_close(&s);
}

/** With every loss that the file gives, no step adds energy. */
static void links_never_add_energy(void** state) {
  (void)state;
  sound s;
  note n;
  static const char* const names[] = {"linked-strings", "bar-tube-skin"};
  for (size_t i = 0; i < 2; ++i) {
    open(&s, names[i]);
    htz_network_audit audit = {0};
    htz_network_set_audit(network_of(&s, 60), &audit);
    sound_note(&s, 60, 127.0, 0, SECOND, &n);
    const double given = 0.5 * s.instrument->keys[60].mass * pow(s.instrument->keys[60].speed[1], 2.0);
    check_below(audit.rise_max, 1e-11 * given); // rounding of one step
    assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
    note_free(&n);
    sound_close(&s);
  }
}

static void one_mallet_strikes_two_bodies(void** state) {
  (void)state;
  sound s;
  note n;
  open(&s, "bar-and-plate");
  assert_int_equal((int)s.spec->n_struck, 2);
  sound_note(&s, 60, 100.0, 0, SECOND, &n);
  htz_network* net = network_of(&s, 60);
  assert_true(htz_network_account(net, 0)->closures > 0 && htz_network_account(net, 1)->closures > 0);
  check_above(peak_of(n.left, n.frames), 1e-4);
  check_above(peak_of(n.right, n.frames), 1e-4);
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  note_free(&n);
  sound_close(&s);
}

/** The struck bar has, besides its own partials, those of the plate that feeds it: without the feed they are not there. */
static void a_struck_body_is_fed(void** state) {
  (void)state;
  sound s;
  note n;
  open(&s, "bar-and-plate");
  sound_note(&s, 60, 100.0, 0, SECOND, &n);
  htz_modal* plate = htz_modal_island_body(s.instrument->keys[60].island, 1);
  double best = 0.0, around = 0.0;
  for (size_t k = 0; k < 12; ++k) {
    const double hz = htz_modal_omega(plate)[k] / (2.0 * pi);
    for (int side = -1; side <= 1; ++side) {
      double re = 0.0, im = 0.0;
      for (size_t i = SECOND / 4; i < SECOND; ++i) {
        const double hann = 0.5 - 0.5 * cos(2.0 * pi * (double)(i - SECOND / 4) / (0.75 * SECOND));
        re += hann * n.left[i] * cos(2.0 * pi * (hz + 12.0 * side) * (double)i / rate_hz);
        im += hann * n.left[i] * sin(2.0 * pi * (hz + 12.0 * side) * (double)i / rate_hz);
      }
      *(side ? &around : &best) += hypot(re, im);
    }
  }
  check_above(best, 5.0 * around); // lines of the plate's partials stand out of what is beside them
  note_free(&n);
  sound_close(&s);
}

static void a_key_has_sixteen_bodies_feeds_and_eight_lines(void** state) {
  (void)state;
  sound s;
  open(&s, "sixteen");
  const htz_key* key = &s.instrument->keys[60];
  assert_int_equal((int)key->island->n_pickups, 8);
  float out[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM] = {{0.0f}};
  float* lines[HTZ_ISLAND_PICKUPS_MAX];
  for (size_t l = 0; l < 8; ++l) {
    lines[l] = out[l];
  }
  const htz_strike strike = {
      .speed = 2.0, .mass = 0.03, .stiffness = 2e7, .exponent = 1.5, .viscosity = 0.3, .at = 0.42, .at_y = (double)NAN};
  key->island->cls->strike(key->island, &strike);
  for (int q = 0; q < 200; ++q) {
    memset(out, 0, sizeof out);
    key->island->cls->advance(key->island, HTZ_QUANTUM, lines);
  }
  for (size_t l = 0; l < 8; ++l) {
    double most = 0.0;
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      most = fmax(most, fabs((double)out[l][i]));
    }
    check_above(most, 1e-9);
  }
  sound_close(&s);
}

/** Quanta with the gap wanted so, from a state that goes on. @return energy that neither work nor losses explain, at most [J] */
static double move_gap(sound* s, unsigned key, const char* name, double gap, size_t quanta, uint64_t* closures) {
  htz_island* island = s->instrument->keys[key].island;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  double gained = -HUGE_VAL;
  assert_true(sound_set(s, name, gap));
  const htz_prepared_account from = htz_modal_island_prepared(island);
  const double before = htz_network_energy(network_of(s, key));
  const uint64_t touched = htz_network_count(network_of(s, key))->closures;
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, left, right);
    const htz_prepared_account now = htz_modal_island_prepared(island);
    (void)htz_modal_island_body(island, 0); // seen in its own coordinates
    const double more = htz_network_energy(network_of(s, key)) - before - (now.work - from.work) + (now.lost - from.lost);
    gained = more > gained ? more : gained;
    assert_true(isfinite(left[0]) && isfinite(right[0]));
  }
  *closures = htz_network_count(network_of(s, key))->closures - touched;
  return gained;
}

/**
   A gap that is closed while the plates ring has them meet, one that is opened lets them go; whoever moves it does the work. Rounding of some
   1e5 steps is 1e-11 of what there is, which is allowed a hundred times; the plates themselves lose some 1e-2 of it a second, which only takes.
*/
static void gaps_are_moved_while_it_sounds(void** state) {
  static const unsigned keys[] = {36, 42, 46}; // bare, with a stop besides, with a spring between
  sound s;
  (void)state;
  open(&s, "moved-gaps");
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
    uint64_t apart, together, again;
    htz_engine_strike(s.engine, 0, keys[i], 100.0, htz_engine_now(s.engine));
    htz_engine_hold(s.engine, 0, keys[i], true, htz_engine_now(s.engine));
    move_gap(&s, keys[i], "rim.gap", (double)NAN, 75, &apart); // the mallet comes and goes
    const double all = htz_network_energy(network_of(&s, keys[i]));
    check_below(move_gap(&s, keys[i], "rim.gap", 0.01, 75, &apart), 1e-9 * all);
    check_below(move_gap(&s, keys[i], "rim.gap", 0.0, 150, &together), 1e-9 * all);
    move_gap(&s, keys[i], "rim.gap", 0.01, 75, &again); // on its way
    check_below(move_gap(&s, keys[i], "rim.gap", 0.01, 75, &again), 1e-9 * all);
    print_message("key %u: %llu closures apart, %llu together, %llu apart again\n", keys[i], (unsigned long long)apart,
                  (unsigned long long)together, (unsigned long long)again);
    assert_true(apart == 0 && together > 5 && again == 0);
    sound_rest(&s);
  }
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

/** Sum of what swings as e^(-sigma t) e^(i omega t) from `from` on, in a window without edges. */
static double complex ringing(const double* x, size_t from, size_t n, double sigma, double omega) {
  double complex sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double t = (double)(from + i) / rate_hz, window = 0.5 - 0.5 * cos(2.0 * pi * (double)i / (double)n);
    sum += window * x[from + i] * exp(sigma * t) * cexp(-I * omega * t);
  }
  return sum;
}

/**
   A mode a that rings as e^(st) feeds gain times its displacement to a mode b on a spring k: b's velocity is gain/(m (s^2 + 2 sigma s + omega^2) + k)
   times a's once its own ringing is over. The force is held over a sample, and a sample late at most: 1 - cos(omega T) of the size, 0.1 %.
*/
static void a_linked_body_is_fed_as_much_as_it_should(void** state) {
  (void)state;
  static double left[SECOND / 2], right[SECOND / 2];
  enum { KEY = 60, FROM = 12000, FRAMES = 8000 };
  const double gain = 20000.0, mass = 0.02, spring = 2.0e4, decay = 3.0 * log(10.0);
  const double sigma_a = decay / 3.0, sigma_b = decay / 0.1, omega_a = 2.0 * pi * 400.0, omega_b = 2.0 * pi * 700.0;
  const double complex s = -sigma_a + I * sqrt(omega_a * omega_a - sigma_a * sigma_a);
  sound it;
  open(&it, "fed-linked");
  assert_true(sound_set(&it, "room", 0.0));
  htz_engine_strike(it.engine, 0, KEY, 100.0, htz_engine_now(it.engine));
  for (size_t q = 0; q < SECOND / 2 / HTZ_QUANTUM; ++q) {
    float y[2][HTZ_QUANTUM];
    htz_engine_quantum(it.engine, y[0], y[1]);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      left[q * HTZ_QUANTUM + i] = (double)y[0][i];
      right[q * HTZ_QUANTUM + i] = (double)y[1][i];
    }
  }
  sound_close(&it);
  const double complex found = ringing(right, FROM, FRAMES, sigma_a, cimag(s)) / ringing(left, FROM, FRAMES, sigma_a, cimag(s));
  const double complex expected = gain / (mass * (s * s + 2.0 * sigma_b * s + omega_b * omega_b) + spring);
  print_message("fed: %.6f of what feeds it, %.6f expected, %.3f rad late\n", cabs(found), cabs(expected),
                carg(expected / found));
  check_near(cabs(found) / cabs(expected), 1.0, 0.0014);
  check_near(carg(expected / found), 0.0, 1.5 * omega_a / rate_hz);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_strings_on_a_spring_sound_at_two_pitches),
      cmocka_unit_test(bar_and_tube_take_from_each_other),
      cmocka_unit_test(a_skin_buzzes_only_when_the_tube_reaches_it),
      cmocka_unit_test(links_never_add_energy),
      cmocka_unit_test(one_mallet_strikes_two_bodies),
      cmocka_unit_test(a_struck_body_is_fed),
      cmocka_unit_test(a_linked_body_is_fed_as_much_as_it_should),
      cmocka_unit_test(gaps_are_moved_while_it_sounds),
      cmocka_unit_test(a_key_has_sixteen_bodies_feeds_and_eight_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
