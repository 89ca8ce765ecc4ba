/*
   One mistake, one message, at its line: pairs of every instrument file there is, misspelt, left out, written twice, given what they
   cannot be. The files are written out again with one key a line, so that it is known where the mistake stands. One mistake in
   twenty-three is tried; with HERTZIAN_LONG set all of them (two minutes).
*/
#include "check.h"

#include "hertzian/instrument/catalog.h"
#include "hertzian/instrument/number.h"
#include "hertzian/instrument/spec.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 19, SHOWN_MAX = 8, EVERY = 23, LONG_FILE = 4096 };

typedef enum {
  NOTHING = 0, ///< the file as it is
  MISSPELT,    ///< last letter of the key twice: near enough to be recognised
  FOREIGN,     ///< a key that is near to nothing
  LEFT_OUT,
  TWICE,
  WRONG_TYPE,
  TOO_SMALL, ///< a number that is below every range
  EMPTY,
  MISTAKES
} mistake;

static const char* const names[MISTAKES] = {"as it is", "misspelt",   "foreign",   "left out",
                                            "twice",    "wrong type", "too small", "empty"};

/** A file being written, with one mistake in it. */
typedef struct {
  char* text;
  size_t n;
  unsigned line;
  mistake what;
  const tree_node* at;  ///< key of the pair it is made at, or the item of a list
  unsigned first, last; ///< lines of that pair
  unsigned map;         ///< line in which the map begins that the pair stands in
} writer;

static void put(writer* w, const char* text, size_t length) {
  assert_true(w->n + length < TEXT_MAX);
  for (size_t i = 0; i < length; ++i) {
    w->line += text[i] == '\n';
    w->text[w->n++] = text[i];
  }
}

static void say(writer* w, const char* text) {
  put(w, text, strlen(text));
}

static void put_scalar(writer* w, const tree_node* node) {
  if (!node->quoted && !strpbrk(node->text, ",[]{}#:'\"")) {
    put(w, node->text, node->length);
    return;
  }
  say(w, "\"");
  for (size_t i = 0; i < node->length; ++i) {
    const char c = node->text[i];
    if (c == '"' || c == '\\') {
      say(w, "\\");
    }
    put(w, c == '\n' ? "\\n" : &node->text[i], c == '\n' ? 2 : 1);
  }
  say(w, "\"");
}

static bool is_number(const tree_node* node) {
  double value;
  return node->type == TREE_SCALAR && !node->quoted && htz_number_parse(node->text, node->length, &value);
}

static void put_node(writer* w, const tree_node* node);

static void put_value(writer* w, const tree_node* node, bool here) {
  if (here && w->what == WRONG_TYPE) {
    say(w, node->type != TREE_SCALAR || is_number(node) ? "wibble" : "[1, 2, 3, 4, 5, 6, 7]");
  } else if (here && w->what == TOO_SMALL) {
    say(w, "-1.0e+30");
  } else if (!here || w->what != EMPTY) {
    put_node(w, node);
  }
}

static void put_pair(writer* w, const tree_node* key, unsigned map) {
  const bool here = w->at == key;
  if (here) {
    w->first = w->line;
    w->map = map;
  }
  if (here && w->what == LEFT_OUT) {
    w->last = w->line;
    return;
  }
  for (size_t i = 0; i < (here && w->what == TWICE ? 2 : 1); ++i) {
    if (here && w->what == FOREIGN) {
      say(w, "zzqx");
    } else {
      put_scalar(w, key);
      put(w, is_number(key) ? "x" : key->text + key->length - 1, here && w->what == MISSPELT ? 1 : 0);
    }
    say(w, ": ");
    put_value(w, key->next, here);
    if (here) {
      w->last = w->line;
    }
    say(w, ",\n");
  }
}

static void put_node(writer* w, const tree_node* node) {
  if (node->type == TREE_SCALAR) {
    put_scalar(w, node);
    return;
  }
  const unsigned map = w->line;
  say(w, node->type == TREE_MAP ? "{\n" : "[\n");
  for (const tree_node* it = node->first; it; it = node->type == TREE_MAP ? it->next->next : it->next) {
    if (node->type == TREE_MAP) {
      put_pair(w, it, map);
    } else {
      const bool here = w->at == it;
      w->first = here ? w->line : w->first;
      put_value(w, it, here);
      w->last = here ? w->line : w->last;
      say(w, ",\n");
    }
  }
  say(w, node->type == TREE_MAP ? "}" : "]");
}

/** What stands above a pair: enough to know what is a free name and what is text. */
typedef struct {
  const char* file;
  const tree_node* root;
  writer out;
  size_t turn, every; ///< one mistake of so many is tried
  size_t tried, wrong;
} trial;

/** Bodies have names of their own, and so have mallets and contacts: another name is no mistake by itself. */
static bool is_free(const char* path, const tree_node* key) {
  return strcmp(path, ".per_key") == 0 || strcmp(path, ".objects.-.per_key") == 0 || strcmp(path, ".shared") == 0 ||
         strcmp(path, ".action.body") == 0 || (key && strcmp(key->text, "name") == 0);
}

/** Likewise what is prepared, where a `kind` says what it is. */
static bool is_named_thing(const char* path, const tree_node* key) {
  bool kind = false;
  for (const tree_node* it = key && key->next->type == TREE_MAP ? key->next->first : NULL; it; it = it->next->next) {
    kind = kind || strcmp(it->text, "kind") == 0;
  }
  return kind && strcmp(path, ".preparations") == 0;
}

/** Messages that this mistake may give: at least and at most. */
static void expected(const char* path, const tree_node* key, mistake what, size_t range[2]) {
  const bool text = key && (strcmp(key->text, "name") == 0 || strcmp(key->text, "about") == 0);
  range[0] = what != NOTHING && what != LEFT_OUT &&
             !((what == MISSPELT || what == FOREIGN) && (is_free(path, NULL) || is_named_thing(path, key))) &&
             !(what == WRONG_TYPE && text && key->next->type != TREE_SCALAR);
  range[1] = what == NOTHING ? 0 : 1;
}

static void try_one(trial* t, const char* path, const tree_node* at, bool pair, mistake what) {
  htz_spec* spec;
  htz_diags diags;
  size_t range[2];
  if (what != NOTHING && ++t->turn % t->every != 0) {
    return;
  }
  t->out = (writer){.text = t->out.text, .line = 1, .what = what, .at = at};
  put_node(&t->out, t->root);
  htz_spec_parse(t->file, t->out.text, t->out.n, &spec, &diags);
  htz_spec_free(spec);
  expected(path, pair ? at : NULL, what, range);
  ++t->tried;
  bool good = diags.n >= range[0] && diags.n <= range[1];
  // Left out, a pair may be missed where it should stand, or by what needs it; so may a name that others use.
  const bool place = range[0] == 1;
  const unsigned line = diags.item[0].line;
  good = good && (!place || (line >= t->out.first && line <= t->out.last) || (what == FOREIGN && line == t->out.map));
  if (!good) {
    if (++t->wrong <= SHOWN_MAX) {
      print_error("%s: %s %s %s, lines %u to %u:\n", t->file, path, pair ? at->text : "(item)", names[what], t->out.first,
                  t->out.last);
      htz_diags_print(&diags, stderr);
    }
  }
}

static void walk_tree(trial* t, const tree_node* node, const char* path) {
  char below[256];
  for (const tree_node* it = node->type == TREE_SCALAR ? NULL : node->first; it;) {
    const bool pair = node->type == TREE_MAP;
    const tree_node* value = pair ? it->next : it;
    for (mistake what = NOTHING + 1; what < MISTAKES; ++what) {
      if (what == TOO_SMALL ? is_number(value) : pair || what == WRONG_TYPE) {
        try_one(t, path, it, pair, what);
      }
    }
    snprintf(below, sizeof below, "%s.%s", path, pair ? it->text : "-");
    walk_tree(t, value, below);
    it = value->next;
  }
}

static char* read_file(const char* path, size_t* length) {
  FILE* file = fopen(path, "rb");
  char* text = malloc(TEXT_MAX);
  assert_non_null(file);
  assert_non_null(text);
  *length = fread(text, 1, TEXT_MAX, file);
  fclose(file);
  return text;
}

static size_t check_file(const char* path, const char* name, size_t number, size_t* tried) {
  htz_arena arena;
  htz_diags diags;
  tree_node* root;
  size_t length;
  char* text = read_file(path, &length);
  htz_diags_init(&diags, name);
  htz_arena_measure(&arena);
  assert_int_equal(htz_tree_parse(text, length, &arena, &diags, &root), HTZ_OK);
  const size_t every = getenv("HERTZIAN_LONG") ? 1 : EVERY + length / LONG_FILE * EVERY; // a long file says things often
  trial t = {.file = name, .root = root, .out = {.text = malloc(TEXT_MAX)}, .turn = number, .every = every};
  assert_non_null(t.out.text);
  try_one(&t, "", NULL, false, NOTHING);
  walk_tree(&t, root, "");
  *tried += t.tried;
  free(t.out.text);
  free(text);
  htz_arena_free(&arena);
  if (t.wrong) {
    print_error("%s: %zu of %zu wrong\n", name, t.wrong, t.tried);
  }
  return t.wrong;
}

static void one_message_each(void** state) {
  htz_spec_catalog catalog;
  size_t files = 0, tried = 0, wrong = 0;
  const char* folder = HTZ_SOURCE_DIR "/instruments";
  (void)state;
  setenv("HERTZIAN_INSTRUMENTS", folder, 1);
  assert_int_equal(htz_spec_list(&catalog), HTZ_OK);
  for (size_t i = 0; i < catalog.n; ++i) {
    if (strncmp(catalog.entry[i].path, folder, strlen(folder)) == 0) {
      wrong += check_file(catalog.entry[i].path, catalog.entry[i].id, i, &tried);
      ++files;
    }
  }
  htz_spec_list_free(&catalog);
  print_message("%zu mistakes in %zu files, %zu not told once and in place\n", tried, files, wrong);
  assert_true(files > 0);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_message_each)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
