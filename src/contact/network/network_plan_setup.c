#include "network_plan.h"

uint32_t htz_plan_body(network_plan* plan, htz_body* body, bool awake) {
  if (plan->n_bodies < NETWORK_PLAN_BODIES) {
    plan->bodies[plan->n_bodies] = body;
    plan->awake[plan->n_bodies] = awake;
  }
  return (uint32_t)plan->n_bodies++;
}

uint32_t htz_plan_contact(network_plan* plan, const htz_contact_desc* contact) {
  if (plan->n_contacts < NETWORK_PLAN_CONTACTS) {
    plan->contacts[plan->n_contacts] = *contact;
  }
  return (uint32_t)plan->n_contacts++;
}

uint32_t htz_plan_join(network_plan* plan, const htz_join_desc* join) {
  if (plan->n_joins < HTZ_JOINS_MAX) {
    plan->joins[plan->n_joins] = *join;
  }
  return (uint32_t)plan->n_joins++;
}

uint32_t htz_plan_friction(network_plan* plan, const htz_friction_link_desc* link) {
  if (plan->n_frictions < HTZ_FRICTIONS_MAX) {
    plan->frictions[plan->n_frictions] = *link;
  }
  return (uint32_t)plan->n_frictions++;
}

bool htz_plan_fits(const network_plan* plan) {
  return plan->n_bodies <= NETWORK_PLAN_BODIES && plan->n_contacts <= NETWORK_PLAN_CONTACTS && plan->n_joins <= HTZ_JOINS_MAX &&
         plan->n_frictions <= HTZ_FRICTIONS_MAX;
}
