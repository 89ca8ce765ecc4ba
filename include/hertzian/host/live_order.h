#ifndef HERTZIAN_HOST_LIVE_ORDER_H
#define HERTZIAN_HOST_LIVE_ORDER_H

#include <stdint.h>

/** What the control thread has the audio thread do, in the order it was said. Plain data. */
typedef enum {
  HTZ_ORDER_CAST = 0, ///< `channels` are played by `cast` from now on; what sounds rings on
  HTZ_ORDER_SET,      ///< parameter `param` of every part that has `role`, now and later, is `value`
  HTZ_ORDER_DROP,     ///< parts of `role` that no channel has are given back
} htz_live_order_kind;

typedef struct {
  htz_live_order_kind kind;
  uint16_t channels; ///< bit c: channel c
  uint8_t cast;
  uint32_t role;
  uint32_t param;
  double value;
  uint32_t place; ///< of a parameter among those that were set
} htz_live_order;

enum {
  HTZ_LIVE_ORDERS = 1024,  ///< waiting, at most
  HTZ_LIVE_DIALLED = 2048, ///< parameters of roles that were set, at most
  HTZ_LIVE_RETIRED = 256   ///< parts on their way back, at most
};

#endif
