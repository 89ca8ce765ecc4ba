// The bow's hand and the fingers, by how much and how fast: onset, controllers, lifting, damping, slurs.
#include "check.h"

#include "hertzian/contact/modal_island.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>

static const double rate_hz = 48000.0;
static const double two_pi = 6.28318530717958647693;
static const double smooth_s = 0.008; // time constant of the hand [s]

enum { OPEN = 57, QUARTER = 188 }; // quanta in a quarter of a second

static const char file[] = "format: 1\nname: A string\nkeys: [50, 81]\n"
                           "per_key:\n  string: {body: string, length: 0.69, lin_density: 0.00166, t60: 3, modes: 30}\n"
                           "bow: {plays: string, at: 0.13, %s, attack: [0.16, 0.08],\n"
                           "  friction: {law: static, sharpness: 200}}\n"
                           "fingered: {keys: [57], glide: 0.02%s}\n"
                           "damper: {loss: 40}\n"
                           "pickups: [{of: string, quantity: velocity, at: 0.9, gain: 0.1}]\n";

static const char any[] = "force: [0.4, 0.4], speed: [0.15, 0.15]"; // whatever the velocity

typedef struct {
  double speed, force, at;
} bow;

static void open_file(sound* s, const char* hand, const char* fingers) {
  char text[2048];
  snprintf(text, sizeof text, file, hand, fingers);
  assert_true(sound_open_text(s, text, rate_hz));
}

static bow bow_of(const sound* s) {
  bow b;
  htz_modal_island_bow(s->instrument->keys[OPEN].island, 0, &b.speed, &b.force, &b.at);
  return b;
}

static void run(sound* s, size_t quanta) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  for (size_t q = 0; q < quanta; ++q) {
    htz_engine_quantum(s->engine, left, right);
  }
}

static double seconds(double quanta) {
  return quanta * HTZ_QUANTUM / rate_hz;
}

static void press(sound* s, uint32_t key, double velocity) {
  htz_engine_strike(s->engine, 0, key, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, key, true, htz_engine_now(s->engine));
}

static void let_go(sound* s, uint32_t key) {
  htz_engine_hold(s->engine, 0, key, false, htz_engine_now(s->engine));
}

/** Note that the string is tuned to, in keys: of its first mode's step over one sample. */
static double note_of(const sound* s) {
  const htz_modal* string = htz_modal_island_body(s->instrument->keys[OPEN].island, 0);
  const htz_mode_step step = htz_modal_mode_step(string, 0);
  const double trace = step.a[0] + step.a[3], det = step.a[0] * step.a[3] - step.a[1] * step.a[2];
  return 69.0 + 12.0 * log2(acos(0.5 * trace / sqrt(det)) * rate_hz / two_pi / 440.0);
}

/** It comes on within 10 ms, evenly; bites by half its force again and more, which goes in 0.2 s; and is drawn at an even acceleration. */
static void the_onset(void** state) {
  static const double force = 0.4, speed = 0.15, bite = 1.5, bite_s = 0.2, touch_s = 0.01;
  sound s;
  (void)state;
  open_file(&s, any, "");
  press(&s, OPEN, 1.0);
  for (int q = 1; q <= 60; ++q) {
    run(&s, 1);
    const double t = seconds(q), landed = t < touch_s ? t / touch_s : 1.0;
    // What is asked for is that of the start of the quantum, and followed with the hand's time constant: late by no more than both.
    const double earlier = t - smooth_s - seconds(1.0) > 0.0 ? t - smooth_s - seconds(1.0) : 0.0;
    check_above(bow_of(&s).force, 0.999 * landed * force * (1.0 + bite * exp(-t / bite_s)));
    check_below(bow_of(&s).force, 1.001 * landed * force * (1.0 + bite * exp(-earlier / bite_s)));
    check_below(bow_of(&s).speed, 1.001 * speed * t / 0.16);
    check_above(bow_of(&s).speed + 1e-9, 0.999 * speed * earlier / 0.16);
  }
  run(&s, 4 * QUARTER);
  check_close(bow_of(&s).speed, speed, 1e-3);
  check_close(bow_of(&s).force, force, 0.02);
  sound_close(&s);
}

/** What is asked of the bow it does with the hand's time constant, and slips along the string by 0.0015 of it in a quantum at most. */
static void controllers_are_followed_gradually(void** state) {
  static const double most = 0.0015;
  sound s;
  (void)state;
  open_file(&s, any, "");
  press(&s, OPEN, 64.0);
  run(&s, 8 * QUARTER);
  const bow before = bow_of(&s);
  assert_true(sound_set(&s, "bow.speed", 0.3));
  assert_true(sound_set(&s, "bow.force", 0.8));
  assert_true(sound_set(&s, "bow.position", 0.13 + 20.5 * most));
  for (int q = 1; q <= 30; ++q) {
    run(&s, 1);
    const double way = -expm1(-seconds(q) / smooth_s);
    check_near((bow_of(&s).speed / before.speed - 1.0), way, 1e-3);
    check_near((bow_of(&s).force / before.force - 1.0), way, 1e-3); // of the bite exp(-2/0.2) is left
    check_near(bow_of(&s).at, 0.13 + (q <= 20 ? q * most : 20.5 * most), 1e-6);
  }
  sound_close(&s);
}

/** Velocity goes from one end of force and of speed to the other in even steps of loudness. */
static void velocity_is_force_and_speed(void** state) {
  static const double velocity[] = {1.0, 64.0, 127.0};
  sound s;
  (void)state;
  for (size_t i = 0; i < 3; ++i) {
    open_file(&s, "force: [0.2, 0.8], speed: [0.1, 0.4]", "");
    press(&s, OPEN, velocity[i]);
    run(&s, 8 * QUARTER);
    check_close(bow_of(&s).force, 0.2 * exp2((double)i), 1e-3); // of the bite exp(-10) is left
    check_close(bow_of(&s).speed, 0.1 * exp2((double)i), 1e-3);
    sound_close(&s);
  }
}

/** Let go, the bow leaves the string in 30 ms, and the damper stops it: besides its own losses, which `decay` changes. */
static void the_end(void** state) {
  static const double loss = 40.0, decay[] = {1.0, 0.25};
  (void)state;
  for (size_t i = 0; i < 2; ++i) {
    sound s;
    open_file(&s, any, "");
    assert_true(sound_set(&s, "decay", decay[i]));
    const htz_island* island = s.instrument->keys[OPEN].island;
    press(&s, OPEN, 64.0);
    run(&s, 4 * QUARTER);
    let_go(&s, OPEN);
    run(&s, 12); // 16 ms: half of the way
    check_above(bow_of(&s).force, 0.3 * 0.4);
    check_below(bow_of(&s).force, 0.6 * 0.4);
    run(&s, 13);
    assert_true(bow_of(&s).force == 0.0);
    run(&s, 10);
    double loudness;
    const double before = island->cls->energy(island, &loudness);
    run(&s, 40);
    // t60 is that of every partial: 2.3 1/s.
    check_near(0.5 * log(before / island->cls->energy(island, &loudness)) / seconds(40.0), loss + 2.3 / decay[i], 1.0);
    sound_close(&s);
  }
}

/** A stroke that was begun is drawn for 30 ms, faster and faster, however soon the key is let go of; then it is lifted in another 30. */
static void the_shortest_stroke_is_drawn(void** state) {
  static const size_t quantum_25_ms = 19;
  (void)state;
  sound s;
  open_file(&s, any, "");
  press(&s, OPEN, 64.0);
  run(&s, 2);
  let_go(&s, OPEN);
  run(&s, quantum_25_ms - 3);
  const double before = bow_of(&s).speed;
  run(&s, 1);
  check_above(before, 0.0);
  check_above(bow_of(&s).speed, before);
  run(&s, 30);
  assert_true(bow_of(&s).force == 0.0);
  sound_close(&s);
}

/** A stroke set on while the bow still lies on the string goes on at the speed that it has. */
static void a_new_stroke_does_not_stop_the_bow(void** state) {
  sound s;
  (void)state;
  open_file(&s, any, "");
  press(&s, OPEN, 64.0);
  run(&s, 4 * QUARTER);
  let_go(&s, OPEN);
  run(&s, 2);
  press(&s, OPEN, 64.0);
  for (int q = 0; q < 100; ++q) {
    run(&s, 1);
    check_close(bow_of(&s).speed, 0.15, 1e-3);
  }
  assert_int_equal(htz_engine_count(s.engine).strikes, 2);
  sound_close(&s);
}

/** The finger glides for the 20 ms that the file says, in even intervals; lifted, it falls back to the key pressed last of those held. */
static void slurs_glide_and_fall_back(void** state) {
  enum { GLIDE = 1 + 15 }; // quanta
  sound s;
  (void)state;
  open_file(&s, any, "");
  press(&s, OPEN, 64.0);
  run(&s, QUARTER);
  press(&s, OPEN + 2, 64.0);
  run(&s, GLIDE / 2);
  check_near(note_of(&s), OPEN + 1.0, 0.01);
  run(&s, QUARTER);
  check_near(note_of(&s), OPEN + 2.0, 0.001);
  press(&s, OPEN + 5, 64.0);
  run(&s, QUARTER);
  check_near(note_of(&s), OPEN + 5.0, 0.001);
  assert_int_equal(htz_engine_count(s.engine).strikes, 1);
  let_go(&s, OPEN + 5);
  run(&s, QUARTER);
  check_near(note_of(&s), OPEN + 2.0, 0.001); // not to the open string, which was pressed before
  let_go(&s, OPEN);                           // one that does not sound: nothing changes
  run(&s, QUARTER);
  check_near(note_of(&s), OPEN + 2.0, 0.001);
  sound_close(&s);
}

/** A finger that lies lightly on the middle leaves the string as long as it is, and takes its odd partials away. */
static void a_harmonic_has_no_odd_partials(void** state) {
  double energy[2] = {0.0, 0.0};
  sound s;
  (void)state;
  open_file(&s, any, ", harmonics: true");
  assert_true(sound_set(&s, "bow.force", 0.3));
  press(&s, OPEN + 12, 64.0);
  run(&s, 4 * QUARTER);
  check_near(note_of(&s), OPEN, 1e-3);
  htz_modal* string = htz_modal_island_body(s.instrument->keys[OPEN].island, 0);
  for (int q = 0; q < QUARTER; ++q) {
    run(&s, 1);
    for (size_t k = 0; k < 2; ++k) {
      energy[k] += htz_modal_v(string)[k] * htz_modal_v(string)[k];
    }
  }
  check_below(energy[0], 0.01 * energy[1]);
  sound_close(&s);
}

/** A stopped string that is bowed, plucked and bowed again sounds each time as if it had never been played otherwise. */
static void what_was_played_before_is_not_heard(void** state) {
  enum { STOPPED = 77, ANOTHER = 79, TIMES = 6 };
  static const double gesture[TIMES] = {1.0, 1.0, 0.0, 1.0, 0.0, 0.0}; // bow and fingertip
  static float left[TIMES][4 * QUARTER][HTZ_QUANTUM];
  sound s;
  (void)state;
  assert_true(sound_open(&s, HTZ_SOURCE_DIR "/instruments/violin.yaml", rate_hz));
  assert_true(sound_set(&s, "human", 0.0));
  assert_true(sound_set(&s, "room", 0.0));
  for (size_t i = 0; i < TIMES; ++i) {
    float right[HTZ_QUANTUM];
    double sum = 0.0;
    assert_true(sound_set(&s, "gesture", gesture[i]));
    press(&s, STOPPED, 100.0);
    for (size_t q = 0; q < 4 * QUARTER; ++q) {
      htz_engine_quantum(s.engine, left[i][q], right);
      sum += fabs((double)left[i][q][0]);
    }
    check_above(sum, 1e-3);
    let_go(&s, STOPPED);
    sound_rest(&s);
    press(&s, ANOTHER, 60.0);
    run(&s, 20);
    let_go(&s, ANOTHER);
    sound_rest(&s);
    assert_memory_equal(left[i], left[gesture[i] == gesture[0] ? 0 : 2], sizeof left[i]);
  }
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_onset),
                                     cmocka_unit_test(controllers_are_followed_gradually),
                                     cmocka_unit_test(velocity_is_force_and_speed),
                                     cmocka_unit_test(the_end),
                                     cmocka_unit_test(the_shortest_stroke_is_drawn),
                                     cmocka_unit_test(a_new_stroke_does_not_stop_the_bow),
                                     cmocka_unit_test(a_harmonic_has_no_odd_partials),
                                     cmocka_unit_test(slurs_glide_and_fall_back),
                                     cmocka_unit_test(what_was_played_before_is_not_heard)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
