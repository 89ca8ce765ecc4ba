#ifndef HERTZIAN_HOST_LIVE_H
#define HERTZIAN_HOST_LIVE_H

#include "hertzian/base/ring.h"
#include "hertzian/dsp/limiter.h"
#include "hertzian/engine/engine.h"
#include "hertzian/host/blocks.h"
#include "hertzian/host/built.h"
#include "hertzian/host/dials.h"
#include "hertzian/host/live_order.h"
#include "hertzian/host/live_song.h"
#include "hertzian/host/orchestra.h"
#include "hertzian/host/performance.h"
#include "hertzian/io/midi_in.h"
#include "hertzian/io/recorder.h"
#include "hertzian/midi/clock.h"
#include "hertzian/midi/map.h"

#include <stdatomic.h>

/**
   Playing live: what the audio thread does between the rings of MIDI and the block of samples, and what the other threads may see
   of it. Built and freed on the control thread; htz_live_run() is the audio thread's.

   Parts are built ahead on the control thread and handed over through a ring. The audio thread gives one to a channel with the
   first note that the channel plays on an instrument.
*/
enum {
  HTZ_LIVE_NO_PART = 255,
  HTZ_LIVE_SPARES = 512,           ///< parts handed over and not yet taken, at most
  HTZ_LIVE_PARTS = 48,             ///< parts kept though nobody plays them, in all
  HTZ_LIVE_BYTES = 192 << 20,      ///< and memory of those, and of those that are played [byte]
  HTZ_LIVE_BYTES_HARD = 320 << 20, ///< beyond this what rings on though its channel has turned away is silenced [byte]
  HTZ_LIVE_PLAYED = 1 << 16,       ///< messages waiting to be written to a MIDI file
  HTZ_LIVE_HEARD = 1 << 14,        ///< frames of input: the largest block, and what waits for a quantum to be full
};

/** Where a song stands among the sources: behind all that are listened to. */
enum { HTZ_LIVE_SONG = HTZ_MIDI_SOURCES_MAX, HTZ_LIVE_SOURCES };

/** Where the signal comes from that drives hammers. */
typedef enum { HTZ_DRIVE_NONE = 0, HTZ_DRIVE_DEVICE, HTZ_DRIVE_FILE } htz_drive_from;

/** A quantum of it on its way from a file. */
typedef struct {
  uint64_t frame; ///< of the engine
  float samples[HTZ_QUANTUM];
} htz_live_drive_item;

/** A part built ahead. Owned by the control thread's list; used by the audio thread once handed over. */
typedef struct htz_live_prebuilt {
  uint32_t role;   ///< number of its role
  uint32_t beside; ///< its place among those that play together
  htz_built built;
  uint8_t channel;                ///< audio thread: that it plays on, once it does
  uint64_t used;                  ///< audio thread: frame at which its channel last wanted it
  struct htz_live_prebuilt* next; ///< in the list of all
} htz_live_prebuilt;

/** Which way a keyboard's sustain pedal (controller 64) goes. */
typedef enum {
  HTZ_PEDAL_NORMAL = 0,
  HTZ_PEDAL_INVERTED, ///< 127 is up
  HTZ_PEDAL_LEARNT,   ///< inverted when the first that is heard of it is 0: it was pressed
} htz_pedal;

/** One source of MIDI as the audio thread sees it. */
typedef struct {
  htz_midi_parser parser;
  bool waiting;                               ///< `next` is filled
  bool lost;                                  ///< and means that the source is gone
  htz_midi_message next;                      ///< its frame is when it is to be heard
  uint16_t held[HTZ_MIDI_CHANNELS][HTZ_KEYS]; ///< note-ons of this source not yet released
  uint8_t pedal[HTZ_MIDI_CHANNELS][3];        ///< its controllers 64, 66 and 67
  bool bent[HTZ_MIDI_CHANNELS];               ///< its wheel is off centre
  bool sensed;                                ///< it has sent active sensing since it was last silent for too long
  uint64_t heard_at;                          ///< frame at which its last byte was heard
  htz_pedal pedal_way;                        ///< its sustain pedal's, learnt: HTZ_PEDAL_LEARNT until it has moved
} htz_live_source;

/** What other threads may read while it plays; written by the audio thread only, unless said. */
typedef struct {
  atomic_uint_fast64_t blocks;
  atomic_uint_fast64_t frames;   ///< of the engine
  atomic_uint_fast64_t xruns;    ///< blocks that came too late to be heard, as the driver says or the clock
  atomic_uint_fast64_t xrun_at;  ///< frame of the engine at which the last of them was noticed
  atomic_uint_fast64_t late;     ///< blocks that took longer than they last
  atomic_uint_fast64_t over;     ///< frames beyond full scale before the limiter
  atomic_uint_fast64_t limited;  ///< frames turned down by the limiter
  atomic_uint_fast64_t broken;   ///< samples that were not finite
  atomic_uint_fast64_t relieved; ///< keys damped by the overload guard
  atomic_uint_fast64_t resets;   ///< keys reset by the engine
  atomic_uint_fast64_t stood_in; ///< notes played by another part because their own was not built yet
  atomic_uint_fast64_t notes;    ///< note-ons played
  atomic_uint_fast64_t messages; ///< MIDI messages obeyed
  /** Notes of each source released because it was lost; of the song because it was paused or over. */
  atomic_uint_fast64_t released[HTZ_LIVE_SOURCES];
  atomic_uint_fast64_t silent[HTZ_LIVE_SOURCES]; ///< times that a source's active sensing ended
  atomic_uint_fast64_t drive_missing;            ///< frames of the driving signal that did not come, or not in time
  _Atomic float drive_level;                     ///< its largest magnitude since the reader set it to 0
  _Atomic float drive_level_max;                 ///< largest of all
  atomic_uint_fast64_t bytes;                    ///< memory of the parts that channels have
  atomic_uchar cast[HTZ_MIDI_CHANNELS];          ///< what each channel is played by
  atomic_uint parts;                             ///< how many these are
  atomic_uint ringing;                           ///< keys awake
  atomic_bool sounding;                          ///< a key, a board or a room is
  _Atomic float load;                            ///< share of the block's time used, smoothed
  _Atomic float load_peak;                       ///< largest since the reader set it to 0
  _Atomic float load_max;                        ///< largest of all
  _Atomic float busy_max;                        ///< the same by the time this thread had the processor
  _Atomic float level;                           ///< largest magnitude before the limiter since the reader set it to 0
  _Atomic float level_max;                       ///< largest of all
  atomic_uint_fast64_t first_sound;              ///< frame after the quantum that was the first not silent; 0: none yet
  atomic_bool faded;                             ///< the closing fade is over: silence from here on
  atomic_uint_fast64_t loud_to;                  ///< frame after the last quantum that reached -60 dBFS before the limiter
  atomic_uint_fast64_t audible_to;               ///< the same of -90 dBFS
  atomic_uint_fast64_t obeyed;                   ///< orders
  atomic_uint dialled;                      ///< places of htz_live.dialled that are in use: what moved there stays as it is
  _Atomic double song_set[HTZ_DIALLED_MAX]; ///< what a song has set there, not a number: nothing
} htz_live_view;

typedef struct {
  // [config]
  double rate_hz;
  double block_s;    ///< length of a block
  double deadline_s; ///< a block that takes longer cannot have been heard in time
  uint32_t delay;    ///< from the stamp of an event to its sound [frame]
  bool asap;         ///< events take effect at once instead
  bool sensing;      ///< a source that sent active sensing and is silent for half a second is let go of
  htz_pedal pedal;   ///< of every source but the song
  bool limit;
  bool has_song;
  float gain;
  htz_engine* engine;
  htz_midi_map* map;
  const htz_orchestra* orchestra;       ///< once there is a pool of parts
  const htz_dials* dials;               ///< of the songs, once they are read; NULL: none
  htz_cast_set casts_of[HTZ_ROLES_MAX]; ///< casts that each role is part of
  htz_arena memory;                     ///< of the rings
  htz_ring midi[HTZ_MIDI_SOURCES_MAX];
  htz_ring prebuilt_ring; ///< of htz_live_prebuilt*, control to audio
  htz_ring played;        ///< of htz_midi_message, audio to control
  htz_ring orders;        ///< of htz_live_order, control to audio
  htz_ring retired;       ///< of htz_live_prebuilt*, audio to control: parts that nobody plays any more
  htz_drive_from drive_from;
  htz_ring drive; ///< with HTZ_DRIVE_FILE: of htz_live_drive_item, in order, from the thread that reads it
  // Of several threads.
  _Atomic(htz_recorder*) recorder;           ///< NULL: none yet
  atomic_bool log_midi;                      ///< fill `played`
  atomic_bool fade;                          ///< control: fade out, then be silent
  atomic_bool drive_over;                    ///< whoever fills `drive`: nothing follows
  atomic_uint panics;                        ///< control: counts up; silence everything
  atomic_uint_fast32_t asked[HTZ_ROLES_MAX]; ///< audio: parts of each role in use or waited for
  atomic_uint_fast32_t taken[HTZ_ROLES_MAX]; ///< audio: parts of each role in use
  htz_live_view view;
  // [state] of the audio thread
  htz_clock clock;
  htz_limiter limiter;
  htz_live_source source[HTZ_LIVE_SOURCES];
  htz_live_song song;                                            ///< its ring is laid when there is one
  htz_live_prebuilt* prebuilt[HTZ_ROLES_MAX][HTZ_MIDI_CHANNELS]; ///< not yet taken
  htz_live_prebuilt* attached[HTZ_PARTS_MAX];                    ///< by the part's number
  uint64_t bytes;                                                ///< memory of these
  htz_dialled dialled;                                           ///< what is set, by whomever
  double own_set[HTZ_DIALLED_MAX];                               ///< by the player, at the same places; not a number: nothing
  uint8_t own_cast[HTZ_MIDI_CHANNELS];                           ///< what channels are played by, songs left out
  uint16_t song_cast;                                            ///< channels (bits) that a song has turned elsewhere
  bool song_dialled;                                             ///< a song has dialled anything in since it began
  bool leaving[HTZ_ROLES_MAX];                                   ///< parts of the role are given back once they are silent
  uint32_t n_leaving;
  uint32_t asking; ///< channels that had a program change
  uint32_t n_prebuilt[HTZ_ROLES_MAX];
  uint8_t part_of[HTZ_MIDI_CHANNELS][HTZ_ROLES_MAX]; ///< part that has the role on the channel, or HTZ_LIVE_NO_PART
  uint32_t parts;                                    ///< attached
  uint64_t given;                                    ///< frames given to the driver
  uint64_t heard_to;                                 ///< frame of the last message: those that follow are not earlier
  htz_blocks blocks;
  htz_live_drive_item drive_next; ///< taken from the ring and not yet due, if `drive_waiting`
  bool drive_waiting;
  float heard[HTZ_LIVE_HEARD];  ///< input of the device, frame n at n % HTZ_LIVE_HEARD
  uint64_t heard_at, heard_end; ///< next to be used, next to come
  uint32_t panics_done;
  uint32_t fade_left, fade_length;
  bool fading;
  bool missed;              ///< the last block was late by the clock
  float load;               ///< smoothed
  double busy;              ///< the same by the time this thread had the processor, as the overload guard looks at it
  uint32_t blocks_to_count; ///< until the engine is asked for its counters
  uint32_t guard_rest;      ///< blocks until the overload guard may act again
} htz_live;

typedef struct {
  double rate_hz;
  uint32_t frames;                    ///< block size
  double latency_s;                   ///< the device's, 0 unknown
  const htz_performance* performance; ///< its settings are kept by pointer
  double gain_db;
  bool limit;                ///< turn down what is beyond full scale
  bool asap;                 ///< events take effect at once, not a constant time after their stamp
  bool no_sensing;           ///< active sensing that ends means nothing
  htz_pedal pedal;           ///< keyboards' sustain pedals
  bool song;                 ///< a song will be played
  htz_drive_from drive_from; ///< what drives hammers
} htz_live_desc;

/** @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Control thread. */
htz_status htz_live_new(const htz_live_desc* desc, htz_live** out);

/** Only when the audio thread has left. NULL is allowed. Spares not taken are the caller's. */
void htz_live_free(htz_live* live);

/** Fill a block of interleaved stereo frames that was asked for at `time_s`. Audio thread. */
HTZ_RT void htz_live_run(htz_live* live, float* out, uint32_t frames, double time_s, bool underflow);

/**
   Take the input of the block that htz_live_run() is about to fill: the first channel [frames], NULL when it did not come; `gap`: some
   was lost before it. It drives that very block, or up to a quantum later where blocks are no multiple of one. Audio thread.
*/
HTZ_RT void htz_live_hear(htz_live* live, const float* in, uint32_t frames, bool gap);

/** Hand the engine what drives the quantum that begins at `now`. Audio thread. */
HTZ_RT void htz_live_drive(htz_live* live, uint64_t now);

/** Say how long the block took by the clock, and how long this thread had the processor [s]. Audio thread. */
HTZ_RT void htz_live_account(htz_live* live, uint32_t frames, double used_s, double busy_s);

/** Take what the rings hold for the quantum that begins at `now` and obey it. Audio thread. */
HTZ_RT void htz_live_listen(htz_live* live, uint64_t now);

/** Silence every channel at `now`. Audio thread. */
HTZ_RT void htz_live_panic(htz_live* live, uint64_t now);

/** What a note finds. */
typedef enum {
  HTZ_LIVE_READY = 0,
  HTZ_LIVE_THINNED,  ///< some of those that play together are not built yet
  HTZ_LIVE_STOOD_IN, ///< none is: another plays, for this note only if the caller takes it back
} htz_live_readiness;

/** Give `channel` the parts of cast `cast` that it has not; `now` is the frame of the note that needs them. Audio thread. */
HTZ_RT htz_live_readiness htz_live_cast(htz_live* live, unsigned channel, unsigned cast, uint64_t now);

/** Take over the spares that have been handed over. Audio thread. */
HTZ_RT void htz_live_take_prebuilt(htz_live* live);

#endif
