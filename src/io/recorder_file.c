#include "recorder_private.h"

#include "hertzian/io/sound_out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { FRAME_BYTES = HTZ_RECORDER_CHANNELS * (int)sizeof(float) };

static ssize_t plain_write(void* context, int fd, const void* bytes, size_t count, off_t at) {
  (void)context;
  return pwrite(fd, bytes, count, at);
}

static const htz_recorder_disk real_disk = {.write = plain_write};

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
  const unsigned char* at = bytes;
  sf_count_t done = 0;
  while (done < count) {
    const ssize_t n = file->disk->write(file->disk->context, file->fd, at + done, (size_t)(count - done), file->position);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      // Only the first failure tells why; a write of nothing means a full disk.
      file->error = file->error ? file->error : n < 0 ? errno : ENOSPC;
      break;
    }
    done += n;
    file->position += n;
    file->length = file->position > file->length ? file->position : file->length;
  }
  return done;
}

static sf_count_t on_tell(void* user) {
  const htz_take_file* file = user;
  return file->position;
}

htz_status htz_take_file_open(htz_take_file* file, const char* path, unsigned rate_hz, const htz_recorder_disk* disk) {
  char target[HTZ_SOUND_PATH_MAX];
  *file = (htz_take_file){.disk = disk ? disk : &real_disk};
  file->fd = htz_sound_target(path, target) ? -1 : open(target, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file->fd < 0) {
    file->error = errno;
    return HTZ_IO;
  }
  SF_VIRTUAL_IO io = {on_length, on_seek, on_read, on_write, on_tell};
  SF_INFO info = {.samplerate = (int)rate_hz, .channels = HTZ_RECORDER_CHANNELS, .format = SF_FORMAT_RF64 | SF_FORMAT_FLOAT};
  file->sound = sf_open_virtual(&io, SFM_WRITE, &info, file);
  if (file->sound) {
    sf_command(file->sound, SFC_RF64_AUTO_DOWNGRADE, NULL, SF_TRUE);
    sf_command(file->sound, SFC_UPDATE_HEADER_NOW, NULL, 0);
    file->data_at = file->length;
  }
  if (!file->sound || file->error || file->data_at == 0) {
    const int error = file->error ? file->error : EIO;
    if (file->sound) {
      sf_close(file->sound);
    }
    close(file->fd);
    unlink(target);
    file->error = error;
    return HTZ_IO;
  }
  return HTZ_OK;
}

bool htz_take_file_write(htz_take_file* file, const float* samples, size_t frames) {
  if (file->error) {
    return false;
  }
  const sf_count_t done = sf_writef_float(file->sound, samples, (sf_count_t)frames);
  if (done != (sf_count_t)frames && !file->error) {
    file->error = EIO; // libsndfile's own complaint, which it keeps to itself
  }
  file->frames = (uint64_t)(file->length - file->data_at) / FRAME_BYTES;
  return !file->error;
}

/*
   In a file without samples libsndfile forgets the data chunk's own header when it fills in RIFF's size.
*/
static void repair_empty(htz_take_file* file) {
  enum { SIZE_AT = 4, SIZE_BYTES = 4 }; // RIFF's size field, which counts what follows it
  const uint32_t size = (uint32_t)(file->length - SIZE_AT - SIZE_BYTES);
  const unsigned char bytes[SIZE_BYTES] = {(unsigned char)size, (unsigned char)(size >> 8), (unsigned char)(size >> 16),
                                           (unsigned char)(size >> 24)};
  if (pwrite(file->fd, bytes, sizeof bytes, SIZE_AT) != SIZE_BYTES && !file->error) {
    file->error = EIO;
  }
}

static void cut(htz_take_file* file) {
  const int64_t whole = file->data_at + (int64_t)file->frames * FRAME_BYTES;
  if (file->length > whole && ftruncate(file->fd, whole) == 0) {
    file->length = whole;
  }
}

void htz_take_file_sync(htz_take_file* file) {
  sf_command(file->sound, SFC_UPDATE_HEADER_NOW, NULL, 0);
  if (file->frames == 0) {
    repair_empty(file);
  }
}

bool htz_take_file_close(htz_take_file* file) {
  cut(file);
  const int64_t end = file->length;
  sf_close(file->sound);
  file->sound = NULL;
  if (file->length > end && ftruncate(file->fd, end) == 0) {
    file->length = end; // nothing belongs behind the samples
  }
  if (file->frames == 0) {
    repair_empty(file);
  }
  if (fsync(file->fd) != 0 && errno != EINVAL && !file->error) {
    file->error = errno;
  }
  if (close(file->fd) != 0 && !file->error) {
    file->error = errno;
  }
  return !file->error;
}
