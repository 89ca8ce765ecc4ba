#include "walk.h"

#include "hertzian/instrument/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  SHOWN_MAX = 40,  // bytes of the user's text that a message repeats
  NAMES_MAX = 400, // bytes for a list of names in a message
};

void htz_walk_fault(walk* w, const tree_node* node, const char* format, ...) {
  char text[HTZ_DIAG_TEXT];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  htz_diags_add(w->diags, node->line, node->column, "%s", text);
}

void* htz_walk_alloc(walk* w, size_t count, size_t size) {
  return htz_arena_alloc(&w->spec->memory, count, size);
}

const char* htz_walk_names(size_t n, const char* const* names, size_t size, char* text) {
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < n && used < size; ++i) {
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", names[i]);
  }
  return text;
}

static const char* type_text(const tree_node* node) {
  switch (node->type) {
  case TREE_LIST:
    return "a list";
  case TREE_MAP:
    return "a map";
  default:
    return node->length || node->quoted ? "a single value" : "nothing";
  }
}

/** The user's text, shortened for a message. */
static const char* shown(const tree_node* node, char out[SHOWN_MAX + 4]) {
  size_t n = node->length < SHOWN_MAX ? node->length : SHOWN_MAX;
  while (n < node->length && n > 0 && ((unsigned char)node->text[n] & 0xc0) == 0x80) {
    --n; // not in the middle of a character
  }
  memcpy(out, node->text, n);
  strcpy(out + n, n < node->length ? "..." : "");
  return out;
}

static size_t field_index(const char* name, size_t n, const walk_field* fields) {
  size_t i = 0;
  while (i < n && strcmp(fields[i].name, name) != 0) {
    ++i;
  }
  return i;
}

/** Report a key that is none of the fields. @return the field it most likely was meant to be, or n */
static size_t report_unknown(walk* w, const tree_node* key, const char* where, size_t n, const walk_field* fields) {
  const char* names[WALK_FIELDS_MAX] = {NULL};
  char text[SHOWN_MAX + 4], list[NAMES_MAX];
  size_t allowed = 0;
  for (size_t i = 0; i < n; ++i) {
    names[allowed] = fields[i].name;
    allowed += !fields[i].refused;
  }
  const char* near = htz_suggest(key->text, names, allowed);
  htz_walk_names(allowed, names, sizeof list, list);
  if (key->length && strspn(key->text, "0123456789") == key->length) {
    // What is left of {mass: 1,5}: a comma ends the value there.
    htz_walk_fault(w, key, "unknown key \"%s\" in %s; if it belongs to the number before, decimals take a point: 1.5",
                   shown(key, text), where);
    return n;
  }
  if (near) {
    htz_walk_fault(w, key, "unknown key \"%s\" in %s; did you mean \"%s\"? Allowed: %s", shown(key, text), where, near, list);
    return field_index(near, n, fields);
  }
  htz_walk_fault(w, key, "unknown key \"%s\" in %s. Allowed: %s", shown(key, text), where, list);
  return n;
}

/** Keys that are none of the fields: one that is near to a field not given is read as that, so that it is not missed as well. */
static void take_unknown(walk* w, const tree_node* node, const char* where, size_t n, const walk_field* fields,
                         const tree_node** values) {
  for (const tree_node* key = node->first; key; key = key->next->next) {
    if (key->type != TREE_SCALAR || key->broken || field_index(key->text, n, fields) < n) {
      continue;
    }
    const size_t meant = report_unknown(w, key, where, n, fields);
    if (meant < n && !values[meant]) {
      values[meant] = key->next;
    } else {
      ++w->foreign;
    }
  }
}

bool htz_walk_map(walk* w, const tree_node* node, const char* where, size_t n, const walk_field* fields,
                  const tree_node** values) {
  size_t missing = 0;
  w->foreign = 0;
  for (size_t i = 0; i < n; ++i) {
    values[i] = NULL;
  }
  if (node->type != TREE_MAP) {
    if (!node->broken) {
      htz_walk_fault(w, node, "%s: expected a map of `name: value`, found %s", where, type_text(node));
    }
    return false;
  }
  for (const tree_node* key = node->first; key; key = key->next->next) {
    if (key->type != TREE_SCALAR) {
      htz_walk_fault(w, key, "%s: a key must be a plain name, not %s", where, type_text(key));
      ++w->foreign;
      continue;
    }
    const size_t i = key->broken ? n : field_index(key->text, n, fields);
    if (i < n && values[i]) {
      htz_walk_fault(w, key, "\"%s\" stands twice in %s; first in line %u", fields[i].name, where, values[i]->line);
    } else if (i < n) {
      values[i] = key->next;
    }
    w->foreign += key->broken;
  }
  take_unknown(w, node, where, n, fields, values);
  for (size_t i = 0; i < n; ++i) {
    missing += fields[i].required && !values[i];
  }
  // Each of the keys that mean nothing here may be the name of one that is missing: one mistake is told once.
  for (size_t i = 0; i < n && missing > w->foreign; ++i) {
    if (fields[i].required && !values[i]) {
      htz_walk_fault(w, node, "%s: missing key \"%s\"", where, fields[i].name);
    }
  }
  return true;
}

/** Say why a scalar is no number, in the way most likely to help. */
static void report_no_number(walk* w, const tree_node* node, const htz_range* range) {
  char text[SHOWN_MAX + 4], point[SHOWN_MAX + 4];
  double value;
  const char* comma = memchr(node->text, ',', node->length);
  shown(node, text);
  if (node->length == 0 && !node->quoted) {
    htz_walk_fault(w, node, "%s: a number is missing", range->name);
    return;
  }
  if (comma && node->length <= SHOWN_MAX) {
    strcpy(point, text);
    point[comma - node->text] = '.';
    if (htz_number_parse(point, node->length, &value)) {
      htz_walk_fault(w, node, "%s: \"%s\" is not a number; decimals take a point: %s", range->name, text, point);
      return;
    }
  }
  if (node->quoted && htz_number_parse(node->text, node->length, &value)) {
    htz_walk_fault(w, node, "%s: \"%s\" is text; a number stands without quotes", range->name, text);
    return;
  }
  size_t digits = strspn(node->text, "+-.0123456789");
  if (digits && digits < node->length && range->unit[0] && htz_number_parse(node->text, digits, &value)) {
    htz_walk_fault(w, node, "%s: \"%s\" is not a number; write it without its unit, in %s", range->name, text, range->unit);
    return;
  }
  htz_walk_fault(w, node, "%s: \"%s\" is not a number", range->name, text);
}

static void report_range(walk* w, const tree_node* node, const htz_range* range) {
  char text[SHOWN_MAX + 4], low[HTZ_NUMBER_TEXT], high[HTZ_NUMBER_TEXT];
  const char* space = range->unit[0] ? " " : "";
  htz_walk_fault(w, node, "%s: %s%s%s is out of range; allowed: %s to %s%s%s", range->name, shown(node, text), space,
                 range->unit, htz_number_text(range->minimum, low), htz_number_text(range->maximum, high), space, range->unit);
}

bool htz_walk_number(walk* w, const tree_node* node, const htz_range* range, double* value) {
  double number;
  if (node->broken) {
    return false;
  }
  if (node->type != TREE_SCALAR) {
    htz_walk_fault(w, node, "%s: expected a number, found %s", range->name, type_text(node));
    return false;
  }
  if (node->quoted || !htz_number_parse(node->text, node->length, &number)) {
    report_no_number(w, node, range);
    return false;
  }
  if (!(number >= range->minimum && number <= range->maximum)) {
    report_range(w, node, range);
    return false;
  }
  *value = number;
  return true;
}

bool htz_walk_whole(walk* w, const tree_node* node, const htz_range* range, long* value) {
  double number;
  if (!htz_walk_number(w, node, range, &number)) {
    return false;
  }
  if (number != floor(number)) {
    char text[SHOWN_MAX + 4];
    htz_walk_fault(w, node, "%s: %s is not a whole number", range->name, shown(node, text));
    return false;
  }
  *value = (long)number;
  return true;
}

typedef struct {
  double key, value;
  const tree_node* node; // of the key in the file
} point;

static int compare_points(const void* a, const void* b) {
  const double left = ((const point*)a)->key, right = ((const point*)b)->key;
  return (left > right) - (left < right);
}

/** Lay the points, sorted, into the spec. */
static void finish_table(walk* w, size_t n, const point* points, const htz_range* range, htz_table* table) {
  double* numbers = htz_walk_alloc(w, 2 * n, sizeof *numbers);
  if (!numbers) {
    return;
  }
  *table = (htz_table){n, numbers, numbers + n, true, range->minimum, range->maximum};
  for (size_t i = 0; i < n; ++i) {
    numbers[i] = points[i].key;
    numbers[n + i] = points[i].value;
    table->logarithmic = table->logarithmic && points[i].value > 0.0;
  }
}

void htz_walk_constant(walk* w, double value, const htz_range* range, htz_table* table) {
  const point one = {0.0, value, NULL};
  finish_table(w, 1, &one, range, table);
}

/** First key that the slope of the end takes out of range, going from `end` by `step`; HTZ_KEYS when there is none. */
static int first_beyond(const htz_table* table, const point* end, int step) {
  for (int key = (int)end->key + step; key >= 0 && key < HTZ_KEYS; key += step) {
    const double value = htz_table_unlimited(table, key);
    if (!(value >= table->minimum && value <= table->maximum)) {
      return key;
    }
  }
  return HTZ_KEYS;
}

/**
   Between two points a table keeps within the range of its values; beyond the ends it may not. A fault among the keys of the
   instrument; a warning among those it has only by its scaling.
*/
static void check_beyond(walk* w, const point* end, const htz_range* range, const htz_table* table, int step) {
  if (!w->keyed || w->held || table->n < 2) {
    return;
  }
  const int key = first_beyond(table, end, step);
  const bool own = key >= w->spec->key_low && key <= w->spec->key_high;
  if (key == HTZ_KEYS || (!own && w->spec->strict)) {
    return;
  }
  char value[HTZ_NUMBER_TEXT], low[HTZ_NUMBER_TEXT], high[HTZ_NUMBER_TEXT], text[HTZ_DIAG_TEXT];
  const char* space = range->unit[0] ? " " : "";
  snprintf(text, sizeof text,
           "%s: beyond key %.0f the table goes on to %s%s%s at key %d, out of range; allowed: %s to %s%s%s%s", range->name,
           end->key, htz_number_text(htz_table_unlimited(table, key), value), space, range->unit, key,
           htz_number_text(range->minimum, low), htz_number_text(range->maximum, high), space, range->unit,
           own ? "" : "; it is held there");
  if (own) {
    htz_walk_fault(w, end->node, "%s", text);
  } else {
    htz_diags_warn(w->diags, end->node->line, end->node->column, "%s", text);
  }
}

bool htz_walk_table(walk* w, const tree_node* node, const htz_range* range, htz_table* table) {
  point points[HTZ_KEYS];
  bool seen[HTZ_KEYS] = {false};
  size_t n = 0;
  bool good = true;
  if (w->shared && node->type == TREE_MAP) {
    htz_walk_fault(w, node, "%s: a shared body is the same for all keys; a table over keys cannot stand here", range->name);
    return false;
  }
  if (node->type != TREE_MAP) {
    if (node->type == TREE_LIST) {
      htz_walk_fault(w, node, "%s: expected a number or a table over keys such as {45: 1.0, 96: 0.2}, found a list",
                     range->name);
      return false;
    }
    double value;
    if (!htz_walk_number(w, node, range, &value)) {
      return false;
    }
    htz_walk_constant(w, value, range, table);
    return true;
  }
  const htz_range key_range = {"key number", "", 0.0, HTZ_KEYS - 1};
  for (const tree_node* key = node->first; key; key = key->next->next) {
    long number;
    double value = 0.0;
    const bool key_good = htz_walk_whole(w, key, &key_range, &number);
    const bool value_good = htz_walk_number(w, key->next, range, &value);
    good = good && key_good && value_good;
    if (!key_good) {
      continue;
    }
    if (seen[number]) {
      htz_walk_fault(w, key, "%s: key %ld stands twice in this table", range->name, number);
      good = false;
    } else {
      seen[number] = true;
      points[n++] = (point){(double)number, value, key};
    }
  }
  if (node->n == 0) {
    htz_walk_fault(w, node, "%s: the table is empty", range->name);
    return false;
  }
  if (!good) {
    return false;
  }
  qsort(points, n, sizeof *points, compare_points);
  finish_table(w, n, points, range, table);
  check_beyond(w, &points[0], range, table, -1);
  check_beyond(w, &points[n - 1], range, table, 1);
  return true;
}

void htz_walk_table_or(walk* w, const tree_node* node, double value, const htz_range* range, htz_table* table) {
  if (node) {
    htz_walk_table(w, node, range, table);
  } else {
    htz_walk_constant(w, value, range, table);
  }
}

bool htz_walk_key(walk* w, const tree_node* node, long* key) {
  static const htz_range range = {"keys", "", 0.0, HTZ_KEYS - 1};
  return htz_walk_whole(w, node, &range, key);
}

bool htz_walk_key_range(walk* w, const tree_node* node, const char* name, int* low, int* high) {
  const htz_range range = {name, "", 0.0, HTZ_KEYS - 1};
  long first, last;
  if (!htz_walk_list(w, node, name, 2, 2)) {
    return false;
  }
  const bool first_good = htz_walk_whole(w, node->first, &range, &first);
  const bool last_good = htz_walk_whole(w, node->first->next, &range, &last);
  if (!first_good || !last_good) {
    return false;
  }
  if (first > last) {
    htz_walk_fault(w, node, "%s: the lowest key comes first", name);
    return false;
  }
  *low = (int)first;
  *high = (int)last;
  return true;
}

bool htz_walk_list(walk* w, const tree_node* node, const char* name, size_t least, size_t most) {
  if (node->broken) {
    return false;
  }
  if (node->type != TREE_LIST) {
    htz_walk_fault(w, node, "%s: expected a list such as [1, 2], found %s", name, type_text(node));
    return false;
  }
  if (node->n < least || node->n > most) {
    if (least == most) {
      htz_walk_fault(w, node, "%s: %zu item%s; it takes %zu%s", name, node->n, node->n == 1 ? "" : "s", least,
                     node->n > most ? " (a comma separates items, decimals take a point)" : "");
    } else {
      htz_walk_fault(w, node, "%s: %zu item%s; it takes %zu to %zu", name, node->n, node->n == 1 ? "" : "s", least, most);
    }
    return false;
  }
  return true;
}

const char* htz_walk_text(walk* w, const tree_node* node, const char* name, size_t most) {
  if (node->broken) {
    return NULL;
  }
  if (node->type != TREE_SCALAR || node->length == 0) {
    htz_walk_fault(w, node, "%s: expected text, found %s", name, type_text(node));
    return NULL;
  }
  if (node->length > most) {
    htz_walk_fault(w, node, "%s: %zu bytes of text; at most %zu", name, node->length, most);
    return NULL;
  }
  char* text = htz_walk_alloc(w, node->length + 1, 1);
  if (!text) {
    return NULL;
  }
  for (size_t i = 0; i < node->length; ++i) {
    const unsigned char c = (unsigned char)node->text[i];
    text[i] = c < 0x20 || c == 0x7f ? ' ' : node->text[i]; // folded text keeps its last line break
  }
  for (size_t n = node->length; n > 0 && text[n - 1] == ' '; --n) {
    text[n - 1] = '\0';
  }
  return text;
}

bool htz_walk_flag(walk* w, const tree_node* node, const char* name, bool* value) {
  static const char* const words[] = {"false", "true"};
  const size_t index = htz_walk_word(w, node, name, 2, words);
  if (index == 2) {
    return false;
  }
  *value = index == 1;
  return true;
}

size_t htz_walk_word(walk* w, const tree_node* node, const char* name, size_t n, const char* const* names) {
  char list[NAMES_MAX], text[SHOWN_MAX + 4];
  if (node->broken) {
    return n;
  }
  htz_walk_names(n, names, sizeof list, list);
  if (node->type != TREE_SCALAR || node->length == 0) {
    htz_walk_fault(w, node, "%s: expected one of: %s; found %s", name, list, type_text(node));
    return n;
  }
  for (size_t i = 0; i < n; ++i) {
    if (strcmp(node->text, names[i]) == 0) {
      return i;
    }
  }
  const char* near = htz_suggest(node->text, names, n);
  if (near) {
    htz_walk_fault(w, node, "%s: unknown \"%s\"; did you mean \"%s\"? Allowed: %s", name, shown(node, text), near, list);
  } else {
    htz_walk_fault(w, node, "%s: unknown \"%s\". Allowed: %s", name, shown(node, text), list);
  }
  return n;
}
