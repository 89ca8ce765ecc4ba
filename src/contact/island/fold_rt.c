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
  htz_fold_follow(f);
  return linear && !f->creeps;
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
  const htz_kernels* k = htz_modal_kernels(f->modes);
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
  for (size_t m = 0; m < f->n_modes; ++m) {
    double sum[4]; // x'(M v + C q), its imaginary part, x'M q, its imaginary part
    k->dot_pairs(f->stride, f->xr + m * f->stride, f->xi + m * f->stride, f->v, f->q, sum);
    const fold_number y = quotient((fold_number){sum[0] - f->decay[m] * sum[2] - f->swing[m] * sum[3],
                                                 sum[1] - f->decay[m] * sum[3] + f->swing[m] * sum[2]},
                                   f->norm[m]);
    q[m] = y.re;
    v[m] = -f->decay[m] * y.re - f->swing[m] * y.im;
    f->before[m] = y.re * y.re + y.im * y.im;
  }
}

void htz_fold_unload(fold* f) {
  const htz_kernels* k = htz_modal_kernels(f->modes);
  const double *q = htz_modal_q(f->modes), *v = htz_modal_v(f->modes);
  for (size_t i = 0; i < f->stride; ++i) {
    f->q[i] = f->v[i] = 0.0;
  }
  for (size_t m = 0; m < f->n_modes; ++m) {
    const double re = 2.0 * q[m], im = 2.0 * quadrature(f, m, q, v);
    const double c[4] = {re, -im, 2.0 * v[m], f->decay[m] * im - f->swing[m] * re};
    k->add_pairs(f->stride, f->xr + m * f->stride, f->xi + m * f->stride, c, f->q, f->v);
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

// Of its rate: a mode that swings less is damped so far that its two decays are real, or as good as.
static const double hardly_swings = 1e-3;

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
  f->creeps = f->creeps || !(s.im * s.im > hardly_swings * hardly_swings * (s.re * s.re + s.im * s.im));
  f->weight[k] = (s.re * s.re + s.im * s.im) * x->mass_size + f->ratio * f->ratio * x->pull_size + x->spring_size;
  f->share[k] = x->damper_size > 0.0 ? x->damper_size / (x->damper_size + f->loss * x->drag_size) : 0.0;
}

/** Signal sum aq q + av v of the coordinates from `first` on, as 2 Re W y of mode `m`, onto the line. */
static void hear(fold* f, uint32_t line, size_t m, size_t first, size_t n, const double* aq, const double* av) {
  const size_t at = line * htz_modal_padded(f->modes) + m;
  const double *xr = f->xr + m * f->stride + first, *xi = f->xi + m * f->stride + first;
  double qr = 0.0, qi = 0.0, vr = 0.0, vi = 0.0;
  for (size_t i = 0; i < n; ++i) {
    qr += xr[i] * aq[i];
    qi += xi[i] * aq[i];
    vr += xr[i] * av[i];
    vi += xi[i] * av[i];
  }
  const double re = qr - f->decay[m] * vr - f->swing[m] * vi, im = qi - f->decay[m] * vi + f->swing[m] * vr;
  f->line_q[at] += 2.0 * (re + im * f->decay[m] / f->swing[m]);
  f->line_v[at] += 2.0 * im / f->swing[m];
}

/** What every line hears of mode `m`. */
static void hear_mode(fold* f, size_t m) {
  for (uint32_t l = 0; l < f->n_lines; ++l) {
    const size_t at = l * htz_modal_padded(f->modes) + m;
    f->line_q[at] = f->line_v[at] = 0.0;
  }
  if (f->swing[m] >= f->top) {
    return;
  }
  size_t first = 0;
  for (uint32_t b = 0; b < f->n_bodies; ++b) {
    for (uint32_t o = 0; o < f->n_heard; ++o) {
      const double *aq, *av;
      if (f->heard_of[o].body == b) {
        htz_modal_signal(f->bodies[b], f->heard_of[o].pickup, &aq, &av);
        hear(f, f->heard_of[o].line, m, first, htz_modal_count(f->bodies[b]), aq, av);
      }
    }
    first += htz_modal_count(f->bodies[b]);
  }
}

static void weigh_line(fold* f, uint32_t l) {
  const double *aq = f->line_q + l * htz_modal_padded(f->modes), *av = f->line_v + l * htz_modal_padded(f->modes);
  double sum = 0.0;
  for (size_t k = 0; k < f->n_modes; ++k) {
    f->heard[l][k] = fabs(aq[k]) + sqrt(f->decay[k] * f->decay[k] + f->swing[k] * f->swing[k]) * fabs(av[k]);
    sum += f->weight[k] > 0.0 ? f->heard[l][k] * f->heard[l][k] / f->weight[k] : 0.0;
  }
  f->bound[l] = sqrt(sum);
  htz_modal_weigh(f->modes, aq, av, &f->hear[l]);
}

bool htz_fold_follow_lines(fold* f) {
  if (f->line_ratio != f->ratio || f->line_loss != f->loss) {
    f->line_ratio = f->ratio;
    f->line_loss = f->loss;
    f->lines_done = 0;
  }
  const size_t last = f->lines_done + FOLD_LINE_MODES < f->n_modes ? f->lines_done + FOLD_LINE_MODES : f->n_modes;
  if (f->lines_done == f->n_modes) {
    return true;
  }
  for (; f->lines_done < last; ++f->lines_done) {
    hear_mode(f, f->lines_done);
  }
  for (uint32_t l = 0; l < f->n_lines && last == f->n_modes; ++l) {
    weigh_line(f, l);
  }
  return last == f->n_modes;
}

void htz_fold_follow(fold* f) {
  const htz_modal_state now = htz_modal_tuning(f->bodies[0]);
  if (now.ratio == f->ratio && now.loss == f->loss) {
    return;
  }
  f->ratio = now.ratio;
  f->loss = now.loss;
  f->creeps = false;
  for (size_t k = 0; k < f->n_modes; ++k) {
    follow_mode(f, k);
  }
  htz_modal_redefine(f->modes, f->swing, f->decay);
}

// On a support.

enum { TO_XQ = 0, TO_XV, TO_YQ, TO_YV, BACK_QX, BACK_QY, BACK_VX, BACK_VY };

// Of the greatest: a mode that the support feels less of is kept as if it felt this much, so that there is something to go back by.
static const double hardly_felt = 1e-9;

double htz_fold_turn_derive(const fold* f, const htz_turn_table* table, double* way, float* weight, float* loss) {
  const size_t stride = htz_modal_padded(f->modes);
  const double scale = htz_modal_join_scale(f->bodies[0]);
  double most = 0.0, stiffness = 0.0;
  for (size_t k = 0; k < f->n_modes; ++k) {
    const double size = scale * sqrt(f->end[k].re * f->end[k].re + f->end[k].im * f->end[k].im);
    most = size > most ? size : most;
  }
  for (size_t k = 0; k < f->n_modes; ++k) {
    const double decay = f->decay[k], swing = f->swing[k];
    const double shrink = exp(-decay * f->period);
    const fold_number e = {shrink * cos(swing * f->period), shrink * sin(swing * f->period)};
    const fold_number force = {scale * f->end[k].re, scale * f->end[k].im};
    // What a support displaced by 1 for a sample makes of y, and of what it feels.
    const fold_number held = quotient((fold_number){e.re - 1.0, e.im}, (fold_number){-decay, swing});
    const fold_number per_w = product(quotient((fold_number){-force.re, -force.im}, f->norm[k]), held);
    stiffness -= 2.0 * (force.re * per_w.re - force.im * per_w.im);
    fold_number z = product(force, (fold_number){1.0 + e.re, e.im});
    if (!(z.re * z.re + z.im * z.im > hardly_felt * hardly_felt * most * most)) {
      z = (fold_number){most > 0.0 ? hardly_felt * most : 1.0, 0.0};
    }
    const double size = z.re * z.re + z.im * z.im;
    double* w = way + k;
    w[TO_XQ * stride] = z.re + z.im * decay / swing;
    w[TO_XV * stride] = z.im / swing;
    w[TO_YQ * stride] = z.im - z.re * decay / swing;
    w[TO_YV * stride] = -z.re / swing;
    w[BACK_QX * stride] = z.re / size;
    w[BACK_QY * stride] = z.im / size;
    w[BACK_VX * stride] = (swing * z.im - decay * z.re) / size;
    w[BACK_VY * stride] = -(decay * z.im + swing * z.re) / size;
    const fold_number b = product(z, per_w);
    htz_turn_set(table, k, e.re - 1.0, e.im, b.re, b.im);
    weight[k] = (float)(f->weight[k] / size);
    loss[k] = (float)(2.0 * decay * f->share[k] * f->weight[k] / size);
  }
  return stiffness;
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

void htz_fold_out(fold* f, htz_network* network) {
  htz_fold_unload(f);
  write_bodies(f);
  htz_network_reread_joins(network);
}

double htz_fold_lost(const fold* f, const htz_network* network) {
  const double lost = joins_share(f) * (f->energy - htz_network_energy(network));
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
