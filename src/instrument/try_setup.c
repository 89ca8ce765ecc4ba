#include "bow.h"
#include "build.h"

#include "hertzian/instrument/number.h"

// Whether the keys of a file can be made at a sample rate, and what of the file is at fault.

/** The first key that cannot be made, and why. */
typedef struct {
  size_t made, failed;
  bool fatal; // not at any sample rate
  int key;
  htz_spec_mark at;
  char why[HTZ_DIAG_TEXT / 2];
} outcome;

static void note(const builder* build, int key, htz_status status, outcome* o) {
  o->fatal = o->fatal || status != HTZ_UNSUPPORTED;
  if (o->failed++ == 0) {
    o->key = key;
    o->at = htz_spec_place(build->spec, build->where);
    snprintf(o->why, sizeof o->why, "%s", build->why ? build->why : htz_status_text(status));
  }
}

static htz_status try_key(builder* build, int key, htz_bridge* bridge, outcome* o) {
  htz_arena trial;
  htz_island* island = NULL;
  island_plan plan = {0};
  htz_arena_measure(&trial);
  build->arena = &trial;
  build->why = NULL;
  build->where[0] = '\0';
  htz_status st = htz_build_island(build, key, &island, &plan);
  if (!st && bridge && !htz_spec_apart_why(build->spec)) {
    st = htz_bridge_attach(bridge, (size_t)key, island, 0.0, build->arena);
  }
  if (st == HTZ_OK) {
    ++o->made;
  } else if (st != HTZ_NO_MEMORY) {
    note(build, key, st, o);
  }
  htz_arena_free(&trial);
  return st == HTZ_NO_MEMORY ? st : HTZ_OK;
}

static void say(const builder* build, const outcome* o, htz_diags* diags) {
  char rate[HTZ_NUMBER_TEXT];
  htz_number_text(build->rate_hz, rate);
  if (o->fatal) {
    htz_diags_add(diags, o->at.line, o->at.column, "%s (at key %d)", o->why, o->key);
  } else if (o->made == 0) {
    htz_diags_add(diags, o->at.line, o->at.column, "%s (at %s Hz, where no key can be made)", o->why, rate);
  } else if (o->failed == 1) {
    htz_diags_warn(diags, o->at.line, o->at.column, "%s (at %s Hz: key %d is silent)", o->why, rate, o->key);
  } else {
    htz_diags_warn(diags, o->at.line, o->at.column, "%s (at %s Hz: %zu keys are silent, the lowest of them %d)", o->why, rate,
                   o->failed, o->key);
  }
}

htz_status htz_instrument_try(const htz_spec* spec, double rate_hz, const htz_kernels* kernels, htz_diags* diags) {
  builder build = {.spec = spec, .rate_hz = rate_hz, .kernels = kernels};
  htz_arena shared;
  htz_board board = {0};
  outcome o = {.made = 0};
  size_t modes = 0;
  htz_arena_measure(&shared);
  build.arena = &shared;
  htz_status st = htz_build_reader(&build); // once for all keys
  st = st ? st : htz_build_board(&build, &board, &modes);
  if (st && st != HTZ_NO_MEMORY) {
    note(&build, spec->key_low, st, &o);
    st = HTZ_OK;
  }
  for (int key = spec->key_low; key <= spec->key_high && !st && !(spec->board.given && !board.body); ++key) {
    build.spec = htz_spec_object(spec, key);
    st = build.spec && htz_bow_has_island(build.spec, key) ? try_key(&build, key, board.bridge, &o) : HTZ_OK;
  }
  htz_arena_free(&shared); // last: the keys were tried on its bridge
  if (!st && o.failed > 0) {
    say(&build, &o, diags);
  }
  return st ? st : o.fatal || (o.failed > 0 && o.made == 0) ? HTZ_BAD_INPUT : HTZ_OK;
}
