/*
   Ears in instrument files: what a file may say of them, where they come to be, and how late each key is heard.
*/
#include "check.h"

#include "hertzian/instrument/instrument.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 2048 };

#define BAR "body: bar, material: steel, length: 0.3, width: 0.03, thickness: 0.01, modes: 8"
#define PLATE "body: plate, material: steel, length: 0.3, width: 0.2, modes: 20"

/** A file with one struck body; the pickups begin at line 6, column 11. */
static htz_status parse(const char* body, const char* pickups, htz_spec** spec, htz_diags* diags) {
  char text[TEXT_MAX];
  const int n = snprintf(text, TEXT_MAX,
                         "format: 1\nname: Test\nkeys: [60, 72]\nper_key: {b: {%s}}\n"
                         "mallet: {strikes: b, mass: 0.02, speed: [0.1, 4], contact: {stiffness: 1.0e+7}}\n"
                         "pickups: [%s]\n",
                         body, pickups);
  assert_true(n > 0 && n < TEXT_MAX);
  return htz_spec_parse("test.yaml", text, strlen(text), spec, diags);
}

static htz_spec* good(const char* body, const char* pickups) {
  htz_diags diags;
  htz_spec* spec;
  const htz_status st = parse(body, pickups, &spec, &diags);
  if (st) {
    print_error("%s\n", diags.n ? diags.item[0].text : "no fault");
  }
  assert_int_equal(st, HTZ_OK);
  return spec;
}

static void bad(const char* body, const char* pickups, unsigned line, unsigned column, const char* says) {
  htz_diags diags;
  htz_spec* spec;
  assert_int_equal(parse(body, pickups, &spec, &diags), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 1);
  if (!strstr(diags.item[0].text, says) || diags.item[0].line != line || (column && diags.item[0].column != column)) {
    print_error("%u:%u: \"%s\" does not say \"%s\" at %u:%u\n", diags.item[0].line, diags.item[0].column, diags.item[0].text,
                says, line, column);
    fail();
  }
}

static void what_cannot_be_heard_is_refused(void** state) {
  (void)state;
  bad("body: string, length: 0.6, lin_density: 0.005, modes: 8", "{of: b, ear: [0, -1, 1]}", 6, 24,
      "ear: a string is too thin to move the air; listen to what it drives");
  bad("body: bar, mass: 0.3, modes: 8", "{of: b, ear: [0, -1, 1]}", 6, 24, "ear: needs the bar's length, width and thickness");
  bad("body: modal-list, ratios: [1, 3], q: 20", "{of: b, ear: [0, -1, 1]}", 6, 24,
      "ear: needs the radius of its opening, `mouth`");
  bad(BAR, "{of: b, ear: [0, -1]}", 6, 24, "ear: ");
  bad(BAR, "{of: b, ear: 3}", 6, 24, "ear: ");
  bad(BAR, "{of: b, ear: [0, -1, 400]}", 6, 0, "ear: ");
  bad(BAR, "{of: b, ear: [0, -1, 1], at: 0.5}", 6, 0, "ear: hears the pressure that the whole body makes");
  bad(BAR, "{of: b, ear: [0, -1, 1], quantity: velocity}", 6, 0, "ear: hears the pressure that the whole body makes");
  bad(PLATE, "{of: b, ear: [0, -1, 1], at_y: 0.5}", 6, 0, "ear: hears the pressure that the whole body makes");
}

static void an_ear_in_the_body_or_where_it_is_silent_is_refused(void** state) {
  (void)state;
  bad(BAR, "{of: b, ear: [0.1, 0, 0.01]}", 6, 24, "ear: the ear is in the body; allowed: at least 0.02 m from it (at key 60)");
  bad(PLATE, "{of: b, ear: [0, 0, -0.015]}", 6, 24, "ear: the ear is in the body");
  bad(BAR, "{of: b, ear: [0, -1, 0]}", 6, 24, "ear: nothing is heard in the plane");
  bad(PLATE ", baffle: rim", "{of: b, ear: [0, -1, 0]}", 6, 24, "ear: nothing is heard in the plane");
  // Where key 66 lies and no other.
  bad(BAR ", place: [{60: 0, 72: 12}, 0, 0]", "{of: b, ear: [6, 0, 0.01]}", 6, 24, "(at key 66)");
  htz_spec_free(good(PLATE ", baffle: wall", "{of: b, ear: [0, -1, 0]}"));
}

static void places_and_axes_are_checked(void** state) {
  (void)state;
  bad(BAR ", place: [0, 1]", "{of: b, ear: [0, -1, 1]}", 4, 0, "place: ");
  bad(BAR ", axis: w", "{of: b, ear: [0, -1, 1]}", 4, 0, "axis: ");
  bad(PLATE ", baffle: fence", "{of: b, ear: [0, -1, 1]}", 4, 0, "baffle: ");
}

static void grids_and_shared_bodies_say_what_they_cannot(void** state) {
  (void)state;
  htz_diags diags;
  htz_spec* spec;
  static const char grid[] =
      "format: 1\nfamily: grid\nname: Test\nkeys: [60, 72]\n"
      "per_key:\n  ball: {body: mass, mass: 0.01}\n  wall: {body: barrier}\n"
      "contacts:\n  - {between: [wall, ball], force: collision, stiffness: 1.0e+7, exponent: 1.5, gap: 0.001}\n"
      "throw: {of: ball, speed: [0.1, 2]}\npickups: [{of: ball, ear: [0, 1, 1]}]\n";
  assert_int_equal(htz_spec_parse("test.yaml", grid, strlen(grid), &spec, &diags), HTZ_BAD_INPUT);
  bool said = false;
  for (size_t i = 0; i < diags.n; ++i) {
    said = said || strstr(diags.item[i].text, "ear: the pressure is known of bodies with modes");
  }
  assert_true(said);
  static const char shared[] =
      "format: 1\nname: Test\nkeys: [60, 72]\nper_key: {s: {body: string, length: 0.6, lin_density: 0.005, modes: 20}}\n"
      "shared: {board: {body: plate, material: spruce, length: 1, width: 0.5, thickness: 0.005, modes: 30}}\n"
      "drives: [{from: s, to: board, gain: 1}]\n"
      "mallet: {strikes: s, mass: 0.005, speed: [0.1, 4], contact: {stiffness: 1.0e+8}}\n"
      "pickups: [{of: board, ear: [{60: 0, 72: 1}, -1, 1]}]\n";
  assert_int_equal(htz_spec_parse("test.yaml", shared, strlen(shared), &spec, &diags), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 1);
  assert_non_null(strstr(diags.item[0].text, "a table over keys cannot stand here"));
  assert_int_equal(diags.item[0].line, 8);
}

/** The body sees the ear from its middle, along its own axes. */
static void an_ear_is_seen_from_the_body(void** state) {
  (void)state;
  static const char* const axis[] = {"x", "y", "z"};
  // From (1 at key 60, 0.2, 0.3) to (1.5, -0.8, 0.9): 0.5 to the right, 1 nearer, 0.6 up.
  static const htz_ear seen[] = {{0.5, -1.0, 0.6}, {-1.0, -0.5, 0.6}, {0.6, 0.5, -1.0}};
  for (size_t i = 0; i < 3; ++i) {
    char body[TEXT_MAX];
    snprintf(body, sizeof body, BAR ", place: [{60: 1, 72: 2}, 0.2, 0.3], axis: %s", axis[i]);
    htz_spec* spec = good(body, "{of: b, ear: [1.5, -0.8, 0.9]}");
    assert_int_equal(spec->pickups[0].quantity, HTZ_HEAR_PRESSURE);
    const htz_ear ear = htz_spec_ear(&spec->bodies[0], spec->pickups[0].ear[HTZ_EARS_PLAYER], 60);
    check_near(ear.x, seen[i].x, 1e-12);
    check_near(ear.y, seen[i].y, 1e-12);
    check_near(ear.z, seen[i].z, 1e-12);
    htz_spec_free(spec);
  }
}

/** Each key is heard at once by its nearest ear, by the other as late as that is farther away; ears and points do not share a line. */
static void the_farther_ear_is_later(void** state) {
  (void)state;
  htz_spec* spec =
      good(BAR ", place: [{60: -1, 72: 1}, 0, 0], axis: y",
           "{of: b, ear: [-0.1, -0.5, 0.5], pan: -1}, {of: b, ear: [0.1, -0.5, 0.5], pan: 1}, {of: b, pan: 1, at: 0}");
  htz_arena arena;
  htz_instrument* it;
  const char* why;
  assert_int_equal(htz_instrument_build(spec, 48000.0, htz_kernels_select(), NULL, &arena, &it, &why), HTZ_OK);
  for (int key = 60; key <= 72; ++key) {
    double away[2];
    for (size_t side = 0; side < 2; ++side) {
      const double dx = (side ? 0.1 : -0.1) - (-1.0 + (key - 60) / 6.0);
      away[side] = sqrt(dx * dx + 0.5);
    }
    assert_int_equal(it->keys[key].island->n_pickups, 3);
    for (size_t side = 0; side < 2; ++side) {
      const double later = (away[side] - fmin(away[0], away[1])) / 343.0 * 48000.0;
      check_near((double)it->keys[key].late[HTZ_EARS_PLAYER][side], later, 0.51);
    }
    assert_int_equal(it->keys[key].late[HTZ_EARS_PLAYER][2], 0);
  }
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

/** The file of a bar and a pair; `ears` stands in line 6, the pickups in line 7. */
static void bad_pair(const char* ears, const char* pickups, const char* more, unsigned line, const char* says) {
  char text[TEXT_MAX];
  htz_diags diags;
  htz_spec* spec;
  snprintf(text, TEXT_MAX,
           "format: 1\nname: Test\nkeys: [60, 72]\nper_key: {b: {" BAR "}}\n"
           "mallet: {strikes: b, mass: 0.02, speed: [0.1, 4], contact: {stiffness: 1.0e+7}}\n%s\npickups: [%s]\n%s\n",
           ears, pickups, more);
  const htz_status st = htz_spec_parse("test.yaml", text, strlen(text), &spec, &diags);
  if (!says) {
    assert_int_equal(st, HTZ_OK);
    htz_spec_free(spec);
    return;
  }
  assert_int_equal(st, HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 1);
  if (!strstr(diags.item[0].text, says) || diags.item[0].line != line) {
    print_error("%u: \"%s\" does not say \"%s\" in line %u\n", diags.item[0].line, diags.item[0].text, says, line);
    fail();
  }
}

static void a_pair_has_places_and_hears(void** state) {
  (void)state;
  static const char one[] = "ears: {player: [[-0.1, -1, 1], [0.1, -1, 1]]}";
  static const char two[] = "ears: {audience: [[-0.1, -3, 1], [0.1, -3, 1]], close: [[-0.1, -1, 1], [0.1, -1, 1]]}";
  static const char both[] = "{of: b, ear: both}";
  bad_pair(one, both, "", 0, NULL);
  bad_pair(two, both, "defaults: {ears: close}\ncontrols: {ears: {cc: 80, range: [audience, close]}}", 0, NULL);
  bad_pair("", both, "", 7, "ear: the file has no pair of ears; it is given as `ears: ");
  bad_pair(one, "{of: b}", "", 6, "ears: nothing is heard by the pair; a pickup is with `ear: both`");
  bad_pair("ears: {}", both, "", 6, "ears: ");
  bad_pair("ears: {player: [[0, -1, 1]]}", both, "", 6, "player: ");
  bad_pair("ears: {player: [[0, -1, 1], [0, -1]]}", both, "", 6, "player: ");
  bad_pair("ears: {player: [[{60: 0, 72: 1}, -1, 1], [0, -1, 1]]}", both, "", 6, "a table over keys cannot stand here");
  bad_pair("ears: {stage: [[0, -1, 1], [0, -1, 1]]}", both, "", 6, "unknown key \"stage\"");
  bad_pair("ears: {player: [[0, -1, 0], [0.1, -1, 1]]}", both, "", 7, "nothing is heard of `ears: player` in the plane");
  bad_pair(one, "{of: b, ear: left}", "", 7, "ear: unknown \"left\". Allowed: a place such as [0.3, -0.5, 0.5], or `both`");
  bad_pair(one, "{of: b, ear: both, pan: 0.5}", "", 7, "ear: both ears are heard left and right");
  bad_pair(one, "{of: b, ear: both, at: 0.5}", "", 7, "ear: hears the pressure that the whole body makes");
  bad_pair(one, "{of: b, ear: both}, {of: b, ear: both}, {of: b, ear: both}, {of: b, ear: both}, {of: b, ear: both}", "", 7,
           "pickups: at most 8 of a key's own bodies");
  bad_pair(two, both, "defaults: {ears: player}", 8, "ears: the pair of ears has no such place here. Allowed: audience, close");
  bad_pair(one, both, "defaults: {ears: player}", 8, "defaults: \"ears\" has no effect on this instrument");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_cannot_be_heard_is_refused), cmocka_unit_test(an_ear_in_the_body_or_where_it_is_silent_is_refused),
      cmocka_unit_test(places_and_axes_are_checked),     cmocka_unit_test(grids_and_shared_bodies_say_what_they_cannot),
      cmocka_unit_test(an_ear_is_seen_from_the_body),    cmocka_unit_test(the_farther_ear_is_later),
      cmocka_unit_test(a_pair_has_places_and_hears),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
