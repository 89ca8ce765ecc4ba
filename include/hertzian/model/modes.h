#ifndef HERTZIAN_MODEL_MODES_H
#define HERTZIAN_MODEL_MODES_H

#include "hertzian/base/arena.h"
#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"

#include <stddef.h>

enum { HTZ_MODES_MAX = 65536 }; ///< modes of one body; more are not made whatever is asked

/** What a body radiates as (radiation.h). */
typedef enum {
  HTZ_RADIATES_NOTHING = 0,
  HTZ_RADIATES_PLATE,
  HTZ_RADIATES_SKIN,
  HTZ_RADIATES_DISC,
  HTZ_RADIATES_LINE,
  HTZ_RADIATES_MOUTH
} htz_radiates;

/** What keeps the air in front of a plate from the air behind it. */
typedef enum { HTZ_BAFFLE_NONE = 0, HTZ_BAFFLE_RIM, HTZ_BAFFLE_WALL } htz_baffle;

/** What the pressure of a body at an ear needs besides its modes. */
typedef struct {
  htz_radiates as;
  htz_baffle baffle; ///< of a plate
  double length;     ///< of a plate or line along x, the diameter of a skin or disc [m]
  double width;      ///< of a plate, or of a line that twists [m]
  double air;        ///< of a line: mass of the air that goes with it [kg/m]
  double
      twisted; ///< of a line that twists: what goes with either half of its `width`, per metre at a quarter of it [kg/m]; 0: it does not
  double area;     ///< of a mouth [m^2]
  const char* why; ///< where nothing is radiated: why, "property: reason" (static text)
} htz_radiator;

/**
   What a modal body is made of: frequencies, losses, modal masses and shapes. Immutable once built; bodies keep a pointer.
*/
typedef struct htz_modes htz_modes;

struct htz_modes {
  size_t n;      ///< modes
  double* omega; ///< angular frequency without loss [rad/s], ascending, 0 for a rigid motion of a body without supports
  double* sigma; ///< decay rate [1/s], T60 = 3 ln 10 / sigma
  double* mass;  ///< modal mass for shapes as `shape` gives them [kg]
  unsigned char* audible; ///< 0: a mode that takes part in the contact but is not heard (rigid motion on the supports)
  /// Write phi_k(x), k < n, x a fraction of the length in [0, 1] (clamped). Audio thread.
  void (*shape)(const htz_modes* modes, double x, double* phi);
  const double*
      end_force; ///< force on the support at x = 1 per modal displacement [N/m], [n]; NULL: none. Scales with omega^2 when retuned.
  /// Shape at a point of a surface, x and y fractions in [0, 1]; NULL for bodies with a length only. Audio thread.
  void (*shape_xy)(const htz_modes* modes, double x, double y, double* phi);
  double stretch; ///< EA/L: force per relative lengthening over the length [N/m]; of a skin tension per growth over its area
                  ///< [N/m^3]; 0: lengthening costs nothing
  const double*
      bend; ///< integral of (dphi/dx)^2 over the length [1/m], of |grad phi|^2 over the area, per mode, [n]; NULL where
            ///< stretch is 0
  const struct htz_bending* bending; ///< how modes couple when they are large (bending.h), kept by pointer; NULL: they do not
  double bending_energy;             ///< of it: D h^2/a^2 [J], and thicknesses per modal displacement [1/m]
  double bending_scale;
  const double* data; ///< whatever `shape` needs
  size_t data_n;      ///< its size
  size_t left_out;    ///< modes below the frequency limit that a cap on their number left out (plates: by the closed form of a
                      ///< supported one); 0 where nobody counted
  htz_radiator radiator; ///< what it radiates as
};

/**
   How losses are given. Either `loss0`/`loss1` or decay times at two frequencies; `t60_hz[0] > 0` selects the times.

   Coefficients: sigma_n = loss0 + loss1 k_n^2, k_n the wave number of the mode: n pi/L on a string; on a bar the one a uniform
   bar of that length has at the mode's frequency, k^2 = (beta_1 L)^2/L^2 f/f_1, so that it grows with f whatever the undercut.

   Times: the same law through both points. On a string sigma is a line in k^2, k taken at each frequency with stiffness; on a bar
   it is a line in f (a constant loss factor, as of wood and metal, plus the losses at the supports). Where the second time is
   the longer one, modes outside the two frequencies keep the nearer one's decay; where the line would go below zero at low
   frequencies, modes below the first keep the first's. `t60_hz[1]` = 0: one decay time for all modes.
*/
typedef struct {
  double loss0;     ///< frequency-independent loss sigma0 [1/s], >= 0
  double loss1;     ///< loss per squared wave number sigma1 [m^2/s], >= 0
  double t60_hz[2]; ///< two frequencies, ascending [Hz]; [1] may be 0
  double t60_s[2];  ///< decay time to -60 dB at those [s], > 0
} htz_loss;

typedef struct {
  double length;        ///< speaking length [m], > 0
  double tension;       ///< [N], > 0; or 0 and `tuning_hz` given
  double tuning_hz;     ///< frequency of partial 1, stiffness included [Hz]; used when tension is 0
  double core_diameter; ///< diameter of the stiff core [m], >= 0 (0: no stiffness)
  double core_density;  ///< [kg/m^3], > 0 when there is a core
  double lin_density;   ///< mass per length of core and winding together [kg/m]; 0: the core's alone
  double young;         ///< Young's modulus of the core [Pa]
  double inharmonicity; ///< B if given directly (>= 0), or < 0 to take it from the core
  double stretch;       ///< EA, force per relative lengthening [N], >= 0; 0: the tension stays what it is
  htz_loss loss;
} htz_string_desc;

/** Ends of a bar. */
typedef enum { HTZ_BAR_FREE = 0, HTZ_BAR_CANTILEVER } htz_bar_ends;

enum { HTZ_BAR_PARTIALS_MAX = 8 };

typedef struct {
  htz_bar_ends ends;
  double mass;                     ///< total mass [kg], > 0 (or 0: from length, width, thickness, density, less the undercut)
  double length, width, thickness; ///< [m], thickness before cutting; needed when mass is 0 or tuning_hz is 0
  double density;                  ///< [kg/m^3]
  double young;                    ///< [Pa]; needed when tuning_hz is 0
  double tuning_hz;                ///< frequency of the first bending mode [Hz], or 0 to take it from geometry and material
  size_t n_partials;               ///< 0: uniform bar; else the ratios the bar is cut to
  double partials[HTZ_BAR_PARTIALS_MAX]; ///< ratios to the first, ascending from 1
  double support_hz;   ///< frequency of the rigid motions on their supports [Hz], below the first bending mode; 0: truly free
                       ///< (omega = 0). Free ends only.
  double support_loss; ///< decay rate of those motions [1/s]
  double shear;        ///< shear modulus [Pa], of htz_modes_bar_thick()
  double shear_share;  ///< the same: share of the section that carries the shear, 5/6 of a rectangle
  size_t torsion;      ///< the same: twisting modes
  htz_loss loss;
} htz_bar_desc;

enum {
  HTZ_BAR_MODES_MAX = 20, ///< bending modes of an undercut bar; a uniform one has as many as are asked for
  HTZ_BAR_TERMS = 36      ///< Legendre coefficients per shape, of one parity
};

/**
   What the bars of one instrument share: the frequencies of their bending modes relative to the first, and the shapes.

   Found once by htz_bar_shapes_find(), then any number of bars are built from it. Plain data, may be copied.

   An undercut bar is cut from a rectangular block of thickness h0 and keeps its width; its own thickness is
   h(x) = h0 (1 - depth exp(-(|2x - 1|/half_width)^exponent)), a smooth arch about the middle. Its modes are a Ritz solution of
   (E I w'')'' = omega^2 rho A w with free ends, I ~ h^3, A ~ h.
*/
typedef struct {
  htz_bar_ends ends;
  int true_shapes;   ///< 1: the shapes are those of a bar that has these ratios; 0: of a uniform bar that has not
  size_t n_partials; ///< ratios given; the rest follow from the bar
  double partials[HTZ_BAR_PARTIALS_MAX]; ///< those
  double depth;                          ///< of the undercut, fraction of h0 in [0, 1); 0: uniform
  double half_width;                     ///< of the undercut, fraction of half the length
  unsigned exponent;                     ///< of the undercut, even
  double mass_ratio;                     ///< mass over that of the uncut block
  size_t n; ///< bending modes in `number` and `series`; 0 for a uniform bar, whose modes have a closed form
  double number[HTZ_BAR_MODES_MAX];                ///< omega = number h0/L^2 sqrt(E/(12 rho))
  double rotation;                                 ///< the rigid rotation is rotation (2x - 1)
  double series[HTZ_BAR_MODES_MAX][HTZ_BAR_TERMS]; ///< phi(x) = sum_j series[k][j] P_(2j + (k odd))(2x - 1)
} htz_bar_shapes;

/** An orthotropic rectangular plate, simply supported all round, with a line along which it is driven: a soundboard. */
typedef struct {
  double length;       ///< along x, the grain of the wood [m], > 0
  double width;        ///< along y [m], > 0
  double thickness;    ///< [m], > 0
  double density;      ///< [kg/m^3], > 0
  double young;        ///< Young's modulus along x [Pa], > 0
  double young_across; ///< along y [Pa], > 0
  double shear;        ///< shear modulus in the plane [Pa], > 0
  double poisson;      ///< contraction along y when pulled along x, >= 0; poisson^2 young_across/young < 1
  double q;            ///< quality factor at low frequencies, > 0
  double q_high;       ///< and at q_high_hz, > 0; 1/Q is a line in frequency
  double q_high_hz;    ///< [Hz], > 0; 0: q everywhere
  double line[4];      ///< x0, y0, x1, y1, fractions in [0, 1]: shape(x) runs from the first point to the second
  double beam_mass;    ///< of a beam glued on along that line, its bridge [kg/m], >= 0
  double beam_bending; ///< its E I, in bending out of the plate [N m^2], >= 0
} htz_board_desc;

/**
   Complete a string: tension (from `tuning_hz` when 0), `tuning_hz` (of partial 1, from the tension otherwise), `lin_density`
   and `inharmonicity` = pi^3 E d^4/(64 T L^2).

   @return HTZ_OK, HTZ_BAD_VALUE. Set-up thread.
*/
htz_status htz_string_resolve(const htz_string_desc* desc, htz_string_desc* out);

/**
   Modes of a stiff string with simply supported ends: f_n = n f0 sqrt(1 + B n^2), phi_n(x) = sin(n pi x), modal mass
   lin_density length / 2. Loss by htz_loss with k_n = n pi / length.

   @param limit_hz modes up to this frequency (at least one) [Hz], > 0
   @param max_modes at most this many, > 0
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modes_string(const htz_string_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out);

/**
   Shapes and frequency ratios of a bar of which the first bending modes stand in given ratios.

   Without partials, or with only [1], or where they are within 0.1 % of a uniform bar's, the bar is uniform. Otherwise, if its
   ends are free, the undercut is found with which modes 1, 2 and 3 (or 1 and 2 when two partials are given) are in the ratios
   asked to 1e-9. When there is none, the shapes stay those of a uniform bar and `true_shapes` is 0.

   Partials beyond the third are imposed on the modes of that number. Modes beyond the last partial keep their ratios to the
   mode of that number, so that frequencies always ascend.

   Costs up to some tens of milliseconds. @return HTZ_OK, HTZ_BAD_VALUE (ratios that do not ascend from 1), HTZ_NO_MEMORY.
   Set-up thread.
*/
htz_status htz_bar_shapes_find(htz_bar_ends ends, size_t n_partials, const double* partials, htz_bar_shapes* out);

/**
   Bending modes of a bar (Euler-Bernoulli) of known shapes, with the rigid translation and rotation first when its ends are
   free. `desc->partials` is not looked at; `desc->ends` must be that of the shapes.

   The two rigid motions (phi = 1, and phi proportional to x - 1/2) are at `support_hz` with decay `support_loss`, not audible.
   Shapes are normalised so that every modal mass is the total mass of the bar; phi > 0 at x = 1. A cantilever is clamped at
   x = 0. At the end of a uniform bar |phi| = 2.

   @param limit_hz bending modes up to this frequency (at least one) [Hz], > 0
   @param max_modes at most this many, rigid motions included: at least 3 with free ends, 1 for a cantilever
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modes_bar_from(const htz_bar_shapes* shapes, const htz_bar_desc* desc, double limit_hz, size_t max_modes,
                              htz_arena* arena, htz_modes* out);

/**
   htz_bar_shapes_find() and htz_modes_bar_from() in one. For several bars of the same ratios do the first only once.

   @param true_shapes set to htz_bar_shapes.true_shapes; may be NULL
*/
htz_status htz_modes_bar(const htz_bar_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out,
                         int* true_shapes);

/**
   Modes of a uniform free bar that is not thin beside its waves (Timoshenko): shear and rotary inertia lower its high partials. Needs
   length, width, thickness, density, young, shear and shear_share; with `tuning_hz` all frequencies are in proportion. Rigid translation
   and rotation come first; where there is `torsion` also rolling about its length, and the bar is a surface: twisting has phi = 0 in the
   middle of its width. Every bending mode has the mass of the bar, rotary inertia included. No modes above the frequency of shear.

   @param max_modes rigid motions included
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modes_bar_thick(const htz_bar_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out);

/**
   Modes from a list: frequency [Hz], >= 0, decay rate [1/s], >= 0, modal mass [kg], > 0; sorted by frequency here. Shapes are
   given per point by the caller (`phi` [n_points][n], row round(x (n_points - 1))), or all 1 when phi is NULL.

   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modes_list(size_t n, const double* frequency_hz, const double* sigma, const double* mass, size_t n_points,
                          const double* phi, htz_arena* arena, htz_modes* out);

/**
   Modes of a rim that bends and does not stretch: across it phi_k(x) = cos(2 pi n x), or sin(2 pi |n| x) where n = `diameters[k]` < 0;
   x is the share of the way round. `shape_xy` is the motion in a direction turned by y quarter turns from across the rim to along it,
   where it is -sin(2 pi n x)/n or cos(2 pi |n| x)/|n| (Inacio, Henrique, Antunes 2006). Else as htz_modes_list(); whole numbers.
*/
htz_status htz_modes_rim(size_t n, const double* frequency_hz, const double* sigma, const double* mass, const double* diameters,
                         htz_arena* arena, htz_modes* out);

/** True when a place on it changes nothing: each mode has one value all over (a list without shapes). Any thread. */
bool htz_modes_same_all_over(const htz_modes* modes);

/** True when places 0 and 1 are the same: those of htz_modes_rim(). Any thread. */
bool htz_modes_is_closed(const htz_modes* modes);

/**
   Modes of a plate: f_mn = (pi/2) sqrt[(Dx (m/a)^4 + 2 H (m n/(a b))^2 + Dy (n/b)^4)/(rho h)], phi = sin(m pi x) sin(n pi y),
   modal mass rho h a b/4; Dx = Ex h^3/(12 (1 - nuxy nuyx)), nuyx = nuxy Ey/Ex, H = Dx nuyx + 2 Gxy h^3/12. `shape` runs along
   the line, `shape_xy` over the plate.

   With a beam the modes are those of plate and beam together, by Ritz's method on the bare plate's: shapes are sums of theirs, the modal
   mass is the bare plate's. Modes above the highest bare one are left out. The beam bends and moves with the plate; its twisting costs
   nothing.

   @param limit_hz modes up to this frequency (at least one) [Hz], > 0
   @param max_modes the lowest so many, 1..HTZ_BOARD_MODES_MAX; with a beam 1..HTZ_BOARD_BEAM_MODES_MAX, of which some may be left out
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modes_board(const htz_board_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out);

enum {
  HTZ_BOARD_MODES_MAX = 4096,     ///< modes of one plate
  HTZ_BOARD_BEAM_MODES_MAX = 1024 ///< with a beam on it
};

#endif
