#include "live_dial.h"
#include "live_session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double glance_s = 0.03;   // [s] between two looks at everything
static const double retry_s = 1.0;     // [s] between two tries to open a device that went away
static const double quiet_end_s = 0.5; // [s] of silence after the input has ended: then it is over

static void say_line(htz_session* session, const htz_takes_line* line) {
  if (line->text[0]) {
    htz_session_say(session, line->level, "%s", line->text);
  }
}

static void obey_signals(htz_session* session) {
  htz_takes_line line = {0};
  const unsigned hangups = atomic_load_explicit(&session->signals.hangups, memory_order_relaxed);
  const unsigned toggles = atomic_load_explicit(&session->signals.toggles, memory_order_relaxed);
  if (hangups != session->hangups_done) {
    session->hangups_done = hangups;
    htz_notify_say(&session->notify, "RELOADING=1");
    htz_live_reload(session);
    htz_takes_renew(&session->takes, &line);
    say_line(session, &line);
    htz_notify_say(&session->notify, "READY=1");
  }
  if (toggles != session->toggles_done) {
    session->toggles_done++; // one at a time: each may be the end of a take or the beginning of another
    htz_takes_toggle(&session->takes, &line);
    say_line(session, &line);
  }
}

// With the input that it had; without, when only the output is back: a healthy stream is not ended to look for an input.
static bool reopen(htz_session* session, const char* name, char* why, size_t why_size) {
  char input[sizeof session->format.api + sizeof session->format.input];
  const double rate_hz = session->live->rate_hz;
  const bool had = session->format.input[0] != '\0';
  snprintf(input, sizeof input, "%s:%s", session->format.api, session->format.input);
  if (htz_session_open_audio(session, name, had ? input : NULL, rate_hz, why, why_size) == HTZ_EXIT_DONE) {
    return true;
  }
  if (!had || htz_session_open_audio(session, name, NULL, rate_hz, why, why_size) != HTZ_EXIT_DONE) {
    return false;
  }
  htz_session_say(session, HTZ_LOG_WARNING, "input: lost \"%s\", silence in its place until the next start",
                  input + strlen(session->format.api) + 1);
  return true;
}

static void let_go(htz_session* session, double now_s) {
  if (!htz_audio_close(session->audio)) {
    session->dead = true;
  }
  session->audio = NULL;
  session->device_lost = true;
  htz_notify_say(&session->notify, "STATUS=lost %s, looking for it", session->format.name);
  session->lost_why_said = false;
  session->audio_at_s = now_s;
}

// The same one again, and not what is the default by now.
static bool look_for(htz_session* session, char* why, size_t why_size) {
  char name[sizeof session->format.api + sizeof session->format.name];
  snprintf(name, sizeof name, "%s:%s", session->format.api, session->format.name);
  if (session->dead || !reopen(session, name, why, why_size)) {
    return false;
  }
  session->device_lost = false;
  htz_notify_say(&session->notify, "STATUS=playing on %s", session->format.name);
  // As loud as its loss was told: whoever heard of that waits for it.
  htz_session_say(session, HTZ_LOG_WARNING, "audio: connected \"%s\"", session->format.name);
  return true;
}

bool htz_session_reset_audio(htz_session* session, char* why, size_t why_size) {
  snprintf(why, why_size, "the driver does not let go of \"%s\"; start hertzian again", session->format.name);
  if (session->audio) {
    let_go(session, htz_audio_now());
  }
  return look_for(session, why, why_size);
}

// A device that went away is looked for by its name until it is back.
static void mind_audio(htz_session* session, double now_s) {
  char why[256];
  if (session->audio && htz_audio_check(session->audio) == HTZ_AUDIO_RUNNING) {
    return;
  }
  if (session->audio) {
    htz_session_say(session, HTZ_LOG_WARNING, "audio: lost \"%s\", looking for it%s", session->format.name,
                    session->takes.recording ? "; the recording stands still meanwhile" : "");
    let_go(session, now_s);
    return;
  }
  if (session->dead || now_s - session->audio_at_s < retry_s) {
    return;
  }
  session->audio_at_s = now_s;
  if (!look_for(session, why, sizeof why)) {
    htz_session_say(session, session->lost_why_said ? HTZ_LOG_DEBUG : HTZ_LOG_WARNING, "%s", why);
    session->lost_why_said = true;
  }
}

static bool over(htz_session* session, double now_s, double* quiet_since_s) {
  const htz_options* options = session->options;
  const htz_live_view* view = &session->live->view;
  const double played_s = (double)atomic_load_explicit(&view->frames, memory_order_relaxed) / session->live->rate_hz;
  if (played_s >= options->duration_s || (!session->audio && now_s - session->started_s >= options->duration_s)) {
    return true;
  }
  if (session->dead) {
    return true; // nothing can be played any more
  }
  if (session->songs.n > 0) {
    return htz_songs_over(&session->songs) && htz_live_feed_over(&session->feed);
  }
  if (isfinite(options->duration_s) || !htz_midi_in_ended(session->midi) || !htz_live_feed_over(&session->feed) ||
      atomic_load_explicit(&view->sounding, memory_order_relaxed)) {
    *quiet_since_s = now_s;
  }
  return now_s - *quiet_since_s > quiet_end_s;
}

/** @return true when a part was built: there may be more to build */
static bool build_ahead(htz_session* session) {
  bool built = false;
  const char* why = NULL;
  const htz_status status = htz_live_pool_build(&session->pool, &built, &why);
  if (status) {
    htz_session_say(session, HTZ_LOG_WARNING, "no more parts can be built: %s", why ? why : htz_status_text(status));
  }
  return built;
}

void htz_session_watch(htz_session* session) {
  double quiet_since_s = htz_audio_now();
  while (atomic_load_explicit(&session->signals.stop, memory_order_relaxed) == 0) {
    const double now_s = htz_audio_now();
    htz_takes_line line;
    obey_signals(session);
    const htz_key_pressed key = htz_keys_read();
    if (key == HTZ_KEY_QUIT) {
      return;
    }
    htz_songs_tend(&session->songs, &session->pool, key);
    htz_typed_obey(session, key, now_s);
    htz_takes_tend(&session->takes, &line);
    say_line(session, &line);
    htz_report_news(session, now_s);
    htz_report_faults(session, now_s);
    mind_audio(session, now_s);
    htz_live_control_tend(session);
    htz_live_pool_tidy(&session->pool, &session->orchestra);
    htz_notify_alive(&session->notify, now_s);
    htz_report_status(session, now_s);
    if (over(session, now_s, &quiet_since_s)) {
      return;
    }
    if (!build_ahead(session)) {
      htz_signals_wait(&session->signals, glance_s);
    }
  }
}
