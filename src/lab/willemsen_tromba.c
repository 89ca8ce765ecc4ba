#include "willemsen_tromba.h"

#include <math.h>

static const double length = 1.9, tension = 91.2;                      // [m], [N]
static const double string_sigma0 = 0.1, string_sigma1 = 0.05;         // [1/s], [m^2/s]
static const double bridge_loss = 0.05;                                // R [1/s]
static const double plate_length = 1.35, plate_width = 0.18;           // [m]
static const double thickness = 0.01, density = 50.0;                  // [m], [kg/m^3]
static const double young = 2e5, poisson = 0.3;                        // [Pa]
static const double plate_sigma0 = 2.0, plate_sigma1 = 0.05;           // [1/s], [m^2/s]
static const double thrown_at = 0.3, thrown_width = 0.05, speed = 1.0; // fractions of the length, [m/s]; ours

static const double string_x = (double)TROMBA_AT / TROMBA_INTERVALS;
static const double plate_x = (double)TROMBA_PLATE_AT / TROMBA_ALONG;
static const double plate_y = (double)TROMBA_PLATE_AT_ACROSS / TROMBA_ACROSS;

static htz_status make_bodies(bool lossy, willemsen_system* s, const char** why) {
  const double loss = lossy ? 1.0 : 0.0;
  const htz_grid_string_desc string = {.length = length,
                                       .lin_density = WILLEMSEN_LINE_DENSITY,
                                       .tension = tension,
                                       .stiffness = WILLEMSEN_BENDING,
                                       .sigma0 = loss * string_sigma0,
                                       .sigma1 = loss * string_sigma1,
                                       .ratio_most = 1.0,
                                       .exactly = TROMBA_INTERVALS};
  const htz_grid_mass_desc bridge = {.mass = TROMBA_MASS, .hz = TROMBA_HZ, .loss = loss * bridge_loss};
  const htz_grid_plate_desc plate = {.length = plate_length,
                                     .width = plate_width,
                                     .thickness = thickness,
                                     .density = density,
                                     .young = young,
                                     .poisson = poisson,
                                     .sigma0 = loss * plate_sigma0,
                                     .sigma1 = loss * plate_sigma1,
                                     .ratio_most = 1.0,
                                     .edges = HTZ_GRID_CLAMPED,
                                     .across = {TROMBA_ALONG, TROMBA_ACROSS}};
  const htz_kernels* kernels = htz_kernels_select();
  s->n_bodies = 3;
  htz_status st = htz_grid_string_new(&string, WILLEMSEN_RATE, 1, kernels, &s->memory, &s->bodies[TROMBA_STRING], why);
  st = st ? st : htz_grid_mass_new(&bridge, WILLEMSEN_RATE, &s->memory, &s->bodies[TROMBA_BRIDGE], why);
  return st ? st : htz_grid_plate_new(&plate, WILLEMSEN_RATE, 1, kernels, &s->memory, &s->bodies[TROMBA_PLATE], why);
}

htz_status tromba_make(htz_grid_method method, htz_grid_force held, bool lossy, willemsen_system* s, const char** why) {
  const htz_status st = make_bodies(lossy, s, why);
  if (st) {
    return st;
  }
  htz_grid_place(s->bodies[TROMBA_STRING], 0, string_x, 0.0);
  htz_grid_place(s->bodies[TROMBA_PLATE], 0, plate_x, plate_y);
  htz_grid_kick(s->bodies[TROMBA_STRING], thrown_at, 0.0, thrown_width, speed);
  const bool spring = held == HTZ_GRID_SPRING;
  const htz_grid_contact_desc contacts[] = {
      {.force = held,
       .method = method,
       .stiffness = spring ? TROMBA_SPRING : TROMBA_TWO_SIDED,
       .exponent = TROMBA_EXPONENT,
       .cubic = spring ? TROMBA_CUBIC : 0.0,
       .damping = spring && lossy ? TROMBA_SPRING_DAMPING : 0.0,
       .body_a = spring ? TROMBA_STRING : TROMBA_BRIDGE, // (40g): eta = u - w, (78f): eta = w - u
       .body_b = spring ? TROMBA_BRIDGE : TROMBA_STRING,
       .direction = 1.0,
       .enabled = true},
      {.force = HTZ_GRID_COLLISION,
       .method = method,
       .stiffness = TROMBA_BODY,
       .exponent = TROMBA_EXPONENT,
       .body_a = TROMBA_PLATE, // (40e): eta = v - w
       .body_b = TROMBA_BRIDGE,
       .direction = 1.0,
       .gap = TROMBA_GAP,
       .enabled = true}};
  return willemsen_join(s, &(htz_grid_network_desc){.n_contacts = 2, .contacts = contacts}, why);
}

void tromba_take_apart(const willemsen_system* s, bool lossy, tromba_parts* parts) {
  const double loss = lossy ? 1.0 : 0.0;
  const double pi = 3.14159265358979323846;
  parts->string = (direct_string){.density = WILLEMSEN_LINE_DENSITY,
                                  .bending = WILLEMSEN_BENDING,
                                  .sigma0 = loss * string_sigma0,
                                  .sigma1 = loss * string_sigma1};
  direct_string_about(&parts->string, s->bodies[TROMBA_STRING], string_x);
  parts->bridge =
      (direct_mass){.k = parts->string.k, .mass = TROMBA_MASS, .omega = 2.0 * pi * TROMBA_HZ, .loss = loss * bridge_loss};
  parts->plate = (direct_plate){.h = plate_length / TROMBA_ALONG,
                                .density = density * thickness,
                                .rigidity = young * thickness * thickness * thickness / (12.0 * (1.0 - poisson * poisson)),
                                .sigma0 = loss * plate_sigma0,
                                .sigma1 = loss * plate_sigma1};
  direct_plate_about(&parts->plate, s->bodies[TROMBA_PLATE], plate_x, plate_y);
}

void tromba_look(const willemsen_system* s, const tromba_parts* parts, tromba_states* out) {
  for (int i = 0; i < 3; ++i) {
    out->now[i] = htz_grid_now(s->bodies[i], 0);
    out->before[i] = htz_grid_before(s->bodies[i], 0);
  }
  out->free[TROMBA_STRING] = direct_string_free(&parts->string);
  out->free[TROMBA_BRIDGE] = direct_mass_free(&parts->bridge, out->now[TROMBA_BRIDGE], out->before[TROMBA_BRIDGE]);
  out->free[TROMBA_PLATE] = direct_plate_free(&parts->plate);
}

double tromba_apart(const willemsen_system* s, const double next[3], double swing) {
  double most = 0.0;
  for (int i = 0; i < 3; ++i) {
    most = fmax(most, fabs(next[i] - htz_grid_now(s->bodies[i], 0)));
  }
  return most / swing;
}
