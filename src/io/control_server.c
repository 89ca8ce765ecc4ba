#include "control_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One thread waits for connections; each of these has a thread of its own, so that one that hangs keeps no other waiting. */

enum { CONNECTIONS = 8, PATIENCE_S = 2, OWNER_ONLY = 0600, BACKLOG = 8, REPLY_HEAD = 16 };

typedef struct {
  htz_control* control;
  pthread_t thread;
  int fd;       // -1: free
  bool started; // to be joined
  bool done;    // under the lock
} connection;

struct htz_control {
  char path[HTZ_CONTROL_PATH];
  ino_t inode; // of the socket: what is there later under its name may be another's
  htz_control_obey obey;
  void* context;
  int fd;
  int wake[2];
  pthread_t thread;
  pthread_mutex_t lock;
  connection of[CONNECTIONS];
};

static void answer(int fd, const htz_control_reply* reply) {
  char head[REPLY_HEAD];
  const int n = snprintf(head, sizeof head, "%d\n", reply->code);
  if (htz_control_write(fd, head, (size_t)n) && reply->text) {
    htz_control_write(fd, reply->text, strlen(reply->text));
  }
}

static void refuse(int fd, const char* text) {
  htz_control_reply reply = {.code = 1, .text = strdup(text)};
  answer(fd, &reply);
  free(reply.text);
}

// Words of a request that is complete; `text` is cut into them. @return how many, 0 when it is not complete yet
static size_t split(char* text, size_t n, const char* words[HTZ_CONTROL_WORDS], bool* too_many) {
  const bool complete = n >= 2 && text[n - 1] == '\n' && text[n - 2] == '\n';
  size_t count = 0;
  *too_many = false;
  for (char* at = text; complete && at < text + n - 1;) {
    char* end = strchr(at, '\n');
    if (count == HTZ_CONTROL_WORDS) {
      *too_many = true;
      return 0;
    }
    *end = '\0';
    words[count++] = at;
    at = end + 1;
  }
  return count;
}

static void serve(htz_control* control, int fd) {
  char text[HTZ_CONTROL_REQUEST + 1];
  const char* words[HTZ_CONTROL_WORDS];
  size_t n = 0, count = 0;
  bool too_many = false;
  htz_control_patience(fd, PATIENCE_S);
  if (!htz_control_trusts(fd)) {
    refuse(fd, "this hertzian obeys nobody but the user who started it\n");
    return;
  }
  while (count == 0 && !too_many && n < HTZ_CONTROL_REQUEST) {
    const ssize_t got = recv(fd, text + n, HTZ_CONTROL_REQUEST - n, 0);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return; // who asks nothing gets no answer
    }
    n += (size_t)got;
    text[n] = '\0';
    if (memchr(text, '\0', n) || text[0] == '\n') {
      refuse(fd, "a request is lines of a word each, ended by an empty line\n");
      return;
    }
    count = split(text, n, words, &too_many);
  }
  if (count == 0) {
    refuse(fd, "a request has at most 32 words of 4096 bytes in all\n");
    return;
  }
  htz_control_reply reply = {0};
  control->obey(control->context, words, count, &reply);
  answer(fd, &reply);
  free(reply.text);
}

static void* run_connection(void* argument) {
  connection* c = argument;
  serve(c->control, c->fd);
  pthread_mutex_lock(&c->control->lock);
  c->done = true;
  pthread_mutex_unlock(&c->control->lock);
  shutdown(c->fd, SHUT_RDWR);
  return NULL;
}

// Put away those that are served. @return one that is free, or NULL
static connection* tidy(htz_control* control, bool all) {
  connection* free_one = NULL;
  for (size_t i = 0; i < CONNECTIONS; i++) {
    connection* c = &control->of[i];
    pthread_mutex_lock(&control->lock);
    const bool done = c->done;
    pthread_mutex_unlock(&control->lock);
    if (c->started && (done || all)) {
      pthread_join(c->thread, NULL);
      close(c->fd);
      c->started = c->done = false;
    }
    free_one = c->started ? free_one : c;
  }
  return free_one;
}

static void take(htz_control* control) {
  const int fd = accept(control->fd, NULL, NULL);
  if (fd < 0) {
    return;
  }
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK); // where it is inherited
  connection* c = tidy(control, false);
  if (c) {
    c->fd = fd;
    c->started = pthread_create(&c->thread, NULL, run_connection, c) == 0;
  }
  if (!c || !c->started) {
    refuse(fd, "too much is being asked at a time; try again\n");
    close(fd);
  }
}

static void* run(void* argument) {
  htz_control* control = argument;
  struct pollfd ready[2] = {{.fd = control->wake[0], .events = POLLIN}, {.fd = control->fd, .events = POLLIN}};
  while (poll(ready, 2, -1) < 0 || !ready[0].revents) {
    if (ready[1].revents) {
      take(control);
    }
  }
  return NULL;
}

// A socket that nobody listens to any more is taken away. @return 0, or what is in the way
static int make_room(const char* path, const struct sockaddr_un* address) {
  struct stat info;
  if (lstat(path, &info) != 0) {
    return 0;
  }
  if (!S_ISSOCK(info.st_mode)) {
    return EEXIST;
  }
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  const bool answers = fd >= 0 && connect(fd, (const struct sockaddr*)address, sizeof *address) == 0;
  const int error = errno;
  if (fd >= 0) {
    close(fd);
  }
  if (answers) {
    return EADDRINUSE;
  }
  return error == ECONNREFUSED ? (unlink(path) == 0 ? 0 : errno) : error;
}

static htz_status listen_at(htz_control* control, const char* path, char* why, size_t why_size) {
  struct sockaddr_un address;
  struct stat info;
  htz_status status = HTZ_OK;
  control->fd = htz_control_socket(path, &address, &status, why, why_size);
  if (control->fd < 0) {
    return status;
  }
  const int fault = make_room(path, &address);
  if (fault) {
    snprintf(why, why_size, "%s: %s", path,
             fault == EADDRINUSE ? "another hertzian listens there; give this one a socket of its own (--control=PATH)"
             : fault == EEXIST   ? "is there already and is no socket"
                                 : strerror(fault));
    return HTZ_IO;
  }
  fchmod(control->fd, OWNER_ONLY); // on Linux the name is made with it: there is no moment at which others may
  if (bind(control->fd, (const struct sockaddr*)&address, sizeof address) != 0 || chmod(path, OWNER_ONLY) != 0 ||
      listen(control->fd, BACKLOG) != 0 || lstat(path, &info) != 0) {
    snprintf(why, why_size, "%s: %s", path, strerror(errno));
    return htz_status_of_errno(errno, HTZ_IO);
  }
  fcntl(control->fd, F_SETFL, O_NONBLOCK);
  control->inode = info.st_ino;
  snprintf(control->path, sizeof control->path, "%s", path);
  return HTZ_OK;
}

htz_status htz_control_open(const char* path, htz_control_obey obey, void* context, htz_control** out, char* why,
                            size_t why_size) {
  *out = NULL;
  htz_control* control = calloc(1, sizeof *control);
  if (!control || pipe(control->wake) != 0) {
    const htz_status status = control ? htz_status_of_errno(errno, HTZ_IO) : HTZ_NO_MEMORY;
    snprintf(why, why_size, "%s: %s", path, htz_status_text(status));
    free(control);
    return status;
  }
  fcntl(control->wake[0], F_SETFD, FD_CLOEXEC);
  fcntl(control->wake[1], F_SETFD, FD_CLOEXEC);
  control->obey = obey;
  control->context = context;
  for (size_t i = 0; i < CONNECTIONS; i++) {
    control->of[i].control = control;
  }
  htz_status status = listen_at(control, path, why, why_size);
  pthread_mutex_init(&control->lock, NULL);
  if (status == HTZ_OK && pthread_create(&control->thread, NULL, run, control) != 0) {
    snprintf(why, why_size, "%s: %s", path, htz_status_text(HTZ_NO_THREAD));
    unlink(path);
    status = HTZ_NO_THREAD;
  }
  if (status) {
    if (control->fd >= 0) {
      close(control->fd);
    }
    close(control->wake[0]);
    close(control->wake[1]);
    pthread_mutex_destroy(&control->lock);
    free(control);
    return status;
  }
  *out = control;
  return HTZ_OK;
}

void htz_control_close(htz_control* control) {
  struct stat info;
  if (!control) {
    return;
  }
  close(control->wake[1]); // the thread that waits sees the other end hang up
  pthread_join(control->thread, NULL);
  tidy(control, true);
  if (lstat(control->path, &info) == 0 && info.st_ino == control->inode) {
    unlink(control->path);
  }
  close(control->fd);
  close(control->wake[0]);
  pthread_mutex_destroy(&control->lock);
  free(control);
}
