#include "osc.h"

#include <math.h>
#include <string.h>

enum { WORD = 4, TIME = 8 };

// Where reading stands.
typedef struct {
  const uint8_t* at;
  size_t left;
} reader;

static uint32_t word_at(const uint8_t* bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static const uint8_t* take(reader* r, size_t n) {
  const uint8_t* at = r->at;
  const size_t padded = (n + WORD - 1) / WORD * WORD;
  if (n > r->left || padded > r->left) {
    return NULL;
  }
  r->at += padded;
  r->left -= padded;
  return at;
}

// A string with its zero, padded to whole words.
static const char* take_string(reader* r) {
  const uint8_t* end = r->left ? memchr(r->at, '\0', r->left) : NULL;
  return end ? (const char*)take(r, (size_t)(end - r->at) + 1) : NULL;
}

static double whole_64(const uint8_t* bytes) {
  return (double)(int64_t)((uint64_t)word_at(bytes) << 32 | word_at(bytes + WORD));
}

static double float_32(const uint8_t* bytes) {
  const uint32_t bits = word_at(bytes);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static double float_64(const uint8_t* bytes) {
  const uint64_t bits = (uint64_t)word_at(bytes) << 32 | word_at(bytes + WORD);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// @return false when the packet ends within it
static bool take_arg(reader* r, char tag, htz_osc_arg* arg) {
  const uint8_t* bytes = r->at;
  *arg = (htz_osc_arg){.type = 'n'};
  switch (tag) {
  case 'i':
    arg->number = take(r, WORD) ? (double)(int32_t)word_at(bytes) : NAN;
    return r->at != bytes;
  case 'f':
    arg->number = take(r, WORD) ? float_32(bytes) : NAN;
    return r->at != bytes;
  case 'h':
    arg->number = take(r, TIME) ? whole_64(bytes) : NAN;
    return r->at != bytes;
  case 'd':
    arg->number = take(r, TIME) ? float_64(bytes) : NAN;
    return r->at != bytes;
  case 'T':
  case 'F':
    arg->number = tag == 'T';
    return true;
  case 's':
  case 'S':
    arg->type = 's';
    arg->text = take_string(r);
    return arg->text != NULL;
  case 'm':
    arg->type = 'm';
    if (take(r, WORD)) {
      memcpy(arg->midi, bytes, sizeof arg->midi);
    }
    return r->at != bytes;
  case 'b': {
    arg->type = '-';
    return take(r, WORD) && take(r, word_at(bytes));
  }
  case 'c':
  case 'r':
    arg->type = '-';
    return take(r, WORD) != NULL;
  case 't':
    arg->type = '-';
    return take(r, TIME) != NULL;
  default: // nil, impulse, brackets of arrays: nothing stands for them
    arg->type = '-';
    return strchr("NI[]", tag) != NULL;
  }
}

static bool read_message(reader* r, htz_osc_hear hear, void* context) {
  htz_osc_message message = {.address = take_string(r)};
  if (!message.address || message.address[0] != '/') {
    return false;
  }
  const char* tags = r->left > 0 ? take_string(r) : ","; // old senders leave them out
  if (!tags || tags[0] != ',') {
    return false;
  }
  for (const char* tag = tags + 1; *tag; tag++) {
    htz_osc_arg arg;
    if (!take_arg(r, *tag, &arg)) {
      return false;
    }
    if (message.n < HTZ_OSC_ARGS && arg.type != '-') {
      message.arg[message.n++] = arg;
    }
  }
  hear(context, &message);
  return true;
}

static bool read_packet(reader r, unsigned depth, htz_osc_hear hear, void* context) {
  static const char bundle[] = "#bundle";
  if (r.left < sizeof bundle || memcmp(r.at, bundle, sizeof bundle) != 0) {
    return read_message(&r, hear, context);
  }
  if (depth == HTZ_OSC_DEPTH || !take(&r, sizeof bundle) || !take(&r, TIME)) {
    return false;
  }
  while (r.left > 0) {
    const uint8_t* size = take(&r, WORD);
    const uint8_t* inside = size ? take(&r, word_at(size)) : NULL;
    if (!inside || !read_packet((reader){inside, word_at(size)}, depth + 1, hear, context)) {
      return false;
    }
  }
  return true;
}

bool htz_osc_read(const uint8_t* packet, size_t size, htz_osc_hear hear, void* context) {
  return read_packet((reader){packet, size}, 0, hear, context);
}
