#include "network_private.h"

#include <math.h>

static bool valid(const htz_network* net, const htz_friction_link_desc* d) {
  const char* why;
  if (d->body >= net->n_nodes || !htz_friction_valid(&d->law, &why)) {
    return false;
  }
  const size_t n_points = net->nodes[d->body].body->n_points;
  return d->point[0] < n_points && d->point[1] < n_points && d->twist >= 0.0 && isfinite(d->twist) && d->spring >= 0.0 &&
         isfinite(d->spring);
}

htz_status htz_network_add_frictions(htz_network* net, size_t n, const htz_friction_link_desc* links, htz_arena* arena) {
  if (n > HTZ_FRICTIONS_MAX || net->n_frictions) {
    return HTZ_BAD_VALUE;
  }
  for (size_t i = 0; i < n; ++i) {
    if (!valid(net, &links[i])) {
      return HTZ_BAD_VALUE;
    }
  }
  if (n == 0) {
    return HTZ_OK;
  }
  net->frictions = htz_arena_alloc(arena, n, sizeof(friction));
  net->n_frictions = n;
  htz_network_make_room(net, arena);
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; i < n; ++i) {
    net->frictions[i].desc = links[i];
  }
  return HTZ_OK;
}
