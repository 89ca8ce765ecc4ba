// A hammer on several bodies at once, or several on one place of a body: the short cut for these gives what the general solver gives.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <math.h>

/*
   A hammer on three masses is solved as a star, and so are three hammers on one place of a body. The same system with one contact written
   from the other side (bodies exchanged, direction reversed) is not recognised as one and goes through the dense solver: both must give
   the same motion. Three hammers on three places are no star.
*/
enum { ARMS = 3, SAMPLES = 400, BYTES = 1 << 18 };
typedef enum { HAMMER_ON_THREE, THREE_ON_ONE_PLACE, THREE_ON_THREE_PLACES, KINDS } kind;

static const double rate_hz = 44100.0;

typedef struct {
  htz_arena arena;
  htz_modes modes;
  htz_body* bodies[ARMS + 1];
  htz_network* net;
  htz_network_audit audit;
} rig;

static void make_bodies(rig* r, kind k) {
  const bool one_hammer = k == HAMMER_ON_THREE;
  for (uint32_t i = 0; i < ARMS; ++i) {
    htz_mass_desc arm = {.mass = 0.002 * (i + 1)};
    if (one_hammer) {
      arm.stiffness = 2e5 * (i + 1);
      arm.damping = 0.01 * i;
    }
    assert_int_equal(htz_mass_new(&arm, rate_hz, &r->arena, &r->bodies[i]), HTZ_OK);
    if (!one_hammer) {
      r->bodies[i]->cls->set_motion(r->bodies[i], -1e-5, 2.0);
    }
  }
  if (one_hammer) {
    assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 0.008}, rate_hz, &r->arena, &r->bodies[ARMS]), HTZ_OK);
    r->bodies[ARMS]->cls->set_motion(r->bodies[ARMS], -1e-5, 2.0);
    return;
  }
  static const double hz[] = {180.0, 730.0}, sigma[] = {6.0, 20.0}, mass[] = {0.02, 0.03};
  const double other = k == THREE_ON_ONE_PLACE ? 0.7 : 0.2;
  const double phi[2 * ARMS] = {1.0, 0.7, 1.0, 0.7, 1.0, other};
  htz_modal* body;
  assert_int_equal(htz_modes_list(2, hz, sigma, mass, ARMS, phi, &r->arena, &r->modes), HTZ_OK);
  assert_int_equal(htz_modal_new(&r->modes, ARMS, 0, rate_hz, htz_kernels_select(), &r->arena, &body), HTZ_OK);
  for (size_t point = 0; point < ARMS; ++point) {
    htz_modal_place(body, point, (double)point / (ARMS - 1));
  }
  r->bodies[ARMS] = htz_modal_body(body);
}

static void set_up(rig* r, kind k, bool plain, double exponent, double viscosity) {
  const bool one_hammer = k == HAMMER_ON_THREE;
  assert_int_equal(htz_arena_init(&r->arena, BYTES), HTZ_OK);
  make_bodies(r, k);
  htz_contact_desc contacts[ARMS];
  const double stiffness = one_hammer ? 2e9 : 1e7; // so that three hammers are there together
  for (uint32_t i = 0; i < ARMS; ++i) {
    const bool hub_first = one_hammer != (plain && i == 1);
    contacts[i] = (htz_contact_desc){.law = {&htz_law_hunt_crossley, {stiffness * (ARMS - i), exponent, viscosity}},
                                     .body_a = hub_first ? ARMS : i,
                                     .body_b = hub_first ? i : ARMS,
                                     .direction = hub_first == one_hammer ? 1.0 : -1.0,
                                     .gap = 1e-6 * i,
                                     .enabled = true};
    *(hub_first ? &contacts[i].point_a : &contacts[i].point_b) = one_hammer ? 0 : i;
  }
  assert_int_equal(htz_network_new(ARMS + 1, r->bodies, ARMS, contacts, rate_hz, &r->arena, &r->net), HTZ_OK);
  htz_network_set_audit(r->net, &r->audit);
}

static void check_both(kind k, double exponent) {
  rig star = {0}, plain = {0};
  set_up(&star, k, false, exponent, 0.2);
  set_up(&plain, k, true, exponent, 0.2);
  const double energy = htz_network_energy(star.net);
  bool same_bits = true;
  for (int n = 0; n < SAMPLES; ++n) {
    htz_network_step(star.net);
    htz_network_step(plain.net);
    for (size_t b = 0; b <= ARMS; ++b) {
      const htz_body *x = star.bodies[b], *y = plain.bodies[b];
      const double v[2] = {x->cls->velocity(x, 0), y->cls->velocity(y, 0)};
      same_bits = same_bits && v[0] == v[1];
      // Both solve to 1e-13; a few hundred steps of a system that is not chaotic let this grow by a few hundred at most.
      assert_true(fabs(v[0] - v[1]) < 1e-10 * 2.0);
      assert_true(fabs(x->cls->displacement(x, 0) - y->cls->displacement(y, 0)) < 1e-10 * 1e-3);
    }
  }
  // An iteration of the dense solver does the same work, so the counts tell that both really took part.
  assert_true(htz_network_count(star.net)->closures >= ARMS);
  assert_int_equal(htz_network_count(star.net)->unconverged, 0);
  assert_int_equal(htz_network_count(star.net)->sweeps, 0);
  // Rounding tells that they took different ways where there is another.
  print_message("kind %d, exponent %g: same bits %d\n", k, exponent, same_bits);
  assert_int_equal(same_bits, k == THREE_ON_THREE_PLACES);
  // The design's limit for one step.
  assert_true(star.audit.gain_max <= 1e-12 * energy);
  htz_arena_free(&star.arena);
  htz_arena_free(&plain.arena);
}

static void star_and_dense_agree(void** state) {
  (void)state;
  const double exponents[] = {1.0, 1.5, 2.5, 3.2};
  for (kind k = HAMMER_ON_THREE; k < KINDS; ++k) {
    for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; ++e) {
      check_both(k, exponents[e]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(star_and_dense_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
