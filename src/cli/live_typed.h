#ifndef HERTZIAN_CLI_LIVE_TYPED_H
#define HERTZIAN_CLI_LIVE_TYPED_H

#include "live_keys.h"

#include "hertzian/instrument/params.h"

#include <stddef.h>

struct htz_session;

enum { HTZ_TYPED_TEXT = 96, HTZ_TYPED_INSTRUMENTS = 10 };

/** What keys of the terminal do while it plays, besides those that are a song's: as `hertzian ctl` would. The control thread's. */
typedef struct {
  size_t param; ///< the parameter that left and right move; beyond all: none chosen yet
  bool known;   ///< `value` is that of the main instrument
  double value[HTZ_PARAM_NAMED];
  size_t n_instruments; ///< 0: not looked for yet
  char instrument[HTZ_TYPED_INSTRUMENTS][HTZ_TYPED_TEXT];
  char text[HTZ_TYPED_TEXT]; ///< for the status line: what was done last
  double said_s;             ///< when
} htz_typed;

/** Obey a key. */
void htz_typed_obey(struct htz_session* session, htz_key_pressed key, double now_s);

/** What to show of it in the status line, empty when it was long ago. */
const char* htz_typed_text(const struct htz_session* session, double now_s);

#endif
