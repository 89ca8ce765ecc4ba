#include "network_private.h"

#include <string.h>

void htz_network_save(const htz_network* net, htz_network_snapshot* to) {
  memcpy(to->contacts, net->contacts, net->n_contacts * sizeof(contact));
  if (net->n_joins) {
    memcpy(to->joins, net->joins, net->n_joins * sizeof(join));
  }
  if (net->n_frictions) {
    memcpy(to->frictions, net->frictions, net->n_frictions * sizeof(friction));
  }
  for (size_t b = to->first; b < net->n_nodes; ++b) {
    const htz_body* body = net->nodes[b].body;
    to->motion[b - to->first][0] = body->cls->displacement(body, 0);
    to->motion[b - to->first][1] = body->cls->velocity(body, 0);
  }
  to->counters = net->counters;
}

void htz_network_restore(htz_network* net, const htz_network_snapshot* from) {
  memcpy(net->contacts, from->contacts, net->n_contacts * sizeof(contact));
  if (net->n_joins) {
    memcpy(net->joins, from->joins, net->n_joins * sizeof(join));
  }
  if (net->n_frictions) {
    memcpy(net->frictions, from->frictions, net->n_frictions * sizeof(friction));
  }
  for (size_t b = from->first; b < net->n_nodes; ++b) {
    htz_body* body = net->nodes[b].body;
    body->cls->set_motion(body, from->motion[b - from->first][0], from->motion[b - from->first][1]);
  }
  net->counters = from->counters;
}
