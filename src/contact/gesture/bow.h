#ifndef HERTZIAN_CONTACT_BOW_GESTURE_H
#define HERTZIAN_CONTACT_BOW_GESTURE_H

#include "bow_control.h"
#include "island/modal_island.h"
#include "network/network_plan.h"

/*
   The hands on strings: a bow, or a wheel, with a friction link on each body that it plays; a finger that lies lightly on them, a damper to
   ground.
*/

/** Point `here` or the next one of each body is where it lies, the other one where it goes. */
typedef struct {
  gesture base;      // must be first
  uint32_t index;    // [config] of the island's bows
  uint32_t friction; // first link in the network, one a body
  bow_motion motion;
  double turned;   // [state] how far it has gone round, 0 to 1
  uint32_t here;   // 0 or 1
  double way;      // share of the way to the other point, 0: it does not go anywhere
  double way_step; // per sample
} bow;

/** Join b holds body b. */
typedef struct {
  gesture base;                          // must be first
  double damping[HTZ_ISLAND_UNISON_MAX]; // [config] on each body [N s/m], 0: it is left alone
  double touch;                          // share of that gained or lost per sample
  double wanted;                         // [state] fraction of the length; NaN: nowhere
  double at;
  double pressed; // share of its damping, 0: off the bodies
} finger;

extern const gesture_class htz_gesture_bow, htz_gesture_finger;

/** First point of bow `index` on each struck body; of the finger with index n_bows. Set-up thread. */
uint32_t htz_bows_point(const htz_modal_island_desc* desc, uint32_t index);

/** Bows and finger of `s` as gestures of the island. Set-up thread. */
htz_status htz_bows_new(modal_island* s, htz_arena* arena, network_plan* plan);

#endif
