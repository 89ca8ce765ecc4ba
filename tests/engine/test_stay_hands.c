// What a player moves on mallets that stay: the surface under a ball, the gain of the drive, gravity, the hand that lets a ball go.
#include "check.h"

#include "hertzian/contact/modal_island.h"

#include "sound/render.h"

#include <math.h>

static const double rate_hz = 48000.0;

enum { KEY = 69, SECOND = 48000 / HTZ_QUANTUM };

static void open_key(sound* s, const char* name) {
  const uint64_t keys[HTZ_KEYS / 64] = {[KEY / 64] = UINT64_C(1) << KEY % 64};
  char path[HTZ_PATH_MAX];
  instrument_path(name, path);
  assert_true(sound_open_keys(s, path, rate_hz, keys));
}

static void press(sound* s, double velocity) {
  htz_engine_strike(s->engine, 0, KEY, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, KEY, true, htz_engine_now(s->engine));
}

/** Run, driven by a constant `drive` of full scale. @return the loudest sample */
static double run(sound* s, size_t quanta, float drive) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM], signal[HTZ_QUANTUM];
  double peak = 0.0;
  for (size_t q = 0; q < quanta; ++q) {
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      signal[i] = drive;
    }
    htz_engine_drive(s->engine, signal);
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      peak = fmax(peak, fabs((double)left[i]) + fabs((double)right[i]));
    }
  }
  return peak;
}

static double speed_of_mallet(const sound* s) {
  double q, v;
  assert_true(htz_modal_island_mallet(s->instrument->keys[KEY].island, 0, &q, &v));
  return v;
}

/** The gain of the drive is where it is wanted after a quantum, evenly: over that one the hammer gets the mean of both gains. */
static void the_gain_of_the_drive_glides(void** state) {
  static const double low = 0.01, high = 0.1;
  sound s;
  (void)state;
  open_key(&s, "phonobump");
  assert_true(sound_set(&s, "drive.rest", 0.02)); // far from the bar
  assert_true(sound_set(&s, "drive.gain", low));
  press(&s, 1.0);
  run(&s, 4 * SECOND, 0.0f);
  const double still = speed_of_mallet(&s);
  check_near(still, 0.0, 1e-6);
  double height, speed;
  assert_true(htz_modal_island_mallet(s.instrument->keys[KEY].island, 0, &height, &speed));
  check_close(height, -0.02, 1e-3); // where it was told to hang
  assert_true(sound_set(&s, "drive.gain", high));
  run(&s, 1, 1.0f);
  const double first = speed_of_mallet(&s);
  run(&s, 1, 1.0f);
  const double second = speed_of_mallet(&s) - first;
  // The arm (12 Hz, nearly critical) holds back a quarter at most of either; the steadier force has the more time to move it.
  check_above(first / second, 0.9 * 0.5 * (low + high) / high);
  check_below(first / second, 1.4 * 0.5 * (low + high) / high);
  sound_close(&s);
}

/**
   The surface under a ball becomes rough or smooth within 20 ms. Under one that stands it rises or sinks meanwhile by less than four times
   its roughness; a step of that in one sample would throw the ball.
*/
static void roughness_glides(void** state) {
  static const double smooth = 1e-7, rough = 5e-5, glide_s = 0.02;
  double fastest = 0.0;
  sound s;
  (void)state;
  open_key(&s, "rolling");
  assert_true(sound_set(&s, "roll.roughness", smooth));
  press(&s, 40.0);
  run(&s, SECOND, 0.0f);
  assert_true(sound_set(&s, "roll.speed", 0.0));
  run(&s, 3 * SECOND, 0.0f);
  const double still = fabs(speed_of_mallet(&s));
  for (int change = 0; change < 2; ++change) {
    assert_true(sound_set(&s, "roll.roughness", change ? smooth : rough));
    for (int q = 0; q < SECOND / 2; ++q) {
      run(&s, 1, 0.0f);
      fastest = fmax(fastest, fabs(speed_of_mallet(&s)));
    }
  }
  print_message("a standing ball moves at %.1e m/s, at %.1e when the surface changes\n", still, fastest);
  check_above(fastest, 10.0 * still);
  check_below(fastest, 2.0 * 4.0 * rough / glide_s); // and swings with the bar that it presses on
  sound_close(&s);
}

/** A hammer is driven by every sample of what drives it: half a quantum of it moves it as much as the other half, whichever comes first. */
static void every_sample_drives(void** state) {
  double speed[2];
  (void)state;
  for (unsigned late = 0; late < 2; ++late) {
    sound s;
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM], signal[HTZ_QUANTUM];
    open_key(&s, "phonobump");
    assert_true(sound_set(&s, "drive.rest", 0.02)); // far from the bar
    press(&s, 1.0);
    run(&s, 4 * SECOND, 0.0f);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      signal[i] = (i < HTZ_QUANTUM / 2) == !late ? 0.1f : 0.0f;
    }
    htz_engine_drive(s.engine, signal);
    htz_engine_hold(s.engine, 0, KEY, true, htz_engine_now(s.engine) + HTZ_QUANTUM - 1); // in two pieces: sample by sample
    htz_engine_quantum(s.engine, left, right);
    speed[late] = speed_of_mallet(&s);
    sound_close(&s);
  }
  assert_true(fabs(speed[0]) > 1e-4);
  check_close(speed[1], speed[0], 0.1); // the arm (12 Hz) has turned by a tenth at most
}

/** A hand brings a ball to another speed within a tenth of a second or two: after 5 ms a twentieth of it is there, and so of its throbbing. */
static void a_ball_gathers_speed(void** state) {
  enum { FIVE_MS = 4, LONG = SECOND };
  double rises[2];
  sound s;
  (void)state;
  open_key(&s, "rolling");
  assert_true(sound_set(&s, "roll.roughness", 1e-8));
  assert_true(sound_set(&s, "roll.asymmetry", 0.002));
  assert_true(sound_set(&s, "roll.speed", 0.0));
  press(&s, 100.0);
  run(&s, 2 * SECOND, 0.0f);
  for (size_t i = 0; i < 2; ++i) {
    rises[i] = 0.0;
    assert_true(sound_set(&s, "roll.speed", 1.0));
    for (int q = 0; q < (i == 0 ? FIVE_MS : LONG); ++q) {
      run(&s, 1, 0.0f);
      rises[i] = fmax(rises[i], fabs(speed_of_mallet(&s)));
    }
  }
  print_message("it rises and sinks with %.1e m/s after 5 ms, %.1e later\n", rises[0], rises[1]);
  check_above(rises[1], 1e-5);
  check_below(rises[0], 0.2 * rises[1]);
  sound_close(&s);
}

/** A ball whose weight is off its middle rises and sinks by that share of its radius as it turns. */
static void a_ball_throbs(void** state) {
  static const double off = 0.002, radius = 0.008; // the file's
  double way[2];
  sound s;
  (void)state;
  for (int uneven = 0; uneven < 2; ++uneven) {
    open_key(&s, "rolling");
    assert_true(sound_set(&s, "roll.roughness", 1e-8));
    assert_true(sound_set(&s, "roll.asymmetry", uneven ? off : 0.0));
    press(&s, 40.0);
    run(&s, SECOND, 0.0f);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < SECOND; ++i) {
      double q, v;
      run(&s, 1, 0.0f);
      assert_true(htz_modal_island_mallet(s.instrument->keys[KEY].island, 0, &q, &v));
      low = fmin(low, q);
      high = fmax(high, q);
    }
    way[uneven] = high - low;
    sound_close(&s);
  }
  print_message("it moves by %.1e m, and by %.1e\n", way[0], way[1]);
  check_below(way[0], 1e-6);
  check_close(way[1], 2.0 * off * radius, 0.05);
}

/** Let go, a ball loses speed at friction times gravity, and lies there. */
static void a_ball_let_go_lies(void** state) {
  sound s;
  (void)state;
  open_key(&s, "rolling");
  press(&s, 1.0);
  run(&s, SECOND, 0.0f);
  htz_engine_hold(s.engine, 0, KEY, false, htz_engine_now(s.engine));
  double waited = 0.0;
  for (; waited < 12.0 && !htz_engine_asleep(s.engine); waited += 0.1) {
    run(&s, SECOND / 10, 0.0f);
  }
  print_message("asleep after %.1f s\n", waited);
  assert_true(htz_engine_asleep(s.engine));
  speed_of_mallet(&s); // it lies there
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_gain_of_the_drive_glides), cmocka_unit_test(roughness_glides), cmocka_unit_test(every_sample_drives),
      cmocka_unit_test(a_ball_gathers_speed),         cmocka_unit_test(a_ball_throbs),    cmocka_unit_test(a_ball_let_go_lies)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
