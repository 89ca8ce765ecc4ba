#ifndef HERTZIAN_SRC_DSP_KERNELS_GRID_H
#define HERTZIAN_SRC_DSP_KERNELS_GRID_H

/*
   Kernels of finite-difference grids: part of kernels_rt.c, whose helpers they use, and compiled with it for each instruction set.

   A vector's neighbours are cut out of the vectors on both sides of it, which stay in registers: loads across cache lines would
   take twice as long.
*/

#if !HTZ_KERNEL_SCALAR

#if HTZ_VECTOR_BYTES == 64
#define HTZ_CUT(a, b, i) __builtin_shufflevector(a, b, i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7)
#elif HTZ_VECTOR_BYTES == 32
#define HTZ_CUT(a, b, i) __builtin_shufflevector(a, b, i, i + 1, i + 2, i + 3)
#else
#define HTZ_CUT(a, b, i) __builtin_shufflevector(a, b, i, i + 1)
#endif

/** A vector, those left and right of it, and the two that straddle its borders, each cut once and used for both its neighbours. */
typedef struct {
  vd left, here, right;
  vd before, after;
} triple;

HTZ_FORCE_INLINE vd straddle(vd a, vd b) {
  return HTZ_CUT(a, b, VD / 2);
}

HTZ_FORCE_INLINE triple first_triple(vd left, vd here) {
  return (triple){splat(0.0), left, here, splat(0.0), straddle(left, here)};
}

HTZ_FORCE_INLINE triple next_triple(triple t, vd right) {
  return (triple){t.here, t.right, right, t.after, straddle(t.right, right)};
}

/** Sum of the neighbours one lane away. */
HTZ_FORCE_INLINE vd beside(triple t) {
#if HTZ_VECTOR_BYTES == 64
  return HTZ_CUT(t.left, t.here, VD - 1) + HTZ_CUT(t.here, t.right, 1);
#elif HTZ_VECTOR_BYTES == 32
  return __builtin_shufflevector(t.before, t.here, 1, 4, 3, 6) + __builtin_shufflevector(t.here, t.after, 1, 4, 3, 6);
#else
  return t.before + t.after;
#endif
}

/** Sum of the neighbours two lanes away. */
HTZ_FORCE_INLINE vd two_away(triple t) {
#if HTZ_VECTOR_BYTES == 64
  return HTZ_CUT(t.left, t.here, VD - 2) + HTZ_CUT(t.here, t.right, 2);
#elif HTZ_VECTOR_BYTES == 32
  return t.before + t.after;
#else
  return t.left + t.right;
#endif
}

#endif

/** What the point at k gives its neighbours along the line. */
HTZ_FORCE_INLINE vd line_compliance(const htz_grid_stencil* c, const double* u, const double* v) {
  return c->x1 * load(u) + c->past_x * load(v);
}

static HTZ_WIDE void grid_line(size_t n, const htz_grid_stencil* stencil, double* restrict next, const double* restrict now,
                               const double* restrict before) {
  const htz_grid_stencil c = *stencil;
  double* out = HTZ_ALIGNED(next);
  const double* u = HTZ_ALIGNED(now);
  const double* v = HTZ_ALIGNED(before);
#if HTZ_KERNEL_SCALAR
  for (size_t k = 0; k < n; ++k) {
    const double* p = u + k;
    const double* q = v + k;
    out[k] = (c.at * p[0] + c.before * q[0]) + ((c.x1 * (p[-1] + p[1]) + c.past_x * (q[-1] + q[1])) + c.x2 * (p[-2] + p[2]));
  }
#else
  triple is = first_triple(load(u - VD), load(u));
  triple compliance = first_triple(line_compliance(&c, u - VD, v - VD), line_compliance(&c, u, v));
  for (size_t k = 0; k < n; k += VD) {
    is = next_triple(is, load(u + k + VD));
    compliance = next_triple(compliance, line_compliance(&c, u + k + VD, v + k + VD));
    store(out + k, (c.at * is.here + c.before * load(v + k)) + (c.x2 * two_away(is) + beside(compliance)));
  }
#endif
}

/** What the point at p gives its neighbours along the row: its own share and what it hands on from above and below. */
HTZ_FORCE_INLINE vd sheet_compliance(const htz_grid_stencil* c, const double* p, const double* q, ptrdiff_t row) {
  return (c->x1 * load(p) + c->past_x * load(q)) + c->xy * (load(p - row) + load(p + row));
}

/** What the points at and above and below p give it. */
HTZ_FORCE_INLINE vd sheet_column(const htz_grid_stencil* c, const double* p, const double* q, ptrdiff_t row) {
  const vd near = c->y1 * (load(p - row) + load(p + row)) + c->past_y * (load(q - row) + load(q + row));
  return (c->at * load(p) + c->before * load(q)) + (near + c->y2 * (load(p - 2 * row) + load(p + 2 * row)));
}

static HTZ_WIDE void grid_sheet(size_t rows, size_t stride, const htz_grid_stencil* stencil, double* restrict next,
                                const double* restrict now, const double* restrict before) {
  const htz_grid_stencil c = *stencil;
  const ptrdiff_t row = (ptrdiff_t)stride;
  const size_t n = rows * stride; // the rows lie one after the other: one long line
  double* out = HTZ_ALIGNED(next);
  const double* u = HTZ_ALIGNED(now);
  const double* v = HTZ_ALIGNED(before);
#if HTZ_KERNEL_SCALAR
  double left = sheet_compliance(&c, u - 1, v - 1, row);
  double here = sheet_compliance(&c, u, v, row);
  for (size_t k = 0; k < n; ++k) {
    const double* p = u + k;
    const double right = sheet_compliance(&c, p + 1, v + k + 1, row);
    out[k] = sheet_column(&c, p, v + k, row) + ((left + right) + c.x2 * (p[-2] + p[2]));
    left = here;
    here = right;
  }
#else
  triple is = first_triple(load(u - VD), load(u));
  triple compliance = first_triple(sheet_compliance(&c, u - VD, v - VD, row), sheet_compliance(&c, u, v, row));
  for (size_t k = 0; k < n; k += VD) {
    is = next_triple(is, load(u + k + VD));
    compliance = next_triple(compliance, sheet_compliance(&c, u + k + VD, v + k + VD, row));
    store(out + k, sheet_column(&c, u + k, v + k, row) + (c.x2 * two_away(is) + beside(compliance)));
  }
#endif
}

#endif
