// A body seen ahead, and what pushes change of that, against its steps one by one.
#include "check.h"

#include "hertzian/model/bodies.h"

#include <math.h>

enum { MODES = 21, POINTS = 3, RUN = HTZ_QUANTUM };

static const double rate_hz = 48000.0;

typedef struct {
  htz_arena arena;
  htz_modes modes;
  htz_modal* body;
  htz_modal_ahead ahead;
} rig;

/** The lowest mode does not swing, the others go up to 15 kHz. */
static void make(rig* r) {
  double hz[MODES], sigma[MODES], mass[MODES];
  *r = (rig){0};
  assert_int_equal(htz_arena_init(&r->arena, 4 << 20), HTZ_OK);
  for (size_t k = 0; k < MODES; ++k) {
    hz[k] = 40.0 + 750.0 * (double)k;
    sigma[k] = 3.0 + 20.0 * (double)k;
    mass[k] = 0.1 + 0.01 * (double)k;
  }
  sigma[0] = 500.0;
  assert_int_equal(htz_modes_list(MODES, hz, sigma, mass, 1, NULL, &r->arena, &r->modes), HTZ_OK);
  assert_int_equal(htz_modal_new(&r->modes, POINTS, 0, rate_hz, htz_kernels_select(), &r->arena, &r->body), HTZ_OK);
  assert_int_equal(htz_modal_ahead_new(r->body, POINTS, &r->arena, &r->ahead), HTZ_OK);
}

static double force_at(size_t point, size_t frame) {
  return frame % (point + 2) == 0 ? cos((double)(frame * (point + 1))) : 0.0;
}

/**
   In single precision: each of the modes, and each of the pushes so far, is off by some 2^-24 of what it gives, whose sum is the largest
   displacement a few times over.
*/
static void what_is_seen_is_what_steps_give(rig* r) {
  static const double share = 1e-5;
  htz_body* body = htz_modal_body(r->body);
  const size_t points[POINTS] = {0, 1, 2};
  double at[RUN][POINTS], largest = 0.0;
  assert_true(htz_modal_ahead_fits(r->body, &r->ahead));
  htz_modal_ahead_see(r->body, &r->ahead, RUN);
  for (size_t f = 0; f < RUN; ++f) {
    double force[POINTS];
    for (size_t p = 0; p < POINTS; ++p) {
      force[p] = force_at(p, f);
    }
    body->cls->commit(body, 0, POINTS, points, force);
    for (size_t p = 0; p < POINTS; ++p) {
      at[f][p] = body->cls->displacement(body, p);
      largest = fabs(at[f][p]) > largest ? fabs(at[f][p]) : largest;
    }
  }
  for (size_t f = 0; f < RUN; ++f) {
    float push[POINTS];
    for (size_t p = 0; p < POINTS; ++p) {
      double here = (double)r->ahead.seen[p * HTZ_ANSWER + f];
      for (size_t q = 0; q < POINTS; ++q) {
        here += body->cls->compliance(body, 0, p, q) * force_at(q, f);
      }
      push[p] = (float)force_at(p, f);
      check_near(here, at[f][p], share * largest);
    }
    htz_modal_kernels(r->body)->respond(POINTS, RUN - 1 - f, r->ahead.response, push, r->ahead.seen + f + 1);
  }
}

static void a_body_is_seen_ahead(void** state) {
  (void)state;
  rig r;
  make(&r);
  assert_false(htz_modal_ahead_fits(r.body, &r.ahead));
  htz_modal_ahead_derive(r.body, &r.ahead);
  for (size_t run = 0; run < 3; ++run) {
    what_is_seen_is_what_steps_give(&r); // at rest, and from where the last run left it
  }
  htz_arena_free(&r.arena);
}

static void what_changes_the_steps_makes_it_stale(void** state) {
  (void)state;
  rig r;
  make(&r);
  htz_modal_ahead_derive(r.body, &r.ahead);
  what_is_seen_is_what_steps_give(&r);
  htz_modal_damp(r.body, 40.0);
  assert_false(htz_modal_ahead_fits(r.body, &r.ahead));
  htz_modal_ahead_derive(r.body, &r.ahead);
  what_is_seen_is_what_steps_give(&r);
  htz_modal_retune(r.body, 1.1, 2.0, false);
  assert_false(htz_modal_ahead_fits(r.body, &r.ahead));
  htz_modal_ahead_derive(r.body, &r.ahead);
  what_is_seen_is_what_steps_give(&r);
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_body_is_seen_ahead),
                                     cmocka_unit_test(what_changes_the_steps_makes_it_stale)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
