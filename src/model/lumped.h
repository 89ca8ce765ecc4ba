#ifndef HERTZIAN_MODEL_LUMPED_H
#define HERTZIAN_MODEL_LUMPED_H

#include "hertzian/model/bodies.h"

#include "hold.h"

enum { LUMPED_LEVELS = HTZ_LEVEL_MAX + 1 };

typedef struct {
  htz_body base;                      // must be first: the public type is cast to it
  htz_mass_desc desc;                 // [config]
  double period;                      // sample period [s]
  htz_hold_step level[LUMPED_LEVELS]; // [derived]
  bool level_ready[LUMPED_LEVELS];
  struct {
    double q, v;
    double push; // force on it besides gravity, until told otherwise [N]
  } st;
} lumped_mass;

extern const htz_body_class htz_mass_class;
extern const htz_body_class htz_driven_class;

#endif
