/*
   Preparations in instrument files: what a file may say of them, what it may not, and what its keys get.
*/
#include "check.h"

#include "hertzian/instrument/instrument.h"
#include "hertzian/instrument/spec_prepared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 2048, AT_LINE = 6 };

#define SCREW "screw: {on: s, at: {60: 0.2, 62: 0.4}, mass: 0.002, keys: [60, 62]}"
#define RUBBER "rubber: {on: s, at: 0.3, damping: 0.5, against: neighbours}"
#define CONTACT "contact: {stiffness: 1.0e+8}"
#define RATTLE "rattle: {on: s, at: 0.6, mass: 0.001, gap: 2.0e-4, spring: 20, keys: [61], " CONTACT "}"
#define BRIDGE "bridge: {on: s, at: 0.9, mass: 0.002, gap: 3.0e-5, gravity: 9.81, " CONTACT "}"

/** A file with strings under a mallet; `prepared` stands in line 6, `mallet` at the end of the mallet's map. */
static void write_text(char* text, const char* prepared, const char* mallet) {
  const int n = snprintf(text, TEXT_MAX,
                         "format: 1\nname: Test\nkeys: [60, 62]\n"
                         "per_key: {s: {body: string, length: 0.6, lin_density: 0.006, t60: 5, modes: 20}}\n"
                         "mallet: {strikes: s, mass: 0.008, speed: [0.1, 4], contact: {stiffness: 1.0e+9}%s}\n"
                         "preparations: {%s}\n"
                         "pickups: [{of: s, at: 0.9}]\n",
                         mallet, prepared);
  assert_true(n > 0 && n < TEXT_MAX);
}

static htz_spec* good(const char* prepared) {
  char text[TEXT_MAX];
  htz_diags diags;
  htz_spec* spec;
  write_text(text, prepared, "");
  const htz_status st = htz_spec_parse("test.yaml", text, strlen(text), &spec, &diags);
  if (st) {
    print_error("%s\n%s\n", diags.n ? diags.item[0].text : "no fault", text);
  }
  assert_int_equal(st, HTZ_OK);
  return spec;
}

/** One fault that says `says`, at the place of `at` in line 6, or 1:1 of the map where it is NULL. */
static void bad(const char* prepared, const char* mallet, const char* at, const char* says) {
  char text[TEXT_MAX];
  htz_diags diags;
  htz_spec* spec;
  write_text(text, prepared, mallet);
  assert_int_equal(htz_spec_parse("test.yaml", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
  if (diags.n != 1 || !strstr(diags.item[0].text, says) || diags.item[0].line != AT_LINE) {
    print_error("%zu faults, first in line %u: \"%s\"; wanted \"%s\"\n", diags.n, diags.item[0].line, diags.item[0].text, says);
    fail();
  }
  const char* line = strstr(text, "preparations:");
  const size_t column = at ? (size_t)(strstr(line, at) - line) + 1 : strlen("preparations: ") + 1;
  assert_int_equal(diags.item[0].column, column);
}

static void keys_get_what_the_file_says(void** state) {
  htz_prepared_desc d;
  (void)state;
  htz_spec* spec = good(SCREW ", " RUBBER ", " RATTLE ", " BRIDGE);
  assert_true(spec->screws && spec->rubbers && spec->rattles && spec->loose_bridge);
  assert_true(htz_spec_prepared_at(spec->prepared, 62, &d));
  check_close(d.screw.at, 0.4, 1e-12);
  check_close(d.screw.mass, 0.002, 1e-12);
  check_close(d.rubber.damping, 0.5, 1e-12);
  assert_true(d.rubber.between);
  assert_true(d.loose[HTZ_LOOSE_RATTLE].mass == 0.0); // not on this key
  check_close(d.loose[HTZ_LOOSE_BRIDGE].gap, 3e-5, 1e-12);
  assert_true(htz_spec_prepared_at(spec->prepared, 61, &d));
  assert_true(d.screw.mass == 0.0);
  check_close(d.loose[HTZ_LOOSE_RATTLE].gap, 2e-4, 1e-12);
  check_close(d.loose[HTZ_LOOSE_RATTLE].spring_hz, 20.0, 1e-12);
  assert_true(isnan(d.loose[HTZ_LOOSE_RATTLE].at_y));
  // Parameters show what the file gives on the key nearest to the middle that has it; the loose bridge's gap is the parameter's own.
  check_close(spec->params[HTZ_PARAM_SCREW_AT], 0.2, 1e-12);
  check_close(spec->params[HTZ_PARAM_RATTLE_GAP], 2e-4, 1e-12);
  check_close(spec->params[HTZ_PARAM_RUBBER_AT], 0.3, 1e-12);
  check_close(spec->params[HTZ_PARAM_BRIDGE_GAP], 3e-5, 1e-12);
  htz_spec_free(spec);
}

static void parameters_are_there_with_what_they_move(void** state) {
  (void)state;
  htz_spec* spec = good(SCREW);
  assert_true(htz_spec_param_used(spec, HTZ_PARAM_SCREW_MASS) && htz_spec_param_used(spec, HTZ_PARAM_SCREW_AT));
  assert_false(htz_spec_param_used(spec, HTZ_PARAM_RUBBER_LOSS) || htz_spec_param_used(spec, HTZ_PARAM_RATTLE_GAP));
  assert_false(htz_spec_param_used(spec, HTZ_PARAM_BRIDGE_GAP));
  htz_arena arena;
  htz_instrument* it;
  const char* why;
  assert_int_equal(htz_instrument_build(spec, 48000.0, htz_kernels_select(), NULL, &arena, &it, &why), HTZ_OK);
  assert_true(it->objects->influenced);
  assert_true(isnan(it->params[HTZ_PARAM_SCREW_AT])); // each key's own, until it is moved
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

static void faults_are_named_where_they_are(void** state) {
  (void)state;
  bad("screw: {on: s, at: 0.2}", "", "{on", "missing key \"mass\"");
  bad("screw: {on: t, at: 0.2, mass: 0.001}", "", "t, at", "on: ");
  bad("screw: {on: s, at: 1.2, mass: 0.001}", "", "1.2", "out of range; allowed: 0 to 1");
  bad("screw: {on: s, at: 0.2, mass: 0.001, between: inner}", "", "inner", "Allowed: all, outer");
  bad("screw: {on: s, at: 0.2, mass: 0.001, keys: [60, 60]}", "", "60]", "stands twice");
  bad("screws: {on: s, at: 0.2, mass: 0.002}", "", "screws", "did you mean \"screw\"");
  bad("rubber: {on: s, at: 0.2, damping: -1}", "", "-1", "out of range");
  bad("rattle: {on: s, at: 0.2, mass: 0.001, gap: 0, " CONTACT "}", "", "{on", "nothing holds it there");
  bad("rattle: {on: s, at: 0.2, mass: 0.001, gap: 0, spring: {60: 5, 62: 0}, " CONTACT "}", "", NULL, "nothing holds");
  bad("rattle: {on: s, at: 0.2, at_y: 0.5, mass: 0.001, gap: 0, spring: 5, " CONTACT "}", "", "0.5", "");
  bad("bridge: {on: s, at: 0.2, mass: 0.001, gap: {60: 0, 62: 1}, spring: 5, " CONTACT "}", "", "{60", "expected a number");
  bad("rattle: {on: s, at: 0.2, mass: 0.001, gap: 0, spring: 5, contact: {}}", "", "{}", "missing key \"stiffness\"");
  bad(SCREW, ", solver: house-plain, pool: 1", NULL, "alone with its body");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_get_what_the_file_says),
      cmocka_unit_test(parameters_are_there_with_what_they_move),
      cmocka_unit_test(faults_are_named_where_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
