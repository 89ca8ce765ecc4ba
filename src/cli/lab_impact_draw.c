#include "lab_impact_private.h"
#include "picture.h"
#include "plot.h"

#include <stdlib.h>

static const double milli = 1e3; // [ms]

enum { MOMENTS = 400, STAIRS = 2 * HTZ_LAB_TRACE_MAX };

typedef struct {
  const char* name;
  size_t n;
  double time[STAIRS], force[STAIRS]; // [ms], [N]
} curve;

typedef struct {
  const char* title;
  size_t n;
  const curve* curves;
} chart;

/** `time` [s], `force` [N]. */
static void add(curve* c, double time, double force) {
  c->time[c->n] = milli * time;
  c->force[c->n++] = force;
}

/** The mean forces as stairs, from before the touch to after the release; what follows far behind it is left out. */
static void stairs(const htz_lab_trace* t, curve* c) {
  size_t last = 0;
  for (size_t i = 0; i < t->n; ++i) {
    last = t->force[i] != 0.0 ? i + 1 : last;
  }
  last += last < t->n ? 1 : 0;
  for (size_t i = 0; i < last; ++i) {
    const double begin = t->start + (double)i * t->period;
    add(c, begin, t->force[i]);
    add(c, begin + t->period, t->force[i]);
  }
}

static void closed_form(const htz_impact* p, curve* c) {
  htz_impact_moment m[MOMENTS];
  htz_impact_motion(p, MOMENTS, m);
  for (size_t i = 0; i < MOMENTS; ++i) {
    add(c, m[i].time, m[i].force);
  }
}

static void write_script(FILE* out, const char* path, const void* what) {
  const chart* c = what;
  const size_t n = c->n;
  const curve* curves = c->curves;
  htz_plot_begin(out, path);
  fputs("set title ", out);
  htz_plot_text(out, c->title);
  fputs("\nset xlabel 'time since touch [ms]'\nset ylabel 'force, mean of each sample [N]'\n", out);
  for (size_t i = 0; i < n; ++i) {
    fprintf(out, "$c%zu << EOD\n", i);
    for (size_t k = 0; k < curves[i].n; ++k) {
      htz_plot_number(out, curves[i].time[k]);
      htz_plot_number(out, curves[i].force[k]);
      fputc('\n', out);
    }
    fputs("EOD\n", out);
  }
  for (size_t i = 0; i < n; ++i) {
    fprintf(out, "%s $c%zu using 1:2 with lines linewidth 1.5 title ", i ? "," : "plot", i);
    htz_plot_text(out, curves[i].name);
  }
  fputc('\n', out);
}

static void write_numbers(FILE* out, const void* what) {
  const chart* c = what;
  fputs("series,time_ms,force_N\n", out);
  for (size_t i = 0; i < c->n; ++i) {
    for (size_t k = 0; k < c->curves[i].n; ++k) {
      fprintf(out, "%s,%.9g,%.9g\n", c->curves[i].name, c->curves[i].time[k], c->curves[i].force[k]);
    }
  }
}

int lab_impact_draw(const htz_options* o, const lab_impacts* all, const htz_lab_trace* trace) {
  const htz_lab_throw* w = &all->what[0];
  curve* curves = calloc(2, sizeof *curves); // too large for a stack
  if (!curves) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->plot, htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  size_t n = 1;
  curves[0].name = all->solver;
  stairs(trace, &curves[0]);
  if (!w->body && !(w->hysteresis > 0.0)) {
    curves[n].name = "closed form";
    closed_form(&w->hammer, &curves[n++]);
  }
  const chart what = {w->body ? all->spec->name : "A rigid wall", n, curves};
  const htz_picture picture = {.script = write_script, .numbers = write_numbers, .what = &what};
  const int code = htz_picture_draw(o, &picture);
  free(curves);
  return code;
}
