#ifndef HERTZIAN_CONTACT_SIGNALS_H
#define HERTZIAN_CONTACT_SIGNALS_H

#include "hertzian/contact/modal_island.h"

/** What the pickups of an island's bodies give over an advance. Audio thread; so is all below. */
typedef struct {
  float of[HTZ_ISLAND_BODIES_MAX][HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM];
} island_signals;

/** Silence for body `b`; `to` are its pickups' signals, NULL where there are none. */
HTZ_RT void htz_signals_clear(const htz_modal_island_desc* d, uint32_t b, uint32_t frames, island_signals* all,
                              float* to[HTZ_ISLAND_PICKUPS_MAX]);

/** Silence for body `b`, and where the kernels are to put what its pickups hear. @return how many taps that are */
HTZ_RT size_t htz_signals_tap(const htz_modal_island_desc* d, uint32_t b, uint32_t frames, island_signals* all, htz_tap* taps);

/** Hear body `b` as it is now, in frame `i`. */
HTZ_RT void htz_signals_hear(const htz_modal_island_desc* d, uint32_t b, uint32_t i, island_signals* all);

/** Run resonator `b` on what feeds it; silence when not `on`. */
HTZ_RT void htz_signals_resonate(const htz_modal_island_desc* d, uint32_t b, uint32_t frames, bool on, island_signals* all);

/** Add them to the lines: struck bodies as they are, resonators at a level that goes evenly `from` .. `to`. */
HTZ_RT void htz_signals_mix(const htz_modal_island_desc* d, uint32_t frames, const island_signals* all, double from, double to,
                            float* const* lines);

/** What bodies left to ring out would give each line in all, resonators at `level` [sample value s]; lines are set. */
HTZ_RT void htz_signals_left_over(const htz_modal_island_desc* d, double level, double* lines);

#endif
