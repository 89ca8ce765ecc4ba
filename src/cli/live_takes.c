#include "live_takes.h"
#include "render_report.h"
#include "whole_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

static const double ring_s = 12.0;      // [s] a disk may stall that long
static const double sync_every_s = 0.5; // [s] the MIDI file is whole at least that often
static const double enough_s = 600.0;   // [s] of recording that should fit on the disk

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

static bool begin(htz_takes* takes, const char* path, htz_takes_line* line) {
  char why[HTZ_RECORDER_WHY] = "";
  htz_status status = make_recorder(takes);
  if (status) {
    snprintf(why, sizeof why, "%s", htz_status_text(status));
  } else {
    status = htz_recorder_start(takes->recorder, path, why);
  }
  if (status) {
    tell(line, HTZ_LOG_ERROR, "%s: %s", path, why);
    return false;
  }
  snprintf(takes->path, sizeof takes->path, "%s", path);
  takes->recording = true;
  return true;
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
        htz_sound_target(options->record_midi, target) ? HTZ_IO : htz_smf_writer_open(target, live->rate_hz, &takes->midi);
    if (status) {
      tell(line, HTZ_LOG_ERROR, "%s: %s", options->record_midi,
           status == HTZ_IO ? (errno == EEXIST ? "is there already; recordings never overwrite" : strerror(errno))
                            : htz_status_text(status));
      return HTZ_EXIT_OUTPUT;
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
    if (!begin(takes, path, line)) {
      return HTZ_EXIT_OUTPUT;
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
  if (begin(takes, path, line)) {
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
  if (begin(takes, path, line)) {
    tell(line, HTZ_LOG_NOTICE, "recording %s", path);
  } else {
    takes->failed = true;
  }
}

static void write_midi(htz_takes* takes, double now_s, htz_takes_line* line) {
  htz_midi_message message;
  bool ok = true;
  while (htz_ring_pop(&takes->live->played, &message)) {
    ok = htz_smf_writer_put(takes->midi, &message) == HTZ_OK && ok;
  }
  if (now_s - takes->midi_synced_s > sync_every_s) {
    takes->midi_synced_s = now_s;
    ok = htz_smf_writer_sync(takes->midi) == HTZ_OK && ok;
  }
  takes->midi_count = htz_smf_writer_count(takes->midi);
  if (!ok && !takes->midi_failed) {
    takes->midi_failed = true;
    takes->failed = true;
    tell(line, HTZ_LOG_ERROR, "%s: %s; playing goes on", takes->options->record_midi, strerror(errno ? errno : EIO));
  }
  const uint64_t lost = htz_ring_refused(&takes->live->played);
  if (lost > takes->midi_lost_seen) {
    takes->midi_lost_seen = lost;
    takes->failed = true;
    tell(line, HTZ_LOG_WARNING, "%s: %llu messages are missing, too many came at once", takes->options->record_midi,
         (unsigned long long)lost);
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

void htz_takes_tend(htz_takes* takes, double now_s, htz_takes_line* line) {
  line->text[0] = '\0';
  if (takes->midi) {
    write_midi(takes, now_s, line);
  }
  if (takes->recorder && !line->text[0]) {
    look_at_sound(takes, line);
  }
}

void htz_takes_finish(htz_takes* takes, double limit_s, htz_takes_line* line) {
  line->text[0] = '\0';
  atomic_store_explicit(&takes->live->log_midi, false, memory_order_relaxed);
  if (takes->recorder) {
    htz_recorder_stop(takes->recorder);
  }
  if (takes->midi) {
    write_midi(takes, 0.0, line);
    const uint64_t end = atomic_load_explicit(&takes->live->view.frames, memory_order_relaxed);
    if (htz_smf_writer_close(takes->midi, end) && !takes->midi_failed) {
      takes->failed = true;
      tell(line, HTZ_LOG_ERROR, "%s: %s", takes->options->record_midi, strerror(errno ? errno : EIO));
    }
    takes->midi = NULL;
  }
  if (takes->recorder) {
    if (!htz_recorder_wait(takes->recorder, limit_s)) {
      takes->failed = true;
      tell(line, HTZ_LOG_ERROR, "%s: the disk is too slow, the end of the recording is missing", takes->path);
    } else {
      look_at_sound(takes, line);
    }
  }
}

void htz_takes_free(htz_takes* takes) {
  htz_recorder_free(takes->recorder);
  takes->recorder = NULL;
}
