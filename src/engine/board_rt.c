#include "engine_private.h"

#include <math.h>
#include <string.h>

static bool driven(const htz_board* board, float drives[HTZ_BOARD_ZONES_MAX][HTZ_QUANTUM]) {
  for (uint32_t z = 0; z < board->n_zones; ++z) {
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      if (drives[z][i] != 0.0f) {
        return true;
      }
    }
  }
  return false;
}

static double loudness(const htz_board* board, double energy) {
  double sum = 0.0;
  for (uint32_t i = 0; i < board->n_pickups; ++i) {
    sum += htz_modal_loudness_bound(board->body, i) * sqrt(energy);
  }
  return sum;
}

/** Its loudness while nothing pushes it, at times closely looked at. */
static double ringing(part* p, double energy) {
  const htz_board* board = &p->instrument->board;
  const double bound = loudness(board, energy);
  double power = 0.0;
  if (bound < HTZ_ASLEEP_BELOW || !htz_looks_closely(&p->board_quanta, 0) || !htz_modal_is_linear(board->body)) {
    return bound;
  }
  for (uint32_t i = 0; i < board->n_pickups; ++i) {
    const double *aq, *av;
    htz_modal_signal(board->body, i, &aq, &av);
    power += htz_modal_swing(board->body, aq, av);
  }
  return sqrt(power);
}

void htz_part_wake_board(part* p) {
  p->board_quanta = p->board_awake ? p->board_quanta : 0;
  p->board_awake = true;
}

static void rest(part* p) {
  htz_body* body = htz_modal_body(p->instrument->board.body);
  body->cls->reset(body);
  p->board_awake = false;
  if (p->silenced) {
    htz_part_action_rest(p);
  }
  p->board_fade = (glide){1.0f, 1.0f, 0};
  p->silenced = false;
  memset(p->tail.last, 0, sizeof p->tail.last);
}

void htz_part_board(htz_engine* engine, part* p) {
  const htz_board* board = &p->instrument->board;
  if (!board->body) {
    return;
  }
  const bool pushed = driven(board, p->drives);
  if (!pushed && !p->board_awake) {
    return;
  }
  htz_part_wake_board(p);
  htz_part_move_ears(p, board->n_ears, board->ears, &p->board_ears);
  float heard[HTZ_BOARD_PICKUPS_MAX][HTZ_QUANTUM];
  float* pickups[HTZ_BOARD_PICKUPS_MAX];
  const float* drives[HTZ_BOARD_ZONES_MAX];
  for (uint32_t i = 0; i < board->n_pickups; ++i) {
    memset(heard[i], 0, sizeof heard[i]);
    pickups[i] = heard[i];
  }
  for (uint32_t z = 0; z < board->n_zones; ++z) {
    drives[z] = p->drives[z];
  }
  htz_modal_drive_points(board->body, board->n_zones, drives, HTZ_QUANTUM, pickups);
  htz_part_hear_board(engine, p, heard, pushed);
}

/** What pickup `o` gives comes to the mix when it is heard: while the ears walk, from where they come and where they go. */
static void hear(part* p, uint32_t o, const float share[2], const float heard[HTZ_QUANTUM]) {
  const ear_walk* ears = &p->ears;
  const htz_board* board = &p->instrument->board;
  const float from = (float)ear_walk_before(ears), step = ((float)ear_walk_done(ears) - from) / (float)HTZ_QUANTUM;
  for (uint32_t side = 0; side < 2; ++side) {
    float* to = htz_part_later(p, side, board->late[ears->to][o]);
    float* old = ears->of > 0 ? htz_part_later(p, side, board->late[ears->from][o]) : to;
    for (uint32_t i = 0; i < HTZ_QUANTUM && ears->of == 0; ++i) {
      to[i] += share[side] * heard[i];
    }
    for (uint32_t i = 0; i < HTZ_QUANTUM && ears->of > 0; ++i) {
      const float way = from + step * (float)(i + 1);
      to[i] += share[side] * way * heard[i];
      old[i] += share[side] * (1.0f - way) * heard[i];
    }
  }
}

void htz_part_hear_board(htz_engine* engine, part* p, float heard[HTZ_BOARD_PICKUPS_MAX][HTZ_QUANTUM], bool pushed) {
  const htz_board* board = &p->instrument->board;
  const htz_body* body = htz_modal_body(board->body);
  const double energy = body->cls->energy(body);
  if (!isfinite(energy) || !htz_lines_finite(heard, board->n_pickups)) {
    ++engine->counters.resets;
    rest(p);
    return;
  }
  const bool fading = p->board_fade.left > 0 || p->board_fade.now != 1.0f;
  float fade[HTZ_QUANTUM + 1];
  if (fading) {
    htz_fade_pass(&p->board_fade, fade);
  }
  memset(p->tail.last, 0, sizeof p->tail.last);
  for (uint32_t o = 0; o < board->n_pickups; ++o) {
    float left = 0.0f, right = 0.0f;
    htz_pan_place(board->pan[o] * p->params[HTZ_PARAM_WIDTH], &left, &right);
    if (fading) {
      const double level = p->bridged ? (double)p->level : 1.0;
      htz_fade_line(engine, fade, level * htz_modal_left_over(board->body, o), heard[o]);
    }
    hear(p, o, (const float[2]){left, right}, heard[o]);
    p->tail.last[0] += left * heard[o][HTZ_QUANTUM - 1];
    p->tail.last[1] += right * heard[o][HTZ_QUANTUM - 1];
  }
  const bool faded = p->board_fade.target == 0.0f && p->board_fade.left == 0;
  if (faded || (!pushed && ringing(p, energy) < HTZ_ASLEEP_BELOW)) {
    rest(p);
  }
}

void htz_part_motor(const htz_engine* engine, part* p) {
  static const double turn = 6.28318530717958647693;
  const double rate = p->params[HTZ_PARAM_MOTOR_RATE];
  if (!(rate > 0.0)) {
    p->motor_turns = 0.0;
    p->motor = 1.0;
    return;
  }
  p->motor_turns += rate * HTZ_QUANTUM / engine->rate;
  p->motor_turns -= floor(p->motor_turns);
  p->motor = 1.0 - p->params[HTZ_PARAM_MOTOR_DEPTH] * 0.5 * (1.0 - cos(turn * p->motor_turns));
}
