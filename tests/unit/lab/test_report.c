// What an experiment writes into: rows, series, findings, verdicts, progress, failures.
#include "check.h"

#include "hertzian/lab/experiment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 1000, NAMES = 3 };

static void add_text(htz_lab_report* report, const char* name, double paper, double ours, double allowed) {
  char text[32];
  snprintf(text, sizeof text, "%s", name);
  htz_lab_find_out(report, &(htz_lab_finding){text, "%", paper, ours, allowed, NULL});
  memset(text, 'x', sizeof text - 1); // the report has its own copy
}

static htz_status fill(htz_lab_report* report, const char** why) {
  (void)why;
  for (int i = 0; i < ROWS; ++i) {
    char series[8];
    snprintf(series, sizeof series, "s%d", i % NAMES);
    htz_lab_row(report, series, (const double[]){i, i % 2 ? (double)NAN : 0.5 * i});
    htz_lab_progress(report, (double)(i + 1) / ROWS);
  }
  add_text(report, "near", 1.0, 1.25, 0.25);
  add_text(report, "far", 1.0, 1.25, 0.2);
  add_text(report, "unjudged", (double)NAN, 7.0, (double)NAN);
  add_text(report, "broken", 1.0, (double)NAN, 1.0);
  add_text(report, "exact", 0.0, 0.0, 0.0);
  return HTZ_OK;
}

static htz_status give_up(htz_lab_report* report, const char** why) {
  htz_lab_row(report, "half", (const double[]){1.0, 2.0});
  *why = "it must";
  return HTZ_UNSUPPORTED;
}

static const htz_lab_experiment filled = {.name = "filled", .n_columns = 2, .run = fill};
static const htz_lab_experiment failing = {.name = "failing", .n_columns = 2, .run = give_up};

static void told(void* context, double share) {
  double* last = context;
  assert_true(share >= *last);
  *last = share;
}

static void keeps_what_it_is_given(void** state) {
  (void)state;
  htz_lab_report* report;
  const char* why;
  const char* first_of[NAMES] = {NULL};
  double share = 0.0;
  assert_int_equal(htz_lab_run(&filled, told, &share, &report, &why), HTZ_OK);
  assert_true(share == 1.0);
  assert_int_equal(htz_lab_rows(report), ROWS);
  for (size_t i = 0; i < ROWS; ++i) {
    const char* series;
    char name[8];
    const double* row = htz_lab_row_at(report, i, &series);
    snprintf(name, sizeof name, "s%zu", i % NAMES);
    assert_string_equal(series, name);
    first_of[i % NAMES] = first_of[i % NAMES] ? first_of[i % NAMES] : series;
    assert_ptr_equal(series, first_of[i % NAMES]); // one copy each
    assert_true(row[0] == (double)i && (i % 2 ? isnan(row[1]) : row[1] == 0.5 * (double)i));
  }
  const char* series;
  assert_null(htz_lab_row_at(report, ROWS, &series));
  htz_lab_report_free(report);
}

static void judges(void** state) {
  (void)state;
  static const htz_lab_verdict verdicts[] = {HTZ_LAB_AGREES, HTZ_LAB_DISAGREES, HTZ_LAB_NOT_JUDGED, HTZ_LAB_DISAGREES,
                                             HTZ_LAB_AGREES};
  htz_lab_report* report;
  const char* why;
  assert_int_equal(htz_lab_run(&filled, NULL, NULL, &report, &why), HTZ_OK);
  assert_int_equal(htz_lab_findings(report), 5);
  for (size_t i = 0; i < 5; ++i) {
    assert_int_equal(htz_lab_judge(htz_lab_finding_at(report, i)), verdicts[i]);
  }
  assert_string_equal(htz_lab_finding_at(report, 1)->name, "far");
  assert_true(htz_lab_difference(htz_lab_finding_at(report, 0)) == 0.25);
  assert_null(htz_lab_finding_at(report, 5));
  htz_lab_report_free(report);
}

static void fails_with_a_reason(void** state) {
  (void)state;
  htz_lab_report* report = (htz_lab_report*)&report;
  const char* why;
  assert_int_equal(htz_lab_run(&failing, NULL, NULL, &report, &why), HTZ_UNSUPPORTED);
  assert_null(report);
  assert_string_equal(why, "it must");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_what_it_is_given), cmocka_unit_test(judges),
                                     cmocka_unit_test(fails_with_a_reason)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
