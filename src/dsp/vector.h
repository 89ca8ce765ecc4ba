#ifndef HERTZIAN_SRC_DSP_VECTOR_H
#define HERTZIAN_SRC_DSP_VECTOR_H

/*
   Vectors of the width this file is compiled for, by the vector extension of gcc and clang. Included by kernels_rt.c only.

   vd: doubles; vs: as many floats as vd has doubles; vf: floats of the full width; vb: as many of them as go into a block of
   HTZ_TURN_BLOCK frames. VD, VF, VB: their lanes. VF_ROWS rows times
   VF_PARTS vectors (times VF_SPLIT, 1 or 2) is the block of float sums that fits the register file without spilling; VD_SUMS sums of
   doubles hide the latency of an addition.
*/

#include <stddef.h>

#if HTZ_KERNEL_SCALAR

typedef double vd;
typedef float vs;
typedef float vf;
typedef float vf_any;
typedef float vb;
typedef float vb_any;
enum { VD = 1, VF = 1, VB = 1, VF_ROWS = 1, VF_PARTS = 8, VF_SPLIT = 1, VD_SUMS = 4 };
#define HTZ_WIDE

#else

#if defined(__AVX512F__)
#define HTZ_VECTOR_BYTES 64
enum { VF_ROWS = 4, VF_PARTS = 1, VF_SPLIT = 2, VD_SUMS = 2 }; // split: 4 sums alone would wait for each other
#elif defined(__AVX__)
#define HTZ_VECTOR_BYTES 32
enum { VF_ROWS = 4, VF_PARTS = 2, VF_SPLIT = 1, VD_SUMS = 4 };
#else
#define HTZ_VECTOR_BYTES 16
#if defined(__aarch64__)
enum { VF_ROWS = 4, VF_PARTS = 4, VF_SPLIT = 1, VD_SUMS = 4 }; // 32 registers
#else
enum { VF_ROWS = 2, VF_PARTS = 4, VF_SPLIT = 1, VD_SUMS = 4 };
#endif
#endif

// may_alias: they are laid over arrays of double and float.
typedef double vd __attribute__((vector_size(HTZ_VECTOR_BYTES), __may_alias__));
typedef float vs __attribute__((vector_size(HTZ_VECTOR_BYTES / 2), __may_alias__));
typedef float vf __attribute__((vector_size(HTZ_VECTOR_BYTES), __may_alias__));
typedef float vf_any __attribute__((vector_size(HTZ_VECTOR_BYTES), aligned(4), __may_alias__)); // at any float's address
enum { VD = HTZ_VECTOR_BYTES / 8, VF = HTZ_VECTOR_BYTES / 4 };
enum { BLOCK_BYTES = HTZ_VECTOR_BYTES < 4 * HTZ_TURN_BLOCK ? HTZ_VECTOR_BYTES : 4 * HTZ_TURN_BLOCK, VB = BLOCK_BYTES / 4 };
typedef float vb __attribute__((vector_size(BLOCK_BYTES), __may_alias__));
typedef float vb_any __attribute__((vector_size(BLOCK_BYTES), aligned(4), __may_alias__));

#if defined(__clang__) && defined(__AVX512F__)
#define HTZ_WIDE __attribute__((min_vector_width(512))) // else clang halves every vector
#else
#define HTZ_WIDE
#endif

#endif

#define HTZ_FORCE_INLINE static inline __attribute__((always_inline)) HTZ_WIDE

/** VD doubles at p, which is aligned to them. */
HTZ_FORCE_INLINE vd load(const double* p) {
  return *(const vd*)p;
}

HTZ_FORCE_INLINE void store(double* p, vd x) {
  *(vd*)p = x;
}

/** x in every lane. */
HTZ_FORCE_INLINE vd splat(double x) {
  return x - (vd){0}; // not x + 0: that would not be folded away
}

/** The larger of both, lane by lane. */
HTZ_FORCE_INLINE vd larger(vd a, vd b) {
#if HTZ_KERNEL_SCALAR
  return a > b ? a : b;
#else
  typedef long long bits __attribute__((vector_size(HTZ_VECTOR_BYTES)));
  const bits first = a > b;
  return (vd)((first & (bits)a) | (~first & (bits)b));
#endif
}

/** The largest lane. */
HTZ_FORCE_INLINE double lane_largest(vd x) {
#if HTZ_KERNEL_SCALAR
  return x;
#else
  double most = x[0];
  for (size_t i = 1; i < VD; ++i) {
    most = x[i] > most ? x[i] : most;
  }
  return most;
#endif
}

/** x rounded to single precision, at p. */
HTZ_FORCE_INLINE void store_narrow(float* p, vd x) {
#if HTZ_KERNEL_SCALAR
  *p = (float)x;
#else
  *(vs*)p = __builtin_convertvector(x, vs);
#endif
}

/** Sum of the lanes, in a fixed order. */
HTZ_FORCE_INLINE double lane_sum(vd x) {
#if HTZ_KERNEL_SCALAR
  return x;
#elif HTZ_VECTOR_BYTES == 64
  typedef double half __attribute__((vector_size(32)));
  typedef double quarter __attribute__((vector_size(16)));
  const half h = __builtin_shufflevector(x, x, 0, 1, 2, 3) + __builtin_shufflevector(x, x, 4, 5, 6, 7);
  const quarter s = __builtin_shufflevector(h, h, 0, 1) + __builtin_shufflevector(h, h, 2, 3);
  return s[0] + s[1];
#elif HTZ_VECTOR_BYTES == 32
  typedef double half __attribute__((vector_size(16)));
  const half s = __builtin_shufflevector(x, x, 0, 1) + __builtin_shufflevector(x, x, 2, 3);
  return s[0] + s[1];
#else
  return x[0] + x[1];
#endif
}

/** The same for floats. */
HTZ_FORCE_INLINE float float_sum(vf x) {
#if HTZ_KERNEL_SCALAR
  return x;
#else
  float lane[VF];
  *(vf_any*)lane = x;
  for (size_t width = VF / 2; width > 0; width /= 2) {
    for (size_t i = 0; i < width; ++i) {
      lane[i] += lane[i + width];
    }
  }
  return lane[0];
#endif
}

#endif
