// The kernels of many springs between many bodies, of every instruction set, against long double.
#include "check.h"

#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <string.h>

enum { BLOCKS = 5, MODES_MAX = 32, COLUMNS_MAX = 11, WIDTH_MAX = 16, SLOTS = BLOCKS * WIDTH_MAX, SPRINGS = 24 };
static const size_t modes_of[BLOCKS] = {8, 32, 0, 16, 8}; // the one without is a body of another kind
static const uint32_t columns_of[BLOCKS] = {1, 4, 2, COLUMNS_MAX, 3};

typedef struct {
  _Alignas(64) double table[BLOCKS][6][MODES_MAX];
  _Alignas(64) double q[BLOCKS][MODES_MAX], v[BLOCKS][MODES_MAX];
  _Alignas(64) double phi[SLOTS][MODES_MAX];
  _Alignas(64) double rise[SLOTS], f[SLOTS], x[SLOTS], matrix[BLOCKS * COLUMNS_MAX * WIDTH_MAX];
  _Alignas(64) double spring[7][SPRINGS];
  htz_step_table tables[BLOCKS][2];
  double damp[BLOCKS][2];
  htz_body_view views[BLOCKS];
  htz_couple_block blocks[BLOCKS];
  const double* rows[SLOTS];
} rig;

static rig r; // large, and one test runs at a time

/** A fixed sequence in [-1, 1). */
static double noise(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static void fill(double* to, size_t n, double size, uint64_t* seed) {
  for (size_t i = 0; i < n; ++i) {
    to[i] = size * noise(seed);
  }
}

static void set_up(void) {
  uint64_t seed = 7;
  uint32_t slot = 0;
  size_t at = 0;
  memset(&r, 0, sizeof r);
  for (size_t b = 0; b < BLOCKS; ++b) {
    const uint32_t width = (columns_of[b] + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
    r.blocks[b] = (htz_couple_block){.first = slot, .columns = columns_of[b], .width = width, .at = at};
    for (size_t i = 0; i < 6; ++i) {
      fill(r.table[b][i], modes_of[b], 0.3, &seed);
    }
    fill(r.q[b], modes_of[b], 1.0, &seed);
    fill(r.v[b], modes_of[b], 1.0, &seed);
    r.tables[b][1] = (htz_step_table){r.table[b][0], r.table[b][1], r.table[b][2], r.table[b][3], r.table[b][4], r.table[b][5]};
    r.damp[b][1] = 0.7;
    r.views[b] = (htz_body_view){modes_of[b], r.tables[b], r.damp[b], r.q[b], r.v[b], NULL};
    for (uint32_t j = 0; j < columns_of[b]; ++j) {
      fill(r.matrix + at + (size_t)j * width, columns_of[b], 1.0, &seed);
      fill(r.phi[slot + j], modes_of[b], 1.0, &seed);
      r.rows[slot + j] = r.phi[slot + j];
      r.rise[slot + j] = noise(&seed);
      r.f[slot + j] = noise(&seed);
    }
    slot += width;
    at += (size_t)columns_of[b] * width;
  }
  for (size_t i = 0; i < 7; ++i) {
    for (size_t k = 0; k < SPRINGS - 1; ++k) {                                    // the last is silent padding
      r.spring[i][k] = i < 3 || i == 4 ? 0.5 + 0.5 * noise(&seed) : noise(&seed); // stiffnesses, dampers and compliances >= 0
    }
  }
}

typedef void (*kernel_test)(const htz_kernels* kernels);

static void for_each(kernel_test test) {
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    if (kernels) {
      set_up();
      test(kernels);
    }
  }
}

/** Each of n products of three factors below 1 is rounded a few times, and so is their sum. */
static void predicts(const htz_kernels* kernels) {
  const double untouched = 3.0;
  for (size_t i = 0; i < r.blocks[2].columns; ++i) {
    r.rise[r.blocks[2].first + i] = untouched;
  }
  kernels->predict_bodies(BLOCKS, r.blocks, r.views, 1, r.rows, r.rise);
  for (size_t b = 0; b < BLOCKS; ++b) {
    for (size_t i = r.blocks[b].first; i < r.blocks[b].first + r.blocks[b].columns; ++i) {
      long double sum = modes_of[b] ? 0.0L : untouched;
      for (size_t k = 0; k < modes_of[b]; ++k) {
        sum += r.phi[i][k] * ((long double)r.table[b][0][k] * r.q[b][k] + (long double)r.table[b][1][k] * 0.7L * r.v[b][k]);
      }
      check_near(r.rise[i], (double)sum, 8.0 * MODES_MAX * 0x1p-53);
    }
  }
}

/** Any number of points whose rows are kept mode by mode: as seen one by one, and what lies beyond the block stays. */
static void predicts_wide(const htz_kernels* kernels) {
  enum { MOST = 80, MODES = 16, BODY = 3 };
  static double wide[MODES * MOST] __attribute__((aligned(64))), rise[MOST + HTZ_LANES] __attribute__((aligned(64)));
  static double rows_of[MOST][MODES] __attribute__((aligned(64)));
  const double* rows[MOST];
  uint64_t seed = 3;
  for (uint32_t columns = 1; columns <= MOST; ++columns) {
    const uint32_t width = (columns + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
    const htz_couple_block block = {.columns = columns, .width = width};
    htz_body_view view = r.views[BODY];
    for (uint32_t i = 0; i < width; ++i) {
      fill(rows_of[i], i < columns ? MODES : 0, 1.0, &seed);
      for (size_t k = 0; k < MODES; ++k) {
        wide[k * width + i] = i < columns ? rows_of[i][k] : 0.0;
      }
      rows[i] = rows_of[i];
    }
    view.wide = wide;
    rise[width] = 3.0;
    kernels->predict_bodies(1, &block, &view, 1, rows, rise);
    for (uint32_t i = 0; i < columns; ++i) {
      long double sum = 0.0L;
      for (size_t k = 0; k < MODES; ++k) {
        sum += rows_of[i][k] *
               ((long double)r.table[BODY][0][k] * view.q[k] + (long double)r.table[BODY][1][k] * 0.7L * view.v[k]);
      }
      check_near(rise[i], (double)sum, 8.0 * MODES * 0x1p-53);
    }
    assert_true(rise[width] == 3.0);
  }
}

static void commits(const htz_kernels* kernels) {
  long double q[BLOCKS][MODES_MAX], v[BLOCKS][MODES_MAX];
  for (size_t b = 0; b < BLOCKS; ++b) {
    for (size_t k = 0; k < modes_of[b]; ++k) {
      long double force = 0.0L;
      for (size_t i = r.blocks[b].first; i < r.blocks[b].first + r.blocks[b].columns; ++i) {
        force += (long double)r.f[i] * r.phi[i][k];
      }
      const long double x = r.q[b][k], y = (long double)r.damp[b][1] * r.v[b][k];
      q[b][k] = x + r.table[b][0][k] * x + r.table[b][1][k] * y + r.table[b][4][k] * force;
      v[b][k] = y + r.table[b][2][k] * x + r.table[b][3][k] * y + r.table[b][5][k] * force;
    }
  }
  kernels->commit_bodies(BLOCKS, r.blocks, r.views, 1, r.rows, r.f);
  for (size_t b = 0; b < BLOCKS; ++b) {
    for (size_t k = 0; k < modes_of[b]; ++k) {
      check_near(r.q[b][k], (double)q[b][k], 8.0 * COLUMNS_MAX * 0x1p-53);
      check_near(r.v[b][k], (double)v[b][k], 8.0 * COLUMNS_MAX * 0x1p-53);
    }
  }
}

/** Of many forces few, one or none, at any place. */
static void commits_few_of_many(const htz_kernels* kernels) {
  static const size_t apart[] = {2, 3, 7, 1000};
  for (size_t pass = 0; pass < sizeof apart / sizeof apart[0]; ++pass) {
    set_up();
    for (size_t i = 0; i < SLOTS; ++i) {
      r.f[i] = i % apart[pass] == 1 ? r.f[i] : 0.0;
    }
    commits(kernels);
  }
}

static void couples(const htz_kernels* kernels) {
  kernels->couple(BLOCKS, r.blocks, r.matrix, r.rise, r.f, r.x);
  for (size_t b = 0; b < BLOCKS; ++b) {
    const htz_couple_block* block = &r.blocks[b];
    for (size_t i = 0; i < block->columns; ++i) {
      long double sum = r.rise[block->first + i];
      for (size_t j = 0; j < block->columns; ++j) {
        sum += (long double)r.matrix[block->at + j * block->width + i] * r.f[block->first + j];
      }
      check_near(r.x[block->first + i], (double)sum, 2.0 * COLUMNS_MAX * COLUMNS_MAX * 0x1p-53);
    }
  }
}

/** Each value takes as many products as there are rows; the largest is that of what came out, to the bit. */
static void pushes(const htz_kernels* kernels) {
  const double* rows[3] = {r.phi[0], r.phi[1], r.phi[2]};
  static const double force[3] = {0.3, -0.7, 0.11};
  for (size_t n_rows = 0; n_rows <= 3; ++n_rows) {
    const size_t n = modes_of[1];
    const double *from = r.q[1], *eta = r.v[1];
    double to[MODES_MAX] __attribute__((aligned(64)));
    const double got = kernels->push(n, from, n_rows, rows, force, eta, to);
    double most = eta[0];
    for (size_t k = 0; k < n; ++k) {
      long double sum = from[k];
      for (size_t i = 0; i < n_rows; ++i) {
        sum -= (long double)force[i] * rows[i][k];
      }
      check_near(to[k], (double)sum, 4.0 * 0x1p-53);
      most = fmax(most, fmax(eta[k], eta[k] + to[k]));
    }
    assert_true(got == most);
  }
}

static void hears(const htz_kernels* kernels) {
  float to[2][3] = {{0.0f, 0.5f, 0.0f}, {0.0f, 0.25f, 0.0f}};
  const htz_tap taps[2] = {{modes_of[1], r.phi[0], r.phi[1], r.q[1], r.v[1], to[0]},
                           {modes_of[3], r.phi[20], r.phi[21], r.q[3], r.v[3], to[1]}};
  kernels->hear(2, taps, 1);
  for (size_t t = 0; t < 2; ++t) {
    long double sum = t ? 0.25L : 0.5L;
    for (size_t k = 0; k < taps[t].n; ++k) {
      sum += (long double)taps[t].aq[k] * taps[t].q[k] + (long double)taps[t].av[k] * taps[t].v[k];
    }
    check_near((double)to[t][1], (double)sum, 8.0 * 0x1p-24); // of a float below 8
    assert_true(to[t][0] == 0.0f && to[t][2] == 0.0f);
  }
}

/** Every spring by itself: done again with the increments that its force leaves, it comes to the force that its law gives. */
static void settles_springs(const htz_kernels* kernels) {
  const double d = 0.5;
  const htz_spring_table t = {r.spring[0], r.spring[1], r.spring[2], r.spring[3], r.spring[4]};
  double *force = r.spring[5], *alone = r.spring[6], s[SPRINGS] __attribute__((aligned(64)));
  double norms[2] = {0.0, 0.0};
  for (int round = 0; round < 30; ++round) {
    for (size_t k = 0; k < SPRINGS; ++k) {
      s[k] = alone[k] - t.own[k] * force[k];
    }
    double before[SPRINGS];
    memcpy(before, force, sizeof before);
    kernels->springs(SPRINGS, &t, 1.0 / d, s, force, norms);
    long double change = 0.0L, size = 0.0L;
    for (size_t k = 0; k < SPRINGS; ++k) {
      const long double moved = t.own[k] * ((long double)force[k] - before[k]), all = (long double)t.own[k] * force[k];
      change += moved * moved;
      size += all * all;
    }
    check_near(norms[0], (double)change, 1e-14 * (1.0 + (double)size)); // forces are rounded after what they are changed by
    check_near(norms[1], (double)size, 1e-14 * (1.0 + (double)size));
  }
  check_below(norms[0], 1e-28 * (1.0 + norms[1]));
  for (size_t k = 0; k < SPRINGS - 1; ++k) {
    const long double a = t.eta[k], b = a + s[k];
    // The discrete gradient of k1 eta^2/2 + k3 eta^4/4, and the damper.
    const long double law = (a + b) * (t.half[k] + t.quarter[k] * (a * a + b * b)) + t.damping[k] * s[k] / d;
    check_near(force[k], (double)law, 1e-12 * (1.0 + fabs((double)law)));
  }
  assert_true(force[SPRINGS - 1] == 0.0);
}

static void predict_is_right(void** state) {
  (void)state;
  for_each(predicts);
}

static void predict_of_many_is_right(void** state) {
  (void)state;
  for_each(predicts_wide);
}

static void commit_is_right(void** state) {
  (void)state;
  for_each(commits);
}

static void commit_of_few_is_right(void** state) {
  (void)state;
  for_each(commits_few_of_many);
}

static void couple_is_right(void** state) {
  (void)state;
  for_each(couples);
}

static void push_is_right(void** state) {
  (void)state;
  for_each(pushes);
}

static void hear_is_right(void** state) {
  (void)state;
  for_each(hears);
}

static void springs_are_right(void** state) {
  (void)state;
  for_each(settles_springs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(predict_is_right),       cmocka_unit_test(commit_is_right),  cmocka_unit_test(predict_of_many_is_right),
      cmocka_unit_test(commit_of_few_is_right), cmocka_unit_test(couple_is_right),  cmocka_unit_test(hear_is_right),
      cmocka_unit_test(push_is_right),          cmocka_unit_test(springs_are_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
