#include "song_notes.h"

#include "hertzian/midi/bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { CHANNELS = 16 };

uint16_t htz_song_channels(const htz_options* options, const htz_orchestra* orchestra) {
  unsigned played = 0;
  for (unsigned channel = 0; channel < HTZ_SMF_CHANNELS; channel++) {
    played |= (unsigned)htz_orchestra_plays(orchestra, channel) << channel;
  }
  return htz_options_performance(options, (uint16_t)played).channels;
}

htz_status htz_notes_count(const htz_smf* song, const htz_options* options, const htz_orchestra* orchestra,
                           const htz_song_span* span, htz_notes* out) {
  const uint16_t channels = htz_song_channels(options, orchestra);
  const uint64_t end = span->cut ? span->close : UINT64_MAX;
  htz_smf_iter* iter = NULL;
  htz_smf_event event;
  const htz_smf_info* info = htz_smf_get_info(song);
  unsigned program[HTZ_SMF_CHANNELS] = {0};
  *out = (htz_notes){.channels = info->channels_with_notes};
  for (unsigned c = 0; c < CHANNELS; c++) {
    out->pedals += (info->pedals_down & channels) >> c & 1u;
  }
  const htz_status status = htz_smf_iter_new(song, &span->clock, &iter);
  while (!status && htz_smf_iter_next(iter, &event)) {
    const unsigned kind = event.status & HTZ_MIDI_KIND_MASK, channel = event.status & HTZ_MIDI_CHANNEL_MASK;
    if (kind == HTZ_MIDI_PROGRAM) {
      program[channel] = event.data1 % HTZ_SMF_PROGRAMS;
    }
    if (kind != HTZ_MIDI_NOTE_ON) {
      continue;
    }
    const bool kit = htz_orchestra_for(orchestra, channel, program[channel])->n_kits > 0;
    const int key = event.data1 + (kit ? 0 : options->transpose);
    uint64_t* count = &out->played;
    if (!(channels >> channel & 1u)) {
      count = channel == HTZ_DRUM_CHANNEL && options->channel == HTZ_CHANNEL_DEFAULT ? &out->drums : &out->off;
    } else if (key < 0 || key >= HTZ_SMF_KEYS) {
      count = &out->beyond;
    } else if (event.frame >= end) {
      count = &out->late;
    }
    ++*count;
    out->of[channel][program[channel]] += count == &out->played;
  }
  htz_smf_iter_free(iter);
  return status;
}

static void add(char text[HTZ_NOTES_TEXT], const char* format, ...) HTZ_PRINTF(2, 3);

static void add(char text[HTZ_NOTES_TEXT], const char* format, ...) {
  const size_t used = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + used, HTZ_NOTES_TEXT - used, format, args);
  va_end(args);
}

const char* htz_notes_why(const htz_notes* notes, const htz_options* options, char text[HTZ_NOTES_TEXT]) {
  const char* between = " ";
  snprintf(text, HTZ_NOTES_TEXT, "none of its notes is played:");
  if (notes->drums > 0) {
    add(text, "%s%" PRIu64 " on channel 10, the drums (--channel omni plays them)", between, notes->drums);
    between = ", ";
  }
  if (notes->off > 0) {
    add(text, "%snone on channel %d (--channel), the song has them on", between, options->channel);
    const char* comma = " ";
    for (int channel = 0; channel < CHANNELS; channel++) {
      if (notes->channels >> channel & 1u) {
        add(text, "%s%d", comma, channel + 1);
        comma = ", ";
      }
    }
    between = ", ";
  }
  if (notes->beyond > 0) {
    add(text, "%s%" PRIu64 " beyond the keyboard (--transpose %d)", between, notes->beyond, options->transpose);
    between = ", ";
  }
  if (notes->late > 0) {
    add(text, "%s%" PRIu64 " after --end", between, notes->late);
  }
  return text;
}
