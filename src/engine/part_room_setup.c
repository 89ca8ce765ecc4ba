#include "engine_private.h"

htz_status htz_part_room_init(part* p, htz_arena* arena) {
  p->room = (part_room){.send = p->instrument->params[HTZ_PARAM_SEND], .dry = {1.0f, 1.0f, 0}};
  const htz_status status = htz_room_init(&p->room.room, p->instrument->rate_hz, arena);
  if (status == HTZ_OK) {
    htz_room_lay(&p->room.room, p->instrument->params[HTZ_PARAM_ROOM_SIZE]);
  }
  return status;
}
