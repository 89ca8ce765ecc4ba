#ifndef HERTZIAN_CONTACT_GROUP_H
#define HERTZIAN_CONTACT_GROUP_H

#include "hertzian/contact/island.h"
#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

/**
   Islands of several keys whose bodies are linked to each other and to bodies that all share, both ways: bars on springs from one to the
   next, strings on one deck, a snare under the toms. One network has them all; each island goes on being struck, damped and tuned by
   itself, and is advanced with the group alone.

   A *unit* is an island, by its place in the description, or after those a shared body. Units that nothing could stir audibly are asleep:
   they stand still and cost nothing.
*/
typedef struct htz_group htz_group;

enum { HTZ_GROUP_ISLANDS_MAX = 128, HTZ_GROUP_SHARED_MAX = 16, HTZ_GROUP_LINKS_MAX = 512 };
#define HTZ_GROUP_GROUND UINT32_MAX ///< in place of a unit: what never moves

/** One end of a link: a point of a body of a unit; of a shared one, and of the ground, `body` is 0. */
typedef struct {
  uint32_t unit, body, point;
} htz_group_end;

/** A link between units: a contact or two-sided spring by its law, or rigid. */
typedef struct {
  htz_group_end end[2];
  bool rigid;
  htz_law law; ///< unless rigid
  double direction, gap;
} htz_group_link;

typedef struct {
  size_t n_islands;
  htz_island* const* islands; ///< made by htz_modal_island_new(); kept by pointer
  size_t n_shared;
  htz_modal* const* shared; ///< kept by pointer
  size_t n_links;
  const htz_group_link* links;
} htz_group_desc;

/** @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED for islands of another kind, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_group_new(const htz_group_desc* desc, double rate_hz, htz_arena* arena, htz_group** out);

/** Let `unit` take part, at rest at first, or stand still. Its state is left as it is. Audio thread; so are all below. */
HTZ_RT void htz_group_wake(htz_group* group, size_t unit, bool awake);
HTZ_RT bool htz_group_awake(const htz_group* group, size_t unit);

/** What was woken or not takes part from now on, which htz_group_run() otherwise sees to: its energy is among htz_group_energy(). */
HTZ_RT void htz_group_refresh(htz_group* group);

/**
   True when what is awake could stir `unit`, were it at rest, so that it gives an output above `least` [sample value]: a link's greatest
   force on it, held at the resonance of every mode at once, and no more energy than what there is.
*/
HTZ_RT bool htz_group_disturbed(const htz_group* group, size_t unit, double least);

/** A bound on what the energy of `unit` can give, wherever in the group it goes, as a sample value. */
HTZ_RT double htz_group_loudness(const htz_group* group, size_t unit);

/**
   Advance all that is awake by `frames` (<= HTZ_QUANTUM).

   @param lines [n_islands][n_pickups of each] to which output is added; of units that sleep not looked at
   @param shared [n_shared][pickups of each] likewise
*/
HTZ_RT void htz_group_run(htz_group* group, uint32_t frames, float* (*lines)[HTZ_ISLAND_PICKUPS_MAX],
                          float* (*shared)[HTZ_PICKUPS_MAX]);

/** Energy of all bodies and links [J], not finite when any state has gone wrong. */
HTZ_RT double htz_group_energy(const htz_group* group);

/** Shared bodies and links at rest, everything asleep; islands are to be reset each. */
HTZ_RT void htz_group_reset(htz_group* group);

/** A shared body is at rest. */
HTZ_RT void htz_group_settle(htz_group* group, size_t unit);

/** What its solver has done, the islands' mallets included. */
HTZ_RT htz_island_counters htz_group_count(const htz_group* group);

/** The network inside, for counters and accounts. Any thread that owns the group. */
htz_network* htz_group_network(htz_group* group);

#endif
