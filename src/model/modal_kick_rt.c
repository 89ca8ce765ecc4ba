#include "modal.h"

#include <math.h>

double htz_modal_kinetic(const htz_modal* m) {
  return 0.5 * m->k->dot3(m->n, m->mass, m->st.v, m->st.v);
}

double htz_modal_inverse_mass(const htz_modal* m, size_t point) {
  const double* phi = m->phi + point * m->n;
  double sum = 0.0;
  for (size_t k = 0; k < m->modes->n; ++k) {
    sum += phi[k] * phi[k] / m->mass[k];
  }
  return sum;
}

void htz_modal_kick(htz_modal* m, size_t point, double impulse) {
  const double* phi = m->phi + point * m->n;
  for (size_t k = 0; k < m->modes->n; ++k) {
    m->st.v[k] += phi[k] * impulse / m->mass[k];
  }
}

void htz_modal_sag(htz_modal* m, size_t point, double force) {
  const double* phi = m->phi + point * m->n;
  for (size_t k = 0; k < m->modes->n; ++k) {
    m->st.q[k] += m->w2[k] > 0.0 ? phi[k] * force / (m->mass[k] * m->w2[k]) : 0.0;
  }
  htz_modal_internal_follow(m);
}
