#include "history_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "hertzian --"; // of a text that is an argument

enum { STAMP = 32, TRIES = 10000 };

bool htz_history_folder(char path[HTZ_PATH_MAX]) {
  return htz_state_path("history", path);
}

bool htz_history_folder_make(const char* path) {
  char part[HTZ_RECORDER_PATH];
  const size_t length = strlen(path);
  if (length >= sizeof part) {
    errno = ENAMETOOLONG;
    return false;
  }
  for (size_t i = 1; i <= length; i++) {
    if (path[i] == '/' || path[i] == '\0') {
      snprintf(part, sizeof part, "%.*s", (int)i, path);
      // What one has played is nobody else's business.
      if (mkdir(part, path[i] ? 0777 : 0700) != 0 && errno != EEXIST) {
        return false;
      }
    }
  }
  return access(path, W_OK | X_OK) == 0;
}

bool htz_history_name(const char* folder, char path[HTZ_RECORDER_PATH]) {
  char stamp[STAMP] = "played";
  struct tm local;
  const time_t now = time(NULL);
  if (localtime_r(&now, &local)) {
    strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", &local);
  }
  int used = snprintf(path, HTZ_RECORDER_PATH, "%s/%s.mid", folder, stamp);
  for (int n = 2; n < TRIES && access(path, F_OK) == 0; n++) {
    used = snprintf(path, HTZ_RECORDER_PATH, "%s/%s-%d.mid", folder, stamp, n);
  }
  return used < HTZ_RECORDER_PATH;
}

void htz_history_put_arguments(htz_smf_writer* writer, char* const* arguments, size_t n) {
  char text[HTZ_RECORDER_PATH];
  for (size_t i = 0; i < n; i++) {
    if (snprintf(text, sizeof text, "%s%s", prefix, arguments[i]) < (int)sizeof text) {
      htz_smf_writer_text(writer, text); // one that is too long is left out
    }
  }
}

// A number of up to four bytes, the highest seven bits first. @return false at the end
static bool read_number(FILE* file, uint32_t* out) {
  *out = 0;
  for (int i = 0; i < 4; i++) {
    const int byte = getc(file);
    if (byte == EOF) {
      return false;
    }
    *out = *out << 7 | ((unsigned)byte & 0x7F);
    if (byte < 0x80) {
      return true;
    }
  }
  return false;
}

size_t htz_history_arguments(const char* path, char* arguments[HTZ_HISTORY_ARGUMENTS]) {
  enum { TRACK_AT = 22, META = 0xFF, TEXT = 0x01, TEMPO = 0x51, MOST = HTZ_RECORDER_PATH };
  FILE* file = fopen(path, "rb");
  size_t n = 0;
  uint32_t wait = 0, length = 0;
  if (!file) {
    return 0;
  }
  bool more = fseek(file, TRACK_AT, SEEK_SET) == 0;
  while (more && n < HTZ_HISTORY_ARGUMENTS && read_number(file, &wait) && wait == 0 && getc(file) == META) {
    const int kind = getc(file);
    char* text = (kind == TEXT || kind == TEMPO) && read_number(file, &length) && length < MOST ? calloc(1, length + 1) : NULL;
    more = text && fread(text, 1, length, file) == length;
    const bool ours = more && kind == TEXT && strncmp(text, prefix, sizeof prefix - 1) == 0;
    if (ours) {
      memmove(text, text + sizeof prefix - 1, length + 2 - sizeof prefix);
      arguments[n++] = text;
    } else {
      free(text);
    }
  }
  fclose(file);
  return n;
}
