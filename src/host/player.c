#include "hertzian/host/player.h"

#include "hertzian/host/built.h"
#include "hertzian/host/song_casts.h"
#include "hertzian/instrument/spec_link.h"
#include "hertzian/midi/sysex.h"

#include <stdlib.h>
#include <string.h>

enum { NO_PART = 255 };

/** One that is built; it joins the engine with the first note that needs it, as it does live. */
typedef struct {
  htz_built built;
  bool there;
  uint8_t channel, role;
  uint32_t number; ///< of the engine, once `built.attached`
} player_part;

struct htz_player {
  htz_player_desc desc;
  htz_engine* engine;
  htz_midi_map* map;
  htz_smf_iter* events;
  htz_smf_event next;
  bool have_next;
  bool closed;
  htz_status status;    ///< of what went wrong meanwhile
  htz_song_casts casts; ///< what the song wants of whom
  htz_dialled dialled;
  uint64_t kept; ///< parts that were to be freed and still sound
  uint32_t last; ///< part that joined last, by its number in the engine
  player_part parts[HTZ_PARTS_MAX];
  uint8_t part_of[HTZ_MIDI_CHANNELS][HTZ_ROLES_MAX]; ///< in `parts`, or NO_PART
  float apart[HTZ_PARTS_MAX][2][HTZ_QUANTUM];        ///< what each part gives, when that is asked for
};

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

/** With the keys of objects that are linked to others, played or not: they answer. */
static void add_linked(const htz_spec* spec, uint64_t keys[HTZ_KEYS / 64]) {
  for (int key = 0; key < HTZ_KEYS; ++key) {
    const htz_spec* object = htz_spec_object(spec, key);
    if (object && htz_spec_object_linked(object)) {
      keys[key / 64] |= UINT64_C(1) << (key % 64);
    }
  }
}

/** Build a part for the role on the channel. @return HTZ_FULL when there is no room for one more */
static htz_status build_part(htz_player* player, unsigned channel, unsigned number, const char** why) {
  const htz_role* role = &player->desc.orchestra->role[number];
  uint64_t keys[HTZ_KEYS / 64];
  uint8_t at = 0;
  while (at < HTZ_PARTS_MAX && player->parts[at].there) {
    at++;
  }
  if (at == HTZ_PARTS_MAX) {
    return HTZ_FULL;
  }
  keys_of(player, channel, role, keys);
  add_linked(role->spec, keys);
  const bool all = htz_spec_two_way(role->spec); // strings that answer a board are all needed, played or not
  player_part* part = &player->parts[at];
  const htz_status status =
      htz_built_new(role->spec, player->desc.rate_hz, role, player->desc.performance, all ? NULL : keys, &part->built, why);
  if (status == HTZ_OK) {
    part->there = true;
    part->channel = (uint8_t)channel;
    part->role = (uint8_t)number;
    player->part_of[channel][number] = at;
  }
  return status;
}

static void discard(htz_player* player, player_part* part) {
  htz_built_discard(&part->built);
  htz_built_free(&part->built);
  player->part_of[part->channel][part->role] = NO_PART;
  *part = (player_part){0};
}

/** True when a note of that cast on that channel needs the part. */
static bool needs(const htz_player* player, unsigned channel, const htz_cast* cast, unsigned i) {
  return htz_orchestra_plays(player->desc.orchestra, cast, cast->role[i], channel);
}

/** Build what the song wants as far as there is room for all of it; else what is needed is built when it is. */
static htz_status build_parts(htz_player* player, const char** why) {
  const htz_orchestra* orchestra = player->desc.orchestra;
  bool wanted[HTZ_MIDI_CHANNELS][HTZ_ROLES_MAX] = {{false}};
  size_t n = 0;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    const bool played = player->desc.performance->channels >> channel & 1u;
    for (unsigned number = 0; number < orchestra->n_casts && played; number++) {
      const htz_cast* cast = &orchestra->cast[number];
      for (unsigned i = 0; i < cast->n && htz_cast_has(&player->casts.of[channel], number); i++) {
        bool* of_role = &wanted[channel][cast->role[i]];
        if (!*of_role && needs(player, channel, cast, i)) {
          *of_role = true;
          n++;
        }
      }
    }
  }
  if (n > HTZ_PARTS_MAX) {
    return HTZ_OK;
  }
  htz_status status = HTZ_OK;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    for (unsigned role = 0; role < orchestra->n_roles && !status; role++) {
      status = wanted[channel][role] ? build_part(player, channel, role, why) : HTZ_OK;
    }
  }
  return status;
}

static bool attach(htz_player* player, player_part* part, uint64_t frame) {
  const htz_orchestra* orchestra = player->desc.orchestra;
  const htz_cast_set casts = htz_orchestra_casts_of(orchestra, part->role);
  htz_rt_enter();
  const bool attached = htz_built_attach(&part->built, player->engine, htz_orchestra_rank(orchestra, part->channel, part->role),
                                         part->built.settings, part->built.n_settings, &part->number);
  if (attached) {
    htz_engine_set_player(player->engine, part->number,
                          part->channel + HTZ_MIDI_CHANNELS * htz_orchestra_beside(orchestra, part->role));
    htz_midi_map_bind(player->map, part->number, part->channel, &part->built.known, &casts, frame);
    htz_dialled_begin(&player->dialled, part->role, player->engine, part->number);
    player->last = part->number;
  }
  htz_rt_leave();
  return attached;
}

/** The parts that the channel's next note needs join. Where the engine has no more of them, the last one plays. */
static void join(htz_player* player, unsigned channel, uint64_t frame) {
  const unsigned number = htz_midi_map_cast(player->map, channel);
  const htz_cast* cast = &player->desc.orchestra->cast[number];
  bool all = true;
  for (unsigned i = 0; i < cast->n; i++) {
    const uint8_t* at = &player->part_of[channel][cast->role[i]];
    const char* why = NULL;
    if (!needs(player, channel, cast, i)) {
      continue;
    }
    const htz_status status = *at == NO_PART ? build_part(player, channel, cast->role[i], &why) : HTZ_OK;
    player->status = status && status != HTZ_FULL ? status : player->status;
    all = status == HTZ_OK && (player->parts[*at].built.attached || attach(player, &player->parts[*at], frame)) && all;
  }
  if (!all && player->map->known) {
    player->map->parts_for[channel][number] |= UINT64_C(1) << player->last;
  }
}

static htz_status build(htz_player* player, const char** why) {
  const htz_player_desc* desc = &player->desc;
  const htz_engine_desc engine = {.rate_hz = desc->rate_hz};
  htz_status status = htz_engine_new(&engine, &player->engine);
  if (status) {
    return status;
  }
  htz_performance_begin(desc->performance, player->map, player->engine);
  htz_orchestra_tell(desc->orchestra, player->map);
  htz_smf_clock clock;
  status = htz_smf_clock_init(desc->song, desc->rate_hz, desc->tempo, &clock);
  if (status == HTZ_OK) {
    status = htz_song_casts_find(desc->song, desc->orchestra, desc->performance, &desc->dials, &player->casts);
  }
  if (status == HTZ_OK) {
    status = build_parts(player, why);
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
  memset(player->part_of, NO_PART, sizeof player->part_of);
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
  for (size_t i = 0; i < HTZ_PARTS_MAX; i++) {
    if (player->parts[i].there && !player->parts[i].built.attached) {
      discard(player, &player->parts[i]);
    }
  }
  htz_engine_free(player->engine);
  for (size_t i = 0; i < HTZ_PARTS_MAX; i++) {
    if (player->parts[i].there) {
      htz_built_free(&player->parts[i].built);
    }
  }
  free(player->map);
  free(player);
}

static void set(htz_player* player, const htz_dial* dial, uint64_t frame) {
  for (size_t i = dial->first; i < dial->first + dial->n; i++) {
    const htz_dial_moved moved = player->desc.dials.all->moved[i];
    const double value = player->desc.dials.all->value[i];
    htz_dialled_note(&player->dialled, moved, value);
    for (size_t p = 0; p < HTZ_PARTS_MAX; p++) {
      const player_part* part = &player->parts[p];
      if (part->built.attached && part->role == moved.role) {
        htz_dial_part(player->engine, &part->built, part->number, moved.param, value, frame);
      }
    }
  }
}

static void silence(htz_player* player, const htz_dial* dial, uint64_t frame, bool freed) {
  for (size_t p = 0; p < HTZ_PARTS_MAX; p++) {
    player_part* part = &player->parts[p];
    if (!part->built.attached || part->role != dial->role || !(dial->channels >> part->channel & 1u)) {
      continue;
    }
    if (!freed) {
      htz_engine_silence(player->engine, part->number, frame);
    } else if (htz_engine_detach_part(player->engine, part->number)) {
      htz_midi_map_unbind(player->map, part->number);
      part->built.attached = false;
      discard(player, part);
    } else {
      player->kept++;
    }
  }
}

/** Do what was dialled in while the song was played. */
static void obey_dial(htz_player* player, const htz_smf_event* event) {
  const htz_dial* dial = htz_dial_of(&player->desc.dials, event);
  if (!dial) {
    return; // told when it was read
  }
  switch (dial->kind) {
  case HTZ_DIAL_CHANGE:
    set(player, dial, event->frame);
    htz_dial_turn(dial, player->desc.orchestra->cast_of, player->map);
    break;
  case HTZ_DIAL_SILENCE:
  case HTZ_DIAL_FREE:
    silence(player, dial, event->frame, dial->kind == HTZ_DIAL_FREE);
    break;
  }
}

static void obey_event(htz_player* player, const htz_smf_event* event) {
  const unsigned channel = event->status & HTZ_MIDI_CHANNEL_MASK;
  const htz_midi_message message = {.frame = event->frame,
                                    .status = event->status,
                                    .data1 = event->data1,
                                    .data2 = event->data2,
                                    .length = event->length,
                                    .value = event->value};
  if (htz_midi_is_dial(event->status, event->data1)) {
    obey_dial(player, event);
    return;
  }
  if ((event->status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_ON && player->map->channels >> channel & 1u) {
    join(player, channel, event->frame);
  }
  htz_rt_enter();
  htz_midi_map_message(player->map, &message);
  htz_rt_leave();
}

// What happens in the next quantum: the song's events, what drives, the end.
static void obey(htz_player* player) {
  const htz_player_desc* desc = &player->desc;
  const uint64_t limit = htz_engine_now(player->engine) + HTZ_QUANTUM;
  const bool closing = !player->closed && desc->close < limit;
  // A song that is not cut short ends with its last event, which may lie on the closing frame itself.
  const uint64_t last = closing ? (desc->cut ? desc->close : desc->close + 1) : limit;
  while (!player->closed && player->have_next && player->next.frame < last) {
    obey_event(player, &player->next);
    player->have_next = htz_smf_iter_next(player->events, &player->next);
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
  for (size_t p = 0; p < HTZ_PARTS_MAX; p++) {
    const player_part* part = &player->parts[p];
    float(*to)[HTZ_QUANTUM] = sound[part->channel];
    for (size_t i = 0; i < HTZ_QUANTUM && part->built.attached; i++) {
      to[0][i] += player->apart[part->number][0][i];
      to[1][i] += player->apart[part->number][1][i];
    }
  }
}

htz_status htz_player_status(const htz_player* player) {
  return player->status;
}

uint64_t htz_player_kept(const htz_player* player) {
  return player->kept;
}

htz_engine_counters htz_player_engine_counters(const htz_player* player) {
  return htz_engine_count(player->engine);
}

htz_map_counters htz_player_map_counters(const htz_player* player) {
  return player->map->counters;
}
