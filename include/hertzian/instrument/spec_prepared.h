#ifndef HERTZIAN_INSTRUMENT_SPEC_PREPARED_H
#define HERTZIAN_INSTRUMENT_SPEC_PREPARED_H

#include "hertzian/contact/prepared.h"
#include "hertzian/instrument/spec.h"

/** What `preparations:` fixes to the bodies of a key, or lays on them (hertzian/contact/prepared.h). */

typedef struct {
  htz_table mass, gap, at;
  htz_table at_y; ///< not given: `at` is along the line
  htz_table spring, damping, gravity;
  htz_table stiffness, exponent, viscosity; ///< of its contact
} htz_spec_loose;

typedef struct {
  htz_table mass, at;
  bool outer;
} htz_spec_screw;

typedef struct {
  htz_table damping, stiffness, at;
  bool between;
} htz_spec_rubber;

/** One thing, by the name it has in the file: its kind, or that and a number. */
typedef struct {
  const char* name;
  htz_prepared_kind kind;
  size_t on;                              ///< index of a body; a key has it on all that stand for it
  htz_moved_by control[HTZ_THING_FIELDS]; ///< what moves it
  uint64_t keys[2];                       ///< those that have it: bit key % 64 of [key / 64]
  union {
    htz_spec_loose loose;
    htz_spec_screw screw;
    htz_spec_rubber rubber;
  } as;
} htz_spec_thing;

enum { HTZ_SPEC_PREPARED_MAX = HTZ_THINGS_MAX }; ///< things of a file

struct htz_spec_prepared {
  size_t n;
  htz_spec_thing things[HTZ_SPEC_PREPARED_MAX];
};

static inline bool htz_spec_thing_at(const htz_spec_thing* thing, int key) {
  return thing->keys[key / 64] >> (key % 64) & 1u;
}

/** Where it is: fractions of the length, and across a surface (NaN: along its line). */
double htz_spec_thing_place(const htz_spec_thing* thing, int key, double* across);

/** What a field of a thing of that kind is called and ranges over; HTZ_PARAM_COUNT where it has no such field. */
htz_param_index htz_spec_thing_param(htz_prepared_kind kind, htz_thing_field field);

/** True when moving that field of it changes anything. */
bool htz_spec_thing_moves(const htz_spec* object, size_t thing, htz_thing_field field);

/** What it is at the middle key of those that have the thing, as the file says; a factor is 1. */
double htz_spec_thing_initial(const htz_spec* object, size_t thing, htz_thing_field field);

/** True when the file has something of that kind. */
bool htz_spec_has_prepared(const htz_spec* spec, htz_prepared_kind kind);

/** What of it key `key` has on body `body` of the file, appended to `out` for so many bodies of the island from `first` on. @return how many */
size_t htz_spec_prepared_at(const htz_spec* spec, int key, size_t body, uint32_t first, uint32_t n_bodies, uint32_t point,
                            htz_prepared_desc* out);

/** The bodies are sorted: what was number b is place[b] now. */
void htz_spec_prepared_reorder(htz_spec* spec, const size_t* place);

/** How many things key `key` has on that body: each needs a point there. */
size_t htz_spec_prepared_count(const htz_spec* spec, int key, size_t body);

#endif
