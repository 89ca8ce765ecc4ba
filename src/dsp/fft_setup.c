#include "hertzian/dsp/fft.h"

#include <math.h>

static const double two_pi = 6.283185307179586;

htz_status htz_fft_init(htz_fft* fft, size_t n, htz_arena* arena) {
  *fft = (htz_fft){0};
  if (n < 2 || (n & (n - 1)) != 0) {
    return HTZ_BAD_VALUE;
  }
  double* twiddle = htz_arena_alloc(arena, n / 2, 2 * sizeof(double));
  if (!twiddle) {
    return HTZ_NO_MEMORY;
  }
  for (size_t k = 0; k < n / 2; ++k) { // each from the library: a recurrence would lose digits with n
    const double angle = two_pi * (double)k / (double)n;
    twiddle[2 * k] = cos(angle);
    twiddle[2 * k + 1] = -sin(angle);
  }
  fft->n = n;
  fft->twiddle = twiddle;
  return HTZ_OK;
}

/** Put z into bit-reversed order. */
static void reorder(size_t n, double* z) {
  size_t reversed = 0;
  for (size_t i = 0; i < n; ++i) {
    if (i < reversed) {
      for (size_t part = 0; part < 2; ++part) {
        const double kept = z[2 * i + part];
        z[2 * i + part] = z[2 * reversed + part];
        z[2 * reversed + part] = kept;
      }
    }
    size_t bit = n / 2; // add one to `reversed` from its top bit down
    while (bit && (reversed & bit)) {
      reversed ^= bit;
      bit /= 2;
    }
    reversed |= bit;
  }
}

void htz_fft_forward(const htz_fft* fft, double* z) {
  reorder(fft->n, z);
  for (size_t half = 1; half < fft->n; half *= 2) {
    const size_t stride = fft->n / (2 * half);
    for (size_t start = 0; start < fft->n; start += 2 * half) {
      for (size_t k = 0; k < half; ++k) {
        const double c = fft->twiddle[2 * k * stride];
        const double s = fft->twiddle[2 * k * stride + 1];
        double* a = z + 2 * (start + k);
        double* b = a + 2 * half;
        const double re = c * b[0] - s * b[1];
        const double im = c * b[1] + s * b[0];
        b[0] = a[0] - re;
        b[1] = a[1] - im;
        a[0] += re;
        a[1] += im;
      }
    }
  }
}

void htz_fft_power(const htz_fft* fft, const double* x, double* work, double* power) {
  const size_t n = fft->n;
  double weight = 0.0;
  for (size_t j = 0; j < n; ++j) {
    const double hann = 0.5 - 0.5 * cos(two_pi * (double)j / (double)n);
    work[2 * j] = hann * x[j];
    work[2 * j + 1] = 0.0;
    weight += hann * hann;
  }
  htz_fft_forward(fft, work);
  for (size_t k = 0; k <= n / 2; ++k) {
    const double both_sides = k == 0 || k == n / 2 ? 1.0 : 2.0; // the mirror image of every inner bin
    const double square = work[2 * k] * work[2 * k] + work[2 * k + 1] * work[2 * k + 1];
    power[k] = both_sides * square / ((double)n * weight);
  }
}
