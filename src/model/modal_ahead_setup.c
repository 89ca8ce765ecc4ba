#include "modal.h"

htz_status htz_modal_ahead_new(const htz_modal* m, size_t n_points, htz_arena* arena, htz_modal_ahead* out) {
  const size_t n = (m->n + HTZ_TURN_LANES - 1) / HTZ_TURN_LANES * HTZ_TURN_LANES;
  const size_t padded = (n_points + HTZ_AHEAD_POINTS - 1) / HTZ_AHEAD_POINTS * HTZ_AHEAD_POINTS;
  float* rows[HTZ_AHEAD_ROWS];
  for (size_t i = 0; i < HTZ_AHEAD_ROWS; ++i) {
    rows[i] = htz_arena_alloc(arena, n, sizeof(float));
  }
  *out = (htz_modal_ahead){.n_points = n_points,
                           .table = {.n_points = padded,
                                     .am = rows[0],
                                     .a12 = rows[1],
                                     .a21 = rows[2],
                                     .dm = rows[3],
                                     .powers = htz_arena_alloc(arena, n * 2 * HTZ_TURN_BLOCK, sizeof(float)),
                                     .shapes = htz_arena_alloc(arena, n * padded, sizeof(float))},
                           .seen = htz_arena_alloc(arena, padded * HTZ_ANSWER, sizeof(float)),
                           .response = htz_arena_alloc(arena, n_points * n_points * HTZ_ANSWER, sizeof(float))};
  return arena->failed ? HTZ_NO_MEMORY : HTZ_OK;
}
