#include "profile.h"

#include <math.h>

// Share of each lattice: heights go with the spacing to the power 0.8, as those of worn and turned surfaces roughly do.
static const double share[HTZ_PROFILE_OCTAVES] = {1.0, 0.574, 0.330, 0.189};

// Mean square of uniform heights in [-1, 1], times that of the cubic B-spline: 1/3 151/315, times the sum of the squared shares.
static const double mean_square = 151.0 / 945.0 * 1.474;

static const int64_t no_cell = INT64_MIN;

/** A number in [-1, 1] that belongs to this point of this lattice (the finaliser of SplitMix64). */
static double random_height(uint64_t seed, uint64_t octave, int64_t cell) {
  static const double unit = 1.0 / 9007199254740992.0; // 2^-53
  uint64_t z = seed * UINT64_C(0x9e3779b97f4a7c15) + octave * UINT64_C(0xd1342543de82ef95) + (uint64_t)cell;
  for (int round = 0; round < 2; ++round) {
    z += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
  }
  return 2.0 * unit * (double)(z >> 11) - 1.0;
}

void htz_profile_lay(htz_profile* p, double grain, uint64_t seed) {
  p->grain = grain;
  p->seed = seed;
  for (int o = 0; o < HTZ_PROFILE_OCTAVES; ++o) {
    p->octave[o].cell = no_cell;
  }
}

double htz_profile_height(htz_profile* p, double x) {
  double sum = 0.0;
  double at = x / p->grain;
  for (int o = 0; o < HTZ_PROFILE_OCTAVES; ++o) {
    const double floored = floor(at);
    const int64_t cell = (int64_t)floored;
    if (cell != p->octave[o].cell) {
      p->octave[o].cell = cell;
      for (int j = 0; j < HTZ_PROFILE_SPAN; ++j) {
        p->octave[o].height[j] = random_height(p->seed, (uint64_t)o, cell + j);
      }
    }
    const double* h = p->octave[o].height;
    const double t = at - floored, u = 1.0 - t;
    const double b0 = u * u * u, b3 = t * t * t;
    const double b1 = 4.0 - 6.0 * t * t + 3.0 * b3, b2 = 4.0 - 6.0 * u * u + 3.0 * b0;
    sum += share[o] * (b0 * h[0] + b1 * h[1] + b2 * h[2] + b3 * h[3]) / 6.0;
    at *= 2.0;
  }
  return sum / sqrt(mean_square);
}
