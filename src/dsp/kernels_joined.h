#ifndef HERTZIAN_SRC_DSP_KERNELS_JOINED_H
#define HERTZIAN_SRC_DSP_KERNELS_JOINED_H

/*
   Kernels of bodies that rest on each other: part of kernels_rt.c, whose helpers they use, and compiled with it for each
   instruction set.
*/

static HTZ_WIDE void spread(size_t n, size_t count, const double* restrict phi, const double* restrict f,
                            double* restrict force) {
  const double* rows = HTZ_ALIGNED(phi);
  double* out = HTZ_ALIGNED(force);
  for (size_t k = 0; k < n; k += VD) {
    vd sum = splat(0.0);
    for (size_t p = 0; p < count; ++p) {
      sum += f[p] * load(rows + p * n + k);
    }
    store(out + k, sum);
  }
}

/** Sums over a tile of modes of `count` rows times `x`, added to `sum`; so many that they stay in registers. */
HTZ_FORCE_INLINE void see_rows(size_t count, size_t modes, const double* rows, size_t stride, const double* x, vd* sum) {
  vd acc[HTZ_PER_CALL];
  for (size_t p = 0; p < count; ++p) {
    acc[p] = sum[p];
  }
  for (size_t k = 0; k < modes; k += VD) {
    const vd at = load(x + k);
    for (size_t p = 0; p < count; ++p) {
      acc[p] += load(rows + p * stride + k) * at;
    }
  }
  for (size_t p = 0; p < count; ++p) {
    sum[p] = acc[p];
  }
}

/** The same of `count` signals of q and v. */
HTZ_FORCE_INLINE void hear_rows(size_t count, size_t modes, const double* const* aq, const double* const* av, size_t first,
                                const double* q, const double* v, vd* sum) {
  const double *rows[HTZ_PER_CALL], *others[HTZ_PER_CALL];
  vd acc[HTZ_PER_CALL];
  for (size_t i = 0; i < count; ++i) {
    rows[i] = aq[i] + first;
    others[i] = av[i] + first;
    acc[i] = sum[i];
  }
  for (size_t k = 0; k < modes; k += VD) {
    const vd x = load(q + k), y = load(v + k);
    for (size_t i = 0; i < count; ++i) {
      acc[i] += load(rows[i] + k) * x + load(others[i] + k) * y;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    sum[i] = acc[i];
  }
}

enum { PUSHED = HTZ_LANES / VD }; // vectors of modal forces that are summed at once

// A tile at a time, so that its rows are still near when they are looked through after the step.
static HTZ_WIDE void step_points(size_t n, const htz_step_table* t, double damp, double* restrict q, double* restrict v,
                                 size_t count, const double* restrict phi, const double* restrict f, double* restrict rise,
                                 size_t n_heard, const double* const* aq, const double* const* av, double* restrict heard) {
  const htz_step_table table = aligned_table(t);
  const double* rows = HTZ_ALIGNED(phi);
  double* x = HTZ_ALIGNED(q);
  double* y = HTZ_ALIGNED(v);
  _Alignas(64) double ahead[TILE];
  vd seen[HTZ_POINTS_AT_ONCE], signal[HTZ_HEARD_MAX];
  for (size_t p = 0; p < count; ++p) {
    seen[p] = splat(0.0);
  }
  for (size_t i = 0; i < n_heard; ++i) {
    signal[i] = splat(0.0);
  }
  for (size_t first = 0; first < n; first += TILE) {
    const size_t modes = n - first < TILE ? n - first : TILE;
    for (size_t k = 0; k < modes; k += HTZ_LANES) {
      vd force[PUSHED];
      for (size_t i = 0; i < PUSHED; ++i) {
        force[i] = splat(0.0);
      }
      for (size_t p = 0; p < count; ++p) {
        const double* row = rows + p * n + first + k;
        for (size_t i = 0; i < PUSHED; ++i) {
          force[i] += f[p] * load(row + i * VD);
        }
      }
      for (size_t i = 0; i < PUSHED; ++i) {
        step_lanes(&table, damp, x, y, first + k + i * VD, force[i]);
        store(ahead + k + i * VD, increment(&table, damp, x, y, first + k + i * VD));
      }
    }
    size_t p = 0, i = 0;
    for (; p + HTZ_PER_CALL <= count; p += HTZ_PER_CALL) {
      see_rows(HTZ_PER_CALL, modes, rows + p * n + first, n, ahead, seen + p);
    }
    for (; p < count; ++p) {
      see_rows(1, modes, rows + p * n + first, n, ahead, seen + p);
    }
    for (; i + 2 <= n_heard; i += 2) {
      hear_rows(2, modes, aq + i, av + i, first, x + first, y + first, signal + i);
    }
    if (i < n_heard) {
      hear_rows(1, modes, aq + i, av + i, first, x + first, y + first, signal + i);
    }
  }
  for (size_t p = 0; p < count; ++p) {
    rise[p] = lane_sum(seen[p]);
  }
  for (size_t i = 0; i < n_heard; ++i) {
    heard[i] = lane_sum(signal[i]);
  }
}

static HTZ_WIDE void dot_pairs(size_t n, const double* a, const double* b, const double* x, const double* y, double out[4]) {
  const double *r = HTZ_ALIGNED(a), *s = HTZ_ALIGNED(b), *p = HTZ_ALIGNED(x), *q = HTZ_ALIGNED(y);
  vd sum[4] = {splat(0.0), splat(0.0), splat(0.0), splat(0.0)};
  for (size_t k = 0; k < n; k += VD) {
    sum[0] += load(r + k) * load(p + k);
    sum[1] += load(s + k) * load(p + k);
    sum[2] += load(r + k) * load(q + k);
    sum[3] += load(s + k) * load(q + k);
  }
  for (size_t i = 0; i < 4; ++i) {
    out[i] = lane_sum(sum[i]);
  }
}

static HTZ_WIDE void add_pairs(size_t n, const double* a, const double* b, const double c[4], double* restrict x,
                               double* restrict y) {
  const double *r = HTZ_ALIGNED(a), *s = HTZ_ALIGNED(b);
  double *p = HTZ_ALIGNED(x), *q = HTZ_ALIGNED(y);
  for (size_t k = 0; k < n; k += VD) {
    const vd first = load(r + k), second = load(s + k);
    store(p + k, load(p + k) + (c[0] * first + c[1] * second));
    store(q + k, load(q + k) + (c[2] * first + c[3] * second));
  }
}

static HTZ_WIDE double step_joined(size_t n, const htz_step_table* t, double damp, double* restrict q, double* restrict v,
                                   const double* restrict kappa, double force) {
  const htz_step_table table = aligned_table(t);
  double* x = HTZ_ALIGNED(q);
  double* y = HTZ_ALIGNED(v);
  const double* row = HTZ_ALIGNED(kappa);
  vd felt[2] = {splat(0.0), splat(0.0)};
  for (size_t k = 0, turn = 0; k < n; k += VD, ++turn) {
    const vd join = load(row + k);
    step_lanes(&table, damp, x, y, k, force * join);
    felt[turn & 1] += join * (load(x + k) + 0.5 * increment(&table, damp, x, y, k));
  }
  return lane_sum(felt[0] + felt[1]);
}

static HTZ_WIDE double reaction_joined(size_t n, const htz_step_table* t, double damp, const double* q, const double* v,
                                       const double* kappa, double* end_force) {
  const htz_step_table table = aligned_table(t);
  const double* row = HTZ_ALIGNED(kappa);
  vd now[2] = {splat(0.0), splat(0.0)};
  vd rise[2] = {splat(0.0), splat(0.0)};
  for (size_t k = 0, turn = 0; k < n; k += VD, ++turn) {
    const vd join = load(row + k);
    now[turn & 1] += join * load(q + k);
    rise[turn & 1] += join * increment(&table, damp, q, v, k);
  }
  *end_force = lane_sum(now[0] + now[1]);
  return *end_force + 0.5 * lane_sum(rise[0] + rise[1]);
}

// ---------------------------------------------------------------- turning coordinates

enum {
  TURN_BLOCKS = HTZ_QUANTUM / HTZ_TURN_BLOCK,
  TURN_PARTS = HTZ_TURN_BLOCK / VB,                // vectors of frames in a block
  TURN_SUMS = VB < TURN_BLOCKS ? VB : TURN_BLOCKS, // blocks whose sums fit the registers
  TURN_AT_ONCE = 4,                                // samples that a support's displacement is taken up by
  TURN_SIDE_BY_SIDE = VF < 8 ? 2 : HTZ_TURN_LANES / VF
};

HTZ_FORCE_INLINE vf float_load(const float* p) {
  return *(const vf*)p;
}

/** Where modes are at the start of each block. */
typedef float turn_places[TURN_BLOCKS][TILE];

/** Modes k .. k + VF - 1 through `frames` samples. */
HTZ_FORCE_INLINE void turn_lanes(const htz_turn_table* t, float* x, float* y, size_t k, size_t frames, float* re, float* im) {
  const vf cm8 = float_load(t->cm8 + k), s8 = float_load(t->s8 + k);
  const size_t blocks = frames / HTZ_TURN_BLOCK, left = frames % HTZ_TURN_BLOCK;
  vf a = float_load(x + k), b = float_load(y + k);
  for (size_t i = 0; i < blocks; ++i) {
    *(vf*)(re + i * TILE) = a;
    *(vf*)(im + i * TILE) = b;
    const vf turned = a + (cm8 * a - s8 * b);
    b = b + (cm8 * b + s8 * a);
    a = turned;
  }
  if (left > 0) {
    const vf cm = float_load(t->cm + k), s1 = float_load(t->s + k);
    *(vf*)(re + blocks * TILE) = a;
    *(vf*)(im + blocks * TILE) = b;
    for (size_t f = 0; f < left; ++f) {
      const vf turned = a + (cm * a - s1 * b);
      b = b + (cm * b + s1 * a);
      a = turned;
    }
  }
  *(vf*)(x + k) = a;
  *(vf*)(y + k) = b;
}

/** What `modes` of them give over `count` blocks from `first` on: lanes are frames. */
HTZ_FORCE_INLINE void hear_blocks(size_t modes, const float* powers, turn_places re, turn_places im, size_t first, size_t count,
                                  vb sum[TURN_BLOCKS][TURN_PARTS]) {
  vb acc[TURN_SUMS][TURN_PARTS];
  for (size_t i = 0; i < count; ++i) {
    for (size_t part = 0; part < TURN_PARTS; ++part) {
      acc[i][part] = sum[first + i][part];
    }
  }
  for (size_t k = 0; k < modes; ++k, powers += 2 * HTZ_TURN_BLOCK) {
    for (size_t part = 0; part < TURN_PARTS; ++part) {
      const vb c = *(const vb*)(powers + part * VB), s = *(const vb*)(powers + HTZ_TURN_BLOCK + part * VB);
      for (size_t i = 0; i < count; ++i) {
        acc[i][part] += c * re[first + i][k];
        acc[i][part] -= s * im[first + i][k];
      }
    }
  }
  for (size_t i = 0; i < count; ++i) {
    for (size_t part = 0; part < TURN_PARTS; ++part) {
      sum[first + i][part] = acc[i][part];
    }
  }
}

static HTZ_WIDE float turn_free(size_t n, const htz_turn_table* t, float* x, float* y, size_t frames, float limit,
                                const float share[2], float* const heard[2]) {
  _Alignas(64) turn_places re, im;
  _Alignas(64) float all[HTZ_QUANTUM];
  vb sum[TURN_BLOCKS][TURN_PARTS];
  const size_t blocks = (frames + HTZ_TURN_BLOCK - 1) / HTZ_TURN_BLOCK;
  for (size_t i = 0; i < blocks; ++i) {
    for (size_t part = 0; part < TURN_PARTS; ++part) {
      sum[i][part] = (vb){0};
    }
  }
  for (size_t first = 0; first < n; first += TILE) {
    const size_t modes = n - first < TILE ? n - first : TILE;
    const float* powers = t->powers + first * 2 * HTZ_TURN_BLOCK;
    for (size_t k = 0; k < modes; k += VF) {
      turn_lanes(t, x, y, first + k, frames, re[0] + k, im[0] + k);
    }
    size_t i = 0;
    for (; i + TURN_SUMS <= blocks; i += TURN_SUMS) {
      hear_blocks(modes, powers, re, im, i, TURN_SUMS, sum);
    }
    for (; i < blocks; ++i) {
      hear_blocks(modes, powers, re, im, i, 1, sum);
    }
  }
  for (size_t i = 0; i < blocks; ++i) {
    for (size_t part = 0; part < TURN_PARTS; ++part) {
      *(vb*)(all + i * HTZ_TURN_BLOCK + part * VB) = sum[i][part];
    }
  }
  const float last = all[frames - 1];
  for (size_t to = 0; to < 2 && last < limit && last > -limit; ++to) {
    for (size_t f = 0; f < frames; f += VB) {
      *(vb_any*)(heard[to] + f) += share[to] * *(const vb*)(all + f);
    }
  }
  return last;
}

/** z+ = R^frames z + b sum_f R^(frames - 1 - f) w_f; the first part is there already. The sum by Horner, four samples at a time. */
static HTZ_WIDE void turn_driven(size_t n, const htz_turn_table* t, float* x, float* y, size_t frames, const float share[2],
                                 const float* const w[2]) {
  vf wide[HTZ_QUANTUM];
  for (size_t f = 0; f < frames; ++f) {
    wide[f] = (share[0] * w[0][f] + share[1] * w[1][f]) - (vf){0};
  }
  for (size_t first = 0; first < n; first += TURN_SIDE_BY_SIDE * VF) {
    vf a[TURN_SIDE_BY_SIDE], b[TURN_SIDE_BY_SIDE];
    for (size_t i = 0; i < TURN_SIDE_BY_SIDE; ++i) {
      a[i] = b[i] = (vf){0};
    }
    size_t f = 0;
    for (; f + TURN_AT_ONCE <= frames; f += TURN_AT_ONCE) {
      for (size_t i = 0; i < TURN_SIDE_BY_SIDE; ++i) {
        const size_t k = first + i * VF;
        const vf cm = float_load(t->cm + k), s1 = float_load(t->s + k), c2 = float_load(t->c2 + k), s2 = float_load(t->s2 + k);
        const vf c3 = float_load(t->c3 + k), s3 = float_load(t->s3 + k), cm4 = float_load(t->cm4 + k),
                 s4 = float_load(t->s4 + k);
        const vf re = wide[f] * c3 + (wide[f + 1] * c2 + (wide[f + 2] * (1.0f + cm) + wide[f + 3]));
        const vf im = wide[f] * s3 + (wide[f + 1] * s2 + wide[f + 2] * s1);
        const vf turned = a[i] + (cm4 * a[i] - (s4 * b[i] - re));
        b[i] = b[i] + (cm4 * b[i] + (s4 * a[i] + im));
        a[i] = turned;
      }
    }
    for (; f < frames; ++f) {
      for (size_t i = 0; i < TURN_SIDE_BY_SIDE; ++i) {
        const vf cm = float_load(t->cm + first + i * VF), s1 = float_load(t->s + first + i * VF);
        const vf turned = a[i] + (cm * a[i] - (s1 * b[i] - wide[f]));
        b[i] = b[i] + (cm * b[i] + s1 * a[i]);
        a[i] = turned;
      }
    }
    for (size_t i = 0; i < TURN_SIDE_BY_SIDE; ++i) {
      const size_t k = first + i * VF;
      const vf bx = float_load(t->bx + k), by = float_load(t->by + k);
      *(vf*)(x + k) += bx * a[i] - by * b[i];
      *(vf*)(y + k) += by * a[i] + bx * b[i];
    }
  }
}

static HTZ_WIDE float turn_energy(size_t n, const float* xx, const float* xy, const float* yy, const float* x, const float* y) {
  vs sum = (vs){0};
  for (size_t k = 0; k < n; k += VD) {
    const vs a = *(const vs*)(x + k), b = *(const vs*)(y + k);
    sum += a * (*(const vs*)(xx + k) * a + *(const vs*)(xy + k) * b) + *(const vs*)(yy + k) * (b * b);
  }
  float lanes[VD], all = 0.0f;
  __builtin_memcpy(lanes, &sum, sizeof lanes);
  for (size_t i = 0; i < VD; ++i) {
    all += lanes[i];
  }
  return all;
}

static HTZ_WIDE void answer(size_t n_points, size_t frames, const float* own, const float* next, const float* w, float* heard) {
  for (size_t p = 0; p < n_points; ++p) {
    const float* mine = own + p * HTZ_ANSWER;
    const float* above = next + p * HTZ_ANSWER;
    const float* below = next + (p > 0 ? p - 1 : n_points - 1) * HTZ_ANSWER;
    const float here = w[p], up = p + 1 < n_points ? w[p + 1] : 0.0f, down = p > 0 ? w[p - 1] : 0.0f;
    for (size_t l = 0; l < frames; l += VF) {
      *(vf_any*)(heard + p * HTZ_ANSWER + l) +=
          here * float_load(mine + l) + (up * float_load(above + l) + down * float_load(below + l));
    }
  }
}

#endif
