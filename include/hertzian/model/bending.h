#ifndef HERTZIAN_MODEL_BENDING_H
#define HERTZIAN_MODEL_BENDING_H

#include "hertzian/base/rt.h"
#include "hertzian/dsp/kernels.h"

#include <stddef.h>
#include <stdint.h>

/**
   Potential of a plate that bends so far that it stretches (von Karman), over that of its linear modes:

     V = 1/2 sum_k |Q_k + L_k|^2 - 1/2 sum_k |L_k|^2 = sum_k (|Q_k|^2/2 + Re Q_k* L_k),

   one Q_k and L_k for each stress function k: Q_k quadratic in the modes (htz_bend_table), L_k linear, from the curvature at rest, its square
   being in the linear modes. Amplitudes z are complex, cos + i sin of a pair of modes, and in thicknesses.
*/
typedef struct {
  uint32_t radials;   ///< modes of this family's order
  uint32_t order;     ///< column of z
  const float* value; ///< [sums of the family][radials] L_k per amplitude; NULL: flat
} htz_bend_linear;

typedef struct htz_bending {
  size_t n;             ///< modes that take part
  const uint32_t* mode; ///< [n] their numbers among those of the body, ascending
  const uint32_t* at;   ///< [n] where they stand in z; that of a sine beyond table.length
  uint32_t rows,
      stride; ///< of z: row i, column n is radial function i of order n; then the same rows with columns from the highest order
              ///< down
  uint32_t top;            ///< highest order
  const uint32_t* radials; ///< [top + 1] of every order
  htz_bend_table table;
  const htz_bend_linear* linear; ///< [table.n_families]
} htz_bending;

/** Where htz_bending_look() works: arrays in one block of htz_bending_room() floats, 64-byte aligned. */
typedef struct {
  float *z, *gradient;  // [2][length]
  float* products;      // [2][widest]
  float *offset, *sums; // [2][n_sums]
} htz_bending_scratch;

/** Floats that the scratch needs, and the scratch in `room`. Any thread. */
HTZ_RT size_t htz_bending_room(const htz_bending* b);
HTZ_RT htz_bending_scratch htz_bending_lay(const htz_bending* b, float* room);

/**
   V and its gradient at amplitudes x[n] [thicknesses], in units of D h^2/a^2, the gradient per unit of x [n]; NULL: V alone. Audio thread.
*/
HTZ_RT double htz_bending_look(const htz_bending* b, const htz_kernels* k, const htz_bending_scratch* s, const double* x,
                               double* gradient);

#endif
