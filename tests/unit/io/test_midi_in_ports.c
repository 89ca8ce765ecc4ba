#include "check.h"

#include "hertzian/io/audio.h"
#include "hertzian/io/midi_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Behaviour where there is no sequencer; with one it depends on what is plugged in.

enum { SKIPPED = 77 };

typedef struct {
  htz_arena arena;
  htz_ring rings[HTZ_MIDI_SOURCES_MAX];
} stage;

static int set_up(void** state) {
  stage* s = calloc(1, sizeof *s);
  htz_arena_measure(&s->arena);
  for (size_t i = 0; i < HTZ_MIDI_SOURCES_MAX; ++i) {
    if (htz_ring_init(&s->rings[i], HTZ_MIDI_RING, sizeof(htz_midi_stamped), &s->arena)) {
      return -1;
    }
  }
  *state = s;
  return 0;
}

static int tear_down(void** state) {
  stage* s = *state;
  htz_arena_free(&s->arena);
  free(s);
  return 0;
}

static htz_midi_in* open_ports(stage* s, const char* const* names, size_t n, const char* raw, char* why) {
  const htz_midi_wish wish = {.names = names, .n_names = n, .raw = &raw, .n_raw = raw ? 1 : 0, .hotplug = true};
  htz_midi_in* in;
  assert_int_equal(htz_midi_in_open(&wish, s->rings, NULL, NULL, &in, why, 256), HTZ_OK);
  assert_non_null(in);
  return in;
}

static void it_runs_without_ports_and_says_why(void** state) {
  stage* s = *state;
  char why[256];
  const char* const names[][1] = {{"all"}, {"Keystation"}};
  for (size_t i = 0; i < 3; ++i) {
    htz_midi_in* in = open_ports(s, i ? names[i - 1] : NULL, i ? 1 : 0, NULL, why);
    assert_non_null(strstr(why, "no MIDI ports: "));
    assert_null(strchr(why, '\n'));
    htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
    assert_int_equal(htz_midi_in_sources(in, sources), 0);
    assert_false(htz_midi_in_ended(in)); // there was nothing to end
    assert_int_equal(htz_midi_in_lost(in), 0);
    const double before = htz_audio_now();
    htz_midi_in_close(in);
    check_below(htz_audio_now() - before, 0.1);
  }
}

static void none_is_no_reason_for_words(void** state) {
  stage* s = *state;
  char why[256] = "x";
  const char* const none[] = {"none"};
  htz_midi_in* in = open_ports(s, none, 1, NULL, why);
  assert_string_equal(why, "");
  htz_midi_in_close(in);
}

static void a_stream_that_ends_is_the_end_when_no_port_can_come(void** state) {
  stage* s = *state;
  char why[256];
  htz_midi_in* in = open_ports(s, NULL, 0, "/dev/null", why);
  htz_midi_source sources[HTZ_MIDI_SOURCES_MAX];
  assert_int_equal(htz_midi_in_sources(in, sources), 1);
  htz_midi_in_close(in);
}

static void the_list_is_empty_and_quiet(void** state) {
  (void)state;
  FILE* file = tmpfile();
  assert_non_null(file);
  fflush(stderr);
  const int saved = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  htz_midi_port* ports;
  size_t n = 1;
  char why[256] = "";
  const htz_status st = htz_midi_list(&ports, &n, why, sizeof why);
  dup2(saved, STDERR_FILENO);
  close(saved);
  fseek(file, 0, SEEK_END);
  assert_int_equal(ftell(file), 0);
  fclose(file);
  assert_int_equal(st, HTZ_OK);
  assert_int_equal(n, 0);
  assert_null(ports);
  assert_true(strlen(why) > 0);
}

int main(void) {
  if (access("/dev/snd/seq", F_OK) == 0) {
    return SKIPPED;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_runs_without_ports_and_says_why),
      cmocka_unit_test(none_is_no_reason_for_words),
      cmocka_unit_test(a_stream_that_ends_is_the_end_when_no_port_can_come),
      cmocka_unit_test(the_list_is_empty_and_quiet),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
