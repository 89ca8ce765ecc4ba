#include "whole_file.h"

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

/** The file behind a symbolic link is replaced, not the link. */
static void target_of(const htz_whole_file* f, char target[HTZ_SOUND_PATH_MAX]) {
  const size_t length = strlen(f->part) - strlen(".part");
  memcpy(target, f->part, length);
  target[length] = '\0';
}

static FILE* open_stream(const htz_whole_file* f) {
  if (strcmp(f->path, "-") == 0) {
    return stdout;
  }
  struct stat info;
  if (stat(f->path, &info) == 0 && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return NULL;
  }
  const int how = f->part[0] ? O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW : O_WRONLY | O_CLOEXEC | O_NOCTTY;
  const int fd = open(f->part[0] ? f->part : f->path, how, 0666);
  FILE* stream = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (!stream && fd >= 0) {
    const int fault = errno;
    close(fd);
    errno = fault;
  }
  return stream;
}

int htz_whole_open(htz_whole_file* f, const char* path) {
  f->path = path;
  if (htz_sound_part_name(path, f->part)) {
    return ENAMETOOLONG;
  }
  hold_signals(f);
  f->stream = open_stream(f);
  if (!f->stream) {
    const int fault = errno;
    let_signals(f);
    return fault ? fault : EIO;
  }
  return 0;
}

static int finish(htz_whole_file* f, bool good) {
  const bool piped = f->stream == stdout;
  // What made a write fail is still in errno: whoever writes stops at the first failure.
  const bool failed = ferror(f->stream) || fflush(f->stream) != 0;
  int fault = !failed ? 0 : errno ? errno : EIO;
  if (!piped && fclose(f->stream) != 0 && !fault) {
    fault = errno ? errno : EIO;
  }
  f->stream = NULL;
  if (!f->part[0]) {
    return fault;
  }
  char target[HTZ_SOUND_PATH_MAX];
  target_of(f, target);
  if (good && !fault && rename(f->part, target) != 0) {
    fault = errno;
  }
  if (!good || fault) {
    unlink(f->part);
  }
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

int htz_whole_try(const char* path) {
  htz_whole_file f;
  struct stat info;
  if (strcmp(path, "-") == 0) {
    return 0;
  }
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    return access(path, W_OK) == 0 ? 0 : errno; // opening a FIFO would wait, or be seen
  }
  const int fault = htz_whole_open(&f, path);
  return fault ? fault : htz_whole_close(&f, false);
}
