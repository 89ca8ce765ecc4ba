#include "midi_in_private.h"

#include <stdio.h>

static htz_status start(htz_midi_in* in, const htz_midi_wish* wish, void** state, char* why, size_t why_size) {
  (void)in;
  (void)wish;
  (void)state;
  (void)why;
  (void)why_size;
  return HTZ_OK;
}

static void stop(void* state) {
  (void)state;
}

static bool may_come(void* state) {
  return state != NULL;
}

const htz_midi_class htz_midi_portmidi = {.name = "portmidi", .start = start, .stop = stop, .may_come = may_come};

htz_status htz_midi_list(htz_midi_port** out, size_t* n, char* why, size_t why_size) {
  *out = NULL;
  *n = 0;
  snprintf(why, why_size, "built without PortMidi");
  return HTZ_OK;
}
