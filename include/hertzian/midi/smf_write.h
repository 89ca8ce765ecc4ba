#ifndef HERTZIAN_MIDI_SMF_WRITE_H
#define HERTZIAN_MIDI_SMF_WRITE_H

#include "hertzian/base/status.h"
#include "hertzian/midi/bytes.h"

#include <stdbool.h>
#include <stdint.h>

/*
   Writing what was played as a Standard MIDI File in which one tick is one frame, so that rendering it again puts every event on
   the frame on which it was heard. Set-up threads only.
*/
typedef struct htz_smf_writer htz_smf_writer;

/**
   Division [ticks per quarter note] and tempo [us per quarter note] of which one tick is one frame at `rate_hz`.

   @return false when there is none: the rate is not a whole number, or has a large prime factor; the nearest is filled in then
*/
bool htz_smf_frame_ticks(double rate_hz, unsigned* division, unsigned* tempo_us);

/**
   Create the file at `path`, which must not exist. After every htz_smf_writer_sync() it is a complete song of what was put.

   @return HTZ_OK, HTZ_IO (errno says why), HTZ_NO_MEMORY
*/
htz_status htz_smf_writer_open(const char* path, double rate_hz, htz_smf_writer** out);

/** Append a channel message or a system reset at message->frame, counted from the beginning of the file; one that is earlier than the last comes with it. */
htz_status htz_smf_writer_put(htz_smf_writer* writer, const htz_midi_message* message);

/** Make the file whole: End of Track, the track's length, everything to the system. */
htz_status htz_smf_writer_sync(htz_smf_writer* writer);

/** Release every held key at `frame`, end the track there, and free the writer. @return HTZ_IO when anything was not written */
htz_status htz_smf_writer_close(htz_smf_writer* writer, uint64_t frame);

/** Channel messages written, the releases of the end included once closed. */
uint64_t htz_smf_writer_count(const htz_smf_writer* writer);

#endif
