#ifndef HERTZIAN_MODEL_KIND_PLATE_H
#define HERTZIAN_MODEL_KIND_PLATE_H

#include "hertzian/model/disc.h"
#include "kind_private.h"

/** Scalars and words of plates, rectangles and discs, in the order of their tables. */
enum {
  HTZ_PLATE_LENGTH = 0,
  HTZ_PLATE_WIDTH,
  HTZ_PLATE_ASPECT,
  HTZ_PLATE_THICKNESS,
  HTZ_PLATE_DENSITY,
  HTZ_PLATE_YOUNG,
  HTZ_PLATE_YOUNG_ACROSS,
  HTZ_PLATE_SHEAR,
  HTZ_PLATE_POISSON,
  HTZ_PLATE_LOSS_FACTOR,
  HTZ_PLATE_SUPPORT_HZ,
  HTZ_PLATE_SUPPORT_T60,
  HTZ_PLATE_RADIUS,
  HTZ_PLATE_RISE,
  HTZ_PLATE_COUPLED,
  HTZ_PLATE_LOSSES,
  HTZ_PLATE_COUNT = HTZ_PLATE_LOSSES + HTZ_KIND_LOSSES
};

enum { HTZ_PLATE_LIST_LINE = 0 };
enum { HTZ_PLATE_WORD_EDGES = 0, HTZ_PLATE_WORD_BAFFLE, HTZ_PLATE_WORD_SHAPE };

/** prepare() and build() of a round plate. */
htz_status htz_kind_disc_prepare(const htz_kind_values* values, htz_arena* arena, const void** shared, const char** why);
htz_status htz_kind_disc_build(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why);

#endif
