#ifndef HERTZIAN_CONTACT_BRIDGE_H
#define HERTZIAN_CONTACT_BRIDGE_H

#include "hertzian/contact/island.h"
#include "hertzian/model/bodies.h"

/**
   Strings of many keys on one bridge, both ways: every string's end is supported by the board it radiates through and moves with it
   (htz_modal_join). The board is any modal body; its contact points along the bridge are shared out among the keys, each between
   the two nearest. One sample: with w_ the mean displacement over the sample at the points, W the shares of the keys in the points,
   S and G the reaction of the strings' ends (htz_modal_join), C the board's step compliance,

     (I + 1/2 C W^T G W) w_ = w + 1/2 (w free increment) - 1/2 C W^T S,

   one small matrix, factored when the keys that take part change. A key with a mallet in flight advances alone, in as many steps as
   its contact wants, its end held at w_ over the whole sample; w_ is corrected from its actual reaction, at most
   HTZ_BRIDGE_TRIALS times.

   A key that is asleep is a string at rest that follows the bridge and loads it with its tension alone.
*/
typedef struct htz_bridge htz_bridge;

enum { HTZ_BRIDGE_TUNED_MAX = 16 }; ///< partials by which a key can be tuned

enum {
  HTZ_BRIDGE_POINTS_MAX = 16,
  HTZ_BRIDGE_KEYS_MAX = 128,
  HTZ_BRIDGE_TRIALS = 3 ///< most often a key in contact goes through a sample
};

/**
   @param board its contact points 0 .. n_points - 1 lie along the bridge; kept by pointer
   @param n_points 1..HTZ_BRIDGE_POINTS_MAX
   @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_bridge_new(htz_modal* board, size_t n_points, htz_arena* arena, htz_bridge** out);

/**
   Support the bodies of `island` that its port offers (htz_island_class.port) on the bridge.

   @param key < HTZ_BRIDGE_KEYS_MAX, not attached yet
   @param at 0 .. n_points - 1, between points shared by distance
   @return HTZ_OK; HTZ_BAD_VALUE; HTZ_UNSUPPORTED for islands without a port, or with bodies that were not given htz_modal_join(); HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_bridge_attach(htz_bridge* bridge, size_t key, htz_island* island, double at, htz_arena* arena);

/** Let `key` take part, with what it has of a wave, or not; nothing when it does already. Audio thread; so are all below. */
HTZ_RT void htz_bridge_wake(htz_bridge* bridge, size_t key, bool awake);
HTZ_RT bool htz_bridge_awake(const htz_bridge* bridge, size_t key);

/** Tell the bridge that something at `key` was changed from outside: struck, damped, retuned, reset. */
HTZ_RT void htz_bridge_touch(htz_bridge* bridge, size_t key);

/**
   Lines of `key`, bit by bit, that are forces on the bridge at its support [N], one way: of resonators, of anything that is no end. They
   act a sample late. Set-up thread. And a factor on them: audio thread.
*/
void htz_bridge_drive(htz_bridge* bridge, size_t key, uint32_t lines);
HTZ_RT void htz_bridge_set_drive(htz_bridge* bridge, size_t key, double factor);

/**
   A quantum begins: what keys give to be heard by themselves is counted from here.

   @param drives [points] forces on the points from elsewhere over it [N]; kept by pointer until the next; NULL: none
*/
HTZ_RT void htz_bridge_begin(htz_bridge* bridge, float (*drives)[HTZ_QUANTUM]);

/** External work of all that drives it one way since the last call [J]. */
HTZ_RT double htz_bridge_external_work(htz_bridge* bridge);

/** True when `key` is supported by it. */
HTZ_RT bool htz_bridge_has(const htz_bridge* bridge, size_t key);

/** That, since htz_bridge_begin(), line by line; NULL for a key that is heard through the board alone. */
HTZ_RT float (*htz_bridge_lines(const htz_bridge* bridge, size_t key))[HTZ_QUANTUM];

/**
   Advance board and awake keys by `frames` (<= HTZ_QUANTUM).

   A key whose state is not finite is reset at once, before it acts on the bridge.

   @param heard pickup p of the board is added to heard[p][0..frames)
*/
HTZ_RT void htz_bridge_run(htz_bridge* bridge, uint32_t frames, float* const* heard);

/**
   The factor x on the tuning of `key` with which a partial n, its strings moving together, sounds at their present pitch omega on
   the bridge as it moves: x^2 (1 - x^2 sum kappa_n^2/(m omega^2) Re H) = 1, H the receptance at the support at omega, with the board's losses
   and held by all strings' tension []. The smaller root; sqrt(2) where there is none, 1 where a resonance of the board is so near and strong that
   the string sounds at two pitches around its own. Set-up thread, every key attached.

   @param first, last the partials, from 1: the median of their factors, so that one that a resonance moves far does not count; at most
   HTZ_BRIDGE_TUNED_MAX of them, and of those that there are
*/
double htz_bridge_tuning(const htz_bridge* bridge, size_t key, unsigned first, unsigned last);

/**
   Support the strings of `key` at `at`, 0 .. n_points - 1, with levers of `ratio` > 0 (htz_modal_join). The wave on them goes on as it is;
   the line it swings about goes to where the support is then.

   @return the work that this took [J]: of a key that is asleep what its tension holds of the bridge's displacement more than before
*/
HTZ_RT double htz_bridge_move(htz_bridge* bridge, size_t key, double at, double ratio);

/**
   Retune `key` (htz_island_class.retune) on the bridge as it is displaced now. What swings freely keeps its energy about the line to the
   support, whose own is T w^2/2, so that of a free string only (T' - T) w^2/2 is work; of one that something touches all that its
   displacement holds more than before.

   @return the work that this took [J]
*/
HTZ_RT double htz_bridge_retune(htz_bridge* bridge, size_t key, double ratio, double loss);

/** Board and all at rest, every key asleep. */
HTZ_RT void htz_bridge_reset(htz_bridge* bridge);

/** Energy of the board, of all awake keys with what the bridge's displacement adds, and of sleeping strings' tension [J]. */
HTZ_RT double htz_bridge_energy(const htz_bridge* bridge);

/**
   How far, relative to the largest displacement of the bridge since it was last at rest, w_ may be off when a sample is accepted
   (default 1e-5). For tests of the ledger: tighter.
*/
void htz_bridge_set_tolerance(htz_bridge* bridge, double tolerance);

/** Keep to double precision and to the bodies' own coordinates, instead of turning ones in single precision. For tests of the ledger. */
void htz_bridge_set_exact(htz_bridge* bridge, bool exact);

/** Work done; all only ever grow. */
typedef struct {
  uint64_t samples;  ///< of keys in flight
  uint64_t trials;   ///< times they went through one
  uint64_t nudges;   ///< samples whose strings were corrected afterwards
  uint64_t capped;   ///< samples accepted out of tolerance
  uint64_t expelled; ///< keys reset because their state was not finite
} htz_bridge_counters;

HTZ_RT const htz_bridge_counters* htz_bridge_count(const htz_bridge* bridge);

#endif
