#include "check.h"

#include "hertzian/io/audio.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Behaviour where there is no sound card. Machines that have one skip what depends on that.

enum { SKIPPED = 77 };

static void process(void* context, float* out, uint32_t frames, const htz_audio_block* block) {
  (void)context;
  (void)block;
  memset(out, 0, sizeof *out * 2 * frames);
}

static htz_status open_device(const char* device, char* why, size_t size) {
  const htz_audio_wish wish = {.device = device, .frames = 128, .process = process};
  htz_audio_format format;
  htz_audio* audio;
  const htz_status st = htz_audio_open(&wish, &audio, &format, why, size);
  if (st) {
    assert_null(audio);
  } else {
    assert_true(htz_audio_close(audio));
  }
  return st;
}

// ---- standard error into a file meanwhile

typedef struct {
  FILE* file;
  int saved;
} capture;

static void capture_start(capture* c) {
  fflush(stderr);
  c->file = tmpfile();
  assert_non_null(c->file);
  c->saved = dup(STDERR_FILENO);
  dup2(fileno(c->file), STDERR_FILENO);
}

static long capture_end(capture* c) {
  fflush(stderr);
  dup2(c->saved, STDERR_FILENO);
  close(c->saved);
  fseek(c->file, 0, SEEK_END);
  const long size = ftell(c->file);
  fclose(c->file);
  return size;
}

static void without_a_card_the_way_out_is_told(void** state) {
  (void)state;
  char why[256] = "";
  assert_int_equal(open_device(NULL, why, sizeof why), HTZ_NOT_FOUND);
  assert_non_null(strstr(why, "no audio output found"));
  assert_non_null(strstr(why, "--audio null"));
  assert_non_null(strstr(why, "hertzian render"));
  assert_null(strchr(why, '\n'));
  assert_int_equal(open_device("Scarlett", why, sizeof why), HTZ_NOT_FOUND);
  assert_non_null(strstr(why, "Scarlett"));
  assert_int_equal(open_device("jack:", why, sizeof why), HTZ_NOT_FOUND);
  assert_int_equal(open_device("alsa:plughw:7,0", why, sizeof why), HTZ_NOT_FOUND);
  assert_non_null(strstr(why, "plughw:7,0"));
}

static void drivers_say_nothing(void** state) {
  (void)state;
  capture c;
  char why[256];
  htz_audio_device* devices;
  size_t n;
  capture_start(&c);
  const htz_status st = open_device(NULL, why, sizeof why);
  const htz_status listed = htz_audio_list(&devices, &n);
  open_device("Scarlett", why, sizeof why);
  open_device("alsa:plughw:7,0", why, sizeof why);
  const long said = capture_end(&c);
  assert_int_equal(said, 0);
  assert_int_equal(st, HTZ_NOT_FOUND);
  assert_int_equal(listed, HTZ_OK);
  assert_int_equal(n, 0);
  free(devices);
}

// ALSA's device that swallows everything at once is held to the clock all the same.
static void an_unthrottled_device_is_held_back(void** state) {
  (void)state;
  const htz_audio_wish wish = {.device = "alsa:plug:null", .rate_hz = 48000, .frames = 480, .process = process};
  htz_audio_format format;
  htz_audio* audio;
  char why[256];
  const htz_status st = htz_audio_open(&wish, &audio, &format, why, sizeof why);
  if (st) {
    print_message("cannot be had here: %s\n", why);
    skip();
  }
  usleep(2000000);
  const double played_s = (double)htz_audio_blocks(audio) * 480 / 48000;
  assert_true(htz_audio_close(audio));
  // A second ahead is let through, the rest keeps pace; unthrottled it would be minutes.
  check_below(played_s, 4.0);
  check_above(played_s, 1.5);
}

static bool has_card(void) {
  return access("/proc/asound/cards", F_OK) == 0 || access("/dev/dsp", F_OK) == 0;
}

int main(void) {
#if !defined(HTZ_HAVE_PORTAUDIO)
  return SKIPPED;
#endif
  if (has_card()) {
    return SKIPPED;
  }
  setenv("JACK_DEFAULT_SERVER", "hertzian-test-nobody", 1);
  setenv("JACK_NO_START_SERVER", "1", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_card_the_way_out_is_told),
      cmocka_unit_test(drivers_say_nothing),
      cmocka_unit_test(an_unthrottled_device_is_held_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
