#include "disc_private.h"

#include "hertzian/model/disc.h"
#include "modes_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/** A radial function as the body has it: alone of a flat plate, or with those that the cap mixes it with. */
typedef struct {
  double number;  // omega tau
  double xi;      // wave number times radius, of a coupled one that of its flat neighbour
  unsigned order; // nodal diameters
  unsigned rank;  // of a coupled one, among those of its order
  bool coupled;
  unsigned from; // of a coupled one its number by order; else that among all flat ones
} shape;

static int compare(const void* a, const void* b) {
  const shape *left = a, *right = b;
  return left->number < right->number ? -1 : left->number > right->number;
}

/** All shapes in the order of their frequency. */
static shape* sort_shapes(const disc_set* set, const disc_radial* radial, size_t n, double rise) {
  shape* out = malloc(n * sizeof *out);
  const double raised = 4.0 * set->epsilon * rise * rise;
  for (size_t i = 0; out && i < n; ++i) {
    const double xi2 = radial[i].xi * radial[i].xi;
    out[i] = (shape){.number = sqrt(xi2 * xi2 + raised), .xi = radial[i].xi, .order = radial[i].order, .from = (unsigned)i};
  }
  for (unsigned order = 0; out && set->n_radials && order <= set->top; ++order) {
    for (unsigned i = 0; i < set->count[order]; ++i) {
      const unsigned from = set->first[order] + i;
      out[set->of[from]] = (shape){set->number[from], radial[set->of[from]].xi, order, i, true, from};
    }
  }
  if (out) {
    qsort(out, n, sizeof *out, compare);
  }
  return out;
}

/** R of every flat radial function over the radius, [n][HTZ_DISC_POINTS], of a mean square of 1. */
static double* flat_rows(const disc_radial* radial, size_t n) {
  static const double root_pi = 1.77245385090551602730; // Int phi^2 over the unit disc is 1: its mean square is 1/pi
  double r[HTZ_DISC_POINTS];
  for (size_t j = 0; j < HTZ_DISC_POINTS; ++j) {
    r[j] = (double)j / (HTZ_DISC_POINTS - 1);
  }
  double* rows = malloc(n * HTZ_DISC_POINTS * sizeof *rows);
  for (size_t i = 0; rows && i < n; ++i) {
    double* row = rows + i * HTZ_DISC_POINTS;
    if (!htz_disc_values(&radial[i], HTZ_DISC_POINTS, r, row)) {
      free(rows);
      return NULL;
    }
    for (size_t j = 0; j < HTZ_DISC_POINTS; ++j) {
      row[j] *= root_pi;
    }
  }
  return rows;
}

static void fill_row(const disc_set* set, const double* flat, const shape* s, double* row) {
  if (!s->coupled) {
    memcpy(row, flat + (size_t)s->from * HTZ_DISC_POINTS, HTZ_DISC_POINTS * sizeof *row);
    return;
  }
  const unsigned c = set->count[s->order];
  const double* turned = set->turned + set->start[s->order] + (size_t)s->rank * c;
  for (unsigned i = 0; i < c; ++i) {
    const double* from = flat + (size_t)set->of[set->first[s->order] + i] * HTZ_DISC_POINTS;
    for (size_t j = 0; j < HTZ_DISC_POINTS; ++j) {
      row[j] += turned[i] * from[j];
    }
  }
}

/** Mode numbers, and rows of the shapes over the radius, for htz_shape_disc(). */
static htz_status lay_modes(const disc_set* set, const double* flat, const shape* list, size_t n, htz_arena* arena,
                            htz_disc_shapes* out) {
  size_t modes = HTZ_DISC_RIGID_MODES;
  for (size_t i = 0; i < n; ++i) {
    modes += list[i].order ? 2 : 1;
  }
  const size_t rows_at = HTZ_DISC_HEAD + HTZ_DISC_DATA * (modes - HTZ_DISC_RIGID_MODES);
  out->data_n = rows_at + n * HTZ_DISC_POINTS;
  double* number = htz_arena_alloc(arena, modes, sizeof *number);
  double* data = htz_arena_alloc(arena, out->data_n, sizeof *data);
  if (!number || !data) {
    return HTZ_NO_MEMORY;
  }
  data[0] = (double)rows_at;
  double* mode = data + HTZ_DISC_HEAD;
  size_t k = HTZ_DISC_RIGID_MODES;
  for (size_t i = 0; i < n; ++i) {
    fill_row(set, flat, &list[i], data + rows_at + i * HTZ_DISC_POINTS);
    for (int second = 0; second < (list[i].order ? 2 : 1); ++second, ++k, mode += HTZ_DISC_DATA) {
      mode[0] = (double)i;
      mode[1] = (double)list[i].order;
      mode[2] = (double)second;
      mode[3] = list[i].xi;
      number[k] = list[i].number;
    }
  }
  out->n = modes;
  out->number = number;
  out->data = data;
  return HTZ_OK;
}

/** Which of the body's modes are coupled, and where they stand. */
static htz_status lay_coupled(const shape* list, size_t n, htz_arena* arena, htz_bending* b) {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    count += list[i].coupled ? (list[i].order ? 2 : 1) : 0;
  }
  uint32_t* mode = htz_arena_alloc(arena, count, sizeof *mode);
  uint32_t* at = htz_arena_alloc(arena, count, sizeof *at);
  if (!mode || !at) {
    return HTZ_NO_MEMORY;
  }
  size_t k = HTZ_DISC_RIGID_MODES, c = 0;
  for (size_t i = 0; i < n; ++i) {
    for (uint32_t second = 0; second < (list[i].order ? 2u : 1u); ++second, ++k) {
      if (list[i].coupled) {
        mode[c] = (uint32_t)k;
        at[c++] = list[i].rank * b->stride + list[i].order + second * (uint32_t)b->table.length;
      }
    }
  }
  b->n = count;
  b->mode = mode;
  b->at = at;
  return HTZ_OK;
}

enum { CAP_MODES = 120, STRESSES = 100 }; // of a cap that does not couple; and stress functions at most

static const double stress_share = 0.75; // of the coupled modes: more change nothing that is heard

htz_status htz_disc_shapes_find(double poisson, double rise, size_t max_modes, size_t coupled, size_t reach, htz_arena* arena,
                                htz_disc_shapes* out) {
  if (!(poisson >= 0.0 && poisson <= 0.5) || !(rise >= 0.0 && rise <= HTZ_DISC_RISE_MAX) || max_modes <= HTZ_DISC_RIGID_MODES ||
      max_modes > HTZ_DISC_MODES_MAX || coupled > HTZ_DISC_COUPLED_MAX || (coupled && coupled < HTZ_DISC_COUPLED_MIN)) {
    return HTZ_BAD_VALUE;
  }
  *out = (htz_disc_shapes){.poisson = poisson, .rise = rise};
  const size_t set_modes = coupled ? coupled : rise > 0.0 ? CAP_MODES : 0;
  const size_t bending = max_modes - HTZ_DISC_RIGID_MODES;
  const size_t wanted = bending > set_modes ? bending : set_modes;
  const double share = stress_share * (double)set_modes;
  disc_radial *radial = NULL, *stress = NULL;
  size_t n = 0, n_set = 0, n_stress = 0;
  disc_set set = {.epsilon = 12.0 * (1.0 - poisson * poisson)};
  htz_status st = htz_disc_radials(false, poisson, wanted > 2 ? wanted : 2, &radial, &n);
  if (!st && set_modes) {
    for (size_t have = 0; n_set < n && have + htz_disc_pair(&radial[n_set]) <= set_modes; ++n_set) {
      have += htz_disc_pair(&radial[n_set]);
    }
    st = htz_disc_radials(true, poisson, share < STRESSES ? (size_t)share : STRESSES, &stress, &n_stress);
    set.n_radials = n_set;
    set.radial = radial;
    set.n_stress = n_stress;
    set.stress = stress;
    st = st ? st : htz_disc_set_make(&set, rise);
  }
  shape* list = st ? NULL : sort_shapes(&set, radial, n, rise);
  double* flat = st ? NULL : flat_rows(radial, n);
  st = st ? st : list && flat ? lay_modes(&set, flat, list, n, arena, out) : HTZ_NO_MEMORY;
  if (!st && coupled) {
    htz_bending* b = htz_arena_alloc(arena, 1, sizeof *b);
    st = b ? htz_disc_tables(&set, reach, arena, b) : HTZ_NO_MEMORY;
    st = st ? st : lay_coupled(list, n, arena, b);
    out->bending = b;
  }
  free(flat);
  free(list);
  htz_disc_set_free(&set);
  free(radial);
  free(stress);
  return st;
}

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}

static bool zero_or_more(double x) {
  return x >= 0.0 && isfinite(x);
}

static bool valid(const htz_disc_desc* d) {
  return positive(d->radius) && positive(d->thickness) && positive(d->density) && positive(d->young) && d->poisson >= 0.0 &&
         d->poisson <= 0.5 && zero_or_more(d->rise) && zero_or_more(d->tuning_hz) && zero_or_more(d->support_hz) &&
         zero_or_more(d->support_loss) && zero_or_more(d->loss_factor) && htz_loss_valid(&d->loss);
}

static double rigidity(const htz_disc_desc* d) {
  return d->young * d->thickness * d->thickness * d->thickness / (12.0 * (1.0 - d->poisson * d->poisson));
}

/** tau [s]. */
static double time_of(const htz_disc_desc* d) {
  return d->radius * d->radius * sqrt(d->density * d->thickness / rigidity(d));
}

double htz_disc_first_hz(const htz_disc_shapes* shapes, const htz_disc_desc* d) {
  return shapes->number[HTZ_DISC_RIGID_MODES] / (2.0 * pi * time_of(d));
}

bool htz_disc_tune(const htz_disc_shapes* shapes, const htz_disc_desc* desc, htz_disc_desc* out) {
  if (!valid(desc) || shapes->poisson != desc->poisson || shapes->rise != desc->rise) {
    return false;
  }
  *out = *desc;
  out->tuning_hz = 0.0;
  if (desc->tuning_hz > 0.0) {
    out->radius *= sqrt(htz_disc_first_hz(shapes, desc) / desc->tuning_hz);
  }
  return positive(out->radius);
}

static double decay_at(const htz_disc_desc* d, const htz_loss_law* law, double hz) {
  return htz_loss_at(law, hz) + pi * d->loss_factor * hz;
}

static htz_loss_law law_of(const htz_disc_desc* d) {
  if (htz_loss_is_times(&d->loss)) {
    return htz_loss_law_times(&d->loss, d->loss.t60_hz);
  }
  htz_loss_law law = htz_loss_law_coefficients(&d->loss);
  law.slope *= 2.0 * pi * time_of(d) / (d->radius * d->radius); // k^2 = omega sqrt(rho h/D)
  return law;
}

htz_status htz_modes_disc(const htz_disc_shapes* shapes, const htz_disc_desc* desc, double limit_hz, size_t max_modes,
                          htz_arena* arena, htz_modes* out) {
  htz_disc_desc d;
  if (!positive(limit_hz) || max_modes <= HTZ_DISC_RIGID_MODES || !htz_disc_tune(shapes, desc, &d)) {
    return HTZ_BAD_VALUE;
  }
  const double tau = time_of(&d);
  const size_t most = max_modes < shapes->n ? max_modes : shapes->n;
  size_t n = HTZ_DISC_RIGID_MODES + 1, within = n;
  while (within < shapes->n && shapes->number[within] <= 2.0 * pi * limit_hz * tau) {
    ++within;
  }
  n = within < most ? within : most;
  const htz_status st = htz_modes_lay(n, 0, arena, out, NULL);
  if (st) {
    return st;
  }
  const htz_loss_law law = law_of(&d);
  const double mass = d.density * d.thickness * pi * d.radius * d.radius;
  for (size_t k = 0; k < n; ++k) {
    const bool rigid = k < HTZ_DISC_RIGID_MODES;
    out->mass[k] = mass;
    out->omega[k] = rigid ? 2.0 * pi * d.support_hz : shapes->number[k] / tau;
    out->sigma[k] = rigid ? d.support_loss : decay_at(&d, &law, out->omega[k] / (2.0 * pi));
    out->audible[k] = !rigid;
  }
  // Weyl's law beyond the shapes that were found: one mode for every 4 of omega tau.
  const double weyl = 0.25 * 2.0 * pi * limit_hz * tau;
  out->left_out = (within == shapes->n && weyl > (double)within ? (size_t)weyl : within) - n;
  out->data = shapes->data;
  out->data_n = shapes->data_n;
  out->shape = htz_shape_disc;
  out->shape_xy = htz_shape_disc_xy;
  if (shapes->bending) {
    out->bending = shapes->bending;
    out->bending_energy = rigidity(&d) * d.thickness * d.thickness / (d.radius * d.radius);
    out->bending_scale = sqrt(pi) / d.thickness;
  }
  return HTZ_OK;
}
