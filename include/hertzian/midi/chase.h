#ifndef HERTZIAN_MIDI_CHASE_H
#define HERTZIAN_MIDI_CHASE_H

#include "hertzian/midi/smf_write.h"

/*
   What programs, controllers, registered parameters and wheels are set to in the middle of a performance, so that a file that begins
   there can begin with it. Tunings and notes are not followed. Set-up threads.
*/
enum { HTZ_CHASE_CONTROLS = 120, HTZ_CHASE_PARAMETERS = 7, HTZ_CHASE_CHANNELS = 16 };

/** Of one channel; 0: as at the start, else the value and one. */
typedef struct {
  uint8_t control[HTZ_CHASE_CONTROLS];
  uint8_t program, pressure;
  uint16_t bend;
  uint16_t parameter[HTZ_CHASE_PARAMETERS]; ///< registered parameters, 14 bits
  uint16_t selected;                        ///< the one that data entry sets, likewise
} htz_chase_channel;

/** Plain data; zero at the start. */
typedef struct {
  htz_chase_channel channel[HTZ_CHASE_CHANNELS];
} htz_chase;

void htz_chase_follow(htz_chase* chase, const htz_midi_message* message);

/** Put what has moved, at frame 0. @return as htz_smf_writer_put() */
htz_status htz_chase_write(const htz_chase* chase, htz_smf_writer* writer);

#endif
