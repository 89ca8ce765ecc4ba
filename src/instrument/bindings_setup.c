#include "walk.h"

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

double htz_spec_param_initial(const htz_spec* spec, size_t param) {
  const htz_spec_binding* binding = htz_spec_binding_at(spec, param);
  return binding ? spec->objects[binding->object]->params[binding->param] : spec->params[param];
}

static const char* join(walk* w, const char* object, const char* param) {
  const size_t n = strlen(object) + strlen(param) + 2;
  char* name = htz_walk_alloc(w, n, 1);
  if (name) {
    snprintf(name, n, "%s.%s", object, param);
  }
  return name;
}

void htz_walk_bind(walk* w) {
  htz_spec* spec = w->spec;
  htz_spec_binding* bindings = htz_walk_alloc(w, spec->n_objects * (size_t)HTZ_PARAM_NAMED, sizeof *bindings);
  for (size_t o = 0; bindings && o < spec->n_objects; ++o) {
    for (size_t p = 0; p < HTZ_PARAM_NAMED && spec->objects[o]->name; ++p) {
      const char* name = htz_param_of_part(p) ? NULL : join(w, spec->objects[o]->name, htz_instrument_params[p].name);
      if (name) {
        bindings[spec->n_bindings++] = (htz_spec_binding){name, o, (htz_param_index)p};
      }
    }
  }
  spec->bindings = bindings;
}
