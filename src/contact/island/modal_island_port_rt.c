#include "modal_island.h"

#include "signals.h"

/*
   The first bodies on a support that moves (hertzian/contact/port.h). Others may move with them in the network, and stand elsewhere.
*/

static bool stand(htz_island* island, htz_port* out) {
  modal_island* s = (modal_island*)island;
  bool heard = false;
  for (uint32_t o = 0; o < s->desc.n_outputs; ++o) {
    heard = heard || !(s->desc.joined >> o & 1u);
  }
  *out = (htz_port){.n_ends = s->n_ends, .n_lines = heard ? s->desc.n_lines : 0, .turn = &s->turn.port};
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    out->ends[b] = s->desc.bodies[b];
  }
  return s->kept.network != NULL;
}

static void save(htz_island* island) {
  modal_island* s = (modal_island*)island;
  double* to = s->kept.modal;
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    htz_modal_save(s->desc.bodies[b], to);
    to += htz_modal_state_size(s->desc.bodies[b]);
  }
  htz_network_save(s->net, s->kept.network);
}

static void restore(htz_island* island) {
  modal_island* s = (modal_island*)island;
  const double* from = s->kept.modal;
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    htz_modal_restore(s->desc.bodies[b], from);
    from += htz_modal_state_size(s->desc.bodies[b]);
  }
  htz_network_restore(s->net, s->kept.network);
}

static void step(htz_island* island, double w) {
  modal_island* s = (modal_island*)island;
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    htz_modal_join_hold(s->desc.bodies[b], w);
  }
  htz_network_step(s->net);
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    htz_modal_join_hold(s->desc.bodies[b], 0.0);
  }
}

static bool is_free(const htz_island* island) {
  const modal_island* s = (const modal_island*)island;
  return s->n_ends == htz_modal_island_in_network(&s->desc) && !htz_gestures_hold(s);
}

static uint32_t before(htz_island* island, uint32_t frames) {
  htz_modal_island_sync((modal_island*)island);
  return htz_gestures_before((modal_island*)island, frames);
}

static void sample(htz_island* island) {
  htz_gestures_sample((modal_island*)island);
}

static void sampled(htz_island* island) {
  htz_gestures_sampled((modal_island*)island);
}

static void after(htz_island* island, uint32_t frames) {
  htz_gestures_after((modal_island*)island, frames);
}

/** Feeds among the bodies and what is heard of them, one sample of it. */
static void hear(htz_island* island, float (*lines)[HTZ_QUANTUM], uint32_t frame) {
  modal_island* s = (modal_island*)island;
  const htz_modal_island_desc* d = &s->desc;
  const uint32_t together = htz_modal_island_in_network(d);
  island_signals now;
  s->level += (s->level_wanted - s->level) / (double)(HTZ_QUANTUM - frame);
  for (uint32_t b = 0; b < d->n_bodies; ++b) {
    if (b < together) {
      htz_signals_hear(d, b, 0, &now);
    } else {
      htz_signals_resonate(d, b, 1, s->level > 0.0, &now);
    }
  }
  for (uint32_t o = 0; o < d->n_outputs; ++o) {
    const htz_output* out = &d->outputs[o];
    const float level = out->body < together ? 1.0f : (float)s->level;
    lines[out->line][frame] += d->joined >> o & 1u ? 0.0f : level * now.of[out->body][out->pickup][0];
  }
}

static void moving(htz_island* island) {
  modal_island* s = (modal_island*)island;
  htz_modal_island_uncouple(s);
  htz_modal_island_sync(s);
  htz_gestures_moving_bodies(s);
}

static void moved(htz_island* island) {
  htz_gestures_moved_bodies((modal_island*)island);
  if (!is_free(island)) {
    htz_network_refresh(((modal_island*)island)->net);
  }
}

static double energy(const htz_island* island) {
  return htz_network_energy(((const modal_island*)island)->net);
}

const htz_port_class htz_modal_island_port = {.stand = stand,
                                              .is_free = is_free,
                                              .steady = htz_modal_island_steady,
                                              .turn_derive = htz_modal_island_turn_derive,
                                              .turn = htz_modal_island_turn,
                                              .turned = htz_modal_island_turned,
                                              .save = save,
                                              .restore = restore,
                                              .before = before,
                                              .sample = sample,
                                              .step = step,
                                              .sampled = sampled,
                                              .after = after,
                                              .hear = hear,
                                              .moving = moving,
                                              .moved = moved,
                                              .retune = htz_modal_island_retune,
                                              .energy = energy};
