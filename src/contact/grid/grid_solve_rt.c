#include "grid_network_private.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>

enum {
  GROUP_MAX = 60,    // up to 10 are usual
  HALVINGS_MAX = 12, // 1/4096 of a step that does not go downhill will not either
  SWEEPS_MAX = 100 // converge slowly but surely, should Newton's method end in rounding; more would take longer than a quantum
};

/** s = s0 - C f */
static void displaced(size_t n, const double* s0, const double* c, const double* f, double* s) {
  for (size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (size_t j = 0; j < n; ++j) {
      sum += c[i * GRID_GROUP_ROOM + j] * f[j];
    }
    s[i] = s0[i] - sum;
  }
}

/** (1 + F' C) x = b, in place. */
static bool solve_rows(size_t n, const double* slope, const double* c, double* b) {
  double a[GRID_GROUP_ROOM * GRID_GROUP_ROOM];
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      a[i * GRID_GROUP_ROOM + j] = slope[i] * c[i * GRID_GROUP_ROOM + j] + (i == j ? 1.0 : 0.0);
    }
  }
  return htz_solve_dense(n, GRID_GROUP_ROOM, a, b);
}

/** f - F(s), and its slopes; @return how far off that is at worst, as a share of the displacement in play. */
static double residual(size_t n, const grid_trial* t, const double* s0, const double* c, const double* f, const double* s,
                       double* r, double* slope) {
  double worst = 0.0;
  for (size_t i = 0; i < n; ++i) {
    r[i] = f[i] - htz_grid_trial_force(&t[i], s[i], &slope[i]);
    // A force is known as well as the displacement allows: moved by r/F', or by C r if that is less stiff.
    const double own = c[i * GRID_GROUP_ROOM + i];
    const double moved = fabs(r[i]) * own / (1.0 + own * slope[i]);
    // s is a difference of much larger ones when contacts are stiff: at last their rounding is let pass.
    double terms = fabs(s0[i]);
    for (size_t j = 0; j < n; ++j) {
      terms += fabs(c[i * GRID_GROUP_ROOM + j] * f[j]);
    }
    const double scale = fabs(t[i].before) + fabs(s[i]) + terms * (GRID_CLOSE_ENOUGH / GRID_CLOSE_AT_LAST);
    const double share = fabs(r[i]) <= GRID_CLOSE_ENOUGH * fabs(f[i]) ? 0.0 : moved / scale;
    worst = share > worst ? share : worst;
  }
  return worst;
}

/** Slope along d of the convex function whose minimum is the answer: d' C (f - F). */
static double along(size_t n, const double* c, const double* d, const double* r) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      sum += d[i] * c[i * GRID_GROUP_ROOM + j] * r[j];
    }
  }
  return sum;
}

/** One contact after the other, each as if alone. */
static bool sweep(size_t n, const grid_trial* t, const double* s0, const double* c, double* f, double* s,
                  uint64_t* iterations) {
  htz_grid_counters unused = {0};
  for (int turn = 0; turn < SWEEPS_MAX; ++turn) {
    double r[GRID_GROUP_ROOM];
    double slope[GRID_GROUP_ROOM];
    for (size_t i = 0; i < n; ++i) {
      double free = s0[i];
      for (size_t j = 0; j < n; ++j) {
        free -= j == i ? 0.0 : c[i * GRID_GROUP_ROOM + j] * f[j];
      }
      f[i] = htz_grid_solve_lone(&t[i], free, c[i * GRID_GROUP_ROOM + i], f[i], &s[i], &unused);
    }
    ++*iterations;
    displaced(n, s0, c, f, s);
    if (residual(n, t, s0, c, f, s, r, slope) <= GRID_CLOSE_AT_LAST) {
      return true;
    }
  }
  return false;
}

/** A collision pushes or does nothing: what rounding makes of 0 is 0. */
static void never_pull(size_t n, const grid_trial* t, double* f) {
  for (size_t i = 0; i < n; ++i) {
    if (!t[i].linear && t[i].law->force == HTZ_GRID_COLLISION && f[i] < 0.0) {
      f[i] = 0.0;
    }
  }
}

/** All linear: one elimination. */
static bool solve_linear(size_t n, const grid_trial* t, const double* s0, const double* c, double* f) {
  double slope[GRID_GROUP_ROOM];
  for (size_t i = 0; i < n; ++i) {
    f[i] = htz_grid_trial_force(&t[i], s0[i], &slope[i]);
  }
  return solve_rows(n, slope, c, f);
}

/** Newton's method, its steps halved while they go past the bottom of the valley. @return iterations */
static uint64_t newton(size_t n, const grid_trial* t, const double* s0, const double* c, double* f, double* s) {
  double r[GRID_GROUP_ROOM];
  double slope[GRID_GROUP_ROOM];
  displaced(n, s0, c, f, s);
  double off = residual(n, t, s0, c, f, s, r, slope);
  bool done = off <= GRID_CLOSE_ENOUGH;
  bool stuck = false;
  uint64_t iterations = 0;
  while (!done && !stuck && iterations < GROUP_MAX) {
    ++iterations;
    double d[GRID_GROUP_ROOM];
    double tried[GRID_GROUP_ROOM];
    for (size_t i = 0; i < n; ++i) {
      d[i] = -r[i];
    }
    if (!solve_rows(n, slope, c, d)) {
      break;
    }
    const double downhill = along(n, c, d, r);
    double share = 1.0;
    stuck = true;
    for (int halving = 0; halving < HALVINGS_MAX && stuck; ++halving, share *= 0.5) {
      for (size_t i = 0; i < n; ++i) {
        tried[i] = f[i] + share * d[i];
      }
      displaced(n, s0, c, tried, s);
      const double left = residual(n, t, s0, c, tried, s, r, slope);
      // What no longer shrinks is rounding.
      done = left <= GRID_CLOSE_ENOUGH || (left <= GRID_CLOSE_AT_LAST && left > 0.25 * off);
      // Not past the bottom, or not so far that it is as steep as here.
      const double now = along(n, c, d, r);
      stuck = !done && now > -0.9 * downhill;
      off = stuck ? off : left;
    }
    for (size_t i = 0; i < n; ++i) {
      f[i] = tried[i];
    }
  }
  return iterations;
}

void htz_grid_solve_group(size_t n, const grid_trial* t, const double* s0, const double* c, double* f, double* s,
                          htz_grid_counters* count) {
  bool linear = true;
  for (size_t i = 0; i < n; ++i) {
    linear = linear && t[i].linear;
  }
  uint64_t iterations = 0;
  bool done;
  if (linear) {
    done = solve_linear(n, t, s0, c, f);
    displaced(n, s0, c, f, s);
  } else {
    double r[GRID_GROUP_ROOM];
    double slope[GRID_GROUP_ROOM];
    iterations = newton(n, t, s0, c, f, s);
    never_pull(n, t, f);
    displaced(n, s0, c, f, s);
    done = residual(n, t, s0, c, f, s, r, slope) <= GRID_CLOSE_AT_LAST || sweep(n, t, s0, c, f, s, &iterations);
  }
  grid_counted(count, iterations, done);
}
