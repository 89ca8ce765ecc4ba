#include "hertzian/host/player.h"

#include "hertzian/host/song_casts.h"
#include "hertzian/instrument/performance_file.h"
#include "hertzian/instrument/spec_link.h"

#include <stdlib.h>
#include <string.h>

enum {
  BATCH = 128,      // events handed over between two looks at the song
  CONTROL_RING = 0, // the engine's ring that the control thread writes to
};

struct htz_player {
  htz_player_desc desc;
  htz_engine* engine;
  htz_midi_map* map;
  htz_smf_iter* events;
  htz_smf_event next;
  bool have_next;
  bool closed;
  htz_song_casts casts; ///< what the song wants of whom
  uint32_t n_parts;
  htz_arena memory[HTZ_PARTS_MAX]; ///< owns the instruments
  uint8_t role_of[HTZ_PARTS_MAX];
  uint8_t channel_of[HTZ_PARTS_MAX];
  float apart[HTZ_PARTS_MAX][2][HTZ_QUANTUM]; ///< what each part gives, when that is asked for
};

static const htz_role* role_of(const htz_player* player, uint32_t part) {
  return &player->desc.orchestra->role[player->role_of[part]];
}

static uint32_t find_part(const htz_player* player, unsigned channel, unsigned role) {
  uint32_t part = 0;
  while (part < player->n_parts && (player->channel_of[part] != channel || player->role_of[part] != role)) {
    part++;
  }
  return part;
}

/** The keys of a role that the channel's notes are played on: only these are built. */
static void keys_of(const htz_player* player, unsigned channel, const htz_role* role, uint64_t keys[HTZ_KEYS / 64]) {
  memset(keys, 0, HTZ_KEYS / 64 * sizeof *keys);
  for (int note = role->zone.key_low; note <= role->zone.key_high; note++) {
    const int moved = role->spec->n_kits > 0 ? 0 : player->desc.performance->transpose;
    const int key = note + moved + role->zone.transpose;
    if (key >= 0 && key < HTZ_KEYS && (player->casts.notes[channel][note / 64] >> (note % 64) & 1u)) {
      keys[key / 64] |= UINT64_C(1) << (key % 64);
    }
  }
}

static void begin_with(htz_player* player, uint32_t part, const htz_setting* settings, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const size_t param = htz_setting_param(&settings[i], role_of(player, part)->spec);
    htz_midi_map_set_initial(player->map, part, param, settings[i].value);
  }
}

static htz_status add_part(htz_player* player, unsigned channel, unsigned number, const char** why) {
  const htz_performance* performance = player->desc.performance;
  const htz_role* role = &player->desc.orchestra->role[number];
  const htz_spec* spec = role->spec;
  htz_instrument* instrument = NULL;
  uint64_t keys[HTZ_KEYS / 64];
  uint32_t part = 0;
  htz_arena* memory = &player->memory[player->n_parts];
  keys_of(player, channel, role, keys);
  // Strings that answer a board, and keys that are linked to others, are all needed, played or not.
  const bool all = htz_spec_two_way(spec) || htz_spec_keys_linked(spec);
  htz_status status =
      htz_instrument_build(spec, player->desc.rate_hz, htz_kernels_select(), all ? NULL : keys, memory, &instrument, why);
  if (status) {
    return status;
  }
  htz_part* made = NULL;
  status = htz_engine_prepare_part(instrument, &made);
  if (!status && !htz_engine_attach_part(player->engine, made, htz_orchestra_rank(channel, number), &part)) {
    htz_engine_discard_part(made);
    status = HTZ_FULL;
  }
  if (status) {
    htz_arena_free(memory);
    return status;
  }
  htz_engine_set_player(player->engine, part,
                        channel + HTZ_MIDI_CHANNELS * htz_orchestra_beside(player->desc.orchestra, number));
  htz_engine_place(player->engine, part, role->gain, role->pan);
  player->role_of[part] = (uint8_t)number;
  player->channel_of[part] = (uint8_t)channel;
  player->n_parts++;
  status = htz_midi_map_add_part(player->map, part, (uint16_t)(1u << channel), instrument);
  htz_midi_map_set_zone(player->map, part, &role->zone);
  htz_binds_apply(performance->binds, performance->n_binds, spec, &player->map->parts[part]);
  begin_with(player, part, role->settings, role->n_settings);
  begin_with(player, part, performance->settings, performance->n_settings);
  return status;
}

/*
   One part for each channel that plays and each role that its programs ask for, so that volume, pan and bends stay the channel's own.
   Where the engine has no more of them, the last one plays.
*/
static htz_status add_channel(htz_player* player, unsigned channel, const char** why) {
  const htz_orchestra* orchestra = player->desc.orchestra;
  for (unsigned number = 0; number < orchestra->n_casts; number++) {
    const htz_cast* cast = &orchestra->cast[number];
    for (unsigned i = 0; i < cast->n && htz_cast_has(&player->casts.of[channel], number); i++) {
      const unsigned role = cast->role[i];
      uint32_t part = find_part(player, channel, role);
      if (!htz_orchestra_plays(orchestra, cast, role, channel)) {
        continue;
      }
      if (part == player->n_parts && part < HTZ_PARTS_MAX) {
        const htz_status status = add_part(player, channel, role, why);
        if (status) {
          return status;
        }
      }
      part = part < player->n_parts ? part : player->n_parts - 1;
      player->map->parts_for[channel][number] |= UINT64_C(1) << part;
    }
  }
  return HTZ_OK;
}

static htz_midi_message message_of(const htz_smf_event* event) {
  return (htz_midi_message){.frame = event->frame,
                            .status = event->status,
                            .data1 = event->data1,
                            .data2 = event->data2,
                            .length = event->length,
                            .value = event->value};
}

static htz_status build(htz_player* player, const char** why) {
  const htz_player_desc* desc = &player->desc;
  const htz_smf_info* info = htz_smf_get_info(desc->song);
  const htz_engine_desc engine = {.rate_hz = desc->rate_hz,
                                  .rings = 1,
                                  .ring_capacity =
                                      (desc->performance->n_settings + HTZ_PERFORMANCE_SETTINGS) * HTZ_PARTS_MAX + 1};
  htz_status status = htz_engine_new(&engine, &player->engine);
  if (status) {
    return status;
  }
  htz_performance_begin(desc->performance, player->map, player->engine);
  htz_orchestra_tell(desc->orchestra, player->map);
  htz_smf_clock clock;
  status = htz_smf_clock_init(desc->song, desc->rate_hz, desc->tempo, &clock);
  if (status == HTZ_OK) {
    status = htz_song_casts_find(desc->song, desc->orchestra, desc->performance, &player->casts);
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS && status == HTZ_OK; channel++) {
    if (desc->performance->channels & info->channels_with_notes & 1u << channel) {
      status = add_channel(player, channel, why);
    }
  }
  if (status == HTZ_OK) {
    status = htz_smf_iter_new(desc->song, &clock, &player->events);
  }
  if (status == HTZ_OK) {
    player->have_next = htz_smf_iter_next(player->events, &player->next);
  }
  return status;
}

htz_status htz_player_new(const htz_player_desc* desc, htz_player** out, const char** why) {
  *out = NULL;
  *why = NULL;
  htz_player* player = calloc(1, sizeof *player);
  if (!player) {
    return HTZ_NO_MEMORY;
  }
  player->desc = *desc;
  player->map = malloc(sizeof *player->map);
  const htz_status status = player->map ? build(player, why) : HTZ_NO_MEMORY;
  if (status) {
    htz_player_free(player);
    return status;
  }
  *out = player;
  return HTZ_OK;
}

void htz_player_free(htz_player* player) {
  if (!player) {
    return;
  }
  htz_smf_iter_free(player->events);
  htz_engine_free(player->engine);
  for (uint32_t part = 0; part < player->n_parts; part++) {
    htz_arena_free(&player->memory[part]);
  }
  free(player->map);
  free(player);
}

static void post(htz_player* player, uint32_t part, const htz_setting* settings, size_t n) {
  htz_ring* ring = htz_engine_ring(player->engine, CONTROL_RING);
  const htz_spec* spec = role_of(player, part)->spec;
  for (size_t i = 0; i < n; i++) {
    const size_t param = htz_setting_param(&settings[i], spec);
    const htz_param_change change = {.frame = 0,
                                     .value = settings[i].value,
                                     .ramp = 1, // at once: nothing sounds yet that could click
                                     .part = (uint16_t)part,
                                     .key = HTZ_KEY_ALL,
                                     .index = (uint32_t)param};
    if (param < htz_spec_n_params(spec)) { // else another instrument's
      htz_ring_push(ring, &change);        // made large enough for all of them
    }
  }
}

void htz_player_post(htz_player* player) {
  const htz_performance* performance = player->desc.performance;
  for (uint32_t part = 0; part < player->n_parts; part++) {
    post(player, part, role_of(player, part)->settings, role_of(player, part)->n_settings);
    post(player, part, performance->settings, performance->n_settings);
  }
}

// The next events before `limit`, as the map wants them. @return how many; fewer than BATCH when there are no more
static size_t gather(htz_player* player, uint64_t limit, htz_midi_message* batch) {
  size_t n = 0;
  while (n < BATCH && player->have_next && player->next.frame < limit) {
    const htz_smf_event* event = &player->next;
    batch[n++] = message_of(event);
    player->have_next = htz_smf_iter_next(player->events, &player->next);
  }
  return n;
}

// What happens in the next quantum: the song's events, what drives, the end.
static void obey(htz_player* player) {
  htz_midi_message batch[BATCH];
  const htz_player_desc* desc = &player->desc;
  const uint64_t limit = htz_engine_now(player->engine) + HTZ_QUANTUM;
  const bool closing = !player->closed && desc->close < limit;
  // A song that is not cut short ends with its last event, which may lie on the closing frame itself.
  const uint64_t last = closing ? (desc->cut ? desc->close : desc->close + 1) : limit;
  bool more = !player->closed;
  while (more) {
    const size_t n = gather(player, last, batch);
    more = n == BATCH;
    htz_rt_enter();
    for (size_t i = 0; i < n; i++) {
      htz_midi_map_message(player->map, &batch[i]);
    }
    htz_rt_leave();
  }
  if (desc->drive) {
    float drive[HTZ_QUANTUM];
    htz_engine_drive(player->engine, htz_drive_file_read(desc->drive, drive, HTZ_QUANTUM) ? drive : NULL);
  }
  htz_rt_enter();
  if (closing) {
    htz_midi_map_release_all(player->map, desc->close);
    htz_midi_map_lift_pedals(player->map, desc->close);
    player->closed = true;
  }
  htz_rt_leave();
}

void htz_player_quantum(htz_player* player, float* left, float* right) {
  obey(player);
  htz_rt_enter();
  htz_engine_quantum(player->engine, left, right);
  htz_rt_leave();
}

void htz_player_quantum_apart(htz_player* player, float (*sound)[2][HTZ_QUANTUM]) {
  obey(player);
  htz_rt_enter();
  htz_engine_quantum_apart(player->engine, player->apart);
  htz_rt_leave();
  memset(sound, 0, HTZ_MIDI_CHANNELS * sizeof sound[0]);
  for (uint32_t part = 0; part < player->n_parts; part++) {
    float(*to)[HTZ_QUANTUM] = sound[player->channel_of[part]];
    for (size_t i = 0; i < HTZ_QUANTUM; i++) {
      to[0][i] += player->apart[part][0][i];
      to[1][i] += player->apart[part][1][i];
    }
  }
}

htz_engine_counters htz_player_engine_counters(const htz_player* player) {
  return htz_engine_count(player->engine);
}

htz_map_counters htz_player_map_counters(const htz_player* player) {
  return player->map->counters;
}
