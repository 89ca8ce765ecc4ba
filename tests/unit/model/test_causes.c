/*
   Losses by their causes and bars that are thick beside their waves: against closed forms, an independent integral over all directions, and
   the figures of handbooks.
*/
#include "check.h"

#include "hertzian/dsp/linalg.h"
#include "hertzian/model/kind.h"
#include "hertzian/model/membrane.h"
#include "hertzian/model/radiation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double nepers = 6.90775527898213705205; // 3 ln 10

enum { MOST = 64 };

/** A body of kind `kind` by its properties, "name number ..."; words as "name=choice", lists as "name=a,b". Numbers not named are NaN. */
static htz_status make(const char* kind_name, const char* text, double key_hz, size_t most, htz_arena* arena, htz_modes* out,
                       const char** why) {
  const htz_body_kind* kind = htz_body_kind_find(kind_name);
  double scalar[HTZ_KIND_SCALARS_MAX], items[HTZ_KIND_LISTS_MAX][HTZ_KIND_ITEMS_MAX];
  const double* list[HTZ_KIND_LISTS_MAX] = {NULL};
  size_t list_n[HTZ_KIND_LISTS_MAX] = {0};
  unsigned word[HTZ_KIND_WORDS_MAX] = {0};
  char copy[512];
  for (size_t i = 0; i < kind->n_scalars; ++i) {
    scalar[i] = kind->scalars[i].initial;
  }
  assert_true(strlen(text) < sizeof copy);
  strcpy(copy, text);
  for (char* item = strtok(copy, " "); item; item = strtok(NULL, " ")) {
    char* value = strchr(item, '=');
    bool known = false;
    *value++ = '\0';
    for (size_t i = 0; i < kind->n_scalars; ++i) {
      if (strcmp(kind->scalars[i].name, item) == 0) {
        scalar[i] = atof(value);
        known = true;
      }
    }
    for (size_t i = 0; i < kind->n_words; ++i) {
      for (unsigned c = 0; strcmp(kind->words[i].name, item) == 0 && c < kind->words[i].n_choices; ++c) {
        if (strcmp(kind->words[i].choices[c], value) == 0) {
          word[i] = c;
          known = true;
        }
      }
    }
    for (size_t i = 0; i < kind->n_lists; ++i) {
      if (strcmp(kind->lists[i].name, item) == 0) {
        for (char* end = value; *end; value = end + (*end == ',')) {
          items[i][list_n[i]++] = strtod(value, &end);
        }
        list[i] = items[i];
        known = true;
      }
    }
    assert_true(known);
  }
  htz_kind_values values = {
      .scalar = scalar, .list = list, .list_n = list_n, .word = word, .key_hz = key_hz, .limit_hz = 20000.0, .max_modes = most};
  htz_arena_measure(arena);
  *why = NULL;
  htz_status st = kind->prepare ? kind->prepare(&values, arena, &values.shared, why) : HTZ_OK;
  return st ? st : kind->build(&values, arena, out, why);
}

static void good(const char* kind, const char* text, double key_hz, size_t most, htz_arena* arena, htz_modes* out) {
  const char* why;
  if (make(kind, text, key_hz, most, arena, out, &why)) {
    print_error("%s\n", why ? why : "no reason");
    fail();
  }
}

static void bad(const char* kind, const char* text, const char* says) {
  htz_arena arena;
  htz_modes modes;
  const char* why;
  assert_int_equal(make(kind, text, 200.0, 12, &arena, &modes, &why), HTZ_BAD_VALUE);
  assert_non_null(why);
  if (strncmp(why, says, strlen(says)) != 0) {
    print_error("\"%s\" does not begin with \"%s\"\n", why, says);
    fail();
  }
  htz_arena_free(&arena);
}

static double t60(const htz_modes* m, size_t k) {
  return nepers / m->sigma[k];
}

#define GLOCKENSPIEL "length=0.245 width=0.032 thickness=0.009 density=7850 young=2.05e11 "
#define AIR_ALONE "losses=causes loss_factor=0 thermal_strength=0 "

/** Timoshenko's ratios of a tube and a bar, from an independent computation, and the thin bar they go to. */
static void a_thick_bar_has_lower_high_partials(void** state) {
  (void)state;
  static const double tube[] = {0.633, 1.228, 2.002, 2.942, 4.031, 5.254}, bar[] = {2.73, 5.29, 8.60};
  htz_arena arena;
  htz_modes m;
  good("bar", "thickness=0.038 wall=0.00125 length=1.636 density=8530 young=1.05e11 shear=3.89e10 bending=thick t60=4", 0.0, 12,
       &arena, &m);
  for (size_t k = 0; k < 6; ++k) {
    check_near(m.omega[3 + k] / m.omega[5] * 2.002, tube[k], 2e-3 * tube[k]);
  }
  htz_arena_free(&arena);
  good("bar", GLOCKENSPIEL "bending=thick t60=4", 1568.0, 12, &arena, &m);
  check_close(m.omega[2], 2.0 * pi * 1568.0, 1e-12); // tuned
  for (size_t k = 0; k < 3; ++k) {
    check_near(m.omega[3 + k] / m.omega[2], bar[k], 1.5e-3 * bar[k]); // its modulus of shear is another
  }
  htz_arena_free(&arena);
  htz_modes thin;
  htz_arena other;
  good("bar", "length=1 width=0.01 thickness=0.001 density=7850 young=2.05e11 bending=thick t60=4", 0.0, 8, &arena, &m);
  good("bar", "length=1 width=0.01 thickness=0.001 density=7850 young=2.05e11 t60=4", 0.0, 8, &other, &thin);
  for (size_t k = 2; k < 8; ++k) {
    double phi[8], flat[8];
    check_close(m.omega[k], thin.omega[k], 2e-4); // 11.7 (k h/L)^2 at most
    for (size_t i = 0; i <= 10; ++i) {
      m.shape(&m, 0.1 * (double)i, phi);
      thin.shape(&thin, 0.1 * (double)i, flat);
      check_near(phi[k], flat[k], 2e-3);
    }
  }
  htz_arena_free(&arena);
  htz_arena_free(&other);
}

/** Modes are orthogonal in mass, rotary inertia aside, which is (r k)^2 = 0.4 % of the fourth's. */
static void shapes_of_a_thick_bar_are_orthogonal(void** state) {
  (void)state;
  enum { NODES = 400 };
  htz_arena arena;
  htz_modes m;
  good("bar", GLOCKENSPIEL "bending=thick torsion=2 t60=4", 0.0, 9, &arena, &m);
  double sum[9][9] = {{0.0}}, row[9];
  for (size_t i = 0; i < NODES; ++i) {
    for (size_t j = 0; j < 8; ++j) {
      m.shape_xy(&m, ((double)i + 0.5) / NODES, ((double)j + 0.5) / 8.0, row);
      for (size_t a = 0; a < m.n; ++a) {
        for (size_t b = 0; b < m.n; ++b) {
          sum[a][b] += row[a] * row[b] / (8.0 * NODES);
        }
      }
    }
  }
  for (size_t a = 0; a < m.n; ++a) {
    check_near(sum[a][a], 1.0, 0.03); // eight rows across miss 1/64 of (2y - 1)^2
    for (size_t b = 0; b < a; ++b) {
      check_near(sum[a][b], 0.0, 0.01);
    }
  }
  htz_arena_free(&arena);
}

/** f_n = n/(2L) sqrt(G K/(rho I)): 4.07 and 8.14 times the first of this bar's thin partials; nothing moves in the middle of the width. */
static void a_bar_twists(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  good("bar", GLOCKENSPIEL "bending=thick torsion=2 shear=7.9e10 t60=4", 0.0, 12, &arena, &m);
  const double thin = 1.02787 * 0.009 / (0.245 * 0.245) * sqrt(2.05e11 / 7850.0) * 2.0 * pi;
  double edge[12], middle[12];
  size_t twists = 0;
  m.shape_xy(&m, 0.0, 1.0, edge);
  m.shape(&m, 0.0, middle);
  for (size_t k = 3; k < m.n; ++k) {
    assert_true(m.omega[k] >= m.omega[k - 1]);
    if (middle[k] == 0.0) {
      ++twists;
      check_near(m.omega[k] / thin, 4.07 * (double)twists, 0.01 * 4.07 * (double)twists);
      check_close(fabs(edge[k]), sqrt(6.0), 1e-12);
    }
  }
  assert_int_equal(twists, 2);
  htz_arena_free(&arena);
}

/** sigma by an even sum of the far pressures that the ear's integral gives, over all directions; `sides`: 2, or 1 for one half. */
static void check_power(const htz_modes* m, double allowed) {
  enum { UP = 64, ROUND = 64 };
  static double re[MOST], im[MOST], sum[MOST], sigma[MOST];
  const double far = 200.0;
  double node[UP], gauss[UP];
  htz_gauss_legendre(UP, node, gauss);
  memset(sum, 0, sizeof sum);
  memset(sigma, 0, sizeof sigma);
  assert_true(m->n <= MOST);
  for (size_t i = 0; i < UP; ++i) {
    for (size_t j = 0; j < ROUND; ++j) {
      const double across = sqrt(1.0 - node[i] * node[i]), angle = 2.0 * pi * ((double)j + 0.5) / ROUND;
      const htz_ear ear = {far * across * cos(angle), far * across * sin(angle), far * node[i]};
      assert_int_equal(htz_radiation_own(m, &ear, re, im), HTZ_OK);
      for (size_t k = 0; k < m->n; ++k) {
        sum[k] += gauss[i] * 2.0 * pi / ROUND * far * far * (re[k] * re[k] + im[k] * im[k]);
      }
    }
  }
  assert_int_equal(htz_radiation_loss(m, sigma), HTZ_OK);
  for (size_t k = 0; k < m->n; ++k) {
    if (m->audible[k]) {
      check_close(sigma[k], m->omega[k] * m->omega[k] * sum[k] / (2.0 * HTZ_AIR_DENSITY * HTZ_AIR_SPEED * m->mass[k]), allowed);
    }
  }
}

static void what_is_radiated_is_lost(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  good("bar", GLOCKENSPIEL "bending=thick torsion=2 t60=4", 0.0, 9, &arena, &m);
  check_power(&m, 3e-3); // the ear is 200 m away, not infinitely far
  htz_arena_free(&arena);
  good("bar", "length=0.28 width=0.045 thickness=0.01 density=2700 young=6.89e10 partials=1,4,10 t60=4", 349.2, 7, &arena, &m);
  check_power(&m, 3e-3);
  htz_arena_free(&arena);
  good("membrane", "radius=0.328 area_density=0.262 air=1.2 pitch=pair t60=2", 150.0, 12, &arena, &m);
  check_power(&m, 3e-3);
  htz_arena_free(&arena);
}

/** T60 by the air alone of a glockenspiel's and a chime's partials [s]: the integral over u worked out elsewhere, with uniform shapes. */
static void bars_lose_to_the_air_what_the_integral_says(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  static const double bar[] = {15690.8, 60.2529, 5.82426, 3.04030}, chime[] = {2494.65, 135.669, 23.9574, 7.57849};
  good("bar", GLOCKENSPIEL AIR_ALONE, 0.0, 6, &arena, &m);
  for (size_t k = 0; k < 4; ++k) {
    check_close(t60(&m, 2 + k), bar[k], 2e-4);
  }
  htz_arena_free(&arena);
  good("bar", "length=1.5 thickness=0.038 wall=0.00125 density=8530 young=1.1e11 " AIR_ALONE, 0.0, 12, &arena, &m);
  for (size_t k = 0; k < 4; ++k) {
    check_close(t60(&m, 4 + k), chime[k], 2e-3); // a tube is a rectangle of its area and radius of gyration to six digits
  }
  htz_arena_free(&arena);
}

/** Rounds pump and die, pairs live the longer the more diameters they have: 0.11, 1.1, 4.2, 16, 0.18 s of (0,1) (1,1) (2,1) (3,1) (0,2). */
static void a_skin_loses_by_its_diameters(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes m;
  good("membrane",
       "radius=0.328 area_density=0.262 air=1.2 pitch=pair losses=causes loss_factor=0 ratios=1,1.51,1.99,2.44 "
       "round_ratios=0.85,1.68,2.79",
       150.0, 12, &arena, &m);
  // In free space a mode loses down to half of what it does in a wall, as the wave goes round the kettle: to twice the time.
  static const double wall[] = {0.11, 1.1, 4.2, 16.0};
  static const size_t at[] = {0, 1, 3, 6}; // of (0,2) a pair lies before
  for (size_t i = 0; i < 4; ++i) {
    const double times = t60(&m, at[i]) / wall[i];
    check_above(times, 0.85);
    check_below(times, 2.3);
  }
  htz_arena_free(&arena);
}

/** Each cause alone: 2.2/(f eta), Zener's peak, and cords by phi^2 at 0.224 of the length: 0, 1.00, 1.74, 0.86. */
static void causes_add(void** state) {
  (void)state;
  static const double squared[] = {0.0, 1.0, 1.74, 0.86};
  htz_arena arena;
  htz_modes air, m;
  htz_arena other;
  good("bar", GLOCKENSPIEL AIR_ALONE, 0.0, 6, &arena, &air);
  good("bar", GLOCKENSPIEL "losses=causes loss_factor=1e-3 thermal_strength=0 loss0=0.5", 0.0, 6, &other, &m);
  for (size_t k = 2; k < 6; ++k) {
    check_close(m.sigma[k] - air.sigma[k], 0.5 + 0.5 * m.omega[k] * 1e-3, 1e-9);
  }
  htz_arena_free(&other);
  good("bar", GLOCKENSPIEL "losses=causes loss_factor=0 thermal_strength=0 cord_loss=4 cords=0.224,0.776", 0.0, 6, &other, &m);
  const double mass = 0.245 * 0.032 * 0.009 * 7850.0;
  for (size_t k = 2; k < 6; ++k) {
    check_near((m.sigma[k] - air.sigma[k]) * mass / 4.0, squared[k - 2], 0.015);
  }
  htz_arena_free(&other);
  good("bar", GLOCKENSPIEL "losses=causes loss_factor=0 thermal_strength=0 cord_loss=4", 0.0, 6, &other,
       &m); // at the nodes of the first
  for (size_t k = 2; k < 6; ++k) {
    check_near((m.sigma[k] - air.sigma[k]) * mass / 4.0, squared[k - 2], 0.015);
  }
  check_near(m.sigma[2], air.sigma[2], 1e-12);
  htz_arena_free(&other);
  htz_arena_free(&arena);
  // A strip of aluminium, 1 mm: f_r = pi D/(2 h^2) = 108 Hz, there half of 4.6e-3; far above it pi 4.6e-3 f_r whatever the frequency.
#define STRIP "length=1 width=0.001 thickness=0.001 density=2700 young=6.89e10 "
  good("bar", STRIP AIR_ALONE, 108.4, 15, &other, &air);
  good("bar", STRIP "losses=causes loss_factor=0 thermal_strength=4.6e-3 heat_diffusion=6.9e-5", 108.4, 15, &arena, &m);
  check_close(m.sigma[2] - air.sigma[2], pi * 108.4 * 2.3e-3, 2e-3);
  check_close(m.sigma[14] - air.sigma[14], pi * 108.4 * 4.6e-3, 2e-3);
  htz_arena_free(&other);
  htz_arena_free(&arena);
}

static void materials_know_their_heat(void** state) {
  (void)state;
  // To the two figures of the handbook's table.
  check_near(htz_material_scalar("aluminium", "thermal_strength"), 4.6e-3, 0.05e-3);
  check_near(htz_material_scalar("steel", "thermal_strength"), 2.2e-3, 0.05e-3);
  check_near(htz_material_scalar("aluminium", "heat_diffusion"), 6.9e-5, 0.05e-5);
  assert_true(htz_material_scalar("rosewood", "thermal_strength") == 0.0);
  assert_true(isnan(htz_material_scalar("steel", "length")));
  assert_true(isnan(htz_material_scalar("unobtainium", "loss_factor")));
}

static void what_does_not_go_together_is_refused(void** state) {
  (void)state;
  bad("bar", GLOCKENSPIEL "losses=causes t60=4", "t60: with `losses: causes` decay times follow");
  bad("bar", GLOCKENSPIEL "cords=0.2,0.8", "cords: need `losses: causes`");
  bad("bar", "mass=0.3 losses=causes", "losses: causes need length, width and thickness");
  bad("bar", GLOCKENSPIEL "torsion=2", "torsion: needs `bending: thick`");
  bad("bar", GLOCKENSPIEL "bending=thick partials=1,4", "bending: only uniform bars and tubes");
  bad("bar", GLOCKENSPIEL "bending=thick ends=cantilever", "bending: only uniform bars and tubes");
  bad("bar", "mass=0.3 bending=thick", "bending: a thick bar needs length, width, thickness");
  bad("bar", "thickness=0.038 wall=0.001 density=8530 young=1e11 bending=thick torsion=1",
      "torsion: a tube that twists moves no air");
  bad("membrane", "radius=0.3 area_density=0.26 losses=causes t60=2", "t60: with `losses: causes`");
  bad("membrane", "radius=0.3 area_density=0.26 losses=causes round_t60=2", "round_t60: with `losses: causes`");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thick_bar_has_lower_high_partials),
      cmocka_unit_test(shapes_of_a_thick_bar_are_orthogonal),
      cmocka_unit_test(a_bar_twists),
      cmocka_unit_test(what_is_radiated_is_lost),
      cmocka_unit_test(bars_lose_to_the_air_what_the_integral_says),
      cmocka_unit_test(a_skin_loses_by_its_diameters),
      cmocka_unit_test(causes_add),
      cmocka_unit_test(materials_know_their_heat),
      cmocka_unit_test(what_does_not_go_together_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
