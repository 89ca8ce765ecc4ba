#ifndef HERTZIAN_INSTRUMENT_WALK_PREPARED_H
#define HERTZIAN_INSTRUMENT_WALK_PREPARED_H

#include "walk.h"

/** What is fixed to the struck body or lies loose on it; after the mallet, before the bodies are sorted. */
void htz_walk_preparations(walk* w, const tree_node* node);

/** Faults between that and the rest of the file. */
void htz_walk_check_preparations(walk* w, const tree_node* node);

/** Parameters that the file's tables give show what they give in the middle of the range. */
void htz_walk_derive_preparations(htz_spec* spec);

#endif
