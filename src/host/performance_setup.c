#include "hertzian/host/performance.h"

#include <math.h>

size_t htz_setting_param(const htz_setting* setting, const htz_spec* spec) {
  return setting->name[0] ? htz_spec_param_find(spec, setting->name) : setting->param;
}

size_t htz_bind_param(const htz_bind* bind, const htz_spec* spec) {
  const size_t channels = htz_param_find(htz_instrument_params, HTZ_PARAM_COUNT, bind->name);
  if (channels >= HTZ_PARAM_NAMED && channels < HTZ_PARAM_SCALE) {
    return channels;
  }
  const size_t param = htz_spec_param_find(spec, bind->name);
  return htz_spec_param_used(spec, param) ? param : htz_spec_n_params(spec);
}

bool htz_bind_range(const htz_bind* bind, const htz_spec* spec, double* low, double* high) {
  const size_t param = htz_bind_param(bind, spec);
  if (param == htz_spec_n_params(spec)) {
    return false;
  }
  const htz_param_desc desc = htz_spec_param(spec, param);
  *low = isnan(bind->low) ? desc.minimum : bind->low;
  *high = isnan(bind->high) ? desc.maximum : bind->high;
  return *low >= desc.minimum && *low <= desc.maximum && *high >= desc.minimum && *high <= desc.maximum;
}

void htz_performance_begin(const htz_performance* performance, htz_midi_map* map, htz_engine* engine) {
  htz_midi_map_init(map, engine);
  map->transpose = performance->transpose;
  map->velocity = performance->velocity;
  map->channels = performance->channels;
  htz_midi_map_mpe(map, performance->mpe, performance->mpe_bend ? performance->mpe_bend : HTZ_MPE_BEND);
  if (performance->pitch) {
    htz_midi_map_tune(map, performance->pitch);
  }
}

/** What the file lets controller `cc` do is over. */
static void unbind(htz_map_part* known, uint8_t cc) {
  size_t kept = 0;
  for (size_t i = 0; i < known->n_controls; i++) {
    if (known->controls[i].cc != cc) {
      known->controls[kept++] = known->controls[i];
    }
  }
  known->n_controls = kept;
}

void htz_binds_apply(const htz_bind* binds, size_t n, const htz_spec* spec, htz_map_part* known) {
  double low = 0.0, high = 0.0;
  for (size_t i = 0; i < n; i++) {
    if (htz_bind_range(&binds[i], spec, &low, &high)) {
      unbind(known, binds[i].cc);
    }
  }
  for (size_t i = 0; i < n && known->n_controls < HTZ_CONTROLS_MAX; i++) {
    if (!htz_bind_range(&binds[i], spec, &low, &high)) {
      continue;
    }
    const size_t param = htz_bind_param(&binds[i], spec);
    const htz_spec_binding* binding = htz_spec_binding_at(spec, param);
    known->controls[known->n_controls++] = (htz_map_control){.cc = binds[i].cc,
                                                             .param = (uint32_t)param,
                                                             .base = binding ? binding->param : (htz_param_index)param,
                                                             .low = low,
                                                             .high = high,
                                                             .initial = (double)NAN,
                                                             .pickup = binds[i].pickup,
                                                             .held = htz_spec_param_initial(spec, param),
                                                             .came_from = (double)NAN};
  }
}
