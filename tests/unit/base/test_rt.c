#include "check.h"

#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"

#include <float.h>
#include <pthread.h>
#include <string.h>

static void* other_thread(void* context) {
  bool* inside = context;
  *inside = htz_rt_inside();
  return NULL;
}

static void sections_nest_and_belong_to_one_thread(void** state) {
  (void)state;
  assert_false(htz_rt_inside());
  htz_rt_leave(); // one too many does no harm
  assert_false(htz_rt_inside());
  htz_rt_enter();
  htz_rt_enter();
  htz_rt_leave();
  assert_true(htz_rt_inside());
  bool inside_elsewhere = true;
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, other_thread, &inside_elsewhere), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_false(inside_elsewhere);
  htz_rt_leave();
  assert_false(htz_rt_inside());
}

#if defined(__SSE__) || defined(__aarch64__)

// Halved in a register of the thread that asks: volatile keeps the compiler from doing it for us.
static double half(double x) {
  volatile double value = x;
  value = value * 0.5;
  return value;
}

static double twice(double x) {
  volatile double value = x;
  value = value * 2.0;
  return value;
}

static void* flushed(void* context) {
  double* got = context;
  htz_rt_flush_denormals();
  got[0] = half(DBL_MIN);         // a denormal result
  got[1] = twice(DBL_MIN * 0.75); // a denormal operand (folded by the compiler, so it is one when it gets there)
  got[2] = half(DBL_MIN * 4.0);   // a normal one is left alone
  return NULL;
}

static void denormals_are_zero_on_the_thread_that_asked(void** state) {
  (void)state;
  double got[3] = {1.0, 1.0, 1.0};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, flushed, got), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_true(got[0] == 0.0);
  assert_true(got[1] == 0.0);
  assert_true(got[2] == DBL_MIN * 2.0);
  assert_true(half(DBL_MIN) > 0.0); // this thread did not ask
}

#else

static void denormals_are_zero_on_the_thread_that_asked(void** state) {
  (void)state;
  skip();
}

#endif

static void every_status_has_its_own_text(void** state) {
  (void)state;
  for (int a = HTZ_OK; a <= HTZ_NO_FILES; ++a) {
    assert_non_null(htz_status_text((htz_status)a));
    for (int b = HTZ_OK; b < a; ++b) {
      assert_string_not_equal(htz_status_text((htz_status)a), htz_status_text((htz_status)b));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_nest_and_belong_to_one_thread),
      cmocka_unit_test(denormals_are_zero_on_the_thread_that_asked),
      cmocka_unit_test(every_status_has_its_own_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
