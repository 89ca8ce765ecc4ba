/*
   Time of the vector kernels on this machine, for each instruction set it runs: medians, and the ratio to one multiply-add of
   a plain loop timed in the same run, which cancels the clock rate.
*/

#include "hertzian/dsp/kernels.h"
#include "hertzian/dsp/pow_rt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHEET_ROWS = 39, SHEET_STRIDE = 64, SHEET_MEMORY = (SHEET_ROWS + 4) * SHEET_STRIDE + 2 * HTZ_GRID_PAD };

enum { MODES_MAX = 512, RUNS = 301, PICKUPS = HTZ_PER_CALL };

static const double rate_hz = 48000.0;    // [Hz]
static const double least_run_ns = 2.0e4; // [ns] one run lasts at least this, so that reading the clock does not count

typedef struct {
  size_t n;
  _Alignas(64) double store[12][MODES_MAX];
  _Alignas(64) double weight[4][MODES_MAX];
  _Alignas(64) float basis[2][MODES_MAX][HTZ_STRIDE];
  _Alignas(64) float sound[PICKUPS][HTZ_QUANTUM];
  _Alignas(64) double square_b[2][MODES_MAX];
  _Alignas(64) double sheet[3][SHEET_MEMORY]; // next, now, before
  float drive[HTZ_QUANTUM];
  htz_step_table step;
  htz_free_table free_table;
  const htz_kernels* kernels;
  size_t count;    // pickups or points
  size_t turn;     // of the grid arrays
  double exponent; // of the power
  double sink;
} bench;

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/** Median time of one call of `work` [ns]. */
static double median_ns(void (*work)(bench*), bench* b) {
  static double runs[RUNS];
  size_t calls = 1;
  for (;; calls *= 2) { // also warms the caches up
    const double start = now_ns();
    for (size_t i = 0; i < calls; ++i) {
      work(b);
    }
    if (now_ns() - start > least_run_ns) {
      break;
    }
  }
  for (size_t r = 0; r < RUNS; ++r) {
    const double start = now_ns();
    for (size_t i = 0; i < calls; ++i) {
      work(b);
    }
    runs[r] = (now_ns() - start) / (double)calls;
  }
  qsort(runs, RUNS, sizeof(runs[0]), ascending);
  return runs[RUNS / 2];
}

static void work_reference(bench* b) {
  double* x = b->store[8];
  const double* y = b->store[9];
  for (size_t i = 0; i < MODES_MAX; ++i) {
    x[i] = 0.5 * x[i] + y[i];
  }
  __asm__ volatile("" : : "r"(x) : "memory");
}

static void work_free(bench* b) {
  const htz_free_weights one = {b->weight[0], b->weight[1], b->weight[2], b->weight[3]};
  const htz_free_weights weights[PICKUPS] = {one, one, one, one};
  float* out[PICKUPS] = {b->sound[0], b->sound[1], b->sound[2], b->sound[3]};
  b->kernels->free_quantum(b->n, &b->free_table, b->store[6], b->store[7], b->count, weights, out);
}

static void work_predict(bench* b) {
  b->sink += b->kernels->predict(b->n, &b->step, 1.0, b->store[6], b->store[7], b->weight[0]);
}

static void work_predict_points(bench* b) {
  const double* const phi[PICKUPS] = {b->weight[0], b->weight[1], b->weight[2], b->weight[3]};
  double out[PICKUPS];
  b->kernels->predict_points(b->n, &b->step, 1.0, b->store[6], b->store[7], b->count, phi, out);
  b->sink += out[0];
}

static void work_commit_points(bench* b) {
  const double* const phi[PICKUPS] = {b->weight[0], b->weight[1], b->weight[2], b->weight[3]};
  const double f[PICKUPS] = {1e-3, 1e-3, 1e-3, 1e-3};
  b->kernels->commit_points(b->n, &b->step, 1.0, b->store[6], b->store[7], b->count, phi, f);
}

static void work_dot3(bench* b) {
  b->sink += b->kernels->dot3(b->n, b->weight[0], b->weight[1], b->store[4]);
}

static void work_energy(bench* b) {
  b->sink += b->kernels->energy(b->n, b->weight[0], b->weight[1], b->store[6], b->store[7]);
}

static void work_driven(bench* b) {
  b->kernels->driven(b->n, &b->step, 1.0, b->store[6], b->store[7], b->weight[0], b->drive, b->weight[1], b->weight[2],
                     HTZ_QUANTUM, b->sound[0]);
}

static void work_square(bench* b) {
  htz_step_table out = {b->store[8], b->store[9], b->store[10], b->store[11], b->square_b[0], b->square_b[1]};
  b->kernels->square(b->n, &b->step, &out);
}

/** Rotates as a grid body does, so that stores are read again. */
static void turn_sheet(bench* b, double** next, double** now, double** before) {
  const size_t first = HTZ_GRID_PAD + 2 * SHEET_STRIDE, turn = b->turn++;
  *next = b->sheet[(turn + 2) % 3] + first;
  *now = b->sheet[(turn + 1) % 3] + first;
  *before = b->sheet[turn % 3] + first;
}

static void work_grid_line(bench* b) {
  static const htz_grid_stencil stencil = {.at = 1.2, .x1 = 0.4, .x2 = -1e-3, .before = -1.0, .past_x = -1e-6};
  double *next, *now, *before;
  turn_sheet(b, &next, &now, &before);
  b->kernels->grid_line(b->n, &stencil, next, now, before);
}

static void work_grid_sheet(bench* b) {
  static const htz_grid_stencil stencil = {
      .at = 1.2, .x1 = 0.2, .x2 = -1e-3, .before = -1.0, .past_x = -1e-6, .y1 = 0.2, .y2 = -1e-3, .xy = -2e-3, .past_y = -1e-6};
  double *next, *now, *before;
  turn_sheet(b, &next, &now, &before);
  b->kernels->grid_sheet(SHEET_ROWS, SHEET_STRIDE, &stencil, next, now, before);
}

static void work_pow(bench* b) {
  double x = 1e-5;
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    x = 1e-5 + 1e-9 * htz_pow_rt(x, b->exponent); // each waits for the one before, as in an iteration
  }
  b->sink += x;
}

static void work_pow_apart(bench* b) {
  double sum = 0.0;
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    sum += htz_pow_rt(b->store[6][i], b->exponent);
  }
  b->sink += sum;
}

static void work_libm_pow(bench* b) {
  double x = 1e-5;
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    x = 1e-5 + 1e-9 * pow(x, b->exponent);
  }
  b->sink += x;
}

/** n modes from 100 Hz to 20 kHz, ringing without loss so that no measurement runs into silence, in motion. */
static void set_up(bench* b, size_t n) {
  const double two_pi = 6.283185307179586;
  const double low_hz = 100.0, high_hz = 20000.0;
  memset(b, 0, sizeof(*b));
  b->n = n;
  b->step = (htz_step_table){b->store[0], b->store[1], b->store[2], b->store[3], b->store[4], b->store[5]};
  b->free_table = (htz_free_table){b->basis[0][0], b->basis[1][0], b->step, n}; // the step itself: same cost, bounded too
  for (size_t k = 0; k < n; ++k) {
    const double w = two_pi * (low_hz + (high_hz - low_hz) * (double)k / (double)n);
    const double angle = w / rate_hz;
    b->store[0][k] = b->store[3][k] = -2.0 * sin(angle / 2) * sin(angle / 2);
    b->store[1][k] = sin(angle) / w;
    b->store[2][k] = -w * sin(angle);
    b->store[4][k] = (1.0 - cos(angle)) / (w * w);
    b->store[5][k] = sin(angle) / w;
    b->store[6][k] = 1e-5;
    b->store[7][k] = 1.0;
    for (size_t j = 0; j < 4; ++j) {
      b->weight[j][k] = sin((double)(k + 1) * 0.3 + (double)j);
    }
    for (size_t j = 0; j < HTZ_STRIDE; ++j) {
      b->basis[0][k][j] = (float)cos(angle * (double)(j + 1));
      b->basis[1][k][j] = (float)sin(angle * (double)(j + 1));
    }
  }
}

static double reference_ns; // [ns] one multiply-add of the plain loop

/** Say one line: `ns` per call, and per unit of `units`. */
static void report(const char* isa, const char* what, size_t n, size_t count, double ns, double units, const char* unit) {
  printf("%-10s %-15s n=%-4zu x%zu %10.1f ns %9.4f ns per %-12s ratio %7.3f\n", isa, what, n, count, ns, ns / units, unit,
         ns / units / reference_ns);
}

static void bench_isa(const htz_kernels* kernels, bench* b) {
  static const size_t sizes[] = {8, 64, 128, 512};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
    const size_t n = sizes[i];
    const double modes = (double)n;
    set_up(b, n);
    b->kernels = kernels;
    const char* const mode_sample = "mode-sample";
    for (b->count = 0; b->count <= PICKUPS; ++b->count) {
      report(kernels->name, "free_quantum", n, b->count, median_ns(work_free, b), modes * HTZ_QUANTUM, mode_sample);
    }
    report(kernels->name, "driven", n, 1, median_ns(work_driven, b), modes * HTZ_QUANTUM, mode_sample);
    report(kernels->name, "predict", n, 1, median_ns(work_predict, b), modes, "mode");
    for (b->count = 1; b->count <= PICKUPS; ++b->count) {
      report(kernels->name, "predict_points", n, b->count, median_ns(work_predict_points, b), modes, "mode");
    }
    for (b->count = 1; b->count <= PICKUPS; ++b->count) {
      report(kernels->name, "commit_points", n, b->count, median_ns(work_commit_points, b), modes, "mode");
    }
    report(kernels->name, "dot3", n, 1, median_ns(work_dot3, b), modes, "mode");
    report(kernels->name, "energy", n, 1, median_ns(work_energy, b), modes, "mode");
    report(kernels->name, "square", n, 1, median_ns(work_square, b), modes, "mode");
  }
}

/** A grid at rest: time does not depend on what it holds, but for what would grow without bound. */
static void bench_grids(const htz_kernels* kernels, bench* b) {
  static const size_t lines[] = {100, 200, 500};
  set_up(b, MODES_MAX);
  b->kernels = kernels;
  for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); ++i) {
    b->n = lines[i];
    report(kernels->name, "grid_line", b->n, 1, median_ns(work_grid_line, b), (double)b->n, "point");
  }
  const double points = 61 * 41; // a plate of 60 by 40 intervals, whose inner rows these are
  report(kernels->name, "grid_sheet", SHEET_ROWS, 1, median_ns(work_grid_sheet, b), points, "point");
}

int main(void) {
  static bench b;
  set_up(&b, MODES_MAX);
  reference_ns = median_ns(work_reference, &b) / MODES_MAX;
  printf("reference: %.4f ns per multiply-add of a plain loop\n", reference_ns);
  static const double exponents[] = {1.5, 2.3};
  for (size_t i = 0; i < sizeof(exponents) / sizeof(exponents[0]); ++i) {
    b.exponent = exponents[i];
    printf("power %.1f, each waiting for the one before:\n", b.exponent);
    report("-", "htz_pow_rt", 1, 1, median_ns(work_pow, &b), HTZ_QUANTUM, "power");
    report("-", "pow of libm", 1, 1, median_ns(work_libm_pow, &b), HTZ_QUANTUM, "power");
    printf("power %.1f, independent:\n", b.exponent);
    report("-", "htz_pow_rt", 1, 1, median_ns(work_pow_apart, &b), HTZ_QUANTUM, "power");
  }
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    if (kernels) {
      bench_isa(kernels, &b);
      bench_grids(kernels, &b);
    }
  }
  return 0;
}
