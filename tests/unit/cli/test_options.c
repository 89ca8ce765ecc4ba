// What the command line becomes for those who play.
#include "check.h"

#include "options.h"

#include <stdio.h>
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
  const htz_parse_result result = htz_options_parse(argc, words, NULL, &options, args, settings);
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

/** A name of a file's own is kept until it is known of which instrument; its range is that of the parameter behind it. */
static void names_of_objects_are_kept(void** state) {
  (void)state;
  const char* const words[] = {"hertzian", "-s", "drum.mallet.hardness=2", "-s", "low.gesture=bow", "-s", "tube.level=0.5"};
  htz_setting settings[8];
  const htz_performance performance = performance_of(7, words, settings);
  assert_int_equal(performance.n_settings, 3);
  assert_string_equal(performance.settings[0].name, "drum.mallet.hardness");
  assert_true(performance.settings[0].param == HTZ_PARAM_COUNT && performance.settings[0].value == 2.0);
  assert_string_equal(performance.settings[1].name, "low.gesture");
  assert_true(performance.settings[1].value == 1.0);
  assert_true(performance.settings[2].param == HTZ_PARAM_RESONATOR && performance.settings[2].name[0] == '\0');
}

static htz_parse_result parse(const char* line, htz_options* options) {
  enum { ROOM = 16 };
  static char text[256];
  static const char* args[ROOM];
  static htz_setting settings[ROOM];
  char* words[ROOM] = {"hertzian"};
  int argc = 1;
  snprintf(text, sizeof text, "%s", line);
  for (char* word = strtok(text, " "); word; word = strtok(NULL, " ")) {
    words[argc++] = word;
  }
  return htz_options_parse(argc, words, NULL, options, args, settings);
}

static void a_song_without_a_command_is_played(void** state) {
  (void)state;
  static const char* const lines[] = {"no.mid", "-i piano x/no.MID", "no.kar --loop",   "-- no.rmi", "play no",
                                      "-",      "/dev/null",         "no.midi -a null", "/",         "./no"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    htz_options options;
    const htz_parse_result result = parse(lines[i], &options);
    assert_string_equal(result.error, "");
    assert_int_equal(options.command, HTZ_CMD_PLAY);
    assert_int_equal(options.n_args, 1);
  }
  static const char* const others[] = {"no", "rendr", "mid", ".mid", "no.midx"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    htz_options options;
    const htz_parse_result result = parse(others[i], &options);
    assert_int_equal(result.what, HTZ_PARSE_ERROR);
    assert_non_null(strstr(result.error, "unknown command"));
  }
}

static void flags_of_songs_want_a_song(void** state) {
  (void)state;
  static const char* const wrong[][2] = {{"--start 3", "--start: of which song"},
                                         {"play --loop -i piano", "--loop: of which song"},
                                         {"x.mid --start 3 --end 2", "--end: must be later"},
                                         {"play - -", "only once"},
                                         {"- --midi-raw -", "only once"},
                                         {"record --loop x.wav", "unknown flag of record; play has it"},
                                         {"render x.mid --loop", "unknown flag of render; play has it"}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    htz_options options;
    const htz_parse_result result = parse(wrong[i][0], &options);
    assert_int_equal(result.what, HTZ_PARSE_ERROR);
    assert_non_null(strstr(result.error, wrong[i][1]));
  }
  htz_options options;
  assert_int_equal(parse("x.mid --start 1 --end 2 --tempo 1.5 --loop --strict", &options).what, HTZ_PARSE_RUN);
  assert_true(options.start_s == 1.0 && options.end_s == 2.0 && options.tempo == 1.5 && options.loop && options.strict);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_files),
      cmocka_unit_test(channels_are_one_all_or_the_commands_own),
      cmocka_unit_test(settings_and_transposition_are_handed_on),
      cmocka_unit_test(names_of_objects_are_kept),
      cmocka_unit_test(a_song_without_a_command_is_played),
      cmocka_unit_test(flags_of_songs_want_a_song),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
