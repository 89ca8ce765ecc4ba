/*
   x^a = 2^(a log2 x). The exponent of x is kept apart from its mantissa, so that the logarithm of neither loses digits to the
   other: log2 x = k + f, f good to 2^-53, and a k is taken exactly. Both functions are short Taylor sums around the middle of
   64 cells. Without fused operations nothing changes but the last digit.
*/

#include "hertzian/dsp/pow_rt.h"

#include "pow_table.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { MANTISSA_BITS = 52, CELL_SHIFT = MANTISSA_BITS - HTZ_POW_BITS };

static const uint64_t cell_origin = 0x3fe6a00000000000; // bits of 0.70703125, where the first cell starts: mantissas are near 1
static const uint64_t half_cell = UINT64_C(1) << (CELL_SHIFT - 1);
static const uint64_t upper_half = ~UINT64_C(0x7ffffff);   // of a mantissa: 26 digits are left, times k of 11 is exact
static const double round_shift = 0x1.8p52;                // adding it leaves the nearest integer in the low bits
static const double cells_least = -1021.0 * HTZ_POW_CELLS; // below it, 2^(y/cells) is not a normal number
static const double cells_limit = 1023.5 * HTZ_POW_CELLS;  // above it, it is on its way to infinity

static uint64_t to_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof(bits));
  return bits;
}

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof(x));
  return x;
}

/** log2(1 + r), |r| <= 1/128: the first term left out is below 2^-58. */
static inline double log2_near_one(double r) {
  static const double c[] = {1.4426950408889634,  -0.7213475204444817, 0.4808983469629878, -0.36067376022224085,
                             0.28853900817779266, -0.2404491734814939, 0.2060992915555662}; // (-1)^(i+1) / (i ln 2)
  const double r2 = r * r;
  const double low = c[0] * r + r2 * (c[1] + c[2] * r);
  return low + (r2 * r2) * ((c[3] + c[4] * r) + r2 * (c[5] + c[6] * r));
}

/** 2^(r / HTZ_POW_CELLS) - 1, |r| <= 1/2: the first term left out is below 2^-54. */
static inline double exp2_in_cell(double r) {
  static const double step = 1.0 / HTZ_POW_CELLS;
  static const double c[] = {0.6931471805599453 * step, 0.24022650695910072 * step * step,
                             0.05550410866482158 * step * step * step, 0.009618129107628477 * step * step * step * step,
                             0.0013333558146428443 * step * step * step * step * step}; // (ln 2)^i / i!
  const double r2 = r * r;
  return r * (c[0] + c[1] * r) + (r2 * r) * ((c[2] + c[3] * r) + c[4] * r2);
}

double htz_pow_rt(double x, double a) {
  if (!(x >= DBL_MIN && x <= DBL_MAX)) {
    return x < DBL_MIN ? 0.0 : x; // infinity and NaN stay what they are
  }
  if (a >= 1.0 && a <= 3.0) { // the exponents of most contacts, by products; one exponent always takes the same way
    switch ((int)(2.0 * a) * (2.0 * a == (double)(int)(2.0 * a))) {
    case 2:
      return x;
    case 3:
      return x * sqrt(x);
    case 4:
      return x * x;
    case 5:
      return x * x * sqrt(x);
    case 6:
      return x * x * x;
    default:
      break;
    }
  }
  const uint64_t bits = to_bits(x);
  const uint64_t from_origin = bits - cell_origin;
  const uint64_t cell = (from_origin >> CELL_SHIFT) & (HTZ_POW_CELLS - 1);
  const int64_t k = (int64_t)from_origin >> MANTISSA_BITS;
  const double mantissa = from_bits(bits - ((uint64_t)k << MANTISSA_BITS));
  const double middle = from_bits(cell_origin + half_cell + (cell << CELL_SHIFT));
  // mantissa - middle is exact, so r carries one rounding of its own size.
  const double f = htz_pow_log[cell].log2 + log2_near_one((mantissa - middle) * htz_pow_log[cell].inverse);

  // From here on in cells of the table of 2^y.
  const double cells = a * HTZ_POW_CELLS;
  const double cells_upper = from_bits(to_bits(cells) & upper_half);
  const double whole = cells_upper * (double)k;
  const double rest = (cells - cells_upper) * (double)k + cells * f;
  const double y = whole + rest;
  if (!(y > cells_least && y < cells_limit)) {
    return y != y ? y : y < 0.0 ? 0.0 : (double)INFINITY;
  }
  const double shifted = y + round_shift;
  const uint64_t steps = to_bits(shifted);
  const double r = (whole - (shifted - round_shift)) + rest;
  // The power of two goes into the table's entry beforehand, while r is being worked out.
  const uint64_t entry = to_bits(htz_pow_exp[steps & (HTZ_POW_CELLS - 1)]);
  const double t = from_bits(entry + ((steps >> HTZ_POW_BITS) << MANTISSA_BITS));
  return t + t * exp2_in_cell(r);
}
