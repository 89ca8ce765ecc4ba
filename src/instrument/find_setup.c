#include "catalog_private.h"

#include "hertzian/instrument/folders.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
  SUGGESTION_MAX = 400, // bytes of the names in a message
};

bool htz_is_instrument_file(const char* name) {
  const size_t n = strlen(name);
  return n > HTZ_INSTRUMENT_ENDING_BYTES && strcmp(name + n - HTZ_INSTRUMENT_ENDING_BYTES, HTZ_INSTRUMENT_ENDING) == 0;
}

static bool exists(const char* path) {
  return access(path, R_OK) == 0; // needs neither memory nor a descriptor, whose lack would look like a missing file
}

/** The file of an installed instrument whose name differs in capitals only. @return false when there is none */
static bool find_in_other_case(const char* name, char path[HTZ_PATH_MAX]) {
  htz_spec_catalog catalog;
  bool found = false;
  const htz_status st = htz_spec_list_names(&catalog);
  for (size_t i = 0; !st && i < catalog.n && !found; ++i) {
    found = strcasecmp(catalog.entry[i].id, name) == 0 && snprintf(path, HTZ_PATH_MAX, "%s", catalog.entry[i].path) > 0;
  }
  htz_spec_list_free(&catalog);
  return found;
}

/** @return HTZ_NOT_FOUND, or what the system has no more of to look for it */
static htz_status say_not_found(const char* name, htz_diags* diags) {
  htz_spec_catalog catalog;
  const char* names[HTZ_INSTALLED_MAX];
  char list[SUGGESTION_MAX];
  size_t used = 0;
  list[0] = '\0';
  const htz_status st = htz_spec_list_names(&catalog);
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
  if (strchr(name, '/') || htz_is_instrument_file(name)) {
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
    const int n = snprintf(path, HTZ_PATH_MAX, "%s/%s%s", folder, name, HTZ_INSTRUMENT_ENDING);
    if (n > 0 && n < HTZ_PATH_MAX && exists(path)) {
      return HTZ_OK;
    }
  }
  return find_in_other_case(name, path) ? HTZ_OK : say_not_found(name, diags);
}
