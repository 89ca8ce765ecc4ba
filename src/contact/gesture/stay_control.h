#ifndef HTZ_CONTACT_STAY_CONTROL_H
#define HTZ_CONTACT_STAY_CONTROL_H

#include "profile.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <stdbool.h>

/*
   How mallets that stay are driven and rolled, on modal bodies and on grids: what the player changes glides, without a step.
*/

/** What acts on mallets that stay. */
typedef struct {
  double gravity, gain, rest_height, roll_factor, roughness, asymmetry; // as htz_stay_field
  const float* drive;                                                   // of this quantum, or NULL
  bool held;
} stay_wanted;

static inline stay_wanted stay_wanted_of(const htz_stay* stay, const htz_influence* a) {
  return (stay_wanted){.gravity = htz_influence_wanted(a, stay->control[HTZ_STAY_GRAVITY], 0.0),
                       .gain = htz_influence_wanted(a, stay->control[HTZ_STAY_GAIN], 0.0),
                       .rest_height = htz_influence_wanted(a, stay->control[HTZ_STAY_HEIGHT], 0.0),
                       .roll_factor = htz_influence_factor(a, stay->control[HTZ_STAY_SPEED]),
                       .roughness = htz_influence_wanted(a, stay->control[HTZ_STAY_ROUGHNESS], 0.0),
                       .asymmetry = htz_influence_wanted(a, stay->control[HTZ_STAY_ASYMMETRY], 0.0),
                       .drive = a->drive,
                       .held = a->held};
}

/** The drive sounds, or anything else than before is wanted: what lies or hangs still would be set going. */
static inline bool stay_sets_going(const stay_wanted* was, const stay_wanted* now) {
  bool sounds = false;
  for (uint32_t i = 0; now->drive && i < HTZ_QUANTUM; ++i) {
    sounds = sounds || now->drive[i] != 0.0f;
  }
  return sounds || now->gravity != was->gravity || now->rest_height != was->rest_height || now->held != was->held ||
         now->roll_factor != was->roll_factor || now->roughness != was->roughness || now->asymmetry != was->asymmetry;
}

static const uint64_t stay_surfaces = 8;    // that a key has, each of its balls one
static const double stay_stop_speed = 1e-4; // [m/s] a ball slower than this stands

/** What acts on all mallets of a key, on its way to what is wanted. */
typedef struct {
  double glide;       // [config] share of the way of roughness and asymmetry per sample
  double speed_share; // and of that from a rolling ball's speed to the wanted one
  double gain;        // [state] of the drive [N], on its way to the wanted one
  double gain_step;   // per sample
  uint32_t driven;    // samples of the present drive used up
  double force;       // of it over the present sample [N]
  double roughness;   // [m] on its way to the wanted one
  double asymmetry;   // likewise
} stay_control;

/** A ball that rolls. */
typedef struct {
  double wanted_speed; // it was set rolling with [m/s], before the player's factor
  double speed;        // and rolls with now
  double travelled;    // [m]
  htz_profile profile; // of what it rolls on
} stay_ball;

static inline stay_control stay_control_at(double period) {
  static const double surface_s = 0.02; // a step of roughness would be a blow
  static const double hand_s = 0.1;     // and so does the speed that a hand gives a ball
  return (stay_control){.glide = -expm1(-period / surface_s), .speed_share = -expm1(-period / hand_s)};
}

/** `now` one step on towards `wanted`; it arrives and does not go past. */
static inline double stay_ramp(double now, double wanted, double step) {
  const double left = wanted - now;
  const bool arrives = step >= 0.0 ? left <= step : left >= step;
  return arrives ? wanted : now + step;
}

/** A share of the way to `wanted`, all of it when next to nothing is left. */
static inline double stay_glide(double now, double wanted, double share) {
  static const double settled_share = 1e-9;
  const double left = wanted - now;
  const double least = settled_share * (wanted > 0.0 ? wanted : now);
  return left < least && left > -least ? wanted : now + left * share;
}

/** `now` is wanted in place of `was`; where no mallet is there, nothing has to glide. */
static inline void stay_follow(stay_control* c, const stay_wanted* was, const stay_wanted* now, bool there) {
  c->driven = 0;
  if (!there) {
    c->gain = now->gain;
    c->roughness = now->roughness;
    c->asymmetry = now->asymmetry;
  }
  c->gain_step = now->gain != was->gain ? (now->gain - c->gain) / HTZ_QUANTUM : c->gain_step;
}

/** They stay now, however old or far. */
static inline bool stay_retains(const htz_stay* d, const stay_wanted* now) {
  return d->given && (d->spring_hz > 0.0 ? now->held : now->gravity > 0.0);
}

/** The drive's gain one sample on, and its force at `frame` [N]. */
static inline double stay_next_gain(const stay_control* c, const stay_wanted* now, double gain) {
  return stay_ramp(gain, now->gain, c->gain_step);
}

static inline double stay_drive_at(const stay_wanted* now, uint32_t frame, double gain) {
  return now->drive && frame < HTZ_QUANTUM ? gain * (double)now->drive[frame] : 0.0;
}

/** One sample on: the drive's force, and the surface under what rolls. */
static inline void stay_step(stay_control* c, const htz_stay* d, const stay_wanted* now) {
  c->gain = stay_next_gain(c, now, c->gain);
  c->force = stay_drive_at(now, c->driven++, c->gain);
  if (d->rolls) {
    c->roughness = stay_glide(c->roughness, now->roughness, c->glide);
    c->asymmetry = stay_glide(c->asymmetry, now->asymmetry, c->glide);
  }
}

/** How far the ball's middle is over where it would be on a smooth, even surface [m]: the profile and the ball's own asymmetry. */
static inline double stay_height(const stay_control* c, const htz_stay* d, stay_ball* ball) {
  static const double two_pi = 6.28318530717958647693;
  return c->roughness * htz_profile_height(&ball->profile, ball->travelled) +
         c->asymmetry * d->radius * sin(fmod(ball->travelled / d->radius, two_pi));
}

/** Ball `index` is set rolling. @return its height [m] */
static inline double stay_set_rolling(const stay_control* c, const htz_stay* d, const stay_wanted* now, stay_ball* ball,
                                      size_t index, double speed) {
  if (ball->profile.grain != d->grain) {
    htz_profile_lay(&ball->profile, d->grain, d->seed * stay_surfaces + index);
  }
  ball->wanted_speed = speed;
  ball->speed = speed * now->roll_factor;
  return stay_height(c, d, ball);
}

/** One sample on: held, a hand brings the ball to its speed; let go, friction slows it down until it stands. @return its height [m] */
static inline double stay_roll(const stay_control* c, const htz_stay* d, const stay_wanted* now, stay_ball* ball,
                               double period) {
  const double wanted = ball->wanted_speed * now->roll_factor;
  if (now->held) {
    const double next = ball->speed + (wanted - ball->speed) * c->speed_share;
    ball->speed = wanted < stay_stop_speed && next < stay_stop_speed ? 0.0 : next;
  } else {
    const double left = ball->speed - d->friction * now->gravity * period;
    ball->speed = left > stay_stop_speed ? left : 0.0;
  }
  ball->travelled += ball->speed * period;
  return stay_height(c, d, ball);
}

/** The profile under the ball stands still. */
static inline bool stay_stands(const stay_control* c, const stay_wanted* now, const stay_ball* ball) {
  const bool wanted = now->held && ball->wanted_speed * now->roll_factor >= stay_stop_speed;
  return ball->speed == 0.0 && !wanted && c->roughness == now->roughness && c->asymmetry == now->asymmetry;
}

#endif
