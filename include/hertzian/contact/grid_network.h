#ifndef HERTZIAN_CONTACT_GRID_NETWORK_H
#define HERTZIAN_CONTACT_GRID_NETWORK_H

#include "hertzian/contact/friction.h"
#include "hertzian/model/grid.h"

/**
   A network of grid bodies joined by contacts, one leapfrog step a sample.

   Relative displacement of a contact: eta = direction (u_a - u_b) - gap. A force F > 0 pushes a along -direction and b along +direction.
   With eta_I what it would be next without forces, eta+ = eta_I - sum_j C_ij F_j; C is diagonal but for contacts that reach the same
   grid points or the same lumped body, which are solved together, points of a stretch and a bow that they meet among them.
*/

/** What the force is. */
typedef enum {
  HTZ_GRID_COLLISION =
      0, ///< one-sided power law: phi(eta) = K/(alpha+1) [eta]+^(alpha+1), with Hunt and Crossley's loss (1 + mu eta')
  HTZ_GRID_CONNECTION, ///< two-sided: phi(eta) = K/(alpha+1) |eta|^(alpha+1)
  HTZ_GRID_SPRING ///< F = K1 mu_tt eta + K3 eta^2 mu_t. eta + 2 sigma delta_t. eta, with `stiffness` K1, `cubic` K3, `damping` 2 sigma
} htz_grid_force;

/** How it is found. A two-sided connection has nothing to release: of the last two it takes a psi with the sign of eta, PLAIN the printed one. */
typedef enum {
  HTZ_GRID_NEWTON =
      0,          ///< F = [phi(eta+) - phi(eta-)]/(eta+ - eta-), by Newton's method with a bracket; a collision never pulls
  HTZ_GRID_PLAIN, ///< quadratised: psi = sqrt(2 phi), F = g (psi + g (eta+ - eta-)/4), without iteration (Ducceschi and Bilbao, 2019)
  HTZ_GRID_CASES,  ///< the same with sgn psi as kappa and, for eta < 0, g = -2 psi/(eta_I - eta-)
  HTZ_GRID_RELEASE ///< the same, psi emptied in the step in which the contact opens
} htz_grid_method;

/**
   The numbers of a law. Felt that relaxes (law `stulov` of law.h) has two interleaved memories, each advanced over the two steps that a
   leapfrog's force acts: F = q [1 - epsilon (1 - m)] - epsilon m K h-, h+ = q/K + (h- - q/K) exp(-2k/tau0), q the discrete gradient, m the
   mean of that exponential; F >= 0. Stored: the mean of the law's potential now and before.
*/
typedef struct {
  double stiffness;  ///< K [N/m^alpha] or K1 [N/m], >= 0
  double exponent;   ///< alpha, >= 1
  double viscosity;  ///< mu [s/m], >= 0; collisions by Newton's method only
  double hysteresis; ///< epsilon of felt that relaxes, 0 <= epsilon < 1; likewise, and without viscosity
  double relaxation; ///< its tau0 [s], > 0 with hysteresis
} htz_grid_law;

typedef struct {
  htz_grid_force force;
  htz_grid_method method; ///< springs are linear in eta+ and ignore it
  double stiffness;       ///< as of htz_grid_law, with the next four
  double exponent, viscosity, hysteresis, relaxation;
  double cubic;   ///< K3 [N/m^3], >= 0
  double damping; ///< [N s/m], >= 0
  uint32_t body_a, point_a, body_b, point_b;
  double direction; ///< +1 or -1
  double gap;       ///< [m]
  bool enabled;
} htz_grid_contact_desc;

/** The same contact at many grid points of a string: against a barrier of any profile, or a string with the same spacing beside it. */
typedef struct {
  double stiffness; ///< K per grid point [N/m^alpha]
  double exponent, viscosity;
  htz_grid_method method;
  uint32_t body_a;      ///< a string
  uint32_t body_b;      ///< a string of as many intervals, or a barrier
  uint32_t first, last; ///< grid points first .. last of a, and of b where that is a string
  double direction;
  const double* gap; ///< [last - first + 1], copied: how far apart at rest (the profile of a barrier) [m]
} htz_grid_stretch_desc;

/** A bow on a string. */
typedef struct {
  htz_friction law;
  uint32_t body, point;
  double twist_admittance; ///< of the string's twisting under it: surface speed per newton [m/s per N], 0: it does not twist
  double spring;           ///< and what turns it back [N/m]
} htz_grid_bow_desc;

typedef struct {
  size_t n_bodies;
  htz_grid* const* bodies; ///< kept by pointer
  size_t n_contacts;
  const htz_grid_contact_desc* contacts;
  size_t n_stretches;
  const htz_grid_stretch_desc* stretches;
  size_t n_bows;
  const htz_grid_bow_desc* bows;
} htz_grid_network_desc;

enum {
  HTZ_GRID_BODIES_MAX = 24,
  HTZ_GRID_CONTACTS_MAX = 40,
  HTZ_GRID_STRETCHES_MAX = 4,
  HTZ_GRID_BOWS_MAX = 2,
  HTZ_GRID_TOGETHER_MAX = 48 ///< contacts and points of stretches that are solved together
};

/** Account of a contact, or summed over the points of a stretch. dissipated + stored - what it stored at first = work done on it. */
typedef struct {
  double stored;     ///< as its method defines it at the half step: (phi(eta) + phi(eta-))/2 or psi^2/2 [J]
  double dissipated; ///< [J]
  double eta;        ///< now [m]; of a stretch: the greatest
  double force;      ///< over the last step [N]; of a stretch: summed
  double force_max;  ///< greatest so far [N]
  double pull_max;   ///< greatest force of the wrong sign so far [N], collisions only
  uint64_t closures; ///< times it closed
  uint64_t touching; ///< of a stretch: points in contact now
} htz_grid_account;

typedef struct {
  uint64_t steps;
  uint64_t solves;          ///< contacts or groups of them that could give a force in a step, solved once
  uint64_t iterations;      ///< of all solves
  uint64_t iterations_most; ///< of one
  uint64_t unconverged;     ///< solves that hit a bound before they were good to 1e-12
  uint64_t crowded; ///< groupings that found more in one place than is solved together: the rest went one after the other
} htz_grid_counters;

typedef struct htz_grid_network htz_grid_network;

/**
   @param why on HTZ_BAD_VALUE or HTZ_UNSUPPORTED a one-line reason that begins with what is at fault and a colon (static text)
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED (too much to be solved together), HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_grid_network_new(const htz_grid_network_desc* desc, htz_arena* arena, htz_grid_network** out, const char** why);

/** One step of every body. Audio thread, as are all below. */
HTZ_RT void htz_grid_network_step(htz_grid_network* network);

/** Contacts as if they had never closed, accounts 0, friction at rest; bodies are not touched. What is displaced is read anew. */
HTZ_RT void htz_grid_network_reset(htz_grid_network* network);

/**
   Bodies were moved, placed or tuned from outside: what contacts store is read anew, and which of them meet, which takes longer than
   a step. @return energy that this adds [J]
*/
HTZ_RT double htz_grid_network_reread(htz_grid_network* network);

/** Bows were placed elsewhere: which contacts and bows they meet is found anew, and nothing else. */
HTZ_RT void htz_grid_network_regroup(htz_grid_network* network);

/** Change a contact's gap [m] or law while it goes on; of a law out of range nothing is taken. @return energy that this adds to what is stored [J] */
HTZ_RT double htz_grid_network_set_gap(htz_grid_network* network, size_t contact, double gap);
HTZ_RT double htz_grid_network_set_law(htz_grid_network* network, size_t contact, const htz_grid_law* law);
HTZ_RT void htz_grid_network_set_damping(htz_grid_network* network, size_t contact, double damping);
HTZ_RT void htz_grid_network_enable(htz_grid_network* network, size_t contact, bool enabled);

/** The bow moves at `speed` [m/s] pressed with `force` [N], 0: off the string. */
HTZ_RT void htz_grid_network_bow(htz_grid_network* network, size_t bow, double speed, double force);

/** Energy of the bodies and what the contacts store [J]; and external work of the bows less dissipation by friction so far [J]. */
HTZ_RT double htz_grid_network_energy(const htz_grid_network* network);
HTZ_RT double htz_grid_network_bowed(const htz_grid_network* network);

HTZ_RT const htz_grid_account* htz_grid_network_contact(const htz_grid_network* network, size_t contact);
HTZ_RT const htz_grid_account* htz_grid_network_stretch(const htz_grid_network* network, size_t stretch);
HTZ_RT const htz_friction_state* htz_grid_network_friction(const htz_grid_network* network, size_t bow);
HTZ_RT const htz_grid_counters* htz_grid_network_count(const htz_grid_network* network);

/** True while a collision is closed or a bow lies on. */
HTZ_RT bool htz_grid_network_touching(const htz_grid_network* network);

#endif
