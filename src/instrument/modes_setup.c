#include "hertzian/instrument/spec.h"

#include <math.h>

// Modes up to here take part in contacts: they shape the force of a hard mallet, which reaches above the audible.
static const double contact_limit_hz = 40e3;

static double pitch_at(const htz_spec_body* body, double key) {
  switch (body->pitch) {
  case HTZ_PITCH_FIXED:
    return htz_table_at(&body->frequency, key);
  case HTZ_PITCH_OWN:
    return 0.0;
  default:
    return htz_key_hz(key) * htz_table_at(&body->ratio, key);
  }
}

/** Values of the scalars at a key: the file's, else the material's, else the default. */
static void scalars_at(const htz_spec_body* body, double key, double* scalar) {
  const htz_body_kind* kind = body->kind;
  double density = NAN, young = NAN;
  if (body->material) {
    htz_material_find(body->material, &density, &young);
  }
  for (size_t i = 0; i < kind->n_scalars; ++i) {
    scalar[i] = body->scalars[i].n ? htz_table_at(&body->scalars[i], key) : kind->scalars[i].initial;
    if (!body->scalars[i].n && body->material && (int)i == kind->density) {
      scalar[i] = density;
    }
    if (!body->scalars[i].n && body->material && (int)i == kind->young) {
      scalar[i] = young;
    }
  }
}

htz_status htz_spec_modes(const htz_spec_body* body, double key, htz_arena* arena, htz_modes* out, const char** why) {
  const htz_body_kind* kind = body->kind;
  double scalar[HTZ_KIND_SCALARS_MAX];
  double items[HTZ_KIND_LISTS_MAX][HTZ_KIND_ITEMS_MAX];
  const double* list[HTZ_KIND_LISTS_MAX];
  size_t list_n[HTZ_KIND_LISTS_MAX];
  *why = NULL;
  scalars_at(body, key, scalar);
  for (size_t l = 0; l < kind->n_lists; ++l) {
    list_n[l] = body->lists[l].n;
    list[l] = list_n[l] ? items[l] : NULL;
    for (size_t i = 0; i < list_n[l]; ++i) {
      items[l][i] = htz_table_at(&body->lists[l].item[i], key);
    }
  }
  const htz_kind_values values = {scalar,          list,        list_n, body->words, pitch_at(body, key), contact_limit_hz,
                                  body->max_modes, body->shared};
  return kind->build(&values, arena, out, why);
}
