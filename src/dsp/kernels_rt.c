/*
   The vector kernels of dsp/kernels.h. Compiled once per instruction set, with HTZ_KERNEL_ISA naming it (isa.def).

   Increments are summed before they are added to the state: a small step is then rounded once, at the size of the state.
*/

#include "hertzian/dsp/kernels.h"

#define HTZ_JOIN_(a, b) a##b
#define HTZ_JOIN(a, b) HTZ_JOIN_(a, b)
#define HTZ_IS_scalar 1
#define HTZ_KERNEL_SCALAR HTZ_JOIN(HTZ_IS_, HTZ_KERNEL_ISA)

#include "vector.h"

enum {
  SUMMED = VD_SUMS * VD,   // modes per turn of the summing loops; divides HTZ_LANES, or is twice that
  GROUP = HTZ_LANES,       // modes that the driven kernel takes through all its frames at once
  PARTS = HTZ_STRIDE / VF, // vectors in one row of the free basis
  TILE = 64                // modes whose row coefficients wait on the stack: 2 KB per pickup, well inside the first cache
};

/** Every array of modes starts on a 64-byte boundary. */
#define HTZ_ALIGNED(p) __builtin_assume_aligned((p), 64)

HTZ_FORCE_INLINE htz_step_table aligned_table(const htz_step_table* t) {
  const htz_step_table known = {HTZ_ALIGNED(t->am), HTZ_ALIGNED(t->a12), HTZ_ALIGNED(t->a21),
                                HTZ_ALIGNED(t->dm), HTZ_ALIGNED(t->bq),  HTZ_ALIGNED(t->bv)};
  return known;
}

// ---------------------------------------------------------------- sums over modes

/** Sum of a block of sums, pairwise and in a fixed order. */
HTZ_FORCE_INLINE double block_sum(vd acc[VD_SUMS]) {
  for (size_t width = VD_SUMS / 2; width > 0; width /= 2) {
    for (size_t i = 0; i < width; ++i) {
      acc[i] += acc[i + width];
    }
  }
  return lane_sum(acc[0]);
}

/** `sum` = the sum over modes of `term`, a vd expression in the mode number k. */
#define HTZ_SUM_MODES(sum, n, term)                                                                                            \
  do {                                                                                                                         \
    vd acc[VD_SUMS];                                                                                                           \
    for (size_t i = 0; i < VD_SUMS; ++i) {                                                                                     \
      acc[i] = splat(0.0);                                                                                                     \
    }                                                                                                                          \
    size_t turn = 0;                                                                                                           \
    for (; turn + SUMMED <= (n); turn += SUMMED) {                                                                             \
      for (size_t i = 0; i < VD_SUMS; ++i) {                                                                                   \
        const size_t k = turn + i * VD;                                                                                        \
        acc[i] += (term);                                                                                                      \
      }                                                                                                                        \
    }                                                                                                                          \
    if (turn < (n)) {                                                                                                          \
      for (size_t i = 0; i < HTZ_LANES / VD && i < VD_SUMS; ++i) {                                                             \
        const size_t k = turn + i * VD;                                                                                        \
        acc[i] += (term);                                                                                                      \
      }                                                                                                                        \
    }                                                                                                                          \
    (sum) = block_sum(acc);                                                                                                    \
  } while (0)

/** Free increment of the displacement of modes k .. k + VD - 1. */
HTZ_FORCE_INLINE vd increment(const htz_step_table* t, double damp, const double* q, const double* v, size_t k) {
  return load(t->am + k) * load(q + k) + load(t->a12 + k) * (damp * load(v + k));
}

static HTZ_WIDE double predict(size_t n, const htz_step_table* t, double damp, const double* q, const double* v,
                               const double* phi) {
  const htz_step_table table = aligned_table(t);
  const double* row = HTZ_ALIGNED(phi);
  double sum;
  HTZ_SUM_MODES(sum, n, load(row + k) * increment(&table, damp, q, v, k));
  return sum;
}

static HTZ_WIDE void predict_points(size_t n, const htz_step_table* t, double damp, const double* q, const double* v,
                                    size_t count, const double* const* phi, double* out) {
  const htz_step_table table = aligned_table(t);
  size_t p = 0;
  for (; p + 2 <= count; p += 2) { // by twos: the sums of four rows do not fit the registers of the narrow sets
    const double* first = HTZ_ALIGNED(phi[p]);
    const double* second = HTZ_ALIGNED(phi[p + 1]);
    vd a[2] = {splat(0.0), splat(0.0)};
    vd b[2] = {splat(0.0), splat(0.0)};
    size_t k = 0;
    for (; k + 2 * VD <= n; k += 2 * VD) {
      for (size_t i = 0; i < 2; ++i) {
        const vd step = increment(&table, damp, q, v, k + i * VD);
        a[i] += load(first + k + i * VD) * step;
        b[i] += load(second + k + i * VD) * step;
      }
    }
    if (k < n) {
      const vd step = increment(&table, damp, q, v, k);
      a[0] += load(first + k) * step;
      b[0] += load(second + k) * step;
    }
    out[p] = lane_sum(a[0] + a[1]);
    out[p + 1] = lane_sum(b[0] + b[1]);
  }
  if (p < count) {
    out[p] = predict(n, t, damp, q, v, phi[p]);
  }
}

static HTZ_WIDE double dot(size_t n, const double* a, const double* b) {
  const double* x = HTZ_ALIGNED(a);
  const double* y = HTZ_ALIGNED(b);
  double sum;
  HTZ_SUM_MODES(sum, n, load(x + k) * load(y + k));
  return sum;
}

static HTZ_WIDE double dot3(size_t n, const double* a, const double* b, const double* c) {
  const double* x = HTZ_ALIGNED(a);
  const double* y = HTZ_ALIGNED(b);
  const double* z = HTZ_ALIGNED(c);
  double sum;
  HTZ_SUM_MODES(sum, n, load(x + k) * load(y + k) * load(z + k));
  return sum;
}

static HTZ_WIDE double energy(size_t n, const double* mass, const double* w2, const double* q, const double* v) {
  const double* m = HTZ_ALIGNED(mass);
  const double* w = HTZ_ALIGNED(w2);
  double twice;
  HTZ_SUM_MODES(twice, n, load(m + k) * (load(v + k) * load(v + k) + load(w + k) * (load(q + k) * load(q + k))));
  return 0.5 * twice;
}

// ---------------------------------------------------------------- one step

/** Step modes k .. k + VD - 1 with modal force `force`. */
HTZ_FORCE_INLINE void step_lanes(const htz_step_table* t, double damp, double* q, double* v, size_t k, vd force) {
  const vd x = load(q + k);
  const vd y = damp * load(v + k);
  store(q + k, x + (load(t->am + k) * x + (load(t->a12 + k) * y + load(t->bq + k) * force)));
  store(v + k, y + (load(t->a21 + k) * x + (load(t->dm + k) * y + load(t->bv + k) * force)));
}

static HTZ_WIDE void commit(size_t n, const htz_step_table* t, double damp, double* restrict q, double* restrict v,
                            const double* restrict force) {
  const htz_step_table table = aligned_table(t);
  double* x = HTZ_ALIGNED(q);
  double* y = HTZ_ALIGNED(v);
  if (force) {
    const double* f = HTZ_ALIGNED(force);
    for (size_t k = 0; k < n; k += VD) {
      step_lanes(&table, damp, x, y, k, load(f + k));
    }
  } else {
    for (size_t k = 0; k < n; k += VD) {
      const vd a = load(x + k);
      const vd b = damp * load(y + k);
      store(x + k, a + (load(table.am + k) * a + load(table.a12 + k) * b));
      store(y + k, b + (load(table.a21 + k) * a + load(table.dm + k) * b));
    }
  }
}

HTZ_FORCE_INLINE void commit_rows(size_t n, const htz_step_table* t, double damp, double* restrict q, double* restrict v,
                                  size_t count, const double* const* phi, const double* f) {
  const htz_step_table table = aligned_table(t);
  double* x = HTZ_ALIGNED(q);
  double* y = HTZ_ALIGNED(v);
  const double* rows[HTZ_PER_CALL];
  double forces[HTZ_PER_CALL];
  for (size_t p = 0; p < count; ++p) {
    rows[p] = HTZ_ALIGNED(phi[p]);
    forces[p] = f[p];
  }
  for (size_t k = 0; k < n; k += VD) {
    vd force = forces[0] * load(rows[0] + k);
    for (size_t p = 1; p < count; ++p) {
      force += forces[p] * load(rows[p] + k);
    }
    step_lanes(&table, damp, x, y, k, force);
  }
}

static HTZ_WIDE void commit_points(size_t n, const htz_step_table* t, double damp, double* q, double* v, size_t count,
                                   const double* const* phi, const double* f) {
  switch (count) { // a loop for each count, its rows in registers
  case 1:
    commit_rows(n, t, damp, q, v, 1, phi, f);
    break;
  case 2:
    commit_rows(n, t, damp, q, v, 2, phi, f);
    break;
  case 3:
    commit_rows(n, t, damp, q, v, 3, phi, f);
    break;
  default:
    commit_rows(n, t, damp, q, v, HTZ_PER_CALL, phi, f);
    break;
  }
}

#include "kernels_joined.h"

#include "kernels_ahead.h"

#include "kernels_bodies.h"
#include "kernels_coupled.h"
#include "kernels_grid.h"
#include "kernels_springs.h"
#include "kernels_touch.h"

/** A^2 - I = 2B + B^2 and (A + I) b = 2b + Bb with B = A - I: no digit of a small B is lost. */
static HTZ_WIDE void square(size_t n, const htz_step_table* in, htz_step_table* out) {
  const htz_step_table from = aligned_table(in);
  const htz_step_table to = aligned_table(out);
  for (size_t k = 0; k < n; k += VD) {
    const vd am = load(from.am + k);
    const vd a12 = load(from.a12 + k);
    const vd a21 = load(from.a21 + k);
    const vd dm = load(from.dm + k);
    const vd cross = a12 * a21;
    const vd trace = 2.0 + (am + dm);
    store(to.am + k, 2.0 * am + (am * am + cross));
    store(to.a12 + k, a12 * trace);
    store(to.a21 + k, a21 * trace);
    store(to.dm + k, 2.0 * dm + (dm * dm + cross));
    if (in->bq) {
      const vd bq = load(from.bq + k);
      const vd bv = load(from.bv + k);
      store(to.bq + k, 2.0 * bq + (am * bq + a12 * bv));
      store(to.bv + k, 2.0 * bv + (a21 * bq + dm * bv));
    }
  }
}

// ---------------------------------------------------------------- one quantum, free

/** Row coefficients of one tile of modes: [row][alpha, beta][mode]. */
typedef float tile_coefs[HTZ_ROWS][2][TILE];

/** Advance modes first .. first + count - 1 by one quantum and write their coefficients for every pickup. */
HTZ_FORCE_INLINE void tile_advance(size_t first, size_t count, const htz_step_table* row, double* restrict q,
                                   double* restrict v, size_t n_pickups, const htz_free_weights* weights,
                                   tile_coefs* restrict coefs) {
  for (size_t i = 0; i < count; i += VD) {
    const size_t k = first + i;
    const vd am = load(row->am + k);
    const vd a12 = load(row->a12 + k);
    const vd a21 = load(row->a21 + k);
    const vd dm = load(row->dm + k);
    vd x[HTZ_ROWS + 1];
    vd y[HTZ_ROWS + 1];
    x[0] = load(q + k);
    y[0] = load(v + k);
    for (size_t r = 0; r < HTZ_ROWS; ++r) {
      x[r + 1] = x[r] + a12 * y[r] + am * x[r]; // two roundings in 16 samples do no harm; saves an operation
      y[r + 1] = y[r] + dm * y[r] + a21 * x[r];
    }
    store(q + k, x[HTZ_ROWS]);
    store(v + k, y[HTZ_ROWS]);
    for (size_t p = 0; p < n_pickups; ++p) {
      const vd alpha_q = load(weights[p].alpha_q + k);
      const vd alpha_v = load(weights[p].alpha_v + k);
      const vd beta_q = load(weights[p].beta_q + k);
      const vd beta_v = load(weights[p].beta_v + k);
      for (size_t r = 0; r < HTZ_ROWS; ++r) {
        store_narrow(&coefs[p][r][0][i], alpha_q * x[r] + alpha_v * y[r]);
        store_narrow(&coefs[p][r][1][i], beta_q * x[r] + beta_v * y[r]);
      }
    }
  }
}

/** acc[r][j] += coefs[r TILE] basis[j VF]; coefs of one mode, by rows of a tile_coefs. */
HTZ_FORCE_INLINE void outer_product(const float* restrict coefs, const float* restrict basis, vf acc[VF_ROWS][VF_PARTS]) {
  vf wave[VF_PARTS];
  for (size_t j = 0; j < VF_PARTS; ++j) {
    wave[j] = *(const vf*)(basis + j * VF);
  }
  for (size_t r = 0; r < VF_ROWS; ++r) {
    for (size_t j = 0; j < VF_PARTS; ++j) {
      acc[r][j] += coefs[r * 2 * TILE] * wave[j];
    }
  }
}

/** Add a tile's signal to out: the [HTZ_ROWS][2 count] coefficients times the [2 count][HTZ_STRIDE] basis. */
HTZ_FORCE_INLINE void tile_sound(size_t count, const float* restrict cosine, const float* restrict sine,
                                 tile_coefs* restrict coefs, float* restrict out) {
  for (size_t row = 0; row < HTZ_ROWS; row += VF_ROWS) {
    for (size_t part = 0; part < PARTS; part += VF_PARTS) {
      float* corner = out + row * HTZ_STRIDE + part * VF;
      vf acc[VF_SPLIT][VF_ROWS][VF_PARTS] = {0};
      for (size_t i = 0; i < count; ++i) {
        outer_product(&(*coefs)[row][0][i], cosine + i * HTZ_STRIDE + part * VF, acc[0]);
        outer_product(&(*coefs)[row][1][i], sine + i * HTZ_STRIDE + part * VF, acc[VF_SPLIT - 1]);
      }
      for (size_t r = 0; r < VF_ROWS; ++r) {
        for (size_t j = 0; j < VF_PARTS; ++j) {
          if (VF_SPLIT > 1) {
            acc[0][r][j] += acc[VF_SPLIT - 1][r][j];
          }
          *(vf_any*)(corner + r * HTZ_STRIDE + j * VF) += acc[0][r][j];
        }
      }
    }
  }
}

static HTZ_WIDE void free_quantum(size_t n, const htz_free_table* t, double* q, double* v, size_t n_pickups,
                                  const htz_free_weights* weights, float* const* out) {
  const htz_step_table row = aligned_table(&t->row);
  const float* cosine = HTZ_ALIGNED(t->cosine);
  const float* sine = HTZ_ALIGNED(t->sine);
  _Alignas(64) tile_coefs coefs[HTZ_HEARD_MAX];
  for (size_t first = 0; first < n; first += TILE) {
    const size_t count = n - first < TILE ? n - first : TILE;
    const size_t sounding = t->sounding - first < count ? t->sounding - first : count;
    tile_advance(first, count, &row, HTZ_ALIGNED(q), HTZ_ALIGNED(v), n_pickups, weights, coefs);
    for (size_t p = 0; p < n_pickups; ++p) {
      tile_sound(sounding, cosine + first * HTZ_STRIDE, sine + first * HTZ_STRIDE, &coefs[p], out[p]);
    }
  }
}

#include "kernels_driven.h"

// ---------------------------------------------------------------- the table

/** The names of isa.def, by id. */
static const struct {
#define HTZ_ISA(id, isa, text) char id[sizeof(text)];
#include "isa.def"
#undef HTZ_ISA
} names = {
#define HTZ_ISA(id, isa, text) text,
#include "isa.def"
#undef HTZ_ISA
};

extern const htz_kernels HTZ_JOIN(htz_kernels_, HTZ_KERNEL_ISA);

const htz_kernels HTZ_JOIN(htz_kernels_, HTZ_KERNEL_ISA) = {
    .name = names.HTZ_KERNEL_ISA,
    .predict = predict,
    .predict_points = predict_points,
    .commit = commit,
    .commit_points = commit_points,
    .step_points = step_points,
    .dot_pairs = dot_pairs,
    .add_pairs = add_pairs,
    .spread = spread,
    .dot = dot,
    .dot3 = dot3,
    .energy = energy,
    .free_quantum = free_quantum,
    .driven = driven,
    .driven_points = driven_points,
    .step_joined = step_joined,
    .reaction_joined = reaction_joined,
    .turn_free = turn_free,
    .turn_driven = turn_driven,
    .turn_energy = turn_energy,
    .answer = answer,
    .see_ahead = see_ahead,
    .respond = respond,
    .predict_bodies = predict_bodies,
    .commit_bodies = commit_bodies,
    .hear = hear,
    .couple = couple,
    .push = push,
    .springs = springs,
    .touch = touch,
    .grid_line = grid_line,
    .grid_sheet = grid_sheet,
    .bend = bend,
    .square = square,
};
