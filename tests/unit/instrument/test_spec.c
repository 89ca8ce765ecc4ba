#include "check.h"

#include "hertzian/instrument/catalog.h"
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

#define LIST "{body: modal-list, ratios: [1, 3], q: 9, count: 4}"
#define LINK "{type: rigid, between: [bar, a]}"

static void feeds_in_a_circle_and_idle_bodies_are_refused(void** state) {
  (void)state;
  static const char* const texts[] = {
      HEAD "per_key: {bar: {body: bar, mass: 0.3}, a: {body: modal-list, ratios: 1, q: 9}, b: {body: modal-list, ratios: 1, q: "
           "9}}\n" MALLET "feeds: [{from: a, to: b, gain: 1}, {from: b, to: a, gain: 1}]\npickups: [{of: bar}]\n",
      HEAD "per_key: {bar: {body: bar, mass: 0.3}, a: {body: modal-list, ratios: 1, q: 9}}\n" MALLET "pickups: [{of: bar}]\n",
  };
  static const char* const says[] = {"closes a circle", "nothing moves \"a\""};
  for (size_t i = 0; i < 2; ++i) {
    htz_spec* spec;
    htz_diags diags;
    assert_int_equal(htz_spec_parse("t", texts[i], strlen(texts[i]), &spec, &diags), HTZ_BAD_INPUT);
    assert_non_null(strstr(diags.item[0].text, says[i]));
  }
}

static void a_unison_must_fit_into_a_key(void** state) {
  (void)state;
  static const char* const texts[] = {
      // More bodies than a key has.
      HEAD "per_key: {bar: {body: bar, mass: 0.3, count: {60: 1, 72: 4}}, a: " LIST ", b: " LIST ", c: " LIST ", d: " LIST
           "}\n" MALLET "feeds: [{from: bar, to: a, gain: 1}, {from: a, to: b, gain: 1}, {from: b, to: c, gain: 1}, "
           "{from: c, to: d, gain: 1}]\npickups: [{of: bar}]\n",
      // Four bars each feeding four resonators, twice.
      HEAD "per_key: {bar: {body: bar, mass: 0.3, count: 4}, a: " LIST "}\n" MALLET
           "feeds: [{from: bar, to: a, gain: 1}, {from: bar, to: a, gain: 2}]\npickups: [{of: bar}]\n",
      // Four bars linked to four, three times.
      HEAD "per_key: {bar: {body: bar, mass: 0.3, count: 4}, a: " LIST "}\n" MALLET "links: [" LINK ", " LINK ", " LINK
           "]\npickups: [{of: bar}]\n",
      // Three kinds of bodies struck together.
      HEAD "per_key: {bar: {body: bar, mass: 0.3, count: 4}, a: " LIST ", b: {body: bar, mass: 0.3}}\n"
           "mallet: {strikes: [bar, a, b], mass: 0.03, speed: [0.1, 5], contact: {stiffness: 1.0e+7}}\npickups: [{of: bar}]\n",
      // Eight lines out of a key, and one to the shared body.
      HEAD
      "per_key: {bar: {body: bar, mass: 0.3}, a: {body: modal-list, ratios: 1, q: 9}}\n" MALLET
      "feeds: [{from: bar, to: a, gain: 1}]\n"
      "shared: {b: {body: soundboard, material: spruce, length: 1, width: 1, thickness: 0.01}}\n"
      "drives: [{from: bar, quantity: velocity, to: b, gain: 1}]\n"
      "pickups: [{of: bar}, {of: bar}, {of: bar}, {of: bar}, {of: a}, {of: a}, {of: a}, {of: a}, {of: b, at: [0.3, 0.3]}]\n",
  };
  static const char* const says[] = {"count: 17 bodies at key 60", "count: 32 feeds at key 60", "count: 48 links at key 60",
                                     "count: 9 bodies struck together at key 60", "beside drives at most 7"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    htz_spec* spec;
    htz_diags diags;
    assert_int_equal(htz_spec_parse("t", texts[i], strlen(texts[i]), &spec, &diags), HTZ_BAD_INPUT);
    assert_int_equal(diags.n, 1);
    assert_non_null(strstr(diags.item[0].text, says[i]));
  }
}

static void everything_about_a_piano_is_read(void** state) {
  (void)state;
  htz_spec* spec =
      parse(HEAD "per_key:\n"
                 "  harp: {body: modal-list, ratios: 1, q: 20}\n"
                 "  string: {body: string, length: 0.6, lin_density: 0.006, t60: 4, count: {60: 1, 64: 1, 65: 3}, "
                 "detune: 2, limit_hz: 5000}\n"
                 "shared:\n"
                 "  board: {body: soundboard, material: spruce, length: 1.4, width: 1, thickness: 0.009, zones: 5, "
                 "modes: 77, bridge: [0.1, 0.2, 0.8, 0.9]}\n"
                 "mallet: {strikes: string, mass: 0.009, speed: [0.3, 6], contact: {stiffness: 4.5e+9}, kinds: "
                 "[{name: soft, hardness: 0.1}, {name: hard, hardness: 8, mass: 1.2}]}\n"
                 "feeds: [{from: string, to: harp, quantity: velocity, gain: 1}]\n"
                 "drives:\n"
                 "  - {from: string, to: board, along: 0.25, gain: {60: 0.1, 72: 0.2}}\n"
                 "  - {from: harp, quantity: velocity, to: board, along: 0.25, gain: 3}\n"
                 "pickups:\n"
                 "  - {of: board, quantity: acceleration, at: [0.3, 0.4], pan: -0.5, gain: 7}\n"
                 "  - {of: string, quantity: force, pan: 0.5}\n"
                 "  - {of: board, at: [0.6, 0.7]}\n"
                 "damper: {loss: 30, keys: [60, 70]}\n"
                 "soft_pedal: {hardness: 0.6}\n");
  const htz_spec_body* string = &spec->bodies[0];
  assert_string_equal(string->name, "string");
  static const size_t counts[] = {1, 1, 1, 1, 1, 3, 3, 3};
  for (int i = 0; i < 8; ++i) {
    assert_int_equal(htz_spec_count(string, 60 + i), counts[i]);
  }
  assert_int_equal(htz_spec_count(string, 0), 1);
  assert_int_equal(htz_spec_count(string, 127), 3);
  assert_int_equal(htz_spec_count(&spec->bodies[1], 60), 1);
  assert_true(htz_table_at(&string->detune, 65) == 2.0 && string->limit_hz == 5000.0 && string->has_end_force);
  assert_true(spec->bodies[1].detune.n == 0 && spec->bodies[1].limit_hz == 40e3 && !spec->bodies[1].has_end_force);

  const htz_spec_board* board = &spec->board;
  assert_true(board->given && board->body.zones == 5 && board->body.max_modes == 77 && board->body.most_modes == 77);
  assert_string_equal(board->body.name, "board");
  assert_true(board->body.top_hz > 500.0 && board->body.top_hz < 5000.0);
  assert_int_equal(board->n_drives, 2);
  // The file has the string after the harp; references follow the order the bodies are put in.
  assert_true(board->drives[0].from == 0 && board->drives[0].quantity == HTZ_HEAR_FORCE && !board->drives[0].by_key);
  assert_true(htz_table_at(&board->drives[0].gain, 72) == 0.2);
  assert_true(board->drives[1].from == 1 && board->drives[1].quantity == HTZ_HEAR_VELOCITY && !board->drives[1].by_key);
  assert_true(htz_table_at(&board->drives[1].along, 60) == 0.25);
  assert_int_equal(board->n_pickups, 2);
  assert_true(board->pickups[0].quantity == HTZ_HEAR_ACCELERATION && board->pickups[0].gain == 7.0);
  assert_true(board->pickups[0].at[0] == 0.3 && board->pickups[0].at[1] == 0.4 && board->pickups[0].pan == -0.5);
  assert_true(board->pickups[1].quantity == HTZ_HEAR_VELOCITY && board->pickups[1].gain == 1.0 && board->pickups[1].pan == 0.0);
  assert_int_equal(spec->n_pickups, 1);
  assert_true(spec->pickups[0].of == 0 && spec->pickups[0].quantity == HTZ_HEAR_FORCE);

  assert_int_equal(spec->n_kinds, 2);
  assert_string_equal(spec->kinds[0].name, "soft");
  assert_true(spec->kinds[0].hardness == 0.1 && spec->kinds[0].mass == 1.0 && spec->kinds[1].mass == 1.2);
  assert_true(spec->mallet.soft == 0.6 && spec->damper_keys[0] == 60 && spec->damper_keys[1] == 70);
  htz_spec_free(spec);
}

static void a_unison_is_spread_unevenly_about_the_pitch(void** state) {
  (void)state;
  assert_true(htz_spec_spread(0, 1) == 0.0);
  for (size_t count = 2; count <= HTZ_SPEC_UNISON_MAX; ++count) {
    check_close(htz_spec_spread(count - 1, count) - htz_spec_spread(0, count), 1.0, 1e-15);
  }
  check_near(htz_spec_spread(0, 2), -0.5, 0.0);
  assert_true(htz_spec_spread(1, 3) == 0.0);
  // Beats of the lower and of the upper pair differ by a quarter.
  check_close(htz_spec_spread(2, 3) / -htz_spec_spread(0, 3), 0.8, 1e-15);
  // Of four, the pairs beat at 1, 2, 3, 4, 5 and 6 sixths.
  for (size_t i = 1, sixths[] = {1, 4, 6}; i < 4; ++i) {
    check_close(6.0 * (htz_spec_spread(i, 4) - htz_spec_spread(0, 4)), (double)sixths[i - 1], 1e-15);
  }
}

static void what_is_not_given_has_its_default(void** state) {
  (void)state;
  htz_spec* spec = parse(HEAD "per_key: {bar: {body: bar, mass: 0.3}}\n" MALLET "pickups: [{of: bar}]\n"
                              "defaults: {mallet.hardness: 2, level: -3}\nprograms: [3, 5]\n"
                              "controls: {decay: {cc: 74, range: [2, 0.5]}}\n");
  assert_true(htz_table_at(&spec->mallet.at, 60.0) == 0.5);
  assert_true(htz_table_at(&spec->mallet.touch, 60.0) == 1.0);
  assert_true(spec->mallet.law == &htz_law_hunt_crossley);
  assert_true(spec->params[HTZ_PARAM_MALLET_HARDNESS] == 2.0 && spec->params[HTZ_PARAM_LEVEL] == -3.0);
  assert_true(spec->params[HTZ_PARAM_DECAY] == htz_instrument_params[HTZ_PARAM_DECAY].initial);
  assert_true(spec->params[HTZ_PARAM_MALLET_AT] == 0.5);
  assert_int_equal(spec->n_programs, 2);
  assert_int_equal(spec->n_controls, 1);
  assert_true(spec->controls[0].cc == 74 && spec->controls[0].low == 2.0 && spec->controls[0].high == 0.5);
  assert_true(spec->damper.n == 0 && spec->n_feeds == 0 && !spec->strict);
  assert_true(!spec->board.given && spec->n_kinds == 0 && spec->mallet.soft == 1.0);
  htz_spec_free(spec);
}

/** What has no part in the sound is no parameter; what there is of mallets limits the choice. */
static void only_parameters_with_an_effect_count(void** state) {
  (void)state;
  htz_spec* plain = parse(HEAD "per_key: {bar: {body: bar, mass: 0.3}}\n" MALLET "pickups: [{of: bar}]\n");
  static const htz_param_index none[] = {HTZ_PARAM_WIDTH,      HTZ_PARAM_RESONATOR,   HTZ_PARAM_DAMPER, HTZ_PARAM_MALLET_KIND,
                                         HTZ_PARAM_MOTOR_RATE, HTZ_PARAM_MOTOR_DEPTH, HTZ_PARAM_BOARD,  HTZ_PARAM_MALLET_AT_Y};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) {
    assert_false(htz_spec_param_used(plain, none[i]));
  }
  assert_true(htz_spec_param_used(plain, HTZ_PARAM_LEVEL) && htz_spec_param_used(plain, HTZ_PARAM_MALLET_AT));
  htz_spec_free(plain);
  htz_spec* rich = parse(HEAD "per_key: {bar: {body: bar, mass: 0.3}, tube: {body: modal-list, ratios: [1], q: 20}}\n"
                              "feeds: [{from: bar, to: tube, gain: 30}]\n"
                              "mallet: {strikes: bar, mass: 0.02, speed: [0.1, 5], contact: {stiffness: 1.0e+7}, "
                              "kinds: [{name: a}, {name: b}, {name: c}]}\n"
                              "pickups: [{of: bar, pan: keys}, {of: tube}]\ndamper: {loss: 20}\n");
  for (size_t i = 0; i < 6; ++i) {
    assert_true(htz_spec_param_used(rich, none[i]));
  }
  assert_true(htz_spec_param(rich, HTZ_PARAM_MALLET_KIND).maximum == 2.0);
  htz_spec_free(rich);
}

/** A slope that leaves the range beyond the instrument's own keys is held there, and said. */
static void tables_held_beyond_the_range_are_told(void** state) {
  static const char text[] = "format: 1\nname: T\nkeys: [60, 72]\nper_key: {bar: {body: bar, mass: 0.3}}\n"
                             "mallet: {strikes: bar, mass: 0.02, speed: [0.1, 5], at: {60: 0.3, 72: 0.9}, "
                             "contact: {stiffness: 1.0e+7}}\npickups: [{of: bar}]\n";
  htz_diags diags;
  htz_spec* spec = NULL;
  (void)state;
  assert_int_equal(htz_spec_parse("t.yaml", text, strlen(text), &spec, &diags), HTZ_OK);
  // 0.9 (0.9/0.3)^(1/6) at key 74.
  assert_int_equal(diags.n_warnings, 1);
  assert_int_equal(diags.warning[0].line, 5);
  assert_non_null(strstr(diags.warning[0].text, "at: beyond key 72 the table goes on to 1.08084 at key 74"));
  htz_spec_free(spec);
}

static void every_parameter_has_a_sound_description(void** state) {
  (void)state;
  for (size_t i = 0; i < HTZ_PARAM_COUNT; ++i) {
    const htz_param_desc* desc = &htz_instrument_params[i];
    assert_true(desc->name && desc->unit && desc->doc && desc->doc[0]);
    assert_true(desc->minimum < desc->maximum);
    // No number for where mallet or bow meet the body, or for what lies on it: each key has its own.
    const bool own = i == HTZ_PARAM_MALLET_AT || i == HTZ_PARAM_MALLET_AT_Y || i == HTZ_PARAM_BOW_POSITION ||
                     i == HTZ_PARAM_RATTLE_GAP || i == HTZ_PARAM_RATTLE_AT || i == HTZ_PARAM_SCREW_AT ||
                     i == HTZ_PARAM_RUBBER_AT || i == HTZ_PARAM_THREAD_AT;
    assert_true(own ? isnan(desc->initial) : desc->initial >= desc->minimum && desc->initial <= desc->maximum);
    assert_true(desc->scale != HTZ_SCALE_LOG || desc->minimum > 0.0);
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
  assert_non_null(strstr(diags.item[0].text, "did you mean \"zither\"? Installed: "));
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
  assert_string_equal(htz_spec_for_program(&catalog, false, 77)->path, expected);
  assert_string_equal(htz_spec_for_program(&catalog, false, 9)->id, "glockenspiel");
  assert_null(htz_spec_for_program(&catalog, false, 55));
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
      cmocka_unit_test(a_table_is_read_by_ratio_and_goes_on),
      cmocka_unit_test(bodies_are_sorted_along_the_feeds),
      cmocka_unit_test(feeds_in_a_circle_and_idle_bodies_are_refused),
      cmocka_unit_test(what_is_not_given_has_its_default),
      cmocka_unit_test(only_parameters_with_an_effect_count),
      cmocka_unit_test(tables_held_beyond_the_range_are_told),
      cmocka_unit_test(every_parameter_has_a_sound_description),
      cmocka_unit_test(instruments_are_found_by_name),
      cmocka_unit_test(a_unison_must_fit_into_a_key),
      cmocka_unit_test(everything_about_a_piano_is_read),
      cmocka_unit_test(a_unison_is_spread_unevenly_about_the_pitch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
