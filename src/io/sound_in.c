#include "hertzian/io/sound_in.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sndfile.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1024 }; // frames converted at a time

struct htz_sound_in {
  SNDFILE* file;
  unsigned channels;
  uint64_t promised, read; // frames
  uint64_t meant;          // frames that a WAV file's header speaks of, where the file is shorter; else 0
  htz_sound_in_count count;
  const char* fault;
  char short_text[HTZ_SOUND_IN_WHY];
  float* samples; // [PIECE][channels]
};

// A file that can be sought in, and is not empty. @return its descriptor, or -1
static int open_regular(const char* path, htz_status* st, char why[HTZ_SOUND_IN_WHY]) {
  struct stat info;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO would wait for a writer
  if (fd < 0 || fstat(fd, &info) != 0) {
    *st = errno == ENOENT ? HTZ_NOT_FOUND : htz_status_of_errno(errno, HTZ_IO);
    snprintf(why, HTZ_SOUND_IN_WHY, "%s", strerror(errno));
  } else if (!S_ISREG(info.st_mode)) {
    *st = HTZ_IO;
    snprintf(why, HTZ_SOUND_IN_WHY, "%s", S_ISDIR(info.st_mode) ? "is a folder" : "is not a regular file");
  } else if (info.st_size == 0) {
    *st = HTZ_BAD_INPUT;
    snprintf(why, HTZ_SOUND_IN_WHY, "is empty");
  } else {
    return fd;
  }
  if (fd >= 0) {
    close(fd);
  }
  return -1;
}

static uint32_t little(const uint8_t* at) {
  return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/**
   Frames that the header of a RIFF file promises and its length does not hold, with those that it does: libsndfile takes what is
   there without a word. 0: nothing is missing, or that cannot be told (a size of 0 or of all ones is one not filled in).
*/
static uint64_t frames_meant(int fd) {
  enum { HEAD = 12, CHUNK = 8, FORMAT = 16, BLOCK_AT = 12, CHUNKS_MAX = 64 };
  uint8_t head[HEAD], chunk[CHUNK], format[FORMAT];
  struct stat info;
  uint32_t block = 0;
  off_t at = HEAD;
  if (fstat(fd, &info) != 0 || pread(fd, head, HEAD, 0) != HEAD || memcmp(head, "RIFF", 4) != 0) {
    return 0;
  }
  for (int i = 0; i < CHUNKS_MAX && pread(fd, chunk, CHUNK, at) == CHUNK; ++i) {
    const uint32_t size = little(chunk + 4);
    if (memcmp(chunk, "fmt ", 4) == 0 && pread(fd, format, FORMAT, at + CHUNK) == FORMAT) {
      block = (uint32_t)format[BLOCK_AT] | (uint32_t)format[BLOCK_AT + 1] << 8;
    }
    if (memcmp(chunk, "data", 4) == 0) {
      const bool told = size > 0 && size < UINT32_MAX && block > 0;
      return told && at + CHUNK + (off_t)size > info.st_size ? size / block : 0;
    }
    at += CHUNK + (off_t)size + (off_t)(size & 1u);
  }
  return 0;
}

static htz_status open_sound(int fd, htz_sound_in* in, htz_sound_in_info* info, char why[HTZ_SOUND_IN_WHY]) {
  SF_INFO found = {0};
  in->meant = frames_meant(fd);
  errno = 0; // libsndfile does not tell a wrong file from a lack of memory; the allocator does
  in->file = sf_open_fd(fd, SFM_READ, &found, SF_TRUE);
  const htz_status st = htz_status_of_errno(errno, HTZ_OK);
  if (!in->file && st) {
    snprintf(why, HTZ_SOUND_IN_WHY, "%s", htz_status_text(st));
    return st;
  }
  if (!in->file) {
    snprintf(why, HTZ_SOUND_IN_WHY, "not an audio file that can be read: %s", sf_strerror(NULL));
    why[strcspn(why, "\r\n")] = '\0';
    return HTZ_BAD_INPUT;
  }
  if (found.frames <= 0 || found.channels <= 0 || found.samplerate <= 0) {
    snprintf(why, HTZ_SOUND_IN_WHY, "there is no sound in it");
    return HTZ_BAD_INPUT;
  }
  in->channels = (unsigned)found.channels;
  in->promised = (uint64_t)found.frames;
  in->samples = malloc(sizeof(float) * PIECE * in->channels);
  if (!in->samples) {
    snprintf(why, HTZ_SOUND_IN_WHY, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  *info = (htz_sound_in_info){(uint32_t)found.samplerate, in->channels, in->promised};
  return HTZ_OK;
}

htz_status htz_sound_in_open(const char* path, htz_sound_in** out, htz_sound_in_info* info, char why[HTZ_SOUND_IN_WHY]) {
  htz_status st = HTZ_OK;
  *out = NULL;
  const int fd = open_regular(path, &st, why);
  if (fd < 0) {
    return st;
  }
  htz_sound_in* in = calloc(1, sizeof *in);
  if (!in) {
    close(fd);
    snprintf(why, HTZ_SOUND_IN_WHY, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  st = open_sound(fd, in, info, why); // the descriptor is libsndfile's now, whatever comes of it
  if (st) {
    htz_sound_in_free(in);
    return st;
  }
  *out = in;
  return HTZ_OK;
}

static float sane(htz_sound_in_count* count, float value) {
  static const float most = HTZ_SOUND_IN_MOST;
  if (!isfinite(value)) {
    ++count->broken;
    return 0.0f;
  }
  count->beyond += fabsf(value) > most;
  return value > most ? most : value < -most ? -most : value;
}

static void mix_down(htz_sound_in* in, float* mono, size_t frames) {
  const float* at = in->samples;
  for (size_t i = 0; i < frames; ++i) {
    double sum = 0.0;
    for (unsigned c = 0; c < in->channels; ++c) {
      sum += (double)*at++;
    }
    mono[i] = sane(&in->count, (float)(sum / in->channels));
  }
}

size_t htz_sound_in_read(htz_sound_in* in, float* mono, size_t frames) {
  size_t done = 0;
  while (done < frames && in->read < in->promised) {
    const size_t now = frames - done < PIECE ? frames - done : PIECE;
    const sf_count_t got = sf_readf_float(in->file, in->samples, (sf_count_t)now);
    if (got <= 0) {
      const int error = sf_error(in->file);
      in->fault = error ? sf_error_number(error) : "the file is cut short";
      in->promised = in->read;
      break;
    }
    mix_down(in, mono + done, (size_t)got);
    done += (size_t)got;
    in->read += (uint64_t)got;
  }
  if (in->read == in->promised && in->meant > in->read && !in->fault) {
    snprintf(in->short_text, sizeof in->short_text, "the file is cut short, %llu of %llu frames are there",
             (unsigned long long)in->read, (unsigned long long)in->meant);
    in->fault = in->short_text;
  }
  return done;
}

htz_sound_in_count htz_sound_in_counted(const htz_sound_in* in) {
  return in->count;
}

const char* htz_sound_in_fault(const htz_sound_in* in) {
  return in->fault;
}

void htz_sound_in_free(htz_sound_in* in) {
  if (in) {
    if (in->file) {
      sf_close(in->file);
    }
    free(in->samples);
    free(in);
  }
}
