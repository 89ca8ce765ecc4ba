#include "hertzian/instrument/spec_prepared.h"

#include <math.h>
#include <string.h>

bool htz_spec_has_prepared(const htz_spec* spec, htz_prepared_kind kind) {
  bool any = false;
  for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
    any = any || spec->prepared->things[i].kind == kind;
  }
  return any;
}

static const htz_table* place_of(const htz_spec_thing* t) {
  return t->kind == HTZ_PREPARED_SCREW ? &t->as.screw.at : t->kind == HTZ_PREPARED_RUBBER ? &t->as.rubber.at : &t->as.loose.at;
}

htz_param_index htz_spec_thing_param(htz_prepared_kind kind, htz_thing_field field) {
  static const htz_param_index of[HTZ_PREPARED_KINDS][HTZ_THING_FIELDS] = {
      [HTZ_PREPARED_RATTLE] = {HTZ_PARAM_RATTLE_GAP, HTZ_PARAM_RATTLE_MASS, HTZ_PARAM_RATTLE_AT},
      [HTZ_PREPARED_BRIDGE] = {HTZ_PARAM_BRIDGE_GAP, HTZ_PARAM_BRIDGE_MASS, HTZ_PARAM_COUNT},
      [HTZ_PREPARED_SCREW] = {HTZ_PARAM_COUNT, HTZ_PARAM_SCREW_MASS, HTZ_PARAM_SCREW_AT},
      [HTZ_PREPARED_RUBBER] = {HTZ_PARAM_COUNT, HTZ_PARAM_RUBBER_LOSS, HTZ_PARAM_RUBBER_AT},
  };
  return of[kind][field];
}

static bool is_loose(const htz_spec_thing* t) {
  return t->kind == HTZ_PREPARED_RATTLE || t->kind == HTZ_PREPARED_BRIDGE;
}

bool htz_spec_thing_moves(const htz_spec* object, size_t thing, htz_thing_field field) {
  const htz_spec_thing* t = &object->prepared->things[thing];
  if (field == HTZ_THING_AT) {
    return object->grid || !object->bodies[t->on].same_all_over;
  }
  if (field != HTZ_THING_GAP) {
    return true;
  }
  bool hovers = false; // what lies there by its weight has no gap
  for (int key = object->key_low; key <= object->key_high; ++key) {
    hovers = hovers || (is_loose(t) && htz_spec_thing_at(t, key) && htz_table_at(&t->as.loose.spring, key) > 0.0);
  }
  return hovers;
}

double htz_spec_thing_initial(const htz_spec* object, size_t thing, htz_thing_field field) {
  const htz_spec_thing* t = &object->prepared->things[thing];
  const double centre = 0.5 * (object->key_low + object->key_high);
  int best = object->key_low;
  for (int key = object->key_low; key <= object->key_high; ++key) {
    if (htz_spec_thing_at(t, key) && (!htz_spec_thing_at(t, best) || fabs(key - centre) < fabs(best - centre))) {
      best = key;
    }
  }
  return field == HTZ_THING_FACTOR ? 1.0 : htz_table_at(field == HTZ_THING_GAP ? &t->as.loose.gap : place_of(t), best);
}

double htz_spec_thing_place(const htz_spec_thing* thing, int key, double* across) {
  const bool loose = thing->kind == HTZ_PREPARED_RATTLE || thing->kind == HTZ_PREPARED_BRIDGE;
  *across = loose ? htz_table_at(&thing->as.loose.at_y, key) : (double)NAN;
  return htz_table_at(place_of(thing), key);
}

/** As key `key` has it. @return false when nothing is left of it there */
static bool at_key(const htz_spec_thing* t, int key, htz_prepared_thing* out) {
  out->kind = t->kind;
  switch (t->kind) {
  case HTZ_PREPARED_SCREW:
    out->as.screw =
        (htz_screw_desc){htz_table_at(&t->as.screw.mass, key), htz_table_at(&t->as.screw.at, key), t->as.screw.outer};
    return out->as.screw.mass > 0.0;
  case HTZ_PREPARED_RUBBER:
    out->as.rubber = (htz_rubber_desc){htz_table_at(&t->as.rubber.damping, key), htz_table_at(&t->as.rubber.stiffness, key),
                                       htz_table_at(&t->as.rubber.at, key), t->as.rubber.between};
    return out->as.rubber.damping > 0.0 || out->as.rubber.stiffness > 0.0;
  default:
    break;
  }
  const htz_spec_loose* l = &t->as.loose;
  out->as.loose = (htz_loose_desc){.mass = htz_table_at(&l->mass, key),
                                   .gap = htz_table_at(&l->gap, key),
                                   .at = htz_table_at(&l->at, key),
                                   .at_y = htz_table_at(&l->at_y, key),
                                   .spring_hz = htz_table_at(&l->spring, key),
                                   .damping = htz_table_at(&l->damping, key),
                                   .gravity = htz_table_at(&l->gravity, key),
                                   .stiffness = htz_table_at(&l->stiffness, key),
                                   .exponent = htz_table_at(&l->exponent, key),
                                   .viscosity = htz_table_at(&l->viscosity, key)};
  return true;
}

static bool is_on(const htz_spec_thing* t, int key, size_t body, htz_prepared_thing* out) {
  return t->on == body && htz_spec_thing_at(t, key) && at_key(t, key, out);
}

/** Loose bridges are moved together, each by as much as the first of them from where it is in the file. */
static double wider_than_first(const htz_spec* spec, const htz_spec_thing* t, int key) {
  const htz_spec_thing* first = spec->prepared->things;
  while (first->kind != t->kind) {
    ++first;
  }
  return htz_table_at(&t->as.loose.gap, key) - htz_table_at(&first->as.loose.gap, key);
}

size_t htz_spec_prepared_at(const htz_spec* spec, int key, size_t body, uint32_t first, uint32_t n_bodies, uint32_t point,
                            htz_prepared_desc* out) {
  size_t n = 0;
  for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
    htz_prepared_thing thing;
    if (is_on(&spec->prepared->things[i], key, body, &thing)) {
      thing.body = first;
      thing.n_bodies = n_bodies;
      thing.point = point + (uint32_t)n++;
      memcpy(thing.control, spec->prepared->things[i].control, sizeof thing.control);
      if (thing.kind == HTZ_PREPARED_BRIDGE) {
        thing.as.loose.gap_more = wider_than_first(spec, &spec->prepared->things[i], key);
      }
      out->things[out->n++] = thing;
    }
  }
  return n;
}

size_t htz_spec_prepared_count(const htz_spec* spec, int key, size_t body) {
  size_t n = 0;
  for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
    htz_prepared_thing thing;
    n += is_on(&spec->prepared->things[i], key, body, &thing);
  }
  return n;
}

void htz_spec_prepared_reorder(htz_spec* spec, const size_t* place) {
  for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
    htz_spec_thing* thing = &spec->prepared->things[i];
    thing->on = thing->on < spec->n_bodies ? place[thing->on] : thing->on;
  }
}
