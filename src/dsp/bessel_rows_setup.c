#include "bessel_private.h"

#include <float.h>
#include <math.h>

/*
   The recurrences of one order for several arguments side by side. Each step waits for the one before; arguments do not wait for each other.
*/
enum { LANES = 8, SCALED_EVERY = 8 };

typedef struct {
  double twice[LANES]; // 2/x
  double here[LANES], above[LANES], sum[LANES], wanted[LANES];
} lanes;

static void start(lanes* v, const double* x) {
  for (unsigned i = 0; i < LANES; ++i) {
    v->twice[i] = 2.0 / x[i];
    v->here[i] = DBL_MIN * 1e20;
    v->above[i] = v->sum[i] = v->wanted[i] = 0.0;
  }
}

/** One step down to order k - 1; `sign` -1 for J, 1 for I. */
static void step(lanes* v, unsigned k, double sign) {
  for (unsigned i = 0; i < LANES; ++i) {
    const double below = (double)k * v->twice[i] * v->here[i] + sign * v->above[i];
    v->above[i] = v->here[i];
    v->here[i] = below;
  }
}

/** Arguments are at least 1 and orders below 1200, so that the steps between two of these multiply by less than 1e28. */
static void scale(lanes* v) {
  static const double huge = 1e200;
  for (unsigned i = 0; i < LANES; ++i) {
    const double by = fabs(v->here[i]) > huge ? 1.0 / huge : 1.0;
    v->here[i] *= by;
    v->above[i] *= by;
    v->sum[i] *= by;
    v->wanted[i] *= by;
  }
}

static void add(lanes* v, double times) {
  for (unsigned i = 0; i < LANES; ++i) {
    v->sum[i] += times * v->here[i];
  }
}

/** The normalised values of order m; `every` order counts in the sum, or each second one. */
static void run(lanes* v, unsigned m, unsigned top, bool every, double sign, double* out) {
  for (unsigned k = top; k > 0; --k) {
    step(v, k, sign);
    if (k % SCALED_EVERY == 0) {
      scale(v);
    }
    if (k - 1 == m) {
      for (unsigned i = 0; i < LANES; ++i) {
        v->wanted[i] = v->here[i];
      }
    }
    if (every || k % 2 == 1) {
      add(v, k == 1 ? 1.0 : 2.0);
    }
  }
  for (unsigned i = 0; i < LANES; ++i) {
    out[i] = v->wanted[i] / v->sum[i];
  }
}

typedef struct {
  size_t n;
  double x[LANES];
  double* to[LANES];
  double most;
} block;

static void fill(block* b, double x, double* to) {
  b->x[b->n] = x;
  b->to[b->n++] = to;
  b->most = x > b->most ? x : b->most;
}

static void flush(block* b, unsigned m, bool modified) {
  if (b->n == 0) {
    return;
  }
  lanes v;
  double out[LANES];
  for (size_t i = b->n; i < LANES; ++i) {
    b->x[i] = b->x[0];
  }
  start(&v, b->x);
  run(&v, m, modified ? htz_bessel_i_top(m, b->most) : htz_bessel_j_top(m, b->most), modified, modified ? 1.0 : -1.0, out);
  for (size_t i = 0; i < b->n; ++i) {
    *b->to[i] = out[i];
  }
  b->n = 0;
  b->most = 0.0;
}

static void row(unsigned m, size_t n, const double* x, bool modified, double* out) {
  static const double small = 1.0;
  const unsigned order = m < HTZ_BESSEL_ORDER_MAX ? m : HTZ_BESSEL_ORDER_MAX;
  block b = {.n = 0, .most = 0.0};
  for (size_t i = 0; i < n; ++i) {
    const double at = htz_bessel_argument(x[i]);
    if (modified ? at < small : htz_bessel_j_is_series(order, at)) {
      out[i] = modified ? htz_bessel_i_scaled(order, at) : htz_bessel_j_series(order, at);
      continue;
    }
    fill(&b, at, &out[i]);
    if (b.n == LANES) {
      flush(&b, order, modified);
    }
  }
  flush(&b, order, modified);
}

void htz_bessel_j_row(unsigned m, size_t n, const double* x, double* out) {
  row(m, n, x, false, out);
}

void htz_bessel_i_row(unsigned m, size_t n, const double* x, double* out) {
  row(m, n, x, true, out);
}
