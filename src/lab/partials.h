#ifndef HERTZIAN_LAB_PARTIALS_H
#define HERTZIAN_LAB_PARTIALS_H

#include <stddef.h>

/**
   Weigh n samples by a Blackman-Harris window (four terms, side lobes below -92 dB) of mean 1, in place: a steady sine of amplitude A
   then has a spectrum of height A/2 at its frequency, and a main lobe of 4 rate/n to either side.
*/
void htz_partials_window(size_t n, double* x);

/**
   Frequency at which the spectrum of n windowed samples is highest, within `reach` of `near_hz` [Hz].

   Found to 5e-5 of `reach`; there must be one maximum only there, so that `reach` is at most half the main lobe.

   @param level amplitude of the sine there, of its middle where it decays; may be NULL
*/
double htz_partials_find(size_t n, const double* x, double rate_hz, double near_hz, double reach, double* level);

/** b over a in cents. */
double htz_partials_cents(double a, double b);

#endif
