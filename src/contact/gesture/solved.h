#ifndef HERTZIAN_CONTACT_SOLVED_PRIVATE_H
#define HERTZIAN_CONTACT_SOLVED_PRIVATE_H

#include "island/modal_island.h"

#include "hertzian/contact/solver.h"

/**
   A mallet whose contact is solved by a method of its own (htz_modal_island_desc.solver). While it is under way the solver moves the
   body's modes: the network's step of the body, which knows of no contact, is overwritten after each sample.
*/
typedef struct {
  gesture base; // must be first
  htz_solver* solver;
  double keep;    // [derived] factor of the damper on a velocity per sample
  double stretch; // frequencies as built over the present ones
  bool flying;    // [state] under way
  double age;     // since the throw [s]
  uint64_t contact_steps, closures;
} solved;

extern const gesture_class htz_gesture_solved;

/** The gesture of `s->desc.solver`. Set-up thread. */
htz_status htz_solved_new(modal_island* s, htz_arena* arena);

#endif
