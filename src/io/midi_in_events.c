#include "midi_in_portmidi.h"

#if defined(HTZ_HAVE_PORTMIDI)

enum { SYSEX = 0xf0, SYSEX_END = 0xf7, REALTIME = 0xf8, STATUS = 0x80 };

// Bytes of a message with this status, as the MIDI specification has them.
static size_t length_of(uint8_t status) {
  if (status >= SYSEX) {
    static const uint8_t system[] = {1, 2, 3, 2}; // F0 (not asked for), F1, F2, F3; then one each
    return status - SYSEX < (int)sizeof system ? system[status - SYSEX] : 1;
  }
  const uint8_t kind = status & 0xf0;
  return kind == 0xc0 || kind == 0xd0 ? 2 : 3;
}

static uint8_t byte_of(PmMessage message, size_t i) {
  return (uint8_t)((uint32_t)message >> (8 * i) & 0xff);
}

size_t htz_pm_bytes_of(htz_pm_bytes* state, PmMessage message, uint8_t bytes[4]) {
  const uint8_t first = byte_of(message, 0);
  if (first >= REALTIME) {
    bytes[0] = first; // may stand within an exclusive message and does not end it
    return 1;
  }
  if (first == SYSEX || (state->in_sysex && first < STATUS) || (state->in_sysex && first == SYSEX_END)) {
    state->in_sysex = true;
    for (size_t i = 0; i < 4; ++i) {
      bytes[i] = byte_of(message, i);
      if (bytes[i] == SYSEX_END) {
        state->in_sysex = false;
        return i + 1;
      }
    }
    return 4;
  }
  state->in_sysex = false;
  if (first < STATUS || first == SYSEX_END) {
    return 0; // of an exclusive message whose start was lost
  }
  const size_t n = length_of(first);
  for (size_t i = 0; i < n; ++i) {
    bytes[i] = byte_of(message, i);
  }
  return n;
}

double htz_pm_time(PmTimestamp stamp, PmTimestamp now_ms, double now_s) {
  const int32_t oldest_ms = 20; // many polls; a stamp beyond it is in some other clock
  const int32_t age_ms = (int32_t)((uint32_t)now_ms - (uint32_t)stamp);
  return age_ms >= 0 && age_ms <= oldest_ms ? now_s - age_ms * 1e-3 : now_s;
}

#else

typedef int htz_nothing_here; // ISO C wants something in a file

#endif
