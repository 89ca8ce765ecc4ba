#include "solve.h"

#include <math.h>

/*
   Many contacts, such as the springs between all bars of an instrument: each feels the few others that meet it on a body. Their
   compliances are kept by rows, and the forces found in turn (Gauss and Seidel), which takes two or three rounds where a contact moves
   its bodies little within a step, and always gets there (solve_rt.c).
*/

enum { ROUNDS_MAX = 512 };

// Relative to what the greatest force moves its own points by in a step. What a force is off by moves them by C dF, and books F C dF: so
// many times less than F C F, which is itself a small part of what the contact stores.
static const double rows_tolerance = 1e-10;

/** True when contacts `a` and `b` meet on a body. */
static bool meet(const contact* a, const contact* b) {
  return a->desc.body_a == b->desc.body_a || a->desc.body_a == b->desc.body_b || a->desc.body_b == b->desc.body_a ||
         a->desc.body_b == b->desc.body_b;
}

/** Contacts on body `n` that meet `c` there, for the first time if `other` is not its body too, into the row. */
static size_t add_on_body(const htz_network* net, const node* n, const contact* c, const node* before, size_t used) {
  network_rows* rows = net->rows;
  for (size_t i = 0; i < n->n_contacts; ++i) {
    const contact* o = &net->contacts[n->contacts[i]];
    const bool again = before && (&net->nodes[o->desc.body_a] == before || &net->nodes[o->desc.body_b] == before);
    if (o != c && o->joined && !again && used < rows->room) {
      rows->other[used++] = rows->place[n->contacts[i]];
    }
  }
  return used;
}

static void lay_rows(htz_network* net) {
  network_rows* rows = net->rows;
  size_t used = 0;
  for (size_t j = 0; j < net->n_joined; ++j) {
    rows->place[net->joined[j]] = (uint32_t)j;
  }
  for (size_t j = 0; j < net->n_joined; ++j) {
    const contact* c = &net->contacts[net->joined[j]];
    rows->first[j] = (uint32_t)used;
    rows->other[used++] = (uint32_t)j;
    if (net->n_held) {
      for (size_t i = 0; i < net->n_joined; ++i) {
        if (i != j) {
          rows->other[used++] = (uint32_t)i;
        }
      }
    } else {
      const node *a = &net->nodes[c->desc.body_a], *b = &net->nodes[c->desc.body_b];
      used = add_on_body(net, a, c, NULL, used);
      used = a == b ? used : add_on_body(net, b, c, a, used);
    }
  }
  rows->first[net->n_joined] = (uint32_t)used;
  for (size_t l = 0; l < NETWORK_LEVELS; ++l) {
    rows->known[l] = false;
  }
  rows->laid = true;
}

static void fill_rows(htz_network* net, unsigned level) {
  network_rows* rows = net->rows;
  for (size_t j = 0; j < net->n_joined; ++j) {
    contact* c = &net->contacts[net->joined[j]];
    rows->value[level][rows->first[j]] = htz_network_self(net, level, c);
    for (size_t e = rows->first[j] + 1; e < rows->first[j + 1]; ++e) {
      const contact* o = &net->contacts[net->joined[rows->other[e]]];
      rows->value[level][e] = net->n_held || meet(c, o) ? htz_network_coupling(net, level, c, o) : 0.0;
    }
  }
  rows->known[level] = true;
}

/** Increment of contact number `i` under the forces of all others. */
static inline double under_others(const htz_network* net, unsigned level, size_t i, double* own) {
  const network_rows* rows = net->rows;
  const double *row = rows->value[level], *force = rows->force;
  const uint32_t* others = rows->other;
  const size_t first = rows->first[i], end = rows->first[i + 1];
  double s = net->contacts[net->joined[i]].s_free;
  for (size_t e = first + 1; e < end; ++e) {
    s -= row[e] * force[others[e]];
  }
  *own = row[first];
  return s;
}

/**
   A two-sided contact, by one step of Newton from where it is: its force is smooth, and another round takes the next step.

   @return how far that moved it [m]
*/
static double newton_once(contact* c, double own, double s_free, double d) {
  c->to = htz_law_over_step(c, c->s, d);
  const double move = -(c->s - s_free + own * c->to.force) / (1.0 + own * c->to.slope);
  c->s += move;
  htz_law_follow(&c->to, move);
  c->force = htz_settle_force(&c->to, own, s_free, c->s, false);
  return move;
}

/** One round over all contacts. @return true when it changed nothing that counts */
static bool settle_round(htz_network* net, unsigned level, double d, bool first) {
  double* force = net->rows->force;
  double change = 0.0, size = htz_solve_nothing, own;
  double farthest = 0.0, scale = htz_solve_nothing; // of steps of Newton, and of what they are taken from
  for (size_t j = 0; j < net->n_joined; ++j) {
    contact* c = &net->contacts[net->joined[j]];
    if (!c->active) {
      continue;
    }
    const double s_free = under_others(net, level, j, &own);
    if (c->desc.law.cls->one_sided || !(own > 0.0)) {
      htz_network_solve_scalar(net, c, own, s_free, d, s_free - own * force[j]);
    } else {
      c->s = first ? s_free - own * force[j] : c->s;
      const double move = newton_once(c, own, s_free, d), at = fabs(c->s) + fabs(c->eta);
      farthest = move > farthest ? move : -move > farthest ? -move : farthest;
      scale = at > scale ? at : scale;
      ++net->counters.iterations;
    }
    const double moved = own * (c->force - force[j]), all = own * c->force;
    change = moved > change ? moved : -moved > change ? -moved : change;
    size = all > size ? all : -all > size ? -all : size;
    force[j] = c->force;
  }
  ++net->counters.sweeps;
  // What a step of Newton leaves is its square.
  return farthest <= htz_last_move * scale && change <= rows_tolerance * size;
}

bool htz_network_solve_rows(htz_network* net, unsigned level, double d) {
  double* force = net->rows->force;
  bool settled = false;
  double own;
  if (!net->rows->laid) {
    lay_rows(net);
  }
  if (!net->rows->known[level]) {
    fill_rows(net, level);
  }
  for (size_t j = 0; j < net->n_joined; ++j) {
    const contact* c = &net->contacts[net->joined[j]];
    force[j] = c->active ? htz_expected_force(c) : 0.0; // they go on as they went
  }
  for (int round = 0; round < ROUNDS_MAX && !settled; ++round) {
    settled = settle_round(net, level, d, round == 0);
  }
  for (size_t j = 0; j < net->n_joined; ++j) {
    contact* c = &net->contacts[net->joined[j]];
    if (c->active) {
      c->s = under_others(net, level, j, &own) - own * c->force;
      c->to_at_s = false; // the last round moved the others after it
    }
  }
  return settled;
}
