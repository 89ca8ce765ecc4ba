#ifndef HERTZIAN_SRC_DSP_KERNELS_BODIES_H
#define HERTZIAN_SRC_DSP_KERNELS_BODIES_H

/*
   Kernels that go over many small bodies in one call: part of kernels_rt.c, whose helpers they use, and compiled with it for each
   instruction set.
*/

/** `act` with the constant COUNT = 1..HTZ_PER_CALL, by `count`: a loop for each, what it holds in registers. */
#define HTZ_BY_COUNT(count, act)                                                                                               \
  do {                                                                                                                         \
    if ((count) == 1) {                                                                                                        \
      enum { COUNT = 1 };                                                                                                      \
      act;                                                                                                                     \
    } else if ((count) == 2) {                                                                                                 \
      enum { COUNT = 2 };                                                                                                      \
      act;                                                                                                                     \
    } else if ((count) == 3) {                                                                                                 \
      enum { COUNT = 3 };                                                                                                      \
      act;                                                                                                                     \
    } else {                                                                                                                   \
      enum { COUNT = HTZ_PER_CALL };                                                                                           \
      act;                                                                                                                     \
    }                                                                                                                          \
  } while (0)

/** Free increments of `count` points of one body. */
HTZ_FORCE_INLINE void predict_rows(const htz_body_view* view, const htz_step_table* t, double damp, size_t count,
                                   const double* const* rows, double* rise) {
  const double *q = HTZ_ALIGNED(view->q), *v = HTZ_ALIGNED(view->v);
  vd sum[HTZ_PER_CALL];
  for (size_t p = 0; p < count; ++p) {
    sum[p] = splat(0.0);
  }
  for (size_t k = 0; k < view->n; k += VD) {
    const vd step = increment(t, damp, q, v, k);
    for (size_t p = 0; p < count; ++p) {
      sum[p] += load(rows[p] + k) * step;
    }
  }
  for (size_t p = 0; p < count; ++p) {
    rise[p] = lane_sum(sum[p]);
  }
}

enum { MANY_COLUMNS = 2 * HTZ_PER_CALL, MANY_MODES = 512, MANY_PER_PASS = 8 };

/** The same of many points: the modes' increments are worked out once. */
HTZ_FORCE_INLINE void predict_many(const htz_body_view* view, const htz_step_table* t, double damp, size_t count,
                                   const double* const* rows, double* rise) {
  _Alignas(64) double step[MANY_MODES];
  const double *q = HTZ_ALIGNED(view->q), *v = HTZ_ALIGNED(view->v);
  for (size_t k = 0; k < view->n; k += VD) {
    store(step + k, increment(t, damp, q, v, k));
  }
  for (size_t p = 0; p < count; p += MANY_PER_PASS) {
    const double* row[MANY_PER_PASS];
    vd sum[MANY_PER_PASS];
    for (size_t i = 0; i < MANY_PER_PASS; ++i) {
      row[i] = rows[p + i < count ? p + i : p];
      sum[i] = splat(0.0);
    }
    for (size_t k = 0; k < view->n; k += VD) {
      const vd s = load(step + k);
      for (size_t i = 0; i < MANY_PER_PASS; ++i) {
        sum[i] += load(row[i] + k) * s;
      }
    }
    for (size_t i = 0; i < MANY_PER_PASS && p + i < count; ++i) {
      rise[p + i] = lane_sum(sum[i]);
    }
  }
}

enum { WIDE_VECTORS = 8, WIDE_MODES = 4 };

/** The same, `count` vectors of points side by side: no sum over lanes is left. Of few the sums of every other mode are apart, not to be waited for. */
HTZ_FORCE_INLINE void predict_lanes(size_t n, size_t width, size_t count, const double* step, const double* wide,
                                    double* rise) {
  const size_t sets = count > WIDE_VECTORS / 2 ? 1 : 2;
  vd sum[2][WIDE_VECTORS];
  for (size_t i = 0; i < count; ++i) {
    sum[0][i] = sum[1][i] = splat(0.0);
  }
  for (size_t k = 0; k < n; k += WIDE_MODES) {
    for (size_t mode = 0; mode < WIDE_MODES; ++mode, wide += width) {
      const double by = step[k + mode];
      for (size_t i = 0; i < count; ++i) {
        sum[mode % sets][i] += by * load(wide + i * VD);
      }
    }
  }
  for (size_t i = 0; i < count; ++i) {
    store(rise + i * VD, sum[0][i] + sum[1][i]);
  }
}

/** The same of many points whose rows are kept mode by mode. */
HTZ_FORCE_INLINE void predict_wide(const htz_body_view* view, const htz_step_table* t, double damp, const htz_couple_block* b,
                                   double* rise) {
  _Alignas(64) double step[MANY_MODES];
  const double *q = HTZ_ALIGNED(view->q), *v = HTZ_ALIGNED(view->v), *wide = HTZ_ALIGNED(view->wide);
  double* out = HTZ_ALIGNED(rise);
  const size_t vectors = (b->columns + VD - 1) / VD, width = b->width;
  const htz_step_table table = aligned_table(t);
  const size_t n = view->n;
  for (size_t k = 0; k < n; k += VD) {
    store(step + k, increment(&table, damp, q, v, k));
  }
  size_t first = 0;
  for (; first + WIDE_VECTORS <= vectors; first += WIDE_VECTORS) {
    predict_lanes(n, width, WIDE_VECTORS, step, wide + first * VD, out + first * VD);
  }
  wide += first * VD;
  out += first * VD;
  switch (vectors - first) { // a loop for each count, its sums in registers
  case 1:
    predict_lanes(n, width, 1, step, wide, out);
    break;
  case 2:
    predict_lanes(n, width, 2, step, wide, out);
    break;
  case 3:
    predict_lanes(n, width, 3, step, wide, out);
    break;
  case 4:
    predict_lanes(n, width, 4, step, wide, out);
    break;
  case 5:
    predict_lanes(n, width, 5, step, wide, out);
    break;
  case 6:
    predict_lanes(n, width, 6, step, wide, out);
    break;
  case 7:
    predict_lanes(n, width, 7, step, wide, out);
    break;
  default:
    break;
  }
}

static HTZ_WIDE void predict_bodies(size_t n_blocks, const htz_couple_block* blocks, const htz_body_view* views, size_t level,
                                    const double* const* rows, double* rise) {
  for (size_t b = 0; b < n_blocks; ++b) {
    const htz_body_view* view = &views[b];
    if (view->wide && view->n <= MANY_MODES) {
      predict_wide(view, &view->table[level], view->damp[level], &blocks[b], rise + blocks[b].first);
      continue;
    }
    if (view->n > 0 && view->n <= MANY_MODES && blocks[b].columns > MANY_COLUMNS) {
      predict_many(view, &view->table[level], view->damp[level], blocks[b].columns, rows + blocks[b].first,
                   rise + blocks[b].first);
      continue;
    }
    for (size_t i = 0; view->n > 0 && i < blocks[b].columns; i += HTZ_PER_CALL) {
      const size_t at = blocks[b].first + i, left = blocks[b].columns - i;
      HTZ_BY_COUNT(left, predict_rows(view, &view->table[level], view->damp[level], COUNT, rows + at, rise + at));
    }
  }
}

/** One step of one body under `count` forces. What is read in every turn is copied: vectors that are stored might be laid over it. */
HTZ_FORCE_INLINE void commit_few(const htz_body_view* view, const htz_step_table* t, double damp, size_t count,
                                 const double* const* rows, const double* f) {
  enum { COPIED = 8 };
  const htz_step_table table = aligned_table(t);
  double *q = HTZ_ALIGNED(view->q), *v = HTZ_ALIGNED(view->v);
  const size_t n = view->n, few = count < COPIED ? count : COPIED;
  const double* row[COPIED];
  double by[COPIED];
  for (size_t p = 0; p < few; ++p) {
    row[p] = rows[p];
    by[p] = f[p];
  }
  for (size_t k = 0; k < n; k += VD) {
    vd force = by[0] * load(row[0] + k);
    for (size_t p = 1; p < few; ++p) {
      force += by[p] * load(row[p] + k);
    }
    for (size_t p = few; p < count; ++p) {
      force += f[p] * load(rows[p] + k);
    }
    step_lanes(&table, damp, q, v, k, force);
  }
}

/** The same under forces of which most are 0. */
HTZ_FORCE_INLINE void commit_some(const htz_body_view* view, const htz_step_table* t, double damp, size_t count,
                                  const double* const* rows, const double* f) {
  enum { AT_ONCE = 32, PASSED = 4, SOME = 6 };
  const double* row[AT_ONCE];
  double force[AT_ONCE];
  size_t n = 0, i = 0;
  while (i < count && n < AT_ONCE) {
    uint64_t bits[PASSED];
    if (i + PASSED <= count) { // so many zeros are passed over at once
      __builtin_memcpy(bits, f + i, sizeof bits);
      if ((bits[0] | bits[1] | bits[2] | bits[3]) == 0) {
        i += PASSED;
        continue;
      }
    }
    for (size_t end = i + PASSED; i < end && i < count && n < AT_ONCE; ++i) {
      if (f[i] != 0.0) {
        row[n] = rows[i];
        force[n++] = f[i];
      }
    }
  }
  if (i < count) { // most are not
    commit_few(view, t, damp, count, rows, f);
    return;
  }
  if (n == 0) {
    row[n] = rows[0];
    force[n++] = 0.0;
  }
  if (n <= HTZ_PER_CALL) {
    HTZ_BY_COUNT(n, commit_few(view, t, damp, COUNT, row, force));
  } else if (n <= SOME) {
    for (; n < SOME; ++n) {
      row[n] = row[0];
      force[n] = 0.0;
    }
    commit_few(view, t, damp, SOME, row, force);
  } else {
    commit_few(view, t, damp, n, row, force);
  }
}

static HTZ_WIDE void commit_bodies(size_t n_blocks, const htz_couple_block* blocks, const htz_body_view* views, size_t level,
                                   const double* const* rows, const double* f) {
  for (size_t b = 0; b < n_blocks; ++b) {
    const htz_body_view* view = &views[b];
    const size_t at = blocks[b].first, columns = blocks[b].columns;
    if (view->n == 0) {
      continue;
    }
    if (columns <= HTZ_PER_CALL) {
      HTZ_BY_COUNT(columns, commit_few(view, &view->table[level], view->damp[level], COUNT, rows + at, f + at));
    } else {
      commit_some(view, &view->table[level], view->damp[level], columns, rows + at, f + at);
    }
  }
}

static HTZ_WIDE void hear(size_t n_taps, const htz_tap* taps, size_t frame) {
  for (size_t i = 0; i < n_taps; ++i) {
    const htz_tap* t = &taps[i];
    const double *aq = HTZ_ALIGNED(t->aq), *av = HTZ_ALIGNED(t->av), *q = HTZ_ALIGNED(t->q), *v = HTZ_ALIGNED(t->v);
    vd sum = splat(0.0), more = splat(0.0);
    for (size_t k = 0; k < t->n; k += VD) {
      sum += load(av + k) * load(v + k);
      more += load(aq + k) * load(q + k);
    }
    t->to[frame] += (float)lane_sum(sum + more);
  }
}

#endif
