#include "engine_private.h"

#include "hertzian/instrument/throw.h"

#include <math.h>

// What a note-on is to a key: which of its gestures, and how much of it.

static const double soft_most = 127.0; // of a controller

/** What the player has chosen a key to do; a controller that comes upon what it cannot do stays at what is before that. */
static htz_excite gesture_of(const key_state* key) {
  unsigned wanted = (unsigned)key->params[HTZ_PARAM_GESTURE];
  while (wanted > 0 && !(key->plan->does >> wanted & 1u)) {
    --wanted;
  }
  return key->plan->does >> wanted & 1u ? (htz_excite)wanted : key->plan->first;
}

bool htz_bow_plays(const key_state* key) {
  return gesture_of(key) == HTZ_EXCITE_BOW;
}

/** A gesture that has numbers of its own, over what a mallet would do. */
static void begin_gesture(const part* p, const key_state* key, htz_excite kind, double share, htz_strike* strike) {
  const htz_key_gesture* gesture = &key_note(p, key)->gesture[kind];
  strike->gesture = kind;
  if (kind == HTZ_EXCITE_MALLET) {
    return;
  }
  strike->speed = gesture->speed[0] * pow(gesture->speed[1] / gesture->speed[0], share) * key->params[HTZ_PARAM_MALLET_SPEED];
  strike->at = isnan(key->params[HTZ_PARAM_MALLET_AT]) ? gesture->at : strike->at;
  strike->at_y = isnan(key->params[HTZ_PARAM_MALLET_AT_Y]) ? gesture->at_y : strike->at_y;
}

/** The throw that velocity 0..127 means on this key. */
static htz_strike throw_of(const part* p, const key_state* key, htz_excite gesture, double velocity) {
  const htz_key* plan = key_note(p, key);
  const htz_object* object = plan->object;
  const double share = htz_key_share(velocity);
  const double at = key->params[HTZ_PARAM_MALLET_AT];
  const double at_y = key->params[HTZ_PARAM_MALLET_AT_Y];
  const double soft = p->params[HTZ_PARAM_SOFT] / soft_most;
  htz_strike strike = htz_key_throw(plan, share);
  strike.speed *= key->params[HTZ_PARAM_MALLET_SPEED];
  strike.mass *= key->params[HTZ_PARAM_MALLET_MASS];
  strike.stiffness *= key->params[HTZ_PARAM_MALLET_HARDNESS];
  strike.core *= key->params[HTZ_PARAM_MALLET_HARDNESS];
  strike.at = isnan(at) ? strike.at : at;
  strike.at_y = isnan(at_y) ? strike.at_y : at_y;
  begin_gesture(p, key, gesture, share, &strike);
  if (object->n_kinds > 0) {
    const size_t wanted = (size_t)key->params[HTZ_PARAM_MALLET_KIND];
    const htz_mallet_kind* kind = &object->kinds[wanted < object->n_kinds ? wanted : object->n_kinds - 1];
    htz_strike_with(&strike, kind);
  }
  // Una corda: the action shifts, the hammer meets one string less and with fresher felt.
  if (soft > 0.0 && object->soft_hardness > 0.0) {
    strike.stiffness *= 1.0 + (object->soft_hardness - 1.0) * soft;
    strike.skipped = soft >= 0.5 && plan->strings > 1 ? 1u : 0u;
  }
  return strike;
}

key_event htz_key_stroke(part* p, uint32_t k, double velocity) {
  key_state* key = &p->keys[k];
  const htz_excite gesture = gesture_of(key);
  const htz_human_which which = {
      .seed = (uint32_t)key->params[HTZ_PARAM_HUMAN_SEED], .player = p->player, .key = k, .stroke = key->strokes++};
  const double human = key->params[HTZ_PARAM_HUMAN];
  key_event e = {.kind = EVENT_STRIKE};
  if (gesture == HTZ_EXCITE_BOW) {
    e = htz_bow_stroke(p, key, velocity);
    e.effort = htz_human_effort(&which, human);
    e.hand = htz_human_bits(&which);
  } else {
    e.strike = throw_of(p, key, gesture, velocity);
    htz_human_vary(&which, human, &e.strike);
  }
  return e;
}
