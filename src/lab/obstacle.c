#include "obstacle.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static double gap_at(const obstacle_case* c, double x) {
  return c->curvature * (x - c->apex) * (x - c->apex) - c->height;
}

double htz_obstacle_open_hz(const obstacle_case* what) {
  return 0.5 / what->length * sqrt(what->tension / what->density * (1.0 + what->inharmonicity));
}

double htz_obstacle_left_out(const obstacle_case* what, size_t modes) {
  enum { TERMS = 100000 }; // what is beyond is less than a hundredth of that of a thousand modes
  const double wave = pi / what->length;
  double sum = 0.0;
  for (size_t n = modes + 1; n <= TERMS; ++n) {
    const double k = wave * (double)n, shape = sin(k * what->thread_at), b = what->inharmonicity * (double)n * (double)n;
    sum += 2.0 * shape * shape / (what->length * what->tension * k * k * (1.0 + b));
  }
  return sum;
}

double htz_obstacle_thread_hz(const obstacle_case* what) {
  enum { HALVINGS = 60 };
  const double length = what->length, x = what->thread_at;
  double low = pi / length, high = pi / x; // free, and held there
  for (int i = 0; i < HALVINGS; ++i) {
    const double b = 0.5 * (low + high);
    const double f = what->tension * b * sin(b * length) + what->thread_stiffness * sin(b * x) * sin(b * (length - x));
    low = f > 0.0 ? b : low;
    high = f > 0.0 ? high : b;
  }
  return low / (2.0 * pi) * sqrt(what->tension / what->density);
}

/** Amplitude of mode n of the triangle. */
static double triangle(const obstacle_case* c, double n) {
  const double at = c->pluck_at / c->length;
  return 2.0 * c->pluck * sin(n * pi * at) / (n * n * pi * pi * at * (1.0 - at));
}

static htz_status lay_contacts(obstacle_string* s) {
  const obstacle_case* c = &s->what;
  const double dx = (c->to - c->from) / (double)s->points;
  htz_contact_desc* contacts = calloc(s->points, sizeof *contacts);
  if (!contacts) {
    return HTZ_NO_MEMORY;
  }
  for (size_t i = 0; i < s->points; ++i) {
    const double x = c->from + ((double)i + 0.5) * dx;
    htz_modal_place(s->modal, i, x / c->length);
    contacts[i] = (htz_contact_desc){
        .law = {&htz_law_hunt_crossley, {dx > 0.0 ? c->stiffness * dx : c->stiffness, c->exponent, c->viscosity}},
        .point_a = (uint32_t)i,
        .body_b = 1,
        .direction = -1.0,
        .gap = gap_at(c, x),
        .enabled = true,
        .whole_steps = true};
  }
  const htz_status st = htz_network_new(2, s->bodies, s->points, contacts, s->how.rate_hz, &s->memory, &s->network);
  free(contacts);
  return st;
}

static htz_status as_modes(obstacle_string* s) {
  const obstacle_case* c = &s->what;
  const htz_string_desc desc = {.length = c->length,
                                .tension = c->tension,
                                .lin_density = c->density,
                                .inharmonicity = c->inharmonicity,
                                .loss = {.loss0 = c->sigma0, .loss1 = c->sigma1}};
  const bool thread = c->thread_stiffness > 0.0;
  s->points = c->to > c->from ? s->how.points : 1;
  htz_status st = htz_modes_string(&desc, 0.5 * s->how.rate_hz, s->how.modes, &s->memory, &s->modes);
  st = st ? st : htz_modal_new(&s->modes, s->points + thread, 0, s->how.rate_hz, htz_kernels_select(), &s->memory, &s->modal);
  st = st ? st : htz_barrier_new(&s->memory, &s->bodies[1]);
  if (st) {
    return st;
  }
  s->bodies[0] = htz_modal_body(s->modal);
  st = lay_contacts(s);
  if (!st && thread) {
    const double share = s->how.bare ? 1.0 : 1.0 / (1.0 + c->thread_stiffness * htz_obstacle_left_out(c, s->modes.n));
    const htz_join_desc join = {.point_a = (uint32_t)s->points,
                                .body_b = 1,
                                .stiffness = c->thread_stiffness * share,
                                .damping = c->thread_damping * share * share,
                                .enabled = true};
    htz_modal_place(s->modal, s->points, c->thread_at / c->length);
    st = htz_network_add_joins(s->network, 1, &join, &s->memory);
  }
  st = st ? st : htz_network_solve_jointly(s->network, &s->memory);
  if (!st) {
    for (size_t k = 0; k < s->modes.n; ++k) {
      htz_modal_q(s->modal)[k] = triangle(c, (double)(k + 1));
    }
    htz_network_refresh(s->network);
    htz_network_reread_joins(s->network);
  }
  return st;
}

/** The sine transform that has the modes' amplitudes. */
static htz_status lay_projection(obstacle_string* s) {
  const size_t n = s->intervals;
  s->project = htz_arena_alloc(&s->memory, s->projected * (n + 1) + 1, sizeof *s->project);
  if (!s->project) {
    return HTZ_NO_MEMORY;
  }
  for (size_t k = 0; k < s->projected; ++k) {
    for (size_t i = 0; i <= n; ++i) {
      s->project[k * (n + 1) + i] = 2.0 / (double)n * sin((double)((k + 1) * i % (2 * n)) * pi / (double)n);
    }
  }
  return HTZ_OK;
}

static htz_status lay_stretch(obstacle_string* s, const char** why) {
  const obstacle_case* c = &s->what;
  const double h = htz_grid_string_spacing(s->grids[0]);
  const double nearly = 1e-9; // of a spacing: ends that lie on a grid point
  const bool point = !(c->to > c->from);
  const size_t first = (size_t)(point ? lrint(c->from / h) : lrint(ceil(c->from / h - nearly)));
  const size_t last = point ? first : (size_t)lrint(floor(c->to / h + nearly));
  double* gap = calloc(last - first + 1, sizeof *gap);
  if (!gap) {
    return HTZ_NO_MEMORY;
  }
  s->points = last - first + 1;
  for (size_t i = 0; i < s->points; ++i) {
    gap[i] = gap_at(c, (double)(first + i) * h);
  }
  const htz_grid_stretch_desc stretch = {.stiffness = point ? c->stiffness : c->stiffness * h,
                                         .exponent = c->exponent,
                                         .viscosity = c->viscosity,
                                         .method = s->how.method,
                                         .body_b = 1,
                                         .first = (uint32_t)first,
                                         .last = (uint32_t)last,
                                         .direction = -1.0,
                                         .gap = gap};
  const htz_grid_contact_desc thread = {.force = HTZ_GRID_SPRING,
                                        .stiffness = c->thread_stiffness,
                                        .exponent = 1.0,
                                        .damping = c->thread_damping,
                                        .body_b = 1,
                                        .direction = 1.0,
                                        .enabled = true};
  const htz_grid_network_desc desc = {.n_bodies = 2,
                                      .bodies = s->grids,
                                      .n_contacts = c->thread_stiffness > 0.0,
                                      .contacts = &thread,
                                      .n_stretches = 1,
                                      .stretches = &stretch};
  htz_grid_place(s->grids[0], 0, c->thread_at / c->length, 0.0);
  const htz_status st = htz_grid_network_new(&desc, &s->memory, &s->grid_network, why);
  free(gap);
  return st;
}

/** Intervals of the finest grid that is stable and has points on the raster; 0: of the finest. */
static size_t intervals_on_raster(const obstacle_case* c, double bending, double rate_hz) {
  const double k = 1.0 / rate_hz, b = c->tension / c->density * k * k + 4.0 * c->sigma1 * k;
  const double least = sqrt(0.5 * (b + sqrt(b * b + 16.0 * bending / c->density * k * k)));
  const size_t across = c->raster > 0.0 ? (size_t)lrint(c->length / c->raster) : 0;
  return across ? (size_t)(c->length / least) / across * across : 0;
}

static htz_status on_grid(obstacle_string* s, const char** why) {
  const obstacle_case* c = &s->what;
  const double wave = pi / c->length, bending = c->inharmonicity * c->tension / (wave * wave);
  const htz_grid_string_desc desc = {.length = c->length,
                                     .lin_density = c->density,
                                     .tension = c->tension,
                                     .stiffness = bending,
                                     .sigma0 = c->sigma0,
                                     .sigma1 = c->sigma1,
                                     .ratio_most = 1.0,
                                     .exactly = intervals_on_raster(c, bending, s->how.rate_hz)};
  htz_status st = htz_grid_string_new(&desc, s->how.rate_hz, 1, htz_kernels_select(), &s->memory, &s->grids[0], why);
  st = st ? st : htz_grid_barrier_new(&s->memory, &s->grids[1]);
  if (st) {
    return st;
  }
  s->intervals = htz_grid_string_intervals(s->grids[0]);
  st = lay_projection(s);
  st = st ? st : lay_stretch(s, why);
  if (!st) {
    htz_grid_pluck(s->grids[0], c->pluck_at / c->length, c->pluck);
    (void)htz_grid_network_reread(s->grid_network);
  }
  return st;
}

htz_status htz_obstacle_open(const obstacle_case* what, const obstacle_method* how, size_t projected, obstacle_string* s,
                             const char** why) {
  *s = (obstacle_string){.what = *what, .how = *how, .projected = projected};
  htz_arena_measure(&s->memory);
  *why = "no memory, or a value out of range";
  return how->modes ? as_modes(s) : on_grid(s, why);
}

void htz_obstacle_close(obstacle_string* s) {
  htz_arena_free(&s->memory);
}

void htz_obstacle_step(obstacle_string* s) {
  if (s->network) {
    htz_network_step(s->network);
  } else {
    htz_grid_network_step(s->grid_network);
  }
}

double htz_obstacle_energy(const obstacle_string* s) {
  const bool thread = s->what.thread_stiffness > 0.0;
  if (!s->network) {
    const htz_grid_network* net = s->grid_network;
    return htz_grid_network_energy(net) + htz_grid_network_stretch(net, 0)->dissipated +
           (thread ? htz_grid_network_contact(net, 0)->dissipated : 0.0);
  }
  double sum = htz_network_energy(s->network) + (thread ? htz_network_join(s->network, 0)->dissipated : 0.0);
  for (size_t i = 0; i < s->points; ++i) {
    sum += htz_network_account(s->network, i)->dissipated;
  }
  return sum;
}

double htz_obstacle_pull(const obstacle_string* s) {
  double pull = s->network ? 0.0 : htz_grid_network_stretch(s->grid_network, 0)->pull_max;
  for (size_t i = 0; i < s->points && s->network; ++i) {
    pull = fmax(pull, -htz_network_account(s->network, i)->force_mean);
  }
  return pull;
}

uint64_t htz_obstacle_closures(const obstacle_string* s) {
  return s->network ? htz_network_count(s->network)->closures : htz_grid_network_stretch(s->grid_network, 0)->closures;
}

uint64_t htz_obstacle_unconverged(const obstacle_string* s) {
  return s->network ? htz_network_count(s->network)->unconverged : htz_grid_network_count(s->grid_network)->unconverged;
}

void htz_obstacle_amplitudes(const obstacle_string* s, double* q) {
  const size_t n = s->intervals + 1;
  for (size_t k = 0; k < s->projected; ++k) {
    double sum = s->network && k < s->modes.n ? htz_modal_q(s->modal)[k] : 0.0;
    for (size_t i = 0; i < n && !s->network; ++i) {
      sum += s->project[k * n + i] * s->grids[0]->now[i];
    }
    q[k] = sum;
  }
}

double htz_obstacle_displacement(const obstacle_string* s, double x) {
  double sum = 0.0;
  if (!s->network) {
    return s->grids[0]->now[lrint(x / s->what.length * (double)s->intervals)];
  }
  const double angle = pi * x / s->what.length, twice = 2.0 * cos(angle);
  double shape = sin(angle), before = 0.0; // sin(n angle) by its recurrence: good to n roundings
  for (size_t k = 0; k < s->modes.n; ++k) {
    sum += htz_modal_q(s->modal)[k] * shape;
    const double next = twice * shape - before;
    before = shape;
    shape = next;
  }
  return sum;
}
