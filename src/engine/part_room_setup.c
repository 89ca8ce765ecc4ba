#include "engine_private.h"

htz_status htz_part_room_init(part* p, htz_arena* arena) {
  p->room = (part_room){.send = p->instrument->params[HTZ_PARAM_SEND], .dry = {1.0f, 1.0f, 0}};
  return htz_room_init(&p->room.room, p->instrument->rate_hz, p->instrument->params[HTZ_PARAM_ROOM_SIZE], arena);
}
