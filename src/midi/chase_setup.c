#include "hertzian/midi/chase.h"

#include "hertzian/midi/sysex.h"

#include <string.h>

enum {
  CC_BANK = 0,
  CC_DATA = 6,
  CC_BANK_LOW = 32,
  CC_DATA_LOW = 38,
  CC_PEDAL_FIRST = 64,
  CC_PEDAL_LAST = 69,
  CC_MODULATION = 1,
  CC_EXPRESSION = 11,
  CC_INCREMENT = 96,
  CC_NRPN_LOW = 98,
  CC_NRPN = 99,
  CC_RPN_LOW = 100,
  CC_RPN = 101,
  CC_RESET = 121,
  BITS_7 = 7,
  LOW_7 = 0x7F,
  RPN_NONE = 0x3FFF,
};

// Controllers that select or set a parameter, and are not set to anything themselves.
static bool enters(unsigned cc) {
  return cc == CC_DATA || cc == CC_DATA_LOW || (cc >= CC_INCREMENT && cc <= CC_RPN);
}

static void enter(htz_chase_channel* c, unsigned cc, uint8_t value) {
  const unsigned selected = c->selected > 0 ? c->selected - 1U : RPN_NONE;
  switch (cc) {
  case CC_RPN:
    c->selected = (uint16_t)(1U + ((unsigned)value << BITS_7 | (selected & LOW_7)));
    break;
  case CC_RPN_LOW:
    c->selected = (uint16_t)(1U + ((selected & ~(unsigned)LOW_7) | value));
    break;
  case CC_NRPN:
  case CC_NRPN_LOW:
    c->selected = 0;
    break;
  case CC_DATA:
  case CC_DATA_LOW:
    if (selected < HTZ_CHASE_PARAMETERS) {
      uint16_t* set = &c->parameter[selected];
      const unsigned was = *set > 0 ? *set - 1U : 0;
      *set = (uint16_t)(1U + (cc == CC_DATA ? (unsigned)value << BITS_7 | (was & LOW_7) : (was & ~(unsigned)LOW_7) | value));
    }
    break;
  default:
    break;
  }
}

static void reset(htz_chase_channel* c) {
  for (unsigned cc = CC_PEDAL_FIRST; cc <= CC_PEDAL_LAST; cc++) {
    c->control[cc] = 0;
  }
  c->control[CC_MODULATION] = 0;
  c->control[CC_EXPRESSION] = 0;
  c->pressure = 0;
  c->bend = 0;
  c->selected = 0;
}

static void control(htz_chase_channel* c, const htz_midi_message* m) {
  if (m->data1 == CC_RESET) {
    reset(c);
  } else if (enters(m->data1)) {
    enter(c, m->data1, m->data2);
  } else if (m->data1 < HTZ_CHASE_CONTROLS) {
    c->control[m->data1] = (uint8_t)(m->data2 + 1);
  }
}

void htz_chase_follow(htz_chase* chase, const htz_midi_message* m) {
  if (m->status == HTZ_MIDI_RESET || (m->status == HTZ_MIDI_SYSTEM && m->data1 == HTZ_SYSTEM_RESET)) {
    memset(chase, 0, sizeof *chase);
    return;
  }
  htz_chase_channel* c = &chase->channel[m->status & HTZ_MIDI_CHANNEL_MASK];
  switch (m->status & HTZ_MIDI_KIND_MASK) {
  case HTZ_MIDI_CONTROL:
    control(c, m);
    break;
  case HTZ_MIDI_PROGRAM:
    c->program = (uint8_t)(m->data1 + 1);
    break;
  case HTZ_MIDI_CHANNEL_PRESSURE:
    c->pressure = (uint8_t)(m->data1 + 1);
    break;
  case HTZ_MIDI_BEND:
    c->bend = (uint16_t)((m->data2 << BITS_7 | m->data1) + 1);
    break;
  default:
    break;
  }
}

static void put(htz_smf_writer* writer, unsigned status, unsigned data1, unsigned data2) {
  const htz_midi_message m = {.status = (uint8_t)status, .data1 = (uint8_t)data1, .data2 = (uint8_t)data2};
  htz_smf_writer_put(writer, &m); // what cannot be written is found when all is
}

static void put_parameters(htz_smf_writer* writer, const htz_chase_channel* c, unsigned cc) {
  for (unsigned number = 0; number < HTZ_CHASE_PARAMETERS; number++) {
    if (c->parameter[number] > 0) {
      const unsigned value = c->parameter[number] - 1U;
      put(writer, cc, CC_RPN, 0);
      put(writer, cc, CC_RPN_LOW, number);
      put(writer, cc, CC_DATA, value >> BITS_7);
      put(writer, cc, CC_DATA_LOW, value & LOW_7);
      put(writer, cc, CC_RPN, LOW_7);
      put(writer, cc, CC_RPN_LOW, LOW_7);
    }
  }
}

static void put_channel(htz_smf_writer* writer, const htz_chase_channel* c, unsigned channel) {
  const unsigned cc = HTZ_MIDI_CONTROL | channel;
  static const uint8_t banks[] = {CC_BANK, CC_BANK_LOW};
  for (size_t i = 0; i < sizeof banks; i++) {
    if (c->control[banks[i]] > 0) {
      put(writer, cc, banks[i], c->control[banks[i]] - 1U);
    }
  }
  if (c->program > 0) {
    put(writer, HTZ_MIDI_PROGRAM | channel, c->program - 1U, 0);
  }
  put_parameters(writer, c, cc);
  for (unsigned n = 0; n < HTZ_CHASE_CONTROLS; n++) {
    if (c->control[n] > 0 && n != CC_BANK && n != CC_BANK_LOW) {
      put(writer, cc, n, c->control[n] - 1U);
    }
  }
  if (c->pressure > 0) {
    put(writer, HTZ_MIDI_CHANNEL_PRESSURE | channel, c->pressure - 1U, 0);
  }
  if (c->bend > 0) {
    put(writer, HTZ_MIDI_BEND | channel, (c->bend - 1U) & LOW_7, (c->bend - 1U) >> BITS_7);
  }
}

htz_status htz_chase_write(const htz_chase* chase, htz_smf_writer* writer) {
  for (unsigned channel = 0; channel < HTZ_CHASE_CHANNELS; channel++) {
    put_channel(writer, &chase->channel[channel], channel);
  }
  return htz_smf_writer_sync(writer);
}
