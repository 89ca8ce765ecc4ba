// Strings and bars of the grid family: pitch, energy, ends, points, and what is refused.
#include "grid_rig.h"

#include <string.h>

static const double rate_hz = 48000.0;

static const htz_grid_string_desc plain = {.length = 0.65,
                                           .lin_density = 5e-3,
                                           .tension = 100.0,
                                           .stiffness = 3e-3,
                                           .sigma0 = 0.5,
                                           .sigma1 = 3e-3,
                                           .hz = 110.0,
                                           .ratio_most = 2.0};

static htz_grid* make(const htz_grid_string_desc* d, double rate, htz_arena* arena) {
  htz_grid* g = NULL;
  const char* why = NULL;
  htz_arena_measure(arena);
  const htz_status status = htz_grid_string_new(d, rate, 2, htz_kernels_select(), arena, &g, &why);
  if (status) {
    print_error("%s\n", why ? why : "no reason");
  }
  assert_int_equal(status, HTZ_OK);
  return g;
}

/** A tension is exact for supported ends; else it lies on a curve that is good to 0.01 cent. Measuring: 1e-6 of 77 Hz, 2e-3 cent. */
static void first_partial_is_in_tune(void** state) {
  (void)state;
  static const double ratios[] = {1.0, 2.0, 0.7};
  for (int kind = 0; kind < 18; ++kind) {
    htz_grid_string_desc d = plain;
    d.ends[0] = (htz_grid_end)(kind % 3);
    d.ends[1] = (htz_grid_end)(kind / 3 % 3);
    d.tension = kind < 9 ? d.tension : 0.0;
    d.stiffness = kind < 9 ? d.stiffness : 0.5;
    d.sigma0 = 15.0; // flattens 77 Hz by 0.8 cent, which the tuning makes up for
    const double ratio = ratios[kind % 3];
    htz_arena arena;
    htz_grid* g = make(&d, rate_hz, &arena);
    htz_grid_place(g, 0, d.ends[0] == HTZ_GRID_FREE ? 0.0 : d.ends[1] == HTZ_GRID_FREE ? 1.0 : 0.43, 0.0);
    g->cls->tune(g, ratio, 1.0, 0.0);
    htz_grid_bend(g, 0.37, 0.0, 0.2, 1e-3);
    check_close(measure_hz(g, d.hz * ratio, 0.4), d.hz * ratio, cents(0.02));
    htz_arena_free(&arena);
  }
}

/** Partials of supported ends against the dispersion relation, of a grid as given and not tuned; rounding and leakage only. */
static void partials_follow_the_dispersion_relation(void** state) {
  (void)state;
  htz_grid_string_desc d = plain;
  d.hz = 0.0;
  d.sigma0 = 3.0;
  htz_arena arena;
  for (size_t n = 1; n <= 40; n += 13) {
    htz_grid* g = make(&d, rate_hz, &arena);
    htz_grid_place(g, 0, 0.31, 0.0);
    for (size_t i = 1; i < g->n - 1; ++i) {
      g->now[i] = g->before[i] = 1e-3 * sin(pi * (double)(n * i) / (double)(g->n - 1));
    }
    const double expected = htz_grid_string_partial(g, n);
    check_close(measure_hz(g, expected * 1.00001, 0.2), expected, cents(0.01));
    // The tension's own partials are close, and the grid's fall below them by pi^2 n^2/24 (1/N^2 - (k f_1)^2..): flat, never sharp.
    assert_true(expected < htz_grid_string_ideal(g, n));
    htz_arena_free(&arena);
  }
  htz_grid* g = make(&d, rate_hz, &arena);
  assert_true(isnan(htz_grid_string_partial(g, 0)) && isnan(htz_grid_string_partial(g, g->n - 1)));
  check_close(htz_grid_string_ideal(g, 1), 1.0 / 1.3 * sqrt(100.0 / 5e-3), 1e-3); // c/(2L), stiffness and loss add little
  htz_arena_free(&arena);
}

/** First frequencies of a bar as Euler and Bernoulli have them; the error falls with the square of the spacing. */
static void bars_converge(void** state) {
  (void)state;
  static const struct {
    htz_grid_end ends[2];
    double root;
  } bars[] = {{{HTZ_GRID_FREE, HTZ_GRID_FREE}, 4.730040744862704},
              {{HTZ_GRID_CLAMPED, HTZ_GRID_CLAMPED}, 4.730040744862704},
              {{HTZ_GRID_CLAMPED, HTZ_GRID_FREE}, 1.875104068711961},
              {{HTZ_GRID_SUPPORTED, HTZ_GRID_FREE}, 3.926602312047919}};
  for (size_t i = 0; i < sizeof bars / sizeof bars[0]; ++i) {
    double error[2];
    for (size_t fine = 0; fine < 2; ++fine) {
      htz_grid_string_desc d = {.length = 0.3, .lin_density = 1.0, .stiffness = 100.0, .ratio_most = 1.0};
      d.exactly = fine ? 24 : 12;
      d.ends[0] = bars[i].ends[0];
      d.ends[1] = bars[i].ends[1];
      htz_arena arena;
      // The rate rises with the square of the intervals, so that errors in time fall faster than those in space.
      htz_grid* g = make(&d, fine ? 384000.0 : 96000.0, &arena);
      const double exact = bars[i].root * bars[i].root / (2.0 * pi * d.length * d.length) * sqrt(d.stiffness / d.lin_density);
      htz_grid_place(g, 0, d.ends[1] == HTZ_GRID_FREE ? 1.0 : 0.5, 0.0);
      htz_grid_bend(g, 0.5, 0.0, 0.5, 1e-3);
      error[fine] = measure_hz(g, exact, 20.0 / exact) / exact - 1.0; // told apart within a twentieth
      htz_arena_free(&arena);
    }
    check_below(fabs(error[0]), 0.03);
    check_close(error[0] / error[1], 4.0, 0.1); // h^4 terms are (pi/12)^2 of those of h^2
  }
}

/** Rounding adds up as a random walk of some 2^-53 over the share of stored energy that one step turns over. */
static void energy_stays(void** state) {
  (void)state;
  for (int kind = 0; kind < 27; ++kind) {
    htz_grid_string_desc d = plain;
    d.ends[0] = (htz_grid_end)(kind % 3);
    d.ends[1] = (htz_grid_end)(kind / 3 % 3);
    d.tension = kind / 9 == 1 ? 0.0 : d.tension;
    d.stiffness = kind / 9 == 1 ? 0.5 : kind / 9 == 2 ? 0.0 : d.stiffness;
    d.sigma0 = d.sigma1 = 0.0;
    htz_arena arena;
    htz_grid* g = make(&d, rate_hz, &arena);
    htz_grid_place(g, 0, 0.02, 0.0);
    htz_grid_place(g, 1, 0.7131, 0.0);
    htz_grid_bend(g, 0.37, 0.0, 0.2, 1e-3);
    check_below(drift(g, 48000), 1e-10);
    check_below(ledger(g, 2000), 1e-10);
    check_transposes(g);
    htz_arena_free(&arena);
  }
}

/** A step loses exactly 2 sigma_0 of the kinetic energy and 2 sigma_1 of its slope's (grid.h), both of the central velocity. */
static void losses_are_booked(void** state) {
  (void)state;
  htz_grid_string_desc d = plain;
  d.sigma1 = 0.05;
  d.ends[1] = HTZ_GRID_FREE;
  htz_arena arena;
  htz_grid* g = make(&d, rate_hz, &arena);
  const double h = htz_grid_string_spacing(g), k = g->period;
  htz_grid_kick(g, 0.3, 0.0, 0.05, 1.0);
  const double start = g->cls->energy(g);
  double lost = 0.0;
  for (size_t n = 0; n < 5000; ++n) {
    g->cls->foresee(g);
    for (size_t i = 0; i < g->n; ++i) {
      const double v = (g->next[i] - g->before[i]) / (2.0 * k);
      lost += g->ease[i] > 0.0 ? k * 2.0 * d.sigma0 * g->mass / g->ease[i] * v * v : 0.0;
      if (i + 1 < g->n) {
        const double slope = ((g->next[i + 1] - g->before[i + 1]) / (2.0 * k) - v) / h;
        lost += k * 2.0 * d.sigma1 * g->mass * slope * slope;
      }
    }
    htz_grid_shift(g);
  }
  check_above(lost, 0.5 * start); // there was something to book
  check_near(g->cls->energy(g) + lost, start, 1e-11 * start);
  htz_arena_free(&arena);
}

static void points_read_smooth_shapes(void** state) {
  (void)state;
  htz_grid_string_desc d = plain;
  d.exactly = 50;
  htz_arena arena;
  htz_grid* g = make(&d, rate_hz, &arena);
  for (size_t i = 0; i < g->n; ++i) {
    const double x = (double)i / 50.0;
    g->now[i] = x * x * (1.0 - x);
  }
  for (double x = 0.02; x <= 0.98; x += 0.00731) { // cubic: exact between the second point and the last but one
    htz_grid_place(g, 0, x, 0.0);
    check_near(htz_grid_now(g, 0), x * x * (1.0 - x), 1e-15);
  }
  htz_grid_place(g, 0, 0.01, 0.0); // halfway to the first point
  check_near(htz_grid_now(g, 0), 0.5 * g->now[1], 1e-18);
  static const double outside[] = {-1.0, 0.0, 1.0, 7.0, NAN};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i) {
    htz_grid_place(g, 0, outside[i], 0.0);
    check_near(htz_grid_now(g, 0), 0.0, 0.0); // at an end
    check_near(htz_grid_compliance(g, 0, 0), 0.0, 0.0);
  }
  htz_grid_reset(g);
  htz_grid_pluck(g, 0.3, 2e-3);
  htz_grid_place(g, 0, 0.3, 0.0);
  check_close(htz_grid_now(g, 0), 2e-3, 1e-12);
  htz_grid_place(g, 0, 0.65, 0.0);
  check_close(htz_grid_before(g, 0), 1e-3, 0.02); // half way down, by interpolation past no corner
  htz_arena_free(&arena);
}

/** Highest pitch, highest losses and beyond: nothing grows. */
static void extremes_stay_stable(void** state) {
  (void)state;
  static const double rates[] = {8000.0, 44100.0, 192000.0};
  for (int kind = 0; kind < 9; ++kind) {
    htz_grid_string_desc d = plain;
    d.ends[0] = d.ends[1] = (htz_grid_end)(kind % 3);
    d.ratio_most = 3.0;
    htz_arena arena;
    htz_grid* g = make(&d, rates[kind / 3], &arena);
    htz_grid_kick(g, 0.3, 0.0, 0.03, 1.0);
    const double start = g->cls->energy(g);
    g->cls->tune(g, kind % 2 ? 1e9 : 3.0, 1e4, 20.0);
    const double tuned = g->cls->energy(g);
    const double sigma0 = (1.0 / (rates[kind / 3] * g->compliance * g->mass) - rates[kind / 3]);
    check_above(sigma0, 1.05 * (1e4 * d.sigma0 + 20.0)); // what sigma_1 was cut by is added
    double last = tuned;
    for (int i = 0; i < 2000; ++i) {
      step(g);
      assert_true(g->cls->energy(g) <= last + 1e-12 * start);
      last = g->cls->energy(g);
    }
    htz_arena_free(&arena);
  }
}

static void sizes_are_kept_to(void** state) {
  (void)state;
  htz_arena arena;
  htz_grid_string_desc d = plain;
  d.stiffness = 0.0;
  d.sigma1 = 0.0;
  d.ratio_most = 1.0;
  d.hz = 0.0; // c k N/L <= 1
  htz_grid* g = make(&d, rate_hz, &arena);
  assert_int_equal(htz_grid_string_intervals(g), (size_t)(0.65 * 48000.0 / sqrt(100.0 / 5e-3)));
  htz_arena_free(&arena);
  d.hz = 5.0; // 4800 intervals would be stable
  const char* why = NULL;
  htz_arena_measure(&arena);
  assert_int_equal(htz_grid_string_new(&d, rate_hz, 0, htz_kernels_select(), &arena, &g, &why), HTZ_OK);
  assert_int_equal(htz_grid_string_intervals(g), 2000);
  assert_non_null(why);
  htz_arena_free(&arena);
}

static void wrong_values_are_refused(void** state) {
  (void)state;
  struct {
    htz_grid_string_desc d;
    double rate;
    htz_status status;
    const char* begins;
  } cases[] = {
      {plain, 48000.0, HTZ_BAD_VALUE, "length:"},      {plain, 48000.0, HTZ_BAD_VALUE, "lin_density:"},
      {plain, 48000.0, HTZ_BAD_VALUE, "tension:"},     {plain, 48000.0, HTZ_BAD_VALUE, "sigma1:"},
      {plain, 48000.0, HTZ_BAD_VALUE, "ratio_most:"},  {plain, 0.0, HTZ_BAD_VALUE, "rate:"},
      {plain, 48000.0, HTZ_UNSUPPORTED, "intervals:"}, {plain, 48000.0, HTZ_UNSUPPORTED, "least:"},
      {plain, 48000.0, HTZ_UNSUPPORTED, "hz:"},        {plain, 8000.0, HTZ_UNSUPPORTED, "length:"},
      {plain, 48000.0, HTZ_BAD_VALUE, "intervals:"},
  };
  cases[0].d.length = NAN;
  cases[1].d.lin_density = 0.0;
  cases[2].d.tension = cases[2].d.stiffness = 0.0;
  cases[3].d.sigma1 = -1.0;
  cases[4].d.ratio_most = 0.5;
  cases[6].d.exactly = 400;
  cases[7].d.least = 400;
  cases[8].d.hz = 30000.0;
  cases[9].d.stiffness = 1e4;
  cases[10].d.exactly = 3;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    htz_arena arena;
    htz_grid* g = NULL;
    const char* why = NULL;
    htz_arena_measure(&arena);
    assert_int_equal(htz_grid_string_new(&cases[i].d, cases[i].rate, 0, htz_kernels_select(), &arena, &g, &why),
                     cases[i].status);
    assert_non_null(why);
    if (strncmp(why, cases[i].begins, strlen(cases[i].begins)) != 0) {
      fail_msg("case %zu: \"%s\" instead of \"%s ...\"", i, why, cases[i].begins);
    }
    htz_arena_free(&arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_partial_is_in_tune),
      cmocka_unit_test(partials_follow_the_dispersion_relation),
      cmocka_unit_test(bars_converge),
      cmocka_unit_test(energy_stays),
      cmocka_unit_test(losses_are_booked),
      cmocka_unit_test(points_read_smooth_shapes),
      cmocka_unit_test(extremes_stay_stable),
      cmocka_unit_test(sizes_are_kept_to),
      cmocka_unit_test(wrong_values_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
