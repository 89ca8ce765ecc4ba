#include "live_control.h"

#include "live_commands.h"
#include "live_session.h"

#include <stdlib.h>
#include <string.h>

// On the thread of a connection.
static void obey(void* context, const char* const* words, size_t n, htz_control_reply* reply) {
  htz_session* session = context;
  htz_live_control* control = &session->control;
  const bool json = strcmp(words[n - 1], "--json") == 0;
  htz_live_request request = {.words = words, .n = n - json, .json = json, .reply = reply};
  if (htz_live_command_at_once(session, &request)) {
    return;
  }
  pthread_mutex_lock(&control->lock);
  htz_live_request** last = &control->first;
  while (*last) {
    last = &(*last)->next;
  }
  *last = &request;
  while (!request.done && !control->closing) {
    pthread_cond_wait(&control->obeyed, &control->lock);
  }
  if (!request.done) {
    reply->code = HTZ_EXIT_DEVICE;
    reply->text = strdup("hertzian is ending\n");
  }
  pthread_mutex_unlock(&control->lock);
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
  pthread_cond_destroy(&control->obeyed);
  pthread_mutex_destroy(&control->lock);
}
