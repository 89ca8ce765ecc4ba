/*
   Bows, contacts on grids and preparations by names that a file gives them: what moves one moves that alone, as the same thing under a
   usual name is moved.
*/
#include "check.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
enum { QUANTA = 150, FRAMES = QUANTA * HTZ_QUANTUM, KEY = 50, TEXT = 4096 };

static float a[FRAMES], b[FRAMES];

/** Text of a fixture with `before` replaced by `after`. */
static void load(const char* file, const char* before, const char* after, char out[TEXT]) {
  char path[512], text[TEXT];
  snprintf(path, sizeof path, "%s/tests/fixtures/instruments/%s", HTZ_SOURCE_DIR, file);
  FILE* in = fopen(path, "rb");
  assert_non_null(in);
  text[fread(text, 1, sizeof text - 1, in)] = '\0';
  fclose(in);
  const char* at = strstr(text, before);
  assert_non_null(at);
  snprintf(out, TEXT, "%.*s%s%s", (int)(at - text), text, after, at + strlen(before));
}

/** Strike or bow the key with `name` at `value` from the start. */
static void play(const char* text, const char* name, double value, float* left) {
  float right[HTZ_QUANTUM];
  sound s;
  assert_true(sound_open_text(&s, text, rate_hz));
  assert_true(!name || sound_set(&s, name, value));
  htz_engine_strike(s.engine, 0, KEY, 100.0, 0);
  htz_engine_hold(s.engine, 0, KEY, true, 0);
  for (size_t q = 0; q < QUANTA; ++q) {
    htz_engine_quantum(s.engine, left + q * HTZ_QUANTUM, right);
  }
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

static double apart(void) {
  double off = 0.0, all = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    off += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    all += (double)a[i] * (double)a[i];
  }
  assert_true(all > 0.0);
  return sqrt(off / all);
}

static const double heard = 0.01; // a change of a fifth or more in what plays is no less

/** A rattle and a screw under names of their own are moved as those of their kinds, to the bit. */
static void things_are_what_they_are_said_to_be(void** state) {
  (void)state;
  char mine[TEXT], usual[TEXT], both[TEXT];
  load("named-things.yaml", "", "", mine);
  load("named-things.yaml", "nut: {kind: rattle,", "rattle2: {", usual);
  char* control = strstr(usual, "nut.gap");
  assert_non_null(control);
  snprintf(both, sizeof both, "%.*srattle2%s", (int)(control - usual), usual, control + strlen("nut"));
  play(mine, "nut.gap", 1e-6, a);
  play(both, "rattle2.gap", 1e-6, b);
  assert_memory_equal(a, b, sizeof a);
  play(mine, NULL, 0.0, b);
  check_above(apart(), 0.0);
}

/** Each of two bows alone: as a file in which that one has another force; the default says nothing. */
static void one_bow_is_moved(void** state) {
  (void)state;
  char mine[TEXT], other[TEXT];
  load("named-things.yaml", "", "", mine);
  load("named-things.yaml", "force: [0.2, 0.6]", "force: [0.4, 1.2]", other);
  play(mine, "bow2.force", 1.2, a); // twice what it is at velocity 127, at every velocity
  play(other, NULL, 0.0, b);
  check_below(apart(), 1e-6); // the same but for rounding, over 0.2 s
  play(mine, NULL, 0.0, b);
  check_above(apart(), heard);
  load("named-things.yaml", "speed: [0.3, 0.3]", "speed: [0.6, 0.6]", other);
  play(mine, "wheel.speed", 0.6, a);
  play(other, NULL, 0.0, b);
  check_below(apart(), 1e-6);
  load("named-things.yaml", "at: 0.2,", "at: 0.3,", other);
  play(mine, "bow2.position", 0.3, a);
  play(other, NULL, 0.0, b);
  check_below(apart(), 1e-6);
  play(mine, "bow.position", (double)NAN, b);
  check_above(apart(), heard);
}

/** Two of one role on a grid. */
static void one_contact_is_moved(void** state) {
  (void)state;
  char mine[TEXT], other[TEXT];
  load("named-roles.yaml", "", "", mine);
  load("named-roles.yaml", "gap: 2.0e-3", "gap: 5.0e-5", other);
  play(mine, "far.gap", 5e-5, a);
  play(other, NULL, 0.0, b);
  check_below(apart(), 1e-9);
  play(mine, NULL, 0.0, b);
  check_above(apart(), heard);
  play(mine, "far.mass", 0.0, a); // out of reach: the same without it
  check_below(apart(), 1e-9);
  play(mine, "near.mass", 0.0, a);
  check_above(apart(), heard);
}

static void what_a_name_may_be(void** state) {
  (void)state;
  static const struct {
    const char *before, *after, *says;
  } cases[] = {
      {"kind: rattle", "kind: ratle", "kind: unknown \"ratle\"; did you mean \"rattle\"?"},
      {"nut: {kind: rattle", "screw: {kind: rattle", "kind: what is called \"screw\" is a screw"},
      {"nut: {kind: rattle", "mallet: {kind: rattle", "\"mallet\" is what parameters of other things begin with"},
      {"nut: {kind: rattle,", "nut: {",
       "unknown key \"nut\" in preparations, where a name of your own needs a `kind`. Allowed: rattle"},
      {"nut: {", "a nut: {", "a name is made of 1 to 32 letters"},
      {"name: wheel", "name: drive", "\"drive\" is what parameters of other things begin with"},
      {"name: wheel", "name: a wheel", "that of a bow is made of"},
      {"{plays: string, at: 0.2", "{name: wheel, plays: string, at: 0.2", "\"wheel\" is that of another bow already"},
      {"wheel.speed: {", "weel.speed: {", "unknown \"weel.speed\"; did you mean \"wheel.speed\"?"},
  };
  char text[TEXT];
  htz_spec* spec;
  htz_diags diags;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    load("named-things.yaml", cases[i].before, cases[i].after, text);
    assert_int_equal(htz_spec_parse("x.yaml", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
    htz_diags_print(&diags, stdout);
    assert_int_equal(diags.n, 1); // what goes by the name that is wrong is not told as well
    assert_non_null(strstr(diags.item[0].text, cases[i].says));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(things_are_what_they_are_said_to_be),
      cmocka_unit_test(one_bow_is_moved),
      cmocka_unit_test(one_contact_is_moved),
      cmocka_unit_test(what_a_name_may_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
