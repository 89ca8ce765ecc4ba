#include "build.h"

#include "hertzian/instrument/spec_link.h"
#include "hertzian/instrument/spec_prepared.h"

// Links of a key, and the points that they and feeds have on its bodies.

size_t htz_build_played_points(const htz_spec* spec, size_t b) {
  const size_t hands = spec->n_bows * HTZ_BOW_POINTS + (spec->fingered.harmonics ? HTZ_FINGER_POINTS : 0);
  return b < spec->n_struck + spec->n_bowed ? spec->mallet.pool + hands : 0;
}

size_t htz_build_own_points(const htz_spec* spec, double key, size_t b) {
  return htz_build_played_points(spec, b) + htz_spec_prepared_count(spec, (int)key, b);
}

/** The key whose link it is that ends on a body of `key`; the next one's end is on the key above. */
static double key_of(const htz_spec_link_end* end, double key) {
  return end->whose == HTZ_SPEC_END_NEXT ? key - 1.0 : key;
}

size_t htz_build_ends_before(const htz_spec* spec, double key, size_t b, size_t l, size_t end) {
  size_t n = 0;
  for (size_t i = 0; i < spec->n_links && i <= l; ++i) {
    const htz_spec_link* link = &spec->links[i];
    for (size_t e = 0; e < 2; ++e) {
      const bool has = htz_spec_end_on(&link->end[e], b) && htz_spec_link_has(link, key_of(&link->end[e], key));
      n += has && (i < l || e < end) ? htz_spec_link_points(spec, link, key_of(&link->end[e], key)) : 0;
    }
  }
  return n;
}

uint32_t htz_build_fed_point(const htz_spec* spec, const island_plan* plan, size_t b, size_t f) {
  size_t n = htz_build_own_points(spec, plan->key, b) + htz_build_ends_before(spec, plan->key, b, spec->n_links, 0);
  for (size_t i = 0; i < f; ++i) {
    n += spec->feeds[i].to == b;
  }
  return (uint32_t)n;
}

size_t htz_build_points(const htz_spec* spec, const island_plan* plan, size_t b) {
  const size_t n = htz_build_fed_point(spec, plan, b, spec->n_feeds);
  return n ? n : 1;
}

void htz_build_place_links(const htz_spec* spec, const island_plan* plan, size_t b, htz_modal* modal) {
  const size_t own = htz_build_own_points(spec, plan->key, b);
  for (size_t l = 0; l < spec->n_links; ++l) {
    for (size_t e = 0; e < 2; ++e) {
      const htz_spec_link_end* end = &spec->links[l].end[e];
      const double key = key_of(end, plan->key);
      const htz_spec_link* link = &spec->links[l];
      const bool there = htz_spec_end_on(end, b) && htz_spec_link_has(link, key);
      const size_t n = there ? htz_spec_link_points(spec, link, key) : 0;
      const size_t first = own + htz_build_ends_before(spec, plan->key, b, l, e);
      for (size_t i = 0; i < n; ++i) {
        htz_modal_place_xy(modal, first + i, htz_spec_link_place(spec, link, key, e, i, NULL), htz_table_at(&end->at_y, key));
      }
    }
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    if (spec->feeds[f].to == b) {
      htz_modal_place(modal, htz_build_fed_point(spec, plan, b, f), htz_table_at(&spec->feeds[f].into, plan->key));
    }
  }
}

/** A copy of the body at one end of link `l`, and its point there. */
typedef struct {
  uint32_t body, point;
} place;

static place place_of(const htz_spec* spec, const island_plan* plan, size_t l, size_t e, uint32_t copy) {
  const htz_spec_link_end* end = &spec->links[l].end[e];
  if (end->whose == HTZ_SPEC_END_GROUND) {
    return (place){HTZ_LINK_GROUND, 0};
  }
  const size_t point =
      htz_build_own_points(spec, plan->key, end->body) + htz_build_ends_before(spec, plan->key, end->body, l, e);
  return (place){plan->first[end->body] + copy, (uint32_t)point};
}

static uint32_t copies(const island_plan* plan, const htz_spec_link_end* end) {
  return end->whose == HTZ_SPEC_END_GROUND ? 1 : plan->count[end->body];
}

static double value(const htz_table* table, double key) {
  return table->n ? htz_table_at(table, key) : 0.0;
}

static htz_join_desc join_of(const htz_spec_link* link, double key, place a, place b) {
  return (htz_join_desc){.body_a = a.body,
                         .point_a = a.point,
                         .body_b = b.body,
                         .point_b = b.point,
                         .stiffness = value(&link->stiffness, key),
                         .damping = value(&link->damping, key),
                         .rigid = link->type == HTZ_SPEC_LINK_RIGID,
                         .enabled = true};
}

htz_law htz_build_link_law(const htz_spec_link* link, double key) {
  if (link->type != HTZ_SPEC_LINK_CONTACT) {
    const double k = value(&link->stiffness, key), r = value(&link->damping, key);
    return link->cubic.n ? (htz_law){.cls = &htz_law_cubic, .p = {k, value(&link->cubic, key), r}}
                         : (htz_law){.cls = &htz_law_spring, .p = {k, r}};
  }
  htz_law law = {.cls = link->law};
  for (size_t i = 0; i < link->law->n_params; ++i) {
    law.p[i] = value(&link->p[i], key);
  }
  return law;
}

/** The contact at place `i` of the link. */
static htz_contact_desc contact_of(const htz_spec* spec, const htz_spec_link* link, double key, place a, place b, size_t i) {
  htz_law law = htz_build_link_law(link, key);
  double share = 1.0;
  htz_spec_link_place(spec, link, key, 0, i, &share);
  law.p[0] *= share; // of a contact along a string its stiffness is per metre
  return (htz_contact_desc){.law = law,
                            .body_a = a.body,
                            .point_a = a.body == HTZ_LINK_GROUND ? 0 : a.point + (uint32_t)i,
                            .body_b = b.body,
                            .point_b = b.body == HTZ_LINK_GROUND ? 0 : b.point + (uint32_t)i,
                            .direction = link->direction,
                            .gap = htz_spec_link_gap(spec, link, key, i),
                            .enabled = true,
                            .whole_steps = link->along};
}

htz_status htz_build_links(builder* build, island_plan* plan) {
  const htz_spec* spec = build->spec;
  htz_modal_island_desc* desc = &plan->desc;
  if (spec->n_links == 0) {
    return HTZ_OK;
  }
  htz_join_desc* joins = htz_arena_alloc(build->arena, HTZ_ISLAND_LINKS_MAX, sizeof *joins);
  htz_contact_desc* contacts = htz_arena_alloc(build->arena, HTZ_ISLAND_CONTACTS_MAX, sizeof *contacts);
  htz_moved_by* gaps = htz_arena_alloc(build->arena, HTZ_ISLAND_CONTACTS_MAX, sizeof *gaps);
  double* shapes = htz_arena_alloc(build->arena, HTZ_ISLAND_CONTACTS_MAX, sizeof *shapes);
  if (!joins || !contacts || !gaps || !shapes) {
    return HTZ_NO_MEMORY;
  }
  for (size_t l = 0; l < spec->n_links; ++l) {
    const htz_spec_link* link = &spec->links[l];
    if (htz_spec_link_leaves(link)) {
      continue; // of the group of keys
    }
    // Joins of many keys together would be one large matrix; springs are solved one by one then.
    const bool stiff = link->type == HTZ_SPEC_LINK_RIGID || !htz_spec_object_linked(spec);
    const bool joined = link->type != HTZ_SPEC_LINK_CONTACT && link->cubic.n == 0 && stiff;
    for (uint32_t i = 0; i < copies(plan, &link->end[0]) && htz_spec_link_has(link, plan->key); ++i) {
      for (uint32_t j = 0; j < copies(plan, &link->end[1]); ++j) {
        const place a = place_of(spec, plan, l, 0, i), b = place_of(spec, plan, l, 1, j);
        if (joined && desc->n_link_joins == HTZ_ISLAND_LINKS_MAX) {
          return HTZ_UNSUPPORTED; // beyond the instrument's range, where nobody has counted
        }
        if (joined) {
          joins[desc->n_link_joins++] = join_of(link, plan->key, a, b);
        } else {
          const size_t points = htz_spec_link_points(spec, link, plan->key);
          if (points > HTZ_ISLAND_CONTACTS_MAX - desc->n_link_contacts) {
            return HTZ_UNSUPPORTED;
          }
          for (size_t k = 0; k < points; ++k) {
            gaps[desc->n_link_contacts] = link->gap_by;
            shapes[desc->n_link_contacts] =
                htz_spec_link_gap(spec, link, plan->key, k) - (link->gap.n ? htz_table_at(&link->gap, plan->key) : 0.0);
            contacts[desc->n_link_contacts++] = contact_of(spec, link, plan->key, a, b, k);
          }
        }
      }
    }
  }
  desc->link_joins = joins;
  desc->link_contacts = contacts;
  desc->link_gaps = gaps;
  desc->link_shapes = shapes;
  return HTZ_OK;
}
