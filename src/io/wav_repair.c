#include "hertzian/io/wav_repair.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  FORM = 12,   // RIFF, size, WAVE
  CHUNK = 8,   // a chunk's name and size
  FORMAT = 16, // of a fmt chunk, at least
  SIZES = 28,  // of a ds64 chunk, at least
  WORD = 4,
  LONG = 8,
  RATE_AT = 4,
  BLOCK_AT = 12,
};

/** A chunk: where its name stands, and what it says of its size. */
typedef struct {
  char name[WORD + 1];
  uint64_t at, size;
} chunk;

typedef struct {
  int fd;
  uint64_t size; // of the file
  bool is_long;  // RF64 or BW64
  uint64_t long_data;
  uint64_t sizes_at; // body of the ds64 chunk, or of JUNK that is as large; 0 none
  uint64_t fact_at;  // likewise
  chunk data;
} wav;

static uint64_t number(const uint8_t* bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = count; i > 0; i--) {
    value = value << 8 | bytes[i - 1];
  }
  return value;
}

static bool read_at(const wav* w, void* bytes, size_t count, uint64_t at) {
  return at + count <= w->size && pread(w->fd, bytes, count, (off_t)at) == (ssize_t)count;
}

static bool write_number(const wav* w, uint64_t value, size_t count, uint64_t at) {
  uint8_t bytes[LONG];
  for (size_t i = 0; i < count; i++) {
    bytes[i] = (uint8_t)(value >> 8 * i);
  }
  return pwrite(w->fd, bytes, count, (off_t)at) == (ssize_t)count;
}

static bool read_chunk(const wav* w, uint64_t at, chunk* out) {
  uint8_t head[CHUNK];
  if (!read_at(w, head, sizeof head, at)) {
    return false;
  }
  memcpy(out->name, head, WORD);
  out->name[WORD] = '\0';
  out->at = at;
  out->size = number(head + WORD, WORD);
  return true;
}

static bool is(const chunk* c, const char* name) {
  return strcmp(c->name, name) == 0;
}

static bool has_name(const chunk* c) {
  for (int i = 0; i < WORD; i++) {
    if (c->name[i] < ' ' || c->name[i] > '~') {
      return false;
    }
  }
  return true;
}

// What stands before the samples. @return NULL, or what is wrong
static const char* read_head(wav* w, htz_wav_repair_result* result) {
  uint8_t form[FORM], format[FORMAT], sizes[SIZES];
  if (!read_at(w, form, sizeof form, 0)) {
    return "is no WAV file: it is too short";
  }
  w->is_long = memcmp(form, "RF64", WORD) == 0 || memcmp(form, "BW64", WORD) == 0;
  if ((!w->is_long && memcmp(form, "RIFF", WORD) != 0) || memcmp(form + 2 * WORD, "WAVE", WORD) != 0) {
    return "is no WAV file";
  }
  chunk c;
  for (uint64_t at = FORM; read_chunk(w, at, &c); at += CHUNK + c.size + c.size % 2) {
    const uint64_t body = at + CHUNK;
    if (is(&c, "data")) {
      w->data = c;
      return result->block > 0 ? NULL : "has samples and does not say what they are";
    }
    if (is(&c, "fmt ") && c.size >= FORMAT && read_at(w, format, sizeof format, body)) {
      result->channels = (unsigned)number(format + 2, 2);
      result->rate_hz = (unsigned)number(format + RATE_AT, WORD);
      result->block = (unsigned)number(format + BLOCK_AT, 2);
    } else if ((is(&c, "ds64") || (is(&c, "JUNK") && at == FORM)) && c.size >= SIZES && read_at(w, sizes, sizeof sizes, body)) {
      w->sizes_at = body;
      w->long_data = is(&c, "ds64") ? number(sizes + LONG, LONG) : 0;
    } else if (is(&c, "fact") && c.size >= WORD) {
      w->fact_at = body;
    }
  }
  return "has no samples";
}

// Whether chunks follow one after the other from `at` to the end of the file.
static bool chunks_follow(const wav* w, uint64_t at) {
  chunk c;
  while (at < w->size) {
    if (!read_chunk(w, at, &c) || !has_name(&c) || c.size > w->size - at - CHUNK) {
      return false;
    }
    at += CHUNK + c.size;
    at += at < w->size ? c.size % 2 : 0;
  }
  return true;
}

static bool write_sizes(wav* w, uint64_t data, uint64_t frames, char why[HTZ_WAV_REPAIR_WHY]) {
  const uint64_t form = w->size - CHUNK;
  const bool is_long = w->is_long || form > UINT32_MAX - 1;
  bool ok = true;
  if (is_long) {
    ok = write_number(w, form, LONG, w->sizes_at) && write_number(w, data, LONG, w->sizes_at + LONG) &&
         write_number(w, frames, LONG, w->sizes_at + 2 * LONG);
    ok = ok && (w->is_long ||
                (pwrite(w->fd, "ds64", WORD, (off_t)(w->sizes_at - CHUNK)) == WORD && pwrite(w->fd, "RF64", WORD, 0) == WORD));
  }
  ok = ok && write_number(w, is_long ? UINT32_MAX : form, WORD, WORD) &&
       write_number(w, is_long ? UINT32_MAX : data, WORD, w->data.at + WORD) &&
       (w->fact_at == 0 || write_number(w, frames < UINT32_MAX ? frames : UINT32_MAX, WORD, w->fact_at));
  if (!ok || (fsync(w->fd) != 0 && errno != EINVAL)) {
    snprintf(why, HTZ_WAV_REPAIR_WHY, "%s", strerror(errno));
    return false;
  }
  return true;
}

static htz_status mend(wav* w, htz_wav_repair_result* result, char why[HTZ_WAV_REPAIR_WHY]) {
  uint8_t form[FORM];
  const uint64_t begin = w->data.at + CHUNK;
  const uint64_t said = w->is_long && w->data.size == UINT32_MAX ? w->long_data : w->data.size;
  const uint64_t rest = w->size - begin;
  const uint64_t behind = begin + said + said % 2;
  result->said = said / result->block;
  // True as it is: the samples that are said, and behind them nothing or other chunks.
  if (said > 0 && said <= rest && (behind >= w->size || chunks_follow(w, behind))) {
    result->found = said / result->block;
    if (!read_at(w, form, sizeof form, 0) || w->is_long || number(form + WORD, WORD) == w->size - CHUNK) {
      return HTZ_OK;
    }
    result->changed = true;
    return write_sizes(w, said, result->found, why) ? HTZ_OK : HTZ_IO;
  }
  result->found = rest / result->block;
  const uint64_t data = result->found * result->block;
  if (said == 0 && rest == 0 && number((read_at(w, form, sizeof form, 0), form + WORD), WORD) == w->size - CHUNK) {
    return HTZ_OK; // an empty one
  }
  if (begin + data - CHUNK > UINT32_MAX - 1 && w->sizes_at == 0) {
    snprintf(why, HTZ_WAV_REPAIR_WHY, "is longer than 4 GiB, and has no place in its header to say so");
    return HTZ_UNSUPPORTED;
  }
  if (data < rest && ftruncate(w->fd, (off_t)(begin + data)) != 0) {
    snprintf(why, HTZ_WAV_REPAIR_WHY, "%s", strerror(errno));
    return HTZ_IO;
  }
  w->size = begin + data;
  result->changed = true;
  return write_sizes(w, data, result->found, why) ? HTZ_OK : HTZ_IO;
}

htz_status htz_wav_repair(const char* path, htz_wav_repair_result* result, char why[HTZ_WAV_REPAIR_WHY]) {
  struct stat info;
  *result = (htz_wav_repair_result){0};
  wav w = {.fd = open(path, O_RDWR | O_CLOEXEC)};
  if (w.fd < 0) {
    snprintf(why, HTZ_WAV_REPAIR_WHY, "%s", strerror(errno));
    return errno == ENOENT || errno == ENOTDIR ? HTZ_NOT_FOUND : htz_status_of_errno(errno, HTZ_IO);
  }
  htz_status status = HTZ_BAD_INPUT;
  if (fstat(w.fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    snprintf(why, HTZ_WAV_REPAIR_WHY, "is no regular file");
  } else {
    w.size = (uint64_t)info.st_size;
    const char* wrong = read_head(&w, result);
    if (wrong) {
      snprintf(why, HTZ_WAV_REPAIR_WHY, "%s", wrong);
    } else {
      status = mend(&w, result, why);
    }
  }
  close(w.fd);
  return status;
}
