#include "hertzian/lab/impact_csv.h"

#include "hertzian/instrument/number.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MASS = 0, STIFFNESS, VISCOSITY, EXPONENT, SPEED, COLUMNS };

/** What each column may hold; the limits are those within which the solver is proven. */
static const struct {
  const char* name;
  double least, most;
  const char* allowed;
} columns[COLUMNS] = {
    [MASS] = {"mass_kg", 1e-9, 1e6, "1e-9 to 1e6 kg"},
    [STIFFNESS] = {"stiffness_N_per_m_alpha", 1e-12, 1e60, "1e-12 to 1e60 N/m^alpha"},
    [VISCOSITY] = {"mu_s_per_m", 0.0, 1e6, "0 to 1e6 s/m"},
    [EXPONENT] = {"alpha", 1.0, 4.0, "1 to 4"},
    [SPEED] = {"v_in_m_per_s", 1e-9, 1e4, "1e-9 to 1e4 m/s"},
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
  bool open;       // it begins with a quote that does not end
} field;

static bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

static const char* skip_blank(const char* at, const char* end) {
  while (at < end && blank(*at)) {
    ++at;
  }
  return at;
}

/** The quote that ends the text beginning at `at`; one doubled stands for itself. NULL: there is none. */
static const char* closing_quote(const char* at, const char* end) {
  while (at < end) {
    if (*at == '"') {
      if (at + 1 == end || at[1] != '"') {
        return at;
      }
      ++at;
    }
    ++at;
  }
  return NULL;
}

/** Next comma-separated field, white space and quotes around it taken off. @return false when the line is used up. */
static bool next_field(cursor* c, field* f) {
  if (c->at > c->end) {
    return false;
  }
  const char* from = skip_blank(c->at, c->end);
  const bool quoted = from < c->end && *from == '"';
  const char* close = quoted ? closing_quote(from + 1, c->end) : NULL;
  const char* after = close ? close + 1 : from;
  const char* comma = after < c->end ? memchr(after, ',', (size_t)(c->end - after)) : NULL;
  const char* to = comma ? comma : c->end;
  c->at = to + 1;
  while (to > after && blank(to[-1])) {
    --to;
  }
  *f = (field){from, (size_t)(to - from), (unsigned)(from - c->line) + 1, quoted && !close};
  if (close && to == after) { // else something stands behind the quote: shown as it is
    f->text = from + 1;
    f->length = (size_t)(close - from - 1);
  }
  return true;
}

/** How many of our columns a header has when split at `separator`, no matter in which order. */
static int known_columns(const char* at, const char* end, char separator) {
  int n = 0;
  while (at <= end) {
    const char* stop = at < end ? memchr(at, separator, (size_t)(end - at)) : NULL;
    stop = stop ? stop : end;
    const char* from = skip_blank(at, stop);
    const char* to = stop;
    while (to > from && blank(to[-1])) {
      --to;
    }
    for (int k = 0; k < COLUMNS; ++k) {
      n += (size_t)(to - from) == strlen(columns[k].name) && memcmp(from, columns[k].name, (size_t)(to - from)) == 0;
    }
    at = stop + 1;
  }
  return n;
}

/** Report that a header is separated by something else than commas. @return true when it is */
static bool wrong_separator(const cursor* c, unsigned line, htz_diags* diags) {
  static const struct {
    char character;
    const char* name;
  } others[] = {{';', "semicolons"}, {'\t', "tabs"}, {'|', "bars"}};
  if (memchr(c->at, ',', (size_t)(c->end - c->at))) {
    return false;
  }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
    if (known_columns(c->at, c->end, others[i].character) > 1) {
      htz_diags_add(diags, line, 1, "columns are separated by %s; separate them by commas, and write numbers with a point",
                    others[i].name);
      return true;
    }
  }
  return false;
}

/** Write the names of the columns that `have` lacks, with commas. @return how many */
static int missing_names(const bool* have, size_t size, char* text) {
  int n = 0;
  size_t used = 0;
  text[0] = '\0';
  for (int k = 0; k < COLUMNS; ++k) {
    if (!have[k] && used < size) {
      used += (size_t)snprintf(text + used, size - used, "%s%s", n++ ? ", " : "", columns[k].name);
    }
  }
  return n;
}

enum { NAMES_BYTES = 128 };

/** Which of our columns each field is; -1 for one of no interest. */
static bool read_header(cursor c, unsigned line, int* role, size_t roles, size_t* n, htz_diags* diags) {
  bool seen[COLUMNS] = {false};
  char missing[NAMES_BYTES];
  field f;
  *n = 0;
  if (wrong_separator(&c, line, diags)) {
    return false;
  }
  while (next_field(&c, &f) && *n < roles) {
    role[*n] = -1;
    if (f.open) {
      htz_diags_add(diags, line, f.column, "a quote that does not end");
      return false;
    }
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
  const int lacking = missing_names(seen, sizeof missing, missing);
  if (lacking) {
    htz_diags_add(diags, line, 1,
                  "no column %s; needed are mass_kg, stiffness_N_per_m_alpha, mu_s_per_m, alpha and v_in_m_per_s",
                  lacking == COLUMNS ? "that is needed" : missing);
  }
  return diags->n == 0;
}

static void read_value(const field* f, int k, unsigned line, double* value, htz_diags* diags) {
  enum { SHOWN = 40 };
  const int show = f->length < SHOWN ? (int)f->length : SHOWN;
  if (f->length == 0) {
    htz_diags_add(diags, line, f->column, "no value for %s; allowed is %s", columns[k].name, columns[k].allowed);
  } else if (!htz_number_parse(f->text, f->length, value)) {
    htz_diags_add(diags, line, f->column, "%s: \"%.*s\" is not a number; allowed is %s", columns[k].name, show, f->text,
                  columns[k].allowed);
  } else if (!(*value >= columns[k].least && *value <= columns[k].most)) {
    htz_diags_add(diags, line, f->column, "%s: %.*s is out of range; allowed is %s", columns[k].name, show, f->text,
                  columns[k].allowed);
  }
}

static void read_row(cursor c, unsigned line, const int* role, size_t n, htz_impact* out, htz_diags* diags) {
  double value[COLUMNS] = {0};
  bool have[COLUMNS] = {false};
  char missing[NAMES_BYTES];
  field f;
  size_t count = 0;
  for (cursor scan = c; next_field(&scan, &f); ++count) {
    if (f.open) {
      htz_diags_add(diags, line, f.column, "a quote that does not end");
      return;
    }
    if (count < n && role[count] >= 0) {
      have[role[count]] = true;
    }
  }
  // Too many: a decimal comma moves everything behind it. Either way no value of such a row can be trusted.
  if (count > n) {
    htz_diags_add(diags, line, 1, "%zu values for %zu columns; write numbers with a point, as 1.5", count, n);
    return;
  }
  if (missing_names(have, sizeof missing, missing)) {
    htz_diags_add(diags, line, 1, "%zu value%s for %zu columns; none for %s", count, count == 1 ? "" : "s", n, missing);
    return;
  }
  for (size_t i = 0; next_field(&c, &f); ++i) {
    if (role[i] >= 0) {
      read_value(&f, role[i], line, &value[role[i]], diags);
    }
  }
  *out = (htz_impact){value[MASS], value[STIFFNESS], value[EXPONENT], value[VISCOSITY], value[SPEED]};
}

/** Where the line ends: at LF, which a CR may stand before, or at a CR alone. */
static const char* line_end(const char* at, const char* end) {
  while (at < end && *at != '\n' && !(*at == '\r' && at + 1 < end && at[1] != '\n')) {
    ++at;
  }
  return at;
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
    const char* stop = line_end(at, end);
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
