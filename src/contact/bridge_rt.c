#include "bridge_private.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <string.h>

/** Displacement of the support of `r`, from values at the points. */
static double at_rest(const htz_bridge* b, const rest* r, const double* values) {
  const size_t next = r->point + 1 < b->n_points ? r->point + 1 : r->point;
  return r->share[0] * values[r->point] + r->share[1] * values[next];
}

static void add_at(const htz_bridge* b, const rest* r, double value, double* values) {
  const size_t next = r->point + 1 < b->n_points ? r->point + 1 : r->point;
  values[r->point] += r->share[0] * value;
  values[next] += r->share[1] * value;
}

/** Displacement of every point now. */
static void read_points(const htz_bridge* b, double* w) {
  const htz_body* board = htz_modal_body(b->board);
  for (size_t p = 0; p < b->n_points; ++p) {
    w[p] = board->cls->displacement(board, p);
  }
}

static rest* rest_of(const htz_bridge* b, size_t key) {
  return key < HTZ_BRIDGE_KEYS_MAX && b->number[key] ? b->rests[b->number[key] - 1] : NULL;
}

// ---------------------------------------------------------------- what changes seldom

/** S of the sample to come, contacts left out. */
static double feel_of(const rest* r) {
  double sum = 0.0;
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    sum += htz_modal_join_feel(r->s->desc.bodies[i]);
  }
  return sum;
}

static void derive_rest(rest* r) {
  r->tension = 0.0;
  r->stiffness = 0.0;
  r->yield = 0.0;
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal* m = r->s->desc.bodies[i];
    r->tension += htz_modal_join_tension(m);
    r->stiffness += htz_modal_join_stiffness(m);
    r->yield += htz_modal_join_yield(m);
  }
  r->feel = r->awake ? feel_of(r) : 0.0;
  r->stale = false;
  r->turns = false;
  r->still = 0;
}

// Runs without a change before the turning coordinates are derived: a glide in progress would make them stale at once. Then so many
// keys a run, so that a pedal that frees them all does not ask for all of it in one.
static const uint32_t settle_runs = 2;
enum { DERIVED_PER_RUN = 12 };

/** Free strings go over to turning coordinates for the length of a run. */
static void turn_keys(htz_bridge* b) {
  size_t derived = 0;
  for (size_t i = 0; i < b->n_rests; ++i) {
    rest* r = b->rests[i];
    if (b->exact || !r->awake || r->s->flying > 0 || (!r->turns && (r->still < settle_runs || derived == DERIVED_PER_RUN))) {
      ++r->still;
      continue;
    }
    if (!r->turns) {
      r->turns = true;
      ++derived;
      for (uint32_t s = 0; s < r->s->desc.n_struck; ++s) {
        r->turns = r->turns && htz_modal_turn_derive(r->s->desc.bodies[s], r->first[s], &r->table, r->turn[s]);
      }
      if (!r->turns) {
        r->still = 0;
        continue;
      }
    }
    for (uint32_t s = 0; s < r->s->desc.n_struck; ++s) {
      htz_modal_turn_load(r->s->desc.bodies[s], r->turn[s], r->x + r->first[s], r->y + r->first[s]);
    }
    r->turning = true;
  }
}

static void turn_back(htz_bridge* b) {
  for (size_t i = 0; i < b->n_rests; ++i) {
    rest* r = b->rests[i];
    for (uint32_t s = 0; s < r->s->desc.n_struck && r->turning; ++s) {
      htz_modal_turn_store(r->s->desc.bodies[s], r->turn[s], r->x + r->first[s], r->y + r->first[s]);
    }
    r->turning = false;
  }
}

/** inverse = (I + compliance load/2)^-1, column by column. */
static void invert(htz_bridge* b) {
  enum { P = HTZ_BRIDGE_POINTS_MAX };
  const size_t n = b->n_points;
  double matrix[P * P];
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      double sum = i == j ? 1.0 : 0.0;
      for (size_t k = 0; k < n; ++k) {
        sum += 0.5 * b->compliance[i * n + k] * b->load[k * n + j];
      }
      matrix[i * n + j] = sum;
    }
  }
  for (size_t column = 0; column < n; ++column) {
    double work[P * P];
    double x[P] = {0.0};
    x[column] = 1.0;
    memcpy(work, matrix, n * n * sizeof(double));
    // C and W^T G W are positive semidefinite, so no eigenvalue of the matrix is below 1.
    htz_solve_dense(n, n, work, x);
    for (size_t i = 0; i < n; ++i) {
      b->inverse[i * n + column] = x[i];
    }
  }
}

static void factor(htz_bridge* b) {
  const size_t n = b->n_points;
  htz_body* board = htz_modal_body(b->board);
  memset(b->load, 0, n * n * sizeof(double));
  for (size_t i = 0; i < b->n_rests; ++i) {
    const rest* r = b->rests[i];
    const double g = r->awake ? r->stiffness : r->tension;
    double shares[HTZ_BRIDGE_POINTS_MAX] = {0.0};
    add_at(b, r, 1.0, shares);
    for (size_t p = r->point; p < n && p <= r->point + 1; ++p) {
      for (size_t q = r->point; q < n && q <= r->point + 1; ++q) {
        b->load[p * n + q] += shares[p] * g * shares[q];
      }
    }
  }
  for (size_t p = 0; p < n; ++p) {
    for (size_t q = 0; q < n; ++q) {
      b->compliance[p * n + q] = board->cls->compliance(board, 0, p, q);
    }
  }
  invert(b);
  b->factored = true;
  b->epoch = htz_modal_epoch(b->board);
}

static void catch_up(htz_bridge* b) {
  for (size_t i = 0; i < b->n_rests; ++i) {
    rest* r = b->rests[i];
    if (r->stale) {
      derive_rest(r);
      b->factored = false;
    }
  }
  if (!b->factored || b->epoch != htz_modal_epoch(b->board)) {
    factor(b);
  }
  read_points(b, b->w);
}

// ---------------------------------------------------------------- a key in flight

static void save(rest* r) {
  double* to = r->before.modal;
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    const size_t n = htz_modal_padded(r->s->desc.bodies[i]);
    memcpy(to, htz_modal_q(r->s->desc.bodies[i]), n * sizeof(double));
    memcpy(to + n, htz_modal_v(r->s->desc.bodies[i]), n * sizeof(double));
    to += 2 * n;
  }
  const htz_network* net = r->s->net;
  memcpy(r->before.contacts, net->contacts, net->n_contacts * sizeof(contact));
  r->before.counters = net->counters;
  for (uint32_t i = 0; i < r->s->desc.n_mallets; ++i) {
    const htz_body* hammer = r->s->mallets[i].body;
    r->before.mallets[i][0] = hammer->cls->displacement(hammer, 0);
    r->before.mallets[i][1] = hammer->cls->velocity(hammer, 0);
  }
}

static void restore(rest* r) {
  const double* from = r->before.modal;
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    const size_t n = htz_modal_padded(r->s->desc.bodies[i]);
    memcpy(htz_modal_q(r->s->desc.bodies[i]), from, n * sizeof(double));
    memcpy(htz_modal_v(r->s->desc.bodies[i]), from + n, n * sizeof(double));
    from += 2 * n;
  }
  htz_network* net = r->s->net;
  memcpy(net->contacts, r->before.contacts, net->n_contacts * sizeof(contact));
  net->counters = r->before.counters;
  for (uint32_t i = 0; i < r->s->desc.n_mallets; ++i) {
    htz_body* hammer = r->s->mallets[i].body;
    hammer->cls->set_motion(hammer, r->before.mallets[i][0], r->before.mallets[i][1]);
  }
}

static double pull_of(const rest* r) {
  double sum = 0.0;
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    sum += htz_modal_join_pull(r->s->desc.bodies[i]);
  }
  return sum;
}

/** Before a sample: what the key will probably give, its contacts going on as they went. */
static void take_off(rest* r) {
  save(r);
  r->pull = pull_of(r);
  r->free_feel = feel_of(r);
  r->feel = r->free_feel + 2.0 * r->given[0] - r->given[1];
}

/** Through the sample on a support displaced by `w`; `feel` is then what the key really gave. */
static void fly(htz_bridge* b, rest* r, double w) {
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_join_hold(r->s->desc.bodies[i], w);
  }
  htz_network_step(r->s->net);
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_join_hold(r->s->desc.bodies[i], 0.0);
  }
  r->used = w;
  // Of the mean pull, -yield w/2 is what the support did itself.
  r->feel = 0.5 * (r->pull + pull_of(r)) + 0.5 * r->yield * w;
  ++b->counters.trials;
}

static void land(rest* r) {
  r->given[1] = r->given[0];
  r->given[0] = r->feel - r->free_feel;
  htz_struck_retire_departed(r->s);
  if (r->s->flying == 0) {
    r->given[0] = 0.0;
    r->given[1] = 0.0;
  }
  r->feel = feel_of(r);
}

static bool flying(const rest* r) {
  return r->awake && r->s->flying > 0;
}

// ---------------------------------------------------------------- one sample

// No string pulls like this [N]; what does, or is not a number, has gone wrong.
static const double broken_pull = 1e9;

/** Put a key to rest without waking anything else; its load on the bridge is put right at the next run. */
static void expel(htz_bridge* b, rest* r) {
  r->awake = false;
  r->stale = true;
  r->turning = false;
  r->feel = 0.0;
  r->s->base.cls->reset(&r->s->base);
  ++b->counters.expelled;
}

static void gather_feel(htz_bridge* b) {
  memset(b->feel, 0, b->n_points * sizeof(double));
  for (size_t i = 0; i < b->n_rests; ++i) {
    rest* r = b->rests[i];
    if (r->awake && !(fabs(r->feel) < broken_pull)) {
      expel(b, r);
    }
    if (r->awake) {
      add_at(b, r, r->feel, b->feel);
    }
  }
}

static void solve_mean(htz_bridge* b) {
  const size_t n = b->n_points;
  double right[HTZ_BRIDGE_POINTS_MAX];
  for (size_t p = 0; p < n; ++p) {
    double sum = 0.0;
    for (size_t q = 0; q < n; ++q) {
      sum += b->compliance[p * n + q] * b->feel[q];
    }
    right[p] = b->w[p] + 0.5 * (b->rise[p] - sum);
  }
  for (size_t p = 0; p < n; ++p) {
    double sum = 0.0;
    for (size_t q = 0; q < n; ++q) {
      sum += b->inverse[p * n + q] * right[q];
    }
    b->mean[p] = sum;
  }
}

/** Keys in flight go through the sample again until the bridge moves as it moved them. */
static void fly_all(htz_bridge* b) {
  bool settled = false;
  for (int trial = 0; trial < HTZ_BRIDGE_TRIALS && !settled; ++trial) {
    const double allowed = b->tolerance * b->largest;
    settled = true;
    for (size_t i = 0; i < b->n_rests; ++i) {
      rest* r = b->rests[i];
      if (!flying(r)) {
        continue;
      }
      const double w = at_rest(b, r, b->mean);
      if (trial > 0) {
        if (fabs(w - r->used) <= allowed) {
          continue;
        }
        restore(r);
      }
      settled = false;
      fly(b, r, w);
    }
    if (!settled) {
      gather_feel(b);
      solve_mean(b);
    }
  }
  for (size_t i = 0; i < b->n_rests; ++i) {
    rest* r = b->rests[i];
    if (flying(r)) {
      const bool within = fabs(at_rest(b, r, b->mean) - r->used) <= b->tolerance * b->largest;
      ++b->counters.samples;
      b->counters.capped += within ? 0 : 1;
    }
  }
}

static void move_board(htz_bridge* b, double* force) {
  const size_t n = b->n_points;
  size_t points[HTZ_BRIDGE_POINTS_MAX];
  for (size_t p = 0; p < n; ++p) {
    double sum = -b->feel[p];
    for (size_t q = 0; q < n; ++q) {
      sum -= b->load[p * n + q] * b->mean[q];
    }
    force[p] = sum;
    points[p] = p;
  }
  htz_body* board = htz_modal_body(b->board);
  board->cls->commit(board, 0, n, points, force);
  for (size_t p = 0; p < n; ++p) {
    double sum = b->w[p] + b->rise[p];
    for (size_t q = 0; q < n; ++q) {
      sum += b->compliance[p * n + q] * force[q];
    }
    b->w[p] = sum;
    const double size = fabs(b->mean[p]);
    b->largest = size > b->largest ? size : b->largest;
  }
}

static void sample(htz_bridge* b, double* force) {
  htz_modal_predict_points(b->board, b->n_points, b->rise);
  bool any = false;
  for (size_t i = 0; i < b->n_rests; ++i) {
    if (flying(b->rests[i])) {
      take_off(b->rests[i]);
      any = true;
    }
  }
  gather_feel(b);
  solve_mean(b);
  if (any) {
    fly_all(b);
  }
  move_board(b, force);
  for (size_t i = 0; i < b->n_rests; ++i) {
    rest* r = b->rests[i];
    if (!r->awake) {
      continue;
    }
    if (r->s->flying > 0) {
      land(r);
      continue;
    }
    const double w = at_rest(b, r, b->mean);
    if (r->turning) {
      r->feel = (double)b->kernels->turn_joined(r->padded, &r->table, r->x, r->y, (float)w);
      continue;
    }
    r->feel = 0.0;
    for (uint32_t s = 0; s < r->s->desc.n_struck; ++s) {
      r->feel += htz_modal_join_step(r->s->desc.bodies[s], w);
    }
  }
}

void htz_bridge_run(htz_bridge* b, uint32_t frames, float* const* heard) {
  catch_up(b);
  turn_keys(b);
  for (uint32_t f = 0; f < frames; ++f) {
    double force[HTZ_BRIDGE_POINTS_MAX];
    sample(b, force);
    for (size_t p = 0; p < htz_modal_pickups(b->board); ++p) {
      heard[p][f] += (float)htz_modal_hear_driven(b->board, p, b->n_points, force);
    }
  }
  turn_back(b);
}

// ---------------------------------------------------------------- from outside

void htz_bridge_wake(htz_bridge* b, size_t key, bool awake) {
  rest* r = rest_of(b, key);
  if (!r || r->awake == awake) {
    return;
  }
  r->awake = awake;
  r->given[0] = 0.0;
  r->given[1] = 0.0;
  r->stale = true;
  double w[HTZ_BRIDGE_POINTS_MAX];
  read_points(b, w);
  // Its wave goes on as it is; only the straight line it swings about follows the bridge, or does not any more.
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_join_shift(r->s->desc.bodies[i], awake ? at_rest(b, r, w) : -at_rest(b, r, w));
  }
}

bool htz_bridge_awake(const htz_bridge* b, size_t key) {
  const rest* r = rest_of(b, key);
  return r && r->awake;
}

void htz_bridge_move(htz_bridge* b, size_t key, double at, double ratio) {
  rest* r = rest_of(b, key);
  if (!r || !(at >= 0.0) || !(at <= (double)(b->n_points - 1))) {
    return;
  }
  rest_place(r, b->n_points, at);
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_join_lever(r->s->desc.bodies[i], ratio);
  }
  r->stale = true;
}

void htz_bridge_touch(htz_bridge* b, size_t key) {
  rest* r = rest_of(b, key);
  if (r) {
    r->stale = true;
  }
}

double htz_bridge_pitch_shift(const htz_bridge* b, size_t key) {
  const rest* r = rest_of(b, key);
  double sum = 0.0;
  for (uint32_t i = 0; r && i < r->s->desc.n_struck; ++i) {
    const htz_modal* string = r->s->desc.bodies[i];
    const double w = htz_modal_omega(string)[0];
    // As they move together each feels the board pushed by all.
    sum -= 0.5 * htz_modal_join_softness(string, 0) * htz_modal_receptance(b->board, r->point, r->share, b->n_points, w);
  }
  return sum;
}

void htz_bridge_reset(htz_bridge* b) {
  htz_body* board = htz_modal_body(b->board);
  board->cls->reset(board);
  for (size_t i = 0; i < b->n_rests; ++i) {
    rest* r = b->rests[i];
    r->awake = false;
    r->stale = true;
    r->given[0] = 0.0;
    r->given[1] = 0.0;
    r->s->base.cls->reset(&r->s->base);
  }
  b->largest = 0.0;
}

double htz_bridge_energy(const htz_bridge* b) {
  const htz_body* board = htz_modal_body(b->board);
  double w[HTZ_BRIDGE_POINTS_MAX];
  read_points(b, w);
  double sum = board->cls->energy(board);
  for (size_t i = 0; i < b->n_rests; ++i) {
    const rest* r = b->rests[i];
    const double here = at_rest(b, r, w);
    if (!r->awake) {
      sum += 0.5 * r->tension * here * here;
      continue;
    }
    sum += htz_network_energy(r->s->net);
    for (uint32_t s = 0; s < r->s->desc.n_struck; ++s) {
      sum += htz_modal_join_energy(r->s->desc.bodies[s], here);
    }
  }
  return sum;
}

const htz_bridge_counters* htz_bridge_count(const htz_bridge* b) {
  return &b->counters;
}
