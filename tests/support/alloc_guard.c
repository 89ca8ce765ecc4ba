// The allocator guard: linked into a test program, it aborts the process when memory is allocated or freed between
// htz_rt_enter() and htz_rt_leave() on the calling thread, whoever asks: our code or a library's.
//
// With glibc the allocator's names are taken over and passed on; under a sanitizer, whose allocator must stay in place, its
// own hooks are used. On any other system the guard is absent and says so (htz_alloc_guard_active).
#include "alloc_guard.h"

#include "hertzian/base/rt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || HAS_FEATURE(address_sanitizer) ||                         \
    HAS_FEATURE(thread_sanitizer)
#define GUARD_BY_HOOKS 1
#elif defined(__GLIBC__)
#define GUARD_BY_NAMES 1
#endif

#if GUARD_BY_HOOKS || GUARD_BY_NAMES

// Only what is safe with the heap in any state: no stdio.
static void refuse(const char* what) {
  static const char text[] = ": heap used on the audio thread\n";
  ssize_t done = write(STDERR_FILENO, what, strlen(what));
  done += write(STDERR_FILENO, text, sizeof text - 1);
  (void)done;
  abort();
}

#endif

#if GUARD_BY_HOOKS

// From the sanitizers' allocator_interface.h, which gcc does not install.
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, size_t),
                                              void (*on_free)(const volatile void*));

static void on_malloc(const volatile void* memory, size_t size) {
  (void)memory;
  (void)size;
  if (htz_rt_inside()) {
    htz_rt_leave(); // abort() may allocate for its report
    refuse("malloc");
  }
}

static void on_free(const volatile void* memory) {
  if (memory && htz_rt_inside()) {
    htz_rt_leave();
    refuse("free");
  }
}

__attribute__((constructor)) static void install(void) {
  __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}

bool htz_alloc_guard_active(void) {
  return true;
}

#elif GUARD_BY_NAMES

#include <errno.h>

// glibc's own names for its allocator; exported, declared nowhere.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* memory, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
void __libc_free(void* memory);

// Seen by libraries, too, however the rest is compiled: a library's use counts.
#pragma GCC visibility push(default)

static void check(const char* what) {
  if (htz_rt_inside()) {
    refuse(what);
  }
}

void* malloc(size_t size) {
  check("malloc");
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  check("calloc");
  return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size) {
  check("realloc");
  return __libc_realloc(memory, size);
}

void free(void* memory) {
  if (memory) {
    check("free");
  }
  __libc_free(memory);
}

void* aligned_alloc(size_t alignment, size_t size) {
  check("aligned_alloc");
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  check("posix_memalign");
  if (alignment < sizeof(void*) || (alignment & (alignment - 1))) {
    return EINVAL;
  }
  void* memory = __libc_memalign(alignment, size);
  if (!memory) {
    return ENOMEM;
  }
  *out = memory;
  return 0;
}

#pragma GCC visibility pop

bool htz_alloc_guard_active(void) {
  return true;
}

#else

bool htz_alloc_guard_active(void) {
  return false;
}

#endif

bool htz_alloc_guard_sees_aligned(void) {
#if defined(__SANITIZE_THREAD__) || HAS_FEATURE(thread_sanitizer)
  return false;
#else
  return htz_alloc_guard_active();
#endif
}
