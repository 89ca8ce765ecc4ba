// The language of bows and fingers: what a file may say of them, and what is answered to what it may not.
#include "check.h"

#include "hertzian/instrument/instrument.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char start[] = "format: 1\nname: Test\nkeys: [50, 74]\nper_key:\n"
                            "  string: {body: string, length: 0.7, lin_density: 0.002, t60: 3}\n"
                            "  bar: {body: bar, mass: 0.1, t60: 1}\n"
                            "pickups:\n  - {of: string, quantity: velocity}\n"
                            "feeds:\n  - {from: string, to: bar, gain: 1}\n";

enum { TEXT = 2000 };

static htz_status parse(const char* rest, htz_spec** spec, htz_diags* diags) {
  char text[TEXT];
  const int n = snprintf(text, sizeof text, "%s%s", start, rest);
  return htz_spec_parse("test.yaml", text, (size_t)n, spec, diags);
}

static void a_bow_is_read(void** unused) {
  (void)unused;
  htz_spec* spec;
  htz_diags diags;
  assert_int_equal(parse("bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3], torsion: 3}\n"
                         "fingered: {keys: [50, 57], harmonics: true}\n"
                         "controls: {bow.force: {cc: [11, pressure], range: [0.1, 2]}}\n",
                         &spec, &diags),
                   HTZ_OK);
  assert_true(spec->bowed);
  check_close(spec->params[HTZ_PARAM_BOW_FORCE], 0.8, 1e-12);
  check_close(spec->params[HTZ_PARAM_BOW_POSITION], 0.12, 1e-12);
  assert_int_equal(spec->fingered.n, 2);
  assert_true(spec->fingered.harmonics);
  assert_int_equal(spec->n_controls, 2);
  assert_int_equal(spec->controls[0].cc, 11);
  assert_int_equal(spec->controls[1].cc, HTZ_CONTROL_PRESSURE);
  assert_true(htz_spec_param_used(spec, HTZ_PARAM_BOW_SPEED));
  assert_false(htz_spec_param_used(spec, HTZ_PARAM_MALLET_HARDNESS));
  // U goes with the force and with the root of the sharpness: 4 times as sharp, twice as stiff.
  const double u = htz_spec_bow_stiffness(spec, 60.0, 48000.0);
  assert_true(u > 0.0);
  spec->bows[0].law.sharpness *= 4.0;
  check_close(htz_spec_bow_stiffness(spec, 60.0, 48000.0), 2.0 * u, 1e-9);
  htz_spec_free(spec);
}

static void only_open_strings_are_built(void** unused) {
  (void)unused;
  htz_spec* spec;
  htz_diags diags;
  htz_arena arena;
  htz_instrument* it;
  const char* why;
  const uint64_t keys[HTZ_KEYS / 64] = {UINT64_C(1) << 60, 0}; // none of them an open string
  assert_int_equal(
      parse("bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\nfingered: {keys: [50, 57]}\n", &spec, &diags),
      HTZ_OK);
  assert_int_equal(htz_instrument_build(spec, 48000.0, htz_kernels_select(), keys, &arena, &it, &why), HTZ_OK);
  for (int k = 0; k < HTZ_KEYS; ++k) {
    assert_int_equal(it->keys[k].island != NULL, k == 50 || k == 57);
  }
  assert_true(it->objects->n_bows == 1 && it->objects->influenced);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

static void faults_are_told(void** unused) {
  (void)unused;
  static const struct {
    const char* rest;
    const char* says;
  } faults[] = {
      {"damper: {decay: 1}\n", "missing key \"mallet\" (or \"bow\")"},
      {"bow: {plays: bar, force: [0.2, 0.8], speed: [0.05, 0.3], torsion: 3}\n", "a string twists under a bow, a bar does not"},
      {"bow: {plays: string, rim: 0.5, force: [0.2, 0.8], speed: [0.05, 0.3]}\n", "rim: the way round a modal-list"},
      {"bow: {plays: string, at_y: 0.3, force: [0.2, 0.8], speed: [0.05, 0.3]}\n", "at_y"},
      {"bow: {plays: string, wheel: true, attack: [0.1, 0.1], force: [0.2, 0.8], speed: [0.05, 0.3]}\n",
       "a wheel turns already"},
      {"bow: {plays: string, force: 0.2, speed: [0.05, 0.3]}\n", "force"},
      {"bow: {plays: string, force: [0.2, nan], speed: [0.05, 0.3]}\n", "force"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3], friction: {law: bristles, sharpness: 3}}\n",
       "sharpness: the law bristles has none"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3], friction: {law: bristles, dynamic: 0.9}}\n",
       "the static one at least the dynamic one"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\nfingered: {keys: [57, 50]}\n", "50 is not above 57"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\nfingered: {keys: [50, 127]}\n", "allowed: 50 to 74"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\nfingered: {keys: [50, 57], chords: true, harmonics: "
       "true}\n",
       "chords does not go with harmonics"},
      {"mallet: {strikes: string, mass: 0.01, speed: [0.1, 1], solver: verlet, contact: {stiffness: 1.0e+6}}\n"
       "bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\n",
       "those solve one contact alone, not with friction"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\ncontrols: {level: {cc: 7}}\n", "taken by channel volume"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\ncontrols: {bow.force: {cc: [2, pressur]}}\n",
       "a controller's number, 0 to 127, or `pressure`"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3], friction: {law: bristles, damping: 1, viscous: 0}}\n",
       "(static/dynamic - 1)"},
      {"bow: []\n", "it takes 1 to 2"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\nsoft_pedal: {hardness: 0.5}\n",
       "no mallet is thrown here"},
      {"mallet: {strikes: string, mass: 0.01, speed: [0.1, 1], contact: {stiffness: 1.0e+6}, kinds: [{name: pin, plucks: "
       "true}]}\n",
       "the mallet needs `lift`"},
      {"mallet: {strikes: string, mass: 0.01, speed: [0.1, 1], contact: {stiffness: 1.0e+6}}\ndefaults: {gesture: bow}\n",
       "gesture"},
      {"bow: {plays: string, force: [0.2, 0.8], speed: [0.05, 0.3]}\nmallet: {strikes: string, mass: 0.01, speed: [0.1, 1], "
       "contact: {stiffness: 1.0e+6}}\ndefaults: {gesture: pluck}\n",
       "Allowed: mallet, bow"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
    htz_spec* spec;
    htz_diags diags;
    bool told = false;
    assert_int_equal(parse(faults[i].rest, &spec, &diags), HTZ_BAD_INPUT);
    for (size_t d = 0; d < diags.n; ++d) {
      told = told || strstr(diags.item[d].text, faults[i].says);
    }
    if (!told) {
      print_error("not told: %s; first: %s\n", faults[i].says, diags.item[0].text);
      fail();
    }
  }
}

static void only_strings_are_fingered(void** unused) {
  (void)unused;
  static const char text[] = "format: 1\nname: Test\nkeys: [50, 74]\nper_key:\n  bar: {body: bar, mass: 0.1, t60: 1}\n"
                             "mallet: {strikes: bar, mass: 0.01, speed: [0.1, 1], contact: {stiffness: 1.0e+6}}\n"
                             "fingered: {keys: [50]}\npickups:\n  - {of: bar, quantity: velocity}\n";
  htz_spec* spec;
  htz_diags diags;
  assert_int_equal(htz_spec_parse("test.yaml", text, sizeof text - 1, &spec, &diags), HTZ_BAD_INPUT);
  assert_non_null(strstr(diags.item[0].text, "fingers stop strings, and \"bar\" is a bar"));
  assert_int_equal(diags.item[0].line, 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_bow_is_read), cmocka_unit_test(only_open_strings_are_built),
                                     cmocka_unit_test(faults_are_told), cmocka_unit_test(only_strings_are_fingered)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
