#include "smf_private.h"

/* One track as it is taken. */
typedef struct {
  htz_smf* smf;
  const htz_smf_weights* weights;
  htz_smf_diag* diag;
  size_t number; // for people
  size_t first_tempo;
  size_t events;
} taking;

/* The state at an early End of Track, in case nothing is played after it. */
typedef struct {
  htz_smf_cursor cursor; // after it
  size_t mends, tempos, events;
  uint32_t damage, irregular;
  htz_smf_diag diag;
  bool set;
  bool played; // something after it
} track_end;

htz_status htz_smf_add_tempo(htz_smf* smf, uint64_t tick, uint32_t tempo, size_t first) {
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

static htz_status add_repair(htz_smf* smf, htz_smf_repair repair) {
  htz_smf_repair* grown = htz_smf_grow(smf->mends, &smf->repair_room, smf->repair_count, sizeof *grown);
  if (!grown) {
    return HTZ_NO_MEMORY;
  }
  smf->mends = grown;
  smf->mends[smf->repair_count++] = repair;
  return HTZ_OK;
}

static void tell(taking* t, htz_smf_repair repair, const htz_smf_raw* raw, bool skipping) {
  const unsigned byte = t->smf->bytes[repair.at];
  switch (repair.way) {
  case HTZ_SMF_CLIP:
    if (raw->high_data) {
      htz_smf_damage(t->smf, t->diag, repair.at, "track %zu has a data byte of %u (0x%02X), played as 127", t->number, byte,
                     byte);
    } else {
      htz_smf_damage(t->smf, t->diag, repair.at, "track %zu has a number of more than 4 bytes, played as it is", t->number);
    }
    break;
  case HTZ_SMF_CUT:
  case HTZ_SMF_CUT_DELTA:
    htz_smf_damage(t->smf, t->diag, repair.at, "track %zu has an event that is cut short, left out", t->number);
    break;
  case HTZ_SMF_DATA:
    htz_smf_damage(t->smf, t->diag, repair.at, "track %zu has a data byte of %u (0x%02X), played as 127", t->number, byte,
                   byte);
    break;
  case HTZ_SMF_SHORT:
    htz_smf_damage(t->smf, t->diag, repair.at, "track %zu lacks a data byte; the event is left out", t->number);
    break;
  case HTZ_SMF_NO_DELTA:
    htz_smf_damage(t->smf, t->diag, repair.at, "track %zu lacks a byte: an event without its delta time, played", t->number);
    break;
  case HTZ_SMF_DELTA_1:
  case HTZ_SMF_DELTA_2:
    htz_smf_damage(t->smf, t->diag, repair.at, "track %zu has a delta time that takes in the event after it, shortened",
                   t->number);
    break;
  case HTZ_SMF_RAW:
    htz_smf_damage(t->smf, t->diag, repair.at, "track %zu has a message 0x%02X without its length, left out", t->number, byte);
    break;
  case HTZ_SMF_GO_ON:
    htz_smf_damage(t->smf, t->diag, repair.at, "track %zu goes on after its End of Track, played", t->number);
    break;
  case HTZ_SMF_SKIP:
    if (!skipping) {
      htz_smf_damage(t->smf, t->diag, repair.at, "track %zu %s; left out", t->number,
                     raw->fault ? raw->fault : "has a byte that leads to no End of Track");
    }
    break;
  default:
    break;
  }
}

/*
   Read the event at `*cursor` in the way found best, and remember how.

   @param raw  receives the event; holds it as it reads strictly
*/
static htz_status repair_event(taking* t, htz_smf_cursor* cursor, htz_smf_way way, htz_smf_raw* raw) {
  htz_smf_reading reading = {.way = way};
  const htz_smf_raw strict = *raw;
  const bool skipping = cursor->skipping;
  *raw = htz_smf_read(t->smf->bytes, cursor, &reading);
  htz_status status = HTZ_OK;
  for (size_t i = 0; i < reading.n_used && !status; ++i) {
    tell(t, reading.used[i], &strict, skipping);
    status = add_repair(t->smf, reading.used[i]);
  }
  return status;
}

/* The next event, damage read as was found best. `*end` is set where the track goes on after an End of Track. */
static htz_status next_event(taking* t, htz_smf_cursor* cursor, track_end* end, htz_smf_raw* raw) {
  const htz_smf_cursor before = *cursor;
  htz_smf_reading strictly = {0};
  *raw = htz_smf_read(t->smf->bytes, cursor, &strictly);
  const bool early = raw->kind == HTZ_SMF_TRACK_END && cursor->at < cursor->end;
  const bool weighed = t->weights->costs && before.at >= t->weights->from;
  if (raw->kind != HTZ_SMF_FAULT && !(weighed && (early || raw->doubtful || before.skipping || t->weights->resync))) {
    return HTZ_OK;
  }
  const htz_smf_way way = htz_smf_best_way(t->smf, t->weights, &before);
  if (way == HTZ_SMF_STRICTLY) {
    return HTZ_OK;
  }
  if (early && !end->set) {
    *end = (track_end){.cursor = *cursor,
                       .mends = t->smf->repair_count,
                       .tempos = t->smf->tempo_count,
                       .events = t->events + 1,
                       .damage = t->smf->info.damage,
                       .irregular = t->smf->info.irregular,
                       .diag = *t->diag,
                       .set = true};
  }
  *cursor = before;
  return repair_event(t, cursor, way, raw);
}

/* Nothing after an early End of Track is played: end there. */
static void go_back(taking* t, htz_smf_cursor* cursor, const track_end* end) {
  *cursor = end->cursor;
  t->smf->repair_count = end->mends;
  t->smf->tempo_count = end->tempos;
  t->events = end->events;
  t->smf->info.damage = end->damage;
  t->smf->info.irregular = end->irregular;
  *t->diag = end->diag;
}

static htz_status note_event(taking* t, const htz_smf_cursor* cursor, const htz_smf_raw* raw) {
  htz_smf* smf = t->smf;
  ++t->events;
  smf->info.irregular += raw->irregular ? 1 : 0;
  if (raw->undefined && !(smf->undefined >> (raw->undefined & 0xF) & 1U)) {
    smf->undefined |= (uint16_t)(1U << (raw->undefined & 0xF));
    htz_smf_damage(smf, t->diag, raw->fault_at, "track %zu has the undefined status 0x%02X, left out", t->number,
                   raw->undefined);
  }
  if (raw->kind == HTZ_SMF_BAD_TEMPO) {
    htz_smf_damage(smf, t->diag, raw->fault_at, "track %zu %s, ignored", t->number, raw->fault);
  }
  if (raw->kind == HTZ_SMF_TEMPO && !smf->smpte) {
    return htz_smf_add_tempo(smf, cursor->tick, raw->tempo, t->first_tempo);
  }
  return HTZ_OK;
}

htz_status htz_smf_take_events(htz_smf* smf, const htz_smf_weights* weights, bool clamped, htz_smf_taken* out,
                               htz_smf_diag* diag) {
  htz_smf_track* grown = htz_smf_grow(smf->tracks, &smf->track_room, smf->track_count, sizeof *grown);
  if (!grown) {
    return HTZ_NO_MEMORY;
  }
  smf->tracks = grown;
  taking t = {.smf = smf, .weights = weights, .diag = diag, .number = smf->track_count + 1, .first_tempo = smf->tempo_count};
  htz_smf_cursor cursor = {.at = weights->begin, .end = weights->end};
  htz_smf_raw raw = {0};
  track_end end = {0};
  htz_status status = smf->info.format == 2 ? htz_smf_add_tempo(smf, 0, HTZ_SMF_USUAL_TEMPO, t.first_tempo) : HTZ_OK;
  bool more = true;
  while (more && !status) {
    status = next_event(&t, &cursor, &end, &raw);
    more = raw.kind != HTZ_SMF_EXHAUSTED && raw.kind != HTZ_SMF_FAULT && raw.kind != HTZ_SMF_TRACK_END;
    if (!status && (more || raw.kind == HTZ_SMF_TRACK_END)) {
      status = note_event(&t, &cursor, &raw);
      end.played = end.played || (end.set && (raw.kind == HTZ_SMF_CHANNEL || raw.kind == HTZ_SMF_SYSEX ||
                                              raw.kind == HTZ_SMF_DIAL || raw.kind == HTZ_SMF_TEMPO));
    }
  }
  *out = (htz_smf_taken){.ended = raw.kind == HTZ_SMF_TRACK_END};
  if (end.set && !end.played) {
    go_back(&t, &cursor, &end);
    out->ended = true;
    out->nothing_after = true;
  } else if (raw.kind == HTZ_SMF_FAULT && !(clamped && raw.fault_at == weights->end)) {
    htz_smf_damage(smf, diag, raw.fault_at, "track %zu %s; the rest of it is lost", t.number, raw.fault);
  } else if (raw.kind == HTZ_SMF_EXHAUSTED) {
    ++smf->info.irregular; // no End of Track
  }
  smf->tracks[smf->track_count++] = (htz_smf_track){.begin = weights->begin, .end = cursor.at, .end_tick = cursor.tick};
  out->events = t.events;
  return status;
}
