#include "live_private.h"

#include <math.h>
#include <string.h>

static const double fade_s = 0.020;         // [s] of the closing fade: no click, no waiting
static const double load_smooth_s = 0.3;    // [s] time constant of the load shown
static const double count_every_s = 0.05;   // [s] between two passes over the engine's keys, for the status line
static const double guard_above = 0.85;     // share of a block's time at which the overload guard acts...
static const double guard_aim = 0.70;       // ... and that it aims at
static const double guard_smooth_s = 0.004; // [s] time constant of the load that it looks at
static const double guard_rest_s = 0.025;   // [s] until what it did can be seen: a damped key takes 10 ms to fall asleep
static const uint64_t guard_settle = 8;     // blocks at the start that pay for pages and caches

static const float loud = 1e-3f;       // -60 dBFS
static const float audible = 3.16e-5f; // -90 dBFS, as for the end of a render

enum { RELIEVE_MOST = 32 }; // keys at a time

static void count_up(atomic_uint_fast64_t* counter, uint64_t by) {
  // One writer: no read-modify-write is needed.
  atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + by, memory_order_relaxed);
}

static void count_xrun(htz_live* live) {
  atomic_store_explicit(&live->view.xrun_at, htz_engine_now(live->engine), memory_order_relaxed);
  atomic_fetch_add_explicit(&live->view.xruns, 1, memory_order_release);
}

static void raise(_Atomic float* to, float value) {
  if (value > atomic_load_explicit(to, memory_order_relaxed)) {
    atomic_store_explicit(to, value, memory_order_relaxed);
  }
}

// Level before the limiter, and what of it is beyond full scale.
static void meter(htz_live* live, const float* samples) {
  float level = 0.0f;
  uint64_t over = 0;
  for (size_t i = 0; i < HTZ_QUANTUM; i++) {
    const float left = fabsf(samples[2 * i]), right = fabsf(samples[2 * i + 1]);
    const float peak = left > right ? left : right;
    level = peak > level ? peak : level;
    over += peak > 1.0f;
  }
  if (level > 0.0f && atomic_load_explicit(&live->view.first_sound, memory_order_relaxed) == 0) {
    atomic_store_explicit(&live->view.first_sound, htz_engine_now(live->engine), memory_order_relaxed);
  }
  const uint64_t end = htz_engine_now(live->engine);
  if (level >= loud) {
    atomic_store_explicit(&live->view.loud_to, end, memory_order_relaxed);
  }
  if (level >= audible) {
    atomic_store_explicit(&live->view.audible_to, end, memory_order_relaxed);
  }
  raise(&live->view.level, level);
  raise(&live->view.level_max, level);
  if (over > 0) {
    count_up(&live->view.over, over);
  }
}

static void fade(htz_live* live, float* samples) {
  for (size_t i = 0; i < HTZ_QUANTUM; i++) {
    const float gain = (float)live->fade_left / (float)live->fade_length;
    samples[2 * i] *= gain;
    samples[2 * i + 1] *= gain;
    live->fade_left -= live->fade_left > 0;
  }
}

// The next HTZ_QUANTUM frames, interleaved.
static void quantum(void* user, float* both) {
  htz_live* live = user;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  if (live->fading && live->fade_left == 0) {
    memset(both, 0, HTZ_QUANTUM * 2 * sizeof *both);
    return;
  }
  const uint64_t now = htz_engine_now(live->engine);
  if (!live->fading) {
    htz_live_listen(live, now);
  }
  htz_live_drive(live, now);
  htz_engine_quantum(live->engine, left, right);
  for (size_t i = 0; i < HTZ_QUANTUM; i++) {
    both[2 * i] = left[i] * live->gain;
    both[2 * i + 1] = right[i] * live->gain;
  }
  if (live->fading) {
    fade(live, both);
  } else {
    // What is recorded is what was played: it ends where the closing fade begins.
    htz_recorder* recorder = atomic_load_explicit(&live->recorder, memory_order_acquire);
    if (recorder) {
      htz_recorder_push(recorder, now, both);
    }
    atomic_store_explicit(&live->view.frames, now + HTZ_QUANTUM, memory_order_relaxed);
    meter(live, both);
  }
  if (live->limit) {
    htz_limiter_run(&live->limiter, both, HTZ_QUANTUM);
  }
}

// What takes a pass over the engine's keys.
static void publish(htz_live* live) {
  const htz_engine_counters counters = htz_engine_count(live->engine);
  atomic_store_explicit(&live->view.ringing, counters.ringing, memory_order_relaxed);
  atomic_store_explicit(&live->view.sounding, !htz_engine_asleep(live->engine), memory_order_relaxed);
  atomic_store_explicit(&live->view.resets, counters.resets, memory_order_relaxed);
  atomic_store_explicit(&live->view.notes, live->map->counters.notes, memory_order_relaxed);
}

static void obey(htz_live* live) {
  const uint32_t panics = atomic_load_explicit(&live->panics, memory_order_relaxed);
  if (panics != live->panics_done && !live->fading) {
    live->panics_done = panics;
    htz_live_panic(live, htz_engine_now(live->engine));
  }
  if (!live->fading && atomic_load_explicit(&live->fade, memory_order_relaxed)) {
    live->fading = true;
    live->fade_length = (uint32_t)(fade_s * live->rate_hz);
    live->fade_left = live->fade_length;
  }
}

void htz_live_run(htz_live* live, float* out, uint32_t frames, double time_s, bool underflow) {
  if (underflow && !live->missed) {
    count_xrun(live);
  }
  live->missed = false;
  htz_clock_block(&live->clock, live->given, time_s);
  live->given += frames;
  htz_live_take_prebuilt(live);
  htz_live_obey_orders(live);
  obey(live);
  htz_blocks_fill(&live->blocks, quantum, live, out, frames);
  if (live->fading && live->fade_left == 0 && !atomic_load_explicit(&live->view.faded, memory_order_relaxed)) {
    publish(live);
    atomic_store_explicit(&live->view.faded, true, memory_order_release);
  }
}

/*
   More than the processor can do: the quietest keys are damped, in proportion. By the time that this thread had the processor, since
   damping keys does not help against a machine that is busy with other things.
*/
static void guard(htz_live* live, double block_s, double share) {
  // A block or two of hammers striking at once is no overload: drivers hold as much. Several are.
  live->busy += (share - live->busy) * (block_s / (block_s + guard_smooth_s));
  const double busy = live->busy;
  if (live->guard_rest > 0) {
    --live->guard_rest;
    return;
  }
  if (!(busy > guard_above) || atomic_load_explicit(&live->view.blocks, memory_order_relaxed) < guard_settle) {
    return;
  }
  const uint32_t ringing = htz_engine_count(live->engine).ringing;
  const double prebuilt = ceil(ringing * (1.0 - guard_aim / busy));
  const uint32_t keys = prebuilt < RELIEVE_MOST ? (uint32_t)prebuilt : RELIEVE_MOST;
  count_up(&live->view.relieved, htz_engine_relieve(live->engine, keys));
  live->guard_rest = (uint32_t)(guard_rest_s / live->block_s) + 1;
}

void htz_live_account(htz_live* live, uint32_t frames, double used_s, double busy_s) {
  htz_live_view* view = &live->view;
  const double block_s = frames / live->rate_hz;
  const float load = (float)(used_s / block_s);
  const float share = (float)(block_s / (block_s + load_smooth_s));
  live->load += (load - live->load) * share;
  atomic_store_explicit(&view->load, live->load, memory_order_relaxed);
  raise(&view->load_peak, load);
  raise(&view->load_max, load);
  raise(&view->busy_max, (float)(busy_s / block_s));
  count_up(&view->blocks, 1);
  if (used_s > block_s) {
    count_up(&view->late, 1);
  }
  if (used_s > live->deadline_s) {
    live->missed = true;
    count_xrun(live);
  }
  guard(live, block_s, busy_s / block_s);
  atomic_store_explicit(&view->limited, live->limiter.acted, memory_order_relaxed);
  atomic_store_explicit(&view->broken, live->limiter.broken, memory_order_relaxed);
  if (live->blocks_to_count > 0) {
    --live->blocks_to_count;
    return;
  }
  live->blocks_to_count = (uint32_t)(count_every_s / block_s);
  if (!live->fading) {
    publish(live);
    htz_live_retire(live);
  }
}
