#ifndef HERTZIAN_CLI_TRY_DRAW_H
#define HERTZIAN_CLI_TRY_DRAW_H

#include "options.h"

#include "hertzian/instrument/spec.h"

/**
   Draw a note in `--plot`: its spectrogram, and how its first partials decay beside what the body that is struck does alone.

   @param samples [frames][2], from its first frame until its key is let go
   @return the exit code
*/
int htz_try_draw(const htz_options* options, const htz_spec* spec, int key, int velocity, double rate_hz, const float* samples,
                 size_t frames);

#endif
