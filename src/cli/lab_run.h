#ifndef HERTZIAN_CLI_LAB_RUN_H
#define HERTZIAN_CLI_LAB_RUN_H

#include "options.h"

#include "hertzian/lab/experiment.h"

/** `hertzian lab list` and `hertzian lab run NAME...`. @return an exit code of the program */
int htz_lab_list_command(const htz_options* options);
int htz_lab_run_command(const htz_options* options);

/** Say that there is no experiment `name`. @return HTZ_EXIT_USAGE */
int htz_lab_unknown(const htz_options* options, const char* name);

/** Heading of a column: name_unit, in letters, digits and underscores. */
void htz_lab_heading(FILE* out, const htz_lab_column* column);

/** All rows as CSV: `series`, then the columns. Numbers have 17 digits, what has no value is empty. */
void htz_lab_csv(FILE* out, const htz_lab_experiment* experiment, const htz_lab_report* report);

/** Findings as a table for people. */
void htz_lab_table(FILE* out, const htz_lab_experiment* experiment, const htz_lab_report* report);

/** An experiment's description as members of a JSON object, and, with `report` not NULL, what came of it. */
void htz_lab_json(FILE* out, const htz_lab_experiment* experiment, const htz_lab_report* report);

/** A script for gnuplot that draws the report; see plot.h. */
void htz_lab_script(FILE* script, const char* path, const htz_lab_experiment* experiment, const htz_lab_report* report);

#endif
