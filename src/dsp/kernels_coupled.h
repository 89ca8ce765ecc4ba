#ifndef HERTZIAN_SRC_DSP_KERNELS_COUPLED_H
#define HERTZIAN_SRC_DSP_KERNELS_COUPLED_H

/*
   Sums of products of amplitudes (htz_bend_table): part of kernels_rt.c, and compiled with it for each instruction set. Runs are
   short: vectors are at most HTZ_BEND_LANES wide.
*/

_Static_assert(HTZ_BEND_LANES % VB == 0, "a run is whole vectors");

enum { BEND_ROWS = 4 }; // sums at once: their eight accumulators, two products and a factor fit sixteen registers

HTZ_FORCE_INLINE vb get(const float* p) {
  return *(const vb_any*)p;
}

HTZ_FORCE_INLINE void add(float* p, vb x) {
  *(vb_any*)p = *(const vb_any*)p + x;
}

HTZ_FORCE_INLINE float bend_lanes(vb x) {
#if HTZ_KERNEL_SCALAR
  return x;
#else
  float lane[VB];
  *(vb_any*)lane = x;
  for (size_t width = VB / 2; width > 0; width /= 2) {
    for (size_t i = 0; i < width; ++i) {
      lane[i] += lane[i + width];
    }
  }
  return lane[0];
#endif
}

/** P of a family's lanes. */
HTZ_FORCE_INLINE void bend_products(const htz_bend_table* t, const htz_bend_family* f, const float* z, float* re, float* im) {
  const float* zi = z + t->length;
  size_t at = 0;
  for (size_t r = 0; r < f->n_runs; ++r) {
    const htz_bend_run* run = &t->run[f->first + r];
    const float sign = run->conjugate ? -1.0f : 1.0f;
    for (size_t lane = 0; lane < run->lanes; lane += VB, at += VB) {
      const vb a = get(z + run->left + lane), b = sign * get(zi + run->left + lane);
      const vb c = get(z + run->right + lane), d = get(zi + run->right + lane);
      *(vb_any*)(re + at) = a * c - b * d;
      *(vb_any*)(im + at) = a * d + b * c;
    }
  }
}

/** COUNT sums from `s` on. */
HTZ_FORCE_INLINE void bend_sums(const htz_bend_family* f, const float* h, const float* re, const float* im, size_t count,
                                float* to_re, float* to_im) {
  vb sum_re[BEND_ROWS], sum_im[BEND_ROWS];
  for (size_t s = 0; s < count; ++s) {
    sum_re[s] = sum_im[s] = (vb){0};
  }
  for (size_t lane = 0; lane < f->lanes; lane += VB) {
    const vb x = get(re + lane), y = get(im + lane);
    for (size_t s = 0; s < count; ++s) {
      const vb factor = get(h + s * f->lanes + lane);
      sum_re[s] += factor * x;
      sum_im[s] += factor * y;
    }
  }
  for (size_t s = 0; s < count; ++s) {
    to_re[s] = bend_lanes(sum_re[s]);
    to_im[s] = f->real ? 0.0f : bend_lanes(sum_im[s]);
  }
}

/** S = sum h (Q + offset) of every lane, in place of the products; `fresh`: the first sums of the family. */
HTZ_FORCE_INLINE void bend_back(const htz_bend_family* f, const float* h, size_t count, const float* w_re, const float* w_im,
                                bool fresh, float* re, float* im) {
  for (size_t lane = 0; lane < f->lanes; lane += VB) {
    vb x = fresh ? (vb){0} : get(re + lane), y = fresh ? (vb){0} : get(im + lane);
    for (size_t s = 0; s < count; ++s) {
      const vb factor = get(h + s * f->lanes + lane);
      x += factor * w_re[s];
      y += factor * w_im[s];
    }
    *(vb_any*)(re + lane) = x;
    *(vb_any*)(im + lane) = y;
  }
}

/** Gradients of both factors: S conj(z_b) and S conj(z_a), of conj(z_a) z_b conj(S) z_b and S z_a. */
HTZ_FORCE_INLINE void bend_scatter(const htz_bend_table* t, const htz_bend_family* f, const float* z, const float* re,
                                   const float* im, float* g) {
  const float* zi = z + t->length;
  float* gi = g + t->length;
  size_t at = 0;
  for (size_t r = 0; r < f->n_runs; ++r) {
    const htz_bend_run* run = &t->run[f->first + r];
    const float sign = run->conjugate ? -1.0f : 1.0f;
    for (size_t lane = 0; lane < run->lanes; lane += VB, at += VB) {
      const vb x = get(re + at), y = get(im + at);
      const vb a = get(z + run->left + lane), b = sign * get(zi + run->left + lane);
      const vb c = get(z + run->right + lane), d = get(zi + run->right + lane);
      // With b the factor's own imaginary part, or minus it where conjugated, both cases are one but for a sign.
      add(g + run->left + lane, x * c + y * d);
      add(gi + run->left + lane, sign * (y * c - x * d));
      add(g + run->right + lane, x * a + y * b);
      add(gi + run->right + lane, y * a - x * b);
    }
  }
}

static HTZ_WIDE void bend(const htz_bend_table* t, const float* z, const float* offset, float* products, float* sums,
                          float* gradient) {
  float *re = products, *im = products + t->widest;
  for (size_t i = 0; gradient && i < 2 * t->length; ++i) {
    gradient[i] = 0.0f;
  }
  for (size_t i = 0; i < t->n_families; ++i) {
    const htz_bend_family* f = &t->family[i];
    const float* h = t->h + f->h;
    float *q_re = sums + f->sum, *q_im = q_re + t->n_sums;
    bend_products(t, f, z, re, im);
    for (size_t s = 0; s < f->n_sums; s += BEND_ROWS) {
      HTZ_BY_COUNT(f->n_sums - s, bend_sums(f, h + s * f->lanes, re, im, COUNT, q_re + s, q_im + s));
    }
    for (size_t s = 0; gradient && s < f->n_sums; s += BEND_ROWS) {
      float w_re[BEND_ROWS] = {0.0f}, w_im[BEND_ROWS] = {0.0f};
      for (size_t j = 0; j < BEND_ROWS && s + j < f->n_sums; ++j) {
        w_re[j] = q_re[s + j] + offset[f->sum + s + j];
        w_im[j] = q_im[s + j] + (f->real ? 0.0f : offset[t->n_sums + f->sum + s + j]);
      }
      HTZ_BY_COUNT(f->n_sums - s, bend_back(f, h + s * f->lanes, COUNT, w_re, w_im, s == 0, re, im));
    }
    if (gradient) {
      bend_scatter(t, f, z, re, im, gradient);
    }
  }
}

#endif
