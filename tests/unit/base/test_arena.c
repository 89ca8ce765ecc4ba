#include "check.h"

#include "hertzian/base/arena.h"

#include <string.h>

typedef struct {
  double* a;
  char* b;
  void* empty;
  int* c;
} thing;

static void build(htz_arena* arena, thing* out) {
  out->a = htz_arena_alloc(arena, 1000, sizeof *out->a);
  out->b = htz_arena_alloc(arena, 3, 1);
  out->empty = htz_arena_alloc(arena, 0, 8);
  out->c = htz_arena_alloc(arena, 17, sizeof *out->c);
}

static bool all_zero(const void* memory, size_t size) {
  const unsigned char* at = memory;
  for (size_t i = 0; i < size; ++i) {
    if (at[i]) {
      return false;
    }
  }
  return true;
}

static void check_thing(const thing* t) {
  const void* const parts[] = {t->a, t->b, t->empty, t->c};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    assert_non_null(parts[i]);
    assert_int_equal((uintptr_t)parts[i] % HTZ_ALIGN, 0);
  }
  assert_true(all_zero(t->a, 1000 * sizeof *t->a));
  assert_true(all_zero(t->b, 3));
  assert_true(all_zero(t->c, 17 * sizeof *t->c));
}

static void what_is_measured_is_what_is_needed(void** state) {
  (void)state;
  htz_arena arena;
  thing t;
  htz_arena_measure(&arena);
  build(&arena, &t);
  check_thing(&t);
  memset(t.a, 0xff, 1000 * sizeof *t.a); // the temporary memory can be used
  assert_false(arena.failed);
  const size_t need = arena.used;
  // 8000, 3, 0 and 68 bytes, each rounded up to a cache line.
  assert_int_equal(need, 8000 + 64 + 0 + 128);
  htz_arena_free(&arena);

  assert_int_equal(htz_arena_init(&arena, need), HTZ_OK);
  build(&arena, &t);
  check_thing(&t);
  assert_int_equal(arena.used, need);
  assert_false(arena.failed);
  memset(t.a, 0xff, 1000 * sizeof *t.a);
  memset(t.b, 0xff, 3);
  assert_true(all_zero(t.c, 17 * sizeof *t.c)); // parts do not overlap
  assert_null(htz_arena_alloc(&arena, 1, 1));   // and not a byte more
  assert_true(arena.failed);
  htz_arena_free(&arena);
}

static void a_refusal_stays(void** state) {
  (void)state;
  htz_arena arena;
  assert_int_equal(htz_arena_init(&arena, 128), HTZ_OK);
  assert_null(htz_arena_alloc(&arena, 129, 1));
  assert_true(arena.failed);
  assert_null(htz_arena_alloc(&arena, 1, 1)); // would fit, but one check at the end must be enough
  assert_int_equal(arena.used, 0);
  htz_arena_free(&arena);
  assert_false(arena.failed);
}

static void overflow_is_refused(void** state) {
  (void)state;
  const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 8 + 1, SIZE_MAX - 1};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    for (size_t size = 1; size <= 64; size *= 8) {
      htz_arena arena;
      htz_arena_measure(&arena);
      assert_null(htz_arena_alloc(&arena, counts[i], size));
      assert_true(arena.failed);
      htz_arena_free(&arena);
      assert_int_equal(htz_arena_init(&arena, 64), HTZ_OK);
      assert_null(htz_arena_alloc(&arena, counts[i], size));
      assert_true(arena.failed);
      htz_arena_free(&arena);
    }
  }
  htz_arena arena;
  assert_int_equal(htz_arena_init(&arena, SIZE_MAX - 8), HTZ_NO_MEMORY);
  assert_true(arena.failed);
  htz_arena_free(&arena);
}

static void an_empty_block_is_a_block(void** state) {
  (void)state;
  htz_arena arena;
  assert_int_equal(htz_arena_init(&arena, 0), HTZ_OK);
  assert_non_null(htz_arena_alloc(&arena, 0, 4));
  assert_null(htz_arena_alloc(&arena, 1, 4));
  htz_arena_free(&arena);
  htz_arena_free(&arena); // freeing twice is harmless
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_measured_is_what_is_needed),
      cmocka_unit_test(a_refusal_stays),
      cmocka_unit_test(overflow_is_refused),
      cmocka_unit_test(an_empty_block_is_a_block),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
