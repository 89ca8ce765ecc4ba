#include "hertzian/contact/piecewise.h"

#include "hertzian/dsp/expm.h"
#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** M^-1 K, M^-1 C and M^-1 w of the body, row-major; one block of memory. */
typedef struct {
  double *k, *c, *w;
  double* memory;
} inverse_form;

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}

static const char* fault_of(const htz_piecewise_system* s, double rate_hz) {
  if (!positive(s->mass) || !positive(s->stiffness) || !(s->damping >= 0.0) || !isfinite(s->damping) || !isfinite(s->gravity)) {
    return "the hammer's mass and the contact's stiffness must be positive, its damping not negative";
  }
  return positive(rate_hz) ? NULL : "the sample rate must be positive";
}

static bool is_diagonal(size_t n, const double* a) {
  for (size_t i = 0; i < n * n; ++i) {
    if (i % (n + 1) != 0 && a[i] != 0.0) {
      return false;
    }
  }
  return true;
}

/** x = M^-1 b for column `column` of row-major b [n][columns]. `scratch` [n][n+1]. @return false when M is singular. */
static bool divide_by_mass(const htz_piecewise_system* s, const double* b, size_t columns, size_t column, double* x,
                           double* scratch) {
  const size_t n = s->n;
  double* rhs = scratch + n * n;
  memcpy(scratch, s->m, n * n * sizeof(double));
  for (size_t i = 0; i < n; ++i) {
    rhs[i] = b[i * columns + column];
  }
  if (!htz_solve_dense(n, n, scratch, rhs)) {
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    x[i * columns + column] = rhs[i];
  }
  return true;
}

/** Eq. 4: M taken to the other side. Free `out->memory` whatever comes back. */
static htz_status invert(const htz_piecewise_system* s, bool diagonal, inverse_form* out) {
  const size_t n = s->n;
  out->memory = calloc(3 * n * n + 2 * n + 1, sizeof(double));
  if (!out->memory) {
    return HTZ_NO_MEMORY;
  }
  out->k = out->memory;
  out->c = out->k + n * n;
  out->w = out->c + n * n;
  double* scratch = out->w + n;
  bool good = true;
  for (size_t i = 0; diagonal && i < n; ++i) {
    const double mass = s->m[i * n + i];
    out->k[i * n + i] = s->k[i * n + i] / mass;
    out->c[i * n + i] = s->c[i * n + i] / mass;
    out->w[i] = s->weight[i] / mass;
    good = good && mass > 0.0;
  }
  for (size_t j = 0; !diagonal && j < n; ++j) {
    good = good && divide_by_mass(s, s->k, n, j, out->k, scratch) && divide_by_mass(s, s->c, n, j, out->c, scratch);
  }
  good = good && (diagonal || n == 0 || divide_by_mass(s, s->weight, 1, 0, out->w, scratch));
  return good ? HTZ_OK : HTZ_BAD_VALUE;
}

/** Transition of one coordinate by itself, or of all. */
static htz_status free_phase(htz_piecewise* s, const inverse_form* f) {
  const size_t n = s->system.n;
  const double t = s->period;
  for (size_t i = 0; s->diagonal && i < n; ++i) {
    const double a[4] = {0.0, t, -f->k[i * n + i] * t, -f->c[i * n + i] * t};
    const htz_status st = htz_expm(2, a, s->alone + 4 * i);
    if (st) {
      return st;
    }
  }
  if (s->diagonal) {
    return HTZ_OK;
  }
  const size_t rows = 2 * n;
  memset(s->alone, 0, rows * rows * sizeof(double));
  for (size_t i = 0; i < n; ++i) {
    s->alone[i * rows + n + i] = t;
    for (size_t j = 0; j < n; ++j) {
      s->alone[(n + i) * rows + j] = -f->k[i * n + j] * t;
      s->alone[(n + i) * rows + n + j] = -f->c[i * n + j] * t;
    }
  }
  return htz_expm(rows, s->alone, s->alone);
}

/** T A of the contact phase (eqs. 14 and 20), with one more column for an acceleration of the hammer: [2n+3][2n+3]. */
static void fill_joined(const htz_piecewise* s, const inverse_form* f, size_t rows, double* a) {
  const size_t n = s->system.n;
  const size_t h = n;     // where x is among the displacements
  const size_t v = n + 1; // first velocity
  const double t = s->period;
  const double k = s->system.stiffness * t;
  const double c = s->system.damping * t;
  for (size_t i = 0; i <= n; ++i) {
    a[i * rows + v + i] = t;
    // F = k (x - w.q) + c (v - w.q') pushes coordinate i by `push` and the hammer back.
    const double push = i < n ? f->w[i] : -1.0 / s->system.mass;
    double* row = a + (v + i) * rows;
    for (size_t j = 0; j < n; ++j) {
      row[j] = (i < n ? -f->k[i * n + j] * t : 0.0) - push * k * s->system.weight[j];
      row[v + j] = (i < n ? -f->c[i * n + j] * t : 0.0) - push * c * s->system.weight[j];
    }
    row[h] = push * k;
    row[v + h] = push * c;
  }
  a[(v + h) * rows + 2 * n + 2] = t;
}

static htz_status contact_phase(htz_piecewise* s, const inverse_form* f) {
  const size_t n = 2 * s->system.n + 2;
  const size_t rows = n + 1;
  double* a = calloc(rows * rows, sizeof *a);
  if (!a) {
    return HTZ_NO_MEMORY;
  }
  fill_joined(s, f, rows, a);
  const htz_status st = htz_expm(rows, a, a);
  for (size_t i = 0; i < n && !st; ++i) {
    memcpy(s->joined + i * n, a + i * rows, n * sizeof(double));
    s->push[i] = a[i * rows + n];
  }
  free(a);
  return st;
}

static const double* copy(htz_arena* arena, size_t n, const double* from) {
  double* to = htz_arena_alloc(arena, n ? n : 1, sizeof(double));
  if (to && n) {
    memcpy(to, from, n * sizeof(double));
  }
  return to;
}

static htz_piecewise* allocate(const htz_piecewise_system* from, bool diagonal, htz_arena* arena) {
  const size_t n = from->n;
  const size_t rows = 2 * n + 2;
  htz_piecewise* s = htz_arena_alloc(arena, 1, sizeof *s);
  if (!s) {
    return NULL;
  }
  s->system = *from;
  s->diagonal = diagonal;
  s->system.m = copy(arena, n * n, from->m);
  s->system.k = copy(arena, n * n, from->k);
  s->system.c = copy(arena, n * n, from->c);
  s->system.weight = copy(arena, n, from->weight);
  s->alone = htz_arena_alloc(arena, diagonal ? 4 * n + 1 : 4 * n * n, sizeof(double));
  s->joined = htz_arena_alloc(arena, rows * rows, sizeof(double));
  s->push = htz_arena_alloc(arena, rows, sizeof(double));
  s->scratch = htz_arena_alloc(arena, 3 * rows, sizeof(double));
  s->q = htz_arena_alloc(arena, n + 1, sizeof(double));
  s->p = htz_arena_alloc(arena, n + 1, sizeof(double));
  return arena->failed ? NULL : s;
}

htz_status htz_piecewise_new(const htz_piecewise_system* system, double rate_hz, htz_arena* arena, htz_piecewise** out,
                             const char** why) {
  *why = fault_of(system, rate_hz);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  if (system->n > HTZ_PIECEWISE_MAX) {
    *why = "more coordinates than the full matrix of the contact phase can serve (512)";
    return HTZ_UNSUPPORTED;
  }
  const size_t n = system->n;
  const bool diagonal = is_diagonal(n, system->m) && is_diagonal(n, system->k) && is_diagonal(n, system->c);
  htz_piecewise* s = allocate(system, diagonal, arena);
  if (!s) {
    return HTZ_NO_MEMORY;
  }
  s->period = 1.0 / rate_hz;
  inverse_form f;
  htz_status st = invert(system, diagonal, &f);
  st = st ? st : free_phase(s, &f);
  st = st ? st : contact_phase(s, &f);
  free(f.memory);
  if (st == HTZ_BAD_VALUE) {
    *why = "mass, stiffness and damping matrices must be finite, the mass matrix positive definite";
  }
  *out = s;
  return st;
}
