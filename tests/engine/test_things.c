/*
   Things on a key by the names they have in the file: what moves one of them leaves the others as they are.
*/
#include "check.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
enum { QUANTA = 400, FRAMES = QUANTA * HTZ_QUANTUM, KEY = 60 };

static const char strings[] =
    "format: 1\nname: Strings\nkeys: [48, 72]\n"
    "per_key: {string: {body: string, count: 2, length: 0.6, lin_density: 0.006, t60: 5, modes: 30}}\n"
    "mallet: {strikes: string, mass: 0.008, speed: [0.3, 5], at: 0.12,\n"
    "         contact: {stiffness: 4.0e+9, exponent: 2.5, viscosity: 0.2}}\n"
    "pickups: [{of: string, at: 0.3, gain: 0.05}]\n%s";
#define SCREW "  screw: {on: string, at: 0.23, mass: 0.0015}\n"
#define SCREW2 "  screw2: {on: string, at: 0.41, mass: 0.0008}\n"
#define RUBBER7 "  rubber7: {on: string, at: 0.15, damping: 0.1, stiffness: 500, keys: [48]}\n"
#define RATTLES                                                                                                                \
  "  rattle: {on: string, at: 0.6, mass: 0.0006, gap: 1.0e-4, spring: 20, damping: 0.2, contact: {stiffness: 2.0e+7}}\n"       \
  "  rattle2: {on: string, at: 0.35, mass: 0.0003, gap: 0.02, spring: 30, damping: 0.2, contact: {stiffness: 2.0e+7}}\n"       \
  "  bridge2: {on: string, at: 0.9, mass: 0.003, gap: 0, gravity: 9.81, contact: {stiffness: 2.0e+8}}\n"

static void play(const char* things, const char* name, double value, float* left) {
  char text[2048];
  float right[HTZ_QUANTUM];
  sound s;
  snprintf(text, sizeof text, strings, things);
  assert_true(sound_open_text(&s, text, rate_hz));
  assert_true(!name || sound_set(&s, name, value));
  htz_engine_strike(s.engine, 0, KEY, 100.0, 0);
  for (size_t q = 0; q < QUANTA; ++q) {
    htz_engine_quantum(s.engine, left + q * HTZ_QUANTUM, right);
  }
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

/** Root mean square of x - y over that of x. */
static double apart(const float* x, const float* y) {
  double off = 0.0, all = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    off += ((double)x[i] - (double)y[i]) * ((double)x[i] - (double)y[i]);
    all += (double)x[i] * (double)x[i];
  }
  return sqrt(off / all);
}

static float a[FRAMES], b[FRAMES];

// What is as the file says is folded into the modes of the strings, to a cent; so both of what is compared have something moved.
static const double solved = 1e-6; // a step is solved to 1e-13 m; over 1e4 steps that is far below 1e-6 of a swing of 1e-3 m

/** A screw that is taken away leaves the others: what is left sounds as a file without it. */
static void one_screw_is_taken_away(void** state) {
  (void)state;
  play("preparations:\n  screw: {on: string, at: 0.23, mass: 0.003}\n", "screw.mass", 0.5, a);
  play("preparations:\n" SCREW SCREW2, "screw2.mass", 0.0, b);
  check_below(apart(a, b), solved);
  play("preparations:\n" SCREW SCREW2, NULL, 0.0, b);
  check_above(apart(a, b), 0.05);
  // A rubber beside it likewise.
  play("preparations:\n" SCREW "  rubber2: {on: string, at: 0.41, damping: 0.1}\n", "rubber2.loss", 0.0, b);
  check_below(apart(a, b), solved);
  // Its kind moves both.
  play("", NULL, 0.0, a);
  play("preparations:\n" SCREW SCREW2, "screw.mass", 0.0, b);
  check_below(apart(a, b), solved);
}

/** Its weight, its place, and its place from the start: as in a file that says otherwise and is moved there. */
static void one_screw_is_moved(void** state) {
  (void)state;
  play("preparations:\n" SCREW "  screw2: {on: string, at: 0.41, mass: 0.0016}\n", "screw2.mass", 0.25, a);
  play("preparations:\n" SCREW SCREW2, "screw2.mass", 0.5, b);
  check_below(apart(a, b), solved);
  play("preparations:\n" SCREW "  screw2: {on: string, at: 0.5, mass: 0.0008}\n", "screw2.at", 0.3, a);
  play("preparations:\n" SCREW SCREW2, "screw2.at", 0.3, b);
  check_below(apart(a, b), solved);
  play("preparations:\n" SCREW SCREW2 "defaults: {screw2.at: 0.3}\n", NULL, 0.0, b);
  check_below(apart(a, b), solved);
}

/** What a key does not have does not move it, and what is moved and put back is as it was: same bits. */
static void the_others_are_left_alone(void** state) {
  (void)state;
  play("preparations:\n" SCREW RUBBER7, NULL, 0.0, a);
  play("preparations:\n" SCREW RUBBER7, "rubber7.loss", 5.0, b);
  assert_memory_equal(a, b, sizeof a);
  play("preparations:\n" SCREW SCREW2, NULL, 0.0, a);
  play("preparations:\n" SCREW SCREW2, "screw2.mass", (double)NAN, b);
  assert_memory_equal(a, b, sizeof a);
}

/** A rattle out of reach comes near enough to rattle; its fellow stays where it is. */
static void one_rattle_comes_near(void** state) {
  (void)state;
  play("preparations:\n" RATTLES, NULL, 0.0, a);
  play("preparations:\n" RATTLES, "rattle2.gap", 1e-5, b);
  check_above(apart(a, b), 1e-3);
  play("preparations:\n" RATTLES, "rattle2.gap", 0.019, b); // out of reach as well
  check_below(apart(a, b), 1e-9);
}

static void names_are_known_and_others_refused(void** state) {
  (void)state;
  static const struct {
    const char *more, *says;
  } cases[] = {
      {"defaults: {screw3.mass: 2}\n", "unknown \"screw3.mass\"; did you mean"},
      {"defaults: {rattle2.gap: 1}\n", "rattle2.gap: 1 m is out of range; allowed: 0 to 0.02 m"},
      {"defaults: {bridge2.gap: 0.001}\n", "\"bridge2.gap\" has no effect on this instrument"},
      {"defaults: {screw2.gap: 0.001}\n", "unknown \"screw2.gap\""},
      {"controls: {rattle2.mass: {cc: 7}}\n", "taken by channel volume"},
  };
  char text[4096], more[2048];
  htz_spec* spec;
  htz_diags diags;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    snprintf(more, sizeof more, "preparations:\n" SCREW SCREW2 RATTLES "%s", cases[i].more);
    snprintf(text, sizeof text, strings, more);
    assert_int_equal(htz_spec_parse("x.yaml", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
    htz_diags_print(&diags, stdout);
    assert_int_equal(diags.n, 1);
    assert_non_null(strstr(diags.item[0].text, cases[i].says));
  }
  snprintf(text, sizeof text, strings,
           "preparations:\n" SCREW SCREW2 RATTLES "controls: {rattle2.gap: {cc: 20, range: [0, 0.001]}}\n");
  assert_int_equal(htz_spec_parse("x.yaml", text, strlen(text), &spec, &diags), HTZ_OK);
  const size_t gap = htz_spec_param_find(spec, "rattle2.gap");
  assert_true(gap < htz_spec_n_params(spec) && spec->controls[0].param == gap);
  check_near(htz_spec_param_initial(spec, gap), 0.02, 0.0);
  check_near(htz_spec_param_initial(spec, htz_spec_param_find(spec, "screw2.mass")), 1.0, 0.0);
  assert_int_equal(htz_spec_param_find(spec, "screw.mass"), HTZ_PARAM_SCREW_MASS); // of all its kind
  htz_spec_free(spec);
}

/** In a file of several objects behind the object's name. */
static void things_of_objects(void** state) {
  (void)state;
  static const char text[] =
      "format: 1\nname: Two\nobjects:\n"
      "  - name: low\n    keys: [40, 50]\n"
      "    per_key: {string: {body: string, length: 0.6, lin_density: 0.006, t60: 5, modes: 20}}\n"
      "    mallet: {strikes: string, mass: 0.008, speed: [0.3, 5], at: 0.12, contact: {stiffness: 4.0e+9, exponent: 2.5}}\n"
      "    preparations: {screw2: {on: string, at: 0.41, mass: 0.0008}}\n"
      "    pickups: [{of: string, at: 0.3, gain: 0.05}]\n    defaults: {screw2.at: 0.3}\n"
      "  - name: high\n    keys: [51, 60]\n"
      "    per_key: {bar: {body: modal-list, ratios: [1], t60: 3, mass: 0.1}}\n"
      "    mallet: {strikes: bar, mass: 0.01, speed: [0.2, 5], contact: {exponent: 1.5, stiffness: 1.0e+8}}\n"
      "    pickups: [{of: bar, gain: 0.01}]\n";
  sound s;
  assert_true(sound_open_text(&s, text, rate_hz));
  check_near(htz_spec_param_initial(s.spec, htz_spec_param_find(s.spec, "low.screw2.at")), 0.3, 0.0);
  assert_int_equal(htz_spec_param_find(s.spec, "screw2.at"), htz_spec_n_params(s.spec));
  assert_int_equal(htz_spec_param_find(s.spec, "high.screw2.at"), htz_spec_n_params(s.spec));
  assert_true(sound_set(&s, "low.screw2.mass", 0.5) && sound_set(&s, "low.screw.mass", 0.5));
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_screw_is_taken_away),
      cmocka_unit_test(one_screw_is_moved),
      cmocka_unit_test(the_others_are_left_alone),
      cmocka_unit_test(one_rattle_comes_near),
      cmocka_unit_test(names_are_known_and_others_refused),
      cmocka_unit_test(things_of_objects),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
