#include "render_job.h"

#include "held_song.h"
#include "render_control.h"
#include "render_report.h"
#include "render_stems.h"
#include "song_dials.h"
#include "song_parts.h"
#include "take.h"
#include "try_instrument.h"

#include "hertzian/host/output.h"
#include "hertzian/host/song_span.h"
#include "hertzian/io/loudness.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tail_max_s = 30.0;            // longest automatic tail [s]
static const double late_end_s = 60.0;            // of silence before an End of Track that nobody waits for: it is told [s]
static const double least_peak = 1.0 / (1 << 24); // below half a step of 24 bits there is nothing to hear

/** What one render needs besides its job. */
typedef struct {
  htz_job* job;
  htz_smf* song;
  htz_song_dials dials;
  htz_drive_file* drive; ///< with `--drive`
  htz_player* player;
  htz_sound_out* file; ///< with `--stems` to nowhere: it only measures
  htz_stems* stems;    ///< with `--stems`
  htz_loudness* loudness;
  FILE* spool;       ///< where a level is to be reached: the samples before they are scaled
  double spool_peak; ///< largest magnitude in it
  uint64_t spooled;  ///< frames in it
  htz_take take;
  htz_song_span span;
} render;

static void fail(htz_job* job, int code, const char* format, ...) HTZ_PRINTF(3, 4);

static void fail(htz_job* job, int code, const char* format, ...) {
  char text[HTZ_USAGE_TEXT];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  job->result.code = code;
  job->result.reason = strdup(text);
  htz_job_say(job, HTZ_LOG_ERROR, "%s", text);
}

static int code_of(htz_status status) {
  switch (status) {
  case HTZ_OK:
    return HTZ_EXIT_DONE;
  case HTZ_BAD_INPUT:
  case HTZ_NOT_FOUND:
    return HTZ_EXIT_INPUT;
  case HTZ_UNSUPPORTED:
    return HTZ_EXIT_USAGE;
  case HTZ_IO:
    return HTZ_EXIT_OUTPUT;
  default:
    return HTZ_EXIT_INTERNAL;
  }
}

// What the system has no more of is no fault of the file that was to be read then.
static void fail_input(htz_job* job, htz_status status, const char* name, const char* why) {
  if (htz_status_starved(status)) {
    fail(job, HTZ_EXIT_INTERNAL, "%s (%s)", htz_status_text(status), name);
  } else {
    fail(job, HTZ_EXIT_INPUT, "%s: %s", name, why);
  }
}

static bool open_drive(render* r) {
  char why[HTZ_DRIVE_WHY];
  const htz_options* options = r->job->options;
  const htz_status status = options->drive ? htz_drive_file_open(options->drive, options->rate_hz, &r->drive, why) : HTZ_OK;
  char line[HTZ_DIAG_FILE + HTZ_DIAG_TEXT];
  if (status && !htz_status_starved(status) &&
      htz_try_explain(r->job->orchestra, r->job->options->rate_hz, sizeof line, line)) {
    fail(r->job, HTZ_EXIT_INPUT, "%s", line);
    return false;
  }
  if (status) {
    fail_input(r->job, status, options->drive, why);
  }
  return status == HTZ_OK;
}

static int held_key(const htz_job* job) {
  return htz_spec_middle_key(job->orchestra->fallback);
}

static bool hold_one_key(render* r) {
  const int channel = r->job->options->channel > 0 ? r->job->options->channel - 1 : 0;
  const htz_status status = htz_held_song((unsigned)channel, (unsigned)held_key(r->job), &r->song);
  if (status) {
    fail(r->job, HTZ_EXIT_INTERNAL, "%s (%s)", htz_status_text(status), r->job->song);
  }
  return status == HTZ_OK;
}

static void say_of_song(void* user, htz_log_level level, const char* line) {
  htz_job* job = user;
  if (level == HTZ_LOG_ERROR) {
    job->result.reason = strdup(line);
  }
  htz_job_say(job, level, "%s", line);
}

static bool load_song(render* r) {
  htz_job* job = r->job;
  if (job->alone) {
    return hold_one_key(r);
  }
  job->result.code = htz_song_load(job->song, job->options, say_of_song, job, &r->song, &job->result.damage);
  if (job->result.code == HTZ_EXIT_DONE && htz_smf_unfold(&r->song) != HTZ_OK) {
    fail_input(job, HTZ_NO_MEMORY, job->song, NULL);
  }
  if (job->result.code == HTZ_EXIT_DONE) {
    job->result.code = htz_song_dials_read(&r->dials, job->song, r->song, job->options, job->orchestra, say_of_song, job);
  }
  return job->result.code == HTZ_EXIT_DONE;
}

// Where the song begins, ends and stops.
static bool lay_out(render* r, htz_player_desc* desc) {
  const htz_options* options = r->job->options;
  const double rate = options->rate_hz;
  const htz_song_wish wish = {.channels = desc->performance->channels,
                              .rate_hz = rate,
                              .tempo = options->tempo,
                              .start_s = options->start_s,
                              .end_s = options->end_s,
                              .least = r->job->alone ? htz_drive_file_frames(r->drive) : 0};
  const htz_status status = htz_song_span_init(&r->span, r->song, &wish);
  const htz_song_span span = r->span;
  if (status) {
    fail(r->job, HTZ_EXIT_INTERNAL, "%s (%s)", htz_status_text(status), htz_job_shown(r->job->song, false));
    return false;
  }
  desc->cut = span.cut;
  desc->close = span.close;
  htz_take* take = &r->take;
  htz_take_init(take, rate);
  take->start = span.start;
  take->song_end = desc->close;
  take->block = options->buffer;
  take->automatic = options->tail == HTZ_TAIL_AUTO;
  const double tail_s = take->automatic ? tail_max_s : options->tail_s;
  take->stop = options->tail == HTZ_TAIL_EOT ? span.end : desc->close + (uint64_t)llround(tail_s * rate);
  r->job->result.song_s = (double)(span.last - span.lead) / rate;
  if (options->start_s > 0.0 && take->start >= (take->automatic ? take->song_end : take->stop)) {
    char length[HTZ_TIME_TEXT];
    fail(r->job, HTZ_EXIT_USAGE, "%s: --start lies beyond the end, the song lasts %s", htz_job_shown(r->job->song, false),
         htz_time_text((double)(take->song_end - span.lead) / rate, length));
    return false;
  }
  const uint64_t expected = take->automatic ? take->song_end : take->stop;
  atomic_store_explicit(&r->job->frames_expected, expected > 0 ? expected : 1, memory_order_relaxed);
  return true;
}

static void tell_late_end(const render* r, const htz_smf_info* info) {
  const htz_options* options = r->job->options;
  char line[HTZ_USAGE_TEXT], last[HTZ_TIME_TEXT];
  const double rest_s = htz_smf_seconds(r->song, info->end) - htz_smf_seconds(r->song, info->last_event);
  if (options->tail == HTZ_TAIL_AUTO && info->last_event < info->end && rest_s > late_end_s) {
    snprintf(line, sizeof line, "%s: its End of Track comes %s after the last event, which is not waited for (--tail eot)",
             htz_job_shown(r->job->song, false), htz_time_text(rest_s, last));
    say_of_song(r->job, HTZ_LOG_NOTICE, line);
  }
}

// Say what the song holds. @return false where it holds notes and none would be played
static bool describe(render* r, const htz_player_desc* desc) {
  htz_job* job = r->job;
  const htz_smf_info* info = htz_smf_get_info(r->song);
  if (job->alone) {
    htz_report_held(job, held_key(job) + job->options->transpose);
    return true;
  }
  htz_notes* notes = &job->result.played;
  job->result.format = info->format;
  job->result.tracks = info->tracks;
  job->result.notes = info->notes - info->lead_notes;
  job->result.missing_offs = info->missing_offs;
  job->result.code = htz_song_check(job->song, r->song, job->options, desc->orchestra, &r->span, say_of_song, job, notes);
  if (job->result.code) {
    return false;
  }
  htz_song_describe(job->song, r->song, notes, job->result.song_s, say_of_song, job);
  tell_late_end(r, info);
  htz_song_parts_describe(job->song, notes, job->orchestra, say_of_song, job);
  return true;
}

static bool open_file(render* r) {
  htz_job* job = r->job;
  char why[HTZ_SOUND_WHY];
  const bool apart = job->options->stems;
  const htz_sound_desc desc = {.path = apart ? "/dev/null" : job->output,
                               .container = apart ? HTZ_CONTAINER_RAW : job->container,
                               .encoding = job->encoding,
                               .rate_hz = (unsigned)job->options->rate_hz,
                               .channels = HTZ_TAKE_CHANNELS,
                               .no_clobber = job->options->no_clobber};
  htz_status status = htz_sound_out_open(&desc, &r->file, why);
  atomic_store_explicit(&job->open, status == HTZ_OK && job->part[0] && !apart, memory_order_release);
  if (status == HTZ_OK && apart) {
    char line[HTZ_STEMS_WHY];
    status = htz_stems_open(job, &job->result.played, &r->take, &r->stems, line);
    if (status) {
      fail(job, code_of(status), "%s", line);
      return false;
    }
  }
  if (status == HTZ_OK && job->options->goal != HTZ_GOAL_NONE) {
    status = htz_temporary_file(&r->spool, why);
  }
  if (status == HTZ_OK) {
    status = htz_loudness_new(job->options->rate_hz, HTZ_TAKE_CHANNELS, HTZ_LOUDNESS_PROGRAMME, &r->loudness);
    snprintf(why, sizeof why, "%s", htz_status_text(status));
  }
  if (htz_status_starved(status)) {
    fail(job, HTZ_EXIT_INTERNAL, "%s (%s)", why, htz_job_shown(job->output, true));
  } else if (status) {
    fail(job, code_of(status), "%s: %s", htz_job_shown(job->output, true), why);
  }
  return status == HTZ_OK;
}

static bool open_player(render* r, const htz_player_desc* desc) {
  const char* why = NULL;
  const htz_status status = htz_player_new(desc, &r->player, &why);
  char line[HTZ_DIAG_FILE + HTZ_DIAG_TEXT];
  if (status && !htz_status_starved(status) &&
      htz_try_explain(r->job->orchestra, r->job->options->rate_hz, sizeof line, line)) {
    fail(r->job, HTZ_EXIT_INPUT, "%s", line);
    return false;
  }
  if (status) {
    fail_input(r->job, status,
               r->job->options->orchestra.instrument ? r->job->options->orchestra.instrument
                                                     : htz_job_shown(r->job->song, false),
               why ? why : htz_status_text(status));
    return false;
  }
  return true;
}

static bool to_file(void* user, const float* samples, size_t frames) {
  render* r = user;
  return htz_sound_out_write(r->file, samples, frames) == HTZ_OK;
}

static bool to_spool(void* user, const float* samples, size_t frames) {
  render* r = user;
  const size_t count = frames * HTZ_TAKE_CHANNELS;
  for (size_t i = 0; i < count; i++) {
    const double magnitude = fabs((double)samples[i]);
    r->spool_peak = magnitude > r->spool_peak ? magnitude : r->spool_peak;
  }
  r->spooled += frames;
  return fwrite(samples, sizeof *samples, count, r->spool) == count;
}

static bool hear(void* user, const float* samples, size_t frames) {
  render* r = user;
  if (htz_loudness_add(r->loudness, samples, frames)) {
    return false;
  }
  return r->spool ? to_spool(r, samples, frames) : to_file(r, samples, frames);
}

// The next quantum of all channels, and of each with `--stems`.
static void next_quantum(render* r, float gain) {
  float left[HTZ_QUANTUM] = {0.0f}, right[HTZ_QUANTUM] = {0.0f}, both[HTZ_QUANTUM * HTZ_TAKE_CHANNELS];
  float apart[HTZ_MIDI_CHANNELS][2][HTZ_QUANTUM];
  if (r->stems) {
    htz_player_quantum_apart(r->player, apart);
  } else {
    htz_player_quantum(r->player, left, right);
  }
  for (size_t channel = 0; r->stems && channel < HTZ_MIDI_CHANNELS; channel++) {
    for (size_t i = 0; i < HTZ_QUANTUM; i++) {
      left[i] += apart[channel][0][i];
      right[i] += apart[channel][1][i];
    }
  }
  for (size_t i = 0; i < HTZ_QUANTUM; i++) {
    both[i * HTZ_TAKE_CHANNELS] = left[i] * gain;
    both[i * HTZ_TAKE_CHANNELS + 1] = right[i] * gain;
  }
  htz_take_quantum(&r->take, both);
  if (r->stems) {
    htz_stems_quantum(r->stems, &r->take, apart, gain);
  }
}

static void perform(render* r) {
  const float gain = (float)htz_output_gain(r->job->options->gain_db);
  uint64_t frames = 0;
  while (!r->take.done && !htz_control_stopped(r->job)) {
    next_quantum(r, gain);
    frames += HTZ_QUANTUM;
    atomic_store_explicit(&r->job->frames_done, frames, memory_order_relaxed);
  }
}

/** What brings the samples heard to the level that is wanted; silence stays silent. */
static double goal_gain(const render* r) {
  const htz_options* options = r->job->options;
  const double now_db = options->goal == HTZ_GOAL_PEAK       ? 20.0 * log10(r->spool_peak)
                        : options->goal == HTZ_GOAL_LOUDNESS ? htz_loudness_whole(r->loudness)
                                                             : options->goal_db;
  return isfinite(now_db) ? pow(10.0, (options->goal_db - now_db) / 20.0) : 1.0;
}

// The second pass, at the level that is wanted. @return false when reading back failed
static bool pour(render* r, double gain) {
  float samples[HTZ_QUANTUM * HTZ_TAKE_CHANNELS];
  if (fflush(r->spool) != 0 || fseek(r->spool, 0, SEEK_SET) != 0) {
    return false;
  }
  for (uint64_t left = r->spooled; left > 0 && !htz_control_stopped(r->job);) {
    const size_t now = left < HTZ_QUANTUM ? (size_t)left : HTZ_QUANTUM;
    const size_t count = now * HTZ_TAKE_CHANNELS;
    if (fread(samples, sizeof *samples, count, r->spool) != count) {
      return false;
    }
    for (size_t i = 0; i < count; i++) {
      samples[i] = (float)(samples[i] * gain);
    }
    if (!to_file(r, samples, now)) {
      return true; // the file knows
    }
    left -= now;
  }
  return true;
}

// Notes were played and nothing is heard of them: that is no result. @return whether it is so
static bool came_out_silent(render* r) {
  htz_job* job = r->job;
  const char* name = htz_job_shown(job->song, false);
  const bool excerpt = job->options->start_s > 0.0 || isfinite(job->options->end_s);
  const bool led_in = htz_smf_get_info(r->song)->lead > 0; // a take of nothing is one, too
  if (job->alone || job->result.notes == 0 || led_in || htz_sound_out_stats(r->file).peak >= least_peak) {
    return false;
  }
  const uint64_t strikes = htz_player_engine_counters(r->player).strikes;
  if (strikes == 0) {
    fail(job, HTZ_EXIT_INPUT, "%s: none of its notes has a key on the instrument%s", name,
         job->options->orchestra.instrument ? "; --transpose may bring them there, or another -i" : "");
  } else if (excerpt) {
    fail(job, HTZ_EXIT_USAGE, "%s: nothing sounds between --start and --end", name);
  } else if (!r->drive) {
    fail(job, HTZ_EXIT_INPUT,
         "%s: none of its notes is heard: beyond what the instrument sounds at this rate, at volume 0, or cut off by --tail",
         name);
  } else {
    return false; // what drives may be silent
  }
  return true;
}

static void fail_output(render* r) {
  htz_job* job = r->job;
  if (htz_sound_out_hung_up(r->file)) {
    // A reader that has had enough is no news.
    job->result.code = HTZ_EXIT_OUTPUT;
    return;
  }
  fail(job, htz_exit_for(htz_sound_out_status(r->file), HTZ_EXIT_OUTPUT), "%s: %s", htz_job_shown(job->output, true),
       htz_sound_out_error(r->file));
}

static void finish(render* r, double began) {
  htz_job* job = r->job;
  const double rate = job->options->rate_hz;
  bool ok = !r->take.failed;
  bool spool_ok = ok || !r->spool;
  const double gain = r->spool ? goal_gain(r) : 1.0;
  if (ok && r->spool) {
    spool_ok = pour(r, gain);
  }
  if (!spool_ok) {
    fail(job, HTZ_EXIT_OUTPUT, "%s: the temporary file cannot be used (disk full?)", htz_job_shown(job->output, true));
    return;
  }
  if (htz_control_stopped(job)) {
    return;
  }
  if (htz_player_status(r->player)) {
    fail_input(job, htz_player_status(r->player), htz_job_shown(job->song, false), "a part of it cannot be built");
    return;
  }
  if (ok && came_out_silent(r)) {
    return;
  }
  // Repeats a failed write's failure.
  if (!ok || htz_sound_out_write(r->file, NULL, 0) || htz_sound_out_commit(r->file)) {
    fail_output(r);
    return;
  }
  uint64_t clipped = 0;
  char why[HTZ_STEMS_WHY];
  const htz_status status = r->stems ? htz_stems_commit(r->stems, &clipped, why) : HTZ_OK;
  if (status) {
    fail(job, htz_exit_for(status, HTZ_EXIT_OUTPUT), "%s", why);
    return;
  }
  atomic_store_explicit(&job->open, false, memory_order_release);
  job->result.finished = true;
  const htz_sound_stats stats = htz_sound_out_stats(r->file);
  job->result.frames = stats.frames;
  job->result.length_s = (double)stats.frames / rate;
  job->result.tail_s = (double)(r->take.frame - r->take.song_end) / rate;
  job->result.peak = stats.peak;
  job->result.clipped = r->stems ? clipped : stats.clipped;
  job->result.true_peak = htz_loudness_true_peak(r->loudness) * gain;
  job->result.lufs = htz_loudness_whole(r->loudness) + 20.0 * log10(gain);
  job->result.engine = htz_player_engine_counters(r->player);
  job->result.kept = htz_player_kept(r->player);
  const char* fault = r->drive ? htz_drive_file_fault(r->drive) : NULL;
  if (fault) {
    htz_job_say(job, HTZ_LOG_WARNING, "%s: warning: %s; silence from there on", job->options->drive, fault);
  }
  char changed[HTZ_DRIVE_WHY];
  if (r->drive && htz_drive_file_changed(r->drive, changed)) {
    htz_job_say(job, HTZ_LOG_WARNING, "%s: warning: %s", job->options->drive, changed);
  }
  const double wall = htz_control_now() - began;
  job->result.speed = (double)r->take.frame / rate / (wall > 0.0 ? wall : 1e-9); // 1e-9 s: below the clock's grain
  job->result.stems = r->stems ? htz_stems_channels(r->stems) : 0;
  htz_report_done(job, htz_player_map_counters(r->player));
}

void htz_job_run(htz_job* job) {
  const double began = htz_control_now();
  htz_rt_flush_denormals();
  render* r = calloc(1, sizeof *r);
  if (!r) {
    fail(job, HTZ_EXIT_INTERNAL, "%s", htz_status_text(HTZ_NO_MEMORY));
    return;
  }
  r->job = job;
  const htz_performance performance = htz_options_performance(job->options, htz_song_channels(job->options, job->orchestra));
  htz_player_desc desc = {
      .orchestra = job->orchestra, .performance = &performance, .rate_hz = job->options->rate_hz, .tempo = job->options->tempo};
  if (open_drive(r) && load_song(r)) {
    desc.song = r->song;
    desc.dials = r->dials.span;
    desc.orchestra = r->dials.orchestra ? r->dials.orchestra : job->orchestra;
    desc.drive = r->drive;
    if (lay_out(r, &desc) && describe(r, &desc)) {
      r->take.user = r;
      r->take.sink = hear;
      if (job->options->dry_run) {
        job->result.finished = true;
      } else if (open_file(r) && open_player(r, &desc) && htz_control_begin(job)) {
        perform(r);
        finish(r, began);
      }
    }
  }
  htz_stems_free(r->stems);
  htz_sound_out_free(r->file);
  atomic_store_explicit(&job->open, false, memory_order_release);
  if (r->spool) {
    fclose(r->spool);
  }
  htz_loudness_free(r->loudness);
  htz_player_free(r->player);
  htz_song_dials_free(&r->dials);
  htz_smf_free(r->song);
  htz_drive_file_free(r->drive);
  free(r);
}
