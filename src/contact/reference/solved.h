#ifndef HERTZIAN_CONTACT_SOLVED_PRIVATE_H
#define HERTZIAN_CONTACT_SOLVED_PRIVATE_H

#include "hertzian/contact/solved.h"

typedef struct {
  htz_island base;            // must be first: the engine holds a pointer to it
  htz_modal_island_desc desc; // [config]
  htz_solver* solver;
  double period;
  double keep;    // [derived] what a damper leaves of a velocity per sample
  double stretch; // frequencies as built over the present ones
  bool flying;    // [state] the solver holds the modes, not the body
  double age;     // since the hammer was thrown [s]
  double level;   // resonator level now, and where it is going
  double level_wanted;
  uint32_t still; // advances since anything was changed or struck
  htz_island_counters counters;
} solved;

extern const htz_island_class htz_solved_class;

#endif
