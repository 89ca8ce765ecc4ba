#include "hertzian/instrument/performance_file.h"

#include "head.h"
#include "text.h"
#include "walk.h"

#include "hertzian/instrument/number.h"

#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 16, ALL_CHANNELS = 0xFFFF, SEVEN_BITS = 127 };

typedef struct {
  walk w;
  const char* file; // its name, for the folder that it lies in
  htz_spec_source* source;
  void* user;
  htz_performance_file* out;
} reading;

htz_performance_part htz_performance_plain_part(const char* instrument, const htz_spec* spec) {
  htz_performance_part part = {
      .spec = spec, .channels = (uint16_t)ALL_CHANNELS, .key_high = SEVEN_BITS, .velocity_high = SEVEN_BITS};
  snprintf(part.instrument, sizeof part.instrument, "%s", instrument);
  return part;
}

static void folder_of(const char* file, char folder[HTZ_PATH_MAX]) {
  const char* slash = strrchr(file, '/');
  const size_t n = slash ? (size_t)(slash - file) + 1 : 0;
  snprintf(folder, HTZ_PATH_MAX, "%.*s", (int)(n < HTZ_PATH_MAX ? n : 0), file);
}

static void read_instrument(reading* r, const tree_node* node, htz_performance_part* part) {
  char folder[HTZ_PATH_MAX], why[HTZ_DIAG_TEXT] = "";
  const char* name = htz_walk_text(&r->w, node, "instrument", HTZ_PERFORMANCE_NAME);
  if (!name) {
    return;
  }
  folder_of(r->file, folder);
  snprintf(part->instrument, sizeof part->instrument, "%s", name);
  part->spec = r->source(r->user, name, folder, why);
  if (!part->spec) {
    htz_walk_fault(&r->w, node, "instrument: %s", why);
  }
}

static void read_channels(reading* r, const tree_node* node, htz_performance_part* part) {
  const htz_range range = htz_walk_range_of(HTZ_ROW_PART_CHANNELS);
  long channel;
  if (!htz_walk_row_list(&r->w, node, HTZ_ROW_PART_CHANNELS)) {
    return;
  }
  part->channels = 0;
  for (const tree_node* item = node->first; item; item = item->next) {
    if (!htz_walk_whole(&r->w, item, &range, &channel)) {
      continue;
    }
    const uint16_t bit = (uint16_t)(1u << (channel - 1));
    if (part->channels & bit) {
      htz_walk_fault(&r->w, item, "channels: %ld stands twice", channel);
    }
    part->channels |= bit;
  }
}

static bool read_key(walk* w, const tree_node* node, int* key) {
  const bool good = node->type == TREE_SCALAR && htz_key_parse(node->text, node->length, key);
  if (!good && !node->broken) {
    htz_walk_fault(w, node, "keys: %s%.20s%s is no key; a key is a number, 0 to 127, or a name such as C4 or F#3",
                   node->type == TREE_SCALAR ? "\"" : "what stands here", node->type == TREE_SCALAR ? node->text : "",
                   node->type == TREE_SCALAR ? "\"" : "");
  }
  return good;
}

static void read_keys(walk* w, const tree_node* node, htz_performance_part* part) {
  int low, high;
  if (!htz_walk_list(w, node, "keys", 2, 2)) {
    return;
  }
  const bool low_good = read_key(w, node->first, &low), high_good = read_key(w, node->first->next, &high);
  if (!low_good || !high_good) {
    return;
  }
  if (low > high) {
    htz_walk_fault(w, node, "keys: the lowest key comes first");
    return;
  }
  part->key_low = (uint8_t)low;
  part->key_high = (uint8_t)high;
}

static void read_velocity(walk* w, const tree_node* node, htz_performance_part* part) {
  const htz_range range = htz_walk_range_of(HTZ_ROW_PART_VELOCITY);
  long low, high;
  if (!htz_walk_list(w, node, "velocity", 2, 2)) {
    return;
  }
  const bool low_good = htz_walk_whole(w, node->first, &range, &low);
  if (!htz_walk_whole(w, node->first->next, &range, &high) || !low_good) {
    return;
  }
  if (low > high) {
    htz_walk_fault(w, node, "velocity: the softest comes first");
    return;
  }
  part->velocity_low = (uint8_t)low;
  part->velocity_high = (uint8_t)high;
}

static void read_settings(reading* r, const tree_node* node, htz_performance_part* part) {
  if (node->type != TREE_MAP) {
    htz_walk_fault(&r->w, node, "set: expected a map of parameters such as `mallet.hardness`");
    return;
  }
  if (!part->spec) {
    return; // what it has parameters for is not known
  }
  htz_spec view = *part->spec; // the walk takes memory from the spec it reads: not from one that others look at
  htz_arena_measure(&view.memory);
  walk w = {.spec = &view, .diags = r->w.diags, .top = r->w.top, .stage = true};
  for (const tree_node* key = node->first; key; key = key->next->next) {
    htz_performance_setting setting = {0};
    if (!htz_walk_setting(&w, key, "set", &setting.param, &setting.value)) {
      continue;
    }
    for (size_t i = 0; i < part->n_settings; i++) {
      if (part->setting[i].param == setting.param) {
        htz_walk_fault(&w, key, "set: \"%s\" stands twice", key->text);
      }
    }
    if (part->n_settings == HTZ_PERFORMANCE_SETTINGS) {
      htz_walk_fault(&w, key, "set: one too many; at most %d", (int)HTZ_PERFORMANCE_SETTINGS);
      break;
    }
    part->setting[part->n_settings++] = setting;
  }
  r->w.spec->memory.failed = r->w.spec->memory.failed || view.memory.failed;
  htz_arena_free(&view.memory);
}

static void read_part(reading* r, const tree_node* node) {
  walk* w = &r->w;
  walk_block in;
  if (!htz_walk_block(w, node, "parts", HTZ_BLOCK_PART, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  htz_performance_part part = htz_performance_plain_part("", NULL);
  const tree_node *instrument = htz_walk_value(&in, HTZ_ROW_PART_INSTRUMENT), *keys = htz_walk_value(&in, HTZ_ROW_PART_KEYS),
                  *channels = htz_walk_value(&in, HTZ_ROW_PART_CHANNELS),
                  *velocity = htz_walk_value(&in, HTZ_ROW_PART_VELOCITY),
                  *transpose = htz_walk_value(&in, HTZ_ROW_PART_TRANSPOSE), *set = htz_walk_value(&in, HTZ_ROW_PART_SET);
  const htz_range range = htz_walk_range_of(HTZ_ROW_PART_TRANSPOSE);
  long semitones = 0;
  if (instrument) {
    read_instrument(r, instrument, &part);
  }
  if (channels) {
    read_channels(r, channels, &part);
  }
  if (keys) {
    read_keys(w, keys, &part);
  }
  if (velocity) {
    read_velocity(w, velocity, &part);
  }
  if (transpose && htz_walk_whole(w, transpose, &range, &semitones)) {
    part.transpose = (int)semitones;
  }
  htz_walk_row_number(w, &in, HTZ_ROW_PART_LEVEL, &part.level_db);
  htz_walk_row_number(w, &in, HTZ_ROW_PART_PAN, &part.pan);
  if (set) {
    read_settings(r, set, &part);
  }
  r->out->part[r->out->n_parts++] = part;
}

static void read_programs(reading* r, const tree_node* node) {
  const htz_range range = htz_walk_range_of(HTZ_ROW_PERFORMANCE_PROGRAMS);
  long program;
  if (!htz_walk_row_list(&r->w, node, HTZ_ROW_PERFORMANCE_PROGRAMS)) {
    return;
  }
  for (const tree_node* item = node->first; item; item = item->next) {
    if (htz_walk_whole(&r->w, item, &range, &program)) {
      r->out->programs[r->out->n_programs++] = (uint8_t)program;
    }
  }
}

static void read_text(reading* r, const tree_node* node, const char* name, char* text, size_t size) {
  const char* read = node ? htz_walk_text(&r->w, node, name, size - 4) : NULL; // room for the end, and a little more
  snprintf(text, size, "%s", read ? read : "");
}

static void read_file(reading* r, const tree_node* root) {
  walk* w = &r->w;
  walk_block in;
  if (!htz_walk_block(w, root, "the file", HTZ_BLOCK_PERFORMANCE, HTZ_ANY_CHOICE, &in)) {
    return;
  }
  const tree_node *format = htz_walk_value(&in, HTZ_ROW_PERFORMANCE_FORMAT),
                  *programs = htz_walk_value(&in, HTZ_ROW_PERFORMANCE_PROGRAMS),
                  *parts = htz_walk_value(&in, HTZ_ROW_PERFORMANCE_PARTS);
  size_t bank = 0;
  if (format) {
    htz_walk_format(w, format);
  }
  read_text(r, htz_walk_value(&in, HTZ_ROW_PERFORMANCE_NAME), "name", r->out->name, sizeof r->out->name);
  read_text(r, htz_walk_value(&in, HTZ_ROW_PERFORMANCE_ABOUT), "about", r->out->about, sizeof r->out->about);
  if (programs) {
    read_programs(r, programs);
  }
  htz_walk_row_whole(w, &in, HTZ_ROW_PERFORMANCE_BANK, &bank);
  r->out->bank = (uint8_t)bank;
  if (parts && htz_walk_row_list(w, parts, HTZ_ROW_PERFORMANCE_PARTS)) {
    for (const tree_node* item = parts->first; item; item = item->next) {
      read_part(r, item);
    }
  }
}

htz_status htz_performance_parse(const char* name, const char* text, size_t length, htz_spec_source* source, void* user,
                                 htz_performance_file* out, htz_diags* diags) {
  tree_node* root;
  memset(out, 0, sizeof *out);
  htz_diags_init(diags, name);
  htz_spec* memory = htz_walk_new_spec(); // for its arena: texts of the file lie in it until it has been read
  htz_status status = memory ? htz_tree_parse(text, length, &memory->memory, diags, &root) : HTZ_NO_MEMORY;
  if (!status) {
    reading r = {.w = {.spec = memory, .diags = diags, .top = root, .stage = true},
                 .file = name,
                 .source = source,
                 .user = user,
                 .out = out};
    read_file(&r, root);
    htz_diags_sort(diags);
    status = memory->memory.failed ? HTZ_NO_MEMORY : diags->n ? HTZ_BAD_INPUT : HTZ_OK;
  }
  htz_spec_free(memory);
  return status;
}

static void look_for_claims(const tree_node* root, htz_diags* diags, void* user) {
  bool* any = user;
  (void)diags;
  *any = root->type == TREE_MAP && htz_walk_value_of(root, htz_schema[HTZ_ROW_PERFORMANCE_PROGRAMS].range.name);
}

htz_status htz_performance_claims(const char* path, bool* any) {
  *any = true;
  return htz_head_read(path, HTZ_PERFORMANCE_BYTES_MAX, look_for_claims, any);
}

htz_status htz_performance_load(const char* path, htz_spec_source* source, void* user, htz_performance_file* out,
                                htz_diags* diags) {
  char* text = NULL;
  size_t length = 0;
  htz_diags_init(diags, path);
  htz_status status = htz_text_read(path, HTZ_PERFORMANCE_BYTES_MAX, &text, &length, diags);
  if (!status && length > HTZ_PERFORMANCE_BYTES_MAX) {
    htz_diags_add(diags, 0, 0, "longer than %d bytes; this is no performance file", (int)HTZ_PERFORMANCE_BYTES_MAX);
    status = HTZ_BAD_INPUT;
  }
  status = status ? status : htz_performance_parse(path, text, length, source, user, out, diags);
  free(text);
  return status;
}

/** Text in quotes, as YAML reads it back. */
static void put_text(FILE* out, const char* key, const char* text) {
  fprintf(out, "%s: \"", key);
  for (const char* at = text; *at; at++) {
    fprintf(out, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
  }
  fputs("\"\n", out);
}

static void put_number(FILE* out, const char* key, double value) {
  char text[HTZ_NUMBER_TEXT];
  if (value != 0.0) {
    fprintf(out, "    %s: %s\n", key, htz_number_text(value, text));
  }
}

static void put_channels(FILE* out, uint16_t channels) {
  const char* comma = "";
  fputs("    channels: [", out);
  for (unsigned c = 0; c < CHANNELS; c++) {
    if (channels >> c & 1u) {
      fprintf(out, "%s%u", comma, c + 1);
      comma = ", ";
    }
  }
  fputs("]\n", out);
}

static void put_settings(FILE* out, const htz_performance_part* part) {
  char text[HTZ_NUMBER_TEXT];
  fputs(part->n_settings > 0 ? "    set:\n" : "", out);
  for (size_t i = 0; i < part->n_settings; i++) {
    const htz_performance_setting* setting = &part->setting[i];
    const char* const* words = htz_spec_param_words(part->spec, setting->param);
    fprintf(out, "      %s: %s\n", htz_spec_param(part->spec, setting->param).name,
            words ? words[(size_t)setting->value] : htz_number_text(setting->value, text));
  }
}

htz_status htz_performance_write(const htz_performance_file* performance, FILE* out) {
  fputs("format: 1\n", out);
  if (performance->name[0]) {
    put_text(out, "name", performance->name);
  }
  if (performance->about[0]) {
    put_text(out, "about", performance->about);
  }
  for (size_t i = 0; i < performance->n_programs; i++) {
    fprintf(out, "%s%u", i ? ", " : "programs: [", performance->programs[i]);
  }
  fputs(performance->n_programs > 0 ? "]\n" : "", out);
  if (performance->bank > 0) {
    fprintf(out, "bank: %u\n", performance->bank);
  }
  fputs("parts:\n", out);
  for (size_t i = 0; i < performance->n_parts; i++) {
    const htz_performance_part* part = &performance->part[i];
    put_text(out, "  - instrument", part->instrument);
    if (part->channels != ALL_CHANNELS) {
      put_channels(out, part->channels);
    }
    if (part->key_low > 0 || part->key_high < SEVEN_BITS) {
      fprintf(out, "    keys: [%u, %u]\n", part->key_low, part->key_high);
    }
    if (part->velocity_low > 0 || part->velocity_high < SEVEN_BITS) {
      fprintf(out, "    velocity: [%u, %u]\n", part->velocity_low, part->velocity_high);
    }
    put_number(out, "transpose", part->transpose);
    put_number(out, "level", part->level_db);
    put_number(out, "pan", part->pan);
    put_settings(out, part);
  }
  return ferror(out) ? HTZ_IO : HTZ_OK;
}
