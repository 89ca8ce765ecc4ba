// A mass on a wall: the solver against the closed form, and the closed form against an independent table.
#include "check.h"

#include "hertzian/lab/impact.h"
#include "hertzian/lab/impact_csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 44100.0;
enum { PHASES = 20 };

// What the sub-step rule (32 to 64 steps per elastic contact time) allows at exponents 1 to 3.2: c/N^2 with
// c = 0.46 + 0.365 alpha gives 0.16 % in time at N = 32, and the other two are of the same order.
static const double limit_v_out = 2e-3;
static const double limit_duration = 2e-3;
static const double limit_x_max = 5e-3;

static void check_row(const htz_impact* p) {
  htz_lab_impact_result r;
  assert_int_equal(htz_lab_impact(p, rate_hz, PHASES, &r), HTZ_OK);
  check_close(r.v_out.worst, r.exact.v_out, limit_v_out);
  check_close(r.x_max.worst, r.exact.x_max, limit_x_max);
  check_close(r.duration.worst, r.exact.duration, limit_duration);
  check_close(r.v_out.mean, r.exact.v_out, limit_v_out);
  assert_true(r.v_out.mean < 0.0);
  // Twice 32 steps per elastic contact time at the most, and the way in and out of the sample.
  check_below((double)r.steps, r.bound + 0.5);
}

typedef struct {
  double v_out, x_max, duration;
} row_truth;

/** The three last columns of the table, which the impact reader ignores. */
static row_truth truth_of(const char* line) {
  row_truth t = {0};
  double skip[5];
  assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &skip[0], &skip[1], &skip[2], &skip[3], &skip[4], &t.v_out,
                          &t.x_max, &t.duration),
                   8);
  return t;
}

static char* slurp(const char* path, size_t* length) {
  FILE* in = fopen(path, "rb");
  assert_non_null(in);
  static char text[1 << 16];
  *length = fread(text, 1, sizeof text - 1, in);
  fclose(in);
  text[*length] = '\0';
  return text;
}

static void table_rows(void** state) {
  (void)state;
  size_t length = 0, n = 0;
  char* text = slurp(HTZ_SOURCE_DIR "/tests/fixtures/impact/wall.csv", &length);
  htz_impact* rows = NULL;
  htz_diags diags;
  assert_int_equal(htz_impact_csv_parse("wall.csv", text, length, &rows, &n, &diags), HTZ_OK);
  assert_int_equal(n, 48);
  const char* line = strchr(text, '\n') + 1;
  for (size_t i = 0; i < n; ++i, line = strchr(line, '\n') + 1) {
    const row_truth t = truth_of(line);
    const htz_impact_result e = htz_impact_exact(&rows[i]);
    // The table prints ten digits of results, but its stiffness to six (1.66667e9 for 5/3 1e9): 2e-6/(alpha+1) of length and time.
    check_close(e.v_out, t.v_out, 1e-9);
    check_close(e.x_max, t.x_max, 6e-7);
    check_close(e.duration, t.duration, 6e-7);
    check_row(&rows[i]);
  }
  free(rows);
}

/** Deterministic numbers in [0, 1). */
static double uniform(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-53;
}

static double log_uniform(uint64_t* seed, double low, double high) {
  return low * pow(high / low, uniform(seed));
}

/** Stiffness for which the elastic contact takes `duration`: the contact time is a power of K, so two tries are exact. */
static double stiffness_for(htz_impact p, double duration) {
  p.stiffness = 1.0;
  p.viscosity = 0.0;
  const double unit = htz_impact_exact(&p).duration;
  return pow(unit / duration, p.exponent + 1.0);
}

static void random_rows(void** state) {
  (void)state;
  uint64_t seed = 7;
  for (int i = 0; i < 150; ++i) {
    htz_impact p = {
        .mass = log_uniform(&seed, 1e-4, 1.0), .exponent = 1.0 + 2.2 * uniform(&seed), .speed = log_uniform(&seed, 0.02, 20.0)};
    p.viscosity = i % 5 == 0 ? 0.0 : log_uniform(&seed, 1e-3, 10.0) / p.speed;
    p.stiffness = stiffness_for(p, log_uniform(&seed, 0.02, 1000.0) / rate_hz);
    check_row(&p);
  }
}

static void closed_form_limits(void** state) {
  (void)state;
  // mu -> 0, alpha = 1: half a period of a spring; no loss.
  const htz_impact spring = {.mass = 0.01, .stiffness = 1e6, .exponent = 1.0, .viscosity = 0.0, .speed = 2.0};
  const htz_impact_result r = htz_impact_exact(&spring);
  const double omega = sqrt(spring.stiffness / spring.mass);
  check_close(r.v_out, -2.0, 1e-15);
  check_close(r.x_max, spring.speed / omega, 1e-14);
  check_close(r.duration, 3.14159265358979323846 / omega, 1e-10);
  // A tiny mu changes nothing much: continuous across the series.
  htz_impact hardly = spring;
  hardly.viscosity = 1e-9;
  check_close(htz_impact_exact(&hardly).v_out, r.v_out, 1e-8);
  check_close(htz_impact_exact(&hardly).duration, r.duration, 1e-8);
  // Hertz, mu = 0: the Gamma-function form of the contact time.
  const htz_impact hertz = {.mass = 0.02, .stiffness = 1e9, .exponent = 1.5, .viscosity = 0.0, .speed = 1.0};
  const double p = 1.0 / 2.5;
  const double x = pow(2.5 * hertz.mass / (2.0 * hertz.stiffness), p);
  check_close(htz_impact_exact(&hertz).duration, 2.0 * x * sqrt(3.14159265358979323846) * tgamma(1.0 + p) / tgamma(0.5 + p),
              1e-10);
  // However viscous, it comes back slower than 1/mu.
  const htz_impact tar = {.mass = 0.01, .stiffness = 1e7, .exponent = 1.5, .viscosity = 5.0, .speed = 3.0};
  check_above(htz_impact_exact(&tar).v_out, -1.0 / 5.0);
  check_below(htz_impact_exact(&tar).v_out, 0.0);
}

static void convergence(void** state) {
  (void)state;
  // Plain steps, no sub-stepping: the error of the contact time falls with the square of steps per contact. At eight times the
  // rate of N and 2N it must fall by 4 within the scatter of the phases.
  const htz_impact p = {.mass = 0.01, .stiffness = 1e6, .exponent = 1.6, .viscosity = 0.5, .speed = 0.3};
  htz_lab_impact_result coarse, fine;
  // 3.6 ms of contact: both rates are above 32 steps per contact, where no sub-steps are taken.
  assert_int_equal(htz_lab_impact(&p, 12000.0, PHASES, &coarse), HTZ_OK);
  assert_int_equal(htz_lab_impact(&p, 24000.0, PHASES, &fine), HTZ_OK);
  const double ratio = (coarse.duration.mean - coarse.exact.duration) / (fine.duration.mean - fine.exact.duration);
  check_near(ratio, 4.0, 0.4);
}

static void a_comma_too_many_is_refused(void** state) {
  (void)state;
  static const char text[] = "mass_kg,stiffness_N_per_m_alpha,mu_s_per_m,alpha,v_in_m_per_s\n0.01,1e7,0,1,1.5,0.3\n";
  htz_impact* rows = NULL;
  size_t n = 0;
  htz_diags diags;
  assert_int_equal(htz_impact_csv_parse("c.csv", text, sizeof text - 1, &rows, &n, &diags), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 1);
  assert_int_equal(diags.item[0].line, 2);
  assert_non_null(strstr(diags.item[0].text, "6 values for 5 columns"));
}

static void refusals(void** state) {
  (void)state;
  htz_lab_impact_result r;
  const htz_impact good = {.mass = 0.01, .stiffness = 1e6, .exponent = 1.6, .viscosity = 0.5, .speed = 0.3};
  htz_impact bad = good;
  bad.exponent = 0.5;
  assert_int_equal(htz_lab_impact(&bad, rate_hz, 1, &r), HTZ_BAD_VALUE);
  bad = good;
  bad.speed = (double)NAN;
  assert_int_equal(htz_lab_impact(&bad, rate_hz, 1, &r), HTZ_BAD_VALUE);
  assert_int_equal(htz_lab_impact(&good, rate_hz, 0, &r), HTZ_BAD_VALUE);
  bad = good;
  bad.stiffness = 1e-12;
  assert_int_equal(htz_lab_impact(&bad, rate_hz, 1, &r), HTZ_UNSUPPORTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_form_limits), cmocka_unit_test(table_rows),
                                     cmocka_unit_test(random_rows),        cmocka_unit_test(convergence),
                                     cmocka_unit_test(refusals),           cmocka_unit_test(a_comma_too_many_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
