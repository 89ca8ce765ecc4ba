#include "audio_library.h"

#include "hertzian/base/status.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

void* htz_library_open(const char* const* names) {
  void* library = NULL;
  int error = ENOENT;
  for (; *names && !library; ++names) {
    errno = 0;
    library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    error = htz_status_starved(htz_status_of_errno(errno, HTZ_NOT_FOUND)) ? errno : error;
  }
  errno = library ? 0 : error;
  return library;
}

bool htz_library_find(void* library, const char* name, void* function) {
  void* address = dlsym(library, name);
  memcpy(function, &address, sizeof address); // ISO C has no conversion from an object pointer
  return address != NULL;
}

static void alsa_says_nothing(const char* file, int line, const char* function, int error, const char* format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  (void)format;
}

static void jack_says_nothing(const char* text) {
  (void)text;
}

typedef void (*alsa_handler)(const char* file, int line, const char* function, int error, const char* format, ...);

void htz_library_silence(void* library) {
  int (*set_alsa)(alsa_handler);
  void (*set_jack)(void (*)(const char*));
  if (htz_library_find(library, "snd_lib_error_set_handler", &set_alsa)) {
    set_alsa(alsa_says_nothing);
  }
  if (htz_library_find(library, "jack_set_error_function", &set_jack)) {
    set_jack(jack_says_nothing);
  }
  if (htz_library_find(library, "jack_set_info_function", &set_jack)) {
    set_jack(jack_says_nothing);
  }
}

// One at a time would wait for a server that hangs; they are away together, and back with the last.
static pthread_mutex_t stderr_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned stderr_away;
static int stderr_saved;

static bool send_away(void) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) {
    return false;
  }
  stderr_saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (stderr_saved >= 0) {
    dup2(nowhere, STDERR_FILENO);
  }
  close(nowhere);
  return stderr_saved >= 0;
}

bool htz_stderr_away(bool away) {
  if (!away) {
    return false;
  }
  pthread_mutex_lock(&stderr_lock);
  const bool is_away = stderr_away > 0 || send_away();
  stderr_away += is_away;
  pthread_mutex_unlock(&stderr_lock);
  return is_away;
}

void htz_stderr_back(bool is_away) {
  if (!is_away) {
    return;
  }
  pthread_mutex_lock(&stderr_lock);
  if (--stderr_away == 0) {
    dup2(stderr_saved, STDERR_FILENO);
    close(stderr_saved);
  }
  pthread_mutex_unlock(&stderr_lock);
}
