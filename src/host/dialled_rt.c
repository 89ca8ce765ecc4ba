#include "hertzian/host/dials.h"

#include <math.h>

static uint32_t find(const htz_dialled* dialled, htz_dial_moved moved) {
  uint32_t at = 0;
  while (at < dialled->n && (dialled->moved[at].role != moved.role || dialled->moved[at].param != moved.param)) {
    at++;
  }
  return at;
}

bool htz_dialled_has(const htz_dialled* dialled, htz_dial_moved moved) {
  return find(dialled, moved) < dialled->n;
}

uint32_t htz_dialled_note(htz_dialled* dialled, htz_dial_moved moved, double value) {
  const uint32_t at = find(dialled, moved);
  if (at == HTZ_DIALLED_MAX) {
    return at;
  }
  if (at == dialled->n) {
    dialled->moved[at] = moved;
    dialled->n++;
  }
  dialled->value[at] = value;
  return at;
}

static void change(htz_engine* engine, uint32_t part, uint32_t param, double value, uint64_t frame, uint32_t ramp) {
  const htz_param_change change = {
      .frame = frame, .value = value, .ramp = ramp, .part = (uint16_t)part, .key = HTZ_KEY_ALL, .index = param};
  htz_engine_change(engine, &change);
}

// What the part began with: the last of its settings, or what the instrument has.
static double setting_of(const htz_built* built, uint32_t param) {
  double value = (double)NAN;
  for (size_t i = 0; i < built->n_settings; i++) {
    value = built->settings[i].param == param ? built->settings[i].value : value;
  }
  return value;
}

void htz_dial_part(htz_engine* engine, const htz_built* built, uint32_t part, uint32_t param, double value, uint64_t frame) {
  change(engine, part, param, isnan(value) ? setting_of(built, param) : value, frame, HTZ_QUANTUM);
}

void htz_dialled_begin(const htz_dialled* dialled, uint32_t role, htz_engine* engine, uint32_t part) {
  for (uint32_t i = 0; i < dialled->n; i++) {
    if (dialled->moved[i].role == role && !isnan(dialled->value[i])) {
      change(engine, part, dialled->moved[i].param, dialled->value[i], htz_engine_now(engine), 1); // nothing sounds yet
    }
  }
}

void htz_dial_turn(const htz_dial* dial, const uint8_t own[HTZ_MIDI_CHANNELS], htz_midi_map* map) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if ((dial->channels | dial->back) >> channel & 1u) {
      map->cast_of[channel] = dial->channels >> channel & 1u ? dial->cast_of[channel] : own[channel];
    }
  }
}
