#include "hertzian/instrument/instrument.h"
#include "hertzian/instrument/number.h"
#include "hertzian/instrument/spec_grid.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  MODES_BUILT_MAX = 16, // instruments with more modes a key than this are read, but not built: it would only be slow
};

static void require(bool condition) {
  if (!condition) {
    abort();
  }
}

/** A file that is refused says why, in the file, in order. */
static void check_faults(const htz_diags* diags, htz_status st) {
  require(diags->n > 0 && diags->n <= HTZ_DIAGS_MAX);
  for (size_t i = 0; i < diags->n; ++i) {
    const htz_diag* it = &diags->item[i];
    require(it->text[0] != '\0' && memchr(it->text, '\0', HTZ_DIAG_TEXT) != NULL);
    require(strpbrk(it->text, "\n\r\t\x1b") == NULL);
    require(i == 0 || it->line >= it[-1].line);
    require(st != HTZ_BAD_INPUT || it->line > 0 || diags->n == 1);
  }
}

/** A file that is accepted has only values in their ranges, at any key. */
static void check_values(const htz_spec* spec) {
  require(spec->name && spec->about && (spec->grid ? spec->grid->n_bodies >= 1 : spec->n_bodies >= 1));
  require(spec->n_pickups + spec->board.n_pickups >= 1 && !spec->board.given == !spec->board.n_pickups);
  require(spec->key_low >= 0 && spec->key_low <= spec->key_high && spec->key_high < HTZ_KEYS);
  for (int key = 0; key < HTZ_KEYS; ++key) {
    require(htz_table_at(&spec->mallet.mass, key) > 0.0 || spec->grid);
    require(htz_table_at(&spec->mallet.stiffness, key) > 0.0);
    require(htz_table_at(&spec->mallet.exponent, key) >= 1.0);
    for (size_t p = 0; p < spec->n_pickups; ++p) {
      require(isfinite(htz_table_at(&spec->pickups[p].gain, key)));
    }
    for (size_t d = 0; d < spec->board.n_drives; ++d) {
      require(isfinite(htz_table_at(&spec->board.drives[d].gain, key)));
    }
    for (size_t b = 0; b < spec->n_bodies; ++b) {
      const size_t count = htz_spec_count(&spec->bodies[b], key);
      require(count >= 1 && count <= (b == 0 ? HTZ_STRUCK_UNISON_MAX : 1));
    }
  }
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    require(spec->feeds[f].from < spec->feeds[f].to && spec->feeds[f].to < spec->n_bodies);
  }
}

static void try_build(const htz_spec* spec) {
  if (spec->grid) {
    return; // the parser has made every key of its range
  }
  for (size_t b = 0; b < spec->n_bodies; ++b) {
    if (spec->bodies[b].max_modes > MODES_BUILT_MAX) {
      return;
    }
  }
  if (spec->board.given && spec->board.body.max_modes > MODES_BUILT_MAX) {
    return;
  }
  htz_arena arena;
  htz_instrument* it;
  const char* why;
  const double rate_hz = 48000.0;
  if (htz_instrument_build(spec, rate_hz, htz_kernels_select(), NULL, &arena, &it, &why) == HTZ_OK) {
    require(it->keys[spec->key_low].island != NULL);
    htz_arena_free(&arena);
  } else {
    require(why != NULL);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  htz_spec* spec;
  htz_diags diags;
  double number;
  const htz_status st = htz_spec_parse("fuzz.yaml", (const char*)data, size, &spec, &diags);
  if (st) {
    require(spec == NULL);
    check_faults(&diags, st);
  } else {
    require(diags.n == 0);
    check_values(spec);
    try_build(spec);
    htz_spec_free(spec);
  }
  if (htz_number_parse((const char*)data, size, &number)) {
    require(isfinite(number));
  }
  return 0;
}
