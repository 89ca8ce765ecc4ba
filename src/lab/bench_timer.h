#ifndef HERTZIAN_LAB_BENCH_TIMER_H
#define HERTZIAN_LAB_BENCH_TIMER_H

#include "hertzian/lab/bench.h"

/** Time now [ns], from a clock that only goes forward. */
double htz_bench_now_ns(void);

/** Processor time that this thread has used [ns]: a single turn measured by it does not count what others do meanwhile. */
double htz_bench_cpu_ns(void);

/** Sort and return the middle of n values. */
double htz_bench_median(size_t n, double* values);

/**
   Time `work(context)`, which does `units` units of work, taking turns with the reference kernel.

   @return per unit
*/
htz_bench_time htz_bench_measure(void (*work)(void*), void* context, double units);

#endif
