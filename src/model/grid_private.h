#ifndef HERTZIAN_SRC_MODEL_GRID_PRIVATE_H
#define HERTZIAN_SRC_MODEL_GRID_PRIVATE_H

#include "hertzian/model/grid.h"

enum {
  GRID_LINE_LEAST = 4,     // intervals: a free end's stencil and its mirror must not overlap
  GRID_LINE_MOST = 2000,   // intervals of a string or bar
  GRID_SHEET_MOST = 20000, // points of a plate
  GRID_CUBIC = 4,          // points of cubic interpolation along one axis
  GRID_NODES = 20          // of the curve of tension over pitch; see grid_curve
};

/** Every grid body: rows of points on a lattice; a string has one row, a lumped body one point. */
typedef struct {
  htz_grid base;              // must be first: the public type is cast to it
  size_t columns, rows;       // [config] points along length and width, supports included
  size_t stride;              // [config] from one row to the next
  double sides[2];            // [config] length and width [m]
  double* ease;               // [config] behind base.ease, or NULL
  const htz_kernels* kernels; // [config]
  double* memory;             // [config] the three state arrays with their padding
  size_t memory_n;            // [config]
  size_t lead;                // [config] padding in front of each
  size_t span;                // [config] from one array to the next
} grid_lattice;

/** Losses as the scheme has them. */
typedef struct {
  double sigma0; // [1/s]
  double sigma1; // [m^2/s]
} grid_loss;

/**
   Tension over the first mode's eigenvalue, where the mode's shape changes with it (stiff, not supported at both ends): its slope
   is known at every node from the mode alone, and cubics in between are good to 0.01 cent.
*/
typedef struct {
  size_t n; // 0: not needed
  struct {
    double eigenvalue; // Omega^2 [1/s^2], ascending
    double tension;    // [N]
    double slope;      // of tension over eigenvalue [N s^2]
  } node[GRID_NODES];
} grid_curve;

typedef struct {
  grid_lattice lattice;        // must be first
  double spacing;              // h [m]
  double lin_density;          // [kg/m]
  grid_loss loss;              // [config] as described
  double hz;                   // [config] first partial at ratio 1 [Hz]
  double mode[2];              // [config] first mode: its Rayleigh quotients of -d_xx [1/m^2] and d_xxxx [1/m^4]
  double tension1, stiffness1; // [config] at ratio 1
  htz_grid_end ends[2];        // [config]
  grid_curve curve;            // [config]
  bool bar;                    // [config] without tension: pitch is moved by the stiffness
  double tension, stiffness;   // [derived] at the present tuning
  grid_loss lost;              // [derived]
  htz_grid_stencil inner;      // [derived]
  struct {
    double now[3], before[2]; // factors of a free end's point: on itself and its neighbours
  } edge;                     // [derived]
} grid_string;

typedef struct {
  grid_lattice lattice;       // must be first
  double spacing[2];          // [m]
  double surface_density;     // rho H [kg/m^2]
  double rigidity1, tension1; // [config] D [N m], T [N/m] at ratio 1
  grid_loss loss;             // [config]
  htz_grid_end edges;         // [config]
  double rigidity, tension;   // [derived]
  grid_loss lost;             // [derived]
  htz_grid_stencil inner;     // [derived]
} grid_plate;

typedef struct {
  grid_lattice lattice;     // must be first
  htz_grid_mass_desc desc;  // [config] as described
  htz_grid_mass_desc used;  // [derived] as tuned
  double now, before, fall; // [derived] next = now u + before u- + fall
  double push;              // [N]
} grid_mass;

/** What may be wrong with a description, and how it is said. */
typedef struct {
  bool wrong;
  const char* why;
} grid_rule;

typedef struct {
  grid_lattice lattice;            // must be first; a column for each mode
  const htz_modes* modes;          // [config]
  double* phi;                     // [modes->n] shapes while a point is located
  double *ahead, *behind;          // [derived] next = ahead q + behind q-
  double *weight, *spread, *stiff; // [derived] 1/(2 g), cosh(sigma k), cosh(sigma k) - cos(omega k)
} grid_modes;

/** The first reason of `n` that applies, or NULL. */
const char* htz_grid_fault(size_t n, const grid_rule* rules);

bool htz_grid_positive(double x);     // and finite
bool htz_grid_not_negative(double x); // and finite

/** As htz_grid_fault() for a mass; NULL: none. */
HTZ_RT const char* htz_grid_mass_fault(const htz_grid_mass_desc* desc, double period);

extern const htz_grid_class htz_grid_modes_class;
extern const htz_grid_class htz_grid_string_class;
extern const htz_grid_class htz_grid_plate_class;
extern const htz_grid_class htz_grid_mass_class;
extern const htz_grid_class htz_grid_barrier_class;

/** Points of a new body at the middle; tuned as described. */
void htz_grid_lattice_finish(grid_lattice* lattice);

/** State arrays, ease and points of a lattice whose columns, rows and stride are set. */
htz_status htz_grid_lattice_init(grid_lattice* lattice, const htz_grid_class* cls, double period, size_t n_points,
                                 htz_arena* arena);

/** Greatest value of the discrete -lap [1/m^2] at which the scheme is stable; stiffness and tension per mass. */
HTZ_RT double htz_grid_curvature_most(double tension, double stiffness, double sigma1, double period);

/**
   Losses times `scale`, plus `damp` [1/s]. A sigma_1 beyond what is stable is cut to that, and what is cut off is added to sigma_0 as a
   mode of -lap `first` [1/m^2] would have lost it.

   @param steep greatest -lap of the lattice [1/m^2]
   @param omega2 square of the frequency of that mode [1/s^2]
*/
HTZ_RT grid_loss htz_grid_lossy(const grid_loss* loss, double scale, double damp, double steep, double omega2, double first,
                                double period);

/** k^2 Omega^2 of an undamped mode that the scheme lets sound at `hz` with its losses; `curvature` is its -lap [1/m^2]. */
HTZ_RT double htz_grid_eigenvalue(const grid_loss* loss, double curvature, double hz, double period);

/** Frequency at which a mode of the undamped eigenvalue Omega^2 sounds [Hz]; NaN where it does not oscillate. */
HTZ_RT double htz_grid_frequency(const grid_loss* loss, double curvature, double eigenvalue, double period);

/** Shares of points i-1 .. i+2 (cubic; beside an end i, i+1, linear) for `position` in grid intervals, 0..most. @return how many. */
HTZ_RT size_t htz_grid_shares(double position, size_t most, uint32_t first[1], double share[GRID_CUBIC]);

/** Tension (of a bar: stiffness) for the first partial `ratio` times hz. */
HTZ_RT void htz_grid_string_pitch(const grid_string* string, double ratio, double* tension, double* stiffness);

/** Rayleigh quotients of the grid's first mode that is not rigid: mode[0] of -d_xx, mode[1] of d_xxxx; n intervals. HTZ_NO_MEMORY. */
htz_status htz_grid_string_first_mode(size_t n, double spacing, const htz_grid_end ends[2], double tension, double stiffness,
                                      double mode[2]);

#endif
