#include "ear.h"

#include <math.h>

_Static_assert((int)HTZ_SPEC_ZONES_MAX <= (int)HTZ_RADIATION_POINTS_MAX, "levels are matched for every drive point");

// Above it what the forces on a board add at once is heard the less: with it third octaves up to 2 kHz are nearest to the full sum.
static const double corner_hz = 1000.0;

static double metres(const htz_table* table, double key) {
  return table->n ? htz_table_at(table, key) : 0.0;
}

htz_ear htz_spec_ear(const htz_spec_body* body, const htz_table at[3], double key) {
  double d[3];
  for (size_t i = 0; i < 3; ++i) {
    d[i] = metres(&at[i], key) - metres(&body->place[i], key);
  }
  return body->axis == 0   ? (htz_ear){d[0], d[1], d[2]}
         : body->axis == 1 ? (htz_ear){d[1], -d[0], d[2]}
                           : (htz_ear){d[2], d[0], d[1]};
}

static double travel(const htz_spec* spec, size_t pickup, double key, htz_ears there) {
  const htz_spec_pickup* it = &spec->pickups[pickup];
  const htz_ear ear = htz_spec_ear(&spec->bodies[it->of], it->ear[there], key);
  return htz_ear_delay(&ear);
}

/** Of the ears of `line`, or of all lines when it is HTZ_ISLAND_PICKUPS_MAX, the nearest to a body of `key`; infinite: there is none. */
static double nearest(const htz_spec* spec, uint32_t line, double key, htz_ears there) {
  double first = HUGE_VAL;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const bool asked = line == HTZ_ISLAND_PICKUPS_MAX || htz_build_line_of(spec, p) == line;
    if (asked && spec->pickups[p].quantity == HTZ_HEAR_PRESSURE) {
      first = fmin(first, travel(spec, p, key, there));
    }
  }
  return first;
}

double htz_ears_first(const htz_spec* spec, htz_ears there) {
  double first = HUGE_VAL;
  for (size_t p = 0; p < spec->board.n_pickups; ++p) {
    if (spec->board.pickups[p].quantity == HTZ_HEAR_PRESSURE) {
      const htz_ear ear = htz_spec_ear(&spec->board.body, spec->board.pickups[p].ear[there], spec->key_low);
      first = fmin(first, htz_ear_delay(&ear));
    }
  }
  for (size_t o = 0; o < spec->n_objects && isfinite(first); ++o) {
    for (int key = spec->objects[o]->key_low; key <= spec->objects[o]->key_high; ++key) {
      first = fmin(first, nearest(spec->objects[o], HTZ_ISLAND_PICKUPS_MAX, key, there));
    }
  }
  return first;
}

/** What is taken off the travel times of a key's bodies [s]. */
static double taken_off(const builder* build, double key, htz_ears there) {
  const double all = build->first_heard[there];
  return isfinite(all) ? all : nearest(build->spec, HTZ_ISLAND_PICKUPS_MAX, key, there);
}

double htz_ears_late(const builder* build, uint32_t line, double key, htz_ears there) {
  const double first = nearest(build->spec, line, key, there);
  return isfinite(first) ? first - taken_off(build, key, there) : 0.0;
}

/** Weights at the modes' own frequencies; where they are driven along their line, at `zones` points, of the levels that these have driven. */
static htz_status weigh(const htz_modes* modes, const htz_ear* ear, size_t zones, double* re, double* im) {
  double at[HTZ_SPEC_ZONES_MAX];
  for (size_t z = 0; z < zones; ++z) {
    at[z] = htz_build_zone(z, zones);
  }
  return zones == 0 ? htz_radiation_own(modes, ear, re, im) : htz_radiation_match(modes, ear, zones, at, corner_hz, re, im);
}

/** The weights of an ear with the pair at `there`, turned by what the sound is later than the line. */
static htz_status weigh_there(builder* build, const ear_wish* wish, htz_ears there, double* re, double* im) {
  const htz_ear ear = htz_spec_ear(wish->body, wish->at[there], wish->key);
  const htz_status st = build->in_earnest ? weigh(wish->modes, &ear, wish->zones, re, im) : HTZ_OK;
  const double later = htz_ear_delay(&ear) - taken_off(build, wish->key, there) - wish->late[there];
  for (size_t k = 0; k < wish->modes->n && !st; ++k) {
    const double turn = -wish->modes->omega[k] * later, a = re[k], b = im[k];
    re[k] = a * cos(turn) - b * sin(turn);
    im[k] = a * sin(turn) + b * cos(turn);
  }
  return st;
}

htz_status htz_ears_listen(builder* build, htz_modal* modal, size_t index, const ear_wish* wish, htz_moving_ear* out) {
  const htz_ears first = htz_spec_first_ears(build->spec);
  htz_moving_ear ear = {.of = modal, .pickup = (uint32_t)index};
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    if (i == first || (wish->moves && build->spec->whole->ears_given[i])) {
      double* re = htz_arena_alloc(build->arena, wish->modes->n, sizeof *re);
      double* im = htz_arena_alloc(build->arena, wish->modes->n, sizeof *im);
      const htz_status st = re && im ? weigh_there(build, wish, (htz_ears)i, re, im) : HTZ_NO_MEMORY;
      if (st) {
        return st;
      }
      ear.re[i] = re;
      ear.im[i] = im;
    }
  }
  for (size_t i = 0; i < HTZ_EARS; ++i) {
    ear.re[i] = ear.re[i] ? ear.re[i] : ear.re[first];
    ear.im[i] = ear.im[i] ? ear.im[i] : ear.im[first];
  }
  htz_modal_listen_ear(modal, index, ear.re[first], ear.im[first], wish->gain / HTZ_EAR_FULL_SCALE, corner_hz);
  *out = wish->moves ? ear : (htz_moving_ear){.of = NULL};
  return HTZ_OK;
}
