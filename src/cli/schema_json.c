#include "schema_json.h"

#include "schema_json_private.h"
#include "schema_kind.h"

#include "hertzian/contact/law.h"
#include "hertzian/instrument/spec_grid.h"
#include "hertzian/instrument/spec_link.h"

#include <math.h>
#include <string.h>

/*
   A definition per block and context, and, where a block goes by one of its words, per word: first one that looks at the word, then
   those of each, which say all that may stand there.
*/

enum { NAME_BYTES = 64, DEPTH_MAX = 8 };

static const struct {
  unsigned context;
  const char* name;
} contexts[HTZ_SCHEMA_CONTEXTS] = {{HTZ_IN_MODAL, "modal"},
                                   {HTZ_IN_GRID, "grid"},
                                   {HTZ_IN_OBJECTS, "objects"},
                                   {HTZ_IN_MODAL_OBJECT, "modal-object"},
                                   {HTZ_IN_GRID_OBJECT, "grid-object"},
                                   {HTZ_IN_SHARED, "shared"}};

/** Number of a context, of one bit. */
static size_t number_of(unsigned context) {
  size_t i = 0;
  while (contexts[i].context != context) {
    ++i;
  }
  return i;
}

/** What is within a block is the same in files of either family. */
static bool same_in_both(unsigned block, size_t depth) {
  const htz_block* b = &htz_schema_blocks[block];
  const unsigned both = HTZ_IN_MODAL | HTZ_IN_GRID;
  bool same = depth < DEPTH_MAX && block != HTZ_BLOCK_BODY;
  for (size_t i = b->first; same && i < b->first + b->n; ++i) {
    const htz_row* row = &htz_schema[i];
    const unsigned masks[] = {row->where & both, row->need & both, row->one_of & both};
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; ++m) {
      same = same && (masks[m] == 0 || masks[m] == both);
    }
    same = same && row->form != HTZ_FORM_PLACE && (!row->block || same_in_both(row->block, depth + 1));
  }
  return same;
}

/** The context under which a block is defined. */
static unsigned defined_in(unsigned block, unsigned context) {
  return context == HTZ_IN_GRID && same_in_both(block, 0) ? HTZ_IN_MODAL : context;
}

/** Name of a definition; `word` NULL: of the block whatever its word is. */
static const char* definition(unsigned block, unsigned context, const char* word, char name[NAME_BYTES]) {
  const bool same = same_in_both(block, 0);
  snprintf(name, NAME_BYTES, "%s%s%s%s%s", htz_schema_blocks[block].id, same ? "" : ".",
           same ? "" : contexts[number_of(context)].name, word ? "." : "", word ? word : "");
  return name;
}

void htz_schema_refer_here(htz_schema_writer* w, unsigned block, unsigned context, const char* word) {
  char name[NAME_BYTES], path[NAME_BYTES + 16];
  w->wanted[block][number_of(defined_in(block, context))] = true;
  snprintf(path, sizeof path, "#/$defs/%s", definition(block, context, word, name));
  htz_json_text(&w->tree, "$ref", path);
}

void htz_schema_refer(htz_schema_writer* w, const char* key, unsigned block, unsigned context, const char* word) {
  htz_json_open(&w->tree, key, '{', true);
  htz_schema_refer_here(w, block, context, word);
  htz_json_close(&w->tree, '}');
}

static const htz_row* chooser(unsigned block) {
  const htz_block* b = &htz_schema_blocks[block];
  for (size_t i = b->first; i < b->first + b->n; ++i) {
    if (htz_schema[i].chooses) {
      return &htz_schema[i];
    }
  }
  return NULL;
}

/** The description, with the unit. */
static void describe(htz_schema_writer* w, const char* doc, const char* unit) {
  char text[512];
  snprintf(text, sizeof text, "%s%s%s%s", doc, unit[0] ? " [" : "", unit, unit[0] ? "]" : "");
  htz_json_text(&w->tree, "description", text);
}

static void property(htz_schema_writer* w, const htz_row* row, unsigned context) {
  htz_json_open(&w->tree, row->range.name, '{', false);
  const htz_range range = htz_row_range(row);
  describe(w, row->doc, range.unit ? range.unit : "");
  if (!isnan(row->initial) && row->form == HTZ_FORM_WORD) {
    htz_json_text(&w->tree, "default", htz_row_word(row, (size_t)row->initial));
  } else if (!isnan(row->initial) && row->form == HTZ_FORM_FLAG) {
    htz_json_flag(&w->tree, "default", row->initial != 0.0);
  } else if (!isnan(row->initial)) {
    htz_json_value(&w->tree, "default", row->initial);
  }
  htz_schema_form(w, row, context);
  htz_json_close(&w->tree, '}');
}

/** A row whose range is that of laws: of `law`, or with NULL of any that has such a number. @return false when there is none */
static bool row_of_law(const htz_row* row, const char* law, htz_row* out) {
  bool any = false;
  *out = *row;
  for (size_t i = 0; htz_row_word(&htz_schema[HTZ_ROW_HEAD_LAW], i); ++i) {
    const htz_law_class* cls = htz_law_find(htz_row_word(&htz_schema[HTZ_ROW_HEAD_LAW], i));
    const size_t p = htz_param_find(cls->params, cls->n_params, row->range.name);
    if (p == cls->n_params || (law && strcmp(law, cls->name) != 0)) {
      continue;
    }
    const htz_param_desc* desc = &cls->params[p];
    out->range.unit = desc->unit;
    out->range.minimum = !any || desc->minimum < out->range.minimum ? desc->minimum : out->range.minimum;
    out->range.maximum = !any || desc->maximum > out->range.maximum ? desc->maximum : out->range.maximum;
    out->initial = !any ? desc->initial : (double)NAN;
    any = true;
  }
  return any;
}

/** The row as it is in a definition. @return false when that has none */
static bool resolve(const htz_row* row, unsigned block, unsigned context, size_t choice, htz_row* out) {
  const htz_row* by = chooser(block);
  const bool by_law = by == &htz_schema[HTZ_ROW_HEAD_LAW];
  const bool contact = block == HTZ_BLOCK_LINK && choice == HTZ_SPEC_LINK_CONTACT;
  *out = *row;
  if (!htz_row_in(row, context, choice)) {
    return false;
  }
  if (row->of_law && (block != HTZ_BLOCK_LINK || contact)) {
    const char* law = by_law ? htz_row_word(by, choice) : block == HTZ_BLOCK_LOOSE_CONTACT ? "hunt-crossley" : NULL;
    return row_of_law(row, law, out);
  }
  return true;
}

typedef struct {
  htz_schema_writer* w;
  unsigned context;
} place;

static void write_property(void* user, const htz_row* row) {
  const place* at = user;
  property(at->w, row, at->context);
}

static void grid_properties(htz_schema_writer* w, htz_spec_grid_kind kind, unsigned context) {
  for (int v = 0; v < HTZ_GRID_VALUES; ++v) {
    if (htz_spec_grid_has(kind, (htz_spec_grid_value)v)) {
      const htz_row row = htz_row_of_number(htz_spec_grid_value_desc((htz_spec_grid_value)v));
      property(w, &row, context);
    }
  }
}

/** At least one of the rows with that mark. */
static void one_of(htz_schema_writer* w, unsigned block, unsigned context, size_t choice) {
  const htz_block* b = &htz_schema_blocks[block];
  size_t n = 0;
  for (size_t i = b->first; i < b->first + b->n; ++i) {
    htz_row row;
    if (!(htz_schema[i].one_of & context) || !resolve(&htz_schema[i], block, context, choice, &row)) {
      continue;
    }
    if (n++ == 0) {
      htz_json_open(&w->tree, "anyOf", '[', false);
    }
    htz_json_open(&w->tree, NULL, '{', true);
    htz_json_open(&w->tree, "required", '[', true);
    htz_json_text(&w->tree, NULL, row.range.name);
    htz_json_close(&w->tree, ']');
    htz_json_close(&w->tree, '}');
  }
  if (n > 0) {
    htz_json_close(&w->tree, ']');
  }
}

/** All that a block may say with that choice. */
static void define(htz_schema_writer* w, unsigned block, unsigned context, size_t choice) {
  const htz_block* b = &htz_schema_blocks[block];
  const htz_row* by = chooser(block);
  char name[NAME_BYTES];
  htz_row row;
  htz_json_open(&w->tree, definition(block, context, by ? htz_row_word(by, choice) : NULL, name), '{', false);
  htz_json_text(&w->tree, "description", b->doc);
  htz_json_text(&w->tree, "type", "object");
  htz_json_open(&w->tree, "properties", '{', false);
  for (size_t i = b->first; i < b->first + b->n; ++i) {
    if (resolve(&htz_schema[i], block, context, choice, &row)) {
      property(w, &row, context);
    }
  }
  if (block == HTZ_BLOCK_BODY) {
    place here = {w, context};
    htz_kind_rows(htz_body_kind_at(choice), write_property, &here);
  } else if (block == HTZ_BLOCK_GRID_BODY) {
    grid_properties(w, choice < HTZ_GRID_MODES ? (htz_spec_grid_kind)choice : HTZ_GRID_BARRIER, context);
  }
  htz_json_close(&w->tree, '}');
  htz_json_open(&w->tree, "required", '[', true);
  for (size_t i = b->first; i < b->first + b->n; ++i) {
    const bool must = (htz_schema[i].need & context) || (choice < HTZ_ANY_CHOICE && (htz_schema[i].must >> choice & 1u));
    if (must && resolve(&htz_schema[i], block, context, choice, &row)) {
      htz_json_text(&w->tree, NULL, row.range.name);
    }
  }
  for (int v = 0; block == HTZ_BLOCK_GRID_BODY && choice < HTZ_GRID_MODES && v < HTZ_GRID_VALUES; ++v) {
    if (htz_spec_grid_needs((htz_spec_grid_kind)choice, (htz_spec_grid_value)v)) {
      htz_json_text(&w->tree, NULL, htz_spec_grid_value_desc((htz_spec_grid_value)v)->name);
    }
  }
  htz_json_close(&w->tree, ']');
  one_of(w, block, context, choice);
  htz_json_flag(&w->tree, "additionalProperties", false);
  htz_json_close(&w->tree, '}');
}

/** One that looks at the word that the block goes by, then one of each word. */
static void define_choices(htz_schema_writer* w, unsigned block, unsigned context, const htz_row* by) {
  char name[NAME_BYTES];
  const bool needed = by->need & context;
  htz_json_open(&w->tree, definition(block, context, NULL, name), '{', false);
  htz_json_text(&w->tree, "type", "object");
  htz_json_open(&w->tree, "properties", '{', false);
  property(w, by, context);
  htz_json_close(&w->tree, '}');
  if (needed || isnan(by->initial)) {
    htz_json_open(&w->tree, "required", '[', true);
    htz_json_text(&w->tree, NULL, by->range.name);
    htz_json_close(&w->tree, ']');
  }
  htz_json_open(&w->tree, "allOf", '[', false);
  for (size_t i = 0; htz_row_word(by, i); ++i) {
    const bool usual = !isnan(by->initial) && (size_t)by->initial == i;
    htz_json_open(&w->tree, NULL, '{', false);
    htz_json_open(&w->tree, "if", '{', true);
    htz_json_open(&w->tree, "properties", '{', true);
    htz_json_open(&w->tree, by->range.name, '{', true);
    htz_json_text(&w->tree, "const", htz_row_word(by, i));
    htz_json_close(&w->tree, '}');
    htz_json_close(&w->tree, '}');
    if (!usual) {
      htz_json_open(&w->tree, "required", '[', true);
      htz_json_text(&w->tree, NULL, by->range.name);
      htz_json_close(&w->tree, ']');
    }
    htz_json_close(&w->tree, '}');
    htz_schema_refer(w, "then", block, context, htz_row_word(by, i));
    htz_json_close(&w->tree, '}');
  }
  htz_json_close(&w->tree, ']');
  htz_json_close(&w->tree, '}');
  for (size_t i = 0; htz_row_word(by, i); ++i) {
    define(w, block, context, i);
  }
}

/** Definitions that are wanted and not there yet. @return false when there are none */
static bool define_wanted(htz_schema_writer* w, bool done[HTZ_SCHEMA_BLOCKS][HTZ_SCHEMA_CONTEXTS]) {
  bool any = false;
  for (unsigned block = 0; block < HTZ_SCHEMA_BLOCKS; ++block) {
    for (size_t c = 0; c < HTZ_SCHEMA_CONTEXTS; ++c) {
      if (!w->wanted[block][c] || done[block][c]) {
        continue;
      }
      done[block][c] = any = true;
      const htz_row* by = chooser(block);
      if (by) {
        define_choices(w, block, contexts[c].context, by);
      } else {
        define(w, block, contexts[c].context, HTZ_ANY_CHOICE);
      }
    }
  }
  return any;
}

/** A file of several objects, or of one of either family. */
static void top(htz_schema_writer* w) {
  const htz_row* row = &htz_schema[HTZ_ROW_FILE_OBJECTS];
  htz_json_open(&w->tree, "if", '{', true);
  htz_json_open(&w->tree, "required", '[', true);
  htz_json_text(&w->tree, NULL, row->range.name);
  htz_json_close(&w->tree, ']');
  htz_json_close(&w->tree, '}');
  htz_schema_refer(w, "then", HTZ_BLOCK_FILE, HTZ_IN_OBJECTS, NULL);
  htz_schema_by_family(w, "else", HTZ_IN_MODAL, HTZ_IN_GRID);
}

void htz_schema_json(FILE* out) {
  static htz_schema_writer w;
  bool done[HTZ_SCHEMA_BLOCKS][HTZ_SCHEMA_CONTEXTS] = {{false}};
  w = (htz_schema_writer){.tree.out = out};
  htz_json_open(&w.tree, NULL, '{', false);
  htz_json_text(&w.tree, "$schema", "https://json-schema.org/draft/2020-12/schema");
  htz_json_text(&w.tree, "title", "Hertzian instrument");
  htz_json_text(&w.tree, "type", "object");
  top(&w);
  htz_json_open(&w.tree, "$defs", '{', false);
  while (define_wanted(&w, done)) {
  }
  htz_json_close(&w.tree, '}');
  htz_json_close(&w.tree, '}');
}
