/*
   Choke groups, as they are heard: how long what was choked still sounds, from which frame on, and what goes on as if nothing had been.
*/
#include "check.h"

#include "sound/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double ring_s = 4.0, loss = 40.0; // T60 of the bars, and the choke's decay rate [1/s]
static const double ln_1000 = 6.90775527898213705205;

enum { QUANTA = 300, FRAMES = QUANTA * HTZ_QUANTUM, PERIOD = 160 };

// One mode a key, 300 Hz (160 frames a period) and multiples, so that a period tells them apart; 42, 44 and 46 choke each other, 50 is alone.
static const char bars[] =
    "format: 1\nname: Bars\nkeys: [40, 52]\n"
    "per_key: {bar: {body: modal-list, frequencies: [{42: 300, 44: 600, 46: 900, 50: 300}], t60: 4, mass: 0.1}}\n"
    "mallet: {strikes: bar, mass: 0.01, speed: [0.2, 5], contact: {exponent: 1.5, stiffness: 1.0e+7}}\n"
    "pickups: [{of: bar, gain: 0.1}]\n%schokes: [{keys: [42, 44, 46], loss: 40}]\n";

static void open_bars(sound* s, const char* more) {
  char text[1024];
  snprintf(text, sizeof text, bars, more);
  assert_true(sound_open_text(s, text, rate_hz));
}

static void strike(sound* s, uint32_t key, double velocity, uint64_t frame) {
  htz_engine_strike(s->engine, 0, key, velocity, frame);
}

/** Run to frame FRAMES; what happens between is posted by `act` before the quantum it is in. */
static void run(sound* s, float* left, void (*act)(sound* s, uint64_t quantum)) {
  float right[HTZ_QUANTUM];
  for (uint64_t q = 0; q < QUANTA; ++q) {
    act(s, q);
    htz_engine_quantum(s->engine, left + q * HTZ_QUANTUM, right);
  }
}

/** Amplitude of 300 Hz over the period that begins at frame `at`. */
static double amplitude(const float* x, size_t at) {
  const double turn = 6.28318530717958647693 / PERIOD;
  double c = 0.0, s = 0.0;
  for (size_t i = 0; i < PERIOD; ++i) {
    c += (double)x[at + i] * cos(turn * (double)i);
    s += (double)x[at + i] * sin(turn * (double)i);
  }
  return sqrt(c * c + s * s) * 2.0 / PERIOD;
}

/** Decay rate between two frames [1/s]. */
static double decay(const float* x, size_t from, size_t to) {
  return log(amplitude(x, from) / amplitude(x, to)) * rate_hz / (double)(to - from);
}

enum { CHOKE_QUANTUM = 100, CHOKE_OFFSET = 37, CHOKE_FRAME = CHOKE_QUANTUM * HTZ_QUANTUM + CHOKE_OFFSET };

static uint32_t first_key, second_key;
static bool held, pedal;

/** The first key is struck at the start, the second so softly that it is not heard beside it. */
static void two_strokes(sound* s, uint64_t q) {
  if (q == 0) {
    if (pedal) {
      const htz_param_change down = {.value = 127.0, .key = HTZ_KEY_ALL, .index = HTZ_PARAM_SUSTAIN};
      htz_engine_change(s->engine, &down);
    }
    strike(s, first_key, 120.0, 0);
    if (held) {
      htz_engine_hold(s->engine, 0, first_key, true, 0);
    }
  }
  if (q == CHOKE_QUANTUM && second_key) {
    strike(s, second_key, 1.0, CHOKE_FRAME);
  }
}

static void play(const char* more, uint32_t first, uint32_t second, float* x) {
  sound s;
  first_key = first;
  second_key = second;
  open_bars(&s, more);
  run(&s, x, two_strokes);
  sound_close(&s);
}

static float plain[FRAMES], choked[FRAMES], alone[FRAMES];

/** With the second stroke's own sound, that of a file without it, taken away. */
static void subtract(float* x, const float* own) {
  for (size_t i = 0; i < FRAMES; ++i) {
    x[i] -= own[i];
  }
}

/** Nothing but the second key, for what is left when it is taken away. */
static void second_only(sound* s, uint64_t q) {
  if (q == CHOKE_QUANTUM) {
    strike(s, second_key, 1.0, CHOKE_FRAME);
  }
}

static void play_second(const char* more, uint32_t second, float* x) {
  sound s;
  second_key = second;
  open_bars(&s, more);
  run(&s, x, second_only);
  sound_close(&s);
}

/** What was choked decays at its own rate and the choke's together; T60 = ln 1000 over that. To 1 %: a window sees one period. */
static void a_choked_key_decays_at_its_rate(void** state) {
  (void)state;
  const double own = ln_1000 / ring_s;
  play("", 42, 0, plain);
  play("", 42, 46, choked);
  play_second("", 46, alone);
  subtract(choked, alone);
  check_near(decay(plain, CHOKE_FRAME + PERIOD, CHOKE_FRAME + 30 * PERIOD), own, 0.01 * own);
  check_near(decay(choked, CHOKE_FRAME + PERIOD, CHOKE_FRAME + 30 * PERIOD), own + loss, 0.01 * (own + loss));
}

/** Up to the frame of the strike nothing is different, but for the rounding where its quantum is cut in two; from then on it is. */
static void it_is_choked_from_the_frame_of_the_strike(void** state) {
  (void)state;
  play("", 42, 0, plain);
  play("", 42, 46, choked);
  assert_memory_equal(plain, choked, (CHOKE_FRAME - CHOKE_OFFSET) * sizeof(float));
  double early = 0.0;
  for (size_t i = CHOKE_FRAME - CHOKE_OFFSET; i < CHOKE_FRAME; ++i) {
    early = fmax(early, fabs((double)(plain[i] - choked[i])));
  }
  check_below(early, ldexp(amplitude(plain, CHOKE_FRAME), -22));
  play_second("", 46, alone);
  subtract(choked, alone);
  // In 64 frames the choke takes 1 - exp(-40 64/48000) = 5 % off.
  double off = 0.0, most = 0.0;
  for (size_t i = CHOKE_FRAME; i < CHOKE_FRAME + 64; ++i) {
    off = fmax(off, fabs((double)(plain[i] - choked[i])));
    most = fmax(most, fabs((double)plain[i]));
  }
  check_above(off, 0.02 * most);
}

/** Keys of no group and keys of another do not choke, and what they play is untouched, to the bit. */
static void the_rest_is_untouched(void** state) {
  (void)state;
  play("", 50, 0, plain);
  play("", 50, 46, choked);
  play_second("", 46, alone);
  // Sums of two floats, one of them large: 2^-24 of it.
  double off = 0.0, most = 0.0;
  for (size_t i = 0; i < FRAMES; ++i) {
    off = fmax(off, fabs((double)choked[i] - (double)alone[i] - (double)plain[i]));
    most = fmax(most, fabs((double)plain[i]));
  }
  check_below(off, ldexp(most, -23));
  play("", 42, 50, choked);
  play("", 42, 0, plain);
  play_second("", 50, alone);
  subtract(choked, alone);
  const double own = ln_1000 / ring_s;
  check_near(decay(choked, CHOKE_FRAME + PERIOD, CHOKE_FRAME + 30 * PERIOD), own, 0.01 * own);
}

/** Neither a key that is held nor the pedal keeps it, with dampers or without. */
static void hands_and_pedals_do_not_save_it(void** state) {
  (void)state;
  const double own = ln_1000 / ring_s;
  for (unsigned how = 0; how < 8; ++how) {
    held = how & 1u;
    pedal = how >> 1 & 1u;
    const char* damper = how >> 2 & 1u ? "damper: {loss: 5}\n" : "";
    play(damper, 42, 46, choked);
    play_second(damper, 46, alone);
    subtract(choked, alone);
    // Where a damper lies on the struck key too, its own sound with the pedal differs; it is 50 dB below.
    check_near(decay(choked, CHOKE_FRAME + PERIOD, CHOKE_FRAME + 8 * PERIOD), own + loss, 0.02 * (own + loss));
  }
  held = pedal = false;
}

/** Where the key's own damper is firmer than the choke, that is what it decays at. */
static void a_choke_lifts_no_damper(void** state) {
  static const double firm = 90.0; // [1/s]
  (void)state;
  const double own = ln_1000 / ring_s;
  sound s;
  open_bars(&s, "damper: {loss: 90}\n");
  strike(&s, 42, 120.0, 0);
  htz_engine_hold(s.engine, 0, 42, true, 0);
  for (uint64_t q = 0; q < QUANTA; ++q) {
    float right[HTZ_QUANTUM];
    if (q == CHOKE_QUANTUM - 20) {
      htz_engine_hold(s.engine, 0, 42, false, htz_engine_now(s.engine));
    }
    if (q == CHOKE_QUANTUM) {
      strike(&s, 46, 1.0, CHOKE_FRAME);
    }
    htz_engine_quantum(s.engine, choked + q * HTZ_QUANTUM, right);
  }
  sound_close(&s);
  play_second("damper: {loss: 90}\n", 46, alone);
  subtract(choked, alone);
  check_near(decay(choked, CHOKE_FRAME + PERIOD, CHOKE_FRAME + 8 * PERIOD), own + firm, 0.02 * (own + firm));
}

/** One that is struck again rings on as it did the first time: same bits after its own silence. */
static void struck_again_it_rings(void** state) {
  (void)state;
  sound s;
  static float first[FRAMES], again[FRAMES];
  first_key = 42;
  second_key = 46;
  open_bars(&s, "");
  run(&s, first, two_strokes);
  const uint64_t now = htz_engine_now(s.engine);
  strike(&s, 42, 120.0, now);
  for (size_t q = 0; q < QUANTA; ++q) {
    float right[HTZ_QUANTUM];
    htz_engine_quantum(s.engine, again + q * HTZ_QUANTUM, right);
  }
  sound_close(&s);
  // And it has choked the second.
  const double own = ln_1000 / ring_s;
  check_near(decay(again, 20 * PERIOD, 100 * PERIOD), own, 0.01 * own);
  check_above(amplitude(again, 20 * PERIOD), 0.5 * amplitude(first, 20 * PERIOD));
}

/** Choked, and struck again in the same quantum, and choked again: each at its frame, the last counts. */
static void several_in_one_quantum(void** state) {
  (void)state;
  const double own = ln_1000 / ring_s;
  sound s;
  float right[HTZ_QUANTUM];
  for (unsigned last = 0; last < 2; ++last) {
    open_bars(&s, "");
    strike(&s, 42, 120.0, 0);
    for (size_t q = 0; q < QUANTA; ++q) {
      if (q == CHOKE_QUANTUM) {
        const uint64_t from = htz_engine_now(s.engine);
        strike(&s, 46, 1.0, from + 5);
        strike(&s, 42, 120.0, from + 20);
        if (last) {
          strike(&s, 44, 1.0, from + 50);
        }
      }
      htz_engine_quantum(s.engine, choked + q * HTZ_QUANTUM, right);
    }
    const double rate = last ? own + loss : own;
    check_near(decay(choked, CHOKE_FRAME + 2 * PERIOD, CHOKE_FRAME + 12 * PERIOD), rate, 0.02 * rate);
    assert_int_equal(htz_engine_count(s.engine).dropped, 0);
    sound_close(&s);
  }
}

/** A whole roll of the closed cymbal on the open one: the same choke again and again fills no queue. */
static void many_strokes_drop_nothing(void** state) {
  (void)state;
  sound s;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  open_bars(&s, "");
  strike(&s, 46, 120.0, 0);
  for (size_t q = 0; q < QUANTA; ++q) {
    for (uint64_t n = 0; n < 4; ++n) {
      strike(&s, n % 2 ? 42 : 44, 60.0, htz_engine_now(s.engine) + 10 * n);
    }
    htz_engine_quantum(s.engine, left, right);
  }
  assert_int_equal(htz_engine_count(s.engine).dropped, 0);
  assert_int_equal(htz_engine_count(s.engine).resets, 0);
  sound_close(&s);
}

/** The kit's cymbals, of an object among others. */
static void the_kit_chokes(void** state) {
  (void)state;
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  double energy[2];
  for (int closed = 0; closed < 2; ++closed) {
    sound s;
    assert_true(sound_open(&s, HTZ_SOURCE_DIR "/tests/fixtures/instruments/kit.yaml", rate_hz));
    htz_engine_hold(s.engine, 0, 46, true, 0);
    strike(&s, 46, 100.0, 0);
    energy[closed] = 0.0;
    for (size_t q = 0; q < QUANTA; ++q) {
      if (q == CHOKE_QUANTUM && closed) {
        strike(&s, 42, 1.0, htz_engine_now(s.engine));
      }
      htz_engine_quantum(s.engine, left, right);
      for (size_t i = 0; i < HTZ_QUANTUM && q >= QUANTA - 20; ++i) {
        energy[closed] += (double)right[i] * (double)right[i];
      }
    }
    sound_close(&s);
  }
  // 60/s for 200 - 20 quanta of 64 frames, 0.24 s: 125 dB; what is left is the soft stroke on the closed one, 30 dB below at least.
  check_below(energy[1], 1e-3 * energy[0]);
}

static void faults_are_told_where_they_stand(void** state) {
  (void)state;
  static const struct {
    const char *chokes, *says;
    unsigned column;
  } cases[] = {
      {"[{keys: [42, 42], loss: 40}]", "keys: 42 stands twice", 22},
      {"[{keys: [42, 44], loss: 40}, {keys: [46, 44], loss: 40}]", "44 is in another group already", 50},
      {"[{keys: [42], loss: 40}]", "it takes 2 to 128", 17},
      {"[{keys: [42, 60], loss: 40}]", "keys: 60 is no key of the instrument", 22},
      {"[{keys: [42, 44]}]", "missing key \"loss\"", 10},
      {"[{keys: [42, 44], loss: 0}]", "allowed: 0.1 to 10000 1/s", 33},
      {"{keys: [42, 44], loss: 3}", "chokes: expected a list", 9},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    char text[1024];
    htz_spec* spec;
    htz_diags diags;
    const char* from = strstr(bars, "%schokes");
    snprintf(text, sizeof text, "%.*schokes: %s\n", (int)(from - bars), bars, cases[i].chokes);
    assert_int_equal(htz_spec_parse("x.yaml", text, strlen(text), &spec, &diags), HTZ_BAD_INPUT);
    if (diags.item[0].line != 7 || diags.item[0].column != cases[i].column || !strstr(diags.item[0].text, cases[i].says)) {
      htz_diags_print(&diags, stdout);
      fail_msg("wanted %s at 7:%u", cases[i].says, cases[i].column);
    }
  }
}

/** What has nothing to damp, or serves other keys too, is refused. */
static void what_cannot_be_choked_is_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"format: 1\nfamily: grid\nname: Ball\nkeys: [36, 40]\n"
       "per_key: {ball: {body: mass, mass: 0.005, gravity: -9.81}, floor: {body: barrier}}\n"
       "contacts: [{between: [floor, ball], name: bounce, stiffness: 1.0e+7, exponent: 1.5}]\n"
       "throw: {body: ball, speed: [0.1, 2.0], height: 0.002}\npickups: [{of: bounce, gain: 0.002}]\n"
       "chokes: [{keys: [36, 38], loss: 4}]\n",
       "key 36 has nothing that a damper damps"},
      {"format: 1\nname: Bowed\nkeys: [60, 67]\n"
       "per_key: {string: {body: string, length: 0.69, lin_density: 0.0025, t60: 3, modes: 40}}\n"
       "bow: {plays: string, force: [0.2, 0.95], speed: [0.06, 0.35]}\nfingered: {keys: [60]}\n"
       "pickups: [{of: string, gain: 1}]\nchokes: [{keys: [61, 62], loss: 4}]\n",
       "key 61 is fingered; its string serves other keys too"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    htz_spec* spec;
    htz_diags diags;
    assert_int_equal(htz_spec_parse("x.yaml", cases[i].text, strlen(cases[i].text), &spec, &diags), HTZ_BAD_INPUT);
    htz_diags_print(&diags, stdout);
    assert_non_null(strstr(diags.item[0].text, cases[i].says));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_choked_key_decays_at_its_rate),
      cmocka_unit_test(it_is_choked_from_the_frame_of_the_strike),
      cmocka_unit_test(the_rest_is_untouched),
      cmocka_unit_test(hands_and_pedals_do_not_save_it),
      cmocka_unit_test(a_choke_lifts_no_damper),
      cmocka_unit_test(struck_again_it_rings),
      cmocka_unit_test(several_in_one_quantum),
      cmocka_unit_test(many_strokes_drop_nothing),
      cmocka_unit_test(the_kit_chokes),
      cmocka_unit_test(faults_are_told_where_they_stand),
      cmocka_unit_test(what_cannot_be_choked_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
