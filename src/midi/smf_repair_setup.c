#include "smf_private.h"

#include "hertzian/midi/bytes.h"

#include <stdlib.h>
#include <string.h>

/*
   How damage in a track is read. Only the place of a byte, whether running status has none, one or two data bytes, and whether
   a delta time is due decide what is read from there on. So what the best reading of the rest costs is known for each of these
   states, from the end of the track backwards, in time that grows with its length.
*/
enum {
  cost_shift = 33, // costs are faults above this bit, and below it what decides between readings with as many

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
  cost_lost = 66,           // a byte that is not there, or a delta time that says it is longer than it is
  cost_not_ended = 1 << 29, // End of Track is not reached at the end of the track; and one for each byte that is not read
  cost_none = 1 << 30,      // it is no way at all
  rest_unread_most = 3,     // of what goes on after End of Track: more than a piece of an event makes it something else
  merge_most = 128,         // how far two readings of a damaged place are compared, if they do not come together before [byte]
};

static unsigned running_class(uint8_t running) {
  return running == 0 ? 0 : (running & 0xE0) == status_one ? 1 : 2;
}

static uint64_t faults(uint64_t count) {
  return count << cost_shift;
}

static const uint64_t no_way = (uint64_t)cost_none << cost_shift;
static const uint64_t not_ended = (uint64_t)cost_not_ended << cost_shift;

static uint64_t* cost_at(const htz_smf_weights* weights, const htz_smf_cursor* cursor) {
  const size_t class = running_class(cursor->running) + running_classes * (cursor->skipping ? 2U : cursor->bare ? 1U : 0U);
  return &weights->costs[(cursor->at - weights->from) * HTZ_SMF_CLASSES + class];
}

/* What it costs to give up at the cursor. */
static uint64_t cost_of_rest(const htz_smf_weights* weights, const htz_smf_cursor* cursor) {
  return not_ended + faults(weights->end - cursor->at);
}

/* Whether a byte over 127 at `at` is the only one of its kind in the track: statuses as a rule come more than once. */
static bool is_single(const htz_smf* smf, const htz_smf_weights* weights, size_t at) {
  const uint8_t byte = smf->bytes[at];
  return byte >= status_bit && !(weights->often[(byte & (status_bit - 1U)) / 64] >> (byte & 63U) & 1U);
}

/*
   What decides between readings with as many faults: the bytes that make no channel message, and then the time that passes. A reading
   that is out of step finds few events, and long times between them.
*/
static uint64_t waste(const htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* before,
                      const htz_smf_cursor* after, const htz_smf_raw* raw, bool status) {
  enum { BYTE = 1024, NOTE = 3, TIME_MOST = 2047, CHANGE = 16384 };
  if (!weights->resync) {
    return 0;
  }
  const size_t length = after->at - before->at;
  // A note counts its data alone, which it has in all ways of reading: so that all lose the same for each note they lose.
  const size_t used = raw->kind == HTZ_SMF_CHANNEL && raw->length == NOTE ? NOTE - 1 : 0;
  const uint64_t time = after->tick - before->tick;
  const bool whole = status && raw->kind == HTZ_SMF_CHANNEL && before->running;
  const uint64_t change =
      whole && is_single(smf, weights, after->at - raw->length) ? CHANGE : 0; // of running status, just here
  return change + (length - used) * BYTE + (time < TIME_MOST ? time : TIME_MOST);
}

/* What it costs to read the event at the cursor in one way, and the rest in the best one. */
static uint64_t cost_of_way(const htz_smf* smf, const htz_smf_weights* weights, htz_smf_cursor cursor, htz_smf_way way) {
  htz_smf_reading reading = {.way = way};
  const htz_smf_cursor before = cursor;
  const bool status = way != HTZ_SMF_DATA && way != HTZ_SMF_DELTA_1 && way != HTZ_SMF_DELTA_2;
  const htz_smf_raw raw = htz_smf_read(smf->bytes, &cursor, &reading);
  if (raw.kind == HTZ_SMF_FAULT || reading.n_used == 0) {
    return no_way;
  }
  if (raw.kind == HTZ_SMF_TRACK_END) { // behind a number of more than 4 bytes, or without its delta time
    const uint64_t cost =
        faults(way == HTZ_SMF_CLIP ? cost_warning : cost_lost) + waste(smf, weights, &before, &cursor, &raw, status);
    return cursor.at == weights->end ? cost : cost + cost_of_rest(weights, &cursor);
  }
  const uint64_t rest = *cost_at(weights, &cursor) + faults(raw.irregular ? cost_warning : 0) +
                        waste(smf, weights, &before, &cursor, &raw, status);
  switch (way) {
  case HTZ_SMF_SKIP: // noise is not searched for events, unless they lead to where the track ends
    return rest >= not_ended ? no_way : rest + faults(before.skipping ? cost_warning : cost_skip);
  case HTZ_SMF_NO_DELTA:
  case HTZ_SMF_DATA:
  case HTZ_SMF_SHORT:
  case HTZ_SMF_DELTA_1:
  case HTZ_SMF_DELTA_2:
    return rest >= not_ended ? no_way : rest + faults(cost_lost);
  case HTZ_SMF_GO_ON:
    return rest <= not_ended + faults(rest_unread_most) ? rest + faults(cost_warning) : no_way;
  case HTZ_SMF_RAW:
    return rest + faults(cost_raw);
  case HTZ_SMF_CUT:
    return rest + faults(cost_cut);
  case HTZ_SMF_CUT_DELTA:
    return rest + faults(cost_cut_delta);
  default:
    return rest + faults(reading.n_used * cost_warning);
  }
}

/* Exchange `*best` and `*cost` for one of `ways`, where that costs less. */
static void try_ways(const htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor, const htz_smf_way* ways,
                     size_t n_ways, htz_smf_way* best, uint64_t* cost) {
  for (size_t i = 0; i < n_ways; ++i) {
    const uint64_t other = cost_of_way(smf, weights, *cursor, ways[i]);
    if (other < *cost) {
      *cost = other;
      *best = ways[i];
    }
  }
}

/* Read the event at the cursor with a byte that is missing or one too many, where that costs less. */
static void try_out_of_step(const htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor, htz_smf_way* best,
                            uint64_t* cost) {
  static const htz_smf_way for_all[] = {HTZ_SMF_SHORT, HTZ_SMF_SKIP};
  static const htz_smf_way for_deltas[] = {HTZ_SMF_NO_DELTA, HTZ_SMF_DELTA_1, HTZ_SMF_DELTA_2};
  if (cursor->at >= cursor->end) {
    return;
  }
  if (!cursor->bare) {
    const bool long_delta = smf->bytes[cursor->at] >= status_bit;
    try_ways(smf, weights, cursor, for_deltas, long_delta ? sizeof for_deltas / sizeof *for_deltas : 1, best, cost);
  }
  const bool has_status = cursor->running && !cursor->bare && cursor->at + 1 < cursor->end;
  if (has_status && is_single(smf, weights, cursor->at + 1)) {
    static const htz_smf_way for_status[] = {HTZ_SMF_DATA};
    try_ways(smf, weights, cursor, for_status, 1, best, cost);
  }
  try_ways(smf, weights, cursor, for_all, sizeof for_all / sizeof *for_all, best, cost);
}

/* The best way to read the event at the cursor, none of its bytes skipped for another's sake, and what it costs. */
static htz_smf_way weigh_event(const htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor,
                               uint64_t* cost) {
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
    *cost = (next.at == weights->end ? 0 : cost_of_rest(weights, &next)) + waste(smf, weights, cursor, &next, &raw, true);
    ways = for_end;
    n_ways = next.at == weights->end ? 0 : sizeof for_end / sizeof *for_end;
  } else if (raw.kind == HTZ_SMF_EXHAUSTED) {
    *cost = not_ended;
  } else if (raw.kind == HTZ_SMF_FAULT) {
    *cost = cost_of_rest(weights, cursor);
    ways = raw.high_data ? for_data : for_others;
    n_ways = raw.high_data ? sizeof for_data / sizeof *for_data : sizeof for_others / sizeof *for_others;
  } else {
    const bool odd = raw.kind == HTZ_SMF_BAD_TEMPO || raw.undefined || raw.irregular;
    *cost = *cost_at(weights, &next) +
            faults(odd            ? cost_warning
                   : raw.doubtful ? cost_odd_sysex
                                  : 0) +
            waste(smf, weights, cursor, &next, &raw, true);
  }
  try_ways(smf, weights, cursor, ways, n_ways, &best, cost);
  if (weights->resync && raw.kind != HTZ_SMF_EXHAUSTED) {
    try_out_of_step(smf, weights, cursor, &best, cost);
  }
  return best;
}

/*
   What it costs to skip the byte at the cursor, where the byte before was skipped, too: what looks like an event right behind noise may
   be part of it.
*/
static uint64_t cost_of_skipping_on(const htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor) {
  return cursor->skipping && cursor->at < cursor->end ? cost_of_way(smf, weights, *cursor, HTZ_SMF_SKIP) : no_way;
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

/* Whether the track reads on from the cursor to End of Track at its end with nothing but data clipped. */
static bool ends_when_clipped(const htz_smf* smf, htz_smf_cursor cursor) {
  htz_smf_reading clipped = {.way = HTZ_SMF_CLIP};
  htz_smf_raw raw = {0};
  do {
    raw = htz_smf_read(smf->bytes, &cursor, &clipped);
  } while (raw.kind != HTZ_SMF_EXHAUSTED && raw.kind != HTZ_SMF_FAULT && raw.kind != HTZ_SMF_TRACK_END);
  return raw.kind == HTZ_SMF_TRACK_END && cursor.at == cursor.end;
}

/* Whether what follows the cut reading leads to where the track ends, as what follows the clipped one does. */
static bool leads_as_far(htz_smf* smf, const htz_smf_weights* weights, const attempt* cut, const attempt* clipped) {
  if (cut->cursor.at == clipped->cursor.at && cut->cursor.running == clipped->cursor.running) {
    return true;
  }
  if (weights->costs) {
    const uint64_t cost = *cost_at(weights, &cut->cursor);
    return cost < not_ended || cost <= *cost_at(weights, &clipped->cursor);
  }
  const size_t rest = weights->end - cut->cursor.at;
  if (!weights->whole || rest > HTZ_SMF_WEIGH_SONG - smf->weighed) {
    return false;
  }
  smf->weighed += rest;
  return cut->ended || ends_when_clipped(smf, cut->cursor);
}

/*
   Whether the event at the cursor, which can be read with its data clipped, was cut short by the next one: that then reads without
   another fault, and the clipped reading stumbles once more before the two come together. Of velocities that are over 127 throughout
   the same might be said; but read as statuses they leave few notes.
*/
static bool is_cut_short(htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor) {
  attempt clipped = {.cursor = *cursor};
  attempt cut = {.cursor = *cursor};
  if (!read_on(smf, &clipped, HTZ_SMF_CLIP) || !read_on(smf, &cut, HTZ_SMF_CUT) || !cut.cursor.bare) {
    return false;
  }
  bool more = true;
  while (more && (cut.cursor.at != clipped.cursor.at || cut.cursor.running != clipped.cursor.running)) {
    attempt* behind = cut.cursor.at <= clipped.cursor.at ? &cut : &clipped;
    const bool near = behind->cursor.at - cursor->at < merge_most;
    more = near && read_on(smf, behind, HTZ_SMF_CLIP) && cut.warnings == 1;
    if (!more && near && behind == &cut && !cut.ended) {
      return false;
    }
  }
  return cut.warnings == 1 && clipped.warnings > 1 && 3 * (cut.notes + 1) >= 2 * clipped.notes &&
         leads_as_far(smf, weights, &cut, &clipped);
}

htz_smf_way htz_smf_best_way(htz_smf* smf, const htz_smf_weights* weights, const htz_smf_cursor* cursor) {
  uint64_t cost = 0;
  htz_smf_way way = HTZ_SMF_CLIP; // where there is too much to weigh
  if (weights->costs) {
    way = weigh_event(smf, weights, cursor, &cost);
    const uint64_t skipped = cost_of_skipping_on(smf, weights, cursor);
    way = skipped <= cost && skipped < no_way ? HTZ_SMF_SKIP : way;
  } else {
    htz_smf_cursor next = *cursor;
    htz_smf_reading clipped = {.way = HTZ_SMF_CLIP};
    const htz_smf_raw raw = htz_smf_read(smf->bytes, &next, &clipped);
    way = raw.kind == HTZ_SMF_FAULT || clipped.n_used == 0 ? HTZ_SMF_STRICTLY : HTZ_SMF_CLIP;
  }
  return way == HTZ_SMF_CLIP && is_cut_short(smf, weights, cursor) ? HTZ_SMF_CUT : way;
}

/* Costs of all states, the last byte's first. */
static void fill_costs(const htz_smf* smf, const htz_smf_weights* weights) {
  static const uint8_t statuses[running_classes] = {status_without, status_one, status_two};
  for (size_t at = weights->end + 1; at-- > weights->from;) {
    const bool may_be_bare = at < weights->end && smf->bytes[at] >= status_bit;
    for (unsigned class = 0; class < running_classes; ++class) {
      htz_smf_cursor cursor = {.at = at, .end = weights->end, .running = statuses[class]};
      uint64_t usual = no_way;
      weigh_event(smf, weights, &cursor, &usual);
      *cost_at(weights, &cursor) = usual;
      cursor.skipping = true;
      const uint64_t skipped = cost_of_skipping_on(smf, weights, &cursor);
      *cost_at(weights, &cursor) = skipped < usual ? skipped : usual;
      cursor.skipping = false;
      cursor.bare = true;
      uint64_t* bare = cost_at(weights, &cursor);
      *bare = no_way;
      if (may_be_bare) {
        weigh_event(smf, weights, &cursor, bare);
      }
    }
  }
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
  const uint64_t cost = *cost_at(out, &first);
  if (cost < not_ended) {
    out->whole = true;
    out->ended = true;
    out->reach = end;
  } else if (raw.kind == HTZ_SMF_FAULT) {
    const size_t unread = (size_t)((cost - not_ended) >> cost_shift);
    out->reach = unread < end - cursor.at ? end - unread : cursor.at;
  }
  return HTZ_OK;
}

/* Whether End of Track stands at the end of the track, whatever leads there. */
static bool has_end(const htz_smf* smf, const htz_smf_weights* weights) {
  static const uint8_t end_of_track[] = {0xFF, 0x2F, 0};
  return weights->end - weights->begin >= sizeof end_of_track &&
         memcmp(smf->bytes + weights->end - sizeof end_of_track, end_of_track, sizeof end_of_track) == 0;
}

/* Note which bytes over 127 the track has more than once. */
static void note_often(const htz_smf* smf, htz_smf_weights* weights) {
  uint64_t once[2] = {0};
  for (size_t at = weights->begin; at < weights->end; ++at) {
    const uint8_t byte = smf->bytes[at];
    if (byte >= status_bit) {
      const size_t word = (byte & (status_bit - 1U)) / 64;
      const uint64_t bit = UINT64_C(1) << (byte & 63U);
      weights->often[word] |= once[word] & bit;
      once[word] |= bit;
    }
  }
}

/** What a reading of a track gives. */
typedef struct {
  size_t notes;
  uint64_t ticks;
} yield;

/* Read the track as its weights say, as it is done when its events are taken, and count. */
static yield survey(htz_smf* smf, const htz_smf_weights* weights) {
  yield sum = {0};
  htz_smf_cursor cursor = {.at = weights->begin, .end = weights->end};
  htz_smf_raw raw = {0};
  do {
    const htz_smf_cursor before = cursor;
    htz_smf_reading reading = {0};
    raw = htz_smf_read(smf->bytes, &cursor, &reading);
    const bool early = raw.kind == HTZ_SMF_TRACK_END && cursor.at < cursor.end;
    const bool weighed = weights->costs && before.at >= weights->from;
    if (raw.kind == HTZ_SMF_FAULT || (weighed && (early || raw.doubtful || before.skipping || weights->resync))) {
      reading = (htz_smf_reading){.way = htz_smf_best_way(smf, weights, &before)};
      if (reading.way != HTZ_SMF_STRICTLY) {
        cursor = before;
        raw = htz_smf_read(smf->bytes, &cursor, &reading);
      }
    }
    sum.notes += raw.kind == HTZ_SMF_CHANNEL && (raw.status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_ON;
  } while (raw.kind != HTZ_SMF_EXHAUSTED && raw.kind != HTZ_SMF_FAULT && raw.kind != HTZ_SMF_TRACK_END);
  sum.ticks = cursor.tick;
  return sum;
}

/*
   Whether the reading with bytes missing or too many is the more likely. That it has fewer notes says nothing, a reading that is out of
   step invents some; but it does not make a song much longer, unless many notes come in.
*/
static bool gains(htz_smf* smf, const htz_smf_weights* other, const htz_smf_weights* usual) {
  const yield now = survey(smf, other), before = survey(smf, usual);
  return now.ticks <= before.ticks + before.ticks / 8 || now.notes > before.notes + before.notes / 8;
}

htz_status htz_smf_resync(htz_smf* smf, htz_smf_weights* weights) {
  const size_t length = weights->end - weights->begin;
  if (!has_end(smf, weights) || (weights->whole && !weights->costs) || length > HTZ_SMF_WEIGH_TRACK ||
      length > HTZ_SMF_WEIGH_SONG - smf->weighed) {
    return HTZ_OK;
  }
  htz_smf_weights other = *weights;
  other.from = other.begin;
  other.resync = true;
  note_often(smf, &other);
  smf->weighed += length;
  other.costs = malloc((length + 1) * HTZ_SMF_CLASSES * sizeof *other.costs);
  if (!other.costs) {
    return HTZ_NO_MEMORY;
  }
  fill_costs(smf, &other);
  const htz_smf_cursor first = {.at = other.begin, .end = other.end};
  if (*cost_at(&other, &first) >= not_ended || !gains(smf, &other, weights)) {
    free(other.costs);
    return HTZ_OK;
  }
  free(weights->costs);
  other.whole = true;
  other.ended = true;
  other.reach = other.end;
  *weights = other;
  return HTZ_OK;
}
