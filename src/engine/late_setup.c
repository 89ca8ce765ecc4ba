#include "engine_private.h"

/** Of the pickups of the board the one that is loudest on this side says how late its sound is there. */
static uint32_t board_late(const htz_board* board, uint32_t side, htz_ears there) {
  float most = 0.0f;
  uint32_t late = 0;
  for (uint32_t o = 0; o < board->n_pickups; ++o) {
    float share[2];
    htz_pan_place(board->pan[o], &share[0], &share[1]);
    if (share[side] > most) {
      most = share[side];
      late = board->late[there][o];
    }
  }
  return late;
}

htz_status htz_part_late_init(part* p, htz_arena* arena) {
  const htz_instrument* it = p->instrument;
  for (size_t there = 0; there < HTZ_EARS; ++there) {
    for (uint32_t k = 0; k < HTZ_KEYS; ++k) {
      for (uint32_t o = 0; o < HTZ_ISLAND_PICKUPS_MAX; ++o) {
        p->latest = it->keys[k].late[there][o] > p->latest ? it->keys[k].late[there][o] : p->latest;
      }
    }
    for (uint32_t o = 0; o < it->board.n_pickups; ++o) {
      p->latest = it->board.late[there][o] > p->latest ? it->board.late[there][o] : p->latest;
    }
  }
  for (uint32_t side = 0; side < 2 && p->latest > 0; ++side) {
    for (size_t there = 0; there < HTZ_EARS; ++there) {
      p->board_late[there][side] = board_late(&it->board, side, (htz_ears)there);
    }
    p->later[side] = htz_arena_alloc(arena, p->latest + HTZ_QUANTUM, sizeof(float));
    if (!p->later[side]) {
      return HTZ_NO_MEMORY;
    }
  }
  return HTZ_OK;
}
