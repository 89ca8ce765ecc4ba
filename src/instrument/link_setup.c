#include "hertzian/instrument/spec_link.h"

#include <math.h>
#include <string.h>

// Places of links; of a contact along a string there are many.

// A string bends no more sharply than its highest mode lets it: three places to the half wave of that (docs/numerics.md).
static const double places_per_half_wave = 3.0;

static const double rounding = 1e-9; // of a count

enum { PLACES_LEAST = 4 };

static const htz_spec_body* body_of(const htz_spec* spec, const htz_spec_link* link, size_t e) {
  return link->end[e].whose == HTZ_SPEC_END_OWN ? &spec->bodies[link->end[e].body] : NULL;
}

/** The first of the two that is a string; the other one is as long or the ground. */
static const htz_spec_body* string_of(const htz_spec* spec, const htz_spec_link* link) {
  const htz_spec_body* first = body_of(spec, link, 0);
  return first ? first : body_of(spec, link, 1);
}

static double length_of(const htz_spec_body* body, double key) {
  for (size_t i = 0; body && i < body->kind->n_scalars; ++i) {
    if (strcmp(body->kind->scalars[i].name, "length") == 0) {
      return htz_table_at(&body->scalars[i], key);
    }
  }
  return 1.0;
}

/** First fret of those within the stretch, and how many are. */
static size_t frets_within(const htz_spec_link* link, double key, size_t* first) {
  const double from = htz_table_at(&link->from, key), to = htz_table_at(&link->to, key);
  const size_t all = htz_spec_barrier_frets(&link->barrier, key);
  size_t n = 0;
  *first = 1;
  for (size_t f = 1; f <= all; ++f) {
    const double x = htz_spec_fret(f);
    *first += x < from;
    n += x >= from && x <= to;
  }
  return n;
}

size_t htz_spec_link_points(const htz_spec* spec, const htz_spec_link* link, double key) {
  size_t first;
  if (!link->along || link->points) {
    return link->along ? link->points : 1;
  }
  if (link->barrier.frets.n) {
    return frets_within(link, key, &first);
  }
  const double share = htz_table_at(&link->to, key) - htz_table_at(&link->from, key);
  size_t modes = 0;
  for (size_t e = 0; e < 2; ++e) {
    const htz_spec_body* body = body_of(spec, link, e);
    modes = body && body->most_modes > modes ? body->most_modes : modes;
  }
  const double n = ceil(places_per_half_wave * share * (double)modes - rounding);
  return n < PLACES_LEAST ? PLACES_LEAST : n > HTZ_STRETCH_POINTS_MAX ? HTZ_STRETCH_POINTS_MAX : (size_t)n;
}

double htz_spec_link_place(const htz_spec* spec, const htz_spec_link* link, double key, size_t e, size_t i, double* share) {
  size_t first;
  if (!link->along) {
    return htz_table_at(&link->end[e].at, key);
  }
  if (link->barrier.frets.n) {
    frets_within(link, key, &first);
    return htz_spec_fret(first + i);
  }
  const double from = htz_table_at(&link->from, key), to = htz_table_at(&link->to, key);
  const double each = (to - from) / (double)htz_spec_link_points(spec, link, key);
  if (share) {
    *share = each * length_of(string_of(spec, link), key);
  }
  return from + ((double)i + 0.5) * each;
}

double htz_spec_link_gap(const htz_spec* spec, const htz_spec_link* link, double key, size_t i) {
  const double gap = link->gap.n ? htz_table_at(&link->gap, key) : 0.0;
  if (!link->along) {
    return gap;
  }
  const double x = htz_spec_link_place(spec, link, key, 0, i, NULL);
  return gap + htz_spec_barrier_gap(&link->barrier, key, length_of(string_of(spec, link), key), x);
}
