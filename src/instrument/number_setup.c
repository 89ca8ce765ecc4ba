#include "hertzian/instrument/number.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MAX = 60 }; // characters of a number: a double needs 17 digits, nobody writes more than this

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool htz_number_parse(const char* text, size_t length, double* value) {
  char plain[DIGITS_MAX + 16]; // the digits without their point, and an exponent that makes up for it
  size_t n = 0, i = 0, digits = 0;
  long shift = 0;
  if (length > DIGITS_MAX) {
    return false;
  }
  if (i < length && (text[i] == '+' || text[i] == '-')) {
    plain[n++] = text[i++];
  }
  for (; i < length && is_digit(text[i]); ++i, ++digits) {
    plain[n++] = text[i];
  }
  if (i < length && text[i] == '.') {
    for (++i; i < length && is_digit(text[i]); ++i, ++digits, --shift) {
      plain[n++] = text[i];
    }
  }
  if (digits == 0) {
    return false;
  }
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    const bool negative = i < length && text[i] == '-';
    if (i < length && (text[i] == '+' || text[i] == '-')) {
      ++i;
    }
    const size_t from = i;
    long exponent = 0;
    const long exponent_most = 9999; // already far outside a double
    for (; i < length && is_digit(text[i]); ++i) {
      exponent = exponent < exponent_most ? exponent * 10 + (text[i] - '0') : exponent;
    }
    if (i == from) {
      return false;
    }
    shift += negative ? -exponent : exponent;
  }
  if (i != length) {
    return false;
  }
  // Whole digits and an exponent read the same in every locale, and strtod rounds them correctly.
  snprintf(plain + n, sizeof plain - n, "e%ld", shift);
  const double number = strtod(plain, NULL);
  if (!isfinite(number)) {
    return false;
  }
  *value = number;
  return true;
}

bool htz_key_parse(const char* text, size_t length, int* key) {
  static const char letters[] = "CDEFGAB";
  static const int semitones[] = {0, 2, 4, 5, 7, 9, 11};
  enum { OCTAVE = 12, KEY_MOST = 127, OCTAVES_BELOW = 1 };
  const char* letter = length > 0 && text[0] ? strchr(letters, toupper((unsigned char)text[0])) : NULL;
  double number = 0.0;
  if (!letter) {
    const bool good = htz_number_parse(text, length, &number) && number == floor(number) && number >= 0.0 && number <= KEY_MOST;
    *key = good ? (int)number : *key;
    return good;
  }
  size_t i = 1;
  int at = semitones[letter - letters];
  if (i < length && (text[i] == '#' || text[i] == 'b')) {
    at += text[i++] == '#' ? 1 : -1;
  }
  if (i == length || text[i] == '+' || !htz_number_parse(text + i, length - i, &number) || number != floor(number) ||
      number < -OCTAVES_BELOW || number > KEY_MOST / OCTAVE) {
    return false;
  }
  at += ((int)number + OCTAVES_BELOW) * OCTAVE;
  const bool there = at >= 0 && at <= KEY_MOST;
  *key = there ? at : *key;
  return there;
}

const char* htz_number_text(double value, char text[HTZ_NUMBER_TEXT]) {
  snprintf(text, HTZ_NUMBER_TEXT, "%.6g", value);
  if (isfinite(value)) {
    // Whatever is not part of a number in the C locale is the locale's decimal point, which may be more than one byte.
    size_t n = 0;
    bool point = false;
    for (const char* c = text; *c; ++c) {
      if (is_digit(*c) || *c == '-' || *c == '+' || *c == 'e') {
        text[n++] = *c;
      } else if (!point) {
        text[n++] = '.';
        point = true;
      }
    }
    text[n] = '\0';
  }
  return text;
}
