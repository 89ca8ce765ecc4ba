#include "engine_private.h"

/*
   The right hand. Velocity says how hard the bow is set on: how soon it has its speed, and what speed and force are. It bites first: it
   presses harder until the string answers, and is drawn at an even acceleration (Guettler, 2002: what a string needs to fall into
   Helmholtz motion at once). The parameters move speed and force while it is drawn.
*/

static const double velocity_max = 127.0;
static const double bite = 1.5;            // by how much of its force the bow presses harder when it is set on...
static const double bite_s = 0.2;          // ...and how soon that is gone
static const double stroke_least_s = 0.03; // a stroke that was begun is drawn that long, however soon the key is let go of

/** Between the values at velocity 1 and 127, in even steps of loudness. */
static double between(const double ends[2], double share) {
  return ends[0] > 0.0 && ends[1] > 0.0 ? ends[0] * pow(ends[1] / ends[0], share) : ends[0] + (ends[1] - ends[0]) * share;
}

/** Force or speed of bow `which`, `value` as the file has it: times what all bows have, times its own. */
static double scaled(double value, const key_state* key, size_t which, htz_bow_field field, htz_param_index of_all) {
  const htz_object* object = key->plan->object;
  const uint16_t own = object->bows[which].own[field];
  const double all = value * key->params[of_all] / object->bows[0].initial[field];
  return own && !isnan(key->params[own]) ? all * key->params[own] / object->bows[which].initial[field] : all;
}

static double speed_of(const part* p, const key_state* key, size_t which, double share) {
  const double speed = between(key_note(p, key)->bow[which].speed, share);
  return scaled(speed, key, which, HTZ_BOW_SPEED, HTZ_PARAM_BOW_SPEED);
}

/** Where it lies: where its own value says, else as far from where the file has it as the first is moved. */
static double place_of(const part* p, const key_state* key, size_t which) {
  const htz_key_bow* bow = key_note(p, key)->bow;
  const uint16_t own = key->plan->object->bows[which].own[HTZ_BOW_POSITION];
  const double position = key->params[HTZ_PARAM_BOW_POSITION];
  return own && !isnan(key->params[own]) ? key->params[own] : bow[which].at + (isnan(position) ? 0.0 : position - bow[0].at);
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

void htz_bow_set_on(const htz_engine* engine, const part* p, key_state* key, const key_event* stroke) {
  const bool on = key->bowing && key->plan->island->cls->busy(key->plan->island);
  key->bow_from = on ? drawn(p, key, 0, seconds_since(engine, key, stroke->offset)) : 0.0;
  key->bow_since = engine->now + stroke->offset;
  key->bow = stroke->share;
  key->bow_effort = stroke->effort;
  key->bow_hand = stroke->hand;
}

/**
   A hand is never quite still: it draws with more or less effort, speed and force together, so that the string stays in its step, and slips
   along it. It is steady until the string is caught: how it is caught is chaotic, and a string caught otherwise swings out of step with the
   last note for good.
*/
static void wander(const key_state* key, uint32_t which, double seconds, htz_bow_control* bow) {
  static const double steady_s = 0.25, loosens_s = 0.6;
  static const double arm = 1.4;                              // an arm varies more than a wrist that throws
  static const double effort_most = 0.13, place_most = 0.003; // shares, with `human` 1
  enum { EFFORT, PLACE, LINES };
  const double human = key->params[HTZ_PARAM_HUMAN];
  if (!(human > 0.0) || seconds < steady_s) {
    return;
  }
  const double x = seconds - steady_s < loosens_s ? (seconds - steady_s) / loosens_s : 1.0, loose = x * x * (3.0 - 2.0 * x);
  const uint32_t line = which * LINES;
  const double sway = human * effort_most * htz_human_wander(key->bow_hand, line + EFFORT, seconds);
  const double effort = 1.0 + loose * (arm * (key->bow_effort - 1.0) + sway);
  bow->speed *= effort;
  bow->force *= effort;
  bow->at *= 1.0 + loose * human * place_most * htz_human_wander(key->bow_hand, line + PLACE, seconds);
}

void htz_bow_influence(const htz_engine* engine, const part* p, const key_state* key, uint32_t at, htz_influence* influence) {
  const htz_key* note = key_note(p, key);
  const htz_object* object = key->plan->object;
  const double seconds = seconds_since(engine, key, at);
  influence->held = influence->held || (key->bowing && seconds < stroke_least_s);
  const double bites = 1.0 + bite * (1.0 - key->bow_from) * exp(-seconds / bite_s);
  for (size_t i = 0; i < object->n_bows; ++i) {
    const htz_key_bow* bow = &note->bow[i];
    const double force = scaled(between(bow->force, key->bow), key, i, HTZ_BOW_FORCE, HTZ_PARAM_BOW_FORCE);
    influence->bow[i] = (htz_bow_control){.speed = drawn(p, key, i, seconds) * speed_of(p, key, i, key->bow),
                                          .force = object->bows[i].turns ? force : bites * force,
                                          .at = place_of(p, key, i)};
    wander(key, (uint32_t)i, seconds, &influence->bow[i]);
  }
}
