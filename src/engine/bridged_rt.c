#include "engine_private.h"
#include "glide.h"

#include <math.h>
#include <string.h>

/*
   A part whose strings rest on its board and feel it. They go through the quantum together, sample by sample, in pieces between the
   events of any key; what else there is on the part went before and only drives the board.
*/

// A string whose damper takes away less than this answers what the bridge does; under a firmer one it is as good as silent [1/s].
static const double open_below = 10.0;

/** Free to answer: a string that the real instrument has, without a damper on it. */
static bool is_open(const part* p, uint32_t k) {
  const htz_spec* spec = p->instrument->spec;
  const key_state* key = &p->keys[k];
  const bool beyond = (int)k < spec->key_low || (int)k > spec->key_high;
  return htz_bridge_has(p->instrument->board.bridge, k) && !beyond && !key->fading && key->damper < open_below;
}

/** Awake and on the bridge: advanced with it. */
static bool rests(const part* p, uint32_t k) {
  return is_awake(p, k) && htz_bridge_has(p->instrument->board.bridge, k);
}

/** Strings that are struck or free to answer take part. */
static void wake_keys(part* p) {
  htz_bridge* bridge = p->instrument->board.bridge;
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    if (rests(p, k) || is_open(p, k)) {
      set_awake(p, k, true);
      htz_bridge_wake(bridge, k, true);
    }
  }
}

/** One quantum of a glide of the level of a key beside the part's. */
static void glide_lean(part* p, uint32_t k) {
  static const double step = 1.122018454301963; // 1 dB
  key_state* key = &p->keys[k];
  const double wanted = htz_key_lean(p, key);
  if (key->lean != wanted) {
    const double least = key->lean / step, most = key->lean * step;
    key->lean = wanted < least ? least : wanted > most ? most : wanted;
    const double work = htz_key_voice(p, k, false);
    p->budget += work > 0.0 ? work : 0.0;
  }
}

// Keys that take another tuning in one quantum: a moving wheel asks it of every string that is free to answer, and each costs as much as
// to ring for ten quanta. The rest wait for theirs, as many quanta as there are times so many keys.
enum { TUNED_MOST = 24 };

/** Struck in this quantum: it is in tune by then. */
static bool is_struck(const key_state* key) {
  bool struck = false;
  for (uint32_t e = 0; e < key->n_events; ++e) {
    struck = struck || key->events[e].kind == EVENT_STRIKE;
  }
  return struck;
}

/** One quantum of what goes on at a key. @param left how many may yet take another tuning in it */
static void glide_key(part* p, uint32_t k, uint32_t* left) {
  key_state* key = &p->keys[k];
  const double before = key->budget;
  glide_lean(p, k);
  const bool tunes = htz_key_tunes(key), waits = tunes && *left == 0 && !is_struck(key);
  if (tunes && !waits) {
    *left -= *left > 0;
    p->tuned_next = (k + 1) % HTZ_KEYS;
  }
  if (waits ? htz_key_glide_later(p, k) : htz_key_glide(p, k)) {
    htz_bridge_touch(p->instrument->board.bridge, k);
  }
  p->budget += key->budget - before; // tuning does work where something touches
  key->plan->island->cls->resonate(key->plan->island, key->params[HTZ_PARAM_RESONATOR] * p->motor);
}

/** Those that are played first; then in turn from where the last quantum came to. */
static void glide_keys(part* p) {
  uint32_t left = TUNED_MOST;
  const uint32_t first = p->tuned_next;
  for (uint32_t played = 2; played-- > 0;) {
    for (uint32_t i = 0; i < HTZ_KEYS; ++i) {
      const uint32_t k = (first + i) % HTZ_KEYS;
      if (rests(p, k) && (p->keys[k].down || is_struck(&p->keys[k])) == (played == 1)) {
        glide_key(p, k, &left);
      }
    }
  }
}

/** What goes on acting at the keys, from frame `at` of the quantum on. */
static void influence_keys(const htz_engine* engine, part* p, uint32_t at) {
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    if (rests(p, k)) {
      htz_key_influence(engine, p, &p->keys[k], at);
    }
  }
}

/** Events at frame `at`; each key's first `done[k]` are over. @return the frame of the next one, or the quantum's end. */
static uint32_t apply_events(htz_engine* engine, part* p, uint32_t at, uint8_t* done) {
  uint32_t next = HTZ_QUANTUM;
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    key_state* key = &p->keys[k];
    if (!rests(p, k)) {
      continue;
    }
    for (; done[k] < key->n_events && key->events[done[k]].offset <= at; ++done[k]) {
      const double before = key->budget;
      htz_key_apply(engine, p, key, &key->events[done[k]]);
      p->budget += key->budget - before;
      htz_bridge_touch(p->instrument->board.bridge, k);
    }
    if (done[k] < key->n_events && key->events[done[k]].offset < next) {
      next = key->events[done[k]].offset;
    }
  }
  return next;
}

static void run_pieces(htz_engine* engine, part* p, float heard[HTZ_BOARD_PICKUPS_MAX][HTZ_QUANTUM]) {
  uint8_t done[HTZ_KEYS] = {0};
  htz_bridge_begin(p->instrument->board.bridge, p->drives);
  for (uint32_t at = 0; at < HTZ_QUANTUM;) {
    const uint32_t end = apply_events(engine, p, at, done);
    influence_keys(engine, p, at);
    float* to[HTZ_BOARD_PICKUPS_MAX];
    for (uint32_t i = 0; i < HTZ_BOARD_PICKUPS_MAX; ++i) {
      to[i] = heard[i] + at;
    }
    htz_bridge_run(p->instrument->board.bridge, end - at, to);
    at = end;
  }
}

/** Asleep, it holds the bridge by its tension alone, and not by what a wheel made of that. */
static void hold_unbent(part* p, uint32_t k) {
  const double before = p->keys[k].budget;
  htz_key_unbend(p, k);
  p->budget += p->keys[k].budget - before;
}

static void key_to_rest(part* p, uint32_t k) {
  htz_bridge_wake(p->instrument->board.bridge, k, false);
  htz_key_settle(p, &p->keys[k]);
  hold_unbent(p, k);
  set_awake(p, k, false);
}

/** What the key gives by itself, beside its ends on the bridge. */
static void sound_key(const htz_engine* engine, part* p, uint32_t k) {
  key_state* key = &p->keys[k];
  const htz_bridge* bridge = p->instrument->board.bridge;
  float(*lines)[HTZ_QUANTUM] = htz_bridge_lines(bridge, k);
  if (!lines) {
    for (uint32_t i = 0; i < HTZ_QUANTUM && key->fade.left > 0; ++i) {
      glide_step(&key->fade);
    }
    return;
  }
  for (uint32_t o = 0; o < key->plan->island->n_pickups; ++o) {
    if (key->plan->drives[o]) {
      memset(lines[o], 0, sizeof lines[o]); // the bridge had it
    }
  }
  htz_key_sound(engine, p, key, lines);
}

static void all_to_rest(part* p) {
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    if (rests(p, k)) {
      key_to_rest(p, k);
    }
  }
  htz_bridge_reset(p->instrument->board.bridge);
  p->board_awake = false;
  p->budget = 0.0;
}

static bool is_busy(const key_state* key) {
  return key->plan->island->cls->busy(key->plan->island);
}

/** What is left of a key after the quantum; quiet ones sleep. @return its energy [J]. */
static double look_after(htz_engine* engine, part* p, uint32_t k) {
  key_state* key = &p->keys[k];
  const htz_island* island = key->plan->island;
  key->n_events = 0;
  float(*lines)[HTZ_QUANTUM] = htz_bridge_lines(p->instrument->board.bridge, k);
  if (!htz_bridge_awake(p->instrument->board.bridge, k) || (lines && !htz_lines_finite(lines, island->n_pickups))) {
    ++engine->counters.resets;
    key_to_rest(p, k);
    return 0.0;
  }
  double loudness = 0.0;
  const double energy = island->cls->energy(island, &loudness);
  const double factor = key->plan->heard * htz_key_loudest_voice(key);
  loudness *= factor;
  key->audible = (float)loudness;
  const double lasting = htz_lasting(island, &key->quanta, k, factor, loudness);
  sound_key(engine, p, k);
  const bool faded = key->fading && key->fade.left == 0;
  const bool quiet = !is_busy(key) && lasting < HTZ_ASLEEP_BELOW;
  // A string that is free to answer stays as long as there is something to answer to.
  if (faded) {
    key_to_rest(p, k);
  } else if (quiet && !(is_open(p, k) && p->board_awake)) {
    htz_bridge_wake(p->instrument->board.bridge, k, false);
    htz_key_sleep(p, key);
    hold_unbent(p, k);
    set_awake(p, k, false);
  }
  set_awake(p, k, is_awake(p, k) || key->tail.left > 0); // what was cut ends while it is awake
  return energy;
}

/** The part's level acts on what is heard of the board; a key's own beside it is in its lever. */
static void apply_level(part* p, float heard[HTZ_BOARD_PICKUPS_MAX][HTZ_QUANTUM]) {
  const float from = p->level;
  p->level = level_factor(p->params[HTZ_PARAM_LEVEL]);
  const float step = (p->level - from) / (float)HTZ_QUANTUM;
  for (uint32_t o = 0; o < p->instrument->board.n_pickups; ++o) {
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      heard[o][i] *= from + step * (float)(i + 1);
    }
  }
}

/** Keys that only drive the board have done so by their level, in which the part's is. */
static void take_level_back(part* p) {
  const float to = level_factor(p->params[HTZ_PARAM_LEVEL]);
  const float step = (to - p->level) / (float)HTZ_QUANTUM;
  for (uint32_t z = 0; z < p->instrument->board.n_zones; ++z) {
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      p->drives[z][i] /= p->level + step * (float)(i + 1);
    }
  }
}

/** Strings that have just come to the board meet it where it is: they may hold what that takes, as long as it is a number. */
static void meet_board(part* p) {
  const double energy = htz_bridge_energy(p->instrument->board.bridge);
  p->budget = isfinite(energy) && energy > p->budget ? energy : p->budget;
  p->went_over = false;
}

/**
   More than was brought. `sum` [J], of board and strings each by itself, costs little and is bounded by what they hold together, and that by it;
   only the latter is conserved, but to read it takes the strings out of the coordinates they turn in.
*/
static bool ran_away(const part* p, double sum) {
  const double most = HTZ_RUNAWAY_RATIO * p->budget;
  return !(sum <= most) && !(htz_bridge_energy(p->instrument->board.bridge) <= most);
}

void htz_part_bridged(htz_engine* engine, part* p) {
  const htz_board* board = &p->instrument->board;
  float heard[HTZ_BOARD_PICKUPS_MAX][HTZ_QUANTUM] = {{0.0f}};
  wake_keys(p);
  glide_keys(p);
  htz_part_wake_board(p);
  htz_part_move_ears(p, board->n_ears, board->ears, &p->board_ears);
  take_level_back(p);
  if (p->went_over) {
    meet_board(p);
  }
  run_pieces(engine, p, heard);
  const double external_work = htz_bridge_external_work(board->bridge);
  p->budget += external_work > 0.0 ? external_work : 0.0;
  const htz_body* body = htz_modal_body(board->body);
  double energy = body->cls->energy(body);
  bool struck = false;
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    if (rests(p, k)) {
      const double held = p->keys[k].budget;
      htz_key_external_work(&p->keys[k]);
      p->budget += p->keys[k].budget - held;
      energy += look_after(engine, p, k);
      // Strings that only answer do not keep the board awake.
      struck = struck || (is_awake(p, k) && (p->keys[k].audible >= (float)HTZ_ASLEEP_BELOW || is_busy(&p->keys[k])));
    }
  }
  if (ran_away(p, energy)) {
    ++engine->counters.resets;
    all_to_rest(p);
    return;
  }
  apply_level(p, heard);
  htz_part_hear_board(engine, p, heard, struck || external_work != 0.0);
  if (!p->board_awake) {
    all_to_rest(p);
  }
}
