// Every experiment of the registry: it runs, says what it is, and each finding that is judged agrees. Those of minutes run with
// HERTZIAN_LONG set.
#include "check.h"

#include "hertzian/lab/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Names are typed in shells; headings are read by programs. */
static bool plain(const char* name, const char* letters) {
  return name[0] != '\0' && strspn(name, letters) == strlen(name);
}

static void check_described(const htz_lab_experiment* e) {
  assert_true(plain(e->name, "abcdefghijklmnopqrstuvwxyz0123456789-"));
  assert_ptr_equal(htz_lab_find(e->name), e);
  assert_true(e->paper && e->title && e->about);
  assert_null(strchr(e->title, '\n'));
  assert_true(e->n_columns > 0 && e->n_columns <= HTZ_LAB_COLUMNS_MAX);
  for (unsigned c = 0; c < e->n_columns; ++c) {
    assert_true(plain(e->columns[c].name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"));
    assert_non_null(e->columns[c].unit);
  }
  const htz_lab_plot* const plots[] = {&e->plot, &e->beside, &e->third};
  for (size_t p = 0; p < 3; ++p) {
    for (unsigned c = 0; c < plots[p]->n_curves; ++c) {
      assert_true(plots[p]->curves[c].x < e->n_columns && plots[p]->curves[c].y < e->n_columns);
    }
  }
}

/** A picture of one series only: there is that series, with something in the range that is drawn. */
static void check_drawn(const htz_lab_experiment* e, const htz_lab_report* report) {
  const htz_lab_plot* const plots[] = {&e->plot, &e->beside, &e->third};
  for (size_t p = 0; p < 3; ++p) {
    size_t n = 0;
    for (size_t i = 0; i < htz_lab_rows(report) && plots[p]->n_curves > 0; ++i) {
      const char* series = "";
      const double x = htz_lab_row_at(report, i, &series)[plots[p]->curves[0].x];
      n += (!plots[p]->only || strcmp(plots[p]->only, series) == 0) && (plots[p]->x_most == 0.0 || x <= plots[p]->x_most);
    }
    assert_true(plots[p]->n_curves == 0 || n > 1);
  }
}

static size_t judged(const htz_lab_experiment* e, const htz_lab_report* report) {
  size_t n = 0;
  for (size_t i = 0; i < htz_lab_findings(report); ++i) {
    const htz_lab_finding* f = htz_lab_finding_at(report, i);
    const htz_lab_verdict verdict = htz_lab_judge(f);
    if (verdict == HTZ_LAB_DISAGREES) {
      fail_msg("%s: %s: %.10g, the paper has %.10g, allowed is %.3g", e->name, f->name, f->ours, f->paper, f->allowed);
    }
    n += verdict == HTZ_LAB_AGREES;
  }
  return n;
}

static void every_one_agrees(void** state) {
  (void)state;
  for (size_t i = 0; htz_lab_at(i); ++i) {
    const htz_lab_experiment* e = htz_lab_at(i);
    htz_lab_report* report;
    const char* why;
    check_described(e);
    if (e->minutes && !getenv("HERTZIAN_LONG")) {
      continue;
    }
    const htz_status st = htz_lab_run(e, NULL, NULL, &report, &why);
    if (st) {
      fail_msg("%s: %s", e->name, why);
    }
    assert_true(htz_lab_rows(report) > 0);
    assert_true(htz_lab_findings(report) > 0);
    judged(e, report);
    check_drawn(e, report);
    htz_lab_report_free(report);
  }
}

/** The printed errors of table 1: 24 of the paper's methods and one of the resolutions, each to its last digit; six of ours. */
static void table_1_is_judged_whole(void** state) {
  (void)state;
  const htz_lab_experiment* e = htz_lab_find("papetti-table1");
  htz_lab_report* report;
  const char* why;
  assert_non_null(e);
  assert_int_equal(htz_lab_run(e, NULL, NULL, &report, &why), HTZ_OK);
  assert_int_equal(judged(e, report), 31);
  for (size_t i = 0; i < 24; ++i) {
    const htz_lab_finding* f = htz_lab_finding_at(report, i);
    assert_true(f->allowed <= (f->note && strstr(f->note, "rounding") ? 1.001e-3 : 5.001e-4));
  }
  htz_lab_report_free(report);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_one_agrees), cmocka_unit_test(table_1_is_judged_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
