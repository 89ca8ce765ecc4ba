#include "hertzian/host/live_pool.h"

#include "hertzian/host/song_casts.h"

#include <stdlib.h>
#include <string.h>

enum {
  AHEAD_MAIN = 4,          // of what plays unless told: as many channels may begin at the same moment
  AHEAD_SMALL = 2,         // of a small one: two channels may change to it at the same moment
  AHEAD_OTHER = 1,         // of every other: program changes come one at a time
  AHEAD_BYTES = 512 << 20, // for an instrument of its own, one for every channel as long as that takes no more memory
};

/** Parts of a role that there can be use for: one for each channel that may play it. */
static uint32_t most_of(const htz_live_pool* pool, unsigned role) {
  uint32_t n = 0;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    n += (pool->performance->channels >> channel & 1u) &&
         (htz_orchestra_wants(pool->orchestra, role, channel) || (pool->song[role] >> channel & 1u));
  }
  return n;
}

/** The first note on a channel shall find its parts: one of each role that is played before any program change. */
static void expect_first(htz_live_pool* pool) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    const htz_cast* cast = htz_orchestra_cast(pool->orchestra, channel, 0, 0);
    for (unsigned i = 0; i < cast->n && (pool->performance->channels >> channel & 1u); i++) {
      const uint8_t role = cast->role[i];
      if (pool->cast[role] == 0 && (pool->orchestra->role[role].channels >> channel & 1u)) {
        pool->cast[role] = (uint16_t)(1u << channel);
        pool->first[role] = true;
      }
    }
  }
}

/** Its parts have proved small: they are kept ready whatever large ones take. */
static bool is_small(const htz_live_pool* pool, unsigned role) {
  return pool->size[role] > 0 && pool->size[role] <= HTZ_LIVE_SMALL_BYTES;
}

static void know_ahead(htz_live_pool* pool, unsigned role) {
  const bool main = role == 0 || pool->first[role];
  pool->ahead[role] = main ? AHEAD_MAIN : is_small(pool, role) ? AHEAD_SMALL : AHEAD_OTHER;
}

static void know_role(htz_live_pool* pool, unsigned role) {
  pool->most[role] = most_of(pool, role);
  know_ahead(pool, role);
}

void htz_live_pool_init(htz_live_pool* pool, const htz_orchestra* orchestra, const htz_performance* performance,
                        htz_live* live) {
  *pool = (htz_live_pool){.orchestra = orchestra, .performance = performance, .live = live, .n_fixed = orchestra->n_casts};
  live->orchestra = orchestra;
  htz_orchestra_tell(orchestra, live->map);
  memcpy(live->own_cast, live->map->cast_of, sizeof live->own_cast);
  for (unsigned role = 0; role < orchestra->n_roles; role++) {
    live->casts_of[role] = htz_orchestra_casts_of(orchestra, role);
    know_role(pool, role);
  }
  expect_first(pool);
  for (unsigned role = 0; role < orchestra->n_roles; role++) {
    know_role(pool, role); // once more, now that it is known which are first
  }
}

static htz_status build(htz_live_pool* pool, uint32_t role, const char** why) {
  htz_live_prebuilt* prebuilt = calloc(1, sizeof *prebuilt);
  if (!prebuilt) {
    return HTZ_NO_MEMORY;
  }
  const htz_role* of = &pool->orchestra->role[role];
  prebuilt->role = role;
  prebuilt->beside = htz_orchestra_beside(pool->orchestra, role);
  const htz_status st = htz_built_new(of->spec, pool->live->rate_hz, of, pool->performance, NULL, &prebuilt->built, why);
  if (st) {
    free(prebuilt);
    return st;
  }
  if (pool->built[role] < AHEAD_MAIN) {
    htz_built_touch(&prebuilt->built); // for more channels than that, memory is worth more than a late block
  }
  prebuilt->next = pool->all;
  pool->all = prebuilt;
  pool->built[role]++;
  if (pool->size[role] == 0) { // now it is known
    pool->size[role] = prebuilt->built.memory.size;
    know_ahead(pool, role);
    const size_t enough = AHEAD_BYTES / HTZ_MIDI_CHANNELS / pool->orchestra->n_roles;
    if (pool->orchestra->n_casts == 1 && pool->size[role] <= enough) {
      pool->ahead[role] = HTZ_MIDI_CHANNELS;
    }
  }
  htz_ring_push(&pool->live->prebuilt_ring, &prebuilt); // larger than all that can wait
  return HTZ_OK;
}

htz_status htz_live_pool_expect(htz_live_pool* pool, const htz_smf* song, const htz_dial_span* dials, uint16_t channels) {
  const htz_orchestra* orchestra = pool->orchestra;
  const uint16_t play = channels & pool->performance->channels & htz_smf_get_info(song)->channels_with_notes;
  htz_song_casts* casts = malloc(sizeof *casts);
  const htz_status status = casts ? htz_song_casts_find(song, orchestra, pool->performance, dials, casts) : HTZ_NO_MEMORY;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS && !status; channel++) {
    for (unsigned number = 0; (play >> channel & 1u) && number < orchestra->n_casts; number++) {
      const htz_cast* cast = &orchestra->cast[number];
      for (unsigned i = 0; i < cast->n && htz_cast_has(&casts->of[channel], number); i++) {
        const uint8_t role = cast->role[i];
        const unsigned bit = orchestra->role[role].channels & 1u << channel;
        pool->cast[role] = (uint16_t)(pool->cast[role] | bit);
        pool->song[role] = (uint16_t)(pool->song[role] | bit);
        know_role(pool, role);
      }
    }
  }
  free(casts);
  return status;
}

bool htz_live_pool_begun(const htz_live_pool* pool) {
  bool begun = true;
  for (uint32_t role = 0; role < pool->orchestra->n_roles; role++) {
    begun = begun && (!pool->first[role] || pool->built[role] > 0);
  }
  return begun;
}

static uint32_t expected(const htz_live_pool* pool, uint32_t role) {
  uint32_t n = 0;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    n += pool->cast[role] >> channel & 1u;
  }
  return n < pool->most[role] ? n : pool->most[role];
}

bool htz_live_pool_ready(const htz_live_pool* pool) {
  bool ready = true;
  for (uint32_t i = 0; i < pool->orchestra->n_roles; i++) {
    ready = ready && pool->built[i] >= expected(pool, i);
  }
  return ready || pool->failed;
}

static uint32_t ready_of(const htz_live_pool* pool, uint32_t role) {
  return pool->built[role] - (uint32_t)atomic_load_explicit(&pool->live->taken[role], memory_order_relaxed);
}

/** True when no more may be kept ready than is. */
static bool ready_enough(const htz_live_pool* pool) {
  size_t bytes = 0;
  for (uint32_t role = 0; role < pool->orchestra->n_roles; role++) {
    bytes += ready_of(pool, role) * pool->size[role];
  }
  return bytes >= HTZ_LIVE_READY_BYTES && pool->orchestra->n_casts > 1;
}

void htz_live_pool_collect(htz_live_pool* pool) {
  htz_live_prebuilt* part;
  while (htz_ring_pop(&pool->live->retired, &part)) {
    htz_live_prebuilt** at = &pool->all;
    while (*at != part) {
      at = &(*at)->next;
    }
    *at = part->next;
    pool->built[part->role]--;
    htz_built_discard(&part->built);
    htz_built_free(&part->built);
    free(part);
  }
}

htz_status htz_live_pool_build(htz_live_pool* pool, bool* built, const char** why) {
  *built = false;
  *why = NULL;
  uint32_t best = HTZ_ROLES_MAX, fewest = UINT32_MAX;
  htz_live_pool_collect(pool);
  const bool enough = ready_enough(pool);
  for (uint32_t i = 0; i < pool->orchestra->n_roles && !pool->failed; i++) {
    const uint32_t asked = (uint32_t)atomic_load_explicit(&pool->live->asked[i], memory_order_relaxed);
    const uint32_t ready = ready_of(pool, i);
    if (pool->built[i] < pool->most[i] && (asked > pool->built[i] || pool->built[i] < expected(pool, i))) {
      best = i; // a channel waits for it, or will
      break;
    }
    if ((!enough || is_small(pool, i)) && ready < pool->ahead[i] && pool->built[i] < pool->most[i] && ready < fewest) {
      best = i;
      fewest = ready;
    }
  }
  if (best == HTZ_ROLES_MAX) {
    return HTZ_OK;
  }
  const htz_status st = build(pool, best, why);
  pool->failed = st != HTZ_OK;
  *built = st == HTZ_OK;
  return st;
}

void htz_live_pool_discard(htz_live_pool* pool) {
  for (htz_live_prebuilt* prebuilt = pool->all; prebuilt; prebuilt = prebuilt->next) {
    htz_built_discard(&prebuilt->built);
  }
}

void htz_live_pool_free(htz_live_pool* pool) {
  while (pool->all) {
    htz_live_prebuilt* prebuilt = pool->all;
    pool->all = prebuilt->next;
    htz_built_free(&prebuilt->built);
    free(prebuilt);
  }
}

/** All of `what` [n], or nothing. */
static htz_status order(htz_live_pool* pool, const htz_live_order* what, size_t n) {
  htz_ring* orders = &pool->live->orders;
  if (htz_ring_count(orders) + n > orders->mask + 1) {
    return HTZ_FULL;
  }
  for (size_t i = 0; i < n; i++) {
    htz_ring_push(orders, &what[i]);
  }
  pool->ordered += n;
  return HTZ_OK;
}

htz_status htz_live_pool_turn(htz_live_pool* pool, htz_orchestra* orchestra, uint8_t number, uint16_t channels, uint32_t said,
                              const char** why) {
  const htz_cast* cast = &orchestra->cast[number];
  htz_status status = HTZ_OK;
  *why = NULL;
  for (unsigned i = 0; i < cast->n && !status; i++) {
    const uint8_t role = cast->role[i];
    pool->live->casts_of[role] = htz_orchestra_casts_of(orchestra, role); // nobody plays it yet, or it stays as it is
    if (ready_of(pool, role) == 0) {
      status = build(pool, role, why);
    }
  }
  const htz_live_order turn = {.kind = HTZ_ORDER_CAST, .cast = number, .channels = channels, .said = said};
  status = status ? status : order(pool, &turn, 1);
  if (status) {
    return status;
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    orchestra->cast_of[channel] = channels >> channel & 1u ? number : orchestra->cast_of[channel];
  }
  for (unsigned role = 0; role < orchestra->n_roles; role++) {
    know_role(pool, role);
    const htz_live_order drop = {.kind = HTZ_ORDER_DROP, .role = role};
    pool->cast[role] = pool->most[role] > 0 ? pool->cast[role] : 0;
    if (pool->most[role] == 0 && ready_of(pool, role) > 0) {
      order(pool, &drop, 1); // else they only take memory
    }
  }
  return HTZ_OK;
}

htz_status htz_live_pool_set(htz_live_pool* pool, const htz_dial_moved* moved, size_t n, double value, uint32_t said) {
  htz_live_order orders[HTZ_ROLES_MAX] = {{.kind = HTZ_ORDER_SET}};
  size_t more = 0;
  for (size_t i = 0; i < n; i++) {
    more += !htz_dialled_has(&pool->dialled, moved[i]);
  }
  if (n > HTZ_ROLES_MAX || pool->dialled.n + pool->n_song_dialled + more > HTZ_DIALLED_MAX) {
    return HTZ_FULL;
  }
  for (size_t i = 0; i < n; i++) {
    orders[i] = (htz_live_order){.kind = HTZ_ORDER_SET,
                                 .role = moved[i].role,
                                 .param = moved[i].param,
                                 .value = value,
                                 .more = (uint16_t)(i == 0 ? n - 1 : 0),
                                 .said = i == 0 ? said : 0};
  }
  const htz_status status = order(pool, orders, n);
  for (size_t i = 0; i < n && !status; i++) {
    htz_dialled_note(&pool->dialled, moved[i], value);
  }
  return status;
}

// ---- what was read again

static bool is_chosen(const htz_orchestra* orchestra, unsigned number) {
  bool chosen = false;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    chosen = chosen || orchestra->cast_of[channel] == number;
  }
  return chosen;
}

static bool is_built(const htz_live_pool* pool, const htz_cast* cast) {
  bool built = false;
  for (unsigned i = 0; i < cast->n; i++) {
    built = built || pool->built[cast->role[i]] > 0;
  }
  return built;
}

// @return whether the audio thread has forgotten those that go, and whoever writes down what it said has read so far
static bool is_past(htz_live_pool* pool) {
  const htz_live* live = pool->live;
  if (!pool->passed) {
    pool->passed = atomic_load_explicit(&live->view.obeyed, memory_order_acquire) >= pool->going_at;
    pool->heard_to = htz_ring_pushed(&live->played);
  }
  return pool->passed && htz_ring_popped(&live->played) - pool->heard_to <= SIZE_MAX / 2;
}

static void forget_roles(htz_live_pool* pool, const htz_cast* cast) {
  for (unsigned i = 0; i < cast->n; i++) {
    const uint8_t role = cast->role[i];
    htz_dialled_forget(&pool->dialled, role);
    pool->size[role] = 0;
    pool->cast[role] = pool->song[role] = 0;
    pool->most[role] = 0;
    pool->first[role] = false;
    know_ahead(pool, role);
  }
}

static void free_those_that_went(htz_live_pool* pool, htz_orchestra* orchestra) {
  for (unsigned number = (unsigned)orchestra->n_casts; number-- > pool->n_fixed;) {
    if (htz_cast_has(&pool->going, number)) {
      forget_roles(pool, &orchestra->cast[number]);
      htz_orchestra_forget(orchestra, number);
      htz_cast_drop(&pool->leaving, number);
    }
  }
  pool->any_going = pool->passed = false;
  memset(&pool->going, 0, sizeof pool->going);
}

void htz_live_pool_tidy(htz_live_pool* pool, htz_orchestra* orchestra) {
  htz_live_pool_collect(pool);
  if (pool->any_going && !is_past(pool)) {
    return;
  }
  if (pool->any_going) {
    free_those_that_went(pool, orchestra);
  }
  for (unsigned number = (unsigned)pool->n_fixed; number < orchestra->n_casts; number++) {
    const htz_cast* cast = &orchestra->cast[number];
    const htz_live_order leave = {.kind = HTZ_ORDER_LEAVE, .cast = (uint8_t)number};
    const htz_live_order forget = {.kind = HTZ_ORDER_FORGET, .cast = (uint8_t)number};
    if (is_chosen(orchestra, number) || !htz_orchestra_outdated(orchestra, number)) {
      continue;
    }
    if (!htz_cast_has(&pool->leaving, number)) {
      if (order(pool, &leave, 1) == HTZ_OK) {
        htz_cast_add(&pool->leaving, number);
      }
    } else if (!is_built(pool, cast) && order(pool, &forget, 1) == HTZ_OK) {
      htz_cast_add(&pool->going, number);
      pool->any_going = true;
      pool->going_at = pool->ordered;
    }
  }
}
