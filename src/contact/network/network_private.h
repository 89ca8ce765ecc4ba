#ifndef HERTZIAN_CONTACT_NETWORK_PRIVATE_H
#define HERTZIAN_CONTACT_NETWORK_PRIVATE_H

#include "hertzian/contact/network.h"

enum {
  NETWORK_LEVELS = HTZ_LEVEL_MAX + 1,
  NEWTON_CONTACTS_MAX = 16 ///< contacts solved together by dense Newton; more go to Gauss-Seidel at once
};

typedef struct {
  htz_contact_desc desc;       // [config]
  double self[NETWORK_LEVELS]; // [derived] its own compliance per level [m/N], NaN: not known yet
  bool joined;                 // both bodies awake and the contact enabled
  bool spring;                 // one of the network's springs side by side (network_springs)
  bool watched;                // its penetration is among those side by side (network_dense), here only while it acts
  bool sounded;                // [state] of those: it has acted in the present sample
  bool away;                   // [state] htz_network_reach(): it cannot close, and is left out
  uint32_t slot[2];            // of its points there
  bool active;                 // [state] in the solve of the present step
  double eta;                  // penetration now [m]
  double gap_rate;             // at which the gap grows over the steps to come [m/s]
  double memory;               // of a law that has one
  bool unread;                 // what that stores is not in the account yet: htz_network_settle()
  double s_free;               // increment of the present step if no contact acted [m]
  double s_alone;              // and no friction either [m]
  double s;                    // increment of the present step [m]
  double force;                // over the present (then: the last) step [N]
  double force_last;           // over the last three steps taken, 0 when it did not act [N]
  double force_before;
  double force_first;
  htz_law_state from; // law at eta
  bool from_known;
  htz_law_value to;
  bool to_at_s;    // `to` is the law at eta + s: the next step can start from it
  unsigned level;  // sub-step level while it touches
  double age;      // time since it closed [s]
  double patience; // age at which the level is lowered next [s]
  htz_contact_account account;
} contact;

typedef struct {
  htz_join_desc desc;       // [config]
  htz_contact_desc between; // its points, as a contact has them
  bool held;                // both bodies awake, and there is something to hold them
  uint32_t slot[2];         // as of a contact
  double s_free;            // [state] increment of the present step if no join and no contact acted [m]
  double free_force;        // its force if no contact acted [N]
  double force;             // over the present (then: the last) step [N]
  double s;                 // increment of the present step [m]
  htz_join_account account;
} join;

typedef struct {
  htz_friction_link_desc desc; // [config]
  uint32_t slot[2];            // as of a contact
  double speed, normal, way;   // [state] htz_network_rub()
  htz_friction_state state;
  htz_friction_state next;     // after the present step
  double twist;                // of the surface [m]
  double s_free;               // increment of its points over the present step if neither contacts nor friction acted [m]
  double s;                    // increment of the present step [m]
  double turn;                 // by how much the surface gives way by twisting, per newton [m/s per N]
  double force;                // over the present (then: the last) step [N]
  double cross[HTZ_JOINS_MAX]; // of a join that holds, by its index: increment taken by a unit force [m/N]
  double share[HTZ_JOINS_MAX]; // and force it sets off there []
  size_t n_met;                // joins of which `cross` is not 0, by index: those on its body
  uint32_t met[HTZ_JOINS_MAX];
  htz_friction_account account;
} friction;

/** What the joins make of steps of one length. */
typedef struct {
  bool ready;
  double* inverse;    // [n_joins][n_joins] of A + diag(1/g), by index of the join
  double* compliance; // [n_joins] 1/g [m/N]
  bool* known;        // [n_contacts] the next three rows are
  uint32_t* met;      // [n_contacts][n_joins] the joins that it has a reach to, by index...
  uint32_t* n_met;    // [n_contacts] ...so many
  double* cross;      // [n_contacts][n_joins] increment of the join taken by a unit force in the contact [m/N]
  double* share;      // [n_contacts][n_joins] inverse times reach: force it sets off in the join []
} join_level;

typedef struct {
  htz_body* body;
  bool wanted;         // htz_network_wake()
  bool awake;          // that, and the part it is of does not sleep
  uint32_t n_contacts; // contacts on this body
  uint32_t* contacts;  // [n_contacts]
} node;

/** Compliances between the contacts that are joined, of many: only those of contacts that meet on a body, or through joins. */
typedef struct {
  bool laid;                     // [derived] `first` and `other` are what the joined contacts ask for
  uint32_t* first;               // [n_contacts + 1] of each joined contact, in their order: where its row begins
  uint32_t* other;               // the contact at the other side of each entry, likewise by order; itself comes first
  size_t room;                   // entries
  double* value[NETWORK_LEVELS]; // [m/N]
  bool known[NETWORK_LEVELS];
  uint32_t* place; // [n_contacts] of each joined contact in that order
  double* force;   // [n_contacts] scratch, likewise
} network_rows;

/**
   Springs between many bodies (springs_rt.c): joined contacts that are two-sided, of a polynomial law and with a gap that stands still are
   kept here side by side. The points of every awake body where something acts are *slots*, a block of them each.
*/
typedef struct {
  const htz_kernels* kernels; // [config]
  bool laid;                  // [derived] the slots are of what is awake now
  bool loaded;                // and so are the springs
  bool hard;                  // solving them in turn does not settle: until it is laid again they are contacts like others
  bool ahead;                 // [state] what changes from step to step is here, and not in the network's contacts
  size_t n;                   // [derived] springs
  uint32_t* contact;          // [n] each
  uint32_t* slot[2];          // its ends, the gap subtracted from slot 0 - slot 1
  double *half, *quarter, *damping;
  double* own[NETWORK_LEVELS];
  double *eta, *s, *force;                    // [state] stretch, and increment and force of the present step
  double* free;                               // free increments
  double* past[3];                            // forces of the last three steps
  double* past_taken[3];                      // and what they took
  double *stored, *work, *lost, *mean, *most; // accounts
  size_t n_blocks;                            // [derived]
  htz_couple_block* blocks;                   // of each body that has one
  uint32_t* node;                             // its body
  htz_body_view* views;                       // as the kernels see it
  size_t n_others;                            // awake bodies that they do not, or that have no block
  uint32_t (*others)[2];                      // body, and block or n_blocks
  size_t n_slots;                             // padding included
  size_t* points;                             // of its body, each
  const double** rows;                        // through which the kernels see it
  double** wide;                              // [n_nodes] room for the same mode by mode; NULL: of none, or not of this body
  double *rise, *f, *x;                       // [state] free increments, forces and increments of the present step
  double* matrix[NETWORK_LEVELS];             // [derived] compliances within the blocks
  bool known[NETWORK_LEVELS];                 // that, and `own`
} network_springs;

/** The active contacts of a step side by side, for the kernel that solves few of them (solve_touch_rt.c). */
typedef struct {
  htz_touch_table table;          // [derived] of the contacts below, by the arrays below; n = 0: of none
  unsigned level;                 // for which `compliance` is
  uint32_t number[HTZ_TOUCH_MAX]; // of each in the network
  double *compliance, *stiffness, *exponent, *viscosity;
  double *eta, *stored, *force, *free, *s, *bears, *slope, *to_stored, *to_elastic, *to_stiffness; // scratch
} network_touch;

/**
   Many contacts along bodies, of which few touch (along_rt.c), and room for solving these (solve_dense_rt.c). Those of whole steps whose gap
   stands still are *watched*: side by side, by their numbers in the network; the network's `joined` are the others.
*/
typedef struct {
  size_t width;           // [config] n_contacts and padding
  size_t first, end;      // [derived] of what stands side by side, those watched lie between; multiples of HTZ_LANES
  size_t lowest, highest; // the first and the last of these
  bool laid;              // [derived] `slot` are of the springs' present blocks
  uint32_t* slot[2];      // [width] of each watched contact, penetration growing with slot 0 - slot 1
  bool runs[2]; // [derived] slots of this end follow each other, and the other end is one slot for all: as along a bridge
  double* eta;  // [width] [state] penetration; of what is not watched or acts far below 0 [m]
  double *s_free, *s_pushed; // [width] increments of the present step, without contacts and with them [m]
  double* s_now;             // those of the two that hold
  double most;               // largest penetration now or with the increments worked out last [m]
  uint32_t* acting;          // [n_contacts] watched contacts of the present step...
  size_t n_acting;           // ...that are in the solve
  uint32_t* sounding;        // [n_contacts] and of all steps of the present sample
  size_t n_sounding;
  bool* known[NETWORK_LEVELS];                // [n_contacts] [derived] its row of `pair` is of the present tables
  double* pair[NETWORK_LEVELS];               // [n_contacts][width] compliances [m/N]
  bool taken_known[NETWORK_LEVELS];           // `taken` is
  double* taken[NETWORK_LEVELS];              // [n_joins][width] what a unit force in a join takes of each [m/N]
  const double** row;                         // [n_contacts] scratch
  double* compliance;                         // [n_contacts][n_contacts] scratch, of the active ones
  double* factor;                             // [n_contacts][n_contacts] scratch
  double *s, *start, *residual, *move, *root; // [n_contacts] scratch
  uint32_t* pressed;                          // [n_contacts] scratch
  network_touch touch;
} network_dense;

struct htz_network {
  htz_network* whole; // [config] what it is a part of, by htz_network_unite(); itself otherwise
  size_t first_node, first_contact, first_join, first_friction; // where in that its own begin
  bool asleep;                                                  // [state] none of its bodies takes part
  size_t n_nodes;
  node* nodes;
  size_t n_contacts;
  contact* contacts;
  double step[NETWORK_LEVELS];  // T/2^level [s]
  double share[NETWORK_LEVELS]; // 2^-level
  double period;                // sample period T [s]
  double steps_per_contact;
  unsigned coarse_level; // from this level on, thrift_steps are enough
  double coarse_steps;
  unsigned level_max;
  size_t n_joins;
  join* joins;
  join_level* join_levels; // [NETWORK_LEVELS]
  uint32_t* held;          // [derived] indices of joins that hold, ascending
  size_t n_held;
  uint32_t* joined; // [derived] indices of joined contacts: those not among `springs`, ascending, then those that are
  size_t n_joined;
  size_t n_apart; // so many are not
  size_t n_frictions;
  friction* frictions;
  uint32_t rubbing[HTZ_FRICTIONS_MAX]; // [state] indices of links that act in the present step
  size_t n_rubbing;
  uint32_t* active; // [state] indices solved in the present step
  size_t n_active;
  htz_network_counters counters;
  htz_network_audit* audit;
  size_t* points; // force scratch: two for every contact and join
  double* forces;
  network_rows* rows;       // NULL: contacts are few
  network_springs* springs; // likewise
  network_dense* dense;     // NULL: contacts are few, or in turn
};

static inline bool network_one_sided(const contact* c) {
  return c->desc.law.cls->one_sided;
}

/** It has not acted in the steps before. */
static inline void network_forget(contact* c) {
  c->force = c->force_last = c->force_before = c->force_first = 0.0;
}

/** A one-sided contact is closed. */
static inline bool network_touches(const contact* c) {
  return network_one_sided(c) && c->eta > 0.0;
}

/** Contact, join, friction link and node by the index that a part of a network has for it. */
static inline contact* network_contact(const htz_network* net, size_t index) {
  return &net->whole->contacts[net->first_contact + index];
}

static inline join* network_join(const htz_network* net, size_t index) {
  return &net->whole->joins[net->first_join + index];
}

static inline friction* network_friction(const htz_network* net, size_t index) {
  return &net->whole->frictions[net->first_friction + index];
}

static inline node* network_node(const htz_network* net, size_t index) {
  return &net->whole->nodes[net->first_node + index];
}

/** Springs of a network of many contacts. */
htz_status htz_springs_reserve(htz_network* net, htz_arena* arena);

/** And room for the rows of its bodies mode by mode, for blocks of many slots. */
htz_status htz_springs_reserve_wide(htz_network* net, htz_arena* arena);

/** Forces of one link on its points. */
static inline void springs_push(network_springs* s, const uint32_t slot[2], double force) {
  s->f[slot[0]] -= force;
  s->f[slot[1]] += force;
}

/** Begin a step at `level` of all awake bodies, with the free increments of all slots. @return false when there are no slots */
HTZ_RT bool htz_springs_begin(htz_network* net, unsigned level);

/** Free increment of `point` of body `body`, which is at `slot` where there are slots [m]; after htz_springs_begin(). */
static inline double network_rise(const htz_network* net, unsigned level, uint32_t body, uint32_t point, uint32_t slot) {
  const htz_body* b = net->nodes[body].body;
  return net->springs ? net->springs->rise[slot] : b->cls->predict(b, level, point);
}

/** True when the contact may be one of the springs. */
HTZ_RT bool htz_springs_take(const htz_network* net, const contact* c);

/** Give the points of what is awake now their slots, where there are slots and they have not been given yet. */
HTZ_RT void htz_springs_lay(htz_network* net);

/** The present step goes by the springs' slots; false: contacts and joins are each for themselves, and up to date. */
HTZ_RT bool htz_springs_serve(htz_network* net);

/** Give the contacts what their springs have come to. */
HTZ_RT void htz_springs_hand_over(htz_network* net);

/** A step at `level` begins: free increments of all slots, forces as they are expected. */
HTZ_RT void htz_springs_predict(htz_network* net, unsigned level);

/** Find the forces of springs, joins and active contacts, and all increments. @return false when they do not settle in turn */
HTZ_RT bool htz_springs_solve(htz_network* net, unsigned level, double d);

/** Increment of a contact's points under all forces that are known [m]. */
static inline double springs_increment(const network_springs* s, const contact* c) {
  return c->desc.direction * (s->x[c->slot[0]] - s->x[c->slot[1]]);
}

/** Move every awake body by the forces at the slots, and book what springs do; `share`: of the sample. */
HTZ_RT void htz_springs_commit(htz_network* net, unsigned level);
HTZ_RT void htz_springs_book(htz_network* net, double share);

/** A sample begins. */
HTZ_RT void htz_springs_sample(htz_network* net);

/** Some bow is on a body, or has just been lifted off one. */
HTZ_RT bool htz_network_rubs(const htz_network* net);

/** Which contacts are watched now, and where they are: after their penetrations were read. */
HTZ_RT void htz_along_take(htz_network* net);

/** Others of them are watched now, of which some were not before when some `came`. */
HTZ_RT void htz_along_part(htz_network* net, bool came);

/** Places, stiffnesses or what is watched have changed: compliances are worked out anew when they are needed. */
HTZ_RT void htz_along_forget(htz_network* net);

/** Give the watched contacts where they are. */
HTZ_RT void htz_along_hand_over(const htz_network* net);

/** A sample begins. */
HTZ_RT void htz_along_sample(htz_network* net);

/** A step at `level` begins: free increments of all watched contacts. The caller activates htz_along_next(). */
HTZ_RT void htz_along_predict(htz_network* net, unsigned level);

/** The next watched contact from number `*at` on that touches or would without contact forces, in `*at`. @return NULL: none */
HTZ_RT contact* htz_along_next(htz_network* net, size_t* at);

/** Increments of all watched contacts under the forces of the active ones. */
HTZ_RT void htz_along_move(htz_network* net, unsigned level);

/** The next one from number `*at` on that is not active and that these forces close. @return NULL: none */
HTZ_RT contact* htz_along_missed(htz_network* net, size_t* at);

/** Book the step just committed. */
HTZ_RT void htz_along_book(htz_network* net, double d, double share);

/** Compliances of contact number `i` with all others at `level` [n_contacts]. */
HTZ_RT const double* htz_along_row(htz_network* net, unsigned level, size_t i);

/** Find what all active contacts do together. @return false when Newton's method does not settle: finer steps do */
HTZ_RT bool htz_network_solve_dense(htz_network* net, unsigned level, double d);

/** The same by a kernel, `settled` what it says. @return false when the contacts are not for it: nothing is decided then */
HTZ_RT bool htz_network_solve_touch(htz_network* net, unsigned level, double d, bool* settled);

/** As htz_network_solve() of many contacts, by rows. */
HTZ_RT bool htz_network_solve_rows(htz_network* net, unsigned level, double d);

struct htz_network_snapshot {
  size_t first; // [config] of the bodies that have one coordinate
  contact* contacts;
  join* joins;
  friction* frictions;
  double (*motion)[2]; // [n_nodes - first] displacement [m] and velocity [m/s]
  // Of contacts along bodies (network_dense).
  double* eta;
  uint32_t *acting, *sounding;
  size_t n_acting, n_sounding;
  htz_network_counters counters;
};

/** Room for the forces of every link. */
void htz_network_make_room(htz_network* net, htz_arena* arena);

/** Compliance between two places where bodies meet at `level`, joins left out [m/N]. */
HTZ_RT double htz_network_between(htz_network* net, unsigned level, const htz_contact_desc* a, const htz_contact_desc* b);

/** Which joins hold now; what was derived from them and the bodies' tables is stale. */
HTZ_RT void htz_network_refresh_joins(htz_network* net);

/** Free increments of the joins over a step at `level`, and their forces if no contact acts. */
HTZ_RT void htz_network_predict_joins(htz_network* net, unsigned level, double d);

/** How much the joins' forces then take from the increment of `c` [m]. */
HTZ_RT double htz_network_joins_take(htz_network* net, unsigned level, double d, contact* c);

/** By how much the joins lower the compliance between contacts i and j [m/N]. */
HTZ_RT double htz_network_joins_stiffen(htz_network* net, unsigned level, const contact* i, const contact* j);

/** What the joins' forces take of an increment that `n_met` of them, by index `met`, have the reach `cross` to [m]. */
HTZ_RT double htz_network_joins_reduce(const htz_network* net, const double* cross, size_t n_met, const uint32_t* met);

/** Forces in the joins set off by a unit force with the increments `reach`; [n_joins] both, of those that hold. */
HTZ_RT void htz_network_joins_share(const htz_network* net, unsigned level, const double* cross, double* share);

/** Forces and increments of the joins from the forces of contacts and friction. */
HTZ_RT void htz_network_settle_joins(htz_network* net, unsigned level);

/** Forces and increments of the joins from increments `x` of the springs' slots, such as they are without them. */
HTZ_RT void htz_network_bear_joins(htz_network* net, unsigned level, double d, const double* x);

/** Book the step just committed. */
HTZ_RT void htz_network_book_joins(htz_network* net);

/** Compliance between contacts i and j at `level` [m/N]: how much a unit force in j takes from the increment of i. */
HTZ_RT double htz_network_coupling(htz_network* net, unsigned level, const contact* i, const contact* j);

/** The same of a contact with itself, remembered until the next refresh. */
HTZ_RT double htz_network_self(htz_network* net, unsigned level, contact* c);

/** Which friction links act in a step at `level`, and their free increments; after htz_network_predict_joins(). */
HTZ_RT void htz_network_predict_frictions(htz_network* net, unsigned level, double d);

/** What their forces, as they last were, take from the increment of contact `c` [m]. */
HTZ_RT double htz_network_frictions_take(htz_network* net, unsigned level, const contact* c);

/**
   Find the forces of friction links and active contacts together: an outer search on the friction around the monotone contacts.

   @return false when a bound was hit
*/
HTZ_RT bool htz_network_solve_frictions(htz_network* net, unsigned level, double d);

/** Forces of the friction links on body `b`, behind those of `count` points. @return how many there are then */
HTZ_RT size_t htz_network_add_frictions_at(htz_network* net, size_t b, size_t count);

/** Book the step just committed. */
HTZ_RT void htz_network_book_frictions(htz_network* net, double d);

/** The link is off its body: what the twist stored is lost. */
HTZ_RT void htz_network_lift_friction(friction* f);

/**
   Friction of n bows on one network: v_i = free_i - sum_j gain_ij F_j(v_j), from forces as they are: in turn, and where they do not agree,
   jointly.

   @param gain [n][n] symmetric [m/s per N]
   @return false when they did not agree
*/
HTZ_RT bool htz_network_solve_bows(htz_network* net, const double* free, const double* gain, double d);

/**
   Sub-step level of a contact about to close: the smallest power of two that gives steps_per_contact steps in its elastic
   contact time, with the effective mass d^2/2C at the sample step.
*/
HTZ_RT unsigned htz_network_wanted_level(htz_network* net, contact* c, double s_free, double d);

/** Level the closed contacts ask for, with the patience rule applied. @return -1 when none is closed. */
HTZ_RT int htz_network_closed_level(htz_network* net);

/** Level to approach at: what the contacts that the whole sample would close are going to want. */
HTZ_RT unsigned htz_network_first_level(htz_network* net);

/** Make the step tables of levels 0..level ready, of all bodies that are awake. */
HTZ_RT void htz_network_prepare(htz_network* net, unsigned level);

/** Energy of the awake bodies and of what contacts and joins store [J]; and what they have lost, less what was driven into them. */
HTZ_RT double htz_network_ledger(const htz_network* net, bool with_dissipated);

/** Book the step of length `d` just committed, which is the part `share` of the sample. */
HTZ_RT void htz_network_book(htz_network* net, contact* c, double d, double share);

/**
   Bring what a contact with a memory stores into its account: two powers, so not every step but when it is read, or before its penetration
   or its law is changed from outside. What it no longer stores is lost.
*/
HTZ_RT void htz_network_settle(contact* c);

/** Penetration of the contact from where its bodies are. */
HTZ_RT void htz_network_read(htz_network* net, contact* c);

/**
   Find s and force of every active contact over a step of length d, so that s = s_free - C F(s).

   @return false when the bounds were hit before it converged
*/
HTZ_RT bool htz_network_solve(htz_network* net, unsigned level, double d);

#endif
