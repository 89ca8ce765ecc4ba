#include "bridge_private.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <string.h>

void htz_bridge_read_points(const htz_bridge* b, double* w) {
  const htz_body* board = htz_modal_body(b->board);
  for (size_t p = 0; p < b->n_points; ++p) {
    w[p] = board->cls->displacement(board, p);
  }
}

static support* support_of(const htz_bridge* b, size_t key) {
  return key < HTZ_BRIDGE_KEYS_MAX && b->number[key] ? b->supports[b->number[key] - 1] : NULL;
}

// ---------------------------------------------------------------- what changes seldom

static void derive_support(support* r) {
  r->tension = 0.0;
  r->stiffness = 0.0;
  r->step_stiffness = 0.0;
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    htz_modal* m = r->port.ends[i];
    r->tension += htz_modal_join_tension(m);
    r->stiffness += htz_modal_join_stiffness(m);
    r->step_stiffness += htz_modal_join_step_stiffness(m);
  }
  r->stale = false;
  r->turns = false;
  r->still = 0;
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

/** Stiffness with which the strings, as they go through this run, hold the bridge over a sample. */
static double holds_with(const support* r) {
  const double apart = r->turning ? 0.5 * (r->step_stiffness - r->port.turn->step_stiffness) : 0.0;
  return !r->awake ? r->tension : r->stiffness + apart;
}

static void factor(htz_bridge* b) {
  const size_t n = b->n_points;
  htz_body* board = htz_modal_body(b->board);
  memset(b->load, 0, n * n * sizeof(double));
  for (size_t i = 0; i < b->n_supports; ++i) {
    support* r = b->supports[i];
    r->held = holds_with(r);
    bridge_lay(b, r, r->held, b->load);
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

void htz_bridge_catch_up(htz_bridge* b, uint32_t frames) {
  for (size_t i = 0; i < b->n_supports; ++i) {
    support* r = b->supports[i];
    if (r->stale) {
      derive_support(r);
    }
  }
  htz_bridge_sort(b, frames);
  for (size_t i = 0; i < b->n_supports; ++i) {
    b->factored = b->factored && holds_with(b->supports[i]) == b->supports[i]->held && !b->moved_rest;
  }
  b->moved_rest = false;
  if (!b->factored || b->epoch != htz_modal_epoch(b->board)) {
    factor(b);
  }
  htz_bridge_read_points(b, b->w);
}

void htz_bridge_expel(htz_bridge* b, support* r) {
  r->awake = false;
  r->stale = true;
  r->reaction = 0.0;
  r->island->cls->reset(r->island);
  ++b->counters.expelled;
}

/** The straight line that the strings of `r` swing about is displaced by `by` more at their support [m]. */
static void shift_ends(support* r, double by) {
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    htz_modal_join_shift(r->port.ends[i], by);
  }
}

/** Energy of a key at a support displaced by `here`, as its strings are now [J]: asleep they follow it. */
static double energy_at(const support* r, double here) {
  if (!r->awake) {
    double tension = 0.0;
    for (uint32_t i = 0; i < r->port.n_ends; ++i) {
      tension += htz_modal_join_tension(r->port.ends[i]);
    }
    return 0.5 * tension * here * here;
  }
  r->island->cls->port->moving(r->island); // to read its ends
  double sum = r->island->cls->port->energy(r->island);
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    sum += htz_modal_join_energy(r->port.ends[i], here);
  }
  return sum;
}

// ---------------------------------------------------------------- from outside

void htz_bridge_wake(htz_bridge* b, size_t key, bool awake) {
  support* r = support_of(b, key);
  if (!r || r->awake == awake) {
    return;
  }
  r->awake = awake;
  r->given[0] = 0.0;
  r->given[1] = 0.0;
  r->stale = true;
  double w[HTZ_BRIDGE_POINTS_MAX];
  htz_bridge_read_points(b, w);
  r->island->cls->port->moving(r->island);
  // Its wave goes on as it is; only the straight line it swings about follows the bridge, or does not any more.
  shift_ends(r, awake ? bridge_at(b, r, w) : -bridge_at(b, r, w));
  r->island->cls->port->moved(r->island);
}

bool htz_bridge_awake(const htz_bridge* b, size_t key) {
  const support* r = support_of(b, key);
  return r && r->awake;
}

double htz_bridge_move(htz_bridge* b, size_t key, double at, double ratio) {
  support* r = support_of(b, key);
  if (!r || !(at >= 0.0) || !(at <= (double)(b->n_points - 1))) {
    return 0.0;
  }
  double w[HTZ_BRIDGE_POINTS_MAX];
  htz_bridge_read_points(b, w);
  const double from = bridge_at(b, r, w), before = energy_at(r, from);
  r->island->cls->port->moving(r->island);
  shift_ends(r, r->awake ? -from : 0.0);
  support_place(r, b->n_points, at);
  b->moved_rest = true;
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    htz_modal_join_lever(r->port.ends[i], ratio);
  }
  const double to = bridge_at(b, r, w);
  shift_ends(r, r->awake ? to : 0.0);
  r->island->cls->port->moved(r->island);
  r->stale = true;
  return energy_at(r, to) - before;
}

double htz_bridge_retune(htz_bridge* b, size_t key, double ratio, double loss) {
  support* r = support_of(b, key);
  if (!r) {
    return 0.0;
  }
  double w[HTZ_BRIDGE_POINTS_MAX];
  htz_bridge_read_points(b, w);
  const double here = bridge_at(b, r, w), before = energy_at(r, here);
  r->island->cls->port->retune(r->island, ratio, loss, r->awake ? here : 0.0);
  r->stale = true;
  return energy_at(r, here) - before;
}

bool htz_bridge_has(const htz_bridge* b, size_t key) {
  return support_of(b, key) != NULL;
}

void htz_bridge_begin(htz_bridge* b, float (*drives)[HTZ_QUANTUM]) {
  b->drives = drives;
  b->at = 0;
  for (size_t i = 0; i < b->n_supports; ++i) {
    memset(b->supports[i]->lines, 0, b->supports[i]->port.n_lines * sizeof *b->supports[i]->lines);
  }
}

float (*htz_bridge_lines(const htz_bridge* b, size_t key))[HTZ_QUANTUM] {
  const support* r = support_of(b, key);
  return r && r->port.n_lines ? r->lines : NULL;
}

double htz_bridge_external_work(htz_bridge* b) {
  const double external_work = b->external_work;
  b->external_work = 0.0;
  return external_work;
}

void htz_bridge_set_drive(htz_bridge* b, size_t key, double factor) {
  support* r = support_of(b, key);
  if (r) {
    r->drive = factor;
  }
}

void htz_bridge_touch(htz_bridge* b, size_t key) {
  support* r = support_of(b, key);
  if (r) {
    r->stale = true;
  }
}

void htz_bridge_reset(htz_bridge* b) {
  htz_body* board = htz_modal_body(b->board);
  board->cls->reset(board);
  for (size_t i = 0; i < b->n_supports; ++i) {
    support* r = b->supports[i];
    r->awake = false;
    r->stale = true;
    r->given[0] = 0.0;
    r->given[1] = 0.0;
    r->island->cls->reset(r->island);
  }
  b->largest = 0.0;
  memset(b->driven, 0, sizeof b->driven);
  b->external_work = 0.0;
}

double htz_bridge_energy(const htz_bridge* b) {
  const htz_body* board = htz_modal_body(b->board);
  double w[HTZ_BRIDGE_POINTS_MAX];
  htz_bridge_read_points(b, w);
  double sum = board->cls->energy(board);
  for (size_t i = 0; i < b->n_supports; ++i) {
    const support* r = b->supports[i];
    sum += energy_at(r, bridge_at(b, r, w));
  }
  return sum;
}

const htz_bridge_counters* htz_bridge_count(const htz_bridge* b) {
  return &b->counters;
}
