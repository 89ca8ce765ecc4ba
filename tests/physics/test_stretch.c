// Tension that grows with stretching (Kirchhoff and Carrier): pitch against amplitude by closed forms, energy, order, quiet strings.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

// A steel guitar string, 0.25 mm: EA = 2e11 Pa times its section.
static const double length = 0.65, tension = 70.0, density = 3.85e-4, stretch = 9.8e3;

static const double glide_limit = 0.02;   // relative: what the scheme promises of the glide
static const double ledger_limit = 1e-9;  // relative to the energy that was put in
static const double energy_limit = 1e-10; // of a string alone: rounding of some 1e5 turns, each of some 1e-16
static const double coarse_limit = 0.05;  // htz_internal_account

enum { POINTS = 3 };

typedef struct {
  htz_arena arena;
  htz_modes modes;
  htz_modal* modal;
  htz_body* body;
  double rate_hz;
} rig;

static void build(rig* r, double rate_hz, size_t partials, double stiff, double ea, double sigma) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, (size_t)8 << 20), HTZ_OK);
  const htz_string_desc desc = {.length = length,
                                .tension = tension,
                                .lin_density = density,
                                .inharmonicity = stiff,
                                .stretch = ea,
                                .loss = {.loss0 = sigma}};
  r->rate_hz = rate_hz;
  assert_int_equal(htz_modes_string(&desc, 20000.0, partials, &r->arena, &r->modes), HTZ_OK);
  assert_int_equal(htz_modal_new(&r->modes, POINTS, 1, rate_hz, htz_kernels_select(), &r->arena, &r->modal), HTZ_OK);
  r->body = htz_modal_body(r->modal);
}

/** The shape of a string pulled out by `height` at `at` and let go. */
static void pluck(rig* r, double height, double at) {
  for (size_t k = 0; k < r->modes.n; ++k) {
    const double n = (double)(k + 1);
    htz_modal_q(r->modal)[k] = 2.0 * height * sin(n * pi * at) / (n * n * pi * pi * at * (1.0 - at));
  }
}

static void step(rig* r) {
  r->body->cls->commit(r->body, 0, 0, NULL, NULL);
}

static double energy(const rig* r) {
  return r->body->cls->energy(r->body);
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

static double fundamental_hz(void) {
  return sqrt(tension / density) / (2.0 * length);
}

/** q'' + w^2 q + b q^3 = 0 started at rest from `amplitude`: b = EA pi^4/(8 L^3 m) with m = mu L/2. */
static double duffing_hz(double amplitude) {
  const double w = 2.0 * pi * fundamental_hz();
  const double b = stretch * pow(pi, 4.0) / (4.0 * density * pow(length, 4.0)) * amplitude * amplitude;
  return sqrt(w * w + b) / (4.0 * elliptic(0.5 * b / (w * w + b)));
}

/** Frequency from upward zero crossings of mode k over `samples`. */
static double crossings_hz(rig* r, size_t k, size_t samples) {
  double last = htz_modal_q(r->modal)[k], first_at = -1.0, last_at = -1.0;
  size_t periods = 0;
  for (size_t i = 1; i <= samples; ++i) {
    step(r);
    const double now = htz_modal_q(r->modal)[k];
    if (last < 0.0 && now >= 0.0) {
      last_at = (double)i - now / (now - last);
      periods += first_at >= 0.0;
      first_at = first_at < 0.0 ? last_at : first_at;
    }
    last = now;
  }
  return r->rate_hz * (double)periods / (last_at - first_at);
}

static double in_cents(double ratio) {
  return 1200.0 * log2(ratio);
}

static void one_mode_is_duffings_oscillator(void** state) {
  static const double rates[] = {8000.0, 22050.0, 44100.0, 48000.0, 96000.0, 192000.0};
  static const double amplitudes[] = {1e-3, 5e-3, 1e-2, 3e-2};
  (void)state;
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    for (size_t a = 0; a < sizeof amplitudes / sizeof amplitudes[0]; ++a) {
      rig r;
      build(&r, rates[i], 1, 0.0, stretch, 0.0);
      htz_modal_q(r.modal)[0] = amplitudes[a];
      assert_false(htz_modal_is_linear(r.modal));
      const double before = energy(&r);
      const double glide = in_cents(crossings_hz(&r, 0, (size_t)rates[i]) / fundamental_hz());
      const double theory = in_cents(duffing_hz(amplitudes[a]) / fundamental_hz());
      print_message("%6.0f Hz, %2.0f mm: %8.4f cents, by elliptic integral %8.4f\n", rates[i], 1e3 * amplitudes[a], glide,
                    theory);
      check_close(glide, theory, glide_limit);
      check_below(fabs(energy(&r) / before - 1.0), energy_limit);
      htz_arena_free(&r.arena);
    }
  }
}

/** Phase of mode k, counted on, so that its mean slope is its frequency. */
static double mean_hz(rig* r, size_t k, size_t samples) {
  const double w = 2.0 * pi * fundamental_hz() * (double)(k + 1);
  double turned = 0.0;
  double complex before = 0.0;
  for (size_t i = 0; i <= samples; ++i) {
    const double complex now = htz_modal_q(r->modal)[k] - I * htz_modal_v(r->modal)[k] / w;
    turned += i ? carg(now * conj(before)) : 0.0;
    before = now;
    if (i < samples) {
      step(r);
    }
  }
  return turned * r->rate_hz / (2.0 * pi * (double)samples);
}

/**
   Small rises of tension, to first order: every mode k goes with the mean of it, EA/(2 L) sum_j bend_j a_j^2/2, and with half of what it
   makes itself besides, a_j the amplitudes: omega shifts by 1/(2 T) of that.
*/
static double first_order_cents(const rig* r, size_t k, const double* amplitude) {
  double s = 0.25 * r->modes.bend[k] * amplitude[k] * amplitude[k];
  for (size_t j = 0; j < r->modes.n; ++j) {
    s += 0.5 * r->modes.bend[j] * amplitude[j] * amplitude[j];
  }
  return 600.0 / log(2.0) * stretch * s / (2.0 * length * tension);
}

static void plucked_strings_glide_by_theory(void** state) {
  static const double rates[] = {24000.0, 44100.0, 48000.0, 96000.0, 192000.0};
  static const size_t partials[] = {0, 1, 4};
  (void)state;
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    for (size_t p = 0; p < sizeof partials / sizeof partials[0]; ++p) {
      rig r;
      double start[64];
      build(&r, rates[i], 25, 0.0, stretch, 0.0);
      pluck(&r, 2e-3, 0.28);
      memcpy(start, htz_modal_q(r.modal), r.modes.n * sizeof(double));
      assert_false(htz_modal_is_linear(r.modal));
      const double before = energy(&r);
      const size_t k = partials[p];
      const double glide = in_cents(mean_hz(&r, k, (size_t)rates[i]) / (fundamental_hz() * (double)(k + 1)));
      const double theory = first_order_cents(&r, k, start);
      print_message("%6.0f Hz, partial %zu: %.4f cents, to first order %.4f\n", rates[i], k + 1, glide, theory);
      check_close(glide, theory, glide_limit);
      check_below(fabs(energy(&r) / before - 1.0), energy_limit);
      const htz_internal_account a = htz_modal_internal(r.modal);
      check_below(a.coarse, coarse_limit);
      htz_arena_free(&r.arena);
    }
  }
}

static void high_partials_go_with_the_tension(void** state) {
  static const size_t partials[] = {9, 24, 44};
  (void)state;
  for (size_t p = 0; p < sizeof partials / sizeof partials[0]; ++p) {
    rig r;
    double start[64] = {5e-3};
    const size_t k = partials[p];
    build(&r, 48000.0, 50, 0.0, stretch, 0.0);
    start[k] = 1e-7;
    memcpy(htz_modal_q(r.modal), start, r.modes.n * sizeof(double));
    assert_false(htz_modal_is_linear(r.modal));
    // Past first order: a rise of the tension by 1 % on the mean leaves 0.5 % of the logarithm out.
    const double glide = in_cents(mean_hz(&r, k, 48000) / (fundamental_hz() * (double)(k + 1)));
    const double theory = first_order_cents(&r, k, start);
    print_message("partial %zu at %.0f Hz beside a large fundamental: %.4f cents, to first order %.4f\n", k + 1,
                  fundamental_hz() * (double)(k + 1), glide, theory);
    check_close(glide, theory, glide_limit);
    htz_arena_free(&r.arena);
  }
}

static void the_glide_decays_as_the_energy(void** state) {
  enum { RATE = 48000, WINDOW = 4687 }; // 32 periods: within one the phase of a mode that decays turns unevenly
  const double sigma = 1.5;
  (void)state;
  rig r;
  double start[64];
  build(&r, RATE, 40, 0.0, stretch, sigma);
  pluck(&r, 3e-3, 0.28);
  memcpy(start, htz_modal_q(r.modal), r.modes.n * sizeof(double));
  assert_false(htz_modal_is_linear(r.modal));
  const double first = first_order_cents(&r, 0, start);
  double last_energy = energy(&r);
  for (int window = 0; window < 10; ++window) {
    const double from = (double)window * WINDOW / RATE, to = from + (double)WINDOW / RATE;
    const double glide = in_cents(mean_hz(&r, 0, WINDOW) / fundamental_hz());
    // The mean of exp(-2 sigma t) over the window.
    const double theory = first * (exp(-2.0 * sigma * from) - exp(-2.0 * sigma * to)) / (2.0 * sigma * (to - from));
    print_message("%.1f s: %.4f cents, theory %.4f\n", from, glide, theory);
    check_near(glide, theory, glide_limit * theory + 0.001);
    check_below(energy(&r), last_energy);
    last_energy = energy(&r);
  }
  htz_arena_free(&r.arena);
}

/** Where the string is at point 0 after 20 ms. */
static double at_20_ms(double rate_hz) {
  rig r;
  build(&r, rate_hz, 12, 1e-4, stretch, 0.0);
  htz_modal_place(r.modal, 0, 0.37);
  pluck(&r, 8e-3, 0.28);
  assert_false(htz_modal_is_linear(r.modal));
  for (long i = 0; i < lrint(0.02 * rate_hz); ++i) {
    step(&r);
  }
  const double u = r.body->cls->displacement(r.body, 0);
  htz_arena_free(&r.arena);
  return u;
}

static void converges_in_the_second_order(void** state) {
  (void)state;
  const double exact = at_20_ms(1536000.0);
  double last = 0.0;
  for (double rate = 24000.0; rate <= 96000.0; rate *= 2.0) {
    const double error = fabs(at_20_ms(rate) - exact);
    print_message("%6.0f Hz: off by %.3g m\n", rate, error);
    if (last > 0.0) {
      check_near(log2(last / error), 2.0, 0.3);
    }
    last = error;
  }
}

/** A string struck and plucked hard, in a network with a wall under it. */
static void hard_strokes_close_the_ledger(void** state) {
  static const double rates[] = {8000.0, 44100.0, 192000.0};
  (void)state;
  for (size_t i = 0; i < sizeof rates / sizeof rates[0]; ++i) {
    rig r;
    htz_body* bodies[4];
    htz_network* net;
    build(&r, rates[i], 60, 1e-4, stretch, 0.0);
    bodies[0] = r.body;
    htz_modal_place(r.modal, 0, 0.12);
    htz_modal_place(r.modal, 1, 0.83);
    htz_modal_place(r.modal, 2, 0.5);
    const htz_mass_desc hammer = {.mass = 8e-3, .stiffness = 60.0};
    assert_int_equal(htz_mass_new(&hammer, rates[i], &r.arena, &bodies[1]), HTZ_OK);
    assert_int_equal(htz_barrier_new(&r.arena, &bodies[2]), HTZ_OK);
    const htz_mass_desc screw = {.mass = 2e-4};
    assert_int_equal(htz_mass_new(&screw, rates[i], &r.arena, &bodies[3]), HTZ_OK);
    const htz_law hit = {&htz_law_hunt_crossley, {1e8, 2.0, 0.2}};
    const htz_contact_desc contacts[2] = {{hit, 1, 0, 0, 0, 1.0, 1e-3, true, false}, {hit, 0, 2, 2, 0, 1.0, 5e-3, true, false}};
    const htz_join_desc rigid = {.body_a = 0, .point_a = 1, .body_b = 3, .stiffness = 3e4, .enabled = true};
    bodies[1]->cls->set_motion(bodies[1], 0.0, 6.0);
    assert_int_equal(htz_network_new(4, bodies, 2, contacts, rates[i], &r.arena, &net), HTZ_OK);
    assert_int_equal(htz_network_add_joins(net, 1, &rigid, &r.arena), HTZ_OK);
    const double start = htz_network_energy(net);
    double worst = 0.0, pulled = 0.0, most = 0.0;
    for (long n = 0; n < lrint(rates[i]); ++n) {
      htz_network_step(net);
      double sum = htz_network_energy(net);
      for (size_t c = 0; c < 2; ++c) {
        sum += htz_network_account(net, c)->dissipated;
        const double force = htz_network_account(net, c)->force_mean;
        pulled = force < pulled ? force : pulled;
      }
      const double raised = htz_modal_internal(r.modal).tension / tension;
      most = raised > most ? raised : most;
      const double off = fabs(sum - start) / start;
      worst = off <= worst ? worst : off;
    }
    print_message("%6.0f Hz: ledger %.2g, tension up to %.2f of itself higher, closures %llu, coarse %.2g\n", rates[i], worst,
                  most, (unsigned long long)htz_network_count(net)->closures, htz_modal_internal(r.modal).coarse);
    check_above(most, 0.1); // the force did something
    check_below(worst, ledger_limit);
    assert_true(pulled >= 0.0);
    assert_true(htz_network_account(net, 1)->closures > 0);
    assert_int_equal(htz_network_count(net)->unconverged, 0);
    htz_arena_free(&r.arena);
  }
}

static void quiet_strings_run_as_linear_ones(void** state) {
  (void)state;
  rig r, linear;
  float heard[2][HTZ_QUANTUM];
  build(&r, 48000.0, 40, 1e-4, stretch, 0.5);
  build(&linear, 48000.0, 40, 1e-4, 0.0, 0.5);
  // 0.01 cent is a rise of tension of 1.155e-5: just above it at first.
  pluck(&r, 1.4e-4, 0.28);
  pluck(&linear, 1.4e-4, 0.28);
  htz_modal_listen(r.modal, 0, HTZ_HEAR_VELOCITY, 0.1, 1.0);
  htz_modal_listen(linear.modal, 0, HTZ_HEAR_VELOCITY, 0.1, 1.0);
  const double start = energy(&linear);
  int loud = 0, changes = 0;
  bool was = false;
  double most = 0.0, apart = 0.0;
  for (int quantum = 0; quantum < 1500; ++quantum) {
    memset(heard, 0, sizeof heard);
    float* to[2] = {heard[0], heard[1]};
    htz_modal_free_quantum(r.modal, &to[0]);
    htz_modal_free_quantum(linear.modal, &to[1]);
    const bool is = !htz_modal_is_linear(r.modal);
    changes += is != was;
    was = is;
    loud += is;
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      most = fabs((double)heard[1][i]) > most ? fabs((double)heard[1][i]) : most;
      const double off = fabs((double)heard[0][i] - (double)heard[1][i]);
      apart = off > apart ? off : apart;
    }
  }
  const htz_internal_account a = htz_modal_internal(r.modal);
  print_message("loud for %d quanta, apart by %.2g, booked %.2g of what it has\n", loud, apart / most, a.booked / start);
  assert_true(loud > 0);
  assert_int_equal(changes, 2); // taken up, left alone
  // 0.02 cent at the start for half a second are 1.2e-5 of 150 turns of the first partial, of the 40th forty times that.
  check_below(apart / most, 0.1);
  // What it takes up and leaves alone is half of the relative rise of the tension, of the energy then.
  check_below(fabs(a.booked) / start, 1e-5);
  htz_arena_free(&r.arena);
  htz_arena_free(&linear.arena);
}

/** Fed by a signal (a resonator, a shared body) it is what the same force makes of it step by step, and it is loud enough to glide. */
static void driven_ones_glide_too(void** state) {
  enum { QUANTA = 200 };
  double most = 0.0;
  (void)state;
  rig r[3];
  for (int i = 0; i < 3; ++i) {
    build(&r[i], 48000.0, 40, 1e-4, stretch, 0.5);
    htz_modal_place(r[i].modal, 0, 0.1);
    htz_modal_listen(r[i].modal, 0, HTZ_HEAR_VELOCITY, 0.3, 1.0);
    htz_modal_damp(r[i].modal, 1.0);
  }
  for (int quantum = 0; quantum < QUANTA; ++quantum) {
    float drive[HTZ_QUANTUM], heard[3][HTZ_QUANTUM];
    memset(heard, 0, sizeof heard);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      drive[i] = (float)sin(2.0 * pi * fundamental_hz() * (double)((size_t)quantum * HTZ_QUANTUM + i) / 48000.0);
    }
    float* to[3] = {heard[0], heard[1], heard[2]};
    const float* drives[1] = {drive};
    htz_modal_drive(r[0].modal, 0, drive, HTZ_QUANTUM, &to[0]);
    htz_modal_drive_points(r[1].modal, 1, drives, HTZ_QUANTUM, &to[1]);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      const size_t point = 0;
      const double force = (double)drive[i];
      r[2].body->cls->commit(r[2].body, 0, 1, &point, &force);
      heard[2][i] = (float)htz_modal_hear(r[2].modal, 0);
    }
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      most = fabs((double)heard[2][i]) > most ? fabs((double)heard[2][i]) : most;
    }
    // Until they were loud the driven ones ran as linear ones: 0.01 cent over some tenths of a second are some 1e-3 of the speed.
    for (int i = 0; i < 2; ++i) {
      check_near((double)heard[i][HTZ_QUANTUM - 1], (double)heard[2][HTZ_QUANTUM - 1], 5e-3 * most);
    }
  }
  for (int i = 0; i < 3; ++i) {
    check_above(htz_modal_internal(r[i].modal).tension / tension, 1e-3);
    check_close(energy(&r[i]), energy(&r[2]), 5e-3);
  }
  for (int i = 0; i < 3; ++i) {
    htz_arena_free(&r[i].arena);
  }
}

static void state_is_saved_and_restored(void** state) {
  (void)state;
  rig r;
  build(&r, 48000.0, 40, 1e-4, stretch, 0.0);
  pluck(&r, 3e-3, 0.28);
  assert_false(htz_modal_is_linear(r.modal));
  for (int i = 0; i < 100; ++i) {
    step(&r);
  }
  double* kept = calloc(htz_modal_state_size(r.modal), sizeof(double));
  assert_non_null(kept);
  htz_modal_save(r.modal, kept);
  double u[2];
  for (int again = 0; again < 2; ++again) {
    htz_modal_restore(r.modal, kept);
    for (int i = 0; i < 100; ++i) {
      step(&r);
    }
    u[again] = r.body->cls->displacement(r.body, 0);
  }
  assert_true(u[0] == u[1]);
  free(kept);
  htz_arena_free(&r.arena);
}

static void retuned_it_is_booked(void** state) {
  (void)state;
  rig r;
  build(&r, 48000.0, 40, 0.0, stretch, 0.0);
  pluck(&r, 3e-3, 0.28);
  assert_false(htz_modal_is_linear(r.modal));
  for (int i = 0; i < 1000; ++i) {
    step(&r);
    const double before = energy(&r), booked = htz_modal_internal(r.modal).booked;
    htz_modal_retune(r.modal, 1.0 + 1e-4 * (double)(i % 50), 1.0, false);
    const double came = htz_modal_internal(r.modal).booked - booked;
    check_near(energy(&r), before + came, 1e-12 * before);
  }
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_mode_is_duffings_oscillator),   cmocka_unit_test(plucked_strings_glide_by_theory),
      cmocka_unit_test(high_partials_go_with_the_tension), cmocka_unit_test(the_glide_decays_as_the_energy),
      cmocka_unit_test(converges_in_the_second_order),     cmocka_unit_test(hard_strokes_close_the_ledger),
      cmocka_unit_test(quiet_strings_run_as_linear_ones),  cmocka_unit_test(driven_ones_glide_too),
      cmocka_unit_test(state_is_saved_and_restored),       cmocka_unit_test(retuned_it_is_booked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
