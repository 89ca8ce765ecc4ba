// Linear joins by elimination: frequencies, decay and energy of what springs, dampers and rigid joins hold together.
#include "check.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static const double rate_hz = 48000.0;
static const double pi = 3.14159265358979323846;
static const double ledger_limit = 1e-11; // relative: rounding of some 1e5 steps

enum { PARTIALS = 40, SECOND = 48000 };

typedef struct {
  htz_arena arena;
  htz_modes modes[2];
  htz_modal* modal[2];
  htz_body* body[4];
  htz_network* net;
} rig;

/** A C4 string without losses, points at the places given. */
static void add_string(rig* r, size_t i, double tension, size_t n, const double* places) {
  const htz_string_desc string = {.length = 0.62, .tension = tension, .lin_density = 6.3e-3, .inharmonicity = 0.0};
  assert_int_equal(htz_modes_string(&string, 20000.0, PARTIALS, &r->arena, &r->modes[i]), HTZ_OK);
  for (size_t k = 0; k < r->modes[i].n; ++k) {
    r->modes[i].sigma[k] = 0.0;
  }
  assert_int_equal(htz_modal_new(&r->modes[i], n, 0, rate_hz, htz_kernels_select(), &r->arena, &r->modal[i]), HTZ_OK);
  r->body[i] = htz_modal_body(r->modal[i]);
  for (size_t p = 0; p < n; ++p) {
    htz_modal_place(r->modal[i], p, places[p]);
  }
}

static void add_mass(rig* r, size_t i, double mass) {
  const htz_mass_desc desc = {.mass = mass};
  assert_int_equal(htz_mass_new(&desc, rate_hz, &r->arena, &r->body[i]), HTZ_OK);
}

static void start(rig* r) {
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, (size_t)8 << 20), HTZ_OK);
}

static void join_up(rig* r, size_t bodies, size_t n_joins, const htz_join_desc* joins, size_t n, const htz_contact_desc* c) {
  assert_int_equal(htz_network_new(bodies, r->body, n, c, rate_hz, &r->arena, &r->net), HTZ_OK);
  assert_int_equal(htz_network_add_joins(r->net, n_joins, joins, &r->arena), HTZ_OK);
}

/** What is there of frequency `hz` from sample `from` on, through a Hann window of half a second. */
static double complex component(const double* x, size_t from, double hz) {
  enum { WINDOW = SECOND / 2 };
  double complex sum = 0.0;
  for (size_t i = 0; i < WINDOW; ++i) {
    const double window = 0.5 - 0.5 * cos(2.0 * pi * (double)i / WINDOW);
    sum += window * x[from + i] * cexp(-I * 2.0 * pi * hz * (double)(from + i) / rate_hz);
  }
  return sum;
}

/** Frequency near `hz` of the second of sound x, from how its phase goes on: to some 1e-6 of it where nothing else is near. */
static double measured_hz(const double* x, double hz) {
  const double turned = carg(component(x, SECOND / 2, hz) / component(x, 0, hz));
  return hz + turned / (2.0 * pi * 0.5);
}

static double cents_between(double a, double b) {
  return 1200.0 * log2(a / b);
}

static void two_masses_and_a_spring_swing_as_they_must(void** state) {
  static double x[SECOND];
  const double k = 4e4, m[2] = {2e-3, 5e-3};
  (void)state;
  rig r;
  start(&r);
  add_mass(&r, 0, m[0]);
  add_mass(&r, 1, m[1]);
  const htz_join_desc spring = {.body_a = 0, .body_b = 1, .stiffness = k, .enabled = true};
  r.body[0]->cls->set_motion(r.body[0], 1e-3, 0.0);
  r.body[1]->cls->set_motion(r.body[1], -0.4e-3, 0.0);
  join_up(&r, 2, 1, &spring, 0, NULL);
  htz_network_ease_join(r.net, 0, 1.0);
  const double before = htz_network_energy(r.net);
  for (size_t i = 0; i < SECOND; ++i) {
    htz_network_step(r.net);
    x[i] = r.body[0]->cls->displacement(r.body[0], 0);
  }
  const double omega = sqrt(k * (1.0 / m[0] + 1.0 / m[1]));
  // The mean of the spring's force over a step makes it tan(omega' d/2) = omega d/2.
  const double stepped = 2.0 * rate_hz * atan(0.5 * omega / rate_hz);
  const double hz = measured_hz(x, omega / (2.0 * pi));
  print_message("two masses: %.4f Hz, %.3f cents from the continuous system\n", hz, cents_between(hz, omega / (2.0 * pi)));
  check_near(cents_between(hz, stepped / (2.0 * pi)), 0.0, 0.01);
  check_near(cents_between(hz, omega / (2.0 * pi)), 0.0, 1.1 * 1200.0 / log(2.0) * omega * omega / (12.0 * rate_hz * rate_hz));
  check_below(fabs(htz_network_energy(r.net) / before - 1.0), ledger_limit);
  htz_arena_free(&r.arena);
}

/** Of a string with a mass at `x`: 1/(m w^2) - sum phi^2/(m_k (w_k^2 - w^2)), whose zeros are its frequencies. */
static double secular(const rig* r, double mass, double omega) {
  double sum = 1.0 / (mass * omega * omega);
  for (size_t k = 0; k < r->modes[0].n; ++k) {
    const double phi = htz_modal_phi(r->modal[0], 0)[k];
    const double wk = r->modes[0].omega[k];
    sum -= phi * phi / (r->modes[0].mass[k] * (wk * wk - omega * omega));
  }
  return sum;
}

/** The zero below the partial `k` of the bare string. */
static double partial_of(const rig* r, double mass, size_t k) {
  double low = (k ? r->modes[0].omega[k - 1] : 0.0) * (1.0 + 1e-12) + 1e-9, high = r->modes[0].omega[k] * (1.0 - 1e-12);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    // It falls from +infinity to -infinity in between.
    *(secular(r, mass, middle) > 0.0 ? &low : &high) = middle;
  }
  return 0.5 * (low + high) / (2.0 * pi);
}

static void a_screw_on_a_string_shifts_its_partials(void** state) {
  static double x[SECOND];
  static const double places[2] = {0.23, 0.11};
  const double mass = 1.5e-3; // of a string of 3.9 g
  (void)state;
  rig r;
  start(&r);
  add_string(&r, 0, 670.0, 2, places);
  add_mass(&r, 1, mass);
  const htz_join_desc rigid = {.body_a = 0, .point_a = 0, .body_b = 1, .rigid = true, .enabled = true};
  // A start that sets off every partial, and the mass with the string.
  double speed = 0.0;
  for (size_t k = 0; k < r.modes[0].n; ++k) {
    htz_modal_v(r.modal[0])[k] = htz_modal_phi(r.modal[0], 1)[k] / (double)(1 + k);
  }
  speed = r.body[0]->cls->velocity(r.body[0], 0);
  r.body[1]->cls->set_motion(r.body[1], 0.0, speed);
  join_up(&r, 2, 1, &rigid, 0, NULL);
  const double before = htz_network_energy(r.net);
  for (size_t i = 0; i < SECOND; ++i) {
    htz_network_step(r.net);
    x[i] = r.body[0]->cls->displacement(r.body[0], 1);
  }
  double worst = 0.0, moved = 0.0;
  for (size_t k = 0; k < 12; ++k) {
    const double hz = partial_of(&r, mass, k);
    const double off = cents_between(measured_hz(x, hz), hz);
    const double shift = cents_between(hz, r.modes[0].omega[k] / (2.0 * pi));
    worst = fmax(worst, fabs(off));
    moved = fmin(moved, shift);
  }
  print_message("screw: 12 partials within %.3f cents of the secular equation, moved by up to %.0f\n", worst, -moved);
  check_below(worst, 0.5);
  check_below(moved, -100.0);
  // String and mass have gone the same way all the time.
  check_near(r.body[0]->cls->displacement(r.body[0], 0) - r.body[1]->cls->displacement(r.body[1], 0), 0.0, 1e-12);
  check_below(fabs(htz_network_energy(r.net) / before - 1.0), ledger_limit);
  htz_arena_free(&r.arena);
}

static void a_damper_takes_what_theory_says(void** state) {
  static const double places[1] = {0.23};
  const double resistance = 0.02; // little enough for the partials to stay apart [N s/m]
  (void)state;
  for (size_t k = 0; k < 4; ++k) {
    rig r;
    start(&r);
    add_string(&r, 0, 670.0, 1, places);
    assert_int_equal(htz_barrier_new(&r.arena, &r.body[1]), HTZ_OK);
    const htz_join_desc damper = {.body_a = 0, .body_b = 1, .damping = resistance, .enabled = true};
    htz_modal_v(r.modal[0])[k] = 1.0;
    join_up(&r, 2, 1, &damper, 0, NULL);
    const double before = htz_network_energy(r.net);
    for (size_t i = 0; i < SECOND / 4; ++i) {
      htz_network_step(r.net);
    }
    const double phi = htz_modal_phi(r.modal[0], 0)[k];
    const double sigma = resistance * phi * phi / (2.0 * r.modes[0].mass[k]);
    const double measured = -0.5 * log(htz_network_energy(r.net) / before) / 0.25;
    // To the next order the other partials change it by the share resistance sum phi^2/m sigma/spacing, some 0.3 %.
    check_near(measured / sigma, 1.0, 0.01);
    check_below(fabs((htz_network_energy(r.net) + htz_network_join(r.net, 0)->dissipated) / before - 1.0), ledger_limit);
    htz_arena_free(&r.arena);
  }
}

/** Two strings with a spring between, a mass on one of them, and a hammer that bounces on both. */
static void build_all(rig* r, bool eliminated, double stiffness) {
  static const double first[3] = {0.23, 0.11, 0.4}, second[3] = {0.31, 0.12, 0.4};
  start(r);
  add_string(r, 0, 670.0, 3, first);
  add_string(r, 1, 690.0, 3, second);
  add_mass(r, 2, 8e-3);
  const htz_mass_desc hung = {.mass = 1.5e-3, .stiffness = 1e3};
  assert_int_equal(htz_mass_new(&hung, rate_hz, &r->arena, &r->body[3]), HTZ_OK);
  const htz_law felt = {&htz_law_hunt_crossley, {4e7, 2.3, 0.0}};
  const htz_law spring = {&htz_law_spring, {stiffness, 0.0}};
  const htz_contact_desc c[4] = {
      {felt, 2, 0, 0, 1, 1.0, 0.0, true, false},
      {felt, 2, 0, 1, 1, 1.0, 1e-5, true, false},
      {felt, 3, 0, 1, 2, -1.0, 2e-5, true, false},
      {spring, 0, 0, 1, 0, 1.0, 0.0, !eliminated, false},
  };
  const htz_join_desc joins[1] = {
      {.body_a = 0, .point_a = 0, .body_b = 1, .point_b = 0, .stiffness = stiffness, .enabled = eliminated}};
  r->body[2]->cls->set_motion(r->body[2], 0.0, 1.0);
  join_up(r, 4, 1, joins, 4, c);
}

static void elimination_gives_what_iteration_gives(void** state) {
  rig a, b;
  (void)state;
  build_all(&a, true, 3e4);
  build_all(&b, false, 3e4);
  const double before = htz_network_energy(a.net);
  double worst = 0.0;
  for (size_t i = 0; i < 400; ++i) { // over the blow, before bounces of the light mass tell roundings apart
    htz_network_step(a.net);
    htz_network_step(b.net);
    for (size_t s = 0; s < 2; ++s) {
      const double off = a.body[s]->cls->displacement(a.body[s], 2) - b.body[s]->cls->displacement(b.body[s], 2);
      worst = fmax(worst, fabs(off));
    }
  }
  print_message("eliminated against iterated: %.1e m\n", worst);
  check_below(worst, 1e-11); // of displacements of a millimetre
  for (size_t i = 0; i < SECOND / 4; ++i) {
    htz_network_step(a.net);
  }
  assert_true(htz_network_account(a.net, 2)->closures > 5);
  check_below(fabs(htz_network_energy(a.net) / before - 1.0), 1e-10);
  htz_arena_free(&a.arena);
  htz_arena_free(&b.arena);
}

static void rigid_and_stiff_joins_keep_the_ledger_under_blows(void** state) {
  static const double first[3] = {0.23, 0.11, 0.4}, second[3] = {0.31, 0.12, 0.4};
  (void)state;
  rig r;
  start(&r);
  add_string(&r, 0, 670.0, 3, first);
  add_string(&r, 1, 690.0, 3, second);
  add_mass(&r, 2, 8e-3);
  const htz_mass_desc hung = {.mass = 1.5e-3};
  assert_int_equal(htz_mass_new(&hung, rate_hz, &r.arena, &r.body[3]), HTZ_OK);
  const htz_law felt = {&htz_law_hunt_crossley, {4e8, 2.3, 0.0}};
  const htz_contact_desc c[2] = {{felt, 2, 0, 0, 1, 1.0, 0.0, true, false}, {felt, 2, 0, 1, 1, 1.0, 1e-5, true, false}};
  const htz_join_desc joins[3] = {
      {.body_a = 0, .point_a = 0, .body_b = 3, .rigid = true, .enabled = true},
      {.body_a = 1, .point_a = 0, .body_b = 3, .rigid = true, .enabled = true},
      {.body_a = 0, .point_a = 2, .body_b = 1, .point_b = 2, .stiffness = 1e10, .damping = 0.5, .enabled = true},
  };
  r.body[2]->cls->set_motion(r.body[2], 0.0, 3.0);
  join_up(&r, 4, 3, joins, 2, c);
  htz_network_audit audit = {0.0, 0.0};
  htz_network_set_audit(r.net, &audit);
  const double before = htz_network_energy(r.net);
  for (size_t i = 0; i < SECOND / 4; ++i) {
    htz_network_step(r.net);
  }
  double lost = 0.0;
  for (size_t i = 0; i < 3; ++i) {
    lost += htz_network_join(r.net, i)->dissipated;
  }
  check_below(fabs((htz_network_energy(r.net) + lost) / before - 1.0), 1e-10);
  check_below(audit.gain_max / before, 1e-12);
  assert_int_equal(htz_network_count(r.net)->unconverged, 0);
  htz_arena_free(&r.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_masses_and_a_spring_swing_as_they_must),
      cmocka_unit_test(a_screw_on_a_string_shifts_its_partials),
      cmocka_unit_test(a_damper_takes_what_theory_says),
      cmocka_unit_test(elimination_gives_what_iteration_gives),
      cmocka_unit_test(rigid_and_stiff_joins_keep_the_ledger_under_blows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
