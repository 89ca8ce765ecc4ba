#include "orchestra_private.h"

#include "hertzian/instrument/performance_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_instrument[] = "piano";

// The direct sound stays 7.5 dB above the room's: one hears that there is a room and not how large it is.
static const double room_usual = 0.15;

// Strokes that are meant alike are heard to be of one player, and none is the other's copy.
static const double human_usual = 0.3;

/** How hard a bow is to solve for: above 2.24 its string may stick or slip. */
static void tell_bow(const htz_spec* spec, htz_log* log) {
  static const double rate_hz = 48000.0;
  for (size_t i = 0; i < spec->n_objects; ++i) {
    const htz_spec* object = spec->objects[i];
    const double low = htz_spec_bow_stiffness(object, object->key_low, rate_hz);
    const double high = htz_spec_bow_stiffness(object, object->key_high, rate_hz);
    if (!(low > 0.0) || !(high > 0.0)) {
      continue;
    }
    htz_log_say(log, HTZ_LOG_INFO, "%s: bowed, U = %.1f (lowest key) to %.1f (highest) at velocity 127 and 48000 Hz", spec->id,
                low, high);
  }
}

static bool names_file(const char* name) {
  const size_t n = strlen(name);
  return strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".yaml") == 0); // the ending and its point
}

/** What is loaded already from that file; NULL when nothing is. */
static const htz_spec* loaded(const htz_orchestra* orchestra, const char* path) {
  const htz_orchestra_own* last = NULL; // what was read last
  for (size_t i = 0; i < orchestra->n_own; i++) {
    const htz_orchestra_own* own = &orchestra->own[i];
    const bool current = own->spec && (orchestra->reading == 0 || own->loaded >= orchestra->reading_from);
    if (current && strcmp(own->spec->file, path) == 0 && (!last || own->loaded > last->loaded)) {
      last = own;
    }
  }
  if (last) {
    return last->spec;
  }
  for (size_t i = 0; i < orchestra->catalog.n && orchestra->reading == 0; i++) {
    if (orchestra->catalog.entry[i].spec && strcmp(orchestra->catalog.entry[i].path, path) == 0) {
      return orchestra->catalog.entry[i].spec;
    }
  }
  return NULL;
}

/** Load the instrument that lies at `path`. @return HTZ_UNSUPPORTED, and nothing said, of a performance */
static htz_status load_file(htz_orchestra* orchestra, const char* path, const htz_spec** out, htz_diags* diags, htz_log* log) {
  htz_spec* spec = NULL;
  *out = loaded(orchestra, path);
  if (*out) {
    return HTZ_OK;
  }
  const htz_status status = htz_spec_load(path, &spec, diags);
  if (status) {
    return status;
  }
  size_t place = orchestra->n_lent_own;
  while (place < orchestra->n_own && orchestra->own[place].spec) {
    place++;
  }
  if (place == HTZ_ORCHESTRA_OWN) {
    htz_spec_free(spec);
    htz_diags_add(diags, 0, 0, "one too many; %d instruments can be named at once", (int)HTZ_ORCHESTRA_OWN);
    return HTZ_FULL;
  }
  if (spec->bowed) {
    tell_bow(spec, log);
  }
  orchestra->own[place] = (htz_orchestra_own){spec, orchestra->loaded++};
  orchestra->n_own += place == orchestra->n_own;
  *out = spec;
  return HTZ_OK;
}

htz_status htz_orchestra_file(htz_orchestra* orchestra, const char* path, const htz_spec** out, htz_log* log) {
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  if (!diags) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  htz_diags_init(diags, path);
  const htz_status status = load_file(orchestra, path, out, diags, log);
  if (status && diags->n == 0) {
    htz_diags_add(diags, 0, 0, "%s",
                  status == HTZ_UNSUPPORTED ? "a performance by now; it was an instrument" : htz_status_text(status));
  }
  if (status) {
    htz_diags_say_status(diags, status, log);
  }
  free(diags);
  return status;
}

/** Who gives a performance its instruments. */
typedef struct {
  htz_orchestra* orchestra;
  htz_log* log;
  htz_status status; ///< what the system had no more of
} giver;

static const htz_spec* give(void* user, const char* name, const char* folder, char why[HTZ_DIAG_TEXT]) {
  giver* g = user;
  char path[HTZ_PATH_MAX];
  const htz_spec* spec = NULL;
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  if (!diags) {
    g->status = HTZ_NO_MEMORY;
    snprintf(why, HTZ_DIAG_TEXT, "%s", htz_status_text(HTZ_NO_MEMORY));
    return NULL;
  }
  htz_diags_init(diags, name);
  const bool beside = names_file(name) && name[0] != '/';
  const int n = beside ? snprintf(path, sizeof path, "%s%s", folder, name) : 0;
  htz_status status = beside ? (n < HTZ_PATH_MAX ? HTZ_OK : HTZ_NOT_FOUND) : htz_spec_find(name, path, diags);
  status = status ? status : load_file(g->orchestra, path, &spec, diags, g->log);
  g->status = htz_status_starved(status) ? status : g->status;
  if (status == HTZ_UNSUPPORTED) {
    snprintf(why, HTZ_DIAG_TEXT, "%.200s is a performance; a part of one is an instrument", name);
  } else if (status && diags->n > 0 && diags->item[0].line == 0) {
    snprintf(why, HTZ_DIAG_TEXT, "\"%.64s\": %.400s", name, diags->item[0].text);
  } else if (status) {
    snprintf(why, HTZ_DIAG_TEXT, "%.200s has faults (hertzian instruments validate %.200s says which)", name, path);
  }
  free(diags);
  return spec;
}

htz_status htz_orchestra_read(htz_orchestra* orchestra, const char* path, htz_performance_file* out, htz_diags* diags,
                              htz_log* log) {
  giver g = {orchestra, log, HTZ_OK};
  const htz_status status = htz_performance_load(path, give, &g, out, diags);
  return g.status ? g.status : status;
}

htz_status htz_orchestra_find(const char* name, char path[HTZ_PATH_MAX], bool* performance, htz_diags* diags) {
  htz_diags_init(diags, name);
  *performance = htz_performance_find(name, true, path);
  if (*performance) {
    return HTZ_OK;
  }
  const htz_status status = htz_spec_find(name, path, diags);
  *performance = status == HTZ_NOT_FOUND && htz_performance_find(name, false, path);
  return *performance ? HTZ_OK : status;
}

htz_status htz_orchestra_name(htz_orchestra* orchestra, const char* name, const htz_spec** spec, htz_performance_file* file,
                              htz_log* log) {
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  char path[HTZ_PATH_MAX];
  *spec = NULL;
  if (!diags) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  bool performance;
  htz_status status = htz_orchestra_find(name, path, &performance, diags);
  if (status == HTZ_OK) {
    htz_diags_init(diags, path);
    status = performance ? HTZ_UNSUPPORTED : load_file(orchestra, path, spec, diags, log);
    status = status == HTZ_UNSUPPORTED ? htz_orchestra_read(orchestra, path, file, diags, log) : status;
  }
  if (status) {
    if (diags->n == 0) {
      htz_diags_add(diags, 0, 0, "%s", htz_status_text(status));
    }
    htz_diags_say_status(diags, status, log);
  }
  free(diags);
  return status;
}

static htz_status load_programs(htz_orchestra* orchestra, htz_log* log) {
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  htz_status status = diags ? htz_programs_load(&orchestra->catalog, &orchestra->programs, diags) : HTZ_NO_MEMORY;
  if (!diags) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", htz_status_text(status));
  } else if (status) {
    htz_diags_say_status(diags, status, log);
  }
  free(diags);
  return status;
}

/** Mark an instrument, if there is one. @return true when it is not read yet */
static bool want(const htz_spec_catalog* catalog, const htz_spec_entry* entry, bool* wanted) {
  if (entry) {
    wanted[entry - catalog->entry] = true;
  }
  return entry && !entry->spec && !entry->faults;
}

static bool want_asked(const htz_orchestra* orchestra, const htz_program_set* asked, bool* wanted) {
  const htz_spec_catalog* catalog = &orchestra->catalog;
  const htz_programs* programs = &orchestra->programs;
  bool more = false;
  for (size_t i = 0; i < catalog->n; i++) {
    const bool always = !asked || strcmp(catalog->entry[i].id, default_instrument) == 0;
    more = (always && want(catalog, &catalog->entry[i], wanted)) || more;
  }
  for (unsigned p = 0; asked && p < HTZ_PROGRAMS; p++) {
    if (htz_program_set_has(asked, p)) {
      more = want(catalog, programs->program[p].plays, wanted) || more;
      more = want(catalog, htz_programs_at(programs, HTZ_BANK_KITS, p)->plays, wanted) || more; // any channel may be of drums
    }
  }
  for (size_t i = 0; asked && i < programs->n_variants; i++) {
    const htz_variant* variant = &programs->variant[i];
    more = (htz_program_set_has(asked, variant->program) && want(catalog, variant->plays.plays, wanted)) || more;
  }
  return more;
}

/** Load what is wanted. Whose claims a fault voids leaves its programs to others, so that more may be wanted then. */
static htz_status load_wanted(htz_orchestra* orchestra, const htz_program_set* asked, htz_log* log) {
  bool* wanted = calloc(orchestra->catalog.n + 1, sizeof *wanted);
  if (!wanted) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s (the installed instruments)", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  htz_status status = load_programs(orchestra, log);
  while (!status && want_asked(orchestra, asked, wanted)) {
    status = htz_spec_list_load(&orchestra->catalog, wanted);
    if (status) {
      htz_log_say(log, HTZ_LOG_ERROR, "%s (the installed instruments)", htz_status_text(status));
    }
    status = status ? status : load_programs(orchestra, log);
  }
  free(wanted);
  return status;
}

htz_status htz_orchestra_load_installed(htz_orchestra* orchestra, const htz_program_set* asked, htz_log* log) {
  htz_status status = htz_spec_list_heads(&orchestra->catalog);
  if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s (the installed instruments)", htz_status_text(status));
    return status;
  }
  status = load_wanted(orchestra, asked, log);
  for (size_t i = 0; i < orchestra->catalog.n && !status; i++) {
    const htz_spec_entry* entry = &orchestra->catalog.entry[i];
    if (entry->faults) {
      htz_log_say(log, HTZ_LOG_WARNING, "%s: warning: has faults and is not used (hertzian instruments validate says which)",
                  entry->path);
    } else if (strcmp(entry->id, default_instrument) == 0) {
      orchestra->fallback = entry->spec;
    }
  }
  if (status || orchestra->fallback) {
    return status;
  }
  // Not there, or with faults: loading it by name says which.
  htz_performance_file* none = malloc(sizeof *none);
  status = none ? htz_orchestra_name(orchestra, default_instrument, &orchestra->fallback, none, log) : HTZ_NO_MEMORY;
  free(none);
  if (!status && !orchestra->fallback) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s: a performance; an instrument of that name has to be installed", default_instrument);
    status = HTZ_NOT_FOUND;
  }
  return status;
}

htz_status htz_orchestra_load(htz_orchestra* orchestra, const char* name, htz_log* log) {
  const htz_orchestra_wish wish = {.instrument = name};
  return htz_orchestra_open(orchestra, &wish, log);
}

enum { ID_MAX = 256 }; // bytes of an instrument's name, its end included

// The first of the installed instruments that is there to be driven; an empty text when there is none.
static htz_status find_driven(char id[ID_MAX]) {
  htz_spec_catalog catalog;
  htz_status status = htz_spec_list_heads(&catalog);
  bool* wanted = status ? NULL : calloc(catalog.n + 1, sizeof *wanted);
  id[0] = '\0';
  if (!status && !wanted) {
    htz_spec_list_free(&catalog);
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; status == HTZ_OK && i < catalog.n && !id[0]; i++) {
    const htz_spec_entry* entry = &catalog.entry[i];
    if (entry->n_programs > 0) {
      continue; // what General MIDI has a program for is played by keys, and driven in its own way only
    }
    wanted[i] = true; // one after the other: most need not be read
    status = htz_spec_list_load(&catalog, wanted);
    if (status == HTZ_OK && entry->spec && entry->spec->mallet.driven) {
      snprintf(id, ID_MAX, "%s", entry->spec->id);
    }
  }
  if (wanted) {
    htz_spec_list_free(&catalog);
  }
  free(wanted);
  return status;
}

htz_status htz_orchestra_open_driven(htz_orchestra* orchestra, const htz_orchestra_wish* wish, htz_log* log) {
  char driven[ID_MAX] = "";
  const char* name = wish->instrument;
  memset(orchestra, 0, sizeof *orchestra);
  htz_status status = name ? htz_orchestra_open(orchestra, wish, log) : HTZ_OK;
  if (status || (name && orchestra->fallback->mallet.driven)) {
    return status;
  }
  status = find_driven(driven);
  if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s (the installed instruments)", htz_status_text(status));
    return status;
  }
  if (name) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s is not driven by sound; %s%s", name,
                driven[0] ? "take -i " : "a file has to say so with drive: under mallet:", driven);
    return HTZ_UNSUPPORTED;
  }
  if (!driven[0]) {
    htz_log_say(log, HTZ_LOG_ERROR, "no installed instrument is driven by sound; name one with -i");
    return HTZ_NOT_FOUND;
  }
  htz_orchestra_wish own = *wish;
  own.instrument = driven;
  return htz_orchestra_open(orchestra, &own, log);
}

htz_status htz_orchestra_load_driven(htz_orchestra* orchestra, const char* name, htz_log* log) {
  const htz_orchestra_wish wish = {.instrument = name};
  return htz_orchestra_open_driven(orchestra, &wish, log);
}

/** Objects that say something of a parameter keep it; what the file says they have already. */
static void set_usual(htz_spec* spec, htz_param_index param, double value) {
  for (size_t i = 0; i < spec->n_objects; i++) {
    htz_spec* object = spec->objects[i];
    object->params[param] = object->param_given[param] ? object->params[param] : value;
  }
  spec->params[param] = spec->param_given[param] ? spec->params[param] : spec->objects[0]->params[param];
}

void htz_orchestra_as_played(htz_spec* spec) {
  set_usual(spec, HTZ_PARAM_ROOM, room_usual);
  set_usual(spec, HTZ_PARAM_HUMAN, human_usual);
}

void htz_orchestra_all_as_played(htz_orchestra* orchestra) {
  for (size_t i = 0; i < orchestra->n_own; i++) {
    if (orchestra->own[i].spec) {
      htz_orchestra_as_played(orchestra->own[i].spec);
    }
  }
  for (size_t i = 0; i < orchestra->catalog.n; i++) {
    if (orchestra->catalog.entry[i].spec) {
      htz_orchestra_as_played(orchestra->catalog.entry[i].spec);
    }
  }
}

void htz_orchestra_borrow(const htz_orchestra* from, htz_orchestra* out) {
  *out = *from;
  out->lent = true;
  out->n_lent_own = from->n_own;
  out->n_lent_roles = from->n_roles;
}

void htz_orchestra_free(htz_orchestra* orchestra) {
  for (size_t i = orchestra->n_lent_roles; i < orchestra->n_roles; i++) {
    free(orchestra->role[i].settings);
  }
  for (size_t i = orchestra->n_lent_own; i < orchestra->n_own; i++) {
    htz_spec_free(orchestra->own[i].spec);
  }
  if (!orchestra->lent) {
    htz_spec_list_free(&orchestra->catalog);
  }
  memset(orchestra, 0, sizeof *orchestra);
}
