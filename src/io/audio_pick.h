#ifndef HERTZIAN_IO_AUDIO_PICK_H
#define HERTZIAN_IO_AUDIO_PICK_H

#include <stdbool.h>
#include <stddef.h>

/* Which device a name means, apart from any driver. */

/** One output or input as a driver's list has it. */
typedef struct {
  const char* api;  ///< "alsa", "jack", ...
  const char* name; ///< as it calls itself
  int channels;
  bool first; ///< the first choice of its host
} htz_audio_entry;

/**
   The entries that `device` means, best first.

   A name is compared without case: equal comes before equal but for the number of the card, which changes when one is plugged in
   again, then a part, and a raw device ("(hw:0,0)") after all others. Without a name (NULL or "", with or without a host's prefix)
   these are what programs share: ALSA's "default", "pipewire" and "pulse", JACK, any other host's first choice.

   @param order  [max] receives indices
   @return how many
*/
size_t htz_audio_pick(const char* device, const htz_audio_entry* entries, size_t n, size_t* order, size_t max);

/**
   What to fall back on where nothing of that is, for a device without a name: cards that programs share ("sysdefault", "dmix"), or
   with `raw` those that are for one program at a time, plugs of screens after others; neither loopbacks nor dummies.
*/
size_t htz_audio_pick_card(const char* device, bool raw, const htz_audio_entry* entries, size_t n, size_t* order, size_t max);

/** What follows a host's prefix in `device`, or all of it; `api` receives the prefix's host or NULL. */
const char* htz_audio_split(const char* device, const char** api);

/** Card and device of a name that ends in "(hw:CARD,DEVICE)". @return whether it does */
bool htz_audio_raw(const char* name, int* card, int* device);

/** Whether a card stands for no real one: a loopback or a dummy. */
bool htz_audio_unreal(const char* name);

/** Whether `text` has `part` somewhere, whatever the case of ASCII letters. */
bool htz_has_part(const char* text, const char* part);

#endif
