#include "flight.h"

#include "hertzian/contact/network.h"
#include "hertzian/contact/transition.h"
#include "hertzian/model/bodies.h"

#include <math.h>

static const double away_gap_m = 2e-3;    // a hammer this far from a body does not come back...
static const double away_age_s = 0.05;    // ...nor does one that is off it so long after it came
static const double band_contacts = 32.0; // a smooth pulse has nothing left at so many times 1/duration

/** Hammer and surface under either family of solvers. */
typedef struct {
  htz_network* net; // of the house's; else NULL
  htz_body *hammer, *surface;
  htz_solver* solver;
} stage;

double htz_flight_band(double rate_hz, double duration) {
  const double wanted = band_contacts / duration;
  return wanted < 0.5 * rate_hz ? wanted : 0.5 * rate_hz;
}

static htz_law law_of(const htz_lab_throw* w) {
  const htz_impact* p = &w->hammer;
  if (w->hysteresis > 0.0) {
    return (htz_law){.cls = &htz_law_stulov, .p = {p->stiffness, p->exponent, w->hysteresis, w->relaxation}};
  }
  return (htz_law){.cls = &htz_law_hunt_crossley, .p = {p->stiffness, p->exponent, p->viscosity}};
}

static htz_status set_up_default(stage* s, const htz_lab_throw* w, double x, htz_arena* arena) {
  htz_body* bodies[2];
  htz_status st = htz_mass_new(&(htz_mass_desc){.mass = w->hammer.mass}, w->rate_hz, arena, &bodies[0]);
  if (st) {
    return st;
  }
  if (w->body) {
    htz_modal* modal;
    if ((st = htz_modal_new(w->body, 1, 0, w->rate_hz, htz_kernels_select(), arena, &modal))) {
      return st;
    }
    htz_modal_place_xy(modal, 0, w->at, w->at_y);
    bodies[1] = htz_modal_body(modal);
  } else if ((st = htz_barrier_new(arena, &bodies[1]))) {
    return st;
  }
  s->hammer = bodies[0];
  s->surface = bodies[1];
  bodies[0]->cls->set_motion(bodies[0], x, w->hammer.speed);
  const htz_contact_desc contact = {.law = law_of(w), .body_a = 0, .body_b = 1, .direction = 1.0, .enabled = true};
  return htz_network_new(2, bodies, 1, &contact, w->rate_hz, arena, &s->net);
}

static htz_status set_up_solver(stage* s, const htz_lab_throw* w, double x, htz_arena* arena, const char** why) {
  const htz_impact* p = &w->hammer;
  htz_solver_system system = {.mass = p->mass, .stiffness = p->stiffness, .exponent = p->exponent, .viscosity = p->viscosity};
  if (w->hysteresis > 0.0) {
    *why = "this solver has no felt that relaxes";
    return HTZ_UNSUPPORTED;
  }
  if (w->body) {
    double* weight = htz_arena_alloc(arena, w->body->n, sizeof *weight);
    if (!weight) {
      return HTZ_NO_MEMORY;
    }
    if (w->body->shape_xy && !isnan(w->at_y)) {
      w->body->shape_xy(w->body, w->at, w->at_y, weight);
    } else {
      w->body->shape(w->body, w->at, weight);
    }
    system.n_modes = w->body->n;
    system.omega = w->body->omega;
    system.sigma = w->body->sigma;
    system.modal_mass = w->body->mass;
    system.weight = weight;
  }
  const htz_status st = htz_solver_new(w->solver, &system, w->rate_hz, arena, &s->solver, why);
  if (!st) {
    s->solver->cls->place(s->solver, x, p->speed);
  }
  return st;
}

static const htz_contact_account* account_of(const stage* s) {
  return htz_network_account(s->net, 0);
}

static double velocity_of(const stage* s) {
  return s->net ? s->hammer->cls->velocity(s->hammer, 0) : s->solver->v;
}

static double approach_of(const stage* s) {
  return s->net ? velocity_of(s) - s->surface->cls->velocity(s->surface, 0)
                : s->solver->v - htz_solver_surface_speed(s->solver);
}

static double penetration_of(const stage* s) {
  return s->net ? s->hammer->cls->displacement(s->hammer, 0) - s->surface->cls->displacement(s->surface, 0)
                : htz_solver_penetration(s->solver);
}

static bool touching(const stage* s) {
  return s->net ? htz_network_touching(s->net) : s->solver->touching;
}

static double energy_of(const stage* s) {
  return s->net ? htz_network_energy(s->net) : htz_solver_energy(s->solver);
}

static uint64_t steps_of(const stage* s) {
  return s->net ? htz_network_count(s->net)->steps + htz_network_count(s->net)->predictions : 0;
}

/** Keep the force; when there is no more room, two values become one. */
static void record(htz_lab_trace* t, double force, unsigned* held, double* sum, unsigned* factor) {
  *sum += force;
  if (++*held < *factor) {
    return;
  }
  if (t->n == HTZ_LAB_TRACE_MAX) {
    for (size_t i = 0; i < t->n / 2; ++i) {
      t->force[i] = 0.5 * (t->force[2 * i] + t->force[2 * i + 1]);
    }
    t->n /= 2;
    t->period *= 2.0;
    *factor *= 2;
    return; // what is held makes half of the next
  }
  t->force[t->n++] = *sum / *factor;
  *sum = 0.0;
  *held = 0;
}

/** What is followed from sample to sample. */
typedef struct {
  double touch; // when the present contact began [s]
  double eta;   // penetration and speed of approach at the last sample
  double approach;
  double rod; // of the present contact [m]
  uint64_t closures;
  bool closed;
} progress;

static double thrown_in(const htz_lab_throw* w) {
  return 0.5 * w->hammer.mass * w->hammer.speed * w->hammer.speed;
}

/** Look at the sample that ends at `now`. */
static void watch(const stage* s, double now, double lead, double period, progress* p, flight* out) {
  const bool closed = touching(s);
  const double eta = penetration_of(s);
  const double approach = approach_of(s);
  uint64_t begun = closed && !p->closed;
  if (s->net) {
    begun = account_of(s)->closures - p->closures;
    p->closures = account_of(s)->closures;
  } else if (!begun && !p->closed && s->solver->force != 0.0) {
    begun = 1; // come and gone within the sample
  }
  if (begun) {
    // An offset rod makes the contact begin on a sample, before the bodies meet, and end as much earlier.
    // A rod of a contact that is over by now is no longer told: it was what makes the last sample's penetration 0.
    p->rod = !s->solver ? 0.0 : !closed && s->solver->cls == &htz_transition_class ? -p->eta : s->solver->rod;
    const double ago = p->approach > 0.0 ? period + (p->eta + p->rod) / p->approach : period;
    p->touch = out->contacts == 0 && p->rod == 0.0 ? lead : now - ago;
    out->contacts += (unsigned)begun;
  }
  out->touching += closed || begun || p->closed;
  if (!closed && (p->closed || begun)) {
    out->duration += now - (eta + (p->rod - (s->solver ? s->solver->rod : 0.0))) / approach - p->touch;
  }
  const double x = s->net ? account_of(s)->eta_max : eta;
  const double force = s->net ? account_of(s)->force_max : s->solver->force;
  out->x_max = x > out->x_max ? x : out->x_max;
  out->force = force > out->force ? force : out->force;
  p->closed = closed;
  p->eta = eta;
  p->approach = approach;
}

static bool is_over(const htz_lab_throw* w, const progress* p, const flight* out, double now) {
  if (out->contacts == 0 || p->closed || !(p->approach < 0.0)) {
    return false;
  }
  return !w->body || p->eta < -away_gap_m || now > away_age_s;
}

static double defect_of(const stage* s, const htz_lab_throw* w, const htz_impact_result* exact, double before) {
  const double whole = thrown_in(w);
  if (s->net) {
    return fabs(energy_of(s) + account_of(s)->dissipated - before) / whole;
  }
  return (energy_of(s) - 0.5 * w->hammer.mass * exact->v_out * exact->v_out) / whole;
}

static void give_up(flight* out, const char* note) {
  const double none = (double)NAN;
  *out = (flight){none, none, none, none, none, none, none, none, 0, 0, none, 0, note};
}

static void fly(stage* s, const htz_lab_throw* w, const htz_impact_result* exact, double lead, double longest,
                htz_lab_trace* trace, flight* out) {
  const double period = 1.0 / w->rate_hz;
  const double before = energy_of(s);
  double energy = before;
  double sum = 0.0;
  unsigned held = 0;
  unsigned factor = 1;
  uint64_t steps = 0;
  progress p = {.eta = penetration_of(s), .approach = approach_of(s)};
  *trace = (htz_lab_trace){.n = 0, .period = period, .start = -lead};
  double samples = 0.0;
  do {
    steps = out->contacts ? steps : steps_of(s);
    if (s->net) {
      htz_network_step(s->net);
    } else {
      s->solver->cls->step(s->solver, 0.0);
    }
    ++samples;
    watch(s, samples * period, lead, period, &p, out);
    const double now = energy_of(s);
    out->rise = now - energy > out->rise ? now - energy : out->rise;
    energy = now;
    if (!isfinite(now)) {
      give_up(out, "it diverges");
      return;
    }
    record(trace, s->net ? account_of(s)->force_mean : s->solver->force, &held, &sum, &factor);
  } while (!is_over(w, &p, out, samples * period) && samples < longest);
  if (!is_over(w, &p, out, samples * period)) {
    give_up(out, out->contacts ? "it does not let go" : "it finds no contact");
    return;
  }
  if (s->solver && s->solver->refused) {
    give_up(out, "a contact too short for this solver's correction");
    return;
  }
  out->v_out = velocity_of(s);
  // A rebound that is imposed on a hammer far outside: its free flight leads back to before the touch.
  out->duration = out->duration > 0.0 ? out->duration : (double)NAN;
  out->rise /= thrown_in(w);
  out->defect = defect_of(s, w, exact, before);
  out->steps = steps_of(s) - steps;
  out->iterations = s->net ? 0 : s->solver->iterations_most;
  const bool known = !isnan(exact->duration);
  const double band = htz_flight_band(w->rate_hz, known ? exact->duration : out->duration);
  out->centroid = htz_lab_centroid(trace->n, trace->force, trace->period, band);
  out->centroid_exact = known ? htz_lab_centroid_exact(&w->hammer, w->rate_hz, lead, band) : (double)NAN;
}

htz_status htz_flight_run(const htz_lab_throw* w, const htz_impact_result* exact, double lead, double longest,
                          htz_lab_trace* trace, flight* out) {
  const double x = -w->hammer.speed * lead;
  const char* why = NULL;
  htz_arena arena;
  htz_status st = HTZ_OK;
  stage s = {0};
  htz_arena_measure(&arena); // one throw needs no block of its own
  st = w->solver ? set_up_solver(&s, w, x, &arena, &why) : set_up_default(&s, w, x, &arena);
  if (!st && arena.failed) {
    st = HTZ_NO_MEMORY;
  }
  if (!st) {
    *out = (flight){0};
    fly(&s, w, exact, lead, longest, trace, out);
  } else if (st != HTZ_NO_MEMORY) {
    give_up(out, why ? why : htz_status_text(st));
    st = HTZ_OK;
  }
  htz_arena_free(&arena);
  return st;
}
