// Exact-hold bodies: every step, of any length, lands where the differential equation does.
#include "check.h"

#include "hold.h"

#include "hertzian/model/bodies.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double rate_hz = 48000.0;

typedef struct {
  double omega, sigma;
} oscillator;

static const oscillator cases[] = {
    {2e3, 0.0},     {2e3, 5.0},     {173.0, 0.3}, {9e4, 200.0}, {3e5, 10.0}, {500.0, 499.9999},
    {500.0, 500.0}, {500.0, 700.0}, {10.0, 9e4},  {0.0, 0.0},   {0.0, 30.0}, {1e-3, 0.0},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/** State after `t` from (q, v) under constant acceleration g, by many Taylor steps in long double. */
static void integrate(oscillator o, long double g, long double t, long double* q, long double* v) {
  const int n = 2000 + (int)((double)t * (o.omega + o.sigma) * 50.0);
  const long double h = t / n;
  for (int i = 0; i < n; ++i) {
    // Series of the exact flow: derivatives follow from q'' = g - 2 sigma q' - omega^2 q.
    long double d[12] = {*q, *v};
    for (int k = 2; k < 12; ++k) {
      d[k] =
          (k == 2 ? g : 0.0L) - 2.0L * (long double)o.sigma * d[k - 1] - (long double)o.omega * (long double)o.omega * d[k - 2];
    }
    long double nq = 0.0L, nv = 0.0L, p = 1.0L;
    for (int k = 0; k < 11; ++k) {
      nq += d[k] * p;
      nv += d[k + 1] * p;
      p *= h / (k + 1);
    }
    *q = nq;
    *v = nv;
  }
}

static void steps_are_exact(void** state) {
  (void)state;
  for (size_t i = 0; i < CASES; ++i) {
    const oscillator o = cases[i];
    for (int level = 0; level <= HTZ_LEVEL_MAX; level += level < 3 ? 1 : 4) {
      const double d = ldexp(1.0 / rate_hz, -level);
      const htz_hold_step c = htz_hold_coefficients(o.omega, o.sigma, 1.0, d);
      const double q0 = 1e-3, v0 = 0.7, g = 300.0;
      long double q = (long double)q0, v = (long double)v0;
      integrate(o, (long double)g, (long double)d, &q, &v);
      // Each term is rounded once; h itself, from closed forms, is good to 1/(omega d) < 40 roundings.
      const double h_lost = 80.0 * 2.3e-16;
      // And the phase omega d, rounded, moves the result by that much of the amplitude.
      const double phase = 2.3e-16 * (o.omega + o.sigma) * d;
      const double size_q = (4e-16 + phase) * (fabs(q0) + fabs(v0) * d) + h_lost * (fabs(c.am * q0) + fabs(c.bq * g));
      const double size_v =
          (4e-16 + phase) * (fabs(v0) + fabs(o.omega * q0) + g * d) + h_lost * (fabs(c.dm * v0) + fabs(c.a21 * q0));
      check_near(q0 + (c.am * q0 + c.a12 * v0 + c.bq * g), (double)q, size_q);
      check_near(v0 + (c.a21 * q0 + c.dm * v0 + c.bv * g), (double)v, size_v);
    }
  }
}

static void differences_keep_their_digits(void** state) {
  (void)state;
  // At the finest step h = d^2/2 (1 - 2 sigma d/3 + (4 sigma^2 - omega^2) d^2/12): relative, not absolute, accuracy.
  const double d = ldexp(1.0 / rate_hz, -HTZ_LEVEL_MAX);
  const htz_hold_step c = htz_hold_coefficients(1000.0, 10.0, 2.0, d);
  const double h = 0.5 * d * d * (1.0 - 20.0 * d / 3.0 + (400.0 - 1e6) * d * d / 12.0);
  check_close(c.am, -1e6 * h, 1e-14);
  check_close(c.bq, h / 2.0, 1e-14);
}

enum { MODES = 11, POINTS = 3 };

typedef struct {
  htz_arena arena;
  htz_modes modes;
  htz_modal* modal;
} fixture;

static void sines(const htz_modes* modes, double x, double* phi) {
  for (size_t k = 0; k < modes->n; ++k) {
    phi[k] = sin((double)(k + 1) * 3.14159265358979323846 * x);
  }
}

static void make(fixture* f, htz_isa isa) {
  memset(f, 0, sizeof *f);
  assert_int_equal(htz_arena_init(&f->arena, 1 << 20), HTZ_OK);
  f->modes.n = MODES;
  f->modes.omega = htz_arena_alloc(&f->arena, MODES, sizeof(double));
  f->modes.sigma = htz_arena_alloc(&f->arena, MODES, sizeof(double));
  f->modes.mass = htz_arena_alloc(&f->arena, MODES, sizeof(double));
  f->modes.audible = htz_arena_alloc(&f->arena, MODES, 1);
  f->modes.shape = sines;
  for (size_t k = 0; k < MODES; ++k) {
    f->modes.omega[k] = 2.0 * pi * 311.0 * (double)(k + 1) * (double)(k + 1) * 0.7;
    f->modes.sigma[k] = 2.0 + 3.0 * (double)k;
    f->modes.mass[k] = 0.01 * (1.0 + (double)k);
    f->modes.audible[k] = 1;
  }
  f->modes.omega[0] = 0.0; // one rigid motion
  const htz_kernels* kernels = htz_kernels_for(isa);
  assert_non_null(kernels);
  assert_int_equal(htz_modal_new(&f->modes, POINTS, 2, rate_hz, kernels, &f->arena, &f->modal), HTZ_OK);
  htz_modal_place(f->modal, 0, 0.21);
  htz_modal_place(f->modal, 1, 0.5);
  htz_modal_place(f->modal, 2, 0.77);
  htz_modal_listen(f->modal, 0, HTZ_HEAR_VELOCITY, 0.33, 1.0);
  htz_modal_listen(f->modal, 1, HTZ_HEAR_DISPLACEMENT, 0.61, 1000.0);
}

static void pluck(fixture* f) {
  htz_body* body = htz_modal_body(f->modal);
  body->cls->reset(body);
  for (size_t k = 0; k < MODES; ++k) {
    htz_modal_q(f->modal)[k] = 1e-4 / (1.0 + (double)k);
    htz_modal_v(f->modal)[k] = 0.05 * (k % 2 ? -1.0 : 1.0);
  }
}

/** Sub-steps of any mix of lengths reach the state of the whole step: tables at all levels belong to one flow. */
static void levels_agree(void** state) {
  (void)state;
  fixture f;
  make(&f, HTZ_ISA_SCALAR);
  htz_body* body = htz_modal_body(f.modal);
  body->cls->prepare(body, HTZ_LEVEL_MAX);
  double want_q[MODES], want_v[MODES];
  const size_t points[2] = {0, 2};
  const double force[2] = {3.0, -1.5};
  pluck(&f);
  body->cls->commit(body, 0, 2, points, force);
  memcpy(want_q, htz_modal_q(f.modal), sizeof want_q);
  memcpy(want_v, htz_modal_v(f.modal), sizeof want_v);
  pluck(&f);
  // 1/2 + 1/4 + ... + 1/1024 + 1/2048 + 1/2048
  for (unsigned l = 1; l <= HTZ_LEVEL_MAX; ++l) {
    body->cls->commit(body, l, 2, points, force);
  }
  body->cls->commit(body, HTZ_LEVEL_MAX, 2, points, force);
  for (size_t k = 0; k < MODES; ++k) {
    // The finest table is squared ten times; each squaring doubles what rounding left.
    const double size = want_q[k] * f.modes.omega[k] < 0.0 ? -want_q[k] * f.modes.omega[k] : want_q[k] * f.modes.omega[k];
    check_near(htz_modal_q(f.modal)[k], want_q[k], 1e-12 * 1e-4);
    check_near(htz_modal_v(f.modal)[k], want_v[k], 1e-12 * (0.05 + size));
  }
  htz_arena_free(&f.arena);
}

static void predict_is_what_commit_does(void** state) {
  (void)state;
  fixture f;
  make(&f, HTZ_ISA_SCALAR);
  htz_body* body = htz_modal_body(f.modal);
  htz_modal_damp(f.modal, 200.0);
  body->cls->prepare(body, 5);
  for (unsigned level = 0; level <= 5; ++level) {
    pluck(&f);
    const double before = body->cls->displacement(body, 2);
    const double free_du = body->cls->predict(body, level, 2);
    const size_t at = 0;
    const double force = 2.0;
    body->cls->commit(body, level, 1, &at, &force);
    const double moved = body->cls->displacement(body, 2) - before;
    check_near(moved, free_du + force * body->cls->compliance(body, level, 2, 0), 1e-15 * 1e-3);
  }
  htz_arena_free(&f.arena);
}

/**
   The free quantum gives the same states and signals as 64 single steps, damper up or down, on every instruction set here; also of modes
   damped far beyond critical, of whose faster decay e^-20 to e^-140 is left after a sample: no digit of a step's determinant.
*/
static void quantum_is_64_steps(void** state) {
  (void)state;
  for (int isa = 0; isa < HTZ_ISA_COUNT; ++isa) {
    if (!htz_kernels_for((htz_isa)isa)) {
      continue;
    }
    for (int run = 0; run < 4; ++run) {
      fixture f;
      make(&f, (htz_isa)isa);
      htz_modal_damp(f.modal, run % 2 ? 150.0 : 0.0);
      htz_modal_retune(f.modal, 1.0, run < 2 ? 1.0 : 1e5, false);
      htz_body* body = htz_modal_body(f.modal);
      pluck(&f);
      double want[2][HTZ_QUANTUM], largest[2] = {fabs(htz_modal_hear(f.modal, 0)), fabs(htz_modal_hear(f.modal, 1))};
      for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
        body->cls->commit(body, 0, 0, NULL, NULL);
        for (size_t p = 0; p < 2; ++p) {
          want[p][i] = htz_modal_hear(f.modal, p);
          largest[p] = fabs(want[p][i]) > largest[p] ? fabs(want[p][i]) : largest[p];
        }
      }
      double end_q[MODES], end_v[MODES];
      memcpy(end_q, htz_modal_q(f.modal), sizeof end_q);
      memcpy(end_v, htz_modal_v(f.modal), sizeof end_v);
      pluck(&f);
      float out[2][HTZ_QUANTUM] = {{0}, {0}};
      float* pickups[2] = {out[0], out[1]};
      htz_modal_free_quantum(f.modal, pickups);
      for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
        for (size_t p = 0; p < 2; ++p) {
          // Single precision: 2 x 11 products of half an ulp each.
          check_near((double)out[p][i], want[p][i], 22.0 * 6e-8 * largest[p]);
        }
      }
      for (size_t k = 0; k < MODES; ++k) {
        check_near(htz_modal_q(f.modal)[k], end_q[k], 1e-12 * 1e-4);
        check_near(htz_modal_v(f.modal)[k], end_v[k], 1e-12 * 0.05);
      }
      htz_arena_free(&f.arena);
    }
  }
}

static void damper_adds_its_rate(void** state) {
  (void)state;
  fixture f;
  make(&f, HTZ_ISA_SCALAR);
  htz_body* body = htz_modal_body(f.modal);
  const double extra = 100.0;
  const size_t k = 3;
  htz_modal_damp(f.modal, extra);
  htz_modal_q(f.modal)[k] = 1e-3;
  const double before = body->cls->energy(body);
  // Whole periods, so that kinetic and potential energy are compared alike: measure over many to average the rest out.
  const int steps = (int)(0.04 * rate_hz);
  for (int i = 0; i < steps; ++i) {
    body->cls->commit(body, 0, 0, NULL, NULL);
  }
  const double rate = -log(body->cls->energy(body) / before) / (2.0 * steps / rate_hz);
  // Within one period the loss is uneven by sigma/omega.
  const double uneven = (extra + f.modes.sigma[k]) / f.modes.omega[k];
  check_close(rate, extra + f.modes.sigma[k], uneven);
  htz_arena_free(&f.arena);
}

static void retuning_keeps_energy(void** state) {
  (void)state;
  fixture f;
  make(&f, HTZ_ISA_SCALAR);
  htz_body* body = htz_modal_body(f.modal);
  pluck(&f);
  const double before = body->cls->energy(body);
  htz_modal_retune(f.modal, 1.0594630943592953, 1.0, false);
  check_close(body->cls->energy(body), before, 1e-14);
  check_close(htz_modal_omega(f.modal)[4], f.modes.omega[4] * 1.0594630943592953, 1e-15);
  // In contact the state stays and the work is told.
  double q[MODES];
  memcpy(q, htz_modal_q(f.modal), sizeof q);
  const double now = body->cls->energy(body);
  const double work = htz_modal_retune(f.modal, 1.1, 1.0, true);
  assert_memory_equal(q, htz_modal_q(f.modal), sizeof q);
  check_close(body->cls->energy(body), now + work, 1e-14);
  htz_arena_free(&f.arena);
}

static void loudness_bound_holds(void** state) {
  (void)state;
  fixture f;
  make(&f, HTZ_ISA_SCALAR);
  htz_body* body = htz_modal_body(f.modal);
  pluck(&f);
  const double bound = htz_modal_loudness_bound(f.modal, 0) * sqrt(body->cls->energy(body));
  double most = 0.0;
  for (int i = 0; i < 4800; ++i) {
    body->cls->commit(body, 0, 0, NULL, NULL);
    most = fabs(htz_modal_hear(f.modal, 0)) > most ? fabs(htz_modal_hear(f.modal, 0)) : most;
  }
  check_below(most, bound);
  check_above(most, 0.05 * bound); // and is not idle
  htz_arena_free(&f.arena);
}

static void high_modes_are_muted(void** state) {
  (void)state;
  fixture f;
  make(&f, HTZ_ISA_SCALAR);
  size_t above = 0;
  for (size_t k = 0; k < MODES; ++k) {
    above += f.modes.omega[k] > 2.0 * pi * 20000.0;
  }
  assert_true(above > 0);
  htz_body* body = htz_modal_body(f.modal);
  htz_modal_v(f.modal)[MODES - 1] = 1.0;
  assert_true(body->cls->energy(body) > 0.0);
  check_near(htz_modal_hear(f.modal, 0), 0.0, 0.0);
  htz_arena_free(&f.arena);
}

static void driven_point_and_barrier(void** state) {
  (void)state;
  htz_arena arena;
  assert_int_equal(htz_arena_init(&arena, 1 << 16), HTZ_OK);
  htz_body *driven, *wall;
  assert_int_equal(htz_driven_new(rate_hz, &arena, &driven), HTZ_OK);
  assert_int_equal(htz_barrier_new(&arena, &wall), HTZ_OK);
  driven->cls->set_motion(driven, 0.1, 2.0);
  const size_t at = 0;
  const double force = 1e9;
  driven->cls->commit(driven, 1, 1, &at, &force);
  check_close(driven->cls->displacement(driven, 0), 0.1 + 2.0 * 0.5 / rate_hz, 1e-15);
  check_near(driven->cls->compliance(driven, 0, 0, 0), 0.0, 0.0);
  wall->cls->commit(wall, 0, 1, &at, &force);
  check_near(wall->cls->displacement(wall, 0), 0.0, 0.0);
  assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 0.0}, rate_hz, &arena, &wall), HTZ_BAD_VALUE);
  assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = (double)NAN}, rate_hz, &arena, &wall), HTZ_BAD_VALUE);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(steps_are_exact),       cmocka_unit_test(differences_keep_their_digits),
                                     cmocka_unit_test(levels_agree),          cmocka_unit_test(predict_is_what_commit_does),
                                     cmocka_unit_test(quantum_is_64_steps),   cmocka_unit_test(damper_adds_its_rate),
                                     cmocka_unit_test(retuning_keeps_energy), cmocka_unit_test(loudness_bound_holds),
                                     cmocka_unit_test(high_modes_are_muted),  cmocka_unit_test(driven_point_and_barrier)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
