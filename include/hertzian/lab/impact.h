#ifndef HERTZIAN_LAB_IMPACT_H
#define HERTZIAN_LAB_IMPACT_H

#include "hertzian/base/status.h"
#include "hertzian/lab/closed_form.h"

#include <stdint.h>

/**
   The house solver against the closed form: a mass thrown at a rigid wall, from every entry phase of a sample.
*/
typedef struct {
  double mean;  ///< over the phases
  double worst; ///< the value farthest from the closed form
} htz_lab_figure;

typedef struct {
  htz_impact_result exact; ///< closed form
  htz_lab_figure v_out;    ///< rebound velocity [m/s]
  htz_lab_figure x_max;    ///< greatest compression at the end of a step [m]
  htz_lab_figure duration; ///< contact time [s], from the outgoing free flight
  uint64_t steps; ///< steps and discarded trial steps from the sample of first touch to that of separation, most of any phase
  double bound;   ///< what the sub-step rule allows for that phase
} htz_lab_impact_result;

enum { HTZ_LAB_PHASES_MAX = 4096 };

/**
   Throw the mass once per entry phase k/phases of a sample, k = 0 .. phases - 1, and measure.

   The mass starts so that it meets the wall k/phases of a sample after a sample instant. Contact time is
   t_n - x_n/v_n - t_touch at the first sample n after separation.

   @param rate_hz sample rate [Hz], > 0
   @param phases 1..HTZ_LAB_PHASES_MAX
   @return HTZ_OK; HTZ_BAD_VALUE when an argument is out of range; HTZ_UNSUPPORTED when the contact lasts longer than
   10^7 samples; HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_lab_impact(const htz_impact* impact, double rate_hz, unsigned phases, htz_lab_impact_result* out);

#endif
