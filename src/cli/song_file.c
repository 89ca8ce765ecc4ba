#include "song_file.h"

#include "render_job.h"
#include "render_report.h"

#include "hertzian/midi/map.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

static void tell(htz_song_say say, void* user, htz_log_level level, const char* format, ...) HTZ_PRINTF(4, 5);

static void tell(htz_song_say say, void* user, htz_log_level level, const char* format, ...) {
  char line[HTZ_USAGE_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  say(user, level, line);
}

uint16_t htz_song_channels(const htz_options* options) {
  return htz_options_performance(options, (uint16_t)(HTZ_MIDI_OMNI & ~(1u << HTZ_SONG_DRUMS))).channels;
}

int htz_song_load(const char* path, const htz_options* options, htz_song_say say, void* user, htz_smf** out, uint32_t* damage) {
  const char* name = htz_job_shown(path, false);
  htz_smf_diag diag = {0};
  const bool piped = strcmp(path, "-") == 0;
  *damage = 0;
  const htz_status status = piped ? htz_smf_load_stream(stdin, out, &diag) : htz_smf_load_file(path, out, &diag);
  if (status) {
    // A song that cannot be read is bad input, too.
    tell(say, user, HTZ_LOG_ERROR, "%s: %s", name, diag.text[0] ? diag.text : htz_status_text(status));
    return status == HTZ_NO_MEMORY ? HTZ_EXIT_INTERNAL : HTZ_EXIT_INPUT;
  }
  const htz_smf_info* info = htz_smf_get_info(*out);
  *damage = info->damage;
  if (info->damage > 0 && options->strict) {
    tell(say, user, HTZ_LOG_ERROR, "%s: %s (--strict)", name, diag.text);
    htz_smf_free(*out);
    *out = NULL;
    return HTZ_EXIT_INPUT;
  }
  if (info->damage > 1) {
    tell(say, user, HTZ_LOG_WARNING, "%s: warning: %s; %u faults in all", name, diag.text, (unsigned)info->damage);
  } else if (info->damage == 1) {
    tell(say, user, HTZ_LOG_WARNING, "%s: warning: %s", name, diag.text);
  }
  if (info->irregular > 0) {
    tell(say, user, HTZ_LOG_INFO, "%s: %u departures from the standard, nothing lost", name, (unsigned)info->irregular);
  }
  return HTZ_EXIT_DONE;
}

// Notes on one channel, by walking the song once.
static uint64_t notes_on(const htz_smf* song, unsigned channel) {
  htz_smf_clock clock;
  htz_smf_iter* iter = NULL;
  htz_smf_event event;
  uint64_t notes = 0;
  if (htz_smf_clock_init(song, 1.0, 1.0, &clock) == HTZ_OK && htz_smf_iter_new(song, &clock, &iter) == HTZ_OK) {
    while (htz_smf_iter_next(iter, &event)) {
      notes += event.status == (HTZ_MIDI_NOTE_ON | channel);
    }
  }
  htz_smf_iter_free(iter);
  return notes;
}

uint64_t htz_song_muted(const htz_smf* song, const htz_options* options) {
  const bool any = htz_smf_get_info(song)->channels_with_notes >> HTZ_SONG_DRUMS & 1u;
  return options->channel == HTZ_CHANNEL_DEFAULT && any ? notes_on(song, HTZ_SONG_DRUMS) : 0;
}

static const char* plural(uint64_t n) {
  return n == 1 ? "" : "s";
}

void htz_song_describe(const char* path, const htz_smf_info* info, double length_s, uint64_t muted, htz_song_say say,
                       void* user) {
  const char* name = htz_job_shown(path, false);
  char length[HTZ_TIME_TEXT], missing[100] = "";
  htz_time_text(length_s, length);
  if (info->missing_offs > 0) {
    snprintf(missing, sizeof missing, " (%" PRIu64 " missing note-off%s closed at the end)", info->missing_offs,
             plural(info->missing_offs));
  }
  tell(say, user, HTZ_LOG_NOTICE, "%s: format %u, %u track%s, %s, %" PRIu64 " note%s%s", name, info->format, info->tracks,
       plural(info->tracks), length, info->notes, plural(info->notes), missing);
  if (muted > 0) {
    tell(say, user, HTZ_LOG_NOTICE, "%s: %" PRIu64 " note%s on channel 10 (drums) muted; --channel omni plays them", name,
         muted, plural(muted));
  }
}
