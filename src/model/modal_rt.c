#include "modal.h"

#include "hold.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// Highest frequency a pickup reports: the limit of hearing, or this share of the sample rate if that is lower, so that nothing
// folds back.
static const double hearing_limit_hz = 20000.0;
static const double rate_share = 0.49;

// A damper never takes more than this share of the velocity in one step: beyond it the free-running tables lose their digits.
static const double keep_least = 1e-4;

static htz_modal* modal_of(htz_body* body) {
  return (htz_modal*)body;
}

static const htz_modal* modal_of_const(const htz_body* body) {
  return (const htz_modal*)body;
}

/** A level's table is new: it is ready, and what was known of its compliances is not true any more. */
static void level_done(htz_modal* m, unsigned level) {
  const size_t count = m->base.n_points * m->base.n_points;
  double* c = m->compliance + level * count;
  for (size_t i = 0; i < count; ++i) {
    c[i] = (double)NAN;
  }
  htz_modal_forget_join(m, level);
  m->level_ready[level] = true;
}

static void fill_level(htz_modal* m, unsigned level) {
  const double d = ldexp(m->period, -(int)level);
  const htz_step_table* t = &m->level[level];
  for (size_t k = 0; k < m->modes->n; ++k) {
    const htz_hold_step c = htz_hold_coefficients(m->omega[k], m->sigma[k], m->mass[k], d);
    t->am[k] = c.am;
    t->a12[k] = c.a12;
    t->a21[k] = c.a21;
    t->dm[k] = c.dm;
    t->bq[k] = c.bq;
    t->bv[k] = c.bv;
  }
  level_done(m, level);
}

static void set_keep(htz_modal* m) {
  for (unsigned l = 0; l < MODAL_LEVELS; ++l) {
    const double g = exp(-2.0 * m->damper * ldexp(m->period, -(int)l));
    m->keep[l] = g > keep_least ? g : keep_least;
  }
  modal_stale(m);
}

double htz_modal_bound(const htz_modal* m, const double* aq, const double* av) {
  double sum = 0.0;
  for (size_t k = 0; k < m->modes->n; ++k) {
    sum += av[k] * av[k] / m->mass[k];
    sum += m->w2[k] > 0.0 ? aq[k] * aq[k] / (m->mass[k] * m->w2[k]) : 0.0;
  }
  return sqrt(2.0 * sum);
}

/** What a surface's pickup hears at once of forces at its points: sum of g phi/m over the modes, g = -aq/omega^2. */
static void derive_direct(htz_modal* m, modal_pickup* p) {
  const bool ear = p->quantity == HTZ_HEAR_PRESSURE;
  for (size_t point = 0; (p->surface || ear) && point < m->base.n_points; ++point) {
    double sum = 0.0;
    for (size_t k = 0; (p->quantity == HTZ_HEAR_ACCELERATION || ear) && k < m->modes->n; ++k) {
      sum -= m->w2[k] > 0.0 ? p->aq[k] * m->phi[point * m->n + k] / (m->w2[k] * m->mass[k]) : 0.0;
    }
    p->direct[point] = sum;
  }
}

/** Above it [rad/s] nothing is heard. */
static double top_of(const htz_modal* m) {
  const double share = rate_share / m->period;
  return 2.0 * pi * (share < hearing_limit_hz ? share : hearing_limit_hz);
}

/** The same of an ear, from its weights. */
static void derive_ear(htz_modal* m, modal_pickup* p) {
  const double top = top_of(m);
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double g = m->modes->audible[k] && m->omega[k] < top ? p->gain : 0.0;
    const double re = p->re[0][k] + p->moved * (p->re[1][k] - p->re[0][k]);
    const double im = p->im[0][k] + p->moved * (p->im[1][k] - p->im[0][k]);
    p->aq[k] = -g * m->w2[k] * re;
    p->av[k] = -g * (2.0 * m->sigma[k] * re + m->omega[k] * im);
  }
  p->bound = htz_modal_bound(m, p->aq, p->av);
  derive_direct(m, p);
}

/** Signal coefficients of one pickup from its place and the present frequencies. */
static void derive_pickup(htz_modal* m, size_t index) {
  modal_pickup* p = &m->pickups[index];
  if (p->gain == 0.0) {
    memset(p->aq, 0, m->n * sizeof(double));
    memset(p->av, 0, m->n * sizeof(double));
    p->bound = 0.0;
    derive_direct(m, p);
    return;
  }
  if (p->quantity == HTZ_HEAR_PRESSURE) {
    derive_ear(m, p);
    return;
  }
  if (p->surface && m->modes->shape_xy) {
    m->modes->shape_xy(m->modes, p->x, p->y, m->row);
  } else {
    m->modes->shape(m->modes, p->x, m->row);
  }
  const double top = top_of(m);
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double g = m->modes->audible[k] && m->omega[k] < top ? p->gain * m->row[k] : 0.0;
    const bool acc = p->quantity == HTZ_HEAR_ACCELERATION;
    p->aq[k] = p->quantity == HTZ_HEAR_DISPLACEMENT ? g : acc ? -m->w2[k] * g : 0.0;
    if (p->quantity == HTZ_HEAR_FORCE || p->quantity == HTZ_HEAR_REACTION) {
      // Tension goes with the square of the tuning.
      const bool heard = m->modes->end_force && m->modes->audible[k] && m->omega[k] < top;
      p->aq[k] = heard ? p->gain * m->modes->end_force[k] * m->ratio * m->ratio : 0.0;
    }
    p->av[k] = p->quantity == HTZ_HEAR_VELOCITY ? g : acc ? -2.0 * m->sigma[k] * g : 0.0;
  }
  p->bound = htz_modal_bound(m, p->aq, p->av);
  derive_direct(m, p);
}

/** Everything that follows from omega and sigma. */
static void derive_rest(htz_modal* m) {
  for (size_t k = 0; k < m->modes->n; ++k) {
    m->w2[k] = m->omega[k] * m->omega[k];
  }
  for (unsigned l = 0; l < MODAL_LEVELS; ++l) {
    m->level_ready[l] = false;
  }
  fill_level(m, 0);
  htz_modal_derive_internal(m);
  htz_modal_derive_join(m);
  for (size_t p = 0; p < m->n_pickups; ++p) {
    derive_pickup(m, p);
  }
  modal_stale(m);
}

void htz_modal_derive(htz_modal* m) {
  for (size_t k = 0; k < m->modes->n; ++k) {
    m->omega[k] = m->modes->omega[k] * m->ratio;
    m->sigma[k] = m->modes->sigma[k] * m->loss;
  }
  derive_rest(m);
}

void htz_modal_redefine(htz_modal* m, const double* swing, const double* decay) {
  for (size_t k = 0; k < m->modes->n; ++k) {
    m->omega[k] = sqrt(swing[k] * swing[k] + decay[k] * decay[k]);
    m->sigma[k] = decay[k];
  }
  derive_rest(m);
}

static void modal_reset(htz_body* body) {
  htz_modal* m = modal_of(body);
  memset(m->st.q, 0, m->n * sizeof(double));
  memset(m->st.v, 0, m->n * sizeof(double));
  for (size_t p = 0; p < m->n_pickups; ++p) {
    m->pickups[p].added = m->pickups[p].pushed = 0.0;
  }
  htz_modal_internal_reset(m);
}

static void modal_begin(htz_body* body, unsigned level) {
  htz_modal_internal_begin(modal_of(body), level);
}

/** The finest level wanted is evaluated, the ones above it are its squares: one exponential and sine per mode, whatever the depth. */
static void modal_prepare(htz_body* body, unsigned level) {
  htz_modal* m = modal_of(body);
  if (!m->level_ready[level]) {
    fill_level(m, level);
  }
  for (unsigned l = level; l-- > 1;) {
    if (!m->level_ready[l]) {
      m->k->square(m->n, &m->level[l + 1], &m->level[l]);
      level_done(m, l);
    }
  }
}

static double modal_predict(const htz_body* body, unsigned level, size_t point) {
  const htz_modal* m = modal_of_const(body);
  const double free = m->k->predict(m->n, &m->level[level], m->keep[level], m->st.q, m->st.v, m->phi + point * m->n);
  return m->join_standing == 0.0 ? free : free + htz_modal_join_pushes(m, level, point);
}

void htz_modal_predict_points(const htz_modal* m, size_t n_points, double* rise) {
  const double* phi[HTZ_PER_CALL];
  for (size_t first = 0; first < n_points; first += HTZ_PER_CALL) {
    const size_t count = n_points - first < HTZ_PER_CALL ? n_points - first : HTZ_PER_CALL;
    for (size_t i = 0; i < count; ++i) {
      phi[i] = m->phi + (first + i) * m->n;
    }
    m->k->predict_points(m->n, &m->level[0], m->keep[0], m->st.q, m->st.v, count, phi, rise + first);
  }
}

static double modal_compliance(htz_body* body, unsigned level, size_t p, size_t r) {
  htz_modal* m = modal_of(body);
  const size_t np = m->base.n_points;
  double* c = m->compliance + level * np * np;
  if (isnan(c[p * np + r])) {
    const double value = m->k->dot3(m->n, m->phi + p * m->n, m->phi + r * m->n, m->level[level].bq);
    c[p * np + r] = value;
    c[r * np + p] = value;
  }
  return c[p * np + r];
}

/** Forces at points 0, 1, 2 ...: as a bridge pushes a board. */
static bool all_in_turn(size_t count, const size_t* points) {
  for (size_t i = 0; i < count; ++i) {
    if (points[i] != i) {
      return false;
    }
  }
  return true;
}

/** The linear part of a step. */
static void commit_linear(htz_modal* m, unsigned level, size_t count, const size_t* points, const double* f) {
  enum { AT_ONCE = 4 }; // point forces the kernel takes in one pass
  const htz_step_table* t = &m->level[level];
  const double keep = m->keep[level];
  const size_t joined = m->join_standing != 0.0;
  if (count + joined == 0) {
    m->k->commit(m->n, t, keep, m->st.q, m->st.v, NULL);
    return;
  }
  if (count + joined <= AT_ONCE) {
    const double* phi[AT_ONCE];
    double forces[AT_ONCE];
    for (size_t i = 0; i < count; ++i) {
      phi[i] = m->phi + points[i] * m->n;
      forces[i] = f[i];
    }
    if (joined) {
      phi[count] = m->kappa;
      forces[count] = -m->join_standing;
    }
    m->k->commit_points(m->n, t, keep, m->st.q, m->st.v, count + joined, phi, forces);
    return;
  }
  if (all_in_turn(count, points)) {
    m->k->spread(m->n, count, m->phi, f, m->row);
  } else {
    memset(m->row, 0, m->n * sizeof(double));
    for (size_t i = 0; i < count; ++i) {
      const double* phi = m->phi + points[i] * m->n;
      for (size_t k = 0; k < m->n; ++k) {
        m->row[k] += f[i] * phi[k];
      }
    }
  }
  for (size_t k = 0; joined && k < m->n; ++k) {
    m->row[k] -= m->join_standing * m->kappa[k];
  }
  m->k->commit(m->n, t, keep, m->st.q, m->st.v, m->row);
}

static void modal_commit(htz_body* body, unsigned level, size_t count, const size_t* points, const double* f) {
  htz_modal* m = modal_of(body);
  commit_linear(m, level, count, points, f);
  if (count > 0) {
    htz_modal_push_ears(m, level, count, points, f);
  }
  htz_modal_internal_step(m, level, count > 0);
}

static double modal_displacement(const htz_body* body, size_t point) {
  const htz_modal* m = modal_of_const(body);
  return m->k->dot(m->n, m->phi + point * m->n, m->st.q);
}

static double modal_velocity(const htz_body* body, size_t point) {
  const htz_modal* m = modal_of_const(body);
  return m->k->dot(m->n, m->phi + point * m->n, m->st.v);
}

static double modal_energy(const htz_body* body) {
  const htz_modal* m = modal_of_const(body);
  return m->k->energy(m->n, m->mass, m->w2, m->st.q, m->st.v) + htz_modal_internal_stored(m);
}

/** A modal body has no single motion to give; this sets every mode, which is what a one-mode body wants. */
static void modal_set_motion(htz_body* body, double q, double v) {
  htz_modal* m = modal_of(body);
  for (size_t k = 0; k < m->modes->n; ++k) {
    m->st.q[k] = q;
    m->st.v[k] = v;
  }
  htz_modal_internal_follow(m);
}

static bool has_ears(const htz_modal* m) {
  bool found = false;
  for (size_t p = 0; p < m->n_pickups; ++p) {
    found = found || m->pickups[p].quantity == HTZ_HEAR_PRESSURE;
  }
  return found;
}

/** Internal forces, a moving support and ears that hear forces at once are more than the kernels know. */
static bool modal_view(htz_body* body, htz_body_view* view, const double** rows) {
  htz_modal* m = modal_of(body);
  *view = (htz_body_view){.n = m->n, .table = m->level, .damp = m->keep, .q = m->st.q, .v = m->st.v};
  *rows = m->phi;
  return !m->force && !m->kappa && !has_ears(m);
}

const htz_body_class htz_modal_class = {"modal",        modal_reset,      modal_prepare,    modal_begin,
                                        modal_predict,  modal_compliance, modal_commit,     modal_displacement,
                                        modal_velocity, modal_energy,     modal_set_motion, modal_view};

htz_body* htz_modal_body(htz_modal* modal) {
  return &modal->base;
}

void htz_modal_place(htz_modal* m, size_t point, double x) {
  htz_modal_place_xy(m, point, x, (double)NAN);
}

void htz_modal_place_xy(htz_modal* m, size_t point, double x, double y) {
  double* phi = m->phi + point * m->n;
  if (m->modes->shape_xy && !isnan(y)) {
    m->modes->shape_xy(m->modes, x, y, phi);
  } else {
    m->modes->shape(m->modes, x, phi);
  }
  htz_modal_forget_join(m, MODAL_LEVELS);
  for (size_t p = 0; p < m->n_pickups; ++p) {
    derive_direct(m, &m->pickups[p]);
  }
  const size_t np = m->base.n_points;
  for (unsigned l = 0; l < MODAL_LEVELS; ++l) {
    if (!m->level_ready[l]) {
      continue;
    }
    double* c = m->compliance + l * np * np;
    for (size_t r = 0; r < np; ++r) {
      c[point * np + r] = (double)NAN;
      c[r * np + point] = (double)NAN;
    }
  }
}

static void listen(htz_modal* m, size_t index, htz_quantity quantity, double gain) {
  m->pickups[index].quantity = quantity;
  m->pickups[index].gain = gain;
  derive_pickup(m, index);
  modal_stale(m);
}

void htz_modal_listen_xy(htz_modal* m, size_t index, htz_quantity quantity, double x, double y, double gain) {
  m->pickups[index].x = x;
  m->pickups[index].y = y;
  m->pickups[index].surface = true;
  listen(m, index, quantity, gain);
}

void htz_modal_listen(htz_modal* m, size_t index, htz_quantity quantity, double x, double gain) {
  m->pickups[index].x = x;
  m->pickups[index].surface = false;
  listen(m, index, quantity, gain);
}

void htz_modal_listen_ear(htz_modal* m, size_t index, const double* re, const double* im, double gain, double corner_hz) {
  modal_pickup* p = &m->pickups[index];
  p->surface = false;
  p->re[0] = p->re[1] = re;
  p->im[0] = p->im[1] = im;
  p->moved = 0.0;
  p->share = -expm1(-2.0 * pi * corner_hz * m->period);
  p->added = 0.0;
  listen(m, index, HTZ_HEAR_PRESSURE, gain);
}

void htz_modal_move_ear(htz_modal* m, size_t index, const double* const re[2], const double* const im[2], double share) {
  modal_pickup* p = &m->pickups[index];
  for (size_t i = 0; i < 2; ++i) {
    p->re[i] = re[i];
    p->im[i] = im[i];
  }
  p->moved = share;
  derive_pickup(m, index);
  modal_stale(m);
}

double htz_modal_retune(htz_modal* m, double ratio, double loss, bool touching) {
  if (!(ratio > 0.0) || !(loss > 0.0) || (ratio == m->ratio && loss == m->loss)) {
    return 0.0;
  }
  const double before = touching ? modal_energy(&m->base) : 0.0;
  const double scale = m->ratio / ratio;
  m->ratio = ratio;
  m->loss = loss;
  htz_modal_derive(m);
  for (size_t k = 0; k < m->modes->n && !touching; ++k) {
    m->st.q[k] *= m->omega[k] > 0.0 ? scale : 1.0;
  }
  htz_modal_internal_follow(m);
  return touching ? modal_energy(&m->base) - before : 0.0;
}

void htz_modal_damp(htz_modal* m, double sigma) {
  const double rate = sigma > 0.0 ? sigma : 0.0;
  if (rate != m->damper) {
    m->damper = rate;
    set_keep(m);
  }
}

double htz_modal_damper(const htz_modal* m) {
  return m->keep[0];
}

htz_mode_step htz_modal_mode_step(const htz_modal* m, size_t k) {
  const htz_step_table* t = &m->level[0];
  const double g = m->keep[0];
  return (htz_mode_step){{1.0 + t->am[k], g * t->a12[k], t->a21[k], g + g * t->dm[k]}, {t->bq[k], t->bv[k]}};
}

const double* htz_modal_phi(const htz_modal* m, size_t point) {
  return m->phi + point * m->n;
}

void htz_modal_signal(const htz_modal* m, size_t index, const double** aq, const double** av) {
  *aq = m->pickups[index].aq;
  *av = m->pickups[index].av;
}

htz_tap htz_modal_tap(const htz_modal* m, size_t index, float* to) {
  const modal_pickup* p = &m->pickups[index];
  return (htz_tap){.n = m->n, .aq = p->aq, .av = p->av, .q = m->st.q, .v = m->st.v, .to = to};
}

size_t htz_modal_padded(const htz_modal* m) {
  return m->n;
}

unsigned htz_modal_epoch(const htz_modal* m) {
  return m->epoch;
}

const htz_kernels* htz_modal_kernels(const htz_modal* m) {
  return m->k;
}

size_t htz_modal_pickups(const htz_modal* m) {
  return m->n_pickups;
}

double htz_modal_reacts(const htz_modal* m, size_t index) {
  return m->pickups[index].quantity == HTZ_HEAR_REACTION ? m->pickups[index].gain : 0.0;
}

size_t htz_modal_count(const htz_modal* m) {
  return m->modes->n;
}

const double* htz_modal_omega(const htz_modal* m) {
  return m->omega;
}

const double* htz_modal_sigma(const htz_modal* m) {
  return m->sigma;
}

const double* htz_modal_mass(const htz_modal* m) {
  return m->mass;
}

htz_modal_state htz_modal_tuning(const htz_modal* m) {
  return (htz_modal_state){m->ratio, m->loss, m->damper};
}

double* htz_modal_q(htz_modal* m) {
  return m->st.q;
}

double* htz_modal_v(htz_modal* m) {
  return m->st.v;
}
