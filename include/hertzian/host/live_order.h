#ifndef HERTZIAN_HOST_LIVE_ORDER_H
#define HERTZIAN_HOST_LIVE_ORDER_H

#include <stdint.h>

/** What the control thread has the audio thread do, in the order it was said. Plain data. */
typedef enum {
  HTZ_ORDER_CAST = 0, ///< `channels` are played by `cast` from now on; what sounds rings on
  HTZ_ORDER_SET,      ///< parameter `param` of every part that has `role`, now and later, is `value`
  HTZ_ORDER_DROP,     ///< parts of `role` that no channel has are given back
  HTZ_ORDER_LEAVE,    ///< nobody will choose `cast` again: its parts are given back, each once it is silent
  HTZ_ORDER_FORGET,   ///< its last part was: the numbers of the cast and its roles will mean others
} htz_live_order_kind;

typedef struct {
  htz_live_order_kind kind;
  uint16_t channels; ///< bit c: channel c
  uint16_t more;     ///< orders behind it that are obeyed at the same moment
  uint8_t cast;
  uint32_t role;
  uint32_t param;
  double value;
  uint32_t said; ///< number of the words for it, 0: none, or they are an earlier order's
} htz_live_order;

/** Which words a message HTZ_SYSTEM_DIAL among those played stands for; its data2. */
typedef enum {
  HTZ_SAID_ORDER = 0, ///< value: htz_live_order.said
  HTZ_SAID_SONG,      ///< value: a number in htz_live.dials
  HTZ_SAID_BEGIN,     ///< a song begins: what songs have dialled in holds no longer
  HTZ_SAID_SILENCE,   ///< a part is cut off; value: its channel + HTZ_MIDI_CHANNELS times its role
  HTZ_SAID_FREE,      ///< a part is given back; likewise
} htz_live_said;

enum {
  HTZ_LIVE_ORDERS = 1024, ///< waiting, at most
  HTZ_LIVE_RETIRED = 256  ///< parts on their way back, at most
};

#endif
