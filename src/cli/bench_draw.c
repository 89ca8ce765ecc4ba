#include "bench_draw.h"

#include "picture.h"
#include "plot.h"

static const double percent = 100.0;

typedef struct {
  const char* title;
  size_t n;
  const htz_bench_ringing* ways;
} chart;

static const char* name_of(const htz_bench_ringing* way) {
  return way->two_way ? "two-way board" : "one-way board";
}

static void write_script(FILE* out, const char* path, const void* what) {
  const chart* c = what;
  const size_t n = c->n;
  const htz_bench_ringing* ways = c->ways;
  htz_plot_begin(out, path);
  fputs("set title ", out);
  htz_plot_text(out, c->title);
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

static void write_numbers(FILE* out, const void* what) {
  const chart* c = what;
  fputs("series,keys_struck,keys_ringing,load_percent\n", out);
  for (size_t i = 0; i < c->n; ++i) {
    for (size_t k = 0; k < c->ways[i].n; ++k) {
      const htz_bench_ringing_point* p = &c->ways[i].point[k];
      fprintf(out, "%s,%u,%u,%.5g\n", name_of(&c->ways[i]), p->struck, p->ringing, percent * p->load);
    }
  }
}

int htz_bench_draw(const htz_options* o, const char* title, size_t n, const htz_bench_ringing* ways) {
  const chart what = {title, n, ways};
  const htz_picture picture = {.script = write_script, .numbers = write_numbers, .what = &what};
  return htz_picture_draw(o, &picture);
}
