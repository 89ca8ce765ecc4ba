#include "walk.h"

#include "hertzian/instrument/spec_link.h"
#include "hertzian/instrument/spec_prepared.h"

#include <string.h>

/*
   The order of a key's bodies, and what moves each of them. Bodies that are linked move together, as one group; a feed goes from one
   group to another, and never back: it gives energy without taking any.
*/

enum { ALL_MAX = HTZ_ISLAND_BODIES_MAX + HTZ_SPEC_SHARED_MAX };

typedef struct {
  size_t group[ALL_MAX];                // of each body, shared ones last: the least index among those it is linked to
  bool together[HTZ_ISLAND_BODIES_MAX]; // it moves sample by sample
  bool moved[HTZ_ISLAND_BODIES_MAX];    // something strikes it, feeds it, or moves what it is linked to
} plan;

/** The body at an end of a link, the same for every key. */
static size_t index_of(const htz_spec* spec, const htz_spec_link_end* end) {
  return end->whose == HTZ_SPEC_END_SHARED ? spec->n_bodies + end->body : end->body;
}

static void find_groups(const htz_spec* spec, plan* p) {
  const size_t n = spec->n_bodies + spec->n_linked_shared;
  for (size_t b = 0; b < n; ++b) {
    p->group[b] = b;
  }
  for (size_t l = 0; l < spec->n_links; ++l) {
    const htz_spec_link_end* end = spec->links[l].end;
    if (end[0].whose == HTZ_SPEC_END_GROUND || end[1].whose == HTZ_SPEC_END_GROUND) {
      continue;
    }
    const size_t from = p->group[index_of(spec, &end[0])], to = p->group[index_of(spec, &end[1])];
    const size_t least = from < to ? from : to, other = from < to ? to : from;
    for (size_t b = 0; b < n; ++b) {
      p->group[b] = p->group[b] == other ? least : p->group[b];
    }
  }
}

/** Struck, bowed, linked, or feeding one that is. */
static void find_together(const walk* w, plan* p) {
  const htz_spec* spec = w->spec;
  for (size_t i = 0; i < w->n_strikes + w->n_bowed; ++i) {
    p->together[w->strikes[i]] = true;
  }
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    for (size_t l = 0; l < spec->n_links; ++l) {
      p->together[b] = p->together[b] || htz_spec_link_on(&spec->links[l], b);
    }
    for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
      p->together[b] = p->together[b] || spec->prepared->things[i].on == b;
    }
  }
  for (size_t round = 0; round < spec->n_bodies; ++round) {
    for (size_t f = 0; f < spec->n_feeds; ++f) {
      p->together[spec->feeds[f].from] = p->together[spec->feeds[f].from] || p->together[spec->feeds[f].to];
    }
  }
}

/** What mallet, bows, links and feeds reach. */
static void find_moved(const walk* w, plan* p) {
  const htz_spec* spec = w->spec;
  for (size_t i = 0; i < w->n_strikes + w->n_bowed; ++i) {
    p->moved[w->strikes[i]] = true;
  }
  for (size_t round = 0; round < 2 * spec->n_bodies; ++round) {
    for (size_t a = 0; a < spec->n_bodies; ++a) {
      for (size_t b = 0; b < spec->n_bodies; ++b) {
        // As one key's bodies are moved, so are those that keys share.
        p->moved[b] = p->moved[b] || (p->group[a] == p->group[b] && p->moved[a]);
      }
    }
    for (size_t f = 0; f < spec->n_feeds; ++f) {
      p->moved[spec->feeds[f].to] = p->moved[spec->feeds[f].to] || p->moved[spec->feeds[f].from];
    }
  }
}

/** @return true when body `to` is reached from `from` by way of feeds and links, one feed at least */
static bool goes_round(const htz_spec* spec, const plan* p, size_t from, size_t to) {
  bool reached[ALL_MAX] = {false}; // by group
  reached[p->group[from]] = true;
  for (size_t round = 0; round < spec->n_feeds; ++round) {
    for (size_t f = 0; f < spec->n_feeds; ++f) {
      reached[p->group[spec->feeds[f].to]] = reached[p->group[spec->feeds[f].to]] || reached[p->group[spec->feeds[f].from]];
    }
  }
  return reached[p->group[to]];
}

/** A feed into what feeds it, by way of others or of links. @return true when there is none */
static bool check_circles(walk* w, const tree_node* feeds, const plan* p) {
  const htz_spec* spec = w->spec;
  const tree_node* item = feeds ? feeds->first : NULL;
  for (size_t f = 0; f < spec->n_feeds && item; ++f, item = item->next) {
    if (goes_round(spec, p, spec->feeds[f].to, spec->feeds[f].from)) {
      htz_walk_fault(
          w, item,
          "feeds: from \"%s\" to \"%s\" closes a circle; a feed gives energy and takes none, so the sound could grow "
          "without end: let links, which go both ways, close it",
          spec->bodies[spec->feeds[f].from].name, spec->bodies[spec->feeds[f].to].name);
      return false;
    }
  }
  return true;
}

/** Struck ones as the mallet names them, bowed ones, others that move with them in the order of the file, then each after what feeds it. */
static void order_bodies(const walk* w, const plan* p, size_t* order) {
  const htz_spec* spec = w->spec;
  bool placed[HTZ_ISLAND_BODIES_MAX] = {false};
  size_t n = 0;
  for (size_t i = 0; i < w->n_strikes + w->n_bowed; ++i) {
    order[n++] = w->strikes[i];
    placed[w->strikes[i]] = true;
  }
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    if (p->together[b] && !placed[b]) {
      order[n++] = b;
      placed[b] = true;
    }
  }
  for (size_t round = 0; round < spec->n_bodies; ++round) {
    for (size_t b = 0; b < spec->n_bodies; ++b) {
      bool waiting = placed[b];
      for (size_t f = 0; f < spec->n_feeds; ++f) {
        waiting = waiting || (spec->feeds[f].to == b && !placed[spec->feeds[f].from]);
      }
      if (!waiting) {
        order[n++] = b;
        placed[b] = true;
      }
    }
  }
}

static void apply_order(htz_spec* spec, const size_t* order, htz_spec_link* links) {
  htz_spec_body bodies[HTZ_ISLAND_BODIES_MAX];
  size_t place[HTZ_ISLAND_BODIES_MAX + 1];
  for (size_t i = 0; i < spec->n_bodies; ++i) {
    bodies[i] = spec->bodies[order[i]];
    place[order[i]] = i;
  }
  place[spec->n_bodies] = spec->n_bodies; // the ground, which is no body
  memcpy(spec->bodies, bodies, spec->n_bodies * sizeof *bodies);
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    spec->feeds[f].from = place[spec->feeds[f].from];
    spec->feeds[f].to = place[spec->feeds[f].to];
  }
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    spec->pickups[p].of = place[spec->pickups[p].of];
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    spec->board.drives[d].from = place[spec->board.drives[d].from];
  }
  for (size_t i = 0; i < spec->n_bows; ++i) {
    spec->bows[i].body = place[spec->bows[i].body];
  }
  htz_spec_prepared_reorder(spec, place);
  for (size_t l = 0; l < spec->n_links; ++l) {
    links[l] = spec->links[l];
    for (size_t e = 0; e < 2; ++e) {
      htz_spec_link_end* end = &links[l].end[e];
      end->body = end->whose == HTZ_SPEC_END_SHARED ? end->body : place[end->body];
    }
  }
  spec->links = links;
}

/** What a key has at most, with every body as often as it is there. */
static void check_counts(walk* w, const tree_node* per_key) {
  const htz_spec* spec = w->spec;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    size_t bodies = 0, played = 0, feeds = 0, links = 0, contacts = 0, count[HTZ_ISLAND_BODIES_MAX + 1];
    for (size_t b = 0; b < spec->n_bodies; ++b) {
      count[b] = htz_spec_count(&spec->bodies[b], key);
      bodies += count[b];
      played += b < spec->n_struck + spec->n_bowed ? count[b] : 0;
    }
    count[spec->n_bodies] = 1; // the ground
    for (size_t f = 0; f < spec->n_feeds; ++f) {
      feeds += count[spec->feeds[f].from] * count[spec->feeds[f].to];
    }
    for (size_t l = 0; l < spec->n_links; ++l) {
      const htz_spec_link* link = &spec->links[l];
      const bool own = htz_spec_link_has(link, key) && !htz_spec_link_leaves(link);
      const size_t pairs = own ? count[link->end[0].body] * count[link->end[1].body] : 0;
      const bool contact = link->type == HTZ_SPEC_LINK_CONTACT || link->cubic.n || htz_spec_object_linked(spec);
      links += contact ? 0 : pairs;
      contacts += contact ? pairs * htz_spec_link_points(spec, link, key) : 0;
    }
    const struct {
      size_t n, most;
      const char* what;
    } caps[] = {{bodies, HTZ_ISLAND_BODIES_MAX, "bodies"},
                {played, HTZ_ISLAND_UNISON_MAX, spec->bowed ? "bodies struck and bowed" : "bodies struck together"},
                {feeds, HTZ_ISLAND_FEEDS_MAX, "feeds"},
                {links, HTZ_ISLAND_LINKS_MAX, "links"},
                {contacts, HTZ_ISLAND_CONTACTS_MAX, "contacts"}};
    for (size_t i = 0; i < sizeof caps / sizeof caps[0]; ++i) {
      if (caps[i].n > caps[i].most) {
        htz_walk_fault(w, per_key, "count: %zu %s at key %d with each body as often as it is there; at most %zu", caps[i].n,
                       caps[i].what, key, caps[i].most);
        return;
      }
    }
  }
}

void htz_walk_order(walk* w, const tree_node* per_key, const tree_node* feeds) {
  htz_spec* spec = w->spec;
  plan p = {{0}, {false}, {false}};
  size_t order[HTZ_ISLAND_BODIES_MAX] = {0};
  find_groups(spec, &p);
  find_together(w, &p);
  if (!check_circles(w, feeds, &p)) {
    return;
  }
  find_moved(w, &p);
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    if (!p.moved[b]) {
      htz_walk_fault(w, per_key, "per_key: nothing moves \"%s\"; strike it, feed it, or link it to what moves",
                     spec->bodies[b].name);
      return;
    }
  }
  order_bodies(w, &p, order);
  htz_spec_link* links = htz_walk_alloc(w, spec->n_links + 1, sizeof *links);
  if (!links) {
    return;
  }
  apply_order(spec, order, links);
  spec->n_struck = w->n_strikes;
  spec->n_bowed = w->n_bowed;
  spec->n_linked = 0;
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    spec->n_linked += p.together[b];
  }
  check_counts(w, per_key);
}
