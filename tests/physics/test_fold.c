/*
   What is fixed to strings, folded into their modes. An island may fold where it is advanced by whole quanta, and cannot where it is by
   pieces: the same stroke either way.
*/
#include "prepared_rig.h"

#include "sound/partials.h"

#include <stdlib.h>

static const htz_prepared_desc both = {.screw = {.mass = 2.5e-3, .at = 0.29},
                                       .rubber = {.damping = 0.12, .stiffness = 3000.0, .at = 0.18}};

static void run_pieces(rig* r, size_t quanta, float* out) {
  enum { HALF = HTZ_QUANTUM / 2 };
  for (size_t q = 0; q < 2 * quanta; ++q) {
    float* lines[HTZ_ISLAND_PICKUPS_MAX] = {out + q * HALF};
    memset(lines[0], 0, HALF * sizeof(float));
    r->island->cls->influence(r->island, &r->influence);
    r->island->cls->advance(r->island, HALF, lines);
  }
}

static void strike(rig* r) {
  r->island->cls->strike(r->island, &hammer);
}

static int by_hz(const void* a, const void* b) {
  const double x = ((const partial*)a)->hz, y = ((const partial*)b)->hz;
  return (x > y) - (x < y);
}

/** One string, so that its partials can be told apart: those of the sampled island against the modes of the folded one. */
static void compare_partials(const htz_prepared_desc* prepared, double ratio, double loss, double cents, double percent) {
  enum { MEASURED = 12, MOST = 64, SETTLED = 20 };
  static rig folded, sampled;
  static float sink[SECOND * HTZ_QUANTUM], heard[2 * SECOND * HTZ_QUANTUM];
  static double x[2 * SECOND * HTZ_QUANTUM];
  partial p[MOST];
  size_t n = 0;
  build_strings(&folded, 1, 0.5, prepared);
  build_strings(&sampled, 1, 0.5, prepared);
  for (int i = 0; i < 2; ++i) {
    rig* r = i ? &sampled : &folded;
    r->island->cls->retune(r->island, ratio, loss);
    strike(r);
  }
  run(&folded, SETTLED, sink);
  const htz_modal* modes = htz_struck_folded(folded.island);
  assert_non_null(modes);
  run_pieces(&sampled, SETTLED, sink);
  run_pieces(&sampled, 2 * SECOND, heard);
  for (size_t i = 0; i < 2 * SECOND * HTZ_QUANTUM; ++i) {
    x[i] = (double)heard[i];
  }
  for (size_t k = 0; k < htz_modal_count(modes) && n < MOST; ++k) {
    const double sigma = htz_modal_sigma(modes)[k], omega = htz_modal_omega(modes)[k];
    const double hz = sqrt(omega * omega - sigma * sigma) / (2.0 * 3.14159265358979323846);
    p[n++] = (partial){.hz = hz, .sigma = sigma};
  }
  qsort(p, n, sizeof *p, by_hz);
  for (size_t i = 0; i < MEASURED; ++i) {
    p[i].wanted = true;
  }
  const partial_window window = {.rate_hz = rate_hz, .drop_db = 40.0, .longest_s = 1.9};
  partials_measure(x, 2 * SECOND * HTZ_QUANTUM, &window, p, n);
  for (size_t i = 0; i < MEASURED; ++i) {
    check_close(cents_between(p[i].found.hz, p[i].hz), 0.0, cents);
    check_close(100.0 * (p[i].found.sigma / p[i].sigma - 1.0), 0.0, percent);
  }
  htz_arena_free(&folded.arena);
  htz_arena_free(&sampled.arena);
}

// A step of the sampled island meets a screw's mass by half a sample's mean; at the 12th partial, 3 kHz, that is a hundredth of a cent.
static void test_partials_are_those_of_the_sampled_island(void** state) {
  (void)state;
  const htz_prepared_desc screw = {.screw = both.screw}, rubber = {.rubber = both.rubber};
  compare_partials(&screw, 1.0, 1.0, 0.1, 1.0);
  compare_partials(&rubber, 1.0, 1.0, 0.1, 1.0);
  compare_partials(&both, 1.0, 1.0, 0.1, 1.0);
}

static void test_a_bend_keeps_them(void** state) {
  (void)state;
  compare_partials(&both, 1.06, 1.0, 1.0, 5.0);
  compare_partials(&both, 0.94, 3.0, 1.0, 5.0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_partials_are_those_of_the_sampled_island),
                                     cmocka_unit_test(test_a_bend_keeps_them)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
