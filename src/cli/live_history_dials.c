#include "live_history_private.h"

#include "hertzian/host/dials.h"
#include "hertzian/midi/sysex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was dialled in, on its way into the files: messages carry numbers, the words for them wait here. */

enum { FIRST_ROOM = 16 };

bool htz_history_is_dial(const htz_midi_message* m) {
  return htz_midi_is_dial(m->status, m->data1);
}

static bool append(htz_history_words* words, const char* text) {
  if (words->n == words->room) {
    const size_t room = 2 * words->room + FIRST_ROOM;
    char** grown = realloc(words->of, room * sizeof *grown);
    if (!grown) {
      return false;
    }
    words->of = grown;
    words->room = room;
  }
  char* copy = strdup(text);
  words->of[words->n] = copy;
  words->n += copy != NULL;
  return copy != NULL;
}

static void drop(htz_history_words* words, size_t first, size_t n) {
  for (size_t i = first; i < first + n; i++) {
    free(words->of[i]);
  }
  if (n > 0) {
    memmove(words->of + first, words->of + first + n, (words->n - first - n) * sizeof *words->of);
    words->n -= n;
  }
}

uint32_t htz_history_say(htz_history* h, const char* text) {
  pthread_mutex_lock(&h->lock);
  const bool there = append(&h->said, text);
  const uint32_t number = there ? h->said_from + (uint32_t)h->said.n : 0;
  pthread_mutex_unlock(&h->lock);
  return number;
}

static bool words_of(htz_history* h, const htz_midi_message* m, char text[HTZ_DIAL_WORDS]) {
  const htz_live* live = h->desc.live;
  bool found = true;
  switch ((htz_live_said)m->data2) {
  case HTZ_SAID_ORDER: {
    pthread_mutex_lock(&h->lock);
    const uint32_t at = m->value - h->said_from - 1;
    found = at < h->said.n;
    snprintf(text, HTZ_DIAL_WORDS, "%s", found ? h->said.of[at] : "");
    pthread_mutex_unlock(&h->lock);
    break;
  }
  case HTZ_SAID_SONG:
    found = snprintf(text, HTZ_DIAL_WORDS, "song %s", live->dials->of[m->value].text) < HTZ_DIAL_WORDS;
    break;
  case HTZ_SAID_BEGIN:
    snprintf(text, HTZ_DIAL_WORDS, "song");
    break;
  case HTZ_SAID_SILENCE:
  case HTZ_SAID_FREE:
    htz_dial_text(m->data2 == HTZ_SAID_FREE ? "free" : "silence", live->orchestra, m->value % HTZ_MIDI_CHANNELS,
                  m->value / HTZ_MIDI_CHANNELS, text);
    break;
  }
  return found;
}

void htz_history_put(htz_history* h, htz_smf_writer* writer, const htz_midi_message* m) {
  char text[HTZ_DIAL_WORDS];
  if (!htz_history_is_dial(m)) {
    htz_smf_writer_put(writer, m);
  } else if (words_of(h, m, text)) {
    htz_smf_writer_dial(writer, m->frame, text);
  }
}

// What a later line of the same author sets is not set by earlier ones any more. Instruments stay: what is set after one is set on it,
// too; and so do the beginnings of songs, which may have undone what was chosen before them.
static void replace(htz_history_words* words, const char* text) {
  static const char set[] = "set ", song[] = "song ";
  const char* plain = text;
  while (strncmp(plain, song, sizeof song - 1) == 0) {
    plain += sizeof song - 1;
  }
  if (strncmp(plain, set, sizeof set - 1) == 0) {
    const size_t length = (size_t)(plain - text) + sizeof set + strcspn(plain + sizeof set - 1, " ");
    for (size_t i = 0; i < words->n;) {
      if (strncmp(words->of[i], text, length) == 0) {
        drop(words, i, 1);
      } else {
        i++;
      }
    }
  }
  append(words, text); // without memory: a file without its lead-in has it not
}

void htz_history_forget_dial(htz_history* h, const htz_midi_message* m) {
  char text[HTZ_DIAL_WORDS];
  if (!htz_history_is_dial(m) || !words_of(h, m, text)) {
    return;
  }
  if (m->data2 == HTZ_SAID_ORDER || m->data2 == HTZ_SAID_SONG || m->data2 == HTZ_SAID_BEGIN) {
    replace(&h->dialled, text);
  }
  if (m->data2 == HTZ_SAID_ORDER) {
    pthread_mutex_lock(&h->lock);
    const uint32_t n = m->value - h->said_from;
    drop(&h->said, 0, n);
    h->said_from += n;
    pthread_mutex_unlock(&h->lock);
  }
}

void htz_history_put_dialled(htz_history* h, htz_smf_writer* writer) {
  for (size_t i = 0; i < h->dialled.n; i++) {
    htz_smf_writer_dial(writer, 0, h->dialled.of[i]);
  }
}

void htz_history_free_words(htz_history* h) {
  htz_history_words* both[] = {&h->said, &h->dialled};
  for (size_t i = 0; i < 2; i++) {
    drop(both[i], 0, both[i]->n);
    free(both[i]->of);
  }
}
