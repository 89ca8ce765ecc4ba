#ifndef HERTZIAN_ENGINE_ENGINE_H
#define HERTZIAN_ENGINE_ENGINE_H

#include "hertzian/base/arena.h"
#include "hertzian/base/param.h"
#include "hertzian/base/ring.h"
#include "hertzian/instrument/instrument.h"

/**
   The engine: parts (instruments bound to channels), their keys, events at their exact frame, mixing and sleep. It advances
   in quanta of HTZ_QUANTUM frames on absolute time, whatever block size it is asked for, so that a render is the same bits.

   All functions but new/free run on one thread, the audio thread; other threads reach it through rings only.
*/
typedef struct htz_engine htz_engine;

/** An instrument with everything the engine needs to play it, not yet or already part of an engine. */
typedef struct htz_part htz_part;

enum { HTZ_PARTS_MAX = 64 };

typedef struct {
  double rate_hz;       ///< sample rate [Hz], 8000..384000
  size_t rings;         ///< parameter rings, one per producer thread, 0..8
  size_t ring_capacity; ///< changes each ring holds
} htz_engine_desc;

/** Everything worth telling a user; all only ever grow, but `ringing`. */
typedef struct {
  uint64_t frames;          ///< frames produced
  uint64_t strikes;         ///< mallets thrown, those dropped or refused left out
  uint64_t strikes_refused; ///< strikes on keys with nothing to strike, or past the per-key queue
  uint64_t octaves;         ///< of `strikes`: on keys beyond the instrument's range, played whole octaves away
  uint64_t late;            ///< events whose frame had passed
  uint64_t dropped;         ///< events that found a queue full
  uint64_t resets;          ///< keys reset because their state was not finite or ran away
  uint64_t contact_steps;   ///< solver steps in contact, all keys
  uint64_t closures;        ///< contacts closed, all keys
  uint64_t solver_bounds;   ///< solver bounds hit (capped, unconverged), all keys and their bridges
  uint64_t reused;          ///< strikes that had to take a mallet still in flight, all keys
  uint64_t relieved;        ///< keys damped by htz_engine_relieve()
  uint32_t ringing;         ///< keys awake now
} htz_engine_counters;

/** @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread. */
htz_status htz_engine_new(const htz_engine_desc* desc, htz_engine** out);
void htz_engine_free(htz_engine* engine);

/**
   Add a part playing `instrument` (kept by pointer). Before the engine runs, or on its thread.

   @param part its number, from 0
   @return HTZ_OK, HTZ_FULL, HTZ_NO_MEMORY
*/
htz_status htz_engine_add_part(htz_engine* engine, htz_instrument* instrument, uint32_t* part);

/**
   The same in two steps, for an engine that is running: all the work and memory here, on a set-up thread...

   @param instrument kept by pointer; nobody else may touch it from now on
   @return HTZ_OK or HTZ_NO_MEMORY
*/
htz_status htz_engine_prepare_part(htz_instrument* instrument, htz_part** out);

/** Free a part that no engine was given; NULL is allowed. Set-up thread. */
void htz_engine_discard_part(htz_part* part);

/**
   ... and the joining here, at the next quantum. The engine owns the part from now on.

   @param rank parts are summed in ascending order of rank, equal ones in the order they came
   @param number receives the part's number
   @return false, with nothing changed, when the engine is full
*/
HTZ_RT bool htz_engine_attach_part(htz_engine* engine, htz_part* part, uint32_t rank, uint32_t* number);

/** True when part `part` is at rest: nothing of it sounds, nor will before it is played again. Audio thread. */
HTZ_RT bool htz_engine_part_asleep(const htz_engine* engine, uint32_t part);

/**
   Take a part that is asleep away from the engine; its number may be given to another. What it counted stays counted.

   @return the part, to be freed by htz_engine_discard_part(); NULL, with nothing changed, when there is none or it sounds. Audio thread
*/
HTZ_RT htz_part* htz_engine_detach_part(htz_engine* engine, uint32_t part);

/**
   Whose hand plays part `part`: how its strokes differ from each other depends on this, the key and their number (HTZ_PARAM_HUMAN), however
   many parts there are. Its rank unless set. Audio thread.
*/
HTZ_RT void htz_engine_set_player(htz_engine* engine, uint32_t part, uint32_t player);

/**
   Where part `part` stands in the mix, beside what its channel's volume and pan say, at once: before it sounds. Audio thread.

   @param gain  factor on its sound
   @param pan   added to its pan, -1 all the way to the left .. 1 to the right
*/
HTZ_RT void htz_engine_place(htz_engine* engine, uint32_t part, double gain, double pan);

/** Parameter ring `index` (< desc.rings), for one producer thread to push htz_param_change into. */
htz_ring* htz_engine_ring(htz_engine* engine, size_t index);

/** First frame of the next quantum: events before it are late and take effect there. */
HTZ_RT uint64_t htz_engine_now(const htz_engine* engine);

/**
   Throw a mallet at `frame`, which lies in the next quantum (else it is late, or clamped to the quantum's end).

   @param velocity 0..127, already shaped by the player's curve; speed and stiffness follow from the key (exponential range)
*/
HTZ_RT void htz_engine_strike(htz_engine* engine, uint32_t part, uint32_t key, double velocity, uint64_t frame);

/** Let the damper of `key` fall (down = false) or lift it (down = true: key or pedal held). */
HTZ_RT void htz_engine_hold(htz_engine* engine, uint32_t part, uint32_t key, bool down, uint64_t frame);

/**
   Let the damper of `key` fall as fast as the key was let go.

   @param velocity release velocity 0..127: 0 lands in 80 ms, 127 in 6 ms
*/
HTZ_RT void htz_engine_release(htz_engine* engine, uint32_t part, uint32_t key, double velocity, uint64_t frame);

/** Silence a part within 20 ms without a click (CC 120); what lies on its keys is taken away. */
HTZ_RT void htz_engine_silence(htz_engine* engine, uint32_t part, uint64_t frame);

/**
   Save work: damp the `keys` quietest ringing keys, of all parts, to silence within 20 ms without a click. Keys whose mallet is
   still in flight or in contact are left alone, but for those that stay there. One pass over the ringing keys for each.

   @return keys damped
*/
HTZ_RT uint32_t htz_engine_relieve(htz_engine* engine, uint32_t keys);

/** True while key `key` of a part sounds, or may. */
HTZ_RT bool htz_engine_sounds(const htz_engine* engine, uint32_t part, uint32_t key);

/** Change a parameter; frames as above. The rings' changes go the same way. */
HTZ_RT void htz_engine_change(htz_engine* engine, const htz_param_change* change);

/**
   The audio signal that drives the mallets of driven instruments during the next quantum; later quanta are not driven unless told again.

   @param signal [HTZ_QUANTUM] full scale 1, copied; NULL: silence. What is not finite counts as 0
*/
HTZ_RT void htz_engine_drive(htz_engine* engine, const float* signal);

/** Produce the next quantum into left[HTZ_QUANTUM], right[HTZ_QUANTUM] (overwritten). */
HTZ_RT void htz_engine_quantum(htz_engine* engine, float* left, float* right);

/** The same, but every part's sound by itself: `sound` [number of parts added so far], left and right. */
HTZ_RT void htz_engine_quantum_apart(htz_engine* engine, float (*sound)[2][HTZ_QUANTUM]);

/** Counters, summed over keys. Bounded work: one pass over all keys. */
HTZ_RT htz_engine_counters htz_engine_count(const htz_engine* engine);

/** True when no key is awake, no room rings and nothing is scheduled: output is exact zero from here on. */
HTZ_RT bool htz_engine_asleep(const htz_engine* engine);

/** Energy of all awake keys of a part [J], and the island of a key, for tests. */
HTZ_RT double htz_engine_energy(const htz_engine* engine, uint32_t part);

#endif
