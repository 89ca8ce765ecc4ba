#ifndef HERTZIAN_IO_MIDI_IN_PICK_H
#define HERTZIAN_IO_MIDI_IN_PICK_H

#include <stdbool.h>
#include <stddef.h>

/* Which ports are meant, apart from any driver. */

/** Whether a port is passed over unless it is named: "Midi Through" (a loop), the system's, our own. */
bool htz_midi_skipped(const char* name);

/** Whether `names` [n_names] ask for no port at all. */
bool htz_midi_none(const char* const* names, size_t n_names);

/**
   Whether port `which` of `ports` [n] is asked for.

   @param names  [n_names] as in htz_midi_wish
*/
bool htz_midi_wanted(const char* const* names, size_t n_names, const char* const* ports, size_t n, size_t which);

/** The first of `names` that no port answers to, or NULL. "all" and "none" are always answered. */
const char* htz_midi_unanswered(const char* const* names, size_t n_names, const char* const* ports, size_t n);

#endif
