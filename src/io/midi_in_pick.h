#ifndef HERTZIAN_IO_MIDI_IN_PICK_H
#define HERTZIAN_IO_MIDI_IN_PICK_H

#include <stdbool.h>
#include <stddef.h>

/* Which ports are meant, apart from any driver. */

/** Whether a port is passed over unless it is named: "Midi Through" (a loop), the system's, our own. */
bool htz_midi_skipped(const char* name);

/** Whether `names` [n_names] have this word itself. */
bool htz_midi_named(const char* word, const char* const* names, size_t n_names);

/** Whether `names` [n_names] ask for a port of our own in `system`, "alsa" or "jack": none at all, "all" or its name do. */
bool htz_midi_own_port(const char* system, const char* const* names, size_t n_names);

/** Whether `names` [n_names] ask for anything but a port of our own on JACK, or none at all. */
bool htz_midi_beyond_jack(const char* const* names, size_t n_names);

/** The number that tells port `which` from others that are called the same, from 1; 0 when there is no other. */
unsigned htz_midi_twin(const char* const* ports, size_t n, size_t which);

/** Name port `which` so that it is told from others: with "#n" behind it where several are called the same. */
void htz_midi_name_twin(char* text, size_t size, const char* const* ports, size_t n, size_t which);

/**
   Whether port `which` of `ports` [n] is asked for.

   @param names  [n_names] as in htz_midi_wish
*/
bool htz_midi_wanted(const char* const* names, size_t n_names, const char* const* ports, size_t n, size_t which);

/** How many of `ports` answer to `name` without its "#n", when it has one and they are fewer than that; else 0. */
size_t htz_midi_alike(const char* name, const char* const* ports, size_t n);

/** The first of `names` that no port answers to, or NULL. "all" and "none" are always answered. */
const char* htz_midi_unanswered(const char* const* names, size_t n_names, const char* const* ports, size_t n);

#endif
