#ifndef HERTZIAN_MIDI_TUNING_PRIVATE_H
#define HERTZIAN_MIDI_TUNING_PRIVATE_H

#include "hertzian/midi/tuning.h"

#include <stdbool.h>
#include <stddef.h>

enum { HTZ_SCALE_MAX = 1200, HTZ_KEYMAP_MAX = 1024 };

/** Degrees of a scale above the first, the last of which is where it begins anew. */
typedef struct {
  size_t n; // at least 1
  double cents[HTZ_SCALE_MAX];
} htz_scale_degrees;

/** What key plays what degree. */
typedef struct {
  size_t n; // entries, 0: every key the next degree
  int first, last, middle, reference;
  double reference_hz;
  int octave;                 // degree at which the map begins anew, 0: the scale's last
  int degree[HTZ_KEYMAP_MAX]; // or HTZ_KEYMAP_SILENT
} htz_keymap;

enum { HTZ_KEYMAP_SILENT = -1 };

/** Read files; faults go to `diags`, which was made for this file. */
htz_status htz_scale_read(const char* path, htz_scale_degrees* out, htz_diags* diags);
htz_status htz_keymap_read(const char* path, htz_keymap* out, htz_diags* diags);

#endif
