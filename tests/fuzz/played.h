#ifndef FUZZ_PLAYED_H
#define FUZZ_PLAYED_H

#include "hertzian/instrument/spec.h"

#include <stdbool.h>
#include <stdint.h>

/** What fuzzers of instrument files look at. */

void fuzz_require(bool condition);

/** A file that is refused says why, in the file, in order. */
void fuzz_check_faults(const htz_diags* diags, htz_status st);

/** A file that is accepted has only values in their ranges, at any key. */
void fuzz_check_values(const htz_spec* spec);

/** Numbers that follow from the input alone, of 24 bits. */
uint32_t fuzz_draw(uint32_t* state);

uint32_t fuzz_seed(const uint8_t* data, size_t size);

/** Make the instrument with a few of its keys, one of them anywhere, and play them: what is heard is finite. */
void fuzz_play(const htz_spec* spec, uint32_t seed);

#endif
