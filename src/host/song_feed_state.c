#include "song_feed_private.h"

enum {
  PROGRAM_USUAL = 0,
  BEND_CENTRE = 8192,
  RANGE_USUAL = 2, // [semitone]
  RPN_NONE = 127,
  CC_DATA_MSB = 6,
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

static bool put_range(htz_song_feed* feed, unsigned channel, uint8_t semitones, uint8_t cents) {
  return put_control(feed, channel, CC_RPN_MSB, 0) && put_control(feed, channel, CC_RPN_LSB, 0) &&
         put_control(feed, channel, CC_DATA_MSB, semitones) && put_control(feed, channel, CC_DATA_LSB, cents);
}

static bool put_rpn(htz_song_feed* feed, unsigned channel, uint8_t msb, uint8_t lsb) {
  return put_control(feed, channel, CC_RPN_MSB, msb) && put_control(feed, channel, CC_RPN_LSB, lsb);
}

static bool usual_range(const htz_map_channel* heard) {
  return heard->range_semitones == RANGE_USUAL && heard->range_cents == 0;
}

static bool usual_rpn(const htz_map_channel* heard) {
  return heard->rpn_msb == RPN_NONE && heard->rpn_lsb == RPN_NONE;
}

bool htz_feed_put_heard(htz_song_feed* feed, unsigned channel) {
  const htz_map_channel* heard = &feed->heard->channel[channel];
  bool ok = heard->program == PROGRAM_USUAL || put_program(feed, channel, heard->program);
  if (ok && !usual_range(heard)) {
    ok = put_range(feed, channel, heard->range_semitones, heard->range_cents) &&
         put_rpn(feed, channel, heard->rpn_msb, heard->rpn_lsb);
  } else if (ok && !usual_rpn(heard)) {
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
  if (ok && moved->range) {
    ok = put_range(feed, channel, RANGE_USUAL, 0) && put_rpn(feed, channel, RPN_NONE, RPN_NONE);
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
  const htz_midi_message message = {0, event->status, event->data1, event->data2, event->length};
  htz_midi_map_message(feed->heard, &message);
  if (event->status == HTZ_MIDI_RESET) {
    return;
  }
  const uint8_t kind = event->status & HTZ_MIDI_KIND_MASK;
  htz_song_moved* moved = &feed->moved[event->status & HTZ_MIDI_CHANNEL_MASK];
  moved->program = moved->program || kind == HTZ_MIDI_PROGRAM;
  moved->any = moved->any || kind != HTZ_MIDI_PROGRAM;
  if (kind == HTZ_MIDI_CONTROL && event->data1 < CC_MODE_FIRST) {
    const uint8_t cc = event->data1;
    moved->range = moved->range || cc == CC_DATA_MSB || cc == CC_DATA_LSB || cc == CC_INCREMENT || cc == CC_DECREMENT;
    moved->control[cc] = !is_data(cc);
  }
}
