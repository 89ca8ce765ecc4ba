/*
   Instruments that buzz: strings on curved bridges, over frets and against each other, wires on a skin. That what they graze is what
   one hears, beside the same instrument with the other body out of reach. With HERTZIAN_LONG set at every rate, and in tune on every key.
   `test_buzz RATE...` likewise at those rates alone.
*/
#include "check.h"
#include "instruments/counted.h"
#include "sound/every.h"
#include "sound/partials.h"
#include "sound/spectrum.h"

#include "hertzian/dsp/fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double rate_hz = 48000.0; // of the run
static bool thorough;
static const double pi = 3.14159265358979323846;
static const double spare_s = 0.01; // beyond what is looked at [s]
static const double soft = 20.0, mezzoforte = 80.0, hard = 127.0;

enum { TEXT_MAX = 16384 };

/** A text in an instrument's file, and what stands there instead, wherever it does. */
typedef struct {
  const char *found, *instead;
} change;

// Too far away to be reached.
static const change no_bridge = {"parabola: ", "gap: 0.04, parabola: "};
static const change no_frets = {"profile: [[0, 0]", "profile: [[0, 0.05]"};
static const change no_wires = {"gap: 5.0e-5", "gap: 0.04"};

/** `text` with `c` made, into `to` [TEXT_MAX]. @return how often */
static size_t replace(const char* text, const change* c, char* to) {
  size_t at = 0, times = 0;
  while (*text) {
    const bool here = strncmp(text, c->found, strlen(c->found)) == 0;
    const char* piece = here ? c->instead : text;
    const size_t length = here ? strlen(c->instead) : 1;
    assert_true(at + length < TEXT_MAX);
    memcpy(to + at, piece, length);
    at += length;
    text += here ? strlen(c->found) : 1;
    times += here ? 1 : 0;
  }
  to[at] = '\0';
  return times;
}

/** The file with a change, or none, and no more than one key. */
static void open_changed(sound* s, const char* name, int key, const change* c) {
  char path[HTZ_PATH_MAX], file[TEXT_MAX], one[TEXT_MAX], text[TEXT_MAX], keys[64];
  instrument_path(name, path);
  FILE* from = fopen(path, "rb");
  assert_non_null(from);
  const size_t got = fread(file, 1, sizeof file - 1, from);
  fclose(from);
  assert_true(got > 0 && got < sizeof file - 1);
  file[got] = '\0';
  snprintf(keys, sizeof keys, "\nkeys: [%d, %d] # ", key, key);
  const change narrow = {"\nkeys: ", keys}, none = {"\nkeys: ", "\nkeys: "};
  assert_true(replace(file, &narrow, one) == 1);
  assert_true(replace(one, c ? c : &none, text) > 0); // the file still has what is changed here
  assert_true(sound_open_text(s, text, rate_hz));
  assert_true(sound_set(s, "room", 0.0));
}

/** Power spectrum of `seconds` of x from `from_s` on under a Hann window, padded twofold at least. @return its bins, to be freed */
static double* spectrum(const note* n, double from_s, double seconds, size_t pad, size_t* points) {
  const size_t first = (size_t)lround(from_s * rate_hz), window = (size_t)lround(seconds * rate_hz);
  assert_true(first + window <= n->frames);
  for (*points = 2; *points < pad * window; *points *= 2) {
  }
  htz_arena arena;
  htz_fft fft;
  htz_arena_measure(&arena);
  double* z = calloc(*points, 2 * sizeof *z);
  assert_non_null(z);
  assert_int_equal(htz_fft_init(&fft, *points, &arena), HTZ_OK);
  for (size_t i = 0; i < window; ++i) {
    z[2 * i] = n->mono[first + i] * 0.5 * (1.0 - cos(2.0 * pi * (double)i / (double)window));
  }
  htz_fft_forward(&fft, z);
  htz_arena_free(&arena);
  for (size_t k = 0; k <= *points / 2; ++k) {
    z[k] = z[2 * k] * z[2 * k] + z[2 * k + 1] * z[2 * k + 1];
  }
  return z;
}

/** Power above `hz`, and of all of it. */
static double power_above(const note* n, double from_s, double seconds, double hz, double* all) {
  size_t points;
  double sum = 0.0, total = 0.0;
  double* p = spectrum(n, from_s, seconds, 2, &points);
  for (size_t k = 0; k <= points / 2; ++k) {
    total += p[k];
    sum += (double)k * rate_hz / (double)points > hz ? p[k] : 0.0;
  }
  free(p);
  if (all) {
    *all = total;
  }
  return sum;
}

static double centroid_at(const note* n, double from_s, double seconds) {
  size_t points;
  double sum = 0.0, moment = 0.0;
  double* p = spectrum(n, from_s, seconds, 2, &points);
  for (size_t k = 0; k <= points / 2; ++k) {
    sum += p[k];
    moment += p[k] * (double)k * rate_hz / (double)points;
  }
  free(p);
  return moment / sum;
}

/** Strongest frequency within a semitone of `hz`, by a parabola through the logarithms of three bins. */
static double strongest_near(const note* n, double from_s, double seconds, double hz) {
  size_t points, best = 0;
  double* p = spectrum(n, from_s, seconds, 8, &points);
  const double semitone = exp2(1.0 / 12.0), bin = rate_hz / (double)points;
  for (size_t k = (size_t)(hz / semitone / bin); k <= (size_t)(hz * semitone / bin); ++k) {
    best = !best || p[k] > p[best] ? k : best;
  }
  const double a = log(p[best - 1]), b = log(p[best]), c = log(p[best + 1]);
  free(p);
  return bin * ((double)best + 0.5 * (a - c) / (a - 2.0 * b + c));
}

static double above_db(sound* s, int key, double top) {
  static const double from_s = 0.3, heard_s = 0.15;
  note n;
  every_note(s, key, mezzoforte, from_s + heard_s + spare_s, &n);
  const double power = power_above(&n, from_s, heard_s, top * htz_key_hz(key), NULL);
  note_free(&n);
  return 10.0 * log10(power);
}

/**
   What is above the 8th partial 0.3 s after the pluck, with the bridge, without, and with the thread at its top. A sitar is plucked near
   its end, which brings partials up to the 16th by itself.
*/
static void a_bridge_feeds_the_high_partials(void** state) {
  static const struct {
    const char* name;
    int key;
    bool threaded;
    double top;
  } strings[] = {
      {"tanpura", 38, true, 8.5}, {"tanpura", 44, true, 8.5}, {"tanpura", 52, true, 8.5}, {"sitar", 55, false, 16.5}};
  static const double more_db = 10.0;
  (void)state;
  for (size_t i = 0; i < sizeof strings / sizeof strings[0]; ++i) {
    const int key = strings[i].key;
    sound s;
    open_changed(&s, strings[i].name, key, NULL);
    const double with_db = above_db(&s, key, strings[i].top);
    if (strings[i].threaded) {
      // Moved along the bridge the thread makes the buzz come and go: at the top some is left, before it none.
      assert_true(sound_set(&s, "cotton.at", 0.985));
      const double between_db = above_db(&s, key, strings[i].top);
      assert_true(sound_set(&s, "cotton.at", 0.97));
      const double top_db = above_db(&s, key, strings[i].top);
      print_message("%s %d: %.1f dB with the thread near its end, %.1f at the top of the bridge, %.1f before it\n",
                    strings[i].name, key, with_db, between_db, top_db);
      check_below(between_db, with_db);
      check_below(top_db, between_db);
      check_below(more_db - 1.0, with_db - top_db);
    }
    close_counted(&s);
    open_changed(&s, strings[i].name, key, &no_bridge);
    const double without_db = above_db(&s, key, strings[i].top);
    close_counted(&s);
    print_message("%s %d: above partial %.1f after 0.3 s %.1f dB with its bridge, %.1f without\n", strings[i].name, key,
                  strings[i].top, with_db, without_db);
    check_below(more_db, with_db - without_db);
  }
}

/** Centroids of the key at these times, each the mean over strokes about mezzoforte: single partials of one stroke come and go [Hz]. */
static void centroids(const change* c, size_t n_times, const double* from_s, double* to) {
  static const double window_s = 0.1, velocities[] = {74.0, 77.0, 80.0, 83.0, 86.0};
  enum { STROKES = sizeof velocities / sizeof velocities[0] };
  const int key = 48;
  sound s;
  open_changed(&s, "tanpura", key, c);
  for (size_t v = 0; v < STROKES; ++v) {
    note n;
    every_note(&s, key, velocities[v], from_s[n_times - 1] + window_s + spare_s, &n);
    for (size_t i = 0; i < n_times; ++i) {
      to[i] = (v ? to[i] : 0.0) + centroid_at(&n, from_s[i], window_s) / STROKES;
    }
    note_free(&n);
  }
  close_counted(&s);
}

/** Jvari: the tone opens after the pluck and then comes down through its partials; a string alone only gets darker. */
static void the_formant_comes_down(void** state) {
  static const double from_s[] = {0.0, 0.3, 0.8, 1.4, 2.0};
  enum { TIMES = sizeof from_s / sizeof from_s[0] };
  static const double string_hz = 14000.0; // as high as its partials go: at lower rates there is no centroid of all of them
  double hz[TIMES], alone[2];
  (void)state;
  if (rate_hz < 2.0 * string_hz) {
    skip();
  }
  centroids(NULL, TIMES, from_s, hz);
  print_message("centroid %.0f Hz, then %.0f, %.0f, %.0f, %.0f Hz\n", hz[0], hz[1], hz[2], hz[3], hz[4]);
  check_below(1.5 * hz[0], hz[1]); // by half an octave and more
  for (size_t i = 2; i < TIMES; ++i) {
    check_below(hz[i], hz[i - 1]);
  }
  check_below(hz[TIMES - 1], 0.75 * hz[1]);
  centroids(&no_bridge, 2, from_s, alone);
  check_below(alone[1], alone[0]);
}

/** Share of the power above `times` the pitch in 80 ms, `from_s` after the touch [dB]. */
static double share_db(sound* s, int key, double velocity, double from_s, double times) {
  static const double heard_s = 0.08;
  double all;
  note n;
  every_note(s, key, velocity, from_s + heard_s + spare_s, &n);
  const double power = power_above(&n, from_s, heard_s, times * htz_key_hz(key), &all);
  note_free(&n);
  return 10.0 * log10(power / all);
}

/** Keys of an instrument with frets, but for the last, which have hardly any left: at least, and on average. */
static void check_frets(const char* name, int low, int high, double least_db, double mean_db) {
  static const double after_s = 0.02, times = 8.5, clear_db = 0.1;
  double least = HUGE_VAL, mean = 0.0, apart = 0.0;
  for (int key = low; key <= high; ++key) {
    double with_db[2], without_db[2];
    for (int far = 0; far < 2; ++far) {
      sound s;
      double* to = far ? without_db : with_db;
      open_changed(&s, name, key, far ? &no_frets : NULL);
      to[0] = share_db(&s, key, soft, after_s, times);
      to[1] = share_db(&s, key, hard, after_s, times);
      close_counted(&s);
    }
    least = fmin(least, with_db[1] - without_db[1]);
    mean += (with_db[1] - without_db[1]) / (high - low + 1);
    apart = fmax(apart, fabs(with_db[0] - without_db[0]));
  }
  print_message(
      "%s, pulled hard: by its frets at least %.1f dB more of it are above the 8th partial, on average %.1f; softly %.2f\n",
      name, least, mean, apart);
  check_below(least_db, least);
  check_below(mean_db, mean);
  check_below(apart, clear_db);
}

/** Over frets a hard pull claps, or buzzes, which without them the same hand does not; a soft one stays clear of them. */
static void frets_clap_when_pulled_hard(void** state) {
  (void)state;
  check_frets("slap", 28, 65, 10.0, 10.0);
  check_frets("guitar-low", 40, 82, 6.0, 10.0);
}

/** The wires make the noise of a snare drum, for longer the harder it is struck. */
static void wires_rattle(void** state) {
  static const double after_s = 0.08, times = 8.5; // past the stick
  const int key = 57;
  sound s;
  (void)state;
  open_changed(&s, "snare", key, NULL);
  const double with_db = share_db(&s, key, mezzoforte, after_s, times), soft_db = share_db(&s, key, soft, 2.0 * after_s, times),
               hard_db = share_db(&s, key, hard, 2.0 * after_s, times);
  close_counted(&s);
  open_changed(&s, "snare", key, &no_wires);
  const double without_db = share_db(&s, key, mezzoforte, after_s, times);
  close_counted(&s);
  print_message(
      "snare: %.1f dB of it above 8.5 times the pitch with wires, %.1f without; later %.1f struck hard, %.1f softly\n", with_db,
      without_db, hard_db, soft_db);
  check_below(10.0, with_db - without_db);
  check_below(3.0, hard_db - soft_db);
}

typedef struct {
  const char* name;
  int keys[3];
  double settled_s; // from when on it has its pitch: two strings are sharp as long as they hit each other; 0: a drum
} grazing;

static const grazing all[] = {
    {"tanpura", {37, 50, 68}, 0.15},    {"sitar", {50, 66, 80}, 0.15}, {"slap", {30, 44, 66}, 0.15},
    {"guitar-low", {41, 57, 75}, 0.15}, {"duel", {40, 62, 80}, 0.6},   {"snare", {52, 57, 66}, 0.0},
};

static void check_in_tune(const grazing* it, int key) {
  static const double heard_s = 0.8, within_cents = 5.0;
  const double from_s = it->settled_s;
  sound s;
  note n;
  open_changed(&s, it->name, key, NULL);
  every_note(&s, key, mezzoforte, from_s + heard_s + spare_s, &n);
  const double off = cents_between(strongest_near(&n, from_s, heard_s, htz_key_hz(key)), htz_key_hz(key));
  print_message("%s %d: %+.1f cent\n", it->name, key, off);
  check_near(off, 0.0, within_cents);
  note_free(&n);
  close_counted(&s);
}

/** The fundamental that sounds is the key's, however the string wraps around what it grazes. */
static void strings_sound_in_tune(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    for (size_t k = 0; all[i].settled_s > 0.0 && !thorough && k < sizeof all[i].keys / sizeof all[i].keys[0]; ++k) {
      check_in_tune(&all[i], all[i].keys[k]);
    }
    for (int key = all[i].keys[0]; all[i].settled_s > 0.0 && thorough && key <= all[i].keys[2]; ++key) {
      check_in_tune(&all[i], key);
    }
  }
}

/** Louder and brighter with velocity: what the hand does grows by 10 dB from 20 to 127, what is heard by hardly less. */
static void touch_is_heard(void** state) {
  static const double heard_s = 0.2, window_s = 0.15, louder_db = 8.0;
  static const double velocities[] = {20.0, 80.0, 127.0};
  enum { VELOCITIES = sizeof velocities / sizeof velocities[0] };
  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    const int key = all[i].keys[1];
    double peak[VELOCITIES], centroid[VELOCITIES];
    sound s;
    open_changed(&s, all[i].name, key, NULL);
    for (size_t v = 0; v < VELOCITIES; ++v) {
      note n;
      every_note(&s, key, velocities[v], heard_s, &n);
      peak[v] = decibels(peak_of(n.mono, n.frames));
      centroid[v] = centroid_at(&n, 0.0, window_s);
      note_free(&n);
    }
    print_message("%s %d: %.1f, %.1f, %.1f dBFS; %.0f, %.0f, %.0f Hz\n", all[i].name, key, peak[0], peak[1], peak[2],
                  centroid[0], centroid[1], centroid[2]);
    check_below(peak[0], peak[1]);
    check_below(peak[1], peak[2]);
    check_below(louder_db, peak[2] - peak[0]);
    check_below(centroid[0], centroid[2]);
    close_counted(&s);
  }
}

int main(int argc, char** argv) {
  static const double rates[] = {22050.0, 44100.0, 48000.0, 88200.0, 96000.0, 192000.0};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_bridge_feeds_the_high_partials),
      cmocka_unit_test(the_formant_comes_down),
      cmocka_unit_test(frets_clap_when_pulled_hard),
      cmocka_unit_test(wires_rattle),
      cmocka_unit_test(strings_sound_in_tune),
      cmocka_unit_test(touch_is_heard),
  };
  int failed = 0;
  thorough = argc > 1 || getenv("HERTZIAN_LONG") != NULL;
  for (size_t r = 0; thorough && argc == 1 && r < sizeof rates / sizeof rates[0]; ++r) {
    rate_hz = rates[r];
    print_message("%.0f Hz\n", rate_hz);
    failed += cmocka_run_group_tests(tests, NULL, NULL);
  }
  for (int i = 1; i < argc; ++i) {
    rate_hz = strtod(argv[i], NULL);
    if (!(rate_hz >= 8000.0)) {
      fprintf(stderr, "test_buzz: %s is no sample rate\n", argv[i]);
      return 2;
    }
    failed += cmocka_run_group_tests(tests, NULL, NULL);
  }
  return thorough ? failed : cmocka_run_group_tests(tests, NULL, NULL);
}
