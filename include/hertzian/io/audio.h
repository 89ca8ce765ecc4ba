#ifndef HERTZIAN_IO_AUDIO_H
#define HERTZIAN_IO_AUDIO_H

#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   Audio sinks: where live sound goes. Backends are const tables in src/io/audio_sinks.def; `null`, paced by the clock, is a full
   member, so that everything but a driver is tested without hardware.
*/

/** What the backend tells with every block. */
typedef struct {
  double   time_s;    ///< monotonic clock at which this block was asked for [s]
  bool     underflow; ///< the driver says that the block before this one came late
} htz_audio_block;

/** Fill `frames` stereo frames, interleaved. Audio thread; `context` as given to open. */
typedef void (*htz_audio_process)(void* context, float* out, uint32_t frames, const htz_audio_block* block);

/** What is wanted, and after opening what is. */
typedef struct {
  const char*       device;  ///< name or part of one, with or without a backend prefix ("alsa:", "jack:"); NULL: the default
  double            rate_hz; ///< wanted; 0: the device's own
  uint32_t          frames;  ///< per block
  htz_audio_process process;
  void*             context;
} htz_audio_wish;

typedef struct {
  char     name[256];  ///< device as it calls itself
  char     api[32];    ///< "alsa", "jack", "null", ...
  double   rate_hz;
  uint32_t frames;
  double   latency_s;  ///< output latency, 0 when unknown or absurd
  bool     realtime;   ///< its thread runs with real-time priority
} htz_audio_format;

typedef struct htz_audio htz_audio;

typedef enum {
  HTZ_AUDIO_RUNNING = 0,
  HTZ_AUDIO_STALLED, ///< no block was asked for in a while: the device may be gone
  HTZ_AUDIO_DEAD     ///< the stream has ended by itself
} htz_audio_health;

/** One device of a listing. */
typedef struct {
  char   name[256];
  char   api[32];
  int    channels;
  double latency_s;
  double rates[8]; ///< rates it takes, 0 after the last
  bool   preferred; ///< would be used when nothing is named
  char   busy[128]; ///< who holds it, or ""
} htz_audio_device;

/**
   Open and start.

   @param why [why_size] one line: what failed, why, what to do
   @return HTZ_OK, HTZ_NOT_FOUND (no such device or none at all), HTZ_IO, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Control thread; so are all
   below unless marked.
*/
htz_status htz_audio_open(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why, size_t why_size);

/** Stop and free. Never blocks longer than half a second, even when the driver hangs (what it holds is then given up). */
void htz_audio_close(htz_audio* audio);

/** Whether blocks are still being asked for. Any thread. */
htz_audio_health htz_audio_check(const htz_audio* audio);

/** Blocks asked for so far. Any thread. */
uint64_t htz_audio_blocks(const htz_audio* audio);

/** List devices into *out [*n], to be freed with free(). HTZ_OK also when there are none. */
htz_status htz_audio_list(htz_audio_device** out, size_t* n);

#endif
