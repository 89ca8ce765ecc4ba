#include "rath.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const double bead = 1e-4;       // [kg] a string of 5 g
static const double lowest_hz = 350.0; // as the paper says
static const double ground_loss = 1.5; // decay rate that all modes have [1/s]
static const double inner_loss = 2e-8; // friction between neighbours over their spring [s]: the highest mode rings 0.1 s

void rath_fill_string(rath_string* s) {
  const double lowest = 2.0 * sin(0.5 * pi / (RATH_MASSES + 1));
  const double spring = bead * pow(2.0 * pi * lowest_hz / lowest, 2.0);
  const double inner = inner_loss * spring;
  memset(s, 0, sizeof *s);
  s->weight[RATH_AT] = 1.0;
  for (size_t i = 0; i < RATH_MASSES; ++i) {
    s->m[i * RATH_MASSES + i] = bead;
    for (size_t j = 0; j < RATH_MASSES; ++j) {
      const double neighbours = i == j ? 2.0 : i == j + 1 || j == i + 1 ? -1.0 : 0.0;
      s->k[i * RATH_MASSES + j] = spring * neighbours;
      s->c[i * RATH_MASSES + j] = inner * neighbours + (i == j ? 2.0 * ground_loss * bead : 0.0);
    }
    const double angle = pi * (double)(i + 1) / (RATH_MASSES + 1);
    const double lambda = 4.0 * sin(0.5 * angle) * sin(0.5 * angle);
    s->omega[i] = sqrt(spring * lambda / bead);
    s->sigma[i] = 0.5 * inner * lambda / bead + ground_loss;
    s->shape[i] = sqrt(2.0 / (RATH_MASSES + 1)) * sin(angle * (RATH_AT + 1));
  }
}

htz_piecewise_system rath_struck(const rath_string* s) {
  return (htz_piecewise_system){
      .n = RATH_MASSES, .m = s->m, .k = s->k, .c = s->c, .weight = s->weight, .mass = 3e-3, .stiffness = 2e4, .damping = 0.05};
}

static const double omegas[RATH_MODES] = {1382.3007675795091, 5969.026041820607, 21991.148575128551}; // 2 pi 220, 950, 3500
static const double sigmas[RATH_MODES] = {3.0, 5.0, 9.0};
static const double masses[RATH_MODES] = {0.1, 0.1, 0.1};
static const double weights[RATH_MODES] = {1.0, 0.8, 0.6};

const htz_solver_system rath_bounce = {.mass = 0.01,
                                       .stiffness = 2e6,
                                       .exponent = 1.0,
                                       .viscosity = 0.1,
                                       .gravity = 9.81,
                                       .n_modes = RATH_MODES,
                                       .omega = omegas,
                                       .sigma = sigmas,
                                       .modal_mass = masses,
                                       .weight = weights};
