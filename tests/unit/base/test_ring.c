#include "check.h"

#include "hertzian/base/ring.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

// Three bytes: an odd size, so that a wrong stride shows.
typedef struct {
  unsigned char bytes[3];
} odd;

static void capacities_round_up_and_bad_ones_are_refused(void** state) {
  (void)state;
  htz_arena arena;
  htz_ring ring;
  htz_arena_measure(&arena);
  assert_int_equal(htz_ring_init(&ring, 0, 4, &arena), HTZ_BAD_VALUE);
  assert_int_equal(htz_ring_init(&ring, 4, 0, &arena), HTZ_BAD_VALUE);
  assert_int_equal(htz_ring_init(&ring, SIZE_MAX, 1, &arena), HTZ_BAD_VALUE);
  assert_false(arena.failed);
  assert_int_equal(htz_ring_init(&ring, 5, sizeof(odd), &arena), HTZ_OK);
  assert_int_equal(ring.mask, 7);
  assert_int_equal(htz_ring_init(&ring, 8, sizeof(odd), &arena), HTZ_OK);
  assert_int_equal(ring.mask, 7);
  assert_int_equal(htz_ring_init(&ring, SIZE_MAX / 2 + 1, 4, &arena), HTZ_NO_MEMORY);
  htz_arena_free(&arena);
}

static void fill_drain(htz_ring* ring, unsigned char first) {
  odd item;
  for (unsigned char i = 0; i < 4; ++i) {
    item = (odd){{(unsigned char)(first + i), 1, 2}};
    assert_int_equal(htz_ring_count(ring), i);
    assert_true(htz_ring_push(ring, &item));
  }
  assert_int_equal(htz_ring_count(ring), 4);
  const uint64_t before = htz_ring_refused(ring);
  assert_false(htz_ring_push(ring, &item));
  assert_false(htz_ring_push(ring, &item));
  assert_int_equal(htz_ring_refused(ring), before + 2);
  for (unsigned char i = 0; i < 4; ++i) {
    odd peeked;
    assert_true(htz_ring_peek(ring, &peeked));
    assert_int_equal(htz_ring_count(ring), 4 - i); // a peek takes nothing away
    assert_true(htz_ring_pop(ring, i == 2 ? NULL : &item));
    assert_int_equal(peeked.bytes[0], (unsigned char)(first + i));
    assert_int_equal(peeked.bytes[2], 2);
    if (i != 2) {
      assert_memory_equal(&peeked, &item, sizeof item);
    }
  }
  assert_false(htz_ring_peek(ring, &item));
  assert_false(htz_ring_pop(ring, &item));
  assert_false(htz_ring_pop(ring, NULL));
}

static void items_come_out_in_order_across_the_wrap(void** state) {
  (void)state;
  htz_arena arena;
  htz_ring ring;
  htz_arena_measure(&arena);
  assert_int_equal(htz_ring_init(&ring, 4, sizeof(odd), &arena), HTZ_OK);
  for (unsigned char round = 0; round < 20; ++round) {
    const odd item = {{0, 0, 0}};
    fill_drain(&ring, round);
    assert_true(htz_ring_push(&ring, &item)); // shift the phase by one slot
    assert_true(htz_ring_pop(&ring, NULL));
  }
  // The indices themselves wrap after 2^64 items: put them just before.
  atomic_store(&ring.head, SIZE_MAX - 1);
  atomic_store(&ring.tail, SIZE_MAX - 1);
  fill_drain(&ring, 100);
  fill_drain(&ring, 200);
  htz_arena_free(&arena);
}

// ---- two threads. The item is larger than a word and checks itself, so that a torn or early read shows.

enum { SENT = 200000, CAPACITY = 64, WORDS = 5 };

typedef struct {
  uint64_t word[WORDS];
} message;

typedef struct {
  htz_ring ring;
  uint64_t refusals; // as the producer saw them
} shared;

static void* produce(void* context) {
  shared* s = context;
  for (uint64_t i = 0; i < SENT; ++i) {
    message m;
    for (uint64_t w = 0; w < WORDS; ++w) {
      m.word[w] = i * (w + 1);
    }
    while (!htz_ring_push(&s->ring, &m)) {
      ++s->refusals;
      sched_yield();
    }
  }
  return NULL;
}

static void nothing_is_lost_between_two_threads(void** state) {
  (void)state;
  htz_arena arena;
  shared s = {.refusals = 0};
  htz_arena_measure(&arena);
  assert_int_equal(htz_ring_init(&s.ring, CAPACITY, sizeof(message), &arena), HTZ_OK);
  pthread_t producer;
  assert_int_equal(pthread_create(&producer, NULL, produce, &s), 0);
  size_t faults = 0;
  for (uint64_t i = 0; i < SENT;) {
    message m;
    if (htz_ring_count(&s.ring) > CAPACITY) {
      ++faults;
    }
    if (!htz_ring_pop(&s.ring, &m)) {
      sched_yield();
      continue;
    }
    for (uint64_t w = 0; w < WORDS; ++w) {
      faults += m.word[w] != i * (w + 1);
    }
    ++i;
    // Let it run full now and then, so that refusals happen too.
    if (i % 4096 == 0) {
      while (htz_ring_count(&s.ring) < CAPACITY && i + CAPACITY < SENT) {
        sched_yield();
      }
      const uint64_t before = htz_ring_refused(&s.ring);
      while (i + 2 * CAPACITY < SENT && htz_ring_refused(&s.ring) == before) {
        sched_yield();
      }
    }
  }
  assert_int_equal(pthread_join(producer, NULL), 0);
  assert_int_equal(faults, 0);
  assert_int_equal(htz_ring_count(&s.ring), 0);
  assert_true(s.refusals > 0);
  assert_int_equal(htz_ring_refused(&s.ring), s.refusals);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(capacities_round_up_and_bad_ones_are_refused),
      cmocka_unit_test(items_come_out_in_order_across_the_wrap),
      cmocka_unit_test(nothing_is_lost_between_two_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
