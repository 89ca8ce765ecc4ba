#include "engine_private.h"

#include <string.h>

/*
   A stroke on something that is being silenced: the old sound is on its way out, the new one shall be whole. They cannot be told apart
   in a body that both move, so the old one is taken out of the body at once, and its output ends smoothly from where it was.
*/

static const double let_go_s = 0.008; // with the silence before it within 20 ms

/** From 0 to 1, level at both ends. */
static float smooth(float x) {
  return x * x * (3.0f - 2.0f * x);
}

/** What line `o` has with the share x of its time to go: from its last value to 0, and a hump of mean 1 besides; level at both ends. */
static float residue_at(const residue* r, uint32_t o, float x) {
  const float y = x * (1.0f - x);
  return r->from[o] * smooth(x) + r->hump[o] * 30.0f * y * y;
}

/** And what it comes to from there on, as a share of its length: the integral of residue_at() from 0 to x. */
static float residue_left_over(const residue* r, uint32_t o, float x) {
  return x * x * x * (r->from[o] * (1.0f - 0.5f * x) + r->hump[o] * (10.0f - 15.0f * x + 6.0f * x * x));
}

void htz_residue_start(const htz_engine* engine, residue* r, const double* left_over, uint32_t lines) {
  const uint32_t length = (uint32_t)(let_go_s * engine->rate);
  const float x = r->left > 0 ? (float)r->left / (float)r->length : 0.0f;
  for (uint32_t o = 0; o < HTZ_ISLAND_PICKUPS_MAX; ++o) {
    // One that is still on its way goes on in the new one.
    const float from = r->last[o] + residue_at(r, o, x);
    const float sum = (o < lines ? (float)(left_over[o] * engine->rate) : 0.0f) + (float)r->length * residue_left_over(r, o, x);
    const float falls = 0.5f * (float)(length + 1); // the sum of smooth() over so many frames
    r->from[o] = from;
    r->hump[o] = (sum - from * falls) / (float)length;
  }
  r->length = length;
  r->left = length;
}

void htz_residue_add(const residue* r, uint32_t o, float* to) {
  for (uint32_t i = 0; i < HTZ_QUANTUM && i < r->left; ++i) {
    to[i] += residue_at(r, o, (float)(r->left - i) / (float)r->length);
  }
}

float htz_fade_now(const glide* fade) {
  return smooth(fade->now);
}

void htz_fade_pass(glide* fade, float w[HTZ_QUANTUM + 1]) {
  w[0] = smooth(fade->now);
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    w[i + 1] = smooth(glide_step(fade));
  }
}

// With U the sum of y so far, counted from rest, U ends in -left_over; (U w) steps by y w + U_before (w - w_before).
void htz_fade_line(const htz_engine* engine, const float w[HTZ_QUANTUM + 1], double left_over, float y[HTZ_QUANTUM]) {
  double u = -left_over * engine->rate;
  for (uint32_t i = HTZ_QUANTUM; i-- > 0;) {
    u -= (double)y[i];
    y[i] = y[i] * w[i + 1] + (float)u * (w[i + 1] - w[i]);
  }
}

/** Events up to the last silence are over. @return true when there was one */
static bool drop_silenced(key_state* key) {
  uint32_t gone = 0;
  for (uint32_t e = 0; e < key->n_events; ++e) {
    gone = key->events[e].kind == EVENT_SILENCE ? e + 1 : gone;
  }
  key->n_events -= gone;
  memmove(key->events, key->events + gone, key->n_events * sizeof key->events[0]);
  return gone > 0;
}

static bool is_struck(const key_state* key) {
  for (uint32_t e = 0; e < key->n_events; ++e) {
    if (key->events[e].kind == EVENT_STRIKE) {
      return true;
    }
  }
  return false;
}

void htz_key_cut(const htz_engine* engine, part* p, uint32_t k) {
  key_state* key = &p->keys[k];
  key->cut = false;
  if (drop_silenced(key) || key->fading) {
    const htz_island* island = key->plan->island;
    double left_over[HTZ_ISLAND_PICKUPS_MAX];
    htz_key_left_over(key, left_over);
    for (uint32_t o = 0; o < island->n_pickups; ++o) {
      left_over[o] *= (double)htz_fade_now(&key->fade);
    }
    htz_key_settle(p, key);
    htz_residue_start(engine, &key->tail, left_over, island->n_pickups);
  }
}

static bool only_drives(const htz_key* plan) {
  bool only = true;
  for (uint32_t o = 0; o < plan->island->n_pickups; ++o) {
    only = only && plan->drives[o];
  }
  return only;
}

/** What the board would still be heard to give, left and right. */
static void board_left_over(const part* p, double side[2]) {
  const htz_board* board = &p->instrument->board;
  const double heard = (double)(p->bridged ? p->level * htz_fade_now(&p->board_fade) : htz_fade_now(&p->board_fade));
  side[0] = side[1] = 0.0;
  for (uint32_t o = 0; o < board->n_pickups; ++o) {
    float share[2];
    htz_pan_place(board->pan[o] * p->params[HTZ_PARAM_WIDTH], &share[0], &share[1]);
    const double all = heard * htz_modal_left_over(board->body, o);
    side[0] += (double)share[0] * all;
    side[1] += (double)share[1] * all;
  }
}

void htz_part_cut(const htz_engine* engine, part* p) {
  double left_over[2];
  htz_bridge* bridge = p->instrument->board.bridge;
  htz_body* body = htz_modal_body(p->instrument->board.body);
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    key_state* key = &p->keys[k];
    const uint64_t bit = UINT64_C(1) << (k % 64);
    // A key that is heard by itself as well goes on fading, unless it is the one that is struck.
    if (!(p->awake[k / 64] & bit) || (!only_drives(key->plan) && !key->cut)) {
      continue;
    }
    key->cut = false;
    if (!drop_silenced(key) && !key->fading) {
      continue;
    }
    if (bridge) {
      htz_bridge_wake(bridge, k, false);
    }
    htz_key_settle(p, key);
    p->awake[k / 64] &= is_struck(key) ? UINT64_MAX : ~bit;
  }
  htz_part_action_rest(p);
  board_left_over(p, left_over);
  if (p->bridged) {
    htz_bridge_reset(bridge);
    p->budget = 0.0;
  } else {
    body->cls->reset(body);
  }
  htz_residue_start(engine, &p->tail, left_over, 2);
  p->board_fade = (glide){1.0f, 1.0f, 0};
  p->board_awake = false;
  p->silenced = false;
  p->cut = false;
}
