#ifndef HERTZIAN_MODEL_RADIATION_H
#define HERTZIAN_MODEL_RADIATION_H

#include "hertzian/model/modes.h"

/**
   Sound pressure that the modes of a body make at an ear.

   A mode whose coordinate has the acceleration a = q'' gives the pressure p = Re[H a] at the ear, H [kg/m^2 = Pa s^2/m] the complex
   weight of its shape at a frequency. Every weight here has the travel time of the sound from the middle of the body taken out: H here is
   H e^{i omega R0/c}, so that its phase is small and it can stand for a band. What a body radiates as is in htz_modes.radiator:

   - plate: the Rayleigh integral rho Int phi e^{-ikR}/(2 pi R) dS over its surface, that is as in a wall; without one, times
     i kappa/(1 + i kappa), kappa = k l cos(angle from the normal), l the length of the air that it carries to and fro: 0.785 of half its
     width for a strip, 0.424 of its radius for a disc, less for shapes that cancel over the plate. With a rim the root of that.
   - skin: the same over a disc with a closed vessel behind it: half of it below k a = 1, all of it above; behind the vessel only the half.
   - line: dipoles along a bar or tube, z/R mu phi (1/R + ik) e^{-ikR}/(4 pi R), mu the mass of air that goes with each metre, times
     1/sqrt(1 + 1.57 (k r)^3), r = sqrt(mu/(2 pi rho)). What twists is two such lines, against each other, at a quarter of the width on
     either side; with the air of a strip that turns, pi rho b^4/8 a metre (b half its width), and what it displaces, they have
     rho (pi w^2/32 + w h/3) each per acceleration of the edge.
   - mouth: rho S e^{-ikR}/(4 pi R), S the opening.

   rho = 1.204 kg/m^3, c = 343 m/s.
*/
enum {
  HTZ_RADIATION_SIDE_NODES_MAX = 512, ///< along one side of a plate: enough for 110 wavelengths
  HTZ_RADIATION_POINTS_MAX = 16       ///< that levels are matched for
};

#define HTZ_AIR_DENSITY 1.204 ///< [kg/m^3] at 20 degrees
#define HTZ_AIR_SPEED 343.0   ///< of sound [m/s]

/** An ear as its body sees it, from the middle of the body [m]: x along its length, y along its width, z the way it moves. */
typedef struct {
  double x, y, z;
} htz_ear;

/** How long the sound takes from the middle of the body to the ear [s]. */
double htz_ear_delay(const htz_ear* ear);

/** Distance from the ear to the nearest point of the body at rest [m]. */
double htz_ear_distance(const htz_modes* modes, const htz_ear* ear);

/**
   Weights of every mode at its own frequency, inaudible ones 0.

   @param re, im [modes->n] H [Pa s^2/m]
   @return HTZ_OK, HTZ_UNSUPPORTED when the body radiates nothing (htz_radiator.why), HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_radiation_own(const htz_modes* modes, const htz_ear* ear, double* re, double* im);

/**
   Weights of every mode at its own frequency, changed as little as it takes for a body that is driven, and not ringing freely, to be as loud as
   the sum of all modes with their weights at the driving frequency: in third octaves from 62 Hz up to 10 kHz, or to the body's highest
   mode, for a force at each of some points. Own weights alone are 2 to 7 dB off where many modes overlap. By Newton steps of least norm.

   @param n_points, at fractions along the line at which forces act (htz_modes.shape), 1..HTZ_RADIATION_POINTS_MAX
   @param corner_hz of what htz_modal_listen_ear() adds at once
   @param re, im [modes->n] the weights, own ones as they are after the change
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED, HTZ_NO_MEMORY. Set-up thread; a quarter of a second for the 600 modes of a plate.
*/
htz_status htz_radiation_match(const htz_modes* modes, const htz_ear* ear, size_t n_points, const double* at, double corner_hz,
                               double* re, double* im);

/**
   Add to sigma[n] what each audible mode of a line or a skin loses to the air by radiating [1/s]: its far pressure over all directions.

   @return HTZ_OK, HTZ_UNSUPPORTED for other bodies, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_radiation_loss(const htz_modes* modes, double* sigma);

/** Weights of every mode at one frequency `omega` [rad/s], > 0; otherwise the same. */
htz_status htz_radiation_at(const htz_modes* modes, const htz_ear* ear, double omega, double* re, double* im);

/**
   The same at `count` frequencies `omega`, [count][modes->n]. Plates are integrated at no more than it takes to interpolate: within 2e-4 of
   what all of the plate would give in phase.
*/
htz_status htz_radiation_sweep(const htz_modes* modes, const htz_ear* ear, size_t count, const double* omega, double* re,
                               double* im);

#endif
