#include "map_private.h"

#include <math.h>

/** Controller numbers, as the MIDI specification has them. */
enum {
  CC_BANK = 0,
  CC_MODULATION = 1,
  CC_VOLUME = 7,
  CC_PAN = 10,
  CC_EXPRESSION = 11,
  CC_BANK_LOW = 32,
  CC_SUSTAIN = 64,
  CC_SOSTENUTO = 66,
  CC_SOFT = 67,
  CC_VELOCITY_LOW = 88, // lower half of the next velocity
  CC_SEND = 91,         // reverb send level
  CC_SOUND_FIRST = 70,  // sound controllers 70..79
  CC_SOUND_LAST = 79,
  CC_EFFECTS_FIRST = 91, // effect depths 91..95
  CC_EFFECTS_LAST = 95,
  CC_ALL_SOUND_OFF = 120,
  CC_RESET = 121,
  CC_ALL_NOTES_OFF = 123,
  CC_LAST = 127, // 124..127 change the channel mode, which implies all notes off
};

static const double controller_max = 127.0; // travel of a 7-bit controller

static void send_key(htz_midi_map* map, unsigned part, int key, uint32_t param, double value, uint64_t frame) {
  const htz_param_change change = {.frame = frame,
                                   .value = value,
                                   .ramp = 0, // the parameter's own
                                   .part = (uint16_t)part,
                                   .key = (int16_t)key,
                                   .index = param};
  htz_engine_change(map->engine, &change);
}

static void send(htz_midi_map* map, unsigned part, uint32_t param, double value, uint64_t frame) {
  send_key(map, part, HTZ_KEY_ALL, param, value, frame);
}

void htz_map_send_part(htz_midi_map* map, unsigned part, htz_param_index param, double value, uint64_t frame) {
  static const double kit_bend =
      12.0; // [semitone] a skin is drawn so far; beyond, what is joined to it would be pumped up by the wheel
  const bool kit = map->parts[part].kit && param == HTZ_PARAM_BEND;
  const double bent = !kit ? value : value > kit_bend ? kit_bend : value < -kit_bend ? -kit_bend : value;
  send(map, part, param, htz_param_clamp(&htz_instrument_params[param], bent), frame);
}

/** Value to which a reset puts what a control moves. */
static double initial_of(const htz_map_part* known, const htz_map_control* control) {
  return control->param < HTZ_PARAM_COUNT ? known->initial[control->param] : control->initial;
}

static bool listens(const htz_midi_map* map, unsigned channel, unsigned part) {
  return map->parts_of[channel] >> part & 1u;
}

void htz_map_send(htz_midi_map* map, unsigned channel, htz_param_index param, double value, uint64_t frame) {
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    if (listens(map, channel, part)) {
      htz_map_send_part(map, part, param, value, frame);
    }
  }
}

// What a controller does without an instrument's wish; HTZ_PARAM_COUNT: nothing.
static htz_param_index usual_param(uint8_t cc) {
  return cc == CC_VOLUME       ? HTZ_PARAM_VOLUME
         : cc == CC_PAN        ? HTZ_PARAM_PAN
         : cc == CC_EXPRESSION ? HTZ_PARAM_EXPRESSION
         : cc == CC_SUSTAIN    ? HTZ_PARAM_SUSTAIN
         : cc == CC_SOSTENUTO  ? HTZ_PARAM_SOSTENUTO
         : cc == CC_SOFT       ? HTZ_PARAM_SOFT
         : cc == CC_SEND       ? HTZ_PARAM_SEND
                               : HTZ_PARAM_COUNT;
}

// Where a controller at `value` puts what it moves. RPN 5 says how far controller 1 goes: twice as far is twice the way, or its square.
static double value_of(const htz_midi_map* map, unsigned channel, const htz_map_control* control, uint8_t value) {
  const htz_param_desc* desc = &htz_instrument_params[control->base];
  const double depth = control->cc == CC_MODULATION ? (double)map->channel[channel].modulation / HTZ_MAP_MODULATION_USUAL : 1.0;
  const double at = value / controller_max * depth;
  double wanted = htz_param_at(desc->scale, control->low, control->high, at);
  if (at > 1.0) {
    wanted = desc->scale == HTZ_SCALE_LOG ? control->low * pow(control->high / control->low, at)
                                          : control->low + (control->high - control->low) * at;
  }
  return htz_param_clamp(desc, wanted);
}

// A knob that stands elsewhere than its parameter must not make it jump: it takes hold when it has come there, or gone past.
static bool takes_hold(htz_map_control* control, double wanted) {
  const bool log_scale =
      htz_instrument_params[control->base].scale == HTZ_SCALE_LOG && control->low > 0.0 && control->high > 0.0;
  // As near as it can come: a step of its travel.
  const bool near = log_scale ? fabs(log(wanted / control->held)) * controller_max <= fabs(log(control->high / control->low))
                              : fabs(wanted - control->held) * controller_max <= fabs(control->high - control->low);
  const bool there = isnan(control->held) || near;
  const bool past = !isnan(control->came_from) && (control->came_from - control->held) * (wanted - control->held) <= 0.0;
  control->taken = control->taken || !control->pickup || there || past;
  control->came_from = wanted;
  return control->taken;
}

// What an instrument declares takes the place of the controller's usual meaning, for its own parts.
void htz_map_move_part(htz_midi_map* map, unsigned part, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame) {
  const htz_param_index usual = usual_param(cc);
  htz_map_part* known = &map->parts[part];
  bool declared = false;
  for (size_t i = 0; i < known->n_controls; i++) {
    htz_map_control* control = &known->controls[i];
    if (control->cc == cc) {
      declared = true;
      const double wanted = value_of(map, channel, control, value);
      if (takes_hold(control, wanted)) {
        send(map, part, control->param, wanted, frame);
      }
    }
  }
  if (!declared && usual != HTZ_PARAM_COUNT) {
    htz_map_send_part(map, part, usual, value, frame);
  }
}

void htz_map_reach_part(htz_midi_map* map, unsigned part, unsigned channel, uint8_t cc) {
  const htz_map_channel* state = &map->channel[channel];
  htz_map_part* known = &map->parts[part];
  for (size_t i = 0; i < known->n_controls; i++) {
    htz_map_control* control = &known->controls[i];
    if (control->cc == cc) {
      takes_hold(control, value_of(map, channel, control, state->least[cc]));
      takes_hold(control, value_of(map, channel, control, state->most[cc]));
    }
  }
}

void htz_map_move(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame) {
  htz_map_channel* state = &map->channel[channel];
  const bool first = state->heard[cc] == 0;
  state->least[cc] = first || value < state->least[cc] ? value : state->least[cc];
  state->most[cc] = first || value > state->most[cc] ? value : state->most[cc];
  state->heard[cc] = (uint8_t)(value + 1);
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    if (listens(map, channel, part)) {
      htz_map_move_part(map, part, channel, cc, value, frame);
    }
  }
}

// Of what the instrument lets pressure move, what belongs to keys; `pressed`: as this key's, else as the channel's.
static void press(htz_midi_map* map, unsigned channel, uint8_t note, int pressed, uint64_t frame) {
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    const htz_map_part* known = &map->parts[part];
    const int key = htz_map_key(map, part, note);
    const bool there = key >= 0 && key < HTZ_KEYS && listens(map, channel, part);
    for (size_t i = 0; there && i < known->n_controls; i++) {
      const htz_map_control* control = &known->controls[i];
      if (control->cc == HTZ_CONTROL_PRESSURE && !htz_param_of_part(control->base)) {
        const double value = pressed >= 0 ? value_of(map, channel, control, (uint8_t)pressed) : initial_of(known, control);
        send_key(map, part, key, control->param, value, frame);
      }
    }
  }
}

void htz_map_press(htz_midi_map* map, unsigned channel, uint8_t note, uint8_t value, uint64_t frame) {
  map->channel[channel].pressed[note / 32] |= UINT32_C(1) << (note % 32);
  press(map, channel, note, value, frame);
}

void htz_map_unpress(htz_midi_map* map, unsigned channel, uint8_t note, uint64_t frame) {
  htz_map_channel* state = &map->channel[channel];
  if (state->pressed[note / 32] >> (note % 32) & 1u) {
    state->pressed[note / 32] &= ~(UINT32_C(1) << (note % 32));
    press(map, channel, note, (int)state->heard[HTZ_CONTROL_PRESSURE] - 1, frame);
  }
}

// The step of a controller's travel at which `control` comes nearest to `wanted`.
static uint8_t nearest_step(const htz_map_control* control, double wanted) {
  const htz_scale scale = htz_instrument_params[control->base].scale;
  uint8_t best = 0;
  double least = INFINITY;
  for (uint8_t step = 0; step <= (uint8_t)controller_max; step++) {
    const double away = fabs(htz_param_at(scale, control->low, control->high, step / controller_max) - wanted);
    if (away < least) {
      least = away;
      best = step;
    }
  }
  return best;
}

uint8_t htz_midi_map_default(const htz_midi_map* map, unsigned channel, uint8_t cc) {
  const htz_param_index usual = usual_param(cc);
  unsigned part = 0;
  while (part < HTZ_PARTS_MAX && !listens(map, channel, part)) {
    part++;
  }
  const htz_map_part* known = part < HTZ_PARTS_MAX ? &map->parts[part] : NULL;
  for (size_t i = 0; known && i < known->n_controls; i++) {
    if (known->controls[i].cc == cc) {
      return nearest_step(&known->controls[i], initial_of(known, &known->controls[i]));
    }
  }
  if (usual == HTZ_PARAM_COUNT) {
    return 0;
  }
  return (uint8_t)(known ? known->initial[usual] : htz_instrument_params[usual].initial);
}

// RP-015: bank select, volume, pan, sound controllers and effect depths are settings of the sound and not gestures.
static bool kept_by_reset(uint8_t cc) {
  return cc == CC_BANK || cc == CC_BANK_LOW || cc == CC_VOLUME || cc == CC_PAN ||
         (cc >= CC_SOUND_FIRST && cc <= CC_SOUND_LAST) || (cc >= CC_EFFECTS_FIRST && cc <= CC_EFFECTS_LAST);
}

static void unhear(htz_map_channel* state, unsigned source) {
  state->heard[source] = state->least[source] = state->most[source] = 0;
}

void htz_map_reset_controllers(htz_midi_map* map, unsigned channel, bool everything, uint64_t frame) {
  htz_map_channel* state = &map->channel[channel];
  htz_map_select_nothing(state);
  state->velocity_low = 0;
  state->bend = HTZ_BEND_CENTRE;
  htz_map_bend(map, channel, frame);
  for (unsigned cc = 0; cc < CC_ALL_SOUND_OFF; cc++) {
    if (everything || !kept_by_reset((uint8_t)cc)) {
      unhear(state, cc);
    }
  }
  unhear(state, HTZ_CONTROL_PRESSURE);
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    if (!listens(map, channel, part)) {
      continue;
    }
    htz_map_part* known = &map->parts[part];
    htz_map_send_part(map, part, HTZ_PARAM_EXPRESSION, known->initial[HTZ_PARAM_EXPRESSION], frame);
    htz_map_send_part(map, part, HTZ_PARAM_SUSTAIN, 0.0, frame);
    htz_map_send_part(map, part, HTZ_PARAM_SOSTENUTO, 0.0, frame);
    htz_map_send_part(map, part, HTZ_PARAM_SOFT, 0.0, frame);
    if (everything) {
      htz_map_send_part(map, part, HTZ_PARAM_VOLUME, known->initial[HTZ_PARAM_VOLUME], frame);
      htz_map_send_part(map, part, HTZ_PARAM_PAN, known->initial[HTZ_PARAM_PAN], frame);
      htz_map_send_part(map, part, HTZ_PARAM_SEND, known->initial[HTZ_PARAM_SEND], frame);
    }
    for (size_t i = 0; i < known->n_controls; i++) {
      htz_map_control* control = &known->controls[i];
      if (everything || !kept_by_reset(control->cc)) {
        control->taken = false;
        send(map, part, control->param, initial_of(known, control), frame);
      }
    }
  }
}

static void silence(htz_midi_map* map, unsigned channel, uint64_t frame) {
  htz_map_notes_off(map, channel, frame);
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    if (listens(map, channel, part)) {
      htz_engine_silence(map->engine, part, frame);
    }
  }
}

void htz_map_control_change(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame) {
  if (htz_map_registered(map, channel, cc, value, frame)) {
    return;
  }
  switch (cc) {
  case CC_VELOCITY_LOW:
    map->channel[channel].velocity_low = value;
    return;
  case CC_ALL_SOUND_OFF:
    silence(map, channel, frame);
    return;
  case CC_RESET:
    htz_map_reset_controllers(map, channel, false, frame);
    return;
  default:
    break;
  }
  if (cc >= CC_ALL_NOTES_OFF && cc <= CC_LAST) {
    htz_map_notes_off(map, channel, frame);
  } else {
    htz_map_move(map, channel, cc, value, frame);
  }
}

unsigned htz_midi_map_lift_pedals(htz_midi_map* map, uint64_t frame) {
  static const uint8_t pedals[] = {CC_SUSTAIN, CC_SOSTENUTO};
  unsigned lifted = 0;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    for (size_t i = 0; i < sizeof pedals; i++) {
      if (map->channel[channel].heard[pedals[i]] > 1) { // one more than its value
        htz_map_move(map, channel, pedals[i], 0, frame);
        lifted++;
      }
    }
  }
  return lifted;
}
