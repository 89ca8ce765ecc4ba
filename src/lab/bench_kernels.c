#include "bench_grid.h"
#include "bench_timer.h"

#include "hertzian/contact/network.h"
#include "hertzian/lab/impact.h"
#include "hertzian/model/bodies.h"

#include <math.h>

static const double rate_hz = 48000.0;

enum { ARENA_BYTES = 1 << 22, CONTACT_MODES = 64, CONTACT_STEPS = 256 };
static const double stretch = 1e4; // EA of the string whose tension grows [N]

/** A string of n modes with almost no loss, so that nothing dies away while it is timed. `ea`: 0, or its tension grows. */
static htz_status string_body(size_t n, double ea, size_t pickups, const htz_kernels* kernels, htz_arena* arena,
                              htz_modes* modes, htz_modal** out) {
  const htz_string_desc string = {.length = 1.0,
                                  .tuning_hz = 20000.0 / (double)(n + 1),
                                  .lin_density = 6e-3,
                                  .inharmonicity = 0.0,
                                  .stretch = ea,
                                  .loss = {.loss0 = 1e-3}};
  const htz_status st = htz_modes_string(&string, 30000.0, n, arena, modes);
  return st ? st : htz_modal_new(modes, 1, pickups, rate_hz, kernels, arena, out);
}

typedef struct {
  htz_modal* modal;
  float sound[HTZ_QUANTUM];
} free_run;

static void work_free(void* context) {
  free_run* f = context;
  float* pickups[1] = {f->sound};
  htz_modal_free_quantum(f->modal, pickups);
}

static htz_status time_free(size_t n, double ea, const htz_kernels* kernels, htz_bench_time* out) {
  htz_arena arena;
  htz_modes modes;
  free_run run = {0};
  htz_status st = htz_arena_init(&arena, ARENA_BYTES);
  if (!st && !(st = string_body(n, ea, 1, kernels, &arena, &modes, &run.modal))) {
    htz_modal_listen(run.modal, 0, HTZ_HEAR_VELOCITY, 0.3, 1e-6);
    for (size_t k = 0; k < modes.n; ++k) {
      htz_modal_v(run.modal)[k] = 1.0;
    }
    *out = htz_bench_measure(work_free, &run, (double)(modes.n * HTZ_QUANTUM));
  }
  htz_arena_free(&arena);
  return st;
}

typedef struct {
  htz_network* net;
  htz_body* mass;
  htz_modal* string;
} pressing;

/** A heavy mass falling into a soft contact: every sample is a step with a contact to solve. */
static void work_contact(void* context) {
  pressing* p = context;
  htz_modal_body(p->string)->cls->reset(htz_modal_body(p->string));
  p->mass->cls->set_motion(p->mass, 1e-6, 1.0);
  htz_network_refresh(p->net);
  for (int i = 0; i < CONTACT_STEPS; ++i) {
    htz_network_step(p->net);
  }
}

static htz_status time_contact(const htz_kernels* kernels, htz_bench_time* out) {
  htz_arena arena;
  htz_modes modes;
  pressing p = {0};
  htz_status st = htz_arena_init(&arena, ARENA_BYTES);
  if (!st && !(st = string_body(CONTACT_MODES, 0.0, 0, kernels, &arena, &modes, &p.string)) &&
      !(st = htz_mass_new(&(htz_mass_desc){.mass = 1.0}, rate_hz, &arena, &p.mass))) {
    htz_modal_place(p.string, 0, 0.13);
    htz_body* bodies[2] = {p.mass, htz_modal_body(p.string)};
    const htz_contact_desc c = {
        .law = {&htz_law_hunt_crossley, {1e5, 2.3, 0.3}}, .body_b = 1, .direction = 1.0, .enabled = true};
    st = htz_network_new(2, bodies, 1, &c, rate_hz, &arena, &p.net);
    if (!st) {
      work_contact(&p);
      // All of them must have been contact steps, or the figure means nothing.
      const double share = (double)htz_network_count(p.net)->contact_steps / CONTACT_STEPS;
      *out = htz_bench_measure(work_contact, &p, CONTACT_STEPS * share);
    }
  }
  htz_arena_free(&arena);
  return st;
}

htz_status htz_bench_run_kernels(htz_isa isa, htz_bench_kernels* out) {
  enum { FEW = 128, MANY = 512 };
  const htz_kernels* kernels = htz_kernels_for(isa);
  if (!kernels) {
    return HTZ_UNSUPPORTED;
  }
  *out = (htz_bench_kernels){.kernels = kernels->name};
  htz_status st = time_free(FEW, 0.0, kernels, &out->free_128);
  st = st ? st : time_free(MANY, 0.0, kernels, &out->free_512);
  st = st ? st : time_free(CONTACT_MODES, stretch, kernels, &out->stretching_64);
  st = st ? st : time_contact(kernels, &out->contact_64);
  return st ? st : htz_bench_grids(kernels, &out->string_grid, &out->plate_grid);
}

htz_status htz_bench_run_wall(double rate, htz_bench_wall* out) {
  enum { PHASES = 5 };
  // Contacts from a fiftieth of a sample to a thousand, through the stiffness; viscosity by mu v.
  static const double exponents[] = {1.0, 1.5, 2.3, 2.8, 3.2};
  static const double losses[] = {0.0, 0.1, 1.0, 5.0};
  *out = (htz_bench_wall){0};
  for (double samples = 0.02; samples < 1000.0; samples *= 3.0) {
    for (size_t a = 0; a < sizeof exponents / sizeof exponents[0]; ++a) {
      for (size_t m = 0; m < sizeof losses / sizeof losses[0]; ++m) {
        htz_impact p = {.mass = 0.01, .stiffness = 1.0, .exponent = exponents[a], .viscosity = 0.0, .speed = 2.0};
        // Elastic contact time is proportional to K^(-1/(alpha+1)).
        p.stiffness = pow(htz_impact_exact(&p).duration * rate / samples, p.exponent + 1.0);
        p.viscosity = losses[m] / p.speed;
        htz_lab_impact_result r;
        const htz_status st = htz_lab_impact(&p, rate, PHASES, &r);
        if (st) {
          return st;
        }
        const double share = (double)r.steps / r.bound;
        out->worst = share > out->worst ? share : out->worst;
        out->steps_mean += (double)r.steps;
        ++out->impacts;
      }
    }
  }
  out->steps_mean /= out->impacts;
  return HTZ_OK;
}
