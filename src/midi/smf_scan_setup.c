#include "smf_private.h"

#include <stdlib.h>
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

  piece_most = 3, // of an event that breaks off [byte]
  bytes_said = 3, // at the end of the file; fewer are an end of line or of text [byte]

  printable_low = 0x20,
  printable_high = 0x7E,
};

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

/* Whether a chunk may begin at `at`, or the data ends there: but for a byte that pads to an even length. */
static bool is_border(const uint8_t* bytes, size_t at, size_t size) {
  if (size - at < chunk_header) {
    return size - at <= 1;
  }
  return is_named(bytes + at, "MTrk") ||
         (has_plausible_name(bytes + at) && read_big(bytes + at + letters, letters) <= size - at - chunk_header);
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

/* Offset of the next song's header at or after `from`, or `size`. */
static size_t find_header(const uint8_t* bytes, size_t from, size_t size) {
  static const uint8_t start[] = {'M', 'T', 'h', 'd', 0, 0, 0}; // of any header of less than 256 bytes
  while (size - from >= chunk_header + header_payload) {
    const uint8_t* found = memchr(bytes + from, 'M', size - from - (chunk_header + header_payload) + 1);
    if (!found) {
      break;
    }
    if (memcmp(found, start, sizeof start) == 0 && found[sizeof start] >= header_payload) {
      return (size_t)(found - bytes);
    }
    from = (size_t)(found - bytes) + 1;
  }
  return size;
}

/* Find where the song begins and ends: in a RIFF file, behind bytes that do not belong to it, as a rule at once. */
static htz_status find_song(htz_smf* smf, size_t* at, size_t* size, htz_smf_diag* diag) {
  const uint8_t* bytes = smf->bytes;
  htz_status status = HTZ_OK;
  if (smf->size >= letters && is_named(bytes, "RIFF")) {
    status = unwrap_riff(smf, at, size, diag);
  }
  const size_t begin = *at;
  if (!status && *size - begin >= letters && is_named(bytes + begin, "MThd")) {
    return HTZ_OK;
  }
  const size_t found = find_header(bytes, 0, smf->size);
  if (found == smf->size) {
    return status ? status : refuse_magic(bytes, *size, begin, diag);
  }
  *at = found;
  *size = smf->size;
  smf->info.damage = 0; // of the wrapping that is not one
  htz_smf_damage(smf, diag, 0, "%zu byte%s before the song's header, stepped over", found, found == 1 ? "" : "s");
  return HTZ_OK;
}

/* Read the header chunk at `*at` and move on to the chunk after it. */
static htz_status read_header(htz_smf* smf, size_t* at, size_t size, htz_smf_diag* diag) {
  const uint8_t* header = smf->bytes + *at;
  if (size - *at < chunk_header + header_payload) {
    return htz_smf_refuse(diag, *at, "byte %zu: the file ends inside its header", size);
  }
  size_t length = read_big(header + letters, letters);
  if (length < header_payload) {
    return htz_smf_refuse(diag, *at + letters, "byte %zu: a header of %zu bytes, at least 6 are needed", *at + letters, length);
  }
  const size_t room = size - *at - chunk_header;
  if (length > room) {
    htz_smf_damage(smf, diag, *at + letters, "the header declares %zu bytes, more than the file has", length);
    length = header_payload;
  } else if (length > header_payload && !is_border(smf->bytes, *at + chunk_header + length, size) &&
             find_track(smf->bytes, *at, size) == *at + chunk_header + header_payload) {
    htz_smf_damage(smf, diag, *at + letters, "the header declares %zu bytes, but a track begins after 6", length);
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

static bool any_set(const uint8_t* bytes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (bytes[i]) {
      return true;
    }
  }
  return false;
}

/* Whether what follows a track that breaks off at `end` clearly belongs to it: the rest of an event, or one with a status byte. */
static bool clearly_goes_on(const htz_smf* smf, const htz_smf_weights* weights, size_t end, size_t size) {
  htz_smf_cursor cursor = {.at = end, .end = size};
  htz_smf_reading strictly = {0};
  return !weights->ended && (weights->fault_at < end || htz_smf_read(smf->bytes, &cursor, &strictly).kind != HTZ_SMF_FAULT);
}

/*
   Exchange `weights` for those of the track up to `end`, where they are better: they reach End of Track there, or where that will do
   (`whole` is not set) they lose less.
*/
static htz_status try_end(htz_smf* smf, size_t end, bool whole, htz_smf_weights* weights, bool* taken) {
  htz_smf_weights other;
  htz_status status = htz_smf_weigh(smf, weights->begin, end, &other);
  if (!status && end < weights->end) {
    status = htz_smf_resync(smf, &other);
  }
  // Less is lost where fewer bytes are left, or where it is longer, where more can be read.
  const bool better =
      end < weights->end ? end - other.reach < weights->end - weights->reach : other.reach > weights->end + piece_most;
  *taken = !status && (other.whole || (!whole && better));
  if (*taken) {
    const htz_smf_weights was = *weights;
    *weights = other;
    other = was;
  }
  free(other.costs);
  return status;
}

/*
   Weigh the track of `declared` bytes at `begin`. Where that length cannot be right, it ends where the next track begins, or
   the file.
*/
static htz_status find_end(htz_smf* smf, size_t begin, size_t declared, size_t size, htz_smf_weights* weights,
                           htz_smf_diag* diag) {
  const bool clamped = declared > size - begin;
  const size_t wall = find_track(smf->bytes, begin, size);
  size_t end = clamped ? wall : begin + declared;
  if (wall < end) {
    smf->overlapped += end - wall;
    end = smf->overlapped > 2 * size + HTZ_SMF_WEIGH_SONG ? wall : end; // many tracks that all reach over the others
  }
  const size_t number = smf->track_count + 1;
  bool taken = false;
  htz_status status = htz_smf_weigh(smf, begin, end, weights);
  if (!status && end <= wall) {
    status = htz_smf_resync(smf, weights);
  }
  if (status || clamped || weights->whole) {
    return status;
  }
  // A length that is too great would swallow the tracks after this one.
  if (wall < end) {
    const bool next_is_there = weights->ended && weights->reach == wall;
    status = try_end(smf, wall, false, weights, &taken);
    if (taken && !next_is_there) {
      htz_smf_damage(smf, diag, begin - letters, "track %zu declares %zu bytes, but the next begins after %zu", number,
                     declared, wall - begin);
    } else if (taken) {
      ++smf->info.irregular;
    }
  }
  if (!status && !taken && !is_border(smf->bytes, end, size)) {
    const bool whole = !clearly_goes_on(smf, weights, end, size);
    status = try_end(smf, find_track(smf->bytes, end, size), whole, weights, &taken);
    if (taken) {
      htz_smf_damage(smf, diag, begin - letters, "track %zu declares %zu bytes, but goes on after them, played", number,
                     declared);
    }
  }
  return status;
}

/* The chunk at `at` is a track: read it and find where the next chunk begins. */
static htz_status take_track(htz_smf* smf, size_t* at, size_t size, size_t* events, htz_smf_diag* diag) {
  const size_t declared = read_big(smf->bytes + *at + letters, letters);
  const size_t begin = *at + chunk_header;
  const size_t room = size - begin;
  const bool clamped = declared > room;
  htz_smf_weights weights = {0};
  htz_smf_taken taken = {0};
  if (clamped) {
    htz_smf_damage(smf, diag, *at + letters, "track %zu declares %zu bytes, only %zu are there", smf->track_count + 1, declared,
                   room);
  }
  htz_status status = find_end(smf, begin, declared, size, &weights, diag);
  if (!status) {
    status = htz_smf_take_events(smf, &weights, clamped, &taken, diag);
  }
  free(weights.costs);
  if (status) {
    return status;
  }
  *events += taken.events;
  const size_t valid_end = smf->tracks[smf->track_count - 1].end;
  *at = weights.end;
  if (clamped || weights.end > begin + declared) {
    *at = find_track(smf->bytes, valid_end, size);
  } else if (taken.ended && valid_end < *at) {
    if (taken.nothing_after || !any_set(smf->bytes + valid_end, *at - valid_end)) {
      ++smf->info.irregular;
    } else {
      htz_smf_damage(smf, diag, valid_end, "track %zu has %zu bytes after its End of Track, left out", smf->track_count,
                     *at - valid_end);
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
  // A single byte pads to an even length; at the end a chunk that is not ours may break off, and zeros fill up a block.
  const bool said = next < size ? next - at > 1 : !has_plausible_name(smf->bytes + at) && any_set(smf->bytes + at, next - at);
  if (said) {
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
  status = find_song(smf, &at, &size, diag);
  if (!status) {
    status = read_header(smf, &at, size, diag);
  }
  if (!status && smf->info.format != 2) {
    status = htz_smf_add_tempo(smf, 0, HTZ_SMF_USUAL_TEMPO, 0);
  }
  const size_t tracks_at = at;
  while (!status && size - at >= chunk_header) {
    const bool header = is_named(smf->bytes + at, "MThd") && find_header(smf->bytes, at, size) == at;
    if (header && smf->track_count >= smf->info.declared_tracks) {
      htz_smf_damage(smf, diag, at, "another song begins there, left out");
      break;
    }
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
  if (size - at < chunk_header && size - at >= bytes_said && any_set(smf->bytes + at, size - at)) {
    htz_smf_damage(smf, diag, at, "%zu bytes that are no chunk, skipped", size - at);
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
