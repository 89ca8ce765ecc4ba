#ifndef HERTZIAN_MODEL_DISC_H
#define HERTZIAN_MODEL_DISC_H

#include "hertzian/model/bending.h"
#include "hertzian/model/modes.h"

#include <stdbool.h>

/**
   A thin round plate with a free rim, flat or a shallow cap, which may bend so far that its modes couple (hertzian/model/bending.h).

   Mode (n, i) has n nodal diameters; those with n > 0 come in pairs. Lengths are in radii a, deflections in thicknesses h, times in
   tau = a^2 sqrt(rho h/D), D = E h^3/(12 (1 - nu^2)). A flat plate has omega tau = xi^2 with R = J_n(xi r) + c I_n(xi r) and, at the rim,
   R'' + nu (R' - n^2 R) = 0 and d(lap R)/dr = (1 - nu) n^2 (R' - R).
*/
typedef struct {
  double radius;       ///< a [m], > 0
  double thickness;    ///< h [m], > 0
  double density;      ///< rho [kg/m^3], > 0
  double young;        ///< E [Pa], > 0
  double poisson;      ///< nu, 0..0.5
  double rise;         ///< of the cap: how far its middle is over its rim, in thicknesses, >= 0: H (1 - r^2)
  double tuning_hz;    ///< frequency of the first bending mode [Hz], to which the radius is made; 0: as dimensions make it
  double support_hz;   ///< frequency of the rigid motions on their supports [Hz], >= 0
  double support_loss; ///< decay rate of those [1/s], >= 0
  double loss_factor;  ///< 1/Q of every bending mode, on top of `loss`, >= 0
  htz_loss loss;       ///< as of plates: a line in frequency
} htz_disc_desc;

/** What discs of one Poisson's ratio and relative rise share, whatever their size and material. */
typedef struct {
  double poisson, rise;
  size_t n;                   ///< modes, three rigid ones first
  const double* number;       ///< [n] omega tau, ascending, 0 for the rigid ones
  const double* data;         ///< of htz_shape_disc()
  size_t data_n;              ///< its size
  const htz_bending* bending; ///< NULL: modes do not couple
} htz_disc_shapes;

enum {
  HTZ_DISC_RIGID_MODES = 3,   ///< translation and two tilts
  HTZ_DISC_COUPLED_MAX = 400, ///< modes that can be coupled
  HTZ_DISC_COUPLED_MIN = 4,   ///< and at least, when any are
  HTZ_DISC_RISE_MAX = 40,     ///< [thicknesses]
  HTZ_DISC_MODES_MAX = 1024   ///< rigid ones included
};

/**
   Find them: modes of the flat plate, stress functions of a free rim (the modes of a clamped plate), coupling integrals by Gauss-Legendre
   quadrature; then, of a cap, the modes that its membrane stiffness makes of the coupled ones, by order; those beyond are raised by
   omega^2 + E/(rho R^2), R the radius of the cap's sphere.

   @param max_modes rigid ones included, 4..HTZ_DISC_MODES_MAX
   @param coupled 0, or HTZ_DISC_COUPLED_MIN..HTZ_DISC_COUPLED_MAX: the lowest so many modes of the flat plate couple
   @param reach modes more than so many radial functions apart by frequency do not; 0: all do
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread; some tenths of a second for 1024 modes, 300 of them coupled.
*/
htz_status htz_disc_shapes_find(double poisson, double rise, size_t max_modes, size_t coupled, size_t reach, htz_arena* arena,
                                htz_disc_shapes* out);

/** `desc` brought to its tuning_hz, which becomes 0. @return false when its values are not valid or not those of `shapes` */
bool htz_disc_tune(const htz_disc_shapes* shapes, const htz_disc_desc* desc, htz_disc_desc* out);

/** Frequency of the first bending mode, as dimensions and material make it [Hz]. Set-up thread. */
double htz_disc_first_hz(const htz_disc_shapes* shapes, const htz_disc_desc* desc);

/**
   Modes of the disc: rigid motion along the axis and two tilts first, not audible; shapes have a mean square of 1, every modal mass is the
   disc's. `shape_xy` takes x and y as fractions of the square around the disc, as a membrane's; `shape` runs along the diameter y = 0.5.

   @param limit_hz bending modes up to this frequency (at least one) [Hz], > 0
   @param max_modes at most so many, >= 4
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modes_disc(const htz_disc_shapes* shapes, const htz_disc_desc* desc, double limit_hz, size_t max_modes,
                          htz_arena* arena, htz_modes* out);

#endif
