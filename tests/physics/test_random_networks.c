/*
   Networks put together at random, each from a seed: 2 to 12 bodies of every kind, plates that bend far among them, 1 to 20 links of every
   kind; in some contacts along strings as well, on a wall or on another string, solved jointly; some united, as bodies that keys share
   are. Whatever they are, energy adds up, collisions never pull, everything is solved, and what has losses never gains.

   Twenty in the gate, 500 with HERTZIAN_LONG set; test_random_networks SEED runs one and says what it is made of.
*/
#include "check.h"
#include "dice.h"

#include "hertzian/contact/network.h"
#include "hertzian/model/bodies.h"
#include "hertzian/model/disc.h"
#include "hertzian/model/membrane.h"
#include "hertzian/model/plate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double ledger_limit = 1e-9; // of what was put in
// In a sample: sums of the energies of a dozen bodies, some of which are rounded in hundreds of modes and steps.
static const double rise_limit = 1e-11;

enum { BODIES_MAX = 12, LINKS_MAX = 20, POINTS = 3, PLACES = 24, FEW = 20, MANY = 500 };
enum { CONTACTS_MAX = LINKS_MAX + 2 * PLACES, ALL_POINTS = POINTS + 2 * PLACES };
enum { STRING = 0, STRETCHING, BAR, TINE, BOARD, PLATE, DISC, MEMBRANE, LIST, MASS, HUNG, BARRIER, DRIVEN, KINDS };
static const char* const kinds[KINDS] = {
    "string", "stretching string", "bar",         "tine", "board", "plate", "disc", "skin", "list", "mass",
    "hung",   "barrier",           "driven point"};

/** How much is lost, and where. */
typedef enum { NOTHING = 0, IN_LINKS, EVERYWHERE } losses;

typedef struct {
  htz_arena arena;
  dice d;
  losses lost;
  double rate_hz;
  bool told;
  size_t n_bodies;
  htz_body* body[BODIES_MAX];
  htz_modes modes[BODIES_MAX];
  htz_modal* modal[BODIES_MAX]; // NULL: not of modes
  unsigned kind[BODIES_MAX];
  double speed[BODIES_MAX]; // of driven points [m/s]
  size_t n_contacts, n_joins, n_frictions;
  htz_contact_desc contact[CONTACTS_MAX];
  size_t n_along; // of those, the last so many are along strings
  bool united;
  htz_disc_shapes shapes;
  htz_join_desc join[LINKS_MAX];
  htz_friction_link_desc friction[LINKS_MAX];
  double drawn[LINKS_MAX]; // speed of each bow [m/s]
  bool felt;               // there is felt among the contacts: a step of its may gain by its own order
  htz_network* net;
} rig;

static htz_status make_modes(rig* r, unsigned kind, htz_modes* out) {
  dice* d = &r->d;
  const size_t n = 4 + pick(d, 30);
  const double limit = 18000.0;
  switch (kind) {
  case STRING:
  case STRETCHING: {
    const htz_string_desc s = {.length = uniform(d, 0.2, 1.2),
                               .tension = spread(d, 40.0, 700.0),
                               .lin_density = spread(d, 4e-4, 2e-2),
                               .inharmonicity = spread(d, 1e-6, 1e-3),
                               .stretch = kind == STRETCHING ? spread(d, 5e3, 1e5) : 0.0};
    return htz_modes_string(&s, limit, n, &r->arena, out);
  }
  case BAR:
  case TINE: {
    const htz_bar_desc b = {.ends = kind == BAR ? HTZ_BAR_FREE : HTZ_BAR_CANTILEVER,
                            .mass = spread(d, 5e-3, 0.5),
                            .tuning_hz = spread(d, 80.0, 2000.0),
                            .support_hz = roll(d) % 2 ? 20.0 : 0.0};
    return htz_modes_bar(&b, limit, n, &r->arena, out, NULL);
  }
  case BOARD: {
    const htz_board_desc b = {.length = uniform(d, 0.3, 1.4),
                              .width = uniform(d, 0.2, 1.0),
                              .thickness = spread(d, 2e-3, 1e-2),
                              .density = 420.0,
                              .young = 1.1e10,
                              .young_across = 1e9,
                              .shear = 7e8,
                              .q = 30.0,
                              .line = {0.2, 0.3, 0.8, 0.6}};
    return htz_modes_board(&b, limit, n, &r->arena, out);
  }
  case PLATE: {
    const htz_plate_desc p = {.edges = roll(d) % 2 ? HTZ_PLATE_FREE : HTZ_PLATE_CLAMPED,
                              .length = uniform(d, 0.2, 0.6),
                              .width = uniform(d, 0.2, 0.5),
                              .thickness = spread(d, 5e-4, 5e-3),
                              .density = 7800.0,
                              .young = 2e11,
                              .young_across = 2e11,
                              .shear = 7.7e10,
                              .poisson = 0.3,
                              .line = {0.1, 0.2, 0.9, 0.7}};
    return htz_modes_plate(&p, limit, 8 + pick(d, 6), &r->arena, out);
  }
  case DISC: { // bends by its thickness and more
    const htz_disc_desc disc = {.radius = uniform(d, 0.1, 0.3),
                                .thickness = spread(d, 3e-4, 2e-3),
                                .density = 8600.0,
                                .young = 1.1e11,
                                .poisson = 0.33};
    if (!r->shapes.n) {
      assert_int_equal(htz_disc_shapes_find(0.33, 0.0, 12 + HTZ_DISC_RIGID_MODES, 12, 0, &r->arena, &r->shapes), HTZ_OK);
    }
    return htz_modes_disc(&r->shapes, &disc, limit, r->shapes.n, &r->arena, out);
  }
  case MEMBRANE: {
    const htz_membrane_desc m = {.radius = uniform(d, 0.1, 0.4), .area_density = 0.26, .tension = spread(d, 500.0, 5000.0)};
    return htz_modes_membrane(NULL, &m, limit, n, &r->arena, out);
  }
  default: {
    double hz[5], sigma[5] = {0.0}, mass[5];
    for (size_t i = 0; i < 5; ++i) {
      hz[i] = spread(d, 30.0, 15000.0);
      mass[i] = spread(d, 1e-3, 1.0);
    }
    return htz_modes_list(1 + pick(d, 5), hz, sigma, mass, 1, NULL, &r->arena, out);
  }
  }
}

static void add_modal(rig* r, size_t i, unsigned kind) {
  assert_int_equal(make_modes(r, kind, &r->modes[i]), HTZ_OK);
  const double sigma = r->lost == EVERYWHERE ? spread(&r->d, 0.1, 30.0) : 0.0;
  for (size_t k = 0; k < r->modes[i].n; ++k) {
    r->modes[i].sigma[k] = sigma * (1.0 + 0.03 * (double)k);
  }
  assert_int_equal(htz_modal_new(&r->modes[i], kind == STRING || kind == STRETCHING ? ALL_POINTS : POINTS, 0, r->rate_hz,
                                 htz_kernels_select(), &r->arena, &r->modal[i]),
                   HTZ_OK);
  for (size_t p = 0; p < POINTS; ++p) {
    htz_modal_place(r->modal[i], p, uniform(&r->d, 0.03, 0.97));
  }
  r->body[i] = htz_modal_body(r->modal[i]);
  if (roll(&r->d) % 2) {
    const double speed = uniform(&r->d, -0.5, 0.5);
    for (size_t k = 0; k < r->modes[i].n; ++k) {
      htz_modal_v(r->modal[i])[k] = speed * uniform(&r->d, -1.0, 1.0) / (1.0 + (double)k);
    }
  }
}

static bool moves(const rig* r, size_t i) {
  return r->kind[i] != BARRIER && r->kind[i] != DRIVEN;
}

static void add_body(rig* r, size_t i) {
  dice* d = &r->d;
  // The first two can be moved.
  r->kind[i] = (unsigned)pick(d, i < 2 ? BARRIER : KINDS);
  switch (r->kind[i]) {
  case MASS:
  case HUNG: {
    const htz_mass_desc m = {.mass = spread(d, 1e-4, 0.05),
                             .stiffness = r->kind[i] == HUNG ? spread(d, 10.0, 1e4) : 0.0,
                             .damping = r->lost == EVERYWHERE ? spread(d, 1e-3, 0.1) : 0.0};
    assert_int_equal(htz_mass_new(&m, r->rate_hz, &r->arena, &r->body[i]), HTZ_OK);
    r->body[i]->cls->set_motion(r->body[i], 0.0, uniform(d, -4.0, 4.0));
    break;
  }
  case BARRIER:
    assert_int_equal(htz_barrier_new(&r->arena, &r->body[i]), HTZ_OK);
    break;
  case DRIVEN:
    assert_int_equal(htz_driven_new(r->rate_hz, &r->arena, &r->body[i]), HTZ_OK);
    r->speed[i] = uniform(d, -0.01, 0.01);
    r->body[i]->cls->set_motion(r->body[i], 0.0, r->speed[i]);
    break;
  default:
    add_modal(r, i, r->kind[i]);
  }
}

static uint32_t point_of(rig* r, size_t body) {
  const size_t n = r->body[body]->n_points;
  return (uint32_t)pick(&r->d, n < POINTS ? n : POINTS);
}

static htz_law any_law(rig* r, double* gap) {
  static const double exponents[] = {1.0, 1.5, 2.0, 2.3, 3.2};
  dice* d = &r->d;
  const bool loses = r->lost != NOTHING;
  *gap = 0.0;
  switch (pick(d, 6)) {
  case 5:
    *gap = spread(d, 1e-6, 1e-3);
    return (htz_law){&htz_law_wound,
                     {spread(d, 1e4, 1e8), exponents[pick(d, 5)], loses && roll(d) % 2 ? spread(d, 1e-2, 2.0) : 0.0,
                      spread(d, 1e6, 1e10), exponents[pick(d, 5)], spread(d, 1e-7, 1e-3)}};
  case 0:
    return (htz_law){&htz_law_spring, {spread(d, 1e2, 1e7), loses ? spread(d, 1e-3, 1.0) : 0.0}};
  case 1:
    return (htz_law){&htz_law_cubic, {spread(d, 1e2, 1e5), spread(d, 1e6, 1e12), loses ? spread(d, 1e-3, 1.0) : 0.0}};
  case 2:
    *gap = spread(d, 1e-6, 1e-3);
    if (loses) {
      r->felt = true;
      return (htz_law){&htz_law_stulov,
                       {spread(d, 1e6, 1e10), uniform(d, 2.0, 3.5), uniform(d, 0.1, 0.9), spread(d, 1e-6, 1e-3)}};
    }
    break;
  default:
    *gap = spread(d, 1e-6, 1e-3);
  }
  return (htz_law){&htz_law_hunt_crossley,
                   {spread(d, 1e4, 1e10), exponents[pick(d, 5)], loses && roll(d) % 2 ? spread(d, 1e-2, 2.0) : 0.0}};
}

static void add_contact(rig* r, size_t a, size_t b) {
  htz_contact_desc* c = &r->contact[r->n_contacts++];
  double gap;
  const htz_law law = any_law(r, &gap);
  *c = (htz_contact_desc){.law = law,
                          .body_a = (uint32_t)a,
                          .point_a = point_of(r, a),
                          .body_b = (uint32_t)b,
                          .point_b = point_of(r, b),
                          .direction = roll(&r->d) % 2 ? 1.0 : -1.0,
                          .gap = gap,
                          .enabled = true};
  if (r->told) {
    print_message("  contact %s, K %.3g, exponent %.2g, body %zu point %u, body %zu point %u, gap %.2g\n", law.cls->name,
                  law.p[0], law.p[1], a, c->point_a, b, c->point_b, gap);
  }
}

static void add_join(rig* r, size_t a, size_t b) {
  const bool loses = r->lost != NOTHING;
  htz_join_desc* j = &r->join[r->n_joins++];
  *j = (htz_join_desc){.body_a = (uint32_t)a,
                       .point_a = point_of(r, a),
                       .body_b = (uint32_t)b,
                       .point_b = point_of(r, b),
                       .stiffness = spread(&r->d, 1e2, 1e8),
                       .damping = loses ? spread(&r->d, 1e-3, 3.0) : 0.0,
                       .rigid = roll(&r->d) % 3 == 0,
                       .enabled = true};
  if (r->told) {
    print_message("  join %s, k %.3g, body %zu point %u, body %zu point %u\n", j->rigid ? "rigid" : "spring", j->stiffness, a,
                  j->point_a, b, j->point_b);
  }
}

static void add_friction(rig* r, size_t a) {
  dice* d = &r->d;
  htz_friction_link_desc* f = &r->friction[r->n_frictions];
  r->drawn[r->n_frictions++] = uniform(d, -0.3, 0.3);
  *f = (htz_friction_link_desc){.law = roll(d) % 3
                                           ? (htz_friction){.kind = HTZ_FRICTION_STATIC, .sharpness = spread(d, 30.0, 300.0)}
                                           : (htz_friction){.kind = HTZ_FRICTION_BRISTLES,
                                                            .mu_static = 0.8,
                                                            .mu_dynamic = 0.4,
                                                            .stribeck = 0.1,
                                                            .s0 = 1e4,
                                                            .s1 = 0.1,
                                                            .s2 = 0.4},
                                .body = (uint32_t)a};
  f->point[0] = f->point[1] = point_of(r, a);
  if (r->told) {
    print_message("  bow, %s, body %zu point %u, %.2g m/s\n", f->law.kind == HTZ_FRICTION_STATIC ? "static" : "bristles", a,
                  f->point[0], r->drawn[r->n_frictions - 1]);
  }
}

static void add_link(rig* r) {
  const size_t a = pick(&r->d, r->n_bodies), b = pick(&r->d, r->n_bodies);
  const bool either = moves(r, a) || moves(r, b);
  const size_t what = pick(&r->d, 10);
  if (what == 0 && moves(r, a) && r->n_frictions < 2) {
    add_friction(r, a);
  } else if (what < 4 && either && a != b && r->kind[a] != DRIVEN && r->kind[b] != DRIVEN && r->n_joins < HTZ_JOINS_MAX) {
    add_join(r, a, b);
  } else if (either && (a != b || r->body[a]->n_points > 1)) {
    add_contact(r, a, b);
  }
}

static bool is_string(const rig* r, size_t i) {
  return r->kind[i] == STRING || r->kind[i] == STRETCHING;
}

/** Contacts side by side along a string: frets, a curved bridge, a string beside it, hard enough to buzz. @return false when there is no string */
static bool add_along(rig* r) {
  dice* d = &r->d;
  const size_t a = pick(d, r->n_bodies), b = pick(d, r->n_bodies), n = 4 + pick(d, PLACES - 3);
  const bool other = a != b && is_string(r, b), wall = r->kind[b] == BARRIER;
  if (!is_string(r, a) || !(other || wall)) {
    return false;
  }
  const double from = uniform(d, 0.01, 0.5), to = from + uniform(d, 0.05, 0.4), gap = spread(d, 1e-6, 3e-4);
  const double curve = uniform(d, 0.0, 1e-3), stiffness = spread(d, 1e5, 1e9), exponent = 1.0 + 0.5 * (double)pick(d, 3);
  const double viscosity = r->lost != NOTHING ? spread(d, 1e-2, 1.0) : 0.0, direction = roll(d) % 2 ? 1.0 : -1.0;
  const uint32_t first = (uint32_t)(POINTS + r->n_along);
  for (uint32_t i = 0; i < n; ++i) {
    const double x = from + (to - from) * ((double)i + 0.5) / (double)n, off = (double)i / (double)n - 0.5;
    htz_modal_place(r->modal[a], first + i, x);
    if (other) {
      htz_modal_place(r->modal[b], first + i, x);
    }
    r->contact[r->n_contacts++] =
        (htz_contact_desc){.law = {&htz_law_hunt_crossley, {stiffness / (double)n, exponent, viscosity}},
                           .body_a = (uint32_t)a,
                           .point_a = first + i,
                           .body_b = (uint32_t)b,
                           .point_b = other ? first + i : 0,
                           .direction = direction,
                           .gap = gap + curve * off * off,
                           .enabled = true,
                           .whole_steps = true};
  }
  r->n_along += n;
  if (r->told) {
    print_message("  %u contacts along body %zu on body %zu from %.2f to %.2f, K %.3g, gap %.2g\n", (unsigned)n, a, b, from, to,
                  stiffness, gap);
  }
  return true;
}

/** Bows are pressed so that each friction has one root at most of its time, or several, up to U = 2 for all together. */
static void press(rig* r) {
  for (size_t i = 0; i < r->n_frictions; ++i) {
    const double per_newton = htz_network_friction_stiffness(r->net, i, 0, 1.0);
    const double normal = per_newton > 0.0 ? uniform(&r->d, 0.1, 2.0) / ((double)r->n_frictions * per_newton) : 0.0;
    htz_network_rub(r->net, i, r->drawn[i], normal < 20.0 ? normal : 20.0, 0.0);
  }
}

static void build(rig* r, uint64_t seed, losses lost, bool told) {
  static const double rates[] = {44100.0, 48000.0, 22050.0, 96000.0};
  memset(r, 0, sizeof *r);
  assert_int_equal(htz_arena_init(&r->arena, (size_t)48 << 20), HTZ_OK);
  r->d.state = seed * 0x2545f4914f6cdd1du + 1;
  r->lost = lost;
  r->told = told;
  r->rate_hz = rates[seed % 8 < 5 ? 0 : seed % 8 - 4];
  r->n_bodies = 2 + pick(&r->d, BODIES_MAX - 1);
  for (size_t i = 0; i < r->n_bodies; ++i) {
    add_body(r, i);
    if (told) {
      print_message("  body %zu: %s, %zu modes\n", i, kinds[r->kind[i]], r->modal[i] ? htz_modal_count(r->modal[i]) : 1);
    }
  }
  const size_t links = 1 + pick(&r->d, LINKS_MAX);
  for (size_t i = 0; i < links; ++i) {
    add_link(r);
  }
  const uint64_t what = seed % 4; // one in four has contacts along strings where it has strings, one is united
  for (size_t i = 0; i < 16 && what == 1 && r->n_along + PLACES <= 2 * PLACES; ++i) {
    add_along(r);
  }
  r->united = what == 3 && r->n_frictions == 0;
  if (r->united) {
    assert_int_equal(htz_network_unite(0, NULL, r->n_bodies, r->body, r->n_contacts, r->contact, r->n_joins, r->join,
                                       r->rate_hz, &r->arena, &r->net),
                     HTZ_OK);
    return;
  }
  assert_int_equal(htz_network_new(r->n_bodies, r->body, r->n_contacts, r->contact, r->rate_hz, &r->arena, &r->net), HTZ_OK);
  assert_int_equal(htz_network_add_joins(r->net, r->n_joins, r->join, &r->arena), HTZ_OK);
  assert_int_equal(htz_network_add_frictions(r->net, r->n_frictions, r->friction, &r->arena), HTZ_OK);
  if (r->n_along) {
    assert_int_equal(htz_network_solve_jointly(r->net, &r->arena), HTZ_OK);
  }
  press(r);
}

/** What was put in since the last sample by bows, driven points and the taking up of internal forces [J]. */
typedef struct {
  double bows, driven, booked; // so far
} external_work;

static double bring(const rig* r, external_work* b) {
  double bows = 0.0, booked = 0.0, driven = 0.0;
  for (size_t i = 0; i < r->n_frictions; ++i) {
    bows += htz_network_friction(r->net, i)->work;
  }
  for (size_t i = 0; i < r->n_bodies; ++i) {
    booked += r->modal[i] ? htz_modal_internal(r->modal[i]).booked : 0.0;
  }
  for (size_t i = 0; i < r->n_contacts; ++i) {
    const htz_contact_desc* c = &r->contact[i];
    const double impulse = c->direction * htz_network_account(r->net, i)->force_mean / r->rate_hz;
    driven += impulse * (r->speed[c->body_a] - r->speed[c->body_b]);
  }
  const double came = bows - b->bows + driven + booked - b->booked;
  *b = (external_work){bows, b->driven + driven, booked};
  return came;
}

static double lost_so_far(const rig* r) {
  double sum = 0.0;
  for (size_t i = 0; i < r->n_contacts; ++i) {
    sum += htz_network_account(r->net, i)->dissipated;
  }
  for (size_t i = 0; i < r->n_joins; ++i) {
    sum += htz_network_join(r->net, i)->dissipated;
  }
  for (size_t i = 0; i < r->n_frictions; ++i) {
    sum += htz_network_friction(r->net, i)->lost;
  }
  return sum;
}

/** What the bristles of bows hold [J]: it is part of what friction has taken, and comes back. */
static double bristled(const rig* r) {
  double sum = 0.0;
  for (size_t i = 0; i < r->n_frictions; ++i) {
    const double z = htz_network_friction_state(r->net, i)->z;
    sum += 0.5 * r->friction[i].law.s0 * z * z;
  }
  return sum;
}

typedef struct {
  double ledger, rise, pulled;
  double put; // [J]
} outcome;

static outcome run(rig* r, double seconds) {
  outcome o = {0.0, 0.0, 0.0, htz_network_energy(r->net)};
  external_work b = {0.0, 0.0, 0.0};
  const double start = o.put;
  double last = start;
  for (long n = 0; n < lrint(seconds * r->rate_hz); ++n) {
    htz_network_step(r->net);
    const double came = bring(r, &b), now = htz_network_energy(r->net);
    o.put += fabs(came);
    const double scale = o.put > 0.0 ? o.put : 1.0;
    const double off = fabs(now + lost_so_far(r) - b.bows - b.driven - b.booked - start) / scale;
    o.ledger = off <= o.ledger ? o.ledger : off; // keeps NaN
    const double held = now + bristled(r), rise = (held - last - came) / scale;
    o.rise = rise <= o.rise ? o.rise : rise;
    last = held;
    for (size_t i = 0; i < r->n_contacts; ++i) {
      const double force = htz_network_account(r->net, i)->force_mean;
      const bool collides = r->contact[i].law.cls->one_sided;
      o.pulled = collides && force < o.pulled ? force : o.pulled;
    }
  }
  return o;
}

/** @return true when the network of `seed` is as it must be; `closures` grows by how often its contacts closed */
static bool try_one(uint64_t seed, bool told, uint64_t* closures) {
  const losses lost = (losses)(seed % 3);
  rig r;
  build(&r, seed, lost, told);
  const outcome o = run(&r, 1.0);
  const htz_network_counters* n = htz_network_count(r.net);
  const bool closes = lost == EVERYWHERE || o.ledger < ledger_limit; // what bodies lose is not booked
  const bool falls = lost == NOTHING || r.felt || o.rise < rise_limit;
  const bool good = closes && falls && o.pulled >= 0.0 && n->unconverged == 0 && isfinite(o.ledger);
  if (told || !good) {
    print_message("seed %llu%s: %zu bodies, %zu contacts, %zu of them along strings%s, %zu joins, %zu bows, %.0f Hz; put in "
                  "%.3g J, ledger %.2g, rise %.2g, pulled "
                  "%.2g N, unconverged %llu, closures %llu, halvings %llu, level capped %llu\n",
                  (unsigned long long)seed, good ? "" : " FAILS", r.n_bodies, r.n_contacts, r.n_along,
                  r.united ? ", united" : "", r.n_joins, r.n_frictions, r.rate_hz, o.put, lost == EVERYWHERE ? 0.0 : o.ledger,
                  o.rise, o.pulled, (unsigned long long)n->unconverged, (unsigned long long)n->closures,
                  (unsigned long long)n->halvings, (unsigned long long)n->level_capped);
  }
  *closures += n->closures;
  htz_arena_free(&r.arena);
  return good;
}

static void energy_adds_up_in_any_network(void** state) {
  (void)state;
  const uint64_t count = getenv("HERTZIAN_LONG") ? MANY : FEW;
  uint64_t bad = 0, closures = 0;
  for (uint64_t seed = 1; seed <= count; ++seed) {
    bad += !try_one(seed, false, &closures);
  }
  print_message("%llu networks, %llu closures, %llu fail\n", (unsigned long long)count, (unsigned long long)closures,
                (unsigned long long)bad);
  assert_int_equal(bad, 0);
  assert_true(closures > 100 * count);
}

int main(int argc, char** argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_adds_up_in_any_network)};
  if (argc > 1) {
    uint64_t closures = 0;
    return try_one(strtoull(argv[1], NULL, 10), true, &closures) ? 0 : 1;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
