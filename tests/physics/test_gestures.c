// Gestures side by side on one unison: what mallets that stay, felt, rattles, screws and rubbers bring and take is accounted for.
#include "prepared_rig.h"

static const double earth = 9.81;

// Of all the energy that went in: what rounding makes of some 10^5 steps with a dozen energies each.
static const double ledger_limit = 1e-10;

static const htz_strike ball = {
    .speed = 0.8, .mass = 8e-3, .stiffness = 4e9, .exponent = 2.5, .viscosity = 0.1, .at = 0.12, .at_y = NAN};

static const things all_kinds = {.rattle = {.mass = 0.6e-3,
                                            .gap = 2e-5,
                                            .at = 0.6,
                                            .at_y = NAN,
                                            .spring_hz = 20.0,
                                            .damping = 0.0,
                                            .stiffness = 2e7,
                                            .exponent = 1.5},
                                 .screw = {.mass = 1.5e-3, .at = 0.23},
                                 .rubber = {.stiffness = 3e3, .damping = 0.02, .at = 0.4}};

typedef struct {
  htz_stay stay;
  const things* prepared;
  htz_strike strike;
  uint32_t pool;
  bool driven;
} combination;

static htz_strike felted(htz_strike s) {
  s.viscosity = 0.0;
  s.hysteresis = 0.3;
  s.relaxation = 1e-4;
  return s;
}

static htz_strike rolling(htz_strike s) {
  s.speed = 0.02;
  s.travel = 0.4;
  return s;
}

/** Energy held, plus lost, is energy brought, at every quantum; and it is not much. */
static void ledger_closes(const char* name, const combination* c) {
  const things none = {.rattle = {.mass = 0.0}};
  rig r;
  float drive[HTZ_QUANTUM];
  build_with(&r, 0.0, c->prepared ? c->prepared : &none, &c->stay, c->pool);
  r.value[STAY + HTZ_STAY_GRAVITY] = earth;
  r.value[STAY + HTZ_STAY_HEIGHT] = 2e-4;
  r.value[STAY + HTZ_STAY_GAIN] = 2.0;
  r.value[STAY + HTZ_STAY_SPEED] = 1.0;
  r.value[STAY + HTZ_STAY_ROUGHNESS] = c->stay.rolls ? 2e-6 : 0.0;
  r.influence.held = true;
  run(&r, 1, NULL);
  htz_prepared_account a = htz_modal_island_prepared(r.island);
  double given = energy(&r) + a.lost - a.work, worst = 0.0, most = 0.0;
  for (size_t q = 0; q < SECOND; ++q) {
    if (q % 200 == 0 && q < 200 * c->pool) {
      const double before = energy(&r) - htz_modal_island_prepared(r.island).work;
      r.island->cls->strike(r.island, &c->strike);
      given += energy(&r) - htz_modal_island_prepared(r.island).work - before;
    }
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      drive[i] = c->driven ? (float)sin(0.011 * (double)(q * HTZ_QUANTUM + i)) : 0.0f;
    }
    r.influence.drive = c->driven ? drive : NULL;
    run(&r, 1, NULL);
    a = htz_modal_island_prepared(r.island);
    const double off = fabs(energy(&r) + a.lost - a.work - given);
    worst = off > worst ? off : worst;
    most = energy(&r) + a.lost > most ? energy(&r) + a.lost : most;
  }
  const htz_island_counters count = r.island->cls->count(r.island);
  print_message("%s: ledger within %.1e of %.1e J, %llu closures\n", name, worst, most, (unsigned long long)count.closures);
  check_below(worst, ledger_limit * most);
  assert_true(count.closures > 20);
  assert_int_equal(count.reused, 0);
  htz_arena_free(&r.arena);
}

static void ledgers_close(void** state) {
  const htz_stay falls = {.given = true};
  const htz_stay rolls = {.given = true, .rolls = true, .grain = 1e-3, .radius = 8e-3, .friction = 0.03, .seed = 3};
  const htz_stay hangs = {.given = true, .spring_hz = 12.0, .damping = 0.0};
  htz_stay both = rolls;
  (void)state;
  both.spring_hz = 12.0;
  const struct {
    const char* name;
    combination of;
  } cases[] = {
      {"ball on a unison", {falls, NULL, ball, 1, false}},
      {"felted ball on a unison", {falls, NULL, felted(ball), 1, false}},
      {"ball rolling on a unison", {rolls, NULL, rolling(ball), 1, false}},
      {"hammer driven on a unison", {hangs, NULL, ball, 1, true}},
      {"hammers driven, a pool of them", {hangs, NULL, ball, 3, true}},
      {"driven and rolling", {both, NULL, rolling(ball), 1, true}},
      {"ball beside screw, rubber and rattle", {falls, &all_kinds, ball, 1, false}},
      {"felted hammer driven beside them", {hangs, &all_kinds, felted(ball), 2, true}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ledger_closes(cases[i].name, &cases[i].of);
  }
}

/** On strings with losses a ball comes to lie on all of them, pressed as statics says, and nothing is left to hear. */
static void a_ball_lies_on_a_unison(void** state) {
  const htz_stay falls = {.given = true};
  rig r;
  double loudness = 1.0, q, v;
  int quanta = 0;
  (void)state;
  things damped = all_kinds;
  damped.rattle.damping = 0.2;
  damped.rattle.viscosity = 0.2;
  build_with(&r, 8.0, &damped, &falls, 1);
  r.value[STAY + HTZ_STAY_GRAVITY] = earth;
  r.influence.held = true;
  run(&r, 1, NULL);
  htz_strike soft = ball;
  soft.viscosity = 5.0; // else it swings on its own felt for a minute
  r.island->cls->strike(r.island, &soft);
  for (; quanta < 20 * SECOND && (r.island->cls->busy(r.island) || loudness > 1e-6); ++quanta) {
    run(&r, 1, NULL);
    r.island->cls->energy(r.island, &loudness);
  }
  print_message("lies after %.1f s, loudness %.1e\n", (double)quanta * HTZ_QUANTUM / rate_hz, loudness);
  assert_true(quanta < 20 * SECOND);
  assert_true(htz_modal_island_mallet(r.island, 0, &q, &v));
  double force = 0.0;
  for (size_t b = 0; b < STRINGS; ++b) {
    const htz_contact_account* a = htz_network_account(htz_modal_island_network(r.island), b);
    assert_true(a->eta > 0.0);
    force += a->force_mean;
  }
  check_close(force, ball.mass * earth, 1e-4); // what it swings with still is a millionth of a sound
  htz_arena_free(&r.arena);
}

/** Two things whose weight bends the same strings lie, from the start, where both together have them. */
static void weights_lie_still_together(void** state) {
  const htz_loose_desc heavy = {
      .mass = 5e-3, .at = 0.6, .at_y = NAN, .gravity = earth, .stiffness = 2e7, .exponent = 1.5, .viscosity = 0.1};
  things both = {.rattle = heavy, .bridge = heavy};
  rig r;
  double start[2], q, v, moved = 0.0;
  (void)state;
  both.bridge.at = 0.45;
  build(&r, 0.0, &both);
  for (uint32_t i = 0; i < 2; ++i) {
    htz_modal_island_loose(r.island, i, &start[i], &v);
  }
  for (size_t n = 0; n < SECOND / 4; ++n) {
    run(&r, 1, NULL);
    for (uint32_t i = 0; i < 2; ++i) {
      htz_modal_island_loose(r.island, i, &q, &v);
      moved = fabs(q - start[i]) > moved ? fabs(q - start[i]) : moved;
    }
  }
  const double bent = htz_modal_static_compliance(r.desc.bodies[0], 1, 2) * heavy.mass * earth / STRINGS;
  print_message("each bends the other's place by %.1e m; they move by %.1e m\n", bent, moved);
  check_above(bent, 1e-6);
  // The strings differ by 1e-3 in tension, and a mass presses them alike: it starts off by that share of how far they bend.
  check_below(moved, 1e-2 * bent);
  htz_arena_free(&r.arena);
}

/** Loose bridges are moved together: one that hovers higher than the first keeps that distance. */
static void bridges_keep_their_distance(void** state) {
  static const double first = 1e-4, more = 5e-5;
  const things above = {.bridge = {.mass = 1e-3,
                                   .gap = 3e-4,
                                   .gap_more = more,
                                   .at = 0.6,
                                   .at_y = NAN,
                                   .spring_hz = 10.0,
                                   .stiffness = 2e7,
                                   .exponent = 1.5}};
  rig r;
  (void)state;
  build(&r, 0.8, &above);
  r.value[BRIDGE_GAP] = first;
  run(&r, SECOND, NULL); // 50 time constants of the glide
  check_close(htz_network_account(htz_modal_island_network(r.island), STRINGS)->eta, -(first + more), 1e-9);
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ledgers_close), cmocka_unit_test(a_ball_lies_on_a_unison),
                                     cmocka_unit_test(weights_lie_still_together),
                                     cmocka_unit_test(bridges_keep_their_distance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
