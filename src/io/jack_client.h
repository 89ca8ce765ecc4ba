#ifndef HERTZIAN_IO_JACK_CLIENT_H
#define HERTZIAN_IO_JACK_CLIENT_H

#if defined(HTZ_HAVE_JACK)

#include "audio_private.h"

#include <jack/jack.h>
#include <jack/midiport.h>
#include <pthread.h>

/*
   The one client that this process is to a JACK server. libjack has one state for the whole process: when a server has died and
   another is there, opening a client frees those of the dead one, whoever has them. So sound and MIDI share a client, and after
   a server's death there is a new one only when both have let go of the old one.
*/

/** The functions of JACK that are used. */
#define HTZ_JACK_FUNCTIONS(F)                                                                                                  \
  F(jack_client_open)                                                                                                          \
  F(jack_client_close)                                                                                                         \
  F(jack_get_client_name)                                                                                                      \
  F(jack_activate)                                                                                                             \
  F(jack_on_shutdown)                                                                                                          \
  F(jack_set_process_callback)                                                                                                 \
  F(jack_set_xrun_callback)                                                                                                    \
  F(jack_get_sample_rate)                                                                                                      \
  F(jack_get_buffer_size)                                                                                                      \
  F(jack_get_cycle_times)                                                                                                      \
  F(jack_get_time)                                                                                                             \
  F(jack_port_register)                                                                                                        \
  F(jack_port_unregister)                                                                                                      \
  F(jack_port_get_buffer)                                                                                                      \
  F(jack_port_get_latency_range)                                                                                               \
  F(jack_port_connected)                                                                                                       \
  F(jack_port_by_name)                                                                                                         \
  F(jack_port_name)                                                                                                            \
  F(jack_port_flags)                                                                                                           \
  F(jack_get_ports)                                                                                                            \
  F(jack_connect)                                                                                                              \
  F(jack_free)                                                                                                                 \
  F(jack_midi_get_event_count)                                                                                                 \
  F(jack_midi_event_get)

/** What the client is for, in the order in which each does its work of a period: notes first, then the sound of them. */
typedef enum { HTZ_JACK_MIDI, HTZ_JACK_AUDIO, HTZ_JACK_LIST, HTZ_JACK_USES } htz_jack_use;

/** Who has work to do in every period, on JACK's own thread. */
typedef struct {
  /** `start_s`: when the period began, on the monotonic clock, without the jitter of waking up [s]. */
  void (*cycle)(void* context, jack_nframes_t frames, double start_s);
  void* context;
} htz_jack_user;

typedef struct {
  jack_client_t* client;
#define HTZ_JACK_MEMBER(name) __typeof__(name)* name;
  HTZ_JACK_FUNCTIONS(HTZ_JACK_MEMBER)
#undef HTZ_JACK_MEMBER
  atomic_bool dead;          ///< the server is gone
  atomic_uint xruns;         ///< so far
  bool taken[HTZ_JACK_USES]; ///< under the lock
  bool closing;              ///< likewise: the last one is leaving
  pthread_mutex_t wire;      ///< held while the server is asked for something: libjack has one answer at a time
  bool active;               ///< under `wire`
  atomic_bool inside;        ///< a period is being computed
  _Atomic(const htz_jack_user*) user[HTZ_JACK_USES];
} htz_jack;

/**
   Take the client, opening it when nobody has it yet. It is given back by htz_jack_leave(). Control threads.

   @param open  false: only if it is open already
   @return NULL when there is no server, when the last client has not been let go of or this use of it has not, or with `starved`
           set to what the system has no more of
*/
htz_jack* htz_jack_take(htz_jack_use use, bool open, bool verbose, htz_status* starved);

/** Whether anybody has the client now. Loads nothing. Any thread. */
bool htz_jack_in_use(void);

/** Be asked for every period from now on; `user` has to stay. Ports may be registered before. @return false when the server refuses */
bool htz_jack_run(htz_jack* jack, htz_jack_use use, const htz_jack_user* user);

/** Be asked no more. @return false when the server hangs within a period, so that the user's memory has to stay */
bool htz_jack_rest(htz_jack* jack, htz_jack_use use);

/** Give the client back, at rest. The last one closes it, which may block for as long as the server hangs. */
void htz_jack_leave(htz_jack* jack, htz_jack_use use);

static inline bool htz_jack_dead(const htz_jack* jack) {
  return atomic_load_explicit(&jack->dead, memory_order_acquire);
}

/** A port of ours, new. @return NULL when the server refuses */
jack_port_t* htz_jack_add_port(htz_jack* jack, const char* name, const char* type, unsigned long flags);

/** Take a port of ours away. NULL is allowed; nothing is done where the server is dead. */
void htz_jack_drop_port(htz_jack* jack, jack_port_t* port);

/** Connect a port that gives to one that takes, as far as the server lets us. */
void htz_jack_connect(htz_jack* jack, jack_port_t* from, jack_port_t* to);

/** The clients that can be played to, or heard, as devices of as many channels as they have ports; ours is left out. */
htz_status htz_jack_devices(const htz_jack* jack, bool inputs, htz_audio_devices* devices);

/** Port number `channel` (from 1) of the client `name`, one that takes sound, or with `inputs` one that gives it; NULL: none. */
jack_port_t* htz_jack_port(const htz_jack* jack, const char* name, unsigned channel, bool inputs);

#endif

#endif
