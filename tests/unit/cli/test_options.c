// What the command line becomes for those who play.
#include "check.h"

#include "options.h"

#include <stdlib.h>
#include <string.h>

static void names_of_files(void** state) {
  (void)state;
  assert_string_equal(htz_input_file("file:a:b.wav"), "a:b.wav");
  assert_null(htz_input_file("alsa:file"));
  assert_null(htz_input_file("default"));
  assert_null(htz_input_file(NULL));
}

static htz_performance performance_of(int argc, const char* const* argv, htz_setting* settings) {
  enum { ROOM = 16 };
  static htz_options options;
  char* words[ROOM];
  const char* args[ROOM];
  assert_true(argc < ROOM);
  for (int i = 0; i < argc; i++) {
    words[i] = strdup(argv[i]); // the parser may write to it
    assert_non_null(words[i]);
  }
  const htz_parse_result result = htz_options_parse(argc, words, &options, args, settings);
  assert_string_equal(result.error, "");
  assert_int_equal(result.what, HTZ_PARSE_RUN);
  for (int i = 0; i < argc; i++) {
    free(words[i]); // nothing of what is asked for below is text
  }
  return htz_options_performance(&options, 0xFDFF);
}

static void channels_are_one_all_or_the_commands_own(void** state) {
  (void)state;
  const char* const none[] = {"hertzian", "render", "x.mid"};
  const char* const all[] = {"hertzian", "render", "x.mid", "--channel", "omni"};
  const char* const ten[] = {"hertzian", "render", "x.mid", "--channel", "10"};
  htz_setting settings[8];
  assert_int_equal(performance_of(3, none, settings).channels, 0xFDFF);
  assert_int_equal(performance_of(5, all, settings).channels, 0xFFFF);
  assert_int_equal(performance_of(5, ten, settings).channels, 1u << 9);
}

static void settings_and_transposition_are_handed_on(void** state) {
  (void)state;
  const char* const words[] = {"hertzian", "-s", "level=-3", "--transpose", "-12", "-s", "tune=5"};
  htz_setting settings[8];
  const htz_performance performance = performance_of(7, words, settings);
  assert_int_equal(performance.transpose, -12);
  assert_int_equal(performance.n_settings, 2);
  assert_int_equal(performance.settings[0].param, HTZ_PARAM_LEVEL);
  assert_true(performance.settings[0].value == -3.0);
  assert_int_equal(performance.settings[1].param, HTZ_PARAM_TUNE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_files),
      cmocka_unit_test(channels_are_one_all_or_the_commands_own),
      cmocka_unit_test(settings_and_transposition_are_handed_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
