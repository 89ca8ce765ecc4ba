#include "modal.h"

#include <math.h>
#include <string.h>

/*
   Free running. One step of a damped mode is x+ = A x with A = [[a11, g a12], [a21, g a22]]. With E = sqrt(det A),
   c = tr A / 2E and B = A/E - c I (so that B^2 = (c^2 - 1) I), A^j = E^j [T_j(c) I + U_(j-1)(c) B], T and U the Chebyshev
   polynomials: cosine_j = E^j T_j, sine_j = E^j U_(j-1). A signal a q + b v then has alpha = a q + b v and
   beta = (a b11 + b b21) q + (a b12 + b b22) v. Holds under-, over- and critically damped.
   Damped so far beyond critical that one of its two decays is over within a sample, a mode leaves no digits of det A. Then A has rank
   one, and A^j = (tr A)^(j-1) A: B is A itself, cosine_j = 0 and sine_j = (tr A)^(j-1).
*/
typedef struct {
  double e, c, b11, b12, b21, b22;
  bool rank_one;
} flow;

// det A over (tr A)^2, as good as the ratio of the two decays: what is left out below it is less than float holds, and what rounding
// leaves of det A above it is as good.
static const double least_ratio = 1e-9;

static flow flow_of(const htz_modal* m, size_t k) {
  const htz_mode_step s = htz_modal_mode_step(m, k);
  const double det = s.a[0] * s.a[3] - s.a[1] * s.a[2];
  const double trace = s.a[0] + s.a[3];
  if (!(det > least_ratio * trace * trace)) {
    return (flow){1.0, trace, s.a[0], s.a[1], s.a[2], s.a[3], true};
  }
  const double e = sqrt(det), half = 0.5 * (s.a[0] - s.a[3]) / e;
  return (flow){e, 0.5 * trace / e, half, s.a[1] / e, s.a[2] / e, -half, false};
}

static void derive_rank_one(htz_modal* m, size_t k, double trace) {
  double power = 1.0;
  for (size_t j = 0; j < HTZ_STRIDE; ++j) {
    m->free_run.cosine[k * HTZ_STRIDE + j] = 0.0f;
    m->free_run.sine[k * HTZ_STRIDE + j] = (float)power;
    power *= trace;
  }
}

static void derive_basis(htz_modal* m, size_t k) {
  const flow f = flow_of(m, k);
  if (f.rank_one) {
    derive_rank_one(m, k, f.c);
    return;
  }
  double t0 = 1.0, t1 = f.c, u0 = 0.0, u1 = 1.0, scale = f.e;
  for (size_t j = 0; j < HTZ_STRIDE; ++j) {
    m->free_run.cosine[k * HTZ_STRIDE + j] = (float)(scale * t1);
    m->free_run.sine[k * HTZ_STRIDE + j] = (float)(scale * u1);
    const double t2 = 2.0 * f.c * t1 - t0;
    const double u2 = 2.0 * f.c * u1 - u0;
    t0 = t1;
    t1 = t2;
    u0 = u1;
    u1 = u2;
    scale *= f.e;
  }
}

double htz_modal_weigh(htz_modal* m, const double* aq, const double* av, htz_free_weights* out) {
  for (size_t k = 0; k < m->modes->n; ++k) {
    const flow f = flow_of(m, k);
    out->alpha_q[k] = aq[k];
    out->alpha_v[k] = av[k];
    out->beta_q[k] = aq[k] * f.b11 + av[k] * f.b21;
    out->beta_v[k] = aq[k] * f.b12 + av[k] * f.b22;
  }
  return htz_modal_bound(m, aq, av);
}

void htz_modal_damped_step(const htz_modal* m, const htz_step_table* to) {
  const htz_step_table* t = &m->level[0];
  const double keep = m->keep[0];
  for (size_t k = 0; k < m->modes->n; ++k) {
    to->am[k] = t->am[k];
    to->a12[k] = keep * t->a12[k];
    to->a21[k] = t->a21[k];
    to->dm[k] = (keep - 1.0) + keep * t->dm[k];
  }
}

static void derive_free(htz_modal* m) {
  htz_step_table* one = &m->scratch[0];
  htz_step_table* two = &m->scratch[1];
  htz_modal_damped_step(m, one);
  for (size_t k = 0; k < m->modes->n; ++k) {
    derive_basis(m, k);
  }
  for (size_t p = 0; p < m->n_pickups; ++p) {
    htz_modal_weigh(m, m->pickups[p].aq, m->pickups[p].av, &m->weights[p]);
  }
  m->k->square(m->n, one, two);              // 2 samples
  m->k->square(m->n, two, one);              // 4
  m->k->square(m->n, one, two);              // 8
  m->k->square(m->n, two, &m->free_run.row); // 16 = HTZ_STRIDE
  m->free_ready = true;
}

void htz_modal_free_lines(htz_modal* m, size_t n_lines, const htz_free_weights* weights, float* const* lines) {
  if (!m->free_ready) {
    derive_free(m);
  }
  if (htz_modal_is_linear(m)) {
    m->k->free_quantum(m->n, &m->free_run, m->st.q, m->st.v, n_lines, weights, lines);
    return;
  }
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    m->base.cls->commit(&m->base, 0, 0, NULL, NULL);
    for (size_t l = 0; l < n_lines; ++l) {
      const double v = m->k->dot(m->n, weights[l].alpha_v, m->st.v);
      lines[l][i] += (float)(v + m->k->dot(m->n, weights[l].alpha_q, m->st.q));
    }
  }
}

/** A quantum of a plate whose modes couple: those beyond the coupled ones run free. */
static void run_coupled(htz_modal* m, float* const* pickups) {
  const size_t reach = m->bending->reach;
  const htz_free_table* t = &m->free_run;
  if (!m->free_ready) {
    derive_free(m);
  }
  if (reach < m->n) {
    const htz_step_table* row = &t->row;
    const htz_free_table rest = {
        .cosine = t->cosine + reach * HTZ_STRIDE,
        .sine = t->sine + reach * HTZ_STRIDE,
        .row = {.am = row->am + reach, .a12 = row->a12 + reach, .a21 = row->a21 + reach, .dm = row->dm + reach},
        .sounding = t->sounding > reach ? t->sounding - reach : 0};
    htz_free_weights weights[MODAL_PICKUPS_MAX];
    for (size_t p = 0; p < m->n_pickups; ++p) {
      const htz_free_weights* w = &m->weights[p];
      weights[p] = (htz_free_weights){w->alpha_q + reach, w->alpha_v + reach, w->beta_q + reach, w->beta_v + reach};
    }
    m->k->free_quantum(m->n - reach, &rest, m->st.q + reach, m->st.v + reach, m->n_pickups, weights, pickups);
  }
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    m->k->commit(reach, &m->level[0], m->keep[0], m->st.q, m->st.v, NULL);
    htz_modal_internal_step(m, 0, false);
    for (size_t p = 0; p < m->n_pickups; ++p) {
      const double v = m->k->dot(reach, m->pickups[p].av, m->st.v);
      pickups[p][i] += (float)(v + m->k->dot(reach, m->pickups[p].aq, m->st.q) + htz_modal_bending_heard(m, p));
    }
  }
}

void htz_modal_free_quantum(htz_modal* m, float* const* pickups) {
  if (m->modes->bending && !htz_modal_is_linear(m)) {
    run_coupled(m, pickups);
    return;
  }
  htz_modal_free_lines(m, m->n_pickups, m->weights, pickups);
}

/** What a force at `point` adds at once to what an ear hears. */
static void add_driven(modal_pickup* ear, size_t point, const float* drive, size_t frames, float* signal) {
  const double share = ear->direct[point];
  for (size_t i = 0; i < frames; ++i) {
    ear->added += ear->share * (share * (double)drive[i] - ear->added);
    signal[i] += (float)ear->added;
  }
}

void htz_modal_drive(htz_modal* m, size_t point, const float* drive, size_t frames, float* const* pickups) {
  const double* phi = m->phi + point * m->n;
  const bool linear = htz_modal_is_linear(m) && !m->modes->bending; // which a force may take up at any sample
  if (m->n_pickups == 1 && linear) {
    m->k->driven(m->n, &m->level[0], m->keep[0], m->st.q, m->st.v, phi, drive, m->pickups[0].aq, m->pickups[0].av, frames,
                 pickups[0]);
  } else {
    for (size_t i = 0; i < frames; ++i) {
      const double f = (double)drive[i];
      m->k->commit_points(m->n, &m->level[0], m->keep[0], m->st.q, m->st.v, 1, &phi, &f);
      htz_modal_internal_step(m, 0, m->modes->bending != NULL);
      for (size_t p = 0; p < m->n_pickups; ++p) {
        pickups[p][i] += (float)htz_modal_hear(m, p);
      }
    }
  }
  for (size_t p = 0; p < m->n_pickups; ++p) {
    if (m->pickups[p].quantity == HTZ_HEAR_PRESSURE) {
      add_driven(&m->pickups[p], point, drive, frames, pickups[p]);
    }
  }
}

static void add_to_ear(modal_pickup* ear, size_t n_points, const float* const* drives, size_t frames, float* signal) {
  for (size_t frame = 0; frame < frames; ++frame) {
    double f[HTZ_POINTS_MAX];
    for (size_t i = 0; i < n_points; ++i) {
      f[i] = (double)drives[i][frame];
    }
    signal[frame] += (float)modal_add(ear, n_points, f);
  }
}

/** htz_modal_drive_points() while an internal force acts, but for what is heard of forces at once. */
static void drive_stepwise(htz_modal* m, size_t n_points, const float* const* drives, size_t frames, float* const* pickups) {
  size_t points[HTZ_POINTS_MAX];
  double f[HTZ_POINTS_MAX];
  for (size_t i = 0; i < frames; ++i) {
    for (size_t p = 0; p < n_points; ++p) {
      points[p] = p;
      f[p] = (double)drives[p][i];
    }
    m->base.cls->commit(&m->base, 0, n_points, points, f);
    for (size_t p = 0; p < m->n_pickups; ++p) {
      pickups[p][i] += (float)htz_modal_hear(m, p);
    }
  }
}

/** The same of a linear body. */
static void drive_linear(htz_modal* m, size_t n_points, const float* const* drives, size_t frames, float* const* pickups) {
  const double* phi[HTZ_POINTS_MAX];
  const double* aq[MODAL_PICKUPS_MAX];
  const double* av[MODAL_PICKUPS_MAX];
  for (size_t p = 0; p < n_points; ++p) {
    phi[p] = m->phi + p * m->n;
  }
  for (size_t p = 0; p < m->n_pickups; ++p) {
    aq[p] = m->pickups[p].aq;
    av[p] = m->pickups[p].av;
  }
  m->k->driven_points(m->n, &m->level[0], m->keep[0], m->st.q, m->st.v, n_points, phi, drives, m->n_pickups, aq, av, frames,
                      pickups);
}

void htz_modal_drive_points(htz_modal* m, size_t n_points, const float* const* drives, size_t frames, float* const* pickups) {
  (htz_modal_is_linear(m) && !m->modes->bending ? drive_linear : drive_stepwise)(m, n_points, drives, frames, pickups);
  for (size_t p = 0; p < m->n_pickups; ++p) {
    modal_pickup* pickup = &m->pickups[p];
    if (pickup->quantity == HTZ_HEAR_PRESSURE) {
      add_to_ear(pickup, n_points, drives, frames, pickups[p]);
    }
    for (size_t i = 0; pickup->surface && pickup->quantity == HTZ_HEAR_ACCELERATION && i < n_points; ++i) {
      const float share = (float)pickup->direct[i];
      for (size_t frame = 0; frame < frames; ++frame) {
        pickups[p][frame] += share * drives[i][frame];
      }
    }
  }
}

/** What forces add at once. */
static double heard_at_once(modal_pickup* pickup, size_t n_points, const double* f) {
  if (pickup->quantity == HTZ_HEAR_PRESSURE) {
    pickup->pushed = 0.0;
    return modal_add(pickup, n_points, f);
  }
  double sum = 0.0;
  for (size_t p = 0; p < n_points; ++p) {
    sum += pickup->direct[p] * f[p];
  }
  return sum;
}

double htz_modal_hear_driven(htz_modal* m, size_t index, size_t n_points, const double* f) {
  return htz_modal_hear(m, index) + heard_at_once(&m->pickups[index], n_points, f);
}

void htz_modal_step_points(htz_modal* m, size_t n_points, const double* f, double* rise, double* heard) {
  const double *aq[MODAL_PICKUPS_MAX], *av[MODAL_PICKUPS_MAX];
  for (size_t p = 0; p < m->n_pickups; ++p) {
    aq[p] = m->pickups[p].aq;
    av[p] = m->pickups[p].av;
  }
  m->k->step_points(m->n, &m->level[0], m->keep[0], m->st.q, m->st.v, n_points, m->phi, f, rise, m->n_pickups, aq, av, heard);
  if (m->force) {
    htz_modal_internal_step(m, 0, true);
    htz_modal_predict_points(m, n_points, rise);
    for (size_t p = 0; p < m->n_pickups; ++p) {
      heard[p] = htz_modal_hear(m, p);
    }
  }
  for (size_t p = 0; p < m->n_pickups; ++p) {
    heard[p] += heard_at_once(&m->pickups[p], n_points, f);
  }
}
