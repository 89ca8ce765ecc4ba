// Prepared piano and rattle plate: sleep, what their parameters do, and that moving things neither clicks nor runs away.
#include "check.h"
#include "sound/render.h"
#include "sound/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double rate_hz = 48000.0;
enum { SECOND = 48000 / HTZ_QUANTUM };

static void open_sound(const char* name, double rate, sound* s) {
  char path[HTZ_PATH_MAX];
  instrument_path(name, path);
  assert_true(sound_open(s, path, rate));
  assert_true(sound_set(s, "room", 0.0));
}

static bool begins(const char* line, const char* with) {
  return strncmp(line, with, strlen(with)) == 0;
}

/** The prepared piano's file without its preparations and what controls them, to `path`. */
static void write_unprepared(char path[HTZ_PATH_MAX]) {
  static const char* const of_things[] = {"  screw.", "  rubber.", "  rattle."};
  char line[512];
  bool leaves_out = false;
  instrument_path("prepared-piano", path);
  FILE* from = fopen(path, "r");
  assert_non_null(from);
  (void)snprintf(path, HTZ_PATH_MAX, "unprepared-%ld.yaml", (long)getpid());
  FILE* to = fopen(path, "w");
  assert_non_null(to);
  while (fgets(line, sizeof line, from)) {
    leaves_out = line[0] == ' ' || line[0] == '\n' ? leaves_out : begins(line, "preparations:");
    bool thing = false;
    for (size_t i = 0; i < sizeof of_things / sizeof of_things[0]; ++i) {
      thing = thing || begins(line, of_things[i]);
    }
    if (!leaves_out && !thing) {
      assert_true(fputs(line, to) >= 0);
    }
  }
  assert_int_equal(fclose(from), 0);
  assert_int_equal(fclose(to), 0);
}

static void with_nothing_there_it_is_a_piano(void** state) {
  enum { KEY = 72 }; // it has a screw and a nut
  sound plain, prepared;
  note a, b;
  char path[HTZ_PATH_MAX];
  (void)state;
  write_unprepared(path);
  assert_true(sound_open(&plain, path, rate_hz));
  assert_int_equal(remove(path), 0);
  assert_true(sound_set(&plain, "room", 0.0));
  open_sound("prepared-piano", rate_hz, &prepared);
  sound_note(&prepared, KEY, 100.0, 0, (size_t)rate_hz / 2, &a);
  assert_true(sound_set(&prepared, "screw.mass", 0.0));
  assert_true(sound_set(&prepared, "rattle.mass", 0.0));
  assert_true(sound_set(&prepared, "rubber.loss", 0.0));
  sound_note(&prepared, KEY, 100.0, 0, (size_t)rate_hz / 2, &b);
  note p;
  sound_note(&plain, KEY, 100.0, 0, (size_t)rate_hz / 2, &p);
  double off = 0.0, own = 0.0, apart = 0.0;
  for (size_t f = 0; f < a.frames; ++f) {
    off += (b.mono[f] - p.mono[f]) * (b.mono[f] - p.mono[f]);
    own += b.mono[f] * b.mono[f];
    apart += (a.mono[f] - b.mono[f]) * (a.mono[f] - b.mono[f]);
  }
  check_below(off, 1e-9 * own); // single precision of the mix
  check_above(apart, 0.1 * own);
  note_free(&a);
  note_free(&b);
  note_free(&p);
  sound_close(&plain);
  sound_close(&prepared);
}

static void every_key_falls_asleep(void** state) {
  static const double most_s = 60.0;
  stage s;
  (void)state;
  stage_open(&s, "instruments/prepared-piano.yaml", rate_hz, 0);
  stage_set(&s, HTZ_PARAM_ROOM, 0.0);
  for (uint32_t key = 30; key <= 96; key += 3) {
    htz_engine_strike(s.engine, s.part, key, 127.0, htz_engine_now(s.engine));
    htz_engine_hold(s.engine, s.part, key, true, htz_engine_now(s.engine));
  }
  stage_run(&s, SECOND, NULL, NULL);
  for (uint32_t key = 30; key <= 96; key += 3) {
    htz_engine_hold(s.engine, s.part, key, false, htz_engine_now(s.engine));
  }
  double t = 0.0;
  for (; t < most_s && !htz_engine_asleep(s.engine); t += 0.1) {
    stage_run(&s, SECOND / 10, NULL, NULL);
  }
  print_message("asleep %.1f s after the keys were let go\n", t);
  assert_true(htz_engine_asleep(s.engine));
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** Greatest second difference of the sound of `quanta` quanta: a click is one. */
static double kink(stage* s, size_t quanta) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  double before[2] = {0.0, 0.0}, most = 0.0;
  for (size_t q = 0; q < quanta; ++q) {
    stage_run(s, 1, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const double x = (double)left[i] + (double)right[i];
      assert_true(isfinite(x));
      const double bend = fabs(x - 2.0 * before[0] + before[1]);
      most = q > 0 && bend > most ? bend : most;
      before[1] = before[0];
      before[0] = x;
    }
  }
  return most;
}

static void moving_things_does_not_click(void** state) {
  // One with a screw, one with a rubber. What a move does is physics: it may be heard, but not as a jump.
  static const struct {
    uint32_t key;
    htz_param_index param;
    double to;
  } moves[] = {{48, HTZ_PARAM_SCREW_AT, 0.45},
               {48, HTZ_PARAM_SCREW_MASS, 0.0},
               {53, HTZ_PARAM_RUBBER_AT, 0.45},
               {53, HTZ_PARAM_RUBBER_LOSS, 0.0},
               {55, HTZ_PARAM_RATTLE_MASS, 0.0}};
  (void)state;
  for (size_t i = 0; i < sizeof moves / sizeof moves[0]; ++i) {
    stage s;
    stage_open(&s, "instruments/prepared-piano.yaml", rate_hz, 0);
    stage_set(&s, HTZ_PARAM_ROOM, 0.0);
    htz_engine_strike(s.engine, s.part, moves[i].key, 100.0, htz_engine_now(s.engine));
    htz_engine_hold(s.engine, s.part, moves[i].key, true, htz_engine_now(s.engine));
    stage_run(&s, SECOND / 8, NULL, NULL);
    const double still = kink(&s, SECOND / 8);
    stage_set(&s, moves[i].param, moves[i].to);
    const double moved = kink(&s, SECOND / 4);
    print_message("%s: kink %.1e before, %.1e with the move\n", htz_instrument_params[moves[i].param].name, still, moved);
    check_below(moved, 1.5 * still);
    assert_int_equal(htz_engine_count(s.engine).resets, 0);
    stage_close(&s);
  }
}

static void ends_of_its_parameters_are_bounded(void** state) {
  static const struct {
    const char* file;
    int keys[3];
  } of[] = {{"prepared-piano", {30, 55, 72}}, {"rattle-plate", {36, 60, 84}}};
  (void)state;
  for (size_t i = 0; i < 2; ++i) {
    sound s;
    open_sound(of[i].file, i ? 8000.0 : rate_hz, &s);
    for (size_t p = HTZ_PARAM_BRIDGE_GAP; p <= HTZ_PARAM_RUBBER_AT; ++p) {
      const htz_param_desc* d = &htz_instrument_params[p];
      const double ends[2] = {d->minimum, d->maximum};
      if (!htz_spec_param_used(s.spec, (htz_param_index)p)) {
        continue;
      }
      for (size_t e = 0; e < 2; ++e) {
        assert_true(sound_set(&s, d->name, ends[e]));
        for (size_t k = 0; k < 3; ++k) {
          note n;
          sound_note(&s, (unsigned)of[i].keys[k], 127.0, 0, (size_t)(0.3 * s.rate_hz), &n);
          const double peak = decibels(fmax(peak_of(n.left, n.frames), peak_of(n.right, n.frames)));
          if (!(peak < 6.0)) {
            print_error("%s, %s = %g, key %d: peak %.1f dBFS\n", of[i].file, d->name, ends[e], of[i].keys[k], peak);
            fail();
          }
          note_free(&n);
        }
      }
      assert_true(sound_set(&s, d->name, (double)NAN));
    }
    assert_int_equal(htz_engine_count(s.engine).resets, 0);
    sound_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(with_nothing_there_it_is_a_piano),
      cmocka_unit_test(every_key_falls_asleep),
      cmocka_unit_test(moving_things_does_not_click),
      cmocka_unit_test(ends_of_its_parameters_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
