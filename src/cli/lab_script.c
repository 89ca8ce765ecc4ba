#include "lab_run.h"
#include "plot.h"

#include <string.h>

enum { SERIES_MAX = 128, KEY_INSIDE = 10 }; // series drawn at most; more curves than this have their key outside

/** The series of a report in order of appearance. @return how many */
static size_t series_of(const htz_lab_report* report, const char* names[SERIES_MAX]) {
  size_t n = 0;
  for (size_t i = 0; i < htz_lab_rows(report); ++i) {
    const char* name = "";
    htz_lab_row_at(report, i, &name);
    size_t at = n;
    while (at > 0 && names[at - 1] != name) { // one copy of each name: pointers tell them apart
      --at;
    }
    if (at == 0 && n < SERIES_MAX) {
      names[n++] = name;
    }
  }
  return n;
}

/** The data of one series, `$s<index>`. */
static void write_data(FILE* script, const htz_lab_experiment* e, const htz_lab_report* report, const char* name,
                       size_t index) {
  fprintf(script, "$s%zu << EOD\n", index);
  for (size_t i = 0; i < htz_lab_rows(report); ++i) {
    const char* series = "";
    const double* row = htz_lab_row_at(report, i, &series);
    for (unsigned c = 0; series == name && c < e->n_columns; ++c) {
      htz_plot_number(script, row[c]);
    }
    fputs(series == name ? "\n" : "", script);
  }
  fputs("EOD\n", script);
}

static void write_curve(FILE* script, const htz_lab_experiment* e, const htz_lab_plot* plot, const htz_lab_curve* c,
                        const char* series, size_t index, size_t n_series) {
  char title[256];
  const char* label = c->label ? c->label : e->columns[c->y].name;
  if (n_series == 1) {
    snprintf(title, sizeof title, "%s", label);
  } else {
    snprintf(title, sizeof title, "%s%s%s", series, plot->n_curves > 1 ? ": " : "", plot->n_curves > 1 ? label : "");
  }
  fprintf(script, "$s%zu using %u:%u with %s title ", index, c->x + 1, c->y + 1,
          c->points ? "points pointtype 7 pointsize 0.6" : "lines linewidth 1.5");
  htz_plot_text(script, title);
}

static void write_label(FILE* script, const char* which, const char* text) {
  fprintf(script, "set %s ", which);
  htz_plot_text(script, text ? text : "");
  fputc('\n', script);
}

static void write_plot(FILE* script, const htz_lab_experiment* e, const htz_lab_plot* plot, size_t n,
                       const char* const* names) {
  write_label(script, "xlabel", plot->x_label);
  write_label(script, "ylabel", plot->y_label);
  fprintf(script, "%s logscale x\n%s logscale y\n", plot->log_x ? "set" : "unset", plot->log_y ? "set" : "unset");
  fputs("plot ", script);
  for (size_t s = 0; s < n; ++s) {
    for (unsigned c = 0; c < plot->n_curves; ++c) {
      fputs(s || c ? ", " : "", script);
      write_curve(script, e, plot, &plot->curves[c], names[s], s, n);
    }
  }
  fputc('\n', script);
}

void htz_lab_script(FILE* script, const char* path, const htz_lab_experiment* e, const htz_lab_report* report) {
  const char* names[SERIES_MAX];
  const size_t n = series_of(report, names);
  const bool two = e->beside.n_curves > 0;
  (two ? htz_plot_begin_wide : htz_plot_begin)(script, path);
  for (size_t s = 0; s < n; ++s) {
    write_data(script, e, report, names[s], s);
  }
  if (!two) {
    write_label(script, "title", e->title);
    fputs(n * e->plot.n_curves > KEY_INSIDE ? "set key outside right\n" : "", script);
    write_plot(script, e, &e->plot, n, names);
    return;
  }
  fputs("set multiplot layout 1,2 title ", script);
  htz_plot_text(script, e->title);
  fputs("\nunset key\n", script); // the right one has it
  write_plot(script, e, &e->plot, n, names);
  fputs("set key outside right\n", script);
  write_plot(script, e, &e->beside, n, names);
  fputs("unset multiplot\n", script);
}
