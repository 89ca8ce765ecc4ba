#include "midi_dump.h"

#include "json.h"
#include "midi_words.h"
#include "song_file.h"

#include "hertzian/midi/sysex.h"

#include <stdio.h>
#include <string.h>

enum { TEXT = 256 }; // of a line: what is dialled in may be longer, and is cut

static void say(void* user, htz_log_level level, const char* line) {
  htz_log_say(user, level, "%s", line);
}

static void words_of(const htz_smf* song, const htz_smf_event* event, char text[TEXT]) {
  const htz_midi_message m = {
      .status = event->status, .data1 = event->data1, .data2 = event->data2, .length = event->length, .value = event->value};
  char plain[HTZ_MIDI_WORDS];
  snprintf(text, TEXT, "%s", htz_midi_words(&m, plain));
  if (htz_midi_is_dial(event->status, event->data1)) {
    const htz_smf_dial dial = htz_smf_dial_at(song, event->value);
    const size_t used = strlen(text);
    snprintf(text + used, TEXT - used, "     %.*s", (int)(dial.size < TEXT ? dial.size : TEXT), dial.text);
    for (char* at = text; *at; at++) { // whoever has written it
      *at = (unsigned char)*at < ' ' || *at == 0x7F ? '?' : *at;
    }
  }
}

int htz_midi_dump(const htz_options* options, const char* path) {
  htz_smf* song = NULL;
  htz_smf_iter* events = NULL;
  htz_smf_event event;
  uint32_t damage = 0;
  const int code = htz_song_load(path, options, say, options->log, &song, &damage);
  if (code) {
    return code;
  }
  if (htz_smf_iter_new(song, NULL, &events)) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    htz_smf_free(song);
    return HTZ_EXIT_INTERNAL;
  }
  while (!ferror(stdout) && htz_smf_iter_next(events, &event)) {
    char text[TEXT];
    const double at_s = htz_smf_seconds(song, event.time);
    words_of(song, &event, text);
    if (options->json) {
      printf("{\"time_s\": ");
      htz_json_number(stdout, at_s, 6);
      printf(", \"track\": %u, \"status\": %u, \"data1\": %u, \"data2\": %u, \"words\": ", event.track + 1, event.status,
             event.data1, event.data2);
      htz_json_string(stdout, text);
      printf("}\n");
    } else {
      printf("%9.3f  %s\n", at_s, text);
    }
  }
  htz_smf_iter_free(events);
  htz_smf_free(song);
  return fflush(stdout) == 0 ? HTZ_EXIT_DONE : HTZ_EXIT_OUTPUT;
}
