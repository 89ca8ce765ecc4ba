#include "network_private.h"

#include <math.h>

/** Joined contacts that are, or are not, springs, but for those watched. */
static void list_joined(htz_network* net, bool springs) {
  for (size_t i = 0; i < net->n_contacts; ++i) {
    const contact* c = &net->contacts[i];
    if (c->joined && !c->watched && c->spring == springs) {
      net->joined[net->n_joined++] = (uint32_t)i;
    }
  }
}

/** What is known of springs is theirs again, and to be laid anew. */
static void stale(htz_network* net) {
  htz_springs_hand_over(net);
  if (net->springs) {
    net->springs->laid = net->springs->loaded = false;
  }
}

/** Who takes part, and in what way. */
static void join_in(const htz_network* net, contact* c) {
  const bool side_by_side = net->dense && c->desc.whole_steps && c->gap_rate == 0.0 && net->n_frictions == 0;
  c->away = c->away && side_by_side;
  c->joined = c->desc.enabled && !c->away && net->nodes[c->desc.body_a].awake && net->nodes[c->desc.body_b].awake;
  c->spring = htz_springs_take(net, c);
  c->watched = c->joined && side_by_side;
}

void htz_network_refresh(htz_network* part) {
  htz_network* net = part->whole;
  stale(net);
  if (net->rows) {
    net->rows->laid = false;
  }
  for (size_t i = 0; i < net->n_contacts; ++i) {
    contact* c = &net->contacts[i];
    join_in(net, c);
    c->active = c->active && c->joined;
  }
  net->n_joined = 0;
  list_joined(net, false);
  net->n_apart = net->n_joined;
  list_joined(net, true);
  htz_network_refresh_joins(net);
  htz_network_prepare(net, 0);
  unsigned level = 0; // of what is closed
  for (size_t i = 0; i < net->n_contacts; ++i) {
    contact* c = &net->contacts[i];
    if (!c->joined) {
      continue;
    }
    htz_network_settle(c);
    htz_network_read(net, c);
    for (unsigned l = 0; l < NETWORK_LEVELS; ++l) {
      c->self[l] = (double)NAN;
    }
    const htz_law* law = &c->desc.law;
    const double stored = law->cls->remember ? law->cls->stored(law, c->eta, c->memory) : law->cls->at(law, c->eta).stored;
    // A change of points, tuning or law while closed is work done by whoever changed it.
    c->account.work += stored - c->account.stored;
    c->account.stored = stored;
    level = (c->eta > 0.0 || !law->cls->one_sided) && c->level > level ? c->level : level;
    c->account.eta = c->eta;
  }
  if (level > 0) {
    htz_network_prepare(net, level);
  }
  if (net->dense) {
    htz_along_take(net);
    htz_along_forget(net);
  }
}

void htz_network_reach(htz_network* part, size_t first, size_t n, const bool* within) {
  htz_network* net = part->whole;
  bool comes = false, goes = false;
  for (size_t i = 0; i < n; ++i) {
    const contact* c = network_contact(part, first + i);
    comes = comes || (c->away && within[i]);
    goes = goes || (c->watched && !within[i]);
  }
  if (!comes && !goes) {
    return;
  }
  stale(net);
  htz_along_hand_over(net);
  for (size_t i = 0; i < n; ++i) {
    contact* c = network_contact(part, first + i);
    const bool was_away = c->away;
    c->away = !within[i] && (c->watched || was_away);
    join_in(net, c);
    if (was_away && !c->away && c->joined) {
      htz_network_read(net, c);
      c->account.eta = c->eta;
    }
  }
  htz_along_part(net, comes);
}

bool htz_network_away(const htz_network* net, size_t index) {
  return network_contact(net, index)->away;
}

void htz_network_reset(htz_network* net) {
  stale(net->whole);
  for (size_t i = 0; i < net->n_contacts; ++i) {
    contact* c = network_contact(net, i);
    c->account = (htz_contact_account){0};
    c->unread = false;
    c->gap_rate = 0.0;
    c->away = false;
    c->memory = 0.0;
    c->force = 0.0;
    c->level = 0;
    c->age = 0.0;
    c->active = false;
  }
  for (size_t i = 0; i < net->n_joins; ++i) {
    network_join(net, i)->account = (htz_join_account){0};
  }
  for (size_t i = 0; i < net->n_frictions; ++i) {
    friction* f = network_friction(net, i);
    htz_network_lift_friction(f);
    f->state.v = 0.0;
    f->account = (htz_friction_account){0};
  }
  htz_network_refresh(net);
}

void htz_network_sleep(htz_network* net, bool asleep) {
  net->asleep = asleep;
  for (size_t b = 0; b < net->n_nodes; ++b) {
    node* n = network_node(net, b);
    n->awake = n->wanted && !asleep;
  }
}

void htz_network_mark(htz_network* net, size_t index, bool awake) {
  node* n = network_node(net, index);
  n->wanted = awake;
  n->awake = awake && !net->asleep;
}

void htz_network_wake(htz_network* net, size_t index, bool awake) {
  htz_network_mark(net, index, awake);
  htz_network_refresh(net);
}

void htz_network_enable(htz_network* net, size_t index, const htz_law* law) {
  contact* c = network_contact(net, index);
  stale(net->whole);
  htz_network_settle(c);
  c->desc.law = *law;
  c->desc.enabled = true;
  c->memory = 0.0;
  c->force = 0.0;
  c->level = 0;
  htz_network_refresh(net);
}

void htz_network_disable(htz_network* net, size_t index) {
  contact* c = network_contact(net, index);
  stale(net->whole);
  htz_network_settle(c);
  c->account.dissipated += c->account.stored;
  c->account.stored = 0.0;
  c->force = 0.0;
  c->desc.enabled = false;
  htz_network_refresh(net);
}

size_t htz_network_bodies(const htz_network* net) {
  return net->n_nodes;
}

void htz_network_size(const htz_network* net, size_t* n_contacts, size_t* n_joins) {
  *n_contacts = net->n_contacts;
  *n_joins = net->n_joins;
}
