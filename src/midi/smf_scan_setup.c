#include "smf_private.h"

#include <string.h>

enum {
  chunk_header = 8,       // four letters and a length
  header_payload = 6,     // format, tracks, division
  riff_header = 12,       // "RIFF", length, "RMID"
  letters = 4,            // of a chunk's name
  microseconds = 1000000, // per second

  smpte_bit = 0x8000,
  byte_mask = 0xFF,
  byte_values = 256,

  printable_low = 0x20,
  printable_high = 0x7E,
};

static const uint32_t default_tempo = 500000; // [us per quarter] until a file says otherwise: 120 beats per minute

static uint32_t read_big(const uint8_t* bytes, int count) {
  uint32_t value = 0;
  for (int i = 0; i < count; ++i) {
    value = value << 8 | bytes[i];
  }
  return value;
}

static uint32_t read_little32(const uint8_t* bytes) {
  return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static bool is_named(const uint8_t* bytes, const char* name) {
  return memcmp(bytes, name, letters) == 0;
}

static bool has_plausible_name(const uint8_t* bytes) {
  for (int i = 0; i < letters; ++i) {
    if (bytes[i] < printable_low || bytes[i] > printable_high) {
      return false;
    }
  }
  return true;
}

/* Offset of the next track's name at or after `from`, or `size`. */
static size_t find_track(const uint8_t* bytes, size_t from, size_t size) {
  while (size - from >= chunk_header) {
    const uint8_t* found = memchr(bytes + from, 'M', size - from - chunk_header + 1);
    if (!found) {
      break;
    }
    if (is_named(found, "MTrk")) {
      return (size_t)(found - bytes);
    }
    from = (size_t)(found - bytes) + 1;
  }
  return size;
}

/* Write `count` bytes of a file so that they cannot disturb a terminal. */
static void quote(char* out, size_t room, const uint8_t* bytes, size_t count) {
  size_t used = 0;
  for (size_t i = 0; i < count && used + sizeof "\\xNN" <= room; ++i) {
    const bool plain = bytes[i] >= printable_low && bytes[i] <= printable_high && bytes[i] != '"' && bytes[i] != '\\';
    used += (size_t)snprintf(out + used, room - used, plain ? "%c" : "\\x%02X", bytes[i]);
  }
}

static htz_status refuse_magic(const uint8_t* bytes, size_t size, size_t at, htz_smf_diag* diag) {
  char start[letters * sizeof "\\xNN"] = "";
  const size_t count = size - at < letters ? size - at : letters;
  quote(start, sizeof start, bytes + at, count);
  return htz_smf_refuse(diag, at, "not a Standard MIDI File (%s \"%s\")", at ? "holds" : "starts with", start);
}

/* Find the song inside a RIFF file: `*at` and `*size` become the bounds of its data chunk. */
static htz_status unwrap_riff(htz_smf* smf, size_t* at, size_t* size, htz_smf_diag* diag) {
  if (smf->size < riff_header || !is_named(smf->bytes + chunk_header, "RMID")) {
    return refuse_magic(smf->bytes, smf->size, smf->size < chunk_header ? 0 : chunk_header, diag);
  }
  size_t from = riff_header;
  while (smf->size - from >= chunk_header) {
    const uint8_t* chunk = smf->bytes + from;
    const size_t length = read_little32(chunk + letters);
    const size_t room = smf->size - from - chunk_header;
    if (is_named(chunk, "data")) {
      if (length > room) {
        htz_smf_damage(smf, diag, from, "the RIFF data chunk declares %zu bytes, only %zu are there", length, room);
      }
      *at = from + chunk_header;
      *size = *at + (length < room ? length : room);
      return HTZ_OK;
    }
    if (length >= room) {
      break;
    }
    from += chunk_header + length + (length & 1); // chunks are padded to even lengths
    from = from < smf->size ? from : smf->size;
  }
  return htz_smf_refuse(diag, from, "RIFF file without a MIDI data chunk");
}

static htz_status set_division(htz_smf* smf, size_t at, htz_smf_diag* diag) {
  const unsigned division = read_big(smf->bytes + at, 2);
  const unsigned ticks = division & byte_mask; // per SMPTE frame
  if (division == 0 || (division & smpte_bit && ticks == 0)) {
    return htz_smf_refuse(diag, at, "byte %zu: the time division is 0", at);
  }
  if (!(division & smpte_bit)) {
    smf->info.units_per_second = (uint64_t)division * microseconds;
    return HTZ_OK;
  }
  const unsigned rate = byte_values - (division >> 8); // the high byte is its negative
  smf->smpte = true;
  smf->smpte_per_tick = 1;
  switch (rate) {
  case 24:
  case 25:
  case 30:
    smf->info.units_per_second = (uint64_t)rate * ticks;
    return HTZ_OK;
  case 29: // drop frame: 30000/1001 frames per second
    smf->info.units_per_second = UINT64_C(30000) * ticks;
    smf->smpte_per_tick = 1001;
    return HTZ_OK;
  default:
    return htz_smf_refuse(diag, at, "byte %zu: SMPTE frame rate %u is none of 24, 25, 29, 30", at, rate);
  }
}

/* Read the header chunk at `*at` and move on to the chunk after it. */
static htz_status read_header(htz_smf* smf, size_t* at, size_t size, htz_smf_diag* diag) {
  const uint8_t* header = smf->bytes + *at;
  if (size - *at < letters || !is_named(header, "MThd")) {
    return refuse_magic(smf->bytes, size, *at, diag);
  }
  if (size - *at < chunk_header + header_payload) {
    return htz_smf_refuse(diag, *at, "byte %zu: the file ends inside its header", size);
  }
  size_t length = read_big(header + letters, letters);
  if (length < header_payload) {
    return htz_smf_refuse(diag, *at + letters, "byte %zu: a header of %zu bytes, at least 6 are needed", *at + letters, length);
  }
  if (length > size - *at - chunk_header) {
    htz_smf_damage(smf, diag, *at + letters, "the header declares %zu bytes, more than the file has", length);
    length = header_payload;
  }
  smf->info.format = read_big(header + chunk_header, 2);
  smf->info.declared_tracks = read_big(header + chunk_header + 2, 2);
  if (smf->info.format > 2) {
    htz_smf_damage(smf, diag, *at + chunk_header, "unknown format %u, played as format 1", smf->info.format);
    smf->info.format = 1;
  }
  const htz_status status = set_division(smf, *at + chunk_header + 4, diag);
  *at += chunk_header + length;
  return status;
}

static htz_status add_tempo(htz_smf* smf, uint64_t tick, uint32_t tempo, size_t first) {
  htz_smf_tempo* last = smf->tempo_count > first ? &smf->tempos[smf->tempo_count - 1] : NULL;
  if (last && last->tick == tick) {
    last->per_tick = tempo;
    return HTZ_OK;
  }
  htz_smf_tempo* grown = htz_smf_grow(smf->tempos, &smf->tempo_room, smf->tempo_count, sizeof *grown);
  if (!grown) {
    return HTZ_NO_MEMORY;
  }
  smf->tempos = grown;
  smf->tempos[smf->tempo_count++] = (htz_smf_tempo){.tick = tick, .per_tick = tempo};
  return HTZ_OK;
}

typedef struct {
  bool clamped;  // ends where the data ends, said already
  size_t events; // valid ones, of any kind
  bool ended;    // by End of Track
} track_facts;

/* Walk one track, find how far it is valid and take its tempos. */
static htz_status read_track(htz_smf* smf, size_t begin, size_t end, track_facts* facts, htz_smf_diag* diag) {
  htz_smf_track* grown = htz_smf_grow(smf->tracks, &smf->track_room, smf->track_count, sizeof *grown);
  if (!grown) {
    return HTZ_NO_MEMORY;
  }
  smf->tracks = grown;
  const size_t number = smf->track_count + 1; // for people
  const size_t first_tempo = smf->tempo_count;
  htz_smf_cursor cursor = {.at = begin, .end = end};
  htz_status status = smf->info.format == 2 ? add_tempo(smf, 0, default_tempo, first_tempo) : HTZ_OK;
  bool more = true;
  while (more && !status) {
    const htz_smf_raw raw = htz_smf_walk(smf->bytes, &cursor);
    smf->info.irregular += raw.irregular ? 1 : 0;
    switch (raw.kind) {
    case HTZ_SMF_EXHAUSTED:
    case HTZ_SMF_FAULT:
      more = false;
      if (raw.fault && !(facts->clamped && raw.fault_at == end)) {
        htz_smf_damage(smf, diag, raw.fault_at, "track %zu %s; the rest of it is lost", number, raw.fault);
      } else if (!raw.fault) {
        ++smf->info.irregular; // no End of Track
      }
      break;
    case HTZ_SMF_TRACK_END:
      more = false;
      facts->ended = true;
      break;
    case HTZ_SMF_BAD_TEMPO:
      htz_smf_damage(smf, diag, raw.fault_at, "track %zu %s, ignored", number, raw.fault);
      break;
    case HTZ_SMF_TEMPO:
      status = smf->smpte ? HTZ_OK : add_tempo(smf, cursor.tick, raw.tempo, first_tempo);
      break;
    default:
      break;
    }
    facts->events += raw.kind == HTZ_SMF_EXHAUSTED || raw.kind == HTZ_SMF_FAULT ? 0 : 1;
  }
  smf->tracks[smf->track_count++] = (htz_smf_track){.begin = begin, .end = cursor.at, .end_tick = cursor.tick};
  return status;
}

/* The chunk at `at` is a track: read it and find where the next chunk begins. */
static htz_status take_track(htz_smf* smf, size_t* at, size_t size, size_t* events, htz_smf_diag* diag) {
  const size_t declared = read_big(smf->bytes + *at + letters, letters);
  const size_t begin = *at + chunk_header;
  const size_t room = size - begin;
  const size_t length = declared < room ? declared : room;
  track_facts facts = {.clamped = declared > room};
  if (facts.clamped) {
    htz_smf_damage(smf, diag, *at + letters, "track %zu declares %zu bytes, only %zu are there", smf->track_count + 1, declared,
                   room);
  }
  const htz_status status = read_track(smf, begin, begin + length, &facts, diag);
  if (status) {
    return status;
  }
  *events += facts.events;
  const size_t valid_end = smf->tracks[smf->track_count - 1].end;
  *at = begin + length;
  if (facts.clamped) {
    *at = find_track(smf->bytes, valid_end, size);
  } else if (facts.ended && valid_end < *at) {
    ++smf->info.irregular;
    // A length that is too great would swallow the tracks after this one.
    if (*at - valid_end >= letters && is_named(smf->bytes + valid_end, "MTrk")) {
      *at = valid_end;
    }
  }
  return HTZ_OK;
}

/* Where to go on after something at `at` that is no track. */
static size_t pass_foreign(htz_smf* smf, size_t at, size_t size, htz_smf_diag* diag) {
  const size_t length = read_big(smf->bytes + at + letters, letters);
  const size_t room = size - at - chunk_header;
  if (has_plausible_name(smf->bytes + at) && length <= room) {
    return at + chunk_header + length;
  }
  const size_t next = find_track(smf->bytes, at, size);
  if (next < size && next - at > 1) { // a single byte pads to an even length
    htz_smf_damage(smf, diag, at, "%zu bytes that are no chunk, skipped", next - at);
  }
  return next;
}

htz_status htz_smf_scan(htz_smf* smf, htz_smf_diag* diag) {
  size_t at = 0;
  size_t size = smf->size;
  size_t events = 0;
  htz_status status = HTZ_OK;
  if (size == 0) {
    return htz_smf_refuse(diag, 0, "not a Standard MIDI File (empty)");
  }
  if (size >= letters && is_named(smf->bytes, "RIFF")) {
    status = unwrap_riff(smf, &at, &size, diag);
  }
  if (!status) {
    status = read_header(smf, &at, size, diag);
  }
  if (!status && smf->info.format != 2) {
    status = add_tempo(smf, 0, default_tempo, 0);
  }
  const size_t tracks_at = at;
  while (!status && size - at >= chunk_header) {
    if (!is_named(smf->bytes + at, "MTrk")) {
      at = pass_foreign(smf, at, size, diag);
    } else if (smf->track_count == HTZ_SMF_MAX_TRACKS) {
      htz_smf_damage(smf, diag, at, "more than %d tracks, the rest is ignored", HTZ_SMF_MAX_TRACKS);
      break;
    } else {
      status = take_track(smf, &at, size, &events, diag);
    }
  }
  if (status) {
    return status;
  }
  smf->info.tracks = (unsigned)smf->track_count;
  if (smf->track_count == 0) {
    return htz_smf_refuse(diag, tracks_at, "byte %zu: no track in the file", tracks_at);
  }
  if (events == 0) {
    return htz_smf_refuse(diag, tracks_at, "byte %zu: no valid event in any track", tracks_at);
  }
  if (smf->track_count != smf->info.declared_tracks) {
    htz_smf_damage(smf, diag, tracks_at, "the header declares %u tracks, the file has %u", smf->info.declared_tracks,
                   smf->info.tracks);
  }
  return HTZ_OK;
}
