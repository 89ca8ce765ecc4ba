#include "build_grid.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double t60_default = 2.0;     // [s]
static const double high_ratio = 10.0;     // t60_high_hz over the first partial
static const double width_default = 0.05;  // of a bar [m]
static const double skin_thickness = 1e-3; // of a membrane, which has none: only its density per area counts [m]
static const double semitones = 12.0;

static double at_key(const grid_plan* plan, const htz_spec_grid_body* body, htz_spec_grid_value value) {
  const htz_param_desc* desc = htz_spec_grid_value_desc(value);
  if (body->value[value].n) {
    return htz_table_at(&body->value[value], plan->key);
  }
  double density = NAN, young = NAN;
  if (body->material && (value == HTZ_GRID_DENSITY || value == HTZ_GRID_YOUNG)) {
    htz_material_find(body->material, &density, &young);
    return value == HTZ_GRID_DENSITY ? density : young;
  }
  return desc->initial;
}

static double pitch_of(const grid_plan* plan, const htz_spec_grid_body* body) {
  switch (body->pitch) {
  case HTZ_PITCH_KEY:
    return htz_key_hz(plan->key) * htz_table_at(&body->ratio, plan->key);
  case HTZ_PITCH_FIXED:
    return htz_table_at(&body->frequency, plan->key);
  default:
    return 0.0;
  }
}

static htz_status refuse(grid_plan* plan, const htz_spec_grid_body* body, const char* why) {
  plan->which = body->name;
  plan->why = why;
  return HTZ_BAD_VALUE;
}

/** beta^2 of a wave of angular frequency omega in mu u_tt = T u_xx - EI u_xxxx. */
static double wave_number2(double mu, double tension, double stiffness, double omega) {
  if (stiffness > 0.0) {
    return (sqrt(tension * tension + 4.0 * stiffness * mu * omega * omega) - tension) / (2.0 * stiffness);
  }
  return mu * omega * omega / tension;
}

/** What decides how waves run, to turn decay times into sigma0 and sigma1. */
typedef struct {
  double mu, tension, stiffness; // per length or per area
  double first_hz;
} medium;

/** A partial decays at sigma0 + sigma1 beta^2. @return NULL or what is wrong */
static const char* losses_of(const grid_plan* plan, const htz_spec_grid_body* body, const medium* m, double* sigma0,
                             double* sigma1) {
  const double two_pi = 2.0 * pi, nepers = 3.0 * log(10.0);
  if (body->value[HTZ_GRID_SIGMA0].n || body->value[HTZ_GRID_SIGMA1].n) {
    const double s0 = at_key(plan, body, HTZ_GRID_SIGMA0), s1 = at_key(plan, body, HTZ_GRID_SIGMA1);
    *sigma0 = isnan(s0) ? 0.0 : s0;
    *sigma1 = isnan(s1) ? 0.0 : s1;
    return NULL;
  }
  const double t60 = at_key(plan, body, HTZ_GRID_T60), high = at_key(plan, body, HTZ_GRID_T60_HIGH);
  const double high_hz = at_key(plan, body, HTZ_GRID_T60_HIGH_HZ);
  const double slow = nepers / (isnan(t60) ? t60_default : t60);
  *sigma0 = slow;
  *sigma1 = 0.0;
  if (isnan(high)) {
    return NULL;
  }
  const double top = isnan(high_hz) ? high_ratio * m->first_hz : high_hz, fast = nepers / high;
  const double b1 = wave_number2(m->mu, m->tension, m->stiffness, two_pi * m->first_hz);
  const double b2 = wave_number2(m->mu, m->tension, m->stiffness, two_pi * top);
  if (!(b2 > b1)) {
    return "t60_high_hz: must be above the first partial";
  }
  *sigma1 = (fast - slow) / (b2 - b1);
  *sigma0 = slow - *sigma1 * b1;
  if (!(*sigma1 >= 0.0)) {
    return "t60_high: must not be longer than t60";
  }
  if (!(*sigma0 >= 0.0)) {
    return "t60_high: so short that the first partial could not ring as long as t60 says";
  }
  return NULL;
}

static double ratio_most(const grid_plan* plan, const htz_spec_grid_body* body) {
  return body->pitch == HTZ_PITCH_KEY ? exp2(plan->spec->grid->bend / semitones) : 1.0;
}

/** What a string of the file is before its grid: tension, mass and stiffness of the differential equation. */
static const char* resolve_string(const grid_plan* plan, const htz_spec_grid_body* body, htz_grid_string_desc* d) {
  const double core = at_key(plan, body, HTZ_GRID_CORE_DIAMETER), young = at_key(plan, body, HTZ_GRID_YOUNG);
  const double given = at_key(plan, body, HTZ_GRID_LIN_DENSITY), density = at_key(plan, body, HTZ_GRID_DENSITY);
  const double b = at_key(plan, body, HTZ_GRID_INHARMONICITY), beta = pi / at_key(plan, body, HTZ_GRID_LENGTH);
  d->length = at_key(plan, body, HTZ_GRID_LENGTH);
  d->lin_density = isnan(given) ? density * 0.25 * pi * core * core : given;
  if (!(d->lin_density > 0.0)) {
    return "lin_density: give it, or core_diameter and a material or density";
  }
  if (isnan(b) && core > 0.0 && isnan(young)) {
    return "young: a stiff core needs it, or a material, or inharmonicity";
  }
  d->hz = pitch_of(plan, body);
  const double omega = 2.0 * pi * d->hz, own = at_key(plan, body, HTZ_GRID_TENSION);
  if (!isnan(b)) {
    d->tension = d->hz > 0.0 ? d->lin_density * omega * omega / (beta * beta * (1.0 + b)) : own;
    d->stiffness = b * d->tension / (beta * beta);
    return NULL;
  }
  d->stiffness = core > 0.0 ? young * pi * core * core * core * core / 64.0 : 0.0;
  d->tension = d->hz > 0.0 ? (d->lin_density * omega * omega - d->stiffness * beta * beta * beta * beta) / (beta * beta) : own;
  return d->tension > 0.0 ? NULL : "core_diameter: the core alone is stiffer than this pitch allows";
}

static const char* resolve_bar(const grid_plan* plan, const htz_spec_grid_body* body, htz_grid_string_desc* d) {
  const double width = at_key(plan, body, HTZ_GRID_WIDTH), h = at_key(plan, body, HTZ_GRID_THICKNESS);
  const double across = isnan(width) ? width_default : width;
  const double density = at_key(plan, body, HTZ_GRID_DENSITY), young = at_key(plan, body, HTZ_GRID_YOUNG);
  if (isnan(density) || isnan(young)) {
    return isnan(density) ? "density: give it, or a material" : "young: give it, or a material";
  }
  d->length = at_key(plan, body, HTZ_GRID_LENGTH);
  d->lin_density = density * across * h;
  d->stiffness = young * across * h * h * h / 12.0;
  d->hz = pitch_of(plan, body);
  return NULL;
}

/** beta L of the first bending mode, supports as given. */
static double first_of_bar(const htz_grid_end ends[2]) {
  const int held = (ends[0] == HTZ_GRID_CLAMPED) + (ends[1] == HTZ_GRID_CLAMPED);
  const int loose = (ends[0] == HTZ_GRID_FREE) + (ends[1] == HTZ_GRID_FREE);
  if (held == 2 || loose == 2) {
    return 4.730041;
  }
  if (held == 1 && loose == 1) {
    return 1.875104;
  }
  return held || loose ? 3.926602 : pi;
}

static htz_status build_line(grid_plan* plan, size_t b) {
  const htz_spec_grid_body* body = &plan->spec->grid->bodies[b];
  htz_grid_string_desc d = {
      .ratio_most = ratio_most(plan, body), .ends = {body->ends[0], body->ends[1]}, .exactly = plan->intervals[b]};
  const char* why = body->kind == HTZ_GRID_BAR ? resolve_bar(plan, body, &d) : resolve_string(plan, body, &d);
  if (!why) {
    const double beta = (body->kind == HTZ_GRID_BAR ? first_of_bar(d.ends) : pi) / d.length;
    const double own = sqrt((d.tension + d.stiffness * beta * beta) / d.lin_density) * beta / (2.0 * pi);
    medium m = {d.lin_density, d.tension, d.stiffness, d.hz > 0.0 ? d.hz : own};
    if (body->kind == HTZ_GRID_BAR && d.hz > 0.0) {
      m.stiffness *= d.hz * d.hz / (own * own);
    }
    why = losses_of(plan, body, &m, &d.sigma0, &d.sigma1);
  }
  if (why) {
    return refuse(plan, body, why);
  }
  plan->which = body->name;
  return htz_grid_string_new(&d, plan->rate_hz, plan->points[b], plan->kernels, plan->arena, &plan->grids[b], &plan->why);
}

double htz_grid_string_stiffness(const grid_plan* plan, size_t b) {
  htz_grid_string_desc d = {0};
  return resolve_string(plan, &plan->spec->grid->bodies[b], &d) ? 0.0 : d.stiffness;
}

static htz_status build_sheet(grid_plan* plan, size_t b) {
  const htz_spec_grid_body* body = &plan->spec->grid->bodies[b];
  const bool skin = body->kind == HTZ_GRID_MEMBRANE;
  htz_grid_plate_desc d = {.length = at_key(plan, body, HTZ_GRID_LENGTH),
                           .width = at_key(plan, body, HTZ_GRID_WIDTH),
                           .thickness = skin ? skin_thickness : at_key(plan, body, HTZ_GRID_THICKNESS),
                           .poisson = at_key(plan, body, HTZ_GRID_POISSON),
                           .ratio_most = 1.0,
                           .edges = body->ends[0],
                           .most = body->points};
  d.density = skin ? at_key(plan, body, HTZ_GRID_AREA_DENSITY) / skin_thickness : at_key(plan, body, HTZ_GRID_DENSITY);
  d.young = skin ? 0.0 : at_key(plan, body, HTZ_GRID_YOUNG);
  d.tension = skin ? at_key(plan, body, HTZ_GRID_TENSION) : 0.0;
  if (isnan(d.density) || isnan(d.young)) {
    return refuse(plan, body, isnan(d.density) ? "density: give it, or a material" : "young: give it, or a material");
  }
  const double rigidity = d.young * d.thickness * d.thickness * d.thickness / (12.0 * (1.0 - d.poisson * d.poisson));
  const double beta2 = pi * pi * (1.0 / (d.length * d.length) + 1.0 / (d.width * d.width));
  const double mu = d.density * d.thickness;
  const medium m = {mu, d.tension, rigidity, sqrt(beta2 * (d.tension + rigidity * beta2) / mu) / (2.0 * pi)};
  const char* why = losses_of(plan, body, &m, &d.sigma0, &d.sigma1);
  if (why) {
    return refuse(plan, body, why);
  }
  plan->which = body->name;
  return htz_grid_plate_new(&d, plan->rate_hz, plan->points[b], plan->kernels, plan->arena, &plan->grids[b], &plan->why);
}

htz_grid_mass_desc htz_grid_mass_at(const grid_plan* plan, size_t b) {
  const htz_spec_grid_body* body = &plan->spec->grid->bodies[b];
  return (htz_grid_mass_desc){.mass = at_key(plan, body, HTZ_GRID_MASS_KG),
                              .hz = pitch_of(plan, body),
                              .loss = at_key(plan, body, HTZ_GRID_LOSS),
                              .gravity = at_key(plan, body, HTZ_GRID_GRAVITY)};
}

htz_status htz_grid_build_body(grid_plan* plan, size_t b) {
  const htz_spec_grid_body* body = &plan->spec->grid->bodies[b];
  switch (body->kind) {
  case HTZ_GRID_STRING:
  case HTZ_GRID_BAR:
    return build_line(plan, b);
  case HTZ_GRID_PLATE:
  case HTZ_GRID_MEMBRANE:
    return build_sheet(plan, b);
  case HTZ_GRID_MASS: {
    const htz_grid_mass_desc d = htz_grid_mass_at(plan, b);
    plan->which = body->name;
    if (!(pi * d.hz < plan->rate_hz)) {
      plan->why = "frequency: a mass on a spring above a third of the sample rate (rate/pi) is unstable";
      return HTZ_UNSUPPORTED;
    }
    return htz_grid_mass_new(&d, plan->rate_hz, plan->arena, &plan->grids[b], &plan->why);
  }
  case HTZ_GRID_MODES: {
    htz_modes* modes = htz_arena_alloc(plan->arena, 1, sizeof *modes);
    plan->which = body->name;
    if (!modes) {
      return HTZ_NO_MEMORY;
    }
    const htz_status st = htz_spec_modes(body->modes, plan->key, plan->arena, modes, &plan->why);
    return st ? st : htz_grid_modes_new(modes, plan->rate_hz, plan->points[b], plan->arena, &plan->grids[b], &plan->why);
  }
  default:
    return htz_grid_barrier_new(plan->arena, &plan->grids[b]);
  }
}
