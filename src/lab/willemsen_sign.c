#include "willemsen.h"

#include <math.h>

// All parameters of this file are ours.
static const double mass = 0.01, hz = 50.0;          // [kg]
static const double stiffness = 1e7, exponent = 1.3; // K [N/m^alpha], alpha
static const double barrier = 1e-3;                  // b, above the mass [m]
static const double speed = 1.0;                     // towards it [m/s]
static const double picture = 0.05;                  // [s]
static const double two_pi = 6.28318530717958648;

enum { TIME, U, ABOVE, BELOW, COLUMNS, EVERY = 20 };

static const double as_111 = 1.0, inverted = -1.0; // the potential's argument is sign (u - b)

static double potential(double eta) {
  return eta > 0.0 ? stiffness / (exponent + 1.0) * pow(eta, exponent + 1.0) : 0.0;
}

static double push(double eta) {
  return eta > 0.0 ? stiffness * pow(eta, exponent) : 0.0;
}

/** [phi(sign (r - a)) - phi(-sign a)]/r and its slope. */
static double quotient(double sign, double r, double a, double* slope) {
  const double near = 1e-5; // of a: there the midpoint has more digits than the difference
  const double from = -sign * a, to = sign * (r - a);
  if (fabs(r) < near * fabs(a)) {
    *slope = 0.0;
    return sign * push(0.5 * (from + to));
  }
  const double q = (potential(to) - potential(from)) / r;
  *slope = (sign * push(to) - q) / r;
  return q;
}

/** (111) for u^(n+1): it rises with r at least as fast as r, so the root is bracketed by its value at one point. */
static double next_of(double sign, double u, double before, double k) {
  enum { MOST = 200, FREE = 20 };
  const double a = barrier - before, omega = two_pi * hz, share = k * k / mass;
  const double rest = -2.0 * u + 2.0 * before + k * k * omega * omega * u;
  double r = -rest, lo = -HUGE_VAL, hi = HUGE_VAL;
  for (int i = 0; i < MOST; ++i) {
    double slope;
    const double value = r + rest + share * quotient(sign, r, a, &slope);
    lo = value <= 0.0 ? r : fmax(lo, r - value);
    hi = value >= 0.0 ? r : fmin(hi, r - value);
    double to = r - value / (1.0 + share * fmax(0.0, slope));
    to = to > lo && to < hi && i < FREE ? to : 0.5 * (lo + hi);
    if (to == r || value == 0.0) {
      break;
    }
    r = to;
  }
  return before + r;
}

/** Energy at the half step with a barrier above (as_111) or below. */
static double energy(double sign, double u, double before, double k) {
  const double omega = two_pi * hz, v = (u - before) / k;
  return 0.5 * mass * (v * v + omega * omega * u * before) +
         0.5 * (potential(sign * (u - barrier)) + potential(sign * (before - barrier)));
}

typedef struct {
  double change[2]; // of the energy with the barrier above, below; over the kinetic energy at first
  double top;       // [m]
  double apart;     // from the network
} seen;

static void follow(htz_lab_report* report, double sign, const char* series, const willemsen_system* s, seen* out) {
  const double k = 1.0 / WILLEMSEN_RATE, thrown = 0.5 * mass * speed * speed;
  double u = 0.0, before = -speed * k;
  const double first[2] = {energy(as_111, u, before, k), energy(inverted, u, before, k)};
  *out = (seen){{0.0, 0.0}, 0.0, 0.0};
  for (long i = 0; i < lrint(WILLEMSEN_SECONDS * WILLEMSEN_RATE); ++i) {
    const double now[2] = {energy(as_111, u, before, k), energy(inverted, u, before, k)};
    if ((double)i * k <= picture || i % EVERY == 0) {
      const double row[COLUMNS] = {[TIME] = (double)i * k, [U] = u, [ABOVE] = now[0], [BELOW] = now[1]};
      htz_lab_row(report, series, row);
    }
    for (int j = 0; j < 2; ++j) {
      out->change[j] = fmax(out->change[j], fabs(now[j] - first[j]) / thrown);
    }
    out->top = fmax(out->top, u);
    if (s && (double)i * k <= picture) {
      out->apart = fmax(out->apart, fabs(u - htz_grid_now(s->bodies[0], 0)));
      htz_grid_network_step(s->network);
    }
    const double to = next_of(sign, u, before, k);
    before = u;
    u = to;
  }
}

static htz_status make(willemsen_system* s, const char** why) {
  htz_status st = willemsen_mass(s, mass, hz, why);
  st = st ? st : willemsen_barrier(s);
  if (!st) {
    const htz_grid_contact_desc contact = {.force = HTZ_GRID_COLLISION,
                                           .method = HTZ_GRID_NEWTON,
                                           .stiffness = stiffness,
                                           .exponent = exponent,
                                           .body_a = 0,
                                           .body_b = 1,
                                           .direction = 1.0,
                                           .gap = barrier,
                                           .enabled = true};
    htz_grid_kick(s->bodies[0], 0.0, 0.0, 1.0, speed);
    st = willemsen_join(s, &(htz_grid_network_desc){.n_contacts = 1, .contacts = &contact}, why);
  }
  return st;
}

static htz_status run(htz_lab_report* report, const char** why) {
  const double none = (double)NAN;
  willemsen_system s;
  willemsen_begin(&s);
  const htz_status st = make(&s, why);
  if (!st) {
    seen right, wrong;
    follow(report, as_111, "eq-111", &s, &right);
    follow(report, inverted, "inverted", NULL, &wrong);
    willemsen_find(report, "(111):", "greatest change of energy, barrier above", "", 0.0, right.change[0], WILLEMSEN_ALLOWED,
                   "of the energy thrown in, 1 s: the sign is right");
    willemsen_find(report, "(111):", "against `newton`, of the gap", "", 0.0, right.apart / barrier, WILLEMSEN_ALLOWED,
                   "50 ms, each by itself");
    willemsen_find(report, "(111):", "highest the mass gets", "m", none, right.top, none, "the barrier is at 1 mm");
    willemsen_find(report, "inverted:", "greatest change of energy, barrier above", "", none, wrong.change[0], none,
                   "of the energy thrown in: not this system");
    willemsen_find(report, "inverted:", "greatest change of energy, barrier below", "", 0.0, wrong.change[1],
                   WILLEMSEN_ALLOWED * energy(inverted, 0.0, 0.0, 1.0 / WILLEMSEN_RATE) / (0.5 * mass * speed * speed),
                   "the same numbers obey a barrier that the mass has started under, pushed up by it");
    willemsen_find(report, "inverted:", "highest the mass gets", "m", none, wrong.top, none, "it goes through");
  }
  willemsen_free(&s);
  return st;
}

const htz_lab_experiment htz_experiment_willemsen_sign = {
    .name = "willemsen-sign",
    .paper = WILLEMSEN_PAPER "appendix F, eqs. (104)-(111)",
    .title = "Which sign has the argument of phi: (111) or its inverse",
    .about = "10 g on a spring of 50 Hz thrown up at 1 m/s, a barrier 1 mm above, K 1e7, alpha 1.3 (ours), 44.1 kHz, 1 s. "
             "(111) is stepped\n"
             "as it stands, with phi(r - a) - phi(-a), and with both arguments inverted as in the paper it questions. The "
             "answer: with\n"
             "eta = u - b, a barrier above, (111) is right. Inverted arguments belong to eta = b - u, a barrier below: the "
             "scheme then\n"
             "keeps an energy too, but that of another system.",
    .n_columns = COLUMNS,
    .columns = {{"time", "s"}, {"u", "m"}, {"total_above", "J"}, {"total_below", "J"}},
    .plot = {.x_label = "time [s]",
             .y_label = "energy with the barrier above [J]",
             .n_curves = 1,
             .curves = {{TIME, ABOVE, NULL, false}},
             .x_most = 0.05},
    .beside = {.x_label = "time [s]",
               .y_label = "displacement [m]",
               .n_curves = 1,
               .curves = {{TIME, U, NULL, false}},
               .x_most = 0.05},
    .run = run};
