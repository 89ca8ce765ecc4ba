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

void htz_history_name_part(htz_history* h, htz_midi_message* m) {
  char text[HTZ_DIAL_WORDS];
  if (!htz_history_is_dial(m) || (m->data2 != HTZ_SAID_SILENCE && m->data2 != HTZ_SAID_FREE)) {
    return;
  }
  const htz_role* role = &h->desc.live->orchestra->role[m->value / HTZ_MIDI_CHANNELS];
  htz_dial_text(m->data2 == HTZ_SAID_FREE ? "free" : "silence", role, m->value % HTZ_MIDI_CHANNELS, text);
  m->value = append(&h->parted, text) ? h->parted_from + (uint32_t)h->parted.n : 0;
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
    found = m->value > h->parted_from && m->value - h->parted_from <= h->parted.n;
    snprintf(text, HTZ_DIAL_WORDS, "%s", found ? h->parted.of[m->value - h->parted_from - 1] : "");
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

static const char song_word[] = "song";

static bool begins_with(const char* text, const char* word) {
  return strncmp(text, word, strlen(word)) == 0;
}

// What is said without whose song it is; empty: a song begins.
static const char* plain(const char* text) {
  const size_t n = sizeof song_word - 1;
  while (begins_with(text, song_word) && (text[n] == ' ' || text[n] == '\0')) {
    text += text[n] ? n + 1 : n;
  }
  return text;
}

static bool sets(const char* text) {
  return begins_with(plain(text), "set ");
}

// Of the same author, whichever time the file was read.
static bool is_same_choice(const char* text, const char* other) {
  const char *a = plain(text), *b = plain(other);
  const bool choice = begins_with(a, "instrument ") || begins_with(a, "again ");
  if (!choice || a - text != b - other) {
    return false;
  }
  const size_t n = strcspn(a, " ") + 1, channels = strcspn(a + n, ". ");
  const char *name = strchr(a + n, ' '), *other_name = strncmp(a, b, n + channels) == 0 ? strchr(b + n, ' ') : NULL;
  return name && other_name && strcspn(b + n, ". ") == channels && strcmp(name, other_name) == 0;
}

// A choice that is made again holds no longer unless something was set in between; nor do two beginnings of songs with nothing of songs
// between them mean more than one.
static bool is_taken_up(const htz_history_words* words, size_t at) {
  const bool begins = strcmp(words->of[at], song_word) == 0;
  for (size_t later = at + 1; later < words->n; later++) {
    const char* text = words->of[later];
    if (begins ? strcmp(text, song_word) == 0 : is_same_choice(words->of[at], text)) {
      return true;
    }
    if (begins ? begins_with(text, song_word) : sets(text)) {
      return false;
    }
  }
  return false;
}

// What a later line of the same author sets is not set by earlier ones any more. Other instruments stay: what is set after one is set on
// it, too; and so do the beginnings of songs, which may have undone what was chosen before them.
static void replace(htz_history_words* words, const char* text) {
  static const char set[] = "set ";
  const char* line = plain(text);
  if (sets(text)) {
    const size_t length = (size_t)(line - text) + sizeof set + strcspn(line + sizeof set - 1, " ");
    for (size_t i = 0; i < words->n;) {
      if (strncmp(words->of[i], text, length) == 0) {
        drop(words, i, 1);
      } else {
        i++;
      }
    }
  }
  append(words, text); // without memory: a file without its lead-in has it not
  for (size_t i = 0; i < words->n;) {
    if (is_taken_up(words, i)) {
      drop(words, i, 1);
    } else {
      i++;
    }
  }
}

void htz_history_forget_dial(htz_history* h, const htz_midi_message* m) {
  char text[HTZ_DIAL_WORDS];
  if (!htz_history_is_dial(m) || !words_of(h, m, text)) {
    return;
  }
  if (m->data2 == HTZ_SAID_ORDER || m->data2 == HTZ_SAID_SONG || m->data2 == HTZ_SAID_BEGIN) {
    replace(&h->dialled, text);
  }
  if (m->data2 == HTZ_SAID_SILENCE || m->data2 == HTZ_SAID_FREE) {
    const uint32_t n = m->value - h->parted_from;
    drop(&h->parted, 0, n);
    h->parted_from += n;
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
  htz_history_words* all[] = {&h->said, &h->dialled, &h->parted};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    drop(all[i], 0, all[i]->n);
    free(all[i]->of);
  }
}
