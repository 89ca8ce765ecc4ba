#include "bridge_private.h"

#include <math.h>
#include <string.h>

/*
   The samples of a run, each solved for the bridge's mean displacement w_ over it (hertzian/contact/bridge.h).
*/

/** What drives the points one way in this sample. */
static void gather_push(htz_bridge* b) {
  const bool driven = b->drives && b->at < HTZ_QUANTUM;
  for (size_t p = 0; p < b->n_points; ++p) {
    b->push[p] = b->driven[p] + (driven ? (double)b->drives[p][b->at] : 0.0);
    b->driven[p] = 0.0;
  }
}

static void gather_reaction(htz_bridge* b, uint32_t frame) {
  for (size_t p = 0; p < b->n_points; ++p) {
    b->reaction[p] = (double)b->coming[p * HTZ_ANSWER + frame] - b->push[p];
  }
  for (size_t i = 0; i < b->n_stepping; ++i) {
    support* r = b->stepping[i];
    if (r->awake && !isfinite(r->reaction)) { // however large: what ran away is known by its energy
      htz_bridge_expel(b, r);
    }
    if (r->awake) {
      bridge_add_at(b, r, r->reaction, b->reaction);
    }
  }
}

static void solve_mean(htz_bridge* b) {
  const size_t n = b->n_points;
  double right[HTZ_BRIDGE_POINTS_MAX];
  for (size_t p = 0; p < n; ++p) {
    double sum = 0.0;
    for (size_t q = 0; q < n; ++q) {
      sum += b->compliance[p * n + q] * b->reaction[q];
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

/** How far the key was from where the bridge really is. */
static double missed(const htz_bridge* b, const support* r) {
  return fabs(bridge_at(b, r, b->mean) - r->used);
}

/** Keys in flight go through the sample again until the bridge moves as it moved them. */
static void fly_exactly(htz_bridge* b, uint32_t frame) {
  bool settled = false;
  for (int trial = 0; trial < HTZ_BRIDGE_TRIALS && !settled; ++trial) {
    settled = true;
    for (size_t i = 0; i < b->n_stepping; ++i) {
      support* r = b->stepping[i];
      if (r->flying && (trial == 0 || !(missed(b, r) <= b->tolerance * b->largest))) {
        settled = false;
        htz_support_fly(b, r, bridge_at(b, r, b->mean), trial > 0);
      }
    }
    if (!settled) {
      gather_reaction(b, frame);
      solve_mean(b);
    }
  }
  for (size_t i = 0; i < b->n_stepping; ++i) {
    support* r = b->stepping[i];
    b->counters.capped += r->flying && !(missed(b, r) <= b->tolerance * b->largest);
  }
}

/** They go through it once, and their strings then follow the bridge for the rest of the way. */
static void fly_once(htz_bridge* b, uint32_t frame) {
  for (size_t i = 0; i < b->n_stepping; ++i) {
    support* r = b->stepping[i];
    if (r->flying) {
      htz_support_fly(b, r, bridge_at(b, r, b->mean), false);
    }
  }
  gather_reaction(b, frame);
  solve_mean(b);
  for (size_t i = 0; i < b->n_stepping; ++i) {
    support* r = b->stepping[i];
    if (r->flying && !(missed(b, r) <= b->tolerance * b->largest)) {
      htz_support_correct(b, r, bridge_at(b, r, b->mean));
    }
  }
}

/** How far the points will move in sample `frame` if nothing pushes them. */
static void look_ahead(htz_bridge* b, uint32_t frame) {
  for (size_t p = 0; p < b->n_points && b->sees; ++p) {
    b->rise[p] = (double)b->ahead.seen[p * HTZ_ANSWER + frame] - b->w[p];
  }
}

/** The board is pushed: what that changes later on, or, where it is not seen ahead, its step. */
static void push_board(htz_bridge* b, const double* force, uint32_t frame, uint32_t frames, float* const* heard) {
  const size_t n = b->n_points;
  if (b->sees) {
    float push[HTZ_BRIDGE_POINTS_MAX];
    for (size_t p = 0; p < n; ++p) {
      push[p] = (float)force[p];
      b->forces[p][frame] = push[p];
    }
    b->kernels->respond(n, frames - 1 - frame, b->ahead.response, push, b->ahead.seen + frame + 1);
    return;
  }
  double now[HTZ_HEARD_MAX];
  htz_modal_step_points(b->board, n, force, b->rise, now);
  for (size_t p = 0; p < htz_modal_pickups(b->board); ++p) {
    heard[p][frame] += (float)now[p];
  }
}

static void move_board(htz_bridge* b, uint32_t frame, uint32_t frames, float* const* heard) {
  const size_t n = b->n_points;
  double force[HTZ_BRIDGE_POINTS_MAX];
  for (size_t p = 0; p < n; ++p) {
    double sum = -b->reaction[p];
    for (size_t q = 0; q < n; ++q) {
      sum -= b->load[p * n + q] * b->mean[q];
    }
    force[p] = sum;
  }
  for (size_t p = 0; p < n; ++p) {
    double sum = b->w[p] + b->rise[p];
    for (size_t q = 0; q < n; ++q) {
      sum += b->compliance[p * n + q] * force[q];
    }
    b->external_work += b->push[p] * (sum - b->w[p]);
    b->w[p] = sum;
    const double size = fabs(b->mean[p]);
    b->largest = size > b->largest ? size : b->largest;
  }
  push_board(b, force, frame, frames, heard);
}

/** Before the bridge is solved. @return true when a key is in flight */
static bool take_off(htz_bridge* b, uint32_t frame, uint32_t frames) {
  bool any = false;
  for (size_t i = 0; i < b->n_stepping; ++i) {
    if (b->stepping[i]->flying) {
      htz_support_take_off(b, b->stepping[i], frame, frames);
      ++b->counters.samples;
      any = true;
    }
  }
  return any;
}

/** After it: strings follow, and what is still to come of the turning ones is put right. */
static void follow(htz_bridge* b, uint32_t frame, uint32_t frames) {
  for (size_t i = 0; i < b->n_stepping; ++i) {
    support* r = b->stepping[i];
    if (!r->awake) {
      continue;
    }
    if (r->flying) {
      htz_support_land(r);
      htz_support_hear(b, r);
      continue;
    }
    const double w = bridge_at(b, r, b->mean);
    r->reaction = 0.0;
    for (uint32_t s = 0; s < r->port.n_ends; ++s) {
      r->reaction += htz_modal_join_step(r->port.ends[s], w);
    }
    htz_support_hear(b, r);
  }
  if (b->n_turning == 0) {
    return;
  }
  float mean[HTZ_BRIDGE_POINTS_MAX];
  for (size_t p = 0; p < b->n_points; ++p) {
    mean[p] = (float)b->mean[p];
    b->moved[p * HTZ_QUANTUM + frame] = mean[p];
  }
  b->kernels->answer(b->n_points, frames - 1 - frame, b->own, b->beside, mean, b->coming + frame + 1);
}

/** A linear board is seen ahead, and goes through the samples when they are solved. */
static void begin_board(htz_bridge* b, uint32_t frames) {
  b->sees = !b->exact && htz_modal_is_linear(b->board);
  if (!b->sees) {
    htz_modal_predict_points(b->board, b->n_points, b->rise);
    return;
  }
  if (!htz_modal_ahead_fits(b->board, &b->ahead)) {
    htz_modal_ahead_derive(b->board, &b->ahead);
  }
  htz_modal_ahead_see(b->board, &b->ahead, frames);
}

static void end_board(htz_bridge* b, uint32_t frames, float* const* heard) {
  const float* forces[HTZ_BRIDGE_POINTS_MAX];
  for (size_t p = 0; p < b->n_points; ++p) {
    forces[p] = b->forces[p];
  }
  if (b->sees) {
    htz_modal_drive_points(b->board, b->n_points, forces, frames, heard);
  }
}

void htz_bridge_run(htz_bridge* b, uint32_t frames, float* const* heard) {
  htz_bridge_catch_up(b, frames);
  htz_bridge_turn(b, frames);
  for (size_t i = 0; i < b->n_stepping; ++i) {
    b->stepping[i]->due = 0;
  }
  begin_board(b, frames);
  for (uint32_t f = 0; f < frames; ++f) {
    look_ahead(b, f);
    const bool flying = take_off(b, f, frames);
    gather_push(b);
    gather_reaction(b, f);
    solve_mean(b);
    if (flying && b->exact) {
      fly_exactly(b, f);
    } else if (flying) {
      fly_once(b, f);
    }
    move_board(b, f, frames, heard);
    follow(b, f, frames);
    ++b->at;
  }
  for (size_t i = 0; i < b->n_stepping; ++i) {
    if (b->stepping[i]->due > 0) {
      b->stepping[i]->island->cls->port->after(b->stepping[i]->island, frames);
    }
  }
  end_board(b, frames, heard);
  htz_bridge_turn_back(b, frames);
}
