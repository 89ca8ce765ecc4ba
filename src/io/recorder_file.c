#include "recorder_private.h"

#include "hertzian/io/sound_out.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
  FRAME_BYTES = HTZ_RECORDER_CHANNELS * (int)sizeof(float),
  PATIENCE = 3, // looks at a disk that takes its time; then a crash counts more than a power cut
};

static ssize_t plain_write(void* context, int fd, const void* bytes, size_t count, off_t at) {
  (void)context;
  return pwrite(fd, bytes, count, at);
}

static const htz_recorder_disk real_disk = {.write = plain_write};

// @return bytes written; fewer than `count` with `error` set
static size_t write_at(htz_take_file* file, const void* bytes, size_t count, int64_t at) {
  const unsigned char* from = bytes;
  size_t done = 0;
  while (done < count) {
    const ssize_t n = file->disk->write(file->disk->context, file->fd, from + done, count - done, at + (int64_t)done);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      // Only the first failure tells why; a write of nothing means a full disk.
      file->error = file->error ? file->error : n < 0 ? errno : ENOSPC;
      break;
    }
    done += (size_t)n;
  }
  file->length = at + (int64_t)done > file->length ? at + (int64_t)done : file->length;
  return done;
}

static sf_count_t on_length(void* user) {
  const htz_take_file* file = user;
  return file->length;
}

static sf_count_t on_seek(sf_count_t offset, int whence, void* user) {
  htz_take_file* file = user;
  const int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position : file->length;
  file->position = from + offset;
  return file->position;
}

static sf_count_t on_read(void* bytes, sf_count_t count, void* user) {
  htz_take_file* file = user;
  const ssize_t n = pread(file->fd, bytes, (size_t)count, file->position);
  file->position += n > 0 ? n : 0;
  return n > 0 ? n : 0;
}

static sf_count_t on_write(const void* bytes, sf_count_t count, void* user) {
  htz_take_file* file = user;
  const sf_count_t done = (sf_count_t)write_at(file, bytes, (size_t)count, file->position);
  file->position += done;
  return done;
}

static sf_count_t on_tell(void* user) {
  const htz_take_file* file = user;
  return file->position;
}

// Make the header say that there are `frames`. It overwrites what is there: no room is needed.
static void write_head(htz_take_file* file, uint64_t frames, uint64_t behind) {
  uint8_t head[HTZ_WAV_HEAD];
  htz_wav_head(head, file->rate_hz, HTZ_RECORDER_CHANNELS, frames, behind);
  if (file->length >= HTZ_WAV_HEAD) {
    if (pwrite(file->fd, head, sizeof head, 0) != (ssize_t)sizeof head && !file->error) {
      file->error = errno ? errno : EIO;
    }
  } else {
    write_at(file, head, sizeof head, 0);
  }
}

static void open_flac(htz_take_file* file) {
  SF_VIRTUAL_IO io = {on_length, on_seek, on_read, on_write, on_tell};
  SF_INFO info = {
      .samplerate = (int)file->rate_hz, .channels = HTZ_RECORDER_CHANNELS, .format = SF_FORMAT_FLAC | SF_FORMAT_PCM_24};
  file->flac = sf_open_virtual(&io, SFM_WRITE, &info, file);
  if (file->flac) {
    sf_command(file->flac, SFC_SET_CLIPPING, NULL, SF_TRUE);
  } else if (!file->error) {
    file->error = EINVAL;
  }
}

static bool is_flac(const char* path) {
  const size_t length = strlen(path), ending = 5;
  return length > ending && strcasecmp(path + length - ending, ".flac") == 0;
}

htz_status htz_take_file_open(htz_take_file* file, const char* path, unsigned rate_hz, const htz_recorder_disk* disk) {
  char target[HTZ_SOUND_PATH_MAX];
  *file = (htz_take_file){.disk = disk ? disk : &real_disk, .rate_hz = rate_hz};
  file->fd = htz_sound_target(path, target) ? -1 : open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file->fd < 0) {
    file->error = errno;
    return HTZ_IO;
  }
  if (is_flac(path)) {
    open_flac(file);
  } else {
    write_head(file, 0, 0);
  }
  if (file->error) {
    const int error = file->error;
    if (file->flac) {
      sf_close(file->flac);
    }
    close(file->fd);
    unlink(target);
    file->error = error;
    return HTZ_IO;
  }
  return HTZ_OK;
}

static void count_clipped(htz_take_file* file, const float* samples, size_t count) {
  for (size_t i = 0; i < count; i++) {
    file->clipped += fabsf(samples[i]) > 1.0f;
  }
}

bool htz_take_file_write(htz_take_file* file, const float* samples, size_t frames) {
  if (file->error) {
    return false;
  }
  if (file->flac) {
    const sf_count_t done = sf_writef_float(file->flac, samples, (sf_count_t)frames);
    if (done != (sf_count_t)frames && !file->error) {
      file->error = EIO; // libsndfile's own complaint, which it keeps to itself
    }
    count_clipped(file, samples, frames * HTZ_RECORDER_CHANNELS);
    file->frames += file->error ? 0 : frames;
    return !file->error;
  }
  const size_t done = write_at(file, samples, frames * FRAME_BYTES, HTZ_WAV_HEAD + (int64_t)file->frames * FRAME_BYTES);
  file->frames += done / FRAME_BYTES;
  return !file->error;
}

// A header that says more than there is would be wrong if the power went while the samples are on their way to the disk.
static void claim(htz_take_file* file, uint64_t frames) {
  if (!file->flac && frames != file->claimed) {
    write_head(file, frames, 0);
    file->claimed = frames;
  }
}

void htz_take_file_tend(htz_take_file* file, htz_disk_sync* sync, bool due) {
  int error = 0;
  if (file->job != 0 && htz_disk_sync_done(sync, file->job, &error)) {
    file->job = 0;
    file->durable = error ? file->durable : file->on_way;
    file->error = file->error ? file->error : error;
  }
  if (file->job == 0 && due) {
    claim(file, file->durable);
    file->on_way = file->frames;
    file->job = htz_disk_sync_data(sync, file->fd);
    file->looks = 0;
  } else if (file->job == 0 || ++file->looks > PATIENCE) {
    claim(file, file->frames);
  }
}

static void cut(htz_take_file* file) {
  const int64_t whole = HTZ_WAV_HEAD + (int64_t)file->frames * FRAME_BYTES;
  if (file->length > whole && ftruncate(file->fd, whole) == 0) {
    file->length = whole;
  }
}

static void finish_wav(htz_take_file* file, const htz_wav_mark* marks, size_t n_marks) {
  uint8_t* bytes = NULL;
  cut(file);
  const int64_t end = file->length;
  const size_t behind = file->error ? 0 : htz_wav_marks(marks, n_marks, &bytes);
  const bool whole = behind > 0 && write_at(file, bytes, behind, end) == behind;
  if (behind > 0 && !whole && ftruncate(file->fd, end) == 0) {
    file->length = end;
  }
  free(bytes);
  write_head(file, file->frames, whole ? behind : 0);
}

bool htz_take_file_close(htz_take_file* file, const htz_wav_mark* marks, size_t n_marks, htz_disk_sync* sync) {
  int error = 0;
  if (file->flac) {
    sf_close(file->flac);
    file->flac = NULL;
  } else {
    finish_wav(file, marks, n_marks);
  }
  file->job = htz_disk_sync_close(sync, file->fd, &error);
  file->fd = -1;
  file->error = file->error ? file->error : error;
  return !file->error;
}
