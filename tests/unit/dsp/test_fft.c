#include "check.h"

#include "hertzian/dsp/fft.h"

#include <math.h>

enum { N_MAX = 4096 };

static const double two_pi = 6.283185307179586;
static double z[2 * N_MAX], x[N_MAX], power[N_MAX / 2 + 1];

static double noise(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/** Rounding grows with the stages: at most log2 n of a few u each, of the root of the energy of the input. */
static double bound(size_t n, double energy) {
  return 4.0 * log2((double)n) * 0x1p-53 * sqrt((double)n * energy);
}

static void equals_the_sum(void** state) {
  (void)state;
  static long double exact[2 * N_MAX];
  for (size_t n = 2; n <= 512; n *= 2) {
    htz_arena arena;
    htz_arena_measure(&arena);
    htz_fft fft;
    assert_int_equal(htz_fft_init(&fft, n, &arena), HTZ_OK);
    uint64_t seed = n;
    double energy = 0.0;
    for (size_t j = 0; j < 2 * n; ++j) {
      z[j] = noise(&seed);
      energy += z[j] * z[j];
      exact[j] = 0.0L;
    }
    for (size_t k = 0; k < n; ++k) {
      for (size_t j = 0; j < n; ++j) {
        const long double angle = 6.283185307179586476925L * (long double)(j * k % n) / (long double)n;
        exact[2 * k] += z[2 * j] * cosl(angle) + z[2 * j + 1] * sinl(angle);
        exact[2 * k + 1] += z[2 * j + 1] * cosl(angle) - z[2 * j] * sinl(angle);
      }
    }
    htz_fft_forward(&fft, z);
    for (size_t k = 0; k < 2 * n; ++k) {
      check_near(z[k], (double)exact[k], bound(n, energy));
    }
    htz_arena_free(&arena);
  }
}

/** Parseval, for a size the plain sum would be slow at. */
static void keeps_energy(void** state) {
  (void)state;
  htz_arena arena;
  htz_arena_measure(&arena);
  htz_fft fft;
  assert_int_equal(htz_fft_init(&fft, N_MAX, &arena), HTZ_OK);
  uint64_t seed = 1;
  double before = 0.0, after = 0.0;
  for (size_t j = 0; j < 2 * N_MAX; ++j) {
    z[j] = noise(&seed);
    before += z[j] * z[j];
  }
  htz_fft_forward(&fft, z);
  for (size_t j = 0; j < 2 * N_MAX; ++j) {
    after += z[j] * z[j] / N_MAX;
  }
  check_close(after, before, 4.0 * log2(N_MAX) * 0x1p-53 * 4.0);
  htz_arena_free(&arena);
}

/** A sine anywhere between bins, a constant, and the sum rule. */
static void power_of_known_signals(void** state) {
  (void)state;
  htz_arena arena;
  htz_arena_measure(&arena);
  htz_fft fft;
  assert_int_equal(htz_fft_init(&fft, N_MAX, &arena), HTZ_OK);
  const double amplitude = 0.7;
  for (int step = 0; step < 8; ++step) {
    const double bin = 400.0 + step / 8.0;
    for (size_t j = 0; j < N_MAX; ++j) {
      x[j] = amplitude * sin(two_pi * bin * (double)j / N_MAX);
    }
    htz_fft_power(&fft, x, z, power);
    double near = 0.0, total = 0.0, first_moment = 0.0;
    for (size_t k = 0; k <= N_MAX / 2; ++k) {
      total += power[k];
      if (k >= 392 && k <= 409) {
        near += power[k];
        first_moment += power[k] * (double)k;
      }
    }
    // Hann side lobes fall as the cube of the distance: past eight bins they hold below 1e-7 of the power.
    check_close(near, amplitude * amplitude / 2, 1e-6);
    check_close(total, amplitude * amplitude / 2, 1e-6);
    // What is lost of the first moment falls with the fourth power of the distance, and its two sides nearly cancel.
    check_near(first_moment / near, bin, 1e-4);
    assert_true(power[1000] < 1e-14);
  }
  for (size_t j = 0; j < N_MAX; ++j) {
    x[j] = 3.0;
  }
  htz_fft_power(&fft, x, z, power);
  // The window's own transform puts 1 and 1/4 + 1/4 in the first two bins, of 3/2 in all.
  check_close(power[0] / (power[0] + power[1]), 2.0 / 3.0, 1e-12);
  check_close(power[0] + power[1], 9.0, 1e-12);
  htz_arena_free(&arena);
}

static void refuses_bad_sizes(void** state) {
  (void)state;
  static const size_t bad[] = {0, 1, 3, 6, 12, 1000};
  htz_arena arena;
  htz_arena_measure(&arena);
  htz_fft fft;
  for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
    assert_int_equal(htz_fft_init(&fft, bad[i], &arena), HTZ_BAD_VALUE);
  }
  htz_arena_free(&arena);
  assert_int_equal(htz_arena_init(&arena, 64), HTZ_OK);
  assert_int_equal(htz_fft_init(&fft, 64, &arena), HTZ_NO_MEMORY);
  htz_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equals_the_sum),
      cmocka_unit_test(keeps_energy),
      cmocka_unit_test(power_of_known_signals),
      cmocka_unit_test(refuses_bad_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
