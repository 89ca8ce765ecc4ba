#include "bench_timer.h"

#include <stdlib.h>
#include <time.h>

enum { TURNS = 61, REFERENCE = 1024 };

static const double least_turn_ns = 5e4; // so that reading the clock does not count

double htz_bench_now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

double htz_bench_cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

double htz_bench_median(size_t n, double* values) {
  qsort(values, n, sizeof *values, ascending);
  return values[n / 2];
}

typedef struct {
  double x[REFERENCE], y[REFERENCE];
} reference;

static void work_reference(void* context) {
  reference* r = context;
  for (size_t i = 0; i < REFERENCE; ++i) {
    r->x[i] = 0.5 * r->x[i] + r->y[i];
  }
  __asm__ volatile("" : : "r"(r) : "memory"); // the result is wanted
}

static size_t calls_for(void (*work)(void*), void* context) {
  for (size_t calls = 1;; calls *= 2) {
    const double start = htz_bench_now_ns();
    for (size_t i = 0; i < calls; ++i) {
      work(context);
    }
    if (htz_bench_now_ns() - start > least_turn_ns) {
      return calls;
    }
  }
}

static double turn(void (*work)(void*), void* context, size_t calls) {
  const double start = htz_bench_now_ns();
  for (size_t i = 0; i < calls; ++i) {
    work(context);
  }
  return (htz_bench_now_ns() - start) / (double)calls;
}

htz_bench_time htz_bench_measure(void (*work)(void*), void* context, double units) {
  double ns[TURNS], ratio[TURNS];
  reference r = {{0}, {0}};
  const size_t ours = calls_for(work, context);
  const size_t theirs = calls_for(work_reference, &r);
  for (size_t i = 0; i < TURNS; ++i) {
    const double base = turn(work_reference, &r, theirs) / REFERENCE;
    ns[i] = turn(work, context, ours) / units;
    ratio[i] = ns[i] / base;
  }
  return (htz_bench_time){htz_bench_median(TURNS, ns), htz_bench_median(TURNS, ratio)};
}

double htz_bench_reference(void) {
  reference r = {{0}, {0}};
  return htz_bench_measure(work_reference, &r, REFERENCE).ns;
}
