#ifndef HERTZIAN_IO_MIDI_IN_PRIVATE_H
#define HERTZIAN_IO_MIDI_IN_PRIVATE_H

#include "hertzian/io/midi_in.h"

#include <pthread.h>
#include <stdatomic.h>

/** What a kind of source is; one const table per backend. */
typedef struct {
  const char* name;

  /** Start listening to what is wished for. `why` as of htz_midi_in_open(). */
  htz_status (*start)(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size);

  /** Stop; htz_midi_in_stopping() is true by now. `state` may be NULL. */
  void (*stop)(void* state);

  /** Whether anything may still come. `state` may be NULL. Any thread. */
  bool (*may_come)(void* state);
} htz_midi_class;

/** One source: a ring and what is known of its producer. */
typedef struct {
  htz_ring* ring;
  const htz_midi_class* owner; ///< whose thread fills it, for good; under the lock
  char name[128];              ///< under the lock
  bool connected;              ///< under the lock
  bool owes_lost;              ///< producer thread: bytes were thrown away and the consumer does not know yet
  atomic_uint_fast64_t lost;
} htz_midi_slot;

struct htz_midi_in {
  htz_midi_slot slots[HTZ_MIDI_SOURCES_MAX];
  size_t n_slots;        ///< used so far, under the lock
  pthread_mutex_t lock;  ///< held for a moment
  pthread_mutex_t quiet; ///< held while news are told
  htz_midi_news news;
  void* context;
  int wake[2]; ///< a pipe whose reading end becomes readable when it is time to stop
  atomic_bool stopping;
  bool opened; ///< news are told from now on, under `quiet`
  bool has_raw;
  void* state[8]; ///< of the backends in their order
};

/**
   Take a free source for `name`, the one that had it before if there is one.

   @param owner  whoever calls; a source that was another's is never taken
   @return its number, or -1 when all are used
*/
int htz_midi_slot_take(htz_midi_in* in, const htz_midi_class* owner, const char* name);

/** Say that a source has come or gone. */
void htz_midi_slot_connected(htz_midi_in* in, int slot, bool connected);

/** Pass bytes on, as many as there is room for. Producer thread. @return how many */
size_t htz_midi_slot_feed(htz_midi_slot* slot, double time_s, const uint8_t* bytes, size_t n);

/** Throw `n` bytes away (none: the source itself is gone). Producer thread. */
void htz_midi_slot_lose(htz_midi_slot* slot, size_t n);

/** Tell the consumer of a loss as soon as it has made room. Producer thread. @return false while it has not */
bool htz_midi_slot_settle(htz_midi_slot* slot);

/** Wait for at most `milliseconds`. @return false when it is time to stop */
bool htz_midi_in_pause(const htz_midi_in* in, int milliseconds);

static inline bool htz_midi_in_stopping(const htz_midi_in* in) {
  return atomic_load_explicit(&in->stopping, memory_order_acquire);
}

#define HTZ_MIDI_SOURCE(symbol, source) extern const htz_midi_class symbol;
#include "midi_sources.def"
#undef HTZ_MIDI_SOURCE

#endif
