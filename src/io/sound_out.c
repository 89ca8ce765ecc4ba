#include "sample_format.h"
#include "sink.h"

#include <errno.h>
#include <limits.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONVERT_SAMPLES = 4096 }; // converted at a time

struct htz_sound_out {
  htz_sound_desc desc;
  htz_sink sink;
  SNDFILE* file;
  htz_sample_format format;
  const char* error; // libsndfile's own complaint, or NULL
  union {
    int32_t ints[CONVERT_SAMPLES];
    float floats[CONVERT_SAMPLES];
  } converted;
};

static const struct {
  const char* name;
  int format;
} containers[HTZ_CONTAINER_COUNT] = {
    // RF64 that steps back to RIFF when the file stayed small: a plain WAV wraps silently past 4 GiB, and one with float
    // samples carries the time of day, so that equal renders differ.
    [HTZ_CONTAINER_WAV] = {"wav", SF_FORMAT_RF64},
    [HTZ_CONTAINER_RF64] = {"rf64", SF_FORMAT_RF64},
    [HTZ_CONTAINER_W64] = {"w64", SF_FORMAT_W64},
    [HTZ_CONTAINER_FLAC] = {"flac", SF_FORMAT_FLAC},
    [HTZ_CONTAINER_RAW] = {"raw", SF_FORMAT_RAW | SF_ENDIAN_LITTLE},
};

static const struct {
  const char* name;
  const char* words;
  int format;
} encodings[HTZ_ENCODING_COUNT] = {
    [HTZ_ENCODING_S16] = {"s16", "16-bit", SF_FORMAT_PCM_16},
    [HTZ_ENCODING_S24] = {"s24", "24-bit", SF_FORMAT_PCM_24},
    [HTZ_ENCODING_S32] = {"s32", "32-bit", SF_FORMAT_PCM_32},
    [HTZ_ENCODING_F32] = {"f32", "32-bit float", SF_FORMAT_FLOAT},
};

const char* htz_container_name(htz_container container) {
  return containers[container].name;
}

const char* htz_encoding_name(htz_encoding encoding) {
  return encodings[encoding].name;
}

const char* htz_encoding_words(htz_encoding encoding) {
  return encodings[encoding].words;
}

bool htz_sound_pair_ok(htz_container container, htz_encoding encoding) {
  return container != HTZ_CONTAINER_FLAC || encoding == HTZ_ENCODING_S16 || encoding == HTZ_ENCODING_S24;
}

const char* htz_sound_rates(htz_container container) {
  return container == HTZ_CONTAINER_FLAC ? "any up to 65535 Hz, multiples of 10 Hz above" : "any";
}

static sf_count_t on_length(void* user) {
  const htz_sink* sink = user;
  return sink->length;
}

static sf_count_t on_seek(sf_count_t offset, int whence, void* user) {
  htz_sink* sink = user;
  const int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? sink->position : sink->length;
  // Staying in place is all that a pipe can do, and all that libsndfile asks of it for raw samples.
  if (from + offset != sink->position) {
    htz_sink_seek(sink, from + offset);
  }
  return sink->position;
}

static sf_count_t on_read(void* bytes, sf_count_t count, void* user) {
  return (sf_count_t)htz_sink_read(user, bytes, (size_t)count);
}

static sf_count_t on_write(const void* bytes, sf_count_t count, void* user) {
  return htz_sink_write(user, bytes, (size_t)count) ? count : 0;
}

static sf_count_t on_tell(void* user) {
  const htz_sink* sink = user;
  return sink->position;
}

static SNDFILE* open_file(const htz_sound_desc* desc, SF_VIRTUAL_IO* io, void* user) {
  SF_INFO info = {.samplerate = (int)desc->rate_hz,
                  .channels = (int)desc->channels,
                  .format = containers[desc->container].format | encodings[desc->encoding].format};
  SNDFILE* file = sf_open_virtual(io, SFM_WRITE, &info, user);
  if (file && desc->container == HTZ_CONTAINER_WAV) {
    sf_command(file, SFC_RF64_AUTO_DOWNGRADE, NULL, SF_TRUE);
  }
  return file;
}

/** A file that is nowhere: where one stands in it, and its end. */
typedef struct {
  sf_count_t position, length;
} nowhere;

static sf_count_t nowhere_length(void* user) {
  return ((nowhere*)user)->length;
}

static sf_count_t nowhere_seek(sf_count_t offset, int whence, void* user) {
  nowhere* n = user;
  n->position = offset + (whence == SEEK_SET ? 0 : whence == SEEK_CUR ? n->position : n->length);
  return n->position;
}

static sf_count_t nowhere_read(void* bytes, sf_count_t count, void* user) {
  nowhere* n = user;
  memset(bytes, 0, (size_t)count);
  n->position += count;
  return count;
}

static sf_count_t nowhere_write(const void* bytes, sf_count_t count, void* user) {
  nowhere* n = user;
  (void)bytes;
  n->position += count;
  n->length = n->position > n->length ? n->position : n->length;
  return count;
}

static sf_count_t nowhere_tell(void* user) {
  return ((nowhere*)user)->position;
}

htz_status htz_sound_rate_ok(htz_container container, htz_encoding encoding, unsigned rate_hz, unsigned channels) {
  static const float silence[CONVERT_SAMPLES] = {0};
  SF_VIRTUAL_IO io = {nowhere_length, nowhere_seek, nowhere_read, nowhere_write, nowhere_tell};
  const htz_sound_desc desc = {.container = container, .encoding = encoding, .rate_hz = rate_hz, .channels = channels};
  nowhere n = {0, 0};
  if (container >= HTZ_CONTAINER_COUNT || encoding >= HTZ_ENCODING_COUNT || channels < 1 || channels > CONVERT_SAMPLES ||
      rate_hz < 1 || rate_hz > INT_MAX) {
    return HTZ_UNSUPPORTED;
  }
  errno = 0; // libsndfile does not tell a refusal from a lack of memory; the allocator does
  SNDFILE* file = open_file(&desc, &io, &n);
  const bool written = file && sf_write_float(file, silence, (sf_count_t)channels) == (sf_count_t)channels;
  const bool closed = file && sf_close(file) == 0;
  return closed && written ? HTZ_OK : htz_status_of_errno(errno, HTZ_UNSUPPORTED);
}

htz_status htz_sound_out_open(const htz_sound_desc* desc, htz_sound_out** out, char why[HTZ_SOUND_WHY]) {
  *out = NULL;
  why[0] = '\0';
  if (desc->container >= HTZ_CONTAINER_COUNT || desc->encoding >= HTZ_ENCODING_COUNT || desc->channels < 1 ||
      desc->rate_hz < 1 || desc->channels > CONVERT_SAMPLES) {
    snprintf(why, HTZ_SOUND_WHY, "%s", htz_status_text(HTZ_BAD_VALUE));
    return HTZ_BAD_VALUE;
  }
  if (!htz_sound_pair_ok(desc->container, desc->encoding)) {
    snprintf(why, HTZ_SOUND_WHY, "%s cannot hold %s", htz_container_name(desc->container), htz_encoding_name(desc->encoding));
    return HTZ_UNSUPPORTED;
  }
  htz_status status = htz_sound_rate_ok(desc->container, desc->encoding, desc->rate_hz, desc->channels);
  if (htz_status_starved(status)) {
    snprintf(why, HTZ_SOUND_WHY, "%s", htz_status_text(status));
    return status;
  }
  if (status) {
    snprintf(why, HTZ_SOUND_WHY, "%s cannot hold %u Hz; allowed: %s", htz_container_name(desc->container), desc->rate_hz,
             htz_sound_rates(desc->container));
    return HTZ_UNSUPPORTED;
  }
  htz_sound_out* made = calloc(1, sizeof *made);
  if (!made) {
    snprintf(why, HTZ_SOUND_WHY, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_NO_MEMORY;
  }
  made->desc = *desc;
  htz_sample_format_init(&made->format, desc->encoding);
  status = htz_sink_open(&made->sink, desc->path, desc->container != HTZ_CONTAINER_RAW, desc->no_clobber);
  if (status) {
    snprintf(why, HTZ_SOUND_WHY, "%s", htz_sink_error(&made->sink));
    free(made);
    return status;
  }
  SF_VIRTUAL_IO io = {on_length, on_seek, on_read, on_write, on_tell};
  errno = 0;
  made->file = open_file(&made->desc, &io, &made->sink);
  if (!made->file) {
    status = made->sink.error ? htz_status_of_errno(made->sink.error, HTZ_IO) : htz_status_of_errno(errno, HTZ_UNSUPPORTED);
    snprintf(why, HTZ_SOUND_WHY, "%s",
             made->sink.error             ? htz_sink_error(&made->sink)
             : htz_status_starved(status) ? htz_status_text(status)
                                          : sf_strerror(NULL));
    htz_sink_close(&made->sink);
    free(made);
    return status;
  }
  *out = made;
  return HTZ_OK;
}

static bool write_some(htz_sound_out* out, const float* samples, size_t count) {
  sf_count_t done = 0;
  errno = 0;
  if (out->desc.encoding == HTZ_ENCODING_F32) {
    htz_sample_format_to_float(&out->format, samples, out->converted.floats, count);
    done = sf_write_float(out->file, out->converted.floats, (sf_count_t)count);
  } else {
    htz_sample_format_to_int(&out->format, samples, out->converted.ints, count);
    done = sf_write_int(out->file, out->converted.ints, (sf_count_t)count);
  }
  if (done != (sf_count_t)count && !out->sink.error && !out->error) {
    out->error = sf_strerror(out->file);
    if (htz_status_starved(htz_status_of_errno(errno, HTZ_IO))) {
      out->sink.error = errno;
    }
  }
  return done == (sf_count_t)count && !out->sink.error;
}

htz_status htz_sound_out_write(htz_sound_out* out, const float* samples, size_t frames) {
  const size_t channels = out->desc.channels;
  const size_t most = CONVERT_SAMPLES / channels;
  if (out->error || out->sink.error) {
    return HTZ_IO;
  }
  while (frames > 0) {
    const size_t now = frames < most ? frames : most;
    if (!write_some(out, samples, now * channels)) {
      return HTZ_IO;
    }
    out->format.stats.frames += now;
    samples += now * channels;
    frames -= now;
  }
  return HTZ_OK;
}

htz_sound_stats htz_sound_out_stats(const htz_sound_out* out) {
  return out->format.stats;
}

/*
   In a file without samples libsndfile forgets the data chunk's own header when it fills in RIFF's size.
*/
static void repair_empty(htz_sound_out* out) {
  enum { SIZE_AT = 4, SIZE_BYTES = 4 }; // RIFF's size field, which counts what follows it
  const uint32_t size = (uint32_t)(out->sink.length - SIZE_AT - SIZE_BYTES);
  const unsigned char bytes[SIZE_BYTES] = {(unsigned char)size, (unsigned char)(size >> 8), (unsigned char)(size >> 16),
                                           (unsigned char)(size >> 24)};
  if (htz_sink_seek(&out->sink, SIZE_AT)) {
    htz_sink_write(&out->sink, bytes, sizeof bytes);
  }
}

htz_status htz_sound_out_commit(htz_sound_out* out) {
  if (out->file) {
    // Its result does not tell of a full disk; the sink knows.
    const int closed = sf_close(out->file);
    out->file = NULL;
    if (closed != 0 && !out->error) {
      out->error = sf_error_number(closed);
    }
  }
  if (out->desc.container == HTZ_CONTAINER_WAV && out->format.stats.frames == 0) {
    repair_empty(out);
  }
  if (out->error || out->sink.error) {
    return HTZ_IO;
  }
  return htz_sink_commit(&out->sink);
}

void htz_sound_out_free(htz_sound_out* out) {
  if (out) {
    if (out->file) {
      sf_close(out->file);
    }
    htz_sink_close(&out->sink);
    free(out);
  }
}

const char* htz_sound_out_error(const htz_sound_out* out) {
  return !out->sink.error && out->error ? out->error : htz_sink_error(&out->sink);
}

htz_status htz_sound_out_status(const htz_sound_out* out) {
  return htz_status_of_errno(out->sink.error, HTZ_IO);
}

bool htz_sound_out_hung_up(const htz_sound_out* out) {
  return out->sink.error == EPIPE;
}
