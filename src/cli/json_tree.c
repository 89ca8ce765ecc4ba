#include "json_tree.h"

#include "json.h"

#include <assert.h>

static void begin(htz_json_tree* tree, const char* key) {
  const bool flat = tree->flat[tree->depth];
  if (tree->depth > 0) {
    fputs(tree->any[tree->depth] ? (flat ? ", " : ",\n") : (flat ? "" : "\n"), tree->out);
    fprintf(tree->out, "%*s", flat ? 0 : (int)(2 * tree->depth), "");
  }
  tree->any[tree->depth] = true;
  if (key) {
    htz_json_string(tree->out, key);
    fputs(": ", tree->out);
  }
}

void htz_json_open(htz_json_tree* tree, const char* key, char bracket, bool flat) {
  begin(tree, key);
  fputc(bracket, tree->out);
  assert(tree->depth + 1 < HTZ_JSON_DEPTH_MAX);
  ++tree->depth;
  tree->flat[tree->depth] = flat || tree->flat[tree->depth - 1];
  tree->any[tree->depth] = false;
}

void htz_json_close(htz_json_tree* tree, char bracket) {
  const bool line = tree->any[tree->depth] && !tree->flat[tree->depth];
  --tree->depth;
  if (line) {
    fprintf(tree->out, "\n%*s", (int)(2 * tree->depth), "");
  }
  fputc(bracket, tree->out);
  if (tree->depth == 0) {
    fputc('\n', tree->out);
  }
}

void htz_json_text(htz_json_tree* tree, const char* key, const char* text) {
  begin(tree, key);
  htz_json_string(tree->out, text);
}

void htz_json_value(htz_json_tree* tree, const char* key, double value) {
  begin(tree, key);
  htz_json_same(tree->out, value);
}

void htz_json_flag(htz_json_tree* tree, const char* key, bool value) {
  begin(tree, key);
  fputs(value ? "true" : "false", tree->out);
}
