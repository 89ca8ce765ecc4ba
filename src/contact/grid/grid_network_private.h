#ifndef HERTZIAN_CONTACT_GRID_NETWORK_PRIVATE_H
#define HERTZIAN_CONTACT_GRID_NETWORK_PRIVATE_H

#include "hertzian/contact/grid_network.h"

// Of the greatest displacement in play: what rounding leaves of a root; and what is still good enough when the bound is hit.
#define GRID_CLOSE_ENOUGH (4.0 * 2.3e-16)
#define GRID_CLOSE_AT_LAST 1e-12

enum {
  GRID_GROUP_ROOM = HTZ_GRID_TOGETHER_MAX,
  GRID_STACKS_MAX = 2 * HTZ_GRID_STRETCHES_MAX * 2, ///< runs of grid points between two ends of stretches, two stacks in each
  GRID_SERIES = 16,                                 ///< terms of the series for small steps
  GRID_NO_STRETCH = HTZ_GRID_STRETCHES_MAX,
  GRID_A_BOW ///< in place of a stretch: the member is a bow
};

/** What a contact's force is: [config] and what follows from it. */
typedef struct {
  htz_grid_force force;
  htz_grid_method method;
  double stiffness, exponent, viscosity, cubic, damping, hysteresis, relaxation;
  double period;              ///< k [s]
  double scale;               ///< [derived] K/(alpha + 1)
  double root;                ///< [derived] sqrt(K (alpha + 1)/2)
  double series[GRID_SERIES]; ///< [derived] [(1 + r)^(alpha + 1) - 1]/((alpha + 1) r) in powers of r
  double rise[GRID_SERIES];   ///< [derived] its slope
  double fade, mean; ///< [derived] of felt: exp(-2k/tau0), and its mean over two steps; 1 and 1 for what does not relax
} grid_law;

/** What it remembers, and the step's force. */
typedef struct {
  double eta, before;         ///< now and one step ago [m]
  double phi, phi_before;     ///< phi of both [J]; Newton's, as the next line
  double steep, steep_before; ///< |phi'| of both [N]
  double psi;                 ///< at the half step before `eta` [sqrt J]; quadratised
  double felt, felt_before;   ///< what felt remembers, now and one step ago [m^alpha]
  double force;               ///< over the last step [N]
} grid_memory;

/** One step of one contact: the force as a function of s = eta+ - eta-, which rises with s. */
typedef struct {
  bool linear;
  double constant, slope; ///< F = constant + slope s, when linear
  double g;               ///< d psi/d eta, quadratised
  const grid_law* law;
  double before;       ///< eta-
  double phi_before;   ///< phi(eta-)
  double steep_before; ///< |phi'(eta-)|, Newton's
  double felt_before;  ///< what felt remembered then
  double inverse;      ///< 1/eta-, where there is a force
} grid_trial;

/** What a step did to a contact. */
typedef struct {
  double stored, dissipated; ///< stored after the step; lost in it [J]
} grid_ledger;

/** Whether the contact can give a force in this step, `free` being eta+ without it. */
static inline bool grid_awake(const grid_law* law, const grid_memory* m, double free) {
  return law->force != HTZ_GRID_COLLISION || free > 0.0 || m->eta > 0.0 || m->before > 0.0 || m->psi != 0.0;
}

HTZ_RT void htz_grid_law_derive(grid_law* law);

/** NULL, or what is wrong with the law. */
HTZ_RT const char* htz_grid_law_fault(htz_grid_method method, const htz_grid_law* law);

/** @param s0 eta_I - eta-  @param c its own compliance [m/N] */
HTZ_RT void htz_grid_trial_begin(const grid_law* law, const grid_memory* m, double s0, double c, grid_trial* t);
HTZ_RT double htz_grid_trial_force(const grid_trial* t, double s, double* slope);

/** Take s and F as the step's. */
HTZ_RT grid_ledger htz_grid_trial_end(const grid_trial* t, grid_memory* m, double s, double force);

/** What is stored as the method defines it [J]; read it anew from eta and eta-. */
HTZ_RT double htz_grid_stored(const grid_law* law, const grid_memory* m);
HTZ_RT void htz_grid_memory_read(const grid_law* law, grid_memory* m, double eta, double before);

static inline void grid_counted(htz_grid_counters* count, uint64_t iterations, bool converged) {
  ++count->solves;
  count->iterations += iterations;
  count->iterations_most = iterations > count->iterations_most ? iterations : count->iterations_most;
  count->unconverged += converged ? 0 : 1;
}

/** A lone contact: s with s + c F(s) = s0. `guess` is a force near the answer. @return F */
HTZ_RT double htz_grid_solve_lone(const grid_trial* t, double s0, double c, double guess, double* s, htz_grid_counters* count);

/** n of them with compliance c [n][n]: s = s0 - C f, f_i = F_i(s_i). `f` comes with a guess. */
HTZ_RT void htz_grid_solve_group(size_t n, const grid_trial* t, const double* s0, const double* c, double* f, double* s,
                                 htz_grid_counters* count);

/** One side of a contact. */
typedef struct {
  htz_grid* grid;
  uint32_t body, point;
} grid_side;

typedef struct {
  grid_law law;
  grid_side a, b;
  double direction, gap;
  bool enabled;
  grid_memory memory;
  htz_grid_account account;
} grid_contact;

/** Points of a stretch in arrays [n]. */
typedef struct {
  grid_law law;
  htz_grid *a, *b;
  uint32_t body_a, body_b, first;
  bool fixed; ///< b is a barrier
  size_t n;
  double direction;
  double *gap, *compliance; ///< compliance: -1 where a group solves the point
  double* free;             ///< eta_I
  bool* stacked;            ///< where another stretch reaches the same grid point
  grid_memory* memory;
  htz_grid_account account;
} grid_stretch;

typedef struct {
  uint32_t stretch; ///< GRID_NO_STRETCH: a contact
  uint32_t index;
} grid_member;

typedef struct {
  size_t n;
  grid_member* member; ///< [n]
  double* compliance;  ///< [n][n] [m/N]
  // Bows that reach grid points of members, or of each other.
  size_t n_bows;
  uint32_t bow[HTZ_GRID_BOWS_MAX];
  double between[HTZ_GRID_BOWS_MAX][HTZ_GRID_BOWS_MAX]; ///< how far 1 N at one moves the string under another [m/N]
  double* bow_compliance[HTZ_GRID_BOWS_MAX];            ///< [n] how far 1 N at the bow moves each member [m/N]
} grid_group;

/** Grid points `first` to `last` where several stretches meet: each point is solved for all of them at once. */
typedef struct {
  size_t n;
  uint32_t stretch[HTZ_GRID_STRETCHES_MAX];
  uint32_t first, last;
} grid_stack;

/** One member of a group as the solver wants it. */
typedef struct {
  const grid_law* law;
  grid_memory* memory;
  double s0;       ///< eta_I - eta-
  double s0_alone; ///< the same without bows
  bool on;         ///< not switched off
  bool awake;      ///< may give a force in this step
} grid_part;

/** A group on the table. */
typedef struct {
  grid_part part[GRID_GROUP_ROOM];
  size_t n;                   ///< members awake
  size_t at[GRID_GROUP_ROOM]; ///< which of the group they are
  grid_trial trial[GRID_GROUP_ROOM];
  double s0[GRID_GROUP_ROOM], s[GRID_GROUP_ROOM], f[GRID_GROUP_ROOM], c[GRID_GROUP_ROOM * GRID_GROUP_ROOM];
} grid_work;

typedef struct {
  htz_friction law;
  htz_grid* grid;
  uint32_t body, point;
  double speed, normal;
  bool beside;                     ///< [derived] in a group
  double force;                    ///< over the last step [N]
  double twist_admittance, spring; ///< [config] of its twisting: speed per newton [m/s per N], and restoring force [N/m]
  double turn;                     ///< [derived] speed of twisting per newton over a step [m/s per N]; 0: it does not twist
  double twist;                    ///< how far its surface has turned under the bow [m]
  htz_friction_state state;
} grid_bow;

struct htz_grid_network {
  double period;
  size_t n_bodies, n_contacts, n_stretches, n_bows, n_groups;
  htz_grid** bodies;
  grid_contact* contacts;
  grid_stretch* stretches;
  grid_bow* bows;
  grid_group* groups; ///< [derived] every contact is in one
  size_t members;     ///< that there is memory for in all groups together
  grid_member* member;
  double *compliance, *bow_compliance;
  size_t n_stacks;
  grid_stack stacks[GRID_STACKS_MAX]; ///< [derived]
  double bowed;                       ///< [J]
  htz_grid_counters count;
  grid_work work;
};

/** Groups and compliances from where the points are. */
HTZ_RT void htz_grid_network_group(htz_grid_network* net);

/** Solve the contacts of a group on the table. */
HTZ_RT void htz_grid_group_solve(htz_grid_network* net, const grid_group* group, grid_work* w);

/** A bow that nothing is near to; and the bows of a group, with its contacts: each is known, and has pushed its string. */
HTZ_RT void htz_grid_bow_step(htz_grid_network* net, grid_bow* b);
HTZ_RT void htz_grid_bows_beside(htz_grid_network* net, const grid_group* group, grid_work* w);

/** How far a newton at one moves the other [m/N]. */
HTZ_RT double htz_grid_network_compliance(const htz_grid_network* net, grid_member i, grid_member j);

/**
   A stretch: eta_I of every point; one step of those that neither a group nor a stack solves, and the account; all read anew; one point
   that was solved elsewhere, and one that gives no force.
*/
HTZ_RT void htz_grid_stretch_foresee(grid_stretch* s);
HTZ_RT void htz_grid_stretch_solve(grid_stretch* s, htz_grid_counters* count);
HTZ_RT void htz_grid_stretch_read(grid_stretch* s);
HTZ_RT void htz_grid_stretch_settle(grid_stretch* s, size_t i, const grid_trial* t, double step, double force);
HTZ_RT void htz_grid_stretch_pass(grid_stretch* s, size_t i);

#endif
