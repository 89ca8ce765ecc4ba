#include "human.h"

#include <math.h>

/*
   How far a hand of `human` 1 is off. The speed goes through a golden-ratio sequence, even over its range, in which any two of eight
   strokes in a row differ by a twelfth of it at least: independent draws would often come out alike, and where a note is one mode, little
   but the speed is heard. The sizes are judgement: at 0.3 a note differs from another by 1.2 to 14 % (tests/instruments/test_human.c).
*/
static const double speed_most = 0.25;  // share of the speed, either way
static const double angle_most = 0.35;  // [rad] off the normal: what acts is the speed across the surface
static const double tilt_most = 1e-4;   // [m] across a course, either way: a hammer is filed to less
static const double place_most = 0.008; // share of the way from the place to the nearer end, either way
static const double felt_most = 0.1;    // share of the stiffness: a head is wound and worn unevenly

static const uint64_t golden = 0x9E3779B97F4A7C15u; // 2^64 over the golden ratio

enum { LINE_START, LINE_ANGLE, LINE_AT, LINE_AT_Y, LINE_FELT, LINE_TILT, LINE_WANDER = 16 };

/** A bijection of 64 bits in which every input bit moves every output bit (Steele, Lea and Flood 2014, SplitMix64). */
static uint64_t mixed(uint64_t x) {
  x += golden;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/** 0..1 from the upper bits, exactly. */
static double unit(uint64_t bits) {
  return (double)(bits >> 11) * 0x1p-53;
}

/** -1..1, bell-shaped, of standard deviation 0.29: the sum of four uniform ones. */
static double bell(uint64_t bits) {
  const uint64_t low = 0xFFFF;
  const uint64_t sum = (bits & low) + (bits >> 16 & low) + (bits >> 32 & low) + (bits >> 48);
  return (double)sum / (2.0 * (double)low) - 1.0;
}

static uint64_t of_key(const htz_human_which* which) {
  return mixed((uint64_t)which->seed << 32 ^ mixed((uint64_t)which->player << 32 | which->key));
}

uint64_t htz_human_bits(const htz_human_which* which) {
  return mixed(of_key(which) ^ mixed(which->stroke));
}

/** `at` of a length moved by `share` of the way to its nearer end; NaN stays what it is. */
static double moved(double at, double share) {
  return at + share * (at < 0.5 ? at : 1.0 - at);
}

double htz_human_effort(const htz_human_which* which, double human) {
  const double even = 2.0 * unit(mixed(of_key(which) + LINE_START) + which->stroke * golden) - 1.0;
  return 1.0 + human * speed_most * even;
}

void htz_human_vary(const htz_human_which* which, double human, htz_strike* strike) {
  if (!(human > 0.0)) {
    return;
  }
  const uint64_t bits = htz_human_bits(which);
  const double effort = htz_human_effort(which, human) * cos(human * angle_most * bell(mixed(bits + LINE_ANGLE)));
  strike->speed *= effort;
  strike->lift *= effort; // a pluck is as hard as it is far
  strike->travel *= effort;
  strike->tilt = human * tilt_most * bell(mixed(bits + LINE_TILT));
  strike->at = moved(strike->at, human * place_most * bell(mixed(bits + LINE_AT)));
  strike->at_y = moved(strike->at_y, human * place_most * bell(mixed(bits + LINE_AT_Y)));
  strike->stiffness *= 1.0 + human * felt_most * bell(mixed(bits + LINE_FELT));
}

/** Knots `apart` seconds apart, between them a curve that is level at each. */
static double through_knots(uint64_t bits, double seconds, double apart) {
  const double x = seconds / apart, knot = floor(x), t = x - knot;
  const double from = 2.0 * unit(mixed(bits + (uint64_t)knot)) - 1.0, to = 2.0 * unit(mixed(bits + (uint64_t)knot + 1)) - 1.0;
  return from + (to - from) * t * t * (3.0 - 2.0 * t);
}

double htz_human_wander(uint64_t bits, uint32_t line, double seconds) {
  static const double slow_s = 0.45, fast_s = 0.14; // an arm's sway and a tremor of some 4 Hz
  static const double fast_share = 0.3;
  const uint64_t slow = mixed(bits + LINE_WANDER + 2 * (uint64_t)line),
                 fast = mixed(bits + LINE_WANDER + 2 * (uint64_t)line + 1);
  return (1.0 - fast_share) * through_knots(slow, seconds, slow_s) + fast_share * through_knots(fast, seconds, fast_s);
}
