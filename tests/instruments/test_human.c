// No two strokes alike, and all of one player: eight repeats of a note from rest, struck, plucked, bowed, of modes and of grids.
#include "check.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/dsp/fft.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 8, FRAMES = 1 << 16, BANDS = 28 }; // 1.37 s at 48 kHz

static const double rate_hz = 48000.0;
static const double usual = 0.3; // of `play` and `render`
// Nearer than that and it is a copy; farther, another note.
static const double nearest_db = -40.0, farthest_db = -15.0;
static const double band_db = 2.0;    // a third octave's level from that of the others...
static const double heard_db = -40.0; // ...that has so much of the loudest at least

typedef struct {
  const char* name; // of the file, or below tests/fixtures/instruments
  bool fixture;
  unsigned key;
} item;

static void open_item(sound* s, const item* it) {
  char path[HTZ_PATH_MAX];
  if (it->fixture) {
    const char* source = getenv("HERTZIAN_SOURCE");
    snprintf(path, sizeof path, "%s/tests/fixtures/instruments/%s.yaml", source ? source : HTZ_SOURCE_DIR, it->name);
  } else {
    instrument_path(it->name, path);
  }
  uint64_t keys[HTZ_KEYS / 64] = {0};
  keys[it->key / 64] = UINT64_C(1) << (it->key % 64);
  assert_true(sound_open_keys(s, path, rate_hz, keys));
}

typedef struct {
  double x[FRAMES];
} repeat;

static repeat repeats[REPEATS];

/** One note from rest, held all the time, as a bow has to be. */
static void play_one(sound* s, unsigned key, double x[FRAMES]) {
  sound_rest(s);
  htz_engine_strike(s->engine, 0, key, 80.0, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, key, true, htz_engine_now(s->engine));
  for (size_t at = 0; at < FRAMES; at += HTZ_QUANTUM) {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      x[at + i] = (double)left[i] + (double)right[i];
    }
  }
  htz_engine_hold(s->engine, 0, key, false, htz_engine_now(s->engine));
  assert_true(peak_of(x, FRAMES) > 1e-4);
}

static void play(sound* s, const item* it) {
  for (size_t i = 0; i < REPEATS; ++i) {
    play_one(s, it->key, repeats[i].x);
  }
}

static double power_of(const double* x, const double* y) {
  double sum = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    const double d = x[i] - (y ? y[i] : 0.0);
    sum += d * d;
  }
  return sum;
}

/** From the frame of the stroke on, all of it: no window. */
static void third_octaves(const double* x, double level[BANDS]) {
  static double z[FRAMES][2];
  htz_arena arena;
  htz_fft fft;
  assert_int_equal(htz_arena_init(&arena, FRAMES * 2 * sizeof(double)), HTZ_OK);
  assert_int_equal(htz_fft_init(&fft, FRAMES, &arena), HTZ_OK);
  for (size_t i = 0; i < FRAMES; ++i) {
    z[i][0] = x[i];
    z[i][1] = 0.0;
  }
  htz_fft_forward(&fft, &z[0][0]);
  htz_arena_free(&arena);
  for (size_t b = 0; b < BANDS; ++b) {
    const double centre = 31.25 * exp2((double)b / 3.0), low = centre * exp2(-1.0 / 6.0), high = centre * exp2(1.0 / 6.0);
    double sum = 0.0;
    for (size_t i = (size_t)ceil(low * FRAMES / rate_hz); i < (size_t)ceil(high * FRAMES / rate_hz); ++i) {
      sum += z[i][0] * z[i][0] + z[i][1] * z[i][1];
    }
    level[b] = 10.0 * log10(sum + 1e-30); // so that silence is a number
  }
}

/** Difference of two repeats at its extremes; of a third octave from its mean over the repeats [dB]. */
typedef struct {
  double nearest, farthest, band;
} spread;

static spread spread_of(void) {
  static double level[REPEATS][BANDS];
  spread s = {HUGE_VAL, -HUGE_VAL, 0.0};
  double mean[BANDS] = {0.0}, loudest = -HUGE_VAL;
  for (size_t i = 0; i < REPEATS; ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double db = 10.0 * log10(power_of(repeats[i].x, repeats[j].x) / power_of(repeats[i].x, NULL));
      s.nearest = db < s.nearest ? db : s.nearest;
      s.farthest = db > s.farthest ? db : s.farthest;
    }
    third_octaves(repeats[i].x, level[i]);
    for (size_t b = 0; b < BANDS; ++b) {
      mean[b] += level[i][b] / REPEATS;
    }
  }
  for (size_t b = 0; b < BANDS; ++b) {
    loudest = mean[b] > loudest ? mean[b] : loudest;
  }
  for (size_t b = 0; b < BANDS; ++b) {
    for (size_t i = 0; i < REPEATS && mean[b] > loudest + heard_db; ++i) {
      const double off = fabs(level[i][b] - mean[b]);
      s.band = off > s.band ? off : s.band;
    }
  }
  return s;
}

static spread measure(const item* it, double human) {
  sound s;
  open_item(&s, it);
  assert_true(sound_set(&s, "human", human));
  play(&s, it);
  const spread found = spread_of();
  sound_close(&s);
  print_message("%s %u: differences %.1f to %.1f dB, third octaves within %.2f dB\n", it->name, it->key, found.nearest,
                found.farthest, found.band);
  return found;
}

static void of_one_player(const item* items, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const spread s = measure(&items[i], usual);
    check_above(s.nearest, nearest_db);
    check_below(s.farthest, farthest_db);
    check_below(s.band, band_db);
  }
}

static void struck(void** state) {
  (void)state;
  const item items[] = {{"marimba", false, 60},
                        {"piano", false, 48},
                        {"vibraphone", false, 65},
                        {"glockenspiel", false, 90},
                        {"timpani", false, 45}};
  of_one_player(items, sizeof items / sizeof items[0]);
}

static void plucked(void** state) {
  (void)state;
  const item items[] = {{"music-box", false, 80}, {"guitar", true, 50}};
  of_one_player(items, sizeof items / sizeof items[0]);
}

static void bowed(void** state) {
  (void)state;
  const item items[] = {{"cello", false, 57}, {"cello", false, 60}};
  of_one_player(items, sizeof items / sizeof items[0]);
}

static void of_grids(void** state) {
  (void)state;
  const item items[] = {{"grid-guitar", true, 52}, {"grid-hands", true, 52}};
  of_one_player(items, sizeof items / sizeof items[0]);
}

// A note from rest is the last one to rounding: a body at rest is exactly zero, and filters of the output with it.
static void without_a_hand_they_are_copies(void** state) {
  (void)state;
  const item items[] = {{"marimba", false, 60}, {"music-box", false, 80}, {"grid-guitar", true, 52}};
  for (size_t i = 0; i < sizeof items / sizeof items[0]; ++i) {
    check_below(measure(&items[i], 0.0).farthest, -120.0);
  }
}

static void more_of_it_is_more(void** state) {
  (void)state;
  const item it = {"marimba", false, 60};
  // Twice as far off is 6 dB more, where the note is in proportion to the stroke; its brightness is not quite.
  const double once = measure(&it, 0.2).farthest, twice = measure(&it, 0.4).farthest;
  check_close(twice - once, 20.0 * log10(2.0), 0.1);
}

// The strings, skins and wires that others hit make much of little: what is heard is the same note, its waveform parts.
static void where_things_hit_each_other(void** state) {
  (void)state;
  const item items[] = {{"sitar", false, 60}, {"snare", false, 59}};
  const double as_the_file_says[] = {usual, 0.02};
  for (size_t i = 0; i < sizeof items / sizeof items[0]; ++i) {
    const spread s = measure(&items[i], as_the_file_says[i]);
    check_above(s.nearest, nearest_db);
    check_below(s.band, band_db);
  }
}

// A tilted face meets the strings of a course one after another: it gives the first more, the same the other way round, and no energy is
// made or lost by it. The contact has no loss, the strings next to none: 13.8/t60 of it a second.
static void a_tilted_face_meets_one_string_first(void** state) {
  (void)state;
  static const char text[] =
      "format: 1\nname: Strings\nkeys: [60, 60]\n"
      "per_key:\n  string: {body: string, count: 3, length: 0.62, lin_density: 0.0062, t60: 1000, modes: 40}\n"
      "mallet: {strikes: string, mass: 0.0085, speed: [0.3, 6], at: 0.12, contact: {exponent: 2.5, stiffness: 4.5e+9, "
      "viscosity: 0}}\n"
      "pickups: [{of: string, quantity: velocity, at: 0.3, gain: 0.02}]\n";
  enum { STRINGS = 3, TILTS = 3, PIECES = 24 }; // of 64 frames: 32 ms, the hammer is gone
  const double tilts[TILTS] = {0.0, 1e-4, -1e-4};
  double had[TILTS][STRINGS];
  for (size_t t = 0; t < TILTS; ++t) {
    sound s;
    assert_true(sound_open_text(&s, text, rate_hz));
    htz_island* island = s.instrument->keys[60].island;
    const htz_strike strike = {
        .speed = 1.0, .mass = 0.0085, .stiffness = 4.5e9, .exponent = 2.5, .at = 0.12, .at_y = (double)NAN, .tilt = tilts[t]};
    float line[HTZ_QUANTUM];
    float* lines[HTZ_ISLAND_PICKUPS_MAX];
    for (size_t o = 0; o < HTZ_ISLAND_PICKUPS_MAX; ++o) {
      lines[o] = line;
    }
    island->cls->strike(island, &strike);
    double loudness;
    const double given = island->cls->energy(island, &loudness);
    check_close(given, 0.5 * strike.mass * strike.speed * strike.speed, 1e-12);
    for (size_t p = 0; p < PIECES && island->cls->busy(island); ++p) {
      island->cls->advance(island, 1, lines); // sample by sample: as long as it is there, all of it is there
      check_close(island->cls->energy(island, &loudness), given, 13.8 / 1000.0 * PIECES / rate_hz + 1e-9);
    }
    for (size_t p = 0; p < PIECES; ++p) {
      island->cls->advance(island, HTZ_QUANTUM, lines);
    }
    assert_false(island->cls->busy(island));
    for (size_t b = 0; b < STRINGS; ++b) {
      const htz_body* body = htz_modal_body(htz_modal_island_body(island, b));
      had[t][b] = body->cls->energy(body);
    }
    sound_close(&s);
  }
  check_close(had[0][1], had[0][0], 1e-9);
  check_above(had[1][0], 1.02 * had[1][2]);
  check_above(had[1][0], had[0][0]);
  for (size_t b = 0; b < STRINGS; ++b) {
    check_close(had[2][b], had[1][STRINGS - 1 - b], 1e-9);
  }
}

static void a_seed_is_another_performance(void** state) {
  (void)state;
  const item it = {"marimba", false, 60};
  const double seeds[] = {1.0, 2.0, 1.0};
  for (size_t i = 0; i < 3; ++i) {
    sound s;
    open_item(&s, &it);
    assert_true(sound_set(&s, "human", usual) && sound_set(&s, "human.seed", seeds[i]));
    play_one(&s, it.key, repeats[i].x);
    sound_close(&s);
  }
  assert_memory_equal(repeats[0].x, repeats[2].x, sizeof repeats[0].x);
  check_above(power_of(repeats[0].x, repeats[1].x), 1e-5 * power_of(repeats[0].x, NULL));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(struck),
      cmocka_unit_test(plucked),
      cmocka_unit_test(bowed),
      cmocka_unit_test(of_grids),
      cmocka_unit_test(where_things_hit_each_other),
      cmocka_unit_test(without_a_hand_they_are_copies),
      cmocka_unit_test(more_of_it_is_more),
      cmocka_unit_test(a_tilted_face_meets_one_string_first),
      cmocka_unit_test(a_seed_is_another_performance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
