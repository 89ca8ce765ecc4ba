#ifndef HTZ_TEST_SOUND_PARTIALS_H
#define HTZ_TEST_SOUND_PARTIALS_H

#include <stdbool.h>
#include <stddef.h>

/**
   Frequencies and decays of known partials in a recording, by least squares on the samples.

   The signal is taken as a sum of damped sinusoids a exp(-sigma t) cos(2 pi f t + phase). All partials are in the model, so
   that neighbours do not leak into each other; each one's f and sigma are then found over a window of its own.
*/
typedef struct {
  double hz;    ///< expected frequency [Hz]
  double sigma; ///< expected decay rate [1/s]
  bool wanted;  ///< measure it; otherwise it is only in the model, at the expected values
  struct {
    double hz;        ///< [Hz]; 0: not measured
    double sigma;     ///< [1/s]
    double amplitude; ///< at the start, wanted or not
    double noise;     ///< rms of what the model leaves over, over the rms of this partial, in its window
  } found;
} partial;

/** Where to measure. */
typedef struct {
  double rate_hz;
  double drop_db;   ///< a partial's window lasts while it is expected to fall by this much...
  double longest_s; ///< ...and at most this long [s]
} partial_window;

/**
   Measure partials p [count], ascending in frequency, of x [n] from its first sample on. A window ends with x at the latest.

   Starts from the expected values with their amplitudes found together (linear least squares), then refines one partial after
   the other (Gauss-Newton on its f and sigma and the amplitudes of its neighbours), several times over. Converges for partials
   expected within a fraction of a cycle over the window; rounding then leaves errors below 1e-9 without noise.
*/
void partials_measure(const double* x, size_t n, const partial_window* window, partial* p, size_t count);

/** Time to fall by 60 dB at `sigma` [s], and back. */
double t60_of(double sigma);

/** Interval from `expected` to `measured` [cent]. */
double cents_between(double measured, double expected);

#endif
