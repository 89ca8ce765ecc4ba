#include "config_private.h"

#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/folders.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Where entries come from: files and the environment. */

extern char** environ;

static const char prefix[] = "HERTZIAN_";

// Variables of ours that are no flags: where instruments are looked for, the instruction set; what the test programs read.
static const char* const others[] = {"INSTRUMENTS", "ISA", "ALL_SONGS", "FAILING", "LONG", "SEED", "SLOW", "SONGS", "SOURCE"};

enum { KEY = 64, LINE_MAX_BYTES = 4096 };

// ---- files

// Where a value in quotes ends; `line` when it has none.
static char* quoted_end(char* line) {
  char* equals = strchr(line, '=');
  char* value = equals ? equals + 1 + strspn(equals + 1, " \t") : NULL;
  char* end = value && *value == '"' ? strchr(value + 1, '"') : NULL;
  return end ? end : line;
}

// Cut `line` in place at its remark and the blanks around. @return where it begins
static char* trim(char* line) {
  char* begin = line + strspn(line, " \t");
  char* end = begin + strlen(begin);
  for (char* at = *begin == '#' ? begin : quoted_end(begin); at < end; at++) {
    if (*at == '#' && (at == begin || at[-1] == ' ' || at[-1] == '\t')) {
      end = at; // not within a name such as nanoPAD2#1
    }
  }
  while (end > begin && isspace((unsigned char)end[-1])) {
    end--;
  }
  *end = '\0';
  return begin;
}

static char* unquote(char* value) {
  const size_t n = strlen(value);
  if (n >= 2 && value[0] == '"' && value[n - 1] == '"') {
    value[n - 1] = '\0';
    return value + 1;
  }
  return value;
}

static htz_status read_line(htz_config* config, htz_layer layer, char* line, unsigned number, htz_diags* diags) {
  char why[HTZ_DIAG_TEXT], shown[KEY + 1];
  char* key = trim(line);
  char* equals = strchr(key, '=');
  const unsigned column = (unsigned)(key - line) + 1;
  if (!*key) {
    return HTZ_OK;
  }
  if (!equals || equals == key) {
    htz_diags_add(diags, number, column, "not of the form KEY = VALUE");
    return HTZ_OK;
  }
  char* value = unquote(equals + 1 + strspn(equals + 1, " \t"));
  const unsigned value_column = (unsigned)(value - line) + 1;
  char* end = equals;
  while (end > key && isspace((unsigned char)end[-1])) {
    end--;
  }
  *end = '\0';
  const htz_flag_id flag = htz_config_key(key, why, sizeof why);
  if (flag == HTZ_FLAG_COUNT) {
    htz_diags_add(diags, number, column, "%s", why);
    return HTZ_OK;
  }
  snprintf(shown, sizeof shown, "%s=", key);
  const htz_status status = htz_config_add(config, layer, flag, shown, value, why, sizeof why);
  if (status == HTZ_BAD_INPUT) {
    htz_diags_add(diags, number, value_column, "%s", why);
  }
  return status == HTZ_BAD_INPUT ? HTZ_OK : status;
}

static htz_status read_lines(FILE* file, htz_config* config, htz_layer layer, htz_diags* diags) {
  char* line = NULL;
  size_t room = 0;
  htz_status status = HTZ_OK;
  ssize_t n = 0;
  for (unsigned number = 1; !status && (n = getline(&line, &room, file)) >= 0; number++) {
    if (memchr(line, '\0', (size_t)n) || n > LINE_MAX_BYTES) {
      htz_diags_add(diags, number, 1, "no line of text; KEY = VALUE of at most %d bytes is allowed", LINE_MAX_BYTES);
      break;
    }
    status = read_line(config, layer, line, number, diags);
  }
  if (!status && ferror(file)) {
    htz_diags_add(diags, 0, 0, "%s", strerror(errno));
  }
  free(line);
  return status;
}

// @param must  it has to be there
static int read_file(const char* path, bool must, htz_config* config, htz_layer layer, htz_log* log) {
  FILE* file = fopen(path, "r");
  if (!file) {
    const int error = errno;
    struct stat info;
    if (!must && stat(path, &info) != 0) {
      return HTZ_EXIT_DONE; // also in a home that is another user's
    }
    htz_log_say(log, HTZ_LOG_ERROR, "%s: %s", path, strerror(error));
    return htz_exit_for(htz_status_of_errno(error, HTZ_IO), HTZ_EXIT_INPUT);
  }
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  htz_status status = HTZ_NO_MEMORY;
  size_t faults = 0;
  if (diags) {
    htz_diags_init(diags, path);
    status = read_lines(file, config, layer, diags);
    htz_diags_say(diags, log, HTZ_LOG_ERROR);
    faults = diags->n;
  }
  if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), path);
  }
  free(diags);
  fclose(file);
  return status ? HTZ_EXIT_INTERNAL : faults > 0 ? HTZ_EXIT_INPUT : HTZ_EXIT_DONE;
}

// The folders of $XDG_CONFIG_DIRS, the first of which is the strongest: only the first that has a file is read.
static int read_system(htz_config* config, htz_log* log) {
  const char* folders = getenv("XDG_CONFIG_DIRS");
  folders = folders && *folders ? folders : "/etc/xdg";
  for (const char* at = folders; *at;) {
    const size_t n = strcspn(at, ":");
    char path[HTZ_PATH_MAX];
    const int length = snprintf(path, sizeof path, "%.*s/hertzian/config", (int)n, at);
    FILE* file = at[0] == '/' && length > 0 && length < HTZ_PATH_MAX ? fopen(path, "r") : NULL;
    if (file) {
      fclose(file);
      return read_file(path, true, config, HTZ_LAYER_SYSTEM, log);
    }
    at += n + (at[n] == ':');
  }
  return HTZ_EXIT_DONE;
}

// ---- the environment

// HERTZIAN_MIDI_RAW is midi-raw. @return false when it is no name of a flag
static bool key_of(const char* name, size_t n, char key[KEY]) {
  if (n == 0 || n >= KEY) {
    return false;
  }
  for (size_t i = 0; i < n; i++) {
    key[i] = name[i] == '_' ? '-' : (char)tolower((unsigned char)name[i]);
    if (islower((unsigned char)name[i])) {
      return false;
    }
  }
  key[n] = '\0';
  return true;
}

static bool is_other(const char* name, size_t n) {
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    if (strlen(others[i]) == n && memcmp(others[i], name, n) == 0) {
      return true;
    }
  }
  return false;
}

static void say_unknown(const char* variable, size_t n, const char* key, htz_log* log) {
  char names[HTZ_FLAG_COUNT][KEY];
  const char* list[HTZ_FLAG_COUNT];
  for (unsigned id = 0; id < HTZ_FLAG_COUNT; id++) {
    list[id] = htz_flags[id].name;
  }
  const char* near = htz_suggest(key, list, HTZ_FLAG_COUNT);
  char why[KEY];
  if (!near || htz_config_key(near, why, sizeof why) == HTZ_FLAG_COUNT) {
    htz_log_say(log, HTZ_LOG_ERROR,
                "%.*s: unknown; HERTZIAN_ and a long flag in capitals is allowed, HERTZIAN_MIDI_RAW for one", (int)n, variable);
    return;
  }
  for (size_t i = 0; i <= strlen(near) && i < KEY; i++) {
    names[0][i] = near[i] == '-' ? '_' : (char)toupper((unsigned char)near[i]);
  }
  htz_log_say(log, HTZ_LOG_ERROR, "%.*s: unknown; did you mean %s%s?", (int)n, variable, prefix, names[0]);
}

static int read_variable(const char* variable, htz_config* config, htz_log* log) {
  char key[KEY] = "", shown[sizeof prefix + KEY], why[HTZ_DIAG_TEXT];
  const size_t n = strcspn(variable, "=");
  const char* name = variable + sizeof prefix - 1;
  const size_t length = n - (sizeof prefix - 1);
  const char* value = variable + n + (variable[n] == '=');
  if (is_other(name, length) || !*value || (length == strlen("CONFIG") && memcmp(name, "CONFIG", length) == 0)) {
    return HTZ_EXIT_DONE;
  }
  const htz_flag_id flag = key_of(name, length, key) ? htz_config_key(key, why, sizeof why) : HTZ_FLAG_COUNT;
  if (flag == HTZ_FLAG_COUNT) {
    say_unknown(variable, n, key, log);
    return HTZ_EXIT_USAGE;
  }
  snprintf(shown, sizeof shown, "%.*s=", (int)n, variable);
  const htz_status status = htz_config_add(config, HTZ_LAYER_ENVIRONMENT, flag, shown, value, why, sizeof why);
  if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", status == HTZ_BAD_INPUT ? why : htz_status_text(status));
  }
  return htz_exit_for(status, HTZ_EXIT_USAGE);
}

static int read_environment(htz_config* config, htz_log* log) {
  int code = HTZ_EXIT_DONE;
  for (char** at = environ; at && *at; at++) {
    if (strncmp(*at, prefix, sizeof prefix - 1) == 0) {
      const int fault = read_variable(*at, config, log);
      code = code ? code : fault;
    }
  }
  return code;
}

int htz_config_read(const char* file, htz_config* config, htz_log* log) {
  char path[HTZ_PATH_MAX];
  int code = HTZ_EXIT_DONE;
  const char* named = getenv("HERTZIAN_CONFIG");
  *config = (htz_config){0};
  file = file ? file : named && *named ? named : NULL;
  if (file) {
    code = read_file(file, true, config, HTZ_LAYER_USER, log);
  } else {
    code = read_system(config, log);
    const int users = htz_config_path("config", path) ? read_file(path, false, config, HTZ_LAYER_USER, log) : HTZ_EXIT_DONE;
    code = code ? code : users;
  }
  const int environment = read_environment(config, log);
  return code ? code : environment;
}
