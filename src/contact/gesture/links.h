#ifndef HERTZIAN_CONTACT_LINKS_H
#define HERTZIAN_CONTACT_LINKS_H

#include "island/modal_island.h"
#include "network/network_plan.h"

/** One end of a contact of the links: a body of the island, NULL for the ground, and its point. */
typedef struct {
  htz_modal* body;
  uint32_t point;
  bool joined;    // something else may hand it energy while no contact is closed
  double give;    // [derived] static compliance there, of the body at `epoch` [m/N]
  unsigned epoch; // htz_modal_epoch()
  bool give_known;
} link_end;

/** A contact between bodies of the island. */
typedef struct {
  link_end end[2];
  bool one_sided;
  htz_moved_by gap_by; // [config]
  double built;        // gap, without `shape` [m]
  double shape;        // what of it stays when it is moved [m]
  double gap, wanted;  // [state] now, and where it is going
} link_contact;

/** Force that one body has from another, over each sample: a feed between bodies that move together. */
typedef struct {
  htz_modal *from, *to;
  uint32_t pickup, point;
} link_feed;

/** What holds the bodies of an island together, and what passes between them one way. */
typedef struct {
  gesture base;     // must be first
  uint32_t n_joins; // [config]
  uint32_t n_contacts;
  link_contact* contacts;
  bool along;   // some of them are solved jointly: those that are out of reach are left out
  bool* within; // [n_contacts] scratch: of each, that it may close
  uint32_t n_feeds;
  link_feed feeds[HTZ_ISLAND_FEEDS_MAX];
} links;

extern const gesture_class htz_gesture_links;
/// The same with contacts along bodies.
extern const gesture_class htz_gesture_links_along;
/// The same with feeds among them; and both where gaps of contacts can be moved.
extern const gesture_class htz_gesture_feeds, htz_gesture_moved_links, htz_gesture_moved_feeds;

/** Contacts and joins of the description, and its feeds between bodies that move together. Set-up thread. */
htz_status htz_links_new(modal_island* s, htz_arena* arena, network_plan* plan);

/** True when bodies of the island keep a displacement under tension: joins or two-sided springs hold them. Audio thread. */
HTZ_RT bool htz_links_tie(const links* l);

#endif
