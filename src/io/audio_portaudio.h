#ifndef HERTZIAN_IO_AUDIO_PORTAUDIO_H
#define HERTZIAN_IO_AUDIO_PORTAUDIO_H

#include "audio_pick.h"
#include "audio_private.h"

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

enum { HTZ_PA_SYSDEFAULT = 32 };

/**
   Where ALSA has no default of any kind (its first card cannot play), the shared device ("sysdefault:CARD=3") of the n-th card
   that can, loopbacks and dummies aside.

   @return whether there are so many
*/
bool htz_pa_sysdefault(size_t n, char name[HTZ_PA_SYSDEFAULT]);

/** Append PortAudio's outputs, or its inputs, to a listing. */
htz_status htz_pa_devices(htz_audio_devices* devices, bool inputs);

#endif
