/*
   What is found when the keys of a file are made: places that stand still, keys that a sample rate or the scaling does not give, and
   the line of the file in each case.
*/
#include "check.h"

#include "hertzian/instrument/catalog.h"
#include "hertzian/instrument/instrument.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 2048 };

static const char* const strung = "format: 1\nname: x\nkeys: [60, 64]\nper_key:\n"
                                  "  s: {body: string, length: 0.6, lin_density: 0.005, t60: 1}\n"
                                  "mallet:\n  strikes: s\n  mass: 0.01\n  speed: [0.5, 2]\n  at: 0.12\n"
                                  "  contact: {stiffness: 1.0e+5, exponent: 1}\n"
                                  "pickups:\n  - {of: s, quantity: velocity, at: 0.3}\n";

static const char* const skinned = "format: 1\nname: x\nkeys: [40, 44]\nper_key:\n"
                                   "  s: {body: membrane, radius: 0.3, area_density: 0.26, t60: 1}\n"
                                   "mallet:\n  strikes: s\n  mass: 0.03\n  speed: [0.5, 2]\n  at: 0.8\n  at_y: 0.5\n"
                                   "  contact: {stiffness: 1.0e+5}\n"
                                   "pickups:\n  - of: s\n    at: 0.3\n    at_y: 0.4\n";

static const char* const gridded = "format: 1\nfamily: grid\nname: x\nkeys: [40, 44]\nper_key:\n"
                                   "  s: {body: string, length: 0.8, lin_density: 0.005, t60: 1}\n"
                                   "  m: {body: mass, mass: 0.01, frequency: 50}\n"
                                   "contacts:\n  - {between: [s, m], at: 0.4, stiffness: 1.0e+7, gap: 0.001}\n"
                                   "mallet:\n  strikes: s\n  mass: 0.01\n  speed: [0.5, 2]\n  at: 0.12\n"
                                   "  contact: {stiffness: 1.0e+5}\n"
                                   "pickups:\n  - {of: s, at: 0.3}\n";

static const char* const boarded = "format: 1\nname: x\nkeys: [60, 64]\ndefaults: {board: two-way}\nper_key:\n"
                                   "  s: {body: string, length: 0.6, lin_density: 0.005, t60: 1}\n"
                                   "  b: {body: bar, mass: 0.1, t60: 1}\n"
                                   "mallet:\n  strikes: s\n  mass: 0.01\n  speed: [0.5, 2]\n  at: 0.12\n"
                                   "  contact: {stiffness: 1.0e+5, exponent: 1}\n"
                                   "feeds:\n  - {from: s, to: b, quantity: force, gain: 1}\n"
                                   "shared:\n  d: {body: modal-list, frequencies: [200], q: [20], mass: 1}\n"
                                   "drives:\n  - {from: s, quantity: force, to: d, gain: 1}\n"
                                   "pickups:\n  - {of: d, quantity: velocity, at: [0.5, 0.5]}\n"
                                   "  - {of: b, quantity: velocity, at: 0.3}\n";

/** `text` with `from` replaced by `to`, loaded. @return NULL and the faults when it is refused */
static htz_spec* load(const char* text, const char* from, const char* to, htz_diags* diags) {
  char changed[TEXT_MAX];
  htz_spec* spec = NULL;
  const char* at = strstr(text, from);
  assert_non_null(at);
  const int n = snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  assert_true(n > 0 && n < TEXT_MAX);
  const htz_status st = htz_spec_parse("x.yaml", changed, (size_t)n, &spec, diags);
  assert_true(st == HTZ_OK || st == HTZ_BAD_INPUT);
  return spec;
}

static unsigned line_of(const char* text, const char* what) {
  unsigned line = 1;
  for (const char* it = text; it < strstr(text, what); ++it) {
    line += *it == '\n';
  }
  return line;
}

static void places_that_stand_still_are_refused(void** state) {
  static const struct {
    const char *const *text, *from, *to, *says;
  } cases[] = {
      {&strung, "at: 0.12", "at: 0", "at: the body stands still there"},
      {&strung, "at: 0.12", "at: 1.0e-9", "at: the body stands still there"},
      {&strung, "at: 0.3", "at: 1", "at: the body stands still there"},
      {&strung, "at: 0.3", "at: {60: 0.3, 64: 1}", "at key 64"},
      {&skinned, "at_y: 0.4", "at_y: 0.0056", "at_y: the body stands still there"},
      {&skinned, "at: 0.8", "at: 1", "at: the body stands still there"},
      {&gridded, "at: 0.4", "at: 8.0e-10", "at: the body is held there"},
      {&gridded, "at: 0.12", "at: 1", "at: the body is held there"},
      {&gridded, "at: 0.3", "at: 0", "at: the body is held there"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    htz_diags diags;
    htz_spec* spec = load(*cases[i].text, cases[i].from, cases[i].from, &diags);
    assert_non_null(spec);
    htz_spec_free(spec);
    assert_null(load(*cases[i].text, cases[i].from, cases[i].to, &diags));
    if (diags.n != 1 || !strstr(diags.item[0].text, cases[i].says) ||
        diags.item[0].line != line_of(*cases[i].text, cases[i].from)) {
      print_error("%s -> %s:\n", cases[i].from, cases[i].to);
      htz_diags_print(&diags, stderr);
      fail();
    }
  }
}

static void places_near_the_threshold_are_left(void** state) {
  htz_diags diags;
  (void)state;
  // A string's lowest mode moves by sin(pi x), its 128th by up to 1 there: 2e-5 of the length is well above a millionth.
  htz_spec* spec = load(strung, "at: 0.12", "at: 2.0e-5", &diags);
  assert_non_null(spec);
  htz_spec_free(spec);
}

static htz_instrument* build(const htz_spec* spec, double rate_hz, int key, htz_arena* arena) {
  htz_instrument* it;
  const char* why;
  uint64_t keys[2] = {0, 0};
  keys[key / 64] = UINT64_C(1) << (key % 64);
  htz_instrument_build(spec, rate_hz, htz_kernels_select(), keys, arena, &it, &why);
  return it;
}

/** A solver that holds modes only up to a share of the sample rate: its highest keys are silent at a low one, and say so. */
static void keys_beyond_a_rate_are_silent(void** state) {
  static const char* const linear = "  contact: {stiffness: 1.0e+5, exponent: 1}\n";
  char solved[256];
  htz_diags diags;
  htz_arena arena;
  (void)state;
  snprintf(solved, sizeof solved, "%s  solver: rk4\n", linear);
  htz_spec* spec = load(strung, linear, solved, &diags);
  if (!spec) {
    htz_diags_print(&diags, stderr);
  }
  assert_non_null(spec);
  htz_diags_init(&diags, "x.yaml");
  assert_int_equal(htz_instrument_try(spec, 8000.0, htz_kernels_select(), &diags), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 1);
  assert_int_equal(diags.item[0].line, line_of(strung, linear) + 1);
  assert_non_null(strstr(diags.item[0].text, "at 8000 Hz"));
  assert_null(build(spec, 8000.0, 60, &arena));
  htz_spec_free(spec);
  // Fewer modes, so that only some keys are too fast.
  char few[512];
  snprintf(few, sizeof few, "t60: 1, modes: 9}\nmallet:\n  strikes: s\n  solver: rk4\n");
  spec = load(strung, "t60: 1}\nmallet:\n  strikes: s\n", few, &diags);
  assert_non_null(spec);
  const double rate_hz = 2.0 * 3.14159265358979 * 9.0 * htz_key_hz(62) / 2.83;
  htz_diags_init(&diags, "x.yaml");
  assert_int_equal(htz_instrument_try(spec, rate_hz, htz_kernels_select(), &diags), HTZ_OK);
  assert_true(diags.n == 0 && diags.n_warnings == 1);
  assert_int_equal(diags.warning[0].line, line_of(strung, "  mass"));
  htz_instrument* it;
  const char* why;
  assert_int_equal(htz_instrument_build(spec, rate_hz, htz_kernels_select(), NULL, &arena, &it, &why), HTZ_OK);
  assert_true(it->keys[60].island && !it->keys[64].island);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

/** A song whose only notes are beyond what a grid can be scaled to is silent there, and no reason to refuse the file. */
static void keys_beyond_a_grid_are_silent(void** state) {
  htz_diags diags;
  htz_arena arena;
  (void)state;
  htz_spec* spec = load(gridded, "x", "y", &diags);
  assert_non_null(spec);
  htz_instrument* it = build(spec, 48000.0, 127, &arena);
  assert_non_null(it);
  assert_null(it->keys[127].island);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

static void a_board_that_stays_one_way_says_why(void** state) {
  static const struct { const char *file, *says; } cases[] = {{"marimba", "no body that the keys share"}, {"snare", "share"}};
  char path[HTZ_PATH_MAX];
  htz_diags diags;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    htz_spec* spec;
    snprintf(path, sizeof path, HTZ_SOURCE_DIR "/instruments/%s.yaml", cases[i].file);
    assert_int_equal(htz_spec_load(path, &spec, &diags), HTZ_OK);
    assert_false(htz_spec_two_way(spec));
    assert_non_null(strstr(htz_spec_one_way_why(spec), cases[i].says));
    htz_spec_free(spec);
  }
  htz_spec* spec;
  static const char* const both[] = {"piano", "dulcimer", "prepared-piano", "cello"};
  for (size_t i = 0; i < sizeof both / sizeof both[0]; ++i) {
    snprintf(path, sizeof path, HTZ_SOURCE_DIR "/instruments/%s.yaml", both[i]);
    assert_int_equal(htz_spec_load(path, &spec, &diags), HTZ_OK);
    assert_null(htz_spec_one_way_why(spec));
    htz_spec_free(spec);
  }
  // In a file it is a fault with the reason.
  spec = load(strung, "name: x", "name: x\ndefaults: {board: two-way}", &diags);
  assert_null(spec);
  assert_int_equal(diags.n, 1);
  assert_int_equal(diags.item[0].line, 3);
  assert_non_null(strstr(diags.item[0].text, "no two-way board here: there is no body"));
}

/** Every reason why strings only drive the board, said where the file asks for more. */
static void each_reason_for_one_way_is_told(void** state) {
  static const struct {
    const char *from, *to, *says;
  } cases[] = {
      {"  at: 0.12", "  at: 0.12\n  pool: 1\n  solver: rk4", "no support moves between two samples"},
      {"from: s, quantity: force, to: d", "from: s, quantity: velocity, to: d", "by the force of its end"},
      {"from: s, quantity: force, to: d", "from: b, quantity: velocity, to: d", "by the force of its end"},
      {"to: d, gain: 1", "to: d, gain: -1", "has to be above 0 at every key"},
      {"to: d, gain: 1", "to: d, gain: {60: 1, 62: 0}", "has to be above 0 at every key"},
      {"shared:", "links: [{between: [s, next.s], at: [0.4, 0.4], type: spring, stiffness: 1.0e+4}]\nshared:",
       "take their steps together"},
      {"shared:", "clock: 96000\nshared:", "on a clock of their own"},
      {"pickups:", "pickups:\n  - {of: s, quantity: reaction, gain: 1}", "force on supports that stand still"},
  };
  htz_diags diags;
  (void)state;
  htz_spec* spec = load(boarded, "x", "y", &diags);
  assert_non_null(spec);
  assert_true(htz_spec_two_way(spec));
  htz_spec_free(spec);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    spec = load(boarded, cases[i].from, cases[i].to, &diags);
    assert_null(spec);
    if (diags.n != 1 || diags.item[0].line != 4 || !strstr(diags.item[0].text, "no two-way board here: ") ||
        !strstr(diags.item[0].text, cases[i].says)) {
      fail_msg("%s: %s", cases[i].to, diags.item[0].text);
    }
  }
}

/** What a solver that steps the body's modes itself cannot share them with. */
static void another_solver_is_alone_with_its_body(void** state) {
  static const struct {
    const char *from, *to, *says;
  } cases[] = {
      {"pickups:", "links: [{between: [s, ground], at: [0.4, 0], type: spring, stiffness: 1.0e+4}]\npickups:", "solver"},
      {"pickups:", "preparations: {screw: {on: s, at: 0.3, mass: 0.001}}\npickups:", "solver"},
      {"pickups:", "bow: {plays: s, force: [0.2, 0.8], speed: [0.05, 0.3]}\npickups:", "solver"},
      {"t60: 1", "t60: 1, stretch: 2.0e+4", "solver"},
      {"t60: 1", "t60: 1, count: 2", "solver"},
  };
  static char solved[TEXT_MAX];
  htz_diags diags;
  (void)state;
  const char* at = strstr(strung, "pickups:");
  snprintf(solved, sizeof solved, "%.*s  pool: 1\n  solver: rk4\n%s", (int)(at - strung), strung, at);
  htz_spec_free(load(solved, "x", "y", &diags));
  assert_int_equal(diags.n, 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    assert_null(load(solved, cases[i].from, cases[i].to, &diags));
    if (diags.n != 1) {
      fail_msg("%s: %zu faults, the last %s", cases[i].to, diags.n, diags.item[diags.n - 1].text);
    }
    if (!strstr(diags.item[0].text, cases[i].says)) {
      fail_msg("%s: %s", cases[i].to, diags.item[0].text);
    }
  }
}

static void every_file_can_be_made_at_every_rate(void** state) {
  static const double rates[] = {8000.0, 44100.0, 48000.0, 96000.0, 192000.0};
  htz_spec_catalog catalog;
  (void)state;
  assert_int_equal(htz_spec_list(&catalog), HTZ_OK);
  assert_true(catalog.n > 0);
  for (size_t i = 0; i < catalog.n; ++i) {
    assert_non_null(catalog.entry[i].spec);
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; ++r) {
      htz_diags diags;
      htz_diags_init(&diags, catalog.entry[i].path);
      const htz_status st = htz_instrument_try(catalog.entry[i].spec, rates[r], htz_kernels_select(), &diags);
      htz_diags_print(&diags, stderr);
      assert_int_equal(st, HTZ_OK);
      assert_true(diags.n_warnings == 0 || rates[r] < 44100.0);
    }
  }
  htz_spec_list_free(&catalog);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_that_stand_still_are_refused),   cmocka_unit_test(places_near_the_threshold_are_left),
      cmocka_unit_test(keys_beyond_a_rate_are_silent),         cmocka_unit_test(keys_beyond_a_grid_are_silent),
      cmocka_unit_test(a_board_that_stays_one_way_says_why),   cmocka_unit_test(each_reason_for_one_way_is_told),
      cmocka_unit_test(another_solver_is_alone_with_its_body), cmocka_unit_test(every_file_can_be_made_at_every_rate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
