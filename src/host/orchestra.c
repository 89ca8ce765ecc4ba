#include "hertzian/host/orchestra.h"

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

static htz_status load_named(const char* name, htz_spec** out, htz_log* log) {
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  char path[HTZ_PATH_MAX];
  if (!diags) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  htz_diags_init(diags, name);
  htz_status status = htz_spec_find(name, path, diags);
  if (status == HTZ_OK) {
    htz_diags_init(diags, path);
    status = htz_spec_load(path, out, diags);
  }
  if (status) {
    if (diags->n == 0) {
      htz_diags_add(diags, 0, 0, "%s", htz_status_text(status));
    }
    htz_diags_say_status(diags, status, log);
  } else if ((*out)->bowed) {
    tell_bow(*out, log);
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

static htz_status load_installed(htz_orchestra* orchestra, htz_log* log) {
  htz_status status = htz_spec_list(&orchestra->catalog);
  if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s (the installed instruments)", htz_status_text(status));
    return status;
  }
  for (size_t i = 0; i < orchestra->catalog.n; i++) {
    const htz_spec_entry* entry = &orchestra->catalog.entry[i];
    if (!entry->spec) {
      htz_log_say(log, HTZ_LOG_WARNING, "%s: warning: has faults and is not used (hertzian instruments validate says which)",
                  entry->path);
    } else if (strcmp(entry->id, default_instrument) == 0) {
      orchestra->fallback = entry->spec;
    }
  }
  status = load_programs(orchestra, log);
  if (status || orchestra->fallback) {
    return status;
  }
  // Not there, or with faults: loading it by name says which.
  status = load_named(default_instrument, &orchestra->only, log);
  orchestra->fallback = orchestra->only;
  return status;
}

htz_status htz_orchestra_load(htz_orchestra* orchestra, const char* name, htz_log* log) {
  memset(orchestra, 0, sizeof *orchestra);
  if (!name) {
    return load_installed(orchestra, log);
  }
  const htz_status status = load_named(name, &orchestra->only, log);
  orchestra->fallback = orchestra->only;
  return status;
}

enum { ID_MAX = 256 }; // bytes of an instrument's name, its end included

// The first of the installed instruments that can be driven; an empty text when there is none.
static htz_status find_driven(char id[ID_MAX]) {
  htz_spec_catalog catalog;
  const htz_status status = htz_spec_list(&catalog);
  id[0] = '\0';
  for (size_t i = 0; status == HTZ_OK && i < catalog.n && !id[0]; i++) {
    const htz_spec* spec = catalog.entry[i].spec;
    if (spec && spec->mallet.driven) {
      snprintf(id, ID_MAX, "%s", spec->id);
    }
  }
  if (status == HTZ_OK) {
    htz_spec_list_free(&catalog);
  }
  return status;
}

htz_status htz_orchestra_load_driven(htz_orchestra* orchestra, const char* name, htz_log* log) {
  char driven[ID_MAX] = "";
  memset(orchestra, 0, sizeof *orchestra);
  htz_status status = name ? htz_orchestra_load(orchestra, name, log) : HTZ_OK;
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
  return htz_orchestra_load(orchestra, driven, log);
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
  if (orchestra->only) {
    htz_orchestra_as_played(orchestra->only);
  }
  for (size_t i = 0; i < orchestra->catalog.n; i++) {
    if (orchestra->catalog.entry[i].spec) {
      htz_orchestra_as_played(orchestra->catalog.entry[i].spec);
    }
  }
}

static bool of_drums(const htz_orchestra* orchestra, unsigned channel) {
  return channel == HTZ_DRUM_CHANNEL && !orchestra->melodic;
}

const htz_program* htz_orchestra_program(const htz_orchestra* orchestra, unsigned channel, unsigned program) {
  const htz_program* kits = orchestra->programs.of[HTZ_PROGRAMS_KITS];
  const bool kit = of_drums(orchestra, channel) && kits[0].plays;
  return &(kit ? kits : orchestra->programs.of[HTZ_PROGRAMS_MELODIC])[program % HTZ_PROGRAMS];
}

const htz_spec* htz_orchestra_for(const htz_orchestra* orchestra, unsigned channel, unsigned program) {
  const htz_spec_entry* entry = htz_orchestra_program(orchestra, channel, program)->plays;
  return entry ? entry->spec : orchestra->fallback;
}

bool htz_orchestra_plays(const htz_orchestra* orchestra, unsigned channel) {
  return !of_drums(orchestra, channel) || htz_orchestra_for(orchestra, channel, 0)->n_kits > 0;
}

static size_t place_of(const htz_spec* const* specs, size_t n, const htz_spec* spec) {
  size_t i = 0;
  while (i < n && specs[i] != spec) {
    i++;
  }
  return i;
}

size_t htz_orchestra_players(const htz_orchestra* orchestra, const htz_spec* out[HTZ_ORCHESTRA_MAX]) {
  size_t n = 0;
  out[n++] = orchestra->fallback;
  static const unsigned channels[] = {0, HTZ_DRUM_CHANNEL};
  for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++) {
    for (unsigned program = 0; program < HTZ_PROGRAMS && n < HTZ_ORCHESTRA_MAX; program++) {
      const htz_spec* spec = htz_orchestra_for(orchestra, channels[i], program);
      if (place_of(out, n, spec) == n) {
        out[n++] = spec;
      }
    }
  }
  return n;
}

uint32_t htz_orchestra_rank(const htz_orchestra* orchestra, unsigned channel, const htz_spec* spec) {
  const htz_spec* specs[HTZ_ORCHESTRA_MAX];
  const size_t n = htz_orchestra_players(orchestra, specs);
  const size_t place = place_of(specs, n, spec);
  return channel * HTZ_ORCHESTRA_MAX + (uint32_t)(place < n ? place : 0);
}

void htz_orchestra_free(htz_orchestra* orchestra) {
  htz_spec_free(orchestra->only);
  htz_spec_list_free(&orchestra->catalog);
  memset(orchestra, 0, sizeof *orchestra);
}
