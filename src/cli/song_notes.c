#include "song_notes.h"

#include "hertzian/midi/bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 16 };

static int compare(const htz_notes_of* a, unsigned channel, unsigned program, unsigned bank) {
  return a->channel != channel   ? a->channel - (int)channel
         : a->program != program ? a->program - (int)program
                                 : a->bank - (int)bank;
}

/** One more note of what the channel is set to. */
static void count_one(htz_notes* notes, const htz_midi_map* map, unsigned channel) {
  const uint8_t program = map->channel[channel].program, bank = htz_midi_map_bank(map, channel);
  size_t at = 0;
  while (at < notes->n_of && compare(&notes->of[at], channel, program, bank) < 0) {
    at++;
  }
  const bool there = at < notes->n_of && compare(&notes->of[at], channel, program, bank) == 0;
  if (!there && notes->n_of == HTZ_NOTES_OF) {
    return; // a song that asks for more is none
  }
  if (!there) {
    memmove(&notes->of[at + 1], &notes->of[at], (notes->n_of++ - at) * sizeof notes->of[0]);
    notes->of[at] = (htz_notes_of){.channel = (uint8_t)channel, .bank = bank, .program = program};
  }
  notes->of[at].notes++;
}

uint16_t htz_song_channels(const htz_options* options, const htz_orchestra* orchestra) {
  // Under MPE channel 10 is a member like the others.
  const bool mute = options->mpe == HTZ_MPE_NONE && !htz_orchestra_drums(orchestra);
  return htz_options_performance(options, (uint16_t)(HTZ_MIDI_OMNI & ~((unsigned)mute << HTZ_DRUM_CHANNEL))).channels;
}

/** Whether the channel is played by kits alone now, whose keys are not transposed. */
static bool by_kit(const htz_orchestra* orchestra, const htz_midi_map* map, unsigned channel) {
  const htz_cast* cast = htz_orchestra_cast(orchestra, channel, htz_midi_map_bank(map, channel), map->channel[channel].program);
  bool kit = true;
  for (unsigned i = 0; i < cast->n; i++) {
    kit = kit && orchestra->role[cast->role[i]].spec->n_kits > 0;
  }
  return kit;
}

htz_status htz_notes_count(const htz_smf* song, const htz_options* options, const htz_orchestra* orchestra,
                           const htz_song_span* span, htz_notes* out) {
  const uint16_t channels = htz_song_channels(options, orchestra);
  const uint64_t end = span->cut ? span->close : UINT64_MAX;
  htz_smf_iter* iter = NULL;
  htz_smf_event event;
  const htz_smf_info* info = htz_smf_get_info(song);
  const htz_performance performance = htz_options_performance(options, channels);
  *out = (htz_notes){.channels = info->channels_with_notes};
  for (unsigned c = 0; c < CHANNELS; c++) {
    out->pedals += (info->pedals_down & channels) >> c & 1u;
  }
  htz_midi_map* map = malloc(sizeof *map); // without parts: it knows what channels are set to
  if (!map) {
    return HTZ_NO_MEMORY;
  }
  htz_performance_begin(&performance, map, NULL);
  const htz_status status = htz_smf_iter_new(song, &span->clock, &iter);
  while (!status && htz_smf_iter_next(iter, &event)) {
    const unsigned kind = event.status & HTZ_MIDI_KIND_MASK, channel = event.status & HTZ_MIDI_CHANNEL_MASK;
    if (kind != HTZ_MIDI_NOTE_ON) {
      const htz_midi_message message = {
          .status = event.status, .data1 = event.data1, .data2 = event.data2, .length = event.length, .value = event.value};
      htz_midi_map_message(map, &message);
      continue;
    }
    const int key = event.data1 + (by_kit(orchestra, map, channel) ? 0 : options->transpose);
    uint64_t* count = &out->played;
    if (!(channels >> channel & 1u)) {
      count = channel == HTZ_DRUM_CHANNEL && options->channel == HTZ_CHANNEL_DEFAULT ? &out->drums : &out->off;
    } else if (key < 0 || key >= HTZ_SMF_KEYS) {
      count = &out->beyond;
    } else if (event.frame >= end) {
      count = &out->late;
    }
    ++*count;
    if (count == &out->played) {
      count_one(out, map, channel);
    }
  }
  htz_smf_iter_free(iter);
  free(map);
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
