// Energy: what bodies hold, what contacts store and what they lose add up, step by step.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 44100.0;

enum { STRING = 0, BAR, FIRST, SECOND, BODIES, STRIKES_STRING = 0, STRIKES_BAR, SECOND_ON_BAR, SPRING, CONTACTS };

// Figures relative to the energy at the start.
static const double ledger_limit = 1e-10;
static const double ledger_limit_range = 1e-9; // any stiffness and exponent
static const double step_gain_limit = 1e-12;
static const double monotone_limit = 1e-14;

typedef struct {
  htz_arena arena;
  htz_modes modes[2];
  htz_modal* modal[2];
  htz_body* bodies[BODIES];
  htz_network* net;
  double start; // energy [J]
} rig;

static void losses(htz_modes* m, double sigma) {
  for (size_t k = 0; k < m->n; ++k) {
    m->sigma[k] = sigma * (1.0 + 0.05 * (double)k);
  }
}

/**
   A C4 string, a free steel bar, a spring between them, two 2 g masses: the first flies between string and bar, the second is
   thrown on the bar from the other side and comes back with the first's help.
*/
static void build(rig* r, double stiffness, double exponent, double viscosity, double sigma, double spring) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, (size_t)8 << 20), HTZ_OK);
  const htz_string_desc string = {
      .length = 0.62, .tension = 670.0, .lin_density = 3.93e-3 / 0.62, .inharmonicity = 4e-4, .loss = {.loss0 = 0.0}};
  const htz_bar_desc bar = {.ends = HTZ_BAR_FREE, .mass = 0.1, .tuning_hz = 440.0, .loss = {.loss0 = 0.0}};
  assert_int_equal(htz_modes_string(&string, 16000.0, 40, &r->arena, &r->modes[STRING]), HTZ_OK);
  assert_int_equal(htz_modes_bar(&bar, 16000.0, 12, &r->arena, &r->modes[BAR], NULL), HTZ_OK);
  const htz_kernels* kernels = htz_kernels_select();
  for (int b = 0; b < 2; ++b) {
    losses(&r->modes[b], sigma);
    assert_int_equal(htz_modal_new(&r->modes[b], 3, 0, rate_hz, kernels, &r->arena, &r->modal[b]), HTZ_OK);
    r->bodies[b] = htz_modal_body(r->modal[b]);
  }
  htz_modal_place(r->modal[STRING], 0, 0.12);
  htz_modal_place(r->modal[STRING], 1, 0.83);
  htz_modal_place(r->modal[BAR], 0, 0.30);
  htz_modal_place(r->modal[BAR], 1, 0.90);
  htz_modal_place(r->modal[BAR], 2, 0.52);
  for (int m = FIRST; m <= SECOND; ++m) {
    // The second one hangs on a soft spring, which brings it back.
    const htz_mass_desc mass = {.mass = 2e-3, .stiffness = m == SECOND ? 400.0 : 0.0};
    assert_int_equal(htz_mass_new(&mass, rate_hz, &r->arena, &r->bodies[m]), HTZ_OK);
  }
  const htz_law hit = {&htz_law_hunt_crossley, {stiffness, exponent, viscosity}};
  const htz_contact_desc c[CONTACTS] = {
      {hit, FIRST, 0, STRING, 0, -1.0, 1e-4, true, false},
      {hit, FIRST, 0, BAR, 0, 1.0, 1e-4, true, false},
      {hit, SECOND, 0, BAR, 2, -1.0, 0.0, true, false},
      {{&htz_law_spring, {spring, 0.0}}, STRING, 1, BAR, 1, 1.0, 0.0, true, false},
  };
  r->bodies[FIRST]->cls->set_motion(r->bodies[FIRST], 0.0, -1.5);
  r->bodies[SECOND]->cls->set_motion(r->bodies[SECOND], 1e-4, -1.0);
  assert_int_equal(htz_network_new(BODIES, r->bodies, CONTACTS, c, rate_hz, &r->arena, &r->net), HTZ_OK);
  r->start = htz_network_energy(r->net);
}

static double dissipated(const rig* r) {
  double sum = 0.0;
  for (size_t i = 0; i < CONTACTS; ++i) {
    sum += htz_network_account(r->net, i)->dissipated;
  }
  return sum;
}

/** Run and return the largest |energy + dissipated - start| relative to the start. */
static double worst_ledger(rig* r, int samples) {
  double worst = 0.0;
  for (int i = 0; i < samples; ++i) {
    htz_network_step(r->net);
    const double off = fabs(htz_network_energy(r->net) + dissipated(r) - r->start) / r->start;
    worst = off > worst || isnan(off) ? off : worst;
  }
  return worst;
}

static void lossless_second(void** state) {
  (void)state;
  rig r;
  build(&r, 1e8, 1.0, 0.0, 0.0, 1e8);
  htz_network_audit audit = {0};
  htz_network_set_audit(r.net, &audit);
  const double worst = worst_ledger(&r, (int)rate_hz);
  const htz_network_counters* n = htz_network_count(r.net);
  print_message("closures %llu (%llu string, %llu bar, %llu second), steps %llu, ledger %.2g, largest gain of a step %.2g\n",
                (unsigned long long)n->closures, (unsigned long long)htz_network_account(r.net, STRIKES_STRING)->closures,
                (unsigned long long)htz_network_account(r.net, STRIKES_BAR)->closures,
                (unsigned long long)htz_network_account(r.net, SECOND_ON_BAR)->closures, (unsigned long long)n->steps, worst,
                audit.gain_max / r.start);
  // Every contact but the spring has been closed, and often.
  assert_true(htz_network_account(r.net, STRIKES_STRING)->closures > 10);
  assert_true(htz_network_account(r.net, STRIKES_BAR)->closures > 10);
  check_below(worst, ledger_limit);
  check_below(audit.gain_max / r.start, step_gain_limit);
  assert_int_equal(n->unconverged, 0);
  htz_arena_free(&r.arena);
}

static void hundred_contacts(void** state) {
  (void)state;
  rig r;
  build(&r, 1e10, 1.5, 0.0, 0.0, 1e8);
  double worst = 0.0;
  int seconds = 0;
  while (htz_network_count(r.net)->closures < 150 && seconds < 10) {
    const double w = worst_ledger(&r, (int)rate_hz);
    worst = w > worst ? w : worst;
    ++seconds;
  }
  assert_true(htz_network_count(r.net)->closures > 100);
  check_below(worst, ledger_limit);
  htz_arena_free(&r.arena);
}

static void stiffness_and_exponent_range(void** state) {
  (void)state;
  static const double exponents[] = {1.0, 1.5, 2.0, 2.3, 3.2};
  for (double k = 1e4; k <= 1.001e12; k *= 100.0) {
    for (size_t a = 0; a < sizeof exponents / sizeof exponents[0]; ++a) {
      rig r;
      build(&r, k, exponents[a], 0.0, 0.0, a % 2 ? 1e8 : 1e10);
      htz_network_audit audit = {0};
      htz_network_set_audit(r.net, &audit);
      check_below(worst_ledger(&r, (int)rate_hz), ledger_limit_range);
      check_below(audit.gain_max / r.start, step_gain_limit);
      assert_int_equal(htz_network_count(r.net)->unconverged, 0);
      htz_arena_free(&r.arena);
    }
  }
}

static void lossy_is_monotone(void** state) {
  (void)state;
  static const double viscosity[] = {0.0, 0.05, 1.0};
  static const double sigma[] = {3.0, 0.0, 40.0};
  for (size_t i = 0; i < 3; ++i) {
    rig r;
    build(&r, 1e8, 1.5, viscosity[i], sigma[i], 1e6);
    htz_network_audit audit = {0};
    htz_network_set_audit(r.net, &audit);
    double lost = 0.0;
    for (int s = 0; s < (int)rate_hz; ++s) {
      htz_network_step(r.net);
      // No contact ever gives back what it lost (rounding of one step aside).
      check_above(dissipated(&r) - lost, -monotone_limit * r.start);
      lost = dissipated(&r);
    }
    // A sum of four energies of that size is itself only good to a few units in the last place.
    check_below(audit.rise_max / r.start, monotone_limit);
    if (viscosity[i] > 0.0) {
      check_above(lost / r.start, 1e-4);
    }
    check_below(htz_network_energy(r.net), r.start);
    htz_arena_free(&r.arena);
  }
}

static void damped_in_contact(void** state) {
  (void)state;
  // Dampers moving at random while masses bounce: passive all the same.
  rig r;
  build(&r, 1e8, 2.3, 0.1, 0.5, 1e7);
  htz_network_audit audit = {0};
  htz_network_set_audit(r.net, &audit);
  for (int s = 0; s < (int)rate_hz; ++s) {
    if (s % 100 == 0) {
      htz_modal_damp(r.modal[s / 100 % 2], 300.0 * fabs(sin(0.37 * s)));
    }
    htz_network_step(r.net);
  }
  check_below(audit.rise_max / r.start, monotone_limit);
  htz_arena_free(&r.arena);
}

/** A row of masses with gaps and cubic springs between: many contacts sharing bodies, beyond the dense solver. */
static void long_chain(void** state) {
  (void)state;
  enum { MASSES = 40, LINKS = MASSES - 1 };
  htz_arena arena;
  assert_int_equal(htz_arena_init(&arena, (size_t)4 << 20), HTZ_OK);
  htz_body* bodies[MASSES];
  htz_contact_desc c[LINKS];
  for (size_t i = 0; i < MASSES; ++i) {
    assert_int_equal(
        htz_mass_new(&(htz_mass_desc){.mass = 1e-3 * (1.0 + 0.02 * (double)i), .stiffness = 1e3}, rate_hz, &arena, &bodies[i]),
        HTZ_OK);
  }
  for (size_t i = 0; i < LINKS; ++i) {
    const htz_law hit = {&htz_law_hunt_crossley, {1e7, 1.5, 0.0}};
    const htz_law spring = {&htz_law_cubic, {2e4, 1e12, 0.0}};
    c[i] = (htz_contact_desc){i % 3 ? spring : hit, (uint32_t)i, 0, (uint32_t)i + 1, 0, 1.0, i % 3 ? 0.0 : 1e-6, true, false};
  }
  bodies[0]->cls->set_motion(bodies[0], 0.0, 2.0);
  bodies[MASSES - 1]->cls->set_motion(bodies[MASSES - 1], 0.0, -1.0);
  htz_network* net = NULL;
  assert_int_equal(htz_network_new(MASSES, bodies, LINKS, c, rate_hz, &arena, &net), HTZ_OK);
  htz_network_audit audit = {0};
  htz_network_set_audit(net, &audit);
  const double start = htz_network_energy(net);
  double worst = 0.0;
  for (int s = 0; s < 4410; ++s) {
    htz_network_step(net);
    double e = htz_network_energy(net);
    for (size_t i = 0; i < LINKS; ++i) {
      e += htz_network_account(net, i)->dissipated;
    }
    worst = fabs(e / start - 1.0) > worst ? fabs(e / start - 1.0) : worst;
  }
  const htz_network_counters* n = htz_network_count(net);
  print_message("chain: ledger %.2g, sweeps %llu, halvings %llu, unconverged %llu\n", worst, (unsigned long long)n->sweeps,
                (unsigned long long)n->halvings, (unsigned long long)n->unconverged);
  assert_true(n->sweeps > 0);
  assert_int_equal(n->unconverged, 0);
  check_below(worst, ledger_limit_range);
  check_below(audit.gain_max / start, step_gain_limit * 100.0); // the sweeps stop at 1e-14 of the largest force, 26 at a time
  htz_arena_free(&arena);
}

static void resting_ball(void** state) {
  (void)state;
  // A ball under gravity comes to rest at its static compression, and stops asking for fine steps.
  htz_arena arena;
  assert_int_equal(htz_arena_init(&arena, 1 << 18), HTZ_OK);
  htz_body* bodies[2];
  assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 0.01, .gravity = 9.81}, rate_hz, &arena, &bodies[0]), HTZ_OK);
  assert_int_equal(htz_barrier_new(&arena, &bodies[1]), HTZ_OK);
  const htz_contact_desc wall = {{&htz_law_hunt_crossley, {1e7, 1.1, 0.5}}, 0, 0, 1, 0, 1.0, 0.0, true, false};
  bodies[0]->cls->set_motion(bodies[0], -1e-4, 0.3);
  htz_network* net = NULL;
  assert_int_equal(htz_network_new(2, bodies, 1, &wall, rate_hz, &arena, &net), HTZ_OK);
  for (int s = 0; s < 20 * (int)rate_hz; ++s) {
    htz_network_step(net);
  }
  const double rest = pow(0.01 * 9.81 / 1e7, 1.0 / 1.1);
  const uint64_t before = htz_network_count(net)->steps;
  for (int s = 0; s < (int)rate_hz; ++s) {
    htz_network_step(net);
    check_near(bodies[0]->cls->displacement(bodies[0], 0), rest, 1e-8 * rest);
  }
  check_below((double)(htz_network_count(net)->steps - before), 1.01 * rate_hz);
  htz_arena_free(&arena);
}

static void pulse_shared(void** state) {
  (void)state;
  // Newton's cradle of two: equal masses exchange their velocities, whatever the law.
  htz_arena arena;
  assert_int_equal(htz_arena_init(&arena, 1 << 18), HTZ_OK);
  htz_body* bodies[2];
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 0.02}, rate_hz, &arena, &bodies[i]), HTZ_OK);
  }
  const htz_contact_desc c = {{&htz_law_hunt_crossley, {3e8, 1.5, 0.0}}, 0, 0, 1, 0, 1.0, 1e-5, true, false};
  bodies[0]->cls->set_motion(bodies[0], 0.0, 1.0);
  htz_network* net = NULL;
  assert_int_equal(htz_network_new(2, bodies, 1, &c, rate_hz, &arena, &net), HTZ_OK);
  for (int s = 0; s < 1000; ++s) {
    htz_network_step(net);
  }
  check_near(bodies[0]->cls->velocity(bodies[0], 0), 0.0, 1e-11);
  check_near(bodies[1]->cls->velocity(bodies[1], 0), 1.0, 1e-11);
  assert_int_equal(htz_network_account(net, 0)->closures, 1);
  htz_arena_free(&arena);
}

/**
   Torn apart faster than the loss lets the contact push, 1/viscosity: there is no force, and what is still pressed in stays stored. A step later
   it would else push with what it never had.
*/
static void torn_apart(void** state) {
  (void)state;
  static const htz_law law = {&htz_law_hunt_crossley, {1e10, 1.5, 0.4}};
  double worst = 0.0, worst_stored = 0.0;
  unsigned forceless = 0;
  for (unsigned n = 0; n < 2000; ++n) {
    htz_arena arena;
    assert_int_equal(htz_arena_init(&arena, 1 << 18), HTZ_OK);
    htz_body* bodies[2];
    for (int i = 0; i < 2; ++i) {
      assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 0.08}, rate_hz, &arena, &bodies[i]), HTZ_OK);
    }
    const htz_contact_desc c = {law, 0, 0, 1, 0, 1.0, 0.0, true, false};
    const double pressed = 1e-4 * (1.0 + fmod(0.618 * n, 4.0));
    bodies[0]->cls->set_motion(bodies[0], pressed, 1.0);
    htz_network* net = NULL;
    assert_int_equal(htz_network_new(2, bodies, 1, &c, rate_hz, &arena, &net), HTZ_OK);
    htz_network_step(net);
    const double apart = 2.0 + fmod(0.7548 * n, 20.0); // [m/s]
    bodies[0]->cls->set_motion(bodies[0], bodies[0]->cls->displacement(bodies[0], 0), -apart);
    const htz_contact_account* a = htz_network_account(net, 0);
    const double start = htz_network_energy(net) + a->dissipated;
    for (int s = 0; s < 4; ++s) {
      htz_network_step(net);
      forceless += a->eta > 0.0 && a->force_mean == 0.0;
      worst = fmax(worst, fabs(htz_network_energy(net) + htz_network_account(net, 0)->dissipated - start) / start);
      const double stored = law.cls->at(&law, a->eta).stored;
      worst_stored = fmax(worst_stored, fabs(a->stored - stored) / start);
    }
    htz_arena_free(&arena);
  }
  print_message("torn apart: %u steps pressed without a force, ledger %.2g, stored off by %.2g\n", forceless, worst,
                worst_stored);
  assert_true(forceless > 500);
  check_below(worst, ledger_limit);
  check_below(worst_stored, ledger_limit);
}

int main(void) {

  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lossless_second),   cmocka_unit_test(hundred_contacts),  cmocka_unit_test(stiffness_and_exponent_range),
      cmocka_unit_test(lossy_is_monotone), cmocka_unit_test(damped_in_contact), cmocka_unit_test(long_chain),
      cmocka_unit_test(resting_ball),      cmocka_unit_test(pulse_shared),      cmocka_unit_test(torn_apart)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
