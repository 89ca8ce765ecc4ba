#include "willemsen.h"

#include <math.h>
#include <stdio.h>

const char* const willemsen_methods[WILLEMSEN_METHODS_COUNT] = {
    [HTZ_GRID_NEWTON] = "newton", [HTZ_GRID_PLAIN] = "plain", [HTZ_GRID_CASES] = "cases", [HTZ_GRID_RELEASE] = "release"};

enum { EVERY = 20 }; // after the picture

static const double rounding = 1e-12; // of a sum of some hundred terms, with room

void willemsen_begin(willemsen_system* s) {
  *s = (willemsen_system){.n_bodies = 0};
  htz_arena_measure(&s->memory);
}

void willemsen_free(willemsen_system* s) {
  htz_arena_free(&s->memory);
}

htz_status willemsen_mass(willemsen_system* s, double mass, double hz, const char** why) {
  const htz_grid_mass_desc desc = {.mass = mass, .hz = hz};
  return htz_grid_mass_new(&desc, WILLEMSEN_RATE, &s->memory, &s->bodies[s->n_bodies++], why);
}

htz_status willemsen_string(willemsen_system* s, double length, double hz, size_t intervals, size_t points, const char** why) {
  const htz_grid_string_desc desc = {.length = length,
                                     .lin_density = WILLEMSEN_LINE_DENSITY,
                                     .tension = 4.0 * length * length * hz * hz * WILLEMSEN_LINE_DENSITY,
                                     .stiffness = WILLEMSEN_BENDING,
                                     .ratio_most = 1.0,
                                     .exactly = intervals};
  return htz_grid_string_new(&desc, WILLEMSEN_RATE, points, htz_kernels_select(), &s->memory, &s->bodies[s->n_bodies++], why);
}

htz_status willemsen_barrier(willemsen_system* s) {
  return htz_grid_barrier_new(&s->memory, &s->bodies[s->n_bodies++]);
}

htz_status willemsen_join(willemsen_system* s, const htz_grid_network_desc* desc, const char** why) {
  htz_grid_network_desc whole = *desc;
  whole.n_bodies = s->n_bodies;
  whole.bodies = s->bodies;
  s->n_contacts = desc->n_contacts;
  s->n_stretches = desc->n_stretches;
  for (size_t i = 0; i < desc->n_contacts + desc->n_stretches; ++i) {
    s->collides[i] = i >= desc->n_contacts || desc->contacts[i].force == HTZ_GRID_COLLISION;
  }
  return htz_grid_network_new(&whole, &s->memory, &s->network, why);
}

double willemsen_in_bodies(const willemsen_system* s) {
  double sum = 0.0;
  for (size_t i = 0; i < s->n_bodies; ++i) {
    sum += s->bodies[i]->cls->energy(s->bodies[i]);
  }
  return sum;
}

static const htz_grid_account* account_at(const willemsen_system* s, size_t index) {
  return index < s->n_contacts ? htz_grid_network_contact(s->network, index)
                               : htz_grid_network_stretch(s->network, index - s->n_contacts);
}

static size_t accounts(const willemsen_system* s) {
  return s->n_contacts + s->n_stretches;
}

double willemsen_stored(const willemsen_system* s) {
  double sum = 0.0;
  for (size_t i = 0; i < accounts(s); ++i) {
    sum += account_at(s, i)->stored;
  }
  return sum;
}

static void write_row(htz_lab_report* report, const willemsen_plan* plan, const willemsen_system* s, const char* series,
                      double time, double initial) {
  double row[WILLEMSEN_FIRST + 2 * WILLEMSEN_BODIES] = {[WILLEMSEN_TIME] = time,
                                                        [WILLEMSEN_IN_BODIES] = willemsen_in_bodies(s),
                                                        [WILLEMSEN_STORED] = willemsen_stored(s),
                                                        [WILLEMSEN_TOTAL] = htz_grid_network_energy(s->network)};
  row[WILLEMSEN_CHANGE] = row[WILLEMSEN_TOTAL] / initial - 1.0;
  for (size_t i = 0; i < accounts(s); ++i) {
    row[WILLEMSEN_FORCE] += account_at(s, i)->force;
  }
  for (size_t i = 0; i < plan->n_places; ++i) {
    const htz_grid* body = s->bodies[plan->places[i].body];
    row[WILLEMSEN_FIRST + i] = htz_grid_now(body, plan->places[i].point);
    row[WILLEMSEN_FIRST + plan->n_places + i] = body->cls->energy(body);
  }
  htz_lab_row(report, series, row);
}

/** What collisions hold that are open now and were a step ago. */
static double held_open(const willemsen_system* s, double* before) {
  double sum = 0.0;
  for (size_t i = 0; i < accounts(s); ++i) {
    const htz_grid_account* a = account_at(s, i);
    sum += s->collides[i] && a->eta < 0.0 && before[i] < 0.0 ? a->stored : 0.0;
    before[i] = a->eta;
  }
  return sum;
}

static void follow(htz_lab_report* report, const willemsen_plan* plan, const willemsen_system* s, const char* series,
                   willemsen_outcome* out) {
  double eta[WILLEMSEN_CONTACTS] = {0.0};
  const long steps = lrint(WILLEMSEN_SECONDS * WILLEMSEN_RATE);
  const long picture = lrint(plan->picture * WILLEMSEN_RATE);
  const long every = plan->audit > 0 ? plan->audit : 1;
  double before = htz_grid_network_energy(s->network);
  *out = (willemsen_outcome){.initial = before};
  for (long i = 0; i < steps; ++i) {
    if (i <= picture || i % EVERY == 0) {
      write_row(report, plan, s, series, (double)i / WILLEMSEN_RATE, out->initial);
    }
    htz_grid_network_step(s->network);
    out->stuck = fmax(out->stuck, held_open(s, eta) / out->initial);
    if ((i + 1) % every == 0 || i + 1 == steps) {
      const double energy = htz_grid_network_energy(s->network);
      const double change = fabs(energy / out->initial - 1.0);
      const double rise = (energy - before) / out->initial;
      out->change = change <= out->change ? out->change : change; // keeps NaN
      out->rise = rise <= out->rise ? out->rise : rise;
      before = energy;
    }
  }
  out->final = before / out->initial;
  for (size_t i = 0; i < accounts(s); ++i) {
    const htz_grid_account* a = account_at(s, i);
    out->closures += a->closures;
    out->pull = a->force_max > 0.0 ? fmax(out->pull, a->pull_max / a->force_max) : out->pull;
  }
  out->count = *htz_grid_network_count(s->network);
}

void willemsen_find(htz_lab_report* report, const char* subject, const char* what, const char* unit, double paper, double ours,
                    double allowed, const char* note) {
  char name[128];
  snprintf(name, sizeof name, "%s %s", subject, what);
  htz_lab_find_out(report, &(htz_lab_finding){name, unit, paper, ours, allowed, note});
}

static void state(htz_lab_report* report, const willemsen_plan* plan, htz_grid_method method, const willemsen_outcome* o) {
  const char* name = willemsen_methods[method];
  const double none = (double)NAN;
  const bool newton = method == HTZ_GRID_NEWTON;
  if (plan->lossy) {
    willemsen_find(report, name, "energy at the end, of the first", "", none, o->final, none, NULL);
    willemsen_find(report, name, "greatest rise of energy, of the first", "", 0.0, o->rise, rounding, "losses take");
  } else {
    willemsen_find(report, name, "greatest change of energy", "", 0.0, o->change, WILLEMSEN_ALLOWED,
                   newton ? "of the initial one, over 1 s" : NULL);
  }
  willemsen_find(report, name, "greatest pull over greatest push", "", newton ? 0.0 : none, o->pull, newton ? 0.0 : none,
                 newton ? "a collision may not pull" : NULL);
  willemsen_find(report, name, "most stored while open, of all energy", "", newton ? 0.0 : none, o->stuck, newton ? 0.0 : none,
                 NULL);
  willemsen_find(report, name, "most iterations of a step", "", newton ? none : 0.0, (double)o->count.iterations_most,
                 newton ? none : 0.0, newton ? NULL : "the paper: none");
  willemsen_find(report, name, "touches", "", none, (double)o->closures, none, NULL);
}

htz_status willemsen_run(htz_lab_report* report, const willemsen_plan* plan, willemsen_outcome* outcomes, const char** why) {
  htz_status st = HTZ_OK;
  uint64_t unconverged = 0;
  for (unsigned m = 0; m < WILLEMSEN_METHODS_COUNT && !st; ++m) {
    willemsen_system s;
    willemsen_outcome one;
    willemsen_outcome* out = outcomes ? &outcomes[m] : &one;
    willemsen_begin(&s);
    st = plan->make((htz_grid_method)m, &s, why);
    if (!st) {
      follow(report, plan, &s, willemsen_methods[m], out);
      state(report, plan, (htz_grid_method)m, out);
      unconverged += out->count.unconverged;
    }
    willemsen_free(&s);
    htz_lab_progress(report, (double)(m + 1) / WILLEMSEN_METHODS_COUNT);
  }
  if (!st) {
    willemsen_find(report, "all methods,", "unconverged steps", "", 0.0, (double)unconverged, 0.0, NULL);
  }
  return st;
}
