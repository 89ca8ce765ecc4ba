// The library's interface: what is described, events to the sample, blocks of any size, refusals.
#include "check.h"

#include "hertzian/hertzian.h"
#include "hertzian/instrument/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000.0;

enum { FRAMES = 9600 };
static float sound[2 * FRAMES], again[2 * FRAMES];

static htz_model* load(const char* name) {
  char path[1024];
  htz_fault fault = {0};
  snprintf(path, sizeof path, "%s/%s", HTZ_SOURCE_DIR, name);
  htz_model* model = htz_model_load(path, &fault);
  assert_string_equal(fault.text, "");
  assert_non_null(model);
  return model;
}

static htz_synth* synth_for(const htz_model* model, uint32_t block, size_t events) {
  const htz_synth_desc desc = {.rate_hz = rate_hz, .block = block, .events = events};
  htz_synth* synth = htz_synth_new(&desc, NULL);
  assert_non_null(synth);
  htz_synth_part* part = htz_synth_build(synth, model, NULL);
  assert_non_null(part);
  htz_param_info room;
  assert_true(htz_model_find_param(model, "room", &room));
  assert_true(htz_synth_part_set(part, room.number, 0.0));
  assert_int_equal(htz_synth_attach(synth, part, 1), 0);
  return synth;
}

static bool note(htz_synth* synth, uint64_t frame, uint8_t key, uint8_t velocity) {
  const uint8_t bytes[] = {0x90, key, velocity};
  return htz_synth_midi(synth, frame, bytes, sizeof bytes);
}

// Blocks of `block` frames; 0: of sizes that vary.
static void run(htz_synth* synth, uint32_t block, float* out) {
  static const uint32_t sizes[] = {1, 64, 63, 200, 17, 512, 0, 128};
  uint32_t done = 0;
  for (unsigned i = 0; done < FRAMES; i++) {
    uint32_t n = block ? block : sizes[i % (sizeof sizes / sizeof sizes[0])];
    n = n < FRAMES - done ? n : FRAMES - done;
    htz_synth_process(synth, out + 2 * done, out + 2 * done + 1, 2, n);
    done += n;
  }
  assert_int_equal(htz_synth_now(synth), FRAMES);
}

static uint32_t first_sound(const float* samples) {
  uint32_t i = 0;
  while (i < FRAMES && samples[2 * i] == 0.0f && samples[2 * i + 1] == 0.0f) {
    i++;
  }
  return i;
}

static const char bars[] = "tests/fixtures/instruments/damped.yaml";

// A stroke is heard at its frame, later by the latency and nothing else; the sound itself is the same bits.
static void events_are_exact_in_blocks_of_any_size(void** state) {
  (void)state;
  const uint32_t blocks[] = {64, 1, 48, 100, 512, 0};
  htz_model* model = load(bars);
  htz_synth* plain = synth_for(model, 64, 0);
  note(plain, 1234, 60, 100);
  run(plain, 64, sound);
  const uint32_t at = first_sound(sound);
  assert_true(at >= 1234 && at < 1234 + 8); // a body at rest answers from the next frames on
  htz_synth_free(plain);
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    htz_synth* synth = synth_for(model, blocks[i], 0);
    const uint32_t late = htz_synth_latency(synth);
    assert_int_equal(late == 0, blocks[i] % 64 == 0 && blocks[i] > 0);
    assert_true(late < 64);
    note(synth, 1234, 60, 100);
    run(synth, blocks[i], again);
    assert_memory_equal(again + 2 * late, sound, (FRAMES - late) * 2 * sizeof *sound);
    htz_synth_free(synth);
  }
  htz_model_free(model);
}

// An event for a frame not yet asked for is in time, however late it is told.
static void the_last_moment_is_early_enough(void** state) {
  (void)state;
  const uint32_t blocks[] = {1, 48, 100};
  htz_model* model = load(bars);
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    htz_synth* synth = synth_for(model, blocks[i], 0);
    uint64_t told = 0;
    for (uint32_t done = 0; done + blocks[i] <= FRAMES; done += blocks[i]) {
      if (told == 0 && done + blocks[i] > 1234) {
        told = htz_synth_now(synth);
        note(synth, 1234, 60, 100);
      }
      htz_synth_process(synth, again + 2 * done, again + 2 * done + 1, 2, blocks[i]);
    }
    const uint32_t late = htz_synth_latency(synth);
    assert_true(told <= 1234 && told + blocks[i] > 1234);
    assert_memory_equal(again + 2 * late, sound, (FRAMES / 100 * 96 - late) * 2 * sizeof *sound);
    htz_synth_free(synth);
  }
  htz_model_free(model);
}

static void channels_apart_are_the_same_as_interleaved(void** state) {
  (void)state;
  static float left[FRAMES], right[FRAMES];
  htz_model* model = load(bars);
  htz_synth* synth = synth_for(model, 64, 0);
  note(synth, 1234, 60, 100);
  htz_synth_process(synth, left, right, 1, FRAMES);
  for (size_t i = 0; i < FRAMES; i++) {
    assert_true(left[i] == sound[2 * i] && right[i] == sound[2 * i + 1]);
  }
  htz_synth_free(synth);
  htz_model_free(model);
}

// Told in any order, obeyed by frame; those of one frame in the order they were told.
static void events_wait_in_order(void** state) {
  (void)state;
  enum { N = 200 };
  htz_model* model = load(bars);
  htz_synth* one = synth_for(model, 64, 0);
  htz_synth* other = synth_for(model, 64, 0);
  uint32_t random = 7, frame[N];
  for (uint32_t i = 0; i < N; i++) {
    random = random * 1664525u + 1013904223u;
    frame[i] = random >> 8 & 4095;
  }
  for (uint32_t at = 0; at < 4096; at++) { // by frame
    for (uint32_t i = 0; i < N; i++) {
      if (frame[i] == at) {
        assert_true(note(one, at, (uint8_t)(60 + i % 12), (uint8_t)(20 + i % 100)));
      }
    }
  }
  for (uint32_t i = 0; i < N; i++) { // as they come
    assert_true(note(other, frame[i], (uint8_t)(60 + i % 12), (uint8_t)(20 + i % 100)));
  }
  run(one, 64, sound);
  run(other, 64, again);
  assert_int_equal(htz_synth_count(one).notes, N);
  assert_memory_equal(again, sound, sizeof sound);
  htz_synth_free(one);
  htz_synth_free(other);
  htz_model_free(model);
}

static void full_queues_and_wrong_messages_are_refused(void** state) {
  (void)state;
  htz_model* model = load(bars);
  htz_synth* synth = synth_for(model, 64, 4);
  const struct {
    uint8_t bytes[4];
    size_t size;
  } wrong[] = {{{0}, 0},          {{60, 100, 0}, 3},    {{0x90, 60}, 2},      {{0x90, 200, 1}, 3}, {{0x90, 60, 200}, 3},
               {{0xC0, 1, 2}, 3}, {{0xF0, 1, 0xF7}, 3}, {{0x90, 1, 2, 3}, 4}, {{0xFF, 0}, 2},      {{0xF8}, 1}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    assert_false(htz_synth_midi(synth, 0, wrong[i].bytes, wrong[i].size));
  }
  const uint8_t volume[] = {0xF0, 0x7F, 0x7F, 4, 1, 0, 64, 0xF7};
  assert_true(htz_synth_midi(synth, 0, volume, sizeof volume));
  assert_false(htz_synth_midi(synth, 0, volume, sizeof volume - 1));
  float quantum[128];
  htz_synth_process(synth, quantum, quantum + 1, 2, 64);
  assert_int_equal(htz_synth_count(synth).dropped, 0);
  for (unsigned i = 0; i < 4; i++) {
    assert_true(note(synth, 100000 + i, 60, 100));
  }
  assert_false(note(synth, 0, 60, 100));
  assert_int_equal(htz_synth_count(synth).dropped, 1);
  assert_false(htz_synth_silent(synth));
  assert_false(htz_synth_set(synth, 1, 0, 0.0, 0)); // no such part
  assert_false(htz_synth_post(synth, -1, 0, 0.0));
  htz_synth_free(synth);
  htz_model_free(model);
}

// Whatever the blocks, a note that has died away leaves silence that is known to be one.
static void silence_is_known(void** state) {
  (void)state;
  const uint32_t blocks[] = {0, 64, 100};
  htz_model* model = load(bars);
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    htz_synth* synth = synth_for(model, blocks[i], 0);
    const uint8_t off[] = {0x80, 60, 64};
    assert_true(htz_synth_silent(synth));
    note(synth, 0, 60, 100);
    htz_synth_midi(synth, 4800, off, sizeof off);
    assert_false(htz_synth_silent(synth));
    htz_synth_process(synth, again, again + 1, 2, 100);
    assert_false(htz_synth_silent(synth));
    unsigned n = 0;
    for (; n < 10000 && !htz_synth_silent(synth); n++) {
      htz_synth_process(synth, again, again + 1, 2, 100);
    }
    assert_true(n > 48 && n < 10000); // damped, it has died away within a few seconds
    htz_synth_process(synth, again, again + 1, 2, 1000);
    assert_true(first_sound(again) >= 1000);
    htz_synth_free(synth);
  }
  htz_model_free(model);
}

// What failed may be handed on, and what cannot be is refused.
static void calls_in_a_row_and_odd_arguments(void** state) {
  (void)state;
  htz_fault fault = {0};
  htz_model* model = load(bars);
  htz_synth* synth = synth_for(model, 64, 0);
  assert_null(htz_synth_build(synth, NULL, &fault));
  assert_int_equal(fault.kind, HTZ_FAULT_VALUE);
  assert_null(htz_synth_build(NULL, model, &fault));
  assert_int_equal(htz_synth_attach(synth, NULL, 1), -1);
  assert_false(htz_synth_part_set(NULL, 0, 0.0));
  assert_false(htz_synth_midi(synth, 0, NULL, 3));
  htz_synth_part* part = htz_synth_build(synth, model, NULL);
  assert_int_equal(htz_synth_attach(synth, part, 0), -1);
  assert_int_equal(htz_synth_attach(synth, part, 0x10000), -1);
  htz_param_info level;
  assert_true(htz_model_find_param(model, "level", &level));
  assert_true(htz_synth_part_set(part, level.number, level.initial));
  assert_int_equal(htz_synth_attach(synth, part, 2), 1);
  assert_false(htz_synth_part_set(part, level.number, level.initial)); // too late
  assert_true(htz_synth_post(synth, 63, level.number, 0.0));           // ignored: there is no such part
  htz_synth_process(synth, again, again + 1, 2, 64);
  assert_null(htz_model_parse("two\nlines", "x", 1, &fault));
  assert_null(strchr(fault.text, '\n'));
  htz_synth_free(synth);
  htz_model_free(model);
}

static double rms(const float* samples, uint32_t from, uint32_t to) {
  double sum = 0.0;
  for (uint32_t i = 2 * from; i < 2 * to; i++) {
    sum += (double)samples[i] * (double)samples[i];
  }
  return sqrt(sum / (2.0 * (to - from)));
}

// The level parameter by its three ways in: before, at a frame, from another thread.
static void parameters_act(void** state) {
  (void)state;
  htz_param_info level;
  htz_model* model = load(bars);
  assert_true(htz_model_find_param(model, "level", &level));
  assert_string_equal(level.unit, "dB");
  htz_synth* plain = synth_for(model, 64, 0);
  note(plain, 0, 60, 100);
  run(plain, 64, sound);
  htz_synth_free(plain);

  htz_synth* synth = synth_for(model, 64, 0);
  note(synth, 0, 60, 100);
  assert_true(htz_synth_set(synth, 0, level.number, level.initial - 20.0, 4800));
  run(synth, 64, again);
  assert_memory_equal(again, sound, 4800 * 2 * sizeof *sound);
  check_close(rms(again, 7200, FRAMES) / rms(sound, 7200, FRAMES), 0.1, 1e-3);
  htz_synth_free(synth);

  synth = synth_for(model, 64, 0);
  note(synth, 0, 60, 100);
  assert_true(htz_synth_post(synth, 0, level.number, level.initial - 20.0));
  run(synth, 64, again);
  check_close(rms(again, 7200, FRAMES) / rms(sound, 7200, FRAMES), 0.1, 1e-3);
  htz_synth_free(synth);

  const htz_synth_desc desc = {.rate_hz = rate_hz, .block = 64};
  synth = htz_synth_new(&desc, NULL);
  htz_synth_part* part = htz_synth_build(synth, model, NULL);
  assert_false(htz_synth_part_set(part, level.number, level.maximum + 1.0));
  assert_false(htz_synth_part_set(part, 10000, 0.0));
  assert_true(htz_synth_part_set(part, level.number, level.initial - 20.0));
  htz_param_info room;
  assert_true(htz_model_find_param(model, "room", &room));
  assert_true(htz_synth_part_set(part, room.number, 0.0));
  assert_int_equal(htz_synth_attach(synth, part, HTZ_ALL_CHANNELS), 0);
  assert_int_equal(htz_synth_attach(synth, part, HTZ_ALL_CHANNELS), -1); // it has it already
  note(synth, 0, 60, 100);
  run(synth, 64, again);
  check_close(rms(again, 0, FRAMES) / rms(sound, 0, FRAMES), 0.1, 1e-3);
  htz_synth_free(synth);
  htz_model_free(model);
}

static void a_synth_takes_so_many_parts_and_its_own(void** state) {
  (void)state;
  htz_model* model = load(bars);
  const htz_synth_desc desc = {.rate_hz = rate_hz, .block = 64};
  htz_synth* synth = htz_synth_new(&desc, NULL);
  htz_synth* other = htz_synth_new(&desc, NULL);
  for (int i = 0; i < HTZ_SYNTH_PARTS; i++) {
    assert_int_equal(htz_synth_attach(synth, htz_synth_build(synth, model, NULL), 1u << (i % 16)), i);
  }
  htz_synth_part* left_over = htz_synth_build(synth, model, NULL);
  assert_int_equal(htz_synth_attach(other, left_over, 1), -1);
  assert_int_equal(htz_synth_attach(synth, left_over, 1), -1);
  htz_synth_discard(left_over);
  note(synth, 0, 60, 100);
  run(synth, 64, again);
  assert_true(rms(again, 0, FRAMES) > 0.0);
  htz_synth_free(synth);
  htz_synth_free(other);
  htz_model_free(model);
}

static void models_describe_themselves(void** state) {
  (void)state;
  htz_model* model = load("instruments/marimba.yaml");
  const htz_model_info info = htz_model_describe(model);
  assert_string_equal(info.id, "marimba");
  assert_true(strlen(info.about) > 0 && info.key_low < info.key_high && info.n_controls > 0);
  htz_param_info param, found;
  size_t n = 0;
  for (; htz_model_param(model, n, &param); n++) {
    assert_true(htz_model_find_param(model, param.name, &found));
    assert_int_equal(found.number, param.number);
    assert_true(param.minimum < param.maximum);
    assert_true(strlen(param.doc) > 0 && param.unit);
  }
  assert_int_equal(n, info.n_params);
  assert_false(htz_model_find_param(model, "bow.force", &found)); // struck, not bowed
  assert_false(htz_model_find_param(model, NULL, &found));
  htz_control_info control;
  n = 0;
  for (; htz_model_control(model, n, &control); n++) {
    assert_true(control.cc <= 128 && control.low != control.high);
  }
  assert_int_equal(n, info.n_controls);
  htz_model_free(model);
}

static bool count(void* user, const char* id, const char* path) {
  int* left = user;
  assert_true(strlen(id) > 0 && strstr(path, id));
  return --*left > 0;
}

static void installed_models_are_listed(void** state) {
  (void)state;
  int left = 1 << 20;
  const size_t all = htz_model_list(count, &left);
  assert_true(all >= 20);
  left = 3;
  assert_int_equal(htz_model_list(count, &left), 3);
}

static void faults_say_what_and_where(void** state) {
  (void)state;
  htz_fault fault = {0};
  assert_null(htz_model_load("no-such-instrument", &fault));
  assert_int_equal(fault.kind, HTZ_FAULT_FILE);
  assert_true(strlen(fault.text) > 0);
  assert_null(htz_model_load("/no/such/file.yaml", &fault));
  assert_int_equal(fault.kind, HTZ_FAULT_FILE);
  assert_null(htz_model_load(NULL, &fault));
  assert_int_equal(fault.kind, HTZ_FAULT_VALUE);
  const char text[] = "format: 1\nname: x\nnonsense: 3\nmore: 4\n";
  assert_null(htz_model_parse("x", text, sizeof text - 1, &fault));
  assert_int_equal(fault.kind, HTZ_FAULT_CONTENT);
  assert_true(fault.line > 0 && fault.column > 0 && fault.more > 0);
  assert_null(htz_model_parse("x", text, sizeof text - 1, NULL));
  const htz_synth_desc wrong[] = {
      {.rate_hz = 100.0}, {.rate_hz = NAN}, {.rate_hz = 48000.0, .events = SIZE_MAX}, {.rate_hz = 48000.0, .gain_db = NAN}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    assert_null(htz_synth_new(&wrong[i], &fault));
    assert_int_equal(fault.kind, HTZ_FAULT_VALUE);
  }
  assert_null(htz_synth_new(NULL, &fault));
  htz_model_free(NULL);
  htz_synth_free(NULL);
  htz_synth_discard(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_are_exact_in_blocks_of_any_size),
      cmocka_unit_test(the_last_moment_is_early_enough),
      cmocka_unit_test(channels_apart_are_the_same_as_interleaved),
      cmocka_unit_test(events_wait_in_order),
      cmocka_unit_test(full_queues_and_wrong_messages_are_refused),
      cmocka_unit_test(silence_is_known),
      cmocka_unit_test(calls_in_a_row_and_odd_arguments),
      cmocka_unit_test(parameters_act),
      cmocka_unit_test(a_synth_takes_so_many_parts_and_its_own),
      cmocka_unit_test(models_describe_themselves),
      cmocka_unit_test(installed_models_are_listed),
      cmocka_unit_test(faults_say_what_and_where),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
