#include "hertzian/instrument/folders.h"

#include "installed.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifndef HTZ_INSTRUMENT_DIR
#define HTZ_INSTRUMENT_DIR "/usr/local/share/hertzian/instruments"
#endif
#ifndef HTZ_BUILD_INSTRUMENT_DIR
#define HTZ_BUILD_INSTRUMENT_DIR ""
#endif

/** `name` within the user's folder of a kind: the one the variable names, else the usual one at home. @return bytes, 0 for none */
static int users(const char* variable, const char* usual, const char* name, char path[HTZ_PATH_MAX]) {
  const char* base = getenv(variable);
  const char* home = getenv("HOME");
  if (base && base[0] == '/') {
    return snprintf(path, HTZ_PATH_MAX, "%s/hertzian/%s", base, name);
  }
  return home && home[0] == '/' ? snprintf(path, HTZ_PATH_MAX, "%s/%s/hertzian/%s", home, usual, name) : 0;
}

bool htz_folder_at(size_t index, char path[HTZ_PATH_MAX]) {
  const char* own = getenv("HERTZIAN_INSTRUMENTS");
  int n = 0;
  path[0] = '\0';
  switch (index) {
  case 0:
    n = own ? snprintf(path, HTZ_PATH_MAX, "%s", own) : 0;
    break;
  case 1:
    n = users("XDG_DATA_HOME", ".local/share", "instruments", path);
    break;
  case 2:
    n = snprintf(path, HTZ_PATH_MAX, "%s", HTZ_BUILD_INSTRUMENT_DIR);
    break;
  case 3:
    return htz_installed_instruments(path, HTZ_PATH_MAX);
  case 4:
    n = snprintf(path, HTZ_PATH_MAX, "%s", HTZ_INSTRUMENT_DIR);
    break;
  default:
    break;
  }
  return n > 0 && n < HTZ_PATH_MAX;
}

bool htz_data_file(const char* name, char path[HTZ_PATH_MAX]) {
  char folder[HTZ_PATH_MAX];
  for (size_t i = 0; i < HTZ_FOLDERS; ++i) {
    const int n = htz_folder_at(i, folder) ? snprintf(path, HTZ_PATH_MAX, "%s/%s", folder, name) : 0;
    if (n > 0 && n < HTZ_PATH_MAX && access(path, F_OK) == 0) {
      return true;
    }
  }
  return false;
}

bool htz_config_path(const char* name, char path[HTZ_PATH_MAX]) {
  const int n = users("XDG_CONFIG_HOME", ".config", name, path);
  return n > 0 && n < HTZ_PATH_MAX;
}

bool htz_state_path(const char* name, char path[HTZ_PATH_MAX]) {
  const int n = users("XDG_STATE_HOME", ".local/state", name, path);
  return n > 0 && n < HTZ_PATH_MAX;
}
