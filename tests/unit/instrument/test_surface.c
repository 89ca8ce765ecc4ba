/*
   Plates and skins in instrument files: what a file may say of them, and where mallets and pickups come to be.
*/
#include "check.h"

#include "hertzian/instrument/instrument.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 2048 };

/** A file with one struck body; `body`, `mallet` and `pickup` are what follows in their maps. */
static void write_text(char* text, const char* body, const char* mallet, const char* pickup) {
  const int n = snprintf(text, TEXT_MAX,
                         "format: 1\nname: Test\nkeys: [60, 62]\nper_key: {b: {%s}}\n"
                         "mallet: {strikes: b, mass: 0.02, speed: [0.1, 4], contact: {stiffness: 1.0e+7}%s}\n"
                         "pickups: [{of: b%s}]\n",
                         body, mallet, pickup);
  assert_true(n > 0 && n < TEXT_MAX);
}

static htz_spec* good(const char* body, const char* mallet, const char* pickup) {
  char text[TEXT_MAX];
  htz_diags diags;
  htz_spec* spec;
  write_text(text, body, mallet, pickup);
  const htz_status st = htz_spec_parse("test.yaml", text, strlen(text), &spec, &diags);
  if (st) {
    print_error("%s\n%s\n", diags.n ? diags.item[0].text : "no fault", text);
  }
  assert_int_equal(st, HTZ_OK);
  return spec;
}

static void bad(const char* body, const char* mallet, const char* pickup, const char* says) {
  char text[TEXT_MAX];
  htz_diags diags;
  htz_spec* spec;
  write_text(text, body, mallet, pickup);
  assert_int_equal(htz_spec_parse("test.yaml", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 1);
  if (!strstr(diags.item[0].text, says)) {
    print_error("\"%s\" does not say \"%s\"\n", diags.item[0].text, says);
    fail();
  }
}

#define PLATE "body: plate, material: steel, length: 0.3, width: 0.2, modes: 20"
#define DISC "body: plate, shape: round, edges: free, material: bronze, thickness: 0.001, modes: 20"
#define SKIN "body: membrane, radius: 0.3, area_density: 0.26, modes: 20"

static htz_instrument* build(const htz_spec* spec, htz_arena* arena) {
  htz_instrument* it;
  const char* why;
  assert_int_equal(htz_instrument_build(spec, 48000.0, htz_kernels_select(), NULL, arena, &it, &why), HTZ_OK);
  return it;
}

/** Shapes of the body of key 60 at its mallets' first point are those at (x, y), or x on its line where y is NaN. */
static void expect_at(const htz_spec* spec, const htz_instrument* it, double x, double y) {
  enum { MODES = 20 };
  double phi[MODES];
  htz_arena arena;
  htz_modes modes;
  const char* why;
  htz_arena_measure(&arena);
  assert_int_equal(htz_spec_modes(&spec->bodies[0], 60, &arena, &modes, &why), HTZ_OK);
  assert_true(modes.n <= MODES);
  if (isnan(y)) {
    modes.shape(&modes, x, phi);
  } else {
    modes.shape_xy(&modes, x, y, phi);
  }
  const double* placed = htz_modal_phi(htz_modal_island_body(it->keys[60].island, 0), 0);
  for (size_t k = 0; k < modes.n; ++k) {
    check_near(placed[k], phi[k], 1e-12); // a place may be reached by two ways of computing it
  }
  htz_arena_free(&arena);
}

static void mallets_strike_where_the_file_and_the_throw_say(void** state) {
  (void)state;
  static const char* const bodies[] = {
      PLATE ", edges: free", PLATE ", edges: clamped", PLATE, SKIN, DISC, DISC ", rise: 5, nonlinear_modes: 12"};
  for (size_t b = 0; b < sizeof bodies / sizeof bodies[0]; ++b) {
    htz_arena arena;
    htz_spec* spec = good(bodies[b], ", at: 0.3, at_y: {60: 0.8, 62: 0.7}", ", at: 0.9, at_y: 0.4");
    assert_true(spec->bodies[0].surface);
    htz_instrument* it = build(spec, &arena);
    assert_true(it->keys[60].at_y == 0.8 && isnan(it->params[HTZ_PARAM_MALLET_AT_Y]));
    check_close(spec->params[HTZ_PARAM_MALLET_AT_Y], htz_table_at(&spec->mallet.at_y, 61.0), 1e-12);
    expect_at(spec, it, 0.3, 0.8);
    htz_strike hit = {.speed = 1.0, .mass = 0.02, .stiffness = 1e7, .exponent = 1.5, .at = 0.6, .at_y = 0.1};
    htz_island* island = it->keys[60].island;
    island->cls->strike(island, &hit);
    expect_at(spec, it, 0.6, 0.1);
    island->cls->reset(island);
    hit.at_y = NAN;
    island->cls->strike(island, &hit);
    expect_at(spec, it, 0.6, NAN);
    htz_arena_free(&arena);
    htz_spec_free(spec);
  }
  // Without at_y: on the line.
  htz_arena arena;
  htz_spec* spec = good(PLATE ", line: [0.1, 0.2, 0.9, 0.7]", ", at: 0.3", "");
  htz_instrument* it = build(spec, &arena);
  assert_true(isnan(it->keys[60].at_y));
  expect_at(spec, it, 0.3, NAN);
  expect_at(spec, it, 0.34, 0.35);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

static void faults_are_named(void** state) {
  (void)state;
  bad("body: bar, mass: 0.3", ", at_y: 0.4", "", "at_y: \"b\" is no surface");
  bad("body: bar, mass: 0.3", "", ", at_y: 0.4", "at_y: \"b\" is no surface");
  bad(SKIN, ", at_y: 1.4", "", "allowed: 0 to 1");
  bad(PLATE ", edges: loose", "", "", "Allowed: supported, clamped, free");
  bad("body: plate, material: steel, length: 0.3", "", "", "length and width, or length and aspect");
  bad("body: plate, material: steel, length: 0.3, width: 0.2, aspect: 2", "", "", "not both");
  bad("body: plate, length: 0.3, width: 0.2", "", "", "needs a material");
  bad("body: plate, material: steel, length: 0.3, width: 0.2, frequency: own", "", "", "thickness: `frequency: own` needs it");
  bad("body: plate, material: steel, edges: free, length: {60: 0.3, 62: 0.2}, width: 0.2", "", "", "same proportions");
  bad("body: plate, material: steel, edges: free, length: 0.3, aspect: {60: 1, 62: 2}", "", "", "same proportions");
  bad("body: plate, material: steel, edges: free, length: 0.3, width: 0.2, young_across: {60: 1.0e+11, 62: 2.0e+11}", "", "",
      "same proportions and material");
  bad("body: plate, material: steel, edges: free, length: 0.3, width: 0.2, modes: 3", "", "", "at least 4");
  bad(PLATE ", young_across: 1.0e+13, poisson: 0.4", "", "", "poisson: too large");
  bad(PLATE ", edges: clamped, young_across: 1.0e+13, poisson: 0.4", "", "", "poisson: too large");
  bad(PLATE ", line: [0, 1]", "", "", "takes four numbers");
  bad(PLATE ", t60: 1, loss0: 2", "", "", "either decay times");
  bad(PLATE ", radius: 0.2", "", "", "radius: a rectangle has length and width");
  bad(PLATE ", rise: 2", "", "", "rise: only with shape: round");
  bad(PLATE ", nonlinear_modes: 40", "", "", "nonlinear_modes: only with shape: round");
  bad(PLATE ", shape: oval", "", "", "Allowed: rectangle, round");
  bad("body: plate, shape: round, material: bronze, radius: 0.2, thickness: 0.001", "", "",
      "edges: a round plate is free at its rim; allowed: free");
  bad(DISC ", length: 0.3", "", "", "length: a round plate has a radius");
  bad(DISC ", line: [0.1, 0.2, 0.9, 0.8]", "", "", "line: what is placed by `at` alone");
  bad(DISC ", shear: 1.0e+10", "", "", "leave out young_across and shear");
  bad(DISC ", poisson: {60: 0.3, 62: 0.34}", "", "", "poisson: is the same on all keys");
  bad(DISC ", rise: {60: 1, 62: 2}", "", "", "rise: is the same on all keys");
  bad(DISC ", rise: 41", "", "", "allowed: 0 to 40");
  bad(DISC ", nonlinear_modes: {60: 10, 62: 20}", "", "", "nonlinear_modes: are the same on all keys");
  bad(DISC ", nonlinear_modes: 3", "", "", "a whole number, 0 or 4 to 400");
  bad(DISC ", nonlinear_modes: 10.5", "", "", "a whole number, 0 or 4 to 400");
  bad(DISC ", nonlinear_modes: 401", "", "", "allowed: 0 to 400");
  bad("body: plate, shape: round, edges: free, material: bronze, radius: 0.2", "", "", "thickness: a round plate needs it");
  bad("body: plate, shape: round, edges: free, material: bronze, thickness: 0.001, frequency: own", "", "",
      "radius: `frequency: own` needs it");
  bad("body: plate, shape: round, edges: free, radius: 0.2, thickness: 0.001", "", "", "density: a plate needs a material");
  bad("body: plate, shape: round, edges: free, material: bronze, thickness: 0.001, modes: 3", "", "", "at least 4");
  bad("body: membrane, area_density: 0.3", "", "", "radius: a membrane needs one");
  bad("body: membrane, radius: 0.3", "", "", "area_density: give it");
  bad(SKIN ", frequency: own", "", "", "tension: `frequency: own` needs it");
  bad(SKIN ", tension: 3000", "", "", "tension: follows from the pitch");
  bad(SKIN ", ratios: [1.5, 2]", "", "", "ascend from 1");
  bad(SKIN ", ratios: [1, 2, 2]", "", "", "ascend from 1");
  bad(SKIN ", round_ratios: [2, 1]", "", "", "round_ratios: must ascend");
}

/** One aspect for plates of any size; materials bring losses; what a cap leaves out is known. */
static void what_a_file_may_say(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes modes;
  const char* why;
  htz_spec* spec = good("body: plate, material: steel, edges: free, length: {60: 0.3, 62: 0.2}, aspect: 1.5, thickness: 0.002, "
                        "frequency: own, modes: 12",
                        "", "");
  htz_arena_measure(&arena);
  assert_int_equal(htz_spec_modes(&spec->bodies[0], 60, &arena, &modes, &why), HTZ_OK);
  const double first = modes.omega[3];
  // 1/Q of steel.
  check_close(modes.sigma[3], 0.5 * htz_material_loss("steel") * first, 1e-12);
  assert_int_equal(htz_spec_modes(&spec->bodies[0], 62, &arena, &modes, &why), HTZ_OK);
  check_close(modes.omega[3], first * 2.25, 1e-12);
  assert_true(spec->bodies[0].left_out > 100 && spec->bodies[0].most_modes == 12);
  htz_arena_free(&arena);
  htz_spec_free(spec);
  // A pitch makes a round plate's radius, whatever radius is given; modes couple in those that say so.
  spec = good(DISC ", radius: 0.3, rise: 5, nonlinear_modes: 12", "", "");
  htz_arena_measure(&arena);
  assert_int_equal(htz_spec_modes(&spec->bodies[0], 60, &arena, &modes, &why), HTZ_OK);
  check_close(modes.omega[3], 2.0 * 3.14159265358979323846 * htz_key_hz(60), 1e-12);
  assert_non_null(modes.bending);
  htz_arena_free(&arena);
  htz_spec_free(spec);
  spec = good("body: membrane, material: mylar, thickness: 0.00025, radius: 0.3, frequency: own, tension: 3000, limit_hz: 400",
              "", "");
  htz_arena_measure(&arena);
  assert_int_equal(htz_spec_modes(&spec->bodies[0], 60, &arena, &modes, &why), HTZ_OK);
  check_close(modes.omega[0], 2.404825557695773 / 0.3 * sqrt(3000.0 / (1390.0 * 0.00025)), 1e-12);
  assert_true(spec->bodies[0].left_out == 0);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mallets_strike_where_the_file_and_the_throw_say),
      cmocka_unit_test(faults_are_named),
      cmocka_unit_test(what_a_file_may_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
