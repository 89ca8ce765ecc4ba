// A screw between strings is brought to one speed with them.
#include "physics/prepared_rig.h"

#include "gesture/prepared.h"

/**
   Where screw and strings have speeds of their own, the next quantum begins with one for all, as after a collision that does not bounce:
   momentum is kept, the energy of what was apart is lost and booked. Else they would swing against each other from sample to sample for
   ever, at half the sample rate.
*/
static void one_speed(void** state) {
  static const double mass = 1.5e-3, speed = 0.5;
  const things prepared = {.screw = {.mass = mass, .at = 0.23}};
  rig r;
  (void)state;
  build(&r, 0.0, &prepared);
  htz_body* bolt = ((screw*)((modal_island*)r.island)->gestures[1])->body;
  bolt->cls->set_motion(bolt, 0.0, speed);
  double strings = 0.0; // the mass that is met at the screw
  for (uint32_t b = 0; b < STRINGS; ++b) {
    strings += 1.0 / htz_modal_inverse_mass(r.desc.bodies[b], 1);
  }
  const double before = energy(&r);
  check_close(before, 0.5 * mass * speed * speed, 1e-12);
  run(&r, 1, NULL);
  const double lost = htz_modal_island_prepared(r.island).lost;
  check_close(lost, before * strings / (mass + strings), 1e-9);
  check_close(energy(&r) + lost, before, 1e-9);
  // And all of them have come as far.
  const double way = bolt->cls->displacement(bolt, 0);
  check_above(way, 0.0);
  for (uint32_t b = 0; b < STRINGS; ++b) {
    const htz_body* body = htz_modal_body(r.desc.bodies[b]);
    check_close(body->cls->displacement(body, 1), way, 1e-9);
  }
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_speed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
