#ifndef HERTZIAN_CONTACT_PIECEWISE_H
#define HERTZIAN_CONTACT_PIECEWISE_H

#include "hertzian/base/arena.h"
#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   Contact with a piecewise linear force, advanced without approximation in either of its phases (Rath, Energy-stable modelling of
   contacting modal objects with piece-wise linear interaction force).

   Any system M q'' + C q' + K q = w F of n coordinates (eq. 3; K and C need not commute), touched at the one point where
   u = w.q by a hammer, a point mass with m_h x'' = -F + m_h g + f_ext, through a massless spring and damper:

     F = k_con eta + c_con eta' while in contact, else 0;    eta = x - u + rod   (eqs. 9, 17 and 18 with x along the blow)

   With z = (q, x, q', v) each phase is z' = A z + b, A from eqs. 14, 15 and 20 (where 12 and 15 have K and C interchanged), and a
   sample is z+ = e^(A T) z plus the exact answer to the constant acceleration of gravity and f_ext.

   Contact begins on a sample: where the free step would end in penetration, a massless rod as long as the distance that is left
   is put between hammer and spring, and the step is made in contact. No energy is added by that. Contact ends on the first sample
   with eta <= 0; what the stretched spring then holds is lost, and the rod is taken away. So energy never grows.
*/
typedef struct {
  size_t n;             ///< coordinates; 0: the hammer meets a wall
  const double* m;      ///< [n][n] row-major, positive definite [kg]
  const double* k;      ///< [n][n] symmetric [N/m]
  const double* c;      ///< [n][n] [N s/m]
  const double* weight; ///< [n] contact point: u = w.q and forces w F []
  double mass;          ///< m_h of the hammer [kg], > 0
  double stiffness;     ///< k_con [N/m], > 0
  double damping;       ///< c_con [N s/m], >= 0
  double gravity;       ///< constant acceleration of the hammer along +x [m/s^2]
} htz_piecewise_system;

/**
   The rods so far. A rod is what was left of the way of one sample when contact began, so it is below |v| T, v the mean speed of
   approach over that sample (unless the hammer was placed inside the body).
*/
typedef struct {
  uint64_t count;    ///< contacts that began with one
  double most;       ///< the longest [m]
  double most_share; ///< the greatest rod/(|v| T) []
} htz_piecewise_rods;

enum { HTZ_PIECEWISE_MAX = 512 }; ///< most coordinates: the contact phase is a full matrix of (2n + 2)^2

typedef struct {
  htz_piecewise_system system; ///< [config] arrays are its own
  double period;               ///< [config] sample period T [s]
  bool diagonal;               ///< [derived] no coordinate of the free system feels another
  double* alone;               ///< [derived] free phase: [n][4] per coordinate, or [2n][2n]
  double* joined;              ///< [derived] contact phase, [2n+2][2n+2] of (q, x, q', v)
  double* push;                ///< [derived] [2n+2] answer of the contact phase to an acceleration of 1 of the hammer
  double* scratch;             ///< [3][2n+2]
  double *q, *p;               ///< [state] [n] displacement [m] and velocity [m/s]
  double x, v;                 ///< [state] hammer [m], [m/s]
  double tip;                  ///< [state] x + rod, kept apart while touching [m]
  double rod;                  ///< [state] of this contact [m], else 0
  double force;                ///< [state] F, its mean over the last sample [N]
  bool touching;               ///< [state]
  htz_piecewise_rods rods;     ///< [counter]
} htz_piecewise;

/**
   Work out the transition matrices of both phases for one sample rate.

   @param why on HTZ_BAD_VALUE or HTZ_UNSUPPORTED one line (static text)
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED (too many coordinates), HTZ_NO_MEMORY. Set-up thread; some 200 n^3 multiply-adds.
*/
htz_status htz_piecewise_new(const htz_piecewise_system* system, double rate_hz, htz_arena* arena, htz_piecewise** out,
                             const char** why);

/** The hammer (re)appears at x with velocity v, not in contact; the body goes on as it was. Audio thread. */
HTZ_RT void htz_piecewise_place(htz_piecewise* system, double x, double v);

/** One sample under a constant extra force on the hammer [N]. Audio thread; (2n+2)^2 multiply-adds in contact. */
HTZ_RT void htz_piecewise_step(htz_piecewise* system, double f_ext);

/** u = w.q [m] and its velocity [m/s]. Any thread. */
HTZ_RT double htz_piecewise_surface(const htz_piecewise* system);
HTZ_RT double htz_piecewise_surface_speed(const htz_piecewise* system);

/** Energy in the contact spring; the whole: 1/2 q'.M q' + 1/2 q.K q + 1/2 m_h v^2 - m_h g x + the spring's [J]. Any thread. */
HTZ_RT double htz_piecewise_stored(const htz_piecewise* system);
HTZ_RT double htz_piecewise_energy(const htz_piecewise* system);

#endif
