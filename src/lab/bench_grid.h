#ifndef HERTZIAN_LAB_BENCH_GRID_H
#define HERTZIAN_LAB_BENCH_GRID_H

#include "hertzian/lab/bench.h"

/** Time a string of 200 intervals and a plate of 60 by 40, per grid point and step. @return HTZ_OK, HTZ_NO_MEMORY. */
htz_status htz_bench_grids(const htz_kernels* kernels, htz_bench_time* string, htz_bench_time* plate);

#endif
