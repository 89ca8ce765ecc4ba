#ifndef HERTZIAN_MODEL_GRID_H
#define HERTZIAN_MODEL_GRID_H

#include "hertzian/base/arena.h"
#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"
#include "hertzian/dsp/kernels.h"
#include "hertzian/model/modes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   Bodies of the grid family: finite differences in space, three-point leapfrog in time (Bilbao, Numerical Sound Synthesis, 2009).

   The state is the displacement u now and one step k = 1/fs before. A step goes foresee (u_I, the next displacement if no force acted)
   -> (a network finds the forces) -> push (u_I += J F k^2/(m (1 + sigma_0 k))) -> shift. A force F at a point adds F times the point's
   shares to the grid points in reach, and the displacement there is read with the same shares: spreading and interpolation are
   transposes, so that work is what the point sees.
*/
typedef struct htz_grid htz_grid;

enum {
  HTZ_GRID_REACH = 32,     ///< grid points that one point can reach (on a plate four by four), or modes
  HTZ_GRID_POINTS_MAX = 64 ///< points of one body, without those of distributed contacts
};

/** A point where forces act and displacement is read, between grid points. */
typedef struct {
  size_t n;
  uint32_t at[HTZ_GRID_REACH];  ///< index into the state arrays
  double share[HTZ_GRID_REACH]; ///< they sum to 1
} htz_grid_point;

/** What a class of grid bodies can do. All functions run on the audio thread. */
typedef struct {
  const char* name; ///< "string", "plate", "mass", "barrier"

  /// Write u_I into `next`.
  void (*foresee)(htz_grid* grid);

  /**
     Energy as the scheme conserves it, of the step from `before` to `now` [J]: kinetic from their difference, potential from their
     product. The backward difference on the sigma_1 loss takes sigma_1 k/2 of the squared slope of the velocity off it, so that
     every step loses exactly 2 sigma_0 of the kinetic and 2 sigma_1 of the slope's, never gains.
  */
  double (*energy)(const htz_grid* grid);

  /// Shares of the point (x, y), fractions of length and width, into `point`; a lumped body ignores both. Cubic between the grid
  /// points, linear within one interval of an end; beyond the body: its end.
  void (*locate)(const htz_grid* grid, double x, double y, htz_grid_point* point);

  /**
     Frequencies times `ratio` by tension or stiffness, within what the grid was sized for (ratio_most); decay rates times `loss`,
     plus `damp` [1/s]. Of a string the first partial is exactly `ratio` times hz, with its own losses; a tension below 0 is not
     reached. A sigma_1 that would be unstable is cut, and what is cut off added to sigma_0 as the first partial would have lost it.
  */
  void (*tune)(htz_grid* grid, double ratio, double loss, double damp);
} htz_grid_class;

/** Common head of every grid body; first member of the concrete type. */
struct htz_grid {
  const htz_grid_class* cls; ///< [config]
  size_t n;                  ///< [config] grid points in the state arrays, supports included
  double period;             ///< [config] k [s]
  double mass;               ///< [config] of one inner grid point [kg]
  double ratio_most;         ///< [config] highest tuning ratio that is stable
  size_t n_points;           ///< [config]
  htz_grid_point* points;    ///< [n_points]
  double compliance; ///< [derived] k^2/(mass (1 + sigma_0 k)): how far a force moves an inner grid point in one step [m/N]
  /// [config] [n] factor on `give` of every grid point: 1 inside, 0 where it is held (supported or clamped), 2 at a free end, whose
  /// point has half the mass; NULL: 1 everywhere.
  const double* ease;
  double *next, *now, *before; ///< [state] [n] [m], 64-byte aligned
};

/**
   How an end of a string or bar, or an edge of a plate, is held. Supported: u = 0, u_xx = 0. Clamped: u = 0, u_x = 0 (the grid
   goes on as its mirror image). Free: u_xx = 0 and T u_x = EI u_xxx. All second order in the spacing; without stiffness clamped is
   the same as supported.
*/
typedef enum { HTZ_GRID_SUPPORTED = 0, HTZ_GRID_CLAMPED, HTZ_GRID_FREE } htz_grid_end;

/**
   Stiff lossy string, or with tension 0 a bar:

     rho A u_tt = T u_xx - EI u_xxxx - 2 rho A sigma_0 u_t + 2 rho A sigma_1 u_txx

   with the backward difference on the last term. The grid spacing is the smallest that is stable at `ratio_most` times the pitch,
   h^2 = [b + sqrt(b^2 + 16 kappa^2 k^2)]/2, b = c^2 k^2 + 4 sigma_1 k, kappa^2 = EI/(rho A), fitted to a whole number of intervals, 4
   to 2000; the tension is then tuned so that the first partial of the grid, its dispersion and losses included, is `hz` where that
   is given: the lowest that is not a rigid motion, whatever the ends.
*/
typedef struct {
  double length;      ///< L [m], > 0
  double lin_density; ///< rho A [kg/m], > 0
  double tension;     ///< T [N], >= 0
  double stiffness;   ///< EI [N m^2], >= 0, not both 0
  double sigma0;      ///< [1/s], >= 0
  double sigma1;      ///< [m^2/s], >= 0
  double hz;          ///< first partial of the grid [Hz]: tension (of a bar: stiffness) is made to fit; 0: as given
  double ratio_most;  ///< the highest retuning there will be, >= 1
  htz_grid_end ends[2];
  size_t least;   ///< fewest grid intervals wanted, 0: as the stability limit gives; more than that is refused
  size_t exactly; ///< this many intervals, 0: as the limit gives; refused when unstable
} htz_grid_string_desc;

/**
   @param n_points points, 0..HTZ_GRID_POINTS_MAX, at the middle until htz_grid_place()
   @param why on HTZ_BAD_VALUE or HTZ_UNSUPPORTED a one-line reason that begins with the property at fault and a colon (static text); on
   HTZ_OK NULL, or that the grid is coarser than it might be because of its greatest size
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED (unstable or too coarse at this rate), HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_grid_string_new(const htz_grid_string_desc* desc, double rate_hz, size_t n_points, const htz_kernels* kernels,
                               htz_arena* arena, htz_grid** out, const char** why);

/**
   Frequency of partial `n` (1, 2, ...) by the scheme's own dispersion relation at the present tuning and losses, as if both ends were
   supported [Hz]; NaN beyond the grid's N - 1.
*/
double htz_grid_string_partial(const htz_grid* string, size_t n);

/** The same by the differential equation with the tension the string then has. */
double htz_grid_string_ideal(const htz_grid* string, size_t n);

/** Grid intervals N, the spacing h [m], and the tension after tuning [N]. */
size_t htz_grid_string_intervals(const htz_grid* string);
double htz_grid_string_spacing(const htz_grid* string);
HTZ_RT double htz_grid_string_tension(const htz_grid* string);

/**
   Thin rectangular plate, all edges alike, 13-point biharmonic operator with its own spacing along each side, 4 intervals or more
   along each and 20000 points at most:

     rho H v_tt = -D lap lap v - 2 rho H sigma_0 v_t + 2 rho H sigma_1 lap v_t,    D = E H^3/(12 (1 - nu^2)); a membrane with T: + T lap v
*/
typedef struct {
  double length, width; ///< [m], > 0
  double thickness;     ///< H [m], > 0
  double density;       ///< rho [kg/m^3], > 0
  double young;         ///< E [Pa], >= 0
  double poisson;       ///< nu, 0 <= nu < 0.5
  double tension;       ///< T [N/m], >= 0
  double sigma0;        ///< [1/s], >= 0
  double sigma1;        ///< [m^2/s], >= 0
  double ratio_most;    ///< >= 1
  htz_grid_end edges;   ///< HTZ_GRID_SUPPORTED or HTZ_GRID_CLAMPED
  size_t most;          ///< most grid points wanted, 0: as the stability limit gives; the grid is made coarser to keep to it
  size_t across[2];     ///< exactly so many intervals along length and width, 0: as the limit gives; refused when unstable
} htz_grid_plate_desc;

htz_status htz_grid_plate_new(const htz_grid_plate_desc* desc, double rate_hz, size_t n_points, const htz_kernels* kernels,
                              htz_arena* arena, htz_grid** out, const char** why);

/** Intervals along length and width. */
void htz_grid_plate_intervals(const htz_grid* plate, size_t across[2]);

/** Lumped mass: m w_tt = -m omega_0^2 w - m R w_t + m gravity; one grid point. Stable while omega_0 k < 2. */
typedef struct {
  double mass;    ///< m [kg], > 0
  double hz;      ///< omega_0/(2 pi) [Hz], >= 0
  double loss;    ///< R [1/s], >= 0
  double gravity; ///< [m/s^2]
} htz_grid_mass_desc;

htz_status htz_grid_mass_new(const htz_grid_mass_desc* desc, double rate_hz, htz_arena* arena, htz_grid** out,
                             const char** why);

/** Change a mass, displacement and speed staying; values out of range change nothing. Audio thread. */
HTZ_RT void htz_grid_mass_load(htz_grid* mass, const htz_grid_mass_desc* desc);

/** A force besides [N], in every step to come until told otherwise; its work is force (u+ - u-)/2 a step. Audio thread. */
HTZ_RT void htz_grid_mass_push(htz_grid* mass, double force);

/**
   A body with modes among grids: each mode in a two-step recursion of its own, exact in frequency and decay, so that it takes a force as
   the other bodies of this family do:

     cosh(sigma k) (q+ + q-) + sinh(sigma k) (q+ - q-) - 2 cos(omega k) q = g f,   g = k sin(omega k)/(m omega),

   omega that of the lossy mode, f the modal force. An impulse's response is the mode's own at every sample. Times (q+ - q-)/(2 g) it is
   the balance of an energy that is never negative, [cosh(sigma k) (q^2 + q-^2) - 2 cos(omega k) q q-]/(2 g), with the work f (q+ - q-)/2
   and the loss sinh(sigma k) (q+ - q-)^2/(2 g): a contact between it and a grid keeps its books to rounding.

   @param modes kept by pointer; those below 0.9 of half the sample rate, HTZ_GRID_REACH at most, take part
   @return HTZ_OK, HTZ_UNSUPPORTED when none does, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_grid_modes_new(const htz_modes* modes, double rate_hz, size_t n_points, htz_arena* arena, htz_grid** out,
                              const char** why);

/** A barrier: never moves, give 0, at displacement 0. Its profile is the contact's gap. It has HTZ_GRID_POINTS_MAX points, all alike, as a mass has. */
htz_status htz_grid_barrier_new(htz_arena* arena, htz_grid** out);

// --- what works on every class, audio thread

/** Move point `p` to (x, y), fractions of length and width. Call between steps. */
HTZ_RT void htz_grid_place(htz_grid* grid, size_t p, double x, double y);

/** Displacement at point `p` [m]: next (after foresee), now, before. */
HTZ_RT double htz_grid_next(const htz_grid* grid, size_t p);
HTZ_RT double htz_grid_now(const htz_grid* grid, size_t p);
HTZ_RT double htz_grid_before(const htz_grid* grid, size_t p);

/** How far a force at point `r` moves point `p` in one step [m/N]; symmetric. */
HTZ_RT double htz_grid_compliance(const htz_grid* grid, size_t p, size_t r);

/** A force [N] acts at point `p` during this step: after foresee, before shift. */
HTZ_RT void htz_grid_push(htz_grid* grid, size_t p, double force);

/** next becomes now, now becomes before. */
HTZ_RT void htz_grid_shift(htz_grid* grid);

/** At rest. */
HTZ_RT void htz_grid_reset(htz_grid* grid);

/** Displacements and velocities `factor` times what they are. */
HTZ_RT void htz_grid_scale(htz_grid* grid, double factor);

/**
   The whole body (of a string or plate: a raised cosine of half-width or radius `width`, a fraction of its length, about (x, y)) gets
   this much more velocity [m/s] or displacement [m]. A barrier does not.
*/
HTZ_RT void htz_grid_kick(htz_grid* grid, double x, double y, double width, double velocity);
HTZ_RT void htz_grid_bend(htz_grid* grid, double x, double y, double width, double height);

/** Pull the string at x into a triangle of this height, on top of what it does [m]: a pluck that is let go. */
HTZ_RT void htz_grid_pluck(htz_grid* grid, double x, double height);

#endif
