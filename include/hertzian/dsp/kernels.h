#ifndef HERTZIAN_DSP_KERNELS_H
#define HERTZIAN_DSP_KERNELS_H

#include "hertzian/base/rt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  HTZ_LANES = 8,    ///< mode counts are padded to a multiple of this with silent modes
  HTZ_QUANTUM = 64, ///< frames in one quantum of the engine
  HTZ_STRIDE = 16,  ///< samples covered by one row of the free-running basis
  HTZ_ROWS = HTZ_QUANTUM / HTZ_STRIDE,
  HTZ_PER_CALL = 4,        ///< point forces or rows that one call of a kernel takes
  HTZ_POINTS_AT_ONCE = 16, ///< points of htz_kernels.step_points
  HTZ_HEARD_MAX = 8        ///< pickups likewise
};

/**
   One-step update of n modes, structure of arrays, each array [n] and 64-byte aligned, n a multiple of HTZ_LANES:

       q+ = q + am q + a12 v + bq f        v+ = v + a21 q + dm v + bv f

   am = a11 - 1 and dm = a22 - 1 are kept as differences so that small steps lose no digits. f is the modal force.
*/
typedef struct {
  double* am;  ///< a11 - 1 []
  double* a12; ///< [s]
  double* a21; ///< [1/s]
  double* dm;  ///< a22 - 1 []
  double* bq;  ///< displacement per force [m/N]
  double* bv;  ///< velocity per force [m/s per N]
} htz_step_table;

/**
   Free-running basis of n modes: with state (q, v) of one mode at the start of a row, the mode's (q, v) after j+1 samples is
   linear in it. `cosine` and `sine` are [n][HTZ_STRIDE]: a signal a q + b v of the mode is
   y[j] = alpha cosine[j] + beta sine[j], (alpha, beta) linear in (q, v) (htz_free_weights).
   `row` advances the state by HTZ_STRIDE samples.
*/
typedef struct {
  float* cosine;      ///< [n][HTZ_STRIDE]
  float* sine;        ///< [n][HTZ_STRIDE]
  htz_step_table row; ///< step of HTZ_STRIDE samples; bq and bv unused, may be NULL
  size_t sounding;    ///< modes that are no padding, <= n: only their signals are summed
} htz_free_table;

/** A signal heard on one body: y = sum_k [ aq q_k + av v_k ] written as coefficients of the free basis (all [n]). */
typedef struct {
  double* alpha_q; ///< alpha per q
  double* alpha_v; ///< alpha per v
  double* beta_q;  ///< beta per q
  double* beta_v;  ///< beta per v
} htz_free_weights;

/**
   Modes on a moving support in coordinates that turn: with x what the support feels of a mode (the sum over modes is S of
   hertzian/model/bodies.h) and y a quarter period away, z = x + i y and R = e^((i w - sigma) T), one sample is

       z+ = R z + b w

   w the mean displacement of the support. The powers of R that several samples at a time want are kept (htz_turn_set), those near 1 as
   differences from it so that a slow mode loses no digits. [n] each, n a multiple of HTZ_TURN_LANES, 64-byte aligned; silent padding; in
   single precision.
*/
typedef struct {
  float *cm, *s;   ///< R - 1, the real part and the imaginary one
  float *c2, *s2;  ///< R^2
  float *c3, *s3;  ///< R^3
  float *cm4, *s4; ///< R^4 - 1
  float *cm8, *s8; ///< R^8 - 1
  float *bx, *by;  ///< b [N/m]
  float* powers;   ///< [n][2][HTZ_TURN_BLOCK] R^0, R^1 ..., the real parts and then the imaginary ones
} htz_turn_table;

enum {
  HTZ_TURN_ROWS = 12, ///< arrays of [n] in a turn table
  HTZ_TURN_LANES = 16,
  HTZ_TURN_BLOCK = 8 ///< samples that are heard from one place of the modes
};

/** Mode `k` of a turn table, from R - 1 and b. Audio thread. */
HTZ_RT void htz_turn_set(const htz_turn_table* table, size_t k, double cm, double s, double bx, double by);

/** All `n` modes silent. Audio thread. */
HTZ_RT void htz_turn_clear(const htz_turn_table* table, size_t n);

/**
   A body over the samples to come while nothing pushes it, seen at points. Rows of n rounded up to HTZ_TURN_LANES, 64-byte aligned, in
   single precision.
*/
typedef struct {
  size_t n_points;            ///< a multiple of HTZ_AHEAD_POINTS; those that are not there are silent
  float *am, *a12, *a21, *dm; ///< HTZ_TURN_BLOCK steps at once, damper included
  float* powers;              ///< [n][2][HTZ_TURN_BLOCK] what q, and v, are to the displacement after 1, 2, ... steps
  float* shapes;              ///< [n][n_points]
} htz_ahead_table;

enum {
  HTZ_AHEAD_ROWS = 4, ///< arrays of [n] in an ahead table
  HTZ_AHEAD_POINTS = 8
};

/** What strings at `n_points` points answer one another, l samples later: rows of HTZ_ANSWER floats, and as many of silence. */
enum { HTZ_ANSWER = HTZ_QUANTUM + HTZ_TURN_LANES };

/**
   One step of a finite-difference grid: what stands before each neighbour now and one step ago. Along a line (a string) only the
   first five are used. Symmetric in space, so each pair has one factor.
*/
typedef struct {
  double at, x1, x2;     ///< the point now, its neighbours one and two away along the row []
  double before, past_x; ///< the point and its neighbours along the row, one step ago []
  double y1, y2, xy;     ///< neighbours one and two rows away, and the four diagonal ones []
  double past_y;         ///< neighbours one row away, one step ago []
} htz_grid_stencil;

/** Doubles before the first and after the last point of a grid that a kernel may read; a multiple of HTZ_LANES. */
enum { HTZ_GRID_PAD = 8 };

/** Slots first .. first + columns - 1 of a vector that feel each other alone; their matrix stands at `at`, by columns. */
typedef struct {
  uint32_t first;   ///< a multiple of HTZ_LANES
  uint32_t columns; ///< so many
  uint32_t width;   ///< that rounded up to HTZ_LANES: values of a column in memory
  size_t at;
} htz_couple_block;

/** A body as the kernels see it: its modes, and what they are scaled by. n == 0: a body of another kind, left alone. */
typedef struct {
  size_t n;
  const htz_step_table* table; ///< of every step length
  const double* damp;          ///< likewise
  double *q, *v;
  const double* wide; ///< [n][width of its block] the block's rows, mode by mode, 64-byte aligned; NULL: not kept
} htz_body_view;

/** Where a signal aq q + av v of a body goes, sample by sample. */
typedef struct {
  size_t n;
  const double *aq, *av, *q, *v;
  float* to;
} htz_tap;

/** n springs Phi = k1 eta^2/2 + k3 eta^4/4 with dampers, arrays as in htz_step_table; silent padding is zero. */
typedef struct {
  const double* half;    ///< k1/2 [N/m]
  const double* quarter; ///< k3/4 [N/m^3]
  const double* damping; ///< r [N s/m]
  const double* eta;     ///< stretch at the start of the step [m]
  const double* own;     ///< by how much a unit force shortens the spring over the step [m/N]
} htz_spring_table;

enum { HTZ_TOUCH_MAX = 8 }; ///< contacts of htz_kernels.touch

/**
   n contacts of Hunt and Crossley's law that feel each other over a step: s = free - C F(s). Arrays of HTZ_TOUCH_MAX, 64-byte aligned; in
   lanes beyond n eta and `free` are 0, `stiffness` too.
*/
typedef struct {
  size_t n;                                       ///< 1..HTZ_TOUCH_MAX
  bool smooth;                                    ///< every exponent is 1.5
  const double* compliance;                       ///< [n][HTZ_TOUCH_MAX] C, symmetric [m/N]
  const double* eta;                              ///< at the start of the step [m]
  const double* stored;                           ///< and what it stores there [J]
  const double* force;                            ///< and bears, without loss [N]
  const double *stiffness, *exponent, *viscosity; ///< of the law
  const double* free;                             ///< increment if none acted [m]
  double* s;                                      ///< where to start; then the increment that the law was last taken at [m]
  double *bears, *slope;                          ///< force of the law there [N], its derivative by s [N/m]
  double *to_stored, *to_elastic, *to_stiffness;  ///< Phi, Phi', Phi'' at the end of the step
} htz_touch_table;

/** When the solution is there (src/contact/network/solve.h). */
typedef struct {
  double tolerance;  ///< of what is left, relative to the largest free increment
  double last_move;  ///< a Newton step this small, likewise, is the last
  double stagnation; ///< what is left is rounding, relative to the terms that it is a sum of
  double nothing;    ///< [m] instead of free increments that are all 0
} htz_touch_limits;

/**
   Sums of products of complex amplitudes, Q_s = sum h z_i z_j or h conj(z_i) z_j, in families: a family's products are the same for
   all its sums, Q_s = sum over its lanes of h[s][lane] P[lane]. A run is so many products of amplitudes that follow each other.
*/
typedef struct {
  uint32_t left, right; ///< where its factors start in z
  uint32_t lanes;       ///< a multiple of HTZ_BEND_LANES
  uint32_t conjugate;   ///< 1: conj(left) right, 0: left right
} htz_bend_run;

typedef struct {
  uint32_t first, n_runs; ///< its runs
  uint32_t lanes;         ///< of all of them
  uint32_t n_sums, sum;   ///< its sums, and the number of the first
  uint32_t real;          ///< 1: of its sums only the real part counts
  size_t h;               ///< where [n_sums][lanes] stand in h
} htz_bend_family;

typedef struct {
  size_t n_families;
  const htz_bend_family* family;
  const htz_bend_run* run;
  const float* h; ///< 0 in lanes that stand for nothing
  size_t length;  ///< of z, with HTZ_BEND_LANES to spare
  size_t widest;  ///< lanes of the widest family
  size_t n_sums;  ///< of all families
} htz_bend_table;

enum { HTZ_BEND_LANES = 8 };

/**
   The vector kernels, chosen once by htz_kernels_select(). All run on the audio thread, none allocates.
   `damp` scales every velocity before the step (1: no damper). Arrays as in htz_step_table.
*/
typedef struct {
  const char* name; ///< "scalar", "x86-64-v2", "x86-64-v3", "x86-64-v4", "aarch64"

  /// Free increment of the displacement seen through `phi`: sum_k phi_k (am q + a12 damp v).
  double (*predict)(size_t n, const htz_step_table* t, double damp, const double* q, const double* v, const double* phi);

  /// The same seen through `count` (1..HTZ_PER_CALL) rows phi[p] at once: out[p] is what predict() gives for phi[p], but for rounding.
  void (*predict_points)(size_t n, const htz_step_table* t, double damp, const double* q, const double* v, size_t count,
                         const double* const* phi, double* out);

  /// One step with modal force `force` ([n] in N, or NULL for none).
  void (*commit)(size_t n, const htz_step_table* t, double damp, double* q, double* v, const double* force);

  /// One step with `count` (1..HTZ_PER_CALL) point forces: modal force = sum_p f[p] phi[p][k].
  void (*commit_points)(size_t n, const htz_step_table* t, double damp, double* q, double* v, size_t count,
                        const double* const* phi, const double* f);

  /// Modal forces of `count` point forces, any number: force[k] = sum_p f[p] phi[p n + k].
  void (*spread)(size_t n, size_t count, const double* phi, const double* f, double* force);

  /**
     One step with forces f[count] (1..HTZ_POINTS_AT_ONCE) at points phi[p n + k], and what is seen after it: rise[p], what predict() gives at
     point p, and heard[i] = sum_k (aq_k q_k + av_k v_k) of n_heard (<= HTZ_HEARD_MAX) signals aq[i], av[i].
  */
  void (*step_points)(size_t n, const htz_step_table* t, double damp, double* q, double* v, size_t count, const double* phi,
                      const double* f, double* rise, size_t n_heard, const double* const* aq, const double* const* av,
                      double* heard);

  /// Four sums at once: out = sum_k of a_k x_k, b_k x_k, a_k y_k, b_k y_k.
  void (*dot_pairs)(size_t n, const double* a, const double* b, const double* x, const double* y, double out[4]);

  /// x += c[0] a + c[1] b, y += c[2] a + c[3] b
  void (*add_pairs)(size_t n, const double* a, const double* b, const double c[4], double* x, double* y);

  /// sum_k a_k b_k
  double (*dot)(size_t n, const double* a, const double* b);

  /// sum_k a_k b_k c_k (compliance: phi_p phi_r bq)
  double (*dot3)(size_t n, const double* a, const double* b, const double* c);

  /// Total energy: sum_k m_k/2 (v^2 + w2_k q^2) [J]; `w2` is omega^2 [1/s^2].
  double (*energy)(size_t n, const double* mass, const double* w2, const double* q, const double* v);

  /**
     Advance n free modes by one quantum and add signal p, heard through weights[p], to out[p] [HTZ_QUANTUM], p < n_pickups
     <= HTZ_HEARD_MAX (0: advance only). out[p][j] is the signal after j+1 samples. Time-parallel: no sum across modes is taken per sample.
     Sums are taken in single precision. The basis must be that of the tables `t->row` was made from.
  */
  void (*free_quantum)(size_t n, const htz_free_table* t, double* q, double* v, size_t n_pickups,
                       const htz_free_weights* weights, float* const* out);

  /**
     Advance n modes by `frames` samples driven by the known force `drive[frames]` [N] through the participation `phi` [n],
     adding sum_k (aq_k q_k + av_k v_k), after each step, to `out` [frames] (nothing when `out` is NULL; aq, av then unused).
  */
  void (*driven)(size_t n, const htz_step_table* t, double damp, double* q, double* v, const double* phi, const float* drive,
                 const double* aq, const double* av, size_t frames, float* out);

  /**
     The same for forces at several points, heard by several pickups: point p is driven by drives[p][frames] through phi[p] [n],
     pickup i (<= HTZ_HEARD_MAX) hears aq[i], av[i] [n] and is added to out[i]. At most HTZ_QUANTUM frames.
  */
  void (*driven_points)(size_t n, const htz_step_table* t, double damp, double* q, double* v, size_t n_points,
                        const double* const* phi, const float* const* drives, size_t n_pickups, const double* const* aq,
                        const double* const* av, size_t frames, float* const* out);

  /**
     One step of modes on a moving support with modal force `force` kappa[k], and what the support will feel of them over the next
     step: sum_k kappa_k (q + q_free)/2, q_free the displacement after a step without force.
  */
  double (*step_joined)(size_t n, const htz_step_table* t, double damp, double* q, double* v, const double* kappa,
                        double force);

  /// What the support feels of modes now: @return sum_k kappa_k (q + q_free)/2 as above; `pull` gets sum_k kappa_k q_k.
  double (*reaction_joined)(size_t n, const htz_step_table* t, double damp, const double* q, const double* v,
                            const double* kappa, double* end_force);

  /**
     n modes in turning coordinates through `frames` (1..HTZ_QUANTUM) samples on a support at rest. share[i] times the sum of x before
     sample f is added to heard[i][f], unless its last one is not below `limit`. Up to HTZ_TURN_BLOCK - 1 more may be written.

     @return that last sum
  */
  float (*turn_free)(size_t n, const htz_turn_table* t, float* x, float* y, size_t frames, float limit, const float share[2],
                     float* const heard[2]);

  /// Then add what the support's displacements, share[0] w[0][frames] + share[1] w[1][frames], make of them.
  void (*turn_driven)(size_t n, const htz_turn_table* t, float* x, float* y, size_t frames, const float share[2],
                      const float* const w[2]);

  /// sum_k (xx_k x_k^2 + xy_k x_k y_k + yy_k y_k^2), n a multiple of HTZ_LANES; in single precision.
  float (*turn_energy)(size_t n, const float* xx, const float* xy, const float* yy, const float* x, const float* y);

  /**
     What `n_points` points displaced by w[p] hear of it over the next `frames` samples, each from itself and its two neighbours:
     heard[p A + l] += own[p A + l] w[p] + next[p A + l] w[p + 1] + next[(p - 1) A + l] w[p - 1], A = HTZ_ANSWER. The last point's
     `next` is zero. Up to HTZ_TURN_LANES more may be written.
  */
  void (*answer)(size_t n_points, size_t frames, const float* own, const float* next, const float* w, float* heard);

  /**
     Displacement of points after 1 .. `frames` (<= HTZ_QUANTUM) samples without forces, from n modes (a multiple of HTZ_LANES) as they are:
     seen[p HTZ_ANSWER + f], 64-byte aligned, all written.
  */
  void (*see_ahead)(size_t n, const htz_ahead_table* t, const double* q, const double* v, size_t frames, float* seen);

  /**
     What forces f[n_points] add to that over `frames` samples: seen[p A + l] += sum_q response[(p n_points + q) A + l] f[q], A = HTZ_ANSWER.
     Up to HTZ_TURN_LANES more may be written.
  */
  void (*respond)(size_t n_points, size_t frames, const float* response, const float* f, float* seen);

  /**
     One step of a line of n points, with losses that depend on frequency by past_x: next = stencil of now and before. `next` is
     written up to n rounded up to HTZ_LANES; the others are read HTZ_GRID_PAD further on both sides. 64-byte aligned.
  */
  void (*grid_line)(size_t n, const htz_grid_stencil* stencil, double* next, const double* now, const double* before);

  /**
     One step of `rows` rows of `stride` points each (a multiple of HTZ_LANES, ghost columns included), with the 13-point stencil.
     Arrays point at the first of those rows; two rows and HTZ_GRID_PAD more are read on both sides. 64-byte aligned.
  */
  void (*grid_sheet)(size_t rows, size_t stride, const htz_grid_stencil* stencil, double* next, const double* now,
                     const double* before);

  /// predict() and commit_points() of the bodies that blocks of slots belong to, step length number `level`; slot i sees its body
  /// through rows[i].
  void (*predict_bodies)(size_t n_blocks, const htz_couple_block* blocks, const htz_body_view* views, size_t level,
                         const double* const* rows, double* rise);
  void (*commit_bodies)(size_t n_blocks, const htz_couple_block* blocks, const htz_body_view* views, size_t level,
                        const double* const* rows, const double* f);

  /// to[frame] += sum_k (aq_k q_k + av_k v_k) of every tap.
  void (*hear)(size_t n_taps, const htz_tap* taps, size_t frame);

  /// x = rise + C f, C the blocks on its diagonal whose values stand in `matrix`: of every block's slots.
  void (*couple)(size_t n_blocks, const htz_couple_block* blocks, const double* matrix, const double* rise, const double* f,
                 double* x);

  /**
     to = from - sum_r force[r] rows[r], n values (a multiple of HTZ_LANES, > 0), 64-byte aligned all: increments under forces.

     @return the largest of eta and eta + to
  */
  double (*push)(size_t n, const double* from, size_t n_rows, const double* const* rows, const double* force, const double* eta,
                 double* to);

  /**
     Springs stretched by s[n] over a step in which they bore force[n], each of which takes one step of Newton's method towards the force
     that its law gives, by itself; inverse_d: 1/d [1/s]. `norms`: sums of the squares of what the changes, and the forces, move [m^2].
  */
  void (*springs)(size_t n, const htz_spring_table* t, double inverse_d, const double* s, double* force, double norms[2]);

  /**
     Solve the contacts of `t` by Newton's method from t->s, with shortened steps where it does not fall; inverse_d: 1/d [1/s].

     @param settled whether the solution is there, by `limits`
     @return Newton steps taken
  */
  int (*touch)(const htz_touch_table* t, double inverse_d, const htz_touch_limits* limits, bool* settled);

  /**
     The sums of `t`, and what V = sum (|Q|^2/2 + Re Q* offset) has for a gradient through them: conj of it per conj of z, d/dRe + i d/dIm, what
     `offset` does of itself left out. z, gradient: [2][length], real parts first; products: [2][widest], scratch; offset, sums:
     [2][n_sums]; gradient NULL: sums alone. In single precision.
  */
  void (*bend)(const htz_bend_table* t, const float* z, const float* offset, float* products, float* sums, float* gradient);

  /// Square a step table: out = the table of twice the step. out may not alias in. in->bq NULL: bq and bv are left out.
  void (*square)(size_t n, const htz_step_table* in, htz_step_table* out);
} htz_kernels;

/** Instruction sets, slowest first. */
typedef enum { HTZ_ISA_SCALAR = 0, HTZ_ISA_X86_V2, HTZ_ISA_X86_V3, HTZ_ISA_X86_V4, HTZ_ISA_AARCH64, HTZ_ISA_COUNT } htz_isa;

/** The kernels for `isa`, or NULL when this build or this processor has none. Set-up thread. */
const htz_kernels* htz_kernels_for(htz_isa isa);

/**
   The fastest kernels this processor runs, never NULL. The environment variable HERTZIAN_ISA (a kernel name) overrides; a name
   that is unknown or cannot run here is ignored (compare with `name` to notice). Set-up thread.
*/
const htz_kernels* htz_kernels_select(void);

#endif
