#include "modal.h"

#include <math.h>

static size_t padded(size_t n) {
  return (n + HTZ_LANES - 1) / HTZ_LANES * HTZ_LANES;
}

static double* doubles(htz_arena* arena, size_t n) {
  return htz_arena_alloc(arena, n, sizeof(double));
}

/** One allocation for the six rows of a step table. */
static htz_step_table step_table(htz_arena* arena, size_t n, bool cold) {
  double* block = cold ? htz_arena_alloc_cold(arena, 6 * n, sizeof(double)) : doubles(arena, 6 * n);
  if (!block) {
    return (htz_step_table){0};
  }
  return (htz_step_table){block, block + n, block + 2 * n, block + 3 * n, block + 4 * n, block + 5 * n};
}

static void allocate_pickup(htz_modal* m, size_t p, size_t n_points, htz_arena* arena) {
  m->pickups[p].aq = doubles(arena, m->n);
  m->pickups[p].av = doubles(arena, m->n);
  m->pickups[p].direct = htz_arena_alloc_cold(arena, n_points, sizeof(double));
  double* block = htz_arena_alloc_cold(arena, 4 * m->n, sizeof(double));
  if (block) {
    m->weights[p] = (htz_free_weights){block, block + m->n, block + 2 * m->n, block + 3 * m->n};
  }
}

static void allocate_bending(htz_modal* m, htz_arena* arena) {
  const htz_bending* b = m->modes->bending;
  modal_bending* f = htz_arena_alloc(arena, 1, sizeof *f);
  if (!f) {
    return;
  }
  m->bending = f;
  float* room = htz_arena_alloc(arena, htz_bending_room(b), sizeof *room);
  f->scratch = room ? htz_bending_lay(b, room) : (htz_bending_scratch){0};
  f->x = doubles(arena, b->n);
  f->dx = doubles(arena, b->n);
  f->g = doubles(arena, m->n);
  f->per_mass = doubles(arena, m->n);
  f->am = doubles(arena, MODAL_HOLDS * m->n);
  f->a12 = doubles(arena, MODAL_HOLDS * m->n);
  f->heard = doubles(arena, m->n_pickups + 1);
  f->before = doubles(arena, m->n_pickups + 1);
  m->force = &htz_modal_bending;
}

htz_status htz_modal_new(const htz_modes* modes, size_t n_points, size_t n_pickups, double rate_hz, const htz_kernels* kernels,
                         htz_arena* arena, htz_modal** out) {
  if (!modes || modes->n == 0 || n_points == 0 || n_points > HTZ_POINTS_MAX || n_pickups > MODAL_PICKUPS_MAX ||
      !(rate_hz > 0.0) || !kernels) {
    return HTZ_BAD_VALUE;
  }
  htz_modal* m = htz_arena_alloc(arena, 1, sizeof *m);
  if (!m) {
    return HTZ_NO_MEMORY;
  }
  const size_t n = padded(modes->n);
  m->base = (htz_body){&htz_modal_class, n_points};
  m->modes = modes;
  m->k = kernels;
  m->n = n;
  m->n_pickups = n_pickups;
  m->period = 1.0 / rate_hz;
  m->ratio = 1.0;
  m->loss = 1.0;
  m->mass = doubles(arena, n);
  m->omega = doubles(arena, n);
  m->sigma = doubles(arena, n);
  m->w2 = doubles(arena, n);
  m->phi = doubles(arena, n_points * n);
  m->row = doubles(arena, n);
  m->compliance = htz_arena_alloc_cold(arena, MODAL_LEVELS * n_points * n_points, sizeof(double));
  m->st.q = doubles(arena, n);
  m->st.v = doubles(arena, n);
  m->free_run.cosine = htz_arena_alloc_cold(arena, n * HTZ_STRIDE, sizeof(float));
  m->free_run.sine = htz_arena_alloc_cold(arena, n * HTZ_STRIDE, sizeof(float));
  m->free_run.row = step_table(arena, n, true);
  m->free_run.sounding = m->modes->n;
  for (size_t i = 0; i < 2; ++i) {
    m->scratch[i] = step_table(arena, n, true);
  }
  if (modes->stretch > 0.0) {
    m->internal.weight = doubles(arena, n);
    m->internal.per_mass = doubles(arena, n);
    m->internal.square = doubles(arena, n);
    m->internal.scale = 0.5 * sqrt(modes->stretch);
    m->force = &htz_modal_stretching;
  }
  if (modes->bending) {
    allocate_bending(m, arena);
  }
  m->pickups = n_pickups ? htz_arena_alloc(arena, n_pickups, sizeof *m->pickups) : NULL;
  for (size_t p = 0; m->pickups && p < n_pickups; ++p) {
    allocate_pickup(m, p, n_points, arena);
  }
  for (size_t l = 0; l < MODAL_LEVELS; ++l) {
    m->level[l] = step_table(arena, n, l > 0);
    m->keep[l] = 1.0;
  }
  if (arena->failed) {
    return HTZ_NO_MEMORY;
  }
  for (size_t k = 0; k < n; ++k) {
    m->mass[k] = k < modes->n ? modes->mass[k] : 1.0;
  }
  htz_modal_derive(m);
  for (size_t p = 0; p < n_points; ++p) {
    htz_modal_place(m, p, 0.5);
  }
  *out = m;
  return HTZ_OK;
}

htz_status htz_modal_join(htz_modal* m, double ratio, htz_arena* arena) {
  if (!m->modes->end_force || !(ratio > 0.0)) {
    return HTZ_UNSUPPORTED;
  }
  double* kappa = doubles(arena, m->n);
  double* reach = doubles(arena, MODAL_LEVELS * (m->base.n_points + 1));
  if (!kappa || !reach) {
    return HTZ_NO_MEMORY;
  }
  m->join_ratio = ratio;
  m->kappa = kappa;
  m->join_coupling = reach;
  htz_modal_derive_join(m);
  return HTZ_OK;
}
