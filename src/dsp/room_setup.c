#include "room_private.h"

#include <string.h>

htz_status htz_room_init(htz_room* room, double rate_hz, double size, htz_arena* arena) {
  *room = (htz_room){.rate_hz = rate_hz};
  const uint32_t early = (uint32_t)(htz_room_latest(HTZ_ROOM_SIZE_MAX) * rate_hz) + 1;
  size_t floats = 2 * ((size_t)htz_room_ring_size(early) + HTZ_ROOM_CHUNK);
  for (uint32_t i = 0; i < HTZ_ROOM_LINES; ++i) {
    const uint32_t most = (uint32_t)(htz_room_pass(HTZ_ROOM_SIZE_MAX, i) * rate_hz) + 1 + HTZ_ROOM_SLACK;
    floats += (size_t)htz_room_ring_size(most) + HTZ_ROOM_CHUNK;
  }
  room->memory = htz_arena_alloc(arena, floats, sizeof *room->memory);
  if (!room->memory) {
    return HTZ_NO_MEMORY;
  }
  // Pages come from the system as they are first written to, which shall not be on the audio thread.
  memset(room->memory, 0, floats * sizeof *room->memory);
  htz_room_lay(room, size);
  return HTZ_OK;
}
