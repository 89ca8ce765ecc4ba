#ifndef HERTZIAN_IO_CLOCK_H
#define HERTZIAN_IO_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { HTZ_NS_PER_S = 1000000000, HTZ_NS_PER_MS = 1000000 };

/** The monotonic clock [ns]. Any thread. */
static inline int64_t htz_clock_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * HTZ_NS_PER_S + now.tv_nsec;
}

static inline double htz_clock_seconds(int64_t ns) {
  return (double)ns / HTZ_NS_PER_S;
}

/** Sleep for `ns`, less when a signal comes. */
static inline void htz_clock_sleep(int64_t ns) {
  if (ns > 0) {
    const struct timespec span = {.tv_sec = (time_t)(ns / HTZ_NS_PER_S), .tv_nsec = (long)(ns % HTZ_NS_PER_S)};
    nanosleep(&span, NULL);
  }
}

#endif
