#include "modal.h"

#include <math.h>

/*
   The end of a body on a moving support (hertzian/model/bodies.h). Everything follows from kappa and the step tables.
*/

static size_t coupling_stride(const htz_modal* m) {
  return m->base.n_points + 1;
}

void htz_modal_forget_join(htz_modal* m, unsigned level) {
  if (!m->kappa) {
    return;
  }
  const size_t stride = coupling_stride(m);
  const size_t from = level == MODAL_LEVELS ? 0 : level;
  const size_t to = level == MODAL_LEVELS ? MODAL_LEVELS : level + 1;
  for (size_t i = from * stride; i < to * stride; ++i) {
    m->join_coupling[i] = (double)NAN;
  }
}

void htz_modal_derive_join(htz_modal* m) {
  if (!m->kappa) {
    return;
  }
  // Tension goes with the square of the tuning.
  const double scale = htz_modal_join_scale(m);
  double sum = 0.0;
  for (size_t k = 0; k < m->modes->n; ++k) {
    m->kappa[k] = scale * m->modes->end_force[k];
    sum += m->w2[k] > 0.0 ? m->kappa[k] * m->kappa[k] / (m->mass[k] * m->w2[k]) : 0.0;
  }
  // kappa_1^2/(m omega_1^2) is 2 T/L times what stiffness adds to the first partial, 1 + B.
  m->join_tension = m->w2[0] > 0.0 ? 0.5 * m->kappa[0] * m->kappa[0] / (m->mass[0] * m->w2[0]) : 0.0;
  m->join_static = m->join_tension + sum;
  htz_modal_forget_join(m, MODAL_LEVELS);
}

/** sum phi_p kappa b_q at `level`; `point` = n_points: sum kappa^2 b_q. */
static double reach(const htz_modal* m, unsigned level, size_t point) {
  double* known = m->join_coupling + level * coupling_stride(m) + point;
  if (isnan(*known)) {
    const double* row = point < m->base.n_points ? m->phi + point * m->n : m->kappa;
    *known = m->k->dot3(m->n, row, m->kappa, m->level[level].bq);
  }
  return *known;
}

double htz_modal_join_pushes(const htz_modal* m, unsigned level, size_t point) {
  return -m->join_standing * reach(m, level, point);
}

void htz_modal_join_lever(htz_modal* m, double ratio) {
  if (m->kappa && ratio > 0.0 && ratio != m->join_ratio) {
    m->join_ratio = ratio;
    htz_modal_derive_join(m);
  }
}

bool htz_modal_joined(const htz_modal* m) {
  return m->kappa != NULL;
}

double htz_modal_join_scale(const htz_modal* m) {
  return m->join_ratio * m->ratio * m->ratio;
}

const double* htz_modal_join_row(const htz_modal* m) {
  return m->kappa;
}

double htz_modal_join_step_stiffness(htz_modal* m) {
  return reach(m, 0, m->base.n_points);
}

double htz_modal_join_coupling(htz_modal* m, size_t point) {
  return reach(m, 0, point);
}

double htz_modal_join_stiffness(htz_modal* m) {
  return m->join_static - 0.5 * htz_modal_join_step_stiffness(m);
}

double htz_modal_join_tension(const htz_modal* m) {
  return m->join_tension;
}

double htz_modal_join_end_force(const htz_modal* m) {
  return m->k->dot(m->n, m->kappa, m->st.q);
}

double htz_modal_join_reaction(const htz_modal* m, double* end_force) {
  return m->k->reaction_joined(m->n, &m->level[0], m->keep[0], m->st.q, m->st.v, m->kappa, end_force);
}

void htz_modal_join_correct(htz_modal* m, double w) {
  const htz_step_table* t = &m->level[0];
  for (size_t k = 0; k < m->n; ++k) {
    const double force = m->kappa[k] * w;
    m->st.q[k] -= force * t->bq[k];
    m->st.v[k] -= force * t->bv[k];
  }
}

double htz_modal_join_step(htz_modal* m, double w) {
  const double reaction = m->k->step_joined(m->n, &m->level[0], m->keep[0], m->st.q, m->st.v, m->kappa, -w);
  if (m->internal.ahead == 0.0) {
    return reaction;
  }
  htz_modal_internal_step(m, 0, false);
  double end_force;
  return htz_modal_join_reaction(m, &end_force);
}

void htz_modal_join_hold(htz_modal* m, double w) {
  m->join_standing = w;
}

void htz_modal_join_shift(htz_modal* m, double w) {
  for (size_t k = 0; k < m->modes->n; ++k) {
    m->st.q[k] -= m->w2[k] > 0.0 ? m->kappa[k] * w / (m->mass[k] * m->w2[k]) : 0.0;
  }
  htz_modal_internal_follow(m);
}

double htz_modal_join_energy(const htz_modal* m, double w) {
  return w * (htz_modal_join_end_force(m) + 0.5 * m->join_static * w);
}

double htz_modal_join_mode_stiffness(const htz_modal* m, size_t k) {
  return m->w2[k] > 0.0 ? m->kappa[k] * m->kappa[k] / (m->mass[k] * m->w2[k]) : 0.0;
}

void htz_modal_receptance(const htz_modal* m, size_t n_points, double omega, double* re, double* im) {
  for (size_t i = 0; i < n_points * n_points; ++i) {
    re[i] = 0.0;
    im[i] = 0.0;
  }
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double away = m->w2[k] - omega * omega;
    const double loss = 2.0 * m->sigma[k] * omega;
    const double square = m->mass[k] * (away * away + loss * loss);
    const double per_force = square > 0.0 ? 1.0 / square : 0.0;
    for (size_t p = 0; p < n_points; ++p) {
      const double moved = m->phi[p * m->n + k] * per_force;
      for (size_t q = 0; q <= p; ++q) {
        const double phi = moved * m->phi[q * m->n + k];
        re[p * n_points + q] += phi * away;
        im[p * n_points + q] -= phi * loss;
      }
    }
  }
  for (size_t p = 0; p < n_points; ++p) {
    for (size_t q = 0; q < p; ++q) {
      re[q * n_points + p] = re[p * n_points + q];
      im[q * n_points + p] = im[p * n_points + q];
    }
  }
}
