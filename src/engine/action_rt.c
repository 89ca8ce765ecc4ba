#include "engine_private.h"

#include "hertzian/instrument/throw.h"

#include <math.h>
#include <string.h>

// What keys hit besides what they play: a body that drives the board, one way.

static htz_strike strike_of(const htz_blow_throw* t, double share) {
  return (htz_strike){.speed = t->speed[0] * pow(t->speed[1] / t->speed[0], share),
                      .mass = t->mass,
                      .stiffness = t->stiffness,
                      .exponent = t->exponent,
                      .viscosity = t->viscosity,
                      .hysteresis = t->hysteresis,
                      .relaxation = t->relaxation,
                      .core = t->core,
                      .core_exponent = t->core_exponent,
                      .depth = t->depth,
                      .at = t->at,
                      .at_y = (double)NAN};
}

void htz_part_blow(htz_engine* engine, part* p, uint32_t k, bool release, double velocity, uint32_t offset) {
  static const double latest_s = 1.0; // a key that creeps down makes no noise
  const htz_action* action = &p->instrument->action;
  part_action* now = &p->action;
  for (uint32_t i = 0; i < action->n_blows && action->island; ++i) {
    if (action->blows[i].release != release) {
      continue;
    }
    const htz_blow_throw* t = &action->blows[i].thrown[k];
    const htz_strike strike = strike_of(t, htz_key_share(velocity));
    const double late_s = t->gap / strike.speed;
    if (late_s > latest_s) {
      continue;
    }
    if (now->n == ACTION_BLOWS_MAX) {
      ++engine->counters.dropped;
      continue;
    }
    now->blows[now->n++] = (action_blow){engine->now + offset + (uint64_t)(late_s * engine->rate), strike};
  }
}

/** The first to arrive before `end`, taken out of the list. @return false when there is none */
static bool next_blow(part_action* a, uint64_t end, action_blow* out) {
  uint32_t first = a->n;
  for (uint32_t i = 0; i < a->n; ++i) {
    if (a->blows[i].frame < end && (first == a->n || a->blows[i].frame < a->blows[first].frame)) {
      first = i;
    }
  }
  if (first == a->n) {
    return false;
  }
  *out = a->blows[first];
  memmove(&a->blows[first], &a->blows[first + 1], (a->n - first - 1) * sizeof a->blows[0]);
  --a->n;
  return true;
}

/** The force goes to the board between two of its points, by the part's level. */
static void drive(part* p, const float force[HTZ_QUANTUM]) {
  const htz_board* board = &p->instrument->board;
  const double at = p->instrument->action.board_at;
  const uint32_t low = at > 0.0 ? (uint32_t)at : 0;
  const uint32_t zone = low + 1 < board->n_zones ? low : board->n_zones > 1 ? board->n_zones - 2 : 0;
  const float far = board->n_zones > 1 ? (float)(at - zone) : 0.0f;
  const float to = level_factor(p->params[HTZ_PARAM_LEVEL]), from = p->action.level;
  const float step = (to - from) / (float)HTZ_QUANTUM;
  float* near_point = p->drives[zone];
  float* far_point = p->drives[board->n_zones > 1 ? zone + 1 : zone];
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    const float f = (from + step * (float)(i + 1)) * force[i];
    near_point[i] += (1.0f - far) * f;
    far_point[i] += far * f;
  }
  p->action.level = to;
}

void htz_part_action(htz_engine* engine, part* p) {
  part_action* now = &p->action;
  const htz_action* action = &p->instrument->action;
  htz_island* island = action->island;
  if (!now->awake && now->n == 0) {
    return;
  }
  float force[1][HTZ_QUANTUM] = {{0.0f}};
  action_blow blow;
  uint32_t at = 0;
  for (bool more = true; more;) {
    more = next_blow(now, engine->now + HTZ_QUANTUM, &blow);
    const uint32_t end = !more ? HTZ_QUANTUM : blow.frame > engine->now + at ? (uint32_t)(blow.frame - engine->now) : at;
    float* to[HTZ_ISLAND_PICKUPS_MAX] = {force[0] + at};
    if (now->awake && end > at) {
      island->cls->advance(island, end - at, to);
    }
    at = end;
    if (more) {
      now->level = now->awake ? now->level : level_factor(p->params[HTZ_PARAM_LEVEL]);
      now->awake = true;
      island->cls->strike(island, &blow.strike);
    }
  }
  if (!now->awake) {
    return;
  }
  double loudness = 0.0;
  if (!isfinite(island->cls->energy(island, &loudness)) || !htz_lines_finite(force, 1)) {
    ++engine->counters.resets;
    htz_part_action_rest(p);
    return;
  }
  drive(p, force[0]);
  if (!island->cls->busy(island) && loudness * action->heard < HTZ_ASLEEP_BELOW) {
    htz_part_action_rest(p);
  }
}

void htz_part_action_drop(part* p) {
  p->action.n = 0;
}

void htz_part_action_rest(part* p) {
  htz_island* island = p->instrument->action.island;
  if (island && p->action.awake) {
    island->cls->reset(island);
  }
  p->action.awake = false;
}
