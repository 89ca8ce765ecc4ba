#include "walk.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Reading by the rows of the schema.

unsigned htz_walk_context(const walk* w) {
  if (w->stage) {
    return HTZ_IN_PERFORMANCE;
  }
  if (w->shared) {
    return HTZ_IN_SHARED;
  }
  if (w->several) {
    return HTZ_IN_OBJECTS;
  }
  if (w->object) {
    return w->spec->grid ? HTZ_IN_GRID_OBJECT : HTZ_IN_MODAL_OBJECT;
  }
  return w->spec->grid ? HTZ_IN_GRID : HTZ_IN_MODAL;
}

size_t htz_walk_fields(const walk* w, htz_block_id block, size_t choice, walk_field* fields, htz_row_id* rows) {
  const htz_block* b = &htz_schema_blocks[block];
  const unsigned context = htz_walk_context(w);
  size_t n = 0;
  for (size_t i = b->first; i < b->first + b->n; ++i) {
    const htz_row* row = &htz_schema[i];
    const bool told = row->told & context;
    if (told || htz_row_in(row, context, choice)) {
      assert(n < WALK_FIELDS_MAX);
      rows[n] = (htz_row_id)i;
      fields[n++] = (walk_field){.name = row->range.name, .required = row->need & context};
    }
  }
  return n;
}

bool htz_walk_block(walk* w, const tree_node* node, const char* where, htz_block_id block, size_t choice, walk_block* in) {
  walk_field fields[WALK_FIELDS_MAX];
  htz_row_id rows[WALK_FIELDS_MAX];
  const tree_node* values[WALK_FIELDS_MAX];
  const size_t n = htz_walk_fields(w, block, choice, fields, rows);
  memset(in, 0, sizeof *in);
  in->first = htz_schema_blocks[block].first;
  assert(htz_schema_blocks[block].n <= WALK_FIELDS_MAX);
  if (!htz_walk_map(w, node, where, n, fields, values)) {
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    in->value[rows[i] - in->first] = values[i];
  }
  return true;
}

const tree_node* htz_walk_value(const walk_block* in, htz_row_id row) {
  assert(row >= in->first && row - in->first < WALK_FIELDS_MAX);
  return in->value[row - in->first];
}

htz_range htz_walk_range_of(htz_row_id row) {
  return htz_row_range(&htz_schema[row]);
}

bool htz_walk_row_table(walk* w, const walk_block* in, htz_row_id row, htz_table* table) {
  const tree_node* node = htz_walk_value(in, row);
  const htz_range range = htz_walk_range_of(row);
  if (node) {
    return htz_walk_table(w, node, &range, table);
  }
  htz_walk_row_default(w, row, table);
  return true;
}

void htz_walk_row_default(walk* w, htz_row_id row, htz_table* table) {
  const htz_range range = htz_walk_range_of(row);
  if (!isnan(htz_schema[row].initial)) {
    htz_walk_constant(w, htz_schema[row].initial, &range, table);
  }
}

bool htz_walk_row_number(walk* w, const walk_block* in, htz_row_id row, double* value) {
  const tree_node* node = htz_walk_value(in, row);
  const htz_range range = htz_walk_range_of(row);
  if (node) {
    return htz_walk_number(w, node, &range, value);
  }
  *value = isnan(htz_schema[row].initial) ? *value : htz_schema[row].initial;
  return true;
}

bool htz_walk_row_whole(walk* w, const walk_block* in, htz_row_id row, size_t* value) {
  const tree_node* node = htz_walk_value(in, row);
  const htz_range range = htz_walk_range_of(row);
  long whole;
  if (node) {
    const bool good = htz_walk_whole(w, node, &range, &whole);
    *value = good ? (size_t)whole : *value;
    return good;
  }
  *value = isnan(htz_schema[row].initial) ? *value : (size_t)htz_schema[row].initial;
  return true;
}

bool htz_walk_row_flag(walk* w, const walk_block* in, htz_row_id row, bool* value) {
  const tree_node* node = htz_walk_value(in, row);
  return !node || htz_walk_flag(w, node, htz_schema[row].range.name, value);
}

size_t htz_walk_word_of(walk* w, const tree_node* node, htz_row_id row) {
  return htz_walk_word_as(w, node, htz_schema[row].range.name, row);
}

size_t htz_walk_word_as(walk* w, const tree_node* node, const char* name, htz_row_id row) {
  enum { WORDS_MAX = 64 };
  const char* names[WORDS_MAX];
  size_t n = 0;
  while (n < WORDS_MAX && htz_row_word(&htz_schema[row], n)) {
    names[n] = htz_row_word(&htz_schema[row], n);
    ++n;
  }
  const size_t index = htz_walk_word(w, node, name, n, names);
  return index < n ? index : HTZ_NO_WORD;
}

size_t htz_walk_row_word(walk* w, const walk_block* in, htz_row_id row) {
  const tree_node* node = htz_walk_value(in, row);
  const double initial = htz_schema[row].initial;
  return node ? htz_walk_word_of(w, node, row) : isnan(initial) ? (size_t)HTZ_NO_WORD : (size_t)initial;
}

bool htz_walk_instead(const tree_node* node, htz_row_id row, size_t* index) {
  const char* word;
  for (size_t i = 0; node->type == TREE_SCALAR && !node->quoted && (word = htz_row_word(&htz_schema[row], i)); ++i) {
    if (strcmp(node->text, word) == 0) {
      *index = i;
      return true;
    }
  }
  return false;
}

bool htz_walk_bare_word(const tree_node* node) {
  return node->type == TREE_SCALAR && !node->quoted && node->length &&
         strspn(node->text, "abcdefghijklmnopqrstuvwxyz") == node->length;
}

/** @return true when both ends are good */
static bool walk_ends(walk* w, const tree_node* node, const htz_range* range, htz_table ends[2]) {
  if (!htz_walk_list(w, node, range->name, 2, 2)) {
    return false;
  }
  const bool low = htz_walk_table(w, node->first, range, &ends[0]);
  return htz_walk_table(w, node->first->next, range, &ends[1]) && low;
}

void htz_walk_row_ends(walk* w, const walk_block* in, htz_row_id row, htz_table ends[2]) {
  const htz_range range = htz_walk_range_of(row);
  if (htz_walk_value(in, row)) {
    walk_ends(w, htz_walk_value(in, row), &range, ends);
  }
}

void htz_walk_row_rising(walk* w, const walk_block* in, htz_row_id row, htz_table ends[2]) {
  const tree_node* node = htz_walk_value(in, row);
  const htz_range range = htz_walk_range_of(row);
  const bool good = node && walk_ends(w, node, &range, ends);
  for (int key = w->spec->key_low; w->keyed && good && key <= w->spec->key_high; ++key) {
    if (!(htz_table_at(&ends[0], key) < htz_table_at(&ends[1], key))) {
      htz_walk_fault(w, node, "%s: the %s at velocity 1 must be below the one at velocity 127 (key %d)", range.name, range.name,
                     key);
      return;
    }
  }
}

bool htz_walk_row_list(walk* w, const tree_node* node, htz_row_id row) {
  return htz_walk_list(w, node, htz_schema[row].range.name, htz_schema[row].least, htz_schema[row].most);
}
