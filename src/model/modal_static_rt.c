#include "modal.h"

#include <math.h>

double htz_modal_static_compliance(const htz_modal* m, size_t p, size_t r) {
  const double* a = m->phi + p * m->n;
  const double* b = m->phi + r * m->n;
  double sum = 0.0;
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double both = a[k] * b[k];
    if (m->w2[k] > 0.0) {
      sum += both / (m->mass[k] * m->w2[k]);
    } else if (both != 0.0) {
      return HUGE_VAL;
    }
  }
  return sum;
}

// A free mode, q'' = -omega^2 q - 2 s v with the damper in s, goes from (q, v) to rest: v sums up to -q, and q to (v + 2 s q)/omega^2. An ear
// hears -omega^2 q - 2 s v of the mode's own s. What the damper adds to q'' is not heard, and was not since it lies there: counted in what
// is left alone it would not cancel what has been, and for a mode slower than the damper it is by far the most.
double htz_modal_left_over(const htz_modal* m, size_t index) {
  const modal_pickup* p = &m->pickups[index];
  const double damper = p->quantity == HTZ_HEAR_PRESSURE ? 0.0 : m->damper;
  double sum = 0.0;
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double q = m->st.q[k], v = m->st.v[k];
    sum += m->w2[k] > 0.0 ? p->aq[k] * (v + 2.0 * (m->sigma[k] + damper) * q) / m->w2[k] - p->av[k] * q : 0.0;
  }
  // The low-pass of what forces added falls by `share` of itself a sample.
  return p->added != 0.0 ? sum + p->added * (1.0 - p->share) / p->share * m->period : sum;
}

double htz_modal_resonance(const htz_modal* m, size_t point) {
  const double* phi = m->phi + point * m->n;
  double sum = 0.0;
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double reach = m->sigma[k] > 0.0 ? phi[k] / m->sigma[k] : phi[k] == 0.0 ? 0.0 : HUGE_VAL;
    sum += reach * reach / (8.0 * m->mass[k]);
  }
  return sum;
}
