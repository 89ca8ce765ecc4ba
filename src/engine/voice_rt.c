#include "engine_private.h"

#include <math.h>
#include <string.h>

// 12 dB: far beyond a file's range its tables may lead anywhere, and what rings already would be carried along.
static const double louder_most = 4.0;

/** Value between two keys: by ratio. */
static double between(double low, double high, double x) {
  return low * pow(high / low, x);
}

/** What the line of `key` lacks, bent to `x` of the way from key `low` to the next, over what it has by itself. */
static double factor_of(const part* p, const htz_key* key, uint32_t o, uint32_t low, double x, double ratio) {
  const double a = p->instrument->keys[low].voice[o], b = p->instrument->keys[low + 1].voice[o], own = key->voice[o];
  if (!(a > 0.0) || !(b > 0.0) || !(own > 0.0)) {
    return 1.0;
  }
  const double there = between(a, b, x), most = louder_most * own;
  return (there < most ? there : most) / (own * pow(ratio, key->climb[o]));
}

void htz_key_level(part* p, uint32_t k, uint32_t ramp_quanta) {
  key_state* key = &p->keys[k];
  key->level = level_factor(key->params[HTZ_PARAM_LEVEL]);
  if (!is_awake(p, k)) {
    key->level_before = key->level;
    key->lean = htz_key_lean(p, key);
    const double work = htz_key_voice(p, k, true);
    p->budget += work > 0.0 ? work : 0.0;
  }
  if (p->bridged) {
    htz_key_tune(p, k, !is_awake(p, k), ramp_quanta);
  }
}

double htz_key_voice(part* p, uint32_t k, bool at_once) {
  static const double keys_per_octave = 12.0, down_most = 24.0;
  key_state* key = &p->keys[k];
  const htz_key* plan = key->plan;
  const double bent = htz_key_bent(key);
  key->voiced = bent;
  const double aim = k + keys_per_octave * log2(bent);
  // Beyond two octaves down nothing is made up for any more: what drives a board there would move it by the string's own shape.
  const double least = k > down_most ? k - down_most : 0.0;
  const double at = aim < least ? least : aim > HTZ_KEYS - 1 ? HTZ_KEYS - 1 : aim;
  const uint32_t low = at < HTZ_KEYS - 1 ? (uint32_t)at : HTZ_KEYS - 2;
  const double x = at - low, ratio = exp2(((aim > at ? aim : at) - k) / keys_per_octave);
  const double from = p->instrument->keys[low].board_at, to = p->instrument->keys[low + 1].board_at;
  // Key and tuning are those of the file, to rounding; or what it would be bent to belongs to another object.
  const bool apart = p->instrument->keys[low].object != plan->object || p->instrument->keys[low + 1].object != plan->object;
  const bool still = fabs(at - k) < 1e-9 || apart;
  double work = 0.0;
  key->seat[0] = still ? plan->board_at : from + (to - from) * x;
  for (uint32_t o = 0; o < plan->island->n_pickups; ++o) {
    const double factor = still || key->bowing ? 1.0 : factor_of(p, plan, o, low, x, ratio);
    key->voice[0][o] = (float)factor;
    if (plan->drives[o] && plan->lever > 0.0 && p->instrument->board.bridge) {
      const double moving = htz_bridge_move(p->instrument->board.bridge, k, key->seat[0], plan->lever * factor * key->lean);
      work += p->bridged ? moving : 0.0; // else the board feels no string
      htz_bridge_set_drive(p->instrument->board.bridge, k, factor * key->lean);
    }
  }
  if (at_once) {
    memcpy(key->voice[1], key->voice[0], sizeof key->voice[1]);
    key->seat[1] = key->seat[0];
  }
  return work;
}
