#ifndef HERTZIAN_CONTACT_CLOCKED_PRIVATE_H
#define HERTZIAN_CONTACT_CLOCKED_PRIVATE_H

#include "hertzian/contact/clocked.h"

enum { WAITING_MAX = 16 };

/** A strike, and the sample of the clock before which it acts. */
typedef struct {
  htz_strike strike;
  uint64_t due;
} waiting;

typedef struct {
  htz_island base; // must be first: the engine holds a pointer to it
  htz_island* inner;
  double ratio;          // [config] samples of the clock per frame of the host
  htz_fractional reader; // [config]
  size_t room;           // of each line
  float* heard;          // [n_pickups][room] [state] samples of the clock: `taps` before an advance, and those made ahead of it
  uint64_t frames;       // of the host so far
  uint64_t samples;      // of the clock that these are
  uint64_t made;         // of the clock so far, at most a quantum ahead: in whole quanta bodies run free
  uint32_t n_waiting;
  waiting strikes[WAITING_MAX]; // in their order
  uint64_t early;               // [state] of them acted before their time: too many waited
} clocked;

extern const htz_island_class htz_clocked_class;

#endif
