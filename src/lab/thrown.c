#include "thrown.h"

static void watch(const htz_solver* s, thrown* out) {
  const double eta = htz_solver_penetration(s);
  out->x_max = eta > out->x_max ? eta : out->x_max;
  out->force_max = s->force > out->force_max ? s->force : out->force_max;
  out->inside += eta > 0.0;
}

static htz_status fly(const throw_plan* plan, htz_solver* s, thrown* out, const char** why) {
  bool met = false;
  double time = 0.0;
  double released = -1.0;
  for (long n = 1; released < 0.0 || time < released + plan->after; ++n) {
    s->cls->step(s, 0.0);
    time = (double)n * s->period;
    met = met || s->touching || s->force != 0.0;
    if (released < 0.0) {
      watch(s, out);
    }
    if (plan->look) {
      plan->look(plan->context, s, time);
    }
    if (released < 0.0 && met && !s->touching) {
      const double apart = s->v - htz_solver_surface_speed(s);
      released = time;
      out->duration = time - htz_solver_penetration(s) / apart + plan->x / plan->v;
      out->v_out = s->v;
    }
    if (released < 0.0 && time > plan->longest) {
      *why = "a contact does not end";
      return HTZ_UNSUPPORTED;
    }
  }
  if (s->refused) {
    *why = "a contact too short for this solver's correction";
    return HTZ_UNSUPPORTED;
  }
  return HTZ_OK;
}

htz_status htz_thrown(const throw_plan* plan, thrown* out, const char** why) {
  htz_arena memory;
  htz_solver* s = NULL;
  *out = (thrown){0};
  htz_arena_measure(&memory);
  htz_status st = htz_solver_new(htz_solver_find(plan->solver), plan->system, plan->rate_hz, &memory, &s, why);
  if (!st) {
    s->cls->place(s, plan->x, plan->v);
    if (plan->look) {
      plan->look(plan->context, s, 0.0);
    }
    st = fly(plan, s, out, why);
    out->solves = s->solves;
    out->iterations = s->iterations;
    out->most = s->iterations_most;
    out->unconverged = s->unconverged;
  }
  htz_arena_free(&memory);
  return st;
}

htz_solver_system htz_thrown_at_wall(const htz_impact* p) {
  return (htz_solver_system){.mass = p->mass, .stiffness = p->stiffness, .exponent = p->exponent, .viscosity = p->viscosity};
}
