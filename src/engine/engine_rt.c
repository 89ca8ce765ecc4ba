#include "engine_private.h"

#include <math.h>
#include <string.h>

static const double velocity_max = 127.0;
static const double gain_ramp_s = 0.010;  // a board on its way to silence
static const double release_usual = 64.0; // release velocity when none is given
static const double lift_s = 0.002;       // a damper leaves the string
static const double land_slow_s = 0.080;  // and lands on it, after the slowest and the fastest release
static const double land_fast_s = 0.006;

/** Frame within the next quantum. Late events act at its start; events beyond it are the caller's mistake and act at its end. */
static uint32_t offset_of(htz_engine* engine, uint64_t frame) {
  if (frame < engine->now) {
    ++engine->counters.late;
    return 0;
  }
  const uint64_t offset = frame - engine->now;
  return offset < HTZ_QUANTUM ? (uint32_t)offset : HTZ_QUANTUM - 1;
}

static part* part_at(htz_engine* engine, uint32_t number) {
  return number < engine->n_parts ? engine->parts[number] : NULL;
}

bool htz_engine_attach_part(htz_engine* engine, htz_part* p, uint32_t rank, uint32_t* number) {
  if (engine->n_mixed == HTZ_PARTS_MAX) {
    return false;
  }
  uint32_t free_one = 0;
  while (engine->parts[free_one]) {
    ++free_one;
  }
  uint32_t place = engine->n_mixed++;
  for (; place > 0 && engine->mix_order[place - 1]->rank > rank; --place) {
    engine->mix_order[place] = engine->mix_order[place - 1];
  }
  p->rank = rank;
  p->player = rank;
  engine->mix_order[place] = p;
  engine->parts[free_one] = p;
  engine->n_parts = free_one < engine->n_parts ? engine->n_parts : free_one + 1;
  *number = free_one;
  return true;
}

void htz_engine_set_player(htz_engine* engine, uint32_t number, uint32_t player) {
  part* p = part_at(engine, number);
  if (p) {
    p->player = player;
  }
}

static void drain_rings(htz_engine* engine, uint64_t frame);

uint64_t htz_engine_now(const htz_engine* engine) {
  return engine->now;
}

/** The key that plays the notes of `key`, HTZ_KEYS for none. */
static uint32_t playing(const part* p, uint32_t key) {
  return p && key < HTZ_KEYS ? p->instrument->plays[key] : HTZ_KEYS;
}

/** Another note that is down is played by key `key` too. */
static bool still_needed(const part* p, uint32_t key) {
  bool any = false;
  for (uint32_t note = 0; note < HTZ_KEYS; ++note) {
    any = any || (p->notes[note / 64] >> (note % 64) & 1u && p->instrument->plays[note] == key);
  }
  return any;
}

/** Key `key` is to play note `note`: it is tuned as that is. */
static void take_place(part* p, uint32_t key, uint32_t note) {
  static const uint32_t retune_quanta = 4; // about the spacing of a wheel's messages
  key_state* k = &p->keys[key];
  if (k->plan->object->fingered.n == 0 && k->scaled != note) {
    k->scaled = note;
    htz_key_tune(p, key, !is_awake(p, key), retune_quanta);
  }
}

void htz_engine_strike(htz_engine* engine, uint32_t number, uint32_t key, double velocity, uint64_t frame) {
  drain_rings(engine, frame);
  part* p = part_at(engine, number);
  bool slurred = false;
  const uint32_t asked = key;
  key = playing(p, asked);
  const bool moved = key != asked;
  if (p && key < HTZ_KEYS && p->keys[key].plan->object->fingered.n > 0 && velocity > 0.0) {
    key = htz_finger_press(engine, p, key, velocity, &slurred);
  }
  if (!p || key >= HTZ_KEYS || !p->keys[key].plan->island || !(velocity > 0.0)) {
    ++engine->counters.strikes_refused;
    return;
  }
  if (slurred) {
    return; // the bow goes on
  }
  key_event e = htz_key_stroke(p, key, velocity);
  e.offset = offset_of(engine, frame);
  take_place(p, key, asked);
  key_state* struck = &p->keys[key];
  if (!is_awake(p, key)) {
    htz_key_tune(p, key, true, 0);
    const bool bowed = e.strike.gesture == HTZ_EXCITE_BOW;
    struck->voiced = bowed == struck->bowing ? struck->voiced : 0.0;
    struck->bowing = bowed;
  }
  if (p->silenced) {
    p->cut = true;
  }
  bool silent_soon = struck->fading;
  for (uint32_t i = 0; i < struck->n_events; ++i) {
    silent_soon = silent_soon || struck->events[i].kind == EVENT_SILENCE;
  }
  struck->cut = struck->cut || silent_soon;
  htz_key_choke(engine, p, key, e.offset);
  htz_part_blow(engine, p, key, false, velocity, e.offset);
  engine->counters.octaves += moved;
  engine->counters.strikes += htz_key_post(engine, p, key, &e);
}

uint32_t htz_quanta_of(const htz_engine* engine, double seconds) {
  return 1 + (uint32_t)(seconds * engine->rate / HTZ_QUANTUM);
}

void htz_engine_hold(htz_engine* engine, uint32_t number, uint32_t k, bool down, uint64_t frame) {
  if (!down) {
    htz_engine_release(engine, number, k, release_usual, frame);
    return;
  }
  drain_rings(engine, frame);
  part* p = part_at(engine, number);
  if (p && k < HTZ_KEYS) {
    p->notes[k / 64] |= UINT64_C(1) << (k % 64);
  }
  k = playing(p, k);
  if (p && k < HTZ_KEYS && p->keys[k].plan->object->fingered.n > 0) {
    k = htz_finger_hold(p, k);
  }
  if (p && k < HTZ_KEYS && p->keys[k].plan->island) {
    p->keys[k].down = true;
    htz_key_move_damper(engine, p, k, offset_of(engine, frame), htz_quanta_of(engine, lift_s));
  }
}

void htz_engine_release(htz_engine* engine, uint32_t number, uint32_t k, double velocity, uint64_t frame) {
  drain_rings(engine, frame);
  part* p = part_at(engine, number);
  if (p && k < HTZ_KEYS) {
    p->notes[k / 64] &= ~(UINT64_C(1) << (k % 64));
  }
  k = playing(p, k);
  if (p && k < HTZ_KEYS && still_needed(p, k)) {
    return;
  }
  if (p && k < HTZ_KEYS && p->keys[k].plan->object->fingered.n > 0) {
    k = htz_finger_release(engine, p, k);
  }
  if (!p || k >= HTZ_KEYS || !p->keys[k].plan->island) {
    return;
  }
  const double v = velocity > 0.0 ? (velocity < velocity_max ? velocity : velocity_max) : 0.0;
  const uint32_t offset = offset_of(engine, frame);
  if (p->keys[k].down) {
    htz_part_blow(engine, p, k, true, v, offset);
  }
  p->keys[k].down = false;
  const double landing = land_slow_s * pow(land_fast_s / land_slow_s, v / velocity_max);
  htz_key_move_damper(engine, p, k, offset, htz_quanta_of(engine, landing));
}

void htz_engine_silence(htz_engine* engine, uint32_t number, uint64_t frame) {
  drain_rings(engine, frame);
  part* p = part_at(engine, number);
  if (!p) {
    return;
  }
  const key_event e = {.offset = offset_of(engine, frame), .kind = EVENT_SILENCE};
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    if (is_awake(p, k)) {
      htz_key_post(engine, p, k, &e);
    } else if (p->keys[k].plan->object->stays && p->keys[k].plan->island) {
      htz_key_settle(p, &p->keys[k]); // nothing sounds, but something may lie there
    }
  }
  htz_part_room_silence(engine, p);
  htz_part_linked_silence(engine, p);
  htz_part_action_drop(p);
  if (p->instrument->board.body && sounding(p)) {
    p->silenced = true;
    p->cut = false;
    p->board_fade.target = 0.0f;
    p->board_fade.left = (uint32_t)(gain_ramp_s * engine->rate);
  }
}

// Not struck just now, not on its way to silence already. Where mallets stay they may be on their way for ever.
static bool can_be_spared(const key_state* key) {
  const htz_island* island = key->plan->island;
  return !key->fading && key->n_events == 0 && (key->plan->object->stays || !island->cls->busy(island));
}

uint32_t htz_engine_relieve(htz_engine* engine, uint32_t keys) {
  const key_event e = {.offset = 0, .kind = EVENT_SILENCE};
  uint32_t done = 0;
  for (; done < keys; ++done) {
    part* where = NULL;
    uint32_t which = 0;
    for (uint32_t i = 0; i < engine->n_parts; ++i) {
      part* p = engine->parts[i];
      for (size_t w = 0; p && w < MASK_WORDS; ++w) {
        for (uint64_t left_over = p->awake[w]; left_over; left_over &= left_over - 1) {
          const uint32_t k = (uint32_t)(w * 64) + lowest_bit(left_over);
          if (can_be_spared(&p->keys[k]) && (!where || p->keys[k].audible < where->keys[which].audible)) {
            where = p;
            which = k;
          }
        }
      }
    }
    if (!where) {
      break;
    }
    htz_key_post(engine, where, which, &e);
    ++engine->counters.relieved;
  }
  return done;
}

static void apply_change(htz_engine* engine, const htz_param_change* change) {
  part* p = part_at(engine, change->part);
  htz_engine_apply(engine, p, change, p ? offset_of(engine, change->frame) : 0);
}

/**
   Take what the rings hold up to `frame`, earliest frame first, in each ring's own order. Every event of the quantum does so
   first, so that what was asked for before it is in force.
*/
static void drain_rings(htz_engine* engine, uint64_t frame) {
  const uint64_t last = engine->now + HTZ_QUANTUM - 1;
  const uint64_t end = (frame < last ? frame : last) + 1;
  size_t bound = 0;
  for (size_t r = 0; r < engine->n_rings; ++r) {
    bound += htz_ring_count(&engine->rings[r]);
  }
  for (; bound > 0; --bound) {
    htz_ring* next = NULL;
    htz_param_change change, first = {.frame = end};
    for (size_t r = 0; r < engine->n_rings; ++r) {
      if (htz_ring_peek(&engine->rings[r], &change) && change.frame < first.frame) {
        next = &engine->rings[r];
        first = change;
      }
    }
    if (!next) {
      return;
    }
    htz_ring_pop(next, NULL);
    apply_change(engine, &first);
  }
}

void htz_engine_change(htz_engine* engine, const htz_param_change* change) {
  drain_rings(engine, change->frame);
  apply_change(engine, change);
}

/** True when strings and board move each other in this quantum; going over from one to the other, everything goes on as it is. */
static bool choose_way(part* p) {
  static const uint32_t retune_quanta = 8; // a few cents in a hundredth of a second
  static const double half = 0.5;
  htz_bridge* bridge = p->instrument->board.bridge;
  const bool wanted = bridge && p->params[HTZ_PARAM_BOARD] >= half;
  if (wanted == p->bridged) {
    return wanted;
  }
  p->bridged = p->went_over = wanted;
  p->level = level_factor(p->params[HTZ_PARAM_LEVEL]);
  const htz_body* body = bridge ? htz_modal_body(p->instrument->board.body) : NULL;
  p->budget = wanted ? body->cls->energy(body) : 0.0; // what the strings gave it so far was not counted
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    key_state* key = &p->keys[k];
    p->budget += key->budget;
    if (!key->plan->island) {
      continue;
    }
    double loudness = 0.0;
    const double energy = is_awake(p, k) ? key->plan->island->cls->energy(key->plan->island, &loudness) : 0.0;
    if (!wanted && is_awake(p, k)) {
      htz_bridge_wake(bridge, k, false);
      // It may have been given more by the bridge than by its hammer, and may hold what it takes to swing about fixed ground.
      const double after = key->plan->island->cls->energy(key->plan->island, &loudness);
      key->budget += isfinite(after) && after > energy ? after : energy;
    }
    htz_key_tune(p, k, energy == 0.0, retune_quanta); // one that is about to be struck is in tune from the start
  }
  return wanted;
}

/** What the part itself gives. @return false when that is nothing */
static bool play_part(htz_engine* engine, part* p, float* left, float* right) {
  htz_part_disturb(engine, p);
  htz_part_walk_ears(engine, p);
  if (!sounding(p)) {
    // Nothing sounds: gains are where they are going.
    for (uint32_t g = 0; g < p->n_gains; ++g) {
      p->left = (glide){p->gains[g].left, p->gains[g].left, 0};
      p->right = (glide){p->gains[g].right, p->gains[g].right, 0};
    }
    p->n_gains = 0;
    return false;
  }
  memset(p->mix, 0, sizeof p->mix);
  if (!is_moving(p)) {
    htz_part_mix(p, left, right);
    htz_part_place_ears(p);
    return true;
  }
  memset(p->drives, 0, p->instrument->board.n_zones * sizeof p->drives[0]);
  htz_part_motor(engine, p);
  if (p->cut) {
    htz_part_cut(engine, p);
  }
  for (uint32_t side = 0; side < 2 && p->tail.left > 0; ++side) {
    htz_residue_add(&p->tail, side, htz_part_later(p, side, p->board_late[p->ears.to][side]));
  }
  htz_residue_pass(&p->tail);
  const bool bridged = choose_way(p);
  for (size_t w = 0; w < MASK_WORDS; ++w) {
    for (uint64_t left_over = p->awake[w]; left_over; left_over &= left_over - 1) {
      const uint32_t bit = lowest_bit(left_over);
      const uint32_t k = (uint32_t)(w * 64) + bit;
      const bool apart = !p->keys[k].plan->linked && (!bridged || !htz_bridge_has(p->instrument->board.bridge, k));
      if (apart && !htz_key_quantum(engine, p, k)) {
        p->awake[w] &= ~(UINT64_C(1) << bit);
      }
    }
  }
  htz_part_linked(engine, p);
  htz_part_action(engine, p);
  if (bridged) {
    htz_part_bridged(engine, p);
  } else {
    htz_part_board(engine, p);
  }
  htz_part_mix(p, left, right);
  htz_part_place_ears(p); // it may be the last quantum
  return true;
}

static void run_part(htz_engine* engine, part* p, float* left, float* right) {
  if (!htz_part_in_room(p)) {
    p->room.sounded = play_part(engine, p, left, right);
    return;
  }
  float own[2][HTZ_QUANTUM] = {{0.0f}};
  const bool sounds = play_part(engine, p, own[0], own[1]);
  htz_part_room(engine, p, own, sounds, left, right);
  p->room.sounded = sounds;
}

void htz_engine_drive(htz_engine* engine, const float* signal) {
  engine->driven = signal != NULL;
  for (uint32_t i = 0; i < HTZ_QUANTUM && signal; ++i) {
    engine->drive[i] = isfinite(signal[i]) ? signal[i] : 0.0f;
  }
}

static void move_on(htz_engine* engine) {
  engine->driven = false;
  engine->now += HTZ_QUANTUM;
  engine->counters.frames = engine->now;
}

void htz_engine_quantum(htz_engine* engine, float* left, float* right) {
  drain_rings(engine, UINT64_MAX);
  memset(left, 0, HTZ_QUANTUM * sizeof(float));
  memset(right, 0, HTZ_QUANTUM * sizeof(float));
  for (uint32_t i = 0; i < engine->n_mixed; ++i) {
    run_part(engine, engine->mix_order[i], left, right);
  }
  move_on(engine);
}

void htz_engine_quantum_apart(htz_engine* engine, float (*sound)[2][HTZ_QUANTUM]) {
  drain_rings(engine, UINT64_MAX);
  for (uint32_t number = 0; number < engine->n_parts; ++number) {
    memset(sound[number], 0, sizeof sound[number]);
    if (engine->parts[number]) {
      run_part(engine, engine->parts[number], sound[number][0], sound[number][1]);
    }
  }
  move_on(engine);
}

/** Add what the part's islands have counted. */
static void count_part(const part* p, htz_engine_counters* c) {
  const htz_bridge* bridge = p->instrument->board.bridge;
  c->solver_bounds += bridge ? htz_bridge_count(bridge)->capped : 0;
  if (p->instrument->linked.group) {
    const htz_island_counters s = htz_group_count(p->instrument->linked.group);
    c->contact_steps += s.contact_steps;
    c->closures += s.closures;
    c->solver_bounds += s.bounds;
  }
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    const htz_island* island = p->keys[k].plan->island;
    if (island) {
      const htz_island_counters s = island->cls->count(island);
      c->contact_steps += s.contact_steps;
      c->closures += s.closures;
      c->solver_bounds += s.bounds;
      c->reused += s.reused;
      c->ringing += is_awake(p, k);
    }
  }
}

htz_engine_counters htz_engine_count(const htz_engine* engine) {
  htz_engine_counters c = engine->counters;
  for (uint32_t i = 0; i < engine->n_mixed; ++i) {
    count_part(engine->mix_order[i], &c);
  }
  return c;
}

static bool part_sounds(const part* p) {
  return sounding(p) || htz_part_room_sounds(p);
}

bool htz_engine_asleep(const htz_engine* engine) {
  for (uint32_t i = 0; i < engine->n_mixed; ++i) {
    if (part_sounds(engine->mix_order[i])) {
      return false;
    }
  }
  return true;
}

bool htz_engine_part_asleep(const htz_engine* engine, uint32_t number) {
  const part* p = number < engine->n_parts ? engine->parts[number] : NULL;
  return !p || !part_sounds(p);
}

htz_part* htz_engine_detach_part(htz_engine* engine, uint32_t number) {
  part* p = part_at(engine, number);
  if (!p || part_sounds(p)) {
    return NULL;
  }
  count_part(p, &engine->counters);
  uint32_t place = 0;
  while (engine->mix_order[place] != p) {
    ++place;
  }
  --engine->n_mixed;
  for (; place < engine->n_mixed; ++place) {
    engine->mix_order[place] = engine->mix_order[place + 1];
  }
  engine->parts[number] = NULL;
  return p;
}

bool htz_engine_sounds(const htz_engine* engine, uint32_t number, uint32_t key) {
  const part* p = number < engine->n_parts ? engine->parts[number] : NULL;
  return p && key < HTZ_KEYS && is_awake(p, htz_finger_string(p, key));
}

double htz_engine_energy(const htz_engine* engine, uint32_t number) {
  double sum = 0.0;
  const part* p = number < engine->n_parts ? engine->parts[number] : NULL;
  if (p) {
    for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
      const htz_island* island = p->keys[k].plan->island;
      double loudness = 0.0;
      sum += island && is_awake(p, k) ? island->cls->energy(island, &loudness) : 0.0;
    }
  }
  return sum;
}
