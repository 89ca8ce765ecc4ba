/*
   Every parameter on every instrument file: one that counts as used changes the sound, one that does not leaves it as it is. What is
   unused is tried with HERTZIAN_LONG set. With names as arguments, those files only.
*/
#include "check.h"
#include "sound/every.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double velocity = 100.0;
static const double held_s = 0.4, left_s = 0.15; // past the second bounce of a ball; a damper has fallen
static const double audible = 1e-4;              // as a share of the peak: -80 dB
// Keys from one that is struck to the next, at least; and struck at most, fewer of a file whose keys cost much.
enum { STEP = 5, STRUCK = 8, STRUCK_COSTLY = 3 };

/** What the sound of one set of parameters was: both channels, one after the other. */
typedef struct {
  size_t n;
  float* x;
} take;

static void set(sound* s, size_t index, double value) {
  const htz_param_change change = {
      .frame = htz_engine_now(s->engine), .value = value, .key = HTZ_KEY_ALL, .index = (uint32_t)index};
  htz_engine_change(s->engine, &change);
}

/** With a room, a player's hand, and discs that turn in the tubes, so that what belongs to them can be heard. */
static void set_scene(sound* s) {
  const struct {
    htz_param_index index;
    double value;
  } scene[] = {{HTZ_PARAM_ROOM, 0.3}, {HTZ_PARAM_MOTOR_RATE, 5.0}, {HTZ_PARAM_MOTOR_DEPTH, 0.7}, {HTZ_PARAM_HUMAN, 0.3}};
  for (size_t i = 0; i < sizeof scene / sizeof scene[0]; ++i) {
    if (htz_spec_param_used(s->spec, scene[i].index)) {
      set(s, scene[i].index, scene[i].value);
    }
  }
}

enum { OBJECTS = 3 }; // of a file with several: so many that use a parameter are played

/** Bit k of the two words: key k is played. */
typedef struct {
  uint64_t key[HTZ_KEYS / 64];
} choice;

static bool is_chosen(const choice* c, int key) {
  return c->key[key / 64] >> (key % 64) & 1;
}

static void choose(choice* c, int key) {
  c->key[key / 64] |= UINT64_C(1) << (key % 64);
}

/** Keys from one to the next where a few over the whole range are enough. */
static int wide_step(const htz_spec* spec) {
  const int struck = spec->clock_hz > 0.0 ? STRUCK_COSTLY : STRUCK,
            apart = (spec->key_high - spec->key_low + struck - 1) / struck;
  return apart > STEP ? apart : STEP;
}

static choice every(const htz_spec* spec, int step) {
  choice c = {{0}};
  for (int key = spec->key_low; key <= spec->key_high; key += step) {
    choose(&c, key);
  }
  return c;
}

/** Of a file with several objects a key each of the first that use the parameter. */
static choice users(const htz_spec* spec, size_t param) {
  choice c = {{0}};
  size_t n = 0;
  for (size_t i = 0; i < spec->n_objects && n < OBJECTS; ++i) {
    if (htz_spec_param_used(spec->objects[i], param)) {
      choose(&c, spec->objects[i]->key_low);
      ++n;
    }
  }
  return c;
}

static void hold_all(sound* s, const choice* c, bool down) {
  for (int key = 0; key < HTZ_KEYS; ++key) {
    if (is_chosen(c, key)) {
      htz_engine_hold(s->engine, 0, (uint32_t)key, down, htz_engine_now(s->engine));
    }
    if (is_chosen(c, key) && down) {
      htz_engine_strike(s->engine, 0, (uint32_t)key, velocity, htz_engine_now(s->engine));
    }
  }
}

/** Play the keys on a new engine by a gesture, with one parameter set unless it is HTZ_PARAM_NAMED. @param gesture NAN: as the file has it */
static take play(const char* path, const choice* c, double gesture, size_t param, double value) {
  sound s;
  assert_true(sound_open_keys(&s, path, rate_hz, c->key));
  const size_t held = (size_t)(held_s * rate_hz) / HTZ_QUANTUM, quanta = held + (size_t)(left_s * rate_hz) / HTZ_QUANTUM;
  take t = {2 * quanta * HTZ_QUANTUM, malloc(2 * quanta * HTZ_QUANTUM * sizeof(float))};
  float drive[HTZ_QUANTUM];
  assert_non_null(t.x);
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    drive[i] = i < HTZ_QUANTUM / 2 ? 1.0f : -1.0f;
  }
  set_scene(&s);
  if (!isnan(gesture)) {
    set(&s, HTZ_PARAM_GESTURE, gesture);
  }
  if (param < HTZ_PARAM_NAMED) {
    set(&s, param, value);
  }
  hold_all(&s, c, true);
  for (size_t q = 0; q < quanta; ++q) {
    if (q == held) {
      hold_all(&s, c, false);
    }
    htz_engine_drive(s.engine, s.spec->mallet.driven ? drive : NULL);
    htz_engine_quantum(s.engine, t.x + 2 * q * HTZ_QUANTUM, t.x + (2 * q + 1) * HTZ_QUANTUM);
  }
  sound_close(&s);
  return t;
}

static double peak(const take* t) {
  double most = 0.0;
  for (size_t i = 0; i < t->n; ++i) {
    most = fmax(most, fabs((double)t->x[i]));
  }
  return most;
}

/** What a parameter at one of its ends changes: the greatest difference, as a share of the peak. */
static double change_of(const char* path, const choice* c, double gesture, const take* plain, size_t param, double value) {
  take t = play(path, c, gesture, param, value);
  double most = 0.0;
  for (size_t i = 0; i < t.n; ++i) {
    most = fmax(most, fabs((double)t.x[i] - (double)plain->x[i]));
  }
  free(t.x);
  return most / peak(plain);
}

/** Whether a parameter is heard at its maximum or, when it should be, at its minimum. */
static bool is_heard(const htz_spec* spec, const char* path, const choice* c, double gesture, size_t param, bool used,
                     take* plain) {
  htz_param_desc d = htz_spec_param(spec, param);
  while (d.maximum > d.minimum + 1.0 && htz_spec_param_words(spec, param) && !htz_spec_param_has(spec, param, d.maximum)) {
    d.maximum -= 1.0; // a choice that this file does not have
  }
  *plain = plain->x ? *plain : play(path, c, gesture, HTZ_PARAM_NAMED, 0.0);
  assert_true(peak(plain) > 0.0);
  return change_of(path, c, gesture, plain, param, d.maximum) > audible ||
         (used && change_of(path, c, gesture, plain, param, d.minimum) > audible);
}

/** What moves a mallet is not heard under a bow: whether it is by another gesture that the file has. */
static bool is_heard_by_another_gesture(const htz_spec* spec, const char* path, const choice* c, size_t param) {
  const htz_param_desc d = htz_spec_param(spec, HTZ_PARAM_GESTURE);
  bool heard = false;
  for (double g = d.minimum; g <= d.maximum && !heard && htz_spec_param_used(spec, HTZ_PARAM_GESTURE); g += 1.0) {
    take plain = {0};
    heard = htz_spec_param_has(spec, HTZ_PARAM_GESTURE, g) && is_heard(spec, path, c, g, param, true, &plain);
    free(plain.x);
  }
  return heard;
}

static size_t check_file(const char* name) {
  char path[HTZ_PATH_MAX];
  htz_spec* spec = NULL;
  htz_diags diags;
  size_t wrong = 0;
  instrument_path(name, path);
  assert_int_equal(htz_spec_load(path, &spec, &diags), HTZ_OK);
  const bool several = spec->n_objects > 1;
  const choice wide = every(spec, wide_step(spec)), close = every(spec, STEP);
  take plain = {0}, closer = {0};
  for (size_t p = 0; p < HTZ_PARAM_NAMED; ++p) {
    const htz_param_desc d = htz_spec_param(spec, (htz_param_index)p);
    const bool used = htz_spec_param_used(spec, (htz_param_index)p);
    if (!used && (several || !getenv("HERTZIAN_LONG"))) {
      continue;
    }
    take own = {0};
    const choice c = several ? users(spec, p) : wide;
    bool heard = is_heard(spec, path, &c, NAN, p, used, several ? &own : &plain);
    if (used && !heard && !several && wide_step(spec) > STEP) { // what it moves may lie on a few keys
      heard = is_heard(spec, path, &close, NAN, p, used, &closer);
    }
    heard = heard || (used && is_heard_by_another_gesture(spec, path, &c, p));
    if (used != heard) {
      print_error("%s: %s %s\n", name, d.name, used ? "changes nothing" : "changes the sound, and counts as unused");
      ++wrong;
    }
    free(own.x);
  }
  free(plain.x);
  free(closer.x);
  htz_spec_free(spec);
  return wrong;
}

static void used_parameters_and_no_others_are_heard(void** state) {
  every_instrument all = every_list();
  size_t wrong = 0;
  (void)state;
  for (size_t i = 0; i < all.n; ++i) {
    wrong += check_file(all.name[i]);
  }
  every_free(&all);
  assert_int_equal(wrong, 0);
}

int main(int argc, char** argv) {
  size_t wrong = 0;
  for (int i = 1; i < argc; ++i) {
    wrong += check_file(argv[i]);
  }
  if (argc > 1) {
    return wrong > 0;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(used_parameters_and_no_others_are_heard)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
