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

int htz_song_load(const char* path, const htz_options* options, htz_song_say say, void* user, htz_smf** out, uint32_t* damage) {
  const char* name = htz_job_shown(path, false);
  htz_smf_diag diag = {0};
  const bool piped = strcmp(path, "-") == 0;
  *damage = 0;
  const htz_status status = piped ? htz_smf_load_stream(stdin, out, &diag) : htz_smf_load_file(path, out, &diag);
  if (status) {
    // A song that cannot be read is bad input, too; but what the system has no more of is no fault of the file.
    if (htz_status_starved(status)) {
      tell(say, user, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), name);
    } else {
      tell(say, user, HTZ_LOG_ERROR, "%s: %s", name, diag.text[0] ? diag.text : htz_status_text(status));
    }
    return htz_exit_for(status, HTZ_EXIT_INPUT);
  }
  const htz_smf_info* info = htz_smf_get_info(*out);
  *damage = info->damage;
  if (info->damage > 0 && options->strict) {
    tell(say, user, HTZ_LOG_ERROR, "%s: %s (--strict)", name, diag.text);
    htz_smf_free(*out);
    *out = NULL;
    return HTZ_EXIT_INPUT;
  }
  if (info->damage > 0 && info->notes == 0) {
    tell(say, user, HTZ_LOG_ERROR, "%s: %s; there is no note in what can be read of it", name, diag.text);
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

int htz_song_check(const char* path, const htz_smf* song, const htz_options* options, const htz_orchestra* orchestra,
                   const htz_song_span* span, htz_song_say say, void* user, htz_notes* notes) {
  const char* name = htz_job_shown(path, false);
  const htz_status status = htz_notes_count(song, options, orchestra, span, notes);
  if (status) {
    tell(say, user, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), name);
    return HTZ_EXIT_INTERNAL;
  }
  if (htz_smf_get_info(song)->notes > 0 && notes->played == 0) {
    char why[HTZ_NOTES_TEXT];
    // Cut off by what was asked for; everything else the song could have in another way.
    const bool cut = notes->late > 0 && notes->drums + notes->off + notes->beyond == 0;
    tell(say, user, HTZ_LOG_ERROR, "%s: %s", name, htz_notes_why(notes, options, why));
    return cut ? HTZ_EXIT_USAGE : HTZ_EXIT_INPUT;
  }
  return HTZ_EXIT_DONE;
}

static const char* plural(uint64_t n) {
  return n == 1 ? "" : "s";
}

void htz_song_describe(const char* path, const htz_smf* song, const htz_notes* notes, double length_s, htz_song_say say,
                       void* user) {
  const htz_smf_info* info = htz_smf_get_info(song);
  const char* name = htz_job_shown(path, false);
  char length[HTZ_TIME_TEXT], missing[100] = "";
  const uint64_t notes_own = info->notes - info->lead_notes;
  htz_time_text(length_s, length);
  if (info->missing_offs > 0) {
    snprintf(missing, sizeof missing, " (%" PRIu64 " missing note-off%s closed at the end)", info->missing_offs,
             plural(info->missing_offs));
  }
  tell(say, user, HTZ_LOG_NOTICE, "%s: format %u, %u track%s, %s, %" PRIu64 " note%s%s", name, info->format, info->tracks,
       plural(info->tracks), length, notes_own, plural(notes_own), missing);
  if (info->lead > 0) {
    tell(say, user, HTZ_LOG_INFO, "%s: what was played before it, %s and %" PRIu64 " note%s, is computed and not heard", name,
         htz_time_text(htz_smf_seconds(song, info->lead), length), info->lead_notes, plural(info->lead_notes));
  }
  if (notes->pedals > 0) {
    tell(say, user, HTZ_LOG_INFO, "%s: pedals left down on %u channel%s lifted at the end", name, notes->pedals,
         plural(notes->pedals));
  }
  if (info->notes == 0) {
    tell(say, user, HTZ_LOG_WARNING, "%s: warning: there is no note in it, silence", name);
  }
  if (notes->drums > 0) {
    tell(say, user, HTZ_LOG_NOTICE, "%s: %" PRIu64 " note%s on channel 10 (drums) muted; --channel omni plays them", name,
         notes->drums, plural(notes->drums));
  }
}
