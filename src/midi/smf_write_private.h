#ifndef HERTZIAN_MIDI_SMF_WRITE_PRIVATE_H
#define HERTZIAN_MIDI_SMF_WRITE_PRIVATE_H

#include "hertzian/midi/smf.h"
#include "hertzian/midi/smf_write.h"
#include "hertzian/midi/sysex.h"

#include <sys/types.h>

enum {
  HTZ_SMF_LENGTH_AT = 18,                    // of the track, after its name
  HTZ_SMF_TRACK_AT = 22,                     // first byte of the track
  HTZ_SMF_BEAT = 7,                          // bytes of the tempo, which every file begins with
  HTZ_SMF_DELTA_MAX = 0xFFFFFFF,             // 28 bits
  HTZ_SMF_PENDING = 4096,                    // bytes gathered between two writes
  HTZ_SMF_EVENT = 4 + HTZ_SYSEX_WRITTEN + 1, // the most that is put at once: a wait and an event
  HTZ_SMF_ENDING = 4,                        // bytes of End of Track without a wait
};

struct htz_smf_writer {
  int fd;
  int error;     // errno of the first failure, 0 none; nothing is written any more
  off_t end;     // where what is pending goes; End of Track stands there
  uint64_t last; // frame of the last event
  uint64_t count;
  uint16_t held[HTZ_SMF_CHANNELS][HTZ_SMF_KEYS];
  uint32_t octave[12]; // of a tuning that is being put
  size_t fill;
  uint8_t pending[HTZ_SMF_PENDING + HTZ_SMF_ENDING];
  char path[]; // to be removed when nothing could be written
};

/** Put bytes where they belong in the file. @return false, with `error` set, when that cannot be done */
bool htz_smf_write_at(htz_smf_writer* writer, const uint8_t* bytes, size_t count, off_t at);

/** Write what is pending, and End of Track behind it. */
void htz_smf_write_all(htz_smf_writer* writer);

/** Append to what is pending; there is room after htz_smf_put_delta() for HTZ_SMF_EVENT bytes. */
void htz_smf_put_bytes(htz_smf_writer* writer, const uint8_t* bytes, size_t count);

/** Bring the track to `frame`: longer waits than a number holds pass through empty texts. */
void htz_smf_put_delta(htz_smf_writer* writer, uint64_t frame);

/** A variable-length quantity of up to 28 bits. @return its bytes, up to 4 */
size_t htz_smf_put_number(uint8_t* out, uint32_t value);

/*
   The lead-in of a take: what was played before it, so that a render of the take's MIDI file sounds on what was sounding. An event for
   whoever wrote it (FF 7F) at the beginning of the track, which other programs pass over; in it: the number for non-commercial use, four
   letters, the frame of the performance at which the take begins and that of the last event before it (8 bytes each, the highest first), and the
   events themselves as in a track that begins with the performance.
*/
enum { HTZ_SMF_LEAD_HEAD = 5 + 8 + 8 };
extern const uint8_t htz_smf_lead_name[5];

#endif
