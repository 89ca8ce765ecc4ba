#include "bench_draw.h"

#include "plot.h"
#include "whole_file.h"

#include <string.h>

static const double percent = 100.0;

static const char* name_of(const htz_bench_ringing* way) {
  return way->two_way ? "two-way board" : "one-way board";
}

static void write_script(FILE* out, const char* path, const char* title, size_t n, const htz_bench_ringing* ways) {
  htz_plot_begin(out, path);
  fputs("set title ", out);
  htz_plot_text(out, title);
  fputs("\nset xlabel 'keys ringing'\nset ylabel 'share of one core [%]'\nset yrange [0:]\nset xrange [0:]\nset key left\n",
        out);
  for (size_t i = 0; i < n; ++i) {
    fprintf(out, "$c%zu << EOD\n", i);
    for (size_t k = 0; k < ways[i].n; ++k) {
      htz_plot_number(out, ways[i].point[k].ringing);
      htz_plot_number(out, percent * ways[i].point[k].load);
      fputc('\n', out);
    }
    fputs("EOD\n", out);
  }
  for (size_t i = 0; i < n; ++i) {
    fprintf(out, "%s $c%zu using 1:2 with linespoints linewidth 1.5 title ", i ? "," : "plot", i);
    htz_plot_text(out, n > 1 ? name_of(&ways[i]) : "");
  }
  fputc('\n', out);
}

/** Where there is no gnuplot, what would have been drawn is kept as numbers beside the picture's name. */
static int write_numbers(const htz_options* o, size_t n, const htz_bench_ringing* ways) {
  char path[HTZ_SOUND_PATH_MAX];
  htz_whole_file file;
  snprintf(path, sizeof path, "%s.csv", o->plot);
  int fault = htz_whole_open(&file, path);
  if (!fault) {
    fputs("series,keys_struck,keys_ringing,load_percent\n", file.stream);
    for (size_t i = 0; i < n; ++i) {
      for (size_t k = 0; k < ways[i].n; ++k) {
        const htz_bench_ringing_point* p = &ways[i].point[k];
        fprintf(file.stream, "%s,%u,%u,%.5g\n", name_of(&ways[i]), p->struck, p->ringing, percent * p->load);
      }
    }
    fault = htz_whole_close(&file, true);
  }
  if (fault) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", path, strerror(fault));
    return HTZ_EXIT_OUTPUT;
  }
  htz_log_say(o->log, HTZ_LOG_WARNING, "%s: not drawn, gnuplot is not installed; its numbers are in %s", o->plot, path);
  return HTZ_EXIT_DONE;
}

int htz_bench_draw(const htz_options* o, const char* title, size_t n, const htz_bench_ringing* ways) {
  FILE* script = NULL;
  char why[HTZ_SOUND_WHY];
  if (htz_temporary_file(&script, why)) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->plot, why);
    return HTZ_EXIT_OUTPUT;
  }
  write_script(script, o->plot, title, n, ways);
  const htz_plot_result result = htz_plot_draw(script, o->plot, o->log);
  fclose(script);
  return result == HTZ_PLOT_NO_GNUPLOT ? write_numbers(o, n, ways)
         : result == HTZ_PLOT_FAILED   ? HTZ_EXIT_OUTPUT
                                       : HTZ_EXIT_DONE;
}
