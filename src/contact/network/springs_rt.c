#include "solve.h"

#include <math.h>
#include <string.h>

/*
   Springs between many bodies, such as all bars of an instrument. One moves its bodies little within a step: so all are solved at once, each
   by a step of Newton's method of its own while the others bear what they bore (Jacobi), and again, until that changes nothing.
   In between, all forces act on the bodies, through the compliances of their slots, and set off the joins'. Contacts that close are solved
   one after the other in each round. What does not settle that way is left to the rows (solve_rows_rt.c).
*/

enum { SPRINGS_LEAST = 4, JOINS_LEAST = 4, ROUNDS_MAX = 40, ROUNDS_WATCHED = 8 };

// As of rows: relative to what the forces move their own points by. The last round's changes are made with its own, so what is left of
// them is smaller by the rate at which they fall.
static const double springs_tolerance = 1e-12;
static const double rate_least = 1e-4; // they hardly ever fall faster, whatever a first guess makes of it
static const double rate_most = 0.7;   // changes that fall more slowly are better off by rows

bool htz_springs_take(const htz_network* net, const contact* c) {
  return net->springs && !net->dense && c->desc.law.cls->polynomial && c->gap_rate == 0.0;
}

// ---------------------------------------------------------------- what is awake

static size_t padded(size_t n) {
  return (n + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
}

/** The slot of `point` in block `b`, which is the last one. */
static uint32_t slot_at(network_springs* s, htz_couple_block* b, uint32_t point) {
  uint32_t i = 0;
  while (i < b->columns && s->points[b->first + i] != point) {
    ++i;
  }
  if (i == b->columns) {
    s->points[b->first + i] = point;
    ++b->columns;
  }
  return b->first + i;
}

// Fewer rows than this are as well seen one by one.
enum { WIDE_LEAST = 9 };

/** The rows of a block mode by mode, in `room`. @return NULL: there is none, or it is not worth it */
static const double* lay_wide(const network_springs* s, const htz_couple_block* b, const htz_body_view* view, double* room) {
  if (!room || view->n == 0 || b->columns < WIDE_LEAST) {
    return NULL;
  }
  for (size_t i = 0; i < b->width; ++i) {
    for (size_t k = 0; k < view->n; ++k) {
      room[k * b->width + i] = i < b->columns ? s->rows[b->first + i][k] : 0.0;
    }
  }
  return room;
}

static void lay_block(htz_network* net, uint32_t at, size_t* values) {
  network_springs* s = net->springs;
  const node* n = &net->nodes[at];
  htz_couple_block* b = &s->blocks[s->n_blocks];
  *b = (htz_couple_block){.first = (uint32_t)s->n_slots, .at = *values};
  for (size_t i = 0; i < n->n_contacts; ++i) {
    contact* c = &net->contacts[n->contacts[i]];
    if (c->joined && c->desc.body_a == at) {
      c->slot[0] = slot_at(s, b, c->desc.point_a);
    }
    if (c->joined && c->desc.body_b == at) {
      c->slot[1] = slot_at(s, b, c->desc.point_b);
    }
  }
  for (size_t i = 0; i < net->n_frictions; ++i) {
    friction* f = &net->frictions[i];
    for (size_t k = 0; f->desc.body == at && k < 2; ++k) {
      f->slot[k] = slot_at(s, b, f->desc.point[k]);
    }
  }
  for (size_t i = 0; i < net->n_held; ++i) {
    join* j = &net->joins[net->held[i]];
    if (j->desc.body_a == at) {
      j->slot[0] = slot_at(s, b, j->desc.point_a);
    }
    if (j->desc.body_b == at) {
      j->slot[1] = slot_at(s, b, j->desc.point_b);
    }
  }
  const bool acts = b->columns > 0;
  htz_body_view* view = &s->views[s->n_blocks];
  const double* rows = NULL;
  if (!(acts && n->body->cls->view && n->body->cls->view(n->body, view, &rows))) {
    view->n = 0;
    s->others[s->n_others][0] = at;
    s->others[s->n_others++][1] = acts ? (uint32_t)s->n_blocks : UINT32_MAX;
  }
  for (size_t i = b->first; view->n && i < b->first + b->columns; ++i) {
    s->rows[i] = rows + s->points[i] * view->n;
  }
  if (acts) {
    b->width = (uint32_t)padded(b->columns);
    view->wide = lay_wide(s, b, view, s->wide ? s->wide[at] : NULL);
    s->node[s->n_blocks++] = at;
    s->n_slots += b->width;
    *values += (size_t)b->width * b->columns;
  }
}

static void lay_spring(htz_network* net, size_t i, uint32_t index) {
  network_springs* s = net->springs;
  const contact* c = &net->contacts[index];
  const bool along = c->desc.direction > 0.0;
  double coef[3];
  c->desc.law.cls->polynomial(&c->desc.law, coef);
  s->contact[i] = index;
  s->slot[0][i] = c->slot[along ? 0 : 1];
  s->slot[1][i] = c->slot[along ? 1 : 0];
  s->half[i] = 0.5 * coef[0];
  s->quarter[i] = 0.25 * coef[1];
  s->damping[i] = coef[2];
  s->eta[i] = c->eta;
  s->past[0][i] = c->force_last;
  s->past[1][i] = c->force_before;
  s->past[2][i] = c->force_first;
  const double own = htz_network_self(net, 0, &net->contacts[index]);
  for (size_t p = 0; p < 3; ++p) {
    s->past_taken[p][i] = own * s->past[p][i];
  }
  s->stored[i] = c->account.stored;
  s->work[i] = c->account.work;
  s->lost[i] = c->account.dissipated;
  s->mean[i] = c->account.force_mean;
  s->most[i] = c->account.force_max;
}

static void lay(htz_network* net) {
  network_springs* s = net->springs;
  size_t values = 0;
  s->n_blocks = s->n_slots = s->n_others = 0;
  for (uint32_t b = 0; b < net->n_nodes; ++b) {
    if (net->nodes[b].awake) {
      lay_block(net, b, &values);
    }
  }
  memset(s->rise, 0, s->n_slots * sizeof *s->rise);
  memset(s->f, 0, s->n_slots * sizeof *s->f);
  for (size_t l = 0; l < NETWORK_LEVELS; ++l) {
    s->known[l] = false;
  }
  s->laid = true;
  s->hard = s->ahead = s->loaded = false;
}

static void load(htz_network* net) {
  network_springs* s = net->springs;
  s->n = net->n_joined - net->n_apart;
  for (size_t i = 0; i < s->n; ++i) {
    lay_spring(net, i, net->joined[net->n_apart + i]);
  }
  double* const arrays[] = {s->half,    s->quarter,       s->damping,       s->eta,
                            s->s,       s->free,          s->past[0],       s->past[1],
                            s->past[2], s->past_taken[0], s->past_taken[1], s->past_taken[2]};
  const size_t tail = padded(s->n) - s->n;
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
    memset(arrays[i] + s->n, 0, tail * sizeof(double));
  }
  s->loaded = true;
}

static void fill(htz_network* net, unsigned level) {
  network_springs* s = net->springs;
  for (size_t b = 0; b < s->n_blocks; ++b) {
    const htz_couple_block* block = &s->blocks[b];
    htz_body* body = net->nodes[s->node[b]].body;
    const size_t width = block->width;
    for (size_t j = 0; j < block->columns; ++j) {
      double* column = s->matrix[level] + block->at + j * width;
      for (size_t i = 0; i < width; ++i) {
        column[i] = i < block->columns
                        ? body->cls->compliance(body, level, s->points[block->first + i], s->points[block->first + j])
                        : 0.0;
      }
    }
  }
  for (size_t i = 0; i < s->n; ++i) {
    s->own[level][i] = htz_network_self(net, level, &net->contacts[s->contact[i]]);
  }
  memset(s->own[level] + s->n, 0, (padded(s->n) - s->n) * sizeof(double));
  s->known[level] = true;
}

void htz_springs_hand_over(htz_network* net) {
  network_springs* s = net->springs;
  if (!s || !s->ahead) {
    return;
  }
  for (size_t i = 0; i < s->n; ++i) {
    contact* c = &net->contacts[s->contact[i]];
    c->eta = c->account.eta = s->eta[i];
    c->s = s->s[i];
    c->force = s->force[i];
    c->force_last = s->past[0][i];
    c->force_before = s->past[1][i];
    c->force_first = s->past[2][i];
    c->from_known = false;
    c->account.stored = s->stored[i];
    c->account.work = s->work[i];
    c->account.dissipated = s->lost[i];
    c->account.force_mean = s->mean[i];
    c->account.force_max = s->most[i];
  }
  s->ahead = false;
}

void htz_springs_lay(htz_network* net) {
  if (net->springs && !net->springs->laid) {
    lay(net);
  }
}

bool htz_springs_serve(htz_network* net) {
  network_springs* s = net->springs;
  if (!s) {
    return false;
  }
  htz_springs_lay(net);
  if (s->hard || net->dense || (net->n_joined < net->n_apart + SPRINGS_LEAST && net->n_held < JOINS_LEAST) ||
      htz_network_rubs(net)) {
    htz_springs_hand_over(net);
    s->loaded = false;
    return false;
  }
  if (!s->loaded) {
    load(net);
  }
  return true;
}

// ---------------------------------------------------------------- one step

void htz_springs_sample(htz_network* net) {
  memset(net->springs->mean, 0, net->springs->n * sizeof(double));
}

/** The slots of a body that kernels do not see. */
static const htz_couple_block* block_of_other(const network_springs* s, size_t i) {
  static const htz_couple_block none = {0};
  return s->others[i][1] < s->n_blocks ? &s->blocks[s->others[i][1]] : &none;
}

bool htz_springs_begin(htz_network* net, unsigned level) {
  network_springs* s = net->springs;
  if (!s) {
    return false;
  }
  s->kernels->predict_bodies(s->n_blocks, s->blocks, s->views, level, s->rows, s->rise);
  for (size_t i = 0; i < s->n_others; ++i) {
    htz_body* body = net->nodes[s->others[i][0]].body;
    const htz_couple_block* block = block_of_other(s, i);
    body->cls->begin(body, level);
    for (size_t p = 0; p < block->columns; ++p) {
      s->rise[block->first + p] = body->cls->predict(body, level, s->points[block->first + p]);
    }
  }
  return true;
}

void htz_springs_predict(htz_network* net, unsigned level) {
  network_springs* s = net->springs;
  const double *last = s->past[0], *before = s->past[1], *first = s->past[2];
  double* const* taken = s->past_taken;
  if (!s->known[level]) {
    fill(net, level);
  }
  htz_springs_begin(net, level);
  // As of a contact, forces go on as they went; and so does what they take of an increment, which the springs are first solved with.
  for (size_t i = 0; i < s->n; ++i) {
    s->free[i] = s->rise[s->slot[0][i]] - s->rise[s->slot[1][i]];
  }
  for (size_t i = 0; i < padded(s->n); ++i) {
    s->force[i] = 3.0 * (last[i] - before[i]) + first[i];
    s->s[i] = s->free[i] - (3.0 * (taken[0][i] - taken[1][i]) + taken[2][i]);
  }
}

/** Increments of all slots under the forces as they are; the joins' follow from those. */
static void apply(htz_network* net, unsigned level, double d) {
  network_springs* s = net->springs;
  const uint32_t *from = s->slot[0], *to = s->slot[1];
  memset(s->f, 0, s->n_slots * sizeof *s->f);
  for (size_t i = 0; i < s->n; ++i) {
    s->f[from[i]] -= s->force[i];
    s->f[to[i]] += s->force[i];
  }
  for (size_t a = 0; a < net->n_active; ++a) {
    const contact* c = &net->contacts[net->active[a]];
    springs_push(s, c->slot, c->desc.direction * c->force);
  }
  s->kernels->couple(s->n_blocks, s->blocks, s->matrix[level], s->rise, s->f, s->x);
  if (net->n_held) {
    htz_network_bear_joins(net, level, d, s->x);
    for (size_t i = 0; i < net->n_held; ++i) {
      const join* j = &net->joins[net->held[i]];
      springs_push(s, j->slot, j->force);
    }
    s->kernels->couple(s->n_blocks, s->blocks, s->matrix[level], s->rise, s->f, s->x);
  }
}

static void stretch(network_springs* s) {
  const uint32_t *from = s->slot[0], *to = s->slot[1];
  for (size_t i = 0; i < s->n; ++i) {
    s->s[i] = s->x[from[i]] - s->x[to[i]];
  }
}

/** What `force` more at `slot` does to the slots of its block. */
static void move_block(network_springs* s, unsigned level, const htz_couple_block* b, uint32_t slot, double force) {
  const double* column = s->matrix[level] + b->at + (slot - b->first) * b->width;
  for (size_t i = 0; i < b->columns; ++i) {
    s->x[b->first + i] += column[i] * force;
  }
}

static const htz_couple_block* block_of(const network_springs* s, uint32_t slot) {
  size_t low = 0, high = s->n_blocks;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    low = s->blocks[middle].first <= slot ? middle : low;
    high = s->blocks[middle].first <= slot ? high : middle;
  }
  return &s->blocks[low];
}

static double increment(const htz_network* net, const contact* c, double d) {
  return springs_increment(net->springs, c) - c->gap_rate * d;
}

/** Active contacts one after the other; how far that moves things is added to `norms`. */
static void solve_contacts(htz_network* net, unsigned level, double d, double norms[2]) {
  network_springs* s = net->springs;
  for (size_t a = 0; a < net->n_active; ++a) {
    contact* c = &net->contacts[net->active[a]];
    const double before = c->force, own = htz_network_self(net, level, c), now = increment(net, c, d);
    htz_network_solve_scalar(net, c, own, now + own * before, d, now);
    const double more = c->force - before, all = own * c->force;
    move_block(s, level, block_of(s, c->slot[0]), c->slot[0], -c->desc.direction * more);
    move_block(s, level, block_of(s, c->slot[1]), c->slot[1], c->desc.direction * more);
    norms[0] += own * more * own * more;
    norms[1] += all * all;
  }
}

bool htz_springs_solve(htz_network* net, unsigned level, double d) {
  network_springs* s = net->springs;
  const htz_spring_table table = {s->half, s->quarter, s->damping, s->eta, s->own[level]};
  bool settled = false;
  double norms[2], contacts[2];
  s->kernels->springs(padded(s->n), &table, 1.0 / d, s->s, s->force, norms);
  double before = sqrt(norms[0]);
  for (int round = 0; round < ROUNDS_MAX && !settled; ++round) {
    apply(net, level, d);
    contacts[0] = contacts[1] = 0.0;
    solve_contacts(net, level, d, contacts);
    stretch(s);
    s->kernels->springs(padded(s->n), &table, 1.0 / d, s->s, s->force, norms);
    const double change = sqrt(norms[0] + contacts[0]), size = sqrt(norms[1] + contacts[1]);
    const double fall = change < before ? change / before : 1.0, rate = fall > rate_least ? fall : rate_least;
    settled = change * rate <= springs_tolerance * size || !(change < HUGE_VAL);
    if (round > ROUNDS_WATCHED && rate > rate_most && !settled) {
      return false;
    }
    before = change;
    ++net->counters.sweeps;
  }
  net->counters.iterations += s->n;
  apply(net, level, d);
  stretch(s);
  for (size_t a = 0; a < net->n_active; ++a) {
    contact* c = &net->contacts[net->active[a]];
    c->s = increment(net, c, d);
    c->to_at_s = false; // the last round moved the others after it
  }
  return settled;
}

void htz_springs_commit(htz_network* net, unsigned level) {
  const network_springs* s = net->springs;
  s->kernels->commit_bodies(s->n_blocks, s->blocks, s->views, level, s->rows, s->f);
  for (size_t i = 0; i < s->n_others; ++i) {
    htz_body* body = net->nodes[s->others[i][0]].body;
    const htz_couple_block* block = block_of_other(s, i);
    body->cls->commit(body, level, block->columns, s->points + block->first, s->f + block->first);
  }
}

void htz_springs_book(htz_network* net, double share) {
  network_springs* s = net->springs;
  for (size_t i = 0; i < s->n; ++i) {
    const double b = s->eta[i] + s->s[i], square = b * b, force = s->force[i], work = force * s->s[i];
    const double stored = square * (s->half[i] + s->quarter[i] * square);
    s->work[i] += work;
    s->lost[i] += work - (stored - s->stored[i]);
    s->stored[i] = stored;
    s->eta[i] = b;
    s->mean[i] += force * share;
    s->most[i] = force > s->most[i] ? force : s->most[i];
  }
  double *oldest = s->past[2], *taken = s->past_taken[2];
  for (size_t i = 0; i < padded(s->n); ++i) {
    oldest[i] = s->force[i];
    taken[i] = s->free[i] - s->s[i];
  }
  for (size_t p = 2; p > 0; --p) {
    s->past[p] = s->past[p - 1];
    s->past_taken[p] = s->past_taken[p - 1];
  }
  s->past[0] = oldest;
  s->past_taken[0] = taken;
  s->ahead = true;
}
