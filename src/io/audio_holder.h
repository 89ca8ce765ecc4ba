#ifndef HERTZIAN_IO_AUDIO_HOLDER_H
#define HERTZIAN_IO_AUDIO_HOLDER_H

#include <stdbool.h>
#include <stddef.h>

/**
   Who has the playback side of an ALSA device open, as "name[process]".

   @param proc    where the process file system is, "/proc"
   @param card    number, or -1 for any card and device
   @param text    receives an empty text when nobody has, or may be asked
   @return whether somebody has
*/
bool htz_audio_holder(const char* proc, int card, int device, char* text, size_t size);

enum { HTZ_AUDIO_PCM_NAME = 128, HTZ_AUDIO_CARD_ID = 24 };

/** A playback device that the kernel knows. */
typedef struct {
  int card, device;
  char name[HTZ_AUDIO_PCM_NAME]; ///< as PortAudio calls it: "HDA Intel PCH: HDMI 0 (hw:0,3)"
  char id[HTZ_AUDIO_CARD_ID];    ///< of the card, the same wherever it is plugged in: "PCH"; "" unknown
} htz_audio_pcm;

/** The kernel's playback devices, at most `max`, into `out`. @return how many */
size_t htz_audio_pcms(const char* proc, htz_audio_pcm* out, size_t max);

#endif
