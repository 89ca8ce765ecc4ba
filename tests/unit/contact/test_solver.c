// The schemes behind one interface: what each promises of energy, order, equations solved, and what it refuses.
#include "check.h"

#include "hertzian/contact/solver.h"

#include "alloc_guard.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double rate = 44100.0;

static const double omegas[] = {2.0 * 3.141592653589793 * 220.0, 2.0 * 3.141592653589793 * 950.0,
                                2.0 * 3.141592653589793 * 2100.0};
static const double sigmas[] = {3.0, 5.0, 9.0};
static const double lossless[] = {0.0, 0.0, 0.0};
static const double masses[] = {0.05, 0.05, 0.05};
static const double weights[] = {1.0, 0.8, -0.6};

/** Smooth at entry (alpha 2.5), some 60 samples long. */
static const htz_solver_system soft = {.mass = 0.01,
                                       .stiffness = 2e8,
                                       .exponent = 2.5,
                                       .viscosity = 0.3,
                                       .n_modes = 3,
                                       .omega = omegas,
                                       .sigma = sigmas,
                                       .modal_mass = masses,
                                       .weight = weights};

static htz_solver* make(const char* name, const htz_solver_system* system, double rate_hz, htz_arena* arena) {
  htz_solver* s = NULL;
  const char* why = NULL;
  htz_arena_measure(arena);
  const htz_solver_class* cls = htz_solver_find(name);
  assert_non_null(cls);
  const htz_status st = htz_solver_new(cls, system, rate_hz, arena, &s, &why);
  if (st) {
    fail_msg("%s: %s", name, why ? why : htz_status_text(st));
  }
  return s;
}

static void registry_is_complete(void** state) {
  (void)state;
  static const char* const names[] = {
      "am1",           "am1-corrected",  "verlet",         "verlet-corrected",    "heun",        "heun-corrected",   "rk4",
      "rk4-corrected", "two-point",      "two-point-beta", "two-point-stiffness", "three-point", "three-point-beta", "house",
      "house-plain",   "house-stiffness"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    assert_non_null(htz_solver_find(names[i]));
  }
  size_t n = 0;
  for (; htz_solver_at(n); ++n) {
    const htz_solver_class* c = htz_solver_at(n);
    assert_ptr_equal(htz_solver_find(c->name), c);
    assert_true(strlen(c->about) > 0 && strlen(c->source) > 0);
    assert_true(c->make && c->place && c->step);
  }
  assert_true(n >= sizeof names / sizeof names[0]);
  assert_null(htz_solver_find("am2"));
}

static void refused(const htz_solver_class* cls, const htz_solver_system* system, double rate_hz, htz_status as) {
  htz_arena arena;
  htz_arena_measure(&arena);
  htz_solver* s = NULL;
  const char* why = NULL;
  assert_int_equal(htz_solver_new(cls, system, rate_hz, &arena, &s, &why), as);
  assert_null(s);
  assert_non_null(why);
  assert_null(strchr(why, '\n'));
  htz_arena_free(&arena);
}

static void bad_values_are_refused(void** state) {
  (void)state;
  const htz_solver_class* am1 = htz_solver_find("am1");
  const double bad[] = {0.0, -1.0, (double)NAN, HUGE_VAL};
  for (int i = 0; i < 4; ++i) {
    htz_solver_system s = soft;
    s.mass = bad[i];
    refused(am1, &s, rate, HTZ_BAD_VALUE);
    s = soft;
    s.stiffness = bad[i];
    refused(am1, &s, rate, HTZ_BAD_VALUE);
    s = soft;
    s.exponent = bad[i];
    refused(am1, &s, rate, HTZ_BAD_VALUE);
    refused(am1, &soft, bad[i], HTZ_BAD_VALUE);
  }
}

static void limits_are_stated(void** state) {
  (void)state;
  for (size_t i = 0; htz_solver_at(i); ++i) {
    const htz_solver_class* c = htz_solver_at(i);
    htz_solver_system s = soft;
    if (!c->body) {
      refused(c, &s, rate, HTZ_UNSUPPORTED);
    }
    s.n_modes = 0;
    if (c->linear) {
      refused(c, &s, rate, HTZ_UNSUPPORTED);
    }
  }
  // A mode just too fast for explicit rules.
  const double fast = 2.0 * rate, faster = 2.83 * rate, none = 0.0, one = 1.0;
  htz_solver_system s = soft;
  s.n_modes = 1;
  s.omega = &fast;
  s.sigma = &none;
  s.modal_mass = s.weight = &one;
  refused(htz_solver_find("verlet"), &s, rate, HTZ_UNSUPPORTED);
  refused(htz_solver_find("heun"), &s, rate, HTZ_UNSUPPORTED);
  s.omega = &faster;
  refused(htz_solver_find("rk4"), &s, rate, HTZ_UNSUPPORTED);
  // Contacts of fewer than two samples: known ahead when linear, else counted.
  const htz_solver_system hard = {.mass = 0.01, .stiffness = 1e9, .exponent = 1.0};
  refused(htz_solver_find("two-point-stiffness"), &hard, rate, HTZ_UNSUPPORTED);
  refused(htz_solver_find("house-stiffness"), &hard, rate, HTZ_UNSUPPORTED);
  htz_solver_system harder = {.mass = 0.01, .stiffness = 1e12, .exponent = 1.5};
  for (int i = 0; i < 2; ++i) {
    htz_arena arena;
    htz_solver* t = make(i ? "two-point-stiffness" : "house-stiffness", &harder, rate, &arena);
    t->cls->place(t, 0.0, 1.0);
    t->cls->step(t, 0.0);
    assert_int_equal(t->refused, 1);
    htz_arena_free(&arena);
  }
}

/** Farthest of any of `samples` samples from the same method at `finer` times the rate. */
static double error_of(const char* name, const htz_solver_system* system, double rate_hz, unsigned samples, const char* with,
                       unsigned finer) {
  htz_arena arenas[2];
  htz_solver* s = make(name, system, rate_hz, &arenas[0]);
  htz_solver* fine = make(with, system, rate_hz * finer, &arenas[1]);
  s->cls->place(s, 0.0, 1.5);
  fine->cls->place(fine, 0.0, 1.5);
  double worst = 0.0;
  for (unsigned i = 0; i < samples; ++i) {
    s->cls->step(s, 0.0);
    for (unsigned k = 0; k < finer; ++k) {
      fine->cls->step(fine, 0.0);
    }
    worst = fmax(worst, fabs(s->x - fine->x));
    worst = fmax(worst, fabs(htz_solver_surface(s) - htz_solver_surface(fine)));
  }
  htz_arena_free(&arenas[0]);
  htz_arena_free(&arenas[1]);
  return worst;
}

/** Against Runge and Kutta's method at 64 times the rate, whose own error is 64^-4 of what it has at that rate. */
static void orders_on_modes(void** state) {
  (void)state;
  static const struct {
    const char* name;
    double viscosity, order;
  } method[] = {
      {"am1", 0.3, 2.0},       {"heun", 0.3, 2.0},        {"rk4", 0.3, 4.0},
      {"verlet", 0.0, 2.0},    {"verlet", 0.3, 1.0}, // the carried force knows the velocity of half a step before
      {"two-point", 0.3, 2.0}, {"house-plain", 0.3, 2.0}, {"house", 0.3, 2.0},
  };
  enum { SAMPLES = 176 };
  for (size_t i = 0; i < sizeof method / sizeof method[0]; ++i) {
    htz_solver_system s = soft;
    s.viscosity = method[i].viscosity;
    const double coarse = error_of(method[i].name, &s, rate, SAMPLES, "rk4", 64);
    const double fine = error_of(method[i].name, &s, 4.0 * rate, 4 * SAMPLES, "rk4", 16);
    const double order = 0.5 * log2(coarse / fine);
    print_message("%-12s mu %.1f: %.2e m, order %.2f\n", method[i].name, method[i].viscosity, coarse, order);
    // A force whose third derivative jumps at entry (alpha = 2.5) bounds a fourth-order method to some 3.5.
    check_near(order, method[i].order, method[i].order > 2.0 ? 0.7 : 0.25);
    check_below(coarse, 0.02 * 1.5e-3 * pow(0.1, method[i].order - 1.0)); // of 1.5 mm of compression
  }
}

/** Free flight under gravity and under a force: a parabola, for every method. */
static void all_fall_alike(void** state) {
  (void)state;
  const htz_solver_system ball = {.mass = 0.02, .stiffness = 1e5, .exponent = 1.0, .gravity = 9.81};
  enum { STEPS = 500 };
  for (size_t i = 0; htz_solver_at(i); ++i) {
    htz_arena arena;
    htz_solver* s = make(htz_solver_at(i)->name, &ball, rate, &arena);
    s->cls->place(s, -1.0, -0.5);
    const double push = 0.07;
    const double a = ball.gravity + push / ball.mass;
    const double before = htz_solver_energy(s);
    for (int k = 0; k < STEPS; ++k) {
      s->cls->step(s, push);
    }
    const double t = STEPS / rate;
    const double x = -1.0 - 0.5 * t + 0.5 * a * t * t;
    check_near(s->v, -0.5 + a * t, 1e-9);
    check_near(s->x, x, 1e-9);
    check_near(htz_solver_energy(s) - before, push * (s->x + 1.0), 1e-9);
    assert_false(s->touching);
    assert_true(s->force == 0.0);
    htz_arena_free(&arena);
  }
}

/** Bounces of a lossless hammer under gravity: methods with an energy of their own keep it to round-off. */
static void gradients_keep_energy(void** state) {
  (void)state;
  static const char* const names[] = {"two-point", "house-plain", "house", "three-point"};
  enum { STEPS = 200000 };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    for (int modes = 0; modes < 2; ++modes) {
      htz_solver_system s = {.mass = 0.01, .stiffness = 1e9, .exponent = 1.5, .gravity = 9.81};
      if (modes && !htz_solver_find(names[i])->body) {
        continue;
      }
      if (modes) {
        s.n_modes = 3;
        s.omega = omegas;
        s.sigma = lossless;
        s.modal_mass = masses;
        s.weight = weights;
      }
      htz_arena arena;
      htz_solver* t = make(names[i], &s, rate, &arena);
      t->cls->place(t, -1e-3, 0.5);
      const double first = htz_solver_energy(t);
      double worst = 0.0;
      unsigned contacts = 0;
      bool was = false;
      for (int k = 0; k < 200000; ++k) {
        t->cls->step(t, 0.0);
        worst = fmax(worst, fabs(htz_solver_energy(t) / first - 1.0));
        contacts += t->touching && !was;
        was = t->touching;
      }
      print_message("%s%s: %u contacts, energy within %.2g\n", names[i], modes ? " on modes" : "", contacts, worst);
      check_above(contacts, 30.0);
      // A coefficient of a step is rounded once and for all, so that so many steps may drift by as many epsilon.
      check_below(worst, STEPS * DBL_EPSILON);
      assert_int_equal(t->unconverged, 0);
      htz_arena_free(&arena);
    }
  }
}

/** With loss none of them ever gains. */
static void losses_are_losses(void** state) {
  (void)state;
  static const char* const names[] = {"two-point", "house-plain", "house"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    htz_solver_system s = soft;
    s.stiffness = 1e12;
    s.gravity = 9.81;
    htz_arena arena;
    htz_solver* t = make(names[i], &s, rate, &arena);
    t->cls->place(t, -1e-3, 1.5);
    const double first = htz_solver_energy(t);
    double before = first;
    for (int k = 0; k < 44100; ++k) {
      t->cls->step(t, 0.0);
      const double energy = htz_solver_energy(t);
      check_below(energy - before, 1e-14 * first);
      before = energy;
    }
    htz_arena_free(&arena);
  }
}

/** Two programs of one scheme: on a wall the two-point scheme is what the house's solver does without sub-steps. */
static void two_point_is_house_plain(void** state) {
  (void)state;
  const htz_solver_system s = {.mass = 0.01, .stiffness = 1e9, .exponent = 1.7, .viscosity = 0.4, .gravity = 9.81};
  static const char* const pairs[][2] = {{"two-point", "house-plain"}, {"two-point-stiffness", "house-stiffness"}};
  for (int i = 0; i < 2; ++i) {
    htz_arena arenas[2];
    htz_solver* a = make(pairs[i][0], &s, rate, &arenas[0]);
    htz_solver* b = make(pairs[i][1], &s, rate, &arenas[1]);
    a->cls->place(a, -1e-4, 1.0);
    b->cls->place(b, -1e-4, 1.0);
    for (int k = 0; k < 40; ++k) {
      a->cls->step(a, 0.0);
      b->cls->step(b, 0.0);
      check_near(a->x, b->x, 1e-13);
      check_near(a->v, b->v, 1e-9);
      check_near(a->stored, b->stored, 1e-12);
      assert_int_equal(a->touching, b->touching);
    }
    check_below(a->v, 0.0);
    htz_arena_free(&arenas[0]);
    htz_arena_free(&arenas[1]);
  }
}

/** The trapezoidal rule's equation is always solved: from contacts of thousands of samples to a thousandth, also where the law pulls. */
static void newton_settles_everywhere(void** state) {
  (void)state;
  uint64_t most = 0;
  for (double k = 1e2; k < 1e14; k *= 100.0) {
    for (double alpha = 1.0; alpha <= 4.0; alpha += 0.75) {
      for (double mu = 0.01; mu < 200.0; mu *= 10.0) {
        for (double v = 0.01; v < 50.0; v *= 10.0) {
          const htz_solver_system s = {.mass = 0.01, .stiffness = k, .exponent = alpha, .viscosity = mu};
          htz_arena arena;
          htz_solver* t = make("am1", &s, rate, &arena);
          t->cls->place(t, -0.4 * v / rate, v);
          for (int i = 0; i < 100; ++i) {
            t->cls->step(t, 0.0);
          }
          assert_true(isfinite(t->x));
          assert_int_equal(t->unconverged, 0);
          assert_true(t->solves == 0 || t->iterations >= t->solves);
          most = t->iterations_most > most ? t->iterations_most : most;
          htz_arena_free(&arena);
        }
      }
    }
  }
  print_message("am1: at most %llu iterations\n", (unsigned long long)most);
  // 53 halvings are all a double has; Newton is to need far fewer.
  check_below((double)most, 30.0);
}

/** Corrected methods under gravity: every rebound from the wall is the approximation's of the speed it was met with. */
static void corrected_bounces(void** state) {
  (void)state;
  static const char* const names[] = {"am1-corrected", "verlet-corrected", "heun-corrected", "rk4-corrected"};
  const htz_solver_system s = {.mass = 0.01, .stiffness = 1e9, .exponent = 1.5, .viscosity = 0.5, .gravity = 9.81};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    htz_arena arena;
    htz_solver* t = make(names[i], &s, rate, &arena);
    t->cls->place(t, -0.01, 1.0);
    double speed = sqrt(1.0 + 2.0 * s.gravity * 0.01);
    for (int bounce = 0; bounce < 5; ++bounce) {
      double deepest = 0.0;
      for (int k = 0; k < 20000 && !t->touching; ++k) {
        t->cls->step(t, 0.0);
      }
      for (int k = 0; k < 100 && t->touching; ++k) {
        deepest = fmax(deepest, t->x);
        t->cls->step(t, 0.0);
      }
      assert_false(t->touching);
      const double z = s.viscosity * speed;
      const double poly = 1.0 + z + 2.0 * z * z / 3.0 + 2.0 * z * z * z / 9.0 + 14.0 * z * z * z * z / 135.0;
      const double rebound = (1.0 - poly * exp(-2.0 * z)) / s.viscosity;                                            // eqs. 7, 8
      const double x_max = pow(s.mass * 2.5 / (s.stiffness * s.viscosity * s.viscosity) * (z - log(1.0 + z)), 0.4); // eq. 4
      check_below(deepest, x_max * (1.0 + 1e-12));
      // At the wall; where the sample is, gravity has taken its share. Rounding of 20000 steps of free flight.
      check_close(sqrt(t->v * t->v - 2.0 * s.gravity * t->x), rebound, 1e-9);
      speed = rebound;
    }
    htz_arena_free(&arena);
  }
}

/** An impact that begins and ends within one step of Runge and Kutta's is corrected as well. */
static void corrected_within_a_step(void** state) {
  (void)state;
  const htz_solver_system s = {.mass = 0.01, .stiffness = 1e6, .exponent = 1.0};
  htz_arena arena;
  // omega T between 3 and 4: its stages are inside, its end is not, wherever the step began.
  htz_solver* t = make("rk4-corrected", &s, 3000.0, &arena);
  bool within = false;
  for (int k = 0; k < 20; ++k) {
    t->cls->place(t, -1.0 / 3000.0 * k / 20.0, 1.0);
    t->cls->step(t, 0.0);
    within = within || (!t->touching && t->force != 0.0);
    if (!t->touching && t->force != 0.0) {
      check_close(t->v, -1.0, 1e-12);
    }
  }
  assert_true(within);
  htz_arena_free(&arena);
}

/** Another hammer between contacts is what it would be made with. */
static void hammers_change(void** state) {
  (void)state;
  for (size_t i = 0; htz_solver_at(i); ++i) {
    const htz_solver_class* c = htz_solver_at(i);
    if (!c->strike_with) {
      continue;
    }
    const htz_solver_system first = {.mass = 0.03, .stiffness = 1e6, .exponent = 1.2, .viscosity = 0.1};
    const htz_solver_system second = {.mass = 0.01, .stiffness = 1e8, .exponent = 1.6, .viscosity = 0.4};
    htz_arena arenas[2];
    htz_solver* a = make(c->name, &first, rate, &arenas[0]);
    htz_solver* b = make(c->name, &second, rate, &arenas[1]);
    a->cls->place(a, -1e-3, 0.0);
    a->cls->strike_with(a, second.mass, second.stiffness, second.exponent, second.viscosity);
    a->cls->place(a, 0.0, 2.0);
    b->cls->place(b, 0.0, 2.0);
    for (int k = 0; k < 60; ++k) {
      a->cls->step(a, 0.0);
      b->cls->step(b, 0.0);
      assert_true(a->x == b->x && a->v == b->v && a->force == b->force);
    }
    htz_arena_free(&arenas[0]);
    htz_arena_free(&arenas[1]);
  }
}

/** No step of a method for real time takes memory. */
static void steps_take_no_memory(void** state) {
  (void)state;
  if (!htz_alloc_guard_active()) {
    skip();
  }
  for (size_t i = 0; htz_solver_at(i); ++i) {
    const htz_solver_class* c = htz_solver_at(i);
    if (!c->real_time) {
      continue;
    }
    htz_solver_system s = soft;
    s.n_modes = c->body ? 3 : 0;
    s.exponent = 1.0;
    s.stiffness = 1e5;
    htz_arena arena;
    htz_solver* t = make(c->name, &s, rate, &arena);
    htz_rt_enter();
    t->cls->place(t, -1e-5, 1.0);
    for (int k = 0; k < 200; ++k) {
      t->cls->step(t, 0.01);
    }
    if (c->strike_with) {
      t->cls->place(t, -1e-3, 0.0);
      t->cls->strike_with(t, 0.02, 1e5, 1.0, 0.1);
    }
    htz_rt_leave();
    assert_true(isfinite(htz_solver_energy(t)));
    htz_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registry_is_complete),
      cmocka_unit_test(bad_values_are_refused),
      cmocka_unit_test(limits_are_stated),
      cmocka_unit_test(orders_on_modes),
      cmocka_unit_test(all_fall_alike),
      cmocka_unit_test(gradients_keep_energy),
      cmocka_unit_test(losses_are_losses),
      cmocka_unit_test(two_point_is_house_plain),
      cmocka_unit_test(newton_settles_everywhere),
      cmocka_unit_test(corrected_bounces),
      cmocka_unit_test(corrected_within_a_step),
      cmocka_unit_test(hammers_change),
      cmocka_unit_test(steps_take_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
