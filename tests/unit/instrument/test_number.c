#include "check.h"

#include "hertzian/instrument/number.h"
#include "hertzian/instrument/spec.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool parse(const char* text, double* value) {
  return htz_number_parse(text, strlen(text), value);
}

static void numbers_are_read_to_the_last_bit(void** state) {
  (void)state;
  // Written by the compiler, which rounds correctly; the parser must give the same.
  static const struct {
    const char* text;
    double value;
  } good[] = {
      {"0", 0.0},
      {"1.5", 1.5},
      {"-2", -2.0},
      {"+.5", 0.5},
      {"7.", 7.0},
      {"0.1", 0.1},
      {"4.0e+6", 4.0e6},
      {"1E-3", 1e-3},
      {"0.000123e4", 1.23},
      {"9007199254740993", 9007199254740993.0},
      {"2.2250738585072014e-308", 2.2250738585072014e-308},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"1e-400", 0.0},
      {"0.30000000000000004", 0.30000000000000004},
  };
  for (size_t i = 0; i < sizeof good / sizeof good[0]; ++i) {
    double value = NAN;
    assert_true(parse(good[i].text, &value));
    assert_memory_equal(&value, &good[i].value, sizeof value);
  }
}

static void anything_else_is_refused(void** state) {
  (void)state;
  static const char* const bad[] = {"",    ".",   "-",   "e5",   "1e",  "1e+",   "1,5", "1.5.2", " 1",       "1 ",    "0x10",
                                    "inf", "nan", "1_0", "1e5x", "--1", "1'000", "½",   "1e999", "-1e99999", "1.5kg", "true"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    double value = 42.0;
    assert_false(parse(bad[i], &value));
    assert_true(value == 42.0);
  }
  char digits[100];
  double value;
  memset(digits, '1', sizeof digits);
  assert_false(htz_number_parse(digits, sizeof digits, &value));
}

static void numbers_are_written_short(void** state) {
  (void)state;
  char text[HTZ_NUMBER_TEXT];
  assert_string_equal(htz_number_text(0.42, text), "0.42");
  assert_string_equal(htz_number_text(-1e-6, text), "-1e-06");
  assert_string_equal(htz_number_text(1234567.0, text), "1.23457e+06");
  assert_string_equal(htz_number_text(440.0, text), "440");
}

/** Choose a locale that writes one and a half as 1,5, making one if need be. @return false when this machine cannot */
static bool set_comma_locale(void) {
  static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "fr_FR.utf8", "it_IT.UTF-8"};
  for (unsigned attempt = 0; attempt < 2; ++attempt) {
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
      if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',') {
        return true;
      }
    }
    char here[1024];
    if (!getcwd(here, sizeof here) || system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1") != 0) {
      return false;
    }
    setenv("LOCPATH", here, 1);
  }
  return false;
}

static void a_comma_locale_changes_nothing(void** state) {
  (void)state;
  if (!set_comma_locale()) {
    skip();
  }
  double value = 0.0;
  char text[HTZ_NUMBER_TEXT], shown[HTZ_NUMBER_TEXT];
  const bool read = parse("1.5e-3", &value);
  const bool comma = parse("1,5", &(double){0.0});
  htz_number_text(0.25, text);
  snprintf(shown, sizeof shown, "%.2f", 0.25);
  htz_spec* spec;
  htz_diags diags;
  const htz_status st = htz_spec_load(HTZ_SOURCE_DIR "/instruments/glockenspiel.yaml", &spec, &diags);
  const double mass = st ? 0.0 : htz_table_at(&spec->mallet.mass, 80.0);
  htz_spec_free(spec);
  setlocale(LC_ALL, "C");
  assert_string_equal(shown, "0,25"); // the locale was at work
  assert_true(read && !comma);
  assert_true(value == 1.5e-3);
  assert_string_equal(text, "0.25");
  assert_int_equal(st, HTZ_OK);
  assert_true(mass > 0.005 && mass < 0.1); // not cut at the point
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_read_to_the_last_bit),
      cmocka_unit_test(anything_else_is_refused),
      cmocka_unit_test(numbers_are_written_short),
      cmocka_unit_test(a_comma_locale_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
