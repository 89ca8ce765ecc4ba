#ifndef HERTZIAN_CONTACT_NETWORK_H
#define HERTZIAN_CONTACT_NETWORK_H

#include "hertzian/base/arena.h"
#include "hertzian/contact/friction.h"
#include "hertzian/contact/law.h"
#include "hertzian/model/body.h"

/**
   A network of exact-hold bodies joined by any number of contacts that may share bodies, advanced sample by sample with
   hierarchical sub-stepping (docs/numerics.md).

   Penetration of a contact: eta = direction (u_a - u_b) - gap. A force F >= 0 pushes a along -direction and b along +direction.
*/
typedef struct {
  htz_law law;
  uint32_t body_a, point_a; ///< index into the network's bodies, and a point of that body
  uint32_t body_b, point_b;
  double direction; ///< +1 or -1
  double gap;       ///< distance at rest [m]
  bool enabled;     ///< a disabled contact does not exist
  bool whole_steps; ///< it asks for no finer steps than others do: one of many along a body, which resolves no shorter ones
} htz_contact_desc;

/** Energy account of one contact; dissipated + stored = work done on it, to round-off. */
typedef struct {
  double stored;     ///< Phi(eta) now [J]
  double dissipated; ///< lost so far [J]
  double work;       ///< sum of F s done on the contact so far [J]
  double driven;     ///< work done so far by whatever moves the gap [J]
  double eta;        ///< penetration now [m]
  double eta_max;    ///< greatest penetration since the last closure [m]
  double force_mean; ///< mean force over the last sample [N]
  double force_max;  ///< greatest force since the last closure [N]
  double touch_s;    ///< time spent with eta > 0 since the last closure [s]
  uint64_t closures; ///< times it closed
} htz_contact_account;

/**
   A linear join of two points: a spring and a damper, or rigid. Joins are not iterated: with A their step compliance, s_free their free
   increments, k and r springs and dampers and g = k/2 + r/d, their forces F = k (eta + s/2) + r s/d over a step of length d obey

     (A + diag(1/g)) F = s_free + k eta/g,      1/g = 0 and s = 0 where rigid,

   one constant matrix per step length, factored once; contacts are then solved on the compliance that this leaves them. The stretch
   eta = u_a - u_b is relaxed where it is 0; a force F > 0 pulls the two together. Of a rigid join the bodies keep the displacement they
   have when it is made: it holds increments, so each of the two bodies keeps a velocity of its own, equal on average over a step.
*/
typedef struct {
  uint32_t body_a, point_a; ///< index into the network's bodies, and a point of that body
  uint32_t body_b, point_b;
  double stiffness; ///< k [N/m], >= 0
  double damping;   ///< r [N s/m], >= 0
  bool rigid;       ///< k and r count for nothing
  bool enabled;     ///< a disabled join does not exist
} htz_join_desc;

/** Energy account of one join; dissipated + stored = work + driven, to round-off. */
typedef struct {
  double stored;     ///< k eta^2/2 now [J]
  double dissipated; ///< lost so far [J]
  double work;       ///< done on it by the bodies so far [J]
  double driven;     ///< put into it so far by whoever changes it [J]
  double eta;        ///< stretch now [m]
  double force;      ///< over the last step [N]
} htz_join_account;

/**
   A friction link: a bow or a wheel that moves past a body at a speed of its own, with a friction law, at one point or shared between two.

   Over a step of length d the force f is held constant, so that with s the increment of its points and v the speed of the surface past
   the bow, s/d = v + speed + twisting: with s_free and C of what the other links leave, v = s_free/d - speed - (C/d) f, one scalar
   equation (htz_friction_solve). A body whose surface twists under the bow gives way by twist f more. The work of the held force is exact:
   friction takes f v d, the bow brings -f speed d.
*/
typedef struct {
  htz_friction law;
  uint32_t body;     ///< index into the network's bodies
  uint32_t point[2]; ///< where it lies, and where it goes when it moves along
  /// How fast the surface turns per newton of friction [m/s per N], >= 0: 1/(2 Zt) with Zt the string's impedance to torsion, whose waves
  /// die before they return (Woodhouse, 2003); 0: it does not twist.
  double twist;
  double spring; ///< and what turns it back [N/m], >= 0
} htz_friction_link_desc;

/** Energy account of one friction link; lost + stored + what the body got = work, to round-off. */
typedef struct {
  double work;      ///< done by the bow so far [J]
  double lost;      ///< in friction and in twisting so far [J]
  double stored;    ///< in the twist now [J]
  double v;         ///< speed of the surface past the bow over the last step [m/s]
  double force;     ///< on the bow over the last step [N]
  uint64_t catches; ///< times the bow caught the surface
} htz_friction_account;

/** Bounds that were hit and work that was done; all only ever grow. */
typedef struct {
  uint64_t samples;       ///< samples advanced one by one
  uint64_t steps;         ///< steps committed
  uint64_t contact_steps; ///< of those, steps in which a one-sided contact was solved
  uint64_t predictions;   ///< trial steps discarded because they touched
  uint64_t closures;      ///< contacts closed
  uint64_t iterations;    ///< solver iterations
  uint64_t newton_capped; ///< dense Newton gave up and Gauss-Seidel took over
  uint64_t sweeps;        ///< Gauss-Seidel sweeps
  uint64_t halvings;      ///< steps halved because the solver did not converge
  uint64_t unconverged;   ///< finest steps accepted without convergence
  uint64_t level_capped;  ///< contacts that would have wanted finer steps than T/2048
  uint64_t catches;       ///< times a bow caught what it plays
  uint64_t rubbed;        ///< steps in which friction was solved
  uint64_t rounds;        ///< solves of contacts and friction in turn, of several bows in turn
  uint64_t joint;         ///< steps in which several bows did not agree in turn and were solved jointly
} htz_network_counters;

/** Check of every committed step, for tests: total energy before and after. */
typedef struct {
  double gain_max; ///< greatest increase of bodies + stored + dissipated over one step [J]
  double rise_max; ///< greatest increase of bodies + stored over one step [J]
} htz_network_audit;

typedef struct htz_network htz_network;

/**
   @param bodies [n_bodies] kept by pointer
   @param contacts [n_contacts] copied
   @param rate_hz sample rate [Hz], > 0
   @return HTZ_OK, HTZ_BAD_VALUE (an index or value out of range), HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_network_new(size_t n_bodies, htz_body* const* bodies, size_t n_contacts, const htz_contact_desc* contacts,
                           double rate_hz, htz_arena* arena, htz_network** out);

enum { HTZ_JOINS_MAX = 64 }; ///< of one network

/**
   Give the network its joins, once, all at once.

   @param joins [n_joins] copied, n_joins <= HTZ_JOINS_MAX
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_network_add_joins(htz_network* network, size_t n_joins, const htz_join_desc* joins, htz_arena* arena);

/**
   Change spring and damper of join `index`, or whether it is there: at both 0 a join that is not rigid is not. One that comes to be
   starts relaxed. What a change stores or lets go is booked as driven. Audio thread.
*/
HTZ_RT void htz_network_set_join(htz_network* network, size_t index, double stiffness, double damping);
HTZ_RT void htz_network_enable_join(htz_network* network, size_t index, bool enabled);

/**
   The join gives way to where its bodies are by `share` of the difference, 0..1: after a move of its points, which it does not feel by
   itself, it comes to rest there. Booked as driven. Audio thread.
*/
HTZ_RT void htz_network_ease_join(htz_network* network, size_t index, double share);

/** Account of join `index`. Audio thread. */
HTZ_RT const htz_join_account* htz_network_join(const htz_network* network, size_t index);

/**
   Give the network its friction links, once, all at once; each starts off its body.

   @param links [n] copied, n <= HTZ_FRICTIONS_MAX
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_network_add_frictions(htz_network* network, size_t n, const htz_friction_link_desc* links, htz_arena* arena);

/**
   For the steps to come, link `index` moves at `speed` [m/s], pressed with `normal` [N], 0: it is off; the share `way` of its force acts at
   its second point. Audio thread.
*/
HTZ_RT void htz_network_rub(htz_network* network, size_t index, double speed, double normal, double way);

/** Account of friction link `index`, and what its law remembers. Audio thread. */
HTZ_RT const htz_friction_account* htz_network_friction(const htz_network* network, size_t index);
HTZ_RT const htz_friction_state* htz_network_friction_state(const htz_network* network, size_t index);

/**
   U of friction link `index` at its point `at` (0 or 1) pressed with `normal` [N] (htz_friction_stiffness), joins left out. Audio thread.
*/
HTZ_RT double htz_network_friction_stiffness(htz_network* network, size_t index, size_t at, double normal);

/**
   Make one network of several and of what lies between them. Each goes on as a part of it, known by its own indices, its energy and
   accounts its own; it is stepped with the whole alone, whose counters count. Before any of them was stepped.

   @param parts [n_parts] none a part already
   @param bodies [n_bodies] more bodies, kept by pointer
   @param contacts [n_contacts] more contacts, copied, and
   @param joins [n_joins] more joins, of bodies numbered through: those of the parts in turn, then `bodies`
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_network_unite(size_t n_parts, htz_network* const* parts, size_t n_bodies, htz_body* const* bodies,
                             size_t n_contacts, const htz_contact_desc* contacts, size_t n_joins, const htz_join_desc* joins,
                             double rate_hz, htz_arena* arena, htz_network** out);

/**
   Solve all contacts together, as many as there are: for contacts along a body, of which many may touch at once and few do. Keeps the
   compliances of all pairs. After joins and friction links were added, before it is stepped; not of a network that becomes a part of another.

   @return HTZ_OK, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_network_solve_jointly(htz_network* network, htz_arena* arena);

/** Force of the contacts over the last sample, and of the joins over its last step, between body `index` and what never moves, on the latter [N]. Audio thread. */
HTZ_RT double htz_network_on_ground(const htz_network* network, size_t index);

/** How many bodies it has. Any thread. */
HTZ_RT size_t htz_network_bodies(const htz_network* network);

/** Advance every awake body by one sample. Audio thread; bounded by 2^HTZ_LEVEL_MAX steps. */
HTZ_RT void htz_network_step(htz_network* network);

/** Forget contacts in progress and zero accounts (not the counters); bodies are not touched. Audio thread. */
HTZ_RT void htz_network_reset(htz_network* network);

/** Let body `index` take part (awake) or stand still and cost nothing. Audio thread. */
HTZ_RT void htz_network_wake(htz_network* network, size_t index, bool awake);

/** The same, in force after htz_network_refresh(). Audio thread. */
HTZ_RT void htz_network_mark(htz_network* network, size_t index, bool awake);

/** Let all of its bodies stand still, what lies loose among them too, or again those take part that do; in force likewise. Audio thread. */
HTZ_RT void htz_network_sleep(htz_network* network, bool asleep);

/** Enable contact `index` with `law`, or disable it (its stored energy is booked as dissipated). Audio thread. */
HTZ_RT void htz_network_enable(htz_network* network, size_t index, const htz_law* law);
HTZ_RT void htz_network_disable(htz_network* network, size_t index);

/**
   Give the contact the gap `gap` [m] at once, from now on at rest; for a contact that is open, and stays so. Audio thread.

   htz_network_move_gap() has the gap reach `to` at the end of the next sample, at an even rate over its steps: a driven
   displacement between the bodies, whose work is booked. Asked for before each sample, or it goes on at that rate.
*/
HTZ_RT void htz_network_set_gap(htz_network* network, size_t index, double gap);
HTZ_RT void htz_network_move_gap(htz_network* network, size_t index, double to);

/** The same over the next `samples` samples, > 0. Audio thread. */
HTZ_RT void htz_network_glide_gap(htz_network* network, size_t index, double to, uint32_t samples);

/** Penetration at which contact `index` bears `force` [N] at rest, its gap included [m], and what it then stores [J]. Audio thread. */
HTZ_RT double htz_network_static_penetration(const htz_network* network, size_t index, double force, double* stored);

/** Bodies were moved from outside while no contact was closed: penetrations are read anew, and nothing else. Audio thread. */
HTZ_RT void htz_network_reread(htz_network* network);

/** True when every join that holds is relaxed, or rigid with nothing between its points, where its bodies are at 0. Audio thread. */
HTZ_RT bool htz_network_joins_relaxed(const htz_network* network);

/** Bodies of such joins were moved from outside: stretches are read anew; what they store is booked as work of the bodies. Audio thread. */
HTZ_RT void htz_network_reread_joins(htz_network* network);

/** Tell the network that points or tables of its bodies changed (place, retune): penetrations are read anew. Audio thread. */
HTZ_RT void htz_network_refresh(htz_network* network);

/**
   Contacts solved jointly that cannot close, as the caller knows from the energy that there is, are left out until they are said to be
   within reach again: they cost nothing meanwhile. Contacts of other kinds stay. Audio thread, between steps.

   @param first number of the first contact of `n`
   @param within of each, that it may close
*/
HTZ_RT void htz_network_reach(htz_network* network, size_t first, size_t n, const bool* within);

/** True while htz_network_reach() leaves contact `index` out. Audio thread. */
HTZ_RT bool htz_network_away(const htz_network* network, size_t index);

/** What htz_network_step() changes of the network, and of its bodies from `first` on, which have one coordinate each. */
typedef struct htz_network_snapshot htz_network_snapshot;

/** Room for one; joins and friction are to be given before, and it is to be told whether contacts are solved jointly. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_network_snapshot_new(const htz_network* network, size_t first, htz_arena* arena, htz_network_snapshot** out);

/** Keep it before a step; go back to it, if nothing else was changed since. Audio thread. */
HTZ_RT void htz_network_save(htz_network* network, htz_network_snapshot* to);
HTZ_RT void htz_network_restore(htz_network* network, const htz_network_snapshot* from);

/** True while an enabled one-sided contact is closed. Audio thread. */
HTZ_RT bool htz_network_touching(const htz_network* network);

/** Energy of all awake bodies plus what contacts store [J]. Audio thread. */
HTZ_RT double htz_network_energy(const htz_network* network);

/** The same without the first `n_bodies` bodies, for whoever knows theirs [J]. Audio thread. */
HTZ_RT double htz_network_energy_beyond(const htz_network* network, size_t n_bodies);

/** Account of contact `index`. Audio thread. */
HTZ_RT const htz_contact_account* htz_network_account(const htz_network* network, size_t index);

/** Its penetration alone [m], which takes less. Audio thread. */
HTZ_RT double htz_network_penetration(const htz_network* network, size_t index);

/** How many contacts and joins it was made with. Audio thread. */
HTZ_RT void htz_network_size(const htz_network* network, size_t* n_contacts, size_t* n_joins);

/** Counters so far. Audio thread. */
HTZ_RT const htz_network_counters* htz_network_count(const htz_network* network);

/** Check every step from now on into `audit` (NULL: stop). Costs two energy sums a step; for tests. */
void htz_network_set_audit(htz_network* network, htz_network_audit* audit);

/** Longest allowed sub-step rule: steps per contact time (power-of-two rule, default 32) and the finest level (default HTZ_LEVEL_MAX). For experiments. */
void htz_network_set_substeps(htz_network* network, double steps_per_contact, unsigned level_max);

/**
   Be content with `steps` steps per contact time where that takes steps of T/2^level or finer (0: always): for bodies whose contacts cost
   much.
*/
void htz_network_set_coarse(htz_network* network, unsigned level, double steps);

#endif
