#include "bridge_private.h"

#include <string.h>

/*
   A key in flight: hammer on the strings, a support that is held still over the sample.
*/

static void save(rest* r) {
  double* to = r->before.modal;
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_save(r->s->desc.bodies[i], to);
    to += htz_modal_state_size(r->s->desc.bodies[i]);
  }
  const htz_network* net = r->s->net;
  memcpy(r->before.contacts, net->contacts, net->n_contacts * sizeof(contact));
  r->before.counters = net->counters;
  for (uint32_t i = 0; i < r->s->desc.n_mallets; ++i) {
    const htz_body* hammer = r->s->mallets[i].body;
    r->before.mallets[i][0] = hammer->cls->displacement(hammer, 0);
    r->before.mallets[i][1] = hammer->cls->velocity(hammer, 0);
  }
}

static void restore(rest* r) {
  const double* from = r->before.modal;
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_restore(r->s->desc.bodies[i], from);
    from += htz_modal_state_size(r->s->desc.bodies[i]);
  }
  htz_network* net = r->s->net;
  memcpy(net->contacts, r->before.contacts, net->n_contacts * sizeof(contact));
  net->counters = r->before.counters;
  for (uint32_t i = 0; i < r->s->desc.n_mallets; ++i) {
    htz_body* hammer = r->s->mallets[i].body;
    hammer->cls->set_motion(hammer, r->before.mallets[i][0], r->before.mallets[i][1]);
  }
}

void htz_rest_take_off(const htz_bridge* b, rest* r) {
  if (b->exact) {
    save(r); // only there is a sample gone through again
  }
  r->free_feel = r->feel;
  r->feel = r->free_feel + 2.0 * r->given[0] - r->given[1];
}

/** What the strings give after the sample. */
static void look_ahead(rest* r) {
  r->end_pull = 0.0;
  r->next = 0.0;
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    double pull;
    htz_body* body = htz_modal_body(r->s->desc.bodies[i]);
    body->cls->begin(body, 0);
    r->next += htz_modal_join_feel(r->s->desc.bodies[i], &pull);
    r->end_pull += pull;
  }
}

void htz_rest_fly(htz_bridge* b, rest* r, double w, bool again) {
  if (again) {
    restore(r);
  }
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_join_hold(r->s->desc.bodies[i], w);
  }
  htz_network_step(r->s->net);
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_join_hold(r->s->desc.bodies[i], 0.0);
  }
  look_ahead(r);
  r->used = w;
  // Of the mean pull, -yield w/2 is what the support did itself.
  r->feel = 0.5 * (r->pull + r->end_pull) + 0.5 * r->yield * w;
  ++b->counters.trials;
}

void htz_rest_nudge(htz_bridge* b, rest* r, double w) {
  for (uint32_t i = 0; i < r->s->desc.n_struck; ++i) {
    htz_modal_join_nudge(r->s->desc.bodies[i], w - r->used);
  }
  look_ahead(r);
  r->used = w;
  ++b->counters.nudges;
}

void htz_rest_land(rest* r) {
  r->given[1] = r->given[0];
  r->given[0] = r->feel - r->free_feel;
  htz_struck_retire_departed(r->s);
  if (r->s->flying == 0) {
    r->given[0] = 0.0;
    r->given[1] = 0.0;
  }
  r->feel = r->next;
  r->pull = r->end_pull;
}
