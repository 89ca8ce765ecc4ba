#include "network_private.h"

#include <math.h>

// Newton from the force of a unit penetration, in logarithms, where a power law is a straight line: a few steps do for any law.
enum { REST_STEPS = 8 };

/** The gaps of springs and of what is watched stand still: one that is moved is a contact like others. */
static void gap_moved(htz_network* net, const contact* c) {
  if (c->spring || c->watched || c->away) {
    htz_network_refresh(net);
  }
}

void htz_network_set_gap(htz_network* net, size_t index, double gap) {
  contact* c = network_contact(net, index);
  c->desc.gap = gap;
  c->gap_rate = 0.0;
  gap_moved(net, c);
}

void htz_network_move_gap(htz_network* net, size_t index, double to) {
  contact* c = network_contact(net, index);
  c->gap_rate = (to - c->desc.gap) / net->period;
  gap_moved(net, c);
}

void htz_network_glide_gap(htz_network* net, size_t index, double to, uint32_t samples) {
  contact* c = network_contact(net, index);
  c->gap_rate = (to - c->desc.gap) / (net->period * samples);
  gap_moved(net, c);
}

double htz_network_static_penetration(const htz_network* net, size_t index, double force, double* stored) {
  const contact* c = network_contact(net, index);
  const htz_law* law = &c->desc.law;
  *stored = 0.0;
  if (!(force > 0.0)) {
    return c->desc.gap;
  }
  double eta = 1.0;
  for (int i = 0; i < REST_STEPS; ++i) {
    const htz_law_state at = law->cls->at(law, eta);
    const htz_law_value over = law->cls->over(law, &at, 0.0, 1.0);
    // d log F/d log eta
    eta *= exp(log(force / at.force) * at.force / (eta * over.stiffness));
  }
  *stored = law->cls->at(law, eta).stored;
  return eta + c->desc.gap;
}

void htz_network_reread(htz_network* net) {
  for (size_t i = 0; i < net->n_contacts; ++i) {
    contact* c = network_contact(net, i);
    if (!c->joined) {
      continue;
    }
    htz_network_settle(c);
    htz_network_read(net->whole, c);
    // Rounding may leave a mallet that has just left the body inside it: open contacts are open.
    c->eta = c->desc.law.cls->one_sided && c->eta > 0.0 ? 0.0 : c->eta;
    c->account.eta = c->eta;
  }
  if (net->whole->dense) {
    htz_along_take(net->whole);
  }
}
