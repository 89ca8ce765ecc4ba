/*
   Strings on curved bridges, on a clock of their own, at all sample rates: one clock, one trajectory, so that pitch, decay and colour are the
   same.
*/
#include "check.h"
#include "instruments/counted.h"

#include "sound/every.h"

#include "hertzian/dsp/fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double every_s = 0.1; // between looks at the first partial

enum { BANDS = 19, SWELL = 16 }; // third octaves around 125 Hz to 8 kHz

/** Power in third octaves, and in all. */
typedef struct {
  double band[BANDS], power;
} bands;

/** What of a note is compared between rates. */
typedef struct {
  double swell
      [SWELL]
      [2];    // first partial, by turns of the key's pitch, one after the other: contacts and other strings have it come and go
  double t60; // of all third octaves together [s]
  bands begun; // over the first second
} figures;

/** Of a second from frame `first` on under a Hann window, as if of a continuous signal. */
static void measure_bands(const note* n, size_t first, double rate_hz, bands* to) {
  static const double lowest_hz = 125.0;
  const size_t frames = (size_t)rate_hz;
  size_t points = 2;
  for (; points < 4 * frames; points *= 2) {
  }
  htz_arena arena;
  htz_fft fft;
  htz_arena_measure(&arena);
  double* z = calloc(points, 2 * sizeof *z);
  assert_non_null(z);
  assert_int_equal(htz_fft_init(&fft, points, &arena), HTZ_OK);
  for (size_t i = 0; i < frames && first + i < n->frames; ++i) {
    z[2 * i] = n->mono[first + i] * (0.5 - 0.5 * cos(2.0 * pi * (double)i / (double)frames)) / rate_hz;
  }
  htz_fft_forward(&fft, z);
  htz_arena_free(&arena);
  const double bin_hz = rate_hz / (double)points;
  to->power = 0.0;
  for (size_t k = 0; k < points / 2; ++k) {
    to->power += (z[2 * k] * z[2 * k] + z[2 * k + 1] * z[2 * k + 1]) * bin_hz;
  }
  for (int b = 0; b < BANDS; ++b) {
    const double from_hz = lowest_hz * exp2((b - 0.5) / 3.0);
    double sum = 0.0;
    for (size_t k = 0; k < points / 2; ++k) { // of a bin on an edge its share: bins lie elsewhere at each rate
      const double low = fmax((double)k - 0.5, from_hz / bin_hz),
                   high = fmin((double)k + 0.5, from_hz * exp2(1.0 / 3.0) / bin_hz);
      sum += (z[2 * k] * z[2 * k] + z[2 * k + 1] * z[2 * k + 1]) * fmax(high - low, 0.0) * bin_hz;
    }
    to->band[b] = sum;
  }
  free(z);
}

/** One key of an installed file, or of the fixture (NULL), as one player's hand plays it each time. */
static void open_named(sound* s, const char* name, double rate_hz, int key) {
  char path[HTZ_PATH_MAX];
  uint64_t keys[HTZ_KEYS / 64] = {0};
  keys[(size_t)key / 64] = UINT64_C(1) << ((unsigned)key % 64);
  if (name) {
    instrument_path(name, path);
  } else {
    snprintf(path, sizeof path, HTZ_SOURCE_DIR "/tests/fixtures/instruments/curved-bridge.yaml");
  }
  assert_true(sound_open_keys(s, path, rate_hz, keys));
  assert_true(sound_set(s, "room", 0.0));
  assert_true(sound_set(s, "human", 0.0));
}

/** Amplitude and phase at `hz` under Hann windows of 0.2 s, one every 0.1 s from frame `first` on. */
static void measure_swell(const note* n, size_t first, double rate_hz, double hz, double to[SWELL][2]) {
  static const double window_s = 0.2;
  const size_t frames = (size_t)lround(window_s * rate_hz);
  for (size_t k = 0; k < SWELL; ++k) {
    const size_t begin = first + (size_t)lround((double)k * every_s * rate_hz);
    double re = 0.0, im = 0.0;
    assert_true(begin + frames <= n->frames);
    for (size_t i = 0; i < frames; ++i) {
      const double window = (1.0 - cos(2.0 * pi * ((double)i + 0.5) / (double)frames)) / (double)frames;
      const double angle = 2.0 * pi * hz * (double)i / rate_hz;
      re += window * n->mono[begin + i] * cos(angle);
      im += window * n->mono[begin + i] * sin(angle);
    }
    to[k][0] = re;
    to[k][1] = -im;
  }
}

static figures measure(const char* name, double rate_hz, int key) {
  static const double heard_s = 2.2, from_s = 0.3, later_s = 1.1;
  sound s;
  note n;
  figures f;
  open_named(&s, name, rate_hz, key);
  every_note(&s, key, 60.0, heard_s, &n);
  // At other rates than the clock's it is late by a quantum of that and half the width of the read-out: the same piece of the note at each.
  static const double clock_hz = 96000.0;
  const double late_s = rate_hz == clock_hz ? 0.0 : 64.0 / clock_hz + 32.0 / fmin(rate_hz, clock_hz);
  const size_t first = (size_t)lround((from_s + late_s) * rate_hz);
  bands later;
  measure_bands(&n, (size_t)lround(late_s * rate_hz), rate_hz, &f.begun);
  measure_bands(&n, (size_t)lround((late_s + later_s) * rate_hz), rate_hz, &later);
  double at_first = 0.0, at_last = 0.0;
  for (int b = 0; b < BANDS; ++b) {
    at_first += f.begun.band[b];
    at_last += later.band[b];
  }
  f.t60 = 60.0 * later_s / (10.0 * log10(at_first / at_last));
  measure_swell(&n, first, rate_hz, htz_key_hz(key), f.swell);
  note_free(&n);
  close_counted(&s);
  return f;
}

/**
   How far a third octave may be from what it is on the clock [dB]: the read-out's ripple; and what its stop band, 80 dB down, lets through of
   all the rest, which counts where next to nothing is in the band. At worst that adds by amplitude.
*/
static double band_within_db(const bands* wanted, int band) {
  static const double ripple_db = 0.1, stopped = 1e-4;
  return ripple_db + 20.0 * log10(1.0 + stopped * sqrt(wanted->power / wanted->band[band]));
}

/** The farthest that an amplitude of the first partial is from what it is on the clock, by that, or by a tenth of the largest where it is less. */
static double swell_apart(const figures* wanted, const figures* got) {
  double largest = 0.0, apart = 0.0;
  for (size_t k = 0; k < SWELL; ++k) {
    largest = fmax(largest, hypot(wanted->swell[k][0], wanted->swell[k][1]));
  }
  for (size_t k = 0; k < SWELL; ++k) {
    const double size = hypot(wanted->swell[k][0], wanted->swell[k][1]), now = hypot(got->swell[k][0], got->swell[k][1]);
    apart = fmax(apart, fabs(now - size) / fmax(size, 0.1 * largest));
  }
  return apart;
}

/** How much higher the first partial is than on the clock: a straight line through how far its phase is ahead [cent]. */
static double cents_apart(const figures* wanted, const figures* got, double hz) {
  double all = 0.0, t = 0.0, tt = 0.0, p = 0.0, tp = 0.0, last = 0.0;
  for (size_t k = 0; k < SWELL; ++k) {
    const double *a = got->swell[k], *b = wanted->swell[k];
    const double turned = atan2(a[1] * b[0] - a[0] * b[1], a[0] * b[0] + a[1] * b[1]), weight = b[0] * b[0] + b[1] * b[1];
    last = turned + (k ? 2.0 * pi * round((last - turned) / (2.0 * pi)) : 0.0);
    all += weight;
    t += weight * every_s * (double)k;
    tt += weight * pow(every_s * (double)k, 2.0);
    p += weight * last;
    tp += weight * every_s * (double)k * last;
  }
  return 1200.0 / log(2.0) * (all * tp - t * p) / (all * tt - t * t) / (2.0 * pi * hz);
}

/** One clock, one trajectory: what is left are the read-out's ripple and, above 0.41 of the lower rate, its end. */
static void check_rates(const char* name, int key, size_t n) {
  static const double rates[] = {44100.0, 22050.0, 48000.0, 88200.0, 192000.0};
  static const double most_cents = 0.1, most_share = 0.01;
  const figures wanted = measure(name, 96000.0, key);
  assert_true(n <= sizeof rates / sizeof rates[0]);
  for (size_t r = 0; r < n; ++r) {
    const figures got = measure(name, rates[r], key);
    const double apart = swell_apart(&wanted, &got), cents = cents_apart(&wanted, &got, htz_key_hz(key));
    double loud_db = 0.0, worst_db = 0.0, over_db = -HUGE_VAL;
    for (int b = 0; b < BANDS; ++b) {
      const double off_db = fabs(10.0 * log10(got.begun.band[b] / wanted.begun.band[b]));
      worst_db = fmax(worst_db, off_db);
      loud_db = fmax(loud_db, wanted.begun.band[b] > 1e-8 * wanted.begun.power ? off_db : 0.0);
      over_db = fmax(over_db, off_db - band_within_db(&wanted.begun, b));
    }
    print_message(
        "%s %d at %.0f Hz: %+.4f cent, T60 %.4f s against %.4f, first partial within %.4f %%, third octaves within %.4f "
        "dB, %.3f where there is next to nothing\n",
        name ? name : "fixture", key, rates[r], cents, got.t60, wanted.t60, 100.0 * apart, loud_db, worst_db);
    check_near(cents, 0.0, most_cents);
    check_near(got.t60 / wanted.t60, 1.0, most_share);
    check_below(apart, most_share);
    check_below(over_db, 0.0);
  }
}

static void a_string_is_the_same_at_every_rate(void** state) {
  (void)state;
  check_rates(NULL, 48, getenv("HERTZIAN_LONG") ? 5 : 2);
}

/** By hand, `NAME FROM TO`: keys FROM to TO of that file alone, at every rate. */
static struct {
  const char* name;
  int from, to;
} asked;

static void so_are_keys_asked_for(void** state) {
  (void)state;
  for (int key = asked.from; key <= asked.to; ++key) {
    check_rates(asked.name, key, 5);
  }
}

/** Likewise the installed files; with HERTZIAN_LONG set every key of them. */
static void so_are_instruments(void** state) {
  static const char* const names[] = {"tanpura", "sitar", "slap", "duel", "guitar-low"};
  const bool thorough = getenv("HERTZIAN_LONG") != NULL;
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
    sound s;
    open_named(&s, names[i], 48000.0, 60);
    const int low = s.spec->key_low, high = s.spec->key_high, middle = (low + high) / 2;
    sound_close(&s);
    for (int key = thorough ? low : middle; key <= (thorough ? high : middle); ++key) {
      check_rates(names[i], key, thorough ? 5 : 1);
    }
  }
}

int main(int argc, char** argv) {
  static const struct CMUnitTest alone[] = {cmocka_unit_test(so_are_keys_asked_for)};
  static const struct CMUnitTest tests[] = {cmocka_unit_test(a_string_is_the_same_at_every_rate),
                                            cmocka_unit_test(so_are_instruments)};
  if (argc != 4) {
    return cmocka_run_group_tests(tests, NULL, NULL);
  }
  asked.name = argv[1];
  asked.from = atoi(argv[2]);
  asked.to = atoi(argv[3]);
  return cmocka_run_group_tests(alone, NULL, NULL);
}
