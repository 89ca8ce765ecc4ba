#include "hertzian/host/player.h"

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
  uint64_t keys[HTZ_MIDI_CHANNELS][HTZ_KEYS / 64];              ///< keys that each channel strikes: only these are built
  uint32_t programs[HTZ_MIDI_CHANNELS][HTZ_MIDI_PROGRAMS / 32]; ///< and in which programs
  uint32_t n_parts;
  htz_arena memory[HTZ_PARTS_MAX]; ///< owns the instruments
  const htz_spec* spec_of[HTZ_PARTS_MAX];
  uint32_t channel_of[HTZ_PARTS_MAX];
};

static bool plays_program(const htz_player* player, unsigned channel, unsigned program) {
  return player->programs[channel][program / 32] >> (program % 32) & 1u;
}

static uint32_t find_part(const htz_player* player, unsigned channel, const htz_spec* spec) {
  for (uint32_t part = 0; part < player->n_parts; part++) {
    if (player->channel_of[part] == channel && player->spec_of[part] == spec) {
      return part;
    }
  }
  return player->n_parts;
}

static htz_status add_part(htz_player* player, unsigned channel, const htz_spec* spec, const char** why) {
  const htz_performance* performance = player->desc.performance;
  htz_instrument* instrument = NULL;
  uint32_t part = 0;
  htz_arena* memory = &player->memory[player->n_parts];
  // Strings that answer a board, and keys that are linked to others, are all needed, played or not.
  const uint64_t* keys = htz_spec_two_way(spec) || htz_spec_keys_linked(spec) ? NULL : player->keys[channel];
  htz_status status = htz_instrument_build(spec, player->desc.rate_hz, htz_kernels_select(), keys, memory, &instrument, why);
  if (status) {
    return status;
  }
  htz_part* made = NULL;
  status = htz_engine_prepare_part(instrument, &made);
  const uint32_t rank = htz_orchestra_rank(player->desc.orchestra, channel, spec);
  if (!status && !htz_engine_attach_part(player->engine, made, rank, &part)) {
    htz_engine_discard_part(made);
    status = HTZ_FULL;
  }
  if (status) {
    htz_arena_free(memory);
    return status;
  }
  htz_engine_set_player(player->engine, part, channel);
  player->spec_of[part] = spec;
  player->channel_of[part] = channel;
  player->n_parts++;
  status = htz_midi_map_add_part(player->map, part, (uint16_t)(1u << channel), instrument);
  htz_binds_apply(performance->binds, performance->n_binds, spec, &player->map->parts[part]);
  for (size_t i = 0; i < performance->n_settings; i++) {
    const htz_setting* setting = &performance->settings[i];
    htz_midi_map_set_initial(player->map, part, htz_setting_param(setting, spec), setting->value);
  }
  return status;
}

/*
   One part for each channel that plays and each instrument that its programs ask for, so that volume, pan and bends stay the
   channel's own. Programs that the song does not use are given to the channel's first part.
*/
static htz_status add_channel(htz_player* player, unsigned channel, const char** why) {
  const uint32_t first = player->n_parts;
  for (unsigned program = 0; program < HTZ_MIDI_PROGRAMS; program++) {
    if (!plays_program(player, channel, program)) {
      continue;
    }
    const htz_spec* spec = htz_orchestra_for(player->desc.orchestra, channel, program);
    uint32_t part = find_part(player, channel, spec);
    if (part == player->n_parts && part < HTZ_PARTS_MAX) {
      const htz_status status = add_part(player, channel, spec, why);
      if (status) {
        return status;
      }
      if (part == first) {
        htz_midi_map_choose_all(player->map, channel, part);
      }
    }
    part = part < player->n_parts ? part : player->n_parts - 1;
    htz_midi_map_choose(player->map, channel, program, part);
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

/** The map as the song begins. */
static void begin_map(htz_player* player) {
  const htz_performance* performance = player->desc.performance;
  htz_midi_map_init(player->map, player->engine);
  player->map->channels = performance->channels;
  player->map->transpose = performance->transpose;
  player->map->velocity = performance->velocity;
  htz_midi_map_mpe(player->map, performance->mpe, performance->mpe_bend ? performance->mpe_bend : HTZ_MPE_BEND);
  if (performance->pitch) {
    htz_midi_map_tune(player->map, performance->pitch);
  }
}

/** Note which keys each channel strikes, and in which programs: by the map, while it has no parts. */
static htz_status find_notes(htz_player* player, const htz_smf_clock* clock) {
  htz_smf_iter* events = NULL;
  const htz_status status = htz_smf_iter_new(player->desc.song, clock, &events);
  htz_smf_event event;
  while (!status && htz_smf_iter_next(events, &event)) {
    const unsigned channel = event.status & HTZ_MIDI_CHANNEL_MASK;
    const bool note = (event.status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_ON && event.data2 > 0;
    if (!note) {
      const htz_midi_message message = message_of(&event);
      htz_midi_map_message(player->map, &message);
      continue;
    }
    const unsigned program = player->map->channel[channel].program;
    const bool kit = htz_orchestra_for(player->desc.orchestra, channel, program)->n_kits > 0;
    const int key = event.data1 + (kit ? 0 : player->desc.performance->transpose);
    player->programs[channel][program / 32] |= UINT32_C(1) << (program % 32);
    if (key >= 0 && key < HTZ_KEYS) {
      player->keys[channel][key / 64] |= UINT64_C(1) << (key % 64);
    }
  }
  htz_smf_iter_free(events);
  begin_map(player);
  return status;
}

static htz_status build(htz_player* player, const char** why) {
  const htz_player_desc* desc = &player->desc;
  const htz_smf_info* info = htz_smf_get_info(desc->song);
  const htz_engine_desc engine = {
      .rate_hz = desc->rate_hz, .rings = 1, .ring_capacity = desc->performance->n_settings * HTZ_PARTS_MAX + 1};
  htz_status status = htz_engine_new(&engine, &player->engine);
  if (status) {
    return status;
  }
  begin_map(player);
  htz_smf_clock clock;
  status = htz_smf_clock_init(desc->song, desc->rate_hz, desc->tempo, &clock);
  if (status == HTZ_OK) {
    status = find_notes(player, &clock);
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

void htz_player_post(htz_player* player) {
  const htz_performance* performance = player->desc.performance;
  htz_ring* ring = htz_engine_ring(player->engine, CONTROL_RING);
  for (size_t i = 0; i < performance->n_settings; i++) {
    for (uint32_t part = 0; part < player->n_parts; part++) {
      const size_t param = htz_setting_param(&performance->settings[i], player->spec_of[part]);
      if (param == htz_spec_n_params(player->spec_of[part])) {
        continue; // another instrument's
      }
      const htz_param_change change = {.frame = 0,
                                       .value = performance->settings[i].value,
                                       .ramp = 1, // at once: nothing sounds yet that could click
                                       .part = (uint16_t)part,
                                       .key = HTZ_KEY_ALL,
                                       .index = (uint32_t)param};
      htz_ring_push(ring, &change); // made large enough for all of them
    }
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

void htz_player_quantum(htz_player* player, float* left, float* right) {
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
  htz_engine_quantum(player->engine, left, right);
  htz_rt_leave();
}

htz_engine_counters htz_player_engine_counters(const htz_player* player) {
  return htz_engine_count(player->engine);
}

htz_map_counters htz_player_map_counters(const htz_player* player) {
  return player->map->counters;
}
