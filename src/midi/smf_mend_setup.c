#include "smf_private.h"

#include "hertzian/midi/bytes.h"

#include <stdlib.h>

/*
   How damage in a track is read. Only the place of a byte, whether running status has none, one or two data bytes, and whether
   a delta time is due decide what is read from there on. So what the best reading of the rest costs is known for each of these
   states, from the end of the track backwards, in time that grows with its length.
*/
enum {
  status_bit = 0x80,
  running_classes = 3, // without running status, with one data byte, with two

  status_without = 0, // a status byte for each of them
  status_one = 0xC0,
  status_two = 0x90,

  // Some writers have velocities over 127 throughout: what takes events away must never win by taking many of them.
  cost_warning = 1, // a data byte clipped; anything else that is odd
  cost_odd_sysex = 2,
  cost_cut = 64,
  cost_cut_delta = 65, // a number takes in almost anything
  cost_raw = 64,
  cost_skip = 66,           // the first byte, and one for each after it
  cost_not_ended = 1 << 29, // End of Track is not reached at the end of the track; and one for each byte that is not read
  cost_none = 1 << 30,      // it is no way at all
  rest_unread_most = 3,     // of what goes on after End of Track: more than a piece of an event makes it something else
  merge_most = 128,         // how far two readings of a damaged place are compared, if they do not come together before [byte]
};

static unsigned running_class(uint8_t running) {
  return running == 0 ? 0 : (running & 0xE0) == status_one ? 1 : 2;
}

static uint32_t* cost_at(const htz_smf_weights* weights, const htz_smf_cursor* cursor) {
  const size_t class = running_class(cursor->running) + running_classes * (cursor->skipping ? 2U : cursor->bare ? 1U : 0U);
  return &weights->costs[(cursor->at - weights->from) * HTZ_SMF_CLASSES + class];
}

/* What it costs to give up at the cursor. */
static uint32_t cost_of_rest(const htz_smf_weights* weights, const htz_smf_cursor* cursor) {
  return cost_not_ended + (uint32_t)(weights->end - cursor->at);
}

/* What it costs to read the event at the cursor in one way, and the rest in the best one. */
static uint32_t cost_of_way(const htz_smf* smf, const htz_smf_weights* weights, htz_smf_cursor cursor, htz_smf_way way) {
  htz_smf_reading reading = {.way = way};
  const bool skipping = cursor.skipping;
  const htz_smf_raw raw = htz_smf_read(smf->bytes, &cursor, &reading);
  if (raw.kind == HTZ_SMF_FAULT || reading.n_used == 0) {
    return cost_none;
  }
  if (raw.kind == HTZ_SMF_TRACK_END) { // behind a number of more than 4 bytes
    return cursor.at == weights->end ? cost_warning : cost_warning + cost_of_rest(weights, &cursor);
  }
  const uint32_t rest = *cost_at(weights, &cursor) + (raw.irregular ? cost_warning : 0);
  switch (way) {
  case HTZ_SMF_SKIP: // noise is not searched for events, unless they lead to where the track ends
    return rest >= cost_not_ended ? cost_none : rest + (skipping ? cost_warning : cost_skip);
  case HTZ_SMF_GO_ON:
    return rest <= cost_not_ended + rest_unread_most ? rest + cost_warning : cost_none;
  case HTZ_SMF_RAW:
    return rest + cost_raw;
  case HTZ_SMF_CUT:
    return rest + cost_cut;
  case HTZ_SMF_CUT_DELTA:
    return rest + cost_cut_delta;
  default:
    return rest + (uint32_t)reading.n_used * cost_warning;
  }
}

/* The best way to read the event at the cursor, none of its bytes skipped for another's sake, and what it costs. */
static htz_smf_way weigh_event(const htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor,
                               uint32_t* cost) {
  static const htz_smf_way for_data[] = {HTZ_SMF_CLIP, HTZ_SMF_CUT_DELTA, HTZ_SMF_CUT, HTZ_SMF_SKIP};
  static const htz_smf_way for_others[] = {HTZ_SMF_CLIP, HTZ_SMF_RAW, HTZ_SMF_SKIP};
  static const htz_smf_way for_doubtful[] = {HTZ_SMF_RAW};
  static const htz_smf_way for_end[] = {HTZ_SMF_GO_ON};
  htz_smf_cursor next = *cursor;
  htz_smf_reading strictly = {0};
  const htz_smf_raw raw = htz_smf_read(smf->bytes, &next, &strictly);
  const htz_smf_way* ways = for_doubtful;
  size_t n_ways = raw.doubtful ? sizeof for_doubtful / sizeof *for_doubtful : 0;
  htz_smf_way best = HTZ_SMF_STRICTLY;
  if (raw.kind == HTZ_SMF_TRACK_END) {
    *cost = next.at == weights->end ? 0 : cost_of_rest(weights, &next);
    ways = for_end;
    n_ways = next.at == weights->end ? 0 : sizeof for_end / sizeof *for_end;
  } else if (raw.kind == HTZ_SMF_EXHAUSTED) {
    *cost = cost_not_ended;
  } else if (raw.kind == HTZ_SMF_FAULT) {
    *cost = cost_of_rest(weights, cursor);
    ways = raw.high_data ? for_data : for_others;
    n_ways = raw.high_data ? sizeof for_data / sizeof *for_data : sizeof for_others / sizeof *for_others;
  } else {
    const bool odd = raw.kind == HTZ_SMF_BAD_TEMPO || raw.undefined || raw.irregular;
    *cost = *cost_at(weights, &next) + (odd ? cost_warning : raw.doubtful ? cost_odd_sysex : 0);
  }
  for (size_t i = 0; i < n_ways; ++i) {
    const uint32_t other = cost_of_way(smf, weights, *cursor, ways[i]);
    if (other < *cost) {
      *cost = other;
      best = ways[i];
    }
  }
  return best;
}

/* The best way to read on at the cursor, and what it costs. */
static htz_smf_way weigh_cursor(const htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor,
                                uint32_t* cost) {
  const htz_smf_way way = weigh_event(smf, weights, cursor, cost);
  // What looks like an event right behind a byte that is none may be part of the same noise.
  const uint32_t skipped =
      cursor->skipping && cursor->at < cursor->end ? cost_of_way(smf, weights, *cursor, HTZ_SMF_SKIP) : cost_none;
  if (skipped > *cost || skipped >= cost_none) {
    return way;
  }
  *cost = skipped;
  return HTZ_SMF_SKIP;
}

/* One of two readings that are compared. */
typedef struct {
  htz_smf_cursor cursor;
  unsigned warnings, notes;
  bool ended; // by End of Track at the end
} attempt;

/* Read one more event, data over 127 clipped. @return false where that is no channel message */
static bool read_on(const htz_smf* smf, attempt* a, htz_smf_way way) {
  htz_smf_reading reading = {.way = way};
  const htz_smf_raw raw = htz_smf_read(smf->bytes, &a->cursor, &reading);
  const bool cut = way == HTZ_SMF_CUT && raw.kind == HTZ_SMF_SKIPPED;
  const bool note =
      (raw.status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_ON || (raw.status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_OFF;
  a->warnings += (unsigned)reading.n_used;
  a->ended = raw.kind == HTZ_SMF_TRACK_END && a->cursor.at == a->cursor.end;
  a->notes += raw.kind == HTZ_SMF_CHANNEL && note ? 1 : 0;
  return raw.kind == HTZ_SMF_CHANNEL || cut;
}

/*
   Whether the event at the cursor, which can be read with its data clipped, was cut short by the next one: that then reads without
   another fault, and the clipped reading stumbles once more before the two come together. Of velocities that are over 127 throughout
   the same might be said; but read as statuses they leave no notes.
*/
static bool is_cut_short(const htz_smf* smf, const htz_smf_cursor* cursor) {
  attempt clipped = {.cursor = *cursor};
  attempt cut = {.cursor = *cursor};
  if (!read_on(smf, &clipped, HTZ_SMF_CLIP) || !read_on(smf, &cut, HTZ_SMF_CUT) || !cut.cursor.bare) {
    return false;
  }
  bool more = true;
  while (more && (cut.cursor.at != clipped.cursor.at || cut.cursor.running != clipped.cursor.running)) {
    attempt* behind = cut.cursor.at <= clipped.cursor.at ? &cut : &clipped;
    more = behind->cursor.at - cursor->at < merge_most && read_on(smf, behind, HTZ_SMF_CLIP) && cut.warnings == 1;
    if (!more && behind == &cut && !cut.ended && cut.cursor.at - cursor->at < merge_most) {
      return false;
    }
  }
  return cut.warnings == 1 && clipped.warnings > 1 && 3 * (cut.notes + 1) >= 2 * clipped.notes;
}

htz_smf_way htz_smf_best_way(const htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor) {
  uint32_t cost = 0;
  htz_smf_way way = HTZ_SMF_CLIP; // where there is too much to weigh
  if (weights->costs) {
    way = weigh_cursor(smf, weights, cursor, &cost);
  } else {
    htz_smf_cursor next = *cursor;
    htz_smf_reading clipped = {.way = HTZ_SMF_CLIP};
    const htz_smf_raw raw = htz_smf_read(smf->bytes, &next, &clipped);
    way = raw.kind == HTZ_SMF_FAULT || clipped.n_used == 0 ? HTZ_SMF_STRICTLY : HTZ_SMF_CLIP;
  }
  return way == HTZ_SMF_CLIP && is_cut_short(smf, cursor) ? HTZ_SMF_CUT : way;
}

/* Costs of all states, the last byte's first. */
static void fill_costs(const htz_smf* smf, const htz_smf_weights* weights) {
  static const uint8_t statuses[running_classes] = {status_without, status_one, status_two};
  for (size_t at = weights->end + 1; at-- > weights->from;) {
    const bool may_be_bare = at < weights->end && smf->bytes[at] >= status_bit;
    for (unsigned class = 0; class < HTZ_SMF_CLASSES; ++class) {
      const unsigned place = class / running_classes; // usual, bare, skipping
      const htz_smf_cursor cursor = {.at = at,
                                     .end = weights->end,
                                     .running = statuses[class % running_classes],
                                     .bare = place == 1,
                                     .skipping = place == 2};
      uint32_t* cost = cost_at(weights, &cursor);
      *cost = cost_none;
      if (may_be_bare || !cursor.bare) {
        weigh_cursor(smf, weights, &cursor, cost);
      }
    }
  }
}

/* Whether the track reads on from the cursor to End of Track at its end with nothing but data clipped. */
static bool ends_when_clipped(const htz_smf* smf, htz_smf_cursor cursor) {
  htz_smf_reading clipped = {.way = HTZ_SMF_CLIP};
  htz_smf_raw raw = {0};
  do {
    raw = htz_smf_read(smf->bytes, &cursor, &clipped);
  } while (raw.kind != HTZ_SMF_EXHAUSTED && raw.kind != HTZ_SMF_FAULT && raw.kind != HTZ_SMF_TRACK_END);
  return raw.kind == HTZ_SMF_TRACK_END && cursor.at == cursor.end;
}

htz_status htz_smf_weigh(htz_smf* smf, size_t begin, size_t end, htz_smf_weights* out) {
  htz_smf_cursor cursor = {.at = begin, .end = end};
  htz_smf_cursor before = cursor;
  htz_smf_cursor doubtful = {.at = end};
  htz_smf_raw raw = {0};
  htz_smf_reading strictly = {0};
  *out = (htz_smf_weights){.begin = begin, .end = end, .from = end, .fault_at = end};
  do {
    before = cursor;
    raw = htz_smf_read(smf->bytes, &cursor, &strictly);
    if (raw.doubtful && before.at < doubtful.at) {
      doubtful = before;
    }
  } while (raw.kind != HTZ_SMF_EXHAUSTED && raw.kind != HTZ_SMF_FAULT && raw.kind != HTZ_SMF_TRACK_END);
  out->ended = raw.kind == HTZ_SMF_TRACK_END;
  out->whole = out->ended && cursor.at == end;
  out->reach = cursor.at;
  if (out->whole || raw.kind == HTZ_SMF_EXHAUSTED) {
    return HTZ_OK;
  }
  out->fault_at = before.at;
  if (raw.high_data && ends_when_clipped(smf, before)) {
    out->whole = true;
    out->ended = true;
    out->reach = end;
    return HTZ_OK;
  }
  const htz_smf_cursor first = doubtful.at < before.at ? doubtful : before;
  const size_t length = end - first.at;
  if (length > HTZ_SMF_WEIGH_TRACK || length > HTZ_SMF_WEIGH_SONG - smf->weighed) {
    return HTZ_OK;
  }
  smf->weighed += length;
  out->costs = malloc((length + 1) * HTZ_SMF_CLASSES * sizeof *out->costs);
  if (!out->costs) {
    return HTZ_NO_MEMORY;
  }
  out->from = first.at;
  fill_costs(smf, out);
  const uint32_t cost = *cost_at(out, &first);
  if (cost < cost_not_ended) {
    out->whole = true;
    out->ended = true;
    out->reach = end;
  } else if (raw.kind == HTZ_SMF_FAULT) {
    const size_t unread = cost - cost_not_ended;
    out->reach = unread < end - cursor.at ? end - unread : cursor.at;
  }
  return HTZ_OK;
}
