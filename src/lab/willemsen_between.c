#include "willemsen_direct.h"

#include <math.h>

// All parameters of this file are ours.
enum { STRING, MASS, BARRIER, INTERVALS = 100, AT = 40 };
static const double length = 1.0, hz = 100.0;                          // of the string [m], [Hz]
static const double where = (double)AT / INTERVALS;                    // the mass is there
static const double mass = 2e-3;                                       // [kg]
static const double stiffness = 1e7, exponent = 1.3;                   // K [N/m^alpha], alpha, of both contacts
static const double below = 1e-3;                                      // the barrier, under the mass [m]
static const double thrown_at = 0.3, thrown_width = 0.1, speed = -5.0; // fractions, [m/s]
static const double picture = 0.05;                                    // [s]

static htz_status make(htz_grid_method method, willemsen_system* s, const char** why) {
  htz_status st = willemsen_string(s, length, hz, INTERVALS, 1, why);
  st = st ? st : willemsen_mass(s, mass, 0.0, why);
  st = st ? st : willemsen_barrier(s);
  if (st) {
    return st;
  }
  htz_grid_place(s->bodies[STRING], 0, where, 0.0);
  htz_grid_kick(s->bodies[STRING], thrown_at, 0.0, thrown_width, speed);
  const htz_grid_contact_desc common = {.force = HTZ_GRID_COLLISION,
                                        .method = method,
                                        .stiffness = stiffness,
                                        .exponent = exponent,
                                        .direction = 1.0,
                                        .enabled = true};
  htz_grid_contact_desc contacts[] = {common, common};
  contacts[0].body_a = MASS; // (95e): eta_M = w - u
  contacts[0].body_b = STRING;
  contacts[1].body_a = BARRIER; // (95f): eta_B = b - w
  contacts[1].body_b = MASS;
  contacts[1].gap = below;
  return willemsen_join(s, &(htz_grid_network_desc){.n_contacts = 2, .contacts = contacts}, why);
}

/** What appendix E steps: both contacts, and the states at the point of contact. */
typedef struct {
  direct_string string;
  direct_psi on_string, on_barrier;
  double w, w_before;
} between;

/** The matrix of appendix E, /k where it prints /4M, and all of the string's terms; next displacements of string and mass. */
static void appendix_e(between* b, double next[2]) {
  const double k = b->string.k, k2 = k * k;
  const double line = b->string.density * b->string.h;
  const double u = b->string.grid->now[b->string.at[2]], u_before = b->string.grid->before[b->string.at[2]];
  const double g_m = direct_g(&b->on_string, b->w - u), g_b = direct_g(&b->on_barrier, -below - b->w);
  const double f_m = g_m * b->on_string.psi, f_b = g_b * b->on_barrier.psi;
  const double u_free = direct_string_free(&b->string);
  const double at_barrier = -(b->w - b->w_before) / k + 0.5 * k / mass * (f_m - f_b);
  double a[3][3] = {{1.0 + 0.25 * k2 * g_b * g_b / mass, -0.25 * k2 * g_m * g_m / mass},
                    {-0.25 * k2 * g_b * g_b / mass, 1.0 + 0.25 * k2 * g_m * g_m / mass + 0.25 * k2 * g_m * g_m / line}};
  double v[3] = {at_barrier, -at_barrier - 0.5 * (u_free - u_before) / k - 0.5 * k * f_m / line};
  direct_solve(2, a, v);
  const double eta_m_before = b->w_before - u_before;
  next[1] = b->w_before - 2.0 * k * v[0];                // (97)
  next[0] = -2.0 * k * v[0] + u_before - 2.0 * k * v[1]; // (102)
  direct_psi_step(&b->on_string, g_m, next[1] - next[0], eta_m_before);
  direct_psi_step(&b->on_barrier, g_b, -next[1], -b->w_before);
}

static htz_status lay_beside(htz_lab_report* report, const char** why) {
  willemsen_system s;
  willemsen_begin(&s);
  const htz_status st = make(HTZ_GRID_PLAIN, &s, why);
  if (!st) {
    between b = {.string = {.density = WILLEMSEN_LINE_DENSITY, .bending = WILLEMSEN_BENDING},
                 .on_string = {.stiffness = stiffness, .exponent = exponent},
                 .on_barrier = {.stiffness = stiffness, .exponent = exponent}};
    double apart = 0.0, swing = 0.0;
    direct_string_about(&b.string, s.bodies[STRING], where);
    for (long i = 0; i < lrint(picture * WILLEMSEN_RATE); ++i) {
      double next[2];
      b.w = htz_grid_now(s.bodies[MASS], 0);
      b.w_before = htz_grid_before(s.bodies[MASS], 0);
      appendix_e(&b, next);
      htz_grid_network_step(s.network);
      const double u = htz_grid_now(s.bodies[STRING], 0), w = htz_grid_now(s.bodies[MASS], 0);
      apart = fmax(apart, fmax(fabs(next[0] - u), fabs(next[1] - w)));
      swing = fmax(swing, fabs(u));
    }
    willemsen_find(report, "appendix E corrected against `plain`,", "farthest of a step, of the swing", "", 0.0, apart / swing,
                   1e-12, "from the same states, 50 ms");
  }
  willemsen_free(&s);
  return st;
}

static htz_status run(htz_lab_report* report, const char** why) {
  const willemsen_plan plan = {.make = make, .n_places = 2, .places = {{STRING, 0}, {MASS, 0}}, .picture = picture};
  const htz_status st = willemsen_run(report, &plan, NULL, why);
  return st ? st : lay_beside(report, why);
}

const htz_lab_experiment htz_experiment_willemsen_mass_between = {
    .name = "willemsen-mass-between",
    .paper = WILLEMSEN_PAPER "appendices C and E, eqs. (93), (95)-(103)",
    .title = "A free mass between a string and a barrier",
    .about = "2 g between a steel string of 1 m, 1 mm, 100 Hz, 100 intervals, which it touches at 0.4 of the length, and a "
             "barrier 1 mm\n"
             "below, K 1e7, alpha 1.3; the string is thrown down at 5 m/s about 0.3 (ours). 44.1 kHz, 1 s. The two contacts "
             "share the\n"
             "mass and are solved together; a finding lays appendix E's matrix beside that, its misprints put right.",
    WILLEMSEN_TABLE(2, {"u", "m"}, {"w", "m"}, {"u_energy", "J"}, {"w_energy", "J"}),
    WILLEMSEN_ENERGY_PLOT(0.05, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST + 2, "in the string", false},
                          {WILLEMSEN_TIME, WILLEMSEN_FIRST + 3, "in the mass", false}),
    WILLEMSEN_PLACES_PLOT(0.05, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST, "string", false},
                          {WILLEMSEN_TIME, WILLEMSEN_FIRST + 1, "mass", false}),
    .run = run};
