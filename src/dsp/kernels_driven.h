#ifndef HERTZIAN_SRC_DSP_KERNELS_DRIVEN_H
#define HERTZIAN_SRC_DSP_KERNELS_DRIVEN_H

/*
   Kernels of bodies under known forces: part of kernels_rt.c, whose helpers they use, and compiled with it for each instruction set.
*/

/** Take modes first .. first + GROUP - 1 through `frames` <= HTZ_QUANTUM frames; their signal is added to heard[], by lanes. */
HTZ_FORCE_INLINE void driven_group(size_t first, const htz_step_table* t, double damp, double* q, double* v, const double* phi,
                                   const float* drive, const double* aq, const double* av, size_t frames, vd* heard) {
  enum { N = GROUP / VD };
  vd x[N], y[N], am[N], a12[N], a21[N], dm[N], gq[N], gv[N], hq[N], hv[N];
  for (size_t i = 0; i < N; ++i) {
    const size_t k = first + i * VD;
    x[i] = load(q + k);
    y[i] = load(v + k);
    am[i] = load(t->am + k);
    a12[i] = damp * load(t->a12 + k);
    a21[i] = load(t->a21 + k);
    dm[i] = (damp - 1.0) + damp * load(t->dm + k); // g a22 - 1
    gq[i] = load(t->bq + k) * load(phi + k);
    gv[i] = load(t->bv + k) * load(phi + k);
    hq[i] = aq ? load(aq + k) : splat(0.0);
    hv[i] = av ? load(av + k) : splat(0.0);
  }
  for (size_t frame = 0; frame < frames; ++frame) {
    const double f = (double)drive[frame];
    vd sum = heard[frame];
    for (size_t i = 0; i < N; ++i) {
      const vd dx = am[i] * x[i] + (a12[i] * y[i] + gq[i] * f);
      const vd dy = a21[i] * x[i] + (dm[i] * y[i] + gv[i] * f);
      x[i] += dx;
      y[i] += dy;
      sum += hq[i] * x[i] + hv[i] * y[i];
    }
    heard[frame] = sum;
  }
  for (size_t i = 0; i < N; ++i) {
    store(q + first + i * VD, x[i]);
    store(v + first + i * VD, y[i]);
  }
}

static HTZ_WIDE void driven(size_t n, const htz_step_table* t, double damp, double* q, double* v, const double* phi,
                            const float* drive, const double* aq, const double* av, size_t frames, float* out) {
  const htz_step_table table = aligned_table(t);
  const double* hear_q = out ? HTZ_ALIGNED(aq) : NULL;
  const double* hear_v = out ? HTZ_ALIGNED(av) : NULL;
  for (size_t start = 0; start < frames; start += HTZ_QUANTUM) {
    const size_t count = frames - start < HTZ_QUANTUM ? frames - start : HTZ_QUANTUM;
    vd heard[HTZ_QUANTUM];
    for (size_t frame = 0; frame < count; ++frame) {
      heard[frame] = splat(0.0);
    }
    for (size_t k = 0; k < n; k += GROUP) {
      driven_group(k, &table, damp, HTZ_ALIGNED(q), HTZ_ALIGNED(v), HTZ_ALIGNED(phi), drive + start, hear_q, hear_v, count,
                   heard);
    }
    for (size_t frame = 0; out && frame < count; ++frame) {
      out[start + frame] += (float)lane_sum(heard[frame]);
    }
  }
}

// ---------------------------------------------------------------- known forces at several points

enum { BOARD = HTZ_LANES / VD }; // vectors of modes that go through all frames side by side

/** Coefficients of BOARD vectors of modes, next to each other so that a frame finds them by one address. */
typedef struct {
  vd am[BOARD], a12[BOARD], a21[BOARD], dm[BOARD], bq[BOARD], bv[BOARD];
  vd phi[HTZ_POINTS_AT_ONCE][BOARD];
  vd aq[HTZ_HEARD_MAX][BOARD], av[HTZ_HEARD_MAX][BOARD];
} board_group;

HTZ_FORCE_INLINE void board_gather(board_group* g, size_t first, const htz_step_table* t, double damp, size_t n_points,
                                   const double* const* phi, size_t n_pickups, const double* const* aq,
                                   const double* const* av) {
  for (size_t i = 0; i < BOARD; ++i) {
    const size_t k = first + i * VD;
    g->am[i] = load(t->am + k);
    g->a12[i] = damp * load(t->a12 + k);
    g->a21[i] = load(t->a21 + k);
    g->dm[i] = (damp - 1.0) + damp * load(t->dm + k);
    g->bq[i] = load(t->bq + k);
    g->bv[i] = load(t->bv + k);
    for (size_t p = 0; p < n_points; ++p) {
      g->phi[p][i] = load(phi[p] + k);
    }
    for (size_t p = 0; p < n_pickups; ++p) {
      g->aq[p][i] = load(aq[p] + k);
      g->av[p][i] = load(av[p] + k);
    }
  }
}

/** Take the group through `frames` <= HTZ_QUANTUM frames under forces f[frame][n_points]; signals are added to heard[frame][], by lanes. */
HTZ_FORCE_INLINE void driven_board(const board_group* g, double* q, double* v, size_t n_points,
                                   double f[HTZ_QUANTUM][HTZ_POINTS_AT_ONCE], size_t n_pickups, size_t frames,
                                   vd heard[HTZ_QUANTUM][HTZ_HEARD_MAX]) {
  vd x[BOARD], y[BOARD];
  for (size_t i = 0; i < BOARD; ++i) {
    x[i] = load(q + i * VD);
    y[i] = load(v + i * VD);
  }
  for (size_t frame = 0; frame < frames; ++frame) {
    vd force[BOARD];
    for (size_t i = 0; i < BOARD; ++i) {
      force[i] = splat(0.0);
    }
    for (size_t p = 0; p < n_points; ++p) {
      for (size_t i = 0; i < BOARD; ++i) {
        force[i] += f[frame][p] * g->phi[p][i];
      }
    }
    for (size_t i = 0; i < BOARD; ++i) {
      const vd dx = g->am[i] * x[i] + (g->a12[i] * y[i] + g->bq[i] * force[i]);
      const vd dy = g->a21[i] * x[i] + (g->dm[i] * y[i] + g->bv[i] * force[i]);
      x[i] += dx;
      y[i] += dy;
    }
    for (size_t p = 0; p < n_pickups; ++p) {
      vd sum = heard[frame][p];
      for (size_t i = 0; i < BOARD; ++i) {
        sum += g->aq[p][i] * x[i] + g->av[p][i] * y[i];
      }
      heard[frame][p] = sum;
    }
  }
  for (size_t i = 0; i < BOARD; ++i) {
    store(q + i * VD, x[i]);
    store(v + i * VD, y[i]);
  }
}

HTZ_FORCE_INLINE void driven_boards(size_t n, const htz_step_table* t, double damp, double* q, double* v, size_t n_points,
                                    const double* const* phi, double f[HTZ_QUANTUM][HTZ_POINTS_AT_ONCE], size_t n_pickups,
                                    const double* const* aq, const double* const* av, size_t frames,
                                    vd heard[HTZ_QUANTUM][HTZ_HEARD_MAX]) {
  for (size_t k = 0; k < n; k += HTZ_LANES) {
    board_group g;
    board_gather(&g, k, t, damp, n_points, phi, n_pickups, aq, av);
    driven_board(&g, q + k, v + k, n_points, f, n_pickups, frames, heard);
  }
}

static HTZ_WIDE void driven_points(size_t n, const htz_step_table* t, double damp, double* q, double* v, size_t n_points,
                                   const double* const* phi, const float* const* drives, size_t n_pickups,
                                   const double* const* aq, const double* const* av, size_t frames, float* const* out) {
  const htz_step_table table = aligned_table(t);
  double* x = HTZ_ALIGNED(q);
  double* y = HTZ_ALIGNED(v);
  vd heard[HTZ_QUANTUM][HTZ_HEARD_MAX];
  double f[HTZ_QUANTUM][HTZ_POINTS_AT_ONCE];
  const size_t count = frames < HTZ_QUANTUM ? frames : HTZ_QUANTUM;
  for (size_t frame = 0; frame < count; ++frame) {
    for (size_t p = 0; p < n_pickups; ++p) {
      heard[frame][p] = splat(0.0);
    }
    for (size_t p = 0; p < n_points; ++p) {
      f[frame][p] = (double)drives[p][frame];
    }
  }
  // Usual boards, their sums unrolled.
  if (n_points == HTZ_PER_CALL * 2 && n_pickups == 2) {
    driven_boards(n, &table, damp, x, y, 2 * HTZ_PER_CALL, phi, f, 2, aq, av, count, heard);
  } else if (n_points == HTZ_PER_CALL * 2 && n_pickups == 4) {
    driven_boards(n, &table, damp, x, y, 2 * HTZ_PER_CALL, phi, f, 4, aq, av, count, heard);
  } else {
    driven_boards(n, &table, damp, x, y, n_points, phi, f, n_pickups, aq, av, count, heard);
  }
  for (size_t p = 0; p < n_pickups; ++p) {
    for (size_t frame = 0; frame < count; ++frame) {
      out[p][frame] += (float)lane_sum(heard[frame][p]);
    }
  }
}

#endif
