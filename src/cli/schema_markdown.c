#include "schema_markdown.h"

#include "json_tree.h"
#include "schema_kind.h"

#include "hertzian/contact/law.h"
#include "hertzian/instrument/number.h"
#include "hertzian/instrument/spec_grid.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MODAL = HTZ_IN_MODAL | HTZ_IN_MODAL_OBJECT, GRID = HTZ_IN_GRID | HTZ_IN_GRID_OBJECT };

static const char* const head = "| property | takes | unit | range | default | what |\n|---|---|---|---|---|---|\n";

/** What stands in a row, in words that the page explains at its top. */
static const char* form_text(htz_form form) {
  static const char* const texts[HTZ_FORMS] = {
      [HTZ_FORM_NUMBER] = "number",
      [HTZ_FORM_WHOLE] = "whole number",
      [HTZ_FORM_TABLE] = "table",
      [HTZ_FORM_ENDS] = "[table, table]",
      [HTZ_FORM_PLACE] = "place",
      [HTZ_FORM_PLACES] = "place, or list of places",
      [HTZ_FORM_POINT] = "[x, y]",
      [HTZ_FORM_POINTS] = "list of [x, number]",
      [HTZ_FORM_METRES] = "[table, table, table]",
      [HTZ_FORM_TWO_METRES] = "[[x, y, z], [x, y, z]]",
      [HTZ_FORM_FLAG] = "true or false",
      [HTZ_FORM_WORD] = "",
      [HTZ_FORM_TEXT] = "text",
      [HTZ_FORM_NAME] = "name",
      [HTZ_FORM_NAMES] = "name, or list of names",
      [HTZ_FORM_PAIR] = "[name, name]",
      [HTZ_FORM_KEYS] = "list of keys",
      [HTZ_FORM_KEY_RANGE] = "[lowest key, highest key]",
      [HTZ_FORM_KEYS_OF] = "key, [lowest, highest] or map",
      [HTZ_FORM_ITEMS] = "number, or list of numbers",
      [HTZ_FORM_TABLES] = "table, or list of tables",
      [HTZ_FORM_NUMBERS] = "list of numbers",
      [HTZ_FORM_MAP] = "map",
      [HTZ_FORM_LIST] = "list of maps",
      [HTZ_FORM_ONE_OR_LIST] = "map, or list of maps",
      [HTZ_FORM_BODIES] = "map from names to bodies",
      [HTZ_FORM_THINGS] = "map from names to maps",
      [HTZ_FORM_PARAMS] = "map from [parameters](parameters.md) to values",
      [HTZ_FORM_CONTROLS] = "map from [parameters](parameters.md) to maps",
      [HTZ_FORM_SOURCES] = "number or list",
      [HTZ_FORM_TRAVEL] = "[value, value]",
  };
  return texts[form];
}

/** Name of a heading as links know it. */
static void anchor(FILE* out, const char* title) {
  for (; *title; ++title) {
    if (isalnum((unsigned char)*title) || *title == '-') {
      fputc(tolower((unsigned char)*title), out);
    } else if (*title == ' ') {
      fputc('-', out);
    }
  }
}

static void words(FILE* out, const htz_row* row, const char* before) {
  for (size_t i = 0; htz_row_word(row, i); ++i) {
    fprintf(out, "%s`%s`", i ? ", " : before, htz_row_word(row, i));
  }
}

static void takes(FILE* out, const htz_row* row) {
  const char* form = form_text(row->form);
  fputs(form, out);
  if (row->form != HTZ_FORM_FLAG) {
    words(out, row, form[0] ? ", or " : "");
  }
  if (row->form == HTZ_FORM_WORD && row->most > 1) {
    fputs("; or a list of two", out);
  }
  for (unsigned i = 0; i < 2 && row->most > 0; ++i) {
    const unsigned block = i ? row->or_block : row->block;
    const bool blocks = row->form == HTZ_FORM_MAP || row->form == HTZ_FORM_LIST || row->form == HTZ_FORM_ONE_OR_LIST ||
                        row->form == HTZ_FORM_BODIES || row->form == HTZ_FORM_THINGS || row->form == HTZ_FORM_KEYS_OF;
    if (blocks && (i == 0 || block != row->block)) {
      fprintf(out, "%s[%s](#", i ? ", " : ": ", htz_schema_blocks[block].title);
      anchor(out, htz_schema_blocks[block].title);
      fputc(')', out);
    }
  }
  if (row->form == HTZ_FORM_CONTROLS) {
    fprintf(out, ": [%s](#", htz_schema_blocks[row->block].title);
    anchor(out, htz_schema_blocks[row->block].title);
    fputc(')', out);
  }
}

static bool many(htz_form form) {
  switch (form) {
  case HTZ_FORM_NAMES:
  case HTZ_FORM_KEYS:
  case HTZ_FORM_KEYS_OF:
  case HTZ_FORM_ITEMS:
  case HTZ_FORM_TABLES:
  case HTZ_FORM_NUMBERS:
  case HTZ_FORM_POINTS:
  case HTZ_FORM_LIST:
  case HTZ_FORM_ONE_OR_LIST:
  case HTZ_FORM_BODIES:
  case HTZ_FORM_THINGS:
  case HTZ_FORM_SOURCES:
    return true;
  default:
    return false;
  }
}

static void range(FILE* out, const htz_row* row) {
  char low[HTZ_NUMBER_TEXT], high[HTZ_NUMBER_TEXT];
  const htz_range r = htz_row_range(row);
  if (row->of_law && row->form == HTZ_FORM_TABLE && r.minimum == r.maximum) {
    fputs("[the law's](#contact-laws)", out);
  } else if (row->form == HTZ_FORM_TEXT) {
    fprintf(out, "up to %zu bytes", row->most);
  } else if (r.minimum < r.maximum) {
    fprintf(out, "%s to %s", htz_number_text(r.minimum, low), htz_number_text(r.maximum, high));
  } else if (r.minimum != 0.0) {
    fputs(htz_number_text(r.minimum, low), out);
  }
  if (many(row->form) && row->most > 0) {
    fprintf(out, "%s%zu to %zu of them", r.minimum < r.maximum ? "; " : "", row->least, row->most);
  }
}

static void initial(FILE* out, const htz_row* row) {
  char text[HTZ_NUMBER_TEXT];
  const unsigned spared = row->where & ~row->need & (HTZ_IN_MODAL | HTZ_IN_GRID);
  if (row->need) {
    fputs(spared == HTZ_IN_MODAL ? "needed on grids" : "needed", out);
  } else if (isnan(row->initial)) {
    return;
  } else if (row->form == HTZ_FORM_WORD || row->form == HTZ_FORM_FLAG) {
    fprintf(out, "`%s`", htz_row_word(row, (size_t)row->initial));
  } else {
    fputs(htz_number_text(row->initial, text), out);
  }
}

static const htz_row* chooser(const htz_block* block) {
  for (size_t i = block->first; i < block->first + block->n; ++i) {
    if (htz_schema[i].chooses) {
      return &htz_schema[i];
    }
  }
  return NULL;
}

/** Where in the block the row may stand, if not everywhere. */
static void restriction(FILE* out, const htz_block* block, const htz_row* row) {
  const htz_row* by = chooser(block);
  const char* places[4];
  size_t n = 0;
  bool member = true;
  if (row->where == HTZ_IN_SHARED) {
    places[n++] = "a shared body";
  } else if (!(row->where & GRID) && (row->where & MODAL)) {
    places[n++] = "modes";
  } else if (!(row->where & MODAL) && (row->where & GRID)) {
    places[n++] = "grids";
  }
  if (block == &htz_schema_blocks[HTZ_BLOCK_FILE]) {
    member = row->where & (HTZ_IN_MODAL_OBJECT | HTZ_IN_GRID_OBJECT);
    if (!(row->where & (HTZ_IN_MODAL | HTZ_IN_GRID))) {
      places[n++] = member ? "objects" : "a file with objects";
    } else if (!member) {
      places[n++] = row->where & HTZ_IN_OBJECTS ? "the whole file" : "a file without objects";
    } else if (row->where & HTZ_IN_OBJECTS) {
      places[n++] = "objects and beside them";
    }
  }
  for (size_t i = 0; i < n; ++i) {
    fprintf(out, "%s%s", i ? ", " : "", places[i]);
  }
  for (size_t i = 0, count = 0; by && row->only && htz_row_word(by, i); ++i) {
    if (row->only >> i & 1u) {
      fprintf(out, "%s`%s`", count++ || n ? ", " : "", htz_row_word(by, i));
      ++n;
    }
  }
  fputs(n ? ": " : "", out);
}

/** Text in a cell of a table, in which | would end it. */
static void cell(FILE* out, const char* text) {
  for (; *text; ++text) {
    fputs(*text == '|' ? "\\|" : (char[]){*text, '\0'}, out);
  }
}

static void write_row(FILE* out, const htz_block* block, const htz_row* row) {
  const htz_range r = htz_row_range(row);
  fprintf(out, "| `%s` | ", row->range.name);
  takes(out, row);
  fprintf(out, " | %s | ", r.unit ? r.unit : "");
  range(out, row);
  fputs(" | ", out);
  initial(out, row);
  fputs(" | ", out);
  if (block) {
    restriction(out, block, row);
  }
  cell(out, row->doc);
  fputs(" |\n", out);
}

static void write_plain(void* user, const htz_row* row) {
  write_row(user, NULL, row);
}

static void write_number(FILE* out, const htz_param_desc* desc) {
  const htz_row row = htz_row_of_number(desc);
  write_row(out, NULL, &row);
}

static void kinds(FILE* out) {
  fputs("\n## Kinds of bodies\n\nEach has these beside what [all bodies](#bodies) have.\n", out);
  for (size_t k = 0; htz_body_kind_at(k); ++k) {
    const htz_body_kind* kind = htz_body_kind_at(k);
    fprintf(out, "\n### %s\n\n%s.\n\n%s", kind->name, kind->about, head);
    htz_kind_rows(kind, write_plain, out);
  }
}

static void grid_kinds(FILE* out) {
  fputs("\n## Kinds of bodies on grids\n\nEach has these beside what [all bodies on grids](#bodies-on-grids) have.\n", out);
  for (int k = 0; k < HTZ_GRID_KINDS; ++k) {
    const htz_spec_grid_kind kind = (htz_spec_grid_kind)k;
    bool any = false;
    for (int v = 0; v < HTZ_GRID_VALUES; ++v) {
      if (!htz_spec_grid_has(kind, (htz_spec_grid_value)v)) {
        continue;
      }
      if (!any) {
        fprintf(out, "\n### %s on a grid\n\n%s.\n\n%s", htz_spec_grid_kind_name(kind), htz_spec_grid_kind_about(kind), head);
      }
      any = true;
      write_number(out, htz_spec_grid_value_desc((htz_spec_grid_value)v));
    }
  }
}

static void laws(FILE* out) {
  fputs("\n## Contact laws\n\nOf mallets, of what is loose (`hunt-crossley`) and of links.\n", out);
  for (size_t i = 0; htz_row_word(&htz_schema[HTZ_ROW_HEAD_LAW], i); ++i) {
    const htz_law_class* law = htz_law_find(htz_row_word(&htz_schema[HTZ_ROW_HEAD_LAW], i));
    fprintf(out, "\n### %s\n\n%s", law->name, head);
    for (size_t p = 0; p < law->n_params; ++p) {
      write_number(out, &law->params[p]);
    }
  }
}

void htz_schema_reference(FILE* out) {
  fputs("# Reference of instrument files\n\n"
        "Every property of the language, made by `hertzian instruments reference` from the table that the program itself reads "
        "files by;\n"
        "the [guide](instruments.md) shows them at work. For editors there is a JSON Schema of the same\n"
        "([instrument.schema.json](instrument.schema.json), or `hertzian instruments schema`).\n\n"
        "A *table* is a number, or numbers over keys, `{45: 1.0, 96: 0.2}`, filled in between them by ratio; a shared body has "
        "numbers\n"
        "only. A *place* is a table of fractions of the length; on a surface on a grid it is [x, y]. A *name* is that of a "
        "body of the key\n"
        "or of a shared one: 1 to 32 letters, digits, - and _. *Modes* and *grids*: in files of the one `family` or the other. "
        "Where nothing\n"
        "stands under default, the last column says what holds.\n",
        out);
  for (size_t b = 0; b < HTZ_SCHEMA_BLOCKS; ++b) {
    const htz_block* block = &htz_schema_blocks[b];
    fprintf(out, "\n## %s\n\n%s\n\n%s", block->title, block->doc, head);
    for (size_t i = block->first; i < block->first + block->n; ++i) {
      write_row(out, block, &htz_schema[i]);
    }
  }
  kinds(out);
  grid_kinds(out);
  laws(out);
}

void htz_schema_parameters(FILE* out) {
  char low[HTZ_NUMBER_TEXT], high[HTZ_NUMBER_TEXT], value[HTZ_NUMBER_TEXT];
  fputs("# Parameters\n\n"
        "What `-s NAME=VALUE`, `defaults` and `controls` move, made by `hertzian instruments parameters`. Which of them an "
        "instrument has a\n"
        "use for says `hertzian instruments show NAME`. Behind the name of one of its objects (`drum.mallet.hardness`), or of "
        "a preparation,\n"
        "bow or contact (`rattle2.gap`, `wheel.speed`), a parameter moves that alone.\n\n"
        "| parameter | unit | range | default | what |\n|---|---|---|---|---|\n",
        out);
  for (size_t i = 0; i < HTZ_PARAM_NAMED; ++i) {
    const htz_param_desc* desc = &htz_instrument_params[i];
    const htz_row row = {.words = htz_param_words(i)};
    fprintf(out, "| `%s` | %s | ", desc->name, desc->unit);
    if (row.words) {
      words(out, &row, "");
      fprintf(out, " | `%s` | ", htz_row_word(&row, (size_t)desc->initial));
    } else {
      fprintf(out, "%s to %s | %s | ", htz_number_text(desc->minimum, low), htz_number_text(desc->maximum, high),
              isnan(desc->initial) ? "" : htz_number_text(desc->initial, value));
    }
    cell(out, desc->doc);
    fputs(" |\n", out);
  }
}

void htz_schema_parameters_json(FILE* out) {
  htz_json_tree tree = {.out = out};
  htz_json_open(&tree, NULL, '[', false);
  for (size_t i = 0; i < HTZ_PARAM_NAMED; ++i) {
    const htz_param_desc* desc = &htz_instrument_params[i];
    const htz_row row = {.words = htz_param_words(i)};
    htz_json_open(&tree, NULL, '{', true);
    htz_json_text(&tree, "name", desc->name);
    htz_json_text(&tree, "unit", desc->unit);
    htz_json_value(&tree, "minimum", desc->minimum);
    htz_json_value(&tree, "maximum", desc->maximum);
    htz_json_value(&tree, "default", desc->initial);
    if (row.words) {
      htz_json_open(&tree, "words", '[', true);
      for (size_t k = 0; htz_row_word(&row, k); ++k) {
        htz_json_text(&tree, NULL, htz_row_word(&row, k));
      }
      htz_json_close(&tree, ']');
    }
    htz_json_text(&tree, "about", desc->doc);
    htz_json_close(&tree, '}');
  }
  htz_json_close(&tree, ']');
}
