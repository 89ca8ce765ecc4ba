#include "live_private.h"

#include "hertzian/midi/sysex.h"

enum {
  MESSAGES_MAX =
      512, // of keyboards and of a song, obeyed in one quantum; what is left waits for the next: still 300 000 a second
  CC_FIRST_MODE = 123, // all notes off, and the mode messages that imply it
  CC_SILENCE = 120,
  BEND_CENTRE = 8192,
  VALUE_MAX = 127,
};

const uint8_t htz_live_pedals[PEDALS] = {64, 66, 67}; // sustain, sostenuto, soft

static void clear_channel(htz_live* live, unsigned channel) {
  for (size_t s = 0; s < HTZ_LIVE_SOURCES; s++) {
    for (unsigned key = 0; key < HTZ_KEYS; key++) {
      live->source[s].held[channel][key] = 0;
    }
  }
}

// What the source holds after this message.
void htz_live_follow(htz_live* live, htz_live_source* source, const htz_midi_message* m) {
  if (m->status == HTZ_MIDI_RESET || (m->status == HTZ_MIDI_SYSTEM && m->data1 == HTZ_SYSTEM_RESET)) {
    for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
      clear_channel(live, channel);
    }
    return;
  }
  if (m->status == HTZ_MIDI_SYSTEM) {
    return; // no channel's
  }
  const unsigned channel = m->status & HTZ_MIDI_CHANNEL_MASK;
  uint16_t* held = &source->held[channel][m->data1 & 0x7F];
  switch (m->status & HTZ_MIDI_KIND_MASK) {
  case HTZ_MIDI_NOTE_ON:
    *held = (uint16_t)(*held + (*held < UINT16_MAX));
    break;
  case HTZ_MIDI_NOTE_OFF:
    *held = (uint16_t)(*held - (*held > 0));
    break;
  case HTZ_MIDI_BEND:
    source->bent[channel] = (m->data2 << 7 | m->data1) != BEND_CENTRE;
    break;
  case HTZ_MIDI_CONTROL:
    for (size_t p = 0; p < PEDALS; p++) {
      if (htz_live_pedals[p] == m->data1) {
        source->pedal[channel][p] = m->data2;
      }
    }
    if (m->data1 == CC_SILENCE || m->data1 >= CC_FIRST_MODE) {
      clear_channel(live, channel);
    }
    break;
  default:
    break;
  }
}

static void count_up(atomic_uint_fast64_t* counter, uint64_t by) {
  // One writer: no read-modify-write is needed.
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + by, memory_order_relaxed);
}

static void strike(htz_live* live, const htz_midi_message* m) {
  const unsigned channel = m->status & HTZ_MIDI_CHANNEL_MASK;
  const uint8_t cast = htz_midi_map_cast(live->map, channel);
  const htz_live_readiness found = htz_live_cast(live, channel, cast, m->frame);
  htz_midi_map_message(live->map, m);
  if (found == HTZ_LIVE_STOOD_IN) {
    live->map->parts_for[channel][cast] = 0;
  }
  if (found != HTZ_LIVE_READY) {
    count_up(&live->view.stood_in, 1);
  }
}

bool htz_live_has_role(const htz_live* live, unsigned channel, unsigned role) {
  const htz_cast* cast = &live->orchestra->cast[htz_midi_map_cast(live->map, channel)];
  bool any = false;
  for (unsigned i = 0; i < cast->n; i++) {
    any = any || cast->role[i] == role;
  }
  return any && (live->orchestra->role[role].channels >> channel & 1u);
}

// Of parts that channels have and wait for: these are wanted before any that are only kept ready.
void htz_live_count_asked(htz_live* live, unsigned role) {
  uint_fast32_t wanted = atomic_load_explicit(&live->taken[role], memory_order_relaxed);
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    wanted += live->part_of[channel][role] == HTZ_LIVE_NO_PART && htz_live_has_role(live, channel, role) &&
              ((live->asking & live->map->channels) >> channel & 1u);
  }
  atomic_store_explicit(&live->asked[role], wanted, memory_order_relaxed);
}

void htz_live_ask(htz_live* live, unsigned asking) {
  live->asking |= 1u << asking;
  const htz_cast* cast = &live->orchestra->cast[htz_midi_map_cast(live->map, asking)];
  for (unsigned i = 0; i < cast->n; i++) {
    htz_live_count_asked(live, cast->role[i]);
  }
}

// Hand a message to the map, and to whoever writes down what was played.
void htz_live_deliver(htz_live* live, const htz_midi_message* m) {
  const bool note = (m->status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_ON;
  if (note && live->map->channels >> (m->status & HTZ_MIDI_CHANNEL_MASK) & 1u) {
    strike(live, m);
  } else {
    htz_midi_map_message(live->map, m);
    if ((m->status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_PROGRAM) {
      htz_live_ask(live, m->status & HTZ_MIDI_CHANNEL_MASK);
    }
  }
  if (atomic_load_explicit(&live->log_midi, memory_order_relaxed)) {
    htz_ring_push(&live->played, m);
  }
  live->heard_to = m->frame;
  count_up(&live->view.messages, 1);
}

void htz_live_send(htz_live* live, uint8_t status, uint8_t data1, uint8_t data2, uint64_t frame) {
  const htz_midi_message m = {.frame = frame, .status = status, .data1 = data1, .data2 = data2, .length = 3};
  htz_live_deliver(live, &m);
}

// Let go of the keys that a source holds, and of nothing else.
static void release_keys(htz_live* live, size_t index, unsigned channel, uint64_t frame) {
  htz_live_source* source = &live->source[index];
  uint64_t released = 0;
  for (unsigned key = 0; key < HTZ_KEYS; key++) {
    uint16_t* held = &source->held[channel][key];
    released += *held > 0;
    for (; *held > 0; --*held) {
      htz_live_send(live, (uint8_t)(HTZ_MIDI_NOTE_OFF | channel), (uint8_t)key, HTZ_MIDI_RELEASE_VELOCITY, frame);
    }
  }
  count_up(&live->view.released[index], released);
}

void htz_live_release(htz_live* live, size_t index, bool centre, uint64_t frame) {
  htz_live_source* source = &live->source[index];
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    release_keys(live, index, channel, frame);
    for (size_t p = 0; p < PEDALS; p++) {
      if (source->pedal[channel][p] > 0) {
        source->pedal[channel][p] = 0;
        htz_live_send(live, (uint8_t)(HTZ_MIDI_CONTROL | channel), htz_live_pedals[p], 0, frame);
      }
    }
    if (centre && source->bent[channel]) {
      source->bent[channel] = false;
      htz_live_send(live, (uint8_t)(HTZ_MIDI_BEND | channel), 0, BEND_CENTRE >> 7, frame);
    }
  }
}

static uint64_t frame_of(const htz_live* live, double time_s, uint64_t now) {
  const double frame = htz_clock_frame(&live->clock, time_s) + live->delay;
  return live->asap || !(frame > (double)now) ? now : (uint64_t)frame;
}

// The source's next whole message, if it has one by now.
static void pull(htz_live* live, size_t index, uint64_t now) {
  htz_live_source* source = &live->source[index];
  htz_ring* ring = &live->midi[index];
  htz_midi_stamped item;
  if (!source->waiting && !source->lost) {
    source->waiting = htz_midi_parser_more(&source->parser, source->next.frame, &source->next);
  }
  for (size_t bound = htz_ring_count(ring); bound > 0 && !source->waiting && htz_ring_pop(ring, &item); --bound) {
    const uint64_t frame = frame_of(live, item.time_s, now);
    source->heard_at = frame;
    source->sensed = item.kind != HTZ_MIDI_IN_LOST && (source->sensed || item.byte == HTZ_MIDI_SENSING);
    if (item.kind == HTZ_MIDI_IN_LOST) {
      htz_midi_parser_reset(&source->parser);
      source->next = (htz_midi_message){.frame = frame};
      source->lost = true;
      source->waiting = true;
    } else if (htz_midi_parser_feed(&source->parser, item.byte, frame, &source->next)) {
      source->lost = false;
      source->waiting = true;
    }
  }
}

// The MIDI specification has 300 ms; senders are late, and nobody minds a note that much longer.
static const double silence_s = 0.5;

// A source that said it would be heard of and is not: its cable was pulled.
static void watch(htz_live* live, size_t index, uint64_t now) {
  htz_live_source* source = &live->source[index];
  if (live->sensing && source->sensed && !source->waiting && now > source->heard_at &&
      (double)(now - source->heard_at) > silence_s * live->rate_hz) {
    source->sensed = false;
    htz_midi_parser_reset(&source->parser);
    htz_live_release(live, index, true, now);
    count_up(&live->view.silent[index], 1);
  }
}

// The source whose next message is the earliest before `end`, of those that may have one obeyed.
static size_t earliest_of(const htz_live* live, uint64_t end, const unsigned left[2]) {
  size_t first = HTZ_LIVE_SOURCES;
  for (size_t s = 0; s < HTZ_LIVE_SOURCES; s++) {
    const htz_live_source* source = &live->source[s];
    if (source->waiting && source->next.frame < end && left[s == HTZ_LIVE_SONG] > 0 &&
        (first == HTZ_LIVE_SOURCES || source->next.frame < live->source[first].next.frame)) {
      first = s;
    }
  }
  return first;
}

static void turn_pedal(htz_live_source* source, htz_midi_message* m) {
  if ((m->status & HTZ_MIDI_KIND_MASK) != HTZ_MIDI_CONTROL || m->data1 != htz_live_pedals[0]) {
    return;
  }
  if (source->pedal_way == HTZ_PEDAL_LEARNT) {
    source->pedal_way = m->data2 == 0 ? HTZ_PEDAL_INVERTED : HTZ_PEDAL_NORMAL;
  }
  m->data2 = source->pedal_way == HTZ_PEDAL_INVERTED ? (uint8_t)(VALUE_MAX - m->data2) : m->data2;
}

static void take(htz_live* live, size_t index, uint64_t frame) {
  htz_live_source* source = &live->source[index];
  htz_midi_message message = source->next;
  message.frame = frame;
  source->waiting = false;
  if (index == HTZ_LIVE_SONG) {
    htz_live_song_obey(live, frame);
  } else if (source->lost) {
    htz_live_release(live, index, true, frame);
  } else {
    turn_pedal(source, &message);
    htz_live_follow(live, source, &message);
    htz_live_deliver(live, &message);
  }
}

void htz_live_listen(htz_live* live, uint64_t now) {
  const uint64_t end = now + HTZ_QUANTUM;
  unsigned left[2] = {MESSAGES_MAX, MESSAGES_MAX}; // a flood of the one does not keep the other waiting
  htz_live_song_turn(live, now);
  htz_live_song_pull(live, now);
  for (size_t s = 0; s < HTZ_MIDI_SOURCES_MAX; s++) {
    pull(live, s, now);
    watch(live, s, now);
  }
  for (size_t first = earliest_of(live, end, left); first < HTZ_LIVE_SOURCES; first = earliest_of(live, end, left)) {
    // It had to wait, or the clock has learnt better since the last one.
    const uint64_t earliest = live->heard_to > now ? live->heard_to : now;
    const uint64_t frame = live->source[first].next.frame;
    take(live, first, frame < earliest ? earliest : frame);
    left[first == HTZ_LIVE_SONG]--;
    if (first == HTZ_LIVE_SONG) {
      htz_live_song_pull(live, now);
    } else {
      pull(live, first, now);
    }
  }
  htz_live_song_advance(live);
}

void htz_live_panic(htz_live* live, uint64_t now) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if (live->map->parts_of[channel] != 0) {
      clear_channel(live, channel);
      htz_live_send(live, (uint8_t)(HTZ_MIDI_CONTROL | channel), CC_SILENCE, 0, now);
    }
  }
}
