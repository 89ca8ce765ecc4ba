#include "catalog_private.h"
#include "text.h"
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
  const size_t length = strlen(name) - (sizeof HTZ_INSTRUMENT_ENDING - 1);
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

/** What the head of a file claims. */
static void read_claims(const tree_node* root, htz_diags* diags, htz_spec_entry* entry) {
  walk w = {.diags = diags, .top = root};
  for (const tree_node* key = root->type == TREE_MAP ? root->first : NULL; key; key = key->next->next) {
    const char* name = key->type == TREE_SCALAR ? key->text : "";
    if (strcmp(name, htz_schema[HTZ_ROW_FILE_PROGRAMS].range.name) == 0) {
      entry->n_programs = htz_walk_program_list(&w, key->next, HTZ_ROW_FILE_PROGRAMS, entry->programs);
    } else if (strcmp(name, htz_schema[HTZ_ROW_FILE_KITS].range.name) == 0) {
      entry->n_kits = htz_walk_program_list(&w, key->next, HTZ_ROW_FILE_KITS, entry->kits);
    }
  }
}

/** @param performance set when it is one, and no instrument; no more faults are said than loading it would say */
static htz_status read_head(htz_spec_entry* entry, bool* performance) {
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  htz_arena memory = {0};
  tree_node* root;
  char* text = NULL;
  size_t length = 0;
  *performance = false;
  if (!diags) {
    return HTZ_NO_MEMORY;
  }
  htz_diags_init(diags, entry->path);
  htz_status status = htz_text_read(entry->path, HTZ_SPEC_BYTES_MAX, &text, &length, diags);
  if (!status && length <= HTZ_SPEC_BYTES_MAX) {
    htz_arena_measure(&memory);
    status = htz_tree_parse(text, length, &memory, diags, &root);
    if (!status) {
      *performance = htz_tree_is_performance(root);
      read_claims(root, diags, entry);
    }
  }
  htz_arena_free(&memory);
  free(text);
  free(diags);
  return htz_status_starved(status) ? status : HTZ_OK;
}

static void free_entry(htz_spec_entry* entry) {
  free(entry->id);
  free(entry->path);
  htz_spec_free(entry->spec);
}

htz_status htz_spec_list_heads(htz_spec_catalog* out) {
  htz_status status = htz_spec_list_names(out);
  for (size_t i = 0; i < out->n && !status; ++i) {
    bool performance;
    status = read_head(&out->entry[i], &performance);
    if (performance) {
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

static void* load_entries(void* user) {
  loading* l = user;
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  if (!diags) {
    atomic_store(&l->status, HTZ_NO_MEMORY);
    return NULL;
  }
  for (size_t i = atomic_fetch_add(&l->next, 1); i < l->catalog->n && !atomic_load(&l->status);
       i = atomic_fetch_add(&l->next, 1)) {
    htz_spec_entry* entry = &l->catalog->entry[i];
    if (entry->spec || entry->faults || (l->wanted && !l->wanted[i])) {
      continue;
    }
    const htz_status status = htz_spec_load(entry->path, &entry->spec, diags);
    entry->faults = diags->n + diags->more;
    if (htz_status_starved(status)) {
      atomic_store(&l->status, status);
    }
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
    work += !wanted || wanted[i];
  }
  while (started < THREADS_MAX && (long)started + 1 < processors && started + 1 < work &&
         pthread_create(&thread[started], NULL, load_entries, &l) == 0) {
    ++started;
  }
  load_entries(&l);
  for (size_t i = 0; i < started; ++i) {
    pthread_join(thread[i], NULL);
  }
  return atomic_load(&l.status);
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
