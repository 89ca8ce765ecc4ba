#include "render_report.h"

#include "json.h"
#include "render_stems.h"
#include "song_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char* htz_time_text(double seconds, char text[HTZ_TIME_TEXT]) {
  const double tenths = floor(seconds * 10.0 + 0.5);
  const uint64_t total = tenths > 0.0 ? (uint64_t)tenths : 0;
  const uint64_t hours = total / 36000, minutes = total / 600 % 60;
  const unsigned whole = (unsigned)(total / 10 % 60), tenth = (unsigned)(total % 10);
  if (hours > 0) {
    snprintf(text, HTZ_TIME_TEXT, "%" PRIu64 ":%02" PRIu64 ":%02u.%u", hours, minutes, whole, tenth);
  } else {
    snprintf(text, HTZ_TIME_TEXT, "%" PRIu64 ":%02u.%u", minutes, whole, tenth);
  }
  return text;
}

void htz_report_held(htz_job* job, int key) {
  static const char* const names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};
  enum { OCTAVE = 12, KEYS = 128 };
  char length[HTZ_TIME_TEXT];
  const unsigned at = (unsigned)(key + OCTAVE * KEYS); // a name also for what transposition took off the keyboard
  htz_job_say(job, HTZ_LOG_NOTICE, "%s: %s, drives key %s%d (%d) of the %s", job->song,
              htz_time_text(job->result.song_s, length), names[at % OCTAVE], (int)(at / OCTAVE) - KEYS - 1, key,
              job->orchestra->fallback->id);
}

static void report_counters(htz_job* job, const htz_map_counters* map) {
  const htz_engine_counters* engine = &job->result.engine;
  const struct {
    uint64_t count;
    const char* what;
  } lines[] = {
      {map->out_of_range, "note(s) transposed beyond the keyboard"},
      {map->unmapped, "note(s) on keys that the keymap leaves silent"},
      {map->unplayed, "note(s) without an instrument"},
      {map->outside, "note(s) outside the keys and velocities of all that plays there"},
      {job->result.kept, "part(s) that were freed when it was played sound on here: from there on it is not the same"},
      {engine->octaves, "note(s) beyond the range of what plays them, played in its nearest octave"},
      {engine->strikes_refused, "note(s) refused: what plays them has no such key, or none that sounds at this rate"},
      {engine->late, "event(s) late"},
      {engine->dropped, "stroke(s) or damper move(s) dropped: a key takes 16 of them within 64 frames"},
      {engine->resets, "key(s) reset, their state was not finite or ran away"},
      {engine->solver_bounds, "contact step(s) hit the solver's bound"},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    if (lines[i].count > 0) {
      htz_job_say(job, HTZ_LOG_NOTICE, "%s: %" PRIu64 " %s", htz_job_shown(job->song, false), lines[i].count, lines[i].what);
    }
  }
}

static double to_db(double magnitude) {
  return 20.0 * log10(magnitude); // minus infinity for silence
}

const char* htz_level_text(double magnitude, char text[HTZ_LEVEL_TEXT]) {
  const double db = to_db(magnitude);
  // A peak that rounds to nothing is 0.0 and not -0.0: 0.05 dB is half of the last digit.
  snprintf(text, HTZ_LEVEL_TEXT, "%.1f", fabs(db) < 0.05 ? 0.0 : db);
  return text;
}

/** What was written: a file, or those of the channels. */
static const char* written(const htz_job* job, size_t size, char* text) {
  char path[HTZ_STEMS_PATH];
  size_t used = 0;
  unsigned more = 0;
  for (unsigned channel = 0; channel < HTZ_SMF_CHANNELS; channel++) {
    if (job->result.stems >> channel & 1u) {
      static const size_t rest = sizeof ", and 16 more";
      htz_stem_path(job->output, channel, path);
      const bool fits = more == 0 && used + strlen(path) + rest + 2 < size;
      used += fits ? (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", path) : 0;
      more += !fits;
    }
  }
  if (more > 0) {
    used += (size_t)snprintf(text + used, size - used, "%s %u more", used ? ", and" : "", more);
  }
  return used ? text : htz_job_shown(job->output, true);
}

void htz_report_done(htz_job* job, htz_map_counters map) {
  const htz_job_result* result = &job->result;
  char names[HTZ_USAGE_TEXT];
  const char* name = written(job, sizeof names, names);
  char length[HTZ_TIME_TEXT];
  report_counters(job, &map);
  char level[HTZ_LEVEL_TEXT], between[HTZ_LEVEL_TEXT];
  const double peak_db = to_db(result->peak);
  htz_job_say(job, HTZ_LOG_NOTICE,
              "%s: %s (%.1f s tail), %.0f Hz %s stereo, peak %s dBFS, %" PRIu64 " clipped, %.1fx real time, %.1f LUFS, %s dBTP",
              name, htz_time_text(result->length_s, length), result->tail_s, job->options->rate_hz,
              htz_encoding_words(job->encoding), htz_level_text(result->peak, level), result->clipped, result->speed,
              result->lufs, htz_level_text(result->true_peak, between));
  if (job->options->goal == HTZ_GOAL_LOUDNESS && !isfinite(result->lufs)) {
    htz_job_say(job, HTZ_LOG_WARNING, "%s: warning: no 0.4 s of it reach -70 LUFS, so it has no loudness and keeps its level",
                name);
  }
  if (result->clipped > 0 && job->options->goal == HTZ_GOAL_PEAK) {
    htz_job_say(job, HTZ_LOG_WARNING, "%s: warning: clipped by %.1f dB", name, peak_db);
  } else if (result->clipped > 0 && job->options->goal == HTZ_GOAL_LOUDNESS) {
    htz_job_say(job, HTZ_LOG_WARNING, "%s: warning: clipped by %.1f dB; --loudness %.1f avoids it", name,
                ceil(peak_db * 10.0) / 10.0, floor((job->options->goal_db - peak_db) * 10.0) / 10.0);
  } else if (result->clipped > 0) {
    // Rounded down to a tenth, so that the advice suffices.
    const double advice = floor((job->options->gain_db - peak_db) * 10.0) / 10.0;
    htz_job_say(job, HTZ_LOG_WARNING, "%s: warning: clipped by %.1f dB; -g %.1f or --normalize avoids it", name,
                ceil(peak_db * 10.0) / 10.0, advice);
  }
}

static void json_field(const char* name, double value, int digits) {
  printf(", \"%s\": ", name);
  htz_json_number(stdout, value, digits);
}

static void json_parts(const htz_job* job) {
  htz_song_part part;
  const char* comma = "";
  printf(", \"parts\": [");
  for (size_t cursor = 0; htz_song_part_next(&job->result.played, job->orchestra, &cursor, &part); comma = ", ") {
    printf("%s{\"channel\": %u, \"program\": %u, \"bank\": %u, \"name\": ", comma, part.channel + 1, part.program, part.bank);
    htz_json_string(stdout, part.name[0] ? part.name : NULL);
    printf(", \"notes\": %" PRIu64 ", \"instrument\": ", part.notes);
    htz_json_string(stdout, part.instrument->id);
    printf(", \"instruments\": [");
    const char* between = "";
    for (unsigned i = 0; i < part.cast->n; i++) {
      const htz_role* role = &job->orchestra->role[part.cast->role[i]];
      if (role->channels >> part.channel & 1u) {
        fputs(between, stdout);
        htz_json_string(stdout, role->spec->id);
        between = ", ";
      }
    }
    printf("], \"why\": \"%s\"}", htz_program_reason_text(part.reason));
  }
  printf("]");
}

static void json_stems(const htz_job* job) {
  char path[HTZ_STEMS_PATH];
  const char* comma = "";
  printf("%s", job->options->stems ? ", \"stems\": [" : "");
  for (unsigned channel = 0; channel < HTZ_SMF_CHANNELS; channel++) {
    if (job->result.stems >> channel & 1u) {
      htz_stem_path(job->output, channel, path);
      fputs(comma, stdout);
      htz_json_string(stdout, path);
      comma = ", ";
    }
  }
  printf("%s", job->options->stems ? "]" : "");
}

static void json_job(const htz_job* job) {
  enum { DIGITS = 10 }; // significant, of measured values
  const htz_job_result* result = &job->result;
  printf("{\"song\": ");
  htz_json_string(stdout, job->alone ? NULL : job->song);
  if (job->options->drive) {
    printf(", \"drive\": ");
    htz_json_string(stdout, job->options->drive);
  }
  printf(", \"output\": ");
  htz_json_string(stdout, job->options->stems ? NULL : job->output);
  json_stems(job);
  printf(", \"exit\": %d, \"error\": ", result->code);
  htz_json_string(stdout, result->reason);
  printf(", \"format\": %u, \"tracks\": %u, \"notes\": %" PRIu64 ", \"muted_notes\": %" PRIu64
         ", \"missing_note_offs\": %" PRIu64 ", \"pedals_down\": %u, \"damage\": %u",
         result->format, result->tracks, result->notes, result->played.drums, result->missing_offs, result->played.pedals,
         (unsigned)result->damage);
  json_parts(job);
  json_field("song_s", result->song_s, DIGITS);
  if (result->code == HTZ_EXIT_DONE && !job->options->dry_run) {
    json_field("length_s", result->length_s, DIGITS);
    json_field("tail_s", result->tail_s, DIGITS);
    printf(", \"frames\": %" PRIu64 ", \"rate_hz\": %.0f, \"channels\": 2, \"container\": \"%s\", \"encoding\": \"%s\"",
           result->frames, job->options->rate_hz, htz_container_name(job->container), htz_encoding_name(job->encoding));
    json_field("peak", result->peak, DIGITS);
    json_field("peak_dbfs", to_db(result->peak), DIGITS);
    json_field("true_peak_dbtp", to_db(result->true_peak), DIGITS);
    json_field("loudness_lufs", result->lufs, DIGITS);
    printf(", \"clipped\": %" PRIu64, result->clipped);
    json_field("speed", result->speed, DIGITS);
    const htz_engine_counters* engine = &result->engine;
    printf(", \"strikes\": %" PRIu64 ", \"octaves\": %" PRIu64 ", \"strikes_refused\": %" PRIu64 ", \"resets\": %" PRIu64
           ", \"closures\": %" PRIu64 ", \"contact_steps\": %" PRIu64 ", \"solver_bounds\": %" PRIu64 ", \"dropped\": %" PRIu64
           ", \"mallets_reused\": %" PRIu64,
           engine->strikes, engine->octaves, engine->strikes_refused, engine->resets, engine->closures, engine->contact_steps,
           engine->solver_bounds, engine->dropped, engine->reused);
  }
  printf("}");
}

void htz_report_json(const htz_job* jobs, size_t n_jobs) {
  printf("{\"hertzian\": \"%s\", \"songs\": [", HTZ_VERSION);
  for (size_t i = 0; i < n_jobs; i++) {
    printf("%s\n  ", i ? "," : "");
    json_job(&jobs[i]);
  }
  printf("\n]}\n");
}
