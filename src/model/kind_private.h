#ifndef HERTZIAN_MODEL_KIND_PRIVATE_H
#define HERTZIAN_MODEL_KIND_PRIVATE_H

#include "hertzian/model/kind.h"

#include <stdbool.h>

#define HTZ_KIND(name) extern const htz_body_kind htz_kind_##name;
#include "kinds.def"
#undef HTZ_KIND

/** Decay rate of a given decay time to -60 dB: 3 ln 10/T60 [1/s]. */
double htz_kind_decay(double t60);

/**
   The loss properties that strings and bars have in common, in this order in their tables.
*/
enum { HTZ_KIND_T60 = 0, HTZ_KIND_T60_HIGH, HTZ_KIND_T60_HIGH_HZ, HTZ_KIND_LOSS0, HTZ_KIND_LOSS1, HTZ_KIND_LOSSES };

#define HTZ_KIND_LOSS_TABLE                                                                                                    \
  {"t60", "s", 1e-3, 1e3, NAN, HTZ_SCALE_LOG, "decay time of the first partial to -60 dB; 2 s when no loss is given"},         \
      {"t60_high", "s", 1e-3, 1e3, NAN, HTZ_SCALE_LOG, "decay time at t60_high_hz; without it all partials have t60"},         \
      {"t60_high_hz", "Hz", 1.0, 1e5, NAN, HTZ_SCALE_LOG, "where t60_high holds; ten times the first partial unless given"},   \
      {"loss0", "1/s", 0.0, 1e4, NAN, HTZ_SCALE_LINEAR, "instead of t60: decay rate of all partials"}, {                       \
    "loss1", "m^2/s", 0.0, 1e2, NAN, HTZ_SCALE_LINEAR, "instead of t60: decay rate per squared wave number"                    \
  }

/**
   Loss from the five values above, the first partial being at `first_hz` [Hz].

   @return false and a reason when they contradict each other
*/
bool htz_kind_loss(const double* values, double first_hz, htz_loss* loss, const char** why);

/** True when any of the five is given. */
bool htz_kind_any_loss(const double* values);

/** Losses by their causes, for kinds that have these: the scalars in this order in their tables, and the word. */
enum { HTZ_KIND_CORDS_MAX = 4 };
enum { HTZ_KIND_LOSS_FACTOR = 0, HTZ_KIND_THERMAL, HTZ_KIND_DIFFUSION, HTZ_KIND_CORD_LOSS, HTZ_KIND_CAUSES };

#define HTZ_KIND_CAUSE_TABLE                                                                                                   \
  {HTZ_SCALAR_LOSS_FACTOR,                                                                                                     \
   "",                                                                                                                         \
   0.0,                                                                                                                        \
   1.0,                                                                                                                        \
   NAN,                                                                                                                        \
   HTZ_SCALE_LINEAR,                                                                                                           \
   "with losses: causes, 1/Q of the material itself; the material's unless given"},                                            \
      {HTZ_SCALAR_THERMAL,                                                                                                     \
       "",                                                                                                                     \
       0.0,                                                                                                                    \
       1.0,                                                                                                                    \
       NAN,                                                                                                                    \
       HTZ_SCALE_LINEAR,                                                                                                       \
       "the same: E a^2 T/(rho c), twice the loss factor at its greatest by heat that flows between the side that is "         \
       "stretched and the one that is pressed; the material's unless given"},                                                  \
      {HTZ_SCALAR_DIFFUSION,                                                                                                   \
       "m^2/s",                                                                                                                \
       0.0,                                                                                                                    \
       1.0,                                                                                                                    \
       NAN,                                                                                                                    \
       HTZ_SCALE_LINEAR,                                                                                                       \
       "the same: how fast heat spreads; the material's unless given"},                                                        \
  {                                                                                                                            \
    "cord_loss", "N s/m", 0.0, 1e3, NAN, HTZ_SCALE_LINEAR,                                                                     \
        "the same: what each of `cords` resists with; they lie where the first partial stands still unless given"              \
  }

extern const char* const htz_kind_losses[2];
#define HTZ_KIND_LOSSES_WORD                                                                                                   \
  {                                                                                                                            \
    "losses", htz_kind_losses, 2,                                                                                              \
        "times: as t60 or loss0 and loss1 say; causes: what material, heat, air and cords take, and loss0 besides"             \
  }

/**
   Add what the causes take to the decay rates of `modes`, built with loss0 alone: pi f eta of the material, Zener's relaxation of heat across
   `thickness` [m], radiation, and of each cord r phi(x)^2/(2 m) at cords[n_cords], without
   any where the first audible mode stands still.

   @param values the scalars above
   @return HTZ_OK, HTZ_BAD_VALUE and `why`, HTZ_NO_MEMORY
*/
htz_status htz_kind_add_causes(const double* values, double thickness, size_t n_cords, const double* cords,
                               const htz_modes* modes, const char** why);

/** With losses: causes, decay times have no place. @return the complaint, or NULL */
const char* htz_kind_causes_complaint(const double* losses);

/** Of plates: how its front and its back are kept apart, and what it radiates as. */
extern const char* const htz_kind_baffles[3];
#define HTZ_KIND_BAFFLE_WORD                                                                                                   \
  {                                                                                                                            \
    "baffle", htz_kind_baffles, 3,                                                                                             \
        "for an ear: what keeps the air in front of it from the air behind; none: low tones are lost round its edges; rim: "   \
        "half of "                                                                                                             \
        "them; wall: nothing is"                                                                                               \
  }
htz_radiator htz_kind_plate_radiator(double length, double width, unsigned baffle);

/** `value`, or `other` when it was not given. */
double htz_kind_or(double value, double other);

#endif
