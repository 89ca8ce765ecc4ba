#include "hertzian/instrument/programs.h"

#include "text.h"
#include "walk.h"

#include "hertzian/instrument/folders.h"
#include "hertzian/instrument/performance_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
   A table of programs:

     format: 1
     programs:
       24: {name: Acoustic Guitar (nylon), play: guitar-nylon, variants: {8: ukulele}}
       30: guitar-electric
     kits:
       40: {name: Brush Kit, play: drum-kit}
*/

enum { TABLE_BYTES_MAX = 64 * 1024, NAMES_MAX = 1000 };

static const char installed_table[] = "map/general-midi.yaml";
static const char users_table[] = "programs.yaml";

typedef struct {
  const htz_spec_catalog* catalog;
  htz_programs* out;
  bool users; // the table that is read is the user's own
} reading;

static const htz_spec_entry* find(const htz_spec_catalog* catalog, const char* id) {
  for (size_t i = 0; i < catalog->n; ++i) {
    if (strcmp(catalog->entry[i].id, id) == 0) {
      return &catalog->entry[i];
    }
  }
  return NULL;
}

static void fault_name(walk* w, const tree_node* node, const htz_spec_catalog* catalog) {
  const char* names[NAMES_MAX];
  size_t n = 0;
  for (size_t i = 0; i < catalog->n && n < NAMES_MAX; ++i) {
    names[n++] = catalog->entry[i].id;
  }
  const char* near = htz_suggest(node->text, names, n);
  if (near) {
    htz_walk_fault(w, node, "play: no instrument \"%s\" is installed; did you mean \"%s\"?", node->text, near);
  } else {
    htz_walk_fault(w, node, "play: no instrument \"%s\" is installed (hertzian instruments lists them)", node->text);
  }
}

static void read_instrument(walk* w, const reading* r, const tree_node* node, htz_program* program) {
  if (node->type != TREE_SCALAR || node->length == 0) {
    if (!node->broken) {
      htz_walk_fault(w, node, "play: expected the name of an instrument");
    }
    return;
  }
  char path[HTZ_PATH_MAX];
  const htz_spec_entry* entry = find(r->catalog, node->text);
  const bool performance =
      htz_performance_find(node->text, true, path) || (!entry && htz_performance_find(node->text, false, path));
  if (performance && node->length < HTZ_PROGRAM_PLAYS && (r->users || program->reason == HTZ_PROGRAM_UNPLAYED)) {
    snprintf(program->performance, sizeof program->performance, "%s", node->text);
    program->reason = r->users ? HTZ_PROGRAM_CHOSEN : HTZ_PROGRAM_STAND_IN;
  } else if (r->users && !entry) {
    fault_name(w, node, r->catalog);
  } else if (r->users && entry->faults) {
    htz_walk_fault(w, node, "play: %s has faults (hertzian instruments validate %s says which)", entry->path, entry->path);
  } else if (entry && !entry->faults && (r->users || program->reason == HTZ_PROGRAM_UNPLAYED)) {
    program->plays = entry;
    program->performance[0] = '\0';
    program->reason = r->users ? HTZ_PROGRAM_CHOSEN : HTZ_PROGRAM_STAND_IN;
  }
}

static void read_variants(walk* w, const reading* r, const tree_node* node, unsigned program) {
  static const htz_range range = {"a bank", "", 1.0, HTZ_PROGRAMS - 1};
  if (node->type != TREE_MAP) {
    htz_walk_fault(w, node, "variants: expected a map of `BANK: INSTRUMENT`, banks from 1");
    return;
  }
  for (const tree_node* key = node->first; key; key = key->next->next) {
    long bank;
    if (!htz_walk_whole(w, key, &range, &bank)) {
      continue;
    }
    htz_program* variant = htz_programs_place(r->out, (unsigned)bank, program);
    if (variant) {
      read_instrument(w, r, key->next, variant);
    } else {
      htz_walk_fault(w, key, "variants: one too many; at most %d in all", (int)HTZ_VARIANTS_MAX);
    }
  }
}

static void read_program(walk* w, const reading* r, const tree_node* node, unsigned bank, unsigned number) {
  enum { NAME, PLAY, VARIANTS, FIELDS };
  static const walk_field fields[FIELDS] = {
      [NAME] = {.name = "name"}, [PLAY] = {.name = "play"}, [VARIANTS] = {.name = "variants"}};
  htz_program* program = htz_programs_place(r->out, bank, number);
  const tree_node* values[FIELDS];
  if (!program) {
    htz_walk_fault(w, node, "one too many; at most %d variants and kits", (int)HTZ_VARIANTS_MAX);
    return;
  }
  if (node->type != TREE_MAP) {
    read_instrument(w, r, node, program);
    return;
  }
  if (!htz_walk_map(w, node, bank == HTZ_BANK_KITS ? "kits" : "programs", bank == HTZ_BANK_KITS ? VARIANTS : FIELDS, fields,
                    values)) {
    return;
  }
  if (values[NAME] && (values[NAME]->type != TREE_SCALAR || values[NAME]->length >= HTZ_PROGRAM_NAME)) {
    htz_walk_fault(w, values[NAME], "name: expected a name of at most %d bytes", HTZ_PROGRAM_NAME - 1);
  } else if (values[NAME]) {
    snprintf(program->name, sizeof program->name, "%s", values[NAME]->text);
  }
  if (values[PLAY]) {
    read_instrument(w, r, values[PLAY], program);
  }
  if (bank == 0 && values[VARIANTS]) {
    read_variants(w, r, values[VARIANTS], number);
  }
}

static void read_programs(walk* w, const reading* r, const tree_node* node, unsigned bank, const char* what) {
  static const htz_range range = {"a program", "", 0.0, HTZ_PROGRAMS - 1};
  bool seen[HTZ_PROGRAMS] = {false};
  if (node->type != TREE_MAP) {
    htz_walk_fault(w, node, "%s: expected a map of `PROGRAM: INSTRUMENT`, programs counted from 0", what);
    return;
  }
  for (const tree_node* key = node->first; key; key = key->next->next) {
    long program;
    if (!htz_walk_whole(w, key, &range, &program)) {
      continue;
    }
    if (seen[program]) {
      htz_walk_fault(w, key, "%s: %ld stands twice", what, program);
      continue;
    }
    seen[program] = true;
    read_program(w, r, key->next, bank, (unsigned)program);
  }
}

static htz_status read_table(const reading* r, const char* path, htz_diags* diags) {
  enum { FORMAT, PROGRAMS, KITS, FIELDS };
  static const walk_field fields[FIELDS] = {
      [FORMAT] = {.name = "format", .required = true}, [PROGRAMS] = {.name = "programs"}, [KITS] = {.name = "kits"}};
  static const htz_range format_range = {"format", "", 1.0, 1.0};
  const tree_node* values[FIELDS];
  htz_arena memory = {0};
  tree_node* root;
  char* text = NULL;
  size_t length = 0;
  htz_diags_init(diags, path);
  htz_status status = htz_text_read(path, TABLE_BYTES_MAX, &text, &length, diags);
  if (status == HTZ_NOT_FOUND) {
    htz_diags_init(diags, path);
    return HTZ_OK;
  }
  if (!status && length > TABLE_BYTES_MAX) {
    htz_diags_add(diags, 0, 0, "longer than %d bytes; this is no table of programs", (int)TABLE_BYTES_MAX);
    status = HTZ_BAD_INPUT;
  }
  if (!status) {
    htz_arena_measure(&memory);
    status = htz_tree_parse(text, length, &memory, diags, &root);
  }
  if (!status) {
    walk w = {.diags = diags, .top = root};
    long format;
    if (htz_walk_map(&w, root, "the table", FIELDS, fields, values)) {
      if (values[FORMAT]) {
        htz_walk_whole(&w, values[FORMAT], &format_range, &format);
      }
      if (values[PROGRAMS]) {
        read_programs(&w, r, values[PROGRAMS], 0, fields[PROGRAMS].name);
      }
      if (values[KITS]) {
        read_programs(&w, r, values[KITS], HTZ_BANK_KITS, fields[KITS].name);
      }
    }
    htz_diags_sort(diags);
    status = diags->n ? HTZ_BAD_INPUT : HTZ_OK;
  }
  htz_arena_free(&memory);
  free(text);
  return status;
}

static void claim(const htz_spec_catalog* catalog, unsigned bank, htz_programs* out) {
  for (unsigned i = 0; i < HTZ_PROGRAMS; ++i) {
    const htz_spec_entry* entry = htz_spec_for_program(catalog, bank == HTZ_BANK_KITS, i);
    htz_program* program = entry ? htz_programs_place(out, bank, i) : NULL;
    if (program) {
      program->plays = entry;
      program->reason = HTZ_PROGRAM_OWN;
    }
  }
}

htz_status htz_programs_load(const htz_spec_catalog* catalog, htz_programs* out, htz_diags* diags) {
  char path[HTZ_PATH_MAX];
  reading r = {.catalog = catalog, .out = out};
  memset(out, 0, sizeof *out);
  htz_diags_init(diags, installed_table);
  claim(catalog, 0, out);
  claim(catalog, HTZ_BANK_KITS, out);
  htz_status status = htz_data_file(installed_table, path) ? read_table(&r, path, diags) : HTZ_OK;
  if (!status && htz_config_path(users_table, path)) {
    r.users = true;
    status = read_table(&r, path, diags);
  }
  return status;
}

static const htz_program* variant_at(const htz_programs* programs, unsigned bank, unsigned program) {
  for (size_t i = 0; bank > 0 && i < programs->n_variants; ++i) {
    const htz_variant* variant = &programs->variant[i];
    if (variant->bank == bank && variant->program == program && variant->plays.reason != HTZ_PROGRAM_UNPLAYED) {
      return &variant->plays;
    }
  }
  return NULL;
}

const htz_program* htz_programs_at(const htz_programs* programs, unsigned bank, unsigned program) {
  const htz_program* variant = variant_at(programs, bank, program);
  variant = variant || bank != HTZ_BANK_KITS ? variant : variant_at(programs, bank, 0);
  return variant ? variant : &programs->program[program % HTZ_PROGRAMS];
}

htz_program* htz_programs_place(htz_programs* programs, unsigned bank, unsigned program) {
  size_t i = 0;
  while (i < programs->n_variants && (programs->variant[i].bank != bank || programs->variant[i].program != program)) {
    ++i;
  }
  if (bank == 0) {
    return &programs->program[program];
  }
  if (i == HTZ_VARIANTS_MAX) {
    return NULL;
  }
  if (i == programs->n_variants) {
    programs->variant[programs->n_variants++] = (htz_variant){.program = (uint8_t)program, .bank = (uint8_t)bank};
    if (bank != HTZ_BANK_KITS) {
      memcpy(programs->variant[i].plays.name, programs->program[program].name, HTZ_PROGRAM_NAME);
    }
  }
  return &programs->variant[i].plays;
}

const char* htz_program_reason_text(htz_program_reason reason) {
  static const char* const words[] = {
      [HTZ_PROGRAM_UNPLAYED] = "none", [HTZ_PROGRAM_OWN] = "own",     [HTZ_PROGRAM_STAND_IN] = "stand-in",
      [HTZ_PROGRAM_CHOSEN] = "chosen", [HTZ_PROGRAM_GIVEN] = "given",
  };
  return words[reason];
}
