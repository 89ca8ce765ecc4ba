// The bow's hand on a grid: it follows what is asked of it as on a string of modes.
#include "check.h"

#include "grid/grid_island.h"

#include <math.h>

static const double rate_hz = 48000.0;

static void controllers_are_followed_gradually(void** state) {
  static const double most = 0.0015, smooth_s = 0.008; // of the length in a quantum; the hand's time constant
  htz_arena arena;
  htz_grid* bodies[2];
  htz_grid_network* net;
  htz_island* island;
  const char* why = NULL;
  float line[HTZ_QUANTUM] = {0.0f};
  float* lines[HTZ_ISLAND_PICKUPS_MAX] = {line};
  (void)state;
  assert_int_equal(htz_arena_init(&arena, 1 << 20), HTZ_OK);
  const htz_grid_string_desc string = {
      .length = 0.7, .lin_density = 2e-3, .tension = 150.0, .stiffness = 1e-4, .ratio_most = 1.0, .exactly = 100};
  assert_int_equal(htz_grid_string_new(&string, rate_hz, 1, htz_kernels_select(), &arena, &bodies[0], &why), HTZ_OK);
  assert_int_equal(htz_grid_barrier_new(&arena, &bodies[1]), HTZ_OK);
  const htz_grid_bow_desc bow = {.law = {.kind = HTZ_FRICTION_STATIC, .sharpness = 100.0}, .body = 0, .point = 0};
  const htz_grid_network_desc joined = {.n_bodies = 2, .bodies = bodies, .n_bows = 1, .bows = &bow};
  assert_int_equal(htz_grid_network_new(&joined, &arena, &net, &why), HTZ_OK);
  const htz_grid_island_desc desc = {.net = net,
                                     .n_bodies = 2,
                                     .bodies = {bodies[0], bodies[1]},
                                     .n_gestures = 1,
                                     .gestures = {{.kind = HTZ_EXCITE_BOW}},
                                     .n_bows = 1,
                                     .bows = {{.speaks = {0.0, 1.0}}},
                                     .finger = HTZ_GRID_NONE,
                                     .n_lines = 1};
  assert_int_equal(htz_grid_island_new(&desc, rate_hz, &arena, &island), HTZ_OK);
  htz_influence now = {.held = true, .bow = {{0.1, 0.3, 0.13}}, .finger = (double)NAN};
  const grid_island* g = (const grid_island*)island;
  island->cls->influence(island, &now);
  island->cls->strike(island, &(htz_strike){.speed = 0.1});
  for (int q = 0; q < 200; ++q) {
    island->cls->advance(island, HTZ_QUANTUM, lines);
  }
  check_close(g->bow[0].speed, 0.1, 1e-6);
  now.bow[0].speed = 0.2;
  now.bow[0].at = 0.13 + 20.5 * most;
  island->cls->influence(island, &now);
  for (int q = 1; q <= 30; ++q) {
    island->cls->advance(island, HTZ_QUANTUM, lines);
    check_close(g->bow[0].speed, 0.1 - 0.1 * expm1(-q * HTZ_QUANTUM / rate_hz / smooth_s), 1e-6);
    check_near(1.0 - g->bow[0].at, 0.13 + (q <= 20 ? q * most : 20.5 * most), 1e-9);
  }
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(controllers_are_followed_gradually)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
