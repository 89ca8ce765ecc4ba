#ifndef HERTZIAN_CLI_RENDER_STEMS_H
#define HERTZIAN_CLI_RENDER_STEMS_H

#include "render_job.h"
#include "take.h"

/** With `--stems channel`: a file for each channel that plays, all as long as what they are together. The render thread's. */
typedef struct htz_stems htz_stems;

enum { HTZ_STEMS_PATH = HTZ_SOUND_PATH_MAX, HTZ_STEMS_WHY = HTZ_STEMS_PATH + HTZ_SOUND_WHY };

/**
   Open the files: the output's name with -ch01 to -ch16 before its ending.

   @param notes which channels play
   @param take how the files' frames are chosen
   @param why one line on failure, with the file's name
   @return HTZ_OK, or as htz_sound_out_open()
*/
htz_status htz_stems_open(const htz_job* job, const htz_notes* notes, const htz_take* take, htz_stems** out,
                          char why[HTZ_STEMS_WHY]);

/** The next quantum of every channel, already given to `leader` as their sum. */
void htz_stems_quantum(htz_stems* stems, const htz_take* leader, float (*sound)[2][HTZ_QUANTUM], float gain);

/** Finish the files. @param clipped receives how many samples were, of all files. @return HTZ_OK, or the first failure with `why` filled */
htz_status htz_stems_commit(htz_stems* stems, uint64_t* clipped, char why[HTZ_STEMS_WHY]);

/** Channels (bits) that have a file. */
uint16_t htz_stems_channels(const htz_stems* stems);

/** Name of a channel's file. */
void htz_stem_path(const char* output, unsigned channel, char path[HTZ_STEMS_PATH]);

/** Remove what was not finished, free. NULL is allowed. */
void htz_stems_free(htz_stems* stems);

#endif
