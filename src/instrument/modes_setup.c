#include "hertzian/instrument/tuning.h"

#include <math.h>

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
    const double given = body->material ? htz_material_scalar(body->material, kind->scalars[i].name) : (double)NAN;
    if (!body->scalars[i].n && !isnan(given)) {
      scalar[i] = given;
    }
  }
}

enum { A4 = 69, OCTAVE = 12 };

/** The partial b of an octave's upper key that is to be one with partial 2 b of its lower key, `key`. */
static double octave_partial(double key) {
  static const double keys[] = {21.0, 48.0, 60.0, 108.0}, partials[] = {4.0, 3.0, 2.0, 1.5};
  enum { LAST = sizeof keys / sizeof keys[0] - 1 };
  const double held = key < keys[0] ? keys[0] : key > keys[LAST] ? keys[LAST] : key;
  size_t i = 0;
  while (i + 1 < LAST && held > keys[i + 1]) {
    ++i;
  }
  return partials[i] + (partials[i + 1] - partials[i]) * (held - keys[i]) / (keys[i + 1] - keys[i]);
}

/** How far partial n of a string of key `key` is above n times its first [octave]. */
static double sharpness(const htz_spec_body* body, double key, double n) {
  double scalar[HTZ_KIND_SCALARS_MAX];
  scalars_at(body, key, scalar);
  const htz_kind_values values = {.scalar = scalar, .key_hz = htz_key_hz(key)};
  const double b = body->kind->inharmonicity(&values);
  return isfinite(b) ? 0.5 * log2((1.0 + b * n * n) / (1.0 + b)) : 0.0;
}

/** By how much the octave from `key` up is wider than 2:1 [octave]. */
static double wider(const htz_spec_body* body, double key) {
  const double b = octave_partial(key);
  return sharpness(body, key, 2.0 * b) - sharpness(body, key + OCTAVE, b);
}

double htz_spec_stretch(const htz_spec_body* body, double key) {
  const double way = key - A4;
  const size_t steps = (size_t)ceil(fabs(way));
  double sum = 0.0;
  for (size_t i = 0; i < steps; ++i) {
    const double from = way * (double)i / (double)steps, to = way * (double)(i + 1) / (double)steps;
    sum += (to - from) * wider(body, A4 + 0.5 * (from + to) - OCTAVE / 2) / OCTAVE;
  }
  return sum;
}

void htz_spec_tuned_by(const htz_spec_body* body, double key, unsigned* first, unsigned* last) {
  const double b = body->pitch == HTZ_PITCH_STRETCHED ? octave_partial(key) : 0.5;
  *first = b < 1.0 ? 1 : (unsigned)floor(b);
  *last = (unsigned)ceil(2.0 * b);
}

static double pitch_at(const htz_spec_body* body, double key) {
  switch (body->pitch) {
  case HTZ_PITCH_FIXED:
    return htz_table_at(&body->frequency, key);
  case HTZ_PITCH_OWN:
    return 0.0;
  case HTZ_PITCH_STRETCHED:
    return htz_key_hz(key) * htz_table_at(&body->ratio, key) * exp2(htz_spec_stretch(body, key));
  default:
    return htz_key_hz(key) * htz_table_at(&body->ratio, key);
  }
}

void htz_spec_constants(const htz_spec_body* body, double* scalar) {
  scalars_at(body, 0.0, scalar);
  for (size_t i = 0; i < body->kind->n_scalars; ++i) {
    const htz_table* table = &body->scalars[i];
    for (size_t p = 1; p < table->n; ++p) {
      scalar[i] = table->value[p] == table->value[0] ? scalar[i] : (double)NAN;
    }
  }
}

size_t htz_spec_count(const htz_spec_body* body, double key) {
  const double count = body->count.n ? floor(htz_table_at(&body->count, key) + 0.5) : 1.0;
  return count < 1.0 ? 1 : count > HTZ_SPEC_UNISON_MAX ? HTZ_SPEC_UNISON_MAX : (size_t)count;
}

double htz_spec_spread(size_t index, size_t count) {
  static const double three[] = {-5.0 / 9.0, 0.0, 4.0 / 9.0};
  static const double four[] = {-0.5, 1.0 / 6.0 - 0.5, 4.0 / 6.0 - 0.5, 0.5};
  if (count == 2) {
    return index == 0 ? -0.5 : 0.5;
  }
  if (count == 4 && index < 4) {
    return four[index];
  }
  return count == 3 && index < 3 ? three[index] : 0.0;
}

htz_status htz_spec_detuned(const htz_modes* modes, double cents, htz_arena* arena, htz_modes* out) {
  const double cents_per_octave = 1200.0;
  const double ratio = exp2(cents / cents_per_octave);
  double* omega = htz_arena_alloc(arena, modes->n, sizeof *omega);
  double* end_force = modes->end_force ? htz_arena_alloc(arena, modes->n, sizeof *end_force) : NULL;
  if (!omega || (modes->end_force && !end_force)) {
    return HTZ_NO_MEMORY;
  }
  *out = *modes;
  out->omega = omega;
  out->end_force = end_force;
  for (size_t k = 0; k < modes->n; ++k) {
    omega[k] = ratio * modes->omega[k];
    if (end_force) {
      end_force[k] = ratio * ratio * modes->end_force[k];
    }
  }
  return HTZ_OK;
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
  const htz_kind_values values = {scalar,          list,        list_n, body->words, pitch_at(body, key), body->limit_hz,
                                  body->max_modes, body->shared};
  return kind->build(&values, arena, out, why);
}
