#include "control_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANSWER_S = 60, CHUNK = 4096 }; // an instrument that is loaded and built takes seconds on a slow machine

static htz_status failed(const char* path, int error, char* why, size_t why_size) {
  if (error == ENOENT || error == ECONNREFUSED || error == ENOTSOCK) {
    snprintf(why, why_size, "%s: no hertzian listens there; start one with --control (hertzian --control -i piano)", path);
    return HTZ_NOT_FOUND;
  }
  snprintf(why, why_size, error == EACCES ? "%s: %s; it is for the user alone who started hertzian" : "%s: %s", path,
           strerror(error));
  return htz_status_of_errno(error, HTZ_IO);
}

static bool send_words(int fd, const char* const* words, size_t n) {
  bool ok = true;
  for (size_t i = 0; i < n && ok; i++) {
    ok = htz_control_write(fd, words[i], strlen(words[i])) && htz_control_write(fd, "\n", 1);
  }
  return ok && htz_control_write(fd, "\n", 1);
}

// All that comes until the end, with a zero behind. @return NULL with errno set when it cannot be had
static char* receive(int fd) {
  char* text = NULL;
  size_t n = 0;
  for (;;) {
    char* grown = realloc(text, n + CHUNK + 1);
    if (!grown) {
      break;
    }
    text = grown;
    const ssize_t got = recv(fd, text + n, CHUNK, 0);
    if (got == 0 || (got < 0 && errno == ECONNRESET && n > 0)) { // it did not read all that was sent
      text[n] = '\0';
      return text;
    }
    if (got < 0 && errno != EINTR) {
      break;
    }
    n += got > 0 ? (size_t)got : 0;
  }
  free(text);
  return NULL;
}

static htz_status understand(char* text, htz_control_reply* reply, const char* path, char* why, size_t why_size) {
  char* end = text;
  const long code = strtol(text, &end, 10);
  if (end == text || *end != '\n') {
    free(text);
    snprintf(why, why_size, "%s: gave no answer; another program's socket, or hertzian was ended", path);
    return HTZ_IO;
  }
  reply->code = (int)code;
  reply->text = text;
  memmove(text, end + 1, strlen(end + 1) + 1);
  return HTZ_OK;
}

static bool words_ok(const char* const* words, size_t n) {
  size_t size = 1;
  bool ok = n > 0 && n <= HTZ_CONTROL_WORDS;
  for (size_t i = 0; i < n && ok; i++) {
    size += strlen(words[i]) + 1;
    ok = words[i][0] && !strchr(words[i], '\n');
  }
  return ok && size <= HTZ_CONTROL_REQUEST;
}

htz_status htz_control_ask(const char* path, const char* const* words, size_t n, htz_control_reply* reply, char* why,
                           size_t why_size) {
  struct sockaddr_un address;
  htz_status status = HTZ_OK;
  *reply = (htz_control_reply){0};
  if (!words_ok(words, n)) {
    snprintf(why, why_size, "a command has 1 to %d words, none empty or with a line's end, of %d bytes in all",
             HTZ_CONTROL_WORDS, HTZ_CONTROL_REQUEST);
    return HTZ_BAD_VALUE;
  }
  const int fd = htz_control_socket(path, &address, &status, why, why_size);
  if (fd < 0) {
    return status;
  }
  htz_control_patience(fd, ANSWER_S);
  char* text = NULL;
  if (connect(fd, (const struct sockaddr*)&address, sizeof address) != 0) {
    status = failed(path, errno, why, why_size);
  } else {
    send_words(fd, words, n); // who refuses us does not read them, but answers
    text = receive(fd);
    status = text              ? understand(text, reply, path, why, why_size)
             : errno == EAGAIN ? HTZ_IO
                               : failed(path, errno, why, why_size);
    if (!text && status == HTZ_IO && errno == EAGAIN) {
      snprintf(why, why_size, "%s: no answer within %d s", path, ANSWER_S);
    }
  }
  close(fd);
  return status;
}
