#include "hertzian/io/wav_head.h"

#include <stdlib.h>
#include <string.h>

enum {
  CHUNK = 8,    // a chunk's name and size
  SIZES = 28,   // body of ds64, or of the JUNK in its place
  FORMAT = 16,  // body of fmt
  FACT = 4,     // body of fact
  FLOAT = 3,    // WAVE_FORMAT_IEEE_FLOAT
  BYTES = 4,    // of a sample
  POINT = 24,   // an entry of a cue chunk
  LABEL_ID = 4, // before a label's text
};

static uint8_t* put_name(uint8_t* at, const char* name) {
  memcpy(at, name, 4);
  return at + 4;
}

static uint8_t* put(uint8_t* at, uint64_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    *at++ = (uint8_t)(value >> 8 * i);
  }
  return at;
}

static uint32_t clip(uint64_t value) {
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX; // all ones: what ds64 says
}

void htz_wav_head(uint8_t head[HTZ_WAV_HEAD], unsigned rate_hz, unsigned channels, uint64_t frames, uint64_t behind) {
  const unsigned block = channels * BYTES;
  const uint64_t data = frames * block;
  const uint64_t form = HTZ_WAV_HEAD - CHUNK + data + behind;
  const int is_long = form > UINT32_MAX - 1;
  uint8_t* at = put_name(head, is_long ? "RF64" : "RIFF");
  at = put_name(put(at, is_long ? UINT32_MAX : form, 4), "WAVE");
  at = put(put_name(at, is_long ? "ds64" : "JUNK"), SIZES, 4);
  memset(at, 0, SIZES);
  if (is_long) {
    put(put(put(at, form, 8), data, 8), frames, 8);
  }
  at = put(put_name(at + SIZES, "fmt "), FORMAT, 4);
  at = put(put(put(at, FLOAT, 2), channels, 2), rate_hz, 4);
  at = put(put(put(at, (uint64_t)rate_hz * block, 4), block, 2), 8 * BYTES, 2);
  at = put(put(put_name(at, "fact"), FACT, 4), clip(frames), 4);
  put(put_name(at, "data"), is_long ? UINT32_MAX : data, 4);
}

static size_t label_size(const htz_wav_mark* mark) {
  const size_t size = strlen(mark->label) + 1;
  return size + size % 2;
}

size_t htz_wav_marks(const htz_wav_mark* marks, size_t n, uint8_t** out) {
  size_t points = 0, labels = 0;
  *out = NULL;
  for (size_t i = 0; i < n; i++) {
    const int fits = marks[i].frame <= UINT32_MAX;
    points += fits ? 1 : 0;
    labels += fits ? CHUNK + LABEL_ID + label_size(&marks[i]) : 0;
  }
  const size_t cue = 4 + points * POINT, list = 4 + labels;
  const size_t size = CHUNK + cue + CHUNK + list;
  uint8_t* bytes = points > 0 ? calloc(1, size) : NULL;
  if (!bytes) {
    return 0;
  }
  uint8_t* at = put(put(put_name(bytes, "cue "), cue, 4), points, 4);
  uint32_t number = 0;
  for (size_t i = 0; i < n; i++) {
    if (marks[i].frame <= UINT32_MAX) {
      at = put(put(at, ++number, 4), marks[i].frame, 4);
      at = put(put_name(at, "data"), 0, 8); // chunk and block start: there is one data chunk
      at = put(at, marks[i].frame, 4);
    }
  }
  at = put_name(put(put_name(at, "LIST"), list, 4), "adtl");
  number = 0;
  for (size_t i = 0; i < n; i++) {
    if (marks[i].frame <= UINT32_MAX) {
      const size_t text = label_size(&marks[i]);
      // Without the byte that makes it even.
      at = put(put(put_name(at, "labl"), LABEL_ID + strlen(marks[i].label) + 1, 4), ++number, 4);
      memcpy(at, marks[i].label, strlen(marks[i].label));
      at += text;
    }
  }
  *out = bytes;
  return size;
}
