#include "solve.h"

#include <math.h>

/*
   Contacts along a body: of many that may touch few do, and those feel each other strongly. With C the compliances of the active ones and D
   the slopes of their forces, a step of Newton's method on s - s_free + C F(s) = 0 is

     move = -G - C D^(1/2) z,   (I + D^(1/2) C D^(1/2)) z = -D^(1/2) G,

   over the contacts that press (D > 0). The matrix has no eigenvalue below 1, however close to each other the contacts are, so Cholesky's
   factors need no pivots. The function whose gradient this is is strictly convex: there is one solution.
*/

enum { NEWTON_MAX = 24, BACKTRACK_MAX = 5 };

static contact* active(const htz_network* net, size_t i) {
  return &net->contacts[net->active[i]];
}

/** The compliances of the active contacts, and increments under the forces that are expected. @return the size of what is solved for [m] */
static double begin(htz_network* net, unsigned level) {
  network_dense* w = net->dense;
  const size_t n = net->n_active;
  double scale = htz_solve_nothing;
  for (size_t i = 0; i < n; ++i) {
    w->s[i] = active(net, i)->s_free;
    const double size = fabs(w->s[i]);
    scale = size > scale ? size : scale;
  }
  for (size_t j = 0; j < n; ++j) {
    const double* pair = htz_along_row(net, level, net->active[j]);
    const double force = htz_expected_force(active(net, j));
    double* row = w->compliance + j * n; // it is symmetric
    for (size_t i = 0; i < n; ++i) {
      row[i] = pair[net->active[i]];
      w->s[i] -= row[i] * force;
    }
  }
  return scale;
}

/** Evaluate every law at s, and s - s_free + C F. @return the largest entry of that */
static double evaluate(htz_network* net, double d) {
  network_dense* w = net->dense;
  const size_t n = net->n_active;
  for (size_t i = 0; i < n; ++i) {
    contact* c = active(net, i);
    c->to = htz_law_over_step(c, w->s[i], d);
    w->residual[i] = w->s[i] - c->s_free;
  }
  for (size_t j = 0; j < n; ++j) {
    const double force = active(net, j)->to.force;
    const double* row = w->compliance + j * n; // it is symmetric
    for (size_t i = 0; force != 0.0 && i < n; ++i) {
      w->residual[i] += row[i] * force;
    }
  }
  return htz_solve_largest(n, w->residual);
}

/** Cholesky's factor of I + D^(1/2) C D^(1/2) over the contacts that press, and z in w->move [m^(1/2) ...]. @return how many press */
static size_t factor(htz_network* net) {
  network_dense* w = net->dense;
  const size_t n = net->n_active;
  size_t p = 0;
  for (size_t i = 0; i < n; ++i) {
    const double slope = active(net, i)->to.slope;
    if (slope > 0.0) {
      w->root[p] = sqrt(slope);
      w->pressed[p++] = (uint32_t)i;
    }
  }
  double* m = w->factor;
  for (size_t k = 0; k < p; ++k) {
    const double* row = w->compliance + w->pressed[k] * n;
    for (size_t i = 0; i <= k; ++i) {
      double sum = w->root[k] * row[w->pressed[i]] * w->root[i] + (i == k ? 1.0 : 0.0);
      for (size_t j = 0; j < i; ++j) {
        sum -= m[k * n + j] * m[i * n + j];
      }
      m[k * n + i] = i == k ? 1.0 / sqrt(sum > 1.0 ? sum : 1.0) : sum * m[i * n + i];
    }
  }
  return p;
}

/** The step of Newton's method from where the laws were evaluated, into w->move. @return its largest entry */
static double newton_move(htz_network* net) {
  network_dense* w = net->dense;
  const size_t n = net->n_active, p = factor(net);
  const double* m = w->factor;
  double* z = w->start; // free until a step is tried
  for (size_t k = 0; k < p; ++k) {
    double sum = -w->root[k] * w->residual[w->pressed[k]];
    for (size_t j = 0; j < k; ++j) {
      sum -= m[k * n + j] * z[j];
    }
    z[k] = sum * m[k * n + k];
  }
  for (size_t k = p; k-- > 0;) {
    double sum = z[k];
    for (size_t j = k + 1; j < p; ++j) {
      sum -= m[j * n + k] * z[j];
    }
    z[k] = sum * m[k * n + k];
  }
  for (size_t i = 0; i < n; ++i) {
    w->move[i] = -w->residual[i];
  }
  for (size_t k = 0; k < p; ++k) {
    const double* row = w->compliance + w->pressed[k] * n;
    const double force = w->root[k] * z[k];
    for (size_t i = 0; i < n; ++i) {
      w->move[i] -= row[i] * force;
    }
  }
  return htz_solve_largest(n, w->move);
}

/** Take the step, shortened until what is left falls. @return what is left; that of before, if it does not fall */
static double take(htz_network* net, double d, double before) {
  network_dense* w = net->dense;
  const size_t n = net->n_active;
  for (size_t i = 0; i < n; ++i) {
    w->start[i] = w->s[i];
  }
  double share = 1.0, now = before;
  for (int b = 0; b < BACKTRACK_MAX && !(now < before); ++b, share *= 0.5) {
    for (size_t i = 0; i < n; ++i) {
      w->s[i] = w->start[i] + share * w->move[i];
    }
    now = evaluate(net, d);
  }
  if (!(now < before)) {
    for (size_t i = 0; i < n; ++i) {
      w->s[i] = w->start[i];
    }
    now = evaluate(net, d);
  }
  return now;
}

/** Forces of the laws, in turn from the displacements where these have the digits; then increments from the forces. */
static void settle(htz_network* net) {
  network_dense* w = net->dense;
  const size_t n = net->n_active;
  for (size_t i = 0; i < n; ++i) {
    active(net, i)->force = active(net, i)->to.force;
  }
  for (size_t i = 0; i < n; ++i) {
    contact* c = active(net, i);
    const double* row = w->compliance + i * n;
    if (!(row[i] * c->to.slope > 1.0)) {
      continue; // its law has the digits
    }
    double s_free = c->s_free + row[i] * c->force;
    for (size_t j = 0; j < n; ++j) {
      s_free -= row[j] * active(net, j)->force;
    }
    c->force = htz_settle_force(&c->to, row[i], s_free, w->s[i], c->desc.law.cls->one_sided);
  }
  for (size_t i = 0; i < n; ++i) {
    contact* c = active(net, i);
    const double* row = w->compliance + i * n;
    c->s = c->s_free;
    for (size_t j = 0; j < n; ++j) {
      c->s -= row[j] * active(net, j)->force;
    }
    c->to_at_s = true;
  }
}

/** The largest of the terms that the residual is a sum of [m]. */
static double carried(const htz_network* net, double scale) {
  for (size_t i = 0; i < net->n_active; ++i) {
    const double moved = net->dense->compliance[i * net->n_active + i] * fabs(active(net, i)->to.force);
    scale = moved > scale ? moved : scale;
  }
  return scale;
}

bool htz_network_solve_dense(htz_network* net, unsigned level, double d) {
  network_dense* w = net->dense;
  bool few = false;
  if (htz_network_solve_touch(net, level, d, &few)) {
    return few;
  }
  const double scale = begin(net, level);
  const size_t n = net->n_active;
  double norm = evaluate(net, d);
  bool settled = norm <= htz_solve_tolerance * scale;
  int turns = 0;
  for (; turns < NEWTON_MAX && !settled && norm < HUGE_VAL; ++turns) {
    const double move = newton_move(net);
    if (move <= htz_last_move * scale) { // what it leaves is its square
      for (size_t i = 0; i < n; ++i) {
        w->s[i] += w->move[i];
        htz_law_follow(&active(net, i)->to, w->move[i]);
      }
      settled = true;
      continue;
    }
    const double before = norm;
    norm = take(net, d, norm);
    settled = norm <= htz_solve_tolerance * scale;
    if (!(norm < before)) {
      break;
    }
  }
  settled = settled || norm <= htz_solve_stagnation * carried(net, scale);
  net->counters.iterations += (uint64_t)turns + 1;
  settle(net);
  return settled;
}
