#ifndef HERTZIAN_CONTACT_FRICTION_H
#define HERTZIAN_CONTACT_FRICTION_H

#include "hertzian/base/rt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   Friction of a bow: the force on the string is -F(v), v = speed of the string past the bow [m/s], normal force Fb [N].

   Static curve: F = Fb phi(v), phi(v) = sqrt(2 a) v exp(1/2 - a v^2) (Bilbao, Numerical Sound Synthesis, 2009, 4.3.1).
   Elasto-plastic: bristles of deflection z; z' = v (1 - alpha(z, v) z/z_ss(v)), F = s0 z + s1 z' + s2 v (Dupont et al., 2002;
   Serafin, Avanzini and Rocchesso, 2003).
*/
typedef enum { HTZ_FRICTION_STATIC = 0, HTZ_FRICTION_BRISTLES } htz_friction_kind;

typedef struct {
  htz_friction_kind kind;
  double sharpness;             ///< a of the static curve [s^2/m^2], > 0
  double mu_static, mu_dynamic; ///< friction coefficients, > 0
  double stribeck;              ///< speed [m/s], > 0
  double s0, s1, s2;            ///< bristle stiffness [N/m], damping [N s/m], viscous friction [N s/m]
} htz_friction;

/** What it remembers. */
typedef struct {
  double v;      ///< speed past the bow found last: the branch the solver stays on [m/s]
  double z;      ///< bristle deflection [m]
  double normal; ///< normal force when it was last solved [N]
  bool sticks;   ///< on the rising branch of the curve, or bristles that do not slip
  uint64_t solves, iterations, unconverged;
} htz_friction_state;

/**
   Solve v = free - gain F(v) over one step, staying on the previous branch where there are several roots. Bounded work.

   @param free speed past the bow over the step if there were no friction [m/s]
   @param gain speed lost per newton over the step [m/s per N], >= 0 (exact-hold C/d, grid give/(2 k))
   @param normal Fb [N], >= 0
   @param d length of the step [s]
   @return the friction force on the bow, F; the string feels -F
*/
HTZ_RT double htz_friction_solve(const htz_friction* law, htz_friction_state* state, double free, double gain, double normal,
                                 double d);

/** One of several frictions on bodies that feel each other. */
typedef struct {
  const htz_friction* law;
  const htz_friction_state* state; ///< before the step
  double normal;                   ///< Fb [N], >= 0
  double force;                    ///< on the bow over the step [N]; at first a guess
  htz_friction_state next;         ///< found: after the step
} htz_rubbed;

enum { HTZ_FRICTIONS_MAX = 64 }; ///< that are solved together

/** What that took; all only ever grow. */
typedef struct {
  uint64_t rounds; ///< solves of several in turn, or of one speed after the other
  uint64_t joint;  ///< steps in which they did not agree in turn
} htz_rubbed_count;

/**
   Solve v_i = free_i - sum_j gain_ij F_j(v_j) over one step, each on its previous branch where there are several roots. Bounded work.

   @param n <= HTZ_FRICTIONS_MAX
   @param free [n] @param gain [n][n] symmetric and positive semidefinite, as of htz_friction_solve()
   @param give where they are so close together that no round gets far, each is taken to give way by itself by this share of what its body
   does: what a force does to that is not changed, only the speed at which friction is looked up. 0: for who can take shorter steps
   @return false when it is not solved to rounding: forces are then the last that were tried
*/
HTZ_RT bool htz_friction_solve_several(size_t n, htz_rubbed* of, const double* free, const double* gain, double give, double d,
                                       htz_rubbed_count* count);

/** U = gain Fb max|phi'|: above 2.24 there are several roots (static curve); for bristles the same of their steady curve. */
double htz_friction_stiffness(const htz_friction* law, double gain, double normal);

/**
   True when the law is one: every value of its kind in range and, for bristles, mu_static >= mu_dynamic and s2 >= s1 (mu_static/mu_dynamic -
   1), which keeps the damping of the bristles from driving the string. Set-up thread.
*/
bool htz_friction_valid(const htz_friction* law, const char** why);

#endif
