#include "live_control.h"

#include "json.h"
#include "live_commands.h"
#include "live_session.h"

#include <stdlib.h>
#include <string.h>

enum { POSTED_MAX = 64 };

static void append(htz_live_control* control, htz_live_request* request) {
  htz_live_request** last = &control->first;
  while (*last) {
    last = &(*last)->next;
  }
  *last = request;
}

// With its words, in one piece of memory. @return NULL without memory
static htz_live_request* copy(const char* const* words, size_t n) {
  size_t size = sizeof(htz_live_request) + sizeof(htz_control_reply) + n * sizeof(char*);
  for (size_t i = 0; i < n; i++) {
    size += strlen(words[i]) + 1;
  }
  htz_live_request* request = malloc(size);
  if (!request) {
    return NULL;
  }
  htz_control_reply* reply = (htz_control_reply*)(request + 1);
  const char** list = (const char**)(reply + 1);
  char* text = (char*)(list + n);
  *reply = (htz_control_reply){0};
  for (size_t i = 0; i < n; i++) {
    list[i] = strcpy(text, words[i]);
    text += strlen(text) + 1;
  }
  *request = (htz_live_request){.words = list, .n = n, .reply = reply, .posted = true};
  return request;
}

void htz_live_control_post(void* context, const char* const* words, size_t n) {
  htz_session* session = context;
  htz_live_control* control = &session->control;
  if (htz_live_command_urgent(words, n)) {
    return;
  }
  htz_live_request* request = copy(words, n);
  pthread_mutex_lock(&control->lock);
  const bool room = request && control->n_posted < POSTED_MAX && !control->closing;
  if (room) {
    append(control, request);
    control->n_posted++;
  }
  pthread_mutex_unlock(&control->lock);
  if (!room) {
    free(request);
  }
}

static void put_away(htz_session* session, htz_live_request* request) {
  htz_control_reply* reply = request->reply;
  if (reply->code) {
    const char* text = reply->text ? reply->text : htz_status_text(HTZ_NO_MEMORY);
    htz_session_say(session, HTZ_LOG_WARNING, "OSC: %.*s", (int)strcspn(text, "\n"), text);
  }
  free(reply->text);
  free(request);
}

// What comes back for programs: the code, and what would have been said.
static void wrap(htz_control_reply* reply) {
  char* text = NULL;
  size_t size = 0;
  FILE* out = open_memstream(&text, &size);
  if (!out) {
    return;
  }
  if (reply->text) {
    reply->text[strcspn(reply->text, "\n")] = '\0'; // such commands answer with a line
  }
  fprintf(out, "{\"code\": %d, \"said\": ", reply->code);
  htz_json_string(out, reply->text && reply->text[0] ? reply->text : NULL);
  fputs("}\n", out);
  if (fclose(out)) {
    free(text);
    return;
  }
  free(reply->text);
  reply->text = text;
}

static void obey_words(htz_session* session, const char* const* words, size_t n, htz_control_reply* reply) {
  htz_live_control* control = &session->control;
  const bool json = strcmp(words[n - 1], "--json") == 0;
  htz_live_request request = {.words = words, .n = n - json, .json = json, .reply = reply};
  if (htz_live_command_at_once(session, &request)) {
    return;
  }
  pthread_mutex_lock(&control->lock);
  append(control, &request);
  while (!request.done && !control->closing) {
    pthread_cond_wait(&control->obeyed, &control->lock);
  }
  if (!request.done) {
    for (htz_live_request** at = &control->first; *at; at = &(*at)->next) {
      if (*at == &request) {
        *at = request.next;
        break;
      }
    }
    reply->code = HTZ_EXIT_DEVICE;
    reply->text = strdup("hertzian is ending\n");
  }
  pthread_mutex_unlock(&control->lock);
}

// On the thread of a connection.
static void obey(void* context, const char* const* words, size_t n, htz_control_reply* reply) {
  const bool json = strcmp(words[n - 1], "--json") == 0;
  const bool own = n > 1 && strcmp(words[0], "status") == 0; // it answers at length
  obey_words(context, words, n, reply);
  if (json && (reply->code != HTZ_EXIT_DONE || !own)) {
    wrap(reply);
  }
}

int htz_live_control_open(htz_session* session, const char* path) {
  char usual[HTZ_CONTROL_PATH], why[HTZ_USAGE_TEXT];
  htz_live_control* control = &session->control;
  htz_status status = HTZ_OK;
  pthread_mutex_init(&control->lock, NULL);
  pthread_cond_init(&control->obeyed, NULL);
  if (!path) {
    return HTZ_EXIT_DONE;
  }
  if (!path[0]) {
    status = htz_control_usual(usual, why, sizeof why);
    path = usual;
  }
  if (!status) {
    status = htz_control_open(path, obey, session, &control->socket, why, sizeof why);
  }
  if (status) {
    htz_session_say(session, HTZ_LOG_ERROR, "--control: %s", why);
  }
  return htz_exit_for(status, status == HTZ_BAD_VALUE ? HTZ_EXIT_USAGE : HTZ_EXIT_DEVICE);
}

void htz_live_control_tend(htz_session* session) {
  htz_live_control* control = &session->control;
  pthread_mutex_lock(&control->lock);
  while (control->first && !control->closing) {
    htz_live_request* request = control->first; // stays where it is until it is done: its thread waits
    pthread_mutex_unlock(&control->lock);
    htz_live_command(session, request);
    pthread_mutex_lock(&control->lock);
    control->first = request->next;
    if (request->posted) {
      control->n_posted--;
      put_away(session, request);
      continue;
    }
    request->done = true;
    pthread_cond_broadcast(&control->obeyed);
  }
  pthread_mutex_unlock(&control->lock);
}

void htz_live_control_close(htz_session* session) {
  htz_live_control* control = &session->control;
  pthread_mutex_lock(&control->lock);
  control->closing = true;
  pthread_cond_broadcast(&control->obeyed);
  pthread_mutex_unlock(&control->lock);
  htz_control_close(control->socket);
  control->socket = NULL;
}

void htz_live_control_free(htz_live_control* control) {
  while (control->first) { // only what was posted is still there
    htz_live_request* request = control->first;
    control->first = request->next;
    free(request);
  }
  pthread_cond_destroy(&control->obeyed);
  pthread_mutex_destroy(&control->lock);
}
