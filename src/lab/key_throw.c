#include "hertzian/lab/key_throw.h"

#include <math.h>

static const double velocity_max = 127.0;

/** One of the mallets to choose from, if there are any: the one that is chosen at first. */
static htz_spec_mallet_kind kind_of(const htz_spec* spec) {
  const htz_spec_mallet_kind plain = {.hardness = 1.0, .mass = 1.0, .plucks = true};
  const double wanted = spec->params[HTZ_PARAM_MALLET_KIND];
  return spec->n_kinds == 0 ? plain : spec->kinds[wanted < (double)spec->n_kinds ? (size_t)wanted : spec->n_kinds - 1];
}

htz_status htz_lab_key_throw(const htz_spec* file, int key, double velocity, htz_arena* arena, htz_lab_key* modes,
                             htz_lab_throw* out, const char** why) {
  const htz_spec* spec = htz_spec_object(file, key);
  if (!spec) {
    *why = "no object of this instrument has that key";
    return HTZ_BAD_VALUE;
  }
  const htz_spec_mallet* m = &spec->mallet;
  if (spec->strict && (key < spec->key_low || key > spec->key_high)) {
    *why = "outside the range of this instrument, which is strict";
    return HTZ_BAD_VALUE;
  }
  if (spec->grid) {
    *why = "it is of the grid family: there are no modes to throw a hammer at";
    return HTZ_BAD_VALUE;
  }
  if (!spec->thrown) {
    *why = "it is bowed: no hammer is thrown";
    return HTZ_BAD_VALUE;
  }
  if (m->lift[0].n) {
    *why = "its pin plucks: nothing is thrown that would leave";
    return HTZ_BAD_VALUE;
  }
  *why = NULL;
  const htz_status st = htz_spec_modes(&spec->bodies[0], key, arena, &modes->modes, why);
  if (st) {
    return st;
  }
  modes->strings = (unsigned)htz_spec_count(&spec->bodies[0], key);
  // Speed exponential in the velocity, stiffness a power of it: as a key is played.
  const htz_spec_mallet_kind kind = kind_of(spec);
  const double share = (velocity - 1.0) / (velocity_max - 1.0);
  const double low = htz_table_at(&m->speed[0], key);
  const double at = spec->params[HTZ_PARAM_MALLET_AT];
  out->hammer =
      (htz_impact){.mass = htz_table_at(&m->mass, key) * spec->params[HTZ_PARAM_MALLET_MASS] * kind.mass / modes->strings,
                   .stiffness = htz_table_at(&m->stiffness, key) * pow(htz_table_at(&m->touch, key), 1.0 - share) *
                                spec->params[HTZ_PARAM_MALLET_HARDNESS] * kind.hardness,
                   .exponent = htz_table_at(&m->exponent, key),
                   .viscosity = htz_table_at(&m->viscosity, key),
                   .speed = low * pow(htz_table_at(&m->speed[1], key) / low, share) * spec->params[HTZ_PARAM_MALLET_SPEED]};
  out->hysteresis = htz_table_at(&m->hysteresis, key);
  out->relaxation = htz_table_at(&m->relaxation, key);
  out->body = &modes->modes;
  out->at = spec->param_given[HTZ_PARAM_MALLET_AT] ? at : htz_table_at(&m->at, key);
  const double at_y = spec->params[HTZ_PARAM_MALLET_AT_Y];
  out->at_y = spec->param_given[HTZ_PARAM_MALLET_AT_Y] ? at_y : htz_table_at(&m->at_y, key);
  return HTZ_OK;
}
