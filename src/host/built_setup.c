#include "hertzian/host/built.h"

htz_status htz_built_new(const htz_spec* spec, double rate_hz, const htz_setting* settings, size_t n_settings, htz_built* out,
                         const char** why) {
  htz_instrument* instrument = NULL;
  *out = (htz_built){.spec = spec};
  htz_status st = htz_instrument_build(spec, rate_hz, htz_kernels_select(), NULL, &out->memory, &instrument, why);
  if (st) {
    return st;
  }
  out->n_bodies = instrument->n_bodies;
  st = htz_midi_map_prepare(instrument, &out->known);
  if (!st) {
    st = htz_engine_prepare_part(instrument, &out->part);
  }
  if (st) {
    htz_arena_free(&out->memory);
    return st;
  }
  for (size_t i = 0; i < n_settings; i++) {
    out->known.initial[settings[i].param] = htz_param_clamp(&htz_instrument_params[settings[i].param], settings[i].value);
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
  htz_arena_free(&built->memory);
}
