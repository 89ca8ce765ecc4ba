#include "hertzian/io/sound_in.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sndfile.h>
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
  const char* fault;
  float* samples; // [PIECE][channels]
};

// A file that can be sought in, and is not empty. @return its descriptor, or -1
static int open_regular(const char* path, htz_status* st, char why[HTZ_SOUND_IN_WHY]) {
  struct stat info;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO would wait for a writer
  if (fd < 0 || fstat(fd, &info) != 0) {
    *st = errno == ENOENT ? HTZ_NOT_FOUND : HTZ_IO;
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

static htz_status open_sound(int fd, htz_sound_in* in, htz_sound_in_info* info, char why[HTZ_SOUND_IN_WHY]) {
  SF_INFO found = {0};
  in->file = sf_open_fd(fd, SFM_READ, &found, SF_TRUE);
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

static void mix_down(const htz_sound_in* in, float* mono, size_t frames) {
  const float* at = in->samples;
  for (size_t i = 0; i < frames; ++i) {
    double sum = 0.0;
    for (unsigned c = 0; c < in->channels; ++c) {
      sum += (double)*at++;
    }
    const float mean = (float)(sum / in->channels);
    mono[i] = isfinite(mean) ? mean : 0.0f;
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
  return done;
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
