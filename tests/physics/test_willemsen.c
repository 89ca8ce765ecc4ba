// Willemsen's systems: what the experiments state is there, no looser than promised, and the faults of the quadratised method show.
// That every judged finding agrees is the business of unit/lab/test_experiments.
#include "check.h"

#include "hertzian/lab/experiment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static htz_lab_report* run(const char* name) {
  htz_lab_report* report = NULL;
  const char* why = NULL;
  const htz_lab_experiment* e = htz_lab_find(name);
  assert_non_null(e);
  assert_int_equal(htz_lab_run(e, NULL, NULL, &report, &why), HTZ_OK);
  return report;
}

/** The one finding whose name begins and ends so. */
static const htz_lab_finding* finding(const htz_lab_report* report, const char* begins, const char* ends) {
  const htz_lab_finding* found = NULL;
  for (size_t i = 0; i < htz_lab_findings(report); ++i) {
    const htz_lab_finding* f = htz_lab_finding_at(report, i);
    const size_t length = strlen(f->name), tail = strlen(ends);
    if (strncmp(f->name, begins, strlen(begins)) == 0 && length >= tail && strcmp(f->name + length - tail, ends) == 0) {
      assert_null(found);
      found = f;
    }
  }
  if (!found) {
    fail_msg("no finding \"%s ... %s\"", begins, ends);
  }
  return found;
}

static void check_agrees(const htz_lab_finding* f, double no_looser_than) {
  assert_true(f->allowed <= no_looser_than);
  if (htz_lab_judge(f) != HTZ_LAB_AGREES) {
    fail_msg("%s: %.9g, not %.9g", f->name, f->ours, f->paper);
  }
}

static const char* const methods[] = {"newton", "plain", "cases", "release"};

/** Energy within 1e-9 under every method, and nothing pulls but the quadratised ones. */
static void check_lossless(const htz_lab_report* report) {
  for (int m = 0; m < 4; ++m) {
    check_agrees(finding(report, methods[m], "greatest change of energy"), 1e-9);
    check_above(finding(report, methods[m], "touches")->ours, 10.0);
  }
  check_agrees(finding(report, "newton", "greatest pull over greatest push"), 0.0);
  check_agrees(finding(report, "all methods", "unconverged steps"), 0.0);
}

static void a_mass_between_barriers_keeps_its_energy(void** state) {
  (void)state;
  htz_lab_report* report = run("willemsen-mass-barrier");
  check_lossless(report);
  // Six samples of contact: `plain` keeps most of the energy in the open contact, the release nothing but rounding.
  check_above(finding(report, "plain", "most stored while open, of all energy")->ours, 0.1);
  check_below(finding(report, "release", "most stored while open, of all energy")->ours, 1e-20);
  htz_lab_report_free(report);
}

static void the_forms_of_the_tromba_agree(void** state) {
  (void)state;
  htz_lab_report* report = run("willemsen-tromba-collision");
  check_lossless(report);
  check_agrees(finding(report, "(80) against (85)", "of the bridge's swing"), 1e-12);
  check_agrees(finding(report, "(80) against `plain`", "of the bridge's swing"), 1e-11);
  htz_lab_report_free(report);
  report = run("willemsen-tromba-spring-damped");
  check_agrees(finding(report, "section 7.2 against `plain`", "of the bridge's swing"), 1e-11);
  check_above(finding(report, "section 7.2,", "touches in those 50 ms")->ours, 1.0);
  check_below(finding(report, "newton", "energy at the end, of the first")->ours, 0.5); // string and plate lose more than that
  htz_lab_report_free(report);
}

/** The sign of (111): one keeps the energy of a barrier above, the inverted one misses it by more than was thrown in. */
static void the_sign_matters(void** state) {
  (void)state;
  htz_lab_report* report = run("willemsen-sign");
  check_agrees(finding(report, "(111)", "greatest change of energy, barrier above"), 1e-9);
  check_above(finding(report, "inverted", "greatest change of energy, barrier above")->ours, 1.0);
  check_above(finding(report, "inverted", "highest the mass gets")->ours,
              finding(report, "(111)", "highest the mass gets")->ours);
  htz_lab_report_free(report);
}

static void grid_strings_sound_where_they_should(void** state) {
  (void)state;
  htz_lab_report* report = run("grid-dispersion");
  check_agrees(finding(report, "tromba", "from the scheme's dispersion"), 0.1);
  check_below(finding(report, "steel 110 Hz", "partial 10 against the equation")->ours, -5.0); // the grid does detune [cent]
  htz_lab_report_free(report);
  report = run("grid-modal");
  check_agrees(finding(report, "hard hammer", "each partial at its own frequency"), 0.5);
  htz_lab_report_free(report);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mass_between_barriers_keeps_its_energy),
      cmocka_unit_test(the_forms_of_the_tromba_agree),
      cmocka_unit_test(the_sign_matters),
      cmocka_unit_test(grid_strings_sound_where_they_should),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
