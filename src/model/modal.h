#ifndef HERTZIAN_MODEL_MODAL_H
#define HERTZIAN_MODEL_MODAL_H

#include "hertzian/model/bending.h"
#include "hertzian/model/bodies.h"

enum { MODAL_LEVELS = HTZ_LEVEL_MAX + 1, MODAL_PICKUPS_MAX = HTZ_PICKUPS_MAX };

enum { MODAL_HOLD_MOST = 16, MODAL_HOLDS = 5 }; // samples that a gradient is kept at most, and the powers of two up to that

_Static_assert((int)MODAL_PICKUPS_MAX <= (int)HTZ_HEARD_MAX, "one call of a kernel hears a body");

typedef struct {
  double x;                    // [config] fraction of the length
  double y;                    // likewise across, for a surface
  bool surface;                // heard at (x, y)
  const double *re[2], *im[2]; // weights of an ear, and those that it is on its way to
  double moved;                // how far, 0..1
  double share;                // of the difference that the low-pass of what forces add takes in a sample
  double gain;                 // [config]
  htz_quantity quantity;       // [config]
  double* aq;                  // [derived] signal = sum aq q + av v
  double* av;
  double* direct; // [derived] [n_points] acceleration per force that acts at each point now [1/kg times gain]
  double bound;   // [derived] |signal| <= bound sqrt(energy)
  double added;   // [state] what forces add, behind the low-pass
  double pushed;  // and before it, of the steps since it was last heard
} modal_pickup;

/**
   Internal force of a body that lengthens as it bends (modal_stretch_rt.c). The auxiliary variable psi follows `scale` S,
   S = sum weight q^2 the lengthening, and psi^2/2 is the energy.
*/
typedef struct {
  double* weight;   // [derived] htz_modes.bend of the modes that take part, 0 for the others; NULL: no internal force
  double* per_mass; // weight/mass
  double* square;   // weight^2/mass
  double scale;     // sqrt(EA/(4 L)) [J^(1/2)/m]
  double quiet;     // energy below which no pitch moves audibly [J]
  double psi;       // [state] [J^(1/2)]
  double ahead;  // by how much velocities and psi are ahead of the displacement: half of the last step; 0: it does not act [s]
  double booked; // [J]
  double coarse;
} modal_internal;

/**
   Internal force of a plate whose modes couple (modal_bending_rt.c). psi^2/2 - shift is the energy, and follows its potential V: psi follows
   (2 (V + shift))^(1/2), of gradient g.
*/
typedef struct {
  htz_bending_scratch scratch;
  double *x, *dx;     // [bending->n] amplitudes [thicknesses], and gradient by them
  double* g;          // [n] gradient of psi [J^(1/2)/m], 0 beyond `reach`
  double* per_mass;   // [n] g/mass
  double *am, *a12;   // [MODAL_HOLDS][n] free motion over the time that g is ahead of the displacement
  double* heard;      // [n_pickups] acceleration that each hears of the force, per psi
  double* before;     // and what it was before, times psi then
  double energy;      // of V's unit, at the present tuning [J]
  size_t reach;       // modes up to the last coupled one that the rate allows, padded
  size_t coupled;     // of the coupled ones, so many
  bool bent;          // away from its own pitch since it was last at rest: nothing is coupled
  unsigned hold_most; // samples that g is kept at most
  double psi;         // [state] [J^(1/2)]
  double shift;       // [J]
  double ahead;       // by how much velocities and psi are ahead of the displacement; 0: it does not act [s]
  double omega2;      // g' M^-1 g [1/s^2]
  double peak;        // greatest |V| over the energy lately []
  double quiet;       // energy below which it need not act [J]
  double booked;      // [J]
  double coarse;
  unsigned ticks; // of the finest step, since it acted last
  unsigned held;  // samples since g was derived
  unsigned hold;  // that it is kept for
} modal_bending;

/** A kind of internal force; functions on the audio thread. */
typedef struct {
  void (*derive)(htz_modal* modal); ///< the tuning has changed
  void (*step)(htz_modal* modal, unsigned level, bool pushed);
  void (*begin)(htz_modal* modal, unsigned level);
  void (*follow)(htz_modal* modal);
  void (*reset)(htz_modal* modal);
  size_t (*state_size)(const htz_modal* modal); ///< doubles besides q and v
  void (*save)(const htz_modal* modal, double* to);
  void (*restore)(htz_modal* modal, const double* from);
  bool (*is_linear)(htz_modal* modal);
  double (*linear_below)(const htz_modal* modal);
  double (*stored)(const htz_modal* modal); ///< energy [J]
  htz_internal_account (*account)(const htz_modal* modal);
} modal_force;

extern const modal_force htz_modal_stretching, htz_modal_bending;

struct htz_modal {
  htz_body base;          // must be first: the public type is cast to it
  const htz_modes* modes; // [config]
  const htz_kernels* k;
  size_t n; // modes padded to HTZ_LANES; the padding is silent
  size_t n_pickups;
  double period; // sample period T [s]
  double* mass;
  double ratio; // present tuning and loss factors
  double loss;
  double damper;         // extra decay rate [1/s]
  double* phi;           // [n_points][n]
  modal_pickup* pickups; // [n_pickups]
  double* omega;         // [derived] present
  double* sigma;
  double* w2;
  htz_step_table level[MODAL_LEVELS];
  double keep[MODAL_LEVELS]; // velocity factor of the damper per step of each level
  bool level_ready[MODAL_LEVELS];
  double* compliance; // [MODAL_LEVELS][n_points][n_points], NaN: not known yet
  htz_free_table free_run;
  htz_free_weights weights[MODAL_PICKUPS_MAX];
  htz_step_table scratch[2];
  double* row; // shape scratch, [n]
  bool free_ready;
  unsigned epoch; // counts what makes free_run and weights stale
  // An end on a moving support (kappa NULL: none).
  double join_ratio;        // [config] of a lever between body and support: force on the support over force at the end
  double* kappa;            // [derived] force on the support per modal displacement [N/m], [n]
  double join_tension;      // what the support feels of the body as a whole: T/L [N/m]
  double join_static;       // and with its modes held: T/L + sum kappa^2/(m omega^2) [N/m]
  double* join_coupling;    // [MODAL_LEVELS][n_points + 1] sum phi_p kappa b_q, last: sum kappa^2 b_q; NaN: not known yet
  const modal_force* force; // internal, NULL: none
  modal_internal internal;
  modal_bending* bending; // NULL where its modes do not couple
  double join_standing;   // [state] support displacement held over the steps to come [m]
  struct {
    double *q, *v;
  } st;
};

/** Whatever free running was derived from has changed. Audio thread. */
static inline void modal_stale(htz_modal* m) {
  m->free_ready = false;
  ++m->epoch;
}

/** What forces f[n_points] add to what an ear hears in a sample. Audio thread. */
static inline double modal_add(modal_pickup* pickup, size_t n_points, const double* f) {
  double now = 0.0;
  for (size_t p = 0; p < n_points; ++p) {
    now += pickup->direct[p] * f[p];
  }
  pickup->added += pickup->share * (now - pickup->added);
  return pickup->added;
}

/** Step of a sample with its damper, bq and bv left out. Audio thread. */
HTZ_RT void htz_modal_damped_step(const htz_modal* modal, const htz_step_table* to);

/** What forces of a step of T/2^level add at once to what ears hear in the sample. Audio thread. */
HTZ_RT void htz_modal_push_ears(htz_modal* modal, unsigned level, size_t count, const size_t* points, const double* f);

/** Class table of modal bodies. */
extern const htz_body_class htz_modal_class;

/** |sum aq q + av v| <= bound sqrt(energy), by Cauchy and Schwarz; what a rigid motion's displacement adds is left out. Audio thread. */
HTZ_RT double htz_modal_bound(const htz_modal* modal, const double* aq, const double* av);

/** Recompute what the joined end is made of, after a change of tuning. Audio thread. */
HTZ_RT void htz_modal_derive_join(htz_modal* modal);

/** Compliances of the joined end at `level` (MODAL_LEVELS: all) are not known any more. Audio thread. */
HTZ_RT void htz_modal_forget_join(htz_modal* modal, unsigned level);

/** Displacement that the support's standing displacement adds at `point` over a step. Audio thread. */
HTZ_RT double htz_modal_join_pushes(const htz_modal* modal, unsigned level, size_t point);

/** Which modes take part in the internal force, after a change of tuning. Audio thread. */
HTZ_RT void htz_modal_derive_internal(htz_modal* modal);

/** Let the internal force act, after a step of T/2^level; `pushed`: other forces acted in it. Audio thread. */
HTZ_RT void htz_modal_internal_step(htz_modal* modal, unsigned level, bool pushed);

/** Displacement was changed other than by a step: psi follows, the difference is booked. Audio thread. */
HTZ_RT void htz_modal_internal_follow(htz_modal* modal);

/** Forget it all: the body is at rest. Audio thread. */
HTZ_RT void htz_modal_internal_reset(htz_modal* modal);

/** Its energy [J]. Audio thread. */
HTZ_RT double htz_modal_internal_stored(const htz_modal* modal);

/** What pickup `index` hears at once of the force that modes of a plate have on each other. Audio thread. */
HTZ_RT double htz_modal_bending_heard(const htz_modal* modal, size_t index);

/** Time the internal force for a step of T/2^level to come. Audio thread. */
HTZ_RT void htz_modal_internal_begin(htz_modal* modal, unsigned level);

/** Recompute omega, sigma and the level-0 table from ratio and loss; every other table becomes stale. Audio thread. */
HTZ_RT void htz_modal_derive(htz_modal* modal);

#endif
