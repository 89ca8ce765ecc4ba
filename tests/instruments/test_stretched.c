/*
   Octaves stretched by the strings' own inharmonicity, felt whose force rises with more than the fourth power, and a bridge with mass:
   what a file says of them, and how it plays.
*/
#include "check.h"
#include "sound/render.h"
#include "sound/spectrum.h"
#include "sound/theory.h"

#include "hertzian/instrument/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;
enum { LOW = 33, HIGH = 93, A4 = 69, OCTAVE = 12 };

static void open_file(sound* s) {
  assert_true(sound_open(s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/stretched.yaml", rate_hz));
}

/** Partial n, a whole number or not, of a string of the key as it is built: from its first and its inharmonicity. */
static double partial_hz(const sound* s, int key, double n) {
  const double b = property(s->spec, "inharmonicity", key);
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  htz_arena_measure(&arena);
  assert_int_equal(htz_spec_modes(&s->spec->bodies[0], key, &arena, &modes, &why), HTZ_OK);
  const double first = modes.omega[0] / (2.0 * pi);
  htz_arena_free(&arena);
  return n * first * sqrt((1.0 + b * n * n) / (1.0 + b));
}

/**
   Partial 2 b of a key and b of the one an octave above are one pitch, b = 1.875 at C5. Tuned evenly in between, an octave is as wide as
   the mean of what it should be from half an octave below to half above: off by (12 keys)^2/24 of the second derivative. Inharmonicity
   grows by 6.7 % a key, and so does what it widens, by 10 cents there: (12 ln 1.067)^2/24 = 2.5 % of that.
*/
static void octaves_do_not_beat(void** state) {
  sound s;
  (void)state;
  open_file(&s);
  check_close(partial_hz(&s, A4, 1.0), 440.0, 1e-12);
  const double beat = 1200.0 * log2(partial_hz(&s, 72, 3.75) / partial_hz(&s, 84, 1.875));
  const double wide = 1200.0 * log2(partial_hz(&s, 84, 1.0) / (2.0 * partial_hz(&s, 72, 1.0)));
  print_message("C5 to C6 is %.2f cents wide, %.3f cents off\n", wide, beat);
  check_above(wide, 2.0);
  check_near(beat, 0.0, 0.25);
  double last = -HUGE_VAL;
  for (int key = LOW; key <= HIGH; ++key) { // and it never goes back
    const double off = 1200.0 * log2(partial_hz(&s, key, 1.0) / htz_key_hz(key));
    assert_true(off > last);
    last = off;
  }
  sound_close(&s);
}

/** What it gives does not depend on where the board stands: one-way every string is at its own pitch, two-way its tuned partials are. */
static void a_tuner_listens_to_several_partials(void** state) {
  sound s;
  (void)state;
  open_file(&s);
  for (int key = LOW; key <= HIGH; key += OCTAVE) {
    unsigned first, last;
    htz_spec_tuned_by(&s.spec->bodies[0], key, &first, &last);
    assert_true(first >= 1 && last >= 2 * first && last <= 8);
    // The median of what several partials ask for; a wolf of the first alone would ask for tens of cents.
    check_near(1200.0 * log2(s.instrument->keys[key].bridge_tuning), 0.0, 12.0);
  }
  sound_close(&s);
}

static void soft_felt_is_dark_and_all_keys_play(void** state) {
  sound s;
  (void)state;
  open_file(&s);
  assert_true(sound_set(&s, "room", 0.0));
  for (int key = LOW; key <= HIGH; key += 15) {
    double centroid[2];
    for (int hard = 0; hard < 2; ++hard) {
      note n;
      sound_note(&s, (unsigned)key, hard ? 120.0 : 20.0, 0, (size_t)(0.3 * rate_hz), &n);
      centroid[hard] = spectral_centroid(n.mono, n.frames, rate_hz);
      check_above(peak_of(n.mono, n.frames), 1e-5);
      note_free(&n);
    }
    print_message("key %d: centroid %.0f Hz soft, %.0f Hz hard\n", key, centroid[0], centroid[1]);
    check_above(centroid[1] / centroid[0], 1.1);
  }
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

/** Re of the mobility of the board at place `x` along its bridge, from its modes [s/kg]. */
static double conductance(const htz_modes* modes, const double* phi, double hz) {
  const double w = 2.0 * pi * hz;
  double sum = 0.0;
  for (size_t k = 0; k < modes->n; ++k) {
    const double detuned = modes->omega[k] * modes->omega[k] - w * w, loss = 2.0 * modes->sigma[k] * w;
    sum += phi[k] * phi[k] / modes->mass[k] * w * loss / (detuned * detuned + loss * loss);
  }
  return sum;
}

/**
   What the board of a grand takes from its strings, by band: the mean over its bridge against a recorded one's, where early and late decay
   of 20 keys say it, each with a scatter of 2 to 4 dB.
*/
static void a_bridge_takes_of_the_strings_what_a_recorded_one_does(void** state) {
  static const struct {
    double low, high, measured;
  } bands[] = {{120.0, 200.0, 1.8e-3}, {200.0, 300.0, 1.1e-3},  {300.0, 450.0, 4.9e-4},
               {450.0, 700.0, 5.8e-4}, {700.0, 1000.0, 6.8e-4}, {1000.0, 1500.0, 5.9e-4}};
  static const double within_db = 3.0;
  enum { BANDS = sizeof bands / sizeof bands[0], TONES = 25, PLACES = 22 };
  htz_spec* spec = NULL;
  htz_diags diags;
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  (void)state;
  htz_diags_init(&diags, "piano.yaml");
  assert_int_equal(htz_spec_load(HTZ_SOURCE_DIR "/instruments/piano.yaml", &spec, &diags), HTZ_OK);
  htz_arena_measure(&arena);
  assert_int_equal(htz_spec_modes(&spec->board.body, spec->key_low, &arena, &modes, &why), HTZ_OK);
  double* phi = calloc(modes.n, sizeof *phi);
  double sum[BANDS] = {0.0};
  assert_non_null(phi);
  for (size_t p = 0; p < PLACES; ++p) {
    modes.shape(&modes, (double)p / (PLACES - 1), phi);
    for (size_t b = 0; b < BANDS; ++b) {
      for (size_t i = 0; i < TONES; ++i) {
        const double hz = bands[b].low * pow(bands[b].high / bands[b].low, ((double)i + 0.5) / TONES);
        sum[b] += conductance(&modes, phi, hz) / (TONES * PLACES);
      }
    }
  }
  for (size_t b = 0; b < BANDS; ++b) {
    print_message("%4.0f to %4.0f Hz: %.2g s/kg, recorded %.2g\n", bands[b].low, bands[b].high, sum[b], bands[b].measured);
    check_near(10.0 * log10(sum[b] / bands[b].measured), 0.0, within_db);
  }
  free(phi);
  htz_arena_free(&arena);
  htz_spec_free(spec);
}

/** The file with `from` replaced is refused with `message`. */
static void refused(const char* from, const char* to, const char* message) {
  static const char file[] =
      "format: 1\nname: Test\nkeys: [60, 72]\nper_key:\n"
      "  string: {body: string, length: 0.6, lin_density: 0.006, t60: 4, modes: 20}\n"
      "shared:\n  board: {body: soundboard, material: spruce, length: 1.4, width: 1, thickness: 0.009, modes: 40}\n"
      "drives: [{from: string, to: board, quantity: velocity, gain: 1}]\n"
      "mallet: {strikes: string, mass: 0.009, speed: [0.3, 6], contact: {stiffness: 4.5e+9}}\n"
      "pickups: [{of: board, at: [0.6, 0.7]}]\n";
  char text[2048];
  const char* at = strstr(file, from);
  assert_non_null(at);
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - file), file, to, at + strlen(from));
  htz_spec* spec = NULL;
  htz_diags diags;
  htz_diags_init(&diags, "test.yaml");
  assert_true(htz_spec_parse("test.yaml", text, strlen(text), &spec, &diags) != HTZ_OK);
  for (size_t i = 1; i < diags.n; ++i) {
    print_error("besides: %s\n", diags.item[i].text);
  }
  assert_int_equal(diags.n, 1);
  if (!strstr(diags.item[0].text, message)) {
    print_error("%s\n", diags.item[0].text);
  }
  assert_non_null(strstr(diags.item[0].text, message));
}

static void what_cannot_be_is_refused(void** state) {
  (void)state;
  refused("body: string, length: 0.6, lin_density: 0.006,", "body: bar, frequency: stretched, mass: 0.1,",
          "frequency: only octaves of strings are stretched");
  refused("body: string,", "body: string, frequency: wide,",
          "frequency: unknown \"wide\". Allowed: a number or table in Hz, `key`");
  refused("thickness: 0.009", "thickness: 0.009, frequency: stretched",
          "frequency: a shared body has no key to take its pitch from");
  refused("thickness: 0.009", "thickness: 0.009, bridge_mass: -1",
          "bridge_mass: -1 kg/m is out of range; allowed: 0 to 1000 kg/m");
  refused("thickness: 0.009", "thickness: 0.009, bridge_mass: 1, bridge: [0.3, 0.3, 0.3, 0.3]",
          "bridge: one that has mass or stiffness needs a length");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(octaves_do_not_beat),
      cmocka_unit_test(a_tuner_listens_to_several_partials),
      cmocka_unit_test(soft_felt_is_dark_and_all_keys_play),
      cmocka_unit_test(a_bridge_takes_of_the_strings_what_a_recorded_one_does),
      cmocka_unit_test(what_cannot_be_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
