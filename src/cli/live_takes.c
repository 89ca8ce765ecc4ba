#include "live_takes.h"
#include "render_report.h"
#include "whole_file.h"

#include "hertzian/midi/smf_write.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
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

static const char* ending_of(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  const char* dot = strrchr(name, '.');
  return dot && dot != name ? dot : name + strlen(name);
}

// What was asked for with the time in it, in a name that nobody has.
static void dated_name(const htz_takes* takes, char path[HTZ_RECORDER_PATH]) {
  enum { STAMP = 32, TRIES = 1000 };
  const char* wanted = takes->wanted ? takes->wanted : "hertzian.wav";
  const char* ending = ending_of(wanted);
  const int stem = (int)(ending - wanted);
  char stamp[STAMP] = "";
  struct tm local;
  const time_t now = time(NULL);
  if (localtime_r(&now, &local)) {
    strftime(stamp, sizeof stamp, "-%Y-%m-%d-%H%M%S", &local);
  }
  snprintf(path, HTZ_RECORDER_PATH, "%.*s%s%s", stem, wanted, stamp, *ending ? ending : ".wav");
  for (int n = 2; n < TRIES && access(path, F_OK) == 0; n++) {
    snprintf(path, HTZ_RECORDER_PATH, "%.*s%s-%d%s", stem, wanted, stamp, n, *ending ? ending : ".wav");
  }
}

static htz_status make_recorder(htz_takes* takes) {
  if (takes->recorder) {
    return HTZ_OK;
  }
  const htz_recorder_desc desc = {.rate_hz = (unsigned)(takes->live->rate_hz + 0.5), .ring_s = ring_s};
  const htz_status status = htz_recorder_new(&desc, &takes->recorder);
  if (status == HTZ_OK) {
    atomic_store_explicit(&takes->live->recorder, takes->recorder, memory_order_release);
  }
  return status;
}

static htz_status begin(htz_takes* takes, const char* path, htz_takes_line* line) {
  char why[HTZ_RECORDER_WHY] = "";
  htz_status status = make_recorder(takes);
  if (status) {
    snprintf(why, sizeof why, "%s", htz_status_text(status));
  } else {
    status = htz_recorder_start(takes->recorder, path, why);
  }
  if (status) {
    const bool starved = htz_status_starved(status);
    tell(line, HTZ_LOG_ERROR, starved ? "%s (%s)" : "%s: %s", starved ? why : path, starved ? path : why);
    return status;
  }
  snprintf(takes->path, sizeof takes->path, "%s", path);
  takes->recording = true;
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

int htz_takes_check(const htz_options* options, htz_takes_line* line) {
  const char* wanted = name_wanted(options);
  const char* ending = wanted ? ending_of(wanted) : "";
  line->text[0] = '\0';
  if (*ending && strcasecmp(ending, ".wav") != 0 && strcasecmp(ending, ".rf64") != 0) {
    tell(line, HTZ_LOG_ERROR, "%s: recordings are WAV files, name it .wav", wanted);
    return HTZ_EXIT_USAGE;
  }
  if (wanted && options->record_midi && htz_whole_same(wanted, options->record_midi)) {
    tell(line, HTZ_LOG_ERROR, "%s: the recording and its MIDI need names of their own (--record-midi take.mid)", wanted);
    return HTZ_EXIT_USAGE;
  }
  return HTZ_EXIT_DONE;
}

int htz_takes_open(htz_takes* takes, const htz_options* options, htz_live* live, htz_takes_line* line) {
  *takes = (htz_takes){.options = options, .live = live, .wanted = name_wanted(options)};
  line->text[0] = '\0';
  if (options->record_midi) {
    char target[HTZ_SOUND_PATH_MAX];
    const htz_status status =
        htz_sound_target(options->record_midi, target) ? HTZ_IO : htz_midi_log_open(target, live, &takes->midi);
    if (htz_status_starved(status)) {
      tell(line, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), options->record_midi);
    } else if (status) {
      tell(line, HTZ_LOG_ERROR, "%s: %s", options->record_midi,
           errno == EEXIST ? "is there already; recordings never overwrite" : strerror(errno));
    }
    if (status) {
      return htz_exit_for(status, HTZ_EXIT_OUTPUT);
    }
    unsigned division = 0, tempo = 0;
    if (!htz_smf_frame_ticks(live->rate_hz, &division, &tempo)) {
      tell(line, HTZ_LOG_WARNING, "%s: MIDI files cannot count frames at %.9g Hz; times are rounded", options->record_midi,
           live->rate_hz);
    }
    atomic_store_explicit(&live->log_midi, true, memory_order_relaxed);
  }
  if (options->command == HTZ_CMD_RECORD || takes->wanted) {
    char path[HTZ_RECORDER_PATH];
    if (takes->wanted) {
      snprintf(path, sizeof path, "%s", takes->wanted);
    } else {
      dated_name(takes, path);
    }
    const htz_status status = begin(takes, path, line);
    if (status) {
      return htz_exit_for(status, HTZ_EXIT_OUTPUT);
    }
    warn_of_space(takes, line);
  }
  return HTZ_EXIT_DONE;
}

void htz_takes_renew(htz_takes* takes, htz_takes_line* line) {
  char path[HTZ_RECORDER_PATH], before[HTZ_RECORDER_PATH];
  line->text[0] = '\0';
  if (!takes->recording) {
    return;
  }
  dated_name(takes, path);
  memcpy(before, takes->path, sizeof before);
  if (begin(takes, path, line) == HTZ_OK) {
    tell(line, HTZ_LOG_NOTICE, "recording goes on in %.2000s, %.2000s is finished", path, before);
  } else {
    takes->failed = true;
  }
}

void htz_takes_toggle(htz_takes* takes, htz_takes_line* line) {
  char path[HTZ_RECORDER_PATH];
  line->text[0] = '\0';
  if (takes->recording) {
    htz_recorder_stop(takes->recorder);
    takes->recording = false;
    tell(line, HTZ_LOG_NOTICE, "recorded %s", takes->path);
    return;
  }
  dated_name(takes, path);
  if (begin(takes, path, line) == HTZ_OK) {
    tell(line, HTZ_LOG_NOTICE, "recording %s", path);
  } else {
    takes->failed = true;
  }
}

static void look_at_midi(htz_takes* takes, htz_takes_line* line) {
  const htz_midi_log_state state = htz_midi_log_get(takes->midi);
  if (state.error && !takes->midi_failed) {
    takes->midi_failed = true;
    takes->failed = true;
    tell(line, HTZ_LOG_ERROR, "%s: %s; playing goes on", takes->options->record_midi, strerror(state.error));
  } else if (state.lost > takes->midi_lost_seen) {
    takes->midi_lost_seen = state.lost;
    takes->failed = true;
    tell(line, HTZ_LOG_WARNING, "%s: %llu messages are missing, too many came at once", takes->options->record_midi,
         (unsigned long long)state.lost);
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
  }
}

void htz_takes_tend(htz_takes* takes, htz_takes_line* line) {
  line->text[0] = '\0';
  if (takes->midi) {
    look_at_midi(takes, line);
  }
  if (takes->recorder && !line->text[0]) {
    look_at_sound(takes, line);
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
  if (takes->midi) {
    htz_midi_log_stop(takes->midi);
    unfinished.midi = !htz_midi_log_wait(takes->midi, limit_s);
  }
  if (recorder) {
    unfinished.sound = !htz_recorder_wait(recorder, fmax(end - now_s(), 0.0));
  }
  return unfinished;
}

bool htz_takes_failed(const htz_takes* takes) {
  htz_recorder* recorder = atomic_load_explicit(&takes->live->recorder, memory_order_acquire);
  const htz_recorder_state sound = recorder ? htz_recorder_get(recorder) : (htz_recorder_state){0};
  const htz_midi_log_state midi = takes->midi ? htz_midi_log_get(takes->midi) : (htz_midi_log_state){0};
  return sound.failed > 0 || sound.dropped > 0 || midi.error || midi.lost > 0;
}

void htz_takes_finish(htz_takes* takes, double limit_s, htz_takes_line* line) {
  line->text[0] = '\0';
  const htz_takes_unfinished unfinished = htz_takes_stop(takes, limit_s);
  if (unfinished.sound || unfinished.midi) {
    takes->failed = true;
    tell(line, HTZ_LOG_ERROR, "%s: the disk is too slow, the end of the recording is missing",
         unfinished.sound ? takes->path : takes->options->record_midi);
  } else {
    htz_takes_tend(takes, line);
  }
}

void htz_takes_discard(htz_takes* takes, double limit_s) {
  char target[HTZ_SOUND_PATH_MAX];
  htz_takes_stop(takes, limit_s);
  htz_midi_log_free(takes->midi, false);
  takes->midi = NULL;
  if (takes->recording && htz_sound_target(takes->path, target) == HTZ_OK) {
    unlink(target);
  }
}

void htz_takes_free(htz_takes* takes) {
  htz_midi_log_free(takes->midi, true);
  takes->midi = NULL;
  htz_recorder_free(takes->recorder);
  takes->recorder = NULL;
}
