#ifndef HERTZIAN_CONTACT_FOLD_H
#define HERTZIAN_CONTACT_FOLD_H

#include "hertzian/contact/modal_island.h"
#include "hertzian/contact/network.h"

/**
   Modal bodies, and what linear joins fix to them, as one set of modes.

   While no contact is closed, springs, dampers, rigid joins and the masses they carry make one linear system with the bodies, and that has
   modes of its own: with y_k = e^(s_k t) each, the bodies' coordinates are q = 2 Re sum x_k y_k, v = 2 Re sum s_k x_k y_k. So they run as
   freely, quantum by quantum, as the modes of a body alone. Frequencies and losses are those of the continuous system: dampers and what
   they couple are in them whole (complex pairs), not by perturbation.

   When the bodies are retuned, or their losses change, the shapes x_k stay and the roots follow by Rayleigh's quotient,
   s^2 x'Mx + s x'Cx + x'Kx = 0: exact as long as only masses are fixed to them, of second order in the change where springs and dampers are.
*/
typedef struct {
  double re, im;
} fold_number;

/** What a mode's root, energy and losses come from: bodies' and joins' parts of x'Mx, x'Cx, x'Kx, and of the same with x* for x'. */
typedef struct {
  fold_number mass, drag, pull, spring, damper; // pull: of the bodies' own K, spring and damper: of the joins
  double mass_size, drag_size, pull_size, spring_size, damper_size;
} fold_quotient;

typedef struct fold {
  size_t n;       // [config] coordinates: the bodies' modes one after another, then the masses
  size_t n_modes; // pairs of roots
  uint32_t n_bodies;
  htz_modal* bodies[HTZ_ISLAND_UNISON_MAX];
  uint32_t n_masses;
  htz_body* masses[HTZ_JOINS_MAX];
  uint32_t n_lines;
  double* mass;       // [n]
  double* drag;       // [n] 2 sigma m, as built
  uint32_t n_dampers; // joins that lose
  double damping[HTZ_JOINS_MAX];
  double* stretch;         // [n_dampers][n] stretch of theirs per coordinate
  size_t stride;           // n, padded to HTZ_LANES
  double *xr, *xi;         // [n_modes][stride] x_k, scaled so that x'(2 s M + C) x = 1 as built
  fold_number* end;        // [n_modes] sum x_k kappa of the joined ends, per htz_modal_join_scale()
  fold_quotient* quotient; // [n_modes]
  uint32_t n_heard;        // outputs of the bodies, as lines of the island
  htz_output heard_of[HTZ_ISLAND_OUTPUTS_MAX];
  double period;                         // [s]
  double top;                            // [rad/s] what is faster is not heard at this sample rate
  double ratio, loss;                    // [derived] for which the rest is, but for the lines
  bool creeps;                           // [derived] a mode is damped too far to swing: these are no modes to go on as
  fold_number* norm;                     // [n_modes] x'(2 s M + C) x
  double *decay, *swing;                 // [n_modes] s = -decay + i swing
  double* weight;                        // [n_modes] mean energy per |y|^2 [J]
  double* share;                         // [n_modes] of what the mode loses, how much the joins take
  double* heard[HTZ_ISLAND_PICKUPS_MAX]; // [n_modes] |signal| of each line is at most heard |y|
  double line_ratio, line_loss;          // for which the lines are
  size_t lines_done;                     // so many modes of them
  double bound[HTZ_ISLAND_PICKUPS_MAX];  // |line| <= bound sqrt(energy)
  double *line_q, *line_v;               // [n_lines][n_modes padded] what each hears of the modes' q and v
  htz_free_weights hear[HTZ_ISLAND_PICKUPS_MAX];
  htz_modal* modes; // their y: q its real part, v that of s y
  double *q, *v;    // [stride] scratch
  double* before;   // [state] |y|^2 when it was folded, and the network's energy
  double energy;
} fold;

/**
   Fold what the joins of `network` that hold now, between the first `n_bodies` bodies, masses and what never moves, make of them.

   @param bodies [n_bodies] the network's first, as they were built
   @param desc whose outputs of these bodies are heard
   @param out NULL where it cannot be had: nothing is joined, a mode does not swing, or the roots could not be told apart
   @return HTZ_OK, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_fold_new(htz_network* network, uint32_t n_bodies, const htz_modal_island_desc* desc, double rate_hz,
                        htz_arena* arena, fold** out);

/** True when joins hold something now: there is something to fold. */
bool htz_fold_wanted(const htz_network* network);

/** Take over what bodies and masses do now. Audio thread; 4 multiply-adds a mode and coordinate. */
HTZ_RT void htz_fold_in(fold* f, htz_network* network);

/** Give it back. Audio thread, likewise. */
HTZ_RT void htz_fold_out(fold* f, htz_network* network);

/** After that: what the joins have lost since it was taken, nothing else having acted on them [J]. Audio thread. */
HTZ_RT double htz_fold_lost(const fold* f, const htz_network* network);

/** Between the scratch coordinates f->q, f->v and the modes. Audio thread. */
HTZ_RT void htz_fold_load(fold* f);
HTZ_RT void htz_fold_unload(fold* f);

/** True while no damper lies on the bodies: only then are these their modes. Audio thread. */
HTZ_RT bool htz_fold_holds(const fold* f);

/**
   True when the bodies move little enough for forces of their own not to count (they cannot move more until they are struck) and their losses
   leave every mode a swing. Audio thread.
*/
HTZ_RT bool htz_fold_fits(fold* f);

/** Follow the bodies' tuning and losses, if they changed, but for the lines. Audio thread; some fifty operations a mode. */
HTZ_RT void htz_fold_follow(fold* f);

/**
   Then the lines, so many modes a call that no call costs more than FOLD_LINE_MODES x 4 multiply-adds a coordinate and line.

   @return true when all are those of the present tuning. Audio thread.
*/
enum { FOLD_LINE_MODES = 32 };
HTZ_RT bool htz_fold_follow_lines(fold* f);

/**
   The modes in turning coordinates, as htz_modal_turn_derive() has those of a body: Z = K (1 + E) y, K the mode's force on the support and E what
   a sample makes of y, is what the support feels of it.

   @param way there and back, for htz_modal_turn_load() of f->modes
   @param weight [n_modes] energy per |Z|^2 [J/N^2], `loss` of that what the joins lose [W/N^2]
   @return sum kappa^2 b_q of the whole [N/m]. Audio thread; one exp, sin and cos a mode.
*/
HTZ_RT double htz_fold_turn_derive(const fold* f, const htz_turn_table* table, double* way, float* weight, float* loss);

/** Energy [J], and in `loudness` a bound on what the lines can still give. Audio thread. */
HTZ_RT double htz_fold_energy(const fold* f, double* loudness);

#endif
