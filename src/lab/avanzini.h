#ifndef HERTZIAN_LAB_AVANZINI_H
#define HERTZIAN_LAB_AVANZINI_H

#include "thrown.h"

/** What the experiments of Avanzini's collision sounds share: his hammer of 10 g with alpha = 2.8 at 44.1 kHz. */
#define AVANZINI_PAPER "Avanzini, Modeling collision sounds: non-linear contact force, "
#define AVANZINI_RATE 44100.0 ///< [Hz]

enum { AVANZINI_MODES = 3 };

static const double avanzini_least = 6e-12, avanzini_most = 300e-12; // m_h/k [kg m^alpha/N]
static const double avanzini_longest = 0.25;                         // a throw is given up then [s]

/** The hammer with m_h/k = `ratio`, `viscosity` [s/m] and `speed` [m/s]. */
htz_impact avanzini_hammer(double ratio, double viscosity, double speed);

/** m_h/k number i of n, evenly spaced in logarithm over the paper's range. */
double avanzini_ratio(int i, int n);

/** A resonator (5): partials of a free bar over `lowest_hz`, all of mass `mass` and quality factor `q`, position weights 1. */
typedef struct {
  double omega[AVANZINI_MODES], sigma[AVANZINI_MODES], mass[AVANZINI_MODES], weight[AVANZINI_MODES];
} avanzini_resonator;

void avanzini_fill(avanzini_resonator* resonator, double lowest_hz, double mass, double q);

/** Throw the hammer at the resonator, or at a wall (NULL), with AM1. */
htz_status avanzini_throw(const htz_impact* hammer, const avanzini_resonator* at, thrown_look look, void* context, thrown* out,
                          const char** why);

#endif
