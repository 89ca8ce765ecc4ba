#include "modal.h"

#include <math.h>

// What pickups hear, sample by sample, and bounds on it.

void htz_modal_push_ears(htz_modal* m, unsigned level, size_t count, const size_t* points, const double* f) {
  for (size_t i = 0; i < m->n_pickups; ++i) {
    modal_pickup* p = &m->pickups[i];
    if (p->quantity != HTZ_HEAR_PRESSURE) {
      continue;
    }
    double sum = 0.0;
    for (size_t c = 0; c < count; ++c) {
      sum += p->direct[points[c]] * f[c];
    }
    p->pushed += ldexp(sum, -(int)level);
  }
}

static double of_motion(const htz_modal* m, const modal_pickup* p) {
  if (p->quantity == HTZ_HEAR_DISPLACEMENT || p->quantity == HTZ_HEAR_FORCE || p->quantity == HTZ_HEAR_REACTION) {
    return m->k->dot(m->n, p->aq, m->st.q);
  }
  const double v = m->k->dot(m->n, p->av, m->st.v);
  return p->quantity == HTZ_HEAR_VELOCITY ? v : v + m->k->dot(m->n, p->aq, m->st.q);
}

double htz_modal_hear(const htz_modal* m, size_t index) {
  const double sum = of_motion(m, &m->pickups[index]);
  return m->modes->bending ? sum + htz_modal_bending_heard(m, index) : sum;
}

bool htz_modal_hears_forces(const htz_modal* m, size_t index) {
  return m->modes->bending || m->pickups[index].quantity == HTZ_HEAR_PRESSURE;
}

double htz_modal_hear_forces(htz_modal* m, size_t index) {
  modal_pickup* p = &m->pickups[index];
  const double own = m->modes->bending ? htz_modal_bending_heard(m, index) : 0.0;
  if (p->quantity != HTZ_HEAR_PRESSURE) {
    return own;
  }
  p->added += p->share * (p->pushed - p->added);
  p->pushed = 0.0;
  return own + p->added;
}

double htz_modal_hear_step(htz_modal* m, size_t index) {
  return of_motion(m, &m->pickups[index]) + htz_modal_hear_forces(m, index);
}

void htz_modal_fade_ear(htz_modal* m, size_t index, double scale, size_t frames, float* signal) {
  static const double least = 1e-12; // of what is a sample value: 240 dB below full scale
  modal_pickup* p = &m->pickups[index];
  for (size_t i = 0; i < frames && p->added != 0.0; ++i) {
    p->added = p->added < least && p->added > -least ? 0.0 : p->added * (1.0 - p->share);
    signal[i] += (float)(scale * p->added);
  }
}

void htz_modal_lift_ear(htz_modal* m, size_t index, double amount) {
  m->pickups[index].added += amount;
}

double htz_modal_ear_direct(const htz_modal* m, size_t index, size_t point, double* share) {
  const modal_pickup* p = &m->pickups[index];
  *share = p->share;
  return p->quantity == HTZ_HEAR_PRESSURE ? p->direct[point] : 0.0;
}

double htz_modal_force_bound(const htz_modal* m, size_t index, size_t point) {
  const modal_pickup* p = &m->pickups[index];
  double sum = 0.0;
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double shape = fabs(m->phi[point * m->n + k]);
    sum += m->w2[k] > 0.0 ? shape / m->mass[k] * (fabs(p->aq[k]) / m->w2[k] + fabs(p->av[k]) / m->omega[k]) : 0.0;
  }
  return sum;
}

double htz_modal_swing(const htz_modal* m, const double* aq, const double* av) {
  double sum = 0.0;
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double q = m->st.q[k], v = m->st.v[k], per_v = av[k] * av[k];
    const double per_q = m->w2[k] > 0.0 ? aq[k] * aq[k] / m->w2[k] : 0.0;
    sum += (per_v + per_q) * (v * v + m->w2[k] * q * q);
  }
  return sum;
}

double htz_modal_loudness_bound(const htz_modal* m, size_t index) {
  return m->pickups[index].bound;
}
