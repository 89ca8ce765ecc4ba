/* Lumped masses and barriers as grid bodies of one point. */

#include "grid_private.h"

#include <math.h>

static const double two_pi = 6.28318530717958647692;

static void lumped_locate(const htz_grid* grid, double x, double y, htz_grid_point* point) {
  (void)grid;
  (void)x;
  (void)y;
  *point = (htz_grid_point){.n = 1, .at = {0}, .share = {1.0}};
}

static void mass_foresee(htz_grid* grid) {
  const grid_mass* mass = (const grid_mass*)grid;
  grid->next[0] = mass->now * grid->now[0] + mass->before * grid->before[0] + mass->fall + grid->compliance * mass->push;
}

static double mass_energy(const htz_grid* grid) {
  const htz_grid_mass_desc* d = &((const grid_mass*)grid)->used;
  const double speed = (grid->now[0] - grid->before[0]) / grid->period;
  const double omega = two_pi * d->hz;
  const double mean = 0.5 * (grid->now[0] + grid->before[0]);
  return d->mass * (0.5 * speed * speed + 0.5 * omega * omega * grid->now[0] * grid->before[0] - d->gravity * mean);
}

/** Factors of (1 + R k/2) w+ = (2 - omega_0^2 k^2) w - (1 - R k/2) w- + k^2 g. */
static void mass_set(grid_mass* mass, const htz_grid_mass_desc* used) {
  const double k = mass->lattice.base.period;
  const double half_loss = 0.5 * used->loss * k;
  const double angle = two_pi * used->hz * k;
  const double scale = 1.0 / (1.0 + half_loss);
  mass->used = *used;
  mass->now = (2.0 - angle * angle) * scale;
  mass->before = -(1.0 - half_loss) * scale;
  mass->fall = k * k * used->gravity * scale;
  mass->lattice.base.mass = used->mass;
  mass->lattice.base.compliance = k * k * scale / used->mass;
  mass->lattice.base.ratio_most = mass->desc.hz > 0.0 ? 1.0 / (0.5 * two_pi * mass->desc.hz * k) : HUGE_VAL;
}

static void mass_tune(htz_grid* grid, double ratio, double loss, double damp) {
  grid_mass* mass = (grid_mass*)grid;
  htz_grid_mass_desc used = mass->desc;
  const double ceiling = 0.999 * grid->ratio_most; // at the limit itself the highest mode grows linearly
  used.hz *= ratio > 0.0 ? (ratio < ceiling ? ratio : ceiling) : 1.0;
  used.loss = used.loss * (loss >= 0.0 ? loss : 1.0) + 2.0 * (damp > 0.0 ? damp : 0.0);
  mass_set(mass, &used);
}

const char* htz_grid_mass_fault(const htz_grid_mass_desc* desc, double period) {
  if (!(desc->mass > 0.0) || !isfinite(desc->mass)) {
    return "mass: must be above 0 kg";
  }
  if (!(desc->loss >= 0.0) || !isfinite(desc->loss)) {
    return "loss: must be 0 or more";
  }
  if (!isfinite(desc->gravity)) {
    return "gravity: must be a finite number";
  }
  if (!(desc->hz >= 0.0) || !isfinite(desc->hz)) {
    return "hz: must be 0 or more";
  }
  if (!(0.5 * two_pi * desc->hz * period < 1.0)) {
    return "hz: a lumped oscillator above a third of the sample rate (rate/pi) is unstable";
  }
  return NULL;
}

void htz_grid_mass_load(htz_grid* grid, const htz_grid_mass_desc* desc) {
  grid_mass* mass = (grid_mass*)grid;
  if (!htz_grid_mass_fault(desc, grid->period)) {
    mass->desc = *desc;
    mass_set(mass, desc);
  }
}

void htz_grid_mass_push(htz_grid* grid, double force) {
  ((grid_mass*)grid)->push = force;
}

static void barrier_foresee(htz_grid* grid) {
  grid->next[0] = 0.0;
}

static double barrier_energy(const htz_grid* grid) {
  (void)grid;
  return 0.0;
}

static void barrier_tune(htz_grid* grid, double ratio, double loss, double damp) {
  (void)grid;
  (void)ratio;
  (void)loss;
  (void)damp;
}

const htz_grid_class htz_grid_mass_class = {"mass", mass_foresee, mass_energy, lumped_locate, mass_tune};
const htz_grid_class htz_grid_barrier_class = {"barrier", barrier_foresee, barrier_energy, lumped_locate, barrier_tune};
