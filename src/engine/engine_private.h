#ifndef HERTZIAN_ENGINE_PRIVATE_H
#define HERTZIAN_ENGINE_PRIVATE_H

#include "action.h"
#include "asleep.h"
#include "human.h"

#include "hertzian/dsp/room.h"

#include <math.h>

enum {
  KEY_EVENTS_MAX = 16,  ///< strikes and damper moves of one key in one quantum
  GAIN_EVENTS_MAX = 32, ///< gain changes of one part in one quantum; later ones replace the last
  RINGS_MAX = 8,
  MASK_WORDS = HTZ_KEYS / 64
};

typedef enum { EVENT_STRIKE, EVENT_DAMP, EVENT_CHOKE, EVENT_SILENCE } key_event_kind;

typedef struct {
  uint32_t offset; // frame within the quantum
  key_event_kind kind;
  htz_strike strike;
  double share;    // of a bow: how hard it is set on, velocity as a share of its range
  double effort;   // factor on its speed and force
  uint64_t hand;   // what its wandering is drawn from
  double sigma;    // decay rate the damper goes to [1/s]
  uint32_t quanta; // in which it gets there, at least 1
} key_event;

/** A gain on its way from `now` to `target` in `left` frames. */
typedef struct {
  float now, target;
  uint32_t left;
} glide;

/**
   What goes on of a sound that was cut short: it ends in its last value, let go smoothly, so that nothing clicks, and sums up to what it
   would have come to, so that the loudspeaker is where it would be: else every cut pushed it a little, and many cuts are heard.
*/
typedef struct {
  float last[HTZ_ISLAND_PICKUPS_MAX]; // sample values at the end of the last quantum
  float from[HTZ_ISLAND_PICKUPS_MAX]; // those when it was cut
  float hump[HTZ_ISLAND_PICKUPS_MAX]; // and how high, on the mean, the hump is that makes up for the rest
  uint32_t left, length;              // frames to go, and in all
} residue;

/** The pair of ears on its way from one place to another, or there. */
typedef struct {
  htz_ears from, to;
  uint32_t left, of; // quanta until it is there, of so many; 0: it is
} ear_walk;

/** Share of the way that is behind it. */
static inline double ear_walk_done(const ear_walk* walk) {
  return walk->left > 0 ? 1.0 - (double)walk->left / walk->of : 1.0;
}

/** That before the quantum. */
static inline double ear_walk_before(const ear_walk* walk) {
  return walk->of > 0 ? 1.0 - (double)(walk->left + 1) / walk->of : 1.0;
}

typedef struct {
  htz_key* plan;                  // [config]
  double params[HTZ_PARAM_SLOTS]; // [state] present values for this key
  bool down;                      // key held: damper lifted
  bool captured;                  // held by the sostenuto pedal
  bool choked;                    // by a strike on another key, until it is struck itself
  uint32_t hand;                  // key whose note it plays: its own, or where a finger stops or touches its string
  uint32_t scaled;                // and the note whose place in the scale it has: that, or one played whole octaves away
  double fingers;                 // tuning that the finger gives
  double finger;                  // where it lies lightly, fraction of the length; NaN: it does not
  bool bowing;                    // its last note was bowed
  double bow;                     // how hard the bow was set on: velocity as a share of its range
  uint64_t bow_since;             // frame at which it was
  double bow_from;                // share of its speed that it had then
  double bow_effort;              // factor on speed and force
  uint64_t bow_hand;              // what its wandering is drawn from
  uint32_t strokes;               // that it was given so far
  bool kept;                      // its mallet is kept there: held by key or pedal since it was pressed
  double damper;                  // decay rate the damper gives now [1/s], where it is going and how long it takes
  double damper_to;
  uint32_t damper_quanta;
  bool fading;                            // CC 120 on its way
  double ratio;                           // tuning applied to the island
  double loss;                            // decay factor applied
  double glide;                           // ratio wanted
  double correction;                      // factor in it that what a string lies against and a bridge that moves ask for
  uint32_t glide_quanta;                  // in which to get there
  uint32_t glide_waits;                   // quanta in which it was not its turn to
  double voiced;                          // ratio without that factor for which `voice` and `seat` are
  double budget;                          // energy it can have at most [J]
  glide fade;                             // output share, 0..1
  float voice[2][HTZ_ISLAND_PICKUPS_MAX]; // factor on each line, and where it was at the end of the last quantum
  double seat[2];                         // where it drives the board, likewise
  double lean;                            // factor on its lever on the bridge: its level beside the part's, where it is going
  float level;                            // [derived] from params, and where it was at the end of the last quantum
  float level_before;
  uint32_t quanta;                       // in which it was looked at whether it sleeps, since it woke
  float audible;                         // bound on what its output still gives, as a sample value, after the last quantum
  float side[2][HTZ_ISLAND_PICKUPS_MAX]; // left and right share of each output line, for placed_width
  double placed_width;
  ear_walk ears; // what its ears know of the pair's way
  bool cut;      // struck while on its way to silence: what is left of the old sound is cut before the stroke
  residue tail;  // of what was cut, per line
  double moved[HTZ_ISLAND_PICKUPS_MAX]; // before each magnet, in distances to its pole
  uint32_t n_events;
  key_event events[KEY_EVENTS_MAX];
} key_state;

typedef struct {
  uint32_t offset;
  float left, right;
  uint32_t ramp;
} gain_event;

/** The room that a part is played in. */
typedef struct {
  htz_room room;
  bool awake;
  bool sounded;       // the part itself, in the last quantum
  double share, send; // parameters that `dry` and `wet` come from
  glide dry, wet;     // factors on what is heard directly and on what the room hears
  uint32_t deaf;      // frames in which the room hears nothing, since what sounds was silenced
  residue tail;       // of a room that was emptied: left and right
} part_room;

typedef struct htz_part {
  htz_instrument* instrument; // [config]
  htz_arena memory;           // holds this part itself
  uint32_t rank;              // place in the mix
  uint32_t player;            // whose hand plays it
  double mix_gain, mix_pan;   // where it stands in the mix, beside what its channel says: a factor, and -1 left .. 1 right
  key_state keys[HTZ_KEYS];
  double params[HTZ_PARAM_COUNT]; // [state]
  uint64_t held[HTZ_KEYS];        // where a few strings serve all keys: when a key was pressed, counted; 0: it is up
  uint64_t notes[MASK_WORDS];     // that are down, as they were asked for: several may be played by one key
  uint8_t string[HTZ_KEYS];       // and the key of the open string it was pressed on
  uint64_t presses;
  uint64_t awake[MASK_WORDS];
  glide left, right;
  bool settled; // the gain has been set once: changes glide from now on
  uint32_t n_gains;
  gain_event gains[GAIN_EVENTS_MAX];
  float mix[2][HTZ_QUANTUM];
  float* later[2]; // [latest + HTZ_QUANTUM] what ears hear later than it sounds, from this quantum on; NULL: nothing is
  uint32_t latest; // [config] frames by which the last of it is late
  uint32_t board_late[HTZ_EARS][2];               // and by which the board is on either side
  uint32_t late_left;                             // frames in which some of it is still to come
  float drives[HTZ_BOARD_ZONES_MAX][HTZ_QUANTUM]; // force on each drive point of the board [N]
  bool board_awake;
  uint32_t board_quanta; // in which it was looked at whether it sleeps, since it woke
  double budget;         // energy strikes have brought since all was at rest, while the keys rest on the bridge [J]
  double linked_budget;  // the same of keys that are linked
  glide linked_fade;     // output share of what they share
  float (*linked)[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM]; // [config] what each of them gives in a quantum
  bool bridged;                                         // they did in the last quantum
  uint32_t tuned_next;                                  // key whose turn it is then to take another tuning
  bool went_over;      // to it, just now: strings meet the board where it is, and hold what that takes
  float level;         // factor on what is heard of the board while they do, at the end of the last quantum
  ear_walk ears;       // where the pair of ears is
  ear_walk board_ears; // and what the board's ears know of it
  glide board_fade;
  bool silenced;      // the board is on its way to silence
  bool cut;           // and something was struck meanwhile
  residue tail;       // of a board that was cut: left and right
  double motor_turns; // of the discs in the tubes, 0..1
  double motor;       // share of the resonators' level they let through now
  part_action action;
  part_room room;
} part;

struct htz_engine {
  double rate; // [config]
  htz_arena arena;
  size_t n_rings;
  htz_ring rings[RINGS_MAX];
  part* parts[HTZ_PARTS_MAX];
  part* mix_order[HTZ_PARTS_MAX]; // the same by rank, so that the sum's rounding does not depend on who came first
  uint32_t n_parts;               // numbers given so far; those that are free again have no part
  uint32_t n_mixed;               // parts there are
  uint64_t now;                   // [state] first frame of the next quantum
  htz_engine_counters counters;   // what islands count is added on demand
  bool driven;                    // `drive` is what drives the mallets in the next quantum
  float drive[HTZ_QUANTUM];
};

/** True when key `k` takes part in the quantum. */
static inline bool is_awake(const part* p, uint32_t k) {
  return p->awake[k / 64] >> (k % 64) & 1u;
}

/** It does from now on, or not any more. */
static inline void set_awake(part* p, uint32_t k, bool awake) {
  const uint64_t bit = UINT64_C(1) << (k % 64);
  p->awake[k / 64] = awake ? p->awake[k / 64] | bit : p->awake[k / 64] & ~bit;
}

/** Number of the lowest set bit; `bits` is not 0. */
static inline uint32_t lowest_bit(uint64_t bits) {
  uint32_t n = 0;
  for (uint32_t half = 32; half > 0; half /= 2) {
    const uint64_t low = bits & ((UINT64_C(1) << half) - 1);
    n += low ? 0 : half;
    bits = low ? low : bits >> half;
  }
  return n;
}

/** True while what linked keys share sounds. */
HTZ_RT bool htz_part_linked_sounds(const part* p);

static inline bool any_awake(const part* p) {
  uint64_t bits = 0;
  for (size_t w = 0; w < MASK_WORDS; ++w) {
    bits |= p->awake[w];
  }
  return bits != 0;
}

/** Something in the part moves, or is let go smoothly. */
static inline bool is_moving(const part* p) {
  return any_awake(p) || p->board_awake || p->tail.left > 0 || htz_part_linked_sounds(p) || action_moves(&p->action);
}

/** That, or some of its sound has not come to the ears yet. */
static inline bool sounding(const part* p) {
  return is_moving(p) || p->late_left > 0;
}

/** Value that a part's parameter starts from; where each object has its own, the table's. */
static inline double htz_part_initial(const htz_instrument* instrument, size_t param) {
  const double value = instrument->params[param];
  return isnan(value) ? htz_instrument_params[param].initial : value;
}

/** Factor of `db` decibels. */
static inline float level_factor(double db) {
  return (float)pow(10.0, 0.05 * db);
}

/** A change of `p`, which may be NULL, at `offset` of the quantum. One of what there is not counts as dropped. */
HTZ_RT void htz_engine_apply(htz_engine* engine, part* p, const htz_param_change* change, uint32_t offset);

/** Quanta that `seconds` take, at least 1. */
HTZ_RT uint32_t htz_quanta_of(const htz_engine* engine, double seconds);

/** Before a quantum in which something is struck while the board goes to silence: old keys and the old sound of the board end here. */
HTZ_RT void htz_part_cut(const htz_engine* engine, part* p);

/** The same for one key. */
HTZ_RT void htz_key_cut(const htz_engine* engine, part* p, uint32_t k);

/** Add what is left of line `o` to a quantum. */
HTZ_RT void htz_residue_add(const residue* r, uint32_t o, float* to);

/** A quantum is over. */
static inline void htz_residue_pass(residue* r) {
  r->left = r->left > HTZ_QUANTUM ? r->left - HTZ_QUANTUM : 0;
}

/** Run key `k` of `p` through the quantum and add it to the part's mix. @return true while it stays awake. */
HTZ_RT bool htz_key_quantum(htz_engine* engine, part* p, uint32_t k);

/** Before and after its island is advanced: what is cut, glides and resonates; what is heard of it and whether it then rests. */
HTZ_RT void htz_key_begin(const htz_engine* engine, part* p, uint32_t k);

/**
   @param loudness a bound on what its output can give, as a sample value
   @param stays the same of what makes it stay awake
   @return true while it stays awake
*/
HTZ_RT bool htz_key_finish(const htz_engine* engine, part* p, uint32_t k, float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM],
                           double loudness, double stays);

/** What the coils of its pickups make of the velocity that they are given, over a quantum. */
HTZ_RT void htz_key_induce(const htz_engine* engine, key_state* key, float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM]);

/** What each of its lines would give in all from now on [sample value s]. */
HTZ_RT void htz_key_left_over(const key_state* key, double left_over[HTZ_ISLAND_PICKUPS_MAX]);

/** What its lines gave over the quantum, faded and with what is left of a cut, goes to the part's mix and to the board. */
HTZ_RT void htz_key_sound(const htz_engine* engine, part* p, key_state* key,
                          float signals[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM]);

/** The key's level beside the part's: on a board that moves its strings lean on it by a longer or shorter lever. */
static inline double htz_key_lean(const part* p, const key_state* key) {
  return (double)level_factor(key->params[HTZ_PARAM_LEVEL] - p->params[HTZ_PARAM_LEVEL]);
}

/** Bring the key's level, or its lever on the bridge, to what its parameters say. */
HTZ_RT void htz_key_level(part* p, uint32_t k, uint32_t ramp_quanta);

/** The greatest factor on its lines. */
HTZ_RT double htz_key_loudest_voice(const key_state* key);

/** Bring the key's tuning and loss to what its parameters say; `at_once` without a glide. */
HTZ_RT void htz_key_tune(part* p, uint32_t k, bool at_once, uint32_t ramp_quanta);

/** A sleeping key goes back to what it is with the wheel at rest, until it wakes. */
HTZ_RT void htz_key_unbend(part* p, uint32_t k);

/** Append to the key's queue; a full one counts a dropped event. A strike wakes the key. @return false when dropped */
HTZ_RT bool htz_key_post(htz_engine* engine, part* p, uint32_t k, const key_event* event);

/** Decay rate that key, pedals and sostenuto, and a choke, ask of the damper now [1/s]. */
HTZ_RT double htz_key_damper(const part* p, const key_state* key);

/** The damper goes there at `offset` in `quanta` quanta; at once when the key sleeps. */
HTZ_RT void htz_key_move_damper(htz_engine* engine, part* p, uint32_t k, uint32_t offset, uint32_t quanta);

/** Key `k` is struck at `offset`: no longer choked itself, it chokes the others of its group. Before its strike is posted. */
HTZ_RT void htz_key_choke(htz_engine* engine, part* p, uint32_t k, uint32_t offset);

/**
   Let a key that is bent be as loud as the key it is bent to, and drive the board where that does: its lines get the factor
   that a stroke's first partial asks for (htz_key.voice), with a bridge its lever. `at_once`: nothing sounds yet that could click.
   @return the work of moving the lever on the bridge [J]
*/
HTZ_RT double htz_key_voice(part* p, uint32_t k, bool at_once);

/** How far the tuning applied is from that of the file, without what was put right for its bridge. */
static inline double htz_key_bent(const key_state* key) {
  return key->ratio / key->correction;
}

/** Let event `e` happen to the key now. */
HTZ_RT void htz_key_apply(htz_engine* engine, const part* p, key_state* key, const key_event* e);

/** At rest, its damper where key and pedals want it. */
HTZ_RT void htz_key_settle(const part* p, key_state* key);

/** What acts on the mallets of `key` from frame `at` of the quantum on, where they may stay. */
HTZ_RT void htz_key_influence(const htz_engine* engine, const part* p, key_state* key, uint32_t at);

/** What that has brought over the quantum, the key may hold. */
HTZ_RT void htz_key_external_work(key_state* key);

/** Quiet: at rest, but what lies or hangs there stays. */
HTZ_RT void htz_key_sleep(const part* p, key_state* key);

/** Wake the keys whose mallets, lying or hanging still, are stirred now. */
HTZ_RT void htz_part_disturb(const htz_engine* engine, part* p);

/** How much more energy a key may hold than it was given before it is taken to have run away. */
#define HTZ_RUNAWAY_RATIO 4.0

/** Run the part's keys that are linked to each other through the quantum, with what they share that way. */
HTZ_RT void htz_part_linked(htz_engine* engine, part* p);

/** A linked key is to be silent soon, or all of them: so are the bodies they share. */
HTZ_RT void htz_part_linked_silence(const htz_engine* engine, part* p);

/** Run the part through the quantum on its bridge, strings and board moving each other. */
HTZ_RT void htz_part_bridged(htz_engine* engine, part* p);

/** Add what is heard of the board to the part's mix, and put it to rest when it can no longer be heard and nothing `pushed` it. */
HTZ_RT void htz_part_hear_board(htz_engine* engine, part* p, float heard[HTZ_BOARD_PICKUPS_MAX][HTZ_QUANTUM], bool pushed);

/** Run the shared board, if there is one, and add what is heard of it to the part's mix. */
HTZ_RT void htz_part_board(htz_engine* engine, part* p);

/** Turn the discs in the tubes by one quantum. */
HTZ_RT void htz_part_motor(const htz_engine* engine, part* p);

/** Recompute the part's gains from its parameters, to glide there from `offset` in `ramp` frames; 0: they are there already. */
HTZ_RT void htz_part_gain(part* p, uint32_t offset, uint32_t ramp);

/** Where on `side` to add a quantum that is heard `late` frames after it sounds, up to p->latest. */
HTZ_RT float* htz_part_later(part* p, uint32_t side, uint32_t late);

/** Add what is heard now of what sounded before to the part's mix. A quantum is over. */
HTZ_RT void htz_part_arrive(part* p);

/** Where nothing sounds the part's pair of ears is at once where it is wanted. */
HTZ_RT void htz_part_place_ears(part* p);

/** Before a quantum: it goes on its way there. */
HTZ_RT void htz_part_walk_ears(const htz_engine* engine, part* p);

/** True when `known` is where the pair is on its way. */
HTZ_RT bool htz_part_ears_known(const part* p, const ear_walk* known);

/** Let `n` moving ears hear what they do on that way, unless `known` says that they do already. */
HTZ_RT void htz_part_move_ears(const part* p, size_t n, const htz_moving_ear* ears, ear_walk* known);

/** What is late in the part, at rest, its memory from `arena`. @return HTZ_OK or HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_part_late_init(part* p, htz_arena* arena);

/** Add the part's mix, through its gains, to left and right. */
HTZ_RT void htz_part_mix(part* p, float* left, float* right);

/** Room around the part, at rest, its memory from `arena`. @return HTZ_OK or HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_part_room_init(part* p, htz_arena* arena);

/** True when the part's sound is not simply what it plays: there is a room, or there was one just now. */
HTZ_RT bool htz_part_in_room(const part* p);

/** True while the room is heard. */
HTZ_RT bool htz_part_room_sounds(const part* p);

/** Play a quantum `own` of the part, which is 0 unless it `sounds`, in its room and add what is heard to left and right. */
HTZ_RT void htz_part_room(htz_engine* engine, part* p, float own[2][HTZ_QUANTUM], bool sounds, float* left, float* right);

/** Empty the room without a click; it hears nothing until all that sounds now has gone. */
HTZ_RT void htz_part_room_silence(const htz_engine* engine, part* p);

/**
   A sound is cut short, it ends from its last value on.
   @param left_over what the first `lines` lines would have given in all [sample value s]; the others: 0
*/
HTZ_RT void htz_residue_start(const htz_engine* engine, residue* r, const double* left_over, uint32_t lines);

/** Next quantum of a fade, as factors: w[0] before its first frame, w[i + 1] in frame i. Level at both ends. */
HTZ_RT void htz_fade_pass(glide* fade, float w[HTZ_QUANTUM + 1]);

/** A fade's factor now. */
HTZ_RT float htz_fade_now(const glide* fade);

/**
   Fade a line's quantum y by the factors w, as whatever moves would be brought to rest: what fades is the displacement whose velocity y
   is, so that nothing of it is left over.
   @param left_over what the line would give in all after the quantum [sample value s]
*/
HTZ_RT void htz_fade_line(const htz_engine* engine, const float w[HTZ_QUANTUM + 1], double left_over, float y[HTZ_QUANTUM]);

/** What velocity 0..127 means on key `k`: the gesture that the player has chosen, as a hand does it this time. One more stroke of the key. */
HTZ_RT key_event htz_key_stroke(part* p, uint32_t k, double velocity);

/** What the file says of the note being played, which on a stopped string is another key's. */
static inline const htz_key* key_note(const part* p, const key_state* key) {
  return key->hand < HTZ_KEYS ? &p->instrument->keys[key->hand] : key->plan;
}

/** A note sets the bow on, and does not throw a mallet. */
HTZ_RT bool htz_bow_plays(const key_state* key);

/** The stroke of a bow that velocity 0..127 means for the note that `key` plays. */
HTZ_RT key_event htz_bow_stroke(const part* p, const key_state* key, double velocity);

/** The bow is set on as `stroke` says, at its frame; one that is drawn already goes on from the speed it has. */
HTZ_RT void htz_bow_set_on(const htz_engine* engine, const part* p, key_state* key, const key_event* stroke);

/** What the bow does on `key` from frame `at` of the quantum on, and the finger. */
HTZ_RT void htz_bow_influence(const htz_engine* engine, const part* p, const key_state* key, uint32_t at,
                              htz_influence* influence);

/** Sets everything up for no finger on any string. */
HTZ_RT void htz_fingers_off(part* p);

/**
   Where a few strings serve all keys: note `k` is to sound. Its string, or HTZ_KEYS when there is none; `*slurred` when that sounds for
   another key already and the finger moves under the bow.
*/
HTZ_RT uint32_t htz_finger_press(const htz_engine* engine, part* p, uint32_t k, double velocity, bool* slurred);

/** The key whose body sounds for note `k` now: its own, unless a finger or another octave plays it elsewhere. */
HTZ_RT uint32_t htz_finger_string(const part* p, uint32_t k);

/** Key `k` is down now, on the string it was pressed on. @return that string, or HTZ_KEYS */
HTZ_RT uint32_t htz_finger_hold(part* p, uint32_t k);

/** Key `k` is up: its string goes back to the last pressed of the keys held on it. @return it when there is none, else HTZ_KEYS */
HTZ_RT uint32_t htz_finger_release(const htz_engine* engine, part* p, uint32_t k);

/** True when all samples of `n` lines are numbers. What cannot be seen in a body's energy, a line's own memory, is seen here. */
static inline bool htz_lines_finite(float (*lines)[HTZ_QUANTUM], uint32_t n) {
  float sum = 0.0f;
  for (uint32_t o = 0; o < n; ++o) {
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      sum += 0.0f * lines[o][i]; // not a number unless that is one
    }
  }
  return sum == 0.0f;
}

/** Left and right share of a sound at `x`, -1 left .. 1 right: constant power between the speakers. */
static inline void htz_pan_place(double x, float* left, float* right) {
  static const double quarter_pi = 0.78539816339744830962;
  *left = (float)cos(quarter_pi * (1.0 + x));
  *right = (float)sin(quarter_pi * (1.0 + x));
}

/** Next value of a glide. */
static inline float glide_step(glide* g) {
  if (g->left > 0) {
    g->now += (g->target - g->now) / (float)g->left;
    if (--g->left == 0) {
      g->now = g->target; // to the last bit, as where nothing glided
    }
  }
  return g->now;
}

#endif
