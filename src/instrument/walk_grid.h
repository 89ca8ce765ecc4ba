#ifndef HERTZIAN_INSTRUMENT_WALK_GRID_H
#define HERTZIAN_INSTRUMENT_WALK_GRID_H

#include "hertzian/instrument/spec_grid.h"
#include "walk.h"

/** The parts of a file of the grid family, as those of walk.h; w->spec->grid is there. */
void htz_walk_grid_bodies(walk* w, const tree_node* node);
void htz_walk_grid_contacts(walk* w, const tree_node* node);
void htz_walk_grid_pickups(walk* w, const tree_node* node);
void htz_walk_grid_resonators(walk* w, const tree_node* node);
void htz_walk_grid_feeds(walk* w, const tree_node* node);
void htz_walk_grid_drives(walk* w, const tree_node* node);

/** Faults of resonators and the shared body that only the whole file shows: not driven, not heard. NULL: not there. */
void htz_walk_grid_check_driven(walk* w, const tree_node* resonators, const tree_node* shared);

/** Numbers of a mallet, before any is given: a file may have none. */
void htz_walk_grid_nothing(walk* w);

/** What a key does, each in the file or not. */
void htz_walk_grid_mallet(walk* w, const tree_node* node);
void htz_walk_grid_throw(walk* w, const tree_node* node);
void htz_walk_grid_kick(walk* w, const tree_node* node);
void htz_walk_grid_pluck(walk* w, const tree_node* node);
void htz_walk_grid_bow(walk* w, const tree_node* node);

/** A body of the file. @return its index, or n_bodies */
size_t htz_walk_grid_body_name(walk* w, const tree_node* node, const char* name);

/** Coordinates that places on a body have: 0, 1 or 2. */
size_t htz_walk_grid_places(const htz_spec_grid_body* body);

/** A place on body `index`: a number, or [x, y] on a surface. */
void htz_walk_grid_place(walk* w, const tree_node* node, size_t index, htz_table at[2]);

/** Report that body `index` is none of the kinds in `mask` (1 << kind). @return false then */
bool htz_walk_grid_kind(walk* w, const tree_node* node, const char* name, size_t index, unsigned mask);

/** Report what a body with modes says of its place in a room, which grids have no use for. */
void htz_walk_grid_no_room(walk* w, const tree_node* node);

/** The whole file. */
void htz_walk_grid_file(walk* w, const tree_node* root);

#endif
