#include "hertzian/lab/experiment.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HTZ_EXPERIMENT(symbol, source) extern const htz_lab_experiment symbol;
#include "experiments.def"
#undef HTZ_EXPERIMENT

#define HTZ_EXPERIMENT(symbol, source) &symbol,
static const htz_lab_experiment* const registry[] = {
#include "experiments.def"
    NULL // ends it, so that it may be empty
};
#undef HTZ_EXPERIMENT

enum { COUNT = sizeof registry / sizeof registry[0] - 1 };

struct htz_lab_report {
  const htz_lab_experiment* experiment;
  htz_lab_told told;
  void* context;
  htz_status status; // first failure while it was filled
  size_t n_series, room_series;
  char** series;
  size_t n_rows, room_rows, room_values;
  size_t* series_at; // [n_rows] index of its name
  double* values;    // [n_rows][n_columns]
  size_t n_findings, room_findings;
  htz_lab_finding* findings; // texts are its own
};

const htz_lab_experiment* htz_lab_at(size_t index) {
  return index < COUNT ? registry[index] : NULL;
}

const htz_lab_experiment* htz_lab_find(const char* name) {
  for (size_t i = 0; i < COUNT; ++i) {
    if (strcmp(registry[i]->name, name) == 0) {
      return registry[i];
    }
  }
  return NULL;
}

/** Room for `need` items of `size` bytes at `*items`; doubles. @return false and the report's status set when there is no memory. */
static bool reserve(htz_lab_report* r, void** items, size_t* room, size_t need, size_t size) {
  if (need <= *room) {
    return true;
  }
  size_t wanted = *room ? *room : 64;
  while (wanted < need) {
    wanted *= 2;
  }
  void* grown = wanted < SIZE_MAX / size ? realloc(*items, wanted * size) : NULL;
  if (!grown) {
    r->status = HTZ_NO_MEMORY;
    return false;
  }
  *items = grown;
  *room = wanted;
  return true;
}

static char* copy_text(htz_lab_report* r, const char* text) {
  char* copy = text ? strdup(text) : NULL;
  if (text && !copy) {
    r->status = HTZ_NO_MEMORY;
  }
  return copy;
}

/** Index of a series, the latest first: rows of one mostly follow each other. @return n_series on failure */
static size_t series_of(htz_lab_report* r, const char* name) {
  for (size_t i = r->n_series; i-- > 0;) {
    if (strcmp(r->series[i], name) == 0) {
      return i;
    }
  }
  void* names = r->series;
  const bool fits = reserve(r, &names, &r->room_series, r->n_series + 1, sizeof *r->series);
  r->series = names;
  char* copy = fits ? copy_text(r, name) : NULL;
  if (!copy) {
    return r->n_series;
  }
  r->series[r->n_series] = copy;
  return r->n_series++;
}

void htz_lab_row(htz_lab_report* r, const char* series, const double* row) {
  if (r->status) {
    return;
  }
  const size_t width = r->experiment->n_columns;
  const size_t index = series_of(r, series);
  void* of_rows = r->series_at;
  void* values = r->values;
  const bool fits = !r->status && reserve(r, &of_rows, &r->room_rows, r->n_rows + 1, sizeof *r->series_at) &&
                    reserve(r, &values, &r->room_values, (r->n_rows + 1) * width, sizeof *r->values);
  r->series_at = of_rows;
  r->values = values;
  if (fits) {
    r->series_at[r->n_rows] = index;
    memcpy(r->values + r->n_rows * width, row, width * sizeof *row);
    ++r->n_rows;
  }
}

void htz_lab_find_out(htz_lab_report* r, const htz_lab_finding* finding) {
  void* findings = r->findings;
  const bool fits = !r->status && reserve(r, &findings, &r->room_findings, r->n_findings + 1, sizeof *r->findings);
  r->findings = findings;
  if (!fits) {
    return;
  }
  htz_lab_finding* f = &r->findings[r->n_findings++];
  *f = *finding;
  f->name = copy_text(r, finding->name);
  f->unit = copy_text(r, finding->unit);
  f->note = copy_text(r, finding->note);
}

void htz_lab_progress(htz_lab_report* r, double share) {
  if (r->told) {
    r->told(r->context, share);
  }
}

htz_status htz_lab_run(const htz_lab_experiment* experiment, htz_lab_told told, void* context, htz_lab_report** out,
                       const char** why) {
  *out = NULL;
  *why = NULL;
  htz_lab_report* r = calloc(1, sizeof *r);
  if (!r) {
    *why = htz_status_text(HTZ_NO_MEMORY);
    return HTZ_NO_MEMORY;
  }
  r->experiment = experiment;
  r->told = told;
  r->context = context;
  htz_status st = experiment->run(r, why);
  st = st ? st : r->status;
  if (st) {
    *why = *why ? *why : htz_status_text(st);
    htz_lab_report_free(r);
    return st;
  }
  *out = r;
  return HTZ_OK;
}

void htz_lab_report_free(htz_lab_report* r) {
  if (!r) {
    return;
  }
  for (size_t i = 0; i < r->n_series; ++i) {
    free(r->series[i]);
  }
  for (size_t i = 0; i < r->n_findings; ++i) {
    free((char*)(uintptr_t)r->findings[i].name); // copied by htz_lab_find_out()
    free((char*)(uintptr_t)r->findings[i].unit);
    free((char*)(uintptr_t)r->findings[i].note);
  }
  free(r->series);
  free(r->series_at);
  free(r->values);
  free(r->findings);
  free(r);
}

size_t htz_lab_rows(const htz_lab_report* r) {
  return r->n_rows;
}

const double* htz_lab_row_at(const htz_lab_report* r, size_t index, const char** series) {
  if (index >= r->n_rows) {
    return NULL;
  }
  *series = r->series[r->series_at[index]];
  return r->values + index * r->experiment->n_columns;
}

size_t htz_lab_findings(const htz_lab_report* r) {
  return r->n_findings;
}

const htz_lab_finding* htz_lab_finding_at(const htz_lab_report* r, size_t index) {
  return index < r->n_findings ? &r->findings[index] : NULL;
}

double htz_lab_difference(const htz_lab_finding* f) {
  return f->ours - f->paper;
}

htz_lab_verdict htz_lab_judge(const htz_lab_finding* f) {
  if (f->allowed != f->allowed) {
    return HTZ_LAB_NOT_JUDGED;
  }
  const double off = htz_lab_difference(f);
  return off <= f->allowed && -off <= f->allowed ? HTZ_LAB_AGREES : HTZ_LAB_DISAGREES;
}
