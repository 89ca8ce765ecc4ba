#include "hertzian/host/built.h"

bool htz_built_attach(htz_built* built, htz_engine* engine, uint32_t rank, const htz_setting* settings, size_t n_settings,
                      uint32_t* number) {
  if (!htz_engine_attach_part(engine, built->part, rank, number)) {
    return false;
  }
  built->attached = true;
  htz_engine_place(engine, *number, built->gain, built->pan);
  for (size_t i = 0; i < n_settings; i++) {
    const htz_param_change change = {.frame = htz_engine_now(engine),
                                     .value = settings[i].value,
                                     .ramp = 1, // at once: nothing sounds yet that could click
                                     .part = (uint16_t)*number,
                                     .key = HTZ_KEY_ALL,
                                     .index = (uint32_t)settings[i].param};
    htz_engine_change(engine, &change);
  }
  return true;
}
