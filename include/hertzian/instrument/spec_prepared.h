#ifndef HERTZIAN_INSTRUMENT_SPEC_PREPARED_H
#define HERTZIAN_INSTRUMENT_SPEC_PREPARED_H

#include "hertzian/contact/prepared.h"
#include "hertzian/instrument/spec.h"

/** What `preparations:` fixes to the bodies that the mallet strikes, or lays on them (hertzian/contact/prepared.h). */

/** Keys that have it: bit key % 64 of [key / 64]. */
typedef struct {
  bool given;
  uint64_t keys[2];
} htz_spec_prepared_keys;

static inline bool htz_spec_prepared_has(const htz_spec_prepared_keys* has, int key) {
  return has->given && (has->keys[key / 64] >> (key % 64) & 1u);
}

typedef struct {
  htz_spec_prepared_keys has;
  htz_table mass, gap, at;
  htz_table at_y; ///< not given: `at` is along the line
  htz_table spring, damping, gravity;
  htz_table stiffness, exponent, viscosity; ///< of its contact
} htz_spec_loose;

typedef struct {
  htz_spec_prepared_keys has;
  htz_table mass, at;
  bool outer;
} htz_spec_screw;

typedef struct {
  htz_spec_prepared_keys has;
  htz_table damping, stiffness, at;
  bool between;
} htz_spec_rubber;

struct htz_spec_prepared {
  htz_spec_loose loose[HTZ_LOOSE_MAX];
  htz_spec_screw screw;
  htz_spec_rubber rubber;
};

/** What of it key `key` has. @return false when it has nothing */
bool htz_spec_prepared_at(const htz_spec_prepared* spec, int key, htz_prepared_desc* out);

#endif
