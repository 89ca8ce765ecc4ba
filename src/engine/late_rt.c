#include "engine_private.h"

#include <string.h>

float* htz_part_later(part* p, uint32_t side, uint32_t late) {
  if (late == 0) {
    return p->mix[side];
  }
  p->late_left = p->latest + HTZ_QUANTUM;
  return p->later[side] + late;
}

void htz_part_arrive(part* p) {
  if (p->late_left == 0) {
    return;
  }
  for (uint32_t side = 0; side < 2; ++side) {
    float* later = p->later[side];
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      p->mix[side][i] += later[i];
    }
    memmove(later, later + HTZ_QUANTUM, p->latest * sizeof *later);
    memset(later + p->latest, 0, HTZ_QUANTUM * sizeof *later);
  }
  p->late_left -= p->late_left < HTZ_QUANTUM ? p->late_left : HTZ_QUANTUM;
}
