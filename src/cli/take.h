#ifndef HERTZIAN_CLI_TAKE_H
#define HERTZIAN_CLI_TAKE_H

#include "hertzian/dsp/kernels.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HTZ_TAKE_CHANNELS = 2,
  HTZ_TAKE_FADE_MAX = 1920, ///< frames of the closing fade: 10 ms at 192 kHz
  HTZ_TAKE_BLOCK_MAX = 8192,
};

/** Receives finished interleaved frames, a block at a time. @return false to stop */
typedef bool (*htz_take_sink)(void* user, const float* samples, size_t frames);

/**
   Which frames of a performance go into the file: from `start` to a fixed `stop`, or with `automatic` until it has been quiet
   for a while after `song_end`, closing with a fade. Frames come in quanta from frame 0 and leave in blocks.
*/
typedef struct {
  // [config]
  uint64_t start;    ///< [frame]
  uint64_t song_end; ///< last event [frame]
  uint64_t stop;     ///< end of the file; with `automatic` the latest possible one [frame]
  bool automatic;
  uint64_t quiet;  ///< that long below the threshold [frame]
  size_t fade;     ///< [frame], up to HTZ_TAKE_FADE_MAX
  float threshold; ///< magnitude
  size_t block;    ///< frames handed on at a time
  htz_take_sink sink;
  void* user;
  // [state]
  uint64_t frame;    ///< of the next sample to come
  uint64_t loud_end; ///< end of the last frame above the threshold, `song_end` at least
  bool done;
  size_t wanted; ///< frames of the last quantum that belong to the file
  bool failed;   ///< the sink said stop
  size_t held;   ///< frames in `hold`, kept back because they may have to be faded
  size_t filled; ///< frames in `out`
  float hold[(HTZ_TAKE_FADE_MAX + HTZ_QUANTUM) * HTZ_TAKE_CHANNELS];
  float out[HTZ_TAKE_BLOCK_MAX * HTZ_TAKE_CHANNELS];
} htz_take;

/** The rule of `--tail auto` at a sample rate; the caller fills in start, song_end, stop, automatic, block, sink and user. */
void htz_take_init(htz_take* take, double rate_hz);

/** Take the next HTZ_QUANTUM interleaved frames; once `take->done`, nothing more is wanted. */
void htz_take_quantum(htz_take* take, const float* samples);

/** The same, with `leader` to say which frames are wanted: one that was set up alike and has had its own of this quantum. */
void htz_take_follow(htz_take* take, const htz_take* leader, const float* samples);

#endif
