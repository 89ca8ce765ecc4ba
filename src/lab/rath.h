#ifndef HERTZIAN_LAB_RATH_H
#define HERTZIAN_LAB_RATH_H

#include "hertzian/contact/transition.h"

/**
   The two systems of Rath, Energy-stable modelling of contacting modal objects with piece-wise linear interaction force. The paper
   prints the number of masses, the modal frequencies and the sample rate; all else here is ours, and said in the experiments.
*/
enum { RATH_MASSES = 50, RATH_MODES = 3, RATH_AT = 12 };

#define RATH_RATE 44100.0 ///< [Hz]

/** A string of equal masses, its ends fixed: matrices of eq. 3, row-major, and its modes from the textbook. */
typedef struct {
  double m[RATH_MASSES * RATH_MASSES];
  double k[RATH_MASSES * RATH_MASSES];
  double c[RATH_MASSES * RATH_MASSES];
  double weight[RATH_MASSES];
  double omega[RATH_MASSES]; ///< [rad/s]
  double sigma[RATH_MASSES]; ///< [1/s]
  double shape[RATH_MASSES]; ///< of each mode at the struck mass, for modes of the mass of one bead
} rath_string;

void rath_fill_string(rath_string* s);

/** The string of masses struck at mass RATH_AT by a hammer of 3 g. Kept by pointer until the system is made. */
htz_piecewise_system rath_struck(const rath_string* s);

/** A mass that falls onto modes of 220, 950 and 3500 Hz. */
extern const htz_solver_system rath_bounce;

#define RATH_HEIGHT 0.05 ///< from which it is dropped [m]

#endif
