#ifndef HERTZIAN_IO_PART_FILE_H
#define HERTZIAN_IO_PART_FILE_H

#include "hertzian/io/sound_out.h"

/**
   A file that is written beside its target as `NAME.part` and takes its place when complete.

   Whoever writes it holds a lock on it (flock), so that two programs never write one file, and what a killed program left, which
   nobody holds, is replaced. What is no regular file under that name is refused, and a link never followed. Not for the audio
   thread.
*/
typedef struct {
  int fd;                          ///< to write to, -1 none; closed by the owner after htz_part_take_place() or htz_part_drop()
  char target[HTZ_SOUND_PATH_MAX]; ///< behind symbolic links
  char name[HTZ_SOUND_PATH_MAX];   ///< with `.part`; empty when nothing is there to be removed
} htz_part_file;

/**
   Create the part of `path`, which is a regular file or nothing yet; with `no_clobber` it must be nothing.

   @param why  receives static text that says it better than strerror(), or NULL
   @return 0 or an errno: EBUSY when another program is writing it, EEXIST without `why` when the target is there and must not be
*/
int htz_part_open(htz_part_file* part, const char* path, bool no_clobber, const char** why);

/**
   Give the part the target's name while it is still open: another program could take an unlocked one away. With `no_clobber` the
   target must not be there, to the very end.

   @param why  as above
   @return 0 or an errno as above; the part is still to be dropped then
*/
int htz_part_take_place(htz_part_file* part, bool no_clobber, const char** why);

/** Remove the part, unless it took its place. Before it is closed, as above. */
void htz_part_drop(htz_part_file* part);

#endif
