#include "struck.h"

/*
   The struck bodies on a support that moves (hertzian/contact/port.h).
*/

static bool stand(htz_island* island, htz_port* out) {
  const struck* s = (const struck*)island;
  *out = (htz_port){.n_ends = s->desc.n_struck};
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    out->ends[b] = s->desc.bodies[b];
  }
  return s->kept.network != NULL;
}

static void save(htz_island* island) {
  struck* s = (struck*)island;
  double* to = s->kept.modal;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_modal_save(s->desc.bodies[b], to);
    to += htz_modal_state_size(s->desc.bodies[b]);
  }
  htz_network_save(s->net, s->kept.network);
}

static void restore(htz_island* island) {
  struck* s = (struck*)island;
  const double* from = s->kept.modal;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_modal_restore(s->desc.bodies[b], from);
    from += htz_modal_state_size(s->desc.bodies[b]);
  }
  htz_network_restore(s->net, s->kept.network);
}

static void step(htz_island* island, double w) {
  struck* s = (struck*)island;
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_modal_join_hold(s->desc.bodies[b], w);
  }
  htz_network_step(s->net);
  for (uint32_t b = 0; b < s->desc.n_struck; ++b) {
    htz_modal_join_hold(s->desc.bodies[b], 0.0);
  }
}

static void after(htz_island* island) {
  htz_gestures_sampled((struck*)island);
}

static bool is_free(const htz_island* island) {
  return !htz_gestures_hold((const struck*)island);
}

static double energy(const htz_island* island) {
  return htz_network_energy(((const struck*)island)->net);
}

const htz_port_class htz_struck_port = {
    .stand = stand, .is_free = is_free, .save = save, .restore = restore, .step = step, .after = after, .energy = energy};
