#ifndef HERTZIAN_SRC_DSP_KERNELS_TOUCH_H
#define HERTZIAN_SRC_DSP_KERNELS_TOUCH_H

/*
   A few contacts that feel each other, solved together (htz_touch_table): part of kernels_rt.c, whose helpers it uses, and compiled with it for
   each instruction set. Lanes are contacts where the law is taken; the small system is solved by loops of constant length.
*/

#include "hertzian/dsp/pow_rt.h"

#include <math.h>

enum { TOUCH_TURNS = 24, TOUCH_SHORTER = 5, TOUCH_TERMS = 8 };

// As in src/contact/link/law_power_rt.c: below this |s/eta| the difference of two powers has lost too many digits.
static const double touch_series = 0.03;

#if HTZ_KERNEL_SCALAR
typedef int touch_lanes;
HTZ_FORCE_INLINE vd touch_pick(touch_lanes which, vd a, vd b) {
  return which ? a : b;
}
#else
typedef long long touch_lanes __attribute__((vector_size(HTZ_VECTOR_BYTES)));
/** a where `which`, else b. */
HTZ_FORCE_INLINE vd touch_pick(touch_lanes which, vd a, vd b) {
  return (vd)((which & (touch_lanes)a) | (~which & (touch_lanes)b));
}
#endif

/** x^alpha of `lanes` values, 0 where x is. */
HTZ_FORCE_INLINE void touch_powers(const htz_touch_table* t, size_t lanes, const double* x, double* to) {
  if (t->smooth) {
    for (size_t i = 0; i < lanes; ++i) {
      to[i] = x[i] * __builtin_sqrt(x[i]);
    }
    return;
  }
  for (size_t i = 0; i < lanes; ++i) {
    to[i] = i < t->n && x[i] > 0.0 ? htz_pow_rt(x[i], t->exponent[i]) : 0.0;
  }
}

/** The law of every contact at s: forces, their slopes, and what it is at the end of the step. */
HTZ_FORCE_INLINE void touch_laws(const htz_touch_table* t, size_t vectors, double inverse_d, double* s) {
  _Alignas(64) double end[HTZ_TOUCH_MAX], power[HTZ_TOUCH_MAX];
  for (size_t i = 0; i < vectors; ++i) {
    store(end + i * VD, larger(load(t->eta + i * VD) + load(s + i * VD), splat(0.0)));
  }
  touch_powers(t, vectors * VD, end, power);
  for (size_t i = 0; i < vectors; ++i) {
    const size_t k = i * VD;
    const vd eta = load(t->eta + k), by = load(s + k), alpha = load(t->exponent + k), from = load(t->force + k);
    const vd b = load(end + k), elastic = load(t->stiffness + k) * load(power + k);
    const vd stored = elastic * b / (alpha + 1.0);
    const touch_lanes is_in = b > 0.0, was_in = eta > 0.0;
    const vd rises = touch_pick(is_in, alpha * elastic / touch_pick(is_in, b, splat(1.0)), splat(0.0));
    // Q and dQ/ds: the binomial series, or the difference.
    const vd per = 1.0 / touch_pick(was_in, eta, splat(1.0)), r = by * per;
    vd term = splat(1.0), sum = splat(1.0), dsum = splat(0.0);
    for (int j = 1; j < TOUCH_TERMS; ++j) {
      const vd coefficient = term * ((alpha + (1.0 - j)) * (1.0 / (j + 1)));
      dsum += (double)j * coefficient;
      term = coefficient * r;
      sum += term;
    }
    const touch_lanes moves = (by > 0.0) | (by < 0.0);
    const touch_lanes near = was_in & (r < touch_series) & (r > -touch_series);
    const vd far_by = 1.0 / touch_pick(moves, by, splat(1.0));
    const vd far = (stored - load(t->stored + k)) * far_by;
    vd q = touch_pick(near, from * sum, far), slope = touch_pick(near, from * per * dsum, (elastic - far) * far_by);
    const touch_lanes touches = was_in | is_in;
    q = touch_pick(touches, q, splat(0.0));
    slope = touch_pick(touches, slope, splat(0.0));
    const vd rate = inverse_d * load(t->viscosity + k), loss = 1.0 + rate * by;
    const touch_lanes bears = loss > 0.0;
    store(t->bears + k, touch_pick(bears, q * loss, splat(0.0)));
    store(t->slope + k, touch_pick(bears, slope * loss + q * rate, splat(0.0)));
    store(t->to_stored + k, stored);
    store(t->to_elastic + k, elastic);
    store(t->to_stiffness + k, rises);
  }
}

/** The largest magnitude, NaN when one is. */
HTZ_FORCE_INLINE double touch_largest(size_t n, const double* r) {
  double m = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double a = __builtin_fabs(r[i]);
    m = a <= m ? m : a;
  }
  return m;
}

/** Laws at s, and s - s_free + C F. @return its largest entry */
HTZ_FORCE_INLINE double touch_evaluate(const htz_touch_table* t, size_t n, double inverse_d, double* s, double* residual) {
  touch_laws(t, (n + VD - 1) / VD, inverse_d, s);
  for (size_t i = 0; i < n; ++i) {
    residual[i] = s[i] - t->free[i];
  }
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) {
      residual[i] += t->compliance[j * HTZ_TOUCH_MAX + i] * t->bears[j]; // it is symmetric
    }
  }
  return touch_largest(n, residual);
}

/**
   A step of Newton's method, move = -G - C D^(1/2) (I + D^(1/2) C D^(1/2))^-1 (-D^(1/2) G), by Cholesky's factors: what does not press has a row
   of the identity.
*/
HTZ_FORCE_INLINE double touch_newton(const htz_touch_table* t, size_t n, const double* residual, double* move) {
  double m[HTZ_TOUCH_MAX * HTZ_TOUCH_MAX], root[HTZ_TOUCH_MAX], z[HTZ_TOUCH_MAX];
  for (size_t k = 0; k < n; ++k) {
    root[k] = t->slope[k] > 0.0 ? __builtin_sqrt(t->slope[k]) : 0.0;
  }
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i <= k; ++i) {
      double sum = root[k] * t->compliance[k * HTZ_TOUCH_MAX + i] * root[i] + (i == k ? 1.0 : 0.0);
      for (size_t j = 0; j < i; ++j) {
        sum -= m[k * HTZ_TOUCH_MAX + j] * m[i * HTZ_TOUCH_MAX + j];
      }
      m[k * HTZ_TOUCH_MAX + i] = i == k ? 1.0 / __builtin_sqrt(sum > 1.0 ? sum : 1.0) : sum * m[i * HTZ_TOUCH_MAX + i];
    }
  }
  for (size_t k = 0; k < n; ++k) {
    double sum = -root[k] * residual[k];
    for (size_t j = 0; j < k; ++j) {
      sum -= m[k * HTZ_TOUCH_MAX + j] * z[j];
    }
    z[k] = sum * m[k * HTZ_TOUCH_MAX + k];
  }
  for (size_t k = n; k-- > 0;) {
    double sum = z[k];
    for (size_t j = k + 1; j < n; ++j) {
      sum -= m[j * HTZ_TOUCH_MAX + k] * z[j];
    }
    z[k] = sum * m[k * HTZ_TOUCH_MAX + k];
  }
  for (size_t i = 0; i < n; ++i) {
    double sum = -residual[i];
    for (size_t k = 0; k < n; ++k) {
      sum -= t->compliance[k * HTZ_TOUCH_MAX + i] * (root[k] * z[k]);
    }
    move[i] = sum;
  }
  return touch_largest(n, move);
}

/** The largest of the terms that the residual is a sum of [m]. */
HTZ_FORCE_INLINE double touch_carried(const htz_touch_table* t, size_t n, double scale) {
  for (size_t i = 0; i < n; ++i) {
    const double moved = t->compliance[i * HTZ_TOUCH_MAX + i] * __builtin_fabs(t->bears[i]);
    scale = moved > scale ? moved : scale;
  }
  return scale;
}

HTZ_FORCE_INLINE int touch_few(const htz_touch_table* t, size_t n, double inverse_d, const htz_touch_limits* limits,
                               bool* settled) {
  double residual[HTZ_TOUCH_MAX], move[HTZ_TOUCH_MAX], start[HTZ_TOUCH_MAX];
  double* s = t->s;
  double scale = limits->nothing;
  for (size_t i = 0; i < n; ++i) {
    const double size = __builtin_fabs(t->free[i]);
    scale = size > scale ? size : scale;
  }
  double norm = touch_evaluate(t, n, inverse_d, s, residual);
  bool done = norm <= limits->tolerance * scale;
  int turns = 0;
  for (; turns < TOUCH_TURNS && !done && norm < HUGE_VAL; ++turns) {
    const double size = touch_newton(t, n, residual, move);
    if (size <= limits->last_move * scale) { // what it leaves is its square
      for (size_t i = 0; i < n; ++i) {
        s[i] += move[i];
        t->to_stored[i] += (t->to_elastic[i] + 0.5 * t->to_stiffness[i] * move[i]) * move[i];
        t->to_elastic[i] += t->to_stiffness[i] * move[i];
        t->bears[i] += t->slope[i] * move[i];
      }
      done = true;
      continue;
    }
    double share = 1.0, now = norm;
    for (size_t i = 0; i < n; ++i) {
      start[i] = s[i];
    }
    for (int b = 0; b < TOUCH_SHORTER && !(now < norm); ++b, share *= 0.5) {
      for (size_t i = 0; i < n; ++i) {
        s[i] = start[i] + share * move[i];
      }
      now = touch_evaluate(t, n, inverse_d, s, residual);
    }
    if (!(now < norm)) {
      for (size_t i = 0; i < n; ++i) {
        s[i] = start[i];
      }
      norm = touch_evaluate(t, n, inverse_d, s, residual);
      done = norm <= limits->tolerance * scale;
      break;
    }
    norm = now;
    done = norm <= limits->tolerance * scale;
  }
  *settled = done || norm <= limits->stagnation * touch_carried(t, n, scale);
  return turns;
}

static HTZ_WIDE int touch(const htz_touch_table* t, double inverse_d, const htz_touch_limits* limits, bool* settled) {
  const htz_touch_table own = *t; // vectors that are stored might be laid over it
  switch (own.n) {                // a loop for each count, unrolled
  case 2:
    return touch_few(&own, 2, inverse_d, limits, settled);
  case 3:
    return touch_few(&own, 3, inverse_d, limits, settled);
  case 4:
    return touch_few(&own, 4, inverse_d, limits, settled);
  default:
    return touch_few(&own, own.n, inverse_d, limits, settled);
  }
}

#endif
