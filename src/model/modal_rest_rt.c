#include "modal.h"

#include <math.h>

double htz_modal_rest_compliance(const htz_modal* m, size_t p, size_t r) {
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
