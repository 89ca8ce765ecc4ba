#include "hertzian/base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Bytes that could move the cursor or end the line: C0 controls, DEL, and C1 controls as UTF-8 writes them (C2 80..9F). Other
// bytes pass, so that names in any script stay readable.
static bool is_control(const unsigned char* text) {
  return text[0] < 0x20 || text[0] == 0x7f || (text[0] == 0xc2 && text[1] >= 0x80 && text[1] <= 0x9f);
}

static size_t put_text(char* out, size_t used, const char* text) {
  while (*text) {
    out[used++] = *text++;
  }
  return used;
}

static size_t put_hex(char* out, size_t used, unsigned char byte) {
  static const char digits[] = "0123456789abcdef";
  out[used++] = '\\';
  out[used++] = 'x';
  out[used++] = digits[byte >> 4];
  out[used++] = digits[byte & 15];
  return used;
}

static size_t put_escaped(char* out, size_t used, const char* text) {
  for (const unsigned char* at = (const unsigned char*)text; *at; ++at) {
    if (!is_control(at)) {
      out[used++] = (char)*at;
      continue;
    }
    used = put_hex(out, used, *at);
    if (*at == 0xc2) {
      used = put_hex(out, used, *++at);
    }
  }
  return used;
}

// "2026-01-31T12:34:56.789Z", or nothing when the clock cannot be read.
static void stamp(char* out, size_t size) {
  struct timespec now;
  struct tm utc;
  out[0] = '\0';
  if (timespec_get(&now, TIME_UTC) != TIME_UTC || !gmtime_r(&now.tv_sec, &utc)) {
    return;
  }
  const size_t used = strftime(out, size, "%Y-%m-%dT%H:%M:%S", &utc);
  if (used > 0) {
    snprintf(out + used, size - used, ".%03dZ", (int)(now.tv_nsec / 1000000));
  }
}

static const char* level_name(htz_log_level level) {
  switch (level) {
  case HTZ_LOG_NOTHING:
    break;
  case HTZ_LOG_ERROR:
    return "error";
  case HTZ_LOG_WARNING:
    return "warning";
  case HTZ_LOG_NOTICE:
    return "notice";
  case HTZ_LOG_INFO:
    return "info";
  case HTZ_LOG_DEBUG:
    return "debug";
  }
  return "?";
}

char* htz_log_format(const char* format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, format, args);
  char* text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) {
    vsnprintf(text, (size_t)length + 1, format, again);
  }
  va_end(again);
  return text;
}

enum {
  LINE_BYTES = 4096, // of a line that can be said without memory; what is longer is cut then
  ESCAPED_BYTES = 4, // the longest a byte becomes: \xNN
};

// The whole line in one write, so that lines of several processes do not mix.
static void write_line(FILE* file, const char* head, const char* separator, const char* text) {
  char short_line[LINE_BYTES];
  const size_t around = strlen(head) + strlen(separator) + 1; // and the newline
  const size_t need = around + ESCAPED_BYTES * strlen(text);
  char* long_line = need > sizeof short_line ? malloc(need) : NULL;
  char* line = long_line ? long_line : short_line;
  size_t used = put_text(line, 0, head);
  used = put_text(line, used, separator);
  if (long_line || need <= sizeof short_line) {
    used = put_escaped(line, used, text);
  } else {
    char begin[LINE_BYTES / ESCAPED_BYTES / 2];
    snprintf(begin, sizeof begin, "%s", text);
    used = put_escaped(line, used, begin);
  }
  line[used++] = '\n';
  fwrite(line, 1, used, file);
  fflush(file);
  free(long_line);
}

void htz_log_say(htz_log* log, htz_log_level level, const char* format, ...) {
  if (!log || (level > log->level && !log->file)) {
    return;
  }
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  char* text = htz_log_format(format, args);
  va_end(args);
  char cut[LINE_BYTES / ESCAPED_BYTES]; // a line that says what failed must not fail itself for want of memory
  if (!text) {
    vsnprintf(cut, sizeof cut, format, again);
  }
  va_end(again);
  const char* shown = text ? text : cut;
  if (level <= log->level) {
    write_line(stderr, log->prefix ? log->prefix : "", log->prefix ? ": " : "", shown);
  }
  if (log->file) {
    enum { HEAD_BYTES = 64 }; // a time stamp (24) and the longest level name
    char when[HEAD_BYTES / 2];
    char head[HEAD_BYTES];
    stamp(when, sizeof when);
    snprintf(head, sizeof head, "%s %s", when, level_name(level));
    write_line(log->file, head, ": ", shown);
  }
  free(text);
}
