// Files that are read again and again while it plays: memory, numbers and what sounds.
#include "live_show.h"

#include "hertzian/host/dials.h"
#include "hertzian/midi/sysex.h"

#include <malloc.h>
#include <stdlib.h>

enum { BLOCK = 2400 };

static const char song[] = "format: 1\nname: two\n"
                           "parts:\n"
                           "- instrument: " HTZ_SOURCE_DIR "/tests/fixtures/instruments/damped.yaml\n"
                           "- instrument: " HTZ_SOURCE_DIR "/tests/fixtures/instruments/damped.yaml\n"
                           "  transpose: 7\n";

// What `hertzian ctl` and the signal do: read it again, and play it on every channel.
static htz_status read_again(show* s, const char* name) {
  uint8_t cast = 0;
  const char* why = NULL;
  const htz_status status = htz_orchestra_add(&s->orchestra, name, htz_orchestra_next_reading(&s->orchestra), &cast, &s->log);
  return status ? status : htz_live_pool_turn(&s->pool, &s->orchestra, cast, HTZ_MIDI_OMNI, 0, &why);
}

static size_t in_use(const htz_orchestra* o) {
  size_t n = 0;
  for (size_t i = 0; i < o->n_own; i++) {
    n += o->own[i].spec != NULL;
  }
  return n;
}

static size_t parts_built(const htz_live_pool* pool) {
  size_t n = 0;
  for (size_t i = 0; i < HTZ_ROLES_MAX; i++) {
    n += pool->built[i];
  }
  return n;
}

static void listen(show* s) {
  htz_midi_message m;
  while (heard(s, &m, 1) > 0) {
    if (m.status == HTZ_MIDI_SYSTEM && m.data1 == HTZ_SYSTEM_DIAL && m.data2 == HTZ_SAID_FREE) {
      assert_non_null(s->orchestra.role[m.value / HTZ_MIDI_CHANNELS].spec); // who reads it finds it
    }
  }
}

// Notes on three channels between any two readings; every part falls silent within a second.
static void over_and_over(const char* name, unsigned times, size_t most_specs, size_t most_roles) {
  show* s = calloc(1, sizeof *s);
  assert_non_null(s);
  open_show(s, BLOCK, false);
  atomic_store(&s->live->log_midi, true);
  size_t early = 0, specs = 0, roles = 0, parts = 0; // each the most at once
  for (unsigned i = 0; i < times; i++) {
    assert_int_equal(read_again(s, name), HTZ_OK);
    for (uint8_t channel = 0; channel < 3; channel++) {
      note(s, 0, s->time_s, 0x90 | channel, (uint8_t)(60 + i % 12), 100);
      note(s, 0, s->time_s + 0.02, 0x80 | channel, (uint8_t)(60 + i % 12), 64);
    }
    run(s, 2, NULL);
    listen(s);
    htz_live_pool_tidy(&s->pool, &s->orchestra);
    specs = in_use(&s->orchestra) > specs ? in_use(&s->orchestra) : specs;
    roles = s->orchestra.n_roles > roles ? s->orchestra.n_roles : roles;
    parts = parts_built(&s->pool) > parts ? parts_built(&s->pool) : parts;
    early = i == times / 2 ? mallinfo2().uordblks : early;
  }
  const size_t late = mallinfo2().uordblks;
  printf("%u readings of %s: at most %zu instruments, %zu roles, %zu parts; heap %zu and %zu bytes\n", times,
         strrchr(name, '/') + 1, specs, roles, parts, early, late);
  assert_true(specs <= most_specs);
  assert_true(roles <= most_roles);
  assert_true(late <= early + early / 20); // what is in use goes up and down with what still rings
  for (unsigned i = 0; i < 400; i++) {     // and once all is silent there is the first, and the last
    run(s, 1, NULL);
    listen(s);
    htz_live_pool_tidy(&s->pool, &s->orchestra);
  }
  assert_int_equal(in_use(&s->orchestra), 2);
  assert_int_equal(atomic_load(&s->live->view.resets), 0);
  close_show(s);
  free(s);
}

static void thousands_of_readings(void** state) {
  (void)state;
  const bool thorough = getenv("HERTZIAN_LONG") != NULL;
  over_and_over(HTZ_SOURCE_DIR "/tests/fixtures/instruments/damped.yaml", thorough ? 10000 : 400, HTZ_ORCHESTRA_OWN / 2,
                HTZ_ROLES_MAX / 2);
}

static void and_of_a_performance(void** state) {
  (void)state;
  const bool thorough = getenv("HERTZIAN_LONG") != NULL;
  char path[] = "/tmp/hertzian-reload-XXXXXX.yaml";
  const int fd = mkstemps(path, 5);
  assert_true(fd >= 0);
  FILE* file = fdopen(fd, "w");
  fputs(song, file);
  fclose(file);
  over_and_over(path, thorough ? 2000 : 80, HTZ_ORCHESTRA_OWN / 2, HTZ_ROLES_MAX);
  remove(path);
}

// Everything that is not silent sounds on, to the last bit, however often the file is read: beside one that is left alone.
static void what_sounds_rings_on(void** state) {
  enum { BLOCKS = 120, EVERY = 2 };
  static const char bell[] = HTZ_SOURCE_DIR "/instruments/glockenspiel.yaml";
  static float sound[2][2 * BLOCKS * BLOCK];
  (void)state;
  for (size_t again = 0; again < 2; again++) {
    show* s = calloc(1, sizeof *s);
    assert_non_null(s);
    open_show(s, BLOCK, false);
    assert_int_equal(read_again(s, bell), HTZ_OK);
    note(s, 0, s->time_s, 0x90, 79, 100);
    for (size_t i = 0; i < BLOCKS; i++) {
      run(s, 1, &sound[again][2 * i * BLOCK]);
      if (again && i % EVERY == 0) {
        assert_int_equal(read_again(s, bell), HTZ_OK);
      }
      htz_live_pool_tidy(&s->pool, &s->orchestra);
    }
    assert_true(in_use(&s->orchestra) < 8);
    close_show(s);
    free(s);
  }
  double late = 0.0;
  for (size_t i = 0; i < 2 * BLOCKS * BLOCK; i++) {
    late = i >= (size_t)BLOCKS * BLOCK / 2 ? fmax(late, fabs((double)sound[1][i])) : late;
  }
  assert_true(late > 1e-4); // it does
  assert_memory_equal(sound[0], sound[1], sizeof sound[0]);
}

// A value that was set on what is gone is nobody's: who gets its number begins as the file says.
static void nothing_is_inherited(void** state) {
  static const char bars_file[] = HTZ_SOURCE_DIR "/tests/fixtures/instruments/damped.yaml";
  (void)state;
  show* s = calloc(1, sizeof *s);
  assert_non_null(s);
  open_show(s, BLOCK, false);
  const htz_setting setting = {HTZ_PARAM_LEVEL, -30.0, ""};
  double peak[2] = {0.0, 0.0};
  for (size_t i = 0; i < 20; i++) {
    float out[2 * BLOCK];
    htz_dial_moved moved[HTZ_ROLES_MAX];
    size_t has = 0;
    assert_int_equal(read_again(s, bars_file), HTZ_OK);
    note(s, 0, s->time_s, 0x90, 72, 100);
    note(s, 0, s->time_s + 0.03, 0x80, 72, 64);
    run(s, 2, NULL);
    run(s, 1, out);
    for (size_t k = 0; k < 2 * BLOCK; k++) {
      peak[i > 0] = fmax(peak[i > 0], fabs((double)out[k]));
    }
    const size_t n = htz_dial_moves(&s->orchestra, &setting, moved, &has);
    assert_int_equal(htz_live_pool_set(&s->pool, moved, n, setting.value, 0), HTZ_OK);
    for (size_t k = 0; k < 60; k++) { // it falls silent
      run(s, 1, NULL);
      htz_live_pool_tidy(&s->pool, &s->orchestra);
    }
    assert_true(in_use(&s->orchestra) <= 3);
  }
  check_close(peak[1], peak[0], 0.2);
  close_show(s);
  free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thousands_of_readings),
      cmocka_unit_test(and_of_a_performance),
      cmocka_unit_test(what_sounds_rings_on),
      cmocka_unit_test(nothing_is_inherited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
