#include "take.h"

#include <math.h>
#include <string.h>

static const double quiet_s = 0.3;                      // [s]
static const double fade_s = 0.010;                     // [s]
static const double threshold_dbfs = -90.0;             // [dBFS]
static const double half_turn = 3.14159265358979323846; // [rad]

void htz_take_init(htz_take* take, double rate_hz) {
  memset(take, 0, sizeof *take);
  take->quiet = (uint64_t)llround(quiet_s * rate_hz);
  const double fade = round(fade_s * rate_hz);
  take->fade = fade < HTZ_TAKE_FADE_MAX ? (size_t)fade : HTZ_TAKE_FADE_MAX;
  take->threshold = (float)pow(10.0, threshold_dbfs / 20.0);
}

static void flush_block(htz_take* take) {
  if (take->filled > 0 && !take->failed) {
    take->failed = !take->sink(take->user, take->out, take->filled);
  }
  take->filled = 0;
}

static void emit(htz_take* take, const float* samples, size_t frames) {
  while (frames > 0) {
    const size_t room = take->block - take->filled;
    const size_t now = frames < room ? frames : room;
    memcpy(take->out + take->filled * HTZ_TAKE_CHANNELS, samples, now * HTZ_TAKE_CHANNELS * sizeof *samples);
    take->filled += now;
    samples += now * HTZ_TAKE_CHANNELS;
    frames -= now;
    if (take->filled == take->block) {
      flush_block(take);
    }
  }
}

static void finish(htz_take* take) {
  if (take->automatic) {
    for (size_t i = 0; i < take->held; i++) {
      const double position = ((double)i + 1.0) / (double)take->held;
      const float gain = (float)(0.5 + 0.5 * cos(half_turn * position));
      for (size_t c = 0; c < HTZ_TAKE_CHANNELS; c++) {
        take->hold[i * HTZ_TAKE_CHANNELS + c] *= gain;
      }
    }
  }
  emit(take, take->hold, take->held);
  take->held = 0;
  flush_block(take);
  take->done = true;
}

// How many of the quantum's frames still belong to the file.
static size_t frames_wanted(htz_take* take, const float* samples) {
  for (size_t i = 0; i < HTZ_QUANTUM; i++) {
    const uint64_t frame = take->frame + i;
    if (frame >= take->stop) {
      return i;
    }
    if (take->automatic) {
      if (frame >= take->loud_end + take->quiet && frame >= take->song_end + take->quiet) {
        return i;
      }
      const float left = fabsf(samples[i * HTZ_TAKE_CHANNELS]);
      const float right = fabsf(samples[i * HTZ_TAKE_CHANNELS + 1]);
      if (left >= take->threshold || right >= take->threshold) {
        take->loud_end = frame + 1;
      }
    }
  }
  return HTZ_QUANTUM;
}

static void pass_on(htz_take* take, const float* samples, size_t wanted) {
  take->wanted = wanted;
  const uint64_t begin = take->start > take->frame ? take->start - take->frame : 0;
  const size_t skip = begin < wanted ? (size_t)begin : wanted;
  const size_t fresh = wanted - skip;
  memcpy(take->hold + take->held * HTZ_TAKE_CHANNELS, samples + skip * HTZ_TAKE_CHANNELS,
         fresh * HTZ_TAKE_CHANNELS * sizeof *samples);
  take->held += fresh;
  const size_t keep = take->automatic ? take->fade : 0;
  if (take->held > keep) {
    const size_t leave = take->held - keep;
    emit(take, take->hold, leave);
    memmove(take->hold, take->hold + leave * HTZ_TAKE_CHANNELS, keep * HTZ_TAKE_CHANNELS * sizeof *samples);
    take->held = keep;
  }
  take->frame += wanted;
  if (wanted < HTZ_QUANTUM || take->frame == take->stop) {
    finish(take);
  }
  take->done = take->done || take->failed;
}

void htz_take_quantum(htz_take* take, const float* samples) {
  if (!take->done) {
    pass_on(take, samples, frames_wanted(take, samples));
  }
}

void htz_take_follow(htz_take* take, const htz_take* leader, const float* samples) {
  if (!take->done) {
    pass_on(take, samples, leader->wanted);
  }
}
