#include "smf_private.h"

#include "hertzian/midi/bytes.h"
#include "hertzian/midi/sysex.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
  first_room = 64,          // items of a growing array to begin with
  first_read = 64 * 1024,   // [byte] read from a stream to begin with
  program_word_bits = 32,   // of htz_smf_info.programs
  sustain = 64,             // controllers that hold notes
  sostenuto = 66,           //
  all_sound_off = 120,      // controllers that end notes
  reset_controllers = 121,  //
  first_mode_message = 123, // all notes off; the four above imply it
};

static void write_text(htz_smf_diag* diag, size_t offset, const char* format, va_list args, bool with_offset) {
  int used = 0;
  diag->offset = offset;
  if (with_offset) {
    used = snprintf(diag->text, sizeof diag->text, "byte %zu: ", offset);
  }
  vsnprintf(diag->text + used, sizeof diag->text - (size_t)used, format, args);
}

void htz_smf_damage(htz_smf* smf, htz_smf_diag* diag, size_t offset, const char* format, ...) {
  if (smf->info.damage++ == 0) {
    va_list args;
    va_start(args, format);
    write_text(diag, offset, format, args, true);
    va_end(args);
  }
}

htz_status htz_smf_refuse(htz_smf_diag* diag, size_t offset, const char* format, ...) {
  va_list args;
  va_start(args, format);
  write_text(diag, offset, format, args, false);
  va_end(args);
  return HTZ_BAD_INPUT;
}

void* htz_smf_grow(void* items, size_t* room, size_t count, size_t item) {
  if (count < *room) {
    return items;
  }
  const size_t wanted = *room ? 2 * *room : first_room;
  void* grown = wanted > SIZE_MAX / item ? NULL : realloc(items, wanted * item);
  if (grown) {
    *room = wanted;
  }
  return grown;
}

/* Notes and programs as they stand while a song is counted. */
typedef struct {
  uint8_t program[HTZ_SMF_CHANNELS];
  uint16_t sustain, sostenuto; // bit c: channel c's pedal is not up
} survey_state;

static void survey_control(htz_smf_info* info, survey_state* state, unsigned channel, const htz_smf_event* event) {
  const uint16_t bit = (uint16_t)(1U << channel);
  const uint16_t others = (uint16_t)~bit;
  const uint16_t set = event->data2 > 0 ? bit : 0;
  if (event->data1 == sustain) {
    state->sustain = (uint16_t)((state->sustain & others) | set);
  } else if (event->data1 == sostenuto) {
    state->sostenuto = (uint16_t)((state->sostenuto & others) | set);
  } else if (event->data1 == reset_controllers) {
    state->sustain &= others;
    state->sostenuto &= others;
  } else if (event->data1 == all_sound_off || event->data1 >= first_mode_message) {
    memset(info->held[channel], 0, sizeof info->held[channel]);
  }
}

static void survey_event(htz_smf_info* info, survey_state* state, const htz_smf_event* event) {
  const unsigned channel = event->status & HTZ_MIDI_CHANNEL_MASK;
  const unsigned program = state->program[channel];
  uint32_t* held = info->held[channel];
  const bool reset = event->status == HTZ_MIDI_RESET || (event->status == HTZ_MIDI_SYSTEM && event->data1 == HTZ_SYSTEM_RESET);
  ++info->events;
  info->last_event = event->time;
  info->dials += htz_midi_is_dial(event->status, event->data1);
  if (reset) {
    memset(info->held, 0, sizeof info->held);
    *state = (survey_state){0};
    return;
  }
  switch (event->status & HTZ_MIDI_KIND_MASK) {
  case HTZ_MIDI_NOTE_ON:
    ++info->notes;
    ++held[event->data1];
    info->channels_with_notes |= (uint16_t)(1U << channel);
    info->programs[channel][program / program_word_bits] |= UINT32_C(1) << program % program_word_bits;
    break;
  case HTZ_MIDI_NOTE_OFF:
    held[event->data1] -= held[event->data1] > 0 ? 1 : 0;
    break;
  case HTZ_MIDI_PROGRAM:
    state->program[channel] = event->data1;
    info->changes[event->data1 / program_word_bits] |= UINT32_C(1) << event->data1 % program_word_bits;
    break;
  case HTZ_MIDI_CONTROL:
    survey_control(info, state, channel, event);
    break;
  default:
    break;
  }
}

/* Count what will be played, by playing it. */
static htz_status survey(htz_smf* smf) {
  htz_smf_iter* iter = NULL;
  htz_smf_event event;
  survey_state state = {0};
  const htz_status status = htz_smf_iter_new(smf, NULL, &iter);
  if (status) {
    return status;
  }
  while (htz_smf_iter_next(iter, &event)) {
    survey_event(&smf->info, &state, &event);
  }
  htz_smf_iter_free(iter);
  smf->info.pedals_down = state.sustain | state.sostenuto;
  for (int channel = 0; channel < HTZ_SMF_CHANNELS; ++channel) {
    for (int key = 0; key < HTZ_SMF_KEYS; ++key) {
      smf->info.missing_offs += smf->info.held[channel][key];
    }
  }
  return HTZ_OK;
}

htz_status htz_smf_adopt(uint8_t* bytes, size_t size, htz_smf** out, htz_smf_diag* diag) {
  *out = NULL;
  *diag = (htz_smf_diag){0};
  htz_smf* smf = calloc(1, sizeof *smf);
  if (!smf) {
    free(bytes);
    return HTZ_NO_MEMORY;
  }
  smf->bytes = bytes;
  smf->size = size;
  htz_status status = htz_smf_scan(smf, diag);
  if (!status) {
    status = htz_smf_build_tempos(smf, diag);
  }
  if (!status) {
    status = survey(smf);
  }
  if (status) {
    htz_smf_free(smf);
    return status;
  }
  if (smf->info.damage > 1) {
    const size_t used = strlen(diag->text);
    snprintf(diag->text + used, sizeof diag->text - used, " (and %u more)", smf->info.damage - 1);
  }
  *out = smf;
  return HTZ_OK;
}

htz_status htz_smf_load(const void* data, size_t size, htz_smf** out, htz_smf_diag* diag) {
  *out = NULL;
  *diag = (htz_smf_diag){0};
  uint8_t* bytes = malloc(size ? size : 1);
  if (!bytes) {
    return HTZ_NO_MEMORY;
  }
  if (size) {
    memcpy(bytes, data, size);
  }
  return htz_smf_adopt(bytes, size, out, diag);
}

htz_status htz_smf_load_stream(FILE* stream, htz_smf** out, htz_smf_diag* diag) {
  uint8_t* bytes = NULL;
  size_t room = 0;
  size_t size = 0;
  *out = NULL;
  *diag = (htz_smf_diag){0};
  while (!feof(stream) && size <= HTZ_SMF_MAX_BYTES) {
    if (size == room) {
      room = room ? 2 * room : first_read;
      uint8_t* grown = realloc(bytes, room);
      if (!grown) {
        free(bytes);
        return HTZ_NO_MEMORY;
      }
      bytes = grown;
    }
    errno = 0;
    size += fread(bytes + size, 1, room - size, stream);
    if (ferror(stream)) {
      const int reason = errno ? errno : EIO;
      snprintf(diag->text, sizeof diag->text, "cannot be read: %s", strerror(reason));
      free(bytes);
      return htz_status_of_errno(reason, HTZ_IO);
    }
  }
  if (size > HTZ_SMF_MAX_BYTES) {
    free(bytes);
    return htz_smf_refuse(diag, 0, "larger than %d MiB", HTZ_SMF_MAX_BYTES / (1024 * 1024));
  }
  return htz_smf_adopt(bytes, size, out, diag);
}

htz_status htz_smf_load_file(const char* path, htz_smf** out, htz_smf_diag* diag) {
  *out = NULL;
  *diag = (htz_smf_diag){0};
  FILE* stream = fopen(path, "rb");
  if (!stream) {
    const int reason = errno;
    snprintf(diag->text, sizeof diag->text, "cannot be opened: %s", strerror(reason));
    return reason == ENOENT || reason == ENOTDIR ? HTZ_NOT_FOUND : htz_status_of_errno(reason, HTZ_IO);
  }
  const htz_status status = htz_smf_load_stream(stream, out, diag);
  fclose(stream);
  return status;
}

void htz_smf_free(htz_smf* smf) {
  if (smf) {
    free(smf->bytes);
    free(smf->tracks);
    free(smf->tempos);
    free(smf->sequences);
    free(smf->mends);
    free(smf);
  }
}

const htz_smf_info* htz_smf_get_info(const htz_smf* smf) {
  return &smf->info;
}
