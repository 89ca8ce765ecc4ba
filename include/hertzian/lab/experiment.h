#ifndef HERTZIAN_LAB_EXPERIMENT_H
#define HERTZIAN_LAB_EXPERIMENT_H

#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
   The papers' experiments: one per table and figure. An experiment fills a table (what `--out` writes and `--plot` draws) and
   states findings: each a number of the paper beside ours. Registry: src/lab/experiments.def. Nothing here runs on the audio thread.
*/
enum { HTZ_LAB_COLUMNS_MAX = 16, HTZ_LAB_CURVES_MAX = 4 };

typedef struct {
  const char* name; ///< "contact_time"
  const char* unit; ///< "s", "" for none; the CSV heading is name_unit
} htz_lab_column;

/** One number. `paper` NaN: the paper prints none (then `ours` stands beside the closed form or what `note` says). */
typedef struct {
  const char* name; ///< static text, e.g. "AM1 v_out error"
  const char* unit;
  double paper;     ///< as printed, or the reference value
  double ours;      ///< as measured
  double allowed;   ///< greatest |ours - paper| that counts as agreement, same unit; NaN: not judged
  const char* note; ///< static text or NULL
} htz_lab_finding;

/** Whether ours agrees with the paper's. */
typedef enum { HTZ_LAB_NOT_JUDGED = 0, HTZ_LAB_AGREES, HTZ_LAB_DISAGREES } htz_lab_verdict;

/** Judge a finding: `allowed` NaN is not judged; a NaN of ours or the paper's with an `allowed` disagrees. */
htz_lab_verdict htz_lab_judge(const htz_lab_finding* finding);

/** ours - paper, NaN when either is. */
double htz_lab_difference(const htz_lab_finding* finding);

/** What an experiment writes into. */
typedef struct htz_lab_report htz_lab_report;

/** One curve of the plot for every series of the table: column `y` over column `x`. */
typedef struct {
  unsigned x, y;
  const char* label; ///< or NULL: the column's name
  bool points;       ///< points rather than a line
} htz_lab_curve;

typedef struct {
  const char* x_label;
  const char* y_label;
  bool log_x, log_y;
  unsigned n_curves; ///< 0: this experiment has nothing to draw
  htz_lab_curve curves[HTZ_LAB_CURVES_MAX];
  const char* only; ///< the one series that is drawn; NULL: every one
  double x_most;    ///< greatest x that is drawn; 0: all there are
} htz_lab_plot;

typedef struct {
  const char* name;  ///< "papetti-table1": what `lab run` takes
  const char* paper; ///< citation with table or figure
  const char* title; ///< one line
  const char* about; ///< parameters and how it is measured, a few lines
  unsigned n_columns;
  htz_lab_column columns[HTZ_LAB_COLUMNS_MAX];
  htz_lab_plot plot;
  htz_lab_plot beside; ///< a second picture to the right of it, of the same rows; n_curves 0: none
  htz_lab_plot third;  ///< and one more
  bool slow;           ///< takes more than some two seconds: progress is shown
  bool minutes;        ///< takes minutes: tests run it with HERTZIAN_LONG set
  /// Run it. On failure `why` says in one line what went wrong.
  htz_status (*run)(htz_lab_report* report, const char** why);
  /// Print a table of its own after the findings; NULL: none.
  void (*show)(const htz_lab_report* report, FILE* out);
} htz_lab_experiment;

/** The experiment named `name`, or NULL; number `index`, or NULL past the end. */
const htz_lab_experiment* htz_lab_find(const char* name);
const htz_lab_experiment* htz_lab_at(size_t index);

/**
   For experiments: add a row of `n_columns` numbers (NaN: no value), to the series called `series` ("am1", "exact"; copied).
   Failures are kept in the report and returned by htz_lab_run().
*/
void htz_lab_row(htz_lab_report* report, const char* series, const double* row);

/** For experiments: state a finding (its texts are copied). */
void htz_lab_find_out(htz_lab_report* report, const htz_lab_finding* finding);

/** For experiments: `share` of the work is done, 0..1. */
void htz_lab_progress(htz_lab_report* report, double share);

/** Told how far an experiment is; `context` is the caller's. */
typedef void (*htz_lab_told)(void* context, double share);

/**
   Run an experiment.

   @param told may be NULL
   @param out to be freed by htz_lab_report_free(), also on failure (then NULL)
   @param why on failure one line
   @return HTZ_OK, HTZ_NO_MEMORY, HTZ_UNSUPPORTED ...
*/
htz_status htz_lab_run(const htz_lab_experiment* experiment, htz_lab_told told, void* context, htz_lab_report** out,
                       const char** why);
void htz_lab_report_free(htz_lab_report* report);

/** What a report holds. */
size_t htz_lab_rows(const htz_lab_report* report);
const double* htz_lab_row_at(const htz_lab_report* report, size_t index, const char** series);
size_t htz_lab_findings(const htz_lab_report* report);
const htz_lab_finding* htz_lab_finding_at(const htz_lab_report* report, size_t index);

#endif
