#include "song_feed_private.h"

#include "hertzian/midi/sysex.h"

#include <stdlib.h>
#include <time.h>

static const struct timespec glance = {0, 20 * 1000000L}; // 20 ms between two looks at the ring, which holds seconds
static const struct timespec moment = {0, 1000000L};      // 1 ms between two looks while the start waits for it

bool htz_feed_leaves(const htz_song_feed* feed) {
  return atomic_load_explicit(&feed->stop, memory_order_relaxed) ||
         atomic_load_explicit(&feed->live->song.epoch, memory_order_relaxed) != feed->epoch;
}

static void await(htz_song_feed* feed) {
  atomic_store_explicit(&feed->filled, true, memory_order_release);
  nanosleep(&glance, NULL);
}

bool htz_feed_put(htz_song_feed* feed, const htz_song_item* item) {
  htz_ring* ring = &feed->live->song.ring;
  while (htz_ring_count(ring) > ring->mask) {
    if (htz_feed_leaves(feed)) {
      return false;
    }
    await(feed);
  }
  htz_song_item tagged = *item;
  tagged.epoch = feed->epoch;
  htz_ring_push(ring, &tagged);
  return !htz_feed_leaves(feed);
}

static bool put_mark(htz_song_feed* feed, htz_song_kind kind, uint64_t frame, size_t song) {
  const htz_song_item item = {.frame = frame, .song = (uint32_t)song, .kind = (uint8_t)kind};
  return htz_feed_put(feed, &item);
}

// What was dialled in. @return as htz_feed_put()
static bool put_dial(htz_song_feed* feed, const htz_dial_span* dials, const htz_smf_event* event, uint64_t frame) {
  const htz_dial* dial = htz_dial_of(dials, event);
  const htz_song_item item = {.frame = frame, .kind = HTZ_SONG_DIAL, .value = dial ? (uint32_t)(dial - dials->all->of) : 0};
  return !dial || htz_feed_put(feed, &item);
}

static bool put_every(htz_song_feed* feed, bool (*one)(htz_song_feed*, unsigned)) {
  bool ok = true;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS && ok; channel++) {
    ok = one(feed, channel);
  }
  return ok;
}

static bool played(const htz_song_feed* feed, const htz_smf_event* event) {
  return event->status >= HTZ_MIDI_SYSTEM || feed->channels >> (event->status & HTZ_MIDI_CHANNEL_MASK) & 1u;
}

// All that is heard between the start and the close. @return false when there is something else to do
static bool put_events(htz_song_feed* feed, const htz_song_span* span, const htz_dial_span* dials, htz_smf_iter* events) {
  htz_smf_event event;
  bool more = htz_smf_iter_next(events, &event);
  for (; more && event.frame < span->start && !htz_feed_leaves(feed); more = htz_smf_iter_next(events, &event)) {
    if (htz_midi_is_dial(event.status, event.data1)) {
      put_dial(feed, dials, &event, feed->frame);
    } else if (played(feed, &event)) {
      htz_feed_hear(feed, &event);
    }
  }
  bool ok = htz_feed_put_system_heard(feed) && put_every(feed, htz_feed_put_heard);
  for (; more && ok && (event.frame < span->close || (event.frame == span->close && !span->cut));
       more = htz_smf_iter_next(events, &event)) {
    const htz_song_item item = {.frame = feed->frame + (event.frame - span->start),
                                .kind = HTZ_SONG_MESSAGE,
                                .status = event.status,
                                .data1 = event.data1,
                                .data2 = event.data2,
                                .length = event.length,
                                .value = event.value};
    if (htz_midi_is_dial(event.status, event.data1)) {
      ok = put_dial(feed, dials, &event, item.frame);
    } else if (played(feed, &event)) {
      ok = htz_feed_put(feed, &item);
      htz_feed_hear(feed, &event);
    }
  }
  return ok;
}

// One song, once. @return false when there is something else to do
static bool put_song(htz_song_feed* feed, size_t number) {
  const htz_song_feed_item* item = &feed->songs[number];
  const htz_song_span* span = &item->span;
  htz_smf_iter* events = NULL;
  if (htz_smf_iter_new(item->song, &span->clock, &events)) {
    atomic_store_explicit(&feed->failed, true, memory_order_relaxed);
    put_mark(feed, HTZ_SONG_OVER, feed->frame, number);
    return false;
  }
  bool ok = put_mark(feed, HTZ_SONG_BEGIN, feed->frame, number) && htz_feed_put_system_default(feed) &&
            put_every(feed, htz_feed_put_default);
  if (ok) {
    htz_midi_map_init(feed->heard, NULL);
    ok = put_events(feed, span, &item->dials, events) &&
         put_mark(feed, HTZ_SONG_END, feed->frame + (span->close - span->start), number);
  }
  htz_smf_iter_free(events);
  feed->frame += span->end - span->start;
  return ok;
}

// From song `number` on, to the end of the last. @return when there is nothing to put any more, or something else to do
static void put_songs(htz_song_feed* feed, size_t number) {
  for (bool ok = true; ok; number++) {
    if (number >= feed->n_songs && feed->loop) {
      number = 0;
    }
    if (number >= feed->n_songs) {
      put_mark(feed, HTZ_SONG_OVER, feed->frame, 0);
      return;
    }
    while (number >= atomic_load_explicit(&feed->ready, memory_order_acquire)) {
      if (htz_feed_leaves(feed)) {
        return;
      }
      await(feed);
    }
    ok = put_song(feed, number);
    const bool last = number + 1 == feed->n_songs;
    if (ok && feed->n_songs > 1 && (!last || feed->loop)) {
      ok = put_mark(feed, HTZ_SONG_QUIET, feed->frame, number);
    }
  }
}

static void* run(void* argument) {
  htz_song_feed* feed = argument;
  while (!atomic_load_explicit(&feed->stop, memory_order_relaxed)) {
    feed->epoch = atomic_load_explicit(&feed->live->song.epoch, memory_order_acquire);
    put_songs(feed, atomic_load_explicit(&feed->target, memory_order_relaxed));
    while (!htz_feed_leaves(feed)) {
      await(feed);
    }
  }
  return NULL;
}

htz_status htz_song_feed_open(htz_song_feed* feed, htz_live* live, const htz_song_feed_item* songs, size_t n_songs,
                              uint16_t channels, bool loop) {
  *feed = (htz_song_feed){.live = live, .songs = songs, .n_songs = n_songs, .channels = channels, .loop = loop};
  atomic_init(&feed->target, 0);
  atomic_init(&feed->ready, 1);
  atomic_init(&feed->filled, false);
  atomic_init(&feed->failed, false);
  atomic_init(&feed->stop, false);
  feed->heard = malloc(sizeof *feed->heard);
  if (!feed->heard) {
    return HTZ_NO_MEMORY;
  }
  htz_midi_map_init(feed->heard, NULL);
  feed->started = pthread_create(&feed->thread, NULL, run, feed) == 0;
  if (!feed->started) {
    htz_song_feed_close(feed);
    return HTZ_NO_THREAD;
  }
  while (!atomic_load_explicit(&feed->filled, memory_order_acquire)) {
    nanosleep(&moment, NULL);
  }
  return HTZ_OK;
}

void htz_song_feed_allow(htz_song_feed* feed, size_t n) {
  atomic_store_explicit(&feed->ready, (unsigned)n, memory_order_release);
}

void htz_song_feed_go(htz_song_feed* feed, size_t target) {
  atomic_store_explicit(&feed->target, (unsigned)target, memory_order_relaxed);
  atomic_fetch_add_explicit(&feed->live->song.epoch, 1, memory_order_release);
}

bool htz_song_feed_over(const htz_song_feed* feed) {
  if (!feed->live) {
    return true;
  }
  const htz_live_song* song = &feed->live->song;
  return atomic_load_explicit(&song->over_epoch, memory_order_acquire) ==
         atomic_load_explicit(&song->epoch, memory_order_relaxed) + 1;
}

void htz_song_feed_close(htz_song_feed* feed) {
  atomic_store_explicit(&feed->stop, true, memory_order_relaxed);
  if (feed->started) {
    pthread_join(feed->thread, NULL);
    feed->started = false;
  }
  free(feed->heard);
  feed->heard = NULL;
}
