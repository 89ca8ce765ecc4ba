#ifndef HERTZIAN_HOST_PERFORMANCE_H
#define HERTZIAN_HOST_PERFORMANCE_H

#include "hertzian/instrument/spec.h"
#include "hertzian/midi/map.h"
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

enum { HTZ_BINDS_MAX = 32 }; ///< of a performance

/** A controller bound for a whole performance, in place of what the instruments' files let it do. */
typedef struct {
  uint8_t cc;                  ///< 0..119, or HTZ_CONTROL_PRESSURE
  bool pickup;                 ///< it does nothing until it comes to where the parameter is
  double low, high;            ///< parameter at 0 and 127 [its unit]; NaN: as far as it goes
  char name[HTZ_SETTING_NAME]; ///< of the parameter: one of an instrument's, or volume, expression, pan, bend, a pedal, send
} htz_bind;

/** Number of its parameter on an instrument; htz_spec_n_params() when it has none of that name, or one without effect. Set-up thread. */
size_t htz_bind_param(const htz_bind* bind, const htz_spec* spec);

/** The range that it moves on an instrument. @return false when there is no such parameter, or the range is beyond the parameter's */
bool htz_bind_range(const htz_bind* bind, const htz_spec* spec, double* low, double* high);

/** Let the controllers of a part that plays `spec` move what is bound to them; what does not suit it is left out. Set-up thread. */
void htz_binds_apply(const htz_bind* binds, size_t n, const htz_spec* spec, htz_map_part* known);

/** How events are turned into playing, whatever they come from: the same live and rendered. Plain data; pointers are borrowed. */
typedef struct {
  const htz_setting* settings;
  size_t n_settings;
  const htz_bind* binds; ///< [n_binds]
  size_t n_binds;
  htz_velocity_curve velocity;
  int transpose;       ///< [semitone]
  uint16_t channels;   ///< bit c: channel c (0..15) is played
  htz_mpe_zone mpe;    ///< there from the start
  unsigned mpe_bend;   ///< bend range of its members [semitone]; 0: the usual one
  const double* pitch; ///< of each key [semitone], as htz_midi_map_tune() has it, borrowed; NULL: equal temperament at 440 Hz
} htz_performance;

/** A map as the performance begins, without parts. Set-up thread. */
void htz_performance_begin(const htz_performance* performance, htz_midi_map* map, htz_engine* engine);

#endif
