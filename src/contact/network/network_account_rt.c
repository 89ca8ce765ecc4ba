#include "network_private.h"

/** Of the bodies from `first` on. */
static double bodies_energy(const htz_network* net, size_t first) {
  double sum = 0.0;
  for (size_t b = first; b < net->n_nodes; ++b) {
    const node* n = network_node(net, b);
    sum += n->awake ? n->body->cls->energy(n->body) : 0.0;
  }
  return sum;
}

/** First place in the ascending `list` of an index that is not below `least`. */
static size_t from_index(size_t n, const uint32_t* list, size_t least) {
  size_t low = 0;
  while (low < n) {
    const size_t middle = low + (n - low) / 2;
    if (list[middle] < least) {
      low = middle + 1;
    } else {
      n = middle;
    }
  }
  return low;
}

static double account_sum(const htz_network* net, bool with_dissipated) {
  const htz_network* whole = net->whole;
  double sum = 0.0;
  const size_t contacts_end = net->first_contact + net->n_contacts, joins_end = net->first_join + net->n_joins;
  for (size_t i = from_index(whole->n_joined, whole->joined, net->first_contact);
       i < whole->n_joined && whole->joined[i] < contacts_end; ++i) {
    const htz_contact_account* a = &whole->contacts[whole->joined[i]].account;
    sum += a->stored + (with_dissipated ? a->dissipated - a->driven : 0.0);
  }
  for (size_t i = from_index(whole->n_held, whole->held, net->first_join); i < whole->n_held && whole->held[i] < joins_end;
       ++i) {
    const htz_join_account* a = &whole->joins[whole->held[i]].account;
    sum += a->stored + (with_dissipated ? a->dissipated - a->driven : 0.0);
  }
  for (size_t i = 0; i < net->n_frictions; ++i) {
    const htz_friction_account* a = &network_friction(net, i)->account;
    sum += a->stored + (with_dissipated ? a->lost - a->work : 0.0);
  }
  return sum;
}

double htz_network_ledger(const htz_network* net, bool with_dissipated) {
  return bodies_energy(net, 0) + account_sum(net, with_dissipated);
}

double htz_network_energy_beyond(const htz_network* net, size_t n_bodies) {
  return bodies_energy(net, n_bodies) + account_sum(net, false);
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
