/*
   Every file of the grid family: it can be made at three sample rates, sounds and stays finite, keeps the books of its energy, and its
   strings are in tune.
*/
#include "check.h"
#include "sound/every.h"
#include "sound/partials.h"
#include "sound/spectrum.h"

#include "hertzian/contact/grid_island.h"
#include "hertzian/instrument/spec_grid.h"

#include <math.h>
#include <string.h>

static const double rates_hz[] = {8000.0, 44100.0, 192000.0};
enum { RATES = sizeof rates_hz / sizeof rates_hz[0] };

static htz_spec* load(const char* name) {
  char path[HTZ_PATH_MAX];
  htz_spec* spec = NULL;
  htz_diags diags;
  instrument_path(name, path);
  if (htz_spec_load(path, &spec, &diags)) {
    htz_diags_print(&diags, stderr);
    fail();
  }
  return spec;
}

/**
   A key that can be played at this rate: with a few strings for all keys that of a string, else from the lower third of the range down the
   first whose grids are not too coarse.
*/
static int playable_key(const htz_spec* spec, double rate_hz) {
  int key = spec->fingered.n ? spec->fingered.keys[0] : spec->key_low + (spec->key_high - spec->key_low) / 3;
  htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX];
  const char* why;
  char where[HTZ_SPEC_WHERE];
  while (key > spec->key_low && htz_spec_grid_try(spec, key, rate_hz, htz_kernels_select(), looks, where, &why)) {
    --key;
  }
  return key;
}

static void one_note(const char* name, const htz_spec* spec, double rate_hz) {
  static const double seconds = 0.25;
  const int key = playable_key(spec, rate_hz);
  uint64_t keys[HTZ_KEYS / 64] = {0};
  char path[HTZ_PATH_MAX];
  sound s;
  note n;
  keys[key / 64] |= UINT64_C(1) << (key % 64);
  instrument_path(name, path);
  assert_true(sound_open_keys(&s, path, rate_hz, keys));
  every_note(&s, key, 100.0, seconds, &n);
  const double peak = peak_of(n.mono, n.frames);
  const htz_engine_counters c = htz_engine_count(s.engine);
  const htz_island* island = s.instrument->keys[key].island;
  print_message("%-20s %6.0f Hz: peak %6.1f dBFS, %llu resets, %llu bounds\n", name, rate_hz, decibels(peak),
                (unsigned long long)c.resets, (unsigned long long)c.solver_bounds);
  assert_non_null(island);
  assert_true(peak > 1e-5 && peak < 2.0); // not silent, and no more than twice full scale: NaN fails
  assert_int_equal(c.resets, 0);          // never taken for a runaway: what it held was brought
  assert_int_equal(c.solver_bounds, 0);
  note_free(&n);
  sound_close(&s);
}

static void every_file_sounds_at_every_rate(void** state) {
  every_instrument all = every_list();
  size_t files = 0;
  (void)state;
  for (size_t i = 0; i < all.n; ++i) {
    htz_spec* spec = load(all.name[i]);
    for (size_t r = 0; spec->grid && r < RATES; ++r) {
      one_note(all.name[i], spec, rates_hz[r]);
    }
    files += spec->grid != NULL;
    htz_spec_free(spec);
  }
  every_free(&all);
  assert_true(files >= 8); // the systems of the paper at least
}

/** The grid's own fundamental is that of the file at every key, and its first partials are those of the string within a few cents. */
static void strings_are_in_tune(void** state) {
  every_instrument all = every_list();
  (void)state;
  for (size_t i = 0; i < all.n; ++i) {
    htz_spec* spec = load(all.name[i]);
    for (int key = spec->key_low; spec->grid && key <= spec->key_high; key += 6) {
      htz_spec_grid_look looks[HTZ_SPEC_GRID_BODIES_MAX];
      const char* why;
      char where[HTZ_SPEC_WHERE];
      assert_int_equal(htz_spec_grid_try(spec, key, 48000.0, htz_kernels_select(), looks, where, &why), HTZ_OK);
      for (size_t b = 0; b < spec->grid->n_bodies; ++b) {
        const htz_spec_grid_body* body = &spec->grid->bodies[b];
        if (body->kind == HTZ_GRID_STRING && body->pitch == HTZ_PITCH_KEY) {
          check_near(cents_between(looks[b].hz, htz_key_hz(key) * htz_table_at(&body->ratio, key)), 0.0, 1e-3);
        }
      }
    }
    htz_spec_free(spec);
  }
  every_free(&all);
}

/** Where nothing is lost, energy stays: bodies and contacts of a plucked string over a mass over a barrier, after the pluck. */
static void energy_is_kept(void** state) {
  static const char text[] =
      "format: 1\nfamily: grid\nname: x\nkeys: [45, 45]\nbend_range: 2\nper_key:\n"
      "  string: {body: string, length: 0.65, lin_density: 0.006, sigma0: 0}\n"
      "  weight: {body: mass, mass: 0.001, gravity: -9.81}\n  wood: {body: barrier}\n"
      "contacts:\n  - {between: [weight, string], at: 0.75, stiffness: 1.0e+7, exponent: 1.3, gap: 3.0e-4}\n"
      "  - {between: [wood, weight], stiffness: 1.0e+8, exponent: 1.3}\n"
      "pluck: {string: string, at: 0.2, height: [1.0e-4, 3.0e-3]}\npickups: [{of: string, quantity: force, at: 1}]\n";
  static const double rate_hz = 48000.0;
  float lines[HTZ_ISLAND_PICKUPS_MAX][HTZ_QUANTUM] = {{0.0f}};
  float* to[HTZ_ISLAND_PICKUPS_MAX] = {lines[0], lines[1], lines[2], lines[3]};
  sound s;
  (void)state;
  assert_true(sound_open_text(&s, text, rate_hz));
  htz_island* island = s.instrument->keys[45].island;
  const htz_influence rest = {.bow = {{.at = (double)NAN}}, .finger = (double)NAN, .held = true};
  const htz_strike strike = {.speed = 2e-3, .at = 0.2, .at_y = (double)NAN};
  island->cls->influence(island, &rest);
  island->cls->external_work(island);
  island->cls->strike(island, &strike);
  double loudness = 0.0, external_work = 0.0, start = 0.0, most = 0.0;
  for (int q = 0; q < (int)(rate_hz / HTZ_QUANTUM); ++q) {
    island->cls->advance(island, HTZ_QUANTUM, to);
    external_work += island->cls->external_work(island);
    const double energy = island->cls->energy(island, &loudness);
    start = island->cls->busy(island) ? energy : start;
    if (q == 4 * (int)(0.004 * rate_hz / HTZ_QUANTUM)) { // the hand has let go
      start = energy;
      assert_false(island->cls->busy(island));
      assert_true(energy > 0.0 &&
                  energy <= external_work * (1.0 + 1e-9)); // the hand brought more than it left: its own spring's share
    }
    const double off = fabs(energy - start) / start;
    most = q > 4 * (int)(0.004 * rate_hz / HTZ_QUANTUM) && off > most ? off : most;
  }
  print_message("energy kept to %.1e\n", most);
  check_below(most, 1e-9);
  assert_true(htz_grid_network_contact(htz_grid_island_network(island), 0)->closures > 5);
  sound_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_file_sounds_at_every_rate),
      cmocka_unit_test(strings_are_in_tune),
      cmocka_unit_test(energy_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
