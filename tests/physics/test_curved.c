// A string on a curved bridge: contacts along a modal body, solved together, and their energy.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// A tanpura's C3: steel, 0.3 mm. The bridge falls away on both sides of its apex, a thread lies at its end.
static const double length = 1.0, tension = 37.2, density = 5.563e-4, stiff = 2.2e-5;
static const double from = 0.9, to = 0.992, apex = 0.982, curvature = 0.27; // [m], [m], [m], [1/m]
static const double thread_stiffness = 1.0e5;
static const double pluck_height = 1.0e-3, pluck_at = 0.42;

static const double ledger_limit = 1e-9; // relative to the energy put in

enum { POINTS = 32 };

typedef struct {
  htz_arena arena;
  htz_modes modes[2];
  htz_modal* modal[2];
  htz_body* bodies[3];
  htz_network* net;
  double rate_hz;
} rig;

typedef struct {
  double rate_hz, stiffness, viscosity, damping; // stiffness: per metre [N/m^2.5]; damping: of the thread
  size_t partials;
  bool lossy;
  double height; // of the pluck, 0: as ever [m]
} setting;

static void string_modes(rig* r, size_t which, const setting* set, double factor) {
  const htz_string_desc desc = {.length = length,
                                .tension = tension * factor * factor,
                                .lin_density = density,
                                .inharmonicity = stiff,
                                .loss = {.loss0 = set->lossy ? 0.45 : 0.0}};
  assert_int_equal(htz_modes_string(&desc, 0.45 * set->rate_hz, set->partials, &r->arena, &r->modes[which]), HTZ_OK);
}

/** The shape of a string pulled out by `height` at `at` and let go. */
static void pluck(htz_modal* m, const htz_modes* modes, double height, double at) {
  for (size_t k = 0; k < modes->n; ++k) {
    const double n = (double)(k + 1);
    htz_modal_q(m)[k] = 2.0 * height * sin(n * pi * at) / (n * n * pi * pi * at * (1.0 - at));
  }
}

static void build_bridge(rig* r, const setting* set) {
  memset(r, 0, sizeof *r);
  r->rate_hz = set->rate_hz;
  assert_int_equal(htz_arena_init(&r->arena, (size_t)64 << 20), HTZ_OK);
  string_modes(r, 0, set, 1.0);
  assert_int_equal(htz_modal_new(&r->modes[0], POINTS + 1, 0, set->rate_hz, htz_kernels_select(), &r->arena, &r->modal[0]),
                   HTZ_OK);
  r->bodies[0] = htz_modal_body(r->modal[0]);
  assert_int_equal(htz_barrier_new(&r->arena, &r->bodies[1]), HTZ_OK);
  htz_contact_desc contacts[POINTS];
  const double dx = (to - from) / POINTS;
  for (size_t i = 0; i < POINTS; ++i) {
    const double x = from + ((double)i + 0.5) * dx;
    htz_modal_place(r->modal[0], i, x / length);
    contacts[i] = (htz_contact_desc){.law = {&htz_law_hunt_crossley, {set->stiffness * dx, 1.5, set->viscosity}},
                                     .body_a = 0,
                                     .point_a = (uint32_t)i,
                                     .body_b = 1,
                                     .direction = -1.0,
                                     .gap = curvature * (x - apex) * (x - apex),
                                     .enabled = true,
                                     .whole_steps = true};
  }
  htz_modal_place(r->modal[0], POINTS, to / length);
  const htz_join_desc thread = {
      .body_a = 0, .point_a = POINTS, .body_b = 1, .stiffness = thread_stiffness, .damping = set->damping, .enabled = true};
  assert_int_equal(htz_network_new(2, r->bodies, POINTS, contacts, set->rate_hz, &r->arena, &r->net), HTZ_OK);
  assert_int_equal(htz_network_add_joins(r->net, 1, &thread, &r->arena), HTZ_OK);
  assert_int_equal(htz_network_solve_jointly(r->net, &r->arena), HTZ_OK);
  pluck(r->modal[0], &r->modes[0], set->height > 0.0 ? set->height : pluck_height, pluck_at);
  htz_network_refresh(r->net);
  htz_network_reread_joins(r->net);
}

static double lost(const rig* r) {
  double sum = 0.0;
  for (size_t i = 0; i < POINTS; ++i) {
    sum += htz_network_account(r->net, i)->dissipated;
  }
  return sum + htz_network_join(r->net, 0)->dissipated;
}

/** Hard buzzing without losses of the string: what it has, what contacts store and what they lost is what was put in. */
static void check_ledger(const setting* set) {
  rig r;
  htz_network_audit audit = {0};
  build_bridge(&r, set);
  const double begun = htz_network_energy(r.net) + lost(&r);
  double worst = 0.0, pull = 0.0;
  size_t most = 0;
  htz_network_set_audit(r.net, &audit);
  for (size_t i = 0; i < (size_t)set->rate_hz; ++i) {
    htz_network_step(r.net);
    const double now = htz_network_energy(r.net) + lost(&r);
    worst = fmax(worst, fabs(now - begun) / begun);
    size_t closed = 0;
    for (size_t p = 0; p < POINTS; ++p) {
      pull = fmin(pull, htz_network_account(r.net, p)->force_mean);
      closed += htz_network_account(r.net, p)->force_mean > 0.0;
    }
    most = closed > most ? closed : most;
  }
  const htz_network_counters* c = htz_network_count(r.net);
  printf("%g Hz, %g N/m^2.5, mu %g: ledger %.1e, gain of a step %.1e, closures %llu, at most %zu at once, iterations %.2f a "
         "step in "
         "contact, finer steps %llu\n",
         set->rate_hz, set->stiffness, set->viscosity, worst, audit.gain_max / begun, (unsigned long long)c->closures, most,
         (double)c->iterations / (double)c->contact_steps, (unsigned long long)c->halvings);
  assert_true(c->closures > 1000); // it buzzes
  assert_true(worst < ledger_limit);
  assert_true(pull >= 0.0);
  assert_int_equal(c->unconverged, 0);
  assert_int_equal(c->level_capped, 0);
  assert_true(!(set->height > 0.0) || most > HTZ_TOUCH_MAX); // more than the kernel takes
  htz_arena_free(&r.arena);
}

static void no_energy_comes_or_goes(void** state) {
  (void)state;
  check_ledger(&(setting){.rate_hz = 96000.0, .stiffness = 1e9, .partials = 100});
  check_ledger(&(setting){.rate_hz = 96000.0, .stiffness = 3e8, .viscosity = 0.02, .damping = 1.0, .partials = 100});
  check_ledger(&(setting){.rate_hz = 22050.0, .stiffness = 1e9, .partials = 80});
  check_ledger(&(setting){.rate_hz = 96000.0, .stiffness = 1e8, .partials = 80, .height = 1e-2});
}

/** Who may close: what the string has at most at a point when all energy is there says so. @return how many may not */
static size_t set_reach(rig* r, bool within[POINTS]) {
  const double energy = htz_network_energy(r->net);
  size_t away = 0;
  for (size_t i = 0; i < POINTS; ++i) {
    const double x = from + ((double)i + 0.5) * (to - from) / POINTS;
    const double far = sqrt(2.0 * energy * htz_modal_static_compliance(r->modal[0], (uint32_t)i, (uint32_t)i));
    within[i] = !(far < curvature * (x - apex) * (x - apex));
    away += !within[i];
  }
  htz_network_reach(r->net, 0, POINTS, within);
  return away;
}

/** Left out and taken back as the string loses and gets energy, contacts do what they do when none ever is left out. */
static void contacts_out_of_reach_change_nothing(void** state) {
  enum { STEPS = 96000, STRETCH = 64, AGAIN = 48000 };
  const setting set = {.rate_hz = 96000.0, .stiffness = 3e8, .viscosity = 0.02, .damping = 1.0, .partials = 80, .lossy = true};
  rig all, some;
  size_t away = 0;
  bool within[POINTS];
  (void)state;
  build_bridge(&all, &set);
  build_bridge(&some, &set);
  for (size_t i = 0; i < STEPS; ++i) {
    if (i == AGAIN) { // pulled as far again from where it is
      pluck(all.modal[0], &all.modes[0], pluck_height, pluck_at);
      pluck(some.modal[0], &some.modes[0], pluck_height, pluck_at);
      htz_network_refresh(all.net);
      htz_network_refresh(some.net);
      htz_network_reread_joins(all.net);
      htz_network_reread_joins(some.net);
    }
    away += i % STRETCH == 0 ? set_reach(&some, within) : 0;
    htz_network_step(all.net);
    htz_network_step(some.net);
    for (size_t p = 0; p < POINTS; ++p) {
      assert_true(within[p] || htz_network_account(all.net, p)->eta < 0.0);
    }
  }
  for (size_t k = 0; k < all.modes[0].n; ++k) { // in what order rounding comes may differ
    check_near(htz_modal_q(some.modal[0])[k], htz_modal_q(all.modal[0])[k], 1e-9 * pluck_height);
  }
  for (size_t p = 0; p < POINTS; ++p) {
    check_near(htz_network_account(some.net, p)->dissipated, htz_network_account(all.net, p)->dissipated, 1e-9 * lost(&all));
  }
  check_near(htz_network_energy(some.net), htz_network_energy(all.net), 1e-9 * htz_network_energy(all.net));
  print_message("left out: %.1f of %d on average\n", (double)away * STRETCH / STEPS, (int)POINTS);
  assert_true(away * STRETCH > (size_t)STEPS * POINTS / 4);
  htz_arena_free(&all.arena);
  htz_arena_free(&some.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_energy_comes_or_goes),
                                     cmocka_unit_test(contacts_out_of_reach_change_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
