#ifndef HTZ_TEST_DICE_H
#define HTZ_TEST_DICE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/** Random numbers from a seed. */
typedef struct {
  uint64_t state;
} dice;

static inline uint64_t roll(dice* d) { // splitmix64
  uint64_t z = (d->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static inline double uniform(dice* d, double low, double high) {
  return low + (high - low) * (double)(roll(d) >> 11) * 0x1p-53;
}

/** Evenly in the logarithm. */
static inline double spread(dice* d, double low, double high) {
  return low * pow(high / low, uniform(d, 0.0, 1.0));
}

static inline size_t pick(dice* d, size_t n) {
  return (size_t)(roll(d) % n);
}

#endif
