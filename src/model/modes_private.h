#ifndef HERTZIAN_MODEL_MODES_PRIVATE_H
#define HERTZIAN_MODEL_MODES_PRIVATE_H

#include "hertzian/model/modes.h"
#include "hertzian/model/plate.h"

#include <stdbool.h>

/**
   The shape functions behind htz_modes.shape, and what each expects in `data`. All clamp x to [0, 1] and take NaN as 0.

   Rigid translation and rotation come first, where the body has them.
*/
HTZ_RT void htz_shape_string(const htz_modes* modes, double x, double* phi);     ///< no data
HTZ_RT void htz_shape_free_bar(const htz_modes* modes, double x, double* phi);   ///< beta L, one per bending mode
HTZ_RT void htz_shape_cantilever(const htz_modes* modes, double x, double* phi); ///< HTZ_CANTILEVER_DATA per mode
HTZ_RT void htz_shape_series(const htz_modes* modes, double x,
                             double* phi); ///< rotation scale, then HTZ_BAR_TERMS per bending mode
HTZ_RT void htz_shape_thick_bar(const htz_modes* modes, double x, double* phi); ///< HTZ_THICK_DATA per mode
HTZ_RT void htz_shape_thick_bar_xy(const htz_modes* modes, double x, double y,
                                   double* phi);                           ///< the same, where there is torsion
HTZ_RT void htz_shape_rows(const htz_modes* modes, double x, double* phi); ///< rows of n values, data_n / n of them
HTZ_RT void htz_shape_ones(const htz_modes* modes, double x, double* phi); ///< no data
HTZ_RT void htz_shape_rim(const htz_modes* modes, double x, double* phi);  ///< nodal diameters, below 0 of the second of a pair
HTZ_RT void htz_shape_rim_xy(const htz_modes* modes, double x, double y, double* phi); ///< the same
HTZ_RT void htz_shape_board(const htz_modes* modes, double x, double* phi); ///< the line's x0, y0, x1, y1, then m, n per mode
HTZ_RT void htz_shape_board_xy(const htz_modes* modes, double x, double y, double* phi);    ///< the same
HTZ_RT void htz_shape_beamed(const htz_modes* modes, double x, double* phi);                ///< as htz_board_beam() lays it
HTZ_RT void htz_shape_beamed_xy(const htz_modes* modes, double x, double y, double* phi);   ///< the same
HTZ_RT void htz_shape_membrane(const htz_modes* modes, double x, double* phi);              ///< HTZ_MEMBRANE_DATA per mode
HTZ_RT void htz_shape_membrane_xy(const htz_modes* modes, double x, double y, double* phi); ///< the same
HTZ_RT void htz_shape_plate(const htz_modes* modes, double x, double* phi);                 ///< as htz_plate_shapes.data
HTZ_RT void htz_shape_plate_xy(const htz_modes* modes, double x, double y, double* phi);    ///< the same
HTZ_RT void htz_shape_disc(const htz_modes* modes, double x,
                           double* phi); ///< where the rows start; HTZ_DISC_DATA per mode; rows
HTZ_RT void htz_shape_disc_xy(const htz_modes* modes, double x, double y, double* phi); ///< the same

/** Of a disc's mode, not a rigid one: its radial function at r, 0..1, and its nodal diameters. Audio thread. */
HTZ_RT double htz_disc_radial_at(const htz_modes* modes, size_t k, double r);
HTZ_RT unsigned htz_disc_order(const htz_modes* modes, size_t k, bool* second);

/** And its wave number times the radius. */
HTZ_RT double htz_disc_number(const htz_modes* modes, size_t k);

enum {
  HTZ_RIGID_MODES = 2,   ///< translation and rotation of a body that moves in one plane
  HTZ_BOARD_LINE = 4,    ///< numbers before those of the modes
  HTZ_MEMBRANE_DATA = 4, ///< nodal diameters, zero, scale, 1 for the second of a pair
  HTZ_THICK_DATA = 5,    ///< HTZ_THICK_*, k L/2 or n pi, a L/2, weight of cos or sin, of cosh or sinh over its value at the end
  HTZ_DISC_HEAD = 1,     ///< where the rows start
  HTZ_DISC_DATA = 4,     ///< row, nodal diameters, 1 for the second of a pair, wave number times radius
  HTZ_DISC_POINTS = 257, ///< of a row, from the middle to the rim: a cubic between them is within 1e-3 for 1024 modes
  HTZ_DISC_ORDERS = 128, ///< more than the nodal diameters of any of those
  HTZ_PLATE_RIGID = 3,   ///< translation and two rotations of a free plate
  HTZ_PLATE_HEAD = 7,    ///< terms along x and y, rigid motions, the line's x0, y0, x1, y1
  HTZ_CANTILEVER_DATA = 4 ///< beta L, weight of exp(-beta (L - x)), of -cos, of sin
};

/**
   Numbers of a board with a beam in `data`: the line, the number b of the bare plate's modes, b rounded up to HTZ_LANES, the highest m and the
   highest n; m, n of each; b coefficients per mode; m, n of the bare mode that is strongest in each. Numbers and rows of coefficients start
   on 64-byte boundaries and end in zeros, as the kernels want them.
*/
enum { HTZ_BEAMED_BASIS = HTZ_BOARD_LINE, HTZ_BEAMED_WIDE, HTZ_BEAMED_MOST_M, HTZ_BEAMED_MOST_N, HTZ_BEAMED_HEAD };

static inline size_t htz_beamed_basis(const htz_modes* modes) {
  return (size_t)modes->data[HTZ_BEAMED_BASIS];
}

static inline size_t htz_beamed_wide(const htz_modes* modes) {
  return (size_t)modes->data[HTZ_BEAMED_WIDE];
}

static inline const double* htz_beamed_numbers(const htz_modes* modes) {
  return modes->data + HTZ_BEAMED_HEAD;
}

static inline const double* htz_beamed_row(const htz_modes* modes, size_t k) {
  return modes->data + HTZ_BEAMED_HEAD + (2 + k) * htz_beamed_wide(modes);
}

static inline const double* htz_beamed_strongest(const htz_modes* modes, size_t k) {
  return htz_beamed_row(modes, modes->n) + 2 * k;
}

/** Decay rate of a board's mode at `hz` [1/s]. */
double htz_board_sigma(const htz_board_desc* desc, double hz);

/** Glue the beam of `desc` on the bare board `bare`. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_board_beam(const htz_board_desc* desc, const htz_modes* bare, htz_arena* arena, htz_modes* out);

enum { HTZ_THICK_EVEN = 0, HTZ_THICK_ODD, HTZ_THICK_TWIST }; ///< a bending mode as cos and cosh, as sin and sinh; twisting

/** Decay rate against some variable y that grows with frequency: slope y + offset, y first limited to [low, high]. */
typedef struct {
  double offset; ///< [1/s]
  double slope;  ///< [1/s per unit of y]
  double low;    ///< least y the line is trusted at
  double high;   ///< greatest y the line is trusted at
} htz_loss_law;

/** True when the numbers of `loss` are in their documented ranges. */
bool htz_loss_valid(const htz_loss* loss);

/** True when `loss` is given as decay times. */
bool htz_loss_is_times(const htz_loss* loss);

/** The law of a loss given by coefficients, y being the squared wave number [1/m^2]. */
htz_loss_law htz_loss_law_coefficients(const htz_loss* loss);

/**
   The line through two decay times, y[i] being the variable at t60_hz[i].

   Both points are met exactly. Where the line falls with y it is held constant outside them, and where it would be negative at
   y = 0 it is held constant below the first, so that no mode ever has a decay rate below the smaller of the two.
*/
htz_loss_law htz_loss_law_times(const htz_loss* loss, const double y[2]);

/** Decay rate [1/s] at y. */
double htz_loss_at(const htz_loss_law* law, double y);

/** Lay the arrays of `n` modes and `data_n` numbers for the shapes into `arena`; everything audible, nothing filled in. */
htz_status htz_modes_lay(size_t n, size_t data_n, htz_arena* arena, htz_modes* out, double** data);

/** Decay rate of a bar with its first partial at `first_hz`, as a function of frequency [Hz]. */
htz_loss_law htz_bar_loss(const htz_bar_desc* desc, double first_hz);

/** The number beta_k L of bending mode k = 1, 2, ... of a uniform bar: cos cosh = 1 (free) or -1 (cantilever). */
double htz_bar_uniform_number(htz_bar_ends ends, size_t k);

/**
   Give `shapes` the bending modes of a free bar thinned so that its second and, when n_partials > 2, third mode stand in the
   ratios asked. @return HTZ_OK, HTZ_NOT_FOUND when no undercut does that, HTZ_NO_MEMORY.
*/
htz_status htz_bar_undercut_find(size_t n_partials, const double* partials, htz_bar_shapes* shapes);

/**
   Solve for shapes and numbers of the plate whose edges, aspect and stiffness `out` has; `line` [HTZ_BOARD_LINE] goes with them.
   See htz_plate_shapes_find().
*/
htz_status htz_plate_ritz(const double* line, size_t max_modes, htz_arena* arena, htz_plate_shapes* out);

#endif
