/*
   Objects: each sounds in a file of several as it does in a file of its own, beside whatever else is played, and takes its own controls.
*/
#include "check.h"

#include "hertzian/instrument/spec.h"
#include "hertzian/midi/map.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const char kit[] = HTZ_SOURCE_DIR "/tests/fixtures/instruments/kit.yaml";
enum { TEXT_MAX = 16384, QUANTA = 300, OBJECTS = 6 };

/** One object: the lines of a file, without what belongs to the instrument. */
typedef struct {
  const char* keys;
  int key; // that is played
  const char* lines;
  bool on_box; // drives the shared body
} object;

static const char head[] = "format: 1\nname: Test\n";
static const char shared[] = "shared:\n  box: {body: modal-list, zones: 2, frequencies: [110, 190, 320], q: 12, mass: 0.3}\n";
static const char of_box[] = "{of: box, at: [0.5, 0.5], gain: 1}";

static const object objects[OBJECTS] = {
    {"[36, 40]", 36,
     "per_key: {bar: {body: bar, material: steel, mass: 0.05, t60: 3, modes: 6}}\n"
     "mallet: {strikes: bar, mass: 0.01, speed: [0.2, 5], at: 0.3, contact: {exponent: 1.5, stiffness: 1.0e+8, viscosity: "
     "0.2}}\n"
     "pickups: [{of: bar, at: 0.03, gain: 0.01}]\ndamper: {loss: 30}\n",
     false},
    {"[41, 43]", 43,
     "per_key: {skin: {body: membrane, radius: 0.2, area_density: 0.262, t60: 1.5, modes: 30}}\n"
     "mallet: {strikes: skin, mass: 0.03, speed: [0.2, 5], at: 0.7, at_y: 0.5,\n"
     "         contact: {exponent: 2, stiffness: 1.0e+7, viscosity: 0.4}}\n"
     "pickups: [{of: skin, at: 0.3, at_y: 0.4, gain: 0.05}]\n",
     false},
    {"[45, 46]", 45,
     "per_key: {ball: {body: modal-list, ratios: [1, 2.7], t60: 2, mass: 0.2}}\n"
     "mallet: {strikes: ball, mass: 0.01, speed: [0.2, 2], at: 0.5, gravity: 9.81,\n"
     "         contact: {exponent: 1.5, stiffness: 1.0e+7, viscosity: 0.2}}\n"
     "pickups: [{of: ball, gain: 0.1}]\n",
     false},
    {"[50, 52]", 51,
     "per_key: {string: {body: string, length: 0.65, lin_density: 0.005, t60: 4, modes: 30}}\n"
     "mallet: {strikes: string, lift: [2.0e-4, 2.0e-3], mass: 10, speed: [0.05, 0.2], at: 0.8,\n"
     "         contact: {exponent: 1.5, stiffness: 1.0e+7, viscosity: 0.2}}\n"
     "drives: [{from: string, to: box, along: 0.2, gain: 1}]\ndamper: {loss: 20}\n",
     true},
    {"[60, 67]", 62,
     "per_key: {string: {body: string, length: 0.69, lin_density: 0.0025, t60: 3, modes: 40}}\n"
     "bow: {plays: string, force: [0.2, 0.95], speed: [0.06, 0.35]}\nfingered: {keys: [60, 67]}\n"
     "drives: [{from: string, to: box, along: 0.8, gain: 1}]\n",
     true},
    {"72", 72,
     "family: grid\nper_key: {ball: {body: mass, mass: 0.005, gravity: -9.81}, floor: {body: barrier}}\n"
     "contacts: [{between: [floor, ball], name: bounce, stiffness: 1.0e+7, exponent: 1.5}]\n"
     "throw: {body: ball, speed: [0.1, 2.0], height: 0.002}\npickups: [{of: bounce, gain: 0.002}]\n",
     false},
};

static void add(char* text, const char* more) {
  const size_t used = strlen(text);
  assert_true(used + strlen(more) < TEXT_MAX);
  strcpy(text + used, more);
}

/** The objects whose bit is set in `which`, in a file. */
static void write_file(char text[TEXT_MAX], unsigned which) {
  snprintf(text, TEXT_MAX, "%s%spickups: [%s]\nobjects:\n", head, shared, of_box);
  for (size_t i = 0; i < OBJECTS; ++i) {
    char indented[TEXT_MAX] = "";
    if (!(which >> i & 1u)) {
      continue;
    }
    for (const char* line = objects[i].lines; *line; line += strcspn(line, "\n") + 1) {
      char one[256];
      snprintf(one, sizeof one, "    %.*s\n", (int)strcspn(line, "\n"), line);
      add(indented, one);
    }
    char item[64];
    snprintf(item, sizeof item, "  - keys: %s\n", objects[i].keys);
    add(text, item);
    add(text, indented);
  }
}

/** Object `i` as a file of its own. Keys beyond are silent there as well. */
static void write_single(char text[TEXT_MAX], size_t i) {
  const object* o = &objects[i];
  char keys[32];
  snprintf(keys, sizeof keys, o->keys[0] == '[' ? "%s" : "[%s, %s]", o->keys, o->keys);
  snprintf(text, TEXT_MAX, "%skeys: %s\nstrict: true\n%s%s", head, keys, o->on_box ? shared : "", o->lines);
  if (o->on_box) {
    char pickup[64];
    snprintf(pickup, sizeof pickup, "pickups: [%s]\n", of_box);
    add(text, pickup);
  }
}

static void open_text(sound* s, const char* text) {
  if (!sound_open_text(s, text, rate_hz)) {
    fprintf(stderr, "%s\n", text);
    fail();
  }
}

static void press(sound* s, int key) {
  const uint64_t now = htz_engine_now(s->engine);
  htz_engine_hold(s->engine, 0, (uint32_t)key, true, now);
  htz_engine_strike(s->engine, 0, (uint32_t)key, 90.0, now);
}

static void change(sound* s, htz_param_index param, int16_t key, double value) {
  const htz_param_change c = {.frame = htz_engine_now(s->engine), .value = value, .key = key, .index = param, .ramp = 1};
  htz_engine_change(s->engine, &c);
}

/** A note held for half the time, bent in the middle. */
static double play_note(sound* s, int key, float left[QUANTA][HTZ_QUANTUM]) {
  float right[HTZ_QUANTUM];
  double most = 0.0;
  press(s, key);
  for (size_t q = 0; q < QUANTA; ++q) {
    if (q == QUANTA / 4) {
      change(s, HTZ_PARAM_BEND, (int16_t)key, 0.3);
    }
    if (q == QUANTA / 2) {
      htz_engine_hold(s->engine, 0, (uint32_t)key, false, htz_engine_now(s->engine));
    }
    htz_engine_quantum(s->engine, left[q], right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      most = fmax(most, fabs((double)left[q][i]));
    }
  }
  return most;
}

/** Same bits: nothing that an object does depends on which others there are. */
static void each_sounds_as_in_a_file_of_its_own(void** state) {
  (void)state;
  static char text[TEXT_MAX];
  static float own[QUANTA][HTZ_QUANTUM], among[QUANTA][HTZ_QUANTUM];
  for (size_t i = 0; i < OBJECTS; ++i) {
    sound single, all;
    write_single(text, i);
    open_text(&single, text);
    write_file(text, (1u << OBJECTS) - 1);
    open_text(&all, text);
    const double peak = play_note(&single, objects[i].key, own);
    play_note(&all, objects[i].key, among);
    check_above(peak, 1e-4);
    assert_memory_equal(own, among, sizeof own);
    sound_close(&single);
    sound_close(&all);
  }
}

/** All at once is the sum of each alone, up to the rounding of sums of floats: 2^-24 of the sum's size for each of a few additions. */
static void they_sound_together(void** state) {
  (void)state;
  static char text[TEXT_MAX];
  static double sum[QUANTA][HTZ_QUANTUM];
  double most = 0.0, off = 0.0;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  sound all;
  write_file(text, (1u << OBJECTS) - 1);
  open_text(&all, text);
  memset(sum, 0, sizeof sum);
  for (size_t i = 0; i < OBJECTS; ++i) {
    sound one;
    open_text(&one, text);
    press(&one, objects[i].key);
    press(&all, objects[i].key);
    for (size_t q = 0; q < QUANTA; ++q) {
      htz_engine_quantum(one.engine, left, right);
      for (size_t n = 0; n < HTZ_QUANTUM; ++n) {
        sum[q][n] += (double)left[n];
      }
    }
    sound_close(&one);
  }
  for (size_t q = 0; q < QUANTA; ++q) {
    htz_engine_quantum(all.engine, left, right);
    for (size_t n = 0; n < HTZ_QUANTUM; ++n) {
      most = fmax(most, fabs(sum[q][n]));
      off = fmax(off, fabs(sum[q][n] - (double)left[n]));
    }
  }
  check_below(off, 16.0 * ldexp(most, -24));
  assert_int_equal(htz_engine_count(all.engine).resets, 0);
  sound_close(&all);
}

static void keys_of_no_object_are_silent(void** state) {
  (void)state;
  static char text[TEXT_MAX];
  sound s;
  write_file(text, (1u << OBJECTS) - 1);
  open_text(&s, text);
  for (int key = 0; key < HTZ_KEYS; ++key) {
    const htz_spec* has = htz_spec_object(s.spec, key);
    const htz_key* plan = &s.instrument->keys[key];
    assert_true(has ? plan->island || has->fingered.n > 0 : !plan->island);
    press(&s, has ? HTZ_KEYS : key); // one that there is not is refused as well
  }
  assert_true(htz_engine_asleep(s.engine));
  assert_int_equal(htz_engine_count(s.engine).strikes_refused, HTZ_KEYS);
  sound_close(&s);
}

/** Where a parameter is moved and put back, each object is as its own `defaults:` say again. */
static void parameters_start_from_what_each_object_says(void** state) {
  (void)state;
  static const char two[] =
      "format: 1\nname: Two\nobjects:\n"
      "  - keys: 40\n"
      "    per_key: {bar: {body: modal-list, frequencies: [300], t60: 3, mass: 0.1}}\n"
      "    mallet: {strikes: bar, mass: 0.01, speed: [0.2, 5], at: 0.3, contact: {exponent: 1.5, stiffness: 1.0e+8}}\n"
      "    pickups: [{of: bar, gain: 0.01}]\n    defaults: {mallet.hardness: 2, level: -6}\n"
      "  - keys: 41\n"
      "    per_key: {bar: {body: modal-list, frequencies: [300], t60: 3, mass: 0.1}}\n"
      "    mallet: {strikes: bar, mass: 0.01, speed: [0.2, 5], at: 0.3, contact: {exponent: 1.5, stiffness: 1.0e+8}}\n"
      "    pickups: [{of: bar, gain: 0.01}]\n"
      "defaults: {mallet.hardness: 3, decay: 2}\n";
  static float first[QUANTA][HTZ_QUANTUM], again[QUANTA][HTZ_QUANTUM];
  sound s;
  open_text(&s, two);
  const htz_instrument* it = s.instrument;
  assert_true(it->keys[40].object == &it->objects[0] && it->keys[41].object == &it->objects[1]);
  check_near(it->objects[0].params[HTZ_PARAM_MALLET_HARDNESS], 2.0, 0.0);
  check_near(it->objects[1].params[HTZ_PARAM_MALLET_HARDNESS], 3.0, 0.0);
  check_near(it->objects[0].params[HTZ_PARAM_DECAY], 2.0, 0.0);
  assert_true(isnan(it->params[HTZ_PARAM_MALLET_HARDNESS]) && it->params[HTZ_PARAM_DECAY] == 2.0);
  // With one hardness for both they differ by their levels, 6 dB, to the rounding of floats.
  change(&s, HTZ_PARAM_MALLET_HARDNESS, HTZ_KEY_ALL, 2.0);
  const double soft = play_note(&s, 40, first);
  sound_close(&s);
  open_text(&s, two);
  change(&s, HTZ_PARAM_MALLET_HARDNESS, HTZ_KEY_ALL, 2.0);
  const double loud = play_note(&s, 41, again);
  check_near(20.0 * log10(loud / soft), 6.0, 1e-5);
  sound_close(&s);
  open_text(&s, two);
  play_note(&s, 40, first);
  sound_close(&s);
  open_text(&s, two);
  change(&s, HTZ_PARAM_MALLET_HARDNESS, HTZ_KEY_ALL, 0.1);
  change(&s, HTZ_PARAM_LEVEL, HTZ_KEY_ALL, 3.0);
  change(&s, HTZ_PARAM_MALLET_HARDNESS, HTZ_KEY_ALL, (double)NAN);
  change(&s, HTZ_PARAM_LEVEL, HTZ_KEY_ALL, (double)NAN);
  play_note(&s, 40, again);
  assert_memory_equal(first, again, sizeof first);
  sound_close(&s);
}

/** A parameter by the object's name moves its keys alone, live, by controller and back; and only where it is known. */
static void a_name_moves_one_object(void** state) {
  (void)state;
  static float as_it_is[QUANTA][HTZ_QUANTUM], moved[QUANTA][HTZ_QUANTUM];
  static const struct {
    int key;
    double db; // by which the level of the drum moves it
  } cases[] = {{36, -12.0}, {46, 0.0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    sound s;
    assert_true(sound_open(&s, kit, rate_hz));
    const double before = play_note(&s, cases[i].key, as_it_is);
    sound_close(&s);
    assert_true(sound_open(&s, kit, rate_hz));
    assert_true(sound_set(&s, "drum.level", cases[i].db < 0.0 ? cases[i].db : -12.0));
    check_near(20.0 * log10(play_note(&s, cases[i].key, moved) / before), cases[i].db, 1e-4);
    sound_close(&s);
    assert_true(sound_open(&s, kit, rate_hz));
    assert_true(sound_set(&s, "drum.level", -12.0) && sound_set(&s, "drum.level", (double)NAN));
    play_note(&s, cases[i].key, moved);
    assert_memory_equal(as_it_is, moved, sizeof moved);
    assert_false(sound_set(&s, "drum.bow.force", 1.0)); // it has none
    assert_false(sound_set(&s, "drum.width", 1.0));     // the part's
    assert_false(sound_set(&s, "drums.level", 1.0));
    const uint64_t dropped = htz_engine_count(s.engine).dropped;
    change(&s, (htz_param_index)htz_spec_n_params(s.spec), HTZ_KEY_ALL, 1.0);
    assert_int_equal(htz_engine_count(s.engine).dropped, dropped + 1);
    sound_close(&s);
  }
}

/** The file's `defaults:` and `controls:` know the names, and a reset of controllers goes back to what the file or a player began with. */
static void files_and_controllers_know_the_names(void** state) {
  (void)state;
  sound s;
  assert_true(sound_open(&s, kit, rate_hz));
  const htz_object *drum = s.instrument->keys[36].object, *bars = s.instrument->keys[42].object;
  assert_true(drum->params[HTZ_PARAM_DECAY] == 1.5 && bars->params[HTZ_PARAM_DECAY] == 1.0);
  htz_map_part known;
  assert_int_equal(htz_midi_map_prepare(s.instrument, &known), HTZ_OK);
  htz_midi_map map;
  htz_midi_map_init(&map, s.engine);
  assert_int_equal(htz_midi_map_add_part(&map, 0, 1, s.instrument), HTZ_OK);
  const htz_midi_message up = {0, 0xB0, 20, 127, 3, 0}, reset = {0, 0xB0, 121, 0, 3, 0};
  static float bent[QUANTA][HTZ_QUANTUM], plain[QUANTA][HTZ_QUANTUM], after[QUANTA][HTZ_QUANTUM];
  play_note(&s, 36, plain);
  sound_rest(&s);
  htz_midi_map_message(&map, &up); // a fifth up
  play_note(&s, 36, bent);
  assert_memory_not_equal(plain, bent, sizeof plain);
  sound_rest(&s);
  htz_midi_map_message(&map, &reset);
  play_note(&s, 36, after);
  assert_memory_equal(plain, after, sizeof plain);
  sound_close(&s);
}

/** The file that shows it. */
static void the_kit_plays(void** state) {
  (void)state;
  static const int keys[] = {36, 42, 44, 46, 49, 55, 59, 60, 64, 67, 72};
  static float left[QUANTA][HTZ_QUANTUM];
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
    sound s;
    assert_true(sound_open(&s, kit, rate_hz));
    check_above(play_note(&s, keys[i], left), 1e-3); // -60 dBFS
    assert_int_equal(htz_engine_count(s.engine).resets, 0);
    sound_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_sounds_as_in_a_file_of_its_own),
      cmocka_unit_test(they_sound_together),
      cmocka_unit_test(keys_of_no_object_are_silent),
      cmocka_unit_test(parameters_start_from_what_each_object_says),
      cmocka_unit_test(a_name_moves_one_object),
      cmocka_unit_test(files_and_controllers_know_the_names),
      cmocka_unit_test(the_kit_plays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
