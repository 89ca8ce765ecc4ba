// What is done to a grid network while it goes on: a bow beside contacts, a finger that pulls, contacts moved and switched off.
#include "check.h"

#include "hertzian/contact/grid_network.h"

#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
enum { TOUCHES = 100 };

typedef struct {
  htz_arena arena;
  htz_grid* bodies[2]; // a string and what it touches
  double gaps[TOUCHES];
  htz_grid_network* net;
} rig;

static void make_string(rig* r) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, 1 << 20), HTZ_OK);
  const htz_grid_string_desc d = {
      .length = 0.7, .lin_density = 2e-3, .tension = 150.0, .stiffness = 1e-4, .ratio_most = 1.0, .exactly = 100};
  const char* why = NULL;
  assert_int_equal(htz_grid_string_new(&d, rate_hz, 3, htz_kernels_select(), &r->arena, &r->bodies[0], &why), HTZ_OK);
  assert_int_equal(htz_grid_barrier_new(&r->arena, &r->bodies[1]), HTZ_OK);
  htz_grid_place(r->bodies[0], 0, 0.13, 0.0);
  htz_grid_place(r->bodies[0], 1, 0.131, 0.0);
  htz_grid_place(r->bodies[0], 2, 0.6, 0.0);
}

static htz_status join(rig* r, htz_grid_network_desc desc, const char** why) {
  desc.n_bodies = 2;
  desc.bodies = r->bodies;
  return htz_grid_network_new(&desc, &r->arena, &r->net, why);
}

static const htz_friction laws[2] = {
    {.kind = HTZ_FRICTION_STATIC, .sharpness = 100.0},
    {.kind = HTZ_FRICTION_BRISTLES, .mu_static = 0.8, .mu_dynamic = 0.3, .stribeck = 0.1, .s0 = 1e4, .s1 = 0.1, .s2 = 0.4}};

/** Bow alone, on a contact, on a fretboard: whatever energy there is, the bow brought; nothing is left unsolved. */
static void test_bow(void** state) {
  (void)state;
  for (int law = 0; law < 2; ++law) {
    for (int beside = 0; beside < 3; ++beside) {
      rig r;
      make_string(&r);
      for (int i = 0; i < TOUCHES; ++i) {
        r.gaps[i] = 2e-5;
      }
      const htz_grid_contact_desc contact = {.stiffness = 1e7,
                                             .exponent = 1.5,
                                             .body_a = 0,
                                             .point_a = beside == 1 ? 1 : 2,
                                             .body_b = 1,
                                             .direction = 1.0,
                                             .gap = 1e-5,
                                             .enabled = true};
      const htz_grid_stretch_desc stretch = {
          .stiffness = 1e7, .exponent = 1.5, .body_a = 0, .body_b = 1, .first = 1, .last = 60, .direction = 1.0, .gap = r.gaps};
      const htz_grid_bow_desc bow = {.law = laws[law], .body = 0, .point = 0};
      const htz_grid_network_desc desc = {.n_contacts = beside < 2 ? 1 : 0,
                                          .contacts = &contact,
                                          .n_stretches = beside == 2 ? 1 : 0,
                                          .stretches = &stretch,
                                          .n_bows = 1,
                                          .bows = &bow};
      const char* why = NULL;
      assert_int_equal(join(&r, desc, &why), HTZ_OK);
      htz_grid_network_bow(r.net, 0, 0.2, 0.3);
      double off = 0.0;
      double most = 0.0;
      for (int i = 0; i < 6000; ++i) {
        htz_grid_network_step(r.net);
        const double energy = htz_grid_network_energy(r.net);
        off = fmax(off, fabs(energy - htz_grid_network_bowed(r.net)));
        most = fmax(most, energy);
      }
      check_above(most, 1e-7);
      check_below(off / most, 1e-11); // rounding of 6000 steps
      const htz_friction_state* friction = htz_grid_network_friction(r.net, 0);
      assert_int_equal(friction->unconverged, 0);
      assert_int_equal(htz_grid_network_count(r.net)->unconverged, 0);
      assert_true(htz_grid_network_touching(r.net));
      const htz_grid_account* a = beside < 2 ? htz_grid_network_contact(r.net, 0) : htz_grid_network_stretch(r.net, 0);
      assert_true(a->closures > 0);
      htz_grid_network_bow(r.net, 0, 0.2, 0.0); // lifted, it forgets
      htz_grid_network_step(r.net);
      assert_true(friction->normal == 0.0 && friction->z == 0.0 && !friction->sticks);
      htz_arena_free(&r.arena);
    }
  }
}

/** A finger on a spring pulls the string aside and lets go; its work is what set_gap() returns. Reset: as if nothing had been. */
static void test_finger(void** state) {
  (void)state;
  rig r;
  make_string(&r);
  const htz_grid_contact_desc contacts[2] = {
      {.force = HTZ_GRID_SPRING, .stiffness = 2e3, .body_a = 0, .point_a = 2, .body_b = 1, .direction = 1.0, .enabled = true},
      {.stiffness = 1e7,
       .exponent = 1.5,
       .body_a = 0,
       .point_a = 0,
       .body_b = 1,
       .direction = -1.0,
       .gap = 1e-4,
       .enabled = true}};
  const htz_grid_network_desc desc = {.n_contacts = 2, .contacts = contacts};
  const char* why = NULL;
  assert_int_equal(join(&r, desc, &why), HTZ_OK);
  double brought = 0.0;
  double off = 0.0;
  for (int i = 0; i < 2000; ++i) {
    brought += htz_grid_network_set_gap(r.net, 0, 1e-6 * (i + 1));
    htz_grid_network_step(r.net);
    off = fmax(off, fabs(htz_grid_network_energy(r.net) - brought));
  }
  check_above(brought, 1e-4);
  check_below(off / brought, 1e-11);
  check_above(htz_grid_now(r.bodies[0], 2), 5e-4);
  const double held = htz_grid_network_contact(r.net, 0)->stored;
  check_above(held, 0.0);
  htz_grid_network_enable(r.net, 0, false);
  double drift = 0.0;
  for (int i = 0; i < 4000; ++i) {
    htz_grid_network_step(r.net);
    drift = fmax(drift, fabs(htz_grid_network_energy(r.net) - (brought - held)));
  }
  check_below(drift / brought, 1e-11);
  assert_true(htz_grid_network_contact(r.net, 1)->closures > 0);
  // A harder contact while it is closed holds more.
  const double stored = htz_grid_network_contact(r.net, 1)->stored;
  check_near(htz_grid_network_set_law(r.net, 1, 2e7, 1.5, 0.0), stored, 1e-12 * brought);
  assert_true(htz_grid_network_set_law(r.net, 1, NAN, 1.5, 0.0) == 0.0);
  for (int i = 0; i < 2; ++i) {
    htz_grid_reset(r.bodies[i]);
  }
  htz_grid_network_reset(r.net);
  assert_true(htz_grid_network_energy(r.net) == 0.0);
  assert_int_equal(htz_grid_network_contact(r.net, 1)->closures, 0);
  assert_false(htz_grid_network_touching(r.net));
  htz_arena_free(&r.arena);
}

/** A point moved along the string comes upon another: from the next step on they are solved together, and the energy shows it. */
static void test_moved(void** state) {
  (void)state;
  rig r;
  make_string(&r);
  htz_grid_contact_desc contacts[2];
  for (int i = 0; i < 2; ++i) {
    contacts[i] = (htz_grid_contact_desc){.stiffness = 1e9,
                                          .exponent = 1.5,
                                          .body_a = 0,
                                          .point_a = i == 0 ? 0 : 2,
                                          .body_b = 1,
                                          .point_b = 0,
                                          .direction = 1.0,
                                          .gap = 1e-5,
                                          .enabled = true};
  }
  const htz_grid_network_desc desc = {.n_contacts = 2, .contacts = contacts};
  const char* why = NULL;
  assert_int_equal(join(&r, desc, &why), HTZ_OK);
  htz_grid_pluck(r.bodies[0], 0.3, -1e-3);
  double expected = htz_grid_network_energy(r.net) + htz_grid_network_reread(r.net);
  for (int i = 0; i < 3000; ++i) {
    if (i % 10 == 0) {
      htz_grid_place(r.bodies[0], 2, 0.6 - 0.5 * i / 3000.0, 0.0);
      expected += htz_grid_network_reread(r.net);
    }
    htz_grid_network_step(r.net);
  }
  check_close(htz_grid_network_energy(r.net), expected, 1e-10);
  assert_true(htz_grid_network_contact(r.net, 1)->closures > 10);
  htz_arena_free(&r.arena);
}

/** Eight contacts at each of two places and one at a third, all moved to one: more than there is room for, and it is said. */
static void test_crowd(void** state) {
  (void)state;
  enum { CONTACTS = 2 * HTZ_GRID_TOGETHER_MAX + 1 };
  rig r;
  make_string(&r);
  htz_grid_place(r.bodies[0], 1, 0.4, 0.0);
  htz_grid_contact_desc contacts[CONTACTS];
  for (uint32_t i = 0; i < CONTACTS; ++i) {
    const uint32_t places[] = {0, 2, 1};
    contacts[i] = (htz_grid_contact_desc){.stiffness = 1e7,
                                          .exponent = 1.5,
                                          .body_a = 0,
                                          .point_a = places[i / HTZ_GRID_TOGETHER_MAX],
                                          .body_b = 1,
                                          .direction = 1.0,
                                          .enabled = true};
  }
  const char* why = NULL;
  assert_int_equal(join(&r, (htz_grid_network_desc){.n_contacts = CONTACTS, .contacts = contacts}, &why), HTZ_OK);
  assert_int_equal(htz_grid_network_count(r.net)->crowded, 0);
  htz_grid_place(r.bodies[0], 1, 0.13, 0.0);
  htz_grid_place(r.bodies[0], 2, 0.13, 0.0);
  (void)htz_grid_network_reread(r.net);
  assert_int_equal(htz_grid_network_count(r.net)->crowded, 1);
  htz_grid_place(r.bodies[0], 2, 0.6, 0.0);
  (void)htz_grid_network_reread(r.net);
  assert_int_equal(htz_grid_network_count(r.net)->crowded, 1);
  htz_arena_free(&r.arena);
}

static void refused(htz_grid_network_desc desc, htz_status expected, const char* begins) {
  rig r;
  make_string(&r);
  const char* why = "";
  assert_int_equal(join(&r, desc, &why), expected);
  assert_memory_equal(why, begins, strlen(begins));
  htz_arena_free(&r.arena);
}

static void test_refused(void** state) {
  (void)state;
  const htz_grid_contact_desc good = {
      .stiffness = 1e7, .exponent = 1.5, .body_a = 0, .body_b = 1, .direction = 1.0, .enabled = true};
  htz_grid_contact_desc c = good;
  const char* why = "";
  const htz_grid_network_desc one = {.n_contacts = 1, .contacts = &c};
  c.exponent = NAN;
  refused(one, HTZ_BAD_VALUE, "exponent:");
  c = good;
  c.stiffness = -1.0;
  refused(one, HTZ_BAD_VALUE, "stiffness:");
  c = good;
  c.direction = 0.5;
  refused(one, HTZ_BAD_VALUE, "direction:");
  c = good;
  c.method = HTZ_GRID_PLAIN;
  c.viscosity = 1.0;
  refused(one, HTZ_BAD_VALUE, "viscosity:");
  c = good;
  c.point_a = 3;
  refused(one, HTZ_BAD_VALUE, "contact:");
  htz_grid_contact_desc crowd[HTZ_GRID_TOGETHER_MAX + 1];
  for (int i = 0; i <= HTZ_GRID_TOGETHER_MAX; ++i) {
    crowd[i] = good;
  }
  refused((htz_grid_network_desc){.n_contacts = HTZ_GRID_TOGETHER_MAX + 1, .contacts = crowd}, HTZ_UNSUPPORTED, "contacts:");
  const double gaps[8] = {0.0};
  const htz_grid_stretch_desc stretches[2] = {
      {.stiffness = 1e6, .exponent = 1.0, .body_b = 1, .first = 1, .last = 8, .direction = 1.0, .gap = gaps},
      {.stiffness = 1e6, .exponent = 1.0, .body_b = 1, .first = 8, .last = 15, .direction = -1.0, .gap = gaps}};
  refused((htz_grid_network_desc){.n_stretches = 2, .stretches = stretches}, HTZ_UNSUPPORTED, "stretch:");
  rig r;
  make_string(&r);
  r.bodies[0] = r.bodies[1];
  assert_int_equal(join(&r, (htz_grid_network_desc){0}, &why), HTZ_BAD_VALUE); // nothing that could move
  htz_arena_free(&r.arena);
  const htz_grid_bow_desc bows[2] = {{.law = laws[0], .point = 0}, {.law = laws[0], .point = 1}};
  refused((htz_grid_network_desc){.n_bows = 2, .bows = bows}, HTZ_UNSUPPORTED, "bow:");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bow), cmocka_unit_test(test_finger), cmocka_unit_test(test_moved),
                                     cmocka_unit_test(test_crowd), cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
