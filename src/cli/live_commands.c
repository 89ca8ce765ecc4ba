#include "live_commands.h"

#include "live_dial.h"
#include "live_session.h"

#include "hertzian/instrument/diag.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The commands of `hertzian ctl`, as the program that plays knows them. */

static int record(htz_session* session, const htz_live_request* request, FILE* out) {
  const bool start = strcmp(request->words[1], "start") == 0;
  htz_takes_line line = {0};
  if (!start && strcmp(request->words[1], "stop") != 0) {
    fprintf(out, "record %s: neither start nor stop\n", request->words[1]);
    return HTZ_EXIT_USAGE;
  }
  if (start == session->takes.recording) {
    fprintf(out, start ? "recording already: %s\n" : "nothing is being recorded\n", session->takes.path);
    return HTZ_EXIT_OUTPUT;
  }
  htz_takes_toggle(&session->takes, &line);
  if (line.text[0]) {
    htz_session_say(session, line.level, "%s", line.text);
    fprintf(out, "%s\n", line.text);
  }
  return session->takes.recording == start ? HTZ_EXIT_DONE : HTZ_EXIT_OUTPUT;
}

static int reset_audio(htz_session* session, const htz_live_request* request, FILE* out) {
  (void)request;
  char why[HTZ_USAGE_TEXT];
  if (htz_session_reset_audio(session, why, sizeof why)) {
    fprintf(out, "audio: connected \"%s\"\n", session->format.name);
    return HTZ_EXIT_DONE;
  }
  fprintf(out, "%s\n", why);
  return HTZ_EXIT_DEVICE;
}

const htz_live_command_row htz_live_commands[] = {
    {.name = "status", .takes = "", .obey = htz_live_status},
    {.name = "panic", .takes = "", .number = SIGUSR2},
    {.name = "instrument",
     .takes = "a name or file, and a channel if not all are meant",
     .least = 1,
     .most = 2,
     .obey = htz_live_change_instrument},
    {.name = "set", .takes = "PARAM=VALUE", .least = 1, .most = 2, .obey = htz_live_set},
    {.name = "save", .takes = "a performance's name", .least = 1, .most = 1, .obey = htz_live_save, .owner_only = true},
    {.name = "record", .takes = "start or stop", .least = 1, .most = 1, .obey = record},
    {.name = "reset-audio", .takes = "", .obey = reset_audio},
    {.name = "quit", .takes = "", .number = SIGTERM, .owner_only = true},
    {0},
};

static void list_names(char* text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "there are devices");
  for (const htz_live_command_row* row = htz_live_commands; row->name && used < size; row++) {
    used += (size_t)snprintf(text + used, size - used, ", %s%s%s", row->name, row->takes[0] ? " " : "", row->takes);
  }
}

const htz_live_command_row* htz_live_command_find(const char* const* words, size_t n, char* why, size_t why_size) {
  enum { NAMES = 32 };
  const char* names[NAMES];
  size_t n_names = 0;
  for (const htz_live_command_row* row = htz_live_commands; row->name; row++) {
    names[n_names++] = row->name;
    if (strcmp(row->name, words[0]) != 0) {
      continue;
    }
    if (n - 1 >= row->least && n - 1 <= row->most) {
      return row;
    }
    snprintf(why, why_size, "%s: takes %s", row->name, row->takes[0] ? row->takes : "nothing");
    return NULL;
  }
  char list[HTZ_USAGE_TEXT / 2];
  const char* near = htz_suggest(words[0], names, n_names);
  list_names(list, sizeof list);
  snprintf(why, why_size, "%.100s: unknown command; %s%s%s%s", words[0], near ? "did you mean " : "", near ? near : "",
           near ? "? " : "", near ? "" : list);
  return NULL;
}

static void reply_with(htz_control_reply* reply, int code, const char* text) {
  const size_t length = strlen(text);
  reply->code = code;
  reply->text = malloc(length + 2);
  if (reply->text) {
    memcpy(reply->text, text, length);
    memcpy(reply->text + length, "\n", 2);
  }
}

bool htz_live_command_at_once(htz_session* session, htz_live_request* request) {
  (void)session;
  char why[HTZ_USAGE_TEXT];
  const htz_live_command_row* row = request->n > 0 ? htz_live_command_find(request->words, request->n, why, sizeof why) : NULL;
  if (!row) {
    reply_with(request->reply, HTZ_EXIT_USAGE, request->n > 0 ? why : "ctl: which command?");
    return true;
  }
  if (!row->obey) {
    kill(getpid(), row->number); // the signals' thread waits for nobody
    request->reply->code = HTZ_EXIT_DONE;
  }
  return !row->obey;
}

bool htz_live_command_urgent(const char* const* words, size_t n) {
  char why[HTZ_USAGE_TEXT];
  const htz_live_command_row* row = htz_live_command_find(words, n, why, sizeof why);
  if (row && !row->obey && !row->owner_only) {
    kill(getpid(), row->number);
    return true;
  }
  return false;
}

void htz_live_command(htz_session* session, htz_live_request* request) {
  char why[HTZ_USAGE_TEXT];
  size_t size = 0;
  const htz_live_command_row* row = htz_live_command_find(request->words, request->n, why, sizeof why);
  if (row && request->posted && row->owner_only) {
    snprintf(why, sizeof why, "%s: is for the socket's owner (hertzian ctl)", row->name);
    row = NULL;
  }
  FILE* out = row ? open_memstream(&request->reply->text, &size) : NULL;
  if (!out) {
    reply_with(request->reply, HTZ_EXIT_INTERNAL, row ? htz_status_text(HTZ_NO_MEMORY) : why);
    return;
  }
  request->reply->code = row->obey(session, request, out);
  fclose(out);
}
