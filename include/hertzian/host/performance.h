#ifndef HERTZIAN_HOST_PERFORMANCE_H
#define HERTZIAN_HOST_PERFORMANCE_H

#include "hertzian/instrument/params.h"
#include "hertzian/midi/velocity.h"

#include <stddef.h>
#include <stdint.h>

/** A parameter set for a whole performance, in place of what the instrument's file says. */
typedef struct {
  htz_param_index param;
  double value; ///< [unit of the parameter]
} htz_setting;

/** How events are turned into playing, whatever they come from: the same live and rendered. Plain data; `settings` is borrowed. */
typedef struct {
  const htz_setting* settings;
  size_t n_settings;
  htz_velocity_curve velocity;
  int transpose;     ///< [semitone]
  uint16_t channels; ///< bit c: channel c (0..15) is played
} htz_performance;

#endif
