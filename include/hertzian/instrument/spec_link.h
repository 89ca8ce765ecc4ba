#ifndef HERTZIAN_INSTRUMENT_SPEC_LINK_H
#define HERTZIAN_INSTRUMENT_SPEC_LINK_H

#include "hertzian/instrument/spec_barrier.h"

/**
   What `links:` says: two-way links between bodies of a key, of one and the ground, a body that keys share, or one of the next key up; and
   between bodies that keys share, or of one and the ground.
*/

typedef enum {
  HTZ_SPEC_LINK_SPRING = 0, ///< with `cubic` one that stiffens
  HTZ_SPEC_LINK_DAMPER,
  HTZ_SPEC_LINK_RIGID,
  HTZ_SPEC_LINK_CONTACT
} htz_spec_link_type;

enum {
  HTZ_SPEC_LINKS_MAX = 32,
  HTZ_STRETCH_POINTS_MAX = 64 ///< places of one contact along a string
};

/** Whose the body at one end of a link is. */
typedef enum {
  HTZ_SPEC_END_OWN = 0, ///< the key's
  HTZ_SPEC_END_GROUND,  ///< nobody's: what never moves
  HTZ_SPEC_END_SHARED,  ///< all keys'
  HTZ_SPEC_END_NEXT     ///< the next key's up
} htz_spec_end_whose;

/** One end of a link. */
typedef struct {
  htz_spec_end_whose whose;
  size_t body; ///< index into bodies, of a shared one into htz_spec.linked_shared
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
  const char* name;    ///< of a contact whose gap its parameter moves, with all others of that name; NULL: none does
  htz_moved_by gap_by; ///< that parameter
  // Of a contact along a string, at the same fractions of both where both are strings.
  bool along;
  htz_table from, to; ///< fractions of the length
  htz_spec_barrier barrier;
  size_t points; ///< places; 0: htz_spec_link_points()
};

/** True when a pickup or a drive hears a reaction: what a body presses with on all that stands. */
bool htz_spec_hears_reaction(const htz_spec* spec);

/** Places of the link at `key`: 1, or of a contact along a string so many that its highest mode is resolved. */
size_t htz_spec_link_points(const htz_spec* spec, const htz_spec_link* link, double key);

/** Place `i` of them at end `e`, fraction of the length, and what of the string it stands for [m]; of frets 1. */
double htz_spec_link_place(const htz_spec* spec, const htz_spec_link* link, double key, size_t e, size_t i, double* share);

/** Distance of its bodies at rest at place `i` [m]. */
double htz_spec_link_gap(const htz_spec* spec, const htz_spec_link* link, double key, size_t i);

/** True when the link is there at `key`. */
static inline bool htz_spec_link_has(const htz_spec_link* link, double key) {
  return key >= link->keys[0] && key <= link->keys[1];
}

/** True when the end is on a body of a key, be it this one or the next. */
static inline bool htz_spec_end_of_key(const htz_spec_link_end* end) {
  return end->whose == HTZ_SPEC_END_OWN || end->whose == HTZ_SPEC_END_NEXT;
}

/** True when it is on body `b` of one. */
static inline bool htz_spec_end_on(const htz_spec_link_end* end, size_t b) {
  return htz_spec_end_of_key(end) && end->body == b;
}

/** True when the link holds on body `b` of some key. */
static inline bool htz_spec_link_on(const htz_spec_link* link, size_t b) {
  return htz_spec_end_on(&link->end[0], b) || htz_spec_end_on(&link->end[1], b);
}

/** True when it does not stay within the key: when an end is on what keys share, or on another key. */
static inline bool htz_spec_link_leaves(const htz_spec_link* link) {
  return link->end[0].whose > HTZ_SPEC_END_GROUND || link->end[1].whose > HTZ_SPEC_END_GROUND;
}

/** True when neither end is on a key's body: it is there once, whatever keys there are. */
static inline bool htz_spec_link_once(const htz_spec_link* link) {
  return !htz_spec_end_of_key(&link->end[0]) && !htz_spec_end_of_key(&link->end[1]);
}

/** True when keys of the object are linked to each other or to what they share. */
static inline bool htz_spec_object_linked(const htz_spec* object) {
  bool any = false;
  for (size_t l = 0; l < object->n_links; ++l) {
    any = any || (htz_spec_link_leaves(&object->links[l]) && !htz_spec_link_once(&object->links[l]));
  }
  return any;
}

/** True when keys of the file are linked to each other or to what they share. */
static inline bool htz_spec_keys_linked(const htz_spec* spec) {
  bool any = false;
  for (size_t o = 0; o < spec->n_objects; ++o) {
    any = any || htz_spec_object_linked(spec->objects[o]);
  }
  return any;
}

#endif
