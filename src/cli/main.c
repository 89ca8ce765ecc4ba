#include "binds.h"
#include "cmd_history.h"
#include "config.h"
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "hertzian";

static int run(const htz_options* options) {
  switch (options->command) {
  case HTZ_CMD_PLAY:
  case HTZ_CMD_RECORD:
    return htz_cmd_play(options);
  case HTZ_CMD_RENDER:
    return htz_cmd_render(options);
  case HTZ_CMD_DEVICES:
    return htz_cmd_devices(options);
  case HTZ_CMD_INSTRUMENTS:
    return htz_cmd_instruments(options);
  case HTZ_CMD_BENCH:
    return htz_cmd_bench(options);
  case HTZ_CMD_LAB:
    return htz_cmd_lab(options);
  case HTZ_CMD_MIDI:
    return htz_cmd_midi(options);
  case HTZ_CMD_CTL:
    return htz_cmd_ctl(options);
  case HTZ_CMD_TRY:
    return htz_cmd_try(options);
  case HTZ_CMD_LEVEL:
    return htz_cmd_level(options);
  case HTZ_CMD_HISTORY:
    return htz_cmd_history(options);
  case HTZ_CMD_COMPLETION:
    return htz_cmd_completion(options);
  case HTZ_CMD_REPAIR:
    return htz_cmd_repair(options);
  case HTZ_CMD_CHECK:
    return htz_cmd_check(options);
  case HTZ_CMD_COUNT:
    break;
  }
  return HTZ_EXIT_INTERNAL;
}

static int print_help(const char* topic, htz_log* log) {
  const char* text = htz_help_text(topic);
  if (!text) {
    char commands[HTZ_COMMANDS_TEXT];
    htz_list_commands(commands);
    htz_log_say(log, HTZ_LOG_ERROR, "--help=%s: no such topic; there are %s, and impact and parts", topic, commands);
    return HTZ_EXIT_USAGE;
  }
  fputs(text, stdout);
  return HTZ_EXIT_DONE;
}

// What was meant for standard output may only fail here, when the last of it is written.
static int finish_stdout(int code, htz_log* log) {
  errno = 0;
  const bool failed = fflush(stdout) != 0 || ferror(stdout);
  if (!failed) {
    return code;
  }
  if (errno != EPIPE) { // a reader that has seen enough is nothing to talk about
    htz_log_say(log, HTZ_LOG_ERROR, "standard output: %s", errno ? strerror(errno) : "cannot be written");
  }
  return code ? code : HTZ_EXIT_OUTPUT;
}

static int run_with_log(htz_options* options, const char* log_file, htz_log* log) {
  log->level = options->verbosity < 0    ? HTZ_LOG_ERROR
               : options->verbosity == 0 ? HTZ_LOG_NOTICE
               : options->verbosity == 1 ? HTZ_LOG_INFO
                                         : HTZ_LOG_DEBUG;
  if (log_file) {
    log->file = fopen(log_file, "a");
    if (!log->file) {
      const int fault = errno;
      htz_log_say(log, HTZ_LOG_ERROR, "%s: %s", log_file, strerror(fault));
      return htz_exit_for(htz_status_of_errno(fault, HTZ_IO), HTZ_EXIT_OUTPUT);
    }
  }
  int code = htz_options_tune(options);
  code = code ? code : htz_binds_load(options);
  code = code ? code : run(options);
  if (log->file && fclose(log->file) != 0 && code == HTZ_EXIT_DONE) {
    log->file = NULL;
    htz_log_say(log, HTZ_LOG_ERROR, "%s: %s", log_file, strerror(errno));
    return HTZ_EXIT_OUTPUT;
  }
  log->file = NULL;
  return code;
}

/*
   A standard stream that is closed would be the first file that the program opens. In its place comes one that cannot be used the way it
   is meant, so that whoever writes to it is told.
*/
static void keep_standard_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
      (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY); // the lowest number that is free: this one
    }
  }
}

static int obey(const htz_parse_result* result, htz_options* options, htz_log* log) {
  switch (result->what) {
  case HTZ_PARSE_RUN:
    return run_with_log(options, result->log_file, log);
  case HTZ_PARSE_HELP:
    return print_help(result->topic, log);
  case HTZ_PARSE_VERSION:
    printf("%s %s\n", program, HTZ_VERSION);
    return HTZ_EXIT_DONE;
  case HTZ_PARSE_ERROR:
    break;
  }
  htz_log_say(log, HTZ_LOG_ERROR, "%s", result->error);
  return HTZ_EXIT_USAGE;
}

static int read_and_obey(int argc, char** argv, htz_config* config, htz_log* log);

// What was played is rendered by the command line that does it.
static int render_history(const htz_options* options, int argc, char** argv, htz_config* config, htz_log* log) {
  char** words = NULL;
  int n = 0;
  int code = htz_history_words(options, argc, argv, &words);
  while (words && words[n]) {
    n++;
  }
  code = code ? code : read_and_obey(n, words, config, log);
  htz_history_words_free(words);
  return code;
}

static bool renders_history(const htz_parse_result* result, const htz_options* options) {
  return result->what == HTZ_PARSE_RUN && options->command == HTZ_CMD_HISTORY && options->n_args > 0 &&
         strcmp(options->args[0], "render") == 0;
}

static int read_and_obey(int argc, char** argv, htz_config* config, htz_log* log) {
  const size_t room = (argc > 0 ? (size_t)argc : 1) + config->n;
  const char** args = calloc(room, sizeof *args);
  htz_setting* settings = calloc(room, sizeof *settings);
  int code = HTZ_EXIT_INTERNAL;
  if (args && settings) {
    htz_options options;
    const htz_parse_result result = htz_options_parse(argc, argv, config, &options, args, settings);
    options.log = log;
    code =
        renders_history(&result, &options) ? render_history(&options, argc, argv, config, log) : obey(&result, &options, log);
  } else {
    htz_log_say(log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
  }
  free(args);
  free(settings);
  return code;
}

int main(int argc, char** argv) {
  keep_standard_streams();
  // A write to a closed pipe is to come back as an error, so that everything is put away before we leave.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); // so is a file that would grow beyond the limit (ulimit -f)
  htz_log log = {.level = HTZ_LOG_NOTICE, .prefix = program};
  htz_config config = {0};
  const char* file = NULL;
  int code = HTZ_EXIT_DONE;
  if (htz_options_configured(argc, argv, &file)) {
    code = htz_config_read(file, &config, &log);
  }
  code = code ? code : read_and_obey(argc, argv, &config, &log);
  htz_config_free(&config);
  return finish_stdout(code, &log);
}
