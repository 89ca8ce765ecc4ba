#include "engine_private.h"

/*
   Choke groups: a strike on one key damps the other keys of its group, held or not, from the frame of the strike until they are struck
   again themselves. A closed hi-hat ends the open one.
*/

/** The other keys of the group that sound, or are about to, get their dampers at frame `offset`. */
static void choke_others(htz_engine* engine, part* p, uint32_t k, uint32_t offset) {
  for (uint32_t other = 0; other < HTZ_KEYS; ++other) {
    key_state* key = &p->keys[other];
    const bool same = key->plan->choke_group == p->keys[k].plan->choke_group;
    if (other == k || !same || key->choked || !is_awake(p, other)) {
      continue;
    }
    key->choked = true;
    const key_event e = {.offset = offset, .kind = EVENT_CHOKE, .sigma = htz_key_damper(p, key), .quanta = 1};
    htz_key_post(engine, p, other, &e);
  }
}

void htz_key_choke(htz_engine* engine, part* p, uint32_t k, uint32_t offset) {
  key_state* key = &p->keys[k];
  if (key->plan->choke_group == 0) {
    return;
  }
  if (key->choked) {
    key->choked = false;
    const key_event e = {.offset = offset, .kind = EVENT_CHOKE, .sigma = htz_key_damper(p, key), .quanta = 1};
    htz_key_post(engine, p, k, &e);
  }
  choke_others(engine, p, k, offset);
}
