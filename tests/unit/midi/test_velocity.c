#include "check.h"

#include "hertzian/midi/velocity.h"

#include <locale.h>
#include <string.h>

static htz_velocity_curve parsed(const char* text) {
  htz_velocity_curve curve;
  char error[200] = "";
  const htz_status status = htz_velocity_parse(text, &curve, error, sizeof error);
  if (status) {
    print_error("%s\n", error);
  }
  assert_int_equal(status, HTZ_OK);
  for (int v = 0; v < HTZ_VELOCITIES; ++v) {
    assert_true(curve.out[v] >= 1.0 && curve.out[v] <= 127.0);
  }
  return curve;
}

static void linear_changes_nothing(void** state) {
  (void)state;
  const htz_velocity_curve curve = parsed("linear");
  htz_velocity_curve direct;
  htz_velocity_linear(&direct);
  for (int v = 1; v < HTZ_VELOCITIES; ++v) {
    assert_true(curve.out[v] == v);
    assert_true(htz_velocity_map(&curve, (uint8_t)v) == v);
    assert_true(direct.out[v] == v);
  }
}

static void soft_and_hard_are_inverse_and_keep_the_ends(void** state) {
  (void)state;
  const htz_velocity_curve soft = parsed("soft");
  const htz_velocity_curve hard = parsed("hard");
  assert_true(soft.out[1] == 1.0 && hard.out[1] == 1.0);
  check_near(soft.out[127], 127.0, 1e-12);
  check_near(hard.out[127], 127.0, 1e-12);
  for (int v = 2; v < 127; ++v) {
    assert_true(soft.out[v] > v && hard.out[v] < v);
    assert_true(soft.out[v] > soft.out[v - 1] && hard.out[v] > hard.out[v - 1]);
    // hard(soft(v)) = v: interpolating a convex table errs by at most h^2/8 of its second derivative, here below 0.03.
    const int low = (int)soft.out[v];
    const double part = soft.out[v] - low;
    check_near(hard.out[low] * (1.0 - part) + hard.out[low + 1] * part, (double)v, 0.03);
  }
}

static void fixed_is_one_velocity(void** state) {
  (void)state;
  const htz_velocity_curve curve = parsed("fixed=90");
  for (int v = 1; v < HTZ_VELOCITIES; ++v) {
    assert_true(curve.out[v] == 90.0);
  }
  assert_true(parsed("fixed=1").out[127] == 1.0);
  assert_true(parsed("fixed=127").out[1] == 127.0);
}

static void points_are_joined_by_lines(void** state) {
  (void)state;
  const htz_velocity_curve curve = parsed("curve=0:0,100:127");
  assert_true(curve.out[100] == 127.0 && curve.out[101] == 127.0 && curve.out[127] == 127.0);
  for (int v = 1; v < 100; ++v) {
    check_close(curve.out[v], v * 1.27, 1e-14); // two roundings
  }
  const htz_velocity_curve bent = parsed("curve=10:20,20:21.5,30:1,127:100.25");
  assert_true(bent.out[1] == 20.0 && bent.out[10] == 20.0);
  assert_true(bent.out[15] == 20.75 && bent.out[20] == 21.5);
  assert_true(bent.out[30] == 1.0 && bent.out[127] == 100.25);
  assert_true(parsed("curve=64:50").out[1] == 50.0);
  assert_true(parsed("curve=0:0,127:0").out[100] == 1.0); // never a velocity of 0
}

static void malformed_text_is_refused(void** state) {
  (void)state;
  static const char* const cases[][2] = {
      {"", "\"\" is none of linear, soft, hard"},
      {"Linear", "\"Linear\" is none of"},
      {"linear ", "is none of"},
      {"fixed", "is none of"},
      {"fixed=", "need a whole number from 1 to 127"},
      {"fixed=0", "need a whole number"},
      {"fixed=128", "need a whole number"},
      {"fixed=64.0", "need a whole number"},
      {"fixed=1,5", "fixed=1,5: need a whole number"},
      {"fixed= 5", "need a whole number"},
      {"fixed=+5", "need a whole number"},
      {"fixed=0x10", "need a whole number"},
      {"fixed=1e2", "need a whole number"},
      {"fixed=000000000000000000005", "need a whole number"},
      {"fixed=nan", "need a whole number"},
      {"curve=", "\"\" is not a point IN:OUT"},
      {"curve=0:0,", "\"\" is not a point"},
      {"curve=0", "\"0\" is not a point"},
      {"curve=0:0,1,5:3", "\"1\" is not a point"},
      {"curve=0:0,1:5:3", "\"1:5:3\" is not a point"},
      {"curve=0:0 ,100:127", "\"0:0 \" is not a point"},
      {"curve=0:0;100:127", "\"0:0;100:127\" is not a point"},
      {"curve=0.5:0", "\"0.5:0\" is not a point"},
      {"curve=0:-1", "\"0:-1\" is not a point"},
      {"curve=0:.5", "is not a point"},
      {"curve=0:5.", "is not a point"},
      {"curve=0:1.2.3", "is not a point"},
      {"curve=0:inf", "is not a point"},
      {"curve=0:0,128:127", "\"128:127\" goes beyond 127"},
      {"curve=0:127.5", "\"0:127.5\" goes beyond 127"},
      {"curve=5:1,5:2", "\"5:2\" does not come after the point at 5"},
      {"curve=50:1,5:2", "\"5:2\" does not come after the point at 50"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    htz_velocity_curve curve;
    memset(&curve, 0x5A, sizeof curve);
    const htz_velocity_curve before = curve;
    char error[160] = "";
    assert_int_equal(htz_velocity_parse(cases[i][0], &curve, error, sizeof error), HTZ_BAD_VALUE);
    if (!strstr(error, cases[i][1])) {
      fail_msg("\"%s\": \"%s\" lacks \"%s\"", cases[i][0], error, cases[i][1]);
    }
    assert_null(strchr(error, '\n'));
    assert_memory_equal(&curve, &before, sizeof curve);
  }
  htz_velocity_curve curve;
  assert_int_equal(htz_velocity_parse("x", &curve, NULL, 0), HTZ_BAD_VALUE);
}

static void a_comma_locale_changes_nothing(void** state) {
  (void)state;
  static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (setlocale(LC_ALL, names[i])) {
      break;
    }
  }
  assert_true(parsed("curve=0:1.5").out[1] == 1.5);
  setlocale(LC_ALL, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_changes_nothing),    cmocka_unit_test(soft_and_hard_are_inverse_and_keep_the_ends),
      cmocka_unit_test(fixed_is_one_velocity),     cmocka_unit_test(points_are_joined_by_lines),
      cmocka_unit_test(malformed_text_is_refused), cmocka_unit_test(a_comma_locale_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
