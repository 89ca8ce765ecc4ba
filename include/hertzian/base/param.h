#ifndef HERTZIAN_BASE_PARAM_H
#define HERTZIAN_BASE_PARAM_H

#include "hertzian/base/rt.h"

#include <stddef.h>
#include <stdint.h>

typedef enum {
  HTZ_SCALE_LINEAR = 0,
  HTZ_SCALE_LOG,
  HTZ_SCALE_STEPS, ///< whole numbers only
} htz_scale;

/**
   One adjustable quantity: the source for the loader's checks, `instruments show`, controller ranges and the docs.
*/
typedef struct {
  const char* name; ///< as written in files and after `-s`
  const char* unit; ///< SI unit, or "" for a pure number
  double minimum;   ///< least allowed value [unit]
  double maximum;   ///< greatest allowed value [unit]
  double initial;   ///< default [unit]
  htz_scale scale;  ///< how a controller's travel divides the range; LOG needs minimum > 0
  const char* doc;  ///< what it does, in a musician's words, one line
} htz_param_desc;

/** Value at `position` in [0, 1] (clamped) of the travel from `low` to `high` [unit] on `scale`. */
HTZ_RT double htz_param_at(htz_scale scale, double low, double high, double position);

/** `value` limited to the range of `desc`, to the nearest whole number on HTZ_SCALE_STEPS; NaN gives the default. */
HTZ_RT double htz_param_clamp(const htz_param_desc* desc, double value);

/** Index of the entry named `name` in `table`, or `count` when there is none. */
size_t htz_param_find(const htz_param_desc* table, size_t count, const char* name);

enum { HTZ_KEY_ALL = -1 }; ///< in htz_param_change.key: every key of the part

/** A parameter change on its way to the audio thread. Plain data: can be logged and replayed. */
typedef struct {
  uint64_t frame; ///< absolute frame at which it takes effect; a past frame means now
  double value;   ///< new value [unit of the parameter]; NaN: back to what the instrument came with
  uint32_t ramp;  ///< frames over which to get there, 0 for the parameter's own
  uint16_t part;  ///< part number
  int16_t key;    ///< MIDI key, or HTZ_KEY_ALL
  uint32_t index; ///< the part's parameter index
} htz_param_change;

#endif
