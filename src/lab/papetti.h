#ifndef HERTZIAN_LAB_PAPETTI_H
#define HERTZIAN_LAB_PAPETTI_H

#include "hertzian/contact/solver.h"
#include "hertzian/lab/closed_form.h"
#include "hertzian/lab/experiment.h"

/** What the experiments of Papetti, Avanzini and Rocchesso have in common: a mass of 10 g at a rigid wall, 44.1 kHz. */
#define PAPETTI_PAPER                                                                                                          \
  "Papetti, Avanzini, Rocchesso, Energy and accuracy issues in numerical simulations of a non-linear impact model, "
#define PAPETTI_RATE 44100.0 ///< [Hz]

extern const htz_impact papetti_soft;  ///< fig. 4
extern const htz_impact papetti_case1; ///< fig. 5, table 1(a)
extern const htz_impact papetti_case2; ///< figs. 1, 2, 6, table 1(b); other speeds in figs. 1 and 2

/** The paper's four methods, in its order, ended by NULL. */
extern const char* const papetti_methods[];

/** What a throw came to. */
typedef struct {
  double v_out;     ///< velocity at the step that ends the contact, the first with x <= 0 [m/s]
  double x_max;     ///< greatest compression at the end of a step [m]
  double energy;    ///< with which it leaves [J]
  double rise;      ///< greatest growth of T + V over a step, (24) says none [J]
  unsigned samples; ///< until the step that ends the contact
} papetti_outcome;

/** Shown every sample, the first (0) before anything moves. */
typedef void (*papetti_look)(void* context, const htz_solver* solver, unsigned sample);

/**
   Throw from x = 0 with v_in at a wall and follow until released.

   @param rate_hz of the solver
   @param look may be NULL
   @return what htz_solver_new() says; HTZ_UNSUPPORTED when the solver is unknown or does not let go
*/
htz_status papetti_throw(const char* solver, const htz_impact* impact, double rate_hz, papetti_look look, void* context,
                         papetti_outcome* out, const char** why);

/** Columns of a motion, PAPETTI_COLUMNS of them. */
enum {
  PAPETTI_SAMPLE,
  PAPETTI_TIME,
  PAPETTI_X,
  PAPETTI_V,
  PAPETTI_FORCE, // (1) of x and v
  PAPETTI_T,
  PAPETTI_V_STORED,
  PAPETTI_H,
  PAPETTI_SHARE, // H over H_0
  PAPETTI_COLUMNS
};
// clang-format off
#define PAPETTI_MOTION                                                                   \
  .n_columns = PAPETTI_COLUMNS,                                                          \
  .columns = {{"sample", ""},  {"time", "s"},    {"x", "m"},         {"v", "m/s"},       \
              {"force", "N"}, {"kinetic", "J"}, {"potential", "J"}, {"energy", "J"},     \
              {"energy_share", ""}}
// clang-format on

/** Throw and write the motion as a series named after the solver. */
htz_status papetti_write(htz_lab_report* report, const char* solver, const htz_impact* impact, papetti_outcome* out,
                         const char** why);

/** The closed form's motion as the series "exact". */
void papetti_write_exact(htz_lab_report* report, const htz_impact* impact);

/** Error of `value` against `reference`, both of the same sign [%]. */
double papetti_percent(double value, double reference);

/** How far `value` goes beyond `limit` > 0 [%], 0 when it does not: the paper's "n.e.". */
double papetti_excess(double value, double limit);

/** State "<solver> <what>" with unit and note; see htz_lab_finding. */
void papetti_find(htz_lab_report* report, const char* solver, const char* what, const char* unit, double paper, double ours,
                  double allowed, const char* note);

#endif
