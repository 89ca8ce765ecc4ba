#ifndef HERTZIAN_INSTRUMENT_WALK_H
#define HERTZIAN_INSTRUMENT_WALK_H

#include "hertzian/instrument/schema.h"
#include "hertzian/instrument/spec.h"
#include "tree.h"

enum { WALK_TOLD_MAX = 16 }; ///< unknown names that are told once; beyond it each time

/**
   The schema walk: each function checks one node against what may stand there, reports every fault it finds and goes on.

   None stops at the first fault; whether a file is good is told by the number of faults at the end.
*/
typedef struct {
  htz_spec* spec; // bodies in the order of the file until the end of the walk
  htz_diags* diags;
  size_t struck;        // index of the body the mallet strikes, or n_bodies when that is not known; of several the first
  const tree_node* top; // the whole file
  size_t n_strikes;     // of those it strikes together
  size_t n_bowed;       // and of those after them, that a bow plays and no mallet strikes
  size_t strikes[HTZ_ISLAND_UNISON_MAX + HTZ_BOWS_MAX];
  unsigned unsure;         // bit i: of what kind body i of a grid is could not be told; what depends on it is not checked
  bool settled;            // the bodies' names are known: references to them can be checked
  bool shared;             // a body that all keys share is being read: no tables over keys
  bool object;             // it is one object of several in the file that is read
  bool several;            // what stands beside the objects of a file is read
  bool keyed;              // the range of keys is known
  bool stage;              // a performance is read, no instrument
  bool held;               // beyond its ends the table to be read is meant to be held within its range
  const tree_node* solver; // where the mallet names one other than the house's, or NULL
  bool unsure_shared;      // what the shared body is called could not be told
  bool unsure_contacts;    // nor what all contacts of a grid are called
  bool unsure_ears;        // nor whether there is a pair of ears
  bool unsure_bow;         // nor whether a mallet plays or a bow
  bool unsure_own;         // nor what all things are called that parameters may be named after
  size_t foreign;          // keys of the map read last that mean nothing there: something missing may be meant by one
  size_t n_told;           // names of bodies that there are none of, told once each
  const char* told[WALK_TOLD_MAX];
} walk;

/** A key of a map. */
typedef struct {
  const char* name;
  bool required;
  bool refused; // it is known, and whoever reads the map says why it does not go here: it is none of those allowed
} walk_field;

enum {
  WALK_GENERIC_MAX = 13, // properties that bodies of any kind have
  WALK_FIELDS_MAX = HTZ_KIND_SCALARS_MAX + HTZ_KIND_LISTS_MAX + HTZ_KIND_WORDS_MAX + WALK_GENERIC_MAX,
  WALK_NAME_BYTES = 32
};

void htz_walk_fault(walk* w, const tree_node* node, const char* format, ...) HTZ_PRINTF(3, 4);

/** Memory in the spec. On failure NULL; the loader looks at `memory.failed` at its end. */
void* htz_walk_alloc(walk* w, size_t count, size_t size);

/**
   Distribute a map's values over `fields` (at most WALK_FIELDS_MAX).

   Reports a node that is no map, keys that are unknown or there twice, and required ones that are missing. `where` names the
   map in messages, such as `mallet`. An unknown key that is near to a field not given is read as that one; w->foreign is left as
   the number of the others.

   @param values [n] the value node of each field, NULL where there is none
   @return false when the node is no map
*/
bool htz_walk_map(walk* w, const tree_node* node, const char* where, size_t n, const walk_field* fields,
                  const tree_node** values);

/** A block of the schema as it stands in the file. */
typedef struct {
  size_t first;                            // row of value[0]
  const tree_node* value[WALK_FIELDS_MAX]; // by row; NULL where there is none
} walk_block;

/**
   htz_walk_map() over the rows of `block` that may stand where the walk is.

   @param choice number of the word that the block goes by where that is known, else HTZ_ANY_CHOICE
*/
bool htz_walk_block(walk* w, const tree_node* node, const char* where, htz_block_id block, size_t choice, walk_block* in);

/** What stands in a row of the block that was read, NULL where nothing does. */
const tree_node* htz_walk_value(const walk_block* in, htz_row_id row);

/** The rows of `block` that are known where the walk is, as fields. @param rows [WALK_FIELDS_MAX] which they are. @return how many */
size_t htz_walk_fields(const walk* w, htz_block_id block, size_t choice, walk_field* fields, htz_row_id* rows);

/** Where the walk is: HTZ_IN_MODAL and so on. */
unsigned htz_walk_context(const walk* w);

/** Name and range of a row. */
htz_range htz_walk_range_of(htz_row_id row);

/**
   What stands in a row, checked; what its default is where nothing does, and nothing where it has none.

   @return false where it is wrong
*/
bool htz_walk_row_table(walk* w, const walk_block* in, htz_row_id row, htz_table* table);
bool htz_walk_row_number(walk* w, const walk_block* in, htz_row_id row, double* value);
bool htz_walk_row_whole(walk* w, const walk_block* in, htz_row_id row, size_t* value);
bool htz_walk_row_flag(walk* w, const walk_block* in, htz_row_id row, bool* value);

/** The word in a row. @return its number, the default's where nothing stands there, or HTZ_NO_WORD where it is wrong or there is no default */
size_t htz_walk_row_word(walk* w, const walk_block* in, htz_row_id row);
enum { HTZ_NO_WORD = 1000 };

/** `node` as a word of `row`, in messages `name`. @return its number, or HTZ_NO_WORD */
size_t htz_walk_word_of(walk* w, const tree_node* node, htz_row_id row);
size_t htz_walk_word_as(walk* w, const tree_node* node, const char* name, htz_row_id row);

/** True when `node` is one of the words that may stand in place of the number of `row`: `*index` is its number. */
bool htz_walk_instead(const tree_node* node, htz_row_id row, size_t* index);

/** True when `node` is a bare word, in lower case, and no number. */
bool htz_walk_bare_word(const tree_node* node);

/** Two ends in a row, of velocity 1 and of 127; left where nothing stands. Those of `rising` are such that the first is below the second. */
void htz_walk_row_ends(walk* w, const walk_block* in, htz_row_id row, htz_table ends[2]);
void htz_walk_row_rising(walk* w, const walk_block* in, htz_row_id row, htz_table ends[2]);

/** What does not go with a clock of the file's own. */
void htz_walk_check_clock(walk* w, const tree_node* node);

/** Keys that are tuned as they sound, and what does not go with that. */
void htz_walk_tuned_at(walk* w, const tree_node* node);
void htz_walk_check_tuned(walk* w, const tree_node* node);

struct htz_spec_barrier;

/** What lies along a string: `profile`, `parabola` or neither, and frets or none; `what` and `node`: of what, in messages. */
void htz_walk_barrier(walk* w, const tree_node* node, const char* what, const tree_node* profile, const tree_node* parabola,
                      const tree_node* frets, struct htz_spec_barrier* barrier);

/** At every key a stretch has a length. */
void htz_walk_stretch_ends(walk* w, const tree_node* node, const htz_table* from, const htz_table* to);

/** `node` as a list with as many items as `row` takes. */
bool htz_walk_row_list(walk* w, const tree_node* node, htz_row_id row);

/** A table of the default of `row`. */
void htz_walk_row_default(walk* w, htz_row_id row, htz_table* table);

/** Names of the laws that a mallet's contact may have, and of the solvers. NULL past the end. */
const char* htz_walk_law_name(size_t index);
const char* htz_walk_solver_name(size_t index);

/** A number within `range`. @return false when it is not. */
bool htz_walk_number(walk* w, const tree_node* node, const htz_range* range, double* value);

/** A whole number within `range`. */
bool htz_walk_whole(walk* w, const tree_node* node, const htz_range* range, long* value);

/** A number, or a table over keys of such numbers. */
bool htz_walk_table(walk* w, const tree_node* node, const htz_range* range, htz_table* table);

/** A table of one value, for defaults. NULL node leaves it. */
void htz_walk_constant(walk* w, double value, const htz_range* range, htz_table* table);

/** A list of `least` to `most` items. */
bool htz_walk_list(walk* w, const tree_node* node, const char* name, size_t least, size_t most);

/** One line of text of 1..`most` bytes; NULL when it is not. */
const char* htz_walk_text(walk* w, const tree_node* node, const char* name, size_t most);

/** true or false. */
bool htz_walk_flag(walk* w, const tree_node* node, const char* name, bool* value);

/** One of `names`, that of a body. One that is none is told once, wherever else it stands. @return its index, or n */
size_t htz_walk_reference(walk* w, const tree_node* node, const char* name, size_t n, const char* const* names);

/** Note that the name at `node` has been told to be that of nothing. */
void htz_walk_tell_name(walk* w, const tree_node* node);

/** The name of a key's body. @return its index, or n_bodies */
size_t htz_walk_body_name(walk* w, const tree_node* node, const char* name);

/** The same, or the shared body's name. @return its index, n_bodies for the shared one, or n_bodies + 1 */
size_t htz_walk_any_body_name(walk* w, const tree_node* node, const char* name);

/** True when a parameter that every instrument has is called that, or begins with it and a point. */
bool htz_walk_param_word(const char* name);

/** A name as bodies have it: 1 to WALK_NAME_BYTES letters, digits, - and _. */
bool htz_walk_good_name(const tree_node* node);

/** Body `name`, the next one of `per_key`. */
typedef void walk_add_body(walk* w, const tree_node* node, const char* name);

/** A key's bodies, at most `most` of them; sets w->settled. */
void htz_walk_each_body(walk* w, const tree_node* node, size_t most, walk_add_body* add);

/** The value of a map's key, NULL when it is not there. */
const tree_node* htz_walk_value_of(const tree_node* map, const char* name);

/** What kind of body `node` is: the value of `body`, or of a key near to it when that is not there; NULL when neither is. */
const tree_node* htz_walk_kind_of(const tree_node* node);

/** What is said of every file: name, about and strict. */
void htz_walk_titles(walk* w, const walk_block* in);

/** What is heard, as a row says. */
htz_quantity htz_walk_quantity(walk* w, const walk_block* in, htz_row_id row);

/** Report that `body` has no force to be heard, at `node`, unless it has or another quantity is heard. NULL body: say nothing. */
void htz_walk_check_force(walk* w, const tree_node* node, htz_quantity quantity, const htz_spec_body* body);

/** Report that `body` has no width to be struck or heard at, at `node`, unless it is a surface. NULL body or node: say nothing. */
void htz_walk_check_surface(walk* w, const tree_node* node, const htz_spec_body* body);

/** A place in metres from the instrument's origin: three numbers, or tables over keys where those may stand. */
bool htz_walk_metres(walk* w, const walk_block* in, htz_row_id row, htz_table at[3]);

/** The pair of ears, at places to choose from. */
void htz_walk_ears(walk* w, const tree_node* node);

/** Report, at `ears`, a pair that hears nothing. NULL: there is none. */
void htz_walk_check_ears(walk* w, const tree_node* ears);

/** Both ears of the file's pair are meant, not one at a place. */
bool htz_walk_both_ears(const walk_block* in, htz_row_id row);

/**
   Where an ear is, of a pickup whose rows from `other` to `row` say where it would be heard; of both the left one. NULL body: its kind is
   not known.

   @param place what says where it is heard from; both are left and right
*/
void htz_walk_ear(walk* w, const walk_block* in, htz_row_id row, htz_row_id other, const tree_node* place,
                  const htz_spec_body* body, htz_table ear[HTZ_EARS][3]);

/** One of the pair, 0 left, 1 right, wherever it can be. */
void htz_walk_one_of_ears(const htz_spec* spec, size_t side, htz_table ear[HTZ_EARS][3]);

/** The body of a key with this index, or NULL when there is none. */
const htz_spec_body* htz_walk_body_at(const walk* w, size_t index);

/** The law that a row names, or NULL. */
const htz_law_class* htz_walk_law(walk* w, const walk_block* in, htz_row_id row);

/** The parameter called `name` of `law`, as a range. @return its number, or law->n_params when it has none */
size_t htz_walk_law_range(const htz_law_class* law, const char* name, htz_range* range, double* initial);

/** Put bodies in the order of htz_spec.bodies; faults of what moves them. All references are known to be good here. */
void htz_walk_order(walk* w, const tree_node* per_key, const tree_node* feeds);

/** A table, or `value` when there is no node. */
void htz_walk_table_or(walk* w, const tree_node* node, double value, const htz_range* range, htz_table* table);

/** Faults between mallets that stay and the rest of the file; bodies sorted. */
void htz_walk_check_stay(walk* w, const tree_node* mallet);

/** Faults between the solver the mallet names and the rest of the file; bodies in the order of the file. */
void htz_walk_check_solver(walk* w);

/** Faults between links and the rest of the file; bodies sorted. */
void htz_walk_check_links(walk* w, const tree_node* links);

/** That every shared body that links name is moved by some key, be it by way of others. */
void htz_walk_check_stirred(walk* w, const tree_node* shared);

/** An item of `keys`: the number of a key. */
bool htz_walk_key(walk* w, const tree_node* node, long* key);

/** Two keys, the lower first, within 0..127. */
bool htz_walk_key_range(walk* w, const tree_node* node, const char* name, int* low, int* high);

/** The properties of a body of `node`, those that all keys share when w->shared. */
void htz_walk_body(walk* w, const tree_node* node, htz_spec_body* body);

/** One of `names`. @return its index, or n */
size_t htz_walk_word(walk* w, const tree_node* node, const char* name, size_t n, const char* const* names);

/** Write names[0..n) separated by commas. @return `text` */
const char* htz_walk_names(size_t n, const char* const* names, size_t size, char* text);

/** A spec with nothing in it yet, or NULL. To be freed by htz_spec_free(). */
htz_spec* htz_walk_new_spec(void);

/** Things that follow from the rest of an object. */
void htz_walk_derive(htz_spec* spec);

/** True when the file gives different keys different objects. */
bool htz_walk_has_objects(const tree_node* root);

/** Such a file, and any other: one object, or one of several. */
void htz_walk_objects_file(walk* w, const tree_node* root);
void htz_walk_one(walk* w, const tree_node* root);

/** The parameters that move mallets that stay. */
void htz_walk_stay_controls(htz_stay* stay);

/** True for the rows of a file with what parameters may be named after. */
static inline bool htz_walk_names_params(htz_row_id row) {
  return row == HTZ_ROW_FILE_BOW || row == HTZ_ROW_FILE_PREPARATIONS || row == HTZ_ROW_FILE_LINKS ||
         row == HTZ_ROW_FILE_CONTACTS;
}

/** Parameters by the names of the file's objects and things; once these are read. */
void htz_walk_bind(walk* w);

/** What htz_walk_one() reads, as it is called in messages. */
const char* htz_walk_top_name(const walk* w);

/** htz_walk_block() of that: an object of several says nothing that belongs to the whole file. */
bool htz_walk_top(walk* w, const tree_node* root, walk_block* in);

/** Faults of the shared body: driven and heard, or not there. */
void htz_walk_check_board(walk* w, const tree_node* shared);

/** The parts of a file, in the order in which they are read. */
void htz_walk_format(walk* w, const tree_node* node);
void htz_walk_family(walk* w, const tree_node* node);
void htz_walk_keys(walk* w, const tree_node* node);
void htz_walk_bodies(walk* w, const tree_node* node);
void htz_walk_shared(walk* w, const tree_node* node);
void htz_walk_mallet(walk* w, const tree_node* node);
void htz_walk_solver(walk* w, const walk_block* in);
void htz_walk_mallet_gravity(walk* w, const walk_block* in);
void htz_walk_mallet_drive(walk* w, const tree_node* node);
void htz_walk_mallet_roll(walk* w, const tree_node* node);
void htz_walk_soft_pedal(walk* w, const tree_node* node);

/** Contact of `mallet`. */
void htz_walk_mallet_contact(walk* w, const tree_node* node, htz_spec_mallet* mallet);

/** Of the mallet: those to choose from; weight, speed, touch, and what becomes of it. */
void htz_walk_mallet_kinds(walk* w, const walk_block* in);
void htz_walk_mallet_common(walk* w, const walk_block* in);

/** Where the drive of list item `item` meets the shared body, and that it is that. */
void htz_walk_drive_along(walk* w, const walk_block* in, const tree_node* item, htz_spec_drive* drive);
void htz_walk_drive_to(walk* w, const tree_node* node);
void htz_walk_bow(walk* w, const tree_node* node);
void htz_walk_fingered(walk* w, const tree_node* node);

/** Faults between bows and fingers (NULL: not there) and the rest of the file; bodies sorted. */
void htz_walk_check_bow(walk* w, const tree_node* bow, const tree_node* fingered);

/** One more bow, but for the name of what it plays: its node in `plays`, NULL when it is missing. */
void htz_walk_bow_values(walk* w, const tree_node* node, const tree_node** plays);

void htz_walk_links(walk* w, const tree_node* node);

/** True when a link of the file `top`, or of one of its objects, names `name` at an end. */
bool htz_walk_links_name(const tree_node* top, const char* name);
void htz_walk_feeds(walk* w, const tree_node* node);
void htz_walk_drives(walk* w, const tree_node* node);
void htz_walk_pickups(walk* w, const tree_node* node);
void htz_walk_action(walk* w, const tree_node* node);

/** All pickups of a file: those of the shared body, and by `own` those of a key's bodies, numbered as in the list. */
typedef void walk_own_pickup(walk* w, const tree_node* node, size_t number);
void htz_walk_each_pickup(walk* w, const tree_node* node, walk_own_pickup* own);

void htz_walk_board_pickup(walk* w, const tree_node* node, size_t number, htz_spec_board* board);

/** Where a pickup is between left and right, by the rows of HTZ_BLOCK_PICKUP; `foreign`: one of them may be misspelt. */
void htz_walk_placed(walk* w, const walk_block* in, bool foreign, htz_spec_pickup* pickup);

void htz_walk_damper(walk* w, const tree_node* node);
void htz_walk_chokes(walk* w, const tree_node* node);

/** Faults between those and the keys there are. */
void htz_walk_check_chokes(walk* w, const tree_node* node);

/** Read the list of a row, each number at most once. @return how many */
size_t htz_walk_program_list(walk* w, const tree_node* node, htz_row_id row, uint8_t out[HTZ_SPEC_PROGRAMS_MAX]);
void htz_walk_programs(walk* w, const tree_node* node);
void htz_walk_kits(walk* w, const tree_node* node);
void htz_walk_defaults(walk* w, const tree_node* node);
void htz_walk_controls(walk* w, const tree_node* node);

/** A parameter of `w->spec` that stands in a map called `where`, and its value. @return false when it is none, or none that it has a use for */
bool htz_walk_setting(walk* w, const tree_node* key, const char* where, size_t* param, double* value);

/** Faults of parameters, named in either of the two (NULL: not there), that the rest of the file has no use for. */
void htz_walk_check_params(walk* w, const tree_node* defaults, const tree_node* controls);

#endif
