// A mallet with a solver of its own: what the solver does is what is heard, and the body keeps what it was given.
#include "check.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/contact/solved.h"
#include "hertzian/contact/transition.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;

enum { BAR = 0, TUBE, QUANTA = 60 };

typedef struct {
  htz_arena arena;
  htz_modes modes[2];
  htz_modal_island_desc desc;
  htz_island* island;
} rig;

static const htz_strike strike = {.speed = 2.0, .mass = 0.03, .stiffness = 2e5, .exponent = 1.0, .viscosity = 0.1, .at = 0.42};

static void build(rig* r) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, 1 << 20), HTZ_OK);
  static const double hz[] = {220.0, 880.0, 2100.0}, sigma[] = {5.0, 9.0, 20.0}, mass[] = {0.1, 0.1, 0.1};
  static const double tube_hz[] = {220.0}, tube_sigma[] = {31.0}, tube_mass[] = {1.0};
  const htz_kernels* kernels = htz_kernels_select();
  assert_int_equal(htz_modes_list(3, hz, sigma, mass, 0, NULL, &r->arena, &r->modes[BAR]), HTZ_OK);
  assert_int_equal(htz_modes_list(1, tube_hz, tube_sigma, tube_mass, 0, NULL, &r->arena, &r->modes[TUBE]), HTZ_OK);
  assert_int_equal(htz_modal_new(&r->modes[BAR], 1, 2, rate_hz, kernels, &r->arena, &r->desc.bodies[BAR]), HTZ_OK);
  assert_int_equal(htz_modal_new(&r->modes[TUBE], 1, 1, rate_hz, kernels, &r->arena, &r->desc.bodies[TUBE]), HTZ_OK);
  htz_modal_listen(r->desc.bodies[BAR], 0, HTZ_HEAR_VELOCITY, 0.4, 0.05);
  htz_modal_listen(r->desc.bodies[BAR], 1, HTZ_HEAR_VELOCITY, 0.5, 62.0);
  htz_modal_listen(r->desc.bodies[TUBE], 0, HTZ_HEAR_VELOCITY, 0.5, 0.1);
  r->desc.n_bodies = 2;
  r->desc.n_struck = 1;
  r->desc.n_feeds = 1;
  r->desc.feeds[0] = (htz_feed){BAR, 1, TUBE, 0};
  r->desc.n_outputs = 2;
  r->desc.outputs[0] = (htz_output){BAR, 0, 0};
  r->desc.outputs[1] = (htz_output){TUBE, 0, 0};
  r->desc.n_lines = 1;
  r->desc.n_mallets = 1;
  const char* why = NULL;
  assert_int_equal(htz_solved_make(r->desc.bodies[BAR], r->modes[BAR].mass, &htz_transition_class, &strike, rate_hz, &r->arena,
                                   &r->desc.solver, &why),
                   HTZ_OK);
  assert_int_equal(htz_modal_island_new(&r->desc, rate_hz, &r->arena, &r->island), HTZ_OK);
}

static void run(htz_island* island, int quanta, uint32_t piece, float* out) {
  for (int q = 0; q < quanta; ++q) {
    for (uint32_t at = 0; at < HTZ_QUANTUM; at += piece) {
      float* lines[HTZ_ISLAND_PICKUPS_MAX] = {out + q * HTZ_QUANTUM + at};
      island->cls->advance(island, piece, lines);
    }
  }
}

/** In pieces of a quantum the body never runs by blocks; the difference is the rounding of single precision. */
static void pieces_do_not_matter(void** state) {
  (void)state;
  static float whole[QUANTA * HTZ_QUANTUM], pieces[QUANTA * HTZ_QUANTUM];
  rig a, b;
  build(&a);
  build(&b);
  a.island->cls->strike(a.island, &strike);
  b.island->cls->strike(b.island, &strike);
  run(a.island, QUANTA, HTZ_QUANTUM, whole);
  run(b.island, QUANTA, HTZ_QUANTUM / 4, pieces);
  double peak = 0.0, apart = 0.0;
  for (int i = 0; i < QUANTA * HTZ_QUANTUM; ++i) {
    peak = fmax(peak, fabs((double)whole[i]));
    apart = fmax(apart, fabs((double)whole[i] - (double)pieces[i]));
  }
  check_above(peak, 1e-3);
  check_below(apart, 1e-5 * peak);
  assert_false(a.island->cls->busy(a.island));
  assert_true(a.island->cls->count(a.island).closures >= 1);
  htz_arena_free(&a.arena);
  htz_arena_free(&b.arena);
}

/** The modes after the blow are those that the solver by itself leaves. */
static void the_solver_does_the_contact(void** state) {
  (void)state;
  rig r;
  build(&r);
  htz_arena arena;
  htz_arena_measure(&arena);
  htz_solver* alone = NULL;
  const char* why = NULL;
  assert_int_equal(htz_solver_new(&htz_transition_class, &r.desc.solver->system, rate_hz, &arena, &alone, &why), HTZ_OK);
  alone->cls->place(alone, 0.0, strike.speed);
  r.island->cls->strike(r.island, &strike);
  float out[1] = {0.0f};
  float* lines[HTZ_ISLAND_PICKUPS_MAX] = {out};
  int steps = 0;
  for (; r.island->cls->busy(r.island); ++steps) {
    r.island->cls->advance(r.island, 1, lines);
    alone->cls->step(alone, 0.0);
  }
  check_above(steps, 50.0);
  for (size_t k = 0; k < 3; ++k) {
    check_close(htz_modal_q(r.desc.bodies[BAR])[k], alone->q[k], 1e-12);
    check_close(htz_modal_v(r.desc.bodies[BAR])[k], alone->p[k], 1e-12);
  }
  htz_arena_free(&arena);
  htz_arena_free(&r.arena);
}

/** A bent body is handed over with the energy of each mode, both ways: from rest it ends with what the unbent one has. */
static void bends_keep_energy(void** state) {
  (void)state;
  double energy[2], loudness;
  for (int i = 0; i < 2; ++i) {
    rig r;
    build(&r);
    float out[1] = {0.0f};
    float* lines[HTZ_ISLAND_PICKUPS_MAX] = {out};
    r.island->cls->retune(r.island, i ? 1.5 : 1.0, 1.0);
    r.island->cls->strike(r.island, &strike);
    while (r.island->cls->busy(r.island)) {
      r.island->cls->advance(r.island, 1, lines);
    }
    energy[i] = r.island->cls->energy(r.island, &loudness);
    htz_arena_free(&r.arena);
  }
  check_above(energy[0], 0.0);
  check_close(energy[1], energy[0], 1e-12);
}

/** Once the hammer is gone nothing is louder than was said, and a damper takes energy as its rate says. */
static void loudness_is_a_bound(void** state) {
  (void)state;
  rig r;
  build(&r);
  float out[HTZ_QUANTUM];
  float* lines[HTZ_ISLAND_PICKUPS_MAX] = {out};
  r.island->cls->resonate(r.island, 0.0); // the bound says what is held, not what a tube is still to be given
  r.island->cls->strike(r.island, &strike);
  double loudness = 0.0, before = 0.0;
  for (int q = 0; q < 400; ++q) {
    memset(out, 0, sizeof out);
    const double energy = r.island->cls->energy(r.island, &loudness);
    const bool busy = r.island->cls->busy(r.island);
    r.island->cls->advance(r.island, HTZ_QUANTUM, lines);
    for (int i = 0; i < HTZ_QUANTUM && !busy && q > 0; ++i) {
      check_below(fabs((double)out[i]), loudness * 1.0001);
    }
    if (!busy && q > 0 && before > 0.0) {
      check_below(energy, before * (1.0 + 1e-12));
    }
    before = busy ? 0.0 : energy;
    if (q == 200) {
      r.island->cls->damp(r.island, 100.0);
    }
  }
  const double left = r.island->cls->energy(r.island, &loudness);
  // 200 quanta of 64 samples at 100/s and the modes' own 5/s at least: exp(-2 105 0.267).
  check_below(left, 0.5 * strike.mass * strike.speed * strike.speed * exp(-2.0 * 105.0 * 200.0 * HTZ_QUANTUM / rate_hz));
  r.island->cls->reset(r.island);
  assert_true(r.island->cls->energy(r.island, &loudness) == 0.0 && loudness == 0.0);
  htz_arena_free(&r.arena);
}

static void refuses_what_it_cannot_do(void** state) {
  (void)state;
  rig r;
  build(&r);
  htz_island* island = NULL;
  // What acts beside the one mallet would not be in the solver's contact.
  htz_modal_island_desc wrong = r.desc;
  wrong.n_mallets = 2;
  assert_int_equal(htz_modal_island_new(&wrong, rate_hz, &r.arena, &island), HTZ_BAD_VALUE);
  wrong = r.desc;
  wrong.n_bows = 1;
  assert_int_equal(htz_modal_island_new(&wrong, rate_hz, &r.arena, &island), HTZ_BAD_VALUE);
  wrong = r.desc;
  wrong.stay.given = true;
  assert_int_equal(htz_modal_island_new(&wrong, rate_hz, &r.arena, &island), HTZ_BAD_VALUE);
  const char* why = NULL;
  htz_solver* solver = NULL;
  htz_solver_class offline = htz_transition_class;
  offline.real_time = false;
  assert_int_equal(htz_solved_make(r.desc.bodies[BAR], r.modes[BAR].mass, &offline, &strike, rate_hz, &r.arena, &solver, &why),
                   HTZ_UNSUPPORTED);
  assert_non_null(why);
  htz_strike hertz = strike;
  hertz.exponent = 1.5;
  assert_int_equal(
      htz_solved_make(r.desc.bodies[BAR], r.modes[BAR].mass, &htz_transition_class, &hertz, rate_hz, &r.arena, &solver, &why),
      HTZ_UNSUPPORTED);
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_do_not_matter),      cmocka_unit_test(the_solver_does_the_contact),
      cmocka_unit_test(bends_keep_energy),         cmocka_unit_test(loudness_is_a_bound),
      cmocka_unit_test(refuses_what_it_cannot_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
