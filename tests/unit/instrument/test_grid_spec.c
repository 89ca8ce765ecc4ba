/*
   Files of the grid family: what is good, and that each mistake is found where it stands.
*/
#include "check.h"

#include "hertzian/instrument/spec_grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 4096, LINES = 19 };

static const char* const good[LINES] = {
    "format: 1",
    "family: grid",
    "name: x",
    "keys: [40, 52]",
    "bend_range: 3",
    "per_key:",
    "  string: {body: string, length: 0.65, lin_density: 0.004, t60: 4, t60_high: 1}",
    "  shoe: {body: mass, mass: 0.001, frequency: 500, loss: 20}",
    "  top: {body: plate, length: 0.6, width: 0.2, thickness: 0.003, material: spruce, edges: clamped, points: 300}",
    "  bridge: {body: barrier}",
    "contacts:",
    "  - {between: [shoe, string], at: 0.9, force: connection, stiffness: 5.0e+6, exponent: 1.3}",
    "  - {between: [top, shoe], at: [0.8, 0.75], name: buzz, stiffness: 5.0e+8, gap: 5.0e-6, role: loose-bridge}",
    "  - {between: [bridge, string], from: 0.95, to: 1, parabola: {apex: 1, curvature: 0.3}, stiffness: 1.0e+9}",
    "pluck: {string: string, at: 0.3, height: [0.0001, 0.002]}",
    "pickups:",
    "  - {of: string, quantity: force, at: 1}",
    "  - {of: buzz, gain: 0.01}",
    "damper: {loss: 20}",
};

/** Replace line `line` of the good file by `text`, in which @ marks the place of the fault. */
typedef struct {
  unsigned line;
  const char* text;
  const char* says;
} fault_case;

static const fault_case cases[] = {
    {2, "family: @girds", "Allowed: modal, grid"},
    {5, "bend_range: @99", "allowed: 0 to 24 semitone"},
    {5, "@bend_rnge: 3", "did you mean \"bend_range\""},
    {7, "  string: @{length: 0.65}", "missing key \"body\", the kind of body: string, bar, plate"},
    {7, "  string: {body: @strin, length: 0.65}", "did you mean \"string\""},
    {7, "  string: {body: string, @lenght: 0.65}", "did you mean \"length\""},
    {7, "  string: @{body: string, lin_density: 0.004}", "missing key \"length\""},
    {7, "  string: {body: string, length: 0.65, lin_density: @-1}", "allowed: 1e-07 to 10 kg/m"},
    {7, "  string: @{body: string, length: 0.65}", "lin_density: give it"},
    {7, "  string: @{body: string, length: 0.65, lin_density: 0.004, tension: 100}", "only with `frequency: own`"},
    {7, "  string: @{body: string, length: 0.65, lin_density: 0.004, frequency: own}", "needs it"},
    {7, "  string: {body: string, length: 0.65, lin_density: 0.004, ends: @free}", "Allowed: supported, clamped"},
    {7, "  string: {body: string, length: 0.65, lin_density: 0.004, t60: 1, t60_high: @2}", "must not be longer than t60 (at"},
    {7, "  string: @{body: string, length: 0.65, lin_density: 0.004, t60: 1, sigma0: 2}", "either decay times or"},
    {7, "  string: {body: string, length: 0.65, lin_density: 0.004, core_diameter: @0.01, material: steel}", "stiffer than"},
    {8, "  shoe: {body: mass, mass: 0.001, @ends: free}", "unknown key \"ends\" in shoe"},
    {8, "  shoe: {body: mass, mass: 0.001, frequency: @own}", "Allowed: a number or table in Hz, `key`"},
    {8, "  shoe: {body: mass, mass: 0.001, frequency: @30000}", "unstable"},
    {9, "  top: @{body: plate, length: 0.6, width: 0.2, material: spruce}", "missing key \"thickness\""},
    {9, "  top: @{body: plate, length: 0.6, width: 0.2, thickness: 0.003}", "density: give it, or a material"},
    {12, "  - {between: [shoe, @stirng], at: 0.9, stiffness: 5.0e+6}", "did you mean \"string\""},
    {12, "  - {between: @[string, string], at: 0.9, stiffness: 5.0e+6}", "two different bodies"},
    {12, "  - @{between: [shoe, string], stiffness: 5.0e+6}", "missing key \"at\", where \"shoe\" and \"string\" meet"},
    {12, "  - {between: [shoe, string], at: @[0.9, 0.1], stiffness: 5.0e+6}", "is one number"},
    {12, "  - {between: [shoe, string], at: @1.9, stiffness: 5.0e+6}", "allowed: 0 to 1"},
    {12, "  - {between: [shoe, string], at: 0.9, force: @sprung, stiffness: 5.0e+6}", "did you mean \"spring\""},
    {12, "  - {between: [shoe, string], at: 0.9, stiffness: 5.0e+6, cubic: @1}", "goes with `force: spring`"},
    {12, "  - {between: [shoe, string], at: 0.9, stiffness: 5.0e+6, solver: plain, viscosity: @1}", "`solver: newton`"},
    {12, "  - {between: [top, string], at: @0.9, stiffness: 5.0e+6}", "two places, one on \"top\" and one on \"string\""},
    {13, "  - {between: [top, shoe], at: @0.8, name: buzz, stiffness: 5.0e+8}", "[x, y], fractions of its length and width"},
    {13, "  - {between: [top, shoe], at: [0.8, 0.75], name: @top, stiffness: 5.0e+8}", "is a body"},
    {14, "  - {between: [@top, string], from: 0.9, to: 1, stiffness: 1.0e+9}", "\"top\" is a plate; allowed: string, barrier"},
    {14, "  - {between: [bridge, string], from: 0.9, frets: @0, stiffness: 1.0e+9}", "allowed: 1 to 30"},
    {14, "  - {between: [bridge, string], from: 0.9, frets: @1.5, stiffness: 1.0e+9}", "not a whole number"},
    {14, "  - {between: [bridge, string], from: @0.9, to: {40: 1, 52: 0.8}, stiffness: 1.0e+9}", "below `to`; at key 46"},
    {14, "  - {between: [bridge, string], from: 0.9, profile: [[0.5, 0], @[0.4, 1.0e-3]], stiffness: 1.0e+9}", "x = 0 to 1"},
    {14, "  - {between: [bridge, string], at: 0.9, parabola: @{apex: 1, curvature: 1}, stiffness: 1.0e+9}", "`from` and `to`"},
    {15, "@pluk: {string: string, at: 0.3, height: [0.0001, 0.002]}", "did you mean \"pluck\""},
    {15, "pluck: {string: @shoe, at: 0.3, height: [0.0001, 0.002]}", "\"shoe\" is a mass; allowed: string, bar"},
    {15, "pluck: {string: string, at: 0.3, height: @[0.002, 0.0001]}", "must be below"},
    {15, "throw: {body: @string, speed: [0.1, 1]}", "allowed: mass"},
    {15, "bow: [{plays: string, force: [0.1, 1], speed: [0.1, 0.4]}, {plays: @shoe, force: [0.1, 1], speed: [0.1, 0.4]}]",
     "is a mass; allowed: string"},
    {15, "pluck: {string: string, at: 0.3, height: [0.0001, 0.002]}\nsoft_pedal: @{hardness: 0.5}", "no mallet is thrown here"},
    {15, "pluck: {string: string, at: 0.3, height: [0.0001, 0.002]}\npreparations: @{screw: {}}", "role: rattle, loose-bridge"},
    {15, "mallet: {strikes: string, mass: 0.01, speed: [1, 2], contact: {law: @felt, stiffness: 1.0e+6}}",
     "Allowed: hunt-crossley, stulov"},
    {15, "mallet: {strikes: string, mass: 0.01, speed: [1, 2], contact: {stiffness: 1.0e+6, hysteresis: @0.4}}", "has none"},
    {15, "mallet: {strikes: string, mass: 0.01, speed: [1, 2], pool: @9, contact: {stiffness: 1.0e+6}}", "allowed: 1 to 8"},
    {15,
     "mallet: {strikes: string, mass: 0.01, speed: [1, 2], roll: @{speed: [0.1, 1], roughness: 1.0e-6, radius: 0.01}, "
     "contact: {stiffness: 1.0e+6}}",
     "nothing presses the ball on"},
    {12, "  - {between: [shoe, string], at: 0.9, stiffness: 5.0e+6, role: @screw}", "`force: spring`"},
    {12, "  - {between: [shoe, string], at: 0.9, stiffness: 5.0e+6, hysteresis: @0.5}", "has both"},
    {12, "  - {between: [shoe, string], at: 0.9, stiffness: 5.0e+6, viscosity: @1, hysteresis: 0.5, relaxation: 1.0e-4}",
     "has none"},
    {19, "damper: {loss: 20}\nresonators: @{tube: {body: modal-list, ratios: [1], q: [20], mass: 1}}", "it needs feeds"},
    {19, "damper: {loss: 20}\nfeeds: [{from: string, to: @shoe, gain: 1}]", "and there is none"},
    {19,
     "damper: {loss: 20}\nresonators: {a: {body: modal-list, ratios: [1], q: [20], mass: 1}}\n"
     "feeds: [{from: string, to: a, gain: 1}, {from: a, to: @a, gain: 1}]",
     "energy out of nothing"},
    {11,
     "resonators: {tube: {body: modal-list, ratios: [1], q: [20], mass: 1}}\ncontacts:\n"
     "  - {between: [@tube, string], at: 0.9, stiffness: 5.0e+6}",
     "`family: modal`"},
    {7, "  string: {body: string, length: 0.8, lin_density: 0.005, t60: 1, stretch: @20000}", "tension is constant"},
    {8, "  shoe: {family: modal, body: string, length: 0.8, lin_density: 0.005, t60: 1, stretch: @20000}",
     "tension is constant"},
    {8, "  shoe: {family: @grids, body: modal-list, ratios: [1], q: [20], mass: 1}", "Allowed: modal"},
    {8, "  shoe: {family: modal, body: modal-list, ratios: [1], q: [20], mass: 1, place: @[0, 0, 0]}", "place in the room"},
    {19, "damper: {loss: 20}\ndrives: [{from: string, to: @top, gain: 1}]", "no shared body to drive"},
    {19, "damper: {loss: 20}\ndefaults: {@gesture: pluck}", "has no effect on this instrument"},
    {15, "pluck: {string: string, at: 0.3, height: [0.0001, 0.002]}\nfingered: @{keys: [40], harmonics: true}", "under a bow"},
    {15, "bow: {plays: string, force: [0.1, 1], speed: [0.1, 0.4]}\nfingered: @{keys: [40]}", "key 44 is 4 semitones above"},
    {17, "  - {of: @strong, quantity: force, at: 1}", "did you mean \"string\"? Allowed: string, shoe, top, bridge, buzz"},
    {17, "  - {of: shoe, quantity: @force}", "\"shoe\" is a mass; allowed: string"},
    {17, "  - {of: @bridge}", "is a barrier; allowed:"},
    {18, "  - {of: buzz, quantity: @velocity}", "of a contact the force is heard"},
    {19, "damper: {loss: 20}\ndefaults: {@tube.level: 2}", "has no effect on this instrument"},
    {19, "damper: {loss: 20}\ndefaults: {@bow.force: 2}", "has no effect on this instrument"},
};

/** The good file with a line in another way, without the marks. @return where the first mark stood */
static void make(char text[TEXT_MAX], const fault_case* c, unsigned* line, unsigned* column) {
  size_t n = 0;
  *line = *column = 0;
  for (unsigned i = 1; i <= LINES; ++i) {
    const char* from = c && c->line == i ? c->text : good[i - 1];
    unsigned down = 0, across = 1;
    for (; *from; ++from) {
      if (c && c->line == i && *from == '@') {
        *line = *line ? *line : i + down;
        *column = *column ? *column : across;
        continue;
      }
      across = *from == '\n' ? 1 : across + 1;
      down += *from == '\n';
      text[n++] = *from;
    }
    text[n++] = '\n';
  }
  text[n] = '\0';
}

static htz_spec* parse(const fault_case* c, htz_diags* diags, unsigned* line, unsigned* column) {
  char text[TEXT_MAX];
  htz_spec* spec = NULL;
  make(text, c, line, column);
  htz_spec_parse("x.yaml", text, strlen(text), &spec, diags);
  return spec;
}

static void the_good_file_is_good(void** state) {
  htz_diags diags;
  unsigned line, column;
  htz_spec* spec = parse(NULL, &diags, &line, &column);
  (void)state;
  htz_diags_print(&diags, stderr);
  assert_non_null(spec);
  assert_non_null(spec->grid);
  assert_int_equal(spec->n_bodies, 0);
  assert_int_equal(spec->grid->n_bodies, 4);
  assert_int_equal(spec->grid->n_contacts, 2);
  assert_int_equal(spec->grid->n_stretches, 1);
  assert_true(spec->grid->stretches[0].string_above);
  assert_int_equal(spec->grid->hears[1].source, HTZ_SOURCE_CONTACT);
  assert_true(spec->loose_bridge);
  check_close(spec->params[HTZ_PARAM_BRIDGE_GAP], 5e-6, 1e-12);
  assert_true(htz_spec_param_used(spec, HTZ_PARAM_BRIDGE_GAP));
  assert_true(htz_spec_param_used(spec, HTZ_PARAM_MALLET_AT)); // where it is plucked
  assert_true(htz_spec_param_used(spec, HTZ_PARAM_DAMPER));
  assert_false(htz_spec_param_used(spec, HTZ_PARAM_MALLET_HARDNESS));
  assert_false(htz_spec_param_used(spec, HTZ_PARAM_RESONATOR));
  assert_false(htz_spec_param_used(spec, HTZ_PARAM_THREAD_AT));
  htz_spec_free(spec);
}

static void each_mistake_is_found_where_it_stands(void** state) {
  size_t missed = 0;
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    htz_diags diags;
    unsigned line, column;
    htz_spec* spec = parse(&cases[i], &diags, &line, &column);
    const htz_diag* first = &diags.item[0];
    bool found = false;
    for (size_t d = 0; d < diags.n; ++d) {
      found =
          found || (diags.item[d].line == line && diags.item[d].column == column && strstr(diags.item[d].text, cases[i].says));
    }
    if (spec || !found) {
      print_error("%s\n  wanted %u:%u ... %s\n  got %u:%u %s\n", cases[i].text, line, column, cases[i].says,
                  diags.n ? first->line : 0, diags.n ? first->column : 0, diags.n ? first->text : "nothing");
      ++missed;
    }
    htz_spec_free(spec);
  }
  assert_int_equal(missed, 0);
}

/** A number that is bad is there all the same, and what is said of a body of no known kind waits until it has one. */
static void a_mistake_is_told_once(void** state) {
  static const fault_case once[] = {
      {7, "  string: {body: string, length: @.inf, lin_density: 0.004}", "not a number"},
      {7, "  string: {body: string, length: @\"1,9\", lin_density: 0.004}", "take a point"},
      {8, "  shoe: {body: mass, mass: @0}", "out of range"},
      {8, "  shoe: {body: @masss, mass: 0.001, frequency: 500, loss: 20}", "did you mean \"mass\""},
  };
  (void)state;
  for (size_t i = 0; i < sizeof once / sizeof once[0]; ++i) {
    htz_diags diags;
    unsigned line, column;
    htz_spec* spec = parse(&once[i], &diags, &line, &column);
    assert_null(spec);
    assert_int_equal(diags.n, 1);
    assert_int_equal(diags.item[0].line, line);
    assert_int_equal(diags.item[0].column, column);
    assert_non_null(strstr(diags.item[0].text, once[i].says));
  }
}

/** With fingers for harmonics any key will do; U of the bow is force times what the string gives: k/(2 rho h) sqrt(2 e a) at a grid point. */
static void harmonics_reach_any_key(void** state) {
  static const fault_case bowed = {
      15, "bow: {plays: string, force: [0.1, 1], speed: [0.1, 0.4]}\nfingered: {keys: [40], harmonics: true}", ""};
  const double rate = 48000.0, rho = 0.004, sharpness = 100.0, force = 1.0;
  htz_diags diags;
  unsigned line, column;
  htz_spec* spec = parse(&bowed, &diags, &line, &column);
  (void)state;
  assert_non_null(spec);
  htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX];
  const char* why;
  char where[HTZ_SPEC_WHERE];
  assert_int_equal(htz_spec_grid_try(spec, 40, rate, htz_kernels_select(), looks, where, &why), HTZ_OK);
  const double most = force * sqrt(2.0 * sharpness * exp(1.0)) / (2.0 * rate * rho * looks[0].spacing);
  const double u = htz_spec_bow_stiffness(spec, 47.0, rate);
  // Between two grid points the string gives less, halfway by interpolation half as much; its loss takes some thousandths.
  assert_true(u > 0.45 * most && u < 1.05 * most);
  htz_spec_free(spec);
}

/** The fundamental of the grid is the key's pitch to rounding, and its other partials are flat by no more than a few cents. */
static void the_grid_is_in_tune(void** state) {
  htz_diags diags;
  unsigned line, column;
  htz_spec* spec = parse(NULL, &diags, &line, &column);
  (void)state;
  assert_non_null(spec);
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX];
    const char* why;
    char where[HTZ_SPEC_WHERE];
    assert_int_equal(htz_spec_grid_try(spec, key, 44100.0, htz_kernels_select(), looks, where, &why), HTZ_OK);
    check_close(looks[0].hz, htz_key_hz(key), 1e-9);
    // c k/h <= 1/2^(3/12) with three semitones to spare, and dispersion there is (pi n/N)^2 (1 - lambda^2)/24 of a partial: below 2 cents
    // of the second in a grid of more than 20 intervals.
    check_near(looks[0].cents[1], 0.0, 2.0);
    assert_true(looks[0].intervals[0] > 20);
    assert_true(looks[2].points <= 300 && looks[2].points > 30);
    check_close(looks[1].hz, 500.0, 1e-12);
  }
  htz_spec_free(spec);
}

/** Two strings that meet have as many intervals as each other. */
static void strings_that_meet_match(void** state) {
  static const char text[] = "format: 1\nfamily: grid\nname: x\nkeys: [40, 64]\nper_key:\n"
                             "  a: {body: string, length: 0.65, lin_density: 0.004}\n"
                             "  b: {body: string, ratio: 1.5, length: 0.65, lin_density: 0.002}\n"
                             "contacts:\n  - {between: [a, b], from: 0, to: 1, stiffness: 1.0e+8, gap: 1.0e-4}\n"
                             "kick: {body: a, at: 0.2, speed: [0.1, 1]}\npickups: [{of: a}]\n";
  htz_diags diags;
  htz_spec* spec = NULL;
  (void)state;
  htz_spec_parse("x.yaml", text, strlen(text), &spec, &diags);
  htz_diags_print(&diags, stderr);
  assert_non_null(spec);
  htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX];
  const char* why;
  char where[HTZ_SPEC_WHERE];
  assert_int_equal(htz_spec_grid_try(spec, 52, 48000.0, htz_kernels_select(), looks, where, &why), HTZ_OK);
  assert_int_equal(looks[0].intervals[0], looks[1].intervals[0]);
  htz_spec_free(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_good_file_is_good),  cmocka_unit_test(each_mistake_is_found_where_it_stands),
      cmocka_unit_test(a_mistake_is_told_once), cmocka_unit_test(harmonics_reach_any_key),
      cmocka_unit_test(the_grid_is_in_tune),    cmocka_unit_test(strings_that_meet_match),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
