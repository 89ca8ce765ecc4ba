#include "smf_private.h"

#include "hertzian/midi/sysex.h"

#include <stdlib.h>

/* One track and the event it plays next. */
typedef struct {
  htz_smf_cursor cursor; // after that event
  uint32_t track;
  uint8_t status, data1, data2, length;
  uint32_t value;
  const uint8_t* sysex; // whose messages come one by one
  size_t sysex_size, told, to_tell;
} voice;

struct htz_smf_iter {
  const htz_smf* smf;
  htz_smf_clock clock;
  size_t sequence; // the one being played
  size_t tempo;    // in force, of the whole song's
  size_t active;   // voices in the heap
  voice* heap;     // the earliest event first
};

static void take_system(voice* v) {
  const htz_midi_message message = htz_sysex_message(v->sysex, v->sysex_size, v->told++);
  v->status = message.status;
  v->data1 = message.data1;
  v->data2 = message.data2;
  v->length = message.length;
  v->value = message.value;
}

/* Go on to the next message of a track. @return false when there is none */
static bool refill(const htz_smf* smf, voice* v) {
  while (true) {
    if (v->told < v->to_tell) {
      take_system(v);
      return true;
    }
    const htz_smf_raw raw = htz_smf_walk(smf, &v->cursor);
    if (raw.kind == HTZ_SMF_EXHAUSTED || raw.kind == HTZ_SMF_FAULT || raw.kind == HTZ_SMF_TRACK_END) {
      return false;
    }
    if (raw.kind == HTZ_SMF_SYSEX) {
      v->sysex = raw.sysex;
      v->sysex_size = raw.sysex_size;
      v->told = 0;
      v->to_tell = htz_sysex_count(raw.sysex, raw.sysex_size);
    }
    if (raw.kind == HTZ_SMF_DIAL) {
      v->status = HTZ_MIDI_SYSTEM;
      v->data1 = HTZ_SYSTEM_DIAL;
      v->data2 = 0;
      v->length = 1;
      v->value = (uint32_t)raw.dial_at; // a song has no more than 256 MiB
      return true;
    }
    if (raw.kind == HTZ_SMF_CHANNEL) {
      v->value = 0;
      v->status = raw.status;
      v->data1 = raw.data1;
      v->data2 = raw.data2;
      v->length = raw.length;
      return true;
    }
  }
}

static bool before(const voice* a, const voice* b) {
  return a->cursor.tick != b->cursor.tick ? a->cursor.tick < b->cursor.tick : a->track < b->track;
}

static void sift_down(htz_smf_iter* iter, size_t at) {
  const voice moved = iter->heap[at];
  while (true) {
    size_t child = 2 * at + 1;
    if (child >= iter->active) {
      break;
    }
    if (child + 1 < iter->active && before(&iter->heap[child + 1], &iter->heap[child])) {
      ++child;
    }
    if (!before(&iter->heap[child], &moved)) {
      break;
    }
    iter->heap[at] = iter->heap[child];
    at = child;
  }
  iter->heap[at] = moved;
}

static void begin_sequence(htz_smf_iter* iter) {
  const htz_smf_sequence* sequence = &iter->smf->sequences[iter->sequence];
  iter->tempo = sequence->first_tempo;
  iter->active = 0;
  for (size_t i = 0; i < sequence->tracks; ++i) {
    const size_t number = sequence->first_track + i;
    const htz_smf_track* track = &iter->smf->tracks[number];
    voice v = {.cursor = {.at = track->begin, .end = track->end}, .track = (uint32_t)number};
    if (refill(iter->smf, &v)) {
      iter->heap[iter->active++] = v;
    }
  }
  for (size_t i = iter->active / 2; i-- > 0;) {
    sift_down(iter, i);
  }
}

htz_status htz_smf_iter_new(const htz_smf* smf, const htz_smf_clock* clock, htz_smf_iter** out) {
  static const htz_smf_clock one_to_one = {.frames = 1, .units = 1};
  *out = NULL;
  htz_smf_iter* iter = calloc(1, sizeof *iter);
  voice* heap = calloc(smf->info.format == 2 ? 1 : smf->track_count, sizeof *heap);
  if (!iter || !heap) {
    free(iter);
    free(heap);
    return HTZ_NO_MEMORY;
  }
  *iter = (htz_smf_iter){.smf = smf, .clock = clock ? *clock : one_to_one, .heap = heap};
  begin_sequence(iter);
  *out = iter;
  return HTZ_OK;
}

/* Exact time of a tick not before any asked for in this sequence. */
static uint64_t time_of(htz_smf_iter* iter, uint64_t tick) {
  const htz_smf_sequence* sequence = &iter->smf->sequences[iter->sequence];
  const htz_smf_tempo* tempos = iter->smf->tempos;
  const size_t last = sequence->first_tempo + sequence->tempos - 1;
  while (iter->tempo < last && tempos[iter->tempo + 1].tick <= tick) {
    ++iter->tempo;
  }
  return tempos[iter->tempo].time + (tick - tempos[iter->tempo].tick) * tempos[iter->tempo].per_tick;
}

bool htz_smf_iter_next(htz_smf_iter* iter, htz_smf_event* event) {
  const htz_smf* smf = iter->smf;
  while (iter->active == 0 || iter->heap[0].cursor.tick > smf->sequences[iter->sequence].last_tick) {
    iter->active = 0;
    if (iter->sequence + 1 >= smf->sequence_count) {
      return false;
    }
    ++iter->sequence;
    begin_sequence(iter);
  }
  voice* next = &iter->heap[0];
  const uint64_t time = time_of(iter, next->cursor.tick);
  *event = (htz_smf_event){
      .time = time,
      .frame = htz_smf_frame_of(&iter->clock, time),
      .track = next->track,
      .status = next->status,
      .data1 = next->data1,
      .data2 = next->data2,
      .length = next->length,
      .value = next->value,
  };
  if (!refill(smf, next)) {
    *next = iter->heap[--iter->active];
  }
  if (iter->active > 0) {
    sift_down(iter, 0);
  }
  return true;
}

void htz_smf_iter_free(htz_smf_iter* iter) {
  if (iter) {
    free(iter->heap);
    free(iter);
  }
}
