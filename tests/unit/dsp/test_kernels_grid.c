// The kernels of finite-difference grids, of every instruction set, against long double.
#include "check.h"

#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <string.h>

enum { ROWS = 5, GHOSTS = 2, STRIDE_MAX = 72, SIZE = (ROWS + 2 * GHOSTS) * STRIDE_MAX + 2 * HTZ_GRID_PAD };

typedef struct {
  _Alignas(64) double next[SIZE], now[SIZE], before[SIZE];
} rig;

static rig r; // large, and one test runs at a time

/** A fixed sequence in [-1, 1). */
static double noise(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static htz_grid_stencil set_up(uint64_t seed) {
  for (size_t i = 0; i < SIZE; ++i) {
    r.next[i] = NAN;
    r.now[i] = noise(&seed);
    r.before[i] = noise(&seed);
  }
  return (htz_grid_stencil){.at = noise(&seed),
                            .x1 = noise(&seed),
                            .x2 = noise(&seed),
                            .before = noise(&seed),
                            .past_x = noise(&seed),
                            .y1 = noise(&seed),
                            .y2 = noise(&seed),
                            .xy = noise(&seed),
                            .past_y = noise(&seed)};
}

/** Fewer than 19 products of numbers below 1, as many roundings of sums below 19. */
static const double rounded = 19.0 * 19.0 * 0x1p-53;

static void one_line(const htz_kernels* kernels, size_t n) {
  const htz_grid_stencil c = set_up(n);
  double* next = r.next + HTZ_GRID_PAD;
  const double *u = r.now + HTZ_GRID_PAD, *v = r.before + HTZ_GRID_PAD;
  kernels->grid_line(n, &c, next, u, v);
  for (size_t i = 0; i < n; ++i) {
    const double *p = u + i, *q = v + i;
    const long double sum = (long double)c.at * p[0] + (long double)c.x1 * ((long double)p[-1] + p[1]) +
                            (long double)c.x2 * ((long double)p[-2] + p[2]) + (long double)c.before * q[0] +
                            (long double)c.past_x * ((long double)q[-1] + q[1]);
    check_near(next[i], (double)sum, rounded);
  }
  const size_t end = (n + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
  assert_true(isnan(next[-1]) && isnan(next[end])); // nothing else is written
}

static void one_sheet(const htz_kernels* kernels, size_t stride) {
  const htz_grid_stencil c = set_up(stride);
  const size_t first = HTZ_GRID_PAD + GHOSTS * stride;
  const ptrdiff_t row = (ptrdiff_t)stride;
  double* next = r.next + first;
  kernels->grid_sheet(ROWS, stride, &c, next, r.now + first, r.before + first);
  for (size_t i = 0; i < ROWS * stride; ++i) {
    const double *p = r.now + first + i, *q = r.before + first + i;
    long double sum = (long double)c.at * p[0] + (long double)c.before * q[0];
    sum += (long double)c.x1 * ((long double)p[-1] + p[1]) + (long double)c.x2 * ((long double)p[-2] + p[2]);
    sum += (long double)c.y1 * ((long double)p[-row] + p[row]) + (long double)c.y2 * ((long double)p[-2 * row] + p[2 * row]);
    sum += (long double)c.xy * ((long double)p[-row - 1] + p[-row + 1] + p[row - 1] + p[row + 1]);
    sum += (long double)c.past_x * ((long double)q[-1] + q[1]) + (long double)c.past_y * ((long double)q[-row] + q[row]);
    check_near(next[i], (double)sum, rounded);
  }
  assert_true(isnan(next[-1]) && isnan(next[ROWS * stride]));
}

static void every_set_agrees(void** state) {
  (void)state;
  static const size_t lines[] = {5, 8, 9, 16, 23, 101}, strides[] = {8, 16, 24, STRIDE_MAX};
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    for (size_t i = 0; kernels && i < sizeof lines / sizeof lines[0]; ++i) {
      one_line(kernels, lines[i]);
    }
    for (size_t i = 0; kernels && i < sizeof strides / sizeof strides[0]; ++i) {
      one_sheet(kernels, strides[i]);
    }
  }
  assert_non_null(htz_kernels_for(HTZ_ISA_SCALAR));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_set_agrees)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
