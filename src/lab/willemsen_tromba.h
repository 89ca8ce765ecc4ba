#ifndef HERTZIAN_LAB_WILLEMSEN_TROMBA_H
#define HERTZIAN_LAB_WILLEMSEN_TROMBA_H

#include "willemsen_direct.h"

/**
   The tromba marina: a string on a bridge, a mass that hovers over a plate. String, bridge, plate, gap and the two contacts of section 8
   as in the author's own programs (D2 string of 32 Hz, bridge of 1 g and 500 Hz), the spring of section 7 ours.
*/
enum { TROMBA_STRING, TROMBA_BRIDGE, TROMBA_PLATE };
enum { TROMBA_INTERVALS = 230, TROMBA_AT = 200 };                                                // of the string
enum { TROMBA_ALONG = 60, TROMBA_ACROSS = 8, TROMBA_PLATE_AT = 48, TROMBA_PLATE_AT_ACROSS = 6 }; // of the plate, square cells

#define TROMBA_GAP 5e-6           ///< between bridge and plate at rest [m]
#define TROMBA_MASS 1e-3          ///< of the bridge [kg]
#define TROMBA_HZ 500.0           ///< of the bridge
#define TROMBA_BODY 5e8           ///< K of bridge and plate [N/m^alpha]
#define TROMBA_EXPONENT 1.3       ///< alpha of both contacts
#define TROMBA_TWO_SIDED 5e6      ///< K of string and bridge, section 8 [N/m^alpha]
#define TROMBA_SPRING 1e4         ///< K1, section 7 [N/m]
#define TROMBA_CUBIC 4e12         ///< K3 [N/m^3]
#define TROMBA_SPRING_DAMPING 0.1 ///< 2 sigma_x [N s/m]
#define TROMBA_PICTURE 0.05       ///< [s]

/** The whole system, its string thrown; with the losses of string, bridge, plate and spring, or without any. */
htz_status tromba_make(htz_grid_method method, htz_grid_force held, bool lossy, willemsen_system* s, const char** why);

/** The parts as the document's formulas want them. */
typedef struct {
  direct_string string;
  direct_mass bridge;
  direct_plate plate;
} tromba_parts;

void tromba_take_apart(const willemsen_system* s, bool lossy, tromba_parts* parts);

/** Displacements of string, bridge and plate at the contact, now and a step before, and free a step later. */
typedef struct {
  double now[3], before[3], free[3];
} tromba_states;

void tromba_look(const willemsen_system* s, const tromba_parts* parts, tromba_states* out);

/** Greatest distance of `next` from where the network is now, over the string's swing. */
double tromba_apart(const willemsen_system* s, const double next[3], double swing);

// clang-format off
#define TROMBA_TABLE WILLEMSEN_TABLE(3, {"u", "m"}, {"w", "m"}, {"v", "m"}, {"u_energy", "J"}, {"w_energy", "J"}, {"v_energy", "J"})
#define TROMBA_PLOTS                                                                                            \
  WILLEMSEN_ENERGY_PLOT(TROMBA_PICTURE, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST + 4, "in the bridge", false},       \
                        {WILLEMSEN_TIME, WILLEMSEN_FIRST + 5, "in the plate", false}),                         \
  WILLEMSEN_PLACES_PLOT(TROMBA_PICTURE, 3, {WILLEMSEN_TIME, WILLEMSEN_FIRST, "string", false},                  \
                        {WILLEMSEN_TIME, WILLEMSEN_FIRST + 1, "bridge", false},                                 \
                        {WILLEMSEN_TIME, WILLEMSEN_FIRST + 2, "plate", false})
#define TROMBA_PLACES .audit = 4, .n_places = 3, .places = {{TROMBA_STRING, 0}, {TROMBA_BRIDGE, 0}, {TROMBA_PLATE, 0}}
// clang-format on

#endif
