// Strings over frets whose height is a parameter: what that is heard as, and what moving it does.
#include "check.h"
#include "instruments/counted.h"

#include "sound/every.h"

#include "hertzian/contact/clocked.h"
#include "hertzian/contact/modal_island.h"
#include "hertzian/contact/prepared.h"

#include <math.h>

static const double hard = 127.0;

static void open_key(sound* s, double rate_hz, int key) {
  char path[HTZ_PATH_MAX];
  uint64_t keys[HTZ_KEYS / 64] = {0};
  keys[(size_t)key / 64] = UINT64_C(1) << ((unsigned)key % 64);
  instrument_path("guitar-low", path);
  assert_true(sound_open_keys(s, path, rate_hz, keys));
  assert_true(sound_set(s, "room", 0.0));
  assert_true(sound_set(s, "human", 0.0));
}

/** Power of the slope over that of the signal in what is heard 20 to 300 ms after the touch [dB]. */
static double roughness_db(sound* s, int key, double rate_hz) {
  double slope = 0.0, all = 0.0;
  note n;
  every_note(s, key, hard, 0.3, &n);
  for (size_t i = (size_t)(0.02 * rate_hz); i < n.frames; ++i) {
    slope += pow(n.mono[i] - n.mono[i - 1], 2.0);
    all += n.mono[i] * n.mono[i];
  }
  note_free(&n);
  return 10.0 * log10(slope / all);
}

/** The farther away the frets are, the less it buzzes, until it does not. */
static void the_action_is_heard(void** state) {
  static const double rate_hz = 48000.0, gaps[] = {5.0e-5, 6.0e-4, 1.2e-3, 0.01, 0.02};
  enum { GAPS = sizeof gaps / sizeof gaps[0] };
  static const int keys[] = {40, 52, 64, 76};
  (void)state;
  for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k) {
    double db[GAPS];
    sound s;
    open_key(&s, rate_hz, keys[k]);
    for (size_t g = 0; g < GAPS; ++g) {
      assert_true(sound_set(&s, "neck.gap", gaps[g]));
      db[g] = roughness_db(&s, keys[k], rate_hz);
    }
    print_message("guitar-low %d: %.1f dB, then %.1f, %.1f, and clear %.1f\n", keys[k], db[0], db[1], db[2], db[3]);
    check_below(6.0, db[0] - db[3]);
    check_below(db[2], db[0] - 1.0);
    check_near(db[4], db[3], 1e-3); // out of reach is out of reach
    close_counted(&s);
  }
}

/** Quanta with the frets wanted so, from a state that goes on. @return energy that neither work nor losses explain, at most [J] */
static double move_frets(sound* s, int key, double gap, size_t quanta, uint64_t* closures) {
  htz_island* island = htz_clocked_inner(s->instrument->keys[key].island);
  const htz_network* net = htz_modal_island_network(island);
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  double gained = -HUGE_VAL;
  assert_true(sound_set(s, "neck.gap", gap));
  const htz_prepared_account from = htz_modal_island_prepared(island);
  const double before = htz_network_energy(net);
  const uint64_t touched = htz_network_count(net)->closures;
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, left, right);
    const htz_prepared_account now = htz_modal_island_prepared(island);
    (void)htz_modal_island_body(island, 0); // seen in its own coordinates
    const double more = htz_network_energy(net) - before - (now.work - from.work) + (now.lost - from.lost);
    gained = more > gained ? more : gained;
    assert_true(isfinite(left[0]) && isfinite(right[0]));
  }
  *closures = htz_network_count(net)->closures - touched;
  return gained;
}

/** Taken away the frets let the string be, brought back they meet it; whoever moves them does the work, and nothing else brings energy. */
static void frets_are_moved_while_it_sounds(void** state) {
  static const double rate_hz = 96000.0; // the clock's own
  static const int keys[] = {40, 46};
  (void)state;
  for (size_t k = 0; k < sizeof keys / sizeof keys[0]; ++k) {
    uint64_t met, apart, again;
    sound s;
    open_key(&s, rate_hz, keys[k]);
    sound_rest(&s);
    htz_engine_hold(s.engine, 0, (uint32_t)keys[k], true, htz_engine_now(s.engine));
    htz_engine_strike(s.engine, 0, (uint32_t)keys[k], hard, htz_engine_now(s.engine));
    move_frets(&s, keys[k], 5.0e-5, 150, &met); // the pick comes and goes
    const double all = htz_network_energy(htz_modal_island_network(htz_clocked_inner(s.instrument->keys[keys[k]].island)));
    check_below(move_frets(&s, keys[k], 5.0e-5, 75, &met), 1e-9 * all);
    check_below(move_frets(&s, keys[k], 8.0e-3, 300, &apart), 1e-9 * all); // on its way
    check_below(move_frets(&s, keys[k], 8.0e-3, 150, &apart), 1e-9 * all);
    check_below(move_frets(&s, keys[k], 0.0, 450, &again), 1e-9 * all);
    print_message("guitar-low %d: %llu closures, %llu apart, %llu together again\n", keys[k], (unsigned long long)met,
                  (unsigned long long)apart, (unsigned long long)again);
    assert_true(met > 0 && apart == 0 && again > 0);
    close_counted(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_action_is_heard), cmocka_unit_test(frets_are_moved_while_it_sounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
