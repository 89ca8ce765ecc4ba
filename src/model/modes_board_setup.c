#include "modes_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/** What the plate's stiffness and size come to: f_mn = sqrt(x m^4 + mixed m^2 n^2 + y n^4). */
typedef struct {
  double x, mixed, y; // [Hz^2]
} spectrum;

typedef struct {
  double hz;
  unsigned m, n;
} entry;

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}

static bool zero_or_more(double x) {
  return x >= 0.0 && isfinite(x);
}

static bool valid(const htz_board_desc* d) {
  bool on_plate = true;
  for (size_t i = 0; i < HTZ_BOARD_LINE; ++i) {
    on_plate = on_plate && d->line[i] >= 0.0 && d->line[i] <= 1.0;
  }
  const bool loss = positive(d->q) && (d->q_high_hz == 0.0 || (positive(d->q_high_hz) && positive(d->q_high)));
  return on_plate && loss && positive(d->length) && positive(d->width) && positive(d->thickness) && positive(d->density) &&
         positive(d->young) && positive(d->young_across) && positive(d->shear) && d->poisson >= 0.0 &&
         d->poisson * d->poisson * d->young_across < d->young && zero_or_more(d->beam_mass) && zero_or_more(d->beam_bending);
}

static spectrum spectrum_of(const htz_board_desc* d) {
  const double nu_yx = d->poisson * d->young_across / d->young;
  const double h3 = d->thickness * d->thickness * d->thickness / 12.0;
  const double dx = d->young * h3 / (1.0 - d->poisson * nu_yx);
  const double dy = d->young_across * h3 / (1.0 - d->poisson * nu_yx);
  const double mixed = dx * nu_yx + 2.0 * d->shear * h3;
  const double a2 = d->length * d->length, b2 = d->width * d->width;
  const double unit = 0.25 * pi * pi / (d->density * d->thickness);
  return (spectrum){unit * dx / (a2 * a2), unit * 2.0 * mixed / (a2 * b2), unit * dy / (b2 * b2)};
}

static double hz_at(const spectrum* s, double m, double n) {
  const double m2 = m * m, n2 = n * n;
  return sqrt(s->x * m2 * m2 + s->mixed * m2 * n2 + s->y * n2 * n2);
}

/** By frequency; of equal ones, as on a square plate, the one with the smaller m first. */
static int compare(const void* a, const void* b) {
  const entry* left = a;
  const entry* right = b;
  if (left->hz != right->hz) {
    return left->hz < right->hz ? -1 : 1;
  }
  return left->m < right->m ? -1 : 1;
}

/**
   All modes that can be among the `most` lowest: below mode (m, n) lie at least m n - 1 others, those of smaller numbers, so that
   m n <= most. @return how many; `list` NULL: only count
*/
static size_t candidates(const spectrum* s, double limit_hz, unsigned most, entry* list) {
  size_t count = 0;
  for (unsigned m = 1; m <= most; ++m) {
    for (unsigned n = 1; m * n <= most; ++n) {
      const double hz = hz_at(s, m, n);
      if (hz > limit_hz && !(m == 1 && n == 1)) {
        break; // higher n are higher still
      }
      if (list) {
        list[count] = (entry){hz, m, n};
      }
      ++count;
    }
  }
  return count;
}

double htz_board_sigma(const htz_board_desc* d, double hz) {
  const double slope = d->q_high_hz > 0.0 ? (1.0 / d->q_high - 1.0 / d->q) / d->q_high_hz : 0.0;
  // Where 1/Q falls it is held beyond the second point, lest it should go below zero.
  const double at = slope < 0.0 && hz > d->q_high_hz ? d->q_high_hz : hz;
  return pi * hz * (1.0 / d->q + slope * at);
}

static htz_status lay(const htz_board_desc* d, const entry* list, size_t n, htz_arena* arena, htz_modes* out) {
  double* data;
  const htz_status st = htz_modes_lay(n, HTZ_BOARD_LINE + 2 * n, arena, out, &data);
  if (st) {
    return st;
  }
  memcpy(data, d->line, sizeof d->line);
  for (size_t k = 0; k < n; ++k) {
    out->omega[k] = 2.0 * pi * list[k].hz;
    out->sigma[k] = htz_board_sigma(d, list[k].hz);
    out->mass[k] = 0.25 * d->density * d->thickness * d->length * d->width; // mean of sin^2 sin^2 is 1/4
    data[HTZ_BOARD_LINE + 2 * k] = list[k].m;
    data[HTZ_BOARD_LINE + 2 * k + 1] = list[k].n;
  }
  out->shape = htz_shape_board;
  out->shape_xy = htz_shape_board_xy;
  return HTZ_OK;
}

htz_status htz_modes_board(const htz_board_desc* desc, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out) {
  if (!valid(desc) || !positive(limit_hz) || max_modes == 0 || max_modes > HTZ_BOARD_MODES_MAX) {
    return HTZ_BAD_VALUE;
  }
  const spectrum s = spectrum_of(desc);
  if (!positive(hz_at(&s, 1.0, 1.0))) {
    return HTZ_BAD_VALUE;
  }
  const size_t found = candidates(&s, limit_hz, (unsigned)max_modes, NULL);
  entry* list = malloc(found * sizeof *list);
  if (!list) {
    return HTZ_NO_MEMORY;
  }
  candidates(&s, limit_hz, (unsigned)max_modes, list);
  qsort(list, found, sizeof *list, compare);
  const bool beam = desc->beam_mass > 0.0 || desc->beam_bending > 0.0;
  htz_modes bare;
  htz_status st = lay(desc, list, found < max_modes ? found : max_modes, arena, beam ? &bare : out);
  free(list);
  if (!st && beam) {
    st = htz_board_beam(desc, &bare, arena, out);
  }
  return st;
}
