#include "fold.h"
#include "modal_island.h"

#include <math.h>
#include <string.h>

/*
   A resonator is driven, sample by sample, by what a pickup hears of the struck body: x+ = A x + b c y+, y+ = B y while nothing
   strikes. With P solving A P + b c B = P B the combination x' = x - P y obeys x'+ = A x': it runs free. So both bodies can be
   advanced by whole quanta, and what is heard of x is heard of x' and y. For every pair of modes P is a 2x2 matrix; with p the
   characteristic polynomial of A, p(z) = z^2 - tau z + delta, and C = -b c B (so that A P - P B = C),
   P p(B) = -(C B + A C - tau C) by Cayley and Hamilton.
*/
typedef struct {
  double m[4]; // row by row
} mat;

static mat product(mat x, mat y) {
  return (mat){{x.m[0] * y.m[0] + x.m[1] * y.m[2], x.m[0] * y.m[1] + x.m[1] * y.m[3], x.m[2] * y.m[0] + x.m[3] * y.m[2],
                x.m[2] * y.m[1] + x.m[3] * y.m[3]}};
}

static mat combine(mat x, double scale, mat y) {
  return (mat){{x.m[0] + scale * y.m[0], x.m[1] + scale * y.m[1], x.m[2] + scale * y.m[2], x.m[3] + scale * y.m[3]}};
}

// Two modes whose poles are closer than this are one mode to working precision.
static const double nearest_poles = 1e-20;

/** P for one mode of each, given C. @return false when their poles coincide. */
static bool solve_pair(mat a, mat c, mat bb, mat* p) {
  const double tau = a.m[0] + a.m[3];
  const double delta = a.m[0] * a.m[3] - a.m[1] * a.m[2];
  mat poly = combine(product(bb, bb), -tau, bb);
  poly.m[0] += delta;
  poly.m[3] += delta;
  const double det = poly.m[0] * poly.m[3] - poly.m[1] * poly.m[2];
  if (!(det > nearest_poles || det < -nearest_poles)) {
    return false;
  }
  const mat inverse = {{poly.m[3] / det, -poly.m[1] / det, -poly.m[2] / det, poly.m[0] / det}};
  const mat right = combine(combine(product(c, bb), 1.0, product(a, c)), -tau, c);
  *p = product(right, inverse);
  for (int i = 0; i < 4; ++i) {
    p->m[i] = -p->m[i];
  }
  return true;
}

static double* pi_row(const modal_island* s, size_t r, size_t t, size_t entry) {
  return s->couplings[r].pi + (t * 4 + entry) * htz_modal_padded(s->desc.bodies[0]);
}

static double* ear_row(const modal_island* s, size_t r, size_t pickup, size_t entry) {
  return s->couplings[r].ears + (pickup * 2 + entry) * htz_modal_padded(s->desc.bodies[0]);
}

/** c B of mode `k` of the struck body at `point` of resonator `r`: the feeds into it add up. @return false when it is 0 */
static bool feed_row(const modal_island* s, size_t r, size_t point, size_t k, mat bb, double row[2]) {
  double cq = 0.0, cv = 0.0;
  for (uint32_t f = 0; f < s->desc.n_feeds; ++f) {
    if (s->desc.feeds[f].to == r && s->desc.feeds[f].point == point) {
      const double *aq, *av;
      htz_modal_signal(s->desc.bodies[0], s->desc.feeds[f].pickup, &aq, &av);
      cq += aq[k];
      cv += av[k];
    }
  }
  row[0] = cq * bb.m[0] + cv * bb.m[2];
  row[1] = cq * bb.m[1] + cv * bb.m[3];
  return cq != 0.0 || cv != 0.0;
}

/** C = -b c B of mode `t` of resonator `r` and mode `k` of the struck body. @return false when it is 0 */
static bool derive_c(const modal_island* s, size_t r, size_t t, size_t k, mat bb, mat* c) {
  const htz_modal* to = s->desc.bodies[r];
  const htz_mode_step x = htz_modal_mode_step(to, t);
  bool driven = false;
  *c = (mat){{0.0, 0.0, 0.0, 0.0}};
  for (size_t point = 0; point < htz_modal_body(s->desc.bodies[r])->n_points; ++point) {
    double row[2];
    if (feed_row(s, r, point, k, bb, row)) {
      const double phi = htz_modal_phi(to, point)[t];
      const double b[2] = {x.b[0] * phi, x.b[1] * phi};
      *c = combine(*c, -1.0, (mat){{b[0] * row[0], b[0] * row[1], b[1] * row[0], b[1] * row[1]}});
      driven = true;
    }
  }
  return driven;
}

/**
   What an ear at resonator `r` holds of the forces at once, a+ = (1 - s) a + s D c y+ with the share s of its low-pass: a' = a - p y falls
   by (1 - s) with p (B - (1 - s) I) = s D c B. @return false when the poles coincide
*/
static bool derive_ears(modal_island* s, size_t r) {
  const htz_modal* to = s->desc.bodies[r];
  for (size_t pickup = 0; pickup < htz_modal_pickups(to); ++pickup) {
    for (size_t k = 0; k < htz_modal_count(s->desc.bodies[0]); ++k) {
      const htz_mode_step y = htz_modal_mode_step(s->desc.bodies[0], k);
      double sum[2] = {0.0, 0.0}, share = 0.0, row[2];
      for (size_t point = 0; point < htz_modal_body(s->desc.bodies[r])->n_points; ++point) {
        const double direct = htz_modal_ear_direct(to, pickup, point, &share);
        if (direct != 0.0 && feed_row(s, r, point, k, (mat){{y.a[0], y.a[1], y.a[2], y.a[3]}}, row)) {
          sum[0] += direct * row[0];
          sum[1] += direct * row[1];
        }
      }
      const double keep = 1.0 - share, a = y.a[0] - keep, d = y.a[3] - keep;
      const double det = a * d - y.a[1] * y.a[2];
      const bool driven = sum[0] != 0.0 || sum[1] != 0.0;
      if (driven && !(det > nearest_poles || det < -nearest_poles)) {
        return false;
      }
      ear_row(s, r, pickup, 0)[k] = driven ? share * (sum[0] * d - sum[1] * y.a[2]) / det : 0.0;
      ear_row(s, r, pickup, 1)[k] = driven ? share * (sum[1] * a - sum[0] * y.a[1]) / det : 0.0;
    }
  }
  return true;
}

/** P of resonator `r`. */
static bool derive_pi(modal_island* s, size_t r) {
  for (size_t t = 0; t < s->couplings[r].n; ++t) {
    const htz_mode_step x = htz_modal_mode_step(s->desc.bodies[r], t);
    const mat a = {{x.a[0], x.a[1], x.a[2], x.a[3]}};
    for (size_t k = 0; k < htz_modal_count(s->desc.bodies[0]); ++k) {
      const htz_mode_step y = htz_modal_mode_step(s->desc.bodies[0], k);
      const mat bb = {{y.a[0], y.a[1], y.a[2], y.a[3]}};
      mat p = {{0.0, 0.0, 0.0, 0.0}}, c;
      if (derive_c(s, r, t, k, bb, &c) && !solve_pair(a, c, bb, &p)) {
        return false;
      }
      for (size_t e = 0; e < 4; ++e) {
        pi_row(s, r, t, e)[k] = p.m[e];
      }
    }
  }
  return true;
}

/** What a resonator's pickup hears of the struck body by way of P. */
static void add_heard(modal_island* s, const htz_output* out) {
  const size_t n = htz_modal_padded(s->desc.bodies[0]);
  line* l = &s->lines[0][out->line];
  const double *aq, *av;
  htz_modal_signal(s->desc.bodies[out->body], out->pickup, &aq, &av);
  for (size_t k = 0; k < n; ++k) {
    l->aq[k] += s->level * ear_row(s, out->body, out->pickup, 0)[k];
    l->av[k] += s->level * ear_row(s, out->body, out->pickup, 1)[k];
  }
  for (size_t t = 0; t < s->couplings[out->body].n; ++t) {
    const double q = s->level * aq[t];
    const double v = s->level * av[t];
    for (size_t k = 0; k < n; ++k) {
      l->aq[k] += q * pi_row(s, out->body, t, 0)[k] + v * pi_row(s, out->body, t, 2)[k];
      l->av[k] += q * pi_row(s, out->body, t, 1)[k] + v * pi_row(s, out->body, t, 3)[k];
    }
  }
}

static void derive_lines(modal_island* s) {
  for (size_t b = 0; b < s->desc.n_bodies; ++b) {
    const size_t n = htz_modal_padded(s->desc.bodies[b]);
    for (uint32_t l = 0; l < s->desc.n_lines; ++l) {
      memset(s->lines[b][l].aq, 0, n * sizeof(double));
      memset(s->lines[b][l].av, 0, n * sizeof(double));
    }
  }
  for (uint32_t o = 0; o < s->desc.n_outputs; ++o) {
    const htz_output* out = &s->desc.outputs[o];
    const double level = out->body < htz_modal_island_in_network(&s->desc) ? 1.0 : s->level;
    line* l = &s->lines[out->body][out->line];
    const double *aq, *av;
    htz_modal_signal(s->desc.bodies[out->body], out->pickup, &aq, &av);
    for (size_t k = 0; k < htz_modal_padded(s->desc.bodies[out->body]); ++k) {
      l->aq[k] += level * aq[k];
      l->av[k] += level * av[k];
    }
    if (out->body >= htz_modal_island_in_network(&s->desc)) {
      add_heard(s, out);
    }
  }
  for (size_t b = 0; b < s->desc.n_bodies; ++b) {
    for (uint32_t l = 0; l < s->desc.n_lines; ++l) {
      s->lines[b][l].bound = htz_modal_weigh(s->desc.bodies[b], s->lines[b][l].aq, s->lines[b][l].av, &s->weights[b][l]);
    }
    s->epochs[b] = htz_modal_epoch(s->desc.bodies[b]);
  }
  s->derived_level = s->level;
  s->derived = true;
}

static bool up_to_date(const modal_island* s) {
  bool same = s->derived && s->derived_level == s->level;
  for (size_t b = 0; b < s->desc.n_bodies; ++b) {
    same = same && s->epochs[b] == htz_modal_epoch(s->desc.bodies[b]);
  }
  return same;
}

/** x += sign P y for every resonator. */
static void shift(modal_island* s, double sign) {
  const double* q = htz_modal_q(s->desc.bodies[0]);
  const double* v = htz_modal_v(s->desc.bodies[0]);
  const size_t n = htz_modal_padded(s->desc.bodies[0]);
  for (size_t r = htz_modal_island_in_network(&s->desc); r < s->desc.n_bodies; ++r) {
    for (size_t t = 0; t < s->couplings[r].n; ++t) {
      double dq = 0.0, dv = 0.0;
      for (size_t k = 0; k < n; ++k) {
        dq += pi_row(s, r, t, 0)[k] * q[k] + pi_row(s, r, t, 1)[k] * v[k];
        dv += pi_row(s, r, t, 2)[k] * q[k] + pi_row(s, r, t, 3)[k] * v[k];
      }
      htz_modal_q(s->desc.bodies[r])[t] += sign * dq;
      htz_modal_v(s->desc.bodies[r])[t] += sign * dv;
    }
    for (size_t p = 0; p < htz_modal_pickups(s->desc.bodies[r]); ++p) {
      double held = 0.0;
      for (size_t k = 0; k < n; ++k) {
        held += ear_row(s, r, p, 0)[k] * q[k] + ear_row(s, r, p, 1)[k] * v[k];
      }
      htz_modal_lift_ear(s->desc.bodies[r], p, sign * held);
    }
  }
}

void htz_modal_island_uncouple(modal_island* s) {
  s->still = 0;
  const bool turned = htz_modal_island_turn_back(s);
  if (s->folded) {
    htz_fold_out(s->fold, s->net);
    s->fold_lost += turned ? 0.0 : htz_fold_lost(s->fold, s->net); // booked as it went: the support worked on it too
    s->folded = false;
    s->flown = true;
  }
  if (s->coupled) {
    shift(s, 1.0);
    s->coupled = false;
  }
}

bool htz_modal_island_couple(modal_island* s) {
  if (s->coupled) {
    return true;
  }
  if (!s->couples) {
    return false;
  }
  for (size_t b = 0; b < htz_modal_island_in_network(&s->desc); ++b) {
    if (!htz_modal_is_linear(s->desc.bodies[b])) {
      return false;
    }
  }
  if (!up_to_date(s)) {
    s->derived = false;
    for (size_t r = htz_modal_island_in_network(&s->desc); r < s->desc.n_bodies; ++r) {
      if (!derive_pi(s, r) || !derive_ears(s, r)) {
        s->couples = false;
        return false;
      }
    }
    derive_lines(s);
  }
  shift(s, -1.0);
  s->coupled = true;
  return true;
}

void htz_modal_island_free_quantum(modal_island* s, float* const* lines) {
  for (size_t b = 0; b < s->desc.n_bodies; ++b) {
    htz_modal_free_lines(s->desc.bodies[b], s->desc.n_lines, s->weights[b], lines);
  }
}

double htz_modal_island_free_energy(const modal_island* s, double energy[2]) {
  const uint32_t together = htz_modal_island_in_network(&s->desc);
  double sum = 0.0;
  energy[0] = energy[1] = 0.0;
  for (size_t b = 0; b < s->desc.n_bodies; ++b) {
    const htz_body* body = htz_modal_body(s->desc.bodies[b]);
    const double own = body->cls->energy(body);
    const double root = sqrt(own > 0.0 ? own : 0.0);
    energy[b >= together] += own;
    for (uint32_t l = 0; l < s->desc.n_lines; ++l) {
      sum += s->lines[b][l].bound * root;
    }
  }
  return sum;
}

double htz_modal_island_free_power(const modal_island* s) {
  double sum = 0.0;
  for (size_t b = 0; b < s->desc.n_bodies; ++b) {
    for (uint32_t l = 0; l < s->desc.n_lines; ++l) {
      sum += htz_modal_swing(s->desc.bodies[b], s->lines[b][l].aq, s->lines[b][l].av);
    }
  }
  return sum;
}
