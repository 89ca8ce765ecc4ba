#ifndef HERTZIAN_LAB_IMPACT_H
#define HERTZIAN_LAB_IMPACT_H

#include "hertzian/base/status.h"
#include "hertzian/contact/solver.h"
#include "hertzian/lab/closed_form.h"
#include "hertzian/model/modes.h"

#include <stdint.h>

/**
   One impact, measured: a hammer thrown at a rigid wall or at a modal body at rest, from every entry phase of a sample, by the
   house solver or by one of the registry, against the closed form where there is one.
*/
typedef struct {
  double mean;  ///< over the phases
  double worst; ///< the value farthest from the closed form, from the mean where there is none
} htz_lab_figure;

typedef struct {
  htz_impact_result exact; ///< closed form; NaN on a body and for felt that relaxes
  htz_lab_figure v_out;    ///< rebound velocity [m/s]
  htz_lab_figure x_max;    ///< greatest compression at the end of a step [m]
  htz_lab_figure duration; ///< time in contact [s]
  uint64_t steps; ///< steps and discarded trial steps from the sample of first touch to that of separation, most of any phase
  double bound;   ///< what the sub-step rule allows for that phase; NaN where it says nothing

  double force_exact;       ///< greatest force, closed form or NaN [N]
  double centroid_exact;    ///< of the closed form's force, mean over the phases, or NaN [Hz]
  htz_lab_figure force;     ///< greatest force of any step [N]
  htz_lab_figure centroid;  ///< spectral centroid of the force at the sample rate [Hz]
  htz_lab_figure defect;    ///< what the energy account lacks at the end, over the energy thrown in []; see htz_lab_throw_run()
  htz_lab_figure rise;      ///< greatest rise of the energy from a sample to the next, over the energy thrown in []
  unsigned phases;          ///< phases run: fewer than wanted when the contact is that long
  unsigned phases_failed;   ///< of those, what no figure was taken of
  unsigned contacts;        ///< most contacts of any phase: a string may throw the hammer back at itself
  uint64_t iterations_most; ///< most iterations of any implicit equation, where the solver counts them
  const char* note;         ///< why it cannot be done or what went wrong, in a few words (static text); NULL: nothing
} htz_lab_impact_result;

enum { HTZ_LAB_PHASES_MAX = 4096 };

/** What is thrown at what. */
typedef struct {
  htz_impact hammer;
  double hysteresis;     ///< > 0: felt that relaxes (Stulov) instead of Hunt and Crossley's law; the viscosity is not used
  double relaxation;     ///< its time [s], > 0
  const htz_modes* body; ///< NULL: a rigid wall
  double at;             ///< where on the body, fraction of its length
  double at_y;           ///< and on a surface of its width; NaN: `at` is along its line
  const htz_solver_class* solver; ///< NULL: the house's
  double rate_hz;                 ///< > 0
  unsigned phases;                ///< 1..HTZ_LAB_PHASES_MAX
} htz_lab_throw;

/** The force of one throw, to be drawn. */
enum { HTZ_LAB_TRACE_MAX = 4096 };
typedef struct {
  size_t n;
  double period;                   ///< between two values [s]: a sample, or a power of two of samples when the contact is long
  double start;                    ///< time of the beginning of the first after touch [s]
  double force[HTZ_LAB_TRACE_MAX]; ///< mean over each [N]
} htz_lab_trace;

/**
   Throw the hammer once per entry phase k/phases of a sample, k = 0 .. phases - 1, and measure.

   The hammer starts so that it meets the surface k/phases of a sample after a sample instant. A contact lasts from there to
   t_n - eta_n/eta'_n at the first sample n after separation; of several on a body the times are added. On a wall the throw ends with the
   first release, on a body when the hammer is 2 mm away or 50 ms have passed.

   `defect`: of the house solver |bodies + stored + dissipated - thrown in|; of another one, whose losses are not known, on a wall
   (energy it leaves with - that of the closed form), with its sign; on a body NaN. On a body the house's is that of the same throw
   at the same body without its own losses, which have no account.

   The centroid is int f |F|^2 df / int |F|^2 df of the force's means over samples, up to half the sample rate, or to 32 over the
   contact time if that is less, where nothing is left. Of a contact of a few samples it depends on the phase: `worst` is the closed
   form's mean times the worst ratio of any phase to its own closed form.

   @param trace the force of phase 0; may be NULL
   @return HTZ_OK also when `out->note` says why there are no figures; HTZ_BAD_VALUE when an argument is out of range; HTZ_NO_MEMORY.
   Set-up thread. Bounded: at most some 10^7 samples in all.
*/
htz_status htz_lab_throw_run(const htz_lab_throw* what, htz_lab_trace* trace, htz_lab_impact_result* out);

/**
   The same for a wall and the house solver.

   @return as above, and HTZ_UNSUPPORTED when the contact lasts longer than 10^7 samples
*/
htz_status htz_lab_impact(const htz_impact* impact, double rate_hz, unsigned phases, htz_lab_impact_result* out);

/** Spectral centroid up to `band_hz` of a force given as n means over `period` [s] each; 0 when it is zero. */
double htz_lab_centroid(size_t n, const double* force, double period, double band_hz);

/** The same of the closed form's force on a wall, as its means over samples when the touch is `lead` seconds into one. */
double htz_lab_centroid_exact(const htz_impact* impact, double rate_hz, double lead, double band_hz);

#endif
