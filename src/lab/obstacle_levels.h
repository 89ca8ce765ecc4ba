#ifndef HERTZIAN_LAB_OBSTACLE_LEVELS_H
#define HERTZIAN_LAB_OBSTACLE_LEVELS_H

#include "obstacle.h"

/** Partials of a plucked string over time: of the force on its support at x = 0, as far as the first 40 modes make it. */
enum { OBSTACLE_PARTIALS = 20, OBSTACLE_WINDOWS_MAX = 8, OBSTACLE_MODES_HEARD = 40 };

typedef struct {
  size_t windows;                                        // one after the other, without overlap
  double power[OBSTACLE_WINDOWS_MAX][OBSTACLE_PARTIALS]; // mean square of each partial's band, under Hann's window [N^2]
  double hz;                                             // of the first partial in the first window
  size_t points;                                         // of contact, and
  double spacing;                                        // between them [m]
  uint64_t unconverged;
} obstacle_levels;

/** Difference of two in dB: root mean square and largest over windows and partials. */
typedef struct {
  double rms, most;
} obstacle_difference;

/**
   Pluck and listen.

   @param window length of a window [samples at 16 kHz], a power of two
   @return as htz_obstacle_open(). The sample rate is to be a multiple of 16 kHz.
*/
htz_status htz_obstacle_listen(const obstacle_case* what, const obstacle_method* how, size_t window, size_t windows,
                               obstacle_levels* out, const char** why);

/** The powers of n >= 1 runs, averaged into the first. */
void htz_obstacle_average(size_t n, obstacle_levels* runs);

obstacle_difference htz_obstacle_compare(const obstacle_levels* a, const obstacle_levels* b);

#endif
