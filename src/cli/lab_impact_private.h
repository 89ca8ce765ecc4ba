#ifndef HERTZIAN_CLI_LAB_IMPACT_PRIVATE_H
#define HERTZIAN_CLI_LAB_IMPACT_PRIVATE_H

#include "options.h"

#include "hertzian/lab/key_throw.h"

/** All that is to be thrown, and what that needs. */
typedef struct {
  htz_lab_throw* what; ///< [n]
  size_t n;
  bool table;         ///< from `--csv`
  htz_spec* spec;     ///< with `-i`
  htz_arena memory;   ///< of the key's modes
  htz_lab_key key;    ///< with `-i`
  const char* solver; ///< name, for listings
  bool has_memory;
} lab_impacts;

/** Read command line, table and instrument; says what is wrong. @return an exit code of the program */
int lab_impact_read(const htz_options* options, lab_impacts* out);
void lab_impact_free(lab_impacts* impacts);

/** Print what came of it: a table, or with one impact a list; with `--json` always an array. */
void lab_impact_print(const htz_options* options, const lab_impacts* impacts, const htz_lab_impact_result* results);

/** Draw the force of one phase over time into `options->plot`. @return an exit code of the program */
int lab_impact_draw(const htz_options* options, const lab_impacts* impacts, const htz_lab_trace* trace);

#endif
