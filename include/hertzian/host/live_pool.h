#ifndef HERTZIAN_HOST_LIVE_POOL_H
#define HERTZIAN_HOST_LIVE_POOL_H

#include "hertzian/host/live.h"
#include "hertzian/host/orchestra.h"
#include "hertzian/midi/smf.h"

/**
   Parts built ahead for a live performance, so that a channel's first note, or its first after a program change, finds one ready.
   The control thread's.
*/
enum {
  HTZ_LIVE_READY_BYTES = 96 << 20, ///< memory of parts that are kept ready [byte]
  HTZ_LIVE_SMALL_BYTES = 6 << 20   ///< of a part that is small [byte]
};

typedef struct {
  // [config]
  const htz_orchestra* orchestra;
  const htz_performance* performance;
  htz_live* live;
  uint32_t ahead[HTZ_ROLES_MAX]; ///< parts of each role, not yet taken, that are kept ready
  uint32_t most[HTZ_ROLES_MAX];  ///< how many can be wanted at all
  uint16_t cast[HTZ_ROLES_MAX];  ///< channels (bits) that are sure to want one: so many are built at least
  uint16_t song[HTZ_ROLES_MAX];  ///< and those (bits) that songs will have it play on
  bool first[HTZ_ROLES_MAX];     ///< the first note of a channel may want one
  // [state]
  uint32_t built[HTZ_ROLES_MAX];
  size_t size[HTZ_ROLES_MAX]; ///< memory of a part of each role, 0: none was built yet [byte]
  htz_live_prebuilt* all;
  htz_dialled dialled;    ///< what was set
  size_t n_fixed;         ///< casts that there were at the start, which songs and programs may choose: these stay
  htz_cast_set leaving;   ///< casts that the audio thread knows nobody will choose again
  htz_cast_set going;     ///< and those that it was told to forget
  bool any_going, passed; ///< it has
  uint64_t ordered;       ///< orders given
  uint64_t going_at;      ///< of these, when all in `going` had been told
  size_t heard_to;        ///< of htz_live.played: nothing behind it names a role of theirs
  size_t n_song_dialled;  ///< parameters that songs set, at most
  bool failed;            ///< no memory for another: what there is has to do
} htz_live_pool;

/** Tell the live performance which instruments there are. Before it plays. */
void htz_live_pool_init(htz_live_pool* pool, const htz_orchestra* orchestra, const htz_performance* performance,
                        htz_live* live);

/** Have the parts that a song needs on `channels` (bits) built before any others. @param dials of the song @return HTZ_OK, HTZ_NO_MEMORY */
htz_status htz_live_pool_expect(htz_live_pool* pool, const htz_smf* song, const htz_dial_span* dials, uint16_t channels);

/** True when what the first note on any channel needs is built. */
bool htz_live_pool_begun(const htz_live_pool* pool);

/** True when all that was expected is built, as far as it can be. */
bool htz_live_pool_ready(const htz_live_pool* pool);

/**
   Build the part that is wanted most and hand it over. Those that no channel has asked for are kept ready only as far as they take no more
   memory in all than HTZ_LIVE_READY_BYTES, or a part more; of those that have proved small two are kept ready all the same.

   @param why    receives one line on failure, static text
   @param built  whether there was one to build
*/
htz_status htz_live_pool_build(htz_live_pool* pool, bool* built, const char** why);

/**
   Let `channels` (bits) be played by `cast`, which the orchestra may have got since; its parts are built first.

   @param said number of the words for it, for whoever writes down what was played; 0: none
   @return as htz_live_pool_build(), HTZ_FULL when the audio thread takes no orders
*/
htz_status htz_live_pool_turn(htz_live_pool* pool, htz_orchestra* orchestra, uint8_t cast, uint16_t channels, uint32_t said,
                              const char** why);

/**
   Set parameters [n] of every part that has their role, all at the same moment.

   @param said as above
   @return HTZ_OK; HTZ_FULL, with nothing set, as above or when too many were set
*/
htz_status htz_live_pool_set(htz_live_pool* pool, const htz_dial_moved* moved, size_t n, double value, uint32_t said);

/**
   Free the instruments of casts that were read again since, once the last of what they have sounding is over. To be called now and then:
   each call does what can be done by then.
*/
void htz_live_pool_tidy(htz_live_pool* pool, htz_orchestra* orchestra);

/** Free what the audio thread has let go of. */
void htz_live_pool_collect(htz_live_pool* pool);

/** Free everything, when nobody plays any more but before the engine is freed: what was attached goes after it. */
void htz_live_pool_discard(htz_live_pool* pool);

/** Free the instruments, after the engine. */
void htz_live_pool_free(htz_live_pool* pool);

#endif
