#include "still.h"

#include "bow.h"

#include "hertzian/instrument/spec_link.h"
#include "hertzian/instrument/spec_prepared.h"

#include <math.h>
#include <string.h>

/*
   Places at which a body with modes stands still: struck there it does not sound, heard there it is silent. A place moves when one mode at
   least moves it by more than still_share of what any mode moves the body's best place.
*/

static const double plainly = 1e-3; // times a place somewhere: not worth to look for the best one

// Neither in the middle nor at any simple fraction of the length or width, where symmetry has its nodes.
static const double somewhere = 0.381966011250105, somewhere_y = 0.414213562373095;
enum { ALONG = 33, ACROSS = 17 }; // places looked at for the best one

/** A body of one key. */
typedef struct {
  const htz_spec* spec;
  htz_arena arena;
  htz_modes modes;
  double key;
  double* row;     // shapes at a place
  double ordinary; // most that any mode moves `somewhere`
  double best;     // and the best place; NaN: not looked for yet
} look;

static void shapes(const look* l, double x, double y, double* row) {
  if (l->modes.shape_xy && !isnan(y)) {
    l->modes.shape_xy(&l->modes, x, y, row);
  } else {
    l->modes.shape(&l->modes, x, row);
  }
}

static double most(const look* l, double x, double y) {
  double value = 0.0;
  shapes(l, x, y, l->row);
  for (size_t k = 0; k < l->modes.n; ++k) {
    value = fmax(value, fabs(l->row[k]));
  }
  return value;
}

static double best_of(look* l) {
  const size_t across = l->modes.shape_xy ? ACROSS : 1;
  double best = isnan(l->best) ? 0.0 : l->best;
  for (size_t i = 0; isnan(l->best) && i < ALONG * across; ++i) {
    const double x = (double)(i / across) / (ALONG - 1), y = (double)(i % across) / (ACROSS - 1);
    best = fmax(best, most(l, x, l->modes.shape_xy ? y : (double)NAN));
  }
  return l->best = best;
}

static bool is_still(look* l, double x, double y) {
  const double here = most(l, x, y);
  return !(here > plainly * l->ordinary) && !(here > still_share * best_of(l));
}

static htz_status open_look(look* l, const htz_spec* spec, const htz_spec_body* body, double key) {
  const char* why;
  *l = (look){.spec = spec, .key = key, .best = (double)NAN};
  htz_arena_measure(&l->arena);
  htz_status st = htz_spec_modes(body, key, &l->arena, &l->modes, &why);
  if (!st) {
    l->row = htz_arena_alloc(&l->arena, l->modes.n, sizeof(double));
    st = l->row ? HTZ_OK : HTZ_NO_MEMORY;
  }
  if (!st) {
    l->ordinary = most(l, somewhere, l->modes.shape_xy ? somewhere_y : (double)NAN);
  }
  return st;
}

/** A place that the file names. */
typedef struct {
  char path[HTZ_SPEC_WHERE];
  double x, y; // y NaN: along the body's line
} spot;

static void say(const look* l, const spot* at, const char* what, htz_diags* diags) {
  const htz_spec_mark mark = htz_spec_place(l->spec, at->path);
  htz_diags_add(diags, mark.line, mark.column, "%s: %s (at key %g)", strrchr(at->path, '.') + 1, what, l->key);
}

enum {
  SPOTS = 4 * HTZ_ISLAND_FEEDS_MAX + 2 * HTZ_SPEC_LINKS_MAX + HTZ_ISLAND_PICKUPS_MAX + HTZ_SPEC_DRIVES_MAX +
          HTZ_SPEC_PREPARED_MAX + 4
};

static void add(spot* spots, size_t* n, double x, double y, const char* list, size_t item, const char* property) {
  spot* s = &spots[(*n)++];
  s->x = x;
  s->y = y;
  snprintf(s->path, sizeof s->path, "%s.%zu.%s", list, item, property);
}

/** What is fixed to body `b` or lies on it. */
static void add_prepared(const htz_spec* spec, size_t b, int key, spot* spots, size_t* n) {
  for (size_t i = 0; spec->prepared && i < spec->prepared->n; ++i) {
    const htz_spec_thing* thing = &spec->prepared->things[i];
    if (thing->on == b && htz_spec_thing_at(thing, key)) {
      spot* s = &spots[(*n)++];
      s->x = htz_spec_thing_place(thing, key, &s->y);
      snprintf(s->path, HTZ_SPEC_WHERE, "preparations.%s.at", thing->name);
    }
  }
}

static bool has_place(htz_quantity quantity) {
  return quantity <= HTZ_HEAR_ACCELERATION;
}

/** Every place on body `b` that acts or is heard. */
static size_t spots_of(const htz_spec* spec, size_t b, int key, spot* spots) {
  size_t n = 0;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const htz_spec_pickup* it = &spec->pickups[p];
    if (it->of == b && has_place(it->quantity)) {
      add(spots, &n, htz_table_at(&it->at, key), htz_table_at(&it->at_y, key), "pickups", it->item, "at");
    }
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    const htz_spec_feed* it = &spec->feeds[f];
    if (it->from == b && has_place(it->quantity)) {
      add(spots, &n, htz_table_at(&it->at, key), (double)NAN, "feeds", f, "at");
    }
    if (it->to == b) {
      add(spots, &n, htz_table_at(&it->into, key), (double)NAN, "feeds", f, "into");
    }
  }
  for (size_t l = 0; l < spec->n_links; ++l) {
    for (size_t e = 0; e < 2 && htz_spec_link_has(&spec->links[l], key); ++e) {
      const htz_spec_link_end* end = &spec->links[l].end[e];
      if (end->whose == HTZ_SPEC_END_OWN && end->body == b && !spec->links[l].along) {
        add(spots, &n, htz_table_at(&end->at, key), htz_table_at(&end->at_y, key), "links", l, "at");
      }
    }
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    const htz_spec_drive* it = &spec->board.drives[d];
    if (it->from == b && has_place(it->quantity)) {
      add(spots, &n, htz_table_at(&it->at, key), (double)NAN, "drives", d, "at");
    }
  }
  return n;
}

static void check_spots(look* l, size_t n, const spot* spots, htz_diags* diags) {
  static const double middle = 0.5;
  for (size_t i = 0; i < n; ++i) {
    spot at = spots[i];
    if (!is_still(l, at.x, at.y)) {
      continue;
    }
    const size_t used = strlen(at.path);
    if (!isnan(at.y) && !is_still(l, at.x, middle) && used + 2 < sizeof at.path) {
      strcpy(at.path + used, "_y"); // it is only the other coordinate that is wrong
    }
    say(l, &at, "the body stands still there; allowed: a place where it moves", diags);
  }
}

/** An ear in the body, or where nothing of it is heard. */
static void check_ear(const look* l, const htz_spec_body* body, const htz_table ear[3], const char* there, size_t item,
                      htz_diags* diags) {
  static const double least = 0.02; // [m]
  const htz_ear at = htz_spec_ear(body, ear, l->key);
  const htz_radiator* r = &l->modes.radiator;
  const bool plate = r->as == HTZ_RADIATES_PLATE || r->as == HTZ_RADIATES_DISC;
  const bool both_ways = r->as == HTZ_RADIATES_LINE || (plate && r->baffle != HTZ_BAFFLE_WALL);
  spot it = {.x = 0.0};
  char text[200];
  snprintf(it.path, sizeof it.path, "pickups.%zu.ear", item);
  if (htz_ear_distance(&l->modes, &at) < least) {
    snprintf(text, sizeof text, "the ear%s is in the body; allowed: at least 0.02 m from it", there);
    say(l, &it, text, diags);
  } else if (both_ways && fabs(at.z) < still_share * HTZ_AIR_SPEED * htz_ear_delay(&at)) {
    snprintf(text, sizeof text,
             "nothing is heard%s in the plane of a body that moves the air before and behind it alike; allowed: off that plane",
             there);
    say(l, &it, text, diags);
  }
}

/** That of a pair wherever the pair can be. */
static void check_ears(const look* l, const htz_spec* spec, const htz_spec_body* body, const htz_table ear[HTZ_EARS][3],
                       bool moves, size_t item, htz_diags* diags) {
  enum { THERE = 32 };
  char there[THERE] = "";
  const size_t first = (size_t)htz_spec_first_ears(spec);
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    if (moves) {
      snprintf(there, sizeof there, " of `ears: %s`", htz_param_words(HTZ_PARAM_EARS)[i]);
    }
    if (moves ? spec->whole->ears_given[i] : i == first) {
      check_ear(l, body, ear[i], there, item, diags);
    }
  }
}

static htz_status check_body(const htz_spec* spec, size_t b, int key, htz_diags* diags) {
  spot spots[SPOTS];
  look l;
  const htz_status st = open_look(&l, spec, &spec->bodies[b], key);
  size_t n = st ? 0 : spots_of(spec, b, key, spots);
  if (!st && b < spec->n_struck && spec->thrown) {
    spots[n++] = (spot){"mallet.at", htz_table_at(&spec->mallet.at, key), htz_table_at(&spec->mallet.at_y, key)};
  }
  if (!st) {
    add_prepared(spec, b, key, spots, &n);
  }
  check_spots(&l, n, spots, diags);
  for (size_t p = 0; p < spec->n_pickups && !st; ++p) {
    const htz_spec_pickup* it = &spec->pickups[p];
    if (it->of == b && it->quantity == HTZ_HEAR_PRESSURE) {
      check_ears(&l, spec, &spec->bodies[b], it->ear, it->moves, it->item, diags);
    }
  }
  htz_arena_free(&l.arena);
  return st == HTZ_NO_MEMORY ? st : HTZ_OK;
}

static htz_status check_board(const htz_spec* spec, htz_diags* diags) {
  look l;
  const htz_status st = open_look(&l, spec, &spec->board.body, spec->key_low);
  for (size_t p = 0; p < spec->board.n_pickups && !st; ++p) {
    const htz_spec_board_pickup* it = &spec->board.pickups[p];
    spot at = {.x = it->at[0], .y = it->at[1]};
    snprintf(at.path, sizeof at.path, "pickups.%zu.at", it->item);
    if (it->quantity == HTZ_HEAR_PRESSURE) {
      check_ears(&l, spec, &spec->board.body, it->ear, it->moves, it->item, diags);
    } else {
      check_spots(&l, it->quantity == HTZ_HEAR_FORCE ? 0 : 1, &at, diags);
    }
  }
  htz_arena_free(&l.arena);
  return st == HTZ_NO_MEMORY ? st : HTZ_OK;
}

htz_status htz_spec_check_still(const htz_spec* spec, htz_diags* diags) {
  htz_status st = spec->board.given && spec->whole == spec ? check_board(spec, diags) : HTZ_OK;
  for (int key = spec->key_low; key <= spec->key_high && !st && diags->n == 0; ++key) {
    const bool there = htz_spec_has_key(spec, key) && htz_bow_has_island(spec, key);
    for (size_t b = 0; b < spec->n_bodies && !st && there; ++b) {
      st = check_body(spec, b, key, diags);
    }
  }
  return st;
}
