#include "engine_private.h"

#include <math.h>
#include <string.h>

/*
   Keys that are linked to each other go through the quantum together, sample by sample, in pieces between the events of any of them. What
   could be stirred is woken before, so that nothing starts with a step.
*/

static const double fade_seconds = 0.010; // as a key's own

static bool struck_now(const key_state* key) {
  for (uint32_t e = 0; e < key->n_events; ++e) {
    if (key->events[e].kind == EVENT_STRIKE) {
      return true;
    }
  }
  return false;
}

bool htz_part_linked_sounds(const part* p) {
  const htz_linked* l = &p->instrument->linked;
  bool any = false;
  for (uint32_t u = 0; u < l->n_shared && l->group; ++u) {
    any = any || htz_group_awake(l->group, l->n_keys + u);
  }
  return any;
}

void htz_part_linked_silence(const htz_engine* engine, part* p) {
  if (htz_part_linked_sounds(p)) {
    p->linked_fade.target = 0.0f;
    p->linked_fade.left = (uint32_t)(fade_seconds * engine->rate);
  }
}

/** Units that are struck, or that what moves could stir; a stroke may reach any. @return false when nothing moves */
static bool wake_units(const htz_engine* engine, part* p) {
  const htz_linked* l = &p->instrument->linked;
  bool struck = false, any = htz_part_linked_sounds(p);
  for (uint32_t u = 0; u < l->n_keys; ++u) {
    struck = struck || struck_now(&p->keys[l->keys[u]]);
    any = any || is_awake(p, l->keys[u]);
  }
  if (!any) {
    return false;
  }
  if (struck && p->linked_fade.target == 0.0f) {
    p->linked_fade.target = 1.0f;
    p->linked_fade.left = (uint32_t)(fade_seconds * engine->rate);
  }
  htz_group_refresh(l->group); // what was put to sleep since, its bends and what lies on it, is not among what there is
  const double before = htz_group_energy(l->group);
  for (uint32_t u = 0; u < l->n_keys + l->n_shared; ++u) {
    const bool own = u < l->n_keys && is_awake(p, l->keys[u]);
    if (own || (!htz_group_awake(l->group, u) && (struck || htz_group_disturbed(l->group, u, HTZ_ASLEEP_BELOW)))) {
      htz_group_wake(l->group, u, true);
      if (u < l->n_keys && !own) {
        htz_key_tune(p, l->keys[u], true, 0);
        set_awake(p, l->keys[u], true);
      }
    }
  }
  // What lay on the keys that were woken had bent them: nobody's work, but theirs from now on.
  htz_group_refresh(l->group);
  const double brought = htz_group_energy(l->group) - before;
  p->linked_budget += brought > 0.0 ? brought : 0.0;
  return true;
}

static void begin_keys(const htz_engine* engine, part* p) {
  const htz_linked* l = &p->instrument->linked;
  for (uint32_t u = 0; u < l->n_keys; ++u) {
    key_state* key = &p->keys[l->keys[u]];
    if (is_awake(p, l->keys[u])) {
      const double before = key->budget;
      htz_key_begin(engine, p, l->keys[u]);
      p->linked_budget += key->budget > before ? key->budget - before : 0.0; // tuning does work on what holds
      memset(p->linked[u], 0, sizeof p->linked[u]);
    }
  }
}

/** Events at frame `at`; each key's first `done[u]` are over. @return the frame of the next one, or the quantum's end. */
static uint32_t apply_events(htz_engine* engine, part* p, uint32_t at, uint8_t* done) {
  const htz_linked* l = &p->instrument->linked;
  uint32_t next = HTZ_QUANTUM;
  for (uint32_t u = 0; u < l->n_keys; ++u) {
    key_state* key = &p->keys[l->keys[u]];
    for (; done[u] < key->n_events && key->events[done[u]].offset <= at; ++done[u]) {
      const double before = key->budget;
      htz_key_apply(engine, p, key, &key->events[done[u]]);
      p->linked_budget += key->budget - before;
    }
    if (done[u] < key->n_events && key->events[done[u]].offset < next) {
      next = key->events[done[u]].offset;
    }
    if (is_awake(p, l->keys[u])) {
      htz_key_influence(engine, p, key, at);
    }
  }
  return next;
}

static void run_pieces(htz_engine* engine, part* p, float shared[HTZ_GROUP_SHARED_MAX][HTZ_PICKUPS_MAX][HTZ_QUANTUM]) {
  const htz_linked* l = &p->instrument->linked;
  uint8_t done[HTZ_KEYS] = {0};
  for (uint32_t at = 0; at < HTZ_QUANTUM;) {
    const uint32_t end = apply_events(engine, p, at, done);
    float* lines[HTZ_KEYS][HTZ_ISLAND_PICKUPS_MAX];
    float* heard[HTZ_GROUP_SHARED_MAX][HTZ_PICKUPS_MAX];
    for (uint32_t u = 0; u < l->n_keys; ++u) {
      for (uint32_t o = 0; o < HTZ_ISLAND_PICKUPS_MAX; ++o) {
        lines[u][o] = p->linked[u][o] + at;
      }
    }
    for (uint32_t u = 0; u < l->n_shared; ++u) {
      for (uint32_t o = 0; o < HTZ_PICKUPS_MAX; ++o) {
        heard[u][o] = shared[u][o] + at;
      }
    }
    htz_group_run(l->group, end - at, lines, heard);
    at = end;
  }
}

static void all_to_rest(part* p) {
  const htz_linked* l = &p->instrument->linked;
  for (uint32_t u = 0; u < l->n_keys; ++u) {
    p->keys[l->keys[u]].n_events = 0;
    htz_key_settle(p, &p->keys[l->keys[u]]);
    set_awake(p, l->keys[u], false);
  }
  htz_group_reset(l->group);
  p->linked_budget = 0.0;
  p->linked_fade = (glide){1.0f, 1.0f, 0};
}

/** The shared bodies' pickups into the part's mix, at the part's level; what is quiet then sleeps. */
static void hear_shared(const htz_engine* engine, part* p, float shared[HTZ_GROUP_SHARED_MAX][HTZ_PICKUPS_MAX][HTZ_QUANTUM]) {
  const htz_linked* l = &p->instrument->linked;
  const bool fading = p->linked_fade.left > 0 || p->linked_fade.now != 1.0f;
  const float level = level_factor(p->params[HTZ_PARAM_LEVEL]);
  float fade[HTZ_QUANTUM + 1];
  if (fading) {
    htz_fade_pass(&p->linked_fade, fade);
  }
  const bool faded = p->linked_fade.target == 0.0f && p->linked_fade.left == 0;
  for (uint32_t u = 0; u < l->n_shared; ++u) {
    if (!htz_group_awake(l->group, l->n_keys + u)) {
      continue;
    }
    for (uint32_t o = 0; o < htz_modal_pickups(l->shared[u]); ++o) {
      float side[2];
      htz_pan_place(l->pan[u][o] * p->params[HTZ_PARAM_WIDTH], &side[0], &side[1]);
      if (fading) {
        htz_fade_line(engine, fade, htz_modal_left_over(l->shared[u], o), shared[u][o]);
      }
      for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
        p->mix[0][i] += side[0] * level * shared[u][o][i];
        p->mix[1][i] += side[1] * level * shared[u][o][i];
      }
    }
    const bool quiet = htz_group_loudness(l->group, l->n_keys + u) < HTZ_ASLEEP_BELOW &&
                       !htz_group_disturbed(l->group, l->n_keys + u, HTZ_ASLEEP_BELOW);
    if (faded || quiet) {
      htz_group_settle(l->group, l->n_keys + u);
    }
  }
  if (faded) {
    p->linked_fade = (glide){1.0f, 1.0f, 0};
  }
}

static void finish_keys(const htz_engine* engine, part* p) {
  const htz_linked* l = &p->instrument->linked;
  for (uint32_t u = 0; u < l->n_keys; ++u) {
    const uint32_t k = l->keys[u];
    if (!is_awake(p, k)) {
      continue;
    }
    const htz_island* island = p->keys[k].plan->island;
    double loudness = 0.0;
    island->cls->energy(island, &loudness);
    const double own = htz_group_loudness(l->group, u);
    const double stays = own < HTZ_ASLEEP_BELOW && htz_group_disturbed(l->group, u, HTZ_ASLEEP_BELOW) ? HUGE_VAL : own;
    if (!htz_key_finish(engine, p, k, p->linked[u], loudness, stays)) {
      set_awake(p, k, false);
      htz_group_wake(l->group, u, false);
    }
  }
}

/** What is heard of keys and shared bodies are numbers. */
static bool are_finite(const part* p, float shared[HTZ_GROUP_SHARED_MAX][HTZ_PICKUPS_MAX][HTZ_QUANTUM]) {
  const htz_linked* l = &p->instrument->linked;
  bool finite = true;
  for (uint32_t u = 0; u < l->n_keys && finite; ++u) {
    finite = !is_awake(p, l->keys[u]) || htz_lines_finite(p->linked[u], p->keys[l->keys[u]].plan->island->n_pickups);
  }
  for (uint32_t u = 0; u < l->n_shared && finite; ++u) {
    finite = htz_lines_finite(shared[u], (uint32_t)htz_modal_pickups(l->shared[u]));
  }
  return finite;
}

void htz_part_linked(htz_engine* engine, part* p) {
  const htz_linked* l = &p->instrument->linked;
  if (!l->group || !wake_units(engine, p)) {
    return;
  }
  float shared[HTZ_GROUP_SHARED_MAX][HTZ_PICKUPS_MAX][HTZ_QUANTUM];
  memset(shared, 0, l->n_shared * sizeof shared[0]);
  begin_keys(engine, p);
  run_pieces(engine, p, shared);
  for (uint32_t u = 0; u < l->n_keys; ++u) {
    key_state* key = &p->keys[l->keys[u]];
    const double before = key->budget;
    key->n_events = 0;
    htz_key_external_work(key);
    p->linked_budget += key->budget - before;
  }
  if (!(htz_group_energy(l->group) <= HTZ_RUNAWAY_RATIO * p->linked_budget) || !are_finite(p, shared)) {
    ++engine->counters.resets;
    all_to_rest(p);
    return;
  }
  finish_keys(engine, p);
  hear_shared(engine, p, shared);
  bool any = htz_part_linked_sounds(p);
  for (uint32_t u = 0; u < l->n_keys && !any; ++u) {
    any = is_awake(p, l->keys[u]);
  }
  if (!any) {
    htz_group_reset(l->group);
    p->linked_budget = 0.0;
  }
}
