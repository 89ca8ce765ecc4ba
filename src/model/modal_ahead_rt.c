#include "modal.h"

#include <string.h>

/*
   A body over the samples to come (htz_ahead_table): where its points will be if nothing pushes it, and what a push in one sample changes
   in those that follow.
*/

bool htz_modal_ahead_fits(const htz_modal* m, const htz_modal_ahead* ahead) {
  const htz_modal_state of = ahead->of;
  return ahead->known && of.ratio == m->ratio && of.loss == m->loss && of.damper == m->damper;
}

/** What q and v are to the displacement after each of the next steps: the first row of A, A^2, ... */
static void derive_powers(htz_modal* m, const htz_step_table* one, float* powers) {
  for (size_t k = 0; k < m->modes->n; ++k, powers += 2 * HTZ_TURN_BLOCK) {
    double of_q = 1.0, of_v = 0.0;
    for (size_t i = 0; i < HTZ_TURN_BLOCK; ++i) {
      const double q = of_q + (of_q * one->am[k] + of_v * one->a21[k]);
      of_v = of_v + (of_q * one->a12[k] + of_v * one->dm[k]);
      of_q = q;
      powers[i] = (float)of_q;
      powers[HTZ_TURN_BLOCK + i] = (float)of_v;
    }
  }
}

/** What a unit force at each point, held over a sample, changes from the end of the sample after it on. */
static void derive_responses(htz_modal* m, const htz_modal_ahead* ahead) {
  const htz_step_table* t = &m->level[0];
  double *q = m->scratch[0].bq, *v = m->scratch[0].bv;
  for (size_t p = 0; p < ahead->n_points; ++p) {
    for (size_t k = 0; k < m->n; ++k) {
      q[k] = t->bq[k] * m->phi[p * m->n + k];
      v[k] = t->bv[k] * m->phi[p * m->n + k];
    }
    m->k->see_ahead(m->n, &ahead->table, q, v, HTZ_QUANTUM, ahead->seen);
    memcpy(ahead->response + p * ahead->n_points * HTZ_ANSWER, ahead->seen, ahead->n_points * HTZ_ANSWER * sizeof(float));
  }
}

void htz_modal_ahead_derive(htz_modal* m, htz_modal_ahead* ahead) {
  const htz_ahead_table* t = &ahead->table;
  htz_step_table *one = &m->scratch[0], *two = &m->scratch[1];
  htz_modal_damped_step(m, one);
  derive_powers(m, one, t->powers);
  m->k->square(m->n, one, two); // 2 samples
  m->k->square(m->n, two, one); // 4
  m->k->square(m->n, one, two); // 8 = HTZ_TURN_BLOCK
  for (size_t k = 0; k < m->modes->n; ++k) {
    t->am[k] = (float)two->am[k];
    t->a12[k] = (float)two->a12[k];
    t->a21[k] = (float)two->a21[k];
    t->dm[k] = (float)two->dm[k];
    for (size_t p = 0; p < ahead->n_points; ++p) {
      t->shapes[k * t->n_points + p] = (float)m->phi[p * m->n + k];
    }
  }
  derive_responses(m, ahead);
  ahead->of = htz_modal_tuning(m);
  ahead->known = true;
}

void htz_modal_ahead_see(const htz_modal* m, const htz_modal_ahead* ahead, size_t frames) {
  m->k->see_ahead(m->n, &ahead->table, m->st.q, m->st.v, frames, ahead->seen);
}
