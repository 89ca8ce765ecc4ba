#include "every.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ending[] = ".yaml";

static bool is_file_of_one(const char* name) {
  const size_t n = strlen(name), e = sizeof ending - 1;
  return name[0] != '.' && n > e && strcmp(name + n - e, ending) == 0;
}

static int by_name(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

every_instrument every_list(void) {
  char path[HTZ_PATH_MAX];
  instrument_path("", path); // ends in "/.yaml"
  *strrchr(path, '/') = '\0';
  DIR* folder = opendir(path);
  if (!folder) {
    perror(path);
    abort();
  }
  every_instrument all = {0};
  for (const struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
    if (is_file_of_one(entry->d_name)) {
      all.name = realloc(all.name, (all.n + 1) * sizeof *all.name);
      char* name = all.name ? strdup(entry->d_name) : NULL;
      if (!name) {
        abort();
      }
      name[strlen(name) - (sizeof ending - 1)] = '\0';
      all.name[all.n++] = name;
    }
  }
  closedir(folder);
  if (all.n == 0) {
    fprintf(stderr, "%s: no instrument file there: nothing would be tested\n", path);
    abort();
  }
  qsort(all.name, all.n, sizeof *all.name, by_name);
  return all;
}

void every_free(every_instrument* all) {
  for (size_t i = 0; i < all->n; ++i) {
    free(all->name[i]);
  }
  free(all->name);
  *all = (every_instrument){0};
}

void every_note(sound* s, int key, double velocity, double seconds, note* n) {
  sound_rest(s);
  htz_engine_hold(s->engine, 0, (uint32_t)key, true, htz_engine_now(s->engine));
  sound_note(s, (unsigned)key, velocity, 0, (size_t)(seconds * s->rate_hz), n);
  htz_engine_hold(s->engine, 0, (uint32_t)key, false, htz_engine_now(s->engine));
}
