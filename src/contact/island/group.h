#ifndef HERTZIAN_CONTACT_GROUP_PRIVATE_H
#define HERTZIAN_CONTACT_GROUP_PRIVATE_H

#include "hertzian/contact/group.h"
#include "modal_island.h"
#include "signals.h"

/** One end of a link, with its body; of the ground that is NULL. */
typedef struct {
  uint32_t unit;
  htz_modal* body;
  uint32_t point;
} group_end;

typedef struct {
  group_end end[2];
  bool rigid;
  htz_law law;
  double gap;
} group_link;

/** What a pickup hears beside its tap. */
typedef struct {
  htz_modal* body;
  size_t pickup;
  float* to;
} group_forced;

struct htz_group {
  size_t n_islands, n_shared; // [config]
  struct modal_island** islands;
  htz_modal** shared;
  size_t n_links;
  group_link* links;
  htz_network* net;
  const htz_kernels* kernels;
  size_t* first_node; // [n_islands + n_shared + 1] of each unit, and of the ground
  bool* awake;        // [n_islands + n_shared] [state]
  bool stale;         // the network has not been told yet
  double bound;       // greatest output per root of energy of any unit
  size_t n_taps;      // what is heard in the run at hand
  htz_tap* taps;
  size_t n_forced; // of them, so many hear forces as well
  group_forced* forced;
  uint32_t n_acting;       // islands of which some gesture acts by the sample in it
  uint32_t* acting;        // [n_islands]
  uint32_t* next;          // [n_islands] frame at which its gestures look again
  island_signals* signals; // [n_islands]
};

/** What the units' pickups are now. */
HTZ_RT void htz_group_bound(htz_group* g);

#endif
