#include "modal.h"

#include <math.h>
#include <string.h>

/*
   Tension that grows with stretching (hertzian/model/bodies.h), by a scalar auxiliary variable. With psi following
   scale S, scale = sqrt(EA/(4 L)), S = sum w q^2, and g = 2 scale w q its gradient, the body obeys

     m q'' + ... = F - psi g,   psi' = g v,   energy = linear energy + psi^2/2.

   This is split in two flows that each keep the energy exactly: the linear body under its outer forces, exact over the step, psi
   standing still; and, with q standing still, v and psi turning about each other, m v' = -psi g, psi' = g v, a midpoint rule whose
   one unknown is psi. The second acts for half a step before the first and half a step after; two halves on end are one, so between
   steps v and psi are ahead of q by half a step. To first order in psi the frequency of every mode then shifts by just what it must,
   however high it is (a force held over the step would fall short by a factor sin(omega d)/(omega d)), and what contacts and joins
   see of a step is the linear body.
*/

// A mode nearer than this to half the rate would be driven by images of twice its own frequency: it neither lengthens the body nor
// feels the tension. Up to a tension of half as much again the others stay clear of that.
static const double rate_share = 0.35;

// Relative rise of the tension that moves the pitch by 0.01 cent: 2 ln 2/1200 of it.
static const double inaudible = 1.155e-5;

// psi follows its value at the displacement by turning a little more or less: what is wanting at this rate [1/s], so that the order
// stays the second, and by no more than a share of the step.
static const double steer_rate = 2000.0;
static const double steer_share_most = 0.2; // of what is wanting
static const double steer_most = 0.05;      // of the step

static const double two_pi = 6.28318530717958647693;

static bool acts(const modal_internal* f) {
  return f->ahead != 0.0;
}

static void derive(htz_modal* m) {
  modal_internal* f = &m->internal;
  const double top = two_pi * rate_share / m->period;
  double tension = HUGE_VAL;
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double bend = m->omega[k] < top ? m->modes->bend[k] : 0.0;
    f->weight[k] = bend;
    f->per_mass[k] = bend / m->mass[k];
    f->square[k] = bend * bend / m->mass[k];
    // m omega^2/bend is the tension, with what stiffness adds to it.
    const double here = m->mass[k] * m->w2[k] / m->modes->bend[k];
    tension = here < tension ? here : tension;
  }
  // Of an energy E at most E can be in tension T, T S/2 <= E, so it rises by at most EA E/(L T).
  f->quiet = inaudible * tension * tension / m->modes->stretch;
}

/** What a turn depends on, at the present displacement. */
typedef struct {
  double value;  // scale S
  double rate;   // g v
  double omega2; // g' M^-1 g
} look;

static look look_at(const htz_modal* m) {
  const modal_internal* f = &m->internal;
  const double twice = 2.0 * f->scale;
  return (look){f->scale * m->k->dot3(m->n, f->weight, m->st.q, m->st.q), twice * m->k->dot3(m->n, f->weight, m->st.q, m->st.v),
                twice * twice * m->k->dot3(m->n, f->square, m->st.q, m->st.q)};
}

/** Velocities and psi go on by `d` [s]. */
static void turn(htz_modal* m, const look* at, double d) {
  modal_internal* f = &m->internal;
  const double x = 0.25 * d * d * at->omega2;
  const double next = ((1.0 - x) * f->psi + d * at->rate) / (1.0 + x);
  const double impulse = d * (f->psi + next) * f->scale;
  for (size_t k = 0; k < m->n; ++k) {
    m->st.v[k] -= impulse * f->per_mass[k] * m->st.q[k];
  }
  f->psi = next;
  f->coarse = x > f->coarse ? x : f->coarse;
}

static void take_up(htz_modal* m, double d) {
  modal_internal* f = &m->internal;
  const look at = look_at(m);
  f->psi = at.value;
  f->booked += 0.5 * f->psi * f->psi;
  f->ahead = 0.5 * d;
  turn(m, &at, f->ahead);
}

static void leave(htz_modal* m) {
  modal_internal* f = &m->internal;
  const look at = look_at(m);
  turn(m, &at, -f->ahead);
  f->booked -= 0.5 * f->psi * f->psi;
  f->psi = 0.0;
  f->ahead = 0.0;
}

static void step(htz_modal* m, unsigned level, bool pushed) {
  modal_internal* f = &m->internal;
  if (!acts(f) && !pushed) {
    return;
  }
  const double d = ldexp(m->period, -(int)level);
  if (!acts(f)) {
    take_up(m, d);
    return;
  }
  const look at = look_at(m);
  const double wanting = at.value - (f->psi + (d - f->ahead) * at.rate);
  const double size = at.rate * at.rate + at.omega2 * f->psi * f->psi;
  const double share = steer_rate * d < steer_share_most ? steer_rate * d : steer_share_most;
  double more = size > 0.0 ? share * wanting * at.rate / size : 0.0;
  more = more > steer_most * d ? steer_most * d : more < -steer_most * d ? -steer_most * d : more;
  turn(m, &at, d + more);
  f->ahead = 0.5 * d;
}

static void begin(htz_modal* m, unsigned level) {
  modal_internal* f = &m->internal;
  if (!acts(f)) {
    return;
  }
  const double wanted = ldexp(0.5 * m->period, -(int)level);
  if (wanted == f->ahead) {
    return;
  }
  const look at = look_at(m);
  turn(m, &at, wanted - f->ahead);
  f->ahead = wanted;
}

static void follow(htz_modal* m) {
  modal_internal* f = &m->internal;
  if (acts(f)) {
    const look at = look_at(m);
    const double before = 0.5 * f->psi * f->psi;
    f->psi = at.value + f->ahead * at.rate;
    f->booked += 0.5 * f->psi * f->psi - before;
  }
}

enum { STATE = 4 };

static size_t state_size(const htz_modal* m) {
  (void)m;
  return STATE;
}

static void save(const htz_modal* m, double* to) {
  const double rest[STATE] = {m->internal.psi, m->internal.ahead, m->internal.booked, m->internal.coarse};
  memcpy(to, rest, sizeof rest);
}

static void restore(htz_modal* m, const double* from) {
  m->internal.psi = from[0];
  m->internal.ahead = from[1];
  m->internal.booked = from[2];
  m->internal.coarse = from[3];
}

static void reset(htz_modal* m) {
  modal_internal* f = &m->internal;
  f->psi = 0.0;
  f->ahead = 0.0;
  f->booked = 0.0;
  f->coarse = 0.0;
}

static double linear_below(const htz_modal* m) {
  return m->internal.quiet;
}

static bool is_linear(htz_modal* m) {
  modal_internal* f = &m->internal;
  const bool loud = m->base.cls->energy(&m->base) > f->quiet;
  if (loud && !acts(f)) {
    take_up(m, m->period);
  } else if (!loud && acts(f)) {
    leave(m);
  }
  return !acts(f);
}

static double stored(const htz_modal* m) {
  return 0.5 * m->internal.psi * m->internal.psi;
}

static htz_internal_account account(const htz_modal* m) {
  const modal_internal* f = &m->internal;
  const double s = m->k->dot3(m->n, f->weight, m->st.q, m->st.q);
  const double value = f->scale * s;
  return (htz_internal_account){.stored = stored(m),
                                .potential = 0.5 * value * value,
                                .tension = 0.5 * m->modes->stretch * s,
                                .booked = f->booked,
                                .coarse = f->coarse};
}

const modal_force htz_modal_stretching = {derive, step,    begin,     follow,       reset,  state_size,
                                          save,   restore, is_linear, linear_below, stored, account};
