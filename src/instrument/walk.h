#ifndef HERTZIAN_INSTRUMENT_WALK_H
#define HERTZIAN_INSTRUMENT_WALK_H

#include "hertzian/instrument/spec.h"
#include "tree.h"

/**
   The schema walk: each function checks one node against what may stand there, reports every fault it finds and goes on.

   None stops at the first fault; whether a file is good is told by the number of faults at the end.
*/
typedef struct {
  htz_spec* spec; // bodies in the order of the file until the end of the walk
  htz_diags* diags;
  size_t struck; // index of the body the mallet strikes, or n_bodies when that is not known
  bool settled;  // the bodies' names are known: references to them can be checked
} walk;

/** A key of a map. */
typedef struct {
  const char* name;
  bool required;
} walk_field;

/** Range of a number. */
typedef struct {
  const char* name; // for messages
  const char* unit;
  double minimum, maximum;
} walk_range;

enum { WALK_FIELDS_MAX = HTZ_KIND_SCALARS_MAX + HTZ_KIND_LISTS_MAX + HTZ_KIND_WORDS_MAX + 8 };

void walk_fault(walk* w, const tree_node* node, const char* format, ...) HTZ_PRINTF(3, 4);

/** Memory in the spec. On failure NULL; the loader looks at `memory.failed` at its end. */
void* walk_alloc(walk* w, size_t count, size_t size);

/**
   Distribute a map's values over `fields` (at most WALK_FIELDS_MAX).

   Reports a node that is no map, keys that are unknown or there twice, and required ones that are missing. `where` names the
   map in messages, such as `mallet`.

   @param values [n] the value node of each field, NULL where there is none
   @return false when the node is no map
*/
bool walk_map(walk* w, const tree_node* node, const char* where, size_t n, const walk_field* fields, const tree_node** values);

/** A number within `range`. @return false when it is not. */
bool walk_number(walk* w, const tree_node* node, const walk_range* range, double* value);

/** A whole number within `range`. */
bool walk_whole(walk* w, const tree_node* node, const walk_range* range, long* value);

/** A number, or a table over keys of such numbers. */
bool walk_table(walk* w, const tree_node* node, const walk_range* range, htz_table* table);

/** A table of one value, for defaults. NULL node leaves it. */
void walk_constant(walk* w, double value, const walk_range* range, htz_table* table);

/** A list of `least` to `most` items. */
bool walk_list(walk* w, const tree_node* node, const char* name, size_t least, size_t most);

/** One line of text of 1..`most` bytes; NULL when it is not. */
const char* walk_text(walk* w, const tree_node* node, const char* name, size_t most);

/** true or false. */
bool walk_flag(walk* w, const tree_node* node, const char* name, bool* value);

/** The name of a body. @return its index, or n_bodies */
size_t walk_body_name(walk* w, const tree_node* node, const char* name);

/** One of `names`. @return its index, or n */
size_t walk_word(walk* w, const tree_node* node, const char* name, size_t n, const char* const* names);

/** Write names[0..n) separated by commas. @return `text` */
const char* walk_names(size_t n, const char* const* names, size_t size, char* text);

/** The parts of a file, in the order in which they are read. */
void walk_bodies(walk* w, const tree_node* node);
void walk_mallet(walk* w, const tree_node* node);
void walk_feeds(walk* w, const tree_node* node);
void walk_pickups(walk* w, const tree_node* node);
void walk_damper(walk* w, const tree_node* node);
void walk_programs(walk* w, const tree_node* node);
void walk_defaults(walk* w, const tree_node* node);
void walk_controls(walk* w, const tree_node* node);

#endif
