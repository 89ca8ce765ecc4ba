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

enum { BOARD = 4 * HTZ_LANES }; // modes advanced side by side, so that none waits for its own last step

/** Add the forces on modes first.. of `count` points, from `p` on, in one frame. */
HTZ_FORCE_INLINE void add_forces(size_t first, size_t width, size_t p, size_t count, const double* const* phi,
                                 const float* const* drives, size_t frame, vd* force) {
  const double* row[HTZ_PER_CALL];
  double drive[HTZ_PER_CALL];
  for (size_t i = 0; i < count; ++i) {
    row[i] = HTZ_ALIGNED(phi[p + i]);
    drive[i] = (double)drives[p + i][frame];
  }
  for (size_t k = 0; k < width; k += VD) {
    for (size_t i = 0; i < count; ++i) {
      force[k / VD] += drive[i] * load(row[i] + first + k);
    }
  }
}

/** Take `width` (<= BOARD) modes from `first` on through `frames` <= HTZ_QUANTUM frames; signals are added to heard[][], by lanes. */
HTZ_FORCE_INLINE void driven_board(size_t first, size_t width, const htz_step_table* t, double damp, double* restrict q,
                                   double* restrict v, size_t n_points, const double* const* phi, const float* const* drives,
                                   size_t n_pickups, const double* const* aq, const double* const* av, size_t frames,
                                   vd heard[HTZ_HEARD_MAX][HTZ_QUANTUM]) {
  for (size_t frame = 0; frame < frames; ++frame) {
    vd force[BOARD / VD], sum[HTZ_HEARD_MAX];
    for (size_t i = 0; i < width / VD; ++i) {
      force[i] = splat(0.0);
    }
    size_t p = 0;
    for (; p + HTZ_PER_CALL <= n_points; p += HTZ_PER_CALL) {
      add_forces(first, width, p, HTZ_PER_CALL, phi, drives, frame, force);
    }
    for (; p < n_points; ++p) {
      add_forces(first, width, p, 1, phi, drives, frame, force);
    }
    for (size_t i = 0; i < n_pickups; ++i) {
      sum[i] = heard[i][frame];
    }
    for (size_t k = first; k < first + width; k += VD) {
      const vd f = force[(k - first) / VD];
      const vd x = load(q + k);
      const vd y = damp * load(v + k);
      const vd xn = x + (load(t->am + k) * x + (load(t->a12 + k) * y + load(t->bq + k) * f));
      const vd yn = y + (load(t->a21 + k) * x + (load(t->dm + k) * y + load(t->bv + k) * f));
      store(q + k, xn);
      store(v + k, yn);
      for (size_t i = 0; i < n_pickups; ++i) {
        sum[i] += load(aq[i] + k) * xn + load(av[i] + k) * yn;
      }
    }
    for (size_t i = 0; i < n_pickups; ++i) {
      heard[i][frame] = sum[i];
    }
  }
}

HTZ_FORCE_INLINE void driven_boards(size_t n, const htz_step_table* t, double damp, double* q, double* v, size_t n_points,
                                    const double* const* phi, const float* const* drives, size_t n_pickups,
                                    const double* const* aq, const double* const* av, size_t frames,
                                    vd heard[HTZ_HEARD_MAX][HTZ_QUANTUM]) {
  size_t k = 0;
  for (; k + BOARD <= n; k += BOARD) {
    driven_board(k, BOARD, t, damp, q, v, n_points, phi, drives, n_pickups, aq, av, frames, heard);
  }
  for (; k < n; k += HTZ_LANES) {
    driven_board(k, HTZ_LANES, t, damp, q, v, n_points, phi, drives, n_pickups, aq, av, frames, heard);
  }
}

static HTZ_WIDE void driven_points(size_t n, const htz_step_table* t, double damp, double* q, double* v, size_t n_points,
                                   const double* const* phi, const float* const* drives, size_t n_pickups,
                                   const double* const* aq, const double* const* av, size_t frames, float* const* out) {
  const htz_step_table table = aligned_table(t);
  double* x = HTZ_ALIGNED(q);
  double* y = HTZ_ALIGNED(v);
  vd heard[HTZ_HEARD_MAX][HTZ_QUANTUM];
  const size_t count = frames < HTZ_QUANTUM ? frames : HTZ_QUANTUM;
  for (size_t p = 0; p < n_pickups; ++p) {
    for (size_t frame = 0; frame < count; ++frame) {
      heard[p][frame] = splat(0.0);
    }
  }
  if (n_pickups == 2) { // heard in stereo: its sums in registers
    driven_boards(n, &table, damp, x, y, n_points, phi, drives, 2, aq, av, count, heard);
  } else {
    driven_boards(n, &table, damp, x, y, n_points, phi, drives, n_pickups, aq, av, count, heard);
  }
  for (size_t p = 0; p < n_pickups; ++p) {
    for (size_t frame = 0; frame < count; ++frame) {
      out[p][frame] += (float)lane_sum(heard[p][frame]);
    }
  }
}

#endif
