#include "engine_private.h"

#include <math.h>

static const double quarter_pi = 0.78539816339744830962;
static const double center = 64.0; // CC 10 in the middle
static const double controller_max = 127.0;

/** General MIDI's square law: 40 log10(value/max) decibel. */
static double square(double x) {
  return x * x;
}

void htz_part_gain(part* p, uint32_t offset, uint32_t ramp) {
  const double gain = square(p->params[HTZ_PARAM_VOLUME] / controller_max) *
                      square(p->params[HTZ_PARAM_EXPRESSION] / controller_max) * square(p->params[HTZ_PARAM_MASTER]) *
                      p->mix_gain;
  // A balance: the middle leaves both sides alone, the ends silence the other side, equal power between.
  const double asked = p->params[HTZ_PARAM_PAN] + p->mix_pan * center;
  const double pan = asked < 0.0 ? 0.0 : asked > controller_max ? controller_max : asked;
  const double right = pan <= center ? pan / center : 1.0;
  const double left = pan >= center ? (controller_max - pan) / (controller_max - center) : 1.0;
  gain_event e = {offset, (float)(gain * sin(2.0 * quarter_pi * left)), (float)(gain * sin(2.0 * quarter_pi * right)), ramp};
  if (!p->settled || ramp == 0) {
    p->left = (glide){e.left, e.left, 0};
    p->right = (glide){e.right, e.right, 0};
    p->settled = true;
    p->n_gains = 0;
    return;
  }
  if (p->n_gains == GAIN_EVENTS_MAX) {
    --p->n_gains;
  }
  p->gains[p->n_gains++] = e;
}

void htz_engine_place(htz_engine* engine, uint32_t number, double gain, double pan) {
  part* p = number < engine->n_parts ? engine->parts[number] : NULL;
  if (p) {
    p->mix_gain = gain;
    p->mix_pan = pan;
    p->settled = false; // at once
    htz_part_gain(p, 0, 0);
  }
}

static void take_gain(part* p, const gain_event* e) {
  const uint32_t ramp = e->ramp > 0 ? e->ramp : 1;
  p->left.target = e->left;
  p->left.left = ramp;
  p->right.target = e->right;
  p->right.left = ramp;
}

void htz_part_mix(part* p, float* left, float* right) {
  uint32_t next = 0;
  htz_part_arrive(p);
  if (p->n_gains == 0 && p->left.left == 0 && p->right.left == 0) {
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      left[i] += p->left.now * p->mix[0][i];
      right[i] += p->right.now * p->mix[1][i];
    }
    return;
  }
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    while (next < p->n_gains && p->gains[next].offset <= i) {
      take_gain(p, &p->gains[next++]);
    }
    left[i] += glide_step(&p->left) * p->mix[0][i];
    right[i] += glide_step(&p->right) * p->mix[1][i];
  }
  p->n_gains = 0;
}
