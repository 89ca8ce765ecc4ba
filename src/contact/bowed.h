#ifndef HERTZIAN_CONTACT_BOWED_PRIVATE_H
#define HERTZIAN_CONTACT_BOWED_PRIVATE_H

#include "bow_hand.h"

#include "hertzian/contact/bowed.h"

typedef struct {
  htz_island base;     // must be first: the engine holds a pointer to it
  htz_bowed_desc desc; // [config]
  double period;
  bow_pace pace;
  htz_influence now; // [state] what acts
  bool on;           // the bow is drawn: since it was set on, as long as the key is held
  double pressed;    // share of its force with which the bow lies on the string, 0: it does not
  double speed;      // wanted, smoothed [m/s]
  double force;      // [N]
  double at;         // where the bow lies, fraction of the length from the near end
  uint32_t here;     // point 0 or 1: where it lies; the other one is where it goes
  double way;        // share of the way there, 0: it does not go anywhere
  double way_step;   // per sample
  double finger;     // share of the light finger's force, 0: off the string
  double finger_at;  // where it is, fraction of the length; NaN: nowhere
  double twist;      // of the surface under the bow [m]
  htz_friction_state friction;
  double work; // of the bow [J]
  double lost; // in friction and in twisting [J]
  double reported;
  double level; // of the resonators now, and where it is going
  double level_wanted;
  uint32_t still;   // advances since anything was changed or bowed
  uint64_t catches; // times the bow caught the string
} bowed;

extern const htz_island_class htz_bowed_class;

#endif
