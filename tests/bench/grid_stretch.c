// Time of one string on a bridge of 24 grid points at 48 kHz [ns per sample], bodies and all: best and mean of runs of 1000 samples.
#include "hertzian/contact/grid_network.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

static const double rate_hz = 48000.0;
enum { POINTS = 24, RUNS = 48, RUN = 1000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(const char* what, double stiffness, double curved, double gap, double pluck_at, double pluck) {
  htz_arena arena;
  htz_grid* bodies[2];
  const char* why = "no memory";
  const htz_grid_string_desc string = {.length = 1.0,
                                       .lin_density = 1.7e-3,
                                       .tension = 37.0,
                                       .stiffness = 2e-5,
                                       .sigma0 = 0.5,
                                       .sigma1 = 1e-4,
                                       .ratio_most = 1.0};
  double gaps[POINTS];
  for (int i = 0; i < POINTS; ++i) {
    gaps[i] = gap + curved * (i - POINTS / 4) * (i - POINTS / 4);
  }
  const htz_grid_stretch_desc stretch = {.stiffness = stiffness,
                                         .exponent = 1.5,
                                         .viscosity = 0.1,
                                         .body_b = 1,
                                         .first = 2,
                                         .last = POINTS + 1,
                                         .direction = -1.0,
                                         .gap = gaps};
  const htz_grid_network_desc desc = {.n_bodies = 2, .bodies = bodies, .n_stretches = 1, .stretches = &stretch};
  htz_grid_network* net = NULL;
  if (htz_arena_init(&arena, 1 << 20) ||
      htz_grid_string_new(&string, rate_hz, 1, htz_kernels_select(), &arena, &bodies[0], &why) ||
      htz_grid_barrier_new(&arena, &bodies[1]) || htz_grid_network_new(&desc, &arena, &net, &why)) {
    printf("%s: %s\n", what, why);
    return 1;
  }
  htz_grid_pluck(bodies[0], pluck_at, pluck);
  (void)htz_grid_network_reread(net);
  double best = INFINITY;
  double sum = 0.0;
  double touching = 0.0;
  for (int r = 0; r < RUNS; ++r) {
    const double start = now();
    for (int i = 0; i < RUN; ++i) {
      htz_grid_network_step(net);
      touching += (double)htz_grid_network_stretch(net, 0)->touching;
    }
    const double took = (now() - start) / RUN;
    best = took < best ? took : best;
    sum += took;
  }
  const htz_grid_counters* count = htz_grid_network_count(net);
  printf(
      "%-22s %3zu points, %5.2f touch, %.2f iterations, best %5.0f ns, mean %5.0f ns = %.1f %% of a core, unconverged %llu\n",
      what, bodies[0]->n, touching / (RUNS * RUN), count->solves ? (double)count->iterations / (double)count->solves : 0.0,
      1e9 * best, 1e9 * sum / RUNS, 100.0 * rate_hz * sum / RUNS, (unsigned long long)count->unconverged);
  htz_arena_free(&arena);
  return 0;
}

int main(void) {
  int bad = run("out of reach", 1e8, 0.0, 1.0, 0.7, 3e-3);
  bad |= run("hard, curved", 1e8, 5e-7, 0.0, 0.7, 3e-3);
  bad |= run("soft, curved", 1e5, 5e-7, 0.0, 0.7, 3e-3);
  bad |= run("soft, flat", 1e5, 0.0, 0.0, 0.7, 3e-3);
  bad |= run("all pressed, always", 1e5, 0.0, -1e-4, 0.05, 1.2e-4);
  return bad;
}
