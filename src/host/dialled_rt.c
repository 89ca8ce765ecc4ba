#include "hertzian/host/dials.h"

#include <math.h>

bool htz_dialled_has(const htz_dialled* dialled, htz_dial_moved moved) {
  uint32_t at = dialled->first[moved.role];
  while (at > 0 && dialled->moved[at - 1].param != moved.param) {
    at = dialled->next[at - 1];
  }
  return at > 0;
}

uint32_t htz_dialled_note(htz_dialled* dialled, htz_dial_moved moved, double value) {
  uint16_t* at = &dialled->first[moved.role];
  while (*at > 0 && dialled->moved[*at - 1].param != moved.param) {
    at = &dialled->next[*at - 1];
  }
  if (*at == 0 && dialled->n == HTZ_DIALLED_MAX) {
    return HTZ_DIALLED_MAX;
  }
  if (*at == 0) {
    dialled->moved[dialled->n] = moved;
    *at = (uint16_t)++dialled->n;
  }
  dialled->value[*at - 1] = value;
  return *at - 1u;
}

void htz_dialled_forget(htz_dialled* dialled, uint32_t role) {
  for (uint32_t at = dialled->first[role]; at > 0; at = dialled->next[at - 1]) {
    dialled->value[at - 1] = (double)NAN;
  }
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
  for (uint32_t at = dialled->first[role]; at > 0; at = dialled->next[at - 1]) {
    if (!isnan(dialled->value[at - 1])) {
      change(engine, part, dialled->moved[at - 1].param, dialled->value[at - 1], htz_engine_now(engine),
             1); // nothing sounds yet
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
