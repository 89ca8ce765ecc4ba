#include "history_trim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double recent_s = 24.0 * 3600.0; // [s] in which nothing is removed, however much it is
static const char note_name[] = "removed";

enum { MEBIBYTE = 1 << 20 };

static int is_song(const struct dirent* entry) {
  const char* dot = strrchr(entry->d_name, '.');
  return dot && strcmp(dot, ".mid") == 0;
}

static int by_time(const struct dirent** a, const struct dirent** b) {
  const size_t length_a = strcspn((*a)->d_name, "."), length_b = strcspn((*b)->d_name, ".");
  enum { STAMP = 17 }; // 2026-11-29-001140: what follows counts those of one second
  const int order = strncmp((*a)->d_name, (*b)->d_name, STAMP);
  return order                  ? order
         : length_a != length_b ? (length_a > length_b) - (length_a < length_b)
                                : strcmp((*a)->d_name, (*b)->d_name);
}

int htz_history_scan(const char* folder, struct dirent*** out) {
  return scandir(folder, out, is_song, by_time);
}

bool htz_history_held(const char* path) {
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  const bool held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (fd >= 0) {
    close(fd);
  }
  return held;
}

static bool path_in(const char* folder, const char* name, char path[HTZ_RECORDER_PATH]) {
  return snprintf(path, HTZ_RECORDER_PATH, "%s/%s", folder, name) < HTZ_RECORDER_PATH;
}

bool htz_history_trimmed(const char* folder, htz_history_gone* out) {
  char path[HTZ_RECORDER_PATH];
  FILE* file = path_in(folder, note_name, path) ? fopen(path, "re") : NULL;
  *out = (htz_history_gone){0};
  const bool there = file && fscanf(file, "%u %u %79s", &out->n, &out->mib, out->newest) == 3;
  if (file) {
    fclose(file);
  }
  return there && out->n > 0;
}

void htz_history_trim_forget(const char* folder) {
  char path[HTZ_RECORDER_PATH];
  if (path_in(folder, note_name, path)) {
    unlink(path);
  }
}

// Whole or as it was: two that play may do it at once.
static void note(const char* folder, const htz_history_gone* gone) {
  char path[HTZ_RECORDER_PATH], other[HTZ_RECORDER_PATH], name[40];
  snprintf(name, sizeof name, "%s.%ld", note_name, (long)getpid());
  FILE* file = path_in(folder, note_name, path) && path_in(folder, name, other) ? fopen(other, "we") : NULL;
  if (!file) {
    return;
  }
  const bool good = fprintf(file, "%u %u %s\n", gone->n, gone->mib, gone->newest) > 0;
  if (fclose(file) != 0 || !good || rename(other, path) != 0) {
    unlink(other);
  }
}

void htz_history_trim(const char* folder, unsigned mib) {
  struct dirent** entry = NULL;
  struct stat info;
  char path[HTZ_RECORDER_PATH];
  htz_history_gone gone;
  uint64_t bytes = 0;
  const int n = htz_history_scan(folder, &entry);
  const time_t now = time(NULL);
  for (int i = 0; i < n; i++) {
    bytes += path_in(folder, entry[i]->d_name, path) && stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
  }
  (void)htz_history_trimmed(folder, &gone);
  const unsigned before = gone.n;
  for (int i = 0; i < n && bytes > (uint64_t)mib * MEBIBYTE; i++) {
    const bool there = path_in(folder, entry[i]->d_name, path) && stat(path, &info) == 0;
    if (there && difftime(now, info.st_mtime) > recent_s && !htz_history_held(path) && unlink(path) == 0) {
      bytes -= (uint64_t)info.st_size;
      gone.n++;
      gone.mib = mib;
      snprintf(gone.newest, sizeof gone.newest, "%.*s", (int)strcspn(entry[i]->d_name, "."), entry[i]->d_name);
    }
  }
  if (gone.n > before) {
    note(folder, &gone);
  }
  for (int i = 0; i < n; i++) {
    free(entry[i]);
  }
  free(entry);
}
