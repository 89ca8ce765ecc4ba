#include "smf_private.h"

#include "hertzian/midi/bytes.h"

enum {
  status_bit = 0x80,
  more_bit = 0x80, // in a variable-length quantity: another byte follows
  value_bits = 7,
  quantity_bytes = 4, // longest variable-length quantity the standard allows

  sysex = 0xF0,
  time_code = 0xF1,
  song_position = 0xF2,
  song_select = 0xF3,
  undefined_f4 = 0xF4,
  undefined_f5 = 0xF5,
  escape = 0xF7, // system exclusive continuation, or any bytes
  meta = 0xFF,

  meta_end_of_track = 0x2F,
  meta_tempo = 0x51,
  tempo_bytes = 3,
};

static const char cut_off[] = "breaks off inside an event"; // reported where the track ends

static htz_smf_raw fault(size_t at, const char* what) {
  return (htz_smf_raw){.kind = HTZ_SMF_FAULT, .fault_at = at, .fault = what};
}

/* Read a variable-length quantity at `*at`. @return NULL, or what is wrong */
static const char* read_quantity(const uint8_t* bytes, size_t* at, size_t end, uint32_t* out) {
  uint32_t value = 0;
  for (int i = 0; i < quantity_bytes; ++i) {
    if (*at >= end) {
      return cut_off;
    }
    const uint8_t byte = bytes[(*at)++];
    value = value << value_bits | (byte & (more_bit - 1U));
    if (!(byte & more_bit)) {
      *out = value;
      return NULL;
    }
  }
  return "has a number of more than 4 bytes";
}

static htz_smf_raw read_channel(const uint8_t* bytes, size_t* at, size_t end, uint8_t status) {
  const unsigned count = htz_midi_data_length(status);
  htz_smf_raw raw = {.kind = HTZ_SMF_CHANNEL, .status = status, .length = (uint8_t)(count + 1)};
  if (end - *at < count) {
    return fault(end, cut_off);
  }
  for (unsigned i = 0; i < count; ++i) {
    if (bytes[*at + i] & status_bit) {
      return fault(*at + i, "has a status byte where data belongs");
    }
  }
  raw.data1 = bytes[*at];
  if (count > 1) {
    raw.data2 = bytes[*at + 1];
    htz_midi_normalise(&raw.status, &raw.data2);
  }
  *at += count;
  return raw;
}

static htz_smf_raw read_meta(const uint8_t* bytes, size_t* at, size_t end) {
  if (*at >= end) {
    return fault(end, cut_off);
  }
  const size_t type_at = *at;
  const uint8_t type = bytes[(*at)++];
  uint32_t length = 0;
  const char* wrong = read_quantity(bytes, at, end, &length);
  if (wrong) {
    return fault(*at, wrong); // a quantity that breaks off leaves `*at` at the end
  }
  if (length > end - *at) {
    return fault(end, cut_off);
  }
  const uint8_t* data = bytes + *at;
  *at += length;
  if (type == meta_end_of_track) {
    return (htz_smf_raw){.kind = HTZ_SMF_TRACK_END, .irregular = length > 0};
  }
  if (type != meta_tempo) {
    return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED, .irregular = (type & status_bit) != 0};
  }
  if (length < tempo_bytes) {
    return (htz_smf_raw){.kind = HTZ_SMF_BAD_TEMPO, .fault_at = type_at, .fault = "has a tempo of fewer than 3 bytes"};
  }
  const uint32_t tempo = (uint32_t)data[0] << 16 | (uint32_t)data[1] << 8 | data[2]; // big-endian
  if (tempo == 0) {
    return (htz_smf_raw){.kind = HTZ_SMF_BAD_TEMPO, .fault_at = type_at, .fault = "has a tempo of zero"};
  }
  return (htz_smf_raw){.kind = HTZ_SMF_TEMPO, .tempo = tempo, .irregular = length > tempo_bytes};
}

/* System messages have no place in a file outside an escape, but their lengths are known. */
static htz_smf_raw skip_system(size_t* at, size_t end, uint8_t status) {
  if (status == undefined_f4 || status == undefined_f5) {
    return fault(*at - 1, "has an undefined status byte");
  }
  const size_t count = status == song_position ? 2 : status == time_code || status == song_select ? 1 : 0;
  if (end - *at < count) {
    return fault(end, cut_off);
  }
  *at += count;
  return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED, .irregular = true};
}

static htz_smf_raw read_event(const uint8_t* bytes, size_t* at, htz_smf_cursor* next) {
  if (*at >= next->end) {
    return fault(next->end, cut_off);
  }
  const uint8_t first = bytes[*at];
  if (first < status_bit) {
    if (next->running == 0) {
      return fault(*at, "has data without a status byte");
    }
    // Some writers let running status outlive meta events: the meaning is clear.
    htz_smf_raw raw = read_channel(bytes, at, next->end, next->running);
    raw.irregular = next->cancelled;
    next->cancelled = false;
    return raw;
  }
  ++*at;
  if (first < sysex) {
    next->running = first;
    next->cancelled = false;
    return read_channel(bytes, at, next->end, first);
  }
  if (first == meta) {
    next->cancelled = true;
    return read_meta(bytes, at, next->end);
  }
  if (first != sysex && first != escape) {
    return skip_system(at, next->end, first);
  }
  next->cancelled = true;
  uint32_t length = 0;
  const char* wrong = read_quantity(bytes, at, next->end, &length);
  if (wrong || length > next->end - *at) {
    return fault(wrong ? *at : next->end, wrong ? wrong : cut_off);
  }
  const bool reset = first == escape && length == 1 && bytes[*at] == HTZ_MIDI_RESET;
  *at += length;
  if (reset) {
    return (htz_smf_raw){.kind = HTZ_SMF_CHANNEL, .status = HTZ_MIDI_RESET, .length = 1};
  }
  return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED};
}

htz_smf_raw htz_smf_walk(const uint8_t* bytes, htz_smf_cursor* cursor) {
  if (cursor->at >= cursor->end) {
    return (htz_smf_raw){.kind = HTZ_SMF_EXHAUSTED};
  }
  htz_smf_cursor next = *cursor;
  uint32_t delta = 0;
  const char* wrong = read_quantity(bytes, &next.at, next.end, &delta);
  if (wrong) {
    return fault(next.at, wrong);
  }
  const htz_smf_raw raw = read_event(bytes, &next.at, &next);
  if (raw.kind != HTZ_SMF_FAULT) {
    next.tick += delta; // at most 2^28 for every two bytes: cannot overflow
    *cursor = next;
  }
  return raw;
}
