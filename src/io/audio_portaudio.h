#ifndef HERTZIAN_IO_AUDIO_PORTAUDIO_H
#define HERTZIAN_IO_AUDIO_PORTAUDIO_H

#include "audio_holder.h"
#include "audio_pick.h"
#include "audio_private.h"
#include "audio_route.h"

#include <portaudio.h>

/** The functions of PortAudio that are used, all present in every 19.x. */
#define HTZ_PA_FUNCTIONS(F)                                                                                                    \
  F(Pa_Initialize)                                                                                                             \
  F(Pa_Terminate)                                                                                                              \
  F(Pa_GetDeviceCount)                                                                                                         \
  F(Pa_GetDeviceInfo)                                                                                                          \
  F(Pa_GetHostApiInfo)                                                                                                         \
  F(Pa_GetLastHostErrorInfo)                                                                                                   \
  F(Pa_GetErrorText)                                                                                                           \
  F(Pa_IsFormatSupported)                                                                                                      \
  F(Pa_OpenStream)                                                                                                             \
  F(Pa_StartStream)                                                                                                            \
  F(Pa_StopStream)                                                                                                             \
  F(Pa_CloseStream)                                                                                                            \
  F(Pa_IsStreamActive)                                                                                                         \
  F(Pa_GetStreamInfo)

typedef struct {
  void* library;
#define HTZ_PA_MEMBER(name) __typeof__(name)* name;
  HTZ_PA_FUNCTIONS(HTZ_PA_MEMBER)
#undef HTZ_PA_MEMBER
  void (*PaAlsa_EnableRealtimeScheduling)(PaStream* stream, int enable); ///< NULL where there is no ALSA
  PaError (*PaAlsa_SetRetriesBusy)(int retries);                         ///< likewise
  PaError (*PaJack_SetClientName)(const char* name);                     ///< NULL where there is no JACK
} htz_pa;

/** One device to try: of the list, or an ALSA name that the list does not have. */
typedef struct {
  PaDeviceIndex index;
  const char* api;
  const char* name;
  int channels;  ///< 0 unknown
  double own_hz; ///< as PortAudio has it, 0 unknown
  void* specific;
  const char* in_name; ///< input to go with it, NULL: none
  PaDeviceIndex in_index;
  void* in_specific;
} htz_pa_candidate;

typedef struct {
  htz_audio base; // must be first
  htz_pa pa;
  PaStream* stream;
  htz_audio_route route;
  int realtime;
  double frame_ns; ///< time of one frame
  // Audio thread.
  bool started;
  int64_t first_ns;
  double frames;
  atomic_bool is_realtime;
  float stereo[]; ///< [2 * frames of a block] before they are laid on other outputs
} htz_pa_sink;

enum { HTZ_PA_REASON = 800 };

/**
   Try the candidates in their order until one plays; `sink` has only PortAudio and the priority so far.

   @param why  the first one's reason, where none does
   @return the first one's error, or paNoError
*/
PaError htz_pa_start(htz_pa_sink* sink, const htz_audio_wish* wish, const htz_pa_candidate* c, size_t n,
                     htz_audio_format* format, char* why, size_t why_size);

/** Of a sink that plays: as htz_audio_class has them. */
bool htz_pa_dead(const htz_audio* audio);
bool htz_pa_release(htz_audio* audio);

/** A candidate as PortAudio takes it; the latency is left to the caller. */
PaStreamParameters htz_pa_output(const htz_pa_candidate* c, unsigned outputs);

/** Why a candidate could not be opened, and what to do. */
void htz_pa_explain(const htz_pa_sink* sink, PaError error, const htz_pa_candidate* c, double rate_hz, bool quiet,
                    char why[HTZ_PA_REASON]);

/** Of the usual rates those that a device takes. @return how many, at most `max` */
size_t htz_pa_rates(const htz_pa* pa, const PaStreamParameters* wanted, bool input, double* rates, size_t max);

/** PortAudio's list of outputs, or of inputs. */
typedef struct {
  size_t n;
  htz_audio_entry* entry; ///< [n]
  PaDeviceIndex* index;   ///< [n] number of each in PortAudio
} htz_pa_list;

/**
   Load PortAudio and initialise it. Quiet unless `verbose`.

   @return whether it is there; Pa_Terminate() is then owed
*/
bool htz_pa_open(htz_pa* pa, bool verbose);

/** The outputs, or the inputs; strings belong to PortAudio. @return HTZ_OK or HTZ_NO_MEMORY */
htz_status htz_pa_list_make(const htz_pa* pa, bool inputs, htz_pa_list* list);
void htz_pa_list_free(htz_pa_list* list);

/** `latency_s` if it makes sense, else 0: some bridges report years. */
double htz_pa_latency(double latency_s);

/** Whether a device of the kernel's is among them. PortAudio lists only what could be opened. */
bool htz_pa_listed(const htz_pa_list* list, const htz_audio_pcm* pcm);

/** Whether a card with `name` in its name is held by somebody, and is not in the list; then `why` says by whom. */
bool htz_pa_busy(const htz_pa_list* list, const char* name, char why[HTZ_PA_REASON]);

enum { HTZ_PA_SYSDEFAULT = 48 };

/**
   Where ALSA has no default of any kind (its first card cannot play), the shared device ("sysdefault:CARD=PCH") of the n-th card
   that can, loopbacks and dummies aside.

   @return whether there are so many
*/
bool htz_pa_sysdefault(size_t n, char name[HTZ_PA_SYSDEFAULT]);

/** Append PortAudio's outputs, or its inputs, to a listing. */
htz_status htz_pa_devices(htz_audio_devices* devices, bool inputs);

#endif
