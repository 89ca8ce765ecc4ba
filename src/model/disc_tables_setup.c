#include "disc_private.h"

#include <stdlib.h>

/** Layout of one family while it is filled in. */
typedef struct {
  const disc_set* set;
  const htz_bending* b;
  size_t reach;
  const unsigned* place; // [n_radials] by order: rank by frequency among all
  unsigned m;            // order of the family
  htz_bend_family* family;
  htz_bend_run* run; // of the family
  unsigned* least;   // [runs] order of the left factor in lane 0
  size_t* offset;    // [runs] lane of the family where the run starts
  int* run_of;       // [2][rows][rows], -1: none
} layout;

static unsigned at_order(const disc_set* s, unsigned n, unsigned i) {
  return s->first[n] + i;
}

/** Radials i of order a and j of order b couple. */
static bool couples(const layout* l, unsigned a, unsigned i, unsigned b, unsigned j) {
  const disc_set* s = l->set;
  if (a > s->top || b > s->top || i >= s->count[a] || j >= s->count[b]) {
    return false;
  }
  const unsigned p = l->place[at_order(s, a, i)], q = l->place[at_order(s, b, j)];
  return l->reach == 0 || (p > q ? p - q : q - p) <= l->reach;
}

/** Which products a run (conjugate, i, j) has: orders a of its left factor, from `least` to `most`. */
static bool run_orders(const layout* l, bool conjugate, unsigned i, unsigned j, unsigned* least, unsigned* most) {
  const unsigned first = conjugate ? 1 : 0;
  const unsigned last = conjugate ? l->set->top : i == j ? l->m / 2 : l->m;
  bool any = false;
  for (unsigned a = first; a <= last; ++a) {
    if (couples(l, a, i, conjugate ? a + l->m : l->m - a, j)) {
      *least = any ? *least : a;
      *most = a;
      any = true;
    }
  }
  return any;
}

static uint32_t whole(unsigned lanes) {
  return (lanes + HTZ_BEND_LANES - 1) / HTZ_BEND_LANES * HTZ_BEND_LANES;
}

/** Lay out the runs of a family. @return how many; with `l->run` NULL it only counts */
static unsigned lay_runs(layout* l, size_t* lanes) {
  const htz_bending* b = l->b;
  unsigned n = 0;
  *lanes = 0;
  for (unsigned c = 0; c < 2; ++c) {
    for (unsigned i = 0; i < b->rows; ++i) {
      // Either order of the two factors is the same product, but where conjugated and of different order.
      for (unsigned j = c && l->m > 0 ? 0 : i; j < b->rows; ++j) {
        unsigned least = 0, most = 0;
        const bool any = run_orders(l, c, i, j, &least, &most);
        if (l->run) {
          l->run_of[(c * b->rows + i) * b->rows + j] = any ? (int)n : -1;
        }
        if (!any) {
          continue;
        }
        const uint32_t count = whole(most - least + 1);
        if (l->run) {
          l->run[n] =
              (htz_bend_run){.left = i * b->stride + least,
                             .right = c ? j * b->stride + least + l->m : (b->rows + j) * b->stride + b->top - (l->m - least),
                             .lanes = count,
                             .conjugate = c};
          l->least[n] = least;
          l->offset[n] = *lanes;
        }
        *lanes += count;
        ++n;
      }
    }
  }
  return n;
}

/** The coupling of a cap's modes from that of flat ones: V_a H V_b'. */
static void turn_block(const disc_set* s, unsigned a, unsigned b, const double* flat, double* half, double* out) {
  const unsigned ca = s->count[a], cb = s->count[b];
  const double *va = s->turned + s->start[a], *vb = s->turned + s->start[b];
  for (unsigned i = 0; i < ca; ++i) {
    for (unsigned j = 0; j < cb; ++j) {
      double sum = 0.0;
      for (unsigned k = 0; k < cb; ++k) {
        sum += flat[i * cb + k] * vb[j * cb + k];
      }
      half[i * cb + j] = sum;
    }
  }
  for (unsigned i = 0; i < ca; ++i) {
    for (unsigned j = 0; j < cb; ++j) {
      double sum = 0.0;
      for (unsigned k = 0; k < ca; ++k) {
        sum += va[i * ca + k] * half[k * cb + j];
      }
      out[i * cb + j] = sum;
    }
  }
}

/** Put the coupling of orders a and b, a <= b, into the lanes of one sum. */
static void place_block(const layout* l, bool conjugate, unsigned a, unsigned b, const double* block, float* h) {
  const disc_set* s = l->set;
  const unsigned rows = l->b->rows;
  for (unsigned i = 0; i < s->count[a]; ++i) {
    for (unsigned j = a == b ? i : 0; j < s->count[b]; ++j) {
      if (!couples(l, a, i, b, j)) {
        continue;
      }
      const bool crossed = !conjugate && i > j; // then the left factor is that of order b
      const unsigned left = crossed ? j : i, right = crossed ? i : j, order = crossed ? b : a;
      const int run = l->run_of[((conjugate ? rows : 0) + left) * rows + right];
      const double twice = a == b && i == j ? 1.0 : 2.0;
      h[l->offset[run] + order - l->least[run]] = (float)(twice * block[i * s->count[b] + j]);
    }
  }
}

/** All sums of a family; `scratch` [3][widest][widest]. */
static void fill(const layout* l, float* h, double* scratch) {
  const disc_set* s = l->set;
  const size_t square = (size_t)s->widest * s->widest;
  unsigned sum = 0;
  for (unsigned k = 0; k < s->n_stress; ++k) {
    if (s->stress[k].order != l->m) {
      continue;
    }
    for (unsigned c = 0; c < 2; ++c) {
      const unsigned first = c ? 1 : l->m > s->top ? l->m - s->top : 0;
      for (unsigned a = first; a <= s->top; ++a) {
        const unsigned b = c ? a + l->m : l->m - a;
        if ((!c && 2 * a > l->m) || b > s->top) {
          break;
        }
        for (unsigned i = 0; i < s->count[a]; ++i) {
          for (unsigned j = 0; j < s->count[b]; ++j) {
            scratch[i * s->count[b] + j] = htz_disc_integral(s, s->of[at_order(s, a, i)], s->of[at_order(s, b, j)], k, c);
          }
        }
        turn_block(s, a, b, scratch, scratch + square, scratch + 2 * square);
        place_block(l, c, a, b, scratch + 2 * square, h + (size_t)sum * l->family->lanes);
      }
    }
    ++sum;
  }
}

/** Ranks by frequency of what stands by order. */
static void rank(const disc_set* s, unsigned* place) {
  for (size_t i = 0; i < s->n_radials; ++i) {
    place[i] = 0;
    for (size_t j = 0; j < s->n_radials; ++j) {
      place[i] += s->number[j] < s->number[i] || (s->number[j] == s->number[i] && j < i);
    }
  }
}

static unsigned stresses(const disc_set* s, unsigned m) {
  unsigned n = 0;
  for (unsigned k = 0; k < s->n_stress; ++k) {
    n += s->stress[k].order == m;
  }
  return n;
}

/** L of a family's sums. */
static htz_status lay_linear(const disc_set* s, unsigned m, htz_arena* arena, htz_bend_linear* out) {
  *out = (htz_bend_linear){.order = m};
  if (s->rest[0] == 0.0 || m > s->top) {
    return HTZ_OK;
  }
  float* value = htz_arena_alloc(arena, (size_t)stresses(s, m) * s->count[m] + 1, sizeof *value);
  if (!value) {
    return HTZ_NO_MEMORY;
  }
  unsigned sum = 0;
  for (unsigned k = 0; k < s->n_stress; ++k) {
    for (unsigned i = 0; s->stress[k].order == m && i < s->count[m]; ++i) {
      value[sum * s->count[m] + i] = (float)s->lift[(size_t)k * s->widest + i];
    }
    sum += s->stress[k].order == m;
  }
  out->radials = s->count[m];
  out->value = value;
  return HTZ_OK;
}

typedef struct {
  unsigned* place;
  unsigned* least;
  size_t* offset;
  int* run_of;
  double* blocks;
} scratch;

static void free_scratch(scratch* w) {
  free(w->place);
  free(w->least);
  free(w->offset);
  free(w->run_of);
  free(w->blocks);
}

static bool make_scratch(const disc_set* s, const htz_bending* b, scratch* w) {
  const size_t runs = 2 * (size_t)b->rows * b->rows;
  *w = (scratch){.place = calloc(s->n_radials, sizeof *w->place),
                 .least = calloc(runs, sizeof *w->least),
                 .offset = calloc(runs, sizeof *w->offset),
                 .run_of = calloc(runs, sizeof *w->run_of),
                 .blocks = calloc(3 * (size_t)s->widest * s->widest, sizeof *w->blocks)};
  return w->place && w->least && w->offset && w->run_of && w->blocks;
}

htz_status htz_disc_tables(const disc_set* s, size_t reach, htz_arena* arena, htz_bending* out) {
  const unsigned families = 2 * s->top + 1;
  uint32_t* radials = htz_arena_alloc(arena, (size_t)s->top + 1, sizeof *radials);
  htz_bend_family* family = htz_arena_alloc(arena, families, sizeof *family);
  htz_bend_linear* linear = htz_arena_alloc(arena, families, sizeof *linear);
  out->rows = s->widest;
  out->top = s->top;
  out->stride = whole(s->top + 1);
  out->table.length = 2 * (size_t)out->rows * out->stride + whole(s->top + 1) + HTZ_BEND_LANES;
  scratch w;
  if (!make_scratch(s, out, &w) || !radials || !family || !linear) {
    free_scratch(&w);
    return HTZ_NO_MEMORY;
  }
  rank(s, w.place);
  for (unsigned n = 0; n <= s->top; ++n) {
    radials[n] = s->count[n];
  }
  // First how much there is, then what it is.
  layout l = {.set = s, .b = out, .reach = reach, .place = w.place, .least = w.least, .offset = w.offset, .run_of = w.run_of};
  size_t runs = 0, numbers = 0, sums = 0;
  for (l.m = 0; l.m < families; ++l.m) {
    size_t lanes;
    const unsigned n = lay_runs(&l, &lanes), here = stresses(s, l.m);
    family[l.m] = (htz_bend_family){.first = (uint32_t)runs,
                                    .n_runs = here ? n : 0,
                                    .lanes = (uint32_t)(here ? lanes : 0),
                                    .n_sums = here,
                                    .sum = (uint32_t)sums,
                                    .real = l.m == 0,
                                    .h = numbers};
    runs += family[l.m].n_runs;
    numbers += (size_t)here * lanes;
    sums += here;
    out->table.widest = family[l.m].lanes > out->table.widest ? family[l.m].lanes : out->table.widest;
  }
  htz_bend_run* run = htz_arena_alloc(arena, runs + 1, sizeof *run);
  float* h = htz_arena_alloc(arena, numbers + 1, sizeof *h);
  htz_status st = run && h ? HTZ_OK : HTZ_NO_MEMORY;
  for (l.m = 0; l.m < families && !st; ++l.m) {
    l.family = &family[l.m];
    if (l.family->n_sums) {
      size_t lanes;
      l.run = run + l.family->first;
      lay_runs(&l, &lanes);
      fill(&l, h + l.family->h, w.blocks);
    }
    st = lay_linear(s, l.m, arena, &linear[l.m]);
  }
  free_scratch(&w);
  out->radials = radials;
  out->linear = linear;
  out->table.n_families = families;
  out->table.family = family;
  out->table.run = run;
  out->table.h = h;
  out->table.n_sums = sums;
  return st;
}
