// Hammers of felt that relaxes, from the instrument file to the strings.
#include "check.h"

#include "hertzian/engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
enum { FRAMES = 40 * HTZ_QUANTUM, KEY = 60 };

static htz_status parse(const char* contact, htz_spec** spec, htz_diags* diags) {
  char text[1024];
  snprintf(
      text, sizeof text,
      "format: 1\nname: Felt\nkeys: [60, 61]\nper_key:\n  string: {body: string, length: 0.62, lin_density: 0.0062, t60: 5,"
      " modes: 40}\nmallet:\n  strikes: string\n  mass: 0.0085\n  speed: [0.3, 6]\n  at: 0.12\n  contact: {%s}\n"
      "pickups:\n  - {of: string, at: 0.3}\n",
      contact);
  return htz_spec_parse("felt.yaml", text, strlen(text), spec, diags);
}

static void strike(const char* contact, float* out) {
  htz_spec* spec;
  htz_diags diags;
  const htz_status read = parse(contact, &spec, &diags);
  if (read) {
    htz_diags_print(&diags, stdout);
  }
  assert_int_equal(read, HTZ_OK);
  htz_arena arena = {0};
  htz_instrument* it;
  const char* why;
  assert_int_equal(htz_instrument_build(spec, rate_hz, htz_kernels_select(), NULL, &arena, &it, &why), HTZ_OK);
  htz_engine* engine;
  const htz_engine_desc desc = {.rate_hz = rate_hz};
  uint32_t part;
  assert_int_equal(htz_engine_new(&desc, &engine), HTZ_OK);
  assert_int_equal(htz_engine_add_part(engine, it, &part), HTZ_OK);
  htz_engine_hold(engine, part, KEY, true, 0);
  htz_engine_strike(engine, part, KEY, 100.0, 0);
  float right[HTZ_QUANTUM];
  for (int f = 0; f < FRAMES; f += HTZ_QUANTUM) {
    htz_engine_quantum(engine, out + f, right);
  }
  htz_engine_free(engine);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

static double energy(const float* x) {
  double sum = 0.0;
  for (int f = 0; f < FRAMES; ++f) {
    sum += (double)x[f] * (double)x[f];
  }
  return sum;
}

static void without_hysteresis_it_is_elastic(void** state) {
  (void)state;
  static float felt[FRAMES], elastic[FRAMES];
  strike("law: stulov, stiffness: 4.5e+9, exponent: 2.5, hysteresis: 0", felt);
  strike("law: hunt-crossley, stiffness: 4.5e+9, exponent: 2.5, viscosity: 0", elastic);
  assert_true(energy(felt) > 0.0);
  assert_memory_equal(felt, elastic, sizeof felt);
}

static void hysteresis_is_heard(void** state) {
  (void)state;
  static float hard[FRAMES], soft[FRAMES];
  strike("law: stulov, stiffness: 4.5e+9, exponent: 2.5, hysteresis: 0", hard);
  strike("law: stulov, stiffness: 4.5e+9, exponent: 2.5, hysteresis: 0.8, relaxation: 1.0e-4", soft);
  // Felt that gives way is softer: the highest partials lose, measured by the second difference of the sound.
  double bright[2] = {0.0, 0.0};
  for (int f = 1; f + 1 < FRAMES; ++f) {
    bright[0] += pow((double)(hard[f + 1] - 2.0f * hard[f] + hard[f - 1]), 2.0);
    bright[1] += pow((double)(soft[f + 1] - 2.0f * soft[f] + soft[f - 1]), 2.0);
  }
  assert_true(isfinite(energy(soft)) && energy(soft) > 0.0);
  check_below(bright[1] / energy(soft), 0.9 * bright[0] / energy(hard));
}

static void faults(void** state) {
  (void)state;
  static const struct {
    const char* contact;
    const char* says;
  } cases[] = {
      {"law: hunt-crossley, stiffness: 1.0e+9, hysteresis: 0.5", "hysteresis: the law hunt-crossley has none"},
      {"law: stulov, stiffness: 1.0e+9, viscosity: 0.5", "viscosity: the law stulov has none"},
      {"law: stulov, stiffness: 1.0e+9, hysteresis: 1.5", "hysteresis"},
      {"law: spring, stiffness: 1.0e+9", "stulov"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    htz_spec* spec;
    htz_diags diags;
    assert_int_equal(parse(cases[i].contact, &spec, &diags), HTZ_BAD_INPUT);
    assert_int_equal(diags.n, 1);
    assert_non_null(strstr(diags.item[0].text, cases[i].says));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(without_hysteresis_it_is_elastic), cmocka_unit_test(hysteresis_is_heard),
                                     cmocka_unit_test(faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
