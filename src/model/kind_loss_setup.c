#include "hertzian/model/radiation.h"
#include "kind_private.h"

#include <math.h>
#include <stdlib.h>

static const double t60_default = 2.0; // [s]
static const double high_ratio = 10.0; // t60_high_hz over the first partial: the third of a marimba bar

double htz_kind_decay(double t60) {
  return 3.0 * log(10.0) / t60;
}

double htz_kind_or(double value, double other) {
  return isnan(value) ? other : value;
}

bool htz_kind_loss(const double* values, double first_hz, htz_loss* loss, const char** why) {
  const double t60 = values[HTZ_KIND_T60], high = values[HTZ_KIND_T60_HIGH], high_hz = values[HTZ_KIND_T60_HIGH_HZ];
  const bool coefficients = !isnan(values[HTZ_KIND_LOSS0]) || !isnan(values[HTZ_KIND_LOSS1]);
  *loss = (htz_loss){0};
  if (coefficients) {
    if (!isnan(t60) || !isnan(high) || !isnan(high_hz)) {
      *why = "t60: give either decay times or loss0 and loss1";
      return false;
    }
    loss->loss0 = htz_kind_or(values[HTZ_KIND_LOSS0], 0.0);
    loss->loss1 = htz_kind_or(values[HTZ_KIND_LOSS1], 0.0);
    return true;
  }
  if (isnan(t60) && !isnan(high)) {
    *why = "t60_high: needs t60, the decay time of the first partial";
    return false;
  }
  if (isnan(high) && !isnan(high_hz)) {
    *why = "t60_high_hz: needs t60_high, the decay time there";
    return false;
  }
  loss->t60_hz[0] = first_hz;
  loss->t60_s[0] = htz_kind_or(t60, t60_default);
  if (!isnan(high)) {
    loss->t60_hz[1] = htz_kind_or(high_hz, high_ratio * first_hz);
    loss->t60_s[1] = high;
    if (!(loss->t60_hz[1] > first_hz)) {
      *why = "t60_high_hz: must be above the first partial";
      return false;
    }
  }
  return true;
}

bool htz_kind_any_loss(const double* values) {
  for (size_t i = 0; i < HTZ_KIND_LOSSES; ++i) {
    if (!isnan(values[i])) {
      return true;
    }
  }
  return false;
}

const char* const htz_kind_losses[2] = {"times", "causes"};

const char* htz_kind_causes_complaint(const double* losses) {
  for (size_t i = HTZ_KIND_T60; i <= HTZ_KIND_T60_HIGH_HZ; ++i) {
    if (!isnan(losses[i])) {
      return "t60: with `losses: causes` decay times follow from them; loss0 and loss1 may add to them";
    }
  }
  return NULL;
}

/** Loss factor by Zener's relaxation of heat across a thickness, f_r = pi D/(2 h^2). */
static double thermal(const double* values, double thickness, double hz) {
  const double strength = htz_kind_or(values[HTZ_KIND_THERMAL], 0.0), diffusion = htz_kind_or(values[HTZ_KIND_DIFFUSION], 0.0);
  if (!(strength > 0.0) || !(diffusion > 0.0) || !(thickness > 0.0)) {
    return 0.0;
  }
  const double x = hz * 2.0 * thickness * thickness / (acos(-1.0) * diffusion);
  return strength * x / (1.0 + x * x);
}

/** Places where the first audible mode stands still, as many as there is room for: there makers put cords. @return how many */
static size_t nodes_of(const htz_modes* modes, double* phi, size_t most, double* at) {
  enum { STEPS = 256, HALVINGS = 40 };
  size_t first = 0, n = 0;
  while (first + 1 < modes->n && !modes->audible[first]) {
    ++first;
  }
  modes->shape(modes, 0.0, phi);
  double before = phi[first];
  for (size_t i = 1; i <= STEPS && n < most; ++i) {
    double low = (double)(i - 1) / STEPS, high = (double)i / STEPS;
    modes->shape(modes, high, phi);
    const double after = phi[first];
    if (before * after < 0.0) {
      for (size_t h = 0; h < HALVINGS; ++h) {
        const double middle = 0.5 * (low + high);
        modes->shape(modes, middle, phi);
        *(before * phi[first] > 0.0 ? &low : &high) = middle;
      }
      at[n++] = 0.5 * (low + high);
    }
    before = after;
  }
  return n;
}

htz_status htz_kind_add_causes(const double* values, double thickness, size_t n_cords, const double* cords,
                               const htz_modes* modes, const char** why) {
  const double pi = acos(-1.0), resists = htz_kind_or(values[HTZ_KIND_CORD_LOSS], 0.0);
  double nodes[HTZ_KIND_CORDS_MAX];
  double* phi = calloc(modes->n, sizeof *phi);
  if (!phi) {
    return HTZ_NO_MEMORY;
  }
  const htz_status st = htz_radiation_loss(modes, modes->sigma);
  for (size_t k = 0; k < modes->n && !st; ++k) {
    const double hz = modes->omega[k] / (2.0 * pi);
    const double eta = htz_kind_or(values[HTZ_KIND_LOSS_FACTOR], 0.0) + thermal(values, thickness, hz);
    modes->sigma[k] += modes->audible[k] ? pi * hz * eta : 0.0;
  }
  if (n_cords == 0 && resists > 0.0) {
    n_cords = nodes_of(modes, phi, HTZ_KIND_CORDS_MAX, nodes);
    cords = nodes;
  }
  for (size_t c = 0; c < n_cords && !st; ++c) {
    modes->shape(modes, cords[c], phi);
    for (size_t k = 0; k < modes->n; ++k) {
      modes->sigma[k] += modes->audible[k] ? resists * phi[k] * phi[k] / (2.0 * modes->mass[k]) : 0.0;
    }
  }
  free(phi);
  *why = st == HTZ_UNSUPPORTED ? "losses: causes need length, width and thickness" : *why;
  return st == HTZ_UNSUPPORTED ? HTZ_BAD_VALUE : st;
}
