#ifndef HERTZIAN_HOST_LIVE_ORDER_H
#define HERTZIAN_HOST_LIVE_ORDER_H

#include <stdint.h>

/** What the control thread has the audio thread do, in the order it was said. Plain data. */
typedef enum {
  HTZ_ORDER_CAST = 0, ///< `channels` are played by `cast` from now on; what sounds rings on
  HTZ_ORDER_SET,      ///< parameter `param` of every part that has `role`, now and later, is `value`
} htz_live_order_kind;

typedef struct {
  htz_live_order_kind kind;
  uint16_t channels; ///< bit c: channel c
  uint8_t cast;
  uint32_t role;
  uint32_t param;
  double value;
} htz_live_order;

enum {
  HTZ_LIVE_ORDERS = 64,  ///< waiting, at most
  HTZ_LIVE_DIALLED = 256 ///< parameters of roles that were set, at most
};

#endif
