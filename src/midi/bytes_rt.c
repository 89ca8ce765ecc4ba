#include "hertzian/midi/bytes.h"

#include "hertzian/midi/sysex.h"

#include <string.h>

// Status bytes beyond the channel messages (MIDI 1.0 detailed specification, table V and VI).
enum {
  status_bit = 0x80,
  sysex_begin = 0xF0,
  time_code = 0xF1,
  song_position = 0xF2,
  song_select = 0xF3,
  tune_request = 0xF6,
  sysex_end = 0xF7,
  real_time = 0xF8, // this and all above
  undefined_f9 = 0xF9,
  undefined_fd = 0xFD,
};

unsigned htz_midi_data_length(uint8_t status) {
  if (status < status_bit || status >= sysex_begin) {
    return 0;
  }
  const unsigned kind = status & HTZ_MIDI_KIND_MASK;
  return kind == HTZ_MIDI_PROGRAM || kind == HTZ_MIDI_CHANNEL_PRESSURE ? 1 : 2;
}

void htz_midi_normalise(uint8_t* status, uint8_t* data2) {
  if ((*status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_ON && *data2 == 0) {
    *status = (uint8_t)(HTZ_MIDI_NOTE_OFF | (*status & HTZ_MIDI_CHANNEL_MASK));
    *data2 = HTZ_MIDI_RELEASE_VELOCITY;
  }
}

void htz_midi_parser_init(htz_midi_parser* parser) {
  memset(parser, 0, sizeof *parser);
}

void htz_midi_parser_reset(htz_midi_parser* parser) {
  memset(&parser->st, 0, sizeof parser->st);
}

static bool take_real_time(htz_midi_parser* parser, uint8_t byte, uint64_t frame, htz_midi_message* out) {
  if (byte == HTZ_MIDI_RESET) {
    *out = (htz_midi_message){.frame = frame, .status = HTZ_MIDI_RESET, .length = 1};
    return true;
  }
  if (byte == undefined_f9 || byte == undefined_fd) {
    ++parser->undefined;
  }
  return false;
}

bool htz_midi_parser_more(htz_midi_parser* parser, uint64_t frame, htz_midi_message* out) {
  if (parser->st.told == parser->st.to_tell) {
    return false;
  }
  *out = htz_sysex_message(parser->bytes, parser->st.size, parser->st.told++);
  out->frame = frame;
  return true;
}

/** The system exclusive message is whole. */
static bool end_sysex(htz_midi_parser* parser, uint64_t frame, htz_midi_message* out) {
  const uint32_t size = parser->st.size;
  htz_midi_parser_reset(parser);
  parser->st.size = size;
  parser->st.to_tell = (uint32_t)htz_sysex_count(parser->bytes, size);
  return htz_midi_parser_more(parser, frame, out);
}

static void take_status(htz_midi_parser* parser, uint8_t byte) {
  const bool unfinished = parser->st.have > 0;
  if (unfinished || parser->st.in_sysex) {
    ++parser->cut;
  }
  htz_midi_parser_reset(parser);
  if (byte < sysex_begin) {
    parser->st.status = byte;
    parser->st.need = (uint8_t)htz_midi_data_length(byte);
    return;
  }
  switch (byte) {
  case sysex_begin:
    parser->st.in_sysex = true;
    ++parser->sysex;
    break;
  case time_code:
  case song_select:
    parser->st.status = byte;
    parser->st.need = 1;
    break;
  case song_position:
    parser->st.status = byte;
    parser->st.need = 2;
    break;
  case tune_request:
    break;
  default: // an end of system exclusive that nothing began is none, too
    ++parser->undefined;
    break;
  }
}

static bool take_data(htz_midi_parser* parser, uint8_t byte, uint64_t frame, htz_midi_message* out) {
  if (parser->st.in_sysex) {
    if (parser->st.size < HTZ_PARSER_SYSEX) {
      parser->bytes[parser->st.size] = byte;
    }
    parser->st.size += parser->st.size <= HTZ_PARSER_SYSEX;
    return false;
  }
  if (parser->st.status == 0) {
    ++parser->stray;
    return false;
  }
  if (++parser->st.have < parser->st.need) {
    parser->st.data1 = byte;
    return false;
  }
  const uint8_t status = parser->st.status;
  const bool two = parser->st.need == 2;
  parser->st.have = 0;
  if (status >= sysex_begin) {
    htz_midi_parser_reset(parser); // system common messages have no running status
    return false;
  }
  *out = (htz_midi_message){
      .frame = frame,
      .status = status,
      .data1 = two ? parser->st.data1 : byte,
      .data2 = two ? byte : 0,
      .length = two ? 3 : 2,
  };
  if (two) {
    htz_midi_normalise(&out->status, &out->data2);
  }
  return true;
}

bool htz_midi_parser_feed(htz_midi_parser* parser, uint8_t byte, uint64_t frame, htz_midi_message* out) {
  if (byte >= real_time) {
    return take_real_time(parser, byte, frame, out);
  }
  parser->st.told = parser->st.to_tell;
  if (byte == sysex_end && parser->st.in_sysex) {
    return end_sysex(parser, frame, out);
  }
  if (byte & status_bit) {
    take_status(parser, byte);
    return false;
  }
  return take_data(parser, byte, frame, out);
}

size_t htz_midi_parser_feed_span(htz_midi_parser* parser, const uint8_t* bytes, size_t count, uint64_t frame,
                                 htz_midi_message* out, size_t capacity, size_t* made) {
  size_t taken = 0;
  size_t filled = 0;
  while (filled < capacity) {
    if (htz_midi_parser_more(parser, frame, &out[filled])) {
      ++filled;
    } else if (taken < count) {
      filled += htz_midi_parser_feed(parser, bytes[taken++], frame, &out[filled]) ? 1 : 0;
    } else {
      break;
    }
  }
  *made = filled;
  return taken;
}
