#include "engine_private.h"

/*
   The left hand. A key is played on the open string below it, stopped by a finger: the string is retuned. With `harmonics` the finger
   lies lightly where it lets a natural harmonic sound, the one nearest to the key. With `chords` a string that is held is left to its
   key, and the next lower one that is free takes the note.
*/

static const double keys_per_octave = 12.0;
static const double cents_per_key = 100.0;

void htz_fingers_off(part* p) {
  for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
    p->keys[k].hand = HTZ_KEYS;
    p->keys[k].scaled = k;
    p->keys[k].fingers = 1.0;
    p->keys[k].finger = (double)NAN;
    p->string[k] = HTZ_KEYS;
  }
}

/** The harmonic of the string of key `open` nearest to key `k`, and how far off that is [key]. */
static uint32_t harmonic_near(uint32_t open, uint32_t k, double* off) {
  uint32_t best = 1;
  *off = HUGE_VAL;
  for (uint32_t n = 1; n <= HTZ_SPEC_HARMONICS_MAX; ++n) {
    const double gap = fabs(open + keys_per_octave * log2((double)n) - k);
    if (gap < *off) {
      *off = gap;
      best = n;
    }
  }
  return best;
}

/** Where key `k` is played, as it is tuned [key]. */
static double place_of(const part* p, uint32_t k) {
  return k + p->keys[k].params[HTZ_PARAM_SCALE] / cents_per_key;
}

static const double half_key = 0.5; // by so much may an open string be off itself

/** The key of the string that `k` is played on when all are free. */
static uint32_t usual_string(const part* p, uint32_t k) {
  const htz_spec_fingered* hand = &p->keys[k].plan->object->fingered;
  const double at = place_of(p, k) + half_key;
  uint32_t string = (uint32_t)hand->keys[0];
  double least = HUGE_VAL;
  for (size_t i = 0; i < hand->n; ++i) {
    const uint32_t open = (uint32_t)hand->keys[i];
    double off;
    if (!hand->harmonics && open <= at) {
      string = open;
    }
    harmonic_near(open, k, &off);
    if (hand->harmonics && off <= least) {
      least = off;
      string = open;
    }
  }
  return string;
}

static void finger(const htz_engine* engine, part* p, uint32_t string, uint32_t k) {
  key_state* key = &p->keys[string];
  const htz_spec_fingered* hand = &key->plan->object->fingered;
  key->hand = k;
  key->scaled = k;
  if (hand->harmonics) {
    double off;
    const uint32_t n = harmonic_near(string, k, &off);
    key->finger = n > 1 ? 1.0 - 1.0 / n : (double)NAN; // the node next to the bow: its piece of the string answers first
    return;
  }
  key->fingers = exp2(((double)k - (double)string) / keys_per_octave);
  const uint32_t quanta = 1 + (uint32_t)(hand->glide * engine->rate / HTZ_QUANTUM);
  htz_key_tune(p, string, !is_awake(p, string), quanta);
}

/** The key pressed last of those but `k` that are held on a string; HTZ_KEYS when there is none. */
static uint32_t held_beside(const part* p, uint32_t string, uint32_t k) {
  uint32_t last = HTZ_KEYS;
  for (uint32_t i = 0; i < HTZ_KEYS; ++i) {
    if (i != k && p->held[i] > 0 && p->string[i] == string && (last == HTZ_KEYS || p->held[i] > p->held[last])) {
      last = i;
    }
  }
  return last;
}

/** Of the strings on which `k` can be stopped the highest that is free, rather one that is silent than one that rings. */
static uint32_t free_string(const part* p, uint32_t k, uint32_t usual) {
  const htz_spec_fingered* hand = &p->keys[k].plan->object->fingered;
  const double at = place_of(p, k);
  for (int ringing = 0; ringing < 2; ++ringing) {
    for (size_t i = hand->n; i-- > 0;) {
      const int open = hand->keys[i];
      const bool can =
          open <= at + half_key && at - open <= hand->frets + half_key && held_beside(p, (uint32_t)open, k) == HTZ_KEYS;
      if (can && (ringing || !is_awake(p, (uint32_t)open) || p->keys[open].hand == k)) {
        return (uint32_t)open;
      }
    }
  }
  return usual;
}

/** True while the string sounds for another key, which it goes on to do when its finger moves. */
static bool sounds_on(const part* p, uint32_t string, uint32_t k) {
  const key_state* key = &p->keys[string];
  return held_beside(p, string, k) < HTZ_KEYS && is_awake(p, string) && !key->fading && !key->cut;
}

uint32_t htz_finger_press(const htz_engine* engine, part* p, uint32_t k, double velocity, bool* slurred) {
  const htz_spec_fingered* hand = &p->keys[k].plan->object->fingered;
  uint32_t string = usual_string(p, k);
  if (!p->keys[string].plan->island) {
    return HTZ_KEYS;
  }
  const bool hammered = velocity <= hand->hammer_on && !htz_bow_plays(&p->keys[string]) && sounds_on(p, string, k);
  if (p->held[k] > 0) {
    string = p->string[k];
  } else if (hand->chords && !hammered) {
    string = free_string(p, k, string);
  }
  const key_state* key = &p->keys[string];
  const bool bowed = htz_bow_plays(key) && key->bowing && key->plan->island->cls->busy(key->plan->island);
  *slurred = hammered || (bowed && sounds_on(p, string, k));
  p->string[k] = (uint8_t)string;
  finger(engine, p, string, k);
  return string;
}

uint32_t htz_finger_string(const part* p, uint32_t k) {
  const htz_spec_fingered* hand = &p->keys[k].plan->object->fingered;
  for (size_t i = 0; i < hand->n; ++i) {
    if (p->keys[hand->keys[i]].hand == k) {
      return (uint32_t)hand->keys[i];
    }
  }
  const uint32_t plays = p->instrument->plays[k];
  return hand->n == 0 && plays < HTZ_KEYS && p->keys[plays].scaled == k ? plays : k;
}

uint32_t htz_finger_hold(part* p, uint32_t k) {
  if (p->string[k] == HTZ_KEYS) { // pressed in silence
    p->string[k] = (uint8_t)usual_string(p, k);
  }
  const uint32_t string = p->string[k];
  p->held[k] = ++p->presses;
  return string;
}

uint32_t htz_finger_release(const htz_engine* engine, part* p, uint32_t k) {
  const uint32_t string = p->string[k];
  const bool was_held = p->held[k] > 0;
  p->held[k] = 0;
  p->string[k] = HTZ_KEYS;
  if (!was_held) {
    return HTZ_KEYS;
  }
  const uint32_t last = held_beside(p, string, k);
  if (last == HTZ_KEYS) {
    return string;
  }
  if (p->keys[string].hand == k) {
    finger(engine, p, string, last);
  }
  return HTZ_KEYS;
}
