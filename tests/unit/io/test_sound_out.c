#include "check.h"

#include "hertzian/io/sound_out.h"
#include "sample_format.h"
#include "sink.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME = 256, FRAMES = 1000, CHANNELS = 2, SAMPLES = FRAMES * CHANNELS };

typedef struct {
  char folder[NAME / 4];
  char target[NAME / 2];
  char part[NAME];
  float samples[SAMPLES];
} bench;

static int set_up(void** state) {
  bench* b = calloc(1, sizeof *b);
  assert_non_null(b);
  snprintf(b->folder, sizeof b->folder, "/tmp/hertzian-io-XXXXXX");
  assert_non_null(mkdtemp(b->folder));
  snprintf(b->target, sizeof b->target, "%s/out", b->folder);
  snprintf(b->part, sizeof b->part, "%s.part", b->target);
  for (int i = 0; i < SAMPLES; i++) {
    b->samples[i] = (float)sin(0.01 * i);
  }
  *state = b;
  return 0;
}

static int tear_down(void** state) {
  bench* b = *state;
  unlink(b->target);
  assert_int_equal(rmdir(b->folder), 0); // nothing else was left behind
  free(b);
  return 0;
}

static bool exists(const char* path) {
  struct stat info;
  return lstat(path, &info) == 0;
}

static htz_sound_desc desc_of(const bench* b, htz_container container, htz_encoding encoding) {
  return (htz_sound_desc){
      .path = b->target, .container = container, .encoding = encoding, .rate_hz = 48000, .channels = CHANNELS};
}

static htz_sound_out* open_out(const htz_sound_desc* desc) {
  htz_sound_out* out = NULL;
  char why[HTZ_SOUND_WHY];
  if (htz_sound_out_open(desc, &out, why)) {
    fail_msg("%s", why);
  }
  return out;
}

// libsndfile as the reader: what it was given, within the rounding of the encoding.
static void every_pair_reads_back(void** state) {
  bench* b = *state;
  for (unsigned container = 0; container < HTZ_CONTAINER_RAW; container++) {
    for (unsigned encoding = 0; encoding < HTZ_ENCODING_COUNT; encoding++) {
      if (!htz_sound_pair_ok((htz_container)container, (htz_encoding)encoding)) {
        continue;
      }
      const htz_sound_desc desc = desc_of(b, (htz_container)container, (htz_encoding)encoding);
      htz_sound_out* out = open_out(&desc);
      for (size_t at = 0; at < FRAMES; at += 125) {
        assert_int_equal(htz_sound_out_write(out, b->samples + at * CHANNELS, 125), HTZ_OK);
      }
      assert_true(exists(b->part));
      assert_int_equal(htz_sound_out_commit(out), HTZ_OK);
      assert_int_equal(htz_sound_out_stats(out).frames, FRAMES);
      htz_sound_out_free(out);
      assert_false(exists(b->part));
      SF_INFO info = {0};
      double got[SAMPLES];
      SNDFILE* file = sf_open(b->target, SFM_READ, &info);
      assert_non_null(file);
      assert_int_equal(info.frames, FRAMES);
      assert_int_equal(info.channels, CHANNELS);
      assert_int_equal(info.samplerate, 48000);
      assert_int_equal(sf_read_double(file, got, SAMPLES), SAMPLES);
      sf_close(file);
      const double steps[] = {1.5 / 32768.0, 0.5 / 8388608.0, 0.5 / 2147483648.0, 0.0}; // rounding, and dither for s16
      for (int i = 0; i < SAMPLES; i++) {
        check_near(got[i], (double)b->samples[i], steps[encoding] * (1.0 + 1e-9) + 1.0 / 2147483648.0);
      }
    }
  }
}

static void an_unsuitable_pair_is_refused(void** state) {
  bench* b = *state;
  htz_sound_out* out = NULL;
  char why[HTZ_SOUND_WHY];
  const htz_sound_desc desc = desc_of(b, HTZ_CONTAINER_FLAC, HTZ_ENCODING_F32);
  assert_int_equal(htz_sound_out_open(&desc, &out, why), HTZ_UNSUPPORTED);
  assert_null(out);
  assert_true(strstr(why, "flac") != NULL);
  assert_false(exists(b->part));
}

static void giving_up_leaves_what_was_there(void** state) {
  bench* b = *state;
  FILE* old = fopen(b->target, "wb");
  assert_non_null(old);
  fputs("old", old);
  fclose(old);
  const htz_sound_desc desc = desc_of(b, HTZ_CONTAINER_WAV, HTZ_ENCODING_S24);
  htz_sound_out* out = open_out(&desc);
  assert_int_equal(htz_sound_out_write(out, b->samples, FRAMES), HTZ_OK);
  htz_sound_out_free(out);
  assert_false(exists(b->part));
  struct stat info;
  assert_int_equal(stat(b->target, &info), 0);
  assert_int_equal(info.st_size, 3);
}

static void no_clobber_also_notices_what_came_meanwhile(void** state) {
  bench* b = *state;
  htz_sound_desc desc = desc_of(b, HTZ_CONTAINER_WAV, HTZ_ENCODING_S24);
  desc.no_clobber = true;
  htz_sound_out* out = open_out(&desc);
  assert_int_equal(htz_sound_out_write(out, b->samples, FRAMES), HTZ_OK);
  FILE* other = fopen(b->target, "wb");
  assert_non_null(other);
  fclose(other);
  assert_int_equal(htz_sound_out_commit(out), HTZ_IO);
  assert_true(strstr(htz_sound_out_error(out), "--no-clobber") != NULL);
  htz_sound_out_free(out);
  struct stat info;
  assert_int_equal(stat(b->target, &info), 0);
  assert_int_equal(info.st_size, 0);
  assert_int_equal(htz_sound_out_open(&desc, &out, (char[HTZ_SOUND_WHY]){0}), HTZ_IO);
}

static void a_full_device_is_noticed_at_the_latest_when_committing(void** state) {
  bench* b = *state;
  if (!exists("/dev/full")) {
    skip();
  }
  for (unsigned container = 0; container < HTZ_CONTAINER_COUNT; container++) {
    htz_sound_desc desc = desc_of(b, (htz_container)container, HTZ_ENCODING_S16);
    desc.path = "/dev/full";
    htz_sound_out* out = open_out(&desc);
    htz_status status = htz_sound_out_write(out, b->samples, FRAMES);
    if (!status) {
      status = htz_sound_out_commit(out);
    }
    assert_int_equal(status, HTZ_IO);
    assert_int_equal(htz_sound_out_write(out, NULL, 0), HTZ_IO);
    assert_string_equal(htz_sound_out_error(out), strerror(ENOSPC));
    htz_sound_out_free(out);
  }
}

static void conversion_rounds_limits_and_counts(void** state) {
  (void)state;
  htz_sample_format format;
  const float in[] = {0.0f, 1.0f, -1.0f, 1.0000001f, -1.5f, 0.5f, 1e30f, NAN, -INFINITY, 1.5f / 8388608.0f, 2.5f / 8388608.0f};
  const int32_t wanted[] = {0, 8388607, -8388608, 8388607, -8388608, 4194304, 8388607, 0, 0, 2, 2};
  enum { N = sizeof in / sizeof in[0] };
  int32_t out[N];
  htz_sample_format_init(&format, HTZ_ENCODING_S24);
  htz_sample_format_to_int(&format, in, out, N);
  for (size_t i = 0; i < N; i++) {
    assert_int_equal(out[i] / 256, wanted[i]); // the sample sits in the upper 24 bits, the rest is zero
    assert_int_equal(out[i] % 256, 0);
  }
  assert_int_equal(format.stats.clipped, 3);
  assert_int_equal(format.stats.broken, 2);
  check_close(format.stats.peak, (double)1e30f, 0.0);
  htz_sample_format_init(&format, HTZ_ENCODING_S32);
  htz_sample_format_to_int(&format, in, out, 3);
  assert_int_equal(out[1], INT32_MAX);
  assert_int_equal(out[2], INT32_MIN);
}

static void floats_pass_unchanged_but_for_what_is_not_finite(void** state) {
  (void)state;
  htz_sample_format format;
  const float in[] = {3.0f, -FLT_MAX, NAN, INFINITY, 1e-40f};
  float out[5];
  htz_sample_format_init(&format, HTZ_ENCODING_F32);
  htz_sample_format_to_float(&format, in, out, 5);
  assert_true(out[0] == 3.0f && out[1] == -FLT_MAX && out[2] == 0.0f && out[3] == 0.0f && out[4] == 1e-40f);
  assert_int_equal(format.stats.clipped, 0);
  assert_int_equal(format.stats.broken, 2);
}

/*
   Triangular dither of +-1 step makes the mean of the output equal the input between two steps, and the error's variance 1/4
   step^2 whatever the input (1/6 of the noise and 1/12 of the rounding). Six standard deviations over n samples.
*/
static void dither_is_triangular(void** state) {
  (void)state;
  enum { N = 20000 };
  static float in[N];
  static int32_t out[N];
  for (int part = 0; part < 5; part++) {
    const double offset = part / 8.0; // [step]
    htz_sample_format format;
    double sum = 0.0, square = 0.0;
    for (int i = 0; i < N; i++) {
      in[i] = (float)(offset / 32768.0);
    }
    htz_sample_format_init(&format, HTZ_ENCODING_S16);
    htz_sample_format_to_int(&format, in, out, N);
    for (int i = 0; i < N; i++) {
      const double error = out[i] / 65536.0 - offset;
      sum += error;
      square += error * error;
    }
    check_near(sum / N, 0.0, 6.0 * 0.5 / sqrt(N));
    // The fourth moment is below 1 step^4: the variance of the squared error below 1.
    check_near(square / N, 0.25, 6.0 / sqrt(N));
  }
}

static void the_part_name_is_told_beforehand(void** state) {
  bench* b = *state;
  char part[HTZ_SOUND_PATH_MAX];
  assert_int_equal(htz_sound_part_name(b->target, part), HTZ_OK);
  assert_string_equal(part, b->part);
  assert_int_equal(htz_sound_part_name("-", part), HTZ_OK);
  assert_string_equal(part, "");
  assert_int_equal(htz_sound_part_name("/dev/null", part), HTZ_OK);
  assert_string_equal(part, "");
  char* endless = malloc(HTZ_SOUND_PATH_MAX);
  assert_non_null(endless);
  memset(endless, 'x', HTZ_SOUND_PATH_MAX - 1);
  endless[HTZ_SOUND_PATH_MAX - 1] = '\0';
  assert_int_equal(htz_sound_part_name(endless, part), HTZ_BAD_VALUE);
  free(endless);
}

static void a_sink_seeks_reads_and_overwrites(void** state) {
  bench* b = *state;
  htz_sink* sink = malloc(sizeof *sink);
  assert_non_null(sink);
  assert_int_equal(htz_sink_open(sink, b->target, true, false), HTZ_OK);
  unsigned char block[1000];
  for (int i = 0; i < 200; i++) { // well over its buffer
    memset(block, i, sizeof block);
    assert_true(htz_sink_write(sink, block, sizeof block));
  }
  assert_true(htz_sink_seek(sink, 4));
  assert_true(htz_sink_write(sink, "head", 4));
  assert_true(htz_sink_seek(sink, 199500));
  assert_int_equal(htz_sink_read(sink, block, sizeof block), 500);
  assert_int_equal(block[0], 199);
  assert_true(htz_sink_seek(sink, 2));
  assert_int_equal(htz_sink_read(sink, block, 8), 8);
  assert_memory_equal(block + 2, "head", 4);
  assert_int_equal(sink->length, 200000);
  assert_int_equal(htz_sink_commit(sink), HTZ_OK);
  htz_sink_close(sink);
  free(sink);
  struct stat info;
  assert_int_equal(stat(b->target, &info), 0);
  assert_int_equal(info.st_size, 200000);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(every_pair_reads_back),
      TEST(an_unsuitable_pair_is_refused),
      TEST(giving_up_leaves_what_was_there),
      TEST(no_clobber_also_notices_what_came_meanwhile),
      TEST(a_full_device_is_noticed_at_the_latest_when_committing),
      TEST(conversion_rounds_limits_and_counts),
      TEST(floats_pass_unchanged_but_for_what_is_not_finite),
      TEST(dither_is_triangular),
      TEST(the_part_name_is_told_beforehand),
      TEST(a_sink_seeks_reads_and_overwrites),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
