#include "schema_json_private.h"

#include "hertzian/instrument/spec.h"

// What may stand behind a name, as JSON Schema says it.

static const char* const number_of_key = "^([0-9]|[1-9][0-9]|1[01][0-9]|12[0-7])$";
static const char* const name_of_body = "^[A-Za-z0-9_-]{1,32}$";

enum { PATTERN_BYTES = 64 };

/** Context of what stands within a block: only the top of a file knows whether it is one object of several. */
static unsigned within(unsigned context) {
  return context == HTZ_IN_MODAL_OBJECT || context == HTZ_IN_OBJECTS ? HTZ_IN_MODAL
         : context == HTZ_IN_GRID_OBJECT                             ? HTZ_IN_GRID
                                                                     : context;
}

static void type(htz_schema_writer* w, const char* name) {
  htz_json_text(&w->tree, "type", name);
}

/** Members of a number. */
static void limits(htz_schema_writer* w, const htz_range* range, bool whole) {
  type(w, whole ? "integer" : "number");
  htz_json_value(&w->tree, "minimum", range->minimum);
  htz_json_value(&w->tree, "maximum", range->maximum);
}

static void number(htz_schema_writer* w, const char* key, const htz_range* range) {
  htz_json_open(&w->tree, key, '{', true);
  limits(w, range, false);
  htz_json_close(&w->tree, '}');
}

/** Alternatives of a number: itself, and where keys may differ a table over them. */
static void table_items(htz_schema_writer* w, const htz_range* range, unsigned context) {
  number(w, NULL, range);
  if (context == HTZ_IN_SHARED) {
    return;
  }
  htz_json_open(&w->tree, NULL, '{', true);
  type(w, "object");
  htz_json_value(&w->tree, "minProperties", 1.0);
  htz_json_open(&w->tree, "propertyNames", '{', true);
  htz_json_text(&w->tree, "pattern", number_of_key);
  htz_json_close(&w->tree, '}');
  number(w, "additionalProperties", range);
  htz_json_close(&w->tree, '}');
}

/** One of alternatives that follow, until either_end(). */
static void either(htz_schema_writer* w, const char* key) {
  htz_json_open(&w->tree, key, '{', key == NULL);
  htz_json_open(&w->tree, "anyOf", '[', key == NULL);
}

static void either_end(htz_schema_writer* w) {
  htz_json_close(&w->tree, ']');
  htz_json_close(&w->tree, '}');
}

static void table(htz_schema_writer* w, const char* key, const htz_range* range, unsigned context) {
  either(w, key);
  table_items(w, range, context);
  either_end(w);
}

static void counts(htz_schema_writer* w, size_t least, size_t most) {
  if (least > 0) {
    htz_json_value(&w->tree, "minItems", (double)least);
  }
  if (most > 0) {
    htz_json_value(&w->tree, "maxItems", (double)most);
  }
}

/** A list of tables. */
static void tables(htz_schema_writer* w, const htz_range* range, size_t n, unsigned context) {
  htz_json_open(&w->tree, NULL, '{', true);
  type(w, "array");
  counts(w, n, n);
  table(w, "items", range, context);
  htz_json_close(&w->tree, '}');
}

static void choices(htz_schema_writer* w, const htz_row* row) {
  htz_json_open(&w->tree, "enum", '[', true);
  for (size_t i = 0; htz_row_word(row, i); ++i) {
    htz_json_text(&w->tree, NULL, htz_row_word(row, i));
  }
  htz_json_close(&w->tree, ']');
}

static void enumerate(htz_schema_writer* w, const char* key, const htz_row* row) {
  htz_json_open(&w->tree, key, '{', true);
  choices(w, row);
  htz_json_close(&w->tree, '}');
}

/** One word, or also one each. */
static void words(htz_schema_writer* w, const htz_row* row) {
  if (row->most < 2) {
    choices(w, row);
    return;
  }
  htz_json_open(&w->tree, "anyOf", '[', false);
  enumerate(w, NULL, row);
  htz_json_open(&w->tree, NULL, '{', true);
  type(w, "array");
  counts(w, row->most, row->most);
  enumerate(w, "items", row);
  htz_json_close(&w->tree, '}');
  htz_json_close(&w->tree, ']');
}

/** Text: what looks like a number is text as well. */
static void text_members(htz_schema_writer* w, size_t most) {
  htz_json_open(&w->tree, "type", '[', true);
  htz_json_text(&w->tree, NULL, "string");
  htz_json_text(&w->tree, NULL, "number");
  htz_json_close(&w->tree, ']');
  htz_json_value(&w->tree, "minLength", 1.0);
  if (most > 0) {
    htz_json_value(&w->tree, "maxLength", (double)most);
  }
}

static void text(htz_schema_writer* w, const char* key, size_t most) {
  htz_json_open(&w->tree, key, '{', true);
  text_members(w, most);
  htz_json_close(&w->tree, '}');
}

static void begin_list(htz_schema_writer* w, const char* key, const htz_row* row) {
  htz_json_open(&w->tree, key, '{', true);
  type(w, "array");
  counts(w, row->least, row->most);
}

static const htz_range keys = {"key", "", 0.0, HTZ_KEYS - 1};

static void key_items(htz_schema_writer* w) {
  htz_json_open(&w->tree, "items", '{', true);
  limits(w, &keys, true);
  htz_json_close(&w->tree, '}');
}

/** A block of a row, one of two where it has an other. */
static void block(htz_schema_writer* w, const char* key, const htz_row* row, unsigned context) {
  const unsigned in = within(context);
  if (row->block == row->or_block) {
    htz_schema_refer(w, key, row->block, in, NULL);
  } else if (row->form == HTZ_FORM_BODIES) { // the other is that with a `family`
    htz_json_open(&w->tree, key, '{', false);
    htz_json_open(&w->tree, "if", '{', true);
    htz_json_open(&w->tree, "required", '[', true);
    htz_json_text(&w->tree, NULL, htz_schema[HTZ_ROW_BODY_FAMILY].range.name);
    htz_json_close(&w->tree, ']');
    htz_json_close(&w->tree, '}');
    htz_schema_refer(w, "then", row->or_block, in, NULL);
    htz_schema_refer(w, "else", row->block, in, NULL);
    htz_json_close(&w->tree, '}');
  } else {
    either(w, key);
    htz_schema_refer(w, NULL, row->block, in, NULL);
    htz_schema_refer(w, NULL, row->or_block, in, NULL);
    either_end(w);
  }
}

void htz_schema_by_family(htz_schema_writer* w, const char* key, unsigned modal, unsigned grid) {
  const htz_row* family = &htz_schema[HTZ_ROW_FILE_FAMILY];
  htz_json_open(&w->tree, key, '{', false);
  htz_json_open(&w->tree, "if", '{', true);
  htz_json_open(&w->tree, "properties", '{', true);
  htz_json_open(&w->tree, family->range.name, '{', true);
  htz_json_text(&w->tree, "const", htz_row_word(family, 1));
  htz_json_close(&w->tree, '}');
  htz_json_close(&w->tree, '}');
  htz_json_open(&w->tree, "required", '[', true);
  htz_json_text(&w->tree, NULL, family->range.name);
  htz_json_close(&w->tree, ']');
  htz_json_close(&w->tree, '}');
  htz_schema_refer(w, "then", HTZ_BLOCK_FILE, grid, NULL);
  htz_schema_refer(w, "else", HTZ_BLOCK_FILE, modal, NULL);
  htz_json_close(&w->tree, '}');
}

/** What parameters may be set to; names with a point may be a file's own. */
static void params(htz_schema_writer* w) {
  type(w, "object");
  htz_json_open(&w->tree, "properties", '{', false);
  for (size_t i = 0; i < HTZ_PARAM_NAMED; ++i) {
    const htz_param_desc* desc = &htz_instrument_params[i];
    const htz_range range = {desc->name, desc->unit, desc->minimum, desc->maximum};
    const char* const* words = htz_param_words(i);
    const htz_row row = {.words = words};
    htz_json_open(&w->tree, desc->name, '{', true);
    htz_json_text(&w->tree, "description", desc->doc);
    if (words) {
      choices(w, &row);
    } else {
      limits(w, &range, desc->scale == HTZ_SCALE_STEPS);
    }
    htz_json_close(&w->tree, '}');
  }
  htz_json_close(&w->tree, '}');
  htz_json_open(&w->tree, "patternProperties", '{', true);
  text(w, "\\.", 0);
  htz_json_close(&w->tree, '}');
  htz_json_flag(&w->tree, "additionalProperties", false);
}

/** What is fixed to bodies or lies on them: by names that say what it is, or any with a `kind`. */
static void things(htz_schema_writer* w, const htz_row* row, unsigned context) {
  const htz_row* kind = &htz_schema[HTZ_ROW_THING_KIND];
  type(w, "object");
  htz_json_value(&w->tree, "maxProperties", (double)row->most);
  htz_json_open(&w->tree, "patternProperties", '{', false);
  for (size_t i = 0; htz_row_word(kind, i); ++i) {
    char pattern[PATTERN_BYTES];
    snprintf(pattern, sizeof pattern, "^%s([1-9][0-9]?)?$", htz_row_word(kind, i));
    htz_schema_refer(w, pattern, HTZ_BLOCK_THING, within(context), htz_row_word(kind, i));
  }
  htz_json_close(&w->tree, '}');
  htz_schema_refer(w, "additionalProperties", HTZ_BLOCK_THING, within(context), NULL);
}

static void instead(htz_schema_writer* w, const htz_row* row) {
  if (row->words) {
    enumerate(w, NULL, row);
  }
}

/** Alternatives of what stands in a row that is a number, or is made of numbers. */
static void numbers(htz_schema_writer* w, const htz_row* row, unsigned context) {
  const htz_range range = htz_row_range(row);
  switch (row->form) {
  case HTZ_FORM_NUMBER:
    number(w, NULL, &range);
    instead(w, row);
    return;
  case HTZ_FORM_ENDS:
    tables(w, &range, 2, context);
    return;
  case HTZ_FORM_PLACE:
    table_items(w, &range, context);
    if (context & (HTZ_IN_GRID | HTZ_IN_GRID_OBJECT)) {
      tables(w, &range, 2, context);
    }
    return;
  case HTZ_FORM_METRES:
    tables(w, &range, 3, context);
    instead(w, row);
    return;
  case HTZ_FORM_TWO_METRES:
    begin_list(w, NULL, row);
    htz_json_open(&w->tree, "items", '{', true);
    type(w, "array");
    counts(w, 3, 3);
    number(w, "items", &range);
    htz_json_close(&w->tree, '}');
    htz_json_close(&w->tree, '}');
    return;
  case HTZ_FORM_ITEMS:
    number(w, NULL, &range);
    begin_list(w, NULL, row);
    number(w, "items", &range);
    htz_json_close(&w->tree, '}');
    return;
  case HTZ_FORM_TABLES:
    table_items(w, &range, context);
    begin_list(w, NULL, row);
    table(w, "items", &range, context);
    htz_json_close(&w->tree, '}');
    return;
  case HTZ_FORM_PLACES:
    table_items(w, &range, context);
    begin_list(w, NULL, row);
    either(w, "items");
    table_items(w, &range, context);
    tables(w, &range, 2, context);
    either_end(w);
    htz_json_close(&w->tree, '}');
    return;
  case HTZ_FORM_POINT:
    begin_list(w, NULL, row);
    number(w, "items", &range);
    htz_json_close(&w->tree, '}');
    return;
  case HTZ_FORM_POINTS:
    begin_list(w, NULL, row);
    htz_json_open(&w->tree, "items", '{', true);
    type(w, "array");
    counts(w, 2, 2);
    htz_json_open(&w->tree, "items", '{', true);
    type(w, "number");
    htz_json_close(&w->tree, '}');
    htz_json_close(&w->tree, '}');
    htz_json_close(&w->tree, '}');
    return;
  default:
    table_items(w, &range, context);
    instead(w, row);
  }
}

/** Lists of names or keys. */
static void lists(htz_schema_writer* w, const htz_row* row) {
  switch (row->form) {
  case HTZ_FORM_NAMES:
    text(w, NULL, 0);
    // fall through
  case HTZ_FORM_PAIR:
    begin_list(w, NULL, row);
    text(w, "items", 0);
    htz_json_close(&w->tree, '}');
    return;
  case HTZ_FORM_KEYS_OF:
    htz_json_open(&w->tree, NULL, '{', true);
    limits(w, &keys, true);
    htz_json_close(&w->tree, '}');
    htz_json_open(&w->tree, NULL, '{', true);
    type(w, "array");
    counts(w, 2, 2);
    key_items(w);
    htz_json_close(&w->tree, '}');
    htz_schema_refer(w, NULL, row->block, HTZ_IN_MODAL, NULL);
    return;
  default:
    begin_list(w, NULL, row);
    key_items(w);
    htz_json_close(&w->tree, '}');
  }
}

/** Controllers. */
static void sources(htz_schema_writer* w, const htz_row* row) {
  const htz_range range = htz_row_range(row);
  for (int list = 0; list < 2; ++list) {
    if (list) {
      begin_list(w, NULL, row);
      either(w, "items");
    }
    htz_json_open(&w->tree, NULL, '{', true);
    limits(w, &range, true);
    htz_json_close(&w->tree, '}');
    enumerate(w, NULL, row);
    if (list) {
      either_end(w);
      htz_json_close(&w->tree, '}');
    }
  }
}

/** A map from names of bodies. */
static void bodies(htz_schema_writer* w, const htz_row* row, unsigned context) {
  type(w, "object");
  htz_json_value(&w->tree, "minProperties", (double)row->least);
  htz_json_value(&w->tree, "maxProperties", (double)row->most);
  htz_json_open(&w->tree, "propertyNames", '{', true);
  htz_json_text(&w->tree, "pattern", name_of_body);
  htz_json_close(&w->tree, '}');
  block(w, "additionalProperties", row,
        row->range.name == htz_schema[HTZ_ROW_FILE_SHARED].range.name ||
                row->range.name == htz_schema[HTZ_ROW_ACTION_BODY].range.name
            ? HTZ_IN_SHARED
            : context);
}

static void list_of_blocks(htz_schema_writer* w, const htz_row* row, unsigned context) {
  type(w, "array");
  counts(w, row->least, row->most);
  if (row->block == HTZ_BLOCK_FILE) {
    htz_schema_by_family(w, "items", HTZ_IN_MODAL_OBJECT, HTZ_IN_GRID_OBJECT);
  } else {
    block(w, "items", row, context);
  }
}

/** Two values of a parameter, whose words and range go by its name. */
static void travel(htz_schema_writer* w, const htz_row* row) {
  type(w, "array");
  counts(w, row->least, row->most);
  text(w, "items", 0);
}

static void controls(htz_schema_writer* w, const htz_row* row, unsigned context) {
  type(w, "object");
  block(w, "additionalProperties", row, context);
}

void htz_schema_form(htz_schema_writer* w, const htz_row* row, unsigned context) {
  const htz_range range = htz_row_range(row);
  switch (row->form) {
  case HTZ_FORM_FLAG:
    type(w, "boolean");
    return;
  case HTZ_FORM_TEXT:
  case HTZ_FORM_NAME:
    text_members(w, row->form == HTZ_FORM_TEXT ? row->most : 0);
    return;
  case HTZ_FORM_WORD:
    words(w, row);
    return;
  case HTZ_FORM_MAP:
    htz_schema_refer_here(w, row->block, within(context), NULL);
    return;
  case HTZ_FORM_LIST:
    list_of_blocks(w, row, context);
    return;
  case HTZ_FORM_BODIES:
    bodies(w, row, context);
    return;
  case HTZ_FORM_THINGS:
    things(w, row, context);
    return;
  case HTZ_FORM_PARAMS:
    params(w);
    return;
  case HTZ_FORM_CONTROLS:
    controls(w, row, context);
    return;
  case HTZ_FORM_TRAVEL:
    travel(w, row);
    return;
  case HTZ_FORM_NUMBERS:
    type(w, "array");
    counts(w, row->least, row->most);
    htz_json_open(&w->tree, "items", '{', true);
    limits(w, &range, true);
    htz_json_close(&w->tree, '}');
    return;
  default:
    break;
  }
  if ((row->form == HTZ_FORM_NUMBER || row->form == HTZ_FORM_WHOLE) && !row->words) {
    limits(w, &range, row->form == HTZ_FORM_WHOLE);
    return;
  }
  htz_json_open(&w->tree, "anyOf", '[', false);
  switch (row->form) {
  case HTZ_FORM_NAMES:
  case HTZ_FORM_PAIR:
  case HTZ_FORM_KEYS:
  case HTZ_FORM_KEY_RANGE:
  case HTZ_FORM_KEYS_OF:
    lists(w, row);
    break;
  case HTZ_FORM_SOURCES:
    sources(w, row);
    break;
  case HTZ_FORM_ONE_OR_LIST:
    block(w, NULL, row, context);
    begin_list(w, NULL, row);
    block(w, "items", row, context);
    htz_json_close(&w->tree, '}');
    break;
  default:
    numbers(w, row, context);
  }
  htz_json_close(&w->tree, ']');
}
