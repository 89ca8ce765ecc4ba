// Parameter changes from other threads: order, frames, and a live producer while the engine runs (for the thread sanitizer).
#include "check.h"

#include "sound/stage.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const char instrument[] = "tests/fixtures/instruments/damped.yaml";

static htz_param_change volume_at(uint64_t frame, double value) {
  return (htz_param_change){
      .frame = frame, .value = value, .ramp = 1, .part = 0, .key = HTZ_KEY_ALL, .index = HTZ_PARAM_VOLUME};
}

static void push(stage* s, size_t ring, htz_param_change change) {
  assert_true(htz_ring_push(htz_engine_ring(s->engine, ring), &change));
}

/** Sound of one held note whose volume is what the rings say. */
static void start_note(stage* s) {
  htz_engine_hold(s->engine, s->part, 72, true, htz_engine_now(s->engine));
  htz_engine_strike(s->engine, s->part, 72, 127.0, htz_engine_now(s->engine));
  stage_run(s, 50, NULL, NULL);
}

static void changes_act_at_their_frame(void** state) {
  (void)state;
  static float want[4 * HTZ_QUANTUM], got[4 * HTZ_QUANTUM], right[4 * HTZ_QUANTUM];
  stage s;
  stage_open(&s, instrument, rate_hz, 1);
  start_note(&s);
  stage_run(&s, 4, want, right);
  stage_close(&s);
  stage_open(&s, instrument, rate_hz, 1);
  start_note(&s);
  const uint64_t now = htz_engine_now(s.engine);
  // 37 frames into the third of these quanta; it waits in the ring until then.
  const uint64_t at = 2 * HTZ_QUANTUM + 37;
  push(&s, 0, volume_at(now + at, 0.0));
  stage_run(&s, 4, got, right);
  assert_memory_equal(got, want, at * sizeof(float));
  for (size_t i = at; i < (size_t)4 * HTZ_QUANTUM; ++i) {
    check_near((double)got[i], 0.0, 0.0); // ramp 1: silent from the frame itself
  }
  stage_close(&s);
}

static void later_pushes_win_at_one_frame(void** state) {
  (void)state;
  static float left[2 * HTZ_QUANTUM], right[2 * HTZ_QUANTUM];
  stage s;
  stage_open(&s, instrument, rate_hz, 1);
  start_note(&s);
  const uint64_t at = htz_engine_now(s.engine) + 10;
  push(&s, 0, volume_at(at, 0.0));
  push(&s, 0, volume_at(at, 100.0));
  push(&s, 0, volume_at(at, 0.0));
  stage_run(&s, 2, left, right);
  for (size_t i = 10; i < (size_t)2 * HTZ_QUANTUM; ++i) {
    check_near((double)left[i], 0.0, 0.0);
  }
  stage_close(&s);
}

static void rings_are_merged_by_frame(void** state) {
  (void)state;
  static float left[2 * HTZ_QUANTUM], right[2 * HTZ_QUANTUM];
  stage s;
  stage_open(&s, instrument, rate_hz, 3);
  start_note(&s);
  const uint64_t now = htz_engine_now(s.engine);
  // The last word by frame is in the first ring, though that is looked at first.
  push(&s, 0, volume_at(now + 50, 0.0));
  push(&s, 1, volume_at(now + 20, 127.0));
  push(&s, 2, volume_at(now + 40, 100.0));
  stage_run(&s, 2, left, right);
  for (size_t i = 50; i < (size_t)2 * HTZ_QUANTUM; ++i) {
    check_near((double)left[i], 0.0, 0.0);
  }
  assert_int_equal(htz_engine_count(s.engine).late, 0);
  stage_close(&s);
}

static void a_strike_finds_what_was_asked_before_it(void** state) {
  (void)state;
  // In one quantum: mallets four times as fast from frame 20 on. A strike at 10 is as ever, one at 20 is not.
  static float left[2][4 * HTZ_QUANTUM], right[4 * HTZ_QUANTUM];
  for (uint32_t i = 0; i < 2; ++i) {
    stage s;
    stage_open(&s, instrument, rate_hz, 1);
    push(&s, 0, (htz_param_change){.frame = 20, .value = 4.0, .part = 0, .key = HTZ_KEY_ALL, .index = HTZ_PARAM_MALLET_SPEED});
    htz_engine_strike(s.engine, s.part, 72, 60.0, 10 + 10 * i);
    stage_run(&s, 4, left[i], right);
    stage_close(&s);
  }
  double peak[2] = {0.0, 0.0};
  for (uint32_t i = 0; i < 2; ++i) {
    for (size_t n = 0; n < (size_t)4 * HTZ_QUANTUM; ++n) {
      peak[i] = fmax(peak[i], fabs((double)left[i][n]));
    }
  }
  check_above(peak[1], 3.0 * peak[0]);
}

static void past_frames_act_at_once(void** state) {
  (void)state;
  static float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  stage s;
  stage_open(&s, instrument, rate_hz, 1);
  start_note(&s);
  push(&s, 0, volume_at(5, 0.0));
  stage_run(&s, 1, left, right);
  check_near((double)left[HTZ_QUANTUM - 1], 0.0, 0.0);
  assert_int_equal(htz_engine_count(s.engine).late, 1);
  stage_close(&s);
}

static void nan_means_the_instruments_own(void** state) {
  (void)state;
  static float want[20 * HTZ_QUANTUM], got[20 * HTZ_QUANTUM], right[20 * HTZ_QUANTUM];
  for (int round = 0; round < 2; ++round) {
    stage s;
    stage_open(&s, instrument, rate_hz, 1);
    if (round) {
      for (uint32_t i = 0; i < HTZ_PARAM_BEND; ++i) {
        htz_param_change away = {.frame = 0, .value = 1.0, .part = 0, .key = HTZ_KEY_ALL, .index = i};
        push(&s, 0, away);
        away.value = (double)NAN;
        push(&s, 0, away);
      }
      stage_run(&s, 1, NULL, NULL);
    } else {
      stage_run(&s, 1, NULL, NULL);
    }
    htz_engine_strike(s.engine, s.part, 72, 100.0, htz_engine_now(s.engine));
    stage_run(&s, 20, round ? got : want, right);
    stage_close(&s);
  }
  assert_memory_equal(got, want, sizeof want);
}

typedef struct {
  htz_ring* ring;
  atomic_bool stop;
  uint64_t pushed, refused;
} producer;

/** A control thread that never rests: every parameter, every key, any frame. */
static void* produce(void* context) {
  producer* p = context;
  uint64_t seed = 99;
  while (!atomic_load_explicit(&p->stop, memory_order_relaxed)) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const uint32_t pick = (uint32_t)(seed >> 33);
    const htz_param_change change = {.frame = pick % 3 ? 0 : seed >> 50,
                                     .value = (double)(pick % 1000) * 0.01,
                                     .ramp = pick % 500,
                                     .part = 0,
                                     .key = (int16_t)(pick % 5 ? HTZ_KEY_ALL : (int)(pick / 7 % HTZ_KEYS)),
                                     .index = pick / 11 % HTZ_PARAM_COUNT};
    if (htz_ring_push(p->ring, &change)) {
      ++p->pushed;
    } else {
      ++p->refused;
    }
  }
  return NULL;
}

static void live_producers(void** state) {
  (void)state;
  enum { THREADS = 3, QUANTA = 600 };
  stage s;
  stage_open(&s, instrument, rate_hz, THREADS);
  producer p[THREADS];
  pthread_t thread[THREADS];
  for (size_t i = 0; i < THREADS; ++i) {
    p[i] = (producer){.ring = htz_engine_ring(s.engine, i)};
    atomic_init(&p[i].stop, false);
    assert_int_equal(pthread_create(&thread[i], NULL, produce, &p[i]), 0);
  }
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  for (int q = 0; q < QUANTA; ++q) {
    // On a machine with less processors than threads the producers have to be let in.
    for (int wait = 0; wait < 100000 && htz_ring_count(p[0].ring) == 0; ++wait) {
      sched_yield();
    }
    if (q % 10 == 0) {
      htz_engine_strike(s.engine, s.part, (uint32_t)(48 + q % 48), 100.0, htz_engine_now(s.engine));
    }
    stage_run(&s, 1, left, right);
    for (int i = 0; i < HTZ_QUANTUM; ++i) {
      assert_true(isfinite(left[i]) && isfinite(right[i]));
    }
  }
  uint64_t pushed = 0;
  for (size_t i = 0; i < THREADS; ++i) {
    atomic_store_explicit(&p[i].stop, true, memory_order_relaxed);
    pthread_join(thread[i], NULL);
    pushed += p[i].pushed;
    assert_int_equal(htz_ring_refused(htz_engine_ring(s.engine, i)), p[i].refused);
  }
  assert_true(pushed > QUANTA);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(changes_act_at_their_frame),
                                     cmocka_unit_test(later_pushes_win_at_one_frame),
                                     cmocka_unit_test(rings_are_merged_by_frame),
                                     cmocka_unit_test(past_frames_act_at_once),
                                     cmocka_unit_test(a_strike_finds_what_was_asked_before_it),
                                     cmocka_unit_test(nan_means_the_instruments_own),
                                     cmocka_unit_test(live_producers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
