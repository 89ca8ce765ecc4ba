#include "hertzian/host/built.h"

#include <stdlib.h>

/** Those of `settings` that its instrument has a parameter for. */
static void take_settings(htz_built* built, const htz_setting* settings, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const size_t param = htz_setting_param(&settings[i], built->spec);
    if (param < htz_spec_n_params(built->spec)) {
      htz_midi_map_begin_with(&built->known, param, settings[i].value);
      built->settings[built->n_settings++] = (htz_setting){.param = param, .value = settings[i].value};
    }
  }
}

htz_status htz_built_new(const htz_spec* spec, double rate_hz, const htz_role* role, const htz_performance* performance,
                         const uint64_t* keys, htz_built* out, const char** why) {
  const size_t n_own = role ? role->n_settings : 0, n_settings = performance ? performance->n_settings : 0;
  htz_instrument* instrument = NULL;
  *out = (htz_built){.spec = spec, .gain = role ? role->gain : 1.0, .pan = role ? role->pan : 0.0};
  out->settings = calloc(n_own + n_settings + 1, sizeof *out->settings);
  htz_status st = out->settings ? HTZ_OK : HTZ_NO_MEMORY;
  st = st ? st : htz_instrument_build(spec, rate_hz, htz_kernels_select(), keys, &out->memory, &instrument, why);
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
  if (role) {
    out->known.zone = role->zone;
    take_settings(out, role->settings, n_own);
  }
  take_settings(out, performance ? performance->settings : NULL, n_settings);
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
