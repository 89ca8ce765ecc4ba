/*
   Every instrument file there is: beside the others a note is as loud, at fortissimo it leaves the headroom promised, and its sound does
   not push the loudspeaker to one side.
*/
#include "check.h"
#include "sound/every.h"
#include "sound/loudness.h"
#include "sound/spectrum.h"

#include "hertzian/host/output.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double within_db = 4.0;       // strokes of what has no pitch
static const double notes_within_db = 3.0; // notes of what has one
static const double mezzoforte = 80.0, forte = 100.0, fortissimo = 127.0;
static const double level_db = -20.0, level_tolerance_db = 3.0; // peak of what has no pitch at fortissimo [dBFS]
static const double fingers = 10.0;       // notes at once at most, where neither strings nor hands are fewer
static const double mean_most_db = -80.0; // mean over a second
static const double momentary_s = 0.4;    // BS.1770's: how loud a note is
// The time a sound level meter takes for impulses: what has no pitch is compared by how loud its strokes are, not how long they last.
static const double stroke_s = 0.035;
static const double heard_s = 1.0; // a bow has its string going by then
enum { HOPS_PER_SECOND = 200, PLACES = 3 };

/** Files that are no instruments to play with others, and why. */
static const struct {
  const char* name;
  const char* why;
} apart[] = {
    // Systems of a paper, which have its parts and no others. How loud they are follows from those.
    {"mass-barrier", "the force of a bouncing mass"},
    {"mass-spring-barrier", "the force of a mass on a spring against a barrier"},
    {"mass-springs", "two masses on springs that meet"},
    {"mass-spring-string", "a mass on a spring against a string"},
    {"string-mass-barrier", "a mass between a string and a barrier"},
    {"string-string", "two strings that meet"},
    {"tromba-spring", "a string, a mass and a plate joined by springs"},
    {"tromba-collision", "the same joined by collisions"},
    // Its keys are as loud beside each other, and all of them beside other instruments, as in recorded music.
    {"drum-kit", "keys that differ by what they are"},
};

/** Instruments whose files do not say that fewer notes begin at once than a player has fingers. */
static const struct {
  const char* name;
  double notes;
} few[] = {
    {"xylophone", 4.0}, // two mallets in each hand
    {"slap", 4.0},      // a bass's strings, each key with one of its own
};

/**
   Peak of a fortissimo note that leaves room for as many at once as a player can strike, by strings, mallets or fingers, adding as
   unrelated sounds do, below full scale where it is heard [dBFS as an engine gives it].
*/
static double most_for_chords(const char* name, const htz_spec* spec) {
  double notes = spec->fingered.n > 0 ? (double)spec->fingered.n : fingers;
  for (size_t i = 0; i < sizeof few / sizeof few[0]; ++i) {
    notes = strcmp(few[i].name, name) == 0 ? few[i].notes : notes;
  }
  return -HTZ_OUTPUT_DB - 10.0 * log10(notes);
}

/** Files of drums and discs, whose keys are no pitches. */
static const char* const unpitched[] = {"china", "crash", "gong", "ride", "snare", "tam-tam"};

static bool is_pitched(const char* name) {
  for (size_t i = 0; i < sizeof unpitched / sizeof unpitched[0]; ++i) {
    if (strcmp(unpitched[i], name) == 0) {
      return false;
    }
  }
  return true;
}

static bool is_apart(const char* name) {
  for (size_t i = 0; i < sizeof apart / sizeof apart[0]; ++i) {
    if (strcmp(apart[i].name, name) == 0) {
      print_message("%s: not compared; %s\n", name, apart[i].why);
      return true;
    }
  }
  return false;
}

/** Open it with its lowest key, its middle and the quarters between middle and ends. */
static void open_some(const char* name, sound* s, int places[PLACES]) {
  char path[HTZ_PATH_MAX];
  htz_spec* spec = NULL;
  htz_diags diags;
  instrument_path(name, path);
  htz_diags_init(&diags, path);
  if (htz_spec_load(path, &spec, &diags)) {
    htz_diags_print(&diags, stderr);
    fail();
  }
  uint64_t keys[HTZ_KEYS / 64] = {0};
  const int low = spec->key_low, span = spec->key_high - low;
  keys[(size_t)low / 64] |= UINT64_C(1) << ((unsigned)low % 64);
  for (int i = 0; i < PLACES; ++i) {
    places[i] = low + (i + 1) * span / (PLACES + 1);
    keys[(size_t)places[i] / 64] |= UINT64_C(1) << ((unsigned)places[i] % 64);
  }
  htz_spec_free(spec);
  assert_true(sound_open_keys(s, path, rate_hz, keys));
}

static double peak_db(const note* n) {
  return decibels(fmax(peak_of(n->left, n->frames), peak_of(n->right, n->frames)));
}

/** Loudest `window` seconds of a note [LUFS]. */
static double loudness(sound* s, int key, double velocity, double window) {
  note n;
  every_note(s, key, velocity, heard_s, &n);
  const double lufs = loudness_max(n.left, n.right, n.frames, rate_hz, window, (size_t)rate_hz / HOPS_PER_SECOND);
  note_free(&n);
  return lufs;
}

static double fortissimo_peak(sound* s, int key) {
  note n;
  every_note(s, key, fortissimo, heard_s, &n);
  const double peak = peak_db(&n);
  note_free(&n);
  return peak;
}

/** What of its kind was softest and loudest. */
typedef struct {
  double softest, loudest;
  const char *soft, *loud;
} range;

static void take(range* r, const char* name, double lufs) {
  r->soft = lufs < r->softest ? name : r->soft;
  r->loud = lufs > r->loudest ? name : r->loud;
  r->softest = fmin(r->softest, lufs);
  r->loudest = fmax(r->loudest, lufs);
}

/**
   Of what has a pitch a note at velocity 100, as it comes, with the room and the ears of its file: the loudest 400 ms as ITU-R BS.1770
   weights them, in the mean over three places of its range. Of what has none a stroke at 80, dry.
*/
static void every_instrument_has_its_level(void** state) {
  every_instrument all = every_list();
  range notes = {HUGE_VAL, -HUGE_VAL, "", ""}, strokes = notes;
  size_t off = 0;
  (void)state;
  for (size_t i = 0; i < all.n; ++i) {
    if (is_apart(all.name[i])) {
      continue;
    }
    sound s;
    int places[PLACES];
    open_some(all.name[i], &s, places);
    double lufs = 0.0;
    for (int p = 0; p < PLACES; ++p) {
      lufs += loudness(&s, places[p], forte, momentary_s) / PLACES;
    }
    assert_true(sound_set(&s, "room", 0.0));
    const double peak = fortissimo_peak(&s, places[PLACES / 2]);
    if (is_pitched(all.name[i])) {
      print_message("%-16s %6.1f LUFS at velocity 100, peak %6.1f dBFS at 127\n", all.name[i], lufs, peak);
      off += peak <= most_for_chords(all.name[i], s.spec) ? 0 : 1;
      take(&notes, all.name[i], lufs);
    } else {
      const double stroke = loudness(&s, places[PLACES / 2], mezzoforte, stroke_s);
      print_message("%-16s %6.1f LUFS of its strokes at velocity 80, peak %6.1f dBFS at 127\n", all.name[i], stroke, peak);
      off += fabs(peak - level_db) <= level_tolerance_db ? 0 : 1;
      take(&strokes, all.name[i], stroke);
    }
    sound_close(&s);
  }
  print_message("notes: softest %s, loudest %s: %.1f dB apart; strokes: softest %s, loudest %s: %.1f dB apart\n", notes.soft,
                notes.loud, notes.loudest - notes.softest, strokes.soft, strokes.loud, strokes.loudest - strokes.softest);
  every_free(&all);
  check_below(notes.loudest - notes.softest, notes_within_db);
  check_below(strokes.loudest - strokes.softest, within_db);
  assert_int_equal(off, 0);
}

static void no_note_has_an_offset(void** state) {
  static const double two_s = 2.0;
  every_instrument all = every_list();
  (void)state;
  for (size_t i = 0; i < all.n; ++i) {
    sound s;
    int places[PLACES];
    open_some(all.name[i], &s, places);
    assert_true(sound_set(&s, "room", 0.0));
    const int keys[2] = {s.spec->key_low, places[PLACES / 2]};
    for (size_t k = 0; k < 2; ++k) {
      note n;
      every_note(&s, keys[k], fortissimo, two_s, &n);
      const double mean_db = decibels(0.5 * worst_mean(n.mono, n.frames, rate_hz)); // of one channel
      if (!(mean_db <= mean_most_db)) {
        print_error("%s: key %d has a mean of %.1f dBFS over a second\n", all.name[i], keys[k], mean_db);
        fail();
      }
      note_free(&n);
    }
    sound_close(&s);
  }
  every_free(&all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instrument_has_its_level),
      cmocka_unit_test(no_note_has_an_offset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
