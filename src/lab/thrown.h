#ifndef HERTZIAN_LAB_THROWN_H
#define HERTZIAN_LAB_THROWN_H

#include "hertzian/contact/solver.h"
#include "hertzian/lab/closed_form.h"

/** What the papers' experiments look at in one throw. */
typedef struct {
  double duration;  ///< t_n - eta_n/eta'_n - t_impact, n the first sample of the outgoing free flight [s]
  double v_out;     ///< of the hammer then [m/s]
  double x_max;     ///< greatest penetration at a sample [m]
  double force_max; ///< greatest force [N]
  unsigned inside;  ///< samples with a penetration
  uint64_t solves, iterations, most, unconverged;
} thrown;

/** Shown every sample, the start included, until the throw ends. `time` counts from the start [s]. */
typedef void (*thrown_look)(void* context, const htz_solver* solver, double time);

typedef struct {
  const char* solver;
  const htz_solver_system* system;
  double rate_hz;
  double x, v;      ///< start, x <= 0 and v > 0, the surface at rest at 0
  double longest;   ///< given up after this [s], > 0
  double after;     ///< go on looking this long after release [s]
  thrown_look look; ///< or NULL
  void* context;
} throw_plan;

/** Throw once, until the first release. @return HTZ_OK; HTZ_UNSUPPORTED with `why`; HTZ_NO_MEMORY. */
htz_status htz_thrown(const throw_plan* plan, thrown* out, const char** why);

/** The same system on a wall. */
htz_solver_system htz_thrown_at_wall(const htz_impact* impact);

#endif
