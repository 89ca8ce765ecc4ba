#include "bow.h"
#include "links.h"
#include "mallets.h"
#include "prepared.h"
#include "solved.h"

uint32_t htz_gestures_points(const htz_modal_island_desc* desc) {
  return htz_bows_point(desc, desc->n_bows) + (htz_modal_island_fingered(desc) ? HTZ_FINGER_POINTS : 0);
}

htz_status htz_gestures_new(modal_island* s, double rate_hz, htz_arena* arena, network_plan* plan) {
  if (s->desc.solver) {
    return htz_solved_new(s, arena); // nothing else acts beside it
  }
  htz_status st = s->desc.stay.given ? htz_stay_new(s, rate_hz, arena, plan) : htz_throw_new(s, rate_hz, arena, plan);
  st = st ? st : htz_prepared_new(s, rate_hz, arena, plan);
  st = st ? st : htz_bows_new(s, arena, plan);
  return st ? st : htz_links_new(s, arena, plan);
}
