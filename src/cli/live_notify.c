#include "live_notify.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const double us = 1e-6; // [s]

// The socket's address: a path, or with @ a name of Linux's own. @return its length, 0 when there is none
static socklen_t address_of(const char* name, struct sockaddr_un* address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  const size_t n = name ? strlen(name) : 0;
  if (n < 2 || n >= sizeof address->sun_path || (name[0] != '/' && name[0] != '@')) {
    return 0;
  }
  memcpy(address->sun_path, name, n);
  if (name[0] == '@') {
    address->sun_path[0] = '\0';
  }
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
}

void htz_notify_open(htz_notify* notify) {
  struct sockaddr_un address;
  const socklen_t size = address_of(getenv("NOTIFY_SOCKET"), &address);
  const char* period = getenv("WATCHDOG_USEC");
  const char* whose = getenv("WATCHDOG_PID");
  *notify = (htz_notify){.fd = -1};
  if (size == 0) {
    return;
  }
  notify->fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  if (notify->fd >= 0) {
    fcntl(notify->fd, F_SETFD, FD_CLOEXEC);
    if (connect(notify->fd, (const struct sockaddr*)&address, size) != 0) {
      htz_notify_close(notify);
      return;
    }
  }
  if (period && (!whose || atol(whose) == (long)getpid())) {
    notify->watchdog_s = strtod(period, NULL) * us / 2.0; // twice as often as is asked for
  }
}

void htz_notify_say(const htz_notify* notify, const char* format, ...) {
  va_list args;
  va_start(args, format);
  char* text = notify->fd >= 0 ? htz_log_format(format, args) : NULL;
  va_end(args);
  if (text) {
    (void)send(notify->fd, text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT); // who does not listen does not hear
    free(text);
  }
}

void htz_notify_alive(htz_notify* notify, double now_s) {
  if (notify->watchdog_s > 0.0 && now_s - notify->said_s >= notify->watchdog_s) {
    notify->said_s = now_s;
    htz_notify_say(notify, "WATCHDOG=1");
  }
}

void htz_notify_close(htz_notify* notify) {
  if (notify->fd >= 0) {
    close(notify->fd);
  }
  notify->fd = -1;
}
