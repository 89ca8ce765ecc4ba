#include "engine_private.h"
#include "glide.h"

#include <math.h>
#include <string.h>

static const double fade_seconds = 0.010; // CC 120: gone within 20 ms, slow enough not to click
// CC 64 at rest is seldom 0, and pressed seldom 127: the pedal moves the dampers between these two.
static const double pedal_rest = 8.0;
static const double pedal_full = 120.0;
static const double pedal_least = 1.0; // [1/s] loss below which a damper's touch is not felt: the foot of the pedal's curve
// And physically damped meanwhile [1/s], but where ears hear it: such a damper stops low modes within a fraction of their period, and the
// pressure that its force makes is as loud as they.
static const double silence_sigma = 500.0;

static void silence(htz_engine* engine, key_state* key) {
  const uint32_t frames = (uint32_t)(fade_seconds * engine->rate);
  key->fading = true;
  key->fade.target = 0.0f;
  key->fade.left = frames;
  key->damper_quanta = 0;
  if (!key->plan->by_ear) {
    key->plan->island->cls->damp(key->plan->island, silence_sigma);
  }
}

/** What key, pedals and sostenuto ask of it. */
static double held_damper(const part* p, const key_state* key) {
  const double full = key->plan->damper * key->params[HTZ_PARAM_DAMPER];
  if (!(full > 0.0) || key->down || key->captured) {
    return 0.0;
  }
  const double pedal = p->params[HTZ_PARAM_SUSTAIN];
  const double lift = pedal <= pedal_rest ? 0.0 : pedal >= pedal_full ? 1.0 : (pedal - pedal_rest) / (pedal_full - pedal_rest);
  // Geometric between the two ends, so that equal travel divides the decay time by equal factors.
  return pedal_least * (pow(1.0 + full / pedal_least, 1.0 - lift) - 1.0);
}

double htz_key_damper(const part* p, const key_state* key) {
  const double held = held_damper(p, key);
  return key->choked && key->plan->choke > held ? key->plan->choke : held;
}

static bool glide_damper(key_state* key) {
  if (key->damper_quanta == 0) {
    return false;
  }
  key->damper += (key->damper_to - key->damper) / key->damper_quanta;
  --key->damper_quanta;
  key->plan->island->cls->damp(key->plan->island, key->damper);
  return true;
}

static void set_damper(key_state* key, double sigma) {
  key->damper = sigma;
  key->damper_to = sigma;
  key->damper_quanta = 0;
  key->plan->island->cls->damp(key->plan->island, sigma);
}

void htz_key_move_damper(htz_engine* engine, part* p, uint32_t k, uint32_t offset, uint32_t quanta) {
  key_state* key = &p->keys[k];
  if (!(key->plan->damper > 0.0) && !(key->plan->choke > 0.0)) {
    return; // there is none to move
  }
  const double sigma = htz_key_damper(p, key);
  if (!is_awake(p, k)) {
    set_damper(key, sigma);
    return;
  }
  const key_event e = {.offset = offset, .kind = EVENT_DAMP, .sigma = sigma, .quanta = quanta > 0 ? quanta : 1};
  if (key->n_events > 0 && key->events[key->n_events - 1].kind == EVENT_DAMP) {
    key->events[key->n_events - 1] = e; // nothing happens in between: the later move is the one that counts
  } else {
    htz_key_post(engine, p, k, &e);
  }
}

/** A new strike on a key being silenced: it sounds, from where the fade had got to. */
static void revive(htz_engine* engine, const part* p, key_state* key) {
  if (!key->fading) {
    return;
  }
  key->fading = false;
  key->fade.target = 1.0f;
  key->fade.left = (uint32_t)(fade_seconds * engine->rate);
  set_damper(key, htz_key_damper(p, key));
}

void htz_key_apply(htz_engine* engine, const part* p, key_state* key, const key_event* e) {
  htz_island* island = key->plan->island;
  switch (e->kind) {
  case EVENT_STRIKE:
    revive(engine, p, key);
    key->kept = true; // until looked at next, at least
    if (e->strike.gesture == HTZ_EXCITE_BOW) {
      htz_bow_set_on(engine, p, key, e);
    }
    key->voiced = key->bowing == (e->strike.gesture == HTZ_EXCITE_BOW) ? key->voiced : (double)NAN;
    key->bowing = e->strike.gesture == HTZ_EXCITE_BOW;
    htz_key_influence(engine, p, key, e->offset);
    key->budget += 0.5 * e->strike.mass * e->strike.speed * e->strike.speed;
    island->cls->strike(island, &e->strike);
    break;
  case EVENT_DAMP:
  case EVENT_CHOKE:
    if (!key->fading) {
      key->damper_to = e->sigma;
      key->damper_quanta = e->quanta;
      glide_damper(key);
    }
    break;
  case EVENT_SILENCE:
    silence(engine, key);
    break;
  }
}

/** Where each output line sits: constant power between the speakers. */
static void place(const part* p, key_state* key) {
  const double width = p->params[HTZ_PARAM_WIDTH];
  if (key->placed_width == width) {
    return;
  }
  key->placed_width = width;
  for (uint32_t o = 0; o < key->plan->island->n_pickups; ++o) {
    htz_pan_place(key->plan->pan[o] * width, &key->side[0][o], &key->side[1][o]);
  }
}

/** Where a line goes: two rows of buffers and the share of each. */
typedef struct {
  float* to[2];
  float share[2];
} route;

/** @param there where the pair of ears is */
static route route_of(part* p, const key_state* key, uint32_t o, double at, htz_ears there) {
  if (!key->plan->drives[o]) {
    const uint32_t late = key->plan->late[there][o];
    return (route){{htz_part_later(p, 0, late), htz_part_later(p, 1, late)}, {key->side[0][o], key->side[1][o]}};
  }
  const uint32_t zones = p->instrument->board.n_zones;
  const uint32_t low = at > 0.0 ? (uint32_t)at : 0;
  const uint32_t zone = low + 1 < zones ? low : zones > 1 ? zones - 2 : 0;
  const float far = zones > 1 ? (float)(at - zone) : 0.0f;
  return (route){{p->drives[zone], p->drives[zones > 1 ? zone + 1 : zone]}, {1.0f - far, far}};
}

/** On its way to silence, or back. */
static void fade_key(const htz_engine* engine, key_state* key, float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM]) {
  const htz_island* island = key->plan->island;
  if (key->fade.left == 0 && key->fade.now == 1.0f) {
    return;
  }
  float fade[HTZ_QUANTUM + 1];
  double left_over[HTZ_ISLAND_PICKUPS_MAX];
  htz_fade_pass(&key->fade, fade);
  htz_key_left_over(key, left_over);
  for (uint32_t o = 0; o < island->n_pickups; ++o) {
    htz_fade_line(engine, fade, left_over[o], signals[o]);
  }
}

/** to += share from. One pair of buffers at a time: two routes may lead to one. */
static void add_share(float* restrict to, const float* restrict from, float share) {
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    to[i] += share * from[i];
  }
}

static void mix_key(part* p, key_state* key, float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM]) {
  place(p, key);
  const uint32_t lines = key->plan->island->n_pickups;
  const bool voiced = memcmp(key->voice[0], key->voice[1], sizeof key->voice[0]) == 0 && key->seat[0] == key->seat[1];
  const ear_walk* ears = &p->ears;
  if (key->level == key->level_before && voiced && ears->of == 0) {
    for (uint32_t o = 0; o < lines; ++o) {
      const route r = route_of(p, key, o, key->seat[0], ears->to);
      for (uint32_t way = 0; way < 2; ++way) {
        const float share = r.share[way] * key->level * key->voice[0][o];
        if (share != 0.0f) {
          add_share(r.to[way], signals[o], share);
        }
      }
    }
    return;
  }
  float share[HTZ_QUANTUM];
  const float step = (key->level - key->level_before) / (float)HTZ_QUANTUM;
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    share[i] = key->level_before + step * (float)(i + 1);
  }
  key->level_before = key->level;
  for (uint32_t o = 0; o < lines; ++o) {
    // Over the quantum a line goes from where it was to where it is now, that is from one route to another; ears take longer.
    const route old = route_of(p, key, o, key->seat[1], ears->from), r = route_of(p, key, o, key->seat[0], ears->to);
    const bool walks = ears->of > 0 && !key->plan->drives[o];
    const float from = walks ? (float)ear_walk_before(ears) : 0.0f, to = walks ? (float)ear_walk_done(ears) : 1.0f;
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      const float there = (float)(i + 1) / (float)HTZ_QUANTUM, way = from + (to - from) * there;
      const float y = signals[o][i] * share[i] * (key->voice[1][o] + (key->voice[0][o] - key->voice[1][o]) * there);
      const float gone = (1.0f - way) * y, now = way * y;
      old.to[0][i] += old.share[0] * gone;
      old.to[1][i] += old.share[1] * gone;
      r.to[0][i] += r.share[0] * now;
      r.to[1][i] += r.share[1] * now;
    }
    key->voice[1][o] = key->voice[0][o];
  }
  key->seat[1] = key->seat[0];
}

void htz_key_settle(const part* p, key_state* key) {
  key->plan->island->cls->reset(key->plan->island);
  memset(key->moved, 0, sizeof key->moved);
  key->budget = 0.0;
  key->quanta = 0;
  key->fading = false;
  key->fade = (glide){1.0f, 1.0f, 0};
  set_damper(key, htz_key_damper(p, key));
}

/**
   Where a tuning glide is after this quantum, geometric so that equal times are equal intervals. `slowly`: what touches a body that
   is tuned does work on it, without limit over many octaves; at a semitone a quantum it has left before that counts.
*/
static double tuning_after(const key_state* key, bool slowly) {
  static const double semitone = 1.0594630943592953;
  const double turns = 1.0 + key->glide_waits;
  const bool under_way = key->glide_quanta > turns;
  const double to = under_way ? key->ratio * pow(key->glide / key->ratio, turns / key->glide_quanta) : key->glide;
  const double most = key->ratio * semitone, least = key->ratio / semitone;
  return !slowly ? to : to > most ? most : to < least ? least : to;
}

/** @return the work that it takes [J]: a key in contact keeps its displacement, and a support that moves is pulled by another tension */
static double retune(part* p, uint32_t k) {
  key_state* key = &p->keys[k];
  if (p->bridged && htz_bridge_has(p->instrument->board.bridge, k)) {
    return htz_bridge_retune(p->instrument->board.bridge, k, key->ratio, key->loss);
  }
  htz_island* island = key->plan->island;
  double loudness = 0.0;
  const double before = island->cls->energy(island, &loudness);
  island->cls->retune(island, key->ratio, key->loss);
  return island->cls->energy(island, &loudness) - before;
}

static double loss_wanted(const key_state* key) {
  return 1.0 / key->params[HTZ_PARAM_DECAY];
}

bool htz_key_tunes(const key_state* key) {
  return key->glide_quanta > 0 || key->ratio != key->glide || key->loss != loss_wanted(key);
}

/** One quantum of a tuning glide, and those for which it waited. */
static bool glide_tuning(part* p, uint32_t k) {
  key_state* key = &p->keys[k];
  if (!htz_key_tunes(key)) {
    key->glide_waits = 0;
    // A tuning that was asked for and taken back while the key slept: what was worked out in between was for neither. Or it is bowed
    // now and was plucked, or the other way round: what it is for is not known (0), or not what it glides from as it sounds (NaN).
    if (key->voiced != htz_key_bent(key)) {
      const double work = htz_key_voice(p, k, !isnan(key->voiced));
      key->budget += work > 0.0 ? work : 0.0;
    }
    return false;
  }
  const bool at_once = key->glide_quanta == 0;
  htz_island* island = key->plan->island;
  key->ratio = tuning_after(key, !at_once && island->cls->busy(island));
  const uint32_t turns = 1 + key->glide_waits;
  key->glide_quanta = key->glide_quanta > turns ? key->glide_quanta - turns : !at_once && key->ratio != key->glide;
  key->glide_waits = 0;
  key->loss = loss_wanted(key);
  double work = retune(p, k);
  work += htz_key_voice(p, k, at_once);
  key->budget += work > 0.0 ? work : 0.0; // it may hold that too
  return true;
}

bool htz_key_glide(part* p, uint32_t k) {
  key_state* key = &p->keys[k];
  const bool tuned = glide_tuning(p, k);
  const bool damped = glide_damper(key);
  return tuned || damped;
}

bool htz_key_glide_later(part* p, uint32_t k) {
  ++p->keys[k].glide_waits;
  return glide_damper(&p->keys[k]);
}

/** What a bridge that moves asks of the tuning at the pitch of key `at`: between the keys' own. */
static double bridge_tuning_at(const part* p, double at) {
  const double held = at < 0.0 ? 0.0 : at > HTZ_KEYS - 1 ? HTZ_KEYS - 1 : at;
  const uint32_t low = held < HTZ_KEYS - 1 ? (uint32_t)held : HTZ_KEYS - 2;
  const htz_key* keys = p->instrument->keys;
  const double x = held - low;
  return keys[low].bridge_tuning + (x > 0.0 ? x * (keys[low + 1].bridge_tuning - keys[low].bridge_tuning) : 0.0);
}

/**
   The factor on the tuning where the lever is `lean` times what `x` was found for: x^2 (1 - x^2 a) = 1 (htz_bridge_tuning), and a goes with the
   square of the lever. sqrt(2) where there is no root.
*/
static double tuning_with_lever(double x, double lean) {
  if (lean == 1.0) {
    return x;
  }
  const double a = lean * lean * (1.0 - 1.0 / (x * x)) / (x * x), left = 1.0 - 4.0 * a;
  return sqrt(2.0 / (1.0 + (left > 0.0 ? sqrt(left) : 0.0)));
}

/** Where the tuning of key `k` is to go with the wheel at `bend` semitones. */
static void aim_tuning(part* p, uint32_t k, double bend) {
  static const double semitones = 12.0;
  static const double cents = 1200.0;
  key_state* key = &p->keys[k];
  const double off = key->params[HTZ_PARAM_TUNE] + p->keys[key->scaled].params[HTZ_PARAM_SCALE];
  const double octaves = bend / semitones + off / cents;
  const double held = bridge_tuning_at(p, k + semitones * octaves);
  const double on_bridge = p->bridged ? tuning_with_lever(held, htz_key_lean(p, key)) : 1.0;
  key->correction = key->plan->tuned * on_bridge;
  key->glide = exp2(octaves) * key->fingers * key->correction;
}

void htz_key_tune(part* p, uint32_t k, bool at_once, uint32_t ramp_quanta) {
  aim_tuning(p, k, p->keys[k].params[HTZ_PARAM_BEND]);
  p->keys[k].glide_quanta = at_once ? 0 : ramp_quanta;
}

void htz_key_unbend(part* p, uint32_t k) {
  aim_tuning(p, k, 0.0);
  p->keys[k].glide_quanta = 0;
  glide_tuning(p, k);
  htz_key_tune(p, k, true, 0); // again when it wakes
}

bool htz_key_post(htz_engine* engine, part* p, uint32_t k, const key_event* event) {
  key_state* key = &p->keys[k];
  if (key->n_events == KEY_EVENTS_MAX) {
    ++engine->counters.dropped;
    return false;
  }
  key->events[key->n_events++] = *event;
  if (event->kind == EVENT_STRIKE) {
    p->awake[k / 64] |= UINT64_C(1) << (k % 64);
  }
  return true;
}

double htz_key_loudest_voice(const key_state* key) {
  float most = 0.0f;
  for (uint32_t o = 0; o < key->plan->island->n_pickups; ++o) {
    most = key->voice[0][o] > most ? key->voice[0][o] : most;
  }
  return (double)most;
}

void htz_key_sound(const htz_engine* engine, part* p, key_state* key, float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM]) {
  htz_key_induce(engine, key, signals);
  fade_key(engine, key, signals);
  for (uint32_t o = 0; o < key->plan->island->n_pickups; ++o) {
    key->tail.last[o] = signals[o][HTZ_QUANTUM - 1];
    htz_residue_add(&key->tail, o, signals[o]);
  }
  htz_residue_pass(&key->tail);
  mix_key(p, key, signals);
}

void htz_key_begin(const htz_engine* engine, part* p, uint32_t k) {
  key_state* key = &p->keys[k];
  htz_island* island = key->plan->island;
  if (key->cut) {
    htz_key_cut(engine, p, k);
  }
  htz_key_glide(p, k);
  if (key->plan->n_ears > 0 && island->cls->relisten && !htz_part_ears_known(p, &key->ears)) {
    island->cls->relisten(island);
  }
  htz_part_move_ears(p, key->plan->n_ears, key->plan->ears, &key->ears);
  island->cls->resonate(island, key->params[HTZ_PARAM_RESONATOR] * p->motor);
}

bool htz_key_finish(const htz_engine* engine, part* p, uint32_t k, float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM],
                    double loudness, double stays) {
  key_state* key = &p->keys[k];
  htz_island* island = key->plan->island;
  htz_key_sound(engine, p, key, signals);
  const float gain = p->left.now > p->right.now ? p->left.now : p->right.now;
  key->audible = (float)loudness * key->level * gain;
  const bool faded = key->fading && key->fade.left == 0;
  const bool quiet = !island->cls->busy(island) && stays < HTZ_ASLEEP_BELOW;
  if (faded) {
    htz_key_settle(p, key);
  } else if (quiet) {
    htz_key_sleep(p, key);
  }
  return (!faded && !quiet) || key->tail.left > 0; // what was cut ends while it is awake
}

bool htz_key_quantum(htz_engine* engine, part* p, uint32_t k) {
  key_state* key = &p->keys[k];
  htz_island* island = key->plan->island;
  float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM];
  memset(signals, 0, island->n_pickups * sizeof signals[0]);
  htz_key_begin(engine, p, k);
  uint32_t at = 0;
  for (uint32_t e = 0; e <= key->n_events; ++e) {
    const uint32_t end = e < key->n_events ? key->events[e].offset : HTZ_QUANTUM;
    if (end > at) {
      float* pickups[HTZ_ISLAND_PICKUPS_MAX];
      for (uint32_t o = 0; o < HTZ_ISLAND_PICKUPS_MAX; ++o) {
        pickups[o] = signals[o] + at;
      }
      htz_key_influence(engine, p, key, at);
      island->cls->advance(island, end - at, pickups);
      at = end;
    }
    if (e < key->n_events) {
      htz_key_apply(engine, p, key, &key->events[e]);
    }
  }
  key->n_events = 0;
  htz_key_external_work(key);
  double loudness = 0.0;
  const double energy = island->cls->energy(island, &loudness);
  if (!(energy <= HTZ_RUNAWAY_RATIO * key->budget) || !htz_lines_finite(signals, island->n_pickups)) {
    ++engine->counters.resets;
    htz_key_settle(p, key);
    return false;
  }
  const double factor = key->plan->heard * htz_key_loudest_voice(key);
  loudness *= factor;
  return htz_key_finish(engine, p, k, signals, loudness, htz_lasting(island, &key->quanta, k, factor, loudness));
}
