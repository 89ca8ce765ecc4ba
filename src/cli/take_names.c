#include "take_names.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char* htz_name_ending(const char* path) {
  const char* slash = strrchr(path, '/');
  const char* name = slash ? slash + 1 : path;
  const char* dot = strrchr(name, '.');
  return dot && dot != name ? dot : name + strlen(name);
}

void htz_name_midi(const char* sound, char midi[HTZ_RECORDER_PATH]) {
  snprintf(midi, HTZ_RECORDER_PATH, "%.*s.mid", (int)(htz_name_ending(sound) - sound), sound);
}

static bool is_free(const char* path, bool both) {
  char midi[HTZ_RECORDER_PATH];
  htz_name_midi(path, midi);
  return access(path, F_OK) != 0 && !(both && access(midi, F_OK) == 0);
}

void htz_name_free(const char* folder, const char* wanted, bool dated, bool both, char path[HTZ_RECORDER_PATH]) {
  enum { STAMP = 32, TRIES = 100000 };
  const char* name = wanted ? wanted : "hertzian.wav";
  const char* ending = htz_name_ending(name);
  const bool in_folder = folder && !strchr(name, '/');
  const int stem = (int)(ending - name);
  char stamp[STAMP] = "";
  struct tm local;
  const time_t now = time(NULL);
  if (dated && localtime_r(&now, &local)) {
    strftime(stamp, sizeof stamp, "-%Y-%m-%d-%H%M%S", &local);
  }
  char number[STAMP] = "";
  for (int n = 2; n < TRIES; n++) {
    snprintf(path, HTZ_RECORDER_PATH, "%s%s%.*s%s%s%s", in_folder ? folder : "", in_folder ? "/" : "", stem, name, stamp,
             number, *ending || !both ? ending : ".wav");
    if (is_free(path, both)) {
      return;
    }
    snprintf(number, sizeof number, "-%d", n);
  }
}
