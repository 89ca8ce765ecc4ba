#include "json.h"
#include "lab_run.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char solidus[] = "_per_";     // for /
static const char hundredth[] = "percent"; // for %

void htz_lab_heading(FILE* out, const htz_lab_column* column) {
  fputs(column->name, out);
  fputs(column->unit[0] ? "_" : "", out);
  for (const char* at = column->unit; *at; ++at) {
    if (*at == '/') {
      fputs(solidus, out);
    } else if (*at == '%') {
      fputs(hundredth, out);
    } else {
      fputc(isalnum((unsigned char)*at) ? *at : '_', out);
    }
  }
}

static void csv_text(FILE* out, const char* text) {
  const bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
  fputs(quoted ? "\"" : "", out);
  for (; *text; ++text) {
    fputs(*text == '"' ? "\"" : "", out);
    fputc(*text, out);
  }
  fputs(quoted ? "\"" : "", out);
}

void htz_lab_csv(FILE* out, const htz_lab_experiment* e, const htz_lab_report* report) {
  fputs("series", out);
  for (unsigned c = 0; c < e->n_columns; ++c) {
    fputc(',', out);
    htz_lab_heading(out, &e->columns[c]);
  }
  fputc('\n', out);
  const size_t n = htz_lab_rows(report);
  for (size_t i = 0; i < n && !ferror(out); ++i) {
    const char* series = "";
    const double* row = htz_lab_row_at(report, i, &series);
    csv_text(out, series);
    for (unsigned c = 0; c < e->n_columns; ++c) {
      fputc(',', out);
      if (!isnan(row[c])) {
        fprintf(out, "%.17g", row[c]); // 17 digits bring the same number back
      }
    }
    fputc('\n', out);
  }
}

static void cell(FILE* out, const char* format, double value) {
  enum { WIDTH = 14 };
  char text[32] = "-";
  if (!isnan(value)) {
    snprintf(text, sizeof text, format, value);
  }
  fprintf(out, " %*s", WIDTH, text);
}

static const char* const verdicts[] = {[HTZ_LAB_NOT_JUDGED] = "", [HTZ_LAB_AGREES] = "agrees", [HTZ_LAB_DISAGREES] = "DIFFERS"};

static int name_width(const htz_lab_finding* f) {
  return (int)(strlen(f->name) + (f->unit[0] ? strlen(f->unit) + 3 : 0)); // " [unit]"
}

void htz_lab_table(FILE* out, const htz_lab_experiment* e, const htz_lab_report* report) {
  int width = 7;
  const size_t n = htz_lab_findings(report);
  fprintf(out, "%s: %s\n%s\n", e->name, e->title, e->paper);
  for (size_t i = 0; i < n; ++i) {
    const int wanted = name_width(htz_lab_finding_at(report, i));
    width = wanted > width ? wanted : width;
  }
  fprintf(out, "%-*s %14s %14s %14s  %s\n", width, "finding", "paper", "ours", "difference", "agreement");
  for (size_t i = 0; i < n; ++i) {
    const htz_lab_finding* f = htz_lab_finding_at(report, i);
    const htz_lab_verdict verdict = htz_lab_judge(f);
    char name[256];
    snprintf(name, sizeof name, "%s%s%s%s", f->name, f->unit[0] ? " [" : "", f->unit, f->unit[0] ? "]" : "");
    fprintf(out, "%-*s", width, name);
    cell(out, "%.8g", f->paper);
    cell(out, "%.8g", f->ours);
    cell(out, "%+.3g", htz_lab_difference(f));
    fprintf(out, "  %s", verdicts[verdict]);
    if (verdict != HTZ_LAB_NOT_JUDGED) {
      fprintf(out, " (within %.3g)", f->allowed);
    }
    fprintf(out, "%s%s\n", f->note ? "  " : "", f->note ? f->note : "");
  }
  if (e->show) {
    fputc('\n', out);
    e->show(report, out);
  }
}

static void member(FILE* out, const char* name, const char* text) {
  fprintf(out, "\"%s\": ", name);
  htz_json_string(out, text);
  fputs(", ", out);
}

static void number(FILE* out, const char* name, double value) {
  fprintf(out, "\"%s\": ", name);
  htz_json_same(out, value);
  fputs(", ", out);
}

static void json_finding(FILE* out, const htz_lab_finding* f) {
  static const char* const agrees[] = {[HTZ_LAB_NOT_JUDGED] = "null", [HTZ_LAB_AGREES] = "true", [HTZ_LAB_DISAGREES] = "false"};
  fputs("\n    {", out);
  member(out, "name", f->name);
  member(out, "unit", f->unit);
  number(out, "paper", f->paper);
  number(out, "ours", f->ours);
  number(out, "difference", htz_lab_difference(f));
  number(out, "allowed", f->allowed);
  fprintf(out, "\"agrees\": %s, \"note\": ", agrees[htz_lab_judge(f)]);
  htz_json_string(out, f->note);
  fputs("}", out);
}

void htz_lab_json(FILE* out, const htz_lab_experiment* e, const htz_lab_report* report) {
  member(out, "name", e->name);
  member(out, "paper", e->paper);
  member(out, "title", e->title);
  member(out, "about", e->about);
  fprintf(out, "\"plots\": %s, \"slow\": %s, \"columns\": [\"series\"", e->plot.n_curves ? "true" : "false",
          e->slow ? "true" : "false");
  for (unsigned c = 0; c < e->n_columns; ++c) {
    fputs(", \"", out);
    htz_lab_heading(out, &e->columns[c]);
    fputc('"', out);
  }
  fputs("]", out);
  if (!report) {
    return;
  }
  fprintf(out, ", \"rows\": %zu, \"findings\": [", htz_lab_rows(report));
  for (size_t i = 0; i < htz_lab_findings(report); ++i) {
    fputs(i ? "," : "", out);
    json_finding(out, htz_lab_finding_at(report, i));
  }
  fputs("\n  ]", out);
}
