#ifndef HERTZIAN_INSTRUMENT_SPEC_LINK_H
#define HERTZIAN_INSTRUMENT_SPEC_LINK_H

#include "hertzian/instrument/spec.h"

/** What `links:` says: two-way links between the bodies of a key, or of one and the ground. */

typedef enum {
  HTZ_SPEC_LINK_SPRING = 0, ///< with `cubic` one that stiffens
  HTZ_SPEC_LINK_DAMPER,
  HTZ_SPEC_LINK_RIGID,
  HTZ_SPEC_LINK_CONTACT
} htz_spec_link_type;

enum { HTZ_SPEC_LINKS_MAX = 32 };

/** One end of a link. */
typedef struct {
  bool ground; ///< what never moves
  size_t body; ///< else an index into bodies
  htz_table at;
  htz_table at_y; ///< of the width of a surface; not given: `at` is along its line
} htz_spec_link_end;

struct htz_spec_link {
  htz_spec_link_type type;
  htz_spec_link_end end[2];
  htz_table stiffness; ///< of a spring [N/m]
  htz_table damping;   ///< of a spring or damper [N s/m]
  htz_table cubic;     ///< of a spring [N/m^3]; not given: it is linear
  const htz_law_class* law;
  htz_table p[HTZ_LAW_PARAMS_MAX]; ///< of the law of a contact, in its order
  htz_table gap;                   ///< of a contact: distance at rest [m]
  double direction;                ///< +1: the first body closes it by moving away from the mallet, -1: towards it
  int keys[2];                     ///< that have it, inclusive
};

/** True when the link is there at `key`. */
static inline bool htz_spec_link_has(const htz_spec_link* link, double key) {
  return key >= link->keys[0] && key <= link->keys[1];
}

/** True when link `l` holds on body `b`. */
static inline bool htz_spec_link_on(const htz_spec_link* link, size_t b) {
  return (!link->end[0].ground && link->end[0].body == b) || (!link->end[1].ground && link->end[1].body == b);
}

#endif
