#ifndef HERTZIAN_INSTRUMENT_NUMBER_H
#define HERTZIAN_INSTRUMENT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/**
   Read a decimal number, whatever the locale: `[+-] digits [. digits] [e [+-] digits]`, with at least one digit before the
   exponent and nothing around it. `1,5`, `0x10`, `inf`, `nan` and numbers too great for a double are refused.

   @return false, and `*value` untouched, when `text` is not a number in this form
*/
bool htz_number_parse(const char* text, size_t length, double* value);

/** Read a MIDI key: its number, 0 to 127, or its name, `C4` (60), `F#3`, `Bb-1`. @return false when it is none */
bool htz_key_parse(const char* text, size_t length, int* key);

enum { HTZ_NUMBER_TEXT = 32 }; ///< bytes that hold any number as htz_number_text() writes it

/** Write `value` with at most six significant digits and a decimal point, whatever the locale. @return `text`. */
const char* htz_number_text(double value, char text[HTZ_NUMBER_TEXT]);

#endif
