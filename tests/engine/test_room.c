/*
   The room around a part: its decay against the design, level, width and density of its sound, and how it wakes, sleeps and falls silent
   with the part.
*/
#include "check.h"
#include "sound/stage.h"

#include "hertzian/dsp/room.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double two_pi = 6.28318530717958647692;
enum { SECONDS_MAX = 6, FRAMES_MAX = SECONDS_MAX * 48000 / HTZ_QUANTUM * HTZ_QUANTUM };

static float in[2][FRAMES_MAX], out[2][FRAMES_MAX];

/** Send `in` through a room. */
static void respond(double rate, double size, size_t frames, htz_room* room) {
  htz_arena arena;
  htz_arena_measure(&arena);
  assert_int_equal(htz_room_init(room, rate, size, &arena), HTZ_OK);
  htz_rt_enter();
  htz_room_lay(room, size); // once more, as on the audio thread
  for (size_t i = 0; i + HTZ_QUANTUM <= frames; i += HTZ_QUANTUM) {
    const float* const from[2] = {in[0] + i, in[1] + i};
    float* const to[2] = {out[0] + i, out[1] + i};
    assert_true(htz_room_run(room, from, 1e-6f, to));
  }
  htz_rt_leave();
  htz_arena_free(&arena);
}

static double energy(const float* x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += (double)x[i] * (double)x[i];
  }
  return sum;
}

/** x through two resonators one after the other, at `hz` with a bandwidth of `width_hz`. */
static void band(const float* x, size_t n, double hz, double width_hz, double rate, double* y) {
  const double r = exp(-0.5 * two_pi * width_hz / rate), c = 2.0 * r * cos(two_pi * hz / rate);
  memset(y, 0, n * sizeof *y);
  for (size_t i = 2; i < n; ++i) {
    y[i] = (double)x[i] - (double)x[i - 2] + c * y[i - 1] - r * r * y[i - 2];
  }
  double z1 = 0.0, z2 = 0.0, y1 = 0.0, y2 = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double z = y[i] - y2 + c * z1 - r * r * z2;
    y2 = y1;
    y1 = y[i];
    z2 = z1;
    z1 = y[i] = z;
  }
}

/** T60 around `hz` by Schroeder's backward integration of both ears, from the line through -5 .. -35 dB. */
static double decay_time(double hz, double width_hz, double rate) {
  static double left[FRAMES_MAX], y[2][FRAMES_MAX];
  double sum = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0, m = 0.0;
  band(out[0], FRAMES_MAX, hz, width_hz, rate, y[0]);
  band(out[1], FRAMES_MAX, hz, width_hz, rate, y[1]);
  for (size_t i = FRAMES_MAX; i-- > 0;) {
    sum += y[0][i] * y[0][i] + y[1][i] * y[1][i];
    left[i] = sum;
  }
  for (size_t i = 0; i < FRAMES_MAX; ++i) {
    const double db = 10.0 * log10(left[i] / sum), t = (double)i / rate;
    if (db < -5.0 && db > -35.0) {
      sx += t;
      sy += db;
      sxx += t * t;
      sxy += t * db;
      m += 1.0;
    }
  }
  return -60.0 * (m * sxx - sx * sx) / (m * sxy - sx * sy);
}

static void strike_room(double rate, double size, size_t frames, htz_room* room) {
  memset(in, 0, sizeof in);
  in[0][0] = 1.0f;
  respond(rate, size, frames, room);
}

static void the_decay_is_the_designed_one(void** state) {
  static const double rates[] = {16000.0, 48000.0, 96000.0}, sizes[] = {4.0, 12.0, 30.0};
  (void)state;
  for (size_t i = 0; i < 9; ++i) {
    htz_room room;
    const double rate = rates[i / 3];
    strike_room(rate, sizes[i % 3], FRAMES_MAX, &room);
    const double low = decay_time(300.0, 200.0, rate);             // tens of modes, so that few loud ones do not decide
    const double high = decay_time(HTZ_ROOM_HIGH_HZ, 200.0, rate); // narrow against the change of T60 with frequency
    print_message("%g m at %g Hz: T60 %.3f s for %.3f s, at 4 kHz %.3f s for %.3f s\n", room.size, rate, low, room.t60_low_s,
                  high, room.t60_high_s);
    check_close(low, room.t60_low_s, 0.05);
    check_close(high, room.t60_high_s, 0.05);
  }
}

static void it_only_decays(void** state) {
  enum { WINDOW = 4800 }; // 0.1 s: a round through all lines
  htz_room room;
  (void)state;
  strike_room(rate_hz, 12.0, FRAMES_MAX, &room);
  double before = energy(out[0], WINDOW) + energy(out[1], WINDOW);
  for (size_t i = WINDOW; i + WINDOW <= 2 * 48000; i += WINDOW) {
    const double now = energy(out[0] + i, WINDOW) + energy(out[1] + i, WINDOW);
    check_below(now, before);
    before = now;
  }
  assert_true(htz_room_silent(&room)); // 6 s are four decay times
  check_below(sqrt(energy(out[0] + FRAMES_MAX - 48000, 48000)), 1e-5);
  // No sum, that is, nothing at 0 Hz: against the response's root of energy times that of its length.
  double sum = 0.0;
  for (size_t i = 0; i < FRAMES_MAX; ++i) {
    sum += (double)out[0][i];
  }
  check_below(fabs(sum), 1e-3);
}

static void left_and_right_differ_and_add_up(void** state) {
  htz_room room;
  (void)state;
  strike_room(rate_hz, 12.0, FRAMES_MAX, &room);
  const size_t late = 4800, n = 48000;
  double both = 0.0, mono = 0.0;
  for (size_t i = late; i < n; ++i) {
    both += (double)out[0][i] * (double)out[1][i];
    mono += ((double)out[0][i] + (double)out[1][i]) * ((double)out[0][i] + (double)out[1][i]);
  }
  const double l = energy(out[0] + late, n - late), r = energy(out[1] + late, n - late);
  print_message("correlation %.3f, left to right %.2f dB, mono %.2f dB\n", both / sqrt(l * r), 10.0 * log10(l / r),
                10.0 * log10(mono / (l + r)));
  check_below(fabs(both) / sqrt(l * r), 0.1);
  check_near(10.0 * log10(l / r), 0.0, 1.0);
  check_near(10.0 * log10(mono / (l + r)), 0.0, 0.5);
}

/** Share of samples beyond one deviation in 20 ms, over that of a Gaussian (Abel and Huang): 1 when echoes are dense. */
static double density(const float* x) {
  enum { N = 960 };
  const double gauss = 0.3173, deviation = sqrt(energy(x, N) / N);
  double beyond = 0.0;
  for (size_t i = 0; i < N; ++i) {
    beyond += fabs((double)x[i]) > deviation;
  }
  return beyond / N / gauss;
}

static void echoes_are_dense(void** state) {
  htz_room room;
  (void)state;
  strike_room(rate_hz, 12.0, FRAMES_MAX, &room);
  print_message("echo density after 50, 100, 150, 300 ms: %.2f %.2f %.2f %.2f\n", density(out[0] + 2400),
                density(out[0] + 4800), density(out[0] + 7200), density(out[0] + 14400));
  check_above(density(out[0] + 7200), 0.85);
  check_above(density(out[1] + 14400), 0.9);
}

static float noise(uint32_t* seed) {
  *seed = *seed * 1664525u + 1013904223u; // Numerical Recipes
  return (float)(*seed >> 8) / 8388608.0f - 1.0f;
}

static void its_energy_is_the_input_s(void** state) {
  static const double sizes[] = {4.0, 12.0, 40.0};
  static double y[FRAMES_MAX];
  const size_t n = 48000;
  (void)state;
  for (size_t s = 0; s < 3; ++s) {
    htz_room room;
    uint32_t seed = 1;
    memset(in, 0, sizeof in);
    for (size_t i = 0; i < n; ++i) {
      in[0][i] = noise(&seed);
      in[1][i] = noise(&seed);
    }
    respond(rate_hz, sizes[s], FRAMES_MAX, &room);
    double given = 0.0, heard = 0.0;
    for (size_t side = 0; side < 2; ++side) {
      band(in[side], FRAMES_MAX, 400.0, 200.0, rate_hz, y);
      for (size_t i = 0; i < FRAMES_MAX; ++i) {
        given += y[i] * y[i];
      }
      band(out[side], FRAMES_MAX, 400.0, 200.0, rate_hz, y);
      for (size_t i = 0; i < FRAMES_MAX; ++i) {
        heard += y[i] * y[i];
      }
    }
    print_message("%g m: %.2f dB\n", sizes[s], 10.0 * log10(heard / given));
    check_near(10.0 * log10(heard / given), 0.0, 1.0); // by chance of the noise and of the modes in the band
  }
}

enum { QUANTA = 750, FRAMES = QUANTA * HTZ_QUANTUM };
typedef struct {
  float left[FRAMES], right[FRAMES];
} sound;

static void strike(stage* s, uint32_t key) {
  htz_engine_hold(s->engine, 0, key, true, htz_engine_now(s->engine));
  htz_engine_strike(s->engine, 0, key, 100.0, htz_engine_now(s->engine));
}

static void play(double room, double send, sound* to) {
  stage s;
  stage_open(&s, "instruments/marimba.yaml", rate_hz, 0);
  if (room >= 0.0) {
    stage_set(&s, HTZ_PARAM_ROOM, room);
  }
  if (send >= 0.0) {
    stage_set(&s, HTZ_PARAM_SEND, send);
  }
  strike(&s, 60);
  stage_run(&s, QUANTA, to->left, to->right);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

static void none_is_none_and_the_controller_scales(void** state) {
  static sound plain, none, unsent, room, usual, more, again;
  (void)state;
  play(-1.0, -1.0, &plain);
  play(0.0, 127.0, &none);
  play(0.5, 0.0, &unsent);
  assert_memory_equal(&plain, &none, sizeof plain);
  assert_memory_equal(&plain, &unsent, sizeof plain);
  play(0.2, -1.0, &room);
  play(0.2, -1.0, &again);
  assert_memory_equal(&room, &again, sizeof room);
  play(0.2, 40.0, &usual);
  assert_memory_equal(&room, &usual, sizeof room);
  play(0.2, 80.0, &more); // four times the energy to that of the direct sound: 0.2 : 0.8 becomes 0.5 : 0.5
  play(0.5, -1.0, &again);
  double off = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    off = fmax(off, fabs((double)more.left[i] - (double)again.left[i]));
  }
  check_below(off, 1e-6);
  const double dry = energy(plain.left, FRAMES) + energy(plain.right, FRAMES);
  const double wet = energy(room.left, FRAMES) + energy(room.right, FRAMES);
  print_message("marimba with a room of 0.2: %.2f dB\n", 10.0 * log10(wet / dry));
  check_near(10.0 * log10(wet / dry), 0.0, 3.0); // one note meets few modes
}

static void it_rings_on_and_sleeps(void** state) {
  stage s;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  (void)state;
  stage_open(&s, "instruments/marimba.yaml", rate_hz, 0);
  stage_set(&s, HTZ_PARAM_ROOM, 0.3);
  strike(&s, 72);
  size_t keys = 0, quanta = 0;
  while (quanta < 20000 && (quanta == 0 || !htz_engine_asleep(s.engine))) {
    stage_run(&s, 1, left, right);
    ++quanta;
    keys = htz_engine_count(s.engine).ringing ? quanta : keys;
  }
  const double after_s = (double)(quanta - keys) * HTZ_QUANTUM / rate_hz;
  print_message("asleep %.2f s after its last key\n", after_s);
  check_above(after_s, 0.1);
  check_below(after_s, 4.2); // three decay times
  check_below(fabs((double)left[HTZ_QUANTUM - 1]), 1e-6);
  stage_run(&s, 1, left, right);
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    assert_true(left[i] == 0.0f && right[i] == 0.0f);
  }
  stage_close(&s);
}

static double step(const float* x, size_t n) {
  double most = 0.0;
  for (size_t i = 1; i < n; ++i) {
    most = fmax(most, fabs((double)x[i] - (double)x[i - 1]));
  }
  return most;
}

static void silence_silences_the_room(void** state) {
  static sound to;
  const size_t before = 150;
  stage s;
  (void)state;
  stage_open(&s, "instruments/tubular-bells.yaml", rate_hz, 0);
  stage_set(&s, HTZ_PARAM_ROOM, 0.6);
  strike(&s, 60);
  strike(&s, 67);
  stage_run(&s, before, to.left, to.right);
  htz_engine_silence(s.engine, 0, htz_engine_now(s.engine) + 40);
  stage_run(&s, 30, to.left + before * HTZ_QUANTUM, to.right + before * HTZ_QUANTUM);
  const float* after = to.left + before * HTZ_QUANTUM;
  const size_t gone = 40 + (size_t)(0.020 * rate_hz);
  for (size_t i = gone; i < 30 * HTZ_QUANTUM; ++i) {
    assert_true(after[i] == 0.0f);
  }
  assert_true(htz_engine_asleep(s.engine));
  const double usual = step(after - 4800, 4800);
  check_below(step(after - 1, gone), 1.5 * usual); // no click
  strike(&s, 60);
  stage_run(&s, 200, to.left, to.right);
  stage_set(&s, HTZ_PARAM_ROOM_SIZE, 30.0); // and none from a new room
  stage_run(&s, 20, to.left + 200 * HTZ_QUANTUM, to.right + 200 * HTZ_QUANTUM);
  check_below(step(to.left + 199 * HTZ_QUANTUM, 21 * HTZ_QUANTUM), 1.5 * step(to.left + 100 * HTZ_QUANTUM, 99 * HTZ_QUANTUM));
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_decay_is_the_designed_one),    cmocka_unit_test(it_only_decays),
      cmocka_unit_test(left_and_right_differ_and_add_up), cmocka_unit_test(echoes_are_dense),
      cmocka_unit_test(its_energy_is_the_input_s),        cmocka_unit_test(none_is_none_and_the_controller_scales),
      cmocka_unit_test(it_rings_on_and_sleeps),           cmocka_unit_test(silence_silences_the_room),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
