#include "synth_private.h"

#include "hertzian/midi/sysex.h"

#include <string.h>

int htz_synth_attach(htz_synth* synth, htz_synth_part* part, unsigned channels) {
  uint32_t number = 0;
  if (!part || part->synth != synth || part->built.attached || channels == 0 || channels > HTZ_ALL_CHANNELS ||
      synth->n_parts == HTZ_SYNTH_PARTS ||
      !htz_built_attach(&part->built, synth->engine, synth->n_parts, part->settings, part->n_settings, &number)) {
    return -1;
  }
  part->next = synth->parts;
  synth->parts = part;
  synth->n_parts++;
  htz_cast_set all;
  memset(&all, 0xFF, sizeof all);
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    if (channels >> channel & 1u) {
      memset(synth->map->parts_for[channel], 0, sizeof synth->map->parts_for[channel]); // in place of what played there
      htz_midi_map_bind(synth->map, number, channel, &part->built.known, &all, htz_engine_now(synth->engine));
    }
  }
  return (int)number;
}

uint64_t htz_synth_now(const htz_synth* synth) {
  return synth->given;
}

uint32_t htz_synth_latency(const htz_synth* synth) {
  return synth->latency;
}

static bool before(const htz_synth_event* a, const htz_synth_event* b) {
  return a->frame < b->frame || (a->frame == b->frame && a->order < b->order);
}

static bool enqueue(htz_synth* synth, htz_synth_event* event) {
  if (synth->n_waiting == synth->capacity) {
    synth->dropped++;
    return false;
  }
  event->order = synth->order++;
  htz_synth_event* heap = synth->waiting;
  size_t at = synth->n_waiting++;
  while (at > 0 && before(event, &heap[(at - 1) / 2])) {
    heap[at] = heap[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap[at] = *event;
  return true;
}

static htz_synth_event take_first(htz_synth* synth) {
  htz_synth_event* heap = synth->waiting;
  const htz_synth_event first = heap[0];
  const htz_synth_event* last = &heap[--synth->n_waiting];
  const size_t n = synth->n_waiting;
  size_t at = 0;
  for (size_t child = 1; child < n; child = 2 * at + 1) {
    child += child + 1 < n && before(&heap[child + 1], &heap[child]);
    if (before(last, &heap[child])) {
      break;
    }
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = *last;
  return first;
}

static bool whole(const uint8_t* bytes, size_t size) {
  if (!bytes || size == 0 || bytes[0] < HTZ_MIDI_NOTE_OFF) {
    return false;
  }
  if (bytes[0] == HTZ_MIDI_RESET) {
    return size == 1;
  }
  const uint8_t kind = bytes[0] & HTZ_MIDI_KIND_MASK;
  const size_t wanted = kind == HTZ_MIDI_PROGRAM || kind == HTZ_MIDI_CHANNEL_PRESSURE ? 2 : 3;
  return kind < 0xF0 && size == wanted && bytes[1] < 0x80 && (size < 3 || bytes[2] < 0x80);
}

// All of a system exclusive message, or nothing.
static bool enqueue_sysex(htz_synth* synth, uint64_t frame, const uint8_t* bytes, size_t size) {
  static const uint8_t end = 0xF7;
  const size_t count = bytes[size - 1] == end ? htz_sysex_count(bytes + 1, size - 2) : 0;
  if (count == 0 || synth->capacity - synth->n_waiting < count) {
    synth->dropped += count > 0;
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    htz_synth_event event = {.frame = frame, .kind = HTZ_SYNTH_MIDI, .message = htz_sysex_message(bytes + 1, size - 2, i)};
    enqueue(synth, &event);
  }
  return true;
}

bool htz_synth_midi(htz_synth* synth, uint64_t frame, const uint8_t* bytes, size_t size) {
  if (bytes && size >= 2 && bytes[0] == HTZ_MIDI_SYSTEM) {
    return enqueue_sysex(synth, frame, bytes, size);
  }
  if (!whole(bytes, size)) {
    return false;
  }
  htz_synth_event event = {.frame = frame, .kind = HTZ_SYNTH_MIDI};
  event.message = (htz_midi_message){
      .status = bytes[0], .data1 = size > 1 ? bytes[1] : 0, .data2 = size > 2 ? bytes[2] : 0, .length = (uint8_t)size};
  return enqueue(synth, &event);
}

bool htz_synth_set(htz_synth* synth, int part, unsigned param, double value, uint64_t frame) {
  if (part < 0 || (uint32_t)part >= synth->n_parts || !htz_synth_may_set(param)) {
    return false;
  }
  htz_synth_event event = {.frame = frame, .kind = HTZ_SYNTH_SET};
  event.change = (htz_param_change){.value = value, .part = (uint16_t)part, .key = HTZ_KEY_ALL, .index = param};
  return enqueue(synth, &event);
}

// What is due in the quantum that begins at `now`.
static void obey(htz_synth* synth, uint64_t now) {
  while (synth->n_waiting > 0 && synth->waiting[0].frame < now + HTZ_QUANTUM) {
    htz_synth_event event = take_first(synth);
    const uint64_t frame = event.frame > now ? event.frame : now;
    if (event.kind == HTZ_SYNTH_MIDI) {
      event.message.frame = frame;
      htz_midi_map_message(synth->map, &event.message);
    } else {
      event.change.frame = frame;
      htz_engine_change(synth->engine, &event.change);
    }
  }
}

static void quantum(void* user, float* both) {
  htz_synth* synth = user;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  obey(synth, htz_engine_now(synth->engine));
  htz_engine_quantum(synth->engine, left, right);
  for (size_t i = 0; i < HTZ_QUANTUM; i++) {
    both[2 * i] = left[i] * synth->gain;
    both[2 * i + 1] = right[i] * synth->gain;
  }
  if (synth->limit) {
    htz_limiter_run(&synth->limiter, both, HTZ_QUANTUM);
  }
}

void htz_synth_process(htz_synth* synth, float* left, float* right, size_t stride, uint32_t frames) {
  enum { CHUNK = 4 * HTZ_QUANTUM };
  float both[2 * CHUNK];
  htz_rt_enter();
  for (uint32_t done = 0; done < frames;) {
    const uint32_t wanted = frames - done < CHUNK ? frames - done : CHUNK;
    const uint32_t silent = synth->silence_left < wanted ? synth->silence_left : wanted;
    for (uint32_t i = 0; i < 2 * silent; i++) {
      both[i] = 0.0f;
    }
    synth->silence_left -= silent;
    htz_blocks_fill(&synth->blocks, quantum, synth, both + 2 * silent, wanted - silent);
    for (uint32_t i = 0; i < wanted; i++) {
      left[(done + i) * stride] = both[2 * i];
      right[(done + i) * stride] = both[2 * i + 1];
    }
    done += wanted;
  }
  synth->given += frames;
  htz_rt_leave();
}

bool htz_synth_silent(const htz_synth* synth) {
  return synth->n_waiting == 0 && htz_blocks_silent(&synth->blocks) && htz_engine_asleep(synth->engine);
}

htz_synth_counters htz_synth_count(const htz_synth* synth) {
  const htz_engine_counters engine = htz_engine_count(synth->engine);
  return (htz_synth_counters){.notes = synth->map->counters.notes,
                              .refused = engine.strikes_refused + engine.dropped,
                              .unplayed = synth->map->counters.unplayed,
                              .dropped = synth->dropped,
                              .resets = engine.resets,
                              .bounds = engine.solver_bounds,
                              .limited = synth->limiter.acted,
                              .ringing = engine.ringing};
}
