/*
   A pickup that hears the pressure at an ear: from weights to samples, ringing freely and driven.
*/
#include "check.h"

#include "hertzian/model/bodies.h"

#include <complex.h>
#include <math.h>

static const double pi = 3.14159265358979323846;
static const double rate_hz = 48000.0;
static const double corner_hz = 1000.0;

enum { MODES = 3 };
static const double hz[MODES] = {180.0, 950.0, 4100.0}, sigma[MODES] = {4.0, 12.0, 60.0}, mass[MODES] = {0.2, 0.3, 0.1};
static const double re[MODES] = {0.4, -0.2, 0.1}, im[MODES] = {-0.1, 0.3, 0.25};

typedef struct {
  htz_arena arena;
  htz_modes modes;
  htz_modal* body;
} rig;

static void open_rig(rig* r) {
  htz_arena_measure(&r->arena);
  assert_int_equal(htz_modes_list(MODES, hz, sigma, mass, 0, NULL, &r->arena, &r->modes), HTZ_OK);
  assert_int_equal(htz_modal_new(&r->modes, 1, 1, rate_hz, htz_kernels_select(), &r->arena, &r->body), HTZ_OK);
  htz_modal_listen_ear(r->body, 0, re, im, 2.0, corner_hz);
}

/** Let go from q = 1, mode after mode: 2 Re[(A + iB) s^2 Q e^{st}], s = -sigma + i omega_d, up to 2 sigma/omega of the phase's part. */
static void a_ringing_mode_has_its_level_and_phase(void** state) {
  (void)state;
  for (size_t k = 0; k < MODES; ++k) {
    rig r;
    open_rig(&r);
    htz_modal_q(r.body)[k] = 1.0;
    const double w = 2.0 * pi * hz[k];
    const double complex s = -sigma[k] + I * sqrt(w * w - sigma[k] * sigma[k]);
    const double complex q = 1.0 + I * (creal(s) / cimag(s)); // Re q = 1, Re s q = 0
    float out[4][HTZ_QUANTUM] = {{0.0F}};
    for (size_t quantum = 0; quantum < 4; ++quantum) {
      float* pickups[1] = {out[quantum]};
      htz_modal_free_quantum(r.body, pickups);
    }
    for (size_t i = 0; i < (size_t)4 * HTZ_QUANTUM; ++i) {
      const double t = (double)(i + 1) / rate_hz;
      const double expected = 2.0 * creal((re[k] + I * im[k]) * s * s * q * cexp(s * t));
      const double allowed = 2.0 * w * w * fabs(im[k]) * 2.0 * sigma[k] / w + 1e-6 * w * w;
      check_near((double)out[i / HTZ_QUANTUM][i % HTZ_QUANTUM], expected, allowed);
    }
    htz_arena_free(&r.arena);
  }
}

/** Driven steadily at `drive_hz`: complex amplitude of what is heard per newton. All ways to hear it must agree. */
static double complex driven(double drive_hz) {
  enum { QUANTA = 3000 };
  rig r, sampled, single;
  open_rig(&r);
  open_rig(&single);
  open_rig(&sampled);
  const double w = 2.0 * pi * drive_hz;
  double complex sum = 0.0;
  size_t frame = 0, counted = 0;
  for (size_t quantum = 0; quantum < QUANTA; ++quantum) {
    float drive[HTZ_QUANTUM], out[HTZ_QUANTUM] = {0.0F}, alone[HTZ_QUANTUM] = {0.0F};
    const float* drives[1] = {drive};
    float* pickups[1] = {out};
    float* of_single[1] = {alone};
    for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
      drive[i] = (float)cos(w * ((double)(frame + i) - 0.5) / rate_hz); // held over the sample: the force of its middle
    }
    htz_modal_drive_points(r.body, 1, drives, HTZ_QUANTUM, pickups);
    htz_modal_drive(single.body, 0, drive, HTZ_QUANTUM, of_single);
    for (size_t i = 0; i < HTZ_QUANTUM; ++i, ++frame) {
      const size_t point = 0;
      const double f = (double)drive[i];
      htz_body* body = htz_modal_body(sampled.body);
      body->cls->commit(body, 0, 1, &point, &f);
      check_near(htz_modal_hear_driven(sampled.body, 0, 1, &f), (double)out[i], 1e-4);
      check_near((double)alone[i], (double)out[i], 1e-4);
      if (quantum >= QUANTA / 2) {
        sum += 2.0 * (double)out[i] * cexp(-I * w * (double)frame / rate_hz);
        ++counted;
      }
    }
  }
  htz_arena_free(&r.arena);
  htz_arena_free(&sampled.arena);
  htz_arena_free(&single.arena);
  return sum / (double)counted;
}

/** What it should be: the modes' own response, -omega^2 A q - (2 sigma A + omega B) i w q, and the low-passed sum of A/m. */
static double complex theory(double drive_hz, double* parts) {
  const double w = 2.0 * pi * drive_hz;
  double direct = 0.0;
  double complex sum = 0.0;
  for (size_t k = 0; k < MODES; ++k) {
    const double own = 2.0 * pi * hz[k];
    const double complex q = 1.0 / (mass[k] * (own * own - w * w + 2.0 * I * sigma[k] * w));
    sum -= (own * own * re[k] + (2.0 * sigma[k] * re[k] + own * im[k]) * I * w) * q;
    direct += re[k] / mass[k];
  }
  *parts = 2.0 * (cabs(sum) + fabs(direct));
  const double share = -expm1(-2.0 * pi * corner_hz / rate_hz);
  const double complex late = cexp(-I * w / rate_hz);
  // The force of the middle of the sample that the low-pass has taken in when it is over.
  return 2.0 * (sum + direct * share / (1.0 - (1.0 - share) * late) * cexp(-0.5 * I * w / rate_hz));
}

static void a_driven_body_adds_what_forces_do_at_once(void** state) {
  (void)state;
  static const double at[] = {31.0, 180.0, 500.0, 1210.0, 3000.0};
  for (size_t i = 0; i < sizeof at / sizeof at[0]; ++i) {
    double parts; // of which it is the difference at low frequencies
    const double complex expected = theory(at[i], &parts);
    const double hold = 1.0 - pow(pi * at[i] / rate_hz, 2.0) / 6.0; // sinc of the sample the force is held over
    // A force in steps has images at the rate and its multiples; of the velocities they make w T^2/12 F/m, taken at the steps.
    double images = 0.0;
    for (size_t k = 0; k < MODES; ++k) {
      images += 2.0 * 2.0 * pi * hz[k] * fabs(im[k]) / mass[k] * 2.0 * pi * at[i] / (12.0 * rate_hz * rate_hz);
    }
    // 2 s before: e^{-4 2} = 3e-4
    check_near(cabs(driven(at[i]) - expected), 0.0, (1.0 - hold + 5e-4) * parts + images);
  }
}

/** A weight on it, once all is still, makes no sound. */
static void a_steady_force_is_not_heard(void** state) {
  (void)state;
  rig r;
  open_rig(&r);
  const double f = 5.0;
  const size_t point = 0;
  htz_body* body = htz_modal_body(r.body);
  double last = 1.0;
  for (size_t i = 0; i < (size_t)(6.0 * rate_hz); ++i) {
    body->cls->commit(body, 0, 1, &point, &f);
    last = htz_modal_hear_driven(r.body, 0, 1, &f);
  }
  check_near(last, 0.0, 1e-8); // e^{-4 6} of 80
  // Let go, all that it gives from now on adds up to what is promised.
  const double promised = htz_modal_left_over(r.body, 0);
  double sum = 0.0;
  for (size_t i = 0; i < (size_t)(6.0 * rate_hz); ++i) {
    const double none = 0.0;
    body->cls->commit(body, 0, 1, &point, &none);
    sum += htz_modal_hear_driven(r.body, 0, 1, &none) / rate_hz;
  }
  check_near(sum, promised, 2e-3 * fabs(promised) + 80.0 / rate_hz); // a sum in place of an integral, off by half a sample
  htz_body* at_rest = htz_modal_body(r.body);
  at_rest->cls->reset(at_rest);
  assert_true(htz_modal_left_over(r.body, 0) == 0.0 && htz_modal_hear(r.body, 0) == 0.0);
  htz_arena_free(&r.arena);
}

/** A force has ended: what the ear still hears of it falls by the share of the low-pass in each sample, to nothing. */
static void what_forces_added_fades(void** state) {
  (void)state;
  rig r;
  open_rig(&r);
  double direct = 0.0, share;
  for (size_t k = 0; k < MODES; ++k) {
    direct += 2.0 * re[k] / mass[k];
  }
  check_close(htz_modal_ear_direct(r.body, 0, 0, &share), direct, 1e-12);
  check_close(share, 1.0 - exp(-2.0 * pi * corner_hz / rate_hz), 1e-12);
  htz_modal_lift_ear(r.body, 0, 0.5);
  float out[4 * HTZ_QUANTUM] = {0.0F};
  htz_modal_fade_ear(r.body, 0, 3.0, (size_t)4 * HTZ_QUANTUM, out);
  for (size_t i = 0; i < (size_t)4 * HTZ_QUANTUM; ++i) {
    check_near((double)out[i], 1.5 * exp(-2.0 * pi * corner_hz * (double)(i + 1) / rate_hz), 1e-7);
  }
  assert_true(out[4 * HTZ_QUANTUM - 1] == 0.0F);
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ringing_mode_has_its_level_and_phase),
      cmocka_unit_test(a_driven_body_adds_what_forces_do_at_once),
      cmocka_unit_test(what_forces_added_fades),
      cmocka_unit_test(a_steady_force_is_not_heard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
