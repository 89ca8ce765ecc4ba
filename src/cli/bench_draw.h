#ifndef HERTZIAN_CLI_BENCH_DRAW_H
#define HERTZIAN_CLI_BENCH_DRAW_H

#include "options.h"

#include "hertzian/lab/bench.h"

/** Draw the cost of ringing keys in `--plot`, a curve for each of `n` ways; `title` is the instrument's name. @return the exit code */
int htz_bench_draw(const htz_options* o, const char* title, size_t n, const htz_bench_ringing* ways);

#endif
