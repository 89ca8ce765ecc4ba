#include "papetti.h"

#include <math.h>
#include <stdio.h>

const htz_impact papetti_soft = {.mass = 0.01, .stiffness = 1e6, .exponent = 1.6, .viscosity = 0.5, .speed = 0.3};
const htz_impact papetti_case1 = {.mass = 0.01, .stiffness = 1e7, .exponent = 1.1, .viscosity = 0.1, .speed = 0.3};
const htz_impact papetti_case2 = {.mass = 0.01, .stiffness = 1e9, .exponent = 1.5, .viscosity = 0.5, .speed = 1.0};

const char* const papetti_methods[] = {"am1", "verlet", "heun", "rk4", NULL};

static const double patience = 10.0; // times the contact time, then it does not let go

static double potential(const htz_impact* p, double x) {
  return x > 0.0 ? p->stiffness * pow(x, p->exponent + 1.0) / (p->exponent + 1.0) : 0.0;
}

/** (1) */
static double force(const htz_impact* p, double x, double v) {
  return x > 0.0 ? p->stiffness * pow(x, p->exponent) * (1.0 + p->viscosity * v) : 0.0;
}

static double kinetic(const htz_impact* p, double v) {
  return 0.5 * p->mass * v * v;
}

static bool follow(htz_solver* s, const htz_impact* p, double most, papetti_look look, void* context, papetti_outcome* out) {
  double before = kinetic(p, p->speed);
  *out = (papetti_outcome){0};
  s->cls->place(s, 0.0, p->speed);
  if (look) {
    look(context, s, 0);
  }
  do {
    s->cls->step(s, 0.0);
    ++out->samples;
    const double energy = kinetic(p, s->v) + potential(p, s->x);
    out->rise = fmax(out->rise, energy - before);
    out->x_max = fmax(out->x_max, s->x);
    before = energy;
    if (look) {
      look(context, s, out->samples);
    }
  } while (s->x > 0.0 && out->samples < most);
  out->v_out = s->v;
  out->energy = before;
  return !(s->x > 0.0);
}

htz_status papetti_throw(const char* solver, const htz_impact* p, double rate_hz, papetti_look look, void* context,
                         papetti_outcome* out, const char** why) {
  const htz_solver_class* cls = htz_solver_find(solver);
  const htz_solver_system system = {
      .mass = p->mass, .stiffness = p->stiffness, .exponent = p->exponent, .viscosity = p->viscosity};
  if (!cls) {
    *why = "a solver it needs is not there";
    return HTZ_UNSUPPORTED;
  }
  htz_arena memory;
  htz_solver* s = NULL;
  htz_arena_measure(&memory);
  htz_status st = htz_solver_new(cls, &system, rate_hz, &memory, &s, why);
  if (!st && !follow(s, p, patience * htz_impact_duration(p) * rate_hz + patience, look, context, out)) {
    *why = "a solver does not let go of the wall";
    st = HTZ_UNSUPPORTED;
  }
  htz_arena_free(&memory);
  return st;
}

static void write_row(htz_lab_report* report, const char* series, const htz_impact* p, double time, double x, double v) {
  const double t = kinetic(p, v), stored = potential(p, x);
  const double row[PAPETTI_COLUMNS] = {[PAPETTI_SAMPLE] = time * PAPETTI_RATE,
                                       [PAPETTI_TIME] = time,
                                       [PAPETTI_X] = x,
                                       [PAPETTI_V] = v,
                                       [PAPETTI_FORCE] = force(p, x, v),
                                       [PAPETTI_T] = t,
                                       [PAPETTI_V_STORED] = stored,
                                       [PAPETTI_H] = t + stored,
                                       [PAPETTI_SHARE] = (t + stored) / kinetic(p, p->speed)};
  htz_lab_row(report, series, row);
}

/** A motion being written. */
typedef struct {
  htz_lab_report* report;
  const htz_impact* impact;
} writing;

static void show(void* context, const htz_solver* s, unsigned sample) {
  const writing* w = context;
  write_row(w->report, s->cls->name, w->impact, sample / PAPETTI_RATE, s->x, s->v);
}

htz_status papetti_write(htz_lab_report* report, const char* solver, const htz_impact* p, papetti_outcome* out,
                         const char** why) {
  writing w = {report, p};
  return papetti_throw(solver, p, PAPETTI_RATE, show, &w, out, why);
}

void papetti_write_exact(htz_lab_report* report, const htz_impact* p) {
  enum { MOMENTS = 201 };
  htz_impact_moment m[MOMENTS];
  htz_impact_motion(p, MOMENTS, m);
  for (size_t i = 0; i < MOMENTS; ++i) {
    write_row(report, "exact", p, m[i].time, m[i].x, m[i].v);
  }
}

double papetti_percent(double value, double reference) {
  return 100.0 * (value / reference - 1.0);
}

double papetti_excess(double value, double limit) {
  return fmax(0.0, papetti_percent(value, limit));
}

void papetti_find(htz_lab_report* report, const char* solver, const char* what, const char* unit, double paper, double ours,
                  double allowed, const char* note) {
  char name[128];
  snprintf(name, sizeof name, "%s %s", solver, what);
  htz_lab_find_out(report, &(htz_lab_finding){name, unit, paper, ours, allowed, note});
}
