#include "solve.h"

#include <string.h>

/*
   Contacts along bodies: many places, of which few touch. What changes from step to step is kept side by side for all of them, so that
   those that are open cost a few operations each; a contact acts as others do while it touches.
*/

static const double far_below = -1e30; // [m] what is not watched never touches

static contact* contact_at(const htz_network* net, size_t i) {
  return &net->contacts[i];
}

/** Where the first of those watched stands, and the last. */
static void bound(htz_network* net) {
  network_dense* w = net->dense;
  w->first = w->lowest = w->width;
  w->end = 0;
  for (size_t i = 0; i < net->n_contacts; ++i) {
    if (contact_at(net, i)->watched) {
      w->first = i < w->first ? i / HTZ_LANES * HTZ_LANES : w->first;
      w->end = (i / HTZ_LANES + 1) * HTZ_LANES;
      w->lowest = i < w->lowest ? i : w->lowest;
      w->highest = i;
    }
  }
  w->first = w->end ? w->first : 0;
}

void htz_along_take(htz_network* net) {
  network_dense* w = net->dense;
  w->n_acting = 0;
  for (size_t i = 0; i < w->width; ++i) {
    w->eta[i] = i < net->n_contacts && contact_at(net, i)->watched ? contact_at(net, i)->eta : far_below;
  }
  bound(net);
}

void htz_along_forget(htz_network* net) {
  network_dense* w = net->dense;
  for (size_t l = 0; l < NETWORK_LEVELS; ++l) {
    memset(w->known[l], 0, net->n_contacts * sizeof(bool));
    w->taken_known[l] = false;
  }
  w->laid = false;
  w->touch.table.n = 0;
}

void htz_along_part(htz_network* net, bool came) {
  network_dense* w = net->dense;
  for (size_t i = 0; i < net->n_contacts; ++i) {
    contact* c = contact_at(net, i);
    if (c->watched) {
      c->eta = c->account.eta; // handed over
      c->from_known = c->active = false;
    }
  }
  htz_along_take(net);
  if (came) {
    htz_along_forget(net); // rows know nothing of those
  }
  w->laid = false;
}

void htz_along_hand_over(const htz_network* net) {
  const network_dense* w = net->dense;
  for (size_t i = 0; i < net->n_contacts; ++i) {
    contact* c = contact_at(net, i);
    if (c->watched) {
      c->account.eta = w->eta[i];
    }
  }
}

void htz_along_sample(htz_network* net) {
  network_dense* w = net->dense;
  for (size_t k = 0; k < w->n_sounding; ++k) {
    contact* c = contact_at(net, w->sounding[k]);
    c->account.force_mean = 0.0;
    c->sounded = false;
  }
  w->n_sounding = 0;
}

/** Slots of end `e` of all that are watched follow each other as they do, and the other end is the same for all. */
static bool in_a_row(const htz_network* net, size_t e) {
  const network_dense* w = net->dense;
  bool runs = w->end > w->first;
  for (size_t i = w->lowest; i <= w->highest && runs; ++i) {
    runs = contact_at(net, i)->watched && w->slot[e][i] == w->slot[e][w->lowest] + (i - w->lowest) &&
           w->slot[1 - e][i] == w->slot[1 - e][w->lowest];
  }
  return runs;
}

static void lay(htz_network* net) {
  network_dense* w = net->dense;
  for (size_t i = 0; i < w->width; ++i) {
    const contact* c = i < net->n_contacts ? contact_at(net, i) : NULL;
    const bool watched = c && c->watched, along = watched && c->desc.direction > 0.0;
    w->slot[0][i] = watched ? c->slot[along ? 0 : 1] : 0;
    w->slot[1][i] = watched ? c->slot[along ? 1 : 0] : 0;
  }
  w->runs[0] = in_a_row(net, 0);
  w->runs[1] = in_a_row(net, 1);
  w->laid = true;
}

/** How far the free steps bring the points together, into s_pushed. */
static void bring_together(htz_network* net) {
  network_dense* w = net->dense;
  const double* restrict rise = net->springs->rise;
  const uint32_t *a = w->slot[0], *b = w->slot[1];
  double* restrict to = w->s_pushed;
  if (w->runs[0] || w->runs[1]) {
    const double sign = w->runs[0] ? 1.0 : -1.0, other = rise[w->slot[w->runs[0] ? 1 : 0][w->lowest]];
    const double* restrict from = rise + w->slot[w->runs[0] ? 0 : 1][w->lowest];
    for (size_t i = w->lowest; i <= w->highest; ++i) {
      to[i] = sign * (from[i - w->lowest] - other);
    }
    return;
  }
  for (size_t i = w->first; i < w->end; ++i) {
    to[i] = rise[a[i]] - rise[b[i]];
  }
}

/** What the joins take of each. */
static void know_taken(htz_network* net, unsigned level) {
  network_dense* w = net->dense;
  for (size_t h = 0; h < net->n_held; ++h) {
    const join* j = &net->joins[net->held[h]];
    double* row = w->taken[level] + h * w->width;
    for (size_t i = 0; i < net->n_contacts; ++i) {
      const contact* c = contact_at(net, i);
      row[i] = c->watched ? htz_network_between(net, level, &j->between, &c->desc) : 0.0;
    }
  }
  w->taken_known[level] = true;
}

const double* htz_along_row(htz_network* net, unsigned level, size_t i) {
  network_dense* w = net->dense;
  double* row = w->pair[level] + i * w->width;
  if (!w->known[level][i]) {
    const contact* c = contact_at(net, i);
    for (size_t j = 0; j < net->n_contacts; ++j) {
      const contact* o = contact_at(net, j);
      row[j] = o->joined ? htz_network_between(net, level, &c->desc, &o->desc) : 0.0;
      row[j] -= o->joined && net->n_held ? htz_network_joins_stiffen(net, level, c, o) : 0.0;
    }
    w->known[level][i] = true;
  }
  return row;
}

/** Increments `from` under forces that take `rows` of all contacts [n_rows], of those that stand between the bounds. @return see the kernel */
static double push(const htz_network* net, const double* from, size_t n_rows, const double** rows, const double* force,
                   double* to) {
  const network_dense* w = net->dense;
  if (w->end == w->first) {
    return far_below;
  }
  for (size_t r = 0; r < n_rows; ++r) {
    rows[r] += w->first;
  }
  return net->springs->kernels->push(w->end - w->first, from + w->first, n_rows, rows, force, w->eta + w->first, to + w->first);
}

void htz_along_predict(htz_network* net, unsigned level) {
  network_dense* w = net->dense;
  const double* rows[HTZ_JOINS_MAX];
  double force[HTZ_JOINS_MAX];
  if (!w->laid) {
    lay(net);
  }
  if (!w->taken_known[level]) {
    know_taken(net, level);
  }
  for (size_t k = 0; k < w->n_acting; ++k) { // of a step that was not taken
    contact* c = contact_at(net, w->acting[k]);
    w->eta[w->acting[k]] = c->active ? c->eta : w->eta[w->acting[k]];
    c->active = false;
  }
  w->n_acting = 0;
  bring_together(net);
  for (size_t h = 0; h < net->n_held; ++h) {
    force[h] = net->joins[net->held[h]].free_force;
    rows[h] = w->taken[level] + h * w->width;
  }
  w->most = push(net, w->s_pushed, net->n_held, rows, force, w->s_free);
  w->s_now = w->s_free;
}

/** It is to be solved for: what is kept side by side does not touch meanwhile. */
static contact* begin(htz_network* net, size_t i) {
  network_dense* w = net->dense;
  contact* c = contact_at(net, i);
  c->from_known = c->from_known && c->eta == w->eta[i]; // of where it was when it last acted
  c->eta = w->eta[i];
  c->s_free = c->s_alone = w->s_free[i];
  c->level = 0;
  w->eta[i] = far_below;
  w->acting[w->n_acting++] = (uint32_t)i;
  return c;
}

/** The next one from number `from` on that touches, or would under increments s. */
static contact* next_closed(htz_network* net, const double* s, size_t* at) {
  const network_dense* w = net->dense;
  const size_t end = w->end < net->n_contacts ? w->end : net->n_contacts;
  for (size_t i = *at > w->first ? *at : w->first; w->most > 0.0 && i < end; ++i) {
    if (w->eta[i] > 0.0 || w->eta[i] + s[i] > 0.0) {
      *at = i;
      return begin(net, i);
    }
  }
  return NULL;
}

contact* htz_along_next(htz_network* net, size_t* at) {
  return next_closed(net, net->dense->s_free, at);
}

void htz_along_move(htz_network* net, unsigned level) {
  network_dense* w = net->dense;
  w->most = far_below;
  if (net->n_active == 0) {
    return; // all that would touch is active
  }
  for (size_t k = 0; k < net->n_active; ++k) {
    w->row[k] = htz_along_row(net, level, net->active[k]);
    w->root[k] = contact_at(net, net->active[k])->force;
  }
  w->most = push(net, w->s_free, net->n_active, w->row, w->root, w->s_pushed);
  w->s_now = w->s_pushed;
}

contact* htz_along_missed(htz_network* net, size_t* at) {
  return next_closed(net, net->dense->s_now, at);
}

void htz_along_book(htz_network* net, double d, double share) {
  network_dense* w = net->dense;
  double* restrict eta = w->eta;
  const double* restrict moved = w->s_now;
  for (size_t i = w->first; i < w->end; ++i) {
    eta[i] += moved[i];
  }
  for (size_t k = 0; k < w->n_acting; ++k) {
    const uint32_t i = w->acting[k];
    contact* c = contact_at(net, i);
    htz_network_book(net, c, d, share);
    w->eta[i] = c->eta;
    if (!c->sounded) {
      c->sounded = true;
      w->sounding[w->n_sounding++] = i;
    }
  }
}
