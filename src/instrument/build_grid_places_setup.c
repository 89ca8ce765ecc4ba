#include "build_grid.h"
#include "still.h"

/** The point moves when it is pushed: compliance goes with the square of what a force there reaches. Bodies that are no lines or surfaces move as a whole, or not at all. */
static bool moves(const assembly* a, size_t b, uint32_t point) {
  const htz_spec_grid* grid = a->plan.spec->grid;
  const htz_grid* body = a->plan.grids[b];
  const bool whole = grid->bodies[b].kind == HTZ_GRID_MASS || grid->bodies[b].kind == HTZ_GRID_BARRIER;
  return whole || htz_grid_give(body, point, point) > still_share * still_share * body->give;
}

static htz_status refuse_place(assembly* a, const char* list, size_t item) {
  static const char* const names[] = {
      [HTZ_EXCITE_MALLET] = "mallet", [HTZ_EXCITE_THROW] = "throw", [HTZ_EXCITE_KICK] = "kick",
      [HTZ_EXCITE_PLUCK] = "pluck",   [HTZ_EXCITE_BOW] = "bow",
  };
  if (list) {
    snprintf(a->plan.where, sizeof a->plan.where, "%s.%zu", list, item);
  } else {
    snprintf(a->plan.where, sizeof a->plan.where, "%s", names[a->plan.spec->grid->excite]);
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
  const bool placed = grid->excite == HTZ_EXCITE_MALLET || grid->excite == HTZ_EXCITE_PLUCK;
  if (placed && !moves(a, grid->excited, a->island.point)) {
    return refuse_place(a, NULL, 0);
  }
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const htz_grid_hear* h = &a->island.hears[p];
    const bool at_place = h->what != HTZ_GRID_HEAR_CONTACT && h->what != HTZ_GRID_HEAR_STRETCH && h->what != HTZ_GRID_HEAR_END;
    if (at_place && !moves(a, h->of, h->point)) {
      return refuse_place(a, "pickups", spec->pickups[p].item);
    }
  }
  return HTZ_OK;
}
