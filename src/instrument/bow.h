#ifndef HERTZIAN_INSTRUMENT_BOW_H
#define HERTZIAN_INSTRUMENT_BOW_H

#include "hertzian/instrument/instrument.h"

/** What key `key` needs to know of the bow: htz_key.bow_*. Nothing where there is none. */
void htz_bow_fill_key(const htz_spec* spec, double key, htz_key* out);

/** What the instrument needs to know of the bow and the fingers. */
void htz_bow_fill_instrument(const htz_spec* spec, htz_instrument* out);

/** True when key `key` has an island: all do, but where a few strings serve all keys only those of the open strings. */
bool htz_bow_has_island(const htz_spec* spec, int key);

/** The bow's values for the parameters, of the middle of the range: what they start from. */
void htz_bow_start(htz_spec* spec);

#endif
