#include "bridge_private.h"

static const double usual_tolerance = 1e-5;

htz_status htz_bridge_new(htz_modal* board, size_t n_points, htz_arena* arena, htz_bridge** out) {
  if (!board || n_points == 0 || n_points > HTZ_BRIDGE_POINTS_MAX || n_points > htz_modal_body(board)->n_points) {
    return HTZ_BAD_VALUE;
  }
  htz_bridge* b = htz_arena_alloc(arena, 1, sizeof *b);
  if (!b) {
    return HTZ_NO_MEMORY;
  }
  b->board = board;
  b->n_points = n_points;
  b->kernels = htz_modal_kernels(board);
  b->tolerance = usual_tolerance;
  b->own = htz_arena_alloc(arena, n_points * HTZ_ANSWER, sizeof(float));
  b->beside = htz_arena_alloc(arena, n_points * HTZ_ANSWER, sizeof(float));
  b->coming = htz_arena_alloc(arena, n_points * HTZ_ANSWER, sizeof(float));
  b->moved = htz_arena_alloc(arena, n_points * HTZ_QUANTUM, sizeof(float));
  b->forces = htz_arena_alloc(arena, n_points, sizeof *b->forces);
  *out = b;
  const htz_status st = htz_modal_ahead_new(board, n_points, arena, &b->ahead);
  return st ? st : arena->failed ? HTZ_NO_MEMORY : HTZ_OK;
}

htz_status htz_bridge_attach(htz_bridge* b, size_t key, htz_island* island, double at, htz_arena* arena) {
  if (key >= HTZ_BRIDGE_KEYS_MAX || b->number[key] || !(at >= 0.0) || !(at <= (double)(b->n_points - 1))) {
    return HTZ_BAD_VALUE;
  }
  if (!island || !island->cls->port) {
    return HTZ_UNSUPPORTED;
  }
  support* r = htz_arena_alloc(arena, 1, sizeof *r);
  if (!r) {
    return HTZ_NO_MEMORY;
  }
  r->island = island;
  support_place(r, b->n_points, at);
  r->stale = true;
  if (!island->cls->port->stand(island, &r->port)) {
    return HTZ_UNSUPPORTED;
  }
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    r->built_tension += htz_modal_join_tension(r->port.ends[i]);
  }
  r->lines = htz_arena_alloc(arena, r->port.n_lines + 1, sizeof *r->lines);
  if (!r->lines) {
    return HTZ_NO_MEMORY;
  }
  b->supports[b->n_supports++] = r;
  b->number[key] = (uint8_t)b->n_supports;
  b->factored = false;
  return HTZ_OK;
}

void htz_bridge_drive(htz_bridge* b, size_t key, uint32_t lines) {
  if (key < HTZ_BRIDGE_KEYS_MAX && b->number[key]) {
    support* r = b->supports[b->number[key] - 1];
    r->drives = lines;
    r->drive = 1.0;
  }
}

void htz_bridge_set_exact(htz_bridge* b, bool exact) {
  b->exact = exact;
  for (size_t i = 0; i < b->n_supports; ++i) {
    b->supports[i]->stale = true;
  }
}

void htz_bridge_set_tolerance(htz_bridge* b, double tolerance) {
  b->tolerance = tolerance;
}
