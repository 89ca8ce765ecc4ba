#include "exit_code.h"
#include "live_commands.h"
#include "options.h"

#include <stdlib.h>
#include <string.h>

/* `hertzian ctl`: ask the hertzian that plays for something. */

static int say(const htz_options* options, int code, const char* text) {
  htz_log_say(options->log, HTZ_LOG_ERROR, "%s", text);
  return code;
}

// What a list of devices is worth depends on when it was made, which a library that plays does once: this program looks itself.
static int list_devices(const htz_options* options) {
  htz_options devices = *options;
  devices.command = HTZ_CMD_DEVICES;
  devices.args = options->args + 1;
  devices.n_args = options->n_args - 1;
  return htz_cmd_devices(&devices);
}

static int ask(const htz_options* options, const char* path) {
  const char* words[HTZ_CONTROL_WORDS];
  char why[HTZ_USAGE_TEXT];
  htz_control_reply reply;
  size_t n = 0;
  for (; n < options->n_args && n + 1 < HTZ_CONTROL_WORDS; n++) {
    words[n] = options->args[n];
  }
  if (options->json) {
    words[n++] = "--json";
  }
  const htz_status status = htz_control_ask(path, words, n, &reply, why, sizeof why);
  if (status) {
    return say(options, htz_exit_for(status, status == HTZ_BAD_VALUE ? HTZ_EXIT_USAGE : HTZ_EXIT_DEVICE), why);
  }
  if (reply.code == HTZ_EXIT_DONE || options->json) {
    fputs(reply.text, stdout);
  } else {
    reply.text[strcspn(reply.text, "\n")] = '\0'; // one line for a fault
    say(options, reply.code, reply.text);
  }
  free(reply.text);
  return reply.code;
}

int htz_cmd_ctl(const htz_options* options) {
  char usual[HTZ_CONTROL_PATH], why[HTZ_USAGE_TEXT];
  const char* path = options->control;
  if (options->n_args == 0) {
    return say(options, HTZ_EXIT_USAGE, "ctl: which command? hertzian --help=ctl lists them");
  }
  if (strcmp(options->args[0], "devices") == 0) {
    return list_devices(options);
  }
  if (!htz_live_command_find(options->args, options->n_args, why, sizeof why)) {
    return say(options, HTZ_EXIT_USAGE, why);
  }
  if (!path || !path[0]) {
    if (htz_control_usual(usual, why, sizeof why)) {
      return say(options, HTZ_EXIT_DEVICE, why);
    }
    path = usual;
  }
  return ask(options, path);
}
