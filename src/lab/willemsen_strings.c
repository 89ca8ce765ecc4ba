#include "willemsen_direct.h"

#include <math.h>

// All parameters of this file are ours.
enum { INTERVALS = 100, AT = 30 };
static const double length = 1.0;                           // [m]
static const double upper_hz = 100.0, lower_hz = 130.0;     // of the strings without stiffness
static const double exponent = 1.3;                         // alpha
static const double picture = 0.05;                         // [s]
static const double where = (double)AT / INTERVALS;         // the mass is there
static const double mass = 5e-3, mass_hz = 30.0;            // [kg], [Hz]
static const double point_stiffness = 1e6, stiffness = 1e7; // K of each grid point, and of the mass [N/m^alpha]
static const double kick_at = 0.3, kick_width = 0.1;        // fractions of the length
static const double speed = 8.0, mass_speed = 1.0;          // [m/s]

static htz_status make_pair(htz_grid_method method, willemsen_system* s, const char** why) {
  const double between = 1e-3; // [m]
  double gap[INTERVALS - 1];
  htz_status st = willemsen_string(s, length, upper_hz, INTERVALS, 1, why);
  st = st ? st : willemsen_string(s, length, lower_hz, INTERVALS, 1, why);
  if (st) {
    return st;
  }
  for (size_t i = 0; i < INTERVALS - 1; ++i) {
    gap[i] = between;
  }
  htz_grid_place(s->bodies[0], 0, where, 0.0);
  htz_grid_place(s->bodies[1], 0, where, 0.0);
  htz_grid_kick(s->bodies[0], kick_at, 0.0, kick_width, -speed);
  const htz_grid_stretch_desc stretch = {.stiffness = point_stiffness,
                                         .exponent = exponent,
                                         .method = method,
                                         .body_a = 1,
                                         .body_b = 0,
                                         .first = 1,
                                         .last = INTERVALS - 1,
                                         .direction = 1.0, // (26d): eta = w - u
                                         .gap = gap};
  return willemsen_join(s, &(htz_grid_network_desc){.n_stretches = 1, .stretches = &stretch}, why);
}

static htz_status run_pair(htz_lab_report* report, const char** why) {
  const willemsen_plan plan = {.make = make_pair, .n_places = 2, .places = {{0, 0}, {1, 0}}, .picture = picture};
  return willemsen_run(report, &plan, NULL, why);
}

const htz_lab_experiment htz_experiment_willemsen_string_string = {
    .name = "willemsen-string-string",
    .paper = WILLEMSEN_PAPER "section 5, eqs. (25)-(27)",
    .title = "A string against a string, all along",
    .about = "Steel strings of 1 m and 1 mm, 100 Hz above 130 Hz, 1 mm apart, both of 100 intervals, a contact at every grid "
             "point with\n"
             "K 1e6, alpha 1.3; the upper is thrown down at 8 m/s about 0.3 of its length (ours). 44.1 kHz, 1 s. Displacement "
             "at 0.3.",
    WILLEMSEN_TABLE(2, {"u", "m"}, {"w", "m"}, {"u_energy", "J"}, {"w_energy", "J"}),
    WILLEMSEN_ENERGY_PLOT(0.05, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST + 2, "in the upper", false},
                          {WILLEMSEN_TIME, WILLEMSEN_FIRST + 3, "in the lower", false}),
    WILLEMSEN_PLACES_PLOT(0.05, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST, "upper", false},
                          {WILLEMSEN_TIME, WILLEMSEN_FIRST + 1, "lower", false}),
    .run = run_pair};

static htz_status make_mass(htz_grid_method method, willemsen_system* s, const char** why) {
  htz_status st = willemsen_string(s, length, upper_hz, INTERVALS, 1, why);
  st = st ? st : willemsen_mass(s, mass, mass_hz, why);
  if (st) {
    return st;
  }
  htz_grid_place(s->bodies[0], 0, where, 0.0);
  htz_grid_kick(s->bodies[1], 0.0, 0.0, 1.0, mass_speed);
  const htz_grid_contact_desc contact = {.force = HTZ_GRID_COLLISION,
                                         .method = method,
                                         .stiffness = stiffness,
                                         .exponent = exponent,
                                         .body_a = 1,
                                         .body_b = 0,
                                         .direction = 1.0, // (28d): eta = w - u
                                         .enabled = true};
  return willemsen_join(s, &(htz_grid_network_desc){.n_contacts = 1, .contacts = &contact}, why);
}

static direct_string the_string(const willemsen_system* s) {
  direct_string d = {.density = WILLEMSEN_LINE_DENSITY, .bending = WILLEMSEN_BENDING};
  direct_string_about(&d, s->bodies[0], where);
  return d;
}

static direct_mass the_mass(double period) {
  return (direct_mass){.k = period, .mass = mass, .omega = 2.0 * 3.14159265358979323846 * mass_hz};
}

/** phi of (4). */
static double potential(double eta) {
  return eta > 0.0 ? stiffness / (exponent + 1.0) * pow(eta, exponent + 1.0) : 0.0;
}

/** (30), its last entry with g^2/4: next displacements of string and mass. */
static void non_iterative(const direct_string* d, const direct_mass* m, direct_psi* c, double w, double w_before,
                          double next[2]) {
  const double k2 = d->k * d->k, h = d->h;
  const double u = d->grid->now[d->at[2]], u_before = d->grid->before[d->at[2]];
  const double g = direct_g(c, w - u);
  const double eta_before = w_before - u_before;
  const double quarter = 0.25 * g * g;
  double a[3][3] = {{d->density / k2 + quarter / h, -quarter / h}, {-quarter, m->mass / k2 + quarter}};
  double v[3] = {d->density / k2 * direct_string_free(d) + (-quarter * eta_before + c->psi * g) / h,
                 m->mass / k2 * direct_mass_free(m, w, w_before) + quarter * eta_before - c->psi * g};
  direct_solve(2, a, v);
  direct_psi_step(c, g, v[1] - v[0], eta_before);
  next[0] = v[0];
  next[1] = v[1];
}

/** (32)-(39), the sign before the bracket plus, by Newton and Raphson. @return iterations; 0: it did not end */
static unsigned iterative(const direct_string* d, const direct_mass* m, double w, double w_before, double next[2]) {
  enum { MOST = 100 };
  const double enough = 1e-14; // of eta
  const double k2 = d->k * d->k;
  const double u_before = d->grid->before[d->at[2]];
  const double string_compliance = k2 / (d->density * d->h), mass_compliance = k2 / m->mass;
  const double compliance = string_compliance + mass_compliance;
  const double u_free = direct_string_free(d), w_free = direct_mass_free(m, w, w_before);
  const double before = w_before - u_before, b = -(w_free - u_free);
  double eta = -b == before ? nextafter(-b, HUGE_VAL) : -b, quotient = 0.0;
  for (unsigned i = 1; i <= MOST; ++i) {
    const double way = eta - before, push = eta > 0.0 ? stiffness * pow(eta, exponent) : 0.0;
    quotient = (potential(eta) - potential(before)) / way;
    const double slope = (push - quotient) / way;
    const double step = (eta + compliance * quotient + b) / (1.0 + compliance * slope);
    eta -= step;
    if (fabs(step) <= enough * (fabs(eta) + fabs(before))) {
      next[0] = u_free + string_compliance * quotient;
      next[1] = w_free - mass_compliance * quotient;
      return i;
    }
  }
  return 0;
}

typedef struct {
  double apart;  // farthest from the network, over the farthest displacement
  double moved;  // [m]
  unsigned most; // iterations
  unsigned lost; // steps without an end
} beside;

static htz_status lay_beside(htz_grid_method method, beside* out, const char** why) {
  willemsen_system s;
  willemsen_begin(&s);
  htz_status st = make_mass(method, &s, why);
  *out = (beside){0.0, 0.0, 0, 0};
  if (!st) {
    const direct_string d = the_string(&s);
    const direct_mass m = the_mass(d.k);
    direct_psi c = {.stiffness = stiffness, .exponent = exponent};
    for (long i = 0; i < lrint(picture * WILLEMSEN_RATE); ++i) {
      double next[2] = {0.0, 0.0};
      const double w = htz_grid_now(s.bodies[1], 0), w_before = htz_grid_before(s.bodies[1], 0);
      unsigned n = 1;
      if (method == HTZ_GRID_NEWTON) {
        n = iterative(&d, &m, w, w_before, next);
        out->most = n > out->most ? n : out->most;
        out->lost += n == 0;
      } else {
        non_iterative(&d, &m, &c, w, w_before, next);
      }
      htz_grid_network_step(s.network);
      const double u_now = htz_grid_now(s.bodies[0], 0), w_now = htz_grid_now(s.bodies[1], 0);
      out->apart = n ? fmax(out->apart, fmax(fabs(next[0] - u_now), fabs(next[1] - w_now))) : out->apart;
      out->moved = fmax(out->moved, fmax(fabs(u_now), fabs(w_now)));
    }
    out->apart /= out->moved;
  }
  willemsen_free(&s);
  return st;
}

static htz_status run_mass(htz_lab_report* report, const char** why) {
  const willemsen_plan plan = {.make = make_mass, .n_places = 2, .places = {{0, 0}, {1, 0}}, .picture = picture};
  const double none = (double)NAN;
  beside by_matrix, by_newton;
  htz_status st = willemsen_run(report, &plan, NULL, why);
  st = st ? st : lay_beside(HTZ_GRID_PLAIN, &by_matrix, why);
  st = st ? st : lay_beside(HTZ_GRID_NEWTON, &by_newton, why);
  if (!st) {
    willemsen_find(report, "eq. (30) corrected against `plain`,", "farthest of a step, of the swing", "", 0.0, by_matrix.apart,
                   1e-13, "from the same states, 50 ms");
    willemsen_find(report, "eqs. (34)-(39) corrected against `newton`,", "the same", "", 0.0, by_newton.apart, 1e-13,
                   "with the plus sign; the difference quotient has lost digits where eta+ is near eta-");
    willemsen_find(report, "eqs. (34)-(39)", "most iterations", "", none, by_newton.most, none, "plain Newton and Raphson");
    willemsen_find(report, "eqs. (34)-(39)", "steps that did not end", "", none, by_newton.lost, none, "of 100 iterations");
  }
  return st;
}

const htz_lab_experiment htz_experiment_willemsen_mass_spring_string = {
    .name = "willemsen-mass-spring-string",
    .paper = WILLEMSEN_PAPER "section 6 and 6.1, eqs. (28)-(39)",
    .title = "A mass on a spring against a string: non-iterative and Newton side by side",
    .about = "5 g on a spring of 30 Hz, thrown up at 1 m/s against a steel string of 1 m, 1 mm, 100 Hz, 100 intervals, at 0.3 "
             "of its\n"
             "length, K 1e7, alpha 1.3 (ours). 44.1 kHz, 1 s. Two findings lay the paper's own equations beside the network "
             "step by step:\n"
             "(30) with g^2/4 where it prints g^2/k^2, and (34), (39) with a plus where it prints a minus.",
    WILLEMSEN_TABLE(2, {"u", "m"}, {"w", "m"}, {"u_energy", "J"}, {"w_energy", "J"}),
    WILLEMSEN_ENERGY_PLOT(0.05, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST + 2, "in the string", false},
                          {WILLEMSEN_TIME, WILLEMSEN_FIRST + 3, "in the mass", false}),
    WILLEMSEN_PLACES_PLOT(0.05, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST, "string", false},
                          {WILLEMSEN_TIME, WILLEMSEN_FIRST + 1, "mass", false}),
    .run = run_mass};
