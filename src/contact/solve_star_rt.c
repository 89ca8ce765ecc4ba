#include "solve.h"

/*
   A hammer on a unison: all contacts press on one point of a common body, the hub, and each on a body of its own. With D the slopes of
   the laws, Newton's matrix is I + (diag(own) + hub 1 1^T) D, and (Sherman and Morrison)

     move_i = w_i (-r_i - hub S),  w_i = 1/(1 + own_i D_i),  S = sum D_i move_i = -sum D_i w_i r_i / (1 + hub sum D_i w_i).
*/

enum {
  STAR_CONTACTS_MAX = NEWTON_CONTACTS_MAX,
  STAR_NEWTON_MAX = 12 // it takes two or three; a start so bad that this is not enough is left to the general solver
};

typedef struct {
  size_t n;
  contact* c[STAR_CONTACTS_MAX];
  double own[STAR_CONTACTS_MAX]; // compliance of each contact's own body [m/N]
  double hub;                    // that of the common one
  double s[STAR_CONTACTS_MAX];
  double residual[STAR_CONTACTS_MAX];
} star;

static bool collect(htz_network* net, unsigned level, star* w) {
  w->n = net->n_active;
  const htz_contact_desc* first = &net->contacts[net->active[0]].desc;
  for (size_t i = 0; i < w->n; ++i) {
    w->c[i] = &net->contacts[net->active[i]];
    const htz_contact_desc* desc = &w->c[i]->desc;
    if (desc->body_a != first->body_a || desc->point_a != first->point_a || desc->direction != first->direction ||
        desc->body_b == desc->body_a) {
      return false;
    }
    for (size_t j = 0; j < i; ++j) {
      if (w->c[j]->desc.body_b == desc->body_b) {
        return false;
      }
    }
    htz_body* body = net->nodes[desc->body_b].body;
    w->own[i] = body->cls->compliance(body, level, desc->point_b, desc->point_b);
  }
  htz_body* hub = net->nodes[first->body_a].body;
  w->hub = hub->cls->compliance(hub, level, first->point_a, first->point_a);
  return true;
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

static double evaluate(star* w, double d) {
  double sum = 0.0;
  for (size_t i = 0; i < w->n; ++i) {
    w->c[i]->to = htz_law_over_step(w->c[i], w->s[i], d);
    sum += w->c[i]->to.force;
  }
  for (size_t i = 0; i < w->n; ++i) {
    w->residual[i] = w->s[i] - w->c[i]->s_free + w->own[i] * w->c[i]->to.force + w->hub * sum;
  }
  return htz_solve_largest(w->n, w->residual);
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
  return htz_solve_largest(w->n, move);
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
  if (!collect(net, level, &w)) {
    return false;
  }
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
