#include "build_grid.h"
#include "still.h"

/** The point moves when it is pushed: compliance goes with the square of what a force there reaches. Bodies that are no lines or surfaces move as a whole, or not at all. */
static bool moves(const assembly* a, size_t b, uint32_t point) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  const htz_grid* body = a->plan.grids[b];
  const bool whole = grid->bodies[b].kind == HTZ_GRID_MASS || grid->bodies[b].kind == HTZ_GRID_BARRIER;
  return whole || htz_grid_compliance(body, point, point) > still_share * still_share * body->compliance;
}

/** @param list of which it is item `item`; NULL: a gesture of kind `item` */
static htz_status refuse_place(assembly* a, const char* list, size_t item) {
  static const char* const names[HTZ_EXCITES] = {
      [HTZ_EXCITE_MALLET] = "mallet", [HTZ_EXCITE_THROW] = "throw", [HTZ_EXCITE_KICK] = "kick",
      [HTZ_EXCITE_PLUCK] = "pluck",   [HTZ_EXCITE_BOW] = "bow",
  };
  if (list) {
    snprintf(a->plan.where, sizeof a->plan.where, "%s.%zu", list, item);
  } else {
    snprintf(a->plan.where, sizeof a->plan.where, "%s", names[item < HTZ_EXCITES ? item : 0]);
  }
  a->plan.why = "at: the body is held there and does not move; allowed: a place farther from its ends or edges";
  return HTZ_BAD_VALUE;
}

htz_status htz_grid_check_places(assembly* a) {
  const htz_spec* spec = a->plan.spec;
  const htz_spec_grid* grid = spec->grid;
  for (size_t c = 0; c < grid->n_contacts; ++c) {
    const htz_spec_grid_contact* contact = &grid->contacts[c];
    if (!moves(a, contact->below, a->contacts[c].point_a) || !moves(a, contact->above, a->contacts[c].point_b)) {
      return refuse_place(a, "contacts", contact->item);
    }
  }
  for (size_t i = 0; i < a->island.n_gestures; ++i) {
    const htz_grid_gesture* g = &a->island.gestures[i];
    const bool placed = g->kind == HTZ_EXCITE_MALLET || g->kind == HTZ_EXCITE_PLUCK;
    if (placed && !moves(a, g->body, g->point)) {
      return refuse_place(a, NULL, g->kind);
    }
  }
  size_t h = 0;
  const struct {
    const char* list;
    const htz_spec_grid_tap* taps;
    size_t n, stride;
  } all[] = {{"pickups", grid->hears, spec->n_pickups, sizeof grid->hears[0]},
             {"drives", grid->drives, spec->board.n_drives, sizeof grid->drives[0]},
             {"feeds", &grid->feeds[0].tap, grid->n_feeds, sizeof grid->feeds[0]}};
  for (size_t l = 0; l < sizeof all / sizeof all[0]; ++l) {
    for (size_t i = 0; i < all[l].n; ++i) {
      const htz_spec_grid_tap* tap = (const htz_spec_grid_tap*)(const void*)((const char*)all[l].taps + i * all[l].stride);
      if (tap->source == HTZ_SOURCE_RESONATOR) {
        continue;
      }
      const htz_grid_hear* hear = &a->island.hears[h++];
      const bool at_place = hear->what <= HTZ_GRID_HEAR_ACCELERATION;
      if (at_place && !moves(a, hear->of, hear->point)) {
        return refuse_place(a, all[l].list, tap->item);
      }
    }
  }
  return HTZ_OK;
}
