#ifndef HERTZIAN_IO_AUDIO_PRIVATE_H
#define HERTZIAN_IO_AUDIO_PRIVATE_H

#include "hertzian/io/audio.h"

#include <stdatomic.h>

/** Devices gathered for a listing. */
typedef struct {
  htz_audio_device* item; ///< [n], from malloc
  size_t n;
} htz_audio_devices;

/** What a sink is; one const table per backend. */
typedef struct {
  const char* name;

  /** Whether a device of this name ("" is the default) of the host `api` (NULL: any) is ours to open. */
  bool (*takes)(const char* api, const char* name);

  /** Make, fill in the base, start. Nothing is left behind on failure. */
  htz_status (*open)(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why, size_t why_size);

  /**
     Stop the stream and give everything back but the memory of `audio`. May block: it runs in a thread of its own.

     @return false when the driver cannot be trusted to let go, so that the memory has to stay
  */
  bool (*release)(htz_audio* audio);

  /** Whether the stream has ended by itself. NULL: it never does. Any thread. */
  bool (*dead)(const htz_audio* audio);

  /** Append our outputs, or our inputs. NULL: none to choose from. */
  htz_status (*list)(htz_audio_devices* devices, bool inputs);
} htz_audio_class;

/** What every sink starts with. */
struct htz_audio {
  const htz_audio_class* class;
  htz_audio_process process;
  void* context;
  bool hush;           ///< the driver prints to standard error when it is released
  atomic_bool closing; ///< nothing may be asked of `process` any more
  atomic_bool inside;  ///< `process` is running
  atomic_int stage;    ///< of closing: who frees the memory
  _Alignas(64) atomic_uint_fast64_t blocks;
  atomic_int_fast64_t last_ns; ///< when the last block was asked for, or the stream was started [ns]
};

/** Fill in the base. */
void htz_audio_base(htz_audio* audio, const htz_audio_class* class, const htz_audio_wish* wish);

/** Have one block computed, or silence when closing. Audio thread. */
void htz_audio_run_block(htz_audio* audio, float* out, uint32_t frames, const htz_audio_block* block);

/** Wait until `audio` has been asked for its first block, at most `limit_ns`. @return whether it has */
bool htz_audio_await_block(const htz_audio* audio, int64_t limit_ns);

/** Whether closing has given up on the driver while release() was at work. Any thread. */
bool htz_audio_abandoned(const htz_audio* audio);

/** Append a copy. @return HTZ_OK or HTZ_NO_MEMORY */
htz_status htz_audio_devices_add(htz_audio_devices* devices, const htz_audio_device* device);

#define HTZ_AUDIO_SINK(symbol, source) extern const htz_audio_class symbol;
#include "audio_sinks.def"
#undef HTZ_AUDIO_SINK

#endif
