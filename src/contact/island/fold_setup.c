#include "fold_private.h"

#include "network/network_private.h"

#include <math.h>
#include <stdlib.h>

static const double hardly_met = 1e-7;  // of the greatest in its body: what a join meets less of than this, it does not meet
static const double agreement = 1e-6;   // how well modes must be told apart: folding and unfolding gives them back to this
static const double heard_below = 0.95; // of half the sample rate
static const double pi = 3.14159265358979323846;

// The system.

static double* doubles(size_t n) {
  return calloc(n > 0 ? n : 1, sizeof(double));
}

static void release(fold_system* sys) {
  free(sys->m);
  free(sys->sigma2);
  free(sys->w2);
  free(sys->c);
  free(sys->coupled);
}

static bool acquire(fold_system* sys) {
  sys->m = doubles(sys->n);
  sys->sigma2 = doubles(sys->n);
  sys->w2 = doubles(sys->n);
  sys->c = doubles(sys->n * sys->n_joins);
  sys->coupled = calloc(sys->n, sizeof(bool));
  return sys->m && sys->sigma2 && sys->w2 && sys->c && sys->coupled;
}

/** The join's points on body `place` add to its stretch. */
static bool meets(const join* j, uint32_t place) {
  return j->desc.body_a == place || j->desc.body_b == place;
}

static void add_block(fold_system* sys, const htz_network* net, uint32_t place, size_t first, size_t n) {
  fold_block* block = &sys->blocks[sys->n_blocks++];
  *block = (fold_block){.first = first, .n = n};
  for (uint32_t i = 0; i < sys->n_joins; ++i) {
    if (meets(&net->joins[net->held[i]], place)) {
      block->joins[block->n_joins++] = i;
    }
  }
}

/** What the coordinates of `body` add to the stretch of join `i` by way of point `point`. */
static void add_stretch(fold_system* sys, uint32_t i, double sign, const htz_modal* body, size_t point,
                        const fold_block* block) {
  for (size_t k = 0; k < block->n; ++k) {
    sys->c[i * sys->n + block->first + k] += sign * (body ? htz_modal_phi(body, point)[k] : 1.0);
  }
}

static void lay_joins(fold_system* sys, const htz_network* net, uint32_t place, const htz_modal* body,
                      const fold_block* block) {
  for (uint32_t n = 0; n < block->n_joins; ++n) {
    const uint32_t i = block->joins[n];
    const htz_join_desc* d = &net->joins[net->held[i]].desc;
    double* row = sys->c + i * sys->n + block->first;
    double greatest = 0.0;
    if (d->body_a == place) {
      add_stretch(sys, i, 1.0, body, d->point_a, block);
    }
    if (d->body_b == place) {
      add_stretch(sys, i, -1.0, body, d->point_b, block);
    }
    for (size_t k = 0; k < block->n; ++k) {
      greatest = fmax(greatest, fabs(row[k]));
    }
    for (size_t k = 0; k < block->n; ++k) {
      row[k] = fabs(row[k]) > hardly_met * greatest ? row[k] : 0.0;
      sys->coupled[block->first + k] |= row[k] != 0.0;
    }
  }
}

// Bodies exactly alike have pairs of modes of one pitch each, of which no shape can be told. So one is taken to be this much off, relative:
// 0.007 cent.
static const double alike = 1e-6, told_apart = 4e-6;

/** Factor on the pitches of body `b` that tells it from those before it. */
static double apart_from_others(const fold* f, uint32_t b) {
  double factor = 1.0;
  for (uint32_t other = 0; other < b; ++other) {
    const double ratio = htz_modal_omega(f->bodies[b])[0] / htz_modal_omega(f->bodies[other])[0];
    factor += fabs(ratio - 1.0) < alike ? told_apart : 0.0;
  }
  return factor;
}

/** Bodies, masses and joins of the network as coordinates. @return false without memory */
static bool lay_system(fold_system* sys, const htz_network* net, const fold* f, const uint32_t* nodes) {
  sys->n_joins = (uint32_t)net->n_held;
  sys->n = f->n;
  if (!acquire(sys)) {
    return false;
  }
  for (uint32_t i = 0; i < sys->n_joins; ++i) {
    const htz_join_desc* d = &net->joins[net->held[i]].desc;
    sys->rigid[i] = d->rigid;
    sys->stiffness[i] = d->rigid ? 0.0 : d->stiffness;
    sys->damping[i] = d->rigid ? 0.0 : d->damping;
  }
  size_t at = 0;
  for (uint32_t b = 0; b < f->n_bodies; ++b) {
    const size_t n = htz_modal_count(f->bodies[b]);
    const double apart = apart_from_others(f, b);
    for (size_t k = 0; k < n; ++k) {
      const double omega = apart * htz_modal_omega(f->bodies[b])[k];
      sys->m[at + k] = htz_modal_mass(f->bodies[b])[k];
      sys->sigma2[at + k] = 2.0 * htz_modal_sigma(f->bodies[b])[k];
      sys->w2[at + k] = omega * omega;
    }
    add_block(sys, net, b, at, n);
    lay_joins(sys, net, b, f->bodies[b], &sys->blocks[sys->n_blocks - 1]);
    at += n;
  }
  for (uint32_t i = 0; i < f->n_masses; ++i, ++at) {
    sys->m[at] = htz_mass_value(f->masses[i]);
    add_block(sys, net, nodes[i], at, 1);
    lay_joins(sys, net, nodes[i], NULL, &sys->blocks[sys->n_blocks - 1]);
  }
  return true;
}

// Their modes.

static double square_of(double complex z) {
  return creal(z) * creal(z) + cimag(z) * cimag(z);
}

static fold_number number(double complex z) {
  return (fold_number){creal(z), cimag(z)};
}

/** Force of the joined ends on their support in the shape x, per htz_modal_join_scale(). */
static double complex end_force(const fold* f, const double complex* x) {
  double complex sum = 0.0;
  for (uint32_t b = 0; b < f->n_bodies; ++b) {
    const double* row = htz_modal_join_row(f->bodies[b]);
    for (size_t k = 0; row && k < htz_modal_count(f->bodies[b]); ++k) {
      sum += row[k] / htz_modal_join_scale(f->bodies[b]) * x[k];
    }
    x += htz_modal_count(f->bodies[b]);
  }
  return sum;
}

/** Mode `k` of root `s`: its shape and what follows from it. */
static void lay_mode(fold* f, const fold_system* sys, size_t k, double complex s, const double complex* x) {
  double complex mass = 0.0, drag = 0.0, pull = 0.0, spring = 0.0, damper = 0.0;
  fold_quotient* size = &f->quotient[k];
  *size = (fold_quotient){.mass_size = 0.0};
  for (size_t i = 0; i < sys->n; ++i) {
    const double complex product = sys->m[i] * x[i] * x[i];
    const double square = sys->m[i] * square_of(x[i]);
    mass += product;
    drag += sys->sigma2[i] * product;
    pull += sys->w2[i] * product;
    size->mass_size += square;
    size->drag_size += sys->sigma2[i] * square;
    size->pull_size += sys->w2[i] * square;
  }
  for (uint32_t j = 0; j < sys->n_joins; ++j) {
    double complex stretch = 0.0;
    for (size_t i = 0; i < sys->n; ++i) {
      stretch += sys->c[j * sys->n + i] * x[i];
    }
    spring += sys->stiffness[j] * stretch * stretch;
    damper += sys->damping[j] * stretch * stretch;
    size->spring_size += sys->stiffness[j] * square_of(stretch);
    size->damper_size += sys->damping[j] * square_of(stretch);
  }
  const double complex scale = 1.0 / csqrt(2.0 * s * mass + drag + damper);
  const double complex scale2 = scale * scale;
  double* const sizes[] = {&size->mass_size, &size->drag_size, &size->pull_size, &size->spring_size, &size->damper_size};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    *sizes[i] *= square_of(scale);
  }
  size->mass = number(mass * scale2);
  size->drag = number(drag * scale2);
  size->pull = number(pull * scale2);
  size->spring = number(spring * scale2);
  size->damper = number(damper * scale2);
  for (size_t i = 0; i < sys->n; ++i) {
    f->xr[k * f->stride + i] = creal(scale * x[i]);
    f->xi[k * f->stride + i] = cimag(scale * x[i]);
  }
  f->end[k] = number(scale * end_force(f, x));
  f->decay[k] = creal(s) < 0.0 ? -creal(s) : 0.0;
  f->swing[k] = cimag(s);
}

static void coupled_mode(fold* f, const fold_system* sys, size_t k, double complex s, double complex* x) {
  double complex force[HTZ_JOINS_MAX];
  htz_fold_forces(sys, s, force);
  for (size_t i = 0; i < sys->n; ++i) {
    const double complex d = s * s + sys->sigma2[i] * s + sys->w2[i];
    double complex sum = 0.0;
    for (uint32_t j = 0; sys->coupled[i] && j < sys->n_joins; ++j) {
      sum -= sys->c[j * sys->n + i] * force[j];
    }
    x[i] = sum == 0.0 ? 0.0 : sum / (sys->m[i] * (d == 0.0 ? 1e-15 * s * s : d));
  }
  lay_mode(f, sys, k, s, x);
}

/** A mode that no join meets is one of its own. */
static bool own_mode(fold* f, const fold_system* sys, size_t k, size_t i, double complex* x) {
  const double sigma = 0.5 * sys->sigma2[i], swing2 = sys->w2[i] - sigma * sigma;
  for (size_t j = 0; j < sys->n; ++j) {
    x[j] = j == i ? 1.0 : 0.0;
  }
  if (swing2 > 0.0) {
    lay_mode(f, sys, k, -sigma + I * sqrt(swing2), x);
  }
  return swing2 > 0.0;
}

static bool lay_modes(fold* f, const fold_system* sys, size_t n_coupled) {
  double complex* roots = calloc(n_coupled + 1, sizeof *roots);
  double complex* x = calloc(sys->n, sizeof *x);
  bool good = roots && x && htz_fold_roots(sys, n_coupled, roots);
  for (size_t k = 0; good && k < n_coupled; ++k) {
    good = cimag(roots[k]) > 0.0 && creal(roots[k]) < 1e-9 * cimag(roots[k]);
    coupled_mode(f, sys, k, roots[k], x);
  }
  size_t k = n_coupled;
  for (size_t i = 0; good && i < sys->n; ++i) {
    if (!sys->coupled[i]) {
      good = own_mode(f, sys, k++, i, x);
    }
  }
  free(roots);
  free(x);
  return good;
}

/** Modes that are all there and told apart come back as they were from bodies and masses. */
static bool agrees(fold* f) {
  double *q = htz_modal_q(f->modes), *v = htz_modal_v(f->modes);
  double error = 0.0, most = 0.0;
  double* kept = doubles(2 * f->n_modes);
  for (size_t k = 0; kept && k < f->n_modes; ++k) {
    const double re = cos(1.0 + 2.0 * (double)k), im = sin(3.0 * (double)k); // as good as random
    q[k] = kept[k] = re;
    v[k] = kept[f->n_modes + k] = -f->decay[k] * re - f->swing[k] * im;
  }
  if (kept) {
    htz_fold_unload(f);
    htz_fold_load(f);
  }
  for (size_t k = 0; kept && k < f->n_modes; ++k) {
    error = fmax(error, fabs(q[k] - kept[k]));
    error = fmax(error, fabs(v[k] - kept[f->n_modes + k]) / f->swing[k]);
    most = fmax(most, fabs(kept[k]));
    q[k] = v[k] = 0.0;
  }
  const bool good = kept && error <= agreement * most; // also where it is not a number
  free(kept);
  return good;
}

// All of it.

static void unshaped(const htz_modes* modes, double x, double* phi) {
  (void)x;
  for (size_t k = 0; k < modes->n; ++k) {
    phi[k] = 1.0;
  }
}

static double* room(htz_arena* arena, size_t n) {
  return htz_arena_alloc_cold(arena, n, sizeof(double));
}

static htz_status allocate(fold* f, uint32_t n_dampers, uint32_t n_lines, htz_modes* modes, htz_arena* arena) {
  f->n_lines = n_lines;
  f->mass = room(arena, f->n);
  f->drag = room(arena, f->n);
  f->stretch = room(arena, (n_dampers + 1) * f->n);
  f->xr = room(arena, f->n_modes * f->stride);
  f->xi = room(arena, f->n_modes * f->stride);
  f->end = htz_arena_alloc_cold(arena, f->n_modes, sizeof *f->end);
  f->quotient = htz_arena_alloc_cold(arena, f->n_modes, sizeof *f->quotient);
  f->norm = htz_arena_alloc_cold(arena, f->n_modes, sizeof *f->norm);
  f->decay = room(arena, f->n_modes);
  f->swing = room(arena, f->n_modes);
  f->weight = room(arena, f->n_modes);
  f->share = room(arena, f->n_modes);
  f->before = room(arena, f->n_modes);
  f->q = room(arena, f->stride);
  f->v = room(arena, f->stride);
  *modes = (htz_modes){.n = f->n_modes,
                       .omega = room(arena, f->n_modes),
                       .sigma = room(arena, f->n_modes),
                       .mass = room(arena, f->n_modes),
                       .audible = htz_arena_alloc_cold(arena, f->n_modes, sizeof(unsigned char)),
                       .shape = unshaped};
  const size_t padded = (f->n_modes + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
  f->line_q = room(arena, (n_lines + 1) * padded);
  f->line_v = room(arena, (n_lines + 1) * padded);
  for (uint32_t l = 0; l < n_lines; ++l) {
    double* block = room(arena, 4 * padded);
    f->heard[l] = room(arena, f->n_modes);
    f->hear[l] =
        block ? (htz_free_weights){block, block + padded, block + 2 * padded, block + 3 * padded} : (htz_free_weights){0};
  }
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  return HTZ_OK;
}

/** The body that runs them. */
static htz_status embody(fold* f, htz_modes* modes, double rate_hz, htz_arena* arena) {
  for (size_t k = 0; k < f->n_modes; ++k) {
    modes->omega[k] = hypot(f->decay[k], f->swing[k]);
    modes->sigma[k] = f->decay[k];
    modes->mass[k] = modes->audible[k] = 1;
  }
  return htz_modal_new(modes, 1, 0, rate_hz, htz_modal_kernels(f->bodies[0]), arena, &f->modes);
}

/** Which bodies, masses and joins there are. @return pairs of roots of what the joins couple; 0: nothing to fold */
static void gather(fold* f, const htz_network* net, const htz_modal_island_desc* desc, uint32_t n_bodies, uint32_t* nodes,
                   uint32_t* n_rigid, uint32_t* n_dampers) {
  *n_rigid = *n_dampers = 0;
  f->n_bodies = n_bodies;
  for (uint32_t b = 0; b < n_bodies; ++b) {
    f->bodies[b] = desc->bodies[b];
    f->n += htz_modal_count(f->bodies[b]);
  }
  for (size_t i = 0; i < net->n_held; ++i) {
    const htz_join_desc* d = &net->joins[net->held[i]].desc;
    *n_rigid += d->rigid;
    *n_dampers += !d->rigid && d->damping > 0.0;
  }
  for (uint32_t place = n_bodies; place < net->n_nodes; ++place) {
    bool met = false;
    for (size_t i = 0; i < net->n_held; ++i) {
      met = met || meets(&net->joins[net->held[i]], place);
    }
    if (met && htz_mass_value(net->nodes[place].body) > 0.0 && f->n_masses < HTZ_JOINS_MAX) {
      nodes[f->n_masses] = place;
      f->masses[f->n_masses++] = net->nodes[place].body;
    }
  }
  f->n += f->n_masses;
  f->n_modes = f->n - *n_rigid;
  f->stride = (f->n + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
}

bool htz_fold_wanted(const htz_network* network) {
  return network->n_held > 0;
}

htz_status htz_fold_new(htz_network* net, uint32_t n_bodies, const htz_modal_island_desc* desc, double rate_hz,
                        htz_arena* arena, fold** out) {
  uint32_t nodes[HTZ_JOINS_MAX], n_rigid, n_dampers;
  fold_system sys = {.n_blocks = 0};
  *out = NULL;
  if (!htz_fold_wanted(net)) {
    return HTZ_OK;
  }
  fold* f = htz_arena_alloc_cold(arena, 1, sizeof *f);
  htz_modes* modes = htz_arena_alloc_cold(arena, 1, sizeof *modes);
  if (!f || !modes) {
    return HTZ_NO_MEMORY;
  }
  gather(f, net, desc, n_bodies, nodes, &n_rigid, &n_dampers);
  htz_status st = allocate(f, n_dampers, desc->n_lines, modes, arena);
  if (st || !arena->memory) {
    return st ? st : embody(f, modes, rate_hz, arena); // while memory is measured nothing has to be found out
  }
  if (!lay_system(&sys, net, f, nodes)) {
    release(&sys);
    return HTZ_NO_MEMORY;
  }
  size_t n_coupled = 0;
  for (size_t i = 0; i < f->n; ++i) {
    f->mass[i] = sys.m[i];
    f->drag[i] = sys.sigma2[i] * sys.m[i];
    n_coupled += sys.coupled[i];
  }
  for (uint32_t i = 0; i < sys.n_joins; ++i) {
    if (sys.damping[i] > 0.0) {
      f->damping[f->n_dampers] = sys.damping[i];
      for (size_t k = 0; k < f->n; ++k) {
        f->stretch[f->n_dampers * f->n + k] = sys.c[i * f->n + k];
      }
      ++f->n_dampers;
    }
  }
  const bool found = n_coupled > n_rigid && lay_modes(f, &sys, n_coupled - n_rigid);
  release(&sys);
  if (found) {
    st = embody(f, modes, rate_hz, arena);
  }
  if (found && !st) {
    for (uint32_t o = 0; o < desc->n_outputs; ++o) {
      f->heard_of[f->n_heard] = desc->outputs[o];
      f->n_heard += desc->outputs[o].body < n_bodies;
    }
    f->period = 1.0 / rate_hz;
    f->top = heard_below * pi * rate_hz;
    htz_fold_follow(f);
    while (!htz_fold_follow_lines(f)) {
    }
    *out = agrees(f) ? f : NULL;
  }
  return st;
}
