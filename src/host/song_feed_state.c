#include "song_feed_private.h"

#include "hertzian/midi/sysex.h"

#include <math.h>

enum {
  PROGRAM_USUAL = 0,
  BEND_CENTRE = 8192,
  RPN_NONE = 127,
  CC_BANK = 0,
  CC_DATA_MSB = 6,
  CC_BANK_LOW = 32,
  CC_DATA_LSB = 38,
  CC_INCREMENT = 96,
  CC_DECREMENT = 97,
  CC_RPN_LSB = 100,
  CC_RPN_MSB = 101,
  CC_MODE_FIRST = 120, // channel mode messages: no settings
  CC_RESET = 121,
};

static bool put_message(htz_song_feed* feed, htz_song_kind kind, uint8_t status, uint8_t data1, uint8_t data2, uint8_t length) {
  const htz_song_item item = {
      .frame = feed->frame, .kind = (uint8_t)kind, .status = status, .data1 = data1, .data2 = data2, .length = length};
  return htz_feed_put(feed, &item);
}

static bool put_control(htz_song_feed* feed, unsigned channel, uint8_t cc, uint8_t value) {
  return put_message(feed, HTZ_SONG_MESSAGE, (uint8_t)(HTZ_MIDI_CONTROL | channel), cc, value, 3);
}

static bool put_program(htz_song_feed* feed, unsigned channel, uint8_t program) {
  return put_message(feed, HTZ_SONG_MESSAGE, (uint8_t)(HTZ_MIDI_PROGRAM | channel), program, 0, 2);
}

static bool put_rpn(htz_song_feed* feed, unsigned channel, uint8_t msb, uint8_t lsb) {
  return put_control(feed, channel, CC_RPN_MSB, msb) && put_control(feed, channel, CC_RPN_LSB, lsb);
}

/** A registered parameter as one number of 14 bits, and where a channel begins. */
typedef struct {
  uint8_t number;
  uint16_t usual;
} registered;

static const registered every[] = {{6, 0}, {0, 2 << 7}, {1, 8192}, {2, 64 << 7}, {3, 0}, {5, 64}};

static uint16_t value_of(const htz_map_channel* heard, uint8_t number) {
  switch (number) {
  case 0:
    return (uint16_t)(heard->range_semitones << 7 | heard->range_cents);
  case 1:
    return heard->fine;
  case 2:
    return heard->coarse;
  case 3:
    return heard->tuning;
  case 6:
    return heard->members;
  default:
    return heard->modulation;
  }
}

static bool put_registered(htz_song_feed* feed, unsigned channel, uint8_t number, uint16_t value) {
  return put_rpn(feed, channel, 0, number) && put_control(feed, channel, CC_DATA_MSB, (uint8_t)(value >> 7)) &&
         put_control(feed, channel, CC_DATA_LSB, value & 0x7F);
}

static bool usual_rpn(const htz_map_channel* heard) {
  return heard->rpn_msb == RPN_NONE && heard->rpn_lsb == RPN_NONE;
}

static bool put_system(htz_song_feed* feed, const htz_midi_message* message) {
  const htz_song_item item = {.frame = feed->frame,
                              .kind = HTZ_SONG_MESSAGE,
                              .status = HTZ_MIDI_SYSTEM,
                              .data1 = message->data1,
                              .data2 = message->data2,
                              .length = message->length,
                              .value = message->value};
  return htz_feed_put(feed, &item);
}

bool htz_feed_put_system_default(htz_song_feed* feed) {
  const htz_midi_message untune = {.data1 = HTZ_SYSTEM_UNTUNE, .length = 3};
  return !feed->tuned || put_system(feed, &untune);
}

static bool put_value(htz_song_feed* feed, htz_system_kind kind, uint8_t data2, uint32_t value) {
  const htz_midi_message message = {.data1 = (uint8_t)kind, .data2 = data2, .length = 3, .value = value};
  return put_system(feed, &message);
}

static bool put_pitches(htz_song_feed* feed, unsigned program) {
  static const double units = 16384.0; // in a semitone
  const htz_midi_map* heard = feed->heard;
  bool ok = true;
  for (unsigned key = 0; key < HTZ_KEYS && ok; key++) {
    if (heard->pitch[program][key] != heard->base[key]) {
      const int pitch = (int)lround((double)heard->pitch[program][key] * units);
      const htz_midi_message message = htz_system_pitch_message(key, (htz_system_pitch){pitch, program, true});
      ok = put_system(feed, &message);
    }
  }
  return ok;
}

static bool put_octave(htz_song_feed* feed, unsigned channel) {
  static const double units = 81.92; // in a cent
  const float* cents = feed->heard->octave[channel];
  bool any = false, ok = true;
  for (unsigned class = 0; class < HTZ_MAP_CLASSES; class ++) {
    any = any || cents[class] != 0.0f;
  }
  for (unsigned class = 0; class < HTZ_MAP_CLASSES && any && ok; class ++) {
    const htz_system_octave octave = {(int)lround((double)cents[class] * units), (uint16_t)(1u << channel), true};
    const htz_midi_message message = htz_system_octave_message(class, octave);
    ok = put_system(feed, &message);
  }
  return ok;
}

bool htz_feed_put_system_heard(htz_song_feed* feed) {
  static const double full = 16383.0, centre = 8192.0, coarse_centre = 64.0;
  const htz_midi_map* heard = feed->heard;
  bool ok = heard->master_volume == 1.0 || put_value(feed, HTZ_SYSTEM_VOLUME, 0, (uint32_t)lround(heard->master_volume * full));
  ok = ok && (heard->master_fine == 0.0 ||
              put_value(feed, HTZ_SYSTEM_FINE, 0, (uint32_t)lround(heard->master_fine * centre + centre)));
  ok = ok &&
       (heard->master_coarse == 0.0 || put_value(feed, HTZ_SYSTEM_COARSE, (uint8_t)(heard->master_coarse + coarse_centre), 0));
  for (unsigned program = 0; program < HTZ_MAP_TUNINGS && ok; program++) {
    ok = put_pitches(feed, program);
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS && ok; channel++) {
    ok = put_octave(feed, channel);
  }
  return ok;
}

bool htz_feed_put_heard(htz_song_feed* feed, unsigned channel) {
  const htz_map_channel* heard = &feed->heard->channel[channel];
  bool ok =
      heard->bank == 0 || (put_control(feed, channel, CC_BANK, 0) && put_control(feed, channel, CC_BANK_LOW, heard->bank));
  ok = ok && ((heard->program == PROGRAM_USUAL && heard->bank == 0) || put_program(feed, channel, heard->program));
  bool selected = false;
  for (size_t i = 0; i < sizeof every / sizeof every[0] && ok; i++) {
    const uint16_t value = value_of(heard, every[i].number);
    if (value != every[i].usual) {
      ok = put_registered(feed, channel, every[i].number, value);
      selected = true;
    }
  }
  if (ok && (selected || !usual_rpn(heard))) {
    ok = put_rpn(feed, channel, heard->rpn_msb, heard->rpn_lsb);
  }
  for (uint8_t cc = 0; cc < CC_MODE_FIRST && ok; cc++) {
    ok = heard->heard[cc] == 0 || put_control(feed, channel, cc, (uint8_t)(heard->heard[cc] - 1));
  }
  if (ok && heard->heard[HTZ_CONTROL_PRESSURE] > 0) {
    ok = put_message(feed, HTZ_SONG_MESSAGE, (uint8_t)(HTZ_MIDI_CHANNEL_PRESSURE | channel),
                     (uint8_t)(heard->heard[HTZ_CONTROL_PRESSURE] - 1), 0, 2);
  }
  if (ok && heard->bend != BEND_CENTRE) {
    ok = put_message(feed, HTZ_SONG_MESSAGE, (uint8_t)(HTZ_MIDI_BEND | channel), heard->bend & 0x7F,
                     (uint8_t)(heard->bend >> 7), 3);
  }
  return ok;
}

bool htz_feed_put_default(htz_song_feed* feed, unsigned channel) {
  const uint8_t control = (uint8_t)(HTZ_MIDI_CONTROL | channel);
  const htz_midi_message reset = {.status = control, .data1 = CC_RESET, .length = 3};
  const htz_song_moved* moved = &feed->moved[channel];
  htz_map_channel* heard = &feed->heard->channel[channel];
  for (uint8_t cc = 0; cc < CC_MODE_FIRST; cc++) {
    heard->heard[cc] = moved->control[cc];
  }
  htz_midi_map_message(feed->heard, &reset);
  bool ok = !moved->any || put_control(feed, channel, CC_RESET, 0);
  for (uint8_t cc = 0; cc < CC_MODE_FIRST && ok; cc++) {
    ok = heard->heard[cc] == 0 || put_message(feed, HTZ_SONG_REST, control, cc, 0, 3); // what the reset leaves
  }
  for (size_t i = 0; i < sizeof every / sizeof every[0] && ok; i++) {
    if (moved->registered >> every[i].number & 1u) {
      ok = put_registered(feed, channel, every[i].number, every[i].usual) && put_rpn(feed, channel, RPN_NONE, RPN_NONE);
    }
  }
  return ok && (!moved->program || put_program(feed, channel, PROGRAM_USUAL));
}

// Controllers that select or set a registered parameter, and are not set to anything themselves.
static bool is_data(uint8_t cc) {
  return cc == CC_DATA_MSB || cc == CC_DATA_LSB || (cc >= CC_INCREMENT && cc <= CC_RPN_MSB);
}

static bool is_note(uint8_t status) {
  const uint8_t kind = status & HTZ_MIDI_KIND_MASK;
  return kind == HTZ_MIDI_NOTE_ON || kind == HTZ_MIDI_NOTE_OFF;
}

void htz_feed_hear(htz_song_feed* feed, const htz_smf_event* event) {
  if (is_note(event->status)) {
    return;
  }
  const htz_midi_message message = {
      .status = event->status, .data1 = event->data1, .data2 = event->data2, .length = event->length, .value = event->value};
  htz_midi_map_message(feed->heard, &message);
  if (event->status >= HTZ_MIDI_SYSTEM) {
    feed->tuned = feed->tuned || event->status == HTZ_MIDI_SYSTEM;
    return;
  }
  const uint8_t kind = event->status & HTZ_MIDI_KIND_MASK;
  htz_song_moved* moved = &feed->moved[event->status & HTZ_MIDI_CHANNEL_MASK];
  moved->program = moved->program || kind == HTZ_MIDI_PROGRAM;
  moved->any = moved->any || kind != HTZ_MIDI_PROGRAM;
  if (kind == HTZ_MIDI_CONTROL && event->data1 < CC_MODE_FIRST) {
    const uint8_t cc = event->data1;
    const htz_map_channel* heard = &feed->heard->channel[event->status & HTZ_MIDI_CHANNEL_MASK];
    const bool entered = cc == CC_DATA_MSB || cc == CC_DATA_LSB || cc == CC_INCREMENT || cc == CC_DECREMENT;
    moved->registered |= entered && heard->rpn_msb == 0 && heard->rpn_lsb < 32 ? UINT32_C(1) << heard->rpn_lsb : 0;
    moved->control[cc] = !is_data(cc);
  }
}
