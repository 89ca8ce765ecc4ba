#include "sink.h"

#include "hertzian/io/disk_sync.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char no_clobber_text[] = "exists already and is kept (--no-clobber)";

// Keeps the first reason: what follows a failure is only its consequence.
static bool fail(htz_sink* sink, int error) {
  if (!sink->error) {
    sink->error = error ? error : EIO;
  }
  return false;
}

static bool fail_text(htz_sink* sink, int error, const char* text) {
  if (!sink->error) {
    sink->error = error;
    sink->error_text = text;
  }
  return false;
}

static bool is_stdout(const char* path) {
  return strcmp(path, "-") == 0;
}

// A file without a name, which goes away with the process whatever happens to it.
static int open_unlinked(void) {
  const char* folder = getenv("TMPDIR");
  char name[HTZ_SOUND_PATH_MAX];
  const int length = snprintf(name, sizeof name, "%s/hertzian-XXXXXX", folder && *folder ? folder : "/tmp");
  if (length < 0 || (size_t)length >= sizeof name) {
    errno = ENAMETOOLONG;
    return -1;
  }
  const int fd = mkstemp(name);
  if (fd >= 0) {
    unlink(name);
  }
  return fd;
}

htz_status htz_temporary_file(FILE** out, char why[HTZ_SOUND_WHY]) {
  const int fd = open_unlinked();
  *out = fd >= 0 ? fdopen(fd, "w+b") : NULL;
  if (!*out) {
    const int error = errno;
    snprintf(why, HTZ_SOUND_WHY, "no temporary file can be made (TMPDIR says where): %s", strerror(error));
    if (fd >= 0) {
      close(fd);
    }
    return htz_status_of_errno(error, HTZ_IO);
  }
  return HTZ_OK;
}

static htz_status open_stream(htz_sink* sink, const char* path, bool seekable) {
  const int fd = is_stdout(path) ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) {
    const int error = errno;
    fail(sink, error);
    return htz_status_of_errno(error, HTZ_IO);
  }
  if (!seekable) {
    sink->kind = HTZ_SINK_DIRECT;
    sink->fd = fd;
    return HTZ_OK;
  }
  sink->kind = HTZ_SINK_COPIED;
  sink->stream_fd = fd;
  sink->fd = open_unlinked();
  if (sink->fd < 0) {
    const htz_status status = htz_status_of_errno(errno, HTZ_IO);
    fail_text(sink, errno, status == HTZ_IO ? "no temporary file can be made (TMPDIR says where)" : NULL);
    return status;
  }
  return HTZ_OK;
}

static htz_status open_part(htz_sink* sink, const char* path) {
  sink->kind = HTZ_SINK_FILE;
  const char* why = NULL;
  const int error = htz_part_open(&sink->part, path, sink->no_clobber, &why);
  if (error) {
    fail_text(sink, error, error == EEXIST && !why ? no_clobber_text : why);
    return htz_status_of_errno(error, HTZ_IO);
  }
  sink->fd = sink->part.fd;
  return HTZ_OK;
}

htz_status htz_sink_open(htz_sink* sink, const char* path, bool seekable, bool no_clobber) {
  sink->fd = -1;
  sink->stream_fd = -1;
  sink->no_clobber = no_clobber;
  sink->committed = false;
  sink->error = 0;
  sink->error_text = NULL;
  sink->position = 0;
  sink->length = 0;
  sink->fill = 0;
  sink->part.name[0] = '\0';
  sink->part.fd = -1;
  char part[HTZ_SOUND_PATH_MAX]; // empty for what is written directly
  const bool direct = htz_sound_part_name(path, part) == HTZ_OK && !part[0];
  const htz_status status = direct ? open_stream(sink, path, seekable) : open_part(sink, path);
  if (status) {
    htz_sink_close(sink);
  }
  return status;
}

static bool write_all(htz_sink* sink, int fd, const unsigned char* bytes, size_t count, int64_t at) {
  while (count > 0) {
    const ssize_t done = at >= 0 ? pwrite(fd, bytes, count, (off_t)at) : write(fd, bytes, count);
    if (done < 0) {
      if (errno == EINTR) {
        continue;
      }
      return fail(sink, errno);
    }
    if (done == 0) {
      return fail(sink, ENOSPC);
    }
    bytes += done;
    count -= (size_t)done;
    at += at >= 0 ? done : 0;
  }
  return true;
}

static bool flush(htz_sink* sink) {
  if (sink->error) {
    return false;
  }
  const size_t count = sink->fill;
  sink->fill = 0;
  const int64_t at = sink->kind == HTZ_SINK_DIRECT ? -1 : sink->position - (int64_t)count;
  return count == 0 || write_all(sink, sink->fd, sink->buffer, count, at);
}

bool htz_sink_write(htz_sink* sink, const void* bytes, size_t count) {
  const unsigned char* from = bytes;
  while (count > 0) {
    if (sink->error || (sink->fill == HTZ_SINK_BUFFER && !flush(sink))) {
      return false;
    }
    const size_t room = HTZ_SINK_BUFFER - sink->fill;
    const size_t take = count < room ? count : room;
    memcpy(sink->buffer + sink->fill, from, take);
    sink->fill += take;
    sink->position += (int64_t)take;
    from += take;
    count -= take;
  }
  if (sink->position > sink->length) {
    sink->length = sink->position;
  }
  return !sink->error;
}

bool htz_sink_seek(htz_sink* sink, int64_t position) {
  if (sink->kind == HTZ_SINK_DIRECT || position < 0) {
    return fail(sink, ESPIPE);
  }
  if (position != sink->position) {
    if (!flush(sink)) {
      return false;
    }
    sink->position = position;
  }
  return true;
}

size_t htz_sink_read(htz_sink* sink, void* bytes, size_t count) {
  if (sink->kind == HTZ_SINK_DIRECT || !flush(sink)) {
    return 0;
  }
  const ssize_t done = pread(sink->fd, bytes, count, (off_t)sink->position);
  if (done < 0) {
    fail(sink, errno);
    return 0;
  }
  sink->position += done;
  return (size_t)done;
}

static bool copy_out(htz_sink* sink) {
  for (int64_t at = 0; at < sink->length;) {
    const int64_t rest = sink->length - at;
    const size_t want = rest < HTZ_SINK_BUFFER ? (size_t)rest : HTZ_SINK_BUFFER;
    const ssize_t got = pread(sink->fd, sink->buffer, want, (off_t)at);
    if (got <= 0) {
      return fail(sink, got < 0 ? errno : EIO);
    }
    if (!write_all(sink, sink->stream_fd, sink->buffer, (size_t)got, -1)) {
      return false;
    }
    at += got;
  }
  return true;
}

static bool close_fd(htz_sink* sink, int* fd) {
  const int closing = *fd;
  *fd = -1;
  if (closing >= 0 && closing != STDOUT_FILENO && close(closing) != 0 && errno != EINTR) {
    return fail(sink, errno);
  }
  return true;
}

static bool take_place(htz_sink* sink) {
  const char* why = NULL;
  const int error = htz_part_take_place(&sink->part, sink->no_clobber, &why);
  return !error || fail_text(sink, error, error == EEXIST && !why ? no_clobber_text : why);
}

htz_status htz_sink_commit(htz_sink* sink) {
  bool ok = flush(sink);
  switch (sink->kind) {
  case HTZ_SINK_FILE:
    // EINVAL and the like: a file system that has no such operation, and nothing to report.
    if (ok && fsync(sink->fd) != 0 && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS && errno != EINTR) {
      ok = fail(sink, errno);
    }
    ok = ok && take_place(sink);
    if (ok) {
      htz_sync_folder_of(sink->part.target); // or a power cut could leave the old name
    }
    ok = ok && close_fd(sink, &sink->fd); // closed last: it holds the lock
    break;
  case HTZ_SINK_COPIED:
    ok = ok && copy_out(sink);
    ok = close_fd(sink, &sink->stream_fd) && ok;
    break;
  case HTZ_SINK_DIRECT:
    ok = close_fd(sink, &sink->fd) && ok;
    break;
  }
  sink->committed = ok;
  return ok ? HTZ_OK : HTZ_IO;
}

void htz_sink_close(htz_sink* sink) {
  htz_part_drop(&sink->part);
  close_fd(sink, &sink->fd);
  close_fd(sink, &sink->stream_fd);
}

const char* htz_sink_error(const htz_sink* sink) {
  if (sink->error_text) {
    return sink->error_text;
  }
  return sink->error ? strerror(sink->error) : "no error";
}
