#ifndef HERTZIAN_SRC_DSP_KERNELS_AHEAD_H
#define HERTZIAN_SRC_DSP_KERNELS_AHEAD_H

/*
   Kernels of a body that others push sample by sample, and that goes through all samples at once: part of kernels_rt.c, whose helpers they
   use, and compiled with it for each instruction set.
*/

enum {
  AHEAD_BLOCKS = HTZ_QUANTUM / HTZ_TURN_BLOCK,
  AHEAD_PARTS = HTZ_TURN_BLOCK / VB, // vectors of frames in a block
  AHEAD_POINTS = HTZ_AHEAD_POINTS    // whose sums fit the registers
};

/** Modes k .. k + VF - 1 of n through `blocks` of frames: where they are at the start of each. */
HTZ_FORCE_INLINE void ahead_lanes(size_t n, const htz_ahead_table* t, const double* q, const double* v, size_t k, size_t blocks,
                                  float* x, float* y) {
  const vf am = float_load(t->am + k), a12 = float_load(t->a12 + k), a21 = float_load(t->a21 + k), dm = float_load(t->dm + k);
  float lanes[2][VF];
  for (size_t i = 0; i < VF; ++i) {
    lanes[0][i] = k + i < n ? (float)q[k + i] : 0.0f;
    lanes[1][i] = k + i < n ? (float)v[k + i] : 0.0f;
  }
  vf a = *(const vf_any*)lanes[0], b = *(const vf_any*)lanes[1];
  for (size_t i = 0; i < blocks; ++i) {
    *(vf*)(x + i * TILE) = a;
    *(vf*)(y + i * TILE) = b;
    const vf moved = a + (am * a + a12 * b);
    b = b + (a21 * a + dm * b);
    a = moved;
  }
}

/** One vector of frames of AHEAD_POINTS points, of `modes` modes. */
HTZ_FORCE_INLINE void see_block(size_t modes, const float* powers, const float* shapes, size_t n_shapes, const float* x,
                                const float* y, float* seen) {
  vb acc[AHEAD_POINTS];
  for (size_t p = 0; p < AHEAD_POINTS; ++p) {
    acc[p] = *(const vb*)(seen + p * HTZ_ANSWER);
  }
  for (size_t k = 0; k < modes; ++k, powers += 2 * HTZ_TURN_BLOCK, shapes += n_shapes) {
    const vb u = *(const vb*)powers * x[k] + *(const vb*)(powers + HTZ_TURN_BLOCK) * y[k];
    for (size_t p = 0; p < AHEAD_POINTS; ++p) {
      acc[p] += u * shapes[p];
    }
  }
  for (size_t p = 0; p < AHEAD_POINTS; ++p) {
    *(vb*)(seen + p * HTZ_ANSWER) = acc[p];
  }
}

static HTZ_WIDE void see_ahead(size_t n, const htz_ahead_table* t, const double* q, const double* v, size_t frames,
                               float* seen) {
  _Alignas(64) float x[AHEAD_BLOCKS][TILE], y[AHEAD_BLOCKS][TILE];
  const size_t blocks = (frames + HTZ_TURN_BLOCK - 1) / HTZ_TURN_BLOCK;
  for (size_t i = 0; i < t->n_points * HTZ_ANSWER; ++i) {
    seen[i] = 0.0f;
  }
  for (size_t first = 0; first < n; first += TILE) {
    const size_t modes = n - first < TILE ? n - first : TILE;
    for (size_t k = 0; k < modes; k += VF) {
      ahead_lanes(n, t, q, v, first + k, blocks, x[0] + k, y[0] + k);
    }
    for (size_t i = 0; i < blocks; ++i) {
      for (size_t part = 0; part < AHEAD_PARTS; ++part) {
        for (size_t p = 0; p < t->n_points; p += AHEAD_POINTS) {
          see_block(modes, t->powers + first * 2 * HTZ_TURN_BLOCK + part * VB, t->shapes + first * t->n_points + p, t->n_points,
                    x[i], y[i], seen + p * HTZ_ANSWER + i * HTZ_TURN_BLOCK + part * VB);
        }
      }
    }
  }
}

static HTZ_WIDE void respond(size_t n_points, size_t frames, const float* response, const float* f, float* seen) {
  for (size_t p = 0; p < n_points; ++p) {
    const float* rows = response + p * n_points * HTZ_ANSWER;
    for (size_t l = 0; l < frames; l += VF) {
      vf sum = {0};
      for (size_t q = 0; q < n_points; ++q) {
        sum += f[q] * float_load(rows + q * HTZ_ANSWER + l);
      }
      *(vf_any*)(seen + p * HTZ_ANSWER + l) += sum;
    }
  }
}

#endif
