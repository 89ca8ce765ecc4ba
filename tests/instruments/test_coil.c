// A magnet in a coil as a pickup: soft notes as a plain pickup hears them, hard ones by its field, against the field's own Fourier series.
#include "check.h"
#include "sound/render.h"

#include "hertzian/instrument/instrument.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;
static const double reach_m = 0.002, gain = 0.1;

enum { FROM = 24000, WINDOW = 9600, FRAMES = FROM + WINDOW, KEY = 57, HARMONICS = 6, STEPS = 4096 };

static void open_coil(sound* s, double offset) {
  char path[HTZ_PATH_MAX], text[2048];
  snprintf(path, sizeof path, "%s/tests/fixtures/instruments/coil.yaml", HTZ_SOURCE_DIR);
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  const size_t n = fread(text, 1, sizeof text - 64, file);
  fclose(file);
  text[n] = '\0';
  char* at = strstr(text, "offset: 0.001");
  assert_non_null(at);
  char changed[2112];
  snprintf(changed, sizeof changed, "%.*soffset: %.6f%s", (int)(at - text), text, offset, at + strlen("offset: 0.001"));
  assert_true(sound_open_text(s, changed, rate_hz));
  assert_true(sound_set(s, "room", 0.0));
}

static double complex component(const double* x, double hz) {
  double complex sum = 0.0;
  for (size_t i = 0; i < WINDOW; ++i) {
    sum += x[i] * (1.0 - cos(2.0 * pi * (double)i / WINDOW)) * cexp(-I * 2.0 * pi * hz * (double)i / rate_hz);
  }
  return 2.0 * sum / WINDOW;
}

/** Amplitudes of the harmonics of a tongue that swings by `most` distances beside `offset`: the coil's voltage over a period, [sample value]. */
static void theory(double most, double offset, double hz, double harmonic[HARMONICS]) {
  const double steepest = 0.5 * pow(1.25, -2.5);
  for (size_t h = 0; h < HARMONICS; ++h) {
    double complex sum = 0.0;
    for (size_t i = 0; i < STEPS; ++i) {
      const double phase = 2.0 * pi * ((double)i + 0.5) / STEPS, u = offset + most * sin(phase);
      const double v = 2.0 * pi * hz * most * reach_m * cos(phase);
      sum += gain * v * u * pow(1.0 + u * u, -2.5) / steepest * cexp(-I * (double)(h + 1) * phase);
    }
    harmonic[h] = 2.0 * cabs(sum) / STEPS;
  }
}

static void note_of(sound* s, double velocity, note* n) {
  sound_rest(s);
  htz_engine_hold(s->engine, 0, KEY, true, htz_engine_now(s->engine));
  sound_note(s, KEY, velocity, 0, FRAMES, n);
  htz_engine_hold(s->engine, 0, KEY, false, htz_engine_now(s->engine));
}

/** Half a second after the stroke the tongue swings in its first mode alone: the plain pickup says how far, the field how that sounds. */
static void harmonics_are_those_of_the_field(void** state) {
  static const double velocities[] = {40.0, 90.0, 127.0}, offsets[] = {0.0, 0.5, 1.0};
  static const double heard_db = -40.0; // harmonics down to here beside the strongest
  static const double within_db =
      0.1; // the tongue decays by 0.6 dB within the window: of the sixth power of its swing that leaves some hundredths
  const double hz = 440.0 * exp2((KEY - 69) / 12.0);
  (void)state;
  for (size_t o = 0; o < 3; ++o) {
    sound s;
    open_coil(&s, offsets[o] * reach_m);
    for (size_t v = 0; v < 3; ++v) {
      note n;
      double expected[HARMONICS], strongest = 0.0;
      note_of(&s, velocities[v], &n);
      const double most = cabs(component(n.right + FROM, hz)) / (gain * 2.0 * pi * hz * reach_m);
      theory(most, offsets[o], hz, expected);
      for (size_t h = 0; h < HARMONICS; ++h) {
        strongest = fmax(strongest, expected[h]);
      }
      print_message("offset %.1f, swing %.3f:", offsets[o], most);
      for (size_t h = 0; h < HARMONICS; ++h) {
        const double got = cabs(component(n.left + FROM, (double)(h + 1) * hz));
        print_message(" %.1f (%.1f)", decibels(got), decibels(expected[h]));
        if (decibels(expected[h] / strongest) > heard_db) {
          check_near(decibels(got / expected[h]), 0.0, within_db);
        }
      }
      print_message(" dBFS\n");
      note_free(&n);
    }
    sound_close(&s);
  }
}

/** What the field is wide for is no bark: the softest stroke is as the plain pickup hears it, to the square of its swing. */
static void a_soft_note_is_clean(void** state) {
  sound s;
  note n;
  (void)state;
  open_coil(&s, 0.5 * reach_m);
  note_of(&s, 1.0, &n);
  const double hz = 440.0 * exp2((KEY - 69) / 12.0);
  const double most = cabs(component(n.right + FROM, hz)) / (gain * 2.0 * pi * hz * reach_m);
  check_below(most, 0.1);
  check_near(cabs(component(n.left + FROM, hz)) / cabs(component(n.right + FROM, hz)), 1.0, 2.0 * most * most);
  note_free(&n);
  sound_close(&s);
}

/** Cut short and struck again, many times: a coil's voltage sums up to nothing, and no loudspeaker is pushed. */
static void silencing_leaves_nothing_over(void** state) {
  static const double mean_most_db = -80.0;
  enum { STROKES = 40, QUANTA = 60 };
  sound s;
  double sum = 0.0, peak = 0.0;
  (void)state;
  open_coil(&s, 0.5 * reach_m);
  for (size_t i = 0; i < STROKES; ++i) {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    htz_engine_hold(s.engine, 0, KEY, true, htz_engine_now(s.engine));
    htz_engine_strike(s.engine, 0, KEY, 127.0, htz_engine_now(s.engine) + i % HTZ_QUANTUM);
    for (size_t q = 0; q < QUANTA; ++q) {
      if (q == QUANTA / 2) {
        htz_engine_silence(s.engine, 0, htz_engine_now(s.engine));
      }
      htz_engine_quantum(s.engine, left, right);
      for (size_t f = 0; f < HTZ_QUANTUM; ++f) {
        sum += (double)left[f];
        peak = fmax(peak, fabs((double)left[f]));
      }
    }
  }
  check_above(decibels(peak), -40.0);
  check_below(decibels(fabs(sum) / (STROKES * QUANTA * HTZ_QUANTUM)), mean_most_db);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

static void refused(const char* pickup, const char* says) {
  char text[1024];
  htz_spec* spec;
  htz_diags diags;
  snprintf(text, sizeof text,
           "format: 1\nname: Test\nkeys: [60, 72]\n"
           "per_key: {b: {body: bar, material: steel, length: 0.3, width: 0.03, thickness: 0.01, modes: 8}}\n"
           "mallet: {strikes: b, mass: 0.02, speed: [0.1, 4], contact: {stiffness: 1.0e+7}}\npickups: [%s]\n",
           pickup);
  assert_int_equal(htz_spec_parse("test.yaml", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 1);
  if (!strstr(diags.item[0].text, says) || diags.item[0].line != 6) {
    print_error("%u: \"%s\" does not say \"%s\"\n", diags.item[0].line, diags.item[0].text, says);
    fail();
  }
}

static void what_is_no_coil_is_refused(void** state) {
  (void)state;
  refused("{of: b, quantity: displacement, magnet: {distance: 0.002}}", "magnet: a coil hears how fast the field changes");
  refused("{of: b, ear: [0, -1, 1], magnet: {distance: 0.002}}", "and with no ear");
  refused("{of: b, magnet: {offset: 0.002}}", "distance");
  refused("{of: b, magnet: {distance: 0}}", "distance");
  refused("{of: b, magnet: {distance: 0.002, angle: 3}}", "angle");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(harmonics_are_those_of_the_field),
      cmocka_unit_test(a_soft_note_is_clean),
      cmocka_unit_test(silencing_leaves_nothing_over),
      cmocka_unit_test(what_is_no_coil_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
