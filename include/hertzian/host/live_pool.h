#ifndef HERTZIAN_HOST_LIVE_POOL_H
#define HERTZIAN_HOST_LIVE_POOL_H

#include "hertzian/host/live.h"
#include "hertzian/host/orchestra.h"

/**
   Parts built ahead for a live performance, so that a channel's first note, or its first after a program change, finds one ready.
   The control thread's.
*/
typedef struct {
  // [config]
  const htz_performance* performance;
  htz_live* live;
  size_t n_specs;
  const htz_spec* spec[HTZ_LIVE_SPECS];
  uint32_t ahead[HTZ_LIVE_SPECS]; ///< how many not yet taken are kept ready
  uint32_t most[HTZ_LIVE_SPECS];  ///< how many can be wanted at all
  // [state]
  uint32_t built[HTZ_LIVE_SPECS];
  htz_live_spare* all;
  bool failed; ///< no memory for another: what there is has to do
} htz_live_pool;

/** Tell the live performance which instruments there are. Before it plays. */
void htz_live_pool_init(htz_live_pool* pool, const htz_orchestra* orchestra, const htz_performance* performance,
                        htz_live* live);

/**
   Build the part that is wanted most and hand it over.

   @param why    receives one line on failure, static text
   @param built  whether there was one to build
*/
htz_status htz_live_pool_build(htz_live_pool* pool, bool* built, const char** why);

/** Free everything, when nobody plays any more but before the engine is freed: what was attached goes after it. */
void htz_live_pool_discard(htz_live_pool* pool);

/** Free the instruments, after the engine. */
void htz_live_pool_free(htz_live_pool* pool);

#endif
