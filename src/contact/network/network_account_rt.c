#include "network_private.h"

static double bodies_energy(const htz_network* net) {
  double sum = 0.0;
  for (size_t b = 0; b < net->n_nodes; ++b) {
    const node* n = network_node(net, b);
    sum += n->awake ? n->body->cls->energy(n->body) : 0.0;
  }
  return sum;
}

static double account_sum(const htz_network* net, bool with_dissipated) {
  double sum = 0.0;
  for (size_t i = 0; i < net->n_contacts; ++i) {
    const contact* c = network_contact(net, i);
    if (c->joined) {
      sum += c->account.stored + (with_dissipated ? c->account.dissipated - c->account.driven : 0.0);
    }
  }
  for (size_t i = 0; i < net->n_joins; ++i) {
    const join* j = network_join(net, i);
    if (j->held) {
      sum += j->account.stored + (with_dissipated ? j->account.dissipated - j->account.driven : 0.0);
    }
  }
  for (size_t i = 0; i < net->n_frictions; ++i) {
    const htz_friction_account* a = &network_friction(net, i)->account;
    sum += a->stored + (with_dissipated ? a->lost - a->work : 0.0);
  }
  return sum;
}

double htz_network_ledger(const htz_network* net, bool with_dissipated) {
  return bodies_energy(net) + account_sum(net, with_dissipated);
}

double htz_network_energy(const htz_network* net) {
  return htz_network_ledger(net, false);
}

const htz_contact_account* htz_network_account(const htz_network* net, size_t index) {
  return &network_contact(net, index)->account;
}

const htz_network_counters* htz_network_count(const htz_network* net) {
  return &net->counters;
}
