#include "hold.h"
#include "modal.h"

#include <math.h>
#include <string.h>

/*
   Modes that couple (hertzian/model/bending.h), by a scalar auxiliary variable: psi follows (2 (V + C))^(1/2), and with g its gradient

     m q'' + ... = F - psi g,   psi' = g v,   energy = linear energy + psi^2/2 - C.

   As with strings (modal_stretch_rt.c) this acts between steps, turning velocities and psi about each other with q standing still, which keeps
   the energy exactly whatever g is. So g may be some samples old: it is derived every few samples at the displacement to be expected in
   the middle of them. It acts once a sample, however finely a contact steps.

   The shift C keeps the root away from 0: V of a cap is below 0 at times, and where psi is large next to what V changes by, psi g is the
   force itself, and psi hardly more than a check on it. It is a share of the energy, changes nothing when it changes, and is bounded by a
   multiple of the energy, and with it so is the linear energy.
*/

// As on strings: modes that images of twice their frequency could drive do not take part.
static const double rate_share = 0.35;
static const double two_pi = 6.28318530717958647693;

// Gradients a second that are enough for weak coupling of modes up to some 4 kHz; a power of two of samples.
static const double gradients_hz = 12000.0;

// x = (held time)^2 g' M^-1 g/4 of the root without shift: where it is larger the gradient is taken more often. At 0.15 a hard crash
// loses its highest modes.
static const double coarse_most = 0.1;

static const double shift_share = 1.0;   // C over the energy
static const double shift_most = 64.0;   // and at most: more than a cap turned inside out needs
static const double shift_least = 1e-30; // [J]

// psi follows its value by trading with the kinetic energy: what is wanting at this rate [1/s], and no more than a share of that energy.
static const double steer_rate = 2000.0;
static const double steer_share_most = 0.2; // of what is wanting, per gradient
static const double steer_most = 0.02;      // of the kinetic energy

// Of the energy: where V stays below it the modes run as linear ones. What coupling makes of them is then 80 dB below.
static const double inaudible = 1e-4;
static const double peak_decay = 10.0;  // of the greatest V lately [1/s]
static const double quiet_growth = 4.0; // how far above where it left off V is trusted to be small, at most

enum { WHOLE = 1u << HTZ_LEVEL_MAX }; // finest steps in a sample

static bool acts(const modal_bending* f) {
  return f->ahead != 0.0;
}

/** How long before the middle of the samples it is for a gradient is derived [s]. */
static double lead_of(const htz_modal* m, unsigned hold) {
  return 0.5 * (hold - 1.0) * m->period;
}

static unsigned octaves(unsigned hold) {
  unsigned n = 0;
  while (hold >> (n + 1)) {
    ++n;
  }
  return n;
}

static void derive(htz_modal* m) {
  modal_bending* f = m->bending;
  const htz_bending* b = m->modes->bending;
  const double top = two_pi * rate_share / m->period;
  size_t count = 0;
  // A plate away from its own pitch is no plate any more: it goes linear until it has been at rest, and bends cannot pump energy through
  // its coupling.
  f->bent = (f->bent && m->base.cls->energy(&m->base) > 0.0) || m->ratio != 1.0;
  while (!f->bent && count < b->n && b->mode[count] < m->modes->n && m->omega[b->mode[count]] < top) {
    ++count;
  }
  memset(f->x, 0, b->n * sizeof(double));
  memset(f->g, 0, m->n * sizeof(double));
  memset(f->per_mass, 0, m->n * sizeof(double));
  f->coupled = count;
  f->reach = count ? ((size_t)b->mode[count - 1] + HTZ_LANES) / HTZ_LANES * HTZ_LANES : 0;
  f->energy = m->modes->bending_energy * m->ratio * m->ratio;
  f->hold_most = 1;
  while (f->hold_most < MODAL_HOLD_MOST && 2.0 * f->hold_most * m->period * gradients_hz <= 1.0) {
    f->hold_most *= 2;
  }
  for (unsigned o = 1; o <= octaves(f->hold_most); ++o) {
    for (size_t k = 0; k < f->reach && k < m->modes->n; ++k) {
      const htz_hold_step c = htz_hold_coefficients(m->omega[k], m->sigma[k], m->mass[k], lead_of(m, 1u << o));
      f->am[o * m->n + k] = c.am;
      f->a12[o * m->n + k] = c.a12;
    }
  }
  f->hold = f->hold_most;
  f->held = f->hold;
}

/** V at the displacement, or where it is to be expected `hold` samples of turns on average from now; its gradient into g. */
static double look(htz_modal* m, unsigned hold) {
  modal_bending* f = m->bending;
  const htz_bending* b = m->modes->bending;
  const double lead = lead_of(m, hold), pushed = 0.5 * f->psi * lead * (lead - m->period); // beyond what v being ahead makes
  const double *am = f->am + octaves(hold) * m->n, *a12 = f->a12 + octaves(hold) * m->n;
  const double scale = m->modes->bending_scale;
  for (size_t i = 0; i < f->coupled; ++i) {
    const size_t k = b->mode[i];
    const double q = m->st.q[k];
    f->x[i] = scale * (hold > 1 ? q + am[k] * q + a12[k] * m->st.v[k] - pushed * f->per_mass[k] : q);
  }
  const double potential = f->energy * htz_bending_look(b, m->k, &f->scratch, f->x, f->dx);
  for (size_t i = 0; i < f->coupled; ++i) {
    f->g[b->mode[i]] = f->energy * scale * f->dx[i];
  }
  return potential;
}

/** From the gradient of V that of psi. @return psi's value */
static double root(htz_modal* m, double potential) {
  modal_bending* f = m->bending;
  const double twice = 2.0 * (potential + f->shift);
  const double value = sqrt(twice > f->shift ? twice : f->shift);
  for (size_t k = 0; k < f->reach; ++k) {
    f->g[k] /= value;
    f->per_mass[k] = f->g[k] / m->mass[k];
  }
  f->omega2 = m->k->dot(f->reach, f->g, f->per_mass);
  return value;
}

static double rate_of(const htz_modal* m) {
  return m->k->dot(m->bending->reach, m->bending->g, m->st.v);
}

/** Velocities and psi go on by `d` [s]. */
static void turn(htz_modal* m, double d) {
  modal_bending* f = m->bending;
  const double x = 0.25 * d * d * f->omega2;
  const double next = ((1.0 - x) * f->psi + d * rate_of(m)) / (1.0 + x);
  const double impulse = 0.5 * d * (f->psi + next);
  for (size_t k = 0; k < f->reach; ++k) {
    m->st.v[k] -= impulse * f->per_mass[k];
  }
  f->psi = next;
}

static double stored(const htz_modal* m) {
  return acts(m->bending) ? 0.5 * m->bending->psi * m->bending->psi - m->bending->shift : 0.0;
}

/** The shift for an energy, where V is `potential`. */
static double shift_for(double energy, double potential) {
  double c = shift_share * energy;
  c = c < -2.0 * potential ? -2.0 * potential : c;
  c = c > shift_most * energy ? shift_most * energy : c;
  return c > shift_least ? c : shift_least;
}

/** What pickups hear of the force now, per psi. */
static void listen(htz_modal* m) {
  modal_bending* f = m->bending;
  for (size_t p = 0; p < m->n_pickups; ++p) {
    const modal_pickup* pickup = &m->pickups[p];
    const bool hears = pickup->quantity == HTZ_HEAR_PRESSURE || pickup->quantity == HTZ_HEAR_ACCELERATION;
    double sum = 0.0;
    for (size_t k = 0; hears && k < f->reach; ++k) {
      sum += m->w2[k] > 0.0 ? pickup->aq[k] / m->w2[k] * f->per_mass[k] : 0.0;
    }
    f->before[p] = f->heard[p];
    f->heard[p] = sum;
  }
}

static void take_up(htz_modal* m) {
  modal_bending* f = m->bending;
  const double potential = look(m, 1);
  const double energy = m->k->energy(f->reach, m->mass, m->w2, m->st.q, m->st.v) + potential;
  f->shift = shift_for(energy, potential);
  f->psi = root(m, potential);
  f->booked += 0.5 * f->psi * f->psi - f->shift;
  f->ahead = 0.5 * m->period;
  f->peak = energy > 0.0 ? fabs(potential) / energy : 1.0;
  f->hold = f->hold_most;
  f->held = f->hold;
  listen(m);
  listen(m);
  turn(m, f->ahead);
}

static void leave(htz_modal* m) {
  modal_bending* f = m->bending;
  root(m, look(m, 1));
  turn(m, -f->ahead);
  f->booked -= 0.5 * f->psi * f->psi - f->shift;
  f->psi = f->shift = f->ahead = 0.0;
}

/** psi comes nearer to `value`, which it should have half of `hold` samples from now; velocities pay for it. */
static void steer(htz_modal* m, double value, unsigned hold) {
  modal_bending* f = m->bending;
  const double span = hold * m->period;
  const double share = steer_rate * span < steer_share_most ? steer_rate * span : steer_share_most;
  const double more = share * (value - f->psi - 0.5 * span * rate_of(m));
  const double kinetic = 0.5 * m->k->dot3(f->reach, m->mass, m->st.v, m->st.v);
  const double most = steer_most * kinetic, wanted = more * (f->psi + 0.5 * more);
  const double price = wanted > most ? most : wanted < -most ? -most : wanted;
  const double twice = f->psi * f->psi + 2.0 * price;
  if (!(kinetic > 0.0) || !(twice > 0.0)) {
    return;
  }
  const double factor = sqrt(1.0 - price / kinetic);
  for (size_t k = 0; k < f->reach; ++k) {
    m->st.v[k] *= factor;
  }
  f->psi = sqrt(twice);
}

/** A new gradient, for the next samples. */
static void renew(htz_modal* m) {
  modal_bending* f = m->bending;
  const unsigned hold = f->hold;
  const double potential = look(m, hold);
  const double energy = m->k->energy(f->reach, m->mass, m->w2, m->st.q, m->st.v) + stored(m);
  const double shift = shift_for(energy, potential);
  double twice = f->psi * f->psi + 2.0 * (shift - f->shift);
  if (twice < 0.0) {
    f->booked -= 0.5 * twice;
    twice = 0.0;
  }
  f->psi = f->psi < 0.0 ? -sqrt(twice) : sqrt(twice);
  f->shift = shift;
  const double value = root(m, potential);
  steer(m, value, hold);
  listen(m);
  const double share = energy > 0.0 ? fabs(potential) / energy : 0.0;
  const double kept = f->peak * (1.0 - peak_decay * hold * m->period);
  f->peak = share > kept ? share : kept;
  const double size = f->peak * energy; // V, but where it goes through 0
  const double bare = 0.125 * m->period * m->period * f->omega2 * value * value / (size > shift_least ? size : shift_least);
  const double x = bare * hold * hold;
  f->coarse = x > f->coarse ? x : f->coarse;
  f->hold = f->hold_most;
  while (f->hold > 1 && !(bare * f->hold * f->hold < coarse_most)) {
    f->hold /= 2;
  }
}

static void step(htz_modal* m, unsigned level, bool pushed) {
  modal_bending* f = m->bending;
  f->ticks += WHOLE >> level;
  if (f->ticks < WHOLE) {
    return;
  }
  f->ticks = 0;
  if (!acts(f)) {
    if (pushed && f->reach > 0 && m->base.cls->energy(&m->base) > f->quiet) {
      take_up(m);
    }
    return;
  }
  if (++f->held >= f->hold) {
    f->held = 0;
    renew(m);
  }
  turn(m, m->period);
}

/** It acts once a sample, whatever the steps. */
static void begin(htz_modal* m, unsigned level) {
  (void)m;
  (void)level;
}

static void follow(htz_modal* m) {
  modal_bending* f = m->bending;
  if (!acts(f)) {
    f->quiet = 0.0;
    return;
  }
  if (f->reach == 0) { // nothing is coupled any more
    f->booked -= stored(m);
    f->psi = f->shift = f->ahead = f->peak = f->quiet = 0.0;
    return;
  }
  const double before = stored(m), potential = look(m, 1);
  f->shift = f->shift > -2.0 * potential ? f->shift : -2.0 * potential;
  f->psi = root(m, potential) + f->ahead * rate_of(m);
  f->booked += stored(m) - before;
  f->held = f->hold;
}

static void reset(htz_modal* m) {
  modal_bending* f = m->bending;
  f->psi = f->shift = f->ahead = f->peak = f->quiet = f->booked = f->coarse = 0.0;
  f->ticks = 0;
  if (f->bent && m->ratio == 1.0) {
    f->bent = false;
    derive(m);
  }
  f->hold = f->hold_most;
  f->held = f->hold;
}

static bool is_linear(htz_modal* m) {
  modal_bending* f = m->bending;
  const double energy = m->base.cls->energy(&m->base);
  if (!acts(f)) {
    if (f->reach > 0 && energy > f->quiet) {
      take_up(m);
    }
    return !acts(f);
  }
  if (f->peak < inaudible) {
    leave(m);
    const double growth = f->peak > 0.0 ? inaudible / f->peak : quiet_growth;
    f->quiet = energy * (growth < quiet_growth ? growth : quiet_growth);
  }
  return !acts(f);
}

static double linear_below(const htz_modal* m) {
  return m->bending->quiet;
}

static htz_internal_account account(const htz_modal* m) {
  const modal_bending* f = m->bending;
  const htz_bending* b = m->modes->bending;
  // The scratch holds nothing that outlives a look.
  for (size_t i = 0; i < f->coupled; ++i) {
    f->x[i] = m->modes->bending_scale * m->st.q[b->mode[i]];
  }
  const double potential = f->energy * htz_bending_look(b, m->k, &f->scratch, f->x, NULL);
  // As far ahead of the displacement as psi is.
  return (htz_internal_account){
      .stored = stored(m), .potential = potential + f->ahead * f->psi * rate_of(m), .booked = f->booked, .coarse = f->coarse};
}

double htz_modal_bending_heard(const htz_modal* m, size_t index) {
  const modal_bending* f = m->bending;
  if (!acts(f)) {
    return 0.0;
  }
  // A line through the last two gradients, each in the middle of its samples.
  const double slope = (f->heard[index] - f->before[index]) / f->hold;
  return f->psi * (f->heard[index] + slope * (f->held - 0.5 * (f->hold - 1.0)));
}

enum { NUMBERS = 11 }; // of the state besides q, v and arrays

static size_t state_size(const htz_modal* m) {
  return NUMBERS + 2 * m->n_pickups + 2 * m->n;
}

static void save(const htz_modal* m, double* to) {
  const modal_bending* f = m->bending;
  const double rest[NUMBERS] = {f->psi,    f->shift,  f->ahead,         f->omega2,       f->peak,        f->quiet,
                                f->booked, f->coarse, (double)f->ticks, (double)f->held, (double)f->hold};
  memcpy(to, rest, sizeof rest);
  to += NUMBERS;
  memcpy(to, f->g, m->n * sizeof(double));
  memcpy(to + m->n, f->per_mass, m->n * sizeof(double));
  to += 2 * m->n;
  memcpy(to, f->heard, m->n_pickups * sizeof(double));
  memcpy(to + m->n_pickups, f->before, m->n_pickups * sizeof(double));
}

static void restore(htz_modal* m, const double* from) {
  modal_bending* f = m->bending;
  f->psi = from[0];
  f->shift = from[1];
  f->ahead = from[2];
  f->omega2 = from[3];
  f->peak = from[4];
  f->quiet = from[5];
  f->booked = from[6];
  f->coarse = from[7];
  f->ticks = (unsigned)from[8];
  f->held = (unsigned)from[9];
  f->hold = (unsigned)from[10];
  from += NUMBERS;
  memcpy(f->g, from, m->n * sizeof(double));
  memcpy(f->per_mass, from + m->n, m->n * sizeof(double));
  from += 2 * m->n;
  memcpy(f->heard, from, m->n_pickups * sizeof(double));
  memcpy(f->before, from + m->n_pickups, m->n_pickups * sizeof(double));
}

const modal_force htz_modal_bending = {derive, step,    begin,     follow,       reset,  state_size,
                                       save,   restore, is_linear, linear_below, stored, account};
