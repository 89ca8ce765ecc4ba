#include "solve.h"

#include <math.h>
#include <string.h>

// Bows that do not agree get finer steps, in which a body gives way less; from T/8 on its compliance hardly falls any more.
static const unsigned friction_level_max = 3;

typedef enum { DONE, TOUCHES, FINER, BY_ROWS } outcome;

static double free_increment(htz_network* net, const contact* c, unsigned level) {
  const double a = network_rise(net, level, c->desc.body_a, c->desc.point_a, c->slot[0]);
  const double b = network_rise(net, level, c->desc.body_b, c->desc.point_b, c->slot[1]);
  return c->desc.direction * (a - b) - c->gap_rate * net->step[level];
}

void htz_network_read(htz_network* net, contact* c) {
  const htz_body* a = net->nodes[c->desc.body_a].body;
  const htz_body* b = net->nodes[c->desc.body_b].body;
  c->eta =
      c->desc.direction * (a->cls->displacement(a, c->desc.point_a) - b->cls->displacement(b, c->desc.point_b)) - c->desc.gap;
  c->from_known = false;
}

void htz_network_prepare(htz_network* net, unsigned level) {
  for (size_t b = 0; b < net->n_nodes; ++b) {
    if (net->nodes[b].awake) {
      net->nodes[b].body->cls->prepare(net->nodes[b].body, level);
    }
  }
}

static void begin(htz_network* net, unsigned level) {
  for (size_t b = 0; b < net->n_nodes; ++b) {
    if (net->nodes[b].awake) {
      net->nodes[b].body->cls->begin(net->nodes[b].body, level);
    }
  }
}

/** Forces of the joins on body `b`, behind those of `count` points. @return how many there are then */
static size_t add_joins(htz_network* net, size_t b, size_t count) {
  for (size_t i = 0; i < net->n_held; ++i) {
    const join* j = &net->joins[net->held[i]];
    if (j->desc.body_a == b) {
      net->points[count] = j->desc.point_a;
      net->forces[count++] = -j->force;
    }
    if (j->desc.body_b == b) {
      net->points[count] = j->desc.point_b;
      net->forces[count++] = j->force;
    }
  }
  return count;
}

/** The same forces by slots. */
static void commit_slots(htz_network* net, unsigned level) {
  network_springs* s = net->springs;
  memset(s->f, 0, s->n_slots * sizeof *s->f);
  for (size_t a = 0; a < net->n_active; ++a) {
    const contact* c = &net->contacts[net->active[a]];
    springs_push(s, c->slot, c->desc.direction * c->force);
  }
  for (size_t i = 0; i < net->n_held; ++i) {
    const join* j = &net->joins[net->held[i]];
    springs_push(s, j->slot, j->force);
  }
  for (size_t i = 0; i < net->n_rubbing; ++i) {
    const friction* f = &net->frictions[net->rubbing[i]];
    s->f[f->slot[0]] -= (1.0 - f->way) * f->force;
    s->f[f->slot[1]] -= f->way * f->force;
  }
  htz_springs_commit(net, level);
}

/** Move every awake body by one step under the forces of the active contacts and of the joins. */
static void commit_bodies(htz_network* net, unsigned level) {
  if (net->springs) {
    commit_slots(net, level);
    return;
  }
  for (size_t b = 0; b < net->n_nodes; ++b) {
    node* n = &net->nodes[b];
    if (!n->awake) {
      continue;
    }
    size_t count = 0;
    for (size_t i = 0; i < n->n_contacts && net->n_active; ++i) {
      const contact* c = &net->contacts[n->contacts[i]];
      if (!c->active) {
        continue;
      }
      // A contact between two points of one body pushes both.
      if (c->desc.body_a == b) {
        net->points[count] = c->desc.point_a;
        net->forces[count++] = -c->desc.direction * c->force;
      }
      if (c->desc.body_b == b) {
        net->points[count] = c->desc.point_b;
        net->forces[count++] = c->desc.direction * c->force;
      }
    }
    count = htz_network_add_frictions_at(net, b, count);
    count = add_joins(net, b, count);
    n->body->cls->commit(n->body, level, count, net->points, net->forces);
  }
}

static void activate(htz_network* net, contact* c, uint32_t index) {
  if (!c->from_known) {
    c->from = c->desc.law.cls->at(&c->desc.law, c->eta);
    c->from.memory = c->memory;
    c->from_known = true;
  }
  c->active = true;
  c->to_at_s = false;
  net->active[net->n_active++] = index;
}

/** The contact closes in a step at `level`. @return false when it wants a finer one, `finer` */
static bool close_in(htz_network* net, contact* c, unsigned level, double d, unsigned* finer) {
  const unsigned wanted = htz_network_wanted_level(net, c, c->s_free, d);
  c->level = wanted;
  if (wanted > level) {
    *finer = wanted;
    return false;
  }
  network_forget(c);
  return true;
}

/** Activate those watched that act in this step. */
static void gather_watched(htz_network* net, unsigned level) {
  htz_along_predict(net, level);
  size_t at = 0;
  for (contact* c = htz_along_next(net, &at); c; c = htz_along_next(net, &at)) {
    if (!(c->eta > 0.0)) {
      network_forget(c);
    }
    activate(net, c, (uint32_t)at++);
  }
}

/** Collect the contacts that act in this step. @return DONE, or why the step cannot be taken. */
static outcome gather(htz_network* net, unsigned level, double d, bool allow, unsigned* finer) {
  net->n_active = 0;
  bool would_touch = false;
  if (net->n_held) {
    htz_network_predict_joins(net, level, d);
  }
  htz_network_predict_frictions(net, level, d);
  for (size_t j = 0; j < net->n_joined; ++j) {
    const uint32_t index = net->joined[j];
    contact* c = &net->contacts[index];
    c->s_free = free_increment(net, c, level);
    c->s_free -= net->n_held ? htz_network_joins_take(net, level, d, c) : 0.0;
    c->s_alone = c->s_free;
    c->s_free -= net->n_rubbing ? htz_network_frictions_take(net, level, c) : 0.0;
    c->active = false;
    if (network_one_sided(c) && !(c->eta > 0.0)) {
      if (!(c->eta + c->s_free > 0.0)) {
        c->force = 0.0;
        continue;
      }
      if (!allow && !c->desc.whole_steps) {
        would_touch = true;
        continue;
      }
      if (!close_in(net, c, level, d, finer)) {
        return FINER;
      }
    }
    activate(net, c, index);
  }
  if (would_touch) {
    return TOUCHES;
  }
  if (net->dense) {
    gather_watched(net, level);
  }
  return DONE;
}

/**
   Contacts left out whose bodies the others pushed together after all.

   @param touches set when one was that is to be approached in steps of its own
   @return true when one was added
*/
static bool add_missed(htz_network* net, unsigned level, bool* touches) {
  bool added = false;
  for (size_t j = 0; j < net->n_joined; ++j) {
    const uint32_t index = net->joined[j];
    contact* c = &net->contacts[index];
    if (c->active) {
      continue;
    }
    c->s = c->s_free;
    for (size_t a = 0; a < net->n_active; ++a) {
      const contact* other = &net->contacts[net->active[a]];
      c->s -= other == c ? 0.0 : htz_network_coupling(net, level, c, other) * other->force;
    }
    if (c->eta + c->s > 0.0) {
      c->level = c->desc.whole_steps ? 0 : level;
      activate(net, c, index);
      added = true;
      *touches = *touches || !c->desc.whole_steps;
    }
  }
  if (net->dense) {
    htz_along_move(net, level);
    size_t at = 0;
    for (contact* c = htz_along_missed(net, &at); c; c = htz_along_missed(net, &at)) {
      network_forget(c);
      activate(net, c, (uint32_t)at++);
      added = true;
    }
  }
  return added;
}

static bool solve(htz_network* net, unsigned level, double d) {
  if (net->n_rubbing) {
    return htz_network_solve_frictions(net, level, d);
  }
  return net->n_active == 0 || htz_network_solve(net, level, d);
}

/** Solve the contacts that act in a step, and those that they close. */
static outcome solve_step(htz_network* net, unsigned level, double d, bool allow, unsigned* finer) {
  if (!htz_springs_begin(net, level)) {
    begin(net, level);
  }
  const outcome gained = gather(net, level, d, allow, finer);
  if (gained != DONE) {
    return gained;
  }
  for (size_t round = 0; round <= net->n_contacts; ++round) {
    if (!solve(net, level, d)) {
      if (level < (net->n_rubbing ? friction_level_max : net->level_max)) {
        ++net->counters.halvings;
        *finer = level + 1;
        return FINER;
      }
      ++net->counters.unconverged;
    }
    bool touches = false;
    if (!add_missed(net, level, &touches)) {
      break;
    }
    if (touches && !allow) {
      return TOUCHES;
    }
  }
  return DONE;
}

/** The same by the springs' slots: a contact closes when it does under all other forces. @return BY_ROWS when that does not settle */
static outcome solve_springs(htz_network* net, unsigned level, double d, bool allow, unsigned* finer) {
  net->n_active = 0;
  net->n_rubbing = 0;
  for (size_t j = 0; j < net->n_apart; ++j) {
    contact* c = &net->contacts[net->joined[j]];
    c->active = false;
    c->force = network_touches(c) || !network_one_sided(c) ? htz_expected_force(c) : 0.0;
    if (network_touches(c) || !network_one_sided(c)) {
      activate(net, c, net->joined[j]);
    }
  }
  htz_springs_predict(net, level);
  bool closes = true;
  for (size_t round = 0; closes && round <= net->n_apart; ++round) {
    if (!htz_springs_solve(net, level, d)) {
      return BY_ROWS;
    }
    closes = false;
    for (size_t j = 0; j < net->n_apart; ++j) {
      contact* c = &net->contacts[net->joined[j]];
      if (c->active) {
        continue;
      }
      c->s = c->s_free = springs_increment(net->springs, c) - c->gap_rate * d;
      if (!(c->eta + c->s > 0.0)) {
        continue;
      }
      closes = true;
      if (allow && !close_in(net, c, level, d, finer)) {
        return FINER;
      }
      if (allow) {
        activate(net, c, net->joined[j]);
      }
    }
    if (closes && !allow) {
      return TOUCHES;
    }
  }
  return DONE;
}

/** Move the bodies, and book it. */
static void take_step(htz_network* net, unsigned level, double d, bool springs) {
  const size_t n = springs ? net->n_apart : net->n_joined;
  bool solved = false;
  if (springs) {
    htz_springs_commit(net, level);
    htz_springs_book(net, net->share[level]);
  } else {
    if (net->n_held) {
      htz_network_settle_joins(net, level);
    }
    commit_bodies(net, level);
  }
  htz_network_book_joins(net);
  htz_network_book_frictions(net, d);
  for (size_t j = 0; j < n; ++j) {
    contact* c = &net->contacts[net->joined[j]];
    solved |= c->active && network_one_sided(c);
    htz_network_book(net, c, d, net->share[level]);
  }
  if (net->dense) {
    solved |= net->dense->n_acting > 0;
    htz_along_book(net, d, net->share[level]);
  }
  ++net->counters.steps;
  net->counters.contact_steps += solved;
}

/**
   Try one step of T/2^level.

   @param allow false while approaching: a step in which a one-sided contact would close is not taken (TOUCHES)
   @return DONE when committed; FINER with the level wanted
*/
static outcome try_step(htz_network* net, unsigned level, bool allow, unsigned* finer) {
  const double d = net->step[level];
  bool springs = htz_springs_serve(net);
  outcome gained = springs ? solve_springs(net, level, d, allow, finer) : BY_ROWS;
  if (gained == BY_ROWS) {
    if (springs) {
      htz_springs_hand_over(net);
      net->springs->hard = true;
      springs = false;
    }
    gained = solve_step(net, level, d, allow, finer);
  }
  if (gained != DONE) {
    return gained;
  }
  const double rise_before = net->audit ? htz_network_ledger(net, false) : 0.0;
  const double gain_before = net->audit ? htz_network_ledger(net, true) : 0.0;
  take_step(net, level, d, springs);
  if (net->audit) {
    const double rise = htz_network_ledger(net, false) - rise_before;
    const double gain = htz_network_ledger(net, true) - gain_before;
    net->audit->rise_max = rise > net->audit->rise_max ? rise : net->audit->rise_max;
    net->audit->gain_max = gain > net->audit->gain_max ? gain : net->audit->gain_max;
  }
  return DONE;
}

static unsigned trailing_zeros(uint32_t k, unsigned most) {
  unsigned n = 0;
  while (n < most && !(k >> n & 1u)) {
    ++n;
  }
  return n;
}

/**
   Advance by the largest aligned binary step, from position k of 2^level in the sample, that touches nothing.

   @param wall the earliest position found to touch, so that no step is tried past it; brought forward by every failure
   @return the size of the step, or 0
*/
static uint32_t approach(htz_network* net, uint32_t k, unsigned level, uint32_t* wall, unsigned* finer) {
  for (unsigned j = trailing_zeros(k, level); j > 0; --j) {
    const uint32_t end = k + (1u << j);
    if (end >= *wall) {
      continue;
    }
    const outcome o = try_step(net, level - j, false, finer);
    if (o == DONE) {
      return 1u << j;
    }
    if (o == TOUCHES) {
      ++net->counters.predictions;
      *wall = end;
    }
  }
  return 0;
}

void htz_network_step(htz_network* net) {
  ++net->counters.samples;
  const bool springs = net->springs && net->springs->loaded;
  for (size_t j = 0; j < (springs ? net->n_apart : net->n_joined); ++j) {
    net->contacts[net->joined[j]].account.force_mean = 0.0;
  }
  if (springs) {
    htz_springs_sample(net);
  }
  if (net->dense) {
    htz_along_sample(net);
  }
  unsigned finer = 0;
  const int closed = htz_network_closed_level(net);
  unsigned level = closed > 0 ? (unsigned)closed : 0;
  bool ahead = false; // something touches before the sample ends
  if (closed < 0) {
    const outcome o = try_step(net, 0, false, &finer);
    if (o == DONE) {
      return;
    }
    ahead = o == TOUCHES;
    net->counters.predictions += ahead;
    level = o == FINER ? finer : htz_network_first_level(net);
  }
  if (level > 0) { // tables of whole samples are always there
    htz_network_prepare(net, level);
  }
  const uint32_t beyond = UINT32_MAX;
  uint32_t k = 0;
  uint32_t wall = ahead ? 1u << level : beyond;
  bool open = closed < 0;
  while (k < 1u << level) {
    uint32_t size = open ? approach(net, k, level, &wall, &finer) : 0;
    if (size == 0) {
      const outcome o = try_step(net, level, true, &finer);
      if (o == FINER) {
        htz_network_prepare(net, finer);
        k <<= finer - level;
        wall = wall == beyond ? beyond : wall << (finer - level);
        level = finer;
        continue;
      }
      size = 1;
      wall = k + size >= wall ? beyond : wall;
    }
    k += size;
    open = k < 1u << level && htz_network_closed_level(net) < 0;
  }
}

bool htz_network_touching(const htz_network* net) {
  for (size_t i = 0; i < net->n_contacts; ++i) {
    const contact* c = network_contact(net, i);
    if (c->joined && network_touches(c)) {
      return true;
    }
  }
  return false;
}
