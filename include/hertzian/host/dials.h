#ifndef HERTZIAN_HOST_DIALS_H
#define HERTZIAN_HOST_DIALS_H

#include "hertzian/host/built.h"
#include "hertzian/host/orchestra.h"
#include "hertzian/midi/smf.h"

/*
   What is dialled in while it plays: parameters that are set, instruments that are chosen, and parts that the live performance took
   back. Each is a line of words in the MIDI of a take (htz_smf_writer_dial()), so that a render of it, or playing it again, does the same:

       set PARAM VALUE             for all that is loaded by then and has the parameter, in its range
       instrument CHANNELS NAME    CHANNELS: 1 to 16, or all
       again CHANNELS.R NAME       the same, its file read again for the R-th time
       silence CHANNEL N ID        what part N (from 1) of those of instrument ID has sounding is cut off;
       silence CHANNEL R.N ID      of those that were read for the R-th time
       free CHANNEL N ID           and it is freed: when it comes back, it is a new one; R.N likewise
       song                        a song begins: what songs have set and chosen holds no longer
       song WORDS                  a song that was played did it; `song song ...` for a song within that, and so on

   What a song does takes the place of what the player did for as long as that song plays, unless the player moves it again meanwhile.
*/

enum {
  HTZ_DIALLED_MAX = 2048, ///< parameters of roles that can be set at once
  HTZ_DIAL_WORDS = 2048,  ///< bytes of a line, with its end
  HTZ_DIAL_WHY = 256,
};

/** A parameter of all parts that have a role. */
typedef struct {
  uint32_t role, param;
} htz_dial_moved;

/** The parameters of a performance that were set while it plays. Plain data, one thread's; zero at the start. */
typedef struct {
  uint32_t n;
  htz_dial_moved moved[HTZ_DIALLED_MAX];
  double value[HTZ_DIALLED_MAX];  ///< [unit of the parameter]
  uint16_t first[HTZ_ROLES_MAX];  ///< one more than the number of the role's first; 0: it has none
  uint16_t next[HTZ_DIALLED_MAX]; ///< and of the role's next
} htz_dialled;

/** True when it is set. */
HTZ_RT bool htz_dialled_has(const htz_dialled* dialled, htz_dial_moved moved);

/** Note a value; not a number: as if it had never been set. @return its place, HTZ_DIALLED_MAX when there are too many */
HTZ_RT uint32_t htz_dialled_note(htz_dialled* dialled, htz_dial_moved moved, double value);

/** All that was set of a role is as if it had never been. */
HTZ_RT void htz_dialled_forget(htz_dialled* dialled, uint32_t role);

/** Set on a part that has just joined what was set on all of its role. */
HTZ_RT void htz_dialled_begin(const htz_dialled* dialled, uint32_t role, htz_engine* engine, uint32_t part);

/** Set a parameter of a part that may sound, at `frame`; not a number: back to what the part began with, its settings included. */
HTZ_RT void htz_dial_part(htz_engine* engine, const htz_built* built, uint32_t part, uint32_t param, double value,
                          uint64_t frame);

/**
   What a setting moves of what is loaded.

   @param out [HTZ_ROLES_MAX]
   @param has receives a role that has such a parameter, in whatever range; n_roles: none has
   @return how many. Control thread
*/
size_t htz_dial_moves(const htz_orchestra* orchestra, const htz_setting* setting, htz_dial_moved* out, size_t* has);

typedef enum { HTZ_DIAL_CHANGE = 0, HTZ_DIAL_SILENCE, HTZ_DIAL_FREE } htz_dial_kind;

/** A line, understood. */
typedef struct {
  uint32_t at; ///< value of its event in the song
  htz_dial_kind kind;
  uint16_t channels;                  ///< bits: those that are meant; HTZ_DIAL_CHANGE: that turn to `cast_of`
  uint16_t back;                      ///< HTZ_DIAL_CHANGE, bits: those that turn back to what plays them without this song
  uint8_t cast_of[HTZ_MIDI_CHANNELS]; ///< HTZ_DIAL_CHANGE
  uint8_t role;                       ///< HTZ_DIAL_SILENCE, HTZ_DIAL_FREE
  size_t first, n;                    ///< HTZ_DIAL_CHANGE: of htz_dials.moved
  char* text;                         ///< owned
} htz_dial;

/** Those of several songs. Zero at the start; read-only once all are read. */
typedef struct {
  size_t n, room;
  htz_dial* of;
  size_t n_moved, room_moved;
  htz_dial_moved* moved;
  double* value; ///< of each; not a number: back to what it is without this song [unit of the parameter]
} htz_dials;

/** Those of one song. */
typedef struct {
  const htz_dials* all; ///< NULL: none
  size_t first, n;      ///< in order of `at`
} htz_dial_span;

/** What could not be understood or done. */
typedef struct {
  size_t newer, lost;
  unsigned version;       ///< of the first in words of a newer version
  char why[HTZ_DIAL_WHY]; ///< the first of the others
} htz_dial_faults;

/**
   Read what was dialled in in a song. What it chooses is added to the orchestra, which no other thread uses meanwhile.

   @param faults is added to: what cannot be done is left out
   @return HTZ_OK or HTZ_NO_MEMORY, with what was read before
*/
htz_status htz_dials_read(htz_dials* dials, const htz_smf* song, htz_orchestra* orchestra, htz_dial_span* span,
                          htz_dial_faults* faults);

/** What an event of the song dials in; NULL where it is no such event, or was not understood. Any thread. */
const htz_dial* htz_dial_of(const htz_dial_span* span, const htz_smf_event* event);

/** Let the channels of a HTZ_DIAL_CHANGE be played as it says; `own`: by which casts they are without the song. */
HTZ_RT void htz_dial_turn(const htz_dial* dial, const uint8_t own[HTZ_MIDI_CHANNELS], htz_midi_map* map);

/** Parameters of roles that they set, each once. @return HTZ_DIALLED_MAX + 1 when there are more, or without memory. Control thread */
size_t htz_dials_distinct(const htz_dials* dials);

void htz_dials_free(htz_dials* dials);

/** `silence CHANNEL N ID` or `free ...` of a role. Any thread. */
void htz_dial_text(const char* word, const htz_role* role, unsigned channel, char text[HTZ_DIAL_WORDS]);

#endif
