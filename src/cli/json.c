#include "json.h"

#include "hertzian/instrument/number.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// Length of the UTF-8 sequence at `text`, 0 when it is not one (overlong forms and surrogates included).
static size_t sequence(const unsigned char* text) {
  const unsigned char a = text[0];
  if (a < 0x80) {
    return 1;
  }
  const size_t length = a >= 0xC2 && a < 0xE0 ? 2 : a >= 0xE0 && a < 0xF0 ? 3 : a >= 0xF0 && a < 0xF5 ? 4 : 0;
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xC0) != 0x80) { // also stops at the end of the text
      return 0;
    }
  }
  const unsigned char b = length > 1 ? text[1] : 0;
  const int outside = (a == 0xE0 && b < 0xA0) || (a == 0xED && b > 0x9F) || (a == 0xF0 && b < 0x90) || (a == 0xF4 && b > 0x8F);
  return outside ? 0 : length;
}

void htz_json_string(FILE* out, const char* text) {
  if (!text) {
    fputs("null", out);
    return;
  }
  fputc('"', out);
  for (const unsigned char* at = (const unsigned char*)text; *at;) {
    const size_t length = sequence(at);
    if (length == 0) {
      fputs("\\ufffd", out);
    } else if (*at == '"' || *at == '\\') {
      fprintf(out, "\\%c", *at);
    } else if (*at < 0x20 || *at == 0x7F) {
      fprintf(out, "\\u%04x", (unsigned)*at);
    } else {
      fwrite(at, 1, length, out);
    }
    at += length ? length : 1;
  }
  fputc('"', out);
}

void htz_json_number(FILE* out, double value, int digits) {
  if (isfinite(value)) {
    fprintf(out, "%.*g", digits, value);
  } else {
    fputs("null", out);
  }
}

void htz_json_same(FILE* out, double value) {
  enum { LEAST = 6, MOST = 17 };
  for (int digits = LEAST; digits < MOST; ++digits) {
    char text[64];
    double back = 0.0;
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (htz_number_parse(text, strlen(text), &back) && back == value) {
      htz_json_number(out, value, digits);
      return;
    }
  }
  htz_json_number(out, value, MOST);
}
