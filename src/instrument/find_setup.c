#include "hertzian/instrument/folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char ending[] = ".yaml";

enum {
  ENDING_BYTES = sizeof ending - 1,
  INSTALLED_MAX = 1000, // instruments listed; a folder with more is not one of instruments
  SUGGESTION_MAX = 400, // bytes of the names in a message
};

static bool ends_in_yaml(const char* name) {
  const size_t n = strlen(name);
  return n > ENDING_BYTES && strcmp(name + n - ENDING_BYTES, ending) == 0;
}

static bool exists(const char* path) {
  return access(path, R_OK) == 0; // needs neither memory nor a descriptor, whose lack would look like a missing file
}

static int compare_entries(const void* a, const void* b) {
  return strcmp(((const htz_spec_entry*)a)->id, ((const htz_spec_entry*)b)->id);
}

static bool listed(const htz_spec_catalog* catalog, const char* id, size_t length) {
  for (size_t i = 0; i < catalog->n; ++i) {
    if (strlen(catalog->entry[i].id) == length && strncmp(catalog->entry[i].id, id, length) == 0) {
      return true;
    }
  }
  return false;
}

static htz_status add_entry(htz_spec_catalog* catalog, const char* folder, const char* name) {
  const size_t length = strlen(name) - ENDING_BYTES;
  char path[HTZ_PATH_MAX];
  const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (n < 0 || n >= HTZ_PATH_MAX || listed(catalog, name, length)) {
    return HTZ_OK;
  }
  htz_spec_entry* more = realloc(catalog->entry, (catalog->n + 1) * sizeof *more);
  if (!more) {
    return HTZ_NO_MEMORY;
  }
  catalog->entry = more;
  htz_spec_entry entry = {.id = malloc(length + 1), .path = malloc((size_t)n + 1)};
  if (!entry.id || !entry.path) {
    free(entry.id);
    free(entry.path);
    return HTZ_NO_MEMORY;
  }
  memcpy(entry.id, name, length);
  entry.id[length] = '\0';
  memcpy(entry.path, path, (size_t)n + 1);
  more[catalog->n++] = entry;
  return HTZ_OK;
}

/** Names and paths only. */
static htz_status list_names(htz_spec_catalog* out) {
  char folder[HTZ_PATH_MAX];
  htz_status st = HTZ_OK;
  *out = (htz_spec_catalog){0};
  for (size_t i = 0; i < HTZ_FOLDERS && !st; ++i) {
    errno = 0;
    DIR* dir = htz_folder_at(i, folder) ? opendir(folder) : NULL;
    if (!dir) {
      st = htz_status_of_errno(errno, HTZ_OK); // a folder that is not there is no fault
      continue;
    }
    for (const struct dirent* it = readdir(dir); it && !st && out->n < INSTALLED_MAX; it = readdir(dir)) {
      if (it->d_name[0] != '.' && ends_in_yaml(it->d_name)) {
        st = add_entry(out, folder, it->d_name);
      }
    }
    closedir(dir);
  }
  if (out->n) {
    qsort(out->entry, out->n, sizeof *out->entry, compare_entries);
  }
  return st;
}

/** The file of an installed instrument whose name differs in capitals only. @return false when there is none */
static bool find_in_other_case(const char* name, char path[HTZ_PATH_MAX]) {
  htz_spec_catalog catalog;
  bool found = false;
  const htz_status st = list_names(&catalog);
  for (size_t i = 0; !st && i < catalog.n && !found; ++i) {
    found = strcasecmp(catalog.entry[i].id, name) == 0 && snprintf(path, HTZ_PATH_MAX, "%s", catalog.entry[i].path) > 0;
  }
  htz_spec_list_free(&catalog);
  return found;
}

/** @return HTZ_NOT_FOUND, or what the system has no more of to look for it */
static htz_status say_not_found(const char* name, htz_diags* diags) {
  htz_spec_catalog catalog;
  const char* names[INSTALLED_MAX];
  char list[SUGGESTION_MAX];
  size_t used = 0;
  list[0] = '\0';
  const htz_status st = list_names(&catalog);
  if (st) {
    htz_diags_add(diags, 0, 0, "%s", htz_status_text(st));
    htz_spec_list_free(&catalog);
    return st;
  }
  for (size_t i = 0; i < catalog.n; ++i) {
    names[i] = catalog.entry[i].id;
    if (used < sizeof list) {
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
    }
  }
  const char* near = htz_suggest(name, names, catalog.n);
  if (near) {
    htz_diags_add(diags, 0, 0, "no instrument of that name; did you mean \"%s\"? Installed: %s", near, list);
  } else if (catalog.n) {
    htz_diags_add(diags, 0, 0, "no instrument of that name. Installed: %s", list);
  } else {
    htz_diags_add(diags, 0, 0, "no instrument of that name; none is installed (HERTZIAN_INSTRUMENTS names a folder of them)");
  }
  htz_spec_list_free(&catalog);
  return HTZ_NOT_FOUND;
}

htz_status htz_spec_find(const char* name, char path[HTZ_PATH_MAX], htz_diags* diags) {
  char folder[HTZ_PATH_MAX];
  htz_diags_init(diags, name);
  if (strchr(name, '/') || ends_in_yaml(name)) {
    const int n = snprintf(path, HTZ_PATH_MAX, "%s", name);
    if (n < 0 || n >= HTZ_PATH_MAX) {
      htz_diags_add(diags, 0, 0, "the path is too long");
      return HTZ_NOT_FOUND;
    }
    return HTZ_OK;
  }
  for (size_t i = 0; i < HTZ_FOLDERS; ++i) {
    if (!name[0] || !htz_folder_at(i, folder)) {
      continue;
    }
    const int n = snprintf(path, HTZ_PATH_MAX, "%s/%s%s", folder, name, ending);
    if (n > 0 && n < HTZ_PATH_MAX && exists(path)) {
      return HTZ_OK;
    }
  }
  return find_in_other_case(name, path) ? HTZ_OK : say_not_found(name, diags);
}

htz_status htz_spec_list(htz_spec_catalog* out) {
  htz_status st = list_names(out);
  for (size_t i = 0; i < out->n && !st; ++i) {
    htz_diags diags;
    const htz_status loaded = htz_spec_load(out->entry[i].path, &out->entry[i].spec, &diags);
    out->entry[i].faults = diags.n + diags.more;
    st = htz_status_starved(loaded) ? loaded : st;
    if (loaded == HTZ_UNSUPPORTED) { // a performance: no instrument, and no faulty one either
      free(out->entry[i].id);
      free(out->entry[i].path);
      memmove(&out->entry[i], &out->entry[i + 1], (--out->n - i) * sizeof *out->entry);
      --i;
    }
  }
  if (st) {
    htz_spec_list_free(out);
  }
  return st;
}

void htz_spec_list_free(htz_spec_catalog* catalog) {
  for (size_t i = 0; i < catalog->n; ++i) {
    free(catalog->entry[i].id);
    free(catalog->entry[i].path);
    htz_spec_free(catalog->entry[i].spec);
  }
  free(catalog->entry);
  *catalog = (htz_spec_catalog){0};
}

const htz_spec_entry* htz_spec_for_program(const htz_spec_catalog* catalog, bool kit, unsigned program) {
  for (size_t i = 0; i < catalog->n; ++i) {
    const htz_spec* spec = catalog->entry[i].spec;
    const size_t n = !spec ? 0 : kit ? spec->n_kits : spec->n_programs;
    for (size_t p = 0; p < n; ++p) {
      if ((kit ? spec->kits : spec->programs)[p] == program) {
        return &catalog->entry[i];
      }
    }
  }
  return NULL;
}
