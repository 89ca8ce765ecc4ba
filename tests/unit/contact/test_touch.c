// The kernel that solves a few contacts together, of every instruction set, against the contact law itself and long double.
#include "check.h"

#include "hertzian/contact/law.h"
#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <string.h>

enum { N = HTZ_TOUCH_MAX, CASES = 400 };
static const double d = 1.0 / 96000.0;
static const htz_touch_limits limits = {.tolerance = 1e-13, .last_move = 1e-8, .stagnation = 1e-12, .nothing = 1e-300};

typedef struct {
  _Alignas(64) double compliance[N * N];
  _Alignas(64) double eta[N], stored[N], force[N], stiffness[N], exponent[N], viscosity[N], free[N];
  _Alignas(64) double s[N], bears[N], slope[N], to_stored[N], to_elastic[N], to_stiffness[N];
  htz_touch_table table;
  htz_law law[N];
  htz_law_state from[N];
} rig;

static double noise(uint64_t* seed) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(*seed >> 11) * 0x1p-52 - 1.0;
}

/** Contacts as along a string: micrometres deep, some open, that move each other much as they move themselves. */
static void set_up(rig* r, size_t n, bool smooth, uint64_t seed) {
  double reach[N][3];
  memset(r, 0, sizeof *r);
  r->table = (htz_touch_table){
      n,       smooth, r->compliance, r->eta,   r->stored,    r->force,      r->stiffness,   r->exponent, r->viscosity,
      r->free, r->s,   r->bears,      r->slope, r->to_stored, r->to_elastic, r->to_stiffness};
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < 3; ++k) {
      reach[i][k] = k == 0 ? 1.0 + 0.1 * noise(&seed) : 0.3 * noise(&seed);
    }
    r->stiffness[i] = 2e6 * (1.5 + noise(&seed));
    r->exponent[i] = smooth ? 1.5 : 1.0 + (double)i / N;
    r->viscosity[i] = i % 3 ? 0.02 : 0.0;
    r->law[i] = (htz_law){&htz_law_hunt_crossley, {r->stiffness[i], r->exponent[i], r->viscosity[i]}};
    r->eta[i] = 3e-6 * (noise(&seed) + 0.4);
    r->from[i] = htz_law_hunt_crossley.at(&r->law[i], r->eta[i]);
    r->stored[i] = r->from[i].stored;
    r->force[i] = r->from[i].force;
    r->free[i] = (seed % 7 ? 2e-6 : 1e-9) * noise(&seed);
    r->s[i] = r->free[i];
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t k = 0; k < 3; ++k) {
        r->compliance[i * N + j] += 2e-7 * reach[i][k] * reach[j][k];
      }
    }
  }
}

/**
   The forces are the law's at s, and s is what they leave of the free increment. The law was last evaluated at most a last move m before s
   and followed from there by its derivatives: off by no more than m times what these change by within m.
*/
static void check_solved(const rig* r, const char* name) {
  const size_t n = r->table.n;
  double size = 0.0;
  for (size_t i = 0; i < n; ++i) {
    size = fmax(size, fabs(r->free[i]));
  }
  const double m = limits.last_move * size;
  for (size_t i = 0; i < n; ++i) {
    const htz_law_value law = htz_law_hunt_crossley.over(&r->law[i], &r->from[i], r->s[i], d);
    const htz_law_value less = htz_law_hunt_crossley.over(&r->law[i], &r->from[i], r->s[i] - m, d);
    const htz_law_value more = htz_law_hunt_crossley.over(&r->law[i], &r->from[i], r->s[i] + m, d);
    const double bends = m * fabs(more.stiffness - less.stiffness),
                 digits = 1e-13; // of a law taken as a difference of energies
    long double left = (long double)r->s[i] - r->free[i], carried = size;
    for (size_t j = 0; j < n; ++j) {
      left += (long double)r->compliance[i * N + j] * r->bears[j];
      carried = fmaxl(carried, (long double)r->compliance[i * N + j] * r->bears[j]);
    }
    if (!(fabsl(left) <= limits.stagnation * carried)) {
      print_message("%s, %zu contacts: %Lg of %Lg left\n", name, n, left, carried);
    }
    assert_true(fabsl(left) <= limits.stagnation * carried);
    check_near(r->bears[i], law.force, m * fabs(more.slope - less.slope) + digits * (law.force + r->force[i] + law.elastic));
    check_near(r->slope[i], law.slope, fabs(more.slope - less.slope) + 1e-9 * law.slope);
    check_near(r->to_elastic[i], law.elastic, bends + digits * law.elastic);
    check_near(r->to_stored[i], law.stored, m * bends + digits * (law.stored + m * law.elastic));
    assert_true(r->bears[i] >= 0.0); // they never pull
  }
  for (size_t i = n; i < N; ++i) {
    assert_true(r->s[i] == 0.0 && r->bears[i] == 0.0);
  }
}

static void what_touches_is_solved(void** state) {
  (void)state;
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    int turns = 0;
    for (uint64_t seed = 0; kernels && seed < CASES; ++seed) {
      rig r;
      bool settled = false;
      set_up(&r, 1 + seed % N, seed / N % 2 == 0, seed);
      turns += kernels->touch(&r.table, 1.0 / d, &limits, &settled);
      assert_true(settled);
      check_solved(&r, kernels->name);
    }
    if (kernels) {
      print_message("%s: %.2f Newton steps on average\n", kernels->name, (double)turns / CASES);
    }
  }
}

/** What is no number does not settle, and says so. */
static void what_is_no_number_is_told(void** state) {
  (void)state;
  for (int isa = HTZ_ISA_SCALAR; isa < HTZ_ISA_COUNT; ++isa) {
    const htz_kernels* kernels = htz_kernels_for((htz_isa)isa);
    for (size_t n = 1; kernels && n <= N; ++n) {
      rig r;
      bool settled = true;
      set_up(&r, n, true, n);
      r.free[n - 1] = r.s[n - 1] = (double)NAN;
      kernels->touch(&r.table, 1.0 / d, &limits, &settled);
      assert_false(settled);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_touches_is_solved), cmocka_unit_test(what_is_no_number_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
