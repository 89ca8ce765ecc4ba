#include "engine_private.h"

/*
   The right hand. Velocity says how hard the bow is set on: how soon it has its speed, and what speed and force are. It bites first: it
   presses harder until the string answers, and is drawn at an even acceleration (Guettler, 2002: what a string needs to fall into
   Helmholtz motion at once). The parameters move speed and force while it is drawn.
*/

static const double velocity_max = 127.0;
static const double bite = 1.5;   // by how much of its force the bow presses harder when it is set on...
static const double bite_s = 0.2; // ...and how soon that is gone

/** Between the values at velocity 1 and 127, in even steps of loudness. */
static double between(const double ends[2], double share) {
  return ends[0] > 0.0 && ends[1] > 0.0 ? ends[0] * pow(ends[1] / ends[0], share) : ends[0] + (ends[1] - ends[0]) * share;
}

static double speed_of(const part* p, const key_state* key, size_t which, double share) {
  return between(key_note(p, key)->bow[which].speed, share) * key->params[HTZ_PARAM_BOW_SPEED] / key->plan->object->bow_speed;
}

/** Share of its speed that bow `which` has `seconds` after it was set on. */
static double drawn(const part* p, const key_state* key, size_t which, double seconds) {
  const double attack = between(key_note(p, key)->bow[which].attack, key->bow);
  const double share = attack > 0.0 ? key->bow_from + seconds / attack : 1.0;
  return share < 1.0 ? share : 1.0;
}

static double seconds_since(const htz_engine* engine, const key_state* key, uint32_t at) {
  const uint64_t now = engine->now + at;
  return now > key->bow_since ? (double)(now - key->bow_since) / engine->rate : 0.0;
}

key_event htz_bow_stroke(const part* p, const key_state* key, double velocity) {
  const double v = velocity < 1.0 ? 1.0 : velocity > velocity_max ? velocity_max : velocity;
  const double share = (v - 1.0) / (velocity_max - 1.0);
  return (key_event){.kind = EVENT_STRIKE,
                     .share = share,
                     .strike = {.gesture = HTZ_EXCITE_BOW, .speed = speed_of(p, key, 0, share), .at = (double)NAN}};
}

void htz_bow_set_on(const htz_engine* engine, const part* p, key_state* key, double share, uint32_t at) {
  const bool on = key->bowing && key->plan->island->cls->busy(key->plan->island);
  key->bow_from = on ? drawn(p, key, 0, seconds_since(engine, key, at)) : 0.0;
  key->bow_since = engine->now + at;
  key->bow = share;
}

void htz_bow_influence(const htz_engine* engine, const part* p, const key_state* key, uint32_t at, htz_influence* influence) {
  const htz_key* note = key_note(p, key);
  const htz_object* object = key->plan->object;
  const double seconds = seconds_since(engine, key, at);
  const double bites = 1.0 + bite * (1.0 - key->bow_from) * exp(-seconds / bite_s);
  const double position = key->params[HTZ_PARAM_BOW_POSITION];
  const double moved = isnan(position) ? 0.0 : position - note->bow[0].at; // all of them
  for (size_t i = 0; i < object->n_bows; ++i) {
    const htz_key_bow* bow = &note->bow[i];
    const double force = between(bow->force, key->bow) * key->params[HTZ_PARAM_BOW_FORCE] / object->bow_force;
    influence->bow[i] = (htz_bow_control){.speed = drawn(p, key, i, seconds) * speed_of(p, key, i, key->bow),
                                          .force = object->turns[i] ? force : bites * force,
                                          .at = bow->at + moved};
  }
}
