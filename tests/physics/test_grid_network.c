// Grid bodies that collide: energy, forces that never pull, what the methods without iteration do instead. The paper's own equations are
// laid beside the network by the experiments willemsen-*.
#include "check.h"

#include "hertzian/contact/grid_network.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 44100.0;
enum { SECOND = 44100, METHODS = 4 };

// The systems end to end: what collides with what.
typedef enum {
  MASS_BARRIER = 0,
  SPRUNG_BARRIER,
  TWO_MASSES,
  TWO_STRINGS,
  MASS_STRING,
  BETWEEN,        // a mass between string and barrier
  TROMBA_SPRING,  // string, spring, mass, collision, second string
  TROMBA_COLLIDE, // the same with a two-sided connection
  SYSTEMS
} kind;

static const char* const names[SYSTEMS] = {"mass-barrier",  "mass-spring-barrier", "two mass-springs",
                                           "string-string", "mass-string",         "between",
                                           "tromba spring", "tromba connection"};
static const char* const methods[METHODS] = {"newton", "plain", "cases", "release"};

typedef struct {
  htz_arena arena;
  size_t n_bodies;
  htz_grid* bodies[4];
  htz_grid_contact_desc contacts[3];
  htz_grid_stretch_desc stretch;
  double gaps[256];
  htz_grid_network_desc desc;
  htz_grid_network* net;
} rig;

static htz_grid* mass(rig* r, double m, double hz, double gravity) {
  const htz_grid_mass_desc d = {.mass = m, .hz = hz, .gravity = gravity};
  const char* why = NULL;
  assert_int_equal(htz_grid_mass_new(&d, rate_hz, &r->arena, &r->bodies[r->n_bodies], &why), HTZ_OK);
  return r->bodies[r->n_bodies++];
}

static htz_grid* barrier(rig* r) {
  assert_int_equal(htz_grid_barrier_new(&r->arena, &r->bodies[r->n_bodies]), HTZ_OK);
  return r->bodies[r->n_bodies++];
}

static htz_grid* string(rig* r, double density, double tension, size_t exactly) {
  const htz_grid_string_desc d = {.length = 1.0,
                                  .lin_density = density,
                                  .tension = tension,
                                  .stiffness = 1e-4,
                                  .ratio_most = 1.0,
                                  .ends = {HTZ_GRID_SUPPORTED, HTZ_GRID_SUPPORTED},
                                  .exactly = exactly};
  const char* why = NULL;
  assert_int_equal(htz_grid_string_new(&d, rate_hz, 2, htz_kernels_select(), &r->arena, &r->bodies[r->n_bodies], &why), HTZ_OK);
  htz_grid* s = r->bodies[r->n_bodies++];
  htz_grid_place(s, 0, 0.31, 0.0);
  htz_grid_place(s, 1, 0.72, 0.0);
  return s;
}

static htz_grid_contact_desc* touch(rig* r, htz_grid_method method, uint32_t a, uint32_t b, double stiffness, double gap) {
  htz_grid_contact_desc* c = &r->contacts[r->desc.n_contacts++];
  *c = (htz_grid_contact_desc){.method = method,
                               .stiffness = stiffness,
                               .exponent = 1.5,
                               .body_a = a,
                               .body_b = b,
                               .direction = 1.0,
                               .gap = gap,
                               .enabled = true};
  return c;
}

/** Make the network of what is there. */
static void join(rig* r) {
  r->desc.n_bodies = r->n_bodies;
  r->desc.bodies = r->bodies;
  r->desc.contacts = r->contacts;
  const char* why = NULL;
  assert_int_equal(htz_grid_network_new(&r->desc, &r->arena, &r->net, &why), HTZ_OK);
}

static void build(rig* r, kind k, htz_grid_method method) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, 1 << 20), HTZ_OK);
  switch (k) {
  case MASS_BARRIER:
    htz_grid_bend(mass(r, 0.01, 0.0, 9.81), 0.0, 0.0, 1.0, -0.01);
    barrier(r);
    touch(r, method, 0, 1, 1e7, 0.0);
    break;
  case SPRUNG_BARRIER:
    htz_grid_bend(mass(r, 0.01, 150.0, 0.0), 0.0, 0.0, 1.0, -0.001);
    barrier(r);
    touch(r, method, 0, 1, 1e8, 0.0002);
    break;
  case TWO_MASSES:
    htz_grid_bend(mass(r, 0.01, 150.0, 0.0), 0.0, 0.0, 1.0, -0.001);
    mass(r, 0.02, 220.0, 0.0);
    touch(r, method, 0, 1, 1e8, 1e-5);
    break;
  case TWO_STRINGS:
    htz_grid_pluck(string(r, 5e-3, 200.0, 100), 0.2, 2e-3);
    string(r, 3e-3, 90.0, 100);
    for (int i = 0; i < 99; ++i) {
      r->gaps[i] = 5e-4;
    }
    r->stretch = (htz_grid_stretch_desc){.stiffness = 1e7,
                                         .exponent = 1.3,
                                         .method = method,
                                         .body_a = 0,
                                         .body_b = 1,
                                         .first = 1,
                                         .last = 99,
                                         .direction = 1.0,
                                         .gap = r->gaps};
    r->desc.n_stretches = 1;
    r->desc.stretches = &r->stretch;
    break;
  case MASS_STRING:
    htz_grid_kick(mass(r, 2e-3, 20.0, 0.0), 0.0, 0.0, 1.0, 1.0);
    string(r, 5e-3, 200.0, 0);
    touch(r, method, 0, 1, 1e8, 1e-4);
    break;
  case BETWEEN:
    htz_grid_kick(mass(r, 2e-3, 0.0, 0.0), 0.0, 0.0, 1.0, 1.0);
    string(r, 5e-3, 200.0, 0);
    barrier(r);
    touch(r, method, 0, 1, 1e8, 1e-6);
    touch(r, method, 0, 2, 1e8, 1e-6)->direction = -1.0;
    break;
  default:
    htz_grid_pluck(string(r, 5e-3, 200.0, 0), 0.2, 1e-3);
    mass(r, 2e-3, 30.0, 0.0);
    string(r, 8e-3, 900.0, 0);
    if (k == TROMBA_SPRING) {
      htz_grid_contact_desc* c = touch(r, method, 0, 1, 5e4, 0.0);
      c->force = HTZ_GRID_SPRING;
      c->cubic = 1e11;
    } else {
      touch(r, method, 0, 1, 1e7, 0.0)->force = HTZ_GRID_CONNECTION;
    }
    touch(r, method, 1, 2, 1e7, 1e-5);
    break;
  }
  join(r);
}

static double worst_drift(rig* r, int steps) {
  const double start = htz_grid_network_energy(r->net);
  double worst = 0.0;
  for (int i = 0; i < steps; ++i) {
    htz_grid_network_step(r->net);
    const double off = fabs(htz_grid_network_energy(r->net) - start);
    worst = off > worst || !(off < INFINITY) ? off : worst;
  }
  return worst / fabs(start);
}

static bool collides(const rig* r, size_t i) {
  return i >= r->desc.n_contacts || r->contacts[i].force == HTZ_GRID_COLLISION;
}

static const htz_grid_account* account(const rig* r, size_t i) {
  return i < r->desc.n_contacts ? htz_grid_network_contact(r->net, i)
                                : htz_grid_network_stretch(r->net, i - r->desc.n_contacts);
}

/** The greatest pull of a collision against the greatest push. */
static double pull_of(const rig* r) {
  double pull = 0.0;
  double peak = 0.0;
  for (size_t i = 0; i < r->desc.n_contacts + r->desc.n_stretches; ++i) {
    if (collides(r, i)) {
      pull = fmax(pull, account(r, i)->pull_max);
      peak = fmax(peak, account(r, i)->force_max);
    }
  }
  return pull / peak;
}

/** Energy of every system by every method: what is left is rounding, some 1e-16 a step, added up over 11025 steps. */
static void test_energy(void** state) {
  (void)state;
  for (int k = 0; k < SYSTEMS; ++k) {
    for (int m = 0; m < METHODS; ++m) {
      rig r;
      build(&r, (kind)k, (htz_grid_method)m);
      const double drift = worst_drift(&r, SECOND / 4);
      const htz_grid_counters* count = htz_grid_network_count(r.net);
      const size_t last = r.desc.n_contacts + r.desc.n_stretches - 1;
      print_message("%-20s %-8s energy off by %.1e, pull/peak %.3f, closures %llu, %.1f iterations\n", names[k], methods[m],
                    drift, pull_of(&r), (unsigned long long)account(&r, last)->closures,
                    count->solves ? (double)count->iterations / (double)count->solves : 0.0);
      check_below(drift, 1e-9);
      assert_int_equal(count->unconverged, 0);
      assert_true(account(&r, last)->closures > 0);
      if (m == HTZ_GRID_NEWTON) {
        assert_true(pull_of(&r) == 0.0);
      }
      htz_arena_free(&r.arena);
    }
  }
}

/** A mass of 10 g at 1 m/s on one of 20 g. @return pull over peak */
static double pull_of_impact(htz_grid_method method, double stiffness, double gap) {
  rig r;
  memset(&r, 0, sizeof r);
  assert_int_equal(htz_arena_init(&r.arena, 1 << 20), HTZ_OK);
  htz_grid_kick(mass(&r, 0.01, 0.0, 0.0), 0.0, 0.0, 1.0, 1.0);
  mass(&r, 0.02, 0.0, 0.0);
  touch(&r, method, 0, 1, stiffness, gap);
  join(&r);
  for (int i = 0; i < 100; ++i) {
    htz_grid_network_step(r.net);
  }
  const double pull = pull_of(&r);
  htz_arena_free(&r.arena);
  return pull;
}

/** The same impact by every method, from contacts of many samples to less than one, at the worst of ten instants of entry. */
static void test_pull(void** state) {
  (void)state;
  enum { PHASES = 10 };
  double worst[METHODS] = {0.0};
  for (double stiffness = 1e9; stiffness < 2e13; stiffness *= 10.0) {
    print_message("K %.0e, pull/peak:", stiffness);
    for (int m = 0; m < METHODS; ++m) {
      double most = 0.0;
      for (int p = 0; p < PHASES; ++p) {
        most = fmax(most, pull_of_impact((htz_grid_method)m, stiffness, 1e-4 + p / (PHASES * rate_hz)));
      }
      worst[m] = fmax(worst[m], most);
      print_message("  %s %.3f", methods[m], most);
    }
    print_message("\n");
  }
  assert_true(worst[HTZ_GRID_NEWTON] == 0.0);
  // What the methods without iteration cost: they hold on with a good part of the force that they push with.
  for (int m = HTZ_GRID_PLAIN; m < METHODS; ++m) {
    check_above(worst[m], 0.3);
  }
}

/** With losses in bodies and contacts energy falls in every step, and what it falls by is in the accounts. */
static void test_losses(void** state) {
  (void)state;
  rig r;
  memset(&r, 0, sizeof r);
  assert_int_equal(htz_arena_init(&r.arena, 1 << 20), HTZ_OK);
  htz_grid_kick(mass(&r, 2e-3, 50.0, 0.0), 0.0, 0.0, 1.0, 2.0);
  string(&r, 5e-3, 200.0, 0);
  barrier(&r);
  touch(&r, HTZ_GRID_NEWTON, 0, 1, 1e8, 1e-4)->viscosity = 0.5;
  touch(&r, HTZ_GRID_NEWTON, 1, 2, 1e7, 1e-4)->viscosity = 20.0; // opens faster than its force can follow
  r.contacts[1].point_a = 1;
  htz_grid_contact_desc* spring = touch(&r, HTZ_GRID_NEWTON, 1, 2, 1e3, 0.0);
  spring->force = HTZ_GRID_SPRING;
  spring->damping = 0.05;
  spring->cubic = 1e9;
  spring->point_a = 1;
  join(&r);
  const double start = htz_grid_network_energy(r.net);
  double last = start;
  double lost = 0.0;
  double rise = 0.0;
  for (int i = 0; i < SECOND / 2; ++i) {
    htz_grid_network_step(r.net);
    const double now = htz_grid_network_energy(r.net);
    rise = fmax(rise, now - last);
    last = now;
  }
  for (size_t i = 0; i < 3; ++i) {
    lost += account(&r, i)->dissipated;
    check_above(account(&r, i)->dissipated, 0.01 * start);
    assert_true(!collides(&r, i) || account(&r, i)->pull_max == 0.0);
  }
  check_below(rise, 1e-12 * start);
  check_near(last + lost, start, 1e-10 * start); // the bodies lose nothing of their own
  check_below(last, 0.5 * start);
  assert_int_equal(htz_grid_network_count(r.net)->unconverged, 0);
  htz_arena_free(&r.arena);
}

/** Any method, any numbers: it stays finite, keeps its energy, and Newton neither pulls nor gives up. */
static void test_random(void** state) {
  (void)state;
  uint64_t seed = 12345;
  for (int t = 0; t < 60; ++t) {
    rig r;
    double x[16];
    for (int i = 0; i < 16; ++i) {
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      x[i] = (double)(seed >> 11) * 0x1p-53;
    }
    memset(&r, 0, sizeof r);
    assert_int_equal(htz_arena_init(&r.arena, 1 << 20), HTZ_OK);
    const htz_grid_method m = (htz_grid_method)(t % METHODS);
    htz_grid_kick(mass(&r, pow(10.0, -4.0 + 3.0 * x[0]), 2000.0 * x[1], 0.0), 0.0, 0.0, 1.0, 10.0 * x[2] - 5.0);
    htz_grid_pluck(string(&r, 5e-3, 200.0, 100), 0.2 + 0.5 * x[3], 5e-3 * x[4]);
    htz_grid_pluck(string(&r, 3e-3, 90.0, 100), 0.2 + 0.5 * x[5], 5e-3 * x[6]);
    barrier(&r);
    const uint32_t from[3] = {0, 0, 1};
    const uint32_t to[3] = {1, 2, 3};
    for (int i = 0; i < 3; ++i) {
      htz_grid_contact_desc* c = touch(&r, m, from[i], to[i], pow(10.0, 4.0 + 8.0 * x[7 + i]), 1e-4 * (x[10 + i] - 0.5));
      c->force = t % 7 == i ? HTZ_GRID_CONNECTION : HTZ_GRID_COLLISION;
      c->exponent = 1.0 + 2.2 * x[13];
      c->direction = x[10 + i] < 0.5 ? 1.0 : -1.0;
    }
    for (int i = 0; i < 60; ++i) {
      r.gaps[i] = 1e-3 * x[14];
    }
    r.stretch = (htz_grid_stretch_desc){.stiffness = pow(10.0, 4.0 + 6.0 * x[15]),
                                        .exponent = 1.0 + 2.2 * x[13],
                                        .method = m,
                                        .body_a = 1,
                                        .body_b = 2,
                                        .first = 20, // the contacts of both strings are in it
                                        .last = 79,
                                        .direction = 1.0,
                                        .gap = r.gaps};
    r.desc.n_stretches = 1;
    r.desc.stretches = &r.stretch;
    r.desc.n_bodies = r.n_bodies;
    r.desc.bodies = r.bodies;
    r.desc.contacts = r.contacts;
    const char* why = NULL;
    const htz_status st = htz_grid_network_new(&r.desc, &r.arena, &r.net, &why);
    if (st) {
      // Both strings' contacts reach the same points of the stretch: too many at a time.
      assert_int_equal(st, HTZ_UNSUPPORTED);
      r.desc.n_stretches = 0;
      assert_int_equal(htz_grid_network_new(&r.desc, &r.arena, &r.net, &why), HTZ_OK);
    }
    check_below(worst_drift(&r, 1000), 1e-9);
    assert_int_equal(htz_grid_network_count(r.net)->unconverged, 0);
    if (m == HTZ_GRID_NEWTON) {
      assert_true(!(pull_of(&r) > 0.0));
    }
    htz_arena_free(&r.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_energy), cmocka_unit_test(test_pull), cmocka_unit_test(test_losses),
                                     cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
