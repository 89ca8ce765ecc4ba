// Modes of plates that couple (von Karman): energy, backbone curves, convergence, losses, contacts, going linear, extremes.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"
#include "hertzian/model/disc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double rate_hz = 48000.0;
static const double thickness = 1e-3;

static const double energy_limit =
    1e-9; // relative, of what the scheme conserves: rounding of 5e4 turns of some 1e-16 each and more

typedef struct {
  htz_arena arena;
  htz_disc_shapes shapes;
  htz_modes modes;
  htz_modal* modal;
  htz_body* body;
} rig;

/** A crash of 40 cm. */
static void build(rig* r, double rate, double rise, size_t coupled, double loss) {
  const htz_disc_desc desc = {.radius = 0.2,
                              .thickness = thickness,
                              .density = 8700.0,
                              .young = 1e11,
                              .poisson = 0.3,
                              .rise = rise,
                              .loss = {.loss0 = loss, .loss1 = loss > 0.0 ? 1e-3 : 0.0}};
  htz_arena_measure(&r->arena);
  assert_int_equal(htz_disc_shapes_find(0.3, rise, coupled + HTZ_DISC_RIGID_MODES, coupled, 0, &r->arena, &r->shapes), HTZ_OK);
  assert_int_equal(htz_modes_disc(&r->shapes, &desc, 0.5 * rate, r->shapes.n, &r->arena, &r->modes), HTZ_OK);
  assert_int_equal(htz_modal_new(&r->modes, 3, 1, rate, htz_kernels_select(), &r->arena, &r->modal), HTZ_OK);
  r->body = htz_modal_body(r->modal);
  htz_modal_place_xy(r->modal, 0, 0.97, 0.5);
  htz_modal_place_xy(r->modal, 1, 0.2, 0.6);
  htz_modal_listen_xy(r->modal, 0, HTZ_HEAR_ACCELERATION, 0.3, 0.7, 1.0);
}

static double energy(const rig* r) {
  return r->body->cls->energy(r->body);
}

static double noise(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/** The lowest ten bending modes mixed, the rim displaced by `height` thicknesses where it is most. */
static void bend(rig* r, double height) {
  enum { MIXED = 10, ANGLES = 64 };
  double phi[HTZ_DISC_MODES_MAX], most = 0.0;
  uint64_t seed = 3;
  double* q = htz_modal_q(r->modal) + HTZ_DISC_RIGID_MODES;
  for (size_t k = 0; k < MIXED; ++k) {
    q[k] = (noise(&seed) + 0.4) / (double)(k + 2);
  }
  for (int i = 0; i < ANGLES; ++i) {
    double sum = 0.0;
    r->modes.shape_xy(&r->modes, 0.5 + 0.5 * cos(2.0 * pi * i / ANGLES), 0.5 + 0.5 * sin(2.0 * pi * i / ANGLES), phi);
    for (size_t k = 0; k < MIXED; ++k) {
      sum += q[k] * phi[HTZ_DISC_RIGID_MODES + k];
    }
    most = fmax(most, fabs(sum));
  }
  for (size_t k = 0; k < MIXED; ++k) {
    q[k] *= height * thickness / most;
  }
}

static void run(rig* r, float* out) {
  float* to[1] = {out};
  memset(out, 0, HTZ_QUANTUM * sizeof *out);
  htz_modal_free_quantum(r->modal, to);
}

typedef struct {
  double drift, truth; // greatest deviations of the kept energy and of the true one, relative
} deviation;

/** A second without loss. */
static deviation second_of(rig* r) {
  float out[HTZ_QUANTUM];
  deviation d = {0.0, 0.0};
  assert_false(htz_modal_is_linear(r->modal));
  const double before = energy(r);
  for (size_t i = 0; i < (size_t)rate_hz / HTZ_QUANTUM; ++i) {
    run(r, out);
    const double now = energy(r);
    d.drift = fmax(d.drift, fabs(now / before - 1.0));
    if (i % 16 == 0) {
      const htz_internal_account a = htz_modal_internal(r->modal);
      d.truth = fmax(d.truth, fabs((now - a.stored + a.potential) / before - 1.0));
    }
  }
  return d;
}

static void energy_is_kept(void** state) {
  // The true energy is of second order in the time between gradients: 4 samples, and 2 or 1 above some 10 thicknesses.
  static const struct {
    double rise, height, truth;
  } cases[] = {{0.0, 0.1, 1e-5},  {0.0, 1.0, 1e-3},  {0.0, 3.0, 3e-3}, {0.0, 10.0, 0.05},
               {10.0, 0.1, 1e-3}, {10.0, 1.0, 5e-3}, {10.0, 3.0, 0.05}};
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    rig r;
    build(&r, rate_hz, cases[i].rise, 80, 0.0);
    bend(&r, cases[i].height);
    const deviation d = second_of(&r);
    print_message("rise %2.0f, %4.1f thicknesses: kept energy within %.1e, true energy within %.1e\n", cases[i].rise,
                  cases[i].height, d.drift, d.truth);
    check_below(d.drift, energy_limit);
    check_below(d.truth, cases[i].truth);
    htz_arena_free(&r.arena);
  }
}

/** Complete elliptic integral of the first kind, of parameter m, by the arithmetic-geometric mean. */
static double elliptic(double m) {
  double a = 1.0, g = sqrt(1.0 - m);
  for (int i = 0; i < 40; ++i) {
    const double mean = 0.5 * (a + g);
    g = sqrt(a * g);
    a = mean;
  }
  return 0.5 * pi / a;
}

/** Frequency of mode `k` from its upward zero crossings, over that of the linear mode. */
static double sharpened(rig* r, size_t k, size_t periods) {
  double last = htz_modal_q(r->modal)[k], first_at = -1.0, last_at = -1.0;
  size_t counted = 0;
  for (size_t i = 1; counted < periods && i < 1000000; ++i) {
    r->body->cls->commit(r->body, 0, 0, NULL, NULL);
    const double now = htz_modal_q(r->modal)[k];
    if (last < 0.0 && now >= 0.0) {
      last_at = (double)i - now / (now - last);
      counted += first_at >= 0.0;
      first_at = first_at < 0.0 ? last_at : first_at;
    }
    last = now;
  }
  return rate_hz * (double)counted / (last_at - first_at) * 2.0 * pi / htz_modal_omega(r->modal)[k];
}

/**
   Touze, Thomas, Chaigne, Asymmetric non-linear forced vibrations of free-edge circular plates, part 1, J. Sound Vib. 258 (2002): with w in h^2/a and
   epsilon = 12 (1 - nu^2) h^2/a^2 mode q obeys q'' + omega^2 q + epsilon Gamma q^3 = 0. In thicknesses and unit modes that is
   4 V(1) = 12 (1 - nu^2) Gamma; Gamma of (2, 0) is 1.90, of (0, 1) 8.57, of (3, 0) 16.9, at nu = 0.33.
*/
static void backbones_are_the_literatures(void** state) {
  static const struct {
    size_t mode; // after the rigid ones
    double gamma;
  } modes[] = {{0, 1.90}, {2, 8.57}, {3, 16.9}};
  static const double within = 0.02;
  htz_arena arena;
  htz_disc_shapes shapes;
  (void)state;
  htz_arena_measure(&arena);
  assert_int_equal(htz_disc_shapes_find(0.33, 0.0, 200, 150, 0, &arena, &shapes), HTZ_OK);
  const htz_bending* b = shapes.bending;
  float* room = htz_arena_alloc(&arena, htz_bending_room(b), sizeof *room);
  double* x = htz_arena_alloc(&arena, b->n, sizeof *x);
  assert_true(room && x);
  const htz_bending_scratch scratch = htz_bending_lay(b, room);
  for (size_t i = 0; i < sizeof modes / sizeof modes[0]; ++i) {
    memset(x, 0, b->n * sizeof *x);
    x[modes[i].mode] = 1.0;
    const double gamma = 4.0 * htz_bending_look(b, htz_kernels_select(), &scratch, x, NULL) / (12.0 * (1.0 - 0.33 * 0.33));
    print_message("mode %zu: Gamma %.3f, by the literature %.2f\n", modes[i].mode, gamma, modes[i].gamma);
    check_close(gamma, modes[i].gamma, within);
  }
  htz_arena_free(&arena);
}

/** And the plate moves by it: (2, 0) alone, which hardly drives others, against the elliptic integral of Duffing's oscillator. */
static void a_mode_goes_sharp_by_the_elliptic_integral(void** state) {
  static const double heights[] = {0.1, 0.5, 1.0, 2.0};
  static const double within = 0.02; // of the rise of frequency: modes that it drives, at two thicknesses 2 %
  (void)state;
  for (size_t i = 0; i < sizeof heights / sizeof heights[0]; ++i) {
    rig r;
    double phi[HTZ_DISC_MODES_MAX];
    build(&r, rate_hz, 0.0, 80, 0.0);
    const size_t k = HTZ_DISC_RIGID_MODES;
    r.modes.shape_xy(&r.modes, 1.0, 0.5, phi);
    const double a = heights[i] * thickness / phi[k];
    htz_modal_q(r.modal)[k] = a;
    assert_false(htz_modal_is_linear(r.modal));
    const double v = htz_modal_internal(r.modal).booked, m = r.modes.mass[k], w2 = pow(r.modes.omega[k], 2.0);
    const double cubic = 4.0 * v / (m * a * a); // b a^2 of q'' + w^2 q + b q^3
    const double wanted = pi / 2.0 * sqrt(1.0 + cubic / w2) / elliptic(0.5 * cubic / (w2 + cubic));
    const double ratio = sharpened(&r, k, 20);
    print_message("(2, 0) at %.1f thicknesses: %.5f times as fast, by elliptic integral %.5f\n", heights[i], ratio, wanted);
    check_close(ratio - 1.0, wanted - 1.0, within);
    htz_arena_free(&r.arena);
  }
}

/** Displacement at the rim through 30 ms; how far two runs are apart, relative to the greatest. */
static void trace(double rate, size_t coupled, double rise, double height, double* out, size_t n) {
  rig r;
  build(&r, rate, rise, coupled, 0.0);
  bend(&r, height);
  assert_false(htz_modal_is_linear(r.modal));
  const size_t each = (size_t)(rate / 24000.0);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < each; ++j) {
      r.body->cls->commit(r.body, 0, 0, NULL, NULL);
    }
    out[i] = r.body->cls->displacement(r.body, 1);
  }
  htz_arena_free(&r.arena);
}

static double apart(size_t n, const double* a, const double* b) {
  double most = 0.0, size = 0.0;
  for (size_t i = 0; i < n; ++i) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(b[i]));
  }
  return most / size;
}

/** Against twice the modes and four times the rate, at moderate amplitude, before chaos. */
static void it_converges(void** state) {
  enum { SAMPLES = 720 };
  static const double rises[] = {0.0, 5.0};
  double coarse[SAMPLES], finer[SAMPLES], reference[SAMPLES], modes[SAMPLES];
  (void)state;
  for (size_t i = 0; i < 2; ++i) {
    trace(rate_hz, 40, rises[i], 1.0, coarse, SAMPLES);
    trace(2.0 * rate_hz, 40, rises[i], 1.0, finer, SAMPLES);
    trace(4.0 * rate_hz, 40, rises[i], 1.0, modes, SAMPLES);
    trace(4.0 * rate_hz, 80, rises[i], 1.0, reference, SAMPLES);
    const double first = apart(SAMPLES, coarse, modes), second = apart(SAMPLES, finer, modes),
                 all = apart(SAMPLES, coarse, reference);
    print_message("rise %.0f: 48 kHz off by %.1e, 96 kHz by %.1e, 40 modes at 48 kHz against 80 at 192 kHz by %.1e\n", rises[i],
                  first, second, all);
    check_below(all, 0.05);
  }
}

typedef struct {
  htz_network* net;
  htz_body* mallet;
} struck;

static void throw_at(rig* r, struck* s, double speed, double stiffness) {
  const htz_mass_desc desc = {.mass = 0.015};
  assert_int_equal(htz_mass_new(&desc, rate_hz, &r->arena, &s->mallet), HTZ_OK);
  htz_body* bodies[2] = {s->mallet, r->body};
  htz_contact_desc contact = {.body_a = 0, .body_b = 1, .direction = 1.0, .gap = 1e-4, .enabled = true};
  contact.law = (htz_law){&htz_law_hunt_crossley, {stiffness, 1.5, 0.3}};
  assert_int_equal(htz_network_new(2, bodies, 1, &contact, rate_hz, &r->arena, &s->net), HTZ_OK);
  s->mallet->cls->set_motion(s->mallet, 0.0, speed);
}

static double booked(const rig* r) {
  return htz_modal_internal(r->modal).booked;
}

/** A stick thrown hard and soft at the rim, with losses: what goes in besides is booked, and nothing else makes the sum rise. */
static void strokes_only_lose(void** state) {
  static const double speeds[] = {0.02, 1.0, 8.0, 40.0};
  static const double rises[] = {0.0, 10.0};
  (void)state;
  for (size_t i = 0; i < 2; ++i) {
    for (size_t j = 0; j < sizeof speeds / sizeof speeds[0]; ++j) {
      rig r;
      struck s;
      build(&r, rate_hz, rises[i], 60, 0.3);
      throw_at(&r, &s, speeds[j], 4e7);
      const double start = htz_network_energy(s.net);
      double last = start, rise = 0.0;
      for (size_t n = 0; n < (size_t)(0.3 * rate_hz); ++n) {
        htz_network_step(s.net);
        const double now = htz_network_energy(s.net) - booked(&r);
        rise = fmax(rise, now - last);
        last = now;
      }
      print_message("rise %2.0f, %5.2f m/s: the sum never rose by more than %.1e of it, %.0f %% are left; coarse %.2g\n",
                    rises[i], speeds[j], rise / start, 100.0 * last / start, htz_modal_internal(r.modal).coarse);
      check_below(rise / start, 1e-12);
      check_above(last, 0.0);
      assert_true(htz_network_account(s.net, 0)->closures > 0);
      assert_int_equal(htz_network_count(s.net)->unconverged, 0);
      htz_arena_free(&r.arena);
    }
  }
}

static void quiet_plates_run_as_linear_ones(void** state) {
  (void)state;
  for (int cap = 0; cap < 2; ++cap) {
    rig r;
    float out[HTZ_QUANTUM];
    build(&r, rate_hz, cap ? 5.0 : 0.0, 60, 8.0);
    bend(&r, 0.3);
    assert_false(htz_modal_is_linear(r.modal));
    int changes = 0;
    bool was = false;
    double at_change = 0.0, left = 0.0;
    for (int i = 0; i < 1500; ++i) {
      const double before = booked(&r);
      run(&r, out);
      const bool is = htz_modal_is_linear(r.modal);
      if (is != was) {
        ++changes;
        at_change = fabs(booked(&r) - before);
        left = energy(&r);
      }
      was = is;
    }
    print_message("%s: linear in the end, %.1e of its energy booked then\n", cap ? "cap" : "flat", at_change / left);
    assert_true(was);
    assert_int_equal(changes, 1);
    check_below(at_change / left, 1e-4);
    htz_arena_free(&r.arena);
  }
}

/** Quantum by quantum, sample by sample and in parts of samples a plate does the same; a driven one goes as one that is pushed. */
static void all_ways_lead_to_the_same(void** state) {
  enum { QUANTA = 40 };
  rig r[2];
  float out[HTZ_QUANTUM];
  (void)state;
  for (int i = 0; i < 2; ++i) {
    build(&r[i], rate_hz, 8.0, 60, 0.3);
    bend(&r[i], 1.0);
    assert_false(htz_modal_is_linear(r[i].modal));
  }
  r[1].body->cls->prepare(r[1].body, 1);
  for (int q = 0; q < QUANTA; ++q) {
    run(&r[0], out);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const unsigned level = q % 2 ? 1 : 0;
      for (unsigned part = 0; part < 1u << level; ++part) {
        r[1].body->cls->begin(r[1].body, level);
        r[1].body->cls->commit(r[1].body, level, 0, NULL, NULL);
      }
      check_near((double)out[i], htz_modal_hear(r[1].modal, 0), 1e-5 * (1.0 + fabs((double)out[i])));
    }
  }
  const double size = sqrt(energy(&r[0]));
  check_near(sqrt(energy(&r[1])), size, 1e-6 * size);
  for (int i = 0; i < 2; ++i) {
    htz_arena_free(&r[i].arena);
  }
  for (int i = 0; i < 2; ++i) {
    build(&r[i], rate_hz, 8.0, 60, 0.3);
  }
  for (int q = 0; q < QUANTA; ++q) {
    float drive[HTZ_QUANTUM];
    float* to[1] = {out};
    memset(out, 0, sizeof out);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      drive[i] = 20.0f * (float)sin(2.0 * pi * 180.0 * (double)((size_t)q * HTZ_QUANTUM + i) / rate_hz);
    }
    htz_modal_drive(r[0].modal, 0, drive, HTZ_QUANTUM, to);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const size_t point = 0;
      const double force = (double)drive[i];
      r[1].body->cls->commit(r[1].body, 0, 1, &point, &force);
    }
  }
  check_above(fabs(htz_modal_internal(r[0].modal).potential) / energy(&r[0]), 1e-3); // it is far from linear
  check_close(energy(&r[0]), energy(&r[1]), 1e-2);
  for (int i = 0; i < 2; ++i) {
    htz_arena_free(&r[i].arena);
  }
}

static void state_is_saved_and_restored(void** state) {
  rig r;
  float out[HTZ_QUANTUM];
  double u[2];
  (void)state;
  build(&r, rate_hz, 5.0, 60, 0.1);
  bend(&r, 2.0);
  assert_false(htz_modal_is_linear(r.modal));
  run(&r, out);
  double* kept = calloc(htz_modal_state_size(r.modal), sizeof *kept);
  assert_non_null(kept);
  htz_modal_save(r.modal, kept);
  for (int again = 0; again < 2; ++again) {
    htz_modal_restore(r.modal, kept);
    for (int i = 0; i < 30; ++i) {
      run(&r, out);
    }
    u[again] = r.body->cls->displacement(r.body, 0) + (double)out[7];
  }
  assert_true(u[0] == u[1]);
  free(kept);
  htz_arena_free(&r.arena);
}

static void retuned_it_is_booked(void** state) {
  rig r;
  (void)state;
  build(&r, rate_hz, 5.0, 60, 0.0);
  bend(&r, 1.0);
  assert_false(htz_modal_is_linear(r.modal));
  for (int i = 0; i < 300; ++i) {
    r.body->cls->commit(r.body, 0, 0, NULL, NULL);
    const double before = energy(&r), was = booked(&r);
    htz_modal_retune(r.modal, 1.0 + 1e-4 * (double)(i % 50), 1.0, false);
    check_near(energy(&r), before + booked(&r) - was, 1e-11 * before);
  }
  htz_arena_free(&r.arena);
}

/** Whatever the rate, the amplitude and the plate: finite, and with no more energy than it was given. */
static void nothing_runs_away(void** state) {
  static const double rates[] = {8000.0, 44100.0, 192000.0};
  static const double rises[] = {0.0, 1.0, 40.0};
  static const size_t coupled[] = {4, 30, 100};
  static const double heights[] = {1e-6, 1.0, 30.0, 1000.0};
  float out[HTZ_QUANTUM];
  (void)state;
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    for (size_t j = 0; j < sizeof rises / sizeof rises[0]; ++j) {
      for (size_t c = 0; c < sizeof coupled / sizeof coupled[0]; ++c) {
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; ++h) {
          rig r;
          build(&r, rates[i], rises[j], coupled[c], 0.1);
          for (size_t k = 0; k < r.modes.n; ++k) {
            htz_modal_q(r.modal)[k] = heights[h] * thickness / (double)(k + 1) * (k % 2 ? 1.0 : -1.0);
          }
          htz_modal_is_linear(r.modal);
          const double start = energy(&r) - booked(&r);
          for (int q = 0; q < 60; ++q) {
            run(&r, out);
            assert_true(isfinite(out[HTZ_QUANTUM - 1]));
            check_below(energy(&r) - booked(&r), start * (1.0 + 1e-9) + 1e-9 * fabs(booked(&r)));
          }
          htz_arena_free(&r.arena);
        }
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_is_kept),
      cmocka_unit_test(backbones_are_the_literatures),
      cmocka_unit_test(a_mode_goes_sharp_by_the_elliptic_integral),
      cmocka_unit_test(it_converges),
      cmocka_unit_test(strokes_only_lose),
      cmocka_unit_test(quiet_plates_run_as_linear_ones),
      cmocka_unit_test(all_ways_lead_to_the_same),
      cmocka_unit_test(state_is_saved_and_restored),
      cmocka_unit_test(retuned_it_is_booked),
      cmocka_unit_test(nothing_runs_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
