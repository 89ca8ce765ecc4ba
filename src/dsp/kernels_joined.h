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

static HTZ_WIDE float turn_joined(size_t n, const htz_turn_table* t, float* restrict x, float* restrict y, float w) {
  enum { SUMS = HTZ_TURN_LANES / VF };
  const float* cm = HTZ_ALIGNED(t->cm);
  const float* s = HTZ_ALIGNED(t->s);
  const float* bx = HTZ_ALIGNED(t->bx);
  const float* by = HTZ_ALIGNED(t->by);
  float* a = HTZ_ALIGNED(x);
  float* b = HTZ_ALIGNED(y);
  vf sum[SUMS] = {0};
  for (size_t k = 0; k < n; k += HTZ_TURN_LANES) {
    for (size_t i = 0; i < SUMS; ++i) {
      const size_t at = k + i * VF;
      const vf p = *(vf*)(a + at);
      const vf q = *(vf*)(b + at);
      const vf c = *(const vf*)(cm + at);
      const vf d = *(const vf*)(s + at);
      const vf turned = p + (c * p - (d * q - w * *(const vf*)(bx + at)));
      *(vf*)(a + at) = turned;
      *(vf*)(b + at) = q + (c * q + (d * p + w * *(const vf*)(by + at)));
      sum[i] += turned;
    }
  }
  for (size_t i = 1; i < SUMS; ++i) {
    sum[0] += sum[i];
  }
  return float_sum(sum[0]);
}

#endif
