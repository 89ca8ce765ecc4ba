#include "live_private.h"

#include <string.h>

static const double quiet_s = 0.5;       // [s] of less than -60 dBFS between two songs
static const double quiet_most_s = 30.0; // [s] after which the next one begins all the same, as renders end

enum { DROP_MAX = 4096 }; // items of an earlier epoch thrown away at a time

static bool quiet_enough(const htz_live* live, uint64_t now) {
  const htz_live_song* song = &live->song;
  const uint64_t loud_to = atomic_load_explicit(&live->view.loud_to, memory_order_relaxed);
  const uint64_t since = loud_to > song->quiet_since ? loud_to : song->quiet_since;
  return (double)(now - since) >= quiet_s * live->rate_hz || (double)(now - song->quiet_since) >= quiet_most_s * live->rate_hz;
}

static void go_elsewhere(htz_live* live, uint64_t now) {
  htz_live_song* song = &live->song;
  htz_live_release(live, HTZ_LIVE_SONG, true, now);
  memset(song->pedal, 0, sizeof song->pedal);
  song->waiting = false;
  song->quiet = false;
  song->over = false;
  song->fresh = true;
}

// Held keys are let go of and not struck again; pedals come back with the song.
static void pause(htz_live* live, bool paused, uint64_t now) {
  htz_live_song* song = &live->song;
  htz_live_source* source = &live->source[HTZ_LIVE_SONG];
  song->paused = paused;
  if (paused) {
    memcpy(song->pedal, source->pedal, sizeof song->pedal);
    htz_live_release(live, HTZ_LIVE_SONG, false, now);
    return;
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    for (size_t p = 0; p < PEDALS; p++) {
      source->pedal[channel][p] = song->pedal[channel][p];
      if (song->pedal[channel][p] > 0) {
        htz_live_send(live, (uint8_t)(HTZ_MIDI_CONTROL | channel), htz_live_pedals[p], song->pedal[channel][p], now);
      }
    }
  }
}

void htz_live_song_turn(htz_live* live, uint64_t now) {
  htz_live_song* song = &live->song;
  const uint32_t epoch = atomic_load_explicit(&song->epoch, memory_order_acquire);
  const bool paused = atomic_load_explicit(&song->pause, memory_order_relaxed);
  if (epoch != song->epoch_done) {
    song->epoch_done = epoch;
    go_elsewhere(live, now);
  }
  if (paused != song->paused) {
    pause(live, paused, now);
  }
  song->quiet = song->quiet && (song->paused || !quiet_enough(live, now));
}

void htz_live_song_pull(htz_live* live, uint64_t now) {
  htz_live_song* song = &live->song;
  htz_live_source* source = &live->source[HTZ_LIVE_SONG];
  source->waiting = false;
  if (!live->has_song || song->paused || song->quiet || song->over) {
    return;
  }
  for (unsigned bound = DROP_MAX; bound > 0 && !song->waiting && htz_ring_pop(&song->ring, &song->next); --bound) {
    song->waiting = song->next.epoch == song->epoch_done;
  }
  if (!song->waiting) {
    return;
  }
  const uint64_t frame = song->next.frame;
  song->now = song->fresh ? frame : song->now;
  song->fresh = false;
  source->next.frame = frame > song->now ? now + (frame - song->now) : now;
  source->waiting = true;
}

static void play(htz_live* live, const htz_midi_message* m) {
  htz_live_source* source = &live->source[HTZ_LIVE_SONG];
  const bool off = (m->status & HTZ_MIDI_KIND_MASK) == HTZ_MIDI_NOTE_OFF;
  // What was released by a pause, or begun before the start, shall not release what a keyboard holds.
  if (off && source->held[m->status & HTZ_MIDI_CHANNEL_MASK][m->data1 & 0x7F] == 0) {
    return;
  }
  htz_live_follow(live, source, m);
  htz_live_deliver(live, m);
}

void htz_live_song_obey(htz_live* live, uint64_t frame) {
  htz_live_song* song = &live->song;
  const htz_song_item* item = &song->next;
  htz_midi_message message = {.frame = frame,
                              .status = item->status,
                              .data1 = item->data1,
                              .data2 = item->data2,
                              .length = item->length,
                              .value = item->value};
  song->waiting = false;
  switch ((htz_song_kind)item->kind) {
  case HTZ_SONG_MESSAGE:
    play(live, &message);
    break;
  case HTZ_SONG_DIAL:
    htz_live_song_dial(live, item->value, frame);
    break;
  case HTZ_SONG_REST:
    message.data2 = htz_midi_map_default(live->map, item->status & HTZ_MIDI_CHANNEL_MASK, item->data1);
    play(live, &message);
    break;
  case HTZ_SONG_BEGIN:
    htz_live_song_undial(live, frame);
    atomic_store_explicit(&song->song, item->song, memory_order_relaxed);
    atomic_store_explicit(&song->began, item->frame, memory_order_relaxed);
    atomic_fetch_add_explicit(&song->begun, 1, memory_order_release);
    break;
  case HTZ_SONG_END:
    htz_live_release(live, HTZ_LIVE_SONG, false, frame);
    break;
  case HTZ_SONG_QUIET:
    song->quiet = true;
    song->quiet_since = frame;
    song->now = item->frame;
    break;
  case HTZ_SONG_OVER:
    song->over = true;
    song->now = item->frame;
    atomic_store_explicit(&song->over_epoch, item->epoch + 1, memory_order_release);
    break;
  }
}

void htz_live_song_advance(htz_live* live) {
  htz_live_song* song = &live->song;
  if (live->source[HTZ_LIVE_SONG].waiting) { // neither paused nor waiting, and something is to come
    song->now += HTZ_QUANTUM;
  }
  atomic_store_explicit(&song->clock, song->now, memory_order_relaxed);
}
