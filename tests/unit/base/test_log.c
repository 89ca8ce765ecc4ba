#include "check.h"

#include "hertzian/base/log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 20000 };

// What `say` writes to stderr, read back; stderr is restored.
static char* captured(void (*say)(htz_log*), htz_log* log) {
  static char text[TEXT_BYTES];
  FILE* file = tmpfile();
  assert_non_null(file);
  fflush(stderr);
  const int kept = dup(STDERR_FILENO);
  assert_true(kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
  say(log);
  fflush(stderr);
  assert_true(dup2(kept, STDERR_FILENO) >= 0);
  close(kept);
  rewind(file);
  const size_t used = fread(text, 1, sizeof text - 1, file);
  text[used] = '\0';
  fclose(file);
  return text;
}

static void say_all(htz_log* log) {
  htz_log_say(log, HTZ_LOG_ERROR, "bad %d", 1);
  htz_log_say(log, HTZ_LOG_NOTICE, "seen");
  htz_log_say(log, HTZ_LOG_DEBUG, "detail");
}

static void levels_and_prefix(void** state) {
  (void)state;
  htz_log log = {.level = HTZ_LOG_NOTICE, .prefix = "hertzian"};
  assert_string_equal(captured(say_all, &log), "hertzian: bad 1\nhertzian: seen\n");
  log = (htz_log){.level = HTZ_LOG_ERROR};
  assert_string_equal(captured(say_all, &log), "bad 1\n");
}

static void say_hostile(htz_log* log) {
  htz_log_say(log, HTZ_LOG_ERROR, "%s", "a\nb\x1b[31m\t\x7f \xc3\xa9 \xc2\x9b \xc2");
}

static void a_file_name_cannot_break_the_line(void** state) {
  (void)state;
  htz_log log = {.level = HTZ_LOG_ERROR, .prefix = "h"};
  assert_string_equal(captured(say_hostile, &log), "h: a\\x0ab\\x1b[31m\\x09\\x7f \xc3\xa9 \\xc2\\x9b \xc2\n");
}

static void say_long(htz_log* log) {
  htz_log_say(log, HTZ_LOG_ERROR, "%05000d", 7);
}

static void long_lines_stay_whole(void** state) {
  (void)state;
  htz_log log = {.level = HTZ_LOG_ERROR};
  const char* text = captured(say_long, &log);
  assert_int_equal(strlen(text), 5001);
  assert_string_equal(text + 4999, "7\n");
}

static void the_file_gets_every_level_with_a_stamp(void** state) {
  (void)state;
  FILE* file = tmpfile();
  assert_non_null(file);
  htz_log log = {.level = HTZ_LOG_ERROR, .file = file, .prefix = "hertzian"};
  captured(say_all, &log);
  rewind(file);
  const char* const ends[] = {" error: bad 1\n", " notice: seen\n", " debug: detail\n"};
  char line[256];
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    assert_non_null(fgets(line, sizeof line, file));
    assert_int_equal(line[10], 'T'); // 2026-01-31T12:34:56.789Z
    assert_int_equal(line[23], 'Z');
    assert_string_equal(line + 24, ends[i]);
  }
  assert_null(fgets(line, sizeof line, file));
  fclose(file);
}

static void no_log_is_silence(void** state) {
  (void)state;
  assert_string_equal(captured(say_all, NULL), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_and_prefix),     cmocka_unit_test(a_file_name_cannot_break_the_line),
      cmocka_unit_test(long_lines_stay_whole), cmocka_unit_test(the_file_gets_every_level_with_a_stamp),
      cmocka_unit_test(no_log_is_silence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
