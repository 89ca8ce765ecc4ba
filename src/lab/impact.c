#include "hertzian/lab/impact.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <math.h>

static const double longest_samples = 1e7;
static const double steps_per_contact = 32.0; // the solver's rule: S = smallest power of two with S tau/T >= 32 ...
static const double finest = 2048.0;          // ... up to this

typedef struct {
  double v_out, x_max, duration;
  uint64_t steps;
  double bound;
} flight;

/** Steps the sub-step rule allows: max(64 t_c/tau, samples touching) + 3 log2 S + 2. */
static double steps_allowed(const htz_impact* p, double period, double duration, double samples_touching) {
  const htz_law law = {&htz_law_hunt_crossley, {p->stiffness, p->exponent, p->viscosity}};
  const double tau = law.cls->duration(&law, p->mass, p->speed);
  double s = 1.0;
  while (s * tau / period < steps_per_contact && s < finest) {
    s *= 2.0;
  }
  const double most = 2.0 * steps_per_contact * duration / tau;
  return (most > samples_touching ? most : samples_touching) + 3.0 * log2(s) + 2.0;
}

static uint64_t steps_of(const htz_network* net) {
  return htz_network_count(net)->steps + htz_network_count(net)->predictions;
}

/** One throw, meeting the wall `lead` seconds after the first sample instant. */
static htz_status throw_once(const htz_impact* p, double rate_hz, double lead, double longest, htz_arena* arena, flight* out) {
  htz_body* bodies[2];
  htz_status st = htz_mass_new(&(htz_mass_desc){.mass = p->mass}, rate_hz, arena, &bodies[0]);
  if (st || (st = htz_barrier_new(arena, &bodies[1]))) {
    return st;
  }
  const htz_contact_desc wall = {.law = {&htz_law_hunt_crossley, {p->stiffness, p->exponent, p->viscosity}},
                                 .body_a = 0,
                                 .body_b = 1,
                                 .direction = 1.0,
                                 .enabled = true};
  bodies[0]->cls->set_motion(bodies[0], -p->speed * lead, p->speed);
  htz_network* net = NULL;
  if ((st = htz_network_new(2, bodies, 1, &wall, rate_hz, arena, &net))) {
    return st;
  }
  const htz_contact_account* account = htz_network_account(net, 0);
  uint64_t samples = 0, before = 0;
  double touching = 0.0;
  do {
    before = account->closures ? before : steps_of(net);
    htz_network_step(net);
    ++samples;
    touching += account->closures > 0;
  } while ((account->closures == 0 || htz_network_touching(net)) && (double)samples < longest);
  const double x = bodies[0]->cls->displacement(bodies[0], 0);
  out->v_out = bodies[0]->cls->velocity(bodies[0], 0);
  out->x_max = account->eta_max;
  out->duration = (double)samples / rate_hz - x / out->v_out - lead;
  out->steps = steps_of(net) - before;
  out->bound = steps_allowed(p, 1.0 / rate_hz, out->duration, touching);
  return HTZ_OK;
}

static void gather(htz_lab_figure* f, double value, double exact, unsigned phases) {
  f->mean += value / phases;
  f->worst = fabs(value - exact) >= fabs(f->worst - exact) ? value : f->worst;
}

static bool valid(const htz_impact* p) {
  return p->mass > 0.0 && p->stiffness > 0.0 && p->exponent >= 1.0 && p->viscosity >= 0.0 && p->speed > 0.0 &&
         isfinite(p->mass) && isfinite(p->stiffness) && isfinite(p->exponent) && isfinite(p->viscosity) && isfinite(p->speed);
}

htz_status htz_lab_impact(const htz_impact* p, double rate_hz, unsigned phases, htz_lab_impact_result* out) {
  if (!valid(p) || !(rate_hz > 0.0) || phases == 0 || phases > HTZ_LAB_PHASES_MAX) {
    return HTZ_BAD_VALUE;
  }
  *out = (htz_lab_impact_result){.exact = htz_impact_exact(p)};
  const double length = out->exact.duration * rate_hz;
  if (!(length < longest_samples)) {
    return HTZ_UNSUPPORTED;
  }
  out->v_out.worst = out->exact.v_out;
  out->x_max.worst = out->exact.x_max;
  out->duration.worst = out->exact.duration;
  for (unsigned k = 0; k < phases; ++k) {
    // Room for two small bodies and a contact, taken afresh for each throw.
    enum { BYTES = 1 << 16 };
    htz_arena arena = {0};
    flight f = {0};
    htz_status st = htz_arena_init(&arena, BYTES);
    if (!st) {
      st = throw_once(p, rate_hz, (double)k / phases / rate_hz, 2.0 * longest_samples, &arena, &f);
    }
    htz_arena_free(&arena);
    if (st) {
      return st;
    }
    gather(&out->v_out, f.v_out, out->exact.v_out, phases);
    gather(&out->x_max, f.x_max, out->exact.x_max, phases);
    gather(&out->duration, f.duration, out->exact.duration, phases);
    if (f.steps >= out->steps) {
      out->steps = f.steps;
      out->bound = f.bound;
    }
  }
  return HTZ_OK;
}
