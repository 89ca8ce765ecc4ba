#ifndef HERTZIAN_CONTACT_CLOCKED_H
#define HERTZIAN_CONTACT_CLOCKED_H

#include "hertzian/base/arena.h"
#include "hertzian/contact/island.h"
#include "hertzian/dsp/fractional.h"

/**
   An island on a clock of its own: it is advanced at one sample rate whatever that of its host is, and heard through a band-limited read-out.
   So what depends on the length of a step, contacts along strings above all, is the same at every rate. What it plays is late by 32 samples
   of the lower of the two rates and, from a strike on, by a quantum of the clock: it runs up to that far ahead, in whole quanta. It stands on
   no board and takes no drive. What damps, retunes or moves it acts at once, on what it has not made yet.

   @param inner built for `clock_hz`; kept by pointer
   @param reader htz_fractional_new() from `clock_hz` to `rate_hz`; its table is kept by pointer
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_clocked_new(htz_island* inner, double clock_hz, double rate_hz, const htz_fractional* reader, htz_arena* arena,
                           htz_island** out);

/** The island inside; the island itself where it has no clock of its own. Any thread. */
htz_island* htz_clocked_inner(htz_island* island);

#endif
