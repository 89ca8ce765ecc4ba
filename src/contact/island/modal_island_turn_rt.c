#include "fold.h"
#include "modal_island.h"

#include <math.h>
#include <string.h>

/*
   An island on a support that moves, in turning coordinates: strings that nothing touches, or the modes of strings with what is fixed to them
   (fold.h). The state stays in them from run to run, so that a run costs no way there and back.
*/

enum { WAY_ROWS = 8, FOLD_EFFORT = 4 };

static modal_island* island_of(htz_island* island) {
  return (modal_island*)island;
}

/** What is fixed to the bodies is linear and as it was built, and nothing else acts. */
static bool folds(const modal_island* s) {
  return s->fold && htz_gestures_linear(s);
}

static bool bodies_linear(modal_island* s) {
  bool linear = true;
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    linear = htz_modal_is_linear(s->desc.bodies[b]) && linear;
  }
  return linear;
}

/** What turns moves so little that no body can be out of the range where it is linear. */
static bool turns_little(const modal_island* s) {
  double loudness;
  return !(s->turn.linear_below < HUGE_VAL) || htz_modal_island_turn_energy(s, &loudness) <= s->turn.linear_below;
}

bool htz_modal_island_steady(htz_island* island) {
  modal_island* s = island_of(island);
  const bool folded = folds(s);
  if (s->turn.holds && s->turn.of_fold == folded && turns_little(s)) {
    return folded ? htz_fold_holds(s->fold) : htz_modal_island_port.is_free(island);
  }
  htz_modal_island_uncouple(s);
  if (folded) {
    return htz_fold_holds(s->fold) && htz_network_joins_relaxed(s->net) && htz_fold_fits(s->fold);
  }
  return htz_modal_island_port.is_free(island) && bodies_linear(s);
}

/** Energy of mode `k` of a body from that of its coordinates: m (v^2 + omega^2 q^2)/2. */
static void derive_energy(turning* t, size_t at, const htz_modal* m, const double* way) {
  enum { QX = 4, QY, VX, VY };
  const size_t n = htz_modal_padded(m);
  for (size_t k = 0; k < htz_modal_count(m); ++k) {
    const double half = 0.5 * htz_modal_mass(m)[k], omega = htz_modal_omega(m)[k], w2 = omega * omega;
    const double qx = way[QX * n + k], qy = way[QY * n + k], vx = way[VX * n + k], vy = way[VY * n + k];
    t->xx[at + k] = (float)(half * (vx * vx + w2 * qx * qx));
    t->xy[at + k] = (float)(2.0 * half * (vx * vy + w2 * qx * qy));
    t->yy[at + k] = (float)(half * (vy * vy + w2 * qy * qy));
  }
}

static void derive_loudness(modal_island* s) {
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    s->turn.loud[b] = 0.0;
  }
  for (uint32_t o = 0; o < s->desc.n_outputs; ++o) {
    const htz_output* out = &s->desc.outputs[o];
    if (out->body < s->n_ends) {
      s->turn.loud[out->body] += htz_modal_loudness_bound(s->desc.bodies[out->body], out->pickup);
    }
  }
}

static bool derive_bodies(modal_island* s) {
  turning* t = &s->turn;
  double stiffness = 0.0;
  size_t n = 0;
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    htz_modal* m = s->desc.bodies[b];
    double* way = t->way + WAY_ROWS * t->first[b];
    if (!htz_modal_turn_derive(m, t->first[b], &t->port.table, way)) {
      return false;
    }
    derive_energy(t, t->first[b], m, way);
    stiffness += htz_modal_join_step_stiffness(m);
    n = t->first[b + 1];
  }
  derive_loudness(s);
  t->port.step_stiffness = stiffness;
  t->port.n = n;
  t->port.effort = 1;
  return true;
}

static void derive_fold(modal_island* s) {
  turning* t = &s->turn;
  htz_fold_follow(s->fold);
  t->port.step_stiffness = htz_fold_turn_derive(s->fold, &t->port.table, t->way, t->xx, t->loss);
  for (size_t k = 0; k < s->fold->n_modes; ++k) {
    t->xy[k] = 0.0f;
    t->yy[k] = t->xx[k];
  }
  t->port.n = htz_modal_padded(s->fold->modes);
  t->port.effort = FOLD_EFFORT;
}

static void clear(turning* t) {
  float* const rows[] = {t->xx, t->xy, t->yy, t->loss, t->port.x, t->port.y};
  htz_turn_clear(&t->port.table, t->port.n);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    memset(rows[i], 0, t->port.n * sizeof(float));
  }
}

bool htz_modal_island_turn_derive(htz_island* island) {
  modal_island* s = island_of(island);
  turning* t = &s->turn;
  htz_modal_island_uncouple(s);
  clear(t);
  t->of_fold = folds(s);
  t->derived = true;
  t->linear_below = HUGE_VAL;
  for (uint32_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    const double below = htz_modal_linear_below(s->desc.bodies[b]);
    t->linear_below = below < t->linear_below ? below : t->linear_below;
  }
  if (t->of_fold) {
    derive_fold(s);
  } else {
    t->derived = derive_bodies(s);
  }
  t->port.n = (t->port.n + HTZ_TURN_LANES - 1) / HTZ_TURN_LANES * HTZ_TURN_LANES;
  return t->derived;
}

bool htz_modal_island_turn(htz_island* island) {
  modal_island* s = island_of(island);
  turning* t = &s->turn;
  if (!t->derived || t->of_fold != folds(s)) {
    return false;
  }
  if (t->holds) {
    return true;
  }
  htz_modal_island_uncouple(s);
  memset(t->port.x, 0, t->port.n * sizeof(float));
  memset(t->port.y, 0, t->port.n * sizeof(float));
  if (t->of_fold) {
    htz_fold_in(s->fold, s->net);
    s->folded = true;
    htz_modal_turn_load(s->fold->modes, t->way, t->port.x, t->port.y);
  } else {
    for (uint32_t b = 0; b < s->n_ends; ++b) {
      htz_modal_turn_load(s->desc.bodies[b], t->way + WAY_ROWS * t->first[b], t->port.x + t->first[b], t->port.y + t->first[b]);
    }
  }
  s->resting = false;
  t->holds = true;
  return true;
}

/** What is no number stays as it is: it is for whoever asks for the energy. */
bool htz_modal_island_turn_back(modal_island* s) {
  turning* t = &s->turn;
  if (!t->holds) {
    return false;
  }
  t->holds = false;
  if (t->of_fold) {
    htz_modal_turn_store(s->fold->modes, t->way, t->port.x, t->port.y);
    return true;
  }
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    htz_modal_turn_store(s->desc.bodies[b], t->way + WAY_ROWS * t->first[b], t->port.x + t->first[b], t->port.y + t->first[b]);
  }
  return true;
}

static double energy_of(const modal_island* s, const float* xx, const float* xy, const float* yy, size_t first, size_t n) {
  const turning* t = &s->turn;
  const htz_kernels* k = htz_modal_kernels(s->desc.bodies[0]);
  return (double)k->turn_energy(n, xx + first, xy + first, yy + first, t->port.x + first, t->port.y + first);
}

double htz_modal_island_turn_energy(const modal_island* s, double* loudness) {
  const turning* t = &s->turn;
  double sum = 0.0, loud = 0.0;
  if (t->of_fold) {
    sum = energy_of(s, t->xx, t->xy, t->yy, 0, t->port.n);
    for (uint32_t l = 0; l < s->fold->n_lines; ++l) {
      loud += s->fold->bound[l] * sqrt(sum > 0.0 ? sum : 0.0);
    }
    *loudness = loud;
    return sum;
  }
  for (uint32_t b = 0; b < s->n_ends; ++b) {
    const double energy = energy_of(s, t->xx, t->xy, t->yy, t->first[b], t->first[b + 1] - t->first[b]);
    const double root = sqrt(energy > 0.0 ? energy : 0.0);
    sum += energy;
    loud += t->loud[b] * root;
  }
  *loudness = loud;
  return sum;
}

double htz_modal_island_turn_power(const modal_island* s) {
  const turning* t = &s->turn;
  double sum = 0.0;
  for (uint32_t o = 0; o < s->desc.n_outputs; ++o) {
    const htz_output* out = &s->desc.outputs[o];
    if (out->body >= s->n_ends) {
      continue;
    }
    const htz_modal* m = s->desc.bodies[out->body];
    const double *aq, *av, *mass = htz_modal_mass(m), *omega = htz_modal_omega(m);
    htz_modal_signal(m, out->pickup, &aq, &av);
    for (size_t k = 0, i = t->first[out->body]; k < htz_modal_count(m); ++k, ++i) {
      const double x = (double)t->port.x[i], y = (double)t->port.y[i];
      const double energy = (double)t->xx[i] * x * x + (double)t->xy[i] * x * y + (double)t->yy[i] * y * y;
      const double per_q = omega[k] > 0.0 ? aq[k] * aq[k] / (omega[k] * omega[k]) : 0.0;
      sum += (av[k] * av[k] + per_q) * 2.0 * energy / mass[k];
    }
  }
  return sum > 0.0 ? sum : 0.0;
}

void htz_modal_island_turned(htz_island* island, uint32_t frames) {
  modal_island* s = island_of(island);
  const turning* t = &s->turn;
  if (t->of_fold && t->holds) {
    s->fold_lost += s->period * (double)frames * energy_of(s, t->loss, t->xy, t->loss, 0, t->port.n);
  }
}
