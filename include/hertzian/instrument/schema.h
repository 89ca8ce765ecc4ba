#ifndef HERTZIAN_INSTRUMENT_SCHEMA_H
#define HERTZIAN_INSTRUMENT_SCHEMA_H

#include "hertzian/instrument/params.h"

#include <stdbool.h>
#include <stddef.h>

/**
   The language of instrument files as a table: each property is one row of src/instrument/schema.def. The loader's checks and messages, the
   reference page and the JSON Schema for editors are made from it. What the kinds of bodies and the contact laws have besides stands in
   their own tables (hertzian/model/kind.h, hertzian/contact/law.h), the numbers of grids in htz_spec_grid_value_desc().

   Everything here is constant; any thread.
*/

/** Where a block stands: a bit each, for masks. */
enum {
  HTZ_IN_MODAL = 1 << 0,        ///< a file of bodies with modes
  HTZ_IN_GRID = 1 << 1,         ///< a file of grids
  HTZ_IN_OBJECTS = 1 << 2,      ///< a file with several objects, beside them
  HTZ_IN_MODAL_OBJECT = 1 << 3, ///< one of several objects, with modes
  HTZ_IN_GRID_OBJECT = 1 << 4,  ///< one of several objects, on grids
  HTZ_IN_SHARED = 1 << 5,       ///< a body that all keys share
  HTZ_IN_ANY = (1 << 6) - 1,
  HTZ_IN_PERFORMANCE = 1 << 6 ///< a file of another kind: who plays what
};

/** What may stand behind a name. */
typedef enum {
  HTZ_FORM_NUMBER = 0,
  HTZ_FORM_WHOLE,       ///< a whole number
  HTZ_FORM_TABLE,       ///< a number, or a table over keys of such numbers
  HTZ_FORM_ENDS,        ///< [at velocity 1, at velocity 127], each as HTZ_FORM_TABLE
  HTZ_FORM_PLACE,       ///< as HTZ_FORM_TABLE; in a file of grids also [x, y] of such, on a surface
  HTZ_FORM_PLACES,      ///< a place for each end that has one: a list, or a place alone
  HTZ_FORM_POINT,       ///< [x, y], numbers
  HTZ_FORM_POINTS,      ///< a list of [x, number]
  HTZ_FORM_METRES,      ///< [x, y, z], each as HTZ_FORM_TABLE
  HTZ_FORM_TWO_METRES,  ///< two of these, of numbers
  HTZ_FORM_FLAG,        ///< true or false
  HTZ_FORM_WORD,        ///< one of its words
  HTZ_FORM_TEXT,        ///< one line, at most `most` bytes
  HTZ_FORM_NAME,        ///< of a body or of what else a key has
  HTZ_FORM_NAMES,       ///< such a name, or a list of them
  HTZ_FORM_PAIR,        ///< two such names
  HTZ_FORM_KEYS,        ///< a list of keys
  HTZ_FORM_KEY_RANGE,   ///< [lowest key, highest key]
  HTZ_FORM_KEYS_OF,     ///< a key, [lowest, highest], or {list: [...]}
  HTZ_FORM_ITEMS,       ///< a number or a list of them
  HTZ_FORM_TABLES,      ///< as HTZ_FORM_TABLE, or a list of such
  HTZ_FORM_NUMBERS,     ///< a list of whole numbers
  HTZ_FORM_MAP,         ///< a block
  HTZ_FORM_LIST,        ///< a list of blocks
  HTZ_FORM_ONE_OR_LIST, ///< a block or a list of them
  HTZ_FORM_BODIES,      ///< a map from names to bodies
  HTZ_FORM_THINGS,      ///< a map from names to what is fixed to bodies or lies on them
  HTZ_FORM_PARAMS,      ///< a map from names of parameters to values
  HTZ_FORM_CONTROLS,    ///< a map from names of parameters to blocks
  HTZ_FORM_SOURCES,     ///< controllers: a number, a word, or a list of them
  HTZ_FORM_TRAVEL,      ///< two values of a parameter
  HTZ_FORMS
} htz_form;

/** Range of a number. */
typedef struct {
  const char* name; ///< for messages
  const char* unit;
  double minimum, maximum; ///< both allowed [unit]
} htz_range;

/** A property. */
typedef struct {
  htz_range range; ///< its name; of numbers also unit and range
  htz_form form;
  unsigned where;                 ///< contexts in which it may stand
  unsigned need;                  ///< contexts in which it must
  unsigned told;                  ///< contexts in which it may not, for a reason the loader tells
  unsigned one_of;                ///< contexts in which one at least of the block's rows with this bit must stand
  unsigned only;                  ///< bit i: with choice i of the block's row that `chooses`; 0: with every one
  unsigned must;                  ///< bit i: with choice i it must stand, where the loader tells
  bool chooses;                   ///< what else the block may say goes by its word
  double initial;                 ///< default, of a word its number; NaN: none, or what the doc says
  htz_param_index starts;         ///< the parameter that starts from it and has its range; 0: none
  bool of_law;                    ///< its range is that of the contact law's parameter of this name
  size_t least, most;             ///< items of a list or of a map from names, bytes of a text
  const char* const* words;       ///< closed by NULL: choices, or words that may stand in place of a number
  const char* (*word_at)(size_t); ///< the same, from a registry; NULL past the end
  unsigned block, or_block;       ///< of its maps, an htz_block_id, or another; both the same where there is one
  const char* doc;                ///< what it is, one line
} htz_row;

/** A map with fixed names. */
typedef struct {
  const char* id;    ///< one word
  const char* title; ///< of its part of the reference
  const char* doc;
  size_t first, n; ///< its rows are htz_schema[first .. first + n)
} htz_block;

#define HTZ_BLOCK(id, word, title, doc) HTZ_BLOCK_##id,
#define HTZ_ROW(block, id, name, where, what, doc)
#define HTZ_END(id)
/** The blocks, by number. */
typedef enum {
#include "hertzian/instrument/schema.def"
  HTZ_SCHEMA_BLOCKS
} htz_block_id;
#undef HTZ_BLOCK
#undef HTZ_ROW
#undef HTZ_END

#define HTZ_BLOCK(id, word, title, doc) HTZ_FIRST_##id, HTZ_BEFORE_##id = HTZ_FIRST_##id - 1,
#define HTZ_ROW(block, id, name, where, what, doc) HTZ_ROW_##block##_##id,
#define HTZ_END(id) HTZ_END_##id, HTZ_AFTER_##id = HTZ_END_##id - 1,
/** The rows, by number. */
typedef enum {
  HTZ_ROW_NONE = 0,
#include "hertzian/instrument/schema.def"
  HTZ_SCHEMA_ROWS
} htz_row_id;
#undef HTZ_BLOCK
#undef HTZ_ROW
#undef HTZ_END

extern const htz_row htz_schema[HTZ_SCHEMA_ROWS];            ///< by htz_row_id
extern const htz_block htz_schema_blocks[HTZ_SCHEMA_BLOCKS]; ///< by htz_block_id

/** Name, unit and range of a row; of one that a parameter starts from the parameter's. Not of rows that follow a law. */
htz_range htz_row_range(const htz_row* row);

/** Word number `index` of a row; NULL past the end. */
const char* htz_row_word(const htz_row* row, size_t index);

/** True when `row` may stand in a block in `context`, with word `choice` of the row that chooses (HTZ_ANY_CHOICE: whatever that is). */
bool htz_row_in(const htz_row* row, unsigned context, size_t choice);
enum { HTZ_ANY_CHOICE = 32 };

#endif
