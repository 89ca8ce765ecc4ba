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
   Create the file at `path`, which must not exist. It is a complete song at any time, after every htz_smf_writer_sync() of all
   that was put; what cannot be written leaves the song that was there before.

   @return HTZ_OK, HTZ_IO or HTZ_NO_FILES (errno says why, nothing is left behind), HTZ_NO_MEMORY
*/
htz_status htz_smf_writer_open(const char* path, double rate_hz, htz_smf_writer** out);

/** Append a channel message, a system reset or a HTZ_MIDI_SYSTEM message at message->frame, counted from the beginning of the file; one that is earlier than the last comes with it. */
htz_status htz_smf_writer_put(htz_smf_writer* writer, const htz_midi_message* message);

/** Put a text where the file now ends, or a marker at `frame`. @return HTZ_OK, HTZ_IO, HTZ_BAD_VALUE (longer than 4000 bytes) */
htz_status htz_smf_writer_text(htz_smf_writer* writer, const char* text);
htz_status htz_smf_writer_marker(htz_smf_writer* writer, uint64_t frame, const char* text);

/**
   Put what was dialled in at `frame`: a line of words that says so. Other programs pass it over.

   @return HTZ_OK, HTZ_IO, HTZ_BAD_VALUE (longer than 4000 bytes)
*/
htz_status htz_smf_writer_dial(htz_smf_writer* writer, uint64_t frame, const char* text);

/** How far the track has come [byte], for htz_smf_writer_lead(). */
uint64_t htz_smf_writer_place(const htz_smf_writer* writer);

/**
   Put what was played before a take at the beginning of its file, nothing but settings at frame 0 before it; programs that do not know it
   pass it over. htz_smf_unfold() puts it back in front.

   @param source the file of the whole performance
   @param from, to places in it: of its first message, and behind its last one that is before the take
   @param last frame of that message
   @param first frame of the performance at which the take begins
   @return HTZ_OK, HTZ_IO, HTZ_FULL (more than 256 MiB)
*/
htz_status htz_smf_writer_lead(htz_smf_writer* writer, htz_smf_writer* source, uint64_t from, uint64_t to, uint64_t last,
                               uint64_t first);

/** The file, to have it brought to the disk. */
int htz_smf_writer_descriptor(const htz_smf_writer* writer);

/** Give everything that was put to the system. @return HTZ_IO, with errno, now and ever after, once anything was not written */
htz_status htz_smf_writer_sync(htz_smf_writer* writer);

/**
   Release every held key at `frame`, end the track there, and free the writer. A file without one event that could be written is
   removed.

   @return HTZ_IO, with errno, when anything was not written
*/
htz_status htz_smf_writer_close(htz_smf_writer* writer, uint64_t frame);

/** Channel messages written, the releases of the end included once closed. */
uint64_t htz_smf_writer_count(const htz_smf_writer* writer);

#endif
