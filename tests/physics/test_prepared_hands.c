// What is fixed to strings, lies on them or is driven, moved while it sounds: by how much and how fast.
#include "prepared_rig.h"

static const double pi = 3.14159265358979323846;

enum { RATTLE_CONTACT = STRINGS, SCREW_POINT = 1 };

static const htz_loose_desc out_of_reach = {
    .mass = 0.6e-3, .gap = 5e-3, .at = 0.6, .at_y = NAN, .spring_hz = 6.0, .stiffness = 2e7, .exponent = 1.5};

static void strike(rig* r, double speed) {
  htz_strike blow = hammer;
  blow.speed = speed;
  r->island->cls->strike(r->island, &blow);
}

static double seconds(size_t quanta) {
  return (double)(quanta * HTZ_QUANTUM) / rate_hz;
}

/** The gap of a rattle that hovers out of reach goes to where it is wanted with a time constant of 20 ms. */
static void a_moved_gap_glides(void** state) {
  static const double from = 5e-3, to = 3e-3;
  const things prepared = {.rattle = out_of_reach};
  rig r;
  (void)state;
  build(&r, 0.8, &prepared);
  strike(&r, 0.05); // the strings move by less than 0.1 mm
  run(&r, 20, NULL);
  r.value[RATTLE_GAP] = to;
  for (size_t q = 1; q <= 60; ++q) {
    run(&r, 1, NULL);
    const htz_contact_account* nut = htz_network_account(htz_modal_island_network(r.island), RATTLE_CONTACT);
    check_near(nut->eta, -(to + (from - to) * exp(-seconds(q) / 0.02)), 1e-4);
  }
  assert_int_equal(htz_modal_island_prepared(r.island).closures, 0);
  htz_arena_free(&r.arena);
}

/** Strings that a screw joins move as one where it sticks. */
static void a_screw_joins_the_strings(void** state) {
  const things prepared = {.screw = {.mass = 1.5e-3, .at = 0.23}};
  rig r;
  double apart = 0.0, both = 0.0;
  (void)state;
  build(&r, 0.8, &prepared);
  strike(&r, 1.0);
  run(&r, SECOND / 2, NULL);
  for (int q = 0; q < 100; ++q) {
    run(&r, 1, NULL);
    double v[STRINGS];
    for (size_t b = 0; b < STRINGS; ++b) {
      const htz_body* body = htz_modal_body(r.desc.bodies[b]);
      v[b] = body->cls->velocity(body, SCREW_POINT);
    }
    apart += (v[0] - v[1]) * (v[0] - v[1]);
    both += v[0] * v[0] + v[1] * v[1];
  }
  print_message("speeds apart by %.1e of their size\n", sqrt(apart / both));
  check_below(apart, 1e-4 * both);
  htz_arena_free(&r.arena);
}

/** A screw is moved by 0.0004 of the length every 16 samples, and grows and goes by a hundredth of what the file says. */
static void a_screw_moves_step_by_step(void** state) {
  static const double from = 0.23, step = 4e-4;
  const things prepared = {.screw = {.mass = 1.5e-3, .at = from}};
  rig r;
  (void)state;
  build(&r, 0.8, &prepared);
  strike(&r, 1.0);
  run(&r, 40, NULL);
  const double shape = htz_modal_phi(r.desc.bodies[0], SCREW_POINT)[0] / sin(pi * from);
  r.value[SCREW_AT] = 0.33;
  for (size_t q = 1; q <= 80; ++q) {
    run(&r, 1, NULL);
    const double at = from + 4.0 * step * (double)q;
    check_close(htz_modal_phi(r.desc.bodies[0], SCREW_POINT)[0], shape * sin(pi * (at < 0.33 ? at : 0.33)), 1e-9);
  }
  // A hundred steps: until then it holds on to the strings, with a force that follows them; gone, it has the last one still.
  r.value[SCREW_MASS] = 0.0;
  const htz_join_account* join = htz_network_join(htz_modal_island_network(r.island), 0);
  for (size_t q = 1; q <= 27; ++q) {
    const double before = join->force;
    run(&r, 1, NULL);
    assert_true(q > 24 || join->force != before);
    assert_true(q <= 26 || join->force == before);
  }
  htz_arena_free(&r.arena);
}

/** A rubber or a rattle that is moved along goes as a screw does. */
static void others_move_step_by_step(void** state) {
  static const double from = 0.4, to = 0.3, step = 4e-4;
  things prepared = {.rattle = out_of_reach, .rubber = {.stiffness = 0.0, .damping = 0.002, .at = from}};
  const size_t points[] = {2, 1};
  (void)state;
  prepared.rattle.at = from;
  for (size_t i = 0; i < 2; ++i) {
    rig r;
    build(&r, 0.8, &prepared);
    strike(&r, 1.0);
    run(&r, 40, NULL);
    const double shape = htz_modal_phi(r.desc.bodies[0], points[i])[0] / sin(pi * from);
    *(i ? &r.value[RATTLE_AT] : &r.value[RUBBER_AT]) = to;
    for (size_t q = 1; q <= 80; ++q) {
      run(&r, 1, NULL);
      const double at = from - 4.0 * step * (double)q;
      check_close(htz_modal_phi(r.desc.bodies[0], points[i])[0], shape * sin(pi * (at > to ? at : to)), 1e-9);
    }
    htz_arena_free(&r.arena);
  }
}

/** A rubber that was moved gives way until it rests where it is now: it does not hold the strings where they were then. */
static void a_moved_rubber_comes_to_rest(void** state) {
  const things prepared = {.rubber = {.stiffness = 3e3, .damping = 0.1, .at = 0.4}};
  rig r;
  (void)state;
  build(&r, 8.0, &prepared);
  strike(&r, 3.0);
  run(&r, 10, NULL);
  r.value[RUBBER_AT] = 0.3;
  run(&r, 4 * SECOND, NULL); // strings of 8 1/s are at rest
  for (size_t b = 0; b < STRINGS; ++b) {
    check_below(htz_network_join(htz_modal_island_network(r.island), b)->stored, 1e-12);
  }
  check_below(energy(&r), 1e-12);
  htz_arena_free(&r.arena);
}

/** Made heavier in flight, a rattle keeps its speed, and its energy goes with its mass. */
static void a_rattle_has_the_weight_it_is_given(void** state) {
  static const double times = 3.0;
  const double omega = 2.0 * pi * out_of_reach.spring_hz;
  things prepared = {.rattle = out_of_reach};
  rig r;
  double q, v;
  (void)state;
  prepared.rattle.gap = 5e-5;
  build(&r, 0.8, &prepared);
  strike(&r, 3.0);
  do {
    run(&r, 1, NULL);
    assert_true(htz_modal_island_loose(r.island, 0, &q, &v));
  } while (fabs(v) < 1e-3);
  const double own = 0.5 * out_of_reach.mass * (v * v + omega * omega * q * q), before = energy(&r);
  r.value[RATTLE_MASS] = times;
  r.island->cls->influence(r.island, &r.influence);
  check_near(energy(&r) - before, (times - 1.0) * own, 1e-9 * before);
  check_above(own, 1e-6 * before);
  htz_arena_free(&r.arena);
}

/** A rattle that is set down on strings that swing beyond its gap just touches them: it is not pressed into them, and kicks nothing. */
static void a_rattle_is_set_down_outside(void** state) {
  enum { TIMES = 60 };
  things prepared = {.rattle = out_of_reach};
  (void)state;
  prepared.rattle.gap = 1e-5;
  prepared.rattle.stiffness = 1e10;
  unsigned beyond = 0;
  double most = 0.0, later = 0.0;
  for (unsigned n = 0; n < TIMES; ++n) {
    rig r;
    build(&r, 0.5, &prepared);
    r.value[RATTLE_MASS] = 0.0;
    run(&r, 1, NULL);
    strike(&r, 3.0);
    run(&r, 30 + n, NULL);
    const htz_body* string = htz_modal_body(htz_modal_island_body(r.island, 0));
    const double before = energy(&r);
    beyond += string->cls->displacement(string, 1) > prepared.rattle.gap; // where the rattle is put, beside the hammer's point
    r.value[RATTLE_MASS] = 1.0;
    r.island->cls->influence(r.island, &r.influence);
    most = fmax(most, fabs(energy(&r) - before) / before);
    run(&r, 1, NULL);
    later = fmax(later, energy(&r) / before - 1.0);
    htz_arena_free(&r.arena);
  }
  print_message("set down %u times, %u of them on strings beyond the gap: %.2g of the energy at most, %.2g when the gap has "
                "begun to close\n",
                TIMES, beyond, most, later);
  assert_true(beyond > TIMES / 6);
  check_below(most, 1e-9);
  check_below(later, 1e-3); // the gap that glides back pushes it
}

/** Twice the rubber is twice the loss, where that is small; none is none. */
static void a_rubber_has_the_loss_it_is_given(void** state) {
  const things prepared = {.rubber = {.stiffness = 0.0, .damping = 0.002, .at = 0.4}};
  double rate[3];
  (void)state;
  for (int i = 0; i < 3; ++i) {
    rig r;
    build(&r, 0.5, &prepared);
    r.value[RUBBER_LOSS] = (double)i;
    run(&r, 1, NULL);
    strike(&r, 1.0);
    run(&r, 100, NULL);
    const double before = energy(&r);
    run(&r, 40, NULL);
    rate[i] = 0.5 * log(before / energy(&r)) / seconds(40);
    htz_arena_free(&r.arena);
  }
  print_message("decay %.3f, %.3f, %.3f 1/s\n", rate[0], rate[1], rate[2]);
  check_above(rate[0], 0.5); // the strings' own
  check_above(rate[1] - rate[0], 0.1);
  check_close(rate[2] - rate[0], 2.0 * (rate[1] - rate[0]), 0.05);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moved_gap_glides),           cmocka_unit_test(a_screw_joins_the_strings),
      cmocka_unit_test(a_screw_moves_step_by_step),   cmocka_unit_test(others_move_step_by_step),
      cmocka_unit_test(a_moved_rubber_comes_to_rest), cmocka_unit_test(a_rattle_has_the_weight_it_is_given),
      cmocka_unit_test(a_rattle_is_set_down_outside), cmocka_unit_test(a_rubber_has_the_loss_it_is_given)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
