#ifndef HERTZIAN_HOST_PERFORMANCE_H
#define HERTZIAN_HOST_PERFORMANCE_H

#include "hertzian/instrument/spec.h"
#include "hertzian/midi/velocity.h"

#include <stddef.h>
#include <stdint.h>

enum { HTZ_SETTING_NAME = 80 }; ///< bytes of the longest name of a parameter, with its end

/** A parameter set for a whole performance, in place of what the instrument's file says. */
typedef struct {
  size_t
      param; ///< one that every instrument has, or where it is known of which instrument one of its own; else HTZ_PARAM_COUNT
  double value;                ///< [unit of the parameter]
  char name[HTZ_SETTING_NAME]; ///< of one that is not every instrument's; else empty
} htz_setting;

/** Number of its parameter on an instrument; htz_spec_n_params() when there is none of that name. Set-up thread. */
size_t htz_setting_param(const htz_setting* setting, const htz_spec* spec);

/** How events are turned into playing, whatever they come from: the same live and rendered. Plain data; pointers are borrowed. */
typedef struct {
  const htz_setting* settings;
  size_t n_settings;
  htz_velocity_curve velocity;
  int transpose;       ///< [semitone]
  uint16_t channels;   ///< bit c: channel c (0..15) is played
  const double* pitch; ///< of each key [semitone], as htz_midi_map_tune() has it, borrowed; NULL: equal temperament at 440 Hz
} htz_performance;

#endif
