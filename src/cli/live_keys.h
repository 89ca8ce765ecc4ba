#ifndef HERTZIAN_CLI_LIVE_KEYS_H
#define HERTZIAN_CLI_LIVE_KEYS_H

#include <stdbool.h>

/**
   Single keys from the terminal that standard input is: it is made to hand them over at once and unseen, and put back on every way
   out. One per process: what puts it back after a fault is a signal's handler.
*/
typedef enum {
  HTZ_KEY_NONE = 0,
  HTZ_KEY_PAUSE,
  HTZ_KEY_NEXT,
  HTZ_KEY_BACK,
  HTZ_KEY_QUIT,
  HTZ_KEY_SILENCE,
  HTZ_KEY_RECORD,
  HTZ_KEY_HELP,
  HTZ_KEY_UP,
  HTZ_KEY_DOWN,
  HTZ_KEY_RIGHT, ///< an arrow: with songs the next one
  HTZ_KEY_LEFT,  ///< likewise, back
  HTZ_KEY_MORE,
  HTZ_KEY_LESS,
  HTZ_KEY_DIGIT, ///< 0, and behind it 1 to 9
} htz_key_pressed;

/** Where in the bytes of a key the reading stands. Zero at the start. */
typedef struct {
  unsigned char escape; ///< bytes of an escape sequence so far
} htz_key_reader;

/** What one more byte means: space, n, b, q, x, r, ?, + and -, digits, arrows. */
htz_key_pressed htz_key_feed(htz_key_reader* reader, unsigned char byte);

/** Take over the terminal, before signals are. @return false when standard input is none; then nothing was changed */
bool htz_keys_open(void);

bool htz_keys_are_open(void);

/** The next key pressed, HTZ_KEY_NONE when there is none yet; never waits. Control thread. */
htz_key_pressed htz_keys_read(void);

/** The terminal as it was: before the program is stopped or ended. Any thread, and safe in a signal's handler. */
void htz_keys_release(void);

/** Take it over again, when the program goes on in the foreground. */
void htz_keys_renew(void);

/** The terminal as it was, and no more keys. */
void htz_keys_close(void);

#endif
