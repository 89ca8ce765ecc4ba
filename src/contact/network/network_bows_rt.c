#include "network_private.h"

// Several bows on one network, as frictions that feel each other (hertzian/contact/friction.h).

bool htz_network_solve_bows(htz_network* net, const double* free, const double* gain, double d) {
  htz_rubbed of[HTZ_FRICTIONS_MAX];
  htz_rubbed_count count = {0};
  const size_t n = net->n_rubbing;
  for (size_t i = 0; i < n; ++i) {
    const friction* f = &net->frictions[net->rubbing[i]];
    of[i] = (htz_rubbed){.law = &f->desc.law, .state = &f->state, .normal = f->normal, .force = f->force};
  }
  const bool solved = htz_friction_solve_several(n, of, free, gain, 0.0, d, &count);
  for (size_t i = 0; i < n; ++i) {
    friction* f = &net->frictions[net->rubbing[i]];
    f->force = of[i].force;
    f->next = of[i].next;
  }
  net->counters.rounds += count.rounds;
  net->counters.joint += count.joint;
  return solved;
}
