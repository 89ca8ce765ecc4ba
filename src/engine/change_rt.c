#include "engine_private.h"

/*
   Changes of parameters: where they go, and what they do at once.
*/

static const double gain_ramp_s = 0.010; // volume, expression and pan: inaudible as a step, too short to hear as a fade
static const double bend_ramp_s = 0.005; // pitch: about the spacing of a wheel's messages
static const double pedal_s = 0.008;     // the damper follows the pedal

/** The sostenuto pedal takes the keys that are down as it goes down, and lets them go as it comes up. */
static void sostenuto(part* p, bool pressed) {
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    p->keys[k].captured = pressed && (p->keys[k].captured || p->keys[k].down);
  }
}

static void pedal(htz_engine* engine, part* p, uint32_t index, double before, uint32_t offset) {
  static const double half = 64.0;
  if (index == HTZ_PARAM_SOSTENUTO) {
    if ((before >= half) == (p->params[index] >= half)) {
      return;
    }
    sostenuto(p, p->params[index] >= half);
  }
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    const key_state* key = &p->keys[k];
    if (key->plan->island && !key->down && (!key->captured || index == HTZ_PARAM_SOSTENUTO)) {
      htz_key_move_damper(engine, p, k, offset, htz_quanta_of(engine, pedal_s));
    }
  }
}

static void apply_key_param(htz_engine* engine, part* p, uint32_t k, uint32_t index, uint32_t offset, uint32_t ramp_quanta) {
  key_state* key = &p->keys[k];
  if (!key->plan->island) {
    return;
  }
  switch (index) {
  case HTZ_PARAM_LEVEL:
    htz_key_level(p, k, ramp_quanta);
    break;
  case HTZ_PARAM_BEND:
  case HTZ_PARAM_TUNE:
  case HTZ_PARAM_SCALE:
    htz_key_tune(p, k, !is_awake(p, k), ramp_quanta);
    break;
  case HTZ_PARAM_DAMPER:
    htz_key_move_damper(engine, p, k, offset, htz_quanta_of(engine, pedal_s));
    break;
  default: // read when they are next needed: by a strike, by the next quantum
    break;
  }
}

/** A change, but for its number and keys, as it reaches keys. */
typedef struct {
  uint32_t slot;
  bool back; // to what the instrument came with
  double value;
  uint32_t offset, quanta;
  bool one; // key, not all of them
} key_change;

static void change_key(htz_engine* engine, part* p, uint32_t k, const key_change* c) {
  if (c->slot != HTZ_PARAM_SCALE && c->one) {
    k = htz_finger_string(p, k); // what is meant sounds there
  }
  p->keys[k].params[c->slot] = c->back ? p->keys[k].plan->object->params[c->slot] : c->value;
  const uint32_t sounds = c->slot == HTZ_PARAM_SCALE ? htz_finger_string(p, k) : k;
  apply_key_param(engine, p, sounds, c->slot, c->offset, c->quanta);
}

void htz_engine_apply(htz_engine* engine, part* p, const htz_param_change* change, uint32_t offset) {
  const size_t n = p ? HTZ_PARAM_COUNT + p->instrument->n_bindings : 0;
  if (change->index >= n || change->key >= HTZ_KEYS || change->key < HTZ_KEY_ALL) {
    ++engine->counters.dropped;
    return;
  }
  const htz_binding* binding =
      change->index < HTZ_PARAM_COUNT ? NULL : &p->instrument->bindings[change->index - HTZ_PARAM_COUNT];
  const uint32_t param = binding ? (uint32_t)binding->param : change->index;
  // Not a number: back to what the instrument came with, which may be another value for each object.
  const bool back = isnan(change->value);
  const double value =
      back ? htz_part_initial(p->instrument, param) : htz_param_clamp(&htz_instrument_params[param], change->value);
  const uint32_t ramp = change->ramp ? change->ramp : (uint32_t)(gain_ramp_s * engine->rate);
  const double bend = change->ramp ? (double)change->ramp : bend_ramp_s * engine->rate;
  const uint32_t quanta = 1 + (uint32_t)(bend / HTZ_QUANTUM);
  const key_change of_key = {binding ? binding->slot : param, back, value, offset, quanta, change->key != HTZ_KEY_ALL};
  if (change->key != HTZ_KEY_ALL || binding) {
    const uint32_t first = change->key == HTZ_KEY_ALL ? 0 : (uint32_t)change->key;
    const uint32_t end = change->key == HTZ_KEY_ALL ? HTZ_KEYS : first + 1;
    for (uint32_t k = first; k < end; ++k) {
      if (!binding || p->keys[k].plan->object == binding->object) {
        change_key(engine, p, k, &of_key);
      }
    }
    return;
  }
  const double before = p->params[param];
  p->params[param] = value;
  switch (param) {
  case HTZ_PARAM_VOLUME:
  case HTZ_PARAM_EXPRESSION:
  case HTZ_PARAM_PAN:
  case HTZ_PARAM_MASTER:
    htz_part_gain(p, offset, sounding(p) ? ramp : 0); // in silence nothing can click
    return;
  case HTZ_PARAM_EARS:
    htz_part_place_ears(p);
    return;
  case HTZ_PARAM_SUSTAIN:
  case HTZ_PARAM_SOSTENUTO:
    pedal(engine, p, param, before, offset);
    return;
  default:
    for (uint32_t k = 0; k < HTZ_KEYS && !htz_param_of_part(param); ++k) {
      change_key(engine, p, k, &of_key);
    }
  }
}
