#ifndef HERTZIAN_CLI_KEY_LIST_H
#define HERTZIAN_CLI_KEY_LIST_H

#include <stdbool.h>
#include <stddef.h>

/** Read a key: a MIDI number, or a name as C4, F#3, Bb-1 (C4 is 60). @return false when it is none of 0..127 */
bool htz_key_read(const char* text, size_t length, int* key);

/**
   Read a list with commas.

   @param read  takes one item
   @param items receives up to `room` of them
   @return how many; 0 when one is wrong or there are too many
*/
size_t htz_list_read(const char* text, bool (*read)(const char* text, size_t length, int* item), size_t room, int* items);

/** Read a MIDI velocity, 1..127. */
bool htz_velocity_read(const char* text, size_t length, int* velocity);

#endif
