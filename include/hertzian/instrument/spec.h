#ifndef HERTZIAN_INSTRUMENT_SPEC_H
#define HERTZIAN_INSTRUMENT_SPEC_H

#include "hertzian/base/arena.h"
#include "hertzian/contact/friction.h"
#include "hertzian/contact/law.h"
#include "hertzian/contact/modal_island.h"
#include "hertzian/contact/solver.h"
#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/params.h"
#include "hertzian/model/bodies.h"
#include "hertzian/model/kind.h"
#include "hertzian/model/radiation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
   An instrument as its file describes it, checked, and independent of the sample rate. Read-only once loaded, so that any
   number of threads may build from it. The language is described by example in the files under instruments: marimba.yaml first,
   piano.yaml for unisons and a shared body, vibraphone.yaml for dampers and mallets to choose from, cello.yaml for a bow and fingers,
   music-box.yaml for pins that pluck, mass-barrier.yaml and string-mass-barrier.yaml for the grid family (spec_grid.h).

   A file may give different keys different objects (`objects:`). Each is a spec of its own, of the file's shared body too; the file's has
   no bodies then, and nothing that plays them.
*/
enum {
  HTZ_KEYS = 128,
  HTZ_CONTROLS_MAX = 40,
  HTZ_SPEC_BYTES_MAX = 1 << 20, ///< longest file [byte]
  HTZ_SPEC_PROGRAMS_MAX = 128,
  HTZ_SPEC_UNISON_MAX = 4,        ///< of one body that is there several times
  HTZ_SPEC_KINDS_MAX = 8,         ///< mallets to choose from
  HTZ_SPEC_ZONES_MAX = 16,        ///< drive points of a shared body
  HTZ_SPEC_BOARD_PICKUPS_MAX = 4, ///< pickups of a shared body
  HTZ_SPEC_SHARED_MAX = 16,       ///< shared bodies that keys are linked to
  HTZ_SPEC_DRIVES_MAX = 4,
  HTZ_SPEC_BLOWS_MAX = 4, ///< of an action
  HTZ_SPEC_POOL_MAX = 8,  ///< mallets of a key
  HTZ_SPEC_CHOKES_MAX = 16,
  HTZ_CONTROL_PRESSURE = 128, ///< in place of a controller's number: channel pressure
};

/**
   A value over the keys: points (key, value), one for a value that is the same everywhere.

   Between two points the logarithm of the value is a straight line over key number when all values are positive, else the
   value is. Beyond the ends the slope of the end goes on. The result is limited to [minimum, maximum].
*/
typedef struct {
  size_t n;            ///< points; 0: not given
  const double* key;   ///< ascending
  const double* value; ///< [unit of the property]
  bool logarithmic;
  double minimum, maximum;
} htz_table;

/** Value at `key`; NaN when the table is not given. */
double htz_table_at(const htz_table* table, double key);

/** What the points make of `key` before it is limited; NaN when the table is not given. */
double htz_table_unlimited(const htz_table* table, double key);

/** A list-valued property: n items, each a table. */
typedef struct {
  size_t n; ///< 0: not given
  const htz_table* item;
} htz_table_list;

/** Where a body's pitch comes from. */
typedef enum {
  HTZ_PITCH_KEY = 0,  ///< the key's pitch times `ratio`
  HTZ_PITCH_FIXED,    ///< `frequency`
  HTZ_PITCH_OWN,      ///< its dimensions and material
  HTZ_PITCH_STRETCHED ///< the key's pitch times `ratio` and htz_spec_stretch()
} htz_pitch;

typedef struct {
  const char* name; ///< as under `per_key:`
  const htz_body_kind* kind;
  const htz_table* scalars;    ///< [kind->n_scalars]
  const htz_table_list* lists; ///< [kind->n_lists]
  const unsigned* words;       ///< [kind->n_words] index of the choice
  const char* material;        ///< or NULL
  htz_pitch pitch;
  htz_table ratio;     ///< to the key's pitch []
  htz_table frequency; ///< [Hz]
  size_t max_modes;
  double limit_hz;                ///< no modes above this frequency [Hz]
  htz_table count;                ///< how many of them a key has (the strings of its unison), to be rounded
  size_t zones;                   ///< of a shared body: points along its length where keys drive it
  htz_table detune;               ///< between the lowest and the highest of them [cent]
  const void* shared;             ///< what kind->prepare() found for all keys, or NULL
  size_t least_modes, most_modes; ///< modes of a key within the range, for listings
  size_t left_out;                ///< most that a cap on their number left out of one key's (htz_modes.left_out)
  bool surface, same_all_over;    ///< has places (x, y); has none at all (htz_modes_same_all_over())
  bool closed;                    ///< its places lie round a rim (htz_modes_is_closed())
  htz_table place[3];  ///< of its middle, from the instrument's origin: x to the right, y away, z up [m]; not given: 0
  unsigned axis;       ///< its length lies along x, y or z (0, 1, 2): htz_spec_ear()
  const char* unheard; ///< why no ear hears it; NULL: one does
  bool stretches;      ///< its tension grows with its stretching at some key
  bool has_end_force;  ///< presses on a support at its far end: HTZ_HEAR_FORCE can be heard of it
  double top_hz;       ///< highest frequency of a mode among them [Hz]
} htz_spec_body;

typedef struct {
  const htz_law_class* law;
  htz_table mass;                 ///< [kg]
  htz_table speed[2];             ///< at velocity 1 and 127 [m/s]
  htz_table at;                   ///< fraction of the length
  htz_table at_y;                 ///< of the width of a surface; not given: `at` is along its line
  htz_table touch;                ///< stiffness at velocity 1 over that at 127 []
  htz_table stiffness;            ///< K at velocity 127 [N/m^alpha]
  htz_table exponent;             ///< alpha []
  htz_table viscosity;            ///< mu [s/m]; 0 for a law that has none
  htz_table hysteresis;           ///< epsilon of felt that relaxes []; 0 for a law that has none
  htz_table relaxation;           ///< tau0 of that felt [s]
  htz_table core;                 ///< stiffness of a core in the winding [N/m^alpha]; 0 for a law that has none
  htz_table core_exponent;        ///< its alpha []
  htz_table depth;                ///< how far the winding gives before the core is met [m]
  htz_table lift[2];              ///< of a pin that plucks, at velocity 1 and 127 [m]; not given: it strikes
  size_t pool;                    ///< mallets per key
  double soft;                    ///< factor on the stiffness with the soft pedal down []
  const htz_solver_class* solver; ///< what solves its contact; NULL: the house's
  // Of mallets that stay; the player's parameters start from what is given here.
  htz_stay stay;       ///< `seed` aside; given: with gravity, drive or roll
  bool falls;          ///< `gravity` is given
  bool driven;         ///< `drive` is
  htz_table travel[2]; ///< speed of rolling at velocity 1 and 127 [m/s]; not given: it does not roll
} htz_spec_mallet;

/** One of the mallets to choose from, as factors on what `mallet:` says. */
typedef struct {
  const char* name;
  double hardness, mass; ///< on stiffness and mass []
  bool plucks;           ///< with `lift`: it lifts the body and lets it go
} htz_spec_mallet_kind;

/** One-way drive of a body by what is heard of another. */
typedef struct {
  size_t from, to; ///< indices into bodies, different ones; from < to where `to` is only fed
  htz_quantity quantity;
  htz_table at;   ///< where `from` is heard, fraction of its length
  htz_table into; ///< where `to` is driven, fraction of its length
  htz_table gain; ///< force per quantity [N/m, N s/m or kg]
} htz_spec_feed;

typedef struct {
  size_t of;   ///< index into bodies
  size_t item; ///< number in the list of the file
  htz_quantity quantity;
  htz_table at;               ///< fraction of the length
  htz_table at_y;             ///< of the width of a surface; not given: `at` is along its line
  bool moves;                 ///< the ear is one of the file's pair; else it is the same wherever that is
  htz_table ear[HTZ_EARS][3]; ///< where the pressure is heard with the pair there, from the instrument's origin [m]
  htz_table gain;             ///< sample value per quantity; of a pressure a factor: HTZ_EAR_FULL_SCALE
  bool by_key;                ///< placed by key over [-spread, spread], low keys to the left; else at `pan`
  double pan;                 ///< -1 left .. 1 right
  double spread;              ///< 0..1
  htz_table magnet[2];        ///< distance and offset of a magnet with a coil [m]; not given: it is none
} htz_spec_pickup;

/** One-way drive of the shared body by what is heard of a body of each key. */
typedef struct {
  size_t from; ///< index into bodies
  htz_quantity quantity;
  htz_table at;    ///< where `from` is heard, fraction of its length
  htz_table gain;  ///< force per quantity []
  bool by_key;     ///< along the shared body's drive line from the lowest key to the highest; else at `along`
  htz_table along; ///< fraction of the drive line
} htz_spec_drive;

/** What is heard of the shared body. */
typedef struct {
  size_t item; ///< number in the list of the file
  htz_quantity quantity;
  double at[2]; ///< fractions of its length and width
  bool moves;   ///< as in htz_spec_pickup
  htz_table ear[HTZ_EARS][3];
  double gain; ///< sample value per quantity; of a pressure a factor
  double pan;  ///< -1 left .. 1 right
} htz_spec_board_pickup;

/** The body all keys share, such as a soundboard. */
typedef struct {
  bool given;
  htz_spec_body body; ///< the same for all keys
  size_t n_drives;
  htz_spec_drive drives[HTZ_SPEC_DRIVES_MAX];
  size_t n_pickups;
  htz_spec_board_pickup pickups[HTZ_SPEC_BOARD_PICKUPS_MAX];
} htz_spec_board;

/** A mass that every key throws at the body of the action. */
typedef struct {
  bool release;           ///< as the key is let go, not as it is pressed
  htz_spec_mallet thrown; ///< its mass, speed, place and contact; nothing else of it counts
  htz_table gap;          ///< how far it has to go when the note sets in [m]
} htz_spec_blow;

/** What keys hit as they are pressed and let go. */
typedef struct {
  bool given;
  htz_spec_body body; ///< the same for all keys
  size_t n_blows;
  htz_spec_blow* blows;  ///< [n_blows]
  htz_quantity quantity; ///< what of it drives the shared body
  double at;             ///< where that is heard, fraction of its length
  double along;          ///< where along the shared body's line it drives
  double gain;           ///< force per quantity [N per unit of the quantity]
} htz_spec_action;

/** What a player moves of a bow. */
typedef enum { HTZ_BOW_FORCE = 0, HTZ_BOW_SPEED, HTZ_BOW_POSITION, HTZ_BOW_FIELDS } htz_bow_field;

/** A bow, or a wheel. */
typedef struct {
  const char* name;                     ///< as in the file; NULL: `bow`, and the second `bow2`
  htz_moved_by control[HTZ_BOW_FIELDS]; ///< of its own alone what moves it
  size_t body;                          ///< index into bodies, one with modes; on a grid its gesture says that
  htz_friction law;
  bool turns;          ///< a wheel: it has its speed when it is set on, and does not bite
  htz_table rim;       ///< way round a closed body along which it rubs [m]; not given: it stays where it lies
  htz_table at_y;      ///< across a surface, fraction of the width; `at` is then from the near end. Not given: along its line
  htz_table at;        ///< where it lies, fraction of the length from the far end
  htz_table force[2];  ///< how hard it presses at velocity 1 and 127 [N]
  htz_table speed[2];  ///< how fast it is drawn at velocity 1 and 127 [m/s]
  htz_table attack[2]; ///< how soon it has its speed at velocity 1 and 127 [s]
  double torsion; ///< the string's impedance to twisting over that to its swing []; 0: it does not twist. Strings with modes
} htz_spec_bow;

enum { HTZ_SPEC_STRINGS_MAX = 8, HTZ_SPEC_HARMONICS_MAX = 16 };

/** A few strings serve all keys: the left hand. */
typedef struct {
  size_t n;                       ///< strings; 0: every key has its own
  int keys[HTZ_SPEC_STRINGS_MAX]; ///< of the open strings, ascending
  double glide;                   ///< how long a finger takes from one pitch to another [s]
  bool harmonics;                 ///< the finger lies lightly: keys play the natural harmonics nearest to them
  bool chords;                    ///< a key whose string is held is played on a lower one that is free
  double hammer_on;               ///< velocity up to which a key moves the finger on a held, sounding string, without a stroke
  int frets;                      ///< keys from an open string to its highest stop
} htz_spec_fingered;

/** A controller that moves a parameter from `low` at 0 to `high` at 127, on the parameter's scale. */
typedef struct {
  size_t param;     ///< below htz_spec_n_params()
  unsigned cc;      ///< controller, or HTZ_CONTROL_PRESSURE
  double low, high; ///< [unit of the parameter]
} htz_spec_control;

/**
   A field of one thing of an object, a preparation, a bow or a contact, that goes by the name which that has in the file. Number i of an
   object is value HTZ_PARAM_COUNT + i of its keys; NaN there: as built.
*/
typedef struct {
  const char* name;      ///< of the thing
  htz_param_index param; ///< what it is like, and is called behind the thing's name
  double initial;        ///< what the file says at the middle key [unit of the parameter]; of a factor 1
  bool moves;            ///< it changes anything
} htz_spec_own;

/** A parameter that goes by a name of the file: it moves one value of the keys of one object. */
typedef struct {
  const char* name; ///< as after `-s`: "drum.mallet.hardness", "rattle2.gap"
  size_t object;
  htz_param_index param; ///< what it is like: range, scale, unit
  uint32_t slot;         ///< the value, below HTZ_PARAM_SLOTS
} htz_spec_binding;

/** Keys of which a strike on one damps the others. */
typedef struct {
  uint64_t keys[2]; ///< bit key % 64 of [key / 64]
  htz_table loss;   ///< decay rate of a key that is choked [1/s]
} htz_spec_choke;

typedef struct htz_spec_grid htz_spec_grid;         ///< see spec_grid.h
typedef struct htz_spec_prepared htz_spec_prepared; ///< see spec_prepared.h
typedef struct htz_spec_link htz_spec_link;         ///< see spec_link.h

typedef struct htz_spec htz_spec;

struct htz_spec {
  htz_arena memory; ///< owns everything below, but for the objects of several
  const void* tree; ///< the file as it was written, for htz_spec_place()
  const char* file; ///< as it was opened
  const char* id;   ///< file name without folder and ending: what `-i` takes
  const char *name, *about;
  int key_low, key_high; ///< range of the real instrument, inclusive
  uint64_t keys[2];      ///< those of an object: bit key % 64 of [key / 64]; all of the range but where it is a list
  uint64_t
      tuned[2]; ///< likewise, keys that are measured when they are built and tuned as they sound; none: all as their bodies are
  double clock_hz; ///< of the whole file: sample rate its keys run at whatever the host's is [Hz]; 0: the host's
  bool strict;     ///< no keys outside the range
  size_t n_objects;
  htz_spec** objects;    ///< [n_objects] each with the keys it has; a file without `objects:` is one itself, of all keys
  const htz_spec* whole; ///< the file that an object is of
  htz_spec_grid* grid;   ///< of the grid family; NULL: bodies with modes, below. With it those are resonators
  size_t n_bodies;
  htz_spec_body bodies
      [HTZ_ISLAND_BODIES_MAX]; ///< struck ones, bowed ones, then other linked ones, then those that are only fed, each after what feeds it
  size_t n_struck;             ///< of those, the first so many are struck; where nothing is thrown, bowed
  size_t n_bowed;              ///< and so many after those a bow plays that no mallet strikes
  size_t n_linked;             ///< so many move together, sample by sample: struck, bowed, linked, or feeding one that is
  size_t n_links;
  htz_spec_link* links; ///< [n_links]
  size_t n_linked_shared;
  htz_spec_board* linked_shared; ///< [n_linked_shared] bodies that keys share and are linked to; without drives
  htz_spec_mallet mallet;
  htz_spec_prepared* prepared; ///< what is fixed to the struck body or lies loose on it; NULL: nothing
  size_t n_feeds;
  htz_spec_feed feeds[HTZ_ISLAND_FEEDS_MAX];
  size_t n_pickups;
  htz_spec_pickup pickups[HTZ_ISLAND_PICKUPS_MAX]; ///< of the key's own bodies
  htz_spec_board board;
  htz_spec_action action;
  htz_table damper;   ///< decay rate of a damped key [1/s]; not given: no damper
  int damper_keys[2]; ///< keys that have one, inclusive
  size_t n_kinds;     ///< 0: one mallet
  htz_spec_mallet_kind kinds[HTZ_SPEC_KINDS_MAX];
  size_t n_programs, n_kits;
  uint8_t programs[HTZ_SPEC_PROGRAMS_MAX], kits[HTZ_SPEC_PROGRAMS_MAX]; ///< that choose it, and on the drum channel
  size_t n_bows;
  htz_spec_bow bows[HTZ_BOWS_MAX];
  bool thrown; ///< there is a mallet
  htz_spec_fingered fingered;
  // What goes on acting at its keys, for the parameters that have an effect; `bowed`: there are bows.
  bool bowed, loose_bridge, rattles, screws, rubbers, threaded;
  double params[HTZ_PARAM_SLOTS];    ///< initial values: the table's, then the file's; mallet.at: that of the middle key
  bool param_given[HTZ_PARAM_SLOTS]; ///< named under `defaults:`
  size_t n_own;
  htz_spec_own own[HTZ_OWN_MAX]; ///< [n_own]
  size_t n_bindings;
  const htz_spec_binding* bindings; ///< [n_bindings] of the whole file; number HTZ_PARAM_COUNT + i
  bool ears_given[HTZ_EARS];        ///< the pair of ears can be there; none: the file has no pair
  htz_table ears[HTZ_EARS][2][3];   ///< left and right, from the instrument's origin [m]
  size_t n_chokes;
  htz_spec_choke chokes[HTZ_SPEC_CHOKES_MAX]; ///< of the whole file; no key is in two
  size_t n_controls;
  htz_spec_control controls[HTZ_CONTROLS_MAX];
};

/** The object that key `key` belongs to; NULL when there is none. Of a file that is one object itself: that, at all keys. */
const htz_spec* htz_spec_object(const htz_spec* spec, int key);

/** How many keys the real instrument has. */
size_t htz_spec_count_keys(const htz_spec* spec);

/**
   The key of the range that is whole octaves away from `key` and nearest to it; `key` itself when it lies within, when the range has none,
   and where the file has objects, whose keys are things and no scale. Any thread.
*/
int htz_spec_octave(const htz_spec* spec, int key);

/** Of those the one nearest to the middle of the range. */
int htz_spec_middle_key(const htz_spec* spec);

/** True when `key` is one of the keys of this object that the real instrument has. */
static inline bool htz_spec_has_key(const htz_spec* object, int key) {
  return key >= object->key_low && key <= object->key_high && (object->keys[key / 64] >> (key % 64) & 1u);
}

/**
   Load the instrument file at `path` (not a name: see htz_spec_find()).

   @param diags all faults on HTZ_BAD_INPUT; one with line 0 on HTZ_NOT_FOUND, HTZ_IO, HTZ_NO_MEMORY and HTZ_NO_FILES
   @param out to be freed by htz_spec_free(); NULL on failure
   @return HTZ_OK, HTZ_BAD_INPUT, HTZ_NOT_FOUND, HTZ_IO, HTZ_NO_MEMORY, HTZ_NO_FILES. Set-up thread.
*/
htz_status htz_spec_load(const char* path, htz_spec** out, htz_diags* diags);

/** The same from memory; `name` stands for the file in messages. */
htz_status htz_spec_parse(const char* name, const char* text, size_t length, htz_spec** out, htz_diags* diags);

/** A place in the file, both from 1. */
typedef struct {
  unsigned line, column;
} htz_spec_mark;

enum { HTZ_SPEC_WHERE = 96 }; ///< bytes of a path in the file, as it is reported

/**
   Where the value stands that `path` leads to: keys of maps and numbers of items, such as `mallet.at` or `contacts.1.at`; as far as the
   path goes in this file. Any thread.
*/
htz_spec_mark htz_spec_place(const htz_spec* spec, const char* path);

/** True when a damper has something to damp on the keys of an object. */
bool htz_spec_can_be_damped(const htz_spec* object);

/** One more than the number of the last parameter of this instrument. Those between HTZ_PARAM_NAMED and HTZ_PARAM_COUNT have no name. */
size_t htz_spec_n_params(const htz_spec* spec);

/** The parameter called `name`, one that every instrument has or one of this file; htz_spec_n_params() when there is none. */
size_t htz_spec_param_find(const htz_spec* spec, const char* name);

/** What parameter `param` is bound to; NULL for those that every instrument has. */
const htz_spec_binding* htz_spec_binding_at(const htz_spec* spec, size_t param);

/** True when what it is bound to is there. */
bool htz_spec_binding_used(const htz_spec* spec, const htz_spec_binding* binding);

/** What it starts from, of those that differ from key to key what the middle one has. */
double htz_spec_param_initial(const htz_spec* spec, size_t param);

/** True when parameter `param` has a name and changes anything about this instrument: about one of its objects. */
bool htz_spec_param_used(const htz_spec* spec, size_t param);

/** True when `value`, one of a parameter's words, is there on this instrument: a gesture that its keys have. Of numbers always true. */
bool htz_spec_param_has(const htz_spec* spec, size_t param, double value);

/** Parameter `param` with the range it has on this instrument. */
htz_param_desc htz_spec_param(const htz_spec* spec, size_t param);

/** Names of its values where it is a choice, as htz_param_words(). */
const char* const* htz_spec_param_words(const htz_spec* spec, size_t param);

/** Free a spec; NULL is ignored. Instruments built from it must be gone. */
void htz_spec_free(htz_spec* spec);

enum { HTZ_PATH_MAX = 4096 }; ///< longest path of an instrument file [byte]

/**
   Path of the instrument called `name`.

   A name with a `/` in it or ending in `.yaml` is a path and taken as it is. Otherwise NAME.yaml is looked for in
   $HERTZIAN_INSTRUMENTS (when set), $XDG_DATA_HOME/hertzian/instruments (or ~/.local/share), the source folder this program
   was built from, the folder that was installed with it (wherever that tree stands now), and the one it installs to.

   @param path [HTZ_PATH_MAX]
   @param diags on failure one line that names what is near or what there is
   @return HTZ_OK, HTZ_NOT_FOUND. Whether a path given as such exists is left to htz_spec_load(). Set-up thread.
*/
htz_status htz_spec_find(const char* name, char path[HTZ_PATH_MAX], htz_diags* diags);

#define HTZ_EAR_FULL_SCALE 20.0 ///< sound pressure that gives the sample value 1 [Pa]: 120 dB of a sine

/**
   An ear at `at` as `body` of key `key` sees it. The body's length lies along x, its width along y, and it moves along z; with axis y it is
   turned a quarter about z, length along y, width along -x; with axis z it stands, length along z, width along x, moving along y.
*/
htz_ear htz_spec_ear(const htz_spec_body* body, const htz_table at[3], double key);

/** True when something is heard by the pair of ears. */
bool htz_spec_has_pair(const htz_spec* spec);

/** Where the pair of ears is at first; the first of those there are unless the file says. */
htz_ears htz_spec_first_ears(const htz_spec* spec);

/** Pitch of MIDI key `key` in equal temperament, A4 = 440 Hz [Hz]. */
double htz_key_hz(double key);

/** Scalars of the body's kind that are the same for all keys, NaN for others and for those not given. @param scalar [kind->n_scalars] */
void htz_spec_constants(const htz_spec_body* body, double* scalar);

/** Bodies of this description that key `key` has, 1..HTZ_SPEC_UNISON_MAX. */
size_t htz_spec_count(const htz_spec_body* body, double key);

/**
   How far number `index` of `count` bodies of a unison is from the pitch, per cent between the outermost two.
   One is in tune; two are half each way; of three the middle one is in tune and the others are at -5/9 and 4/9, so that no two
   pairs beat alike; four are at 0, 1, 4 and 6 sixths (Golomb's ruler: all six pairs differ), half each way.
*/
double htz_spec_spread(size_t index, size_t count);

/**
   U of the bow on key `key` at velocity 127, for `rate_hz` (htz_friction_stiffness): above 2.24 the solver has a choice between sticking
   and slipping, and keeps to what the string did before. NaN where no bow plays, or without memory. Set-up thread.
*/
double htz_spec_bow_stiffness(const htz_spec* spec, double key, double rate_hz);

/** The drive by the force of the struck body's end, through which it can feel the shared body as well; n_drives where there is none. */
size_t htz_spec_joined_drive(const htz_spec* spec);

/**
   Why the struck body of an object cannot feel the shared body as well as drive it, as half a sentence (static text); NULL when it can.
   The `gain` of htz_spec_joined_drive() is then the ratio of a lever between string and body, force on the body over force of the string,
   which carries the body's movement back in the same ratio. Other drives stay forces one way; those of the same key act a sample late.
*/
const char* htz_spec_apart_why(const htz_spec* object);

/** True when some object of the file can. */
bool htz_spec_two_way(const htz_spec* spec);

/** Why none can, as half a sentence (static text); NULL when they can. */
const char* htz_spec_one_way_why(const htz_spec* spec);

/** As `modes`, in `arena`, with every frequency moved by `cents`; shapes, losses and masses are shared with `modes`. */
htz_status htz_spec_detuned(const htz_modes* modes, double cents, htz_arena* arena, htz_modes* out);

/**
   Modes of `body` for one key, in `arena`: what the file says at that key, given to the body's kind. In tune; the bodies of a
   unison are detuned by htz_spec_detuned().

   @param why on HTZ_BAD_VALUE a one-line reason, naming the property first (static text)
*/
htz_status htz_spec_modes(const htz_spec_body* body, double key, htz_arena* arena, htz_modes* out, const char** why);

#endif
