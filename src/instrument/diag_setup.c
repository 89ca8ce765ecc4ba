#include "hertzian/instrument/diag.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum { WORD_MAX = 40 }; // longest name compared; no name of the language is as long

void htz_diags_init(htz_diags* diags, const char* file) {
  diags->n = diags->more = diags->n_warnings = 0;
  snprintf(diags->file, sizeof diags->file, "%s", file);
}

/** Copy with control characters written out, so that a message stays one line. */
static void copy_visible(char* out, size_t size, const char* text) {
  size_t n = 0;
  for (; *text; ++text) {
    const unsigned char c = (unsigned char)*text;
    const bool hidden = c < 0x20 || c == 0x7f;
    if (n + (hidden ? 4 : 1) >= size) {
      break;
    }
    if (hidden) {
      n += (size_t)snprintf(out + n, size - n, "\\x%02X", c);
    } else {
      out[n++] = *text;
    }
  }
  out[n] = '\0';
}

static void fill(htz_diag* diag, unsigned line, unsigned column, const char* format, va_list arguments) {
  char text[HTZ_DIAG_TEXT];
  vsnprintf(text, sizeof text, format, arguments);
  diag->line = line;
  diag->column = column;
  copy_visible(diag->text, sizeof diag->text, text);
}

void htz_diags_add(htz_diags* diags, unsigned line, unsigned column, const char* format, ...) {
  if (diags->n == HTZ_DIAGS_MAX) {
    ++diags->more;
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  fill(&diags->item[diags->n++], line, column, format, arguments);
  va_end(arguments);
}

void htz_diags_warn(htz_diags* diags, unsigned line, unsigned column, const char* format, ...) {
  if (diags->n_warnings < HTZ_WARNINGS_MAX) {
    va_list arguments;
    va_start(arguments, format);
    fill(&diags->warning[diags->n_warnings++], line, column, format, arguments);
    va_end(arguments);
  }
}

void htz_diags_say_warnings(const htz_diags* diags, htz_log* log) {
  for (size_t i = 0; i < diags->n_warnings; ++i) {
    const htz_diag* diag = &diags->warning[i];
    htz_log_say(log, HTZ_LOG_WARNING, "%s:%u:%u: warning: %s", diags->file, diag->line, diag->column, diag->text);
  }
}

static bool before(const htz_diag* a, const htz_diag* b) {
  return a->line != b->line ? a->line < b->line : a->column < b->column;
}

void htz_diags_sort(htz_diags* diags) {
  // Insertion: stable, and at most HTZ_DIAGS_MAX items that are nearly in order.
  for (size_t i = 1; i < diags->n; ++i) {
    const htz_diag moved = diags->item[i];
    size_t to = i;
    for (; to > 0 && before(&moved, &diags->item[to - 1]); --to) {
      diags->item[to] = diags->item[to - 1];
    }
    diags->item[to] = moved;
  }
}

void htz_diags_print(const htz_diags* diags, FILE* out) {
  char file[HTZ_DIAG_FILE];
  copy_visible(file, sizeof file, diags->file);
  for (size_t i = 0; i < diags->n; ++i) {
    const htz_diag* diag = &diags->item[i];
    if (diag->line) {
      fprintf(out, "%s:%u:%u: %s\n", file, diag->line, diag->column, diag->text);
    } else {
      fprintf(out, "%s: %s\n", file, diag->text);
    }
  }
  if (diags->more) {
    fprintf(out, "%s: and %zu more\n", file, diags->more);
  }
}

void htz_diags_say(const htz_diags* diags, htz_log* log, htz_log_level level) {
  for (size_t i = 0; i < diags->n; ++i) {
    const htz_diag* diag = &diags->item[i];
    if (diag->line) {
      htz_log_say(log, level, "%s:%u:%u: %s", diags->file, diag->line, diag->column, diag->text);
    } else {
      htz_log_say(log, level, "%s: %s", diags->file, diag->text);
    }
  }
  if (diags->more) {
    htz_log_say(log, level, "%s: and %zu more", diags->file, diags->more);
  }
}

void htz_diags_say_status(const htz_diags* diags, htz_status status, htz_log* log) {
  if (htz_status_starved(status)) {
    htz_log_say(log, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(status), diags->file);
  } else {
    htz_diags_say(diags, log, HTZ_LOG_ERROR);
  }
}

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/** Edits between two words: insert, drop, replace, swap of neighbours (optimal string alignment). */
static size_t edits(const char* a, size_t na, const char* b, size_t nb) {
  size_t row[3][WORD_MAX + 1]; // two rows back, one row back, this one
  for (size_t j = 0; j <= nb; ++j) {
    row[1][j] = j;
  }
  for (size_t i = 1; i <= na; ++i) {
    row[2][0] = i;
    for (size_t j = 1; j <= nb; ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      size_t best = row[1][j - 1] + (same ? 0 : 1);
      best = row[1][j] + 1 < best ? row[1][j] + 1 : best;
      best = row[2][j - 1] + 1 < best ? row[2][j - 1] + 1 : best;
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        best = row[0][j - 2] + 1 < best ? row[0][j - 2] + 1 : best;
      }
      row[2][j] = best;
    }
    memcpy(row[0], row[1], sizeof row[0]);
    memcpy(row[1], row[2], sizeof row[1]);
  }
  return row[1][nb];
}

const char* htz_suggest(const char* word, const char* const* names, size_t count) {
  const size_t n = strlen(word);
  const char* best = NULL;
  if (n == 0 || n > WORD_MAX) {
    return NULL;
  }
  size_t least = (n + 2) / 3 + 1; // one edit in three letters
  for (size_t i = 0; i < count; ++i) {
    const size_t length = strlen(names[i]);
    if (length > WORD_MAX) {
      continue;
    }
    const size_t distance = edits(word, n, names[i], length);
    if (distance < least && distance < length) {
      least = distance;
      best = names[i];
    }
  }
  return best;
}
