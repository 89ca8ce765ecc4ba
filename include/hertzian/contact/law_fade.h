#ifndef HERTZIAN_CONTACT_LAW_FADE_H
#define HERTZIAN_CONTACT_LAW_FADE_H

#include "hertzian/base/rt.h"

/** A memory that fades by exp(-r) over a step: what is `rest` of it at the end, and its `mean` (1 - exp(-r))/r; r >= 0. Audio thread. */
HTZ_RT void htz_law_fade(double r, double* rest, double* mean);

#endif
