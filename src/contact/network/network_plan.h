#ifndef HERTZIAN_CONTACT_NETWORK_PLAN_H
#define HERTZIAN_CONTACT_NETWORK_PLAN_H

#include "hertzian/contact/modal_island.h"
#include "hertzian/contact/network.h"

/** Bodies, contacts, joins and friction links of an island's network while it is put together. */
enum { NETWORK_PLAN_BODIES = 64, NETWORK_PLAN_CONTACTS = 192 };

typedef struct {
  size_t n_bodies, n_contacts, n_joins, n_frictions;
  htz_body* bodies[NETWORK_PLAN_BODIES];
  bool awake[NETWORK_PLAN_BODIES]; ///< from the start
  htz_contact_desc contacts[NETWORK_PLAN_CONTACTS];
  htz_join_desc joins[HTZ_JOINS_MAX];
  htz_friction_link_desc frictions[HTZ_FRICTIONS_MAX];
} network_plan;

/** Add one of them. @return its index; the count goes beyond the array when there is no room. Set-up thread. */
uint32_t htz_plan_body(network_plan* plan, htz_body* body, bool awake);
uint32_t htz_plan_contact(network_plan* plan, const htz_contact_desc* contact);
uint32_t htz_plan_join(network_plan* plan, const htz_join_desc* join);
uint32_t htz_plan_friction(network_plan* plan, const htz_friction_link_desc* link);

/** False when something did not fit. */
bool htz_plan_fits(const network_plan* plan);

#endif
