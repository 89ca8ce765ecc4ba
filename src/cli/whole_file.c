#include "whole_file.h"

#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char* htz_whole_shown(const char* path) {
  return strcmp(path, "-") == 0 ? "standard output" : path;
}

static void hold_signals(htz_whole_file* f) {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGHUP);
  sigprocmask(SIG_BLOCK, &ending, &f->signals);
}

static void let_signals(const htz_whole_file* f) {
  sigprocmask(SIG_SETMASK, &f->signals, NULL);
}

int htz_whole_say(htz_log* log, const char* path, int fault, const char* why) {
  const htz_status status = htz_status_of_errno(fault, HTZ_IO);
  if (!fault) {
    return HTZ_EXIT_DONE;
  }
  if (htz_status_starved(status)) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), htz_whole_shown(path));
  } else {
    htz_log_say(log, HTZ_LOG_ERROR, "%s: %s", htz_whole_shown(path), why ? why : strerror(fault));
  }
  return htz_exit_for(status, HTZ_EXIT_OUTPUT);
}

static int fault_now(void) {
  return errno ? errno : EIO;
}

// Nothing is kept open by a stream that could not be made.
static int stream_of(htz_whole_file* f, int fd) {
  f->stream = fdopen(fd, "wb");
  if (f->stream) {
    return 0;
  }
  const int fault = fault_now();
  if (f->part.name[0]) {
    htz_part_drop(&f->part);
  }
  close(fd);
  return fault;
}

static int open_stream(htz_whole_file* f) {
  char part[HTZ_SOUND_PATH_MAX];
  if (strcmp(f->path, "-") == 0) {
    f->stream = stdout;
    return 0;
  }
  if (htz_sound_part_name(f->path, part)) {
    return fault_now();
  }
  if (part[0]) {
    const int fault = htz_part_open(&f->part, f->path, false, &f->why);
    return fault ? fault : stream_of(f, f->part.fd);
  }
  const int fd = open(f->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  return fd < 0 ? fault_now() : stream_of(f, fd);
}

int htz_whole_open(htz_whole_file* f, const char* path) {
  f->path = path;
  f->stream = NULL;
  f->why = NULL;
  f->part.name[0] = '\0';
  hold_signals(f);
  const int fault = open_stream(f);
  if (fault) {
    let_signals(f);
  }
  return fault;
}

// To the disk before the rename, or a power cut could leave an empty file in the place of an old one.
static bool to_disk(int fd) {
  return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EINTR;
}

static int finish(htz_whole_file* f, bool good) {
  // What made a write fail is still in errno: whoever writes stops at the first failure.
  const bool failed = ferror(f->stream) || fflush(f->stream) != 0;
  int fault = failed ? fault_now() : 0;
  if (f->part.name[0]) {
    if (good && !fault && !to_disk(f->part.fd)) {
      fault = fault_now();
    }
    if (good && !fault) {
      fault = htz_part_take_place(&f->part, false, &f->why);
    }
    htz_part_drop(&f->part);
  }
  if (f->stream != stdout && fclose(f->stream) != 0 && !fault) {
    fault = fault_now();
  }
  f->stream = NULL;
  return fault;
}

int htz_whole_close(htz_whole_file* f, bool good) {
  const int fault = finish(f, good);
  let_signals(f);
  return fault;
}

/** The folder that `path` lies in. @return the name in it */
static const char* split(const char* path, char folder[HTZ_SOUND_PATH_MAX]) {
  const char* slash = strrchr(path, '/');
  const size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  snprintf(folder, HTZ_SOUND_PATH_MAX, "%.*s", (int)length, path);
  return path + length;
}

bool htz_whole_same(const char* a, const char* b) {
  char target[2][HTZ_SOUND_PATH_MAX], folder[2][HTZ_SOUND_PATH_MAX];
  struct stat info[2];
  if (htz_sound_target(a, target[0]) || htz_sound_target(b, target[1])) {
    return strcmp(a, b) == 0;
  }
  const bool there = stat(target[0], &info[0]) == 0;
  if (there != (stat(target[1], &info[1]) == 0)) {
    return false;
  }
  if (!there) {
    const char* names[2] = {split(target[0], folder[0]), split(target[1], folder[1])};
    if (strcmp(names[0], names[1]) != 0) {
      return false;
    }
    for (size_t i = 0; i < 2; ++i) {
      if (stat(folder[i][0] ? folder[i] : ".", &info[i]) != 0) {
        return strcmp(a, b) == 0;
      }
    }
  }
  return info[0].st_dev == info[1].st_dev && info[0].st_ino == info[1].st_ino && (!there || S_ISREG(info[0].st_mode));
}

int htz_whole_try(const char* path, const char** why) {
  htz_whole_file f;
  struct stat info;
  *why = NULL;
  if (strcmp(path, "-") == 0) {
    return 0;
  }
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    return access(path, W_OK) == 0 ? 0 : errno; // opening a FIFO would wait, or be seen
  }
  int fault = htz_whole_open(&f, path);
  fault = fault ? fault : htz_whole_close(&f, false);
  *why = f.why;
  return fault;
}
