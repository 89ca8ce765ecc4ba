#include "hertzian/host/live.h"
#include "hertzian/host/live_feed.h"
#include "hertzian/host/output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double limiter_threshold_db =
    -1.0;                              // [dBFS] what comes out of the converter between samples stays below full scale
static const double lead_s = 4.0;      // [s] a disk may stall that long
static const double late_blocks = 2.0; // drivers hold at least one block beside the one being computed

static htz_status lay_rings(htz_live* live, htz_arena* arena) {
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX && !st; i++) {
    st = htz_ring_init(&live->midi[i], HTZ_MIDI_RING, sizeof(htz_midi_stamped), arena);
  }
  if (!st) {
    st = htz_ring_init(&live->prebuilt_ring, HTZ_LIVE_SPARES, sizeof(htz_live_prebuilt*), arena);
  }
  if (!st) {
    st = htz_ring_init(&live->retired, HTZ_LIVE_RETIRED, sizeof(htz_live_prebuilt*), arena);
  }
  if (!st) {
    st = htz_ring_init(&live->orders, HTZ_LIVE_ORDERS, sizeof(htz_live_order), arena);
  }
  if (!st) {
    st = htz_ring_init(&live->played, HTZ_LIVE_PLAYED, sizeof(htz_midi_message), arena);
  }
  if (!st && live->drive_from == HTZ_DRIVE_FILE) {
    const size_t quanta = (size_t)(lead_s * live->rate_hz) / HTZ_QUANTUM + 1;
    st = htz_ring_init(&live->drive, quanta, sizeof(htz_live_drive_item), arena);
  }
  if (!st && live->has_song) {
    st = htz_ring_init(&live->song.ring, HTZ_LIVE_SONG_RING, sizeof(htz_song_item), arena);
  }
  return st;
}

static htz_status build(htz_live* live, const htz_live_desc* desc) {
  htz_arena sizes;
  htz_arena_measure(&sizes);
  htz_status st = lay_rings(live, &sizes);
  if (!st) {
    st = htz_arena_init(&live->memory, sizes.used);
  }
  htz_arena_free(&sizes);
  if (!st) {
    st = lay_rings(live, &live->memory);
  }
  if (!st) {
    // The audio thread must not be the first to write to its pages.
    memset(live->played.items, 0, (live->played.mask + 1) * live->played.item_size);
  }
  if (!st) {
    const htz_engine_desc engine = {.rate_hz = desc->rate_hz};
    st = htz_engine_new(&engine, &live->engine);
  }
  if (!st) {
    live->map = malloc(sizeof *live->map);
    st = live->map ? HTZ_OK : HTZ_NO_MEMORY;
  }
  return st;
}

htz_status htz_live_new(const htz_live_desc* desc, htz_live** out) {
  *out = NULL;
  htz_live* live = aligned_alloc(HTZ_ALIGN, (sizeof *live + HTZ_ALIGN - 1) / HTZ_ALIGN * HTZ_ALIGN);
  if (!live) {
    return HTZ_NO_MEMORY;
  }
  const double block_s = desc->frames / desc->rate_hz;
  // The engine may be a part of a quantum ahead of the driver when blocks are no multiple of it.
  const uint32_t ahead = htz_blocks_ahead(desc->frames);
  *live = (htz_live){.rate_hz = desc->rate_hz,
                     .block_s = block_s,
                     .deadline_s = fmax(late_blocks * block_s, desc->latency_s),
                     .delay = desc->frames + ahead,
                     .asap = desc->asap,
                     .sensing = !desc->no_sensing,
                     .pedal = desc->pedal,
                     .limit = desc->limit,
                     .gain = (float)htz_output_gain(desc->gain_db),
                     .drive_from = desc->drive_from,
                     .has_song = desc->song,
                     .heard_end = ahead}; // silence, so that a quantum is full whenever one is due
  const htz_status st = build(live, desc);
  if (st) {
    htz_live_free(live);
    return st;
  }
  htz_performance_begin(desc->performance, live->map, live->engine);
  memset(live->part_of, HTZ_LIVE_NO_PART, sizeof live->part_of);
  htz_clock_init(&live->clock, desc->rate_hz);
  htz_limiter_init(&live->limiter, desc->rate_hz, limiter_threshold_db);
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX; i++) {
    htz_midi_parser_init(&live->source[i].parser);
    live->source[i].pedal_way = desc->pedal;
  }
  *out = live;
  return HTZ_OK;
}

void htz_live_free(htz_live* live) {
  if (live) {
    htz_engine_free(live->engine);
    htz_arena_free(&live->memory);
    free(live->map);
    free(live);
  }
}
