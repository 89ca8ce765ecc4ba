#include "live_private.h"

/* What the control thread orders, and parts that nobody plays any more. */

static void set_part(htz_live* live, uint32_t part, uint32_t param, double value) {
  const htz_param_change change = {.frame = htz_engine_now(live->engine),
                                   .value = value,
                                   .ramp = HTZ_QUANTUM,
                                   .part = (uint16_t)part,
                                   .key = HTZ_KEY_ALL,
                                   .index = param};
  htz_engine_change(live->engine, &change);
}

void htz_live_dial(htz_live* live, uint32_t part, uint32_t role) {
  for (uint32_t i = 0; i < live->n_dialled; i++) {
    if (live->dialled[i].role == role) {
      set_part(live, part, live->dialled[i].param, live->dialled[i].value);
    }
  }
}

static void set(htz_live* live, const htz_live_order* order) {
  live->n_dialled = order->place < live->n_dialled ? live->n_dialled : order->place + 1;
  live->dialled[order->place] = *order;
  for (uint32_t part = 0; part < HTZ_PARTS_MAX; part++) {
    if (live->attached[part] && live->attached[part]->role == order->role) {
      set_part(live, part, order->param, order->value);
    }
  }
}

static void drop(htz_live* live, uint32_t role) {
  uint32_t* n = &live->n_prebuilt[role];
  while (*n > 0 && htz_ring_push(&live->retired, &live->prebuilt[role][*n - 1])) {
    --*n;
  }
}

static void turn_to(htz_live* live, const htz_live_order* order) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if (order->channels >> channel & 1u) {
      live->map->cast_of[channel] = order->cast;
      htz_live_ask(live, channel);
    }
  }
}

void htz_live_obey_orders(htz_live* live) {
  enum { AT_A_TIME = 128 }; // of a block
  htz_live_order order;
  for (unsigned bound = AT_A_TIME; bound > 0 && htz_ring_pop(&live->orders, &order); --bound) {
    switch (order.kind) {
    case HTZ_ORDER_CAST:
      turn_to(live, &order);
      break;
    case HTZ_ORDER_SET:
      set(live, &order);
      break;
    case HTZ_ORDER_DROP:
      drop(live, order.role);
      break;
    }
  }
}

/** True while the channel that the part plays on is played by it. */
static bool is_wanted(const htz_live* live, const htz_live_prebuilt* part) {
  return htz_live_has_role(live, part->channel, part->role);
}

// The part goes to the control thread, which frees it.
static void retire(htz_live* live, uint32_t number) {
  htz_live_prebuilt* part = live->attached[number];
  if (!htz_ring_push(&live->retired, &part)) {
    return; // later
  }
  htz_engine_detach_part(live->engine, number);
  part->built.attached = false;
  htz_midi_map_unbind(live->map, number);
  live->attached[number] = NULL;
  live->part_of[part->channel][part->role] = HTZ_LIVE_NO_PART;
  live->parts--;
  live->bytes -= part->built.memory.size;
  atomic_fetch_sub_explicit(&live->taken[part->role], 1, memory_order_relaxed);
  htz_live_count_asked(live, part->role);
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
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    atomic_store_explicit(&live->view.cast[channel], htz_midi_map_cast(live->map, channel), memory_order_relaxed);
  }
  atomic_store_explicit(&live->view.bytes, live->bytes, memory_order_relaxed);
  atomic_store_explicit(&live->view.parts, live->parts, memory_order_relaxed);
  if (live->bytes <= HTZ_LIVE_BYTES && live->parts <= HTZ_LIVE_PARTS) {
    return;
  }
  const uint32_t silent = oldest_of(live, true);
  if (silent < HTZ_PARTS_MAX) {
    retire(live, silent);
  } else if (live->bytes > HTZ_LIVE_BYTES_HARD || live->parts > HTZ_LIVE_PARTS) {
    const uint32_t ringing = oldest_of(live, false);
    if (ringing < HTZ_PARTS_MAX) {
      htz_engine_silence(live->engine, ringing, now); // it goes with the next pass
    }
  }
}
