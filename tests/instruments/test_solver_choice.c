/*
   An instrument file may name the solver of its contact. Every solver that can serve in one plays the same note as the house's where
   the contact is long and soft, stays within bounds where it is hard, and what cannot be is refused at its place in the file.
*/
#include "check.h"

#include "hertzian/contact/solver.h"
#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 4096, KEY = 52, HARDEST = 127 };

static const double rate_hz = 44100.0;

/** The fixture with `from` replaced by `to` (and `from2` by `to2`, unless NULL). */
static void fixture(char text[TEXT_MAX], const char* from, const char* to, const char* from2, const char* to2) {
  char raw[TEXT_MAX], once[TEXT_MAX];
  FILE* file = fopen(HTZ_SOURCE_DIR "/tests/fixtures/instruments/solved.yaml", "rb");
  assert_non_null(file);
  const size_t n = fread(raw, 1, sizeof raw - 1, file);
  fclose(file);
  raw[n] = '\0';
  const char* at = strstr(raw, from);
  assert_non_null(at);
  snprintf(once, sizeof once, "%.*s%s%s", (int)(at - raw), raw, to, at + strlen(from));
  const char* at2 = from2 ? strstr(once, from2) : NULL;
  if (at2) {
    snprintf(text, TEXT_MAX, "%.*s%s%s", (int)(at2 - once), once, to2, at2 + strlen(from2));
  } else {
    memcpy(text, once, sizeof once);
  }
}

static void open_with(sound* s, const char* solver, const char* stiffness) {
  char text[TEXT_MAX], line[64], contact[64];
  snprintf(line, sizeof line, "solver: %s", solver);
  snprintf(contact, sizeof contact, "stiffness: %s", stiffness);
  fixture(text, "solver: transition", line, "stiffness: 2.0e+3", contact);
  assert_true(sound_open_text(s, text, rate_hz));
}

/** The next solver an instrument can have, from registry index *i on; NULL after the last. */
static const htz_solver_class* next(size_t* i) {
  for (const htz_solver_class* cls; (cls = htz_solver_at(*i)) != NULL;) {
    ++*i;
    if (cls->real_time && cls->body && strcmp(cls->name, "house") != 0) {
      return cls;
    }
  }
  return NULL;
}

static double rms(const double* x, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += x[i] * x[i];
  }
  return sqrt(sum / (double)n);
}

/**
   Contact lasts some 300 samples, so that second-order schemes are off by (pi/300)^2/12 of it, 1e-5; a bilinear or central step puts the
   fastest mode, 640 Hz, (omega T)^2/12 = 7e-4 out of tune while the hammer is under way, some 8 ms: 0.02 rad of that mode, which has a
   tenth of the amplitude. Together less than -50 dB of the note.
*/
static const double likeness_db = -50.0;

enum { FRAMES = 44100, BETWEEN = 9000 };

/** A note and the same again while the first still rings; memory is the caller's. */
static void play_twice(sound* s, double mono[FRAMES]) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  uint64_t next_stroke = 17;
  for (uint64_t now; (now = htz_engine_now(s->engine)) < FRAMES;) {
    if (next_stroke < now + HTZ_QUANTUM && next_stroke < 2 * BETWEEN) {
      htz_engine_strike(s->engine, 0, KEY, HARDEST, next_stroke);
      next_stroke += BETWEEN;
    }
    htz_engine_quantum(s->engine, left, right);
    for (uint64_t i = 0; i < HTZ_QUANTUM && now + i < FRAMES; ++i) {
      mono[now + i] = (double)left[i] + (double)right[i];
    }
  }
}

static void every_solver_plays_the_note(void** state) {
  (void)state;
  static double house[FRAMES], other[FRAMES];
  sound s;
  open_with(&s, "house", "2.0e+3");
  play_twice(&s, house);
  sound_close(&s);
  check_above(peak_of(house, FRAMES), 1e-3);
  const htz_solver_class* cls;
  size_t n = 0;
  for (size_t i = 0; (cls = next(&i)) != NULL; ++n) {
    open_with(&s, cls->name, "2.0e+3");
    assert_ptr_equal(s.spec->mallet.solver, cls);
    play_twice(&s, other);
    assert_int_equal(htz_engine_count(s.engine).resets, 0);
    assert_int_equal(htz_engine_count(s.engine).strikes, 2);
    assert_true(htz_engine_count(s.engine).closures >= 2);
    for (size_t k = 0; k < FRAMES; ++k) {
      other[k] -= house[k];
    }
    const double off = decibels(rms(other, FRAMES) / rms(house, FRAMES));
    print_message("%s: %.1f dB from the house's notes\n", cls->name, off);
    check_below(off, likeness_db);
    sound_close(&s);
  }
  check_above((double)n, 0.0);
}

// Not every method keeps energy: a rule of first order is off by pi/300 of a contact, better ones by its square.
static const double energy_error = 0.01;

/** Struck again while it rings, bent, damped: never more energy than was thrown at it, and asleep in the end. */
static void it_is_played(void** state) {
  (void)state;
  const htz_solver_class* cls;
  for (size_t i = 0; (cls = next(&i)) != NULL;) {
    sound s;
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    open_with(&s, cls->name, "2.0e+3");
    htz_engine_hold(s.engine, 0, KEY, true, 0);
    double thrown = 0.0;
    for (int stroke = 0; stroke < 8; ++stroke) {
      const double speed = 2.0;
      thrown += 0.5 * 0.01 * speed * speed;
      htz_engine_strike(s.engine, 0, KEY, HARDEST, htz_engine_now(s.engine) + 5);
      assert_true(sound_set(&s, "tune", stroke % 2 ? 300.0 : 0.0));
      for (int q = 0; q < 40; ++q) {
        htz_rt_enter();
        htz_engine_quantum(s.engine, left, right);
        htz_rt_leave();
        check_below(htz_engine_energy(s.engine, 0), thrown * (1.0 + energy_error));
      }
    }
    check_above(htz_engine_energy(s.engine, 0), 0.0);
    htz_engine_hold(s.engine, 0, KEY, false, htz_engine_now(s.engine));
    // 20/s for 2 s more: 350 dB.
    for (int q = 0; q < (int)(2.0 * rate_hz / HTZ_QUANTUM); ++q) {
      htz_engine_quantum(s.engine, left, right);
    }
    assert_true(htz_engine_asleep(s.engine));
    assert_int_equal(htz_engine_count(s.engine).resets, 0);
    sound_close(&s);
  }
}

/** A contact of a hundredth of a sample: some schemes cannot hold it. What is heard is finite whatever they do. */
static void hard_contacts_stay_finite(void** state) {
  (void)state;
  const htz_solver_class* cls;
  for (size_t i = 0; (cls = next(&i)) != NULL;) {
    sound s;
    open_with(&s, cls->name, "1.0e+12");
    note n;
    sound_note(&s, KEY, HARDEST, 0, 8192, &n);
    print_message("%s: %llu resets, peak %.3g\n", cls->name, (unsigned long long)htz_engine_count(s.engine).resets,
                  peak_of(n.mono, n.frames));
    for (size_t k = 0; k < n.frames; ++k) {
      assert_true(isfinite(n.mono[k]));
    }
    note_free(&n);
    sound_close(&s);
  }
}

static void refused(const char* from, const char* to, unsigned line, unsigned column, const char* says) {
  char text[TEXT_MAX];
  htz_spec* spec = NULL;
  htz_diags diags;
  fixture(text, from, to, NULL, NULL);
  assert_int_equal(htz_spec_parse("x", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
  assert_int_equal(diags.n, 1);
  assert_int_equal(diags.item[0].line, line);
  assert_int_equal(diags.item[0].column, column);
  if (!strstr(diags.item[0].text, says)) {
    fail_msg("\"%s\" does not say \"%s\"", diags.item[0].text, says);
  }
}

static void refusals_say_where_and_why(void** state) {
  (void)state;
  refused("solver: transition", "solver: transitoin", 15, 11, "did you mean \"transition\"");
  refused("solver: transition", "solver: magic", 15, 11, "Allowed: house, ");
  refused("exponent: 1", "exponent: 1.5", 15, 11, "exponent must be 1");
  refused("mass: 0.01", "mass: 0.01\n  pool: 2", 16, 11, "pool must be 1");
  refused("mass: 0.01", "mass: 0.01\n  gravity: 9.81", 16, 11, "no gravity, drive or roll");
  refused("mass: 0.01", "mass: 0.01\n  touch: 0.5", 16, 11, "touch must be 1");
  refused("t60: [1.2, 0.8, 0.5]", "t60: 1, count: 2", 15, 11, "strikes one body");
  refused("{body: modal-list, ratios: [1, 2.4, 3.9], mass: 0.3, t60: [1.2, 0.8, 0.5]}",
          "{body: string, length: 0.6, lin_density: 0.01, stretch: 1.0e+4, modes: 3}", 15, 11,
          "no tension that grows with stretching");
  refused("damper:", "fingered: {keys: [48], harmonics: true}\ndamper:", 15, 11, "no harmonics");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_solver_plays_the_note),
      cmocka_unit_test(it_is_played),
      cmocka_unit_test(hard_contacts_stay_finite),
      cmocka_unit_test(refusals_say_where_and_why),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
