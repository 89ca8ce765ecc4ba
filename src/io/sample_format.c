#include "sample_format.h"

#include <float.h>
#include <math.h>

static const uint64_t dither_seed = 0x9E3779B97F4A7C15u; // any odd number; fixed, so that equal audio makes equal files

void htz_sample_format_init(htz_sample_format* format, htz_encoding encoding) {
  format->encoding = encoding;
  format->dither = dither_seed;
  format->stats = (htz_sound_stats){0};
}

/*
   Triangular noise in (-1, 1): the difference of two uniform numbers, which are the halves of one output of splitmix64.
*/
static double triangular(uint64_t* state) {
  *state += 0x9E3779B97F4A7C15u;
  uint64_t z = *state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return ((double)(z >> 32) - (double)(z & 0xFFFFFFFFu)) * 0x1p-32;
}

static float measure(htz_sound_stats* stats, float in) {
  const float magnitude = fabsf(in);
  if (!(magnitude <= FLT_MAX)) { // NaN, or infinite
    stats->broken++;
    return 0.0f;
  }
  stats->peak = (double)magnitude > stats->peak ? (double)magnitude : stats->peak;
  return in;
}

/*
   The nearest integer, halves to even, for magnitudes up to 2^31: at 1.5 * 2^52 the spacing of doubles is one. A call of the
   mathematical library for each sample would take longer than all the rest.
*/
static double nearest(double value) {
  static const double integers = 0x1.8p52;
  return (value + integers) - integers;
}

static unsigned bits_of(htz_encoding encoding) {
  return encoding == HTZ_ENCODING_S16 ? 16 : encoding == HTZ_ENCODING_S24 ? 24 : 32;
}

void htz_sample_format_to_int(htz_sample_format* format, const float* in, int32_t* out, size_t count) {
  const unsigned bits = bits_of(format->encoding);
  const double scale = ldexp(1.0, (int)bits - 1);
  const double highest = scale - 1.0;
  const double upper = ldexp(1.0, 32 - (int)bits); // moves a sample to the upper end of 32 bits
  const bool dithered = format->encoding == HTZ_ENCODING_S16;
  for (size_t i = 0; i < count; i++) {
    const double x = (double)measure(&format->stats, in[i]);
    // Full scale itself is out of range by one step at most, which nobody calls clipping.
    format->stats.clipped += x > 1.0 || x < -1.0;
    double v = x * scale;
    if (dithered) {
      v += triangular(&format->dither);
    }
    v = v > highest ? highest : v < -scale ? -scale : v;
    v = nearest(v);
    out[i] = (int32_t)(v * upper);
  }
}

void htz_sample_format_to_float(htz_sample_format* format, const float* in, float* out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    out[i] = measure(&format->stats, in[i]);
  }
}
