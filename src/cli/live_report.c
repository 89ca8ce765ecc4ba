#include "json.h"
#include "live_remedy.h"
#include "live_session.h"
#include "render_report.h"

#include "hertzian/io/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double status_every_s = 0.1; // [s] the status line moves no faster
static const double peak_hold_s = 1.0;    // [s] the peak load shown is of that long
static const double fault_every_s = 1.0;  // [s] faults are said no more often
static const double short_every_s = 60.0; // [s] what a machine is short of is said no more often
static const double news_after_s = 0.08;  // [s] by then the audio thread has let go of what a lost source held
static const float silent_below = 1e-6f;  // -120 dBFS: the status line calls it silence

enum { STATUS_COLUMNS = 80, STATUS_MOST = 200, TEXT = 512 }; // of a terminal that does not say how wide it is, or is wider

static const char* plural(uint64_t n) {
  return n == 1 ? "" : "s";
}

static uint64_t get(const atomic_uint_fast64_t* counter) {
  return atomic_load_explicit(counter, memory_order_relaxed);
}

static double decibels(double magnitude) {
  return 20.0 * log10(magnitude); // minus infinity for silence
}

static double percent(const _Atomic float* share) {
  return 100.0 * (double)atomic_load_explicit(share, memory_order_relaxed);
}

static void list_sources(htz_session* session, char* text, size_t size) {
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  const size_t n = htz_midi_in_sources(session->midi, sources);
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < n && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", sources[i].name);
  }
  if (n == 0) {
    snprintf(text, size, "none%s%s", session->midi_remark[0] ? ": " : "", session->midi_remark);
  }
}

static void say_realtime(htz_session* session) {
  char hint[TEXT], unlocked[HTZ_MACHINE_HINT];
  const bool locked = session->options->realtime < 0 || htz_machine_lock_memory(unlocked);
  const bool real_device = strcmp(session->format.api, "null") != 0;
  if (!session->format.realtime && real_device && session->options->realtime >= 0) {
    htz_audio_realtime_hint(hint, sizeof hint);
    htz_session_say(session, HTZ_LOG_NOTICE, "realtime: no; %s", hint);
  }
  if (!locked && real_device) {
    htz_session_say(session, HTZ_LOG_NOTICE, "memory: not locked; %s", unlocked);
  }
}

// Of the main instrument, over its keys; those of others may have been built since.
static size_t bodies_of_main(const htz_live_pool* pool) {
  const htz_live_prebuilt* prebuilt = pool->all;
  while (prebuilt && prebuilt->role != 0) {
    prebuilt = prebuilt->next;
  }
  return prebuilt ? prebuilt->built.n_bodies : 0;
}

/** What plays before any program change: ` + cello` for whoever plays with the main instrument; and that there are others. */
static void list_others(const htz_orchestra* orchestra, char* text, size_t size) {
  const htz_cast* cast = &orchestra->cast[0];
  size_t used = 0;
  bool by_channel = false, by_program = false;
  text[0] = '\0';
  for (unsigned i = 1; i < cast->n && used < size; i++) {
    used += (size_t)snprintf(text + used, size - used, " + %s", orchestra->role[cast->role[i]].spec->id);
  }
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    by_channel = by_channel || (orchestra->cast_of[channel] != HTZ_CAST_BY_PROGRAM && orchestra->cast_of[channel] > 0);
    by_program = by_program || orchestra->cast_of[channel] == HTZ_CAST_BY_PROGRAM;
  }
  if (used < size) {
    snprintf(text + used, size - used, "%s%s", by_channel ? ", others by channel" : "",
             by_program && orchestra->n_casts > 1 ? ", others by program change" : "");
  }
}

// What of the device a player may not expect.
static void say_device(htz_session* session) {
  const htz_audio_format* format = &session->format;
  const htz_options* options = session->options;
  const unsigned left = format->channels[0], right = format->channels[1];
  if (options->channels[0] > 0 && left == right) {
    htz_session_say(session, HTZ_LOG_NOTICE, "audio: the mean of left and right on output %u", left);
  } else if (options->channels[0] > 0) {
    htz_session_say(session, HTZ_LOG_NOTICE, "audio: left on output %u, right on output %u", left, right);
  } else if (left == right) {
    htz_session_say(session, HTZ_LOG_WARNING, "audio: \"%s\" has one channel; the mean of left and right is heard",
                    format->name);
  }
  if (format->alone && !options->audio) {
    htz_session_say(session, HTZ_LOG_NOTICE, "audio: no device that programs share; \"%s\" is hertzian's alone until it ends",
                    format->name);
  }
}

void htz_report_start(htz_session* session) {
  const htz_audio_format* format = &session->format;
  const htz_spec* spec = session->orchestra.role[0].spec;
  char midi[TEXT], what[2 * TEXT], audio[TEXT], others[TEXT];
  const double latency_s = format->latency_s + session->live->delay / format->rate_hz;
  session->status_wanted = isatty(STDERR_FILENO) && session->options->verbosity >= 0;
  list_sources(session, midi, sizeof midi);
  list_others(&session->orchestra, others, sizeof others);
  snprintf(what, sizeof what, "hertzian %s  %s (%zu keys, %zu bodies)%s", HTZ_VERSION, spec->id, htz_spec_count_keys(spec),
           bodies_of_main(&session->pool), others);
  snprintf(audio, sizeof audio, "%s @ %.9g Hz, %u frames (~%.3g ms)", format->name, format->rate_hz, format->frames,
           latency_s * 1e3);
  if (session->status_wanted) {
    htz_session_say(session, HTZ_LOG_NOTICE, "%s", what);
    htz_session_say(session, HTZ_LOG_NOTICE, "audio  %s   realtime: %s", audio, format->realtime ? "yes" : "no");
    htz_session_say(session, HTZ_LOG_NOTICE, "midi   %s", midi);
  } else {
    htz_session_say(session, HTZ_LOG_NOTICE, "%s; audio %s; midi %s", what, audio, midi);
  }
  if (format->input[0]) {
    htz_session_say(session, HTZ_LOG_NOTICE, "input  %s%s", format->input,
                    format->input_apart ? ", not the output's device: where their clocks differ, a block is lost now and then"
                                        : "");
  } else if (session->feed.file) {
    htz_session_say(session, HTZ_LOG_NOTICE, "input  %s", htz_input_file(session->options->input));
  }
  say_device(session);
  say_realtime(session);
}

/** Columns that a line may have without beginning another: all but the last, behind which some terminals go on below. */
static int columns(void) {
  struct winsize size = {0};
  const bool told = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return told ? (size.ws_col < STATUS_MOST ? size.ws_col : STATUS_MOST) - 1 : STATUS_COLUMNS - 1;
}

/** Cut `text` after `most` characters of UTF-8. @return how many it has then */
static int fit(char* text, int most) {
  int n = 0;
  for (char* at = text; *at; at++) {
    const bool begins = ((unsigned char)*at & 0xC0) != 0x80;
    if (begins && n++ == most) {
      *at = '\0';
      return most;
    }
  }
  return n;
}

void htz_report_clear_status(htz_session* session) {
  if (session->status_shown) {
    const int wide = session->status_wide < columns() ? session->status_wide : columns();
    fprintf(stderr, "\r%*s\r", wide, "");
    session->status_shown = false;
  }
}

void htz_report_status(htz_session* session, double now_s) {
  htz_live_view* view = &session->live->view;
  if (!session->status_wanted || now_s - session->status_at_s < status_every_s) {
    return;
  }
  session->status_at_s = now_s;
  const float peak = atomic_exchange_explicit(&view->load_peak, 0.0f, memory_order_relaxed);
  const float level = atomic_exchange_explicit(&view->level, 0.0f, memory_order_relaxed);
  if (peak > session->peak || now_s - session->peak_at_s > peak_hold_s) {
    session->peak = peak;
    session->peak_at_s = now_s;
  }
  char line[4 * TEXT], level_text[TEXT] = "silent", input_text[TEXT] = "";
  if (level > silent_below) {
    snprintf(level_text, sizeof level_text, "%.1f dB", decibels((double)level));
  }
  if (session->live->drive_from != HTZ_DRIVE_NONE) {
    const float heard = atomic_exchange_explicit(&view->drive_level, 0.0f, memory_order_relaxed);
    snprintf(input_text, sizeof input_text, heard > 0.0f ? "  in %.0f dB" : "  in silent", decibels((double)heard));
  }
  char song[TEXT];
  htz_songs_status(&session->songs, song, sizeof song);
  snprintf(line, sizeof line, "%s%2u ringing  load %.0f%% peak %.0f%%  xruns %" PRIu64 "  out %s%s%s", song,
           atomic_load_explicit(&view->ringing, memory_order_relaxed), percent(&view->load), 100.0 * (double)session->peak,
           get(&view->xruns), level_text, input_text, session->takes.recording ? "  rec" : "");
  const char* typed = htz_typed_text(session, now_s);
  if (typed[0]) {
    const size_t length = strlen(line);
    snprintf(line + length, sizeof line - length, "  %s", typed);
  }
  // Blanks over what is left of a longer one.
  const int most = columns(), n = fit(line, most);
  const int rest = session->status_wide < most ? session->status_wide - n : most - n;
  fprintf(stderr, "\r%s%*s", line, session->status_shown && rest > 0 ? rest : 0, "");
  session->status_wide = n;
  fflush(stderr);
  session->status_shown = true;
}

// Where in the recording it happened, so that it can be looked at.
static void recorded_at(const htz_session* session, char text[TEXT]) {
  char time[HTZ_TIME_TEXT];
  text[0] = '\0';
  if (session->takes.recording) {
    const htz_recorder_state state = htz_recorder_get(session->takes.recorder);
    const uint64_t frames = get(&session->live->view.frames);
    const double at_s = (double)(frames - (frames > state.first_frame ? state.first_frame : frames)) / session->live->rate_hz;
    snprintf(text, TEXT, ", at %s of the recording", htz_time_text(at_s, time));
  }
}

static void report_input(htz_session* session) {
  const uint64_t missing = get(&session->live->view.drive_missing);
  if (missing > session->missing_said) {
    htz_session_say(session, HTZ_LOG_WARNING, "input: %.0f ms did not come in time; silence in their place",
                    1e3 * (double)(missing - session->missing_said) / session->live->rate_hz);
    session->missing_said = missing;
  }
  char changed[HTZ_DRIVE_WHY];
  const char* fault = htz_live_feed_fault(&session->feed);
  const bool any = htz_live_feed_changed(&session->feed, changed);
  if ((fault || any) && !session->feed_said) {
    const char* name = htz_input_file(session->options->input);
    session->feed_said = true;
    if (fault) {
      htz_session_say(session, HTZ_LOG_WARNING, "%s: %s; silence from there on", name, fault);
    }
    if (any) {
      htz_session_say(session, HTZ_LOG_WARNING, "%s: %s", name, changed);
    }
  }
}

/**
   A machine that is short of time, in one line with what helps; after that no more often than anybody reads it. A null device has no
   listener: its blocks that come late are told where they matter to a take, or were asked for.
*/
static void report_short_of_time(htz_session* session, uint64_t xruns, uint64_t relieved, double now_s) {
  const htz_live_view* view = &session->live->view;
  const bool heard = strcmp(session->format.api, "null") != 0 || session->takes.recording ||
                     session->options->fail_on & HTZ_FAIL_ON_XRUN || session->options->verbosity > 0;
  const uint64_t late = xruns - session->xruns_said, damped = relieved - session->relieved_said;
  const bool again = session->short_at_s > 0.0;
  char where[TEXT], remedy[TEXT];
  if ((damped == 0 && (late == 0 || !heard)) || (again && now_s - session->short_at_s < short_every_s)) {
    return;
  }
  const bool own = damped > 0 || (double)atomic_load_explicit(&view->busy_max, memory_order_relaxed) > 1.0;
  htz_remedy(session, own, remedy, sizeof remedy);
  recorded_at(session, where);
  if (damped > 0 && !heard) {
    htz_session_say(session, HTZ_LOG_WARNING, "overload: the %" PRIu64 " quietest key%s damped; %s", damped,
                    damped == 1 ? " was" : "s were", remedy);
  } else if (damped > 0) {
    htz_session_say(session, HTZ_LOG_WARNING, "overload: the %" PRIu64 " quietest key%s damped, %" PRIu64 " xrun%s%s; %s",
                    damped, damped == 1 ? " was" : "s were", late, plural(late), where, remedy);
  } else {
    htz_session_say(session, HTZ_LOG_WARNING,
                    "%" PRIu64 " xrun%s: load %.0f%%, at most %.0f%%, of it the engine's own %.0f%%%s; %s", late, plural(late),
                    percent(&view->load), percent(&view->load_max), percent(&view->busy_max), where, remedy);
  }
  session->xruns_said = xruns;
  session->relieved_said = relieved;
  session->short_at_s = now_s;
}

void htz_report_faults(htz_session* session, double now_s) {
  const htz_live_view* view = &session->live->view;
  if (now_s - session->xruns_at_s < fault_every_s) {
    return;
  }
  session->xruns_at_s = now_s;
  const uint64_t xruns = get(&view->xruns), resets = get(&view->resets), relieved = get(&view->relieved);
  report_short_of_time(session, xruns, relieved, now_s);
  if (resets > session->resets_said) {
    const uint64_t n = resets - session->resets_said;
    htz_session_say(session, HTZ_LOG_WARNING, "%" PRIu64 " key%s reset: the state was not finite or ran away", n, plural(n));
    session->resets_said = resets;
  }
  if (get(&view->limited) > 0 && !session->limiter_said) {
    session->limiter_said = true;
    htz_session_say(session, HTZ_LOG_WARNING, "the limiter acts: too loud by %.1f dB; -g makes it quieter",
                    decibels((double)atomic_load_explicit(&view->level_max, memory_order_relaxed)) + 1.0);
  }
  if (get(&view->stood_in) > 0 && !session->stand_in_said) {
    session->stand_in_said = true;
    // A render of the recorded MIDI has those notes where they belong, and so differs.
    htz_session_say(session, HTZ_LOG_WARNING, "%s",
                    session->options->orchestra.instrument
                        ? "notes on a new channel came before its part was built and were played by another channel's"
                        : "notes came before their instrument was built and were played on another; -i NAME has one there from "
                          "the start");
  }
  report_input(session);
  const uint64_t lost = session->midi ? htz_midi_in_lost(session->midi) : 0;
  if (lost > session->lost_said) {
    htz_session_say(session, HTZ_LOG_WARNING, "midi: %" PRIu64 " bytes lost, more came than can be played; held notes released",
                    lost - session->lost_said);
    session->lost_said = lost;
  }
}

static uint64_t newly_released(htz_session* session, const char* name) {
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  const size_t n = htz_midi_in_sources(session->midi, sources);
  for (size_t i = 0; i < n; i++) {
    if (strcmp(sources[i].name, name) == 0) {
      const uint64_t released = get(&session->live->view.released[i]);
      const uint64_t fresh = released - session->released_said[i];
      session->released_said[i] = released;
      return fresh;
    }
  }
  return 0;
}

static void report_silent(htz_session* session) {
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  const size_t n = session->midi ? htz_midi_in_sources(session->midi, sources) : 0;
  for (size_t i = 0; i < n; i++) {
    const uint64_t silent = get(&session->live->view.silent[i]);
    if (silent > session->silent_said[i]) {
      const uint64_t released = newly_released(session, sources[i].name);
      htz_session_say(session, HTZ_LOG_NOTICE, "midi: \"%s\" is silent, %" PRIu64 " note%s released", sources[i].name, released,
                      plural(released));
    }
    session->silent_said[i] = silent;
  }
}

void htz_report_news(htz_session* session, double now_s) {
  report_silent(session);
  for (;;) {
    htz_live_news news;
    pthread_mutex_lock(&session->lock);
    const bool any = session->n_news > 0 && (session->news[0].connected || now_s - session->news[0].time_s > news_after_s);
    if (any) {
      news = session->news[0];
      session->n_news--;
      memmove(session->news, session->news + 1, session->n_news * sizeof session->news[0]);
    }
    pthread_mutex_unlock(&session->lock);
    if (!any) {
      return;
    }
    if (news.connected) {
      htz_session_say(session, HTZ_LOG_NOTICE, "midi: connected \"%s\"", news.name);
    } else {
      const uint64_t n = newly_released(session, news.name);
      htz_session_say(session, HTZ_LOG_NOTICE, "midi: lost \"%s\", %" PRIu64 " note%s released", news.name, n, plural(n));
    }
  }
}

void htz_report_summary(htz_session* session) {
  const htz_live_view* view = &session->live->view;
  char length[HTZ_TIME_TEXT], level[HTZ_LEVEL_TEXT], extra[TEXT] = "", recorded[HTZ_TAKES_TEXT] = "";
  size_t used = 0;
  const uint64_t limited = get(&view->limited), relieved = get(&view->relieved), over = get(&view->over);
  if (over > 0) {
    used += (size_t)snprintf(extra + used, sizeof extra - used, ", %" PRIu64 " frames over full scale", over);
  }
  if (limited > 0) {
    used += (size_t)snprintf(extra + used, sizeof extra - used, ", limiter active %.1f s",
                             (double)limited / session->live->rate_hz);
  }
  if (relieved > 0) {
    snprintf(extra + used, sizeof extra - used, ", %" PRIu64 " keys damped by the overload guard", relieved);
  }
  // With a pre-roll there is a recorder also where nothing was recorded.
  htz_recorder* recorder = atomic_load_explicit(&session->live->recorder, memory_order_acquire);
  const htz_recorder_state state = recorder ? htz_recorder_get(recorder) : (htz_recorder_state){0};
  if (state.path[0]) {
    char take[HTZ_TIME_TEXT];
    snprintf(recorded, sizeof recorded, "; recorded %s, %s", state.path,
             htz_time_text((double)state.frames / session->live->rate_hz, take));
  } else if (session->takes.history && htz_history_path(session->takes.history) && get(&view->notes) > 0) {
    snprintf(recorded, sizeof recorded, "; MIDI kept (hertzian history render last -o take.wav)");
  }
  htz_session_say(session, HTZ_LOG_NOTICE, "played %s, load max %.0f%%, xruns %" PRIu64 ", peak %s dBFS%s%s",
                  htz_time_text((double)get(&view->frames) / session->live->rate_hz, length), percent(&view->load_max),
                  get(&view->xruns),
                  htz_level_text((double)atomic_load_explicit(&view->level_max, memory_order_relaxed), level), extra, recorded);
}

static void put(const char* name, uint64_t value) {
  printf(",\n  \"%s\": %" PRIu64, name, value);
}

static void put_number(const char* name, double value) {
  printf(",\n  \"%s\": ", name);
  htz_json_number(stdout, value, 9);
}

static void put_text(const char* name, const char* value) {
  printf(",\n  \"%s\": ", name);
  htz_json_string(stdout, value);
}

void htz_report_stats(htz_session* session, int code) {
  const htz_live_view* view = &session->live->view;
  const htz_audio_format* format = &session->format;
  printf("{\n  \"exit\": %d", code);
  put_text("instrument", session->orchestra.role[0].spec->id);
  put_text("audio", format->name);
  put_text("api", format->api);
  printf(",\n  \"channels\": [%u, %u]", format->channels[0], format->channels[1]);
  put_number("rate_hz", format->rate_hz);
  put("buffer", format->frames);
  put("midi_delay_frames", session->live->delay);
  printf(",\n  \"realtime\": %s", format->realtime ? "true" : "false");
  put_number("seconds", (double)get(&view->frames) / session->live->rate_hz);
  put("frames", get(&view->frames));
  put("blocks", get(&view->blocks));
  put("xruns", get(&view->xruns));
  put("late_blocks", get(&view->late));
  put_number("load_max", (double)atomic_load_explicit(&view->load_max, memory_order_relaxed));
  put_number("busy_max", (double)atomic_load_explicit(&view->busy_max, memory_order_relaxed));
  put_number("peak_dbfs", decibels((double)atomic_load_explicit(&view->level_max, memory_order_relaxed)));
  put("frames_over", get(&view->over));
  put("frames_limited", get(&view->limited));
  put("samples_broken", get(&view->broken));
  put("keys_relieved", get(&view->relieved));
  put("keys_reset", get(&view->resets));
  put("midi_messages", get(&view->messages));
  put("midi_bytes_lost", session->midi ? htz_midi_in_lost(session->midi) : 0);
  put("notes", get(&view->notes));
  put("notes_stood_in", get(&view->stood_in));
  put_number("start_s", session->playing_s - session->opened_s);
  put("first_sound_frame", get(&view->first_sound)); // 0: nothing was heard
  if (session->songs.n > 0) {
    put("songs_begun", atomic_load_explicit(&session->live->song.begun, memory_order_relaxed)); // every pass counts
  }
  if (session->options->input) {
    put_text("input", format->input[0] ? format->input : session->options->input);
    put_number("input_peak_dbfs", decibels((double)atomic_load_explicit(&view->drive_level_max, memory_order_relaxed)));
    put("input_frames_missing", get(&view->drive_missing));
  }
  htz_recorder* recorder = atomic_load_explicit(&session->live->recorder, memory_order_acquire);
  if (recorder) {
    const htz_recorder_state state = htz_recorder_get(recorder);
    put_text("recorded", state.path[0] ? state.path : NULL);
    put("recorded_frames", state.frames);
    put("recorded_frames_lost", state.dropped);
  }
  if (session->takes.history && htz_history_path(session->takes.history)) {
    put_text("history", htz_history_path(session->takes.history));
  }
  printf("\n}\n");
}
