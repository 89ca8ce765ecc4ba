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
  _Alignas(64) float factor[HTZ_TURN_ROWS][N_MAX], x[N_MAX], y[N_MAX];
  _Alignas(64) float powers[N_MAX * 2 * HTZ_TURN_BLOCK], heard[2][HTZ_ANSWER];
  _Alignas(64) float own[ROWS_MAX * HTZ_ANSWER], next[ROWS_MAX * HTZ_ANSWER], said[(ROWS_MAX + 1) * HTZ_ANSWER];
} rig;

static rig r; // large, and one test runs at a time

/** A fixed sequence in [-1, 1). */
static double noise(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

static htz_turn_table turn_table(void) {
  return (htz_turn_table){r.factor[0], r.factor[1], r.factor[2], r.factor[3],  r.factor[4],  r.factor[5], r.factor[6],
                          r.factor[7], r.factor[8], r.factor[9], r.factor[10], r.factor[11], r.powers};
}

static htz_step_table set_up(size_t n) {
  const htz_turn_table t = turn_table();
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
    const double angle = 3.0 * noise(&seed), bx = noise(&seed), by = noise(&seed);
    htz_turn_set(&t, k, cos(angle) - 1.0, sin(angle), bx, by);
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

/** Two sums of n products, each of three factors. */
static void feels_joined(const htz_kernels* kernels, size_t n) {
  const double damp = 0.7;
  const htz_step_table t = set_up(n);
  long double end_force = 0.0L, rise = 0.0L;
  for (size_t k = 0; k < n; ++k) {
    end_force += (long double)r.rows[k] * r.q[k];
    rise += r.rows[k] * ((long double)t.am[k] * r.q[k] + t.a12[k] * (damp * (long double)r.v[k]));
  }
  double got = 0.0;
  const double feel = kernels->reaction_joined(n, &t, damp, r.q, r.v, r.rows, &got);
  check_near(got, (double)end_force, 4.0 * (double)n * 0x1p-53);
  check_near(feel, (double)(end_force + 0.5L * rise), 8.0 * (double)n * 0x1p-53);
}

/** As steps_joined(), the force a sum of `count` products; then sums over n modes of what is left. */
static void steps_points(const htz_kernels* kernels, size_t n) {
  const double f[ROWS_MAX] = {1.0, -0.5, 0.25, 0.75, -1.0, 0.125, 0.5, -0.25}, damp = 0.7;
  for (size_t count = 1; count <= ROWS_MAX; ++count) {
    const htz_step_table t = set_up(n);
    const double *aq[2] = {r.rows, r.rows + n}, *av[2] = {r.rows + n, r.rows};
    long double rise[ROWS_MAX] = {0.0L}, heard[2] = {0.0L}, q[N_MAX], v[N_MAX];
    for (size_t k = 0; k < n; ++k) {
      const long double x = r.q[k], y = damp * r.v[k];
      long double force = 0.0L;
      for (size_t p = 0; p < count; ++p) {
        force += (long double)f[p] * r.rows[p * n + k];
      }
      q[k] = x + t.am[k] * x + t.a12[k] * y + t.bq[k] * force;
      v[k] = y + t.a21[k] * x + t.dm[k] * y + t.bv[k] * force;
      for (size_t p = 0; p < count; ++p) {
        rise[p] += r.rows[p * n + k] * (t.am[k] * q[k] + t.a12[k] * damp * v[k]);
      }
      for (size_t i = 0; i < 2; ++i) {
        heard[i] += aq[i][k] * q[k] + av[i][k] * v[k];
      }
    }
    double up[ROWS_MAX], got[2];
    kernels->step_points(n, &t, damp, r.q, r.v, count, r.rows, f, up, 2, aq, av, got);
    for (size_t k = 0; k < n; ++k) {
      check_near(r.q[k], (double)q[k], 100.0 * 0x1p-53);
      check_near(r.v[k], (double)v[k], 100.0 * 0x1p-53);
    }
    for (size_t p = 0; p < count; ++p) {
      check_near(up[p], (double)rise[p], 100.0 * (double)n * 0x1p-53);
    }
    for (size_t i = 0; i < 2; ++i) {
      check_near(got[i], (double)heard[i], 100.0 * (double)n * 0x1p-53);
    }
  }
}

/** Sums of n products of numbers below 1, and four of those a number. */
static void pairs(const htz_kernels* kernels, size_t n) {
  const double *a = r.rows, *b = r.rows + n, c[4] = {0.5, -0.25, 0.75, 1.0};
  double out[4];
  set_up(n);
  long double sum[4] = {0.0L}, q[N_MAX], v[N_MAX];
  for (size_t k = 0; k < n; ++k) {
    sum[0] += (long double)a[k] * r.q[k];
    sum[1] += (long double)b[k] * r.q[k];
    sum[2] += (long double)a[k] * r.v[k];
    sum[3] += (long double)b[k] * r.v[k];
    q[k] = r.q[k] + (long double)c[0] * a[k] + (long double)c[1] * b[k];
    v[k] = r.v[k] + (long double)c[2] * a[k] + (long double)c[3] * b[k];
  }
  kernels->dot_pairs(n, a, b, r.q, r.v, out);
  kernels->add_pairs(n, a, b, c, r.q, r.v);
  for (size_t i = 0; i < 4; ++i) {
    check_near(out[i], (double)sum[i], 4.0 * (double)n * 0x1p-53);
  }
  for (size_t k = 0; k < n; ++k) {
    check_near(r.q[k], (double)q[k], 16.0 * 0x1p-53);
    check_near(r.v[k], (double)v[k], 16.0 * 0x1p-53);
  }
}

/** A sum of 3 n products of three, in single precision. */
static void turning_energy(const htz_kernels* kernels, size_t n) {
  set_up(n);
  double sum = 0.0;
  for (size_t k = 0; k < n; ++k) {
    const double x = (double)r.x[k], y = (double)r.y[k];
    sum += (double)r.factor[10][k] * x * x + (double)r.factor[11][k] * x * y + (double)r.factor[1][k] * y * y;
  }
  const float got = kernels->turn_energy(n, r.factor[10], r.factor[11], r.factor[1], r.x, r.y);
  check_near((double)got, sum, 3.0 * (double)n * 0x1p-23);
}

/**
   Turning is sample after sample by cm and s. In single precision every factor is off by 2^-25, and so every angle; over the frames
   that adds up to no more than frames 2^-23 of an amplitude below sqrt(2), and w adds less than 0.3 sqrt(2) a sample.
*/
static void turns(const htz_kernels* kernels, size_t n) {
  static const size_t lengths[] = {1, 3, 4, 8, 23, 63, HTZ_QUANTUM}; // four and eight at a time, and what is left over
  static const float share[2] = {0.75f, 0.25f}, w_most = 0.3f;
  for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; ++l) {
    const size_t frames = lengths[l];
    const double allowed = (double)frames * 0x1p-23 * 1.5 * (1.0 + (double)w_most * (double)frames);
    static double sum[2][HTZ_QUANTUM];
    float w[HTZ_QUANTUM];
    double x[N_MAX], y[N_MAX];
    set_up(n);
    const htz_turn_table t = turn_table();
    memset(sum, 0, sizeof sum);
    for (size_t k = 0; k < n; ++k) {
      x[k] = (double)r.x[k];
      y[k] = (double)r.y[k];
      const double angle = atan2((double)t.s[k], 1.0 + (double)t.cm[k]);
      double a = x[k], b = y[k];
      for (size_t f = 0; f < frames; ++f) {
        w[f] = w_most * (float)cos((double)f);
        sum[0][f] += a;
        const double turned = cos(angle) * a - sin(angle) * b;
        b = sin(angle) * a + cos(angle) * b;
        a = turned;
        const double moved = cos(angle) * x[k] - sin(angle) * y[k] + (double)t.bx[k] * (double)w[f];
        y[k] = sin(angle) * x[k] + cos(angle) * y[k] + (double)t.by[k] * (double)w[f];
        x[k] = moved;
      }
    }
    float* const heard[2] = {r.heard[0], r.heard[1]};
    const float last = kernels->turn_free(n, &t, r.x, r.y, frames, 1e6f, share, heard);
    check_near((double)last, sum[0][frames - 1], (double)n * allowed);
    for (size_t i = 0; i < 2; ++i) {
      for (size_t f = 0; f < frames; ++f) {
        check_near((double)r.heard[i][f], (double)share[i] * sum[0][f], (double)n * allowed);
      }
    }
    kernels->turn_driven(n, &t, r.x, r.y, frames, share, (const float* const[2]){w, w});
    for (size_t k = 0; k < n; ++k) {
      check_near((double)r.x[k], x[k], allowed);
      check_near((double)r.y[k], y[k], allowed);
    }
    assert_true(r.x[n - 1] == 0.0f && r.y[n - 1] == 0.0f);
    // What is no number, or too large, is not let out.
    memset(r.heard, 0, sizeof r.heard);
    r.x[0] = NAN;
    assert_true(!(kernels->turn_free(n, &t, r.x, r.y, frames, 1e6f, share, heard) < 1e6f));
    assert_true(r.heard[0][0] == 0.0f && r.heard[1][0] == 0.0f);
  }
}

/** Three products and as many additions of numbers below 1, in single precision. */
static void answers(const htz_kernels* kernels, size_t n) {
  enum { AT = 5 };
  const float w[ROWS_MAX] = {0.5f, -0.25f, 1.0f, 0.75f, -1.0f, 0.125f, 0.3f, -0.7f};
  const size_t points = n == sizes[0] ? 1 : (size_t)ROWS_MAX, frames = HTZ_QUANTUM - 1 - AT;
  uint64_t seed = n;
  memset(&r, 0, sizeof r);
  for (size_t i = 0; i < points * HTZ_ANSWER; ++i) {
    const bool silent = i % HTZ_ANSWER >= HTZ_QUANTUM;
    r.own[i] = silent ? 0.0f : (float)noise(&seed);
    r.next[i] = silent || i / HTZ_ANSWER + 1 == points ? 0.0f : (float)noise(&seed);
  }
  kernels->answer(points, frames, r.own, r.next, w, r.said + AT);
  for (size_t p = 0; p < points; ++p) {
    const size_t at = p * HTZ_ANSWER;
    for (size_t l = 0; l < frames; ++l) {
      double sum = (double)r.own[at + l] * (double)w[p];
      sum += p + 1 < points ? (double)r.next[at + l] * (double)w[p + 1] : 0.0;
      sum += p > 0 ? (double)r.next[at - HTZ_ANSWER + l] * (double)w[p - 1] : 0.0;
      check_near((double)r.said[AT + at + l], sum, 6.0 * 0x1p-24);
    }
    assert_true(r.said[at + AT - 1] == 0.0f);
  }
}

static void step_points_is_right(void** state) {
  (void)state;
  for_each(steps_points);
}

static void pairs_are_right(void** state) {
  (void)state;
  for_each(pairs);
}

static void turning_energy_is_right(void** state) {
  (void)state;
  for_each(turning_energy);
}

static void spread_is_right(void** state) {
  (void)state;
  for_each(spreads);
}

static void step_joined_is_right(void** state) {
  (void)state;
  for_each(steps_joined);
}

static void feel_joined_is_right(void** state) {
  (void)state;
  for_each(feels_joined);
}

static void turning_is_right(void** state) {
  (void)state;
  for_each(turns);
}

static void answer_is_right(void** state) {
  (void)state;
  for_each(answers);
}

/**
   Steps one by one, in double precision, beside blocks of them in single: values of the table below 1 make a mode that shrinks, and each of
   n modes is off by some roundings a block.
*/
static void sees_ahead(const htz_kernels* kernels, size_t n) {
  enum { POINTS = HTZ_AHEAD_POINTS };
  static const size_t lengths[] = {1, 8, 13, HTZ_QUANTUM};
  static _Alignas(64) float rows[HTZ_AHEAD_ROWS][N_MAX], powers[N_MAX * 2 * HTZ_TURN_BLOCK], shapes[N_MAX * POINTS];
  static _Alignas(64) float seen[POINTS * HTZ_ANSWER];
  for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; ++l) {
    const htz_ahead_table t = {POINTS, rows[0], rows[1], rows[2], rows[3], powers, shapes};
    static double expected[POINTS][HTZ_QUANTUM];
    uint64_t seed = n;
    set_up(n);
    memset(rows, 0, sizeof rows);
    memset(powers, 0, sizeof powers);
    memset(shapes, 0, sizeof shapes);
    memset(expected, 0, sizeof expected);
    for (size_t k = 0; k < n - 1; ++k) {
      const double angle = 3.0 * noise(&seed), shrink = 0.999, c = shrink * cos(angle), s = shrink * sin(angle);
      double q = r.q[k], v = r.v[k], of_q = 1.0, of_v = 0.0;
      for (size_t p = 0; p < POINTS; ++p) {
        shapes[k * POINTS + p] = (float)r.rows[p * n + k];
      }
      for (size_t f = 0; f < lengths[l]; ++f) {
        const double moved = c * q + s * v;
        v = c * v - s * q;
        q = moved;
        for (size_t p = 0; p < POINTS; ++p) {
          expected[p][f] += (double)shapes[k * POINTS + p] * q;
        }
      }
      for (size_t i = 0; i < HTZ_TURN_BLOCK; ++i) {
        const double next = of_q * c - of_v * s;
        of_v = of_q * s + of_v * c;
        of_q = next;
        powers[k * 2 * HTZ_TURN_BLOCK + i] = (float)of_q;
        powers[k * 2 * HTZ_TURN_BLOCK + HTZ_TURN_BLOCK + i] = (float)of_v;
      }
      rows[0][k] = rows[3][k] = (float)(of_q - 1.0);
      rows[1][k] = (float)of_v;
      rows[2][k] = (float)-of_v;
    }
    kernels->see_ahead(n, &t, r.q, r.v, lengths[l], seen);
    for (size_t p = 0; p < POINTS; ++p) {
      for (size_t f = 0; f < lengths[l]; ++f) {
        check_near((double)seen[p * HTZ_ANSWER + f], expected[p][f], (double)n * 0x1p-24 * 2.0 * (double)(f / 8 + 2));
      }
    }
  }
}

/** Sums of as many products as there are points, of numbers below 1. */
static void responds(const htz_kernels* kernels, size_t n) {
  enum { AT = 5 };
  static _Alignas(64) float response[ROWS_MAX * ROWS_MAX * HTZ_ANSWER];
  const float f[ROWS_MAX] = {0.5f, -0.25f, 1.0f, 0.75f, -1.0f, 0.125f, 0.3f, -0.7f};
  const size_t points = n == sizes[0] ? 3 : (size_t)ROWS_MAX, frames = HTZ_QUANTUM - 1 - AT;
  uint64_t seed = n;
  memset(&r, 0, sizeof r);
  for (size_t i = 0; i < points * points * HTZ_ANSWER; ++i) {
    response[i] = (float)noise(&seed);
  }
  kernels->respond(points, frames, response, f, r.said + AT);
  for (size_t p = 0; p < points; ++p) {
    for (size_t l = 0; l < frames; ++l) {
      double sum = 0.0;
      for (size_t q = 0; q < points; ++q) {
        sum += (double)f[q] * (double)response[(p * points + q) * HTZ_ANSWER + l];
      }
      check_near((double)r.said[p * HTZ_ANSWER + AT + l], sum, ROWS_MAX * ROWS_MAX * 0x1p-24);
    }
  }
}

static void seeing_ahead_is_right(void** state) {
  (void)state;
  for_each(sees_ahead);
}

static void response_is_right(void** state) {
  (void)state;
  for_each(responds);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(step_points_is_right),    cmocka_unit_test(pairs_are_right),
                                     cmocka_unit_test(turning_energy_is_right), cmocka_unit_test(spread_is_right),
                                     cmocka_unit_test(step_joined_is_right),    cmocka_unit_test(feel_joined_is_right),
                                     cmocka_unit_test(turning_is_right),        cmocka_unit_test(answer_is_right),
                                     cmocka_unit_test(seeing_ahead_is_right),   cmocka_unit_test(response_is_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
