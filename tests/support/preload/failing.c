// Preloaded into the program: one kind of call to the system fails from its n-th time on, or that time only.
//
//   HTZ_FAIL=memory|open|thread  HTZ_FAIL_AT=n (from 1)  HTZ_FAIL_ONCE=1  HTZ_FAIL_MARK=descriptor: a byte goes there at the first failure
//
// Or the disk hangs: HTZ_HANG_AT milliseconds after the first write to a place in a file, for HTZ_HANG_MS, every such write waits.
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

// The C library's own, which need no looking up: that would allocate.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

typedef enum { NOTHING = 0, MEMORY, OPEN, THREAD } kind;

static struct {
  kind kind;
  long at;
  bool once;
  int mark;
  atomic_long calls;
} plan;

static long number(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text ? strtol(text, NULL, 10) : otherwise;
}

static struct {
  long at_ms, for_ms;
  atomic_long began_ms; // 0: no write yet
} hang;

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void hang_if_due(void) {
  const long now = now_ms();
  long none = 0;
  if (hang.for_ms == 0) {
    return;
  }
  atomic_compare_exchange_strong(&hang.began_ms, &none, now);
  const long since = now - atomic_load(&hang.began_ms);
  if (since >= hang.at_ms && since < hang.at_ms + hang.for_ms) {
    const long left = hang.at_ms + hang.for_ms - since;
    nanosleep(&(struct timespec){left / 1000, left % 1000 * 1000000L}, NULL);
  }
}

__attribute__((constructor)) static void read_plan(void) {
  static const char* const names[] = {[MEMORY] = "memory", [OPEN] = "open", [THREAD] = "thread"};
  const char* wanted = getenv("HTZ_FAIL");
  hang.at_ms = number("HTZ_HANG_AT", 0);
  hang.for_ms = number("HTZ_HANG_MS", 0);
  plan.at = number("HTZ_FAIL_AT", 1);
  plan.once = number("HTZ_FAIL_ONCE", 0) != 0;
  plan.mark = (int)number("HTZ_FAIL_MARK", -1);
  for (int i = MEMORY; wanted && i <= THREAD; ++i) {
    plan.kind = strcmp(wanted, names[i]) == 0 ? (kind)i : plan.kind;
  }
}

static bool fails(kind what, int error) {
  if (plan.kind != what) {
    return false;
  }
  const long call = atomic_fetch_add(&plan.calls, 1) + 1;
  const bool now = plan.once ? call == plan.at : call >= plan.at;
  if (call == plan.at && plan.mark >= 0 && write(plan.mark, "x", 1) != 1) {
    abort();
  }
  errno = now ? error : errno;
  return now;
}

static void* find(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

void* malloc(size_t size) {
  return fails(MEMORY, ENOMEM) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return fails(MEMORY, ENOMEM) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
  return fails(MEMORY, ENOMEM) ? NULL : __libc_realloc(memory, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return fails(MEMORY, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  void* memory = fails(MEMORY, ENOMEM) ? NULL : __libc_memalign(alignment, size);
  if (memory) {
    *out = memory;
  }
  return memory ? 0 : ENOMEM;
}

static mode_t mode_of(int how, va_list* args) {
  return how & O_CREAT ? va_arg(*args, mode_t) : 0;
}

int open(const char* path, int how, ...) {
  int (*real)(const char*, int, ...);
  va_list args;
  va_start(args, how);
  const mode_t mode = mode_of(how, &args);
  va_end(args);
  *(void**)&real = find("open");
  return fails(OPEN, EMFILE) ? -1 : real(path, how, mode);
}

FILE* fopen(const char* path, const char* how) {
  FILE* (*real)(const char*, const char*);
  *(void**)&real = find("fopen");
  return fails(OPEN, EMFILE) ? NULL : real(path, how);
}

DIR* opendir(const char* path) {
  DIR* (*real)(const char*);
  *(void**)&real = find("opendir");
  return fails(OPEN, EMFILE) ? NULL : real(path);
}

int mkstemp(char* name) {
  int (*real)(char*);
  *(void**)&real = find("mkstemp");
  return fails(OPEN, EMFILE) ? -1 : real(name);
}

int pipe(int ends[2]) {
  int (*real)(int[2]);
  *(void**)&real = find("pipe");
  return fails(OPEN, EMFILE) ? -1 : real(ends);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  int (*real)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  *(void**)&real = find("pthread_create");
  return fails(THREAD, EAGAIN) ? EAGAIN : real(thread, attributes, run, argument);
}

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t at) {
  ssize_t (*real)(int, const void*, size_t, off_t);
  *(void**)&real = find("pwrite");
  hang_if_due();
  return real(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void* bytes, size_t count, off64_t at) {
  ssize_t (*real)(int, const void*, size_t, off64_t);
  *(void**)&real = find("pwrite64");
  hang_if_due();
  return real(fd, bytes, count, at);
}
