#include "hertzian/model/plate.h"
#include "kind_plate.h"

#include <math.h>

// Rank by frequency that the radial functions of two modes may be apart and still couple, where there are many: the centroid of a crash is
// the same to 4 %, at half the cost.
enum { REACH = 30, MANY = 150 };

static const double support_limit = 0.25; // of the first bending mode, as of rectangles

/** What is wrong with it whatever the key. */
static const char* complaint(const htz_kind_values* values) {
  const double* v = values->scalar;
  if (values->word[HTZ_PLATE_WORD_EDGES] != HTZ_PLATE_FREE) {
    return "edges: a round plate is free at its rim; allowed: free";
  }
  if (!isnan(v[HTZ_PLATE_LENGTH]) || !isnan(v[HTZ_PLATE_WIDTH]) || !isnan(v[HTZ_PLATE_ASPECT])) {
    return "length: a round plate has a radius, and neither length, width nor aspect";
  }
  if (values->list_n[HTZ_PLATE_LIST_LINE]) {
    return "line: what is placed by `at` alone lies on a round plate's diameter along x; leave out line, or place it with at_y";
  }
  if (!isnan(v[HTZ_PLATE_YOUNG_ACROSS]) || !isnan(v[HTZ_PLATE_SHEAR])) {
    return "young_across: a round plate is as stiff along y as along x; leave out young_across and shear";
  }
  if (isnan(v[HTZ_PLATE_POISSON])) {
    return "poisson: is the same on all keys of a round plate";
  }
  if (isnan(v[HTZ_PLATE_RISE])) {
    return "rise: is the same on all keys, in thicknesses";
  }
  if (isnan(v[HTZ_PLATE_COUPLED])) {
    return "nonlinear_modes: are the same on all keys";
  }
  if (v[HTZ_PLATE_COUPLED] != floor(v[HTZ_PLATE_COUPLED]) ||
      (v[HTZ_PLATE_COUPLED] > 0.0 && v[HTZ_PLATE_COUPLED] < HTZ_DISC_COUPLED_MIN)) {
    return "nonlinear_modes: a whole number, 0 or 4 to 400";
  }
  return values->max_modes > HTZ_DISC_RIGID_MODES ? NULL
                                                  : "modes: a round plate has three rigid motions before it bends; at least 4";
}

htz_status htz_kind_disc_prepare(const htz_kind_values* values, htz_arena* arena, const void** shared, const char** why) {
  const double* v = values->scalar;
  *why = complaint(values);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  htz_disc_shapes* shapes = htz_arena_alloc(arena, 1, sizeof *shapes);
  if (!shapes) {
    return HTZ_NO_MEMORY;
  }
  *shared = shapes;
  const size_t most = values->max_modes < HTZ_DISC_MODES_MAX ? values->max_modes : HTZ_DISC_MODES_MAX;
  const size_t coupled = (size_t)v[HTZ_PLATE_COUPLED];
  return htz_disc_shapes_find(v[HTZ_PLATE_POISSON], v[HTZ_PLATE_RISE], most, coupled, coupled > MANY ? REACH : 0, arena,
                              shapes);
}

static const char* wanting(const htz_kind_values* values) {
  const double* v = values->scalar;
  if (isnan(v[HTZ_PLATE_RADIUS]) && !(values->key_hz > 0.0)) {
    return "radius: `frequency: own` needs it";
  }
  if (isnan(v[HTZ_PLATE_THICKNESS])) {
    return "thickness: a round plate needs it";
  }
  if (isnan(v[HTZ_PLATE_DENSITY]) || isnan(v[HTZ_PLATE_YOUNG])) {
    return "density: a plate needs a material, or density and young";
  }
  return NULL;
}

htz_status htz_kind_disc_build(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why) {
  static const double any_radius = 1.0; // [m] that a pitch then changes
  const double* v = values->scalar;
  const htz_disc_shapes* shapes = values->shared;
  *why = wanting(values);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  const htz_disc_desc desc = {.radius = htz_kind_or(v[HTZ_PLATE_RADIUS], any_radius),
                              .thickness = v[HTZ_PLATE_THICKNESS],
                              .density = v[HTZ_PLATE_DENSITY],
                              .young = v[HTZ_PLATE_YOUNG],
                              .poisson = v[HTZ_PLATE_POISSON],
                              .rise = v[HTZ_PLATE_RISE],
                              .tuning_hz = values->key_hz,
                              .support_loss = htz_kind_decay(v[HTZ_PLATE_SUPPORT_T60])};
  htz_disc_desc tuned;
  if (!htz_disc_tune(shapes, &desc, &tuned)) {
    return HTZ_BAD_VALUE;
  }
  const double first_hz = htz_disc_first_hz(shapes, &tuned);
  const double support = v[HTZ_PLATE_SUPPORT_HZ];
  tuned.support_hz = support < support_limit * first_hz ? support : support_limit * first_hz;
  if (!htz_kind_any_loss(v + HTZ_PLATE_LOSSES) && !isnan(v[HTZ_PLATE_LOSS_FACTOR])) {
    tuned.loss_factor = v[HTZ_PLATE_LOSS_FACTOR];
  } else if (!htz_kind_loss(v + HTZ_PLATE_LOSSES, first_hz, &tuned.loss, why)) {
    return HTZ_BAD_VALUE;
  }
  const htz_status st = htz_modes_disc(shapes, &tuned, values->limit_hz, values->max_modes, arena, out);
  if (!st) {
    out->radiator = (htz_radiator){.as = HTZ_RADIATES_DISC,
                                   .baffle = (htz_baffle)values->word[HTZ_PLATE_WORD_BAFFLE],
                                   .length = 2.0 * tuned.radius,
                                   .width = 2.0 * tuned.radius};
  }
  return st;
}
