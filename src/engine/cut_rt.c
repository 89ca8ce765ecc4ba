#include "engine_private.h"

#include <string.h>

/*
   A stroke on something that is being silenced: the old sound is on its way out, the new one shall be whole. They cannot be told apart
   in a body that both move, so the old one is taken out of the body at once, and its output ends smoothly from where it was.
*/

static const double let_go_s = 0.008; // with the silence before it within 20 ms

void htz_residue_start(const htz_engine* engine, residue* r) {
  memcpy(r->from, r->last, sizeof r->from);
  r->length = (uint32_t)(let_go_s * engine->rate);
  r->left = r->length;
}

void htz_residue_add(const residue* r, uint32_t o, float* to) {
  for (uint32_t i = 0; i < HTZ_QUANTUM && i < r->left; ++i) {
    const float x = (float)(r->left - i) / (float)r->length;
    to[i] += r->from[o] * x * x * (3.0f - 2.0f * x); // level at both ends
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
    htz_key_rest(p, key);
    htz_residue_start(engine, &key->rest);
  }
}

static bool only_drives(const htz_key* plan) {
  bool only = true;
  for (uint32_t o = 0; o < plan->island->n_pickups; ++o) {
    only = only && plan->drives[o];
  }
  return only;
}

void htz_part_cut(const htz_engine* engine, part* p) {
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
    htz_key_rest(p, key);
    p->awake[k / 64] &= is_struck(key) ? UINT64_MAX : ~bit;
  }
  if (p->bridged) {
    htz_bridge_reset(bridge);
    p->budget = 0.0;
  } else {
    body->cls->reset(body);
  }
  htz_residue_start(engine, &p->rest);
  p->board_fade = (glide){1.0f, 1.0f, 0};
  p->board_awake = false;
  p->silenced = false;
  p->cut = false;
}
