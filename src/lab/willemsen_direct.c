#include "willemsen_direct.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>

/** The grid point that carries the place (x, y) almost alone. */
static size_t index_of(const htz_grid* grid, double x, double y) {
  htz_grid_point p;
  size_t best = 0;
  grid->cls->locate(grid, x, y, &p);
  for (size_t i = 1; i < p.n; ++i) {
    best = p.share[i] > p.share[best] ? i : best;
  }
  return p.at[best];
}

void direct_string_about(direct_string* s, const htz_grid* grid, double x) {
  const double n = (double)htz_grid_string_intervals(grid);
  s->grid = grid;
  s->k = grid->period;
  s->h = htz_grid_string_spacing(grid);
  s->tension = htz_grid_string_tension(grid);
  for (int i = 0; i < DIRECT_ACROSS; ++i) {
    s->at[i] = index_of(grid, x + (i - DIRECT_ACROSS / 2) / n, 0.0);
  }
}

void direct_plate_about(direct_plate* p, const htz_grid* grid, double x, double y) {
  size_t across[2];
  htz_grid_plate_intervals(grid, across);
  const double dx = 1.0 / (double)across[0], dy = 1.0 / (double)across[1];
  static const int side[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  static const int corner[4][2] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
  p->grid = grid;
  p->k = grid->period;
  p->centre = index_of(grid, x, y);
  for (int i = 0; i < 4; ++i) {
    p->near[i] = index_of(grid, x + side[i][0] * dx, y + side[i][1] * dy);
    p->far[i] = index_of(grid, x + 2 * side[i][0] * dx, y + 2 * side[i][1] * dy);
    p->diagonal[i] = index_of(grid, x + corner[i][0] * dx, y + corner[i][1] * dy);
  }
}

static double sum(const double* u, const size_t* at) {
  return u[at[0]] + u[at[1]] + u[at[2]] + u[at[3]];
}

/** (70a), with the 6 before mu_s^2 that the print lacks. */
double direct_string_free(const direct_string* s) {
  const double *u = s->grid->now, *before = s->grid->before;
  const double k = s->k, h2 = s->h * s->h;
  const double lambda2 = s->tension * k * k / (s->density * h2);
  const double mu2 = s->bending * k * k / (s->density * h2 * h2);
  const double loss = 2.0 * s->sigma1 * k / h2;
  const size_t* l = s->at;
  const double next = (2.0 - 2.0 * lambda2 - 6.0 * mu2 - 2.0 * loss) * u[l[2]] +
                      (lambda2 + 4.0 * mu2 + loss) * (u[l[1]] + u[l[3]]) - mu2 * (u[l[0]] + u[l[4]]) +
                      (-1.0 + s->sigma0 * k + 2.0 * loss) * before[l[2]] - loss * (before[l[1]] + before[l[3]]);
  return next / (1.0 + s->sigma0 * k);
}

/** (70c), with mu_p of rho_p and with the sigma_0 k before v^(n-1) that the print lacks. */
double direct_plate_free(const direct_plate* p) {
  const double *v = p->grid->now, *before = p->grid->before;
  const double k = p->k, h2 = p->h * p->h;
  const double mu2 = p->rigidity * k * k / (p->density * h2 * h2);
  const double loss = 2.0 * p->sigma1 * k / h2;
  const double next = (2.0 - 20.0 * mu2 - 4.0 * loss) * v[p->centre] + (8.0 * mu2 + loss) * sum(v, p->near) -
                      2.0 * mu2 * sum(v, p->diagonal) - mu2 * sum(v, p->far) +
                      (-1.0 + p->sigma0 * k + 4.0 * loss) * before[p->centre] - loss * sum(before, p->near);
  return next / (1.0 + p->sigma0 * k);
}

/** (84b) */
double direct_mass_free(const direct_mass* m, double now, double before) {
  const double damp = 0.5 * m->loss * m->k;
  return ((2.0 - m->k * m->k * m->omega * m->omega) * now + (damp - 1.0) * before) / (1.0 + damp);
}

double direct_g(const direct_psi* c, double eta) {
  const double x = c->two_sided ? fabs(eta) : eta;
  const double g = x > 0.0 ? sqrt(0.5 * c->stiffness * (c->exponent + 1.0)) * pow(x, 0.5 * (c->exponent - 1.0)) : 0.0;
  return c->two_sided && eta < 0.0 ? -g : g;
}

void direct_psi_step(direct_psi* c, double g, double eta_next, double eta_before) {
  c->psi += 0.5 * g * (eta_next - eta_before);
}

void direct_solve(size_t n, double a[3][3], double b[3]) {
  (void)htz_solve_dense(n, 3, a[0], b); // singular: b is nonsense, and a finding says so
}
