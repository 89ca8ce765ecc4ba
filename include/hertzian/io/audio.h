#ifndef HERTZIAN_IO_AUDIO_H
#define HERTZIAN_IO_AUDIO_H

#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   Audio sinks: where live sound goes, and with it, in the same stream and on the same clock, one channel of input when that is
   wanted. Backends are const tables in src/io/audio_sinks.def; `null`, paced by the clock, is a full
   member, so that everything but a driver is tested without hardware. PortAudio and JACK are loaded when a device of them is first
   asked for, never before: a program that plays to `null` or renders needs neither the libraries nor a sound card.

   Every sink's thread flushes denormals and is inside htz_rt_enter() while it computes a block.
*/

enum {
  HTZ_AUDIO_FRAMES_MAX = 8192, ///< largest block [frame]
  HTZ_AUDIO_CHANNELS_MAX = 128 ///< outputs of a device that can be told apart
};

/** What the backend tells with every block. */
typedef struct {
  double time_s;   ///< monotonic clock at which this block was asked for [s]
  bool underflow;  ///< the driver says that the block before this one came late
  const float* in; ///< the first channel of the input [frames of the block], full scale 1; NULL: none, or it did not come
  bool in_gap;     ///< the driver says that some of the input has been lost
} htz_audio_block;

/** Fill `frames` stereo frames, interleaved. Audio thread; `context` as given to open. */
typedef void (*htz_audio_process)(void* context, float* out, uint32_t frames, const htz_audio_block* block);

/** What is wanted, and after opening what is. */
typedef struct {
  /**
     Name or part of one, whatever its case, with or without the host's name before it ("alsa:", "jack:"); an ALSA name in full
     ("alsa:plughw:1,0") also works, and "jack:none" is a client of JACK that is connected to nothing. "null": no device. NULL or "":
     the default, which is a raw device only where there is no other.
  */
  const char* device;
  /**
     Input, named in the same way, which has to be on the same host as the output: they are opened as one stream. NULL: none; "" or
     "default": the default one.
  */
  const char* input;
  double rate_hz;  ///< wanted; 0: the device's own
  uint32_t frames; ///< per block, 1..HTZ_AUDIO_FRAMES_MAX; a JACK server has its own
  /**
     Outputs of the device for left and right, from 1 to HTZ_AUDIO_CHANNELS_MAX; twice the same: their mean goes there. Other outputs are
     silent. 0 and 0: the first two, or the mean on the only one.
  */
  unsigned channels[2];
  htz_audio_process process;
  void* context;
  int realtime; ///< real-time priority of the thread, 1..99; 0: the usual one; below 0: none
  bool verbose; ///< let the drivers' own messages through to stderr
} htz_audio_wish;

/** What was got. */
typedef struct {
  char name[256]; ///< device as it calls itself
  char api[32];   ///< "alsa", "jack", "null", ...
  double rate_hz;
  uint32_t frames;        ///< per block; never more, fewer where a server divides its time so
  unsigned channels[2];   ///< outputs that left and right go to, from 1; twice the same: their mean
  bool alone;             ///< a raw device: no other program can use it meanwhile
  double latency_s;       ///< output latency, 0 when unknown or absurd
  bool realtime;          ///< its thread runs with real-time priority
  char input[256];        ///< of the input as it calls itself, "" without one
  double input_latency_s; ///< 0 when unknown or absurd
  bool
      input_apart; ///< another device than the output: their clocks may differ, the driver then drops or repeats blocks of input
} htz_audio_format;

typedef struct htz_audio htz_audio;

typedef enum {
  HTZ_AUDIO_RUNNING = 0,
  HTZ_AUDIO_STALLED, ///< no block was asked for in a while: the device may be gone
  HTZ_AUDIO_DEAD     ///< the stream has ended by itself
} htz_audio_health;

/** One device of a listing: an output, or an input. */
typedef struct {
  char name[256];
  char api[32];
  int channels;
  double latency_s;
  double rates[8]; ///< rates it takes, 0 after the last
  bool preferred;  ///< would be used when nothing is named; of a backend's own list: its first choice
  char busy[128];  ///< who holds it, or ""
} htz_audio_device;

/**
   Open and start.

   @param why [why_size] one line: what failed, why, what to do
   @return HTZ_OK, HTZ_NOT_FOUND (no such device or none at all), HTZ_IO, HTZ_BAD_VALUE, or what the system has no more of. Control thread; so are all
   below unless marked.
*/
htz_status htz_audio_open(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why, size_t why_size);

/**
   Stop and free. Never blocks longer than half a second, even when the driver hangs (what it holds is then given up). NULL is
   allowed.

   @return true when the process function is not running and will not run again; false when it hangs in a block, so that its
   context has to be kept
*/
bool htz_audio_close(htz_audio* audio);

/** Whether blocks are still being asked for. Any thread. */
htz_audio_health htz_audio_check(const htz_audio* audio);

/** Blocks asked for so far. Any thread. */
uint64_t htz_audio_blocks(const htz_audio* audio);

/** List outputs into *out [*n], to be freed with free(). HTZ_OK also when there are none. */
htz_status htz_audio_list(htz_audio_device** out, size_t* n);

/** The same of inputs. */
htz_status htz_audio_list_inputs(htz_audio_device** out, size_t* n);

/** The clock of htz_audio_block::time_s and htz_midi_stamped::time_s: monotonic [s]. Any thread. */
double htz_audio_now(void);

/** One line on how to get real-time priority on this system, without a full stop. Any thread. */
void htz_audio_realtime_hint(char* text, size_t size);

#endif
