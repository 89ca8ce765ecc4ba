#ifndef HERTZIAN_INSTRUMENT_BOW_H
#define HERTZIAN_INSTRUMENT_BOW_H

#include "hertzian/contact/modal_island.h"
#include "hertzian/instrument/instrument.h"

/** What the parameters of bow `which` start from: force and speed at velocity 127, and the place, of the middle key. */
void htz_bow_initial(const htz_spec* spec, size_t which, double initial[HTZ_BOW_FIELDS]);

/** What key `key` needs to know of the bow: htz_key.bow_*. Nothing where there is none. */
void htz_bow_fill_key(const htz_spec* spec, double key, htz_key* out);

/** What an object needs to know of the bow and the fingers. */
void htz_bow_fill_object(const htz_spec* spec, htz_object* out);

/**
   What bow `n` meets on the string of key `key`. With Z = 4 m f the impedance of its first mode, twisted under the bow it gives way by
   F/(2 Zt) at first, and is turned back as its shorter piece is held at the end: stiffness 2 Zt f_t/(at (1 - at)), f_t the pitch of its
   twisting. All struck bodies are its.
*/
htz_bow_desc htz_bow_on(const htz_spec* spec, size_t n, double key, const htz_modes* string);

/** Impedance of a string [N s/m]: a finger that damps as much as that lets a harmonic speak at once. */
double htz_bow_impedance(const htz_modes* string);

/** True when key `key` has an island: all do, but where a few strings serve all keys only those of the open strings. */
bool htz_bow_has_island(const htz_spec* spec, int key);

/** The bow's values for the parameters, of the middle of the range: what they start from. */
void htz_bow_start(htz_spec* spec);

/** True when it is a string, which fingers can stop. */
bool htz_bow_is_string(const htz_spec_body* body);

#endif
