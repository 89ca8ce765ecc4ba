#include "hertzian/host/built.h"

#include <stdlib.h>

htz_status htz_built_new(const htz_spec* spec, double rate_hz, const htz_performance* performance, htz_built* out,
                         const char** why) {
  const htz_setting* settings = performance ? performance->settings : NULL;
  const size_t n_settings = performance ? performance->n_settings : 0;
  htz_instrument* instrument = NULL;
  *out = (htz_built){.spec = spec};
  out->settings = calloc(n_settings + 1, sizeof *out->settings);
  htz_status st = out->settings ? HTZ_OK : HTZ_NO_MEMORY;
  st = st ? st : htz_instrument_build(spec, rate_hz, htz_kernels_select(), NULL, &out->memory, &instrument, why);
  if (st) {
    free(out->settings);
    return st;
  }
  out->n_bodies = instrument->n_bodies;
  st = htz_midi_map_prepare(instrument, &out->known);
  if (!st) {
    st = htz_engine_prepare_part(instrument, &out->part);
  }
  if (st) {
    htz_arena_free(&out->memory);
    free(out->settings);
    return st;
  }
  if (performance) {
    htz_binds_apply(performance->binds, performance->n_binds, spec, &out->known);
  }
  for (size_t i = 0; i < n_settings; i++) {
    const size_t param = htz_setting_param(&settings[i], spec);
    if (param < htz_spec_n_params(spec)) {
      htz_midi_map_begin_with(&out->known, param, settings[i].value);
      out->settings[out->n_settings++] = (htz_setting){.param = param, .value = settings[i].value};
    }
  }
  return HTZ_OK;
}

void htz_built_touch(const htz_built* built) {
  enum { PAGE = 4096 }; // the smallest there is
  volatile unsigned char* bytes = built->memory.memory;
  for (size_t at = 0; at < built->memory.size; at += PAGE) {
    bytes[at] = bytes[at];
  }
}

void htz_built_discard(htz_built* built) {
  if (!built->attached) {
    htz_engine_discard_part(built->part);
    built->part = NULL;
  }
}

void htz_built_free(htz_built* built) {
  free(built->settings);
  htz_arena_free(&built->memory);
}
