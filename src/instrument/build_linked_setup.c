#include "build.h"

#include "hertzian/instrument/spec_link.h"

#include <math.h>

// Keys that are linked to each other, and the bodies that they share that way.

enum { NO_UNIT = 0xff };

typedef struct {
  const htz_spec* spec; // the whole file
  const htz_key* keys;
  uint8_t unit[HTZ_KEYS + 1]; // of each key; the one above the last has none
  size_t n_keys;
  size_t n_points[HTZ_SPEC_SHARED_MAX]; // of each shared body, places that are the same taken together
  double points[HTZ_SPEC_SHARED_MAX][HTZ_POINTS_MAX][2];
  size_t n_links;
  htz_group_link* links;
  bool full;
} assembly;

static bool reaches_next(const htz_spec_link* link) {
  return link->end[0].whose == HTZ_SPEC_END_NEXT || link->end[1].whose == HTZ_SPEC_END_NEXT;
}

/** Links of the key. @return how many */
static size_t links_of(const assembly* a, int key, const htz_spec_link** links) {
  const htz_spec* object = htz_spec_object(a->spec, key);
  *links = object ? object->links : NULL;
  return object && a->keys[key].island ? object->n_links : 0;
}

/** True when it is a link of `key`, and leads to something that is there; the next key is one of the same object. */
static bool leads_on(const assembly* a, const htz_spec_link* link, int key) {
  const bool next = !reaches_next(link) || (key + 1 < HTZ_KEYS && a->keys[key + 1].island &&
                                            htz_spec_object(a->spec, key + 1) == htz_spec_object(a->spec, key));
  return htz_spec_link_leaves(link) && !htz_spec_link_once(link) && htz_spec_link_has(link, key) && next;
}

/** Keys at which a link ends. */
static void find_units(assembly* a, htz_key* keys, htz_linked* linked) {
  for (int key = 0; key < HTZ_KEYS; ++key) {
    const htz_spec_link* links;
    const size_t n = links_of(a, key, &links);
    for (size_t l = 0; l < n; ++l) {
      if (leads_on(a, &links[l], key)) {
        keys[key].linked = true;
        keys[key + reaches_next(&links[l])].linked = true;
      }
    }
  }
  for (int key = 0; key <= HTZ_KEYS; ++key) {
    a->unit[key] = NO_UNIT;
    if (key < HTZ_KEYS && keys[key].linked) {
      a->unit[key] = (uint8_t)a->n_keys;
      linked->keys[a->n_keys++] = (uint8_t)key;
    }
  }
  linked->n_keys = (uint32_t)a->n_keys;
}

/** The point of shared body `body` at (x, y). */
static uint32_t point_at(assembly* a, size_t body, double x, double y) {
  for (size_t p = 0; p < a->n_points[body]; ++p) {
    const double* at = a->points[body][p];
    if (at[0] == x && (at[1] == y || (isnan(at[1]) && isnan(y)))) {
      return (uint32_t)p;
    }
  }
  if (a->n_points[body] == HTZ_POINTS_MAX) {
    a->full = true;
    return 0;
  }
  double* at = a->points[body][a->n_points[body]];
  at[0] = x;
  at[1] = y;
  return (uint32_t)a->n_points[body]++;
}

/** An end on a shared body, or on the ground. */
static htz_group_end shared_end(assembly* a, const htz_spec_link_end* end, int key) {
  if (end->whose == HTZ_SPEC_END_GROUND) {
    return (htz_group_end){HTZ_GROUP_GROUND, 0, 0};
  }
  const uint32_t point = point_at(a, end->body, htz_table_at(&end->at, key), htz_table_at(&end->at_y, key));
  return (htz_group_end){(uint32_t)(a->n_keys + end->body), 0, point};
}

/** End `e` of link `l` of `key`, on copy `copy` of its body. */
static htz_group_end end_of(assembly* a, size_t l, size_t e, int key, uint32_t copy) {
  const htz_spec* object = htz_spec_object(a->spec, key);
  const htz_spec_link_end* end = &object->links[l].end[e];
  if (!htz_spec_end_of_key(end)) {
    return shared_end(a, end, key);
  }
  const int at = end->whose == HTZ_SPEC_END_NEXT ? key + 1 : key;
  uint32_t first = 0;
  for (size_t b = 0; b < end->body; ++b) {
    first += (uint32_t)htz_spec_count(&object->bodies[b], at);
  }
  const size_t point = htz_build_own_points(object, at, end->body) + htz_build_ends_before(object, at, end->body, l, e);
  return (htz_group_end){a->unit[at], first + copy, (uint32_t)point};
}

static size_t copies(const assembly* a, const htz_spec_link_end* end, int key) {
  const int at = end->whose == HTZ_SPEC_END_NEXT ? key + 1 : key;
  return end->whose == HTZ_SPEC_END_SHARED ? 1 : htz_spec_count(&htz_spec_object(a->spec, key)->bodies[end->body], at);
}

static void add_link(assembly* a, const htz_spec_link* link, int key, htz_group_end from, htz_group_end to) {
  if (a->n_links == HTZ_GROUP_LINKS_MAX) {
    a->full = true;
    return;
  }
  const bool rigid = link->type == HTZ_SPEC_LINK_RIGID;
  a->links[a->n_links++] = (htz_group_link){.end = {from, to},
                                            .rigid = rigid,
                                            .law = rigid ? (htz_law){.cls = NULL} : htz_build_link_law(link, key),
                                            .direction = link->direction,
                                            .gap = link->gap.n ? htz_table_at(&link->gap, key) : 0.0};
}

static void add_links(assembly* a, size_t l, int key) {
  const htz_spec_link* link = &htz_spec_object(a->spec, key)->links[l];
  for (uint32_t i = 0; i < copies(a, &link->end[0], key) && !a->full; ++i) {
    for (uint32_t j = 0; j < copies(a, &link->end[1], key) && !a->full; ++j) {
      add_link(a, link, key, end_of(a, l, 0, key, i), end_of(a, l, 1, key, j));
    }
  }
}

/** Links of `spec` between bodies that all keys share, or of one and the ground. */
static void add_once(assembly* a, const htz_spec* spec) {
  for (size_t l = 0; l < spec->n_links; ++l) {
    const htz_spec_link* link = &spec->links[l];
    if (htz_spec_link_once(link) && htz_spec_link_leaves(link)) {
      add_link(a, link, spec->key_low, shared_end(a, &link->end[0], spec->key_low),
               shared_end(a, &link->end[1], spec->key_low));
    }
  }
}

static htz_status build_shared(builder* build, const assembly* a, htz_linked* linked, size_t* n_modes) {
  const htz_spec* spec = a->spec;
  for (size_t b = 0; b < spec->n_linked_shared; ++b) {
    const htz_spec_board* from = &spec->linked_shared[b];
    htz_modes* modes = htz_arena_alloc(build->arena, 1, sizeof *modes);
    if (!modes) {
      return HTZ_NO_MEMORY;
    }
    const char* why = NULL;
    htz_status st = htz_spec_modes(&from->body, spec->key_low, build->arena, modes, &why);
    if (!st) {
      st = htz_modal_new(modes, a->n_points[b] ? a->n_points[b] : 1, from->n_pickups, build->rate_hz, build->kernels,
                         build->arena, &linked->shared[b]);
    }
    if (st) {
      char part[HTZ_SPEC_WHERE];
      snprintf(part, sizeof part, "shared.%s", from->body.name);
      htz_build_blame(build, part, why);
      return st;
    }
    for (size_t p = 0; p < a->n_points[b]; ++p) {
      htz_modal_place_xy(linked->shared[b], p, a->points[b][p][0], a->points[b][p][1]);
    }
    for (size_t p = 0; p < from->n_pickups; ++p) {
      const htz_spec_board_pickup* pickup = &from->pickups[p];
      htz_modal_listen_xy(linked->shared[b], p, pickup->quantity, pickup->at[0], pickup->at[1], pickup->gain);
      linked->pan[b][p] = pickup->pan;
    }
    *n_modes += modes->n;
  }
  linked->n_shared = (uint32_t)spec->n_linked_shared;
  return HTZ_OK;
}

static htz_status build_group(builder* build, assembly* a, htz_linked* linked, size_t* n_modes) {
  htz_island* islands[HTZ_KEYS];
  const htz_spec* spec = a->spec;
  for (size_t o = 0; o < spec->n_objects; ++o) {
    add_once(a, spec->objects[o]);
  }
  if (spec->n_objects != 1 || spec->objects[0] != spec) {
    add_once(a, spec); // beside its objects
  }
  for (int key = 0; key < HTZ_KEYS; ++key) {
    const htz_spec_link* links;
    const size_t n = links_of(a, key, &links);
    for (size_t l = 0; l < n; ++l) {
      if (leads_on(a, &links[l], key)) {
        add_links(a, l, key);
      }
    }
  }
  if (a->full) {
    htz_build_blame(build, "links", "links: at most 512 between the keys of one instrument, and 128 places on one shared body");
    return HTZ_BAD_VALUE;
  }
  for (size_t u = 0; u < a->n_keys; ++u) {
    islands[u] = a->keys[linked->keys[u]].island;
  }
  htz_status st = build_shared(build, a, linked, n_modes);
  if (!st) {
    const htz_group_desc desc = {a->n_keys, islands, linked->n_shared, linked->shared, a->n_links, a->links};
    st = htz_group_new(&desc, build->rate_hz, build->arena, &linked->group);
  }
  if (st && !build->why) {
    htz_build_blame(build, "links",
                    build->spec->strict
                        ? "links: the keys of one instrument have at most 64 rigid ones, screws and rubbers, and 64 bows"
                        : "links: the keys of one instrument, those beyond `keys` as well, have at most 64 rigid ones, "
                          "screws and rubbers, and 64 bows; `strict: true` leaves out those beyond");
  }
  return st;
}

htz_status htz_build_linked(builder* build, const htz_spec* spec, htz_key* keys, htz_linked* linked, size_t* n_modes) {
  build->spec = spec;
  if (!htz_spec_keys_linked(spec)) {
    return HTZ_OK;
  }
  assembly* a = htz_arena_alloc(build->arena, 1, sizeof *a);
  if (!a) {
    return HTZ_NO_MEMORY;
  }
  a->spec = spec;
  a->keys = keys;
  a->links = htz_arena_alloc(build->arena, HTZ_GROUP_LINKS_MAX, sizeof *a->links);
  if (!a->links) {
    return HTZ_NO_MEMORY;
  }
  find_units(a, keys, linked);
  return a->n_keys ? build_group(build, a, linked, n_modes) : HTZ_OK;
}
