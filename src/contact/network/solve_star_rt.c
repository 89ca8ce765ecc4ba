#include "solve.h"

#include "hertzian/contact/law_fade.h"
#include "hertzian/dsp/pow_rt.h"

/*
   A hammer on a unison, or several on one place of a body: all contacts press on one point of a common body, the hub, and each on a body
   of its own. With D the slopes of the laws, Newton's matrix is I + (diag(own) + hub 1 1^T) D, and (Sherman and Morrison)

     move_i = w_i (-r_i - hub S),  w_i = 1/(1 + own_i D_i),  S = sum D_i move_i = -sum D_i w_i r_i / (1 + hub sum D_i w_i).

   A hammer is as hard for one string as for the next, so what Hunt and Crossley's law (law_power_rt.c) and felt (law_stulov_rt.c) take
   from their parameters is worked out once for all of them. The laws are taken in the same way here, except that over a small step what
   is stored at its end follows from the force, V+ = V + Q s, and no power is wanted.
*/

enum {
  STAR_CONTACTS_MAX = NEWTON_CONTACTS_MAX,
  STAR_NEWTON_MAX = 12 // it takes two or three; a start so bad that this is not enough is left to the general solver
};

// As in law_power_rt.c: below this |s/eta| the binomial series is taken, to so many terms.
static const double series_limit = 0.03;
enum { TERMS = 8 };

/** Hunt and Crossley's law over one step, or Stulov's: F = max(0, kept Q - lost h), h the memory. */
typedef struct {
  double stiffness, exponent;
  double share;           // 1/(alpha + 1)
  double rate;            // mu/d [1/m]; 0 of felt
  double kept, lost;      // 1 - epsilon (1 - m), epsilon m Q0 [N/m^p]; 1 and 0 of what does not relax
  double binomial[TERMS]; // binom(alpha + 1, j + 1)/(alpha + 1)
} power;

typedef struct {
  size_t n;
  bool is_power; // all of them press by this law, with these parameters
  power law;
  contact* c[STAR_CONTACTS_MAX];
  double own[STAR_CONTACTS_MAX]; // compliance of each contact's own body [m/N]
  double hub;                    // that of the common one
  double s[STAR_CONTACTS_MAX];
  double residual[STAR_CONTACTS_MAX];
} star;

/** One end of a contact. */
typedef struct {
  uint32_t body, point;
} place;

static place end_of(const contact* c, bool second) {
  const htz_contact_desc* d = &c->desc;
  return second ? (place){d->body_b, d->point_b} : (place){d->body_a, d->point_a};
}

/** C_pq [m/N] */
static double between(const htz_network* net, unsigned level, place p, uint32_t q) {
  htz_body* body = net->nodes[p.body].body;
  return body->cls->compliance(body, level, p.point, q);
}

/** With the hub at the contacts' first ends, or at their second ones. */
static bool collect(htz_network* net, unsigned level, bool second, star* w) {
  w->n = net->n_active;
  w->c[0] = &net->contacts[net->active[0]];
  const place hub = end_of(w->c[0], second);
  w->hub = between(net, level, hub, hub.point);
  for (size_t i = 0; i < w->n; ++i) {
    w->c[i] = &net->contacts[net->active[i]];
    const place common = end_of(w->c[i], second), apart = end_of(w->c[i], !second);
    if (common.body != hub.body || apart.body == hub.body || w->c[i]->desc.direction != w->c[0]->desc.direction) {
      return false;
    }
    // Another point at the same place: C is semidefinite, so these three are only equal where everything moves them alike.
    if (common.point != hub.point &&
        (between(net, level, common, common.point) != w->hub || between(net, level, common, hub.point) != w->hub)) {
      return false;
    }
    for (size_t j = 0; j < i; ++j) {
      if (end_of(w->c[j], !second).body == apart.body) {
        return false;
      }
    }
    w->own[i] = between(net, level, apart, apart.point);
  }
  return true;
}

/** Take up the law if it is the same power law for all. */
static void collect_law(star* w, double d) {
  static const double one_over[TERMS] = {1.0, 1.0 / 2.0, 1.0 / 3.0, 1.0 / 4.0, 1.0 / 5.0, 1.0 / 6.0, 1.0 / 7.0, 1.0 / 8.0};
  const htz_law* first = &w->c[0]->desc.law;
  const bool felt = first->cls == &htz_law_stulov;
  w->is_power = felt || first->cls == &htz_law_hunt_crossley;
  for (size_t i = 1; i < w->n; ++i) {
    const htz_law* law = &w->c[i]->desc.law;
    w->is_power = w->is_power && law->cls == first->cls && law->p[0] == first->p[0] && law->p[1] == first->p[1] &&
                  law->p[2] == first->p[2] && law->p[3] == first->p[3];
  }
  if (!w->is_power) {
    return;
  }
  power* k = &w->law;
  k->stiffness = first->p[0];
  k->exponent = first->p[1];
  k->share = 1.0 / (k->exponent + 1.0);
  k->rate = felt ? 0.0 : first->p[2] / d;
  k->kept = 1.0;
  k->lost = 0.0;
  if (felt) {
    double rest, mean;
    htz_law_fade(d / first->p[3], &rest, &mean);
    k->kept = 1.0 - first->p[2] * (1.0 - mean);
    k->lost = first->p[2] * mean * k->stiffness;
  }
  k->binomial[0] = 1.0;
  for (int j = 1; j < TERMS; ++j) {
    k->binomial[j] = k->binomial[j - 1] * (k->exponent + 1.0 - j) * one_over[j];
  }
}

/** The quotient Q of a small step and its slope. */
static inline double near_quotient(const power* k, const htz_law_state* from, double s, double* slope) {
  const double r = s / from->eta;
  double sum = k->binomial[TERMS - 1];
  double rise = 0.0;
  for (int j = TERMS - 2; j >= 0; --j) {
    rise = rise * r + sum;
    sum = sum * r + k->binomial[j];
  }
  *slope = from->force / from->eta * rise;
  return from->force * sum;
}

static inline htz_law_value power_over(const power* k, const htz_law_state* from, double s) {
  const double end = from->eta + s;
  htz_law_value out = {0.0, 0.0, 0.0, 0.0, 0.0};
  if (!(from->eta > 0.0) && !(end > 0.0)) {
    return out;
  }
  double q, slope;
  if (from->eta > 0.0 && s < series_limit * from->eta && s > -series_limit * from->eta) {
    q = near_quotient(k, from, s, &slope);
    out.stored = from->stored + q * s;
    out.elastic = out.stored * (k->exponent + 1.0) / end;
  } else {
    out.elastic = end > 0.0 ? k->stiffness * htz_pow_rt(end, k->exponent) : 0.0;
    out.stored = end > 0.0 ? out.elastic * end * k->share : 0.0;
    q = (out.stored - from->stored) / s;
    slope = (out.elastic - q) / s;
  }
  out.stiffness = end > 0.0 ? k->exponent * out.elastic / end : 0.0;
  const double loss = k->kept + k->rate * s, force = q * loss - k->lost * from->memory;
  if (k->lost > 0.0 ? force > 0.0 : loss > 0.0) {
    out.force = force;
    out.slope = slope * loss + q * k->rate;
  }
  return out;
}

/** Increments under the forces expected. @return the size of the free ones. */
static double start(star* w) {
  double scale = htz_solve_nothing;
  double sum = 0.0;
  for (size_t i = 0; i < w->n; ++i) {
    const double force = htz_expected_force(w->c[i]);
    sum += force;
    w->s[i] = w->c[i]->s_free - w->own[i] * force;
    const double size = w->c[i]->s_free < 0.0 ? -w->c[i]->s_free : w->c[i]->s_free;
    scale = size > scale ? size : scale;
  }
  for (size_t i = 0; i < w->n; ++i) {
    w->s[i] -= w->hub * sum;
  }
  return scale;
}

/** As htz_solve_largest(): NaN when one is. */
static inline double largest(size_t n, const double* values) {
  double m = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double size = fabs(values[i]);
    m = size <= m ? m : size; // NaN stays
    if (m != m) {
      return m;
    }
  }
  return m;
}

static double evaluate(star* w, double d) {
  double sum = 0.0;
  for (size_t i = 0; i < w->n; ++i) {
    contact* c = w->c[i];
    c->to = w->is_power ? power_over(&w->law, &c->from, w->s[i]) : htz_law_over_step(c, w->s[i], d);
    sum += c->to.force;
  }
  for (size_t i = 0; i < w->n; ++i) {
    w->residual[i] = w->s[i] - w->c[i]->s_free + w->own[i] * w->c[i]->to.force + w->hub * sum;
  }
  return largest(w->n, w->residual);
}

/** Newton's step from the residual. @return its size. */
static double newton_move(const star* w, double* move) {
  double share[STAR_CONTACTS_MAX];
  double stiff = 0.0, pull = 0.0;
  for (size_t i = 0; i < w->n; ++i) {
    const double slope = w->c[i]->to.slope;
    share[i] = 1.0 / (1.0 + w->own[i] * slope);
    stiff += slope * share[i];
    pull -= slope * share[i] * w->residual[i];
  }
  const double sum = pull / (1.0 + w->hub * stiff);
  for (size_t i = 0; i < w->n; ++i) {
    move[i] = share[i] * (-w->residual[i] - w->hub * sum);
  }
  return largest(w->n, move);
}

/** True when every contact that still presses moves by a share of its penetration that the force does not notice. */
static bool all_small(const star* w, const double* move) {
  for (size_t i = 0; i < w->n; ++i) {
    const double end = w->c[i]->eta + w->s[i];
    if (!(fabs(move[i]) <= htz_last_share * end)) {
      return false;
    }
  }
  return true;
}

/** Forces in turn, each from whichever of law and displacement has the digits, then the increments from the forces. */
static void settle(star* w) {
  double sum = 0.0;
  for (size_t i = 0; i < w->n; ++i) {
    w->c[i]->force = w->c[i]->to.force;
    sum += w->c[i]->force;
  }
  for (size_t i = 0; i < w->n; ++i) {
    contact* c = w->c[i];
    sum -= c->force;
    c->force = htz_settle_force(&c->to, w->own[i] + w->hub, c->s_free - w->hub * sum, w->s[i], c->desc.law.cls->one_sided);
    sum += c->force;
  }
  for (size_t i = 0; i < w->n; ++i) {
    w->c[i]->s = w->c[i]->s_free - w->own[i] * w->c[i]->force - w->hub * sum;
    w->c[i]->to_at_s = true;
  }
}

bool htz_network_solve_star(htz_network* net, unsigned level, double d) {
  star w;
  // Joins tie the bodies together.
  if (net->n_held || !(collect(net, level, false, &w) || collect(net, level, true, &w))) {
    return false;
  }
  collect_law(&w, d);
  const double scale = start(&w);
  double before = HUGE_VAL;
  for (int n = 1; n <= STAR_NEWTON_MAX; ++n) {
    const double norm = evaluate(&w, d);
    if (!(norm < before)) {
      return false; // the general solver shortens such steps
    }
    before = norm;
    double move[STAR_CONTACTS_MAX];
    const double size = newton_move(&w, move);
    if (!isfinite(size)) {
      return false;
    }
    const bool last = size <= htz_last_move * scale || norm <= htz_solve_tolerance * scale || all_small(&w, move);
    for (size_t i = 0; i < w.n; ++i) {
      w.s[i] += move[i];
      if (last) {
        htz_law_follow(&w.c[i]->to, move[i]);
      }
    }
    if (last) {
      net->counters.iterations += (uint64_t)n;
      settle(&w);
      return true;
    }
  }
  return false;
}
