// A live performance without a device, whose clock is ours: what its tests share.
#ifndef HTZ_TEST_LIVE_SHOW_H
#define HTZ_TEST_LIVE_SHOW_H

#include "check.h"

#include "hertzian/host/live_pool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const char bars[] = "tests/fixtures/instruments/damped.yaml";

/** A performance whose clock is ours. */
typedef struct {
  htz_performance performance;
  htz_log log;
  htz_orchestra orchestra;
  htz_live* live;
  htz_live_pool pool;
  uint32_t frames;
  double time_s; // of the next block
} show;

static inline void open_show(show* s, uint32_t frames, bool asap) {
  char path[1024];
  memset(s, 0, sizeof *s);
  s->performance = (htz_performance){.channels = HTZ_MIDI_OMNI};
  htz_velocity_linear(&s->performance.velocity);
  snprintf(path, sizeof path, "%s/%s", HTZ_SOURCE_DIR, bars);
  assert_int_equal(htz_orchestra_load(&s->orchestra, path, &s->log), HTZ_OK);
  const htz_live_desc desc = {
      .rate_hz = rate_hz, .frames = frames, .performance = &s->performance, .limit = true, .asap = asap};
  assert_int_equal(htz_live_new(&desc, &s->live), HTZ_OK);
  htz_live_pool_init(&s->pool, &s->orchestra, &s->performance, s->live);
  s->frames = frames;
  s->time_s = 100.0;
}

static inline void build(show* s, unsigned parts) {
  const char* why = NULL;
  bool built = true;
  for (unsigned i = 0; i < parts; i++) {
    assert_int_equal(htz_live_pool_build(&s->pool, &built, &why), HTZ_OK);
    assert_true(built);
  }
}

static inline void close_show(show* s) {
  htz_live_pool_discard(&s->pool);
  htz_live_free(s->live);
  htz_live_pool_free(&s->pool);
  htz_orchestra_free(&s->orchestra);
}

static inline void run(show* s, uint32_t blocks, float* out) {
  float unused[2 * 8192];
  for (uint32_t b = 0; b < blocks; b++) {
    htz_live_run(s->live, out ? out + (size_t)b * s->frames * 2 : unused, s->frames, s->time_s, false);
    htz_live_account(s->live, s->frames, 0.0, 0.0);
    s->time_s += s->frames / rate_hz;
  }
}

static inline void stamp(show* s, size_t source, double time_s, const uint8_t* bytes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const htz_midi_stamped item = {time_s, bytes[i], HTZ_MIDI_IN_BYTE};
    assert_true(htz_ring_push(&s->live->midi[source], &item));
  }
}

static inline void note(show* s, size_t source, double time_s, uint8_t status, uint8_t key, uint8_t velocity) {
  const uint8_t bytes[] = {status, key, velocity};
  stamp(s, source, time_s, bytes, sizeof bytes);
}

static inline void lose(show* s, size_t source, double time_s) {
  const htz_midi_stamped item = {.time_s = time_s, .kind = HTZ_MIDI_IN_LOST};
  assert_true(htz_ring_push(&s->live->midi[source], &item));
}

static inline size_t heard(show* s, htz_midi_message* out, size_t room) {
  size_t n = 0;
  while (n < room && htz_ring_pop(&s->live->played, &out[n])) {
    n++;
  }
  return n;
}

#endif
