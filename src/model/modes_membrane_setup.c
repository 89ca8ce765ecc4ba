#include "hertzian/model/membrane.h"

#include "modes_private.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/** Mode (m, n), the pair of them when m > 0. */
typedef struct {
  double hz;
  htz_bessel_zero zero;
} entry;

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}

static bool ascends(size_t n, const double* ratios) {
  for (size_t i = 0; i < n; ++i) {
    if (!positive(ratios[i]) || (i > 0 && !(ratios[i] > ratios[i - 1]))) {
      return false;
    }
  }
  return true;
}

static bool valid(const htz_membrane_desc* d) {
  static const double round_off = 1e-9; // how far the first ratio may be from 1
  const bool pitch = d->tuning_hz == 0.0 ? positive(d->tension) : positive(d->tuning_hz);
  const bool ratios = d->n_pairs <= HTZ_MEMBRANE_RATIOS_MAX && d->n_rounds <= HTZ_MEMBRANE_RATIOS_MAX &&
                      ascends(d->n_pairs, d->pairs) && ascends(d->n_rounds, d->rounds) &&
                      (d->n_pairs == 0 || fabs(d->pairs[0] - 1.0) <= round_off);
  return positive(d->radius) && positive(d->area_density) && pitch && ratios && d->air >= 0.0 && isfinite(d->air) &&
         d->stretch >= 0.0 && isfinite(d->stretch) && d->split >= 0.0 && d->split <= HTZ_MEMBRANE_SPLIT_MOST &&
         d->round_loss >= 0.0 && isfinite(d->round_loss) && htz_loss_valid(&d->loss);
}

/** Mass of the moving air over that of the skin, at wave number x/a. */
static double air_load(const htz_membrane_desc* d, double x) {
  return 2.0 * d->air * d->radius / (d->area_density * x);
}

/** a omega sqrt(mu/T) of the mode at zero x. */
static double number(const htz_membrane_desc* d, double x) {
  return x / sqrt(1.0 + air_load(d, x));
}

static const double j11 = 3.83170597020751231561;
static const double j01 = 2.40482555769577276862;

/** j_m1 and j_0n for the last ratios given, where the rest of their family goes on from. */
typedef struct {
  double pair, round;
} anchors;

static anchors anchors_of(const htz_membrane_desc* d, size_t count, const htz_bessel_zero* zeros) {
  anchors a = {j11, j01};
  for (size_t i = 0; i < count; ++i) {
    a.pair = zeros[i].m == d->n_pairs && zeros[i].n == 1 ? zeros[i].x : a.pair;
    a.round = zeros[i].m == 0 && zeros[i].n == d->n_rounds ? zeros[i].x : a.round;
  }
  return a;
}

/** Frequency of a mode over that of (1, 1). */
static double ratio_of(const htz_membrane_desc* d, const anchors* a, const htz_bessel_zero* z) {
  const double own = number(d, z->x);
  if (z->m == 0 && d->n_rounds) {
    return z->n <= d->n_rounds ? d->rounds[z->n - 1] : d->rounds[d->n_rounds - 1] * own / number(d, a->round);
  }
  if (z->m > 0 && z->n == 1 && d->n_pairs) {
    return z->m <= d->n_pairs ? d->pairs[z->m - 1] : d->pairs[d->n_pairs - 1] * own / number(d, a->pair);
  }
  return own / number(d, j11);
}

/** Frequency of (1, 1) [Hz]. */
static double pair_hz(const htz_membrane_desc* d) {
  if (d->tuning_hz == 0.0) {
    return number(d, j11) * sqrt(d->tension / d->area_density) / (2.0 * pi * d->radius);
  }
  if (d->by_pair) {
    return d->tuning_hz;
  }
  return d->tuning_hz / (d->n_rounds ? d->rounds[0] : number(d, j01) / number(d, j11));
}

double htz_membrane_tension(const htz_membrane_desc* d) {
  const double speed = 2.0 * pi * d->radius * pair_hz(d) / number(d, j11);
  return d->tuning_hz == 0.0 ? d->tension : d->area_density * speed * speed;
}

double htz_membrane_pitch(const htz_membrane_desc* d) {
  const double lowest = d->n_rounds ? d->rounds[0] : number(d, j01) / number(d, j11);
  return d->tuning_hz > 0.0 ? d->tuning_hz : pair_hz(d) * (d->by_pair ? 1.0 : lowest);
}

/** By frequency, then by nodal diameters. */
static int compare(const void* a, const void* b) {
  const entry* left = a;
  const entry* right = b;
  if (left->hz != right->hz) {
    return left->hz < right->hz ? -1 : 1;
  }
  return left->zero.m < right->zero.m ? -1 : 1;
}

/** Wave number under which `modes` modes lie at least: Weyl's x^2/4 - x/2, and the few by which the count wavers about it. */
static double reach(double modes) {
  static const double margin = 8.0;
  return 1.0 + sqrt(1.0 + 4.0 * modes) + margin;
}

static double loss_at(const htz_membrane_desc* d, const htz_loss_law* law, const entry* e) {
  if (e->zero.m == 0 && d->round_loss > 0.0) {
    return d->round_loss;
  }
  const double k = e->zero.x / d->radius;
  return htz_loss_at(law, htz_loss_is_times(&d->loss) ? e->hz * e->hz : k * k);
}

static htz_loss_law law_of(const htz_membrane_desc* d) {
  const double squared[2] = {d->loss.t60_hz[0] * d->loss.t60_hz[0], d->loss.t60_hz[1] * d->loss.t60_hz[1]};
  return htz_loss_is_times(&d->loss) ? htz_loss_law_times(&d->loss, squared) : htz_loss_law_coefficients(&d->loss);
}

static htz_status lay(const htz_membrane_desc* d, const entry* list, size_t n, htz_arena* arena, htz_modes* out) {
  double* data;
  const htz_status st = htz_modes_lay(n, n * HTZ_MEMBRANE_DATA, arena, out, &data);
  if (st) {
    return st;
  }
  const htz_loss_law law = law_of(d);
  const double area = pi * d->radius * d->radius, skin = area * d->area_density;
  double* bend = d->stretch > 0.0 ? htz_arena_alloc(arena, n, sizeof *bend) : NULL;
  if (d->stretch > 0.0 && !bend) {
    return HTZ_NO_MEMORY;
  }
  size_t k = 0;
  for (; k < n; ++list) {
    const unsigned m = list->zero.m;
    const double slope = fabs(htz_bessel_j(m + 1, list->zero.x)); // = |J_m'| at a zero; the mean of J_m^2 is its square
    for (unsigned second = 0; second <= (m > 0) && k < n; ++second, ++k) {
      double* mode = data + k * HTZ_MEMBRANE_DATA;
      mode[0] = m;
      mode[1] = list->zero.x;
      mode[2] = (m > 0 ? sqrt(2.0) : 1.0) / slope; // cos^2 and sin^2 are 1/2 in the mean
      mode[3] = second;
      const double apart = m > 0 ? (second ? 0.5 : -0.5) * d->split : 0.0;
      out->omega[k] = 2.0 * pi * list->hz * (1.0 + apart);
      out->sigma[k] = loss_at(d, &law, list);
      out->mass[k] = skin * (1.0 + air_load(d, list->zero.x));
      if (bend) {
        bend[k] =
            area * (list->zero.x / d->radius) * (list->zero.x / d->radius); // mean of |grad phi|^2: the wave number squared
      }
    }
  }
  out->stretch = d->stretch / area;
  out->bend = bend;
  out->shape = htz_shape_membrane;
  out->shape_xy = htz_shape_membrane_xy;
  return HTZ_OK;
}

/** Entries of `list` up to `limit_hz` and `most` modes, at least one. @return how many modes, and in `within` how many the limit allows */
static size_t pick(const entry* list, size_t count, double limit_hz, size_t most, size_t* within) {
  size_t n = 0;
  *within = 0;
  for (size_t i = 0; i < count && (i == 0 || list[i].hz <= limit_hz); ++i) {
    const size_t pair = list[i].zero.m > 0 ? 2 : 1;
    n += *within == n && n + pair <= most ? pair : 0;
    *within += pair;
  }
  return n > 0 ? n : 1; // a single mode of a pair, for a body of one
}

htz_status htz_membrane_zeros_find(size_t max_modes, htz_arena* arena, htz_membrane_zeros* out) {
  if (max_modes == 0 || max_modes > HTZ_MEMBRANE_MODES_MAX) {
    return HTZ_BAD_VALUE;
  }
  // As far as the cap goes, and as the longest list of ratios needs for what follows it: (m, 1) and (0, n) lie below these.
  const double ratios = (HTZ_MEMBRANE_RATIOS_MAX + 1) * pi;
  const double far = reach((double)max_modes) > ratios ? reach((double)max_modes) : ratios;
  // Weyl's number with pairs as one is far^2/8, and by so much more it is a bound (unit/dsp/test_bessel).
  const size_t most = (size_t)(far * far / 8.0 + far);
  htz_bessel_zero* zeros = htz_arena_alloc(arena, most, sizeof *zeros);
  if (!zeros) {
    return HTZ_NO_MEMORY;
  }
  const size_t found = htz_bessel_zeros(far, most, zeros), count = found < most ? found : most;
  *out = (htz_membrane_zeros){max_modes, count, zeros};
  return HTZ_OK;
}

static htz_status build(const htz_membrane_zeros* zeros, const htz_membrane_desc* d, double limit_hz, size_t max_modes,
                        htz_arena* arena, htz_modes* out) {
  const double f11 = pair_hz(d);
  entry* list = malloc(zeros->n * sizeof *list);
  if (!list || !positive(f11)) {
    free(list);
    return list ? HTZ_BAD_VALUE : HTZ_NO_MEMORY;
  }
  const anchors a = anchors_of(d, zeros->n, zeros->zero);
  for (size_t i = 0; i < zeros->n; ++i) {
    list[i] = (entry){f11 * ratio_of(d, &a, &zeros->zero[i]), zeros->zero[i]};
  }
  qsort(list, zeros->n, sizeof *list, compare);
  size_t within;
  const size_t n = pick(list, zeros->n, limit_hz, max_modes, &within);
  const htz_status st = lay(d, list, n, arena, out);
  if (!st) {
    // Beyond the zeros looked at, Weyl's law: the wave number is as good as proportional to the frequency there.
    const double x = limit_hz / f11 * number(d, j11);
    const double weyl = 0.25 * x * x - 0.5 * x;
    out->left_out = (list[zeros->n - 1].hz < limit_hz && weyl > (double)within ? (size_t)weyl : within) - n;
  }
  free(list);
  return st;
}

htz_status htz_modes_membrane(const htz_membrane_zeros* zeros, const htz_membrane_desc* desc, double limit_hz, size_t max_modes,
                              htz_arena* arena, htz_modes* out) {
  if (!valid(desc) || !positive(limit_hz) || max_modes == 0 || max_modes > HTZ_MEMBRANE_MODES_MAX ||
      (zeros && zeros->most < max_modes)) {
    return HTZ_BAD_VALUE;
  }
  if (zeros) {
    return build(zeros, desc, limit_hz, max_modes, arena, out);
  }
  htz_arena scratch;
  htz_membrane_zeros own;
  htz_arena_measure(&scratch);
  htz_status st = htz_membrane_zeros_find(max_modes, &scratch, &own);
  st = st ? st : build(&own, desc, limit_hz, max_modes, arena, out);
  htz_arena_free(&scratch);
  return st;
}
