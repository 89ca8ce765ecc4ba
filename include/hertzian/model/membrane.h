#ifndef HERTZIAN_MODEL_MEMBRANE_H
#define HERTZIAN_MODEL_MEMBRANE_H

#include "hertzian/dsp/bessel.h"
#include "hertzian/model/modes.h"

/** Pairs further apart than this are no pairs. */
#define HTZ_MEMBRANE_SPLIT_MOST 0.1

enum {
  HTZ_MEMBRANE_RATIOS_MAX = 16,  ///< modes of one family whose ratios can be given
  HTZ_MEMBRANE_MODES_MAX = 2048, ///< modes of one membrane
};

/** The zeros j_mn that skins of so many modes need: the same for all of them. */
typedef struct {
  size_t most; ///< modes
  size_t n;
  const htz_bessel_zero* zero; ///< [n]
} htz_membrane_zeros;

/** Find them for up to `max_modes` modes, 1..HTZ_MEMBRANE_MODES_MAX. @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_membrane_zeros_find(size_t max_modes, htz_arena* arena, htz_membrane_zeros* out);

/**
   A round skin, fixed all round.

   Mode (m, n) has m nodal diameters and n nodal circles, the rim included. Those with m > 0 come in pairs, cos(m theta) and
   sin(m theta), of one frequency unless `split`: then cos lies below it and sin above.
*/
typedef struct {
  double radius;       ///< [m], > 0
  double area_density; ///< mass per area [kg/m^2], > 0
  double tension;      ///< pull per length of a cut [N/m], > 0; not looked at when tuning_hz is given
  double tuning_hz;    ///< frequency of mode (0, 1), or of (1, 1) when `by_pair` [Hz]; 0: from the tension
  int by_pair;         ///< the pitch is that of the pair (1, 1), as of timpani
  double air;          ///< density of the air that moves with the skin on both sides [kg/m^3], >= 0; 0: in vacuo
  size_t n_pairs;      ///< ratios given of (1, 1), (2, 1), (3, 1) ... to (1, 1): ascending from 1
  double pairs[HTZ_MEMBRANE_RATIOS_MAX];
  size_t n_rounds; ///< ratios given of (0, 1), (0, 2) ... to (1, 1): ascending
  double rounds[HTZ_MEMBRANE_RATIOS_MAX];
  double stretch; ///< by how much the tension rises per relative growth of the area, E h/(2 (1 - nu)) [N/m], >= 0; 0: it stays
  double split; ///< how far the two modes of a pair are apart, relative, 0..HTZ_MEMBRANE_SPLIT_MOST: lugs are never tuned alike
  double round_loss; ///< decay rate of the modes (0, n), which move the air as a whole [1/s], > 0; 0: as the others
  htz_loss loss;     ///< a line in the squared wave number, as on a string; times: in the squared frequency
} htz_membrane_desc;

/** Tension that gives the pitch asked for, or the one given [N/m]. `desc` must be valid. Set-up thread. */
double htz_membrane_tension(const htz_membrane_desc* desc);

/** Frequency of mode (0, 1), or of (1, 1) when `by_pair` [Hz]. `desc` must be valid but for its losses. Set-up thread. */
double htz_membrane_pitch(const htz_membrane_desc* desc);

/**
   Modes of the membrane: omega_mn = (j_mn/a) sqrt(T/(mu + 2 rho a/j_mn)), j_mn the n-th zero of J_m, mu the mass per area; the second
   term is the air on both sides, of density rho, as it goes with a wave of that length on an endless skin. Ratios given replace
   this for their modes; modes of that family beyond the last keep their distance to it.

   phi = J_m(j_mn r/a) cos or sin(m theta), scaled to a mean square of 1 over the skin: every modal mass is the skin's, times
   1 + 2 rho a/(mu j_mn) for the air. `shape_xy` takes x and y as fractions of the square around the skin, (0.5, 0.5) its middle,
   and what lies outside as the rim; theta is counted from the x axis. `shape` runs along the diameter y = 0.5.

   @param zeros found for at least `max_modes`; NULL: found here
   @param limit_hz modes up to this frequency (at least one) [Hz], > 0
   @param max_modes at most so many, 1..HTZ_MEMBRANE_MODES_MAX; half a pair is left out, unless it is all there is
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_modes_membrane(const htz_membrane_zeros* zeros, const htz_membrane_desc* desc, double limit_hz, size_t max_modes,
                              htz_arena* arena, htz_modes* out);

#endif
