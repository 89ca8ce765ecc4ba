#include "played.h"

#include "hertzian/midi/bytes.h"
#include "hertzian/midi/sysex.h"

#include <stdlib.h>
#include <string.h>

enum { most = 4096 }; // messages compared in one run

static size_t feed_all(const uint8_t* data, size_t size, int inserted, htz_midi_message* out) {
  htz_midi_parser parser;
  htz_midi_message message;
  size_t count = 0;
  htz_midi_parser_init(&parser);
  for (size_t i = 0; i < size; ++i) {
    for (bool more = htz_midi_parser_feed(&parser, data[i], i, &message); more;
         more = htz_midi_parser_more(&parser, i, &message)) {
      out[count] = message;
      count += count < most;
    }
    if (inserted >= 0) {
      fuzz_require(!htz_midi_parser_feed(&parser, (uint8_t)inserted, i, &message));
    }
  }
  return count;
}

static void require_valid(const htz_midi_message* message) {
  if (message->status == HTZ_MIDI_RESET) {
    fuzz_require(message->length == 1 && message->data1 == 0 && message->data2 == 0);
    return;
  }
  fuzz_require(message->status >= 0x80 && message->status <= HTZ_MIDI_SYSTEM);
  fuzz_require(message->data1 < 0x80 && message->data2 < 0x80);
  if (message->status == HTZ_MIDI_SYSTEM) {
    uint32_t octave[12] = {0};
    uint8_t bytes[HTZ_SYSEX_WRITTEN];
    fuzz_require(message->data1 <= HTZ_SYSTEM_OCTAVE && htz_sysex_write(message, octave, bytes) <= sizeof bytes);
    return;
  }
  fuzz_require(message->length == 1 + htz_midi_data_length(message->status));
  fuzz_require((message->status & 0xF0) != HTZ_MIDI_NOTE_ON || message->data2 > 0);
}

static bool same(const htz_midi_message* a, const htz_midi_message* b) {
  return a->frame == b->frame && a->status == b->status && a->data1 == b->data1 && a->data2 == b->data2 &&
         a->length == b->length && a->value == b->value;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static htz_midi_message plain[most + 1];
  static htz_midi_message other[most + 1];
  const size_t count = feed_all(data, size, -1, plain);
  for (size_t i = 0; i < count; ++i) {
    require_valid(&plain[i]);
  }
  // Clock bytes between any two bytes change nothing.
  fuzz_require(feed_all(data, size, 0xF8, other) == count);
  for (size_t i = 0; i < count; ++i) {
    fuzz_require(same(&plain[i], &other[i]));
  }
  // Taken as spans of uneven size with little room, the messages are the same.
  htz_midi_parser parser;
  size_t made_in_all = 0;
  htz_midi_parser_init(&parser);
  for (size_t at = 0; at < size;) {
    const size_t length = 1 + data[at] % 7 < size - at ? 1 + data[at] % 7U : size - at;
    size_t made = 0;
    const size_t taken = htz_midi_parser_feed_span(&parser, data + at, length, 0, other, 2, &made);
    fuzz_require((taken > 0 || made > 0) && taken <= length && made <= 2);
    for (size_t i = 0; i < made && made_in_all + i < count; ++i) {
      other[i].frame = plain[made_in_all + i].frame;
      fuzz_require(same(&plain[made_in_all + i], &other[i]));
    }
    made_in_all += made;
    at += taken;
  }
  while (htz_midi_parser_more(&parser, 0, other)) {
    made_in_all++;
  }
  fuzz_require(count == (made_in_all < most ? made_in_all : most));
  // Whatever came before, a message that begins with its status is understood.
  static const uint8_t note[] = {0x95, 60, 100};
  bool heard = false;
  for (size_t i = 0; i < sizeof note; ++i) {
    heard = htz_midi_parser_feed(&parser, note[i], size, other);
  }
  fuzz_require(heard && other[0].status == 0x95 && other[0].data1 == 60 && other[0].data2 == 100 && other[0].frame == size);
  return 0;
}
