/*
   Every instrument file there is: beside the others it is as loud at mezzoforte, at fortissimo it leaves the headroom promised, and
   its sound does not push the loudspeaker to one side. All without a room.
*/
#include "check.h"
#include "sound/every.h"
#include "sound/loudness.h"
#include "sound/spectrum.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double within_db = 4.0;
static const double mezzoforte = 80.0, fortissimo = 127.0;
static const double level_db = -20.0, level_tolerance_db = 3.0; // peak of the middle key at fortissimo [dBFS]
static const double mean_most_db = -80.0;                       // mean over a second
// The time a sound level meter takes for impulses: a plucked tine and a bowed string are compared by how loud, not how long.
static const double stroke_s = 0.035;
static const double heard_s = 1.0; // a bow has its string going by then
enum { HOPS_PER_SECOND = 200 };

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

static bool is_apart(const char* name) {
  for (size_t i = 0; i < sizeof apart / sizeof apart[0]; ++i) {
    if (strcmp(apart[i].name, name) == 0) {
      print_message("%s: not compared; %s\n", name, apart[i].why);
      return true;
    }
  }
  return false;
}

/** Open it with its middle and its lowest key. */
static void open_two(const char* name, sound* s, int* middle) {
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
  *middle = (spec->key_low + spec->key_high) / 2;
  const int struck[2] = {*middle, spec->key_low};
  for (size_t i = 0; i < 2; ++i) {
    keys[(size_t)struck[i] / 64] |= UINT64_C(1) << ((unsigned)struck[i] % 64);
  }
  htz_spec_free(spec);
  assert_true(sound_open_keys(s, path, rate_hz, keys));
  assert_true(sound_set(s, "room", 0.0));
}

static double peak_db(const note* n) {
  return decibels(fmax(peak_of(n->left, n->frames), peak_of(n->right, n->frames)));
}

static void every_instrument_has_its_level(void** state) {
  every_instrument all = every_list();
  double softest = HUGE_VAL, loudest = -HUGE_VAL;
  size_t off = 0;
  const char *soft = "", *loud = "";
  (void)state;
  for (size_t i = 0; i < all.n; ++i) {
    if (is_apart(all.name[i])) {
      continue;
    }
    sound s;
    note n;
    int middle;
    open_two(all.name[i], &s, &middle);
    every_note(&s, middle, mezzoforte, heard_s, &n);
    const double lufs = loudness_max(n.left, n.right, n.frames, rate_hz, stroke_s, (size_t)rate_hz / HOPS_PER_SECOND);
    note_free(&n);
    every_note(&s, middle, fortissimo, heard_s, &n);
    print_message("%-16s %6.1f LUFS at velocity 80, peak %6.1f dBFS at 127\n", all.name[i], lufs, peak_db(&n));
    // How hard a bow is set on is not how loud the note becomes: pressure and expression say that, and no stroke stands out.
    const double over_db = peak_db(&n) - level_db;
    off += over_db <= level_tolerance_db && (over_db >= -level_tolerance_db || s.instrument->objects->n_bows > 0) ? 0 : 1;
    note_free(&n);
    sound_close(&s);
    soft = lufs < softest ? all.name[i] : soft;
    loud = lufs > loudest ? all.name[i] : loud;
    softest = fmin(softest, lufs);
    loudest = fmax(loudest, lufs);
  }
  print_message("softest %s, loudest %s: %.1f dB apart\n", soft, loud, loudest - softest);
  every_free(&all);
  check_below(loudest - softest, within_db);
  assert_int_equal(off, 0);
}

static void no_note_has_an_offset(void** state) {
  static const double two_s = 2.0;
  every_instrument all = every_list();
  (void)state;
  for (size_t i = 0; i < all.n; ++i) {
    sound s;
    int middle;
    open_two(all.name[i], &s, &middle);
    const int keys[2] = {s.spec->key_low, middle};
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
