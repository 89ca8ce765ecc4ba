#include "network_private.h"

#include <string.h>

static void save_along(const network_dense* w, htz_network_snapshot* to) {
  memcpy(to->eta, w->eta, w->width * sizeof(double));
  memcpy(to->acting, w->acting, w->n_acting * sizeof(uint32_t));
  memcpy(to->sounding, w->sounding, w->n_sounding * sizeof(uint32_t));
  to->n_acting = w->n_acting;
  to->n_sounding = w->n_sounding;
}

static void restore_along(network_dense* w, const htz_network_snapshot* from) {
  memcpy(w->eta, from->eta, w->width * sizeof(double));
  memcpy(w->acting, from->acting, from->n_acting * sizeof(uint32_t));
  memcpy(w->sounding, from->sounding, from->n_sounding * sizeof(uint32_t));
  w->n_acting = from->n_acting;
  w->n_sounding = from->n_sounding;
}

void htz_network_save(htz_network* net, htz_network_snapshot* to) {
  htz_springs_lay(net); // links keep their slots
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
  if (net->dense) {
    save_along(net->dense, to);
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
  if (net->dense) {
    restore_along(net->dense, from);
  }
  net->counters = from->counters;
}
