#include "audio_library.h"
#include "audio_pick.h"
#include "audio_private.h"
#include "clock.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HTZ_AUDIO_SINK(symbol, source) &symbol,
static const htz_audio_class* const registry[] = {
#include "audio_sinks.def"
};
#undef HTZ_AUDIO_SINK

enum { COUNT = sizeof registry / sizeof registry[0], DEVICE = 256 + 16, REASON = 512 };

static const int64_t stalled_ns = 2 * (int64_t)HTZ_NS_PER_S;          // far beyond any block, soon enough to tell a player
static const int64_t release_limit_ns = 400 * (int64_t)HTZ_NS_PER_MS; // with what is around it, below half a second
static const int64_t glance_ns = HTZ_NS_PER_MS / 2;                   // between two looks at a flag

// Of closing. Whoever comes second to the stage, the closing thread or the thread that asked, frees the memory.
enum { OPEN = 0, RELEASED, HELD_BY_DRIVER, ABANDONED };

double htz_audio_now(void) {
  return htz_clock_seconds(htz_clock_ns());
}

// What is asked for is one device where it has a name; without one the next best is as good. The reason told is the first that is
// more than that nothing is there.
static htz_status open_first(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why,
                             size_t why_size) {
  char device[DEVICE], reason[REASON];
  const char* api;
  const char* beside;
  snprintf(device, sizeof device, "%s", wish->device ? wish->device : "");
  htz_audio_split(wish->input, &beside);
  if (!*device && beside) {
    snprintf(device, sizeof device, "%s:", beside); // the input says which host, the output does not
  }
  const char* name = htz_audio_split(device, &api);
  const bool named = *name;
  htz_audio_wish meant = *wish;
  meant.device = device;
  htz_status first = HTZ_OK;
  for (size_t i = 0; i < COUNT; ++i) {
    if (!registry[i]->takes(api, name)) {
      continue;
    }
    const htz_status st = registry[i]->open(&meant, out, format, reason, sizeof reason);
    if (!st) {
      return HTZ_OK;
    }
    if (!first || (first == HTZ_NOT_FOUND && st != HTZ_NOT_FOUND) || htz_status_starved(st)) {
      first = st;
      snprintf(why, why_size, "%s", reason);
    }
    if (htz_status_starved(st) || (named && st != HTZ_NOT_FOUND)) {
      return st;
    }
  }
  return first;
}

htz_status htz_audio_open(const htz_audio_wish* wish, htz_audio** out, htz_audio_format* format, char* why, size_t why_size) {
  *out = NULL;
  memset(format, 0, sizeof *format);
  const double lowest_hz = 1000, highest_hz = 768000; // what drivers have been seen to offer, and some
  const bool rate_ok = wish->rate_hz == 0 || (wish->rate_hz >= lowest_hz && wish->rate_hz <= highest_hz);
  if (!rate_ok || wish->frames == 0 || wish->frames > HTZ_AUDIO_FRAMES_MAX || !wish->process) {
    snprintf(why, why_size, "audio: rate or block size out of range");
    return HTZ_BAD_VALUE;
  }
  return open_first(wish, out, format, why, why_size);
}

void htz_audio_base(htz_audio* audio, const htz_audio_class* class, const htz_audio_wish* wish) {
  audio->class = class;
  audio->process = wish->process;
  audio->context = wish->context;
  audio->hush = false;
  atomic_init(&audio->closing, false);
  atomic_init(&audio->inside, false);
  atomic_init(&audio->stage, OPEN);
  atomic_init(&audio->blocks, 0);
  atomic_init(&audio->last_ns, htz_clock_ns());
}

void htz_audio_run_block(htz_audio* audio, float* out, uint32_t frames, const htz_audio_block* block) {
  // Sequential order on this pair and the one in quiet(): either we see `closing`, or the closer sees `inside`.
  atomic_store_explicit(&audio->inside, true, memory_order_seq_cst);
  atomic_store_explicit(&audio->last_ns, htz_clock_ns(), memory_order_relaxed);
  atomic_fetch_add_explicit(&audio->blocks, 1, memory_order_release);
  if (atomic_load_explicit(&audio->closing, memory_order_seq_cst)) {
    memset(out, 0, sizeof *out * 2 * frames);
  } else {
    htz_rt_flush_denormals();
    htz_rt_enter();
    audio->process(audio->context, out, frames, block);
    htz_rt_leave();
  }
  atomic_store_explicit(&audio->inside, false, memory_order_release);
}

bool htz_audio_await_block(const htz_audio* audio, int64_t limit_ns) {
  const int64_t end = htz_clock_ns() + limit_ns;
  while (htz_audio_blocks(audio) == 0) {
    if (htz_clock_ns() > end) {
      return false;
    }
    htz_clock_sleep(glance_ns);
  }
  return true;
}

// Shut the process function out and wait until it is not running. @return whether it is not
static bool quiet(htz_audio* audio, int64_t end) {
  atomic_store_explicit(&audio->closing, true, memory_order_seq_cst);
  while (atomic_load_explicit(&audio->inside, memory_order_seq_cst)) {
    if (htz_clock_ns() > end) {
      return false;
    }
    htz_clock_sleep(glance_ns);
  }
  return true;
}

bool htz_audio_abandoned(const htz_audio* audio) {
  return atomic_load_explicit(&audio->stage, memory_order_acquire) == ABANDONED;
}

static void* release(void* argument) {
  htz_audio* audio = argument;
  const int result = audio->class->release(audio) ? RELEASED : HELD_BY_DRIVER;
  if (atomic_exchange_explicit(&audio->stage, result, memory_order_acq_rel) == ABANDONED && result == RELEASED) {
    free(audio);
  }
  return NULL;
}

bool htz_audio_close(htz_audio* audio) {
  if (!audio) {
    return true;
  }
  const int64_t end = htz_clock_ns() + release_limit_ns;
  const bool stopped = quiet(audio, end);
  const bool away = htz_stderr_away(audio->hush);
  pthread_t helper;
  if (pthread_create(&helper, NULL, release, audio) != 0) {
    htz_stderr_back(away);
    return stopped; // no thread to risk a hanging driver with: it keeps what it has
  }
  pthread_detach(helper);
  while (atomic_load_explicit(&audio->stage, memory_order_acquire) == OPEN && htz_clock_ns() < end) {
    htz_clock_sleep(glance_ns);
  }
  htz_stderr_back(away);
  if (atomic_exchange_explicit(&audio->stage, ABANDONED, memory_order_acq_rel) == RELEASED) {
    free(audio);
    return true;
  }
  return stopped;
}

htz_audio_health htz_audio_check(const htz_audio* audio) {
  if (audio->class->dead && audio->class->dead(audio)) {
    return HTZ_AUDIO_DEAD;
  }
  const int64_t silent = htz_clock_ns() - atomic_load_explicit(&audio->last_ns, memory_order_relaxed);
  return silent > stalled_ns ? HTZ_AUDIO_STALLED : HTZ_AUDIO_RUNNING;
}

uint64_t htz_audio_blocks(const htz_audio* audio) {
  return atomic_load_explicit(&audio->blocks, memory_order_acquire);
}

htz_status htz_audio_devices_add(htz_audio_devices* devices, const htz_audio_device* device) {
  htz_audio_device* grown = realloc(devices->item, (devices->n + 1) * sizeof *grown);
  if (!grown) {
    return HTZ_NO_MEMORY;
  }
  grown[devices->n++] = *device;
  devices->item = grown;
  return HTZ_OK;
}

// Of what the backends say, the one that would be opened.
static htz_status mark_preferred(htz_audio_devices* devices, bool inputs) {
  htz_audio_entry* entry = calloc(devices->n + 1, sizeof *entry);
  size_t best;
  if (!entry) {
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; i < devices->n; ++i) {
    htz_audio_device* device = &devices->item[i];
    const int channels = device->busy[0] ? 0 : device->channels; // who is held cannot be opened
    entry[i] = (htz_audio_entry){device->api, device->name, channels, device->preferred};
  }
  // A card's input goes with its output, or is named.
  const bool found = htz_audio_pick(NULL, entry, devices->n, &best, 1) ||
                     htz_audio_pick_card(NULL, false, entry, devices->n, &best, 1) ||
                     (!inputs && htz_audio_pick_card(NULL, true, entry, devices->n, &best, 1));
  for (size_t i = 0; i < devices->n; ++i) {
    devices->item[i].preferred = found && i == best;
  }
  free(entry);
  return HTZ_OK;
}

static htz_status list(bool inputs, htz_audio_device** out, size_t* n) {
  htz_audio_devices devices = {0};
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < COUNT && !st; ++i) {
    if (registry[i]->list) {
      st = registry[i]->list(&devices, inputs);
    }
  }
  if (!st) {
    st = mark_preferred(&devices, inputs);
  }
  if (st) {
    free(devices.item);
    devices = (htz_audio_devices){0};
  }
  *out = devices.item;
  *n = devices.n;
  return st;
}

htz_status htz_audio_list(htz_audio_device** out, size_t* n) {
  return list(false, out, n);
}

htz_status htz_audio_list_inputs(htz_audio_device** out, size_t* n) {
  return list(true, out, n);
}
