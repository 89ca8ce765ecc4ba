#include "prepared_rig.h"

#include <stdio.h>

/*
   What is fixed to strings, folded into their modes: a whole quantum at a time it may be, in pieces never. The same stroke either way.
*/

static const htz_prepared_desc screw_and_rubber = {.screw = {.mass = 2.5e-3, .at = 0.29},
                                                   .rubber = {.damping = 0.12, .stiffness = 3000.0, .at = 0.18}};

static void run_pieces(rig* r, size_t quanta, float* out) {
  float sink[HTZ_QUANTUM];
  for (size_t q = 0; q < quanta; ++q) {
    float* line = out ? out + q * HTZ_QUANTUM : sink;
    memset(line, 0, sizeof sink);
    r->island->cls->influence(r->island, &r->influence);
    for (uint32_t half = 0; half < 2; ++half) {
      float* lines[HTZ_ISLAND_PICKUPS_MAX] = {line + half * HTZ_QUANTUM / 2};
      r->island->cls->advance(r->island, HTZ_QUANTUM / 2, lines);
    }
  }
}

static void test_x(void** state) {
  (void)state;
  static rig folded, sampled;
  static float a[SECOND * HTZ_QUANTUM], b[SECOND * HTZ_QUANTUM];
  build(&folded, 0.5, &screw_and_rubber);
  build(&sampled, 0.5, &screw_and_rubber);
  folded.island->cls->strike(folded.island, &hammer);
  sampled.island->cls->strike(sampled.island, &hammer);
  run(&folded, SECOND, a);
  run_pieces(&sampled, SECOND, b);
  double most = 0, diff = 0;
  for (size_t i = 0; i < SECOND * HTZ_QUANTUM; ++i) {
    most = fmax(most, fabs(b[i]));
    diff = fmax(diff, fabs(a[i] - b[i]));
  }
  printf("folded %d most %g diff %g energies %g %g\n", htz_struck_folded(folded.island), most, diff, energy(&folded),
         energy(&sampled));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_x)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
