#include "hertzian/lab/impact_csv.h"

#include "hertzian/instrument/number.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MASS = 0, STIFFNESS, VISCOSITY, EXPONENT, SPEED, COLUMNS };

/** What each column may hold; the limits are those within which the solver is proven. */
static const struct {
  const char* name;
  double least, most;
  bool zero; // may be exactly 0
  const char* allowed;
} columns[COLUMNS] = {
    [MASS] = {"mass_kg", 1e-9, 1e6, false, "1e-9 to 1e6 kg"},
    [STIFFNESS] = {"stiffness_N_per_m_alpha", 1e-6, 1e30, false, "1e-6 to 1e30 N/m^alpha"},
    [VISCOSITY] = {"mu_s_per_m", 1e-12, 1e6, true, "0 to 1e6 s/m"},
    [EXPONENT] = {"alpha", 1.0, 4.0, false, "1 to 4"},
    [SPEED] = {"v_in_m_per_s", 1e-9, 1e4, false, "1e-9 to 1e4 m/s"},
};

typedef struct {
  const char* at; // next character of the line
  const char* end;
  const char* line;
} cursor;

typedef struct {
  const char* text;
  size_t length;
  unsigned column; // from 1
} field;

static bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

/** Next comma-separated field, white space and quotes around it taken off. @return false when the line is used up. */
static bool next_field(cursor* c, field* f) {
  if (c->at > c->end) {
    return false;
  }
  const char* comma = memchr(c->at, ',', (size_t)(c->end - c->at));
  const char* stop = comma ? comma : c->end;
  const char* from = c->at;
  const char* to = stop;
  while (from < to && blank(*from)) {
    ++from;
  }
  while (to > from && blank(to[-1])) {
    --to;
  }
  if (to - from >= 2 && *from == '"' && to[-1] == '"') {
    ++from;
    --to;
  }
  *f = (field){from, (size_t)(to - from), (unsigned)(from - c->line) + 1};
  c->at = stop + 1;
  return true;
}

/** Which of our columns each field is; -1 for one of no interest. */
static bool read_header(cursor c, unsigned line, int* role, size_t roles, size_t* n, htz_diags* diags) {
  bool seen[COLUMNS] = {false};
  field f;
  *n = 0;
  while (next_field(&c, &f) && *n < roles) {
    role[*n] = -1;
    for (int k = 0; k < COLUMNS; ++k) {
      if (f.length == strlen(columns[k].name) && memcmp(f.text, columns[k].name, f.length) == 0) {
        role[*n] = k;
        if (seen[k]) {
          htz_diags_add(diags, line, f.column, "column %s stands twice", columns[k].name);
        }
        seen[k] = true;
      }
    }
    ++*n;
  }
  for (int k = 0; k < COLUMNS; ++k) {
    if (!seen[k]) {
      htz_diags_add(diags, line, 1,
                    "no column %s; needed are mass_kg, stiffness_N_per_m_alpha, mu_s_per_m, alpha and v_in_m_per_s",
                    columns[k].name);
    }
  }
  return diags->n == 0;
}

static void read_row(cursor c, unsigned line, const int* role, size_t n, htz_impact* out, htz_diags* diags) {
  double value[COLUMNS] = {0};
  bool have[COLUMNS] = {false};
  field f;
  size_t i = 0;
  for (; next_field(&c, &f); ++i) {
    const int k = i < n ? role[i] : -1;
    if (k < 0) {
      continue;
    }
    have[k] = true;
    const int show = f.length < 40 ? (int)f.length : 40;
    if (!htz_number_parse(f.text, f.length, &value[k])) {
      htz_diags_add(diags, line, f.column, "%s: \"%.*s\" is not a number; allowed is %s", columns[k].name, show, f.text,
                    columns[k].allowed);
    } else if (!(value[k] >= columns[k].least && value[k] <= columns[k].most) && !(columns[k].zero && value[k] == 0.0)) {
      htz_diags_add(diags, line, f.column, "%s: %.*s is out of range; allowed is %s", columns[k].name, show, f.text,
                    columns[k].allowed);
    }
  }
  // A decimal comma or a comma within quotes moves everything behind it: no value of such a row can be trusted.
  if (i > n) {
    htz_diags_add(diags, line, 1, "%zu values for %zu columns; write numbers with a point, as 1.5", i, n);
  }
  for (int k = 0; k < COLUMNS && i <= n; ++k) {
    if (!have[k]) {
      htz_diags_add(diags, line, 1, "no value for %s", columns[k].name);
    }
  }
  *out = (htz_impact){value[MASS], value[STIFFNESS], value[EXPONENT], value[VISCOSITY], value[SPEED]};
}

htz_status htz_impact_csv_parse(const char* name, const char* text, size_t length, htz_impact** out, size_t* n,
                                htz_diags* diags) {
  enum { FIELDS_MAX = 256 };
  int role[FIELDS_MAX];
  size_t fields = 0, room = 0;
  bool headed = false;
  unsigned line = 0;
  const char* at = text;
  const char* end = text + length;
  htz_diags_init(diags, name);
  *out = NULL;
  *n = 0;
  if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
    at += 3; // a byte order mark
  }
  while (at < end) {
    const char* stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    const cursor c = {at, stop, at};
    const char* p = at;
    at = stop + 1;
    ++line;
    while (p < stop && blank(*p)) {
      ++p;
    }
    if (p == stop || *p == '#') {
      continue;
    }
    if (!headed) {
      headed = true;
      if (!read_header(c, line, role, FIELDS_MAX, &fields, diags)) {
        return HTZ_BAD_INPUT;
      }
      continue;
    }
    if (*n == room) {
      room = room ? 2 * room : 64;
      htz_impact* grown = room < SIZE_MAX / sizeof **out ? realloc(*out, room * sizeof **out) : NULL;
      if (!grown) {
        free(*out);
        *out = NULL;
        return HTZ_NO_MEMORY;
      }
      *out = grown;
    }
    read_row(c, line, role, fields, &(*out)[(*n)++], diags);
  }
  if (!headed) {
    htz_diags_add(diags, 1, 1, "no line of column names");
  }
  if (diags->n) {
    free(*out);
    *out = NULL;
    *n = 0;
    return HTZ_BAD_INPUT;
  }
  return HTZ_OK;
}
