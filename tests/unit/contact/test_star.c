// A hammer on several bodies at once: the short cut for a unison gives what the general solver gives.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <math.h>

/*
   A hammer on three masses is solved as a star. The same system with one contact written from the other side (bodies exchanged,
   direction reversed) is not recognised as one and goes through the dense solver: both must give the same motion.
*/
enum { ARMS = 3, SAMPLES = 400, BYTES = 1 << 18 };

static const double rate_hz = 44100.0;

typedef struct {
  htz_arena arena;
  htz_body* bodies[ARMS + 1];
  htz_network* net;
  htz_network_audit audit;
} rig;

static void set_up(rig* r, bool plain, double exponent, double viscosity) {
  assert_int_equal(htz_arena_init(&r->arena, BYTES), HTZ_OK);
  htz_contact_desc contacts[ARMS];
  for (uint32_t i = 0; i < ARMS; ++i) {
    const htz_mass_desc arm = {.mass = 0.002 * (i + 1), .stiffness = 2e5 * (i + 1), .damping = 0.01 * i};
    assert_int_equal(htz_mass_new(&arm, rate_hz, &r->arena, &r->bodies[i]), HTZ_OK);
    const bool turned = plain && i == 1;
    contacts[i] = (htz_contact_desc){.law = {&htz_law_hunt_crossley, {2e9 * (ARMS - i), exponent, viscosity}},
                                     .body_a = turned ? i : ARMS,
                                     .body_b = turned ? ARMS : i,
                                     .direction = turned ? -1.0 : 1.0,
                                     .gap = 1e-6 * i,
                                     .enabled = true};
  }
  assert_int_equal(htz_mass_new(&(htz_mass_desc){.mass = 0.008}, rate_hz, &r->arena, &r->bodies[ARMS]), HTZ_OK);
  r->bodies[ARMS]->cls->set_motion(r->bodies[ARMS], -1e-5, 2.0);
  assert_int_equal(htz_network_new(ARMS + 1, r->bodies, ARMS, contacts, rate_hz, &r->arena, &r->net), HTZ_OK);
  htz_network_set_audit(r->net, &r->audit);
}

static void star_and_dense_agree(void** state) {
  (void)state;
  const double exponents[] = {1.0, 1.5, 2.5, 3.2};
  for (size_t e = 0; e < sizeof exponents / sizeof exponents[0]; ++e) {
    rig star = {0}, plain = {0};
    set_up(&star, false, exponents[e], 0.2);
    set_up(&plain, true, exponents[e], 0.2);
    const double energy = htz_network_energy(star.net);
    for (int n = 0; n < SAMPLES; ++n) {
      htz_network_step(star.net);
      htz_network_step(plain.net);
      for (size_t b = 0; b <= ARMS; ++b) {
        const htz_body *x = star.bodies[b], *y = plain.bodies[b];
        // Both solve to 1e-13; a few hundred steps of a system that is not chaotic let this grow by a few hundred at most.
        assert_true(fabs(x->cls->velocity(x, 0) - y->cls->velocity(y, 0)) < 1e-10 * 2.0);
        assert_true(fabs(x->cls->displacement(x, 0) - y->cls->displacement(y, 0)) < 1e-10 * 1e-3);
      }
    }
    // An iteration of the dense solver does the same work, so the counts tell that both really took part and took the same way.
    assert_true(htz_network_count(star.net)->closures >= ARMS);
    assert_int_equal(htz_network_count(star.net)->unconverged, 0);
    assert_int_equal(htz_network_count(star.net)->sweeps, 0);
    // The design's limit for one step.
    assert_true(star.audit.gain_max <= 1e-12 * energy);
    htz_arena_free(&star.arena);
    htz_arena_free(&plain.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(star_and_dense_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
