#ifndef HERTZIAN_CONTACT_STAY_H
#define HERTZIAN_CONTACT_STAY_H

#include "mallets.h"
#include "stay_control.h"

/** A pool of mallets that stay. */
typedef struct {
  mallet_pool pool;   // must be first
  htz_stay desc;      // [config]
  double glide;       // share of the way of roughness and asymmetry per sample
  double speed_share; // and of that from a rolling ball's speed to the wanted one
  stay_wanted now;    // [state]
  double gain;        // of the drive [N] on its way to now.gain
  double gain_step;   // per sample
  uint32_t driven;    // samples of the present drive used up
  double force;       // of it over the present sample [N]
  double roughness;   // [m] on its way to now.roughness
  double asymmetry;   // likewise
} stay;

#endif
