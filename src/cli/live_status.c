#include "json.h"
#include "live_commands.h"
#include "live_session.h"
#include "render_report.h"

#include <inttypes.h>
#include <math.h>

/* What a performance is doing, for whoever asks. */

enum { NAMES = 512 };

static uint64_t get(const atomic_uint_fast64_t* counter) {
  return atomic_load_explicit(counter, memory_order_relaxed);
}

static double share(const _Atomic float* of) {
  return (double)atomic_load_explicit(of, memory_order_relaxed);
}

static double seconds(const htz_session* session) {
  return (double)get(&session->live->view.frames) / session->live->rate_hz;
}

// Only those that are there now.
static size_t connected(htz_session* session, htz_midi_source out[HTZ_MIDI_SOURCES_MAX]) {
  htz_midi_source all[HTZ_MIDI_SOURCES_MAX];
  const size_t n = session->midi ? htz_midi_in_sources(session->midi, all) : 0;
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (all[i].connected) {
      out[kept++] = all[i];
    }
  }
  return kept;
}

// What plays each channel: the instruments of its cast, with + between.
static void name_cast(const htz_session* session, unsigned channel, size_t size, char* text) {
  const htz_orchestra* o = &session->orchestra;
  const htz_cast* cast = &o->cast[atomic_load_explicit(&session->live->view.cast[channel], memory_order_relaxed)];
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < cast->n && used < size; i++) {
    const htz_role* role = &o->role[cast->role[i]];
    if (role->channels >> channel & 1u) {
      used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " + " : "", role->spec->id);
    }
  }
}

static void as_words(htz_session* session, FILE* out) {
  const htz_live_view* view = &session->live->view;
  const htz_audio_format* format = &session->format;
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  const size_t n = connected(session, sources);
  char length[HTZ_TIME_TEXT], level[HTZ_LEVEL_TEXT], names[NAMES];
  name_cast(session, 0, sizeof names, names);
  fprintf(out, "playing %s for %s\n", names, htz_time_text(seconds(session), length));
  if (session->audio) {
    fprintf(out, "audio   %s @ %.9g Hz, %u frames   realtime: %s\n", format->name, format->rate_hz, format->frames,
            format->realtime ? "yes" : "no");
  } else {
    fprintf(out, "audio   lost \"%s\", looking for it\n", format->name);
  }
  fputs("midi    ", out);
  for (size_t i = 0; i < n; i++) {
    fprintf(out, "%s%s", i ? ", " : "", sources[i].name);
  }
  fputs(n ? "\n" : "none\n", out);
  fprintf(out, "load    %.0f%%, at most %.0f%%, xruns %" PRIu64 "\n", 100.0 * share(&view->load),
          100.0 * share(&view->load_max), get(&view->xruns));
  fprintf(out, "sound   %u ringing, peak so far %s dBFS\n", atomic_load_explicit(&view->ringing, memory_order_relaxed),
          htz_level_text(share(&view->level_max), level));
  fprintf(out, "record  %s\n", session->takes.recording ? session->takes.path : "off");
}

static void as_json(htz_session* session, FILE* out) {
  char names[NAMES];
  const htz_live_view* view = &session->live->view;
  const htz_audio_format* format = &session->format;
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  const size_t n = connected(session, sources);
  fputs("{\"instrument\": ", out);
  name_cast(session, 0, sizeof names, names);
  htz_json_string(out, names);
  fputs(", \"audio\": ", out);
  htz_json_string(out, format->name);
  fputs(", \"api\": ", out);
  htz_json_string(out, format->api);
  fprintf(out, ", \"connected\": %s, \"rate_hz\": ", session->audio ? "true" : "false");
  htz_json_number(out, format->rate_hz, 9);
  fprintf(out, ", \"buffer\": %u, \"realtime\": %s, \"midi\": [", format->frames, format->realtime ? "true" : "false");
  for (size_t i = 0; i < n; i++) {
    fputs(i ? ", " : "", out);
    htz_json_string(out, sources[i].name);
  }
  fputs("], \"instruments\": [", out);
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    name_cast(session, channel, sizeof names, names);
    fputs(channel ? ", " : "", out);
    htz_json_string(out, names);
  }
  fputs("], \"seconds\": ", out);
  htz_json_number(out, seconds(session), 9);
  fprintf(out, ", \"notes\": %" PRIu64 ", \"ringing\": %u, \"load\": ", get(&view->notes),
          atomic_load_explicit(&view->ringing, memory_order_relaxed));
  htz_json_number(out, share(&view->load), 4);
  fputs(", \"load_max\": ", out);
  htz_json_number(out, share(&view->load_max), 4);
  fprintf(out, ", \"xruns\": %" PRIu64 ", \"peak_dbfs\": ", get(&view->xruns));
  htz_json_number(out, 20.0 * log10(share(&view->level_max)), 6); // null: nothing was heard yet
  fprintf(out, ", \"parts\": %u, \"parts_bytes\": %" PRIu64, atomic_load_explicit(&view->parts, memory_order_relaxed),
          get(&view->bytes));
  fputs(", \"recording\": ", out);
  htz_json_string(out, session->takes.recording ? session->takes.path : NULL);
  fputs("}\n", out);
}

int htz_live_status(htz_session* session, const htz_live_request* request, FILE* out) {
  if (request->json) {
    as_json(session, out);
  } else {
    as_words(session, out);
  }
  return HTZ_EXIT_DONE;
}
