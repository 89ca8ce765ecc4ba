#include "hertzian/midi/sysex.h"

/*
   Universal system exclusive messages (MIDI 1.0 detailed specification, "System exclusive"; MIDI Tuning, updated specification, 1999), and
   the resets and master volumes of Roland's GS and Yamaha's XG.
*/
enum {
  NON_REAL_TIME = 0x7E, // then: device, two sub-ids
  REAL_TIME = 0x7F,
  NON_COMMERCIAL = 0x7D, // for whoever likes
  ROLAND = 0x41,
  YAMAHA = 0x43,
  ALL_DEVICES = 0x7F,
  SUB_GENERAL_MIDI = 0x09,
  SUB_DEVICE_CONTROL = 0x04,
  SUB_TUNING = 0x08,
  HEAD = 4,   // bytes before the data of a universal message
  NAME = 16,  // bytes of a tuning's name
  KEYS = 128, // in a dump
  PITCH = 3,  // bytes of a frequency
  NOTE = 1 + PITCH,
  CLASSES = 12,  // pitch classes
  LAST_7 = 0x7F, // largest data byte
  BITS_7 = 7,
  BITS_14 = 14,
  BITS_21 = 21,
};

/** What a message is. */
typedef enum {
  NOTHING = 0,
  RESET,
  UNTUNE,
  VOLUME,
  FINE,
  COARSE,
  DUMP,
  DUMP_OCTAVE,
  DUMP_OCTAVE_2,
  NOTES,
  OCTAVE,
  OCTAVE_2
} form;

typedef struct {
  form form;
  size_t at;    // first byte of what varies
  size_t count; // messages it means
  uint8_t program;
  bool now;
} meaning;

/** A dump's last byte: all from 7E on, exclusive-or. */
static bool checks(const uint8_t* bytes, size_t size) {
  uint8_t sum = 0;
  for (size_t i = 0; i + 1 < size; ++i) {
    sum ^= bytes[i];
  }
  return (sum & LAST_7) == bytes[size - 1];
}

static meaning dump(const uint8_t* bytes, size_t size, size_t program_at, size_t data, form kind) {
  const size_t at = program_at + 1 + NAME;
  return size == at + data + 1 && checks(bytes, size) ? (meaning){kind, at, KEYS, bytes[program_at], false} : (meaning){0};
}

static meaning notes(const uint8_t* bytes, size_t size, size_t program_at, bool now) {
  const size_t count_at = program_at + 1;
  if (size <= count_at || bytes[count_at] == 0 || size != count_at + 1 + (size_t)bytes[count_at] * NOTE) {
    return (meaning){0};
  }
  return (meaning){NOTES, count_at + 1, bytes[count_at], bytes[program_at], now};
}

static meaning tuning(const uint8_t* bytes, size_t size, bool now) {
  enum { CHANNELS = 3 }; // bytes
  switch (bytes[HEAD - 1]) {
  case 0x01:
    return now ? (meaning){0} : dump(bytes, size, HEAD, (size_t)KEYS * PITCH, DUMP);
  case 0x04:
    return now ? (meaning){0} : dump(bytes, size, HEAD + 1, (size_t)KEYS * PITCH, DUMP);
  case 0x05:
    return now ? (meaning){0} : dump(bytes, size, HEAD + 1, CLASSES, DUMP_OCTAVE);
  case 0x06:
    return now ? (meaning){0} : dump(bytes, size, HEAD + 1, (size_t)2 * CLASSES, DUMP_OCTAVE_2);
  case 0x02:
    return now ? notes(bytes, size, HEAD, true) : (meaning){0};
  case 0x07:
    return notes(bytes, size, HEAD + 1, now);
  case 0x08:
    return size == HEAD + CHANNELS + CLASSES ? (meaning){OCTAVE, HEAD, CLASSES, 0, now} : (meaning){0};
  case 0x09:
    return size == HEAD + CHANNELS + 2 * CLASSES ? (meaning){OCTAVE_2, HEAD, CLASSES, 0, now} : (meaning){0};
  default:
    return (meaning){0};
  }
}

static meaning universal(const uint8_t* bytes, size_t size) {
  const bool now = bytes[0] == REAL_TIME;
  const uint8_t first = bytes[2], second = bytes[3];
  if (first == SUB_GENERAL_MIDI && !now && size == HEAD && second >= 1 && second <= 3) {
    return (meaning){.form = RESET, .count = 1};
  }
  if (first == SUB_DEVICE_CONTROL && now && size == HEAD + 2) {
    const form kind = second == 1 ? VOLUME : second == 3 ? FINE : second == 4 ? COARSE : NOTHING;
    return kind ? (meaning){.form = kind, .at = HEAD, .count = 1} : (meaning){0};
  }
  return first == SUB_TUNING ? tuning(bytes, size, now) : (meaning){0};
}

static bool is(const uint8_t* bytes, size_t size, size_t from, const uint8_t* wanted, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (from + i >= size || bytes[from + i] != wanted[i]) {
      return false;
    }
  }
  return true;
}

static const uint8_t untune[] = {NON_COMMERCIAL, 'H', 'T', 'Z', 1};

/** Makers' own: the device's number stands second, and is not looked at. */
static meaning makers(const uint8_t* bytes, size_t size) {
  static const uint8_t gs_reset[] = {0x42, 0x12, 0x40, 0x00, 0x7F}, gs_mode[] = {0x42, 0x12, 0x00, 0x00, 0x7F};
  static const uint8_t gs_volume[] = {0x42, 0x12, 0x40, 0x00, 0x04};
  static const uint8_t xg_reset[] = {0x4C, 0x00, 0x00, 0x7E}, xg_all[] = {0x4C, 0x00, 0x00, 0x7F};
  static const uint8_t xg_volume[] = {0x4C, 0x00, 0x00, 0x04};
  enum { GS_SIZE = 9, GS_DATA = 7, XG_SIZE = 7, XG_DATA = 6 };
  if (size == sizeof untune && is(bytes, size, 0, untune, sizeof untune)) {
    return (meaning){.form = UNTUNE, .count = 1};
  }
  if (bytes[0] == ROLAND && size == GS_SIZE) {
    if (is(bytes, size, 2, gs_reset, sizeof gs_reset) || is(bytes, size, 2, gs_mode, sizeof gs_mode)) {
      return (meaning){.form = RESET, .count = 1};
    }
    return is(bytes, size, 2, gs_volume, sizeof gs_volume) ? (meaning){.form = VOLUME, .at = GS_DATA, .count = 1}
                                                           : (meaning){0};
  }
  if (bytes[0] == YAMAHA && size == XG_SIZE) {
    if (is(bytes, size, 2, xg_reset, sizeof xg_reset) || is(bytes, size, 2, xg_all, sizeof xg_all)) {
      return (meaning){.form = RESET, .count = 1};
    }
    return is(bytes, size, 2, xg_volume, sizeof xg_volume) ? (meaning){.form = VOLUME, .at = XG_DATA, .count = 1}
                                                           : (meaning){0};
  }
  return (meaning){0};
}

static meaning read(const uint8_t* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] > LAST_7) {
      return (meaning){0};
    }
  }
  if (size < HEAD) {
    return (meaning){0};
  }
  return bytes[0] == NON_REAL_TIME || bytes[0] == REAL_TIME ? universal(bytes, size) : makers(bytes, size);
}

size_t htz_sysex_count(const uint8_t* bytes, size_t size) {
  return size <= HTZ_SYSEX_MAX ? read(bytes, size).count : 0;
}

static htz_midi_message system_message(htz_system_kind kind, unsigned data2, uint32_t value) {
  return (htz_midi_message){
      .status = HTZ_MIDI_SYSTEM, .data1 = (uint8_t)kind, .data2 = (uint8_t)data2, .length = 3, .value = value};
}

static int pitch_at(const uint8_t* bytes) {
  const int pitch = bytes[0] << BITS_14 | bytes[1] << BITS_7 | bytes[2];
  return pitch == (1 << BITS_21) - 1 ? HTZ_SYSTEM_NO_CHANGE : pitch;
}

enum { OCTAVE_CENTRE = 8192, CENTRE_7 = 64 };

/** An offset of one byte: whole cents about 64, in units of a two-byte one (100 cents are 8192). */
static int cents_offset(uint8_t byte) {
  const int cents = byte - CENTRE_7, most = OCTAVE_CENTRE;
  return (cents * most + (cents < 0 ? -50 : 50)) / 100; // to the nearest
}

static int octave_offset(const uint8_t* data, size_t class, bool two) {
  return two ? (data[2 * class] << BITS_7 | data[2 * class + 1]) - OCTAVE_CENTRE : cents_offset(data[class]);
}

/** Pitch of a key that is `offset` off equal temperament. */
static int pitch_off(size_t key, int offset) {
  const int pitch = ((int)key << BITS_14) + 2 * offset; // 8192 are a semitone, which is 16384 of a pitch
  const int most = (1 << BITS_21) - 2;
  return pitch < 0 ? 0 : pitch > most ? most : pitch;
}

static uint32_t octave_value(int offset, uint32_t channels, bool now) {
  return (uint32_t)(offset + OCTAVE_CENTRE) | channels << BITS_14 | (uint32_t)now << (BITS_14 + 16);
}

htz_midi_message htz_sysex_message(const uint8_t* bytes, size_t size, size_t index) {
  enum { CHANNELS = 3 };
  const meaning m = read(bytes, size);
  const uint8_t* data = bytes + m.at;
  switch (m.form) {
  case VOLUME: // of GS and XG it has one byte
    return system_message(HTZ_SYSTEM_VOLUME, 0,
                          bytes[0] == REAL_TIME ? (uint32_t)(data[1] << BITS_7 | data[0])
                                                : (uint32_t)(data[0] << BITS_7 | data[0]));
  case FINE:
    return system_message(HTZ_SYSTEM_FINE, 0, (uint32_t)(data[1] << BITS_7 | data[0]));
  case COARSE:
    return system_message(HTZ_SYSTEM_COARSE, data[1], 0);
  case DUMP:
    return htz_system_pitch_message((unsigned)index, (htz_system_pitch){pitch_at(data + index * PITCH), m.program, m.now});
  case DUMP_OCTAVE:
  case DUMP_OCTAVE_2: {
    const int offset = octave_offset(data, index % CLASSES, m.form == DUMP_OCTAVE_2);
    return htz_system_pitch_message((unsigned)index, (htz_system_pitch){pitch_off(index, offset), m.program, m.now});
  }
  case NOTES: {
    const uint8_t* note = data + index * NOTE;
    return htz_system_pitch_message(note[0], (htz_system_pitch){pitch_at(note + 1), m.program, m.now});
  }
  case OCTAVE:
  case OCTAVE_2: {
    const uint32_t channels = (uint32_t)(data[0] & 3) << BITS_14 | (uint32_t)data[1] << BITS_7 | data[2];
    const int offset = octave_offset(data + CHANNELS, index, m.form == OCTAVE_2);
    return system_message(HTZ_SYSTEM_OCTAVE, (unsigned)index, octave_value(offset, channels, m.now));
  }
  case UNTUNE:
    return system_message(HTZ_SYSTEM_UNTUNE, 0, 0);
  default:
    return system_message(HTZ_SYSTEM_RESET, 0, 0);
  }
}

htz_system_pitch htz_system_pitch_of(const htz_midi_message* message) {
  const uint32_t most = (UINT32_C(1) << BITS_21) - 1, pitch = message->value & most;
  return (htz_system_pitch){.pitch = pitch == most ? HTZ_SYSTEM_NO_CHANGE : (int)pitch,
                            .program = message->value >> (BITS_21 + 1) & LAST_7,
                            .now = message->value >> BITS_21 & 1U};
}

htz_midi_message htz_system_pitch_message(unsigned key, htz_system_pitch pitch) {
  const uint32_t most = (UINT32_C(1) << BITS_21) - 1;
  const uint32_t value = pitch.pitch == HTZ_SYSTEM_NO_CHANGE ? most : (uint32_t)pitch.pitch;
  return system_message(HTZ_SYSTEM_KEY, key, value | (uint32_t)pitch.now << BITS_21 | pitch.program << (BITS_21 + 1));
}

htz_system_octave htz_system_octave_of(const htz_midi_message* message) {
  return (htz_system_octave){.offset = (int)(message->value & ((1U << BITS_14) - 1)) - OCTAVE_CENTRE,
                             .channels = (uint16_t)(message->value >> BITS_14),
                             .now = message->value >> (BITS_14 + 16) & 1U};
}

static const uint8_t sysex_begin = 0xF0, sysex_end = 0xF7;

htz_midi_message htz_system_octave_message(unsigned class, htz_system_octave octave) {
  return system_message(HTZ_SYSTEM_OCTAVE, class, octave_value(octave.offset, octave.channels, octave.now));
}

/** Bytes of a universal message. */
static size_t write_universal(uint8_t* out, bool now, uint8_t first, uint8_t second, const uint8_t* data, size_t size) {
  const uint8_t head[] = {sysex_begin, now ? REAL_TIME : NON_REAL_TIME, ALL_DEVICES, first, second};
  size_t n = 0;
  for (; n < sizeof head; ++n) {
    out[n] = head[n];
  }
  for (size_t i = 0; i < size; ++i) {
    out[n++] = data[i];
  }
  out[n++] = sysex_end;
  return n;
}

static uint8_t low_7(uint32_t value) {
  return value & LAST_7;
}

size_t htz_sysex_write(const htz_midi_message* message, uint32_t octave[12], uint8_t out[HTZ_SYSEX_WRITTEN]) {
  const uint8_t two[] = {low_7(message->value), low_7(message->value >> BITS_7)};
  switch ((htz_system_kind)message->data1) {
  case HTZ_SYSTEM_RESET:
    return write_universal(out, false, SUB_GENERAL_MIDI, 1, NULL, 0);
  case HTZ_SYSTEM_UNTUNE:
    out[0] = sysex_begin;
    for (size_t i = 0; i < sizeof untune; ++i) {
      out[1 + i] = untune[i];
    }
    out[1 + sizeof untune] = sysex_end;
    return sizeof untune + 2;
  case HTZ_SYSTEM_VOLUME:
    return write_universal(out, true, SUB_DEVICE_CONTROL, 1, two, sizeof two);
  case HTZ_SYSTEM_FINE:
    return write_universal(out, true, SUB_DEVICE_CONTROL, 3, two, sizeof two);
  case HTZ_SYSTEM_COARSE: {
    const uint8_t data[] = {0, message->data2};
    return write_universal(out, true, SUB_DEVICE_CONTROL, 4, data, sizeof data);
  }
  case HTZ_SYSTEM_KEY: {
    const htz_system_pitch pitch = htz_system_pitch_of(message);
    const uint32_t value = message->value;
    const uint8_t data[] = {
        0, low_7(pitch.program), 1, message->data2, low_7(value >> BITS_14), low_7(value >> BITS_7), low_7(value)};
    return write_universal(out, pitch.now, SUB_TUNING, 7, data, sizeof data);
  }
  case HTZ_SYSTEM_OCTAVE: {
    const htz_system_octave o = htz_system_octave_of(message);
    uint8_t data[3 + 2 * CLASSES] = {o.channels >> BITS_14 & 3, low_7(o.channels >> BITS_7), low_7(o.channels)};
    octave[message->data2 % CLASSES] = message->value;
    for (size_t c = 0; c < CLASSES; ++c) {
      data[3 + 2 * c] = low_7(octave[c] >> BITS_7);
      data[4 + 2 * c] = low_7(octave[c]);
    }
    return message->data2 + 1 < CLASSES ? 0 : write_universal(out, o.now, SUB_TUNING, 9, data, sizeof data);
  }
  case HTZ_SYSTEM_DIAL: // has no bytes
    break;
  }
  return 0;
}
