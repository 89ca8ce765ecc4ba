#ifndef HERTZIAN_ENGINE_ACTION_H
#define HERTZIAN_ENGINE_ACTION_H

#include "hertzian/engine/engine.h"

// What keys hit as they are pressed and let go, besides what they play.

enum {
  ACTION_BLOWS_MAX = (int)HTZ_KEYS * HTZ_SPEC_BLOWS_MAX
}; // on their way, of all keys at once; more are dropped, and counted

/** A mass on its way to the body of the action. */
typedef struct {
  uint64_t frame; // at which it arrives
  htz_strike strike;
} action_blow;

typedef struct {
  bool awake;
  uint32_t n;  // on their way
  float level; // factor on its force at the end of the last quantum
  action_blow blows[ACTION_BLOWS_MAX];
} part_action;

static inline bool action_moves(const part_action* a) {
  return a->awake || a->n > 0;
}

/** Key `k` is pressed, or let go, at `offset` with velocity 0..127: what it throws at the body of the action sets out. */
HTZ_RT void htz_part_blow(htz_engine* engine, htz_part* p, uint32_t k, bool release, double velocity, uint32_t offset);

/** What arrives there in the quantum, and what of it comes to the board. Before that. */
HTZ_RT void htz_part_action(htz_engine* engine, htz_part* p);

/** Nothing is on its way there any more; and all at rest. */
HTZ_RT void htz_part_action_drop(htz_part* p);
HTZ_RT void htz_part_action_rest(htz_part* p);

#endif
