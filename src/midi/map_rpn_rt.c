#include "map_private.h"

/* Registered parameters: which one is selected, and data entry. */

enum {
  CC_MODULATION = 1,
  CC_DATA_MSB = 6,
  CC_DATA_LSB = 38,
  CC_INCREMENT = 96,
  CC_NRPN_LSB = 98,
  CC_NRPN_MSB = 99,
  CC_RPN_LSB = 100,
  RPN_RANGE = 0,
  RPN_FINE = 1,
  RPN_COARSE = 2,
  RPN_TUNING = 3, // tuning program
  RPN_MODULATION = 5,
  RPN_MPE = 6, // members of the zone that the channel manages
  RPN_NONE = -1,
  RANGE_INITIAL = 2, // pitch bend range at power-up [semitone]
  RANGE_MAX = 96,    // as far as the bend parameter goes [semitone]
  CENTS = 100,       // in a semitone
  BITS_7 = 7,
  LOW_7 = 0x7F,
  MOST_14 = 16383,
};

static const uint8_t rpn_none = 127; // as both halves

void htz_map_channel_init(htz_map_channel* channel) {
  *channel = (htz_map_channel){.rpn_msb = rpn_none,
                               .rpn_lsb = rpn_none,
                               .range_semitones = RANGE_INITIAL,
                               .bend = HTZ_BEND_CENTRE,
                               .fine = HTZ_BEND_CENTRE,
                               .coarse = HTZ_MAP_COARSE_NONE << BITS_7,
                               .modulation = HTZ_MAP_MODULATION_USUAL};
}

void htz_map_select_nothing(htz_map_channel* state) {
  state->rpn_msb = rpn_none;
  state->rpn_lsb = rpn_none;
}

static int selected(const htz_map_channel* state) {
  return state->rpn_msb == 0 && state->rpn_lsb != rpn_none ? state->rpn_lsb : RPN_NONE;
}

// RP-018: increment and decrement move the cents, over the edge into the next semitone.
static void step_range(htz_map_channel* state, int by) {
  int cents = state->range_semitones * CENTS + state->range_cents + by;
  cents = cents < 0 ? 0 : cents > RANGE_MAX * CENTS ? RANGE_MAX * CENTS : cents;
  state->range_semitones = (uint8_t)(cents / CENTS);
  state->range_cents = (uint8_t)(cents % CENTS);
}

static void enter_range(htz_map_channel* state, uint8_t cc, uint8_t value) {
  if (cc == CC_DATA_MSB) {
    state->range_semitones = value < RANGE_MAX ? value : RANGE_MAX; // else part of the wheel's way would do nothing
  } else if (cc == CC_DATA_LSB) {
    state->range_cents = value;
  } else {
    step_range(state, cc == CC_INCREMENT ? 1 : -1);
  }
}

/** A value of two halves; `step` is what increment and decrement move it by. */
static void enter_value(uint16_t* to, uint8_t cc, uint8_t value, int step) {
  const int by = *to + (cc == CC_INCREMENT ? step : -step);
  *to = cc == CC_DATA_MSB   ? (uint16_t)(value << BITS_7 | (*to & LOW_7))
        : cc == CC_DATA_LSB ? (uint16_t)((*to & ~LOW_7) | value)
                            : (uint16_t)(by < 0         ? 0
                                         : by > MOST_14 ? MOST_14
                                                        : by);
}

static void data_entry(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame) {
  htz_map_channel* state = &map->channel[channel];
  switch (selected(state)) {
  case RPN_RANGE:
    enter_range(state, cc, value);
    if (state->bend != HTZ_BEND_CENTRE) { // off centre: the range is heard at once
      htz_map_bend(map, channel, frame);
    }
    htz_map_share_range(map, channel, frame);
    break;
  case RPN_FINE:
    enter_value(&state->fine, cc, value, 1);
    htz_map_bend(map, channel, frame);
    break;
  case RPN_COARSE:
    enter_value(&state->coarse, cc, value, 1 << BITS_7);
    htz_map_bend(map, channel, frame);
    break;
  case RPN_TUNING:
    enter_value(&state->tuning, cc, value, 1 << BITS_7);
    htz_map_tune_channel(map, channel, true, frame);
    break;
  case RPN_MODULATION:
    enter_value(&state->modulation, cc, value, 1);
    if (state->heard[CC_MODULATION] > 0) {
      htz_map_move(map, channel, CC_MODULATION, (uint8_t)(state->heard[CC_MODULATION] - 1), frame);
    }
    break;
  case RPN_MPE:
    if (cc == CC_DATA_MSB) {
      htz_map_set_zone(map, channel, value, frame);
    }
    break;
  default:
    break;
  }
}

bool htz_map_is_registered(uint8_t cc) {
  return cc == CC_DATA_MSB || cc == CC_DATA_LSB || (cc >= CC_INCREMENT && cc <= CC_RPN_LSB + 1);
}

bool htz_map_registered(htz_midi_map* map, unsigned channel, uint8_t cc, uint8_t value, uint64_t frame) {
  htz_map_channel* state = &map->channel[channel];
  if (cc == CC_DATA_MSB || cc == CC_DATA_LSB || cc == CC_INCREMENT || cc == CC_INCREMENT + 1) {
    data_entry(map, channel, cc, value, frame);
  } else if (cc == CC_NRPN_LSB || cc == CC_NRPN_MSB) {
    htz_map_select_nothing(state); // a non-registered parameter is none of ours; data entry belongs to it from now on
  } else if (cc == CC_RPN_LSB) {
    state->rpn_lsb = value;
  } else if (cc == CC_RPN_LSB + 1) {
    state->rpn_msb = value;
  } else {
    return false;
  }
  return true;
}
