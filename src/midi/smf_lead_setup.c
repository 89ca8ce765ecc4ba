#include "smf_private.h"
#include "smf_write_private.h"

#include "hertzian/midi/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  META = 0xFF,
  TEXT = 0x01,
  MARKER = 0x06,
  PRIVATE = 0x7F,
  TEMPO = 0x51,
  SYSEX = 0xF0,
  ESCAPE = 0xF7,
  NUMBER = 4,                       // bytes of the longest variable-length quantity
  TEXT_MOST = HTZ_SMF_PENDING - 16, // what fits beside its wait, and its own head
};

const uint8_t htz_smf_lead_name[5] = {0x7D, 'H', 'T', 'Z', 'L'};
static const uint8_t dial_name[5] = {0x7D, 'H', 'T', 'Z', 'P'};

enum { DIAL_HEAD = sizeof dial_name + 1 }; // and the version of the words

static const uint32_t number_max = HTZ_SMF_DELTA_MAX;

static htz_status result(const htz_smf_writer* writer) {
  errno = writer->error;
  return writer->error ? HTZ_IO : HTZ_OK;
}

// `before` stands in front of the text.
static htz_status put_text(htz_smf_writer* writer, uint64_t frame, uint8_t kind, const uint8_t* before, size_t n_before,
                           const char* text) {
  const size_t length = strlen(text);
  uint8_t head[2 + NUMBER] = {META, kind};
  if (length + n_before > TEXT_MOST) {
    return HTZ_BAD_VALUE;
  }
  htz_smf_write_all(writer);
  htz_smf_put_delta(writer, frame);
  htz_smf_put_bytes(writer, head, 2 + htz_smf_put_number(head + 2, (uint32_t)(n_before + length)));
  htz_smf_put_bytes(writer, before, n_before);
  htz_smf_put_bytes(writer, (const uint8_t*)text, length);
  htz_smf_write_all(writer);
  return result(writer);
}

htz_status htz_smf_writer_text(htz_smf_writer* writer, const char* text) {
  return put_text(writer, writer->last, TEXT, (const uint8_t*)"", 0, text);
}

htz_status htz_smf_writer_marker(htz_smf_writer* writer, uint64_t frame, const char* text) {
  return put_text(writer, frame, MARKER, (const uint8_t*)"", 0, text);
}

htz_status htz_smf_writer_dial(htz_smf_writer* writer, uint64_t frame, const char* text) {
  uint8_t before[DIAL_HEAD];
  memcpy(before, dial_name, sizeof dial_name);
  before[sizeof dial_name] = HTZ_SMF_DIAL_VERSION;
  return put_text(writer, frame, PRIVATE, before, sizeof before, text);
}

bool htz_smf_is_dial(const uint8_t* bytes, size_t size) {
  return size >= DIAL_HEAD && memcmp(bytes, dial_name, sizeof dial_name) == 0;
}

uint64_t htz_smf_writer_place(const htz_smf_writer* writer) {
  return (uint64_t)writer->end + writer->fill;
}

int htz_smf_writer_descriptor(const htz_smf_writer* writer) {
  return writer->fd;
}

static void put_long(uint8_t* out, uint64_t value) {
  for (int i = 7; i >= 0; i--, value >>= 8) {
    out[i] = (uint8_t)value;
  }
}

static uint64_t get_long(const uint8_t* bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) {
    value = value << 8 | bytes[i];
  }
  return value;
}

// @return bytes copied from `from` to `to` of the other file
static uint64_t copy(htz_smf_writer* writer, const htz_smf_writer* source, uint64_t from, uint64_t size, off_t to) {
  uint8_t block[HTZ_SMF_PENDING];
  uint64_t done = 0;
  while (done < size) {
    const size_t wanted = size - done < sizeof block ? (size_t)(size - done) : sizeof block;
    const ssize_t got = pread(source->fd, block, wanted, (off_t)(from + done));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0 || !htz_smf_write_at(writer, block, (size_t)got, to + (off_t)done)) {
      break;
    }
    done += (uint64_t)got;
  }
  return done;
}

htz_status htz_smf_writer_lead(htz_smf_writer* writer, htz_smf_writer* source, uint64_t from, uint64_t to, uint64_t last,
                               uint64_t first) {
  const uint64_t size = to - from;
  uint8_t head[3 + NUMBER + HTZ_SMF_LEAD_HEAD] = {0, META, PRIVATE};
  if (size > number_max - HTZ_SMF_LEAD_HEAD) {
    return HTZ_FULL;
  }
  htz_smf_write_all(source);
  htz_smf_write_all(writer);
  size_t used = 3 + htz_smf_put_number(head + 3, (uint32_t)(HTZ_SMF_LEAD_HEAD + size));
  memcpy(head + used, htz_smf_lead_name, sizeof htz_smf_lead_name);
  put_long(head + used + 5, first);
  put_long(head + used + 13, last);
  used += HTZ_SMF_LEAD_HEAD;
  const off_t begin = writer->end + (off_t)used;
  // The head last: until then the song is what it was.
  if (copy(writer, source, from, size, begin) == size && htz_smf_write_at(writer, head, used, writer->end)) {
    writer->end = begin + (off_t)size;
  }
  htz_smf_write_all(writer);
  return result(writer);
}

/** A place in a track of our own. */
typedef struct {
  const uint8_t* bytes;
  size_t at, end;
} place;

static bool read_number(place* p, uint32_t* out) {
  *out = 0;
  for (int i = 0; i < NUMBER && p->at < p->end; i++) {
    const uint8_t byte = p->bytes[p->at++];
    *out = *out << 7 | (byte & 0x7F);
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

htz_smf_dial htz_smf_dial_at(const htz_smf* smf, uint32_t value) {
  place p = {smf->bytes, value, smf->size};
  uint32_t length = 0;
  if (!read_number(&p, &length) || length > p.end - p.at || !htz_smf_is_dial(p.bytes + p.at, length)) {
    return (htz_smf_dial){.text = ""}; // none of this song's
  }
  const uint8_t* bytes = p.bytes + p.at;
  return (htz_smf_dial){bytes[DIAL_HEAD - 1], (const char*)bytes + DIAL_HEAD, length - DIAL_HEAD};
}

/** An event at tick 0. */
typedef struct {
  size_t begin, body, end; // from its wait, what it holds, behind it
  uint8_t status, type;
} event;

static bool read_event(place* p, event* out) {
  uint32_t wait = 0, length = 0;
  out->begin = p->at;
  if (!read_number(p, &wait) || wait > 0 || p->at >= p->end) {
    return false;
  }
  out->status = p->bytes[p->at++];
  out->type = 0;
  if (out->status == META && p->at < p->end) {
    out->type = p->bytes[p->at++];
  }
  if (out->status == META || out->status == SYSEX || out->status == ESCAPE) {
    if (!read_number(p, &length)) {
      return false;
    }
  } else if (out->status >= HTZ_MIDI_NOTE_OFF && out->status < SYSEX) {
    length = htz_midi_data_length(out->status);
  } else {
    return false; // none of ours
  }
  out->body = p->at;
  out->end = p->at + length;
  p->at = out->end;
  return length <= p->end - out->body;
}

static bool is_lead(const uint8_t* bytes, const event* e) {
  return e->status == META && e->type == PRIVATE && e->end - e->body >= HTZ_SMF_LEAD_HEAD &&
         memcmp(bytes + e->body, htz_smf_lead_name, sizeof htz_smf_lead_name) == 0;
}

// Settings that the lead-in leads to, said once more.
static bool is_chased(const uint8_t* bytes, const event* e) {
  return e->status != META || (e->type == PRIVATE && htz_smf_is_dial(bytes + e->body, e->end - e->body));
}

static size_t append(uint8_t* to, size_t at, const uint8_t* bytes, size_t size) {
  memcpy(to + at, bytes, size);
  return at + size;
}

static size_t append_wait(uint8_t* to, size_t at, uint64_t wait) {
  static const uint8_t empty_text[] = {META, TEXT, 0};
  uint8_t number[NUMBER];
  for (; wait > number_max; wait -= number_max) {
    at = append(to, at, number, htz_smf_put_number(number, number_max));
    at = append(to, at, empty_text, sizeof empty_text);
  }
  return append(to, at, number, htz_smf_put_number(number, (uint32_t)wait));
}

/** What was before a take, and the take, as one track. @return its bytes in `out`, 0 without memory or when nothing follows the lead-in */
static size_t join(const htz_smf* song, const event* lead, uint8_t* out) {
  const uint8_t* bytes = song->bytes;
  place p = {bytes, HTZ_SMF_TRACK_AT, song->size};
  event e;
  uint32_t wait = 0;
  size_t at = append(out, 0, bytes, HTZ_SMF_TRACK_AT);
  while (read_event(&p, &e) && e.begin < lead->begin) { // tempo and texts
    at = is_chased(bytes, &e) ? at : append(out, at, bytes + e.begin, e.end - e.begin);
  }
  at = append(out, at, bytes + lead->body + HTZ_SMF_LEAD_HEAD, lead->end - lead->body - HTZ_SMF_LEAD_HEAD);
  p.at = lead->end;
  if (!read_number(&p, &wait)) {
    return 0;
  }
  const uint64_t first = get_long(bytes + lead->body + 5), last = get_long(bytes + lead->body + 13);
  at = append_wait(out, at, (first > last ? first - last : 0) + wait);
  at = append(out, at, bytes + p.at, song->size - p.at);
  const uint8_t* old = bytes + HTZ_SMF_LENGTH_AT;
  const uint64_t declared = (uint64_t)old[0] << 24 | (uint64_t)old[1] << 16 | (uint64_t)old[2] << 8 | old[3];
  const uint64_t length = declared + at > song->size ? declared + at - song->size : 0;
  for (int i = 0; i < 4; i++) {
    out[HTZ_SMF_LENGTH_AT + i] = (uint8_t)(length >> 8 * (3 - i));
  }
  return at;
}

static bool find_lead(const htz_smf* song, event* lead, uint32_t* tempo) {
  static const uint8_t ours[] = {'M', 'T', 'h', 'd', 0, 0, 0, 6, 0, 0, 0, 1};
  place p = {song->bytes, HTZ_SMF_TRACK_AT, song->size};
  if (song->size < HTZ_SMF_TRACK_AT || memcmp(song->bytes, ours, sizeof ours) != 0) {
    return false;
  }
  *tempo = 0;
  while (read_event(&p, lead)) {
    if (is_lead(song->bytes, lead)) {
      return *tempo > 0;
    }
    if (lead->status == META && lead->type == TEMPO && lead->end - lead->body == 3) {
      const uint8_t* t = song->bytes + lead->body;
      *tempo = (uint32_t)t[0] << 16 | (uint32_t)t[1] << 8 | t[2];
    }
  }
  return false;
}

htz_status htz_smf_unfold(htz_smf** song) {
  event lead;
  uint32_t tempo = 0;
  htz_smf_diag diag;
  if (!find_lead(*song, &lead, &tempo)) {
    return HTZ_OK;
  }
  const uint64_t first = get_long((*song)->bytes + lead.body + 5);
  const uint64_t longest = (uint64_t)HTZ_SMF_MAX_HOURS * 3600 * (*song)->info.units_per_second;
  if (first > longest / tempo) {
    return HTZ_OK; // damaged: the take without it
  }
  // A wait may grow by what it takes to pass through as many empty texts as there are.
  const size_t room = (*song)->size + (size_t)(first / number_max + 2) * (NUMBER + 3);
  uint8_t* bytes = malloc(room);
  if (!bytes) {
    return HTZ_NO_MEMORY;
  }
  const size_t size = join(*song, &lead, bytes);
  htz_smf* whole = NULL;
  if (size == 0) {
    free(bytes);
    return HTZ_OK;
  }
  const htz_status status = htz_smf_adopt(bytes, size, &whole, &diag);
  if (status == HTZ_BAD_INPUT) {
    return HTZ_OK;
  }
  if (status) {
    return status;
  }
  whole->info.lead = first * tempo; // a tick lasts `tempo` units
  whole->info.lead_notes = whole->info.notes > (*song)->info.notes ? whole->info.notes - (*song)->info.notes : 0;
  htz_smf_free(*song);
  *song = whole;
  return HTZ_OK;
}
