#ifndef HERTZIAN_HOST_DIALS_PRIVATE_H
#define HERTZIAN_HOST_DIALS_PRIVATE_H

#include "hertzian/host/dials.h"

enum { HTZ_DIAL_DEPTHS = 9 }; ///< the player's own lines, and those of songs within songs as far as they are told apart

/** A parameter as somebody set it. */
typedef struct {
  uint32_t param;
  unsigned depth; ///< 0: the player; 1: a song that was played; and so on
  uint64_t order; ///< of lines
  double value;
} htz_held_value;

/** What lines have set and chosen so far, and who: so much is known of each song while it is read. Zero at the start. */
typedef struct {
  uint64_t lines;
  size_t n[HTZ_ROLES_MAX], room[HTZ_ROLES_MAX];
  htz_held_value* of[HTZ_ROLES_MAX]; ///< owned
  struct {
    uint64_t order; ///< 0: nothing was chosen
    uint8_t cast;
  } turned[HTZ_MIDI_CHANNELS][HTZ_DIAL_DEPTHS];
} htz_held;

/** Room for `more` behind the `n` items of `size` bytes; NULL without memory, and `items` is as it was. */
void* htz_dials_grown(void* items, size_t n, size_t more, size_t size, size_t* room);

/** Room for `more` of what is moved. @return false without memory */
bool htz_dials_room(htz_dials* dials, size_t more);

/** Note what a line does that belongs to `depth`. @return false without memory */
bool htz_held_note(htz_held* held, const htz_dials* dials, const htz_dial* dial, unsigned depth);

/** A song of `depth` begins: `dial` is what takes back all that such songs have done. @return false without memory */
bool htz_held_take_back(htz_held* held, htz_dials* dials, unsigned depth, htz_dial* dial);

void htz_held_free(htz_held* held);

#endif
