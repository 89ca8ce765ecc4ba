/*
   Touch: a harder stroke is louder and, on the marimba, brighter. Every C of the range, or every third key of it, mono sum at 48 kHz.
*/
#include "check.h"
#include "sound/render.h"
#include "sound/spectrum.h"

static const double rate_hz = 48000.0;
static const double heard_s = 1.0;
static const double least_rise_db = 20.0; // of the peak, from the softest to the hardest of the five
static const double velocities[] = {20.0, 50.0, 80.0, 110.0, 127.0};
enum { VELOCITIES = sizeof velocities / sizeof velocities[0], OCTAVE = 12 };

/** Peaks [full scale] and centroids [Hz] of one key at the five velocities. */
static void strokes(sound* s, int key, double* peak, double* centroid) {
  for (size_t i = 0; i < VELOCITIES; ++i) {
    note n;
    sound_note(s, (unsigned)key, velocities[i], 0, (size_t)(heard_s * rate_hz), &n);
    peak[i] = peak_of(n.mono, n.frames);
    centroid[i] = spectral_centroid(n.mono, n.frames, rate_hz);
    note_free(&n);
  }
}

static void check_touch(const char* name, bool brightens) {
  char path[HTZ_PATH_MAX];
  sound s;
  instrument_path(name, path);
  assert_true(sound_open(&s, path, rate_hz));
  size_t keys = 0;
  for (int key = (s.spec->key_low + OCTAVE - 1) / OCTAVE * OCTAVE; key <= s.spec->key_high; key += OCTAVE) {
    double peak[VELOCITIES], centroid[VELOCITIES];
    strokes(&s, key, peak, centroid);
    print_message("%s key %3d: %.1f..%.1f dBFS, centroid", name, key, decibels(peak[0]), decibels(peak[VELOCITIES - 1]));
    for (size_t i = 0; i < VELOCITIES; ++i) {
      print_message(" %.1f", centroid[i]);
    }
    print_message(" Hz\n");
    check_above(decibels(peak[VELOCITIES - 1] / peak[0]), least_rise_db);
    for (size_t i = 1; i < VELOCITIES; ++i) {
      check_above(peak[i], peak[i - 1]);
      if (brightens) {
        check_above(centroid[i], centroid[i - 1]);
      }
    }
    ++keys;
  }
  assert_true(keys > 0);
  sound_close(&s);
}

static void marimba_brightens_at_every_step(void** state) {
  (void)state;
  check_touch("marimba", true);
}

static void beaten_bars_and_discs_brighten(void** state) {
  (void)state;
  check_touch("xylophone", true);
  check_touch("celesta", false);
  check_touch("crotales", true);
}

static void glockenspiel_grows(void** state) {
  (void)state;
  check_touch("glockenspiel", false);
}

/** At every third key soft, middling and hard: louder and brighter. */
static void check_every_third(const char* name) {
  static const double touches[] = {30.0, 70.0, 110.0};
  enum { TOUCHES = sizeof touches / sizeof touches[0], THIRD = 3 };
  char path[HTZ_PATH_MAX];
  sound s;
  size_t wrong = 0;
  instrument_path(name, path);
  assert_true(sound_open(&s, path, rate_hz));
  assert_true(sound_set(&s, "room", 0.0));
  assert_true(sound_set(&s, "human", 0.0));
  for (int key = s.spec->key_low; key <= s.spec->key_high; key += THIRD) {
    double peak[TOUCHES], centroid[TOUCHES];
    for (size_t i = 0; i < TOUCHES; ++i) {
      note n;
      sound_note(&s, (unsigned)key, touches[i], 0, (size_t)(heard_s * rate_hz), &n);
      peak[i] = peak_of(n.mono, n.frames);
      centroid[i] = spectral_centroid(n.mono, n.frames, rate_hz);
      note_free(&n);
    }
    if (!(peak[1] > peak[0] && peak[2] > peak[1] && centroid[1] > centroid[0] && centroid[2] > centroid[1])) {
      print_error("%s key %d: %.1f, %.1f, %.1f dBFS, centroid %.1f, %.1f, %.1f Hz\n", name, key, decibels(peak[0]),
                  decibels(peak[1]), decibels(peak[2]), centroid[0], centroid[1], centroid[2]);
      ++wrong;
    }
  }
  sound_close(&s);
  assert_int_equal(wrong, 0);
}

static void struck_files_brighten_at_every_third_key(void** state) {
  static const char* const struck[] = {"marimba", "xylophone", "crotales", "steel-drum", "balafon", "santur", "berimbau"};
  (void)state;
  for (size_t i = 0; i < sizeof struck / sizeof struck[0]; ++i) {
    check_every_third(struck[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(marimba_brightens_at_every_step),
      cmocka_unit_test(beaten_bars_and_discs_brighten),
      cmocka_unit_test(glockenspiel_grows),
      cmocka_unit_test(struck_files_brighten_at_every_third_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
