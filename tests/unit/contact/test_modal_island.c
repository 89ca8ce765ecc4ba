// The island of a key: resonators in coupled coordinates give what sample-by-sample driving gives; mallets come and go.
#include "check.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;

enum { BAR = 0, TUBE, MALLETS = 2, LINES = 1 };

typedef struct {
  htz_arena arena;
  htz_modes modes[2];
  htz_modal_island_desc desc;
  htz_island* island;
} rig;

static void build(rig* r) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, 1 << 20), HTZ_OK);
  const htz_bar_desc bar = {.ends = HTZ_BAR_FREE,
                            .mass = 0.3,
                            .tuning_hz = 220.0,
                            .support_hz = 25.0,
                            .support_loss = 20.0,
                            .loss = {.t60_hz = {220.0, 2200.0}, .t60_s = {1.5, 0.2}}};
  assert_int_equal(htz_modes_bar(&bar, 20000.0, 12, &r->arena, &r->modes[BAR], NULL), HTZ_OK);
  static const double hz[] = {220.0, 660.0, 1100.0};
  static const double sigma[] = {31.0, 115.0, 250.0};
  static const double mass[] = {1.0, 1.0, 1.0};
  assert_int_equal(htz_modes_list(3, hz, sigma, mass, 1, NULL, &r->arena, &r->modes[TUBE]), HTZ_OK);
  const htz_kernels* kernels = htz_kernels_select();
  assert_int_equal(htz_modal_new(&r->modes[BAR], MALLETS, 2, rate_hz, kernels, &r->arena, &r->desc.bodies[BAR]), HTZ_OK);
  assert_int_equal(htz_modal_new(&r->modes[TUBE], 1, 1, rate_hz, kernels, &r->arena, &r->desc.bodies[TUBE]), HTZ_OK);
  htz_modal_listen(r->desc.bodies[BAR], 0, HTZ_HEAR_VELOCITY, 0.4, 0.05);
  htz_modal_listen(r->desc.bodies[BAR], 1, HTZ_HEAR_VELOCITY, 0.5, 62.0);
  htz_modal_listen(r->desc.bodies[TUBE], 0, HTZ_HEAR_VELOCITY, 0.5, 0.1);
  r->desc.n_bodies = 2;
  r->desc.n_struck = 1;
  r->desc.n_feeds = 1;
  r->desc.feeds[0] = (htz_feed){BAR, 1, TUBE, 0};
  r->desc.n_outputs = 2;
  r->desc.outputs[0] = (htz_output){BAR, 0, 0};
  r->desc.outputs[1] = (htz_output){TUBE, 0, 0};
  r->desc.n_lines = LINES;
  r->desc.n_mallets = MALLETS;
  assert_int_equal(htz_modal_island_new(&r->desc, rate_hz, &r->arena, &r->island), HTZ_OK);
}

static const htz_strike strike = {.speed = 2.0, .mass = 0.03, .stiffness = 2e7, .exponent = 1.5, .viscosity = 0.3, .at = 0.42};

/** Advance `quanta` quanta in pieces of `piece` frames into out[]. A piece shorter than a quantum never runs coupled. */
static void run(htz_island* island, int quanta, uint32_t piece, float* out) {
  for (int q = 0; q < quanta; ++q) {
    for (uint32_t at = 0; at < HTZ_QUANTUM; at += piece) {
      float* lines[HTZ_ISLAND_PICKUPS_MAX] = {out + q * HTZ_QUANTUM + at};
      island->cls->advance(island, piece, lines);
    }
  }
}

enum { QUANTA = 400 };

static double largest_difference(const float* a, const float* b, size_t n, double* largest) {
  double d = 0.0;
  *largest = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double x = fabs((double)a[i] - (double)b[i]);
    d = x > d ? x : d;
    *largest = fabs((double)a[i]) > *largest ? fabs((double)a[i]) : *largest;
  }
  return d;
}

static void coupled_is_driven(void** state) {
  (void)state;
  static float coupled[QUANTA * HTZ_QUANTUM], driven[QUANTA * HTZ_QUANTUM];
  memset(coupled, 0, sizeof coupled);
  memset(driven, 0, sizeof driven);
  rig a, b;
  build(&a);
  build(&b);
  // Strikes, a damper, a bend and a new resonator level on the way, so that it changes coordinates many times.
  for (int part = 0; part < 8; ++part) {
    rig* both[2] = {&a, &b};
    for (int i = 0; i < 2; ++i) {
      htz_island* island = both[i]->island;
      if (part % 3 == 0) {
        island->cls->strike(island, &strike);
      }
      if (part == 4) {
        island->cls->damp(island, 12.0);
      }
      if (part == 5) {
        island->cls->retune(island, 1.03, 1.0);
      }
      if (part == 6) {
        island->cls->resonate(island, 0.5);
        // The level glides over one call to advance: make that a whole quantum for both.
        run(island, 1, HTZ_QUANTUM, (i ? driven : coupled) + part * 50 * HTZ_QUANTUM);
      }
      const int skip = part == 6;
      run(island, 50 - skip, i ? HTZ_QUANTUM / 2 : HTZ_QUANTUM, (i ? driven : coupled) + (part * 50 + skip) * HTZ_QUANTUM);
    }
  }
  double largest = 0.0;
  const double d = largest_difference(coupled, driven, QUANTA * HTZ_QUANTUM, &largest);
  // Single precision of what is added up: fifteen modes, and the drive rounded to float on its way into the tube.
  check_above(largest, 0.01);
  check_below(d, 30.0 * 6e-8 * largest);
  htz_arena_free(&a.arena);
  htz_arena_free(&b.arena);
}

static void loudness_is_a_bound(void** state) {
  (void)state;
  static float out[QUANTA * HTZ_QUANTUM];
  memset(out, 0, sizeof out);
  rig r;
  build(&r);
  r.island->cls->strike(r.island, &strike);
  run(r.island, 100, HTZ_QUANTUM, out);
  assert_false(r.island->cls->busy(r.island));
  for (int q = 100; q < QUANTA; q += 50) {
    double loudness = 0.0, most = 0.0;
    r.island->cls->energy(r.island, &loudness);
    run(r.island, 50, HTZ_QUANTUM, out + q * HTZ_QUANTUM);
    for (int i = q * HTZ_QUANTUM; i < (q + 50) * HTZ_QUANTUM; ++i) {
      most = fabs((double)out[i]) > most ? fabs((double)out[i]) : most;
    }
    check_below(most, loudness);
  }
  htz_arena_free(&r.arena);
}

static void restrike_adds(void** state) {
  (void)state;
  rig r;
  build(&r);
  static float out[QUANTA * HTZ_QUANTUM];
  memset(out, 0, sizeof out);
  r.island->cls->strike(r.island, &strike);
  run(r.island, 20, HTZ_QUANTUM, out);
  double loudness = 0.0;
  const double ringing = r.island->cls->energy(r.island, &loudness);
  htz_modal* bar = htz_modal_island_body(r.island, 0);
  double before[64];
  memcpy(before, htz_modal_q(bar), htz_modal_padded(bar) * sizeof(double));
  r.island->cls->strike(r.island, &strike);
  // Nothing of the state is touched by a throw; the mallet's energy comes on top.
  assert_memory_equal(before, htz_modal_q(bar), htz_modal_padded(bar) * sizeof(double));
  check_close(r.island->cls->energy(r.island, &loudness), ringing + 0.5 * strike.mass * strike.speed * strike.speed, 1e-12);
  htz_arena_free(&r.arena);
}

static void pool_is_reused(void** state) {
  (void)state;
  rig r;
  build(&r);
  for (int i = 0; i < 5; ++i) {
    r.island->cls->strike(r.island, &strike);
  }
  assert_int_equal(r.island->cls->count(r.island).reused, 3);
  static float out[100 * HTZ_QUANTUM];
  run(r.island, 100, HTZ_QUANTUM, out);
  assert_false(r.island->cls->busy(r.island)); // all have flown away within 50 ms
  r.island->cls->reset(r.island);
  double loudness = 1.0;
  check_near(r.island->cls->energy(r.island, &loudness), 0.0, 0.0);
  check_near(loudness, 0.0, 0.0);
  htz_arena_free(&r.arena);
}

/** Two feeds to one place are heard as their sum: two halves as the whole, to rounding. */
static void feeds_add_up(void** state) {
  (void)state;
  static float whole[QUANTA * HTZ_QUANTUM], halves[QUANTA * HTZ_QUANTUM];
  for (unsigned two = 0; two < 2; ++two) {
    rig r;
    float* out = two ? halves : whole;
    build(&r);
    if (two) {
      htz_arena_free(&r.arena);
      build(&r);
      htz_modal_listen(r.desc.bodies[BAR], 1, HTZ_HEAR_VELOCITY, 0.5, 31.0);
      r.desc.n_feeds = 2;
      r.desc.feeds[1] = r.desc.feeds[0];
      assert_int_equal(htz_modal_island_new(&r.desc, rate_hz, &r.arena, &r.island), HTZ_OK);
    }
    memset(out, 0, sizeof whole);
    r.island->cls->strike(r.island, &strike);
    run(r.island, QUANTA, HTZ_QUANTUM / 2, out); // driven
    htz_arena_free(&r.arena);
  }
  double largest, off = largest_difference(whole, halves, QUANTA * HTZ_QUANTUM, &largest);
  check_above(largest, 0.0);
  check_below(off, 1e-5 * largest);
}

/**
   Tuned while a mallet is near: what swings wider than before would go into it, with energy from nowhere. Then the bar stays where it is;
   else each mode keeps its energy.
*/
static void tuning_brings_nothing_into_contact(void** state) {
  (void)state;
  enum { TIMES = 2000, PIECE = 16 };
  rig r;
  build(&r);
  static float out[TIMES * HTZ_QUANTUM];
  htz_network* net = htz_modal_island_network(r.island);
  unsigned apart = 0, stayed = 0;
  for (unsigned n = 0; n < TIMES; ++n) {
    const htz_strike soft = {.speed = n % 40 == 0 ? 3.0 : 0.05, .mass = 0.03, .stiffness = 1e10, .exponent = 1.5, .at = 0.42};
    if (n % 4 == 0) {
      r.island->cls->strike(r.island, &soft);
    }
    float* lines[HTZ_ISLAND_PICKUPS_MAX] = {out};
    r.island->cls->advance(r.island, PIECE + n % 7, lines);
    const bool touched = htz_network_touching(net);
    double loudness;
    const double was = htz_modal_q(htz_modal_island_body(r.island, BAR))[1];
    const double before = r.island->cls->energy(r.island, &loudness);
    r.island->cls->retune(r.island, n % 2 ? 1.0 : 0.6, 1.0);
    assert_int_equal(htz_network_touching(net), touched);
    const double now = htz_modal_q(htz_modal_island_body(r.island, BAR))[1], after = r.island->cls->energy(r.island, &loudness);
    if (!touched) {
      ++apart;
      stayed += now == was && was != 0.0;
      // To rounding; or less, as what stays where it is has less when it is tuned down.
      assert_true(fabs(after - before) <= 1e-12 * before || (fabs(now - was) <= 1e-12 * fabs(was)));
    }
  }
  print_message("tuned %u times with nothing in contact, %u of them with the bar held back by a mallet beside it\n", apart,
                stayed);
  assert_true(apart > 200);
  assert_true(stayed > 10);
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(coupled_is_driven), cmocka_unit_test(loudness_is_a_bound),
                                     cmocka_unit_test(feeds_add_up),      cmocka_unit_test(restrike_adds),
                                     cmocka_unit_test(pool_is_reused),    cmocka_unit_test(tuning_brings_nothing_into_contact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
