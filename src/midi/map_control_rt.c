#include "map_private.h"

#include <math.h>

/** Controller numbers, as the MIDI specification has them. */
enum {
  CC_DATA_MSB = 6,
  CC_VOLUME = 7,
  CC_PAN = 10,
  CC_EXPRESSION = 11,
  CC_SUSTAIN = 64,
  CC_SOSTENUTO = 66,
  CC_SOFT = 67,
  CC_DATA_LSB = 38,
  CC_SEND = 91,        // reverb send level
  CC_SOUND_FIRST = 70, // sound controllers 70..79
  CC_SOUND_LAST = 79,
  CC_EFFECTS_FIRST = 91, // effect depths 91..95
  CC_EFFECTS_LAST = 95,
  CC_INCREMENT = 96,
  CC_DECREMENT = 97,
  CC_NRPN_LSB = 98,
  CC_NRPN_MSB = 99,
  CC_RPN_LSB = 100,
  CC_RPN_MSB = 101,
  CC_ALL_SOUND_OFF = 120,
  CC_RESET = 121,
  CC_ALL_NOTES_OFF = 123,
  CC_LAST = 127, // 124..127 change the channel mode, which implies all notes off
};

static const uint8_t rpn_none = 127;        // as both halves
static const double controller_max = 127.0; // travel of a 7-bit controller

enum {
  RANGE_INITIAL = 2, // pitch bend range at power-up [semitone]
  RANGE_MAX = 96,    // as far as the bend parameter goes [semitone]
  CENTS = 100,       // in a semitone
};

void htz_map_channel_init(htz_map_channel* channel) {
  *channel =
      (htz_map_channel){.rpn_msb = rpn_none, .rpn_lsb = rpn_none, .range_semitones = RANGE_INITIAL, .bend = HTZ_BEND_CENTRE};
}

static void send(htz_midi_map* map, unsigned part, uint32_t param, double value, uint64_t frame) {
  const htz_param_change change = {.frame = frame,
                                   .value = value,
                                   .ramp = 0, // the parameter's own
                                   .part = (uint16_t)part,
                                   .key = HTZ_KEY_ALL,
                                   .index = param};
  htz_engine_change(map->engine, &change);
}

static void send_to(htz_midi_map* map, unsigned part, htz_param_index param, double value, uint64_t frame) {
  send(map, part, param, htz_param_clamp(&htz_instrument_params[param], value), frame);
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
      send_to(map, part, param, value, frame);
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

// What an instrument declares takes the place of the controller's usual meaning, for its own parts.
void htz_map_move_part(htz_midi_map* map, unsigned part, uint8_t cc, uint8_t value, uint64_t frame) {
  const htz_param_index usual = usual_param(cc);
  const htz_map_part* known = &map->parts[part];
  bool declared = false;
  for (size_t i = 0; i < known->n_controls; i++) {
    const htz_map_control* control = &known->controls[i];
    if (control->cc == cc) {
      const htz_scale scale = htz_instrument_params[control->base].scale;
      const double wanted = htz_param_at(scale, control->low, control->high, value / controller_max);
      declared = true;
      send(map, part, control->param, htz_param_clamp(&htz_instrument_params[control->base], wanted), frame);
    }
  }
  if (!declared && usual != HTZ_PARAM_COUNT) {
    send_to(map, part, usual, value, frame);
  }
}

void htz_map_move(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame) {
  map->channel[channel].heard[cc] = (uint8_t)(value + 1);
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    if (listens(map, channel, part)) {
      htz_map_move_part(map, part, cc, value, frame);
    }
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

// RP-015: volume, pan, sound controllers and effect depths are settings of the sound and not gestures.
static bool kept_by_reset(uint8_t cc) {
  return cc == CC_VOLUME || cc == CC_PAN || (cc >= CC_SOUND_FIRST && cc <= CC_SOUND_LAST) ||
         (cc >= CC_EFFECTS_FIRST && cc <= CC_EFFECTS_LAST);
}

void htz_map_reset_controllers(htz_midi_map* map, unsigned channel, bool everything, uint64_t frame) {
  htz_map_channel* state = &map->channel[channel];
  state->rpn_msb = rpn_none;
  state->rpn_lsb = rpn_none;
  state->bend = HTZ_BEND_CENTRE;
  htz_map_bend(map, channel, frame);
  for (unsigned cc = 0; cc < CC_ALL_SOUND_OFF; cc++) {
    if (everything || !kept_by_reset((uint8_t)cc)) {
      state->heard[cc] = 0;
    }
  }
  state->heard[HTZ_CONTROL_PRESSURE] = 0;
  for (unsigned part = 0; part < HTZ_PARTS_MAX; part++) {
    if (!listens(map, channel, part)) {
      continue;
    }
    const htz_map_part* known = &map->parts[part];
    send_to(map, part, HTZ_PARAM_EXPRESSION, known->initial[HTZ_PARAM_EXPRESSION], frame);
    send_to(map, part, HTZ_PARAM_SUSTAIN, 0.0, frame);
    send_to(map, part, HTZ_PARAM_SOSTENUTO, 0.0, frame);
    send_to(map, part, HTZ_PARAM_SOFT, 0.0, frame);
    if (everything) {
      send_to(map, part, HTZ_PARAM_VOLUME, known->initial[HTZ_PARAM_VOLUME], frame);
      send_to(map, part, HTZ_PARAM_PAN, known->initial[HTZ_PARAM_PAN], frame);
      send_to(map, part, HTZ_PARAM_SEND, known->initial[HTZ_PARAM_SEND], frame);
    }
    for (size_t i = 0; i < known->n_controls; i++) {
      const htz_map_control* control = &known->controls[i];
      if (everything || !kept_by_reset(control->cc)) {
        send(map, part, control->param, initial_of(known, control), frame);
      }
    }
  }
}

static bool bend_range_selected(const htz_map_channel* state) {
  return state->rpn_msb == 0 && state->rpn_lsb == 0;
}

// RP-018: increment and decrement move the cents, over the edge into the next semitone.
static void step_range(htz_map_channel* state, int by) {
  int cents = state->range_semitones * CENTS + state->range_cents + by;
  cents = cents < 0 ? 0 : cents > RANGE_MAX * CENTS ? RANGE_MAX * CENTS : cents;
  state->range_semitones = (uint8_t)(cents / CENTS);
  state->range_cents = (uint8_t)(cents % CENTS);
}

static void data_entry(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame) {
  htz_map_channel* state = &map->channel[channel];
  if (!bend_range_selected(state)) {
    return;
  }
  switch (cc) {
  case CC_DATA_MSB:
    state->range_semitones = value < RANGE_MAX ? value : RANGE_MAX; // else part of the wheel's way would do nothing
    break;
  case CC_DATA_LSB:
    state->range_cents = value;
    break;
  case CC_INCREMENT:
    step_range(state, 1);
    break;
  default:
    step_range(state, -1);
    break;
  }
  if (state->bend != HTZ_BEND_CENTRE) { // off centre: the range is heard at once
    htz_map_bend(map, channel, frame);
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
  htz_map_channel* state = &map->channel[channel];
  switch (cc) {
  case CC_DATA_MSB:
  case CC_DATA_LSB:
  case CC_INCREMENT:
  case CC_DECREMENT:
    data_entry(map, channel, cc, value, frame);
    return;
  case CC_NRPN_LSB:
  case CC_NRPN_MSB:
    // A non-registered parameter is none of ours; data entry belongs to it from now on.
    state->rpn_msb = rpn_none;
    state->rpn_lsb = rpn_none;
    return;
  case CC_RPN_LSB:
    state->rpn_lsb = value;
    return;
  case CC_RPN_MSB:
    state->rpn_msb = value;
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
