#include "willemsen.h"

// All parameters of this file are ours.
static const double small_mass = 0.01, large_mass = 0.05; // [kg]
static const double stiffness = 1e8, exponent = 1.3;      // K [N/m^alpha], alpha
static const double speed = 1.0;                          // thrown at [m/s]
static const double middle = 0.5;                         // lumped bodies have no other place
static const double picture = 0.1;                        // [s]

/** Body `a` meets body `b` where direction (u_a - u_b) is `gap`. */
static htz_grid_contact_desc collision(htz_grid_method method, uint32_t a, uint32_t b, double direction, double gap) {
  return (htz_grid_contact_desc){.force = HTZ_GRID_COLLISION,
                                 .method = method,
                                 .stiffness = stiffness,
                                 .exponent = exponent,
                                 .body_a = a,
                                 .body_b = b,
                                 .direction = direction,
                                 .gap = gap,
                                 .enabled = true};
}

static htz_status make_barrier(htz_grid_method method, willemsen_system* s, const char** why) {
  const double gap = 5e-3; // to either side [m]
  htz_status st = willemsen_mass(s, small_mass, 0.0, why);
  st = st ? st : willemsen_barrier(s);
  if (!st) {
    htz_grid_kick(s->bodies[0], middle, middle, 1.0, speed);
    const htz_grid_contact_desc contacts[] = {collision(method, 0, 1, 1.0, gap), collision(method, 0, 1, -1.0, gap)};
    st = willemsen_join(s, &(htz_grid_network_desc){.n_contacts = 2, .contacts = contacts}, why);
  }
  return st;
}

static htz_status run_barrier(htz_lab_report* report, const char** why) {
  const willemsen_plan plan = {.make = make_barrier, .n_places = 1, .places = {{0, 0}}, .picture = picture};
  return willemsen_run(report, &plan, NULL, why);
}

const htz_lab_experiment htz_experiment_willemsen_mass_barrier = {
    .name = "willemsen-mass-barrier",
    .paper = WILLEMSEN_PAPER "section 2, eqs. (10)-(18)",
    .title = "A mass against barriers",
    .about =
        "10 g thrown at 1 m/s between two barriers 5 mm to either side (the paper has one: a single bounce), K 1e8, alpha "
        "1.3,\n"
        "44.1 kHz, 1 s. `newton` is the discrete gradient solved by iteration; `plain` the paper's (11)-(18), with g in (18) "
        "where\n"
        "the print lacks it; `cases` and `release` are two treatments of its release. All keep their energy; what differs is\n"
        "whether the contact pulls, and whether it goes on storing energy when it is open.",
    WILLEMSEN_TABLE(1, {"u", "m"}, {"u_energy", "J"}),
    WILLEMSEN_ENERGY_PLOT(0.1, 1, {WILLEMSEN_TIME, WILLEMSEN_FIRST + 1, "in the mass", false}),
    WILLEMSEN_PLACES_PLOT(0.1, 1, {WILLEMSEN_TIME, WILLEMSEN_FIRST, "mass", false}),
    .run = run_barrier};

static htz_status make_spring(htz_grid_method method, willemsen_system* s, const char** why) {
  const double hz = 50.0, gap = 1e-3;
  htz_status st = willemsen_mass(s, small_mass, hz, why);
  st = st ? st : willemsen_barrier(s);
  if (!st) {
    htz_grid_kick(s->bodies[0], middle, middle, 1.0, speed);
    const htz_grid_contact_desc contact = collision(method, 0, 1, 1.0, gap);
    st = willemsen_join(s, &(htz_grid_network_desc){.n_contacts = 1, .contacts = &contact}, why);
  }
  return st;
}

static htz_status run_spring(htz_lab_report* report, const char** why) {
  const willemsen_plan plan = {.make = make_spring, .n_places = 1, .places = {{0, 0}}, .picture = picture};
  return willemsen_run(report, &plan, NULL, why);
}

const htz_lab_experiment htz_experiment_willemsen_mass_spring_barrier = {
    .name = "willemsen-mass-spring-barrier",
    .paper = WILLEMSEN_PAPER "section 3, eqs. (19)-(21)",
    .title = "A mass on a spring against a barrier",
    .about = "10 g on a spring of 50 Hz, thrown at 1 m/s towards a barrier 1 mm above, K 1e8, alpha 1.3 (ours), 44.1 kHz, 1 s.",
    WILLEMSEN_TABLE(1, {"u", "m"}, {"u_energy", "J"}),
    WILLEMSEN_ENERGY_PLOT(0.1, 1, {WILLEMSEN_TIME, WILLEMSEN_FIRST + 1, "in the mass", false}),
    WILLEMSEN_PLACES_PLOT(0.1, 1, {WILLEMSEN_TIME, WILLEMSEN_FIRST, "mass", false}),
    .run = run_spring};

static htz_status make_springs(htz_grid_method method, willemsen_system* s, const char** why) {
  const double upper_hz = 100.0, lower_hz = 37.0, gap = 5e-4;
  htz_status st = willemsen_mass(s, small_mass, upper_hz, why);
  st = st ? st : willemsen_mass(s, large_mass, lower_hz, why);
  if (!st) {
    htz_grid_kick(s->bodies[1], middle, middle, 1.0, speed);
    const htz_grid_contact_desc contact = collision(method, 1, 0, 1.0, gap); // (23d): eta = w - u
    st = willemsen_join(s, &(htz_grid_network_desc){.n_contacts = 1, .contacts = &contact}, why);
  }
  return st;
}

static htz_status run_springs(htz_lab_report* report, const char** why) {
  const willemsen_plan plan = {.make = make_springs, .n_places = 2, .places = {{0, 0}, {1, 0}}, .picture = picture};
  return willemsen_run(report, &plan, NULL, why);
}

const htz_lab_experiment htz_experiment_willemsen_mass_springs = {
    .name = "willemsen-mass-springs",
    .paper = WILLEMSEN_PAPER "section 4, eqs. (22)-(24), appendix C",
    .title = "Two masses on springs against each other",
    .about = "10 g at 100 Hz above 50 g at 37 Hz, 0.5 mm apart, the lower thrown upwards at 1 m/s, K 1e8, alpha 1.3 (ours), "
             "44.1 kHz,\n"
             "1 s. The squares of omega that (23), (24) and (91) lack are there.",
    WILLEMSEN_TABLE(2, {"u", "m"}, {"w", "m"}, {"u_energy", "J"}, {"w_energy", "J"}),
    WILLEMSEN_ENERGY_PLOT(0.1, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST + 2, "in the upper", false},
                          {WILLEMSEN_TIME, WILLEMSEN_FIRST + 3, "in the lower", false}),
    WILLEMSEN_PLACES_PLOT(0.1, 2, {WILLEMSEN_TIME, WILLEMSEN_FIRST, "upper", false},
                          {WILLEMSEN_TIME, WILLEMSEN_FIRST + 1, "lower", false}),
    .run = run_springs};
