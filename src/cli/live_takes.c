#include "live_takes.h"

#include "history_folder.h"
#include "render_report.h"
#include "take_names.h"
#include "whole_file.h"

#include "hertzian/io/wav_head.h"
#include "hertzian/midi/smf_write.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

static const double ring_s = 12.0;    // [s] a disk may stall that long
static const double enough_s = 600.0; // [s] of recording that should fit on the disk

static void tell(htz_takes_line* line, htz_log_level level, const char* format, ...) HTZ_PRINTF(3, 4);

static void tell(htz_takes_line* line, htz_log_level level, const char* format, ...) {
  va_list args;
  va_start(args, format);
  line->level = level;
  vsnprintf(line->text, sizeof line->text, format, args);
  va_end(args);
}

static htz_status make_recorder(htz_takes* takes) {
  if (takes->recorder) {
    return HTZ_OK;
  }
  const htz_recorder_desc desc = {.rate_hz = (unsigned)(takes->live->rate_hz + 0.5),
                                  .ring_s = ring_s,
                                  .preroll_s = takes->options->preroll_s,
                                  .sync = takes->sync};
  const htz_status status = htz_recorder_new(&desc, &takes->recorder);
  if (status == HTZ_OK) {
    atomic_store_explicit(&takes->live->recorder, takes->recorder, memory_order_release);
  }
  return status;
}

static htz_status cannot(htz_takes_line* line, htz_status status, const char* path, const char* why) {
  const bool starved = htz_status_starved(status);
  tell(line, HTZ_LOG_ERROR, starved ? "%s (%s)" : "%s: %s", starved ? why : path, starved ? path : why);
  return status;
}

// `preroll`: what was played just before belongs to it.
static htz_status begin(htz_takes* takes, const char* path, bool preroll, bool own_midi, htz_takes_line* line) {
  char why[HTZ_RECORDER_WHY] = "";
  htz_status status = make_recorder(takes);
  if (status) {
    snprintf(why, sizeof why, "%s", htz_status_text(status));
  } else {
    status = htz_recorder_start(takes->recorder, path, preroll, &takes->number, why);
  }
  if (status) {
    return cannot(line, status, path, why);
  }
  snprintf(takes->path, sizeof takes->path, "%s", path);
  takes->recording = true;
  takes->midi[0] = '\0';
  if (own_midi) {
    htz_name_midi(path, takes->midi);
    if (htz_history_take(takes->history, takes->recorder, takes->number, takes->midi)) {
      tell(line, HTZ_LOG_WARNING, "%s: no MIDI beside it, the disk is too slow", path);
    }
  }
  return HTZ_OK;
}

static void warn_of_space(const htz_takes* takes, htz_takes_line* line) {
  char folder[HTZ_RECORDER_PATH];
  struct statvfs disk;
  snprintf(folder, sizeof folder, "%s", takes->path);
  char* slash = strrchr(folder, '/');
  if (slash) {
    slash[1] = '\0';
  }
  if (statvfs(slash ? folder : ".", &disk) != 0) {
    return;
  }
  const double room = (double)disk.f_bavail * (double)disk.f_frsize;
  const double room_s = room / (takes->live->rate_hz * HTZ_RECORDER_CHANNELS * sizeof(float));
  char length[HTZ_TIME_TEXT];
  if (room_s < enough_s) {
    tell(line, HTZ_LOG_WARNING, "%s: the disk has room for %s only", takes->path, htz_time_text(room_s, length));
  }
}

static const char* name_wanted(const htz_options* options) {
  if (options->command == HTZ_CMD_RECORD) {
    return options->n_args > 0 ? options->args[0] : NULL;
  }
  return options->record;
}

static bool is_folder(const char* path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

int htz_takes_check(const htz_options* options, htz_takes_line* line) {
  const char* wanted = name_wanted(options);
  wanted = wanted && is_folder(wanted) ? NULL : wanted; // a name with the date goes there
  const char* ending = wanted ? htz_name_ending(wanted) : "";
  line->text[0] = '\0';
  if (*ending && strcasecmp(ending, ".wav") != 0 && strcasecmp(ending, ".rf64") != 0 && strcasecmp(ending, ".flac") != 0) {
    tell(line, HTZ_LOG_ERROR, "%s: recordings are WAV or FLAC files, name it .wav or .flac", wanted);
    return HTZ_EXIT_USAGE;
  }
  if (wanted && options->record_midi && htz_whole_same(wanted, options->record_midi)) {
    tell(line, HTZ_LOG_ERROR, "%s: the recording and its MIDI need names of their own (--record-midi take.mid)", wanted);
    return HTZ_EXIT_USAGE;
  }
  return HTZ_EXIT_DONE;
}

enum { ARGUMENT = HTZ_RECORDER_PATH + 64 };

// A file that is named is the same from everywhere.
static bool note_argument(char* text, const char* name, const char* value) {
  struct stat info;
  const bool file = value && strpbrk(value, "./") && stat(value, &info) == 0 && S_ISREG(info.st_mode);
  char* whole = file ? realpath(value, NULL) : NULL;
  const int used = snprintf(text, ARGUMENT, value ? "%s=%s" : "%s", name, whole ? whole : value);
  free(whole);
  return used < ARGUMENT;
}

// What a render is to be told so that it sounds the same.
static size_t list_arguments(const htz_takes* takes, char (*text)[ARGUMENT], size_t room) {
  const htz_options* options = takes->options;
  const char* input = htz_input_file(options->input);
  char rate[ARGUMENT];
  size_t n = 0;
  for (size_t i = 0; i < options->n_played && n + 3 < room; i++) {
    n += note_argument(text[n], options->played[i].name, options->played[i].value);
  }
  if (input) {
    n += note_argument(text[n], "drive", input);
  }
  if (options->channel == HTZ_CHANNEL_DEFAULT) {
    n += note_argument(text[n], "channel", "omni");
  }
  snprintf(rate, sizeof rate, "%.9g", takes->live->rate_hz);
  n += note_argument(text[n], "rate", rate);
  return n;
}

static htz_status open_history(htz_takes* takes, htz_takes_line* line) {
  const htz_options* options = takes->options;
  char target[HTZ_SOUND_PATH_MAX], folder[HTZ_PATH_MAX], why[HTZ_RECORDER_PATH + HTZ_RECORDER_WHY];
  char(*text)[ARGUMENT] = malloc(HTZ_HISTORY_ARGUMENTS * sizeof *text);
  const char* arguments[HTZ_HISTORY_ARGUMENTS];
  if (!text) {
    tell(line, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  const size_t n = list_arguments(takes, text, HTZ_HISTORY_ARGUMENTS);
  for (size_t i = 0; i < n; i++) {
    arguments[i] = text[i];
  }
  htz_history_desc desc = {.live = takes->live,
                           .sync = takes->sync,
                           .keep_in = !options->no_history && htz_history_folder(folder) ? folder : NULL,
                           .keep_mib = options->history_mib,
                           .played = arguments,
                           .n_played = n,
                           .preroll_s = options->preroll_s,
                           .toggle = options->record_by,
                           .mark = options->mark_by};
  htz_status status = HTZ_OK;
  if (options->record_midi) {
    htz_name_free(NULL, options->record_midi, false, false, takes->whole);
    desc.whole = target;
    status = htz_sound_target(takes->whole, target) ? HTZ_IO : HTZ_OK;
    snprintf(why, sizeof why, "%s: %s", takes->whole, strerror(errno));
  }
  status = status ? status : htz_history_open(&desc, &takes->history, why);
  free(text);
  if (status) {
    tell(line, HTZ_LOG_ERROR, "%s", why);
  }
  return status;
}

static void say_of_midi(const htz_takes* takes, htz_takes_line* line) {
  const char* asked = takes->options->record_midi;
  unsigned division = 0, tempo = 0;
  if (!asked) {
    return;
  }
  if (strcmp(takes->whole, asked) != 0) {
    tell(line, HTZ_LOG_NOTICE, "%s is there already; the MIDI goes into %s", asked, takes->whole);
  }
  if (!htz_smf_frame_ticks(takes->live->rate_hz, &division, &tempo)) {
    tell(line, HTZ_LOG_WARNING, "%s: MIDI files cannot count frames at %.9g Hz; times are rounded", takes->whole,
         takes->live->rate_hz);
  }
}

static htz_status begin_first(htz_takes* takes, htz_takes_line* line) {
  const htz_options* options = takes->options;
  const bool own_midi = !options->record_midi; // else that file is the take's, which begins with the performance
  char path[HTZ_RECORDER_PATH];
  htz_name_free(takes->folder, takes->wanted, !takes->wanted, own_midi, path);
  const htz_status status = begin(takes, path, false, own_midi, line);
  if (status) {
    return status;
  }
  warn_of_space(takes, line);
  if (!line->text[0] && takes->wanted && !strstr(path, takes->wanted)) {
    tell(line, HTZ_LOG_NOTICE, "%s is there already; recording %s", takes->wanted, path);
  }
  return HTZ_OK;
}

int htz_takes_open(htz_takes* takes, const htz_options* options, htz_live* live, htz_takes_line* line) {
  const char* wanted = name_wanted(options);
  const bool folder = wanted && is_folder(wanted);
  *takes = (htz_takes){
      .options = options, .live = live, .wanted = folder ? NULL : wanted, .folder = folder ? wanted : options->takes};
  line->text[0] = '\0';
  if (options->takes && !htz_history_folder_make(options->takes)) {
    tell(line, HTZ_LOG_ERROR, "%s: %s", options->takes, strerror(errno));
    return HTZ_EXIT_OUTPUT;
  }
  htz_status status = htz_disk_sync_new(NULL, NULL, &takes->sync);
  if (status) {
    tell(line, HTZ_LOG_ERROR, "%s", htz_status_text(status));
  }
  status = status ? status : open_history(takes, line);
  if (status) {
    return htz_exit_for(status, HTZ_EXIT_OUTPUT);
  }
  say_of_midi(takes, line);
  atomic_store_explicit(&live->log_midi, true, memory_order_relaxed);
  if (options->command == HTZ_CMD_RECORD || wanted) {
    status = begin_first(takes, line);
  } else if (options->preroll_s > 0.0) {
    status = make_recorder(takes); // which keeps what a take may begin with
    if (status) {
      tell(line, HTZ_LOG_ERROR, "%s", htz_status_text(status));
    }
  }
  return htz_exit_for(status, HTZ_EXIT_OUTPUT);
}

static htz_status begin_dated(htz_takes* takes, bool preroll, htz_takes_line* line) {
  char path[HTZ_RECORDER_PATH];
  htz_name_free(takes->folder, takes->wanted, true, true, path);
  const htz_status status = begin(takes, path, preroll, true, line);
  takes->failed = takes->failed || status;
  return status;
}

void htz_takes_renew(htz_takes* takes, htz_takes_line* line) {
  char before[HTZ_RECORDER_PATH];
  line->text[0] = '\0';
  if (!takes->recording) {
    return;
  }
  memcpy(before, takes->path, sizeof before);
  if (begin_dated(takes, false, line) == HTZ_OK && !line->text[0]) {
    tell(line, HTZ_LOG_NOTICE, "recording goes on in %.2000s, %.2000s is finished", takes->path, before);
  }
}

void htz_takes_toggle(htz_takes* takes, htz_takes_line* line) {
  line->text[0] = '\0';
  if (takes->recording) {
    htz_recorder_stop(takes->recorder);
    takes->recording = false;
    tell(line, HTZ_LOG_NOTICE, "recorded %s", takes->path);
  } else if (begin_dated(takes, true, line) == HTZ_OK && !line->text[0]) {
    tell(line, HTZ_LOG_NOTICE, "recording %s", takes->path);
  }
}

static uint64_t frames_now(const htz_takes* takes) {
  return atomic_load_explicit(&takes->live->view.frames, memory_order_relaxed);
}

static void mark(htz_takes* takes, uint64_t frame, const char* text) {
  if (takes->recorder) {
    htz_recorder_mark(takes->recorder, frame, text);
  }
  htz_history_mark(takes->history, frame, text);
}

void htz_takes_mark(htz_takes* takes, htz_takes_line* line) {
  char text[sizeof(htz_wav_mark)];
  snprintf(text, sizeof text, "mark %u", ++takes->marked);
  mark(takes, frames_now(takes), text);
  tell(line, HTZ_LOG_NOTICE, "%s", text);
}

static void mark_xruns(htz_takes* takes) {
  const htz_live_view* view = &takes->live->view;
  const uint64_t xruns = atomic_load_explicit(&view->xruns, memory_order_acquire);
  char text[sizeof(htz_wav_mark)] = "xrun";
  if (xruns > takes->xruns_seen) {
    if (xruns - takes->xruns_seen > 1) {
      snprintf(text, sizeof text, "%llu xruns", (unsigned long long)(xruns - takes->xruns_seen));
    }
    mark(takes, atomic_load_explicit(&view->xrun_at, memory_order_relaxed), text);
    takes->xruns_seen = xruns;
  }
}

// With `--split`: the next file begins at the frame at which this one ends; the take and its MIDI go on.
static void split(htz_takes* takes, htz_takes_line* line) {
  htz_recorder_span span;
  char path[HTZ_RECORDER_PATH], why[HTZ_RECORDER_WHY];
  const double longest = takes->options->split_s * takes->live->rate_hz;
  if (!takes->recording || !(longest > 0.0) || !htz_recorder_where(takes->recorder, takes->number, &span) || !span.begun ||
      (double)frames_now(takes) < (double)span.first + longest) {
    return;
  }
  htz_name_free(NULL, takes->path, false, false, path);
  const htz_status status = htz_recorder_start(takes->recorder, path, false, &takes->number, why);
  if (status) {
    takes->failed = true;
    takes->recording = false;
    htz_recorder_stop(takes->recorder);
    cannot(line, status, path, why);
    return;
  }
  htz_history_go_on(takes->history, takes->number);
  tell(line, HTZ_LOG_NOTICE, "recording goes on in %s", path);
}

static void look_at_midi(htz_takes* takes, htz_takes_line* line) {
  const htz_history_state state = htz_history_get(takes->history);
  if (state.error && !takes->midi_failed) {
    takes->midi_failed = true;
    takes->failed = true;
    tell(line, HTZ_LOG_ERROR, "%s: %s; playing goes on", state.path, strerror(state.error));
  } else if (state.lost > takes->midi_lost_seen) {
    takes->midi_lost_seen = state.lost;
    takes->failed = takes->failed || takes->recorder || takes->options->record_midi;
    tell(line, HTZ_LOG_WARNING, "MIDI: %llu messages are missing in what is written, too many came at once",
         (unsigned long long)state.lost);
  } else if (state.full && !takes->full_said) {
    takes->full_said = true;
    tell(line, HTZ_LOG_WARNING,
         "history: this performance has filled 240 MiB, all that a song can be; what follows is kept in takes alone, which "
         "begin "
         "with what is set by then, until hertzian is started again");
  } else if (state.toggles != takes->toggles_seen) {
    takes->toggles_seen++;
    htz_takes_toggle(takes, line);
  } else if (state.marks != takes->marks_seen) {
    takes->marks_seen++;
    htz_takes_mark(takes, line);
  }
}

static void look_at_sound(htz_takes* takes, htz_takes_line* line) {
  const htz_recorder_state state = htz_recorder_get(takes->recorder);
  char length[HTZ_TIME_TEXT];
  if (state.failed > takes->failed_seen) {
    takes->failed_seen = state.failed;
    takes->failed = true;
    tell(line, HTZ_LOG_ERROR, "%s: %s; the recording ends at %s, playing goes on", state.path, state.why,
         htz_time_text((double)state.frames / takes->live->rate_hz, length));
  } else if (state.dropped > takes->dropped_seen) {
    tell(line, HTZ_LOG_WARNING, "%s: the disk was too slow, %llu frames are silence", state.path,
         (unsigned long long)(state.dropped - takes->dropped_seen));
    takes->dropped_seen = state.dropped;
    takes->failed = true;
  } else if (state.clipped > takes->clipped_seen) {
    takes->clipped_seen = state.clipped;
    tell(line, HTZ_LOG_WARNING, "%s: %llu samples are clipped, FLAC holds none beyond full scale; -g makes it quieter",
         state.path, (unsigned long long)state.clipped);
  }
}

void htz_takes_tend(htz_takes* takes, htz_takes_line* line) {
  line->text[0] = '\0';
  mark_xruns(takes);
  look_at_midi(takes, line);
  if (takes->recorder && !line->text[0]) {
    look_at_sound(takes, line);
  }
  if (!line->text[0]) {
    split(takes, line);
  }
}

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9; // 1e-9: nanoseconds to seconds
}

/*
   Stop both writers before either is waited for. The pointers do not change any more once there is something to stop, except the
   recorder's, which is read where the audio thread finds it.
*/
htz_takes_unfinished htz_takes_stop(const htz_takes* takes, double limit_s) {
  const double end = now_s() + limit_s;
  htz_recorder* recorder = atomic_load_explicit(&takes->live->recorder, memory_order_acquire);
  htz_takes_unfinished unfinished = {0};
  atomic_store_explicit(&takes->live->log_midi, false, memory_order_relaxed);
  if (recorder) {
    htz_recorder_stop(recorder);
  }
  if (takes->history) {
    htz_history_stop(takes->history);
    // The history alone is not waited for: what is in it is there.
    const bool asked_for = recorder || takes->whole[0];
    unfinished.midi = asked_for && !htz_history_wait(takes->history, limit_s);
  }
  if (recorder) {
    unfinished.sound = !htz_recorder_wait(recorder, fmax(end - now_s(), 0.0));
  }
  return unfinished;
}

bool htz_takes_failed(const htz_takes* takes) {
  htz_recorder* recorder = atomic_load_explicit(&takes->live->recorder, memory_order_acquire);
  const htz_recorder_state sound = recorder ? htz_recorder_get(recorder) : (htz_recorder_state){0};
  const htz_history_state midi = takes->history ? htz_history_get(takes->history) : (htz_history_state){0};
  return sound.failed > 0 || sound.dropped > 0 || midi.error || (midi.lost > 0 && (recorder || takes->whole[0]));
}

void htz_takes_finish(htz_takes* takes, double limit_s, htz_takes_line* line) {
  line->text[0] = '\0';
  const htz_takes_unfinished unfinished = htz_takes_stop(takes, limit_s);
  if (unfinished.sound || unfinished.midi) {
    takes->failed = true;
    tell(line, HTZ_LOG_ERROR, "%s: the disk is too slow, the end of the recording is missing",
         unfinished.sound  ? takes->path
         : takes->whole[0] ? takes->whole
                           : takes->midi);
    return;
  }
  look_at_midi(takes, line);
  if (takes->recorder && !line->text[0]) {
    look_at_sound(takes, line);
  }
}

void htz_takes_discard(htz_takes* takes, double limit_s) {
  char target[HTZ_SOUND_PATH_MAX];
  htz_takes_stop(takes, limit_s);
  htz_history_free(takes->history, false);
  takes->history = NULL;
  if (takes->recording && htz_sound_target(takes->path, target) == HTZ_OK) {
    unlink(target);
  }
  if (takes->recording && takes->midi[0]) {
    unlink(takes->midi);
  }
}

void htz_takes_free(htz_takes* takes) {
  htz_history_free(takes->history, true);
  takes->history = NULL;
  htz_recorder_free(takes->recorder);
  takes->recorder = NULL;
  htz_disk_sync_free(takes->sync);
  takes->sync = NULL;
}
