#include "network_private.h"

// Which sub-step level contacts want.

// A contact that outlasts this many elastic contact times is resting or creeping: it needs no fine steps any more.
static const double patience_times = 4.0;

static double approach_speed(htz_network* net, const contact* c) {
  const htz_body* a = net->nodes[c->desc.body_a].body;
  const htz_body* b = net->nodes[c->desc.body_b].body;
  return c->desc.direction * (a->cls->velocity(a, c->desc.point_a) - b->cls->velocity(b, c->desc.point_b)) - c->gap_rate;
}

unsigned htz_network_wanted_level(htz_network* net, contact* c, double s_free, double d) {
  if (c->desc.whole_steps) {
    return 0;
  }
  const double compliance = htz_network_self(net, 0, c);
  if (!(compliance > 0.0)) {
    return 0;
  }
  const double mass = 0.5 * net->period * net->period / compliance;
  const double seen = s_free / d;
  double speed = approach_speed(net, c);
  speed = seen > speed ? seen : speed;
  if (!(speed > 0.0)) {
    return 0;
  }
  const double tau = c->desc.law.cls->duration(&c->desc.law, mass, speed);
  c->patience = patience_times * tau;
  unsigned level = 0;
  double steps = tau / net->period;
  double enough = net->coarse_level == 0 ? net->coarse_steps : net->steps_per_contact;
  for (; level < net->level_max && steps < enough; ++level) {
    steps *= 2.0;
    enough = level + 1 >= net->coarse_level ? net->coarse_steps : enough;
  }
  net->counters.level_capped += steps < enough;
  return level;
}

int htz_network_closed_level(htz_network* net) {
  int level = -1;
  for (size_t j = 0; j < net->n_apart; ++j) {
    contact* c = &net->contacts[net->joined[j]];
    if (!network_touches(c)) {
      continue;
    }
    if (c->level > 0 && c->age > c->patience) {
      --c->level;
      c->patience *= 2.0;
    }
    level = (int)c->level > level ? (int)c->level : level;
  }
  return level;
}

unsigned htz_network_first_level(htz_network* net) {
  unsigned level = 0;
  for (size_t j = 0; j < net->n_apart; ++j) {
    contact* c = &net->contacts[net->joined[j]];
    if (network_one_sided(c) && c->eta + c->s_free > 0.0) {
      const unsigned wanted = htz_network_wanted_level(net, c, c->s_free, net->period);
      level = wanted > level ? wanted : level;
    }
  }
  return level;
}
