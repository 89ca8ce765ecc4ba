#include "hertzian/model/bending.h"

enum { ALIGN = 16 }; // floats in 64 bytes

static size_t padded(size_t n) {
  return (n + ALIGN - 1) / ALIGN * ALIGN;
}

size_t htz_bending_room(const htz_bending* b) {
  return 2 * padded(2 * b->table.length) + padded(2 * b->table.widest) + 2 * padded(2 * b->table.n_sums);
}

htz_bending_scratch htz_bending_lay(const htz_bending* b, float* room) {
  const size_t z = padded(2 * b->table.length), sums = padded(2 * b->table.n_sums);
  return (htz_bending_scratch){.z = room,
                               .gradient = room + z,
                               .products = room + 2 * z,
                               .offset = room + 2 * z + padded(2 * b->table.widest),
                               .sums = room + 2 * z + padded(2 * b->table.widest) + sums};
}

/** Amplitudes into their places, and their rows once more with the columns turned round. */
static void spread(const htz_bending* b, const double* x, float* z) {
  for (size_t i = 0; i < b->n; ++i) {
    z[b->at[i]] = (float)x[i];
  }
  for (size_t part = 0; part < 2; ++part) {
    float* const from = z + part * b->table.length;
    float* const to = from + (size_t)b->rows * b->stride;
    for (size_t row = 0; row < b->rows; ++row) {
      for (size_t n = 0; n <= b->top; ++n) {
        to[row * b->stride + b->top - n] = from[row * b->stride + n];
      }
    }
  }
}

/** What the turned rows have of the gradient, to the rows themselves. */
static void gather(const htz_bending* b, float* gradient) {
  for (size_t part = 0; part < 2; ++part) {
    float* const to = gradient + part * b->table.length;
    const float* const from = to + (size_t)b->rows * b->stride;
    for (size_t row = 0; row < b->rows; ++row) {
      for (size_t n = 0; n <= b->top; ++n) {
        to[row * b->stride + n] += from[row * b->stride + b->top - n];
      }
    }
  }
}

/** L of every sum. */
static void lift(const htz_bending* b, const float* z, float* offset) {
  for (size_t f = 0; f < b->table.n_families; ++f) {
    const htz_bend_family* family = &b->table.family[f];
    const htz_bend_linear* l = &b->linear[f];
    for (size_t s = 0; s < family->n_sums; ++s) {
      float sum[2] = {0.0f, 0.0f};
      for (size_t i = 0; l->value && i < l->radials; ++i) {
        const size_t at = i * b->stride + l->order;
        const float value = l->value[s * l->radials + i];
        sum[0] += value * z[at];
        sum[1] += value * z[b->table.length + at];
      }
      offset[family->sum + s] = sum[0];
      offset[b->table.n_sums + family->sum + s] = family->real ? 0.0f : sum[1];
    }
  }
}

/** What L gives to the gradient: sum of L's factors times Q. */
static void pull(const htz_bending* b, const float* sums, float* gradient) {
  for (size_t f = 0; f < b->table.n_families; ++f) {
    const htz_bend_family* family = &b->table.family[f];
    const htz_bend_linear* l = &b->linear[f];
    for (size_t s = 0; l->value && s < family->n_sums; ++s) {
      const float re = sums[family->sum + s], im = sums[b->table.n_sums + family->sum + s];
      for (size_t i = 0; i < l->radials; ++i) {
        const size_t at = i * b->stride + l->order;
        const float value = l->value[s * l->radials + i];
        gradient[at] += value * re;
        gradient[b->table.length + at] += value * im;
      }
    }
  }
}

double htz_bending_look(const htz_bending* b, const htz_kernels* k, const htz_bending_scratch* s, const double* x,
                        double* gradient) {
  spread(b, x, s->z);
  lift(b, s->z, s->offset);
  k->bend(&b->table, s->z, s->offset, s->products, s->sums, gradient ? s->gradient : NULL);
  double potential = 0.0;
  for (size_t i = 0; i < 2 * b->table.n_sums; ++i) {
    potential += (double)s->sums[i] * (0.5 * (double)s->sums[i] + (double)s->offset[i]);
  }
  if (!gradient) {
    return potential;
  }
  pull(b, s->sums, s->gradient);
  gather(b, s->gradient);
  for (size_t i = 0; i < b->n; ++i) {
    gradient[i] = (double)s->gradient[b->at[i]];
  }
  return potential;
}
