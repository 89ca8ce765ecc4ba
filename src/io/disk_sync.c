#include "hertzian/io/disk_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  JOBS = 64, // waiting, and done ones that are remembered
};

/** Something to be done: a file to be synced, and perhaps closed, or a name. */
typedef struct {
  int fd; ///< -1: a name
  bool last;
  char* name; ///< owned
  int error;
} job;

struct htz_disk_sync {
  htz_disk_sync_call call;
  void* context;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  // Guarded by `lock`.
  uint64_t asked, done; // jobs so far
  bool leaving;
  job jobs[JOBS]; // job n stands at n % JOBS; one that is done keeps its error until its place is needed
};

static int sync_data(void* context, int fd) {
  (void)context;
  return fdatasync(fd);
}

void htz_sync_folder_of(const char* path) {
  const char* slash = strrchr(path, '/');
  char* folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : NULL;
  const int fd = slash && !folder ? -1 : open(folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
  free(folder);
}

// @return errno, 0 none
static int bring(const htz_disk_sync* sync, int fd, bool last) {
  // Neither a device nor a pipe can be synced, and nothing of them could be lost.
  int error = sync->call(sync->context, fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS ? errno : 0;
  if (last && close(fd) != 0 && errno != EINTR && !error) {
    error = errno;
  }
  return error;
}

static void* run(void* user) {
  htz_disk_sync* sync = user;
  pthread_mutex_lock(&sync->lock);
  for (;;) {
    while (sync->done == sync->asked && !sync->leaving) {
      pthread_cond_wait(&sync->changed, &sync->lock);
    }
    if (sync->done == sync->asked) {
      break;
    }
    job* next = &sync->jobs[(sync->done + 1) % JOBS];
    pthread_mutex_unlock(&sync->lock); // its place is not touched before it is done
    if (next->fd >= 0) {
      next->error = bring(sync, next->fd, next->last);
    } else {
      htz_sync_folder_of(next->name);
    }
    free(next->name);
    next->name = NULL;
    pthread_mutex_lock(&sync->lock);
    sync->done++;
  }
  pthread_mutex_unlock(&sync->lock);
  return NULL;
}

htz_status htz_disk_sync_new(htz_disk_sync_call call, void* context, htz_disk_sync** out) {
  *out = NULL;
  htz_disk_sync* sync = calloc(1, sizeof *sync);
  if (!sync) {
    return HTZ_NO_MEMORY;
  }
  sync->call = call ? call : sync_data;
  sync->context = context;
  pthread_mutex_init(&sync->lock, NULL);
  pthread_cond_init(&sync->changed, NULL);
  if (pthread_create(&sync->thread, NULL, run, sync) != 0) {
    pthread_cond_destroy(&sync->changed);
    pthread_mutex_destroy(&sync->lock);
    free(sync);
    return HTZ_NO_THREAD;
  }
  *out = sync;
  return HTZ_OK;
}

// @return the job, 0 without room: half of the places are for the errors of those that are done
static uint64_t ask(htz_disk_sync* sync, job wanted) {
  pthread_mutex_lock(&sync->lock);
  const bool room = sync->asked - sync->done < JOBS / 2;
  const uint64_t number = room ? ++sync->asked : 0;
  if (room) {
    sync->jobs[number % JOBS] = wanted;
    pthread_cond_signal(&sync->changed);
  }
  pthread_mutex_unlock(&sync->lock);
  return number;
}

uint64_t htz_disk_sync_data(htz_disk_sync* sync, int fd) {
  return ask(sync, (job){.fd = fd});
}

uint64_t htz_disk_sync_close(htz_disk_sync* sync, int fd, int* error) {
  const uint64_t number = ask(sync, (job){.fd = fd, .last = true});
  *error = number == 0 ? bring(sync, fd, true) : 0;
  return number;
}

void htz_disk_sync_name(htz_disk_sync* sync, const char* path) {
  job wanted = {.fd = -1, .name = strdup(path)};
  if (wanted.name && ask(sync, wanted) == 0) {
    free(wanted.name);
  }
}

bool htz_disk_sync_done(htz_disk_sync* sync, uint64_t number, int* error) {
  pthread_mutex_lock(&sync->lock);
  const bool done = number <= sync->done;
  if (error) {
    *error = done && number > 0 && sync->asked - number < JOBS ? sync->jobs[number % JOBS].error : 0;
  }
  pthread_mutex_unlock(&sync->lock);
  return done;
}

void htz_disk_sync_free(htz_disk_sync* sync) {
  if (!sync) {
    return;
  }
  pthread_mutex_lock(&sync->lock);
  sync->leaving = true;
  pthread_cond_signal(&sync->changed);
  pthread_mutex_unlock(&sync->lock);
  pthread_join(sync->thread, NULL);
  pthread_cond_destroy(&sync->changed);
  pthread_mutex_destroy(&sync->lock);
  free(sync);
}
