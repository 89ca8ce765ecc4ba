#include "lab_run.h"
#include "plot.h"

#include <string.h>

enum { SERIES_MAX = 128, KEY_INSIDE = 3 }; // series drawn at most; the key of more curves than this would cover them

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

/**
   How curve `c` of the series `index` looks: in a colour of its own while there are enough, else in that of its series; what shares a
   colour differs in its dashes or marks.
*/
static void write_style(FILE* script, const htz_lab_plot* plot, unsigned c, size_t index, size_t n_series) {
  enum { COLOURS = 8, MARKS = 6 };
  static const int marks[MARKS] = {7, 5, 9, 13, 1, 2}; // gnuplot's disc, square, triangle, diamond, plus, cross
  const bool few = n_series * plot->n_curves <= COLOURS;
  const size_t hue = few ? index * plot->n_curves + c : index;
  const size_t kind = few ? 0 : c + plot->n_curves * (index / COLOURS);
  if (plot->curves[c].points) {
    fprintf(script, "points pointtype %d pointsize 0.6", marks[kind % MARKS]);
  } else {
    fprintf(script, "lines linewidth 1.5 dashtype %zu", kind + 1);
  }
  fprintf(script, " linecolor %zu", hue % COLOURS + 1);
}

static void write_curve(FILE* script, const htz_lab_experiment* e, const htz_lab_plot* plot, unsigned c, const char* series,
                        size_t index, size_t n_series) {
  char title[256];
  const htz_lab_curve* curve = &plot->curves[c];
  const char* label = curve->label ? curve->label : e->columns[curve->y].name;
  if (n_series == 1 || plot->only) {
    snprintf(title, sizeof title, "%s", label);
  } else {
    snprintf(title, sizeof title, "%s%s%s", series, plot->n_curves > 1 ? ": " : "", plot->n_curves > 1 ? label : "");
  }
  fprintf(script, "$s%zu using %u:%u with ", index, curve->x + 1, curve->y + 1);
  write_style(script, plot, c, plot->only ? 0 : index, plot->only ? 1 : n_series);
  fputs(" title ", script);
  htz_plot_text(script, title);
}

static void write_label(FILE* script, const char* which, const char* text) {
  fprintf(script, "set %s ", which);
  htz_plot_text(script, text ? text : "");
  fputc('\n', script);
}

static void write_plot(FILE* script, const htz_lab_experiment* e, const htz_lab_plot* plot, size_t n,
                       const char* const* names) {
  bool first = true;
  write_label(script, "xlabel", plot->x_label);
  write_label(script, "ylabel", plot->y_label);
  fprintf(script, "%s logscale x\n%s logscale y\n", plot->log_x ? "set" : "unset", plot->log_y ? "set" : "unset");
  fputs("plot ", script);
  if (plot->x_most > 0.0) {
    fputs("[:", script);
    htz_plot_number(script, plot->x_most);
    fputs("] ", script);
  }
  for (size_t s = 0; s < n; ++s) {
    for (unsigned c = 0; c < plot->n_curves && (!plot->only || strcmp(plot->only, names[s]) == 0); ++c) {
      fputs(first ? "" : ", ", script);
      write_curve(script, e, plot, c, names[s], s, n);
      first = false;
    }
  }
  fputc('\n', script);
}

void htz_lab_script(FILE* script, const char* path, const htz_lab_experiment* e, const htz_lab_report* report) {
  const char* names[SERIES_MAX];
  const size_t n = series_of(report, names);
  const htz_lab_plot* const panels[] = {&e->plot, &e->beside, &e->third};
  unsigned several = 1;
  while (several < sizeof panels / sizeof panels[0] && panels[several]->n_curves > 0) {
    ++several;
  }
  (several > 1 ? htz_plot_begin_wide : htz_plot_begin)(script, path);
  for (size_t s = 0; s < n; ++s) {
    write_data(script, e, report, names[s], s);
  }
  if (several == 1) {
    write_label(script, "title", e->title);
    fputs(n * e->plot.n_curves > KEY_INSIDE ? "set key outside right\n" : "", script);
    write_plot(script, e, &e->plot, n, names);
    return;
  }
  fprintf(script, "set multiplot layout 1,%u title ", several);
  htz_plot_text(script, e->title);
  fputs("\nset key below\n", script);                            // each its own: what is drawn in one need not be in the other
  fputs(several > 2 ? "set xtics rotate by -30\n" : "", script); // narrow: long numbers would run into each other
  for (unsigned i = 0; i < several; ++i) {
    write_plot(script, e, panels[i], n, names);
  }
  fputs("unset multiplot\n", script);
}
