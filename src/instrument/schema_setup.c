#include "hertzian/instrument/schema.h"

#include "hertzian/instrument/performance_file.h"
#include "hertzian/instrument/spec_grid.h"
#include "hertzian/instrument/spec_link.h"
#include "hertzian/instrument/spec_prepared.h"
#include "walk.h"

#include <math.h>
#include <string.h>

#define NONE (double)NAN

// Contexts.

#define MODAL (HTZ_IN_MODAL | HTZ_IN_MODAL_OBJECT)
#define GRID (HTZ_IN_GRID | HTZ_IN_GRID_OBJECT)
#define SHARED HTZ_IN_SHARED
#define ANY HTZ_IN_ANY
#define STAGE HTZ_IN_PERFORMANCE
#define WHOLE (HTZ_IN_MODAL | HTZ_IN_GRID | HTZ_IN_OBJECTS) // a whole file
#define MEMBER (HTZ_IN_MODAL_OBJECT | HTZ_IN_GRID_OBJECT)   // one of its objects
#define MIX(where_, need_, told_) .where = (where_), .need = (need_), .told = (told_)
#define MUST MIX(ANY, ANY, 0)
#define MAY MIX(ANY, 0, 0)
#define MUST_IN(mask) MIX(mask, mask, 0)
#define MAY_IN(mask) MIX(mask, 0, 0)
#define ALONE_MUST MIX(WHOLE, WHOLE, MEMBER) // what belongs to the whole file
#define ALONE_MAY MIX(WHOLE, 0, MEMBER)

// Forms.

#define RANGE(unit_, low, high) .range.unit = (unit_), .range.minimum = (low), .range.maximum = (high)
#define VALUE(form_, unit, low, high, first) .form = HTZ_FORM_##form_, RANGE(unit, low, high), .initial = (first)
#define NUMBER(unit, low, high, first) VALUE(NUMBER, unit, low, high, first)
#define WHOLE_OF(unit, low, high, first) VALUE(WHOLE, unit, low, high, first)
#define TABLE(unit, low, high, first) VALUE(TABLE, unit, low, high, first)
#define PLACE(unit, low, high, first) VALUE(PLACE, unit, low, high, first)
#define PLACES(unit, low, high, first) VALUE(PLACES, unit, low, high, first), .least = 1, .most = 2
#define ENDS(unit, low, high) VALUE(ENDS, unit, low, high, NONE), .least = 2, .most = 2
#define POINT(unit, low, high) VALUE(POINT, unit, low, high, NONE), .least = 2, .most = 2
#define METRES(unit, low, high) VALUE(METRES, unit, low, high, NONE), .least = 3, .most = 3
#define TWO_METRES(unit, low, high) VALUE(TWO_METRES, unit, low, high, NONE), .least = 2, .most = 2
#define POINTS_OF(unit, low, high, few, many) VALUE(POINTS, unit, low, high, NONE), .least = (few), .most = (many)
#define NUMBERS(low, high, few, many) VALUE(NUMBERS, "", low, high, NONE), .least = (few), .most = (many)
#define STARTS(param) .form = HTZ_FORM_NUMBER, .starts = (param), .initial = NONE
#define OF_LAW .form = HTZ_FORM_TABLE, .of_law = true, .initial = NONE
#define FLAG .form = HTZ_FORM_FLAG, .words = flag_words, .initial = 0.0
#define WORD(list, first) .form = HTZ_FORM_WORD, .words = (list), .initial = (first)
#define WORD_OR_TWO(list, first) .form = HTZ_FORM_WORD, .words = (list), .initial = (first), .least = 1, .most = 2
#define WORDS_OF(at, first) .form = HTZ_FORM_WORD, .word_at = (at), .initial = (first)
#define OR_LAW(...) __VA_ARGS__, .of_law = true
#define OR(list, ...) __VA_ARGS__, .words = (list)
#define TEXT(bytes) .form = HTZ_FORM_TEXT, .least = 1, .most = (bytes), .initial = NONE
#define LISTED(form_, few, many) .form = HTZ_FORM_##form_, .least = (few), .most = (many), .initial = NONE
#define OF_BLOCKS(form_, id, other, few, many)                                                                                 \
  .form = HTZ_FORM_##form_, .block = HTZ_BLOCK_##id, .or_block = HTZ_BLOCK_##other, .least = (few), .most = (many),            \
  .initial = NONE
#define MAP_OF(id) OF_BLOCKS(MAP, id, id, 1, 1)
#define LIST_OF(id, few, many) OF_BLOCKS(LIST, id, id, few, many)
#define LIST_OF_EITHER(id, other, few, many) OF_BLOCKS(LIST, id, other, few, many)
#define ONE_OR_LIST(id, few, many) OF_BLOCKS(ONE_OR_LIST, id, id, few, many)
#define BODIES(id, many) OF_BLOCKS(BODIES, id, id, 1, many)
#define THINGS(id, many) OF_BLOCKS(THINGS, id, id, 0, many)
#define CONTROLS_OF(id) OF_BLOCKS(CONTROLS, id, id, 0, 0)
#define SOURCES(list, low, high, many) VALUE(SOURCES, "", low, high, NONE), .words = (list), .least = 1, .most = (many)
#define ONE_OF(mask, ...) __VA_ARGS__, .one_of = (mask)
#define CHOOSE(...) __VA_ARGS__, .chooses = true

// Choices.

#define BIT(i) (1u << (i))
#define ONLY(mask, ...) __VA_ARGS__, .only = (mask)
#define MUST_WITH(mask, ...) __VA_ARGS__, .must = (mask)
#define OF_SPRING BIT(HTZ_SPEC_LINK_SPRING)
#define OF_DAMPER BIT(HTZ_SPEC_LINK_DAMPER)
#define OF_CONTACT BIT(HTZ_SPEC_LINK_CONTACT)
#define RATTLE BIT(HTZ_PREPARED_RATTLE)
#define BRIDGE BIT(HTZ_PREPARED_BRIDGE)
#define LOOSE (RATTLE | BRIDGE)
#define SCREW BIT(HTZ_PREPARED_SCREW)
#define RUBBER BIT(HTZ_PREPARED_RUBBER)
#define COLLISION BIT(HTZ_GRID_COLLISION)
#define NO_SPRING (COLLISION | BIT(HTZ_GRID_CONNECTION))
#define SPRING BIT(HTZ_GRID_SPRING)
#define LINE (BIT(HTZ_GRID_STRING) | BIT(HTZ_GRID_BAR))
#define SURFACE (BIT(HTZ_GRID_PLATE) | BIT(HTZ_GRID_MEMBRANE))
#define SOLID (LINE | BIT(HTZ_GRID_PLATE))
#define MASS BIT(HTZ_GRID_MASS)
#define ALL_BUT_BARRIER (LINE | SURFACE | MASS)

enum {
  NAME_BYTES = WALK_NAME_BYTES,
  PICKUPS_MOST = HTZ_ISLAND_PICKUPS_MAX + (1 + HTZ_SPEC_SHARED_MAX) * HTZ_SPEC_BOARD_PICKUPS_MAX
};

static const char* const flag_words[] = {"false", "true", NULL};
static const char* const families[] = {"modal", "grid", NULL};
static const char* const family_modal[] = {"modal", NULL};
static const char* const pitches[] = {"key", "own", "stretched", NULL};
static const char* const by_keys[] = {"keys", NULL};
static const char* const axes[] = {"x", "y", "z", NULL};
static const char* const ear_words[] = {"both", NULL};
static const char* const blow_times[] = {"press", "release", NULL};
static const char* const control_words[] = {"pressure", NULL};
static const char* const quantities[] = {"displacement", "velocity", "acceleration", "force", NULL};
static const char* const heard[] = {"displacement", "velocity", "acceleration", "force", "reaction", NULL};
static const char* const grid_ends[] = {"supported", "clamped", "free", NULL};
static const char* const grid_edges[] = {"supported", "clamped", NULL};
static const char* const grid_laws[] = {"hunt-crossley", "stulov", NULL};
static const char* const grid_forces[] = {"collision", "connection", "spring", NULL};
static const char* const grid_methods[] = {"newton", "plain", "cases", "release", NULL};
static const char* const grid_roles[] = {"none", "loose-bridge", "thread", "rattle", "screw", "rubber", NULL};
static const char* const friction_laws[] = {"static", "bristles", NULL};
static const char* const screw_strings[] = {"all", "outer", NULL};
static const char* const rubber_ends[] = {"ground", "neighbours", NULL};
static const char* const thing_kinds[] = {[HTZ_PREPARED_RATTLE] = "rattle",
                                          [HTZ_PREPARED_BRIDGE] = "bridge",
                                          [HTZ_PREPARED_SCREW] = "screw",
                                          [HTZ_PREPARED_RUBBER] = "rubber",
                                          [HTZ_PREPARED_KINDS] = NULL};
static const char* const link_types[] = {"spring", "damper", "rigid", "contact", NULL};
static const char* const link_sides[] = {"behind", "front", NULL};

_Static_assert(HTZ_HEAR_DISPLACEMENT == 0 && HTZ_HEAR_VELOCITY == 1 && HTZ_HEAR_ACCELERATION == 2 && HTZ_HEAR_FORCE == 3 &&
                   HTZ_HEAR_REACTION == 4,
               "order of the words above");
_Static_assert(HTZ_GRID_SUPPORTED == 0 && HTZ_GRID_CLAMPED == 1 && HTZ_GRID_FREE == 2, "likewise");
_Static_assert(HTZ_GRID_COLLISION == 0 && HTZ_GRID_CONNECTION == 1 && HTZ_GRID_SPRING == 2, "likewise");
_Static_assert(HTZ_GRID_NEWTON == 0 && HTZ_GRID_PLAIN == 1 && HTZ_GRID_CASES == 2 && HTZ_GRID_RELEASE == 3, "likewise");
_Static_assert(sizeof grid_roles / sizeof grid_roles[0] == HTZ_ROLES + 1, "likewise");
_Static_assert(HTZ_SPEC_LINK_SPRING == 0 && HTZ_SPEC_LINK_DAMPER == 1 && HTZ_SPEC_LINK_RIGID == 2 && HTZ_SPEC_LINK_CONTACT == 3,
               "likewise");
_Static_assert(HTZ_FRICTION_STATIC == 0 && HTZ_FRICTION_BRISTLES == 1, "likewise");

static const char* body_kind(size_t index) {
  const htz_body_kind* kind = htz_body_kind_at(index);
  return kind ? kind->name : NULL;
}

/** Kinds of grids, in their order, but for bodies with modes, which go by `family`. */
static const char* grid_kind(size_t index) {
  const size_t kind = index < HTZ_GRID_MODES ? index : index + 1;
  return kind < HTZ_GRID_KINDS ? htz_spec_grid_kind_name((htz_spec_grid_kind)kind) : NULL;
}

_Static_assert(HTZ_GRID_MODES == HTZ_GRID_BARRIER - 1, "only a barrier has another number among the words");

#define HTZ_BLOCK(id, word, title, doc)
#define HTZ_ROW(block_, id, name_, where_, what, doc_)                                                                         \
  [HTZ_ROW_##block_##_##id] = {.range.name = (name_), where_, what, .doc = (doc_)},
#define HTZ_END(id)
const htz_row htz_schema[HTZ_SCHEMA_ROWS] = {
#include "hertzian/instrument/schema.def"
};
#undef HTZ_BLOCK
#undef HTZ_ROW
#undef HTZ_END

#define HTZ_BLOCK(id, word, title, doc) [HTZ_BLOCK_##id] = {word, title, doc, HTZ_FIRST_##id, HTZ_END_##id - HTZ_FIRST_##id},
#define HTZ_ROW(block, id, name, where, what, doc)
#define HTZ_END(id)
const htz_block htz_schema_blocks[HTZ_SCHEMA_BLOCKS] = {
#include "hertzian/instrument/schema.def"
};

htz_range htz_row_range(const htz_row* row) {
  htz_range range = row->range;
  if (row->starts) {
    const htz_param_desc* desc = &htz_instrument_params[row->starts];
    range = (htz_range){row->range.name, desc->unit, desc->minimum, desc->maximum};
  }
  return range;
}

const char* htz_row_word(const htz_row* row, size_t index) {
  if (row->word_at) {
    return row->word_at(index);
  }
  for (size_t i = 0; row->words && row->words[i]; ++i) {
    if (i == index) {
      return row->words[i];
    }
  }
  return NULL;
}

bool htz_row_in(const htz_row* row, unsigned context, size_t choice) {
  return (row->where & context) && (!row->only || choice >= HTZ_ANY_CHOICE || (row->only >> choice & 1u));
}
