// Mallets that stay: balls that bounce until they lie, balls that roll, hammers driven by a signal.
#include "check.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/contact/network.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 44100.0;
static const double earth = 9.81;
static const double ledger_limit = 1e-10; // of all the energy that went in

typedef struct {
  htz_arena arena;
  htz_modes modes;
  htz_modal* bar;
  htz_island* island;
  htz_influence influence;
  double value[1 + HTZ_STAY_FIELDS]; // by which a player moves what acts on the mallet; 0 is none
  float heard[HTZ_QUANTUM];
  float drive[HTZ_QUANTUM];
} rig;

/** A 0.3 kg bar of 262 Hz, lossless or not, with one mallet that stays. */
static void build(rig* r, const htz_stay* stay, bool lossy) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, 1 << 20), HTZ_OK);
  const htz_bar_desc bar = {.ends = HTZ_BAR_FREE,
                            .mass = 0.3,
                            .tuning_hz = 262.0,
                            .support_hz = 40.0,
                            .support_loss = lossy ? 20.0 : 0.0,
                            .loss = {.loss0 = lossy ? 2.0 : 0.0}};
  assert_int_equal(htz_modes_bar(&bar, 16000.0, 12, &r->arena, &r->modes, NULL), HTZ_OK);
  if (!lossy) {
    memset(r->modes.sigma, 0, r->modes.n * sizeof r->modes.sigma[0]);
  }
  assert_int_equal(htz_modal_new(&r->modes, 1, 1, rate_hz, htz_kernels_select(), &r->arena, &r->bar), HTZ_OK);
  htz_modal_listen(r->bar, 0, HTZ_HEAR_VELOCITY, 0.4, 1.0);
  htz_stay moved = *stay;
  for (uint16_t f = 0; f < HTZ_STAY_FIELDS; ++f) {
    moved.control[f].kind = (uint16_t)(1 + f);
  }
  const htz_modal_island_desc desc = {
      .stay = moved, .n_bodies = 1, .n_struck = 1, .bodies = {r->bar}, .n_outputs = 1, .n_lines = 1, .n_mallets = 1};
  assert_int_equal(htz_modal_island_new(&desc, rate_hz, &r->arena, &r->island), HTZ_OK);
  r->value[1 + HTZ_STAY_GRAVITY] = earth;
  r->value[1 + HTZ_STAY_GAIN] = 1.0;
  r->value[1 + HTZ_STAY_SPEED] = 1.0;
  r->influence = (htz_influence){.value = r->value, .held = true};
}

static void advance(rig* r, uint32_t piece) {
  for (uint32_t at = 0; at < HTZ_QUANTUM; at += piece) {
    float* lines[HTZ_ISLAND_PICKUPS_MAX] = {r->heard + at};
    htz_influence now = r->influence;
    now.drive = now.drive ? now.drive + at : NULL;
    r->island->cls->influence(r->island, &now);
    r->island->cls->advance(r->island, piece, lines);
  }
}

static double energy_of(const rig* r) {
  double loudness = 0.0;
  return r->island->cls->energy(r->island, &loudness);
}

static const htz_strike ball = {
    .speed = 0.5, .mass = 5e-3, .stiffness = 5e9, .exponent = 1.5, .viscosity = 0.15, .at = 0.45, .travel = 0.4};

static void throw_ball(rig* r) {
  r->island->cls->influence(r->island, &r->influence);
  r->island->cls->strike(r->island, &ball);
}

/** Explicit schemes chatter for ever here. A 10 g ball on a wall, over a minute. */
static void ball_on_a_wall_comes_to_rest(void** state) {
  (void)state;
  const double stiffness = 1e7, exponent = 1.1, mass = 0.01, near = 1e-8;
  const long second = (long)rate_hz;
  htz_arena arena;
  htz_body* bodies[2];
  htz_network* net;
  assert_int_equal(htz_arena_init(&arena, 1 << 18), HTZ_OK);
  const htz_mass_desc desc = {.mass = mass, .gravity = earth};
  assert_int_equal(htz_mass_new(&desc, rate_hz, &arena, &bodies[0]), HTZ_OK);
  assert_int_equal(htz_barrier_new(&arena, &bodies[1]), HTZ_OK);
  const htz_contact_desc contact = {
      .law = {&htz_law_hunt_crossley, {stiffness, exponent, 0.1}}, .body_b = 1, .direction = 1.0, .enabled = true};
  bodies[0]->cls->set_motion(bodies[0], 0.0, 0.3);
  assert_int_equal(htz_network_new(2, bodies, 1, &contact, rate_hz, &arena, &net), HTZ_OK);
  htz_network_audit audit = {0};
  htz_network_set_audit(net, &audit);
  const double rest = pow(mass * earth / stiffness, 1.0 / exponent);
  double worst = 0.0;
  for (long i = 0; i < 60 * second; ++i) {
    htz_network_step(net);
    const double off = fabs(htz_network_account(net, 0)->eta - rest);
    worst = i >= 59 * second && off > worst ? off : worst;
  }
  print_message("in the 60th second within %.2g of the static compression %.4g m\n", worst / rest, rest);
  check_below(worst / rest, near);
  // No step gains more than the rounding of the energies it started with, 4.5e-4 J.
  check_below(audit.rise_max, 1e-14 * 4.5e-4);
  htz_arena_free(&arena);
}

/** On a lossy bar: energy never rises, the ball comes to lie where statics says, and what is left can be told. */
static void ball_on_a_bar_comes_to_rest(void** state) {
  (void)state;
  const htz_stay stay = {.given = true};
  rig r;
  build(&r, &stay, true);
  throw_ball(&r);
  double before = HUGE_VAL, rise = 0.0, q = 0.0, v = 0.0;
  const double start = 0.5 * ball.mass * ball.speed * ball.speed;
  htz_stay_account account = {.excess = HUGE_VAL};
  int quanta = 0;
  const int patience = (int)(30.0 * rate_hz / HTZ_QUANTUM);
  for (; quanta < patience && !(account.excess < 1e-12 * start); ++quanta) {
    advance(&r, HTZ_QUANTUM);
    const double now = energy_of(&r);
    rise = now - before > rise ? now - before : rise;
    before = now;
    account = htz_modal_island_stay(r.island);
  }
  assert_true(quanta < patience);
  check_below(rise, 1e-14 * start); // rounding of a sum of two dozen energies
  assert_true(htz_modal_island_mallet(r.island, 0, &q, &v));
  const double weight = ball.mass * earth, squeezed = pow(weight / ball.stiffness, 1.0 / ball.exponent);
  const double given = htz_modal_static_compliance(r.bar, 0, 0);
  const double soft = given + squeezed / (ball.exponent * weight); // of bar and contact, about the rest position
  check_near(q, given * weight + squeezed, sqrt(2.0 * account.excess * soft));
  assert_false(r.island->cls->busy(r.island));
  const htz_island_counters count = r.island->cls->count(r.island);
  print_message("lies after %.2f s and %llu contacts; bounds %llu\n", quanta * HTZ_QUANTUM / rate_hz,
                (unsigned long long)count.closures, (unsigned long long)count.bounds);
  assert_int_equal(count.bounds, 0);
  htz_arena_free(&r.arena);
}

/** Flights by the quantum are those sample by sample. */
static void flights_by_quantum_are_the_same(void** state) {
  (void)state;
  const htz_stay stay = {.given = true};
  const uint64_t bounces = 4; // each multiplies a difference by about ten
  rig a, b;
  build(&a, &stay, true);
  build(&b, &stay, true);
  throw_ball(&a);
  throw_ball(&b);
  const int patience = (int)(2.0 * rate_hz / HTZ_QUANTUM);
  for (int i = 0; i < patience && a.island->cls->count(a.island).closures < bounces; ++i) {
    advance(&a, HTZ_QUANTUM);
    advance(&b, HTZ_QUANTUM / 4);
  }
  double qa, va, qb, vb;
  assert_true(htz_modal_island_mallet(a.island, 0, &qa, &va));
  assert_true(htz_modal_island_mallet(b.island, 0, &qb, &vb));
  assert_true(a.island->cls->count(a.island).closures >= bounces);
  assert_int_equal(a.island->cls->count(a.island).closures, b.island->cls->count(b.island).closures);
  check_near(va, vb, 1e-7 * ball.speed);
  check_near(qa, qb, 1e-7 * 0.01);
  htz_arena_free(&a.arena);
  htz_arena_free(&b.arena);
}

/** Lossless bar: what it all holds is what was brought, less what contacts lost. */
static void check_ledger(rig* r, double seconds, const char* what) {
  double external_work = 0.5 * ball.mass * ball.speed * ball.speed, worst = 0.0, most = external_work;
  const double start = external_work;
  for (int i = 0; i < (int)(seconds * rate_hz / HTZ_QUANTUM); ++i) {
    advance(r, HTZ_QUANTUM);
    const htz_stay_account a = htz_modal_island_stay(r->island);
    external_work = start + a.work + a.contacts;
    most = fabs(external_work) > most ? fabs(external_work) : most;
    const double off = fabs(energy_of(r) + a.lost - external_work);
    worst = off > worst ? off : worst;
  }
  const htz_island_counters count = r->island->cls->count(r->island);
  print_message("%s: ledger within %.2g of %.3g J over %llu contacts\n", what, worst / most, most,
                (unsigned long long)count.closures);
  assert_true(count.closures > 20);
  check_below(worst / most, ledger_limit);
}

static void driven_hammer_ledger(void** state) {
  (void)state;
  // The arm without damping: its loss is in no account.
  const htz_stay stay = {.given = true, .spring_hz = 12.0};
  rig r;
  build(&r, &stay, false);
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    r.drive[i] = (float)sin(6.283185307179586 * 3.0 * (double)i / HTZ_QUANTUM) + 0.2f;
  }
  r.value[1 + HTZ_STAY_HEIGHT] = 2e-4;
  r.value[1 + HTZ_STAY_GAIN] = 5.0;
  r.influence.drive = r.drive;
  throw_ball(&r);
  check_ledger(&r, 1.0, "driven hammer");
  r.value[1 + HTZ_STAY_GRAVITY] = 1.62; // and with everything changed on the way
  r.value[1 + HTZ_STAY_GAIN] = 20.0;
  r.value[1 + HTZ_STAY_HEIGHT] = -1e-4;
  check_ledger(&r, 1.0, "driven hammer, changed");
  htz_arena_free(&r.arena);
}

static void rolling_ball_ledger(void** state) {
  (void)state;
  const htz_stay stay = {.given = true, .rolls = true, .grain = 1e-3, .radius = 8e-3, .friction = 0.05, .seed = 60};
  rig r;
  build(&r, &stay, false);
  r.value[1 + HTZ_STAY_ROUGHNESS] = 3e-6;
  r.value[1 + HTZ_STAY_ASYMMETRY] = 0.05;
  throw_ball(&r);
  check_ledger(&r, 1.0, "rolling ball");
  r.value[1 + HTZ_STAY_ROUGHNESS] = 1e-5;
  r.value[1 + HTZ_STAY_SPEED] = 2.0;
  check_ledger(&r, 1.0, "rolling ball, faster and rougher");
  htz_arena_free(&r.arena);
}

/** Force of the signal, constant over each sample: a hammer far from the bar moves as the closed form says. */
static void force_is_held_over_each_sample(void** state) {
  (void)state;
  const htz_stay stay = {.given = true, .spring_hz = 0.1};
  const double force = -0.25, period = 1.0 / rate_hz;
  rig r;
  build(&r, &stay, true);
  r.value[1 + HTZ_STAY_GRAVITY] = 0.0;
  r.influence.drive = r.drive;
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    r.drive[i] = i == 10 ? (float)force : 0.0f; // one sample, away from the bar
  }
  htz_strike still = ball;
  still.speed = 1e-9;
  r.island->cls->influence(r.island, &r.influence);
  r.island->cls->strike(r.island, &still);
  advance(&r, HTZ_QUANTUM);
  double q, v;
  assert_true(htz_modal_island_mallet(r.island, 0, &q, &v));
  // The arm's pitch is 1e-4 of a turn in a quantum: it takes away less than its square.
  check_close(v, force * period / ball.mass, 1e-5);
  check_close(q, v * period * (HTZ_QUANTUM - 10.5), 1e-5);
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_on_a_wall_comes_to_rest),
      cmocka_unit_test(ball_on_a_bar_comes_to_rest),
      cmocka_unit_test(flights_by_quantum_are_the_same),
      cmocka_unit_test(driven_hammer_ledger),
      cmocka_unit_test(rolling_ball_ledger),
      cmocka_unit_test(force_is_held_over_each_sample),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
