#ifndef HERTZIAN_CONTACT_STAY_H
#define HERTZIAN_CONTACT_STAY_H

#include "mallets.h"

/** A pool of mallets that stay. */
typedef struct {
  mallet_pool pool; // must be first
  htz_stay desc;    // [config]
  stay_control control;
  stay_wanted now; // [state]
} stay;

#endif
