// Dampers and pedals by how much and how fast: every string of a key, any solver, at once, and the sostenuto.
#include "hands.h"

/** Every string of a unison is damped, as much as the file says, and the parameter is a factor on it. */
static void dampers_damp_every_string(void** state) {
  static const double loss = 40.0;
  (void)state;
  for (int twice = 0; twice < 2; ++twice) {
    sound s;
    assert_true(sound_open_text(&s, strings, rate_hz));
    set(&s, HTZ_PARAM_DAMPER, 1.0 + twice);
    press(&s, KEY, 100.0);
    run(&s, 100, NULL, NULL);
    let_go(&s, KEY);
    run(&s, 30, NULL, NULL); // it has landed: 40 ms
    double before[3];
    for (size_t i = 0; i < 3; ++i) {
      before[i] = energy_of(&s, KEY, i);
    }
    run(&s, 40, NULL, NULL);
    for (size_t i = 0; i < 3; ++i) {
      const double rate = 0.5 * log(before[i] / energy_of(&s, KEY, i)) * rate_hz / (40.0 * HTZ_QUANTUM);
      check_near(rate, (1.0 + twice) * loss + 3.0 * log(10.0) / 5.0, 1.0); // and the string's own
    }
    sound_close(&s);
  }
}

/** A mallet with a solver of its own has the same dampers under its bodies. */
static void dampers_do_not_ask_for_the_solver(void** state) {
  char path[HTZ_PATH_MAX];
  sound s;
  (void)state;
  snprintf(path, sizeof path, "%s/tests/fixtures/instruments/solved.yaml", HTZ_SOURCE_DIR);
  assert_true(sound_open(&s, path, rate_hz));
  press(&s, 54, 100.0);
  run(&s, 100, NULL, NULL);
  double before = htz_engine_energy(s.engine, 0);
  run(&s, 40, NULL, NULL);
  const double held = 0.5 * log(before / htz_engine_energy(s.engine, 0));
  let_go(&s, 54);
  run(&s, 30, NULL, NULL);
  before = htz_engine_energy(s.engine, 0);
  run(&s, 40, NULL, NULL);
  const double gone = 0.5 * log(before / htz_engine_energy(s.engine, 0));
  check_near((gone - held) * rate_hz / (40.0 * HTZ_QUANTUM), 20.0, 2.0); // the file's; its partials decay a little unlike
  sound_close(&s);
}

/** The pedal's dampers are down 8 ms after it, the key's up 2 ms after it was pressed: 7 and 2 quanta. */
static void dampers_follow_at_once(void** state) {
  static const double own = 1.727; // 3 ln 10/4 s
  sound s;
  (void)state;
  open_bar(&s, "");
  set(&s, HTZ_PARAM_SUSTAIN, 127.0);
  press(&s, KEY, 100.0);
  run(&s, 100, NULL, NULL);
  let_go(&s, KEY);
  run(&s, 20, NULL, NULL);
  check_near(decay_now(&s, KEY, 0, 50), own, 1.0);
  set(&s, HTZ_PARAM_SUSTAIN, 0.0);
  run(&s, 8, NULL, NULL);
  check_near(decay_now(&s, KEY, 0, 20), 60.0 + own, 2.0);
  htz_engine_hold(s.engine, 0, KEY, true, htz_engine_now(s.engine));
  run(&s, 3, NULL, NULL);
  check_near(decay_now(&s, KEY, 0, 30), own, 1.0);
  sound_close(&s);
}

/** Sostenuto takes what is down as it goes down; a pedal that only moves on takes nothing more. */
static void sostenuto_takes_once(void** state) {
  enum { LATER = 64 };
  sound s;
  (void)state;
  open_bar(&s, "");
  press(&s, KEY, 100.0);
  run(&s, 60, NULL, NULL);
  set(&s, HTZ_PARAM_SOSTENUTO, 90.0);
  press(&s, LATER, 100.0);
  run(&s, 60, NULL, NULL);
  set(&s, HTZ_PARAM_SOSTENUTO, 127.0);
  let_go(&s, KEY);
  let_go(&s, LATER);
  run(&s, 30, NULL, NULL);
  const double held = energy_of(&s, KEY, 0), free = energy_of(&s, LATER, 0);
  run(&s, 40, NULL, NULL); // 53 ms: 28 dB at 60 1/s, less than 1 of their own
  check_above(energy_of(&s, KEY, 0), 0.5 * held);
  check_below(energy_of(&s, LATER, 0), 0.01 * free);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(dampers_damp_every_string),
                                     cmocka_unit_test(dampers_do_not_ask_for_the_solver),
                                     cmocka_unit_test(dampers_follow_at_once), cmocka_unit_test(sostenuto_takes_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
