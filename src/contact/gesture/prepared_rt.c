#include "prepared.h"

void htz_prepared_changed(gesture* g, double done) {
  modal_island* s = g->island;
  g->work += done;
  if (s->resting && !htz_modal_island_plays(s, g)) {
    const double before = htz_network_energy(s->net);
    htz_modal_island_settle(s);
    g->work += htz_network_energy(s->net) - before;
  }
}

// Accounts.

htz_prepared_account htz_modal_island_prepared(const htz_island* island) {
  const modal_island* s = (const modal_island*)island;
  htz_prepared_account out = {.work = s->work, .lost = s->fold_lost};
  size_t n_contacts, n_joins;
  htz_network_size(s->net, &n_contacts, &n_joins);
  for (size_t c = 0; c < n_contacts; ++c) {
    const htz_contact_account* a = htz_network_account(s->net, c);
    out.work += a->driven;
    out.lost += a->dissipated;
  }
  for (size_t j = 0; j < n_joins; ++j) {
    out.lost += htz_network_join(s->net, j)->dissipated;
  }
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    const gesture* g = s->gestures[i];
    out.work += g->work;
    out.lost += g->lost;
    for (uint32_t b = 0; g->cls == &htz_gesture_loose && b < g->n_bodies; ++b) {
      out.closures += htz_network_account(s->net, g->contact + b)->closures;
    }
  }
  return out;
}

bool htz_modal_island_loose(const htz_island* island, uint32_t number, double* q, double* v) {
  const modal_island* s = (const modal_island*)island;
  for (uint32_t i = 0; i < s->n_gestures; ++i) {
    const loose* l = (const loose*)s->gestures[i];
    if (l->base.cls == &htz_gesture_loose && number-- == 0) {
      *q = displacement_of(l->body);
      *v = velocity_of(l->body);
      return l->there;
    }
  }
  return false;
}
