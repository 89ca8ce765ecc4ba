#ifndef HERTZIAN_CONTACT_DEPARTED_H
#define HERTZIAN_CONTACT_DEPARTED_H

#include <stdbool.h>

static const double departed_gap_m = 2e-3;      // a mallet this far away does not come back
static const double departed_age_s = 0.05;      // nor does one that has flown this long
static const double departed_pressing_s = 0.25; // maximum contact duration; the mallet then returns to the pool

/**
   A thrown mallet has gone for good: `eta` is its penetration, negative while it is away [m], `pressing` that it touches, `age` the time
   since it was thrown [s].
*/
static inline bool departed(double eta, bool pressing, double age) {
  return eta < -departed_gap_m || age > (pressing ? departed_pressing_s : departed_age_s);
}

#endif
