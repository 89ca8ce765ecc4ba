// Plates, membranes, lumped masses and barriers of the grid family.
#include "grid_rig.h"

#include <string.h>

static const double rate_hz = 48000.0;

static const htz_grid_plate_desc steel = {
    .length = 0.4, .width = 0.3, .thickness = 2e-3, .density = 7800.0, .young = 2e11, .poisson = 0.3, .ratio_most = 1.0};

static htz_grid* make(const htz_grid_plate_desc* d, double rate, htz_arena* arena) {
  htz_grid* g = NULL;
  const char* why = NULL;
  htz_arena_measure(arena);
  const htz_status status = htz_grid_plate_new(d, rate, 2, htz_kernels_select(), arena, &g, &why);
  if (status) {
    print_error("%s\n", why ? why : "no reason");
  }
  assert_int_equal(status, HTZ_OK);
  return g;
}

/** Supported plate: products of sines, -lap = (4/hx^2) sin^2 + (4/hy^2) sin^2; losses and time step as for a string. */
static void partials_follow_the_dispersion_relation(void** state) {
  (void)state;
  htz_grid_plate_desc d = steel;
  d.tension = 2000.0;
  d.sigma0 = 1.0;
  d.sigma1 = 2e-3;
  for (size_t m = 1; m <= 3; ++m) {
    htz_arena arena;
    htz_grid* g = make(&d, rate_hz, &arena);
    g->cls->tune(g, 0.9, 2.0, 1.0);
    size_t across[2];
    htz_grid_plate_intervals(g, across);
    const size_t stride = g->n / (across[1] + 1);
    for (size_t y = 1; y < across[1]; ++y) {
      for (size_t x = 1; x < across[0]; ++x) {
        const double shape = sin(pi * (double)(m * x) / (double)across[0]) * sin(2.0 * pi * (double)y / (double)across[1]);
        g->now[y * stride + x] = g->before[y * stride + x] = 1e-3 * shape;
      }
    }
    const double k = 1.0 / rate_hz;
    const double sx = 2.0 * (double)across[0] / d.length * sin(0.5 * pi * (double)m / (double)across[0]);
    const double sy = 2.0 * (double)across[1] / d.width * sin(pi / (double)across[1]);
    const double p = sx * sx + sy * sy;
    const double rigidity = d.young * pow(d.thickness, 3.0) / (12.0 * (1.0 - 0.09));
    const double omega2 = 0.81 * (rigidity * p * p + d.tension * p) / (d.density * d.thickness);
    const double a = 1.0 + (2.0 * d.sigma0 + 1.0) * k, c = 2.0 - a - 2.0 * 2.0 * d.sigma1 * k * p;
    const double expected = acos((a + c - k * k * omega2) / (2.0 * sqrt(a * c))) / (2.0 * pi * k);
    htz_grid_place(g, 0, 0.21, 0.23);
    check_close(measure_hz(g, expected * 1.00001, 0.1), expected, cents(0.01));
    htz_arena_free(&arena);
  }
}

/** Clamped square plate: omega = 35.985 sqrt(D/(rho H))/L^2 (Leissa, Vibration of Plates, 1969); error of second order. */
static void clamped_plates_converge(void** state) {
  (void)state;
  double error[2];
  for (size_t fine = 0; fine < 2; ++fine) {
    htz_grid_plate_desc d = steel;
    d.width = d.length;
    d.edges = HTZ_GRID_CLAMPED;
    d.across[0] = d.across[1] = fine ? 24 : 12;
    htz_arena arena;
    htz_grid* g = make(&d, fine ? 192000.0 : 48000.0, &arena);
    const double rigidity = d.young * pow(d.thickness, 3.0) / (12.0 * (1.0 - 0.09));
    const double exact = 35.9852 / (2.0 * pi * d.length * d.length) * sqrt(rigidity / (d.density * d.thickness));
    htz_grid_bend(g, 0.5, 0.5, 0.5, 1e-3);
    error[fine] = measure_hz(g, exact, 20.0 / exact) / exact - 1.0; // told apart within a twentieth
    htz_arena_free(&arena);
  }
  check_below(fabs(error[0]), 0.04);
  check_close(error[0] / error[1], 4.0, 0.1);
}

static void energy_stays(void** state) {
  (void)state;
  for (int kind = 0; kind < 6; ++kind) {
    htz_grid_plate_desc d = steel;
    d.edges = kind % 2 ? HTZ_GRID_CLAMPED : HTZ_GRID_SUPPORTED;
    d.young = kind / 2 == 1 ? 0.0 : d.young;
    d.tension = kind / 2 ? 2e5 : 0.0;
    d.most = 600;
    htz_arena arena;
    htz_grid* g = make(&d, rate_hz, &arena);
    htz_grid_place(g, 0, 0.03, 0.55);
    htz_grid_place(g, 1, 0.0831, 0.6113);
    htz_grid_bend(g, 0.37, 0.4, 0.2, 1e-3);
    check_below(drift(g, 4800), 1e-11);
    check_below(ledger(g, 1000), 1e-11);
    check_transposes(g);
    htz_arena_free(&arena);
  }
}

/** Cubic along both sides: exact for this product away from the edges. */
static void points_read_smooth_shapes(void** state) {
  (void)state;
  htz_arena arena;
  htz_grid* g = make(&steel, rate_hz, &arena);
  size_t across[2];
  htz_grid_plate_intervals(g, across);
  const size_t stride = g->n / (across[1] + 1);
  for (size_t row = 0; row <= across[1]; ++row) {
    for (size_t column = 0; column <= across[0]; ++column) {
      const double x = (double)column / (double)across[0], y = (double)row / (double)across[1];
      g->now[row * stride + column] = x * x * (1.0 - x) * y * (1.0 - y) * (2.0 - y);
    }
  }
  for (double at = 0.12; at < 0.85; at += 0.0173) {
    const double x = at, y = 0.99 - at;
    htz_grid_place(g, 0, x, y);
    assert_int_equal(g->points[0].n, 4 * 4); // cubic along both sides
    check_near(htz_grid_now(g, 0), x * x * (1.0 - x) * y * (1.0 - y) * (2.0 - y), 1e-15);
  }
  static const double outside[][2] = {{-1.0, 0.5}, {0.5, 0.0}, {1.0, 1.0}, {0.5, NAN}, {7.0, 0.3}};
  for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i) {
    htz_grid_place(g, 0, outside[i][0], outside[i][1]);
    assert_true(htz_grid_now(g, 0) == 0.0 && htz_grid_compliance(g, 0, 0) == 0.0); // on an edge
  }
  htz_arena_free(&arena);
}

/** With losses energy falls at every step, also where they are cut to what is stable. */
static void losses_lose(void** state) {
  (void)state;
  for (int kind = 0; kind < 4; ++kind) {
    htz_grid_plate_desc d = steel;
    d.edges = kind % 2 ? HTZ_GRID_CLAMPED : HTZ_GRID_SUPPORTED;
    d.sigma0 = 1.0;
    d.sigma1 = 0.01;
    d.ratio_most = 2.0;
    htz_arena arena;
    htz_grid* g = make(&d, rate_hz, &arena);
    g->cls->tune(g, kind / 2 ? 2.0 : 1e9, kind / 2 ? 1.0 : 1e4, 0.0);
    htz_grid_kick(g, 0.37, 0.4, 0.05, 1.0);
    double last = g->cls->energy(g);
    for (int i = 0; i < 500; ++i) {
      step(g);
      assert_true(g->cls->energy(g) < last * (1.0 + 1e-13) && g->cls->energy(g) >= 0.0);
      last = g->cls->energy(g);
    }
    htz_arena_free(&arena);
  }
}

static void plates_are_refused(void** state) {
  (void)state;
  struct {
    htz_grid_plate_desc d;
    htz_status status;
    const char* begins;
  } cases[] = {{steel, HTZ_BAD_VALUE, "thickness:"}, {steel, HTZ_BAD_VALUE, "poisson:"}, {steel, HTZ_BAD_VALUE, "edges:"},
               {steel, HTZ_UNSUPPORTED, "across:"},  {steel, HTZ_BAD_VALUE, "across:"},  {steel, HTZ_UNSUPPORTED, "most:"},
               {steel, HTZ_UNSUPPORTED, "length:"},  {steel, HTZ_BAD_VALUE, "young:"}};
  cases[0].d.thickness = NAN;
  cases[1].d.poisson = 0.5;
  cases[2].d.edges = HTZ_GRID_FREE;
  cases[3].d.across[0] = cases[3].d.across[1] = 100;
  cases[4].d.across[0] = 100;
  cases[5].d.most = 20;
  cases[6].d.length = cases[6].d.width = 0.02;
  cases[7].d.young = 0.0;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    htz_arena arena;
    htz_grid* g = NULL;
    const char* why = NULL;
    htz_arena_measure(&arena);
    assert_int_equal(htz_grid_plate_new(&cases[i].d, rate_hz, 0, htz_kernels_select(), &arena, &g, &why), cases[i].status);
    assert_non_null(why);
    if (strncmp(why, cases[i].begins, strlen(cases[i].begins)) != 0) {
      fail_msg("case %zu: \"%s\" instead of \"%s ...\"", i, why, cases[i].begins);
    }
    htz_arena_free(&arena);
  }
  htz_arena arena;
  htz_grid_plate_desc large = steel;
  large.length = large.width = 20.0;
  htz_grid* g = make(&large, 192000.0, &arena);
  size_t across[2];
  htz_grid_plate_intervals(g, across);
  assert_true((across[0] + 1) * (across[1] + 1) <= 20000 && (across[0] + 2) * (across[1] + 2) > 20000);
  htz_arena_free(&arena);
}

/** m w'' = -m w0^2 w - m R w' + m g by the scheme's own relation; at rest it hangs at g/w0^2. */
static void masses_swing(void** state) {
  (void)state;
  htz_arena arena;
  htz_grid* g = NULL;
  const char* why = NULL;
  htz_arena_measure(&arena);
  htz_grid_mass_desc d = {.mass = 0.02, .hz = 100.0, .gravity = 9.81};
  assert_int_equal(htz_grid_mass_new(&d, rate_hz, &arena, &g, &why), HTZ_OK);
  htz_grid_kick(g, 0.0, 0.0, 0.0, 1.0);
  check_below(drift(g, 48000), 1e-10);
  check_below(ledger(g, 2000), 1e-10);
  check_transposes(g);
  htz_grid_reset(g);
  htz_grid_bend(g, 0.0, 0.0, 0.0, 9.81 / pow(200.0 * pi, 2.0));
  const double rest = htz_grid_now(g, 0);
  for (int i = 0; i < 1000; ++i) {
    step(g);
  }
  check_close(htz_grid_now(g, 0), rest, 1e-9); // a step's rounding over the square of the angle of one step
  d.gravity = 0.0;
  d.mass = 1.0;
  htz_grid_mass_load(g, &d);
  check_close(htz_grid_now(g, 0), rest, 1e-9);
  check_close(measure_hz(g, 100.0, 0.4), asin(pi * 100.0 / rate_hz) * rate_hz / pi, cents(0.01));
  check_close(htz_grid_compliance(g, 0, 5), 1.0 / (rate_hz * rate_hz), 1e-12);
  d.mass = NAN;
  htz_grid_mass_load(g, &d);
  check_close(htz_grid_compliance(g, 0, 5), 1.0 / (rate_hz * rate_hz), 1e-12); // nothing changed
  d.mass = 1.0;
  d.hz = 20000.0;
  assert_int_equal(htz_grid_mass_new(&d, rate_hz, &arena, &g, &why), HTZ_BAD_VALUE);
  assert_true(strncmp(why, "hz:", 3) == 0);
  htz_arena_free(&arena);
}

static void barriers_do_not_move(void** state) {
  (void)state;
  htz_arena arena;
  htz_grid* g = NULL;
  htz_arena_measure(&arena);
  assert_int_equal(htz_grid_barrier_new(&arena, &g), HTZ_OK);
  htz_grid_kick(g, 0.0, 0.0, 0.0, 1.0);
  htz_grid_bend(g, 0.0, 0.0, 0.0, 1.0);
  g->cls->foresee(g);
  htz_grid_push(g, 3, 1e6);
  htz_grid_shift(g);
  assert_true(htz_grid_now(g, 3) == 0.0 && htz_grid_before(g, 0) == 0.0 && htz_grid_compliance(g, 0, 0) == 0.0);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(partials_follow_the_dispersion_relation),
      cmocka_unit_test(clamped_plates_converge),
      cmocka_unit_test(energy_stays),
      cmocka_unit_test(points_read_smooth_shapes),
      cmocka_unit_test(losses_lose),
      cmocka_unit_test(plates_are_refused),
      cmocka_unit_test(masses_swing),
      cmocka_unit_test(barriers_do_not_move),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
