#include "orchestra_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Roles and casts, from whatever says them. */

enum { EVERY_CHANNEL = 0xFFFF, KEY_LAST = HTZ_KEYS - 1, NOBODY = HTZ_CAST_BY_PROGRAM };

static htz_status full(const htz_casting* c, const char* what, int most) {
  htz_log_say(c->log, HTZ_LOG_ERROR, "too many %s at once; at most %d", what, most);
  return HTZ_FULL;
}

/** Which it is of those of its instrument of that reading. */
static uint32_t nth_of(const htz_orchestra* o, const htz_role* role) {
  uint32_t last = 0;
  for (size_t i = 0; i < o->n_roles; i++) {
    const htz_role* other = &o->role[i];
    const bool same = other->spec && other->reading == o->reading && strcmp(other->spec->id, role->spec->id) == 0;
    last = same && other->nth > last ? other->nth : last;
  }
  return last + 1;
}

static htz_status add_role(const htz_casting* c, const htz_role* role, htz_cast* cast) {
  htz_orchestra* o = c->o;
  size_t place = o->n_lent_roles;
  if (cast->n == HTZ_CAST_ROLES) {
    return full(c, "instruments together", HTZ_CAST_ROLES);
  }
  while (place < o->n_roles && o->role[place].spec) {
    place++;
  }
  if (place == HTZ_ROLES_MAX) {
    return full(c, "parts", HTZ_ROLES_MAX);
  }
  o->role[place] = *role;
  o->role[place].reading = o->reading;
  o->role[place].added = o->added++;
  o->role[place].nth = nth_of(o, role);
  o->n_roles += place == o->n_roles;
  cast->role[cast->n++] = (uint8_t)place;
  return HTZ_OK;
}

static htz_role plain(const htz_spec* spec) {
  return (htz_role){.spec = spec, .channels = (uint16_t)EVERY_CHANNEL, .zone = HTZ_MAP_ZONE_ALL, .gain = 1.0};
}

static double factor(double db) {
  return db == 0.0 ? 1.0 : pow(10.0, db / 20.0);
}

static htz_status add_part(const htz_casting* c, const htz_performance_part* part, htz_cast* cast) {
  htz_role role = plain(part->spec);
  role.channels = part->channels;
  role.zone = (htz_map_zone){part->key_low, part->key_high, part->velocity_low, part->velocity_high, (int8_t)part->transpose};
  role.gain = factor(part->level_db);
  role.pan = part->pan;
  role.settings = calloc(part->n_settings + 1, sizeof *role.settings);
  if (!role.settings) {
    htz_log_say(c->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; i < part->n_settings; i++) {
    role.settings[role.n_settings++] = (htz_setting){.param = part->setting[i].param, .value = part->setting[i].value};
  }
  const htz_status status = add_role(c, &role, cast);
  if (status) {
    free(role.settings);
  }
  return status;
}

static htz_status new_cast(htz_casting* c, uint8_t* number) {
  size_t place = 0;
  while (place < c->o->n_casts && c->o->cast[place].n > 0) {
    place++;
  }
  if (place == HTZ_CASTS_MAX) {
    return full(c, "programs that differ", HTZ_CASTS_MAX);
  }
  c->o->n_casts += place == c->o->n_casts;
  c->last = *number = (uint8_t)place;
  c->any = true;
  return HTZ_OK;
}

/** A cast of the performance read last. */
static htz_status add_performance(htz_casting* c, uint8_t* number) {
  htz_status status = new_cast(c, number);
  for (size_t i = 0; i < c->file->n_parts && !status; i++) {
    status = add_part(c, &c->file->part[i], &c->o->cast[*number]);
  }
  return status;
}

/** What is there already needs no room. @return whether an instrument plays alone and plainly in some cast */
static bool has_plain(const htz_orchestra* o, const htz_spec* spec, uint8_t* number) {
  const htz_role role = plain(spec);
  for (size_t i = 0; i < o->n_casts; i++) {
    if (o->cast[i].n == 1 && htz_role_same(&o->role[o->cast[i].role[0]], &role)) {
      *number = (uint8_t)i;
      return true;
    }
  }
  return false;
}

htz_status htz_casting_named(htz_casting* c, const char* name, uint8_t* number) {
  const htz_spec* spec = NULL;
  htz_status status = htz_orchestra_name(c->o, name, &spec, c->file, c->log);
  if (!status && !spec) {
    status = add_performance(c, number);
  } else if (!status && !(c->again && has_plain(c->o, spec, number))) {
    const htz_role role = plain(spec);
    status = new_cast(c, number);
    status = status ? status : add_role(c, &role, &c->o->cast[*number]);
  }
  if (!status && !c->o->fallback) {
    c->o->fallback = c->o->role[c->o->cast[*number].role[0]].spec;
  }
  return status;
}

htz_status htz_casting_again(htz_casting* c, unsigned from, uint8_t* number) {
  htz_orchestra* o = c->o;
  const htz_cast before = o->cast[from]; // the new one may take any other place
  htz_status status = new_cast(c, number);
  for (unsigned i = 0; i < before.n && !status; i++) {
    htz_role role = o->role[before.role[i]];
    const htz_setting* settings = role.settings;
    role.settings = NULL;
    status = htz_orchestra_file(o, role.spec->file, &role.spec, c->log);
    if (!status && settings) {
      role.settings = malloc((role.n_settings + 1) * sizeof *role.settings);
      status = role.settings ? HTZ_OK : HTZ_NO_MEMORY;
    }
    if (!status && settings) {
      memcpy(role.settings, settings, role.n_settings * sizeof *settings);
    }
    status = status ? status : add_role(c, &role, &o->cast[*number]);
    if (status) {
      free(role.settings);
    }
  }
  return status;
}

/** The cast of an instrument alone. */
static htz_status cast_of_spec(htz_casting* c, const htz_spec* spec, uint8_t* number) {
  const htz_orchestra* o = c->o;
  for (size_t i = 0; i < o->n_casts; i++) {
    if (o->cast[i].n == 1 && o->role[o->cast[i].role[0]].spec == spec && !o->role[o->cast[i].role[0]].settings) {
      *number = (uint8_t)i;
      return HTZ_OK;
    }
  }
  const htz_role role = plain(spec);
  const htz_status status = new_cast(c, number);
  return status ? status : add_role(c, &role, &c->o->cast[*number]);
}

/** The cast of an installed performance; one with faults is told and passed over. */
static htz_status cast_of_performance(htz_casting* c, const char* name, uint8_t* number) {
  for (size_t i = 0; i < c->n_known; i++) {
    if (strcmp(c->known[i].name, name) == 0) {
      *number = c->known[i].cast;
      return HTZ_OK;
    }
  }
  const htz_spec* spec = NULL;
  htz_status status = htz_orchestra_name(c->o, name, &spec, c->file, c->log);
  status = status ? status : spec ? cast_of_spec(c, spec, number) : add_performance(c, number);
  if (!status) {
    snprintf(c->known[c->n_known].name, sizeof c->known[0].name, "%s", name);
    c->known[c->n_known++].cast = *number;
  }
  return status;
}

static htz_status cast_of_program(htz_casting* c, const htz_program* program, uint8_t* number) {
  if (program->performance[0]) {
    return cast_of_performance(c, program->performance, number);
  }
  const htz_spec* spec = program->plays ? program->plays->spec : NULL; // not there where nobody can ask for it
  return cast_of_spec(c, spec ? spec : c->o->fallback, number);
}

/** Programs that performances ask for: before what instruments claim, and behind what the user's own table says. */
static htz_status claim(htz_casting* c) {
  htz_performance_names names;
  htz_status status = htz_performance_list(&names);
  htz_diags* diags = malloc(sizeof *diags);
  status = status ? status : diags ? HTZ_OK : HTZ_NO_MEMORY;
  for (size_t i = 0; i < names.n && !status; i++) {
    char path[HTZ_PATH_MAX];
    const bool there = strlen(names.name[i]) < HTZ_PROGRAM_PLAYS &&
                       (htz_performance_find(names.name[i], true, path) || htz_performance_find(names.name[i], false, path));
    bool claims = there;
    status = there ? htz_performance_claims(path, &claims) : HTZ_OK;
    status = claims && !status ? htz_orchestra_read(c->o, path, c->file, diags, c->log) : status;
    if (claims && status && !htz_status_starved(status)) {
      htz_log_say(c->log, HTZ_LOG_WARNING, "%s: warning: has faults and is not used (hertzian instruments validate says which)",
                  path);
      status = HTZ_OK;
      continue;
    }
    for (size_t p = 0; claims && !status && p < c->file->n_programs; p++) {
      htz_program* program = htz_programs_place(&c->o->programs, c->file->bank, c->file->programs[p]);
      if (program && program->reason != HTZ_PROGRAM_CHOSEN) {
        snprintf(program->performance, sizeof program->performance, "%s", names.name[i]);
        program->reason = HTZ_PROGRAM_OWN;
      }
    }
  }
  if (status) {
    htz_log_say(c->log, HTZ_LOG_ERROR, "%s (the performances)", htz_status_text(status));
  }
  free(diags);
  htz_performance_list_free(&names);
  return status;
}

/** What programs mean, of everything that is installed. */
static htz_status add_programs(htz_casting* c, const htz_program_set* asked) {
  htz_orchestra* o = c->o;
  uint8_t number = 0;
  htz_status status = htz_orchestra_load_installed(o, asked, c->log);
  status = status ? status : claim(c);
  status = status ? status : cast_of_spec(c, o->fallback, &number); // the first of all
  for (unsigned p = 0; p < HTZ_PROGRAMS && !status; p++) {
    status = cast_of_program(c, &o->programs.program[p], &o->cast_for[0][p]);
    for (unsigned bank = 1; bank < HTZ_MIDI_BANKS; bank++) {
      o->cast_for[bank][p] = o->cast_for[0][p];
    }
  }
  for (size_t i = 0; i < o->programs.n_variants && !status; i++) {
    const htz_variant* variant = &o->programs.variant[i];
    if (variant->bank != HTZ_BANK_KITS && variant->plays.reason != HTZ_PROGRAM_UNPLAYED) {
      status = cast_of_program(c, &variant->plays, &o->cast_for[variant->bank][variant->program]);
    }
  }
  for (unsigned p = 0; p < HTZ_PROGRAMS && !status; p++) {
    status = cast_of_program(c, htz_programs_at(&o->programs, HTZ_BANK_KITS, p), &o->cast_for[HTZ_BANK_KITS][p]);
  }
  return status;
}

/** Keys that splits leave to what they are beside; `low` above `high` when they leave none. */
static void left_by_splits(const htz_orchestra_wish* wish, int channel, int* low, int* high) {
  *low = 0;
  *high = KEY_LAST;
  for (size_t i = 0; i < wish->n_layers; i++) {
    const htz_orchestra_layer* layer = &wish->layer[i];
    if (layer->channel != channel) {
      continue;
    }
    if (layer->split == HTZ_SPLIT_BELOW) {
      *low = layer->zone.key_high + 1 > *low ? layer->zone.key_high + 1 : *low;
    } else if (layer->split == HTZ_SPLIT_FROM) {
      *high = layer->zone.key_low - 1 < *high ? layer->zone.key_low - 1 : *high;
    }
  }
}

/** The keys of a split: those beyond other splits on its side are theirs. */
static void nest(const htz_orchestra_wish* wish, const htz_orchestra_layer* layer, htz_map_zone* zone) {
  for (size_t i = 0; i < wish->n_layers; i++) {
    const htz_orchestra_layer* other = &wish->layer[i];
    const htz_map_zone* theirs = &other->zone;
    const bool beside = other->channel == layer->channel && other->split == layer->split;
    if (beside && layer->split == HTZ_SPLIT_BELOW && theirs->key_high < zone->key_high && theirs->key_high >= zone->key_low) {
      zone->key_low = (uint8_t)(theirs->key_high + 1);
    }
    if (beside && layer->split == HTZ_SPLIT_FROM && theirs->key_low > zone->key_low && theirs->key_low <= zone->key_high) {
      zone->key_high = (uint8_t)(theirs->key_low - 1);
    }
  }
}

static void narrow(htz_role* role, int low, int high) {
  const bool none = low > high || low > role->zone.key_high || high < role->zone.key_low;
  role->zone.key_low = (uint8_t)(none ? KEY_LAST : low > role->zone.key_low ? low : role->zone.key_low);
  role->zone.key_high = (uint8_t)(none ? 0 : high < role->zone.key_high ? high : role->zone.key_high);
}

/** The layers beside channel `channel` (-1: all without an instrument of their own) join the casts [first, end). */
static htz_status add_layers(const htz_casting* c, const htz_orchestra_wish* wish, int channel, size_t first, size_t end) {
  htz_orchestra* o = c->o;
  int low, high;
  left_by_splits(wish, channel, &low, &high);
  bool narrowed[HTZ_ROLES_MAX] = {false}; // several casts may share a role
  for (size_t i = first; i < end; i++) {
    for (unsigned k = 0; k < o->cast[i].n; k++) {
      const uint8_t role = o->cast[i].role[k];
      if (!narrowed[role]) {
        narrow(&o->role[role], low, high);
        narrowed[role] = true;
      }
    }
  }
  htz_status status = HTZ_OK;
  for (size_t l = 0; l < wish->n_layers && !status; l++) {
    const htz_orchestra_layer* layer = &wish->layer[l];
    const htz_spec* spec = NULL;
    if (layer->channel != channel) {
      continue;
    }
    status = htz_orchestra_name(o, layer->name, &spec, c->file, c->log);
    if (!status && !spec) {
      htz_log_say(c->log, HTZ_LOG_ERROR, "%s: a performance; one instrument can be laid beside others", layer->name);
      status = HTZ_BAD_INPUT;
    }
    htz_role role = plain(spec);
    role.zone = layer->zone;
    role.gain = factor(layer->level_db);
    role.pan = layer->pan;
    nest(wish, layer, &role.zone);
    if (layer->split == HTZ_SPLIT_NONE && !layer->keyed) {
      narrow(&role, low, high);
    }
    const unsigned number = (unsigned)o->n_roles;
    for (size_t i = first; i < end && !status; i++) {
      htz_cast* cast = &o->cast[i];
      if (i == first) {
        status = add_role(c, &role, cast);
      } else if (cast->n == HTZ_CAST_ROLES) {
        status = full(c, "instruments together", HTZ_CAST_ROLES);
      } else {
        cast->role[cast->n++] = (uint8_t)number;
      }
    }
  }
  return status;
}

static htz_status cast_all(htz_casting* c, const htz_orchestra_wish* wish) {
  htz_orchestra* o = c->o;
  uint8_t number = 0;
  memset(o->cast_of, HTZ_CAST_BY_PROGRAM, sizeof o->cast_of);
  htz_status status = wish->instrument ? htz_casting_named(c, wish->instrument, &number) : add_programs(c, wish->asked);
  if (!status && wish->instrument) {
    memset(o->cast_of, number, sizeof o->cast_of);
  }
  const size_t everyones = o->n_casts;
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS && !status; channel++) {
    const char* name = wish->of_channel[channel];
    const size_t first = o->n_casts, before = o->n_roles;
    if (!name) {
      continue;
    }
    o->own_channels |= (uint16_t)(1u << channel);
    status = htz_casting_named(c, name, &o->cast_of[channel]);
    for (size_t i = before; i < o->n_roles; i++) {
      o->role[i].channels &= (uint16_t)(1u << channel);
    }
    status = status ? status : add_layers(c, wish, (int)channel, first, o->n_casts);
  }
  return status ? status : add_layers(c, wish, -1, 0, everyones);
}

htz_status htz_orchestra_open(htz_orchestra* orchestra, const htz_orchestra_wish* wish, htz_log* log) {
  memset(orchestra, 0, sizeof *orchestra);
  htz_casting* c = calloc(1, sizeof *c);
  htz_performance_file* file = malloc(sizeof *file);
  htz_status status = c && file ? HTZ_OK : HTZ_NO_MEMORY;
  if (status) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", htz_status_text(status));
  } else {
    *c = (htz_casting){.o = orchestra, .log = log, .file = file};
    status = cast_all(c, wish);
  }
  free(file);
  free(c);
  return status;
}

static unsigned cast_number(const htz_orchestra* orchestra, unsigned channel, unsigned bank, unsigned program) {
  const uint8_t own = orchestra->cast_of[channel];
  return own != NOBODY ? own : orchestra->cast_for[bank % HTZ_MIDI_BANKS][program % HTZ_MIDI_PROGRAMS];
}

const htz_cast* htz_orchestra_cast(const htz_orchestra* orchestra, unsigned channel, unsigned bank, unsigned program) {
  return &orchestra->cast[cast_number(orchestra, channel, bank, program)];
}

htz_program_reason htz_orchestra_why(const htz_orchestra* orchestra, unsigned channel, unsigned bank, unsigned program) {
  return orchestra->cast_of[channel] != NOBODY ? HTZ_PROGRAM_GIVEN
                                               : htz_programs_at(&orchestra->programs, bank, program)->reason;
}

bool htz_orchestra_drums(const htz_orchestra* orchestra) {
  const htz_cast* cast = htz_orchestra_cast(orchestra, HTZ_DRUM_CHANNEL, HTZ_BANK_KITS, 0);
  bool played = orchestra->own_channels >> HTZ_DRUM_CHANNEL & 1u;
  for (unsigned i = 0; i < cast->n; i++) {
    played = played || orchestra->role[cast->role[i]].spec->n_kits > 0;
  }
  return played;
}

bool htz_orchestra_plays(const htz_orchestra* orchestra, const htz_cast* cast, unsigned role, unsigned channel) {
  bool any = false;
  for (unsigned i = 0; i < cast->n; i++) {
    any = any || cast->role[i] == role;
  }
  return any && (orchestra->role[role].channels >> channel & 1u);
}

htz_cast_set htz_orchestra_casts_of(const htz_orchestra* orchestra, unsigned role) {
  htz_cast_set set = {{0}};
  for (unsigned cast = 0; cast < orchestra->n_casts; cast++) {
    for (unsigned i = 0; i < orchestra->cast[cast].n; i++) {
      if (orchestra->cast[cast].role[i] == role) {
        htz_cast_add(&set, cast);
      }
    }
  }
  return set;
}

void htz_orchestra_tell(const htz_orchestra* orchestra, htz_midi_map* map) {
  memcpy(map->cast_of, orchestra->cast_of, sizeof map->cast_of);
  memcpy(map->cast_for, orchestra->cast_for, sizeof map->cast_for);
}

size_t htz_orchestra_players(const htz_orchestra* orchestra, const htz_spec* out[HTZ_ORCHESTRA_MAX]) {
  size_t n = 0;
  for (size_t i = 0; i < orchestra->n_roles && n < HTZ_ORCHESTRA_MAX; i++) {
    size_t at = 0;
    if (!orchestra->role[i].spec) {
      continue;
    }
    while (at < n && out[at] != orchestra->role[i].spec) {
      at++;
    }
    out[at] = orchestra->role[i].spec;
    n += at == n;
  }
  return n;
}

unsigned htz_orchestra_beside(const htz_orchestra* orchestra, unsigned role) {
  unsigned place = 0;
  for (size_t cast = 0; cast < orchestra->n_casts; cast++) {
    for (unsigned i = 1; i < orchestra->cast[cast].n; i++) {
      place = orchestra->cast[cast].role[i] == role && place == 0 ? i : place;
    }
  }
  return place;
}

bool htz_orchestra_wants(const htz_orchestra* orchestra, unsigned role, unsigned channel) {
  const uint8_t own = orchestra->cast_of[channel];
  return own == NOBODY ? orchestra->role[role].channels >> channel & 1u
                       : htz_orchestra_plays(orchestra, &orchestra->cast[own], role, channel);
}
