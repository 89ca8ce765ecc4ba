#ifndef HERTZIAN_INSTRUMENT_SPEC_GRID_H
#define HERTZIAN_INSTRUMENT_SPEC_GRID_H

#include "hertzian/contact/grid_island.h"
#include "hertzian/contact/prepared.h"
#include "hertzian/dsp/kernels.h"
#include "hertzian/instrument/spec_barrier.h"

/**
   An instrument of the grid family as its file describes it (`family: grid`): finite-difference bodies joined by contacts. The language
   is described by example in instruments/string-mass-barrier.yaml first, tanpura.yaml for distributed contacts, tromba.yaml for bows.
*/
enum {
  HTZ_SPEC_GRID_BODIES_MAX = 12,   ///< leaves room in a network for what excites them
  HTZ_SPEC_GRID_CONTACTS_MAX = 24, ///< likewise; contacts at points
  HTZ_SPEC_GRID_STRETCHES_MAX = HTZ_GRID_STRETCHES_MAX,
  HTZ_SPEC_GRID_FEEDS_MAX = HTZ_ISLAND_FEEDS_MAX,
  HTZ_SPEC_GRID_PARTIALS = 8, ///< partials that are looked at
};

/** Kinds of bodies, in the order of their names. */
typedef enum {
  HTZ_GRID_STRING = 0,
  HTZ_GRID_BAR,
  HTZ_GRID_PLATE,
  HTZ_GRID_MEMBRANE,
  HTZ_GRID_MASS,
  HTZ_GRID_MODES, ///< `family: modal`: a body of the other family
  HTZ_GRID_BARRIER,
  HTZ_GRID_KINDS
} htz_spec_grid_kind;

/** What their numbers are called; which of them a kind has is told by htz_spec_grid_has(). */
typedef enum {
  HTZ_GRID_LENGTH = 0,
  HTZ_GRID_WIDTH,
  HTZ_GRID_THICKNESS,
  HTZ_GRID_DENSITY,
  HTZ_GRID_YOUNG,
  HTZ_GRID_POISSON,
  HTZ_GRID_LIN_DENSITY,
  HTZ_GRID_AREA_DENSITY,
  HTZ_GRID_TENSION,
  HTZ_GRID_CORE_DIAMETER,
  HTZ_GRID_INHARMONICITY,
  HTZ_GRID_T60,
  HTZ_GRID_T60_HIGH,
  HTZ_GRID_T60_HIGH_HZ,
  HTZ_GRID_SIGMA0,
  HTZ_GRID_SIGMA1,
  HTZ_GRID_MASS_KG,
  HTZ_GRID_LOSS,
  HTZ_GRID_GRAVITY,
  HTZ_GRID_VALUES
} htz_spec_grid_value;

typedef struct {
  const char* name;
  htz_spec_grid_kind kind;
  const char* material; ///< or NULL
  htz_pitch pitch;      ///< where the first partial, of a mass its own frequency, comes from
  htz_table ratio, frequency;
  htz_table value[HTZ_GRID_VALUES]; ///< those given
  htz_grid_end ends[2];             ///< of a plate: edges, the first
  htz_spec_body* modes;             ///< of HTZ_GRID_MODES, else NULL
  size_t points;                    ///< of a plate at most so many grid points, 0: as many as are stable
} htz_spec_grid_body;

/** Body `below` lies under body `above`; eta = u_below - u_above - gap. */
typedef struct {
  const char* name; ///< or NULL
  size_t item;      ///< number in the list of the file
  size_t below, above;
  htz_table at[2][2]; ///< of the two: fractions of length and width
  htz_grid_force force;
  htz_grid_method method;
  htz_table stiffness, exponent, viscosity, cubic, damping;
  htz_table hysteresis, relaxation; ///< of felt that relaxes, not given: it does not
  htz_table gap;                    ///< [m]
  htz_grid_role role;
  htz_moved_by control[HTZ_THING_FIELDS]; ///< what moves it, of a role
} htz_spec_grid_contact;

/** A contact along a piece of a string, with a barrier or another string. */
typedef struct {
  const char* name; ///< or NULL
  size_t item;      ///< number in the list of the file
  size_t below, above;
  bool string_above; ///< the string the profile goes along is the one above
  htz_table from, to;
  htz_grid_method method;
  htz_table stiffness; ///< per metre of string [N/m^(alpha+1)]; of frets: of each [N/m^alpha]
  htz_table exponent, viscosity;
  htz_table gap; ///< [m], beside that of the profile
  htz_spec_barrier barrier;
} htz_spec_grid_stretch;

/** What a pickup, feed or drive hears. */
typedef enum { HTZ_SOURCE_BODY = 0, HTZ_SOURCE_CONTACT, HTZ_SOURCE_STRETCH, HTZ_SOURCE_RESONATOR } htz_spec_grid_source;

typedef struct {
  htz_spec_grid_source source;
  size_t of; ///< index of that kind
  htz_quantity quantity;
  htz_table at, at_y, gain;
  size_t item; ///< number in the list of the file
} htz_spec_grid_tap;

/** One-way drive of a resonator. */
typedef struct {
  htz_spec_grid_tap tap; ///< its gain: force per quantity
  size_t to;             ///< resonator, after `of` where that is one
  htz_table into, into_y;
} htz_spec_grid_feed;

/** Something that a key does. */
typedef struct {
  size_t body;        ///< excited
  htz_table at, at_y; ///< of a kick or pluck
  htz_table speed[2]; ///< of a throw or kick [m/s], of a pluck its height [m], at velocity 1 and 127
  htz_table width;    ///< of a kick along a string: half-width, fraction of its length
  htz_table height;   ///< of a throw: how far it is taken back first [m]
  htz_table time;     ///< of a pluck: how long the string is pulled [s]
} htz_spec_gesture;

/** What is struck and how stands in the mallet of htz_spec, what a bow does in its bow; resonators are its bodies, feeders first. */
struct htz_spec_grid {
  size_t n_bodies;
  htz_spec_grid_body bodies[HTZ_SPEC_GRID_BODIES_MAX];
  size_t n_contacts;
  htz_spec_grid_contact contacts[HTZ_SPEC_GRID_CONTACTS_MAX];
  size_t n_stretches;
  htz_spec_grid_stretch stretches[HTZ_SPEC_GRID_STRETCHES_MAX];
  size_t n_gestures;
  htz_excite gesture[HTZ_EXCITES];                 ///< in the order of the file
  htz_spec_gesture gestures[HTZ_EXCITES];          ///< by htz_excite
  double bend;                                     ///< highest retuning the grids are made for [semitone]
  htz_spec_grid_tap hears[HTZ_ISLAND_PICKUPS_MAX]; ///< in place of what spec->pickups says of body, place and gain
  size_t n_feeds;
  htz_spec_grid_feed feeds[HTZ_SPEC_GRID_FEEDS_MAX];
  htz_spec_grid_tap drives[HTZ_SPEC_DRIVES_MAX]; ///< likewise of spec->board.drives
};

/** Whether a key has this gesture. */
bool htz_spec_grid_does(const htz_spec_grid* grid, htz_excite kind);

/** Names of the kinds and of the values, and what a value may be. */
const char* htz_spec_grid_kind_name(htz_spec_grid_kind kind);
const char* htz_spec_grid_kind_about(htz_spec_grid_kind kind);
const htz_param_desc* htz_spec_grid_value_desc(htz_spec_grid_value value);
bool htz_spec_grid_has(htz_spec_grid_kind kind, htz_spec_grid_value value);

/** True where a body of that kind is none without it. */
bool htz_spec_grid_needs(htz_spec_grid_kind kind, htz_spec_grid_value value);

/** The piece of string `body` over which its first contact with `from` and `to` goes, fractions of its length; 0 and 1 when there is none. */
void htz_spec_grid_bridge(const htz_spec* spec, size_t body, double key, double* from, double* to);

/** A body of a key as it comes out at a sample rate. */
typedef struct {
  size_t points;       ///< grid points, supports included
  size_t intervals[2]; ///< along length and width; 0 where there are none
  double spacing;      ///< of a string [m]
  double tension;      ///< of a string, after tuning [N]
  double hz;           ///< first partial of the grid of a string or bar [Hz], of a mass its frequency; NaN else
  double cents[HTZ_SPEC_GRID_PARTIALS]; ///< of a string or bar: partials 1, 2, ... of the grid over those of the differential
                                        ///< equation tuned alike [cent]; NaN beyond the grid
  size_t top;                           ///< number of its highest partial
  double compliance; ///< under a bow: how far 1 N in one step moves it there in the next [m/N]; 0 for what is not bowed
} htz_spec_grid_look;

/**
   Make the bodies of `key` at `rate_hz` and look at them.

   @param looks [spec->grid->n_bodies]
   @param where on failure the path of what is at fault, for htz_spec_place()
   @param why on failure a one-line reason that begins with a property and a colon
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_UNSUPPORTED, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_spec_grid_try(const htz_spec* spec, double key, double rate_hz, const htz_kernels* kernels,
                             htz_spec_grid_look* looks, char where[HTZ_SPEC_WHERE], const char** why);

#endif
