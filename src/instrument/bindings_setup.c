#include "bow.h"
#include "walk.h"

#include "hertzian/instrument/spec_grid.h"
#include "hertzian/instrument/spec_link.h"
#include "hertzian/instrument/spec_prepared.h"

#include <string.h>

// Parameters by the names of a file: those of an object that has a name move its keys alone.

size_t htz_spec_n_params(const htz_spec* spec) {
  return HTZ_PARAM_COUNT + spec->n_bindings;
}

size_t htz_spec_param_find(const htz_spec* spec, const char* name) {
  size_t i = htz_param_find(htz_instrument_params, HTZ_PARAM_NAMED, name);
  if (i < HTZ_PARAM_NAMED) {
    return i;
  }
  for (i = HTZ_PARAM_COUNT; i < htz_spec_n_params(spec); ++i) {
    if (strcmp(htz_spec_binding_at(spec, i)->name, name) == 0) {
      break;
    }
  }
  return i;
}

const htz_spec_binding* htz_spec_binding_at(const htz_spec* spec, size_t param) {
  return param >= HTZ_PARAM_COUNT && param < htz_spec_n_params(spec) ? &spec->bindings[param - HTZ_PARAM_COUNT] : NULL;
}

/** The field of a thing that a binding moves; NULL when it moves a parameter of an object. */
static const htz_spec_own* own_of(const htz_spec* spec, const htz_spec_binding* binding) {
  return binding->slot < HTZ_PARAM_COUNT ? NULL : &spec->objects[binding->object]->own[binding->slot - HTZ_PARAM_COUNT];
}

bool htz_spec_binding_used(const htz_spec* spec, const htz_spec_binding* binding) {
  const htz_spec_own* own = own_of(spec, binding);
  return own ? own->moves : htz_spec_param_used(spec->objects[binding->object], binding->param);
}

double htz_spec_param_initial(const htz_spec* spec, size_t param) {
  const htz_spec_binding* binding = htz_spec_binding_at(spec, param);
  if (!binding) {
    return spec->params[param];
  }
  const htz_spec* object = spec->objects[binding->object];
  const htz_spec_own* own = own_of(spec, binding);
  return own && !object->param_given[binding->slot] ? own->initial : object->params[binding->slot];
}

/** "object.thing.field"; without an object or a thing "thing.field" or "object.parameter". */
static const char* join(walk* w, const char* object, const char* thing, const char* param) {
  const size_t n = (object ? strlen(object) + 1 : 0) + (thing ? strlen(thing) + 1 : 0) + strlen(param) + 1;
  char* name = htz_walk_alloc(w, n, 1);
  if (name) {
    snprintf(name, n, "%s%s%s%s%s", object ? object : "", object ? "." : "", thing ? thing : "", thing ? "." : "", param);
  }
  return name;
}

bool htz_walk_param_word(const char* name) {
  const size_t length = strlen(name);
  for (size_t p = 0; p < HTZ_PARAM_COUNT; ++p) {
    const char* usual = htz_instrument_params[p].name;
    if (strncmp(usual, name, length) == 0 && (usual[length] == '.' || !usual[length])) {
      return true;
    }
  }
  return false;
}

/** What is left of a parameter's name behind its first point. */
static const char* behind(const char* name) {
  return strchr(name, '.') + 1;
}

// Which parameters move which fields, of all of a kind: the one table of what a player moves of things. HTZ_PARAM_COUNT: none.

static const htz_param_index of_stay[HTZ_STAY_FIELDS] = {
    [HTZ_STAY_GRAVITY] = HTZ_PARAM_GRAVITY,          [HTZ_STAY_GAIN] = HTZ_PARAM_DRIVE_GAIN,
    [HTZ_STAY_HEIGHT] = HTZ_PARAM_DRIVE_REST,        [HTZ_STAY_SPEED] = HTZ_PARAM_ROLL_SPEED,
    [HTZ_STAY_ROUGHNESS] = HTZ_PARAM_ROLL_ROUGHNESS, [HTZ_STAY_ASYMMETRY] = HTZ_PARAM_ROLL_ASYMMETRY};

static const htz_param_index of_role[HTZ_ROLES][HTZ_THING_FIELDS] = {
    [HTZ_ROLE_NONE] = {HTZ_PARAM_COUNT, HTZ_PARAM_COUNT, HTZ_PARAM_COUNT},
    [HTZ_ROLE_BRIDGE] = {HTZ_PARAM_BRIDGE_GAP, HTZ_PARAM_BRIDGE_MASS, HTZ_PARAM_COUNT},
    [HTZ_ROLE_THREAD] = {HTZ_PARAM_COUNT, HTZ_PARAM_COUNT, HTZ_PARAM_THREAD_AT},
    [HTZ_ROLE_RATTLE] = {HTZ_PARAM_RATTLE_GAP, HTZ_PARAM_RATTLE_MASS, HTZ_PARAM_RATTLE_AT},
    [HTZ_ROLE_SCREW] = {HTZ_PARAM_COUNT, HTZ_PARAM_SCREW_MASS, HTZ_PARAM_SCREW_AT},
    [HTZ_ROLE_RUBBER] = {HTZ_PARAM_COUNT, HTZ_PARAM_RUBBER_LOSS, HTZ_PARAM_RUBBER_AT}};

static const htz_param_index of_bow[HTZ_BOW_FIELDS] = {HTZ_PARAM_BOW_FORCE, HTZ_PARAM_BOW_SPEED, HTZ_PARAM_BOW_POSITION};

void htz_walk_stay_controls(htz_stay* stay) {
  for (size_t f = 0; f < HTZ_STAY_FIELDS; ++f) {
    stay->control[f].kind = (uint16_t)of_stay[f];
  }
}

/** A field that goes by the name of a thing. @return its number among the values of a key, 0 when there is none */
static uint16_t add_own(htz_spec* object, const char* name, htz_param_index param, double initial, bool moves) {
  const char* usual = htz_instrument_params[param].name;
  const size_t length = strlen(name);
  if ((strncmp(usual, name, length) == 0 && usual[length] == '.') || object->n_own == HTZ_OWN_MAX) {
    return 0; // one that is called as its kind goes by the parameters of the kind
  }
  object->own[object->n_own] = (htz_spec_own){name, param, initial, moves};
  return (uint16_t)(HTZ_PARAM_COUNT + object->n_own++);
}

static void own_things(htz_spec* object) {
  for (size_t i = 0; object->prepared && i < object->prepared->n; ++i) {
    htz_spec_thing* thing = &object->prepared->things[i];
    for (int f = 0; f < HTZ_THING_FIELDS; ++f) {
      const htz_thing_field field = (htz_thing_field)f;
      const htz_param_index param = htz_spec_thing_param(thing->kind, field);
      if (param < HTZ_PARAM_COUNT) {
        thing->control[f].kind = (uint16_t)param;
        thing->control[f].own = add_own(object, thing->name, param, htz_spec_thing_initial(object, i, field),
                                        htz_spec_thing_moves(object, i, field));
      }
    }
  }
}

/** Contacts on grids that have a role and a name, which is not what other parameters begin with. */
static void own_contacts(htz_spec* object) {
  const double key = 0.5 * (object->key_low + object->key_high);
  for (size_t i = 0; object->grid && i < object->grid->n_contacts; ++i) {
    htz_spec_grid_contact* c = &object->grid->contacts[i];
    const size_t end = object->grid->bodies[c->above].kind == HTZ_GRID_STRING ? 1 : 0;
    const double initial[HTZ_THING_FIELDS] = {htz_table_at(&c->gap, key), 1.0, htz_table_at(&c->at[end][0], key)};
    for (int f = 0; f < HTZ_THING_FIELDS; ++f) {
      const htz_param_index param = of_role[c->role][f];
      if (param < HTZ_PARAM_COUNT) {
        c->control[f].kind = (uint16_t)param;
        c->control[f].own = c->name && !htz_walk_param_word(c->name) ? add_own(object, c->name, param, initial[f], true) : 0;
      }
    }
  }
}

static void own_bows(htz_spec* object) {
  for (size_t i = 0; i < object->n_bows; ++i) {
    htz_spec_bow* bow = &object->bows[i];
    double initial[HTZ_BOW_FIELDS];
    htz_bow_initial(object, i, initial);
    for (int f = 0; f < HTZ_BOW_FIELDS; ++f) {
      bow->control[f].kind = (uint16_t)of_bow[f];
      bow->control[f].own = add_own(object, bow->name ? bow->name : i ? "bow2" : "bow", of_bow[f], initial[f], true);
    }
  }
}

/** Gaps of contacts between bodies: one field for all of a name. */
static void own_links(htz_spec* object) {
  const double key = 0.5 * (object->key_low + object->key_high);
  for (size_t i = 0; i < object->n_links; ++i) {
    htz_spec_link* link = &object->links[i];
    link->gap_by.own = 0;
    for (size_t j = 0; link->name && j < i && !link->gap_by.own; ++j) {
      const htz_spec_link* other = &object->links[j];
      link->gap_by.own = other->name && strcmp(other->name, link->name) == 0 ? other->gap_by.own : 0;
    }
    if (link->name && !link->gap_by.own) {
      link->gap_by.own =
          add_own(object, link->name, HTZ_PARAM_RATTLE_GAP, link->gap.n ? htz_table_at(&link->gap, key) : 0.0, true);
    }
  }
}

/** All fields of things of an object. */
static void find_own(htz_spec* object) {
  object->n_own = 0;
  own_things(object);
  own_bows(object);
  own_contacts(object);
  own_links(object);
}

static void bind_own(walk* w, size_t o, const char* prefix, htz_spec_binding* bindings) {
  htz_spec* spec = w->spec;
  const htz_spec* object = spec->objects[o];
  for (size_t i = 0; i < object->n_own; ++i) {
    const htz_spec_own* own = &object->own[i];
    const char* name = join(w, prefix, own->name, behind(htz_instrument_params[own->param].name));
    if (name) {
      bindings[spec->n_bindings++] = (htz_spec_binding){name, o, own->param, (uint32_t)(HTZ_PARAM_COUNT + i)};
    }
  }
}

void htz_walk_bind(walk* w) {
  htz_spec* spec = w->spec;
  const size_t most = (size_t)HTZ_PARAM_NAMED + HTZ_OWN_MAX;
  htz_spec_binding* bindings = htz_walk_alloc(w, spec->n_objects * most, sizeof *bindings);
  spec->n_bindings = 0;
  for (size_t o = 0; bindings && o < spec->n_objects; ++o) {
    find_own(spec->objects[o]);
    const char* prefix = spec->objects[o] == spec ? NULL : spec->objects[o]->name;
    if (spec->objects[o] != spec && !prefix) {
      continue; // of several, one without a name
    }
    for (size_t p = 0; p < HTZ_PARAM_NAMED && prefix; ++p) {
      const char* name = htz_param_of_part(p) ? NULL : join(w, prefix, NULL, htz_instrument_params[p].name);
      if (name) {
        bindings[spec->n_bindings++] = (htz_spec_binding){name, o, (htz_param_index)p, (uint32_t)p};
      }
    }
    bind_own(w, o, prefix, bindings);
  }
  spec->bindings = bindings;
}
