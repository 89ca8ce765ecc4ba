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

enum { TURN_SUMS = HTZ_TURN_LANES / VF, TURN_AT_ONCE = 4 };

HTZ_FORCE_INLINE vf float_load(const float* p) {
  return *(const vf*)p;
}

/** A value in each of TURN_SUMS vectors, a frame. */
typedef vf turn_heard[HTZ_QUANTUM][TURN_SUMS];

/** Modes k .. k + VF - 1 through `frames` samples, their x before each added to heard[.][part]. */
HTZ_FORCE_INLINE void turn_lanes(const htz_turn_table* t, float* x, float* y, size_t k, size_t frames, turn_heard heard,
                                 size_t part) {
  const vf cm = float_load(t->cm + k), s1 = float_load(t->s + k), c2 = float_load(t->c2 + k), s2 = float_load(t->s2 + k);
  const vf c3 = float_load(t->c3 + k), s3 = float_load(t->s3 + k), cm4 = float_load(t->cm4 + k), s4 = float_load(t->s4 + k);
  const vf c1 = 1.0f + cm;
  vf a = float_load(x + k), b = float_load(y + k);
  size_t f = 0;
  for (; f + TURN_AT_ONCE <= frames; f += TURN_AT_ONCE) {
    heard[f][part] += a;
    heard[f + 1][part] += c1 * a - s1 * b;
    heard[f + 2][part] += c2 * a - s2 * b;
    heard[f + 3][part] += c3 * a - s3 * b;
    const vf turned = a + (cm4 * a - s4 * b);
    b = b + (cm4 * b + s4 * a);
    a = turned;
  }
  for (; f < frames; ++f) {
    heard[f][part] += a;
    const vf turned = a + (cm * a - s1 * b);
    b = b + (cm * b + s1 * a);
    a = turned;
  }
  *(vf*)(x + k) = a;
  *(vf*)(y + k) = b;
}

static HTZ_WIDE float turn_free(size_t n, const htz_turn_table* t, float* x, float* y, size_t frames, float limit,
                                const float share[2], float* const heard[2]) {
  turn_heard all;
  for (size_t f = 0; f < frames; ++f) {
    for (size_t i = 0; i < TURN_SUMS; ++i) {
      all[f][i] = (vf){0};
    }
  }
  for (size_t k = 0; k < n; k += HTZ_TURN_LANES) {
    for (size_t i = 0; i < TURN_SUMS; ++i) {
      turn_lanes(t, x, y, k + i * VF, frames, all, i);
    }
  }
  float last = 0.0f;
  for (size_t i = 0; i < TURN_SUMS; ++i) {
    last += float_sum(all[frames - 1][i]);
  }
  for (size_t to = 0; to < 2 && last < limit && last > -limit; ++to) {
    for (size_t f = 0; f < frames; ++f) {
      for (size_t i = 0; i < TURN_SUMS; ++i) {
        *(vf*)(heard[to] + f * HTZ_TURN_LANES + i * VF) += share[to] * all[f][i];
      }
    }
  }
  return last;
}

/** z+ = R^frames z + b sum_f R^(frames - 1 - f) w_f; the first part is there already. The sum by Horner, four samples at a time. */
static HTZ_WIDE void turn_driven(size_t n, const htz_turn_table* t, float* x, float* y, size_t frames, const float* w) {
  for (size_t k = 0; k < n; k += VF) {
    const vf cm = float_load(t->cm + k), s1 = float_load(t->s + k), c2 = float_load(t->c2 + k), s2 = float_load(t->s2 + k);
    const vf c3 = float_load(t->c3 + k), s3 = float_load(t->s3 + k), cm4 = float_load(t->cm4 + k), s4 = float_load(t->s4 + k);
    const vf c1 = 1.0f + cm;
    vf a = {0}, b = {0};
    size_t f = 0;
    for (; f + TURN_AT_ONCE <= frames; f += TURN_AT_ONCE) {
      const vf re = w[f] * c3 + (w[f + 1] * c2 + (w[f + 2] * c1 + w[f + 3]));
      const vf im = w[f] * s3 + (w[f + 1] * s2 + w[f + 2] * s1);
      const vf turned = a + (cm4 * a - (s4 * b - re));
      b = b + (cm4 * b + (s4 * a + im));
      a = turned;
    }
    for (; f < frames; ++f) {
      const vf turned = a + (cm * a - (s1 * b - w[f]));
      b = b + (cm * b + s1 * a);
      a = turned;
    }
    const vf bx = float_load(t->bx + k), by = float_load(t->by + k);
    *(vf*)(x + k) += bx * a - by * b;
    *(vf*)(y + k) += by * a + bx * b;
  }
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
