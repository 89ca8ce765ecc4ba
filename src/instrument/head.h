#ifndef HERTZIAN_INSTRUMENT_HEAD_H
#define HERTZIAN_INSTRUMENT_HEAD_H

#include "tree.h"

/** What is to be looked for in a file that is not loaded; faults go to `diags`, and nobody reads them. */
typedef void htz_head_look(const tree_node* root, htz_diags* diags, void* user);

/**
   Let `look` see the document at `path`, of at most `most` bytes. It is not called for what is no document of this language: loading it
   says why.

   @return HTZ_OK, HTZ_NO_MEMORY, HTZ_NO_FILES. Set-up thread.
*/
htz_status htz_head_read(const char* path, size_t most, htz_head_look* look, void* user);

#endif
