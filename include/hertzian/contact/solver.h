#ifndef HERTZIAN_CONTACT_SOLVER_H
#define HERTZIAN_CONTACT_SOLVER_H

#include "hertzian/base/arena.h"
#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   One impact, many methods: a hammer (a point mass) thrown at a rigid wall or at the contact point of a modal body, advanced
   sample by sample by one of several published schemes or by the house solver. All methods share this interface, so that they can
   be measured side by side and chosen for an instrument.

   Coordinates: x is the hammer's displacement, positive towards and into the body; u = sum_k weight_k q_k that of the body's contact
   point; eta = x - u the penetration. The contact force F pushes the hammer along -x and the body along +x:

     mass x'' = -F + mass gravity + f_ext,    modal_mass_k (q_k'' + 2 sigma_k q_k' + omega_k^2 q_k) = weight_k F

   with F = K [eta]+^alpha (1 + mu eta'). Registry: src/contact/reference/solvers.def.
*/
typedef struct {
  double mass;              ///< of the hammer [kg], > 0
  double stiffness;         ///< K [N/m^alpha], > 0
  double exponent;          ///< alpha, >= 1
  double viscosity;         ///< mu [s/m], >= 0
  double gravity;           ///< constant acceleration of the hammer along +x [m/s^2]
  size_t n_modes;           ///< 0: a rigid wall
  const double* omega;      ///< [n_modes] [rad/s], >= 0
  const double* sigma;      ///< [n_modes] decay rates [1/s], >= 0
  const double* modal_mass; ///< [n_modes] [kg], > 0
  const double* weight;     ///< [n_modes] shape at the contact point []
} htz_solver_system;

typedef struct htz_solver htz_solver;

typedef struct {
  const char* name;   ///< what `--solver` takes: "am1", "verlet", ...
  const char* about;  ///< one line for listings
  const char* source; ///< paper and equations
  bool real_time;     ///< bounded work per sample: may serve in an instrument file
  bool body;          ///< false: rigid wall only
  bool linear;        ///< true: alpha = 1 only

  /// Make one. The arrays of `system` are copied. On HTZ_UNSUPPORTED `why` says in one line what the method cannot represent.
  /// Set-up thread.
  htz_status (*make)(const htz_solver_system* system, double rate_hz, htz_arena* arena, htz_solver** out, const char** why);
  /// The hammer (re)appears at displacement x with velocity v; the body goes on as it was. Audio thread.
  void (*place)(htz_solver* solver, double x, double v);
  /// Change mass [kg], stiffness, exponent and viscosity of hammer and contact; only between contacts. NULL when fixed. Audio thread.
  void (*strike_with)(htz_solver* solver, double mass, double stiffness, double exponent, double viscosity);
  /// Advance one sample with the extra force f_ext [N] on the hammer. Audio thread when `real_time`.
  void (*step)(htz_solver* solver, double f_ext);
} htz_solver_class;

/** Common head of every solver; first member of the concrete type. The scheme keeps it up to date at each sample. */
struct htz_solver {
  const htz_solver_class* cls; ///< [config]
  htz_solver_system system;    ///< [config] arrays are its own
  double period;               ///< [config] sample period T [s]
  double x, v;                 ///< [state] hammer [m], [m/s]
  double *q, *p;               ///< [state] [n_modes] modal displacement [m] and velocity q' [m/s]
  double force;                ///< [state] F over the last sample: its mean where the scheme has one [N]
  double stored;               ///< [state] energy in the contact as the scheme defines it [J]
  double rod;                  ///< [state] what the scheme adds to eta (an offset rod) [m], 0 for all but "transition"
  bool touching;               ///< [state] in contact at the end of the sample
  uint64_t solves;             ///< [counter] implicit equations solved
  uint64_t iterations;         ///< [counter] iterations they took
  uint64_t iterations_most;    ///< [counter] most of any one
  uint64_t unconverged;        ///< [counter] of them, given up
  uint64_t refused;            ///< [counter] contacts too short for what the scheme would correct, taken without
};

/** The solver class named `name`, or NULL; the class number `index` in registry order, or NULL. Any thread. */
const htz_solver_class* htz_solver_find(const char* name);
const htz_solver_class* htz_solver_at(size_t index);

/** Check `system` and the class's limits, then make. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_solver_new(const htz_solver_class* cls, const htz_solver_system* system, double rate_hz, htz_arena* arena,
                          htz_solver** out, const char** why);

/** Displacement u of the body's contact point [m], its velocity [m/s], and the penetration eta = x - u (+ rod) [m]. Any thread. */
HTZ_RT double htz_solver_surface(const htz_solver* solver);
HTZ_RT double htz_solver_surface_speed(const htz_solver* solver);
HTZ_RT double htz_solver_penetration(const htz_solver* solver);

/** Kinetic and potential energy of hammer (gravity included, -mass gravity x) and modes, plus `stored` [J]. Any thread. */
HTZ_RT double htz_solver_energy(const htz_solver* solver);

#endif
