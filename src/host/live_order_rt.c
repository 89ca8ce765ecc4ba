#include "live_private.h"

#include "hertzian/midi/sysex.h"

#include <math.h>

/* What the control thread orders, what songs dial in, and parts that nobody plays any more. */

void htz_live_tell(htz_live* live, htz_live_said said, uint32_t value, uint64_t frame) {
  const htz_midi_message m = {
      .frame = frame, .status = HTZ_MIDI_SYSTEM, .data1 = HTZ_SYSTEM_DIAL, .data2 = (uint8_t)said, .length = 1, .value = value};
  if (atomic_load_explicit(&live->log_midi, memory_order_relaxed)) {
    htz_ring_push(&live->played, &m);
  }
}

static void set_at(htz_live* live, uint32_t place, double value, uint64_t frame) {
  const htz_dial_moved moved = live->dialled.moved[place];
  live->dialled.value[place] = value;
  for (uint32_t part = 0; part < HTZ_PARTS_MAX; part++) {
    if (live->attached[part] && live->attached[part]->role == moved.role) {
      htz_dial_part(live->engine, &live->attached[part]->built, part, moved.param, value, frame);
    }
  }
}

// @return where it is kept; the control thread knows how many there are
static uint32_t place_of(htz_live* live, htz_dial_moved moved) {
  const uint32_t known = live->dialled.n;
  const uint32_t place = htz_dialled_note(&live->dialled, moved, (double)NAN);
  if (live->dialled.n > known) {
    live->own_set[place] = (double)NAN;
    atomic_store_explicit(&live->view.song_set[place], (double)NAN, memory_order_relaxed);
    atomic_store_explicit(&live->view.dialled, live->dialled.n, memory_order_release);
  }
  return place;
}

static void set(htz_live* live, htz_dial_moved moved, double value, uint64_t frame) {
  const uint32_t place = place_of(live, moved);
  if (place < HTZ_DIALLED_MAX) {
    live->own_set[place] = value;
    atomic_store_explicit(&live->view.song_set[place], (double)NAN, memory_order_relaxed);
    set_at(live, place, value, frame);
  }
}

static void set_by_song(htz_live* live, htz_dial_moved moved, double value, uint64_t frame) {
  const uint32_t place = place_of(live, moved);
  if (place < HTZ_DIALLED_MAX) {
    atomic_store_explicit(&live->view.song_set[place], value, memory_order_relaxed);
    set_at(live, place, isnan(value) ? live->own_set[place] : value, frame);
  }
}

static void forget_settings(htz_live* live, uint32_t role) {
  for (uint32_t at = live->dialled.first[role]; at > 0; at = live->dialled.next[at - 1]) {
    live->own_set[at - 1] = (double)NAN;
    atomic_store_explicit(&live->view.song_set[at - 1], (double)NAN, memory_order_relaxed);
  }
  htz_dialled_forget(&live->dialled, role);
}

static void drop(htz_live* live, uint32_t role) {
  uint32_t* n = &live->n_prebuilt[role];
  while (*n > 0 && htz_ring_push(&live->retired, &live->prebuilt[role][*n - 1])) {
    --*n;
  }
}

static void ask_for(htz_live* live, unsigned channels) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if (channels >> channel & 1u) {
      htz_live_ask(live, channel);
    }
  }
}

static void turn_to(htz_live* live, uint16_t channels, uint8_t cast) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if (channels >> channel & 1u) {
      live->own_cast[channel] = cast;
      live->map->cast_of[channel] = cast;
    }
  }
  ask_for(live, channels);
}

static void publish_casts(htz_live* live) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    atomic_store_explicit(&live->view.cast[channel], htz_midi_map_cast(live->map, channel), memory_order_relaxed);
  }
}

static void let_leave(htz_live* live, const htz_cast* cast) {
  for (unsigned i = 0; i < cast->n; i++) {
    const uint8_t role = cast->role[i];
    live->n_leaving += !live->leaving[role];
    live->leaving[role] = true;
    drop(live, role);
  }
}

static void forget(htz_live* live, uint8_t number) {
  const htz_cast* cast = &live->orchestra->cast[number];
  for (unsigned i = 0; i < cast->n; i++) {
    const uint8_t role = cast->role[i];
    live->n_leaving -= live->leaving[role];
    live->leaving[role] = false;
    forget_settings(live, role);
    atomic_store_explicit(&live->asked[role], 0, memory_order_relaxed);
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    live->map->parts_for[channel][number] = 0;
  }
  publish_casts(live);
}

static void obey(htz_live* live, const htz_live_order* order, uint64_t now) {
  switch (order->kind) {
  case HTZ_ORDER_CAST:
    live->song_cast = (uint16_t)(live->song_cast & ~order->channels);
    turn_to(live, order->channels, order->cast);
    break;
  case HTZ_ORDER_SET:
    set(live, (htz_dial_moved){order->role, order->param}, order->value, now);
    break;
  case HTZ_ORDER_DROP:
    drop(live, order->role);
    break;
  case HTZ_ORDER_LEAVE:
    let_leave(live, &live->orchestra->cast[order->cast]);
    break;
  case HTZ_ORDER_FORGET:
    forget(live, order->cast);
    break;
  }
  if (order->said > 0) {
    htz_live_tell(live, HTZ_SAID_ORDER, order->said, now);
  }
  atomic_fetch_add_explicit(&live->view.obeyed, 1, memory_order_release);
}

void htz_live_obey_orders(htz_live* live) {
  enum { AT_A_TIME = 128 }; // of a block, and those that belong to the last of them
  const uint64_t now = htz_engine_now(live->engine);
  unsigned left = AT_A_TIME;
  htz_live_order order;
  while (left > 0 && htz_ring_peek(&live->orders, &order) && htz_ring_count(&live->orders) > order.more) {
    const unsigned together = order.more + 1u;
    for (unsigned i = 0; i < together && htz_ring_pop(&live->orders, &order); i++) {
      obey(live, &order, now);
    }
    left -= left < together ? left : together;
  }
}

void htz_live_song_dial(htz_live* live, uint32_t number, uint64_t frame) {
  const htz_dials* dials = live->dials;
  const htz_dial* dial = &dials->of[number];
  if (dial->kind != HTZ_DIAL_CHANGE) {
    return; // parts are freed as this performance needs it
  }
  for (size_t i = dial->first; i < dial->first + dial->n; i++) {
    set_by_song(live, dials->moved[i], dials->value[i], frame);
  }
  htz_dial_turn(dial, live->own_cast, live->map);
  live->song_cast = (uint16_t)((live->song_cast | dial->channels) & ~dial->back);
  ask_for(live, dial->channels | dial->back);
  live->song_dialled = true;
  htz_live_tell(live, HTZ_SAID_SONG, number, frame);
}

void htz_live_song_undial(htz_live* live, uint64_t frame) {
  const htz_dial back = {.back = live->song_cast};
  if (!live->song_dialled) {
    return;
  }
  for (uint32_t place = 0; place < live->dialled.n; place++) {
    if (!isnan(atomic_load_explicit(&live->view.song_set[place], memory_order_relaxed))) {
      atomic_store_explicit(&live->view.song_set[place], (double)NAN, memory_order_relaxed);
      set_at(live, place, live->own_set[place], frame);
    }
  }
  htz_dial_turn(&back, live->own_cast, live->map);
  ask_for(live, live->song_cast);
  live->song_cast = 0;
  live->song_dialled = false;
  htz_live_tell(live, HTZ_SAID_BEGIN, 0, frame);
}

/** True while the channel that the part plays on is played by it. */
static bool is_wanted(const htz_live* live, const htz_live_prebuilt* part) {
  return htz_live_has_role(live, part->channel, part->role);
}

static uint32_t which(const htz_live_prebuilt* part) {
  return part->channel + HTZ_MIDI_CHANNELS * part->role;
}

// The part goes to the control thread, which frees it.
static void retire(htz_live* live, uint32_t number, uint64_t now) {
  htz_live_prebuilt* part = live->attached[number];
  if (htz_ring_count(&live->retired) > live->retired.mask) {
    return; // later; only this thread fills it
  }
  htz_engine_detach_part(live->engine, number);
  htz_live_tell(live, HTZ_SAID_FREE, which(part), now);
  part->built.attached = false;
  htz_midi_map_unbind(live->map, number);
  live->attached[number] = NULL;
  live->part_of[part->channel][part->role] = HTZ_LIVE_NO_PART;
  live->parts--;
  live->bytes -= part->built.memory.size;
  atomic_fetch_sub_explicit(&live->taken[part->role], 1, memory_order_relaxed);
  htz_live_count_asked(live, part->role);
  htz_ring_push(&live->retired, &part); // from here on it may be gone
}

// A part that is silent and that nobody will want again. @return HTZ_PARTS_MAX for none
static uint32_t one_that_leaves(htz_live* live) {
  for (uint32_t role = 0; role < HTZ_ROLES_MAX; role++) {
    if (live->leaving[role]) {
      drop(live, role); // built meanwhile
    }
  }
  for (uint32_t number = 0; number < HTZ_PARTS_MAX; number++) {
    const htz_live_prebuilt* part = live->attached[number];
    if (part && live->leaving[part->role] && !is_wanted(live, part) && htz_engine_part_asleep(live->engine, number)) {
      return number;
    }
  }
  return HTZ_PARTS_MAX;
}

// Of the parts that nobody wants, the one that was wanted last longest ago, among those that are silent. @return HTZ_PARTS_MAX for none
static uint32_t oldest_of(const htz_live* live, bool silent) {
  uint32_t oldest = HTZ_PARTS_MAX;
  for (uint32_t number = 0; number < HTZ_PARTS_MAX; number++) {
    const htz_live_prebuilt* part = live->attached[number];
    if (part && !is_wanted(live, part) && (!silent || htz_engine_part_asleep(live->engine, number)) &&
        (oldest == HTZ_PARTS_MAX || part->used < live->attached[oldest]->used)) {
      oldest = number;
    }
  }
  return oldest;
}

void htz_live_retire(htz_live* live) {
  const uint64_t now = htz_engine_now(live->engine);
  for (uint32_t number = 0; number < HTZ_PARTS_MAX; number++) {
    htz_live_prebuilt* part = live->attached[number];
    if (part && is_wanted(live, part)) {
      part->used = now;
    }
  }
  publish_casts(live);
  atomic_store_explicit(&live->view.bytes, live->bytes, memory_order_relaxed);
  atomic_store_explicit(&live->view.parts, live->parts, memory_order_relaxed);
  const uint32_t leaves = live->n_leaving > 0 ? one_that_leaves(live) : HTZ_PARTS_MAX;
  if (leaves < HTZ_PARTS_MAX) {
    retire(live, leaves, now);
  }
  if (live->bytes <= HTZ_LIVE_BYTES && live->parts <= HTZ_LIVE_PARTS) {
    return;
  }
  const uint32_t silent = oldest_of(live, true);
  if (silent < HTZ_PARTS_MAX) {
    retire(live, silent, now);
  } else if (live->bytes > HTZ_LIVE_BYTES_HARD || live->parts > HTZ_LIVE_PARTS) {
    const uint32_t ringing = oldest_of(live, false);
    if (ringing < HTZ_PARTS_MAX) {
      htz_engine_silence(live->engine, ringing, now); // it goes with the next pass
      htz_live_tell(live, HTZ_SAID_SILENCE, which(live->attached[ringing]), now);
    }
  }
}
