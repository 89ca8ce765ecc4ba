#ifndef HERTZIAN_LAB_WILLEMSEN_H
#define HERTZIAN_LAB_WILLEMSEN_H

#include "hertzian/contact/grid_network.h"
#include "hertzian/lab/experiment.h"

/**
   What the experiments of Willemsen's document have in common: a system of grid bodies, run for a second by every method, its energy
   kept. The document prints no parameters; those of the tromba marina are its author's, all others are ours.
*/
#define WILLEMSEN_PAPER "Willemsen, Collisions: Non-linearities without the use of iterative solvers (2019), "
#define WILLEMSEN_RATE 44100.0 ///< [Hz]
#define WILLEMSEN_SECONDS 1.0  ///< that each method runs
#define WILLEMSEN_ALLOWED 1e-9 ///< greatest relative change of energy of a lossless system over that time
#define WILLEMSEN_METHODS_COUNT 4

enum { WILLEMSEN_BODIES = 3, WILLEMSEN_CONTACTS = 2 };

/** A system as it is built. The last body may be a barrier. */
typedef struct {
  htz_arena memory;
  size_t n_bodies, n_contacts, n_stretches;
  htz_grid* bodies[WILLEMSEN_BODIES];
  htz_grid_network* network;
  bool collides[WILLEMSEN_CONTACTS]; ///< contact or stretch number so is one-sided
} willemsen_system;

/** A body's point: displacement and the body's energy are columns of the table. */
typedef struct {
  size_t body, point;
} willemsen_place;

typedef struct {
  /// Make bodies and network in s->memory, whatever is to move moving.
  htz_status (*make)(htz_grid_method method, willemsen_system* s, const char** why);
  size_t n_places;
  willemsen_place places[WILLEMSEN_BODIES];
  double picture; ///< the table has every sample up to here [s], then one in 20
  long audit;     ///< samples between two sums of the energy; 0: one
  bool lossy;     ///< bodies have losses: energy falls
} willemsen_plan;

/** What one method did. */
typedef struct {
  double initial; ///< energy [J]
  double change;  ///< greatest |H - H_0|/H_0
  double rise;    ///< greatest between two sums over H_0
  double final;   ///< H/H_0 at the end
  double stuck;   ///< most that a contact stored while open, over H_0
  double pull;    ///< greatest adhesive force of a collision over its greatest force
  uint64_t closures;
  htz_grid_counters count;
} willemsen_outcome;

/** The methods, in the order of htz_grid_method. */
extern const char* const willemsen_methods[WILLEMSEN_METHODS_COUNT];

/** Columns before the displacements of the places, then the energies of their bodies. */
enum {
  WILLEMSEN_TIME,
  WILLEMSEN_IN_BODIES,
  WILLEMSEN_STORED,
  WILLEMSEN_TOTAL,
  WILLEMSEN_CHANGE,
  WILLEMSEN_FORCE,
  WILLEMSEN_FIRST
};
// clang-format off
#define WILLEMSEN_TABLE(places, ...)                                                                            \
  .n_columns = WILLEMSEN_FIRST + 2 * (places),                                                                  \
  .columns = {{"time", "s"}, {"bodies", "J"}, {"stored", "J"}, {"total", "J"}, {"change", ""}, {"force", "N"}, __VA_ARGS__}
#define WILLEMSEN_ENERGY_PLOT(until, count, ...)                                                                \
  .plot = {.x_label = "time [s]", .y_label = "energy [J]", .n_curves = 2 + (count),                             \
           .curves = {{WILLEMSEN_TIME, WILLEMSEN_TOTAL, "together", false},                                     \
                      {WILLEMSEN_TIME, WILLEMSEN_STORED, "in contacts", false}, __VA_ARGS__},                   \
           .only = "newton", .x_most = (until)},                                                                \
  .third = {.x_label = "time [s]", .y_label = "relative change of energy", .n_curves = 1,                       \
            .curves = {{WILLEMSEN_TIME, WILLEMSEN_CHANGE, NULL, false}}}
#define WILLEMSEN_PLACES_PLOT(until, count, ...)                                                                \
  .beside = {.x_label = "time [s]", .y_label = "displacement [m]", .n_curves = (count), .curves = {__VA_ARGS__},\
             .only = "newton", .x_most = (until)}
// clang-format on

/** Make the network of s->bodies. */
htz_status willemsen_join(willemsen_system* s, const htz_grid_network_desc* desc, const char** why);

/** An empty system; free it with willemsen_free(). */
void willemsen_begin(willemsen_system* s);
void willemsen_free(willemsen_system* s);

/** Energy of the bodies alone, and in contacts [J]. */
double willemsen_in_bodies(const willemsen_system* s);
double willemsen_stored(const willemsen_system* s);

/** Run all methods, write their rows and state what every experiment states of each. `outcomes` may be NULL. */
htz_status willemsen_run(htz_lab_report* report, const willemsen_plan* plan, willemsen_outcome* outcomes, const char** why);

/** State a finding: `paper` NaN where it prints none, `allowed` NaN: not judged. */
void willemsen_find(htz_lab_report* report, const char* subject, const char* what, const char* unit, double paper, double ours,
                    double allowed, const char* note);

/** A mass, and a steel string of 0.5 mm radius with supported ends. */
htz_status willemsen_mass(willemsen_system* s, double mass, double hz, const char** why);
htz_status willemsen_string(willemsen_system* s, double length, double hz, size_t intervals, size_t points, const char** why);
htz_status willemsen_barrier(willemsen_system* s);

#define WILLEMSEN_LINE_DENSITY 6.165375582669002e-3 ///< 7850 kg/m^3 on a circle of 0.5 mm radius [kg/m]
#define WILLEMSEN_BENDING 9.817477042468104e-3      ///< 2e11 Pa pi r^4/4 [N m^2]

#endif
