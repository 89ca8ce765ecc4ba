#ifndef HTZ_TEST_FAKE_ENGINE_H
#define HTZ_TEST_FAKE_ENGINE_H

#include "check.h"

#include "hertzian/engine/engine.h"

/*
   The map alone: the engine's entries are replaced by ones that write down what they were asked, in order.
*/
typedef enum { STRIKE, HOLD, RELEASE, SILENCE, CHANGE } call_kind;

typedef struct {
  call_kind kind;
  uint32_t part, key;
  double value;   // velocity, or the parameter's value
  uint32_t index; // parameter
  int only;       // of a change: the one key it is for, or HTZ_KEY_ALL
  uint64_t frame;
} call;

enum { CALLS_MAX = 4096 };

struct htz_engine {
  size_t n;
  bool sounds[HTZ_KEYS]; // what it says of its keys
  call calls[CALLS_MAX];
};

static void note(htz_engine* engine, call c) {
  assert_true(engine->n < CALLS_MAX);
  engine->calls[engine->n++] = c;
}

void htz_engine_strike(htz_engine* engine, uint32_t part, uint32_t key, double velocity, uint64_t frame) {
  note(engine, (call){.kind = STRIKE, .part = part, .key = key, .value = velocity, .frame = frame});
}

void htz_engine_hold(htz_engine* engine, uint32_t part, uint32_t key, bool down, uint64_t frame) {
  note(engine, (call){.kind = down ? HOLD : RELEASE, .part = part, .key = key, .frame = frame});
}

void htz_engine_release(htz_engine* engine, uint32_t part, uint32_t key, double velocity, uint64_t frame) {
  note(engine, (call){.kind = RELEASE, .part = part, .key = key, .value = velocity, .frame = frame});
}

void htz_engine_silence(htz_engine* engine, uint32_t part, uint64_t frame) {
  note(engine, (call){.kind = SILENCE, .part = part, .frame = frame});
}

void htz_engine_change(htz_engine* engine, const htz_param_change* change) {
  note(engine, (call){.kind = CHANGE,
                      .part = change->part,
                      .index = change->index,
                      .value = change->value,
                      .frame = change->frame,
                      .only = change->key});
}

bool htz_engine_sounds(const htz_engine* engine, uint32_t part, uint32_t key) {
  (void)part;
  return engine->sounds[key];
}

#endif
