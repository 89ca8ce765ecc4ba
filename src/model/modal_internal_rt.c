#include "modal.h"

#include <math.h>
#include <string.h>

// The internal force of a body, whichever it has.

void htz_modal_derive_internal(htz_modal* m) {
  if (m->force) {
    m->force->derive(m);
  }
}

void htz_modal_internal_step(htz_modal* m, unsigned level, bool pushed) {
  if (m->force) {
    m->force->step(m, level, pushed);
  }
}

void htz_modal_internal_begin(htz_modal* m, unsigned level) {
  if (m->force) {
    m->force->begin(m, level);
  }
}

void htz_modal_internal_follow(htz_modal* m) {
  if (m->force) {
    m->force->follow(m);
  }
}

void htz_modal_internal_reset(htz_modal* m) {
  if (m->force) {
    m->force->reset(m);
  }
}

double htz_modal_internal_stored(const htz_modal* m) {
  return m->force ? m->force->stored(m) : 0.0;
}

size_t htz_modal_state_size(const htz_modal* m) {
  return 2 * m->n + (m->force ? m->force->state_size(m) : 0);
}

void htz_modal_save(const htz_modal* m, double* to) {
  memcpy(to, m->st.q, m->n * sizeof(double));
  memcpy(to + m->n, m->st.v, m->n * sizeof(double));
  if (m->force) {
    m->force->save(m, to + 2 * m->n);
  }
}

void htz_modal_restore(htz_modal* m, const double* from) {
  memcpy(m->st.q, from, m->n * sizeof(double));
  memcpy(m->st.v, from + m->n, m->n * sizeof(double));
  if (m->force) {
    m->force->restore(m, from + 2 * m->n);
  }
}

bool htz_modal_has_internal(const htz_modal* m) {
  return m->force != NULL;
}

double htz_modal_linear_below(const htz_modal* m) {
  return m->force ? m->force->linear_below(m) : HUGE_VAL;
}

bool htz_modal_is_linear(htz_modal* m) {
  return !m->force || m->force->is_linear(m);
}

void htz_modal_moved(htz_modal* m) {
  htz_modal_internal_follow(m);
}

htz_internal_account htz_modal_internal(const htz_modal* m) {
  return m->force ? m->force->account(m) : (htz_internal_account){0};
}
