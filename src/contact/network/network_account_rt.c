#include "network_private.h"

#include "hertzian/model/bodies.h"

// What a step does to the account of a contact.

static void close_contact(htz_network* net, contact* c) {
  ++c->account.closures;
  ++net->counters.closures;
  c->age = 0.0;
  c->account.eta_max = 0.0;
  c->account.force_max = 0.0;
  c->account.touch_s = 0.0;
}

/** What a law with a memory has become over the step, in contact or out of it. */
static void book_memory(contact* c, double d) {
  const htz_law* law = &c->desc.law;
  const htz_law_state apart = {.memory = c->memory};
  const double force = c->active && c->to_at_s ? c->force : 0.0;
  c->memory = law->cls->remember(law, c->active ? &c->from : &apart, c->active ? c->s : 0.0, d, force);
  c->unread = true;
}

void htz_network_settle(contact* c) {
  if (!c->unread) {
    return;
  }
  const double stored = c->desc.law.cls->stored(&c->desc.law, c->eta, c->memory);
  c->account.dissipated -= stored - c->account.stored;
  c->account.stored = stored;
  c->unread = false;
}

void htz_network_book(htz_network* net, contact* c, double d, double share) {
  const bool was = network_touches(c);
  c->desc.gap += c->gap_rate * d;
  if (c->active) {
    const double work = c->force * c->s;
    c->account.work += work;
    c->account.driven -= c->force * c->gap_rate * d;
    c->account.dissipated += c->desc.law.cls->remember ? work : work - (c->to.stored - c->from.stored);
    c->account.force_mean += c->force * share;
    c->account.force_max = c->force > c->account.force_max ? c->force : c->account.force_max;
  }
  c->force_first = c->force_before;
  c->force_before = c->force_last;
  c->force_last = c->active ? c->force : 0.0;
  if (c->desc.law.cls->remember) {
    book_memory(c, d);
  } else if (c->active) {
    c->account.stored = c->to.stored;
  }
  c->eta += c->s;
  c->from_known = c->active && c->to_at_s;
  if (c->from_known) {
    c->from = (htz_law_state){c->eta, c->to.stored, c->to.elastic, c->memory};
  }
  const bool is = network_touches(c);
  if (is && !was) {
    close_contact(net, c);
  }
  if (is || was) {
    c->age += d;
    c->account.touch_s += d;
    c->account.eta_max = c->eta > c->account.eta_max ? c->eta : c->account.eta_max;
  }
  if (!is && was) {
    htz_network_settle(c);
    htz_network_read(net, c); // sheds what rounding gathered over the contact
    c->eta = c->eta > 0.0 ? 0.0 : c->eta;
  }
  c->account.eta = c->eta;
}

// Sums.

static bool stands(const htz_network* net, uint32_t body) {
  return net->nodes[body].body->cls == &htz_barrier_class;
}

/** +1 where `body` is the first of two of which the other stands, -1 where it is the second, else 0. */
static double on_ground(const htz_network* net, size_t body, uint32_t a, uint32_t b) {
  return a == body && stands(net, b) ? 1.0 : b == body && stands(net, a) ? -1.0 : 0.0;
}

static double contact_on_ground(const htz_network* net, size_t body, const contact* c) {
  const htz_contact_desc* d = &c->desc;
  return d->direction * on_ground(net, body, d->body_a, d->body_b) * c->account.force_mean;
}

double htz_network_on_ground(const htz_network* part, size_t index) {
  const htz_network* net = part->whole;
  const size_t body = part->first_node + index;
  double sum = 0.0;
  for (size_t j = 0; j < net->n_joined; ++j) {
    sum += contact_on_ground(net, body, &net->contacts[net->joined[j]]);
  }
  for (size_t k = 0; net->dense && k < net->dense->n_sounding; ++k) {
    sum += contact_on_ground(net, body, &net->contacts[net->dense->sounding[k]]);
  }
  for (size_t i = 0; i < net->n_held; ++i) {
    const join* j = &net->joins[net->held[i]];
    sum += on_ground(net, body, j->desc.body_a, j->desc.body_b) * j->force;
  }
  return sum;
}

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

/** Of the network's own contacts among `n` joined ones of the whole, ascending. */
static double contacts_sum(const htz_network* net, size_t n, const uint32_t* joined, bool with_dissipated) {
  const size_t end = net->first_contact + net->n_contacts;
  double sum = 0.0;
  for (size_t i = from_index(n, joined, net->first_contact); i < n && joined[i] < end; ++i) {
    htz_network_settle(&net->whole->contacts[joined[i]]);
    const htz_contact_account* a = &net->whole->contacts[joined[i]].account;
    sum += a->stored + (with_dissipated ? a->dissipated - a->driven : 0.0);
  }
  return sum;
}

static double account_sum(const htz_network* net, bool with_dissipated) {
  const htz_network* whole = net->whole;
  const size_t joins_end = net->first_join + net->n_joins;
  htz_springs_hand_over(net->whole);
  double sum = contacts_sum(net, whole->n_apart, whole->joined, with_dissipated);
  sum += contacts_sum(net, whole->n_joined - whole->n_apart, whole->joined + whole->n_apart, with_dissipated);
  for (size_t i = 0; whole->dense && i < whole->n_contacts; ++i) {
    contact* c = &whole->contacts[i];
    htz_network_settle(c);
    sum +=
        c->watched || c->away ? c->account.stored + (with_dissipated ? c->account.dissipated - c->account.driven : 0.0) : 0.0;
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

/** What others keep of its account while it is theirs. */
static void take_back(const htz_network* net, const contact* c) {
  if (c->spring) {
    htz_springs_hand_over(net->whole);
  }
  if (c->watched) {
    htz_along_hand_over(net->whole);
  }
}

const htz_contact_account* htz_network_account(const htz_network* net, size_t index) {
  contact* c = network_contact(net, index);
  htz_network_settle(c);
  take_back(net, c);
  return &c->account;
}

double htz_network_penetration(const htz_network* net, size_t index) {
  const contact* c = network_contact(net, index);
  take_back(net, c);
  return c->account.eta;
}

const htz_network_counters* htz_network_count(const htz_network* net) {
  return &net->counters;
}
