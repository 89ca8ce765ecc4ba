#include "check.h"

#include "hertzian/instrument/instrument.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static htz_spec* parse(const char* text) {
  htz_spec* spec;
  htz_diags diags;
  if (htz_spec_parse("t.yaml", text, strlen(text), &spec, &diags)) {
    htz_diags_print(&diags, stdout);
  }
  assert_non_null(spec);
  return spec;
}

static void a_table_is_read_by_ratio_and_goes_on(void** state) {
  (void)state;
  const double key[] = {45.0, 57.0, 96.0}, value[] = {8.0, 2.0, 1.0};
  const htz_table t = {3, key, value, true, 0.5, 100.0};
  assert_true(htz_table_at(&t, 45.0) == 8.0);
  assert_true(htz_table_at(&t, 57.0) == 2.0);
  assert_true(htz_table_at(&t, 96.0) == 1.0);
  check_close(htz_table_at(&t, 51.0), 4.0, 1e-14);              // half way by ratio
  check_close(htz_table_at(&t, 33.0), 32.0, 1e-14);             // the first slope goes on
  check_close(htz_table_at(&t, 96.0 + 19.5), sqrt(0.5), 1e-14); // the last one, half its length further
  assert_true(htz_table_at(&t, 127.0 + 39.0) == 0.5);           // limited
  assert_true(htz_table_at(&t, -100.0) == 100.0);

  const double signs[] = {-1.0, 1.0, 3.0};
  const htz_table linear = {3, key, signs, false, -10.0, 10.0};
  check_near(htz_table_at(&linear, 51.0), 0.0, 1e-15);
  check_close(htz_table_at(&linear, 33.0), -3.0, 1e-14);

  const htz_table constant = {1, key, value, true, 0.0, 100.0};
  assert_true(htz_table_at(&constant, 0.0) == 8.0 && htz_table_at(&constant, 127.0) == 8.0);
  const htz_table none = {0};
  assert_true(isnan(htz_table_at(&none, 60.0)));
}

#define HEAD "format: 1\nname: T\nkeys: [60, 72]\n"
#define MALLET "mallet: {strikes: bar, mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\n"

static void bodies_are_sorted_along_the_feeds(void** state) {
  (void)state;
  htz_spec* spec = parse(HEAD "per_key:\n"
                              "  last: {body: modal-list, ratios: 3, q: 20}\n"
                              "  first: {body: modal-list, ratios: 1, q: 20}\n"
                              "  bar: {body: bar, mass: 0.3}\n" MALLET "feeds:\n"
                              "  - {from: first, to: last, gain: 2}\n"
                              "  - {from: bar, to: first, gain: 1}\n"
                              "  - {from: bar, to: last, gain: 3}\n"
                              "pickups: [{of: last}, {of: bar}]\n");
  assert_string_equal(spec->bodies[0].name, "bar");
  assert_string_equal(spec->bodies[1].name, "first");
  assert_string_equal(spec->bodies[2].name, "last");
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    assert_true(spec->feeds[f].from < spec->feeds[f].to);
  }
  assert_int_equal(spec->pickups[0].of, 2);
  assert_int_equal(spec->pickups[1].of, 0);
  assert_true(htz_table_at(&spec->feeds[0].gain, 60.0) == 2.0);
  htz_spec_free(spec);
}

static void feeds_in_a_circle_and_idle_bodies_are_refused(void** state) {
  (void)state;
  static const char* const texts[] = {
      HEAD "per_key: {bar: {body: bar, mass: 0.3}, a: {body: modal-list, ratios: 1, q: 9}, b: {body: modal-list, ratios: 1, q: "
           "9}}\n" MALLET "feeds: [{from: a, to: b, gain: 1}, {from: b, to: a, gain: 1}]\npickups: [{of: bar}]\n",
      HEAD "per_key: {bar: {body: bar, mass: 0.3}, a: {body: modal-list, ratios: 1, q: 9}}\n" MALLET "pickups: [{of: bar}]\n",
  };
  static const char* const says[] = {"in a circle", "nothing moves \"a\""};
  for (size_t i = 0; i < 2; ++i) {
    htz_spec* spec;
    htz_diags diags;
    assert_int_equal(htz_spec_parse("t", texts[i], strlen(texts[i]), &spec, &diags), HTZ_BAD_INPUT);
    assert_non_null(strstr(diags.item[0].text, says[i]));
  }
}

static void what_is_not_given_has_its_default(void** state) {
  (void)state;
  htz_spec* spec = parse(HEAD "per_key: {bar: {body: bar, mass: 0.3}}\n" MALLET "pickups: [{of: bar}]\n"
                              "defaults: {mallet.hardness: 2, width: 0.5}\nprograms: [3, 5]\n"
                              "controls: {decay: {cc: 74, range: [2, 0.5]}}\n");
  assert_true(htz_table_at(&spec->mallet.at, 60.0) == 0.5);
  assert_true(htz_table_at(&spec->mallet.touch, 60.0) == 1.0);
  assert_true(spec->mallet.law == &htz_law_hunt_crossley);
  assert_true(spec->params[HTZ_PARAM_MALLET_HARDNESS] == 2.0 && spec->params[HTZ_PARAM_WIDTH] == 0.5);
  assert_true(spec->params[HTZ_PARAM_DECAY] == htz_instrument_params[HTZ_PARAM_DECAY].initial);
  assert_true(spec->params[HTZ_PARAM_MALLET_AT] == 0.5);
  assert_int_equal(spec->n_programs, 2);
  assert_int_equal(spec->n_controls, 1);
  assert_true(spec->controls[0].cc == 74 && spec->controls[0].low == 2.0 && spec->controls[0].high == 0.5);
  assert_true(spec->damper.n == 0 && spec->n_feeds == 0 && !spec->strict);
  htz_spec_free(spec);
}

static void every_parameter_has_a_sound_description(void** state) {
  (void)state;
  for (size_t i = 0; i < HTZ_PARAM_COUNT; ++i) {
    const htz_param_desc* desc = &htz_instrument_params[i];
    assert_true(desc->name && desc->unit && desc->doc && desc->doc[0]);
    assert_true(desc->minimum < desc->maximum);
    // No number for where the mallet strikes: each key has its own.
    assert_true(i == HTZ_PARAM_MALLET_AT ? isnan(desc->initial)
                                         : desc->initial >= desc->minimum && desc->initial <= desc->maximum);
    assert_true(desc->scale == HTZ_SCALE_LINEAR || desc->minimum > 0.0);
    assert_int_equal(htz_param_find(htz_instrument_params, HTZ_PARAM_COUNT, desc->name), i);
  }
}

/** A folder of its own with these instruments in it. */
static void write_file(const char* folder, const char* name, const char* text) {
  char path[HTZ_PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void instruments_are_found_by_name(void** state) {
  (void)state;
  const char* good = HEAD "per_key: {bar: {body: bar, mass: 0.3}}\n" MALLET "pickups: [{of: bar}]\nprograms: [12, 77]\n";
  char folder[] = "/tmp/htz_test_XXXXXX";
  char path[HTZ_PATH_MAX], expected[HTZ_PATH_MAX];
  htz_diags diags;
  assert_non_null(mkdtemp(folder));
  write_file(folder, "marimba.yaml", good);
  write_file(folder, "zither.yaml", "format: 1\n");
  write_file(folder, "notes.txt", "no instrument");
  setenv("HERTZIAN_INSTRUMENTS", folder, 1);

  // The user's own folder comes before what is installed.
  assert_int_equal(htz_spec_find("marimba", path, &diags), HTZ_OK);
  snprintf(expected, sizeof expected, "%s/marimba.yaml", folder);
  assert_string_equal(path, expected);
  assert_int_equal(htz_spec_find("glockenspiel", path, &diags), HTZ_OK);
  assert_int_equal(htz_spec_find("./some.yaml", path, &diags), HTZ_OK);
  assert_string_equal(path, "./some.yaml");
  assert_int_equal(htz_spec_find("some.yaml", path, &diags), HTZ_OK);
  assert_string_equal(path, "some.yaml");
  assert_int_equal(htz_spec_find("zithr", path, &diags), HTZ_NOT_FOUND);
  assert_non_null(strstr(diags.item[0].text, "did you mean \"zither\"? Installed: glockenspiel, marimba, piano"));
  assert_int_equal(htz_spec_find("", path, &diags), HTZ_NOT_FOUND);

  htz_spec_catalog catalog;
  assert_int_equal(htz_spec_list(&catalog), HTZ_OK);
  assert_true(catalog.n >= 3);
  for (size_t i = 1; i < catalog.n; ++i) {
    assert_true(strcmp(catalog.entry[i - 1].id, catalog.entry[i].id) < 0);
  }
  const htz_spec_entry* last = &catalog.entry[catalog.n - 1];
  assert_string_equal(last->id, "zither");
  assert_null(last->spec);
  assert_true(last->faults > 0);
  assert_string_equal(htz_spec_for_program(&catalog, 77)->path, expected);
  assert_string_equal(htz_spec_for_program(&catalog, 9)->id, "glockenspiel");
  assert_null(htz_spec_for_program(&catalog, 55));
  htz_spec_list_free(&catalog);

  htz_spec* spec;
  assert_int_equal(htz_spec_load("/nowhere/at/all.yaml", &spec, &diags), HTZ_NOT_FOUND);
  assert_int_equal(diags.n, 1);
  assert_int_equal(diags.item[0].line, 0);
  assert_int_equal(htz_spec_load(folder, &spec, &diags), HTZ_IO); // a folder opens, but cannot be read
  assert_null(spec);

  unsetenv("HERTZIAN_INSTRUMENTS");
  static const char* const names[] = {"marimba.yaml", "zither.yaml", "notes.txt"};
  for (size_t i = 0; i < 3; ++i) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_table_is_read_by_ratio_and_goes_on),          cmocka_unit_test(bodies_are_sorted_along_the_feeds),
      cmocka_unit_test(feeds_in_a_circle_and_idle_bodies_are_refused), cmocka_unit_test(what_is_not_given_has_its_default),
      cmocka_unit_test(every_parameter_has_a_sound_description),       cmocka_unit_test(instruments_are_found_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
