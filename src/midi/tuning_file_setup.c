#include "tuning_private.h"

#include "hertzian/instrument/number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  LINE = 1024, // bytes of a line that are looked at
  KEY_MOST = 127,
  DEGREE_MOST = 10000,
};

static const double cents_most = 120000.0; // a hundred octaves
static const double hz_least = 0.1, hz_most = 100000.0;

/** A file of lines, of which those that begin with an exclamation mark are comments. */
typedef struct {
  FILE* file;
  unsigned line;
  char text[LINE];
  htz_diags* diags;
} reader;

static htz_status open_file(const char* path, reader* r, htz_diags* diags) {
  *r = (reader){.file = fopen(path, "r"), .diags = diags};
  int error = errno;
  if (r->file) {
    const int first = fgetc(r->file); // a folder opens like a file
    if (!ferror(r->file)) {
      ungetc(first, r->file);
      return HTZ_OK;
    }
    error = errno;
    fclose(r->file);
    r->file = NULL;
  }
  htz_diags_add(diags, 0, 0, "%s", strerror(error));
  return error == ENOENT || error == ENOTDIR ? HTZ_NOT_FOUND : htz_status_of_errno(error, HTZ_IO);
}

/** The next line that is no comment, without its end. @return false at the end of the file */
static bool next_line(reader* r) {
  while (fgets(r->text, sizeof r->text, r->file)) {
    const size_t length = strcspn(r->text, "\r\n");
    if (r->text[length] == '\0' && length + 1 == sizeof r->text) {
      for (int c = fgetc(r->file); c != EOF && c != '\n'; c = fgetc(r->file)) { // what is longer is text
      }
    }
    r->text[length] = '\0';
    ++r->line;
    if (r->text[0] != '!') {
      return true;
    }
  }
  return false;
}

/** What is left of the line's first word. */
static const char* word_of(const reader* r, size_t* length) {
  const char* at = r->text + strspn(r->text, " \t");
  *length = strcspn(at, " \t");
  return at;
}

static unsigned column_of(const reader* r, const char* at) {
  return (unsigned)(at - r->text) + 1;
}

static bool fault(reader* r, const char* at, const char* what) {
  htz_diags_add(r->diags, r->line, column_of(r, at), "%s", what);
  return false;
}

static bool whole(reader* r, double low, double high, const char* what, int* out) {
  size_t length = 0;
  const char* at = word_of(r, &length);
  double value = 0.0;
  if (!htz_number_parse(at, length, &value) || value != floor(value) || value < low || value > high) {
    htz_diags_add(r->diags, r->line, column_of(r, at), "%s is to be a whole number, %.0f to %.0f is allowed", what, low, high);
    return false;
  }
  *out = (int)value;
  return true;
}

/** A number without a point, of a ratio. */
static bool part_of_ratio(const char* text, size_t length, double* out) {
  return length > 0 && strspn(text, "0123456789") >= length && htz_number_parse(text, length, out) && *out >= 1.0;
}

/** A pitch: with a point in cents, else a ratio or a whole number. What follows it is a remark. */
static bool read_pitch(reader* r, double* cents) {
  static const double octave = 1200.0;
  size_t length = 0;
  const char* at = word_of(r, &length);
  const char* slash = memchr(at, '/', length);
  double above = 0.0, below = 1.0;
  if (length > 0 && memchr(at, '.', length)) {
    // "701." is as good as "701.0"
    const size_t digits = at[length - 1] == '.' ? length - 1 : length;
    if (!htz_number_parse(at, digits, cents) || fabs(*cents) > cents_most) {
      return fault(r, at, "not a pitch in cents; -120000.0 to 120000.0 is allowed");
    }
    return true;
  }
  const size_t first = slash ? (size_t)(slash - at) : length;
  if (!part_of_ratio(at, first, &above) || (slash && !part_of_ratio(slash + 1, length - first - 1, &below))) {
    return fault(r, at, "not a pitch; a ratio such as 3/2, a whole number, or cents with a point such as 701.955 is allowed");
  }
  *cents = octave * log2(above / below);
  if (!(fabs(*cents) <= cents_most)) {
    return fault(r, at, "a ratio beyond a hundred octaves");
  }
  return true;
}

static void read_degrees(reader* r, htz_scale_degrees* out) {
  int n = 0;
  if (!next_line(r)) {
    htz_diags_add(r->diags, r->line, 0, "empty; a line of description belongs here");
    return;
  }
  if (!next_line(r)) {
    htz_diags_add(r->diags, r->line, 0, "ends where the number of notes belongs");
    return;
  }
  if (!whole(r, 1.0, HTZ_SCALE_MAX, "the number of notes", &n)) {
    return;
  }
  out->n = (size_t)n;
  for (size_t i = 0; i < out->n; ++i) {
    if (!next_line(r)) {
      htz_diags_add(r->diags, r->line, 0, "ends after %zu of %d pitches", i, n);
      return;
    }
    read_pitch(r, &out->cents[i]);
  }
  if (r->diags->n == 0 && !(out->cents[out->n - 1] > 0.0)) {
    htz_diags_add(r->diags, r->line, 1, "the last pitch, at which the scale begins anew, is to be above the first");
  }
}

htz_status htz_scale_read(const char* path, htz_scale_degrees* out, htz_diags* diags) {
  reader r;
  const htz_status status = open_file(path, &r, diags);
  if (status) {
    return status;
  }
  read_degrees(&r, out);
  if (ferror(r.file) && diags->n == 0) {
    htz_diags_add(diags, 0, 0, "%s", strerror(EIO));
  }
  fclose(r.file);
  return diags->n > 0 ? HTZ_BAD_INPUT : HTZ_OK;
}

static bool field(reader* r, const char* what, double low, double high, int* out) {
  if (!next_line(r)) {
    htz_diags_add(r->diags, r->line, 0, "ends where %s belongs", what);
    return false;
  }
  whole(r, low, high, what, out); // go on: all faults are said at once
  return true;
}

static bool frequency(reader* r, double* out) {
  if (!next_line(r)) {
    htz_diags_add(r->diags, r->line, 0, "ends where the reference frequency belongs");
    return false;
  }
  size_t length = 0;
  const char* at = word_of(r, &length);
  if (!htz_number_parse(at, length, out) || !(*out >= hz_least) || !(*out <= hz_most)) {
    fault(r, at, "the reference frequency is to be a number of hertz, 0.1 to 100000 is allowed");
  }
  return true;
}

static void read_entries(reader* r, htz_keymap* out) {
  for (size_t i = 0; i < out->n; ++i) {
    size_t length = 0;
    out->degree[i] = HTZ_KEYMAP_SILENT; // also those that the file leaves out
    if (!next_line(r)) {
      continue;
    }
    const char* at = word_of(r, &length);
    if (!(length == 1 && (*at == 'x' || *at == 'X'))) {
      whole(r, 0.0, DEGREE_MOST, "a degree, where it is not x,", &out->degree[i]);
    }
  }
}

static void read_map(reader* r, htz_keymap* out) {
  int n = 0;
  if (!field(r, "the size of the map", 0.0, HTZ_KEYMAP_MAX, &n) || !field(r, "the first key", 0.0, KEY_MOST, &out->first) ||
      !field(r, "the last key", 0.0, KEY_MOST, &out->last) || !field(r, "the middle key", 0.0, KEY_MOST, &out->middle) ||
      !field(r, "the reference key", 0.0, KEY_MOST, &out->reference) || !frequency(r, &out->reference_hz) ||
      !field(r, "the degree of the octave", 0.0, DEGREE_MOST, &out->octave)) {
    return;
  }
  out->n = (size_t)n;
  read_entries(r, out);
  if (r->diags->n > 0 || n == 0) {
    return;
  }
  const int from = out->reference - out->middle, in = (from % n + n) % n;
  if (out->degree[in] == HTZ_KEYMAP_SILENT) {
    htz_diags_add(r->diags, r->line, 1, "the reference key %d has no degree in the map; it needs one", out->reference);
  }
}

htz_status htz_keymap_read(const char* path, htz_keymap* out, htz_diags* diags) {
  reader r;
  const htz_status status = open_file(path, &r, diags);
  if (status) {
    return status;
  }
  read_map(&r, out);
  if (ferror(r.file) && diags->n == 0) {
    htz_diags_add(diags, 0, 0, "%s", strerror(EIO));
  }
  fclose(r.file);
  return diags->n > 0 ? HTZ_BAD_INPUT : HTZ_OK;
}
