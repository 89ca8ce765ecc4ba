#include "hertzian/lab/impact.h"

#include "flight.h"

#include "hertzian/contact/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double steps_per_contact = 32.0; // the solver's rule: S = smallest power of two with S tau/T >= 32 ...
static const double finest = 2048.0;          // ... up to this
static const double budget = 4e6;             // samples of all phases together: phases matter little in long contacts
static const double patience = 4.0;           // times the closed form's contact time, then a throw is given up
static const double patience_s = 0.25;        // the same on a body, where there is none
static const double spare = 64.0;             // samples: a coarse solver needs a few whatever the contact time

/** Steps the sub-step rule allows: max(64 t_c/tau, samples touching) + 3 log2 S + 2. */
static double steps_allowed(const htz_impact* p, double period, const flight* f) {
  const double tau = htz_impact_duration_elastic(p);
  double s = 1.0;
  while (s * tau / period < steps_per_contact && s < finest) {
    s *= 2.0;
  }
  const double most = 2.0 * steps_per_contact * f->duration / tau;
  return (most > f->touching ? most : f->touching) + 3.0 * log2(s) + 2.0;
}

/** What the house's steps are too coarse for; the figures are there all the same. NULL: nothing. */
static const char* too_coarse(const htz_lab_throw* w) {
  static const double enough = 24.0;   // steps per contact at which the error of the contact time is 0.3 %, c/N^2 with c = 1.6
  static const double viscous = 200.0; // mu v at which the speed is lost within a step of 1/32 of the elastic contact
  if (w->solver || w->body) {
    return NULL;
  }
  if (finest * htz_impact_duration_elastic(&w->hammer) * w->rate_hz < enough) {
    return "the contact is too short for steps of 1/2048 sample; use a higher rate";
  }
  return w->hammer.viscosity * w->hammer.speed > viscous ? "so viscous that the speed is lost within a step" : NULL;
}

/** How far a figure is from the closed form, relative to it. 0 where there is none. */
static double off(const htz_lab_figure* figure, double exact) {
  const double share = fabs(figure->worst / exact - 1.0);
  return isnan(share) ? 0.0 : share;
}

/** What is wrong with a solver's figures although it gave them. NULL: nothing that can be told. */
static const char* doubt(const htz_lab_throw* w, const htz_lab_impact_result* r) {
  static const double few = 2.0;     // samples: below, no scheme without sub-steps sees the contact
  static const double gained = 1e-2; // of what is thrown in
  static const double tenth = 0.1;   // of contact time or rebound: another contact than the one that was asked for
  if (!w->solver) {
    return NULL;
  }
  if (isnan(r->duration.mean) && !isnan(r->v_out.mean)) {
    return "its rebound is imposed too far outside to tell a contact time";
  }
  // On a body nobody knows: the wall's contact time, or the one it finds itself, whichever is shorter.
  const double wall = htz_impact_duration_elastic(&w->hammer);
  const double lasts = w->body ? (wall < r->duration.mean ? wall : r->duration.mean) : r->exact.duration;
  if (lasts * w->rate_hz < few) {
    return "shorter than two samples";
  }
  if (r->rise.worst > gained || r->defect.worst > gained) {
    return "it gains energy";
  }
  return off(&r->duration, r->exact.duration) > tenth || off(&r->v_out, r->exact.v_out) > tenth
             ? "contact time or rebound off by more than a tenth"
             : NULL;
}

/** Mean over the flights that have a figure, and the one farthest from `exact` or, where that is NaN, from the mean. */
static htz_lab_figure gather(const flight* f, unsigned n, size_t offset, double exact) {
  htz_lab_figure figure = {0.0, 0.0};
  unsigned count = 0;
  for (unsigned k = 0; k < n; ++k) {
    const double value = *(const double*)((const char*)&f[k] + offset);
    figure.mean += isnan(value) ? 0.0 : value;
    count += isnan(value) ? 0 : 1;
  }
  figure.mean = count ? figure.mean / count : (double)NAN;
  const double from = isnan(exact) ? figure.mean : exact;
  figure.worst = count ? from : (double)NAN;
  for (unsigned k = 0; k < n; ++k) {
    const double value = *(const double*)((const char*)&f[k] + offset);
    figure.worst = fabs(value - from) >= fabs(figure.worst - from) ? value : figure.worst;
  }
  return figure;
}

/** Ratios to the closed form of each phase, back in hertz. */
static void gather_centroid(flight* f, unsigned n, htz_lab_impact_result* out) {
  out->centroid = gather(f, n, offsetof(flight, centroid), (double)NAN);
  out->centroid_exact = gather(f, n, offsetof(flight, centroid_exact), (double)NAN).mean;
  if (!isnan(out->centroid_exact)) {
    for (unsigned k = 0; k < n; ++k) {
      f[k].centroid *= out->centroid_exact / f[k].centroid_exact;
    }
    out->centroid.worst = gather(f, n, offsetof(flight, centroid), out->centroid_exact).worst;
  }
}

static void gather_all(const htz_lab_throw* w, flight* f, unsigned n, htz_lab_impact_result* out) {
  out->v_out = gather(f, n, offsetof(flight, v_out), out->exact.v_out);
  out->x_max = gather(f, n, offsetof(flight, x_max), out->exact.x_max);
  out->duration = gather(f, n, offsetof(flight, duration), out->exact.duration);
  out->force = gather(f, n, offsetof(flight, force), out->force_exact);
  gather_centroid(f, n, out);
  out->defect = gather(f, n, offsetof(flight, defect), 0.0);
  out->rise = gather(f, n, offsetof(flight, rise), 0.0);
  out->phases = n;
  for (unsigned k = 0; k < n; ++k) {
    out->phases_failed += f[k].note ? 1 : 0;
    out->note = out->note ? out->note : f[k].note;
    out->contacts = f[k].contacts > out->contacts ? f[k].contacts : out->contacts;
    out->iterations_most = f[k].iterations > out->iterations_most ? f[k].iterations : out->iterations_most;
    if (f[k].steps >= out->steps) {
      out->steps = f[k].steps;
      out->bound =
          w->body || w->solver || w->hysteresis > 0.0 ? (double)NAN : steps_allowed(&w->hammer, 1.0 / w->rate_hz, &f[k]);
    }
  }
}

static bool valid(const htz_lab_throw* w) {
  const htz_impact* p = &w->hammer;
  const bool felt = w->hysteresis == 0.0 || (w->hysteresis > 0.0 && w->hysteresis < 1.0 && w->relaxation > 0.0);
  return p->mass > 0.0 && p->stiffness > 0.0 && p->exponent >= 1.0 && p->viscosity >= 0.0 && p->speed > 0.0 &&
         isfinite(p->mass) && isfinite(p->stiffness) && isfinite(p->exponent) && isfinite(p->viscosity) && isfinite(p->speed) &&
         felt && w->rate_hz > 0.0 && w->phases > 0 && w->phases <= HTZ_LAB_PHASES_MAX;
}

/** How long the contact is, in samples; on a body a guess. */
static double length_of(const htz_lab_throw* w, const htz_impact_result* exact) {
  return (w->body || w->hysteresis > 0.0 ? htz_impact_duration_elastic(&w->hammer) : exact->duration) * w->rate_hz;
}

static double longest_of(const htz_lab_throw* w, double length) {
  return w->body ? patience_s * w->rate_hz + spare : patience * length / (1.0 - w->hysteresis) + spare;
}

static void nothing(const char* note, htz_lab_impact_result* out) {
  const htz_lab_figure none = {(double)NAN, (double)NAN};
  out->v_out = out->x_max = out->duration = out->force = out->centroid = out->defect = out->rise = none;
  out->bound = (double)NAN;
  out->note = note;
}

static void find_exact(const htz_lab_throw* w, htz_lab_impact_result* out) {
  const double none = (double)NAN;
  out->exact = (htz_impact_result){none, none, none};
  out->force_exact = none;
  out->centroid_exact = none;
  if (!w->body && !(w->hysteresis > 0.0)) {
    out->exact = htz_impact_exact(&w->hammer);
    out->force_exact = htz_impact_force_max(&w->hammer);
  }
}

/** The account of the same throw at a body without losses. */
static htz_status find_defect(const htz_lab_throw* w, const htz_impact_result* exact, double longest, htz_lab_trace* scratch,
                              htz_lab_impact_result* out) {
  htz_modes modes = *w->body;
  htz_lab_throw what = *w;
  flight f;
  modes.sigma = calloc(modes.n, sizeof *modes.sigma);
  if (!modes.sigma) {
    return HTZ_NO_MEMORY;
  }
  what.body = &modes;
  const htz_status st = htz_flight_run(&what, exact, 0.0, longest, scratch, &f);
  out->defect = (htz_lab_figure){f.defect, f.defect};
  free(modes.sigma);
  return st;
}

htz_status htz_lab_throw_run(const htz_lab_throw* w, htz_lab_trace* trace, htz_lab_impact_result* out) {
  static const double fewest = 2.0; // steps in contact: one that presses and one that springs back
  memset(out, 0, sizeof *out);
  if (!valid(w)) {
    return HTZ_BAD_VALUE;
  }
  find_exact(w, out);
  const double length = length_of(w, &out->exact);
  if (!(length < htz_flight_longest)) {
    nothing("the contact lasts longer than 10 million samples; use a lower rate", out);
    return HTZ_OK;
  }
  if (!w->solver && !(finest * length >= fewest)) {
    nothing("the contact is too short to be seen, less than two steps of 1/2048 sample; use a higher rate", out);
    return HTZ_OK;
  }
  const double afford = budget / (length + 1.0);
  const unsigned phases = afford < 1.0 ? 1 : afford < w->phases ? (unsigned)afford : w->phases;
  flight* f = calloc(phases, sizeof *f);
  htz_lab_trace* scratch = calloc(1, sizeof *scratch);
  htz_status st = f && scratch ? HTZ_OK : HTZ_NO_MEMORY;
  for (unsigned k = 0; k < phases && !st; ++k) {
    const double lead = (double)k / phases / w->rate_hz;
    st = htz_flight_run(w, &out->exact, lead, longest_of(w, length), trace && k == 0 ? trace : scratch, &f[k]);
  }
  if (!st) {
    gather_all(w, f, phases, out);
    out->note = out->note ? out->note : too_coarse(w);
    out->note = out->note ? out->note : doubt(w, out);
    if (w->body && !w->solver && !isnan(out->v_out.mean)) {
      st = find_defect(w, &out->exact, longest_of(w, length), scratch, out);
    }
  }
  free(scratch);
  free(f);
  return st;
}

htz_status htz_lab_impact(const htz_impact* p, double rate_hz, unsigned phases, htz_lab_impact_result* out) {
  const htz_lab_throw what = {.hammer = *p, .rate_hz = rate_hz, .phases = phases};
  const htz_status st = htz_lab_throw_run(&what, NULL, out);
  return st || !isnan(out->v_out.mean) ? st : HTZ_UNSUPPORTED;
}
