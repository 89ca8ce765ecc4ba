#include "walk.h"

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

/** Thing and field of a binding that is one's. @return false when it is one of a key's own */
static bool thing_of(const htz_spec_binding* binding, size_t* thing, htz_thing_field* field) {
  if (binding->slot < HTZ_PARAM_COUNT) {
    return false;
  }
  *thing = (binding->slot - HTZ_PARAM_COUNT) / HTZ_THING_FIELDS;
  *field = (htz_thing_field)((binding->slot - HTZ_PARAM_COUNT) % HTZ_THING_FIELDS);
  return true;
}

bool htz_spec_binding_used(const htz_spec* spec, const htz_spec_binding* binding) {
  const htz_spec* object = spec->objects[binding->object];
  size_t thing;
  htz_thing_field field;
  return thing_of(binding, &thing, &field) ? htz_spec_thing_moves(object, thing, field)
                                           : htz_spec_param_used(object, binding->param);
}

double htz_spec_param_initial(const htz_spec* spec, size_t param) {
  const htz_spec_binding* binding = htz_spec_binding_at(spec, param);
  if (!binding) {
    return spec->params[param];
  }
  const htz_spec* object = spec->objects[binding->object];
  size_t thing;
  htz_thing_field field;
  if (thing_of(binding, &thing, &field) && !object->param_given[binding->slot]) {
    return htz_spec_thing_initial(object, thing, field);
  }
  return object->params[binding->slot];
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

/** Fields of the things of object `o`. One that is called as its kind goes by the parameters of the kind. */
static void bind_things(walk* w, size_t o, const char* prefix, htz_spec_binding* bindings) {
  htz_spec* spec = w->spec;
  const htz_spec_prepared* prepared = spec->objects[o]->prepared;
  for (size_t i = 0; prepared && i < prepared->n; ++i) {
    const htz_spec_thing* thing = &prepared->things[i];
    for (int f = 0; f < HTZ_THING_FIELDS; ++f) {
      const htz_param_index param = htz_spec_thing_param(thing->kind, (htz_thing_field)f);
      const char* usual = param < HTZ_PARAM_COUNT ? htz_instrument_params[param].name : NULL;
      const size_t length = strlen(thing->name);
      if (!usual || (strncmp(usual, thing->name, length) == 0 && usual[length] == '.')) {
        continue;
      }
      const char* name = join(w, prefix, thing->name, behind(usual));
      if (name) {
        bindings[spec->n_bindings++] = (htz_spec_binding){name, o, param, (uint32_t)htz_param_slot(i, (htz_thing_field)f)};
      }
    }
  }
}

void htz_walk_bind(walk* w) {
  htz_spec* spec = w->spec;
  const size_t most = (size_t)HTZ_PARAM_NAMED + (size_t)HTZ_THINGS_MAX * HTZ_THING_FIELDS;
  htz_spec_binding* bindings = htz_walk_alloc(w, spec->n_objects * most, sizeof *bindings);
  for (size_t o = 0; bindings && o < spec->n_objects; ++o) {
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
    bind_things(w, o, prefix, bindings);
  }
  spec->bindings = bindings;
}
