#ifndef HERTZIAN_CLI_LIVE_CONTROL_H
#define HERTZIAN_CLI_LIVE_CONTROL_H

#include "hertzian/io/control.h"

#include <pthread.h>
#include <stdbool.h>

typedef struct htz_session htz_session;

/** One request, while the thread of its connection waits for the control thread to obey it. */
typedef struct htz_live_request {
  const char* const* words;
  size_t n;
  bool json;
  htz_control_reply* reply;
  bool done;
  bool posted; ///< nobody waits: it is freed when it is done
  struct htz_live_request* next;
} htz_live_request;

/** What other programs ask of a live performance over its socket. */
typedef struct {
  htz_control* socket; ///< NULL: none
  pthread_mutex_t lock;
  pthread_cond_t obeyed;
  htz_live_request* first; ///< in the order they came
  size_t n_posted;         ///< waiting
  bool closing;
} htz_live_control;

/** Listen at `path`, "" the usual place; NULL: at none. @return an exit code; unless it is 0 one line is said */
int htz_live_control_open(htz_session* session, const char* path);

/** Obey what is asked. Every fraction of a second, by the control thread. */
void htz_live_control_tend(htz_session* session);

/**
   Have `words` [n] obeyed by the control thread without waiting for it; what is wrong with them is said there. Any thread.

   What may not come from anywhere but the socket is refused, and what comes faster than it is obeyed is left out.
*/
void htz_live_control_post(void* session, const char* const* words, size_t n);

/** Listen no more; what still waits is told that it is over. */
void htz_live_control_close(htz_session* session);

/** When nothing can be posted any more. */
void htz_live_control_free(htz_live_control* control);

#endif
