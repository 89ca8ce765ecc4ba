#ifndef HERTZIAN_CONTACT_CLOCKED_PRIVATE_H
#define HERTZIAN_CONTACT_CLOCKED_PRIVATE_H

#include "hertzian/contact/clocked.h"

typedef struct {
  htz_island base; // must be first: the engine holds a pointer to it
  htz_island* inner;
  double ratio;          // [config] samples of the clock per frame of the host
  htz_fractional reader; // [config]
  size_t room;           // of each line
  float* heard;          // [n_pickups][room] [state] the last samples of the clock: `taps` before an advance
  uint64_t frames;       // of the host so far
  uint64_t samples;      // of the clock so far
} clocked;

extern const htz_island_class htz_clocked_class;

#endif
