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

/** 6000 steps: whatever energy there is, its bows brought. */
static void check_bows_account(htz_grid_network* net) {
  double off = 0.0, most = 0.0;
  for (int i = 0; i < 6000; ++i) {
    htz_grid_network_step(net);
    const double energy = htz_grid_network_energy(net);
    off = fmax(off, fabs(energy - htz_grid_network_bowed(net)));
    most = fmax(most, energy);
  }
  check_above(most, 1e-7);
  check_below(off / most, 1e-11); // rounding of 6000 steps
}

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
      check_bows_account(r.net);
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
  double external_work = 0.0;
  double off = 0.0;
  for (int i = 0; i < 2000; ++i) {
    external_work += htz_grid_network_set_gap(r.net, 0, 1e-6 * (i + 1));
    htz_grid_network_step(r.net);
    off = fmax(off, fabs(htz_grid_network_energy(r.net) - external_work));
  }
  check_above(external_work, 1e-4);
  check_below(off / external_work, 1e-11);
  check_above(htz_grid_now(r.bodies[0], 2), 5e-4);
  const double held = htz_grid_network_contact(r.net, 0)->stored;
  check_above(held, 0.0);
  htz_grid_network_enable(r.net, 0, false);
  double drift = 0.0;
  for (int i = 0; i < 4000; ++i) {
    htz_grid_network_step(r.net);
    drift = fmax(drift, fabs(htz_grid_network_energy(r.net) - (external_work - held)));
  }
  check_below(drift / external_work, 1e-11);
  assert_true(htz_grid_network_contact(r.net, 1)->closures > 0);
  // A harder contact while it is closed holds more.
  const double stored = htz_grid_network_contact(r.net, 1)->stored;
  check_near(htz_grid_network_set_law(r.net, 1, &(htz_grid_law){.stiffness = 2e7, .exponent = 1.5}), stored,
             1e-12 * external_work);
  assert_true(htz_grid_network_set_law(r.net, 1, &(htz_grid_law){.stiffness = NAN, .exponent = 1.5}) == 0.0);
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

enum { CROWD = 13, EACH = 3 }; // contacts, and grid intervals from one to the next: each reaches four grid points

/** A string on a fretboard, with so many contacts; all at one place, or one beside the other. */
static void make_crowd(rig* r, htz_grid_contact_desc* contacts, htz_grid_stretch_desc* stretch) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, 1 << 20), HTZ_OK);
  const htz_grid_string_desc d = {
      .length = 0.7, .lin_density = 2e-3, .tension = 150.0, .stiffness = 1e-4, .ratio_most = 1.0, .exactly = 100};
  const char* why = NULL;
  assert_int_equal(htz_grid_string_new(&d, rate_hz, CROWD, htz_kernels_select(), &r->arena, &r->bodies[0], &why), HTZ_OK);
  assert_int_equal(htz_grid_barrier_new(&r->arena, &r->bodies[1]), HTZ_OK);
  for (uint32_t i = 0; i < CROWD; ++i) {
    contacts[i] = (htz_grid_contact_desc){
        .stiffness = 1e7, .exponent = 1.5, .point_a = i, .body_b = 1, .direction = 1.0, .gap = 1e-5 * i, .enabled = true};
  }
  for (int i = 0; i < TOUCHES; ++i) {
    r->gaps[i] = 1e-4;
  }
  *stretch = (htz_grid_stretch_desc){
      .stiffness = 1e7, .exponent = 1.5, .body_b = 1, .first = 1, .last = 80, .direction = -1.0, .gap = r->gaps};
}

/** Contacts side by side on a fretboard hang together by its points: more than there is room for, and it is said. */
static void test_crowd(void** state) {
  (void)state;
  htz_grid_contact_desc contacts[CROWD];
  htz_grid_stretch_desc stretch;
  rig r;
  make_crowd(&r, contacts, &stretch);
  for (size_t i = 0; i < CROWD; ++i) {
    htz_grid_place(r.bodies[0], i, 0.4, 0.0);
  }
  const htz_grid_network_desc desc = {.n_contacts = CROWD, .contacts = contacts, .n_stretches = 1, .stretches = &stretch};
  const char* why = NULL;
  assert_int_equal(join(&r, desc, &why), HTZ_OK);
  assert_int_equal(htz_grid_network_count(r.net)->crowded, 0);
  for (size_t i = 0; i < CROWD; ++i) {
    htz_grid_place(r.bodies[0], i, 0.105 + 0.01 * EACH * (double)i, 0.0);
  }
  (void)htz_grid_network_reread(r.net);
  assert_int_equal(htz_grid_network_count(r.net)->crowded, 1);
  assert_int_equal(join(&r, desc, &why), HTZ_UNSUPPORTED);
  assert_memory_equal(why, "contacts:", 9);
  htz_arena_free(&r.arena);
}

/** Energy of `steps` steps of what the first body does, which loses nothing; the most that it was off by, of what there was. */
static double drift_over(rig* r, int steps) {
  const double start = htz_grid_network_energy(r->net);
  double off = 0.0;
  for (int i = 0; i < steps; ++i) {
    htz_grid_network_step(r->net);
    off = fmax(off, fabs(htz_grid_network_energy(r->net) - start));
  }
  return off / start;
}

/** Thirteen contacts within one grid spacing, and a fretboard beyond: one system of nonlinear equations a step, and it is solved. */
static void test_many_together(void** state) {
  (void)state;
  htz_grid_contact_desc contacts[CROWD];
  htz_grid_stretch_desc stretch;
  rig r;
  make_crowd(&r, contacts, &stretch);
  for (size_t i = 0; i < CROWD; ++i) {
    htz_grid_place(r.bodies[0], i, 0.4 + 2e-4 * (double)i, 0.0);
  }
  const htz_grid_network_desc desc = {.n_contacts = CROWD, .contacts = contacts, .n_stretches = 1, .stretches = &stretch};
  const char* why = NULL;
  assert_int_equal(join(&r, desc, &why), HTZ_OK);
  htz_grid_pluck(r.bodies[0], 0.3, -1e-3);
  (void)htz_grid_network_reread(r.net);
  check_below(drift_over(&r, 4000), 1e-11); // rounding of 4000 steps
  for (size_t i = 0; i < CROWD; ++i) {
    assert_true(htz_grid_network_contact(r.net, i)->closures > 0);
    assert_true(htz_grid_network_contact(r.net, i)->pull_max == 0.0);
  }
  assert_true(htz_grid_network_stretch(r.net, 0)->closures > 0);
  assert_int_equal(htz_grid_network_count(r.net)->unconverged, 0);
  htz_arena_free(&r.arena);
}

/**
   A string between a fretboard below and another above, at the same grid points, and a second string it clashes with all along: energy
   stays, nothing pulls, and where all stretches but one are out of reach it is that one alone, to the last bit.
*/
static void test_stretches_meet(void** state) {
  enum { POINTS = 80, STEPS = 6000 };
  double heard[2] = {0.0, 0.0};
  (void)state;
  for (int alone = 0; alone < 3; ++alone) {
    rig r;
    htz_grid* bodies[4];
    double far_off[POINTS], near_by[POINTS];
    make_string(&r);
    const htz_grid_string_desc d = {
        .length = 0.7, .lin_density = 1e-3, .tension = 90.0, .stiffness = 1e-4, .ratio_most = 1.0, .exactly = 100};
    const char* why = NULL;
    bodies[0] = r.bodies[0];
    assert_int_equal(htz_grid_string_new(&d, rate_hz, 1, htz_kernels_select(), &r.arena, &bodies[1], &why), HTZ_OK);
    for (int b = 2; b < 4; ++b) {
      assert_int_equal(htz_grid_barrier_new(&r.arena, &bodies[b]), HTZ_OK);
    }
    for (int i = 0; i < POINTS; ++i) {
      near_by[i] = 3e-4;
      far_off[i] = alone ? 1.0 : 4e-4;
    }
    // The string over the board, the roof over the string, and the other string under it.
    const htz_grid_stretch_desc s[3] = {
        {.stiffness = 1e7, .exponent = 1.5, .body_b = 2, .first = 1, .last = 60, .direction = -1.0, .gap = near_by},
        {.stiffness = 1e7, .exponent = 1.3, .body_b = 3, .first = 30, .last = 99, .direction = 1.0, .gap = far_off},
        {.stiffness = 1e6, .exponent = 1.5, .body_b = 1, .first = 20, .last = 80, .direction = 1.0, .gap = far_off}};
    const htz_grid_network_desc desc = {.n_bodies = 4, .bodies = bodies, .n_stretches = alone == 2 ? 1 : 3, .stretches = s};
    assert_int_equal(htz_grid_network_new(&desc, &r.arena, &r.net, &why), HTZ_OK);
    htz_grid_pluck(bodies[0], 0.3, 2e-3);
    (void)htz_grid_network_reread(r.net);
    check_below(drift_over(&r, STEPS), 1e-10); // rounding of 6000 steps of some hundred contacts
    assert_int_equal(htz_grid_network_count(r.net)->unconverged, 0);
    for (size_t k = 0; k < desc.n_stretches; ++k) {
      const htz_grid_account* a = htz_grid_network_stretch(r.net, k);
      assert_true(a->pull_max == 0.0);
      assert_true(k == 0 || !alone ? a->closures > 10 : a->closures == 0);
    }
    if (alone) {
      heard[alone - 1] = htz_grid_now(bodies[0], 2);
    }
    htz_arena_free(&r.arena);
  }
  assert_true(heard[0] != 0.0 && heard[0] == heard[1]);
}

/** A string that twists under the bow: the bow brought what there is, with contacts beside it and without, and twisting takes some of it. */
static void test_twist(void** state) {
  (void)state;
  for (int beside = 0; beside < 2; ++beside) {
    double most[2];
    for (int twists = 0; twists < 2; ++twists) {
      rig r;
      make_string(&r);
      const htz_grid_contact_desc contact = {
          .stiffness = 1e7, .exponent = 1.5, .point_a = 1, .body_b = 1, .direction = 1.0, .gap = 1e-5, .enabled = true};
      const double z = sqrt(2e-3 * 150.0);
      const htz_grid_bow_desc bow = {.law = laws[0],
                                     .twist_admittance = twists ? 0.5 / (2.0 * z) : 0.0,
                                     .spring = twists ? 2.0 * 2.0 * z * 5.0 * 190.0 / 0.11 : 0.0};
      const htz_grid_network_desc desc = {.n_contacts = (size_t)beside, .contacts = &contact, .n_bows = 1, .bows = &bow};
      const char* why = NULL;
      assert_int_equal(join(&r, desc, &why), HTZ_OK);
      htz_grid_network_bow(r.net, 0, 0.2, 0.3);
      double off = 0.0;
      most[twists] = 0.0;
      for (int i = 0; i < 12000; ++i) {
        htz_grid_network_step(r.net);
        const double energy = htz_grid_network_energy(r.net);
        off = fmax(off, fabs(energy - htz_grid_network_bowed(r.net)));
        most[twists] = fmax(most[twists], energy);
      }
      check_below(off / most[twists], 1e-11);
      assert_int_equal(htz_grid_network_friction(r.net, 0)->unconverged, 0);
      htz_arena_free(&r.arena);
    }
    assert_true(most[1] != most[0]);
  }
}

/** A mass thrown at a wall of felt that relaxes: what comes back and what was lost are all there was; more hysteresis takes more. */
static void test_felt(void** state) {
  static const double speed = 2.0, mass = 0.01;
  double back[3];
  (void)state;
  for (int i = 0; i < 3; ++i) {
    rig r;
    memset(&r, 0, sizeof r);
    assert_int_equal(htz_arena_init(&r.arena, 1 << 20), HTZ_OK);
    const char* why = NULL;
    const htz_grid_mass_desc d = {.mass = mass};
    assert_int_equal(htz_grid_mass_new(&d, 4.0 * rate_hz, &r.arena, &r.bodies[0], &why), HTZ_OK);
    assert_int_equal(htz_grid_barrier_new(&r.arena, &r.bodies[1]), HTZ_OK);
    const htz_grid_contact_desc felt = {.stiffness = 1e9,
                                        .exponent = 2.5,
                                        .hysteresis = i == 0   ? 0.0
                                                      : i == 1 ? 0.3
                                                               : 0.7,
                                        .relaxation = 2e-4,
                                        .body_b = 1,
                                        .direction = 1.0,
                                        .gap = 1e-4,
                                        .enabled = true};
    assert_int_equal(join(&r, (htz_grid_network_desc){.n_contacts = 1, .contacts = &felt}, &why), HTZ_OK);
    htz_grid_kick(r.bodies[0], 0.5, 0.5, 0.5, speed);
    (void)htz_grid_network_reread(r.net);
    const double start = htz_grid_network_energy(r.net);
    const htz_grid_account* a = htz_grid_network_contact(r.net, 0);
    double off = 0.0;
    for (int step = 0; step < 20000; ++step) {
      htz_grid_network_step(r.net);
      off = fmax(off, fabs(htz_grid_network_energy(r.net) + a->dissipated - start));
    }
    check_below(off / start, 1e-11);
    assert_true(a->pull_max == 0.0 && a->closures == 1);
    check_above(a->dissipated, i == 0 ? -1e-12 * start : 0.05 * start);
    back[i] = (htz_grid_before(r.bodies[0], 0) - htz_grid_now(r.bodies[0], 0)) * 4.0 * rate_hz / speed;
    htz_arena_free(&r.arena);
  }
  check_close(back[0], 1.0, 1e-9);
  assert_true(back[1] < 0.99 && back[2] < back[1] && back[2] > 0.0);
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
  c = good;
  c.hysteresis = 0.5;
  refused(one, HTZ_BAD_VALUE, "relaxation:");
  c.relaxation = 1e-4;
  c.viscosity = 0.1;
  refused(one, HTZ_BAD_VALUE, "hysteresis:");
  rig r;
  make_string(&r);
  r.bodies[0] = r.bodies[1];
  assert_int_equal(join(&r, (htz_grid_network_desc){0}, &why), HTZ_BAD_VALUE); // nothing that could move
  htz_arena_free(&r.arena);
}

/** Two bows, half a spacing apart and in one place, with different laws: they brought what there is, and every step is solved. */
static void test_two_bows(void** state) {
  (void)state;
  for (int apart = 0; apart < 2; ++apart) {
    rig r;
    const char* why = NULL;
    make_string(&r);
    htz_grid_place(r.bodies[0], 0, 0.2, 0.5);
    htz_grid_place(r.bodies[0], 1, 0.2 + 0.004 * apart, 0.5);
    const htz_grid_bow_desc bows[2] = {{.law = laws[0], .point = 0}, {.law = laws[1], .point = 1}};
    assert_int_equal(join(&r, (htz_grid_network_desc){.n_bows = 2, .bows = bows}, &why), HTZ_OK);
    htz_grid_network_bow(r.net, 0, 0.2, 0.1);
    htz_grid_network_bow(r.net, 1, 0.15, 0.1);
    check_bows_account(r.net);
    for (size_t b = 0; b < 2; ++b) {
      assert_int_equal(htz_grid_network_friction(r.net, b)->unconverged, 0);
      check_above(fabs(htz_grid_network_friction(r.net, b)->v), 0.0);
    }
    htz_arena_free(&r.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bow),           cmocka_unit_test(test_finger),
                                     cmocka_unit_test(test_moved),         cmocka_unit_test(test_crowd),
                                     cmocka_unit_test(test_many_together), cmocka_unit_test(test_stretches_meet),
                                     cmocka_unit_test(test_twist),         cmocka_unit_test(test_felt),
                                     cmocka_unit_test(test_two_bows),      cmocka_unit_test(test_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
