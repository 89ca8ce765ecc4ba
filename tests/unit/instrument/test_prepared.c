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

/** What key `key` has on the strings, at points from 4 on. */
static htz_prepared_desc at_key(const htz_spec* spec, int key) {
  htz_prepared_desc d = {.n = 0};
  const size_t n = htz_spec_prepared_at(spec, key, 0, 0, 1, 4, &d);
  assert_int_equal(n, d.n);
  assert_int_equal(n, htz_spec_prepared_count(spec, key, 0));
  return d;
}

static void keys_get_what_the_file_says(void** state) {
  (void)state;
  htz_spec* spec = good(SCREW ", " RUBBER ", " RATTLE ", " BRIDGE);
  assert_true(spec->screws && spec->rubbers && spec->rattles && spec->loose_bridge);
  htz_prepared_desc d = at_key(spec, 62);
  assert_int_equal(d.n, 3); // no rattle on this key
  assert_int_equal(d.things[0].kind, HTZ_PREPARED_BRIDGE);
  assert_int_equal(d.things[1].kind, HTZ_PREPARED_SCREW);
  check_close(d.things[1].as.screw.at, 0.4, 1e-12);
  check_close(d.things[1].as.screw.mass, 0.002, 1e-12);
  assert_int_equal(d.things[1].point, 5);
  check_close(d.things[2].as.rubber.damping, 0.5, 1e-12);
  assert_true(d.things[2].as.rubber.between);
  check_close(d.things[0].as.loose.gap, 3e-5, 1e-12);
  d = at_key(spec, 61);
  assert_int_equal(d.n, 3);
  check_close(d.things[0].as.loose.gap, 2e-4, 1e-12);
  check_close(d.things[0].as.loose.spring_hz, 20.0, 1e-12);
  assert_true(isnan(d.things[0].as.loose.at_y));
  // Parameters show what the file gives on the key nearest to the middle that has it; the loose bridge's gap is the parameter's own.
  check_close(spec->params[HTZ_PARAM_SCREW_AT], 0.2, 1e-12);
  check_close(spec->params[HTZ_PARAM_RATTLE_GAP], 2e-4, 1e-12);
  check_close(spec->params[HTZ_PARAM_RUBBER_AT], 0.3, 1e-12);
  check_close(spec->params[HTZ_PARAM_BRIDGE_GAP], 3e-5, 1e-12);
  htz_spec_free(spec);
}

/** Several of a kind have names with a number; a parameter shows, and loose bridges go by, the first of them. */
static void there_may_be_several_of_a_kind(void** state) {
  (void)state;
  htz_spec* spec = good(BRIDGE ", bridge2: {on: s, at: 0.7, mass: 0.002, gap: 5.0e-5, spring: 9, " CONTACT "}, "
                               "screw3: {on: s, at: 0.1, mass: 0.001}, " SCREW ", screw12: {on: s, at: 0.3, mass: 0.001}");
  htz_prepared_desc d = at_key(spec, 60);
  assert_int_equal(d.n, 5);
  assert_string_equal(spec->prepared->things[4].name, "screw12");
  assert_int_equal(d.things[4].kind, HTZ_PREPARED_SCREW);
  check_close(d.things[4].as.screw.at, 0.3, 1e-12);
  assert_true(d.things[0].as.loose.gap_more == 0.0);
  double most = 0.0;
  for (uint32_t i = 0; i < d.n; ++i) {
    most =
        d.things[i].kind == HTZ_PREPARED_BRIDGE && d.things[i].as.loose.gap_more > most ? d.things[i].as.loose.gap_more : most;
  }
  check_close(most, 2e-5, 1e-9);
  check_close(spec->params[HTZ_PARAM_BRIDGE_GAP], 3e-5, 1e-12);
  check_close(spec->params[HTZ_PARAM_SCREW_AT], 0.2, 1e-12);
  htz_spec_free(spec);
}

/** Things follow their body, wherever it stands in the file. */
static void things_follow_their_body(void** state) {
  static const char text[] = "format: 1\nname: Test\nkeys: [60, 62]\n"
                             "per_key:\n"
                             "  box: {body: modal-list, frequencies: [90], t60: [0.4], mass: [2]}\n"
                             "  s: {body: string, length: 0.6, lin_density: 0.006, t60: 5, modes: 20}\n"
                             "feeds: [{from: s, to: box, at: 0.02, gain: 1}]\n"
                             "mallet: {strikes: s, mass: 0.008, speed: [0.1, 4], contact: {stiffness: 1.0e+9}}\n"
                             "preparations: {" SCREW "}\n"
                             "pickups: [{of: box}]\n";
  htz_diags diags;
  htz_spec* spec;
  (void)state;
  const htz_status st = htz_spec_parse("test.yaml", text, strlen(text), &spec, &diags);
  if (st) {
    print_error("%s\n", diags.item[0].text);
  }
  assert_int_equal(st, HTZ_OK);
  assert_string_equal(spec->bodies[spec->prepared->things[0].on].name, "s");
  assert_int_equal(at_key(spec, 60).n, 1);
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
  bad("screw0: {on: s, at: 0.2, mass: 0.002}", "", "screw0", "unknown key");
  bad("screw100: {on: s, at: 0.2, mass: 0.002}", "", "screw100", "unknown key");
  bad("screw2: {on: s, at: 0.2}", "", "{on", "screw2: missing key \"mass\"");
  bad("rubber: {on: s, at: 0.2, damping: -1}", "", "-1", "out of range");
  bad("rattle: {on: s, at: 0.2, mass: 0.001, gap: 0, " CONTACT "}", "", "{on", "nothing holds it there");
  bad("rattle: {on: s, at: 0.2, mass: 0.001, gap: 0, spring: {60: 5, 62: 0}, " CONTACT "}", "", NULL, "nothing holds");
  bad("rattle: {on: s, at: 0.2, at_y: 0.5, mass: 0.001, gap: 0, spring: 5, " CONTACT "}", "", "0.5", "");
  bad("bridge: {on: s, at: 0.2, mass: 0.001, gap: {60: 0, 62: 1}, spring: 5, " CONTACT "}", "", "{60", "expected a number");
  bad("rattle: {on: s, at: 0.2, mass: 0.001, gap: 0, spring: 5, contact: {}}", "", "{}", "missing key \"stiffness\"");
  char many[TEXT_MAX] = "screw: {on: s, at: 0.2, mass: 0.001, keys: [61]}";
  for (int i = 1; i <= 8; ++i) {
    char one[64];
    snprintf(one, sizeof one, ", screw%d: {on: s, at: 0.%d, mass: 0.001}", i, i);
    strcat(many, one);
  }
  bad(many, "", NULL, "preparations: 9 things at key 61; allowed: 8 a key");
  bad(SCREW, ", solver: house-plain, pool: 1", NULL, "alone with its body");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_get_what_the_file_says),     cmocka_unit_test(there_may_be_several_of_a_kind),
      cmocka_unit_test(things_follow_their_body),        cmocka_unit_test(parameters_are_there_with_what_they_move),
      cmocka_unit_test(faults_are_named_where_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
