#include "orchestra_private.h"

#include <stdlib.h>
#include <string.h>

/* Casts that are added while others play, and those that are freed again. */

static bool same_zone(const htz_map_zone* a, const htz_map_zone* b) {
  return a->key_low == b->key_low && a->key_high == b->key_high && a->velocity_low == b->velocity_low &&
         a->velocity_high == b->velocity_high && a->transpose == b->transpose;
}

bool htz_role_same(const htz_role* a, const htz_role* b) {
  bool same = a->spec == b->spec && a->channels == b->channels && same_zone(&a->zone, &b->zone) && a->gain == b->gain &&
              a->pan == b->pan && a->n_settings == b->n_settings;
  for (size_t i = 0; i < a->n_settings && same; i++) {
    same = a->settings[i].param == b->settings[i].param && a->settings[i].value == b->settings[i].value;
  }
  return same;
}

/** Another cast that is the same as cast `number`; `number` when there is none. */
static uint8_t same_cast(const htz_orchestra* o, uint8_t number) {
  const htz_cast* cast = &o->cast[number];
  for (size_t i = 0; i < o->n_casts; i++) {
    bool same = i != number && o->cast[i].n == cast->n;
    for (unsigned k = 0; k < cast->n && same; k++) {
      same = htz_role_same(&o->role[o->cast[i].role[k]], &o->role[cast->role[k]]);
    }
    if (same) {
      return (uint8_t)i;
    }
  }
  return number;
}

static void free_cast(htz_orchestra* o, htz_cast* cast) {
  for (unsigned i = 0; i < cast->n; i++) {
    htz_role* role = &o->role[cast->role[i]];
    free(role->settings);
    memset(role, 0, sizeof *role);
  }
  memset(cast, 0, sizeof *cast);
  while (o->n_roles > o->n_lent_roles && !o->role[o->n_roles - 1].spec) {
    o->n_roles--;
  }
  while (o->n_casts > 0 && o->cast[o->n_casts - 1].n == 0) {
    o->n_casts--;
  }
}

static void free_own(htz_orchestra* o, htz_orchestra_own* own) {
  htz_spec_free(own->spec);
  own->spec = NULL;
  while (o->n_own > o->n_lent_own && !o->own[o->n_own - 1].spec) {
    o->n_own--;
  }
}

/** Those that were loaded since are ready to be played, or were loaded for nothing. */
static void settle_own(htz_orchestra* o, uint32_t since, bool keep) {
  for (size_t i = o->n_own; i-- > o->n_lent_own;) {
    if (o->own[i].spec && o->own[i].loaded >= since && keep) {
      htz_orchestra_as_played(o->own[i].spec);
    } else if (o->own[i].spec && o->own[i].loaded >= since) {
      free_own(o, &o->own[i]);
    }
  }
}

/** @param name NULL: cast `from` again */
static htz_status add(htz_orchestra* orchestra, const char* name, unsigned from, uint32_t reading, uint8_t* cast,
                      htz_log* log) {
  const uint32_t added = orchestra->added, loaded = orchestra->loaded;
  htz_casting* c = calloc(1, sizeof *c);
  htz_performance_file* file = malloc(sizeof *file);
  htz_status status = c && file ? HTZ_OK : HTZ_NO_MEMORY;
  if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", htz_status_text(status));
  } else {
    *c = (htz_casting){.o = orchestra, .log = log, .file = file, .again = true};
    orchestra->reading = reading;
    orchestra->reading_from = loaded;
    status = name ? htz_casting_named(c, name, cast) : htz_casting_again(c, from, cast);
    orchestra->reading = 0;
  }
  // What was chosen before is what it was then: roles and casts are for what differs, however often it is chosen.
  const uint8_t known = !status && c->any ? same_cast(orchestra, *cast) : *cast;
  if (c && c->any && (status || known != *cast)) {
    free_cast(orchestra, &orchestra->cast[c->last]);
    orchestra->added = added;
  }
  settle_own(orchestra, loaded, !status);
  orchestra->readings = !status && reading > orchestra->readings ? reading : orchestra->readings;
  *cast = status ? *cast : known;
  free(file);
  free(c);
  return status;
}

htz_status htz_orchestra_add(htz_orchestra* orchestra, const char* name, uint32_t reading, uint8_t* cast, htz_log* log) {
  return add(orchestra, name, 0, reading, cast, log);
}

htz_status htz_orchestra_add_again(htz_orchestra* orchestra, unsigned from, uint32_t reading, uint8_t* cast, htz_log* log) {
  return add(orchestra, NULL, from, reading, cast, log);
}

static bool of_the_same_files(const htz_orchestra* o, const htz_cast* a, const htz_cast* b) {
  bool same = a->n == b->n;
  for (unsigned i = 0; i < a->n && same; i++) {
    same = strcmp(o->role[a->role[i]].spec->file, o->role[b->role[i]].spec->file) == 0;
  }
  return same;
}

bool htz_orchestra_reuse(htz_orchestra* orchestra, unsigned from, uint32_t reading, uint8_t* cast) {
  const htz_cast* oldest = NULL;
  for (size_t i = 0; i < orchestra->n_casts; i++) {
    const htz_cast* other = &orchestra->cast[i];
    const uint32_t read = other->n > 0 ? orchestra->role[other->role[0]].reading : 0;
    if (i != from && read > 0 && of_the_same_files(orchestra, other, &orchestra->cast[from]) &&
        (!oldest || read < orchestra->role[oldest->role[0]].reading)) {
      oldest = other;
    }
  }
  for (unsigned i = 0; oldest && i < oldest->n; i++) {
    orchestra->role[oldest->role[i]].reading = reading;
    orchestra->role[oldest->role[i]].added = orchestra->added++;
  }
  *cast = oldest ? (uint8_t)(oldest - orchestra->cast) : *cast;
  return oldest != NULL;
}

/** True when the same file was read later. */
static bool is_outdated(const htz_orchestra* o, const htz_spec* spec) {
  const htz_orchestra_own* own = NULL;
  for (size_t i = o->n_lent_own; i < o->n_own; i++) {
    own = o->own[i].spec == spec ? &o->own[i] : own;
  }
  for (size_t i = 0; i < o->n_own && own; i++) {
    const htz_orchestra_own* other = &o->own[i];
    if (other->spec && other->loaded > own->loaded && strcmp(other->spec->file, spec->file) == 0) {
      return true;
    }
  }
  return false;
}

bool htz_orchestra_outdated(const htz_orchestra* orchestra, unsigned cast) {
  bool outdated = false;
  for (unsigned i = 0; i < orchestra->cast[cast].n; i++) {
    const htz_role* role = &orchestra->role[orchestra->cast[cast].role[i]];
    outdated = outdated || (role->reading > 0 && is_outdated(orchestra, role->spec));
  }
  return outdated;
}

static bool is_played(const htz_orchestra* o, const htz_spec* spec) {
  bool played = spec == o->fallback;
  for (size_t i = 0; i < o->n_roles; i++) {
    played = played || o->role[i].spec == spec;
  }
  return played;
}

void htz_orchestra_forget(htz_orchestra* orchestra, unsigned cast) {
  free_cast(orchestra, &orchestra->cast[cast]);
  for (size_t i = orchestra->n_own; i-- > orchestra->n_lent_own;) {
    htz_orchestra_own* own = &orchestra->own[i];
    if (own->spec && !is_played(orchestra, own->spec) && is_outdated(orchestra, own->spec)) {
      free_own(orchestra, own);
    }
  }
}
