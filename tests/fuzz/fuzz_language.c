#include "played.h"

#include "hertzian/contact/law.h"
#include "hertzian/instrument/schema.h"
#include "hertzian/model/kind.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
   Files of the language, as its schema has it, drawn by the input: bodies that can be made, and on them whatever may stand, each value
   within its range or at one of its ends. Most are good; what is refused says why. Good ones are played.
*/

enum {
  TEXT_MAX = 32 * 1024,
  BODIES = 3,
  SHARED = 2,
  NAME = 16,
  FIELDS = 48, // of a block, at most
};

typedef struct {
  const uint8_t* at;
  size_t left;
  char* text;
  size_t used;
  size_t bodies, shared;
  const htz_law_class* law; // of the block that is being written
  unsigned thrift;          // so many times half of what need not stand is left out
  uint32_t state;
} writer;

static void put(writer* w, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(w->text + w->used, TEXT_MAX - w->used, format, args);
  va_end(args);
  fuzz_require(n >= 0);
  w->used += (size_t)n < TEXT_MAX - w->used ? (size_t)n : 0; // what has no room is left out, and the file refused
}

/** One of 0 to n - 1; 0 where the input has ended: what may be left out is. */
static unsigned dice(writer* w, unsigned n) {
  if (w->left == 0) {
    return 0;
  }
  --w->left;
  return *w->at++ * n / 256u;
}

/** Whether what may be left out stands. */
static bool also(writer* w, unsigned one_in) {
  bool stands = dice(w, one_in) == one_in - 1;
  for (unsigned i = 0; i < w->thrift; ++i) {
    stands = stands && (fuzz_draw(&w->state) >> 8 & 1u);
  }
  return stands;
}

static double unit(writer* w) {
  return (dice(w, 256) * 256.0 + dice(w, 256)) / 65535.0;
}

/** Often near what is usual, now and then at an end. */
static double within(writer* w, double low, double high, double usual) {
  const unsigned how = dice(w, 8);
  double x = usual;
  if (how == 7) {
    return dice(w, 2) ? low : high;
  }
  if (isfinite(usual) && usual != 0.0 && how < 5) {
    x = usual * pow(2.0, 2.0 * unit(w) - 1.0);
  } else if (low > 0.0 && high / low > 100.0) {
    x = low * pow(high / low, unit(w));
  } else if (high > 1e4) { // from the middle of very wide ranges
    x = low < 0.0 ? 2.0 * unit(w) - 1.0 : pow(10.0, 8.0 * unit(w) - 4.0);
  } else {
    x = low + (high - low) * unit(w);
  }
  return fmin(fmax(x, low), high);
}

static void number(writer* w, double x) {
  put(w, "%.7g", x); // a range's ends have no more digits
}

static void table(writer* w, double low, double high, double usual) {
  if (dice(w, 5) < 4) {
    number(w, within(w, low, high, usual));
    return;
  }
  put(w, "{60: ");
  number(w, within(w, low, high, usual));
  put(w, ", 62: ");
  number(w, within(w, low, high, usual));
  put(w, "}");
}

static void own(writer* w) {
  put(w, "b%u", dice(w, (unsigned)w->bodies));
}

/** A body of the key, a shared one, the ground, or a body of the next key. */
static void anything(writer* w) {
  const unsigned what = dice(w, 8);
  if (what == 7) {
    put(w, "ground");
  } else if (what == 6) {
    put(w, "next.");
    own(w);
  } else if (what >= 4 && w->shared) {
    put(w, "s%u", dice(w, (unsigned)w->shared));
  } else {
    own(w);
  }
}

static void block(writer* w, unsigned id, unsigned context, const char* given);

/** The parameter of the law that a row follows. */
static const htz_param_desc* of_law(const writer* w, const htz_row* row) {
  for (size_t i = 0; row->of_law && w->law && i < w->law->n_params; ++i) {
    if (strcmp(w->law->params[i].name, row->range.name) == 0) {
      return &w->law->params[i];
    }
  }
  return NULL;
}

static void words(writer* w, const htz_row* row, size_t* choice) {
  unsigned n = 0;
  while (htz_row_word(row, n)) {
    ++n;
  }
  *choice = dice(w, n);
  put(w, "%s", htz_row_word(row, *choice));
}

static void blocks(writer* w, const htz_row* row, unsigned context) {
  const size_t n = (row->least ? row->least : 1) + dice(w, 2);
  put(w, "[");
  for (size_t i = 0; i < n && (i < row->most || row->most == 0); ++i) {
    put(w, "%s", i ? ", " : "");
    block(w, row->block, context, NULL);
  }
  put(w, "]");
}

/** Of a body; of a surface both ways along. */
static void place(writer* w, const htz_row* row, double low, double high) {
  if (row->form == HTZ_FORM_PLACES && dice(w, 4) == 3) {
    put(w, "[%.4f, %.4f]", low + (high - low) * unit(w), low + (high - low) * unit(w));
  } else {
    table(w, low, high, row->initial);
  }
}

static void value(writer* w, const htz_row* row, unsigned context, size_t* choice) {
  const htz_param_desc* law = of_law(w, row);
  const htz_range range = htz_row_range(row);
  const double low = law ? law->minimum : range.minimum, high = law ? law->maximum : range.maximum,
               usual = law ? law->initial : row->initial;
  size_t ignored;
  if (row->words && row->form != HTZ_FORM_WORD && row->form != HTZ_FORM_FLAG && dice(w, 3) == 2) {
    words(w, row, &ignored);
    return;
  }
  switch (row->form) {
  case HTZ_FORM_NUMBER:
    number(w, within(w, low, high, usual));
    break;
  case HTZ_FORM_WHOLE:
    number(w, floor(within(w, low, high < 24.0 ? high : 24.0, fmin(usual, 16.0))));
    break;
  case HTZ_FORM_ENDS: {
    const double soft = within(w, low, high, usual), loud = within(w, low, high, usual);
    put(w, "[%.7g, %.7g]", fmin(soft, loud), fmax(soft, loud));
    break;
  }
  case HTZ_FORM_TABLE:
    table(w, low, high, usual);
    break;
  case HTZ_FORM_PLACE:
    place(w, row, low, high);
    break;
  case HTZ_FORM_PLACES:
    put(w, "[");
    place(w, row, low, high);
    put(w, ", ");
    place(w, row, low, high);
    put(w, "]");
    break;
  case HTZ_FORM_POINT:
    put(w, "[%.4f, %.4f]", unit(w), unit(w));
    break;
  case HTZ_FORM_POINTS:
    put(w, "[[0, %.7g], [1, %.7g]]", within(w, low, high, 1e-3), within(w, low, high, 1e-3));
    break;
  case HTZ_FORM_METRES:
    put(w, "[%.3f, %.3f, %.3f]", 4.0 * unit(w) - 2.0, 4.0 * unit(w) - 2.0, 0.1 + 2.0 * unit(w));
    break;
  case HTZ_FORM_TWO_METRES:
    put(w, "[[%.3f, -1, 1], [%.3f, -1, 1]]", -unit(w), unit(w));
    break;
  case HTZ_FORM_FLAG:
  case HTZ_FORM_WORD:
    words(w, row, choice);
    break;
  case HTZ_FORM_TEXT:
    put(w, "t%u", dice(w, 256));
    break;
  case HTZ_FORM_NAME:
  case HTZ_FORM_NAMES:
    if (w->shared && (row == &htz_schema[HTZ_ROW_DRIVE_TO] || row == &htz_schema[HTZ_ROW_BOARD_PICKUP_OF])) {
      put(w, "s%u", dice(w, (unsigned)w->shared));
    } else if ((row == &htz_schema[HTZ_ROW_MALLET_STRIKES] || row == &htz_schema[HTZ_ROW_BOW_PLAYS]) && dice(w, 4) < 3) {
      put(w, "b0");
    } else {
      own(w);
    }
    break;
  case HTZ_FORM_PAIR:
    put(w, "[");
    own(w);
    put(w, ", ");
    anything(w);
    put(w, "]");
    break;
  case HTZ_FORM_KEYS:
    put(w, dice(w, 2) ? "[60, 62]" : "[60, 61, 62]");
    break;
  case HTZ_FORM_KEY_RANGE:
    put(w, dice(w, 2) ? "[60, 61]" : "[60, 62]");
    break;
  case HTZ_FORM_MAP:
    block(w, row->block, context, NULL);
    break;
  case HTZ_FORM_ONE_OR_LIST:
    if (dice(w, 3) < 2) {
      block(w, row->block, context, NULL);
      break;
    }
    blocks(w, row, context);
    break;
  case HTZ_FORM_LIST:
    blocks(w, row, context);
    break;
  case HTZ_FORM_THINGS:
    put(w, "{rattle: ");
    block(w, row->block, context, "kind");
    put(w, "}");
    break;
  default: // of files and performances
    put(w, "[]");
  }
}

static bool must(const htz_row* row, unsigned context, size_t choice) {
  return (row->need & context) || (choice < HTZ_ANY_CHOICE && row->must >> choice & 1u);
}

/** A block; `given` is left out. */
static void block(writer* w, unsigned id, unsigned context, const char* given) {
  const htz_block* b = &htz_schema_blocks[id];
  const htz_law_class* outer = w->law;
  const char* sep = "";
  size_t choice = HTZ_ANY_CHOICE;
  w->law = htz_law_at(0);
  put(w, "{");
  for (int pass = 0; pass < 2; ++pass) { // what the rest goes by comes first
    for (size_t i = b->first; i < b->first + b->n; ++i) {
      const htz_row* row = &htz_schema[i];
      const bool first = row->chooses || strcmp(row->range.name, "law") == 0;
      if (first != (pass == 0) || !htz_row_in(row, context, choice) || (given && strcmp(row->range.name, given) == 0)) {
        continue;
      }
      const bool one = (row->one_of & context) != 0, surface = strcmp(row->range.name, "at_y") == 0;
      const bool followed = !row->of_law || of_law(w, row) || (row->only && !(row->only >> 3 & 1u));
      const bool method = row == &htz_schema[HTZ_ROW_MALLET_SOLVER]; // few go with anything else
      if (!followed || (!must(row, context, choice) && !also(w, one ? 2 : surface || method ? 16 : 4))) {
        continue;
      }
      size_t word = 0;
      put(w, "%s%s: ", sep, row->range.name);
      value(w, row, context, &word);
      choice = row->chooses ? word : choice;
      w->law = strcmp(row->range.name, "law") == 0 && htz_law_at(word) ? htz_law_at(word) : w->law;
      sep = ", ";
    }
  }
  put(w, "}");
  w->law = outer;
}

/** True of what seldom goes with what a body has already: another loss, another size. */
static bool seldom(const char* name) {
  static const char* const names[] = {"t60",    "loss",   "tension", "wall",         "rise",  "nonlinear", "length", "width",
                                      "aspect", "radius", "split",   "round_",       "mass",  "torsion",   "shear",  "young",
                                      "edges",  "shape",  "bending", "young_across", "cord_", "heat_",     "thermal"};
  bool any = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    any = any || strncmp(name, names[i], strlen(names[i])) == 0;
  }
  return any;
}

static bool stands(const char* text, const char* name) {
  char start[2 * NAME];
  snprintf(start, sizeof start, " %.*s:", 2 * NAME - 3, name);
  return strstr(text, start) != NULL;
}

/** A few more of the numbers and words of its kind. */
static void extras(writer* w, const htz_body_kind* kind, const char* given) {
  for (size_t i = 0; i < kind->n_scalars; ++i) {
    const htz_param_desc* d = &kind->scalars[i];
    const unsigned rare = seldom(d->name) ? 64 : 12;
    if (also(w, rare) && !stands(given, d->name)) {
      put(w, ", %s: ", d->name);
      table(w, d->minimum, d->maximum, d->initial);
    }
  }
  for (size_t i = 0; i < kind->n_words; ++i) {
    const htz_word_desc* d = &kind->words[i];
    const unsigned rare = seldom(d->name) ? 48 : 8;
    if (also(w, rare) && !stands(given, d->name)) {
      put(w, ", %s: %s", d->name, d->choices[dice(w, (unsigned)d->n_choices)]);
    }
  }
}

/** A body that can be made, in most cases. */
static void body(writer* w, bool shared) {
  static const struct {
    const char *kind, *text;
    bool pitched; // it follows a pitch; others have their own
  } some[] = {
      {"string", " length: 0.6, lin_density: 1.0e-3, t60: 3, t60_high: 0.5", true},
      {"string", " length: 1.2, material: steel, core_diameter: 1.0e-3, t60: 8", true},
      {"string", " length: 0.9, material: steel, core_diameter: 8.0e-4, loss0: 0.4, loss1: 1.0e-3, stretch: 1.0e+5", true},
      {"bar", " mass: 0.1, t60: 2", true}, // partials to find the shape for take seconds here
      {"bar", " mass: 0.02, ends: cantilever, t60: 4", true},
      {"bar", " material: steel, length: 0.2, width: 0.03, thickness: 0.01, losses: causes", true},
      {"membrane", " radius: 0.2, area_density: 0.3, t60: 1", true},
      {"plate", " shape: round, edges: free, radius: 0.2, thickness: 1.0e-3, material: bronze, nonlinear_modes: 6, rise: 0",
       false},
      {"modal-list", " frequencies: [120, 255, 470], q: 100, mass: 0.05", false},
      {"plate", " length: 0.4, width: 0.3, thickness: 2.0e-3, material: steel", false},
      {"plate", " shape: round, edges: free, radius: 0.2, thickness: 1.0e-3, material: bronze", false},
      {"soundboard", " length: 0.5, width: 0.4, thickness: 3.0e-3, material: spruce", false},
  };
  enum { KINDS = sizeof some / sizeof some[0], OWN = 4 };
  const size_t at = shared ? KINDS - 1 - dice(w, OWN) : dice(w, KINDS);
  put(w, "{body: %s,%s, modes: %u", some[at].kind, some[at].text, 4 + dice(w, 12));
  extras(w, htz_body_kind_find(some[at].kind), some[at].text);
  if (!some[at].pitched && !shared) {
    put(w, ", frequency: own");
  } else if (!shared && also(w, 8)) {
    put(w, ", ratio: 2");
  }
  if (!shared && also(w, 8)) {
    put(w, ", count: %u, detune: 3", 1 + dice(w, 3));
  }
  put(w, "}\n");
}

/** A row of the file, where it is drawn or has to stand. */
static void top(writer* w, htz_row_id id, unsigned times) {
  const htz_row* row = &htz_schema[id];
  size_t ignored;
  if (times == 0 || also(w, times)) {
    put(w, "%s: ", row->range.name);
    value(w, row, HTZ_IN_MODAL, &ignored);
    put(w, "\n");
  }
}

static void file(writer* w) {
  w->bodies = 1 + dice(w, BODIES);
  w->shared = dice(w, 3) == 2 ? 1 + dice(w, SHARED) : 0;
  put(w, "format: 1\nname: f\nkeys: [60, 62]\nper_key:\n");
  for (size_t i = 0; i < w->bodies; ++i) {
    put(w, "  b%zu: ", i);
    body(w, false);
  }
  if (w->shared) {
    put(w, "shared:\n");
  }
  for (size_t i = 0; i < w->shared; ++i) {
    put(w, "  s%zu: ", i);
    body(w, true);
  }
  const bool bowed = dice(w, 4) == 3;
  if (!bowed || dice(w, 2)) {
    top(w, HTZ_ROW_FILE_MALLET, 0);
  }
  if (bowed) {
    top(w, HTZ_ROW_FILE_BOW, 0);
  }
  top(w, HTZ_ROW_FILE_FINGERED, 12);
  top(w, HTZ_ROW_FILE_PREPARATIONS, 4);
  top(w, HTZ_ROW_FILE_LINKS, 2);
  if (w->bodies > 1 && !also(w, 4)) { // what nothing moves is refused
    put(w, "feeds:\n");
    for (size_t i = 1; i < w->bodies; ++i) {
      put(w, "  - {from: b0, to: b%zu, gain: ", i);
      number(w, within(w, -1e3, 1e3, 5.0));
      put(w, "}\n");
    }
  } else {
    top(w, HTZ_ROW_FILE_FEEDS, 4);
  }
  if (w->shared) {
    top(w, HTZ_ROW_FILE_DRIVES, 2);
  }
  put(w, "pickups:\n");
  for (size_t i = 0; i < 1 + dice(w, 2); ++i) {
    put(w, "  - ");
    block(w, HTZ_BLOCK_PICKUP, HTZ_IN_MODAL, NULL);
    put(w, "\n");
  }
  for (size_t i = 0; i < w->shared; ++i) {
    put(w, "  - {of: s%zu, at: [0.3, 0.4]}\n", i);
  }
  top(w, HTZ_ROW_FILE_EARS, 12);
  top(w, HTZ_ROW_FILE_DAMPER, 3);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  enum { ATTEMPTS = 3, THRIFT = 3 };
  static char text[TEXT_MAX];
  htz_spec* spec = NULL;
  htz_diags diags;
  for (unsigned attempt = 0; attempt < ATTEMPTS && !spec; ++attempt) {
    writer w = {.at = data, .left = size, .text = text, .thrift = attempt * THRIFT, .state = fuzz_seed(data, size)};
    file(&w);
    const htz_status st = htz_spec_parse("drawn.yaml", text, w.used, &spec, &diags);
    if (getenv("HTZ_FUZZ_SHOW")) {
      fprintf(stderr, "%s%s\n", text, st ? diags.item[0].text : "good");
    }
    if (st) {
      fuzz_check_faults(&diags, st);
    }
  }
  if (spec) {
    fuzz_check_values(spec);
    fuzz_play(spec, fuzz_seed(data, size));
    htz_spec_free(spec);
  }
  return 0;
}
