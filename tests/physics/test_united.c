// Networks made one: what lies between them holds, each keeps its own accounts, and many springs are solved like few.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;

enum { BARS = 37, MODES = 12, SECOND = 48000, HAMMER = 0, BAR = 1 };

typedef struct {
  htz_arena arena;
  htz_modes modes[BARS];
  htz_modal* bar[BARS];
  htz_body* hammer[BARS];
  htz_network* part[BARS];
  htz_network* net;
} rig;

/** Free bars without losses, a semitone apart, each with a hammer of its own that sleeps; all a network of its own. */
static void add_bar(rig* r, size_t i) {
  const htz_bar_desc bar = {.ends = HTZ_BAR_FREE,
                            .mass = 0.3,
                            .tuning_hz = 220.0 * exp2((double)i / 12.0),
                            .support_hz = 25.0,
                            .loss = {.loss0 = 1.0}};
  assert_int_equal(htz_modes_bar(&bar, 20000.0, MODES, &r->arena, &r->modes[i], NULL), HTZ_OK);
  for (size_t k = 0; k < r->modes[i].n; ++k) {
    r->modes[i].sigma[k] = 0.0;
  }
  assert_int_equal(htz_modal_new(&r->modes[i], 3, 0, rate_hz, htz_kernels_select(), &r->arena, &r->bar[i]), HTZ_OK);
  htz_modal_place(r->bar[i], 0, 0.5);
  htz_modal_place(r->bar[i], 1, 0.1);
  htz_modal_place(r->bar[i], 2, 0.9);
  const htz_mass_desc mass = {.mass = 0.03};
  assert_int_equal(htz_mass_new(&mass, rate_hz, &r->arena, &r->hammer[i]), HTZ_OK);
  htz_body* const bodies[] = {r->hammer[i], htz_modal_body(r->bar[i])};
  const htz_contact_desc felt = {
      .law = {.cls = &htz_law_hunt_crossley, .p = {1e7, 1.5, 0.0}}, .body_a = HAMMER, .body_b = BAR, .direction = 1.0};
  assert_int_equal(htz_network_new(2, bodies, 1, &felt, rate_hz, &r->arena, &r->part[i]), HTZ_OK);
  htz_network_wake(r->part[i], HAMMER, false);
}

/** The first `n` bars joined each to the next by springs that stiffen, and what else there is. */
static void unite(rig* r, uint32_t n, double k1, double k3, size_t n_more, const htz_contact_desc* more, size_t n_joins,
                  const htz_join_desc* joins) {
  htz_contact_desc springs[3 * BARS];
  for (uint32_t i = 0; i + 1 < n; ++i) {
    springs[i] = (htz_contact_desc){.law = {.cls = &htz_law_cubic, .p = {k1, k3, 0.0}},
                                    .body_a = 2 * i + BAR,
                                    .point_a = 2,
                                    .body_b = 2 * (i + 1) + BAR,
                                    .point_b = 1,
                                    .direction = 1.0,
                                    .enabled = true};
  }
  for (size_t i = 0; i < n_more; ++i) {
    springs[n - 1 + i] = more[i];
  }
  assert_int_equal(htz_network_unite(n, r->part, 0, NULL, n - 1 + n_more, springs, n_joins, joins, rate_hz, &r->arena, &r->net),
                   HTZ_OK);
}

static void make_bars(rig* r, size_t n) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, (size_t)40 << 20), HTZ_OK);
  for (size_t i = 0; i < n; ++i) {
    add_bar(r, i);
  }
}

static void start(rig* r, double k1, double k3) {
  make_bars(r, BARS);
  unite(r, BARS, k1, k3, 0, NULL, 0, NULL);
}

static void throw_hammer(rig* r, size_t i, double speed) {
  const htz_law felt = {.cls = &htz_law_hunt_crossley, .p = {1e7, 1.5, 0.0}};
  r->hammer[i]->cls->set_motion(r->hammer[i], 0.0, speed);
  htz_network_wake(r->part[i], HAMMER, true);
  htz_network_enable(r->part[i], 0, &felt);
}

static void many_springs_keep_the_energy(void** state) {
  (void)state;
  rig r;
  start(&r, 2e3, 1e12);
  throw_hammer(&r, 7, 2.0);
  throw_hammer(&r, 30, 3.0);
  const double given = 0.5 * 0.03 * (4.0 + 9.0);
  double worst = 0.0;
  for (size_t i = 0; i < SECOND; ++i) {
    htz_network_step(r.net);
    const double off = fabs(htz_network_energy(r.net) - given) / given;
    worst = off > worst ? off : worst;
  }
  // Rounding alone: some 1e5 steps of 36 springs, each solved to 1e-13.
  check_below(worst, 1e-10);
  const htz_network_counters* n = htz_network_count(r.net);
  assert_int_equal(n->unconverged, 0);
  check_below((double)n->sweeps / (double)n->steps, 4.0); // a spring moves its bars little in a step: two or three rounds
  // What the parts have is what the whole has.
  double parts = 0.0;
  for (size_t i = 0; i < BARS; ++i) {
    parts += htz_network_energy(r.part[i]);
  }
  double springs = 0.0;
  for (size_t i = 0; i + 1 < BARS; ++i) {
    springs += htz_network_account(r.net, BARS + i)->stored;
  }
  check_near(parts + springs, given, 1e-10 * given);
  // And it has gone from bar to bar: the one next to a struck one moves.
  htz_body* next = htz_modal_body(r.bar[8]);
  check_above(next->cls->energy(next), 1e-6 * given);
  htz_arena_free(&r.arena);
}

/** As above after a stroke on `i` and one on `j`, with whatever else is there. @return the greatest error of the energy, relative */
static double energy_error(rig* r, size_t i, size_t j, size_t samples) {
  throw_hammer(r, i, 2.0);
  throw_hammer(r, j, 3.0);
  const double given = 0.5 * 0.03 * (4.0 + 9.0);
  double worst = 0.0;
  for (size_t k = 0; k < samples; ++k) {
    htz_network_step(r->net);
    const double off = fabs(htz_network_energy(r->net) - given) / given;
    worst = off > worst ? off : worst;
  }
  return worst;
}

/** Bars that are screwed to each other, others on linear springs or with a stop between them: nothing is lost in any of it. */
static void joins_and_contacts_beside_springs_keep_the_energy(void** state) {
  (void)state;
  rig r;
  htz_join_desc joins[8];
  htz_contact_desc stops[8];
  make_bars(&r, BARS);
  for (uint32_t i = 0; i < 8; ++i) {
    joins[i] = (htz_join_desc){
        .body_a = 2 * i + BAR, .body_b = 2 * (i + 8) + BAR, .stiffness = 5e4, .rigid = i % 2 == 0, .enabled = true};
    stops[i] = (htz_contact_desc){.law = {.cls = &htz_law_hunt_crossley, .p = {1e6, 1.3, 0.0}},
                                  .body_a = 2 * i + BAR,
                                  .point_a = 1,
                                  .body_b = 2 * (i + 20) + BAR,
                                  .point_b = 2,
                                  .direction = i % 3 ? 1.0 : -1.0,
                                  .gap = 1e-6,
                                  .enabled = true};
  }
  unite(&r, BARS, 2e3, 1e11, 8, stops, 8, joins);
  // Eight contacts at once, many of which open and close in a millisecond: what is left is what each of their solves leaves.
  check_below(energy_error(&r, 3, 12, SECOND / 4), 1e-9);
  const htz_network_counters* n = htz_network_count(r.net);
  assert_int_equal(n->unconverged, 0);
  check_above((double)n->closures, 50.0);
  for (size_t i = 0; i < 8; ++i) {
    check_above(fabs(htz_network_join(r.net, i)->force), 0.0);
  }
  htz_arena_free(&r.arena);
}

/** Springs so stiff, two on every bar, that each alone is a bad guess of what all do: they hold, and nothing is lost. */
static void springs_too_stiff_to_be_solved_in_turn_hold(void** state) {
  (void)state;
  rig r;
  start(&r, 5e9, 0.0);
  check_below(energy_error(&r, 7, 30, SECOND / 20), 1e-9);
  assert_int_equal(htz_network_count(r.net)->unconverged, 0);
  for (size_t i = 0; i + 1 < BARS; ++i) {
    // The force of a stroke, 1e3 N at most, on 5e9 N/m.
    check_below(fabs(htz_network_account(r.net, BARS + i)->eta), 1e-6);
  }
  htz_arena_free(&r.arena);
}

/** The same few bars among many that sleep, solved side by side, and alone, solved as few contacts are. */
static void many_move_as_few_do(void** state) {
  (void)state;
  enum { FEW = 6 };
  rig many, few;
  start(&many, 2e3, 1e12);
  make_bars(&few, FEW);
  unite(&few, FEW, 2e3, 1e12, 0, NULL, 0, NULL);
  for (size_t i = FEW; i < BARS; ++i) {
    htz_network_wake(many.part[i], BAR, false);
  }
  rig* const both[2] = {&many, &few};
  for (size_t b = 0; b < 2; ++b) {
    htz_network_set_coarse(both[b]->net, 0, 8.0);
    check_below(energy_error(both[b], 1, 4, SECOND / 10), 1e-10);
  }
  for (size_t i = 0; i < FEW; ++i) {
    const htz_body *a = htz_modal_body(many.bar[i]), *b = htz_modal_body(few.bar[i]);
    // Both are the same equations solved to rounding, which a tenth of a second of stiffening springs makes greater.
    check_close(a->cls->displacement(a, 0), b->cls->displacement(b, 0), 1e-7);
  }
  htz_arena_free(&many.arena);
  htz_arena_free(&few.arena);
}

static void a_part_that_sleeps_stands_still(void** state) {
  (void)state;
  rig r;
  start(&r, 2e3, 0.0);
  for (size_t i = 10; i < BARS; ++i) {
    htz_network_wake(r.part[i], BAR, false);
  }
  throw_hammer(&r, 7, 2.0);
  for (size_t i = 0; i < SECOND / 10; ++i) {
    htz_network_step(r.net);
  }
  htz_body *awake = htz_modal_body(r.bar[9]), *asleep = htz_modal_body(r.bar[10]);
  check_above(awake->cls->energy(awake), 0.0);
  assert_true(asleep->cls->energy(asleep) == 0.0);
  assert_true(htz_network_count(r.part[7])->samples == 0); // the whole counts
  assert_int_equal(htz_network_account(r.part[7], 0)->closures, 1);
  assert_int_equal(htz_network_account(r.part[8], 0)->closures, 0);
  htz_arena_free(&r.arena);
}

/** A part and joins of the whole: one mass on a spring to the mass of another network. */
static void joins_of_the_whole_hold(void** state) {
  (void)state;
  htz_arena arena;
  htz_body *a, *b;
  htz_network *one, *two, *net;
  assert_int_equal(htz_arena_init(&arena, (size_t)1 << 20), HTZ_OK);
  assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 2e-3}, rate_hz, &arena, &a), HTZ_OK);
  assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 5e-3}, rate_hz, &arena, &b), HTZ_OK);
  assert_int_equal(htz_network_new(1, &a, 0, NULL, rate_hz, &arena, &one), HTZ_OK);
  assert_int_equal(htz_network_new(1, &b, 0, NULL, rate_hz, &arena, &two), HTZ_OK);
  htz_network* const parts[] = {one, two};
  const double k = 4e4;
  const htz_join_desc join = {.body_a = 0, .body_b = 1, .stiffness = k, .enabled = true};
  assert_int_equal(htz_network_unite(2, parts, 0, NULL, 0, NULL, 1, &join, rate_hz, &arena, &net), HTZ_OK);
  htz_network* const again[] = {one};
  assert_int_equal(htz_network_unite(1, again, 0, NULL, 0, NULL, 0, NULL, rate_hz, &arena, &two), HTZ_BAD_VALUE);
  a->cls->set_motion(a, 0.0, 1.0);
  // Their distance swings at sqrt(k/m), m the reduced mass; by the trapezoid rule of one step at 2 atan(omega T/2)/T.
  const double m = 2e-3 * 5e-3 / 7e-3;
  const double omega = 2.0 * atan(0.5 * sqrt(k / m) / rate_hz) * rate_hz;
  size_t turns = 0;
  double before = 0.0, first = 0.0, last = 0.0;
  for (size_t i = 1; i <= SECOND; ++i) {
    htz_network_step(net);
    const double apart = a->cls->displacement(a, 0) - b->cls->displacement(b, 0);
    if (before < 0.0 && apart >= 0.0) {
      last = (double)i - apart / (apart - before);
      first = turns++ == 0 ? last : first;
    }
    before = apart;
  }
  check_close(2.0 * pi * (double)(turns - 1) * rate_hz / (last - first), omega, 1e-4);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_springs_keep_the_energy),
      cmocka_unit_test(joins_and_contacts_beside_springs_keep_the_energy),
      cmocka_unit_test(springs_too_stiff_to_be_solved_in_turn_hold),
      cmocka_unit_test(many_move_as_few_do),
      cmocka_unit_test(a_part_that_sleeps_stands_still),
      cmocka_unit_test(joins_of_the_whole_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
