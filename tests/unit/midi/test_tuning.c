// The pitch of every key: temperaments from their fifths, Scala's files, and what is wrong with some.
#include "check.h"

#include "hertzian/midi/tuning.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double fifth = 701.9550008653874;       // 3/2 [cent]
static const double syntonic = 21.506289596714758;   // 81/80
static const double pythagorean = 23.46001038464901; // 531441/524288
static const double table_digits = 2e-4;             // tables have four digits behind the point

static char scl[] = "/tmp/htz_test_tuning_XXXXXX.scl", kbm[] = "/tmp/htz_test_tuning_XXXXXX.kbm";

static int start(void** state) {
  static bool made;
  if (!made) {
    assert_true(close(mkstemps(scl, 4)) == 0 && close(mkstemps(kbm, 4)) == 0);
    made = true;
  }
  *state = calloc(1, sizeof(htz_diags));
  return 0;
}

static int end(void** state) {
  free(*state);
  return 0;
}

static void write_file(const char* path, const char* text) {
  FILE* f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  assert_int_equal(fclose(f), 0);
}

static htz_status make(void** state, const char* scale, const char* keymap, double a4, double* pitch) {
  const htz_tuning_wish wish = {.scale = scale, .keymap = keymap, .a4_hz = a4};
  return htz_tuning_make(&wish, pitch, *state);
}

static void equal_steps_and_another_a(void** state) {
  double pitch[HTZ_TUNING_KEYS];
  assert_int_equal(make(state, NULL, NULL, 0.0, pitch), HTZ_OK);
  for (int key = 0; key < HTZ_TUNING_KEYS; ++key) {
    check_near(pitch[key], key, 1e-9);
  }
  assert_int_equal(make(state, NULL, NULL, 415.0, pitch), HTZ_OK);
  check_near(pitch[69], 69.0 + 12.0 * log2(415.0 / 440.0), 1e-9);
  check_near(pitch[57] - pitch[69], -12.0, 1e-9);
  assert_int_equal(make(state, "31-EDO", NULL, 432.0, pitch), HTZ_OK);
  for (int key = 0; key < HTZ_TUNING_KEYS; ++key) {
    check_near(pitch[key], 69.0 + 12.0 * log2(432.0 / 440.0) + (key - 69) * 12.0 / 31.0, 1e-9);
  }
}

// From C up and down by fifths, each narrowed by a share of a comma; from the note `from` fifths from C to `to`.
static void expect_fifths(void** state, const char* name, const double narrow[11]) {
  double pitch[HTZ_TUNING_KEYS], at[12];
  assert_int_equal(make(state, name, NULL, 0.0, pitch), HTZ_OK);
  check_near(pitch[69], 69.0, 1e-9); // A is where it was
  double sum = 0.0;                  // of fifths from E flat, which is three below C
  double cents[12] = {0.0};
  for (int i = 1; i < 12; ++i) {
    sum += fifth - narrow[i - 1];
    cents[i] = sum;
  }
  for (int i = 0; i < 12; ++i) {
    at[(3 + 7 * i) % 12] = cents[i] - cents[3]; // C is the fourth of the chain
  }
  for (int class = 0; class < 12; ++class) {
    const double octaves = floor(at[class] / 1200.0);
    check_near(100.0 * (pitch[60 + class] - pitch[60]), at[class] - 1200.0 * octaves, table_digits);
    check_near(pitch[72 + class] - pitch[60 + class], 12.0, 1e-9);
  }
}

static void temperaments_are_made_of_their_fifths(void** state) {
  const double p = pythagorean, s = syntonic, schisma = p - s;
  // Eb-Bb Bb-F F-C C-G G-D D-A A-E E-B B-F# F#-C# C#-G#
  expect_fifths(state, "equal",
                (double[]){p / 12, p / 12, p / 12, p / 12, p / 12, p / 12, p / 12, p / 12, p / 12, p / 12, p / 12});
  expect_fifths(state, "pythagorean", (double[11]){0.0});
  expect_fifths(state, "Meantone", (double[]){s / 4, s / 4, s / 4, s / 4, s / 4, s / 4, s / 4, s / 4, s / 4, s / 4, s / 4});
  expect_fifths(state, "werckmeister", (double[]){0, 0, 0, p / 4, p / 4, p / 4, 0, 0, p / 4, 0, 0});
  expect_fifths(state, "kirnberger", (double[]){0, 0, 0, s / 4, s / 4, s / 4, s / 4, 0, 0, schisma, 0});
  expect_fifths(state, "vallotti", (double[]){0, 0, p / 6, p / 6, p / 6, p / 6, p / 6, p / 6, 0, 0, 0});
  expect_fifths(state, "young", (double[]){0, 0, 0, p / 6, p / 6, p / 6, p / 6, p / 6, p / 6, 0, 0});
}

static void just_intonation_has_its_ratios(void** state) {
  static const double ratios[12] = {1.0,       16.0 / 15, 9.0 / 8, 6.0 / 5, 5.0 / 4, 4.0 / 3,
                                    45.0 / 32, 3.0 / 2,   8.0 / 5, 5.0 / 3, 9.0 / 5, 15.0 / 8};
  double pitch[HTZ_TUNING_KEYS];
  assert_int_equal(make(state, "just", NULL, 0.0, pitch), HTZ_OK);
  for (int class = 0; class < 12; ++class) {
    check_near(100.0 * (pitch[60 + class] - pitch[60]), 1200.0 * log2(ratios[class]), table_digits);
  }
}

static void scala_files_are_read_as_scala_does(void** state) {
  double pitch[HTZ_TUNING_KEYS];
  write_file(scl, "! a comment\r\n\r\n 4\r\n!\r\n100.5 cents\r\n 3/2 a fifth\r\n5\r\n2400.\r\n");
  assert_int_equal(make(state, scl, NULL, 0.0, pitch), HTZ_OK); // an empty description
  check_near(pitch[60], 60.0, 1e-9);
  check_near(pitch[61], 61.005, 1e-9);
  check_near(pitch[62], 60.0 + fifth / 100.0, 1e-9);
  check_near(pitch[63], 60.0 + 12.0 * log2(5.0), 1e-9);
  check_near(pitch[64], 84.0, 1e-9);
  check_near(pitch[59], 60.0 + 12.0 * log2(5.0) - 24.0, 1e-9);
  assert_int_equal(make(state, scl, NULL, 432.0, pitch), HTZ_OK);
  check_near(pitch[60], 60.0 + 12.0 * log2(432.0 / 440.0), 1e-9);
}

static void a_keymap_says_what_sounds_and_what_is_silent(void** state) {
  double pitch[HTZ_TUNING_KEYS];
  write_file(scl, "x\n5\n200.0\n400.0\n700.0\n900.0\n2/1\n");
  // White keys but E and B, from C; the map has an entry less than it says.
  write_file(kbm, "! map\n12\n24\n96\n60\n69\n432.0\n5\n0\nx\n1\nx\nx\n2\nx\n3\nx\n4\nx\n");
  assert_int_equal(make(state, scl, kbm, 0.0, pitch), HTZ_OK);
  const double a = 69.0 + 12.0 * log2(432.0 / 440.0);
  check_near(pitch[69], a, 1e-9); // degree 4 is at 900 cents
  check_near(pitch[60], a - 9.0, 1e-9);
  check_near(pitch[65], a - 5.0, 1e-9);
  check_near(pitch[72], a + 3.0, 1e-9);
  check_near(pitch[48], a - 21.0, 1e-9);
  assert_true(isnan(pitch[61]) && isnan(pitch[64]) && isnan(pitch[71]));
  check_near(pitch[97], 97.0, 1e-12); // beyond what is retuned
  check_near(pitch[23], 23.0, 1e-12);
  write_file(kbm, "0\n0\n127\n60\n69\n440.0\n0\n");
  assert_int_equal(make(state, "31-edo", kbm, 0.0, pitch), HTZ_OK);
  check_near(pitch[69], 69.0, 1e-9);
  check_near(pitch[38], 57.0, 1e-9);
  assert_int_equal(make(state, "31-edo", kbm, 432.0, pitch), HTZ_BAD_VALUE);
}

static void faults(void** state, const char* path, const char* text, size_t n, unsigned line, unsigned column,
                   const char* part) {
  double pitch[HTZ_TUNING_KEYS];
  const htz_diags* diags = *state;
  write_file(path, text);
  assert_int_equal(make(state, path == scl ? scl : NULL, path == kbm ? kbm : NULL, 0.0, pitch), HTZ_BAD_INPUT);
  assert_int_equal(diags->n, n);
  assert_int_equal(diags->item[0].line, line);
  assert_int_equal(diags->item[0].column, column);
  assert_string_equal(diags->file, path);
  if (!strstr(diags->item[0].text, part)) {
    fail_msg("%s does not say: %s", diags->item[0].text, part);
  }
}

static void faults_are_said_where_they_are(void** state) {
  faults(state, scl, "", 1, 0, 0, "empty");
  faults(state, scl, "x\n", 1, 1, 0, "number of notes");
  faults(state, scl, "x\n 0\n", 1, 2, 2, "1 to 1200");
  faults(state, scl, "x\n1\nx\n", 1, 3, 1, "not a pitch");
  faults(state, scl, "x\n3\n1/0\n-3/2\n1e3\n", 3, 3, 1, "not a pitch");
  faults(state, scl, "x\n2\n100.0\n1,5.0\n", 1, 4, 1, "cents");
  faults(state, scl, "x\n2\n!\n100.0\n", 1, 4, 0, "ends after 1 of 2");
  faults(state, scl, "x\n1\n0.0\n", 1, 3, 1, "above the first");
  faults(state, kbm, "12\n0\n127\n", 1, 3, 0, "middle key");
  faults(state, kbm, "12\n0\n128\n60\n69\n-1\n0\n", 2, 3, 1, "0 to 127");
  faults(state, kbm, "2\n0\n127\n60\n61\n440\n0\n0\nx\n", 1, 9, 1, "reference key 61");
  faults(state, kbm, "2\n0\n127\n60\n60\n440\n0\n0\ny\n", 1, 9, 1, "where it is not x");
}

static void what_is_not_there_is_said(void** state) {
  double pitch[HTZ_TUNING_KEYS];
  const htz_diags* diags = *state;
  assert_int_equal(make(state, "wreckmeister", NULL, 0.0, pitch), HTZ_NOT_FOUND);
  assert_non_null(strstr(diags->item[0].text, "did you mean werckmeister"));
  assert_int_equal(make(state, "no/such.scl", NULL, 0.0, pitch), HTZ_NOT_FOUND);
  assert_int_equal(diags->n, 1);
  assert_int_equal(make(state, "0-edo", NULL, 0.0, pitch), HTZ_NOT_FOUND);
  assert_int_equal(make(state, "1201-edo", NULL, 0.0, pitch), HTZ_NOT_FOUND);
  unlink(scl);
  unlink(kbm);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(equal_steps_and_another_a),
      TEST(temperaments_are_made_of_their_fifths),
      TEST(just_intonation_has_its_ratios),
      TEST(scala_files_are_read_as_scala_does),
      TEST(a_keymap_says_what_sounds_and_what_is_silent),
      TEST(faults_are_said_where_they_are),
      TEST(what_is_not_there_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
