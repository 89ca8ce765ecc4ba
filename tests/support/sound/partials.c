#include "partials.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  NEIGHBOURS = 8,   // on either side in the local model: the leak of those beyond is subtracted at its last estimate
  SWEEPS = 2,       // over all partials: the second sees the estimates of the first
  GAUSS_NEWTON = 6, // steps per partial, fewer once settled
};

static const double two_pi = 6.283185307179586;
static const double nepers_60_db = 6.907755278982137; // 3 ln 10
static const double joint_s = 0.15;                   // window in which all amplitudes are first found together
static const double settled = 1e-13; // relative step of the complex frequency below which rounding is all there is
static const double astray =
    2.0; // a partial whose phase or level changes by more than this over its window was not expected there [radian or neper]

/** One partial as the fit has it: Re(c exp(z i)) at sample i. */
typedef struct {
  double complex z, c;
} term;

double t60_of(double sigma) {
  return nepers_60_db / sigma;
}

double cents_between(double measured, double expected) {
  return 1200.0 * log2(measured / expected);
}

static void* zeroed(size_t count, size_t size) {
  void* memory = calloc(count ? count : 1, size);
  if (!memory) {
    abort();
  }
  return memory;
}

/** sum over i < n of i^power exp(z i), power 0..2. */
static double complex power_sum(double complex z, size_t n, int power) {
  static const double slow =
      1e-3; // below this change over the window exp(z i) is 1 for the purpose, and the closed forms lose digits
  const double count = (double)n;
  if (cabs(z) * count < slow) {
    return power == 0 ? count : power == 1 ? 0.5 * count * (count - 1.0) : count * (count - 1.0) * (2.0 * count - 1.0) / 6.0;
  }
  const double complex d = 1.0 - cexp(z);
  const double complex end = cexp(count * z);
  const double complex s0 = (1.0 - end) / d;
  if (power == 0) {
    return s0;
  }
  const double last = count - 1.0;
  const double complex s1 = (s0 - 1.0 - last * end) / d; // (1 - p) S1 telescopes to S0 - 1 - (n - 1) p^n, and so on
  return power == 1 ? s1 : (2.0 * s1 - (s0 - 1.0) - last * last * end) / d;
}

/** Inner product over i < n of Re(a i^ka exp(za i)) and Re(b i^kb exp(zb i)). */
static double inner(double complex a, double complex za, int ka, double complex b, double complex zb, int kb, size_t n) {
  return 0.5 * creal(a * b * power_sum(za + zb, n, ka + kb) + a * conj(b) * power_sum(za + conj(zb), n, ka + kb));
}

/** Solve the symmetric positive definite m [n][n] x = b in place (Cholesky); unknowns without a column of their own get 0. */
static void solve(double* m, double* b, size_t n) {
  static const double dependent = 1e-13; // of a unit diagonal
  double* scale = zeroed(n, sizeof *scale);
  for (size_t i = 0; i < n; ++i) {
    scale[i] = m[i * n + i] > 0.0 ? 1.0 / sqrt(m[i * n + i]) : 0.0;
  }
  for (size_t i = 0; i < n; ++i) {
    b[i] *= scale[i];
    for (size_t j = 0; j < n; ++j) {
      m[i * n + j] *= scale[i] * scale[j];
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = m[i * n + j];
      for (size_t k = 0; k < j; ++k) {
        sum -= m[i * n + k] * m[j * n + k];
      }
      if (i == j) {
        m[i * n + i] = sum > dependent ? sqrt(sum) : HUGE_VAL;
      } else {
        m[i * n + j] = sum / m[j * n + j];
      }
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) {
      b[i] -= m[i * n + k] * b[k];
    }
    b[i] /= m[i * n + i];
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) {
      b[i] -= m[k * n + i] * b[k];
    }
    b[i] /= m[i * n + i];
  }
  for (size_t i = 0; i < n; ++i) {
    b[i] *= scale[i];
  }
  free(scale);
}

/** r += sign Re(c exp(z i)), i < n. */
static void add_term(const term* t, double sign, double* r, size_t n) {
  const double complex step = cexp(t->z);
  const double c = creal(step), s = cimag(step); // by parts: the language's complex product checks for infinities
  double re = sign * creal(t->c), im = sign * cimag(t->c);
  for (size_t i = 0; i < n; ++i) {
    r[i] += re;
    const double next = c * re - s * im;
    im = c * im + s * re;
    re = next;
  }
}

/** sum r[i] exp(z i) and sum r[i] i exp(z i). */
static void project(double complex z, const double* r, size_t n, double complex* plain, double complex* timed) {
  const double complex step = cexp(z);
  const double c = creal(step), s = cimag(step);
  double re = 1.0, im = 0.0, sum[4] = {0.0, 0.0, 0.0, 0.0};
  for (size_t i = 0; i < n; ++i) {
    sum[0] += r[i] * re;
    sum[1] += r[i] * im;
    sum[2] += (double)i * r[i] * re;
    sum[3] += (double)i * r[i] * im;
    const double next = c * re - s * im;
    im = c * im + s * re;
    re = next;
  }
  *plain = sum[0] + I * sum[1];
  *timed = sum[2] + I * sum[3];
}

/**
   One Gauss-Newton step on the residual r [n] of the terms t [count]: their amplitudes, and the complex frequency of number
   `target` (count: none). @return relative size of the step of that frequency.
*/
static double refine(term* t, size_t count, size_t target, const double* r, size_t n) {
  const size_t unknowns = 2 * count + (target < count ? 2 : 0);
  double* m = zeroed(unknowns * unknowns, sizeof *m);
  double* b = zeroed(unknowns, sizeof *b);
  // Columns Re(a i^k exp(z i)): a = 1 and j for an amplitude, c and j c with k = 1 for the target's frequency.
  term* column = zeroed(unknowns, sizeof *column);
  for (size_t u = 0; u < unknowns; ++u) {
    const size_t k = u < 2 * count ? u / 2 : target;
    column[u].z = t[k].z;
    column[u].c = (u % 2 ? I : 1.0) * (u < 2 * count ? 1.0 : t[target].c);
  }
  for (size_t u = 0; u < unknowns; ++u) {
    for (size_t v = 0; v <= u; ++v) {
      m[u * unknowns + v] = inner(column[u].c, column[u].z, u >= 2 * count, column[v].c, column[v].z, v >= 2 * count, n);
      m[v * unknowns + u] = m[u * unknowns + v];
    }
  }
  for (size_t k = 0; k < count; ++k) {
    double complex plain, timed;
    project(t[k].z, r, n, &plain, &timed);
    b[2 * k] = creal(plain);
    b[2 * k + 1] = creal(I * plain);
    if (k == target) {
      b[2 * count] = creal(t[k].c * timed);
      b[2 * count + 1] = creal(I * t[k].c * timed);
    }
  }
  solve(m, b, unknowns);
  for (size_t k = 0; k < count; ++k) {
    t[k].c += b[2 * k] + I * b[2 * k + 1];
  }
  double moved = 0.0;
  if (target < count) {
    const double complex dz = b[2 * count] + I * b[2 * count + 1];
    t[target].z += dz;
    moved = cabs(dz) / cabs(t[target].z);
  }
  free(m);
  free(b);
  free(column);
  return moved;
}

static double rms(const double* x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += x[i] * x[i];
  }
  return n ? sqrt(sum / (double)n) : 0.0;
}

/** Samples of a partial's own window. */
static size_t window_of(const partial* p, const partial_window* w, size_t n) {
  const double fall_s = w->drop_db / 60.0 * t60_of(p->sigma);
  const size_t wish = (size_t)lround((fall_s < w->longest_s ? fall_s : w->longest_s) * w->rate_hz);
  return wish < n ? wish : n;
}

/**
   Refine term k over its own window. `rest` [n] is the signal less all terms, and is kept so.

   A partial that is not there runs away into the noise: what was found is reported, but the model keeps what it had.
*/
static void refine_one(term* t, size_t count, size_t k, double* rest, size_t n, size_t own, double* work, partial* p) {
  const size_t first = k > NEIGHBOURS ? k - NEIGHBOURS : 0;
  const size_t last = k + NEIGHBOURS < count ? k + NEIGHBOURS : count - 1;
  const size_t local = last - first + 1;
  term before[2 * NEIGHBOURS + 1];
  memcpy(before, t + first, local * sizeof *before);
  for (size_t i = first; i <= last; ++i) {
    add_term(&t[i], 1.0, rest, n);
  }
  bool lost = false;
  for (size_t step = 0; step < GAUSS_NEWTON && !lost; ++step) {
    memcpy(work, rest, own * sizeof *work);
    for (size_t i = first; i <= last; ++i) {
      add_term(&t[i], -1.0, work, own);
    }
    if (refine(t + first, local, k - first, work, own) < settled) {
      break;
    }
    lost = !(cabs(t[k].z - before[k - first].z) * (double)own < astray);
  }
  p->found.hz = cimag(t[k].z);
  p->found.sigma = -creal(t[k].z);
  if (lost) {
    memcpy(t + first, before, local * sizeof *before);
  }
  for (size_t i = first; i <= last; ++i) {
    add_term(&t[i], -1.0, rest, n);
  }
  memset(work, 0, own * sizeof *work);
  add_term(&t[k], 1.0, work, own);
  p->found.noise = rms(rest, own) / rms(work, own);
}

void partials_measure(const double* x, size_t n, const partial_window* window, partial* p, size_t count) {
  term* t = zeroed(count, sizeof *t);
  double* rest = zeroed(n, sizeof *rest);
  double* work = zeroed(n, sizeof *work);
  for (size_t k = 0; k < count; ++k) {
    t[k].z = (-p[k].sigma + I * two_pi * p[k].hz) / window->rate_hz;
    memset(&p[k].found, 0, sizeof p[k].found);
  }
  const size_t joint = (size_t)(joint_s * window->rate_hz);
  refine(t, count, count, x, joint < n ? joint : n);
  size_t most = joint;
  for (size_t k = 0; k < count; ++k) {
    const size_t own = window_of(&p[k], window, n);
    most = p[k].wanted && own > most ? own : most;
  }
  most = most < n ? most : n;
  memcpy(rest, x, most * sizeof *rest);
  for (size_t k = 0; k < count; ++k) {
    add_term(&t[k], -1.0, rest, most);
  }
  for (size_t sweep = 0; sweep < SWEEPS; ++sweep) {
    for (size_t k = 0; k < count; ++k) {
      if (p[k].wanted) {
        refine_one(t, count, k, rest, most, window_of(&p[k], window, n), work, &p[k]);
        p[k].found.hz *= window->rate_hz / two_pi;
        p[k].found.sigma *= window->rate_hz;
      }
    }
  }
  for (size_t k = 0; k < count; ++k) {
    p[k].found.amplitude = cabs(t[k].c);
  }
  free(t);
  free(rest);
  free(work);
}
