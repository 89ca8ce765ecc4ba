#ifndef HERTZIAN_DSP_BESSEL_H
#define HERTZIAN_DSP_BESSEL_H

#include "hertzian/base/rt.h"

#include <stddef.h>

/**
   Bessel functions of the first kind and of whole order, J_m(x), and their zeros j_mn, the n-th positive one of J_m.
*/
enum {
  HTZ_BESSEL_ORDER_MAX = 512, ///< highest order
  HTZ_BESSEL_X_MAX = 512      ///< greatest argument
};

/**
   J_m(x) for m <= HTZ_BESSEL_ORDER_MAX, 0 <= x <= HTZ_BESSEL_X_MAX (limited to that; NaN is taken as 0).

   By its power series where the terms fall from the first one on, else by Miller's backward recurrence
   J_(k-1) = (2k/x) J_k - J_(k+1), normalised with J_0 + 2 (J_2 + J_4 + ...) = 1. Error below 1e-14. Audio thread; some 40 + 2 x steps.
*/
HTZ_RT double htz_bessel_j(unsigned m, double x);

/**
   e^(-x) I_m(x), I_m the modified function, for the same range, by the backward recurrence I_(k-1) = (2k/x) I_k + I_(k+1), all terms positive,
   normalised with I_0 + 2 (I_1 + I_2 + ...) = e^x. Error below 1e-14 of the value. Audio thread; as many steps.
*/
HTZ_RT double htz_bessel_i_scaled(unsigned m, double x);

/** J_m and J_(m+1), or e^(-x) times I_m and I_(m+1), at one argument. */
typedef struct {
  double here, next;
} htz_bessel_pair;

/** Both of a pair from one recurrence, limits and error as above, for m < HTZ_BESSEL_ORDER_MAX. Audio thread. */
HTZ_RT htz_bessel_pair htz_bessel_j_pair(unsigned m, double x);
HTZ_RT htz_bessel_pair htz_bessel_i_pair(unsigned m, double x);

/**
   The same of one order at x[n], several arguments side by side: best where they ascend. Set-up thread.

   @param out [n]
*/
void htz_bessel_j_row(unsigned m, size_t n, const double* x, double* out);
void htz_bessel_i_row(unsigned m, size_t n, const double* x, double* out);

/** One zero. */
typedef struct {
  unsigned m, n;
  double x; ///< j_mn
} htz_bessel_zero;

/**
   Every j_mn <= limit, by order and within one order ascending, to 1e-13 of its value.

   The zeros of J_0 lie one in each ((n - 1/2) pi, n pi); j_mn lies above j_(m-1,n) by less than pi/2, while the zeros of one
   J_m, m > 0, are more than pi apart. Each is closed in by bisection and Newton's method in these brackets.

   @param limit <= HTZ_BESSEL_X_MAX
   @param list [most], or NULL to count only
   @return how many there are, which may be more than `most`. Set-up thread.
*/
size_t htz_bessel_zeros(double limit, size_t most, htz_bessel_zero* list);

#endif
