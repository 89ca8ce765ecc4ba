#ifndef HERTZIAN_CLI_SONG_PARTS_H
#define HERTZIAN_CLI_SONG_PARTS_H

#include "song_file.h"

#include "hertzian/host/orchestra.h"

/** Who plays the notes of one program on one channel of a song. */
typedef struct {
  unsigned channel, program, bank; ///< from 0
  const char* name;                ///< of the program, empty when not known
  uint64_t notes;
  const htz_spec* instrument; ///< the first of `cast`
  const htz_cast* cast;
  htz_program_reason reason;
} htz_song_part;

/** The first part from `*cursor` (0 at first) on that has notes; `*cursor` is moved behind it. @return false at the end */
bool htz_song_part_next(const htz_notes* notes, const htz_orchestra* orchestra, size_t* cursor, htz_song_part* part);

/** What plays the part, `piano + cello`. @return `text` */
enum { HTZ_PLAYERS_TEXT = 400 };
const char* htz_song_part_players(const htz_song_part* part, const htz_orchestra* orchestra, char text[HTZ_PLAYERS_TEXT]);

/** Say which programs another instrument stands in for, in one line, and with -v who plays each part and why. */
void htz_song_parts_describe(const char* path, const htz_notes* notes, const htz_orchestra* orchestra, htz_song_say say,
                             void* user);

#endif
