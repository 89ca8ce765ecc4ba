#include "network_private.h"

void htz_network_reset(htz_network* net) {
  for (size_t i = 0; i < net->n_contacts; ++i) {
    contact* c = &net->contacts[i];
    c->account = (htz_contact_account){0};
    c->gap_rate = 0.0;
    c->memory = 0.0;
    c->force = 0.0;
    c->level = 0;
    c->age = 0.0;
    c->active = false;
  }
  for (size_t i = 0; i < net->n_joins; ++i) {
    net->joins[i].account = (htz_join_account){0};
  }
  for (size_t i = 0; i < net->n_frictions; ++i) {
    htz_network_lift_friction(&net->frictions[i]);
    net->frictions[i].state.v = 0.0;
    net->frictions[i].account = (htz_friction_account){0};
  }
  htz_network_refresh(net);
}

void htz_network_wake(htz_network* net, size_t index, bool awake) {
  net->nodes[index].awake = awake;
  htz_network_refresh(net);
}

void htz_network_enable(htz_network* net, size_t index, const htz_law* law) {
  contact* c = &net->contacts[index];
  c->desc.law = *law;
  c->desc.enabled = true;
  c->memory = 0.0;
  c->force = 0.0;
  c->level = 0;
  htz_network_refresh(net);
}

void htz_network_disable(htz_network* net, size_t index) {
  contact* c = &net->contacts[index];
  c->account.dissipated += c->account.stored;
  c->account.stored = 0.0;
  c->force = 0.0;
  c->desc.enabled = false;
  htz_network_refresh(net);
}

void htz_network_size(const htz_network* net, size_t* n_contacts, size_t* n_joins) {
  *n_contacts = net->n_contacts;
  *n_joins = net->n_joins;
}
