#include "tuning_private.h"

#include "hertzian/instrument/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double a4_usual_hz = 440.0;
static const double cents_per_key = 100.0;

enum { A4 = 69, C4 = 60, CLASSES = 12 };

/** A temperament: its pitch classes from C on [cent]. */
typedef struct {
  const char* name;
  double cents[CLASSES];
} temperament;

// J. M. Barbour, "Tuning and Temperament" (1951). Each follows from its fifths, and a test works them out from there.
static const temperament temperaments[] = {
    {"equal", {0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0, 800.0, 900.0, 1000.0, 1100.0}},
    {"pythagorean",
     {0.0, 113.6850, 203.9100, 294.1350, 407.8200, 498.0450, 611.7300, 701.9550, 815.6400, 905.8650, 996.0900, 1109.7750}},
    {"just",
     {0.0, 111.7313, 203.9100, 315.6413, 386.3137, 498.0450, 590.2237, 701.9550, 813.6863, 884.3587, 1017.5963, 1088.2687}},
    {"meantone",
     {0.0, 76.0490, 193.1569, 310.2647, 386.3137, 503.4216, 579.4706, 696.5784, 772.6274, 889.7353, 1006.8431, 1082.8921}},
    {"werckmeister",
     {0.0, 90.2250, 192.1800, 294.1350, 390.2250, 498.0450, 588.2700, 696.0900, 792.1800, 888.2700, 996.0900, 1092.1800}},
    {"kirnberger",
     {0.0, 90.2250, 193.1569, 294.1350, 386.3137, 498.0450, 590.2237, 696.5784, 792.1800, 889.7353, 996.0900, 1088.2687}},
    {"vallotti",
     {0.0, 94.1350, 196.0900, 298.0450, 392.1800, 501.9550, 592.1800, 698.0450, 796.0900, 894.1350, 1000.0, 1090.2250}},
    {"young",
     {0.0, 90.2250, 196.0900, 294.1350, 392.1800, 498.0450, 588.2700, 698.0450, 792.1800, 894.1350, 996.0900, 1090.2250}},
};

enum { TEMPERAMENTS = sizeof temperaments / sizeof temperaments[0] };

static double key_of(double hz) {
  return A4 + CLASSES * log2(hz / a4_usual_hz);
}

/** N of `N-edo` or `Nedo`; 0: it is something else. */
static size_t divisions(const char* name) {
  const size_t digits = strspn(name, "0123456789");
  const char* rest = name + digits + (name[digits] == '-');
  double value = 0.0;
  if (digits == 0 || strcasecmp(rest, "edo") != 0 || !htz_number_parse(name, digits, &value) || value < 1.0 ||
      value > HTZ_SCALE_MAX) {
    return 0;
  }
  return (size_t)value;
}

/** A scale that has a name. @return false when there is none of that name */
static bool named(const char* name, htz_scale_degrees* out) {
  static const double octave = 1200.0; // [cent]
  const size_t n = divisions(name);
  for (size_t i = 0; i < n; ++i) {
    out->cents[i] = octave * (double)(i + 1) / (double)n;
  }
  out->n = n;
  for (size_t t = 0; t < TEMPERAMENTS && out->n == 0; ++t) {
    if (strcasecmp(name, temperaments[t].name) == 0) {
      memcpy(out->cents, temperaments[t].cents + 1, (CLASSES - 1) * sizeof *out->cents);
      out->cents[CLASSES - 1] = octave;
      out->n = CLASSES;
    }
  }
  return out->n > 0;
}

/** Degree `d`, which may be below 0 or above the last [cent]. */
static double cents_at(const htz_scale_degrees* scale, long d) {
  const long n = (long)scale->n, turns = d >= 0 ? d / n : -((n - 1 - d) / n), in = d - turns * n;
  return (double)turns * scale->cents[n - 1] + (in > 0 ? scale->cents[in - 1] : 0.0);
}

/** Degree of a key, where the map's middle key has degree 0. @return false where the map has none */
static bool degree_of(const htz_keymap* map, const htz_scale_degrees* scale, int key, long* degree) {
  const long from = key - map->middle, n = (long)map->n;
  if (n == 0) {
    *degree = from;
    return true;
  }
  const long turns = from >= 0 ? from / n : -((n - 1 - from) / n);
  const int entry = map->degree[from - turns * n];
  *degree = turns * (map->octave > 0 ? map->octave : (long)scale->n) + entry;
  return entry != HTZ_KEYMAP_SILENT;
}

static void lay_out(const htz_keymap* map, const htz_scale_degrees* scale, double reference, double* pitch) {
  long at = 0;
  degree_of(map, scale, map->reference, &at); // read so that it has one
  const double base = cents_at(scale, at);
  for (int key = 0; key < HTZ_TUNING_KEYS; ++key) {
    long degree = 0;
    if (key < map->first || key > map->last) {
      pitch[key] = key; // not retuned
    } else if (degree_of(map, scale, key, &degree)) {
      pitch[key] = reference + (cents_at(scale, degree) - base) / cents_per_key;
    } else {
      pitch[key] = (double)NAN;
    }
  }
}

/** The names there are, for a message. */
static void say_unknown(const char* name, htz_diags* diags) {
  char list[HTZ_DIAG_TEXT / 2] = "";
  const char* names[TEMPERAMENTS];
  size_t used = 0;
  for (size_t t = 0; t < TEMPERAMENTS; ++t) {
    names[t] = temperaments[t].name;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", t ? ", " : "", names[t]);
  }
  const char* near = htz_suggest(name, names, TEMPERAMENTS);
  htz_diags_add(diags, 0, 0, "no such file nor temperament%s%s%s; there are %s, N-edo, and .scl files",
                near ? ", did you mean " : "", near ? near : "", near ? "?" : "", list);
}

static htz_status read_scale(const char* name, htz_scale_degrees* scale, bool* by_name, htz_diags* diags) {
  htz_diags_init(diags, name);
  *by_name = named(name, scale);
  if (*by_name) {
    return HTZ_OK;
  }
  const htz_status status = htz_scale_read(name, scale, diags);
  if (status == HTZ_NOT_FOUND && !strpbrk(name, "./")) {
    htz_diags_init(diags, name);
    say_unknown(name, diags);
  }
  return status;
}

static htz_status make(const htz_tuning_wish* wish, htz_scale_degrees* scale, htz_keymap* map, double* pitch,
                       htz_diags* diags) {
  const double a4 = key_of(wish->a4_hz > 0.0 ? wish->a4_hz : a4_usual_hz);
  bool by_name = false;
  htz_status status = read_scale(wish->scale ? wish->scale : temperaments[0].name, scale, &by_name, diags);
  if (status) {
    return status;
  }
  if (wish->keymap) {
    htz_diags_init(diags, wish->keymap);
    if (wish->a4_hz > 0.0) {
      htz_diags_add(diags, 0, 0, "a keymap says itself what sounds where; it goes with no --a4");
      return HTZ_BAD_VALUE;
    }
    status = htz_keymap_read(wish->keymap, map, diags);
    if (status == HTZ_OK) {
      lay_out(map, scale, key_of(map->reference_hz), pitch);
    }
    return status;
  }
  *map = (htz_keymap){.last = HTZ_TUNING_KEYS - 1, .middle = C4, .reference = by_name ? A4 : C4};
  lay_out(map, scale, by_name ? a4 : a4 - A4 + C4, pitch);
  return HTZ_OK;
}

htz_status htz_tuning_make(const htz_tuning_wish* wish, double pitch[HTZ_TUNING_KEYS], htz_diags* diags) {
  htz_scale_degrees* scale = calloc(1, sizeof *scale);
  htz_keymap* map = calloc(1, sizeof *map);
  const htz_status status = scale && map ? make(wish, scale, map, pitch, diags) : HTZ_NO_MEMORY;
  free(scale);
  free(map);
  return status;
}
