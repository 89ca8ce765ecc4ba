#ifndef HERTZIAN_MODEL_BODIES_H
#define HERTZIAN_MODEL_BODIES_H

#include "hertzian/model/body.h"
#include "hertzian/model/modes.h"

/**
   What a pickup hears of a body. Acceleration is the body's own (-omega^2 q - 2 sigma v), without what a force acting now adds, but
   for htz_modal_drive_points() heard by htz_modal_listen_xy(), where it is whole.
*/
typedef enum {
  HTZ_HEAR_DISPLACEMENT = 0,
  HTZ_HEAR_VELOCITY,
  HTZ_HEAR_ACCELERATION,
  HTZ_HEAR_FORCE,    ///< force on the support at the far end, x = 1 [N]; bodies without (htz_modes.end_force) give nothing
  HTZ_HEAR_REACTION, ///< that, and what the network adds to it: force on all that the body is linked to and never moves [N]
  HTZ_HEAR_PRESSURE  ///< sound pressure at an ear [Pa]: htz_modal_listen_ear()
} htz_quantity;

/**
   Modal body: string, bar, plate or list, from its modes.

   `listen_points` further shape rows are kept for pickups; they are not contact points.
*/
typedef struct htz_modal htz_modal;

enum { HTZ_PICKUPS_MAX = 8 }; ///< of one modal body

/**
   @param modes kept by pointer, must outlive the body
   @param n_points contact points, 1..HTZ_POINTS_MAX, all at x = 0.5 until htz_modal_place()
   @param n_pickups pickups, 0..HTZ_PICKUPS_MAX
   @param rate_hz sample rate [Hz], > 0
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modal_new(const htz_modes* modes, size_t n_points, size_t n_pickups, double rate_hz, const htz_kernels* kernels,
                         htz_arena* arena, htz_modal** out);

/** The body inside. */
HTZ_RT htz_body* htz_modal_body(htz_modal* modal);

/** The kernels it was made with. Any thread. */
HTZ_RT const htz_kernels* htz_modal_kernels(const htz_modal* modal);

/** Number of pickups. */
HTZ_RT size_t htz_modal_pickups(const htz_modal* modal);

/** Sample value per newton of pickup `index` where it hears a reaction; 0: it does not. Any thread. */
HTZ_RT double htz_modal_reacts(const htz_modal* modal, size_t index);

/** Free increments over one sample step at points 0 .. n_points - 1, into rise [m]. Audio thread. */
HTZ_RT void htz_modal_predict_points(const htz_modal* modal, size_t n_points, double* rise);

/** Move contact point `point` to fraction x of the length [0, 1]. Audio thread. */
HTZ_RT void htz_modal_place(htz_modal* modal, size_t point, double x);

/**
   The same to a point (x, y) of a surface, fractions in [0, 1]; y NaN, or a body without one (htz_modes.shape_xy): x along its
   length. Audio thread.
*/
HTZ_RT void htz_modal_place_xy(htz_modal* modal, size_t point, double x, double y);

/** Set what pickup `index` hears: `quantity` at fraction x, times `gain`. Modes that cannot be represented at this rate are muted. Audio thread. */
HTZ_RT void htz_modal_listen(htz_modal* modal, size_t index, htz_quantity quantity, double x, double gain);

/** The same at a point (x, y) of a surface; bodies without one (htz_modes.shape_xy) take x along their length. Audio thread. */
HTZ_RT void htz_modal_listen_xy(htz_modal* modal, size_t index, htz_quantity quantity, double x, double y, double gain);

/**
   Set what pickup `index` hears: the sound pressure at an ear, times `gain`. With weights A + iB (htz_radiation_own()) a mode gives
   A a + B a'/omega of its acceleration a, that is -omega^2 A q - (2 sigma A + omega B) v while it rings freely. Heard by
   htz_modal_drive(), htz_modal_drive_points(), htz_modal_hear_driven() or htz_modal_hear_step(), forces add sum A phi/m of what they are now through a low-pass of first order:
   without it the static answer of all modes is heard below the first of them, unfiltered it is too loud where modes overlap.

   @param re, im [n] kept by pointer, and for whatever tuning
   @param corner_hz of the low-pass [Hz], > 0
*/
HTZ_RT void htz_modal_listen_ear(htz_modal* modal, size_t index, const double* re, const double* im, double gain,
                                 double corner_hz);

/**
   Let ear `index` be on its way from one place to another: it hears `share`, 0..1, of the weights re[1], im[1] and the rest of re[0], im[0].

   @param re, im [n] each, as of htz_modal_listen_ear(). Audio thread; in small steps nothing clicks.
*/
HTZ_RT void htz_modal_move_ear(htz_modal* modal, size_t index, const double* const re[2], const double* const im[2],
                               double share);

/**
   Retune: omega = ratio omega_0, sigma = loss sigma_0 (sigma_0 and omega_0 as built). Displacement is scaled by
   omega_old/omega_new so that every mode keeps its energy, unless `touching`: then (q, v) stay and the energy change is
   returned [J]. Audio thread; costs one exp, sin and cos per mode.
*/
HTZ_RT double htz_modal_retune(htz_modal* modal, double ratio, double loss, bool touching);

/**
   Tension that grows as the body lengthens (Kirchhoff, Carrier), in bodies whose modes say so (htz_modes.stretch). With
   S = integral of u_x^2 = sum bend_n q_n^2 the tension is T + EA S/(2 L), its energy V = EA S^2/(8 L). The scheme keeps psi^2/2 in
   place of V, psi following (2 V)^(1/2) to second order in the step.
*/
typedef struct {
  double stored;    ///< psi^2/2, part of htz_body_class.energy [J]
  double potential; ///< V of the present displacement [J]
  double tension;   ///< by how much the tension is raised now [N]
  double
      booked; ///< energy that came in so far where the force was taken up or left alone, or the body was moved or retuned [J]
  double coarse; ///< greatest g' M^-1 g (step)^2/4 so far, g the gradient of psi: the force is well resolved up to some 0.05 []
} htz_internal_account;

/** Account of the internal force; all 0 where there is none. Audio thread. */
HTZ_RT htz_internal_account htz_modal_internal(const htz_modal* modal);

/** True when the modal body has an internal force. Any thread. */
HTZ_RT bool htz_modal_has_internal(const htz_modal* modal);

/**
   True while the body runs as a linear one: it has no internal force, or not the energy for a change of pitch of 0.01 cent. Looks
   anew at every call: before each quantum of free running, and not in between. Audio thread.
*/
HTZ_RT bool htz_modal_is_linear(htz_modal* modal);

/** All that moves: save writes it into to[htz_modal_state_size()], restore goes back to it. Audio thread. */
HTZ_RT size_t htz_modal_state_size(const htz_modal* modal);
HTZ_RT void htz_modal_save(const htz_modal* modal, double* to);
HTZ_RT void htz_modal_restore(htz_modal* modal, const double* from);

/** Displacements were written from outside (htz_modal_q): what depends on them follows. Audio thread. */
HTZ_RT void htz_modal_moved(htz_modal* modal);

/** Damper: an extra decay rate [1/s] >= 0 on every mode, acting as velocity loss before each step. Audio thread. */
HTZ_RT void htz_modal_damp(htz_modal* modal, double sigma);

/** By what the damper multiplies velocities before each sample step []. Audio thread. */
HTZ_RT double htz_modal_damper(const htz_modal* modal);

/** Advance one quantum freely, adding pickup p to pickups[p] ([HTZ_QUANTUM] each). Audio thread. */
HTZ_RT void htz_modal_free_quantum(htz_modal* modal, float* const* pickups);

/**
   A moving support. The end of the body (a string's at x = 1) is supported by a point of another body that moves by w [m]; with
   kappa_n = m omega_n^2 G_n the force on the support per modal displacement (htz_modes.end_force), the body's potential energy is
   V = T w^2/(2L) + 1/2 sum m omega_n^2 (q_n + G_n w)^2. Over a step the discrete gradient, with w_ = (w+ + w)/2 and
   q_n_ = (q_n+ + q_n)/2, gives a force -kappa_n w_ on mode n and, on the support,

     F = -sum kappa_n q_n_ - (T/L + sum kappa_n^2/(m omega_n^2)) w_ = -S - G w_,

   S = sum kappa_n (q_n + q_n free)/2 the reaction of the free motion, G = T/L + sum kappa_n^2 (1/(m omega_n^2) - b_q/2).

   @param ratio of a lever in between: > 0; kappa times ratio
   @return HTZ_OK; HTZ_UNSUPPORTED when the body has no end force; HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modal_join(htz_modal* modal, double ratio, htz_arena* arena);

/** Change the ratio of the lever (htz_modal_join), > 0. Audio thread. */
HTZ_RT void htz_modal_join_lever(htz_modal* modal, double ratio);

/** True when htz_modal_join() was called. */
HTZ_RT bool htz_modal_joined(const htz_modal* modal);

/** G of a sample step [N/m]. Audio thread. */
HTZ_RT double htz_modal_join_stiffness(htz_modal* modal);

/** Of it, what is left when the body follows the support without inertia: T/L [N/m]. Audio thread. */
HTZ_RT double htz_modal_join_tension(const htz_modal* modal);

/** sum kappa_n q_n now [N]; and S of the sample step to come [N], giving that sum as well. Audio thread. */
HTZ_RT double htz_modal_join_end_force(const htz_modal* modal);
HTZ_RT double htz_modal_join_reaction(const htz_modal* modal, double* end_force);

/** The sample step just taken was one on a support displaced by `w` [m] more. Audio thread. */
HTZ_RT void htz_modal_join_correct(htz_modal* modal, double w);

/** One sample step under the mean support displacement `w` [m]. @return S of the step after it [N]. Audio thread. */
HTZ_RT double htz_modal_join_step(htz_modal* modal, double w);

/**
   The same in turning coordinates (htz_turn_table), for many samples between two looks at the body. Derive writes the modes' factors
   from `at` on into the table, `turn` [8][padded] keeps how to get there and back; load and store move the state.

   @return false when a mode cannot be had so: it does not swing, or hardly, at the present damping. Audio thread.
*/
HTZ_RT bool htz_modal_turn_derive(htz_modal* modal, size_t at, const htz_turn_table* table, double* turn);
HTZ_RT void htz_modal_turn_load(const htz_modal* modal, const double* turn, float* x, float* y);
HTZ_RT void htz_modal_turn_store(htz_modal* modal, const double* turn, const float* x, const float* y);

/** What kappa is proportional to with tuning and lever []. Audio thread. */
HTZ_RT double htz_modal_join_scale(const htz_modal* modal);

/** kappa [N/m], one a mode; NULL: no joined end. Audio thread. */
HTZ_RT const double* htz_modal_join_row(const htz_modal* modal);

/** Energy below which the body is as good as linear [J]; infinite for one that always is. Audio thread. */
HTZ_RT double htz_modal_linear_below(const htz_modal* modal);

/** The steps to come, of whatever level, are taken under the support displacement `w` [m]; 0 ends that. Audio thread. */
HTZ_RT void htz_modal_join_hold(htz_modal* modal, double w);

/** sum kappa^2 b_q of a sample step: by how much `w` lowers sum kappa_n q_n over one [N/m]; and what a force at `point` raises it by []. */
HTZ_RT double htz_modal_join_step_stiffness(htz_modal* modal);
HTZ_RT double htz_modal_join_coupling(htz_modal* modal, size_t point);

/** The support is displaced by `w` without a wave on the body: q_n -= G_n w. With -w the other way round. Audio thread. */
HTZ_RT void htz_modal_join_shift(htz_modal* modal, double w);

/** kappa^2/(m omega^2) of mode `k` [N/m]. Audio thread. */
HTZ_RT double htz_modal_join_mode_stiffness(const htz_modal* modal, size_t k);

/** What a support displaced by `w` adds to the energy of the body, htz_body_class.energy being that on a support at 0 [J]. Audio thread. */
HTZ_RT double htz_modal_join_energy(const htz_modal* modal, double w);

/**
   Static compliance: displacement at point p per constant force at point r once all is still [m/N], sum phi_p phi_r/(m omega^2);
   infinite where the body is free to move as a whole. Audio thread.
*/
HTZ_RT double htz_modal_static_compliance(const htz_modal* modal, size_t p, size_t r);

/**
   Energy that a force of 1 N at contact point `point` leads to in the end where it swings with every mode at once at that one's resonance:
   sum phi^2/(8 m sigma^2), dampers left out [J/N^2]; infinite where a mode has no loss. Audio thread.
*/
HTZ_RT double htz_modal_resonance(const htz_modal* modal, size_t point);

/** Kinetic energy alone [J]. Audio thread. */
HTZ_RT double htz_modal_kinetic(const htz_modal* modal);

/** Inverse effective mass at contact point `point`, sum phi^2/m [1/kg]; and an impulse there [N s]. Audio thread. */
HTZ_RT double htz_modal_inverse_mass(const htz_modal* modal, size_t point);
HTZ_RT void htz_modal_kick(htz_modal* modal, size_t point, double impulse);

/** Add to the displacement what a constant `force` at contact point `point` makes of it in the end: q_n += phi F/(m omega_n^2). Audio thread. */
HTZ_RT void htz_modal_sag(htz_modal* modal, size_t point, double force);

/**
   What pickup `index` would give in all from now on, were the body left to ring out: the integral of its signal over all time to come
   [sample value s]. Of a velocity it is the way back to rest. A mode without a rest position counts as 0. Audio thread.
*/
HTZ_RT double htz_modal_left_over(const htz_modal* modal, size_t index);

/** Value of pickup `index` now. Audio thread. */
HTZ_RT double htz_modal_hear(const htz_modal* modal, size_t index);

/** The same once a sample; an ear also hears what the forces of the steps since the last time add at once. Audio thread. */
HTZ_RT double htz_modal_hear_step(htz_modal* modal, size_t index);

/** Whether pickup `index` hears more than htz_modal_tap() sums up: an ear what forces add at once, of a plate its own. Audio thread. */
HTZ_RT bool htz_modal_hears_forces(const htz_modal* modal, size_t index);

/** That alone, once a sample: htz_modal_hear_step() without the sum. Audio thread. */
HTZ_RT double htz_modal_hear_forces(htz_modal* modal, size_t index);

/** No force acts any more: add `scale` times what ear `index` still hears of former ones to signal[frames]. Audio thread. */
HTZ_RT void htz_modal_fade_ear(htz_modal* modal, size_t index, double scale, size_t frames, float* signal);

/** Add `amount` to what pickup `index` still hears of former forces [sample value]. Audio thread. */
HTZ_RT void htz_modal_lift_ear(htz_modal* modal, size_t index, double amount);

/**
   What a force at `point` adds at once to pickup `index` [1/N], before the low-pass that takes `share` of the difference in a sample; 0 for
   all but ears. Audio thread.
*/
HTZ_RT double htz_modal_ear_direct(const htz_modal* modal, size_t index, size_t point, double* share);

/** One sample of a mode as a matrix, damper included: (q, v)+ = a (q, v) + b f, a row by row, f the modal force [N]. */
typedef struct {
  double a[4];
  double b[2];
} htz_mode_step;

/** The step of mode `k` (< htz_modal_count()). Audio thread. */
HTZ_RT htz_mode_step htz_modal_mode_step(const htz_modal* modal, size_t k);

/** Shape values at `point`, one per mode. Audio thread. */
HTZ_RT const double* htz_modal_phi(const htz_modal* modal, size_t point);

/** Coefficients of pickup `index`: signal = sum aq q + av v, arrays of htz_modal_padded() doubles. Audio thread. */
HTZ_RT htz_tap htz_modal_tap(const htz_modal* modal, size_t index, float* to);
HTZ_RT void htz_modal_signal(const htz_modal* modal, size_t index, const double** aq, const double** av);

/** Modes rounded up to the vector width: the length of every per-mode array. Any thread. */
HTZ_RT size_t htz_modal_padded(const htz_modal* modal);

/** Changes whenever tuning, damper or a pickup does: what was derived from them is then stale. Audio thread. */
HTZ_RT unsigned htz_modal_epoch(const htz_modal* modal);

/**
   Turn signal coefficients (aq, av) into weights of the free-running basis, for the present tuning and damper.

   @param out four arrays of htz_modal_padded() doubles
   @return bound on the signal: |y| <= bound sqrt(energy)
*/
HTZ_RT double htz_modal_weigh(htz_modal* modal, const double* aq, const double* av, htz_free_weights* out);

/** As htz_modal_free_quantum(), hearing `n_lines` (0..HTZ_PICKUPS_MAX) signals given by htz_modal_weigh(). Audio thread. */
HTZ_RT void htz_modal_free_lines(htz_modal* modal, size_t n_lines, const htz_free_weights* weights, float* const* lines);

/** Advance `frames` samples under the known force drive[] [N] at `point`, adding pickup p to pickups[p]. Audio thread. */
HTZ_RT void htz_modal_drive(htz_modal* modal, size_t point, const float* drive, size_t frames, float* const* pickups);

/**
   Advance `frames` (<= HTZ_QUANTUM) samples under known forces drives[p][] [N] at points 0 .. n_points - 1, adding every pickup p
   to pickups[p]. Audio thread.
*/
HTZ_RT void htz_modal_drive_points(htz_modal* modal, size_t n_points, const float* const* drives, size_t frames,
                                   float* const* pickups);

/**
   A bound on what pickup `index` can give per root of energy: |y| <= bound sqrt(E) [sample value per J^(1/2)], by Cauchy and
   Schwarz over the modes. Audio thread.
*/
HTZ_RT double htz_modal_loudness_bound(const htz_modal* modal, size_t index);

/**
   Power of the signal aq q + av v, as that of a sine of amplitude a, squared: a^2, the sum over the modes of (av^2 + aq^2/omega^2)
   (v^2 + omega^2 q^2). While the modes swing freely it falls. Audio thread.
*/
HTZ_RT double htz_modal_swing(const htz_modal* modal, const double* aq, const double* av);

/**
   Value of a surface's pickup after a sample in which forces f[p] acted at points 0 .. n_points - 1, as htz_modal_drive_points() hears it;
   once a sample. Audio thread.
*/
HTZ_RT double htz_modal_hear_driven(htz_modal* modal, size_t index, size_t n_points, const double* f);

/**
   One sample step with forces f[n_points] at points 0 .. n_points - 1 (<= HTZ_POINTS_AT_ONCE), and what is seen after it: in rise[n_points] what
   htz_modal_predict_points() gives, in heard[p] what htz_modal_hear_driven() gives of each pickup. Audio thread.
*/
HTZ_RT void htz_modal_step_points(htz_modal* modal, size_t n_points, const double* f, double* rise, double* heard);

/**
   Receptance between points 0 .. n_points - 1 at `omega` [rad/s]: displacement at p per force at q [m/N], its real and imaginary parts
   [n_points][n_points], sum phi_p phi_q/(m (omega_k^2 - omega^2 + 2 i sigma omega)). Audio thread.
*/
HTZ_RT void htz_modal_receptance(const htz_modal* modal, size_t n_points, double omega, double* re, double* im);

/** A bound on what pickup `index` gives at once of a force at `point` [sample value per N]; resonance may give more later. Audio thread. */
HTZ_RT double htz_modal_force_bound(const htz_modal* modal, size_t index, size_t point);

/** Number of modes, and their present omega [rad/s] and sigma [1/s] (arrays [n]); for tests and `instruments show`. */
size_t htz_modal_count(const htz_modal* modal);
const double* htz_modal_omega(const htz_modal* modal);
const double* htz_modal_sigma(const htz_modal* modal);

/** Modal masses for the shapes of htz_modal_phi() [kg], [n]. Any thread. */
const double* htz_modal_mass(const htz_modal* modal);

/** Factors of its frequencies and of its losses (htz_modal_retune), and the damper's decay rate [1/s] (htz_modal_damp). Audio thread. */
typedef struct {
  double ratio, loss, damper;
} htz_modal_state;

HTZ_RT htz_modal_state htz_modal_tuning(const htz_modal* modal);

/** A body seen ahead: where points 0 .. n_points - 1 will be, so that who pushes them sample by sample need not step the body. */
typedef struct {
  size_t n_points; // [config]
  htz_ahead_table table;
  float* seen; ///< [n_points][HTZ_ANSWER] displacement after 1, 2, ... samples [m]
  float*
      response; ///< [n_points][n_points][HTZ_ANSWER] what a unit force over a sample adds to it after the next sample, and so on [m/N]
  bool known; // [derived]
  htz_modal_state of;
} htz_modal_ahead;

/** Room for it. @return HTZ_OK, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_modal_ahead_new(const htz_modal* modal, size_t n_points, htz_arena* arena, htz_modal_ahead* out);

/** True when the tables are those of the present tuning, loss and damper. Audio thread; so are the next two. */
HTZ_RT bool htz_modal_ahead_fits(const htz_modal* modal, const htz_modal_ahead* ahead);

/** Work them out. */
HTZ_RT void htz_modal_ahead_derive(htz_modal* modal, htz_modal_ahead* ahead);

/** `seen` over `frames` (<= HTZ_QUANTUM) samples without forces, from where a linear body is now; htz_modal_drive_points() then moves it. */
HTZ_RT void htz_modal_ahead_see(const htz_modal* modal, const htz_modal_ahead* ahead, size_t frames);

/**
   Other modes in place of those it was built with: they swing at swing[k] [rad/s] and decay at decay[k] [1/s], [htz_modal_count()]; their
   states are kept as (q, v). Audio thread; as htz_modal_retune().
*/
HTZ_RT void htz_modal_redefine(htz_modal* modal, const double* swing, const double* decay);

/** Modal coordinates, [n] each, for tests and for planting faults. */
double* htz_modal_q(htz_modal* modal);
double* htz_modal_v(htz_modal* modal);

/**
   Lumped mass with optional spring and damper to ground: m u'' + r u' + k u = F + g m.

   One point, 0.
*/
typedef struct {
  double mass;      ///< [kg], > 0
  double stiffness; ///< spring to ground [N/m], >= 0
  double damping;   ///< damper to ground [N s/m], >= 0
  double gravity;   ///< constant acceleration along the coordinate [m/s^2]
} htz_mass_desc;

htz_status htz_mass_new(const htz_mass_desc* desc, double rate_hz, htz_arena* arena, htz_body** out);

/** Change the mass of a body made by htz_mass_new [kg], > 0; spring and damper keep their values. Audio thread. */
HTZ_RT void htz_mass_set(htz_body* body, double mass);

/** Change everything about it; displacement and velocity stay. Values out of range change nothing. Audio thread. */
HTZ_RT void htz_mass_load(htz_body* body, const htz_mass_desc* desc);

/** Its mass [kg]; 0: the body is none. Any thread. */
double htz_mass_value(const htz_body* body);

/** Push it with `force` [N] along its coordinate in the steps to come, whatever else acts, until told otherwise. Audio thread. */
HTZ_RT void htz_mass_push(htz_body* body, double force);

/** Rigid wall at displacement 0: compliance 0, never moves. One point. */
htz_status htz_barrier_new(htz_arena* arena, htz_body** out);

/** What such bodies are of. */
extern const htz_body_class htz_barrier_class;

/** Driven point: moves as told by set_motion(q, v) and goes on at constant v; compliance 0. One point. */
htz_status htz_driven_new(double rate_hz, htz_arena* arena, htz_body** out);

#endif
