#include "modal.h"

#include <math.h>

/*
   Turning coordinates of a joined body. With z = (q, v) of one mode, A its step (damper included) and o the row that gives what the
   support feels, x = o z and, A being similar to e (cos t, sin t) with e^2 = det A and 2 e cos t = trace A,
   y = (e cos t x - o A z)/(e sin t): by Cayley and Hamilton the pair then turns by t and shrinks by e each sample.
*/
enum { TO_XQ = 0, TO_XV, TO_YQ, TO_YV, BACK_QX, BACK_QY, BACK_VX, BACK_VY };

// A mode that turns by less than this in a sample, or by as little less than half a turn, is left to the general form: y would
// lose its digits.
static const double least_turn = 1e-4;

bool htz_modal_turn_derive(htz_modal* m, size_t at, const htz_turn_table* table, double* turn) {
  const htz_step_table* t = &m->level[0];
  const double g = m->keep[0];
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double a11 = 1.0 + t->am[k], a12 = g * t->a12[k], a21 = t->a21[k], a22 = g + g * t->dm[k];
    const double det = a11 * a22 - a12 * a21;
    const double half_trace = 0.5 * (a11 + a22);
    const double sine2 = det - half_trace * half_trace;
    if (!(sine2 > least_turn * least_turn * det)) {
      return false;
    }
    const double sine = sqrt(sine2);
    const double kappa = m->kappa[k];
    const double xq = kappa * (1.0 + 0.5 * t->am[k]);
    const double xv = kappa * 0.5 * a12;
    const double yq = (half_trace * xq - (xq * a11 + xv * a21)) / sine;
    const double yv = (half_trace * xv - (xq * a12 + xv * a22)) / sine;
    const double area = xq * yv - xv * yq;
    if (!(fabs(area) > 0.0)) {
      return false;
    }
    double* w = turn + k;
    w[TO_XQ * m->n] = xq;
    w[TO_XV * m->n] = xv;
    w[TO_YQ * m->n] = yq;
    w[TO_YV * m->n] = yv;
    w[BACK_QX * m->n] = yv / area;
    w[BACK_QY * m->n] = -xv / area;
    w[BACK_VX * m->n] = -yq / area;
    w[BACK_VY * m->n] = xq / area;
    htz_turn_set(table, at + k, half_trace - 1.0, sine, -kappa * (xq * t->bq[k] + xv * t->bv[k]),
                 -kappa * (yq * t->bq[k] + yv * t->bv[k]));
  }
  return true;
}

void htz_modal_turn_load(const htz_modal* m, const double* turn, float* x, float* y) {
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double* w = turn + k;
    x[k] = (float)(w[TO_XQ * m->n] * m->st.q[k] + w[TO_XV * m->n] * m->st.v[k]);
    y[k] = (float)(w[TO_YQ * m->n] * m->st.q[k] + w[TO_YV * m->n] * m->st.v[k]);
  }
}

void htz_modal_turn_store(htz_modal* m, const double* turn, const float* x, const float* y) {
  for (size_t k = 0; k < m->modes->n; ++k) {
    const double* w = turn + k;
    m->st.q[k] = w[BACK_QX * m->n] * (double)x[k] + w[BACK_QY * m->n] * (double)y[k];
    m->st.v[k] = w[BACK_VX * m->n] * (double)x[k] + w[BACK_VY * m->n] * (double)y[k];
  }
}
