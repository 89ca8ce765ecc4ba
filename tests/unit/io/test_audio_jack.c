#include "check.h"
#include "jack_show.h"

#include "hertzian/io/audio.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

// A real audio clock without hardware: a JACK server of our own with its dummy driver.

enum { SKIPPED = 77, RATE = JACK_RATE, FRAMES = JACK_FRAMES };

typedef struct {
  atomic_uint blocks, underflows;
  double first_s, last_s; // audio thread; read after close
  uint32_t frames;
} seen;

static void process(void* context, float* out, uint32_t frames, const htz_audio_block* block) {
  seen* s = context;
  if (atomic_load(&s->blocks) == 0) {
    s->first_s = block->time_s;
  }
  s->last_s = block->time_s;
  s->frames = frames;
  atomic_fetch_add(&s->underflows, block->underflow);
  atomic_fetch_add(&s->blocks, 1);
  memset(out, 0, sizeof *out * 2 * frames);
}

static htz_status open_jack(const char* device, double rate_hz, seen* s, htz_audio** audio, htz_audio_format* format,
                            char* why) {
  const htz_audio_wish wish = {.device = device, .rate_hz = rate_hz, .frames = FRAMES, .process = process, .context = s};
  return htz_audio_open(&wish, audio, format, why, 256);
}

// The server needs a moment until it answers.
static htz_status open_soon(const char* device, seen* s, htz_audio** audio, htz_audio_format* format, char* why) {
  htz_status st = HTZ_NOT_FOUND;
  for (int i = 0; i < 50 && st; ++i) {
    st = open_jack(device, 0, s, audio, format, why);
    if (st) {
      pause_ms(100);
    }
  }
  return st;
}

static void blocks_come_at_the_servers_pace(void** state) {
  (void)state;
  seen s = {0};
  htz_audio_format format;
  htz_audio* audio;
  char why[256] = "";
  assert_int_equal(open_soon("jack:", &s, &audio, &format, why), HTZ_OK);
  assert_string_equal(format.api, "jack");
  assert_true(format.rate_hz == RATE);
  assert_int_equal(format.frames, FRAMES);
  assert_true(format.latency_s >= 0 && format.latency_s < 1);
  pause_ms(2000);
  assert_int_equal(htz_audio_check(audio), HTZ_AUDIO_RUNNING);
  const double before = htz_audio_now();
  assert_true(htz_audio_close(audio));
  check_below(htz_audio_now() - before, 0.5);
  const unsigned blocks = atomic_load(&s.blocks);
  const unsigned underflows = atomic_load(&s.underflows);
  print_message("%u blocks, %u underflows, %s\n", blocks, underflows, format.realtime ? "real-time" : "not real-time");
  assert_int_equal(s.frames, FRAMES);
  // Each underflow may cost some blocks, and a block of jitter at either end is 0.1 %.
  if (underflows == 0) {
    check_close((blocks - 1) * (double)FRAMES / RATE, s.last_s - s.first_s, 0.01);
  }
  check_above(blocks, 0.8 * 2 * RATE / FRAMES);
}

static void the_list_has_it_and_so_has_the_default(void** state) {
  (void)state;
  htz_audio_device* devices;
  size_t n, preferred = 0;
  assert_int_equal(htz_audio_list(&devices, &n), HTZ_OK);
  bool found = false;
  for (size_t i = 0; i < n; ++i) {
    found = found || (strcmp(devices[i].api, "jack") == 0 && devices[i].channels == 2 && devices[i].rates[0] == RATE);
    preferred += devices[i].preferred;
  }
  free(devices);
  assert_true(found);
  assert_int_equal(preferred, 1);
}

static void another_rate_is_refused_with_a_reason(void** state) {
  (void)state;
  seen s = {0};
  htz_audio_format format;
  htz_audio* audio;
  char why[256] = "";
  assert_int_equal(open_jack("jack:", 44100, &s, &audio, &format, why), HTZ_IO);
  assert_non_null(strstr(why, "44100"));
  assert_int_equal(open_jack("jack:nobody", 0, &s, &audio, &format, why), HTZ_NOT_FOUND);
  assert_int_equal(atomic_load(&s.blocks), 0);
}

static void it_opens_and_closes_again_and_again(void** state) {
  (void)state;
  for (int i = 0; i < 5; ++i) {
    seen s = {0};
    htz_audio_format format;
    htz_audio* audio;
    char why[256] = "";
    assert_int_equal(open_jack("JACK:sys", 0, &s, &audio, &format, why), HTZ_OK);
    assert_true(htz_audio_blocks(audio) > 0);
    assert_true(htz_audio_close(audio));
    const unsigned blocks = atomic_load(&s.blocks);
    pause_ms(20);
    assert_int_equal(atomic_load(&s.blocks), blocks);
  }
}

static void outputs_can_be_chosen(void** state) {
  (void)state;
  const struct {
    unsigned wanted[2], got[2];
    htz_status st;
  } cases[] = {{{0, 0}, {1, 2}, HTZ_OK}, {{2, 1}, {2, 1}, HTZ_OK}, {{2, 2}, {2, 2}, HTZ_OK}, {{1, 3}, {0, 0}, HTZ_BAD_VALUE}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    seen s = {0};
    htz_audio_format format;
    htz_audio* audio;
    char why[256] = "";
    const htz_audio_wish wish = {.device = "jack:",
                                 .frames = FRAMES,
                                 .channels = {cases[i].wanted[0], cases[i].wanted[1]},
                                 .process = process,
                                 .context = &s};
    assert_int_equal(htz_audio_open(&wish, &audio, &format, why, sizeof why), cases[i].st);
    assert_int_equal(format.channels[0], cases[i].got[0]);
    assert_int_equal(format.channels[1], cases[i].got[1]);
    if (cases[i].st) {
      assert_non_null(strstr(why, "no channel 3"));
    }
    assert_true(htz_audio_close(audio));
  }
}

static void a_server_that_dies_is_noticed_and_its_successor_is_played_to(void** state) {
  pid_t* server = *state;
  for (int i = 0; i < 2; ++i) {
    seen s = {0};
    htz_audio_format format;
    htz_audio* audio;
    char why[256] = "";
    assert_int_equal(open_soon("jack:", &s, &audio, &format, why), HTZ_OK);
    pause_ms(200);
    jack_end(*server, SIGKILL);
    htz_audio_health health = HTZ_AUDIO_RUNNING;
    for (int k = 0; k < 30 && health != HTZ_AUDIO_DEAD; ++k) {
      pause_ms(100);
      health = htz_audio_check(audio);
    }
    assert_int_equal(health, HTZ_AUDIO_DEAD);
    const double before = htz_audio_now();
    assert_true(htz_audio_close(audio));
    check_below(htz_audio_now() - before, 0.5);
    // Without a server the next try fails with words.
    assert_int_equal(open_jack("jack:", 0, &s, &audio, &format, why), HTZ_NOT_FOUND);
    assert_non_null(strstr(why, "no JACK server"));
    *server = jack_serve();
  }
  seen s = {0};
  htz_audio_format format;
  htz_audio* audio;
  char why[256] = "";
  assert_int_equal(open_soon("jack:", &s, &audio, &format, why), HTZ_OK);
  pause_ms(200);
  assert_true(htz_audio_close(audio));
  assert_true(atomic_load(&s.blocks) > 10);
}

int main(void) {
#if !defined(HTZ_HAVE_JACK)
  return SKIPPED;
#endif
  pid_t server = jack_begin("hertzian-test");
  if (server == 0) {
    return SKIPPED;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_come_at_the_servers_pace),
      cmocka_unit_test(the_list_has_it_and_so_has_the_default),
      cmocka_unit_test(another_rate_is_refused_with_a_reason),
      cmocka_unit_test(it_opens_and_closes_again_and_again),
      cmocka_unit_test(outputs_can_be_chosen),
      cmocka_unit_test_prestate(a_server_that_dies_is_noticed_and_its_successor_is_played_to, &server),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  jack_end(server, SIGTERM);
  return failed;
}
