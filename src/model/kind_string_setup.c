#include "kind_private.h"

#include <math.h>

enum {
  LENGTH = 0,
  TENSION,
  CORE_DIAMETER,
  CORE_DENSITY,
  LIN_DENSITY,
  YOUNG,
  INHARMONICITY,
  STRETCH,
  LOSSES,
  COUNT = LOSSES + HTZ_KIND_LOSSES
};

static const htz_param_desc scalars[COUNT] = {
    [LENGTH] = {"length", "m", 5e-3, 50.0, NAN, HTZ_SCALE_LOG, "speaking length"},
    [TENSION] = {"tension", "N", 1e-2, 1e6, NAN, HTZ_SCALE_LOG, "with `frequency: own`; otherwise it follows from the pitch"},
    [CORE_DIAMETER] = {"core_diameter", "m", 0.0, 2e-2, 0.0, HTZ_SCALE_LINEAR, "of the stiff core; 0: no stiffness"},
    [CORE_DENSITY] = {"core_density", "kg/m^3", 10.0, 1e5, NAN, HTZ_SCALE_LOG, "of the core; from the material unless given"},
    [LIN_DENSITY] = {"lin_density", "kg/m", 1e-7, 10.0, NAN, HTZ_SCALE_LOG,
                     "mass per length, winding included; the core's alone unless given"},
    [YOUNG] = {"young", "Pa", 1e5, 1e13, NAN, HTZ_SCALE_LOG, "Young's modulus of the core; from the material unless given"},
    [INHARMONICITY] = {"inharmonicity", "", 0.0, 0.1, NAN, HTZ_SCALE_LINEAR,
                       "B in f_n = n f0 sqrt(1 + B n^2); from the core unless given"},
    [STRETCH] = {"stretch", "N", 0.0, 1e8, 0.0, HTZ_SCALE_LINEAR,
                 "EA, force per relative lengthening: hard strokes then start sharp and glide down; 0: constant tension"},
    [LOSSES] = HTZ_KIND_LOSS_TABLE,
};

/** What htz_string_resolve() would only answer with a status. @return NULL when there is nothing to say. */
static const char* complaint(const double* v, double key_hz) {
  if (isnan(v[LENGTH])) {
    return "length: a string needs its speaking length";
  }
  if (key_hz > 0.0 && !isnan(v[TENSION])) {
    return "tension: follows from the pitch; give it only with `frequency: own`";
  }
  if (!(key_hz > 0.0) && isnan(v[TENSION])) {
    return "tension: `frequency: own` needs it";
  }
  if (isnan(v[LIN_DENSITY]) && (isnan(v[CORE_DENSITY]) || !(v[CORE_DIAMETER] > 0.0))) {
    return "lin_density: give it, or core_diameter and a material or core_density";
  }
  if (isnan(v[INHARMONICITY]) && v[CORE_DIAMETER] > 0.0 && isnan(v[YOUNG])) {
    return "young: a stiff core needs it, or a material, or inharmonicity";
  }
  return NULL;
}

static htz_string_desc described(const htz_kind_values* values) {
  const double* v = values->scalar;
  return (htz_string_desc){
      .length = v[LENGTH],
      .tension = htz_kind_or(v[TENSION], 0.0),
      .tuning_hz = values->key_hz,
      .core_diameter = v[CORE_DIAMETER],
      .core_density = htz_kind_or(v[CORE_DENSITY], 0.0),
      .lin_density = htz_kind_or(v[LIN_DENSITY], 0.0),
      .young = htz_kind_or(v[YOUNG], 0.0),
      .inharmonicity = htz_kind_or(v[INHARMONICITY], -1.0),
      .stretch = htz_kind_or(v[STRETCH], 0.0),
  };
}

static double inharmonicity(const htz_kind_values* values) {
  const htz_string_desc desc = described(values);
  htz_string_desc resolved;
  const bool known = !complaint(values->scalar, values->key_hz) && !htz_string_resolve(&desc, &resolved);
  return known ? resolved.inharmonicity : (double)NAN;
}

static htz_status build(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why) {
  const double* v = values->scalar;
  *why = complaint(v, values->key_hz);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  htz_string_desc desc = described(values), resolved;
  if (htz_string_resolve(&desc, &resolved)) {
    *why = "core_diameter: the core alone is stiffer than this pitch allows";
    return HTZ_BAD_VALUE;
  }
  if (!htz_kind_loss(v + LOSSES, resolved.tuning_hz, &desc.loss, why)) {
    return HTZ_BAD_VALUE;
  }
  const htz_status st = htz_modes_string(&desc, values->limit_hz, values->max_modes, arena, out);
  out->radiator.why = "ear: a string is too thin to move the air; listen to what it drives";
  return st;
}

const htz_body_kind htz_kind_string = {
    .name = "string",
    .about = "stiff string between two fixed ends",
    .scalars = scalars,
    .n_scalars = COUNT,
    .density = CORE_DENSITY,
    .young = YOUNG,
    .build = build,
    .inharmonicity = inharmonicity,
};
