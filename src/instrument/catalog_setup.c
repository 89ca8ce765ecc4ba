#include "catalog_private.h"
#include "head.h"
#include "walk.h"

#include "hertzian/instrument/folders.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
  const size_t length = strlen(name) - HTZ_INSTRUMENT_ENDING_BYTES;
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

htz_status htz_spec_list_names(htz_spec_catalog* out) {
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
    for (const struct dirent* it = readdir(dir); it && !st && out->n < HTZ_INSTALLED_MAX; it = readdir(dir)) {
      if (it->d_name[0] != '.' && htz_is_instrument_file(it->d_name)) {
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

typedef struct {
  htz_spec_entry* entry;
  bool performance; // and no instrument
} head;

/** The programs or kits that a file claims. @return how many */
static size_t claims(const tree_node* root, htz_diags* diags, htz_row_id row, uint8_t out[HTZ_SPEC_PROGRAMS_MAX]) {
  walk w = {.diags = diags, .top = root};
  const tree_node* list = htz_walk_value_of(root, htz_schema[row].range.name);
  return list ? htz_walk_program_list(&w, list, row, out) : 0;
}

static void look(const tree_node* root, htz_diags* diags, void* user) {
  head* h = user;
  h->performance = htz_tree_is_performance(root);
  if (root->type == TREE_MAP) {
    h->entry->n_programs = claims(root, diags, HTZ_ROW_FILE_PROGRAMS, h->entry->programs);
    h->entry->n_kits = claims(root, diags, HTZ_ROW_FILE_KITS, h->entry->kits);
  }
}

static void free_entry(htz_spec_entry* entry) {
  free(entry->id);
  free(entry->path);
  htz_spec_free(entry->spec);
}

htz_status htz_spec_list_heads(htz_spec_catalog* out) {
  htz_status status = htz_spec_list_names(out);
  for (size_t i = 0; i < out->n && !status; ++i) {
    head h = {.entry = &out->entry[i]};
    status = htz_head_read(h.entry->path, HTZ_SPEC_BYTES_MAX, look, &h);
    if (h.performance) {
      free_entry(&out->entry[i]);
      memmove(&out->entry[i], &out->entry[i + 1], (--out->n - i) * sizeof *out->entry);
      --i;
    }
  }
  if (status) {
    htz_spec_list_free(out);
  }
  return status;
}

/** Entries that several threads take from. */
typedef struct {
  htz_spec_catalog* catalog;
  const bool* wanted;
  atomic_size_t next;
  _Atomic htz_status status; // what the system has no more of
} loading;

static bool is_to_load(const loading* l, size_t i) {
  const htz_spec_entry* entry = &l->catalog->entry[i];
  return !entry->spec && !entry->faults && (!l->wanted || l->wanted[i]);
}

static size_t take(loading* l) {
  return atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
}

static void* load_entries(void* user) {
  loading* l = user;
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  htz_status status = diags ? HTZ_OK : HTZ_NO_MEMORY;
  for (size_t i = take(l); i < l->catalog->n && !htz_status_starved(status); i = take(l)) {
    if (is_to_load(l, i)) {
      htz_spec_entry* entry = &l->catalog->entry[i];
      status = htz_spec_load(entry->path, &entry->spec, diags);
      entry->faults = diags->n + diags->more;
    }
  }
  if (htz_status_starved(status)) {
    atomic_store_explicit(&l->status, status, memory_order_relaxed); // joining the threads orders it
  }
  free(diags);
  return NULL;
}

htz_status htz_spec_list_load(htz_spec_catalog* catalog, const bool* wanted) {
  enum { THREADS_MAX = 16 };
  pthread_t thread[THREADS_MAX];
  loading l = {.catalog = catalog, .wanted = wanted, .next = 0, .status = HTZ_OK};
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  size_t started = 0, work = 0;
  for (size_t i = 0; i < catalog->n; ++i) {
    work += is_to_load(&l, i);
  }
  while (started < THREADS_MAX && (long)started + 1 < processors && started + 1 < work &&
         pthread_create(&thread[started], NULL, load_entries, &l) == 0) {
    ++started;
  }
  load_entries(&l);
  for (size_t i = 0; i < started; ++i) {
    pthread_join(thread[i], NULL);
  }
  return atomic_load_explicit(&l.status, memory_order_relaxed);
}

htz_status htz_spec_list(htz_spec_catalog* out) {
  htz_status status = htz_spec_list_heads(out);
  status = status ? status : htz_spec_list_load(out, NULL);
  if (status) {
    htz_spec_list_free(out);
  }
  return status;
}

void htz_spec_list_free(htz_spec_catalog* catalog) {
  for (size_t i = 0; i < catalog->n; ++i) {
    free_entry(&catalog->entry[i]);
  }
  free(catalog->entry);
  *catalog = (htz_spec_catalog){0};
}

const htz_spec_entry* htz_spec_for_program(const htz_spec_catalog* catalog, bool kit, unsigned program) {
  for (size_t i = 0; i < catalog->n; ++i) {
    const htz_spec_entry* entry = &catalog->entry[i];
    const uint8_t* claims = kit ? entry->kits : entry->programs;
    const size_t n = entry->faults ? 0 : kit ? entry->n_kits : entry->n_programs;
    for (size_t p = 0; p < n; ++p) {
      if (claims[p] == program) {
        return entry;
      }
    }
  }
  return NULL;
}
