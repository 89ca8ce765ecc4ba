#ifndef HERTZIAN_CONTACT_STRUCK_PRIVATE_H
#define HERTZIAN_CONTACT_STRUCK_PRIVATE_H

#include "hertzian/contact/struck.h"

typedef struct {
  htz_body* body;
  bool flying;
  double age; // since it was thrown [s]
} mallet;

typedef struct {
  htz_island base;      // must be first: the engine holds a pointer to it
  htz_struck_desc desc; // [config]
  double period;
  htz_network* net;                       // node 0 the struck body, then the mallets; contact i: mallet i on point i
  mallet mallets[HTZ_STRUCK_MALLETS_MAX]; // [state]
  uint32_t flying;
  uint64_t reused;
  double level; // resonator level now, and where it is going
  double level_wanted;
} struck;

extern const htz_island_class htz_struck_class;

#endif
