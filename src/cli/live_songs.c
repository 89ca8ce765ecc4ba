#include "live_songs.h"

#include "render_job.h"
#include "render_report.h"
#include "song_dials.h"
#include "song_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double silent_s = 0.3;               // [s] of less than -90 dBFS end a performance of songs, as they end a render
static const double least_peak = 1.0 / (1 << 24); // below half a step of 24 bits there is nothing to hear
static const double loop_least_s = 0.1;           // [s] a shorter one would be no song any more

enum { NAME_COLUMNS = 20 }; // of a song's name in the status line

static void tell(const htz_songs* songs, htz_log_level level, const char* format, ...) HTZ_PRINTF(3, 4);

static void tell(const htz_songs* songs, htz_log_level level, const char* format, ...) {
  char line[HTZ_USAGE_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  songs->say(songs->user, level, line);
}

bool htz_songs_wanted(const htz_options* options) {
  return options->command == HTZ_CMD_PLAY && options->n_args > 0;
}

// Where it begins and ends at the rate of the performance. @return an exit code, with a line said unless it is 0
static int lay_out(const htz_songs* songs, const char* path, double rate_hz, htz_song_feed_item* item) {
  const htz_options* options = songs->options;
  const htz_song_wish wish = {.channels = songs->channels,
                              .rate_hz = round(rate_hz), // of a device with an odd one; nobody hears the difference
                              .tempo = options->tempo,
                              .start_s = options->start_s,
                              .end_s = options->end_s};
  const char* name = htz_job_shown(path, false);
  const htz_status status = htz_song_span_init(&item->span, item->song, &wish);
  const htz_song_span* span = &item->span;
  char length[HTZ_TIME_TEXT];
  if (status) {
    tell(songs, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), name);
    return HTZ_EXIT_INTERNAL;
  }
  if (span->start > 0 && span->start >= span->close) {
    tell(songs, HTZ_LOG_ERROR, "%s: --start lies beyond the end, the song lasts %s", name,
         htz_time_text((double)span->close / rate_hz, length));
    return HTZ_EXIT_USAGE;
  }
  if (options->loop && (double)(span->end - span->start) < loop_least_s * rate_hz) {
    tell(songs, HTZ_LOG_ERROR, "%s: --loop has nothing to repeat, from its start to its end it is less than %.1f s", name,
         loop_least_s);
    return HTZ_EXIT_INPUT;
  }
  return HTZ_EXIT_DONE;
}

static int read_dials(htz_songs* songs, const char* path, htz_orchestra* orchestra, htz_song_feed_item* item) {
  htz_dial_faults faults = {0};
  if (!songs->options->dialled) {
    return HTZ_EXIT_DONE;
  }
  const htz_status status = htz_dials_read(&songs->dials, item->song, orchestra, &item->dials, &faults);
  if (status) {
    tell(songs, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), htz_job_shown(path, false));
    return HTZ_EXIT_INTERNAL;
  }
  return htz_song_dials_tell(path, &faults, songs->options, songs->say, songs->user);
}

int htz_songs_load(htz_songs* songs, const htz_options* options, htz_orchestra* orchestra, htz_song_say say, void* user) {
  *songs = (htz_songs){.options = options, .say = say, .user = user, .channels = htz_song_channels(options, orchestra)};
  songs->path = calloc(options->n_args, sizeof *songs->path);
  songs->items = calloc(options->n_args, sizeof *songs->items);
  songs->notes = calloc(options->n_args, sizeof *songs->notes);
  if (!songs->path || !songs->items || !songs->notes) {
    tell(songs, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  for (size_t i = 0; i < options->n_args; i++) {
    htz_song_feed_item item = {0};
    htz_smf* song = NULL;
    uint32_t damage = 0;
    int code = htz_song_load(options->args[i], options, say, user, &song, &damage);
    item.song = song;
    if (code == HTZ_EXIT_DONE) {
      code = lay_out(songs, options->args[i], options->rate_hz, &item); // by the usual rate: the device's is not known yet
    }
    htz_notes notes;
    if (code == HTZ_EXIT_DONE) {
      code = read_dials(songs, options->args[i], orchestra, &item);
    }
    if (code == HTZ_EXIT_DONE) {
      code = htz_song_check(options->args[i], song, options, orchestra, &item.span, say, user, &notes);
    }
    if (code == HTZ_EXIT_DONE) {
      songs->notes[songs->n] = notes;
      songs->path[songs->n] = options->args[i];
      songs->items[songs->n++] = item;
    } else {
      htz_smf_free(song);
      songs->code = songs->code ? songs->code : code;
    }
  }
  return songs->n > 0 ? HTZ_EXIT_DONE : songs->code;
}

// As a shell takes it.
static void quote(const char* word, char* text, size_t size) {
  bool plain = word[0] != '-' || !word[1];
  size_t used = 0;
  for (const char* at = word; *at; at++) {
    plain = plain && (isalnum((unsigned char)*at) || strchr("_-./+,:@%=", *at));
  }
  if (plain) {
    snprintf(text, size, "%s", word);
    return;
  }
  used += (size_t)snprintf(text, size, "%s'", word[0] == '-' ? "./" : "");
  for (const char* at = word; *at && used + sizeof "'\\'''" < size; at++) {
    used += (size_t)snprintf(text + used, size - used, *at == '\'' ? "'\\''" : "%c", *at);
  }
  snprintf(text + used, size - used, "'");
}

void htz_songs_advice(const htz_options* options, const char* why, char* text, size_t size) {
  static const char command[] = "hertzian render";
  const size_t length = strlen(why), n = sizeof command - 1;
  const bool said = length >= n && strcmp(why + length - n, command) == 0; // the reason ends with it, without a name
  char name[HTZ_USAGE_TEXT / 2];
  text[0] = '\0';
  if (htz_songs_wanted(options)) {
    const bool piped = strcmp(options->args[0], "-") == 0;
    quote(options->args[0], name, sizeof name);
    snprintf(text, size, "%s%s %s%s%s", said ? "" : "; ", said ? "" : command, name, piped ? " -o song.wav" : "",
             said ? "" : " makes a sound file of it");
  }
}

int htz_songs_expect(htz_songs* songs, htz_live_pool* pool) {
  for (size_t i = 0; i < songs->n; i++) {
    const int code = lay_out(songs, songs->path[i], pool->live->rate_hz, &songs->items[i]);
    if (code) {
      return code;
    }
  }
  if (songs->n > 0) {
    pool->live->dials = &songs->dials;
    pool->n_song_dialled = htz_dials_distinct(&songs->dials);
    const htz_status status = htz_live_pool_expect(pool, songs->items[0].song, &songs->items[0].dials, songs->channels);
    if (status) {
      tell(songs, HTZ_LOG_ERROR, "%s (to read songs)", htz_status_text(status));
      return HTZ_EXIT_INTERNAL;
    }
    songs->expected = 1;
  }
  return HTZ_EXIT_DONE;
}

int htz_songs_start(htz_songs* songs, htz_live* live) {
  if (songs->n == 0) {
    return HTZ_EXIT_DONE;
  }
  const htz_status status =
      htz_song_feed_open(&songs->feed, live, songs->items, songs->n, songs->channels, songs->options->loop);
  if (status) {
    tell(songs, HTZ_LOG_ERROR, "%s (to read songs)", htz_status_text(status));
  }
  return status == HTZ_OK ? HTZ_EXIT_DONE : HTZ_EXIT_INTERNAL;
}

static size_t playing(const htz_songs* songs) {
  return atomic_load_explicit(&songs->feed.live->song.song, memory_order_relaxed);
}

static void obey(htz_songs* songs, htz_key_pressed key) {
  atomic_bool* pause = &songs->feed.live->song.pause;
  const bool paused = atomic_load_explicit(pause, memory_order_relaxed);
  if (key == HTZ_KEY_PAUSE) {
    atomic_store_explicit(pause, !paused, memory_order_relaxed);
  } else if (key == HTZ_KEY_NEXT || key == HTZ_KEY_BACK || key == HTZ_KEY_RIGHT || key == HTZ_KEY_LEFT) {
    atomic_store_explicit(pause, false, memory_order_relaxed);
    htz_song_feed_go(&songs->feed, playing(songs) + (key == HTZ_KEY_NEXT || key == HTZ_KEY_RIGHT));
  }
}

static void announce(htz_songs* songs, const htz_orchestra* orchestra) {
  const unsigned begun = atomic_load_explicit(&songs->feed.live->song.begun, memory_order_acquire);
  const size_t song = playing(songs);
  if (begun == songs->begun_seen || song + 1 == songs->said) {
    return;
  }
  songs->begun_seen = begun;
  songs->said = song + 1;
  htz_song_describe(songs->path[song], songs->items[song].song, &songs->notes[song],
                    (double)songs->items[song].span.last / songs->feed.live->rate_hz, songs->say, songs->user);
  htz_song_parts_describe(songs->path[song], &songs->notes[song], orchestra, songs->say, songs->user);
}

void htz_songs_tend(htz_songs* songs, htz_live_pool* pool, htz_key_pressed key) {
  if (songs->n == 0) {
    return;
  }
  obey(songs, key);
  announce(songs, pool->orchestra);
  if (atomic_exchange_explicit(&songs->feed.failed, false, memory_order_relaxed)) {
    tell(songs, HTZ_LOG_ERROR, "%s: the songs end here", htz_status_text(HTZ_NO_MEMORY));
    songs->code = HTZ_EXIT_INTERNAL;
  }
  while (htz_live_pool_ready(pool) && songs->expected < songs->n) {
    htz_song_feed_allow(&songs->feed, songs->expected);
    const htz_song_feed_item* next = &songs->items[songs->expected];
    (void)htz_live_pool_expect(pool, next->song, &next->dials, songs->channels); // without memory: as they come
    songs->expected++;
  }
  if (htz_live_pool_ready(pool)) {
    htz_song_feed_allow(&songs->feed, songs->expected);
  }
}

bool htz_songs_over(const htz_songs* songs) {
  if (songs->n == 0) {
    return true;
  }
  const htz_live* live = songs->feed.live;
  const uint64_t now = atomic_load_explicit(&live->view.frames, memory_order_relaxed);
  const uint64_t audible_to = atomic_load_explicit(&live->view.audible_to, memory_order_relaxed);
  return htz_song_feed_over(&songs->feed) && (double)now - (double)audible_to > silent_s * live->rate_hz;
}

// Notes were played to the end and nothing is heard of them: that is no success.
static bool came_out_silent(const htz_songs* songs) {
  uint64_t notes = 0;
  for (size_t i = 0; i < songs->n; i++) {
    notes += htz_smf_get_info(songs->items[i].song)->notes;
  }
  return notes > 0 && htz_songs_over(songs) &&
         (double)atomic_load_explicit(&songs->feed.live->view.level_max, memory_order_relaxed) < least_peak;
}

int htz_songs_verdict(const htz_songs* songs) {
  if (songs->n == 0 || !songs->feed.live || !came_out_silent(songs)) {
    return songs->code;
  }
  const bool excerpt = songs->options->start_s > 0.0 || isfinite(songs->options->end_s);
  tell(songs, HTZ_LOG_ERROR, "%s%s: %s", htz_job_shown(songs->path[0], false), songs->n > 1 ? " and the others" : "",
       excerpt
           ? "nothing sounds between --start and --end"
           : "none of its notes is heard: no such key on the instrument, beyond what it sounds at this rate, or at volume 0");
  return songs->code ? songs->code : excerpt ? HTZ_EXIT_USAGE : HTZ_EXIT_INPUT;
}

static void clock_text(double seconds, char text[HTZ_TIME_TEXT]) {
  enum { MINUTE = 60 };
  const uint64_t whole = seconds > 0.0 ? (uint64_t)seconds : 0;
  snprintf(text, HTZ_TIME_TEXT, "%" PRIu64 ":%02u", whole / MINUTE, (unsigned)(whole % MINUTE));
}

void htz_songs_status(const htz_songs* songs, char* text, size_t size) {
  text[0] = '\0';
  if (songs->n == 0) {
    return;
  }
  const htz_live_song* live = &songs->feed.live->song;
  const size_t song = playing(songs);
  const htz_song_span* span = &songs->items[song].span;
  const uint64_t clock = atomic_load_explicit(&live->clock, memory_order_relaxed);
  const uint64_t began = atomic_load_explicit(&live->began, memory_order_relaxed);
  const uint64_t at = span->start + (clock > began ? clock - began : 0);
  const double rate_hz = songs->feed.live->rate_hz;
  char now[HTZ_TIME_TEXT], end[HTZ_TIME_TEXT];
  const char* path = htz_job_shown(songs->path[song], false);
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  clock_text((double)(at < span->end ? at : span->end) / rate_hz, now);
  clock_text((double)span->end / rate_hz, end);
  snprintf(text, size, "%.*s%s %s/%s%s  ", NAME_COLUMNS, name, strlen(name) > NAME_COLUMNS ? "..." : "", now, end,
           atomic_load_explicit(&live->pause, memory_order_relaxed) ? " paused" : "");
}

void htz_songs_free(htz_songs* songs) {
  htz_song_feed_close(&songs->feed);
  for (size_t i = 0; i < songs->n; i++) {
    htz_smf_free((htz_smf*)songs->items[i].song);
  }
  htz_dials_free(&songs->dials);
  free(songs->path);
  free(songs->items);
  free(songs->notes);
  *songs = (htz_songs){0};
}
