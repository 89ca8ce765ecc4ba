#ifndef HERTZIAN_IO_MIDI_IN_ALSA_H
#define HERTZIAN_IO_MIDI_IN_ALSA_H

#include <stdbool.h>
#include <stddef.h>

/*
   A client of the ALSA sequencer that only looks: which ports there are, and when one comes or goes. PortMidi's own list never
   changes. Where there is no ALSA, htz_alsa_open() returns NULL. One thread at a time.
*/

enum { HTZ_ALSA_PORTS = 128 }; ///< looked at; more are ignored

typedef struct {
  char name[128];
  int client, port; ///< address
} htz_alsa_port;

typedef struct htz_alsa htz_alsa;

/** @param watch  also be told of changes */
htz_alsa* htz_alsa_open(bool watch, bool verbose);
void htz_alsa_close(htz_alsa* alsa);

/** The ports that can be listened to, in the order in which PortMidi finds them. @return how many */
size_t htz_alsa_ports(htz_alsa* alsa, htz_alsa_port* out, size_t max);

/** Whether any port has come or gone since the last call. */
bool htz_alsa_changed(htz_alsa* alsa);

/** Why there can be no ports on this system, or NULL when there is nothing in the way. Static text. */
const char* htz_alsa_missing(void);

#endif
