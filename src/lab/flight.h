#ifndef HERTZIAN_LAB_FLIGHT_H
#define HERTZIAN_LAB_FLIGHT_H

#include "hertzian/lab/impact.h"

/** One throw from one entry phase. Figures are NaN when `note` says that it failed. */
typedef struct {
  double v_out, x_max, duration, force, centroid, centroid_exact, defect, rise;
  unsigned contacts;
  uint64_t steps;      // of the house's
  double touching;     // samples in which the contact was closed
  uint64_t iterations; // most of one equation
  const char* note;
} flight;

static const double htz_flight_longest = 1e7; // samples of one throw at most: some seconds of work

/**
   Throw once, meeting the surface `lead` seconds after the first sample instant.

   @param exact the closed form, NaN where there is none
   @param longest samples after which it is given up
   @return HTZ_OK or HTZ_NO_MEMORY
*/
htz_status htz_flight_run(const htz_lab_throw* what, const htz_impact_result* exact, double lead, double longest,
                          htz_lab_trace* trace, flight* out);

/** Highest frequency of the centroid's band [Hz]. */
double htz_flight_band(double rate_hz, double duration);

#endif
