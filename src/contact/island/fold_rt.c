#include "fold.h"

#include "network/network_private.h"

#include <math.h>

/*
   Into the modes of joined bodies and back. The system M q'' + C q' + K q = 0 is symmetric, so its modes are their own left vectors:
   y_k = x_k' [M v + C q + s_k M q] / x_k'(2 s_k M + C) x_k. What moves against a rigid join is left behind in that, as in a collision
   that does not bounce.
*/

static double dot(size_t n, const double* a, const double* b) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

static fold_number product(fold_number a, fold_number b) {
  return (fold_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static fold_number quotient(fold_number a, fold_number b) {
  const double size = b.re * b.re + b.im * b.im;
  return (fold_number){(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
}

bool htz_fold_holds(const fold* f) {
  bool free = true;
  for (uint32_t b = 0; b < f->n_bodies; ++b) {
    free = free && htz_modal_tuning(f->bodies[b]).damper == 0.0;
  }
  return free;
}

bool htz_fold_fits(fold* f) {
  bool linear = true;
  for (uint32_t b = 0; b < f->n_bodies; ++b) {
    linear = linear && htz_modal_is_linear(f->bodies[b]);
  }
  return linear;
}

/** Coordinates of bodies and masses, into f->q and f->v. */
static void read_bodies(fold* f) {
  size_t at = 0;
  for (uint32_t b = 0; b < f->n_bodies; ++b) {
    const double *q = htz_modal_q(f->bodies[b]), *v = htz_modal_v(f->bodies[b]);
    for (size_t k = 0; k < htz_modal_count(f->bodies[b]); ++k, ++at) {
      f->q[at] = q[k];
      f->v[at] = v[k];
    }
  }
  for (uint32_t i = 0; i < f->n_masses; ++i, ++at) {
    f->q[at] = f->masses[i]->cls->displacement(f->masses[i], 0);
    f->v[at] = f->masses[i]->cls->velocity(f->masses[i], 0);
  }
}

static void write_bodies(fold* f) {
  size_t at = 0;
  for (uint32_t b = 0; b < f->n_bodies; ++b) {
    double *q = htz_modal_q(f->bodies[b]), *v = htz_modal_v(f->bodies[b]);
    for (size_t k = 0; k < htz_modal_count(f->bodies[b]); ++k, ++at) {
      q[k] = f->q[at];
      v[k] = f->v[at];
    }
    htz_modal_moved(f->bodies[b]);
  }
  for (uint32_t i = 0; i < f->n_masses; ++i, ++at) {
    f->masses[i]->cls->set_motion(f->masses[i], f->q[at], f->v[at]);
  }
}

/** Imaginary part of y of mode `k`. */
static double quadrature(const fold* f, size_t k, const double* q, const double* v) {
  return -(v[k] + f->decay[k] * q[k]) / f->swing[k];
}

void htz_fold_load(fold* f) {
  double pull[HTZ_JOINS_MAX];
  double *q = htz_modal_q(f->modes), *v = htz_modal_v(f->modes);
  for (uint32_t j = 0; j < f->n_dampers; ++j) {
    pull[j] = f->damping[j] * dot(f->n, f->stretch + j * f->n, f->q);
  }
  for (size_t i = 0; i < f->n; ++i) {
    f->v[i] = f->mass[i] * f->v[i] + f->loss * f->drag[i] * f->q[i];
    f->q[i] *= f->mass[i];
    for (uint32_t j = 0; j < f->n_dampers; ++j) {
      f->v[i] += f->stretch[j * f->n + i] * pull[j];
    }
  }
  for (size_t k = 0; k < f->n_modes; ++k) {
    const double *xr = f->xr + k * f->n, *xi = f->xi + k * f->n;
    double pr = 0.0, pi = 0.0, qr = 0.0, qi = 0.0;
    for (size_t i = 0; i < f->n; ++i) {
      pr += xr[i] * f->v[i];
      pi += xi[i] * f->v[i];
      qr += xr[i] * f->q[i];
      qi += xi[i] * f->q[i];
    }
    const fold_number y =
        quotient((fold_number){pr - f->decay[k] * qr - f->swing[k] * qi, pi - f->decay[k] * qi + f->swing[k] * qr}, f->norm[k]);
    const double re = y.re, im = y.im;
    q[k] = re;
    v[k] = -f->decay[k] * re - f->swing[k] * im;
    f->before[k] = re * re + im * im;
  }
}

void htz_fold_unload(fold* f) {
  const double *q = htz_modal_q(f->modes), *v = htz_modal_v(f->modes);
  for (size_t i = 0; i < f->n; ++i) {
    f->q[i] = f->v[i] = 0.0;
  }
  for (size_t k = 0; k < f->n_modes; ++k) {
    const double *xr = f->xr + k * f->n, *xi = f->xi + k * f->n;
    const double re = 2.0 * q[k], im = 2.0 * quadrature(f, k, q, v);
    const double dre = 2.0 * v[k], dim = f->swing[k] * re - f->decay[k] * im;
    for (size_t i = 0; i < f->n; ++i) {
      f->q[i] += xr[i] * re - xi[i] * im;
      f->v[i] += xr[i] * dre - xi[i] * dim;
    }
  }
}

// Tuning.

/** a + scale b */
static fold_number plus(fold_number a, double scale, fold_number b) {
  return (fold_number){a.re + scale * b.re, a.im + scale * b.im};
}

/** The root nearer to the positive real axis. */
static fold_number root(fold_number a) {
  const double size = sqrt(a.re * a.re + a.im * a.im);
  const double re = sqrt(0.5 * (size + a.re > 0.0 ? size + a.re : 0.0));
  const double im = sqrt(0.5 * (size - a.re > 0.0 ? size - a.re : 0.0));
  return (fold_number){re, a.im < 0.0 ? -im : im};
}

/** Root, scale and energies of mode `k` for f->ratio and f->loss. */
static void follow_mode(fold* f, size_t k) {
  const fold_quotient* x = &f->quotient[k];
  const fold_number a = x->mass;
  const fold_number b = plus(x->damper, f->loss, x->drag), c = plus(x->spring, f->ratio * f->ratio, x->pull);
  // (-b + r)/2a with r the root of b^2 - 4 a c on the side of the root as built.
  fold_number r = root(plus(product(b, b), -4.0, product(a, c)));
  const fold_number two_a = {2.0 * a.re, 2.0 * a.im};
  fold_number s = quotient(plus(r, -1.0, b), two_a);
  if (s.im < 0.0) {
    r = (fold_number){-r.re, -r.im};
    s = quotient(plus(r, -1.0, b), two_a);
  }
  f->norm[k] = r;
  f->decay[k] = s.re < 0.0 ? -s.re : 0.0;
  f->swing[k] = s.im;
  f->weight[k] = (s.re * s.re + s.im * s.im) * x->mass_size + f->ratio * f->ratio * x->pull_size + x->spring_size;
  f->share[k] = x->damper_size > 0.0 ? x->damper_size / (x->damper_size + f->loss * x->drag_size) : 0.0;
}

/** Signal sum aq q + av v of the coordinates from `first` on, as 2 Re W y of the modes, onto the line. */
static void hear(fold* f, size_t first, size_t n, const double* aq, const double* av) {
  for (size_t k = 0; k < f->n_modes; ++k) {
    const double *xr = f->xr + k * f->n + first, *xi = f->xi + k * f->n + first;
    double qr = 0.0, qi = 0.0, vr = 0.0, vi = 0.0;
    for (size_t i = 0; i < n; ++i) {
      qr += xr[i] * aq[i];
      qi += xi[i] * aq[i];
      vr += xr[i] * av[i];
      vi += xi[i] * av[i];
    }
    const double re = qr - f->decay[k] * vr - f->swing[k] * vi, im = qi - f->decay[k] * vi + f->swing[k] * vr;
    f->line_q[k] += 2.0 * (re + im * f->decay[k] / f->swing[k]);
    f->line_v[k] += 2.0 * im / f->swing[k];
  }
}

static void follow_line(fold* f, uint32_t l) {
  for (size_t k = 0; k < f->n_modes; ++k) {
    f->line_q[k] = f->line_v[k] = 0.0;
  }
  size_t first = 0;
  for (uint32_t b = 0; b < f->n_bodies; ++b) {
    for (uint32_t o = 0; o < f->n_heard; ++o) {
      const double *aq, *av;
      if (f->heard_of[o].body == b && f->heard_of[o].line == l) {
        htz_modal_signal(f->bodies[b], f->heard_of[o].pickup, &aq, &av);
        hear(f, first, htz_modal_count(f->bodies[b]), aq, av);
      }
    }
    first += htz_modal_count(f->bodies[b]);
  }
  for (size_t k = 0; k < f->n_modes; ++k) {
    const bool heard = f->swing[k] < f->top;
    f->line_q[k] = heard ? f->line_q[k] : 0.0;
    f->line_v[k] = heard ? f->line_v[k] : 0.0;
    f->heard[l][k] = fabs(f->line_q[k]) + sqrt(f->decay[k] * f->decay[k] + f->swing[k] * f->swing[k]) * fabs(f->line_v[k]);
  }
  htz_modal_weigh(f->modes, f->line_q, f->line_v, &f->hear[l]);
}

void htz_fold_follow(fold* f) {
  const htz_modal_state now = htz_modal_tuning(f->bodies[0]);
  if (now.ratio == f->ratio && now.loss == f->loss) {
    return;
  }
  f->ratio = now.ratio;
  f->loss = now.loss;
  for (size_t k = 0; k < f->n_modes; ++k) {
    follow_mode(f, k);
  }
  htz_modal_redefine(f->modes, f->swing, f->decay);
  for (uint32_t l = 0; l < f->n_lines; ++l) {
    follow_line(f, l);
  }
}

// In and out.

void htz_fold_in(fold* f, htz_network* network) {
  htz_fold_follow(f);
  f->energy = htz_network_energy(network);
  read_bodies(f);
  htz_fold_load(f);
}

/** Of what was lost since, the part that the joins took. */
static double joins_share(const fold* f) {
  const double *q = htz_modal_q(f->modes), *v = htz_modal_v(f->modes);
  double all = 0.0, theirs = 0.0;
  for (size_t k = 0; k < f->n_modes; ++k) {
    const double im = quadrature(f, k, q, v);
    const double lost = f->weight[k] * (f->before[k] - q[k] * q[k] - im * im);
    all += lost;
    theirs += f->share[k] * lost;
  }
  return all > 0.0 ? theirs / all : 0.0;
}

double htz_fold_out(fold* f, htz_network* network) {
  const double share = joins_share(f);
  htz_fold_unload(f);
  write_bodies(f);
  htz_network_reread_joins(network);
  const double lost = share * (f->energy - htz_network_energy(network));
  return lost > 0.0 ? lost : 0.0;
}

double htz_fold_energy(const fold* f, double* loudness) {
  const double *q = htz_modal_q(f->modes), *v = htz_modal_v(f->modes);
  double energy = 0.0, loud = 0.0;
  for (size_t k = 0; k < f->n_modes; ++k) {
    const double im = quadrature(f, k, q, v);
    const double size = q[k] * q[k] + im * im;
    energy += f->weight[k] * size;
    for (uint32_t l = 0; l < f->n_lines; ++l) {
      loud += f->heard[l][k] * sqrt(size);
    }
  }
  *loudness = loud;
  return energy;
}
