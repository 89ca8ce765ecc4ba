#define _GNU_SOURCE // struct ucred

#include "control_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static const char usual_name[] = "hertzian.sock";

// A folder that is the user's and that nobody else can write to.
static bool own_folder(const char* path) {
  struct stat info;
  return lstat(path, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() && (info.st_mode & 077) == 0;
}

htz_status htz_control_usual(char path[HTZ_CONTROL_PATH], char* why, size_t why_size) {
  const char* runtime = getenv("XDG_RUNTIME_DIR");
  int n = 0;
  if (runtime && runtime[0] == '/') {
    n = snprintf(path, HTZ_CONTROL_PATH, "%s/%s", runtime, usual_name);
  } else {
    char folder[HTZ_CONTROL_PATH];
    snprintf(folder, sizeof folder, "/tmp/hertzian-%lu", (unsigned long)geteuid());
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
      snprintf(why, why_size, "%s: %s", folder, strerror(errno));
      return HTZ_IO;
    }
    if (!own_folder(folder)) {
      snprintf(why, why_size, "%s: is not this user's alone; say where the socket is to be (--control=PATH)", folder);
      return HTZ_IO;
    }
    n = snprintf(path, HTZ_CONTROL_PATH, "%s/%s", folder, usual_name);
  }
  if (n < 0 || n >= HTZ_CONTROL_PATH) {
    snprintf(why, why_size, "%s: too long for a socket; say where it is to be (--control=PATH)", runtime);
    return HTZ_IO;
  }
  return HTZ_OK;
}

int htz_control_socket(const char* path, struct sockaddr_un* address, htz_status* status, char* why, size_t why_size) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (!path[0] || strlen(path) >= sizeof address->sun_path || strlen(path) >= HTZ_CONTROL_PATH) {
    snprintf(why, why_size, "%s: a socket's path has 1 to %d bytes", path, HTZ_CONTROL_PATH - 1);
    *status = HTZ_BAD_VALUE;
    return -1;
  }
  memcpy(address->sun_path, path, strlen(path) + 1);
  const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0) {
    snprintf(why, why_size, "%s: %s", path, strerror(errno));
    *status = htz_status_of_errno(errno, HTZ_IO);
    return -1;
  }
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd;
}

bool htz_control_trusts(int connection) {
#if defined(__linux__)
  struct ucred who;
  socklen_t size = sizeof who;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && (who.uid == geteuid() || who.uid == 0);
#else
  uid_t user;
  gid_t group;
  return getpeereid(connection, &user, &group) == 0 && (user == geteuid() || user == 0);
#endif
}

void htz_control_patience(int connection, int seconds) {
  const struct timeval limit = {.tv_sec = seconds};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
}

bool htz_control_write(int connection, const char* bytes, size_t n) {
  while (n > 0) {
    const ssize_t sent = send(connection, bytes, n, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent <= 0) {
      return false;
    }
    bytes += sent;
    n -= (size_t)sent;
  }
  return true;
}
