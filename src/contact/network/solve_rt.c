#include "solve.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>

/*
   The contact equations of one step: s_i = s_free_i - sum_j C_ij F_j(s_j), every F_j a monotone discrete gradient, C symmetric
   positive semidefinite: the minimum of a convex function, so coordinate descent (Gauss-Seidel) always gets there, and Newton
   gets there fast.
*/

enum {
  SCALAR_MAX = 80, // Newton with bisection as its floor: 60 halvings exhaust a double
  NEWTON_MAX = 40,
  BACKTRACK_MAX = 6,
  SWEEPS_MAX = 512
};

double htz_network_between(htz_network* net, unsigned level, const htz_contact_desc* a, const htz_contact_desc* b) {
  double sum = 0.0;
  if (a->body_a == b->body_a) {
    htz_body* body = net->nodes[a->body_a].body;
    sum += body->cls->compliance(body, level, a->point_a, b->point_a);
  }
  if (a->body_b == b->body_b) {
    htz_body* body = net->nodes[a->body_b].body;
    sum += body->cls->compliance(body, level, a->point_b, b->point_b);
  }
  if (a->body_a == b->body_b) {
    htz_body* body = net->nodes[a->body_a].body;
    sum -= body->cls->compliance(body, level, a->point_a, b->point_b);
  }
  if (a->body_b == b->body_a) {
    htz_body* body = net->nodes[a->body_b].body;
    sum -= body->cls->compliance(body, level, a->point_b, b->point_a);
  }
  return a->direction * b->direction * sum;
}

double htz_network_coupling(htz_network* net, unsigned level, const contact* i, const contact* j) {
  if (net->dense) {
    return htz_along_row(net, level, (size_t)(i - net->contacts))[j - net->contacts];
  }
  const double sum = htz_network_between(net, level, &i->desc, &j->desc);
  return net->n_held ? sum - htz_network_joins_stiffen(net, level, i, j) : sum;
}

double htz_network_self(htz_network* net, unsigned level, contact* c) {
  if (isnan(c->self[level])) {
    c->self[level] = htz_network_coupling(net, level, c, c);
  }
  return c->self[level];
}

/** Both ends of where the root can be: s_free, and where it would be if the force at s_free acted. */
static void bracket(const contact* c, double compliance, double s_free, double d, double* low, double* high) {
  const double reach = s_free - compliance * htz_law_over_step(c, s_free, d).force;
  const double least = reach < s_free ? reach : s_free;
  const double most = reach < s_free ? s_free : reach;
  *low = *low > least ? *low : least;
  *high = *high < most ? *high : most;
}

/** Newton kept inside a bracket whose lower end is only worked out when it is needed; the upper end of a one-sided contact is s_free. */
bool htz_network_solve_scalar(htz_network* net, contact* c, double compliance, double s_free, double d, double guess) {
  if (!(compliance > 0.0)) {
    c->s = s_free;
    c->to = htz_law_over_step(c, s_free, d);
    c->force = c->to.force;
    c->to_at_s = true;
    return true;
  }
  const bool one_sided = c->desc.law.cls->one_sided;
  const double smaller = fabs(s_free) < fabs(c->eta) ? fabs(s_free) : fabs(c->eta);
  double low = -HUGE_VAL;
  double high = one_sided ? s_free : HUGE_VAL;
  double s = guess < high ? guess : s_free;
  bool found = false;
  int n = 0;
  for (; n < SCALAR_MAX && !found; ++n) {
    c->to = htz_law_over_step(c, s, d);
    const double f = s - s_free + compliance * c->to.force;
    low = f < 0.0 ? s : low;
    high = f > 0.0 ? s : high;
    double move = -f / (1.0 + compliance * c->to.slope);
    // In a very stiff step s is a small part of s_free, and the energy stored goes by s and eta.
    const double size = fabs(s) + smaller;
    // Newton's next error is of the order of the square of this move.
    const bool last = move <= htz_last_move * size && -move <= htz_last_move * size;
    found = last;
    if (!found && !(s + move >= low && s + move <= high)) {
      bracket(c, compliance, s_free, d, &low, &high);
      move = 0.5 * (low + high) - s;
      found = high - low <= htz_solve_nothing || move == 0.0;
    }
    s += move;
    if (last) {
      htz_law_follow(&c->to, move);
    } else if (found) {
      c->to = htz_law_over_step(c, s, d); // the bracket closed on a root that may be far from where the law was worked out
    }
  }
  net->counters.iterations += (uint64_t)n;
  c->force = htz_settle_force(&c->to, compliance, s_free, s, one_sided);
  c->s = s;
  c->to_at_s = true;
  return found;
}

double htz_solve_largest(size_t n, const double* r) {
  double m = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double a = r[i] < 0.0 ? -r[i] : r[i];
    m = a > m || isnan(a) ? a : m;
  }
  return m;
}

typedef struct {
  size_t n;
  contact* c[NEWTON_CONTACTS_MAX];
  double compliance[NEWTON_CONTACTS_MAX * NEWTON_CONTACTS_MAX];
  double s[NEWTON_CONTACTS_MAX];
  double residual[NEWTON_CONTACTS_MAX];
} dense;

/** Evaluate every law at w->s and the residual s - s_free + C F. @return its largest entry. */
static double dense_residual(dense* w, double d) {
  for (size_t i = 0; i < w->n; ++i) {
    w->c[i]->to = htz_law_over_step(w->c[i], w->s[i], d);
  }
  for (size_t i = 0; i < w->n; ++i) {
    double r = w->s[i] - w->c[i]->s_free;
    for (size_t j = 0; j < w->n; ++j) {
      r += w->compliance[i * w->n + j] * w->c[j]->to.force;
    }
    w->residual[i] = r;
  }
  return htz_solve_largest(w->n, w->residual);
}

/** Take forces in turn, each from whichever of law and displacement has the digits, then s from the forces. */
static void dense_settle(dense* w) {
  for (size_t i = 0; i < w->n; ++i) {
    w->c[i]->force = w->c[i]->to.force;
  }
  for (size_t i = 0; i < w->n; ++i) {
    double s_free = w->c[i]->s_free;
    for (size_t j = 0; j < w->n; ++j) {
      s_free -= j == i ? 0.0 : w->compliance[i * w->n + j] * w->c[j]->force;
    }
    w->c[i]->force =
        htz_settle_force(&w->c[i]->to, w->compliance[i * w->n + i], s_free, w->s[i], w->c[i]->desc.law.cls->one_sided);
  }
  for (size_t i = 0; i < w->n; ++i) {
    double s = w->c[i]->s_free;
    for (size_t j = 0; j < w->n; ++j) {
      s -= w->compliance[i * w->n + j] * w->c[j]->force;
    }
    w->c[i]->s = s;
  }
}

typedef enum { STEP_TAKEN, STEP_LAST, STEP_STUCK } newton_outcome;

/**
   One Newton step, shortened until the residual falls.

   @return STEP_LAST when it was so small that what it leaves, of the order of its square, is rounding; STEP_STUCK when the residual
   does not fall any more
*/
static newton_outcome newton_step(dense* w, double d, double scale, double* norm) {
  double matrix[NEWTON_CONTACTS_MAX * NEWTON_CONTACTS_MAX];
  double move[NEWTON_CONTACTS_MAX];
  double start[NEWTON_CONTACTS_MAX];
  for (size_t i = 0; i < w->n; ++i) {
    for (size_t j = 0; j < w->n; ++j) {
      matrix[i * w->n + j] = w->compliance[i * w->n + j] * w->c[j]->to.slope + (i == j ? 1.0 : 0.0);
    }
    move[i] = -w->residual[i];
    start[i] = w->s[i];
  }
  if (!htz_solve_dense(w->n, w->n, matrix, move)) {
    return STEP_STUCK;
  }
  if (htz_solve_largest(w->n, move) <= htz_last_move * scale) {
    for (size_t i = 0; i < w->n; ++i) {
      w->s[i] += move[i];
      htz_law_follow(&w->c[i]->to, move[i]);
    }
    *norm = 0.0;
    return STEP_LAST;
  }
  double share = 1.0;
  for (int b = 0; b < BACKTRACK_MAX; ++b) {
    for (size_t i = 0; i < w->n; ++i) {
      w->s[i] = start[i] + share * move[i];
    }
    const double now = dense_residual(w, d);
    if (now < *norm) {
      *norm = now;
      return STEP_TAKEN;
    }
    share *= 0.5;
  }
  for (size_t i = 0; i < w->n; ++i) {
    w->s[i] = start[i];
  }
  *norm = dense_residual(w, d);
  return STEP_STUCK;
}

static bool solve_newton(htz_network* net, unsigned level, double d) {
  dense w;
  w.n = net->n_active;
  double scale = htz_solve_nothing;
  for (size_t i = 0; i < w.n; ++i) {
    w.c[i] = &net->contacts[net->active[i]];
  }
  for (size_t i = 0; i < w.n; ++i) {
    w.s[i] = w.c[i]->s_free;
    for (size_t j = 0; j < w.n; ++j) {
      const bool known = j < i; // it is symmetric
      w.compliance[i * w.n + j] = known    ? w.compliance[j * w.n + i]
                                  : i == j ? htz_network_self(net, level, w.c[i])
                                           : htz_network_coupling(net, level, w.c[i], w.c[j]);
      // Forces go on as they went.
      w.s[i] -= w.compliance[i * w.n + j] * htz_expected_force(w.c[j]);
    }
    const double size = w.c[i]->s_free < 0.0 ? -w.c[i]->s_free : w.c[i]->s_free;
    scale = size > scale ? size : scale;
  }
  double norm = dense_residual(&w, d);
  newton_outcome outcome = STEP_TAKEN;
  int n = 0;
  for (; n < NEWTON_MAX && norm > htz_solve_tolerance * scale && outcome == STEP_TAKEN; ++n) {
    outcome = newton_step(&w, d, scale, &norm);
  }
  net->counters.iterations += (uint64_t)n + 1;
  // Stagnation at rounding counts as converged: the size of C F, not of s, sets the rounding of the residual.
  static const double stagnation = 1e-12;
  double carried = scale;
  for (size_t i = 0; i < w.n; ++i) {
    const double cf = w.compliance[i * w.n + i] * (w.c[i]->to.force < 0.0 ? -w.c[i]->to.force : w.c[i]->to.force);
    carried = cf > carried ? cf : carried;
  }
  dense_settle(&w);
  return norm <= stagnation * carried;
}

static bool solve_sweeps(htz_network* net, unsigned level, double d) {
  for (int sweep = 0; sweep < SWEEPS_MAX; ++sweep) {
    double change = 0.0;
    double size = htz_solve_nothing;
    for (size_t i = 0; i < net->n_active; ++i) {
      contact* c = &net->contacts[net->active[i]];
      double s_free = c->s_free;
      for (size_t j = 0; j < net->n_active; ++j) {
        const contact* other = &net->contacts[net->active[j]];
        s_free -= j == i ? 0.0 : htz_network_coupling(net, level, c, other) * other->force;
      }
      const double before = c->force;
      const double compliance = htz_network_self(net, level, c);
      htz_network_solve_scalar(net, c, compliance, s_free, d, c->s);
      const double moved = compliance * (c->force - before);
      const double all = compliance * c->force;
      change = moved > change ? moved : -moved > change ? -moved : change;
      size = all > size ? all : -all > size ? -all : size;
    }
    ++net->counters.sweeps;
    if (change <= htz_solve_tolerance * size) {
      return true;
    }
  }
  return false;
}

bool htz_network_solve(htz_network* net, unsigned level, double d) {
  if (net->n_active == 1) {
    contact* c = &net->contacts[net->active[0]];
    const double compliance = htz_network_self(net, level, c);
    // The force goes on as it went: one Newton step less than from the last force alone.
    return htz_network_solve_scalar(net, c, compliance, c->s_free, d, c->s_free - compliance * htz_expected_force(c));
  }
  if (net->dense) {
    const bool settled = htz_network_solve_dense(net, level, d);
    net->counters.newton_capped += !settled;
    return settled;
  }
  if (net->n_active <= NEWTON_CONTACTS_MAX) {
    if (htz_network_solve_star(net, level, d) || solve_newton(net, level, d)) {
      return true;
    }
    ++net->counters.newton_capped;
  }
  if (net->rows) {
    return htz_network_solve_rows(net, level, d);
  }
  if (!solve_sweeps(net, level, d)) {
    return false;
  }
  for (size_t i = 0; i < net->n_active; ++i) {
    contact* c = &net->contacts[net->active[i]];
    c->s = c->s_free;
    c->to_at_s = false; // the last sweep moved the others after it
    for (size_t j = 0; j < net->n_active; ++j) {
      const contact* other = &net->contacts[net->active[j]];
      c->s -= htz_network_coupling(net, level, c, other) * other->force;
    }
  }
  return true;
}
