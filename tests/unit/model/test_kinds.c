#include "check.h"

#include "hertzian/model/kind.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.28318530717958647693;
static const double nepers = 6.90775527898213705205; // 3 ln 10

enum { ITEMS = 4 };

/** Values of a kind, all at their defaults, to be set by name. */
typedef struct {
  const htz_body_kind* kind;
  double scalar[HTZ_KIND_SCALARS_MAX];
  double item[HTZ_KIND_LISTS_MAX][ITEMS];
  const double* list[HTZ_KIND_LISTS_MAX];
  size_t list_n[HTZ_KIND_LISTS_MAX];
  unsigned word[HTZ_KIND_WORDS_MAX];
  double key_hz;
  size_t max_modes;
} sheet;

static sheet sheet_of(const char* name) {
  sheet s = {.kind = htz_body_kind_find(name), .key_hz = 220.0, .max_modes = 64};
  assert_non_null(s.kind);
  for (size_t i = 0; i < s.kind->n_scalars; ++i) {
    s.scalar[i] = s.kind->scalars[i].initial;
  }
  return s;
}

static void set(sheet* s, const char* name, double value) {
  const size_t i = htz_param_find(s->kind->scalars, s->kind->n_scalars, name);
  assert_true(i < s->kind->n_scalars);
  s->scalar[i] = value;
}

static void set_list(sheet* s, const char* name, size_t n, const double* values) {
  for (size_t l = 0; l < s->kind->n_lists; ++l) {
    if (strcmp(s->kind->lists[l].name, name) == 0) {
      memcpy(s->item[l], values, n * sizeof *values);
      s->list_n[l] = n;
      return;
    }
  }
  fail();
}

static htz_status make(sheet* s, htz_arena* arena, htz_modes* modes, const char** why) {
  const void* shared = NULL;
  for (size_t l = 0; l < s->kind->n_lists; ++l) {
    s->list[l] = s->list_n[l] ? s->item[l] : NULL;
  }
  htz_kind_values values = {s->scalar, s->list, s->list_n, s->word, s->key_hz, 40e3, s->max_modes, NULL};
  htz_arena_measure(arena);
  if (s->kind->prepare) {
    const htz_status st = s->kind->prepare(&values, arena, &shared, why);
    if (st) {
      return st;
    }
  }
  values.shared = shared;
  return s->kind->build(&values, arena, modes, why);
}

static void every_kind_describes_itself(void** state) {
  (void)state;
  size_t n = 0;
  for (; htz_body_kind_at(n); ++n) {
    const htz_body_kind* kind = htz_body_kind_at(n);
    assert_true(htz_body_kind_find(kind->name) == kind);
    assert_true(kind->about && kind->build);
    assert_true(kind->n_scalars <= HTZ_KIND_SCALARS_MAX && kind->n_lists <= HTZ_KIND_LISTS_MAX &&
                kind->n_words <= HTZ_KIND_WORDS_MAX);
    for (size_t i = 0; i < kind->n_scalars; ++i) {
      const htz_param_desc* d = &kind->scalars[i];
      assert_true(d->name && d->unit && d->doc && d->minimum < d->maximum);
      assert_true(isnan(d->initial) || (d->initial >= d->minimum && d->initial <= d->maximum));
      assert_true(htz_param_find(kind->scalars, kind->n_scalars, d->name) == i);
    }
    for (size_t i = 0; i < kind->n_lists; ++i) {
      assert_true(kind->lists[i].minimum < kind->lists[i].maximum && kind->lists[i].most <= HTZ_KIND_ITEMS_MAX &&
                  kind->lists[i].doc);
    }
    for (size_t i = 0; i < kind->n_words; ++i) {
      assert_true(kind->words[i].n_choices > 1 && kind->words[i].doc);
    }
  }
  assert_int_equal(n, 6);
  assert_null(htz_body_kind_find("plate of jelly"));
}

static void materials_are_those_of_the_table(void** state) {
  (void)state;
  double density, young;
  assert_true(htz_material_find("steel", &density, &young));
  check_close(density, 7870.0, 1e-12);
  check_close(young, 205e9, 1e-12);
  assert_false(htz_material_find("unobtainium", &density, &young));
  for (size_t i = 0; htz_material_at(i); ++i) {
    assert_true(htz_material_find(htz_material_at(i), &density, &young));
    // A bar wave is between 1 and 7 km/s in anything one would build of.
    check_above(sqrt(young / density), 1e3);
    check_below(sqrt(young / density), 7e3);
  }
}

static void a_string_is_tuned_or_tuned_by_its_tension(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  sheet s = sheet_of("string");
  set(&s, "length", 0.62);
  set(&s, "lin_density", 3.93e-3 / 0.62);
  set(&s, "t60", 3.0);
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  check_close(modes.omega[0] / two_pi, 220.0, cents(1e-6));
  check_close(nepers / modes.sigma[0], 3.0, 1e-12);
  check_close(nepers / modes.sigma[modes.n - 1], 3.0, 1e-12); // one time for all
  htz_arena_free(&arena);

  // f = sqrt(T/mu)/2L without stiffness.
  s.key_hz = 0.0;
  set(&s, "tension", 670.0);
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  check_close(modes.omega[0] / two_pi, sqrt(670.0 / (3.93e-3 / 0.62)) / (2.0 * 0.62), 1e-12);
  htz_arena_free(&arena);

  s.key_hz = 220.0;
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_BAD_VALUE);
  assert_non_null(strstr(why, "tension:"));
  htz_arena_free(&arena);
}

static void a_bar_decays_as_told_at_both_ends(void** state) {
  (void)state;
  const double partials[] = {1.0, 4.0, 10.0};
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  sheet s = sheet_of("bar");
  set(&s, "mass", 0.3);
  set(&s, "t60", 2.0);
  set(&s, "t60_high", 0.25);
  set_list(&s, "partials", 3, partials);
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  for (size_t k = 0; k < 3; ++k) {
    check_close(modes.omega[2 + k] / two_pi, 220.0 * partials[k], cents(0.01));
  }
  check_close(nepers / modes.sigma[2], 2.0, 1e-9);
  check_close(nepers / modes.sigma[4], 0.25, 1e-6);  // at ten times the first
  check_close(modes.omega[0] / two_pi, 30.0, 1e-12); // on its supports
  assert_false(modes.audible[0] || modes.audible[1]);
  htz_arena_free(&arena);

  // The lowest keys come near the supports' frequency, which then gives way.
  s.key_hz = 8.0;
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  check_close(modes.omega[0] / two_pi, 2.0, 1e-12);
  htz_arena_free(&arena);
}

static void a_bar_of_its_own_pitch_follows_its_dimensions(void** state) {
  (void)state;
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  double density, young;
  sheet s = sheet_of("bar");
  htz_material_find("steel", &density, &young);
  s.key_hz = 0.0;
  set(&s, "length", 0.2);
  set(&s, "width", 0.03);
  set(&s, "thickness", 0.009);
  set(&s, "density", density);
  set(&s, "young", young);
  set(&s, "t60", 5.0);
  set(&s, "t60_high", 1.0);
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  // f1 = 4.73^2/(2 pi sqrt 12) h/L^2 sqrt(E/rho)
  const double beta = 4.730040744862704;
  check_close(modes.omega[2] / two_pi, beta * beta / (two_pi * sqrt(12.0)) * 0.009 / 0.04 * sqrt(young / density), 1e-9);
  check_close(modes.mass[2], 0.2 * 0.03 * 0.009 * density, 1e-12);
  check_close(nepers / modes.sigma[2], 5.0, 1e-9);
  htz_arena_free(&arena);

  s.word[0] = HTZ_BAR_CANTILEVER;
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  check_close(modes.omega[1] / modes.omega[0], 6.2669, 1e-4); // (4.69409/1.87510)^2
  htz_arena_free(&arena);
}

static void a_list_takes_frequencies_or_ratios(void** state) {
  (void)state;
  const double ratios[] = {5.0, 1.0, 3.0}, q[] = {10.0, 20.0, 15.0}, far[] = {1.0, 1000.0}, one = 50.0;
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  sheet s = sheet_of("modal-list");
  set_list(&s, "ratios", 3, ratios);
  set_list(&s, "q", 3, q);
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  assert_int_equal(modes.n, 3);
  check_close(modes.omega[0] / two_pi, 220.0, 1e-12);
  check_close(modes.omega[2] / two_pi, 1100.0, 1e-12);
  check_close(modes.omega[0] / (2.0 * modes.sigma[0]), 20.0, 1e-12);
  check_close(modes.omega[2] / (2.0 * modes.sigma[2]), 10.0, 1e-12);
  check_close(modes.mass[1], 1.0, 0.0);
  htz_arena_free(&arena);

  // What lies above the limit is left out, but never everything.
  set_list(&s, "ratios", 2, far);
  set_list(&s, "q", 1, &one);
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  assert_int_equal(modes.n, 1);
  htz_arena_free(&arena);
  s.key_hz = 50e3;
  assert_int_equal(make(&s, &arena, &modes, &why), HTZ_OK);
  assert_int_equal(modes.n, 1);
  htz_arena_free(&arena);
}

/** Whatever stands in the ranges of the tables must give modes or a reason, never anything else. */
static void the_corners_of_the_ranges_do_no_harm(void** state) {
  (void)state;
  static const double pitch[] = {0.0, 0.1, 220.0, 40e3};
  for (size_t k = 0; htz_body_kind_at(k); ++k) {
    const htz_body_kind* kind = htz_body_kind_at(k);
    for (unsigned choice = 0; choice < 4u * 64u; ++choice) {
      sheet s = sheet_of(kind->name);
      unsigned bits = choice / 4u;
      s.key_hz = pitch[choice % 4u];
      for (size_t i = 0; i < kind->n_scalars; ++i, bits = bits * 5u + 3u) {
        const unsigned pick = bits / 7u % 3u;
        s.scalar[i] = pick == 0 ? kind->scalars[i].initial : pick == 1 ? kind->scalars[i].minimum : kind->scalars[i].maximum;
      }
      htz_arena arena;
      htz_modes modes;
      const char* why = NULL;
      const htz_status st = make(&s, &arena, &modes, &why);
      assert_true(st == HTZ_OK || st == HTZ_BAD_VALUE);
      for (size_t m = 0; st == HTZ_OK && m < modes.n; ++m) {
        assert_true(modes.omega[m] >= 0.0 && isfinite(modes.omega[m]) && modes.sigma[m] >= 0.0 && modes.mass[m] > 0.0);
      }
      htz_arena_free(&arena);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_describes_itself),
      cmocka_unit_test(materials_are_those_of_the_table),
      cmocka_unit_test(a_string_is_tuned_or_tuned_by_its_tension),
      cmocka_unit_test(a_bar_decays_as_told_at_both_ends),
      cmocka_unit_test(a_bar_of_its_own_pitch_follows_its_dimensions),
      cmocka_unit_test(a_list_takes_frequencies_or_ratios),
      cmocka_unit_test(the_corners_of_the_ranges_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
