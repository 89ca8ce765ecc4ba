#include "smf_private.h"

#include "hertzian/midi/bytes.h"
#include "hertzian/midi/sysex.h"

enum {
  status_bit = 0x80,
  more_bit = 0x80, // in a variable-length quantity: another byte follows
  value_bits = 7,
  quantity_bytes = 4,            // longest variable-length quantity the standard allows
  quantity_bytes_read = 8,       // longest that is read; the bytes more than four only lead with zeros
  quantity_most = (1 << 28) - 1, // greatest, also in a longer one

  sysex = 0xF0,
  time_code = 0xF1,
  song_position = 0xF2,
  song_select = 0xF3,
  undefined_f4 = 0xF4,
  undefined_f5 = 0xF5,
  escape = 0xF7, // system exclusive continuation, or any bytes; ends system exclusive outside of files
  undefined_f9 = 0xF9,
  undefined_fd = 0xFD,
  meta = 0xFF,

  meta_end_of_track = 0x2F,
  meta_tempo = 0x51,
  meta_private = 0x7F,
  tempo_bytes = 3,
  data_most = 0x7F,
};

static const char cut_off[] = "breaks off inside an event"; // reported where the track ends
static const char long_number[] = "has a number of more than 4 bytes";

static htz_smf_raw fault(size_t at, const char* what) {
  return (htz_smf_raw){.kind = HTZ_SMF_FAULT, .fault_at = at, .fault = what};
}

/* First decision that is not before the place `at`. */
static size_t first_repair(const htz_smf_reading* reading, size_t at) {
  size_t low = 0;
  size_t high = reading->n_mends;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (reading->mends[middle].at < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* How the place `at` is read, of the ways in `apply` (bit w: way w). One place may be the end of an event and begin another. */
static htz_smf_way way_at(htz_smf_reading* reading, size_t at, unsigned apply) {
  if (reading->way) {
    if (!(apply >> reading->way & 1U)) {
      return HTZ_SMF_STRICTLY;
    }
    if (reading->n_used < HTZ_SMF_EVENT_MENDS) {
      reading->used[reading->n_used++] = (htz_smf_repair){.at = at, .way = reading->way};
    }
    return reading->way;
  }
  for (size_t i = first_repair(reading, at); i < reading->n_mends && reading->mends[i].at == at; ++i) {
    if (apply >> reading->mends[i].way & 1U) {
      return reading->mends[i].way;
    }
  }
  return HTZ_SMF_STRICTLY;
}

/* Read a variable-length quantity at `*at`. @return NULL, or what is wrong */
static const char* read_quantity(const uint8_t* bytes, size_t* at, size_t end, htz_smf_reading* reading, uint32_t* out) {
  const size_t begin = *at;
  uint32_t value = 0;
  for (size_t i = 0; *at < end; ++i) {
    const bool too_long = i == quantity_bytes && way_at(reading, begin, 1U << HTZ_SMF_CLIP) != HTZ_SMF_CLIP;
    if (too_long || i == quantity_bytes_read || value > quantity_most >> value_bits) {
      return long_number;
    }
    const uint8_t byte = bytes[(*at)++];
    value = value << value_bits | (byte & (more_bit - 1U));
    if (!(byte & more_bit)) {
      *out = value;
      return NULL;
    }
  }
  return cut_off;
}

/* The delta time at `*at`, which may have been found to be missing, or to be shorter than it says. @return NULL, or what is wrong */
static const char* read_delta(const uint8_t* bytes, size_t* at, size_t end, htz_smf_reading* reading, uint32_t* out) {
  static const unsigned ways = 1U << HTZ_SMF_NO_DELTA | 1U << HTZ_SMF_DELTA_1 | 1U << HTZ_SMF_DELTA_2;
  const htz_smf_way way = way_at(reading, *at, ways);
  if (way == HTZ_SMF_STRICTLY) {
    return read_quantity(bytes, at, end, reading, out);
  }
  const size_t count = way == HTZ_SMF_NO_DELTA ? 0 : way == HTZ_SMF_DELTA_1 ? 1 : 2;
  if (count > end - *at) {
    return cut_off;
  }
  *out = 0;
  for (size_t i = 0; i < count; ++i) {
    *out = *out << value_bits | (bytes[(*at)++] & (more_bit - 1U));
  }
  return NULL;
}

/* Data of a channel message. `clipped`: the first byte is 127, whatever stands there. */
static htz_smf_raw read_channel(const uint8_t* bytes, size_t* at, htz_smf_cursor* next, uint8_t status, bool clipped,
                                htz_smf_reading* reading) {
  enum { MOST = 2 };
  const size_t event_at = next->at;
  static const unsigned ways = 1U << HTZ_SMF_CLIP | 1U << HTZ_SMF_CUT | 1U << HTZ_SMF_CUT_DELTA;
  const unsigned count = htz_midi_data_length(status);
  uint8_t data[MOST] = {0};
  htz_smf_raw raw = {.kind = HTZ_SMF_CHANNEL, .status = status, .length = (uint8_t)(count + 1)};
  for (unsigned i = 0; i < count; ++i) {
    // Not where the event begins: what stands at its first byte is said of the one before.
    if (i == count - 1 && *at > event_at && way_at(reading, *at, 1U << HTZ_SMF_SHORT) == HTZ_SMF_SHORT) {
      return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED};
    }
    if (*at >= next->end) {
      return fault(next->end, cut_off);
    }
    data[i] = bytes[*at];
    if (i == 0 && clipped) {
      data[i] = data_most;
    } else if (data[i] & status_bit) {
      const htz_smf_way way = way_at(reading, *at, ways);
      if (way == HTZ_SMF_CUT || way == HTZ_SMF_CUT_DELTA) {
        next->bare = way == HTZ_SMF_CUT;
        return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED};
      }
      if (way != HTZ_SMF_CLIP) {
        htz_smf_raw high = fault(*at, "has a status byte where data belongs");
        high.high_data = true;
        return high;
      }
      data[i] = data_most;
    }
    ++*at;
  }
  raw.data1 = data[0];
  if (count > 1) {
    raw.data2 = data[1];
    htz_midi_normalise(&raw.status, &raw.data2);
  }
  return raw;
}

static htz_smf_raw read_meta(const uint8_t* bytes, size_t* at, htz_smf_cursor* next, htz_smf_reading* reading) {
  const size_t end = next->end;
  if (*at >= end) {
    return fault(end, cut_off);
  }
  const size_t type_at = *at;
  const uint8_t type = bytes[(*at)++];
  const size_t length_at = *at;
  uint32_t length = 0;
  const char* wrong = read_quantity(bytes, at, end, reading, &length);
  if (wrong) {
    return fault(*at, wrong); // a quantity that breaks off leaves `*at` at the end
  }
  if (length > end - *at) {
    return fault(end, cut_off);
  }
  const uint8_t* data = bytes + *at;
  *at += length;
  if (type == meta_end_of_track) {
    if (way_at(reading, type_at, 1U << HTZ_SMF_GO_ON) == HTZ_SMF_GO_ON) {
      next->running = 0;
      return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED};
    }
    return (htz_smf_raw){.kind = HTZ_SMF_TRACK_END, .irregular = length > 0};
  }
  if (type == meta_private && htz_smf_is_dial(data, length)) {
    return (htz_smf_raw){.kind = HTZ_SMF_DIAL, .dial_at = length_at};
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

/* System messages have no place in a file outside an escape, but their lengths are known; undefined ones have no data. */
static htz_smf_raw skip_system(size_t* at, size_t end, uint8_t status, htz_smf_reading* reading) {
  const bool undefined = status == undefined_f4 || status == undefined_f5 || status == undefined_f9 || status == undefined_fd;
  const size_t status_at = *at - 1;
  if (undefined && way_at(reading, status_at, 1U << HTZ_SMF_RAW) == HTZ_SMF_RAW && *at < end) {
    ++*at;
    return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED};
  }
  if (undefined) {
    return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED, .fault_at = status_at, .undefined = status, .doubtful = true};
  }
  const size_t count = status == song_position ? 2 : status == time_code || status == song_select ? 1 : 0;
  if (end - *at < count) {
    return fault(end, cut_off);
  }
  *at += count;
  return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED, .irregular = true};
}

/* System exclusive as it goes over a cable. @return false when that is not what stands there */
static bool skip_raw_sysex(const uint8_t* bytes, size_t* at, size_t end) {
  size_t to = *at;
  while (to < end && bytes[to] < status_bit) {
    ++to;
  }
  if (to >= end || bytes[to] != escape) {
    return false;
  }
  *at = to + 1;
  return true;
}

/* A whole message, as an event of its own or in an escape. */
static htz_smf_raw whole_sysex(const uint8_t* bytes, size_t length, uint8_t status) {
  htz_smf_raw raw = {.kind = HTZ_SMF_SKIPPED, .doubtful = status == sysex && (length == 0 || bytes[length - 1] != escape)};
  if (status == escape && length > 0 && bytes[0] == sysex) {
    ++bytes;
    --length;
  } else if (status == escape) {
    return raw;
  }
  if (length > 0 && bytes[length - 1] == escape && htz_sysex_count(bytes, length - 1) > 0) {
    raw.kind = HTZ_SMF_SYSEX;
    raw.sysex = bytes;
    raw.sysex_size = length - 1;
  }
  return raw;
}

static htz_smf_raw read_sysex(const uint8_t* bytes, size_t* at, htz_smf_cursor* next, uint8_t status,
                              htz_smf_reading* reading) {
  next->cancelled = true;
  if (status == sysex && way_at(reading, *at - 1, 1U << HTZ_SMF_RAW) == HTZ_SMF_RAW && skip_raw_sysex(bytes, at, next->end)) {
    return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED};
  }
  uint32_t length = 0;
  const char* wrong = read_quantity(bytes, at, next->end, reading, &length);
  if (wrong || length > next->end - *at) {
    htz_smf_raw raw = fault(wrong ? *at : next->end, wrong ? wrong : cut_off);
    raw.doubtful = status == sysex;
    return raw;
  }
  const bool reset = status == escape && length == 1 && bytes[*at] == HTZ_MIDI_RESET;
  *at += length;
  if (reset) {
    return (htz_smf_raw){.kind = HTZ_SMF_CHANNEL, .status = HTZ_MIDI_RESET, .length = 1};
  }
  return whole_sysex(bytes + *at - length, length, status);
}

static htz_smf_raw read_event(const uint8_t* bytes, size_t* at, htz_smf_cursor* next, htz_smf_reading* reading) {
  if (*at >= next->end) {
    return fault(next->end, cut_off);
  }
  const uint8_t first = bytes[*at];
  const bool data = first >= status_bit && next->running && way_at(reading, *at, 1U << HTZ_SMF_DATA) == HTZ_SMF_DATA;
  if (first < status_bit || data) {
    if (next->running == 0) {
      return fault(*at, "has data without a status byte");
    }
    // Some writers let running status outlive meta events: the meaning is clear.
    htz_smf_raw raw = read_channel(bytes, at, next, next->running, data, reading);
    raw.irregular = next->cancelled;
    next->cancelled = false;
    return raw;
  }
  ++*at;
  if (first < sysex) {
    next->running = first;
    next->cancelled = false;
    return read_channel(bytes, at, next, first, false, reading);
  }
  if (first == meta) {
    next->cancelled = true;
    return read_meta(bytes, at, next, reading);
  }
  if (first == sysex || first == escape) {
    return read_sysex(bytes, at, next, first, reading);
  }
  return skip_system(at, next->end, first, reading);
}

htz_smf_raw htz_smf_read(const uint8_t* bytes, htz_smf_cursor* cursor, htz_smf_reading* reading) {
  reading->n_used = 0;
  if (cursor->at >= cursor->end) {
    return (htz_smf_raw){.kind = HTZ_SMF_EXHAUSTED};
  }
  if (way_at(reading, cursor->at, 1U << HTZ_SMF_SKIP) == HTZ_SMF_SKIP) {
    ++cursor->at;
    cursor->bare = false;
    cursor->skipping = true;
    return (htz_smf_raw){.kind = HTZ_SMF_SKIPPED};
  }
  htz_smf_cursor next = *cursor;
  uint32_t delta = 0;
  next.bare = false;
  next.skipping = false;
  size_t at = cursor->at;
  if (!cursor->bare) {
    const char* wrong = read_delta(bytes, &at, next.end, reading, &delta);
    if (wrong) {
      return fault(at, wrong);
    }
  }
  const htz_smf_raw raw = read_event(bytes, &at, &next, reading);
  if (raw.kind != HTZ_SMF_FAULT) {
    next.at = at;
    next.tick += delta; // at most 2^28 for every two bytes: cannot overflow
    *cursor = next;
  }
  return raw;
}

htz_smf_raw htz_smf_walk(const htz_smf* smf, htz_smf_cursor* cursor) {
  htz_smf_reading reading = {.mends = smf->mends, .n_mends = smf->repair_count};
  return htz_smf_read(smf->bytes, cursor, &reading);
}
