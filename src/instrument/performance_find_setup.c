#include "hertzian/instrument/folders.h"
#include "hertzian/instrument/performance_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char within[] = "performances"; // in the user's settings, and beside instruments
static const char ending[] = ".yaml";

enum { ENDING_BYTES = sizeof ending - 1, LISTED_MAX = 1000 };

/** Folder number `index`: the user's first, then those beside instruments. @return false when it does not apply */
static bool folder_at(size_t index, char path[HTZ_PATH_MAX]) {
  char beside[HTZ_PATH_MAX];
  if (index == 0) {
    return htz_config_path(within, path);
  }
  const int n = htz_folder_at(index - 1, beside) ? snprintf(path, HTZ_PATH_MAX, "%s/%s", beside, within) : 0;
  return n > 0 && n < HTZ_PATH_MAX;
}

bool htz_performance_find(const char* name, bool users, char path[HTZ_PATH_MAX]) {
  char folder[HTZ_PATH_MAX];
  for (size_t i = users ? 0 : 1; i < (users ? 1 : 1 + (size_t)HTZ_FOLDERS); i++) {
    const int n = folder_at(i, folder) ? snprintf(path, HTZ_PATH_MAX, "%s/%s%s", folder, name, ending) : 0;
    if (name[0] && !strchr(name, '/') && n > 0 && n < HTZ_PATH_MAX && access(path, R_OK) == 0) {
      return true;
    }
  }
  return false;
}

static bool listed(const htz_performance_names* names, const char* name, size_t length) {
  bool any = false;
  for (size_t i = 0; i < names->n; i++) {
    any = any || (strlen(names->name[i]) == length && strncmp(names->name[i], name, length) == 0);
  }
  return any;
}

static htz_status add(htz_performance_names* names, const char* file) {
  const size_t length = strlen(file);
  if (file[0] == '.' || length <= ENDING_BYTES || strcmp(file + length - ENDING_BYTES, ending) != 0 ||
      listed(names, file, length - ENDING_BYTES) || names->n == LISTED_MAX) {
    return HTZ_OK;
  }
  char** more = realloc(names->name, (names->n + 1) * sizeof *more);
  names->name = more ? more : names->name;
  char* name = more ? strndup(file, length - ENDING_BYTES) : NULL;
  if (!name) {
    return HTZ_NO_MEMORY;
  }
  more[names->n++] = name;
  return HTZ_OK;
}

static int compare(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

htz_status htz_performance_list(htz_performance_names* out) {
  char folder[HTZ_PATH_MAX];
  htz_status status = HTZ_OK;
  *out = (htz_performance_names){0};
  for (size_t i = 0; i <= HTZ_FOLDERS && !status; i++) {
    errno = 0;
    DIR* dir = folder_at(i, folder) ? opendir(folder) : NULL;
    if (!dir) {
      status = htz_status_of_errno(errno, HTZ_OK); // a folder that is not there is no fault
      continue;
    }
    for (const struct dirent* it = readdir(dir); it && !status; it = readdir(dir)) {
      status = add(out, it->d_name);
    }
    closedir(dir);
  }
  if (out->n > 0) {
    qsort(out->name, out->n, sizeof *out->name, compare);
  }
  if (status) {
    htz_performance_list_free(out);
  }
  return status;
}

void htz_performance_list_free(htz_performance_names* names) {
  for (size_t i = 0; i < names->n; i++) {
    free(names->name[i]);
  }
  free(names->name);
  *names = (htz_performance_names){0};
}
