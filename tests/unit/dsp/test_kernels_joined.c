// The kernels of bodies that rest on each other, of every instruction set, against long double.
#include "check.h"

#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <string.h>

enum { N_MAX = 128, ROWS_MAX = 8, SIZES = 4, STEPS = 5 };
static const size_t sizes[SIZES] = {16, 32, 48, 128}; // multiples of HTZ_TURN_LANES and so of HTZ_LANES

typedef struct {
  _Alignas(64) double table[6][N_MAX];
  _Alignas(64) double q[N_MAX], v[N_MAX], rows[ROWS_MAX * N_MAX], force[N_MAX];
  _Alignas(64) float factor[4][N_MAX], x[N_MAX], y[N_MAX];
} rig;

static rig r; // large, and one test runs at a time

/** A fixed sequence in [-1, 1). */
static double noise(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static htz_step_table set_up(size_t n) {
  uint64_t seed = n;
  memset(&r, 0, sizeof r);
  for (size_t k = 0; k < n - 1; ++k) { // the last is silent padding
    for (size_t i = 0; i < 6; ++i) {
      r.table[i][k] = 0.3 * noise(&seed);
    }
    r.q[k] = noise(&seed);
    r.v[k] = noise(&seed);
    for (size_t p = 0; p < ROWS_MAX; ++p) {
      r.rows[p * n + k] = noise(&seed);
    }
    const double angle = 3.0 * noise(&seed);
    r.factor[0][k] = (float)(cos(angle) - 1.0);
    r.factor[1][k] = (float)sin(angle);
    r.factor[2][k] = (float)noise(&seed);
    r.factor[3][k] = (float)noise(&seed);
    r.x[k] = (float)noise(&seed);
    r.y[k] = (float)noise(&seed);
  }
  return (htz_step_table){r.table[0], r.table[1], r.table[2], r.table[3], r.table[4], r.table[5]};
}

typedef void (*kernel_test)(const htz_kernels* kernels, size_t n);

static void for_each(kernel_test test) {
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    for (size_t i = 0; kernels && i < SIZES; ++i) {
      test(kernels, sizes[i]);
    }
  }
  assert_non_null(htz_kernels_for(HTZ_ISA_SCALAR));
}

/** A sum of at most ROWS_MAX products of numbers below 1: each of so many additions rounds a value below ROWS_MAX. */
static void spreads(const htz_kernels* kernels, size_t n) {
  const double f[ROWS_MAX] = {1.0, -0.5, 0.25, 0.75, -1.0, 0.125, 0.5, -0.25};
  for (size_t count = 1; count <= ROWS_MAX; ++count) {
    set_up(n);
    kernels->spread(n, count, r.rows, f, r.force);
    for (size_t k = 0; k < n; ++k) {
      long double sum = 0.0L;
      for (size_t p = 0; p < count; ++p) {
        sum += (long double)f[p] * r.rows[p * n + k];
      }
      check_near(r.force[k], (double)sum, ROWS_MAX * ROWS_MAX * 0x1p-53);
    }
  }
}

/** Fewer than ten operations on values below 2 a coordinate and step; the sum adds n of those. */
static void steps_joined(const htz_kernels* kernels, size_t n) {
  for (int damped = 0; damped < 2; ++damped) {
    const double damp = damped ? 0.7 : 1.0, force = -0.4;
    const htz_step_table t = set_up(n);
    for (int step = 0; step < STEPS; ++step) {
      long double felt = 0.0L, q[N_MAX], v[N_MAX];
      for (size_t k = 0; k < n; ++k) {
        const long double x = r.q[k], y = damp * r.v[k], f = (long double)force * r.rows[k];
        q[k] = x + t.am[k] * x + t.a12[k] * y + t.bq[k] * f;
        v[k] = y + t.a21[k] * x + t.dm[k] * y + t.bv[k] * f;
        felt += r.rows[k] * (q[k] + 0.5L * (t.am[k] * q[k] + t.a12[k] * damp * v[k]));
      }
      const double got = kernels->step_joined(n, &t, damp, r.q, r.v, r.rows, force);
      for (size_t k = 0; k < n; ++k) {
        const double size = 1.0 + fabs((double)q[k]) + fabs((double)v[k]);
        check_near(r.q[k], (double)q[k], 20.0 * size * 0x1p-53);
        check_near(r.v[k], (double)v[k], 20.0 * size * 0x1p-53);
      }
      check_near(got, (double)felt, 40.0 * (double)n * 0x1p-53 * (double)(1 << STEPS));
    }
    assert_true(r.q[n - 1] == 0.0 && r.v[n - 1] == 0.0);
  }
}

/** The same in single precision. */
static void turns_joined(const htz_kernels* kernels, size_t n) {
  set_up(n);
  const htz_turn_table t = {r.factor[0], r.factor[1], r.factor[2], r.factor[3]};
  const float w = 0.3f;
  for (int step = 0; step < STEPS; ++step) {
    long double sum = 0.0L, x[N_MAX], y[N_MAX];
    for (size_t k = 0; k < n; ++k) {
      const long double a = r.x[k], b = r.y[k];
      x[k] = a + t.cm[k] * a - t.s[k] * b + t.bx[k] * (long double)w;
      y[k] = b + t.s[k] * a + t.cm[k] * b + t.by[k] * (long double)w;
      sum += x[k];
    }
    const float got = kernels->turn_joined(n, &t, r.x, r.y, w);
    for (size_t k = 0; k < n; ++k) {
      // Turning keeps the length below sqrt(2), the support adds less than w in a step.
      check_near((double)r.x[k], (double)x[k], 20.0 * (2.0 + STEPS * 0.3) * 0x1p-24);
      check_near((double)r.y[k], (double)y[k], 20.0 * (2.0 + STEPS * 0.3) * 0x1p-24);
    }
    check_near((double)got, (double)sum, 20.0 * (double)n * (2.0 + STEPS * 0.3) * 0x1p-24);
  }
  assert_true(r.x[n - 1] == 0.0f && r.y[n - 1] == 0.0f);
}

static void spread_is_right(void** state) {
  (void)state;
  for_each(spreads);
}

static void step_joined_is_right(void** state) {
  (void)state;
  for_each(steps_joined);
}

static void turn_joined_is_right(void** state) {
  (void)state;
  for_each(turns_joined);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(spread_is_right), cmocka_unit_test(step_joined_is_right),
                                     cmocka_unit_test(turn_joined_is_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
