#ifndef HERTZIAN_LAB_WILLEMSEN_DIRECT_H
#define HERTZIAN_LAB_WILLEMSEN_DIRECT_H

#include "willemsen.h"

/**
   The document's own formulas, evaluated at one grid point from a network's states, to be laid beside the network's step: written out as
   printed, its misprints put right, and sharing nothing with the network but the states.
*/
enum { DIRECT_ACROSS = 5 }; // grid points of a string's stencil

/** A string about the point of contact. */
typedef struct {
  const htz_grid* grid;
  size_t at[DIRECT_ACROSS]; ///< indices of the grid points l-2 .. l+2
  double k, h;              ///< [s], [m]
  double density;           ///< rho A [kg/m]
  double tension;           ///< [N]
  double bending;           ///< E I [N m^2]
  double sigma0, sigma1;    ///< [1/s], [m^2/s]
} direct_string;

/** A plate about the point of contact. */
typedef struct {
  const htz_grid* grid;
  size_t centre;
  size_t near[4], diagonal[4], far[4]; ///< (69): +-1, +-1 +-1, +-2
  double k, h;
  double density;        ///< rho H [kg/m^2]
  double rigidity;       ///< D [N m]
  double sigma0, sigma1; ///< [1/s], [m^2/s]
} direct_plate;

typedef struct {
  double k, mass, omega, loss; ///< loss R as in (79b): M R w_t [1/s]
} direct_mass;

/** A quadratised contact: what it remembers. */
typedef struct {
  double stiffness, exponent;
  bool two_sided;
  double psi; ///< at the half step before [sqrt J]
} direct_psi;

/** Grid points about (x, y), fractions of length and width: a grid point that is two or more from ends and edges. */
void direct_string_about(direct_string* s, const htz_grid* grid, double x);
void direct_plate_about(direct_plate* p, const htz_grid* grid, double x, double y);

/** Displacement a step later without contact, (84) corrected. */
double direct_string_free(const direct_string* s);
double direct_plate_free(const direct_plate* p);
double direct_mass_free(const direct_mass* m, double now, double before);

/** g of (12) and (77). */
double direct_g(const direct_psi* c, double eta);

/** (18) */
void direct_psi_step(direct_psi* c, double g, double eta_next, double eta_before);

/** Solve a x = b of n <= 3 rows; a is destroyed, b becomes x. */
void direct_solve(size_t n, double a[3][3], double b[3]);

#endif
