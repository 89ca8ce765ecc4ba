#include "map_private.h"

#include <math.h>
#include <string.h>

void htz_midi_map_init(htz_midi_map* map, htz_engine* engine) {
  memset(map, 0, sizeof *map);
  map->engine = engine;
  map->channels = HTZ_MIDI_OMNI;
  htz_velocity_linear(&map->velocity);
  map->master_volume = 1.0;
  map->mpe_bend = HTZ_MPE_BEND;
  for (unsigned note = 0; note < HTZ_KEYS; note++) {
    map->base[note] = (float)note;
  }
  htz_map_untune(map);
  memset(map->cast_of, HTZ_CAST_BY_PROGRAM, sizeof map->cast_of);
  for (size_t i = 0; i < sizeof map->cast_for; i++) {
    map->cast_for[i / HTZ_MIDI_PROGRAMS][i % HTZ_MIDI_PROGRAMS] = (uint8_t)(i % HTZ_MIDI_PROGRAMS);
  }
  for (unsigned c = 0; c < HTZ_MIDI_CHANNELS; c++) {
    htz_map_channel_init(&map->channel[c]);
  }
}

void htz_midi_map_tune(htz_midi_map* map, const double* pitch) {
  for (unsigned note = 0; note < HTZ_KEYS; note++) {
    map->base[note] = (float)pitch[note];
  }
  htz_map_untune(map);
}

void htz_midi_map_mpe(htz_midi_map* map, htz_mpe_zone zone, unsigned bend) {
  map->mpe_zone = zone;
  map->mpe_bend = (uint8_t)bend;
  htz_map_start_zones(map, 0);
}

htz_status htz_midi_map_add_part(htz_midi_map* map, uint32_t part, uint16_t channels, const htz_instrument* instrument) {
  if (part >= HTZ_PARTS_MAX) {
    return HTZ_BAD_VALUE;
  }
  const htz_status st = htz_midi_map_prepare(instrument, &map->parts[part]);
  if (st) {
    return st;
  }
  map->known |= UINT64_C(1) << part;
  for (unsigned c = 0; c < HTZ_MIDI_CHANNELS; c++) {
    if (channels >> c & 1u) {
      map->parts_of[c] |= UINT64_C(1) << part;
      htz_map_tune_part(map, part, c, false, 0);
    }
  }
  return HTZ_OK;
}

htz_status htz_midi_map_prepare(const htz_instrument* instrument, htz_map_part* to) {
  const htz_spec* spec = instrument->spec;
  if (spec->n_controls > HTZ_CONTROLS_MAX) {
    return HTZ_BAD_VALUE;
  }
  to->zone = HTZ_MAP_ZONE_ALL;
  to->n_controls = spec->n_controls;
  to->kit = spec->n_kits > 0;
  for (size_t i = 0; i < spec->n_controls; i++) {
    const htz_spec_control* from = &spec->controls[i];
    const htz_spec_binding* binding = htz_spec_binding_at(spec, from->param);
    const htz_param_index base = binding ? binding->param : (htz_param_index)from->param;
    to->controls[i] = (htz_map_control){.cc = (uint8_t)from->cc,
                                        .param = (uint32_t)from->param,
                                        .base = base,
                                        .low = from->low,
                                        .high = from->high,
                                        .initial = (double)NAN};
  }
  memcpy(to->initial, instrument->params, sizeof to->initial);
  return HTZ_OK;
}

void htz_midi_map_choose(htz_midi_map* map, unsigned channel, unsigned program, uint32_t part) {
  if (channel < HTZ_MIDI_CHANNELS && program < HTZ_MIDI_PROGRAMS && part < HTZ_PARTS_MAX) {
    map->parts_for[channel][map->cast_for[0][program]] = UINT64_C(1) << part;
  }
}

void htz_midi_map_choose_all(htz_midi_map* map, unsigned channel, uint32_t part) {
  for (unsigned program = 0; program < HTZ_MIDI_PROGRAMS; program++) {
    htz_midi_map_choose(map, channel, program, part);
  }
}

void htz_midi_map_begin_with(htz_map_part* part, size_t param, double value) {
  if (param < HTZ_PARAM_COUNT) {
    part->initial[param] = htz_param_clamp(&htz_instrument_params[param], value);
  }
  for (size_t i = 0; i < part->n_controls; i++) {
    htz_map_control* control = &part->controls[i];
    if (control->param == param) {
      control->initial = htz_param_clamp(&htz_instrument_params[control->base], value);
      control->held = control->initial;
    }
  }
}

void htz_midi_map_set_initial(htz_midi_map* map, uint32_t part, size_t param, double value) {
  if (part < HTZ_PARTS_MAX) {
    htz_midi_map_begin_with(&map->parts[part], param, value);
  }
}

void htz_midi_map_set_zone(htz_midi_map* map, uint32_t part, const htz_map_zone* zone) {
  if (part < HTZ_PARTS_MAX) {
    map->parts[part].zone = *zone;
  }
}
