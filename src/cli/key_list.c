#include "key_list.h"

#include <ctype.h>
#include <string.h>

enum { KEYS = 128, OCTAVE = 12, LOWEST_OCTAVE = -1 };

/** A whole number of at most three digits. @return false when it is none */
static bool digits(const char* text, size_t length, int* value) {
  const size_t sign = length > 0 && text[0] == '-';
  *value = 0;
  for (size_t i = sign; i < length; ++i) {
    if (!isdigit((unsigned char)text[i]) || i - sign > 2) {
      return false;
    }
    *value = *value * 10 + (text[i] - '0');
  }
  *value = sign ? -*value : *value;
  return length > sign;
}

bool htz_key_read(const char* text, size_t length, int* key) {
  static const int above_c[] = {['A' - 'A'] = 9, ['B' - 'A'] = 11, ['C' - 'A'] = 0, ['D' - 'A'] = 2,
                                ['E' - 'A'] = 4, ['F' - 'A'] = 5,  ['G' - 'A'] = 7};
  int octave;
  const int letter = length ? toupper((unsigned char)text[0]) - 'A' : -1;
  if (letter < 0 || letter > 'G' - 'A') {
    return digits(text, length, key) && *key >= 0 && *key < KEYS;
  }
  const int shift = length > 1 && text[1] == '#' ? 1 : length > 1 && text[1] == 'b' ? -1 : 0;
  const size_t name = shift ? 2 : 1;
  if (!digits(text + name, length - name, &octave)) {
    return false;
  }
  *key = (octave - LOWEST_OCTAVE) * OCTAVE + above_c[letter] + shift;
  return *key >= 0 && *key < KEYS;
}

bool htz_velocity_read(const char* text, size_t length, int* velocity) {
  return digits(text, length, velocity) && *velocity >= 1 && *velocity < KEYS;
}

size_t htz_list_read(const char* text, bool (*read)(const char* text, size_t length, int* item), size_t room, int* items) {
  size_t n = 0;
  for (const char* at = text;; ++at) {
    const size_t length = strcspn(at, ",");
    if (n == room || !read(at, length, &items[n])) {
      return 0;
    }
    ++n;
    at += length;
    if (!*at) {
      return n;
    }
  }
}
