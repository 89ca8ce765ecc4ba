// Bodies with modes among grids: exact in pitch and decay, and in one contact with a grid the books are kept to rounding.
#include "check.h"

#include "hertzian/contact/grid_network.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double two_pi = 6.28318530717958647693;
enum { MODES = 5, STEPS = 24000 };

// Of a string of unit length: phi = sin(n pi x).
static void shape(const htz_modes* modes, double x, double* phi) {
  for (size_t i = 0; i < modes->n; ++i) {
    phi[i] = sin(0.5 * two_pi * (double)(i + 1) * x);
  }
}

typedef struct {
  htz_arena arena;
  double omega[MODES], sigma[MODES], mass[MODES];
  unsigned char audible[MODES];
  htz_modes modes;
  htz_grid* bodies[2];
  htz_grid_network* net;
} rig;

static void make_modes(rig* r, double first_hz, double sigma) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, 1 << 20), HTZ_OK);
  for (size_t i = 0; i < MODES; ++i) {
    r->omega[i] = two_pi * first_hz * (double)((i + 1) * (i + 1));
    r->sigma[i] = sigma * (double)(i + 1);
    r->mass[i] = 0.01;
    r->audible[i] = 1;
  }
  r->modes =
      (htz_modes){.n = MODES, .omega = r->omega, .sigma = r->sigma, .mass = r->mass, .audible = r->audible, .shape = shape};
  const char* why = NULL;
  assert_int_equal(htz_grid_modes_new(&r->modes, rate_hz, 2, &r->arena, &r->bodies[0], &why), HTZ_OK);
  htz_grid_place(r->bodies[0], 0, 0.31, 0.0);
  htz_grid_place(r->bodies[0], 1, 0.22, 0.0);
}

/** An impulse is answered by sum phi phi' exp(-sigma t) sin(omega t)/(m omega) at every sample, up to the highest mode. */
static void an_impulse_rings_exactly(void** state) {
  static const double impulse = 1e-3;
  rig r;
  double phi[2][MODES], off = 0.0, most = 0.0;
  (void)state;
  make_modes(&r, 800.0, 30.0);
  shape(&r.modes, 0.31, phi[0]);
  shape(&r.modes, 0.22, phi[1]);
  for (int n = 1; n < 4800; ++n) {
    r.bodies[0]->cls->foresee(r.bodies[0]);
    if (n == 1) {
      htz_grid_push(r.bodies[0], 0, impulse * rate_hz);
    }
    htz_grid_shift(r.bodies[0]);
    double expected = 0.0;
    for (size_t i = 0; i < MODES; ++i) {
      const double t = n / rate_hz, damped = sqrt(r.omega[i] * r.omega[i] - r.sigma[i] * r.sigma[i]);
      expected += phi[0][i] * phi[1][i] * impulse * exp(-r.sigma[i] * t) * sin(damped * t) / (r.mass[i] * damped);
    }
    off = fmax(off, fabs(htz_grid_now(r.bodies[0], 1) - expected));
    most = fmax(most, fabs(expected));
  }
  check_below(off / most, 1e-9); // rounding of 4800 steps of a recursion with a pole 1e-3 off 1
  htz_arena_free(&r.arena);
}

/** A mass thrown at it, and a string on a grid joined to it by a collision: without losses the energy stays, with losses it only falls. */
static void contacts_keep_their_books(void** state) {
  (void)state;
  for (int other = 0; other < 2; ++other) {
    for (int lossy = 0; lossy < 2; ++lossy) {
      rig r;
      const char* why = NULL;
      make_modes(&r, 150.0, lossy ? 4.0 : 0.0);
      if (other == 0) {
        const htz_grid_mass_desc d = {.mass = 0.005, .hz = 20.0};
        assert_int_equal(htz_grid_mass_new(&d, rate_hz, &r.arena, &r.bodies[1], &why), HTZ_OK);
        htz_grid_kick(r.bodies[1], 0.5, 0.5, 0.5, 2.0);
      } else {
        const htz_grid_string_desc d = {
            .length = 0.7, .lin_density = 2e-3, .tension = 150.0, .stiffness = 1e-4, .ratio_most = 1.0, .exactly = 100};
        assert_int_equal(htz_grid_string_new(&d, rate_hz, 1, htz_kernels_select(), &r.arena, &r.bodies[1], &why), HTZ_OK);
        htz_grid_place(r.bodies[1], 0, 0.37, 0.0);
        htz_grid_pluck(r.bodies[1], 0.2, 3e-3);
      }
      const htz_grid_contact_desc c = {
          .stiffness = 1e8, .exponent = 1.5, .body_a = 1, .body_b = 0, .direction = 1.0, .gap = 1e-4, .enabled = true};
      const htz_grid_network_desc desc = {.n_bodies = 2, .bodies = r.bodies, .n_contacts = 1, .contacts = &c};
      assert_int_equal(htz_grid_network_new(&desc, &r.arena, &r.net, &why), HTZ_OK);
      (void)htz_grid_network_reread(r.net);
      const double start = htz_grid_network_energy(r.net);
      double off = 0.0, rise = 0.0, before = start;
      for (int i = 0; i < STEPS; ++i) {
        htz_grid_network_step(r.net);
        const double energy = htz_grid_network_energy(r.net);
        off = fmax(off, fabs(energy - start));
        rise = fmax(rise, energy - before);
        before = energy;
      }
      print_message("%s, %s: off by %.1e, greatest rise %.1e, %llu closures\n", other ? "string" : "mass",
                    lossy ? "with losses" : "lossless", off / start, rise / start,
                    (unsigned long long)htz_grid_network_contact(r.net, 0)->closures);
      if (!lossy) {
        check_below(off / start, 1e-9);
      }
      check_below(rise / start, 1e-12);
      assert_true(htz_grid_network_contact(r.net, 0)->closures > (lossy ? 1 : 5));
      assert_true(htz_grid_network_contact(r.net, 0)->pull_max == 0.0);
      assert_int_equal(htz_grid_network_count(r.net)->unconverged, 0);
      htz_arena_free(&r.arena);
    }
  }
}

/** Retuned and damped it goes at the new pitch and decay, exactly again. */
static void it_is_retuned(void** state) {
  rig r;
  (void)state;
  make_modes(&r, 200.0, 1.0);
  htz_grid* body = r.bodies[0];
  body->cls->tune(body, 1.5, 2.0, 10.0);
  body->now[0] = 1.0;
  const double sigma = 2.0 + 10.0, omega = sqrt(pow(1.5 * r.omega[0], 2.0) - sigma * sigma), k = 1.0 / rate_hz;
  body->before[0] = exp(sigma * k) * cos(omega * k);
  for (int n = 1; n < 2000; ++n) {
    body->cls->foresee(body);
    htz_grid_shift(body);
    check_near(body->now[0], exp(-sigma * n * k) * cos(omega * n * k), 1e-9);
  }
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(an_impulse_rings_exactly), cmocka_unit_test(contacts_keep_their_books),
                                     cmocka_unit_test(it_is_retuned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
