// Strings and skins whose tension grows with their stretching, in instrument files: hard notes start sharp by what their own tension says.
#include "check.h"
#include "sound/render.h"

#include "hertzian/contact/modal_island.h"
#include "hertzian/model/bodies.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;

// Of the glide, relative, and in cents besides: window and first order (a rise by 5 % leaves 2.5 % of the logarithm out).
static const double glide_limit = 0.03, pitch_limit = 0.03;

enum { FROM = 4800, WINDOW = 9600, HOP = 4800, FRAMES = FROM + HOP + WINDOW }; // a tenth of a second for the mallet to go

static void open_fixture(sound* s, const char* name) {
  char path[HTZ_PATH_MAX];
  snprintf(path, sizeof path, "%s/tests/fixtures/instruments/%s.yaml", HTZ_SOURCE_DIR, name);
  assert_true(sound_open(s, path, rate_hz));
}

static double complex component(const double* x, double hz) {
  double complex sum = 0.0;
  for (size_t i = 0; i < WINDOW; ++i) {
    sum += x[i] * (0.5 - 0.5 * cos(2.0 * pi * (double)i / WINDOW)) * cexp(-I * 2.0 * pi * hz * (double)i / rate_hz);
  }
  return sum;
}

/** Frequency near `hz`, from how far the phase gets from one window to the next. */
static double measured_hz(const double* x, double hz) {
  const double turned =
      carg(component(x + FROM + HOP, hz) * cexp(-I * 2.0 * pi * hz * HOP / rate_hz) / component(x + FROM, hz));
  return hz + turned / (2.0 * pi * HOP / rate_hz);
}

typedef struct {
  double hz;
  double theory; // cents above the pitch of a string that hardly moves
} heard;

/** How the body of a key lengthens: of its first mode with amplitude q the tension rises by `own` q^2; at rest it is `tension`. */
typedef struct {
  double own, tension;
} stretching;

/**
   Play a note and find its first partial; and from what the body does meanwhile where it must be: 1/(2 T) of the mean rise of its tension,
   and of half of what the first mode makes itself besides.
*/
static heard play(sound* s, unsigned key, double velocity, const stretching* is) {
  double x[FRAMES];
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  sound_rest(s);
  htz_engine_strike(s->engine, 0, key, velocity, htz_engine_now(s->engine));
  htz_engine_hold(s->engine, 0, key, true, htz_engine_now(s->engine));
  htz_modal* body = htz_modal_island_body(s->instrument->keys[key].island, 0);
  double mean = 0.0, self = 0.0, weight = 0.0;
  for (size_t f = 0; f < FRAMES; f += HTZ_QUANTUM) {
    htz_engine_quantum(s->engine, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM && f + i < FRAMES; ++i) {
      x[f + i] = (double)left[i] + (double)right[i];
    }
    // The phases of the two windows are those of their middles: the mean in between counts.
    if (f >= FROM + WINDOW / 2 && f < FROM + WINDOW / 2 + HOP) {
      const double q = htz_modal_q(body)[0];
      mean += htz_modal_internal(body).tension;
      self += 0.5 * is->own * q * q;
      weight += 1.0;
    }
  }
  sound_rest(s);
  return (heard){measured_hz(x, htz_key_hz((double)key)), 600.0 / log(2.0) * (mean + self) / weight / is->tension};
}

static double cents_above(double a, double b) {
  return 1200.0 * log2(a / b);
}

static double value_at(const htz_spec* spec, const char* name, double key) {
  const htz_spec_body* body = &spec->bodies[0];
  for (size_t i = 0; i < body->kind->n_scalars; ++i) {
    if (strcmp(body->kind->scalars[i].name, name) == 0) {
      return htz_table_at(&body->scalars[i], key);
    }
  }
  fail();
  return 0.0;
}

/** @return the glide between a note at velocity 127 and one at 1 [cent] */
static double check_glide(const char* name, unsigned key, double limit) {
  sound s;
  open_fixture(&s, name);
  const double length = value_at(s.spec, "length", key), density = value_at(s.spec, "lin_density", key);
  const double speed = 2.0 * length * htz_key_hz((double)key);
  const double tension = density * speed * speed, ea = value_at(s.spec, "stretch", key);
  const stretching is = {.own = ea * pi * pi / (4.0 * length * length), .tension = tension};
  const heard soft = play(&s, key, 1.0, &is), hard = play(&s, key, 127.0, &is);
  const double glide = cents_above(hard.hz, soft.hz), theory = hard.theory - soft.theory;
  print_message("%s, key %u: %.3f cents, by its tension %.3f; %.0f N\n", name, key, glide, theory, tension);
  check_near(glide, theory, limit * theory + pitch_limit);
  sound_close(&s);
  return glide;
}

static void struck_notes_start_sharp(void** state) {
  (void)state;
  check_above(check_glide("gliding", 40, glide_limit), 40.0);
  check_above(check_glide("gliding", 45, glide_limit), 10.0);
}

static void prepared_ones_too(void** state) {
  (void)state;
  check_above(check_glide("gliding", 42, glide_limit), 20.0); // with a screw
  check_above(check_glide("gliding", 44, glide_limit), 10.0); // and a rubber
}

static void plucked_on_a_board_that_they_feel(void** state) {
  (void)state;
  check_above(check_glide("gliding-board", 45, glide_limit), 10.0);
}

/** A rattle on the string closes on it, and neither solver nor tension loses its hold. */
static void rattled_they_hold(void** state) {
  (void)state;
  sound s;
  open_fixture(&s, "gliding");
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  htz_island* island = s.instrument->keys[46].island;
  double most = 0.0;
  htz_engine_strike(s.engine, 0, 46, 127.0, htz_engine_now(s.engine));
  htz_engine_hold(s.engine, 0, 46, true, htz_engine_now(s.engine));
  for (int quantum = 0; quantum < 750; ++quantum) {
    htz_engine_quantum(s.engine, left, right);
    const htz_internal_account a = htz_modal_internal(htz_modal_island_body(island, 0));
    assert_true(isfinite(a.tension) && isfinite(left[0]));
    most = a.tension > most ? a.tension : most;
  }
  const htz_network_counters* n = htz_network_count(htz_modal_island_network(island));
  print_message("rattled: %llu closures, tension up to %.2f N higher\n", (unsigned long long)n->closures, most);
  assert_true(n->closures > 20);
  assert_int_equal(n->unconverged, 0);
  check_above(most, 1.0);
  sound_close(&s);
}

/** Text of the bowed fixture, with EA = `ea`. */
static void open_bowed(sound* s, const char* ea) {
  static const char stretch[] = "stretch: 2.4e+4";
  char text[2048] = "", made[2048];
  FILE* file = fopen(HTZ_SOURCE_DIR "/tests/fixtures/instruments/gliding-bow.yaml", "rb");
  assert_non_null(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  const char* at = strstr(text, stretch);
  assert_non_null(at);
  snprintf(made, sizeof made, "%.*sstretch: %s%s", (int)(at - text), text, ea, at + sizeof stretch - 1);
  assert_true(sound_open_text(s, made, rate_hz));
}

/**
   Under a bow of speed v at b L the string goes as Helmholtz says: a corner, h = v/(8 b f) high in the middle, and
   mean S = 8 h^2/(3 L).
*/
static void bowed_notes_are_sharp_as_long_as_they_last(void** state) {
  enum { KEY = 45, LONG = 24000 };
  const double length = 0.69, density = 2.29e-3, ea = 2.4e4, at = 0.13, speed = 0.5;
  static double x[LONG + FRAMES];
  double hz[2];
  (void)state;
  for (int with = 0; with < 2; ++with) {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    sound s;
    open_bowed(&s, with ? "2.4e+4" : "0");
    htz_engine_strike(s.engine, 0, KEY, 127.0, htz_engine_now(s.engine));
    htz_engine_hold(s.engine, 0, KEY, true, htz_engine_now(s.engine));
    for (size_t f = 0; f + HTZ_QUANTUM <= LONG + FRAMES; f += HTZ_QUANTUM) {
      htz_engine_quantum(s.engine, left, right);
      for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
        x[f + i] = (double)left[i] + (double)right[i];
      }
    }
    hz[with] = measured_hz(x + LONG, htz_key_hz(KEY));
    sound_close(&s);
  }
  const double f = htz_key_hz(KEY), h = speed / (8.0 * at * f);
  const double tension = density * (2.0 * length * f) * (2.0 * length * f);
  const double theory = 600.0 / log(2.0) * ea * 8.0 * h * h / (3.0 * length) / (2.0 * length * tension);
  print_message("bowed: %.3f cents, by Helmholtz %.3f\n", cents_above(hz[1], hz[0]), theory);
  check_close(cents_above(hz[1], hz[0]), theory, 0.15);
}

/** A skin goes sharp as a string does, its area growing for its length; soft strokes leave it where it is tuned. */
static void struck_skins_start_sharp(void** state) {
  enum { KEY = 45 };
  const double radius = 0.16, stretch = 1e6, area = pi * radius * radius;
  const double wave_number = 2.40482555769577276862 / radius; // of the lowest mode
  sound s;
  (void)state;
  open_fixture(&s, "gliding-skin");
  const htz_modal* skin = htz_modal_island_body(s.instrument->keys[KEY].island, 0);
  const double omega = 2.0 * pi * htz_key_hz(KEY), bend = area * wave_number * wave_number;
  const stretching is = {.own = 0.5 * stretch / area * bend, .tension = htz_modal_mass(skin)[0] * omega * omega / bend};
  const heard soft = play(&s, KEY, 1.0, &is), hard = play(&s, KEY, 127.0, &is);
  const double glide = cents_above(hard.hz, soft.hz), theory = hard.theory - soft.theory;
  print_message("skin: %.3f cents, by its tension %.3f; %.0f N/m\n", glide, theory, is.tension);
  check_above(glide, 20.0);
  check_near(glide, theory, glide_limit * theory + pitch_limit);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(struck_notes_start_sharp),          cmocka_unit_test(prepared_ones_too),
      cmocka_unit_test(plucked_on_a_board_that_they_feel), cmocka_unit_test(rattled_they_hold),
      cmocka_unit_test(struck_skins_start_sharp),          cmocka_unit_test(bowed_notes_are_sharp_as_long_as_they_last),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
