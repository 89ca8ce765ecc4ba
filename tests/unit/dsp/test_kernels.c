/*
   Every vector kernel this processor runs, against the same sums in long double. Bounds are rounding bounds: u = 2^-53 for
   double and 2^-24 for single precision, times the number of operations (its square root where the sum is long and its
   roundings are as good as random), times the sum of the magnitudes that went in.
*/

#include "check.h"

#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_MAX = 512, POINTS = HTZ_PER_CALL };

static const double u_double = 0x1p-53;
static const double u_single = 0x1p-24;
static const double agreement = 1e-6;  // of the peak, -120 dB: what all instruction sets promise each other
static const double rate_hz = 44100.0; // [Hz]
static const size_t sizes[] = {8, 16, 24, 64, 72, 128, 512};
static const double dampings[] = {1.0, 0.75, 1e-3, 0.0};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]), DAMPINGS = sizeof(dampings) / sizeof(dampings[0]) };

typedef struct {
  long double a11, a12, a21, a22, bq, bv;
} exact_step;

/** Everything one test needs; arrays aligned as the kernels want them. */
typedef struct {
  _Alignas(64) double step[6][N_MAX], row[4][N_MAX], squared[6][N_MAX];
  _Alignas(64) double q[N_MAX], v[N_MAX], phi[POINTS][N_MAX], force[N_MAX], mass[N_MAX], w2[N_MAX];
  _Alignas(64) double weights[POINTS][4][N_MAX];
  _Alignas(64) float cosine[N_MAX][HTZ_STRIDE], sine[N_MAX][HTZ_STRIDE];
  double omega[N_MAX], sigma[N_MAX], hear_q[POINTS][N_MAX], hear_v[POINTS][N_MAX];
  long double x[N_MAX], y[N_MAX]; // reference state
  exact_step exact[N_MAX];
  size_t n;
  htz_step_table table, square_table;
  htz_free_table free_table;
  uint64_t seed;
} rig;

static rig r; // large, and one test runs at a time

/** xorshift64*, in [-1, 1) */
static double noise(void) {
  r.seed ^= r.seed >> 12;
  r.seed ^= r.seed << 25;
  r.seed ^= r.seed >> 27;
  return (double)((r.seed * UINT64_C(0x2545f4914f6cdd1d)) >> 11) * 0x1p-52 - 1.0;
}

/** cos and sin/w of w d with w^2 = omega^2 - sigma^2 of either sign, each times exp(-sigma d). */
static void basis_at(double omega, double sigma, long double d, long double* c, long double* s) {
  const long double w2 = ((long double)omega - sigma) * ((long double)omega + sigma);
  const long double decay = expl(-sigma * d);
  const long double w = sqrtl(fabsl(w2));
  if (w * d < 1e-9L) {
    *c = decay;
    *s = decay * d;
  } else if (w2 > 0.0L) {
    *c = decay * cosl(w * d);
    *s = decay * sinl(w * d) / w;
  } else {
    *c = (expl((w - sigma) * d) + expl(-(w + sigma) * d)) / 2;
    *s = (expl((w - sigma) * d) - expl(-(w + sigma) * d)) / (2 * w);
  }
}

/** The exact hold over d seconds for unit modal mass. */
static exact_step hold(double omega, double sigma, long double d) {
  long double c, s;
  basis_at(omega, sigma, d, &c, &s);
  const long double w2 = (long double)omega * omega;
  exact_step e = {c + sigma * s, s, -w2 * s, c - sigma * s, 0.0L, s};
  // Far from omega d = 0 only; a kernel does not care how good b is.
  e.bq = omega * d > 1e-3L ? (1.0L - e.a11) / w2 : d * d / 2;
  return e;
}

static void fill(double table[][N_MAX], size_t k, exact_step e) {
  table[0][k] = (double)(e.a11 - 1.0L);
  table[1][k] = (double)e.a12;
  table[2][k] = (double)e.a21;
  table[3][k] = (double)(e.a22 - 1.0L);
}

/** Modes of every kind, in motion; the last is silent padding. */
static void set_up(size_t n, double step_s) {
  memset(&r, 0, sizeof(r));
  r.seed = 0x9e3779b97f4a7c15 + n;
  r.n = n;
  r.table = (htz_step_table){r.step[0], r.step[1], r.step[2], r.step[3], r.step[4], r.step[5]};
  r.square_table = (htz_step_table){r.squared[0], r.squared[1], r.squared[2], r.squared[3], r.squared[4], r.squared[5]};
  r.free_table = (htz_free_table){r.cosine[0], r.sine[0], {r.row[0], r.row[1], r.row[2], r.row[3], NULL, NULL}, n - 1};
  for (size_t k = 0; k < n; ++k) {
    const double scale = rate_hz * exp(4.5 * noise() - 2.5); // omega T from 1e-3 to 7, beyond pi
    r.omega[k] = k % 8 == 3 ? 0.0 : scale;
    r.sigma[k] = k % 8 == 3 ? (k % 16 == 3 ? 0.0 : 20.0) : k % 8 == 5 ? 1.5 * scale : k % 8 == 6 ? scale : 1e-3 * scale;
    r.exact[k] = hold(r.omega[k], r.sigma[k], step_s);
    fill(r.step, k, r.exact[k]);
    fill(r.row, k, hold(r.omega[k], r.sigma[k], HTZ_STRIDE * (long double)step_s));
    r.step[4][k] = (double)r.exact[k].bq;
    r.step[5][k] = (double)r.exact[k].bv;
    for (size_t j = 0; j < HTZ_STRIDE; ++j) {
      long double c, s;
      basis_at(r.omega[k], r.sigma[k], step_s * (long double)(j + 1), &c, &s);
      r.cosine[k][j] = (float)c;
      r.sine[k][j] = (float)(s / step_s);
    }
    const double speed = r.omega[k] > 0.0 ? r.omega[k] : 1.0;
    const bool silent = k == n - 1;
    r.q[k] = silent ? 0.0 : noise();
    r.v[k] = silent ? 0.0 : speed * noise();
    r.mass[k] = 1.0 + 0.5 * noise();
    r.w2[k] = r.omega[k] * r.omega[k];
    r.force[k] = silent ? 0.0 : 1e3 * noise();
    for (size_t p = 0; p < POINTS; ++p) {
      r.phi[p][k] = silent ? 0.0 : noise();
      r.hear_q[p][k] = noise();
      r.hear_v[p][k] = noise() / speed;
      // y = hq q + hv v: alpha is its value, beta T (y' + sigma y) with the mode's own motion.
      r.weights[p][0][k] = r.hear_q[p][k];
      r.weights[p][1][k] = r.hear_v[p][k];
      r.weights[p][2][k] = step_s * (r.hear_q[p][k] * r.sigma[k] - r.hear_v[p][k] * r.w2[k]);
      r.weights[p][3][k] = step_s * (r.hear_q[p][k] - r.hear_v[p][k] * r.sigma[k]);
    }
    r.x[k] = r.q[k];
    r.y[k] = r.v[k];
  }
}

/** Size of a mode's motion in units of q, for relative errors of either coordinate. */
static double motion(size_t k) {
  const double speed = r.omega[k] > 0.0 ? r.omega[k] : 1.0;
  return fabs(r.q[k]) + fabs(r.v[k]) / speed;
}

/** Fail unless the state is the reference's to `tolerance` of the motion it came from (size[k]). */
static void check_state(const double* size, double tolerance) {
  for (size_t k = 0; k < r.n; ++k) {
    const double speed = r.omega[k] > 0.0 ? r.omega[k] : 1.0;
    check_near(r.q[k], (double)r.x[k], tolerance * size[k]);
    check_near(r.v[k], (double)r.y[k], tolerance * size[k] * speed);
  }
}

typedef void (*kernel_test)(const htz_kernels* kernels);

static void for_each_isa(kernel_test test) {
  size_t tested = 0;
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    if (kernels) {
      test(kernels);
      ++tested;
    }
  }
  assert_true(tested >= 1);
}

// ---------------------------------------------------------------- sums

static void sums(const htz_kernels* kernels) {
  for (size_t i = 0; i < SIZES; ++i) {
    const size_t n = sizes[i];
    set_up(n, 1.0 / rate_hz);
    const double operations = (double)n + 5.0;
    long double dot = 0, dot_size = 0, dot3 = 0, dot3_size = 0, energy = 0;
    for (size_t k = 0; k < n; ++k) {
      const long double product = (long double)r.phi[0][k] * r.phi[1][k];
      dot += product;
      dot_size += fabsl(product);
      dot3 += product * r.step[4][k];
      dot3_size += fabsl(product * r.step[4][k]);
      energy += r.mass[k] / 2.0L * ((long double)r.v[k] * r.v[k] + (long double)r.w2[k] * r.q[k] * r.q[k]);
    }
    check_near(kernels->dot(n, r.phi[0], r.phi[1]), (double)dot, operations * u_double * (double)dot_size);
    check_near(kernels->dot3(n, r.phi[0], r.phi[1], r.step[4]), (double)dot3, operations * u_double * (double)dot3_size);
    check_close(kernels->energy(n, r.mass, r.w2, r.q, r.v), (double)energy, operations * u_double);
    for (size_t d = 0; d < DAMPINGS; ++d) {
      const double* const rows[POINTS] = {r.phi[0], r.phi[1], r.phi[2], r.phi[3]};
      for (size_t count = 1; count <= POINTS; ++count) {
        double out[POINTS + 1] = {0, 0, 0, 0, 0};
        kernels->predict_points(n, &r.table, dampings[d], r.q, r.v, count, rows, out);
        assert_true(out[count] == 0.0);
        for (size_t p = 0; p < count; ++p) {
          long double sum = 0, size = 0;
          for (size_t k = 0; k < n; ++k) {
            const long double from_q = (long double)r.phi[p][k] * r.step[0][k] * r.q[k];
            const long double from_v = (long double)r.phi[p][k] * r.step[1][k] * dampings[d] * r.v[k];
            sum += from_q + from_v;
            size += fabsl(from_q) + fabsl(from_v);
          }
          check_near(out[p], (double)sum, operations * u_double * (double)size);
          check_near(kernels->predict(n, &r.table, dampings[d], r.q, r.v, r.phi[p]), (double)sum,
                     operations * u_double * (double)size);
        }
      }
    }
  }
}

static void sums_are_right(void** state) {
  (void)state;
  for_each_isa(sums);
}

// ---------------------------------------------------------------- steps

/** One step of the reference with the kernels' own table. */
static void step_reference(double damp, const long double* force) {
  for (size_t k = 0; k < r.n; ++k) {
    const long double x = r.x[k], y = damp * r.y[k];
    r.x[k] = x + r.step[0][k] * x + r.step[1][k] * y + r.step[4][k] * force[k];
    r.y[k] = y + r.step[2][k] * x + r.step[3][k] * y + r.step[5][k] * force[k];
  }
}

static void steps(const htz_kernels* kernels) {
  static long double force[N_MAX];
  static double size[N_MAX];
  const double f[POINTS] = {1e3, -2e3, 5e2, 3e3}; // [N]
  const double* const rows[POINTS] = {r.phi[0], r.phi[1], r.phi[2], r.phi[3]};
  const double tolerance = 10.0 * u_double; // fewer than ten operations give each coordinate
  for (size_t i = 0; i < SIZES * DAMPINGS; ++i) {
    const double damp = dampings[i % DAMPINGS];
    for (size_t count = 0; count <= POINTS + 1; ++count) { // none, 1 to 4 points, a force for each mode
      set_up(sizes[i / DAMPINGS], 1.0 / rate_hz);
      for (size_t k = 0; k < r.n; ++k) {
        long double terms = 0;
        force[k] = count > POINTS ? r.force[k] : 0.0L;
        for (size_t p = 0; p < count && count <= POINTS; ++p) {
          force[k] += (long double)f[p] * r.phi[p][k];
          terms += fabsl((long double)f[p] * r.phi[p][k]);
        }
        const double speed = r.omega[k] > 0.0 ? r.omega[k] : 1.0;
        const double pushed = (double)(terms + fabsl(force[k]));
        size[k] = 10.0 * motion(k) + pushed * (fabs(r.step[4][k]) + fabs(r.step[5][k]) / speed); // |A| < 10 in these units
      }
      if (count == 0) {
        kernels->commit(r.n, &r.table, damp, r.q, r.v, NULL);
      } else if (count <= POINTS) {
        kernels->commit_points(r.n, &r.table, damp, r.q, r.v, count, rows, f);
      } else {
        kernels->commit(r.n, &r.table, damp, r.q, r.v, r.force);
      }
      step_reference(damp, force);
      check_state(size, tolerance);
      assert_true(r.q[r.n - 1] == 0.0 && r.v[r.n - 1] == 0.0);
    }
  }
}

static void steps_are_right(void** state) {
  (void)state;
  for_each_isa(steps);
}

/**
   Steps a thousand times finer than a sample must not wear the motion: roundings of the state are random, so a lossless mode
   may drift by sqrt(steps) u; keeping 1 + dm in one number would shift the energy by steps u = 2e-11.
*/
static void fine_steps(const htz_kernels* kernels) {
  const size_t step_count = 200000;
  set_up(64, 1.0 / rate_hz / 2048);
  for (size_t k = 0; k < r.n; ++k) {
    r.sigma[k] = 0.0;
    r.omega[k] = 500.0 * (1.0 + (double)k);
    r.w2[k] = r.omega[k] * r.omega[k];
    r.q[k] = 1.0;
    r.v[k] = r.omega[k];
    const long double half = sinl(r.omega[k] / rate_hz / 2048 / 2.0L);
    r.step[0][k] = r.step[3][k] = (double)(-2 * half * half);
    r.step[1][k] = (double)(sinl(r.omega[k] / rate_hz / 2048.0L) / r.omega[k]);
    r.step[2][k] = -r.w2[k] * r.step[1][k];
  }
  double before[64];
  for (size_t k = 0; k < r.n; ++k) {
    before[k] = r.v[k] * r.v[k] + r.w2[k] * r.q[k] * r.q[k];
  }
  for (size_t i = 0; i < step_count; ++i) {
    kernels->commit(r.n, &r.table, 1.0, r.q, r.v, NULL);
  }
  for (size_t k = 0; k < r.n; ++k) {
    check_close(r.v[k] * r.v[k] + r.w2[k] * r.q[k] * r.q[k], before[k], 10.0 * sqrt((double)step_count) * u_double);
  }
}

static void fine_steps_keep_energy(void** state) {
  (void)state;
  for_each_isa(fine_steps);
}

static void squares(const htz_kernels* kernels) {
  // Small steps: every entry keeps its own digits, three or four operations each. No mode is near a zero of an entry there.
  set_up(N_MAX, 1.0 / rate_hz / 65536);
  kernels->square(r.n, &r.table, &r.square_table);
  for (size_t k = 0; k < r.n; ++k) {
    const long double am = r.step[0][k], a12 = r.step[1][k], a21 = r.step[2][k], dm = r.step[3][k];
    const long double bq = r.step[4][k], bv = r.step[5][k];
    check_close(r.squared[0][k], (double)(2 * am + am * am + a12 * a21), 6.0 * u_double);
    check_close(r.squared[1][k], (double)(a12 * (2 + am + dm)), 6.0 * u_double);
    check_close(r.squared[2][k], (double)(a21 * (2 + am + dm)), 6.0 * u_double);
    check_close(r.squared[3][k], (double)(2 * dm + dm * dm + a12 * a21), 6.0 * u_double);
    check_close(r.squared[4][k], (double)(2 * bq + am * bq + a12 * bv), 6.0 * u_double);
    check_close(r.squared[5][k], (double)(2 * bv + a21 * bq + dm * bv), 6.0 * u_double);
  }
  // From a sample to sixteen: the closed form, errors doubling with each of four squarings.
  set_up(N_MAX, 1.0 / rate_hz);
  htz_step_table from = r.table, to = r.square_table;
  to.bq = NULL;
  to.bv = NULL;
  from.bq = NULL; // left out, as in the row table
  for (size_t i = 0; i < 4; ++i) {
    kernels->square(r.n, &from, &to);
    const htz_step_table other = from;
    from = to;
    to = other;
  }
  for (size_t k = 0; k < r.n; ++k) {
    const double speed = r.omega[k] > 0.0 ? r.omega[k] : 1.0;
    const double size = 10.0 + r.row[1][k] * speed; // |A| of one sample, or the coasting distance
    const double tolerance = 16.0 * 10.0 * u_double * size;
    check_near(from.am[k], r.row[0][k], tolerance);
    check_near(from.a12[k] * speed, r.row[1][k] * speed, tolerance);
    check_near(from.a21[k] / speed, r.row[2][k] / speed, tolerance);
    check_near(from.dm[k], r.row[3][k], tolerance);
  }
}

static void squares_are_right(void** state) {
  (void)state;
  for_each_isa(squares);
}

// ---------------------------------------------------------------- quanta

static void free_motion(const htz_kernels* kernels) {
  static double size[N_MAX];
  for (size_t i = 0; i < SIZES * (POINTS + 1); ++i) {
    const size_t pickups = i % (POINTS + 1);
    set_up(sizes[i / (POINTS + 1)], 1.0 / rate_hz);
    _Alignas(64) float sound[POINTS][HTZ_QUANTUM];
    long double expected[POINTS][HTZ_QUANTUM];
    double magnitude[POINTS] = {0, 0, 0, 0};
    htz_free_weights weights[POINTS];
    float* out[POINTS];
    for (size_t p = 0; p < POINTS; ++p) {
      weights[p] = (htz_free_weights){r.weights[p][0], r.weights[p][1], r.weights[p][2], r.weights[p][3]};
      out[p] = sound[p];
      for (size_t j = 0; j < HTZ_QUANTUM; ++j) {
        expected[p][j] = sound[p][j] = (float)noise(); // the kernel adds to what is there
      }
    }
    for (size_t k = 0; k < r.n; ++k) {
      size[k] = motion(k);
    }
    for (size_t j = 0; j < HTZ_QUANTUM; ++j) {
      for (size_t k = 0; k < r.n; ++k) {
        for (size_t p = 0; p < POINTS && j % HTZ_STRIDE == 0; ++p) { // what a row's products can amount to
          const long double alpha = r.weights[p][0][k] * r.x[k] + r.weights[p][1][k] * r.y[k];
          const long double beta = r.weights[p][2][k] * r.x[k] + r.weights[p][3][k] * r.y[k];
          magnitude[p] += j == 0 ? (double)(fabsl(alpha) + fabsl(beta)) : 0.0;
        }
        const exact_step* e = &r.exact[k];
        const long double x = r.x[k], y = r.y[k];
        r.x[k] = e->a11 * x + e->a12 * y;
        r.y[k] = e->a21 * x + e->a22 * y;
        for (size_t p = 0; p < POINTS; ++p) {
          expected[p][j] += r.hear_q[p][k] * r.x[k] + r.hear_v[p][k] * r.y[k];
        }
      }
    }
    kernels->free_quantum(r.n, &r.free_table, r.q, r.v, pickups, weights, out);
    check_state(size, 1e-13);
    for (size_t p = 0; p < pickups; ++p) {
      double peak = 0.0;
      for (size_t j = 0; j < HTZ_QUANTUM; ++j) {
        peak = fmax(peak, fabs((double)expected[p][j]));
      }
      for (size_t j = 0; j < HTZ_QUANTUM; ++j) {
        // Each product rounds three times, each sum of 2n of them once per addition.
        check_near(sound[p][j], (double)expected[p][j], u_single * (3.0 + sqrt(2.0 * (double)r.n)) * (1.0 + magnitude[p]));
        check_near(sound[p][j], (double)expected[p][j], agreement * peak);
      }
    }
  }
}

static void free_motion_is_right(void** state) {
  (void)state;
  for_each_isa(free_motion);
}

static void driven_motion(const htz_kernels* kernels) {
  static double size[N_MAX];
  static long double force[N_MAX];
  static const size_t lengths[] = {1, 37, 64, 150}; // also longer than a quantum
  for (size_t i = 0; i < 4 * DAMPINGS * 3; ++i) {
    const size_t frames = lengths[i % 4];
    const double damp = dampings[i / 4 % DAMPINGS];
    const size_t n = sizes[i / 4 / DAMPINGS];
    for (int heard = 0; heard < 2; ++heard) {
      set_up(n, 1.0 / rate_hz);
      float drive[150], sound[151];
      long double expected[150];
      double magnitude = 0.0;
      for (size_t j = 0; j < 150; ++j) {
        drive[j] = (float)(1e4 * noise());
        sound[j] = 0.5f;
        expected[j] = 0.5L;
      }
      sound[frames] = 0.25f;
      for (size_t k = 0; k < n; ++k) {
        size[k] = 10.0 * motion(k);
      }
      for (size_t j = 0; j < frames; ++j) {
        for (size_t k = 0; k < n; ++k) {
          const double speed = r.omega[k] > 0.0 ? r.omega[k] : 1.0;
          force[k] = (long double)drive[j] * r.phi[0][k];
          size[k] += (double)fabsl(force[k]) * (fabs(r.step[4][k]) + fabs(r.step[5][k]) / speed);
        }
        step_reference(damp, force);
        for (size_t k = 0; k < n; ++k) {
          expected[j] += r.hear_q[1][k] * r.x[k] + r.hear_v[1][k] * r.y[k];
        }
      }
      for (size_t k = 0; k < n; ++k) {
        magnitude += size[k];
      }
      kernels->driven(n, &r.table, damp, r.q, r.v, r.phi[0], drive, r.hear_q[1], r.hear_v[1], frames, heard ? sound : NULL);
      check_state(size, 10.0 * (double)frames * u_double);
      for (size_t j = 0; heard && j < frames; ++j) {
        check_near(sound[j], (double)expected[j], 2.0 * u_single * (fabs((double)expected[j]) + 1.0) + 1e-13 * magnitude);
      }
      assert_true(sound[frames] == 0.25f);
    }
  }
}

static void driven_motion_is_right(void** state) {
  (void)state;
  for_each_isa(driven_motion);
}

// ---------------------------------------------------------------- dispatch

static void dispatch(void** state) {
  (void)state;
  static const char* const names[HTZ_ISA_COUNT] = {
#define HTZ_ISA(id, isa, name) [isa] = name,
#include "isa.def"
#undef HTZ_ISA
  };
  assert_non_null(htz_kernels_for(HTZ_ISA_SCALAR));
  assert_null(htz_kernels_for(HTZ_ISA_COUNT));
  unsetenv("HERTZIAN_ISA");
  const htz_kernels* best = htz_kernels_select();
  const htz_kernels* last = NULL;
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    assert_non_null(names[isa]);
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    if (kernels) {
      assert_string_equal(kernels->name, names[isa]);
      last = kernels;
      setenv("HERTZIAN_ISA", names[isa], 1);
      assert_ptr_equal(htz_kernels_select(), kernels);
    }
  }
  assert_ptr_equal(best, last);
  setenv("HERTZIAN_ISA", "no such set", 1);
  assert_ptr_equal(htz_kernels_select(), best);
  unsetenv("HERTZIAN_ISA");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_right),    cmocka_unit_test(steps_are_right),      cmocka_unit_test(fine_steps_keep_energy),
      cmocka_unit_test(squares_are_right), cmocka_unit_test(free_motion_is_right), cmocka_unit_test(driven_motion_is_right),
      cmocka_unit_test(dispatch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
