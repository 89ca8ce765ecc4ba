#include "hertzian/host/song_feed.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct timespec glance = {0, 20 * 1000000L}; // 20 ms between two looks at the ring, which holds seconds
static const struct timespec moment = {0, 1000000L};      // 1 ms between two looks while the start waits for it

enum {
  PROGRAM_USUAL = 0,
  BEND_CENTRE = 8192,
  RANGE_USUAL = 2, // [semitone]
  RPN_NONE = 127,
  CC_DATA_MSB = 6,
  CC_DATA_LSB = 38,
  CC_INCREMENT = 96,
  CC_DECREMENT = 97,
  CC_RPN_LSB = 100,
  CC_RPN_MSB = 101,
  CC_MODE_FIRST = 120, // channel mode messages: no settings
  CC_RESET = 121,
};

static bool told_to_leave(const htz_song_feed* feed) {
  return atomic_load_explicit(&feed->stop, memory_order_relaxed) ||
         atomic_load_explicit(&feed->live->song.epoch, memory_order_relaxed) != feed->epoch;
}

static void await(htz_song_feed* feed) {
  atomic_store_explicit(&feed->filled, true, memory_order_release);
  nanosleep(&glance, NULL);
}

// @return false when there is something else to do than to wait for room
static bool put(htz_song_feed* feed, const htz_song_item* item) {
  htz_ring* ring = &feed->live->song.ring;
  while (htz_ring_count(ring) > ring->mask) {
    if (told_to_leave(feed)) {
      return false;
    }
    await(feed);
  }
  htz_song_item tagged = *item;
  tagged.epoch = feed->epoch;
  htz_ring_push(ring, &tagged);
  return !told_to_leave(feed);
}

static bool put_mark(htz_song_feed* feed, htz_song_kind kind, uint64_t frame, size_t song) {
  const htz_song_item item = {.frame = frame, .song = (uint32_t)song, .kind = (uint8_t)kind};
  return put(feed, &item);
}

static bool put_message(htz_song_feed* feed, htz_song_kind kind, uint8_t status, uint8_t data1, uint8_t data2, uint8_t length) {
  const htz_song_item item = {
      .frame = feed->frame, .kind = (uint8_t)kind, .status = status, .data1 = data1, .data2 = data2, .length = length};
  return put(feed, &item);
}

static bool put_control(htz_song_feed* feed, unsigned channel, uint8_t cc, uint8_t value) {
  return put_message(feed, HTZ_SONG_MESSAGE, (uint8_t)(HTZ_MIDI_CONTROL | channel), cc, value, 3);
}

static bool put_program(htz_song_feed* feed, unsigned channel, uint8_t program) {
  return put_message(feed, HTZ_SONG_MESSAGE, (uint8_t)(HTZ_MIDI_PROGRAM | channel), program, 0, 2);
}

static bool put_range(htz_song_feed* feed, unsigned channel, uint8_t semitones, uint8_t cents) {
  return put_control(feed, channel, CC_RPN_MSB, 0) && put_control(feed, channel, CC_RPN_LSB, 0) &&
         put_control(feed, channel, CC_DATA_MSB, semitones) && put_control(feed, channel, CC_DATA_LSB, cents);
}

static bool put_rpn(htz_song_feed* feed, unsigned channel, uint8_t msb, uint8_t lsb) {
  return put_control(feed, channel, CC_RPN_MSB, msb) && put_control(feed, channel, CC_RPN_LSB, lsb);
}

static bool usual_range(const htz_map_channel* heard) {
  return heard->range_semitones == RANGE_USUAL && heard->range_cents == 0;
}

static bool usual_rpn(const htz_map_channel* heard) {
  return heard->rpn_msb == RPN_NONE && heard->rpn_lsb == RPN_NONE;
}

// Bring a channel from where a reset puts it to what has been heard.
static bool put_heard(htz_song_feed* feed, unsigned channel) {
  const htz_map_channel* heard = &feed->heard->channel[channel];
  bool ok = heard->program == PROGRAM_USUAL || put_program(feed, channel, heard->program);
  if (ok && !usual_range(heard)) {
    ok = put_range(feed, channel, heard->range_semitones, heard->range_cents) &&
         put_rpn(feed, channel, heard->rpn_msb, heard->rpn_lsb);
  } else if (ok && !usual_rpn(heard)) {
    ok = put_rpn(feed, channel, heard->rpn_msb, heard->rpn_lsb);
  }
  for (uint8_t cc = 0; cc < CC_MODE_FIRST && ok; cc++) {
    ok = heard->heard[cc] == 0 || put_control(feed, channel, cc, (uint8_t)(heard->heard[cc] - 1));
  }
  if (ok && heard->heard[HTZ_CONTROL_PRESSURE] > 0) {
    ok = put_message(feed, HTZ_SONG_MESSAGE, (uint8_t)(HTZ_MIDI_CHANNEL_PRESSURE | channel),
                     (uint8_t)(heard->heard[HTZ_CONTROL_PRESSURE] - 1), 0, 2);
  }
  if (ok && heard->bend != BEND_CENTRE) {
    ok = put_message(feed, HTZ_SONG_MESSAGE, (uint8_t)(HTZ_MIDI_BEND | channel), heard->bend & 0x7F,
                     (uint8_t)(heard->bend >> 7), 3);
  }
  return ok;
}

/*
   Bring it back from there: whatever a song has ever moved, since what is thrown away with the ring may or may not have been heard.
*/
static bool put_rest(htz_song_feed* feed, unsigned channel) {
  const uint8_t control = (uint8_t)(HTZ_MIDI_CONTROL | channel);
  const htz_midi_message reset = {.status = control, .data1 = CC_RESET, .length = 3};
  const htz_song_moved* moved = &feed->moved[channel];
  htz_map_channel* heard = &feed->heard->channel[channel];
  for (uint8_t cc = 0; cc < CC_MODE_FIRST; cc++) {
    heard->heard[cc] = moved->control[cc];
  }
  htz_midi_map_message(feed->heard, &reset);
  bool ok = !moved->any || put_control(feed, channel, CC_RESET, 0);
  for (uint8_t cc = 0; cc < CC_MODE_FIRST && ok; cc++) {
    ok = heard->heard[cc] == 0 || put_message(feed, HTZ_SONG_REST, control, cc, 0, 3); // what the reset leaves
  }
  if (ok && moved->range) {
    ok = put_range(feed, channel, RANGE_USUAL, 0) && put_rpn(feed, channel, RPN_NONE, RPN_NONE);
  }
  return ok && (!moved->program || put_program(feed, channel, PROGRAM_USUAL));
}

static bool put_every(htz_song_feed* feed, bool (*one)(htz_song_feed*, unsigned)) {
  bool ok = true;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS && ok; channel++) {
    ok = one(feed, channel);
  }
  return ok;
}

static bool played(const htz_song_feed* feed, const htz_smf_event* event) {
  return event->status == HTZ_MIDI_RESET || feed->channels >> (event->status & HTZ_MIDI_CHANNEL_MASK) & 1u;
}

// Controllers that select or set a registered parameter, and are not set to anything themselves.
static bool is_data(uint8_t cc) {
  return cc == CC_DATA_MSB || cc == CC_DATA_LSB || (cc >= CC_INCREMENT && cc <= CC_RPN_MSB);
}

static bool is_note(uint8_t status) {
  const uint8_t kind = status & HTZ_MIDI_KIND_MASK;
  return kind == HTZ_MIDI_NOTE_ON || kind == HTZ_MIDI_NOTE_OFF;
}

// Note what the event sets.
static void hear(htz_song_feed* feed, const htz_smf_event* event) {
  if (is_note(event->status)) {
    return;
  }
  const htz_midi_message message = {0, event->status, event->data1, event->data2, event->length};
  htz_midi_map_message(feed->heard, &message);
  if (event->status == HTZ_MIDI_RESET) {
    return;
  }
  const uint8_t kind = event->status & HTZ_MIDI_KIND_MASK;
  htz_song_moved* moved = &feed->moved[event->status & HTZ_MIDI_CHANNEL_MASK];
  moved->program = moved->program || kind == HTZ_MIDI_PROGRAM;
  moved->any = moved->any || kind != HTZ_MIDI_PROGRAM;
  if (kind == HTZ_MIDI_CONTROL && event->data1 < CC_MODE_FIRST) {
    const uint8_t cc = event->data1;
    moved->range = moved->range || cc == CC_DATA_MSB || cc == CC_DATA_LSB || cc == CC_INCREMENT || cc == CC_DECREMENT;
    moved->control[cc] = !is_data(cc);
  }
}

// All that is heard between the start and the close. @return false when there is something else to do
static bool put_events(htz_song_feed* feed, const htz_song_span* span, htz_smf_iter* events) {
  htz_smf_event event;
  bool more = htz_smf_iter_next(events, &event);
  for (; more && event.frame < span->start && !told_to_leave(feed); more = htz_smf_iter_next(events, &event)) {
    if (played(feed, &event)) {
      hear(feed, &event);
    }
  }
  bool ok = put_every(feed, put_heard);
  for (; more && ok && (event.frame < span->close || (event.frame == span->close && !span->cut));
       more = htz_smf_iter_next(events, &event)) {
    const htz_song_item item = {.frame = feed->frame + (event.frame - span->start),
                                .kind = HTZ_SONG_MESSAGE,
                                .status = event.status,
                                .data1 = event.data1,
                                .data2 = event.data2,
                                .length = event.length};
    if (played(feed, &event)) {
      ok = put(feed, &item);
      hear(feed, &event);
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
  bool ok = put_mark(feed, HTZ_SONG_BEGIN, feed->frame, number) && put_every(feed, put_rest);
  if (ok) {
    htz_midi_map_init(feed->heard, NULL);
    ok = put_events(feed, span, events) && put_mark(feed, HTZ_SONG_END, feed->frame + (span->close - span->start), number);
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
      if (told_to_leave(feed)) {
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
    while (!told_to_leave(feed)) {
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
    return HTZ_NO_MEMORY;
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
