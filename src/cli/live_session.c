#include "live_session.h"

#include "binds.h"
#include "exit_code.h"
#include "settings.h"
#include "try_instrument.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double eager_s = 0.05;           // [s] of building parts before playing begins, beyond the first
static const double retry_audio_s = 0.5;      // [s] between two tries to open a device that is waited for
static const double fade_limit_s = 0.2;       // [s] for the closing fade: 20 ms and the largest block
static const double writer_limit_s = 0.18;    // [s] for files after a signal, within the promised half second
static const double writer_patience_s = 30.0; // [s] for files when nobody is in a hurry

enum { BUFFER_LEAST = 16, LINE = 1024 };

void htz_session_say(htz_session* session, htz_log_level level, const char* format, ...) {
  char text[HTZ_TAKES_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  htz_log plain = *session->options->log;
  if (level > HTZ_LOG_WARNING) {
    plain.prefix = NULL;
  }
  if (level <= plain.level) {
    htz_report_clear_status(session);
  }
  htz_log_say(&plain, level, "%s", text);
}

static double thread_time_s(void) {
  struct timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return (double)used.tv_sec + (double)used.tv_nsec * 1e-9; // 1e-9: nanoseconds to seconds
}

// The audio thread's way in. It looks at clocks, which the rest of it has no business with.
static void process(void* context, float* out, uint32_t frames, const htz_audio_block* block) {
  htz_session* session = context;
  htz_live* live = atomic_load_explicit(&session->playing, memory_order_acquire);
  if (!live) {
    memset(out, 0, frames * 2 * sizeof *out);
    return;
  }
  const double began = htz_audio_now(), busy = thread_time_s();
  htz_live_hear(live, block->in, frames, block->in_gap);
  htz_live_run(live, out, frames, block->time_s, block->underflow);
  htz_live_account(live, frames, htz_audio_now() - began, thread_time_s() - busy);
}

static void on_news(void* context, const char* name, bool connected) {
  htz_session* session = context;
  pthread_mutex_lock(&session->lock);
  if (session->n_news < HTZ_NEWS_MAX) {
    htz_live_news* news = &session->news[session->n_news++];
    snprintf(news->name, sizeof news->name, "%s", name);
    news->connected = connected;
    news->time_s = htz_audio_now();
  }
  pthread_mutex_unlock(&session->lock);
}

static uint32_t power_of_two(unsigned frames) {
  uint32_t power = BUFFER_LEAST;
  while (power * 3 < frames * 2 && power < HTZ_AUDIO_FRAMES_MAX) { // nearest, measured by ratio
    power *= 2;
  }
  return power;
}

int htz_session_open_audio(htz_session* session, const char* device, const char* input, double rate_hz, char* why,
                           size_t why_size) {
  const htz_options* options = session->options;
  const htz_audio_wish wish = {.device = device,
                               .input = input,
                               .rate_hz = rate_hz,
                               .frames = session->frames,
                               .channels = {options->channels[0], options->channels[1]},
                               .process = process,
                               .context = session,
                               .realtime = options->realtime,
                               .verbose = options->verbosity > 0};
  htz_audio_format format;
  const htz_status status = htz_audio_open(&wish, &session->audio, &format, why, why_size);
  if (status == HTZ_OK) {
    session->format = format;
  }
  return htz_exit_for(status, HTZ_EXIT_DEVICE);
}

// All by the signals' thread: the control thread may be building a part.
static void begin_fade(void* context) {
  htz_session* session = context;
  atomic_store_explicit(&session->live->fade, true, memory_order_relaxed);
}

static void silence(void* context, unsigned number) {
  htz_session* session = context;
  atomic_store_explicit(&session->live->panics, number, memory_order_relaxed);
}

// Once, by whichever thread comes to it first.
static void say_the_end(htz_session* session, int code) {
  if (atomic_exchange_explicit(&session->ended, true, memory_order_acq_rel)) {
    return;
  }
  htz_report_summary(session);
  if (session->options->stats || session->options->json) {
    htz_report_stats(session, code);
    fflush(stdout);
  }
}

static int files_finished(htz_session* session, double limit_s) {
  const htz_takes_unfinished unfinished = htz_takes_stop(&session->takes, limit_s);
  if (unfinished.sound || unfinished.midi) {
    htz_log_say(session->options->log, HTZ_LOG_ERROR, "no time to finish %s: the end may be missing",
                !unfinished.midi    ? "the recording"
                : !unfinished.sound ? "the recording's MIDI"
                                    : "the recording and its MIDI");
    return HTZ_EXIT_OUTPUT;
  }
  return htz_takes_failed(&session->takes) ? HTZ_EXIT_OUTPUT
                                           : atomic_load_explicit(&session->signals.code, memory_order_acquire);
}

static int finish_files(void* context, double limit_s) {
  htz_session* session = context;
  const int code = files_finished(session, limit_s);
  say_the_end(session, code);
  return code;
}

static bool asked_to_stop(const htz_session* session) {
  return atomic_load_explicit(&session->signals.stop, memory_order_relaxed) != 0;
}

static int wait_for_audio(htz_session* session) {
  const htz_options* options = session->options;
  char why[LINE] = "";
  const double rate_hz = options->rate_given ? options->rate_hz : 0.0;
  const double end = htz_audio_now() + options->wait_s;
  const char* input = htz_input_file(options->input) ? NULL : options->input;
  int code = htz_session_open_audio(session, options->audio, input, rate_hz, why, sizeof why);
  if (code == HTZ_EXIT_DEVICE && options->wait_s > 0.0) {
    htz_session_say(session, HTZ_LOG_NOTICE, "waiting for an audio device: %s", why);
    htz_notify_say(&session->notify, "STATUS=waiting for an audio device: %s", why);
  }
  while (code == HTZ_EXIT_DEVICE && htz_audio_now() < end && !asked_to_stop(session)) {
    htz_signals_wait(&session->signals, retry_audio_s);
    code = htz_session_open_audio(session, options->audio, input, rate_hz, why, sizeof why);
  }
  if (code && !asked_to_stop(session)) {
    char advice[LINE];
    htz_songs_advice(options, why, advice, sizeof advice);
    htz_session_say(session, HTZ_LOG_ERROR, "%s%s", why, advice);
  }
  return code;
}

static int internal(htz_session* session, htz_status status, const char* why) {
  htz_session_say(session, HTZ_LOG_ERROR, "%s", why ? why : htz_status_text(status));
  return htz_exit_for(status, HTZ_EXIT_INPUT);
}

static int build_parts(htz_session* session) {
  htz_live_pool* pool = &session->pool;
  const double began = htz_audio_now();
  bool built = true;
  const char* why = NULL;
  while (built && !asked_to_stop(session) &&
         (!htz_live_pool_begun(pool) || !htz_live_pool_ready(pool) || htz_audio_now() - began < eager_s)) {
    const htz_status status = htz_live_pool_build(pool, &built, &why);
    if (status && !htz_live_pool_begun(pool)) {
      char line[HTZ_DIAG_FILE + HTZ_DIAG_TEXT];
      const bool known =
          !htz_status_starved(status) && htz_try_explain(&session->orchestra, session->format.rate_hz, sizeof line, line);
      return internal(session, status, known ? line : why);
    }
  }
  return HTZ_EXIT_DONE;
}

static int build(htz_session* session) {
  const htz_options* options = session->options;
  const char* file = htz_input_file(options->input);
  const htz_live_desc desc = {.rate_hz = session->format.rate_hz,
                              .frames = session->format.frames,
                              .latency_s = session->format.latency_s,
                              .performance = &session->performance,
                              .gain_db = options->gain_db,
                              .limit = options->limiter,
                              .asap = options->midi_asap,
                              .no_sensing = options->no_sensing,
                              .pedal = options->pedal,
                              .song = session->songs.n > 0,
                              .drive_from = file             ? HTZ_DRIVE_FILE
                                            : options->input ? HTZ_DRIVE_DEVICE
                                                             : HTZ_DRIVE_NONE};
  htz_status status = htz_live_new(&desc, &session->live);
  if (status) {
    return internal(session, status, NULL);
  }
  char why_not[HTZ_DRIVE_WHY];
  status = file ? htz_live_feed_open(&session->feed, file, session->live, why_not) : HTZ_OK;
  if (status) {
    const bool starved = htz_status_starved(status);
    const char* name = *file ? file : options->input;
    htz_session_say(session, HTZ_LOG_ERROR, starved ? "%s (%s)" : "%s: %s", starved ? why_not : name, starved ? name : why_not);
    return htz_exit_for(status, HTZ_EXIT_INPUT);
  }
  htz_live_pool_init(&session->pool, &session->orchestra, &session->performance, session->live);
  const int code = htz_songs_expect(&session->songs, &session->pool);
  return code ? code : build_parts(session);
}

// What there is, chosen or not.
static void list_ports(size_t size, char* text) {
  htz_midi_port* ports = NULL;
  size_t n = 0, used = 0;
  char why[LINE];
  htz_midi_list(&ports, &n, why, sizeof why);
  snprintf(text, size, "there are no others");
  for (size_t i = 0; i < n && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s%s%s", i ? ", " : "there is ", ports[i].name,
                             ports[i].skipped ? " (skipped by default)" : "");
  }
  free(ports);
}

static int open_midi(htz_session* session) {
  const htz_options* options = session->options;
  const htz_midi_wish wish = {.names = options->midi,
                              .n_names = options->n_midi,
                              .raw = options->midi_raw,
                              .n_raw = options->n_midi_raw,
                              .osc = {options->osc_port, options->osc_bind, htz_live_control_post, session},
                              .hotplug = options->hotplug,
                              .realtime = options->realtime,
                              .verbose = options->verbosity > 0};
  const htz_status status = htz_midi_in_open(&wish, session->live->midi, on_news, session, &session->midi, session->midi_remark,
                                             sizeof session->midi_remark);
  if (status) {
    htz_session_say(session, HTZ_LOG_ERROR, "%s", session->midi_remark);
    return htz_exit_for(status, HTZ_EXIT_DEVICE);
  }
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  if (options->require_midi && htz_midi_in_sources(session->midi, sources) == 0) {
    char there[LINE];
    list_ports(sizeof there, there);
    htz_session_say(session, HTZ_LOG_ERROR, "no MIDI input%s%s; %s; connect one, or leave out --require-midi",
                    session->midi_remark[0] ? ": " : "", session->midi_remark, there);
    return HTZ_EXIT_DEVICE;
  }
  return HTZ_EXIT_DONE;
}

static void say_of_song(void* user, htz_log_level level, const char* line) {
  htz_session_say(user, level, "%s", line);
}

// Standard input, if it is a terminal, belongs to whoever reads it first: a song, a stream of MIDI, or keys.
static void open_keys(const htz_options* options) {
  bool free_for_keys = true;
  for (size_t i = 0; i < options->n_args; i++) {
    free_for_keys = free_for_keys && strcmp(options->args[i], "-") != 0;
  }
  for (size_t i = 0; i < options->n_midi_raw; i++) {
    free_for_keys = free_for_keys && strcmp(options->midi_raw[i], "-") != 0;
  }
  if (free_for_keys) {
    htz_keys_open();
  }
}

int htz_session_open(htz_session* session, const htz_options* options) {
  memset(session, 0, sizeof *session);
  session->options = options;
  session->opened_s = htz_audio_now();
  clock_gettime(CLOCK_REALTIME, &session->read_at);
  atomic_init(&session->playing, NULL);
  pthread_mutex_init(&session->lock, NULL);
  open_keys(options);
  htz_notify_open(&session->notify);
  const htz_status status = htz_signals_open(&session->signals);
  if (status) {
    htz_session_say(session, HTZ_LOG_ERROR, "%s (to wait for signals)", htz_status_text(status));
    return htz_exit_for(status, HTZ_EXIT_INTERNAL);
  }
  session->frames = power_of_two(options->buffer);
  if (session->frames != options->buffer) {
    htz_session_say(session, HTZ_LOG_WARNING, "-b %u: live buffers are powers of two, %u frames are used", options->buffer,
                    session->frames);
  }
  htz_takes_line line;
  int code = htz_live_control_open(session, options->control);
  if (code) {
    return code;
  }
  code = htz_takes_check(options, &line);
  if (code) {
    htz_session_say(session, line.level, "%s", line.text);
    return code;
  }
  session->performance = htz_options_performance(options, HTZ_MIDI_OMNI);
  code = htz_exit_for_input(options->input ? htz_orchestra_open_driven(&session->orchestra, &options->orchestra, options->log)
                                           : htz_orchestra_open(&session->orchestra, &options->orchestra, options->log));
  htz_orchestra_all_as_played(&session->orchestra);
  if (code == HTZ_EXIT_DONE && htz_songs_wanted(options)) {
    code = htz_songs_load(&session->songs, options, &session->orchestra, say_of_song, session);
  }
  code = code == HTZ_EXIT_DONE ? htz_settings_check(options, &session->orchestra) : code;
  code = code == HTZ_EXIT_DONE ? htz_binds_check(options, &session->orchestra) : code;
  if (code == HTZ_EXIT_DONE) {
    code = wait_for_audio(session);
  }
  if (code == HTZ_EXIT_DONE) {
    code = build(session);
  }
  if (code == HTZ_EXIT_DONE) {
    code = htz_takes_open(&session->takes, options, session->live, &line);
    if (line.text[0]) {
      htz_session_say(session, line.level, "%s", line.text);
    }
  }
  if (code == HTZ_EXIT_DONE) {
    code = htz_songs_start(&session->songs, session->live);
  }
  if (code == HTZ_EXIT_DONE) {
    atomic_store_explicit(&session->signals.code, session->songs.code, memory_order_release);
    htz_signals_guard_with(&session->signals, (htz_signals_guard){begin_fade, finish_files, silence, session});
    atomic_store_explicit(&session->playing, session->live, memory_order_release);
    session->playing_s = htz_audio_now();
    code = open_midi(session);
  }
  session->started_s = htz_audio_now();
  if (code == HTZ_EXIT_DONE) {
    htz_report_start(session);
    htz_notify_say(&session->notify, "READY=1\nSTATUS=playing on %s", session->format.name);
  }
  return code;
}

static void fade_out(htz_session* session) {
  const double end = htz_audio_now() + fade_limit_s;
  const struct timespec glance = {0, 1000 * 1000L}; // a millisecond
  atomic_store_explicit(&session->live->fade, true, memory_order_relaxed);
  while (session->audio && !atomic_load_explicit(&session->live->view.faded, memory_order_acquire) && htz_audio_now() < end) {
    nanosleep(&glance, NULL);
  }
}

static int verdict(htz_session* session, int code) {
  const htz_options* options = session->options;
  const htz_live_view* view = &session->live->view;
  if (code == HTZ_EXIT_DONE && session->device_lost && !asked_to_stop(session)) {
    code = HTZ_EXIT_DEVICE; // but what was told to stop and did has done what it should, whatever the driver does
  }
  if (code == HTZ_EXIT_DONE && session->takes.failed) {
    code = HTZ_EXIT_OUTPUT;
  }
  if (code == HTZ_EXIT_DONE) {
    code = htz_songs_verdict(&session->songs);
  }
  const bool xrun = options->fail_on & HTZ_FAIL_ON_XRUN && atomic_load_explicit(&view->xruns, memory_order_relaxed) > 0;
  const bool clip = options->fail_on & HTZ_FAIL_ON_CLIP && atomic_load_explicit(&view->over, memory_order_relaxed) > 0;
  return code == HTZ_EXIT_DONE && (xrun || clip) ? HTZ_EXIT_FAIL_ON : code;
}

static int wind_up(htz_session* session, int code) {
  const bool played = code == HTZ_EXIT_DONE;
  if (atomic_load_explicit(&session->playing, memory_order_relaxed)) {
    fade_out(session);
  }
  if (session->takes.live && !played) {
    htz_takes_discard(&session->takes, writer_limit_s);
  } else if (session->takes.live) {
    htz_takes_line line;
    htz_takes_finish(&session->takes, asked_to_stop(session) ? writer_limit_s : writer_patience_s, &line);
    if (line.text[0]) {
      htz_session_say(session, line.level, "%s", line.text);
    }
  }
  code = verdict(session, code);
  atomic_store_explicit(&session->signals.code, code, memory_order_release);
  atomic_store_explicit(&session->signals.settled, true, memory_order_release);
  htz_report_faults(session, INFINITY);
  if (played) {
    say_the_end(session, code);
  }
  return code;
}

int htz_session_close(htz_session* session, int code) {
  htz_report_clear_status(session);
  htz_keys_close();
  htz_live_control_close(session);
  htz_notify_say(&session->notify, "STOPPING=1");
  if (session->live) {
    code = wind_up(session, code);
  }
  htz_signals_guard_with(&session->signals, (htz_signals_guard){0});
  const bool left = htz_audio_close(session->audio) && !session->dead;
  htz_midi_in_close(session->midi);
  if (left) {
    // Nobody plays any more: everything goes, in the order in which it leans on each other.
    htz_takes_free(&session->takes);
    htz_live_feed_close(&session->feed);
    htz_songs_free(&session->songs);
    htz_live_pool_discard(&session->pool);
    htz_live_free(session->live);
    htz_live_pool_free(&session->pool);
    htz_orchestra_free(&session->orchestra);
    for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
      free(session->chosen[channel]);
    }
  }
  htz_live_control_free(&session->control);
  htz_notify_close(&session->notify);
  pthread_mutex_destroy(&session->lock);
  htz_signals_close(&session->signals);
  return code;
}
