#ifndef HERTZIAN_ENGINE_GLIDE_H
#define HERTZIAN_ENGINE_GLIDE_H

#include "engine_private.h"

// What a key's tuning and damper do from quantum to quantum. Audio thread.

/** True when its tuning, or how fast it decays by itself, is not what is wanted. */
HTZ_RT bool htz_key_tunes(const key_state* key);

/** One quantum of both glides; of the tuning as many as it waited, too. @return true when either moved. */
HTZ_RT bool htz_key_glide(part* p, uint32_t k);

/** The damper's alone: it is not the tuning's turn. @return true when it moved. */
HTZ_RT bool htz_key_glide_later(part* p, uint32_t k);

#endif
