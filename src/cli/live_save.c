#include "live_dial.h"
#include "live_session.h"
#include "whole_file.h"

#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/folders.h"
#include "hertzian/instrument/performance_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* `ctl save`: what is played now as a performance file. */

enum { NAME_MAX_BYTES = 60 };

// The instrument's name where that leads to its file, else the file.
static void name_of(const htz_spec* spec, char name[HTZ_PERFORMANCE_NAME + 1]) {
  char path[HTZ_PATH_MAX];
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  snprintf(name, HTZ_PERFORMANCE_NAME + 1, "%s", spec->id);
  if (diags) {
    htz_diags_init(diags, spec->id);
    if (htz_spec_find(spec->id, path, diags) || strcmp(path, spec->file) != 0) {
      char* whole = realpath(spec->file, NULL);
      snprintf(name, HTZ_PERFORMANCE_NAME + 1, "%s", whole ? whole : spec->file);
      free(whole);
    }
  }
  free(diags);
}

static void add_setting(htz_performance_part* part, size_t param, double value) {
  size_t place = 0;
  while (place < part->n_settings && part->setting[place].param != param) {
    place++;
  }
  if (place < HTZ_PERFORMANCE_SETTINGS) {
    part->setting[place] = (htz_performance_setting){param, value};
    part->n_settings += place == part->n_settings;
  }
}

// Weakest first: the role's own, the command line's, what was set since, what the song that plays has set.
static void gather_settings(const htz_session* session, unsigned number, htz_performance_part* part) {
  const htz_role* role = &session->orchestra.role[number];
  const htz_performance* performance = &session->performance;
  for (size_t i = 0; i < role->n_settings; i++) {
    add_setting(part, role->settings[i].param, role->settings[i].value);
  }
  for (size_t i = 0; i < performance->n_settings; i++) {
    const size_t param = htz_setting_param(&performance->settings[i], role->spec);
    if (param < htz_spec_n_params(role->spec) && htz_spec_param_used(role->spec, param)) {
      add_setting(part, param, performance->settings[i].value);
    }
  }
  const htz_dialled* dialled = &session->pool.dialled;
  for (size_t i = 0; i < dialled->n; i++) {
    if (dialled->moved[i].role == number && !isnan(dialled->value[i])) {
      add_setting(part, dialled->moved[i].param, dialled->value[i]);
    }
  }
  const htz_live* live = session->live;
  const unsigned places = atomic_load_explicit(&live->view.dialled, memory_order_acquire);
  for (unsigned i = 0; i < places; i++) {
    const double value = atomic_load_explicit(&live->view.song_set[i], memory_order_relaxed);
    if (live->dialled.moved[i].role == number && !isnan(value)) {
      add_setting(part, live->dialled.moved[i].param, value);
    }
  }
}

// A part for each role of the cast, on the channels that it plays now. @return false when there are too many
static bool gather_cast(const htz_session* session, unsigned number, uint16_t channels, htz_performance_file* file) {
  const htz_orchestra* o = &session->orchestra;
  const htz_cast* cast = &o->cast[number];
  for (unsigned i = 0; i < cast->n; i++) {
    const htz_role* role = &o->role[cast->role[i]];
    const uint16_t played = channels & role->channels;
    if (played == 0) {
      continue;
    }
    if (file->n_parts == HTZ_PERFORMANCE_PARTS) {
      return false;
    }
    htz_performance_part* part = &file->part[file->n_parts++];
    char name[HTZ_PERFORMANCE_NAME + 1];
    name_of(role->spec, name);
    *part = htz_performance_plain_part(name, role->spec);
    const int transpose = role->zone.transpose + session->performance.transpose;
    part->channels = played;
    part->key_low = role->zone.key_low;
    part->key_high = role->zone.key_high;
    part->velocity_low = role->zone.velocity_low;
    part->velocity_high = role->zone.velocity_high;
    part->transpose = transpose;
    part->level_db = 20.0 * log10(role->gain);
    part->pan = role->pan;
    gather_settings(session, cast->role[i], part);
  }
  return true;
}

static bool gather(const htz_session* session, htz_performance_file* file) {
  uint16_t left = session->performance.channels;
  bool room = true;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS && room; channel++) {
    const unsigned cast = atomic_load_explicit(&session->live->view.cast[channel], memory_order_relaxed);
    uint16_t same = 0;
    for (unsigned other = channel; other < HTZ_MIDI_CHANNELS; other++) {
      const bool is = atomic_load_explicit(&session->live->view.cast[other], memory_order_relaxed) == cast;
      same = (uint16_t)(same | (is ? left & 1u << other : 0u));
    }
    left = (uint16_t)(left & ~same);
    room = same == 0 || gather_cast(session, cast, same, file);
  }
  return room;
}

static bool make_folders(char* path) {
  for (char* at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
    *at = '\0';
    const bool there = mkdir(path, 0777) == 0 || errno == EEXIST;
    *at = '/';
    if (!there) {
      return false;
    }
  }
  return true;
}

static int write_to(const char* path, const htz_performance_file* file, FILE* out) {
  htz_whole_file whole;
  int fault = htz_whole_open(&whole, path);
  if (!fault) {
    const bool good = htz_performance_write(file, whole.stream) == HTZ_OK;
    fault = htz_whole_close(&whole, good);
    fault = good || fault ? fault : EIO;
  }
  if (fault) {
    fprintf(out, "%s: %s\n", path, strerror(fault));
    return HTZ_EXIT_OUTPUT;
  }
  fprintf(out, "%s\n", path);
  return HTZ_EXIT_DONE;
}

int htz_live_save(htz_session* session, const htz_live_request* request, FILE* out) {
  const char* name = request->words[1];
  char within[NAME_MAX_BYTES + 32], path[HTZ_PATH_MAX];
  if (strchr(name, '/') || name[0] == '.' || strlen(name) > NAME_MAX_BYTES) {
    fprintf(out, "%.80s: no name for a performance; up to %d bytes without a slash, not beginning with a point\n", name,
            NAME_MAX_BYTES);
    return HTZ_EXIT_USAGE;
  }
  snprintf(within, sizeof within, "performances/%s.yaml", name);
  if (!htz_config_path(within, path)) {
    fprintf(out, "neither XDG_CONFIG_HOME nor HOME says where settings lie\n");
    return HTZ_EXIT_OUTPUT;
  }
  if (!make_folders(path)) {
    fprintf(out, "%s: %s\n", path, strerror(errno));
    return HTZ_EXIT_OUTPUT;
  }
  htz_performance_file* file = calloc(1, sizeof *file);
  int code = HTZ_EXIT_INTERNAL;
  if (!file) {
    fprintf(out, "%s\n", htz_status_text(HTZ_NO_MEMORY));
  } else if (!gather(session, file)) {
    fprintf(out, "more than %d parts are played; a performance has no more\n", HTZ_PERFORMANCE_PARTS);
    code = HTZ_EXIT_OUTPUT;
  } else {
    code = write_to(path, file, out);
  }
  free(file);
  return code;
}
