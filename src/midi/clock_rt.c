#include "hertzian/midi/clock.h"

#include <math.h>

static const double two_pi = 6.28318530717958647692;
static const double wide_hz = 4.0;    // loop bandwidth while it finds the rate...
static const double narrow_hz = 0.15; // ... and, narrowing with time, at last: seconds of jitter are averaged away
static const double rate_off = 0.01;  // no card is further from its nominal rate; a loop that says so is wrong
static const double jitter_s = 0.050; // [s] and four blocks: later or earlier than that is a gap

void htz_clock_init(htz_clock* clock, double rate_hz) {
  *clock = (htz_clock){.rate_hz = rate_hz, .seconds_per_frame = 1.0 / rate_hz};
}

static void start(htz_clock* clock, uint64_t frame, double time_s) {
  clock->running = true;
  clock->frame = frame;
  clock->time_s = time_s;
  clock->seconds_per_frame = 1.0 / clock->rate_hz;
  clock->locked_s = 0.0;
}

void htz_clock_block(htz_clock* clock, uint64_t frame, double time_s) {
  if (!clock->running) {
    start(clock, frame, time_s);
    return;
  }
  const double frames = frame > clock->frame ? (double)(frame - clock->frame) : 0.0;
  const double block = frames / clock->rate_hz;
  const double expected = clock->time_s + frames * clock->seconds_per_frame;
  const double error = time_s - expected;
  if (!(frames > 0.0) || !(fabs(error) <= jitter_s + 4.0 * block)) {
    ++clock->restarts;
    start(clock, frame, time_s);
    return;
  }
  const double narrowing_hz = wide_hz / (1.0 + wide_hz * clock->locked_s);
  const double width = narrowing_hz > narrow_hz ? narrowing_hz : narrow_hz;
  double omega = two_pi * width * block;
  omega = omega > 0.5 ? 0.5 : omega; // blocks so long that the loop would ring
  const double nominal = 1.0 / clock->rate_hz;
  double per_frame = clock->seconds_per_frame + omega * omega * error / frames;
  per_frame = per_frame < nominal * (1.0 - rate_off)   ? nominal * (1.0 - rate_off)
              : per_frame > nominal * (1.0 + rate_off) ? nominal * (1.0 + rate_off)
                                                       : per_frame;
  clock->seconds_per_frame = per_frame;
  clock->time_s = expected + sqrt(2.0) * omega * error; // critically damped
  clock->frame = frame;
  clock->locked_s += block;
}

double htz_clock_frame(const htz_clock* clock, double time_s) {
  return (double)clock->frame + (time_s - clock->time_s) / clock->seconds_per_frame;
}
