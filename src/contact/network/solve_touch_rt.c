#include "solve.h"

#include <math.h>

/*
   The active contacts along bodies when they are few and all of Hunt and Crossley's law, as along a string they nearly always are: the solve of
   solve_dense_rt.c by a vector kernel. From step to step they mostly stay the same, and so do their laws and compliances.
*/

/** Which contacts they are, their laws and compliances; those of the last solve, if they are the same. @return false: not for the kernel */
static bool take_up(htz_network* net, unsigned level) {
  network_touch* w = &net->dense->touch;
  const size_t n = net->n_active;
  bool same = w->table.n == n && w->level == level;
  for (size_t i = 0; i < n && same; ++i) {
    same = w->number[i] == net->active[i];
  }
  if (same) {
    return true;
  }
  bool power = n <= HTZ_TOUCH_MAX;
  for (size_t i = 0; i < n && power; ++i) {
    power = net->contacts[net->active[i]].desc.law.cls == &htz_law_hunt_crossley;
  }
  w->table.n = 0;
  if (!power) {
    return false;
  }
  w->table.smooth = true;
  for (size_t j = 0; j < HTZ_TOUCH_MAX; ++j) {
    const double* law = j < n ? net->contacts[net->active[j]].desc.law.p : NULL;
    w->stiffness[j] = law ? law[0] : 0.0;
    w->exponent[j] = law ? law[1] : 0.0;
    w->viscosity[j] = law ? law[2] : 0.0;
    w->eta[j] = w->stored[j] = w->force[j] = w->free[j] = w->s[j] = 0.0;
    w->table.smooth = w->table.smooth && (!law || law[1] == 1.5);
  }
  for (size_t j = 0; j < n; ++j) {
    const double* pair = htz_along_row(net, level, net->active[j]);
    for (size_t i = 0; i < n; ++i) {
      w->compliance[j * HTZ_TOUCH_MAX + i] = pair[net->active[i]];
    }
    w->number[j] = net->active[j];
  }
  w->table.n = n;
  w->level = level;
  return true;
}

/** Where they are, and increments under the forces that are expected. */
static void begin(htz_network* net) {
  network_touch* w = &net->dense->touch;
  const size_t n = net->n_active;
  double force[HTZ_TOUCH_MAX];
  for (size_t i = 0; i < n; ++i) {
    const contact* c = &net->contacts[w->number[i]];
    w->eta[i] = c->from.eta;
    w->stored[i] = c->from.stored;
    w->force[i] = c->from.force;
    w->free[i] = c->s_free;
    force[i] = htz_expected_force(c);
  }
  for (size_t i = 0; i < n; ++i) {
    double s = w->free[i];
    for (size_t j = 0; j < n; ++j) {
      s -= w->compliance[j * HTZ_TOUCH_MAX + i] * force[j];
    }
    w->s[i] = s;
  }
}

/** Forces of the laws, in turn from the displacements where these have the digits; then increments from the forces. */
static void settle(htz_network* net) {
  network_touch* w = &net->dense->touch;
  const size_t n = net->n_active;
  double* force = w->bears;
  for (size_t i = 0; i < n; ++i) {
    const double* row = w->compliance + i * HTZ_TOUCH_MAX;
    if (!(row[i] * w->slope[i] > 1.0)) {
      continue; // its law has the digits
    }
    double s_free = w->free[i] + row[i] * force[i];
    for (size_t j = 0; j < n; ++j) {
      s_free -= row[j] * force[j];
    }
    const double wanted = (s_free - w->s[i]) / row[i];
    force[i] = wanted > 0.0 ? wanted : 0.0;
  }
  for (size_t i = 0; i < n; ++i) {
    contact* c = &net->contacts[w->number[i]];
    double s = w->free[i];
    for (size_t j = 0; j < n; ++j) {
      s -= w->compliance[i * HTZ_TOUCH_MAX + j] * force[j];
    }
    c->s = s;
    c->force = force[i];
    c->to = (htz_law_value){force[i], w->slope[i], w->to_stored[i], w->to_elastic[i], w->to_stiffness[i]};
    c->to_at_s = true;
  }
}

bool htz_network_solve_touch(htz_network* net, unsigned level, double d, bool* settled) {
  static const htz_touch_limits limits = {.tolerance = htz_solve_tolerance,
                                          .last_move = htz_last_move,
                                          .stagnation = htz_solve_stagnation,
                                          .nothing = htz_solve_nothing};
  if (!take_up(net, level)) {
    return false;
  }
  begin(net);
  const int turns = net->springs->kernels->touch(&net->dense->touch.table, 1.0 / d, &limits, settled);
  net->counters.iterations += (uint64_t)turns + 1;
  settle(net);
  return true;
}
