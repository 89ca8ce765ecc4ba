#include "tree.h"

#include <string.h>
#include <yaml.h>

enum {
  DEPTH_MAX = 16,    // the language nests five deep
  NODES_MAX = 20000, // a spec with every property as a table over 128 keys has fewer
};

typedef struct {
  yaml_parser_t yaml;
  const char* text;
  size_t length;
  htz_arena* arena;
  htz_diags* diags;
  size_t nodes;
  htz_status status;
} tree_parser;

static void fault(tree_parser* p, yaml_mark_t mark, const char* what) {
  htz_diags_add(p->diags, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "%s", what);
  p->status = HTZ_BAD_INPUT;
}

/** Line and column of a byte offset: the reader reports undecodable bytes by offset only. */
static yaml_mark_t mark_of_offset(const tree_parser* p, size_t offset) {
  yaml_mark_t mark = {0};
  for (size_t i = 0; i < offset && i < p->length; ++i) {
    const unsigned char c = (unsigned char)p->text[i];
    if (c == '\n') {
      ++mark.line;
      mark.column = 0;
    } else if ((c & 0xc0) != 0x80) { // not a continuation byte of UTF-8
      ++mark.column;
    }
  }
  return mark;
}

static void syntax_fault(tree_parser* p) {
  const yaml_parser_t* yaml = &p->yaml;
  if (yaml->error == YAML_MEMORY_ERROR || yaml->error == YAML_NO_ERROR) { // some failed allocations are not marked as such
    p->status = HTZ_NO_MEMORY;
    return;
  }
  const bool reader = yaml->error == YAML_READER_ERROR;
  const yaml_mark_t mark = reader ? mark_of_offset(p, yaml->problem_offset) : yaml->problem_mark;
  const char* problem = yaml->problem ? yaml->problem : "unreadable";
  if (yaml->context) {
    htz_diags_add(p->diags, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "not valid YAML: %s (%s that began in line %u)",
                  problem, yaml->context, (unsigned)yaml->context_mark.line + 1);
  } else {
    htz_diags_add(p->diags, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "not valid YAML: %s", problem);
  }
  p->status = HTZ_BAD_INPUT;
}

static bool next_event(tree_parser* p, yaml_event_t* event) {
  if (yaml_parser_parse(&p->yaml, event)) {
    return true;
  }
  syntax_fault(p);
  return false;
}

/** Faults after which the rest of the file can still be checked. */
static void note(tree_parser* p, yaml_mark_t mark, const char* what) {
  htz_diags_add(p->diags, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "%s", what);
}

static void check_decoration(tree_parser* p, yaml_mark_t mark, const yaml_char_t* anchor, const yaml_char_t* tag) {
  if (anchor) {
    note(p, mark, "anchors (&name) are not part of the instrument language; write the value out where it is used");
  }
  if (tag) {
    note(p, mark, "tags (!name) are not part of the instrument language");
  }
}

static tree_node* new_node(tree_parser* p, tree_type type, yaml_mark_t mark) {
  tree_node* node = NULL;
  if (++p->nodes > NODES_MAX) {
    fault(p, mark, "too many values for one file (20000 at most)");
  } else if (!(node = htz_arena_alloc(p->arena, 1, sizeof *node))) {
    p->status = HTZ_NO_MEMORY;
  } else {
    node->type = type;
    node->line = (unsigned)mark.line + 1;
    node->column = (unsigned)mark.column + 1;
  }
  return node;
}

static tree_node* scalar_node(tree_parser* p, const yaml_event_t* event) {
  check_decoration(p, event->start_mark, event->data.scalar.anchor, event->data.scalar.tag);
  tree_node* node = new_node(p, TREE_SCALAR, event->start_mark);
  if (!node) {
    return NULL;
  }
  const size_t length = event->data.scalar.length;
  char* text = htz_arena_alloc(p->arena, length + 1, 1);
  if (!text) {
    p->status = HTZ_NO_MEMORY;
    return NULL;
  }
  memcpy(text, event->data.scalar.value, length);
  node->text = text;
  node->length = length;
  if (memchr(text, 0, length)) {
    note(p, event->start_mark, "a zero byte in the text");
    node->broken = true;
  }
  node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
  return node;
}

/** The node an event begins, or NULL when it begins none (a fault then, or the end of a list or map). */
static tree_node* begin_node(tree_parser* p, const yaml_event_t* event) {
  switch (event->type) {
  case YAML_ALIAS_EVENT: {
    note(p, event->start_mark, "aliases (*name) are not part of the instrument language; write the value out");
    tree_node* node = new_node(p, TREE_SCALAR, event->start_mark);
    if (node) {
      node->text = "";
      node->broken = true;
    }
    return node;
  }
  case YAML_SCALAR_EVENT:
    return scalar_node(p, event);
  case YAML_SEQUENCE_START_EVENT:
    check_decoration(p, event->start_mark, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    return new_node(p, TREE_LIST, event->start_mark);
  case YAML_MAPPING_START_EVENT:
    check_decoration(p, event->start_mark, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    return new_node(p, TREE_MAP, event->start_mark);
  default:
    return NULL;
  }
}

/** Lists and maps being read, innermost last. */
typedef struct {
  tree_node* open[DEPTH_MAX];
  tree_node* last[DEPTH_MAX]; // last child so far
  size_t depth;
} tree_stack;

static void append(tree_stack* stack, tree_node* node) {
  tree_node* parent = stack->open[stack->depth - 1];
  tree_node** last = &stack->last[stack->depth - 1];
  if (*last) {
    (*last)->next = node;
  } else {
    parent->first = node;
  }
  *last = node;
  ++parent->n;
}

/** Take one event of the document's content. @return false when reading stops. */
static bool take_event(tree_parser* p, tree_stack* stack, const yaml_event_t* event, tree_node** root) {
  if (event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT) {
    tree_node* closed = stack->open[--stack->depth];
    if (closed->type == TREE_MAP) {
      closed->n /= 2;
    }
    return true;
  }
  tree_node* node = begin_node(p, event);
  if (!node) {
    return false;
  }
  if (stack->depth) {
    append(stack, node);
  } else {
    *root = node;
  }
  if (node->type != TREE_SCALAR) {
    if (stack->depth == DEPTH_MAX) {
      fault(p, event->start_mark, "nested too deeply (16 levels at most)");
      return false;
    }
    stack->open[stack->depth] = node;
    stack->last[stack->depth++] = NULL;
  }
  return true;
}

/** Read events up to the end of the stream, building the tree of the only document. */
static void read_document(tree_parser* p, tree_node** root) {
  tree_stack stack = {.depth = 0};
  size_t documents = 0;
  bool going = true;
  while (going) {
    yaml_event_t event;
    if (!next_event(p, &event)) {
      return;
    }
    switch (event.type) {
    case YAML_STREAM_END_EVENT:
      going = false;
      break;
    case YAML_DOCUMENT_START_EVENT:
      if (++documents > 1) {
        fault(p, event.start_mark, "a second document begins here; an instrument file holds one");
        going = false;
      }
      break;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
      break;
    default:
      going = take_event(p, &stack, &event, root);
      break;
    }
    yaml_event_delete(&event);
  }
}

htz_status htz_tree_parse(const char* text, size_t length, htz_arena* arena, htz_diags* diags, tree_node** root) {
  tree_parser p = {.text = text, .length = length, .arena = arena, .diags = diags, .status = HTZ_OK};
  *root = NULL;
  if (!yaml_parser_initialize(&p.yaml)) {
    return HTZ_NO_MEMORY;
  }
  yaml_parser_set_encoding(&p.yaml, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&p.yaml, (const unsigned char*)text, length);
  read_document(&p, root);
  yaml_parser_delete(&p.yaml);
  if (!p.status && !*root) {
    htz_diags_add(diags, 1, 1, "the file is empty");
    p.status = HTZ_BAD_INPUT;
  }
  return p.status;
}

bool htz_tree_is_performance(const tree_node* root) {
  bool parts = false, bodies = false;
  for (const tree_node* key = root->type == TREE_MAP ? root->first : NULL; key; key = key->next->next) {
    const char* name = key->type == TREE_SCALAR ? key->text : "";
    parts = parts || strcmp(name, "parts") == 0;
    bodies = bodies || strcmp(name, "per_key") == 0 || strcmp(name, "objects") == 0;
  }
  return parts && !bodies;
}
