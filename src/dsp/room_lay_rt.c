#include "room_private.h"

#include <math.h>

/*
   A room of length 1 : width 0.74 : height 0.52, proportions near those of good halls and away from whole ratios; players at a third of
   its length, listeners beyond the middle, both off its axes so that no two walls answer alike.
*/
static const double width_share = 0.74;
static const double height_share = 0.52;
static const double source_x = 0.30, source_y = 0.46, source_z = 0.22; // shares of length, width, height
static const double source_apart = 0.16;                               // between left and right, share of the width
static const double listener_x = 0.55, listener_y = 0.52, listener_z = 0.24;
static const double ears_m = 0.30; // two microphones: far enough apart for width, near enough to stay one place

static const double sound_mps = 343.0; // at 20 degrees Celsius
static const double alpha_low = 0.15;  // plaster, wood and a few people
static const double alpha_high = 0.25; // at HTZ_ROOM_HIGH_HZ
static const double air_high = 0.006;  // loss of energy in air there, 20 degrees Celsius, half saturated [1/m]
static const double pi = 3.14159265358979323846;
static const double ln10 = 2.30258509299404568402;
static const double spread = 0.25;   // the Hadamard matrix is divided by its norm, the root of 16
static const double block_hz = 20.0; // nothing is heard below, and few rooms have modes there

/** Directions of the plane waves, in half turns along each axis. */
static const uint8_t direction[HTZ_ROOM_LINES][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1},
                                                     {1, 1, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1},
                                                     {0, 1, 2}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}};

static void shape(double size, double l[3]) {
  l[0] = size;
  l[1] = width_share * size;
  l[2] = height_share * size;
}

double htz_room_pass(double size, uint32_t i) {
  double l[3], sum = 0.0;
  shape(size, l);
  for (uint32_t a = 0; a < 3; ++a) {
    sum += (direction[i][a] / l[a]) * (direction[i][a] / l[a]);
  }
  return 2.0 / (sound_mps * sqrt(sum));
}

double htz_room_latest(double size) {
  return 2.0 * size / sound_mps; // an image is at most a length further than its source is, twice
}

/** Absorbing area [m^2]. */
static double absorption(double size, double alpha, double air) {
  double l[3];
  shape(size, l);
  const double area = 2.0 * (l[0] * l[1] + l[1] * l[2] + l[2] * l[0]);
  return -area * log(1.0 - alpha) + 4.0 * air * l[0] * l[1] * l[2];
}

double htz_room_t60(double size, double alpha, double air) {
  double l[3];
  shape(size, l);
  return 24.0 * ln10 * l[0] * l[1] * l[2] / (sound_mps * absorption(size, alpha, air));
}

static float* take(htz_room_ring* ring, float* from, uint32_t longest) {
  *ring = (htz_room_ring){.samples = from, .size = htz_room_ring_size(longest)};
  return from + ring->size + HTZ_ROOM_CHUNK;
}

static double distance(const double a[3], const double b[3]) {
  const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
  return sqrt(x * x + y * y + z * z);
}

/** First reflections. @return energy of those at one ear, both sources. */
static double lay_early(htz_room* room, double reach) {
  double l[3], energy = 0.0;
  shape(room->size, l);
  for (uint32_t ear = 0; ear < 2; ++ear) {
    const double side = ear ? 0.5 : -0.5;
    const double at[3] = {listener_x * l[0], listener_y * l[1] + side * ears_m, listener_z * l[2]};
    for (uint32_t source = 0; source < 2; ++source) {
      const double from[3] = {source_x * l[0], (source_y + (source ? 0.5 : -0.5) * source_apart) * l[1], source_z * l[2]};
      for (uint32_t wall = 0; wall < HTZ_ROOM_WALLS; ++wall) {
        double image[3] = {from[0], from[1], from[2]};
        image[wall / 2] = (wall % 2 ? 2.0 * l[wall / 2] : 0.0) - image[wall / 2];
        const double r = distance(image, at);
        const double gain = reach / r * sqrt(1.0 - alpha_low);
        const double late_s = r > reach ? (r - reach) / sound_mps : 0.0;
        room->tap_delay[ear][source][wall] = (uint32_t)(late_s * room->rate_hz + 0.5);
        room->tap_gain[ear][source][wall] = (float)gain;
        energy += 0.5 * gain * gain;
      }
    }
  }
  return energy;
}

static uint32_t common(uint32_t a, uint32_t b) {
  while (b) { // fewer than 40 turns for 24 bits
    const uint32_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static bool prime_to_all(const uint32_t* delay, uint32_t n, uint32_t d) {
  for (uint32_t i = 0; i < n; ++i) {
    if (common(delay[i], d) != 1) {
      return false;
    }
  }
  return true;
}

/** The length nearest to `wanted` that has no factor in common with the `n` before. */
static uint32_t choose_delay(const uint32_t* delay, uint32_t n, uint32_t wanted) {
  for (uint32_t off = 0; off <= HTZ_ROOM_SLACK; ++off) {
    if (prime_to_all(delay, n, wanted + off)) {
      return wanted + off;
    }
    if (wanted >= HTZ_ROOM_CHUNK + off && prime_to_all(delay, n, wanted - off)) {
      return wanted - off;
    }
  }
  return wanted;
}

/**
   One pole p with gain g at 0 Hz and h < g at w: (1 - p)^2 / (1 - 2 p cos w + p^2) = (h/g)^2, the root inside the unit circle.
*/
static double pole_of(double g, double h, double w) {
  const double r = (h / g) * (h / g), b = 1.0 - r * cos(w), a = 1.0 - r;
  return (b - sqrt(b * b - a * a)) / a;
}

/** The lines from `memory` on. @return share of the energy they keep in a pass, at 0 Hz, the mean over the lines */
static double lay_lines(htz_room* room, float* memory) {
  double kept = 0.0;
  const double nyquist_w = pi, w = 2.0 * pi * HTZ_ROOM_HIGH_HZ / room->rate_hz;
  for (uint32_t i = 0; i < HTZ_ROOM_LINES; ++i) {
    const uint32_t wanted = (uint32_t)(htz_room_pass(room->size, i) * room->rate_hz + 0.5);
    const uint32_t d = choose_delay(room->delay, i, wanted);
    const double d_s = d / room->rate_hz;
    const double low = pow(10.0, -3.0 * d_s / room->t60_low_s), high = pow(10.0, -3.0 * d_s / room->t60_high_s);
    const double p = pole_of(low, high, w < nyquist_w ? w : nyquist_w);
    room->delay[i] = d;
    room->pole[i] = (float)p;
    room->gain[i] = (float)(spread * low * (1.0 - p));
    memory = take(&room->line[i], memory, d);
    kept += low * low / HTZ_ROOM_LINES;
  }
  return kept;
}

void htz_room_lay(htz_room* room, double size) {
  const double least = HTZ_ROOM_SIZE_MIN, most = HTZ_ROOM_SIZE_MAX;
  room->size = size > least ? (size < most ? size : most) : least;
  room->t60_low_s = htz_room_t60(room->size, alpha_low, 0.0);
  room->t60_high_s = htz_room_t60(room->size, alpha_high, air_high);
  const double reach = (listener_x - source_x) * room->size; // r0: they face each other
  const double early = lay_early(room, reach);
  float* memory = room->memory;
  room->longest = 0;
  for (uint32_t source = 0; source < 2; ++source) {
    const uint32_t latest = (uint32_t)(htz_room_latest(room->size) * room->rate_hz);
    memory = take(&room->history[source], memory, latest);
    room->longest = latest;
  }
  const double kept = lay_lines(room, memory);
  for (uint32_t i = 0; i < HTZ_ROOM_LINES; ++i) {
    room->longest = room->delay[i] > room->longest ? room->delay[i] : room->longest;
  }
  // Energy at each ear, for two sources of energy 1: `early` of the first reflections and `late` of all others, scaled to 1 in all.
  const double late =
      2.0 * 16.0 * pi * reach * reach * (1.0 - alpha_low) * (1.0 - alpha_low) / absorption(room->size, alpha_low, 0.0);
  const double scale = 1.0 / (early + late);
  for (uint32_t ear = 0; ear < 2; ++ear) {
    for (uint32_t tap = 0; tap < 2 * HTZ_ROOM_WALLS; ++tap) {
      room->tap_gain[ear][tap / HTZ_ROOM_WALLS][tap % HTZ_ROOM_WALLS] *= (float)sqrt(scale);
    }
  }
  // The lines are given `early` each. Scattered evenly, a share `kept` of it comes out at every pass, to be heard at either ear.
  const double given = HTZ_ROOM_LINES * early * scale;
  const double heard = given * spread * spread * kept / (1.0 - kept);
  room->late = (float)sqrt(late * scale / heard);
  const double block = exp(-2.0 * pi * block_hz / room->rate_hz);
  room->block_pole = (float)block;
  htz_room_empty(room);
}
