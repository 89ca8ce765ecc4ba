// Hammers thrown at bodies, by a key's own hammer, and what is said where a figure cannot be had.
#include "check.h"

#include "hertzian/lab/key_throw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void flat(const htz_modes* modes, double x, double* phi) {
  (void)x;
  for (size_t k = 0; k < modes->n; ++k) {
    phi[k] = 1.0;
  }
}

/** Bodies of one mode with shape 1: a free mass when omega is 0. */
static htz_modes one_mode(double* omega, double* sigma, double* mass) {
  static unsigned char audible[1] = {1};
  return (htz_modes){.n = 1, .omega = omega, .sigma = sigma, .mass = mass, .audible = audible, .shape = flat};
}

static htz_lab_throw thrown(const htz_modes* body) {
  return (htz_lab_throw){.hammer = {.mass = 0.01, .stiffness = 1e8, .exponent = 1.5, .viscosity = 0.3, .speed = 1.0},
                         .body = body,
                         .at = 0.5,
                         .rate_hz = 44100.0,
                         .phases = 8};
}

static void a_free_mass_is_a_reduced_hammer(void** state) {
  (void)state;
  static const double masses[] = {0.001, 0.01, 0.3, 1e4};
  for (size_t i = 0; i < sizeof masses / sizeof masses[0]; ++i) {
    double omega = 0.0, sigma = 0.0, mass = masses[i];
    const htz_modes body = one_mode(&omega, &sigma, &mass);
    const htz_lab_throw what = thrown(&body);
    htz_lab_impact_result r;
    assert_int_equal(htz_lab_throw_run(&what, NULL, &r), HTZ_OK);
    assert_null(r.note);
    // Two free masses meet as their reduced mass meets a wall; the centre goes on.
    htz_impact reduced = what.hammer;
    reduced.mass = what.hammer.mass * mass / (what.hammer.mass + mass);
    const htz_impact_result exact = htz_impact_exact(&reduced);
    const double centre = what.hammer.mass / (what.hammer.mass + mass);
    const double v_out = centre + (1.0 - centre) * exact.v_out;
    if (v_out < 0.0) {
      check_near(r.v_out.worst, v_out, 2e-3);
    }
    check_close(r.duration.worst, exact.duration, 2e-3);
    check_close(r.x_max.worst, exact.x_max, 5e-3);
    check_close(r.force.worst, htz_impact_force_max(&reduced), 2e-2);
    check_below(r.defect.worst, 1e-11);
    assert_int_equal(r.contacts, 1);
    assert_true(isnan(r.exact.duration) && isnan(r.force_exact));
  }
}

/** A light, stiff mode gives way and holds the hammer longer; the account closes although the mode is damped. */
static void a_stiff_mode_holds_longer(void** state) {
  (void)state;
  double omega = 6.28e3 * 8.0, sigma = 50.0, mass = 0.005;
  const htz_modes body = one_mode(&omega, &sigma, &mass);
  const htz_lab_throw what = thrown(&body);
  const htz_lab_throw wall = thrown(NULL);
  htz_lab_impact_result on_body, on_wall;
  htz_lab_trace trace;
  assert_int_equal(htz_lab_throw_run(&what, &trace, &on_body), HTZ_OK);
  assert_int_equal(htz_lab_throw_run(&wall, NULL, &on_wall), HTZ_OK);
  check_above(on_body.duration.mean, 1.02 * on_wall.duration.mean);
  check_below(on_body.defect.worst, 1e-11);
  // The force over time holds the momentum that the hammer got.
  double impulse = 0.0;
  for (size_t i = 0; i < trace.n; ++i) {
    impulse += trace.force[i] * trace.period;
  }
  check_close(impulse, 0.01 * (1.0 - on_body.v_out.mean), 2e-3);
}

static void long_forces_are_halved(void** state) {
  (void)state;
  htz_lab_throw slow = thrown(NULL);
  slow.hammer.stiffness = 1.0; // half a second
  htz_lab_trace trace;
  htz_lab_impact_result r;
  assert_int_equal(htz_lab_throw_run(&slow, &trace, &r), HTZ_OK);
  assert_true(trace.n <= HTZ_LAB_TRACE_MAX && trace.period > 1.5 / slow.rate_hz);
  double impulse = 0.0;
  for (size_t i = 0; i < trace.n; ++i) {
    impulse += trace.force[i] * trace.period;
  }
  check_close(impulse, 0.01 * (1.0 - r.v_out.mean), 1e-3);
  check_close(r.centroid.worst, r.centroid_exact, 1e-3);
}

static void a_key_throws_what_its_file_says(void** state) {
  (void)state;
  htz_spec* spec;
  htz_diags diags;
  assert_int_equal(htz_spec_load(HTZ_SOURCE_DIR "/instruments/piano.yaml", &spec, &diags), HTZ_OK);
  htz_arena memory;
  htz_lab_key key;
  htz_lab_throw what = {.rate_hz = 48000.0, .phases = 2};
  const char* why;
  htz_arena_measure(&memory);
  assert_int_equal(htz_lab_key_throw(spec, 60, 127.0, &memory, &key, &what, &why), HTZ_OK);
  assert_int_equal(key.strings, htz_spec_count(&spec->bodies[0], 60));
  check_close(what.hammer.speed, htz_table_at(&spec->mallet.speed[1], 60), 1e-12);
  check_close(what.hammer.mass * key.strings, htz_table_at(&spec->mallet.mass, 60), 1e-12);
  check_close(what.hammer.stiffness, htz_table_at(&spec->mallet.stiffness, 60), 1e-12);
  check_close(what.at, htz_table_at(&spec->mallet.at, 60), 1e-12);
  htz_lab_impact_result r;
  assert_int_equal(htz_lab_throw_run(&what, NULL, &r), HTZ_OK);
  assert_null(r.note);
  check_below(r.defect.worst, 1e-10);
  htz_arena_free(&memory);
  htz_spec_free(spec);
}

static void notes(void** state) {
  (void)state;
  htz_lab_impact_result r;
  htz_lab_throw what = thrown(NULL);
  what.hammer.stiffness = 1e-6;
  what.hammer.exponent = 1.0;
  what.rate_hz = 1e6;
  assert_int_equal(htz_lab_throw_run(&what, NULL, &r), HTZ_OK);
  assert_non_null(strstr(r.note, "10 million samples"));
  assert_true(isnan(r.v_out.mean) && !isnan(r.exact.v_out));
  what = thrown(NULL);
  what.hammer.stiffness = 1e24;
  assert_int_equal(htz_lab_throw_run(&what, NULL, &r), HTZ_OK);
  assert_non_null(strstr(r.note, "too short"));
  what.hysteresis = 1.0;
  assert_int_equal(htz_lab_throw_run(&what, NULL, &r), HTZ_BAD_VALUE);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_free_mass_is_a_reduced_hammer),
                                     cmocka_unit_test(a_stiff_mode_holds_longer), cmocka_unit_test(long_forces_are_halved),
                                     cmocka_unit_test(a_key_throws_what_its_file_says), cmocka_unit_test(notes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
