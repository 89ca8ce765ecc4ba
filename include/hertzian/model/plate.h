#ifndef HERTZIAN_MODEL_PLATE_H
#define HERTZIAN_MODEL_PLATE_H

#include "hertzian/model/modes.h"

#include <stdbool.h>

/** How all four edges are held. */
typedef enum { HTZ_PLATE_SUPPORTED = 0, HTZ_PLATE_CLAMPED, HTZ_PLATE_FREE } htz_plate_edges;

enum {
  HTZ_PLATE_RITZ_MODES = 256, ///< bending modes of a clamped or free plate; a supported one has as many as are asked for
  HTZ_PLATE_DEGREE_MAX = 104  ///< of its shapes, along each side
};

/** A thin rectangular plate (Kirchhoff), alike in all directions or with a grain along x. */
typedef struct {
  htz_plate_edges edges;
  double length;       ///< along x [m], > 0
  double width;        ///< along y [m], > 0
  double thickness;    ///< [m], > 0; 0 with tuning_hz: as the pitch wants it
  double density;      ///< [kg/m^3], > 0
  double young;        ///< Young's modulus along x [Pa], > 0
  double young_across; ///< along y [Pa], > 0
  double shear;        ///< shear modulus in the plane [Pa], > 0; E/(2 (1 + nu)) when alike in all directions
  double poisson;      ///< contraction along y when pulled along x, >= 0; poisson^2 young_across/young < 1
  double tuning_hz;    ///< frequency of the first bending mode [Hz], to which thickness is made where it is 0, else length and
                       ///< width in their proportion; 0: as dimensions and material make it
  double support_hz; ///< frequency of a free plate's three rigid motions on its supports [Hz], below the first bending mode; 0:
                     ///< truly free
  double support_loss; ///< decay rate of those motions [1/s]
  double loss_factor;  ///< sigma = pi loss_factor f, >= 0, on top of `loss`
  htz_loss loss;       ///< k^2 = omega sqrt(rho h/sqrt(Dx Dy)); a line in frequency
  double line[4];      ///< x0, y0, x1, y1, fractions in [0, 1]: shape(x) runs from the first point to the second
} htz_plate_desc;

/**
   What the clamped or free plates of one instrument share when they have the same proportions and material: frequency numbers and
   shapes. Nothing for supported ones, which have a closed form.

   A Ritz solution of U = 1/2 int Dx w_xx^2 + 2 D1 w_xx w_yy + Dy w_yy^2 + 4 Dxy w_xy^2, D1 = nu_yx Dx, Dxy = G h^3/12. The
   functions are products along x and y of polynomials whose second derivatives are Legendre's; clamped edges leave out those with
   value or slope at the ends, free ones add the rigid motions. Within 2e-4 of the limit in its highest modes, 2e-7 in its first.
*/
typedef struct {
  htz_plate_edges edges;
  double aspect;           ///< length over width
  double coupling, across; ///< D1/Dx, Dy/Dx
  double twist;            ///< Dxy/Dx
  size_t n;                ///< bending modes
  const double* number;    ///< omega = number h/a^2 sqrt(Ex/(12 rho (1 - nu_xy nu_yx))), [n], ascending
  const double* data;      ///< HTZ_PLATE_HEAD numbers, then per mode the parities in x and y and coefficients of
                           ///< P_(2i + px)(2x - 1) P_(2j + py)(2y - 1), row i
  size_t data_n;
} htz_plate_shapes;

/**
   Find them. Only edges, aspect, elastic constants and line of `desc` are looked at.

   @param max_modes bending modes wanted, fewer when the plate is so long that its shapes would take more than HTZ_PLATE_DEGREE_MAX
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread; some milliseconds for 32 modes, a second for 256.
*/
htz_status htz_plate_shapes_find(const htz_plate_desc* desc, size_t max_modes, htz_arena* arena, htz_plate_shapes* out);

/**
   Modes of a plate of known shapes, which must outlive them.

   A supported plate is htz_modes_board()'s, of modal mass rho h a b/4. Of a clamped or free one every modal mass is the plate's (mean
   square of a shape 1). The rigid motions of a free one come first: w = 1, sqrt(3) (2x - 1) and sqrt(3) (2y - 1), at `support_hz`
   with decay `support_loss`, not audible.

   @param limit_hz bending modes up to this frequency (at least one) [Hz], > 0
   @param max_modes at most so many, rigid motions included
   @return HTZ_OK, HTZ_BAD_VALUE (also when the shapes are those of another plate), HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modes_plate_from(const htz_plate_shapes* shapes, const htz_plate_desc* desc, double limit_hz, size_t max_modes,
                                htz_arena* arena, htz_modes* out);

/** Both in one. */
htz_status htz_modes_plate(const htz_plate_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out);

/** Frequency of the first bending mode, as dimensions and material make it [Hz]; `shapes` its own. Set-up thread. */
double htz_plate_first_hz(const htz_plate_shapes* shapes, const htz_plate_desc* desc);

/** `desc` brought to its tuning_hz, which becomes 0; see there. @return false when its values are not valid */
bool htz_plate_tune(const htz_plate_shapes* shapes, const htz_plate_desc* desc, htz_plate_desc* out);

#endif
