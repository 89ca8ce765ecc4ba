#include "bridge_private.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>

enum { P = HTZ_BRIDGE_POINTS_MAX };

/**
   Stiffness with which the strings hold the points: their tension, and of the key's own also what its partial `mode` has of it when it
   does not move, as the rest of that partial is the source.
*/
static void hold(const htz_bridge* b, const support* own, size_t mode, double* load) {
  for (size_t i = 0; i < b->n_supports; ++i) {
    const support* r = b->supports[i];
    double g = 0.0;
    for (uint32_t s = 0; s < r->port.n_ends; ++s) {
      g += htz_modal_join_tension(r->port.ends[s]);
      g += r == own ? htz_modal_join_mode_stiffness(r->port.ends[s], mode) : 0.0;
    }
    bridge_lay(b, r, g, load);
  }
}

/** Real part of the receptance at the rest of `r`, the strings' hold on the bridge included: w = H (f - L w). */
static double receptance(const htz_bridge* b, const support* r, size_t mode, double omega) {
  const size_t n = b->n_points;
  double re[P * P], im[P * P], load[P * P] = {0.0}, shares[P] = {0.0};
  double matrix[4 * P * P], x[2 * P];
  htz_modal_receptance(b->board, n, omega, re, im);
  hold(b, r, mode, load);
  bridge_add_at(b, r, 1.0, shares);
  // (1 + H L) w = H f as twice as many real equations.
  for (size_t p = 0; p < n; ++p) {
    x[p] = 0.0;
    x[n + p] = 0.0;
    for (size_t q = 0; q < n; ++q) {
      double a = 0.0, c = 0.0;
      for (size_t k = 0; k < n; ++k) {
        a += re[p * n + k] * load[k * n + q];
        c += im[p * n + k] * load[k * n + q];
      }
      matrix[p * 2 * n + q] = a + (p == q ? 1.0 : 0.0);
      matrix[(n + p) * 2 * n + n + q] = a + (p == q ? 1.0 : 0.0);
      matrix[p * 2 * n + n + q] = -c;
      matrix[(n + p) * 2 * n + q] = c;
      x[p] += re[p * n + q] * shares[q];
      x[n + p] += im[p * n + q] * shares[q];
    }
  }
  return htz_solve_dense(2 * n, 2 * n, matrix, x) ? bridge_at(b, r, x) : 0.0;
}

// Where the receptance's slope is taken, relative to omega: a few cents.
static const double apart = 1e-3;

// Where the pitch that a string must have does not rise with the one that is wanted, string and board share two pitches with each
// other, one on either side of the string's own: then that is the one to keep.
static const double least_climb = 0.25;

/** The factor with which partial `mode`, from 0, is right. */
static double tuning_of(const htz_bridge* b, const support* r, size_t mode) {
  double mode_stiffness = 0.0;
  // As they move together each feels the board pushed by all.
  for (uint32_t i = 0; i < r->port.n_ends; ++i) {
    mode_stiffness += htz_modal_join_mode_stiffness(r->port.ends[i], mode);
  }
  const htz_modal* middle = r->port.ends[r->port.n_ends / 2];
  const double omega = htz_modal_omega(middle)[mode];
  const double compliance = mode_stiffness * receptance(b, r, mode, omega);
  const double climb = mode_stiffness *
                       (receptance(b, r, mode, omega * (1.0 + apart)) - receptance(b, r, mode, omega * (1.0 - apart))) /
                       (2.0 * apart);
  // d log(own pitch)/d log(pitch it sounds at), own^2 = omega^2 (1 + give).
  if (!(1.0 + 0.5 * climb > least_climb)) {
    return 1.0;
  }
  const double root = 1.0 - 4.0 * compliance;
  const double square = root > 0.0 ? 2.0 / (1.0 + sqrt(root)) : 2.0;
  return sqrt(square);
}

double htz_bridge_tuning(const htz_bridge* b, size_t key, unsigned first, unsigned last) {
  if (key >= HTZ_BRIDGE_KEYS_MAX || !b->number[key]) {
    return 1.0;
  }
  const support* r = b->supports[b->number[key] - 1];
  const size_t most = htz_modal_count(r->port.ends[r->port.n_ends / 2]);
  double sorted[HTZ_BRIDGE_TUNED_MAX];
  size_t n = 0;
  for (unsigned partial = first; n < HTZ_BRIDGE_TUNED_MAX && partial >= 1 && partial <= last && partial <= most; ++partial) {
    const double one = tuning_of(b, r, partial - 1);
    size_t i = n++;
    for (; i > 0 && sorted[i - 1] > one; --i) {
      sorted[i] = sorted[i - 1];
    }
    sorted[i] = one;
  }
  return n == 0 ? 1.0 : n == 1 ? sorted[0] : 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}
