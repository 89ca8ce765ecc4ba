#ifndef HERTZIAN_INSTRUMENT_BUILD_GRID_H
#define HERTZIAN_INSTRUMENT_BUILD_GRID_H

#include "build.h"

#include "hertzian/contact/grid_network.h"
#include "hertzian/instrument/spec_grid.h"

/** One key of the grid family while it is being built. */
typedef struct {
  const htz_spec* spec;
  double key, rate_hz;
  const htz_kernels* kernels;
  htz_arena* arena;
  const char *which, *why;    // on failure: the body at fault, and what is wrong with it
  char where[HTZ_SPEC_WHERE]; // what else in the file is at fault, or empty
  size_t n;                   // bodies: those of the file, then a mallet or hand
  htz_grid* grids[HTZ_GRID_BODIES_MAX];
  size_t points[HTZ_GRID_BODIES_MAX];    // that each body needs
  size_t intervals[HTZ_GRID_BODIES_MAX]; // of a string, exactly; 0: as the limit gives
} grid_plan;

/** Descriptions while they are put together. */
typedef struct {
  grid_plan plan;
  size_t next[HTZ_GRID_BODIES_MAX]; // point of each body to be given away next
  size_t n_contacts, n_stretches;
  htz_grid_contact_desc contacts[HTZ_GRID_CONTACTS_MAX];
  htz_grid_stretch_desc stretches[HTZ_GRID_STRETCHES_MAX];
  htz_grid_bow_desc bows[HTZ_BOWS_MAX];
  uint32_t heard[HTZ_GRID_RESONATORS_MAX]; // pickups of each resonator given away
  htz_grid_island_desc island;
} assembly;

/** Bodies and network of one key at one sample rate. */
htz_status htz_grid_assemble(assembly* a, const htz_spec* spec, double key, double rate_hz, const htz_kernels* kernels,
                             htz_arena* arena);

/** Value at `key`, or `other` where the file gives none. */
static inline double htz_grid_table_or(const htz_table* table, double key, double other) {
  return table->n ? htz_table_at(table, key) : other;
}

/** The next point of body `b`, at (x, y). */
static inline uint32_t htz_grid_take_point(assembly* a, size_t b, double x, double y) {
  const size_t p = a->next[b]++;
  htz_grid_place(a->plan.grids[b], p, x, y);
  return (uint32_t)p;
}

/** What the file's gestures need: mallets, hands and their contacts, the bow. */
htz_status htz_grid_add_gestures(assembly* a);

/** Resonators; then what lines and resonators hear. */
htz_status htz_grid_build_resonators(assembly* a);
void htz_grid_add_hears(assembly* a);

/** Whatever stands at a place can move it, or be moved there: HTZ_BAD_VALUE when a body is held at one. */
htz_status htz_grid_check_places(assembly* a);

/** Note what the plan failed for. */
void htz_grid_blame(const grid_plan* plan, builder* build);

/** Make body `b` of the file into grids[b]. */
htz_status htz_grid_build_body(grid_plan* plan, size_t b);

/** EI of a string of the file at the plan's key [N m^2]. */
double htz_grid_string_stiffness(const grid_plan* plan, size_t b);

/** Mass of a kind `mass` of the file. */
htz_grid_mass_desc htz_grid_mass_at(const grid_plan* plan, size_t b);

/** Island of one key, as htz_build_island(). Set-up thread. */
htz_status htz_grid_build_island(builder* build, double key, htz_island** out);

#endif
