// Keys linked to each other and to bodies they share: who answers, what energy does, when it ends.
#include "check.h"

#include "sound/render.h"
#include "sound/stage.h"

#include "hertzian/contact/modal_island.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double rate_hz = 48000.0;

enum { SECOND = 48000, QUANTA = SECOND / HTZ_QUANTUM };

static htz_modal* body_of(const stage* s, uint32_t key, size_t index) {
  return htz_modal_island_body(s->instrument->keys[key].island, index);
}

static double energy_of(htz_modal* modal) {
  const htz_body* body = htz_modal_body(modal);
  return body->cls->energy(body);
}

static double loudest(const float* x, size_t n) {
  double most = 0.0;
  for (size_t i = 0; i < n; ++i) {
    most = fmax(most, fabs((double)x[i]));
  }
  return most;
}

static void bars_and_resonators_answer(void** state) {
  (void)state;
  stage s;
  stage_open(&s, "tests/fixtures/instruments/linked-bars.yaml", rate_hz, 0);
  const htz_linked* linked = &s.instrument->linked;
  assert_int_equal((int)linked->n_keys, 37);
  assert_int_equal((int)linked->n_shared, 5);
  htz_network_audit audit = {0};
  htz_network_set_audit(htz_group_network(linked->group), &audit);
  const htz_key* key = &s.instrument->keys[60];
  const double given = 0.5 * key->mass * key->speed[1] * key->speed[1];
  htz_engine_hold(s.engine, s.part, 60, true, 0);
  htz_engine_strike(s.engine, s.part, 60, 127.0, 0);
  double before = HUGE_VAL;
  for (int second = 0; second < 4; ++second) {
    stage_run(&s, QUANTA, NULL, NULL);
    if (second == 0) {
      // Next to it, two away, and what it stands on; the resonators at the ends have it through the chain.
      check_above(energy_of(body_of(&s, 61, 0)), 1e-6 * given);
      check_above(energy_of(body_of(&s, 62, 0)), 1e-10 * given);
      check_above(energy_of(linked->shared[1]), 1e-9 * given);
    }
    const double now = htz_group_energy(linked->group);
    check_below(now, before); // with losses
    before = now;
  }
  check_below(audit.rise_max, 1e-12 * given); // rounding of a step
  const htz_network_counters* n = htz_network_count(htz_group_network(linked->group));
  assert_int_equal((int)n->unconverged, 0);
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

static void what_is_quiet_sleeps(void** state) {
  (void)state;
  stage s;
  stage_open(&s, "tests/fixtures/instruments/linked-bars.yaml", rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 60, 60.0, 0);
  int second = 0;
  for (; second < 30 && !htz_engine_asleep(s.engine); ++second) {
    stage_run(&s, QUANTA, NULL, NULL);
  }
  assert_true(htz_engine_asleep(s.engine));
  check_above((double)second, 3.0); // not before it has died away: 6 s to -60 dB
  assert_true(htz_group_energy(s.instrument->linked.group) == 0.0);
  stage_close(&s);
}

/** CC 120: gone within 20 ms, and the next stroke sounds as the first did. */
/** While a key sleeps, what lies loose on its strings lies there; woken by its neighbour, it has what bends them and nothing more. */
static void what_lies_loose_sleeps_with_its_key(void** state) {
  (void)state;
  enum { STRUCK = 48, FAR = 51 };
  stage s;
  stage_open(&s, "tests/fixtures/instruments/linked-loose.yaml", rate_hz, 0);
  double rest, q, v, farthest = 0.0;
  assert_true(htz_modal_island_loose(s.instrument->keys[FAR].island, 0, &rest, &v));
  bool slept = false, woke = false;
  htz_engine_hold(s.engine, s.part, STRUCK, true, 0);
  htz_engine_strike(s.engine, s.part, STRUCK, 40.0, 0);
  for (int i = 0; i < 2 * QUANTA; ++i) {
    stage_run(&s, 1, NULL, NULL);
    const bool awake = htz_group_awake(s.instrument->linked.group, FAR - STRUCK);
    slept = slept || !awake;
    woke = woke || (slept && awake);
    assert_true(htz_modal_island_loose(s.instrument->keys[FAR].island, 0, &q, &v));
    farthest = fmax(farthest, fabs(q - rest));
  }
  print_message("slept %d, woke again %d; %.2g m from where it lay\n", slept, woke, farthest);
  assert_true(slept);
  check_below(farthest, 1e-6); // a tenth of a second of free fall would be 5 cm
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

static void silence_and_strike_again(void** state) {
  (void)state;
  static float first[2][HTZ_QUANTUM * 50], again[2][HTZ_QUANTUM * 50], rest[2][HTZ_QUANTUM * 50];
  stage s;
  stage_open(&s, "tests/fixtures/instruments/linked-bars.yaml", rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 60, 100.0, 0);
  stage_run(&s, 50, first[0], first[1]);
  stage_run(&s, 200, NULL, NULL);
  htz_engine_silence(s.engine, s.part, htz_engine_now(s.engine));
  stage_run(&s, 50, rest[0], rest[1]);
  check_below(loudest(rest[0] + (size_t)(0.02 * SECOND), 50 * HTZ_QUANTUM - (size_t)(0.02 * SECOND)), 1e-6);
  assert_true(htz_engine_asleep(s.engine));
  htz_engine_strike(s.engine, s.part, 60, 100.0, htz_engine_now(s.engine));
  stage_run(&s, 50, again[0], again[1]);
  for (size_t i = 0; i < 50 * HTZ_QUANTUM; ++i) {
    check_near((double)again[0][i], (double)first[0][i], 1e-6);
  }
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** The octave, whose damper is lifted, answers through the deck; a string out of tune does not, nor one that is damped. */
static void strings_in_tune_answer_through_the_deck(void** state) {
  (void)state;
  stage s;
  stage_open(&s, "tests/fixtures/instruments/strings-on-deck.yaml", rate_hz, 0);
  htz_engine_hold(s.engine, s.part, 60, true, 0);
  htz_engine_hold(s.engine, s.part, 59, true, 0);
  htz_engine_hold(s.engine, s.part, 48, true, 0);
  htz_engine_strike(s.engine, s.part, 48, 100.0, 0);
  static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM];
  stage_run(&s, QUANTA, left, right);
  check_above(loudest(left, QUANTA * HTZ_QUANTUM), 1e-4); // heard of the deck alone
  const double octave = energy_of(body_of(&s, 60, 0)), other = energy_of(body_of(&s, 59, 0));
  const double damped = energy_of(body_of(&s, 55, 0));
  check_above(octave, 10.0 * other); // at least 10 dB
  check_above(octave, 10.0 * damped);
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** Two objects of one file: the wires on the snare rattle when the tom is struck, and only while its skin moves them. */
static void a_snare_hears_the_tom(void** state) {
  (void)state;
  stage s;
  stage_open(&s, "tests/fixtures/instruments/tom-and-snare.yaml", rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 45, 110.0, 0);
  static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM];
  stage_run(&s, QUANTA / 2, left, right);
  check_above(loudest(left, SECOND / 2), 1e-3);
  check_above(loudest(right, SECOND / 2), 1e-5); // the wires alone are on the right
  check_above((double)htz_network_count(htz_group_network(s.instrument->linked.group))->closures, 5.0);
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** What is heard of a skin by ears and of a plate whose modes couple, `links` joining both to a body that is shared or to nothing. */
static void hear_pair(const char* shared, const char* link, double heard[2][SECOND / 8]) {
  char text[2048], links[2][128];
  for (size_t i = 0; i < 2; ++i) {
    snprintf(links[i], sizeof links[i], link, i ? "plate" : "skin");
  }
  snprintf(text, sizeof text,
           "format: 1\nname: Pair\nears: {close: [[-0.2, -0.2, 0.4], [0.2, -0.2, 0.4]]}\n%s"
           "objects:\n  - name: drum\n    keys: 45\n"
           "    per_key: {skin: {body: membrane, area_density: 0.3, radius: 0.15, frequency: 110, air: 1.2, t60: 0.8, modes: "
           "40}}\n%s"
           "    mallet: {strikes: skin, mass: 0.03, speed: [0.3, 6], at: 0.3, contact: {exponent: 1.5, stiffness: 3.0e+6, "
           "viscosity: 0.2}}\n"
           "    pickups: [{of: skin, ear: both, gain: 0.5}]\n"
           "  - name: cymbal\n    keys: 49\n"
           "    per_key: {plate: {body: plate, shape: round, edges: free, material: bronze, frequency: own, radius: 0.2, "
           "thickness: 0.001, "
           "nonlinear_modes: 20, t60: 4, modes: 20}}\n%s"
           "    mallet: {strikes: plate, mass: 0.03, speed: [0.3, 6], at: 0.95, at_y: 0.5, contact: {exponent: 1.5, stiffness: "
           "3.0e+6, viscosity: 0.2}}\n"
           "    pickups: [{of: plate, quantity: acceleration, at: 0.4, at_y: 0.14, gain: 1.0e-5}]\n",
           shared, links[0], links[1]);
  for (size_t i = 0; i < 2; ++i) {
    sound s;
    note n;
    assert_true(sound_open_text(&s, text, rate_hz));
    assert_true(sound_set(&s, "room", 0.0));
    assert_true(sound_set(&s, "human", 0.0));
    sound_note(&s, i ? 49 : 45, 120.0, 0, SECOND / 8, &n);
    memcpy(heard[i], n.mono, sizeof heard[i]);
    note_free(&n);
    sound_close(&s);
  }
}

/** Ears and plates that bend hear forces as they act, in keys that are linked as in keys by themselves. */
static void forces_are_heard_through_links(void** state) {
  static const double most = 0.005; // linked keys take other steps in contact
  static double apart[2][SECOND / 8], linked[2][SECOND / 8];
  (void)state;
  hear_pair("", "", apart);
  // A spring of a millionth of a skin's own stiffness.
  hear_pair("shared:\n  air: {body: modal-list, frequencies: [60], t60: 0.3, mass: 1}\n",
            "    links: [{type: spring, between: [%s, air], at: [0.4, 0.5], stiffness: 1.0e-3}]\n", linked);
  for (size_t i = 0; i < 2; ++i) {
    double of = 0.0, off = 0.0;
    for (size_t f = 0; f < SECOND / 8; ++f) {
      of += apart[i][f] * apart[i][f];
      off += (linked[i][f] - apart[i][f]) * (linked[i][f] - apart[i][f]);
    }
    check_above(of, 1e-4);
    print_message("%s: %.2g of what is heard\n", i ? "plate" : "skin", sqrt(off / of));
    check_below(sqrt(off / of), most);
  }
}

/** A hurdy-gurdy: more wheels than a hand has fingers, bridges that rattle, and strings that answer through the deck. */
static void wheels_on_a_deck(void** state) {
  (void)state;
  enum { FIRST = 48, CHORD = 12, OCTAVE = 60 };
  stage s;
  static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM];
  stage_open(&s, "tests/fixtures/instruments/hurdy-deck.yaml", rate_hz, 0);
  htz_engine_strike(s.engine, s.part, FIRST, 100.0, 0);
  htz_engine_hold(s.engine, s.part, FIRST, true, 0);
  stage_run(&s, QUANTA / 2, left, right);
  check_above(loudest(left, SECOND / 2), 1e-4);
  // Strings that no bow touches move with it, through the deck alone: more than what a bridge that lies still bends them by.
  check_above(htz_modal_kinetic(body_of(&s, OCTAVE, 1)), 1e-9);
  htz_network* net = htz_group_network(s.instrument->linked.group);
  const uint64_t rattled = htz_network_count(net)->closures;
  check_above((double)rattled, 10.0); // it was put down once
  for (uint32_t k = 1; k < CHORD; ++k) {
    htz_engine_strike(s.engine, s.part, FIRST + k, 100.0, htz_engine_now(s.engine));
    htz_engine_hold(s.engine, s.part, FIRST + k, true, htz_engine_now(s.engine));
  }
  stage_run(&s, QUANTA / 2, left, right);
  for (uint32_t k = 0; k < CHORD; ++k) {
    const htz_island* island = s.instrument->keys[FIRST + k].island;
    // Every one of them sticks and slips some hundred times a second.
    check_above((double)htz_network_friction(htz_modal_island_network((htz_island*)island), 0)->catches, 10.0);
  }
  for (uint32_t k = 0; k < CHORD; ++k) {
    htz_engine_hold(s.engine, s.part, FIRST + k, false, htz_engine_now(s.engine));
  }
  stage_run(&s, QUANTA, left, right);
  const double first = loudest(left, QUANTA * HTZ_QUANTUM);
  stage_run(&s, 2 * QUANTA, NULL, NULL); // the answering strings have no dampers, and shake the bridges
  stage_run(&s, QUANTA, left, right);
  check_below(loudest(left, QUANTA * HTZ_QUANTUM), 0.1 * first);
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

static double in_group(const htz_group* group, const htz_network* net) {
  size_t contacts, joins;
  htz_network_size(net, &contacts, &joins);
  double sum = htz_group_energy(group);
  for (size_t i = 0; i < contacts; ++i) {
    sum += htz_network_account(net, i)->dissipated;
  }
  for (size_t i = 0; i < joins; ++i) {
    sum += htz_network_join(net, i)->dissipated;
  }
  return sum;
}

/** A plucked key of a file, its bodies without losses of their own, goes through a second with all that it is linked to. @return the worst error of the ledger, of the energy at first */
static double ledger_without_losses(const char* path, uint32_t struck, double* given) {
  static const double hardly = 1e-15; // of the losses that there are, some 100/s: nothing that a second shows
  stage s;
  stage_open(&s, path, rate_hz, 0);
  const htz_linked* l = &s.instrument->linked;
  const htz_key* key = &s.instrument->keys[struck];
  htz_network* net = htz_group_network(l->group);
  static float out[HTZ_QUANTUM];
  float* lines[HTZ_KEYS][HTZ_ISLAND_PICKUPS_MAX];
  float* shared[HTZ_GROUP_SHARED_MAX][HTZ_PICKUPS_MAX];
  for (uint32_t u = 0; u < l->n_keys; ++u) {
    htz_island* island = s.instrument->keys[l->keys[u]].island;
    island->cls->retune(island, 1.0, hardly);
    island->cls->damp(island, 0.0);
    for (uint32_t o = 0; o < HTZ_ISLAND_PICKUPS_MAX; ++o) {
      lines[u][o] = out;
    }
  }
  for (uint32_t u = 0; u < l->n_shared; ++u) {
    htz_modal_retune(l->shared[u], 1.0, hardly, false);
    for (uint32_t o = 0; o < HTZ_PICKUPS_MAX; ++o) {
      shared[u][o] = out;
    }
  }
  for (uint32_t u = 0; u < l->n_keys + l->n_shared; ++u) {
    htz_group_wake(l->group, u, true);
  }
  const htz_strike stroke = {.speed = key->speed[1],
                             .mass = key->mass,
                             .stiffness = key->stiffness,
                             .exponent = key->exponent,
                             .at = key->at,
                             .at_y = NAN};
  key->island->cls->strike(key->island, &stroke);
  for (int i = 0; i < QUANTA / 2; ++i) { // the mallet comes back, and is taken away
    htz_group_run(l->group, HTZ_QUANTUM, lines, shared);
  }
  assert_false(key->island->cls->busy(key->island));
  *given = htz_group_energy(l->group);
  const double start = in_group(l->group, net);
  double worst = 0.0;
  for (int i = 0; i < QUANTA; ++i) {
    htz_group_run(l->group, HTZ_QUANTUM, lines, shared);
    worst = fmax(worst, fabs(in_group(l->group, net) - start) / *given);
  }
  const htz_network_counters* n = htz_network_count(net);
  print_message("%s: %.3g J, ledger %.2g, %llu closures\n", path, *given, worst, (unsigned long long)n->closures);
  assert_int_equal((int)n->unconverged, 0);
  check_above((double)n->closures, 10.0);
  stage_close(&s);
  return worst;
}

/** Joins, springs and contacts between bodies that keys share, and one to the ground: all are moved by one key, and nothing is made or lost. */
static void shared_bodies_are_linked_to_each_other(void** state) {
  static const char* const path = "tests/fixtures/instruments/linked-shared.yaml";
  enum { PLUCKED = 50 };
  (void)state;
  double given;
  check_below(ledger_without_losses(path, PLUCKED, &given), 1e-9);
  stage s;
  stage_open(&s, path, rate_hz, 0);
  const htz_linked* l = &s.instrument->linked;
  assert_int_equal((int)l->n_shared, 5);
  static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM];
  htz_engine_hold(s.engine, s.part, PLUCKED, true, 0);
  htz_engine_strike(s.engine, s.part, PLUCKED, 110.0, 0);
  stage_run(&s, 30, left, right);
  for (uint32_t u = 0; u < l->n_shared; ++u) {
    // Each is reached through those before it alone: the sheet by three.
    check_above(energy_of(l->shared[u]), 1e-9 * given);
  }
  stage_run(&s, QUANTA / 2, left, right);
  check_above(loudest(left, SECOND / 2), 1e-4);  // the skin
  check_above(loudest(right, SECOND / 2), 1e-5); // the sheet
  htz_engine_hold(s.engine, s.part, PLUCKED, false, htz_engine_now(s.engine));
  int second = 0;
  for (; second < 30 && !htz_engine_asleep(s.engine); ++second) {
    stage_run(&s, QUANTA, NULL, NULL);
  }
  assert_true(htz_engine_asleep(s.engine));
  assert_true(htz_group_energy(l->group) == 0.0);
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** The links stand beside the objects; one's drum moves the other's through them, and not without. */
static void shared_bodies_of_objects_are_linked_to_each_other(void** state) {
  (void)state;
  stage s;
  static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM];
  stage_open(&s, "tests/fixtures/instruments/shells-and-stand.yaml", rate_hz, 0);
  htz_engine_strike(s.engine, s.part, 48, 110.0, 0);
  stage_run(&s, QUANTA / 2, left, right);
  check_above(loudest(left, SECOND / 2), 1e-3);
  check_above(loudest(right, SECOND / 2), 1e-5); // the low drum alone is on the right
  assert_int_equal((int)htz_network_count(htz_group_network(s.instrument->linked.group))->unconverged, 0);
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

/** What a loose bridge bends before anything sounds is no runaway: strings that a spring joins to a deck, under a wheel. */
static void what_lies_on_linked_strings_may_bend_them(void** state) {
  (void)state;
  stage s;
  static float left[QUANTA * HTZ_QUANTUM], right[QUANTA * HTZ_QUANTUM];
  stage_open(&s, "tests/fixtures/instruments/hurdy-on-case.yaml", rate_hz, 0);
  htz_engine_hold(s.engine, s.part, 48, true, 0);
  htz_engine_strike(s.engine, s.part, 48, 80.0, 0);
  stage_run(&s, QUANTA, left, right);
  check_above(loudest(left + SECOND / 2, SECOND / 4), 1e-4);
  assert_int_equal((int)htz_engine_count(s.engine).resets, 0);
  stage_close(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bars_and_resonators_answer),
      cmocka_unit_test(what_is_quiet_sleeps),
      cmocka_unit_test(what_lies_loose_sleeps_with_its_key),
      cmocka_unit_test(silence_and_strike_again),
      cmocka_unit_test(strings_in_tune_answer_through_the_deck),
      cmocka_unit_test(a_snare_hears_the_tom),
      cmocka_unit_test(forces_are_heard_through_links),
      cmocka_unit_test(wheels_on_a_deck),
      cmocka_unit_test(what_lies_on_linked_strings_may_bend_them),
      cmocka_unit_test(shared_bodies_are_linked_to_each_other),
      cmocka_unit_test(shared_bodies_of_objects_are_linked_to_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
