#include "hertzian/instrument/spec_prepared.h"

bool htz_spec_prepared_at(const htz_spec_prepared* spec, int key, htz_prepared_desc* out) {
  *out = (htz_prepared_desc){.screw = {.at = 0.5}, .rubber = {.at = 0.5}};
  if (!spec) {
    return false;
  }
  bool any = false;
  for (size_t i = 0; i < HTZ_LOOSE_MAX; ++i) {
    const htz_spec_loose* l = &spec->loose[i];
    out->loose[i].at = 0.5;
    if (!htz_spec_prepared_has(&l->has, key)) {
      continue;
    }
    any = true;
    out->loose[i] = (htz_loose_desc){.mass = htz_table_at(&l->mass, key),
                                     .gap = htz_table_at(&l->gap, key),
                                     .at = htz_table_at(&l->at, key),
                                     .at_y = htz_table_at(&l->at_y, key),
                                     .spring_hz = htz_table_at(&l->spring, key),
                                     .damping = htz_table_at(&l->damping, key),
                                     .gravity = htz_table_at(&l->gravity, key),
                                     .stiffness = htz_table_at(&l->stiffness, key),
                                     .exponent = htz_table_at(&l->exponent, key),
                                     .viscosity = htz_table_at(&l->viscosity, key)};
  }
  if (htz_spec_prepared_has(&spec->screw.has, key)) {
    any = true;
    out->screw = (htz_screw_desc){htz_table_at(&spec->screw.mass, key), htz_table_at(&spec->screw.at, key), spec->screw.outer};
  }
  if (htz_spec_prepared_has(&spec->rubber.has, key)) {
    any = true;
    out->rubber = (htz_rubber_desc){htz_table_at(&spec->rubber.damping, key), htz_table_at(&spec->rubber.stiffness, key),
                                    htz_table_at(&spec->rubber.at, key), spec->rubber.between};
  }
  return any;
}
