/*
   Hours of playing at random through the live path of the program, faster than real time: bytes of MIDI on three sources, program changes,
   instruments and parameters dialled in, every installed instrument in turn. After each of them all is let go of: no key may be held, the
   energy of what rings on may only fall, silence is silence, and a probe sounds as it did the first time.

   test_soak HOURS [SEED [SPEED [NAME]]] by hand plays that many hours of sound, as densely as the processor can do at SPEED times real time
   (of its own time), all instruments or the one of that name, and tells how it goes; with HERTZIAN_LONG set the test plays one hour. A fault
   names its turn and seed.
*/
#include "live_show.h"

#include <malloc.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
  BLOCK = 256,
  SOURCES = 3,
  DATA = 128,
  OWN_CHANNELS = 4,
  PROBE_CHANNEL = 15,
  NAMES_MAX = 128,
  PROBE = 16384,
  MESSAGE = 32
};

static const double turn_s = 8.0, ring_s = 1.5, silent_s = 2.0; // [s] played, left to ring, until silence has to be there
static const double least_density = 0.3, most_density = 300.0;  // [message/s] but for floods
static const double growth_most = 1e-4;                         // [J] of what is let go, a thousandth of a stroke

typedef struct {
  show* s;
  uint64_t chance, seed;
  size_t n; // instruments
  const htz_spec* spec[NAMES_MAX];
  uint8_t cast[NAMES_MAX];
  double density[NAMES_MAX]; // messages a second that the processor can do
  double speed;
  float* probe[NAMES_MAX];
  double worst_probe_db, worst_mean;
  double sum[2];
  uint64_t frames, messages, broken, stuck, restless, growing, audible;
  size_t heap_early, heap_late, parts, resident; // largest seen [byte]
  double cpu_s;
} soak;

/** The generator splitmix64. */
static uint64_t draw(soak* k) {
  uint64_t z = k->chance += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
  return z ^ z >> 31;
}

static unsigned below(soak* k, unsigned n) {
  return (unsigned)(draw(k) % n);
}

static double cpu_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bytes(soak* k, const uint8_t* what, size_t n) {
  const size_t source = below(k, SOURCES);
  if (htz_ring_count(&k->s->live->midi[source]) + n < HTZ_MIDI_RING) {
    stamp(k->s, source, k->s->time_s, what, n);
    k->messages++;
  }
}

static void three(soak* k, unsigned status, unsigned data1, unsigned data2) {
  const uint8_t m[] = {(uint8_t)status, (uint8_t)(data1 & 0x7F), (uint8_t)(data2 & 0x7F)};
  bytes(k, m, htz_midi_data_length(m[0]) + 1);
}

static void exclusive(soak* k) {
  static const uint8_t known[][8] = {
      {0x7E, 0x7F, 0x09, 0x01}, {0x7F, 0x7F, 0x04, 0x01, 0, 100}, {0x7F, 0x7F, 0x04, 0x03, 0, 70}};
  uint8_t m[MESSAGE] = {0xF0};
  size_t n = 1;
  if (below(k, 2)) {
    const size_t which = below(k, 3);
    const size_t size = which == 0 ? 4 : 6;
    memcpy(m + 1, known[which], size);
    n += size;
  } else {
    for (const unsigned size = below(k, MESSAGE - 2); n < size;) {
      m[n++] = (uint8_t)below(k, DATA);
    }
  }
  m[n++] = 0xF7;
  bytes(k, m, n);
}

static void message(soak* k, unsigned channel) {
  const unsigned what = below(k, 1000);
  if (what < 400) {
    three(k, 0x90 | channel, below(k, 4) ? 28 + below(k, 72) : below(k, DATA), 1 + below(k, DATA - 1));
  } else if (what < 650) {
    three(k, 0x80 | channel, below(k, 4) ? 28 + below(k, 72) : below(k, DATA), below(k, DATA));
  } else if (what < 750) {
    three(k, 0xE0 | channel, below(k, DATA), below(k, 3) ? below(k, DATA) : 64);
  } else if (what < 900) {
    three(k, 0xB0 | channel, below(k, 120), below(k, DATA)); // RPN and NRPN among them
  } else if (what < 930) {
    three(k, 0xB0 | channel, 64 + below(k, 4), below(k, 2) * 127);
  } else if (what < 960) {
    three(k, 0xD0 | channel, below(k, DATA), 0);
  } else if (what < 985) {
    three(k, 0xA0 | channel, below(k, DATA), below(k, DATA));
  } else if (what < 990) {
    three(k, 0xB0 | channel, 120 + below(k, 8), below(k, 17));
  } else if (what < 995) {
    exclusive(k);
  } else {
    const uint8_t loose[] = {(uint8_t)(0xF0 | below(k, 16)), (uint8_t)below(k, 256)}; // whatever it is
    bytes(k, loose, 2);
  }
}

static void hear(soak* k, float* out) {
  run(k->s, 1, out);
  for (size_t i = 0; i < (size_t)BLOCK * 2; i++) {
    const double x = (double)out[i];
    k->broken += isfinite(x) ? 0 : 1;
    k->sum[i % 2] += isfinite(x) ? x : 0.0;
  }
  k->frames += BLOCK;
  k->audible += htz_engine_asleep(k->s->live->engine) ? 0 : BLOCK;
}

/** What the control thread does meanwhile. */
static void tend(soak* k) {
  bool built = true;
  const char* why = NULL;
  htz_midi_message heard_of[64];
  assert_int_equal(htz_live_pool_build(&k->s->pool, &built, &why), HTZ_OK);
  while (heard(k->s, heard_of, 64) > 0) {
  }
}

static void hear_for(soak* k, double seconds) {
  float out[2 * BLOCK];
  for (double at = 0.0; at < seconds; at += BLOCK / rate_hz) {
    hear(k, out);
  }
  tend(k);
}

static void set_one(soak* k, size_t role, size_t param, double value) {
  const htz_dial_moved moved = {(uint32_t)role, (uint32_t)param};
  htz_live_pool_set(&k->s->pool, &moved, 1, value, 0);
}

static void turn_to(soak* k, uint8_t cast, uint16_t channels) {
  const char* why = NULL;
  const htz_status status = htz_live_pool_turn(&k->s->pool, &k->s->orchestra, cast, channels, 0, &why);
  if (status) {
    fail_msg("%s", why ? why : htz_status_text(status));
  }
}

/** A parameter of the instrument, anywhere in its range; `back`: all as they were. */
static void dial(soak* k, size_t index, bool back) {
  const htz_spec* spec = k->spec[index];
  const size_t role = k->s->orchestra.cast[k->cast[index]].role[0];
  for (size_t p = 0; p < HTZ_PARAM_NAMED; p++) {
    const htz_param_desc d = htz_spec_param(spec, p);
    if (htz_spec_param_used(spec, p) && (back || below(k, 40) == 0)) {
      const double at = (double)below(k, 1001) / 1000.0;
      set_one(k, role, p, back ? (double)NAN : htz_param_at(d.scale, d.minimum, d.maximum, at));
      if (!back) {
        return;
      }
    }
  }
}

/** Of what swings. What lies on a body has less than nothing, and takes that along when its key falls asleep: no part counts below 0. */
static double energy(const soak* k) {
  double sum = 0.0;
  for (uint32_t part = 0; part < HTZ_PARTS_MAX; part++) {
    sum += k->s->live->attached[part] ? fmax(htz_engine_energy(k->s->live->engine, part), 0.0) : 0.0;
  }
  return sum;
}

static void all(soak* k, unsigned controller) {
  for (unsigned channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    const uint8_t m[] = {(uint8_t)(0xB0 | channel), (uint8_t)controller, 0};
    stamp(k->s, 0, k->s->time_s, m, sizeof m);
  }
}

/** Let go of everything, and see that it is. */
static void let_go(soak* k, size_t index, uint64_t turn) {
  static const uint8_t end[] = {0xF7}; // whatever was begun ends
  const htz_live* live = k->s->live;
  uint64_t held = 0;
  for (size_t source = 0; source < SOURCES; source++) {
    stamp(k->s, source, k->s->time_s, end, sizeof end);
  }
  hear_for(k, 0.2);
  dial(k, index, true);
  all(k, 121);
  all(k, 123);
  hear_for(k, 0.2);
  for (size_t channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    for (size_t key = 0; key < HTZ_KEYS; key++) {
      held += live->map->holds[channel][key] > 0 || live->map->held_by[channel][key] > 0;
    }
  }
  hear_for(k, 0.3);
  const double before = energy(k);
  hear_for(k, ring_s);
  if (energy(k) > before + growth_most) {
    k->growing++;
    print_message("turn %llu (%s): let go, energy grew from %g to %g J\n", (unsigned long long)turn, k->spec[index]->id, before,
                  energy(k));
  }
  atomic_fetch_add(&k->s->live->panics, 1);
  hear_for(k, silent_s);
  if (held > 0 || !htz_engine_asleep(live->engine)) {
    print_message("turn %llu (%s): %llu keys stuck, %u awake after silence\n", (unsigned long long)turn, k->spec[index]->id,
                  (unsigned long long)held, (unsigned)htz_engine_count(live->engine).ringing);
  }
  k->stuck += held;
  k->restless += htz_engine_asleep(live->engine) ? 0 : 1;
}

/** A stroke that no hand varies, without a room: it sounds as it did when it was first heard. */
static void listen_again(soak* k, size_t index, uint64_t turn) {
  static const uint8_t reset[] = {0xFF};
  const uint32_t role = k->s->orchestra.cast[k->cast[index]].role[0];
  const htz_spec* spec = k->spec[index];
  float out[2 * BLOCK];
  stamp(k->s, 0, k->s->time_s, reset, 1);
  turn_to(k, k->cast[index], 1u << PROBE_CHANNEL);
  set_one(k, role, HTZ_PARAM_ROOM, 0.0);
  set_one(k, role, HTZ_PARAM_HUMAN, 0.0);
  hear_for(k, 0.3);
  // At the same place of a quantum and of a block each time.
  const uint8_t on[] = {0x90 | PROBE_CHANNEL, (uint8_t)((spec->key_low + spec->key_high) / 2), 100};
  const uint8_t off[] = {0x80 | PROBE_CHANNEL, on[1], 64};
  stamp(k->s, 0, k->s->time_s - 1.0, on, sizeof on); // late: with the block
  float* now = calloc(PROBE, sizeof *now);
  assert_non_null(now);
  size_t at = 0;
  for (; at < PROBE; at += (size_t)BLOCK * 2) {
    hear(k, out);
    memcpy(now + at, out, sizeof out);
  }
  stamp(k->s, 0, k->s->time_s, off, sizeof off);
  hear_for(k, 0.1);
  dial(k, index, true);
  set_one(k, role, HTZ_PARAM_ROOM, (double)NAN);
  set_one(k, role, HTZ_PARAM_HUMAN, (double)NAN);
  atomic_fetch_add(&k->s->live->panics, 1);
  hear_for(k, 0.3);
  if (!k->probe[index]) {
    k->probe[index] = now;
    return;
  }
  double apart = 0.0, whole = 0.0;
  for (size_t i = 0; i < PROBE; i++) {
    apart += ((double)now[i] - (double)k->probe[index][i]) * ((double)now[i] - (double)k->probe[index][i]);
    whole += (double)k->probe[index][i] * (double)k->probe[index][i];
  }
  const double db = 10.0 * log10(apart / whole + 1e-30);
  // What rolls is set on where it last stopped, on another piece of its surface.
  const bool rolls = htz_table_at(&spec->mallet.travel[1], on[1]) > 0.0;
  k->worst_probe_db = fmax(k->worst_probe_db, rolls ? -300.0 : db);
  if (db > -60.0 && !rolls) {
    print_message("turn %llu: the probe of %s differs by %.1f dB from the first\n", (unsigned long long)turn, spec->id, db);
  }
  free(now);
}

static void play_turn(soak* k, size_t index, uint64_t turn) {
  float out[2 * BLOCK];
  k->chance = k->seed + turn * 7919;
  k->sum[0] = k->sum[1] = 0.0;
  const uint64_t begin = k->frames;
  const double cpu = cpu_now();
  turn_to(k, k->cast[index], (uint16_t)(1u << below(k, OWN_CHANNELS)));
  for (unsigned i = below(k, 3); i > 0; i--) {
    three(k, 0xB0 | (4 + below(k, 11)), below(k, 2) * 32, below(k, DATA));
    three(k, 0xC0 | (4 + below(k, 11)), below(k, DATA), 0);
  }
  const unsigned mostly = below(k, 16);
  const double density = k->density[index] > 0.0 ? k->density[index] : 4.0;
  double due = 0.0;
  for (double at = 0.0; at < turn_s; at += BLOCK / rate_hz) {
    for (due += density * BLOCK / rate_hz; due >= 1.0; due -= 1.0) {
      message(k, below(k, 3) ? below(k, OWN_CHANNELS) : below(k, 2) ? mostly : below(k, 16));
    }
    if (below(k, 400) == 0) {
      dial(k, index, false);
    }
    if (below(k, 1500) == 0) { // a flood, and what ends it
      for (unsigned i = below(k, 600); i > 0; i--) {
        message(k, mostly);
      }
      three(k, 0xB0 | mostly, 120, 0);
    }
    hear(k, out);
  }
  let_go(k, index, turn);
  k->worst_mean = fmax(k->worst_mean, fmax(fabs(k->sum[0]), fabs(k->sum[1])) / (double)(k->frames - begin));
  const double used = cpu_now() - cpu, wanted = (double)(k->frames - begin) / rate_hz / k->speed;
  k->density[index] = fmin(fmax(density * fmin(fmax(wanted / used, 0.5), 2.0), least_density), most_density);
  k->cpu_s += used;
}

static void look_at_memory(soak* k, bool late) {
  const struct mallinfo2 m = mallinfo2();
  size_t parts = 0, pages = 0, ignored = 0;
  for (const htz_live_prebuilt* part = k->s->pool.all; part; part = part->next) {
    parts += part->built.memory.size;
  }
  const size_t heap = m.uordblks + m.hblkhd, rest = heap > parts ? heap - parts : 0;
  size_t* most = late ? &k->heap_late : &k->heap_early;
  *most = rest > *most ? rest : *most;
  k->parts = parts > k->parts ? parts : k->parts;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file) {
    if (fscanf(file, "%zu %zu", &ignored, &pages) == 2) {
      const size_t resident = pages * (size_t)sysconf(_SC_PAGESIZE);
      k->resident = resident > k->resident ? resident : k->resident;
    }
    fclose(file);
  }
}

/** `only`: the one of that name, or NULL for all. */
static void find_instruments(soak* k, const char* only) {
  htz_orchestra* o = &k->s->orchestra;
  for (size_t i = 0; i < o->catalog.n && k->n < NAMES_MAX; i++) {
    if (!o->catalog.entry[i].spec || (only && strcmp(o->catalog.entry[i].id, only) != 0)) {
      continue;
    }
    assert_int_equal(htz_orchestra_add(o, o->catalog.entry[i].id, 0, &k->cast[k->n], &k->s->log), HTZ_OK);
    k->spec[k->n] = o->role[o->cast[k->cast[k->n]].role[0]].spec;
    k->n++;
  }
  assert_true(k->n > 0);
}

static void open_all(soak* k, const char* only) {
  show* s = k->s;
  s->performance = (htz_performance){.channels = HTZ_MIDI_OMNI};
  htz_velocity_linear(&s->performance.velocity);
  assert_int_equal(setenv("HERTZIAN_INSTRUMENTS", HTZ_SOURCE_DIR "/instruments", 1), 0);
  assert_int_equal(htz_orchestra_load(&s->orchestra, NULL, &s->log), HTZ_OK);
  htz_orchestra_all_as_played(&s->orchestra);
  const htz_live_desc desc = {
      .rate_hz = rate_hz, .frames = BLOCK, .performance = &s->performance, .limit = false, .no_sensing = true};
  assert_int_equal(htz_live_new(&desc, &s->live), HTZ_OK);
  htz_live_pool_init(&s->pool, &s->orchestra, &s->performance, s->live);
  s->frames = BLOCK;
  s->time_s = 100.0;
  find_instruments(k, only);
}

static void tell(const soak* k, uint64_t turn) {
  const htz_engine_counters c = htz_engine_count(k->s->live->engine);
  print_message(
      "%7.3f h (%.3f h of them sounding), %llu turns, seed %llu, %.1fx real time of its processor time: %llu messages, %llu "
      "strokes, %llu resets, %llu not finite, %llu stuck, %llu restless, %llu growing, mean %.1f dBFS, probe %.1f dB, "
      "parts %.1f MiB, heap beside them %.1f then %.1f MiB, resident %.1f MiB\n",
      (double)k->frames / rate_hz / 3600.0, (double)k->audible / rate_hz / 3600.0, (unsigned long long)turn,
      (unsigned long long)k->seed, (double)k->frames / rate_hz / k->cpu_s, (unsigned long long)k->messages,
      (unsigned long long)c.strikes, (unsigned long long)c.resets, (unsigned long long)k->broken, (unsigned long long)k->stuck,
      (unsigned long long)k->restless, (unsigned long long)k->growing, 20.0 * log10(k->worst_mean), k->worst_probe_db,
      (double)k->parts / 0x1p20, (double)k->heap_early / 0x1p20, (double)k->heap_late / 0x1p20, (double)k->resident / 0x1p20);
  fflush(NULL);
}

/** @return whether all went well */
static bool play_hours(double hours, uint64_t seed, double speed, const char* only, size_t most) {
  enum { OFTEN = 40 };
  static const size_t growth = 4 << 20; // [byte] what fragments and lists of free parts take
  soak* k = calloc(1, sizeof *k);
  assert_non_null(k);
  k->s = calloc(1, sizeof *k->s);
  assert_non_null(k->s);
  *k = (soak){.s = k->s, .seed = seed, .speed = speed, .worst_probe_db = -300.0};
  open_all(k, only);
  const uint64_t frames = (uint64_t)(hours * 3600.0 * rate_hz);
  uint64_t turn = 0;
  for (; k->frames < frames && turn < most; turn++) {
    const size_t index = (size_t)(turn / 2 + seed) % k->n; // twice in turn, and so the probe has one to be held against
    play_turn(k, index, turn);
    listen_again(k, index, turn);
    look_at_memory(k, k->frames > frames / 2); // of a few turns nothing is told: parts are still being built
    if (turn % OFTEN == OFTEN - 1) {
      tell(k, turn + 1);
    }
  }
  tell(k, turn);
  const uint64_t resets = htz_engine_count(k->s->live->engine).resets;
  const bool grown = k->heap_late > 0 && k->heap_late > k->heap_early + growth;
  const bool well = resets == 0 && k->broken == 0 && k->stuck == 0 && k->restless == 0 && k->growing == 0 && !grown &&
                    k->worst_probe_db < -60.0;
  for (size_t i = 0; i < k->n; i++) {
    free(k->probe[i]);
  }
  close_show(k->s);
  free(k->s);
  free(k);
  return well;
}

/** Instruments and performances that are chosen again and again take no more room than those that differ. */
static void chosen_over_and_over(void** state) {
  enum { TIMES = 3 * HTZ_ROLES_MAX };
  static const char* const names[] = {"glockenspiel", "piano-and-vibraphone", "marimba", "glockenspiel"};
  (void)state;
  show* s = calloc(1, sizeof *s);
  assert_non_null(s);
  assert_int_equal(setenv("HERTZIAN_INSTRUMENTS", HTZ_SOURCE_DIR "/instruments", 1), 0);
  assert_int_equal(htz_orchestra_load(&s->orchestra, "marimba", &s->log), HTZ_OK);
  uint8_t first[4] = {0};
  for (size_t i = 0; i < TIMES; i++) {
    uint8_t cast = 0;
    assert_int_equal(htz_orchestra_add(&s->orchestra, names[i % 4], 0, &cast, &s->log), HTZ_OK);
    first[i % 4] = i < 4 ? cast : first[i % 4];
    assert_int_equal(cast, first[i % 4]);
  }
  assert_int_equal(s->orchestra.n_casts, 3);
  assert_int_equal(s->orchestra.n_roles, 4);
  assert_int_not_equal(first[0], first[1]);
  // A file that was read again is another instrument from then on, by its name, too.
  uint8_t anew = 0, again = 0;
  assert_int_equal(htz_orchestra_add(&s->orchestra, "glockenspiel", 1, &anew, &s->log), HTZ_OK);
  assert_int_not_equal(anew, first[0]);
  assert_int_equal(htz_orchestra_add(&s->orchestra, "glockenspiel", 0, &again, &s->log), HTZ_OK);
  assert_int_equal(again, anew);
  htz_orchestra_free(&s->orchestra);
  free(s);
}

static void random_playing(void** state) {
  (void)state;
  const bool thorough = getenv("HERTZIAN_LONG") != NULL;
  assert_true(play_hours(thorough ? 1.0 : 0.1, 1, 14.0, NULL, thorough ? SIZE_MAX : 4));
}

int main(int argc, char** argv) {
  if (argc > 1) {
    const bool well = play_hours(atof(argv[1]), argc > 2 ? strtoull(argv[2], NULL, 10) : 1, argc > 3 ? atof(argv[3]) : 14.0,
                                 argc > 4 ? argv[4] : NULL, SIZE_MAX);
    return well ? 0 : 1;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(chosen_over_and_over), cmocka_unit_test(random_playing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
