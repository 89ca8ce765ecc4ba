#ifndef HERTZIAN_CLI_JSON_H
#define HERTZIAN_CLI_JSON_H

#include <stdio.h>

/** Write `text` as a JSON string; bytes that are not UTF-8 become U+FFFD. NULL becomes null. */
void htz_json_string(FILE* out, const char* text);

/** Write a number with `digits` significant digits (1..17) in the C locale; what JSON cannot say becomes null. */
void htz_json_number(FILE* out, double value, int digits);

/** Write a number with as few digits as bring the same number back. */
void htz_json_same(FILE* out, double value);

#endif
