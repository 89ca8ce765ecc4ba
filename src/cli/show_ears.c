#include "show_ears.h"

#include "json.h"

#include "hertzian/instrument/number.h"

#include <math.h>

/** An ear with what it hears. */
typedef struct {
  const htz_spec_body* of;
  double away[2]; // on the lowest and the highest key [m]
} heard;

enum { EARS_MAX = HTZ_ISLAND_PICKUPS_MAX + HTZ_SPEC_BOARD_PICKUPS_MAX };

static heard measure(const htz_spec* spec, const htz_spec_body* body, const htz_table ear[3]) {
  heard out = {.of = body};
  for (size_t i = 0; i < 2; ++i) {
    const htz_ear at = htz_spec_ear(body, ear, i ? spec->key_high : spec->key_low);
    out.away[i] = HTZ_AIR_SPEED * htz_ear_delay(&at);
  }
  return out;
}

static size_t list(const htz_spec* spec, heard ears[EARS_MAX]) {
  size_t n = 0;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    const htz_spec_pickup* it = &spec->pickups[p];
    if (it->quantity == HTZ_HEAR_PRESSURE) {
      ears[n++] = measure(spec, &spec->bodies[it->of], it->ear[htz_spec_first_ears(spec)]);
    }
  }
  for (size_t p = 0; p < spec->board.n_pickups; ++p) {
    if (spec->board.pickups[p].quantity == HTZ_HEAR_PRESSURE) {
      ears[n++] = measure(spec, &spec->board.body, spec->board.pickups[p].ear[htz_spec_first_ears(spec)]);
    }
  }
  return n;
}

static double to_centimetres(double metres) {
  static const double per_metre = 100.0;
  return floor(per_metre * metres + 0.5) / per_metre;
}

void show_ears(FILE* out, const htz_spec* spec) {
  heard ears[EARS_MAX];
  const size_t n = list(spec, ears);
  for (size_t i = 0; i < n; ++i) {
    char low[HTZ_NUMBER_TEXT], high[HTZ_NUMBER_TEXT];
    htz_number_text(to_centimetres(ears[i].away[0]), low);
    htz_number_text(to_centimetres(ears[i].away[1]), high);
    const bool one = ears[i].away[0] == ears[i].away[1];
    fprintf(out, "  an ear %s%s%s m from the %s hears its sound pressure, 20 Pa being full scale\n", low, one ? "" : "..",
            one ? "" : high, ears[i].of->name);
  }
}

void show_ears_json(FILE* out, const htz_spec* spec) {
  enum { DIGITS = 6 };
  heard ears[EARS_MAX];
  const size_t n = list(spec, ears);
  for (size_t i = 0; i < n; ++i) {
    fputs(i ? ",{\"of\":" : "\"ears\":[{\"of\":", out);
    htz_json_string(out, ears[i].of->name);
    fputs(",\"metres\":[", out);
    htz_json_number(out, ears[i].away[0], DIGITS);
    fputc(',', out);
    htz_json_number(out, ears[i].away[1], DIGITS);
    fputs("]}", out);
  }
  fputs(n ? "]," : "", out);
}
